//! A new modifier is one file and its line in the list: the window, the command, scene files and
//! the book of a copy of this project then have it.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Modifier with a single option.
const MODIFIER: &str = r#"//! `double`: double heights.

use serde::{Deserialize, Serialize};

use crate::util::param::{Param, Params, float_param};

use super::ModifyError;
use super::canvas::{Canvas, Modify};

/// Options of `double`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Height added afterwards, 0…1; default 0.
    pub lift: f32,
}

impl Params for Options {
    const PARAMS: &'static [Param<Self>] =
        &[float_param!(lift, "Lift afterwards", "", 0.0, 1.0, slider(0.0, 1.0), "Added at last.")];
}

impl Modify for Options {
    fn modify(&self, canvas: &mut Canvas<'_>) -> Result<(), ModifyError> {
        let lift = self.lift;
        canvas.each_band(|_, heights| {
            heights.iter_mut().for_each(|height| *height = 2.0 * *height + lift);
        })?;
        Ok(())
    }
}
"#;

/// Row of the modifier in the list.
const ROW: &str = r#"Double = double: double::Options, "double", "Doubles the heights.";
        "#;

/// Test in the copy: the panel has the control, and the book its page.
const TEST: &str = r#"#[path = "core/book.rs"]
mod book;
#[path = "helpers/desk.rs"]
mod desk;
#[path = "helpers/pages.rs"]
mod pages;

use egui::accesskit::Role;
use egui_kittest::kittest::Queryable;
use landform::scene::Scene;

#[test]
fn the_panel_has_its_slider() {
    let scene = Scene::parse("modifiers = [{ kind = \"double\" }]").unwrap();
    let size = egui::vec2(1280.0, 4000.0);
    let test = desk::desk(size, desk::of_scene(scene), |_| ());
    test.get_by_role_and_label(Role::Slider, "Lift afterwards");
}
"#;

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

fn replace_first(path: &Path, old: &str, new: &str) {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.contains(old), "{path:?} has no {old:?}");
    fs::write(path, text.replacen(old, new, 1)).unwrap();
}

fn succeed(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let [out, error] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(output.status.success(), "{command:?}\n{out}\n{error}");
    out.into_owned()
}

#[test]
fn a_new_modifier_is_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path();
    let original = Path::new(env!("CARGO_MANIFEST_DIR"));
    for part in [
        "src",
        "shaders",
        "assets",
        "docs",
        "tests/core",
        "tests/helpers",
    ] {
        copy(&original.join(part), &project.join(part));
    }
    for file in [
        "Cargo.toml",
        "Cargo.lock",
        "README.md",
        "ARCHITECTURE.md",
        "CHANGELOG.md",
    ] {
        fs::copy(original.join(file), project.join(file)).unwrap();
    }
    let list = project.join("src/modify/mod.rs");
    fs::write(project.join("src/modify/double.rs"), MODIFIER).unwrap();
    replace_first(
        &list,
        "pub mod edge_fade;",
        "pub mod double;\npub mod edge_fade;",
    );
    replace_first(&list, "Power = power", &format!("{ROW}Power = power"));

    // Only these programs, the command under a name of its own: the folder for builds is that of
    // this project, whose programs other tests run.
    let manifest = fs::read_to_string(project.join("Cargo.toml")).unwrap();
    let manifest = manifest.replacen(
        "[[bin]]\nname = \"landform\"",
        "[[test]]\nname = \"added\"\n\n[[bin]]\nname = \"landform-with-another-modifier\"",
        1,
    );
    let tables = manifest.split("\n\n").filter(|table| {
        let is_other = table.starts_with("[[test]]") && !table.contains("\"added\"");
        !is_other && !table.starts_with("[[example]]") && !table.starts_with("# Exhaustive sweeps")
    });
    let manifest = tables.collect::<Vec<_>>().join("\n\n");
    fs::write(project.join("Cargo.toml"), manifest).unwrap();
    fs::write(project.join("tests/added.rs"), TEST).unwrap();
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    succeed(
        Command::new("nice")
            .args([
                env!("CARGO"),
                "test",
                "--offline",
                "--locked",
                "--test",
                "added",
            ])
            .args(["--config", "profile.dev.package.landform.opt-level=0"])
            .args(["--", "the_panel_has_its_slider", "modifiers_page_matches"])
            .current_dir(project)
            .env("CARGO_TARGET_DIR", target)
            .env("UPDATE_BOOK", "1"),
    );
    let page = fs::read_to_string(project.join("docs/modifiers.md")).unwrap();
    assert!(page.contains("## double") && page.contains("Lift afterwards"));

    let program = target.join("debug/landform-with-another-modifier");
    let run =
        |arguments: &[&str]| succeed(Command::new(&program).args(arguments).current_dir(project));
    assert!(run(&["list", "modifiers"]).contains("double"));
    let small = ["--iterations", "4"];
    let modifiers = [
        "modifiers.0.kind=invert",
        "modifiers.1.kind=double",
        "modifiers.1.double.lift=0.25",
    ];
    let set = modifiers.iter().flat_map(|setting| ["--set", setting]);
    let arguments = ["scene"].into_iter().chain(small).chain(set);
    let scene = run(&arguments.collect::<Vec<_>>());
    assert!(scene.contains("lift = 0.25"), "{scene}");
    fs::write(project.join("scene.toml"), scene).unwrap();
    run(&["generate", "scene.toml", "-o", "heights.npy"]);
    run(&[&["generate"], &small[..], &["-o", "plain.npy"]].concat());
    let [heights, plain] = ["heights.npy", "plain.npy"].map(|name| floats(&project.join(name)));
    let (low, high) = (plain.iter()).fold((f32::MAX, f32::MIN), |(low, high), height| {
        (low.min(*height), high.max(*height))
    });
    let expected = plain
        .iter()
        .map(|height| 2.0 * (low + high - height) + 0.25);
    assert!(heights.iter().copied().eq(expected));
    fs::remove_file(program).unwrap();
}

/// Samples of a NumPy file of 32-bit floats.
fn floats(path: &Path) -> Vec<f32> {
    let bytes = fs::read(path).unwrap();
    let header = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let samples = bytes[header..].chunks_exact(4);
    samples
        .map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap()))
        .collect()
}
