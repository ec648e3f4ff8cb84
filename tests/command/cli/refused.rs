//! What the command refuses, and what a failure leaves.

use super::*;

#[test]
fn wrong_usage_exits_with_2() {
    let folder = folder();
    let generate = |flags: &str| format!("generate {flags} -o x.npy");
    for (flags, words) in [
        ("--iterations 0", &["0", "1 to 60"][..]),
        ("--iterations 61", &["61", "1 to 60"]),
        ("--iterations -3", &["-3", "1 to 60"]),
        ("--iterations 2.5", &["2.5", "1 to 60"]),
        ("--iterations many", &["many", "1 to 60"]),
        ("--iterations 99999999999999999999", &["1 to 60"]),
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
        (
            "--set modifiers.0.mask.by=rain",
            &["rain", "allowed: none, height, slope"],
        ),
        (
            "--set modifiers.0.mask.slope.low=95",
            &["modifiers.0.mask.slope.low", "95", "0 to 90"],
        ),
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
        (
            "generate --plants x.csv",
            &["no plants", "plants.0.kind=spruce"],
        ),
        (
            "generate --plants x.png --set plants.0.kind=palm",
            &["png", "csv, geojson, glb, usda"],
        ),
        (
            "generate --plants x.csv --plants-as nodes --set plants.0.kind=palm",
            &["--plants-as", "glb", "x.csv"],
        ),
        (
            "generate --plants x.glb --plants-as trees --set plants.0.kind=palm",
            &["trees", "instances, nodes"],
        ),
        ("generate -o x.npy --plants-as nodes", &["--plants"]),
        (
            "generate --plants x.csv --tiles 2x2 --set plants.0.kind=palm",
            &["--plants", "--tiles"],
        ),
        (
            "generate --set plants.0.kind=fern -o x.npy",
            &["fern", "allowed: spruce, birch"],
        ),
        ("generate -o x.gif", &["gif", "npy, png", "x.gif"]),
        ("generate -o x", &["npy, png"]),
        ("generate --iterations 16 -o x.obj", &["16", "1 to 15"]),
        ("stats --iterations 16", &["16", "1 to 15"]),
        ("stats --tile 3", &["--tile"]),
        ("stats --iterations 4 --watershed 0.2", &["0.2", "X,Z"]),
        ("stats --iterations 4 --watershed a,0", &["a,0", "X,Z"]),
        (
            "stats --iterations 4 --watershed 1.5,0",
            &["1.5,0", "X from -1 to 1"],
        ),
        (
            "stats --generator midpoint-1d --watershed 0,0",
            &["--watershed", "ridge"],
        ),
        (
            "stats --iterations 4 --watershed 0,0,about",
            &["0,0,about", "exact"],
        ),
        (
            "render -o x.png --iterations 4 --watershed 1.5,0",
            &["--watershed", "1.5", "-1 to 1"],
        ),
        (
            "render -o x.png --set analysis.watershed=[0,-1.25]",
            &["analysis.watershed", "-1.25", "-1 to 1"],
        ),
        ("render -o x.png --watershed 0", &["X,Z"]),
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
            &["distance", "0.000000001 to 100"],
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
    fail(
        folder.path(),
        "generate --set modifiers.0.mask.by=image --set modifiers.0.mask.image.path=gone.png -o x.npy",
        1,
        &["no such file", "gone.png"],
    );
    fail(
        folder.path(),
        "generate --set modifiers.0.mask.by=water-distance --set water.enabled=false -o x.npy",
        1,
        &[
            "modifiers.0.mask.by",
            "water-distance",
            "the scene has no water",
        ],
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
fn tip_is_a_separate_part_of_the_line() {
    let folder = folder();
    let words = "'--itreations' found; tip: ";
    fail(
        folder.path(),
        "generate --itreations 3 -o x.npy",
        2,
        &[words],
    );
}
