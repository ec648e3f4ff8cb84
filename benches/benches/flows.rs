//! The speed of what goes down the ground: snow and fans, against a flow accumulation of the same ground. All are timed
//! in turn; the quickest round counts.

use std::hint::black_box;
use std::time::Duration;

use landform::drainage::Drainage;
use landform::job::Job;
use landform::modify::{Context, Modifier, ModifierKind};
use landform::pipeline;
use landform::snow;

mod rounds;
use rounds::{is_wanted, pool, quickest, time};

/// Times a flow accumulation that snow may take.
const SNOW: f64 = 1.5;
/// That for fans, which drain the ground before and after.
const FANS: f64 = 4.0;
const ROUNDS: usize = 3;

fn main() {
    if !is_wanted("snow") && !is_wanted("fans") {
        return;
    }
    println!("times a flow accumulation of the same ground, two threads");
    for iterations in [10, 11] {
        let mut scene = landform::import::Preset::named("alpine")
            .expect("a preset")
            .scene();
        scene.surface.iterations = iterations;
        scene.snow.enabled = true;
        let inputs = landform::import::inputs(&scene).expect("no files");
        let (job, pool) = (Job::new(), pool(2));
        let map = pool
            .install(|| pipeline::heights(&scene, &inputs, &job))
            .expect("a map");
        let [mut snows, mut fans, mut flows] = [const { Vec::<Duration>::new() }; 3];
        for _ in 0..ROUNDS {
            snows.push(time(|| {
                let snow = pool.install(|| snow::on(&map, None, &scene, &job));
                assert!(black_box(snow).expect("snow").is_some());
            }));
            let mut spread = map.clone();
            let (modifier, context) = (Modifier::new(ModifierKind::Fans), Context::new(0, &job));
            fans.push(time(|| {
                pool.install(|| modifier.apply(black_box(&mut spread), &context))
                    .expect("a map");
            }));
            flows.push(time(|| {
                let flow = pool.install(|| Drainage::of(&map, None, &job));
                black_box(flow).expect("a drainage");
            }));
        }
        let [snow, fans, flow] = [snows, fans, flows].map(|times| quickest(&times));
        let side = (1 << iterations) + 1;
        println!("  {side}²  flow {:>6.1} ms", flow * 1e3);
        for (name, time, target) in [("snow", snow, SNOW), ("fans", fans, FANS)] {
            let verdict = if time <= target * flow {
                ""
            } else {
                ", missed"
            };
            println!(
                "    {name}  {:>6.1} ms, {:>5.2} × ≤ {target}{verdict}",
                time * 1e3,
                time / flow
            );
        }
    }
}
