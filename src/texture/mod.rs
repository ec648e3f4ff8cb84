//! Colours on the CPU: palettes by height, and clouds.

pub mod clouds;
pub mod palette;

pub use palette::Palette;
