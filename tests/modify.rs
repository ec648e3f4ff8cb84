//! The modifiers: what each does to a few heights, and what all of them promise.

use std::sync::Arc;

use landform::generate::{Inputs, OptionsVisitor};
use landform::heightmap::Heightmap;
use landform::job::Job;
use landform::modify::blur::Shape;
use landform::modify::smooth_detail::Start;
use landform::modify::{Context, Modifier, ModifierKind as Kind, ModifyError};
use landform::param::{Field, Params};
use landform::pipeline::{Pipeline, StageDone};
use landform::scene::{RenderType, Scene};
use proptest::prelude::*;

fn step(kind: Kind, change: impl FnOnce(&mut Modifier)) -> Modifier {
    let mut modifier = Modifier::new(kind);
    change(&mut modifier);
    modifier
}

fn apply(modifier: &Modifier, map: &Heightmap) -> Heightmap {
    let mut map = map.clone();
    let job = Job::new();
    let context = Context { seed: 7, job: &job };
    modifier.apply(&mut map, &context).unwrap();
    map
}

fn on_threads(threads: usize, work: impl FnOnce() -> Heightmap + Send) -> Heightmap {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build().unwrap().install(work)
}

fn bits(map: &Heightmap) -> Vec<u32> {
    map.heights()
        .iter()
        .map(|height| height.to_bits())
        .collect()
}

/// Rows and columns of rough land that look random but never change, no two heights alike.
fn land(rows: usize, columns: usize) -> Heightmap {
    let height = |index: usize| {
        let hash = (index as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
        hash as f32 / (1 << 24) as f32 - 0.4
    };
    let heights: Vec<f32> = (0..rows * columns).map(height).collect();
    Heightmap::new(rows, columns, false, heights)
}

/// The same with opposite edges equal.
fn torus(rows: usize, columns: usize) -> Heightmap {
    let mut heights = land(rows, columns).heights().to_vec();
    for row in heights.chunks_exact_mut(columns) {
        row[columns - 1] = row[0];
    }
    heights.copy_within(..columns, (rows - 1) * columns);
    Heightmap::new(rows, columns, true, heights)
}

/// Whether opposite edges are equal, bit for bit.
fn meets(map: &Heightmap) -> bool {
    let (rows, columns) = (map.rows(), map.columns());
    let same = |a: (usize, usize), b: (usize, usize)| {
        map.at(a.0, a.1).to_bits() == map.at(b.0, b.1).to_bits()
    };
    (0..rows).all(|row| same((row, 0), (row, columns - 1)))
        && (0..columns).all(|column| same((0, column), (rows - 1, column)))
}

#[track_caller]
fn check<const N: usize>(modifier: &Modifier, columns: usize, before: [f32; N], after: [f32; N]) {
    let map = Heightmap::new(N / columns, columns, false, before.to_vec());
    let changed = apply(modifier, &map);
    let worst = changed.heights().iter().zip(&after);
    let worst = worst.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(
        worst < 1.0e-6,
        "{:?} instead of {after:?}",
        changed.heights()
    );
}

const COUNT: [f32; 9] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];

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
fn smooth_detail_takes_the_mean_of_the_square_ahead() {
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
fn stitch_brings_the_edges_together() {
    let narrow = step(Kind::Stitch, |m| m.stitch.width = 0.0);
    check(&narrow, 3, COUNT, [4.0; 9]);
    let wide = step(Kind::Stitch, |m| m.stitch.width = 0.5);
    let ramp: [f32; 25] = std::array::from_fn(|index| (index % 5) as f32);
    check(&wide, 5, ramp, [2.0; 25]);
    for (rows, columns) in [(1, 1), (1, 9), (9, 1), (2, 2), (33, 33), (40, 17), (3, 600)] {
        for width in [0.0, 0.01, 0.2, 0.5] {
            let modifier = step(Kind::Stitch, |m| m.stitch.width = width);
            let stitched = apply(&modifier, &land(rows, columns));
            assert!(
                stitched.wraps() && meets(&stitched),
                "{rows} × {columns}, {width}"
            );
        }
    }
}

#[test]
fn stitch_keeps_what_is_far_from_the_edges() {
    let map = land(65, 65);
    let stitched = apply(&step(Kind::Stitch, |m| m.stitch.width = 0.1), &map);
    for row in 7..58 {
        assert_eq!(stitched.row(row)[7..58], map.row(row)[7..58]);
    }
    // Between edge and middle nothing moves by more than the edge does.
    let most = |map: &Heightmap, of: &Heightmap| {
        let pairs = map.heights().iter().zip(of.heights());
        pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
    };
    assert!(most(&stitched, &map) <= 1.0);
}

#[test]
fn edge_fade_lowers_the_border() {
    let modifier = step(Kind::EdgeFade, |m| m.edge_fade.width = 0.5);
    let mut before = [8.0; 25];
    before[0] = 0.0;
    #[rustfmt::skip]
    check(&modifier, 5, before, [
        0.0, 0.0, 0.0, 0.0, 0.0,
        0.0, 2.0, 4.0, 2.0, 0.0,
        0.0, 4.0, 8.0, 4.0, 0.0,
        0.0, 2.0, 4.0, 2.0, 0.0,
        0.0, 0.0, 0.0, 0.0, 0.0,
    ]);
    let map = land(33, 20);
    let faded = apply(&Modifier::new(Kind::EdgeFade), &map);
    assert!(faded.wraps() && meets(&faded));
    let half = step(Kind::EdgeFade, |m| m.edge_fade.amount = 0.5);
    assert!(!apply(&half, &map).wraps());
}

#[test]
fn island_lowers_all_around() {
    let modifier = step(Kind::Island, |m| m.island.shore = 1.0);
    let mut before = [5.0; 25];
    before[0] = 1.0;
    let shown = apply(&modifier, &Heightmap::new(5, 5, false, before.to_vec()));
    assert_eq!(shown.row(2), [1.0, 3.0, 5.0, 3.0, 1.0]);
    assert_eq!(shown.row(0), [1.0; 5]);
    let cliff = step(Kind::Island, |m| {
        (m.island.radius, m.island.shore) = (0.6, 0.0)
    });
    let shown = apply(&cliff, &Heightmap::new(5, 5, false, before.to_vec()));
    assert_eq!(shown.row(2), [1.0, 5.0, 5.0, 5.0, 1.0]);
    assert_eq!(shown.row(1), [1.0, 1.0, 5.0, 1.0, 1.0]);
}

#[test]
fn fading_only_sinks() {
    let map = land(33, 33);
    for kind in [Kind::EdgeFade, Kind::Island] {
        let faded = apply(&Modifier::new(kind), &map);
        let pairs = faded.heights().iter().zip(map.heights());
        assert!(
            pairs.clone().all(|(after, before)| after <= before),
            "{kind}"
        );
        assert_eq!(faded.range().0, map.range().0, "{kind}");
    }
}

#[test]
fn perlin_noise_is_nothing_at_lattice_points() {
    let modifier = step(Kind::PerlinBlend, |m| m.perlin_blend.cells = 2);
    check(&modifier, 3, COUNT, COUNT.map(|h| 0.8 * h + 0.8));
}

#[test]
fn perlin_blend_stays_in_range_and_is_the_same_at_every_size() {
    let noise = |rows: usize, columns: usize| {
        // Two heights that fix the range; the rest is noise around the middle.
        let mut heights = vec![0.0; rows * columns];
        (heights[0], heights[1]) = (-1.0, 1.0);
        let modifier = step(Kind::PerlinBlend, |m| m.perlin_blend.weight = 1.0);
        apply(&modifier, &Heightmap::new(rows, columns, false, heights))
    };
    let (coarse, fine) = (noise(65, 65), noise(129, 129));
    let (low, high) = fine.range();
    assert!((-1.0..-0.3).contains(&low), "{low}");
    assert!((0.3..=1.0).contains(&high), "{high}");
    for row in 0..65 {
        for column in 0..65 {
            let apart = coarse.at(row, column) - fine.at(2 * row, 2 * column);
            assert!(apart.abs() < 1.0e-6, "{row} {column}: {apart}");
        }
    }
    // Neighbours differ little: no seam between cells.
    for row in 0..129 {
        for pair in fine.row(row).windows(2) {
            assert!((pair[0] - pair[1]).abs() < 0.35, "{row}: {pair:?}");
        }
    }
}

#[test]
fn a_box_is_the_mean_of_what_is_near() {
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
    ];
    steps.extend(Kind::ALL.iter().map(|kind| step(*kind, |m| m.on = false)));
    for modifier in steps {
        let after = apply(&modifier, &map);
        assert_eq!(bits(&after), bits(&map), "{}", modifier.kind);
        assert!(after.wraps(), "{}", modifier.kind);
    }
}

#[test]
fn wrapped_stays_wrapped() {
    for kind in Kind::ALL {
        for (rows, columns) in [(65, 65), (300, 200), (1, 33), (2, 2), (1, 1)] {
            let after = apply(&Modifier::new(*kind), &torus(rows, columns));
            assert!(after.wraps() && meets(&after), "{kind}, {rows} × {columns}");
        }
    }
    for start in Start::ALL {
        let modifier = step(Kind::SmoothDetail, |m| {
            (m.smooth_detail.start, m.smooth_detail.passes) = (*start, 3);
        });
        let after = apply(&modifier, &torus(300, 200));
        assert!(after.wraps() && meets(&after), "{start}");
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    for map in [torus(257, 257), land(300, 190), land(1, 2000), land(900, 1)] {
        for kind in Kind::ALL {
            let modifier = step(*kind, |m| m.blur.radius = 0.1);
            let one = on_threads(1, || apply(&modifier, &map));
            for threads in [2, 5] {
                let more = on_threads(threads, || apply(&modifier, &map));
                assert_eq!(bits(&more), bits(&one), "{kind} on {threads} threads");
            }
        }
    }
}

#[test]
fn a_cancelled_job_stops() {
    let job = Job::new();
    job.cancel();
    for kind in Kind::ALL {
        let error = Modifier::new(*kind)
            .apply(&mut land(9, 9), &Context { seed: 0, job: &job })
            .unwrap_err();
        assert!(matches!(error, ModifyError::Cancelled(_)), "{kind}");
    }
}

#[test]
fn the_list_is_applied_in_order() {
    let square = step(Kind::Power, |m| m.power.exponent = 2.0);
    let terrace = Modifier::new(Kind::Terrace);
    let mut scene = Scene::default();
    scene.surface.iterations = 5;
    scene.view.render_type = RenderType::Lines;
    let run = |scene: &Scene| {
        let landscape = Pipeline::default().run(scene, &Inputs::default(), &Job::new());
        landscape.unwrap().heights
    };
    let raw = run(&scene);
    scene.modifiers = vec![square.clone(), terrace.clone()];
    let one_way = run(&scene);
    assert_eq!(*one_way, apply(&terrace, &apply(&square, &raw)));
    scene.modifiers.reverse();
    let other_way = run(&scene);
    assert_eq!(*other_way, apply(&square, &apply(&terrace, &raw)));
    assert_ne!(one_way, other_way);
}

/// A pipeline, and what it computed in each run.
#[derive(Default)]
struct Observed {
    pipeline: Pipeline,
}

impl Observed {
    /// Runs, compares with a fresh pipeline, and returns the ground and the stages computed.
    #[track_caller]
    fn run(&mut self, scene: &Scene) -> (Arc<Heightmap>, Vec<StageDone>) {
        let (inputs, job, mut done) = (Inputs::default(), Job::new(), Vec::new());
        let mut observe = |stage| done.push(stage);
        let landscape = self
            .pipeline
            .run_observed(scene, &inputs, &job, &mut observe);
        let landscape = landscape.unwrap();
        let fresh = Pipeline::default().run(scene, &inputs, &job).unwrap();
        assert_eq!(landscape.heights, fresh.heights);
        assert_eq!(landscape.teximage, fresh.teximage);
        (landscape.heights, done)
    }
}

#[test]
fn a_change_recomputes_from_the_first_modifier_that_changed() {
    use StageDone::{Modifier as Step, Surface};
    let mut scene = Scene::default();
    scene.surface.iterations = 6;
    scene.view.render_type = RenderType::Lines;
    let mut observed = Observed::default();
    let (raw, done) = observed.run(&scene);
    assert_eq!(done, [Surface]);

    scene.modifiers = [Kind::Level, Kind::Power, Kind::Blur]
        .map(Modifier::new)
        .to_vec();
    let (first, done) = observed.run(&scene);
    assert_eq!(done, [Step(0), Step(1), Step(2)]);
    let (again, done) = observed.run(&scene);
    assert_eq!(done, []);
    assert!(Arc::ptr_eq(&first, &again));

    scene.modifiers[2].blur.radius = 0.1;
    assert_eq!(observed.run(&scene).1, [Step(2)]);
    scene.modifiers[1].power.exponent = 3.0;
    assert_eq!(observed.run(&scene).1, [Step(1), Step(2)]);
    scene.modifiers[0].on = false;
    assert_eq!(observed.run(&scene).1, [Step(1), Step(2)]);
    scene.modifiers.push(Modifier::new(Kind::Invert));
    assert_eq!(observed.run(&scene).1, [Step(3)]);
    scene.modifiers.pop();
    assert_eq!(observed.run(&scene).1, []);
    scene.view.tile = 3;
    assert_eq!(observed.run(&scene).1, []);
    scene.surface.seed = 1;
    assert_eq!(observed.run(&scene).1, [Surface, Step(1), Step(2)]);
    scene.surface.seed = 0;
    scene.modifiers.clear();
    let (unmodified, done) = observed.run(&scene);
    assert_eq!(done, [Surface]);
    assert_eq!(unmodified, raw);
}

#[test]
fn the_finer_map_is_modified_alike_and_clouds_are_not() {
    let mut scene = Scene::default();
    scene.view.render_type = RenderType::Rendered;
    scene.surface.iterations = 4;
    scene.teximage.iterations = 6;
    scene.modifiers = vec![Modifier::new(Kind::Level)];
    let mut observed = Observed::default();
    let (_, done) = observed.run(&scene);
    assert_eq!(
        done,
        [
            StageDone::Surface,
            StageDone::Modifier(0),
            StageDone::Teximage,
            StageDone::TeximageModifier(0),
            StageDone::Clouds,
        ]
    );
    scene.modifiers[0].level.shift = 0.5;
    let (_, done) = observed.run(&scene);
    assert_eq!(
        done,
        [StageDone::Modifier(0), StageDone::TeximageModifier(0)]
    );
    // A single pass shows what the generator does.
    scene.view.pass = Some(1.5);
    scene.view.render_type = RenderType::Lines;
    let (_, done) = observed.run(&scene);
    assert_eq!(done, [StageDone::Pass]);
}

#[test]
fn after_a_cancelled_run_the_next_one_is_right() {
    let mut scene = Scene::default();
    scene.surface.iterations = 5;
    scene.view.render_type = RenderType::Lines;
    scene.modifiers = [Kind::Power, Kind::Blur, Kind::Terrace]
        .map(Modifier::new)
        .to_vec();
    let mut observed = Observed::default();
    observed.run(&scene);
    for at in 0..3 {
        scene.modifiers[0].power.exponent += 0.1;
        let job = Job::new();
        let mut observe = |stage| {
            if stage == StageDone::Modifier(at) {
                job.cancel();
            }
        };
        let pipeline = &mut observed.pipeline;
        let ended = pipeline.run_observed(&scene, &Inputs::default(), &job, &mut observe);
        assert_eq!(ended.is_err(), at < 2);
        observed.run(&scene);
    }
}

#[test]
fn modifiers_survive_the_scene_file() {
    let text = "[[modifiers]]\nkind = \"blur\"\n[modifiers.blur]\nradius = 0.03\n\n\
                [[modifiers]]\nkind = \"edge-fade\"\non = false\n";
    let scene = Scene::parse(text).unwrap();
    assert_eq!(scene.modifiers.len(), 2);
    assert_eq!(scene.modifiers[0].kind, Kind::Blur);
    assert_eq!(scene.modifiers[0].blur.radius, 0.03);
    assert!(!scene.modifiers[1].on);
    assert_eq!(Scene::parse(&scene.to_toml()).unwrap(), scene);
    assert!(
        !scene.to_toml().contains("edge_fade"),
        "defaults are left out"
    );
    let all: Vec<Modifier> = Kind::ALL.iter().copied().map(Modifier::new).collect();
    let mut scene = Scene {
        modifiers: all,
        ..scene
    };
    scene.modifiers[3].smooth_detail.start = Start::InTurn;
    assert_eq!(Scene::parse(&scene.to_toml()).unwrap(), scene);
    assert!(!Scene::default().to_toml().contains("modifiers"));
}

#[track_caller]
fn check_refused(text: &str, expected: &str) {
    let error = Scene::parse(text).unwrap_err().to_string();
    assert!(error.contains(expected), "`{error}` lacks `{expected}`");
    assert!(!error.contains('\n'), "more than one line: {error}");
}

#[test]
fn bad_modifiers_are_refused_in_one_line() {
    check_refused("[[modifiers]]\nkind = \"erode\"\n", "smooth-detail");
    check_refused("[[modifiers]]\nkind = \"blur\"\nradius = 1\n", "line 3");
    check_refused("[[modifiers]]\n[modifiers.blur]\nradios = 1\n", "radios");
    check_refused(
        "[[modifiers]]\n[[modifiers]]\n[modifiers.blur]\nradius = 0.7\n",
        "modifiers.1.blur.radius is 0.7, allowed is 0 to 0.5",
    );
    check_refused(
        "[[modifiers]]\n[modifiers.clamp]\nlow = 2\n",
        "modifiers.0.clamp.low is 2, allowed is at most high, which is 1",
    );
    check_refused(
        "[[modifiers]]\n[modifiers.level]\nshift = nan\n",
        "modifiers.0.level.shift",
    );
    let mut map = land(3, 3);
    let bad = step(Kind::Blur, |m| m.blur.radius = -1.0);
    let job = Job::new();
    let error = bad
        .apply(&mut map, &Context { seed: 0, job: &job })
        .unwrap_err();
    assert!(error.to_string().contains("blur.radius is -1"), "{error}");
    assert_eq!(map, land(3, 3));
}

#[test]
fn one_key_of_a_modifier_can_be_set() {
    let scene = Scene::default();
    let scene = scene.with("modifiers.0.kind", "edge-fade").unwrap();
    let scene = scene.with("modifiers.1.blur.radius", "0.25").unwrap();
    let scene = scene.with("modifiers.1.kind", "blur").unwrap();
    let scene = scene.with("modifiers.0.edge-fade.width", "0").unwrap();
    assert_eq!(scene.modifiers.len(), 2);
    assert_eq!(scene.modifiers[0].kind, Kind::EdgeFade);
    assert_eq!(scene.modifiers[0].edge_fade.width, 0.0);
    assert_eq!(scene.modifiers[1].blur.radius, 0.25);
    let off = scene.with("modifiers.1.on", "false").unwrap();
    assert!(!off.modifiers[1].on && scene.modifiers[1].on);
    assert_eq!(scene.with("modifiers", "[]").unwrap().modifiers, []);
    for (key, value) in [
        ("modifiers.3.kind", "blur"),
        ("modifiers.x.kind", "blur"),
        ("modifiers.-1.kind", "blur"),
        ("modifiers.0.kind", "erode"),
        ("modifiers.0.blurr.radius", "0.1"),
        ("modifiers.0.blur.radios", "0.1"),
        ("modifiers.0.blur.radius", "3"),
        ("modifiers.0", "1"),
    ] {
        let error = scene.with(key, value).expect_err(key).to_string();
        assert!(!error.contains('\n'), "more than one line: {error}");
    }
}

/// Gives each option of a modifier a value of its range, as the next of the fractions says.
struct Choose<'a>(std::iter::Cycle<std::slice::Iter<'a, f32>>);

impl OptionsVisitor for Choose<'_> {
    fn visit<T: Params>(&mut self, options: &mut T) {
        for param in T::PARAMS {
            let t = *self.0.next().unwrap();
            match &param.field {
                Field::Float { set, min, max, .. } => {
                    set(options, (min + (max - min) * t).clamp(*min, *max));
                }
                Field::Int { set, min, max, .. } => {
                    set(options, min + ((max - min) as f32 * t * t) as u32);
                }
                Field::Seed { set, .. } => set(options, (t * 1.0e9) as u64),
                Field::Switch { set, .. } => set(options, t < 0.5),
                Field::Text { .. } => {}
                Field::Choice { set, names, .. } => {
                    set(options, (t * (names.len() - 1) as f32).round() as usize);
                }
            }
        }
    }
}

/// Every option has a sentence, and its default is in range.
struct Explained(Kind);

impl OptionsVisitor for Explained {
    fn visit<T: Params>(&mut self, options: &mut T) {
        options.check("").unwrap();
        for param in T::PARAMS {
            assert!(!param.label.is_empty(), "{} {}", self.0, param.key);
            assert!(param.help.ends_with('.'), "{} {}", self.0, param.key);
        }
    }
}

#[test]
fn options_are_explained() {
    for kind in Kind::ALL {
        assert!(Kind::HELPS[*kind as usize].ends_with('.'));
        Modifier::new(*kind).visit_options(&mut Explained(*kind));
    }
}

fn height() -> impl Strategy<Value = f32> {
    prop_oneof![
        6 => -1.0f32..1.0,
        1 => Just(0.0),
        1 => Just(-0.0),
        1 => Just(1.0e11),
        1 => Just(-1.0e11),
        1 => Just(1.0e-40),
        1 => -1.0e5f32..1.0e5,
    ]
}

fn any_map() -> impl Strategy<Value = Heightmap> {
    (1usize..12, 1usize..12, any::<bool>(), any::<bool>()).prop_flat_map(
        |(rows, columns, wraps, flat)| {
            let distinct = if flat { 1 } else { rows * columns };
            prop::collection::vec(height(), distinct).prop_map(move |some| {
                let all = some.iter().copied().cycle().take(rows * columns);
                let mut heights: Vec<f32> = all.collect();
                if wraps {
                    for row in heights.chunks_exact_mut(columns) {
                        row[columns - 1] = row[0];
                    }
                    heights.copy_within(..columns, (rows - 1) * columns);
                }
                Heightmap::new(rows, columns, wraps, heights)
            })
        },
    )
}

fn fraction() -> impl Strategy<Value = f32> {
    prop_oneof![3 => 0.0f32..=1.0, 1 => Just(0.0), 1 => Just(1.0)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_map_and_no_option_makes_nan_or_opens_a_seam(
        map in any_map(),
        kind in prop::sample::select(Kind::ALL),
        fractions in prop::collection::vec(fraction(), 4),
    ) {
        let mut modifier = Modifier::new(kind);
        modifier.visit_options(&mut Choose(fractions.iter().cycle()));
        prop_assume!(modifier.validate("modifier").is_ok());
        let after = apply(&modifier, &map);
        prop_assert!(after.heights().iter().all(|height| height.is_finite()), "{after:?}");
        prop_assert_eq!((after.rows(), after.columns()), (map.rows(), map.columns()));
        prop_assert!(after.wraps() || !map.wraps());
        prop_assert!(!after.wraps() || meets(&after), "{after:?}");
    }
}
