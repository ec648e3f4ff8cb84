//! When a coarse landscape is made before the full one, and which.

use crate::generate::{Generator, Surface};
use crate::layer::Layer;
use crate::scene::{RenderType, Scene};

/// Iterations of the coarse pass; a map of at most this many is made at once.
pub const COARSE_ITERATIONS: u32 = 7;
/// From this many iterations on there is a coarse pass.
const COARSE_FROM: u32 = 9;

/// The same scene with few iterations everywhere: the same landscape, coarser.
pub fn coarse_scene(scene: &Scene) -> Scene {
    let mut coarse = scene.clone();
    let few = |iterations: &mut u32| *iterations = (*iterations).min(COARSE_ITERATIONS);
    few(&mut coarse.surface.iterations);
    for layer in &mut coarse.layers {
        few(&mut layer.surface.iterations);
    }
    few(&mut coarse.teximage.iterations);
    few(&mut coarse.clouds.iterations);
    coarse
}

/// The parts of a scene that take time.
#[derive(PartialEq)]
pub struct Costly {
    surface: Surface,
    layers: Vec<Layer>,
    ridge: bool,
    teximage: Option<(u32, f32)>,
    clouds: Option<(u32, f32)>,
}

impl Costly {
    /// The costly parts of `scene`.
    pub fn of(scene: &Scene) -> Self {
        let render_type = scene.render_type();
        let rendered = render_type == RenderType::Rendered;
        let (teximage, clouds) = (&scene.teximage, &scene.clouds);
        Self {
            surface: scene.surface.clone(),
            layers: scene.layers_on().map(|(_, layer)| layer.clone()).collect(),
            ridge: render_type == RenderType::Ridge,
            teximage: (rendered || render_type == RenderType::Teximage)
                .then_some((teximage.iterations, teximage.hurst)),
            clouds: (rendered
                || matches!(
                    render_type,
                    RenderType::Clouds | RenderType::Landscape | RenderType::Sky
                ))
            .then_some((clouds.iterations, clouds.hurst)),
        }
    }

    /// Whether a coarse landscape should come first. An image in its native size takes what it
    /// takes; a ridge is always quick.
    pub fn wants_coarse(&self) -> bool {
        let of = |part: &Option<(u32, f32)>| part.map_or(0, |(iterations, _)| iterations);
        let ground = match self.surface.generator {
            Generator::Midpoint1d => 0,
            _ if self.ridge => 0,
            _ => self.surface.iterations,
        };
        let own = self.layers.iter().filter(|layer| layer.own_size);
        let layers = own.map(|layer| layer.surface.iterations).max();
        let ground = ground.max(layers.unwrap_or(0));
        ground.max(of(&self.teximage)).max(of(&self.clouds)) >= COARSE_FROM
    }

    /// Whether the pipeline, having made this, has all of `other` at hand.
    pub fn has(&self, other: &Self) -> bool {
        let at_hand = |mine: &Option<(u32, f32)>, wanted: &Option<(u32, f32)>| {
            wanted.is_none() || mine == wanted
        };
        self.surface == other.surface
            && self.layers == other.layers
            && self.ridge == other.ridge
            && at_hand(&self.teximage, &other.teximage)
            && at_hand(&self.clouds, &other.clouds)
    }
}
