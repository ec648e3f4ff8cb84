//! Meshes in files: whole, watertight where they are to be printed, with colours that are found,
//! and the same triangles in every format.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

use crate::common::*;
use glam::Vec3;
use landform::export::{self, MeshOptions, Options};
use landform::inputs::Inputs;
use landform::job::Job;
use landform::mesh::simplify::Simplified;
use landform::mesh::wall::{self, Corner};
use landform::mesh::{Detail, Triangulation};
use landform::pipeline;
use landform::scene::Scene;

mod all;
mod solid;
mod surfaces;

/// 65 × 65 samples, 300 m a side.
fn scene() -> Scene {
    let mut scene = Scene::default();
    scene.surface.iterations = 6;
    scene.surface.seed = 5;
    scene.surface.tile_size_m = 300.0;
    scene
}

/// A photo of another shape than 2^k + 1.
fn picture() -> Scene {
    landform::import::open(&jacksboro()).unwrap()
}

const DETAILS: [Detail; 4] = [
    Detail::All,
    Detail::Error(0.0),
    Detail::Error(0.02),
    Detail::Triangles(1000),
];

fn write(path: &Path, scene: &Scene, mesh: MeshOptions) {
    let options = Options {
        mesh,
        ..Options::default()
    };
    let inputs = landform::import::inputs(scene).unwrap();
    export::heightmap(path, scene, &inputs, options, &Job::new()).unwrap();
}

fn written(folder: &Path, name: &str, scene: &Scene, detail: Detail) -> Vec<u8> {
    let path = folder.join(name);
    let mesh = MeshOptions {
        detail,
        ..MeshOptions::default()
    };
    write(&path, scene, mesh);
    fs::read(path).unwrap()
}

/// How many triangles the map of a scene has at that detail.
fn triangles(scene: &Scene, detail: Detail) -> usize {
    let inputs = landform::import::inputs(scene).unwrap();
    let map = pipeline::heights(scene, &inputs, &Job::new()).unwrap();
    let mesh = Triangulation::new(&map, detail, &Job::new()).unwrap();
    mesh.triangles() as usize
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    let (numbers, _) = bytes.as_chunks::<4>();
    numbers.iter().map(|n| f32::from_le_bytes(*n)).collect()
}

fn whole_numbers(bytes: &[u8]) -> Vec<u32> {
    let (numbers, _) = bytes.as_chunks::<4>();
    numbers.iter().map(|n| u32::from_le_bytes(*n)).collect()
}

/// The triangles of an STL with their normals.
fn facets(stl: &[u8]) -> Vec<(Vec3, [Vec3; 3])> {
    let count = u32::from_le_bytes(stl[80..84].try_into().unwrap()) as usize;
    assert_eq!(stl.len(), 84 + 50 * count);
    let facet = |record: &[u8]| {
        let numbers = floats(&record[..48]);
        let corner = |index: usize| Vec3::from_slice(&numbers[3 * index..]);
        (corner(0), [corner(1), corner(2), corner(3)])
    };
    stl[84..].chunks_exact(50).map(facet).collect()
}

fn check_block(facets: &[(Vec3, [Vec3; 3])], size_mm: f32) {
    let mut edges: HashMap<[[u32; 3]; 2], i32> = HashMap::new();
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    let (mut volume, mut base) = (0.0, 0);
    for (normal, [a, b, c]) in facets {
        let up = (b - a).as_dvec3().cross((c - a).as_dvec3());
        // No sliver: none is as thin as the rounding of its places.
        let longest = [b - a, c - b, a - c].map(|side| side.as_dvec3().length());
        let longest = longest.into_iter().fold(0.0, f64::max);
        assert!(up.length() / longest > 1e-3, "flat: {a} {b} {c}");
        assert!(
            up.normalize().dot(normal.as_dvec3()) > 0.99,
            "turned over: {a} {b} {c}"
        );
        volume += a.as_dvec3().dot(b.as_dvec3().cross(c.as_dvec3())) / 6.0;
        base += u32::from(a.z == 0.0 && b.z == 0.0 && c.z == 0.0);
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let edge = [from, to].map(|v| v.to_array().map(f32::to_bits));
            *edges.entry(edge).or_default() += 1;
            low = low.min(*from);
            high = high.max(*from);
        }
    }
    for ([from, to], count) in &edges {
        assert_eq!(*count, 1, "an edge twice in one direction");
        assert!(edges.contains_key(&[*to, *from]), "an edge of one triangle");
    }
    assert_eq!(base, 2, "triangles of the base");
    let size = high - low;
    assert!((size.x.max(size.y) - size_mm).abs() < 1e-3, "{size}");
    assert_eq!(low.z, 0.0);
    assert!(volume > f64::from(size.x * size.y * 3.0), "{volume}");
    assert!(volume < f64::from(size.x * size.y * size.z), "{volume}");
}

/// The rest of the first line that starts with `word`.
fn value<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    text.lines()
        .find_map(|line| line.strip_prefix(word)?.strip_prefix(' '))
}

/// Place, normal and number of the vertices of a binary `.ply`, and its triangles.
fn ply(bytes: &[u8]) -> (Vec<[f32; 6]>, Vec<[u32; 3]>) {
    let end = b"end_header\n";
    let header = bytes.windows(end.len()).position(|w| w == end).unwrap() + end.len();
    let text = std::str::from_utf8(&bytes[..header]).unwrap();
    let count = |word| -> usize { value(text, word).unwrap().parse().unwrap() };
    let (body, faces) = bytes[header..].split_at(27 * count("element vertex"));
    let vertex = |bytes: &[u8]| <[f32; 6]>::try_from(&floats(&bytes[..24])[..]).unwrap();
    let face = |bytes: &[u8]| <[u32; 3]>::try_from(&whole_numbers(&bytes[1..])[..]).unwrap();
    assert_eq!(faces.len(), 13 * count("element face"));
    let vertices = body.chunks_exact(27).map(vertex);
    (
        vertices.collect(),
        faces.chunks_exact(13).map(face).collect(),
    )
}
