//! What lies above the scene: dialogs that ask, and windows that stay open beside the work.

pub mod about;
pub mod differences;
pub mod escape;
pub mod export;
pub mod file;
mod file_words;
pub mod film;
pub mod keep;
pub mod keys;
pub mod photo;
pub mod profile;
pub mod questions;
pub mod statistics;
pub mod tour;
pub mod watershed;

use crate::language::tr;
use egui::{Align2, Id, Window};

/// Space between windows and the edges of the scene.
const GAP: f32 = 8.0;
/// Height of a window's title bar and margins.
const FRAME: f32 = 50.0;
/// Narrower scenes, beside a panel that is open in a narrow window, have no room for windows.
const NARROWEST: f32 = 160.0;

/// A window in the middle that is read and closed.
fn sheet<'a>(title: &'static str, open: &'a mut bool) -> Window<'a> {
    Window::new(tr(title))
        .id(Id::new(title))
        .open(open)
        .collapsible(false)
        .resizable(false)
        .anchor(Align2::CENTER_CENTER, [0.0, 0.0])
}
