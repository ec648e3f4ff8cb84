//! What lies along the edges of the scene: the menu, the status line, progress and messages.

pub mod menu;
pub mod notices;
pub mod progress;
pub mod status;
pub mod timeline;
