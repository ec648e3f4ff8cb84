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
            (0.05_f32, "water.time=3 plants.1.autumn=0.5"),
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
        let [bare, planted] = ["", TREES].map(|plants| {
            let changes = zoomed(start, plants);
            changes.into_iter().fold(0.0, f64::max)
        });
        assert!(planted <= bare + 1.0, "{start}: {planted:.2} {bare:.2}");
    }
}

#[test]
fn no_plant_changes_its_colour_at_once() {
    let turned = format!("{TREES} plants.1.autumn=0.6");
    let in_snow =
        format!("{TREES} plants.0.snow=9 plants.1.snow=9 snow.enabled=true snow.line=-0.3");
    for (start, settings) in [0.05_f32, 0.3]
        .into_iter()
        .flat_map(|start| [(start, &turned), (start, &in_snow)])
    {
        // Dark trees on snow change the picture more than snow alone, but each step alike.
        let changes = zoomed(start, settings);
        let most = changes.iter().copied().fold(0.0, f64::max);
        let least = changes.iter().copied().fold(f64::INFINITY, f64::min);
        assert!(most <= least + 1.0, "{start} {settings}: {changes:.2?}");
    }
}

/// Mean changes of a picture of hills with these settings, out of 255, where each is a hundredth closer.
fn zoomed(start: f32, settings: &str) -> Vec<f64> {
    let settings = format!("view.render_type=landscape light.elevation=35 {settings}");
    let mut now = from_near(hills(7, &settings), 0.2134567, 0.3345678, start);
    let mut desk = Desk::new();
    desk.update(&now);
    let mut frames = Vec::new();
    for _ in 0..6 {
        frames.push(desk.picture(&now, SIZE));
        now.camera.distance /= 1.01;
    }
    let pairs = frames.windows(2);
    pairs.map(|pair| difference(&pair[0], &pair[1])).collect()
}

#[test]
fn plants_sway_in_the_wind() {
    let mut desk = Desk::new();
    let [first, second] = ["water.time=1", "water.time=1.8"].map(|time| {
        let scene = woods(0.02, time);
        desk.update(&scene);
        desk.picture(&scene, SIZE)
    });
    let off = difference(&first, &second);
    assert!(off > 0.3, "{off}");
}

#[test]
fn ground_does_not_sway() {
    let bare = |time: &str| {
        let settings = format!("view.render_type=landscape surface.iterations=6 {time}");
        Desk::new().take(&settings, SIZE)
    };
    assert!(bare("water.time=1") == bare("water.time=1.8"));
}

/// Mean brightness of a picture from straight above a dense wood of spruces, by its distance.
fn brightness_from_above(distance: f32, snow: &str) -> f64 {
    let picture = Desk::new().take(
        &format!(
            "view.render_type=landscape surface.iterations=6 light.elevation=60 camera.mode=top fog.enabled=false \
             camera.distance={distance} plants.0.kind=spruce plants.0.spacing=0.6 plants.0.snow=900 {snow}"
        ),
        SIZE,
    );
    let channels = picture.as_slice().as_flattened();
    channels
        .iter()
        .map(|channel| f64::from(*channel))
        .sum::<f64>()
        / channels.len() as f64
}

#[test]
fn crowns_carry_snow_near_and_far() {
    let snow = "snow.enabled=true snow.line=-2";
    for distance in [0.03, 1.2] {
        let [bare, white] = ["", snow].map(|snow| brightness_from_above(distance, snow));
        assert!(white > bare + 50.0, "{distance}: {bare} {white}");
    }
}

/// A level shore with a wood in the north, seen over the sea in the south.
const SHORE: &str = "surface.generator=formula surface.iterations=7 surface.tile_size_m=500 surface.formula.wrap=false \
    surface.formula.expression=-0.1*z view.render_type=landscape water.enabled=true water.level=0 water.waves=0 \
    water.sand=0 sky.coverage=0 fog.enabled=false light.bearing=180 light.elevation=40 camera.bearing=0 \
    camera.fov=30 camera.target=[0,0.02,0] camera.distance=0.8";

#[test]
fn calm_sea_mirrors_single_trees() {
    // So far apart that next to none of the ground is under crowns.
    let sparse = "plants.0.kind=spruce plants.0.slope=90 plants.0.size=3 plants.0.density=0.04";
    let mut desk = Desk::of_way(GroundPath::RayCast);
    let [bare, trees] =
        ["", sparse].map(|trees| desk.take(&format!("{SHORE} camera.pitch=1 {trees}"), SIZE));
    let middle = bare.rows() / 2;
    let changed = |rows: std::ops::Range<usize>| {
        let places = rows.flat_map(|row| (0..bare.columns()).map(move |column| (row, column)));
        let differs = |(row, column): &(usize, usize)| {
            let pairs = trees
                .at(*row, *column)
                .into_iter()
                .zip(bare.at(*row, *column));
            pairs.map(|(one, other)| one.abs_diff(other)).max() > Some(12)
        };
        places.filter(differs).count()
    };
    let (above, below) = (changed(0..middle), changed(middle..bare.rows()));
    assert!(above > 200, "{above}");
    assert!(3 * below > above, "{above} {below}");
}

/// Share of the sea's pixels near the shore that sparse trees darken, from above, with the sun at a bearing.
fn shaded_share(bearing: u32) -> f64 {
    let above = format!(
        "{SHORE} camera.mode=top camera.target=[0,0,0] camera.distance=0.5 light.bearing={bearing} \
         water.sand=0.01 water.clarity=0.5"
    );
    let mut desk = Desk::of_way(GroundPath::RayCast);
    let bare = desk.take(&above, SIZE);
    let trees = "plants.0.kind=spruce plants.0.slope=90 plants.0.density=0.1";
    let planted = desk.take(&format!("{above} {trees}"), SIZE);
    // Beyond the crowns that hang over the water.
    let rows = 52..75;
    let pixels = rows
        .clone()
        .flat_map(|row| (0..bare.columns()).map(move |column| (row, column)));
    let is_shaded = |(row, column): &(usize, usize)| {
        i32::from(bare.at(*row, *column)[1]) - i32::from(planted.at(*row, *column)[1]) > 12
    };
    pixels.filter(is_shaded).count() as f64 / (rows.len() * bare.columns()) as f64
}

#[test]
fn trees_throw_shadows_on_the_sea() {
    let [north, south] = [0, 180].map(shaded_share);
    assert!(north > 0.02, "{north}");
    assert!(south < 0.002, "{south}");
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
