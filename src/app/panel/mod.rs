//! Side panel "View Options", as a function from state to edits. Panels change the scene or request
//! an action; they never generate landscapes, access files or draw the scene.
//!
//! Controls are built from the parameter tables, so a new parameter needs no code here.

mod analysis;
mod camera;
mod finder;
mod generator;
mod landscape;
mod list;
pub mod param_ui;
mod plants;
mod row;
mod steps;

use egui::collapsing_header::CollapsingState;
use egui::scroll_area::ScrollSource;
use egui::{Align, Button, CollapsingHeader, Layout, RichText, ScrollArea, Ui};
use finder::Finder;

use crate::app::commands::Action;
use crate::app::controls::{PanelFocus, button_if};
use crate::app::state::times::StepTimes;
use crate::app::state::tool::Tool;
use crate::app::state::tour::Tour;
use crate::app::state::{Filter, Folds, MaskOverlay, SeedHistory, Shown};
use crate::files::import;
use crate::pipeline::ShownWatershed;
use crate::scene::Scene;
use crate::scene::relevance::Inactive;
use crate::util::language::{mark, tr};
use crate::util::param::Tables;

/// Table sections that are folded by default.
const FOLDED: &[&str] = &["Analysis", "Fog", "Film"];

/// Read-only state shown by the panel, other than the scene.
#[derive(Clone, Copy)]
pub struct Facts<'a> {
    /// Scene of the preset or file; settings that differ from it are marked as changed.
    pub baseline: &'a Scene,
    /// History of seeds.
    pub seeds: &'a SeedHistory,
    /// Computation time of each step.
    pub times: &'a StepTimes,
    /// Watershed on screen.
    pub watershed: Option<&'a ShownWatershed>,
    /// Map on screen.
    pub shown: Option<&'a Shown>,
    /// Active mouse tool.
    pub tool: &'a Tool,
    /// True if the profile of the cross-section is shown.
    pub shows_profile: bool,
    /// True while the generator's passes are played in sequence.
    pub playing: bool,
    /// True while the camera follows its path.
    pub travelling: bool,
}

/// Mutable state of the panel itself.
pub struct Kept<'a> {
    /// Folded sections.
    pub folds: &'a mut Folds,
    /// Keyboard navigation.
    pub focus: &'a mut PanelFocus,
    /// Display of mask overlays.
    pub sight: &'a mut MaskOverlay,
    /// Filter of the settings shown.
    pub filter: &'a mut Filter,
    /// Tour, if it is running.
    pub tour: Option<&'a mut Tour>,
}

/// Draw the panel and edit `scene`; edits other than a new value are pushed to `actions`.
pub fn view_options_ui(
    ui: &mut Ui,
    scene: &mut Scene,
    kept: Kept<'_>,
    facts: &Facts<'_>,
    actions: &mut Vec<Action>,
) {
    let (folds, sight, filter) = (kept.folds, kept.sight, kept.filter);
    title_ui(ui, scene, actions);
    finder::search_ui(ui, filter);
    // Scrolling by dragging is off: a drag that misses a slider must not move the panel.
    let mut scroll = ScrollArea::vertical()
        .auto_shrink(false)
        .scroll_source(ScrollSource::SCROLL_BAR | ScrollSource::MOUSE_WHEEL);
    let is_used = ui.input(|input| input.pointer.any_down()) || ui.ctx().wants_keyboard_input();
    let finder = Finder::new(filter, is_used);
    if finder.is_some() {
        // The scroll position of the full list is kept during a search.
        scroll = scroll.id_salt("found");
    }
    scroll.show(ui, |ui| {
        // The scroll bar must not cover values.
        ui.set_max_width(ui.available_width() - 8.0);
        kept.focus.enter(ui);
        let sections = |ui: &mut Ui| {
            row::tour_scope(ui, kept.tour, |ui| {
                sections_ui(ui, scene, folds, sight, facts, actions);
            });
        };
        match finder {
            None => sections(ui),
            Some(finder) => {
                filter.shown = finder.scope(ui, sections);
                if filter.shown.is_empty() {
                    finder::nothing_ui(ui, filter);
                }
            }
        }
        ui.add_space(8.0);
        kept.focus.follow(ui);
    });
}

fn sections_ui(
    ui: &mut Ui,
    scene: &mut Scene,
    folds: &mut Folds,
    sight: &mut MaskOverlay,
    facts: &Facts<'_>,
    actions: &mut Vec<Action>,
) {
    let was = facts.baseline;
    let inactive = &Inactive::of(scene);
    section(ui, folds, mark("Landscape"), true, |ui, _| {
        landscape::landscape_ui(ui, scene, inactive, facts, actions)
    });
    section(ui, folds, mark("Textures"), true, |ui, _| {
        landscape::textures_ui(ui, scene, was, inactive);
    });
    section(ui, folds, mark("Drawing"), true, |ui, _| {
        landscape::drawing_ui(ui, scene, was, inactive);
    });
    let title = tr!("Generator: {}", tr(scene.surface.generator.name()));
    fold_ui(ui, folds, "generator", strong(&title), true, |ui, folds| {
        generator::generator_ui(ui, scene, folds, inactive, facts, actions);
        end_ui(ui);
    });
    section(ui, folds, mark("Layers"), true, |ui, folds| {
        steps::layers_ui(ui, scene, folds, sight, inactive, facts, actions);
    });
    section(ui, folds, mark("Modifiers"), true, |ui, folds| {
        steps::modifiers_ui(ui, scene, folds, sight, inactive, facts, actions);
    });
    for (key, title) in Scene::SECTIONS {
        let is_open = !FOLDED.contains(title);
        section(ui, folds, title, is_open, |ui, _| match *key {
            "analysis" => analysis::analysis_ui(ui, scene, inactive, facts, actions),
            key => param_ui::listed_ui(ui, scene, was, "", key, inactive),
        });
        if *key == "snow" {
            section(ui, folds, mark("Plants"), true, |ui, folds| {
                plants::plants_ui(ui, scene, folds, sight, inactive, facts);
            });
        }
    }
    section(ui, folds, mark("Camera"), false, |ui, _| {
        camera::camera_ui(ui, &mut scene.camera, &was.camera, inactive, actions);
        camera::journey_ui(ui, scene, facts, actions);
    });
}

/// Draw the button that opens the chapter about a generator or a modifier; not in a search.
fn read_ui(ui: &mut Ui, subject: &'static str, actions: &mut Vec<Action>) {
    if !finder::shows_all(ui) {
        return;
    }
    let words = RichText::new(tr("How it works")).small();
    let button = ui.add(Button::new(words).small());
    let help = tr("Opens the chapter of the book: the idea, the formula and the settings.");
    if button.on_hover_text(help).clicked() {
        actions.push(Action::Read(subject));
    }
}

fn title_ui(ui: &mut Ui, scene: &Scene, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.heading(tr("View Options"));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let differs = *scene != *import::start();
            let help = tr(
                "Back to the landscape that the program starts with. Undo brings this one back.",
            );
            let why = tr("This is the landscape that the program starts with.");
            if button_if(ui, differs, tr("Reset all"), help, why) {
                actions.push(Action::New);
            }
        });
    });
    ui.separator();
}

fn section(
    ui: &mut Ui,
    folds: &mut Folds,
    title: &'static str,
    open: bool,
    add: impl FnOnce(&mut Ui, &mut Folds),
) {
    fold_ui(ui, folds, title, strong(tr(title)), open, |ui, folds| {
        add(ui, folds);
        end_ui(ui);
    });
}

/// Draw the gap at the end of a section.
fn end_ui(ui: &mut Ui) {
    if finder::shows_all(ui) {
        ui.add_space(5.0);
    }
}

fn strong(title: &str) -> RichText {
    RichText::new(title).strong()
}

/// Collapsible section. It stays folded across title changes and program starts by its `id`.
/// Returns the result of `add` if it is open. During a search every section counts as open, and its
/// stored state does not change.
fn fold_ui<R>(
    ui: &mut Ui,
    folds: &mut Folds,
    id: &str,
    title: RichText,
    open: bool,
    add: impl FnOnce(&mut Ui, &mut Folds) -> R,
) -> Option<R> {
    if let Some(finder) = Finder::of(ui) {
        return Some(finder.section(title.text(), || add(ui, folds)));
    }
    let shown = CollapsingHeader::new(title)
        .id_salt(id)
        .default_open(folds.is_open(id, open))
        .open(row::tour_unfolds(ui, id).then_some(true))
        .show_unindented(ui, |ui| add(ui, folds));
    let state = CollapsingState::load(ui.ctx(), shown.header_response.id);
    if let Some(state) = state {
        folds.note(id, open, state.is_open());
    }
    shown.body_returned
}
