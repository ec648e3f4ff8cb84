//! Cameras: over the ground and never under it, smooth, and the same at any frame rate.

use crate::common::{fail, fail_with, folder, names, succeed};
use glam::Vec3;
use landform::camera::{CLEARANCE, Ground, Path, Steering, Wish, above_ground, eye_height};
use landform::generate::{Generator, Images, Surface};
use landform::heightmap::Heightmap;
use landform::import;
use landform::job::Job;
use landform::pipeline::Pipeline;
use landform::scene::{Bookmark, Camera, CameraMode, CameraPath, KeyFrame, Scene};
use proptest::prelude::*;

mod ground;
mod in_view;
mod path;

const TILE_M: f32 = 2000.0;

fn map(generator: Generator, hurst: f32, seed: u64) -> Heightmap {
    let surface = Surface {
        generator,
        hurst,
        seed,
        iterations: 6,
        ..Surface::default()
    };
    let job = Job::new();
    surface.generate(&Images::default(), &job, None).unwrap()
}

/// Rough maps: one that wraps, one with cliffs between its tiles, one that is not square.
fn maps() -> Vec<Heightmap> {
    let wrapped = map(Generator::DiamondSquare, 0.1, 7);
    let cliffs = Heightmap::new(
        33,
        33,
        false,
        (0..33 * 33)
            .map(|i| ((i * 37) % 101) as f32 / 300.0 + (i % 33) as f32 / 40.0)
            .collect::<Vec<_>>(),
    );
    let oblong = Heightmap::new(
        9,
        33,
        false,
        (0..9 * 33)
            .map(|i| ((i * 53) % 17) as f32 / 20.0)
            .collect::<Vec<_>>(),
    );
    vec![wrapped, cliffs, oblong]
}

/// The height drawn at a place: exactly that of the triangles, tile by tile.
fn drawn(map: &Heightmap, tiles: u32, x: f32, z: f32) -> f32 {
    let cells = [map.columns() - 1, map.rows() - 1];
    let longest = cells[0].max(cells[1]) as f64;
    let local = |at: f32, cells: usize| {
        let side = 2.0 * cells as f64 / longest;
        let half = f64::from(tiles) * 0.5;
        let tile = (f64::from(at) / side + half).clamp(0.0, f64::from(tiles));
        let first = tile.floor().min(f64::from(tiles) - 1.0);
        (tile - first) * cells as f64
    };
    let (column, row) = (local(x, cells[0]), local(z, cells[1]));
    let (i, j) = (
        (column as usize).min(cells[0] - 1),
        (row as usize).min(cells[1] - 1),
    );
    let (u, v) = ((column - i as f64) as f32, (row - j as f64) as f32);
    let (a, b) = (map.at(j, i), map.at(j, i + 1));
    let (c, d) = (map.at(j + 1, i), map.at(j + 1, i + 1));
    match u > v {
        true => a + (b - a) * u + (d - b) * v,
        false => a + (c - a) * v + (d - c) * u,
    }
}
