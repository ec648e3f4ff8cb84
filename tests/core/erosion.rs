//! What erosion promises: the same land everywhere, without seams, pits or a grid.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use landform::drainage::Drainage;
use landform::generate::Generator;
use landform::heightmap::Heightmap;
use landform::inputs::Inputs;
use landform::job::Job;
use landform::layer::Layer;
use landform::mask::By;
use landform::modify::erosion::{BaseLevel, Options};
use landform::modify::{Context, Modifier, ModifierKind};
use landform::param::{Kind, Params, Value};
use landform::pipeline::{self, Pipeline};
use landform::scene::{RenderType, Scene};

fn eroded(map: &Heightmap, change: impl FnOnce(&mut Options)) -> Heightmap {
    eroded_by(map, (5, None), change)
}

/// The map eroded with that seed, beside that water.
fn eroded_by(
    map: &Heightmap,
    (seed, water): (u64, Option<f32>),
    change: impl FnOnce(&mut Options),
) -> Heightmap {
    let mut modifier = Modifier::new(ModifierKind::Erosion);
    change(&mut modifier.erosion);
    let (mut map, job) = (map.clone(), Job::new());
    let context = Context {
        water,
        ..Context::new(seed, &job)
    };
    modifier.apply(&mut map, &context).unwrap();
    map
}

pub fn made(generator: Generator, seed: u64, iterations: u32, hurst: f32) -> Heightmap {
    let mut scene = Scene::default();
    let surface = &mut scene.surface;
    surface.generator = generator;
    surface.seed = seed;
    surface.iterations = iterations;
    surface.hurst = hurst;
    surface.height_scale = 0.3;
    let inputs = Inputs::default();
    surface.generate(&inputs.images, &Job::new(), None).unwrap()
}

pub fn on_threads<T: Send>(count: usize, work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(count);
    pool.build().unwrap().install(work)
}

/// A rough cone; free edges.
fn cone(side: usize, seed: u64) -> Heightmap {
    rough_cone(
        side,
        side,
        0.5,
        &made(Generator::DiamondSquare, seed, 9, 0.5),
    )
}

/// Rough ground with a slope of its own; free edges.
fn rough(rows: usize, columns: usize, slope: f32) -> Heightmap {
    rough_cone(
        rows,
        columns,
        slope,
        &made(Generator::DiamondSquare, 4, 9, 0.5),
    )
}

fn rough_cone(rows: usize, columns: usize, slope: f32, noise: &Heightmap) -> Heightmap {
    let middle = (rows as f32 * 0.5, columns as f32 * 0.5);
    let height = |index: usize| {
        let (row, column) = (index / columns, index % columns);
        let away = (row as f32 - middle.0).hypot(column as f32 - middle.1);
        let far = middle.0.max(middle.1);
        slope * (1.0 - away / far) + 0.1 * noise.at(row % 512, column % 512)
    };
    let heights: Vec<f32> = (0..rows * columns).map(height).collect();
    Heightmap::new(rows, columns, false, heights)
}

/// The neighbours of a sample; those of a map that wraps lie across its border, too.
fn beside(map: &Heightmap, row: usize, column: usize) -> impl Iterator<Item = (usize, usize)> {
    let (rows, columns, wraps) = (map.rows(), map.columns(), map.wraps());
    let steps = (0..9).filter(|step| *step != 4);
    steps.filter_map(move |step| {
        let around = |at: usize, by: usize, count: usize| {
            let at = at as isize + by as isize - 1;
            let cells = count as isize - 1;
            if wraps {
                Some(at.rem_euclid(cells) as usize)
            } else {
                (0..=cells).contains(&at).then_some(at as usize)
            }
        };
        Some((
            around(row, step / 3, rows)?,
            around(column, step % 3, columns)?,
        ))
    })
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    for map in [made(Generator::Fourier, 3, 9, 0.8), rough(300, 417, 0.4)] {
        let one = on_threads(1, || eroded(&map, |_| {}));
        for threads in [2, 3, 7, 64] {
            let many = on_threads(threads, || eroded(&map, |_| {}));
            assert!(many == one, "{threads} threads");
        }
    }
}

#[test]
fn water_runs_off_everywhere() {
    for map in [
        made(Generator::Fourier, 3, 9, 0.8),
        made(Generator::DiamondSquare, 8, 8, 0.6),
        rough(200, 317, 0.4),
        rough(317, 200, 0.0),
    ] {
        let (low, high) = map.range();
        let base = low + 0.2 * (high - low);
        let after = eroded(&map, |options| {
            options.base = BaseLevel::Height;
            options.base_height = base;
        });
        assert_eq!(after.wraps(), map.wraps());
        let border = |row, column| {
            row == 0 || column == 0 || row + 1 == map.rows() || column + 1 == map.columns()
        };
        for row in 0..map.rows() {
            for column in 0..map.columns() {
                let height = after.at(row, column);
                if height <= base || (!map.wraps() && border(row, column)) {
                    continue;
                }
                let lower = beside(&after, row, column).any(|(r, c)| after.at(r, c) < height);
                assert!(lower, "a pit at {row}, {column}");
            }
        }
    }
}

#[test]
fn a_map_that_wraps_has_no_seam() {
    let (mut across, mut inside) = (0.0, 0.0);
    for seed in 0..4 {
        let map = eroded(&made(Generator::Fourier, seed, 9, 0.8), |_| {});
        let side = map.rows();
        let step = |a: f32, b: f32| f64::from((a - b).abs());
        for line in 0..side {
            assert_eq!(map.at(line, 0).to_bits(), map.at(line, side - 1).to_bits());
            assert_eq!(map.at(0, line).to_bits(), map.at(side - 1, line).to_bits());
            across += step(map.at(line, side - 2), map.at(line, 0));
            across += step(map.at(side - 2, line), map.at(0, line));
            for at in 0..side - 1 {
                inside += step(map.at(line, at), map.at(line, at + 1)) / (side - 1) as f64;
                inside += step(map.at(at, line), map.at(at + 1, line)) / (side - 1) as f64;
            }
        }
    }
    let ratio = across / inside;
    assert!((0.95..1.05).contains(&ratio), "{ratio}");
}

#[test]
fn another_iteration_moves_shared_points_little() {
    for generator in [
        Generator::DiamondSquare,
        Generator::Perlin,
        Generator::Midpoint,
    ] {
        for seed in 0..2 {
            let coarse = eroded(&made(generator, seed, 9, 0.85), |_| {});
            let fine = eroded(&made(generator, seed, 10, 0.85), |_| {});
            let count = (coarse.rows() * coarse.columns()) as f64;
            let heights = coarse.heights().iter().map(|h| f64::from(*h));
            let mean = heights.clone().sum::<f64>() / count;
            let spread = (heights.map(|h| (h - mean).powi(2)).sum::<f64>() / count).sqrt();
            let mut moved = 0.0;
            for row in 0..coarse.rows() {
                for column in 0..coarse.columns() {
                    let by = coarse.at(row, column) - fine.at(2 * row, 2 * column);
                    moved += f64::from(by).powi(2);
                }
            }
            let share = (moved / count).sqrt() / spread;
            assert!(share <= 0.03, "{generator}, seed {seed}: {share}");
        }
    }
}

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
fn slopes_fall_with_the_area_that_drains_as_those_of_rivers_do() {
    let mut means = [0.0; 4];
    for seed in 0..3 {
        let map = made(Generator::Fourier, seed, 9, 0.8);
        let old = |age: f32| concavity(&eroded(&map, |options| options.age = age));
        let found = [concavity(&map), old(0.3), old(1.0), old(3.0)];
        for (mean, found) in means.iter_mut().zip(found) {
            *mean += found / 3.0;
        }
    }
    let [before, young, default, old] = means;
    assert!((0.35..=0.6).contains(&default), "{means:.3?}");
    assert!(default > before + 0.1, "{means:.3?}");
    assert!(young < default + 0.02 && default + 0.1 < old, "{means:.3?}");
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
    assert!(harmonic <= 0.015, "{harmonic}");
}

/// What erosion knows of a map: uplift, sediment and wear of each sample.
fn accounts(before: &Heightmap, after: &Heightmap) -> Vec<[f64; 3]> {
    let worn = after.worn().expect("it has eroded");
    let samples = before.heights().iter().zip(after.heights()).enumerate();
    let account = |(at, (before, after)): (usize, (&f32, &f32))| {
        let (wear, sediment) = (f64::from(worn.wear[at]), f64::from(worn.sediment[at]));
        assert!(wear >= 0.0 && sediment >= 0.0);
        [
            f64::from(*after) - f64::from(*before) + wear - sediment,
            sediment,
            wear,
        ]
    };
    samples.map(account).collect()
}

#[test]
fn sediment_wear_and_uplift_account_for_every_metre() {
    for map in [
        made(Generator::Fourier, 3, 9, 0.8),
        rough(300, 417, 0.4),
        cone(129, 1),
    ] {
        let (low, high) = map.range();
        let near = 1e-5 * f64::from(high - low);
        let accounts = |uplift: f32, lakes| {
            let after = eroded(&map, |options| {
                (options.uplift, options.lakes) = (uplift, lakes);
            });
            accounts(&map, &after)
        };
        for lakes in [false, true] {
            let still = accounts(0.0, lakes);
            assert!(still.iter().all(|[uplift, ..]| uplift.abs() <= near));
            let deep = |part: usize| still.iter().filter(|all| all[part] > near).count();
            assert!(deep(1) > still.len() / 50 && deep(2) > still.len() / 10);
        }
        // Uplift is what a map rises by, however it wears: as much again in twice the time.
        let (slow, fast) = (accounts(0.1, false), accounts(0.2, false));
        let pairs = slow.iter().zip(&fast);
        for ([slow, ..], [fast, ..]) in pairs {
            assert!(
                *slow >= -near && (fast - 2.0 * slow).abs() <= 3.0 * near,
                "{slow} {fast}"
            );
        }
        assert!(slow.iter().any(|[uplift, ..]| *uplift > 1e3 * near));
    }
}

#[test]
fn under_a_mask_the_account_is_that_of_what_is_kept() {
    let map = made(Generator::Fourier, 3, 7, 0.8);
    let near = 2e-5 * f64::from(map.range().1 - map.range().0);
    let mut modifier = Modifier::new(ModifierKind::Erosion);
    modifier.erosion.uplift = 0.0;
    modifier.mask.by = By::Noise;
    let (mut land, job) = (map.clone(), Job::new());
    for _ in 0..2 {
        modifier.apply(&mut land, &Context::new(5, &job)).unwrap();
        let accounts = accounts(&map, &land);
        assert!(accounts.iter().all(|[uplift, ..]| uplift.abs() <= near));
        let untouched = |[_, sediment, wear]: &&[f64; 3]| *sediment == 0.0 && *wear == 0.0;
        let untouched = accounts.iter().filter(untouched).count();
        assert!((1..accounts.len()).contains(&untouched), "{untouched}");
    }
}

#[test]
fn a_second_erosion_adds_to_the_first() {
    let map = made(Generator::Fourier, 3, 7, 0.8);
    let once = eroded(&map, |options| options.uplift = 0.0);
    let twice = eroded(&once, |options| options.uplift = 0.0);
    let range = map.range().1 - map.range().0;
    for [uplift, ..] in accounts(&map, &twice) {
        assert!(uplift.abs() <= 2e-5 * f64::from(range));
    }
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
fn turned_land_erodes_into_land_of_the_same_character() {
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

#[test]
fn any_map_stays_finite() {
    let flat = |height: f32, rows, columns, wraps| {
        Heightmap::new(rows, columns, wraps, vec![height; rows * columns])
    };
    for height in [0.0, -3.0, 1e12, -1e12] {
        for (rows, columns) in [(2, 2), (3, 3), (3, 200), (65, 65), (64, 130)] {
            for wraps in [false, true] {
                let after = eroded(&flat(height, rows, columns, wraps), |_| {});
                assert!(after.heights().iter().all(|h| *h == height), "{height}");
            }
        }
    }
    let mut peak = vec![0.0; 129 * 129];
    peak[64 * 129 + 64] = 1.0;
    let after = eroded(&Heightmap::new(129, 129, false, peak), |_| {});
    let (low, high) = after.range();
    assert!(low > -0.01 && high < 1.0, "{low} to {high}");
}

#[test]
fn every_option_changes_the_land() {
    let map = made(Generator::Fourier, 3, 8, 0.8);
    for base in [BaseLevel::Share, BaseLevel::Height] {
        let before = eroded(&map, |options| options.base = base);
        for param in Options::PARAMS {
            let unused = if base == BaseLevel::Share {
                "base_height"
            } else {
                "base_share"
            };
            let after = eroded(&map, |options| {
                options.base = base;
                let other = match (param.kind(), param.value(options)) {
                    (Kind::Float { slider, .. }, Value::Float(value)) => {
                        Value::Float((value + slider.1) * 0.5)
                    }
                    (_, Value::Switch(on)) => Value::Switch(!on),
                    (Kind::Choice { names, .. }, Value::Choice(index)) => {
                        Value::Choice((index + 1) % names.len())
                    }
                    (kind, value) => panic!("{}: {kind:?} {value:?}", param.key),
                };
                param.set(options, other);
            });
            assert_eq!(after == before, param.key == unused, "{}", param.key);
        }
    }
}

#[test]
fn hollows_are_filled_or_stay_as_lake_beds() {
    // A bowl: its middle is low, and its rim lies above all that is around it.
    let height = |index: usize| {
        let (row, column) = (index / 129, index % 129);
        let away = (row as f32 - 64.0).hypot(column as f32 - 64.0) / 64.0;
        if away < 0.5 {
            away * 0.4
        } else {
            0.4 - 0.4 * away
        }
    };
    let heights: Vec<f32> = (0..129 * 129).map(height).collect();
    let map = Heightmap::new(129, 129, false, heights);
    let with = |lakes| {
        eroded(&map, |options| {
            (options.lakes, options.age, options.uplift) = (lakes, 0.02, 0.0);
            (options.base, options.base_height) = (BaseLevel::Height, -0.15);
        })
    };
    let (filled, beds) = (with(false), with(true));
    assert!(beds.at(64, 64) < 0.05, "{}", beds.at(64, 64));
    assert!(filled.at(64, 64) > 0.1, "{}", filled.at(64, 64));
}

#[test]
fn rivers_end_at_the_water_of_the_scene() {
    let mut scene = Scene::default();
    scene.surface.iterations = 8;
    scene.surface.height_scale = 0.3;
    scene.view.render_type = RenderType::Landscape;
    scene.water.enabled = true;
    let mut erosion = Modifier::new(ModifierKind::Erosion);
    erosion.erosion.base = BaseLevel::Water;
    scene.modifiers = vec![erosion];
    let heights =
        |scene: &Scene| pipeline::heights(scene, &Inputs::default(), &Job::new()).unwrap();
    for level in [-0.05, 0.02] {
        scene.water.level = level;
        let map = heights(&scene);
        // Down from anywhere, each sample has a lower one beside it until the water is reached.
        let (mut rivers, mut ends) = (0, 0.0f32);
        for row in 0..map.rows() {
            for column in 0..map.columns() {
                let height = map.at(row, column);
                let lowest = beside(&map, row, column).map(|(r, c)| map.at(r, c));
                let lowest = lowest.fold(f32::INFINITY, f32::min);
                assert!(height <= level || lowest < height, "{row}, {column}");
                if height > level && lowest <= level {
                    rivers += 1;
                    ends += height - level;
                }
            }
        }
        let mean = ends / rivers as f32;
        assert!(
            rivers > 100 && mean < 0.01,
            "{rivers} ends, {mean} above the water"
        );
        // What is drawn changes nothing about the land.
        scene.view.render_type = RenderType::Triangles;
        assert_eq!(heights(&scene), map);
        scene.view.render_type = RenderType::Landscape;
    }
}

#[test]
fn only_where_rivers_end_at_the_water_does_it_change_the_land() {
    let map = made(Generator::Fourier, 3, 8, 0.8);
    let with = |base, water| eroded_by(&map, (5, water), |options| options.base = base);
    for base in [BaseLevel::Share, BaseLevel::Height] {
        assert_eq!(with(base, Some(0.05)), with(base, None));
    }
    let share = with(BaseLevel::Share, None);
    assert_eq!(with(BaseLevel::Water, None), share);
    let low = with(BaseLevel::Water, Some(-0.1));
    let high = with(BaseLevel::Water, Some(0.05));
    assert!(low != high && low != share && high != share);
    let height = eroded(&map, |options| {
        (options.base, options.base_height) = (BaseLevel::Height, 0.05);
    });
    assert_eq!(high, height);
}

#[test]
fn a_scene_says_where_there_is_nothing_to_erode() {
    let mut scene = Scene {
        modifiers: [ModifierKind::Blur, ModifierKind::Erosion]
            .map(Modifier::new)
            .to_vec(),
        ..Scene::default()
    };
    assert_eq!(scene.notices(), [""; 0]);
    let told = ["modifiers.1: a ridge has nothing to erode, so erosion leaves it as it is"];
    scene.view.render_type = RenderType::Ridge;
    assert_eq!(scene.notices(), told);
    scene.view.render_type = RenderType::Landscape;
    scene.surface.generator = Generator::Midpoint1d;
    assert_eq!(scene.notices(), told);
    scene.modifiers[1].on = false;
    assert_eq!(scene.notices(), [""; 0]);
}

/// Of what comes before erosion there is no progress: it is over at once.
#[test]
fn progress_is_that_of_erosion_from_nothing_to_all() {
    let mut scene = Scene::default();
    scene.surface.iterations = 9;
    scene.layers = vec![Layer::default()];
    scene.modifiers = [
        ModifierKind::Erosion,
        ModifierKind::Invert,
        ModifierKind::Erosion,
    ]
    .map(Modifier::new)
    .to_vec();
    for whole_map in [false, true] {
        let (job, seen) = (Job::new(), Mutex::new(Vec::new()));
        let done = AtomicBool::new(false);
        std::thread::scope(|threads| {
            threads.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    seen.lock().unwrap().push(job.progress());
                    std::thread::sleep(Duration::from_millis(1));
                }
            });
            let inputs = Inputs::default();
            if whole_map {
                pipeline::heights(&scene, &inputs, &job).unwrap();
            } else {
                Pipeline::default().run(&scene, &inputs, &job).unwrap();
            }
            done.store(true, Ordering::Relaxed);
        });
        let mut seen = seen.into_inner().unwrap();
        assert!(seen.is_sorted(), "it never goes back");
        let halves = seen.iter().filter(|part| **part < 0.5).count() as f32 / seen.len() as f32;
        assert!((0.25..0.75).contains(&halves), "{halves} of the time");
        seen.dedup();
        assert!(seen.len() > 8, "{seen:?}");
    }
}
