//! Columns of basalt: on the samples of a map where it resolves them, and between its samples.

use landform::fractal::bedrock::{Bedding, Bedrock};
use landform::fractal::refinement::Refinement;
use landform::grid::Grid;
use landform::heightmap::Heightmap;
use landform::job::Job;

use crate::gullies::{assert_nested, assert_windows, below, eroded, whole};

/// Flows of basalt with columns so wide, in half tiles.
fn flows(columns: f64) -> Bedding {
    Bedding {
        thickness: 0.9,
        variety: 0.7,
        contrast: 0.8,
        roughness: 1.0,
        joints: [1.0; 2],
        blocks: [2.0; 2],
        angle: 0.25,
        tilt: [0.1, -0.05],
        folds: 0.4,
        columns,
        seed: 3,
    }
}

/// The finer levels of a map that is all basalt.
fn basalt(map: &Heightmap, levels: u32, columns: f64) -> Refinement {
    let mut refinement = below(map, levels, 1.0);
    let rock = Grid::filled(map.rows(), map.columns(), 255);
    let level = refinement.base_level;
    refinement.lay_bedrock(Bedrock::new(map, level, flows(columns), rock));
    refinement
}

/// A map of 17² samples, and the same moved by its basalt.
fn maps(wraps: bool, columns: f64) -> [Heightmap; 2] {
    let map = eroded(17, wraps, 0.05, |_, _| 0.0);
    let rock = Grid::filled(17, 17, 255);
    let mut heights = map.heights().to_vec();
    let bedrock = Bedrock::new(&map, 4, flows(columns), rock);
    bedrock.move_map(&mut heights, &Job::new()).unwrap();
    [map, Heightmap::new(17, 17, wraps, heights)]
}

/// Columns as wide as three cells of the map of 17², as one, and as a quarter.
const WIDTHS: [f64; 3] = [0.4, 0.12, 0.03];

#[test]
fn columns_leave_points_of_coarser_levels_in_place() {
    for (wraps, columns) in WIDTHS
        .iter()
        .flat_map(|width| [(false, width), (true, width)])
    {
        let [_, map] = maps(wraps, *columns);
        assert_nested(&map, |levels| basalt(&map, levels, *columns));
    }
}

#[test]
fn any_window_of_columns_matches_whole() {
    for (wraps, columns) in WIDTHS
        .iter()
        .flat_map(|width| [(false, width), (true, width)])
    {
        let [_, map] = maps(wraps, *columns);
        assert_windows(wraps, |levels| basalt(&map, levels, *columns));
    }
}

#[test]
fn columns_are_independent_of_thread_count() {
    let map = eroded(65, true, 0.05, |_, _| 0.0);
    let made = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let refinement = basalt(&map, 4, 0.03);
        pool.build().unwrap().install(|| whole(&refinement))
    };
    let one = made(1);
    assert_eq!(made(2), one);
    assert_eq!(made(7), one);
}

#[test]
fn maps_that_wrap_have_columns_that_do() {
    for columns in WIDTHS {
        let [before, after] = maps(true, columns);
        assert_ne!(before.heights(), after.heights(), "{columns}");
        for at in 0..17 {
            assert_eq!(after.at(at, 0), after.at(at, 16), "{columns}");
            assert_eq!(after.at(0, at), after.at(16, at), "{columns}");
        }
    }
}

#[test]
fn tops_of_columns_are_nearly_level() {
    // A slope of 45° with columns as wide as its cells, sixteen samples across each.
    let heights = (0..17 * 17).map(|index| 0.125 * (index % 17) as f32);
    let map = Heightmap::new(17, 17, false, heights.collect::<Vec<_>>());
    let all = whole(&basalt(&map, 4, 0.125));
    let spacing = 2.0 / 256.0;
    let rises = all.as_slice().chunks(257).flat_map(|row| row.windows(2));
    let mut rises: Vec<f64> = rises.map(|pair| (pair[1] - pair[0]) / spacing).collect();
    rises.sort_by(f64::total_cmp);
    let [middle, wall] = [rises[rises.len() / 2], rises[rises.len() * 99 / 100]];
    assert!(middle.abs() < 0.1 && wall > 5.0, "{middle} {wall}");
}
