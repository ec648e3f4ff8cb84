//! From light to the screen: a filmic curve, and colours that fade to white and to night.
//! `shaders/common/tonemap.glsl` is the same on the GPU.
//!
//! The curve is Hejl's and Burgess-Dawson's (2010), a fit to Kodak film that includes the screen's
//! own curve: shadows keep contrast, white snow keeps its shape, and it costs one division. Applied
//! to each colour alone it would turn blue skies to violet and sunsets to yellow, since the
//! strongest colour is held back first; so each colour first spills a little into the others, as
//! dyes in film do.

use glam::Vec3;

/// The part of a colour that spills into the others.
pub const SPILL: f32 = 0.06;
/// The colour of light as rods see it, which see blue best.
pub const NIGHT: Vec3 = Vec3::new(0.46, 0.80, 1.60);
/// How far colours go over to night where it is darkest: bright things keep their colour.
pub const NIGHT_PART: f32 = 0.8;

/// The brightness of a linear light to the eye: Rec. 709.
#[must_use]
pub fn luminance(light: Vec3) -> f32 {
    light.dot(Vec3::new(0.2126, 0.7152, 0.0722))
}

/// The colour on the screen, sRGB, 0…1. `light` is linear, and a white of about 1 stays white;
/// `night` is 0 by day and 1 by moonlight.
#[must_use]
pub fn screen(light: Vec3, night: f32) -> Vec3 {
    let grey = luminance(light);
    let light = light.lerp(grey * NIGHT, night * NIGHT_PART / (1.0 + 1.5 * grey));
    let light = light.lerp(Vec3::splat(luminance(light)), SPILL);
    film(light)
}

/// The curve alone, applied to each colour.
#[must_use]
pub fn film(light: Vec3) -> Vec3 {
    let x = (light - 0.004).max(Vec3::ZERO);
    (x * (6.2 * x + 0.5)) / (x * (6.2 * x + 1.7) + 0.06)
}
