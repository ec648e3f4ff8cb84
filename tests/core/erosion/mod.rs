//! What erosion promises: the same land everywhere, without seams, pits or a grid.

use landform::generate::Generator;
use landform::heightmap::Heightmap;
use landform::inputs::Inputs;
use landform::job::Job;
use landform::modify::erosion::{BaseLevel, ErosionOptions};
use landform::modify::{Context, Modifier, ModifierKind};
use landform::param::{Kind, Params, Value};
use landform::scene::Scene;

mod accounts;
mod age;
mod directions;
mod scenes;

fn eroded(map: &Heightmap, change: impl FnOnce(&mut ErosionOptions)) -> Heightmap {
    eroded_by(map, (5, None), change)
}

/// The map eroded with that seed, beside that water.
fn eroded_by(
    map: &Heightmap,
    (seed, water): (u64, Option<f32>),
    change: impl FnOnce(&mut ErosionOptions),
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
        for param in ErosionOptions::PARAMS {
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
