//! Any ground goes on below its last level.

use landform::fractal::refinement::{Below, Refinement, level_of};
use landform::fractal::region::{Region, Window};
use landform::fractal::roughness::roughness;
use landform::fractal::{Distribution, Edges, Rule};
use landform::generate::{Detail, Images, Precision, Surface};
use landform::grid::Grid;
use landform::heightmap::Heightmap;
use landform::job::Job;
use landform::rng::{Rng, Stage};
use proptest::prelude::*;

/// A map of so many samples, free of any order.
fn map(rows: usize, columns: usize, wraps: bool) -> Heightmap {
    let height = |index: usize| ((index * 7919) % 101) as f32 / 101.0 - 0.4;
    let mut heights = Grid::filled(rows, columns, 0.0);
    for row in 0..rows {
        for column in 0..columns {
            let at = |index: usize, side: usize| if wraps { index % (side - 1) } else { index };
            let index = at(row, rows) * columns + at(column, columns);
            heights.set(row, column, height(index + 13));
        }
    }
    Heightmap::new(rows, columns, wraps, heights.into_vec())
}

fn below(map: &Heightmap, levels: u32, hurst: f32) -> Refinement {
    let below = Below {
        levels,
        hurst,
        strength: 1.0,
        seed: 5,
    };
    Refinement::below(map, &below, &Job::new()).unwrap()
}

/// The definition, a point at a time: the whole map of the finest level in 64 bits, rounded to 32
/// after every operation down to `single_to`.
fn plain(refinement: &Refinement) -> Grid<f64> {
    let Refinement {
        rule,
        base_level,
        base,
        roughness,
        gullies: None,
        bedrock: None,
        function: None,
        single_to,
    } = refinement
    else {
        panic!("the plain loop knows no gullies, rock or functions");
    };
    let wraps = rule.edges == Edges::Wrap;
    let mut all = Grid::filled(base.rows(), base.columns(), 0.0);
    for row in 0..base.rows() {
        (0..base.columns()).for_each(|c| all.set(row, c, f64::from(base.at(row, c))));
    }
    for pass in *base_level..rule.amplitudes.len() as u32 {
        let (rows, columns) = (2 * all.rows() - 1, 2 * all.columns() - 1);
        let rounded = |number: f64| match pass < *single_to {
            true => f64::from(number as f32),
            false => number,
        };
        let mut finer = Grid::filled(rows, columns, f64::NAN);
        for row in 0..all.rows() {
            (0..all.columns()).for_each(|c| finer.set(2 * row, 2 * c, all.at(row, c)));
        }
        for (half, stage) in [Stage::Diamond, Stage::Square].into_iter().enumerate() {
            let range = rule.amplitudes[pass as usize][half];
            for row in 0..rows {
                if (half == 0 && row % 2 == 0) || (half == 1 && wraps && row == rows - 1) {
                    continue;
                }
                let line = if half == 0 { row / 2 } else { row };
                let mut numbers = rule.stream(stage, pass).row(line as u64);
                let first = if half == 0 { 1 } else { (row + 1) % 2 };
                let last = columns - usize::from(half == 1 && wraps);
                for column in (first..last).step_by(2) {
                    let variate = rule.variate(numbers.next_u32());
                    let mut moved = range * variate;
                    if let Some(roughness) = roughness {
                        let places = |at: usize, side: usize| {
                            let finer = 2_usize << (pass - base_level);
                            let part = (at % finer) as f32 / finer as f32;
                            (at / finer, (at / finer + 1).min(side - 1), part)
                        };
                        let (north, south, down) = places(row, base.rows());
                        let (west, east, across) = places(column, base.columns());
                        let mix = |a: f32, b: f32, part: f32| a + (b - a) * part;
                        let on = |r| mix(roughness.at(r, west), roughness.at(r, east), across);
                        moved *= mix(on(north), on(south), down);
                    }
                    let at = |down: isize, across: isize| {
                        let place = |at: isize, side: usize| match wraps {
                            true => Some(at.rem_euclid(side as isize - 1) as usize),
                            false => usize::try_from(at).ok().filter(|at| *at < side),
                        };
                        let row = place(row as isize + down, rows)?;
                        Some(finer.at(row, place(column as isize + across, columns)?))
                    };
                    let add = |a: Option<f64>, b: Option<f64>| match (a, b) {
                        (Some(a), Some(b)) => Some(rounded(a + b)),
                        (one, other) => one.or(other),
                    };
                    let around: [Option<f64>; 4] = match half {
                        0 => [at(-1, -1), at(-1, 1), at(1, -1), at(1, 1)],
                        _ => [at(-1, 0), at(1, 0), at(0, -1), at(0, 1)],
                    };
                    let [a, b, c, d] = around;
                    // On a free border the pair along it comes first.
                    let sum = match around.iter().flatten().count() {
                        3 if c.is_none() || d.is_none() => add(add(a, b), add(c, d)),
                        3 => add(add(c, d), add(a, b)),
                        _ => add(add(a, b), add(c, d)),
                    };
                    let count = around.iter().flatten().count() as f64;
                    let mean = rounded(sum.unwrap() / count);
                    finer.set(row, column, rounded(mean + f64::from(moved)));
                }
            }
            // A wrapped map ends as it begins, also between the two half steps.
            if wraps {
                (0..columns).for_each(|c| finer.set(rows - 1, c, finer.at(0, c)));
                (0..rows).for_each(|r| finer.set(r, columns - 1, finer.at(r, 0)));
            }
        }
        all = finer;
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn rectangles_below_any_base_match_the_plain_loop(
        sides in (2usize..7, 2usize..7),
        levels in 0u32..5,
        wraps in any::<bool>(),
        single in 0u32..5,
        from in (0.0f64..1.0, 0.0f64..1.0),
        size in (0.0f64..1.0, 0.0f64..1.0),
    ) {
        let base = map(sides.0, sides.1, wraps);
        let mut refinement = below(&base, levels, 0.6);
        refinement.single_to = refinement.base_level + single;
        let all = plain(&refinement);
        prop_assert_eq!(refinement.size(), [all.rows(), all.columns()]);
        let span = |from: f64, size: f64, side: usize| {
            let first = (from * side as f64) as usize;
            (first, 1 + (size * (side - first - 1) as f64).round() as usize)
        };
        let (row, rows) = span(from.0, size.0, all.rows());
        let (column, columns) = span(from.1, size.1, all.columns());
        let region = Region { row: row as u64, column: column as u64, rows, columns };
        let double = refinement.double(region, &Job::new()).unwrap();
        for line in 0..rows {
            let expected = &all.row(row + line)[column..][..columns];
            prop_assert_eq!(double.row(line), expected, "{:?}, row {}", region, line);
        }
        if refinement.is_single() {
            let single = refinement.single(region, &Job::new()).unwrap();
            let same = single.as_slice().iter().zip(double.as_slice());
            prop_assert!(same.into_iter().all(|(a, b)| f64::from(*a) == *b));
        }
    }
}

#[test]
fn untouched_diamond_square_levels_equal_more_iterations() {
    let (images, job) = (Images::default(), Job::new());
    let at = |iterations, levels, detail: &Detail| {
        let surface = Surface {
            seed: 9,
            iterations,
            ..Surface::default()
        };
        let made = surface.refinement(detail, levels, &images, &job);
        made.unwrap().unwrap()
    };
    let plain = Detail::default();
    let region = Region {
        row: 300_000,
        column: 77,
        rows: 40,
        columns: 50,
    };
    assert_eq!(
        at(6, 14, &plain),
        at(
            20,
            0,
            &Detail {
                precision: Precision::Double,
                ..plain.clone()
            }
        )
    );
    let (below, more) = (at(6, 14, &plain), at(20, 0, &plain));
    assert_eq!(below.single(region, &job), more.single(region, &job));
    // A map of up to 31 iterations keeps its 32 bits, unless it is asked for more.
    assert!(at(31, 0, &plain).is_single());
    assert!(!at(21, 10, &plain).is_single());
    let double = Detail {
        precision: Precision::Double,
        ..plain.clone()
    };
    assert!(!at(21, 0, &double).is_single());
    assert_eq!(at(31, 0, &double), at(21, 10, &double));
    // An H and a strength of their own are those of the levels below alone.
    let rough = Detail {
        hurst: Some(0.2),
        strength: 2.0,
        ..plain.clone()
    };
    let (own, plain) = (at(6, 3, &rough), at(9, 0, &plain));
    assert_eq!(own.rule.amplitudes[..6], plain.rule.amplitudes[..6]);
    let ratio = |pass: usize| own.rule.amplitudes[pass][1] / plain.rule.amplitudes[pass][1];
    let falls = [2.0, 2.0 * 2.0_f32.powf(0.5), 4.0];
    for (pass, factor) in falls.into_iter().enumerate() {
        assert!((ratio(6 + pass) / factor - 1.0).abs() < 1e-5, "{pass}");
    }
}

#[test]
fn levels_agree_on_shared_points_at_every_depth() {
    let job = Job::new();
    let base = map(9, 5, true);
    let mut last: Option<Grid<f64>> = None;
    for levels in [4, 5, 16, 17, 18, 19, 40, 41, 56] {
        let refinement = below(&base, levels, 0.7);
        let region = Region {
            row: (11 << levels) >> 2,
            column: (5 << levels) >> 2,
            rows: 17,
            columns: 33,
        };
        let heights = refinement.double(region, &job).unwrap();
        if let Some(coarser) = last.filter(|_| [5, 17, 18, 19, 41].contains(&levels)) {
            for row in 0..9 {
                for column in 0..17 {
                    let (here, above) = (heights.at(2 * row, 2 * column), coarser.at(row, column));
                    assert_eq!(here.to_bits(), above.to_bits(), "{levels}: {row}, {column}");
                }
            }
        }
        last = Some(heights);
    }
}

#[test]
fn map_stays_unchanged_and_its_edges_join() {
    let job = Job::new();
    for wraps in [true, false] {
        let base = map(9, 17, wraps);
        let refinement = below(&base, 3, 0.5);
        let [rows, columns] = refinement.size();
        let all = Region {
            row: 0,
            column: 0,
            rows,
            columns,
        };
        let heights = refinement.single(all, &job).unwrap();
        for row in 0..9 {
            for column in 0..17 {
                assert_eq!(heights.at(8 * row, 8 * column), base.at(row, column));
            }
        }
        let is_same = |row: usize| heights.at(row, 0) == heights.at(row, columns - 1);
        assert_eq!((0..rows).all(is_same), wraps);
    }
}

#[test]
fn level_above_base_has_every_second_point() {
    for (wraps, first) in [(true, -3), (false, 1)] {
        let base = map(17, 33, wraps);
        let refinement = below(&base, 2, 0.5);
        for (coarser, stride) in [(1, 2), (2, 4), (3, 8)] {
            let level = refinement.base_level - coarser;
            let [rows, columns] = refinement.cells(level);
            assert_eq!([rows * stride, columns * stride], [16, 32]);
            let window = Window {
                row: first,
                column: first,
                rows: 2,
                columns: 3,
            };
            let heights = refinement.window(level, window, &Job::new()).unwrap();
            for row in 0..2 {
                for column in 0..3 {
                    let place = |index: i64, cells: i64| match stride * (first + index) {
                        index if wraps => index.rem_euclid(cells) as usize,
                        index => index as usize,
                    };
                    let there = base.at(place(row, 16), place(column, 32));
                    assert_eq!(heights.at(row as usize, column as usize), f64::from(there));
                }
            }
        }
    }
}

#[test]
fn forty_levels_keep_heights_distinct_at_every_h() {
    let job = Job::new();
    let surface = |hurst, iterations| Surface {
        hurst,
        iterations,
        ..Surface::default()
    };
    let made = |hurst, iterations| {
        let made =
            surface(hurst, iterations).refinement(&Detail::default(), 0, &Images::default(), &job);
        made.unwrap().unwrap()
    };
    for hurst in [0.0, 0.5, 0.7, 1.0] {
        let region = Region {
            row: (1 << 40) / 3,
            column: (1 << 40) / 5,
            rows: 257,
            columns: 257,
        };
        let heights = made(hurst, 40).double(region, &job).unwrap();
        let rows = (0..257).map(|row| heights.row(row).windows(2));
        let equal = rows.flatten().filter(|pair| pair[0] == pair[1]).count();
        assert!(equal * 1000 <= 257 * 256, "H {hurst}: {equal}");
    }
    // What 64 bits cannot hold is known beforehand.
    assert_eq!(made(1.0, 60).deepest(), 47);
    assert_eq!(made(0.7, 60).deepest(), 60);
    assert_eq!(below(&map(5, 5, true), 0, 0.7).deepest(), 2);
}

#[test]
fn flat_ground_stays_flat_and_rough_stays_rough() {
    let job = Job::new();
    // A plain in the west, diamond-square in the east.
    let rough = Surface {
        iterations: 7,
        seed: 4,
        ..Surface::default()
    };
    let rough = rough.generate(&Images::default(), &job, None).unwrap();
    let half = |index: usize| index % 129 < 64;
    let heights = rough.heights().iter().enumerate();
    let heights = heights.map(|(index, height)| if half(index) { 0.25 } else { *height });
    let base = Heightmap::new(129, 129, true, heights.collect::<Vec<_>>());
    let refinement = below(&base, 2, 0.7);
    let [rows, columns] = refinement.size();
    let all = Region {
        row: 0,
        column: 0,
        rows,
        columns,
    };
    let heights = refinement.single(all, &job).unwrap();
    for row in 0..rows {
        assert!(
            heights.row(row)[4 * 7..4 * 57]
                .iter()
                .all(|height| *height == 0.25)
        );
    }
    // Roughness falls by 2^−H a level, so that of the finer map times 2^H is that of the base.
    let finer = Heightmap::new(rows, columns, true, heights.into_vec());
    let mean = |map: &Heightmap, from: usize| {
        let grid = roughness(map, &job).unwrap();
        let to = map.columns() - from / 4;
        let squares = (0..map.rows()).flat_map(|row| grid.row(row)[from..to].to_vec());
        let squares: Vec<_> = squares.map(|r| f64::from(r) * f64::from(r)).collect();
        (squares.iter().sum::<f64>() / squares.len() as f64).sqrt()
    };
    let falls = mean(&base, 80) / mean(&finer, 320);
    let expected = 2.0_f64.powf(2.0 * 0.7);
    assert!(
        (falls / expected - 1.0).abs() < 0.15,
        "{falls} for {expected}"
    );
}

#[test]
fn map_level_is_that_of_its_longer_side() {
    for (rows, columns, level) in [
        (2, 2, 0),
        (3, 3, 1),
        (5, 9, 3),
        (10, 3, 4),
        (1025, 1025, 10),
    ] {
        let map = Heightmap::new(rows, columns, false, vec![0.0; rows * columns]);
        assert_eq!(level_of(&map), level);
    }
}

#[test]
fn a_rule_of_its_own_is_followed() {
    let base = map(5, 5, false);
    let mut refinement = below(&base, 3, 0.5);
    refinement.rule = Rule {
        distribution: Distribution::Gaussian,
        ..refinement.rule
    };
    let all = plain(&refinement);
    let region = Region {
        row: 0,
        column: 0,
        rows: all.rows(),
        columns: all.columns(),
    };
    assert_eq!(refinement.double(region, &Job::new()).unwrap(), all);
}
