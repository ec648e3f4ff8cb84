//! Plants with their models, in glTF and USD.

use super::made::{PLANTED, lines};
use super::*;

/// JSON and binary chunk of a `.glb`.
fn chunks(path: &Path) -> (Value, Vec<u8>) {
    let bytes = fs::read(path).unwrap();
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!(&bytes[..4], b"glTF");
    assert_eq!(number(8), bytes.len());
    let length = number(12);
    let json = serde_json::from_slice(&bytes[20..20 + length]).unwrap();
    let binary = bytes.get(28 + length..).unwrap_or_default().to_vec();
    (json, binary)
}

/// Floats of an accessor of which the parts lie close together.
fn floats(json: &Value, binary: &[u8], accessor: &Value, parts: usize) -> Vec<f32> {
    let accessor = &json["accessors"][accessor.as_u64().unwrap() as usize];
    let view = &json["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
    let from = view["byteOffset"].as_u64().unwrap() as usize;
    let count = accessor["count"].as_u64().unwrap() as usize * parts;
    assert_eq!(view["byteLength"], count * 4);
    let bytes = binary[from..from + count * 4].as_chunks().0;
    bytes.iter().map(|part| f32::from_le_bytes(*part)).collect()
}

/// Species, place on the axes of meshes, and height and clockwise rotation of a plant.
type Placed = (String, [f64; 3], f64, f64);

/// Plants of a CSV on a tile of 500 m.
fn of_csv(path: &Path) -> Vec<Placed> {
    let parsed = lines(path).into_iter().map(|line| {
        let (species, numbers) = line.split_once(',').unwrap();
        let numbers: Vec<f64> = numbers.split(',').map(|n| n.parse().unwrap()).collect();
        let place = [numbers[0] - 250.0, numbers[2], 250.0 - numbers[1]];
        (species.to_owned(), place, numbers[3], numbers[5])
    });
    parsed.collect()
}

/// Plant by the numbers of a transformation.
fn placed(name: &Value, place: &[f64], rotation: &[f64], scale: &[f64]) -> Placed {
    assert_eq!([rotation[0], rotation[2]], [0.0; 2]);
    let turn = 2.0 * rotation[1].atan2(rotation[3]).to_degrees();
    let species = name.as_str().unwrap().split('_').next().unwrap();
    let place = [place[0], place[1], place[2]];
    (
        species.to_owned(),
        place,
        scale[1],
        (-turn).rem_euclid(360.0),
    )
}

/// Check that both lists have the same plants, in any order.
fn assert_same(found: &[Placed], wanted: &[Placed]) {
    assert!(wanted.len() > 500);
    assert_eq!(found.len(), wanted.len());
    let mut taken = vec![false; found.len()];
    for wanted in wanted {
        let away = |found: &Placed| {
            let apart = (0..3).map(|axis| (found.1[axis] - wanted.1[axis]).abs());
            apart.fold(0.0, f64::max)
        };
        let is_here = |found: &Placed| found.0 == wanted.0 && away(found) < 1e-3;
        let at = found.iter().position(is_here);
        let at = at.unwrap_or_else(|| panic!("no {wanted:?}"));
        assert!(!std::mem::replace(&mut taken[at], true), "{wanted:?}");
        let found = &found[at];
        assert!((found.2 - wanted.2).abs() < 1e-3, "{found:?} {wanted:?}");
        let turn = (found.3 - wanted.3 + 180.0).rem_euclid(360.0) - 180.0;
        assert!(turn.abs() < 0.2, "{found:?} {wanted:?}");
    }
}

#[test]
fn gltf_holds_the_plants_as_instances() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let words = format!("generate {PLANTED} --plants");
    succeed(folder.path(), &format!("{words} x.csv"));
    succeed(folder.path(), &format!("{words} x.glb"));
    let (json, binary) = chunks(&at("x.glb"));
    let extension = "EXT_mesh_gpu_instancing";
    assert_eq!(json["extensionsRequired"][0], extension);
    let mut found = Vec::new();
    for node in &json["nodes"].as_array().unwrap()[1..] {
        let of = &node["extensions"][extension]["attributes"];
        let [places, rotations, scales] = [("TRANSLATION", 3), ("ROTATION", 4), ("SCALE", 3)]
            .map(|(name, parts)| floats(&json, &binary, &of[name], parts));
        let wide = |parts: &[f32]| parts.iter().copied().map(f64::from).collect::<Vec<_>>();
        let all = places
            .chunks(3)
            .zip(rotations.chunks(4))
            .zip(scales.chunks(3));
        found.extend(all.map(|((place, rotation), scale)| {
            placed(&node["name"], &wide(place), &wide(rotation), &wide(scale))
        }));
    }
    assert_same(&found, &of_csv(&at("x.csv")));
    // Three models of two kinds at two levels of detail, of a height of 1.
    let meshes = json["meshes"].as_array().unwrap();
    assert_eq!(meshes.len(), 12);
    for mesh in meshes {
        let position = &mesh["primitives"][0]["attributes"]["POSITION"];
        let top = &json["accessors"][position.as_u64().unwrap() as usize]["max"][1];
        assert!((top.as_f64().unwrap() - 1.0).abs() < 1e-5);
    }
}

#[test]
fn gltf_has_a_coarse_mesh_for_each_model() {
    let folder = folder();
    let words = format!("generate {PLANTED} --plants");
    for more in ["", "--plants-as nodes --force"] {
        succeed(folder.path(), &format!("{words} x.glb {more}"));
        let (json, _) = chunks(&folder.path().join("x.glb"));
        let meshes = json["meshes"].as_array().unwrap();
        let (near, far) = meshes.split_at(meshes.len() / 2);
        let corners = |mesh: &Value| {
            let indices = mesh["primitives"][0]["indices"].as_u64().unwrap();
            json["accessors"][indices as usize]["count"]
                .as_u64()
                .unwrap()
        };
        for (near, far) in near.iter().zip(far) {
            let name = near["name"].as_str().unwrap();
            assert_eq!(far["name"], format!("{name}_far"));
            assert!(corners(far) < corners(near), "{name}");
        }
        // No node shows it.
        let nodes = json["nodes"].as_array().unwrap().iter();
        let shown: Vec<u64> = nodes.filter_map(|node| node["mesh"].as_u64()).collect();
        assert!(shown.iter().all(|mesh| (*mesh as usize) < near.len()));
    }
}

#[test]
fn models_turn_in_autumn_as_the_plants_do() {
    let folder = folder();
    let models = |autumn: &str| {
        let words =
            format!("generate {PLANTED} --set plants.0.kind=birch --set plants.0.autumn={autumn}");
        succeed(folder.path(), &format!("{words} --force --plants x.glb"));
        let (json, binary) = chunks(&folder.path().join("x.glb"));
        let meshes = json["meshes"].as_array().unwrap().iter();
        let models = meshes.map(|mesh| {
            let color = &mesh["primitives"][0]["attributes"]["COLOR_0"];
            let view = &json["accessors"][color.as_u64().unwrap() as usize];
            let first = view["byteOffset"].as_u64().unwrap();
            let view = &json["bufferViews"][view["bufferView"].as_u64().unwrap() as usize];
            let stride = view["byteStride"].as_u64().unwrap() as usize;
            let end = (view["byteOffset"].as_u64().unwrap() + view["byteLength"].as_u64().unwrap())
                as usize;
            let vertices =
                binary[view["byteOffset"].as_u64().unwrap() as usize..end].chunks(stride);
            let colors = vertices.map(|vertex| {
                [0, 4].map(|by| {
                    let at = first as usize + by;
                    f32::from_le_bytes(vertex[at..at + 4].try_into().unwrap())
                })
            });
            let [red, green] = colors.fold([0.0; 2], |sum, color| {
                [sum[0] + color[0], sum[1] + color[1]]
            });
            (mesh["name"].as_str().unwrap().to_owned(), red / green)
        });
        models
            .filter(|(name, _)| name.starts_with("birch"))
            .collect::<Vec<_>>()
    };
    let summer = models("0");
    assert_eq!(summer.len(), 6);
    let half = models("0.5");
    assert_eq!(half.len(), 30);
    // Green leaves are greener than red, turned ones are redder than green.
    for (name, red) in summer.iter().chain(&half) {
        assert_eq!(*red > 1.0, name.contains("_autumn_"), "{name}: {red}");
    }
    let all = models("1");
    assert!(all.iter().all(|(_, red)| *red > 1.0), "{all:?}");
}

#[test]
fn usd_models_have_two_levels_of_detail() {
    let folder = folder();
    succeed(
        folder.path(),
        &format!("generate {PLANTED} --plants x.usda"),
    );
    let text = fs::read_to_string(folder.path().join("x.usda")).unwrap();
    for model in text.split("def Mesh ").skip(1) {
        let (near, far) = model.split_once("\"far\" {").unwrap();
        assert!(near.contains("string lod = \"near\"") && near.contains("\"near\" {"));
        let triangles = |text: &str| {
            let line = text.lines().find(|line| line.contains("faceVertexCounts"));
            line.unwrap().matches('3').count()
        };
        assert!(triangles(far) < triangles(near));
    }
}

#[test]
fn gltf_holds_the_plants_as_nodes() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let words = format!("generate {PLANTED} --plants");
    succeed(folder.path(), &format!("{words} x.csv"));
    succeed(folder.path(), &format!("{words} x.glb --plants-as nodes"));
    let (json, _) = chunks(&at("x.glb"));
    assert!(json["extensionsUsed"].is_null());
    let numbers = |value: &Value| {
        let all = value.as_array().unwrap().iter();
        all.map(|number| number.as_f64().unwrap())
            .collect::<Vec<_>>()
    };
    let nodes = json["nodes"].as_array().unwrap();
    assert_eq!(
        nodes[0]["children"].as_array().unwrap().len(),
        nodes.len() - 1
    );
    let found = nodes[1..].iter().map(|node| {
        let [place, rotation, scale] =
            ["translation", "rotation", "scale"].map(|name| numbers(&node[name]));
        placed(&node["name"], &place, &rotation, &scale)
    });
    assert_same(&found.collect::<Vec<_>>(), &of_csv(&at("x.csv")));
}

#[test]
fn usd_holds_the_plants_in_the_order_of_the_csv() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let words = format!("generate {PLANTED} --plants");
    succeed(folder.path(), &format!("{words} x.csv"));
    succeed(folder.path(), &format!("{words} x.usda"));
    let text = fs::read_to_string(at("x.usda")).unwrap();
    let list = |key: &str| {
        let line = text
            .lines()
            .find(|line| line.trim().starts_with(key))
            .unwrap();
        let (_, list) = line.split_once("= [").unwrap();
        let list: String = list.chars().filter(|c| !"()[]".contains(*c)).collect();
        list.split(", ").map(str::to_owned).collect::<Vec<_>>()
    };
    let numbers = |key: &str| {
        let all = list(key).into_iter();
        all.map(|number| number.parse().unwrap())
            .collect::<Vec<f64>>()
    };
    let names: Vec<Value> = (list("rel prototypes").iter())
        .map(|path| {
            path.trim_end_matches('>')
                .rsplit('/')
                .next()
                .unwrap()
                .into()
        })
        .collect();
    let places = numbers("point3f[] positions");
    let [turns, scales] = ["quath[] orientations", "float3[] scales"].map(numbers);
    let species = numbers("int[] protoIndices")
        .into_iter()
        .map(|index| &names[index as usize]);
    let all = species
        .zip(places.chunks(3))
        .zip(turns.chunks(4).zip(scales.chunks(3)));
    let found: Vec<_> = all
        .map(|((name, place), (turn, scale))| {
            let rotation = [turn[1], turn[2], turn[3], turn[0]];
            placed(name, place, &rotation, scale)
        })
        .collect();
    let wanted = of_csv(&at("x.csv"));
    let species = |all: &[Placed]| {
        all.iter()
            .map(|(species, ..)| species.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(species(&found), species(&wanted));
    assert_same(&found, &wanted);
    assert!(text.contains("upAxis = \"Y\"") && text.contains("metersPerUnit = 1"));
    // One prototype for each path.
    assert_eq!(text.matches("def Mesh ").count(), names.len());
}

#[test]
fn files_with_models_are_the_same_each_time() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    for kind in ["glb", "usda"] {
        for (name, threads) in [("a", 1), ("b", 3)] {
            let words = format!("generate {PLANTED} --plants {name}.{kind} --threads {threads}");
            succeed(folder.path(), &words);
        }
        let [a, b] = ["a", "b"].map(|name| fs::read(at(&format!("{name}.{kind}"))).unwrap());
        assert!(a == b, "{kind}");
    }
}

#[test]
fn files_without_plants_are_valid() {
    let folder = folder();
    let words = format!("generate {PLANTED} --set water.level=100 --plants");
    // A warning says that none grows.
    let make = |file: &str| {
        let output = landform(folder.path(), &format!("{words} {file}"));
        assert!(output.status.success(), "{file}");
    };
    make("x.glb");
    let (json, binary) = chunks(&folder.path().join("x.glb"));
    assert!(binary.is_empty() && json["meshes"].is_null());
    assert_eq!(json["nodes"].as_array().unwrap().len(), 1);
    make("x.usda");
    let text = fs::read_to_string(folder.path().join("x.usda")).unwrap();
    assert!(text.contains("int[] protoIndices = []"));
}

#[test]
fn too_many_nodes_are_refused_with_their_number() {
    let folder = folder();
    let words = "generate --iterations 6 --set plants.0.kind=grass --set surface.tile_size_m=600 \
                 --set surface.height_scale=0.1";
    fail(
        folder.path(),
        &format!("{words} --plants x.glb --plants-as nodes"),
        2,
        &["plants grow", "100000", "--region", "--plants-as instances"],
    );
    assert!(names(folder.path()).is_empty());
}
