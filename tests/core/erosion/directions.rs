//! No grid: channels and faces run in every direction, and slopes fall as those of rivers do.

use super::{beside, cone, eroded, eroded_by, made};
use landform::drainage::Drainage;
use landform::generate::Generator;
use landform::heightmap::Heightmap;
use landform::job::Job;

/// The number of samples that drain through each, down the steepest of eight ways.
fn drainage(map: &Heightmap) -> Vec<(f64, f64)> {
    let side = map.columns() - 1;
    let mut order: Vec<usize> = (0..side * side).collect();
    let height = |cell: usize| map.at(cell / side, cell % side);
    order.sort_by(|a, b| height(*b).total_cmp(&height(*a)));
    let mut of = vec![(1.0, 0.0); side * side];
    for cell in order {
        let (row, column) = (cell / side, cell % side);
        let ways = beside(map, row, column).map(|(r, c)| {
            let straight = r == row || c == column;
            let drop = f64::from(map.at(row, column) - map.at(r, c));
            (
                drop / if straight { 1.0 } else { 2f64.sqrt() },
                r * side + c,
            )
        });
        let steepest = ways.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
        if steepest.0 > 0.0 {
            of[cell].1 = steepest.0;
            of[steepest.1].0 += of[cell].0;
        }
    }
    of
}

/// θ of slope ∝ area^−θ, by least squares over the means of logarithmic classes of area.
fn concavity(map: &Heightmap) -> f64 {
    let mut classes = vec![(0.0, 0.0, 0usize); 12];
    for (area, slope) in drainage(map) {
        let class = area.log2() as usize;
        if slope > 0.0 && (4..12).contains(&class) {
            classes[class].0 += area.ln();
            classes[class].1 += slope.ln();
            classes[class].2 += 1;
        }
    }
    fit(&classes, 30)
}

/// θ of classes that have at least so many members: the sums of ln area and ln slope, and how many.
fn fit(classes: &[(f64, f64, usize)], least: usize) -> f64 {
    let points: Vec<(f64, f64)> = classes
        .iter()
        .filter(|(_, _, count)| *count >= least)
        .map(|(area, slope, count)| (area / *count as f64, slope / *count as f64))
        .collect();
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let rises = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum::<f64>();
    -rises / points.iter().map(|p| (p.0 - x).powi(2)).sum::<f64>()
}

#[test]
fn slopes_fall_with_drained_area_like_rivers() {
    let mut means = [0.0; 4];
    for seed in 0..3 {
        let map = made(Generator::Fourier, seed, 9, 0.8);
        let old = |age: f32| concavity(&eroded(&map, |options| options.age = age));
        let found = [concavity(&map), old(0.3), old(1.0), old(2.0)];
        for (mean, found) in means.iter_mut().zip(found) {
            *mean += found / 3.0;
        }
    }
    // Beyond age 2 slopes creep as well, which rivers do not make.
    let [before, young, default, old] = means;
    assert!((0.35..=0.6).contains(&default), "{means:.3?}");
    assert!(default > before + 0.1, "{means:.3?}");
    assert!(
        young < default + 0.02 && default + 0.05 < old,
        "{means:.3?}"
    );
}

#[test]
fn valleys_of_a_cone_run_in_every_direction() {
    let side = 513;
    let (mut cosine, mut sine, mut count) = (0.0, 0.0, 0.0);
    for seed in 0..4 {
        let map = eroded(&cone(side, seed), |_| {});
        for row in 1..side - 1 {
            for column in 1..side - 1 {
                let away = (row as f64 - 256.0).hypot(column as f64 - 256.0);
                if !(40.0..200.0).contains(&away) {
                    continue;
                }
                let along = f64::from(map.at(row, column + 1) - map.at(row, column - 1));
                let down = f64::from(map.at(row + 1, column) - map.at(row - 1, column));
                let angle = down.atan2(along) * 8.0;
                cosine += angle.cos();
                sine += angle.sin();
                count += 1.0;
            }
        }
    }
    let harmonic = f64::hypot(cosine, sine) / count;
    assert!(harmonic <= 0.01, "{harmonic}");
}

/// The number of steps downstream over which a channel's direction is told.
const REACH: usize = 16;

#[test]
fn channels_of_a_cone_run_in_every_direction() {
    let side = 513;
    let (mut cosine, mut sine, mut count) = (0.0, 0.0, 0.0);
    for seed in 0..4 {
        let map = eroded(&cone(side, seed), |_| {});
        let drainage = Drainage::of(&map, None, &Job::new()).unwrap();
        for cell in 0..drainage.cells() {
            let place = |cell: usize| [cell / side, cell % side].map(|at| at as f64);
            let [row, column] = place(cell);
            let away = (row - 256.0).hypot(column - 256.0);
            if !(60.0..200.0).contains(&away) || drainage.area(cell) < 50 {
                continue;
            }
            let mut end = cell;
            for _ in 0..REACH {
                end = drainage.receiver(end).unwrap_or(end);
            }
            let [down, along] = place(end);
            let angle = (down - row).atan2(along - column) * 8.0;
            cosine += angle.cos();
            sine += angle.sin();
            count += 1.0;
        }
    }
    let harmonic = f64::hypot(cosine, sine) / count;
    assert!(harmonic <= 0.1, "{harmonic}");
}

/// Every second sample of a map that wraps, turned by that many eighths of a circle; free edges.
fn turned(map: &Heightmap, eighths: u32, side: usize) -> Heightmap {
    let (sine, cosine) = (f64::from(eighths) * std::f64::consts::FRAC_PI_4).sin_cos();
    let middle = (side - 1) as f64 * 0.5;
    let cells = (map.columns() - 1) as i64;
    let at = |row: i64, column: i64| {
        let [row, column] = [row, column].map(|at| at.rem_euclid(cells) as usize);
        f64::from(map.at(row, column))
    };
    let height = |index: usize| {
        let [row, column] = [index / side, index % side].map(|at| 2.0 * (at as f64 - middle));
        let (x, z) = (cosine * column - sine * row, sine * column + cosine * row);
        let (west, north) = ((x + 1e-6).floor(), (z + 1e-6).floor());
        let (t, u) = ((x - west).max(0.0), (z - north).max(0.0));
        let (west, north) = (west as i64, north as i64);
        let line = |row| at(row, west) * (1.0 - t) + at(row, west + 1) * t;
        (line(north) * (1.0 - u) + line(north + 1) * u) as f32
    };
    let heights: Vec<f32> = (0..side * side).map(height).collect();
    Heightmap::new(side, side, false, heights)
}

/// Concavity, relief and drainage density of the round middle of a map.
fn character(map: &Heightmap) -> [f64; 3] {
    let drainage = Drainage::of(map, None, &Job::new()).unwrap();
    let (side, middle) = (map.columns(), (map.columns() - 1) as f64 * 0.5);
    let inside = |cell: &usize| {
        let place = [cell / side, cell % side].map(|at| at as f64 - middle);
        place[0].hypot(place[1]) < 0.85 * middle
    };
    let cells: Vec<usize> = (0..drainage.cells()).filter(inside).collect();
    let mut classes = vec![(0.0, 0.0, 0usize); 12];
    let (mut sum, mut squares, mut channels) = (0.0, 0.0, 0.0);
    for cell in &cells {
        let height = f64::from(map.at(cell / side, cell % side));
        (sum, squares) = (sum + height, squares + height * height);
        let (area, slope) = (
            f64::from(drainage.area(*cell)),
            f64::from(drainage.slope(*cell)),
        );
        if area >= 100.0 {
            channels += 1.0;
        }
        let class = area.log2() as usize;
        if slope > 0.0 && (4..12).contains(&class) {
            classes[class].0 += area.ln();
            classes[class].1 += slope.ln();
            classes[class].2 += 1;
        }
    }
    let count = cells.len() as f64;
    let relief = (squares / count - (sum / count).powi(2)).sqrt();
    [fit(&classes, 100), relief, channels / count]
}

#[test]
fn turned_land_erodes_to_the_same_character() {
    let mut means = [[0.0; 3]; 3];
    for seed in 0..30 {
        let map = made(Generator::Fourier, seed, 9, 0.8);
        for (mean, eighths) in means.iter_mut().zip([0, 1, 2]) {
            let land = eroded_by(&turned(&map, eighths, 257), (seed, None), |_| {});
            for (mean, of) in mean.iter_mut().zip(character(&land)) {
                *mean += of / 30.0;
            }
        }
    }
    let [plain, others @ ..] = means;
    for other in others {
        for (one, other) in plain.iter().zip(other) {
            assert!((other / one - 1.0).abs() <= 0.05, "{means:.4?}");
        }
    }
}
