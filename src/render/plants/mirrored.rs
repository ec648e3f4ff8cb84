//! Plants that the sea mirrors: impostors alone, as a mirrored eye at half the picture's size sees them, so that they are
//! about a quarter as many.

use std::rc::Rc;

use glium::backend::Context;
use glium::uniform;
use glium::uniforms::Uniforms;

use super::chosen::Chosen;
use super::picture::{Portion, Quads, What, add_sprites, plan};
use super::view::PlantView;
use crate::render::error::Result;
use crate::render::progressive_frame::Plan;
use crate::terrain::weights::CHANNELS;

/// Plants of the mirrored picture, ready to be drawn.
pub(in crate::render) struct MirroredPlants {
    pub(in crate::render) quads: Quads,
    /// In the order of drawing, from far to near.
    pub(in crate::render) portions: Vec<Portion>,
    /// Distances up to which all plants of each layer of the canopy are drawn, and the last one.
    single: [[f32; 2]; CHANNELS],
}

impl MirroredPlants {
    /// Upload the plants of a mirrored view; `single` is as in [`PlantView::single`].
    pub(super) fn new(
        context: &Rc<Context>,
        view: &PlantView,
        Chosen { sprites, .. }: &Chosen,
        single: [[f32; 2]; CHANNELS],
    ) -> Result<Self> {
        let mut portions = Vec::new();
        add_sprites(&mut portions, What::Far, 0..sprites.len(), |at| {
            sprites[at].pixels(view.pixels_per_radian)
        });
        Ok(Self {
            quads: Quads::new(context, sprites, &[])?,
            portions,
            single,
        })
    }

    /// Plan the work: portions of quads.
    pub(in crate::render) fn plan(&self) -> Plan {
        plan(&self.portions)
    }

    /// Uniforms of `common/plants_single.glsl`.
    pub(in crate::render) fn uniforms(&self) -> impl Uniforms + use<> {
        uniform! {
            plants_all: self.single.map(|[all, _]| all),
            plants_last: self.single.map(|[_, last]| last),
        }
    }

    /// Size in bytes on the graphics card.
    pub(super) fn bytes(&self) -> u64 {
        self.quads.bytes() as u64
    }
}
