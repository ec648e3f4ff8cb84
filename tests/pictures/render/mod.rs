//! Pictures, drawn on whatever OpenGL 3.3 there is without a display. They fail where there is
//! none: a driver in software (Mesa's llvmpipe) will do.

use crate::covers::ERODED;
use crate::pictures::{Picture, check_golden, difference, landscape, scene};
use glium::Surface;
use landform::covers;
use landform::import::{Group, presets};
use landform::inputs::Inputs;
use landform::job::Job;
use landform::maps::colors;
use landform::pipeline;
use landform::render::{DrawStats, Headless, RenderError, Renderer, Way, compile_all, picture};
use landform::scene::{RenderType, Scene};

mod drawn;
mod golden;

/// Headless context and renderer of one test.
struct Studio {
    headless: Headless,
    renderer: Renderer,
}

impl Studio {
    fn new() -> Self {
        let headless = Headless::new().expect("OpenGL 3.3");
        let renderer = Renderer::new(headless.facade()).expect("a renderer");
        Self { headless, renderer }
    }

    /// One whose ground always is triangles.
    fn with_triangles() -> Self {
        let mut studio = Self::new();
        studio.renderer.set_way(Way::Triangles);
        studio
    }

    fn update(&mut self, scene: &Scene) {
        let facade = self.headless.facade();
        let landscape = landscape(scene);
        self.renderer.update(facade, &landscape).expect("an upload");
    }

    fn draw(&mut self, scene: &Scene, size: (u32, u32)) -> (Picture, DrawStats) {
        let facade = self.headless.facade();
        let stats = self.renderer.draw(facade, scene, size).expect("a picture");
        let picture = self.renderer.read_picture().expect("its pixels");
        (picture, stats)
    }

    fn take(&mut self, settings: &str, size: (u32, u32)) -> Picture {
        let scene = scene(settings);
        self.update(&scene);
        self.draw(&scene, size).0
    }
}

const JACKSBORO: &str = "surface.generator=image surface.input=assets/heightmaps/jacksboro.png surface.height_scale=0.7";
