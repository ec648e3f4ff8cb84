//! Bars and overlays along the edges of the scene: menu, status line, timeline, history strip,
//! compass, progress and messages.

pub mod compass;
pub mod history;
pub mod menu;
pub mod messages;
pub mod status;
pub mod timeline;
