//! Text in all scripts: fallback fonts and right-to-left layout, both missing in egui.

pub mod fonts;
pub mod from_right;
