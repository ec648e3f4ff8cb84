//! The speed of every modifier on a map of 4097², against writing the array once, and what every mask
//! costs on top of its step: where the map before is still there, as in the window's list of
//! modifiers, and where it is copied first. They are timed in turn, round after round, and the
//! quickest round counts: the one that the rest of the machine disturbed least.

use std::hint::black_box;
use std::sync::Arc;

use landform::fractal::instruction_set;
use landform::generate::Images;
use landform::grid::Grid;
use landform::heightmap::{Heightmap, Heights};
use landform::job::Job;
use landform::mask::{By, Mask};
use landform::modify::blur::Shape;
use landform::modify::{Chain, Context, Modifier, ModifierKind};
use landform::scene::Scene;
use rayon::ThreadPool;

mod rounds;
use rounds::{is_wanted, pool, quickest, time};

const ITERATIONS: u32 = 12;
const THREADS: usize = 2;
const ROUNDS: usize = 25;
/// Times memset that a modifier may take.
const TARGET: f64 = 10.0;
/// That for `thermal`, which passes over the map twenty times and over coarser ones as often again.
const THERMAL_TARGET: f64 = 40.0 * TARGET;
/// That for `strata`, which looks up eight numbers of a bed for every sample.
const STRATA_TARGET: f64 = 2.0 * TARGET;
/// Times memset that a mask may take on top of its step.
const MASK_TARGET: f64 = 2.0;

fn main() {
    let pool = pool(THREADS);
    let mut scene = Scene::default();
    scene.surface.iterations = ITERATIONS;
    let images = images();
    let generate = || scene.surface.generate(&images, &Job::new(), None);
    let original = pool.install(generate).expect("a map");
    let side = original.rows();
    let samples = (side * side) as f64;
    println!(
        "{side}², {THREADS} threads, loops compiled for {}",
        instruction_set()
    );
    println!(
        "{:<34} {:>9} {:>9}",
        "quickest of 25", "ns/sample", "× memset"
    );

    let mut heights = Heights::zeros(side * side).expect("memory for the map");
    for (name, modifier, wraps) in cases() {
        if !is_wanted(&name) {
            continue;
        }
        let (mut memset, mut modified) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            memset.push(time(|| black_box(&mut heights[..]).fill(black_box(1.5))));
            heights.copy_from_slice(original.heights());
            let mut map = Heightmap::new(side, side, wraps, heights);
            let job = Job::new();
            let context = Context::new(0, &job);
            modified.push(time(|| {
                pool.install(|| modifier.apply(black_box(&mut map), &context))
                    .expect("a map");
            }));
            heights = map.into_heights();
        }
        let (memset, modified) = (quickest(&memset), quickest(&modified));
        let ratio = modified / memset;
        let target = match modifier.kind {
            ModifierKind::Thermal => THERMAL_TARGET,
            ModifierKind::Strata => STRATA_TARGET,
            _ => TARGET,
        };
        let verdict = if ratio <= target { "" } else { "MISS" };
        println!(
            "{name:<34} {:>9.3} {ratio:>9.2} ≤ {target} {verdict}",
            modified * 1.0e9 / samples
        );
    }
    masks(&pool, Arc::new(original), &mut heights, &images);
}

/// An image of 513² pixels for masks.
fn images() -> Images {
    let grey = (0..513 * 513u32).map(|index| (index.wrapping_mul(2_654_435_761) >> 24) as f32);
    let grid = Grid::from_vec(513, 513, grey.collect()).expect("a grid");
    let mut images = Images::default();
    images.insert("builtin:jacksboro".into(), Arc::new(grid));
    images
}

/// What every mask costs on top of the quickest modifier.
fn masks(pool: &ThreadPool, map: Arc<Heightmap>, heights: &mut Heights, images: &Images) {
    let samples = heights.len() as f64;
    let job = Job::new();
    let context = Context {
        water: Some(0.0),
        images,
        ..Context::new(0, &job)
    };
    let step = |by| {
        let mut step = Modifier::new(ModifierKind::Level);
        (step.level.shift, step.mask) = (0.1, Mask::new(by));
        step
    };
    for by in By::ALL.iter().skip(1) {
        let name = format!("mask by {by}");
        if !is_wanted(&name) {
            continue;
        }
        let mut memset = Vec::new();
        // The step alone and under the mask, in a list and by itself.
        let mut took = [const { Vec::new() }; 4];
        let steps = [step(By::None), step(*by)];
        let mut work = map.as_ref().clone();
        let mut chains = [Chain::default(), Chain::default()];
        for round in 0..ROUNDS {
            memset.push(time(|| black_box(&mut heights[..]).fill(black_box(1.5))));
            for (index, step) in steps.iter().enumerate() {
                let mut step = step.clone();
                // Else there would be nothing to do.
                step.level.shift += round as f32 * 1.0e-3;
                took[index].push(time(|| {
                    pool.install(|| {
                        chains[index].run(&map, &[step.clone()], &context, &mut |_| ())
                    })
                    .map(drop)
                    .expect("a map");
                }));
                took[2 + index].push(time(|| {
                    pool.install(|| step.apply(black_box(&mut work), &context))
                        .expect("a map");
                }));
            }
        }
        let memset = quickest(&memset);
        let took = took.map(|took| quickest(&took));
        for (with, alone, what) in [(1, 0, ""), (3, 2, ", copied first")] {
            let cost = took[with] - took[alone];
            let ratio = cost / memset;
            let verdict = if ratio <= MASK_TARGET { "" } else { "MISS" };
            println!(
                "{:<34} {:>9.3} {ratio:>9.2} ≤ {MASK_TARGET} {verdict}",
                format!("{name}{what}"),
                cost * 1.0e9 / samples
            );
        }
    }
}

/// Every modifier as it is by default, and where the options matter for speed, others too.
fn cases() -> Vec<(String, Modifier, bool)> {
    let mut cases: Vec<(String, Modifier, bool)> = ModifierKind::ALL
        .iter()
        // Erosion and fans are simulations, and have benches of their own: `erosion` and `flows`.
        .filter(|kind| !matches!(kind, ModifierKind::Erosion | ModifierKind::Fans))
        // A map that wraps needs no stitching.
        .map(|kind| {
            (
                kind.to_string(),
                Modifier::new(*kind),
                *kind != ModifierKind::Stitch,
            )
        })
        .collect();
    let mut add = |name: &str, kind, change: &dyn Fn(&mut Modifier), wraps| {
        let mut modifier = Modifier::new(kind);
        change(&mut modifier);
        cases.push((format!("{kind}, {name}"), modifier, wraps));
    };
    add(
        "p = 1.7",
        ModifierKind::Power,
        &|m| m.power.exponent = 1.7,
        true,
    );
    add(
        "free edges",
        ModifierKind::SmoothDetail,
        &|m| m.smooth_detail.passes = 1,
        false,
    );
    add(
        "width 0.5",
        ModifierKind::Stitch,
        &|m| m.stitch.width = 0.5,
        false,
    );
    add(
        "64 cells",
        ModifierKind::PerlinBlend,
        &|m| m.perlin_blend.cells = 64,
        true,
    );
    for radius in [0.0005, 0.1, 0.5] {
        let name = format!("radius {radius}");
        add(&name, ModifierKind::Blur, &|m| m.blur.radius = radius, true);
    }
    add(
        "box",
        ModifierKind::Blur,
        &|m| m.blur.shape = Shape::Box,
        true,
    );
    cases
}
