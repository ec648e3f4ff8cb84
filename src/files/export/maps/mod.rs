//! Export of maps other than the heights: scalar maps in every heightfield format, colours and masks as
//! PNG.

mod numbers;
mod picture;
pub mod pictures;
mod relief;
pub mod textures;

pub use numbers::MapRows;
