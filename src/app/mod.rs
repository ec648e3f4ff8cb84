//! The window: panel, worker thread, input and commands.
//!
//! What must not be here: anything that makes heights or pictures differently from the command
//! line. The window draws what [`crate::pipeline`] makes through [`crate::render`], and saves
//! through [`crate::export`].
//!
//! In reading order: [`state`] (what there is), [`ui()`] (what is shown and edited),
//! [`commands`] (what can be asked for) and `apply` (what that does to the state), [`worker`] and
//! [`files`] (the threads that do the rest), [`picture`] (what is drawn), and [`session`] and
//! [`window`], which bring them together.

use crate::scene::Scene;

mod apply;
mod bars;
mod beside;
mod browser;
pub mod commands;
pub mod controls;
pub mod dialogs;
pub mod files;
pub mod floating;
pub mod own_preset;
pub mod panel;
pub mod picture;
mod search;
pub mod session;
pub mod settings;
pub mod shortcuts;
mod small_picture;
pub mod stale;
pub mod state;
mod steer;
mod text;
pub mod theme;
mod tools;
mod typed_ahead;
mod ui;
mod variations;
pub mod window;
pub mod worker;

use state::document::Document;
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
