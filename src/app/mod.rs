//! The graphical interface: panel, worker threads, input handling and commands.
//!
//! Nothing here may make heights or images differently from the command line. The window displays
//! what [`crate::pipeline`] makes through [`crate::render`], and saves through [`crate::files::export`].
//!
//! In reading order: [`state`] (the data), [`ui()`] (the widgets that show and edit it),
//! [`commands`] (the list of user actions) and `apply` (their effect on the state), [`worker`] and
//! [`files`] (the background threads), [`picture`] (drawing the scene), and [`session`] and
//! [`window`], which tie them together.

use crate::scene::Scene;

mod apply;
mod background;
mod bars;
pub mod book;
mod browser;
pub mod commands;
pub mod controls;
pub mod dialogs;
pub mod files;
pub mod floating;
pub mod invalidation;
pub mod own_preset;
pub mod panel;
pub mod picture;
mod search;
pub mod session;
pub mod settings;
pub mod shortcuts;
pub mod state;
mod steer;
mod text;
pub mod theme;
mod thumbnail;
mod tools;
mod typed_ahead;
mod ui;
mod variations;
pub mod window;
pub mod worker;

use state::document::Document;
pub use ui::ui;

/// Start-up options of the window.
#[derive(Clone, Debug, Default)]
pub struct AppOptions {
    /// Document and scene to open instead of the last session's.
    pub given: Option<(Document, Scene)>,
    /// Size of the window in physical pixels, instead of the last session's.
    pub size: Option<(u32, u32)>,
    /// Messages to show at start-up.
    pub notices: Vec<String>,
}

/// Open the window; return when it is closed.
///
/// # Errors
/// Fails if there is no display, or no OpenGL 3.3 on it.
pub fn run(options: AppOptions) -> anyhow::Result<()> {
    window::run(options)
}
