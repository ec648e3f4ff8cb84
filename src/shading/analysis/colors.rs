//! Colour maps for slope and aspect, in sRGB.

use crate::util::numbers::mix_colors;
/// Slope of the last colour, in degrees: vertical.
pub const STEEPEST: f32 = 90.0;

/// Colour of level ground, which has no aspect; sRGB, 0…1.
pub const LEVEL: [f32; 3] = [0.66, 0.66, 0.66];

/// Colour stops by slope in degrees. Each colour is darker than the one before, so that they differ in
/// black and white print too. Most colours are for gentle slopes; the rest is for cliffs, which are
/// common in fractals.
const SLOPES: [(f32, [f32; 3]); 9] = [
    (0.0, [0.976, 0.965, 0.886]),
    (10.0, [0.976, 0.890, 0.620]),
    (20.0, [0.965, 0.757, 0.400]),
    (30.0, [0.933, 0.584, 0.310]),
    (40.0, [0.855, 0.408, 0.290]),
    (50.0, [0.725, 0.255, 0.333]),
    (60.0, [0.545, 0.161, 0.388]),
    (75.0, [0.290, 0.106, 0.400]),
    (90.0, [0.063, 0.047, 0.180]),
];

/// Colours of ground that falls to the north, north-east … north-west, in sRGB, 0…1. The hue shows the
/// direction, and the brightness is that of light from the north-west, so that the picture also reads as
/// a relief (after Moellering and Kimerling 1990).
pub const ASPECT_COLORS: [[f32; 3]; 8] = [
    [0.565, 0.784, 0.357],
    [0.239, 0.667, 0.443],
    [0.231, 0.478, 0.706],
    [0.427, 0.306, 0.620],
    [0.722, 0.290, 0.573],
    [0.894, 0.416, 0.427],
    [0.945, 0.639, 0.373],
    [0.914, 0.863, 0.412],
];

/// Colour of a slope in degrees, 0…90; sRGB, 0…1.
#[must_use]
pub fn slope_color(degrees: f32) -> [f32; 3] {
    let after = SLOPES.partition_point(|stop| stop.0 <= degrees);
    let after = after.clamp(1, SLOPES.len() - 1);
    let ((low, a), (high, b)) = (SLOPES[after - 1], SLOPES[after]);
    mix_colors(a, b, ((degrees - low) / (high - low)).clamp(0.0, 1.0))
}

/// Colour of an aspect in degrees clockwise from north; sRGB, 0…1.
#[must_use]
pub fn aspect_color(degrees: f32) -> [f32; 3] {
    let count = ASPECT_COLORS.len();
    let at = degrees.rem_euclid(360.0) / 360.0 * count as f32;
    let before = at as usize;
    let [a, b] = [before, before + 1].map(|index| ASPECT_COLORS[index % count]);
    mix_colors(a, b, at - before as f32)
}
