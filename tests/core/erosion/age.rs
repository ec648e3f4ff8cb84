//! Old land: valleys widen, and no towers are left between rivers.

use super::*;

/// The mountains of the preset `alpine`, with rock that holds steep slopes and no creep.
fn alpine(age: f32) -> Heightmap {
    let mut scene = Scene::default();
    let surface = &mut scene.surface;
    surface.generator = Generator::Fourier;
    (surface.seed, surface.iterations) = (11, 8);
    (surface.hurst, surface.height_scale) = (0.92, 0.45);
    let map = surface.generate(&Inputs::default().images, &Job::new(), None);
    eroded_by(&map.unwrap(), (11, None), |options| {
        (options.age, options.rock_variation) = (age, 1.0);
        (options.repose, options.smoothing) = (60.0, 0.0);
    })
}

/// Slopes from sample to sample in rising order; how far samples stand above all that is 1/64 of a tile
/// away, as a slope, in rising order; and the rms slope by the rms curvature, in half tiles: how wide
/// crests and valleys are.
fn measures(map: &Heightmap) -> (Vec<f32>, Vec<f32>, f64) {
    let cells = map.rows() - 1;
    let (spacing, away) = (map.spacing(), cells / 64);
    let at = |row: usize, column: usize| map.at(row % cells, column % cells);
    let (mut slopes, mut towers) = (Vec::new(), Vec::new());
    let (mut slope2, mut bend2) = (0.0, 0.0);
    for row in cells..2 * cells {
        for column in cells..2 * cells {
            let here = at(row, column);
            let [east, west] = [at(row, column + 1), at(row, column - 1)];
            let [south, north] = [at(row + 1, column), at(row - 1, column)];
            slopes.push((east - here).abs().max((south - here).abs()) / spacing);
            let [p, q] = [east - west, south - north].map(|rise| f64::from(rise) * 0.5);
            slope2 += p * p + q * q;
            bend2 += f64::from(east + west + south + north - 4.0 * here).powi(2);
            let ring = [away, 0, 2 * away].map(|by| by + cells - away);
            let around = ring
                .iter()
                .flat_map(|down| ring.map(|along| (*down, along)));
            let around = around
                .skip(1)
                .map(|(down, along)| at(row + down, column + along));
            towers.push((here - around.fold(f32::MIN, f32::max)) / (away as f32 * spacing));
        }
    }
    slopes.sort_by(f32::total_cmp);
    towers.sort_by(f32::total_cmp);
    (slopes, towers, (slope2 / bend2).sqrt() * f64::from(spacing))
}

fn quantile(sorted: &[f32], share: f64) -> f32 {
    sorted[((sorted.len() - 1) as f64 * share) as usize]
}

#[test]
fn old_land_has_wide_valleys_and_no_towers() {
    let (slopes, towers, width) = measures(&alpine(1.0));
    let young = [&slopes, &towers].map(|sorted| quantile(sorted, 0.999));
    let mut last = width;
    for age in [4.0, 6.0, 10.0, 20.0] {
        let (slopes, towers, wide) = measures(&alpine(age));
        let old = [&slopes, &towers].map(|sorted| quantile(sorted, 0.999));
        assert!(old[0] <= 1.1 * young[0], "{age}: slopes {old:?} {young:?}");
        assert!(old[1] <= young[1], "{age}: towers {old:?} {young:?}");
        assert!(wide > 1.1 * last, "{age}: {wide} wide, {last} before");
        last = wide;
    }
    assert!(last > 2.0 * width, "{last} {width}");
}

#[test]
fn age_goes_on_without_a_leap_at_two() {
    let map = made(Generator::Fourier, 3, 8, 0.8);
    let at = |age: f32| eroded(&map, |options| options.age = age);
    let (before, after) = (at(2.0), at(2.001));
    let pairs = before.heights().iter().zip(after.heights());
    let square: f64 = pairs.map(|(a, b)| f64::from(a - b).powi(2)).sum();
    let rms = (square / before.heights().len() as f64).sqrt();
    let (low, high) = before.range();
    assert!(rms < 0.01 * f64::from(high - low), "{rms}");
}
