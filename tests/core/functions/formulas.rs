//! Formulas below the last iteration: without stones, and with poles and gaps between the samples.

use landform::fractal::refinement::Refinement;
use landform::heightmap::MOST_HEIGHT;
use landform::job::Job;

use super::{BUMPS, WAVES, all_of, below, defined, highest, map, of_formula, refined, roughness};
use super::{scene, window};

#[test]
fn formula_has_stones_only_where_requested() {
    for expression in [WAVES, BUMPS] {
        let mut scene = scene(of_formula(expression, false));
        scene.detail.strength = 3.0;
        let plain = refined(&scene, 14);
        scene.detail.hurst = Some(0.5);
        let rough = refined(&scene, 14);
        // What is bent lies above the mean of its neighbours by a quarter as much each level.
        let falls = roughness(&plain, 8) / roughness(&plain, 9);
        assert!((falls / 4.0 - 1.0).abs() < 0.1, "{falls}");
        let falls = roughness(&rough, 8) / roughness(&rough, 9);
        assert!((falls / 2.0_f64.sqrt() - 1.0).abs() < 0.1, "{falls}");
    }
}

#[test]
fn map_continues_where_a_formula_is_undefined() {
    // Poles and gaps between samples: at a place of level 10, at none of any level, over some cells,
    // and higher than heights may be.
    let between = "(x - 0.25 - 1/512)";
    for formula in [
        format!("0.01/{between}"),
        "0.01/(x - 0.3)".to_owned(),
        format!("0.1*sqrt(abs({between}) - 0.001) + z"),
        format!("1e-12/{between}^8"),
        format!("0.1*ln(abs({between}))"),
    ] {
        let surface = of_formula(&formula, false);
        let (all, shown) = (below(&surface, 6), map(&surface));
        let plain = Refinement {
            function: None,
            ..all.clone()
        };
        let level = all.level();
        let place = (5 << level) / 8 + (1 << (level - 10)) - 20;
        let heights = window(&all, level, [700, place], 41);
        let most = f64::from(MOST_HEIGHT);
        assert!(heights.as_slice().iter().all(|height| height.abs() <= most));
        let single = all.single(all_of(&all), &Job::new()).unwrap();
        assert!(single.as_slice().iter().all(|height| height.is_finite()));
        for row in 0..33 {
            assert_eq!(single.at(64 * row, 128), shown.row(row)[2], "{formula}");
        }
        let (expected, mut gaps) = (window(&plain, level, [700, place], 41), 0);
        for row in 0..41 {
            for column in 0..41 {
                let at = [row, column].map(|at| at as i64);
                let [row_there, column_there] = [700 + at[0], place + at[1]];
                let value = defined(&surface, level, row_there as u64, column_there as u64);
                let here = heights.at(row, column);
                if value.abs() <= most {
                    continue;
                }
                gaps += 1;
                let far = (here - expected.at(row, column)).abs();
                assert!(far <= 1e-6 * highest(&surface), "{formula}: {far}");
                let alone = window(&all, level, [row_there, column_there], 1);
                assert_eq!(alone.at(0, 0).to_bits(), here.to_bits(), "{formula}");
            }
        }
        assert_eq!(gaps > 0, !formula.contains("0.3"), "{formula}");
    }
}
