//! The speed of shadows, ambient occlusion and the canopy of plants, in milliseconds and against writing the array of
//! heights once. Both are timed in turn, and the quickest round counts.

use std::hint::black_box;
use std::sync::Arc;

use landform::heightmap::{Heightmap, Heights};
use landform::job::Job;
use landform::light::{MOST_SKY, MOST_SUN, Sun, sky_visibility, sun_visibility};
use landform::plants::{FIXED_SIDE, Scatter, Site};
use landform::scene::{PlantKind, PlantLayer, Scene};

mod rounds;
use rounds::{is_wanted, pool, quickest, time};

const THREADS: usize = 2;
const ROUNDS: usize = 15;

/// Spruces and birches on a map of two kilometres.
fn canopy_of(map: &Heightmap) -> Scatter {
    let layers = [PlantKind::Spruce, PlantKind::Birch].map(|kind| PlantLayer {
        kind,
        density: 0.6,
        slope: 60.0,
        ..PlantLayer::default()
    });
    let site = Site::new(Arc::new(map.clone()), Some(0.0), None, 1000.0);
    let layers = layers.into_iter().enumerate();
    Scatter::new(1, layers.map(|(index, layer)| (index, layer, None)), site)
}

fn main() {
    let pool = pool(THREADS);
    println!("{THREADS} threads, quickest of {ROUNDS}");
    println!("{:<24} {:>9} {:>9}", "", "ms", "× memset");
    for iterations in [10, 12] {
        let mut scene = Scene::default();
        scene.surface.iterations = iterations;
        let (images, job) = (landform::generate::Images::default(), Job::new());
        let generate = || scene.surface.generate(&images, &job, None);
        let map = pool.install(generate).expect("a map");
        let mut heights = Heights::zeros(map.heights().len()).expect("memory for the map");
        let mut print = |name: &str, work: &(dyn Fn() + Sync)| {
            let name = format!("{name}, {}²", map.rows());
            if !is_wanted(&name) {
                return;
            }
            let (mut memset, mut worked) = (Vec::new(), Vec::new());
            for _ in 0..ROUNDS {
                memset.push(time(|| black_box(&mut heights[..]).fill(black_box(1.5))));
                worked.push(time(|| pool.install(work)));
            }
            let (memset, worked) = (quickest(&memset), quickest(&worked));
            println!("{name:<24} {:>9.1} {:>9.1}", worked * 1e3, worked / memset);
        };
        for (name, bearing) in [("shadows along rows", 170.0), ("along columns", 100.0)] {
            let sun = Sun {
                bearing,
                elevation: 12.0,
            };
            print(name, &|| {
                black_box(sun_visibility(&map, sun, MOST_SUN, &job)).expect("shadows");
            });
        }
        let canopy = canopy_of(&map);
        print("canopy, two layers", &|| {
            black_box(canopy.canopy(FIXED_SIDE, &job)).expect("a canopy");
        });
        print("occlusion", &|| {
            black_box(sky_visibility(&map, MOST_SKY, &job)).expect("occlusion");
        });
    }
}
