//! The dialog that exports plants, and the files that it writes.

use std::fs;
use std::path::Path;

use egui::accesskit::Role;
use egui::{Key, Modifiers, vec2};
use egui_kittest::kittest::{NodeT, Queryable};

use landform::app::commands::{Action, Command, Purpose};
use landform::app::files::{Done, FileJob};
use landform::app::state::Persisted;
use landform::app::state::output::PlantExport;
use landform::scene::Scene;

use crate::common::succeed;
use crate::desk::{Test, of_scene};
use crate::readable::carried_out;

const PLANTED: &str =
    "surface.iterations = 6\nsurface.tile_size_m = 300\n[[plants]]\nkind = \"spruce\"";

fn planted() -> Scene {
    Scene::parse(PLANTED).unwrap()
}

fn desk(persisted: Persisted) -> Test {
    crate::desk::desk(vec2(1280.0, 720.0), persisted, |_| ())
}

fn click(test: &mut Test, label: &str) {
    test.get_by_role_and_label(Role::Button, label).click();
    test.run_steps(5);
}

fn export(test: &Test) -> &PlantExport {
    &test.state().ui.persisted.plant_export
}

/// Write the plants into a file; returns the message.
fn written(path: &Path, scene: Scene, options: &PlantExport) -> Result<String, String> {
    let job = FileJob::Plants(path.to_owned(), scene.into(), options.request());
    match carried_out(job) {
        Done::Saved(words) => Ok(words),
        Done::Failed(words) => Err(words),
        _ => panic!("neither saved nor failed"),
    }
}

fn of_format(format: &str, nodes: bool) -> PlantExport {
    PlantExport {
        shown: true,
        format: format.to_owned(),
        nodes,
    }
}

#[test]
fn menu_opens_the_dialog_and_the_dialog_asks() {
    let folder = tempfile::tempdir().unwrap();
    let mut persisted = of_scene(planted());
    persisted.folder = Some(folder.path().to_owned());
    let mut test = desk(persisted);
    click(&mut test, "File");
    // A menu item has its keys behind its name.
    test.get_by_label_contains("Export plants…").click();
    test.run_steps(5);
    assert!(export(&test).shown);
    test.get_by_value(".csv").click();
    test.run_steps(5);
    test.get_by_label(".usda").click();
    test.run_steps(5);
    assert_eq!(export(&test).extension(), "usda");
    click(&mut test, "Export the plants…");
    let asked = test.state().ui.transient.dialogs.file.as_ref();
    assert!(asked.is_some_and(|asked| asked.purpose == Purpose::Plants));
    // The suggested name is enough.
    test.run_steps(20);
    test.key_press(Key::Enter);
    test.run_steps(5);
    let [Command::ExportPlants(path)] = &test.state().commands[..] else {
        panic!("{:?}", test.state().commands);
    };
    let name = path.file_name().unwrap().to_string_lossy();
    assert!(name.ends_with("-plants.usda"), "{name}");
    assert_eq!(path.parent(), Some(folder.path()));
}

#[test]
fn scene_without_plants_has_none_to_export() {
    let mut scene = planted();
    scene.plants[0].on = false;
    let mut persisted = of_scene(scene);
    persisted.plant_export.shown = true;
    let mut test = desk(persisted);
    let button = |test: &Test, label: &str| {
        let button = test.get_by_label_contains(label);
        !button.accesskit_node().is_disabled()
    };
    assert!(!button(&test, "Export the plants…"));
    click(&mut test, "File");
    assert!(!button(&test, "Export plants…"));
    test.get_by_label_contains("Export plants…").hover();
    test.run_steps(90);
    assert!(test.query_by_label("The scene has no plants.").is_some());
    test.state_mut().ui.persisted.scene.plants[0].on = true;
    test.run_steps(3);
    assert!(button(&test, "Export plants…") && button(&test, "Export the plants…"));
}

#[test]
fn only_a_gltf_has_a_choice_of_nodes() {
    let mut persisted = of_scene(planted());
    persisted.plant_export = of_format("glb", false);
    let mut test = desk(persisted);
    test.get_by_label("A node for each plant").click();
    test.run_steps(3);
    assert!(export(&test).nodes);
    test.state_mut().ui.persisted.plant_export.format = "csv".to_owned();
    test.run_steps(3);
    assert!(test.query_by_label("A node for each plant").is_none());
    assert_eq!(export(&test).request().form, None);
}

#[test]
fn escape_closes_the_dialog() {
    let mut test = desk(of_scene(planted()));
    test.state_mut().ui.apply(Action::TogglePlantExport);
    test.run_steps(5);
    assert!(test.query_by_label("Export the plants…").is_some());
    test.key_press_modifiers(Modifiers::NONE, Key::Escape);
    test.run_steps(3);
    assert!(!export(&test).shown);
}

#[test]
fn files_are_those_of_the_command() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("scene.toml"), planted().to_toml()).unwrap();
    for (format, nodes) in [
        ("csv", false),
        ("geojson", false),
        ("glb", false),
        ("glb", true),
        ("usda", true),
    ] {
        let options = of_format(format, nodes);
        let file = folder.path().join(format!("x.{format}"));
        let sidecar = folder.path().join(format!("x.{format}.json"));
        let read = || [&file, &sidecar].map(|file| fs::read(file).unwrap());
        let words = written(&file, planted(), &options).unwrap();
        let window = read();
        let form = match options.request().form {
            Some(_) => "--plants-as nodes",
            None => "",
        };
        let command = format!("generate scene.toml --plants x.{format} {form} --json");
        let told: serde_json::Value =
            serde_json::from_str(&succeed(folder.path(), &command)).unwrap();
        assert!(window == read(), "{format} {nodes}");
        let count = told["plants"].as_u64().unwrap();
        assert!(count > 100, "{count}");
        let wanted = format!("x.{format}: {count} plants");
        assert!(words.ends_with(&wanted), "{words}: {wanted}");
    }
}

#[test]
fn messages_of_the_export_are_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.csv");
    let csv = of_format("csv", false);
    let mut bare = planted();
    (bare.water.enabled, bare.water.level) = (true, 100.0);
    let words = written(&file, bare, &csv).unwrap();
    assert!(words.contains("x.csv: no plant grows here"), "{words}");
    // Its sidecar would replace a file of somebody else's.
    let sidecar = folder.path().join("y.csv.json");
    fs::write(&sidecar, "mine").unwrap();
    let taken = written(&folder.path().join("y.csv"), planted(), &csv).unwrap_err();
    assert!(taken.contains("y.csv.json"), "{taken}");
    assert_eq!(fs::read_to_string(&sidecar).unwrap(), "mine");
    let mut many = planted();
    many.surface.tile_size_m = 2e6;
    let many = written(&file, many, &csv).unwrap_err();
    assert!(many.contains("allowed: 20000000"), "{many}");
    for words in [words, taken, many] {
        assert_eq!(words.lines().count(), 1, "{words}");
    }
}

#[test]
fn confirmed_file_of_others_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.csv");
    fs::write(&file, "mine").unwrap();
    written(&file, planted(), &of_format("csv", false)).unwrap();
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.starts_with("species,"), "{text}");
}
