//! Maps with holes: what is measured of them, and the mask on its way.

use std::sync::Arc;

use landform::heightmap::{Heightmap, Validity};
use landform::job::Job;
use landform::measure::{PourPoint, histogram, measure, watershed};
use landform::resample::resample;

const SIDE: usize = 40;

/// Two blocks of samples without data.
fn has_data(row: usize, column: usize) -> bool {
    let is_hole = (3..9).contains(&row) && (30..36).contains(&column) || (row > 35 && column < 4);
    !is_hole
}

/// A slope towards the south with holes that were filled with `filled`.
fn map(filled: f32) -> Heightmap {
    let places = (0..SIDE).flat_map(|row| (0..SIDE).map(move |column| (row, column)));
    let heights: Vec<f32> = places
        .map(|(row, column)| match has_data(row, column) {
            true => 1.0 - row as f32 / 64.0 + (column as f32 * 0.7).sin() * 0.004,
            false => filled,
        })
        .collect();
    let valid = Validity::new(SIDE, SIDE, has_data);
    Heightmap::new(SIDE, SIDE, false, heights).with_valid(Some(Arc::new(valid)))
}

#[test]
fn measures_of_heights_ignore_what_was_filled() {
    let [low, high] = [-50.0, 70.0].map(|filled| measure(&map(filled)));
    assert_eq!(low.no_data, 36 + 16);
    assert_eq!((low.min, low.max), (high.min, high.max));
    assert_eq!((low.mean, low.std), (high.mean, high.std));
    assert_eq!(low.rms_slope, high.rms_slope);
    assert!(low.min > 0.3 && low.max < 1.1);
}

#[test]
fn histograms_count_data_alone() {
    let [low, high] = [-50.0, 70.0].map(|filled| histogram(&map(filled), 16, &Job::new()));
    let counts = low.clone().expect("a histogram").counts;
    assert_eq!(counts.iter().sum::<u64>() as usize, SIDE * SIDE - 36 - 16);
    assert_eq!(low, high);
}

#[test]
fn masks_without_holes_change_no_measure() {
    let places = (0..SIDE * SIDE).map(|place| ((place * 37 % 101) as f32).sqrt());
    let plain = Heightmap::new(SIDE, SIDE, false, places.collect::<Vec<f32>>());
    let whole = Validity::new(SIDE, SIDE, |_, _| true);
    let marked = plain.clone().with_valid(Some(Arc::new(whole)));
    assert!(marked.valid().is_none());
    assert_eq!(measure(&marked), measure(&plain));
}

#[test]
fn watersheds_count_data_alone() {
    // One valley: nearly all of the land drains through one place.
    let valley = |place: usize| {
        let (row, column) = (place / SIDE, place % SIDE);
        (SIDE - row) as f32 * 0.01 + column.abs_diff(SIDE / 2) as f32 * 0.02
    };
    let heights: Vec<f32> = (0..SIDE * SIDE).map(valley).collect();
    let plain = Heightmap::new(SIDE, SIDE, false, heights);
    let valid = Validity::new(SIDE, SIDE, |row, _| row != 7);
    let holed = plain.clone().with_valid(Some(Arc::new(valid)));
    let [plain, holed] = [plain, holed].map(|map| {
        let point = PourPoint {
            place: [0.0, 0.98],
            snaps: true,
        };
        let found = watershed(&map, None, point, &Job::new()).expect("not cancelled");
        found.expect("a watershed")
    });
    // Water flows through the row all the same.
    assert_eq!(plain.cells, holed.cells);
    let cells = plain.cells.chunks(SIDE).nth(7).expect("a row");
    let of_row = cells.iter().filter(|cell| **cell).count();
    assert!(of_row > 0);
    let spacing = 2.0 / (SIDE - 1) as f64;
    let less = (plain.area - holed.area) / (spacing * spacing);
    assert!((less - of_row as f64).abs() < 0.01, "{less} of {of_row}");
}

#[test]
fn thinned_maps_keep_every_second_hole() {
    let thinned = map(0.0).thinned(SIDE / 2 + 1);
    let valid = thinned.valid().expect("holes");
    for row in 0..thinned.rows() - 1 {
        for column in 0..thinned.columns() - 1 {
            assert_eq!(valid.is_valid(row, column), has_data(2 * row, 2 * column));
        }
    }
}

#[test]
fn resampled_maps_have_the_nearest_hole() {
    let finer = resample(&map(0.0), 2 * SIDE - 1, 2 * SIDE - 1, &Job::new()).expect("a map");
    let valid = finer.valid().expect("holes");
    for row in 0..SIDE {
        for column in 0..SIDE {
            assert_eq!(valid.is_valid(2 * row, 2 * column), has_data(row, column));
        }
    }
}
