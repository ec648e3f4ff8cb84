//! Height maps in: every format that goes out, and those of other programs.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::*;
use landform::export::{self, Format, Options};
use landform::generate::Generator;
use landform::grid::Grid;
use landform::import::{self, Meaning};
use landform::job::Job;
use landform::scene::{RenderType, Scene};

mod exact;
mod geotiff;
mod others;

/// 65 × 65 samples of a tile whose side is no power of two, so that metres are rounded.
fn scene() -> Scene {
    let mut scene = Scene::default();
    scene.surface.iterations = 6;
    scene.surface.seed = 5;
    scene.surface.tile_size_m = 2_345.6;
    scene
}

/// `scene` in the format of that name, as `stem.extension`.
fn export(folder: &Path, stem: &str, name: &str, scene: &Scene) -> PathBuf {
    let format = Format::named(name).expect(name);
    let path = folder.join(format!("{stem}.{}", format.extension));
    let inputs = import::inputs(scene).unwrap();
    let options = Options {
        format: Some(format),
        ..Options::default()
    };
    export::heightmap(&path, scene, &inputs, options, &Job::new()).unwrap();
    path
}

fn bits(heights: &[f32]) -> Vec<u32> {
    heights.iter().map(|height| height.to_bits()).collect()
}

fn write_npy(path: &Path, rows: u64, columns: u64, value: impl Fn(u64, u64) -> f32) {
    use npyz::WriterBuilder;
    let file = fs::File::create(path).unwrap();
    let options = npyz::WriteOptions::new().default_dtype();
    let mut writer = options
        .shape(&[rows, columns])
        .writer(file)
        .begin_nd()
        .unwrap();
    let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    writer
        .extend(places.map(|(row, column)| value(row, column)))
        .unwrap();
    writer.finish().unwrap();
}
