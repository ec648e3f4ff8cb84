//! Rivers and lakes of `landscape`: there, and nowhere else.

use crate::offscreen::Desk;
use crate::pictures::{landscape, scene};
use landform::render::picture;

const SIZE: (u32, u32) = (240, 240);

/// Seen from straight above in light without shadows, so that nothing but water changes a pixel. The
/// water is as good as black: whatever it hides is seen to be hidden.
const LAND: &str = "surface.generator=fourier surface.iterations=7 surface.seed=3 \
    modifiers.0.kind=erosion light.shadows=false light.occlusion=false light.elevation=70 \
    sky.coverage=0 fog.enabled=false water.color=moor water.clarity=0.001 water.waves=0 \
    water.river_width=0.15 water.springs=1 view.palette=desert view.tile=3 \
    camera.mode=top camera.distance=1.4 camera.bearing=0 camera.target=[0,0,0]";

#[test]
fn rivers_are_drawn_exactly_where_water_is() {
    for antialias in [false, true] {
        let dry = scene(&format!("{LAND} view.antialias={antialias}"));
        let wet = dry.with("water.rivers", "true").unwrap();
        let made = landscape(&wet);
        let rivers = made.rivers.clone().expect("rivers");
        let map = &made.heights;
        let drawn = picture(&made, SIZE).unwrap();
        let plain = picture(&landscape(&dry), SIZE).unwrap();
        let half = wet.camera.distance * (wet.camera.fov.to_radians() * 0.5).tan();
        let step = 2.0 * half / SIZE.1 as f32 / map.spacing();
        // In cells, from the middle of the map.
        let place = |at: usize, count: u32| (at as f32 + 0.5 - count as f32 * 0.5) * step;
        let middle = (map.columns() - 1) as f32 * 0.5;
        let (mut water, mut hidden, mut land, mut changed) = (0, 0, 0, 0);
        for row in 0..drawn.rows() {
            for column in 0..drawn.columns() {
                let east = place(column, SIZE.0) + middle;
                let south = place(row, SIZE.1) + middle;
                let inner = 3.0..map.columns() as f32 - 4.0;
                if !inner.contains(&east) || !inner.contains(&south) {
                    continue;
                }
                let part = rivers.part_at(east, south, step);
                let around = (0..49).all(|index| {
                    let off = |index: i32| (index - 3) as f32;
                    let (along, down) = (off(index % 7), off(index / 7));
                    let at = |v: f32| (v + 0.5) as usize;
                    let (row, column) = (at(south + down), at(east + along));
                    rivers.part.at(row, column) == [0, 0]
                });
                let (wet, dry) = (drawn.at(row, column), plain.at(row, column));
                let apart = (0..3).map(|i| wet[i].abs_diff(dry[i])).max().unwrap();
                if part == 1.0 {
                    water += 1;
                    hidden += u32::from(apart > 25);
                } else if around {
                    land += 1;
                    changed += u32::from(apart > 2);
                }
            }
        }
        assert!(water > 400 && land > 2000, "{water} {land}");
        assert!(hidden * 100 > water * 97, "{hidden} of {water} are drawn");
        assert!(changed * 1000 < land, "{changed} of {land} are changed");
    }
}

/// Water is drawn in squares of the picture, found by looks at a few of their pixels. Where the ground
/// is seen at a slant, a river may lie between these.
#[test]
fn looks_at_few_pixels_find_all_water() {
    let file = include_str!("../../shaders/rivers_near.frag");
    let every = file.replace("const int STEP = 2;", "const int STEP = 1;");
    assert_ne!(file, every);
    let mut desk = Desk::new();
    for antialias in [false, true] {
        for view in [
            "camera.mode=fly camera.distance=0.5 camera.pitch=2 camera.target=[0,0.12,0]",
            "camera.mode=fly camera.distance=0.5 camera.pitch=8 camera.target=[0.3,0.1,0.5]",
            "camera.distance=1.5 camera.pitch=12 camera.bearing=120",
            "camera.distance=6 camera.pitch=10",
            "camera.distance=7 camera.pitch=35",
        ] {
            let scene = scene(&format!(
                "surface.generator=fourier surface.iterations=8 modifiers.0.kind=erosion \
                 water.rivers=true view.tile=3 view.antialias={antialias} {view}"
            ));
            desk.update(&scene);
            let mut draw = |text: &str| {
                let text = ("rivers_near.frag".to_owned(), text.to_owned());
                desk.renderer.reload(&[text]);
                desk.picture(&scene, (480, 270))
            };
            let (few, all) = (draw(file), draw(&every));
            let pixels = few.as_slice().iter().zip(all.as_slice());
            let differ = pixels.filter(|(a, b)| (0..3).any(|i| a[i].abs_diff(b[i]) > 8));
            let differ = differ.count();
            assert!(
                differ <= 4,
                "{differ} pixels: {view}, antialias {antialias}"
            );
        }
    }
}
