//! Documents without a window: what is saved where, what is asked, what counts as changed, and
//! what survives.

use std::fs;
use std::path::{Path, PathBuf};

use egui::accesskit::Role;
use egui::{Event, Key, LayerId, Modifiers, Order, Pos2, Rect, Vec2, vec2};
use egui_kittest::kittest::Queryable;

use landform::app::commands::{Action, Answer, Command, Purpose};
use landform::app::dialogs::analysis;
use landform::app::settings::Store;
use landform::app::state::document::Document;
use landform::app::state::{PanelView, Persisted};
use landform::app::window::display::{Screen, placement};
use landform::fractal::Edges;
use landform::generate::{Generator, Surface};
use landform::import::{self, Preset};
use landform::layer::Layer;
use landform::scene::{Camera, RenderType, Scene};

use crate::desk::{Test, of_scene, scene};

mod clipboard;
mod escape;
mod marks;
mod opening;
mod saving;
mod windows;

/// High enough that every section fits without scrolling.
const TALL: Vec2 = vec2(1280.0, 4900.0);
const USUAL: Vec2 = vec2(1280.0, 720.0);
const MARK: &str = "•";

fn desk_of(size: Vec2, persisted: Persisted) -> Test {
    crate::desk::desk(size, persisted, |_| ())
}

/// A document in that file, with changes that are not saved if `modified`.
fn document(file: Option<&str>, modified: bool) -> Persisted {
    let baseline = Preset::named("crags").unwrap().scene();
    let mut scene = baseline.clone();
    if modified {
        scene.surface.seed += 1;
    }
    Persisted {
        document: Document {
            file: file.map(PathBuf::from),
            baseline,
            held: None,
        },
        scene,
        panel_view: PanelView::EVERYTHING,
        ..Persisted::default()
    }
}

fn key(test: &mut Test, modifiers: Modifiers, key: Key) {
    test.key_press_modifiers(modifiers, key);
    test.run_steps(4);
}

fn click(test: &mut Test, label: &str) {
    test.get_by_role_and_label(Role::Button, label).click();
    test.run_steps(6);
}

/// What lies above the panels, and where: windows, menus, questions.
fn above(test: &Test) -> Vec<(LayerId, Rect)> {
    let shown = |layer: &LayerId| matches!(layer.order, Order::Middle | Order::Foreground);
    test.ctx.memory(|memory| {
        let visible = memory.areas().visible_layer_ids();
        let layers = visible.into_iter().filter(shown);
        let placed = layers.filter_map(|layer| Some((layer, memory.area_rect(layer.id)?)));
        placed.collect()
    })
}
