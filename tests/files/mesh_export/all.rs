//! What holds for all meshes.

use super::*;

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
fn impossible_mesh_requests_are_refused_on_one_line() {
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

#[test]
fn mesh_tiles_join_seamlessly_at_every_detail() {
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
