//! Where water flows: nothing of it is lost, lakes are as deep as their rims allow.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use landform::drainage::Drainage;
use landform::generate::Generator;
use landform::heightmap::Heightmap;
use landform::inputs::Inputs;
use landform::job::Job;
use landform::measure::{PourPoint, Watershed, watershed};
use landform::scene::Scene;

/// Rough maps of every shape: wrapped, free, not square, a ridge, the smallest ones, level ones.
fn maps() -> Vec<Heightmap> {
    let mut scene = Scene::default();
    scene.surface.iterations = 7;
    scene.surface.hurst = 0.4;
    let wrapped = [Generator::DiamondSquare, Generator::Fourier].map(|generator| {
        scene.surface.generator = generator;
        let images = Inputs::default().images;
        scene.surface.generate(&images, &Job::new(), None).unwrap()
    });
    let cut = |rows: usize, columns: usize| {
        let from = &wrapped[0];
        let heights: Vec<f32> = (0..rows)
            .flat_map(|row| from.row(row)[..columns].to_vec())
            .collect();
        Heightmap::new(rows, columns, false, heights)
    };
    let free = [cut(60, 110), cut(97, 33), cut(2, 2), cut(3, 3), cut(1, 40)];
    let level = [true, false].map(|wraps| Heightmap::new(9, 9, wraps, vec![0.25; 81]));
    let smallest = Heightmap::new(2, 2, true, vec![0.5; 4]);
    wrapped
        .into_iter()
        .chain(free)
        .chain(level)
        .chain([smallest])
        .collect()
}

const SEAS: [Option<f32>; 4] = [None, Some(-0.1), Some(0.2), Some(50.0)];

fn drained(map: &Heightmap, sea: Option<f32>) -> Drainage {
    Drainage::of(map, sea, &Job::new()).unwrap()
}

/// The samples of a map, each once.
fn samples(map: &Heightmap) -> Vec<(usize, usize)> {
    let repeated = usize::from(map.wraps() && map.rows() > 1);
    let rows = 0..map.rows() - repeated;
    rows.flat_map(|row| (0..map.columns() - repeated).map(move |column| (row, column)))
        .collect()
}

#[test]
fn areas_add_up_and_all_water_leaves() {
    for map in maps() {
        for sea in SEAS {
            let drainage = drained(&map, sea);
            let mut sums = vec![1u32; drainage.cells()];
            let mut left = 0;
            for cell in 0..drainage.cells() {
                match drainage.receiver(cell) {
                    Some(receiver) => sums[receiver] += drainage.area(cell),
                    None => left += drainage.area(cell),
                }
            }
            assert_eq!(left as usize, drainage.cells());
            assert!((0..sums.len()).all(|cell| sums[cell] == drainage.area(cell)));
        }
    }
}

#[test]
fn water_leaves_at_sea_border_or_lowest_sample() {
    for map in maps() {
        let lowest = map.range().0;
        for sea in SEAS {
            let drainage = drained(&map, sea);
            for (row, column) in samples(&map) {
                if drainage.receiver(drainage.cell(row, column)).is_some() {
                    continue;
                }
                let height = map.at(row, column);
                let border = [
                    row,
                    map.rows() - 1 - row,
                    column,
                    map.columns() - 1 - column,
                ];
                let leaves = sea.is_some_and(|sea| height <= sea)
                    || (!map.wraps() && border.contains(&0))
                    || height == lowest;
                assert!(
                    leaves,
                    "{row}, {column} of {} × {}",
                    map.rows(),
                    map.columns()
                );
            }
        }
    }
}

/// How high water stands on every sample when all hollows are full: lowest samples first, from the
/// outlets on (Barnes, Lehman and Mulla 2014).
fn filled(map: &Heightmap, drainage: &Drainage) -> Vec<f32> {
    let repeated = usize::from(map.wraps() && map.rows() > 1);
    let (rows, columns) = (map.rows() - repeated, map.columns() - repeated);
    let height = |cell: usize| map.at(cell / columns, cell % columns);
    let key = |height: f32| ((f64::from(height) + 1e3) * 1e12) as u64;
    let mut level = vec![f32::NAN; rows * columns];
    let mut open = BinaryHeap::new();
    for (cell, level) in level.iter_mut().enumerate() {
        if drainage.receiver(cell).is_none() {
            *level = height(cell);
            open.push(Reverse((key(height(cell)), cell)));
        }
    }
    while let Some(Reverse((_, cell))) = open.pop() {
        for step in (0..9).filter(|step| *step != 4) {
            let beside = |at: usize, by: usize, count: usize| {
                let at = at as isize + by as isize - 1;
                let inside = (0..count as isize).contains(&at);
                (inside || repeated == 1).then(|| at.rem_euclid(count as isize) as usize)
            };
            let row = beside(cell / columns, step / 3, rows);
            let Some((row, column)) = row.zip(beside(cell % columns, step % 3, columns)) else {
                continue;
            };
            let other = row * columns + column;
            if level[other].is_nan() {
                level[other] = height(other).max(level[cell]);
                open.push(Reverse((key(level[other]), other)));
            }
        }
    }
    level
}

#[test]
fn lakes_are_as_deep_as_their_rims_allow() {
    for map in maps() {
        for sea in SEAS {
            let drainage = drained(&map, sea);
            let filled = filled(&map, &drainage);
            for (cell, (row, column)) in samples(&map).into_iter().enumerate() {
                assert_eq!(cell, drainage.cell(row, column));
                let deep = filled[cell] - map.at(row, column);
                assert_eq!(drainage.depth(cell), deep, "{row}, {column}, {sea:?}");
            }
        }
    }
}

#[test]
fn tilted_plane_wetness_follows_length_and_slope() {
    let heights: Vec<f32> = (0..21 * 21).map(|at| -0.05 * (at / 21) as f32).collect();
    let plane = Heightmap::new(21, 21, false, heights);
    let drainage = drained(&plane, None);
    // A step is 0.1 wide and 0.05 deep; water begins in the second row.
    for row in 1..20 {
        let cell = drainage.cell(row, 10);
        assert_eq!(drainage.area(cell) as usize, row);
        assert!((drainage.slope(cell) - 0.5).abs() < 1e-6);
        let wetness = f64::ln(row as f64 * 0.1 * 300.0 / 0.5);
        assert!((f64::from(drainage.wetness(cell, 300.0)) - wetness).abs() < 1e-5);
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let map = &maps()[1];
    let told = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(|| {
            let drainage = drained(map, None);
            let cell = |cell| (drainage.area(cell), drainage.wetness(cell, 2.0).to_bits());
            (0..drainage.cells()).map(cell).collect::<Vec<_>>()
        })
    };
    let one = told(1);
    for threads in [2, 3, 7] {
        assert!(told(threads) == one, "{threads} threads");
    }
}

#[test]
fn a_plain_has_few_pits() {
    for wraps in [false, true] {
        let plain = Heightmap::new(300, 300, wraps, vec![0.5; 90_000]);
        for sea in [None, Some(0.2)] {
            assert!(drained(&plain, sea).pits() <= 600, "{wraps} {sea:?}");
        }
    }
}

#[test]
fn watershed_is_all_cells_draining_through_its_outlet() {
    for map in maps() {
        for sea in SEAS {
            let drainage = drained(&map, sea);
            let cells = drainage.cells();
            let largest = (0..cells).max_by_key(|cell| drainage.area(*cell)).unwrap();
            for outlet in [0, cells / 3, cells / 2, cells - 1, largest] {
                let belongs = drainage.watershed(outlet);
                assert_eq!(belongs.len(), cells);
                let size = belongs.iter().filter(|belongs| **belongs).count();
                assert_eq!(size, drainage.area(outlet) as usize);
                for (cell, belongs) in belongs.into_iter().enumerate() {
                    let mut way = std::iter::successors(Some(cell), |c| drainage.receiver(*c));
                    assert_eq!(
                        way.any(|cell| cell == outlet),
                        belongs,
                        "{cell} to {outlet}"
                    );
                }
            }
        }
    }
}

fn watershed_at(map: &Heightmap, sea: Option<f32>, place: [f32; 2]) -> Option<Watershed> {
    let point = PourPoint {
        place,
        snaps: false,
    };
    watershed(map, sea, point, &Job::new()).unwrap()
}

#[test]
fn a_slope_drains_through_its_foot_in_lines() {
    // Five rows that rise to the north, one after the other, and three columns.
    let heights: Vec<f32> = (0..15).map(|index| (5 - index / 3) as f32).collect();
    let map = Heightmap::new(5, 3, false, heights);
    // The longer side has four spaces of half a half tile.
    for row in 1..5 {
        let z = row as f32 * 0.5 - 1.0;
        let found = watershed_at(&map, Some(0.5), [0.1, z - 0.2]).unwrap();
        assert_eq!((found.row, found.column), (row, 1));
        let samples = f64::from(drained(&map, Some(0.5)).area(3 * row + 1));
        assert_eq!(found.area, samples * 0.25);
        assert_eq!(found.share, samples / 15.0);
    }
    for place in [
        [0.8, 0.0],
        [-0.8, 0.0],
        [0.0, 1.3],
        [0.0, -1.3],
        [f32::NAN, 0.0],
    ] {
        assert_eq!(watershed_at(&map, None, place), None);
    }
}

#[test]
fn the_watersheds_of_all_outlets_are_all_land() {
    let rough = maps().remove(0);
    let corner = |index: usize| rough.at(index / 12, index % 12);
    let rough = Heightmap::new(12, 12, false, (0..144).map(corner).collect::<Vec<_>>());
    let small = maps().into_iter().filter(|map| map.heights().len() < 100);
    for map in small.filter(|map| !map.is_profile()).chain([rough]) {
        for sea in SEAS {
            let drainage = drained(&map, sea);
            let outlets = samples(&map).into_iter();
            let outlets = outlets
                .filter(|(row, column)| drainage.receiver(drainage.cell(*row, *column)).is_none());
            let shares = outlets.map(|(row, column)| {
                let place = [map.x(column), map.z(row)];
                watershed_at(&map, sea, place).unwrap().share
            });
            let sum: f64 = shares.sum();
            let is_land = sea.is_none_or(|sea| map.range().1 > sea);
            assert!((sum - f64::from(u8::from(is_land))).abs() < 1e-9, "{sum}");
        }
    }
}

#[test]
fn border_of_a_wrapping_map_is_one_place() {
    let map = &maps()[0];
    for z in [-1.0, -0.4, 0.3] {
        let [west, east] = [-1.0, 1.0].map(|x| watershed_at(map, None, [x, z]).unwrap());
        assert_eq!((west.area, west.share), (east.area, east.share));
        assert_eq!(west.row, east.row);
    }
}
