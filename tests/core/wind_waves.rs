//! Wind waves grow with wind and fetch, and the map of the fetch knows land, wind and tiles that repeat.

use landform::grid::Grid;
use landform::heightmap::Heightmap;
use landform::inputs::Inputs;
use landform::job::Job;
use landform::pipeline::Pipeline;
use landform::scene::Scene;
use landform::wind_waves::{OPEN_TILES, fetch_map, peak_length, significant_height};

/// Cells along a side of a map.
const CELLS: usize = 64;

/// The fetch on a map with land where `is_land`, by row and column of the cell.
fn fetch(wraps: bool, is_land: impl Fn(usize, usize) -> bool) -> Grid<u8> {
    let side = CELLS + 1;
    let heights = (0..side * side).map(|at| {
        let [row, column] = [at / side, at % side].map(|place| place % CELLS);
        if is_land(row, column) { 1.0 } else { -1.0 }
    });
    let map = Heightmap::new(side, side, wraps, heights.collect::<Vec<_>>());
    fetch_map(&map, 0.0, true, &Job::new()).unwrap()
}

/// Mean fetch around a cell, in cells.
fn cells(map: &Grid<u8>, row: usize, column: usize) -> f32 {
    let around =
        (row - 1..=row + 1).flat_map(|row| (column - 1..=column + 1).map(move |at| (row, at)));
    let fetch = around.map(|(row, column)| (f32::from(map.at(row, column)) / 255.0).powi(2));
    fetch.sum::<f32>() / 9.0 * OPEN_TILES * CELLS as f32
}

/// True outside a square of water around the middle.
fn pond(half: usize) -> impl Fn(usize, usize) -> bool {
    move |row, column| row.abs_diff(CELLS / 2) > half || column.abs_diff(CELLS / 2) > half
}

#[test]
fn waves_grow_with_wind_and_fetch() {
    for measure in [significant_height, peak_length] {
        for [weak, strong] in [[2.0, 5.0], [5.0, 10.0], [10.0, 20.0]] {
            for [short, long] in [[10.0, 300.0], [300.0, 5e3]] {
                assert!(measure(weak, short) < measure(strong, short));
                assert!(measure(strong, short) < measure(strong, long));
            }
        }
        assert!(measure(0.0, 1e4) < 1e-6);
    }
}

#[test]
fn published_heights_and_lengths_of_waves() {
    // A wind of 10 m/s over 10 km: 0.51 m and 2.9 s; for ever: 2.5 m and 8.3 s (Shore Protection Manual 1984).
    let near = |value: f32, wanted: f32| (value / wanted - 1.0).abs() < 0.03;
    let length = |period: f32| 9.81 * period * period / std::f32::consts::TAU;
    assert!(near(significant_height(10.0, 1e4), 0.511));
    assert!(near(peak_length(10.0, 1e4), length(2.90)));
    assert!(near(significant_height(10.0, 1e9), 2.47));
    assert!(near(peak_length(10.0, 1e9), length(8.29)));
}

#[test]
fn fetch_in_ponds_is_about_their_size() {
    let middle = |half: usize| cells(&fetch(false, pond(half)), CELLS / 2, CELLS / 2);
    let [small, large] = [middle(4), middle(20)];
    assert!((3.0..8.0).contains(&small), "{small}");
    assert!((15.0..30.0).contains(&large), "{large}");
    assert!(
        fetch(false, |_, _| false)
            .as_slice()
            .iter()
            .all(|fetch| *fetch == 255)
    );
}

#[test]
fn lee_of_an_island_is_calm() {
    let middle = CELLS / 2;
    let island = fetch(false, |row, column| {
        row.abs_diff(middle) < 16 && column.abs_diff(middle) < 4
    });
    // The wind blows from the west.
    let [windward, lee] = [middle - 7, middle + 7].map(|column| cells(&island, middle, column));
    assert!(windward > 0.95 * OPEN_TILES * CELLS as f32, "{windward}");
    assert!(lee < 0.3 * windward, "{lee} {windward}");
    let far = cells(&island, middle, middle + 27);
    assert!(lee < far && far < windward, "{lee} {far} {windward}");
}

#[test]
fn shores_have_the_fetch_of_the_water_before_them() {
    let coast = fetch(false, |_, column| column >= 40);
    let [water, shore, inland] = [38, 40, 50].map(|column| i32::from(coast.at(32, column)));
    assert!((water - shore).abs() < 3 && water > 250, "{water} {shore}");
    assert_eq!(inland, 0);
}

#[test]
fn fetch_goes_on_across_tiles_that_repeat() {
    // Land in the west: alone, the tile has open sea north and south of it; repeated, it has a coast.
    let is_land = |_: usize, column: usize| column < 8;
    let [once, repeated] = [false, true].map(|wraps| cells(&fetch(wraps, is_land), 32, 60));
    assert!((55.0..90.0).contains(&repeated), "{repeated}");
    assert!(repeated < 0.7 * once, "{repeated} {once}");
    // A shifted map has the shifted fetch.
    let place = |shift: usize| {
        move |row: usize, column: usize| {
            let [row, column] = [row, column].map(|at| (at + shift) % CELLS);
            pond(12)(row, column)
        }
    };
    let [here, shifted] = [0, 20].map(|shift| fetch(true, place(shift)));
    for row in 0..CELLS {
        for column in 0..CELLS {
            let moved = shifted.at((row + CELLS - 20) % CELLS, (column + CELLS - 20) % CELLS);
            assert!(here.at(row, column).abs_diff(moved) <= 1, "{row} {column}");
        }
    }
}

#[test]
fn threads_change_no_fetch() {
    let made = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(|| fetch(true, pond(20)))
    };
    assert!(made(1) == made(3));
}

#[test]
fn landscapes_with_a_sea_have_a_fetch() {
    let mut pipeline = Pipeline::default();
    let mut has_fetch = |settings: &[(&str, &str)]| {
        let scene = settings
            .iter()
            .fold(Scene::default(), |scene, (key, value)| {
                scene.with(key, value).unwrap()
            });
        let landscape = pipeline
            .run(&scene, &Inputs::default(), &Job::new())
            .unwrap();
        landscape.fetch.is_some()
    };
    let few = ("surface.iterations", "4");
    let (landscape, sea) = (("view.render_type", "landscape"), ("water.enabled", "true"));
    assert!(has_fetch(&[few, landscape, sea]));
    assert!(!has_fetch(&[few, landscape]));
    assert!(!has_fetch(&[few, ("view.render_type", "lines"), sea]));
}
