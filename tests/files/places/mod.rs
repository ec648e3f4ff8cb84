//! Real places: their scale when they come in, what was assumed, and what goes out again.

use std::fs;
use std::path::Path;

use crate::common::*;
use landform::generate::Reading;
use landform::import::{self, Samples};
use serde_json::Value;
use tiff::encoder::TiffEncoder;
use tiff::encoder::colortype::Gray32Float;
use tiff::tags::Tag;

mod coming_in;
mod going_out;
mod lost;

/// Metres of a degree at a latitude, eastwards and southwards.
fn degree(latitude: f64) -> [f64; 2] {
    landform::geo::Ellipsoid::WGS_84.metres_of_degree(latitude)
}

/// The tags that place a GeoTIFF.
#[derive(Default)]
struct Place<'a> {
    scale: &'a [f64],
    tie: &'a [f64],
    transformation: &'a [f64],
    keys: &'a [u16],
    text: &'a str,
}

fn write_tiff(path: &Path, columns: u32, values: &[f32], place: &Place<'_>) {
    let mut encoder = TiffEncoder::new(fs::File::create(path).unwrap()).unwrap();
    let rows = values.len() as u32 / columns;
    let mut image = encoder.new_image::<Gray32Float>(columns, rows).unwrap();
    let tags = image.encoder();
    for (tag, numbers) in [
        (Tag::ModelPixelScaleTag, place.scale),
        (Tag::ModelTiepointTag, place.tie),
        (Tag::ModelTransformationTag, place.transformation),
    ] {
        if !numbers.is_empty() {
            tags.write_tag(tag, numbers).unwrap();
        }
    }
    if !place.keys.is_empty() {
        tags.write_tag(Tag::GeoKeyDirectoryTag, place.keys).unwrap();
    }
    if !place.text.is_empty() {
        tags.write_tag(Tag::GeoAsciiParamsTag, place.text).unwrap();
    }
    image.write_data(values).unwrap();
}

/// The numbers of a tag of a file; none if it is not there.
fn tag(path: &Path, tag: Tag) -> Vec<f64> {
    let file = fs::File::open(path).unwrap();
    let mut decoder = tiff::decoder::Decoder::new(std::io::BufReader::new(file)).unwrap();
    decoder.get_tag_f64_vec(tag).unwrap_or_default()
}

fn keys(path: &Path) -> Vec<u16> {
    let file = fs::File::open(path).unwrap();
    let mut decoder = tiff::decoder::Decoder::new(std::io::BufReader::new(file)).unwrap();
    let keys = decoder.get_tag_u16_vec(Tag::GeoKeyDirectoryTag);
    keys.unwrap_or_default()
}

/// A key directory of version 1.1.0.
fn directory(keys: &[[u16; 4]]) -> Vec<u16> {
    let head = [1, 1, 0, keys.len() as u16];
    head.into_iter().chain(keys.concat()).collect()
}

/// Metres of a sample.
fn metres(samples: &Samples, row: usize, column: usize) -> f64 {
    f64::from(samples.grid.at(row, column)) * f64::from(samples.tile_size_m.unwrap()) / 2.0
}

#[track_caller]
fn assert_near(value: f64, wanted: f64) {
    let off = (value - wanted).abs();
    assert!(
        off <= 1e-5 * wanted.abs().max(1e-3),
        "{value}, not {wanted}"
    );
}

/// What `generate --json` says, and what it says on standard error.
#[track_caller]
fn facts(folder: &Path, words: &str) -> (Value, String) {
    let output = landform(folder, &format!("generate {words} --json"));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{words}: {said}");
    (serde_json::from_slice(&output.stdout).unwrap(), said)
}

/// Heights 0, 1, 2 … m.
fn counted(count: usize) -> Vec<f32> {
    (0..count).map(|height| height as f32).collect()
}

/// Keys of ETRS89 / UTM 32 with a name, as another program writes them.
const UTM: [u16; 24] = [
    1, 1, 0, 5, 1024, 0, 1, 1, 1025, 0, 1, 1, 1026, 34_737, 22, 0, 3072, 0, 1, 25_832, 3076, 0, 1,
    9001,
];
const UTM_NAME: &str = "ETRS89 / UTM zone 32N|";

fn write_utm(path: &Path) {
    let place = Place {
        scale: &[25.0, 25.0, 0.0],
        tie: &[0.0, 0.0, 0.0, 500_000.0, 5_400_000.0, 0.0],
        keys: &UTM,
        text: UTM_NAME,
        ..Place::default()
    };
    write_tiff(path, 9, &counted(81), &place);
}

/// Writes a map of 9 × 9 samples of 20 units, its heights 0, 100, 200 …
fn write_model(path: &Path, place: &Place<'_>) {
    let heights: Vec<f32> = (0..81).map(|at| at as f32 * 100.0).collect();
    write_tiff(path, 9, &heights, place);
}
