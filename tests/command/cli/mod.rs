//! The command line: every subcommand, every exit code.

use std::fs;
use std::path::Path;

use crate::common::*;
use landform::generate::{Generator, Surface};
use landform::grid::Grid;
use landform::import;
use landform::param::Params;
use landform::scene::{RenderType, Scene};
use serde_json::Value;

mod made;
mod planted;
mod refused;
mod said;

fn surface() -> Surface {
    Surface {
        seed: 7,
        iterations: 6,
        hurst: 0.6,
        ..Surface::default()
    }
}

fn stats(folder: &Path, arguments: &str) -> Value {
    serde_json::from_str(&succeed(folder, &format!("stats {arguments} --json"))).unwrap()
}

fn range(grid: &Grid<f32>) -> (f32, f32) {
    let values = grid.as_slice().iter().copied();
    (
        values.clone().fold(f32::MAX, f32::min),
        values.fold(f32::MIN, f32::max),
    )
}
