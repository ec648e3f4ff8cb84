//! What every stage is given, and what it reports.

use super::asked::is_untouched;
use crate::generate::Surface;
use crate::inputs::Inputs;
use crate::job::Job;
use crate::scene::{RenderType, Scene};

/// A stage that was computed and not reused. [`super::Pipeline::run_observed`] reports it to its
/// observer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StageDone {
    /// The ground was generated.
    Surface,
    /// The layer with that index was made and laid over the ground.
    Layer(usize),
    /// The modifier with that index was applied to the ground.
    Modifier(usize),
    /// The ground was brought back to how it stands after some passes.
    Pass,
    /// The finer map was generated.
    Teximage,
    /// The layer with that index was made and laid over the finer map.
    TeximageLayer(usize),
    /// The modifier with that index was applied to the finer map.
    TeximageModifier(usize),
    /// It was found where water flows, for a watershed.
    Drainage,
    /// The watershed was found.
    Watershed,
    /// The rivers and lakes were found.
    Rivers,
    /// It was worked out what lies on the ground.
    Covers,
    /// The cloud texture was made.
    Clouds,
    /// It was worked out what the ground sees of the sun.
    Sun,
    /// It was worked out what the ground sees of the sky.
    Sky,
}

/// What every stage is given.
pub struct Making<'a> {
    pub scene: &'a Scene,
    pub inputs: &'a Inputs,
    /// The share of the stage under way in all work.
    pub job: Job,
    pub observe: &'a mut dyn FnMut(StageDone),
}

impl Making<'_> {
    /// Reports to the observer that a stage was computed.
    pub fn done(&mut self, stage: StageDone) {
        (self.observe)(stage);
    }

    /// Whether the finer map of the ground's texture is made as well.
    pub fn has_teximage(&self) -> bool {
        self.draws(&[RenderType::Rendered, RenderType::Teximage])
    }

    /// Whether all samples of a surface are made although pictures show it thinned, since layers or
    /// modifiers need them.
    pub fn sees_all(&self, surface: &Surface) -> bool {
        surface.shown_stride() > 1 && !is_untouched(self.scene)
    }

    /// Whether the scene is drawn with one of these render types.
    pub fn draws(&self, types: &[RenderType]) -> bool {
        types.contains(&self.scene.render_type())
    }
}
