//! Runs that are killed, interrupted, or in each other's way: a resumed run ends with just what an
//! undisturbed one writes, byte for byte, and no run mixes its files with another's.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::common::{folder, jacksboro, landform, listens, names, succeed, unfinished, wait_until};
use landform::import;
use serde_json::Value;

fn spawn(folder: &Path, arguments: &str) -> Child {
    Command::new(assert_cmd::cargo::cargo_bin("landform"))
        .args(arguments.split_whitespace())
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-s", name, &id]).status();
    assert!(sent.unwrap().success());
}

/// The files of a folder, hidden ones too.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let read = |name: String| {
        let bytes = fs::read(folder.join(&name)).unwrap();
        (name, bytes)
    };
    names(folder).into_iter().map(read).collect()
}

#[track_caller]
fn same(found: &Path, wanted: &BTreeMap<String, Vec<u8>>, case: &str) {
    let found = contents(found);
    let (found_names, wanted_names): (Vec<_>, Vec<_>) =
        (found.keys().collect(), wanted.keys().collect());
    assert_eq!(found_names, wanted_names, "{case}");
    for (name, bytes) in wanted {
        assert!(found[name] == *bytes, "{case}: {name}");
    }
}

/// The next of some numbers that look like chance, and are the same in every run.
fn chance(state: &mut u64) -> f64 {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*state >> 40) as f64 / (1_u64 << 24) as f64
}

/// Kills a run at this many moments, and at the end resumes the run in each folder.
fn kill_and_resume(arguments: &str, signal_name: &str, kills: usize) {
    let whole = folder();
    let started = Instant::now();
    succeed(whole.path(), arguments);
    let takes = started.elapsed();
    let wanted = contents(whole.path());
    let mut state = arguments.len() as u64;
    let mut disturbed = 0;
    let folder = folder();
    for round in 0..kills {
        // There are files of another scene first, which are replaced.
        let older = round % 3 == 2;
        if round % 3 != 1 {
            for name in names(folder.path()) {
                fs::remove_file(folder.path().join(name)).unwrap();
            }
            if older {
                succeed(folder.path(), &format!("{arguments} --h 0.3"));
            }
        }
        let mut child = spawn(folder.path(), &format!("{arguments} --resume"));
        // The first at once, so that one is disturbed however long a run takes.
        let delay = takes.mul_f64(chance(&mut state) * 1.1);
        std::thread::sleep(if round == 0 { Duration::ZERO } else { delay });
        signal(&child, signal_name);
        disturbed += usize::from(!child.wait().unwrap().success());
        if round % 3 != 0 {
            let case = format!("{arguments}, round {round}");
            succeed(folder.path(), &format!("{arguments} --resume"));
            same(folder.path(), &wanted, &case);
        }
    }
    assert!(disturbed > 0, "{arguments}: no run was disturbed");
}

#[test]
fn a_killed_run_is_resumed_to_the_byte() {
    // These are formats that hold their scene and formats that do not, files beside them, tiles,
    // and pictures.
    for (arguments, kills) in [
        (
            "generate --iterations 8 --seeds 1..12 -o {seed}.r16 -o {seed}.npy",
            15,
        ),
        (
            "generate --iterations 6 --seeds 1..8 -o {seed}.obj -o {seed}.tif",
            15,
        ),
        (
            "generate --iterations 8 --tiles 4x4 -o {row}-{column}.r32",
            12,
        ),
        (
            "generate --iterations 6 --seeds 1..6 --map splat -o {seed}-{band}.png",
            9,
        ),
        (
            "generate --iterations 6 --tiles 4x2 -o {row}-{column}.obj",
            12,
        ),
        (
            "render --iterations 5 --type map --size 200x150 --seeds 1..5 -o {seed}.png",
            9,
        ),
        (
            "render --iterations 5 --type triangles --size 120x80 --set path.frames.0.time=0 \
             --set path.frames.1.time=3 --frames 6 -o {frame}.png",
            6,
        ),
    ] {
        kill_and_resume(arguments, "KILL", kills);
    }
}

#[test]
fn interrupted_run_is_resumed_byte_for_byte() {
    kill_and_resume(
        "generate --iterations 9 --seeds 1..9 -o {seed}.npy -o {seed}.obj",
        "TERM",
        6,
    );
}

/// Every state in which a kill between two renames can leave a file, its companions and its sidecar: old and
/// new files side by side, each whole.
#[test]
fn mismatched_sidecar_is_not_believed() {
    for format in crate::common::written_formats() {
        let main = format!("x.{}", format.extension);
        let arguments = |h: &str| {
            let name = format.name;
            format!("generate --iterations 3 --h {h} --format {name} -o {main}")
        };
        let (old, new) = (folder(), folder());
        succeed(old.path(), &arguments("0.3"));
        succeed(new.path(), &arguments("0.8"));
        let (before, after) = (contents(old.path()), contents(new.path()));
        // The order of the renames: companions, the file, its sidecar.
        let mut order: Vec<&String> = after.keys().collect();
        order.sort_by_key(|name| (name.ends_with(".json"), **name == main));
        for is_replaced in [false, true] {
            for renamed in 0..=order.len() {
                let folder = folder();
                for (name, bytes) in before.iter().filter(|_| is_replaced) {
                    fs::write(folder.path().join(name), bytes).unwrap();
                }
                for (step, name) in order.iter().enumerate() {
                    let name_then = match step < renamed {
                        true => (*name).clone(),
                        false => unfinished(name),
                    };
                    fs::write(folder.path().join(name_then), &after[*name]).unwrap();
                }
                let case = format!("{}, {renamed} renamed, {is_replaced}", format.name);
                let is_old = is_replaced && renamed < order.len() - 1;
                let matches = is_old || renamed == order.len();
                let is_believed = import::has_sidecar(&folder.path().join(&main));
                assert_eq!(is_believed, matches, "{case}");
                // The next run, resumed or not, takes all of them for its own.
                let resumed = ["", " --resume"][renamed % 2];
                succeed(folder.path(), &(arguments("0.8") + resumed));
                same(folder.path(), &after, &case);
            }
        }
    }
}

#[test]
fn foreign_file_replacing_an_unfinished_one_stays() {
    let folder = folder();
    let folder = folder.path();
    succeed(folder, "generate --iterations 3 -o x.npy");
    fs::rename(folder.join("x.npy"), folder.join(unfinished("x.npy"))).unwrap();
    std::thread::sleep(Duration::from_millis(50));
    fs::write(folder.join("x.npy"), "mine").unwrap();
    let output = landform(folder, "generate --iterations 3 -o x.npy --resume");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(fs::read(folder.join("x.npy")).unwrap(), b"mine");
}

#[test]
fn file_is_skipped_only_for_the_same_request() {
    // Every flag that changes a file: each against the plain run and against each other.
    let flags = [
        "",
        "--range=-1,1",
        "--range metres",
        "--samples 9",
        "--samples pow2",
        "--flip",
        "--format png8",
        "--region 1,2,9,9",
        "--region 2,1,9,9",
        "--tiles 1x1",
        "--tiles 1x1 --overlap 0",
        "--map slope",
        "--map hillshade",
        "--map normal",
        "--map normal-dx",
        "--set surface.tile_size_m=900",
        "--h 0.2",
    ];
    skips_itself_alone("generate --iterations 4 -o x.png", &flags);
    let meshes = [
        "",
        "--triangles 20",
        "--error 5",
        "--error 50",
        "--print-size 50",
    ];
    for format in ["stl", "obj", "glb", "ply"] {
        skips_itself_alone(&format!("generate --iterations 4 -o x.{format}"), &meshes);
    }
    let pictures = [
        "--size 20x10",
        "--size 10x20",
        "--size 20x10 --samples-per-pixel 2",
        "--size 20x10 --transparent",
        "--size 20x10 --no-antialias",
        "--size 20x10 --camera 10,20,3",
    ];
    skips_itself_alone("render --iterations 4 --type triangles -o x.png", &pictures);
}

fn skips_itself_alone(command: &str, all: &[&str]) {
    for (index, flags) in all.iter().enumerate() {
        let folder = folder();
        succeed(folder.path(), &format!("{command} {flags}"));
        let before = contents(folder.path());
        let skipped = |flags: &str| {
            let line = succeed(folder.path(), &format!("{command} {flags} --resume --json"));
            let line: Value = serde_json::from_str(&line).unwrap();
            line["skipped"].as_bool().unwrap()
        };
        assert!(skipped(flags), "{command} {flags}");
        same(folder.path(), &before, command);
        let other = all[(index + 1) % all.len()];
        assert!(!skipped(other), "{command}: {flags}, then {other}");
    }
}

/// What happens to the bytes of a file; `None` means that it is removed.
type Damage<'a> = &'a dyn Fn(&[u8]) -> Option<Vec<u8>>;

#[test]
fn cut_changed_or_incomplete_files_are_made_again() {
    for (command, extension) in [
        ("generate --iterations 5 -o x.npy", "npy"),
        ("generate --iterations 5 -o x.png", "png"),
        ("generate --iterations 5 -o x.obj", "obj"),
        (
            "render --iterations 4 --type map --size 64x48 -o x.png",
            "png",
        ),
    ] {
        let folder = folder();
        let folder = folder.path();
        succeed(folder, command);
        let whole = contents(folder);
        for name in whole.keys() {
            let path = folder.join(name);
            let broken: [Damage<'_>; 3] = [
                &|bytes| Some(bytes[..bytes.len() - 9].to_vec()),
                &|bytes| {
                    let mut bytes = bytes.to_vec();
                    let middle = bytes.len() / 2;
                    bytes[middle] ^= 1;
                    Some(bytes)
                },
                &|_| None,
            ];
            for (case, make) in broken.iter().enumerate() {
                match make(&whole[name]) {
                    Some(bytes) => fs::write(&path, bytes).unwrap(),
                    None => fs::remove_file(&path).unwrap(),
                }
                // What was changed may be somebody's work by now.
                succeed(folder, &format!("{command} --resume --force"));
                same(
                    folder,
                    &whole,
                    &format!("{command}: {name}, {case}, {extension}"),
                );
            }
        }
    }
    // An input that has changed since.
    let folder = folder();
    let folder = folder.path();
    fs::copy(jacksboro(), folder.join("dem.png")).unwrap();
    let command = "generate --input dem.png --set surface.image.size=native --json -o x.npy";
    succeed(folder, command);
    assert!(succeed(folder, &format!("{command} --resume")).contains("\"skipped\":true"));
    image::open(jacksboro())
        .unwrap()
        .flipv()
        .save(folder.join("dem.png"))
        .unwrap();
    assert!(succeed(folder, &format!("{command} --resume")).contains("\"skipped\":false"));
}

#[test]
fn pictures_and_maps_are_never_confused() {
    let folder = folder();
    let folder = folder.path();
    let (map, picture) = (
        "generate --iterations 4 -o x.png",
        "render --iterations 4 --size 17x17 -o x.png",
    );
    for (first, second) in [(map, picture), (picture, map)] {
        succeed(folder, &format!("{first} --force"));
        let line = succeed(folder, &format!("{second} --resume --json --force"));
        assert!(line.contains("\"skipped\":false"), "{second}");
    }
}

#[test]
fn runs_writing_one_file_do_not_mix() {
    let folder = folder();
    let folder = folder.path();
    for round in 0..4 {
        let children: Vec<_> = (0..4)
            .map(|seed| {
                spawn(
                    folder,
                    &format!("generate --iterations 9 --seed {seed} -o x.npy -o x.obj"),
                )
            })
            .collect();
        let done = children.into_iter().map(|child| {
            let output = child.wait_with_output().unwrap();
            let said = String::from_utf8(output.stderr).unwrap();
            let is_busy = said.contains("another run is writing it");
            assert!(output.status.success() || is_busy, "{said}");
            output.status.success()
        });
        assert!(done.filter(|done| *done).count() > 0, "round {round}");
        for name in ["x.npy", "x.obj"] {
            assert!(
                import::has_sidecar(&folder.join(name)),
                "round {round}: {name}"
            );
        }
        assert_eq!(names(folder).len(), 6, "{:?}", names(folder));
    }
}

/// When a run is interrupted.
#[derive(Clone, Copy, PartialEq)]
enum Moment {
    /// As soon as it listens.
    Listening,
    /// When it has begun to write.
    Writing,
}

/// Interrupts a run, and returns how it ended and what it said.
fn interrupt(folder: &Path, arguments: &str, name: &str, moment: Moment) -> (ExitStatus, String) {
    let mut child = spawn(folder, arguments);
    let writes = || names(folder).iter().any(|name| name.ends_with(".part"));
    wait_until("a run that listens", || {
        let is_over = child.try_wait().unwrap().is_some();
        is_over || (listens(&child) && (moment == Moment::Listening || writes()))
    });
    if child.try_wait().unwrap().is_none() {
        signal(&child, name);
    }
    let output = child.wait_with_output().unwrap();
    (output.status, String::from_utf8(output.stderr).unwrap())
}

#[test]
fn an_interrupted_run_replaces_nothing() {
    let mut commands: Vec<String> = crate::common::written_formats()
        .map(|format| format!("generate --iterations 12 --format {} -o x", format.name))
        .collect();
    commands.push("render --type map --iterations 10 --size 8000x8000 -o x.png".to_owned());
    commands.push("render --type landscape --iterations 10 --size 4000x3000 -o x.png".to_owned());
    commands.push("render --iterations 8 --contact-sheet 8x8 -o x.png".to_owned());
    commands.push("generate --iterations 12 --map splat -o x-{band}.png".to_owned());
    commands.push("generate --iterations 12 --tiles 2x2 -o x-{row}-{column}.png".to_owned());
    commands.push("stats --iterations 12".to_owned());
    let mut interrupted = 0;
    for command in &commands {
        for (name, moment) in [("INT", Moment::Listening), ("TERM", Moment::Writing)] {
            let folder = folder();
            let file = folder.path().join("x.png");
            succeed(
                folder.path(),
                "render --iterations 2 --type map --size 9x9 -o x.png",
            );
            let before = fs::read(&file).unwrap();
            let (status, said) = interrupt(folder.path(), command, name, moment);
            if status.success() {
                // It was done before.
                continue;
            }
            interrupted += 1;
            assert_eq!(said, "error: cancelled\n", "{command}");
            assert_eq!(status.code(), Some(1), "{command}");
            let tiles = |name: &String| name.starts_with("x-");
            assert!(
                names(folder.path())
                    .iter()
                    .all(|name| name == "x.png" || tiles(name)),
                "{command}"
            );
            assert_eq!(fs::read(&file).unwrap(), before, "{command}");
        }
    }
    assert!(interrupted > 0);
}
