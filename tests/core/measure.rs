//! What the measures say of maps whose answers are known.

use landform::fractal::{Distribution, Edges};
use landform::generate::{Generator, Images, Surface};
use landform::heightmap::Heightmap;
use landform::job::Job;
use landform::measure::{
    Crease, Landform, REFERENCES, Ring, Statistics, Variation, crease, histogram, hurst, landform,
    landforms, measure, rivers, slopes_by_scale, spectral_slope, spectrum, statistics,
    variation_line, variations,
};

fn map_of(surface: &Surface) -> Heightmap {
    surface
        .generate(&Images::default(), &Job::new(), None)
        .expect("a valid surface")
}

fn diamond_square(seed: u64, iterations: u32, h: f32) -> Surface {
    Surface {
        seed,
        iterations,
        hurst: h,
        ..Surface::default()
    }
}

fn estimate(surface: &Surface) -> f64 {
    measure(&map_of(surface)).hurst.expect("a rough map")
}

/// Mean estimate over a few seeds.
fn mean_estimate(seeds: u64, surface: impl Fn(u64) -> Surface) -> f64 {
    (0..seeds).map(|seed| estimate(&surface(seed))).sum::<f64>() / seeds as f64
}

#[test]
fn single_map_h_estimates_are_within_two_hundredths() {
    for tenths in 1..=10 {
        let h = tenths as f32 / 10.0;
        for (iterations, seeds) in [(8, 16), (9, 8), (10, 4)] {
            for seed in 0..seeds {
                let estimate = estimate(&diamond_square(seed, iterations, h));
                assert!(
                    (estimate - f64::from(h)).abs() <= 0.02,
                    "H {h}, n {iterations}, seed {seed}: {estimate}"
                );
            }
        }
    }
}

#[test]
fn free_gaussian_map_estimate_is_requested_h() {
    let estimate = mean_estimate(8, |seed| {
        let mut surface = diamond_square(seed, 9, 0.6);
        surface.diamond_square.distribution = Distribution::Gaussian;
        surface.diamond_square.edges = Edges::Free;
        surface
    });
    assert!((estimate - 0.6).abs() <= 0.03, "{estimate}");
}

#[test]
fn ridge_estimate_is_the_requested_h() {
    for h in [0.3, 0.5, 0.9] {
        let estimate = mean_estimate(10, |seed| Surface {
            generator: Generator::Midpoint1d,
            ..diamond_square(seed, 14, h)
        });
        assert!((estimate - f64::from(h)).abs() <= 0.03, "{h}: {estimate}");
    }
}

#[test]
fn a_power_law_gives_its_exponent() {
    let points: Vec<_> = [1usize, 2, 4, 8]
        .into_iter()
        .map(|lag| Variation {
            lag,
            mean_square: 3.0 * (lag as f64).powf(2.0 * 0.37),
            count: 64 / lag,
        })
        .collect();
    assert!((hurst(&points).unwrap() - 0.37).abs() < 1e-12);
}

#[test]
fn flat_and_tiny_maps_have_no_h() {
    let flat = Heightmap::new(65, 65, true, vec![0.25; 65 * 65]);
    let measures = measure(&flat);
    assert_eq!(measures.hurst, None);
    assert_eq!(measures.fractal_dimension, None);
    assert_eq!((measures.mean, measures.std), (0.25, 0.0));
    assert_eq!(measure(&map_of(&diamond_square(1, 2, 0.7))).hurst, None);
}

#[test]
fn measures_of_a_small_map_by_hand() {
    // 0 1 2
    // 0 1 2   spacing 1, slope 1 along x, 0 along z
    // 0 1 2
    let map = Heightmap::new(3, 3, false, vec![0., 1., 2., 0., 1., 2., 0., 1., 2.]);
    let measures = measure(&map);
    assert_eq!((measures.width, measures.height), (3, 3));
    assert_eq!((measures.min, measures.max), (0.0, 2.0));
    assert_eq!(measures.mean, 1.0);
    assert!((measures.std - (2.0f64 / 3.0).sqrt()).abs() < 1e-12);
    assert!((measures.rms_slope - 1.0).abs() < 1e-12);
    assert_eq!(measures.wrap_error.height, 2.0);
    assert_eq!(measures.wrap_error.slope, 0.0);
}

#[test]
fn second_differences_by_hand() {
    // A profile 0 1 0 1 … of 33 samples that wraps: every second difference is ±2 at lag 1,
    // and at lag 2 the lattice sees only zeros.
    let heights: Vec<f32> = (0..33).map(|i| (i % 2) as f32).collect();
    let map = Heightmap::new(1, 33, true, heights);
    let found = variations(&map);
    assert_eq!(found.len(), 2);
    assert_eq!((found[0].lag, found[0].mean_square), (1, 4.0));
    assert_eq!((found[1].lag, found[1].mean_square), (2, 0.0));
}

#[test]
fn wrap_height_error_is_zero_only_when_wrapped() {
    let wrapped = map_of(&diamond_square(3, 7, 0.5));
    assert_eq!(measure(&wrapped).wrap_error.height, 0.0);
    let mut surface = diamond_square(3, 7, 0.5);
    surface.diamond_square.edges = Edges::Free;
    assert!(measure(&map_of(&surface)).wrap_error.height > 0.01);
}

#[test]
fn measures_are_independent_of_thread_count() {
    let map = map_of(&diamond_square(9, 9, 0.4));
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(|| all(&map))
    };
    assert_eq!(with(1), with(5));
}

fn all(map: &Heightmap) -> Statistics {
    statistics(map, None, &Job::new()).expect("not cancelled")
}

fn rings(map: &Heightmap) -> Vec<Ring> {
    spectrum(map, &Job::new()).expect("not cancelled").rings
}

/// A map whose heights are `of` column and row.
fn sampled(rows: usize, columns: usize, wraps: bool, of: impl Fn(f64, f64) -> f64) -> Heightmap {
    let height = |index: usize| of((index % columns) as f64, (index / columns) as f64) as f32;
    Heightmap::new(
        rows,
        columns,
        wraps,
        (0..rows * columns).map(height).collect::<Vec<_>>(),
    )
}

#[test]
fn statistics_hold_what_measure_says() {
    let map = map_of(&diamond_square(4, 7, 0.6));
    let all = all(&map);
    assert_eq!(all.measures, measure(&map));
    assert_eq!(all.variations, variations(&map));
    let line = variation_line(&all.variations).unwrap();
    assert_eq!(Some(line.slope / 2.0), all.measures.hurst);
    // The line goes through the points.
    for point in &all.variations {
        let off = line.at((point.lag as f64).ln()) - point.mean_square.ln();
        assert!(off.abs() < 0.3, "{point:?} {off}");
    }
}

#[test]
fn the_histogram_counts_every_sample_once() {
    for surface in [
        diamond_square(5, 7, 0.7),
        Surface {
            generator: Generator::Midpoint1d,
            ..diamond_square(5, 7, 0.7)
        },
    ] {
        let map = map_of(&surface);
        let found = histogram(&map, 64, &Job::new()).unwrap();
        assert_eq!(found.counts.len(), 64);
        assert_eq!(found.counts.iter().sum::<u64>(), map.heights().len() as u64);
        assert_eq!((found.min, found.max), map.range());
        assert!(found.counts[0] > 0 && found.counts[63] > 0);
    }
}

#[test]
fn a_histogram_by_hand() {
    let map = Heightmap::new(1, 6, false, vec![0.0, 0.4, 1.0, 1.9, 2.0, 4.0]);
    let found = histogram(&map, 4, &Job::new()).unwrap();
    assert_eq!(found.counts, [2, 2, 1, 1]);
    assert_eq!((found.bin_width(), found.centre(0)), (1.0, 0.5));
    let flat = Heightmap::new(2, 2, true, vec![-3.0; 4]);
    assert_eq!(
        histogram(&flat, 3, &Job::new()).unwrap().counts,
        [4, 0, 0],
        "all in the first bin"
    );
}

#[test]
fn sine_is_one_peak_at_its_frequency() {
    // 1 + 3·sin over 16 waves, 64 cells, in x, in z, and along the diagonal (f = √2·8).
    let turn = std::f64::consts::TAU / 64.0;
    type Wave = fn(f64, f64) -> f64;
    let waves: [(Wave, f64); 3] = [
        (|x, _| 16.0 * x, 16.0),
        (|_, z| 16.0 * z, 16.0),
        (|x, z| 8.0 * (x + z), 8.0 * std::f64::consts::SQRT_2),
    ];
    for (wave, frequency) in waves {
        let map = sampled(65, 65, true, |x, z| 1.0 + 3.0 * (turn * wave(x, z)).sin());
        let rings = rings(&map);
        let total: f64 = rings.iter().map(|r| r.power * r.count as f64).sum();
        // Parseval: the sum of all powers is the variance, 3²/2.
        assert!((total - 4.5).abs() < 1e-6, "{total}");
        let peak = rings
            .iter()
            .max_by(|a, b| a.power.total_cmp(&b.power))
            .unwrap();
        assert!(
            (peak.frequency / frequency).log2().abs() < 0.125,
            "{frequency}: {peak:?}"
        );
        assert!(peak.power * peak.count as f64 > 0.999999 * total);
    }
}

#[test]
fn unwrapped_sine_keeps_its_peak_and_power() {
    // A map that is wider than high, of odd size: 20.5 waves along its longer side.
    let map = sampled(60, 100, false, |x, _| {
        (20.5 * std::f64::consts::TAU / 100.0 * x).sin()
    });
    let rings = rings(&map);
    let peak = rings
        .iter()
        .max_by(|a, b| a.power.total_cmp(&b.power))
        .unwrap();
    assert!((peak.frequency / 20.5).log2().abs() < 0.25, "{peak:?}");
    let total: f64 = rings.iter().map(|r| r.power * r.count as f64).sum();
    assert!((total - 0.5).abs() < 0.02, "{total}");
}

#[test]
fn reducing_large_maps_neither_moves_nor_weakens_waves() {
    // 2048 cells become 1024 blocks; a wave of 9 samples keeps its power.
    let turn = std::f64::consts::TAU / 2048.0;
    let wave = |x: f64, z: f64| (turn * (3.0 * x + 300.0 * z)).sin() + (turn * 40.0 * x).cos();
    for (wraps, tolerance) in [(true, 1e-3), (false, 0.02)] {
        let rings = rings(&sampled(2049, 2049, wraps, wave));
        for frequency in [40.0, 300.0] {
            let near = rings
                .iter()
                .filter(|r| (r.frequency / frequency).log2().abs() < 0.4);
            let power: f64 = near.map(|r| r.power * r.count as f64).sum();
            assert!(
                (power - 0.5).abs() < tolerance,
                "{wraps} {frequency} {power}"
            );
        }
        let finest = rings.last().unwrap().frequency;
        assert!((400.0..512.0).contains(&finest), "{finest}");
    }
}

fn slope(surface: &Surface) -> f64 {
    let spectrum = spectrum(&map_of(surface), &Job::new()).unwrap();
    spectrum.line.expect("a rough map").slope
}

#[test]
fn spectra_fall_as_theory_says() {
    for h in [0.3f32, 0.5, 0.7, 0.9] {
        let theory = spectral_slope(f64::from(h), false);
        assert!((theory + 2.0 * f64::from(h) + 2.0).abs() < 1e-12);
        for (generator, tolerance) in [(Generator::Fourier, 0.1), (Generator::DiamondSquare, 0.15)]
        {
            for seed in 0..4 {
                let slope = slope(&Surface {
                    generator,
                    ..diamond_square(seed, 9, h)
                });
                assert!(
                    (slope - theory).abs() < tolerance,
                    "{generator} H {h}, seed {seed}: {slope}, theory {theory}"
                );
            }
        }
        let ridge = Surface {
            generator: Generator::Midpoint1d,
            ..diamond_square(3, 13, h)
        };
        let theory = spectral_slope(f64::from(h), true);
        let slope = slope(&ridge);
        assert!((slope - theory).abs() < 0.15, "ridge H {h}: {slope}");
    }
}

#[test]
fn h_of_a_spectrum_is_the_slopes() {
    let map = map_of(&diamond_square(2, 8, 0.5));
    let spectrum = spectrum(&map, &Job::new()).unwrap();
    let hurst = spectrum.hurst(false).unwrap();
    assert!((spectral_slope(hurst, false) - spectrum.line.unwrap().slope).abs() < 1e-12);
    assert!((hurst - 0.5).abs() < 0.1, "{hurst}");
}

fn creases(map: &Heightmap) -> Option<Crease> {
    crease(map, &Job::new()).expect("not cancelled")
}

fn crease_of(generator: Generator, seed: u64, h: f32) -> f64 {
    let surface = Surface {
        generator,
        ..diamond_square(seed, 8, h)
    };
    creases(&map_of(&surface)).expect("a rough map").ratio
}

#[test]
fn creases_tell_subdivisions_from_maps_without_a_lattice() {
    for seed in 0..6 {
        let crease = |generator| crease_of(generator, seed, 0.7);
        for generator in [Generator::Fourier, Generator::SquareSquare, Generator::Hill] {
            let ratio = crease(generator);
            assert!((ratio - 1.0).abs() < 0.12, "{generator}, {seed}: {ratio}");
        }
        let square = crease(Generator::DiamondSquare);
        let midpoint = crease(Generator::Midpoint);
        assert!(square > 1.35, "diamond-square, {seed}: {square}");
        assert!(midpoint > 1.5 * square, "midpoint, {seed}: {midpoint}");
        // It is not the cure that it is said to be.
        let additions = crease(Generator::SuccessiveRandomAdditions);
        assert!(
            (square * 0.95..midpoint).contains(&additions),
            "additions, {seed}: {additions}, {square}"
        );
    }
}

#[test]
fn creases_show_more_the_smoother_the_map() {
    for generator in [Generator::DiamondSquare, Generator::Midpoint] {
        let of = |h| crease_of(generator, 1, h);
        assert!(of(0.3) < of(0.6) && of(0.6) < of(0.9), "{generator}");
    }
}

#[test]
fn a_roof_is_a_crease_wherever_it_lies() {
    // Noise, and on it a roof along column or row 32, which is in the last level of 64 cells.
    let noise = |x: f64, z: f64| ((x * 12.9898 + z * 78.233).sin() * 43758.5453).fract() * 0.1;
    type Roof = fn(f64, f64) -> f64;
    let roofs: [Roof; 2] = [|x, _| (x - 32.0).abs(), |_, z| (z - 32.0).abs()];
    let plain = creases(&sampled(65, 65, false, noise)).unwrap();
    assert!((plain.ratio - 1.0).abs() < 0.4, "{plain:?}");
    assert_eq!(
        plain.levels.iter().map(|l| l.spacing).collect::<Vec<_>>(),
        [1, 2, 4, 8]
    );
    for roof in roofs {
        let found = creases(&sampled(65, 65, false, |x, z| noise(x, z) + roof(x, z))).unwrap();
        assert!(found.ratio > 20.0, "{found:?}");
        assert!(found.levels[1].ratio < 1.5, "{found:?}");
    }
}

#[test]
fn any_map_can_be_measured() {
    for (rows, columns) in [
        (1, 1),
        (1, 2),
        (2, 1),
        (2, 2),
        (3, 5),
        (1, 40),
        (40, 1),
        (3, 4000),
    ] {
        for wraps in [false, true] {
            let flat = all(&sampled(rows, columns, wraps, |_, _| 0.1));
            assert_eq!(flat.spectrum.line, None);
            assert_eq!(flat.crease, None);
            assert_eq!(flat.measures.hurst, None);
            assert!(flat.spectrum.rings.iter().all(|ring| ring.power == 0.0));
            let rough = all(&sampled(rows, columns, wraps, |x, z| {
                ((x * 12.9898 + z * 78.233).sin() * 43758.5453).fract()
            }));
            assert_eq!(
                rough.histogram.counts.iter().sum::<u64>(),
                (rows * columns) as u64
            );
            let finite = |ring: &Ring| ring.power.is_finite() && ring.frequency.is_finite();
            assert!(rough.spectrum.rings.iter().all(finite));
            assert!(rough.measures.rms_slope.is_finite());
        }
    }
}

#[test]
fn statistics_stop_when_the_job_is_cancelled() {
    let job = Job::new();
    job.cancel();
    assert!(statistics(&map_of(&diamond_square(1, 6, 0.5)), None, &job).is_err());
}

#[test]
fn smooth_land_has_plane_dimension_with_a_reason() {
    let side = 257;
    let hill = |row: usize, column: usize| {
        let wave = |i: usize| (i as f32 / (side - 1) as f32 * std::f32::consts::TAU).sin();
        wave(row) * wave(column)
    };
    let heights = (0..side * side).map(|i| hill(i / side, i % side));
    let smooth = measure(&Heightmap::new(
        side,
        side,
        true,
        heights.collect::<Vec<_>>(),
    ));
    assert!(smooth.hurst.unwrap() > 1.0, "{:?}", smooth.hurst);
    assert_eq!(smooth.fractal_dimension, Some(2.0));
    assert!(smooth.dimension_note().unwrap().contains("H is above 1"));
    let rough = measure(&map_of(&diamond_square(2, 8, 0.7)));
    let sum = rough.fractal_dimension.unwrap() + rough.hurst.unwrap();
    assert!((sum - 3.0).abs() < 1e-12, "{sum}");
    assert_eq!(rough.dimension_note(), None);
}

#[test]
fn tilted_plane_rivers_span_its_length() {
    // Falls southwards by 0.5, in steps of 0.1.
    let heights: Vec<f32> = (0..21 * 21).map(|at| -0.05 * (at / 21) as f32).collect();
    let plane = Heightmap::new(21, 21, false, heights);
    let found = rivers(&plane, None, &Job::new()).unwrap().unwrap();
    // From the second row, where it begins, to the last, where it leaves.
    assert!((found.longest - 1.9).abs() < 1e-6, "{}", found.longest);
    assert_eq!((found.lakes, found.pits), (0.0, 0));
    assert!((found.hypsometric_integral.unwrap() - 0.5).abs() < 1e-6);
    // Channels begin where 8 samples drain: in 19 columns 12 of the 19 rows of land.
    let density = 12.0 * 0.1 / (19.0 * 0.1 * 0.1);
    assert!(
        (found.density - density).abs() < 1e-4,
        "{} {density}",
        found.density
    );
}

#[test]
fn lakes_and_pits_are_counted_above_the_sea() {
    // Two hollows of nine samples in a plain whose border is low.
    let height = |at: usize| {
        let (row, column) = (at / 31, at % 31);
        let in_hollow = |at: (usize, usize)| row.abs_diff(at.0) <= 1 && column.abs_diff(at.1) <= 1;
        let at_border = [row, column].iter().any(|at| [0, 30].contains(at));
        match (in_hollow((8, 8)), in_hollow((20, 22)), at_border) {
            (true, ..) => 0.5 - if (row, column) == (8, 8) { 0.2 } else { 0.1 },
            (_, true, _) => 0.5 - if (row, column) == (20, 22) { 0.3 } else { 0.1 },
            (.., true) => 0.0,
            _ => 0.5 + 1e-4 * row as f32,
        }
    };
    let map = Heightmap::new(
        31,
        31,
        false,
        (0..31 * 31).map(height).collect::<Vec<f32>>(),
    );
    let found = |sea| rivers(&map, sea, &Job::new()).unwrap().unwrap();
    let dry = found(None);
    assert_eq!(dry.pits, 2);
    assert!(
        (dry.lakes - 18.0 / (29.0 * 29.0)).abs() < 1e-9,
        "{}",
        dry.lakes
    );
    // A sea that stands in both is no lake.
    let wet = found(Some(0.45));
    assert_eq!((wet.pits, wet.lakes), (0, 0.0));
    assert!(
        rivers(
            &Heightmap::new(1, 9, false, vec![0.0; 9]),
            None,
            &Job::new()
        )
        .unwrap()
        .is_none()
    );
}

#[test]
fn slopes_of_a_plane_are_its_own_at_every_distance() {
    for wraps in [false, true] {
        let plane = |index: usize| (index % 129) as f32 / 64.0 * 0.5;
        let heights: Vec<f32> = (0..129 * 129).map(plane).collect();
        let map = Heightmap::new(129, 129, wraps, heights);
        let slopes = slopes_by_scale(&map, &Job::new()).unwrap();
        let steps: Vec<_> = slopes.iter().map(|at| at.step).collect();
        assert_eq!(steps, [1, 2, 4, 8]);
        for at in &slopes {
            // A map that wraps has a cliff at its border.
            assert!(
                (at.slopes[0] - 0.5_f64.atan().to_degrees()).abs() < 0.06,
                "{at:?}"
            );
            assert_eq!(at.spacing, at.step as f64 / 64.0);
            if !wraps {
                assert_eq!(at.slopes, [at.slopes[0]; 4]);
            }
        }
    }
    let profile = Heightmap::new(1, 129, false, vec![0.0; 129]);
    assert!(slopes_by_scale(&profile, &Job::new()).unwrap().is_empty());
}

#[test]
fn simple_land_has_its_landforms() {
    use Landform::{Flat, Peak, Pit, Ridge, Shoulder, Slope, Valley};
    let of = |height: fn(f32, f32) -> f32| {
        let at = |index: usize| [index % 65, index / 65].map(|at| (at as f32 - 32.0) / 32.0);
        let heights = (0..65 * 65).map(|index| height(at(index)[0], at(index)[1]));
        let map = Heightmap::new(65, 65, false, heights.collect::<Vec<_>>());
        landform(&map, [32, 32], 15, 1.0).unwrap()
    };
    assert_eq!(of(|_, _| 0.0), Flat);
    assert_eq!(of(|x, z| -x.hypot(z)), Peak);
    assert_eq!(of(|x, z| x.hypot(z)), Pit);
    assert_eq!(of(|x, _| -x.abs()), Ridge);
    assert_eq!(of(|x, _| x.abs()), Valley);
    assert_eq!(of(|x, _| x), Slope);
    assert_eq!(of(|x, _| x.min(0.0)), Shoulder);
    // Every pattern has a landform.
    for lower in 0..=8 {
        for higher in 0..=8 - lower {
            let _ = Landform::of(lower, higher);
        }
    }
}

/// The elevation model that comes with the program, on cells of 80 m.
fn jacksboro() -> Heightmap {
    let picture = image::open("assets/heightmaps/jacksboro.png")
        .unwrap()
        .into_luma16();
    let (columns, rows) = picture.dimensions();
    let half_tile = f64::from(columns - 1) * 80.0 / 2.0;
    let heights = picture
        .pixels()
        .map(|metres| (f64::from(metres.0[0]) / half_tile) as f32);
    let heights: Vec<f32> = heights.collect();
    Heightmap::new(rows as usize, columns as usize, false, heights)
}

#[test]
fn landforms_and_slopes_are_those_of_grass() {
    // r.geomorphon of GRASS 8.2 with search=15 skip=0 flat=1, in per cent, which also counts samples next to the border;
    // r.slope.aspect, which weighs eight neighbours, and r.quantile.
    let grass = [
        0.0, 4.44, 15.46, 0.20, 18.26, 26.50, 14.64, 0.31, 14.81, 5.40,
    ];
    let shares = landforms(&jacksboro(), &Job::new()).unwrap().unwrap();
    for ((share, grass), (_, name)) in shares.iter().zip(grass).zip(Landform::ALL) {
        assert!(
            (share * 100.0 - grass).abs() < 0.6,
            "{name}: {share} {grass}"
        );
    }
    let slopes = slopes_by_scale(&jacksboro(), &Job::new()).unwrap();
    for (slope, grass) in slopes[0].slopes.iter().zip([13.23, 19.25, 25.28, 28.43]) {
        assert!((slope - grass).abs() < 1.0, "{slope} {grass}");
    }
    // The same land on other cells is alike.
    let own = &REFERENCES[1];
    for (share, known) in shares.iter().zip(own.landforms) {
        assert!((share - known).abs() < 0.02, "{share} {known}");
    }
}

#[test]
fn shares_of_landforms_add_up() {
    for map in [jacksboro(), map_of(&diamond_square(3, 7, 0.7))] {
        let shares = landforms(&map, &Job::new()).unwrap().unwrap();
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }
    for place in REFERENCES {
        assert!(
            (place.landforms.iter().sum::<f64>() - 1.0).abs() < 2e-3,
            "{}",
            place.name
        );
        assert!(place.slopes.is_sorted());
    }
    let small = Heightmap::new(9, 9, false, vec![0.0; 81]);
    assert_eq!(landforms(&small, &Job::new()).unwrap(), None);
}
