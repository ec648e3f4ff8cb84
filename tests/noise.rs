//! Perlin noise, square-square, spectral synthesis and wavelets.

use std::sync::atomic::{AtomicBool, Ordering};

use landform::generate::diamond_square::Edges;
use landform::generate::fourier::{Complex, sum_waves};
use landform::generate::perlin::{Perlin, Variant};
use landform::generate::{
    GenerateError, Generator, Inputs, Surface, perlin, square_square, wavelet,
};
use landform::heightmap::Heightmap;
use landform::job::Job;
use landform::measure::{hurst, measure, variations};
use landform::param::Params;
use landform::rng::{Jump, Stage, Stream, uniform};

const ALL: [Generator; 4] = [
    Generator::Perlin,
    Generator::SquareSquare,
    Generator::Fourier,
    Generator::Wavelet,
];

fn surface(generator: Generator, seed: u64, iterations: u32) -> Surface {
    Surface {
        generator,
        seed,
        iterations,
        ..Surface::default()
    }
}

fn map_of(surface: &Surface) -> Heightmap {
    let map = surface.generate(&Inputs::default(), &Job::new(), None);
    map.expect("a valid surface")
}

/// Every generator with its defaults, and the options that take other paths.
fn surfaces(seed: u64, iterations: u32) -> Vec<Surface> {
    let mut all: Vec<Surface> = ALL.map(|g| surface(g, seed, iterations)).into();
    for edges in [Edges::Wrap, Edges::Free] {
        for variant in Variant::ALL {
            for (cells, octaves) in [(1, 1), (5, 9), (32, 8)] {
                let mut surface = surface(Generator::Perlin, seed, iterations);
                surface.perlin = perlin::Options {
                    edges,
                    variant: *variant,
                    cells,
                    octaves,
                };
                all.push(surface);
            }
        }
        for start_level in [0, 1, 4, 8] {
            let mut surface = surface(Generator::SquareSquare, seed, iterations);
            surface.square_square = square_square::Options { edges, start_level };
            all.push(surface);
        }
    }
    all
}

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
        let made = surface.generate(&Inputs::default(), &Job::new(), reused.take());
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
        let result = surface(generator, 1, 6).generate(&Inputs::default(), &job, None);
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
            surface(generator, 1, 11).generate(&Inputs::default(), &job, None)
        });
        assert!(matches!(result, Err(GenerateError::Cancelled(_))));
        assert!(job.progress() < 1.0, "{generator}");
    }
}

#[test]
fn bad_options_are_refused_in_one_line() {
    let check = |cells, octaves, message: &str| {
        let options = perlin::Options {
            cells,
            octaves,
            ..perlin::Options::default()
        };
        assert_eq!(options.check("p").unwrap_err().to_string(), message);
    };
    check(0, 8, "p.cells is 0, allowed is 1 to 256");
    check(257, 1, "p.cells is 257, allowed is 1 to 256");
    check(4, 0, "p.octaves is 0, allowed is 1 to 16");
    check(4, 17, "p.octaves is 17, allowed is 1 to 16");
    check(4, 16, "p.octaves is 16, allowed is 1 to 15 while cells = 4");
    check(
        256,
        10,
        "p.octaves is 10, allowed is 1 to 9 while cells = 256",
    );
    let options = square_square::Options {
        start_level: 9,
        ..square_square::Options::default()
    };
    let message = "s.start_level is 9, allowed is 0 to 8";
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
fn perlin_with_octaves_down_to_the_samples_has_the_requested_h() {
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
fn fourier_and_wavelet_have_the_requested_h_from_four_samples_on() {
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
fn square_square_reads_rougher_than_requested_by_a_known_amount() {
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
fn fourier_and_wavelet_are_as_high_as_diamond_square() {
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
fn fourier_and_wavelet_are_centred_and_nearly_within_five_deviations() {
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

fn perlin_of(options: &perlin::Options, seed: u64, iterations: u32) -> Perlin {
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
                let options = perlin::Options {
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
fn one_octave_of_perlin_is_zero_at_its_lattice_points_alone() {
    let options = perlin::Options {
        cells: 8,
        octaves: 1,
        ..perlin::Options::default()
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
    let options = perlin::Options {
        cells: 1,
        octaves: 1,
        ..perlin::Options::default()
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
    let options = perlin::Options {
        cells: 1,
        octaves: 1,
        ..perlin::Options::default()
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

#[test]
fn square_square_by_hand() {
    let of = |iterations, edges| {
        let mut surface = surface(Generator::SquareSquare, 6, iterations);
        surface.square_square = square_square::Options {
            edges,
            start_level: 2,
        };
        map_of(&surface)
    };
    let number = |level, row: usize, column: usize| {
        let stream = Stream::new(6, Stage::SquareSquare, level);
        uniform(stream.number(row as u64, Jump::over(column as u64)))
    };
    for edges in [Edges::Wrap, Edges::Free] {
        // The first lattice as it is drawn, then one pass.
        let first = of(2, edges);
        let period = if edges == Edges::Wrap { 4 } else { usize::MAX };
        for row in 0..5 {
            for column in 0..5 {
                assert_eq!(
                    first.at(row, column),
                    number(2, row % period, column % period)
                );
            }
        }
        let map = of(3, edges);
        let old = |row: usize, column: usize| number(2, row % period, column % period);
        for row in 0..8usize {
            for column in 0..8usize {
                let (near_row, near_column) = (row.div_ceil(2), column.div_ceil(2));
                let (far_row, far_column) = (
                    if row % 2 == 0 {
                        near_row + 1
                    } else {
                        near_row - 1
                    },
                    if column % 2 == 0 {
                        near_column + 1
                    } else {
                        near_column - 1
                    },
                );
                let mean = (9.0 * old(near_row, near_column)
                    + 3.0 * (old(near_row, far_column) + old(far_row, near_column))
                    + old(far_row, far_column))
                    / 16.0;
                let range = 2f32.powf(-0.7);
                let expected = mean + range * number(3, row, column);
                let found = map.at(row, column);
                assert!(
                    (found - expected).abs() < 1e-6,
                    "{row} {column}: {found} {expected}"
                );
            }
        }
    }
}

#[test]
fn square_square_stays_within_the_sum_of_its_ranges() {
    for start_level in [0, 2, 5] {
        for h in [0.0, 0.7, 1.0] {
            let mut surface = surface(Generator::SquareSquare, 11, 6);
            surface.hurst = h;
            surface.square_square.start_level = start_level;
            let passes = 0..=6 - start_level as i32;
            let bound: f32 = passes.map(|k| 2f32.powf(-h * k as f32)).sum();
            let (low, high) = map_of(&surface).range();
            assert!(-bound <= low && high <= bound, "{start_level} {h}");
        }
    }
}

#[test]
fn square_square_of_another_size_has_the_same_hills() {
    let at = |iterations| map_of(&surface(Generator::SquareSquare, 3, iterations));
    assert!(correlation(&at(6), &at(8)) > 0.9);
}

/// How alike a map and a finer one are at the samples of the first.
fn correlation(coarse: &Heightmap, fine: &Heightmap) -> f64 {
    let cells = coarse.rows() - 1;
    let step = (fine.rows() - 1) / cells;
    let (mut products, mut squares) = (0.0, (0.0, 0.0));
    let (mean_a, mean_b) = (measure(coarse).mean, measure(fine).mean);
    for row in 0..cells {
        for column in 0..cells {
            let a = f64::from(coarse.at(row, column)) - mean_a;
            let b = f64::from(fine.at(row * step, column * step)) - mean_b;
            products += a * b;
            squares = (squares.0 + a * a, squares.1 + b * b);
        }
    }
    products / (squares.0 * squares.1).sqrt()
}

// Spectral synthesis.

fn waves(cells: usize, wanted: &[((usize, isize), Complex<f32>)]) -> Heightmap {
    let mut heights = vec![f32::NAN; (cells + 1) * (cells + 1)];
    let fill = |k: usize, waves: &mut [Complex<f32>]| {
        waves.fill(Complex::new(0.0, 0.0));
        for ((_, l), value) in wanted.iter().filter(|((wave, _), _)| *wave == k) {
            waves[l.rem_euclid(cells as isize) as usize] = *value;
        }
    };
    sum_waves(cells, fill, &mut heights, &Job::new()).unwrap();
    Heightmap::new(cells + 1, cells + 1, true, heights)
}

#[test]
fn a_single_wave_is_a_cosine() {
    let check = |k: usize, l: isize, wanted: &[((usize, isize), Complex<f32>)]| {
        // 2·|c|·cos(2π(kx + lz)/N + phase), c = 0.3 + 0.4i.
        let map = waves(32, wanted);
        for row in 0..=32 {
            for column in 0..=32 {
                let turns = (k * column) as f64 + (l * row as isize) as f64;
                let angle = std::f64::consts::TAU * turns / 32.0 + 0.4f64.atan2(0.3);
                let error = f64::from(map.at(row, column)) - angle.cos();
                assert!(error.abs() < 1e-6, "{k} {l}: {row} {column} {error}");
            }
        }
    };
    let c = Complex::new(0.3, 0.4);
    for (k, l) in [(1, 0), (2, -3), (15, 15), (7, 4)] {
        check(k, l, &[((k, l), c)]);
    }
    check(0, 5, &[((0, 5), c), ((0, -5), c.conj())]);
}

#[test]
fn more_iterations_keep_every_wave() {
    let at = |iterations| map_of(&surface(Generator::Fourier, 3, iterations));
    assert!(correlation(&at(6), &at(8)) > 0.97);
    // Bit for bit in the spectrum, but for the waves that the smaller map cannot show.
    let spectrum = landform::generate::fourier::Spectrum::new(3, 0.7, 1.0);
    let (mut small, mut large) = ([Complex::default(); 64], [Complex::default(); 256]);
    for k in [0, 1, 17, 31] {
        spectrum.fill(k, &mut small);
        spectrum.fill(k, &mut large);
        assert_eq!(small[..32], large[..32]);
        assert_eq!(small[33..], large[256 - 31..]);
        assert_eq!(small[32], Complex::default());
    }
}

#[test]
fn mean_power_falls_with_the_frequency_as_asked() {
    // |c|² over many seeds is C²·f^(−2H−2), an exponential variate with that mean.
    const SEEDS: u64 = 3000;
    let mut column = [Complex::default(); 32];
    for h in [0.0f32, 0.7, 1.0] {
        for (k, l) in [(1usize, 0usize), (3, 4), (2, 31), (9, 12)] {
            let powers = (0..SEEDS).map(|seed| {
                landform::generate::fourier::Spectrum::new(seed, h, 1.0).fill(k, &mut column);
                f64::from(column[l].norm_sqr())
            });
            let mean = powers.sum::<f64>() / SEEDS as f64;
            let z = if l > 16 { 32 - l } else { l };
            let f_square = (k * k + z * z) as f64;
            let c = 0.15 * (-f64::from(h) * 2.0 / 3.0).exp2();
            let expected = c * c * f_square.powf(-f64::from(h) - 1.0);
            // Standard error 1.8 %.
            assert!(
                (mean / expected - 1.0).abs() < 0.08,
                "{h} {k} {l}: {mean} {expected}"
            );
        }
    }
}

// Wavelets.

#[test]
fn the_wavelet_is_orthonormal_and_blind_to_polynomials() {
    let (low, high) = (wavelet::LOW.map(f64::from), wavelet::HIGH.map(f64::from));
    for shift in 0..8 {
        let dot = |a: &[f64], b: &[f64]| -> f64 {
            let products = a[2 * shift..].iter().zip(b).map(|(a, b)| a * b);
            products.sum::<f64>() / 2.0
        };
        let unit = if shift == 0 { 1.0 } else { 0.0 };
        assert!((dot(&low, &low) - unit).abs() < 1e-6);
        assert!((dot(&high, &high) - unit).abs() < 1e-6);
        assert!(dot(&low, &high).abs() < 1e-6 && dot(&high, &low).abs() < 1e-6);
    }
    let taps = |offset: usize| low.iter().skip(offset).step_by(2).sum::<f64>();
    assert!((taps(0) - 1.0).abs() < 1e-6 && (taps(1) - 1.0).abs() < 1e-6);
    for power in 0..8 {
        let centred = high
            .iter()
            .enumerate()
            .map(|(k, tap)| tap * (k as f64 / 7.5 - 1.0).powi(power));
        assert!(centred.sum::<f64>().abs() < 1e-6, "moment {power}");
    }
}

/// One level of the wavelet transform of a periodic map: the coarse map, then the details along
/// x, along z and along both.
fn analyse(map: &Heightmap) -> [Vec<f64>; 4] {
    let cells = map.rows() - 1;
    let half = cells / 2;
    let correlate = |filter: &[f32; 16], at: &dyn Fn(usize) -> f64, i: usize| -> f64 {
        let taps = filter.iter().enumerate();
        let sum: f64 = taps
            .map(|(k, tap)| f64::from(*tap) * at((2 * i + k + 8 * cells - 8) % cells))
            .sum();
        sum / 2.0
    };
    let filters = [&wavelet::LOW, &wavelet::HIGH];
    let across = filters.map(|filter| {
        let row = |row: usize| {
            let at = |column: usize| f64::from(map.at(row, column));
            (0..half)
                .map(|i| correlate(filter, &at, i))
                .collect::<Vec<f64>>()
        };
        (0..cells).map(row).collect::<Vec<_>>()
    });
    let down = |rows: &[Vec<f64>], filter: &[f32; 16]| {
        let value = |index: usize| {
            let at = |row: usize| rows[row][index % half];
            correlate(filter, &at, index / half)
        };
        (0..half * half).map(value).collect::<Vec<f64>>()
    };
    [
        down(&across[0], filters[0]),
        down(&across[1], filters[0]),
        down(&across[0], filters[1]),
        down(&across[1], filters[1]),
    ]
}

fn mean_square(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0), |(sum, count), v| (sum + v * v, count + 1));
    sum / f64::from(count)
}

#[test]
fn the_low_pass_half_of_a_wavelet_map_is_the_map_of_one_iteration_less() {
    for iterations in [2, 3, 6, 7] {
        let map = map_of(&surface(Generator::Wavelet, 5, iterations));
        let smaller = map_of(&surface(Generator::Wavelet, 5, iterations - 1));
        let half = smaller.rows() - 1;
        let [coarse, ..] = analyse(&map);
        for (index, value) in coarse.iter().enumerate() {
            let error = value - f64::from(smaller.at(index / half, index % half));
            assert!(error.abs() < 2e-6, "{iterations} {index}: {error}");
        }
    }
}

#[test]
fn the_energy_of_a_wavelet_map_is_that_of_its_details() {
    for iterations in [3, 7] {
        let map = map_of(&surface(Generator::Wavelet, 5, iterations));
        let cells = map.rows() - 1;
        let heights = (0..cells * cells).map(|i| f64::from(map.at(i / cells, i % cells)));
        let parts = analyse(&map).map(|part| mean_square(part.into_iter()));
        let energy = mean_square(heights);
        assert!((parts.iter().sum::<f64>() / energy - 1.0).abs() < 1e-5);
    }
}

#[test]
fn details_have_the_deviation_of_their_level() {
    for (iterations, h) in [(7, 0.7f32), (8, 0.2)] {
        let mut surface = surface(Generator::Wavelet, 5, iterations);
        surface.hurst = h;
        let [_, along_x, along_z, along_both] = analyse(&map_of(&surface));
        let [along, both] = wavelet::deviations(1.0, h, iterations - 1);
        for (details, deviation) in [(along_x, along), (along_z, along), (along_both, both)] {
            let ratio = mean_square(details.into_iter()).sqrt() / f64::from(deviation);
            // 4096 and more normal values: standard error 1.1 %.
            assert!((ratio - 1.0).abs() < 0.04, "{iterations}: {ratio}");
        }
    }
}
