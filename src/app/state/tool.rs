//! What the mouse does over the scene: it moves the camera, edits pins, draws the cross-section or
//! picks the point of a watershed.

use crate::scene::{RenderType, Scene};

/// Seconds after the last turn of the wheel until it is one step of undo.
const WHEEL_SETTLES: f64 = 1.0;

/// What the mouse does over the scene.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Tool {
    /// It moves the camera.
    #[default]
    Camera,
    /// It edits pins on the map.
    Pins(PinTool),
    /// It draws the cross-section on the map.
    Section(SectionTool),
    /// It picks the point of the watershed, and moves the camera.
    Watershed,
}

/// What the mouse is about with pins.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PinTool {
    /// The pin that is dragged.
    pub dragged: Option<usize>,
    /// When the wheel has last changed a height, in egui's seconds.
    pub wheeled_at: Option<f64>,
}

/// What the mouse is about with the cross-section.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SectionTool {
    /// The end that is dragged.
    pub dragged: Option<End>,
}

/// An end of the cross-section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The one that distances are counted from.
    A,
    /// The other.
    B,
}

impl Tool {
    /// Whether the scene has use for it. Pins and cross-section need the map, and pins a
    /// generator that takes them; a watershed needs ground of any kind.
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

    /// Whether it edits pins in that scene.
    #[must_use]
    pub fn edits_pins(&self, scene: &Scene) -> bool {
        matches!(self, Self::Pins(_)) && self.suits(scene)
    }

    /// Whether it draws the cross-section of that scene.
    #[must_use]
    pub fn draws_section(&self, scene: &Scene) -> bool {
        matches!(self, Self::Section(_)) && self.suits(scene)
    }

    /// Whether it picks the point of that scene's watershed.
    #[must_use]
    pub fn picks_watershed(&self, scene: &Scene) -> bool {
        *self == Self::Watershed && self.suits(scene)
    }

    /// Whether the wheel has just changed a height, so that its next turn is the same step of
    /// undo.
    #[must_use]
    pub fn wheel_turns(&self, now: f64) -> bool {
        match self {
            Self::Pins(pins) => pins.wheeled_at.is_some_and(|at| now - at < WHEEL_SETTLES),
            Self::Camera | Self::Section(_) | Self::Watershed => false,
        }
    }
}
