//! What layered rock promises: steps that follow its beds, and heights that keep their order.

use crate::erosion::made;
use landform::generate::Generator;
use landform::heightmap::Heightmap;
use landform::job::Job;
use landform::modify::strata::StrataOptions;
use landform::modify::{Context, Modifier, ModifierKind};

fn cut_on(map: &Heightmap, options: &StrataOptions, seed: u64, tile_size_m: f32) -> Heightmap {
    let modifier = Modifier {
        strata: options.clone(),
        ..Modifier::new(ModifierKind::Strata)
    };
    let (mut map, job) = (map.clone(), Job::new());
    let context = Context {
        tile_size_m,
        ..Context::new(seed, &job)
    };
    modifier.apply(&mut map, &context).unwrap();
    map
}

/// The map cut on a tile whose half is a kilometre.
fn cut(map: &Heightmap, options: &StrataOptions) -> Heightmap {
    cut_on(map, options, 5, 2000.0)
}

/// Level beds, all alike, of 50 m.
fn plain() -> StrataOptions {
    StrataOptions {
        thickness: 50.0,
        variety: 0.0,
        dip: 0.0,
        fold_height: 0.0,
        ..StrataOptions::default()
    }
}

/// A profile that rises by 10 cm a sample to 800 m, through sixteen beds of 50 m.
fn ramp() -> Heightmap {
    let heights: Vec<f32> = (0..=8000).map(|index| index as f32 * 1.0e-4).collect();
    Heightmap::new(1, heights.len(), false, heights)
}

fn land(iterations: u32) -> Heightmap {
    made(Generator::DiamondSquare, 3, iterations, 0.8)
}

/// By how much each sample was moved.
fn moved(after: &Heightmap, before: &Heightmap) -> Vec<f32> {
    let pairs = after.heights().iter().zip(before.heights());
    pairs.map(|(after, before)| after - before).collect()
}

fn most(numbers: &[f32]) -> f32 {
    numbers
        .iter()
        .fold(0.0, |most, number| most.max(number.abs()))
}

#[test]
fn hard_rock_is_steeper_by_the_given_contrast() {
    for contrast in [2.0, 8.0, 20.0] {
        let after = cut(
            &ramp(),
            &StrataOptions {
                contrast,
                ..plain()
            },
        );
        let slopes: Vec<f32> = (after.heights().windows(2))
            .map(|pair| (pair[1] - pair[0]) / 1.0e-4)
            .collect();
        let (gentle, steep) = slopes
            .iter()
            .fold((f32::MAX, 0.0f32), |(low, high), slope| {
                (low.min(*slope), high.max(*slope))
            });
        let ratio = steep / gentle;
        assert!((ratio / contrast - 1.0).abs() < 0.02, "{contrast}: {ratio}");
    }
}

#[test]
fn the_ends_of_beds_stay() {
    let (before, after) = (ramp(), cut(&ramp(), &plain()));
    for end in (0..=8000).step_by(500) {
        let apart = after.at(0, end) - before.at(0, end);
        assert!(apart.abs() < 1.0e-6, "{end}: {apart}");
    }
    assert!(most(&moved(&after, &before)) > 0.01);
}

#[test]
fn heights_move_less_than_a_bed_averaging_little() {
    for seed in 0..8 {
        let options = StrataOptions {
            variety: 1.0,
            ..plain()
        };
        let by = moved(&cut_on(&ramp(), &options, seed, 2000.0), &ramp());
        let mean = by.iter().sum::<f32>() / by.len() as f32;
        assert!(most(&by) < 0.05 * 1.9 && mean.abs() < 0.005, "{mean}");
    }
}

#[test]
fn what_was_higher_stays_higher() {
    let map = land(7);
    let options = StrataOptions {
        contrast: 100.0,
        variety: 1.0,
        dip: 20.0,
        ..StrataOptions::default()
    };
    let mut below = cut(&map, &options);
    for lift in 1..200 {
        let lifted = map
            .heights()
            .iter()
            .map(|height| height + lift as f32 * 1.0e-3);
        let lifted: Vec<f32> = lifted.collect();
        let above = cut(&Heightmap::new(129, 129, true, lifted), &options);
        let by = moved(&above, &below);
        assert!(by.iter().all(|by| *by >= 0.0), "{lift}");
        below = above;
    }
}

#[test]
fn beds_dip_as_told_towards_their_bearing() {
    // Ground that lies as the beds do is in the same one everywhere.
    for (bearing, down) in [(0.0, [0.0, -1.0]), (90.0, [1.0, 0.0]), (225.0, [-1.0, 1.0])] {
        let options = StrataOptions {
            dip: 30.0,
            dip_bearing: bearing,
            ..plain()
        };
        let long = f32::hypot(down[0], down[1]);
        let fall = 30f32.to_radians().tan() / long;
        let slope = |wraps: bool| {
            let shape = Heightmap::new(65, 65, wraps, vec![0.0; 65 * 65]);
            let height = |index: usize| {
                let (x, z) = (shape.x(index % 65), shape.z(index / 65));
                0.01 - fall * (x * down[0] + z * down[1])
            };
            let heights: Vec<f32> = (0..65 * 65).map(height).collect();
            Heightmap::new(65, 65, wraps, heights)
        };
        let free = slope(false);
        let by = moved(&cut(&free, &options), &free);
        assert!(by[0].abs() > 1.0e-3);
        assert!(
            by.iter().all(|here| (here - by[0]).abs() < 1.0e-4),
            "{bearing}"
        );
        // On a map that wraps they do so in the middle.
        let round = slope(true);
        let by = moved(&cut(&round, &options), &round);
        for at in [32 * 65 + 33, 33 * 65 + 32, 31 * 65 + 31] {
            assert!((by[at] - by[32 * 65 + 32]).abs() < 1.0e-4, "{bearing}");
        }
    }
}

#[test]
fn wrapping_maps_still_wrap_under_any_dip() {
    let map = land(7);
    for bearing in [0.0, 17.0, 90.0, 200.0, 360.0] {
        for (dip, fold_length) in [(5.0, 300.0), (60.0, 1.0e9), (0.0, 1.0)] {
            let after = cut(
                &map,
                &StrataOptions {
                    dip,
                    dip_bearing: bearing,
                    fold_length,
                    ..StrataOptions::default()
                },
            );
            assert!(after.wraps());
            assert_eq!(after.row(0), after.row(128));
            for row in 0..129 {
                let ends = [0, 128].map(|column| after.at(row, column).to_bits());
                assert_eq!(ends[0], ends[1], "{bearing}, {dip}, row {row}");
            }
        }
    }
}

#[test]
fn more_samples_move_none() {
    for wraps in [true, false] {
        let [coarse, fine] = [7, 8].map(|iterations| {
            let map = land(iterations);
            let map = Heightmap::new(map.rows(), map.columns(), wraps, map.heights().to_vec());
            cut(&map, &StrataOptions::default())
        });
        for row in 0..coarse.rows() {
            for column in 0..coarse.columns() {
                let (height, same) = (coarse.at(row, column), fine.at(2 * row, 2 * column));
                assert_eq!(height.to_bits(), same.to_bits(), "{row}, {column}");
            }
        }
    }
}

#[test]
fn lengths_are_metres_of_the_tile() {
    let small = StrataOptions::default();
    let large = StrataOptions {
        thickness: 10.0 * small.thickness,
        fold_height: 10.0 * small.fold_height,
        fold_length: 10.0 * small.fold_length,
        ..small.clone()
    };
    let map = land(7);
    let (small, large) = (
        cut_on(&map, &small, 5, 2000.0),
        cut_on(&map, &large, 5, 20_000.0),
    );
    assert!(most(&moved(&large, &small)) < 1.0e-5);
}

#[test]
fn folds_are_about_as_high_as_told() {
    // On the bench of a very thick bed a sample moves in proportion to where the bed lies.
    let level = |height| Heightmap::new(129, 129, false, vec![height; 129 * 129]);
    let options = StrataOptions {
        thickness: 4000.0,
        ..plain()
    };
    let by = |height, fold_height| {
        let options = StrataOptions {
            fold_height,
            ..options.clone()
        };
        moved(&cut(&level(height), &options), &level(height))
    };
    let flat = by(3.4, 0.0);
    assert!(flat.iter().all(|by| *by == flat[0]));
    let of_a_metre = (by(3.5, 0.0)[0] - flat[0]) / 100.0;
    let bent = by(3.4, 100.0);
    let metres = bent.iter().map(|by| (by - flat[0]) / of_a_metre);
    let (low, high) = metres.fold((0.0f32, 0.0f32), |(low, high), by| {
        (low.min(by), high.max(by))
    });
    assert!((70.0..130.0).contains(&(high - low)), "{low} to {high}");
}

#[test]
fn strength_is_a_share_of_the_way() {
    let map = land(6);
    let [half, all] = [0.5, 1.0].map(|strength| {
        let options = StrataOptions {
            strength,
            ..StrataOptions::default()
        };
        moved(&cut(&map, &options), &map)
    });
    assert!(most(&all) > 0.002);
    for (half, all) in half.iter().zip(&all) {
        assert!((half - 0.5 * all).abs() < 1.0e-6);
    }
}

#[test]
fn another_seed_or_variation_is_other_rock() {
    let map = land(6);
    let of = |seed, variation| {
        let options = StrataOptions {
            variation,
            ..StrataOptions::default()
        };
        cut_on(&map, &options, seed, 2000.0)
    };
    assert_eq!(of(1, 0), of(1, 0));
    assert_ne!(of(1, 0), of(2, 0));
    assert_ne!(of(1, 0), of(1, 1));
}

#[test]
fn maps_stay_finite_and_extreme_heights_unchanged() {
    for (rows, columns) in [(1, 1), (1, 2), (2, 2), (3, 5), (65, 1), (1, 65)] {
        for height in [0.0, -3.0, 1e12, -1e12] {
            let map = Heightmap::new(rows, columns, false, vec![height; rows * columns]);
            let thin = StrataOptions {
                thickness: 0.01,
                dip: 60.0,
                fold_height: 1.0e6,
                fold_length: 1.0,
                ..StrataOptions::default()
            };
            let after = cut_on(&map, &thin, 3, 1.0e9);
            assert!(after.heights().iter().all(|height| height.is_finite()));
            if height.abs() > 1e11 {
                assert_eq!(after, map);
            }
        }
    }
}
