//! What written files say about their place.

use super::*;

#[test]
fn the_system_in_a_prj_goes_out_again() {
    let folder = folder();
    let path = folder.path().join("x.asc");
    let text = "ncols 3\nnrows 3\nxllcorner 10\nyllcorner 40\ncellsize 0.5\n1 2 3 4 5 6 7 8 9";
    fs::write(&path, text).unwrap();
    let of = |prj: &str| {
        fs::write(folder.path().join("x.prj"), prj).unwrap();
        facts(folder.path(), "x.asc -o y.tif --force");
        let keys = keys(&folder.path().join("y.tif"));
        let (entries, _) = keys.as_chunks::<4>();
        let codes = entries
            .iter()
            .filter(|entry| [2048, 3072].contains(&entry[0]));
        codes.map(|entry| entry[3]).collect::<Vec<_>>()
    };
    let named = |name: &str, unit: &str| format!("{name},{unit}]\n");
    let metres = |name: &str| {
        named(
            &format!("PROJCS[\"{name}\",GEOGCS[\"G\"]"),
            "UNIT[\"Meter\",1.0]",
        )
    };
    // They are as ESRI's programs and GDAL write them.
    assert_eq!(of(&metres("WGS_1984_UTM_Zone_32N")), [32_632]);
    assert_eq!(of(&metres("WGS 84 / UTM zone 19S")), [32_719]);
    assert_eq!(of(&metres("ETRS_1989_UTM_Zone_33N")), [25_833]);
    assert_eq!(of(&metres("NAD83 / UTM zone 10N")), [26_910]);
    assert_eq!(of(WGS_84), [4326]);
    if landform::gdal::Gdal::find().is_err() {
        return;
    }
    // Of other systems GDAL knows what they are, with a code or without.
    let lv95 = "PROJCS[\"CH1903+ / LV95\",GEOGCS[\"CH1903+\",DATUM[\"CH1903+\",SPHEROID[\"Bessel 1841\",6377397.155,299.1528128]],\
                PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433]],PROJECTION[\"Hotine_Oblique_Mercator_Azimuth_Center\"],\
                PARAMETER[\"latitude_of_center\",46.9524055555556],PARAMETER[\"longitude_of_center\",7.43958333333333],\
                PARAMETER[\"azimuth\",90],PARAMETER[\"rectified_grid_angle\",90],PARAMETER[\"scale_factor\",1],\
                PARAMETER[\"false_easting\",2600000],PARAMETER[\"false_northing\",1200000],UNIT[\"metre\",1]AUTHORITY]";
    let text =
        "ncols 3\nnrows 3\nxllcorner 2600000\nyllcorner 1200000\ncellsize 50\n1 2 3 4 5 6 7 8 9";
    fs::write(&path, text).unwrap();
    assert!(of(&lv95.replace("AUTHORITY", ",AUTHORITY[\"EPSG\",\"2056\"]")).contains(&2056));
    let own = lv95
        .replace("AUTHORITY", "")
        .replace("CH1903+ / LV95", "Somewhere")
        .replace("2600000", "2600001");
    assert!(of(&own).contains(&32_767));
}

#[test]
fn place_is_exported_as_imported_with_every_part() {
    let folder = folder();
    let here = folder.path();
    write_utm(&here.join("x.tif"));
    let tie = |name: &str| tag(&here.join(name), Tag::ModelTiepointTag)[3..5].to_vec();
    facts(here, "x.tif -o y.tif -o y.asc");
    assert_eq!(keys(&here.join("y.tif")), UTM);
    assert_eq!(tie("y.tif"), [500_000.0, 5_400_000.0]);
    let scale = tag(&here.join("y.tif"), Tag::ModelPixelScaleTag);
    assert_eq!(scale[..2], [25.0, 25.0]);
    let asc = fs::read_to_string(here.join("y.asc")).unwrap();
    let head = "ncols 9\nnrows 9\nxllcorner 500000\nyllcorner 5399775\ncellsize 25\n";
    assert!(asc.starts_with(head), "{asc}");
    let sidecar = fs::read(here.join("y.asc.json")).unwrap();
    let sidecar: Value = serde_json::from_slice(&sidecar).unwrap();
    assert_eq!(sidecar["place"]["crs"], "EPSG:25832");
    assert_eq!(sidecar["place"]["north_western_sample"][0], 500_012.5);
    facts(here, "x.tif --region 2,3,4,5 -o part.tif -o part.asc");
    assert_eq!(tie("part.tif"), [500_050.0, 5_399_925.0]);
    let asc = fs::read_to_string(here.join("part.asc")).unwrap();
    assert!(
        asc.contains("xllcorner 500050\nyllcorner 5399800\n"),
        "{asc}"
    );
    facts(here, "x.tif --tiles 2x2 -o tile-{row}-{column}.tif");
    assert_eq!(tie("tile-1-1.tif"), [500_100.0, 5_399_900.0]);
    // Other numbers and another grid lie in the same place.
    facts(here, "x.tif --map slope -o slope.tif");
    assert_eq!(tie("slope.tif"), [500_000.0, 5_400_000.0]);
    assert_eq!(keys(&here.join("slope.tif")), UTM);
    facts(
        here,
        "--input x.tif --generator diamond-square --iterations 4 -o fine.tif",
    );
    assert_eq!(keys(&here.join("fine.tif")), UTM);
    // Corners of samples half as wide; their middles are where they were.
    assert_eq!(tie("fine.tif"), [500_006.25, 5_399_993.75]);
}

#[test]
fn degrees_go_out_as_degrees() {
    let folder = folder();
    let here = folder.path();
    let keys_in = directory(&[[1024, 0, 1, 2], [1025, 0, 1, 2], [2048, 0, 1, 4326]]);
    let place = Place {
        scale: &[0.01, 0.01, 0.0],
        tie: &[0.0, 0.0, 0.0, 8.0, 49.0, 0.0],
        keys: &keys_in,
        ..Place::default()
    };
    write_tiff(&here.join("x.tif"), 9, &counted(81), &place);
    facts(here, "x.tif -o y.tif -o y.asc");
    let out = here.join("y.tif");
    assert_eq!(keys(&out), keys_in);
    assert_eq!(tag(&out, Tag::ModelTiepointTag)[3..5], [8.0, 49.0]);
    let scale = tag(&out, Tag::ModelPixelScaleTag);
    let [wide, high] = degree(48.96);
    let narrower = wide / high;
    assert_near(scale[0], 0.01);
    assert_near(scale[1], 0.01 * narrower);
    // And in again at the same size, from both.
    let size = import::samples(&here.join("x.tif"))
        .unwrap()
        .tile_size_m
        .unwrap();
    for name in ["y.tif", "y.asc"] {
        let again = import::samples(&here.join(name)).unwrap();
        let off = (again.tile_size_m.unwrap() / size - 1.0).abs();
        assert!(off < 1e-3, "{name}: {off}");
    }
}

#[test]
fn place_can_be_given_or_left_unstated() {
    let folder = folder();
    let here = folder.path();
    let made = "--iterations 3 --set surface.tile_size_m=800";
    succeed(here, &format!("generate {made} -o none.tif -o none.asc"));
    let none = here.join("none.tif");
    assert!(keys(&none).is_empty());
    assert_eq!(tag(&none, Tag::ModelPixelScaleTag)[..2], [100.0, 100.0]);
    let asc = fs::read_to_string(here.join("none.asc")).unwrap();
    assert!(
        asc.contains("xllcorner -50\nyllcorner -50\ncellsize 100\n"),
        "{asc}"
    );
    let given = "--crs EPSG:32633 --origin 500000,5400000";
    succeed(
        here,
        &format!("generate {made} {given} -o utm.tif -o utm.asc"),
    );
    let utm = here.join("utm.tif");
    assert!(keys(&utm).ends_with(&[3072, 0, 1, 32_633]));
    // The north-western sample is in the middle of its area.
    assert_eq!(
        tag(&utm, Tag::ModelTiepointTag)[3..5],
        [499_950.0, 5_400_050.0]
    );
    let asc = fs::read_to_string(here.join("utm.asc")).unwrap();
    assert!(
        asc.contains("xllcorner 499950\nyllcorner 5399150\n"),
        "{asc}"
    );
    let given = "--crs EPSG:4326 --origin 8,49";
    succeed(here, &format!("generate {made} {given} -o wgs.tif"));
    let wgs = here.join("wgs.tif");
    assert!(keys(&wgs).ends_with(&[2048, 0, 1, 4326]));
    let scale = tag(&wgs, Tag::ModelPixelScaleTag);
    let [wide, high] = degree(49.0);
    assert!((scale[1] - 100.0 / high).abs() < 1e-7);
    assert!((scale[0] - 100.0 / wide).abs() < 1e-7);
    // What an image says gives way.
    write_utm(&here.join("x.tif"));
    facts(
        here,
        "x.tif --crs EPSG:25833 --origin 1000,2000 -o moved.tif",
    );
    let moved = here.join("moved.tif");
    assert!(keys(&moved).ends_with(&[3072, 0, 1, 25_833]));
    assert_eq!(tag(&moved, Tag::ModelTiepointTag)[3..5], [987.5, 2012.5]);
}

#[test]
fn what_is_written_in_metres_claims_no_feet() {
    if landform::gdal::Gdal::find().is_err() {
        return;
    }
    let folder = folder();
    let here = folder.path();
    // New York in feet; heights in feet by the code, by the unit, and in metres.
    let of = |vertical: [u16; 4]| {
        directory(&[
            [1024, 0, 1, 1],
            [1025, 0, 1, 1],
            [1026, 34_737, 9, 0],
            [3072, 0, 1, 2263],
            vertical,
        ])
    };
    for (vertical, unit, stays) in [
        ([4096, 0, 1, 6360], 1200.0 / 3937.0, false),
        ([4099, 0, 1, 9002], 0.3048, false),
        ([4096, 0, 1, 5703], 1.0, true),
    ] {
        let model = here.join("model.tif");
        let keys_in = of(vertical);
        let place = Place {
            scale: &[20.0, 20.0, 0.0],
            tie: &[0.0, 0.0, 0.0, 500_000.0, 200_000.0, 0.0],
            keys: &keys_in,
            text: "A system|",
            ..Place::default()
        };
        write_model(&model, &place);
        facts(here, "model.tif -o a.tif");
        facts(here, "model.tif --format tiff16 -o b.tif");
        facts(here, "model.tif --map slope -o slope.tif");
        fs::remove_file(&model).unwrap();
        for name in ["a.tif", "b.tif"] {
            let (map, _) = facts(here, &format!("{name} -o again.npy --force"));
            let off = map["max_m"].as_f64().unwrap() / (8000.0 * unit) - 1.0;
            assert!(off.abs() < 1e-4, "{vertical:?} {name}: {map}");
            let written = keys(&here.join(name));
            let has = |key: u16| written.as_chunks::<4>().0[1..].iter().any(|k| k[0] == key);
            assert_eq!(has(vertical[0]), stays, "{vertical:?} {name}");
            assert!(has(3072), "{name}");
        }
        // A slope is no height above the sea.
        let written = keys(&here.join("slope.tif"));
        assert!(!written.contains(&vertical[0]), "{written:?}");
        for name in ["a.tif", "b.tif", "slope.tif"] {
            fs::remove_file(here.join(name)).unwrap();
            fs::remove_file(here.join(format!("{name}.json"))).unwrap();
        }
    }
}

/// Heights 0, 1, 2 … on cells of degrees around 49° north, 9 × 9.
fn write_degrees(path: &Path) {
    let mut text = "ncols 9\nnrows 9\nxllcorner 8\nyllcorner 48.955\ncellsize 0.01\n".to_owned();
    counted(81)
        .iter()
        .for_each(|height| text += &format!("{height} "));
    fs::write(path, text).unwrap();
}

const WGS_84: &str = "GEOGCS[\"GCS_WGS_1984\",DATUM[\"D_WGS_1984\",SPHEROID[\"WGS_1984\",6378137.0,\
                      298.257223563]],PRIMEM[\"Greenwich\",0.0],UNIT[\"Degree\",0.0174532925199433]]";

#[test]
fn degree_grid_round_trips_with_its_coordinate_system() {
    let folder = folder();
    let here = folder.path();
    let own = WGS_84
        .replace("WGS_1984", "Nowhere")
        .replace("6378137.0", "6378000.0");
    let etrs = "GEOGCS[\"X\",UNIT[\"degree\",0.0174532925199433],AUTHORITY[\"EPSG\",\"4258\"]]";
    for (prj, code) in [
        (None, Some(4326)),
        (Some(WGS_84), Some(4326)),
        (Some(etrs), Some(4258)),
        (
            Some(own.as_str()).filter(|_| landform::gdal::Gdal::find().is_ok()),
            None,
        ),
    ] {
        let code = code.or(prj.is_none().then_some(4326));
        let here = here.join(format!("{}", prj.map_or(0, str::len)));
        fs::create_dir_all(&here).unwrap();
        write_degrees(&here.join("x.asc"));
        if let Some(prj) = prj {
            fs::write(here.join("x.prj"), prj).unwrap();
        }
        let (map, _) = facts(&here, "x.asc -o y.tif -o y.asc");
        let size = import::samples(&here.join("x.asc")).unwrap().tile_size_m;
        let written = keys(&here.join("y.tif"));
        let entry = |key: u16| {
            let (entries, _) = written.as_chunks::<4>();
            entries[1..]
                .iter()
                .find(|entry| entry[0] == key)
                .map(|entry| entry[3])
        };
        assert_eq!(entry(1024), Some(2), "{prj:?}: degrees");
        assert_eq!(entry(2048), Some(code.unwrap_or(32_767)), "{prj:?}");
        // Without the original and without a sidecar it has the same size and heights.
        fs::remove_file(here.join("x.asc")).unwrap();
        for name in ["y.tif", "y.asc"] {
            fs::remove_file(here.join(format!("{name}.json"))).unwrap();
            let again = import::samples(&here.join(name)).unwrap();
            let off = (again.tile_size_m.unwrap() / size.unwrap() - 1.0).abs();
            assert!(off < 0.01, "{prj:?} {name}: {off}");
            let (low, high) = again.grid.range();
            let metres =
                |height: f32| f64::from(height) * f64::from(again.tile_size_m.unwrap()) / 2.0;
            assert!(metres(low).abs() < 0.01 && (metres(high) - 79.0).abs() < 2.0);
            let place = again.place.unwrap();
            assert!((place.origin[1] - 49.04).abs() < 0.01, "{:?}", place.origin);
            assert!(place.well_known_text().is_some(), "{prj:?} {name}");
        }
        // The last row of squares lies a little within that of the cells.
        let high = map["max_m"].as_f64().unwrap();
        assert!((78.0..=80.0).contains(&high), "{high}");
    }
}

#[test]
fn asc_cells_are_square_in_degrees_too() {
    let folder = folder();
    let here = folder.path();
    write_degrees(&here.join("x.asc"));
    facts(here, "x.asc -o y.asc");
    let text = fs::read_to_string(here.join("y.asc")).unwrap();
    // The very grid that came in, its rows through those of a finer one.
    let head = "ncols 9\nnrows 9\n";
    assert!(text.starts_with(head) && !text.contains("dx "), "{text}");
    let line = |key: &str| -> f64 {
        let line = text.lines().find(|line| line.starts_with(key)).unwrap();
        line[key.len()..].trim().parse().unwrap()
    };
    assert_near(line("cellsize"), 0.01);
    assert!((line("xllcorner") - 8.0).abs() < 1e-9);
    assert!((line("yllcorner") - 48.955).abs() < 1e-9);
    let rows: Vec<Vec<f64>> = { text.lines().skip(6).take(9) }
        .map(|row| row.split(' ').map(|n| n.parse().unwrap()).collect())
        .collect();
    for (row, values) in rows.iter().enumerate() {
        for (column, value) in values.iter().enumerate() {
            let wanted = (row * 9 + column) as f64;
            // The last row reaches half a cell beyond the map of square metres at most.
            let most = if row == 8 { 2.0 } else { 0.01 };
            assert!((value - wanted).abs() < most, "{row} {column}: {value}");
        }
    }
    let sidecar = fs::read(here.join("y.asc.json")).unwrap();
    let sidecar: Value = serde_json::from_slice(&sidecar).unwrap();
    assert_eq!(
        (&sidecar["width"], &sidecar["height"]),
        (&9.into(), &9.into())
    );
    let [east, south] = [0, 1].map(|axis| sidecar["metres_per_sample"][axis].as_f64().unwrap());
    let [wide, high] = degree(49.0);
    assert!((east / south - wide / high).abs() < 1e-3);
    // Parts lie on the lattice of the whole.
    facts(here, "x.asc --tiles 2x2 -o t-{row}-{column}.asc");
    let mut seen = 0;
    for row in 0..2 {
        let text = fs::read_to_string(here.join(format!("t-{row}-0.asc"))).unwrap();
        let count: usize = text.lines().nth(1).unwrap()[6..].parse().unwrap();
        seen += count;
        for row in text.lines().skip(6).take(count) {
            let first: f64 = row.split(' ').next().unwrap().parse().unwrap();
            assert!(
                rows.iter().any(|row| (row[0] - first).abs() < 1e-3),
                "{first}"
            );
        }
    }
    assert!((9..=10).contains(&seen), "{seen}");
}

#[test]
fn a_line_says_that_another_system_converts_nothing() {
    let folder = folder();
    let here = folder.path();
    write_utm(&here.join("x.tif"));
    for (flags, words) in [
        ("--crs EPSG:25833", "written as they are, as EPSG:25833"),
        ("--crs EPSG:4326", "without --origin the map lies at 0, 0"),
        ("--crs EPSG:4326 --origin 8,49", ""),
        ("--crs EPSG:25832", ""),
        ("", ""),
    ] {
        let (_, said) = facts(here, &format!("x.tif {flags} -o y.tif --force"));
        assert!(said.contains(words), "{flags}: {said}");
        assert_eq!(said.contains("not converted"), !words.is_empty(), "{said}");
    }
}
