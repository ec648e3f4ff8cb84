//! Masks by the shape of the ground at a scale, and masks of simulations, which are smoothed.

use super::*;
use landform::generate::Surface;

const SHAPES: [By; 3] = [By::Slope, By::Direction, By::Curvature];

/// A mask by the shape of the ground at a scale in metres, with weights of every kind.
fn at_scale(by: By, scale: f32) -> Mask {
    let mut mask = Mask::new(by);
    mask.slope.soft = 40.0;
    mask.direction.soft = 120.0;
    mask.curvature.soft = 0.02;
    for of in [
        &mut mask.slope.scale,
        &mut mask.direction.scale,
        &mut mask.curvature.scale,
    ] {
        *of = scale;
    }
    mask
}

fn generated(generator: Generator, iterations: u32) -> Heightmap {
    let surface = Surface {
        generator,
        iterations,
        height_scale: 0.4,
        seed: 11,
        hurst: 0.92,
        ..Surface::default()
    };
    surface
        .generate(&Images::default(), &Job::new(), None)
        .unwrap()
}

/// At 7 iterations samples are 15.6 m apart, and the default scale is 20 m.
#[test]
fn more_iterations_keep_weights_at_shared_points() {
    for by in SHAPES {
        let mask = Mask::new(by);
        let coarse = weights(&mask, &generated(Generator::DiamondSquare, 7));
        for iterations in [8, 9, 10] {
            let fine = weights(&mask, &generated(Generator::DiamondSquare, iterations));
            let step = 1 << (iterations - 7);
            for row in 0..coarse.rows() {
                for column in 0..coarse.columns() {
                    let known = coarse.at(row, column);
                    let found = fine.at(row * step, column * step);
                    assert_eq!(known.to_bits(), found.to_bits(), "{by} {iterations}");
                }
            }
        }
    }
}

/// Between nodes weights lie on smooth curves, so that they never jump from sample to sample.
#[test]
fn weights_between_nodes_go_over_smoothly() {
    let map = generated(Generator::DiamondSquare, 10);
    let jump = |scale: f32| {
        let weights = weights(&at_scale(By::Slope, scale), &map);
        let rows = weights.heights().chunks(weights.columns());
        let steps = rows.flat_map(|row| row.windows(2));
        steps
            .map(|pair| (pair[1] - pair[0]).abs())
            .fold(0.0, f32::max)
    };
    let (at_samples, at_scale) = (jump(0.0), jump(64.0));
    assert!(at_scale < 0.15, "{at_scale}");
    assert!(at_samples > 2.0 * at_scale, "{at_samples}");
}

/// A slope of 0.5 under a zigzag: columns are 250 m, 0.25 half tiles, apart.
#[test]
fn a_zigzag_below_the_scale_counts_for_nothing() {
    let map = map_of(9, 9, false, |_, column| {
        0.125 * column as f32 + 0.25 * (column % 2) as f32
    });
    let slope = 0.5f32.atan().to_degrees();
    let counted = |scale: f32| {
        let mut mask = at_scale(By::Slope, scale);
        mask.slope.low = slope - 0.01;
        mask.slope.high = slope + 0.01;
        mask.slope.soft = 0.0;
        weights(&mask, &map).heights().iter().sum::<f32>()
    };
    assert_eq!(counted(500.0), 81.0, "every second sample is on the plane");
    assert_eq!(counted(999.0), 81.0);
    // Differences over two columns see no zigzag; at the western border it is 1.5, and at the eastern
    // one −0.5, which is as steep.
    assert_eq!(counted(0.0), 8.0 * 9.0);
}

#[test]
fn samples_wider_than_the_scale_decide() {
    let map = land(33, 33, true);
    for by in SHAPES {
        let none = weights(&at_scale(by, 0.0), &map);
        assert_eq!(weights(&at_scale(by, 124.9), &map), none, "{by}");
        assert_ne!(weights(&at_scale(by, 125.0), &map), none, "{by}");
    }
}

#[test]
fn planes_of_any_size_keep_their_slope() {
    for (rows, columns) in [(65, 65), (97, 61), (1, 300), (90, 1), (50, 33)] {
        let spacing = 2.0 / (rows.max(columns) - 1) as f32;
        let map = map_of(rows, columns, false, |row, column| {
            (0.75 * row as f32 + column as f32) * spacing
        });
        let known: f32 = match (rows, columns) {
            (1, _) => 1.0,
            (_, 1) => 0.75,
            _ => 1.25,
        };
        let degrees = known.atan().to_degrees();
        for scale in [0.0, 100.0, 350.0, 1.0e5] {
            let mut mask = at_scale(By::Slope, scale);
            (mask.slope.low, mask.slope.high) = (degrees - 0.01, degrees + 0.01);
            mask.slope.soft = 0.0;
            let (least, _) = weights(&mask, &map).range();
            assert_eq!(least, 1.0, "{rows} × {columns} at {scale}");
        }
    }
}

#[test]
fn wide_scales_wrap_and_forget_threads() {
    let on = |threads, work: &(dyn Fn() -> Heightmap + Sync)| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(work)
    };
    for map in lands() {
        for by in SHAPES {
            let mask = at_scale(by, 150.0);
            let one = on(1, &|| weights(&mask, &map));
            assert_eq!(bits(&on(5, &|| weights(&mask, &map))), bits(&one), "{by}");
            if map.wraps() {
                let (rows, columns) = (map.rows(), map.columns());
                for row in 0..rows {
                    assert_eq!(one.at(row, 0).to_bits(), one.at(row, columns - 1).to_bits());
                }
                assert_eq!(one.row(0), one.row(rows - 1), "{by}");
            }
        }
    }
}

/// How far land stands above all that is a hundredth of a tile away, as a slope.
fn tallest_needle(map: &Heightmap) -> f32 {
    let cells = map.rows() - 1;
    let away = cells / 100;
    let mut tallest = f32::MIN;
    for row in 0..cells {
        for column in 0..cells {
            let ring = [0, away, cells - away];
            let around = ring
                .iter()
                .flat_map(|down| ring.map(|along| (*down, along)));
            let around = around
                .skip(1)
                .map(|(down, along)| map.at((row + down) % cells, (column + along) % cells));
            let above = map.at(row, column) - around.fold(f32::MIN, f32::max);
            tallest = tallest.max(above / (away as f32 * map.spacing()));
        }
    }
    tallest
}

/// Modifiers whose effect on a place depends on the land around.
const SIMULATIONS: [ModifierKind; 3] = [
    ModifierKind::Erosion,
    ModifierKind::Thermal,
    ModifierKind::Fans,
];

#[test]
fn erosion_and_slides_leave_no_needles() {
    let map = generated(Generator::Fourier, 9);
    for kind in SIMULATIONS {
        for by in SHAPES {
            let mut step = Modifier::new(kind);
            step.erosion.age = 3.0;
            let whole = tallest_needle(&apply(&step, &map)).max(tallest_needle(&map));
            step.mask = Mask::new(by);
            let masked = tallest_needle(&apply(&step, &map));
            assert!(masked < 1.25 * whole, "{kind} {by}: {masked} of {whole}");
            if kind == ModifierKind::Erosion {
                step.mask_radius = 0.0;
                let sharp = tallest_needle(&apply(&step, &map));
                assert!(
                    sharp > 2.0 * whole,
                    "{by}: {sharp} of {whole} without a radius"
                );
            }
        }
    }
}

#[test]
fn only_simulations_smooth_their_masks() {
    let map = generated(Generator::Fourier, 8);
    for kind in ModifierKind::ALL {
        let mut step = Modifier::new(*kind);
        step.mask = Mask::new(By::Noise);
        let usual = apply(&step, &map);
        step.mask_radius = 0.0;
        let same = bits(&apply(&step, &map)) == bits(&usual);
        let smooths = SIMULATIONS.contains(kind);
        assert_eq!(same, !smooths, "{kind}");
    }
}
