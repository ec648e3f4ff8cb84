//! Units of numbers, and what is assumed of them.

use super::*;

#[test]
fn feet_become_metres() {
    if landform::gdal::Gdal::find().is_err() {
        return;
    }
    let folder = folder();
    let path = folder.path().join("x.tif");
    let foot = 0.3048;
    let survey = 1200.0 / 3937.0;
    for (keys, across, up) in [
        // New York's metres, and its survey feet with heights in survey feet, in feet, in metres.
        (vec![[3072, 0, 1, 32_618], [3076, 0, 1, 9001]], 1.0, 1.0),
        (vec![[3072, 0, 1, 2263], [4096, 0, 1, 6360]], survey, survey),
        (vec![[3072, 0, 1, 2263], [4099, 0, 1, 9002]], survey, foot),
        (vec![[3072, 0, 1, 25_832], [4096, 0, 1, 5703]], 1.0, 1.0),
    ] {
        let mut all = vec![[1024, 0, 1, 1], [1025, 0, 1, 1]];
        all.extend(keys);
        let keys = directory(&all);
        let place = Place {
            scale: &[10.0, 10.0, 0.0],
            tie: &[0.0, 0.0, 0.0, 984_250.0, 200_000.0, 0.0],
            keys: &keys,
            ..Place::default()
        };
        write_tiff(&path, 3, &[0.0, 100.0, 200.0, 300.0, 400.0, 500.0], &place);
        let samples = import::samples(&path).unwrap();
        let off = f64::from(samples.tile_size_m.unwrap()) / (20.0 * across) - 1.0;
        // On the ground, which the map's scale is within a thousandth of.
        assert!(off.abs() < 1e-3, "{all:?}: {off}");
        let off = metres(&samples, 1, 2) / (500.0 * up) - 1.0;
        assert!(off.abs() < 1e-6, "{all:?}: {off}");
    }
    let (facts, _) = facts(folder.path(), "x.tif --input-unit ft -o y.npy");
    assert_near(facts["max_m"].as_f64().unwrap(), 500.0 * foot);
}

#[test]
fn assumed_units_are_stated_and_overridden_by_options() {
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
        "--input-size",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    // Only what would change it is named.
    assert!(!said.contains("--input-range"), "{said}");
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
fn readings_are_input_keys_of_a_scene_file() {
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
fn integer_units_are_unambiguous_and_flags_never_ignored() {
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
        &["beyond the limit of 1e12 half tiles", "--input-unit"],
    );
}

#[test]
fn small_piece_of_high_ground_keeps_its_height() {
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
