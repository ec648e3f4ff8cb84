//! Bar for messages and progress, used where floating ones would cover controls.

/// State of the bar under the scene.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MessageBar {
    /// True if the last frame had no free place for floating messages.
    pub is_needed: bool,
    /// Height in points, kept while a sheet is open. If the bar shrank, the thumbnails would change
    /// size and have to be drawn again.
    pub kept_height: f32,
}
