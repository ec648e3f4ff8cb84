//! The camera path being shown.

use crate::camera::{Ground, Path, Wish};
use crate::scene::{Camera, Scene};

/// How far the camera has come along its path.
#[derive(Clone, Debug, PartialEq)]
pub struct Journey {
    /// Seconds from the path's beginning.
    time: f32,
    /// The camera as it was left, to notice when the user takes over; `None` before the first
    /// step.
    left: Option<Camera>,
}

/// How a step of a journey ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leg {
    /// There is more of the path.
    OnTheWay,
    /// The path has come to its end.
    Arrived,
    /// The user moves the camera, or there is no path any more.
    TakenOver,
}

impl Journey {
    /// A journey from the beginning of the scene's path; `None` without a path.
    #[must_use]
    pub fn new(scene: &Scene) -> Option<Self> {
        let path = Path::new(&scene.path)?;
        Some(Self {
            time: path.start(),
            left: None,
        })
    }

    /// Goes on for so many seconds, unless the user has a `wish` or has moved the camera.
    pub fn go_on(
        &mut self,
        scene: &mut Scene,
        wish: Wish,
        ground: Option<&Ground>,
        seconds: f32,
    ) -> Leg {
        let moved = |left: &Camera| *left != scene.camera;
        let taken_over = wish != Wish::default() || self.left.as_ref().is_some_and(moved);
        let path = Path::new(&scene.path).filter(|_| !taken_over);
        let Some(path) = path else {
            return Leg::TakenOver;
        };
        if self.left.is_some() {
            self.time += seconds;
        }
        scene.camera = path.at(self.time, ground, scene.surface.tile_size_m);
        self.left = Some(scene.camera.clone());
        if self.time >= path.end() {
            Leg::Arrived
        } else {
            Leg::OnTheWay
        }
    }
}
