//! What every stage is given, and what it tells.

use super::asked::is_untouched;
use crate::generate::Surface;
use crate::inputs::Inputs;
use crate::job::Job;
use crate::scene::{RenderType, Scene};

/// A stage that was computed, not reused: what [`super::Pipeline::run_observed`] tells its observer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StageDone {
    /// The ground as generated.
    Surface,
    /// The layer of that index was made and laid over the ground.
    Layer(usize),
    /// The modifier of that index was applied to the ground.
    Modifier(usize),
    /// The ground as it stands after some passes.
    Pass,
    /// The finer map as generated.
    Teximage,
    /// The layer of that index was made and laid over the finer map.
    TeximageLayer(usize),
    /// The modifier of that index was applied to the finer map.
    TeximageModifier(usize),
    /// The cloud texture.
    Clouds,
    /// What the ground sees of the sun.
    Sun,
    /// What the ground sees of the sky.
    Sky,
}

/// What every stage is given.
pub struct Making<'a> {
    pub scene: &'a Scene,
    pub inputs: &'a Inputs,
    pub job: &'a Job,
    pub observe: &'a mut dyn FnMut(StageDone),
}

impl Making<'_> {
    /// Tells the observer of a stage that was computed.
    pub fn done(&mut self, stage: StageDone) {
        (self.observe)(stage);
    }

    /// Whether all samples of a surface are made that pictures show thinned, since layers or
    /// modifiers see them.
    pub fn sees_all(&self, surface: &Surface) -> bool {
        surface.shown_stride() > 1 && !is_untouched(self.scene)
    }

    /// Whether the scene is drawn as one of these.
    pub fn draws(&self, types: &[RenderType]) -> bool {
        types.contains(&self.scene.render_type())
    }
}
