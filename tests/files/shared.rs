//! What is handed on says nothing of where its maker keeps files, and says what it reads.

use std::fs;
use std::path::Path;

use crate::common::{folder, jacksboro, landform, names, succeed};

fn holds(folder: &Path, words: &str) -> Option<String> {
    names(folder).into_iter().find(|name| {
        let bytes = fs::read(folder.join(name)).unwrap();
        bytes
            .windows(words.len())
            .any(|part| part == words.as_bytes())
    })
}

#[test]
fn no_file_says_where_its_input_lies() {
    // Folders that have nothing but the root in common.
    let far = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let near = folder();
    fs::create_dir(near.path().join("private-maps")).unwrap();
    for (at, named) in [
        (far.path().join("dem.png"), "dem.png"),
        (
            near.path().join("private-maps/dem.png"),
            "../private-maps/dem.png",
        ),
        (near.path().join("out/dem.png"), "dem.png"),
    ] {
        let out = near.path().join("out");
        drop(fs::remove_dir_all(&out));
        fs::create_dir(&out).unwrap();
        fs::copy(jacksboro(), &at).unwrap();
        let input = at.to_str().unwrap();
        let flags = "--set surface.image.size=native";
        for format in crate::common::written_formats() {
            let words = format!("--format {} -o {}-x", format.name, format.name);
            succeed(&out, &format!("generate --input {input} {flags} {words}"));
        }
        succeed(
            &out,
            &format!("generate --input {input} {flags} --map slope -o slope.png"),
        );
        succeed(
            &out,
            &format!("render --input {input} --size 20x10 --type map -o p.png"),
        );
        let folder_of = at.parent().unwrap().to_str().unwrap();
        assert_eq!(holds(&out, folder_of), None, "{named}");
        assert!(holds(&out, named).is_some(), "{named}");
        assert!(fs::read_to_string(out.join("p.png.json")).is_err());
    }
}

#[test]
fn a_recipe_that_reads_a_file_says_which() {
    let folder = folder();
    let folder = folder.path();
    fs::create_dir(folder.join("sub")).unwrap();
    fs::copy(jacksboro(), folder.join("sub/dem.png")).unwrap();
    succeed(
        folder,
        "render --input sub/dem.png --size 20x10 --type map -o p.png",
    );
    succeed(
        folder,
        "generate --input sub/dem.png --set surface.image.size=native -o m.tif",
    );
    let scene = |input: &str| format!("[surface]\ngenerator = \"image\"\ninput = \"{input}\"\n");
    fs::write(folder.join("beside.toml"), scene("sub/dem.png")).unwrap();
    fs::write(folder.join("sub/up.toml"), scene("../sub/dem.png")).unwrap();
    // What is assumed of the image is another story.
    let said = |words: &str| {
        let said = String::from_utf8(landform(folder, words).stderr).unwrap();
        let lines = said.lines().filter(|line| !line.contains("assumed, since"));
        lines.collect::<Vec<_>>().join("\n")
    };
    for recipe in ["p.png", "m.tif", "sub/up.toml"] {
        for command in ["stats --h 0.5", "render --size 20x10 --type map -o q.png"] {
            let said = said(&format!("{command} {recipe}"));
            assert!(
                said.contains("the scene reads "),
                "{command} {recipe}: {said}"
            );
            assert!(said.contains("dem.png"), "{command} {recipe}: {said}");
        }
    }
    // What a scene file has beside it can be seen, and an image is itself.
    assert_eq!(
        said("render --size 20x10 --type map -o q.png beside.toml"),
        ""
    );
    assert_eq!(
        said("render --size 20x10 --type map -o q.png sub/dem.png"),
        ""
    );
}

#[test]
fn pictures_name_their_inputs_from_their_folder() {
    let folder = folder();
    let folder = folder.path();
    fs::create_dir(folder.join("out")).unwrap();
    fs::copy(jacksboro(), folder.join("dem.png")).unwrap();
    let words = "render --input dem.png --size 20x10 --type map -o out/p.png";
    succeed(folder, words);
    let picture = folder.join("out/p.png");
    let found = landform::import::find(&picture).unwrap();
    assert_eq!(found.notices, [""; 0]);
    let input = found.scene.unwrap().surface.input.unwrap();
    assert_eq!(
        fs::canonicalize(input).unwrap(),
        fs::canonicalize(folder.join("dem.png")).unwrap()
    );
    // Its checksum tells another image from it.
    fs::write(folder.join("dem.png"), b"another").unwrap();
    let notices = landform::import::find(&picture).unwrap().notices;
    assert!(
        notices.len() == 1 && notices[0].contains("is not the image"),
        "{notices:?}"
    );
}
