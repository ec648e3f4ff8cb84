//! A picture drawn a rectangle at a time is the picture drawn at once, to the last bit.

use crate::offscreen::{Desk, NO_TIME};
use crate::pictures::scene;
use landform::grid::Grid;
use landform::render::{GroundPath, Rates, RenderRequest, TiledRender};
use landform::scene::{RenderType, Scene};

/// Not a multiple of the side of any piece.
const SIZE: (u32, u32) = (330, 203);
/// So large that patches near the eye are drawn a rectangle at a time.
const LARGE: (u32, u32) = (1003, 709);
/// So high that what a plane sees of it has more pixels than are drawn at once.
const HIGH: (u32, u32) = (70, 4300);

/// A scene of each render type, and what else draws: water, clouds at night, analysis, points.
fn scenes() -> Vec<Scene> {
    let types = RenderType::NAMES.iter();
    let plain = types.map(|name| format!("view.render_type={name} surface.iterations=8"));
    let more = [
        "view.render_type=lines view.invert=true surface.iterations=5 view.tile=2",
        "view.render_type=lines view.antialias=false surface.iterations=9",
        "view.render_type=rendered surface.iterations=9 camera.mode=top camera.distance=1",
        "view.render_type=triangles view.shading=flat view.tile=3 camera.distance=6",
        "view.render_type=triangles view.pass=2.5 surface.iterations=4",
        "view.render_type=map view.pass=2.5 surface.iterations=4",
        "view.render_type=triangles analysis.contours=true analysis.color=slope \
            surface.iterations=8",
        "view.render_type=map analysis.contours=true analysis.hillshade=true \
            surface.iterations=8",
        "view.render_type=rendered camera.mode=walk camera.distance=0.3 camera.pitch=5",
        "view.render_type=landscape view.antialias=false surface.iterations=8 view.tile=3",
        "water.enabled=true surface.iterations=7 camera.pitch=12 camera.distance=1.6",
        "water.enabled=true surface.iterations=7 camera.mode=top camera.distance=1.6",
        "water.rivers=true water.springs=0.2 surface.iterations=8 camera.pitch=25 \
            camera.distance=1.2",
        "water.rivers=true water.enabled=true view.antialias=false surface.iterations=7 \
            camera.distance=1",
        "water.rivers=true view.render_type=map surface.iterations=7",
        "light.elevation=-12 surface.iterations=7 camera.pitch=5 light.shadows=true",
        // Sides that reach far below the land, down into the water.
        "water.enabled=true water.level=-3 surface.iterations=5 camera.target=[0,-1.5,0] \
            camera.pitch=0 camera.distance=3",
    ];
    let all = plain.chain(more.map(str::to_owned));
    all.map(|settings| scene(&settings)).collect()
}

/// Scenes with large things near the eye.
fn near_scenes() -> Vec<Scene> {
    let all = [
        "view.render_type=lines surface.iterations=5 view.tile=2",
        "view.render_type=triangles surface.iterations=5 view.tile=3 camera.distance=0.6",
        "view.render_type=rendered surface.iterations=6 camera.mode=walk camera.distance=0.3",
        "water.enabled=true surface.iterations=6 camera.pitch=12 camera.distance=0.8",
        "camera.mode=top surface.iterations=5",
        "water.rivers=true surface.iterations=6 camera.pitch=25 camera.distance=0.8",
    ];
    all.map(scene).to_vec()
}

/// The ways in which the ground of a scene may be found.
const WAYS: [GroundPath; 2] = [GroundPath::RayCast, GroundPath::Raster];

impl Desk {
    fn in_steps(
        &mut self,
        scene: &Scene,
        size: (u32, u32),
        between: &Scene,
    ) -> (Grid<[u8; 3]>, usize) {
        let facade = self.headless.facade();
        let (limit, rates) = (Some(NO_TIME), Rates::unknown());
        let begun = self.renderer.begin(facade, scene, size, limit, rates);
        let mut development = begun.expect("a picture");
        let mut steps = 0;
        while !development.is_done() {
            let step = self.renderer.develop(facade, scene, &mut development);
            step.expect("a rectangle");
            steps += 1;
            if steps % 7 == 0 {
                let other = self.renderer.draw(facade, between, (90, 70));
                other.expect("another picture");
            }
        }
        self.renderer.show(development);
        (self.renderer.read_picture().expect("pixels"), steps)
    }
}

/// How many pixels differ.
fn off<T: PartialEq>(a: &[T], b: &[T]) -> usize {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).filter(|(a, b)| a != b).count()
}

#[test]
fn a_picture_in_steps_is_the_picture() {
    let mut desk = Desk::new();
    let small = scenes().into_iter().map(|scene| (scene, SIZE));
    let large = near_scenes().into_iter().map(|scene| (scene, LARGE));
    let high = (scene("surface.iterations=6"), HIGH);
    let all = small.chain(large).chain([high]);
    let each = all.flat_map(|(scene, size)| WAYS.map(|way| (scene.clone(), size, way)));
    for (scene, size, way) in each {
        desk.renderer.set_way(way);
        desk.update(&scene);
        let whole = desk.picture(&scene, size);
        // The camera moves while the picture is drawn.
        let mut between = scene.clone();
        between.camera.bearing += 40.0;
        let (steps, count) = desk.in_steps(&scene, size, &between);
        assert!(count > 12, "{count} steps");
        let off = off(whole.as_slice(), steps.as_slice());
        assert_eq!(off, 0, "{}", scene.to_toml());
    }
}

#[test]
fn file_picture_is_independent_of_step_count() {
    let mut desk = Desk::new();
    let plain = RenderRequest::new(SIZE);
    let shots = [
        plain,
        RenderRequest {
            samples: 3,
            ..plain
        },
        RenderRequest {
            transparent: true,
            samples: 2,
            ..plain
        },
        RenderRequest {
            piece: Some(128),
            ..plain
        },
    ];
    let views = [
        "water.enabled=true surface.iterations=7 camera.pitch=12 camera.distance=1.6",
        "view.render_type=lines view.invert=true surface.iterations=7",
        "view.render_type=triangles surface.iterations=7 view.tile=2",
        "view.render_type=rendered surface.iterations=7 fog.enabled=true",
    ];
    let views = views.map(scene);
    let views = views.iter().flat_map(|view| WAYS.map(|way| (view, way)));
    let all = views.flat_map(|view| shots.map(|shot| (view, shot)));
    for ((scene, way), shot) in all {
        desk.renderer.set_way(way);
        desk.update(scene);
        let mut take = |exposure: TiledRender| {
            let (mut exposure, mut rows) = (exposure, Vec::new());
            let mut last = 0.0;
            while !exposure.is_done() {
                let facade = desk.headless.facade();
                let band = exposure.step(&mut desk.renderer, facade, scene);
                if let Some(band) = band.expect("a step") {
                    rows.extend_from_slice(band.as_slice());
                }
                assert!(exposure.progress() >= last, "{shot:?}");
                last = exposure.progress();
            }
            assert_eq!((rows.len() as u32, last), (SIZE.0 * SIZE.1, 1.0));
            rows
        };
        let whole = take(TiledRender::new(shot));
        let steps = take(TiledRender::new(shot).in_steps_of(NO_TIME));
        assert_eq!(off(&whole, &steps), 0, "{shot:?}");
    }
}
