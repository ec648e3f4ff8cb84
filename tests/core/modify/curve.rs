//! The modifier `curve`.

use super::*;
use landform::modify::curve::Slopes;

fn curve(points: &str, slopes: Slopes) -> Modifier {
    step(Kind::Curve, |m| {
        m.curve.points = points.to_owned();
        m.curve.slopes = slopes;
    })
}

#[test]
fn straight_points_change_nothing() {
    for slopes in [Slopes::Monotone, Slopes::Free] {
        for points in ["0 0, 1 1", "0 0, 0.3 0.3, 0.5 0.5, 1 1", "0.2 0.2, 0.7 0.7"] {
            check(&curve(points, slopes), 3, COUNT, COUNT);
        }
    }
}

#[test]
fn curve_meets_its_points_and_both_ends() {
    for slopes in [Slopes::Monotone, Slopes::Free] {
        let bent = apply(
            &curve("0 0.5, 0.25 0, 0.5 0.75, 1 1", slopes),
            &Heightmap::new(3, 3, false, COUNT.to_vec()),
        );
        let known = [(0, 4.0), (2, 0.0), (4, 6.0), (8, 8.0)];
        for (index, height) in known {
            assert_eq!(bent.heights()[index], height, "{slopes}");
        }
    }
    let map = land(31, 17);
    assert_eq!(
        apply(&Modifier::new(Kind::Curve), &map).range(),
        map.range()
    );
}

#[test]
fn the_default_curve_is_known() {
    // Slopes 0, 0.64 and 2.2 at the points: by Hermite's formula 0.06 at a quarter, 0.405 at three.
    let before = [0.0, 1.0, 2.0, 3.0, 4.0, 0.0, 0.0, 0.0, 0.0];
    let after = [0.0, 0.24, 0.8, 2.01, 4.0, 0.0, 0.0, 0.0, 0.0];
    check(&Modifier::new(Kind::Curve), 3, before, after);
}

#[test]
fn curve_goes_on_straight_beyond_its_points() {
    // Between the points the curve rises by two; so it does beyond them.
    let modifier = curve("0.25 0, 0.5 0.5", Slopes::Monotone);
    check(&modifier, 3, COUNT, COUNT.map(|h| 2.0 * h - 4.0));
}

/// Rising points in a few steps, some of them level.
#[test]
fn monotone_curves_never_overshoot() {
    let points = [
        [0.0, 0.0],
        [0.1, 0.02],
        [0.2, 0.6],
        [0.5, 0.6],
        [0.55, 0.9],
        [1.0, 1.0],
    ];
    let text: Vec<_> = points.iter().map(|[x, y]| format!("{x} {y}")).collect();
    let ramp: Vec<f32> = (0..=1000).map(|i| i as f32 / 1000.0).collect();
    let map = Heightmap::new(1, 1001, false, ramp);
    let bent = apply(&curve(&text.join(", "), Slopes::Monotone), &map);
    let rises = |pair: &[f32]| pair[1] >= pair[0] - 1.0e-6;
    assert!(bent.heights().windows(2).all(rises));
    for pair in points.windows(2) {
        for index in (pair[0][0] * 1000.0) as usize..=(pair[1][0] * 1000.0) as usize {
            let height = f64::from(bent.heights()[index]);
            let within = pair[0][1] - 1.0e-6..=pair[1][1] + 1.0e-6;
            assert!(within.contains(&height), "{height} at {index}");
        }
    }
    // Without that limit it does.
    let free = apply(&curve(&text.join(", "), Slopes::Free), &map);
    assert!(!free.heights().windows(2).all(rises));
}

#[test]
fn bad_points_are_refused() {
    let scene = Scene::default().with("modifiers.0.kind", "curve").unwrap();
    for (text, words) in [
        ("", "pairs of numbers"),
        ("0 0", "2 to 32 points"),
        ("0 0, 1", "pairs of numbers"),
        ("0 0, 1 1 1", "pairs of numbers"),
        ("0 0, one 1", "pairs of numbers"),
        ("0 0, 0 1", "rise"),
        ("1 0, 0 1", "rise"),
        ("0 0, 1 nan", "-10 to 10"),
        ("0 0, 1 11", "-10 to 10"),
    ] {
        let error = scene.with("modifiers.0.curve.points", text);
        let error = error.expect_err(text).to_string();
        assert!(error.contains(words), "`{error}` lacks `{words}`");
    }
    let set = scene.with("modifiers.0.curve.points", "0 1, 1 0").unwrap();
    check(&set.modifiers[0], 3, COUNT, COUNT.map(|h| 8.0 - h));
}
