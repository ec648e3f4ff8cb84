//! Variations from the command: sheets of them, each of which can be made again.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

use crate::common::*;
use landform::scene::Scene;
use landform::vary::{Vary, on_sheet};

const FLAGS: &str = "--iterations 5 --type triangles --vary surface.hurst,light --strength 0.4";

#[test]
fn sheet_variations_can_each_be_made_again() {
    let folder = folder();
    let folder = folder.path();
    let words = format!("render {FLAGS} --size 96x64 --contact-sheet 3x3 --json -o sheet.png");
    let told: Value = serde_json::from_str(&succeed(folder, &words)).unwrap();
    let sheet = image::open(folder.join("sheet.png")).unwrap().to_rgb8();
    let mut seen = Vec::new();
    for (index, number) in on_sheet(3, 3).into_iter().enumerate() {
        let cell = &told["cells"][index]["settings"];
        assert_eq!(cell["variation"], number);
        // A few of them: each is a program of its own.
        if ![0, 3, 8].contains(&number) {
            continue;
        }
        let words = format!("{FLAGS} --variation {number}");
        let text = succeed(folder, &format!("scene {words}"));
        fs::write(folder.join("again.toml"), &text).unwrap();
        for scene in [words.as_str(), "again.toml"] {
            succeed(
                folder,
                &format!("render {scene} --size 96x64 --force -o one.png"),
            );
            let one = image::open(folder.join("one.png")).unwrap().to_rgb8();
            let (column, row) = (index as u32 % 3, index as u32 / 3);
            let (left, top) = (4 + column * 100, 4 + row * 82);
            let cut = image::imageops::crop_imm(&sheet, left, top, 96, 64).to_image();
            assert!(one == cut, "{scene}");
        }
        let scene = Scene::parse(&text).unwrap();
        for (key, value) in cell
            .as_object()
            .unwrap()
            .iter()
            .filter(|(key, _)| *key != "variation")
        {
            assert!(
                scene.with(key, &value.to_string()).unwrap() == scene,
                "{key}"
            );
        }
        seen.push(scene);
    }
    let vary = Vary {
        names: vec!["surface.hurst".to_owned(), "light".to_owned()],
        strength: 0.4,
        ..Vary::default()
    };
    let expected = [3, 0, 8].map(|number| vary.variation(&seen[1], number));
    assert!(seen == expected, "the library's own variations");
}

#[test]
fn what_is_locked_stays_and_another_set_differs() {
    let folder = folder();
    let scene = |words: &str| {
        let text = succeed(folder.path(), &format!("scene {FLAGS} {words}"));
        Scene::parse(&text).unwrap()
    };
    let one = scene("");
    assert!(one == scene("--variation 1"));
    let locked = scene("--lock light");
    assert_eq!(locked.surface, one.surface);
    assert_eq!(locked.light, Scene::default().light);
    assert_ne!(one.light, Scene::default().light);
    assert_ne!(scene("--variation-set 1").surface, one.surface);
    let still = "scene --iterations 5 --vary surface.hurst --strength 0 --variation 5";
    let still = Scene::parse(&succeed(folder.path(), still)).unwrap();
    assert_eq!(still.surface.hurst, Scene::default().surface.hurst);
}

#[test]
fn a_variation_can_be_exported_and_measured() {
    let folder = folder();
    let flags = "--iterations 5 --vary seeds --variation 4";
    succeed(folder.path(), &format!("generate {flags} -o a.npy"));
    let text = succeed(folder.path(), &format!("scene {flags}"));
    fs::write(folder.path().join("b.toml"), text).unwrap();
    succeed(folder.path(), "generate b.toml -o b.npy");
    let [a, b] = ["a.npy", "b.npy"].map(|name| fs::read(folder.path().join(name)).unwrap());
    assert!(a == b);
    succeed(folder.path(), &format!("stats {flags} --json"));
}

fn piped(folder: &Path, arguments: &str, text: &[u8]) -> std::process::Output {
    let mut command = Command::cargo_bin("landform").unwrap();
    let command = command.current_dir(folder).args(arguments.split(' '));
    command.write_stdin(text).output().unwrap()
}

#[test]
fn a_scene_comes_from_standard_input() {
    let folder = folder();
    let text = succeed(folder.path(), &format!("scene {FLAGS} --variation 2"));
    let printed = piped(folder.path(), "scene -", text.as_bytes());
    assert_eq!(String::from_utf8(printed.stdout).unwrap(), text);
    let rendered = piped(
        folder.path(),
        "render - --size 32x18 -o x.png",
        text.as_bytes(),
    );
    assert!(rendered.status.success());
    let words = [
        "not a scene: unknown field `hello`",
        "line 1: standard input",
    ];
    for (text, words) in [
        (&b"hello = 1"[..], &words[..]),
        (&[0xFF, 0xFE], &["standard input"]),
        (&[b'#'; 17 << 20], &["more than", "standard input"]),
    ] {
        let output = piped(folder.path(), "scene -", text);
        assert_eq!(output.status.code(), Some(1));
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(words.iter().all(|words| error.contains(words)), "{error}");
        assert_eq!(error.lines().count(), 1);
    }
}

#[test]
fn what_cannot_vary_is_refused_in_one_line() {
    let folder = folder();
    for (arguments, words) in [
        (
            "render --vary surface.hurts -o x.png",
            &["--vary: unknown key `surface.hurts`; allowed: a key, a table"][..],
        ),
        ("scene --vary", &["--vary"]),
        ("scene --vary ,", &["unknown key ``"]),
        (
            "scene --vary surface.hill",
            &["nothing in `surface.hill` can vary"],
        ),
        ("scene --vary light --lock x", &["unknown key `x`"]),
        (
            "scene --vary light --strength 1.5",
            &["strength is 1.5; allowed: 0 to 1"],
        ),
        (
            "scene --vary light --strength nan",
            &["strength is NaN; allowed: 0 to 1"],
        ),
        ("scene --vary light --variation -1", &["--variation"]),
        ("scene --strength 0.5", &["--vary"]),
        ("scene --lock light", &["--vary"]),
        (
            "render --vary light --variation 3 --contact-sheet 2x2 -o x.png",
            &["--variation selects one variation, but a contact sheet shows many"],
        ),
        (
            "render --vary light --seeds 1..2 --contact-sheet 2x2 -o x.png",
            &["--vary needs a single scene, not 2 scenes"],
        ),
    ] {
        fail(folder.path(), arguments, 2, words);
    }
}
