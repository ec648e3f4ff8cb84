//! What a file opens as, whatever was open before and however it came in.

use super::*;
use crate::common::folder;
use crate::readable::{WAYS, busy_scene, by_command, by_input_flag, ends, file, opened, saved};

#[test]
fn every_readable_name_opens_as_by_the_command() {
    let folder = folder();
    for (index, end) in ends().into_iter().enumerate() {
        let path = file(folder.path(), end);
        let test = opened(&path, WAYS[1]);
        let there = saved(folder.path(), &test);
        assert_eq!(there, by_command(folder.path(), &path), "{index}: {end}");
    }
}

#[test]
fn every_way_in_opens_the_same_scene() {
    let folder = folder();
    let path = file(folder.path(), "asc");
    let plain = import::open_image(&path).unwrap();
    for (index, way) in WAYS.into_iter().enumerate() {
        assert_eq!(scene(&opened(&path, way)), plain, "{index}");
    }
}

#[test]
fn an_elevation_model_opens_as_a_map_with_contours() {
    let folder = folder();
    let path = file(folder.path(), "asc");
    let mut expected = Scene::default();
    expected.view.render_type = RenderType::Map;
    expected.camera.bearing = 0.0;
    (expected.analysis.hillshade, expected.analysis.contours) = (true, true);
    expected.view.scale_bar = true;
    // Nothing is made up between its samples.
    expected.detail.strength = 0.0;
    let mut found = by_command(folder.path(), &path);
    assert_eq!(found, by_input_flag(folder.path(), &path));
    found.surface = expected.surface.clone();
    assert_eq!(found, expected);
}

#[test]
fn one_button_keeps_light_and_colours() {
    let folder = folder();
    let path = file(folder.path(), "asc");
    let mut test = opened(&path, WAYS[1]);
    let plain = scene(&test);
    test.get_by_label("Keep the previous ones").click();
    test.run_steps(4);
    let before = busy_scene();
    let kept = scene(&test);
    assert_eq!(
        (&kept.light, &kept.view.palette),
        (&before.light, &before.view.palette)
    );
    let land = |scene: &Scene| {
        (
            scene.surface.clone(),
            scene.modifiers.clone(),
            scene.view.tile,
        )
    };
    assert_eq!(land(&kept), land(&plain));
    assert!(test.query_by_label("Keep the previous ones").is_none());
    key(&mut test, Modifiers::COMMAND, Key::Z);
    assert_eq!(scene(&test), plain, "one step of undo");
}

#[test]
fn an_opened_scene_offers_no_other_colours() {
    let folder = folder();
    let test = opened(&file(folder.path(), "toml"), WAYS[1]);
    assert!(test.query_by_label("Keep the previous ones").is_none());
}

#[test]
fn files_of_a_height_map_have_its_name_and_never_replace_it() {
    let folder = folder();
    let path = file(folder.path(), "asc");
    let stem = landform::app::state::document::file_stem(&import::open_image(&path).unwrap());
    let own = path.file_stem().unwrap().to_str().unwrap();
    assert_eq!(stem, format!("landform-{own}"));
    let plain = landform::app::state::document::file_stem(&Scene::default());
    assert_eq!(plain, "landform-diamond-square-seed-0");
}
