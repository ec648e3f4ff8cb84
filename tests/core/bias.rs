//! No generator prefers a place, a quadrant or a direction, and each keeps the range that it
//! documents. The seeds are fixed, so a test that passes once passes always.

use landform::fractal::amplitude;
use landform::generate::{Generator, Images, Surface};
use landform::heightmap::Heightmap;
use landform::job::Job;

/// The generators that make a random surface of their own.
fn random_generators() -> impl Iterator<Item = Generator> {
    Generator::ALL.iter().copied().filter(|generator| {
        // An image and a formula are what the user says; a profile has no second direction.
        !["image", "formula", "midpoint-1d"].contains(&generator.to_string().as_str())
    })
}

fn map_of(generator: Generator, seed: u64, iterations: u32) -> Heightmap {
    let surface = Surface {
        generator,
        seed,
        iterations,
        ..Surface::default()
    };
    let map = surface.generate(&Images::default(), &Job::new(), None);
    map.expect("default options are in range")
}

/// Mean and its standard error.
fn mean_of(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (mut count, mut sum, mut squares) = (0.0, 0.0, 0.0);
    for value in values {
        count += 1.0;
        sum += value;
        squares += value * value;
    }
    let mean = sum / count;
    (
        mean,
        ((squares / count - mean * mean).max(0.0) / count).sqrt(),
    )
}

#[test]
fn the_mean_over_seeds_is_flat() {
    for generator in random_generators() {
        // Each sample's height above the mean of its map.
        let maps: Vec<Vec<f64>> = (0..400)
            .map(|seed| {
                let map = map_of(generator, seed, 4);
                let heights = map.heights().iter().map(|h| f64::from(*h));
                let mean = heights.clone().sum::<f64>() / heights.len() as f64;
                heights.map(|h| h - mean).collect()
            })
            .collect();
        for index in 0..17 * 17 {
            let (mean, error) = mean_of(maps.iter().map(|map| map[index]));
            // There are 3000 points in all, of which ten may be beyond 3 standard errors; 4.5 is
            // one in 100,000.
            assert!(
                mean.abs() <= 4.5 * error,
                "{generator}, {} {}: {mean} ± {error}",
                index / 17,
                index % 17
            );
        }
    }
}

#[test]
fn extremes_may_lie_in_any_quadrant() {
    const CELLS: usize = 32;
    for generator in random_generators() {
        let mut counts = [[0u32; 4]; 2];
        for seed in 0..400 {
            let map = map_of(generator, seed, 5);
            // The lines between the quadrants are left out: they belong to neither side and, in
            // subdivision, are not like the rest, since the middle moves first and farthest.
            let inside = |index: &usize| !index.is_multiple_of(CELLS / 2);
            let lines = || (0..=CELLS).filter(inside);
            let places = lines().flat_map(|row| lines().map(move |column| (row, column)));
            let height = |place: &(usize, usize)| map.at(place.0, place.1);
            let order = |a: &(usize, usize), b: &(usize, usize)| height(a).total_cmp(&height(b));
            let ends = [places.clone().max_by(order), places.min_by(order)];
            for (counts, place) in counts.iter_mut().zip(ends) {
                let (row, column) = place.expect("there are samples");
                let same = map.heights().iter().filter(|h| **h == map.at(row, column));
                // A plateau, such as valleys at 0, has no place of its own.
                if same.count() == 1 {
                    counts[row / (CELLS / 2) * 2 + column / (CELLS / 2)] += 1;
                }
            }
        }
        for counts in counts {
            let total: u32 = counts.iter().sum();
            let expected = f64::from(total) / 4.0;
            let square = |count: &u32| (f64::from(*count) - expected).powi(2) / expected;
            let chi_square: f64 = counts.iter().map(square).sum();
            // Three degrees of freedom: beyond 16.3 once in a thousand.
            assert!(
                total < 40 || chi_square < 16.3,
                "{generator}: {counts:?}, {chi_square}"
            );
        }
    }
}

#[test]
fn rotated_and_mirrored_maps_are_equally_likely() {
    const LAST: usize = 64;
    for generator in random_generators() {
        let maps: Vec<Heightmap> = (0..64).map(|seed| map_of(generator, seed, 6)).collect();
        for lag in [1, 4, 16] {
            // Mean square of differences from samples to those `lag` rows and columns on.
            let mean_square = |map: &Heightmap, turned: &dyn Fn(usize, usize) -> [usize; 4]| {
                let mut sum = 0.0;
                for a in 0..=LAST - lag {
                    for b in 0..=LAST - lag {
                        let [row, column, to_row, to_column] = turned(a, b);
                        let difference = map.at(row, column) - map.at(to_row, to_column);
                        sum += f64::from(difference).powi(2);
                    }
                }
                sum
            };
            // The same of a map and of that map turned: along rows and along columns, along one
            // diagonal and along the other.
            let straight = |a, b| [a, b, a, b + lag];
            let turned = |a, b| [b, LAST - a, b + lag, LAST - a];
            let diagonal = |a, b| [a, b, a + lag, b + lag];
            let mirrored = |a: usize, b: usize| [a, LAST - b, a + lag, LAST - b - lag];
            type Way<'a> = &'a dyn Fn(usize, usize) -> [usize; 4];
            let ways: [(&str, Way<'_>, Way<'_>); 2] = [
                ("turned", &straight, &turned),
                ("mirrored", &diagonal, &mirrored),
            ];
            for (name, one, other) in ways {
                let ratios = maps
                    .iter()
                    .map(|map| (mean_square(map, one) / mean_square(map, other)).ln());
                let (mean, error) = mean_of(ratios);
                assert!(
                    mean.abs() < 4.5 * error && error < 0.15,
                    "{generator}, {name}, lag {lag}: {mean} ± {error}"
                );
            }
        }
    }
}

#[test]
fn documented_ranges_hold() {
    const ITERATIONS: u32 = 7;
    let hurst = Surface::default().hurst;
    // Σ A·2^(−H·k) over passes, and over half steps.
    let sum = |steps: u32, length: f64| -> f32 {
        let range = |step: u32| amplitude(1.0, 1.0, hurst, f64::from(step) * length);
        (0..steps).map(range).sum()
    };
    let passes = sum(ITERATIONS, 1.0);
    for generator in random_generators() {
        // What no height leaves, and what all but one in a hundred keep.
        let (all, most) = match generator {
            Generator::DiamondSquare => ([-2.0 * passes, 2.0 * passes], None),
            Generator::Midpoint => ([-1.0 - passes, 1.0 + passes], None),
            Generator::SquareSquare => ([-passes, passes], None),
            Generator::SuccessiveRandomAdditions => {
                let steps = sum(2 * ITERATIONS, 0.5);
                ([-steps, steps], None)
            }
            Generator::Hill => ([0.0, 1.0], None),
            Generator::RandomDeposition | Generator::Fault => {
                ([-f32::INFINITY, f32::INFINITY], Some([-0.8, 0.8]))
            }
            // tests/noise.rs has those of the noises to the last bit, and their deviations.
            _ => ([-3.0, 3.0], None),
        };
        let (mut outside, mut count) = (0, 0);
        for seed in 0..16 {
            let map = map_of(generator, seed, ITERATIONS);
            let (low, high) = map.range();
            assert!(all[0] <= low && high <= all[1], "{generator}: {low} {high}");
            if let Some([low, high]) = most {
                let beyond = |h: &&f32| **h < low || **h > high;
                outside += map.heights().iter().filter(beyond).count();
                count += map.heights().len();
            }
        }
        assert!(outside * 100 <= count, "{generator}: {outside} of {count}");
    }
}
