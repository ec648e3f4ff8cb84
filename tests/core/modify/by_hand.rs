//! Modifiers of single heights, by hand.

use super::*;

#[test]
fn normalize_fills_its_range() {
    let modifier = step(Kind::Normalize, |m| {
        (m.normalize.low, m.normalize.high) = (1.0, 5.0)
    });
    check(&modifier, 3, COUNT, COUNT.map(|h| 1.0 + h / 2.0));
    check(&modifier, 3, [7.0; 9], [1.0; 9]);
    let exact = apply(&Modifier::new(Kind::Normalize), &land(31, 17));
    assert_eq!(exact.range(), (0.0, 1.0));
}

#[test]
fn power_bends_the_heights_within_their_range() {
    let power = |exponent| step(Kind::Power, |m| m.power.exponent = exponent);
    let squares = COUNT.map(|h| h * h);
    check(&power(0.5), 3, squares, COUNT.map(|h| 8.0 * h));
    check(&power(2.0), 3, COUNT, COUNT.map(|h| h * h / 8.0));
    check(
        &power(3.0),
        3,
        COUNT.map(|h| h / 8.0),
        COUNT.map(|h| (h / 8.0).powi(3)),
    );
    check(&power(0.0), 3, COUNT, [8.0; 9]);
    check(&power(0.25), 3, [3.0; 9], [3.0; 9]);
    let map = land(31, 17);
    for exponent in [0.01, 0.5, 1.7, 2.0, 16.0] {
        assert_eq!(apply(&power(exponent), &map).range(), map.range());
    }
}

#[test]
fn level_lifts_everything() {
    let modifier = step(Kind::Level, |m| m.level.shift = -2.5);
    check(&modifier, 3, COUNT, COUNT.map(|h| h - 2.5));
}

#[test]
fn flatten_makes_a_plain_and_leaves_the_rest() {
    let modifier = step(Kind::Flatten, |m| {
        (m.flatten.low, m.flatten.high) = (0.0, 1.0)
    });
    check(
        &modifier,
        3,
        [-1.0, 0.0, 0.25, 0.5, 0.75, 1.0, 1.25, -0.1, 2.0],
        [
            -1.0,
            0.0,
            0.039_062_5,
            0.25,
            0.632_812_5,
            1.0,
            1.25,
            -0.1,
            2.0,
        ],
    );
    // Continuous at both ends, and never falling.
    let slope: Vec<f32> = (0..=3000)
        .map(|index| index as f32 / 1000.0 - 1.0)
        .collect();
    let flat = apply(&modifier, &Heightmap::new(1, 3001, false, slope));
    for pair in flat.heights().windows(2) {
        assert!((0.0..0.002).contains(&(pair[1] - pair[0])), "{pair:?}");
    }
}

#[test]
fn invert_turns_hills_into_hollows() {
    check(
        &Modifier::new(Kind::Invert),
        3,
        COUNT,
        COUNT.map(|h| 8.0 - h),
    );
}

#[test]
fn clamp_cuts_off() {
    let modifier = step(Kind::Clamp, |m| (m.clamp.low, m.clamp.high) = (2.0, 6.5));
    check(
        &modifier,
        3,
        COUNT,
        [2.0, 2.0, 2.0, 3.0, 4.0, 5.0, 6.0, 6.5, 6.5],
    );
}

#[test]
fn terrace_has_steps_and_ramps() {
    let terrace = |steps, sharpness| {
        step(Kind::Terrace, |m| {
            (m.terrace.steps, m.terrace.sharpness) = (steps, sharpness);
        })
    };
    check(
        &terrace(2, 0.5),
        3,
        COUNT,
        [0.0, 0.0, 0.0, 2.0, 4.0, 4.0, 4.0, 6.0, 8.0],
    );
    check(
        &terrace(2, 1.0),
        3,
        COUNT,
        [0.0, 0.0, 0.0, 0.0, 4.0, 4.0, 4.0, 4.0, 8.0],
    );
}

#[test]
fn quantize_rounds_and_never_overflows() {
    let modifier = step(Kind::Quantize, |m| {
        (m.quantize.levels, m.quantize.low, m.quantize.high) = (5, 0.0, 4.0);
    });
    check(
        &modifier,
        3,
        [-300.0, 0.4, 0.6, 2.49, 2.51, 4.4, 1.0e9, -0.6, 3.0],
        [0.0, 0.0, 1.0, 2.0, 3.0, 4.0, 4.0, 0.0, 3.0],
    );
    let bytes = Modifier::new(Kind::Quantize);
    let once = apply(&bytes, &land(65, 65));
    assert_eq!(bits(&apply(&bytes, &once)), bits(&once));
    let mut levels = bits(&once);
    levels.sort_unstable();
    levels.dedup();
    assert!(levels.len() <= 256);
}

#[test]
fn identity_settings_change_no_bit() {
    let mut heights = torus(33, 20).heights().to_vec();
    (heights[25], heights[26]) = (-0.0, 0.0);
    let map = Heightmap::new(33, 20, true, heights);
    let (low, high) = map.range();
    let mut steps = vec![
        step(Kind::Normalize, |m| {
            (m.normalize.low, m.normalize.high) = (low, high)
        }),
        step(Kind::Power, |m| m.power.exponent = 1.0),
        step(Kind::Level, |m| m.level.shift = 0.0),
        step(Kind::Flatten, |m| m.flatten.strength = 0.0),
        step(Kind::Flatten, |m| {
            (m.flatten.low, m.flatten.high) = (5.0, 6.0)
        }),
        step(Kind::SmoothDetail, |m| m.smooth_detail.passes = 0),
        step(Kind::Stitch, |m| m.stitch.width = 0.5),
        step(Kind::EdgeFade, |m| m.edge_fade.width = 0.0),
        step(Kind::EdgeFade, |m| m.edge_fade.amount = 0.0),
        step(Kind::Island, |m| m.island.amount = 0.0),
        step(Kind::Island, |m| {
            (m.island.radius, m.island.shore) = (2.0, 0.1)
        }),
        step(Kind::PerlinBlend, |m| m.perlin_blend.weight = 0.0),
        step(Kind::Blur, |m| m.blur.radius = 0.0),
        step(Kind::Clamp, |m| (m.clamp.low, m.clamp.high) = (-9.0, 9.0)),
        step(Kind::Terrace, |m| m.terrace.sharpness = 0.0),
        step(Kind::Strata, |m| m.strata.contrast = 1.0),
        step(Kind::Strata, |m| m.strata.strength = 0.0),
    ];
    steps.extend(Kind::ALL.iter().map(|kind| step(*kind, |m| m.on = false)));
    for modifier in steps {
        let after = apply(&modifier, &map);
        assert_eq!(bits(&after), bits(&map), "{}", modifier.kind);
        assert!(after.wraps(), "{}", modifier.kind);
    }
}
