//! Render type `sky`: the physical sky without any land.

use glium::framebuffer::SimpleFrameBuffer;

use super::landscape::PhysicalSky;
use super::subject::Subject;
use crate::render::backdrop;
use crate::render::buffers::PictureBuffers;
use crate::render::error::RenderError;
use crate::render::pass::{DrawStats, Pass};

/// The sky alone. An orbiting camera looks up by the angle that it looked down.
pub(crate) struct SkyAlone<'a>(pub(super) PhysicalSky<'a>);

impl Subject for SkyAlone<'_> {
    fn draw(
        &self,
        pass: &Pass<'_>,
        surface: &mut SimpleFrameBuffer<'_>,
        _buffers: &PictureBuffers,
    ) -> Result<DrawStats, RenderError> {
        let Self(sky) = self;
        if pass.frame.transparent {
            // A transparent picture omits the background, and the sky is nothing else.
            backdrop::clear(pass, surface, Some(1.0));
            return Ok(DrawStats::default());
        }
        sky.clear(pass, surface, Some(1.0));
        let mut scene = pass.scene.clone();
        scene.camera = scene.sky_camera();
        let pass = &Pass {
            scene: &scene,
            ..*pass
        };
        sky.draw_behind(pass, surface, [0.0, 0.0, 1.0], &pass.behind())?;
        Ok(DrawStats::default())
    }
}
