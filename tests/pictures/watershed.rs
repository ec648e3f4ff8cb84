//! The watershed on the land, in every render type that shows ground.

use crate::pictures::{Picture, check_golden, landscape, scene};
use landform::render::picture;
use landform::scene::{RenderType, Scene};

const SIZE: (u32, u32) = (203, 131);

fn drawn(scene: &Scene) -> Picture {
    picture(&landscape(scene), SIZE).expect("a picture")
}

fn of_type(name: &str, more: &str) -> Scene {
    let settings = "surface.iterations=7 camera.pitch=35 teximage.iterations=6 sky.coverage=0";
    scene(&format!("view.render_type={name} {settings} {more}"))
}

fn off(a: &Picture, b: &Picture) -> usize {
    let pairs = a.as_slice().iter().zip(b.as_slice());
    pairs.filter(|(a, b)| a != b).count()
}

#[test]
fn watershed_is_visible_only_where_ground_is() {
    for name in RenderType::NAMES {
        let plain = of_type(name, "");
        let point = plain.with("analysis.watershed", "[0.3, 0.1]").unwrap();
        let changed = off(&drawn(&plain), &drawn(&point));
        if point.render_type().shows_ground() {
            assert!((40..20_000).contains(&changed), "{name}: {changed} pixels");
        } else {
            assert_eq!(changed, 0, "{name}");
        }
    }
}

#[test]
fn map_changes_only_inside_the_watershed() {
    let plain = of_type("map", "");
    let point = plain.with("analysis.watershed", "[0.3, 0.1]").unwrap();
    let shown = landscape(&point).watershed.expect("a watershed");
    let (before, after) = (drawn(&plain), drawn(&point));
    let fills = landform::render::flat_rectangle([2.0, 2.0], SIZE);
    let mut told = [0; 2];
    for row in 0..131 {
        for column in 0..203 {
            let clip = [
                (column as f32 + 0.5) / 203.0 * 2.0 - 1.0,
                (row as f32 + 0.5) / 131.0 * 2.0 - 1.0,
            ];
            let [x, z]: [f32; 2] = std::array::from_fn(|i| clip[i] / fills[i]);
            let [dx, dz] = [x - shown.outlet[0], z - shown.outlet[1]];
            if x.abs().max(z.abs()) > 0.98 || dx.abs().max(dz.abs()) < 0.1 {
                continue;
            }
            // The cells around it agree on whether it belongs.
            let at = |x: f32, z: f32| {
                let index = |at: f32| ((at + 1.0) * 64.0).round().clamp(0.0, 127.0) as usize;
                shown.watershed.cells[index(z) * 128 + index(x)]
            };
            let around =
                [-0.016, 0.0, 0.016].map(|dz| [-0.016, 0.0, 0.016].map(|dx| at(x + dx, z + dz)));
            let inside = around[1][1];
            if around.iter().flatten().all(|other| *other == inside) {
                let changed = before.at(row, column) != after.at(row, column);
                assert_eq!(changed, inside, "{x} {z}");
                told[usize::from(inside)] += 1;
            }
        }
    }
    assert!(told[0] > 2000 && told[1] > 50, "{told:?}");
}

#[test]
fn watershed_looks_as_before_on_map_and_landscape() {
    let settings = "water.rivers=true analysis.watershed=[0.3,0.1]";
    for name in ["map", "landscape"] {
        let scene = of_type(name, settings);
        check_golden(&format!("watershed_{name}"), &drawn(&scene)).unwrap();
    }
}
