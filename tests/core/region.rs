//! A rectangle of a map without the rest of it.

use landform::fractal::region::{Region, heights};
use landform::fractal::{Distribution, Edges, Known, Subdivision};
use landform::generate::diamond_square::{DiamondSquareOptions, Scaling};
use landform::grid::Grid;
use landform::job::Job;
use proptest::prelude::*;

fn subdivision(
    options: &DiamondSquareOptions,
    iterations: u32,
    known: Option<&Known>,
) -> Subdivision {
    Subdivision::new(
        options.rule(11, iterations, 0.6, 1.0),
        options.corners,
        known,
    )
}

fn whole(subdivision: &Subdivision) -> Grid<f32> {
    let side = subdivision.side();
    let mut map = vec![0.0; side * side];
    subdivision.fill(&mut map, &Job::new()).unwrap();
    Grid::from_vec(side, side, map).unwrap()
}

fn check(subdivision: &Subdivision, map: &Grid<f32>, region: Region) {
    let part = heights(subdivision, region, &Job::new()).unwrap();
    assert_eq!((part.rows(), part.columns()), (region.rows, region.columns));
    for row in 0..region.rows {
        let expected = &map.row(region.row as usize + row)[region.column as usize..];
        assert_eq!(
            part.row(row),
            &expected[..region.columns],
            "{region:?}, row {row}"
        );
    }
}

fn kinds() -> Vec<DiamondSquareOptions> {
    let mut kinds = Vec::new();
    for edges in Edges::ALL {
        for scaling in Scaling::ALL {
            for distribution in Distribution::ALL {
                kinds.push(DiamondSquareOptions {
                    edges: *edges,
                    scaling: *scaling,
                    distribution: *distribution,
                    strengths: vec![1.0, 0.5, 2.0],
                    ..DiamondSquareOptions::default()
                });
            }
        }
    }
    kinds
}

#[test]
fn every_rectangle_of_a_small_map_matches_whole() {
    for options in kinds() {
        for iterations in 0..=3 {
            let subdivision = subdivision(&options, iterations, None);
            let map = whole(&subdivision);
            let side = map.rows();
            for row in 0..side {
                for column in 0..side {
                    for rows in 1..=side - row {
                        for columns in 1..=side - column {
                            let region = Region {
                                row: row as u64,
                                column: column as u64,
                                rows,
                                columns,
                            };
                            check(&subdivision, &map, region);
                        }
                    }
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn any_rectangle_is_part_of_the_whole(
        kind in 0usize..8,
        from in (0usize..257, 0usize..257),
        size in (1usize..100, 1usize..100),
        known in any::<bool>(),
    ) {
        let side = 9;
        let cells = (0..side * side).map(|i| ((i * 37) % 11) as f32 / 10.0).collect();
        let known = known.then(|| Known::new(3, Grid::from_vec(side, side, cells).unwrap()));
        let subdivision = subdivision(&kinds()[kind], 8, known.as_ref());
        let map = whole(&subdivision);
        let region = Region {
            row: from.0 as u64,
            column: from.1 as u64,
            rows: size.0.min(257 - from.0),
            columns: size.1.min(257 - from.1),
        };
        check(&subdivision, &map, region);
    }
}

#[test]
fn planet_corner_is_instant_and_neighbours_share_borders() {
    let options = DiamondSquareOptions::default();
    let subdivision = subdivision(&options, 31, None);
    let at = |row: u64, column: u64| {
        let region = Region {
            row,
            column,
            rows: 33,
            columns: 65,
        };
        heights(&subdivision, region, &Job::new()).unwrap()
    };
    let (row, column) = (1_234_567_890, 2_000_000_001);
    let (west, east) = (at(row, column), at(row, column + 64));
    for line in 0..33 {
        assert_eq!(west.at(line, 64), east.at(line, 0));
    }
    // The planet is round: its last column is its first.
    let last = (1u64 << 31) - 64;
    let (first, last) = (at(0, 0), at(0, last));
    for line in 0..33 {
        assert_eq!(first.at(line, 0), last.at(line, 64));
    }
    // Coarser maps of the same seed have the same points.
    let coarse = self::subdivision(&options, 25, None);
    let fine = at(64 * 1_000_000, 64 * 2_000_000);
    let region = Region {
        row: 1_000_000,
        column: 2_000_000,
        rows: 1,
        columns: 2,
    };
    let coarse = heights(&coarse, region, &Job::new()).unwrap();
    assert_eq!(coarse.row(0), [fine.at(0, 0), fine.at(0, 64)]);
}
