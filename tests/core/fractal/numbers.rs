//! What the heights are.

use super::*;

#[test]
fn five_by_five_map_follows_the_drawn_numbers() {
    let (seed, hurst) = (42, 0.5);
    let subdivision = Subdivision::new(
        DiamondSquareOptions::default().rule(seed, 2, hurst, 1.0),
        [0.0; 4],
        None,
    );
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
    let options = DiamondSquareOptions {
        edges: Edges::Free,
        corners: [1.0, 2.0, 3.0, 6.0],
        strengths: vec![0.0; 6],
        ..DiamondSquareOptions::default()
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
        let options = DiamondSquareOptions {
            scaling,
            strengths,
            ..DiamondSquareOptions::default()
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
fn both_distributions_have_mean_zero_variance_one_third() {
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
