//! What the measures say of maps whose answers are known.

use landform::generate::diamond_square::{Distribution, Edges};
use landform::generate::{Generator, Inputs, Surface};
use landform::heightmap::Heightmap;
use landform::job::Job;
use landform::measure::{Variation, hurst, measure, variations};

fn map_of(surface: &Surface) -> Heightmap {
    surface
        .generate(&Inputs::default(), &Job::new(), None)
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
fn estimated_h_of_every_single_map_is_the_requested_h_within_two_hundredths() {
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
fn estimated_h_of_a_gaussian_free_map_is_the_requested_h() {
    let estimate = mean_estimate(8, |seed| {
        let mut surface = diamond_square(seed, 9, 0.6);
        surface.diamond_square.distribution = Distribution::Gaussian;
        surface.diamond_square.edges = Edges::Free;
        surface
    });
    assert!((estimate - 0.6).abs() <= 0.03, "{estimate}");
}

#[test]
fn estimated_h_of_a_ridge_is_the_requested_h() {
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
fn wrapped_maps_have_no_height_error_and_free_ones_do() {
    let wrapped = map_of(&diamond_square(3, 7, 0.5));
    assert_eq!(measure(&wrapped).wrap_error.height, 0.0);
    let mut surface = diamond_square(3, 7, 0.5);
    surface.diamond_square.edges = Edges::Free;
    assert!(measure(&map_of(&surface)).wrap_error.height > 0.01);
}

#[test]
fn measures_do_not_depend_on_the_number_of_threads() {
    let map = map_of(&diamond_square(9, 9, 0.4));
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(|| measure(&map))
    };
    assert_eq!(with(1), with(5));
}
