//! Forests from far away, as a part of the ground: its colour and its light.

use std::sync::Arc;

use landform::canopy::Crowns;
use landform::inputs::Inputs;
use landform::job::Job;
use landform::maps::colors;
use landform::pipeline::{self, Landscape, Pipeline};
use landform::render::picture;
use landform::scene::Scene;

use crate::covers::{ERODED, apart_on_the_map};
use crate::offscreen::Desk;
use crate::pictures::{Picture, check_golden, difference, landscape, scene};

/// Spruces in the valleys and birches on all gentle ground.
const WOODS: &str = "plants.0.kind=spruce plants.0.mask.by=height plants.0.mask.height.high=0.1 \
    plants.1.kind=birch plants.1.density=0.5";

fn take(settings: &str, size: (u32, u32)) -> Picture {
    picture(&landscape(&scene(settings)), size).expect("a picture")
}

#[test]
fn woods_match_the_golden_picture() {
    let view = "camera.pitch=25 camera.distance=1.2 fog.enabled=false";
    let settings = format!("{ERODED} {WOODS} {view}");
    check_golden("landscape_woods", &take(&settings, (192, 120))).expect("the golden picture");
}

#[test]
fn pictures_with_colours_of_the_ground_show_plants() {
    let size = (96, 64);
    for (render_type, shows) in [
        ("landscape", true),
        ("map", true),
        ("teximage", true),
        ("rendered", true),
        ("triangles", false),
        ("lines", false),
    ] {
        let bare = format!("{ERODED} view.render_type={render_type}");
        let wooded = take(&format!("{bare} {WOODS}"), size);
        let seen = difference(&wooded, &take(&bare, size));
        assert_eq!(seen > 0.02, shows, "{render_type}: {seen}");
    }
}

#[test]
fn layers_that_are_off_leave_the_picture_as_it_is() {
    let off = format!("{ERODED} plants.0.kind=spruce plants.0.on=false plants.1.density=0");
    assert!(take(&off, (96, 64)) == take(ERODED, (96, 64)));
}

#[test]
fn the_ground_does_not_know_of_its_plants() {
    let view = "analysis.contours=true snow.enabled=true water.rivers=true \
        analysis.watershed=[0.3,0.4]";
    let make = |settings: &str| landscape(&scene(&format!("{ERODED} {view} {settings}")));
    let same = |one: &Landscape, other: &Landscape| {
        let bits = |map: &landform::heightmap::Heightmap| -> Vec<u32> {
            map.heights()
                .iter()
                .map(|height| height.to_bits())
                .collect()
        };
        assert_eq!(bits(&one.heights), bits(&other.heights));
        assert_eq!(bits(one.surface()), bits(other.surface()));
        assert!(one.covers.is_some() && one.covers == other.covers);
        let outlet = |land: &Landscape| land.watershed.as_ref().map(|shown| shown.outlet);
        assert!(outlet(one).is_some() && outlet(one) == outlet(other));
        let rivers = |land: &Landscape| land.rivers.as_ref().map(|rivers| bits(&rivers.surface));
        assert!(rivers(one).is_some() && rivers(one) == rivers(other));
    };
    let (bare, wooded) = (make("view.tile=1"), make(WOODS));
    assert!(wooded.canopy.is_some() && bare.canopy.is_none());
    same(&bare, &wooded);
    let relief = |settings: &str| make(&format!("view.render_type=map {settings}")).relief;
    let (plain, planted) = (relief("view.tile=1"), relief(WOODS));
    assert!(
        plain.is_some_and(
            |plain| planted.is_some_and(|planted| plain.heights() == planted.heights())
        )
    );
    assert!(bare.sun != wooded.sun && bare.sky != wooded.sky);
}

#[test]
fn forests_cast_shadows() {
    // A strip of trees from north to south on level ground, with the sun low in the east.
    let strip = "surface.generator=formula surface.formula.expression=0.001*x surface.iterations=7 \
        surface.tile_size_m=600 light.elevation=10 light.bearing=90 light.occlusion=false";
    let wood = "plants.0.kind=spruce plants.0.mask.by=height plants.0.mask.height.low=-0.0001 \
        plants.0.mask.height.high=0.0001 plants.0.mask.height.soft=0";
    let sun = |settings: &str| landscape(&scene(settings)).sun.expect("shadows");
    let (bare, wooded) = (sun(strip), sun(&format!("{strip} {wood}")));
    let row = |map: &landform::light::Visibility| map.values.row(64).to_vec();
    let (bare, wooded) = (row(&bare), row(&wooded));
    let middle = bare.len() / 2;
    assert!(bare.iter().all(|seen| *seen == 255));
    assert!(wooded[middle - 10] < 64, "{wooded:?}");
    assert_eq!((wooded[middle + 20], wooded[5]), (255, 255));
}

#[test]
fn the_map_shows_the_colours_of_crowns() {
    let landscape = landscape(&scene(&format!(
        "{ERODED} {WOODS} material.covers=0 view.render_type=map"
    )));
    let canopy = landscape.canopy.as_deref().expect("a canopy");
    let displayed =
        |albedo: [f32; 3], _| albedo.map(|light| (1.055 * light.powf(1.0 / 2.4) - 0.055) * 255.0);
    let crowns = Crowns::of(canopy, &landscape.scene);
    let over = |color: [f32; 3], place: [f32; 2]| crowns.over(place, color, displayed);
    let (apart, bare) = apart_on_the_map(&landscape, over);
    assert!(apart < 2.0 && bare > 3.0 * apart, "{apart} {bare}");
}

#[test]
fn baked_colours_in_a_file_are_those_of_the_picture() {
    let mut desk = Desk::new();
    let settings = format!("{ERODED} {WOODS} material.covers=0 view.render_type=teximage");
    desk.take(&settings, (64, 64));
    let drawn = desk.renderer.read_teximage().expect("a baked texture");
    let scene: Scene = scene(&settings);
    let (inputs, job) = (Inputs::default(), Job::new());
    let map = pipeline::teximage(&scene, &inputs, &job).unwrap();
    let ground = Arc::new(pipeline::heights(&scene, &inputs, &job).unwrap());
    let canopy = pipeline::canopy(&scene, &inputs, &ground, &job).unwrap();
    let palette = inputs.palette(&scene.view.palette).unwrap();
    let size = [drawn.columns(), drawn.rows()];
    let bake = |canopy| colors::bake_at(size, &map, &palette, (None, canopy), &scene.light, &job);
    let crowns = canopy.as_ref().map(|canopy| Crowns::of(canopy, &scene));
    let (wooded, bare) = (bake(crowns.as_ref()).unwrap(), bake(None).unwrap());
    assert!(wooded != bare);
    let pairs = drawn.as_slice().iter().zip(wooded.as_slice());
    let apart = |(a, b): (&[u8; 3], &[u8; 3])| (0..3).map(|i| a[i].abs_diff(b[i])).max();
    assert!(pairs.filter_map(apart).max() <= Some(3));
}

#[test]
fn a_density_makes_only_plants_and_light_anew() {
    let mut pipeline = Pipeline::default();
    let inputs = Inputs::default();
    let mut run = |settings: &str| {
        let scene = scene(&format!("{ERODED} snow.enabled=true {WOODS} {settings}"));
        let mut done = Vec::new();
        let observe = &mut |stage| done.push(format!("{stage:?}"));
        pipeline
            .run_observed(&scene, &inputs, &Job::new(), observe)
            .unwrap();
        done
    };
    run("view.tile=1");
    assert_eq!(run("plants.1.density=0.3"), ["Canopy", "Sky", "Sun"]);
    assert!(run("plants.1.density=0.3").is_empty());
}

#[test]
fn leaves_turn_without_new_plants() {
    let mut pipeline = Pipeline::default();
    let mut run = |settings: &str| {
        let scene = scene(&format!(
            "{WOODS} surface.iterations=5 view.render_type=landscape {settings}"
        ));
        let landscape = pipeline.run(&scene, &Inputs::default(), &Job::new());
        landscape.unwrap().canopy.clone()
    };
    let (summer, autumn) = (run("plants.1.autumn=0"), run("plants.1.autumn=0.8"));
    let same = |one: Option<Arc<_>>, other: Option<Arc<_>>| {
        one.zip(other).is_some_and(|(a, b)| Arc::ptr_eq(&a, &b))
    };
    assert!(same(summer, autumn));
}

#[test]
fn maps_and_baked_colours_turn_in_autumn() {
    for render in ["map", "teximage", "rendered"] {
        let settings = format!("{WOODS} surface.iterations=6 view.render_type={render}");
        let mut desk = Desk::new();
        let summer = desk.take(&settings, (64, 64));
        let autumn = desk.take(&format!("{settings} plants.1.autumn=1"), (64, 64));
        let sum = |picture: &Picture, channel: usize| {
            let texels = picture.as_slice().iter();
            texels.map(|texel| u64::from(texel[channel])).sum::<u64>()
        };
        assert!(sum(&autumn, 0) > sum(&summer, 0), "{render}");
    }
}

/// A wooded landscape with some settings, from a pipeline that may have made others before.
fn wooded(pipeline: &mut Pipeline, settings: &str, is_preview: bool) -> Landscape {
    let settings = format!("surface.iterations=9 {WOODS} {settings}");
    let (scene, inputs, job) = (scene(&settings), Inputs::default(), Job::new());
    let made = match is_preview {
        true => pipeline.preview(&scene, &inputs, &job),
        false => pipeline.run(&scene, &inputs, &job),
    };
    made.expect("a landscape")
}

#[test]
fn a_preview_has_coarse_crowns_and_former_light() {
    let mut pipeline = Pipeline::default();
    let before = wooded(&mut pipeline, "plants.1.density=0.5", false);
    let preview = wooded(&mut pipeline, "plants.1.density=0.2", true);
    let after = wooded(&mut pipeline, "plants.1.density=0.2", false);
    let texels = |land: &Landscape| {
        land.canopy
            .as_ref()
            .expect("a canopy")
            .weights
            .texels
            .rows()
    };
    assert_eq!(texels(&before), 2 * texels(&preview));
    assert_eq!(texels(&after), texels(&before));
    assert!(before.sun.is_some() && preview.sun == before.sun && preview.sky == before.sky);
    assert!(after.sun != before.sun && after.sky != before.sky);
}

#[test]
fn a_changed_density_equals_a_fresh_start() {
    let mut pipeline = Pipeline::default();
    wooded(&mut pipeline, "plants.1.density=0.5", false);
    wooded(&mut pipeline, "plants.1.density=0.2", true);
    let after = wooded(&mut pipeline, "plants.1.density=0.2", false);
    let fresh = wooded(&mut Pipeline::default(), "plants.1.density=0.2", false);
    assert_same_woods(&after, &fresh);
}

/// Check that two landscapes have the same plants, the same canopy and the same light.
fn assert_same_woods(one: &Landscape, other: &Landscape) {
    let plants = |land: &Landscape| {
        let plants = land.plants.as_ref().expect("plants");
        plants
            .plants_in(plants.whole(), &Job::new())
            .expect("no cancelling")
    };
    assert!(plants(one) == plants(other));
    assert!(one.canopy == other.canopy && one.sun == other.sun && one.sky == other.sky);
}

/// Settings of snow that lies in a part of the woods.
const SNOW: &str = "snow.enabled=true snow.fade=0.2 snow.fall=1 snow.line=";

#[test]
fn a_preview_of_snow_keeps_the_plants() {
    let mut pipeline = Pipeline::default();
    let before = wooded(&mut pipeline, &format!("{SNOW}0.1"), false);
    let preview = wooded(&mut pipeline, &format!("{SNOW}-0.2"), true);
    assert!(preview.snow != before.snow);
    let is_same = |one: &Option<Arc<_>>, other: &Option<Arc<_>>| {
        let pair = one.as_ref().zip(other.as_ref());
        pair.is_some_and(|(one, other)| Arc::ptr_eq(one, other))
    };
    assert!(is_same(&preview.canopy, &before.canopy));
    let after = wooded(&mut pipeline, &format!("{SNOW}-0.2"), false);
    assert!(after.canopy != before.canopy);
}

#[test]
fn changed_snow_equals_a_fresh_start() {
    let mut pipeline = Pipeline::default();
    let off = "snow.enabled=false".to_owned();
    let lines = [0.1, -0.2, 0.0].map(|line| format!("{SNOW}{line}"));
    for settings in lines.iter().chain([&off, &lines[1]]) {
        wooded(&mut pipeline, settings, true);
        let after = wooded(&mut pipeline, settings, false);
        let fresh = wooded(&mut Pipeline::default(), settings, false);
        assert!(after.snow == fresh.snow, "{settings}");
        assert_same_woods(&after, &fresh);
    }
}
