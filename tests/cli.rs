//! The command line: every subcommand, every exit code.

mod common;

use std::fs;
use std::path::Path;

use common::*;
use landform::generate::{Generator, Surface};
use landform::grid::Grid;
use landform::import;
use landform::param::Params;
use landform::scene::{RenderType, Scene};
use serde_json::Value;

fn surface() -> Surface {
    Surface {
        seed: 7,
        iterations: 6,
        hurst: 0.6,
        ..Surface::default()
    }
}

const SURFACE: &str = "--seed 7 --iterations 6 --h 0.6";

fn stats(folder: &Path, arguments: &str) -> Value {
    serde_json::from_str(&succeed(folder, &format!("stats {arguments} --json"))).unwrap()
}

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
fn a_sidecar_says_size_scale_range_seed_and_scene() {
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
fn a_given_range_is_the_range_of_16_bit_files() {
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
fn a_scene_of_a_ridge_is_written_as_the_ridge() {
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
fn stats_give_json_and_a_table() {
    let folder = folder();
    let value = stats(folder.path(), "--iterations 8 --h 0.4");
    assert_eq!(
        (&value["width"], &value["height"]),
        (&257.into(), &257.into())
    );
    assert!((value["hurst"].as_f64().unwrap() - 0.4).abs() < 0.03);
    let sum = value["hurst"].as_f64().unwrap() + value["fractal_dimension"].as_f64().unwrap();
    assert!((sum - 3.0).abs() < 1e-9);
    assert_eq!(value["wrap_error"], 0.0);
    for key in ["min", "max", "mean", "std"] {
        assert!(value[key].is_f64(), "{key}");
    }
    let small = stats(folder.path(), "--iterations 1");
    assert!(small["hurst"].is_null() && small["fractal_dimension"].is_null());
    assert!(succeed(folder.path(), "stats --iterations 4").contains("estimated H"));
}

#[test]
fn stats_hold_the_histogram_the_spectrum_and_the_creases() {
    let folder = folder();
    let value = stats(folder.path(), "--iterations 8 --h 0.5");
    let numbers = |list: &Value| -> Vec<f64> {
        let list = list.as_array().unwrap();
        list.iter().map(|number| number.as_f64().unwrap()).collect()
    };
    let histogram = numbers(&value["histogram"]);
    assert_eq!(histogram.len(), 64);
    assert_eq!(histogram.iter().sum::<f64>(), 257.0 * 257.0);
    assert_eq!(numbers(&value["variations"]["lag"]), [1., 2., 4., 8., 16.]);
    for (plot, lists) in [
        ("variations", ["lag", "mean_square", "count"]),
        ("spectrum", ["frequency", "power", "count"]),
        ("creases", ["spacing", "ratio", "count"]),
    ] {
        let lengths = lists.map(|list| numbers(&value[plot][list]).len());
        assert!(lengths[0] > 4, "{plot}");
        assert_eq!(lengths, [lengths[0]; 3], "{plot}");
    }
    assert_eq!(value["spectrum_slope_theory"], -3.0);
    let slope = value["spectrum_slope"].as_f64().unwrap();
    assert!((slope + 3.0).abs() < 0.3, "{slope}");
    assert!((value["hurst_spectrum"].as_f64().unwrap() - 0.5).abs() < 0.15);
    assert!(value["crease"].as_f64().unwrap() > 1.1);
    let text = succeed(folder.path(), "stats --iterations 8 --h 0.5");
    for words in ["histogram", "theory -3)", "creases", "(asked for 0.5)"] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn stats_of_flat_and_tiny_maps_have_nulls() {
    let folder = folder();
    for name in ["2x2", "5x3", "33x33"] {
        let (columns, rows) = name.split_once('x').unwrap();
        let (columns, rows): (u32, u32) = (columns.parse().unwrap(), rows.parse().unwrap());
        let path = folder.path().join(format!("{name}.png"));
        image::GrayImage::new(columns, rows).save(&path).unwrap();
        let value = stats(folder.path(), &format!("{name}.png"));
        assert_eq!(value["width"], columns);
        for key in ["hurst", "fractal_dimension", "spectrum_slope", "crease"] {
            assert!(value[key].is_null(), "{name} {key}: {}", value[key]);
        }
        assert_eq!(value["histogram"][0], columns * rows);
        assert_eq!(value["rms_slope"], 0.0);
        let text = succeed(folder.path(), &format!("stats {name}.png"));
        assert!(text.contains("█"), "{text}");
    }
    // Of a ridge all is defined.
    let ridge = stats(
        folder.path(),
        "--generator midpoint-1d --iterations 10 --h 0.5",
    );
    assert_eq!(ridge["spectrum_slope_theory"], -2.0);
    for key in ["hurst", "spectrum_slope", "hurst_spectrum", "crease"] {
        assert!(ridge[key].is_f64(), "{key}");
    }
}

#[test]
fn an_image_is_ground_or_the_seed_of_ground() {
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

fn range(grid: &Grid<f32>) -> (f32, f32) {
    let values = grid.as_slice().iter().copied();
    (
        values.clone().fold(f32::MAX, f32::min),
        values.fold(f32::MIN, f32::max),
    )
}

#[test]
fn heights_come_out_as_they_went_in_to_the_last_byte() {
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
fn a_16_bit_image_comes_out_as_it_went_in() {
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

#[test]
fn lists_name_everything() {
    let folder = folder();
    let list = |what: &str| succeed(folder.path(), &format!("list {what}"));
    for (what, names) in [
        ("generators", Generator::NAMES),
        ("palettes", &["martz", "alpine"]),
        ("presets", &["martz-1997", "quick-start"]),
        ("formats", &["npy", "png", "r16", "r32", "obj"]),
    ] {
        let text = list(what);
        for name in names {
            let found = text
                .lines()
                .find(|line| line.split("  ").next() == Some(*name));
            let line = found.unwrap_or_else(|| panic!("no {name} in {text}"));
            assert!(line.len() > name.len() + 12, "{line}");
        }
    }
    list("modifiers");
}

#[test]
fn help_and_version_are_no_errors() {
    let folder = folder();
    let help = succeed(folder.path(), "generate --help");
    for word in [
        "--h <X>",
        "0 to 1",
        "--threads",
        "--set",
        Surface::param("seed").help.trim_end_matches('.'),
    ] {
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words(&help).contains(word), "no `{word}` in {help}");
    }
    assert!(succeed(folder.path(), "--help").contains("Examples:"));
    for command in ["view", "render", "stats", "list"] {
        succeed(folder.path(), &format!("{command} --help"));
    }
    assert!(succeed(folder.path(), "--version").starts_with("landform "));
}

#[test]
fn wrong_usage_exits_with_2() {
    let folder = folder();
    let generate = |flags: &str| format!("generate {flags} -o x.npy");
    for (flags, words) in [
        ("--iterations 0", &["0", "1 to 31"][..]),
        ("--iterations 32", &["32", "1 to 31"]),
        ("--iterations -3", &["-3", "1 to 31"]),
        ("--iterations 2.5", &["2.5", "1 to 31"]),
        ("--iterations many", &["many", "1 to 31"]),
        ("--iterations 99999999999999999999", &["1 to 31"]),
        (
            "--generator midpoint-1d --iterations 16",
            &["16", "1 to 15"],
        ),
        ("--h nan", &["nan", "0 to 1"]),
        ("--h inf", &["inf", "0 to 1"]),
        ("--h -0.1", &["-0.1", "0 to 1"]),
        ("--h 1.01", &["1.01", "0 to 1"]),
        ("--height-scale -inf", &["-inf", "0 to 1000"]),
        ("--seed -1", &["-1", "18446744073709551615"]),
        ("--seed 18446744073709551616", &["18446744073709551615"]),
        ("--threads 0", &["0", "1..=1024"]),
        ("--threads 1025", &["1025", "1..=1024"]),
        ("--generator perlin-ish", &["perlin-ish", "diamond-square"]),
        ("--generator image", &["input"]),
        ("--set hurst", &["hurst", "key.path=value"]),
        ("--set surface.roughness=1", &["roughness"]),
        ("--set surface.hurst=2", &["surface.hurst", "2", "0 to 1"]),
        ("--set surface.generator=none", &["none", "diamond-square"]),
        ("--set nothing.at.all=1", &["nothing"]),
        ("--range 1,0", &["1,0"]),
        ("--range nan,1", &["nan,1"]),
        ("--format gif", &["gif", "npy"]),
        ("--nonsense", &["--nonsense"]),
        ("no-such-preset", &["no-such-preset", "martz-1997"]),
    ] {
        fail(folder.path(), &generate(flags), 2, words);
    }
    for (arguments, words) in [
        ("generate", &["--output"][..]),
        ("generate -o x.gif", &["gif", "npy, png", "x.gif"]),
        ("generate -o x", &["npy, png"]),
        ("generate --iterations 16 -o x.obj", &["16", "1 to 15"]),
        ("stats --iterations 16", &["16", "1 to 15"]),
        ("stats --tile 3", &["--tile"]),
        ("list", &["generators"]),
        ("list colours", &["colours", "palettes"]),
        ("view --size 12", &["12", "WIDTHxHEIGHT"]),
        ("render -o x.jpg", &["jpg", "png", "x.jpg"]),
        ("render -o x.png --size 0x100", &["0x100", "16384"]),
        ("render -o x.png --size 100000x100000", &["16384"]),
        ("render -o x.png --size -5x5", &["-5x5"]),
        ("render -o x.png --tile 17", &["17", "1 to 16"]),
        ("render -o x.png --type 3d", &["3d", "triangles"]),
        ("render -o x.png --palette mauve", &["mauve", "alpine"]),
        (
            "render -o x.png --camera 1,2",
            &["1,2", "BEARING,PITCH,DISTANCE"],
        ),
        (
            "render -o x.png --camera 0,nan,3",
            &["pitch", "nan", "-90 to 90"],
        ),
        (
            "render -o x.png --camera 0,0,0",
            &["distance", "0.01 to 100"],
        ),
        (
            "render -o x.png --texture-iterations 13",
            &["13", "1 to 12"],
        ),
        ("render -o x.png --cloud-h 7", &["7", "0 to 1"]),
    ] {
        fail(folder.path(), arguments, 2, words);
    }
    // An argument without any text.
    fail_with(folder.path(), ["generate", "-o", ""], 2, &["--output"]);
    fail_with(
        folder.path(),
        ["generate", "", "-o", "x.npy"],
        2,
        &["SCENE"],
    );
}

#[test]
fn a_scene_behind_the_files_is_not_overwritten() {
    let folder = folder();
    fs::copy(jacksboro(), folder.path().join("photo.png")).unwrap();
    fail(
        folder.path(),
        "generate -o x.npy photo.png",
        2,
        &["before -o", "photo.png"],
    );
    fail(
        folder.path(),
        "generate -o x.npy martz-1997",
        2,
        &["before -o"],
    );
}

#[test]
fn what_cannot_be_read_exits_with_1() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("empty.png"), b"").unwrap();
    fs::write(at("text.png"), b"no image at all, just words").unwrap();
    fs::write(at("typo.toml"), "[surface]\nsede = 1\n").unwrap();
    fs::write(at("range.toml"), "[surface]\nhurst = 1.5\n").unwrap();
    fs::write(at("broken.toml"), "[surface\n").unwrap();
    fs::write(at("16.toml"), "[surface]\niterations = 16\n").unwrap();
    fs::write(at("gone.toml"), "[surface]\ninput = \"gone.png\"\n").unwrap();
    fs::create_dir(at("folder.png")).unwrap();
    for (scene, words) in [
        ("missing.toml", &["no such file", "missing.toml"][..]),
        ("missing.png", &["no such file", "missing.png"]),
        ("empty.png", &["empty", "empty.png"]),
        ("text.png", &["PNG", "text.png"]),
        ("folder.png", &["folder", "folder.png"]),
        ("typo.toml", &["sede", "line 2", "typo.toml"]),
        (
            "range.toml",
            &["surface.hurst", "1.5", "0 to 1", "range.toml"],
        ),
        ("broken.toml", &["line 1", "broken.toml"]),
        ("gone.toml", &["no such file", "gone.png"]),
    ] {
        fail(
            folder.path(),
            &format!("generate {scene} -o x.npy"),
            1,
            words,
        );
        fail(folder.path(), &format!("stats {scene}"), 1, words);
        fail(folder.path(), &format!("render {scene} -o x.png"), 1, words);
    }
    fail(folder.path(), "stats 16.toml", 1, &["16", "1 to 15"]);
    fail(
        folder.path(),
        "generate --input gone.png -o x.npy",
        1,
        &["gone.png"],
    );
}

#[test]
fn what_cannot_be_written_exits_with_1() {
    let folder = folder();
    fs::write(folder.path().join("file"), b"x").unwrap();
    fs::create_dir(folder.path().join("folder.npy")).unwrap();
    for (path, words) in [
        ("file/x.npy", &["not a directory", "file/x.npy"][..]),
        ("missing/x.npy", &["no such file", "missing/x.npy"]),
        ("folder.npy", &["folder", "folder.npy"]),
    ] {
        fail(
            folder.path(),
            &format!("generate --iterations 3 -o {path}"),
            1,
            words,
        );
        fail(
            folder.path(),
            &format!("generate --iterations 3 -o y.png -o {path}"),
            1,
            words,
        );
    }
    if cfg!(target_os = "linux") {
        fail(
            folder.path(),
            "generate --iterations 3 -o /proc/x.npy",
            1,
            &["/proc/x.npy"],
        );
    }
}

#[test]
fn a_failure_leaves_the_old_file() {
    let folder = folder();
    fs::write(folder.path().join("x.npy"), b"precious").unwrap();
    fail(
        folder.path(),
        "generate -o x.npy -o missing/y.npy --force",
        1,
        &["missing"],
    );
    assert_eq!(fs::read(folder.path().join("x.npy")).unwrap(), b"precious");
    succeed(folder.path(), "generate --iterations 2 -o x.npy --force");
    assert_eq!(npy(&folder.path().join("x.npy")).0, [5, 5]);
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

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_run_leaves_nothing() {
    let folder = folder();
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("landform"))
        .args(["generate", "--iterations", "14", "-o", "x.png"])
        .current_dir(folder.path())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    while names(folder.path()).is_empty() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    std::thread::sleep(std::time::Duration::from_millis(50));
    let kill = format!("kill -INT {}", child.id());
    let sent = std::process::Command::new("sh")
        .args(["-c", &kill])
        .status();
    assert!(sent.unwrap().success());
    let mut complaint = String::new();
    std::io::Read::read_to_string(child.stderr.as_mut().unwrap(), &mut complaint).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert_eq!(complaint, "error: cancelled\n");
    assert_eq!(names(folder.path()), [""; 0]);
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    use std::process::{Command, Stdio};
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("landform"))
        .args(["list", "palettes"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert_eq!(output.stderr, b"");
}

#[test]
fn pictures_carry_their_scene_and_repeat_to_the_byte() {
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
