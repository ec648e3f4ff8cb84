//! The albedo of the ground: by height, or the material of render type `landscape`.

use glam::Vec3;

use landform::material::Albedo;
use landform::scene::{RenderType, Scene};
use landform::texture::Palette;

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
    let albedo = Albedo::of(scene, palette, (-1.0, 1.0), None);
    let (south, up) = degrees.to_radians().sin_cos();
    albedo.color(height, || Vec3::new(0.0, up, south), PLACE)
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
    // What lies below the water is wet, and darker.
    assert!((0..3).all(|i| floor[i] < dry[i]), "{floor:?} {dry:?}");
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
