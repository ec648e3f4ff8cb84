//! Films from the command line.

use std::fs;
use std::path::Path;

use crate::common::*;
use landform::import;
use serde_json::Value;

/// Small and quick, and everything in it moves: the camera along a path, the ground, the sun.
const FILM: &str = r#"
surface.iterations = 5
clouds.iterations = 4
film.fps = 4
path.frames = [
  { time = 0.0, camera = { mode = "fly", target = [0.0, -0.5, 0.0], distance = 1.0, pitch = 10.0 } },
  { time = 2.0, camera = { mode = "fly", target = [0.4, -0.5, 0.2], distance = 1.0, pitch = 20.0 } },
]
[[film.keys]]
time = 0.0
set = { "light.elevation" = 5.0, "surface.hurst" = 0.5 }
[[film.keys]]
time = 2.0
set = { "light.elevation" = 40.0, "surface.hurst" = 0.9 }
"#;

pub fn film() -> tempfile::TempDir {
    let folder = folder();
    fs::write(folder.path().join("film.toml"), FILM).unwrap();
    folder
}

fn read(folder: &Path, name: &str) -> Vec<u8> {
    fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn lines(text: &str) -> Vec<Value> {
    let line = |line: &str| serde_json::from_str(line).expect("a line of JSON");
    text.lines().map(line).collect()
}

/// The pixels of all pictures of an animated PNG: red, green, blue.
fn pictures_of(path: &Path) -> Vec<Vec<u8>> {
    let file = std::io::BufReader::new(fs::File::open(path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let count = reader.info().animation_control().unwrap().num_frames;
    (0..count)
        .map(|_| {
            let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
            reader.next_frame(&mut pixels).unwrap();
            pixels
        })
        .collect()
}

#[test]
fn film_pictures_equal_single_renders_byte_for_byte() {
    let folder = film();
    let folder = folder.path();
    succeed(folder, "film film.toml --size 48x27 -o all/");
    assert_eq!(names(&folder.join("all")).len(), 8);
    // On another machine, in another order.
    succeed(
        folder,
        "film film.toml --size 48x27 --frames 5..6 -o part-####.png",
    );
    for number in [5, 6] {
        let whole = read(folder, &format!("all/frame-000{number}.png"));
        assert!(
            whole == read(folder, &format!("part-000{number}.png")),
            "{number}"
        );
        let scene = succeed(folder, &format!("scene film.toml --frame {number}"));
        fs::write(folder.join("then.toml"), scene).unwrap();
        succeed(folder, "render then.toml --size 48x27 -o then.png");
        assert!(whole == read(folder, "then.png"), "{number}");
    }
    assert!(read(folder, "part-0005.png") != read(folder, "part-0006.png"));
    let at = succeed(folder, "scene film.toml --at 1");
    assert_eq!(at, succeed(folder, "scene film.toml --frame 5"));
    assert!(at.contains("light.elevation = 22.5\n"), "{at}");
}

#[test]
fn pictures_that_are_there_are_made_once() {
    let folder = film();
    let folder = folder.path();
    let command = "film film.toml --size 32x18 --frames 2..4 -o f-{frame}.png --resume --json";
    let skipped = |arguments: &str| -> Vec<_> {
        let said = lines(&succeed(folder, arguments));
        said.iter().map(|line| line["skipped"] == true).collect()
    };
    assert_eq!(skipped(command), [false; 3]);
    fs::remove_file(folder.join("f-0003.png")).unwrap();
    assert_eq!(skipped(command), [true, false, true]);
    assert_eq!(skipped(&format!("{command} --seed 9")), [false; 3]);
    let larger = command.replace("32x18", "34x18");
    assert_eq!(skipped(&format!("{larger} --seed 9")), [false; 3]);
    let said = lines(&succeed(folder, &larger));
    assert_eq!(
        (&said[1]["frame"], &said[1]["time"]),
        (&3.into(), &0.5.into())
    );
}

#[test]
fn animated_png_has_all_pictures_and_its_landscape() {
    let folder = film();
    let folder = folder.path();
    succeed(
        folder,
        "film film.toml --size 32x18 --frames 1..3 -o film.png",
    );
    succeed(
        folder,
        "film film.toml --size 32x18 --frames 1..3 -o f-#.png",
    );
    let pictures = pictures_of(&folder.join("film.png"));
    assert_eq!(pictures.len(), 3);
    for (index, picture) in pictures.iter().enumerate() {
        let single = image::open(folder.join(format!("f-{}.png", index + 1))).unwrap();
        assert!(*picture == single.into_rgb8().into_raw(), "{index}");
    }
    let scene = import::open(&folder.join("film.png")).unwrap();
    assert_eq!(scene, import::open(&folder.join("film.toml")).unwrap());
    // Ours is replaced, somebody else's is not.
    succeed(
        folder,
        "film film.toml --size 32x18 --frames 1..2 --once -o film.png",
    );
    assert_eq!(pictures_of(&folder.join("film.png")).len(), 2);
}

#[test]
fn gif_keeps_pictures_times_and_nearly_the_colours() {
    let folder = film();
    let folder = folder.path();
    succeed(
        folder,
        "film film.toml --size 64x36 --fps 30 --frames 1..4 -o film.gif",
    );
    succeed(
        folder,
        "film film.toml --size 64x36 --fps 30 --frames 1..4 -o f-#.png",
    );
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut reader = options
        .read_info(fs::File::open(folder.join("film.gif")).unwrap())
        .unwrap();
    let mut delays = Vec::new();
    while let Some(frame) = reader.read_next_frame().unwrap() {
        delays.push(frame.delay);
        let single = image::open(folder.join(format!("f-{}.png", delays.len()))).unwrap();
        let wanted = single.into_rgb8().into_raw();
        let found = frame.buffer.chunks_exact(4).flat_map(|pixel| &pixel[..3]);
        let off: u32 = found
            .zip(&wanted)
            .map(|(a, b)| u32::from(a.abs_diff(*b)))
            .sum();
        let mean = f64::from(off) / wanted.len() as f64;
        assert!(mean < 4.0, "picture {} is off by {mean}", delays.len());
    }
    assert_eq!(delays, [3, 4, 3, 3]);
    assert!(matches!(reader.repeat(), gif::Repeat::Infinite));
    succeed(folder, "film film.toml --size 16x9 --frames 1 -o film.gif");
    let out = landform(
        folder,
        "film film.toml --size 16x9 --frames 1 -o - --format gif",
    );
    assert!(out.stdout == read(folder, "film.gif"));
    fs::write(folder.join("other.gif"), b"GIF89a not from Landform").unwrap();
    let foreign = "film film.toml --size 16x9 --frames 1 -o other.gif";
    fail(
        folder,
        foreign,
        1,
        &["not from Landform", "--force", "other.gif"],
    );
    succeed(folder, &format!("{foreign} --force"));
}

/// Runs the command with nothing but `bin` in PATH; what it says on standard error.
#[cfg(unix)]
pub fn with_programs(folder: &Path, arguments: &str, code: i32) -> String {
    let out = assert_cmd::Command::cargo_bin("landform")
        .unwrap()
        .args(arguments.split_whitespace())
        .current_dir(folder)
        .env(
            "PATH",
            format!("{}:/usr/bin:/bin", folder.join("bin").display()),
        )
        .output()
        .unwrap();
    let said = String::from_utf8(out.stderr).unwrap();
    assert_eq!(out.status.code(), Some(code), "{said}");
    said
}

#[cfg(unix)]
pub fn ffmpeg(folder: &Path, script: &str) {
    use std::os::unix::fs::PermissionsExt;
    let bin = folder.join("bin");
    fs::create_dir_all(&bin).unwrap();
    let script = format!("#!/bin/sh\n{script}\n");
    fs::write(bin.join("ffmpeg"), script).unwrap();
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(bin.join("ffmpeg"), mode).unwrap();
}

#[cfg(unix)]
#[test]
fn ffmpeg_is_handed_the_pictures_as_they_are() {
    let folder = film();
    let folder = folder.path();
    // Writes what it is handed where it is told to.
    ffmpeg(
        folder,
        "echo \"$@\" > said\nfor last; do :; done\ncat > \"${last#file:}\"",
    );
    for end in ["mp4", "webm"] {
        let command = format!("film film.toml --size 32x18 --frames 2..3 -o film.{end}");
        assert_eq!(with_programs(folder, &command, 0), "");
        let said = fs::read_to_string(folder.join("said")).unwrap();
        for words in [
            "-s 32x18",
            "-r 4 ",
            "rgb24",
            "yuv420p",
            &format!("-f {end} "),
        ] {
            assert!(said.contains(words), "{words}: {said}");
        }
        succeed(
            folder,
            "film film.toml --size 32x18 --frames 2..3 -o f-#.png",
        );
        let singles = [2, 3].map(|number| {
            let single = image::open(folder.join(format!("f-{number}.png"))).unwrap();
            single.into_rgb8().into_raw()
        });
        assert!(
            read(folder, &format!("film.{end}")) == singles.concat(),
            "{end}"
        );
    }
}

#[cfg(unix)]
#[test]
fn ffmpeg_complaint_is_one_line_leaving_nothing_behind() {
    let folder = film();
    let folder = folder.path();
    let command = "film film.toml --size 32x18 --frames 1..2 -o film.mp4";
    if !Path::new("/usr/bin/ffmpeg").exists() && !Path::new("/bin/ffmpeg").exists() {
        let said = with_programs(folder, command, 1);
        assert!(
            said.starts_with("error: `mp4` needs the program ffmpeg"),
            "{said}"
        );
        assert!(
            said.contains("film.gif") && said.contains("film-####.png"),
            "{said}"
        );
    }
    for script in [
        "echo warning >&2; echo 'Unknown encoder libx264' >&2; exit 1",
        "cat > /dev/null; echo 'Unknown encoder libx264' >&2; exit 1",
    ] {
        ffmpeg(folder, script);
        let said = with_programs(folder, command, 1);
        assert!(said.contains("ffmpeg: Unknown encoder libx264"), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
        assert_eq!(names(folder), ["bin", "film.toml"]);
    }
    let odd = with_programs(folder, &command.replace("32x18", "33x18"), 2);
    assert!(odd.contains("use 34 × 18"), "{odd}");
}

#[test]
fn wrong_films_are_refused_before_anything_is_made() {
    let folder = film();
    let folder = folder.path();
    for (arguments, words) in [
        (
            "film --iterations 4 -o x.gif",
            "--like turntable, flight, day",
        ),
        ("film film.toml -o x.avi", "unknown film type `avi`"),
        ("film film.toml -o x", "unknown film type"),
        ("film film.toml -o -", "--format"),
        ("film film.toml --size 20x20 -o - --format mp4", "mp4"),
        (
            "film film.toml --frames 3..9 -o x.gif",
            "allowed: within 1..8",
        ),
        ("film film.toml --frames 3..2 -o x.gif", "allowed: FROM..TO"),
        ("film film.toml --frames 0..2 -o x.gif", "allowed: FROM..TO"),
        (
            "film film.toml --seconds 0 -o x.gif",
            "allowed: more than 0",
        ),
        (
            "film film.toml --seconds nan -o x.gif",
            "allowed: more than 0",
        ),
        (
            "film film.toml --seconds 36000 --fps 120 -o x-#.png",
            "allowed: up to 100000",
        ),
        (
            "film film.toml --fps 60 -o x.gif",
            "at most 50 frames a second",
        ),
        ("film film.toml --resume -o x.gif", "film-####.png"),
        ("film film.toml -o x-#.jpg", "pictures are PNG files"),
        ("scene film.toml --at -1", "allowed: 0 to 36000"),
    ] {
        let code = if arguments.contains("mp4") {
            None
        } else {
            Some(2)
        };
        let out = landform(folder, arguments);
        let said = String::from_utf8(out.stderr).unwrap();
        assert!(
            code.is_none_or(|code| out.status.code() == Some(code)),
            "{arguments}: {said}"
        );
        assert!(
            said.contains(words) && said.lines().count() == 1,
            "{arguments}: {said}"
        );
    }
    fail(
        folder,
        "film film.toml --size 20x20 -o none/x.gif",
        1,
        &["none/x.gif"],
    );
    assert_eq!(names(folder), ["film.toml"]);
}

#[cfg(unix)]
#[test]
fn no_command_replaces_its_own_input() {
    let folder = film();
    let folder = folder.path();
    fs::copy(jacksboro(), folder.join("dem.png")).unwrap();
    succeed(folder, "render --iterations 3 --size 9x9 -o view.png");
    for (link, to) in [("link.toml", "film.toml"), ("link.png", "dem.png")] {
        std::os::unix::fs::symlink(to, folder.join(link)).unwrap();
    }
    fs::hard_link(folder.join("view.png"), folder.join("hard.png")).unwrap();
    let before = names(folder).into_iter().map(|name| read(folder, &name));
    let before: Vec<_> = before.collect();
    for arguments in [
        "film film.toml -o film.toml",
        "film film.toml --like day -o link.toml",
        "film film.toml --format apng --size 9x9 -o film.toml",
        "film view.png --like day --size 9x9 -o view.png",
        "film view.png --like day --size 9x9 -o hard.png",
        "film view.png --like day --format mp4 --size 8x8 -o view.png",
        "film --input dem.png --like day --size 9x9 -o link.png",
        "render view.png --size 9x9 -o hard.png",
        "render --input dem.png --size 9x9 -o link.png",
        "render --input dem.png --size 9x9 --contact-sheet 2x2 -o dem.png",
        "generate view.png -o hard.png",
        "generate --input dem.png -o link.png",
    ] {
        let arguments = format!("{arguments} --force");
        fail(folder, &arguments, 1, &["an input, too"]);
    }
    let after = names(folder).into_iter().map(|name| read(folder, &name));
    assert!(after.collect::<Vec<_>>() == before);
}

#[test]
fn a_folder_called_like_a_film_is_refused() {
    let folder = film();
    let folder = folder.path();
    for name in ["f.mp4", "f.gif", "f.png"] {
        fs::create_dir(folder.join(name)).unwrap();
        fail(
            folder,
            &format!("film film.toml --size 8x8 -o {name}"),
            1,
            &["a folder"],
        );
        assert!(names(&folder.join(name)).is_empty());
    }
    succeed(folder, "film film.toml --size 8x8 --frames 1 -o f.gif/");
    assert_eq!(names(&folder.join("f.gif")), ["frame-0001.png"]);
}

#[test]
fn ready_made_film_can_be_kept_as_scene() {
    let folder = folder();
    let folder = folder.path();
    let small = "--iterations 4 --set clouds.iterations=4";
    succeed(
        folder,
        &format!("film {small} --like day --seconds 3 --fps 2 -o day.toml"),
    );
    let day = import::open(&folder.join("day.toml")).unwrap();
    assert_eq!((day.film.seconds, day.film.fps), (3.0, 2));
    succeed(folder, "film day.toml --size 16x9 -o kept-#.png");
    let at_once = format!("film {small} --like day --seconds 3 --fps 2 --size 16x9 -o once-#.png");
    succeed(folder, &at_once);
    for number in 1..=6 {
        let [kept, once] = ["kept", "once"]
            .map(|name| image::open(folder.join(format!("{name}-{number}.png"))).unwrap());
        assert!(kept == once, "{number}");
    }
    succeed(
        folder,
        "film day.toml --seconds 1 --size 16x9 -o short-#.png",
    );
    assert!(folder.join("short-2.png").exists() && !folder.join("short-3.png").exists());
}

#[cfg(unix)]
#[test]
fn an_interrupted_film_leaves_whole_pictures_or_nothing() {
    use std::process::{Command, Stdio};
    for (output, kept) in [("film.gif", false), ("f-####.png", true)] {
        let folder = film();
        let folder = folder.path();
        let arguments = format!("film film.toml --seconds 1000 --fps 30 --size 32x18 -o {output}");
        let mut child = Command::new(assert_cmd::cargo::cargo_bin("landform"))
            .args(arguments.split_whitespace())
            .current_dir(folder)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // With its unfinished file, or that and two pictures.
        let files = if kept { 4 } else { 2 };
        wait_until("a film", || listens(&child) && names(folder).len() >= files);
        let sent = Command::new("kill")
            .args(["-s", "INT", &child.id().to_string()])
            .status();
        assert!(sent.unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(1));
        let left = names(folder);
        assert_eq!(left.len() > 1, kept, "{left:?}");
        for name in left.iter().filter(|name| *name != "film.toml") {
            assert!(image::open(folder.join(name)).is_ok(), "{name}");
        }
    }
}

/// Limits that cross between two key frames, each of which is possible.
const CROSSING: &str = r#"
surface.iterations = 4
view.render_type = "map"
film.fps = 2
modifiers = [{ kind = "clamp" }]
[[film.keys]]
time = 0
set = { "modifiers.0.clamp.low" = 0.1, "modifiers.0.clamp.high" = 0.2 }
[[film.keys]]
time = 1
set = { "modifiers.0.clamp.low" = 0.4 }
[[film.keys]]
time = 2
set = { "modifiers.0.clamp.high" = 0.5 }
"#;

#[test]
fn an_impossible_film_makes_no_picture() {
    let folder = folder();
    fs::write(folder.path().join("film.toml"), CROSSING).unwrap();
    let words = ["at 1 s of the film", "modifiers.0.clamp.low is 0.4"];
    for output in ["all/", "f.gif", "f-####.png"] {
        let arguments = format!("film film.toml --size 48x27 -o {output}");
        fail(folder.path(), &arguments, 1, &words);
    }
    succeed(
        folder.path(),
        "film film.toml --size 48x27 --frames 1 -o f-####.png",
    );
}

#[test]
fn undrawable_scene_is_not_printed() {
    let folder = folder();
    fs::write(folder.path().join("film.toml"), CROSSING).unwrap();
    for moment in ["--frame 3", "--at 1"] {
        let words = ["at 1 s of the film", "modifiers.0.clamp.low is 0.4"];
        fail(
            folder.path(),
            &format!("scene film.toml {moment}"),
            1,
            &words,
        );
    }
}
