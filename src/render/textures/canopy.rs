//! Share of the ground under crowns, as a mipmapped texture of a byte for each layer of plants.

use std::f32::consts::PI;
use std::rc::Rc;
use std::sync::Arc;

use glium::backend::Context;
use glium::uniform;
use glium::uniforms::Uniforms;

use super::weights::WeightTexture;
use crate::plants::{CanopyLayer, CanopyMap};
use crate::render::error::RenderError;
use crate::render::gl::Uploaded;
use crate::scene::Scene;
use crate::shading::canopy::CrownLook;
use crate::terrain::weights::{CHANNELS, WeightMap};
use crate::util::identity::Identity;

/// The texture of one map; without plants nothing grows on it.
pub(crate) struct CanopyTexture {
    map: Uploaded<Identity<CanopyMap>, Placed>,
    nothing: Placed,
}

struct Placed {
    weights: WeightTexture,
    layers: Vec<CanopyLayer>,
    /// Mean height of the plants of each layer in half tiles.
    heights: [f32; CHANNELS],
}

/// Name of the weights in messages.
const WHAT: &str = "the canopy of the plants";

impl CanopyTexture {
    /// A texture of ground without plants.
    pub(crate) fn new(context: &Rc<Context>) -> Result<Self, RenderError> {
        Ok(Self {
            map: Uploaded::nothing(),
            nothing: Placed {
                weights: WeightTexture::new(context, &WeightMap::zero(), WHAT)?,
                layers: Vec::new(),
                heights: [0.0; CHANNELS],
            },
        })
    }

    /// Upload a canopy in place of the last one.
    pub(crate) fn update(
        &mut self,
        context: &Rc<Context>,
        canopy: Option<&Arc<CanopyMap>>,
    ) -> Result<(), RenderError> {
        let fits = |map: &&Arc<CanopyMap>| WeightTexture::fits(context, &map.weights);
        let Some(map) = canopy.filter(fits) else {
            self.map.clear();
            return Ok(());
        };
        self.map.update(Identity::of(map), |_, _| {
            Ok(Placed {
                weights: WeightTexture::new(context, &map.weights, WHAT)?,
                layers: map.layers.clone(),
                heights: std::array::from_fn(|index| map.layer_height(index)),
            })
        })
    }

    /// True if plants grow on the ground.
    pub(crate) fn has_plants(&self) -> bool {
        self.map.get().is_some()
    }

    fn placed(&self) -> &Placed {
        self.map.get().unwrap_or(&self.nothing)
    }

    /// Bytes on the graphics card.
    pub(crate) fn bytes(&self) -> u64 {
        self.placed().weights.bytes()
    }

    /// Uniforms of `common/canopy.glsl` and `common/printed_crowns.glsl` for a scene, apart from the texture of crowns, with
    /// colours made of linear light by `color`.
    pub(crate) fn uniforms(&self, scene: &Scene, color: impl Fn(f32) -> f32) -> impl Uniforms + '_ {
        let map = self.placed();
        let mut looks = [Look::default(); CHANNELS];
        for (look, layer) in looks.iter_mut().zip(&map.layers) {
            *look = Look::of(layer, scene.autumn_of(layer.layer), &color);
        }
        uniform! {
            canopy: map.weights.sampled(),
            canopy_place: map.weights.place,
            canopy_texels: map.weights.texels(),
            crown_layers: map.layers.len() as i32,
            crown_colors: looks.map(|look| look.crowns),
            turned_crowns: looks.map(|look| look.turned),
            floor_colors: looks.map(|look| look.floor),
            crown_heights: map.heights,
            crown_rough: looks.map(|look| look.rough),
            crown_holds: looks.map(|look| look.holds),
        }
    }
}

/// Look of a layer.
#[derive(Clone, Copy, Default)]
struct Look {
    /// Mean albedo of the crowns, and their height from the side over their width from above.
    crowns: [f32; 4],
    /// Difference of the albedo where all leaves have turned to that where none has, and the share that has.
    turned: [f32; 4],
    /// The ground under them, and how much of the ground that is.
    floor: [f32; 4],
    /// Strength of light and dark.
    rough: f32,
    /// Share that snow hides at most.
    holds: f32,
}

impl Look {
    fn of(layer: &CanopyLayer, autumn: f32, color: impl Fn(f32) -> f32) -> Self {
        let look = CrownLook::of(layer.kind);
        let albedo = |autumn| look.albedo_in(layer.kind, autumn).map(&color);
        let ([r, g, b], green, turned) = (albedo(autumn), albedo(0.0), albedo(1.0));
        let ([floor_r, floor_g, floor_b], floor) = look.floor;
        let more = [0, 1, 2].map(|channel| turned[channel] - green[channel]);
        Self {
            // A cone is a triangle from the side and a disc from above.
            crowns: [r, g, b, (PI * layer.kind.radius()).recip()],
            turned: [more[0], more[1], more[2], autumn],
            floor: [floor_r, floor_g, floor_b, floor],
            rough: look.rough,
            holds: look.holds,
        }
    }
}
