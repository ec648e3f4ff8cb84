//! Diamond-square: what its maps are, and that the fast ways to make them give the same bits as
//! the plain loop.

use std::io;
use std::time::{Duration, Instant};

use landform::fractal::rows::StreamError;
use landform::fractal::{Distribution, Edges};
use landform::fractal::{Instructions, Known, Subdivision, amplitude, profile, scalar, variate};
use landform::generate::diamond_square::{Options, Scaling};
use landform::grid::Grid;
use landform::job::{Cancelled, Job};
use landform::rng::{Stage, Stream, uniform};
use proptest::prelude::*;
use rand::Rng;

const INSTRUCTIONS: [Instructions; 3] = [
    Instructions::Best,
    Instructions::Avx2,
    Instructions::Baseline,
];

fn map_of(subdivision: &Subdivision) -> Vec<f32> {
    let mut heights = vec![f32::NAN; subdivision.side().pow(2)];
    subdivision.fill(&mut heights, &Job::new()).unwrap();
    heights
}

fn scalar_map_of(subdivision: &Subdivision) -> Vec<f32> {
    let mut heights = vec![f32::NAN; subdivision.side().pow(2)];
    scalar::fill(subdivision, &mut heights);
    heights
}

fn plain(options: &Options, seed: u64, iterations: u32) -> Subdivision {
    Subdivision::new(
        options.rule(seed, iterations, 0.7, 1.0),
        options.corners,
        None,
    )
}

fn with_edges(edges: Edges) -> Options {
    Options {
        edges,
        ..Options::default()
    }
}

fn pool(threads: usize) -> rayon::ThreadPool {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build().unwrap()
}

/// The first place where two maps differ in a bit.
fn difference(a: &[f32], b: &[f32]) -> Option<usize> {
    assert_eq!(a.len(), b.len());
    (0..a.len()).find(|&index| a[index].to_bits() != b[index].to_bits())
}

/// Any options, seed, size and known heights.
fn any_subdivision() -> impl Strategy<Value = Subdivision> {
    let options = (
        prop_oneof![Just(Distribution::Uniform), Just(Distribution::Gaussian)],
        prop_oneof![Just(Scaling::PerPass), Just(Scaling::PerHalfStep)],
        prop_oneof![Just(Edges::Wrap), Just(Edges::Free)],
        prop::array::uniform4(-1.0f32..1.0),
        prop::collection::vec(0.0f32..2.0, 0..4),
    );
    let known = prop::option::of((0u32..6).prop_flat_map(|level| {
        let side = (1usize << level) + 1;
        let height = prop_oneof![Just(f32::NAN), -1.0f32..1.0];
        prop::collection::vec(height, side * side).prop_map(move |heights| {
            Known::new(level, Grid::from_vec(side, side, heights).unwrap())
        })
    }));
    (
        options,
        known,
        any::<u64>(),
        0u32..8,
        0.0f32..1.0,
        0.0f32..2.0,
    )
        .prop_map(|(options, known, seed, iterations, hurst, height_scale)| {
            let (distribution, scaling, edges, corners, strengths) = options;
            let options = Options {
                distribution,
                scaling,
                edges,
                corners,
                strengths,
                ..Options::default()
            };
            let rule = options.rule(seed, iterations, hurst, height_scale);
            let corners = corners.map(|corner| corner * height_scale);
            Subdivision::new(rule, corners, known.as_ref())
        })
}

proptest! {
    #[test]
    fn every_way_to_fill_gives_the_bits_of_the_plain_loop(subdivision in any_subdivision()) {
        let expected = scalar_map_of(&subdivision);
        let mut heights = vec![0.0; expected.len()];
        for instructions in INSTRUCTIONS {
            heights.fill(f32::NAN);
            subdivision.fill_with(instructions, &mut heights, &Job::new()).unwrap();
            prop_assert_eq!(difference(&heights, &expected), None, "{:?}", instructions);
        }
        let mut streamed = Vec::new();
        let mut sink = |row: &[f32]| {
            streamed.extend_from_slice(row);
            Ok(())
        };
        subdivision.stream(&Job::new(), &mut sink).unwrap();
        prop_assert_eq!(difference(&streamed, &expected), None);
    }

    #[test]
    fn any_band_of_rows_is_those_rows_of_the_map(
        subdivision in any_subdivision(),
        bounds in (any::<prop::sample::Index>(), any::<prop::sample::Index>()),
    ) {
        let side = subdivision.side();
        let (a, b) = (bounds.0.index(side + 1), bounds.1.index(side + 1));
        let band = a.min(b)..a.max(b);
        let map = scalar_map_of(&subdivision);
        let mut rows = subdivision.rows(band.clone());
        for row in band {
            let expected = &map[row * side..][..side];
            let drawn = rows.next_row().expect("one row of the band");
            prop_assert_eq!(difference(drawn, expected), None, "row {}", row);
        }
        prop_assert!(rows.next_row().is_none());
    }

    #[test]
    fn wrapped_edges_match(subdivision in any_subdivision()) {
        prop_assume!(subdivision.rule.edges == Edges::Wrap);
        let (side, map) = (subdivision.side(), map_of(&subdivision));
        prop_assert_eq!(difference(&map[..side], &map[side * (side - 1)..]), None);
        for row in map.chunks_exact(side) {
            prop_assert_eq!(row[0].to_bits(), row[side - 1].to_bits());
        }
    }

    #[test]
    fn more_iterations_move_no_point(subdivision in any_subdivision()) {
        prop_assume!(subdivision.iterations > subdivision.base_level);
        let (side, fine) = (subdivision.side(), map_of(&subdivision));
        let mut coarser = subdivision;
        coarser.iterations -= 1;
        for (row, coarse) in map_of(&coarser).chunks_exact(coarser.side()).enumerate() {
            let fine = &fine[2 * row * side..][..side];
            for (coarse, fine) in coarse.iter().zip(fine.iter().step_by(2)) {
                prop_assert_eq!(coarse.to_bits(), fine.to_bits());
            }
        }
    }

    #[test]
    fn every_displacement_lies_within_its_range(subdivision in any_subdivision()) {
        prop_assume!(subdivision.rule.distribution == Distribution::Uniform);
        let map = map_of(&subdivision);
        for pass in subdivision.base_level..subdivision.iterations {
            for (height, mean, range) in points_of_pass(&subdivision, &map, pass) {
                // The sum is rounded, hence the small excess.
                let excess = 1e-6 * (1.0 + mean.abs() + range);
                prop_assert!((height - mean).abs() <= range + excess, "{height} {mean} {range}");
            }
        }
    }

    #[test]
    fn known_heights_are_met_exactly(
        level in 0u32..6,
        iterations in 0u32..8,
        free: bool,
        seed: u64,
        heights in prop::collection::vec(prop_oneof![Just(f32::NAN), -1.0f32..1.0], 33 * 33),
    ) {
        let cells = 1usize << level;
        // A wrapped map has one point on both its borders.
        let period = if free { cells + 1 } else { cells };
        let mut grid = Grid::filled(cells + 1, cells + 1, 0.0);
        for row in 0..=cells {
            for column in 0..=cells {
                grid.set(row, column, heights[row % period * 33 + column % period]);
            }
        }
        let options = with_edges(if free { Edges::Free } else { Edges::Wrap });
        let known = Known::new(level, grid.clone());
        let rule = options.rule(seed, iterations, 0.7, 1.0);
        let subdivision = Subdivision::new(rule, options.corners, Some(&known));
        let (side, map) = (subdivision.side(), map_of(&subdivision));
        let common = level.min(iterations);
        for row in 0..=1usize << common {
            for column in 0..=1usize << common {
                let known = grid.at(row << (level - common), column << (level - common));
                let shift = iterations - common;
                let height = map[(row << shift) * side + (column << shift)];
                prop_assert!(known.is_nan() || known.to_bits() == height.to_bits());
                prop_assert!(!height.is_nan());
            }
        }
    }

    #[test]
    fn a_ridge_has_ends_of_zero_nests_and_keeps_within_range(
        seed: u64,
        n in 1u32..12,
        hurst in 0.0f32..1.0,
        scale in 0.0f32..2.0,
    ) {
        let ridge = |n: u32| {
            let mut heights = vec![f32::NAN; (1 << n) + 1];
            profile::midpoint(seed, hurst, scale, &mut heights);
            heights
        };
        let heights = ridge(n);
        prop_assert_eq!((heights[0], heights[1 << n]), (0.0, 0.0));
        let coarse: Vec<f32> = heights.iter().copied().step_by(2).collect();
        prop_assert_eq!(coarse, ridge(n - 1));
        for pass in 0..n {
            let (range, stride) = (amplitude(scale, 1.0, hurst, f64::from(pass)), 1 << (n - pass));
            for ends in heights.windows(stride + 1).step_by(stride) {
                let mean = (ends[0] + ends[stride]) / 2.0;
                prop_assert!((ends[stride / 2] - mean).abs() <= range * (1.0 + 1e-6) + 1e-6);
            }
        }
    }
}

/// Height, mean of the neighbours it was displaced from, and range, of every point that `pass`
/// set; written without regard to order or speed.
fn points_of_pass(subdivision: &Subdivision, map: &[f32], pass: u32) -> Vec<(f32, f32, f32)> {
    let wraps = subdivision.rule.edges == Edges::Wrap;
    let across = 2isize << pass;
    let half = 1isize << (subdivision.iterations - pass - 1);
    let at = |row: isize, column: isize| {
        let inside = 0 <= row.min(column) && row.max(column) <= across;
        let place = |index: isize| if wraps { index.rem_euclid(across) } else { index } * half;
        let index = place(row) * subdivision.side() as isize + place(column);
        (wraps || inside).then(|| map[index as usize])
    };
    let mut points = Vec::new();
    for row in 0..=across {
        for column in 0..=across {
            let (step, neighbours) = match (row % 2, column % 2) {
                (0, 0) => continue,
                (1, 1) => (0, [(-1, -1), (-1, 1), (1, -1), (1, 1)]),
                _ => (1, [(-1, 0), (1, 0), (0, -1), (0, 1)]),
            };
            let neighbours = neighbours.map(|(down, right)| at(row + down, column + right));
            let existing: Vec<f32> = neighbours.into_iter().flatten().collect();
            let mean = existing.iter().sum::<f32>() / existing.len() as f32;
            let range = subdivision.rule.amplitudes[pass as usize][step];
            points.push((at(row, column).unwrap(), mean, range));
        }
    }
    points
}

#[test]
fn large_maps_are_the_same_for_every_thread_count_and_instruction_set() {
    #[track_caller]
    fn check(distribution: Distribution, edges: Edges, iterations: u32, threads: &[usize]) {
        let options = Options {
            distribution,
            edges,
            ..Options::default()
        };
        let subdivision = plain(&options, 3, iterations);
        let expected = scalar_map_of(&subdivision);
        let mut heights = vec![0.0; expected.len()];
        for (&threads, instructions) in threads.iter().zip(INSTRUCTIONS.into_iter().cycle()) {
            heights.fill(f32::NAN);
            let fill = || subdivision.fill_with(instructions, &mut heights, &Job::new());
            pool(threads).install(fill).unwrap();
            assert_eq!(
                difference(&heights, &expected),
                None,
                "{threads} {instructions:?}"
            );
        }
    }
    let all = [1, 1, 1, 2, 3, 7, 7, 2, 3];
    check(Distribution::Uniform, Edges::Wrap, 10, &all);
    check(Distribution::Uniform, Edges::Free, 10, &all);
    check(Distribution::Uniform, Edges::Wrap, 12, &[2, 3, 7]);
    check(Distribution::Gaussian, Edges::Free, 10, &[3, 7, 2]);
}

#[test]
fn a_stream_is_the_map_in_order() {
    // Large enough for several batches, and for bands within them.
    let subdivision = plain(&with_edges(Edges::Free), 5, 12);
    let side = subdivision.side();
    let map = map_of(&subdivision);
    for threads in [1, 3] {
        let mut rows = 0;
        let mut sink = |row: &[f32]| {
            assert_eq!(
                difference(row, &map[rows * side..][..side]),
                None,
                "row {rows}"
            );
            rows += 1;
            Ok(())
        };
        let job = Job::new();
        pool(threads)
            .install(|| subdivision.stream(&job, &mut sink))
            .unwrap();
        assert_eq!((rows, job.progress()), (side, 1.0));
    }
}

#[test]
fn a_map_of_a_million_columns_streams_its_rows() {
    let (large, small) = (
        plain(&Options::default(), 9, 20),
        plain(&Options::default(), 9, 10),
    );
    let (row, shift) = (637, 10);
    let mut rows = large.rows(row << shift..(row << shift) + 1);
    let expected = map_of(&small)[row * small.side()..][..small.side()].to_vec();
    let drawn = rows.next_row().unwrap().iter().copied().step_by(1 << shift);
    assert_eq!(drawn.collect::<Vec<f32>>(), expected);
}

#[test]
fn the_error_of_a_sink_ends_the_stream() {
    let subdivision = plain(&Options::default(), 1, 6);
    let mut rows = 0;
    let mut sink = |_: &[f32]| {
        rows += 1;
        if rows == 9 {
            Err(io::Error::other("disk full"))
        } else {
            Ok(())
        }
    };
    let result = subdivision.stream(&Job::new(), &mut sink);
    assert!(matches!(result, Err(StreamError::Io(error)) if error.to_string() == "disk full"));
    assert_eq!(rows, 9);
}

#[test]
fn a_cancelled_job_stops_within_50_ms() {
    /// Cancels `work` while it runs. It may try again, since the machine may be busy.
    #[track_caller]
    fn check(mut work: impl FnMut(&Job) + Send) {
        let mut stop = || {
            let job = Job::new();
            std::thread::scope(|scope| {
                let worker = scope.spawn(|| work(&job));
                std::thread::sleep(Duration::from_millis(20));
                job.cancel();
                let start = Instant::now();
                worker.join().unwrap();
                start.elapsed()
            })
        };
        let times: Vec<Duration> = (0..5).map(|_| stop()).collect();
        let best = times.iter().min().unwrap();
        assert!(*best < Duration::from_millis(50), "{times:?}");
    }
    let pool = pool(2);
    let wide = plain(&Options::default(), 1, 19);
    check(|job| {
        let result = pool.install(|| wide.stream(job, &mut |_| Ok(())));
        assert!(matches!(result, Err(StreamError::Cancelled(Cancelled))));
    });
    let large = plain(&Options::default(), 1, 12);
    let mut heights = vec![0.0; large.side().pow(2)];
    check(|job| {
        // Again and again, for as long as it takes to be cancelled.
        pool.install(|| while large.fill(&mut heights, job).is_ok() {});
    });
}

#[test]
fn a_filled_map_has_full_progress() {
    let job = Job::new();
    let subdivision = plain(&Options::default(), 1, 10);
    let mut heights = vec![0.0; subdivision.side().pow(2)];
    pool(3)
        .install(|| subdivision.fill(&mut heights, &job))
        .unwrap();
    assert_eq!(job.progress(), 1.0);
}

#[test]
fn a_5_by_5_map_is_what_the_drawn_numbers_say() {
    let (seed, hurst) = (42, 0.5);
    let subdivision =
        Subdivision::new(Options::default().rule(seed, 2, hurst, 1.0), [0.0; 4], None);
    let drawn = |stage, pass, row, column| {
        let mut numbers = Stream::new(seed, stage, pass).row(row);
        numbers.advance(column);
        uniform(numbers.next_u32())
    };
    // Pass 0, range 1: corners 0, centre m, edge middles n (north) and w (west).
    let m = drawn(Stage::Diamond, 0, 0, 0);
    let n = ((m + m) + 0.0) / 4.0 + drawn(Stage::Square, 0, 0, 0);
    let w = (0.0 + (m + m)) / 4.0 + drawn(Stage::Square, 0, 1, 0);
    // Pass 1, range 2^−½: the centres of the four squares 0 n n m | n 0 m n | …
    let range = 0.5f32.sqrt();
    let d = |row, column| range * drawn(Stage::Diamond, 1, row, column);
    let s = |row, column| range * drawn(Stage::Square, 1, row, column);
    let nw = ((0.0 + n) + (w + m)) / 4.0 + d(0, 0);
    let ne = ((n + 0.0) + (m + w)) / 4.0 + d(0, 1);
    let sw = ((w + m) + (0.0 + n)) / 4.0 + d(1, 0);
    let se = ((m + w) + (n + 0.0)) / 4.0 + d(1, 1);
    // … then the edge middles: north and south neighbours, west and east neighbours.
    let a = ((sw + nw) + (0.0 + n)) / 4.0 + s(0, 0);
    let b = ((se + ne) + (n + 0.0)) / 4.0 + s(0, 1);
    let c = ((0.0 + w) + (ne + nw)) / 4.0 + s(1, 0);
    let e = ((n + m) + (nw + ne)) / 4.0 + s(1, 1);
    let f = ((nw + sw) + (w + m)) / 4.0 + s(2, 0);
    let g = ((ne + se) + (m + w)) / 4.0 + s(2, 1);
    let h = ((w + 0.0) + (se + sw)) / 4.0 + s(3, 0);
    let i = ((m + n) + (sw + se)) / 4.0 + s(3, 1);
    #[rustfmt::skip]
    let expected = [
        0.0, a, n, b, 0.0,
        c,  nw, e, ne, c,
        w,   f, m, g,  w,
        h,  sw, i, se, h,
        0.0, a, n, b, 0.0,
    ];
    assert_eq!(map_of(&subdivision), expected);
    assert_eq!(scalar_map_of(&subdivision), expected);
}

#[test]
fn free_border_points_are_means_of_three() {
    let options = Options {
        edges: Edges::Free,
        corners: [1.0, 2.0, 3.0, 6.0],
        strengths: vec![0.0; 6],
        ..Options::default()
    };
    #[rustfmt::skip]
    let expected = [
        1.0,       6.0 / 3.0,  2.0,
        7.0 / 3.0, 3.0_f32,    11.0 / 3.0,
        3.0,       12.0 / 3.0, 6.0,
    ];
    let three = map_of(&plain(&options, 1, 1));
    assert_eq!(three[..4], expected[..4]);
    assert_eq!(three[5..], expected[5..]);
    let subdivision = plain(&options, 1, 6);
    let map = map_of(&subdivision);
    for pass in 0..6 {
        for (height, mean, _) in points_of_pass(&subdivision, &map, pass) {
            assert!((height - mean).abs() < 1e-6);
        }
    }
}

#[test]
fn the_mean_over_many_seeds_is_flat() {
    const SEEDS: u64 = 200;
    type Contains<'a> = &'a dyn Fn(usize, usize) -> bool;
    for edges in [Edges::Wrap, Edges::Free] {
        let side = plain(&with_edges(edges), 0, 6).side();
        let middle = side / 2;
        let on_border = |i: usize| i == 0 || i == side - 1;
        let regions: [(&str, Contains); 6] = [
            ("border", &|row, column| on_border(row) || on_border(column)),
            ("centre", &|row, column| {
                row.abs_diff(middle).max(column.abs_diff(middle)) < 8
            }),
            ("north-west", &|row, column| row < middle && column < middle),
            ("north-east", &|row, column| row < middle && column > middle),
            ("south-west", &|row, column| row > middle && column < middle),
            ("south-east", &|row, column| row > middle && column > middle),
        ];
        let maps: Vec<_> = (0..SEEDS)
            .map(|seed| map_of(&plain(&with_edges(edges), seed, 6)))
            .collect();
        for (name, contains) in regions {
            let inside: Vec<usize> = (0..side * side)
                .filter(|index| contains(index / side, index % side))
                .collect();
            let mean_of = |map: &Vec<f32>| {
                let sum: f64 = inside.iter().map(|&index| f64::from(map[index])).sum();
                sum / inside.len() as f64
            };
            let means: Vec<f64> = maps.iter().map(mean_of).collect();
            let mean = means.iter().sum::<f64>() / SEEDS as f64;
            let variance =
                means.iter().map(|m| (m - mean).powi(2)).sum::<f64>() / (SEEDS - 1) as f64;
            // Displacements have mean 0, so seeds are independent draws of mean 0, and the mean
            // of 200 is normal: 3.5 standard errors are passed once in 2000 times by chance.
            let error = (variance / SEEDS as f64).sqrt();
            assert!(mean.abs() < 3.5 * error, "{edges} {name}: {mean} ± {error}");
        }
    }
}

#[test]
fn ranges_shrink_as_the_scaling_says() {
    #[track_caller]
    fn check(scaling: Scaling, expected: [[f32; 2]; 3]) {
        let strengths = vec![1.0, 0.5];
        let options = Options {
            scaling,
            strengths,
            ..Options::default()
        };
        assert_eq!(options.amplitudes(3, 1.0, 8.0), expected);
    }
    // A·w_k·2^(−Hk) with A = 8, H = 1 and w = 1, ½, 1.
    check(Scaling::PerPass, [[8.0, 8.0], [2.0, 2.0], [2.0, 2.0]]);
    // The square step another half step later.
    let half = |range: f64| (range / 2f64.sqrt()) as f32;
    check(
        Scaling::PerHalfStep,
        [[8.0, half(8.0)], [2.0, half(2.0)], [2.0, half(2.0)]],
    );
}

#[test]
fn both_distributions_have_mean_0_and_standard_deviation_1_over_root_3() {
    for distribution in [Distribution::Uniform, Distribution::Gaussian] {
        let count = 1 << 18;
        let mut numbers = Stream::new(1, Stage::Diamond, 0).row(0);
        let drawn: Vec<f64> = (0..count)
            .map(|_| f64::from(variate(distribution, numbers.next_u32())))
            .collect();
        let moment =
            |power| drawn.iter().map(|x: &f64| x.powi(power)).sum::<f64>() / f64::from(count);
        // Standard errors: 0.577/512 = 0.0011 of the mean, 0.577/√2/512 = 0.0008 or less of σ.
        assert!(
            moment(1).abs() < 0.004,
            "{distribution}: mean {}",
            moment(1)
        );
        let sigma = moment(2).sqrt();
        assert!(
            (sigma - 1.0 / 3f64.sqrt()).abs() < 0.003,
            "{distribution}: σ {sigma}"
        );
    }
}
