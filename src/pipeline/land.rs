//! The heights of one surface as pictures show them: generated, under layers, modified. The
//! ground is one, the finer map of its texture another.

use std::sync::Arc;

use super::layered::Layered;
use super::making::{Making, StageDone};
use super::stage::Stage;

use crate::generate::{GenerateError, Surface};
use crate::heightmap::Heightmap;
use crate::modify::{Chain, Context};

/// The stages of one map, and what they last made.
#[derive(Debug, Default)]
pub struct Land {
    generated: Stage<Asked, Heightmap>,
    layered: Layered,
    modified: Chain,
}

/// What heights were generated from, and how many of them.
#[derive(Debug, PartialEq)]
struct Asked {
    surface: Surface,
    /// Whether all samples are made, however many there are.
    whole: bool,
}

/// What an observer is told of the stages of a map.
pub struct Words {
    pub generated: StageDone,
    pub layer: fn(usize) -> StageDone,
    pub modifier: fn(usize) -> StageDone,
}

impl Land {
    /// The heights as they were generated last, if they are still at hand.
    pub fn last_generated(&self) -> Option<&Heightmap> {
        let (_, map) = self.generated.made.as_ref()?;
        Some(map)
    }

    /// The heights of `surface` as they were generated, before layers and modifiers: all of them
    /// where those are to see all, as they do when files are written.
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
            let (images, job) = (&making.inputs.images, making.job);
            let map = if key.whole {
                key.surface.generate(images, job, reuse)?
            } else {
                key.surface.generate_shown(images, job, reuse)?
            };
            making.done(words.generated);
            Ok(map)
        })
    }

    /// The heights of `surface` under the layers and modifiers of the scene.
    pub fn finished(
        &mut self,
        making: &mut Making<'_>,
        surface: Surface,
        words: &Words,
    ) -> Result<Arc<Heightmap>, GenerateError> {
        let map = self.generated(making, &surface, words)?;
        let layers = making.scene.layers_on();
        let stack = (
            surface,
            layers
                .map(|(index, layer)| (index, layer.clone()))
                .collect(),
        );
        let (inputs, job) = (making.inputs, making.job);
        let mut laid = |index| making.done((words.layer)(index));
        let map = self.layered.get(map, stack, inputs, job, &mut laid)?;
        let scene = making.scene;
        let seed = scene.surface.seed;
        let mut applied = |index| making.done((words.modifier)(index));
        let context = Context { seed, job };
        Ok(self
            .modified
            .run(&map, &scene.modifiers, &context, &mut applied)?)
    }
}
