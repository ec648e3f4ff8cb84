//! Cross-section tool: a drag draws a line on the map, another drag moves one of its ends.
//!
//! The line and its ends are drawn with the scene; this file only handles the mouse.

use egui::{Context, CursorIcon, PointerButton, Pos2, Rect, Response, Ui, Vec2, vec2};

use super::map_view::{MapView, side_shown};
use crate::app::state::Derived;
use crate::app::state::tool::{End, SectionTool};
use crate::scene::{Scene, Section};

/// Pick radius of an end, in points.
const REACH: f32 = 14.0;
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
                scene.section = Section {
                    from: map.place(at),
                    to: map.place(at),
                };
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
        ctx.set_cursor_icon(if at_end {
            CursorIcon::Grab
        } else {
            CursorIcon::Crosshair
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
    #[must_use]
    pub fn tile_place(&self, at: Pos2) -> Option<[f32; 2]> {
        let tile = self.view.tile_at(at);
        let inside = tile.min_elem() >= 0.0 && tile.max_elem() <= self.tiles;
        inside.then(|| self.on_tile(tile))
    }

    /// Coordinates within its tile of a point measured from the centre of all tiles, in half tiles.
    #[must_use]
    pub fn of_tile(&self, place: Vec2) -> [f32; 2] {
        let middle = Vec2::splat(self.tiles * 0.5);
        self.on_tile(vec2(place.x / self.side[0], place.y / self.side[1]) + middle)
    }

    /// Coordinates within its tile of a point given in tiles from the north-west corner.
    fn on_tile(&self, tile: Vec2) -> [f32; 2] {
        let last = Vec2::splat(self.tiles - 1.0);
        let within = tile - tile.floor().clamp(Vec2::ZERO, last) - Vec2::splat(0.5);
        [
            within.x.clamp(-0.5, 0.5) * self.side[0],
            within.y.clamp(-0.5, 0.5) * self.side[1],
        ]
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
        let near = near.into_iter().filter(|(_, distance)| *distance <= REACH);
        near.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(end, _)| end)
    }
}
