//! What lies between the samples of eroded land: gullies down its slopes, little on sediment.

use std::sync::Arc;

use landform::fractal::gullies::Gullies;
use landform::fractal::refinement::{Below, Refinement};
use landform::fractal::region::{Region, Window};
use landform::generate::Generator;
use landform::grid::Grid;
use landform::heightmap::{Heightmap, Worn};
use landform::inputs::Inputs;
use landform::job::Job;
use landform::modify::{Modifier, ModifierKind};
use landform::pipeline;
use landform::scene::Scene;

/// A map of so many samples a side that rises towards the east, with some roughness, on which so much
/// sediment lies.
pub fn eroded(
    side: usize,
    wraps: bool,
    rise: f32,
    sediment: impl Fn(usize, usize) -> f32,
) -> Heightmap {
    let cells = side - 1;
    let place = |at: usize| if wraps { at % cells } else { at };
    let rough = |row: usize, column: usize| ((row * 131 + column * 7919) % 101) as f32 / 101.0;
    let at = |index: usize| (place(index / side), place(index % side));
    let all = 0..side * side;
    let heights = all.clone().map(at).map(|(row, column)| {
        // On a map that wraps it rises and falls.
        let up = if wraps {
            column.min(cells - column)
        } else {
            column
        };
        rise * up as f32 + 0.02 * rough(row, column)
    });
    let sediment = all.map(at).map(|(row, column)| sediment(row, column));
    let worn = Worn {
        wear: vec![0.1; side * side].into(),
        sediment: sediment.collect::<Vec<_>>().into(),
    };
    let heights: Vec<_> = heights.collect();
    Heightmap::new(side, side, wraps, heights).with_worn(Some(Arc::new(worn)))
}

pub fn below(map: &Heightmap, levels: u32, strength: f32) -> Refinement {
    let below = Below {
        levels,
        hurst: 0.8,
        strength,
        seed: 3,
    };
    Refinement::below(map, &below, &Job::new()).unwrap()
}

pub fn whole(refinement: &Refinement) -> Grid<f64> {
    let [rows, columns] = refinement.size();
    let region = Region {
        row: 0,
        column: 0,
        rows,
        columns,
    };
    refinement.double(region, &Job::new()).unwrap()
}

pub fn window(
    refinement: &Refinement,
    level: u32,
    [row, column]: [i64; 2],
    side: usize,
) -> Grid<f64> {
    let window = Window {
        row,
        column,
        rows: side,
        columns: side,
    };
    refinement.window(level, window, &Job::new()).unwrap()
}

/// Checks that the finer levels of a map leave all points of coarser levels in place.
pub fn assert_nested(map: &Heightmap, finer: impl Fn(u32) -> Refinement) {
    let heights = map.heights().iter().map(|height| f64::from(*height));
    let mut above = Grid::from_vec(map.rows(), map.columns(), heights.collect()).unwrap();
    for levels in 0..7 {
        let all = whole(&finer(levels));
        let step = if levels == 0 { 1 } else { 2 };
        for row in 0..above.rows() {
            for column in 0..above.columns() {
                let here = all.at(row * step, column * step);
                assert_eq!(here, above.at(row, column), "{levels}: {row}, {column}");
            }
        }
        above = all;
    }
}

/// Checks that any window of any finer level of a map is the same part of the whole level.
pub fn assert_windows(wraps: bool, finer: impl Fn(u32) -> Refinement) {
    let deepest = finer(6);
    for levels in 1..=6 {
        let refinement = finer(levels);
        let level = refinement.level();
        let all = whole(&refinement);
        let cells = all.rows() as i64 - 1;
        let inside = [[0, 0], [1, 3], [5, 2], [cells - 8, cells - 8]];
        let beyond = [[-5, 3], [cells - 3, -2], [3 * cells + 1, -cells]];
        let beyond = beyond.iter().filter(|_| wraps);
        for place in inside.iter().chain(beyond) {
            // A map that goes on further has the same levels on the way.
            let part = window(&deepest, level, *place, 9);
            for row in 0..9 {
                for column in 0..9 {
                    let [south, east] = [place[0] + row, place[1] + column];
                    let at = |at: i64| match at {
                        at if (0..=cells).contains(&at) => at as usize,
                        at => at.rem_euclid(cells) as usize,
                    };
                    let wanted = all.at(at(south), at(east));
                    let here = part.at(row as usize, column as usize);
                    assert_eq!(here, wanted, "{levels}, {place:?}: {row}, {column}");
                }
            }
        }
    }
}

#[test]
fn gullies_leave_points_of_coarser_levels_in_place() {
    for wraps in [false, true] {
        let map = eroded(17, wraps, 0.05, |_, _| 0.0);
        assert_nested(&map, |levels| below(&map, levels, 1.0));
    }
}

#[test]
fn any_window_of_eroded_land_matches_whole() {
    for wraps in [false, true] {
        let map = eroded(17, wraps, 0.05, |_, _| 0.0);
        assert_windows(wraps, |levels| below(&map, levels, 1.0));
    }
}

#[test]
fn gullies_are_independent_of_thread_count() {
    let map = eroded(65, true, 0.05, |_, _| 0.0);
    let made = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build()
            .unwrap()
            .install(|| whole(&below(&map, 4, 1.0)))
    };
    let one = made(1);
    assert_eq!(made(2), one);
    assert_eq!(made(5), one);
}

/// The mean difference of a map's points and those so many south or east of them, of what lies above
/// the slope.
fn differences(all: &Grid<f64>, rise: f64, [south, east]: [usize; 2]) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for row in 0..all.rows() - south {
        for column in 0..all.columns() - east {
            let off = all.at(row + south, column + east) - all.at(row, column);
            sum += (off - rise * east as f64).abs();
            count += 1.0;
        }
    }
    sum / count
}

#[test]
fn gullies_run_down_the_slope() {
    // Eight points of the finest level are half a sample of the map.
    let rise = 0.05;
    let ratio = |map: &Heightmap| {
        let all = whole(&below(map, 4, 1.0));
        let by = |way| differences(&all, f64::from(rise) / 16.0, way);
        by([8, 0]) / by([0, 8])
    };
    let map = eroded(65, false, rise, |_, _| 0.0);
    let across = ratio(&map);
    assert!(across > 1.3, "{across}");
    let untouched = Heightmap::new(65, 65, false, map.heights().to_vec());
    let plain = ratio(&untouched);
    assert!((0.9..1.1).contains(&plain), "{plain}");
}

/// How far a map's points lie from what lies straight between its samples, in its west and its east.
fn detail(map: &Heightmap) -> [f64; 2] {
    let (rough, smooth) = (below(map, 4, 1.0), below(map, 4, 0.0));
    let [rough, smooth] = [whole(&rough), whole(&smooth)];
    let half = rough.columns() / 2;
    // What is in between has some of both.
    [0..half - 96, half + 96..rough.columns()].map(|columns| {
        let (mut sum, mut count) = (0.0, 0.0);
        for row in 0..rough.rows() {
            for column in columns.clone() {
                sum += (rough.at(row, column) - smooth.at(row, column)).abs();
                count += 1.0;
            }
        }
        sum / count
    })
}

#[test]
fn sediment_hides_what_is_rough_below_it() {
    for rise in [0.0, 0.05] {
        let [bare, covered] = detail(&eroded(65, false, rise, |_, column| {
            if column < 32 { 0.0 } else { 0.2 }
        }));
        assert!(covered < 0.1 * bare, "{rise}: {covered} and {bare}");
        assert!(covered > 0.0);
        let [one, other] = detail(&eroded(65, false, rise, |_, _| 0.0));
        assert!(
            (0.8..1.25).contains(&(one / other)),
            "{rise}: {one} and {other}"
        );
    }
}

#[test]
fn eroded_plains_and_lakes_are_smoother_than_slopes() {
    let mut scene = Scene::default();
    scene.surface.generator = Generator::Fourier;
    (scene.surface.iterations, scene.surface.hurst) = (8, 0.9);
    scene.modifiers = vec![Modifier::new(ModifierKind::Erosion)];
    let map = pipeline::heights(&scene, &Inputs::default(), &Job::new()).unwrap();
    let mut refined = |strength: f32| {
        scene.detail.strength = strength;
        whole(&pipeline::refined(&map, &scene, 3, &Job::new()).unwrap())
    };
    let (rough, smooth) = (refined(1.0), refined(0.0));
    let (low, high) = map.range();
    let thick = &map.worn().unwrap().sediment;
    // Sums over cells: of plains with sediment, and of bare slopes.
    let mut sums = [[0.0; 2]; 2];
    for row in 1..map.rows() - 1 {
        for column in 1..map.columns() - 1 {
            let rise = |a: f32, b: f32| (a - b) / (2.0 * map.spacing());
            let south = rise(map.at(row + 1, column), map.at(row - 1, column));
            let east = rise(map.at(row, column + 1), map.at(row, column - 1));
            let (steep, thick) = (south.hypot(east), thick[row * map.columns() + column]);
            let is_plain = thick > 0.01 * (high - low) && steep < 0.05;
            let is_slope = thick < 1e-4 * (high - low) && steep > 0.5;
            if !(is_plain || is_slope) {
                continue;
            }
            let sum = &mut sums[usize::from(is_slope)];
            for point in 0..16 {
                let (row, column) = (8 * row + point / 4, 8 * column + point % 4);
                let off = rough.at(row, column) - smooth.at(row, column);
                sum[0] += off.abs();
                sum[1] += 1.0;
            }
        }
    }
    let [plain, slope] = sums.map(|[sum, count]| sum / count);
    assert!(sums.iter().all(|[_, count]| *count > 1000.0), "{sums:?}");
    assert!(plain < 0.03 * slope, "{plain} and {slope}");
}

#[test]
fn level_ground_and_lakes_have_no_gullies() {
    let level = |height: f32| {
        let worn = Worn {
            wear: vec![0.1; 33 * 33].into(),
            sediment: vec![0.1; 33 * 33].into(),
        };
        let map = Heightmap::new(33, 33, false, vec![height; 33 * 33]);
        map.with_worn(Some(Arc::new(worn)))
    };
    let all = whole(&below(&level(0.25), 6, 1.0));
    assert!(all.as_slice().iter().all(|height| *height == 0.25));
}

#[test]
fn land_that_has_not_eroded_has_none() {
    let map = eroded(33, false, 0.05, |_, _| 0.1);
    let has = |map: &Heightmap| {
        let gullies: Option<Gullies> = below(map, 3, 1.0).gullies;
        gullies.is_some()
    };
    assert!(has(&map));
    assert!(!has(&Heightmap::new(33, 33, false, map.heights().to_vec())));
}
