//! The contents of the files of maps.

use super::*;

#[test]
fn every_map_accepts_exactly_its_allowed_formats() {
    let folder = folder();
    for map in MAPS.iter().filter(|map| !map.is_heights()) {
        let allowed = export::formats_of_map(map);
        for format in crate::common::written_formats() {
            let file = format!("{}-{}-{{band}}.{}", map.name, format.name, format.extension);
            let words = format!(
                "generate {SCENE} --set teximage.iterations=5 --set clouds.iterations=5 \
                 --map {} --format {} -o {file}",
                map.name, format.name
            );
            if allowed.iter().any(|allowed| allowed.name == format.name) {
                let before = names(folder.path()).len();
                succeed(folder.path(), &words);
                assert!(names(folder.path()).len() > before, "{words}");
            } else {
                let format = format!("the format of `{}` is `{}`", map.name, format.name);
                fail(folder.path(), &words, 2, &[&format, "allowed:", &file]);
            }
        }
    }
}

#[test]
fn listed_maps_have_names_and_help_lines() {
    let folder = folder();
    let list = succeed(folder.path(), "list maps");
    assert_eq!(list.lines().count(), MAPS.len());
    let distinct: std::collections::BTreeSet<_> = MAPS.iter().map(|map| map.name).collect();
    assert_eq!(distinct.len(), MAPS.len());
    for map in MAPS {
        assert!(list.contains(map.name) && map.help.ends_with('.'));
        assert!(!export::formats_of_map(map).is_empty());
    }
}

#[test]
fn numbers_have_their_unit_and_natural_range() {
    let folder = folder();
    let map = format!("generate {SCENE} --map slope");
    succeed(
        folder.path(),
        &format!("{map} -o s.npy -o s.r32 -o s.tif -o s.asc -o s.png"),
    );
    let (shape, slopes) = npy(&folder.path().join("s.npy"));
    assert_eq!(shape, [33, 33]);
    assert!(slopes.iter().all(|slope| (0.0..90.0).contains(slope)));
    let file = std::fs::File::open(folder.path().join("s.tif")).unwrap();
    let mut tiff = tiff::decoder::Decoder::new(file).unwrap();
    let tiff::decoder::DecodingResult::F32(in_tiff) = tiff.read_image().unwrap() else {
        panic!("floats");
    };
    assert_eq!(in_tiff, slopes, "no metres");
    let (.., grey) = crate::common::grey(&folder.path().join("s.png"));
    for (level, slope) in grey.iter().zip(&slopes) {
        assert!((f32::from(*level) / 65535.0 * 90.0 - slope).abs() < 0.01);
    }
    let text = std::fs::read_to_string(folder.path().join("s.png.json")).unwrap();
    let sidecar: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(sidecar["map"], "slope");
    assert_eq!(sidecar["unit"], "degrees");
    assert_eq!(sidecar["range"], serde_json::json!([0.0, 90.0]));
    assert!(sidecar.get("min_m").is_none());
    assert!(sidecar["max"].as_f64().unwrap() < 90.0);

    let words = format!("{map} --range 10,20 -o t.png");
    let output = crate::common::landform(folder.path(), &words);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let beyond = slopes
        .iter()
        .filter(|slope| !(10.0..=20.0).contains(*slope));
    assert!(output.status.success() && said.contains(&format!("{} samples", beyond.count())));
    let (.., grey) = crate::common::grey(&folder.path().join("t.png"));
    for (level, slope) in grey.iter().zip(&slopes) {
        let wanted = ((slope - 10.0) / 10.0).clamp(0.0, 1.0) * 65535.0;
        assert!((f32::from(*level) - wanted).abs() <= 1.0);
    }

    // Curvature has no natural range: 0 is in the middle.
    let map = format!("generate {SCENE} --map curvature");
    succeed(folder.path(), &format!("{map} -o c.png -o c.npy"));
    let (_, bends) = npy(&folder.path().join("c.npy"));
    let most = bends.iter().fold(0.0f32, |most, bend| most.max(bend.abs()));
    let (.., grey) = crate::common::grey(&folder.path().join("c.png"));
    for (level, bend) in grey.iter().zip(&bends) {
        let wanted = (bend / most * 0.5 + 0.5) * 65535.0;
        assert!((f32::from(*level) - wanted).abs() <= 1.0);
    }
}

#[test]
fn water_and_its_effects_are_in_metres() {
    let folder = folder();
    let map = |words: &str, map: &str, file: &str| {
        let words = format!("generate erosion --set surface.iterations=6 {words} --map {map}");
        succeed(
            folder.path(),
            &format!("{words} -o {file}.npy -o {file}.png"),
        );
        let (.., grey) = crate::common::grey(&folder.path().join(format!("{file}.png")));
        let text = std::fs::read_to_string(folder.path().join(format!("{file}.png.json")));
        let sidecar: serde_json::Value = serde_json::from_str(&text.unwrap()).unwrap();
        let (shape, numbers) = npy(&folder.path().join(format!("{file}.npy")));
        let [low, high] = [0, 1].map(|end| sidecar["range"][end].as_f64().unwrap() as f32);
        for (level, number) in grey.iter().zip(&numbers) {
            let wanted = (number - low) / (high - low).max(1e-9) * 65535.0;
            assert!((f32::from(*level) - wanted).abs() <= 1.0, "{map}");
        }
        (shape, numbers, sidecar["unit"].as_str().unwrap().to_owned())
    };
    // Twice the size: four times the area, twice the depth.
    for (name, unit, power) in [
        ("flow", "m²", 2),
        ("lakes", "m", 1),
        ("wear", "m", 1),
        ("deposit", "m", 1),
    ] {
        let lakes = "--set modifiers.0.erosion.lakes=true";
        let (_, one, said) = map(
            &format!("{lakes} --set surface.tile_size_m=1000"),
            name,
            "a",
        );
        let (_, two, _) = map(
            &format!("{lakes} --set surface.tile_size_m=2000"),
            name,
            "b",
        );
        assert_eq!(said, unit);
        assert!(one.iter().any(|number| *number > 0.0), "{name}");
        for (one, two) in one.iter().zip(&two) {
            let wanted = one * 2f32.powi(power);
            assert!(
                *one >= 0.0 && (two - wanted).abs() <= 1e-5 * wanted,
                "{name}"
            );
        }
        // Finer, there is no less of it than none.
        let (shape, finer, _) = map("--samples 200", name, "c");
        assert_eq!(shape, [200, 200]);
        assert!(finer.iter().all(|number| *number >= 0.0), "{name}");
    }
    let (_, flow, _) = map("--set surface.tile_size_m=1000", "flow", "a");
    let sample = (1000.0f32 / 64.0).powi(2);
    assert!(
        flow.iter()
            .all(|area| (area / sample).fract().min(1.0 - (area / sample).fract()) < 1e-3)
    );
    // What has not eroded has nothing to tell.
    for name in ["wear", "deposit"] {
        let (_, none, _) = map("--set modifiers.0.on=false", name, "d");
        assert!(none.iter().all(|number| *number == 0.0), "{name}");
    }
}

#[test]
fn normal_maps_carry_their_scene_at_both_depths() {
    let folder = folder();
    let map = format!("generate {SCENE} --map normal");
    succeed(folder.path(), &format!("{map} -o n.png"));
    succeed(folder.path(), &format!("{map} --format png -o wide.png"));
    let relief = fractal(5);
    let relief = Relief::of(&relief, 300.0);
    let narrow = image::open(folder.path().join("n.png")).unwrap();
    let image::DynamicImage::ImageRgb8(narrow) = narrow else {
        panic!("8-bit RGB");
    };
    let wanted = relief::bits8(&relief, Green::North, &Job::new()).unwrap();
    assert_eq!(narrow.into_raw(), wanted.as_flattened());
    let wide = image::open(folder.path().join("wide.png")).unwrap();
    let image::DynamicImage::ImageRgb16(wide) = wide else {
        panic!("16-bit RGB");
    };
    let wanted = relief::bits16(&relief, Green::North, &Job::new()).unwrap();
    assert_eq!(wide.into_raw(), wanted.as_flattened());
    // The file opens again as its landscape.
    succeed(folder.path(), &format!("generate {SCENE} -o a.npy"));
    succeed(folder.path(), "generate n.png -o b.npy");
    assert_eq!(
        npy(&folder.path().join("a.npy")),
        npy(&folder.path().join("b.npy"))
    );
}

#[test]
fn the_masks_of_a_palette_sum_to_white() {
    let folder = folder();
    let map = format!("generate {SCENE} --set view.palette=alpine --map");
    succeed(folder.path(), &format!("{map} splat -o m{{band}}.png"));
    succeed(folder.path(), &format!("{map} splat-rgba -o p{{band}}.png"));
    let grey = |name: &str| {
        let image = image::open(folder.path().join(name)).unwrap();
        let image::DynamicImage::ImageLuma8(image) = image else {
            panic!("8-bit grey");
        };
        image.into_raw()
    };
    let masks: Vec<_> = (0..8).map(|band| grey(&format!("m{band}.png"))).collect();
    for at in 0..33 * 33 {
        let sum: u32 = masks.iter().map(|mask| u32::from(mask[at])).sum();
        assert_eq!(sum, 255);
    }
    for first in [0, 4] {
        let packed = image::open(folder.path().join(format!("p{first}.png"))).unwrap();
        let image::DynamicImage::ImageRgba8(packed) = packed else {
            panic!("8-bit RGBA");
        };
        for (at, pixel) in packed.pixels().enumerate() {
            let wanted = [0, 1, 2, 3].map(|channel| masks[first + channel][at]);
            assert_eq!(pixel.0, wanted);
        }
    }
    assert_eq!(names(folder.path()).len(), 20, "each with its sidecar");
    // Three bands are one picture, whose name needs nothing.
    let map = format!("generate {SCENE} --set view.palette=martz --map splat-rgba");
    succeed(folder.path(), &format!("{map} -o martz.png"));
}

#[test]
fn textures_have_sizes_of_their_own() {
    let folder = folder();
    let words = "generate --iterations 3 --set teximage.iterations=6 --set clouds.iterations=6 \
        --set view.render_type=rendered";
    for (map, size) in [
        ("colors", (512, 512)),
        ("sky", (2048, 1024)),
        ("clouds", (64, 64)),
    ] {
        succeed(folder.path(), &format!("{words} --map {map} -o {map}.png"));
        let image = image::open(folder.path().join(format!("{map}.png"))).unwrap();
        assert_eq!((image.width(), image.height()), size, "{map}");
    }
    // Straight up there is sky, straight down fog.
    let sky = image::open(folder.path().join("sky.png"))
        .unwrap()
        .into_rgb8();
    let [r, g, b] = sky.get_pixel(1024, 1023).0;
    assert_eq!([r, g, b], [214, 222, 255]);
    assert_ne!(sky.get_pixel(1024, 0).0, [214, 222, 255]);
}

#[test]
fn what_cannot_be_is_one_line() {
    let folder = folder();
    let check = |words: &str, wanted: &[&str]| {
        fail(folder.path(), &format!("generate {words}"), 2, wanted);
    };
    check(
        "--map bumps -o x.png",
        &["bumps", "heights, normal, normal-dx, slope"],
    );
    check(
        "--map colors --region 0,0,5,5 -o x.png",
        &["`colors` is always written whole"],
    );
    check(
        "--map sky --tiles 2x2 -o x{row}{column}.png",
        &["`sky` is always written whole"],
    );
    check(
        "--map normal --range 0,1 -o x.png",
        &["`normal` has no numbers"],
    );
    check(
        "--map slope -o x.obj",
        &["the format of `slope` is `obj`", "npy"],
    );
    check(
        "--map clouds -o x.tif",
        &["the format of `clouds` is `tiff`", "npy, png"],
    );
    let words = "generate --iterations 4 --map splat --format png8 -o -";
    fail(folder.path(), words, 1, &["8 pictures need {band}"]);
    let words = "generate --iterations 31 --map splat --region 0,0,9,9 -o x{band}.png";
    fail(
        folder.path(),
        words,
        2,
        &["2147483649", "1048577", "--range"],
    );
    let words = "generate --iterations 5 --map normal --region 0,0,34,1 -o x.png";
    fail(folder.path(), words, 1, &["the region is 0,0,34,1"]);
}

#[test]
fn a_map_can_be_written_through_the_library() {
    let folder = folder();
    let mut scene = Scene::default();
    scene.surface.iterations = 4;
    let path = folder.path().join("slope.npy");
    let options = Options {
        map: Map::named("slope"),
        ..Options::default()
    };
    let write = |path: &Path, options| {
        export::heightmap(path, &scene, &Inputs::default(), options, &Job::new())
    };
    write(&path, options).unwrap();
    let map = pipeline::heights(&scene, &Inputs::default(), &Job::new()).unwrap();
    let (_, slopes) = npy(&path);
    assert_eq!(slopes, numbers("slope", &map, 1.0).heights());
    let job = Job::new();
    job.cancel();
    let stopped = folder.path().join("stopped.png");
    let options = Options {
        map: Map::named("normal"),
        ..Options::default()
    };
    assert!(export::heightmap(&stopped, &scene, &Inputs::default(), options, &job).is_err());
    assert!(!stopped.exists());
}

#[test]
fn every_map_carries_its_scene_and_sidecar() {
    let folder = folder();
    for map in MAPS {
        let name = match map.name {
            "splat" | "splat-rgba" | "materials" => format!("{}-{{band}}.png", map.name),
            name => format!("{name}.png"),
        };
        let words = format!(
            "generate --seed 9 --iterations 4 --map {} -o {name}",
            map.name
        );
        succeed(folder.path(), &words);
        let band = match map.name {
            "materials" => "rock",
            _ => "0",
        };
        let path = folder.path().join(name.replace("{band}", band));
        let scene = landform::import::open(&path).unwrap();
        assert_eq!(
            (scene.surface.seed, scene.surface.iterations),
            (9, 4),
            "{name}"
        );
        let about = std::fs::read_to_string(format!("{}.json", path.display())).unwrap();
        let about: serde_json::Value = serde_json::from_str(&about).unwrap();
        assert_eq!(about["scene"]["surface"]["seed"], 9, "{name}");
        assert!(landform::import::has_sidecar(&path), "{name}");
    }
}

#[test]
fn albedo_by_height_is_the_unlit_palette() {
    let folder = folder();
    let folder = folder.path();
    let palette = Palette::named("alpine").unwrap();
    let map =
        format!("generate {SCENE} --set view.palette=alpine --set view.render_type=triangles");
    for light in ["--set light.elevation=5", "--set light.elevation=80"] {
        succeed(folder, &format!("{map} {light} --map albedo -o a.png"));
        succeed(folder, &format!("{map} -o h.npy"));
        let (shape, heights) = npy(&folder.join("h.npy"));
        let colors = image::open(folder.join("a.png")).unwrap().into_rgb8();
        assert_eq!(
            [colors.height(), colors.width()].map(u64::from)[..],
            shape[..]
        );
        let low = heights.iter().copied().fold(f32::INFINITY, f32::min);
        let high = heights.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        for (pixel, height) in colors.pixels().zip(&heights) {
            let wanted = palette.color((height - low) / (high - low));
            for (value, wanted) in pixel.0.iter().zip(wanted) {
                let apart = f32::from(*value) - wanted * 255.0;
                let at_a_step = palette
                    .stops
                    .iter()
                    .any(|stop| (stop.at - (height - low) / (high - low)).abs() < 1e-3);
                assert!(at_a_step || apart.abs() <= 1.5, "{apart}");
            }
        }
    }
    for (words, size) in [
        ("--map albedo --samples 200", [200, 200]),
        ("--map albedo --region 3,4,10,20", [10, 20]),
        ("--map colors --samples 200", [200, 200]),
        ("--map colors --samples 1024", [1024, 1024]),
    ] {
        let textures = "--set teximage.iterations=5";
        succeed(folder, &format!("{map} {textures} {words} -o s.png"));
        let image = image::open(folder.join("s.png")).unwrap();
        assert_eq!([image.width(), image.height()], size, "{words}");
    }
}

#[test]
fn masks_name_bands_and_all_files_are_reported() {
    let folder = folder();
    let folder = folder.path();
    let map = format!("generate {SCENE} --set view.palette=alpine --json");
    for (kind, channels) in [("splat", 1), ("splat-rgba", 4)] {
        let words = format!("{map} --map {kind} -o {kind}-{{band}}.png");
        let line: serde_json::Value = serde_json::from_str(&succeed(folder, &words)).unwrap();
        let files = line["files"].as_array().unwrap();
        assert_eq!(files.len(), 8_usize.div_ceil(channels), "{line}");
        let mut next = 0;
        for file in files {
            let file = file.as_str().unwrap();
            assert!(folder.join(file).is_file(), "{file}");
            let text = std::fs::read_to_string(folder.join(format!("{file}.json"))).unwrap();
            let told: serde_json::Value = serde_json::from_str(&text).unwrap();
            assert_eq!(told["file"], file);
            for band in told["bands"].as_array().unwrap() {
                assert_eq!(band["band"], next, "{file}");
                let color = band["color"].as_str().unwrap();
                assert!(color.starts_with('#') && color.len() == 7, "{color}");
                let channel = ["grey", "red", "green", "blue", "alpha"];
                let at = if channels == 1 { 0 } else { 1 + next % 4 };
                assert_eq!(band["channel"], channel[at]);
                next += 1;
            }
        }
        assert_eq!(next, 8, "{kind}");
    }
    // A mask's place is somebody's.
    std::fs::write(folder.join("mine-3.png"), "mine").unwrap();
    let words =
        format!("generate {SCENE} --set view.palette=alpine --map splat -o mine-{{band}}.png");
    fail(folder, &words, 1, &["mine-3.png", "--force"]);
}

#[test]
fn sidecars_say_how_the_ground_is_coloured() {
    let folder = folder();
    let colors = |name: &str| {
        let path = folder.path().join(format!("{name}.json"));
        let sidecar: serde_json::Value =
            serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        sidecar["colors"].clone()
    };
    for (render_type, wanted) in [("landscape", "material"), ("map", "height")] {
        for words in ["--map albedo -o a.png", "-o m.glb", "-o m.obj", "-o m.ply"] {
            let scene = format!("--iterations 4 --set view.render_type={render_type}");
            succeed(folder.path(), &format!("generate {scene} {words} --force"));
            let name = words.split(' ').next_back().unwrap();
            assert_eq!(colors(name), wanted, "{words}");
        }
    }
    for words in ["--map slope -o s.png", "-o h.png", "-o m.stl"] {
        succeed(folder.path(), &format!("generate --iterations 4 {words}"));
        let name = words.split(' ').next_back().unwrap();
        assert!(colors(name).is_null(), "{words}");
    }
}

/// Land on which there is something of each cover.
const ERODED: &str = "--seed 5 --iterations 6 --generator fourier --set view.palette=alpine \
    --set modifiers=[{kind=\"erosion\",erosion={age=1.5}}] --set teximage.iterations=6";

#[test]
fn eroded_colours_are_the_same_in_every_file() {
    let folder = folder();
    let folder = folder.path();
    let map = format!("generate {ERODED}");
    succeed(folder, &format!("{map} --map albedo -o a.png"));
    succeed(
        folder,
        &format!("{map} --set material.covers=0 --map albedo -o bare.png"),
    );
    let colors = |name: &str| image::open(folder.join(name)).unwrap().into_rgb8();
    let (all, bare) = (colors("a.png"), colors("bare.png"));
    let differ = all.pixels().zip(bare.pixels()).filter(|(a, b)| a != b);
    assert!(differ.count() > 400);

    succeed(
        folder,
        &format!("{map} --map albedo --region 7,9,20,30 -o part.png"),
    );
    let part = colors("part.png");
    assert_eq!(part.dimensions(), (20, 30));
    for (x, y, pixel) in part.enumerate_pixels() {
        assert_eq!(pixel, all.get_pixel(x + 7, y + 9), "{x} {y}");
    }
    succeed(
        folder,
        &format!("{map} --map albedo --tiles 2x2 -o tile-{{row}}-{{column}}.png"),
    );
    let tile = colors("tile-1-1.png");
    for (x, y, pixel) in tile.enumerate_pixels() {
        assert_eq!(pixel, all.get_pixel(x + 32, y + 32), "{x} {y}");
    }

    let near = |a: &[u8], b: &[u8]| a.iter().zip(b).all(|(a, b)| a.abs_diff(*b) <= 2);
    // A vertex has twelve bytes of place, twelve of normal, and its colour.
    succeed(folder, &format!("{map} -o m.ply"));
    let ply = std::fs::read(folder.join("m.ply")).unwrap();
    let end = b"end_header\n";
    let head = ply
        .windows(end.len())
        .position(|bytes| bytes == end)
        .unwrap()
        + end.len();
    for (vertex, pixel) in ply[head..].chunks_exact(27).zip(all.pixels()) {
        assert!(near(&vertex[24..], &pixel.0), "{vertex:?} {pixel:?}");
    }
    succeed(folder, &format!("{map} -o m.glb"));
    let glb = std::fs::read(folder.join("m.glb")).unwrap();
    let start = glb
        .windows(4)
        .position(|bytes| bytes == b"\x89PNG")
        .unwrap();
    let skin = image::load_from_memory(&glb[start..]).unwrap().into_rgb8();
    assert_eq!(skin.dimensions(), all.dimensions());
    for (a, b) in skin.pixels().zip(all.pixels()) {
        assert!(near(&a.0, &b.0), "{a:?} {b:?}");
    }
}

#[test]
fn colors_have_the_sea_and_albedo_has_not() {
    let folder = folder();
    let folder = folder.path();
    let map = "generate --iterations 6 --set teximage.iterations=6 --set view.palette=alpine";
    for (name, water) in [("dry", ""), ("wet", "--set water.enabled=true")] {
        for kind in ["colors", "albedo"] {
            let output = format!("--map {kind} -o {name}-{kind}.png");
            succeed(folder, &format!("{map} {water} {output}"));
        }
    }
    succeed(folder, &format!("{map} -o h.npy"));
    let (_, heights) = npy(&folder.join("h.npy"));
    let read = |name: &str| {
        let image = image::open(folder.join(name)).unwrap();
        image.into_rgb8()
    };
    let [dry, wet] = ["dry", "wet"].map(|name| read(&format!("{name}-albedo.png")));
    let sand = landform::scene::Scene::default().water.sand;
    for ((dry, wet), height) in dry.pixels().zip(wet.pixels()).zip(&heights) {
        // Above the beach, nothing of the water is left.
        assert!(*height < sand || dry == wet, "{height}: {dry:?} {wet:?}");
        assert!(wet[0] >= wet[2] || dry == wet, "sand, not water: {wet:?}");
    }
    assert!(dry != wet);

    let [dry, wet] = ["dry", "wet"].map(|name| read(&format!("{name}-colors.png")));
    // Eight texels are a cell of the 64 a side.
    let (mut land, mut sea) = (0, 0);
    for (index, height) in heights.iter().enumerate() {
        let (column, row) = (index % 65, index / 65);
        let near = |at: usize| ((at * 8) as u32).min(511);
        let [dry, wet] = [&dry, &wet].map(|image| image.get_pixel(near(column), near(row)).0);
        if *height > 0.05 {
            land += 1;
            assert_eq!(dry, wet, "{row} {column}");
        } else if *height < -0.05 {
            sea += 1;
            assert!(wet[2] > wet[0] && dry != wet, "{row} {column}: {wet:?}");
        }
    }
    assert!(land > 500 && sea > 500, "{land} {sea}");
}

#[test]
fn parts_made_on_demand_have_the_colours_of_the_whole() {
    let folder = folder();
    let folder = folder.path();
    let map = "generate --seed 9 --generator diamond-square --height-scale 0.4 --map albedo \
        --set view.render_type=landscape";
    // Ten iterations are more than materials need, and six with four levels below are as fine.
    succeed(folder, &format!("{map} --iterations 10 -o whole.png"));
    let whole = image::open(folder.join("whole.png")).unwrap().into_rgb8();
    for words in ["--iterations 10", "--iterations 6 --levels 4"] {
        let region = "--region 700,0,90,40 --force -o part.png";
        succeed(folder, &format!("{map} {words} {region}"));
        let part = image::open(folder.join("part.png")).unwrap().into_rgb8();
        for (x, y, pixel) in part.enumerate_pixels() {
            assert_eq!(pixel, whole.get_pixel(x + 700, y), "{words}: {x} {y}");
        }
    }
}
