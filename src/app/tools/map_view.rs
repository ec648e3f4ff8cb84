//! Where in the window the map lies: all of it, or the part that its camera sees.

use egui::emath::Rot2;
use egui::{Pos2, Rect, Vec2, vec2};

use crate::app::state::Derived;
use crate::render::flat_rectangle;
use crate::scene::{Camera, CameraMode, Scene};

/// Points beyond the map's border that still count as on it.
const REACH: f32 = 10.0;

/// Where in the window the map lies.
pub struct MapView {
    center: Pos2,
    /// Half of what all tiles fill, in points.
    half: Vec2,
    /// How north is turned from the top of the window.
    turn: Rot2,
    /// Points on a half tile.
    scale: f32,
    /// The part of the window.
    rect: Rect,
    tiles: f32,
}

impl MapView {
    /// The map of a scene whose tiles have those sides along x and z, half tiles, in the part of the
    /// window that it is drawn in.
    pub fn new(rect: Rect, pixels_per_point: f32, scene: &Scene, side: [f32; 2]) -> Self {
        let tiles = scene.view.tile as f32;
        let all = Vec2::from(side) * tiles * 0.5;
        if !scene.is_flat() {
            let camera = &scene.camera;
            let scale = rect.height() * 0.5 / half_height(camera);
            let turn = Rot2::from_angle(-camera.bearing.to_radians());
            let [x, _, z] = camera.target;
            return Self {
                center: rect.center() - turn * vec2(x as f32, z as f32) * scale,
                half: all * scale,
                turn,
                scale,
                rect,
                tiles,
            };
        }
        let pixels = |points: f32| (points * pixels_per_point).round().max(1.0) as u32;
        let filled = flat_rectangle(side, (pixels(rect.width()), pixels(rect.height())));
        let half = vec2(filled[0] * rect.width(), filled[1] * rect.height()) * 0.5;
        Self {
            center: rect.center(),
            half,
            turn: Rot2::IDENTITY,
            scale: half.y / all.y,
            rect,
            tiles,
        }
    }

    /// The camera above the map that sees it as it lies; but for its place it is `camera`.
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

    /// Tiles from the north-west corner of all.
    pub fn tile_at(&self, at: Pos2) -> Vec2 {
        (self.off_center(at) / self.half + vec2(1.0, 1.0)) * 0.5 * self.tiles
    }

    /// Where a place counted in tiles is in the window.
    pub fn at_tile(&self, tile: Vec2) -> Pos2 {
        self.center + self.turn * ((tile / self.tiles * 2.0 - vec2(1.0, 1.0)) * self.half)
    }

    /// The way from the map's middle to a place in the window, as if north was up.
    fn off_center(&self, at: Pos2) -> Vec2 {
        self.turn.inverse() * (at - self.center)
    }

    /// Whether a place in the window is on the map, or close by its border.
    pub fn holds(&self, at: Pos2) -> bool {
        let from = self.off_center(at).abs() - self.half;
        from.max_elem() <= REACH
    }

    /// The first row and column of the tile at a place in the window.
    pub fn corner(&self, at: Pos2) -> Vec2 {
        let last = Vec2::splat(self.tiles - 1.0);
        self.tile_at(at).floor().clamp(Vec2::ZERO, last)
    }

    /// x and z of a place in the window; beyond the map those of its border.
    pub fn place(&self, at: Pos2) -> [f32; 2] {
        let inside = (self.tile_at(at) - self.corner(at)) * 2.0 - vec2(1.0, 1.0);
        [inside.x.clamp(-1.0, 1.0), inside.y.clamp(-1.0, 1.0)]
    }

    /// Where x and z of the tile with that corner are in the window.
    pub fn position(&self, [x, z]: [f32; 2], corner: Vec2) -> Pos2 {
        self.at_tile(corner + (vec2(x, z) + vec2(1.0, 1.0)) * 0.5)
    }
}

/// Sides of a tile of the landscape that is shown, along x and z, in half tiles.
pub fn side_shown(derived: &Derived) -> [f32; 2] {
    derived.shown.as_ref().map_or([2.0, 2.0], |shown| {
        let cells = [shown.columns, shown.rows].map(|count| count.saturating_sub(1).max(1));
        let longest = cells[0].max(cells[1]) as f32;
        cells.map(|cells| 2.0 * cells as f32 / longest)
    })
}

/// Half the height of what a camera sees of the ground that looks straight down on it, half tiles.
fn half_height(camera: &Camera) -> f32 {
    camera.distance * (camera.fov.to_radians() * 0.5).tan()
}
