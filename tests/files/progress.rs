//! What is told of the progress of files.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use landform::export::{self, Options};
use landform::inputs::Inputs;
use landform::job::Job;
use landform::maps::Map;
use landform::scene::Scene;

use crate::common::folder;

/// How often work asks whether to go on, and how often of these after all is said to be done.
fn asked(work: impl FnOnce(&Job)) -> [usize; 2] {
    let (whole, asked) = (
        Arc::new(OnceLock::<Job>::new()),
        Arc::new([const { AtomicUsize::new(0) }; 2]),
    );
    let job = {
        let (whole, asked) = (Arc::clone(&whole), Arc::clone(&asked));
        Job::with_pauses(move |_| {
            asked[0].fetch_add(1, Ordering::Relaxed);
            let is_done = whole.get().is_some_and(|job| job.progress() >= 1.0);
            asked[1].fetch_add(usize::from(is_done), Ordering::Relaxed);
        })
    };
    whole.set(job.clone()).unwrap();
    work(&job);
    [0, 1].map(|index| asked[index].load(Ordering::Relaxed))
}

#[test]
fn a_file_is_done_when_it_is_written() {
    let folder = folder();
    for (settings, map, name) in [
        ("", "heights", "a.png"),
        ("", "heights", "a.tif"),
        ("", "normal", "a.png"),
        ("", "heights", "a.glb"),
        ("erosion", "heights", "b.png"),
        ("erosion", "heights", "b.exr"),
        ("erosion", "heights", "b.obj"),
    ] {
        let mut scene = Scene::default();
        scene.surface.iterations = 9;
        if !settings.is_empty() {
            scene = scene.with("modifiers.0.kind", settings).unwrap();
        }
        let options = Options {
            map: Map::named(map),
            ..Options::default()
        };
        let path = folder.path().join(format!("{map}-{name}"));
        let [all, late] = asked(|job| {
            export::heightmap(&path, &scene, &Inputs::default(), options, job).unwrap();
        });
        // Giving a complete file its name asks twice.
        assert!(
            all > 20 && late <= 4,
            "{settings} {map} {name}: {late} of {all}"
        );
    }
}
