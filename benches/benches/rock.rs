//! The speed of rock between the samples of a map: time of a window of a finer level less that without rock, by the
//! sample, on one thread. All are timed in turn; the quickest round counts.

use std::hint::black_box;
use std::time::Duration;

use landform::fractal::region::Window;
use landform::job::Job;
use landform::pipeline;
use landform::scene::RockKind;

mod rounds;
use rounds::{is_wanted, pool, quickest, time};

/// Nanoseconds a sample that rock may take.
const ROCK: f64 = 60.0;
const ROUNDS: usize = 7;
const SIDE: usize = 512;

fn main() {
    if !is_wanted("rock") {
        return;
    }
    println!("rock of a level, ns a sample on one thread");
    let (job, pool) = (Job::new(), pool(1));
    for kind in [RockKind::Limestone, RockKind::Basalt] {
        let mut scene = landform::import::Preset::named("alpine")
            .expect("a preset")
            .scene();
        scene.rock.kind = kind;
        // All is rock.
        scene.rock.slope = 0.0;
        let inputs = landform::import::inputs(&scene).expect("no files");
        let map = pipeline::heights(&scene, &inputs, &job).expect("a map");
        let mut plain = scene.clone();
        plain.rock.kind = RockKind::None;
        let [rocky, plain] = [&scene, &plain]
            .map(|scene| pipeline::refined(&map, scene, 5, &job).expect("finer levels"));
        let level = rocky.level() - 5;
        for finer in [1, 3, 5] {
            let middle = 1_i64 << (level + finer - 1);
            let window = Window {
                row: middle,
                column: middle,
                rows: SIDE,
                columns: SIDE,
            };
            let mut times = [const { Vec::<Duration>::new() }; 2];
            for _ in 0..ROUNDS {
                for (times, land) in times.iter_mut().zip([&rocky, &plain]) {
                    times.push(time(|| {
                        let made = pool.install(|| land.window(level + finer, window, &job));
                        black_box(made).expect("heights");
                    }));
                }
            }
            let [rock, plain] = times.map(|times| quickest(&times) * 1e9 / (SIDE * SIDE) as f64);
            let verdict = if rock - plain <= ROCK { "" } else { ", missed" };
            println!(
                "  {kind:<10} {finer} finer  {:>5.1} ≤ {ROCK}{verdict}, and {plain:.1} for the ground",
                rock - plain
            );
        }
    }
}
