//! What smooths: means of what is near.

use super::*;

#[test]
fn smooth_detail_averages_the_square_ahead() {
    for (start, middle) in [
        (Start::NorthWest, 6.0),
        (Start::NorthEast, 5.0),
        (Start::SouthEast, 2.0),
        (Start::SouthWest, 3.0),
    ] {
        let modifier = step(Kind::SmoothDetail, |m| m.smooth_detail.start = start);
        let mut after = COUNT;
        after[4] = middle;
        check(&modifier, 3, COUNT, after);
    }
    let modifier = Modifier::new(Kind::SmoothDetail);
    check(
        &modifier,
        5,
        [1.0, 3.0, 4.0, 8.0, 9.0],
        [1.0, 3.5, 6.0, 8.5, 9.0],
    );
    let map = Heightmap::new(3, 3, true, vec![1., 2., 1., 3., 6., 3., 1., 2., 1.]);
    assert_eq!(apply(&modifier, &map).heights(), [3.0; 9]);
}

/// The sweep as the article has it: in place, sample after sample.
fn swept(map: &Heightmap, start: Start) -> Vec<f32> {
    let (rows, columns) = (map.rows() as isize, map.columns() as isize);
    let mut heights = map.heights().to_vec();
    let south = matches!(start, Start::NorthWest | Start::NorthEast);
    let east = matches!(start, Start::NorthWest | Start::SouthWest);
    let line = |forwards: bool, count: isize| -> Vec<isize> {
        let all = 1..count - 1;
        if forwards {
            all.collect()
        } else {
            all.rev().collect()
        }
    };
    let (down, across) = (if south { 1 } else { -1 }, if east { 1 } else { -1 });
    for row in line(south, rows) {
        for column in line(east, columns) {
            let at = |row: isize, column: isize| heights[(row * columns + column) as usize];
            let here = at(row, column) + at(row, column + across);
            let ahead = at(row + down, column) + at(row + down, column + across);
            heights[(row * columns + column) as usize] = (here + ahead) * 0.25;
        }
    }
    heights
}

#[test]
fn smooth_detail_is_the_sweep_in_place() {
    // Wide enough for several bands.
    let map = land(150, 701);
    for start in &Start::ALL[..4] {
        let modifier = step(Kind::SmoothDetail, |m| m.smooth_detail.start = *start);
        assert_eq!(
            apply(&modifier, &map).heights(),
            swept(&map, *start),
            "{start}"
        );
    }
}

#[test]
fn smoothing_in_turn_moves_the_land_nowhere() {
    let mut heights = vec![0.0; 33 * 33];
    heights[16 * 33 + 16] = 1.0;
    let spike = Heightmap::new(33, 33, true, heights);
    let modifier = step(Kind::SmoothDetail, |m| {
        (m.smooth_detail.start, m.smooth_detail.passes) = (Start::InTurn, 4);
    });
    let smooth = apply(&modifier, &spike);
    for row in 0..33 {
        for column in 0..33 {
            assert_eq!(smooth.at(row, column), smooth.at(32 - row, 32 - column));
        }
    }
    assert_eq!(smooth.at(16, 16), 0.140_625);
}

#[test]
fn box_blur_is_the_mean_of_nearby_samples() {
    let blur = |radius| {
        step(Kind::Blur, |m| {
            (m.blur.radius, m.blur.shape) = (radius, Shape::Box)
        })
    };
    check(
        &blur(0.25),
        5,
        [0.0, 0.0, 3.0, 0.0, 0.0],
        [0.0, 1.0, 1.0, 1.0, 0.0],
    );
    check(
        &blur(0.125),
        5,
        [0.0, 0.0, 4.0, 0.0, 0.0],
        [0.0, 1.0, 2.0, 1.0, 0.0],
    );
    let mut spike = [0.0; 25];
    spike[12] = 9.0;
    let near = |index: usize| (1..4).contains(&(index / 5)) && (1..4).contains(&(index % 5));
    let block = std::array::from_fn(|index| f32::from(u8::from(near(index))));
    check(&blur(0.25), 5, spike, block);
}

/// A blur by its definition: weights, along columns and then rows, box after box.
fn blurred(map: &Heightmap, radius: f64, shape: Shape) -> Vec<f64> {
    let (rows, columns) = (map.rows() as isize, map.columns() as isize);
    let radius = radius * (rows.max(columns) - 1) as f64;
    let (times, radius) = match shape {
        Shape::Box => (1, radius),
        Shape::Gaussian => (3, radius / 3.0f64.sqrt()),
    };
    let reach = radius as isize + 1;
    let weight = |by: isize| (1.0 - (by.unsigned_abs() as f64 - radius).max(0.0)).max(0.0);
    let place = |index: isize, count: isize| match map.wraps() {
        true => index.rem_euclid((count - 1).max(1)),
        false => index.clamp(0, count - 1),
    };
    let mut heights: Vec<f64> = map.heights().iter().map(|h| f64::from(*h)).collect();
    for (down, across) in [(0, 1), (1, 0)].repeat(times) {
        let mean = |index: isize| {
            let (row, column) = (index / columns, index % columns);
            let (mut sum, mut weights) = (0.0, 0.0);
            for by in -reach..=reach {
                let at = (
                    place(row + by * down, rows),
                    place(column + by * across, columns),
                );
                sum += weight(by) * heights[(at.0 * columns + at.1) as usize];
                weights += weight(by);
            }
            sum / weights
        };
        heights = (0..rows * columns).map(mean).collect();
    }
    heights
}

#[test]
fn a_blur_is_what_its_weights_say() {
    for map in [
        land(20, 33),
        torus(33, 33),
        torus(70, 9),
        land(1, 40),
        land(40, 1),
        torus(1, 40),
    ] {
        for shape in Shape::ALL {
            for radius in [0.01f32, 0.07, 0.25, 0.5] {
                let modifier = step(Kind::Blur, |m| {
                    (m.blur.radius, m.blur.shape) = (radius, *shape)
                });
                let expected = blurred(&map, f64::from(radius), *shape);
                for (a, b) in apply(&modifier, &map).heights().iter().zip(expected) {
                    let apart = (f64::from(*a) - b).abs();
                    assert!(apart < 1.0e-6, "{} {shape} {radius}: {apart}", map.rows());
                }
            }
        }
    }
}

#[test]
fn a_plain_stays_a_plain() {
    let plain = Heightmap::new(20, 33, false, vec![0.1; 660]);
    for kind in [
        Kind::Blur,
        Kind::SmoothDetail,
        Kind::Stitch,
        Kind::Power,
        Kind::Terrace,
    ] {
        assert_eq!(
            apply(&Modifier::new(kind), &plain).heights(),
            plain.heights(),
            "{kind}"
        );
    }
}
