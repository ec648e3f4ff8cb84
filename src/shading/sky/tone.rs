//! Tone mapping: a filmic curve with desaturation of highlights, and night vision.
//! `shaders/common/tonemap.glsl` is the same on the GPU.
//!
//! The curve is that of Hejl and Burgess-Dawson (2010), a fit to Kodak film that includes the sRGB transfer
//! function: shadows keep contrast, white snow keeps its shape, and it costs one division. Applied to each
//! channel alone it would turn blue skies violet and sunsets yellow, since the strongest channel is
//! compressed first; so each channel first spills a little into the others, as dyes in film do.

use glam::Vec3;

/// Share of a channel that spills into the others.
pub const SPILL: f32 = 0.06;
/// Colour of light in night vision: rods are most sensitive to blue.
pub const NIGHT: Vec3 = Vec3::new(0.46, 0.80, 1.60);
/// Strength of night vision in the darkest parts; bright parts keep their colour.
pub const NIGHT_PART: f32 = 0.8;

/// Luminance of a linear light (Rec. 709).
#[must_use]
pub fn luminance(light: Vec3) -> f32 {
    light.dot(Vec3::new(0.2126, 0.7152, 0.0722))
}

/// Map linear light to the screen colour, sRGB, 0…1. A white of about 1 stays white; `night` is 0 by day
/// and 1 by moonlight.
#[must_use]
pub fn screen(light: Vec3, night: f32) -> Vec3 {
    let grey = luminance(light);
    let light = light.lerp(grey * NIGHT, night * NIGHT_PART / (1.0 + 1.5 * grey));
    let light = light.lerp(Vec3::splat(luminance(light)), SPILL);
    film(light)
}

/// Filmic curve, applied to each channel.
#[must_use]
pub fn film(light: Vec3) -> Vec3 {
    let x = (light - 0.004).max(Vec3::ZERO);
    (x * (6.2 * x + 0.5)) / (x * (6.2 * x + 1.7) + 0.06)
}
