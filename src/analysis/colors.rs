//! Colours by slope and by aspect, sRGB.

/// Slope of the last colour, in degrees; steeper ground has it too.
pub const STEEPEST: f32 = 60.0;

/// Colour of level ground, which falls nowhere.
pub const LEVEL: [f32; 3] = [0.66, 0.66, 0.66];

/// Colours of 0, 10 … 60 degrees: each darker than the one before, so that they also read in
/// print without colours.
const SLOPES: [[f32; 3]; 7] = [
    [0.976, 0.965, 0.886],
    [0.976, 0.890, 0.620],
    [0.965, 0.733, 0.384],
    [0.902, 0.506, 0.286],
    [0.753, 0.286, 0.306],
    [0.510, 0.153, 0.376],
    [0.239, 0.086, 0.322],
];

/// Colours of ground that falls to the north, north-east … north-west: as many hues as there are
/// directions, and brightness as if the light came from the north-west, so that the picture also
/// reads as a relief. The idea is that of Moellering and Kimerling (1990).
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

/// The colour of a slope in degrees.
#[must_use]
pub fn slope_color(degrees: f32) -> [f32; 3] {
    let at = (degrees / STEEPEST).clamp(0.0, 1.0) * (SLOPES.len() - 1) as f32;
    let before = (at as usize).min(SLOPES.len() - 2);
    mix(SLOPES[before], SLOPES[before + 1], at - before as f32)
}

/// The colour of ground that falls to a direction in degrees clockwise from north.
#[must_use]
pub fn aspect_color(degrees: f32) -> [f32; 3] {
    let count = ASPECT_COLORS.len();
    let at = degrees.rem_euclid(360.0) / 360.0 * count as f32;
    let before = at as usize;
    let [a, b] = [before, before + 1].map(|index| ASPECT_COLORS[index % count]);
    mix(a, b, at - before as f32)
}

fn mix(a: [f32; 3], b: [f32; 3], t: f32) -> [f32; 3] {
    std::array::from_fn(|i| a[i] + (b[i] - a[i]) * t)
}
