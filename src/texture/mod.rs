//! Colours on the CPU: palettes by height, and clouds.

pub mod clouds;
pub mod colors;
pub mod detail;
pub mod palette;
pub mod waves;

pub use palette::Palette;
