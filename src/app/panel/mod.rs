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
mod simple;
mod steps;

use egui::collapsing_header::CollapsingState;
use egui::scroll_area::ScrollSource;
use egui::{Button, CollapsingHeader, RichText, ScrollArea, Ui, WidgetInfo, WidgetType};
use finder::Finder;

use crate::app::commands::Action;
use crate::app::controls::{PanelFocus, button_if, sides};
use crate::app::state::times::StepTimes;
use crate::app::state::tool::Tool;
use crate::app::state::tour::Tour;
use crate::app::state::{Filter, Folds, MaskOverlay, PanelView, SeedHistory, Shown};
use crate::files::import;
use crate::pipeline::ShownWatershed;
use crate::scene::Scene;
use crate::scene::palette::Palette;
use crate::scene::relevance::Inactive;
use crate::util::language::{mark, tr};
use crate::util::param::{Tab, Tables};

/// Sections that are folded by default in the list of all tabs.
const FOLDED: &[&str] = &["Analysis", "Fog", "Film", "Camera"];

/// Sections that are not a table of the scene, with their tabs.
const OTHER_SECTIONS: &[(&str, Tab)] = &[
    ("Landscape", Tab::Land),
    ("Textures", Tab::Land),
    ("Drawing", Tab::Land),
    ("generator", Tab::Shape),
    ("Layers", Tab::Shape),
    ("Modifiers", Tab::Shape),
    ("Plants", Tab::Plants),
    ("Camera", Tab::View),
];

/// Number of tabs in a line.
const TABS_IN_LINE: usize = 4;

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
    /// The user's own palettes.
    pub palettes: &'a [Palette],
    /// True if the profile of the cross-section is shown.
    pub shows_profile: bool,
    /// True while the generator's passes are played in sequence.
    pub playing: bool,
    /// True while the camera follows its path.
    pub travelling: bool,
}

/// Mutable state of the panel itself.
pub struct Kept<'a> {
    /// Tab and mode.
    pub view: &'a mut PanelView,
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
    let (view, folds, sight, filter) = (kept.view, kept.folds, kept.sight, kept.filter);
    if let Some(place) = kept
        .tour
        .as_ref()
        .filter(|tour| tour.leads)
        .and_then(|t| t.place())
    {
        view.tab = tab_of(place.section);
    }
    title_ui(ui, scene, view, actions);
    finder::search_ui(ui, filter);
    tabs_ui(ui, view, filter);
    // Scrolling by dragging is off: a drag that misses a slider must not move the panel.
    let mut scroll = ScrollArea::vertical()
        .auto_shrink(false)
        .scroll_source(ScrollSource::SCROLL_BAR | ScrollSource::MOUSE_WHEEL)
        .id_salt(view.shown().map(Tab::name));
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
        let tab = view.shown().filter(|_| finder.is_none());
        let is_simple = !view.all;
        let mut count = simple::Count::default();
        let sections = |ui: &mut Ui| {
            count = simple::scope(ui, is_simple, is_used, |ui| {
                row::tour_scope(ui, kept.tour, |ui| {
                    sections_ui(ui, tab, scene, folds, sight, facts, actions);
                });
            });
        };
        match finder {
            None => sections(ui),
            Some(finder) => {
                filter.shown = finder.scope(ui, sections);
                if filter.shown.is_empty() && finder::nothing_ui(ui, filter) {
                    actions.push(Action::ToggleCommandPalette);
                }
            }
        }
        view.all |= simple::left_out_ui(ui, count);
        ui.add_space(8.0);
        kept.focus.follow(ui);
    });
}

/// Tab of a section, given its name in [`Folds`].
fn tab_of(section: &str) -> Tab {
    let others = OTHER_SECTIONS.iter().copied();
    let tables = Scene::SECTIONS.iter().map(|(_, title, tab)| (*title, *tab));
    let mut all = others.chain(tables);
    let found = all.find(|(name, _)| *name == section);
    found.map_or(Tab::Land, |(_, tab)| tab)
}

/// Draw the sections of a tab, or of all.
fn sections_ui(
    ui: &mut Ui,
    tab: Option<Tab>,
    scene: &mut Scene,
    folds: &mut Folds,
    sight: &mut MaskOverlay,
    facts: &Facts<'_>,
    actions: &mut Vec<Action>,
) {
    let was = facts.baseline;
    let inactive = &Inactive::of(scene);
    section(ui, folds, tab, mark("Landscape"), |ui, _| {
        landscape::landscape_ui(ui, scene, inactive, facts, actions)
    });
    section(ui, folds, tab, mark("Textures"), |ui, _| {
        landscape::textures_ui(ui, scene, inactive, facts, actions);
    });
    section(ui, folds, tab, mark("Drawing"), |ui, _| {
        landscape::drawing_ui(ui, scene, was, inactive);
    });
    if tab.is_none_or(|tab| tab == tab_of("generator")) {
        let title = tr!("Generator: {}", tr(scene.surface.generator.name()));
        fold_ui(ui, folds, "generator", strong(&title), true, |ui, folds| {
            generator::generator_ui(ui, scene, folds, inactive, facts, actions);
            end_ui(ui);
        });
    }
    section(ui, folds, tab, mark("Layers"), |ui, folds| {
        steps::layers_ui(ui, scene, folds, sight, inactive, facts, actions);
    });
    section(ui, folds, tab, mark("Modifiers"), |ui, folds| {
        steps::modifiers_ui(ui, scene, folds, sight, inactive, facts, actions);
    });
    for (key, title, _) in Scene::SECTIONS {
        section(ui, folds, tab, title, |ui, _| match *key {
            "analysis" => analysis::analysis_ui(ui, scene, inactive, facts, actions),
            "film" => camera::film_section_ui(ui, scene, inactive, facts, actions),
            key => param_ui::listed_ui(ui, scene, was, "", key, inactive),
        });
        if *key == "snow" {
            section(ui, folds, tab, mark("Plants"), |ui, folds| {
                plants::plants_ui(ui, scene, folds, sight, inactive, facts);
            });
        }
    }
    section(ui, folds, tab, mark("Camera"), |ui, _| {
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

fn title_ui(ui: &mut Ui, scene: &Scene, view: &mut PanelView, actions: &mut Vec<Action>) {
    let modes = [
        (
            false,
            tr("Simple"),
            tr(
                "Leaves out settings without effect, and advanced ones that the scene does not use.",
            ),
        ),
        (
            true,
            tr("All"),
            tr("Shows every setting. Those without effect are grey."),
        ),
    ];
    ui.horizontal(|ui| {
        ui.heading(tr("View Options"));
        sides(ui, |_| {}, |ui| {
            let gap = std::mem::replace(&mut ui.spacing_mut().item_spacing.x, 2.0);
            for (all, words, help) in modes {
                let button = ui.add(Button::selectable(view.all == all, words).small());
                if button.on_hover_text(help).clicked() {
                    view.all = all;
                }
            }
            ui.add_space(gap - 2.0);
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

/// Draw the tabs.
fn tabs_ui(ui: &mut Ui, view: &mut PanelView, filter: &mut Filter) {
    const GAP: f32 = 3.0;
    let gaps = (TABS_IN_LINE - 1) as f32 * GAP;
    let width = ((ui.available_width() - gaps) / TABS_IN_LINE as f32).floor();
    let shown = view.shown().filter(|_| !filter.is_on());
    for line in Tab::ALL.chunks(TABS_IN_LINE) {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = GAP;
            ui.spacing_mut().button_padding.x = 2.0;
            for tab in line {
                let is_shown = shown == Some(*tab);
                let size = [width, ui.spacing().interact_size.y];
                let button = Button::selectable(is_shown, tr(tab.name())).frame_when_inactive(true);
                let help = tr(Tab::HELPS[*tab as usize]);
                let again = match is_shown {
                    true => tr("Click again for one list of all tabs."),
                    false => "",
                };
                let button = ui.add_sized(size, button.truncate());
                // Sections and menus have the same names.
                let name = tr!("Tab {}", tr(tab.name()));
                let info =
                    || WidgetInfo::selected(WidgetType::SelectableLabel, true, is_shown, &name);
                button.widget_info(info);
                if button
                    .on_hover_text(format!("{help}\n{again}").trim_end())
                    .clicked()
                {
                    view.one_list = is_shown;
                    view.tab = *tab;
                    filter.clear();
                }
            }
        });
    }
    ui.separator();
}

/// Draw a section if it is in `tab`, or if that is `None`.
fn section(
    ui: &mut Ui,
    folds: &mut Folds,
    tab: Option<Tab>,
    title: &'static str,
    add: impl FnOnce(&mut Ui, &mut Folds),
) {
    if tab.is_some_and(|tab| tab != tab_of(title)) {
        return;
    }
    let open = tab.is_some() || !FOLDED.contains(&title);
    fold_ui(ui, folds, title, strong(tr(title)), open, |ui, folds| {
        let before = simple::count(ui);
        add(ui, folds);
        simple::empty_ui(ui, before);
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
        // The default differs between a tab and the list of all.
        .id_salt((id, open))
        .default_open(folds.is_open(id, open))
        .open(row::tour_unfolds(ui, id).then_some(true))
        .show_unindented(ui, |ui| add(ui, folds));
    let state = CollapsingState::load(ui.ctx(), shown.header_response.id);
    if let Some(state) = state {
        folds.note(id, open, state.is_open());
    }
    shown.body_returned
}
