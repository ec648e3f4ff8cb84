//! Masks seen on the land: in the window's pictures while they are asked for, and nowhere else.

use std::sync::Arc;

use crate::offscreen::{Desk, NO_TIME};
use crate::pictures::{Picture, check_golden, scene};
use landform::grid::Grid;
use landform::inputs::Inputs;
use landform::job::Job;
use landform::mask::{By, Mask};
use landform::modify::{Modifier, ModifierKind};
use landform::pipeline::{MaskOf, Pipeline, TileBytes};
use landform::render::flat_rectangle;
use landform::scene::{RenderType, Scene};

const SIZE: (u32, u32) = (203, 131);

/// What has the landscape of that scene.
fn with(scene: &Scene) -> Desk {
    let mut desk = Desk::new();
    desk.update(scene);
    desk
}

impl Desk {
    fn weigh(&mut self, weights: Option<TileBytes>) {
        let facade = self.headless.facade();
        let weights = weights.map(Arc::new);
        let uploaded = self.renderer.update_mask(facade, weights.as_ref());
        uploaded.expect("an upload");
    }
}

/// Weights of 9 × 9 samples by column and row.
fn weights(weight: impl Fn(usize, usize) -> u8) -> Option<TileBytes> {
    let values = (0..81).map(|index| weight(index % 9, index / 9)).collect();
    Some(TileBytes {
        values: Grid::from_vec(9, 9, values).unwrap(),
        span: [8.0, 8.0],
        wraps: false,
    })
}

fn of_type(name: &str, more: &str) -> Scene {
    let settings = "surface.iterations=7 camera.pitch=35 teximage.iterations=6 sky.coverage=0";
    scene(&format!("view.render_type={name} {settings} {more}"))
}

/// Pixels that differ.
fn off(a: &Picture, b: &Picture) -> usize {
    let pairs = a.as_slice().iter().zip(b.as_slice());
    pairs.filter(|(a, b)| a != b).count()
}

const GROUND: [&str; 6] = [
    "landscape",
    "map",
    "teximage",
    "rendered",
    "triangles",
    "lines",
];

#[test]
fn mask_appears_only_in_pictures_requesting_it() {
    for name in RenderType::NAMES {
        let scene = of_type(name, "");
        let mut desk = with(&scene);
        let plain = desk.developed(&scene, SIZE, false, None);
        assert!(
            desk.developed(&scene, SIZE, true, None) == plain,
            "{name} has no mask"
        );
        desk.weigh(weights(|_, _| 255));
        assert!(
            desk.developed(&scene, SIZE, false, None) == plain,
            "{name} asks not"
        );
        let drawn = desk.picture(&scene, SIZE);
        assert!(drawn == plain, "{name} is a picture for a file");
        let masked = desk.developed(&scene, SIZE, true, None);
        let seen = off(&masked, &plain);
        if GROUND.contains(name) {
            assert!(seen > 2000, "{name}: {seen} pixels");
        } else {
            assert_eq!(seen, 0, "{name} shows no ground");
        }
        desk.weigh(None);
        assert!(
            desk.developed(&scene, SIZE, true, None) == plain,
            "{name} has lost it"
        );
    }
}

#[test]
fn zero_weights_leave_the_picture_unchanged() {
    for name in GROUND {
        for more in ["", "view.antialias=false", "view.invert=true view.tile=2"] {
            let scene = of_type(name, more);
            let mut desk = with(&scene);
            let plain = desk.developed(&scene, SIZE, false, None);
            desk.weigh(weights(|_, _| 0));
            let masked = desk.developed(&scene, SIZE, true, None);
            assert_eq!(off(&masked, &plain), 0, "{name} {more}");
        }
    }
}

#[test]
fn masked_picture_drawn_in_pieces_matches_the_whole() {
    for name in GROUND {
        for more in ["", "view.tile=3", "water.enabled=true"] {
            let scene = of_type(name, more);
            let mut desk = with(&scene);
            desk.weigh(weights(|column, row| (column * row * 3) as u8));
            let whole = desk.developed(&scene, SIZE, true, None);
            let pieces = desk.developed(&scene, SIZE, true, Some(NO_TIME));
            assert_eq!(off(&whole, &pieces), 0, "{name} {more}");
        }
    }
}

/// North is up, and the colour is mixed with that of the land, by the weights.
#[test]
fn weights_lie_where_their_samples_are() {
    for (name, filter) in [
        ("map", "linear"),
        ("map", "nearest"),
        ("teximage", "linear"),
    ] {
        let scene = of_type(name, &format!("view.filter={filter}"));
        let mut desk = with(&scene);
        let plain = desk.developed(&scene, SIZE, false, None);
        // The north-western quarter.
        desk.weigh(weights(|column, row| {
            255 * u8::from(column <= 4 && row <= 4)
        }));
        let masked = desk.developed(&scene, SIZE, true, None);
        let mut told = [0; 2];
        // Between samples weights go over into each other.
        let fills = flat_rectangle([2.0, 2.0], SIZE);
        for row in 0..131 {
            for column in 0..203 {
                let clip = [
                    (column as f32 + 0.5) / 203.0 * 2.0 - 1.0,
                    (row as f32 + 0.5) / 131.0 * 2.0 - 1.0,
                ];
                let [x, z]: [f32; 2] = std::array::from_fn(|i| 4.0 * (clip[i] / fills[i] + 1.0));
                let (before, after) = (plain.at(row, column), masked.at(row, column));
                let inside = |from: f32, to: f32| x > from && x < to && z > from && z < to;
                if !inside(-0.1, 5.1) {
                    assert_eq!(before, after, "{name} at {x} {z}");
                    told[0] += 1;
                } else if inside(0.1, 3.9) {
                    for (channel, full) in [255.0, 0.0, 0.72 * 255.0].into_iter().enumerate() {
                        let mixed = f64::from(before[channel]) * 0.5 + full * 0.5;
                        let off = (f64::from(after[channel]) - mixed).abs();
                        assert!(off < 2.0, "{name} at {x} {z}: {before:?} {after:?}");
                    }
                    told[1] += 1;
                }
            }
        }
        assert!(told.iter().all(|count| *count > 2000), "{told:?}");
    }
}

/// In space the weights lie on the ground that is seen, and hills hide what is behind them.
#[test]
fn mask_position_in_space_matches_the_map() {
    for name in ["landscape", "rendered", "triangles"] {
        // From straight above, without perspective: the same place as on the map.
        let top = "camera.mode=top camera.bearing=0 camera.distance=2.2 view.antialias=false fog.enabled=false";
        let scene = of_type(name, top);
        let mut desk = with(&scene);
        let plain = desk.developed(&scene, SIZE, false, None);
        desk.weigh(weights(|column, row| {
            255 * u8::from(column <= 3 && row <= 3)
        }));
        let masked = desk.developed(&scene, SIZE, true, None);
        let (middle_row, middle_column) = (131 / 2, 203 / 2);
        let mut changed = 0;
        for row in 0..131 {
            for column in 0..203 {
                let is_other = plain.at(row, column) != masked.at(row, column);
                let is_north_west = row <= middle_row && column <= middle_column;
                assert!(!is_other || is_north_west, "{name} at {row} {column}");
                changed += usize::from(is_other);
            }
        }
        assert!(changed > 500, "{name}: {changed}");
    }
}

#[test]
fn the_mask_of_a_modifier_on_a_landscape() {
    let mut scene = scene("surface.iterations=7 camera.pitch=35 sky.coverage=0.3");
    scene.modifiers = vec![Modifier::new(ModifierKind::Terrace)];
    scene.modifiers[0].mask = Mask::new(By::Height);
    let of = MaskOf::Modifier(0);
    let weights = Pipeline::default().mask(&scene, &Inputs::default(), of, &Job::new());
    let weights = weights.unwrap().unwrap();
    let mut desk = with(&scene);
    desk.weigh(Some((*weights).clone()));
    check_golden("mask_landscape", &desk.developed(&scene, SIZE, true, None)).unwrap();
}
