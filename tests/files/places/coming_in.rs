//! What files say about their place, and what is assumed.

use super::*;

#[test]
fn degrees_are_narrower_by_the_cosine_of_the_latitude() {
    let folder = folder();
    let geographic = directory(&[[1024, 0, 1, 2], [1025, 0, 1, 1], [2048, 0, 1, 4326]]);
    let tiff = folder.path().join("x.tif");
    write_tiff(
        &tiff,
        9,
        &counted(81),
        &Place {
            scale: &[0.01, 0.01, 0.0],
            // The corner of the first sample, so that the middle one is at 49° north.
            tie: &[0.0, 0.0, 0.0, 8.0, 49.045, 0.0],
            keys: &geographic,
            ..Place::default()
        },
    );
    let asc = folder.path().join("x.asc");
    let mut text = "ncols 9\nnrows 9\nxllcorner 8\nyllcorner 48.955\ncellsize 0.01\n".to_owned();
    counted(81)
        .iter()
        .for_each(|height| text += &format!("{height} "));
    fs::write(&asc, text).unwrap();
    for path in [&tiff, &asc] {
        let samples = import::samples(path).unwrap();
        let across = 0.01 * DEGREE * 49_f64.to_radians().cos();
        // 8 cells of 0.01° southwards are 12.19 cells of that side.
        assert_eq!((samples.grid.rows(), samples.grid.columns()), (13, 9));
        assert_near(samples.tile_size_m.unwrap().into(), 12.0 * across);
        for column in 0..9 {
            assert_near(metres(&samples, 0, column), column as f64);
            // 9 m a row of 0.01°.
            let south = column as f64 + 9.0 * 4.0 * across / (0.01 * DEGREE);
            assert_near(metres(&samples, 4, column), south);
        }
    }
    for (name, latitude) in [
        ("N49E008", 49.5),
        ("s01w077_v3", -0.5),
        ("n78_e016_1arc", 78.5),
    ] {
        let path = folder.path().join(format!("{name}.hgt"));
        let bytes: Vec<u8> = (0..121_i16).flat_map(i16::to_be_bytes).collect();
        fs::write(&path, bytes).unwrap();
        let samples = import::samples(&path).unwrap();
        let narrower = f64::to_radians(latitude).cos();
        let cells = |count: usize| (count - 1) as f64;
        let (rows, columns) = (cells(samples.grid.rows()), cells(samples.grid.columns()));
        assert!(
            (columns / rows - narrower).abs() < 0.05,
            "{name}: {rows} {columns}"
        );
        let step = f64::from(samples.tile_size_m.unwrap()) / rows;
        let half = step / 2.0;
        assert!(
            (step * columns - DEGREE * narrower).abs() <= half * 1.001,
            "{name}"
        );
        assert!((step * rows - DEGREE).abs() <= half * 1.001, "{name}");
        assert_near(metres(&samples, 0, 0), 0.0);
        assert_eq!(samples.place.unwrap().origin[1], latitude + 0.5);
    }
}

#[test]
fn a_coarse_grid_in_degrees_is_no_toy_and_a_prj_beside_has_the_last_word() {
    let folder = folder();
    let path = folder.path().join("x.asc");
    let write = |cell: f64| {
        let text = format!(
            "ncols 3\nnrows 3\nxllcorner -10\nyllcorner 40\ncellsize {cell}\n1 2 3 4 5 6 7 8 9"
        );
        fs::write(&path, text).unwrap();
        import::samples(&path).unwrap().tile_size_m.unwrap()
    };
    for cell in [0.25, 1.0] {
        // Three rows of at least 0.25° south to north.
        assert!(write(cell) > 2.0 * cell as f32 * 100_000.0, "{cell}");
    }
    assert_eq!(write(30.0), 60.0);
    let prj = folder.path().join("x.prj");
    let feet = "PROJCS[\"NAD83 / New York\",GEOGCS[\"NAD83\",UNIT[\"Degree\",0.0174532925199433]],\
                PROJECTION[\"Lambert\"],UNIT[\"Foot_US\",0.3048006096012192]]";
    fs::write(&prj, feet).unwrap();
    assert_near(write(1.0).into(), 2.0 * 0.304_800_609_601_219_2);
    fs::write(
        &prj,
        "GEOGCS[\"WGS 84\",UNIT[\"degree\",0.0174532925199433]]",
    )
    .unwrap();
    assert!(write(2.0) > 400_000.0);
}

#[test]
fn samples_that_are_not_square_become_so() {
    let folder = folder();
    let path = folder.path().join("x.tif");
    let heights = [0.0, 10.0, 20.0, 60.0, 70.0, 80.0];
    let place = Place {
        scale: &[30.0, 60.0, 0.0],
        ..Place::default()
    };
    write_tiff(&path, 3, &heights, &place);
    let samples = import::samples(&path).unwrap();
    assert_eq!((samples.grid.rows(), samples.grid.columns()), (3, 3));
    assert_eq!(samples.tile_size_m, Some(60.0));
    for (row, wanted) in [[0.0, 10.0, 20.0], [30.0, 40.0, 50.0], [60.0, 70.0, 80.0]]
        .iter()
        .enumerate()
    {
        for (column, wanted) in wanted.iter().enumerate() {
            assert_near(metres(&samples, row, column), *wanted);
        }
    }
    let notices = samples.notices(&path, None);
    assert!(notices[0].contains("30 m apart eastwards and 60 m southwards"));
    assert!(
        notices[0].contains("3 × 2 have become 3 × 3"),
        "{notices:?}"
    );
    // What the user says counts, whatever the file says.
    let (facts, _) = facts(folder.path(), "x.tif --input-spacing 20 -o y.r32");
    assert_eq!((&facts["width"], &facts["height"]), (&3.into(), &2.into()));
    assert_near(facts["max_m"].as_f64().unwrap(), 80.0);
    let sidecar = fs::read(folder.path().join("y.r32.json")).unwrap();
    let sidecar: Value = serde_json::from_slice(&sidecar).unwrap();
    assert_eq!(sidecar["metres_per_sample"], 20.0);
}

#[test]
fn feet_become_metres() {
    let folder = folder();
    let path = folder.path().join("x.tif");
    let foot = 0.3048;
    let survey = 1200.0 / 3937.0;
    for (keys, across, up) in [
        (vec![[1024, 0, 1, 1], [3076, 0, 1, 9002]], foot, 1.0),
        (vec![[3076, 0, 1, 9003], [4099, 0, 1, 9002]], survey, foot),
        // By their codes: New York in survey feet, NAVD88 in survey feet.
        (vec![[3072, 0, 1, 2263], [4096, 0, 1, 6360]], survey, survey),
        (vec![[3072, 0, 1, 25_832], [4096, 0, 1, 5703]], 1.0, 1.0),
    ] {
        let keys = directory(&keys);
        let place = Place {
            scale: &[10.0, 10.0, 0.0],
            keys: &keys,
            ..Place::default()
        };
        write_tiff(&path, 3, &[0.0, 100.0, 200.0, 300.0, 400.0, 500.0], &place);
        let samples = import::samples(&path).unwrap();
        assert_near(samples.tile_size_m.unwrap().into(), 20.0 * across);
        assert_near(metres(&samples, 1, 2), 500.0 * up);
    }
    let (facts, _) = facts(folder.path(), "x.tif --input-unit ft -o y.npy");
    assert_near(facts["max_m"].as_f64().unwrap(), 500.0 * foot);
}

#[test]
fn a_transformation_says_the_size_too_and_may_begin_in_the_south() {
    let folder = folder();
    let path = folder.path().join("x.tif");
    let transformation = |e: f64, y: f64| {
        let mut matrix = [0.0; 16];
        (matrix[0], matrix[3], matrix[5], matrix[7]) = (25.0, 500_000.0, e, y);
        matrix[15] = 1.0;
        matrix
    };
    for (e, y, north_west) in [(-25.0, 5_000_050.0, 0.0), (25.0, 5_000_000.0, 3.0)] {
        let matrix = transformation(e, y);
        let place = Place {
            transformation: &matrix,
            ..Place::default()
        };
        write_tiff(&path, 3, &counted(6), &place);
        let samples = import::samples(&path).unwrap();
        assert_eq!(samples.tile_size_m, Some(50.0));
        assert_near(metres(&samples, 0, 0), north_west);
        let place = samples.place.unwrap();
        assert_eq!(place.origin, [500_012.5, 5_000_037.5]);
        assert!(place.is_upright());
    }
}

#[test]
fn a_map_that_is_turned_or_skewed_is_told_of_and_keeps_its_place() {
    let folder = folder();
    let path = folder.path().join("x.tif");
    let (sin, cos) = 30_f64.to_radians().sin_cos();
    let tall = 20.0 * 10_f64.to_radians().tan();
    for ([east, south], words) in [
        (
            [[20.0 * cos, 20.0 * sin], [20.0 * sin, -20.0 * cos]],
            "its rows lead 30° north of east; it is shown upright",
        ),
        (
            [[20.0 * cos, -20.0 * sin], [-20.0 * sin, -20.0 * cos]],
            "its rows lead 30° south of east; it is shown upright",
        ),
        (
            [[20.0, 0.0], [tall, -20.0]],
            "its rows lead 0° north of east, its columns 10° off the right angle to them",
        ),
    ] {
        let mut matrix = [0.0; 16];
        (matrix[0], matrix[1], matrix[3]) = (east[0], south[0], 500_000.0);
        (matrix[4], matrix[5], matrix[7]) = (east[1], south[1], 5_000_000.0);
        matrix[15] = 1.0;
        let place = Place {
            transformation: &matrix,
            ..Place::default()
        };
        write_tiff(&path, 3, &counted(9), &place);
        let (_, said) = facts(folder.path(), "x.tif -o y.tif --force");
        assert!(said.contains(words), "{said}");
        let written = tag(&folder.path().join("y.tif"), Tag::ModelTransformationTag);
        for at in [0, 1, 4, 5] {
            assert_near(written[at], matrix[at]);
        }
    }
    let upright = Place {
        scale: &[20.0, 20.0, 0.0],
        ..Place::default()
    };
    write_tiff(&path, 3, &counted(9), &upright);
    let (_, said) = facts(folder.path(), "x.tif -o y.tif --force");
    assert!(!said.contains("upright"), "{said}");
}

#[test]
fn what_is_assumed_of_bare_numbers_is_said_and_options_say_otherwise() {
    let folder = folder();
    let here = folder.path();
    let raw = |name: &str, values: &[f32]| {
        let bytes: Vec<u8> = values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        fs::write(here.join(name), bytes).unwrap();
    };
    raw(
        "x.r32",
        &[
            200.0, 300.0, -9999.0, 500.0, 600.0, 700.0, 800.0, 900.0, 1000.0,
        ],
    );
    let (map, said) = facts(here, "x.r32 -o y.npy");
    for words in [
        "assumed",
        "-9999 is no data",
        "heights in metres",
        "2000 m for the longer side",
        "3 × 3 samples",
        "--input-unit",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    assert_near(map["min_m"].as_f64().unwrap(), 200.0);
    assert_near(map["max_m"].as_f64().unwrap(), 1000.0);
    // What is said is not assumed.
    let (map, said) = facts(
        here,
        "x.r32 --input-unit ft --input-spacing 10 --input-nodata none --input-size 3x3 -o y.npy",
    );
    assert!(!said.contains("assumed"), "{said}");
    assert_near(map["min_m"].as_f64().unwrap(), -9999.0 * 0.3048);
    let (map, _) = facts(here, "x.r32 --input-range -50,150 -o y.npy");
    assert_near(map["min_m"].as_f64().unwrap(), -50.0);
    assert_near(map["max_m"].as_f64().unwrap(), 150.0);
    // Half tiles of 1000 m.
    raw("small.r32", &[0.0, 0.5, 1.0, 1.5]);
    let (map, said) = facts(here, "small.r32 -o y.npy");
    assert!(said.contains("heights in half tiles"), "{said}");
    assert_near(map["max_m"].as_f64().unwrap(), 1500.0);
    let (map, said) = facts(here, "small.r32 --input-unit m -o y.npy");
    assert!(!said.contains("heights in"), "{said}");
    assert_near(map["max_m"].as_f64().unwrap(), 1.5);
    // Brightness.
    image::ImageBuffer::from_fn(4, 4, |x, y| image::Luma([(y * 4 + x) as u16 * 4369]))
        .save(here.join("grey.png"))
        .unwrap();
    let (map, said) = facts(here, "grey.png -o y.npy");
    assert!(said.contains("0.4 for the highest"), "{said}");
    assert_near(map["max_m"].as_f64().unwrap(), 400.0);
    let (map, _) = facts(
        here,
        "grey.png --input-range 100,1600 --input-spacing 30 -o y.npy",
    );
    assert_near(map["min_m"].as_f64().unwrap(), 100.0);
    assert_near(map["max_m"].as_f64().unwrap(), 1600.0);
    let (map, _) = facts(
        here,
        "--input grey.png --input-unit m --input-spacing 300 -o y.npy",
    );
    assert_near(map["max_m"].as_f64().unwrap(), 65_535.0);
    // The same holds through the scene.
    let (map, _) = facts(
        here,
        "grey.png --set surface.reading.range=\"100,1600\" --set surface.reading.spacing=30 -o y.npy",
    );
    assert_near(map["max_m"].as_f64().unwrap(), 1600.0);
    // An image that comes with the program has no secrets.
    let output = landform(here, "generate --input builtin:jacksboro -o j.npy");
    assert_eq!(output.stderr, b"");
}

#[test]
fn raw_files_have_the_shape_and_the_order_that_are_said() {
    let folder = folder();
    let here = folder.path();
    let bytes: Vec<u8> = (0..6_u16)
        .flat_map(|step| (step * 1000).to_be_bytes())
        .collect();
    fs::write(here.join("x.raw"), bytes).unwrap();
    fail(here, "generate x.raw -o y.npy", 1, &["--input-size"]);
    fail(
        here,
        "generate x.raw --input-size 4x2 -o y.npy",
        1,
        &["4 × 2", "12 bytes"],
    );
    let said = "x.raw --input-size 3x2 --input-order big --input-unit m --input-spacing 50";
    let (map, said) = facts(here, &format!("{said} -o y.npy"));
    assert_eq!(said, "");
    assert_eq!((&map["width"], &map["height"]), (&3.into(), &2.into()));
    assert_near(map["max_m"].as_f64().unwrap(), 5000.0);
    for (flag, allowed) in [
        ("--input-unit yard", "m, ft, unit"),
        ("--input-range 5,2", "LOW,HIGH"),
        ("--input-spacing 0", "above 0"),
        ("--input-nodata x", "a number"),
        ("--input-size 3", "WIDTHxHEIGHT"),
        ("--input-order middle", "little, big"),
        ("--crs 4326", "EPSG:N"),
        ("--origin 4326", "X,Y"),
    ] {
        fail(
            here,
            &format!("generate x.raw {flag} -o y.npy"),
            2,
            &[allowed],
        );
    }
    fail(
        here,
        "generate --input-unit m -o y.npy",
        2,
        &["--input-unit needs an input image"],
    );
}

#[test]
fn a_model_keeps_its_metres_whatever_is_made_of_it() {
    let folder = folder();
    let here = folder.path();
    let mut text = "ncols 9\nnrows 5\nxllcorner 500000\nyllcorner 100000\ncellsize 25\n".to_owned();
    (0..45).for_each(|height| text += &format!("{} ", 100 + height * 10));
    fs::write(here.join("x.asc"), text).unwrap();
    let edges = "--set surface.diamond_square.edges=free";
    for (words, side) in [
        ("", 9),
        (
            "--generator diamond-square --iterations 5 --set surface.diamond_square.input_level=5",
            33,
        ),
        (
            "--generator midpoint --iterations 5 --set surface.midpoint.input_level=5",
            33,
        ),
        ("--set surface.image.size=resampled --iterations 5", 33),
    ] {
        for tile in ["", "--set surface.tile_size_m=5000"] {
            let (map, _) = facts(
                here,
                &format!("--input x.asc {words} {edges} {tile} -o y.tif"),
            );
            assert_eq!(map["width"], side, "{words}");
            assert_near(map["min_m"].as_f64().unwrap(), 100.0);
            assert_near(map["max_m"].as_f64().unwrap(), 540.0);
            let file = import::samples(&here.join("y.tif")).unwrap();
            let size = if tile.is_empty() { 200.0 } else { 5000.0 };
            assert_eq!(file.tile_size_m, Some(size), "{words}");
            // 40 m over the four samples eastwards, 90 m a row of 25 m: its shape stays as well.
            let cells = (side - 1) / 8;
            let fourth = metres(&file, 0, 4 * cells) - metres(&file, 0, 0);
            let row = metres(&file, cells, 0) - metres(&file, 0, 0);
            assert_near(fourth, 40.0);
            assert_near(row, 90.0);
        }
    }
}

#[test]
fn readings_are_the_keys_of_the_input_in_a_scene_file() {
    let folder = folder();
    let here = folder.path();
    fs::write(here.join("x.r32"), [0_u8; 24]).unwrap();
    let mut scene = landform::scene::Scene::default();
    scene = scene.with("surface.reading.size", "3x2").unwrap();
    scene = scene.with("surface.reading.no_data", "-9999").unwrap();
    let wanted = Reading {
        size: "3x2".to_owned(),
        no_data: "-9999".to_owned(),
        ..Reading::default()
    };
    assert_eq!(scene.surface.reading, wanted);
    let text = scene.to_toml();
    assert_eq!(landform::scene::Scene::parse(&text).unwrap(), scene);
    assert!(
        !landform::scene::Scene::default()
            .to_toml()
            .contains("reading")
    );
    for (key, value) in [
        ("size", "3"),
        ("range", "2,1"),
        ("spacing", "a"),
        ("no_data", "b"),
    ] {
        let error = scene
            .with(&format!("surface.reading.{key}"), value)
            .unwrap_err();
        assert!(
            error
                .to_string()
                .contains(&format!("surface.reading.{key}")),
            "{error}"
        );
    }
}

#[test]
fn mercators_metres_are_shorter_on_the_ground() {
    let folder = folder();
    let here = folder.path();
    let radius = 6_378_137.0;
    let northing = |latitude: f64| radius * latitude.to_radians().tan().asinh();
    let (middle, cosine) = (northing(48.9), 48.9_f64.to_radians().cos());
    let user_defined = [[1024, 0, 1, 1], [3072, 0, 1, 32_767], [3075, 0, 1, 7]];
    for (keys_in, y, wanted) in [
        (
            vec![[1024, 0, 1, 1], [3072, 0, 1, 3857]],
            middle,
            [cosine; 2],
        ),
        (
            vec![[1024, 0, 1, 1], [3072, 0, 1, 3395]],
            middle,
            [cosine; 2],
        ),
        (user_defined.to_vec(), middle, [cosine; 2]),
        (
            vec![[1024, 0, 1, 1], [3072, 0, 1, 4087]],
            radius * 48.9_f64.to_radians(),
            [cosine, 1.0],
        ),
        (
            vec![[1024, 0, 1, 1], [3072, 0, 1, 25_832]],
            middle,
            [1.0; 2],
        ),
    ] {
        let model = here.join("x.tif");
        let keys_in = directory(&keys_in);
        let place = Place {
            scale: &[30.0, 30.0, 0.0],
            tie: &[0.0, 0.0, 0.0, 890_555.0, y + 135.0, 0.0],
            keys: &keys_in,
            ..Place::default()
        };
        write_model(&model, &place);
        let samples = import::samples(&model).unwrap();
        let step = f64::from(samples.tile_size_m.unwrap())
            / (samples.grid.rows().max(samples.grid.columns()) - 1) as f64;
        let high = step * (samples.grid.rows() - 1) as f64;
        let wide = step * (samples.grid.columns() - 1) as f64;
        assert!(
            (wide - 240.0 * wanted[0]).abs() < step / 2.0 + 0.01,
            "{keys_in:?}: {wide}"
        );
        assert!(
            (high - 240.0 * wanted[1]).abs() < step / 2.0 + 0.01,
            "{keys_in:?}: {high}"
        );
        // Out again where it was.
        facts(here, "x.tif -o y.tif --force");
        let out = here.join("y.tif");
        assert_near(tag(&out, Tag::ModelPixelScaleTag)[0], 30.0);
    }
    // A landscape put there has its size on the ground.
    let made = "--iterations 3 --set surface.tile_size_m=800";
    let origin = format!("890555,{middle}");
    succeed(
        here,
        &format!("generate {made} --crs EPSG:3857 --origin {origin} -o made.tif"),
    );
    let size = import::samples(&here.join("made.tif")).unwrap().tile_size_m;
    assert_near(size.unwrap().into(), 800.0);
}

#[test]
fn the_third_axis_of_a_system_with_heights_is_their_scale() {
    let folder = folder();
    let path = folder.path().join("x.tif");
    for (vertical, unit, wanted) in [
        (Some([4096, 0, 1, 5783]), 1.0, 120.0..180.0),
        (Some([4096, 0, 1, 6360]), 1200.0 / 3937.0, 120.0..180.0),
        (None, 1.0, 200.0..800.0),
    ] {
        let mut keys = vec![[1024, 0, 1, 1], [3072, 0, 1, 25_832]];
        keys.extend(vertical);
        let keys = directory(&keys);
        let place = Place {
            scale: &[20.0, 20.0, 0.1],
            tie: &[0.0, 0.0, 0.0, 500_000.0, 5_000_000.0, 100.0],
            keys: &keys,
            ..Place::default()
        };
        write_tiff(&path, 2, &[200.0, 300.0, 400.0, 800.0], &place);
        let samples = import::samples(&path).unwrap();
        assert_near(metres(&samples, 0, 0), wanted.start * unit);
        assert_near(metres(&samples, 1, 1), wanted.end * unit);
    }
}

#[test]
fn a_system_that_is_no_map_is_refused() {
    let folder = folder();
    for (code, what) in [
        (9518, "compound"),
        (7423, "compound"),
        (5703, "vertical"),
        (4978, "geocentric"),
    ] {
        let words = format!("generate --iterations 3 --crs EPSG:{code} --origin 8,49 -o z.tif");
        fail(folder.path(), &words, 2, &[what]);
    }
}

#[test]
fn units_of_whole_numbers_have_one_meaning_and_no_flag_is_ignored() {
    let folder = folder();
    let here = folder.path();
    image::ImageBuffer::from_fn(3, 3, |x, y| image::Luma([(y * 3 + x) as u8 * 30]))
        .save(here.join("eight.png"))
        .unwrap();
    image::ImageBuffer::from_fn(3, 3, |x, y| image::Luma([(y * 3 + x) as u16 * 30 * 257]))
        .save(here.join("sixteen.png"))
        .unwrap();
    image::open(here.join("sixteen.png"))
        .unwrap()
        .save(here.join("sixteen.tif"))
        .unwrap();
    for name in ["eight.png", "sixteen.png", "sixteen.tif"] {
        let (map, said) = facts(here, &format!("{name} --input-unit unit -o y.npy --force"));
        // 240 of 255 are as much of a half tile.
        assert_near(map["max_m"].as_f64().unwrap(), 1000.0 * 240.0 / 255.0);
        assert_eq!(map["min_m"], 0.0);
        assert!(!said.contains("half tiles for the highest"), "{said}");
        let vain = format!("{name} --input-size 3x3 -o y.npy --force");
        let (_, said) = facts(here, &vain);
        assert!(
            said.contains("--input-size and --input-order are for"),
            "{said}"
        );
        let (_, said) = facts(here, &format!("{name} --input-order big -o y.npy --force"));
        assert!(
            said.contains("--input-size and --input-order are for"),
            "{said}"
        );
    }
    // Heights may be this large, since a scene can say it.
    let words = "sixteen.png --input-unit m --input-spacing 1 -o y.npy --force";
    assert_near(facts(here, words).0["max_m"].as_f64().unwrap(), 61_680.0);
    let bytes: Vec<u8> = (0..9)
        .flat_map(|n| (n as f32 * 500.0).to_le_bytes())
        .collect();
    fs::write(here.join("x.r32"), bytes).unwrap();
    let (map, _) = facts(here, "x.r32 --input-unit unit -o y.npy --force");
    assert_near(map["max_m"].as_f64().unwrap(), 4000.0 * 1000.0);
    fail(
        here,
        "generate x.r32 --input-unit unit --input-range 0,1e20 -o z.npy",
        1,
        &["beyond 1e12 half tiles", "--input-unit"],
    );
}

#[test]
fn a_small_piece_of_a_high_place_is_as_high_as_it_is() {
    let folder = folder();
    let here = folder.path();
    let place = Place {
        scale: &[0.5, 0.5, 0.0],
        ..Place::default()
    };
    let heights = [1700.0, 1710.0, 1720.0, 1730.0, 1740.0, 1766.0];
    write_tiff(&here.join("x.tif"), 3, &heights, &place);
    for words in ["", "--generator diamond-square --iterations 3"] {
        let (map, _) = facts(here, &format!("--input x.tif {words} -o y.npy --force"));
        let high = map["max_m"].as_f64().unwrap();
        assert!((1700.0..2000.0).contains(&high), "{words}: {high}");
    }
    let (map, _) = facts(here, "x.tif -o y.npy --force");
    assert_near(map["min_m"].as_f64().unwrap(), 1700.0);
    assert_near(map["max_m"].as_f64().unwrap(), 1766.0);
}

#[test]
fn a_cropped_png_of_ours_keeps_its_spacing() {
    let folder = folder();
    let here = folder.path();
    for format in ["png", "png8"] {
        let made = "--seed 3 --iterations 6 --format";
        succeed(here, &format!("generate {made} {format} -o a.png --force"));
        let (whole, _) = facts(here, "a.png -o whole.npy --force");
        // This is what an image program does when it crops: it keeps the text chunks.
        let file = std::io::BufReader::new(fs::File::open(here.join("a.png")).unwrap());
        let mut reader = png::Decoder::new(file).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        let info = reader.info().clone();
        let pixel = info.bytes_per_pixel();
        let file = fs::File::create(here.join("crop.png")).unwrap();
        let mut encoder = png::Encoder::new(file, 20, 20);
        encoder.set_color(info.color_type);
        encoder.set_depth(info.bit_depth);
        for chunk in &info.uncompressed_latin1_text {
            let (keyword, text) = (chunk.keyword.clone(), chunk.text.clone());
            encoder.add_text_chunk(keyword, text).unwrap();
        }
        let rows = pixels.chunks(65 * pixel).take(20);
        let rows: Vec<u8> = rows.flat_map(|row| row[..20 * pixel].to_vec()).collect();
        encoder
            .write_header()
            .unwrap()
            .write_image_data(&rows)
            .unwrap();
        let (map, said) = facts(here, "crop.png -o x.tif --force");
        let scale = tag(&here.join("x.tif"), Tag::ModelPixelScaleTag);
        assert_near(scale[0], 31.25);
        assert!(said.contains("31.25 m between samples"), "{said}");
        let part = |key: &str, of: &Value| of[key].as_f64().unwrap();
        assert!(part("max_m", &map) <= part("max_m", &whole) + 1e-3);
        assert!(part("min_m", &map) >= part("min_m", &whole) - 1e-3);
        // Its heights are those of the map there, in metres.
        let whole = import::heights(&here.join("whole.npy")).unwrap();
        let corner = import::samples(&here.join("x.tif")).unwrap();
        let step = (part("max_m", &map) - part("min_m", &map)) / 100.0;
        for at in [0, 7, 19] {
            let wanted = f64::from(whole.row(at)[at]) * 1000.0;
            let found = metres(&corner, at, at);
            assert!(
                (found - wanted).abs() < step.max(0.1),
                "{at}: {found}, not {wanted}"
            );
        }
    }
}
