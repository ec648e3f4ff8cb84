//! Every control of the window's bars, menus, sheets and dialogs in the real window: each is used
//! with mouse and keyboard there, and without a window as well. What both remember after that is
//! the same, and the picture is a render of their scene. Controls are found by their roles.

use std::collections::BTreeSet;
use std::thread::sleep;
use std::time::{Duration, Instant};

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, Pos2, pos2, vec2};
use egui_kittest::kittest::NodeT;
use toml::Table;

use crate::desk::{Test, click, desk, of_scene};
use crate::screen::{SIZE, Window, check_render, x_server};
use landform::app::commands::Command;
use landform::app::settings;
use landform::app::state::Persisted;
use landform::film::Ready;
use landform::import::presets;
use landform::scene::{PlantLayer, RenderType, Scene};

const PATIENCE: Duration = Duration::from_secs(120);
/// Time for windows that open and close to come to rest after each act, as they do in the twin.
const ANIMATION: Duration = Duration::from_millis(250);

/// What shows a screen: what is remembered of it, then keys and buttons.
struct Screen {
    name: &'static str,
    prepare: fn(&mut Persisted),
    opening: &'static [Opening],
}

#[derive(Clone, Copy)]
enum Opening {
    Press(&'static str),
    Button(&'static str),
}
use Opening::{Button, Press};

const SCREENS: &[Screen] = &[
    screen("variations", |_| (), &[Press("v")]),
    screen("settings that vary", |_| (), &[Press("v"), Button("⏷")]),
    screen("presets", |_| (), &[Press("p")]),
    screen(
        "history",
        |_| (),
        &[Button("Invert colours"), Button("Scale bar"), Press("h")],
    ),
    screen("timeline", |state| state.timeline = true, &[]),
    screen(
        "ready-made films",
        |state| state.timeline = true,
        &[Button("Ready-made")],
    ),
    screen("film", film, &[]),
    screen("export of plants", plants, &[]),
    screen("picture", |state| state.photo.shown = true, &[]),
    screen("statistics", |state| state.statistics = true, &[]),
    screen("a tour", |_| (), &[Button("Help"), Button("A tour")]),
    screen(
        "differences",
        |_| (),
        &[
            Press("c"),
            Button("Invert colours"),
            Button("View"),
            Button("Compare"),
            Button("Show the differences"),
        ],
    ),
    screen(
        "what is compared",
        |_| (),
        &[
            Press("c"),
            Button("Invert colours"),
            Button("View"),
            Button("Compare"),
        ],
    ),
    screen("menu Edit", |_| (), &[Button("Edit")]),
    screen("menu View", |_| (), &[Button("View")]),
    screen("menu Help", |_| (), &[Button("Help")]),
];

/// What goes by the clock, by chance, by the clipboard, or by the ground, which the real window alone has:
/// other tests look at these.
const LEFT_OUT: &[&str] = &["Play", "Another seed R", "Paste scene Ctrl V", "flight"];

/// The dialog for films, and something to film.
fn film(state: &mut Persisted) {
    state.filming.shown = true;
    state.scene = Ready::Day.applied(&state.scene, None, 5.0);
}

/// The dialog for plants, and some plants.
fn plants(state: &mut Persisted) {
    (state.plant_export.shown, state.plant_export.format) = (true, "glb".to_owned());
    state.scene.plants.push(PlantLayer::default());
}

const fn screen(
    name: &'static str,
    prepare: fn(&mut Persisted),
    opening: &'static [Opening],
) -> Screen {
    Screen {
        name,
        prepare,
        opening,
    }
}

/// What is done.
#[derive(Clone, Debug)]
enum Act {
    Click(Pos2),
    Type(Pos2, String),
    /// A key by the name that xdotool has for it.
    Key(&'static str),
}

/// A control: its role and its label.
type Name = (String, String);

/// The window without a window, and what was done in it.
struct Twin {
    test: Test,
    done: Vec<Act>,
}

impl Twin {
    fn new(persisted: &Persisted, done: &[Act]) -> Self {
        let size = vec2(SIZE.0 as f32, SIZE.1 as f32);
        let mut twin = Self {
            test: desk(size, persisted.clone(), |_| ()),
            done: Vec::new(),
        };
        twin.test.run_steps(20);
        done.iter().for_each(|act| twin.act(act.clone()));
        twin
    }

    fn act(&mut self, act: Act) {
        let press = |test: &mut Test, key: Key| test.key_press_modifiers(Modifiers::NONE, key);
        match &act {
            Act::Click(at) => click(&mut self.test, *at),
            Act::Type(at, text) => {
                click(&mut self.test, *at);
                self.test.key_press_modifiers(Modifiers::COMMAND, Key::A);
                self.test.event(Event::Text(text.clone()));
                self.test.run_steps(1);
                press(&mut self.test, Key::Enter);
            }
            Act::Key(name) => {
                let key = Key::from_name(name).or_else(|| Key::from_name(&name.to_uppercase()));
                press(&mut self.test, key.unwrap());
            }
        }
        self.test.run_steps(10);
        self.done.push(act);
    }

    fn persisted(&self) -> &Persisted {
        &self.test.state().ui.persisted
    }

    /// Whether something was asked of files or of the system.
    fn asks(&self) -> bool {
        let state = self.test.state();
        let is_harmless = |command: &Command| matches!(command, Command::ReadPresets);
        !state.commands.iter().all(is_harmless) || state.ui.transient.dialogs.file.is_some()
    }

    /// The controls that can be used, and how the one of a name is used.
    fn controls(&self) -> Vec<(Name, Act)> {
        let window = egui::Rect::from_min_size(pos2(0.0, 0.0), vec2(SIZE.0 as f32, SIZE.1 as f32));
        let nodes = self.test.root().children_recursive();
        let found = nodes.filter_map(|node| {
            let raw = node.accesskit_node();
            if raw.is_disabled() || raw.bounding_box().is_none() {
                return None;
            }
            let (rect, at) = (node.rect(), node.rect().center());
            let act = match raw.role() {
                Role::Button | Role::CheckBox | Role::RadioButton | Role::ComboBox => {
                    Act::Click(at)
                }
                Role::Slider => Act::Click(pos2(rect.left() + rect.width() * 0.3, at.y)),
                Role::TextInput => Act::Type(at, "e".to_owned()),
                Role::SpinButton => {
                    let value = raw.numeric_value()?;
                    let most = raw.max_numeric_value().unwrap_or(f64::MAX);
                    let step = if value + 1.0 <= most { 1.0 } else { -1.0 };
                    Act::Type(at, (value + step).to_string())
                }
                _ => return None,
            };
            let name = (format!("{:?}", raw.role()), raw.label().unwrap_or_default());
            window.contains(at).then_some((name, act))
        });
        found.collect()
    }

    fn open(&mut self, opening: &[Opening]) {
        for opening in opening {
            match opening {
                Press(key) => self.act(Act::Key(key)),
                Button(words) => {
                    let nodes = self.test.root().children_recursive();
                    let mut named = nodes.filter(|node| {
                        let label = node.accesskit_node().label().unwrap_or_default();
                        let label = label.trim_end_matches('⏵').trim();
                        label == *words || (*words == "⏷" && label.ends_with(words))
                    });
                    let node = named.next().unwrap_or_else(|| panic!("no {words:?}"));
                    let at = node.rect().center();
                    drop(named);
                    self.act(Act::Click(at));
                }
            }
        }
    }
}

/// Uses each control that a screen brings, and not what asks something of files, which has tests of its
/// own.
fn use_all(screen: &Screen, persisted: &Persisted) -> Twin {
    let names = |twin: &Twin| twin.controls().into_iter().map(|(name, _)| name);
    // What is there without it: a menu belongs to what it lies over.
    let mut without = Twin::new(&of_scene(persisted.scene.clone()), &[]);
    if let Some((Button(_), opening)) = screen.opening.split_last() {
        without = Twin::new(persisted, &[]);
        without.open(opening);
    }
    let usual: BTreeSet<_> = names(&without).collect();
    let mut twin = Twin::new(persisted, &[]);
    twin.open(screen.opening);
    let mut all: Vec<_> = names(&twin).collect();
    all.retain(|name| !usual.contains(name));
    // What is searched for hides the others.
    all.sort_by_key(|(role, _)| role == "TextInput");
    // Each is drawn by another test.
    let more: BTreeSet<_> = presets().iter().skip(4).map(|preset| preset.name).collect();
    let (mut used, mut missed) = (BTreeSet::new(), Vec::new());
    for name in all {
        if LEFT_OUT.contains(&&*name.1) || more.contains(&*name.1) || used.contains(&name) {
            continue;
        }
        let find = |twin: &Twin| {
            twin.controls()
                .into_iter()
                .find(|(other, _)| *other == name)
        };
        if find(&twin).is_none() {
            (0..3).for_each(|_| twin.act(Act::Key("Escape")));
            twin.open(screen.opening);
        }
        let Some((_, act)) = find(&twin) else {
            missed.push(name);
            continue;
        };
        let before = twin.done.clone();
        twin.act(act);
        if twin.asks() {
            twin = Twin::new(persisted, &before);
        } else {
            used.insert(name);
        }
    }
    // One may be called otherwise by then, or be there for a while.
    assert!(missed.len() < 2, "{} misses {missed:?}", screen.name);
    assert!(!used.is_empty(), "{} has no controls", screen.name);
    twin
}

/// What is remembered, but for where the window is and which files it saw.
fn remembered(persisted: &Persisted) -> Table {
    let mut table = Table::try_from(persisted).unwrap();
    for key in [
        "position",
        "window",
        "maximized",
        "folder",
        "recent",
        "seeds",
        "document",
    ] {
        table.remove(key);
    }
    table
}

#[test]
fn every_control_acts_alike_in_the_real_window() {
    let (_server, display) = x_server();
    let mut scene = Scene::default();
    (scene.surface.iterations, scene.teximage.iterations) = (4, 4);
    scene.view.render_type = RenderType::Landscape;
    for screen in SCREENS {
        let mut persisted = of_scene(scene.clone());
        persisted.has_dragged = true;
        (screen.prepare)(&mut persisted);
        let twin = use_all(screen, &persisted);
        let home = tempfile::tempdir().unwrap();
        let config = home.path().join("config");
        settings::save(&config, &persisted).unwrap();
        let window = Window::open(&display, home.path(), None);
        window.xdotool(&["windowfocus", "--sync", &window.id]);
        for act in &twin.done {
            match act {
                Act::Click(at) => window.click(*at),
                Act::Type(at, text) => {
                    window.click(*at);
                    window.xdotool(&["key", "ctrl+a", "type", "--", text]);
                    window.xdotool(&["key", "Return"]);
                }
                Act::Key(key) => drop(window.xdotool(&["key", key])),
            }
            sleep(ANIMATION);
        }
        // Settings are written when they have settled.
        let (started, wanted) = (Instant::now(), remembered(twin.persisted()));
        let mut found = remembered(&settings::load(&config).0);
        while found != wanted && started.elapsed() < PATIENCE {
            sleep(Duration::from_millis(100));
            found = remembered(&settings::load(&config).0);
        }
        let [found, wanted] = [found, wanted].map(|table| toml::to_string(&table).unwrap());
        let lines: BTreeSet<_> = wanted.lines().collect();
        let other: Vec<_> = found.lines().filter(|line| !lines.contains(line)).collect();
        let (name, done) = (screen.name, &twin.done);
        assert!(
            found == wanted,
            "{name} after {done:?}: {other:?} in\n{wanted}"
        );
        let path = window.save_picture();
        check_render(&path, image::image_dimensions(&path).unwrap());
        window.quit();
    }
}
