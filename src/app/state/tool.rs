//! Mouse tools over the scene: camera, pins, cross-section and watershed.

use crate::scene::{RenderType, Scene};

/// Time in seconds after the last turn of the wheel, when its changes become one undo step.
const WHEEL_SETTLES: f64 = 1.0;

/// Mouse tool over the scene.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Tool {
    /// Move the camera.
    #[default]
    Camera,
    /// Edit pins on the map.
    Pins(PinTool),
    /// Draw the cross-section on the map.
    Section(SectionTool),
    /// Pick the outlet of the watershed; drags move the camera.
    Watershed,
}

/// State of editing pins.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PinTool {
    /// Index of the dragged pin.
    pub dragged: Option<usize>,
    /// Time when the wheel last changed a height, in egui's seconds.
    pub wheeled_at: Option<f64>,
}

/// State of drawing the cross-section.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SectionTool {
    /// End being dragged.
    pub dragged: Option<End>,
}

/// End of the cross-section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Start, from which distances are counted.
    A,
    /// Far end.
    B,
}

impl Tool {
    /// True if the tool is usable in the scene. Pins and cross-section need the map view, and pins
    /// a generator that supports them; a watershed needs ground of any kind.
    #[must_use]
    pub fn suits(&self, scene: &Scene) -> bool {
        let map = scene.render_type() == RenderType::Map;
        match self {
            Self::Camera => true,
            Self::Pins(_) => map && scene.surface.pin_edges().is_some(),
            Self::Section(_) => map,
            Self::Watershed => scene.render_type().shows_ground(),
        }
    }

    /// True if the tool edits pins in this scene.
    #[must_use]
    pub fn edits_pins(&self, scene: &Scene) -> bool {
        matches!(self, Self::Pins(_)) && self.suits(scene)
    }

    /// True if the tool draws the cross-section of this scene.
    #[must_use]
    pub fn draws_section(&self, scene: &Scene) -> bool {
        matches!(self, Self::Section(_)) && self.suits(scene)
    }

    /// True if the tool picks the outlet of this scene's watershed.
    #[must_use]
    pub fn picks_watershed(&self, scene: &Scene) -> bool {
        *self == Self::Watershed && self.suits(scene)
    }

    /// True if the wheel has just changed a height, so that its next turn belongs to the same undo
    /// step.
    #[must_use]
    pub fn wheel_turns(&self, now: f64) -> bool {
        match self {
            Self::Pins(pins) => pins.wheeled_at.is_some_and(|at| now - at < WHEEL_SETTLES),
            Self::Camera | Self::Section(_) | Self::Watershed => false,
        }
    }
}
