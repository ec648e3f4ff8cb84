//! What the command makes.

use super::*;

const SURFACE: &str = "--seed 7 --iterations 6 --h 0.6";

#[test]
fn npy_holds_the_librarys_heights_bit_for_bit() {
    let folder = folder();
    succeed(folder.path(), &format!("generate {SURFACE} -o x.npy"));
    let (shape, heights) = npy(&folder.path().join("x.npy"));
    assert_eq!(shape, [65, 65]);
    assert_eq!(heights, generated(&surface()).heights());
    assert_eq!(names(folder.path()), ["x.npy", "x.npy.json"]);
}

#[test]
fn all_formats_hold_the_same_map() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    succeed(
        folder.path(),
        &format!("generate {SURFACE} -o x.npy -o x.png -o x.r16 x.r32 -o x.obj"),
    );
    assert_eq!(
        names(folder.path()),
        [
            "x-texture.png",
            "x.mtl",
            "x.npy",
            "x.npy.json",
            "x.obj",
            "x.obj.json",
            "x.png",
            "x.png.json",
            "x.r16",
            "x.r16.json",
            "x.r32",
            "x.r32.json"
        ]
    );
    let map = generated(&surface());
    assert_eq!(fs::read(at("x.r32")).unwrap(), bytemuck_le(map.heights()));
    let (width, height, values) = grey(&at("x.png"));
    assert_eq!((width, height), (65, 65));
    assert_eq!(values, quantized(&map));
    let shorts: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
    assert_eq!(fs::read(at("x.r16")).unwrap(), shorts);
    let obj = fs::read_to_string(at("x.obj")).unwrap();
    let count = |start: &str| obj.lines().filter(|line| line.starts_with(start)).count();
    assert_eq!(count("v "), 65 * 65);
    assert_eq!((count("vt "), count("vn ")), (65 * 65, 65 * 65));
    assert_eq!(count("f "), 2 * 64 * 64);
}

fn bytemuck_le(heights: &[f32]) -> Vec<u8> {
    heights.iter().flat_map(|h| h.to_le_bytes()).collect()
}

#[test]
fn sidecar_states_size_scale_range_seed_and_scene() {
    let folder = folder();
    succeed(
        folder.path(),
        &format!("generate {SURFACE} --set surface.tile_size_m=640 -o x.png"),
    );
    let text = fs::read_to_string(folder.path().join("x.png.json")).unwrap();
    let sidecar: Value = serde_json::from_str(&text).unwrap();
    let (low, high) = generated(&surface()).range();
    assert_eq!(sidecar["width"], 65);
    assert_eq!(sidecar["height"], 65);
    assert_eq!(sidecar["metres_per_sample"], 10.0);
    assert_eq!(sidecar["seed"], 7);
    assert_eq!(sidecar["min"], f64::from(low));
    assert_eq!(sidecar["max_m"], f64::from(high) * 320.0);
    assert_eq!(sidecar["range"][1], f64::from(high));
    assert_eq!(sidecar["scene"]["surface"]["iterations"], 6);
}

#[test]
fn sixteen_bit_files_use_the_given_range() {
    let folder = folder();
    succeed(
        folder.path(),
        &format!("generate {SURFACE} --range -2,2 -o x.png -o x.r16"),
    );
    let (_, _, values) = grey(&folder.path().join("x.png"));
    let map = generated(&surface());
    for (value, height) in values.iter().zip(map.heights()) {
        let expected = (f64::from(*height) + 2.0) / 4.0 * 65535.0;
        assert!((f64::from(*value) - expected).abs() <= 0.51);
    }
    let (low, high) = map.range();
    for file in ["x.png", "x.r16"] {
        let measured = stats(folder.path(), file);
        assert!((measured["min"].as_f64().unwrap() - f64::from(low)).abs() < 1e-4);
        assert!((measured["max"].as_f64().unwrap() - f64::from(high)).abs() < 1e-4);
    }
}

#[test]
fn threads_change_no_byte() {
    let folder = folder();
    for threads in [1, 4] {
        let name = format!("--threads {threads} -o {threads}.npy -o {threads}.png");
        succeed(folder.path(), &format!("generate --iterations 11 {name}"));
    }
    for extension in ["npy", "png"] {
        let read = |n: u32| fs::read(folder.path().join(format!("{n}.{extension}"))).unwrap();
        assert!(read(1) == read(4), "{extension}");
    }
}

#[test]
fn flags_set_what_they_say() {
    let folder = folder();
    let same = [
        (
            "--iterations 5 --h 0.3 --seed 18446744073709551615 --height-scale 2",
            "--set surface.iterations=5 --set surface.hurst=0.3 --set surface.height_scale=2 \
             --set surface.seed=18446744073709551615",
        ),
        (
            "--generator midpoint-1d",
            "--set surface.generator=midpoint-1d",
        ),
        (
            "--iterations 3",
            "--set surface.iterations=9 --set surface.iterations=3",
        ),
    ];
    for (flags, sets) in same {
        succeed(folder.path(), &format!("generate {flags} -o a.npy"));
        succeed(folder.path(), &format!("generate {sets} -o b.npy"));
        let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
        assert_eq!(read("a.npy"), read("b.npy"), "{flags}");
    }
    let free = "--set surface.diamond-square.edges=free";
    assert_eq!(stats(folder.path(), "--iterations 4")["wrap_error"], 0.0);
    let seam = &stats(folder.path(), &format!("--iterations 4 {free}"))["wrap_error"];
    assert!(seam.as_f64().unwrap() > 0.0);
}

#[test]
fn scenes_presets_and_pictures_are_taken_by_name() {
    let folder = folder();
    fs::write(
        folder.path().join("s.toml"),
        "[surface]\nseed = 3\niterations = 4\n",
    )
    .unwrap();
    assert_eq!(stats(folder.path(), "s.toml")["width"], 17);
    assert_eq!(stats(folder.path(), "martz-1997")["width"], 5);
    assert_eq!(
        stats(folder.path(), "quick-start --iterations 3")["width"],
        9
    );
    succeed(folder.path(), "generate s.toml -o a.npy");
    succeed(folder.path(), "generate --seed 3 --iterations 4 -o b.npy");
    let read = |name: &str| npy(&folder.path().join(name));
    assert_eq!(read("a.npy"), read("b.npy"));
    // The height map's file is the map: measured as it is.
    let (of_scene, of_file) = (
        stats(folder.path(), "s.toml"),
        stats(folder.path(), "a.npy"),
    );
    for key in ["min", "max", "mean", "std", "hurst", "wrap_error"] {
        assert_eq!(of_scene[key], of_file[key], "{key}");
    }
}

#[test]
fn ridge_scene_is_written_as_a_ridge() {
    let folder = folder();
    let ridge = "--set view.render_type=1d --iterations 3";
    succeed(
        folder.path(),
        &format!("generate {ridge} -o x.npy -o x.obj"),
    );
    assert_eq!(npy(&folder.path().join("x.npy")).0, [1, 9]);
    let obj = fs::read_to_string(folder.path().join("x.obj")).unwrap();
    assert_eq!(obj.lines().filter(|line| line.starts_with("v ")).count(), 9);
    assert!(obj.ends_with("\nl 1 2 3 4 5 6 7 8 9\n"));
}

#[test]
fn image_is_ground_or_the_seed_of_ground() {
    let folder = folder();
    let image = jacksboro();
    let image = image.to_str().unwrap();
    let value = stats(folder.path(), image);
    assert_eq!(
        (&value["width"], &value["height"]),
        (&403.into(), &344.into())
    );
    assert_eq!(value, stats(folder.path(), &format!("--input {image}")));
    let seeded = format!(
        "--generator diamond-square --input {image} --iterations 7 \
         --set surface.diamond_square.edges=free --set surface.diamond_square.input_level=3"
    );
    succeed(folder.path(), &format!("generate {seeded} -o x.npy"));
    let (shape, heights) = npy(&folder.path().join("x.npy"));
    assert_eq!(shape, [129, 129]);
    // Every 16th point is the image's height there.
    let pixels = import::image(Path::new(image)).unwrap();
    let (low, high) = range(&pixels);
    for row in 0..=8 {
        for column in 0..=8 {
            let (v, u) = (343.0 * row as f64 / 8.0, 402.0 * column as f64 / 8.0);
            let pixel = pixels.bilinear(v, u, landform::grid::Edge::Clamp);
            let expected = 0.4 * (pixel - low) / (high - low);
            let height = heights[row * 16 * 129 + column * 16];
            assert!((height - expected).abs() < 1e-5, "{row} {column}");
        }
    }
}

#[test]
fn heights_round_trip_to_the_last_byte() {
    let folder = tempfile::tempdir().unwrap();
    let run = |words: &str| {
        assert_cmd::Command::cargo_bin("landform")
            .unwrap()
            .args(words.split_whitespace())
            .current_dir(folder.path())
            .assert()
            .success();
    };
    run("generate --seed 5 --iterations 6 -o a.npy -o a.r32 -o a.r16 -o a.png");
    for format in ["npy", "r32", "r16", "png"] {
        run(&format!("generate a.{format} -o b.{format}"));
        let read = |name: &str| std::fs::read(folder.path().join(format!("{name}.{format}")));
        assert!(read("a").unwrap() == read("b").unwrap(), "{format}");
    }
}

#[test]
fn sixteen_bit_image_round_trips_unchanged() {
    let folder = folder();
    let image = jacksboro();
    succeed(
        folder.path(),
        &format!("generate {} -o x.png", image.display()),
    );
    let (before, after) = (grey(&image), grey(&folder.path().join("x.png")));
    assert_eq!((before.0, before.1), (after.0, after.1));
    assert_eq!(before.2, after.2);
}

#[cfg(target_os = "linux")]
#[test]
fn large_maps_stream_through_little_memory() {
    // The map of 4097² floats has 67 MB; 16 bits need two passes.
    let folder = folder();
    for format in ["r32", "npy", "r16"] {
        let peak = peak_megabytes(
            folder.path(),
            &format!("generate --iterations 12 --threads 2 --format {format} -o -"),
        );
        assert!(peak < 64, "{format}: {peak} MB");
    }
}

/// Most memory that a run of `landform` had in use, in MB.
#[cfg(target_os = "linux")]
fn peak_megabytes(folder: &Path, arguments: &str) -> u64 {
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("landform"))
        .args(arguments.split_whitespace())
        .current_dir(folder)
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|l| l.trim().split(' ').next()?.parse::<u64>().ok());
        peak = peak.max(kilobytes.unwrap_or(0) / 1024);
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    assert!(child.wait().unwrap().success(), "{arguments}");
    assert!(peak > 0);
    peak
}

#[test]
fn pictures_carry_their_scene_and_repeat_exactly() {
    let folder = folder();
    let flags = "--type map --iterations 4 --palette martz --size 48x32 --invert";
    succeed(folder.path(), &format!("render {flags} -o a.png"));
    let picture = image::open(folder.path().join("a.png")).unwrap();
    assert_eq!((picture.width(), picture.height()), (48, 32));
    let scene = import::open(&folder.path().join("a.png")).unwrap();
    let mut expected = Scene::default();
    expected.view.render_type = RenderType::Map;
    expected.view.palette = "martz".to_owned();
    expected.view.invert = true;
    expected.surface.iterations = 4;
    assert_eq!(scene, expected);
    succeed(folder.path(), "render a.png --size 48x32 -o b.png");
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert_eq!(read("a.png"), read("b.png"));
}

#[test]
fn images_are_rendered() {
    let folder = folder();
    succeed(
        folder.path(),
        &format!("render {} --size 40x30 -o x.png", jacksboro().display()),
    );
    let picture = image::open(folder.path().join("x.png")).unwrap().to_rgb8();
    let first = picture.pixels().next();
    assert!(
        picture.pixels().any(|pixel| Some(pixel) != first),
        "all one colour"
    );
}

#[test]
fn masks_are_set_and_their_images_travel_along() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("deep")).unwrap();
    let grey = |x: u32, _| image::Luma([(x * 4) as u8]);
    let picture = image::ImageBuffer::from_fn(64, 64, grey);
    picture.save(at("grey.png")).unwrap();
    let step = "--iterations 5 --set modifiers.0.kind=invert";
    let mask = "--set modifiers.0.mask.by=image --set modifiers.0.mask.image.path=grey.png";
    succeed(folder.path(), &format!("generate {step} -o all.npy"));
    succeed(
        folder.path(),
        &format!("generate {step} {mask} -o some.npy -o deep/some.tiff"),
    );
    assert_ne!(
        fs::read(at("all.npy")).unwrap(),
        fs::read(at("some.npy")).unwrap()
    );
    // The file names the image as it is seen from there, with its checksum.
    let opened = import::open(&at("deep/some.tiff")).unwrap();
    let named = opened.mask_images().next().unwrap().canonicalize();
    assert_eq!(named.unwrap(), at("grey.png").canonicalize().unwrap());
    // The reader is told of the image.
    let again = landform(folder.path(), "generate deep/some.tiff -o again.npy");
    assert!(again.status.success());
    assert_eq!(
        fs::read(at("again.npy")).unwrap(),
        fs::read(at("some.npy")).unwrap()
    );
    // Without it, the heights in the file count.
    fs::remove_file(at("grey.png")).unwrap();
    let opened = import::open(&at("deep/some.tiff")).unwrap();
    assert_eq!(opened.modifiers, []);
}

#[test]
fn stats_tell_what_drains_through_a_place() {
    let folder = folder();
    assert!(stats(folder.path(), "--iterations 5")["watershed"].is_null());
    let mut sum = 0.0;
    let corner = &stats(folder.path(), "--iterations 5 --watershed=-1,-1,exact")["watershed"];
    assert_eq!(
        (&corner["row"], &corner["column"]),
        (&Value::from(0), &Value::from(0))
    );
    for x in ["-0.5", "0", "0.5"] {
        let found = &stats(
            folder.path(),
            &format!("--iterations 5 --watershed {x},0.25,exact"),
        )["watershed"];
        let (area, share) = (&found["area_m2"], &found["share"]);
        let share = share.as_f64().unwrap();
        // A dry tile that wraps is all land, 2 km a side.
        let ratio = area.as_f64().unwrap() / (share * 4.0e6);
        assert!((ratio - 1.0).abs() < 1e-9, "{found}");
        assert_eq!(found["row"], 20);
        sum += share;
    }
    assert!(sum > 0.0 && sum < 3.0);
    let said = succeed(
        folder.path(),
        "stats --iterations 5 --watershed 0,0.25,exact",
    );
    let line = said.lines().last().unwrap();
    assert!(line.starts_with("watershed "), "{line}");
    assert!(
        line.contains("m²") && line.contains("row 20, column 16"),
        "{line}"
    );
}

#[test]
fn an_outlet_has_the_coordinates_of_its_map() {
    let folder = folder();
    let scene = "[surface]\niterations = 5\ncrs = \"EPSG:25832\"\norigin = \"600000,5200000\"";
    fs::write(folder.path().join("s.toml"), scene).unwrap();
    let place = "s.toml --watershed=0,0.25,exact";
    let found = &stats(folder.path(), place)["watershed"];
    // A tile of 2 km in a projection that is 0.9996 of true lengths here, more or less.
    let [x, y] = [0, 1].map(|axis| found["coordinates"][axis].as_f64().unwrap());
    assert!(
        (x - 601_000.0).abs() < 1.0 && (y - 5_198_750.0).abs() < 1.0,
        "{found}"
    );
    assert_eq!(found["crs"], "EPSG:25832");
    let said = succeed(folder.path(), &format!("stats {place}"));
    assert!(
        said.contains(&format!("E {x:.1}, N {y:.1} (EPSG:25832)")),
        "{said}"
    );
}

#[test]
fn stats_tell_the_amount_of_snow() {
    let folder = folder();
    let hills = "--iterations 6 --seed 3 --set surface.tile_size_m=2000";
    assert!(stats(folder.path(), hills)["snow"].is_null());
    assert!(!succeed(folder.path(), &format!("stats {hills}")).contains("snow"));
    let snowy = format!("{hills} --set snow.enabled=true");
    let snow = |words: &str| stats(folder.path(), &format!("{snowy} {words}"))["snow"].clone();
    let number = |snow: &Value, key: &str| snow[key].as_f64().unwrap();
    // All of the fall stays on the map, wherever it slides.
    let all = snow("--set snow.line=-100 --set snow.melt=0 --set snow.wind=0 --set snow.fall=3");
    let per_area = number(&all, "volume_per_area_m");
    assert!((per_area - 3.0).abs() < 0.1, "{per_area}");
    assert!(number(&all, "greatest_depth_m") > 3.0);
    let some = snow("");
    let covered = number(&some, "covered");
    assert!(
        covered > 0.01 && covered < number(&all, "covered"),
        "{covered}"
    );
    assert!(number(&some, "mean_depth_m") > number(&some, "volume_per_area_m"));
    assert_eq!(number(&snow("--set snow.line=100"), "covered"), 0.0);
    let said = succeed(folder.path(), &format!("stats {snowy}"));
    let share = format!("{:.2} %", covered * 100.0);
    let is_said = |line: &str| line.starts_with("map under snow") && line.contains(&share);
    assert!(said.lines().any(is_said), "{said}");
}

#[test]
fn render_colours_exactly_the_land_that_stats_count() {
    let folder = folder();
    const SIZE: u32 = 700;
    let picture = |flags: &str, name: &str| {
        let fixed = "--type map --size 700x700 --iterations 6 --seed 7";
        let render = format!("render {fixed} {flags} --output {name}");
        succeed(folder.path(), &render);
        image::open(folder.path().join(name)).unwrap().into_rgb8()
    };
    let fills = landform::render::flat_rectangle([2.0, 2.0], (SIZE, SIZE));
    let plain = picture("", "plain.png");
    for point in ["0.3,0.2", "0.3,0.2,exact", "-0.2,0.4"] {
        let found = &stats(
            folder.path(),
            &format!("--iterations 6 --seed 7 --watershed={point}"),
        )["watershed"];
        let shown = picture(&format!("--watershed={point}"), "shown.png");
        // The pixels of all samples, those of the last row and column left out: the tile wraps.
        let pixel = |index: u32, fill: f32| {
            // A twentieth of a cell on, so that the border is on the map.
            let clip = ((index as f32 + 0.05) / 32.0 - 1.0) * fill;
            ((clip + 1.0) * 0.5 * SIZE as f32) as u32
        };
        let samples = (0..64 * 64).map(|index| (index % 64, index / 64));
        let colored = samples.filter(|(column, row)| {
            let (x, y) = (pixel(*column, fills[0]), pixel(*row, fills[1]));
            plain.get_pixel(x, y) != shown.get_pixel(x, y)
        });
        let cells = found["share"].as_f64().unwrap() * 4096.0;
        assert!(cells > 5.0, "{point}: {cells}");
        assert_eq!(colored.count(), cells.round() as usize, "{point}");
        // The same as a setting.
        let exact = point.ends_with("exact");
        let place = point.trim_end_matches(",exact");
        let set = format!(
            "--set analysis.watershed=[{place}] --set analysis.watershed_snap={}",
            !exact
        );
        assert!(picture(&set, "set.png") == shown, "{point}");
    }
    // A map of colours is without it.
    let colors = |flags: &str, name: &str| {
        let generate = "generate --iterations 5 --map colors";
        succeed(
            folder.path(),
            &format!("{generate} {flags} --output {name}"),
        );
        image::open(folder.path().join(name)).unwrap().into_rgb8()
    };
    let set = "--set analysis.watershed=[0.3,0.2]";
    assert!(colors("", "colors.png") == colors(set, "without.png"));
}

/// Spruces and boulders on a small map with a sea.
pub const PLANTED: &str = "--iterations 7 --seed 3 --set surface.tile_size_m=500 --set surface.height_scale=0.2 --set water.enabled=true \
                       --set plants.0.kind=spruce --set plants.1.kind=boulder";

#[test]
fn only_colours_in_files_know_of_plants() {
    let folder = folder();
    let ground = PLANTED.split(" --set plants").next().unwrap();
    let eroded = "--set modifiers=[{kind=\"erosion\"}] --set water.rivers=true";
    let bytes = |flags: &str, plants: &str, name: &str| {
        let words = format!("generate {ground} {eroded} {plants} {flags} --force -o {name}");
        succeed(folder.path(), &words);
        fs::read(folder.path().join(name)).unwrap()
    };
    let woods = PLANTED.strip_prefix(ground).unwrap();
    for flags in [
        "",
        "--region 10,20,30,30",
        "--levels 1",
        "--map flow",
        "--map slope",
        "--map wetness",
        "--map hillshade",
    ] {
        let (bare, wooded) = (bytes(flags, "", "x.npy"), bytes(flags, woods, "y.npy"));
        assert!(bare == wooded, "{flags}");
    }
    for map in ["albedo", "colors"] {
        let map = format!("--map {map}");
        assert!(
            bytes(&map, "", "x.png") != bytes(&map, woods, "y.png"),
            "{map}"
        );
    }
}

/// Lines of a CSV without its header.
pub fn lines(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    let mut lines = text.lines();
    assert_eq!(
        lines.next(),
        Some("species,x,y,z,height,radius,rotation,slope")
    );
    lines.map(str::to_owned).collect()
}

#[test]
fn plants_are_the_same_in_all_files() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    succeed(folder.path(), &format!("generate {PLANTED} --plants x.csv"));
    assert_eq!(names(folder.path()), ["x.csv", "x.csv.json"]);
    let csv = lines(&at("x.csv"));
    assert!(csv.len() > 500, "{}", csv.len());
    assert!(csv.iter().any(|line| line.starts_with("boulder,")));
    for line in &csv {
        let numbers: Vec<f64> = (line.split(',').skip(1))
            .map(|number| number.parse().unwrap())
            .collect();
        let [x, y, z, height, radius, rotation, slope] = numbers[..] else {
            panic!("{line}");
        };
        assert!((0.0..=500.0).contains(&x) && (0.0..=500.0).contains(&y));
        // The sea is at 0.
        assert!(z >= 0.0 && height > 0.0 && radius > 0.0, "{line}");
        assert!((0.0..=360.0).contains(&rotation) && slope < 58.0, "{line}");
    }
    // A file of Landform's own is replaced.
    let both = format!("generate {PLANTED} -o x.npy --plants x.geojson --plants x.geojson");
    fail(folder.path(), &both, 2, &["--plants"]);
    let both = format!("generate {PLANTED} -o x.npy --plants x.geojson --json");
    let said: Value = serde_json::from_str(&succeed(folder.path(), &both)).unwrap();
    assert_eq!(said["plants"], csv.len());
    let json: Value = serde_json::from_str(&fs::read_to_string(at("x.geojson")).unwrap()).unwrap();
    assert!(json["crs"].is_null());
    let features = json["features"].as_array().unwrap();
    assert_eq!(features.len(), csv.len());
    for (feature, line) in features.iter().zip(&csv) {
        let of = &feature["properties"];
        let [x, y, z] = [0, 1, 2].map(|axis| &feature["geometry"]["coordinates"][axis]);
        let own = format!(
            "{},{x:.3},{y:.3},{z:.3},{:.3},",
            of["species"].as_str().unwrap(),
            of["height"].as_f64().unwrap(),
            x = x.as_f64().unwrap(),
            y = y.as_f64().unwrap(),
            z = z.as_f64().unwrap(),
        );
        assert!(line.starts_with(&own), "{line} {own}");
    }
}

#[test]
fn regions_of_plants_make_up_the_map() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    succeed(folder.path(), &format!("generate {PLANTED} --plants x.csv"));
    let mut parts = Vec::new();
    for (index, region) in ["0,0,65,129", "64,0,65,65", "64,64,65,65"]
        .iter()
        .enumerate()
    {
        let file = format!("{index}.csv");
        let words = format!("generate {PLANTED} --plants {file} --region {region}");
        succeed(folder.path(), &words);
        parts.extend(lines(&at(&file)));
    }
    let mut all = lines(&at("x.csv"));
    all.sort();
    parts.sort();
    assert_eq!(parts, all);
}

#[test]
fn plants_have_map_coordinates() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let crs = "--set surface.crs=EPSG:25832 --set surface.origin=\"600000,5200000\"";
    succeed(
        folder.path(),
        &format!("generate {PLANTED} --plants own.csv"),
    );
    succeed(
        folder.path(),
        &format!("generate {PLANTED} {crs} --plants x.geojson"),
    );
    let json: Value = serde_json::from_str(&fs::read_to_string(at("x.geojson")).unwrap()).unwrap();
    let name = &json["crs"]["properties"]["name"];
    assert_eq!(name, "urn:ogc:def:crs:EPSG::25832");
    let own = lines(&at("own.csv"));
    let own: Vec<f64> = own[0]
        .split(',')
        .skip(1)
        .map(|n| n.parse().unwrap())
        .collect();
    let place = &json["features"][0]["geometry"]["coordinates"];
    // The origin is the north-western corner.
    let wanted = [600_000.0 + own[0], 5_199_500.0 + own[1]];
    for (axis, wanted) in wanted.into_iter().enumerate() {
        assert!(
            (place[axis].as_f64().unwrap() - wanted).abs() < 0.01,
            "{place}"
        );
    }
}

#[test]
fn ecosystem_replaces_the_plants() {
    let folder = folder();
    let words = format!("scene {PLANTED} --ecosystem desert");
    let said = succeed(folder.path(), &words);
    // `--set` still changes the layers of the set.
    assert!(
        said.contains("density = 0.2") && said.contains("kind = \"spruce\""),
        "{said}"
    );
    let said = succeed(folder.path(), "scene --ecosystem boreal");
    assert!(said.contains("kind = \"birch\""), "{said}");
    fail(
        folder.path(),
        "scene --ecosystem moon",
        2,
        &["moon", "alpine"],
    );
}

#[test]
fn density_of_plants_is_a_map() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let map = format!("generate {PLANTED} --map density-spruce -o");
    succeed(folder.path(), &format!("{map} x.npy"));
    succeed(
        folder.path(),
        &format!("{map} part.npy --region 30,20,40,50"),
    );
    let numbers = |name: &str| {
        let bytes = fs::read(at(name)).unwrap();
        let header = usize::from(u16::from_le_bytes([bytes[8], bytes[9]])) + 10;
        let numbers = bytes[header..].chunks_exact(4);
        numbers
            .map(|n| f32::from_le_bytes(n.try_into().unwrap()))
            .collect::<Vec<_>>()
    };
    let (all, part) = (numbers("x.npy"), numbers("part.npy"));
    assert_eq!((all.len(), part.len()), (129 * 129, 40 * 50));
    for (index, number) in part.iter().enumerate() {
        let (row, column) = (20 + index / 40, 30 + index % 40);
        assert_eq!(*number, all[row * 129 + column]);
    }
    assert!(all.iter().all(|number| (0.0..=1.0).contains(number)));
    // There is a sea, and a forest.
    assert!(all.contains(&0.0) && all.contains(&1.0));
    succeed(folder.path(), &format!("{map} x.png"));
    succeed(
        folder.path(),
        "generate --iterations 5 --map density-palm -o none.npy",
    );
    assert!(numbers("none.npy").iter().all(|number| *number == 0.0));
}

#[test]
fn rules_that_exclude_everything_are_told() {
    let folder = folder();
    let words = format!("generate {PLANTED} --set water.level=100 --plants x.csv");
    let output = landform(folder.path(), &words);
    assert!(output.status.success());
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("warning: no plant grows here"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(lines(&folder.path().join("x.csv")).is_empty());
}

#[test]
fn too_many_plants_are_refused_with_their_number() {
    let folder = folder();
    let words = "generate --iterations 7 --set plants.0.spacing=0.01 --plants x.csv";
    fail(
        folder.path(),
        words,
        2,
        &["plants may grow", "20000000", "--region"],
    );
    fs::write(folder.path().join("x.csv"), "mine").unwrap();
    fail(
        folder.path(),
        &format!("generate {PLANTED} --plants x.csv"),
        1,
        &["x.csv", "--force"],
    );
    assert_eq!(names(folder.path()), ["x.csv"]);
}

#[test]
fn stats_count_the_plants() {
    let folder = folder();
    let none = "--iterations 6 --seed 3";
    assert!(stats(folder.path(), none).get("plants").is_none());
    succeed(folder.path(), &format!("generate {PLANTED} --plants x.csv"));
    let count = lines(&folder.path().join("x.csv")).len();
    let plants = &stats(folder.path(), PLANTED)["plants"];
    assert_eq!(plants["count"], count);
    let per_hectare = plants["per_hectare"].as_f64().unwrap();
    assert!((per_hectare - count as f64 / 25.0).abs() < 1e-6);
    assert_eq!(plants["layers"][1]["species"], "boulder");
    let said = succeed(folder.path(), &format!("stats {PLANTED}"));
    let is_said = |line: &str| line.starts_with("plants ") && line.contains(&count.to_string());
    assert!(said.lines().any(is_said), "{said}");
}
