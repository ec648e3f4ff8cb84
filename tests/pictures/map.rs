//! The map, whole and from near.

use landform::render::GroundPath;
use landform::scene::Scene;

use crate::offscreen::Desk;
use crate::pictures::{Picture, difference, scene};

const SIZE: (u32, u32) = (300, 300);
/// From here a map is seen as large from straight above as a flat one is: 4 % of the picture are left
/// free at each side, and the camera sees 60°.
const WHOLE: f64 = 1.0 / (0.92 * 0.577_350_269);

fn map(more: &str) -> Scene {
    scene(&format!(
        "view.render_type=map surface.iterations=7 surface.seed=4 surface.hurst=0.9 {more}"
    ))
}

fn from_above(more: &str, x: f64, z: f64, distance: f64) -> Scene {
    map(&format!(
        "{more} camera.mode=top camera.bearing=0 camera.target=[{x},0,{z}] camera.distance={distance}"
    ))
}

fn mean_difference(a: &Picture, b: &Picture) -> f64 {
    let pairs = a.as_slice().as_flattened().iter();
    let pairs = pairs.zip(b.as_slice().as_flattened());
    let sum: u64 = pairs.map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
    sum as f64 / a.as_slice().as_flattened().len() as f64
}

#[test]
fn from_straight_above_it_is_the_map() {
    let mut desk = Desk::new();
    for more in [
        "",
        "analysis.hillshade=true",
        "analysis.color=slope",
        "view.tile=2",
        "water.rivers=true surface.generator=fourier",
        "view.palette=atlas surface.diamond_square.edges=free",
    ] {
        // Near by, more is seen than the map has.
        let more = &format!("{more} view.endless=false");
        desk.update(&map(more));
        let flat = desk.picture(&map(more), SIZE);
        let tiles = f64::from(map(more).view.tile);
        let above = desk.picture(&from_above(more, 0.0, 0.0, WHOLE * tiles), SIZE);
        let off = mean_difference(&flat, &above);
        assert!(off < 2.5, "{more}: {off}");
        assert!(difference(&flat, &above) < 0.08, "{more}");
        // Light is none of its settings.
        let dark = from_above(&format!("{more} light.elevation=5"), 0.0, 0.0, WHOLE);
        let light = from_above(&format!("{more} light.elevation=85"), 0.0, 0.0, WHOLE);
        assert!(
            desk.picture(&dark, SIZE) == desk.picture(&light, SIZE),
            "{more}"
        );
    }
}

#[test]
fn north_is_up_and_the_camera_may_turn() {
    let mut desk = Desk::new();
    let settings = "view.palette=grey";
    desk.update(&map(settings));
    let flat = desk.picture(&map(settings), SIZE);
    let turned = from_above(settings, 0.0, 0.0, WHOLE)
        .with("camera.bearing", "90")
        .unwrap();
    let turned = desk.picture(&turned, SIZE);
    // East is up: what was on the right is above.
    let mut off = 0;
    for row in 20..280 {
        for column in 20..280 {
            let [a, ..] = *turned.at(row, column).as_slice() else {
                unreachable!()
            };
            let [b, ..] = *flat.at(column, 299 - row).as_slice() else {
                unreachable!()
            };
            off += usize::from(a.abs_diff(b) > 24);
        }
    }
    assert!(off < 260 * 260 / 12, "{off}");
}

#[test]
fn the_nearer_the_finer() {
    let mut desk = Desk::of_way(GroundPath::RayCast);
    for more in [
        "analysis.hillshade=true",
        "analysis.color=aspect",
        "analysis.contours=true analysis.contour_interval=0.5 analysis.hillshade=true",
    ] {
        desk.update(&map(more));
        for (distance, is_finer) in [(2.0, false), (0.02, true), (1e-4, true), (1e-7, true)] {
            let near = from_above(more, 0.231, -0.417, distance);
            let mut without = near.clone();
            without.view.endless = false;
            let (near, without) = (desk.picture(&near, SIZE), desk.picture(&without, SIZE));
            let off = mean_difference(&near, &without);
            assert_eq!(off > 1.0, is_finer, "{more} from {distance}: {off}");
        }
    }
}
