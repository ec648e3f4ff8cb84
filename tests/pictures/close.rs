//! Ground close to the camera: cracks, snow crust, ripples and pebbles, and new detail at every scale.

use landform::film;
use landform::import::Preset;
use landform::render::GroundPath;
use landform::scene::Scene;

use crate::offscreen::Desk;
use crate::pictures::{Picture, check_golden, difference, scene};

const SIZE: (u32, u32) = (160, 90);
/// Ground that is nearly smooth, in the light of a low sun.
const PLAIN: &str = "view.render_type=landscape surface.generator=formula surface.iterations=7 \
    detail.strength=0.1 detail.hurst=1 fog.enabled=false sky.coverage=0 light.elevation=35 \
    light.bearing=60";
const FLAT: &str = "surface.formula.expression=0.1*x+0.05*z camera.bearing=200 camera.pitch=40";
const ROCK: &str = "surface.formula.expression=0.7*x material.rock_slope=10 camera.bearing=90 \
    camera.pitch=30 light.bearing=230 light.elevation=50";
/// Close-ups: name, more settings, distance in half tiles of 1000 m.
const CLOSE_UPS: [(&str, &str, &str); 4] = [
    ("close_rock", ROCK, "0.0012"),
    (
        "close_snow",
        "snow.enabled=true snow.line=-1 snow.fall=0.3",
        "0.003",
    ),
    (
        "close_sand",
        "water.enabled=true water.level=-0.1 water.sand=0.5",
        "0.002",
    ),
    ("close_pebbles", "", "0.0003"),
];

fn close_up(more: &str, distance: &str) -> Scene {
    scene(&format!("{PLAIN} {FLAT} {more} camera.distance={distance}"))
}

#[test]
fn close_ups_match_the_golden_ones() {
    for (name, more, distance) in CLOSE_UPS {
        let scene = close_up(more, distance);
        let [cast, raster] = [GroundPath::RayCast, GroundPath::Raster].map(|path| {
            let mut desk = Desk::of_way(path);
            desk.update(&scene);
            desk.picture(&scene, SIZE)
        });
        check_golden(name, &cast).unwrap();
        // Triangles are off by up to a pixel: without cracks, pebbles and grains up to 0.023 of the pixels differ.
        let apart = difference(&cast, &raster);
        assert!(apart < 0.03, "{name}: {apart} of the pixels differ by path");
    }
}

#[test]
fn close_ground_comes_in_without_a_jump() {
    let mut desk = Desk::of_way(GroundPath::RayCast);
    let mut scene = close_up("", "0.2");
    desk.update(&scene);
    let mut frames = Vec::new();
    for _ in 0..60 {
        frames.push(desk.picture(&scene, SIZE));
        scene.camera.distance /= 1.06;
    }
    let off: Vec<f64> = frames
        .windows(2)
        .map(|pair| crate::endless::difference(&pair[0], &pair[1]))
        .collect();
    for (index, around) in off.windows(3).enumerate() {
        let usual = 0.5 * (around[0] + around[2]);
        assert!(
            around[1] < 1.3 * usual + 0.15,
            "frame {index}: {around:.2?}"
        );
    }
}

/// Details of 2 to 8 pixels in the middle of a picture that is enlarged by `scale`, relative to its brightness.
fn band(picture: &Picture, scale: f64) -> Vec<f64> {
    let (rows, columns) = (picture.rows(), picture.columns());
    let place = |at: usize, count: usize| {
        let middle = (count - 1) as f64 / 2.0;
        let place = middle + (at as f64 - middle) / scale;
        let first = (place as usize).min(count - 2);
        (first, place - first as f64)
    };
    let bright = |row: usize, column: usize| {
        let ((north, down), (west, across)) = (place(row, rows), place(column, columns));
        let at = |row, column| f64::from(picture.at(row, column)[1]);
        let line = |row| at(row, west) * (1.0 - across) + at(row, west + 1) * across;
        line(north) * (1.0 - down) + line(north + 1) * down
    };
    let scaled: Vec<f64> = (0..rows * columns)
        .map(|index| bright(index / columns, index % columns))
        .collect();
    let mean = |row: usize, column: usize, reach: usize| {
        let side = 2 * reach + 1;
        let places = (0..side * side).map(|i| {
            let (down, across) = (row + i / side - reach, column + i % side - reach);
            scaled[down * columns + across]
        });
        places.sum::<f64>() / (side * side) as f64
    };
    let mut band = Vec::new();
    for row in rows / 4..rows * 3 / 4 {
        for column in columns / 4..columns * 3 / 4 {
            let wide = mean(row, column, 4);
            band.push((scaled[row * columns + column] - wide) / wide.max(1.0));
        }
    }
    band
}

/// Standard deviation of the detail of a picture that a picture from farther away, enlarged, does not predict.
fn new_detail(farther: &Picture, nearer: &Picture, scale: f64) -> f64 {
    let (known, shown) = (band(farther, scale), band(nearer, 1.0));
    let sum = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let predicts = sum(&known, &shown) / sum(&known, &known).max(1e-12);
    let rest: Vec<f64> = known
        .iter()
        .zip(&shown)
        .map(|(known, shown)| shown - predicts * known)
        .collect();
    (sum(&rest, &rest) / rest.len() as f64).sqrt()
}

/// In each second the camera comes nearer by a factor of 1.6; seen from the same direction, what appears is new.
#[test]
fn close_half_of_film_shows_as_much_new_detail() {
    let scene = Preset::named("powers-of-ten").expect("a preset").scene();
    let mut desk = Desk::of_way(GroundPath::RayCast);
    desk.update(&scene);
    let mut new_at = |second: usize| {
        let at = |time: usize| film::scene_at(&scene, time as f32, None);
        let (before, nearer) = (at(second - 1), at(second));
        let mut farther = nearer.clone();
        farther.camera.distance = before.camera.distance;
        let pictures = [&farther, &nearer].map(|scene| desk.picture(scene, SIZE));
        let scale = f64::from(farther.camera.distance / nearer.camera.distance);
        new_detail(&pictures[0], &pictures[1], scale)
    };
    // In the first second the picture is mostly sea.
    let far = (2..=30).map(&mut new_at).fold(f64::INFINITY, f64::min);
    let close: Vec<f64> = (31..=50).map(new_at).collect();
    assert!(
        close.iter().all(|new| *new >= far),
        "{far:.4} far away, {close:.4?}"
    );
}
