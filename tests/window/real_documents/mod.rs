//! Documents in the real window: what closing asks, what a crash and a shutdown leave, and what a
//! window looks like at its next start.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use egui::accesskit::Role;
use egui::vec2;
use egui_kittest::kittest::Queryable;

use crate::screen::{SIZE, Window, wait_for, x_server, x_server_of};
use landform::app::settings;
use landform::app::state::Persisted;
use landform::app::state::document::Document;
use landform::generate::Generator;
use landform::job::Job;
use landform::modify::{Modifier, ModifierKind};
use landform::scene::{RenderType, Scene, VERSION};
use landform::{export, import};

mod clipboard;
mod saving;
mod starts;

const OPENED: &str = "land.toml – Landform";
const CHANGED: &str = "• land.toml – Landform";

/// A scene that is quick to make and to draw.
fn plain(seed: u64) -> Scene {
    let mut scene = Scene::default();
    scene.surface.seed = seed;
    scene.surface.iterations = 4;
    scene.view.render_type = RenderType::Map;
    scene
}

/// A home with a scene file in it.
fn home() -> (tempfile::TempDir, PathBuf) {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("land.toml");
    fs::write(&file, plain(7).to_toml()).unwrap();
    (home, file)
}

fn seed_in(file: &Path) -> u64 {
    import::open(file).unwrap().surface.seed
}

/// The seed in the window, by the picture that F12 saves.
fn seed_of(window: &Window) -> u64 {
    seed_in(&window.save_picture())
}

/// What the window has told so far: each notice that it shows is in its log.
struct Told(PathBuf);

impl Told {
    fn text(&self) -> String {
        fs::read_to_string(&self.0).unwrap_or_default()
    }

    #[track_caller]
    fn wait_for(&self, words: &str) {
        wait_for(&format!("{words:?}"), || {
            self.text().contains(words).then_some(())
        });
    }
}

/// A window whose notices are read.
fn telling(
    display: &str,
    home: &Path,
    file: Option<&Path>,
    prepare: impl FnOnce(&mut Command) -> &mut Command,
) -> (Window, Told) {
    let log = home.join("log");
    let window = Window::open_with(display, home, file, |command| {
        prepare(command)
            .env("RUST_LOG", "landform::app::state::notices=info")
            .stderr(fs::File::create(&log).unwrap())
    });
    (window, Told(log))
}
