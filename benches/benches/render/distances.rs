//! How quickly the distances of the ground are found, and how exactly.

use std::hint::black_box;

use landform::render::{Distances, Field, GroundPath};

use super::rounds::{quickest, time};
use super::{CRAGS, Desk, HILLS, ROUNDS, SIZE, VIEWS, WHOLE_ROUNDS, ground, missed, scene};

/// How many pixels two pictures of distances are apart, in half of the places and in 95 %.
fn errors(one: &Distances, other: &Distances) -> [f32; 2] {
    let errors = one.apart(other);
    [0.5, 0.95].map(|part| errors[((errors.len() - 1) as f64 * part) as usize])
}

/// Distances without triangles, against the drawing of all of them.
pub fn planes(desk: &mut Desk) {
    const LEAST: f64 = 40.0;
    println!("\nplanes: 1025², 3×3 tiles; at least {LEAST} × as fast as whole, p95 at most 1 px");
    for hurst in ["1", "0.7", "0.5"] {
        let base = ground(
            &format!("surface.hurst={hurst} surface.height_scale=0.45"),
            10,
        );
        let landscape = desk.make(&scene(&base));
        let facade = desk.headless.facade();
        desk.renderer.update(facade, &landscape).expect("an upload");
        let field = Field::new(&landscape.heights).expect("a map");
        desk.renderer.set_full_detail(true);
        for (view, camera) in VIEWS {
            let scene = scene(&format!("{base} {camera}"));
            let whole = desk.quickest(&scene, WHOLE_ROUNDS);
            let facade = desk.headless.facade();
            let truth = desk.renderer.distances(facade, &scene, SIZE);
            let truth = truth.expect("distances");
            let walk =
                || Distances::walked(&field, &scene, SIZE).expect("a view that is not steep");
            let times: Vec<_> = (0..ROUNDS)
                .map(|_| time(|| drop(black_box(walk()))))
                .collect();
            let quick = quickest(&times);
            let found = walk();
            let [middle, most] = errors(&found, &truth);
            println!(
                "  H {hurst:<3}, {view:<9} {:>7.1} ms whole {:>6.1} ms {:>6.1} ×  {} px p50, {} px p95 {}",
                whole * 1e3,
                quick * 1e3,
                whole / quick,
                middle,
                most,
                missed(whole >= LEAST * quick && most <= 1.0),
            );
        }
        desk.renderer.set_full_detail(false);
    }
}

/// `triangles` as quickly as can be against the whole mesh: by level of detail, and without triangles.
pub fn detail(desk: &mut Desk) {
    const LEAST: f64 = 25.0;
    println!(
        "\ndetail: triangles, 1025², 3×3 tiles; at least {LEAST} × as fast as whole, p95 at most 1 px"
    );
    for (kind, name) in [(HILLS, "hills"), (CRAGS, "crags")] {
        let base = ground(kind, 10);
        let landscape = desk.make(&scene(&base));
        let field = Field::new(&landscape.heights).expect("a map");
        for (view, camera) in VIEWS {
            let scene = scene(&format!("{base} {camera}"));
            desk.use_way(GroundPath::Raster, &landscape);
            desk.renderer.set_full_detail(true);
            let whole = desk.quickest(&scene, WHOLE_ROUNDS);
            let truth = desk.distances(&scene);
            desk.renderer.set_full_detail(false);
            for way in [GroundPath::Raster, GroundPath::RayCast] {
                desk.use_way(way, &landscape);
                let found = match way {
                    GroundPath::Raster => desk.distances(&scene),
                    GroundPath::RayCast => {
                        Distances::walked(&field, &scene, SIZE).expect("no steep view")
                    }
                };
                let [middle, most] = errors(&found, &truth);
                let quick = desk.quickest(&scene, ROUNDS);
                println!(
                    "  {name}, {view:<9} {way:?} {:>7.1} ms whole {:>6.1} ms {:>6.1} ×  {middle} px p50, {most} px p95{}",
                    whole * 1e3,
                    quick * 1e3,
                    whole / quick,
                    missed(way == GroundPath::Raster || (whole >= LEAST * quick && most <= 1.0)),
                );
            }
        }
    }
}
