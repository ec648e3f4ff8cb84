//! Mouse tools on the map: the coordinate transform between the window and the map (shown as a
//! whole or by a top-down camera), the cross-section, the watershed, and the ground point under the
//! mouse.
//!
//! The cross-section and the catchment are drawn with the scene; this file only handles the mouse.

use egui::emath::Rot2;
use egui::{Context, CursorIcon, Order, PointerButton, Pos2, Rect, Response, Ui, Vec2, vec2};

use super::camera::{self, in_picture};
use crate::app::state::document::Compared;
use crate::app::state::tool::{End, SectionTool};
use crate::app::state::{Derived, UiState};
use crate::app::steer;
use crate::camera::{Ground, Spot, place_seen};
use crate::render::flat_rectangle;
use crate::scene::{Camera, CameraMode, Scene, Section};

/// Distance from the map's border that still counts as on the map, in points.
const REACH: f32 = 10.0;

/// Transform between window points and map tiles.
pub struct MapView {
    center: Pos2,
    /// Half the extent of all tiles, in points.
    half: Vec2,
    /// Rotation of north from the top of the window.
    turn: Rot2,
    /// Points per half tile.
    scale: f32,
    /// Part of the window that shows the scene.
    rect: Rect,
    tiles: f32,
}

impl MapView {
    /// Transform of a scene drawn in `rect`. The tiles have the extents `side` along x and z, in
    /// half tiles.
    pub fn new(rect: Rect, pixels_per_point: f32, scene: &Scene, side: [f32; 2]) -> Self {
        let tiles = scene.view.tile as f32;
        let all = Vec2::from(side) * tiles * 0.5;
        let (center, turn, half, scale) = if scene.is_flat() {
            let pixels = |points: f32| (points * pixels_per_point).round().max(1.0) as u32;
            let filled = flat_rectangle(side, (pixels(rect.width()), pixels(rect.height())));
            let half = vec2(filled[0] * rect.width(), filled[1] * rect.height()) * 0.5;
            (rect.center(), Rot2::IDENTITY, half, half.y / all.y)
        } else {
            let camera = &scene.camera;
            let scale = rect.height() * 0.5 / half_height(camera);
            let turn = Rot2::from_angle(-camera.bearing.to_radians());
            let [x, _, z] = camera.target;
            let center = rect.center() - turn * vec2(x as f32, z as f32) * scale;
            (center, turn, all * scale, scale)
        };
        Self {
            center,
            half,
            turn,
            scale,
            rect,
            tiles,
        }
    }

    /// Top-down camera that shows the map exactly as it lies now; other properties are those of
    /// `camera`.
    pub fn above(&self, camera: &Camera) -> Camera {
        let half = self.rect.height() * 0.5 / self.scale;
        let from_middle = (self.rect.center() - self.center) / self.scale;
        Camera {
            mode: CameraMode::Top,
            bearing: 0.0,
            distance: half / half_height(camera) * camera.distance,
            target: [from_middle.x.into(), camera.target[1], from_middle.y.into()],
            ..camera.clone()
        }
    }

    /// Position in tiles from the north-west corner of all tiles.
    fn tile_at(&self, at: Pos2) -> Vec2 {
        (self.off_center(at) / self.half + vec2(1.0, 1.0)) * 0.5 * self.tiles
    }

    /// Window position of a point given in tiles.
    fn at_tile(&self, tile: Vec2) -> Pos2 {
        self.center + self.turn * ((tile / self.tiles * 2.0 - vec2(1.0, 1.0)) * self.half)
    }

    /// Offset from the map's centre in a north-up frame, in points.
    fn off_center(&self, at: Pos2) -> Vec2 {
        self.turn.inverse() * (at - self.center)
    }

    /// True if a window position is on the map or within reach of its border.
    pub fn holds(&self, at: Pos2) -> bool {
        let from = self.off_center(at).abs() - self.half;
        from.max_elem() <= REACH
    }

    /// Column and row of the tile at a window position, which are also its north-west corner.
    pub fn corner(&self, at: Pos2) -> Vec2 {
        let last = Vec2::splat(self.tiles - 1.0);
        self.tile_at(at).floor().clamp(Vec2::ZERO, last)
    }

    /// x and z within the tile at a window position, in −1..1; clamped to the border outside the
    /// map.
    pub fn place(&self, at: Pos2) -> [f32; 2] {
        let inside = (self.tile_at(at) - self.corner(at)) * 2.0 - vec2(1.0, 1.0);
        [inside.x.clamp(-1.0, 1.0), inside.y.clamp(-1.0, 1.0)]
    }

    /// Window position of the point x, z in the tile with this corner.
    pub fn position(&self, [x, z]: [f32; 2], corner: Vec2) -> Pos2 {
        self.at_tile(corner + (vec2(x, z) + vec2(1.0, 1.0)) * 0.5)
    }
}

/// Extents of a tile of the displayed landscape along x and z, in half tiles.
pub fn side_shown(derived: &Derived) -> [f32; 2] {
    derived.shown.as_ref().map_or([2.0, 2.0], |shown| {
        let cells = [shown.columns, shown.rows].map(|count| count.saturating_sub(1).max(1));
        let longest = cells[0].max(cells[1]) as f32;
        cells.map(|cells| 2.0 * cells as f32 / longest)
    })
}

/// Half the height of the ground that a top-down camera shows, in half tiles.
fn half_height(camera: &Camera) -> f32 {
    camera.distance * (camera.fov.to_radians() * 0.5).tan()
}

/// Pick radius of an end, in points.
const END_REACH: f32 = 14.0;
/// Minimum length of a line in points; shorter ones are removed.
const SHORTEST: f32 = 4.0;

/// Handle the mouse for the cross-section. Returns true if a drag has just started.
pub fn section_ui(
    ui: &Ui,
    response: &Response,
    scene: &mut Scene,
    derived: &Derived,
    tool: &mut SectionTool,
) -> bool {
    let ctx = ui.ctx();
    let map = SectionView::new(ctx, response.rect, scene, derived);
    let mut begun = false;
    let pointer = response.hover_pos().or(response.interact_pointer_pos());
    if response.drag_started_by(PointerButton::Primary) {
        let origin = ctx.input(|input| input.pointer.press_origin());
        if let Some(at) = origin.filter(|at| map.view.holds(*at)) {
            let end = map.end_at(&scene.section, at);
            if end.is_none() {
                let (from, to) = (map.place(at), map.place(at));
                scene.section = Section { from, to };
            }
            tool.dragged = end.or(Some(End::B));
            begun = true;
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
    begun
}

/// Transform between window points and coordinates of a cross-section.
pub struct SectionView {
    view: MapView,
    side: [f32; 2],
    tiles: f32,
}

impl SectionView {
    /// Transform for the map displayed in `scene_rect`.
    #[must_use]
    pub fn new(ctx: &Context, scene_rect: Rect, scene: &Scene, derived: &Derived) -> Self {
        let side = side_shown(derived);
        Self {
            view: MapView::new(scene_rect, ctx.pixels_per_point(), scene, side),
            side,
            tiles: scene.view.tile as f32,
        }
    }

    /// Section coordinates of a window position; clamped to the border outside the map.
    fn place(&self, at: Pos2) -> [f32; 2] {
        let tile = self.view.tile_at(at);
        let tile = tile.clamp(Vec2::ZERO, Vec2::splat(self.tiles));
        [(tile.x - 0.5) * self.side[0], (tile.y - 0.5) * self.side[1]]
    }

    /// Coordinates within its tile of a window position; `None` outside the map.
    fn tile_place(&self, at: Pos2) -> Option<[f32; 2]> {
        let tile = self.view.tile_at(at);
        let inside = tile.min_elem() >= 0.0 && tile.max_elem() <= self.tiles;
        inside.then(|| self.on_tile(tile))
    }

    /// Coordinates within its tile of a point measured from the centre of all tiles, in half tiles.
    fn of_tile(&self, place: Vec2) -> [f32; 2] {
        let middle = Vec2::splat(self.tiles * 0.5);
        self.on_tile(vec2(place.x / self.side[0], place.y / self.side[1]) + middle)
    }

    /// Coordinates within its tile of a point given in tiles from the north-west corner.
    fn on_tile(&self, tile: Vec2) -> [f32; 2] {
        let last = Vec2::splat(self.tiles - 1.0);
        let within = tile - tile.floor().clamp(Vec2::ZERO, last) - Vec2::splat(0.5);
        let within = within.clamp(Vec2::splat(-0.5), Vec2::splat(0.5));
        [within.x * self.side[0], within.y * self.side[1]]
    }

    /// Window position of a point in section coordinates.
    #[must_use]
    pub fn position(&self, place: [f32; 2]) -> Pos2 {
        let tile = vec2(place[0] / self.side[0], place[1] / self.side[1]);
        self.view.at_tile(tile + vec2(0.5, 0.5))
    }

    /// End of the line within its pick radius.
    fn end_at(&self, section: &Section, at: Pos2) -> Option<End> {
        if section.is_absent() {
            return None;
        }
        let ends = [(End::A, section.from), (End::B, section.to)];
        let near = ends.map(|(end, place)| (end, self.position(place).distance(at)));
        let near = near
            .into_iter()
            .filter(|(_, distance)| *distance <= END_REACH);
        near.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(end, _)| end)
    }
}

/// Rounding of a picked point, in steps per half tile: finer than the mouse can point, yet short in
/// a file.
const STEPS: f32 = 10_000.0;

/// Handle the mouse: a drag moves the camera, if there is one. A click returns `Some` of the window
/// position to pick, or of `None` to remove the watershed.
pub fn watershed_ui(
    response: &Response,
    scene: &mut Scene,
    ground: Option<&Ground>,
) -> Option<Option<Pos2>> {
    if !scene.is_flat() {
        camera::pointer(response, &mut scene.camera, ground);
    }
    if response.hovered() && !response.dragged() {
        response.ctx.set_cursor_icon(CursorIcon::Crosshair);
    }
    if response.clicked_by(PointerButton::Secondary) {
        return Some(None);
    }
    let at = response.interact_pointer_pos();
    at.filter(|_| response.clicked_by(PointerButton::Primary))
        .map(Some)
}

/// Compute the watershed of the point at a window position, or remove it if there is none. A click
/// beside the terrain has no effect.
pub fn apply_click(ctx: &Context, state: &mut UiState, click: Option<Pos2>) {
    let place = click.map(|at| place_at(ctx, state, at));
    if place != Some(None) {
        let rounded = |value: f32| (value * STEPS).round() / STEPS;
        let place = place.flatten().map(|place| place.map(rounded));
        state.persisted.scene.analysis.watershed = place;
    }
}

/// Coordinates within its tile of the terrain visible at a window position.
fn place_at(ctx: &Context, state: &UiState, at: Pos2) -> Option<[f32; 2]> {
    let (scene, derived) = (&state.persisted.scene, &state.derived);
    let rect = derived.scene_rect;
    let map = SectionView::new(ctx, rect, scene, derived);
    if scene.is_flat() {
        return map.tile_place(at);
    }
    let ground = steer::ground(state)?;
    let off = camera::in_picture(at, rect);
    let camera = steer::drawn(state).camera;
    let seen = place_seen(&camera, &ground, off, rect.aspect_ratio())?;
    Some(map.of_tile(vec2(seen.x as f32, seen.z as f32)))
}

/// Ground point visible under the mouse; `None` if there is none or something covers the scene.
#[must_use]
pub fn pointed(ctx: &Context, state: &UiState) -> Option<Spot> {
    let at = ctx.pointer_hover_pos()?;
    let rect = state.derived.scene_rect;
    let is_below = |layer: egui::LayerId| layer.order != Order::Background;
    let transient = &state.transient;
    let other = transient.covers_scene() || transient.strip.looked_at.is_some();
    if other || !rect.contains(at) || ctx.layer_id_at(at).is_some_and(is_below) {
        return None;
    }
    // The ground of scene A is not available here.
    let a = transient.compared.as_ref().map_or(0.0, Compared::part);
    if at.x < rect.left() + a * rect.width() {
        return None;
    }
    let scene = &state.persisted.scene;
    if !scene.render_type().has_scale() {
        return None;
    }
    let ground = steer::measured_ground(state)?;
    if scene.is_flat() {
        let side = side_shown(&state.derived);
        let view = MapView::new(rect, state.derived.pixels_per_point, scene, side);
        let tiles = scene.view.tile as f32;
        let tile = view.tile_at(at);
        let is_there = |tile: f32| (0.0..=tiles).contains(&tile);
        let place = |tile: f32, side: f32| f64::from((tile - tiles * 0.5) * side);
        return (is_there(tile.x) && is_there(tile.y)).then(|| {
            let pixel = f64::from(tiles * side[0] / rect.width().max(1.0));
            let (x, z) = (place(tile.x, side[0]), place(tile.y, side[1]));
            Spot::of(&ground, x, z, pixel)
        });
    }
    let camera = steer::drawn(state).camera;
    let place = place_seen(&camera, &ground, in_picture(at, rect), rect.aspect_ratio())?;
    Some(Spot::seen(&ground, place, camera.eye()))
}
