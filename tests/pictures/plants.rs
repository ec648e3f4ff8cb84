//! Single plants in pictures of landscapes.

use crate::endless::{SIZE, difference, from_near, hills};
use crate::offscreen::{Desk, NO_TIME};
use crate::pictures::{check_golden, scene};
use landform::render::GroundPath;
use landform::scene::Scene;

const TREES: &str =
    "plants.0.kind=spruce plants.1.kind=birch plants.1.density=0.3 light.elevation=35";

/// Hills with trees, seen from a distance in half tiles.
fn woods(distance: f32, more: &str) -> Scene {
    let settings = format!("view.render_type=landscape {TREES} {more}");
    from_near(hills(7, &settings), 0.2134567, 0.3345678, distance)
}

#[test]
fn plants_drawn_in_parts_are_those_of_the_whole() {
    for way in [GroundPath::RayCast, GroundPath::Raster] {
        let mut desk = Desk::of_way(way);
        for (distance, more) in [
            (0.05_f32, ""),
            (0.6, "view.tile=3"),
            (1.0, "camera.mode=top"),
        ] {
            let scene = woods(distance, more);
            desk.update(&scene);
            let whole = desk.developed(&scene, SIZE, false, None);
            let parts = desk.developed(&scene, SIZE, false, Some(NO_TIME));
            assert!(whole == parts, "{way:?}, {distance} {more}");
        }
    }
}

#[test]
fn plants_are_the_same_on_either_path_of_the_ground() {
    let scene = woods(0.3, "");
    let [one, other] = [GroundPath::RayCast, GroundPath::Raster].map(|way| {
        let mut desk = Desk::of_way(way);
        desk.update(&scene);
        desk.picture(&scene, SIZE)
    });
    let off = difference(&one, &other);
    assert!(off < 1.5, "{off}");
}

#[test]
fn plants_behind_a_ridge_are_hidden() {
    // A ridge from north to south, with trees at the foot of its eastern side.
    let ridge = "surface.generator=formula surface.formula.expression=0.4*exp(-8*abs(x)) surface.iterations=7 \
                 view.render_type=landscape fog.enabled=false light.elevation=60 camera.distance=0.9 \
                 camera.pitch=8 camera.mode=orbit";
    let trees = "plants.0.kind=spruce plants.0.mask.by=direction plants.0.mask.direction.low=80 \
                 plants.0.mask.direction.high=100 plants.0.mask.direction.soft=1";
    for (bearing, light, is_hidden) in [(90, 90, true), (270, 270, false)] {
        let looking = format!("{ridge} camera.bearing={bearing} light.bearing={light}");
        let mut desk = Desk::new();
        let bare = desk.take(&looking, SIZE);
        let planted = desk.take(&format!("{looking} {trees}"), SIZE);
        let off = difference(&bare, &planted);
        assert_eq!(off < 0.05, is_hidden, "from {bearing}: {off}");
    }
}

#[test]
fn layers_that_are_off_change_no_byte() {
    let mut desk = Desk::new();
    let bare = desk.take("view.render_type=landscape surface.iterations=6", SIZE);
    let off =
        "view.render_type=landscape surface.iterations=6 plants.0.kind=spruce plants.0.on=false";
    assert!(bare == desk.take(off, SIZE));
}

#[test]
fn no_plant_appears_at_once() {
    for start in [0.02_f32, 0.1, 0.3, 1.4] {
        let changes = ["", TREES].map(|plants| {
            let settings = format!("view.render_type=landscape light.elevation=35 {plants}");
            let mut now = from_near(hills(7, &settings), 0.2134567, 0.3345678, start);
            let mut desk = Desk::new();
            desk.update(&now);
            let mut frames = Vec::new();
            for _ in 0..6 {
                frames.push(desk.picture(&now, SIZE));
                now.camera.distance /= 1.01;
            }
            let pairs = frames.windows(2);
            pairs
                .map(|pair| difference(&pair[0], &pair[1]))
                .fold(0.0, f64::max)
        });
        assert!(changes[1] <= changes[0] + 1.0, "{start}: {changes:.2?}");
    }
}

#[test]
fn woods_look_as_they_did() {
    let mut desk = Desk::of_way(GroundPath::RayCast);
    for (name, scene) in [
        ("wood-at-eye-level", woods(0.03, "camera.pitch=15")),
        ("wood-on-a-slope", woods(0.4, "")),
        (
            "wood-from-above",
            scene(&format!(
                "view.render_type=landscape surface.iterations=7 camera.mode=top camera.distance=0.6 {TREES}"
            )),
        ),
    ] {
        desk.update(&scene);
        let picture = desk.picture(&scene, SIZE);
        check_golden(name, &picture).unwrap_or_else(|message| panic!("{message}"));
    }
}
