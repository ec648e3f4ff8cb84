//! A/B comparison: A is the reference scene, B the present scene.

use std::sync::Arc;

use crate::scene::{Camera, Scene};

/// Reference scene A, and its share of the picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// Scene A, as it was when the comparison began.
    pub scene: Arc<Scene>,
    /// Scene on screen: A, B or both.
    pub side: Side,
    /// Position of the divider, as a part of the picture's width: A is left of it.
    pub divider: f32,
    /// True if the list of differences is open.
    pub list: bool,
}

/// Scene on screen in an A/B comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// A left of the divider, B right of it.
    Both,
    /// The reference scene.
    A,
    /// The present scene.
    B,
}

impl Compared {
    /// Begin a comparison with `scene` as the reference.
    #[must_use]
    pub fn new(scene: impl Into<Arc<Scene>>) -> Self {
        Self {
            scene: scene.into(),
            side: Side::Both,
            divider: 0.5,
            list: false,
        }
    }

    /// Part of the picture's width, from the left, that shows A.
    #[must_use]
    pub fn part(&self) -> f32 {
        match self.side {
            Side::Both => self.divider,
            Side::A => 1.0,
            Side::B => 0.0,
        }
    }

    /// Scene A with the camera of the present scene, for drawing.
    #[must_use]
    pub fn drawn(&self, camera: &Camera) -> Scene {
        Scene {
            camera: camera.clone(),
            ..Scene::clone(&self.scene)
        }
    }

    /// Toggle between A and B, each over the whole picture.
    pub fn flick(&mut self) {
        self.side = match self.side {
            Side::A => Side::B,
            Side::Both | Side::B => Side::A,
        };
    }
}
