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

#[test]
fn a_block_is_watertight_and_as_large_as_asked_at_every_detail() {
    let folder = folder();
    let path = folder.path().join("x.stl");
    for (scene, details) in [(scene(), &DETAILS[..]), (picture(), &DETAILS[2..])] {
        for detail in details {
            for print_size_mm in [100.0, 42.5] {
                let options = MeshOptions {
                    detail: *detail,
                    print_size_mm,
                    ..MeshOptions::default()
                };
                write(&path, &scene, options);
                let stl = fs::read(&path).unwrap();
                assert!(
                    stl.starts_with(b"landform "),
                    "not `solid`, which means text"
                );
                check_block(&facets(&stl), print_size_mm);
            }
        }
    }
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

#[test]
fn a_blocks_header_tells_scenes_apart() {
    let folder = folder();
    let header = |scene: &Scene| {
        let stl = written(folder.path(), "x.stl", scene, Detail::All);
        String::from_utf8(stl[..80].to_vec()).unwrap()
    };
    let (one, mut other) = (scene(), scene());
    other.surface.hurst += 0.01;
    assert!(header(&one).contains("seed 5 scene "), "{}", header(&one));
    assert_eq!(header(&one), header(&one));
    assert_ne!(header(&one), header(&other));
}

/// Twice the area of a triangle, positive if counter-clockwise.
fn area([a, b, c]: [[f32; 2]; 3]) -> f32 {
    (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
}

#[test]
fn a_wall_is_covered_once_by_triangles_that_are_no_slivers() {
    for count in (2..40).chain([63, 64, 65, 1025]) {
        // It is as good as straight, except for a few points.
        let bump = |at: usize| [0.0, 1e-6, 0.5][usize::from(at % 3 == 1) + usize::from(at == 8)];
        let line: Vec<[f32; 2]> = (0..count).map(|at| [at as f32, 3.0 + bump(at)]).collect();
        let found = wall::triangles(count);
        let place = |corner: Corner| match corner {
            Corner::Top(index) => line[index],
            Corner::Within(index, height) => {
                assert!(
                    index > 0 && index + 1 < count,
                    "on the edge of another wall"
                );
                assert!(height > 0.0 && height < 1.0, "{height}");
                [line[index][0], 3.0 * height]
            }
            Corner::Left => [0.0, 0.0],
            Corner::Right => [count as f32 - 1.0, 0.0],
        };
        let mut covered = 0.0;
        let mut sides: HashMap<[[u32; 2]; 2], i32> = HashMap::new();
        for triangle in &found {
            let corners = triangle.map(place);
            let twice = area(corners);
            let side = |a: [f32; 2], b: [f32; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
            let [a, b, c] = corners;
            let longest = side(a, b).max(side(b, c)).max(side(c, a));
            assert!(twice / longest > 0.01, "{count}: {triangle:?}");
            covered += f64::from(twice) / 2.0;
            for (from, to) in [(a, b), (b, c), (c, a)] {
                let bits = [from, to].map(|v| v.map(f32::to_bits));
                *sides.entry(bits).or_default() += 1;
            }
        }
        let below = |pair: &[[f32; 2]]| f64::from(pair[0][1] + pair[1][1]) / 2.0;
        let whole: f64 = line.windows(2).map(below).sum();
        assert!(
            (covered - whole).abs() < 1e-3,
            "{count}: {covered} of {whole}"
        );
        // Sides within are of two triangles; those of one are the line and three more.
        let open = sides
            .keys()
            .filter(|[from, to]| !sides.contains_key(&[*to, *from]));
        assert_eq!(open.count(), count - 1 + 3, "{count}");
        assert!(sides.values().all(|times| *times == 1), "{count}");
    }
}

/// The rest of the first line that starts with `word`.
fn value<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    text.lines()
        .find_map(|line| line.strip_prefix(word)?.strip_prefix(' '))
}

#[test]
fn an_obj_names_its_material_and_that_its_texture() {
    for name in ["plain", "my land #1", "-dash", "höhe", "a.b", "tab\tbed"] {
        let folder = folder();
        let path = folder.path().join(format!("{name}.obj"));
        write(&path, &scene(), MeshOptions::default());
        let obj = fs::read_to_string(&path).unwrap();
        let material = value(&obj, "mtllib").expect("a material");
        let text = fs::read_to_string(folder.path().join(material)).unwrap();
        assert_eq!(value(&text, "newmtl"), value(&obj, "usemtl"), "{name}");
        let texture = value(&text, "map_Kd").expect("a texture");
        let image = image::open(folder.path().join(texture)).unwrap();
        assert_eq!((image.width(), image.height()), (257, 257));
        for word in [material, texture] {
            let plain = |c: char| c.is_alphanumeric() || "._-".contains(c);
            assert!(word.chars().all(plain) && !word.starts_with('-'), "{word}");
        }
        // The mesh, its sidecar, material and texture.
        assert_eq!(names(folder.path()).len(), 4, "{:?}", names(folder.path()));
    }
}

#[test]
fn an_obj_into_a_pipe_names_no_other_file() {
    let folder = folder();
    let words = "generate --iterations 2 --format obj -o -";
    let output = landform(folder.path(), words);
    let obj = String::from_utf8(output.stdout).unwrap();
    assert_eq!((value(&obj, "mtllib"), value(&obj, "usemtl")), (None, None));
    assert_eq!(
        obj.lines().filter(|line| line.starts_with("v ")).count(),
        25
    );
    assert_eq!(names(folder.path()).len(), 0);
}

#[test]
fn an_obj_and_a_height_map_of_one_name_leave_each_other_alone() {
    let folder = folder();
    succeed(folder.path(), "generate --iterations 3 -o x.png x.obj");
    let (width, height, _) = grey(&folder.path().join("x.png"));
    assert_eq!((width, height), (9, 9));
}

#[test]
fn text_meshes_hold_the_whole_scene() {
    let folder = folder();
    for (name, comment) in [("x.obj", "# "), ("x.ply", "comment ")] {
        let bytes = written(folder.path(), name, &scene(), Detail::Triangles(10));
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let lines: Vec<&str> = text.lines().collect();
        let at = |words: &str| {
            let whole = format!("{comment}landform scene {words}");
            lines.iter().position(|line| *line == whole).expect(words)
        };
        let scene_lines = &lines[at("begin") + 1..at("end")];
        let toml: Vec<&str> = scene_lines
            .iter()
            .map(|line| line.strip_prefix(comment).expect(line))
            .collect();
        assert_eq!(Scene::parse(&toml.join("\n")).unwrap(), scene());
    }
}

#[test]
fn an_objs_indices_are_of_vertices_and_the_coordinates_within_the_texture() {
    let folder = folder();
    for (scene, details) in [(scene(), &DETAILS[..]), (picture(), &DETAILS[3..])] {
        for detail in details.iter().copied() {
            let obj = written(folder.path(), "x.obj", &scene, detail);
            let obj = String::from_utf8(obj).unwrap();
            let of = |word: &str| {
                let lines = obj.lines().filter_map(|line| line.strip_prefix(word));
                lines.map(str::to_owned).collect::<Vec<_>>()
            };
            let count = of("v ").len();
            assert_eq!((of("vt ").len(), of("vn ").len()), (count, count));
            let faces = of("f ");
            assert_eq!(faces.len(), triangles(&scene, detail));
            let mut used = HashSet::new();
            for corner in faces.iter().flat_map(|face| face.split(' ')) {
                let indices: Vec<usize> = corner.split('/').map(|i| i.parse().unwrap()).collect();
                assert!(indices == [indices[0]; 3] && (1..=count).contains(&indices[0]));
                used.insert(indices[0]);
            }
            assert_eq!(used.len(), count, "a vertex of no triangle");
            for number in of("vt ").iter().flat_map(|line| line.split(' ')) {
                assert!((0.0..=1.0).contains(&number.parse::<f32>().unwrap()));
            }
        }
    }
}

#[test]
fn a_glb_holds_together_at_every_detail() {
    let folder = folder();
    for (scene, details) in [(scene(), &DETAILS[..]), (picture(), &DETAILS[2..])] {
        for detail in details.iter().copied() {
            check_glb(
                &written(folder.path(), "x.glb", &scene, detail),
                &scene,
                detail,
            );
        }
    }
}

fn check_glb(bytes: &[u8], scene: &Scene, detail: Detail) {
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!(&bytes[..4], b"glTF");
    assert_eq!((number(4), number(8)), (2, bytes.len()));
    let json = number(12);
    assert!(json.is_multiple_of(4) && number(20 + json).is_multiple_of(4));
    let document: serde_json::Value = serde_json::from_slice(&bytes[20..20 + json]).unwrap();
    let binary = &bytes[28 + json..];
    assert_eq!(number(20 + json), binary.len());
    assert_eq!(document["buffers"][0]["byteLength"], binary.len());
    let view = |index: usize| {
        let view = &document["bufferViews"][index];
        let at = |key: &str| view[key].as_u64().unwrap() as usize;
        &binary[at("byteOffset")..at("byteOffset") + at("byteLength")]
    };
    let vertices = floats(view(0));
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    for vertex in vertices.chunks_exact(8) {
        let position = Vec3::from_slice(vertex);
        low = low.min(position);
        high = high.max(position);
        let normal = Vec3::from_slice(&vertex[3..]);
        assert!((normal.length() - 1.0).abs() < 1e-5 && normal.y > 0.0);
        assert!(vertex[6..].iter().all(|uv| (0.0..=1.0).contains(uv)));
    }
    let position = &document["accessors"][0];
    let told = |key: &str| -> Vec<f32> { serde_json::from_value(position[key].clone()).unwrap() };
    assert_eq!(told("min"), low.to_array());
    assert_eq!(told("max"), high.to_array());
    assert_eq!(position["count"], vertices.len() / 8);
    let half_m = scene.surface.tile_size_m / 2.0;
    assert_eq!(low.x.min(low.z), -half_m);
    let indices = whole_numbers(view(1));
    assert_eq!(document["accessors"][3]["count"], indices.len());
    assert_eq!(indices.len(), 3 * triangles(scene, detail));
    let used: HashSet<u32> = indices.iter().copied().collect();
    assert_eq!(used.len(), vertices.len() / 8);
    assert!(
        used.iter()
            .all(|index| (*index as usize) < vertices.len() / 8)
    );
    for corners in indices.chunks_exact(3) {
        let corner = |index: usize| Vec3::from_slice(&vertices[8 * corners[index] as usize..]);
        let up = (corner(1) - corner(0)).cross(corner(2) - corner(0));
        assert!(up.y > 0.0, "faces look up");
    }
    assert!(image::load_from_memory(view(2)).is_ok());
    let told = document["asset"]["extras"]["scene"].clone();
    let mut told: Scene = serde_json::from_value(told).unwrap();
    // However it is called from there.
    let name = |scene: &Scene| Some(scene.surface.input.as_ref()?.file_name()?.to_owned());
    assert_eq!(name(&told), name(scene));
    told.surface.input.clone_from(&scene.surface.input);
    // A file says which image it means.
    let sum = std::mem::take(&mut told.surface.input_checksum);
    assert_eq!(sum.is_empty(), scene.surface.input.is_none());
    assert_eq!(told, *scene);
}

#[test]
fn a_ply_is_as_long_as_it_says() {
    let folder = folder();
    for detail in [Detail::All, Detail::Triangles(1000)] {
        let bytes = written(folder.path(), "x.ply", &picture(), detail);
        let end = b"end_header\n";
        let header = bytes.windows(end.len()).position(|w| w == end).unwrap() + end.len();
        let text = std::str::from_utf8(&bytes[..header]).unwrap();
        let count = |word| -> usize { value(text, word).unwrap().parse().unwrap() };
        let (vertices, faces) = (count("element vertex"), count("element face"));
        assert_eq!(faces, triangles(&picture(), detail));
        assert_eq!(bytes.len(), header + 27 * vertices + 13 * faces);
        for face in bytes[header + 27 * vertices..].chunks_exact(13) {
            assert_eq!(face[0], 3);
            assert!(
                whole_numbers(&face[1..])
                    .iter()
                    .all(|i| (*i as usize) < vertices)
            );
        }
    }
}

#[test]
fn an_error_in_metres_is_of_the_tile() {
    let folder = folder();
    let flags = "--seed 5 --iterations 6 --set surface.tile_size_m=300";
    succeed(
        folder.path(),
        &format!("generate {flags} --error 9 -o x.stl -o x.glb"),
    );
    let map = pipeline::heights(&scene(), &Inputs::default(), &Job::new()).unwrap();
    let mesh = Simplified::new(&map, Detail::Error(0.06), &Job::new()).unwrap();
    assert!((100..8192).contains(&mesh.triangles()));
    let stl = fs::read(folder.path().join("x.stl")).unwrap();
    let of_ground = facets(&stl)
        .iter()
        .filter(|(normal, _)| normal.z > 0.0)
        .count();
    assert_eq!(of_ground as u64, mesh.triangles());
}

#[test]
fn threads_change_no_byte() {
    let folder = folder();
    for name in ["x.obj", "x.ply", "x.stl", "x.glb"] {
        for detail in DETAILS {
            let [one, three] = [1, 3].map(|threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                pool.unwrap()
                    .install(|| written(folder.path(), name, &scene(), detail))
            });
            assert!(one == three, "{name}, {detail:?}");
        }
    }
}

#[test]
fn what_makes_no_mesh_is_refused_on_one_line() {
    let folder = folder();
    let refused = |words: &str, code: i32, wanted: &[&str]| {
        fail(
            folder.path(),
            &format!("generate --iterations 3 {words}"),
            code,
            wanted,
        );
    };
    refused(
        "--triangles 9 -o x.png",
        1,
        &["png", "obj, ply, stl or glb"],
    );
    refused("--error 1 -o x.obj -o x.npy", 1, &["npy"]);
    refused("--error 1 --tiles 2x2 -o {row}{column}.npy", 1, &["npy"]);
    refused("--triangles 1 -o x.obj", 2, &["--triangles", "1"]);
    refused(
        "--triangles 9 --error 1 -o x.obj",
        2,
        &["--triangles", "--error"],
    );
    refused("--error -1 -o x.obj", 2, &["-1", "0 or more"]);
    refused("--error inf -o x.obj", 2, &["inf"]);
    refused("--print-size 0 -o x.stl", 2, &["1 to 10000"]);
    refused("--print-size nan -o x.stl", 2, &["1 to 10000"]);
    refused(
        "--set view.render_type=1d --error 1 -o x.obj",
        1,
        &["profile"],
    );
    refused(
        "--samples pow2 --error 1 -o x.obj",
        1,
        &["`obj` takes whole maps"],
    );
}

#[test]
fn a_failure_leaves_no_companion() {
    let folder = folder();
    fail(
        folder.path(),
        "generate --iterations 3 -o x.obj -o missing/y.obj",
        1,
        &["missing"],
    );
    // The material cannot be written, so nothing is.
    fs::create_dir(folder.path().join("x.mtl")).unwrap();
    fail(
        folder.path(),
        "generate --iterations 3 -o x.obj",
        1,
        &["x.mtl"],
    );
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

#[test]
fn tiles_of_meshes_join_without_a_gap_or_a_seam_at_every_detail() {
    let folder = folder();
    let folder = folder.path();
    let map = "generate --seed 5 --iterations 6 --set surface.tile_size_m=300";
    let bits = |vertex: &[f32; 6]| vertex.map(f32::to_bits);
    for words in ["", "--error 5", "--triangles 900", "--error 5 --samples 40"] {
        let outputs = "-o t-{row}-{column}.ply -o t-{row}-{column}.stl -o t-{row}-{column}.obj";
        succeed(folder, &format!("{map} {words} --tiles 2x2 {outputs}"));
        let mut edges: HashMap<[[u32; 2]; 2], i32> = HashMap::new();
        let mut border: HashMap<[u32; 3], HashSet<[u32; 6]>> = HashMap::new();
        let mut triangles = 0;
        for name in ["0-0", "0-1", "1-0", "1-1"] {
            let (vertices, faces) = ply(&fs::read(folder.join(format!("t-{name}.ply"))).unwrap());
            triangles += faces.len();
            for face in &faces {
                for [from, to] in [[0, 1], [1, 2], [2, 0]] {
                    let edge = [from, to].map(|corner| {
                        let [x, y, ..] = vertices[face[corner] as usize];
                        [x, y].map(f32::to_bits)
                    });
                    *edges.entry(edge).or_default() += 1;
                }
            }
            for vertex in &vertices {
                let place = [vertex[0], vertex[1], vertex[2]].map(f32::to_bits);
                border.entry(place).or_default().insert(bits(vertex));
            }
            let stl = fs::read(folder.join(format!("t-{name}.stl"))).unwrap();
            check_block(&facets(&stl), 100.0);
        }
        assert_eq!(
            words.is_empty(),
            triangles == 2 * 64 * 64,
            "{words}: {triangles}"
        );
        // One surface: each edge has a triangle on both sides, but around the map.
        let open = edges
            .keys()
            .filter(|[from, to]| !edges.contains_key(&[*to, *from]));
        for edge in open {
            let [a, b] = edge.map(|place| place.map(f32::from_bits));
            let around = (0..2).any(|axis| a[axis] == b[axis] && a[axis].abs() == 150.0);
            assert!(around, "{words}: a gap at {a:?} {b:?}");
        }
        // One place, one normal.
        assert!(border.values().all(|same| same.len() == 1), "{words}");
    }
    // The blocks of neighbours are as high where they meet.
    succeed(folder, &format!("{map} --tiles 1x2 -o s{{column}}.stl"));
    let heights_at = |name: &str, x: f32| -> HashSet<[u32; 2]> {
        let stl = fs::read(folder.join(name)).unwrap();
        let corners = facets(&stl).into_iter().flat_map(|(_, corners)| corners);
        let at = corners.filter(|corner| corner.x == x && corner.z > 1.5);
        at.map(|corner| [corner.y, corner.z].map(f32::to_bits))
            .collect()
    };
    let (west, east) = (heights_at("s0.stl", 25.0), heights_at("s1.stl", -25.0));
    assert_eq!(west.len(), 65);
    assert_eq!(west, east);
}

#[test]
fn an_obj_is_in_metres_on_request() {
    let folder = folder();
    let folder = folder.path();
    let map = "generate --seed 5 --iterations 3 --set surface.tile_size_m=300";
    let places = |name: &str| -> Vec<f64> {
        let text = fs::read_to_string(folder.join(name)).unwrap();
        let lines = text.lines().filter_map(|line| line.strip_prefix("v "));
        let numbers = lines.flat_map(|line| line.split(' ').map(|n| n.parse().unwrap()));
        numbers.collect()
    };
    succeed(folder, &format!("{map} -o own.obj"));
    succeed(folder, &format!("{map} --mesh-unit m -o m.obj -o m.ply"));
    succeed(folder, &format!("{map} -o own.ply"));
    let (own, metres) = (places("own.obj"), places("m.obj"));
    assert_eq!(own.len(), 3 * 81);
    for (own, metres) in own.iter().zip(&metres) {
        assert!((own * 150.0 - metres).abs() < 1e-4, "{own} {metres}");
    }
    let text = fs::read_to_string(folder.join("m.obj")).unwrap();
    assert!(text.lines().next().unwrap().contains("1 unit is 1 m"));
    let read = |name| fs::read(folder.join(name)).unwrap();
    assert!(
        read("m.ply") == read("own.ply"),
        "these are in metres always"
    );
    fail(
        folder,
        "generate --mesh-unit feet -o x.obj",
        2,
        &["feet", "own or m"],
    );
}
