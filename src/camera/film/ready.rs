//! Film presets: turntable, round flight and day.

use glam::DVec3;

use crate::camera::Ground;
use crate::scene::{Camera, CameraMode, CameraPath, KeyFrame, RenderType, Scene, written};
use crate::util::param::{Kind, Value, choice};

choice! {
    /// A ready-made film.
    pub enum Ready: "ready-made film" {
        #[default]
        Turntable = "turntable", "The camera goes once around what it looks at.";
        Flight = "flight", "A round flight low over the ground, which keeps its height above it.";
        Day = "day", "The sun from dawn to night, with clouds and waves that move.";
    }
}

/// Number of key frames of a round flight; a last one repeats the first.
const ROUND: usize = 24;
/// Number of height samples between two key frames.
const LOOKS: usize = 6;
/// Sun of a day: fraction of the film, elevation and bearing in degrees.
const DAY: [(f32, f32, f32); 7] = [
    (0.0, -8.0, 72.0),
    (0.12, 2.0, 84.0),
    (0.3, 32.0, 115.0),
    (0.5, 55.0, 180.0),
    (0.7, 32.0, 245.0),
    (0.88, 2.0, 276.0),
    (1.0, -10.0, 289.0),
];
/// Distance that the wind carries clouds in a day, in half tiles.
const WIND: f32 = 2.0;

impl Ready {
    /// Apply the film to the scene, `seconds` long. A camera film replaces the camera path, a sun film the
    /// animation of the sun; other animations are kept. A scene whose picture has no camera, or no sun,
    /// becomes a landscape. `ground` is the scene's; a flight stays above it.
    #[must_use]
    pub fn applied(self, scene: &Scene, ground: Option<&Ground>, seconds: f32) -> Scene {
        let mut scene = scene.clone();
        scene.film.seconds = seconds;
        match self {
            Self::Turntable => turn(&mut scene, seconds),
            Self::Flight => fly(&mut scene, ground, seconds),
            Self::Day => pass_a_day(&mut scene, seconds),
        }
        scene
    }
}

/// Switch to a view of the ground and remove all animation of the camera.
fn look_at_the_ground(scene: &mut Scene) {
    let shown = scene.render_type();
    if scene.is_flat() || !shown.shows_ground() {
        scene.view.render_type = RenderType::Landscape;
    }
    scene.path = CameraPath::default();
    let of_camera: Vec<_> = scene
        .settings()
        .into_iter()
        .filter(|setting| setting.key.starts_with("camera."))
        .collect();
    of_camera
        .iter()
        .for_each(|setting| scene.film.forget(&setting.key));
}

fn turn(scene: &mut Scene, seconds: f32) {
    look_at_the_ground(scene);
    scene.camera.mode = CameraMode::Orbit;
    scene.camera.bearing = (scene.camera.bearing + 180.0).rem_euclid(360.0) - 180.0;
    // Thirds, since bearings take the shorter way.
    for third in 0..=3 {
        let bearing = scene.camera.bearing + 120.0 * third as f32;
        let time = seconds * third as f32 / 3.0;
        put(scene, time, "camera.bearing", bearing);
    }
}

fn fly(scene: &mut Scene, ground: Option<&Ground>, seconds: f32) {
    look_at_the_ground(scene);
    let reach = ground.map_or([1.0; 2], Ground::reach).map(f64::from);
    let height = |place: [f64; 2]| {
        let of_ground =
            |ground: &Ground| f64::from(ground.height(place[0] as f32, place[1] as f32));
        ground.map_or(0.0, of_ground)
    };
    let relief = ground.map_or(0.5, |ground| f64::from(ground.highest() - ground.lowest()));
    let above = 0.05 + 0.12 * relief;
    // Maximum over the neighbourhood, so that the path between two key frames clears the ground as well.
    let near = |index: usize| {
        let looks = -(LOOKS as i32)..=LOOKS as i32;
        let part = |look: i32| index as f64 + f64::from(look) / LOOKS as f64;
        looks.fold(f64::NEG_INFINITY, |high, look| {
            high.max(height(round(part(look), reach)))
        })
    };
    let heights: Vec<f64> = (0..ROUND).map(near).collect();
    let camera = |index: usize| {
        let index = index % ROUND;
        let around = [index + ROUND - 1, index, index + 1].map(|index| heights[index % ROUND]);
        let mean = around.iter().sum::<f64>() / 3.0;
        let [x, z] = round(index as f64, reach);
        let eye = DVec3::new(x, mean.max(heights[index]) + above, z);
        let [ahead, behind] = [0.5, -0.5].map(|part| round(index as f64 + part, reach));
        // Clockwise, with the view turned slightly inwards.
        let way = libm::atan2(ahead[0] - behind[0], behind[1] - ahead[1]).to_degrees();
        Camera {
            mode: CameraMode::Fly,
            bearing: ((way + 30.0 + 180.0).rem_euclid(360.0) - 180.0) as f32,
            pitch: 14.0,
            distance: 1.0,
            ..scene.camera.clone()
        }
        .with_eye(eye)
    };
    let frame = |index: usize| KeyFrame {
        time: seconds * index as f32 / ROUND as f32,
        camera: camera(index),
    };
    let frames: Vec<_> = (0..=ROUND).map(frame).collect();
    scene.camera = frames[0].camera.clone();
    scene.path = CameraPath {
        constant_speed: true,
        frames,
    };
}

/// Position on the path of a round flight, within the ground's `reach`; `index` goes to [`ROUND`] per round.
fn round(index: f64, reach: [f64; 2]) -> [f64; 2] {
    let angle = std::f64::consts::TAU * index / ROUND as f64;
    // The flight stays on the central tile; the surrounding ones are background.
    let radius = 0.58 + 0.14 * libm::sin(2.0 * angle);
    let side = reach.map(|reach| reach.min(1.0));
    [
        side[0] * radius * libm::sin(angle),
        -side[1] * radius * libm::cos(angle),
    ]
}

fn pass_a_day(scene: &mut Scene, seconds: f32) {
    if !matches!(scene.render_type(), RenderType::Landscape | RenderType::Sky) {
        scene.view.render_type = RenderType::Landscape;
    }
    let (drift, time) = (scene.sky.drift, scene.water.time);
    for key in [
        "light.elevation",
        "light.bearing",
        "sky.drift",
        "water.time",
    ] {
        scene.film.forget(key);
    }
    for (part, elevation, bearing) in DAY {
        put(scene, seconds * part, "light.elevation", elevation);
        put(scene, seconds * part, "light.bearing", bearing);
    }
    put(scene, 0.0, "sky.drift", drift);
    put(scene, seconds, "sky.drift", drift + WIND);
    put(scene, 0.0, "water.time", time);
    put(scene, seconds, "water.time", time + seconds);
    (scene.light.elevation, scene.light.bearing) = (DAY[0].1, DAY[0].2);
}

/// Key a setting at a time, clamped to its range.
fn put(scene: &mut Scene, time: f32, key: &str, number: f32) {
    let settings = scene.settings();
    let setting = settings.iter().find(|setting| setting.key == key);
    let setting = setting.expect("a setting of every scene");
    let number = match setting.kind {
        Kind::Float { min, max, .. } => number.clamp(min, max),
        _ => number,
    };
    let value = written(&setting.kind, &Value::Float(number));
    scene.film.put(time, key, value);
}
