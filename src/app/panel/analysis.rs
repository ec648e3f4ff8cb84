//! Terrain analysis section of the panel: analysis colours, contours, watershed, cross-section.

use egui::{Button, RichText, Ui};

use super::Facts;
use super::param_ui::table_ui;
use super::row::Row;
use crate::app::commands::Action;
use crate::app::controls::watershed_figures;
use crate::scene::relevance::Inactive;
use crate::scene::{Scene, Section};
use crate::util::language::tr;

/// Draw the section.
pub fn analysis_ui(
    ui: &mut Ui,
    scene: &mut Scene,
    inactive: &Inactive,
    facts: &Facts<'_>,
    actions: &mut Vec<Action>,
) {
    let was = &facts.baseline.analysis;
    let unused = |key: &str| inactive.reason("analysis", key);
    table_ui(ui, &mut scene.analysis, was, unused);
    watershed_ui(ui, scene, facts, actions);
    section_ui(ui, scene, facts, actions);
}

/// Draw the watershed row and its measurements.
fn watershed_ui(ui: &mut Ui, scene: &mut Scene, facts: &Facts<'_>, actions: &mut Vec<Action>) {
    let was = facts.baseline.analysis.watershed;
    let picking = facts.tool.picks_watershed(scene);
    let point = &mut scene.analysis.watershed;
    let row = Row {
        label: tr("Watershed"),
        help: tr(
            "The land that drains through a point, coloured, and its area. Pick lets the mouse \
             choose the point, on the map or on the land.",
        ),
        differs: *point != was,
        words: &["watershed", tr("Pick")],
        ..Row::default()
    };
    let shown = row.show(ui, |ui, _| {
        let button = ui.add(Button::new(tr("Pick")).selected(picking));
        if row.explain(button).clicked() {
            actions.push(Action::ToggleWatershed);
        }
        let remove = ui.add_enabled(point.is_some(), Button::new(tr("Remove")));
        if remove.clicked() {
            *point = None;
        }
    });
    let Some((reset, ())) = shown else {
        return;
    };
    if reset {
        *point = was;
    }
    if picking {
        let hint = tr(
            "On the land: click close to a river or in a lake; right click removes the \
             point.",
        );
        ui.label(RichText::new(hint).small().weak());
    }
    if scene.analysis.watershed.is_some() && scene.render_type().shows_ground() {
        let place = facts.shown.and_then(|shown| shown.place.as_ref());
        watershed_figures(ui, scene, facts.watershed, place);
    }
}

/// Draw the cross-section row.
fn section_ui(ui: &mut Ui, scene: &mut Scene, facts: &Facts<'_>, actions: &mut Vec<Action>) {
    let was = facts.baseline;
    let drawing = facts.tool.draws_section(scene);
    let drawn = scene.section.is_drawn();
    let row = Row {
        label: tr("Cross-section"),
        help: tr(
            "A line from A to B, with a plot of the heights along it. Draw switches to the map, \
             where you draw the line with the mouse.",
        ),
        differs: scene.section != was.section,
        words: &["section", "profile"],
        ..Row::default()
    };
    let shown = row.show(ui, |ui, _| {
        let button = ui.add(Button::new(tr("Draw")).selected(drawing));
        if row.explain(button).clicked() {
            actions.push(Action::DrawSection(!drawing));
        }
        let shown = drawn && facts.shows_profile;
        let profile = ui.add_enabled(drawn, Button::new(tr("Profile")).selected(shown));
        let help = tr("Show or hide the plot of the heights along the line.");
        let profile = profile.on_hover_text(help);
        if profile.on_disabled_hover_text(help).clicked() {
            actions.push(Action::ToggleProfile);
        }
        if ui.add_enabled(drawn, Button::new(tr("Clear"))).clicked() {
            scene.section = Section::default();
        }
    });
    let Some((reset, ())) = shown else {
        return;
    };
    if reset {
        scene.section = was.section;
    }
    if drawing {
        let hint = tr(
            "On the map: drag from A to B; drag an end to move it; right click removes the \
             line.",
        );
        ui.label(RichText::new(hint).small().weak());
    }
}
