//! The speed of the modifier `erosion`, against droplets as games use them (Beyer 2015, with the
//! settings that Lague published in 2019: radius 3, 30 steps), one droplet a sample. Both are timed
//! in turn; the quickest round counts.

use std::hint::black_box;
use std::time::Duration;

use landform::generate::{Generator, Images};
use landform::heightmap::Heightmap;
use landform::job::Job;
use landform::modify::{Context, Modifier, ModifierKind};
use landform::scene::Scene;

mod rounds;
use rounds::{is_wanted, pool, quickest, time};

fn main() {
    if !is_wanted("erosion") {
        return;
    }
    println!("{:<26} {:>9}", "quickest of all rounds", "ns/sample");
    let droplets_1025 = droplets_time(10, 1, 3);
    // An eighth of the droplets takes an eighth of the time.
    let droplets_4097 = droplets_time(12, 8, 1);
    let eroded = |iterations, threads, rounds| {
        let map = map(iterations);
        let pool = pool(threads);
        let times: Vec<Duration> = (0..rounds)
            .map(|_| {
                let mut map = map.clone();
                let (modifier, job) = (Modifier::new(ModifierKind::Erosion), Job::new());
                let context = Context::new(0, &job);
                time(|| {
                    pool.install(|| modifier.apply(black_box(&mut map), &context))
                        .expect("a map");
                })
            })
            .collect();
        let quickest = quickest(&times);
        let side = (1u64 << iterations) + 1;
        let name = format!("{side}², {threads} threads");
        println!(
            "{name:<26} {:>9.0}",
            quickest * 1.0e9 / (side * side) as f64
        );
        quickest
    };
    let one = eroded(10, 1, 5);
    let two = eroded(10, 2, 5);
    let small = eroded(9, 2, 5);
    let large = eroded(12, 2, 2);
    say(
        "1025², droplets to 2 threads",
        droplets_1025 / two,
        12.0,
        true,
    );
    say(
        "4097², droplets to 2 threads",
        droplets_4097 / large,
        16.0,
        true,
    );
    say("2 threads to 1, times as fast", one / two, 1.6, true);
    let samples = |iterations: u32| ((1u64 << iterations) + 1).pow(2) as f64;
    let growth = (large / samples(12)) / (small / samples(9));
    say("ns a sample, 4097² to 513²", growth, 1.6, false);
}

fn say(what: &str, ratio: f64, target: f64, at_least: bool) {
    let (sign, met) = if at_least {
        ("≥", ratio >= target)
    } else {
        ("≤", ratio <= target)
    };
    let verdict = if met { "" } else { "missed" };
    println!("{what:<34} {ratio:>7.2} {sign} {target} {verdict}");
}

fn map(iterations: u32) -> Heightmap {
    let mut scene = Scene::default();
    scene.surface.generator = Generator::Fourier;
    scene.surface.iterations = iterations;
    scene.surface.height_scale = 0.3;
    let images = Images::default();
    let job = Job::new();
    scene.surface.generate(&images, &job, None).expect("a map")
}

/// The time of one droplet a sample, from one for every `share` samples.
fn droplets_time(iterations: u32, share: usize, rounds: usize) -> f64 {
    let map = map(iterations);
    let side = map.rows();
    let times: Vec<Duration> = (0..rounds)
        .map(|_| {
            let mut heights = map.heights().to_vec();
            let count = side * side / share;
            time(|| droplets(black_box(&mut heights), side, count))
        })
        .collect();
    let quickest = quickest(&times) * share as f64;
    let samples = (side * side) as f64;
    let name = format!("{side}², droplets");
    println!("{name:<26} {:>9.0}", quickest * 1.0e9 / samples);
    quickest
}

/// So many droplets, each of at most thirty steps, on one thread: a droplet changes the ground
/// that the next one meets.
fn droplets(heights: &mut [f32], side: usize, count: usize) {
    const RADIUS: isize = 3;
    const STEPS: usize = 30;
    let brush: Vec<(isize, isize, f32)> = (-RADIUS..=RADIUS)
        .flat_map(|row| (-RADIUS..=RADIUS).map(move |column| (row, column)))
        .map(|(row, column)| {
            let away = ((row * row + column * column) as f32).sqrt();
            (row, column, (RADIUS as f32 - away).max(0.0))
        })
        .filter(|(_, _, weight)| *weight > 0.0)
        .collect();
    let whole: f32 = brush.iter().map(|(_, _, weight)| weight).sum();
    let mut state = 1u64;
    let mut number = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1u64 << 24) as f32
    };
    let most = (side - 2) as f32;
    for _ in 0..count {
        let (mut x, mut y) = (number() * most, number() * most);
        let (mut toward_x, mut toward_y) = (0.0f32, 0.0f32);
        let (mut speed, mut water, mut carried) = (1.0f32, 1.0f32, 0.0f32);
        for _ in 0..STEPS {
            let (column, row) = (x as usize, y as usize);
            let (s, t) = (x - column as f32, y - row as f32);
            let at = row * side + column;
            let (height, slope_x, slope_y) = ground(heights, side, x, y);
            toward_x = toward_x * 0.05 - slope_x * 0.95;
            toward_y = toward_y * 0.05 - slope_y * 0.95;
            let length = (toward_x * toward_x + toward_y * toward_y).sqrt();
            if length == 0.0 {
                break;
            }
            (toward_x, toward_y) = (toward_x / length, toward_y / length);
            (x, y) = (x + toward_x, y + toward_y);
            if !(0.0..most).contains(&x) || !(0.0..most).contains(&y) {
                break;
            }
            let rise = ground(heights, side, x, y).0 - height;
            let capacity = (-rise * speed * water * 4.0).max(0.01);
            if carried > capacity || rise > 0.0 {
                let dropped = if rise > 0.0 {
                    rise.min(carried)
                } else {
                    (carried - capacity) * 0.3
                };
                carried -= dropped;
                heights[at] += dropped * (1.0 - s) * (1.0 - t);
                heights[at + 1] += dropped * s * (1.0 - t);
                heights[at + side] += dropped * (1.0 - s) * t;
                heights[at + side + 1] += dropped * s * t;
            } else {
                let taken = ((capacity - carried) * 0.3).min(-rise);
                for (down, along, weight) in &brush {
                    let (row, column) = (row as isize + down, column as isize + along);
                    let inside = 0..side as isize;
                    if inside.contains(&row) && inside.contains(&column) {
                        let by = taken * weight / whole;
                        heights[row as usize * side + column as usize] -= by;
                        carried += by;
                    }
                }
            }
            speed = (speed * speed - rise * 4.0).max(0.0).sqrt();
            water *= 0.99;
        }
    }
}

/// The height at a point between four samples, and how much it rises along x and y.
fn ground(heights: &[f32], side: usize, x: f32, y: f32) -> (f32, f32, f32) {
    let (column, row) = (x as usize, y as usize);
    let (s, t) = (x - column as f32, y - row as f32);
    let at = row * side + column;
    let [a, b] = [heights[at], heights[at + 1]];
    let [c, d] = [heights[at + side], heights[at + side + 1]];
    let height = a * (1.0 - s) * (1.0 - t) + b * s * (1.0 - t) + c * (1.0 - s) * t + d * s * t;
    let slope_x = (b - a) * (1.0 - t) + (d - c) * t;
    let slope_y = (c - a) * (1.0 - s) + (d - b) * s;
    (height, slope_x, slope_y)
}
