//! Sizes of lines and text in a picture, and the contour interval.

use crate::render::textures::heights::HeightTexture;
use crate::scene::Scene;
use crate::shading::analysis::spacing;
use crate::util::numbers::metres_per_unit;

/// Shorter side of the picture for which sizes of lines and text are given.
const REFERENCE: f32 = 720.0;
const LIGHT_LINE: f32 = 1.0;
/// Text height as a fraction of the picture's shorter side, and its minimum in pixels.
const LETTERS: f32 = 1.0 / 52.0;
const SMALLEST_LETTERS: f32 = 10.0;
/// Text height in a picture, in pixels.
pub(super) fn letters(size: (u32, u32)) -> f32 {
    (size.0.min(size.1) as f32 * LETTERS)
        .max(SMALLEST_LETTERS)
        .round()
}

/// Width of a regular contour, in pixels.
pub(crate) fn line_width(size: (u32, u32)) -> f32 {
    (size.0.min(size.1) as f32 / REFERENCE).max(1.0) * LIGHT_LINE
}

/// Contour interval, in metres.
pub(super) fn interval_m(scene: &Scene, map: &HeightTexture) -> f64 {
    let (low, high) = map.range;
    let range = (f64::from(high) - f64::from(low)) * metres(scene);
    spacing(scene.analysis.contour_interval.into(), range)
}

/// Metres per half tile.
pub(super) fn metres(scene: &Scene) -> f64 {
    metres_per_unit(scene.surface.tile_size_m)
}
