//! What pictures are drawn with, without a display.

#![allow(dead_code)]

use std::time::Duration;

use landform::render::{DrawStats, GroundPath, Headless, ProgressiveFrame, Rates, Renderer};
use landform::scene::Scene;

use crate::pictures::{Picture, landscape, scene};

/// A time limit that makes the pieces of a picture as small as they can be.
pub const NO_TIME: Duration = Duration::from_nanos(1);

/// A context and the renderer of one test.
pub struct Desk {
    pub headless: Headless,
    pub renderer: Renderer,
}

impl Desk {
    pub fn new() -> Self {
        let headless = Headless::new().expect("OpenGL 3.3");
        let renderer = Renderer::new(headless.facade()).expect("a renderer");
        Self { headless, renderer }
    }

    /// One that always finds its ground in that way.
    pub fn of_way(way: GroundPath) -> Self {
        let mut desk = Self::new();
        desk.renderer.set_way(way);
        desk
    }

    /// Makes the scene's landscape the one that is drawn.
    pub fn update(&mut self, scene: &Scene) {
        let facade = self.headless.facade();
        let updated = self.renderer.update(facade, &landscape(scene));
        updated.expect("an upload");
    }

    pub fn draw(&mut self, scene: &Scene, size: (u32, u32)) -> (Picture, DrawStats) {
        let facade = self.headless.facade();
        let stats = self.renderer.draw(facade, scene, size).expect("a picture");
        let picture = self.renderer.read_picture().expect("its pixels");
        (picture, stats)
    }

    pub fn picture(&mut self, scene: &Scene, size: (u32, u32)) -> Picture {
        self.draw(scene, size).0
    }

    /// The picture of settings, whose landscape is made for it.
    pub fn take(&mut self, settings: &str, size: (u32, u32)) -> Picture {
        let scene = scene(settings);
        self.update(&scene);
        self.picture(&scene, size)
    }

    /// The picture as a window draws it: with the weights of a mask or without them, in one piece or
    /// in pieces that take about `limit`.
    pub fn developed(
        &mut self,
        scene: &Scene,
        size: (u32, u32),
        masked: bool,
        limit: Option<Duration>,
    ) -> Picture {
        let (facade, renderer) = (self.headless.facade(), &mut self.renderer);
        let begun = renderer.begin(facade, scene, size, limit, Rates::unknown());
        let picture = begun.expect("buffers").masked(masked);
        self.finished(scene, picture).0
    }

    /// A picture as a window draws it in motion, with that much time for levels below the map, and how much of its time
    /// went into them.
    pub fn previewed(
        &mut self,
        scene: &Scene,
        size: (u32, u32),
        patience: Duration,
    ) -> (Picture, Duration) {
        let (facade, renderer) = (self.headless.facade(), &mut self.renderer);
        let begun = renderer.begin(facade, scene, size, None, Rates::unknown());
        let picture = begun.expect("buffers").previewed(patience);
        self.finished(scene, picture)
    }

    /// True if a picture in motion may differ from one at rest.
    pub fn is_preview(&mut self, scene: &Scene, size: (u32, u32)) -> bool {
        let (facade, renderer) = (self.headless.facade(), &mut self.renderer);
        let begun = renderer.begin(facade, scene, size, None, Rates::unknown());
        let picture = begun.expect("buffers").previewed(Duration::ZERO);
        let is_preview = picture.is_preview();
        renderer.give_up(picture);
        is_preview
    }

    fn finished(&mut self, scene: &Scene, mut picture: ProgressiveFrame) -> (Picture, Duration) {
        let (facade, renderer) = (self.headless.facade(), &mut self.renderer);
        while !picture.is_done() {
            renderer.develop(facade, scene, &mut picture).expect("more");
        }
        let took = picture.took_around();
        renderer.show(picture);
        (renderer.read_picture().expect("its pixels"), took)
    }
}

/// An error of which a test wants to know nothing but that there is none.
#[derive(Debug)]
pub struct Failed;

impl<T: std::error::Error> From<T> for Failed {
    fn from(error: T) -> Self {
        panic!("{error}")
    }
}
