//! Rasterized ground of a picture: its distances, and depth layers made from them on the graphics card.

use glium::{DrawParameters, Rect, uniform};

use super::{DEEPEST, Seen};
use crate::render::buffers::PictureBuffers;
use crate::render::error::Result;
use crate::render::frame_budget::{LARGE, PatchRange};
use crate::render::gl::joined;
use crate::render::gl::programs::{NOTHING, Shader};
use crate::render::meshes::CellPart;
use crate::render::pass::{DrawStats, Pass};
use crate::render::progressive_frame::Plan;
use crate::render::textures::heights::HeightTexture;

/// The visible ground, ready to be rasterized.
pub(crate) struct Drawn<'a> {
    seen: Seen<'a>,
    /// Height above the eye of the water surface that hides everything below.
    water: f32,
    /// Cost of a patch, in pixels of the picture to light.
    worth: u64,
}

impl<'a> Drawn<'a> {
    /// Prepare `map` in front of water at a level, at a detail as for [`Seen::new`].
    pub(crate) fn new(
        pass: &Pass<'a>,
        map: &'a HeightTexture,
        water: Option<f32>,
        detail: f32,
        worth: u64,
    ) -> Self {
        let eye = match pass.frame.depth {
            Some(depth) => depth.eye.y,
            None => f64::from(pass.eye().position.y),
        };
        Self {
            seen: Seen::endless(pass, map, detail),
            water: water.map_or(DEEPEST, |water| (f64::from(water) - eye) as f32),
            worth,
        }
    }

    /// Plan the work: the patches, then the sides and the layers.
    pub(crate) fn plan(&self, pass: &Pass<'_>) -> Plan {
        let mut plan = self.seen.plan(&pass.frame, self.worth);
        // Small enough not to be split into rectangles.
        let (width, height) = pass.frame.size;
        plan.places.push(Rect {
            left: 0,
            bottom: 0,
            width,
            height: height.min(LARGE as u32 / width.max(1)),
        });
        plan
    }

    /// Clear the distances.
    pub(crate) fn clear(pass: &Pass<'_>, buffers: &PictureBuffers) -> Result {
        let distances = buffers.distances(pass.context)?;
        let mut surface = distances.surface(pass.context)?;
        pass.clear(&mut surface, Some((NOTHING, 0.0, 0.0, 0.0)), Some(1.0));
        Ok(())
    }

    /// Draw a range of the plan.
    pub(crate) fn find(
        &self,
        pass: &Pass<'_>,
        buffers: &PictureBuffers,
        range: PatchRange,
    ) -> Result<DrawStats> {
        let distances = buffers.distances(pass.context)?;
        let mut surface = distances.surface(pass.context)?;
        let eye = pass.eye();
        let uniforms = uniform! {
            forward: eye.forward.to_array(),
            parallel: eye.is_parallel(),
            water_above_eye: self.water,
        };
        let parameters = DrawParameters {
            // Also without water: Mesa 22 draws nothing if a shader clips and this is off.
            clip_planes_bitmask: 1,
            ..pass.with_depth()
        };
        let [ground_shader, side_shader] = match pass.frame.depth {
            Some(_) => [Shader::EndlessDistance, Shader::EndlessSideDistance],
            None => [Shader::Distance, Shader::SideDistance],
        };
        let ground = uniform! { is_side: false };
        let stats = self.seen.only(range).draw(
            pass,
            &mut surface,
            CellPart::Faces,
            ground_shader,
            &joined!(ground, uniforms),
            parameters,
        )?;
        if range.first.saturating_add(range.count) > self.seen.patches() {
            let sides = uniform! { is_side: true };
            let uniforms = joined!(sides, uniforms);
            (self.seen).draw_skirt(pass, &mut surface, side_shader, &uniforms, self.water)?;
            distances.resolve(
                pass.context,
                pass.tools,
                buffers.layers(pass.context, true)?,
            )?;
        }
        Ok(stats)
    }
}
