//! Heights of one surface as shown in pictures: generated, layered, modified. Instances: the ground, and the
//! finer map of its texture.

use std::sync::Arc;

use super::asked::context;
use super::layered::Layered;
use super::making::{Making, StageDone};
use super::shares;
use super::stage::Stage;

use crate::generate::{GenerateError, Surface};
use crate::modify::layer::Layer;
use crate::modify::mask::Context;
use crate::modify::{Chain, Modifier};
use crate::pipeline::inputs::Inputs;
use crate::terrain::heightmap::Heightmap;

/// Stages of one map, each with its last result.
#[derive(Debug, Default)]
pub struct Land {
    generated: Stage<Asked, Heightmap>,
    layered: Layered,
    modified: Chain,
}

/// Cache key of generated heights: the surface, and the number of samples.
#[derive(Debug, PartialEq)]
struct Asked {
    surface: Surface,
    /// True to generate all samples, without thinning.
    whole: bool,
}

/// Stage names of a map for the observer.
pub struct Words {
    pub generated: StageDone,
    pub layer: fn(usize) -> StageDone,
    pub modifier: fn(usize) -> StageDone,
}

/// Stage names of the ground.
pub const GROUND: Words = Words {
    generated: StageDone::Surface,
    layer: StageDone::Layer,
    modifier: StageDone::Modifier,
};

impl Land {
    /// The heights as last generated; `None` if they are no longer in memory.
    pub fn last_generated(&self) -> Option<&Heightmap> {
        let (_, map) = self.generated.made.as_ref()?;
        Some(map)
    }

    /// Heights of `surface` as generated, before layers and modifiers. They are thinned for display, unless
    /// layers or modifiers need all samples.
    pub fn generated(
        &mut self,
        making: &mut Making<'_>,
        surface: &Surface,
        words: &Words,
    ) -> Result<Arc<Heightmap>, GenerateError> {
        let key = Asked {
            surface: surface.clone(),
            whole: making.sees_all(surface),
        };
        self.generated.get(key, |key, old| {
            let reuse = old.map(Heightmap::into_heights);
            let [generated, layers, modifiers] = shares::land(making.scene);
            let job = &(making.job).span(0..generated, generated + layers + modifiers);
            let images = &making.inputs.images;
            let map = if key.whole {
                key.surface.generate(images, job, reuse)?
            } else {
                key.surface.generate_shown(images, job, reuse)?
            };
            making.done(words.generated);
            Ok(map)
        })
    }

    /// Heights of `surface` with the layers and modifiers of the scene.
    pub fn finished(
        &mut self,
        making: &mut Making<'_>,
        surface: Surface,
        words: &Words,
    ) -> Result<Arc<Heightmap>, GenerateError> {
        let map = self.layered(making, surface, words)?;
        let (scene, inputs) = (making.scene, making.inputs);
        let [generated, layers, modifiers] = shares::land(scene);
        let before = generated + layers;
        let job = (making.job).span(before..before + modifiers, before + modifiers);
        let context = context(scene, inputs, &job);
        let mut applied = |index| making.done((words.modifier)(index));
        Ok(self
            .modified
            .run(&map, &scene.modifiers_as_they_act(), &context, &mut applied)?)
    }

    /// Heights of `surface` with the layers of the scene, before its modifiers.
    pub fn layered(
        &mut self,
        making: &mut Making<'_>,
        surface: Surface,
        words: &Words,
    ) -> Result<Arc<Heightmap>, GenerateError> {
        let map = self.generated(making, &surface, words)?;
        let (scene, inputs) = (making.scene, making.inputs);
        // Layers are fast; their progress is not reported separately.
        let job = making.job.part();
        let context = context(scene, inputs, &job);
        let layers: Vec<_> = scene.layers_on().collect();
        let uses_water = layers.iter().any(|(_, layer)| layer.mask.uses_water());
        let stack = (
            surface,
            layers
                .into_iter()
                .map(|(i, layer)| (i, layer.clone()))
                .collect(),
            context.water.filter(|_| uses_water),
        );
        let mut laid = |index| making.done((words.layer)(index));
        self.layered.get(map, stack, inputs, &context, &mut laid)
    }

    /// The generated heights `map` with the given layers only.
    pub fn under_layer(
        &mut self,
        map: Arc<Heightmap>,
        iterations: u32,
        layers: &[(usize, Layer)],
        inputs: &Inputs,
        context: &Context<'_>,
    ) -> Result<Arc<Heightmap>, GenerateError> {
        if layers.is_empty() {
            return Ok(map);
        }
        let land = self
            .layered
            .under(&map, iterations, layers, inputs, context)?;
        Ok(Arc::new(land))
    }

    /// The layered heights `map` after the given modifiers, which are the first of the scene.
    pub fn before_modifier(
        &self,
        map: &Arc<Heightmap>,
        modifiers: &[Modifier],
        context: &Context<'_>,
    ) -> Result<Arc<Heightmap>, GenerateError> {
        Ok(self.modified.after(map, modifiers, context)?)
    }
}
