//! The maps that go with the heights: exact on planes and spheres, seamless, the same in part
//! and on any number of threads, and in every format that they are written in.

use std::path::Path;

use crate::common::{fail, folder, names, npy, succeed};
use glam::Vec3;
use landform::export::{self, Options};
use landform::fractal::region::Region;
use landform::heightmap::Heightmap;
use landform::inputs::Inputs;
use landform::job::Job;
use landform::maps::splat::Bands;
use landform::maps::{MAPS, Map, Relief, colors, relief};
use landform::pipeline;
use landform::scene::{Light, Scene};
use landform::texture::Palette;
use relief::Green;

mod numbers;
mod parts;
mod snow;
mod water;
mod written;

const SCENE: &str = "--seed 5 --iterations 5 --set surface.tile_size_m=300";

/// A fractal that wraps, and is the same neither turned nor mirrored.
fn fractal(iterations: u32) -> Heightmap {
    let mut scene = Scene::default();
    scene.surface.iterations = iterations;
    scene.surface.seed = 5;
    pipeline::heights(&scene, &Inputs::default(), &Job::new()).unwrap()
}

fn numbers_of(name: &str, relief: &Relief<'_>, light: &Light) -> Heightmap {
    let map = Map::named(name).expect(name);
    map.numbers(relief, light, &Job::new()).unwrap().unwrap()
}

fn numbers(name: &str, map: &Heightmap, tile_size_m: f32) -> Heightmap {
    let relief = Relief::of(map, tile_size_m);
    numbers_of(name, &relief, &Light::default())
}
