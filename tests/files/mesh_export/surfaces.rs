//! Surfaces: OBJ, PLY and GLB.

use super::*;

#[test]
fn obj_names_its_material_which_names_its_texture() {
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
fn obj_into_a_pipe_names_no_other_file() {
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
fn obj_and_height_map_of_one_name_coexist() {
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
fn obj_indices_and_texture_coordinates_are_in_range() {
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
