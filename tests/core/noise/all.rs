//! What holds for all of these generators.

use super::*;

fn in_pool<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.expect("a thread pool").install(work)
}

fn bits(map: &Heightmap) -> Vec<u32> {
    map.heights().iter().map(|h| h.to_bits()).collect()
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    for surface in surfaces(3, 6).iter().chain(&ALL.map(|g| surface(g, 3, 10))) {
        let one = in_pool(1, || map_of(surface));
        let many = in_pool(3, || map_of(surface));
        assert!(bits(&one) == bits(&many), "{surface:?}");
    }
}

#[test]
fn wrapped_edges_match() {
    for iterations in [1, 2, 5, 7] {
        for surface in surfaces(8, iterations) {
            let map = map_of(&surface);
            let last = map.rows() - 1;
            let matches = (0..=last).all(|i| {
                map.at(i, 0).to_bits() == map.at(i, last).to_bits()
                    && map.at(0, i).to_bits() == map.at(last, i).to_bits()
            });
            assert_eq!(matches, map.wraps(), "{surface:?}");
        }
    }
}

#[test]
fn extreme_settings_give_finite_heights() {
    for iterations in [1, 2, 3] {
        for h in [0.0, 1.0] {
            for mut surface in surfaces(1, iterations) {
                (surface.hurst, surface.height_scale) = (h, 1000.0);
                let map = map_of(&surface);
                assert!(map.heights().iter().all(|h| h.is_finite()), "{surface:?}");
            }
        }
    }
    for generator in ALL {
        let mut surface = surface(generator, u64::MAX, 10);
        for h in [0.0, 1.0] {
            surface.hurst = h;
            let map = map_of(&surface);
            let limit = if h == 0.0 { 10.0 } else { 3.0 };
            assert!(map.heights().iter().all(|h| h.abs() < limit), "{surface:?}");
        }
        surface.height_scale = 0.0;
        assert!(map_of(&surface).heights().iter().all(|h| *h == 0.0));
    }
}

#[test]
fn thirteen_iterations_are_no_trouble() {
    let (mut reused, side) = (None, (1 << 13) + 1);
    for generator in ALL {
        let mut surface = surface(generator, 1, 13);
        surface.hurst = if generator == Generator::Fourier {
            0.0
        } else {
            1.0
        };
        let made = surface.generate(&Images::default(), &Job::new(), reused.take());
        let map = made.unwrap();
        assert_eq!((map.rows(), map.columns()), (side, side));
        // Not a NaN among them, which a comparison would not see.
        let (low, high) = map
            .heights()
            .chunks(side)
            .fold((0f32, 0f32), |(low, high), row| {
                let sum: f32 = row.iter().sum();
                assert!(sum.is_finite(), "{generator}");
                let (first, middle) = (row[0], row[side / 2]);
                (low.min(first).min(middle), high.max(first).max(middle))
            });
        assert!(
            -10.0 < low && low < 0.0 && 0.0 < high && high < 10.0,
            "{generator}"
        );
        reused = Some(map.into_heights());
    }
}

#[test]
fn the_height_scale_multiplies_every_height() {
    for generator in ALL {
        let mut surface = surface(generator, 4, 6);
        let map = map_of(&surface);
        surface.height_scale = 4.0;
        let tall = map_of(&surface);
        for (low, high) in map.heights().iter().zip(tall.heights()) {
            assert!(
                (low * 4.0 - high).abs() <= 1e-5,
                "{generator}: {low} {high}"
            );
        }
    }
}

#[test]
fn cancelled_work_stops() {
    for generator in ALL {
        let job = Job::new();
        job.cancel();
        let result = surface(generator, 1, 6).generate(&Images::default(), &job, None);
        assert!(matches!(result, Err(GenerateError::Cancelled(_))));
        let (job, started) = (Job::new(), AtomicBool::new(false));
        let result = std::thread::scope(|scope| {
            scope.spawn(|| {
                while !started.load(Ordering::Relaxed) || job.progress() == 0.0 {
                    std::thread::yield_now();
                }
                job.cancel();
            });
            started.store(true, Ordering::Relaxed);
            surface(generator, 1, 11).generate(&Images::default(), &job, None)
        });
        assert!(matches!(result, Err(GenerateError::Cancelled(_))));
        assert!(job.progress() < 1.0, "{generator}");
    }
}

#[test]
fn bad_options_are_refused_in_one_line() {
    let check = |cells, octaves, message: &str| {
        let options = perlin::PerlinOptions {
            cells,
            octaves,
            ..perlin::PerlinOptions::default()
        };
        assert_eq!(options.check("p").unwrap_err().to_string(), message);
    };
    check(0, 8, "p.cells is 0; allowed: 1 to 256");
    check(257, 1, "p.cells is 257; allowed: 1 to 256");
    check(4, 0, "p.octaves is 0; allowed: 1 to 16");
    check(4, 17, "p.octaves is 17; allowed: 1 to 16");
    check(4, 16, "p.octaves is 16; allowed: 1 to 15 while cells = 4");
    check(
        256,
        10,
        "p.octaves is 10; allowed: 1 to 9 while cells = 256",
    );
    let options = square_square::SquareSquareOptions {
        start_level: 9,
        ..square_square::SquareSquareOptions::default()
    };
    let message = "s.start_level is 9; allowed: 0 to 8";
    assert_eq!(options.check("s").unwrap_err().to_string(), message);
}

// Measured H. None of the four is self-similar down to the sample as diamond-square is, so H is
// measured from lags of 2^skip samples on.

/// Mean estimate over some seeds from the lags that are left after the first `skip`.
fn estimate(skip: usize, at: impl Fn(u64) -> Surface) -> f64 {
    let estimates = (0..4).map(|seed| {
        let variations = variations(&map_of(&at(seed)));
        hurst(&variations[skip..]).expect("a rough map")
    });
    estimates.sum::<f64>() / 4.0
}

#[test]
fn perlin_down_to_samples_has_requested_h() {
    // Noise of one octave is smooth, so as many octaves as there are samples are needed; below
    // 0.3 the finest octaves, which are cut off, would matter too.
    for h in [0.3, 0.5, 0.7, 0.9] {
        let found = estimate(0, |seed| {
            let mut surface = surface(Generator::Perlin, seed, 9);
            surface.hurst = h;
            surface.perlin.octaves = 10;
            surface
        });
        let tolerance = if h < 0.5 { 0.07 } else { 0.03 };
        assert!((found - f64::from(h)).abs() < tolerance, "{h}: {found}");
    }
}

#[test]
fn fourier_and_wavelet_show_h_from_four_samples() {
    // Nothing shorter than two samples is in the map, so its finest differences are too small;
    // that is gone at four samples for H ≥ 0.5 and lingers for rougher maps.
    for generator in [Generator::Fourier, Generator::Wavelet] {
        for (h, tolerance) in [(0.3, 0.12), (0.5, 0.08), (0.7, 0.06), (0.9, 0.05)] {
            let found = estimate(2, |seed| {
                let mut surface = surface(generator, seed, 9);
                surface.hurst = h;
                surface
            });
            let error = found - f64::from(h);
            assert!(error.abs() < tolerance, "{generator} {h}: {found}");
        }
    }
}

#[test]
fn square_square_reads_rougher_by_a_known_amount() {
    // A pass smooths what came before it, and no pass smooths the last one: its displacements
    // stand out three times as much as they will after the next pass. So fine lags read low, and
    // more so for large H; coarse ones approach H.
    for (h, expected) in [(0.3, 0.237), (0.5, 0.380), (0.7, 0.562), (0.9, 0.771)] {
        let found = estimate(2, |seed| {
            let mut surface = surface(Generator::SquareSquare, seed, 9);
            surface.hurst = h;
            surface
        });
        assert!((found - expected).abs() < 0.04, "{h}: {found}");
    }
}

#[test]
fn fourier_and_wavelet_match_diamond_square_height() {
    let relief = |generator, h: f32| {
        let squares = (0..40).map(|seed| {
            let mut surface = surface(generator, seed, 7);
            surface.hurst = h;
            measure(&map_of(&surface)).std.powi(2)
        });
        (squares.sum::<f64>() / 40.0).sqrt()
    };
    for h in [0.25, 0.5, 0.7, 1.0] {
        let expected = relief(Generator::DiamondSquare, h);
        for generator in [Generator::Fourier, Generator::Wavelet] {
            let ratio = relief(generator, h) / expected;
            // 5 % by design, the rest is chance: the largest waves differ from seed to seed.
            assert!((ratio - 1.0).abs() < 0.15, "{generator} {h}: {ratio}");
        }
    }
}

#[test]
fn fourier_and_wavelet_stay_centred_within_five_deviations() {
    for generator in [Generator::Fourier, Generator::Wavelet] {
        for seed in 0..8 {
            let map = map_of(&surface(generator, seed, 7));
            let measures = measure(&map);
            let cells = 128;
            let rows = (0..cells).map(|row| &map.row(row)[..cells]);
            let sum: f64 = rows.flatten().map(|h| f64::from(*h)).sum();
            assert!(
                (sum / (cells * cells) as f64).abs() < 1e-6,
                "{generator} {seed}"
            );
            let highest = f64::from(measures.max.max(-measures.min));
            assert!(highest < 5.0 * measures.std, "{generator} {seed}");
        }
    }
}

// Perlin noise.
