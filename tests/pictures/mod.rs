//! What tests of pictures share: scenes from `key=value`, and golden images.
#![allow(dead_code)]

use std::path::{Path, PathBuf};

use landform::grid::Grid;
use landform::import;
use landform::job::Job;
use landform::pipeline::{Landscape, Pipeline};
use landform::scene::Scene;

/// A picture: top row first, sRGB.
pub type Picture = Grid<[u8; 3]>;

/// A channel differs when it is off by more than this.
const TOLERANCE: u8 = 8;
/// Part of the pixels that may differ.
const DIFFERENT: f64 = 0.001;

/// A scene from `key=value` words; paths are those of the repository.
pub fn scene(settings: &str) -> Scene {
    settings
        .split_whitespace()
        .fold(Scene::default(), |scene, setting| {
            let (key, value) = setting.split_once('=').expect("key=value");
            scene.with(key, value).expect("a valid setting")
        })
}

/// What the scene turns into.
pub fn landscape(scene: &Scene) -> Landscape {
    let inputs = import::inputs(scene).expect("the images it names");
    Pipeline::default()
        .run(scene, &inputs, &Job::new())
        .expect("a landscape")
}

/// Part of the pixels that differ visibly, 0…1; 1 for pictures of different size.
pub fn difference(a: &Picture, b: &Picture) -> f64 {
    if (a.rows(), a.columns()) != (b.rows(), b.columns()) {
        return 1.0;
    }
    let pairs = a.as_slice().iter().zip(b.as_slice());
    let different = pairs.filter(|(a, b)| differ(a, b)).count();
    different as f64 / a.as_slice().len() as f64
}

fn differ(a: &[u8; 3], b: &[u8; 3]) -> bool {
    a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > TOLERANCE)
}

/// Compares a picture with `tests/golden/NAME.png`; on a failure saves expected, actual and
/// difference under `target/golden`. `LANDFORM_BLESS=1` rewrites the golden picture instead.
///
/// # Errors
/// What differs, and where to look.
pub fn check_golden(name: &str, actual: &Picture) -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let golden = root.join("tests/golden").join(format!("{name}.png"));
    if std::env::var_os("LANDFORM_BLESS").is_some() {
        save(&golden, actual);
        return Ok(());
    }
    let expected = match image::open(&golden) {
        Ok(image) => picture(&image.to_rgb8()),
        Err(error) => return Err(format!("{name}: {error}: {}", golden.display())),
    };
    let part = difference(&expected, actual);
    if part <= DIFFERENT {
        return Ok(());
    }
    let folder = root.join("target/golden");
    let place = |what: &str| -> PathBuf { folder.join(format!("{name}-{what}.png")) };
    save(&place("expected"), &expected);
    save(&place("actual"), actual);
    if expected.as_slice().len() == actual.as_slice().len() {
        let pairs = expected.as_slice().iter().zip(actual.as_slice());
        let cells = pairs
            .map(|(a, b)| std::array::from_fn(|i| a[i].abs_diff(b[i]).saturating_mul(4)))
            .collect();
        let grid = Grid::from_vec(actual.rows(), actual.columns(), cells);
        save(&place("difference"), &grid.expect("as many pixels"));
    }
    Err(format!(
        "{name}: {:.2} % of the pixels differ by more than {TOLERANCE}/255, see {}",
        part * 100.0,
        place("actual").display()
    ))
}

fn picture(image: &image::RgbImage) -> Picture {
    let cells = image.pixels().map(|pixel| pixel.0).collect();
    Grid::from_vec(image.height() as usize, image.width() as usize, cells)
        .expect("width × height pixels")
}

fn save(path: &Path, picture: &Picture) {
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a writable folder");
    let (width, height) = (picture.columns() as u32, picture.rows() as u32);
    let bytes = picture.as_slice().concat();
    image::save_buffer(path, &bytes, width, height, image::ColorType::Rgb8)
        .expect("a writable picture");
}
