//! Plain background gradient for pictures without a sky.

use glium::{DrawParameters, uniform};

use super::error::Result;
use super::gl::blend;
use super::gl::programs::Shader;
use super::pass::{Pass, Target};

/// Colours (sRGB) at the top and the bottom of the picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Backdrop {
    pub(super) top: [f32; 3],
    pub(super) bottom: [f32; 3],
}

/// Background of lines and ridges, which are light.
pub(super) const DARK: Backdrop = Backdrop {
    top: [0.045, 0.055, 0.085],
    bottom: [0.11, 0.13, 0.17],
};
/// Background of lit ground.
pub(super) const DUSK: Backdrop = Backdrop {
    top: [0.42, 0.49, 0.58],
    bottom: [0.70, 0.74, 0.78],
};
/// Background of flat pictures.
pub(super) const NEUTRAL: Backdrop = Backdrop {
    top: [0.17, 0.175, 0.185],
    bottom: [0.15, 0.155, 0.165],
};

/// A uniform background.
pub(super) fn plain(color: [f32; 3]) -> Backdrop {
    Backdrop {
        top: color,
        bottom: color,
    }
}

/// Fill the picture and clear the depth buffer.
pub(super) fn draw(pass: &Pass<'_>, surface: &mut Target<'_>, backdrop: &Backdrop) -> Result {
    clear(pass, surface, Some(1.0));
    fill(pass, surface, backdrop, &pass.parameters())
}

/// Fill the picture using `parameters`, unless it is transparent.
pub(super) fn fill(
    pass: &Pass<'_>,
    surface: &mut Target<'_>,
    backdrop: &Backdrop,
    parameters: &DrawParameters<'_>,
) -> Result {
    if pass.frame.transparent {
        return Ok(());
    }
    let uniforms = uniform! {
        top: backdrop.top,
        bottom: backdrop.bottom,
        invert: pass.scene.view.invert,
    };
    pass.tools
        .fill(surface, Shader::Backdrop, &uniforms, parameters)
}

/// Fill the remaining coverage of a picture drawn front to back, with the same colour as [`clear`].
pub(super) fn under(pass: &Pass<'_>, surface: &mut Target<'_>) -> Result {
    if !pass.scene.view.invert {
        return Ok(());
    }
    let uniforms = uniform! { top: [0.0_f32; 3], bottom: [0.0_f32; 3], invert: true };
    let mut parameters = pass.blended(blend::under());
    parameters.color_mask = (true, true, true, false);
    pass.tools
        .fill(surface, Shader::Backdrop, &uniforms, &parameters)
}

/// Clear to transparent: black, or white where colours are inverted, with alpha 0.
pub(super) fn clear(pass: &Pass<'_>, surface: &mut Target<'_>, depth: Option<f32>) {
    let value = f32::from(u8::from(pass.scene.view.invert));
    pass.clear(surface, Some((value, value, value, 0.0)), depth);
}
