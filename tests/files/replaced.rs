//! What others put in the place of a file while it is being made stays.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::common::{folder, names};
use landform::export::{self, ExportError, Options, Output, PictureRequest};
use landform::grid::Grid;
use landform::inputs::Inputs;
use landform::job::Job;
use landform::scene::Scene;

const MINE: &[u8] = b"mine";

fn scene() -> Scene {
    let mut scene = Scene::default();
    scene.surface.iterations = 4;
    scene
}

const REQUEST: PictureRequest = PictureRequest {
    size: (4, 4),
    samples: 1,
    transparent: false,
};

/// Writes a picture; `meanwhile` happens before its last row.
fn picture(path: &Path, meanwhile: impl FnOnce()) -> Result<(), ExportError> {
    export::picture_in_bands(path, REQUEST, &scene(), &Job::new(), |put| {
        put(&Grid::filled(3, 4, [1, 2, 3, 255]))?;
        meanwhile();
        put(&Grid::filled(1, 4, [1, 2, 3, 255]))
    })
}

/// Writes a height map; `meanwhile` happens once it has begun.
fn heights(path: &Path, meanwhile: impl Fn() + Send + Sync + 'static) -> Result<(), ExportError> {
    let is_done = AtomicBool::new(false);
    let folder = path.parent().unwrap().to_owned();
    let job = Job::with_pauses(move |_| {
        let has_begun = || names(&folder).iter().any(|name| name.ends_with(".part"));
        if has_begun() && !is_done.swap(true, Ordering::Relaxed) {
            meanwhile();
        }
    });
    let options = Options::default();
    export::heightmap(path, &scene(), &Inputs::default(), options, &job).map(drop)
}

fn is_foreign(result: Result<(), ExportError>) -> bool {
    matches!(result, Err(ExportError::Foreign { .. }))
}

#[test]
fn a_file_that_appears_meanwhile_stays() {
    let folder = folder();
    let path = folder.path().join("x.png");
    let written = picture(&path, || fs::write(&path, MINE).unwrap());
    assert!(is_foreign(written));
    assert_eq!(fs::read(&path).unwrap(), MINE);
    assert_eq!(names(folder.path()), ["x.png"]);
}

#[cfg(unix)]
#[test]
fn a_link_that_appears_meanwhile_stays() {
    let folder = folder();
    let [path, mine] = ["x.png", "mine.png"].map(|name| folder.path().join(name));
    fs::write(&mine, MINE).unwrap();
    let written = picture(&path, || std::os::unix::fs::symlink(&mine, &path).unwrap());
    assert!(is_foreign(written));
    assert_eq!(fs::read_link(&path).unwrap(), mine);
    assert_eq!(fs::read(&mine).unwrap(), MINE);
    assert_eq!(names(folder.path()), ["mine.png", "x.png"]);
}

#[test]
fn a_file_that_is_edited_meanwhile_stays() {
    let folder = folder();
    let path = folder.path().join("x.png");
    picture(&path, || ()).unwrap();
    assert!(is_foreign(
        picture(&path, || fs::write(&path, MINE).unwrap())
    ));
    assert_eq!(fs::read(&path).unwrap(), MINE);
}

#[test]
fn foreign_companion_stays_and_nothing_is_written() {
    for name in ["x.obj", "x.obj.json", "x.mtl", "x-texture.png"] {
        let folder = folder();
        let [path, put] = ["x.obj", name].map(|name| folder.path().join(name));
        let mine = put.clone();
        let written = heights(&path, move || fs::write(&mine, MINE).unwrap());
        assert!(is_foreign(written), "{name}");
        assert_eq!(fs::read(&put).unwrap(), MINE, "{name}");
        assert_eq!(names(folder.path()), [name]);
    }
}

#[test]
fn our_own_that_appears_meanwhile_is_replaced() {
    let folder = folder();
    let [path, other] = ["x.png", "other.png"].map(|name| folder.path().join(name));
    picture(&other, || ()).unwrap();
    picture(&path, || fs::rename(&other, &path).unwrap()).unwrap();
    assert_eq!(names(folder.path()), ["x.png"]);
}

#[test]
fn allowed_replacement_requires_an_unchanged_file() {
    let folder = folder();
    let path = folder.path().join("x.png");
    fs::write(&path, "old").unwrap();
    let allow = || {
        let output = [Output::picture(&path, REQUEST)];
        export::check_outputs(&output, &[], &|_| true).unwrap();
    };
    assert!(is_foreign(picture(&path, || ())), "nobody allowed it");
    allow();
    assert!(is_foreign(
        picture(&path, || fs::write(&path, MINE).unwrap())
    ));
    assert_eq!(fs::read(&path).unwrap(), MINE);
    allow();
    picture(&path, || ()).unwrap();
    assert_ne!(fs::read(&path).unwrap(), MINE);
}

#[test]
fn an_empty_file_of_others_stays() {
    for name in ["x.obj", "x.obj.json", "x.mtl"] {
        let folder = folder();
        fs::write(folder.path().join(name), "").unwrap();
        let written = heights(&folder.path().join("x.obj"), || ());
        assert!(is_foreign(written), "{name}");
        assert_eq!(names(folder.path()), [name]);
    }
}
