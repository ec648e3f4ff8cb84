//! Square-square subdivision.

use super::*;

#[test]
fn square_square_by_hand() {
    let of = |iterations, edges| {
        let mut surface = surface(Generator::SquareSquare, 6, iterations);
        surface.square_square = square_square::SquareSquareOptions {
            edges,
            start_level: 2,
        };
        map_of(&surface)
    };
    let number = |level, row: usize, column: usize| {
        let stream = Stream::new(6, Stage::SquareSquare, level);
        uniform(stream.number(row as u64, Jump::over(column as u64)))
    };
    for edges in [Edges::Wrap, Edges::Free] {
        // The first lattice as it is drawn, then one pass.
        let first = of(2, edges);
        let period = if edges == Edges::Wrap { 4 } else { usize::MAX };
        for row in 0..5 {
            for column in 0..5 {
                assert_eq!(
                    first.at(row, column),
                    number(2, row % period, column % period)
                );
            }
        }
        let map = of(3, edges);
        let old = |row: usize, column: usize| number(2, row % period, column % period);
        for row in 0..8usize {
            for column in 0..8usize {
                let (near_row, near_column) = (row.div_ceil(2), column.div_ceil(2));
                let (far_row, far_column) = (
                    if row % 2 == 0 {
                        near_row + 1
                    } else {
                        near_row - 1
                    },
                    if column % 2 == 0 {
                        near_column + 1
                    } else {
                        near_column - 1
                    },
                );
                let mean = (9.0 * old(near_row, near_column)
                    + 3.0 * (old(near_row, far_column) + old(far_row, near_column))
                    + old(far_row, far_column))
                    / 16.0;
                let range = 2f32.powf(-0.7);
                let expected = mean + range * number(3, row, column);
                let found = map.at(row, column);
                assert!(
                    (found - expected).abs() < 1e-6,
                    "{row} {column}: {found} {expected}"
                );
            }
        }
    }
}

#[test]
fn square_square_stays_within_summed_ranges() {
    for start_level in [0, 2, 5] {
        for h in [0.0, 0.7, 1.0] {
            let mut surface = surface(Generator::SquareSquare, 11, 6);
            surface.hurst = h;
            surface.square_square.start_level = start_level;
            let passes = 0..=6 - start_level as i32;
            let bound: f32 = passes.map(|k| 2f32.powf(-h * k as f32)).sum();
            let (low, high) = map_of(&surface).range();
            assert!(-bound <= low && high <= bound, "{start_level} {h}");
        }
    }
}

#[test]
fn square_square_keeps_hills_at_other_sizes() {
    let at = |iterations| map_of(&surface(Generator::SquareSquare, 3, iterations));
    assert!(correlation(&at(6), &at(8)) > 0.9);
}
