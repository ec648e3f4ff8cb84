//! What scree slopes promise: they hold, at any size, and nothing is lost.

use crate::erosion::{made, on_threads};
use landform::generate::Generator;
use landform::heightmap::Heightmap;
use landform::job::Job;
use landform::modify::thermal::ThermalOptions;
use landform::modify::{Context, Modifier, ModifierKind};

fn slid(map: &Heightmap, options: ThermalOptions) -> Heightmap {
    let modifier = Modifier {
        thermal: options,
        ..Modifier::new(ModifierKind::Thermal)
    };
    let mut map = map.clone();
    let job = Job::new();
    let context = Context::new(5, &job);
    modifier.apply(&mut map, &context).unwrap();
    map
}

fn at(repose: f32) -> ThermalOptions {
    ThermalOptions {
        repose,
        ..ThermalOptions::default()
    }
}

/// Ground with jags of every size, nearly all of it steeper than 40°.
fn jagged(rows: usize, columns: usize) -> Heightmap {
    let noise = made(Generator::DiamondSquare, 4, 9, 0.5);
    let heights: Vec<f32> = (0..rows * columns)
        .map(|index| noise.at(index / columns % 512, index % columns % 512))
        .collect();
    Heightmap::new(rows, columns, false, heights)
}

/// Maps of all kinds: that wrap and do not, of even and odd sides, narrow ones and profiles.
fn maps() -> Vec<Heightmap> {
    let mut stitched = jagged(200, 300);
    let stitch = Modifier::new(ModifierKind::Stitch);
    let job = Job::new();
    let context = Context::new(0, &job);
    stitch.apply(&mut stitched, &context).unwrap();
    assert!(stitched.wraps());
    vec![
        made(Generator::DiamondSquare, 3, 9, 0.6),
        stitched,
        jagged(300, 417),
        jagged(257, 257),
        jagged(3, 500),
        jagged(1, 400),
        jagged(400, 1),
        made(Generator::Midpoint1d, 3, 9, 0.8),
    ]
}

/// The tangent of the steepest of the eight ways from each sample to a neighbour.
fn slopes(map: &Heightmap) -> Vec<f32> {
    let ways = [(0, 1), (1, 0), (1, 1), (1, -1)].map(|(down, along): (isize, isize)| {
        let apart = map.spacing() * ((down * down + along * along) as f32).sqrt();
        (down, along, apart)
    });
    let steepest = |index: usize| {
        let (row, column) = (index / map.columns(), index % map.columns());
        let rises = ways.iter().flat_map(|(down, along, apart)| {
            [(*down, *along), (-down, -along)]
                .map(|by| (map.neighbour(row, column, by) - map.at(row, column)).abs() / apart)
        });
        rises.fold(0.0, f32::max)
    };
    (0..map.heights().len()).map(steepest).collect()
}

/// The share of samples from which one of the eight ways is steeper, in degrees.
fn share_steeper(slopes: &[f32], degrees: f32) -> f64 {
    let limit = degrees.to_radians().tan();
    let steep = slopes.iter().filter(|slope| **slope > limit).count();
    steep as f64 / slopes.len() as f64
}

/// The mean height of all cells, those that are there twice counted once.
fn mean(map: &Heightmap) -> f64 {
    let cells = |count: usize| count - usize::from(map.wraps() && count > 1);
    let (rows, columns) = (cells(map.rows()), cells(map.columns()));
    let of_row = |row: usize| map.row(row)[..columns].iter().map(|h| f64::from(*h));
    (0..rows).flat_map(of_row).sum::<f64>() / (rows * columns) as f64
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    for map in maps() {
        let one = on_threads(1, || slid(&map, at(30.0)));
        for threads in [2, 3, 7] {
            let many = on_threads(threads, || slid(&map, at(30.0)));
            assert!(many == one, "{threads} threads");
        }
    }
}

#[test]
fn hardly_any_unstable_slope_is_left() {
    for repose in [20.0, 35.0, 55.0] {
        for map in maps() {
            let after = slopes(&slid(&map, at(repose)));
            let size = format!("{repose}°, {} × {}", map.rows(), map.columns());
            let before = share_steeper(&slopes(&map), repose + 2.0);
            assert!(before > 0.2, "{size}: {before}");
            let [two, three, six] = [2.0, 3.0, 6.0].map(|by| share_steeper(&after, repose + by));
            assert!(
                two < 0.03 && three < 0.003 && six == 0.0,
                "{size}: {two} {three} {six}"
            );
        }
    }
}

#[test]
fn no_land_is_lost() {
    for map in maps() {
        let (low, high) = map.range();
        let moved = mean(&slid(&map, at(25.0))) - mean(&map);
        assert!(moved.abs() <= 1.0e-6 * f64::from(high - low), "{moved}");
    }
}

#[test]
fn a_map_that_wraps_still_does() {
    for map in maps().iter().filter(|map| map.wraps()) {
        let after = slid(map, at(30.0));
        let (rows, columns) = (map.rows(), map.columns());
        assert!(after.wraps());
        for row in 0..rows {
            let ends = [0, columns - 1].map(|column| after.at(row, column).to_bits());
            assert_eq!(ends[0], ends[1]);
        }
        assert_eq!(after.row(0), after.row(rows - 1));
    }
}

#[test]
fn land_that_holds_stays_as_it_is() {
    for map in maps() {
        // Its steepest way becomes one of 34°.
        let steepest = slopes(&map).into_iter().fold(0.0, f32::max);
        let by = 34f32.to_radians().tan() / steepest;
        let heights: Vec<f32> = map.heights().iter().map(|height| height * by).collect();
        let holds = Heightmap::new(map.rows(), map.columns(), map.wraps(), heights);
        assert_eq!(slid(&holds, at(35.0)), holds);
        assert_ne!(slid(&holds, at(30.0)), holds);
    }
}

#[test]
fn another_iteration_moves_shared_points_little() {
    for (generator, hurst, repose) in [
        (Generator::DiamondSquare, 0.85, 15.0),
        (Generator::DiamondSquare, 0.6, 30.0),
        (Generator::Perlin, 0.85, 15.0),
        (Generator::Midpoint, 0.85, 15.0),
    ] {
        let [coarse, fine] =
            [9, 10].map(|iterations| slid(&made(generator, 1, iterations, hurst), at(repose)));
        let middle = mean(&coarse);
        let (mut moved, mut spread) = (0.0, 0.0);
        for row in 0..coarse.rows() {
            for column in 0..coarse.columns() {
                let height = coarse.at(row, column);
                moved += f64::from(height - fine.at(2 * row, 2 * column)).powi(2);
                spread += (f64::from(height) - middle).powi(2);
            }
        }
        let share = (moved / spread).sqrt();
        assert!(share <= 0.03, "{generator}, H {hurst}: {share}");
    }
}

#[test]
fn a_turned_map_becomes_the_turned_map() {
    let turned = |map: &Heightmap| {
        let (rows, columns) = (map.rows(), map.columns());
        let height = |index: usize| map.at(index % rows, columns - 1 - index / rows);
        let heights: Vec<f32> = (0..rows * columns).map(height).collect();
        Heightmap::new(columns, rows, map.wraps(), heights)
    };
    for map in [made(Generator::DiamondSquare, 3, 8, 0.6), jagged(257, 129)] {
        let (one_way, other_way) = (slid(&turned(&map), at(30.0)), turned(&slid(&map, at(30.0))));
        let pairs = one_way.heights().iter().zip(other_way.heights());
        let apart = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(apart < 1.0e-5, "{apart}");
    }
}

#[test]
fn a_cliff_becomes_a_slope_around_its_middle() {
    let side = 257;
    let cliff = |column: usize| if column < 128 { 0.25 } else { -0.25 };
    let heights: Vec<f32> = (0..side * side).map(|index| cliff(index % side)).collect();
    let after = slid(&Heightmap::new(side, side, false, heights), at(45.0));
    let spacing = after.spacing();
    for row in 0..side {
        for column in 0..side {
            let away = (127.5 - column as f32) * spacing;
            let apart = (after.at(row, column) - away.clamp(-0.25, 0.25)).abs();
            assert!(apart < 0.025, "{row}, {column}: {apart}");
        }
    }
}

#[test]
fn a_needle_falls_without_a_hollow_around_it() {
    let side = 257;
    let mut heights = vec![0.0; side * side];
    heights[128 * side + 128] = 0.5;
    let after = slid(&Heightmap::new(side, side, false, heights), at(35.0));
    let (low, high) = after.range();
    assert!(low > -1.0e-3 && high < 0.05, "{low} to {high}");
    assert_eq!(after.at(128, 64), 0.0);
}

#[test]
fn the_amount_is_a_share_of_the_way() {
    let map = jagged(100, 130);
    let [none, half, all] =
        [0.0, 0.5, 1.0].map(|amount| slid(&map, ThermalOptions { amount, ..at(30.0) }));
    assert_eq!(none, map);
    let ends = map.heights().iter().zip(all.heights());
    for ((from, to), half) in ends.zip(half.heights()) {
        assert!((half - 0.5 * (from + to)).abs() < 1.0e-6);
    }
}

#[test]
fn any_map_stays_finite() {
    for (rows, columns) in [
        (1, 1),
        (1, 2),
        (2, 2),
        (2, 5),
        (3, 3),
        (1, 65),
        (65, 1),
        (65, 64),
    ] {
        for wraps in [false, true] {
            for height in [0.0, -3.0, 1e12, -1e12] {
                let flat = Heightmap::new(rows, columns, wraps, vec![height; rows * columns]);
                assert_eq!(slid(&flat, at(1.0)), flat);
            }
            let board = |index: usize| match (index / columns + index % columns) % 2 {
                _ if wraps => 1e12,
                0 => 1e12,
                _ => -1e12,
            };
            let heights: Vec<f32> = (0..rows * columns).map(board).collect();
            let after = slid(&Heightmap::new(rows, columns, wraps, heights), at(89.0));
            assert!(after.heights().iter().all(|h| h.abs() <= 1e12));
        }
    }
}
