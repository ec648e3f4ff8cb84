//! Context shared by all stages, and the events they report.

use super::asked::is_untouched;
use crate::generate::Surface;
use crate::pipeline::inputs::Inputs;
use crate::scene::{RenderType, Scene};
use crate::util::job::Job;

/// A stage that was computed rather than reused; reported to the observer of
/// [`super::Pipeline::run_observed`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StageDone {
    /// Ground generated.
    Surface,
    /// Layer with this index generated and blended over the ground.
    Layer(usize),
    /// Modifier with this index applied to the ground.
    Modifier(usize),
    /// Ground reduced to its first passes.
    Pass,
    /// Finer map generated.
    Teximage,
    /// Layer with this index generated and blended over the finer map.
    TeximageLayer(usize),
    /// Modifier with this index applied to the finer map.
    TeximageModifier(usize),
    /// Drainage (D8 flow routing) computed, for a watershed.
    Drainage,
    /// Watershed delineated.
    Watershed,
    /// Rivers and lakes computed.
    Rivers,
    /// Ground covers computed.
    Covers,
    /// Cloud texture computed.
    Clouds,
    /// Sun visibility of the ground computed.
    Sun,
    /// Sky visibility of the ground computed.
    Sky,
}

/// Context passed to every stage.
pub struct Making<'a> {
    pub scene: &'a Scene,
    pub inputs: &'a Inputs,
    /// Share of the current stage in the whole job.
    pub job: Job,
    pub observe: &'a mut dyn FnMut(StageDone),
}

impl Making<'_> {
    /// Report a computed stage to the observer.
    pub fn done(&mut self, stage: StageDone) {
        (self.observe)(stage);
    }

    /// True if the finer map of the ground's texture is needed.
    pub fn has_teximage(&self) -> bool {
        self.draws(&[RenderType::Rendered, RenderType::Teximage])
    }

    /// True if layers or modifiers need all samples of a surface, although pictures show it thinned.
    pub fn sees_all(&self, surface: &Surface) -> bool {
        surface.shown_stride() > 1 && !is_untouched(self.scene)
    }

    /// True if the scene is drawn with one of these render types.
    pub fn draws(&self, types: &[RenderType]) -> bool {
        types.contains(&self.scene.render_type())
    }
}
