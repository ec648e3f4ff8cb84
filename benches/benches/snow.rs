//! The speed of snow, against a flow accumulation of the same ground: at most 1.5 × as long. Both are timed in turn;
//! the quickest round counts.

use std::hint::black_box;
use std::time::Duration;

use landform::drainage::Drainage;
use landform::job::Job;
use landform::pipeline;
use landform::snow;

mod rounds;
use rounds::{is_wanted, pool, quickest, time};

const MOST: f64 = 1.5;
const ROUNDS: usize = 3;

fn main() {
    if !is_wanted("snow") {
        return;
    }
    println!("snow: at most {MOST} × the time of a flow accumulation, two threads");
    for iterations in [10, 11] {
        let mut scene = landform::import::Preset::named("alpine").expect("a preset").scene();
        scene.surface.iterations = iterations;
        scene.snow.enabled = true;
        let inputs = landform::import::inputs(&scene).expect("no files");
        let (job, pool) = (Job::new(), pool(2));
        let map = pool.install(|| pipeline::heights(&scene, &inputs, &job)).expect("a map");
        let (mut snows, mut flows) = (Vec::new(), Vec::<Duration>::new());
        for _ in 0..ROUNDS {
            snows.push(time(|| {
                let snow = pool.install(|| snow::on(&map, None, &scene, &job));
                assert!(black_box(snow).expect("snow").is_some());
            }));
            flows.push(time(|| {
                let flow = pool.install(|| Drainage::of(&map, None, &job));
                black_box(flow).expect("a drainage");
            }));
        }
        let [snow, flow] = [snows, flows].map(|times| quickest(&times));
        let side = (1 << iterations) + 1;
        println!(
            "  {side}²  {:>6.1} ms, {:>6.1} ms the flow  {:>5.2} ×{}",
            snow * 1e3,
            flow * 1e3,
            snow / flow,
            if snow <= MOST * flow { "" } else { ", missed" }
        );
    }
}
