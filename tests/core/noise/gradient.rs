//! Perlin noise.

use super::*;

fn perlin_of(options: &perlin::PerlinOptions, seed: u64, iterations: u32) -> Perlin {
    Perlin::new(options, seed, iterations, 0.7, 1.0)
}

fn filled(perlin: &Perlin) -> Vec<f32> {
    let mut heights = vec![f32::NAN; perlin.side() * perlin.side()];
    perlin.fill(&mut heights, &Job::new()).unwrap();
    heights
}

#[test]
fn perlin_is_its_definition_and_within_its_range() {
    for edges in [Edges::Wrap, Edges::Free] {
        for variant in Variant::ALL {
            for (cells, octaves, iterations) in [
                (4, 8, 5),
                (1, 1, 4),
                (5, 6, 6),
                (3, 10, 4),
                (1, 16, 3),
                (2, 4, 7),
                (256, 9, 3),
            ] {
                let options = perlin::PerlinOptions {
                    edges,
                    variant: *variant,
                    cells,
                    octaves,
                };
                let perlin = perlin_of(&options, 9, iterations);
                let (low, high) = perlin.range();
                for (index, height) in filled(&perlin).into_iter().enumerate() {
                    let (row, column) = (index / perlin.side(), index % perlin.side());
                    let error = perlin.height_at(row, column) - f64::from(height);
                    assert!(error.abs() < 3e-6, "{options:?} {row} {column}: {error}");
                    assert!(low - 1e-6 <= height && height <= high + 1e-6);
                }
            }
        }
    }
}

#[test]
fn noise_of_one_octave_reaches_nowhere_beyond_one() {
    // With every gradient pointing at (u, v) noise is √2·Σ weight·distance; largest where?
    let fade = |t: f64| t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
    let bound = |u: f64, v: f64| {
        let corner = |x: f64, z: f64| {
            let weight = |t: f64, at: f64| if at == 0.0 { 1.0 - fade(t) } else { fade(t) };
            weight(u, x) * weight(v, z) * (u - x).hypot(v - z)
        };
        2f64.sqrt() * (corner(0., 0.) + corner(1., 0.) + corner(0., 1.) + corner(1., 1.))
    };
    assert!((bound(0.5, 0.5) - 1.0).abs() < 1e-12);
    for row in 0..=200 {
        for column in 0..=200 {
            assert!(bound(f64::from(row) / 200.0, f64::from(column) / 200.0) <= 1.0 + 1e-12);
        }
    }
}

#[test]
fn more_iterations_move_no_point_of_perlin() {
    for surface in surfaces(5, 6) {
        if surface.generator != Generator::Perlin {
            continue;
        }
        let coarse = map_of(&surface);
        let fine = map_of(&Surface {
            iterations: 8,
            ..surface.clone()
        });
        for row in 0..65 {
            for column in 0..65 {
                let (a, b) = (coarse.at(row, column), fine.at(4 * row, 4 * column));
                assert_eq!(a.to_bits(), b.to_bits(), "{surface:?} {row} {column}");
            }
        }
    }
}

#[test]
fn perlin_octave_is_zero_only_at_lattice_points() {
    let options = perlin::PerlinOptions {
        cells: 8,
        octaves: 1,
        ..perlin::PerlinOptions::default()
    };
    let heights = filled(&perlin_of(&options, 2, 6));
    let zeros = heights.iter().filter(|h| **h == 0.0).count();
    assert_eq!(zeros, 9 * 9);
    for row in 0..9 {
        for column in 0..9 {
            assert_eq!(heights[8 * row * 65 + 8 * column], 0.0);
        }
    }
}

#[test]
fn a_single_cell_of_perlin_by_hand() {
    // One wrapped cell: all corners have the same gradient (x, y), so at (u, v) the height is
    // √2·(x·(u − s(u)) + y·(v − s(v))); s(¼) = 53/512.
    let options = perlin::PerlinOptions {
        cells: 1,
        octaves: 1,
        ..perlin::PerlinOptions::default()
    };
    for seed in 0..20 {
        let heights = filled(&perlin_of(&options, seed, 2));
        let at = |row: usize, column: usize| heights[row * 5 + column];
        let (x, y) = (at(0, 1), at(1, 0));
        let length = x.hypot(y) / (2f32.sqrt() * (0.25 - 53.0 / 512.0));
        assert!((length - 1.0).abs() < 1e-6);
        #[rustfmt::skip]
        let expected = [
            0.0, x, 0.0, -x, 0.0,
            y, y + x, y, y - x, y,
            0.0, x, 0.0, -x, 0.0,
            -y, -y + x, -y, -y - x, -y,
            0.0, x, 0.0, -x, 0.0,
        ];
        for (found, expected) in heights.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-6, "{heights:?}");
        }
    }
}

#[test]
fn perlin_uses_every_vector_of_the_circle() {
    // The single cell of the test above, over many seeds: its gradient's direction, in 256ths
    // of a turn.
    let options = perlin::PerlinOptions {
        cells: 1,
        octaves: 1,
        ..perlin::PerlinOptions::default()
    };
    let mut seen = [false; 256];
    for seed in 0..4000 {
        let heights = filled(&perlin_of(&options, seed, 2));
        let turn = heights[5].atan2(heights[1]) / std::f32::consts::TAU * 256.0;
        assert!((turn - turn.round()).abs() < 1e-3);
        seen[(turn.round() as i32).rem_euclid(256) as usize] = true;
    }
    assert!(seen.iter().all(|seen| *seen));
}

// Square-square.
