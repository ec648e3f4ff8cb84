//! Every row of every table of settings in the real window, under X servers of their own: each
//! control of the panel is used with mouse and keyboard, the picture at rest is saved, and it is
//! compared with a render of the scene that it holds. Controls are found by their roles, and what
//! they have changed by the tables, so a new row is found by itself.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Mutex;

use egui::accesskit::{NodeId, Role};
use egui::{Pos2, Rect, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use image::RgbImage;

use crate::rows::{Row, TEXTS, differences, rows};
use crate::screen::{Window, x_server_of};
use landform::app::state::{PanelView, Persisted, UiState};
use landform::app::{settings, theme, ui};
use landform::generate::Generator;
use landform::import::{self, Group};
use landform::job::Job;
use landform::modify::{Modifier, ModifierKind};
use landform::param::Tab;
use landform::pipeline::Pipeline;
use landform::render::HeadlessRenderer;
use landform::scene::{RenderType, Scene};

mod scenes;
use scenes::{scenes, with_image};

/// So high that nothing in the panel needs scrolling, and at half size quick to draw.
const SIZE: (u32, u32) = (150, 1400);
const SCALE: f32 = 0.25;
/// Windows at a time.
const SIDE_BY_SIDE: usize = 3;
/// Parts of tabs that are folded at first.
const FOLDED: &[&str] = &["More options", "How the image is read", "Mask"];

/// The same interface laid out without a window, where controls are found.
struct Layout(Harness<'static, UiState>);

/// A control of the panel.
struct Control {
    label: String,
    /// What can be done to it; all but the last may be refused.
    tries: Vec<Act>,
}

/// What is done to a control.
#[derive(Clone, Debug)]
enum Act {
    Click(Pos2),
    Type(Pos2, String),
    Choose(Pos2, Pos2),
    /// Click after click.
    Through(Vec<Pos2>),
}

impl Layout {
    fn new(scene: &Scene) -> Self {
        let mut themed = false;
        let frame = move |ctx: &egui::Context, state: &mut UiState| {
            if !std::mem::replace(&mut themed, true) {
                theme::apply(ctx);
            }
            ui(ctx, state);
        };
        let mut harness = Harness::builder()
            .with_pixels_per_point(SCALE)
            .with_size(vec2(SIZE.0 as f32, SIZE.1 as f32) / SCALE)
            .with_step_dt(1.0 / 60.0)
            .build_state(frame, UiState::new(crate::desk::of_scene(scene.clone())));
        harness.run_steps(5);
        Self(harness)
    }

    /// Shows every setting of a tab: a window draws one tab several times as fast as the list of all.
    fn show(&mut self, tab: Tab) {
        self.0.state_mut().persisted.panel_view = PanelView {
            tab,
            ..every_setting_in_tabs()
        };
        self.0.run_steps(5);
    }

    /// Unfolds what is folded, and remembers it in the settings of a window.
    fn unfold(&mut self, home: &Path) {
        for (tab, words) in Tab::ALL
            .iter()
            .flat_map(|tab| FOLDED.iter().map(move |w| (tab, w)))
        {
            self.show(*tab);
            let count = self.0.query_all_by_label(words).count();
            for index in 0..count {
                let header = self.0.get_all_by_label(words).nth(index).unwrap();
                header.click_accesskit();
                self.0.run_steps(40);
            }
        }
        let persisted = Persisted {
            panel_view: every_setting_in_tabs(),
            folds: self.0.state().persisted.folds.clone(),
            ..Persisted::default()
        };
        settings::save(&home.join("config"), &persisted).unwrap();
    }

    /// The panel's part of the window, in pixels.
    fn panel(&self) -> Rect {
        let scene = self.0.state().derived.scene_rect;
        Rect::from_x_y_ranges(scene.right() * SCALE..=SIZE.0 as f32, 0.0..=SIZE.1 as f32)
    }

    /// The controls of the panel that can be used.
    fn controls(&mut self) -> Vec<Control> {
        let panel = self.panel();
        let (mut controls, mut choices) = (Vec::new(), Vec::new());
        for node in self.0.root().children_recursive() {
            let node_ = node.accesskit_node();
            if node_.is_disabled() || node_.bounding_box().is_none() {
                continue;
            }
            let at = node.rect().center();
            if !panel.contains(at) {
                assert!(at.y < panel.bottom(), "{at:?} needs scrolling");
                continue;
            }
            let label = node_.label().unwrap_or_default();
            // It is no setting, but says which are shown.
            if label == "Find" {
                continue;
            }
            let tries = match node_.role() {
                Role::CheckBox => vec![Act::Click(at)],
                Role::SpinButton => {
                    let bound = |bound: Option<f64>, other| bound.unwrap_or(other);
                    let value = node_.numeric_value().unwrap();
                    let least = bound(node_.min_numeric_value(), -1e3);
                    let most = bound(node_.max_numeric_value(), 1e3);
                    let texts = others(value, least, most);
                    texts.map(|text| Act::Type(at, text)).to_vec()
                }
                Role::TextInput => {
                    let texts = TEXTS.iter().map(|text| (*text).to_owned());
                    texts.map(|text| Act::Type(at, text)).collect()
                }
                Role::ComboBox => {
                    choices.push((label, node_.id()));
                    continue;
                }
                _ => continue,
            };
            controls.push(Control { label, tries });
        }
        for (label, id) in choices {
            let tries = self.choices(id);
            controls.push(Control { label, tries });
        }
        controls
    }

    /// Where to click, one after the other, for the last of these words through the menus of the
    /// others.
    fn way(&mut self, words: &[&str]) -> Vec<Pos2> {
        let ids = |layout: &Self| -> BTreeSet<_> {
            let nodes = layout.0.root().children_recursive();
            nodes.map(|node| node.accesskit_node().id().0).collect()
        };
        let (mut way, mut before) = (Vec::new(), BTreeSet::new());
        for (index, words_) in words.iter().enumerate() {
            let buttons = self.0.get_all_by_role(Role::Button);
            let mut named = buttons.filter(|node| {
                let raw = node.accesskit_node();
                let label = raw.label().unwrap_or_default();
                let new = !before.contains(&raw.id().0);
                new && label.trim_end_matches('⏵').trim() == *words_
            });
            let button = named.next();
            let button = button.unwrap_or_else(|| panic!("no {words_:?} in {words:?}"));
            way.push(button.rect().center());
            if index + 1 < words.len() {
                button.click_accesskit();
                drop(named);
                before = ids(self);
                self.0.run_steps(10);
            }
        }
        for _ in words {
            self.0.key_press(egui::Key::Escape);
            self.0.run_steps(10);
        }
        way
    }

    /// Every choice of a drop-down.
    fn choices(&mut self, id: NodeId) -> Vec<Act> {
        let buttons = |layout: &Self| -> Vec<_> {
            let buttons = layout.0.root().children_recursive();
            let buttons = buttons.filter(|node| node.accesskit_node().role() == Role::Button);
            buttons
                .map(|node| (node.accesskit_node().id(), node.rect().center()))
                .collect()
        };
        let click = |layout: &mut Self| {
            let mut nodes = layout.0.root().children_recursive();
            let combo = nodes.find(|node| node.accesskit_node().id() == id).unwrap();
            let at = combo.rect().center();
            combo.click_accesskit();
            drop(nodes);
            layout.0.run_steps(20);
            at
        };
        let before = buttons(self);
        let combo = click(self);
        let mut choices = buttons(self);
        choices.retain(|(id, _)| before.iter().all(|(old, _)| old != id));
        click(self);
        let act = |(_, at)| Act::Choose(combo, at);
        choices.into_iter().map(act).collect()
    }
}

/// View of the panel in a new window.
fn every_setting_in_tabs() -> PanelView {
    PanelView {
        one_list: false,
        ..PanelView::EVERYTHING
    }
}

/// Other numbers of a range: a fine step, for the lesser of two must stay that, and a whole one,
/// as many users type them; and one that comes to the next place of a lattice.
fn others(value: f64, least: f64, most: f64) -> [String; 3] {
    let eighth = (most - least) / 8.0;
    let fine = eighth.min(0.125);
    // Of a large number a step that 32 bits hold: a smaller one is none.
    let large = (value.abs() * 0.01).floor();
    [fine, 1.0, eighth].map(|step| {
        let step = step.max(large);
        let other = match value + step <= most {
            true => value + step,
            false => value - step,
        };
        format!("{other:.3}").replace('.', ",")
    })
}

/// A real window and what its pictures are compared with.
struct Stage {
    window: Window,
    pipeline: Pipeline,
    studio: HeadlessRenderer,
    /// Scenes of which a render was found to be that picture.
    checked: Vec<(Scene, RgbImage)>,
}

impl Stage {
    fn open(display: &str, home: &Path, scene: &Scene) -> Self {
        let file = home.join("scene.toml");
        std::fs::write(&file, scene.to_toml()).unwrap();
        let window = Window::open_sized(display, home, Some(&file), SIZE, |command| {
            command.env("WINIT_X11_SCALE_FACTOR", SCALE.to_string())
        });
        window.xdotool(&["windowfocus", "--sync", &window.id]);
        Self {
            window,
            pipeline: Pipeline::default(),
            studio: HeadlessRenderer::new().unwrap(),
            checked: Vec::new(),
        }
    }

    /// The scene that the window shows at rest; its picture is checked.
    fn look(&mut self, what: &str) -> Scene {
        let path = self.window.save_picture();
        let scene = import::open(&path).unwrap();
        let picture = image::open(&path).unwrap().into_rgb8();
        std::fs::remove_file(path).unwrap();
        let shown = (scene.clone(), picture);
        if !self.checked.contains(&shown) {
            self.check(&shown, what);
            self.checked.push(shown);
        }
        scene
    }

    /// Renders the scene, which has to be that picture.
    fn check(&mut self, (scene, picture): &(Scene, RgbImage), what: &str) {
        let inputs = import::inputs(scene).unwrap();
        let landscape = self.pipeline.run(scene, &inputs, &Job::new());
        let rendered = self
            .studio
            .picture(&landscape.unwrap(), picture.dimensions());
        let rendered = rendered.unwrap().as_slice().concat();
        if *picture.as_raw() != rendered {
            let kept = Path::new(env!("CARGO_TARGET_TMPDIR"));
            picture.save(kept.join("window.png")).unwrap();
            let (width, height) = picture.dimensions();
            let rendered = RgbImage::from_raw(width, height, rendered).unwrap();
            rendered.save(kept.join("rendered.png")).unwrap();
            panic!(
                "after {what} the window is not what a render of its scene is, see {}:\n{}",
                kept.display(),
                scene.to_toml()
            );
        }
    }

    fn act(&self, act: &Act) {
        let window = &self.window;
        let words = |at: &Pos2| [at.x, at.y].map(|place| place.round().to_string());
        let click = |at: &Pos2| {
            let [x, y] = words(at);
            window.xdotool(&["mousemove", "--window", &window.id, &x, &y, "click", "1"]);
        };
        match act {
            Act::Click(at) => click(at),
            Act::Type(at, text) => {
                click(at);
                window.xdotool(&["key", "ctrl+a", "type", "--", text]);
                window.xdotool(&["key", "Return"]);
            }
            Act::Choose(combo, choice) => {
                click(combo);
                click(choice);
            }
            Act::Through(way) => {
                way.iter().for_each(click);
            }
        }
    }
}

/// The scene without what moves by itself.
fn still(scene: &Scene) -> Scene {
    Scene {
        camera: Default::default(),
        ..scene.clone()
    }
}

type Names = BTreeSet<String>;

/// Whether that row has been used: a layer's map has the rows of the ground's, and the second masks of
/// all steps are drawn alike.
fn is_used(name: &str, used: &Names) -> bool {
    let own = name.strip_prefix("layers.");
    let second = name.find(".mask.second.").map(|start| &name[start..]);
    used.contains(name)
        || own.is_some_and(|own| used.contains(own))
        || second.is_some_and(|second| used.iter().any(|other| other.ends_with(second)))
}

/// Uses the controls that the panel has for `scene`, but those of rows that have all been used,
/// and notes the rows that changed.
fn use_all(display: &str, home: &Path, scene: &Scene, used: &Mutex<Names>) {
    let scene = &with_image(scene, home);
    let mut layout = Layout::new(scene);
    layout.unfold(home);
    let mut stage = Stage::open(display, home, scene);
    let rows = rows(scene);
    let before = stage.look("the start");
    // What was undone last, the rows that it had changed, and its scene: the next picture shows whether
    // they are as before.
    let mut undone: Option<(String, Names, Scene)> = None;
    let named =
        |label: &str| -> Vec<&Row> { rows.iter().filter(|row| row.label == label).collect() };
    let known = |label: &str| {
        let (named, used) = (named(label), used.lock().unwrap());
        !named.is_empty() && named.iter().all(|row| is_used(&row.name(), &used))
    };
    let mut shown = every_setting_in_tabs().tab;
    let mut controls = Vec::new();
    for tab in Tab::ALL {
        layout.show(*tab);
        controls.extend(layout.controls().into_iter().map(|control| (*tab, control)));
    }
    for (index, (tab, Control { label, tries })) in controls.iter().enumerate() {
        if known(label) {
            continue;
        }
        if *tab != shown {
            let words = format!("Tab {}", tab.name());
            let place = layout.0.get_by_label(&words).rect().center();
            stage.act(&Act::Click(place));
            shown = *tab;
        }
        let named = named(label);
        let what = format!(
            "{tries:?} in {} {}",
            scene.surface.generator, scene.view.render_type
        );
        let mut after = before.clone();
        for act in tries {
            stage.act(act);
            after = stage.look(&what);
            let changed = differences(&before, &after);
            if let Some((last, paths, gone)) = undone.take() {
                let own = |path: &String| named.iter().any(|row| row.path() == *path);
                let left = changed.iter().map(Row::path).filter(|path| !own(path));
                // What has another value by now follows from this control.
                let moved: Names = differences(&gone, &after).iter().map(Row::path).collect();
                let is_left = |path: &String| paths.contains(path) && !moved.contains(path);
                let left: Vec<_> = left.filter(is_left).collect();
                assert!(left.is_empty(), "undo of {last} left {left:?}");
            }
            let names = changed.iter().map(Row::name);
            used.lock().unwrap().extend(names);
            if still(&after) != still(&before) {
                break;
            }
        }
        if still(&after) == still(&before) {
            // It may have asked for land that cannot be made, such as that of an image read wrongly: then pictures
            // are those of the land before, and so they would stay.
            tries.iter().for_each(|_| stage.window.key("ctrl+z"));
            continue;
        }
        stage.window.key("ctrl+z");
        if index % 5 == 0 {
            stage.window.key("ctrl+shift+z");
            let redone = stage.look(&format!("redo of {what}"));
            assert_eq!(still(&redone), still(&after), "redo of {what}");
            stage.window.key("ctrl+z");
        }
        let changed = differences(&still(&before), &still(&after));
        let paths = changed.iter().map(Row::path).collect();
        undone = Some((what, paths, after));
    }
    let end = stage.look("all of it is undone");
    assert_eq!(still(&end), still(&before), "all of it is undone");
    stage.window.quit();
}

/// Uses the controls of all scenes, some windows at a time.
fn use_scenes(scenes: Vec<Scene>, used: &Mutex<Names>) {
    let queue = Mutex::new(scenes);
    std::thread::scope(|scope| {
        for _ in 0..SIDE_BY_SIDE {
            scope.spawn(|| {
                let (_server, display) = x_server_of(SIZE);
                loop {
                    let Some(scene) = queue.lock().unwrap().pop() else {
                        return;
                    };
                    let home = tempfile::tempdir().unwrap();
                    use_all(&display, home.path(), &scene, used);
                }
            });
        }
    });
}

/// The row that acts only where there is a watershed; what is said of that moves other rows.
const OF_WATERSHEDS: &str = "analysis.watershed_snap";

/// The rows that scenes have.
fn all_rows(scenes: &[Scene]) -> Names {
    scenes
        .iter()
        .flat_map(rows)
        // Chosen when a step is added.
        .filter(|row| !row.place.starts_with("modifiers") || !row.path().ends_with(".kind"))
        .map(|row| row.name())
        .collect()
}

#[test]
fn every_window_setting_is_in_its_picture() {
    let mut wanted = all_rows(&scenes());
    wanted.remove(OF_WATERSHEDS);
    let used = Mutex::new(Names::new());
    use_scenes(scenes(), &used);
    let used = used.into_inner().unwrap();
    let unused: Vec<_> = wanted.iter().filter(|name| !is_used(name, &used)).collect();
    assert!(unused.is_empty(), "no control has changed {unused:?}");
}

#[test]
fn watershed_settings_are_in_the_picture() {
    let mut scene = Scene::default();
    scene.surface.iterations = 5;
    scene.view.render_type = RenderType::Map;
    scene.analysis.watershed = Some([0.1, 0.1]);
    let mut others = all_rows(std::slice::from_ref(&scene));
    assert!(others.remove(OF_WATERSHEDS));
    let used = Mutex::new(others);
    use_scenes(vec![scene], &used);
    assert!(used.into_inner().unwrap().contains(OF_WATERSHEDS));
}

/// Goes `ways` through menus, each to a scene of which `holds` is true, and back by undo.
fn choose_all(scene: &Scene, ways: &[Vec<&str>], holds: impl Fn(usize, &Scene) -> bool) {
    let (_server, display) = x_server_of(SIZE);
    let home = tempfile::tempdir().unwrap();
    let mut stage = Stage::open(&display, home.path(), scene);
    let mut layout = Layout::new(scene);
    let before = stage.look("the start");
    for (index, way) in ways.iter().enumerate() {
        let what = way.join(", ");
        stage.act(&Act::Through(layout.way(way)));
        let after = stage.look(&what);
        assert!(holds(index, &after), "{what} makes\n{}", after.to_toml());
        stage.window.key("ctrl+z");
        let undone = stage.look(&format!("undo of {what}"));
        assert_eq!(still(&undone), still(&before), "undo of {what}");
    }
    stage.window.quit();
}

/// A scene that is quick to make.
fn small() -> Scene {
    let mut scene = Scene::default();
    scene.surface.iterations = 4;
    scene
}

#[test]
fn every_menu_preset_is_drawn_as_its_scene() {
    let presets = import::presets();
    let way = |preset: &import::Preset| {
        let group = match preset.group {
            Group::Landscapes => "Landscapes",
            Group::Generators => "Generators",
            Group::Modifiers => "Modifiers",
        };
        vec!["File", "Presets", group, preset.name]
    };
    let ways: Vec<_> = presets.iter().map(way).collect();
    choose_all(&small(), &ways, |index, scene| {
        still(scene) == still(&presets[index].scene())
    });
}

#[test]
fn added_layers_and_modifiers_are_in_the_picture() {
    // A layer that is a ridge line would be no landscape.
    let layers = Generator::ALL
        .iter()
        .filter(|g| **g != Generator::Midpoint1d);
    let layers: Vec<_> = layers.copied().collect();
    let way = |generator: &Generator| vec!["Add a layer…", generator.name()];
    let mut ways: Vec<_> = layers.iter().map(way).collect();
    let kinds = ModifierKind::ALL;
    ways.extend(
        kinds
            .iter()
            .map(|kind| vec!["Add a modifier…", kind.name()]),
    );
    choose_all(&small(), &ways, |index, scene| match layers.get(index) {
        Some(generator) => {
            scene.layers.len() == 1
                && scene.layers[0].surface.generator == *generator
                && scene.modifiers.is_empty()
        }
        None => {
            let kind = kinds[index - layers.len()];
            scene.layers.is_empty() && scene.modifiers == [Modifier::new(kind)]
        }
    });
}
