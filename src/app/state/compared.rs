//! The scene that the present one is compared with: A; the present one is B.

use crate::scene::{Camera, Scene};

/// Scene A, and how much of the picture it has.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// Scene A, as it was when it was kept.
    pub scene: Scene,
    /// Which of both is on screen.
    pub side: Side,
    /// Where the divider is when both are: the part of the picture's width to the left of it, which shows A.
    pub divider: f32,
    /// Whether the list of what differs is open.
    pub list: bool,
}

/// Which scene is on screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// A to the left of the divider, B to the right.
    Both,
    /// The scene that was kept.
    A,
    /// The present scene.
    B,
}

impl Compared {
    /// A scene that is kept to be compared with.
    #[must_use]
    pub fn new(scene: Scene) -> Self {
        Self {
            scene,
            side: Side::Both,
            divider: 0.5,
            list: false,
        }
    }

    /// The part of the picture's width, from the left, that shows A.
    #[must_use]
    pub fn part(&self) -> f32 {
        match self.side {
            Side::Both => self.divider,
            Side::A => 1.0,
            Side::B => 0.0,
        }
    }

    /// Scene A as it is drawn: both are seen from the same place.
    #[must_use]
    pub fn drawn(&self, camera: &Camera) -> Scene {
        Scene {
            camera: camera.clone(),
            ..self.scene.clone()
        }
    }

    /// Shows the whole of A, or of B if that is on screen.
    pub fn flick(&mut self) {
        self.side = match self.side {
            Side::A => Side::B,
            Side::Both | Side::B => Side::A,
        };
    }
}
