//! The window: panel, worker thread, input and commands.
//!
//! What must not be here: anything that makes heights or pictures differently from the command
//! line. The window draws what [`crate::pipeline`] makes through [`crate::render`], and saves
//! through [`crate::export`].
//!
//! In reading order: [`state`] (what there is), [`ui()`] (what is shown and edited),
//! [`commands`] (what can be asked for), [`worker`] and [`files`] (the threads that do it),
//! and `window`, which brings them together.

use crate::app::document::Document;
use crate::scene::Scene;

pub mod camera;
pub mod changes;
mod coarse;
pub mod commands;
pub mod describe;
pub mod dialogs;
mod display;
pub mod document;
mod drop_down;
mod escape;
pub mod export;
pub mod files;
pub mod folds;
pub mod fonts;
mod from_right;
pub mod history;
mod icon;
pub mod input;
mod interface;
mod menu;
pub mod notices;
pub mod number;
pub mod pace;
pub mod panel;
pub mod passes;
pub mod photo;
mod picture;
pub mod pins;
pub mod placement;
pub mod recent;
pub mod section;
pub mod seeds;
mod session;
pub mod settings;
mod shaders;
pub mod stale;
pub mod state;
mod statistics;
pub mod status;
pub mod steer;
pub mod taking;
pub mod theme;
pub mod times;
mod ui;
pub mod unsaved;
pub mod way;
mod window;
pub mod worker;

pub use ui::ui;

/// What the window starts with.
#[derive(Clone, Debug, Default)]
pub struct AppOptions {
    /// A document and its scene, in place of the one shown last.
    pub given: Option<(Document, Scene)>,
    /// Size of the window in physical pixels, in place of its last size.
    pub size: Option<(u32, u32)>,
    /// What the user is to know at once.
    pub notices: Vec<String>,
}

/// Opens the window and returns when it is closed.
///
/// # Errors
/// There is no display, or no OpenGL 3.3 on it.
pub fn run(options: AppOptions) -> anyhow::Result<()> {
    window::run(options)
}
