//! The distance from water, against every pair of samples.

use super::*;

/// Metres from the nearest sample under water, over all samples and, on a map that wraps, all
/// rounds.
fn brute_force(map: &Heightmap, level: f32) -> Vec<f64> {
    let (rows, columns) = (map.rows() as i64, map.columns() as i64);
    let rounds = if map.wraps() { -1..=1 } else { 0..=0 };
    let mut wet = Vec::new();
    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |c| (row, c))) {
        if map.at(row as usize, column as usize) <= level {
            for (down, across) in rounds
                .clone()
                .flat_map(|d| rounds.clone().map(move |a| (d, a)))
            {
                wet.push((row + down * (rows - 1), column + across * (columns - 1)));
            }
        }
    }
    let sample_m = f64::from(map.spacing()) * 1000.0;
    (0..rows * columns)
        .map(|index| {
            let (row, column) = (index / columns, index % columns);
            let squares = wet
                .iter()
                .map(|(r, c)| (r - row).pow(2) + (c - column).pow(2));
            squares
                .min()
                .map_or(f64::INFINITY, |square| (square as f64).sqrt() * sample_m)
        })
        .collect()
}

/// The distances, as far as a mask tells: it fades from 1 at the water to 0 at `most` metres.
#[track_caller]
fn check(map: &Heightmap, level: f32) {
    let (images, job) = (images(), Job::new());
    let context = Context {
        water: Some(level),
        ..context(&images, &job)
    };
    let known = brute_force(map, level);
    let most = 4000.0f64;
    let mut mask = Mask::new(By::WaterDistance);
    (mask.water_distance.high, mask.water_distance.soft) = (0.0, most as f32);
    let weights = mask.weights(map, &context).unwrap();
    let mut hard = mask.clone();
    hard.water_distance.soft = 0.0;
    let wet = hard.weights(map, &context).unwrap();
    for (index, known) in known.iter().enumerate() {
        let t = (1.0 - known / most).clamp(0.0, 1.0);
        let weight = f64::from(weights.heights()[index]);
        let wanted = t * t * (3.0 - 2.0 * t);
        assert!(
            (weight - wanted).abs() < 1.0e-6,
            "{}×{}, sample {index}: {weight}, not {wanted}",
            map.rows(),
            map.columns()
        );
        assert_eq!(wet.heights()[index] == 1.0, *known == 0.0, "sample {index}");
    }
    // A ring around the water, to the sample.
    let away: Vec<f64> = known
        .iter()
        .copied()
        .filter(|d| d.is_finite() && *d > 0.0)
        .collect();
    if let Some(ring) = away.get(away.len() / 2) {
        let ring = *ring as f32;
        (hard.water_distance.low, hard.water_distance.high) = (ring, ring);
        let found = hard.weights(map, &context).unwrap();
        for (index, known) in known.iter().enumerate() {
            assert_eq!(found.heights()[index] == 1.0, *known as f32 == ring);
        }
    }
}

#[test]
fn distances_are_to_the_nearest_of_all_samples() {
    let sizes = [
        (1, 1),
        (1, 50),
        (50, 1),
        (2, 2),
        (3, 7),
        (33, 20),
        (40, 71),
        (97, 33),
    ];
    for (rows, columns) in sizes {
        for wraps in [false, true] {
            // On a torus of one sample there are no edges.
            if wraps && (rows < 2 || columns < 2) {
                continue;
            }
            let map = land(rows, columns, wraps);
            let mut sorted = map.heights().to_vec();
            sorted.sort_by(f32::total_cmp);
            // No water, a single lake, some, and all.
            for share in [0.0, 0.01, 0.1, 0.6] {
                check(&map, sorted[(share * (sorted.len() - 1) as f32) as usize]);
            }
            check(&map, -1000.0);
            check(&map, 1000.0);
        }
    }
}

#[test]
fn what_is_wide_open_water_has_round_shores() {
    let lake = |wraps| {
        map_of(81, 81, wraps, |row, column| {
            let (x, z) = (column as f32 - 40.0, row as f32 - 40.0);
            if x * x + z * z < 400.0 { -1.0 } else { 1.0 }
        })
    };
    check(&lake(false), 0.0);
    check(&lake(true), 0.0);
}

#[test]
fn shores_stand_for_the_scenes_own_water() {
    let land = land(33, 20, false);
    let level = -0.035;
    let flooded = map_of(33, 20, false, |row, column| land.at(row, column) - level);
    let lake = map_of(33, 20, false, |row, column| {
        if (row, column) == (4, 7) { -1.0 } else { 1.0 }
    });
    let (images, job) = (images(), Job::new());
    let mut mask = Mask::new(By::WaterDistance);
    (mask.water_distance.high, mask.water_distance.soft) = (0.0, 100.0);
    let weights = |water, shores| {
        let context = Context {
            water,
            shores,
            ..context(&images, &job)
        };
        mask.weights(&land, &context).unwrap()
    };
    let sea = weights(Some(level), None);
    assert!(sea.heights().contains(&1.0) && sea.heights().contains(&0.0));
    // Water is where they are not above 0, with a sea in the scene or without.
    assert_eq!(weights(None, Some(&flooded)).heights(), sea.heights());
    assert_eq!(
        weights(Some(level), Some(&lake)).heights(),
        weights(None, Some(&lake)).heights()
    );
    let of_lake = weights(None, Some(&lake));
    for row in 0..33 {
        for column in 0..20 {
            assert_eq!(of_lake.at(row, column) == 1.0, (row, column) == (4, 7));
        }
    }
}

#[test]
fn mask_is_refused_without_water_in_the_scene() {
    let mut scene = small_scene();
    scene.modifiers = vec![
        limited(&Mask::new(By::None)),
        limited(&Mask::new(By::WaterDistance)),
    ];
    scene.water.enabled = false;
    let error = pipeline::heights(&scene, &Inputs::default(), &Job::new()).unwrap_err();
    let words = "modifiers.1.mask.by is water-distance; allowed: anything else while the scene has \
                 no water";
    assert!(error.to_string().starts_with(words), "{error}");
    let error = Pipeline::default().run(&scene, &Inputs::default(), &Job::new());
    assert!(error.unwrap_err().to_string().starts_with(words));
    scene.modifiers[1].on = false;
    assert!(pipeline::heights(&scene, &Inputs::default(), &Job::new()).is_ok());
    scene.layers = vec![Layer {
        mask: Mask::new(By::WaterDistance),
        ..Layer::default()
    }];
    let error = pipeline::heights(&scene, &Inputs::default(), &Job::new()).unwrap_err();
    assert!(
        error.to_string().starts_with("layers.0: mask.by is"),
        "{error}"
    );
}
