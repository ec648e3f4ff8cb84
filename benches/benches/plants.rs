//! The speed of plants: about a million in three layers on a tile of 2 km with 4097² samples in at most two seconds,
//! and those of a hundredth of the tile in at most 3 % of that time, each with what the rules need of the ground. The
//! quickest of three rounds counts.

use std::hint::black_box;
use std::sync::Arc;

use landform::inputs::Inputs;
use landform::job::Job;
use landform::pipeline;
use landform::plants::Rect;
use landform::scene::Scene;

mod rounds;
use rounds::{is_wanted, pool, quickest, time};

const MOST_S: f64 = 2.0;
const MOST_OF_A_HUNDREDTH: f64 = 0.03;
const ROUNDS: usize = 3;

/// Spruces, shrubs and grass on hills.
const SETTINGS: [(&str, &str); 10] = [
    ("surface.generator", "fourier"),
    ("surface.hurst", "1"),
    ("surface.height_scale", "0.2"),
    ("surface.iterations", "12"),
    ("plants.0.kind", "spruce"),
    ("plants.0.density", "0.4"),
    ("plants.1.kind", "shrub"),
    ("plants.1.light", "0.1"),
    ("plants.2.kind", "grass"),
    ("plants.2.spacing", "2"),
];

fn main() {
    if !is_wanted("plants") {
        return;
    }
    println!("plants: three layers on 4097², two threads");
    let scene = SETTINGS.iter().fold(Scene::default(), |scene, (key, value)| {
        scene.with(key, value).expect("a setting")
    });
    let (inputs, job, pool) = (Inputs::default(), Job::new(), pool(2));
    let map = pool.install(|| pipeline::heights(&scene, &inputs, &job)).expect("a map");
    let map = Arc::new(map);
    let (mut all, mut parts, mut count) = (Vec::new(), Vec::new(), 0);
    let made = |part: Option<Rect>| {
        pool.install(|| {
            let made = pipeline::plants(&scene, &inputs, &map, &job).expect("plants");
            let made = made.expect("plants");
            made.plants_in(part.unwrap_or(made.whole()), &job).expect("plants")
        })
    };
    let part = Rect {
        first: [0.9; 2],
        last: [1.1; 2],
    };
    for _ in 0..ROUNDS {
        all.push(time(|| count = made(None).len()));
        parts.push(time(|| drop(black_box(made(Some(part))))));
    }
    let [all, part] = [all, parts].map(|times| quickest(&times));
    let said = |is_met: bool| if is_met { "" } else { ", missed" };
    println!(
        "  {count} plants  {all:>6.2} s, {:.2} s a million, at most {MOST_S} s{}",
        all / count as f64 * 1e6,
        said(all / count as f64 * 1e6 <= MOST_S)
    );
    println!(
        "  a hundredth of the tile  {:>6.1} ms, {:.1} % of it, at most {:.0} %{}",
        part * 1e3,
        part / all * 100.0,
        MOST_OF_A_HUNDREDTH * 100.0,
        said(part <= MOST_OF_A_HUNDREDTH * all)
    );
}
