//! The height at a place of the ground, between the samples of a level.

use landform::fractal::region::Window;
use landform::inputs::Inputs;
use landform::job::Job;
use landform::pipeline::{Landscape, Lattice, Pipeline};
use landform::scene::Scene;

fn land(settings: &[(&str, &str)]) -> Landscape {
    let put = |scene: Scene, (key, value): &(&str, &str)| scene.with(key, value).unwrap();
    let scene = settings.iter().fold(Scene::default(), put);
    Pipeline::default()
        .run(&scene, &Inputs::default(), &Job::new())
        .unwrap()
}

/// Of windows of four samples alone, mixed as triangles are.
fn of_a_cell(lattice: &Lattice<'_>, level: u32, x: f64, z: f64) -> f64 {
    let last = lattice.last(level);
    let place = lattice.place(level, x, z);
    let cell = [0, 1].map(|axis| (place[axis].floor() as i64).min(last[axis] - 1));
    let [east, south] = [0, 1].map(|axis| place[axis] - cell[axis] as f64);
    let window = Window {
        row: cell[1],
        column: cell[0],
        rows: 2,
        columns: 2,
    };
    let corners = lattice.heights(level, window);
    let rises = |to: usize, from: usize| corners[to] - corners[from];
    if south > east {
        corners[0] + south * rises(2, 0) + east * rises(3, 2)
    } else {
        corners[0] + east * rises(1, 0) + south * rises(3, 1)
    }
}

#[test]
fn place_heights_are_independent_of_earlier_queries() {
    let wet: &[_] = &[
        ("surface.iterations", "6"),
        ("surface.generator", "fourier"),
        ("modifiers.0.kind", "erosion"),
        ("water.rivers", "true"),
    ];
    let free: &[_] = &[
        ("surface.iterations", "5"),
        ("surface.diamond_square.edges", "free"),
    ];
    let wrapped: &[_] = &[("surface.iterations", "5"), ("view.tile", "3")];
    for (settings, tiles) in [(wet, 1), (free, 1), (wrapped, 3)] {
        let land = land(settings);
        let below = land.below.as_ref().unwrap();
        let lattice = Lattice::new(below, tiles).unwrap();
        let reach = f64::from(tiles);
        // Towards a corner and the middle of a side, and from there to places all over: there and back,
        // more of them than are kept.
        let mut places = Vec::new();
        for step in 0..400 {
            let near = 0.97_f64.powi(step);
            places.push([reach, reach].map(|end| end - 1.9 * reach * near));
            places.push([reach * (1.0 - near), -reach]);
            let at = f64::from(step) / 400.0;
            places.push([
                reach * (2.0 * at - 1.0),
                reach * (1.0 - 2.0 * (at * 7.0).fract()),
            ]);
        }
        let turns = (places.iter().chain(places.iter().rev())).enumerate();
        for (turn, [x, z]) in turns {
            let level = lattice.level() + turn as u32 % 9;
            let height = lattice.height(level, *x, *z).expect("it is on the ground");
            let alone = of_a_cell(&lattice, level, *x, *z);
            assert!(
                (height - alone).abs() < 1e-12,
                "{settings:?} {level} {x} {z}"
            );
        }
        assert_eq!(lattice.height(lattice.level(), 1.01 * reach, 0.0), None);
    }
}

#[test]
fn places_of_one_and_many_tiles_stay_distinct() {
    let land = land(&[("surface.iterations", "5")]);
    let below = land.below.as_ref().unwrap();
    let [one, three] = [1, 3].map(|tiles| Lattice::new(below, tiles).unwrap());
    let level = one.level() + 3;
    for step in 0..50 {
        let [x, z] = [0.37, 0.81].map(|by: f64| (by * f64::from(step)).fract() * 2.0 - 1.0);
        let heights = [one, three].map(|lattice| lattice.height(level, x, z).unwrap());
        assert!(
            (heights[0] - heights[1]).abs() < 1e-9,
            "{x} {z}: {heights:?}"
        );
    }
}
