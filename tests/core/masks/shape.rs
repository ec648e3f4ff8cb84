//! Masks that are combined, grown, blurred and given levels.

use super::*;

/// Height is the weight: a mask over heights 0…1, with smooth ends.
fn by_height() -> Mask {
    let mut mask = Mask::new(By::Height);
    set_range(&mut mask, "0.9", "1000", "0.9");
    mask
}

/// Metres between samples of a map under the default context.
fn sample_m(map: &Heightmap) -> f32 {
    let side = map.rows().max(map.columns()) - 1;
    Context::new(0, &Job::new()).tile_size_m / side as f32
}

/// Some of everything that shapes a mask.
fn shaped(by: By, second: By) -> Mask {
    Mask {
        combine: Combine::Or,
        grow: -30.0,
        blur: 55.0,
        black: 0.1,
        white: 0.8,
        gamma: 1.7,
        second: SecondMask::new(second),
        ..Mask::new(by)
    }
}

/// Indices of a line that are up to `reach` from one, around the map if it wraps.
fn near(at: usize, reach: usize, count: usize, wraps: bool) -> Vec<(usize, usize)> {
    let period = (count - 1).max(1) as isize;
    let places = -(reach as isize)..=reach as isize;
    let places = places.filter_map(|away| {
        let place = at as isize + away;
        let inside = (0..count as isize).contains(&place);
        let place = if wraps {
            place.rem_euclid(period)
        } else {
            place
        };
        (inside || wraps).then_some((place as usize, away.unsigned_abs()))
    });
    places.collect()
}

#[test]
fn growth_takes_the_largest_weight_in_a_disc() {
    for map in lands() {
        let plain = weights(&by_height(), &map);
        for samples in [1.0f32, 2.3, 7.1, -1.5, -4.0, 300.0] {
            let mut mask = by_height();
            // A little more, so that rounding decides nothing.
            mask.grow = samples * 1.0001 * sample_m(&map);
            let grown = weights(&mask, &map);
            let radius = f64::from(samples.abs()) * 1.0001;
            for row in (0..map.rows()).step_by(7) {
                for column in (0..map.columns()).step_by(5) {
                    let mut found = Vec::new();
                    let reach = radius as usize;
                    for (other, down) in near(row, reach, map.rows(), map.wraps()) {
                        for (across, along) in near(column, reach, map.columns(), map.wraps()) {
                            if ((down * down + along * along) as f64) <= radius * radius {
                                found.push(plain.at(other, across));
                            }
                        }
                    }
                    let known = match samples > 0.0 {
                        true => found.into_iter().fold(0.0, f32::max),
                        false => found.into_iter().fold(1.0, f32::min),
                    };
                    let size = (map.rows(), map.columns());
                    assert_eq!(grown.at(row, column), known, "{size:?} by {samples}");
                }
                if samples == 300.0 {
                    break;
                }
            }
        }
    }
}

#[test]
fn one_sample_grows_to_a_cross() {
    let map = map_of(9, 9, false, |row, column| {
        f32::from((row, column) == (4, 4))
    });
    let mut mask = by_height();
    mask.grow = 1.2 * sample_m(&map);
    let grown = weights(&mask, &map);
    assert_eq!(grown.heights().iter().sum::<f32>(), 5.0);
    for (row, column) in [(3, 4), (4, 3), (4, 5), (5, 4), (4, 4)] {
        assert_eq!(grown.at(row, column), 1.0);
    }
    mask.grow = -mask.grow;
    assert_eq!(weights(&mask, &map).range(), (0.0, 0.0));
}

#[test]
fn blur_spreads_a_weight_and_keeps_the_sum() {
    let map = map_of(33, 33, true, |row, column| {
        f32::from((row, column) == (16, 16))
    });
    let mut mask = by_height();
    mask.blur = 4.0 * sample_m(&map);
    let blurred = weights(&mask, &map);
    let sum: f32 = blurred.heights().iter().sum();
    assert!((sum - 1.0).abs() < 1.0e-4, "{sum}");
    assert!(blurred.at(16, 16) < 0.1);
    assert!(blurred.at(16, 20) > 0.001);
    assert_eq!(blurred.at(16, 31), 0.0);
}

#[test]
fn levels_stretch_and_bend_weights() {
    let heights = vec![0.0, 0.2, 0.5, 0.9, 1.0];
    let map = Heightmap::new(1, 5, false, heights);
    let plain = weights(&by_height(), &map);
    let mut mask = by_height();
    (mask.black, mask.white) = (0.25, 0.75);
    let stretched = weights(&mask, &map);
    mask.gamma = 2.0;
    let bent = weights(&mask, &map);
    for index in 0..5 {
        let known = ((plain.at(0, index) - 0.25) * 2.0).clamp(0.0, 1.0);
        assert!((stretched.at(0, index) - known).abs() < 1.0e-6);
        assert!((bent.at(0, index) - known.sqrt()).abs() < 1.0e-6);
    }
    (mask.black, mask.white, mask.gamma) = (0.5, 0.5, 1.0);
    let hard = weights(&mask, &map);
    for (hard, weight) in hard.heights().iter().zip(plain.heights()) {
        assert_eq!(*hard, f32::from(*weight >= 0.5));
    }
}

#[test]
fn masks_combine_as_sets() {
    let map = land(65, 65, true);
    for by in kinds() {
        let one = weights(&by_height(), &map);
        let other = weights(&Mask::new(by), &map);
        for (combine, rule) in [
            (Combine::And, (|a, b| a.min(b)) as fn(f32, f32) -> f32),
            (Combine::Or, |a, b| a.max(b)),
            (Combine::Minus, |a, b| a.min(1.0 - b)),
        ] {
            let mask = Mask {
                combine,
                second: SecondMask::new(by),
                ..by_height()
            };
            let both = weights(&mask, &map);
            for (index, found) in both.heights().iter().enumerate() {
                let known = rule(one.heights()[index], other.heights()[index]);
                assert_eq!(*found, known, "{combine} {by}");
            }
        }
    }
}

#[test]
fn inversion_comes_last() {
    let map = land(65, 65, false);
    let mask = shaped(By::Height, By::Slope);
    let inverted = Mask {
        invert: true,
        ..mask.clone()
    };
    let (weights, others) = (weights(&mask, &map), weights(&inverted, &map));
    for (weight, other) in weights.heights().iter().zip(others.heights()) {
        assert_eq!(weight + other, 1.0);
    }
}

#[test]
fn shaped_masks_wrap_and_forget_threads() {
    let on = |threads, work: &(dyn Fn() -> Heightmap + Sync)| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(work)
    };
    for map in lands() {
        for by in kinds() {
            let modifier = limited(&shaped(By::Noise, by));
            let one = on(1, &|| apply(&modifier, &map));
            for threads in [2, 7] {
                let more = on(threads, &|| apply(&modifier, &map));
                assert_eq!(bits(&more), bits(&one), "{by} on {threads} threads");
            }
            if map.wraps() {
                let last = map.columns() - 1;
                let rows = (0..map.rows()).map(|row| one.row(row));
                rows.for_each(|row| assert_eq!(row[0].to_bits(), row[last].to_bits(), "{by}"));
                assert_eq!(one.row(0), one.row(map.rows() - 1), "{by}");
            }
        }
    }
}

/// A torus that is moved along has the same weights, moved along: there is no seam.
#[test]
fn shaped_masks_have_no_seam() {
    let map = land(65, 65, true);
    let moved = map_of(65, 65, true, |row, column| {
        map.at((row + 20) % 64, (column + 50) % 64)
    });
    let mut mask = by_height();
    (mask.grow, mask.black, mask.gamma) = (3.3 * sample_m(&map), 0.2, 0.7);
    let (one, other) = (weights(&mask, &map), weights(&mask, &moved));
    for row in 0..65 {
        for column in 0..65 {
            let there = one.at((row + 20) % 64, (column + 50) % 64);
            assert_eq!(other.at(row, column), there);
        }
    }
}

#[test]
fn neutral_shape_keeps_bits_and_files() {
    let mask = Mask::new(By::Slope);
    let named = Mask {
        combine: Combine::Minus,
        ..mask.clone()
    };
    for map in lands() {
        let (plain, same) = (apply(&limited(&mask), &map), apply(&limited(&named), &map));
        assert_eq!(bits(&plain), bits(&same), "without a second mask");
    }
    let scene = Scene {
        modifiers: vec![limited(&mask)],
        ..Scene::default()
    };
    let text = scene.to_toml();
    for key in [
        "combine", "grow", "blur", "black", "white", "gamma", "second",
    ] {
        assert!(!text.contains(&format!("{key} =")), "{key} in {text}");
    }
}

#[test]
fn shapes_survive_the_scene_file() {
    let mut mask = shaped(By::Noise, By::Image);
    mask.second.image.path = "masks/a b.png".into();
    let scene = Scene {
        modifiers: vec![limited(&mask)],
        layers: vec![Layer {
            mask: mask.clone(),
            ..Layer::default()
        }],
        ..Scene::default()
    };
    assert_eq!(Scene::parse(&scene.to_toml()).unwrap(), scene);
    assert_eq!(Scene::parse(&scene.to_short_toml()).unwrap(), scene);
    assert_eq!(scene.mask_images().count(), 2);
}

#[test]
fn shapes_are_set_from_a_text() {
    let mut scene = Scene::default();
    for (key, value) in [
        ("by", "slope"),
        ("combine", "minus"),
        ("grow", "-12"),
        ("blur", "30"),
        ("black", "0.25"),
        ("white", "0.5"),
        ("gamma", "2"),
        ("second.by", "height"),
        ("second.height.low", "0.5"),
    ] {
        scene = scene.with(&format!("layers.0.mask.{key}"), value).unwrap();
    }
    let mask = &scene.layers[0].mask;
    assert_eq!((mask.combine, mask.grow), (Combine::Minus, -12.0));
    assert_eq!((mask.second.by, mask.second.height.low), (By::Height, 0.5));
    for (key, value, words) in [
        ("black", "0.75", "at most layers.0.mask.white = 0.5"),
        ("gamma", "0", "allowed: 0.1 to 10"),
        ("second.by", "scent", "allowed: none, height"),
        (
            "second.slope.low",
            "91",
            "layers.0.mask.second.slope.low is 91",
        ),
    ] {
        let error = scene.with(&format!("layers.0.mask.{key}"), value);
        let error = error.unwrap_err().to_string();
        assert!(error.contains(words), "`{error}` lacks `{words}`");
    }
}

#[test]
fn second_mask_needs_its_water() {
    let mut scene = small_scene();
    scene.modifiers = vec![limited(&Mask {
        second: SecondMask::new(By::WaterDistance),
        ..Mask::new(By::Height)
    })];
    scene.water.enabled = false;
    let error = scene.validate_picture().unwrap_err().to_string();
    assert!(error.contains("modifiers.0.mask.second.by"), "{error}");
    let job = Job::new();
    let mut map = land(33, 33, false);
    let error = scene.modifiers[0].apply(&mut map, &Context::new(0, &job));
    let error = error.unwrap_err().to_string();
    assert!(error.contains("mask.second.by"), "{error}");
}
