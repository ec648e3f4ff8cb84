//! The examples run as they are.

use std::fs;

use crate::common::folder;

#[allow(dead_code)]
#[path = "../../examples/height_map.rs"]
mod height_map;
#[allow(dead_code)]
#[path = "../../examples/picture.rs"]
mod picture;
#[allow(dead_code)]
#[path = "../../examples/planet.rs"]
mod planet;

#[test]
fn every_example_runs() {
    let folder = folder();
    let map = folder.path().join("map.png");
    height_map::write(&map).unwrap();
    assert_eq!(image::image_dimensions(&map).unwrap(), (1025, 1025));
    let seen = folder.path().join("seen.png");
    picture::write(&seen).unwrap();
    assert_eq!(image::image_dimensions(&seen).unwrap(), (480, 270));
    let (west, east) = planet::two_neighbours(1_000_000_000, 1_500_000_000).unwrap();
    for row in 0..257 {
        assert_eq!(west.at(row, 256), east.at(row, 0));
    }
    // None is left out here.
    let files = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/examples")).unwrap();
    assert_eq!(files.count(), 3);
}

/// Pictures of the gallery are scenes that readers of the book open.
#[test]
fn gallery_pictures_open_as_their_scenes() {
    let mut scenes = 0;
    let gallery = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/gallery");
    for entry in fs::read_dir(gallery).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "png") {
            continue;
        }
        let found = landform::import::find(&path).unwrap();
        assert!(found.notices.is_empty(), "{:?}", found.notices);
        scenes += usize::from(found.scene.is_some());
    }
    assert!(scenes > 50, "{scenes}");
}
