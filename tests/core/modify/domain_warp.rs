//! The modifier `domain-warp`.

use super::*;

fn warp(distance: f32) -> Modifier {
    step(Kind::DomainWarp, |m| m.domain_warp.distance = distance)
}

/// A map of heights by row and column.
fn map_of(
    rows: usize,
    columns: usize,
    wraps: bool,
    height: impl Fn(usize, usize) -> f32,
) -> Heightmap {
    let heights = (0..rows * columns).map(|index| height(index / columns, index % columns));
    Heightmap::new(rows, columns, wraps, heights.collect::<Vec<_>>())
}

#[test]
fn no_distance_and_level_land_change_nothing() {
    for map in [torus(65, 65), land(40, 17), land(1, 50)] {
        assert_eq!(bits(&apply(&warp(0.0), &map)), bits(&map));
    }
    for height in [0.1f32, -1.0e11] {
        let level = map_of(33, 33, true, |_, _| height);
        assert_eq!(bits(&apply(&warp(0.5), &level)), bits(&level));
    }
}

#[test]
fn heights_stay_within_the_range_of_the_map() {
    for map in [torus(65, 65), land(40, 17), land(1, 50), land(50, 1)] {
        let warped = apply(&warp(0.2), &map);
        assert_ne!(warped, map);
        let ((low, high), (least, most)) = (map.range(), warped.range());
        assert!(least >= low && most <= high);
    }
}

/// A ramp shows how far each height has come: at most by the distance, to both sides.
#[test]
fn displacements_keep_within_the_distance() {
    let side = 128.0;
    let ramps = [
        map_of(129, 129, false, |row, _| row as f32 / side),
        map_of(129, 129, false, |_, column| column as f32 / side),
    ];
    let [south, east] = ramps.map(|ramp| {
        let warped = apply(&warp(0.1), &ramp);
        let pairs = warped.heights().iter().zip(ramp.heights());
        pairs.map(|(to, from)| to - from).collect::<Vec<f32>>()
    });
    for moves in [&south, &east] {
        let (least, most) = moves.iter().fold((0.0f32, 0.0f32), |(low, high), moved| {
            (low.min(*moved), high.max(*moved))
        });
        assert!(least > -0.1001 && most < 0.1001, "{least} to {most}");
        assert!(least < -0.02 && most > 0.02, "{least} to {most}");
    }
    assert_ne!(south, east, "the two axes have noise of their own");
}

#[test]
fn more_iterations_displace_by_the_same_noise() {
    let of = |cells: usize| {
        let wave = |at: usize| (at as f32 / cells as f32 * std::f32::consts::TAU).sin();
        let map = map_of(cells + 1, cells + 1, false, |row, column| {
            wave(row) + wave(column)
        });
        apply(&warp(0.1), &map)
    };
    let (coarse, fine) = (of(128), of(512));
    for row in 0..129 {
        for column in 0..129 {
            let difference = coarse.at(row, column) - fine.at(row * 4, column * 4);
            assert!(difference.abs() < 0.01, "{difference}");
        }
    }
}

#[test]
fn warped_torus_has_no_seam() {
    let wave = |at: usize| (at as f32 / 128.0 * std::f32::consts::TAU).sin();
    let map = map_of(129, 129, true, |row, column| {
        wave(row % 128) + 0.5 * wave(column % 128)
    });
    let warped = apply(&warp(0.1), &map);
    assert!(warped.wraps() && meets(&warped));
    let step = |a: f32, b: f32| (a - b).abs();
    let inside = (0..127).map(|row| step(warped.at(row, 40), warped.at(row + 1, 40)));
    let most = inside.fold(0.0, f32::max);
    for column in 0..128 {
        let across = step(warped.at(127, column), warped.at(0, column));
        assert!(
            across < 2.0 * most,
            "{across} at {column}, elsewhere {most}"
        );
    }
}

#[test]
fn variations_and_seeds_give_other_noise() {
    let map = torus(65, 65);
    let one = apply(&warp(0.1), &map);
    let other = step(Kind::DomainWarp, |m| {
        (m.domain_warp.distance, m.domain_warp.variation) = (0.1, 1);
    });
    assert_ne!(apply(&other, &map), one);
    let mut seeded = map.clone();
    let job = Job::new();
    warp(0.1)
        .apply(&mut seeded, &Context::new(8, &job))
        .unwrap();
    assert_ne!(seeded, one);
}
