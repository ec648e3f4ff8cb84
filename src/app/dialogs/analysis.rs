//! Read-outs of the terrain analysis: the elevation profile of the cross-section as a plot with
//! measurements, and the catchment of the watershed tool.

use std::cell::Cell;

use egui::{Align2, Color32, Context, Frame, Grid, LayerId, Rect, Stroke, Ui, vec2};
use egui_plot::{Line, PlotPoints, Points};

use super::{GAP, has_room, room_in, scrolled};
use crate::app::controls::number::shown_length;
use crate::app::controls::{button, figure_ui, still_plot, tick, watershed_figures};
use crate::app::floating::{self, FreeSpace, along_line, window};
use crate::app::state::{Derived, Transient};
use crate::app::theme;
use crate::app::tools::map::SectionView;
use crate::scene::{RenderType, Scene};
use crate::shading::analysis::{Point, Profile, profile, round_step};
use crate::util::language::{mark, tr};

/// Title of the window.
pub const PROFILE_TITLE: &str = mark("Cross-section");
/// Width of the window's contents and height of the plot, in points.
const PROFILE_WIDTH: f32 = 400.0;
const HEIGHT: f32 = 120.0;
/// Width of the line on the map, including the letters at its ends, in points.
const LINE: f32 = 36.0;
/// Margin for tick labels, in points.
const MARGIN: f32 = 40.0;

/// Draw the window if the scene has a line; closing it sets `hidden`.
pub fn profile_ui(ctx: &Context, scene: &Scene, derived: &Derived, hidden: &mut bool) {
    let rect = derived.scene_rect;
    if !scene.needs_relief() || !scene.section.is_drawn() || *hidden || !has_room(rect) {
        return;
    }
    let mut open = true;
    let made = derived.relief.as_ref().and_then(|relief| {
        let tile_size_m = scene.surface.tile_size_m;
        profile(relief, &scene.section, scene.view.tile, tile_size_m)
    });
    let width = PROFILE_WIDTH.min(rect.width() - 2.0 * GAP - 16.0);
    let mut pointed = None;
    let keep_free = line_on_map(ctx, scene, derived);
    window(ctx, PROFILE_TITLE, Align2::RIGHT_BOTTOM, rect, &keep_free)
        .open(&mut open)
        .resizable(false)
        .show(ctx, |ui| {
            ui.set_width(width);
            scrolled(ui, room_in(rect), |ui| match &made {
                Some(profile) => {
                    pointed = plot_ui(ui, profile);
                    figures_ui(ui, profile);
                }
                None => {
                    ui.weak(tr("The line does not cross the map."));
                }
            });
        });
    *hidden = !open;
    if let (Some(point), RenderType::Map) = (pointed, scene.render_type()) {
        let at = SectionView::new(ctx, rect, scene, derived).position(point.place);
        let painter = ctx
            .layer_painter(LayerId::background())
            .with_clip_rect(rect);
        painter.circle(at, 5.5, theme::ACCENT, Stroke::new(2.0, Color32::WHITE));
    }
}

/// Rectangles along the line on the map, to be left uncovered.
fn line_on_map(ctx: &Context, scene: &Scene, derived: &Derived) -> Vec<Rect> {
    if scene.render_type() != RenderType::Map {
        return Vec::new();
    }
    let view = SectionView::new(ctx, derived.scene_rect, scene, derived);
    let [from, to] = [scene.section.from, scene.section.to].map(|end| view.position(end));
    along_line(from, to, LINE)
}

/// Draw the plot; returns the point of the profile under the mouse.
fn plot_ui(ui: &mut Ui, profile: &Profile) -> Option<Point> {
    let points = profile.points.iter();
    let points = points.map(|point| [point.distance_m, point.height_m]);
    let points: Vec<[f64; 2]> = points.collect();
    let range = profile.highest_m - profile.lowest_m;
    let floor = profile.lowest_m - 0.08 * range.max(1.0);
    let steps = [
        round_step(profile.length_m / 6.0),
        round_step(range.max(1e-3) / 4.0),
    ];
    let here = Cell::new(None);
    let shown = still_plot("profile", HEIGHT, MARGIN, steps, [tick, tick])
        // The dot says where the point is.
        .show_x(false)
        .show_y(false)
        .set_margin_fraction(vec2(0.01, 0.08))
        .label_formatter(|_, at| {
            let point = here.get().unwrap_or_else(|| profile.at(at.x));
            let (away, high) = (shown_length(point.distance_m), shown_length(point.height_m));
            tr!("{away} from A\n{high} high", away, high)
        })
        .show(ui, |plot| {
            plot.line(
                Line::new("ground", PlotPoints::from(points))
                    .color(theme::ACCENT)
                    .fill(floor as f32)
                    .width(1.5),
            );
            let at = plot.pointer_coordinate()?;
            if !plot.response().hovered() || !(0.0..=profile.length_m).contains(&at.x) {
                return None;
            }
            let point = profile.at(at.x);
            let dot = Points::new("here", vec![[point.distance_m, point.height_m]]);
            plot.points(dot.color(Color32::WHITE).radius(4.0));
            here.set(Some(point));
            Some(point)
        });
    shown.inner
}

/// Draw the measurements of the profile.
fn figures_ui(ui: &mut Ui, profile: &Profile) {
    let steepest = profile.steepest;
    let (degrees, percent) = (steepest.atan().to_degrees(), steepest * 100.0);
    let grade = format!("{degrees:.0}° ({percent:.0} %)");
    let length = tr("Horizontal distance from A to B.");
    let lowest = tr("The lowest height on the line.");
    let highest = tr("The highest height on the line.");
    let grade_help = tr("The steepest part of the line, up or down.");
    let climbs = tr("Total ascent from A to B.");
    let falls = tr("Total descent from A to B.");
    let heights = [
        (tr("Length"), shown_length(profile.length_m), length),
        (tr("Lowest"), shown_length(profile.lowest_m), lowest),
        (tr("Highest"), shown_length(profile.highest_m), highest),
    ];
    let slopes = [
        (tr("Steepest"), grade, grade_help),
        (tr("Ascent"), shown_length(profile.ascent_m), climbs),
        (tr("Descent"), shown_length(profile.descent_m), falls),
    ];
    Grid::new("profile figures")
        .num_columns(6)
        .spacing([10.0, 3.0])
        .show(ui, |ui| {
            for figures in [heights, slopes] {
                for (label, value, help) in figures {
                    figure_ui(ui, label, value, help);
                }
                ui.end_row();
            }
        });
    ui.horizontal(|ui| {
        let help = tr("A table of distance and height in metres, with the coordinates x and z.");
        if button(ui, tr("Copy as CSV"), help) {
            ui.ctx().copy_text(profile.to_csv());
        }
        ui.weak(tr("Metres from A, and metres of height."));
    });
}

/// Width of the contents, in points.
const WATERSHED_WIDTH: f32 = 230.0;

/// Draw the measurements if the tool is active. Mouse clicks pass through to the scene.
pub fn watershed_ui(
    ctx: &Context,
    scene: &Scene,
    transient: &Transient,
    derived: &Derived,
    space: &mut FreeSpace,
) {
    let rect = derived.scene_rect;
    if !transient.tool.picks_watershed(scene) || !has_room(rect) {
        return;
    }
    floating::card(ctx, floating::WATERSHED, space, |ui| {
        Frame::window(&ctx.style()).show(ui, |ui| {
            ui.set_width(WATERSHED_WIDTH.min(rect.width() - 2.0 * GAP - 16.0));
            ui.strong(tr("Watershed"));
            let shown = derived.shown.as_ref();
            let georeference = shown.and_then(|shown| shown.place.as_ref());
            watershed_figures(ui, scene, derived.watershed.as_deref(), georeference);
        });
    });
}
