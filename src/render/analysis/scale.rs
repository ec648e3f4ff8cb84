//! How large lines and letters are in a picture, and how far apart contours.

use crate::analysis::spacing;
use crate::numbers::metres_per_unit;
use crate::render::textures::heights::HeightTexture;
use crate::scene::Scene;

/// Shortest side of the picture that lines and letters are stated for, and widths there.
const REFERENCE: f32 = 720.0;
const LIGHT_LINE: f32 = 1.0;
/// Letters take this part of the picture's shorter side, and at least so many pixels.
const LETTERS: f32 = 1.0 / 52.0;
const SMALLEST_LETTERS: f32 = 10.0;
/// Pixels of the letters in a picture.
pub(super) fn letters(size: (u32, u32)) -> f32 {
    (size.0.min(size.1) as f32 * LETTERS)
        .max(SMALLEST_LETTERS)
        .round()
}

/// Pixels of a light contour.
pub(crate) fn line_width(size: (u32, u32)) -> f32 {
    (size.0.min(size.1) as f32 / REFERENCE).max(1.0) * LIGHT_LINE
}

/// From contour to contour, in metres.
pub(super) fn interval_m(scene: &Scene, map: &HeightTexture) -> f64 {
    let (low, high) = map.range;
    let range = (f64::from(high) - f64::from(low)) * metres(scene);
    spacing(scene.analysis.contour_interval.into(), range)
}

/// Metres of a half tile.
pub(super) fn metres(scene: &Scene) -> f64 {
    metres_per_unit(scene.surface.tile_size_m)
}
