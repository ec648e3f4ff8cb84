//! Progressive refinement of landscapes: decides which coarse previews precede the full landscape.
//! A preview is the same subdivision stopped after fewer iterations.

use crate::generate::image::Size;
use crate::generate::{Generator, Surface};
use crate::modify::Modifier;
use crate::modify::layer::Layer;
use crate::scene::{RenderType, Scene};

/// Iterations of the first preview; a map with at most this many needs none.
pub const COARSE_ITERATIONS: u32 = 7;
/// Iterations from which on a preview is made: in general, and with steps as slow as erosion.
const COARSE_FROM: u32 = 9;
const COARSE_FROM_SLOW: u32 = 8;

/// Scene with all iterations limited to `most`: the same landscape at a lower level of detail.
pub fn coarse_scene(scene: &Scene, most: u32) -> Scene {
    let mut coarse = scene.clone();
    let few = |iterations: &mut u32| *iterations = (*iterations).min(most);
    few(&mut coarse.surface.iterations);
    for layer in &mut coarse.layers {
        few(&mut layer.surface.iterations);
    }
    few(&mut coarse.teximage.iterations);
    few(&mut coarse.clouds.iterations);
    coarse
}

/// Inputs of the expensive stages of a scene.
#[derive(PartialEq)]
pub struct CostlyStages {
    surface: Surface,
    layers: Vec<Layer>,
    ridge: bool,
    teximage: Option<(u32, f32)>,
    clouds: Option<(u32, f32)>,
    /// Modifiers up to the last slow one, and the water level if they depend on it.
    slow: (Vec<Modifier>, Option<f32>),
}

impl CostlyStages {
    /// Inputs of the expensive stages of `scene`.
    pub fn of(scene: &Scene) -> Self {
        let render_type = scene.render_type();
        let rendered = render_type == RenderType::Rendered;
        let (teximage, clouds) = (&scene.teximage, &scene.clouds);
        let mut slow: Vec<_> = scene.modifiers_on().map(|(_, step)| step.clone()).collect();
        let last = slow.iter().rposition(Modifier::is_slow);
        slow.truncate(last.map_or(0, |last| last + 1));
        let water = scene.water.height();
        let water = water.filter(|_| slow.iter().any(Modifier::sees_water));
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
            slow: (slow, water),
        }
    }

    /// Iterations of the previews in order; empty if the full landscape is quick. Two more
    /// iterations make erosion sixteen times as slow, so several previews cost little: about a
    /// fifteenth of the full time in all.
    pub fn coarse_passes(&self) -> Vec<u32> {
        let is_slow = self.is_slow();
        // An image in its native size ignores the iterations, so its preview would be as slow.
        let is_as_it_is =
            self.surface.generator == Generator::Image && self.surface.image.size == Size::Native;
        if !self.wants_coarse() || (is_slow && is_as_it_is) {
            return Vec::new();
        }
        let finest = if is_slow { self.surface.iterations } else { 0 };
        let before = (1..).map(|pass| finest.saturating_sub(2 * pass));
        let mut passes: Vec<u32> = before.take_while(|few| *few > COARSE_ITERATIONS).collect();
        passes.push(COARSE_ITERATIONS);
        passes.reverse();
        passes
    }

    /// True if the landscape has enough iterations for a preview. A ridge line and a one-dimensional
    /// profile are always quick; a layer counts only if it has its own size.
    fn wants_coarse(&self) -> bool {
        let from = match self.slow.0.is_empty() {
            true => COARSE_FROM,
            false => COARSE_FROM_SLOW,
        };
        let of = |part: &Option<(u32, f32)>| part.map_or(0, |(iterations, _)| iterations);
        let ground = match self.surface.generator {
            Generator::Midpoint1d => 0,
            _ if self.ridge => 0,
            _ => self.surface.iterations,
        };
        let own = self.layers.iter().filter(|layer| layer.own_size);
        let layers = own.map(|layer| layer.surface.iterations).max();
        let ground = ground.max(layers.unwrap_or(0));
        ground.max(of(&self.teximage)).max(of(&self.clouds)) >= from
    }

    /// True if a modifier is as slow as erosion.
    pub fn is_slow(&self) -> bool {
        !self.slow.0.is_empty()
    }

    /// True if every expensive stage of `other` has been computed already.
    pub fn has(&self, other: &Self) -> bool {
        let at_hand = |mine: &Option<(u32, f32)>, wanted: &Option<(u32, f32)>| {
            wanted.is_none() || mine == wanted
        };
        self.surface == other.surface
            && self.layers == other.layers
            && self.ridge == other.ridge
            && self.slow == other.slow
            && at_hand(&self.teximage, &other.teximage)
            && at_hand(&self.clouds, &other.clouds)
    }
}
