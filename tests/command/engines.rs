//! `landform generate --for`, and masks that complete their names.

use std::fs;
use std::process::Command;

use crate::common::*;
use landform::export::ENGINES;
use serde_json::Value;

const SURFACE: &str = "--seed 7 --iterations 6 --h 0.6";

#[test]
fn one_command_writes_a_folder_for_each_engine() {
    for engine in ENGINES {
        let folder = folder();
        let word = engine.name.to_lowercase();
        let arguments = format!("generate {SURFACE} --for {word} -o land");
        for _ in 0..2 {
            let output = landform(folder.path(), &arguments);
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success(), "{said}");
            let size = engine.nearest_size(65);
            let files = names(&folder.path().join("land"));
            let note = format!(
                "note: {} files with {size} × {size} samples for {}",
                files.len(),
                engine.name
            );
            assert!(said.starts_with(&note), "{said}");
            assert!(said.contains("is refined by"), "{said}");
        }
        let list = fs::read(folder.path().join("land/landform.json")).unwrap();
        let list: Value = serde_json::from_slice(&list).unwrap();
        assert_eq!(list["engine"], engine.name);
        assert_eq!(names(folder.path()), ["land"]);
    }
}

#[test]
fn what_an_engine_does_not_take_is_refused() {
    let folder = folder();
    let check = |words: &str, code: i32, said: &[&str]| {
        fail(
            folder.path(),
            &format!("generate {SURFACE} {words}"),
            code,
            said,
        );
    };
    check(
        "--for unreal --samples 600 -o x",
        2,
        &["Unreal takes 505, 1009", "not 600"],
    );
    check(
        "--for unreal --samples pow2 -o x",
        2,
        &["allowed: 505, 1009"],
    );
    check("--for quake -o x", 2, &["unreal, unity, godot, blender"]);
    check("--for unity -o x -o y", 2, &["one -o"]);
    check("--for unity -o -", 2, &["a folder"]);
    check("--for unity --map slope -o x", 2, &["--for"]);
    check("--for unity -o no/where", 1, &["cannot write", "no/where"]);
    fs::create_dir(folder.path().join("mine")).unwrap();
    fs::write(folder.path().join("mine/notes.txt"), "mine").unwrap();
    check(
        "--for blender -o mine",
        1,
        &["not from Landform", "--force", "mine"],
    );
    let forced = format!("generate {SURFACE} --for blender -o mine --force");
    assert!(landform(folder.path(), &forced).status.success());
    assert_eq!(
        fs::read(folder.path().join("mine/notes.txt")).unwrap(),
        b"mine"
    );
}

#[test]
fn a_folder_for_each_seed() {
    let folder = folder();
    let words = "generate --iterations 6 --seeds 1..2 --for blender --json -o land-{seed}";
    let output = landform(folder.path(), words);
    assert!(output.status.success());
    assert_eq!(names(folder.path()), ["land-1", "land-2"]);
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        assert_eq!(
            (&line["engine"], &line["width"]),
            (&"Blender".into(), &257.into())
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_no_folder() {
    for room in [0, 500, 20_000] {
        let folder = folder();
        let mut run = Command::new("prlimit");
        run.arg(format!("--fsize={room}"));
        run.arg(env!("CARGO_BIN_EXE_landform"))
            .current_dir(folder.path());
        run.args(format!("generate {SURFACE} --for blender -o land").split(' '));
        let output = run.env("LC_ALL", "C").output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{room}: {said}");
        assert!(said.contains("error: cannot write: "), "{said}");
        assert_eq!(names(folder.path()), [""; 0], "{room}");
    }
}

#[test]
fn gdal_reads_heights_and_masks_of_one_size() {
    if landform::gdal::Gdal::find().is_err() {
        eprintln!("left out without GDAL");
        return;
    }
    let folder = folder();
    let words = format!("generate {SURFACE} --set water.enabled=true --for unreal -o land");
    assert!(landform(folder.path(), &words).status.success());
    for (file, kind) in [
        ("heights.png", "UInt16"),
        ("water-surface.png", "UInt16"),
        ("mask-rock.png", "Byte"),
        ("mask-wet.png", "Byte"),
        ("albedo.png", "Byte"),
    ] {
        let path = folder.path().join("land").join(file);
        let output = Command::new("gdalinfo")
            .arg("-json")
            .arg(path)
            .output()
            .unwrap();
        let info: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(info["size"], serde_json::json!([505, 505]), "{file}");
        assert_eq!(info["bands"][0]["type"], kind, "{file}");
    }
}

#[test]
fn masks_complete_their_names() {
    let folder = folder();
    let words = format!("generate {SURFACE} --map splat -o x.png");
    let output = landform(folder.path(), &words);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    assert_eq!(said, "note: 8 masks, a file each: x-0.png to x-7.png\n");
    assert_eq!(names(folder.path()).len(), 16);
    assert!(folder.path().join("x-3.png").exists());
    let words = format!("generate {SURFACE} --map materials -o m.png");
    assert!(landform(folder.path(), &words).status.success());
    assert!(folder.path().join("m-riverbed.png").exists());
    // Where the name says where the band stands, it is as it is.
    succeed(
        folder.path(),
        &format!("generate {SURFACE} --map splat -o {{band}}.png"),
    );
    assert!(folder.path().join("7.png").exists());
    fail(
        folder.path(),
        &format!("generate {SURFACE} --map splat --format png8 -o -"),
        1,
        &["8 pictures need {band}"],
    );
}
