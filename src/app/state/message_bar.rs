//! The bar for messages and work under way, where these would cover controls if they floated.

/// Whether there is a bar below the scene.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MessageBar {
    /// Whether there was no place to float in the last frame.
    pub is_needed: bool,
    /// Its height in points while a sheet is open: pictures of a sheet, which are drawn for their size,
    /// need not be drawn again when it is empty.
    pub kept_height: f32,
}
