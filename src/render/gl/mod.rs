//! OpenGL layer over glium: programs and uniforms, textures and samplers.

use glium::Version;
use glium::backend::Context;

use super::error::RenderError;

pub(super) mod blend;
pub(super) mod constants;
pub(super) mod programs;
pub(super) mod sampler;
mod shaders;
pub(super) mod texture;
pub(super) mod uploaded;
pub(super) mod values;

/// Refuse contexts older than OpenGL 3.3.
pub(super) fn check_version(context: &Context) -> Result<(), RenderError> {
    let version = context.get_opengl_version();
    if *version >= Version(glium::Api::Gl, 3, 3) {
        return Ok(());
    }
    Err(RenderError::TooOld {
        found: context.get_opengl_version_string().to_owned(),
    })
}
