//! Letters of all languages in the interface: egui lacks some, and sets all from left to right.

pub mod fonts;
pub mod from_right;
