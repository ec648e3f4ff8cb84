//! Maps other than the heights into files: numbers in every format of heights, colours and masks
//! as PNG.

mod masks;
mod numbers;
mod picture;
pub mod pictures;
mod relief;
pub mod textures;

pub use numbers::MapRows;
