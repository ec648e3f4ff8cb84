//! The sea of render types other than `landscape`: what it covers, and how it looks.

use crate::offscreen::Desk;
use crate::pictures::{Picture, check_golden, difference, landscape, scene};
use landform::render::GroundPath;
use landform::scene::relevance::Inactive;
use landform::scene::{RenderType, Scene};

const SIZE: (u32, u32) = (128, 128);

/// An island; the texture of its ground has the same samples.
const ISLAND: &str = "surface.seed=16 surface.iterations=6 surface.hurst=0.85 \
    teximage.iterations=6 teximage.hurst=0.85 modifiers.0.kind=normalize \
    modifiers.0.normalize.low=-0.3 modifiers.0.normalize.high=0.45 modifiers.1.kind=island";
/// A plane that rises eastwards, 0 in the middle.
const RAMP: &str = "surface.generator=formula surface.formula.expression=x*0.3 \
    surface.formula.wrap=false surface.iterations=6 teximage.iterations=6";
/// Seen from straight above, as wide as the tile.
const ABOVE: &str = "camera.mode=top camera.bearing=0 camera.fov=90 camera.distance=1 \
    camera.target=[0,0,0]";
const TYPES: [&str; 7] = [
    "map",
    "map camera.mode=top",
    "teximage",
    "triangles",
    "rendered",
    "lines",
    "1d",
];

fn typed(render_type: &str, settings: &str) -> String {
    format!("{settings} view.render_type={render_type}")
}

/// The same scene without and with a sea.
fn dry_and_wet(desk: &mut Desk, settings: &str) -> [Picture; 2] {
    ["false", "true"].map(|on| desk.take(&format!("{settings} water.enabled={on}"), SIZE))
}

/// For each pixel of a picture, how high the ground is that it shows, where `tile` pixels are a tile in
/// its middle.
fn heights(scene: &Scene, tile: f32) -> Vec<Option<f32>> {
    let map = landscape(scene).heights;
    let place = |at: u32| (at as f32 + 0.5 - 64.0) / tile * 2.0;
    let pixels = (0..SIZE.1).flat_map(|row| (0..SIZE.0).map(move |column| (row, column)));
    let seen = pixels.map(|(row, column)| {
        let (x, z) = (place(column), place(row));
        (x.abs() < 0.97 && z.abs() < 0.97).then(|| map.height_at(x, z))
    });
    seen.collect()
}

/// The same without land that has sea at most `reach` pixels away.
fn inland(heights: &[Option<f32>], reach: usize) -> Vec<Option<f32>> {
    let (columns, rows) = (SIZE.0 as usize, SIZE.1 as usize);
    let around = |at: usize, count: usize| at.saturating_sub(reach)..=(at + reach).min(count - 1);
    let is_sea = |index: usize| heights[index].is_some_and(|height| height < 0.0);
    let kept = heights.iter().enumerate().map(|(index, height)| {
        let mut beside = around(index / columns, rows)
            .flat_map(|row| around(index % columns, columns).map(move |at| row * columns + at));
        height.filter(|height| *height < 0.0 || !beside.any(is_sea))
    });
    kept.collect()
}

/// Checks that the sea changes what lies below 0 and is bluer there than before, and leaves land as it
/// was.
fn check_covered(what: &str, [dry, wet]: &[Picture; 2], heights: &[Option<f32>]) {
    let (mut land, mut sea, mut blue) = (0, 0, 0);
    for (index, height) in heights.iter().enumerate() {
        let (dry, wet) = (dry.as_slice()[index], wet.as_slice()[index]);
        match height {
            Some(height) if *height > 0.04 => {
                land += 1;
                assert_eq!(dry, wet, "{what}: land at {index}, {height}");
            }
            Some(height) if *height < -0.04 => {
                sea += 1;
                assert!(dry != wet, "{what}: sea at {index}, {height}");
                blue += usize::from(wet[2] > wet[0] && wet[2] > wet[1]);
            }
            _ => {}
        }
    }
    assert!(land > 300 && sea > 3000, "{what}: {land} {sea}");
    assert!(blue * 100 > sea * 99, "{what}: {blue} of {sea} are blue");
}

#[test]
fn map_sea_covers_everything_below_its_level() {
    let mut desk = Desk::new();
    let whole = heights(&scene(ISLAND), 118.0);
    for filter in ["linear", "nearest"] {
        let settings = typed("map", &format!("{ISLAND} view.filter={filter}"));
        check_covered(filter, &dry_and_wet(&mut desk, &settings), &whole);
    }
    // Of the texture, 4.3 texels a pixel, the third mipmap is seen too: what is up to 12 texels away.
    let settings = typed("teximage", ISLAND);
    let inland = inland(&whole, 3);
    check_covered("teximage", &dry_and_wet(&mut desk, &settings), &inland);
}

#[test]
fn the_sea_in_space_covers_what_is_lower() {
    let above = format!("{ISLAND} {ABOVE}");
    let heights = heights(&scene(&above), 128.0);
    for way in [GroundPath::RayCast, GroundPath::Raster] {
        let mut desk = Desk::of_way(way);
        for shown in ["map", "triangles", "rendered"] {
            let pictures = dry_and_wet(&mut desk, &typed(shown, &above));
            check_covered(&format!("{shown} {way:?}"), &pictures, &heights);
        }
    }
}

#[test]
fn lines_below_the_sea_alone_are_blue() {
    let mut desk = Desk::new();
    for iterations in [6, 8] {
        let above = format!("{ISLAND} {ABOVE} surface.iterations={iterations}");
        let heights = heights(&scene(&above), 128.0);
        let [dry, wet] = dry_and_wet(&mut desk, &typed("lines", &above));
        let (mut lines, mut blue) = (0, 0);
        for (index, height) in heights.into_iter().enumerate() {
            let (dry, wet) = (dry.as_slice()[index], wet.as_slice()[index]);
            match height {
                Some(height) if height > 0.04 => assert_eq!(dry, wet),
                // As bright as a line and not as what is behind it.
                Some(height) if height < -0.04 && dry[0] > 120 => {
                    lines += 1;
                    blue += usize::from(wet[2] > wet[0] && wet[0] < dry[0]);
                }
                _ => {}
            }
        }
        assert!(lines > 1000 && blue == lines, "{blue} of {lines}");
    }
}

#[test]
fn ridge_sea_ends_at_its_level() {
    let mut desk = Desk::new();
    let [dry, wet] = dry_and_wet(&mut desk, &typed("1d", "surface.iterations=6"));
    let at = |column: usize, row: usize| (dry.at(row, column), wet.at(row, column));
    let first = |column: usize| (0..128).find(|row| at(column, *row).0 != at(column, *row).1);
    let tops: Vec<_> = (0..128).filter_map(first).collect();
    assert!(tops.len() > 20, "{}", tops.len());
    assert!(tops.iter().all(|top| *top == tops[0]), "{tops:?}");
    // The ridge is as it was, but for its soft edge, through which the water is seen.
    let ridge = |color: [u8; 3]| color == [242, 245, 255];
    assert!(dry.as_slice().iter().any(|color| ridge(*color)));
    let pairs = dry.as_slice().iter().zip(wet.as_slice());
    assert!(pairs.clone().all(|(dry, wet)| !ridge(*dry) || dry == wet));
    let changed = pairs.filter(|(dry, wet)| dry != wet);
    assert!(changed.clone().count() > 200);
    assert!(changed.clone().all(|(_, wet)| wet[2] > wet[0]));
}

#[test]
fn the_coastline_is_where_height_is_level() {
    let mut desk = Desk::new();
    for (level, first) in [(0.0, 64), (0.15, 93)] {
        let settings = format!("{RAMP} water.level={level}");
        let [dry, wet] = dry_and_wet(&mut desk, &typed("map", &settings));
        let [dry, wet] = [dry, wet].map(|picture| {
            let row = (0..128).map(|column| picture.at(64, column));
            row.collect::<Vec<_>>()
        });
        // From the first column on there is land.
        assert_eq!(dry[first..], wet[first..], "{level}");
        assert!(dry[first - 1] != wet[first - 1], "{level}");
        // The coast is darker than the water beside it, which is paler than deep water. Its line is no
        // wider than a pixel here, which may be two halves.
        let light = |column: usize| wet[column].map(u32::from).iter().sum::<u32>();
        let coast = light(first - 2).min(light(first - 1));
        assert!(coast + 60 < light(first - 6), "{level}");
        assert!(light(10) + 60 < light(first - 6), "{level}");
    }
}

#[test]
fn the_sea_repeats_with_the_tiles() {
    let mut desk = Desk::new();
    for shown in ["map", "teximage"] {
        let settings = format!("{} water.enabled=true view.tile=2", typed(shown, ISLAND));
        let picture = desk.take(&settings, SIZE);
        // A margin of five pixels, tiles of 59.
        for row in 6..63 {
            for column in 6..63 {
                let tile = picture.at(row, column);
                let off = |other: [u8; 3]| (0..3).map(|i| tile[i].abs_diff(other[i])).max();
                for other in [picture.at(row, column + 59), picture.at(row + 59, column)] {
                    assert!(off(other) <= Some(2), "{shown}: {row} {column}");
                }
            }
        }
        let half = |by: usize| {
            let rows = (6..63).flat_map(|row| (6..63).map(move |column| (row, column)));
            let cells = rows.map(|(row, column)| picture.at(row, column + by));
            landform::grid::Grid::from_vec(57, 57, cells.collect()).unwrap()
        };
        assert!(difference(&half(0), &half(59)) < 0.06, "{shown}");
    }
}

#[test]
fn a_sea_below_all_land_changes_nothing() {
    for way in [GroundPath::RayCast, GroundPath::Raster] {
        let mut desk = Desk::of_way(way);
        for shown in TYPES {
            let [dry, wet] = dry_and_wet(&mut desk, &typed(shown, "water.level=-5"));
            assert!(dry == wet, "{shown} {way:?}");
        }
    }
}

#[test]
fn a_sea_above_all_land_covers_it() {
    for way in [GroundPath::RayCast, GroundPath::Raster] {
        let mut desk = Desk::of_way(way);
        for shown in TYPES {
            let above =
                format!("surface.iterations=6 surface.height_scale=0.1 water.level=0.6 {ABOVE}");
            // With a camera of their own.
            let shown_above = typed(shown, &above);
            let [dry, wet] = dry_and_wet(&mut desk, &shown_above);
            let pairs = dry.as_slice().iter().zip(wet.as_slice());
            let part = pairs.filter(|(dry, wet)| dry != wet).count() as f64 / (128.0 * 128.0);
            let least = match shown {
                "lines" => 0.2,
                // Seen from the side, it is as high as 0.6 of the half of the picture above the ridge.
                "1d" => 0.25,
                _ => 0.45,
            };
            assert!(part > least, "{shown} {way:?}: {part}");
        }
    }
}

#[test]
fn both_paths_show_the_same_sea() {
    let view = format!("{ISLAND} water.enabled=true camera.pitch=25 camera.distance=2.6");
    for shown in ["triangles", "rendered"] {
        let settings = typed(shown, &view);
        let [planes, triangles] = [GroundPath::RayCast, GroundPath::Raster].map(|way| {
            let mut desk = Desk::of_way(way);
            desk.take(&settings, (192, 128))
        });
        let apart = difference(&planes, &triangles);
        assert!(apart < 0.12, "{shown}: {apart}");
    }
}

#[test]
fn the_sea_in_pieces_is_the_sea() {
    let mut desk = Desk::new();
    for shown in ["triangles", "rendered", "map camera.mode=top"] {
        let settings = format!("{} water.enabled=true", typed(shown, ISLAND));
        let whole = desk.take(&settings, (192, 128));
        let limit = Some(crate::offscreen::NO_TIME);
        let pieces = desk.developed(&scene(&settings), (192, 128), false, limit);
        assert!(whole == pieces, "{shown}");
    }
}

#[test]
fn water_settings_act_wherever_a_sea_is_drawn() {
    for render_type in RenderType::ALL {
        let mut scene = Scene::default();
        scene.view.render_type = *render_type;
        scene.water.enabled = true;
        let inactive = Inactive::of(&scene);
        let acts = |key: &str| inactive.reason("water", key).is_none();
        let has_sea = !matches!(render_type, RenderType::Clouds | RenderType::Sky);
        for key in ["enabled", "level", "color", "clarity"] {
            assert_eq!(acts(key), has_sea, "{render_type}: {key}");
        }
        for key in ["waves", "wave_length", "time", "sand"] {
            let is_landscape = *render_type == RenderType::Landscape;
            assert_eq!(acts(key), is_landscape, "{render_type}: {key}");
        }
    }
}

#[test]
fn seas_match_the_golden_pictures() {
    let mut desk = Desk::new();
    let view = "water.enabled=true camera.pitch=25 camera.distance=2.6";
    let rows = [
        ("map", "map", ""),
        ("map_tiled", "map", "view.tile=3 water.color=tropic"),
        ("teximage", "teximage", "view.palette=atlas"),
        ("triangles", "triangles", ""),
        ("rendered", "rendered", "view.tile=3"),
        ("lines", "lines", ""),
        ("ridge", "1d", ""),
    ];
    let failures = rows.iter().filter_map(|(name, shown, more)| {
        let settings = typed(shown, &format!("{ISLAND} {view} {more}"));
        let picture = desk.take(&settings, (192, 128));
        check_golden(&format!("sea_{name}"), &picture).err()
    });
    let failures: Vec<_> = failures.collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
