//! The same bits, however a map is made.

use super::*;

const INSTRUCTIONS: [Instructions; 3] = [
    Instructions::Best,
    Instructions::Avx2,
    Instructions::Baseline,
];

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
            let options = DiamondSquareOptions {
                distribution,
                scaling,
                edges,
                corners,
                strengths,
                ..DiamondSquareOptions::default()
            };
            let rule = options.rule(seed, iterations, hurst, height_scale);
            let corners = corners.map(|corner| corner * height_scale);
            Subdivision::new(rule, corners, known.as_ref())
        })
}

proptest! {
    #[test]
    fn every_filling_way_matches_the_plain_loop(subdivision in any_subdivision()) {
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
    fn any_band_of_rows_matches_the_map(
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
    fn ridge_ends_at_zero_nests_and_keeps_range(
        seed: u64,
        n in 1u32..12,
        hurst in 0.0f32..1.0,
        scale in 0.0f32..2.0,
    ) {
        let ridge = |n: u32| {
            let mut heights = vec![f32::NAN; (1 << n) + 1];
            fractal::midpoint(seed, hurst, scale, &mut heights);
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

#[test]
fn large_maps_match_across_threads_and_instruction_sets() {
    #[track_caller]
    fn check(distribution: Distribution, edges: Edges, iterations: u32, threads: &[usize]) {
        let options = DiamondSquareOptions {
            distribution,
            edges,
            ..DiamondSquareOptions::default()
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
fn map_of_a_million_columns_streams_rows() {
    let (large, small) = (
        plain(&DiamondSquareOptions::default(), 9, 20),
        plain(&DiamondSquareOptions::default(), 9, 10),
    );
    let (row, shift) = (637, 10);
    let mut rows = large.rows(row << shift..(row << shift) + 1);
    let expected = map_of(&small)[row * small.side()..][..small.side()].to_vec();
    let drawn = rows.next_row().unwrap().iter().copied().step_by(1 << shift);
    assert_eq!(drawn.collect::<Vec<f32>>(), expected);
}

#[test]
fn the_error_of_a_sink_ends_the_stream() {
    let subdivision = plain(&DiamondSquareOptions::default(), 1, 6);
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
fn no_rows_come_after_a_stream_is_cancelled() {
    let (job, mut rows) = (Job::new(), 0);
    let wide = plain(&DiamondSquareOptions::default(), 1, 19);
    let result = pool(2).install(|| {
        wide.stream(&job, &mut |_| {
            rows += 1;
            if rows == 3 {
                job.cancel();
            }
            Ok(())
        })
    });
    assert!(matches!(result, Err(StreamError::Cancelled(Cancelled))));
    assert!(rows <= 4, "{rows}");
}

#[test]
fn a_map_asks_often_whether_it_is_cancelled() {
    let large = plain(&DiamondSquareOptions::default(), 1, 12);
    let mut heights = vec![0.0; large.side().pow(2)];
    // Cancelled the n-th time that it asks, it asks no more than once on each thread.
    for wanted in [1, 20, 400] {
        let asked = Arc::new(AtomicUsize::new(0));
        let asks = Arc::clone(&asked);
        let job = Job::with_pauses(move |job| {
            if asks.fetch_add(1, Ordering::Relaxed) + 1 == wanted {
                job.cancel();
            }
        });
        let filled = pool(2).install(|| large.fill(&mut heights, &job));
        assert_eq!(filled, Err(Cancelled));
        let asked = asked.load(Ordering::Relaxed);
        assert!(asked <= wanted + 2, "{asked} after {wanted}");
    }
}

#[test]
fn a_filled_map_has_full_progress() {
    let job = Job::new();
    let subdivision = plain(&DiamondSquareOptions::default(), 1, 10);
    let mut heights = vec![0.0; subdivision.side().pow(2)];
    pool(3)
        .install(|| subdivision.fill(&mut heights, &job))
        .unwrap();
    assert_eq!(job.progress(), 1.0);
}
