//! The albedo of the ground: by height, or the material of render type `landscape`.

use std::sync::Arc;

use glam::Vec3;

use landform::covers;
use landform::heightmap::{Heightmap, Worn};
use landform::import::{self, Group, Preset};
use landform::job::Job;
use landform::material::{Albedo, MaterialNormals};
use landform::pipeline;
use landform::scene::{RenderType, Scene};
use landform::texture::cover::By;
use landform::texture::{Cover, Palette, Stop};

const PLACE: [f32; 2] = [0.5, 0.5];

/// A scene of that render type with the sea at 0.
fn scene(render_type: RenderType) -> Scene {
    let mut scene = Scene::default();
    scene.view.render_type = render_type;
    scene.water.enabled = true;
    scene
}

/// The colour at a height from −1 to 1, where the ground slopes by so many degrees towards the south.
fn color(scene: &Scene, palette: &str, height: f32, degrees: f32) -> [u8; 3] {
    let palette = Palette::named(palette).unwrap();
    let normals = MaterialNormals::of(&plane(degrees.min(89.9)));
    let albedo = Albedo::of(scene, palette, (-1.0, 1.0), None, Some(&normals), None);
    albedo.color(height, || normals.at(PLACE), PLACE)
}

/// A plane that slopes by so many degrees towards the south.
fn plane(degrees: f32) -> Heightmap {
    let fall = degrees.to_radians().tan() * 2.0 / 8.0;
    let heights: Vec<f32> = (0..81).map(|sample| -fall * (sample / 9) as f32).collect();
    Heightmap::new(9, 9, false, heights)
}

/// The palette's colour at that height, or that of its rock.
fn of_palette(palette: &str, height: f32, is_rock: bool) -> [f32; 3] {
    let palette = Palette::named(palette).unwrap();
    let at = 0.5 * (height + 1.0);
    if is_rock {
        palette.steep_color(at)
    } else {
        palette.color(at)
    }
}

/// A colour as pale as nature's: a fifth of the way, in linear light, to its grey.
fn pale(color: [f32; 3]) -> [u8; 3] {
    let light = color.map(|v| {
        if v > 0.04045 {
            ((v + 0.055) / 1.055).powf(2.4)
        } else {
            v / 12.92
        }
    });
    let grey = 0.3 * light[0] + 0.6 * light[1] + 0.1 * light[2];
    light.map(|v| {
        let v = 0.8 * v + 0.2 * grey;
        let color = if v > 0.003_130_8 {
            1.055 * v.powf(1.0 / 2.4) - 0.055
        } else {
            12.92 * v
        };
        (color * 255.0).round() as u8
    })
}

#[track_caller]
fn assert_near(color: [u8; 3], wanted: [u8; 3]) {
    let is_near = (0..3).all(|i| color[i].abs_diff(wanted[i]) <= 2);
    assert!(is_near, "{color:?}, not {wanted:?}");
}

#[test]
fn only_landscape_has_materials() {
    for render_type in RenderType::ALL {
        let scene = scene(*render_type);
        let is_material = *render_type == RenderType::Landscape;
        assert_eq!(Albedo::is_material(&scene), is_material);
        let [level, steep] = [0.0, 80.0].map(|degrees| color(&scene, "alpine", 0.5, degrees));
        assert_eq!(level != steep, is_material, "{}", render_type.name());
    }
}

#[test]
fn level_ground_has_the_palettes_colours_and_walls_are_rock() {
    let scene = scene(RenderType::Landscape);
    // The palette has no snow there.
    for height in [0.2, 0.3, 0.45] {
        for (degrees, is_rock) in [(0.0, false), (30.0, false), (46.0, true), (90.0, true)] {
            let wanted = pale(of_palette("desert", height, is_rock));
            assert_near(color(&scene, "desert", height, degrees), wanted);
        }
    }
    let mut without = scene;
    without.material.rock_slope = 90.0;
    let wanted = pale(of_palette("desert", 0.3, false));
    assert_near(color(&without, "desert", 0.3, 89.0), wanted);
}

#[test]
fn beaches_and_gentle_sea_floor_are_sand() {
    let scene = scene(RenderType::Landscape);
    let of = |height: f32, degrees: f32| color(&scene, "island", height, degrees).map(i32::from);
    let sand = scene.water.sand;
    let dry = of(0.35 * sand, 0.0);
    let floor = of(-0.2, 0.0);
    for [r, g, b] in [dry, floor] {
        assert!(r > g && g > b, "yellow: {r} {g} {b}");
    }
    // Albedo is that of dry ground.
    assert_eq!(of(0.0, 0.0), floor);
    // Walls below the water are rock, and where the beach has ended everything is as without water.
    assert_ne!(of(-0.2, 80.0), floor);
    let mut dry = scene.clone();
    dry.water.enabled = false;
    assert_eq!(
        color(&scene, "island", 1.01 * sand, 0.0),
        color(&dry, "island", 1.01 * sand, 0.0)
    );
}

#[test]
fn snow_lies_on_level_ground_and_not_on_walls() {
    let scene = scene(RenderType::Landscape);
    let brightness = |degrees: f32| color(&scene, "alpine", 0.7, degrees).map(u32::from)[1];
    assert!(brightness(0.0) > 220);
    assert!(brightness(70.0) < 130);
}

#[test]
fn planes_keep_their_normal_up_to_the_border() {
    for degrees in [0.0f32, 20.0, 65.0] {
        let normals = MaterialNormals::of(&plane(degrees));
        let (south, up) = degrees.to_radians().sin_cos();
        for place in [[0.0, 0.0], [0.5, 0.5], [0.3, 0.97], [1.0, 1.0]] {
            let normal = normals.at(place);
            assert!(
                normal.distance(Vec3::new(0.0, up, south)) < 1e-5,
                "{normal}"
            );
        }
    }
}

/// Every `step`-th sample of a map, with what erosion has left there.
fn thinned(map: &Heightmap, step: usize) -> Heightmap {
    let side = (map.rows() - 1) / step + 1;
    let thin = |numbers: &[f32]| -> Vec<f32> {
        let at = |index: usize| numbers[index / side * step * map.columns() + index % side * step];
        (0..side * side).map(at).collect()
    };
    let worn = map.worn().map(|worn| {
        Arc::new(Worn {
            wear: thin(&worn.wear).into(),
            sediment: thin(&worn.sediment).into(),
        })
    });
    Heightmap::new(side, side, map.wraps(), thin(map.heights())).with_worn(worn)
}

/// Share of the land's area in per cent that is white in the colours of a palette.
fn white_share(scene: &Scene, map: &Heightmap, palette: &Palette) -> f32 {
    const SIDE: usize = 300;
    let covers = covers::on(map, &palette.covers, &Job::new()).unwrap();
    let normals = MaterialNormals::of(map);
    let albedo = Albedo::of(
        scene,
        palette,
        map.range(),
        covers.as_ref(),
        Some(&normals),
        None,
    );
    let places = (0..SIDE * SIDE).map(|i| [i % SIDE, i / SIDE].map(|at| at as f32 / SIDE as f32));
    let linear = |channel: u8| (f32::from(channel) / 255.0).powf(2.2);
    let whites = places.map(|[east, south]| {
        let height = map.height_at(2.0 * east - 1.0, 2.0 * south - 1.0);
        let [column, row] = [east, south].map(|at| (at * (map.rows() - 1) as f32).round() as usize);
        let normal = || map.normal(row, column);
        linear(albedo.color(height, normal, [east, south])[0])
    });
    100.0 * whites.sum::<f32>() / (SIDE * SIDE) as f32
}

fn gray(at: f32, white: f32) -> Stop {
    Stop {
        at,
        color: [white; 3],
    }
}

/// A palette in which rock alone is white.
fn white_rock(palette: &Palette) -> Palette {
    Palette {
        stops: vec![gray(0.0, 0.0)],
        steep: vec![gray(0.0, 1.0)],
        covers: Vec::new(),
        ..palette.clone()
    }
}

/// The land of a scene with so many iterations, without its water.
fn land(scene: &mut Scene, iterations: u32) -> Heightmap {
    scene.surface.iterations = iterations;
    scene.water.enabled = false;
    let inputs = import::inputs(scene).unwrap();
    pipeline::heights(scene, &inputs, &Job::new()).unwrap()
}

#[test]
fn rough_land_is_no_rockier_at_thirteen_iterations() {
    let mut scene = Preset::named("crags").unwrap().scene();
    let palette = white_rock(Palette::named(&scene.view.palette).unwrap());
    let shares = [8, 10, 13].map(|iterations| {
        let map = land(&mut scene, iterations);
        white_share(&scene, &map, &palette)
    });
    let apart = shares.map(|share| (share - shares[0]).abs());
    assert!(
        shares[0] > 20.0 && apart.into_iter().all(|v| v < 2.5),
        "{shares:?} %"
    );
}

#[test]
fn materials_keep_their_share_of_the_same_land() {
    for preset in import::presets() {
        let mut scene = preset.scene();
        if preset.group != Group::Landscapes || scene.render_type() != RenderType::Landscape {
            continue;
        }
        let fine = land(&mut scene, 10);
        let maps = [4, 2, 1].map(|step| thinned(&fine, step));
        let own = Palette::named(&scene.view.palette).unwrap();
        // What is white is rock; then snow, where it is no rock; then each of the covers.
        let rock = white_rock(own);
        let snow = own.snow.map(|snow| Palette {
            stops: vec![gray(0.0, 0.0), gray(snow.from, 0.0), gray(snow.from, 1.0)],
            steep: vec![gray(0.0, 0.0)],
            covers: Vec::new(),
            ..own.clone()
        });
        // Where ground is wet depends on the brooks of its samples, whatever the slope.
        let by_slope = |cover: &&Cover| !matches!(cover.by, By::Wetness | By::Grass);
        let covers = own.covers.iter().filter(by_slope).map(|cover| Palette {
            stops: vec![gray(0.0, 0.0)],
            steep: vec![gray(0.0, 0.0)],
            covers: vec![Cover {
                color: [1.0; 3],
                strength: 1.0,
                ..*cover
            }],
            ..own.clone()
        });
        for palette in [rock].into_iter().chain(snow).chain(covers) {
            let shares = maps
                .each_ref()
                .map(|map| white_share(&scene, map, &palette));
            let by = palette.covers.first().map(|cover| cover.by);
            let [low, high] =
                [f32::min, f32::max].map(|most| shares.into_iter().reduce(most).unwrap());
            assert!(high - low <= 2.0, "{} {by:?}: {shares:?} %", preset.name);
        }
    }
}
