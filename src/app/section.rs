//! The cross-section: drawn on the map with the mouse, its profile plotted in a window.
//!
//! The line and its ends are part of the picture; here are what the mouse does, and the plot.

use egui::{
    Align2, Color32, Context, CursorIcon, Grid, Id, Label, LayerId, PointerButton, Pos2, Rect,
    Response, RichText, Sense, Stroke, Ui, Window, vec2,
};
use egui_plot::{AxisHints, Line, Plot, PlotPoint, PlotPoints, Points, uniform_grid_spacer};

use crate::analysis::{Point, Profile, profile, round_step};
use crate::app::pins::{self, MapView};
use crate::app::state::Derived;
use crate::app::theme;
use crate::scene::{RenderType, Scene, Section};

/// The title of the window with the profile.
pub const TITLE: &str = "Cross-section";
/// Points between pointer and end at which it is meant.
const REACH: f32 = 14.0;
/// A line shorter than this many points is none.
const SHORTEST: f32 = 4.0;
/// Of the window's contents, in points.
const WIDTH: f32 = 400.0;
const HEIGHT: f32 = 120.0;
/// Space to the edges of the scene.
const GAP: f32 = 8.0;
/// Narrower scenes have no room for a plot.
const NARROWEST: f32 = 200.0;
/// Room for the ticks' words.
const MARGIN: f32 = 40.0;

/// An end of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    A,
    B,
}

/// What the mouse is about, and whether the plot is hidden.
#[derive(Clone, Copy, Default)]
struct Tool {
    on: bool,
    dragged: Option<End>,
    hidden: bool,
}

fn tool(ctx: &Context) -> Tool {
    ctx.data(|data| data.get_temp(tool_id()))
        .unwrap_or_default()
}

fn set_tool(ctx: &Context, tool: Tool) {
    ctx.data_mut(|data| data.insert_temp(tool_id(), tool));
}

fn tool_id() -> Id {
    Id::new("cross-section on the map")
}

/// Whether the mouse on the map draws the line. Only where the map is shown, and no pins are
/// edited; elsewhere it is switched off for good.
pub fn is_drawing(ctx: &Context, scene: &Scene) -> bool {
    let mut tool = tool(ctx);
    let possible = scene.render_type() == RenderType::Map && !pins::is_editing(ctx, scene);
    if tool.on && !possible {
        tool.on = false;
        set_tool(ctx, tool);
    }
    tool.on
}

/// Switches the mouse between the line and the view; on, the map is shown.
pub fn set_drawing(ctx: &Context, scene: &mut Scene, on: bool) {
    if on {
        pins::set_editing(ctx, scene, false);
        scene.view.render_type = RenderType::Map;
    }
    let tool = Tool {
        on,
        dragged: None,
        ..tool(ctx)
    };
    set_tool(ctx, tool);
}

/// Whether the plot is shown when there is a line.
pub fn is_shown(ctx: &Context) -> bool {
    !tool(ctx).hidden
}

/// Shows or hides the plot.
pub fn set_shown(ctx: &Context, shown: bool) {
    let tool = Tool {
        hidden: !shown,
        ..tool(ctx)
    };
    set_tool(ctx, tool);
}

/// What the mouse does to the line.
pub fn section_ui(ui: &Ui, response: &Response, scene: &mut Scene, derived: &Derived) {
    let ctx = ui.ctx();
    let map = Map::new(ctx, response.rect, scene, derived);
    let mut tool = tool(ctx);
    let pointer = response.hover_pos().or(response.interact_pointer_pos());
    if response.drag_started_by(PointerButton::Primary) {
        let origin = ctx.input(|input| input.pointer.press_origin());
        if let Some(at) = origin.filter(|at| map.view.holds(*at)) {
            let end = map.end_at(&scene.section, at);
            if end.is_none() {
                scene.section = Section {
                    from: map.place(at),
                    to: map.place(at),
                };
            }
            tool.dragged = end.or(Some(End::B));
            tool.hidden = false;
        }
    }
    match (tool.dragged, pointer) {
        (Some(end), Some(at)) if response.dragged_by(PointerButton::Primary) => {
            let place = map.place(at);
            match end {
                End::A => scene.section.from = place,
                End::B => scene.section.to = place,
            }
        }
        (Some(_), _) if response.drag_stopped() => {
            tool.dragged = None;
            let [a, b] = [scene.section.from, scene.section.to].map(|end| map.position(end));
            if a.distance(b) < SHORTEST {
                scene.section = Section::default();
            }
        }
        _ => tool.dragged = None,
    }
    if response.clicked_by(PointerButton::Secondary) {
        scene.section = Section::default();
    }
    if let Some(at) = pointer.filter(|at| map.view.holds(*at)) {
        let at_end = tool.dragged.is_some() || map.end_at(&scene.section, at).is_some();
        ctx.set_cursor_icon(match at_end {
            true => CursorIcon::Grab,
            false => CursorIcon::Crosshair,
        });
    }
    set_tool(ctx, tool);
}

/// Between places in the window and those of a cross-section.
struct Map {
    view: MapView,
    side: [f32; 2],
    tiles: f32,
}

impl Map {
    fn new(ctx: &Context, scene_rect: Rect, scene: &Scene, derived: &Derived) -> Self {
        let side = derived.shown.as_ref().map_or([2.0, 2.0], |shown| {
            let cells = [shown.columns, shown.rows].map(|count| count.saturating_sub(1).max(1));
            let longest = cells[0].max(cells[1]) as f32;
            cells.map(|cells| 2.0 * cells as f32 / longest)
        });
        let tiles = scene.view.tile;
        Self {
            view: MapView::new(scene_rect, ctx.pixels_per_point(), tiles, side),
            side,
            tiles: tiles as f32,
        }
    }

    /// The place under a point of the window; beyond the map that of its border.
    fn place(&self, at: Pos2) -> [f32; 2] {
        let tile = self.view.tile_at(at);
        let tile = tile.clamp(egui::Vec2::ZERO, egui::Vec2::splat(self.tiles));
        [(tile.x - 0.5) * self.side[0], (tile.y - 0.5) * self.side[1]]
    }

    fn position(&self, place: [f32; 2]) -> Pos2 {
        let tile = vec2(place[0] / self.side[0], place[1] / self.side[1]);
        self.view.at_tile(tile + vec2(0.5, 0.5))
    }

    /// The end within reach.
    fn end_at(&self, section: &Section, at: Pos2) -> Option<End> {
        if section.is_absent() {
            return None;
        }
        let ends = [(End::A, section.from), (End::B, section.to)];
        let near = ends.map(|(end, place)| (end, self.position(place).distance(at)));
        let near = near.into_iter().filter(|(_, distance)| *distance <= REACH);
        near.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(end, _)| end)
    }
}

/// Draws the window with the profile, if there is a line and it is not hidden.
pub fn profile_ui(ctx: &Context, scene: &Scene, derived: &Derived) {
    let rect = derived.scene_rect;
    let mut open = is_shown(ctx);
    if !scene.needs_relief() || !scene.section.is_drawn() || !open || rect.width() < NARROWEST {
        return;
    }
    let made = derived.relief.as_ref().and_then(|relief| {
        let tile_size_m = scene.surface.tile_size_m;
        profile(relief, &scene.section, scene.view.tile, tile_size_m)
    });
    let width = WIDTH.min(rect.width() - 2.0 * GAP - 16.0);
    let mut pointed = None;
    Window::new(TITLE)
        .open(&mut open)
        .pivot(Align2::RIGHT_BOTTOM)
        .default_pos(rect.right_bottom() - vec2(GAP, GAP))
        .constrain_to(rect)
        .resizable(false)
        .show(ctx, |ui| {
            ui.set_width(width);
            match &made {
                Some(profile) => {
                    pointed = plot_ui(ui, profile);
                    figures_ui(ui, profile);
                }
                None => {
                    ui.weak("The line does not cross the map.");
                }
            }
        });
    if !open {
        set_shown(ctx, false);
    }
    if let (Some(point), RenderType::Map) = (pointed, scene.render_type()) {
        let at = Map::new(ctx, rect, scene, derived).position(point.place);
        let painter = ctx
            .layer_painter(LayerId::background())
            .with_clip_rect(rect);
        painter.circle(at, 5.5, theme::ACCENT, Stroke::new(2.0, Color32::WHITE));
    }
}

/// The plot; returns the point of the profile under the mouse.
fn plot_ui(ui: &mut Ui, profile: &Profile) -> Option<Point> {
    let points: Vec<[f64; 2]> = profile
        .points
        .iter()
        .map(|point| [point.distance_m, point.height_m])
        .collect();
    let range = profile.highest_m - profile.lowest_m;
    let floor = profile.lowest_m - 0.08 * range.max(1.0);
    let steps = [
        round_step(profile.length_m / 6.0),
        round_step(range.max(1e-3) / 4.0),
    ];
    let every = |step: f64| uniform_grid_spacer(move |_| [step; 3]);
    let axis = |axis: AxisHints<'static>| {
        let axis = axis.label_spacing(12.0..=13.0);
        axis.formatter(|mark, _| plain(mark.value))
    };
    let shown = Plot::new("profile")
        .height(HEIGHT)
        .allow_zoom(false)
        .allow_drag(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_axis_zoom_drag(false)
        .allow_double_click_reset(false)
        .sense(Sense::hover())
        .show_y(false)
        .custom_x_axes(vec![axis(AxisHints::new_x())])
        .custom_y_axes(vec![axis(AxisHints::new_y()).min_thickness(MARGIN)])
        .x_grid_spacer(every(steps[0]))
        .y_grid_spacer(every(steps[1]))
        .set_margin_fraction(vec2(0.01, 0.08))
        .cursor_color(theme::ACCENT.gamma_multiply(0.4))
        .label_formatter(|_, at| {
            let point = profile.at(at.x);
            let (away, high) = (metres(point.distance_m), metres(point.height_m));
            format!("{away} from A\n{high} high")
        })
        .show(ui, |plot| {
            plot.line(
                Line::new("ground", PlotPoints::from(points))
                    .color(theme::ACCENT)
                    .fill(floor as f32)
                    .width(1.5),
            );
            let at: Option<PlotPoint> = plot
                .response()
                .hovered()
                .then(|| plot.pointer_coordinate())?;
            let inside = at.filter(|at| (0.0..=profile.length_m).contains(&at.x))?;
            let point = profile.at(inside.x);
            let dot = Points::new("here", vec![[point.distance_m, point.height_m]]);
            plot.points(dot.color(Color32::WHITE).radius(4.0));
            Some(point)
        });
    shown.inner
}

/// What the profile measures.
fn figures_ui(ui: &mut Ui, profile: &Profile) {
    let figure = |ui: &mut Ui, label: &str, value: String, help: &str| {
        ui.add(Label::new(RichText::new(label).weak()))
            .on_hover_text(help);
        let value = RichText::new(value).color(ui.visuals().strong_text_color());
        ui.add(Label::new(value)).on_hover_text(help);
    };
    Grid::new("profile figures")
        .num_columns(6)
        .spacing([10.0, 3.0])
        .show(ui, |ui| {
            let Profile {
                lowest_m,
                highest_m,
                steepest,
                ..
            } = profile;
            figure(
                ui,
                "Length",
                metres(profile.length_m),
                "Horizontal distance from A to B.",
            );
            figure(
                ui,
                "Lowest",
                metres(*lowest_m),
                "The lowest height on the line.",
            );
            figure(
                ui,
                "Highest",
                metres(*highest_m),
                "The highest height on the line.",
            );
            ui.end_row();
            let grade = format!(
                "{:.0}° ({:.0} %)",
                steepest.atan().to_degrees(),
                steepest * 100.0
            );
            figure(
                ui,
                "Steepest",
                grade,
                "The steepest part of the line, up or down.",
            );
            figure(
                ui,
                "Climbs",
                metres(profile.ascent_m),
                "All climbs from A to B added up.",
            );
            figure(
                ui,
                "Falls",
                metres(profile.descent_m),
                "All descents from A to B added up.",
            );
            ui.end_row();
        });
    ui.horizontal(|ui| {
        let copy = ui.button("Copy as CSV");
        let help = "A table with distance and height in metres, and the places x and z.";
        if copy.on_hover_text(help).clicked() {
            ui.ctx().copy_text(profile.to_csv());
        }
        ui.weak("Metres from A, and metres of height.");
    });
}

/// Metres in three or four digits.
fn metres(value: f64) -> String {
    match value.abs() {
        size if size < 10.0 => format!("{value:.2} m"),
        size if size < 100.0 => format!("{value:.1} m"),
        size if size < 10_000.0 => format!("{value:.0} m"),
        _ => format!("{:.2} km", value / 1000.0),
    }
}

fn plain(value: f64) -> String {
    // Without the rounding errors of adding up steps; what is left of 0 is 0.
    format!("{}", (value * 1e6).round() / 1e6 + 0.0)
}
