//! Landscapes whose ground is found without triangles show what triangles show.

use glium::backend::Facade;
use landform::grid::Grid;
use landform::inputs::Inputs;
use landform::job::Job;
use landform::pipeline::Pipeline;
use landform::render::{GroundPath, HeadlessRenderer, RenderError, RenderRequest};
use landform::scene::Scene;

use crate::offscreen::{Desk, Failed, NO_TIME};
use crate::pictures::{Picture, landscape, scene};

const SIZE: (u32, u32) = (320, 180);

/// Views from among the hills, over them, of the whole block, over water, through haze, without a sky,
/// of what is examined, and under a baked texture.
const VIEWS: [&str; 10] = [
    "view.tile=3 camera.mode=fly camera.target=[0.0,0.35,-0.5] camera.distance=0.5 camera.pitch=6",
    "view.tile=3 camera.distance=1.5 camera.pitch=20 camera.bearing=77",
    "camera.distance=3.5 camera.pitch=30 camera.bearing=200",
    "water.enabled=true camera.distance=2 camera.pitch=15",
    "fog.enabled=true fog.density=2 camera.distance=4 camera.pitch=8 light.elevation=8",
    "view.render_type=triangles view.tile=2 camera.distance=4 camera.pitch=25",
    "view.render_type=triangles surface.iterations=5 camera.distance=1 camera.pitch=35 \
     analysis.contours=true analysis.color=slope",
    "view.render_type=triangles surface.iterations=5 camera.distance=1 camera.pitch=35 \
     section.from=[-0.5,-0.6] section.to=[0.5,0.4]",
    "view.render_type=rendered view.tile=3 camera.distance=2 camera.pitch=15 fog.enabled=true",
    "view.render_type=rendered camera.distance=3 camera.pitch=30 camera.bearing=30",
];

fn hills(view: &str) -> Scene {
    scene(&format!(
        "view.render_type=landscape surface.iterations=8 surface.hurst=0.9 \
         surface.height_scale=0.4 view.endless=false {view}"
    ))
}

/// A picture whose ground is found in that way, and how many triangles the ground has.
fn drawn(desk: &mut Desk, scene: &Scene, way: GroundPath, size: (u32, u32)) -> (Picture, usize) {
    desk.renderer.set_way(way);
    desk.renderer.set_full_detail(way == GroundPath::Raster);
    desk.update(scene);
    let (picture, stats) = desk.draw(scene, size);
    (picture, stats.triangles)
}

/// The differences of all channels, the least first.
fn differences(a: &Picture, b: &Picture) -> Vec<u8> {
    let pairs = a.as_flattened().iter().zip(b.as_flattened());
    let mut all: Vec<u8> = pairs.map(|(a, b)| a.abs_diff(*b)).collect();
    all.sort_unstable();
    all
}

trait Flattened {
    fn as_flattened(&self) -> &[u8];
}

impl Flattened for Picture {
    fn as_flattened(&self) -> &[u8] {
        self.as_slice().as_flattened()
    }
}

fn mean(sorted: &[u8]) -> f64 {
    sorted.iter().map(|off| f64::from(*off)).sum::<f64>() / sorted.len() as f64
}

#[test]
fn both_ways_show_the_same_landscape() {
    let mut desk = Desk::new();
    for view in VIEWS {
        for antialias in [true, false] {
            let scene = hills(&format!("{view} view.antialias={antialias}"));
            let (triangulated, triangles) = drawn(&mut desk, &scene, GroundPath::Raster, SIZE);
            let (walked, none) = drawn(&mut desk, &scene, GroundPath::RayCast, SIZE);
            assert!(triangles > 0 && none == 0, "{view}");
            let off = differences(&triangulated, &walked);
            let p95 = off[off.len() * 95 / 100];
            let limits = if antialias { (1.3, 6) } else { (1.8, 8) };
            assert!(
                mean(&off) <= limits.0 && p95 <= limits.1,
                "{view}, {antialias}: mean {:.2}, p95 {p95}",
                mean(&off)
            );
        }
    }
}

#[test]
fn both_ways_show_the_same_refined_ground() {
    let mut desk = Desk::new();
    for view in [
        "camera.distance=0.3 camera.pitch=15",
        "camera.distance=0.02 camera.pitch=30 light.elevation=12",
        "camera.distance=0.001 camera.pitch=40 water.enabled=true water.level=0.1",
        "camera.mode=top camera.distance=0.1",
        "camera.distance=0.3 camera.pitch=10 surface.iterations=4 view.tile=3",
    ] {
        for antialias in [true, false] {
            let scene = hills(&format!(
                "{view} view.endless=true view.antialias={antialias}"
            ));
            desk.update(&scene);
            let [rasterized, walked] = [GroundPath::Raster, GroundPath::RayCast].map(|way| {
                desk.renderer.set_way(way);
                desk.update(&scene);
                let (picture, stats) = desk.draw(&scene, SIZE);
                assert_eq!(way == GroundPath::Raster, stats.triangles > 0, "{view}");
                picture
            });
            let off = differences(&rasterized, &walked);
            let p95 = off[off.len() * 95 / 100];
            // Patches are as coarse as an error of a pixel allows.
            assert!(
                mean(&off) <= 2.7 && p95 <= 12,
                "{view}, {antialias}: mean {:.2}, p95 {p95}",
                mean(&off)
            );
        }
    }
}

#[test]
fn smooth_edges_are_nearly_those_of_many_samples() {
    let mut studio = HeadlessRenderer::new().unwrap();
    let mut desk = Desk::new();
    for view in &VIEWS[..3] {
        let sharp = hills(&format!("{view} view.antialias=false"));
        let smooth = hills(&format!("{view} view.antialias=true"));
        let shot = RenderRequest {
            samples: 16,
            ..RenderRequest::new(SIZE)
        };
        let truth = shots(&mut studio, &sharp, shot);
        let off = [sharp, smooth].map(|scene| {
            let (picture, _) = drawn(&mut desk, &scene, GroundPath::RayCast, SIZE);
            mean(&differences(&picture, &truth))
        });
        assert!(off[1] < 0.75 * off[0], "{view}: {off:?}");
    }
}

fn shots(studio: &mut HeadlessRenderer, scene: &Scene, shot: RenderRequest) -> Picture {
    let (landscape, job) = (landscape(scene), landform::job::Job::new());
    let mut rows = Vec::new();
    studio
        .expose(&landscape, &scene.camera, shot, &job, |band| {
            rows.extend(band.as_slice().iter().map(|[r, g, b, _]| [*r, *g, *b]));
            Ok::<_, Failed>(())
        })
        .unwrap();
    Grid::from_vec(shot.size.1 as usize, shot.size.0 as usize, rows).unwrap()
}

#[test]
fn tiny_eye_movement_leaves_the_picture_the_same() {
    let mut desk = Desk::new();
    for view in VIEWS {
        let one = hills(view);
        let mut other = one.clone();
        // A tenth of a pixel.
        let size = (1280, 720);
        other.camera.bearing += 0.1 * other.camera.fov / size.1 as f32;
        let [one, other] =
            [one, other].map(|scene| drawn(&mut desk, &scene, GroundPath::RayCast, size).0);
        let off = differences(&one, &other);
        let p99 = off[off.len() * 99 / 100];
        // Of the whole mesh, drawn with four samples a pixel, it is 5; edges that are found exactly are as
        // restless as those of triangles.
        assert!(p99 <= 4, "{view}: {p99}");
    }
}

/// Whether all around a pixel is nearly of its colour.
fn is_even(picture: &Picture, row: usize, column: usize) -> bool {
    let own = picture.at(row, column);
    let (rows, columns) = (row - 2..=row + 2, column - 2..=column + 2);
    let mut around = rows.flat_map(|row| columns.clone().map(move |column| (row, column)));
    around
        .all(|at| (0..3).all(|channel| picture.at(at.0, at.1)[channel].abs_diff(own[channel]) < 8))
}

/// Where rays run along one side of the block, there was a dark line down the other.
#[test]
fn even_sides_are_even_without_triangles() {
    let mut desk = Desk::new();
    let size = (960, 540);
    for view in [
        "camera.distance=2 camera.pitch=15",
        "view.render_type=triangles camera.distance=2 camera.pitch=15",
    ] {
        let scene = hills(view);
        let [truth, picture] = [GroundPath::Raster, GroundPath::RayCast]
            .map(|way| drawn(&mut desk, &scene, way, size).0);
        let [width, height] = [size.0 as usize, size.1 as usize];
        let places =
            (2..height - 2).flat_map(|row| (2..width - 2).map(move |column| (row, column)));
        let mut even = places.filter(|(row, column)| is_even(&truth, *row, *column));
        let off = even.find(|(row, column)| {
            let [truth, picture] = [&truth, &picture].map(|picture| picture.at(*row, *column));
            (0..3).any(|channel| truth[channel].abs_diff(picture[channel]) > 16)
        });
        assert!(off.is_none(), "{view}: {off:?}");
    }
}

#[test]
fn views_unsuited_to_planes_are_drawn_as_triangles() {
    let mut desk = Desk::new();
    for view in [
        "camera.pitch=70",
        "camera.mode=top",
        "camera.mode=fly camera.target=[0.0,-0.9,0.0] camera.distance=0.1 \
         camera.pitch=-30",
        "view.render_type=triangles view.shading=flat",
        "surface.diamond_square.edges=free view.tile=2",
    ] {
        let (_, triangles) = drawn(&mut desk, &hills(view), GroundPath::RayCast, SIZE);
        assert!(triangles > 0, "{view}");
    }
}

#[test]
fn a_driver_in_software_is_found_out() {
    let mut desk = Desk::new();
    let scene = hills("surface.iterations=4");
    desk.update(&scene);
    let (_, stats) = desk.draw(&scene, SIZE);
    let driver = desk
        .headless
        .facade()
        .get_context()
        .get_opengl_renderer_string();
    let in_software = driver.contains("llvmpipe");
    assert!(!in_software || stats.triangles == 0, "{driver}");
}

#[test]
fn picture_too_large_for_layers_is_refused() {
    let mut desk = Desk::new();
    let scene = hills("surface.iterations=2");
    drawn(&mut desk, &scene, GroundPath::RayCast, SIZE);
    let facade = desk.headless.facade();
    let huge = desk.renderer.draw(facade, &scene, (16384, 16384));
    assert!(matches!(huge, Err(RenderError::OutOfMemory { .. })));
}

#[test]
fn ground_of_the_picture_before_is_used_only_where_it_is_the_same() {
    // Only the first changes leave the ground as it is.
    let changes = [
        "",
        "light.bearing=20 light.elevation=15",
        "fog.enabled=true fog.density=2",
        "clouds.hurst=0.5",
        "surface.seed=8",
        "water.enabled=true water.level=-0.05",
        "water.level=0",
        "view.tile=3",
        "view.antialias=false",
        "camera.bearing=201",
        "surface.iterations=6",
    ];
    let size = (160, 90);
    for distance in ["camera.distance=2", "camera.distance=0.3 view.endless=true"] {
        let mut kept = Desk::of_way(GroundPath::RayCast);
        // Keeps the map while only the light changes, as in the window.
        let mut pipeline = Pipeline::default();
        let mut settings = format!("camera.pitch=35 camera.bearing=200 {distance}");
        for (number, change) in changes.iter().enumerate() {
            settings = format!("{settings} {change}");
            let scene = hills(&settings);
            let made = pipeline.run(&scene, &Inputs::default(), &Job::new());
            let uploaded = (kept.renderer).update(kept.headless.facade(), &made.expect("hills"));
            uploaded.expect("an upload");
            let limit = (number % 2 == 0).then_some(NO_TIME);
            let mut new = Desk::of_way(GroundPath::RayCast);
            new.update(&scene);
            let expected = new.picture(&scene, size);
            // The window's two buffers take turns.
            for _ in 0..2 {
                let shown = kept.developed(&scene, size, false, limit);
                assert!(shown.as_slice() == expected.as_slice(), "{settings}");
            }
        }
    }
}
