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
/// The mean difference of the channels, out of 255, that the picture and each of its parts must
/// stay below. It finds a shift of every pixel that no single pixel shows.
const MEAN: f64 = 1.0;
/// Parts along each side of a picture.
const PARTS: usize = 8;

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

/// The largest mean difference of all channels, out of 255, over the whole picture and over each of
/// 8 × 8 parts of it; 255 for pictures of different size.
pub fn most_mean_difference(a: &Picture, b: &Picture) -> f64 {
    let (rows, columns) = (a.rows(), a.columns());
    if (rows, columns) != (b.rows(), b.columns()) {
        return 255.0;
    }
    let mean = |rows: std::ops::Range<usize>, across: std::ops::Range<usize>| {
        let places = rows.flat_map(|row| across.clone().map(move |column| (row, column)));
        let (mut sum, mut count) = (0_u64, 0_u64);
        for (row, column) in places {
            let (a, b) = (a.at(row, column), b.at(row, column));
            sum += (0..3).map(|i| u64::from(a[i].abs_diff(b[i]))).sum::<u64>();
            count += 3;
        }
        sum as f64 / count.max(1) as f64
    };
    let part = |index: usize, length: usize| index * length / PARTS..(index + 1) * length / PARTS;
    let parts = (0..PARTS * PARTS)
        .map(|index| mean(part(index / PARTS, rows), part(index % PARTS, columns)));
    parts.fold(mean(0..rows, 0..columns), f64::max)
}

fn differ(a: &[u8; 3], b: &[u8; 3]) -> bool {
    a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > TOLERANCE)
}

/// Compares a picture with `tests/golden/NAME.png`: few pixels may differ visibly, and no part of
/// the picture may be brighter or darker as a whole. On a failure saves expected, actual and
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
    let mean = most_mean_difference(&expected, actual);
    if part <= DIFFERENT && mean < MEAN {
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
        "{name}: {:.2} % of the pixels differ by more than {TOLERANCE}/255, and some part by \
         {mean:.2}/255 in its mean, see {}",
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

#[test]
fn mean_shift_below_pixel_threshold_is_a_difference() {
    let grey = Grid::filled(40, 60, [100_u8; 3]);
    let lighter = Grid::filled(40, 60, [102_u8; 3]);
    assert_eq!(difference(&grey, &lighter), 0.0);
    assert_eq!(most_mean_difference(&grey, &lighter), 2.0);
    let mut cells = grey.as_slice().to_vec();
    for row in 35..40 {
        cells[row * 60 + 53..(row + 1) * 60].fill([104; 3]);
    }
    let corner = Grid::from_vec(40, 60, cells).unwrap();
    assert!(difference(&grey, &corner) == 0.0);
    assert!(most_mean_difference(&grey, &corner) > MEAN);
}
