//! How quickly the ground is drawn below its last iteration.

use std::time::{Duration, Instant};

use landform::app::picture::frame_budget::{FrameBudget, STEPS};
use landform::camera::{Ground, place_seen};
use landform::pipeline::{Landscape, Lattice};
use landform::render::Rates;
use landform::scene::Scene;

use super::{Desk, LIGHT, ROUNDS, SIZE, missed, scene};

const DEPTH: u32 = 20;
const PLACE: [f64; 2] = [0.213, -0.377];

/// Smooth hills of 1025² samples.
fn hills(shown: &str) -> Scene {
    scene(&format!(
        "surface.iterations=10 surface.hurst=1 surface.height_scale=0.25 {LIGHT} \
         view.render_type={shown} camera.bearing=200"
    ))
}

/// The camera on the ground at a place, that far away, on the side where it is highest above the ground.
fn near(scene: &mut Scene, landscape: &Landscape, [x, z]: [f64; 2], distance: f32) {
    let below = landscape.below.as_ref().expect("levels below");
    let lattice = Lattice::new(below, scene.view.tile).expect("a ground");
    let level = lattice.level() + DEPTH + 4;
    let y = lattice.height(level, x, z).expect("a place on it");
    scene.camera.target = [x, y, z];
    scene.camera.distance = distance;
    let high = |scene: &Scene| {
        let eye = scene.camera.eye();
        let ground = lattice.height(level, eye.x, eye.z);
        ground.map_or(eye.y, |ground| eye.y - ground)
    };
    let sides = (0..12).map(|side| {
        let mut scene = scene.clone();
        scene.camera.bearing = 30.0 * side as f32;
        (high(&scene), scene.camera.bearing)
    });
    let (most, bearing) = sides
        .max_by(|one, other| one.0.total_cmp(&other.0))
        .expect("a side");
    assert!(most > 0.0, "an eye below the ground sees the map alone");
    scene.camera.bearing = bearing;
}

/// How far away the camera sees cells of twenty levels below as large as those of the map from afar.
fn distance() -> f32 {
    3.4 / (1u32 << DEPTH) as f32
}

/// Ground from three metres away, where its material has details of its own, against the same picture of a tile that is a
/// thousand times as wide, where it has none.
pub fn close(desk: &mut Desk) {
    const MOST: f64 = 1.25;
    println!("\nclose: three metres away at most {MOST} × the time without details of the material");
    let times = [2.0e3, 2.0e6].map(|tile_size_m| {
        let mut scene = hills("landscape");
        scene.surface.tile_size_m = tile_size_m;
        let landscape = desk.make(&scene);
        near(&mut scene, &landscape, PLACE, 3.0e-3);
        desk.upload(&scene);
        desk.quickest(&scene, ROUNDS)
    });
    let [close, plain] = times;
    println!(
        "  {:.1} ms, without {:.1} ms, {:.2} ×{}",
        close * 1e3,
        plain * 1e3,
        close / plain,
        missed(close <= MOST * plain)
    );
}

/// Views at a depth of twenty levels, against the view of the map from where its own cells look as large,
/// repeated so that it reaches to the horizon as well; beside them what the map alone takes from so near, of which a cell fills the picture, and how long
/// windows take to be made.
pub fn depths(desk: &mut Desk) {
    const MOST: f64 = 1.3;
    println!(
        "\nendless: at a depth of {DEPTH} at most {MOST} × the time of the same view of the map; no \
         step over 50 ms"
    );
    for shown in ["triangles", "landscape"] {
        for pitch in [20, 40, 60, 90] {
            let mut scene = hills(shown);
            scene.camera.pitch = pitch as f32;
            let landscape = desk.make(&scene);
            let facade = desk.headless.facade();
            desk.renderer.update(facade, &landscape).expect("an upload");
            near(&mut scene, &landscape, PLACE, distance());
            let mut alone = scene.clone();
            alone.view.endless = false;
            let empty = desk.quickest(&alone, ROUNDS);
            alone.camera.distance *= (1u32 << DEPTH) as f32;
            alone.view.tile = 9;
            let map = desk.quickest(&alone, ROUNDS);
            let deep = desk.quickest(&scene, ROUNDS);
            let is_met = deep <= MOST * map;
            println!(
                "  {shown:<9} pitch {pitch}: {:>6.1} ms, {:>6.1} ms the map {:>5.2} ×{}; {:.1} ms one cell of it",
                deep * 1e3,
                map * 1e3,
                deep / map,
                missed(is_met),
                empty * 1e3,
            );
            near(&mut scene, &landscape, [-0.41, 0.283], distance());
            let [all, longest] = at_rest(desk, &scene);
            println!(
                "  {shown:<9} pitch {pitch}: {:>6.1} ms with all windows from nothing, the longest step \
                 {:.1} ms{}",
                all * 1e3,
                longest * 1e3,
                missed(longest <= 0.05)
            );
        }
    }
}

/// The time of a picture at rest, as the window draws it, and of its longest step.
fn at_rest(desk: &mut Desk, scene: &Scene) -> [f64; 2] {
    const LIMIT: Duration = Duration::from_millis(12);
    let facade = desk.headless.facade();
    let begun = (desk.renderer).begin(facade, scene, SIZE, Some(LIMIT), Rates::unknown());
    let mut picture = begun.expect("a picture");
    let began = Instant::now();
    let mut longest = Duration::ZERO;
    while !picture.is_done() {
        let step = Instant::now();
        let drawn = desk.renderer.develop(facade, scene, &mut picture);
        drawn.expect("a piece");
        longest = longest.max(step.elapsed());
    }
    let all = began.elapsed();
    desk.renderer.give_up(picture);
    [all, longest].map(|time| time.as_secs_f64())
}

/// The time of a picture in motion with that patience for windows, and how much of it goes into them.
pub fn moving(
    desk: &mut Desk,
    scene: &Scene,
    size: (u32, u32),
    patience: Duration,
) -> [Duration; 2] {
    let facade = desk.headless.facade();
    let begun = (desk.renderer).begin(facade, scene, size, None, Rates::unknown());
    let mut picture = begun.expect("a picture").previewed(patience);
    while !picture.is_done() {
        let drawn = desk.renderer.develop(facade, scene, &mut picture);
        drawn.expect("a piece");
    }
    let times = [picture.took(), picture.took_around()];
    desk.renderer.give_up(picture);
    times
}

/// A flight down to the ground, a power of ten a second.
pub fn dive(desk: &mut Desk) {
    println!(
        "\ndive: a power of ten in 30 pictures, automatic detail; 30 pictures a second, at rest within \
         300 ms of stopping, no step over 50 ms"
    );
    for shown in ["triangles", "landscape"] {
        let mut scene = hills(shown);
        let landscape = desk.make(&scene);
        let facade = desk.headless.facade();
        desk.renderer.update(facade, &landscape).expect("an upload");
        for step in &STEPS {
            let (reduced, size) = step.applied(&scene, SIZE);
            desk.draw_sized(&reduced, size);
        }
        near(&mut scene, &landscape, PLACE, 3.0);
        let mut pace = FrameBudget::default();
        let mut times = Vec::new();
        for _ in 0..180 {
            scene.camera.distance *= 0.1_f32.powf(1.0 / 30.0);
            let step = pace.step();
            let (reduced, size) = STEPS[step].applied(&scene, SIZE);
            let [time, windows] = moving(desk, &reduced, size, pace.patience());
            let told = pace.shared(time, windows);
            pace.note(step, told);
            times.push(time.as_secs_f64());
        }
        let each_second = times.len() as f64 / times.iter().sum::<f64>();
        times.sort_by(f64::total_cmp);
        println!(
            "  {shown}: {each_second:.0} pictures a second, {:.0} ms at most, at last step {}{}",
            times[times.len() - 1] * 1e3,
            pace.step(),
            missed(each_second >= 30.0)
        );
        let [all, longest] = at_rest(desk, &scene);
        println!(
            "  {shown}: {:.0} ms from the last picture to that at rest, the longest step {:.0} ms{}",
            all * 1e3,
            longest * 1e3,
            missed(all <= 0.3 && longest <= 0.05)
        );
    }
}

/// Looks at a place below the samples: what is there is made at the first, and remembered.
pub fn looks(desk: &mut Desk) {
    const MOST: f64 = 0.2;
    println!("\nlooks: at a place again at most {MOST} × the time of the first look");
    let mut scene = hills("triangles");
    (scene.camera.pitch, scene.camera.distance) = (60.0, 1e-3);
    let landscape = desk.make(&scene);
    let ground = Ground::of(&landscape).expect("a ground");
    // Not the centre of the tile: the first point of diamond-square is the bottom of a cusp.
    let [x, z] = [0.213, -0.377];
    scene.camera.target = [x, ground.height_near(x, z, 1e-9), z];
    // What is below the samples at all is made when it is first asked for.
    let _ = ground.height_near(0.5, 0.5, 1e-9);
    let look = || {
        let began = Instant::now();
        place_seen(&scene.camera, &ground, [0.1, -0.2].into(), 1.6).expect("a place");
        began.elapsed().as_secs_f64()
    };
    let first = look();
    let again = (0..ROUNDS).map(|_| look()).fold(f64::INFINITY, f64::min);
    println!(
        "  {:.3} ms, then {:.3} ms, {:.3} ×{}",
        first * 1e3,
        again * 1e3,
        again / first,
        missed(again <= MOST * first)
    );
}
