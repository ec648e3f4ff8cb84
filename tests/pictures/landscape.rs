//! Render type `landscape`: sky, ground, light and haze together.

use glam::Vec3;
use landform::material::{Albedo, MaterialNormals};
use landform::render::{GroundPath, picture};
use landform::scene::{RenderType, RockKind, Scene};
use landform::sky::air::Air;
use landform::sky::{Exposed, tone};

use crate::offscreen::Desk;
use crate::pictures::{Picture, check_golden, difference, landscape, scene};

const SIZE: (u32, u32) = (192, 120);
/// Hills in front of a camera that looks over them.
const HILLS: &str = "surface.iterations=8 surface.hurst=0.9 surface.height_scale=0.4 view.tile=3 \
    camera.pitch=12 camera.distance=2.2 camera.target=[0.0,0.1,0.0]";
/// A table with walls all around, seen from the south.
const TABLE: &str = "surface.generator=formula \
    surface.formula.expression=0.25*min(1,max(0,(0.55-max(abs(x),abs(z)))*14)) surface.iterations=8 \
    camera.pitch=25 camera.distance=1.9 camera.bearing=0 light.bearing=180 light.elevation=50 \
    sky.coverage=0 fog.enabled=false material.detail=0";

fn take(settings: &str) -> Picture {
    let scene = scene(settings);
    picture(&landscape(&scene), SIZE).expect("a picture")
}

/// How bright the part of a picture is between those rows and columns, 0…255.
fn brightness(picture: &Picture, rows: [usize; 2], columns: [usize; 2]) -> f64 {
    let places = (rows[0]..rows[1]).flat_map(|row| (columns[0]..columns[1]).map(move |i| (row, i)));
    let values: Vec<f64> = places
        .flat_map(|(row, column)| picture.at(row, column).map(f64::from))
        .collect();
    values.iter().sum::<f64>() / values.len() as f64
}

/// How much a pixel differs from its right neighbour, in the lower half of a picture.
fn contrast(picture: &Picture) -> f64 {
    let rows = picture.rows() / 2..picture.rows();
    let pairs = rows.flat_map(|row| (1..picture.columns()).map(move |column| (row, column)));
    let steps: Vec<f64> = pairs
        .map(|(row, column)| {
            let [a, b] = [picture.at(row, column - 1)[1], picture.at(row, column)[1]];
            f64::from(a.abs_diff(b))
        })
        .collect();
    steps.iter().sum::<f64>() / steps.len() as f64
}

#[test]
fn landscapes_match_the_golden_ones() {
    let hills = |rest: &str| format!("{HILLS} {rest}");
    let image = "surface.generator=image surface.input=assets/heightmaps/jacksboro.png \
        surface.height_scale=0.7";
    let rows = [
        ("landscape", String::new()),
        ("landscape_hills", hills("")),
        (
            "landscape_dawn",
            hills("light.elevation=3 light.bearing=30"),
        ),
        ("landscape_fog", hills("fog.density=3 fog.height=0.1")),
        ("landscape_moon", hills("sky.light=moon light.elevation=30")),
        (
            "landscape_plain",
            hills("view.antialias=false light.shadows=false light.occlusion=false sky.coverage=0"),
        ),
        ("landscape_near", hills("camera.mode=walk camera.pitch=5")),
        ("landscape_above", hills("camera.mode=top")),
        (
            "landscape_smallest",
            "surface.iterations=1 surface.height_scale=0.5".into(),
        ),
        ("landscape_image", format!("{image} view.tile=2")),
        ("landscape_table", TABLE.into()),
        (
            "landscape_rock",
            hills("surface.height_scale=0.7 rock.kind=sandstone rock.thickness=100 rock.slope=20"),
        ),
        (
            "landscape_snow",
            hills(
                "surface.height_scale=0.7 rock.kind=granite rock.thickness=100 snow.enabled=true \
                 snow.line=-0.1 snow.fall=5",
            ),
        ),
        (
            "landscape_invert",
            hills("view.invert=true view.palette=desert"),
        ),
    ];
    let failures: Vec<_> = rows
        .iter()
        .filter_map(|(name, settings)| check_golden(name, &take(settings)).err())
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn grass_does_not_lie_on_walls() {
    // The table's top is the highest ground, its walls go down to the lowest.
    let top = |picture: &Picture| brightness(picture, [44, 54], [80, 112]);
    let wall = |picture: &Picture| brightness(picture, [64, 70], [80, 112]);
    // Of a palette without snow, which slides off by itself.
    let table = format!("{TABLE} view.palette=island");
    let bare = take(&format!("{table} material.rock_slope=30"));
    let covered = take(&format!("{table} material.rock_slope=90"));
    assert!((top(&bare) - top(&covered)).abs() < 1.0);
    let (with, without) = (wall(&covered), wall(&bare));
    assert!((with - without).abs() > 8.0, "{with} {without}");
}

#[test]
fn steep_rock_shows_beds_and_no_streaks() {
    // A wall of 80 degrees, seen at a right angle.
    let wall = "surface.generator=formula surface.iterations=10 \
        surface.formula.expression=min(0.6,max(0,(0.05-z)*5.67)) camera.bearing=0 camera.pitch=10 camera.fov=10 \
        camera.target=[0.0,0.3,0.0] camera.distance=0.6 light.shadows=false light.occlusion=false \
        light.bearing=200 light.elevation=50 sky.coverage=0 fog.enabled=false material.rock_slope=20";
    for kind in RockKind::NAMES {
        steep_rock_of_a_kind(&take(&format!("{wall} rock.kind={kind}")), kind);
    }
}

fn steep_rock_of_a_kind(picture: &Picture, kind: &str) {
    let change = |rows: usize, columns: usize| -> f64 {
        let places = (0..picture.rows() - rows)
            .flat_map(|row| (0..picture.columns() - columns).map(move |column| (row, column)));
        let square = |(row, column): (usize, usize)| {
            let [a, b] = [(row, column), (row + rows, column + columns)];
            let apart = picture.at(a.0, a.1)[1].abs_diff(picture.at(b.0, b.1)[1]);
            f64::from(apart) * f64::from(apart)
        };
        places.map(square).sum()
    };
    for pixels in [1, 2, 4, 8] {
        let (down, across) = (change(pixels, 0), change(0, pixels));
        assert!(down > 1.3 * across, "{kind}, {pixels} px: {down} {across}");
    }
}

#[test]
fn the_ground_casts_shadows() {
    let low = format!("{HILLS} light.elevation=12 sky.coverage=0 fog.enabled=false");
    let mean = |settings: &str| brightness(&take(settings), [60, 120], [0, 192]);
    let lit = mean(&format!("{low} light.shadows=false light.occlusion=false"));
    let shadowed = mean(&format!("{low} light.occlusion=false"));
    let hollow = mean(&low);
    assert!(shadowed < lit * 0.95, "{shadowed} of {lit}");
    assert!(hollow < shadowed * 0.99, "{hollow} of {shadowed}");
}

#[test]
fn clouds_cast_shadows() {
    let high = format!("{HILLS} light.elevation=60 fog.enabled=false");
    let mean = |settings: &str| brightness(&take(settings), [70, 120], [0, 192]);
    let clear = mean(&format!("{high} sky.coverage=0"));
    let overcast = mean(&format!("{high} sky.coverage=1"));
    let through = mean(&format!("{high} sky.coverage=1 sky.cloud_shadow=0"));
    assert!(overcast < clear * 0.9, "{overcast} of {clear}");
    assert!((through - clear).abs() < 1.0, "{through} and {clear}");
}

#[test]
fn fog_hides_distant_land_and_fills_valleys() {
    let clear = take(&format!("{HILLS} fog.enabled=false"));
    let none = take(&format!("{HILLS} fog.density=0"));
    assert_eq!(clear.as_slice(), none.as_slice());
    // Over the whole picture nothing but fog is left.
    let thick = take(&format!("{HILLS} fog.density=20 fog.height=20"));
    assert!(contrast(&thick) < 1.5, "{}", contrast(&thick));
    assert!(contrast(&clear) > 4.0, "{}", contrast(&clear));
    // A fog bank that is low leaves the peaks, a high one does not.
    let low = take(&format!("{HILLS} fog.density=20 fog.height=0.02"));
    assert!(
        contrast(&low) > contrast(&thick) * 1.5,
        "{}",
        contrast(&low)
    );
}

#[test]
fn closeness_shows_no_blur() {
    // A few cells fill the picture, then one, then a part of one.
    for distance in [0.1, 0.02, 0.01] {
        let near = format!(
            "surface.iterations=8 surface.hurst=0.9 surface.height_scale=0.2 camera.pitch=60 \
             camera.distance={distance} view.endless=false sky.coverage=0 fog.enabled=false \
             camera.target=[0.1,0.02,0.1]"
        );
        let (rough, smooth) = (
            contrast(&take(&format!("{near} material.detail=0.5"))),
            contrast(&take(&format!("{near} material.detail=0"))),
        );
        assert!(
            rough > 3.0 && rough > 2.0 * smooth,
            "{distance}: {rough} and {smooth}"
        );
    }
}

#[test]
fn antialiasing_smooths_edges_and_changes_nothing_else() {
    // Edges are smoother with four samples a pixel; nothing else changes.
    let plain = take(&format!("{HILLS} view.antialias=false"));
    let smooth = take(&format!("{HILLS} view.antialias=true"));
    let off = difference(&plain, &smooth);
    assert!((0.001..0.25).contains(&off), "{off}");
    assert_eq!(smooth.as_slice(), take(HILLS).as_slice());
}

/// The exported albedo of a scene in its light, without shadows, as seen straight from above: a pixel a sample,
/// without the first row and column; `None` below the water.
fn lit_albedo(scene: &Scene) -> Vec<Option<[u8; 3]>> {
    let landscape = landscape(scene);
    let (map, palette) = (&landscape.heights, &landscape.palette);
    let (covers, normals) = (landscape.covers.as_deref(), MaterialNormals::of(map));
    let albedo = Albedo::of(
        scene,
        palette,
        map.range(),
        covers,
        Some(&normals),
        landscape.snow.as_deref(),
    );
    let sky = Exposed::new(&Air::new(scene.sky.turbidity), &scene.light, &scene.sky);
    let cells = map.columns() - 1;
    let pixel = |row: usize, column: usize| {
        if scene.water.enabled && map.at(row, column) <= scene.water.level {
            return None;
        }
        let normal = map.normal(row, column);
        let place = [column, row].map(|at| at as f32 / cells as f32);
        let color = albedo.color(map.at(row, column), || normal, place);
        let color = Vec3::from_array(color.map(|v| linear(f32::from(v) / 255.0)));
        let sun = sky.dome.sun_light * normal.dot(sky.dome.sun_direction).max(0.0);
        let light = color * (sun + sky.dome.ambient(normal));
        let color = tone::screen(light, sky.night).to_array();
        Some(color.map(|v| (v * 255.0).round() as u8))
    };
    let places = (1..=cells).flat_map(|row| (1..=cells).map(move |column| (row, column)));
    places.map(|(row, column)| pixel(row, column)).collect()
}

/// Linear light of a channel of sRGB.
fn linear(color: f32) -> f32 {
    match color {
        ..=0.04045 => color / 12.92,
        _ => ((color + 0.055) / 1.055).powf(2.4),
    }
}

#[test]
fn exported_albedo_in_the_light_is_the_picture() {
    const CELLS: u32 = 256;
    // At this distance the picture is one tile high. Half a cell to the south-east its pixels are samples.
    let view = "surface.iterations=8 surface.height_scale=0.35 camera.mode=top camera.bearing=0 \
        camera.distance=1.7320508 camera.target=[0.00390625,0,0.00390625] view.endless=false \
        sky.coverage=0 fog.enabled=false material.detail=0 light.shadows=false \
        light.occlusion=false";
    // Noise that breaks up the borders between materials is in the picture alone; rough land has most of them.
    for (most, land) in [
        (3.0, "surface.hurst=0.9 modifiers.0.kind=erosion"),
        (
            3.0,
            "surface.hurst=0.9 modifiers.0.kind=erosion view.palette=island light.elevation=15",
        ),
        // A beach far higher than usual, which fades in spots.
        (
            6.0,
            "surface.hurst=0.9 modifiers.0.kind=erosion view.palette=island water.enabled=true \
             water.level=-0.1 water.sand=0.2 water.waves=0",
        ),
        (5.0, "surface.hurst=0.8"),
        (
            7.0,
            "surface.hurst=0.7 view.palette=desert sky.light=moon light.elevation=50",
        ),
        (
            7.0,
            "surface.hurst=0.9 material.rock_slope=20 view.palette=arctic",
        ),
    ] {
        let mut scene = scene(&format!("{view} {land}"));
        let picture = picture(&landscape(&scene), (CELLS, CELLS)).expect("a picture");
        let mut apart = || {
            let wanted = lit_albedo(&scene);
            scene.view.render_type = RenderType::Map;
            let pairs = picture.as_slice().iter().zip(&wanted);
            let (mut apart, mut count) = (0, 0);
            for (a, b) in pairs.filter_map(|(a, b)| Some((a, b.as_ref()?))) {
                apart += (0..3).map(|i| u64::from(a[i].abs_diff(b[i]))).sum::<u64>();
                count += 3;
            }
            apart as f64 / f64::from(count)
        };
        let [material, by_height] = [apart(), apart()];
        assert!(material <= most, "{land}: {material}");
        assert!(material < 0.5 * by_height, "{land}: {by_height} by height");
    }
}

/// Far from the middle of many tiles, numbers of 32 bits are coarser than the texels of stones.
#[test]
fn stones_move_with_the_ground_at_any_depth() {
    let (width, height) = SIZE;
    let mut desk = Desk::of_way(GroundPath::RayCast);
    let mut scene = scene(
        "view.tile=16 surface.iterations=11 surface.height_scale=0 light.elevation=60 sky.coverage=0 \
         material.detail=1 camera.mode=top camera.bearing=0",
    );
    desk.update(&scene);
    for (distance, is_even) in [(1e-4, false), (1e-6, false), (1e-8, true)] {
        scene.camera.distance = distance;
        let half_angle = 0.5 * f64::from(scene.camera.fov).to_radians();
        let pixel = 2.0 * f64::from(distance) * half_angle.tan() / f64::from(height);
        let [before, after] = [0.0, 7.0].map(|pixels| {
            scene.camera.target = [14.2 + pixels * pixel, 0.0, -13.7];
            desk.picture(&scene, SIZE)
        });
        let places =
            (0..height as usize).flat_map(|row| (7..width as usize).map(move |i| (row, i)));
        let most_off = |other: &dyn Fn(usize, usize) -> [u8; 3]| {
            let pairs = places
                .clone()
                .map(|(row, i)| (before.at(row, i), other(row, i)));
            let off = pairs.flat_map(|(a, b)| [0, 1, 2].map(|i| a[i].abs_diff(b[i])));
            off.max().unwrap_or_default()
        };
        // Pixels are dithered.
        let moved = most_off(&|row, column| after.at(row, column - 7));
        assert!(moved <= 2, "{distance}: {moved}");
        let contrast = most_off(&|_, _| before.at(0, 0));
        assert_eq!(contrast <= 2, is_even, "{distance}: {contrast}");
    }
}
