//! Many scenes from one command, contact sheets, and files that are there already.

use std::fs;
use std::path::Path;

use crate::common::*;
use landform::grid::Grid;
use landform::import;
use serde_json::Value;

fn lines(text: &str) -> Vec<Value> {
    let line = |line: &str| serde_json::from_str(line).expect("a line of JSON");
    text.lines().map(line).collect()
}

fn read(folder: &Path, name: &str) -> Grid<f32> {
    import::image(&folder.join(name)).unwrap()
}

#[test]
fn every_seed_of_a_range_has_its_file() {
    let folder = folder();
    let folder = folder.path();
    let all = "generate --iterations 4 --seeds 9..11 -o m{seed}.r32 -o m{seed}.png --json";
    let lines = lines(&succeed(folder, all));
    assert_eq!(lines.len(), 3);
    for (index, (line, seed)) in lines.iter().zip([9, 10, 11]).enumerate() {
        assert_eq!(line["index"], index + 1);
        assert_eq!(line["seed"], seed);
        assert_eq!(line["skipped"], false);
        assert_eq!(line["width"], 17);
        assert_eq!(line["files"][0], format!("m{seed}.r32"));
        succeed(
            folder,
            &format!("generate --iterations 4 --seed {seed} -o one.r32"),
        );
        let name = format!("m{seed}.r32");
        let (one, many) = (read(folder, "one.r32"), read(folder, &name));
        assert_eq!(one, many);
        let (low, high) = one.range();
        assert_eq!(line["min"].as_f64().unwrap() as f32, low);
        assert_eq!(line["max"].as_f64().unwrap() as f32, high);
    }
    assert_eq!(names(folder).len(), 14, "each with its sidecar");
}

#[test]
fn sweeps_combine_and_name_their_files_by_value() {
    let folder = folder();
    let folder = folder.path();
    let sweep = "generate --set surface.iterations=3..4 --set surface.hurst=0.2,0.8 --seeds 1,5 \
                 -o {surface.iterations}-{hurst}-{seed}.r32 --json";
    let lines = lines(&succeed(folder, sweep));
    assert_eq!(lines.len(), 8);
    assert_eq!(lines[0]["settings"]["surface.hurst"], 0.2);
    assert_eq!(lines[7]["settings"]["surface.iterations"], 4);
    for (iterations, hurst, seed) in [(3, 0.2, 1), (4, 0.8, 5)] {
        let name = format!("{iterations}-{hurst}-{seed}.r32");
        let flags = format!("--iterations {iterations} --h {hurst} --seed {seed}");
        succeed(folder, &format!("generate {flags} -o one.r32"));
        assert_eq!(read(folder, &name), read(folder, "one.r32"));
    }
}

#[test]
fn what_is_finished_is_skipped_and_only_that() {
    let folder = folder();
    let folder = folder.path();
    let all = "generate --iterations 4 --seeds 1..3 -o {seed}.png --json";
    succeed(folder, all);
    // One is gone, one is of another scene.
    fs::remove_file(folder.join("2.png")).unwrap();
    succeed(folder, "generate --iterations 4 --seed 7 -o 3.png");
    let written = fs::read(folder.join("1.png")).unwrap();
    let lines = lines(&succeed(folder, &format!("{all} --resume")));
    let skipped: Vec<_> = lines.iter().map(|line| &line["skipped"]).collect();
    assert_eq!(skipped, [true, false, false]);
    assert_eq!(fs::read(folder.join("1.png")).unwrap(), written);
    succeed(folder, "generate --iterations 4 --seed 3 -o one.png");
    let file = |name: &str| fs::read(folder.join(name)).unwrap();
    assert_eq!(file("3.png"), file("one.png"));
}

#[test]
fn multi_scene_tiles_are_named_and_skipped_individually() {
    let folder = folder();
    let folder = folder.path();
    let all = "generate --iterations 3 --seeds 1..2 --tiles 1x2 -o {seed}-{column}.r16 --json";
    let first = lines(&succeed(folder, all));
    assert_eq!(first[1]["files"], serde_json::json!(["2-0.r16", "2-1.r16"]));
    fs::remove_file(folder.join("2-1.r16")).unwrap();
    let second = lines(&succeed(folder, &format!("{all} --resume")));
    let skipped: Vec<_> = second.iter().map(|line| &line["skipped"]).collect();
    assert_eq!(skipped, [true, false]);
    assert!(folder.join("2-1.r16").exists());
}

#[test]
fn scenes_without_unique_names_are_refused_before_work() {
    let folder = folder();
    let folder = folder.path();
    for (words, wanted) in [
        (
            "generate --seeds 1..3 -o x.png",
            "3 scenes need different file names",
        ),
        (
            "generate --set surface.hurst=0.1,0.2 -o {seed}.png",
            "{hurst}",
        ),
        (
            "render --seeds 1..3 -o x.png",
            "3 scenes need different file names",
        ),
        ("generate -o x.png -o x.png", "two files have the same name"),
        ("generate --seeds 3..1 -o {seed}.png", "allowed: FROM..TO"),
        ("generate --seeds 1..x -o {seed}.png", "allowed: FROM..TO"),
        (
            "generate --seeds 0..99999999999 -o {seed}.png",
            "allowed: up to 100000",
        ),
        (
            "generate --seeds 1..2 --seed 1 -o {seed}.png",
            "cannot be used with",
        ),
        (
            "generate --set surface.hurst=0.5,7 -o {hurst}.png",
            "surface.hurst is 7",
        ),
        ("stats --set surface.hurst=0.5,0.7", "allowed: one here"),
        (
            "render --contact-sheet 2x2 --seeds 1..5 -o x.png",
            "allowed on a sheet of 2x2 are 4",
        ),
        (
            "render --contact-sheet 0x2 -o x.png",
            "allowed: COLUMNSxROWS",
        ),
        (
            "render --contact-sheet 32x2 --size 1920x1080 -o x.png",
            "allowed: up to 16384",
        ),
    ] {
        let output = landform(folder, words);
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{words}: {complaint}");
        assert_eq!(complaint.lines().count(), 1, "{words}: {complaint}");
        assert!(complaint.contains(wanted), "{words}: {complaint}");
    }
    assert_eq!(names(folder).len(), 0);
}

#[test]
fn a_strangers_file_is_replaced_only_by_force() {
    let folder = folder();
    let folder = folder.path();
    for command in [
        "generate --iterations 3",
        "render --iterations 3 --size 32x32",
    ] {
        let file = folder.join("x.png");
        fs::write(&file, "my holidays").unwrap();
        for many in ["", "--seeds 1..1"] {
            let output = landform(folder, &format!("{command} {many} -o x.png"));
            let complaint = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(1), "{complaint}");
            assert!(
                complaint.contains("use --force to replace it: x.png"),
                "{complaint}"
            );
            assert_eq!(fs::read(&file).unwrap(), b"my holidays");
        }
        succeed(folder, &format!("{command} -o x.png --force"));
        // The file is ours now.
        succeed(folder, &format!("{command} --seed 9 -o x.png"));
        fs::remove_file(&file).unwrap();
    }
    // Tiles ask for each of their files, and before the first is made.
    fs::write(folder.join("t-1-1.r16"), "mine").unwrap();
    let tiles = "generate --iterations 3 --tiles 2x2 -o t-{row}-{column}.r16";
    assert_eq!(landform(folder, tiles).status.code(), Some(1));
    assert!(!folder.join("t-0-0.r16").exists());
    succeed(folder, &format!("{tiles} --force"));
    // So do the files beside a mesh.
    fs::write(folder.join("x.mtl"), "mine").unwrap();
    let mesh = "generate --iterations 3 -o x.obj";
    assert_eq!(landform(folder, mesh).status.code(), Some(1));
    assert!(!folder.join("x.obj").exists());
    succeed(folder, &format!("{mesh} --force"));
    succeed(folder, mesh);
}

#[test]
fn every_format_is_known_as_our_own() {
    let folder = folder();
    for format in crate::common::written_formats() {
        let file = format!("x.{}", format.extension);
        let words = format!("generate --iterations 3 --format {} -o {file}", format.name);
        succeed(folder.path(), &words);
        succeed(folder.path(), &words);
    }
}

#[test]
fn contact_sheet_matches_each_scene_rendered_alone() {
    let folder = folder();
    let folder = folder.path();
    let flags = "--iterations 5 --type triangles --size 96x64";
    succeed(
        folder,
        &format!("render {flags} --seed 3 --contact-sheet 2x2 -o sheet.png"),
    );
    let sheet = image::open(folder.join("sheet.png")).unwrap().to_rgb8();
    // Gaps of 4 pixels and lines of 14.
    assert_eq!(sheet.dimensions(), (3 * 4 + 2 * 96, 4 + 2 * (64 + 4 + 14)));
    for (seed, left, top) in [(3, 4, 4), (4, 104, 4), (5, 4, 86), (6, 104, 86)] {
        succeed(folder, &format!("render {flags} --seed {seed} -o one.png"));
        let one = image::open(folder.join("one.png")).unwrap().to_rgb8();
        let cut = image::imageops::crop_imm(&sheet, left, top, 96, 64).to_image();
        assert!(one == cut, "seed {seed}");
        // Its words are below it: some ink on the paper.
        let words = image::imageops::crop_imm(&sheet, left, top + 64, 96, 14).to_image();
        let ink = words.pixels().filter(|pixel| pixel.0[0] > 128).count();
        assert!((10..400).contains(&ink), "{ink} bright pixels");
    }
}

#[test]
fn contact_sheet_distinguishes_names_in_other_scripts() {
    let folder = folder();
    let folder = folder.path();
    for names in [["山", "川"], ["백", "산"], ["ج", "ل"], ["ה", "ר"]] {
        let names = names.map(|name| format!("{name}.png"));
        for name in &names {
            fs::copy(jacksboro(), folder.join(name)).unwrap();
        }
        let names = names.join(",");
        let flags = "--type map --size 96x64 --generator image";
        let words = format!("render {flags} --contact-sheet 2x1 --set surface.input={names}");
        succeed(folder, &format!("{words} --force -o sheet.png"));
        let sheet = image::open(folder.join("sheet.png")).unwrap().to_rgb8();
        let cut = |left, top, height| image::imageops::crop_imm(&sheet, left, top, 96, height);
        let cell = |left| (cut(left, 4, 64).to_image(), cut(left, 68, 14).to_image());
        let (one, other) = (cell(4), cell(104));
        assert!(one.0 == other.0, "one picture twice");
        assert!(one.1 != other.1, "{names} look alike, as boxes do");
    }
}

#[test]
fn exported_file_finds_its_scene_image_from_anywhere() {
    let folder = folder();
    let folder = folder.path();
    fs::create_dir_all(folder.join("maps/out")).unwrap();
    fs::create_dir(folder.join("elsewhere")).unwrap();
    fs::copy(jacksboro(), folder.join("maps/dem.png")).unwrap();
    // Another image of that name must not be taken for it.
    fs::copy(jacksboro(), folder.join("elsewhere/dem.png")).unwrap();
    let files = "-o maps/beside.png -o maps/out/below.tif -o elsewhere/far.r32 --json";
    let words = format!("generate --input maps/dem.png --set surface.image.size=native {files}");
    succeed(folder, &words);
    fs::write(folder.join("elsewhere/dem.png"), "no image").unwrap();
    for file in ["maps/beside.png", "maps/out/below.tif", "elsewhere/far.r32"] {
        let scene = import::open(&folder.join(file)).unwrap();
        let input = scene.surface.input.unwrap().canonicalize().unwrap();
        let wanted = folder.join("maps/dem.png").canonicalize().unwrap();
        assert_eq!(input, wanted, "{file}");
    }
    let lines = lines(&succeed(folder, &format!("{words} --resume")));
    assert_eq!(lines[0]["skipped"], true);
}

#[test]
fn a_contact_sheet_says_what_is_on_it() {
    let folder = folder();
    let flags = "--type map --iterations 4 --size 32x18";
    let words = format!("render {flags} --seed 3 --contact-sheet 3x2 --json -o sheet.png");
    let text = succeed(folder.path(), &words);
    let told: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(told["files"], serde_json::json!(["sheet.png"]));
    let image = image::open(folder.path().join("sheet.png")).unwrap();
    assert_eq!(told["width"], image.width());
    assert_eq!(told["height"], image.height());
    let cells = told["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 6);
    for (index, cell) in cells.iter().enumerate() {
        assert_eq!(cell["index"], index + 1);
        assert_eq!(cell["seed"], index + 3);
    }
    let words = format!("render {flags} --set surface.hurst=0.3,0.7 --contact-sheet 2x1 --json");
    let text = succeed(folder.path(), &format!("{words} -o other.png"));
    let told: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(told["cells"][1]["settings"]["surface.hurst"], 0.7);
}
