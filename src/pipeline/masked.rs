//! The weights of one mask of a scene, so that a picture can show them on the land.

use std::sync::Arc;

use super::asked::{context, half_steps, surface_of};
use super::land::GROUND;
use super::making::Making;
use super::tile_bytes::TileBytes;
use super::{Pipeline, Stage};
use crate::generate::GenerateError;
use crate::heightmap::Heightmap;
use crate::identity::Identity;
use crate::inputs::Inputs;
use crate::job::Job;
use crate::layer::Layer;
use crate::mask::Mask;
use crate::modify::{Modifier, ModifyError};
use crate::scene::Scene;

/// Whose mask it is, by the step's place in its list in the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MaskOf {
    /// The mask of that layer.
    Layer(usize),
    /// The mask of that modifier.
    Modifier(usize),
}

impl MaskOf {
    /// The mask in `scene`; `None` if there is no such step that acts, or it acts everywhere.
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

    /// The same error with keys as they are in the scene.
    fn error(self, error: impl Into<GenerateError> + Into<ModifyError>) -> GenerateError {
        match self {
            Self::Layer(index) => Into::<GenerateError>::into(error).of_layer(index),
            Self::Modifier(index) => Into::<ModifyError>::into(error).of_step(index).into(),
        }
    }
}

/// What weights are made from: the mask, and the land that its step finds.
#[derive(Debug, PartialEq)]
pub struct Found {
    /// The generated map under a layer, the map with all layers under a modifier.
    source: Identity<Heightmap>,
    /// The layers below a layer, with their places in the list.
    layers: Vec<(usize, Layer)>,
    /// The modifiers before a modifier, on or off.
    modifiers: Vec<Modifier>,
    mask: Mask,
    /// How far the step smooths it, in metres.
    radius_m: f32,
    water: Option<f32>,
}

impl Pipeline {
    /// The weights of a mask of `scene`, as its step uses them: those of a layer by the land under
    /// it, of a modifier by the land before it. `None` where no such mask acts: there is none, its
    /// step is off, a single pass is shown, or the land is a profile.
    ///
    /// Maps are those of the last [`Pipeline::run`] as far as they are at hand, else they are made.
    /// The last weights are remembered. Cost: a pass over the map, for masks by water what
    /// [`Mask::weights`] says, and those steps before the mask's whose maps are not at hand.
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

/// The stage that remembers the last weights.
pub type Masked = Stage<Found, TileBytes>;
