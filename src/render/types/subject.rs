//! Interface of the render types: phases, patches and the final draw.

use glium::DrawParameters;
use glium::framebuffer::SimpleFrameBuffer;

use crate::render::buffers::PictureBuffers;
use crate::render::error::RenderError;
use crate::render::ground::{Seen, Walked};
use crate::render::pass::{DrawStats, Pass};
use crate::render::schedule::{PatchRange, Phase, Plan};
use crate::render::types::mask;

/// Drawer of one render type: first ranges of ground patches, each patch once, then the whole picture in
/// rectangles.
pub(crate) trait Subject {
    /// List the phases before the picture itself, in order.
    fn phases(&self, _pass: &Pass<'_>) -> Vec<Phase> {
        Vec::new()
    }

    /// List the patches of a phase.
    fn plan(&self, _pass: &Pass<'_>, _phase: Phase) -> Plan {
        Plan::default()
    }

    /// Clear the targets of a phase.
    fn clear(
        &self,
        _pass: &Pass<'_>,
        _buffers: &PictureBuffers,
        _phase: Phase,
    ) -> Result<(), RenderError> {
        Ok(())
    }

    /// Draw a range of patches of a phase.
    fn draw_patches(
        &self,
        _pass: &Pass<'_>,
        _buffers: &PictureBuffers,
        _phase: Phase,
        _range: PatchRange,
    ) -> Result<DrawStats, RenderError> {
        Ok(DrawStats::default())
    }

    /// Draw the picture after all phases; `surface` is that of `buffers`.
    fn draw(
        &self,
        pass: &Pass<'_>,
        surface: &mut SimpleFrameBuffer<'_>,
        buffers: &PictureBuffers,
    ) -> Result<DrawStats, RenderError>;
}

/// A render type whose ground is drawn directly into the picture.
pub(crate) trait GroundSubject {
    /// Cost of a patch, in pixels of the rest of the picture.
    const PATCH: u64;

    /// Select the visible patches of the ground.
    fn seen<'p>(&'p self, pass: &Pass<'p>) -> Seen<'p>;

    /// Clear the picture.
    fn clear_picture(&self, pass: &Pass<'_>, surface: &mut SimpleFrameBuffer<'_>);

    /// Draw the patches of `seen`.
    fn draw_ground(
        &self,
        pass: &Pass<'_>,
        surface: &mut SimpleFrameBuffer<'_>,
        seen: &Seen<'_>,
    ) -> Result<DrawStats, RenderError>;

    /// Parameters for overlays on the ground, and true if they glow. By default an overlay covers the visible
    /// ground.
    fn mask_parameters<'a>(&self, pass: &Pass<'_>) -> (DrawParameters<'a>, bool) {
        (mask::over_depths(pass), false)
    }

    /// Draw everything around the ground.
    fn draw_around(
        &self,
        pass: &Pass<'_>,
        surface: &mut SimpleFrameBuffer<'_>,
    ) -> Result<(), RenderError>;

    /// The ray-cast ground, if this picture uses it.
    fn walked<'p>(&'p self, _pass: &'p Pass<'_>) -> Option<Walked<'p>> {
        None
    }

    /// Draw the whole picture around ray-cast ground with finished depth layers.
    fn draw_layers(
        &self,
        _pass: &Pass<'_>,
        _surface: &mut SimpleFrameBuffer<'_>,
        _buffers: &PictureBuffers,
        _walked: &Walked<'_>,
    ) -> Result<(), RenderError> {
        Ok(())
    }
}

impl<T: GroundSubject> Subject for T {
    fn phases(&self, _pass: &Pass<'_>) -> Vec<Phase> {
        vec![Phase::Ground]
    }

    fn plan(&self, pass: &Pass<'_>, _phase: Phase) -> Plan {
        match self.walked(pass) {
            Some(walked) => walked.plan(),
            None => self.seen(pass).plan(&pass.frame, Self::PATCH),
        }
    }

    fn clear(
        &self,
        pass: &Pass<'_>,
        buffers: &PictureBuffers,
        _phase: Phase,
    ) -> Result<(), RenderError> {
        // Depth layers overwrite every pixel.
        if !pass.frame.walked {
            self.clear_picture(pass, &mut buffers.surface(pass.context)?);
        }
        Ok(())
    }

    fn draw_patches(
        &self,
        pass: &Pass<'_>,
        buffers: &PictureBuffers,
        _phase: Phase,
        range: PatchRange,
    ) -> Result<DrawStats, RenderError> {
        if let Some(walked) = self.walked(pass) {
            walked.find(pass, buffers, range)?;
            return Ok(DrawStats::default());
        }
        let mut surface = buffers.surface(pass.context)?;
        let seen = self.seen(pass).only(range);
        let stats = self.draw_ground(pass, &mut surface, &seen)?;
        mask::draw_over(pass, &mut surface, &seen, self.mask_parameters(pass))?;
        Ok(stats)
    }

    fn draw(
        &self,
        pass: &Pass<'_>,
        surface: &mut SimpleFrameBuffer<'_>,
        buffers: &PictureBuffers,
    ) -> Result<DrawStats, RenderError> {
        match self.walked(pass) {
            Some(walked) => self.draw_layers(pass, surface, buffers, &walked)?,
            None => self.draw_around(pass, surface)?,
        }
        Ok(DrawStats::default())
    }
}
