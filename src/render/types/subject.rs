//! How a render type is drawn.

use glium::DrawParameters;
use glium::framebuffer::SimpleFrameBuffer;

use crate::render::buffers::PictureBuffers;
use crate::render::error::RenderError;
use crate::render::ground::{Seen, Walked};
use crate::render::pass::{DrawStats, Pass};
use crate::render::schedule::{PatchRange, Phase, Plan};
use crate::render::types::mask;

/// Draws one render type: ground some patches at a time, each patch once, then all of the
/// picture, a rectangle at a time.
pub(crate) trait Subject {
    /// Lists what is drawn before the picture itself, in this order.
    fn phases(&self, _pass: &Pass<'_>) -> Vec<Phase> {
        Vec::new()
    }

    /// Lists the patches of a phase.
    fn plan(&self, _pass: &Pass<'_>, _phase: Phase) -> Plan {
        Plan::default()
    }

    /// Clears what the patches of a phase are drawn on.
    fn clear(
        &self,
        _pass: &Pass<'_>,
        _buffers: &PictureBuffers,
        _phase: Phase,
    ) -> Result<(), RenderError> {
        Ok(())
    }

    /// Draws some patches of a phase.
    fn draw_patches(
        &self,
        _pass: &Pass<'_>,
        _buffers: &PictureBuffers,
        _phase: Phase,
        _range: PatchRange,
    ) -> Result<DrawStats, RenderError> {
        Ok(DrawStats::default())
    }

    /// Draws the picture, on whose `surface`, that of `buffers`, all phases are drawn by now.
    fn draw(
        &self,
        pass: &Pass<'_>,
        surface: &mut SimpleFrameBuffer<'_>,
        buffers: &PictureBuffers,
    ) -> Result<DrawStats, RenderError>;
}

/// A render type whose ground is drawn right into the picture.
pub(crate) trait GroundSubject {
    /// A patch takes about as long as so many pixels of what is around the ground.
    const PATCH: u64;

    /// Chooses the patches of the ground that are seen.
    fn seen<'p>(&'p self, pass: &Pass<'p>) -> Seen<'p>;

    /// Clears the picture.
    fn clear_picture(&self, pass: &Pass<'_>, surface: &mut SimpleFrameBuffer<'_>);

    /// Draws the patches that are `seen`.
    fn draw_ground(
        &self,
        pass: &Pass<'_>,
        surface: &mut SimpleFrameBuffer<'_>,
        seen: &Seen<'_>,
    ) -> Result<DrawStats, RenderError>;

    /// What a mask over the ground is drawn with, and whether it glows: it covers the ground that
    /// is seen.
    fn mask_parameters<'a>(&self, pass: &Pass<'_>) -> (DrawParameters<'a>, bool) {
        (mask::over_depths(pass), false)
    }

    /// Draws what is around the ground.
    fn draw_around(
        &self,
        pass: &Pass<'_>,
        surface: &mut SimpleFrameBuffer<'_>,
    ) -> Result<(), RenderError>;

    /// The ground as it is found without triangles, if it is in this picture.
    fn walked<'p>(&'p self, _pass: &'p Pass<'_>) -> Option<Walked<'p>> {
        None
    }

    /// Draws the whole picture around ground whose layers are written.
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
        // Layers are written all over.
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
