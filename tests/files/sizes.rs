//! Height maps as engines want them: number of samples, order of rows, range, and the numbers to
//! be typed in.

use std::fs;
use std::path::Path;

use crate::common::*;
use landform::export::{Resolution, UNREAL};
use landform::grid::Grid;
use landform::import;
use serde_json::Value;

fn read(folder: &Path, name: &str) -> Grid<f32> {
    import::image(&folder.join(name)).unwrap()
}

/// The numbers in a file as they stand there, whatever its sidecar says of them.
fn raw(folder: &Path, name: &str) -> Grid<f32> {
    let about = sidecar(folder, name);
    let side = |key: &str| about[key].as_u64().unwrap() as usize;
    let bytes = fs::read(folder.join(name)).unwrap();
    let values: Vec<f32> = match name.rsplit('.').next().unwrap() {
        "png" => {
            let image = image::open(folder.join(name)).unwrap().into_luma16();
            image.iter().map(|step| f32::from(*step)).collect()
        }
        "r16" => bytes
            .chunks_exact(2)
            .map(|b| f32::from(u16::from_le_bytes([b[0], b[1]])))
            .collect(),
        _ => bytes[bytes.len() - 4 * side("width") * side("height")..]
            .chunks_exact(4)
            .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]))
            .collect(),
    };
    Grid::from_vec(side("height"), side("width"), values).unwrap()
}

fn sidecar(folder: &Path, name: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(folder.join(format!("{name}.json"))).unwrap()).unwrap()
}

#[test]
fn sizes_by_convention() {
    assert_eq!(Resolution::AsIs.of(513, 300), [513, 300]);
    assert_eq!(Resolution::PowerOfTwo.of(513, 257), [512, 256]);
    assert_eq!(Resolution::PowerOfTwo.of(513, 300), [512, 299]);
    assert_eq!(Resolution::PowerOfTwoPlusOne.of(512, 400), [513, 401]);
    assert_eq!(Resolution::Unreal.of(1025, 4097), [1009, 4033]);
    assert_eq!(Resolution::Unreal.of(2, 100_000), [2, 8129]);
    assert_eq!(Resolution::Exactly(101).of(401, 201), [101, 51]);
    for samples in [
        Resolution::PowerOfTwo,
        Resolution::Unreal,
        Resolution::Exactly(9),
    ] {
        assert_eq!(samples.of(1, 65)[0], 1, "a profile keeps its one row");
    }
    for side in 2..3000 {
        let unreal = Resolution::Unreal.of(side, side)[0];
        assert!(UNREAL.contains(&unreal));
        let power = Resolution::PowerOfTwo.of(side, side)[0];
        assert!(power.is_power_of_two() && power <= 2 * side && side < 2 * power);
    }
}

/// A map of 120 × 91 samples from an image.
fn wide(folder: &Path) {
    let image =
        image::ImageBuffer::from_fn(120, 91, |x, y| image::Luma([(x * x * 4 + y * 97) as u16]));
    image.save(folder.join("wide.png")).unwrap();
}

#[test]
fn non_square_map_keeps_shape_at_every_size() {
    let folder = folder();
    let folder = folder.path();
    wide(folder);
    let words = "generate --input wide.png --set surface.tile_size_m=1190";
    succeed(folder, &format!("{words} -o whole.npy"));
    for (samples, size) in [
        ("pow2", [97, 128]),
        ("pow2+1", [98, 129]),
        ("unreal", [96, 127]),
        ("60", [46, 60]),
    ] {
        let outputs = "-o x.npy -o x.tif -o x.png -o x.glb";
        let outputs = match samples {
            "pow2" => "-o x.npy -o x.tif -o x.png",
            _ => outputs,
        };
        let output = landform(folder, &format!("{words} --samples {samples} {outputs}"));
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{said}");
        let wants = match samples {
            "unreal" => "127 × 96 samples keep the map's shape, but Unreal needs a square map",
            "pow2+1" => "129 × 98 samples keep the map's shape, but Unity needs a square map",
            _ => "",
        };
        assert!(said.contains(wants), "{said}");
        assert_eq!(
            said.contains("needs a square map"),
            !wants.is_empty(),
            "{said}"
        );
        let map = read(folder, "x.npy");
        assert_eq!([map.rows(), map.columns()], size, "{samples}");
        // One spacing for both directions, so north to south is 900 m but for half a sample.
        let step = 1190.0 / (size[1] - 1) as f64;
        let deep = step * (size[0] - 1) as f64;
        assert!((deep - 900.0).abs() <= step / 2.0, "{samples}: {deep} m");
        let file = std::fs::File::open(folder.join("x.tif")).unwrap();
        let mut tiff = tiff::decoder::Decoder::new(file).unwrap();
        let scale = tiff.get_tag_f64_vec(tiff::tags::Tag::ModelPixelScaleTag);
        assert_eq!(scale.unwrap()[..2], [step; 2], "{samples}");
        let told = sidecar(folder, "x.png");
        assert!((told["metres_per_sample"].as_f64().unwrap() - step).abs() < 1e-9);
        let engines = &told["engines"];
        assert_eq!(engines["Unreal"]["Scale X"], engines["Unreal"]["Scale Y"]);
        let wide = engines["Blender"]["Size X"].as_f64().unwrap();
        assert!((wide - 1190.0).abs() < 1e-6, "{wide}");
        let told = engines["Blender"]["Size Y"].as_f64().unwrap();
        assert!((told - deep).abs() < 1e-6, "{told}");
        // What is in it lies where that says, down as across; beyond the border is as the border.
        let whole = read(folder, "whole.npy");
        for row in 0..size[0] {
            for column in 0..size[1] {
                let at = |index: usize| index as f64 * step / 10.0;
                let (y, x) = (at(row), at(column));
                let wanted = whole.bilinear(y, x, landform::grid::Edge::Clamp);
                let off = (map.at(row, column) - wanted).abs();
                // At its border a curve is off a line by more.
                let is_inside = (1.0..=89.0).contains(&y) && (1.0..=118.0).contains(&x);
                let most = if is_inside { 1.2e-5 } else { 1e-4 };
                assert!(off < most, "{samples} {row} {column}: {off}");
            }
        }
        assert_eq!(map.at(0, 0), whole.at(0, 0));
    }
}

#[test]
fn power_of_two_omits_the_repeated_edge() {
    let folder = folder();
    let folder = folder.path();
    // Streamed and in memory.
    for scene in ["--seed 3", "--seed 3 --generator perlin"] {
        succeed(
            folder,
            &format!("generate {scene} --iterations 6 -o whole.r32"),
        );
        succeed(
            folder,
            &format!("generate {scene} --iterations 6 --samples pow2 -o part.npy"),
        );
        let (whole, part) = (read(folder, "whole.r32"), read(folder, "part.npy"));
        assert_eq!((part.rows(), part.columns()), (64, 64));
        for row in 0..64 {
            assert_eq!(part.row(row), &whole.row(row)[..64]);
        }
        let step = |name| sidecar(folder, name)["metres_per_sample"].as_f64().unwrap();
        assert_eq!(step("part.npy"), step("whole.r32"));
    }
}

#[test]
fn other_sizes_show_the_same_whole_landscape() {
    let folder = folder();
    let folder = folder.path();
    succeed(
        folder,
        "generate --seed 3 --h 0.9 --iterations 7 -o whole.r32",
    );
    let whole = read(folder, "whole.r32");
    for side in [65, 127, 200, 257] {
        let words = format!("--seed 3 --h 0.9 --iterations 7 --samples {side}");
        succeed(
            folder,
            &format!("generate {words} -o other.r32 -o other.tif"),
        );
        let other = read(folder, "other.r32");
        assert_eq!((other.rows(), other.columns()), (side, side));
        // Its corners and whatever else falls on a sample have that sample's bits.
        for row in 0..side {
            for column in 0..side {
                let place = |index: usize| (index * 128 / (side - 1), index * 128 % (side - 1));
                if let ((r, 0), (c, 0)) = (place(row), place(column)) {
                    assert_eq!(other.at(row, column), whole.at(r, c));
                }
            }
        }
        // It still tiles, and nothing is far from what lies around it.
        assert_eq!(other.row(0), other.row(side - 1));
        for row in 0..side {
            for column in 0..side {
                let at = |index: usize| index as f64 * 128.0 / (side - 1) as f64;
                let (y, x) = (at(row), at(column));
                let near = whole.bilinear(y, x, landform::grid::Edge::Clamp);
                assert!((other.at(row, column) - near).abs() < 0.05);
            }
        }
        let step = sidecar(folder, "other.r32")["metres_per_sample"]
            .as_f64()
            .unwrap();
        assert!((step - 2000.0 / (side - 1) as f64).abs() < 1e-9);
    }
}

#[test]
fn flipped_rows_are_the_same_from_the_south() {
    let folder = folder();
    let folder = folder.path();
    // 513 rows are more than one band of those that stream.
    for (scene, rows) in [
        ("--seed 3 --iterations 9", 513),
        ("--seed 3 --iterations 5 --generator hill", 33),
        ("--seed 3 --iterations 7 --region 3,5,20,30", 30),
    ] {
        succeed(folder, &format!("generate {scene} -o up.r32 -o up.png"));
        succeed(
            folder,
            &format!("generate {scene} --flip -o down.r32 -o down.png -o down.exr"),
        );
        for format in ["r32", "png"] {
            let up = raw(folder, &format!("up.{format}"));
            let down = raw(folder, &format!("down.{format}"));
            // Opened again, north is where it was.
            assert_eq!(read(folder, &format!("down.{format}")), up);
            assert_eq!(up.rows(), rows);
            for row in 0..rows {
                assert_eq!(up.row(row), down.row(rows - 1 - row), "{scene}: row {row}");
            }
        }
        let order = sidecar(folder, "down.png")["row_order"].clone();
        assert!(order.as_str().unwrap().starts_with("south to north"));
    }
    for file in ["x.tif", "x.asc", "x.obj", "x.glb"] {
        let output = landform(folder, &format!("generate --iterations 3 --flip -o {file}"));
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{complaint}");
        assert!(
            complaint.contains("records which row is north"),
            "{complaint}"
        );
    }
}

/// A 16-bit file's steps as metres, by its sidecar.
fn metres(folder: &Path, name: &str, step: f32) -> f64 {
    let about = sidecar(folder, name);
    let number = |key: &str| about[key].as_f64().unwrap();
    number("metres_at_0") + f64::from(step) / 65_535.0 * number("metres_from_0_to_highest")
}

#[test]
fn whole_numbers_have_the_requested_range() {
    let folder = folder();
    let folder = folder.path();
    succeed(folder, "generate --seed 3 --iterations 5 -o floats.r32");
    let floats = read(folder, "floats.r32");
    for (range, resolution) in [
        ("own", 0.03),
        ("-2,2", 0.07),
        ("-2000m,2000m", 0.07),
        ("metres", 1.0),
        ("unit", 0.03),
    ] {
        succeed(
            folder,
            &format!("generate --seed 3 --iterations 5 --range {range} -o steps.r16"),
        );
        let steps = raw(folder, "steps.r16");
        for (height, step) in floats.as_slice().iter().zip(steps.as_slice()) {
            let error = f64::from(*height) * 1000.0 - metres(folder, "steps.r16", *step);
            assert!(error.abs() <= resolution / 2.0 + 1e-3, "{range}: {error} m");
        }
    }
    // A step a metre.
    let about = sidecar(folder, "steps.r16");
    assert_eq!(about["steps"], serde_json::json!([0, 65535]));
    let output = landform(
        folder,
        "generate --iterations 3 --set surface.tile_size_m=900000 --range metres -o x.r16",
    );
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{complaint}");
    assert!(
        complaint.contains("one step per metre allows at most 65535 m"),
        "{complaint}"
    );
}

#[test]
fn floats_are_half_tiles_metres_or_unit_range() {
    let folder = folder();
    let folder = folder.path();
    let scene = "--seed 3 --iterations 5";
    succeed(folder, &format!("generate {scene} -o plain.r32"));
    let plain = read(folder, "plain.r32");
    for format in ["npy", "r32"] {
        succeed(
            folder,
            &format!("generate {scene} --range metres -o m.{format}"),
        );
        let metres = raw(folder, &format!("m.{format}"));
        for (height, metres) in plain.as_slice().iter().zip(metres.as_slice()) {
            assert_eq!((f64::from(*height) * 1000.0) as f32, *metres);
        }
        assert_eq!(sidecar(folder, &format!("m.{format}"))["unit"], "metres");
        succeed(
            folder,
            &format!("generate {scene} --range unit -o u.{format}"),
        );
        assert_eq!(raw(folder, &format!("u.{format}")).range(), (0.0, 1.0));
    }
    for wrong in ["1", "2,1", "1m,2", "0m", "metre", "nan,1", ""] {
        let words = ["generate", "--range", wrong, "-o", "x.png"];
        let output = landform_with(folder, words);
        assert_eq!(output.status.code(), Some(2), "{wrong}");
    }
}

#[test]
fn engine_numbers_put_every_step_at_its_height() {
    let folder = folder();
    let folder = folder.path();
    let scene = "--seed 3 --iterations 5 --set surface.tile_size_m=500";
    succeed(
        folder,
        &format!("generate {scene} -o a.r16 -o a.exr -o a.png -o heights.r32"),
    );
    let (steps, heights) = (raw(folder, "a.r16"), read(folder, "heights.r32"));
    let engines = sidecar(folder, "a.r16")["engines"].clone();
    let number = |engine: &str, name: &str| engines[engine][name].as_f64().unwrap();
    for (step, height) in steps.as_slice().iter().zip(heights.as_slice()) {
        let (step, metres) = (f64::from(*step), f64::from(*height) * 250.0);
        // Unreal: (step − 32768) / 128 centimetres, scaled, above the actor.
        let unreal = number("Unreal", "Location Z")
            + (step - 32_768.0) / 128.0 * number("Unreal", "Scale Z");
        let share = step / 65_535.0;
        let unity = number("Unity", "Position Y") + share * number("Unity", "Terrain Height");
        let from = number("Godot", "R16 Range from");
        let godot = from + share * (number("Godot", "R16 Range to") - from);
        for (engine, height) in [
            ("Unreal", unreal / 100.0),
            ("Unity", unity),
            ("Godot", godot),
        ] {
            assert!(
                (height - metres).abs() < 0.01,
                "{engine}: {height} for {metres}"
            );
        }
    }
    assert_eq!(number("Unreal", "Scale X"), 500.0 / 32.0 * 100.0);
    assert_eq!(number("Unity", "Terrain Width"), 500.0);
    // Floats: what 0 and 1 stand for.
    let exr = sidecar(folder, "a.exr")["engines"]["Blender"].clone();
    assert_eq!(exr["Strength"], 250.0);
    assert_eq!(exr["Location Z"], 0.0);
    assert!(sidecar(folder, "a.exr")["engines"]["Unity"].is_null());
}

#[test]
fn engines_are_told_what_the_file_is_like() {
    let folder = folder();
    let folder = folder.path();
    let map = "generate --seed 3 --iterations 5";
    succeed(folder, &format!("{map} -o up.r16 -o up.png -o up.exr"));
    succeed(folder, &format!("{map} --flip -o down.r16"));
    let note = |name, engine: &str| {
        let told = sidecar(folder, name)["engines"][engine]["note"].clone();
        told.as_str().unwrap().to_lowercase()
    };
    assert!(note("up.r16", "Unity").contains("flip vertically"));
    assert!(!note("down.r16", "Unity").contains("flip"));
    assert!(note("down.r16", "Unity").contains("southern row is first"));
    // Terrain3D does not read 16 bits from a .png.
    assert!(sidecar(folder, "up.png")["engines"]["Godot"].is_null());
    assert!(sidecar(folder, "up.exr")["engines"]["Godot"].is_object());
    let blender = &sidecar(folder, "up.exr")["engines"]["Blender"];
    assert_eq!(blender["X Subdivisions"], 32.0);
    assert_eq!(blender["Y Subdivisions"], 32.0);
    assert!(
        blender["where"].as_str().unwrap().contains("UV"),
        "{blender}"
    );
}

#[test]
fn names_that_others_use_are_known() {
    let folder = folder();
    let folder = folder.path();
    let map = "generate --seed 3 --iterations 5";
    succeed(
        folder,
        &format!("{map} -o a.r16 -o a.raw -o a.tif -o a.tiff"),
    );
    succeed(folder, &format!("{map} --format tif -o b.tif"));
    succeed(folder, &format!("{map} --format raw -o b.raw"));
    let bytes = |name| fs::read(folder.join(name)).unwrap();
    assert!(bytes("a.r16") == bytes("a.raw") && bytes("a.raw") == bytes("b.raw"));
    assert!(bytes("a.tif") == bytes("a.tiff") && bytes("a.tif") == bytes("b.tif"));
    succeed(folder, "generate --input a.raw -o back.npy");
    succeed(folder, "generate --input a.r16 -o same.npy");
    assert!(bytes("back.npy") == bytes("same.npy"));
}
