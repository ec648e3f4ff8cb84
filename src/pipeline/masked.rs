//! Weights of one mask of a scene, for display over the ground.

use std::sync::Arc;

use super::asked::{context, half_steps, surface_of};
use super::land::GROUND;
use super::making::Making;
use super::tile_bytes::TileBytes;
use super::{Pipeline, Stage};
use crate::generate::GenerateError;
use crate::modify::layer::Layer;
use crate::modify::mask::Mask;
use crate::modify::{Modifier, ModifyError};
use crate::pipeline::inputs::Inputs;
use crate::scene::Scene;
use crate::terrain::heightmap::Heightmap;
use crate::util::identity::Identity;
use crate::util::job::Job;

/// Identity of a mask: the index of its layer or modifier in the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MaskOf {
    /// Mask of the layer with this index.
    Layer(usize),
    /// Mask of the modifier with this index.
    Modifier(usize),
}

impl MaskOf {
    /// Look up the mask in `scene`. `None` if the step is missing or off, or acts everywhere.
    #[must_use]
    pub fn mask(self, scene: &Scene) -> Option<&Mask> {
        let mask = match self {
            Self::Layer(index) => {
                let mut layers = scene.layers_on();
                &layers.find(|(place, _)| *place == index)?.1.mask
            }
            Self::Modifier(index) => {
                let mut modifiers = scene.modifiers_on();
                &modifiers.find(|(place, _)| *place == index)?.1.mask
            }
        };
        (!mask.is_none()).then_some(mask)
    }

    /// Convert an error so that its keys are those of the scene.
    fn error(self, error: impl Into<GenerateError> + Into<ModifyError>) -> GenerateError {
        match self {
            Self::Layer(index) => Into::<GenerateError>::into(error).of_layer(index),
            Self::Modifier(index) => Into::<ModifyError>::into(error).of_step(index).into(),
        }
    }
}

/// Cache key of mask weights: the mask, and the ground its step starts from.
#[derive(Debug, PartialEq)]
pub struct Found {
    /// Generated map under a layer, or map with all layers under a modifier.
    source: Identity<Heightmap>,
    /// Layers below a layer, with their indices in the scene.
    layers: Vec<(usize, Layer)>,
    /// Modifiers before a modifier, on or off.
    modifiers: Vec<Modifier>,
    mask: Mask,
    /// Smoothing radius of the mask in its step, in metres.
    radius_m: f32,
    water: Option<f32>,
}

impl Pipeline {
    /// Weights of a mask of `scene`, as its step uses them: evaluated on the ground under its layer, or
    /// before its modifier. `None` if no such mask acts: it does not exist, its step is off, a single pass is
    /// shown, or the ground is a profile.
    ///
    /// Maps of the last [`Pipeline::run`] are reused where possible, and the last weights are cached. Cost: a
    /// pass over the map, for masks by water that of [`Mask::weights`], and the earlier steps that are not
    /// cached.
    ///
    /// # Errors
    /// The same as those of [`Pipeline::run`].
    pub fn mask(
        &mut self,
        scene: &Scene,
        inputs: &Inputs,
        of: MaskOf,
        job: &Job,
    ) -> Result<Option<Arc<TileBytes>>, GenerateError> {
        scene.validate()?;
        let Some(mask) = of.mask(scene).filter(|_| half_steps(scene).is_none()) else {
            return Ok(None);
        };
        let making = &mut Making {
            scene,
            inputs,
            job: job.clone(),
            observe: &mut |_| {},
        };
        let surface = surface_of(scene);
        let iterations = surface.iterations;
        let modifiers = scene.modifiers_as_they_act();
        let (source, below, before, radius_m) = match of {
            MaskOf::Layer(index) => {
                let below = scene.layers_on().take_while(|(place, _)| *place < index);
                let below = below.map(|(place, layer)| (place, layer.clone())).collect();
                let source = self.ground.generated(making, &surface, &GROUND)?;
                (source, below, &[][..], 0.0)
            }
            MaskOf::Modifier(index) => {
                let source = self.ground.layered(making, surface, &GROUND)?;
                let radius_m = modifiers[index].mask_radius_m();
                (source, Vec::new(), &modifiers[..index], radius_m)
            }
        };
        if source.is_profile() {
            return Ok(None);
        }
        let context = context(scene, inputs, job);
        let found = Found {
            source: Identity::of(&source),
            layers: below,
            modifiers: before.to_vec(),
            mask: mask.clone(),
            radius_m,
            water: context.water,
        };
        let ground = &mut self.ground;
        let made = self.mask.get(found, |found, _| {
            let land = match of {
                MaskOf::Layer(_) => {
                    ground.under_layer(source, iterations, &found.layers, inputs, &context)?
                }
                MaskOf::Modifier(_) => ground.before_modifier(&source, before, &context)?,
            };
            let weights = mask.smoothed_weights(&land, radius_m, &context);
            let weights = weights.map_err(|e| of.error(e))?;
            Ok::<_, GenerateError>(TileBytes::of_weights(&weights, job)?)
        })?;
        Ok(Some(made))
    }
}

/// Stage that caches the last weights.
pub type Masked = Stage<Found, TileBytes>;
