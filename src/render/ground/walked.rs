//! Ray-cast ground of a picture: found strip by strip on the CPU, and uploaded as depth layers band by band.

use std::ops::Range;

use glium::Rect;

use super::sides;
use crate::pipeline::{Depth, LevelsBelow};
use crate::render::buffers::PictureBuffers;
use crate::render::error::RenderError;
use crate::render::frame_budget::{LARGE, PatchRange};
use crate::render::pass::Pass;
use crate::render::progressive_frame::Plan;
use crate::render::raycast::{DepthLayers, Field, LayerInputs, Near, Shown, Sight};
use crate::render::textures::heights::HeightTexture;
use crate::util::identity::Identity;

/// Cost of a strip or of some rows, in pixels of the picture to light.
const PORTION: u64 = 8_000;
/// Maximum number of pixels uploaded at once.
const PIXELS: usize = LARGE as usize;

/// The visible ground, ready to be ray cast.
pub(crate) struct Walked<'a> {
    field: &'a Field,
    /// Clipmap levels around the eye, the finest first.
    near: Vec<Near<'a>>,
    sight: Sight,
    below: Option<(Identity<LevelsBelow>, Depth)>,
}

impl<'a> Walked<'a> {
    /// Prepare ray casting of `map`, with the samples of `field`, in front of water at a level. `None` where
    /// the ground must be rasterized.
    pub(crate) fn new(
        pass: &'a Pass<'_>,
        map: &HeightTexture,
        field: &'a Field,
        water: Option<f32>,
    ) -> Option<Self> {
        let view = &pass.scene.view;
        let shown = Shown {
            tiles: view.tile,
            floor: sides::floor(map, pass.scene),
            water,
            detail: view.detail,
            smooth: view.antialias,
            has_rays: pass.frame.depth.is_some(),
        };
        let sight = Sight::new(&pass.eye(), &pass.frame, shown)?;
        let depth = pass.frame.depth;
        let above = depth.map(|depth| depth.eye.y - depth.ground);
        let near = depth.map(|depth| pass.clipmap.near(&depth));
        let near = near.unwrap_or_default();
        let is_shown = field.is_shown_by(&sight, above);
        let below = pass.clipmap.source().zip(depth);
        is_shown.then_some(Self {
            field,
            near,
            sight,
            below,
        })
    }

    fn inputs(&self) -> LayerInputs {
        LayerInputs {
            sight: self.sight.clone(),
            map: self.field.source(),
            below: self.below.clone(),
        }
    }

    /// Plan the work: strips first, then rows too steep for vertical slices, then rows to upload. There is none if the
    /// buffers hold the layers from a picture before.
    pub(crate) fn plan(&self, buffers: &PictureBuffers) -> Plan {
        if buffers.has_layers_of(&self.inputs()) {
            return Plan::default();
        }
        // Small enough not to be split into rectangles: each is found at once.
        let place = |width: usize, height: usize| Rect {
            left: 0,
            bottom: 0,
            width: width as u32,
            height: height.min(PIXELS / width.max(1)) as u32,
        };
        let [width, height] = self.sight.size;
        let strips = self.sight.strips();
        let rows = (0..self.bands()).map(|band| place(width, self.rows(band).len()));
        let strips = (0..strips).map(|_| place(width / strips, height));
        let steep = self.steep();
        let steep = steep.iter().map(|rows| place(width, rows.len()));
        Plan {
            places: strips.chain(steep).chain(rows).collect(),
            worth: PORTION,
        }
    }

    /// Ray cast a range of the plan.
    pub(crate) fn find(
        &self,
        pass: &Pass<'_>,
        buffers: &PictureBuffers,
        range: PatchRange,
    ) -> Result<(), RenderError> {
        debug_assert!(range.within.is_none(), "found again for each rectangle");
        let inputs = self.inputs();
        if buffers.has_layers_of(&inputs) {
            return Ok(());
        }
        let (first, end) = (range.first, range.first.saturating_add(range.count));
        let (strips, steep) = (self.sight.strips(), self.steep());
        let mut survey = buffers.survey();
        if first == 0 {
            // Discard the remains of an abandoned picture.
            *survey = DepthLayers::default();
        }
        let found = first.min(strips)..end.min(strips);
        survey.find(self.field, &self.near, &self.sight, found);
        let within = |at: usize| at.saturating_sub(strips).min(steep.len());
        // Several portions together: each also needs the rows around it.
        for rows in steep[within(first)..within(end)].chunk_by(|one, next| one.end == next.start) {
            let all = rows[0].start..rows[rows.len() - 1].end;
            survey.find_steep(self.field, &self.near, &self.sight, all);
        }
        let found = strips + steep.len();
        let band = |at: usize| at.saturating_sub(found).min(self.bands());
        for band in band(first)..band(end) {
            let rows = self.rows(band);
            let layers = survey.layers(&self.sight, rows.clone());
            buffers.write_layers(pass.context, rows, &layers)?;
        }
        if band(end) == self.bands() {
            buffers.set_layers_of(inputs);
            *survey = DepthLayers::default();
        }
        Ok(())
    }

    /// Rows too steep for vertical slices, in portions.
    fn steep(&self) -> Vec<Range<usize>> {
        let Sight {
            size, by_planes, ..
        } = &self.sight;
        let rows = (PORTION as usize / size[0].max(1)).max(1);
        let portions = |all: Range<usize>| {
            let end = all.end;
            all.step_by(rows)
                .map(move |first| first..(first + rows).min(end))
        };
        let below = portions(0..by_planes.start);
        below.chain(portions(by_planes.end..size[1])).collect()
    }

    /// Number of uploads.
    fn bands(&self) -> usize {
        self.sight.size[1].div_ceil(self.rows_at_once())
    }

    fn rows(&self, band: usize) -> Range<usize> {
        let rows = self.rows_at_once();
        band * rows..((band + 1) * rows).min(self.sight.size[1])
    }

    fn rows_at_once(&self) -> usize {
        (PIXELS / self.sight.size[0].max(1)).max(1)
    }
}
