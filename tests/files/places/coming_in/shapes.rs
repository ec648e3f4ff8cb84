//! The shape of samples and of maps.

use super::*;

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
