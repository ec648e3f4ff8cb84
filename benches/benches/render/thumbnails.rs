//! Nine small pictures of variations, as the window makes and draws them when they are first asked for.

use std::sync::Arc;
use std::time::{Duration, Instant};

use landform::app::picture::Picture;
use landform::app::picture::small::SmallPictures;
use landform::app::state::thumbnails::Thumbnails;
use landform::app::worker::ThumbnailWorker;
use landform::scene::Scene;
use landform::vary::{Vary, on_sheet};

use super::rounds::quickest;
use super::{Desk, ROUNDS, SIZE, missed};

/// Nine of them beside the panel fill a window of [`SIZE`].
const SMALL: (u32, u32) = (313, 197);
/// Parts of a picture between two looks at events, as in the window.
const BETWEEN_EVENTS: Duration = Duration::from_millis(12);
/// What stops the bench if a picture does not come.
const TOO_LONG: Duration = Duration::from_secs(60);

/// Until all nine are there.
pub fn nine(desk: &mut Desk) {
    println!("\nthumbnails: nine of a scene's variations within 500 ms, made by all threads");
    for preset in ["alpine", "river-valley", "caldera", "martz-1997"] {
        let path = format!(
            "{}/../assets/presets/{preset}.toml",
            env!("CARGO_MANIFEST_DIR")
        );
        let text = std::fs::read_to_string(path).expect("a preset");
        let scene = Scene::parse(&text).expect("a scene");
        // By now the large picture has its programs.
        desk.upload(&scene);
        desk.draw(&scene);
        let picture = Picture::new(desk.headless.facade()).expect("a picture");
        let mut times: Vec<_> = (0..ROUNDS as u64)
            .map(|set| sheet(desk, &picture, &scene, set))
            .collect();
        // The first one has compiled the programs, which the window's picture has done before.
        times.remove(0);
        let (each, whole) = (quickest(&times), desk.quickest(&scene, 3));
        println!(
            "  {preset}: {:.0} ms, {:.1} × one picture of {SIZE:?}{}",
            each * 1e3,
            each / whole,
            missed(each <= 0.5)
        );
    }
}

/// The time until all pictures of a sheet are there.
fn sheet(desk: &Desk, picture: &Picture, scene: &Scene, set: u64) -> Duration {
    let vary = Vary {
        set,
        ..Vary::default()
    };
    let mut gallery = Thumbnails::default();
    gallery.begin();
    let began = Instant::now();
    let mut missing: Vec<_> = on_sheet(3, 3)
        .into_iter()
        .map(|number| Arc::new(vary.variation(scene, number)))
        .collect();
    for scene in &missing {
        gallery.look(scene, SMALL);
    }
    let worker = ThumbnailWorker::start(|| {}, || {});
    worker.want(&gallery);
    let mut small = SmallPictures::default();
    while !missing.is_empty() {
        assert!(began.elapsed() < TOO_LONG, "a picture does not come");
        if !small.is_working() {
            match worker.take() {
                Some(made) => small.begin(made, true),
                None => std::thread::sleep(Duration::from_millis(1)),
            }
        }
        let until = Instant::now() + BETWEEN_EVENTS;
        let drawn = small.work(desk.headless.facade(), picture, until);
        if let Some(drawn) = drawn.expect("a small picture") {
            missing.retain(|scene| **scene != *drawn.of.scene);
        }
        if let Some((failed, words)) = worker.take_failed().into_iter().next() {
            panic!("{words}: {failed:?}");
        }
    }
    began.elapsed()
}
