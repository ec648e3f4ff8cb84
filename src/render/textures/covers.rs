//! What lies on the ground, as a mipmapped texture of a byte for each cover.

use std::rc::Rc;
use std::sync::Arc;

use glium::backend::Context;
use glium::uniform;
use glium::uniforms::Uniforms;

use super::weights::WeightTexture;
use crate::render::error::RenderError;
use crate::render::gl::Uploaded;
use crate::shading::covers::CoverMap;
use crate::shading::texture::cover::MOST;
use crate::terrain::weights::WeightMap;
use crate::util::identity::Identity;

/// The texture of one map; without covers nothing lies on it.
pub(crate) struct CoverTexture {
    map: Uploaded<Identity<CoverMap>, Placed>,
    nothing: Placed,
}

struct Placed {
    weights: WeightTexture,
    /// The colour of each cover (sRGB), and how much it hides.
    colors: [[f32; 4]; MOST],
}

/// Name of the weights in messages.
const WHAT: &str = "what lies on the ground";

impl CoverTexture {
    /// A texture of ground that nothing lies on.
    pub(crate) fn new(context: &Rc<Context>) -> Result<Self, RenderError> {
        Ok(Self {
            map: Uploaded::nothing(),
            nothing: Placed {
                weights: WeightTexture::new(context, &WeightMap::zero(), WHAT)?,
                colors: [[0.0; 4]; MOST],
            },
        })
    }

    /// Uploads those covers in place of the last ones.
    pub(crate) fn update(
        &mut self,
        context: &Rc<Context>,
        covers: Option<&Arc<CoverMap>>,
    ) -> Result<(), RenderError> {
        let fits = |map: &&Arc<CoverMap>| WeightTexture::fits(context, &map.weights);
        let Some(map) = covers.filter(fits) else {
            self.map.clear();
            return Ok(());
        };
        self.map.update(Identity::of(map), |_, _| {
            let mut colors = [[0.0; 4]; MOST];
            for (color, cover) in colors.iter_mut().zip(map.covers()) {
                let [r, g, b] = cover.color;
                *color = [r, g, b, cover.strength];
            }
            Ok(Placed {
                weights: WeightTexture::new(context, &map.weights, WHAT)?,
                colors,
            })
        })
    }

    fn placed(&self) -> &Placed {
        self.map.get().unwrap_or(&self.nothing)
    }

    /// Bytes on the graphics card.
    pub(crate) fn bytes(&self) -> u64 {
        self.placed().weights.bytes()
    }

    /// What `common/covers.glsl` needs, with colours made of the screen's by `color`.
    pub(crate) fn uniforms(&self, color: impl Fn(f32) -> f32) -> impl Uniforms + '_ {
        let map = self.placed();
        let colors = map
            .colors
            .map(|[r, g, b, hides]| [color(r), color(g), color(b), hides]);
        uniform! {
            covers: map.weights.sampled(),
            cover_place: map.weights.place,
            cover_texels: map.weights.texels(),
            cover_colors: colors,
        }
    }
}
