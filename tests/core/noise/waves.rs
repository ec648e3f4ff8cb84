//! Fourier and wavelet synthesis.

use super::*;

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
    // The spectra are equal bit for bit, except for the waves that the smaller map cannot show.
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
fn wavelet_low_pass_half_is_one_iteration_less() {
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
fn wavelet_energy_is_the_sum_of_its_details() {
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
