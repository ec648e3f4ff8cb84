//! Level of detail: how far off the ground is drawn, and that it has no holes.

mod pictures;

use landform::render::{Headless, Renderer};
use landform::scene::Scene;
use pictures::{landscape, scene};

const SIZE: (u32, u32) = (1280, 720);
/// Three looks at a map of 1025² samples, 3 × 3 tiles.
const GROUND: &str =
    "camera.mode=fly camera.target=[0.0,0.35,-0.5] camera.distance=0.5 camera.pitch=6";
const HILL: &str = "camera.distance=1.5 camera.pitch=20";
const OVERVIEW: &str = "camera.distance=7 camera.pitch=35";

#[test]
fn measure() {
    let headless = Headless::new().expect("OpenGL 3.3");
    let facade = headless.facade();
    let mut renderer = Renderer::new(facade).expect("a renderer");
    for ground in ["", "surface.height_scale=0.45"] {
        let base = format!(
            "view.render_type=triangles surface.iterations=10 view.tile=3 view.antialias=false {ground}"
        );
        let landscape = landscape(&scene(&base));
        renderer.update(facade, &landscape).expect("an upload");
        for view in [GROUND, HILL, OVERVIEW] {
            let truth = {
                renderer.set_full_detail(true);
                let t = renderer
                    .distances(facade, &scene(&format!("{base} {view}")), SIZE)
                    .unwrap();
                renderer.set_full_detail(false);
                t
            };
            for detail in [0.25, 0.5, 1.0, 1.5, 3.0, 6.0] {
                let scene = scene(&format!("{base} {view} view.detail={detail}"));
                let stats = renderer.draw(facade, &scene, SIZE).expect("a picture");
                let mut best = 1e9f64;
                for _ in 0..3 {
                    let started = std::time::Instant::now();
                    renderer.draw(facade, &scene, SIZE).expect("a picture");
                    renderer.read_picture(facade).unwrap();
                    best = best.min(started.elapsed().as_secs_f64() * 1e3);
                }
                let distances = renderer.distances(facade, &scene, SIZE).unwrap();
                let mut errors = distances.errors(&truth);
                errors.extend(truth.errors(&distances));
                errors.sort_by(f32::total_cmp);
                let at = |part: f32| errors[((errors.len() - 1) as f32 * part) as usize];
                println!(
                    "{ground} {view:.20} {detail} {} {best:.1} ms points {} p50 {:.2} p90 {} p95 {:.2} p99 {:.2} max {:.2}",
                    stats.triangles,
                    errors.len(),
                    at(0.5),
                    at(0.9),
                    at(0.95),
                    at(0.99),
                    at(1.0)
                );
            }
        }
    }
}
