//! Coordinate transform between the window and the map, shown as a whole or by a top-down camera.

use egui::emath::Rot2;
use egui::{Pos2, Rect, Vec2, vec2};

use crate::app::state::Derived;
use crate::render::flat_rectangle;
use crate::scene::{Camera, CameraMode, Scene};

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
    pub fn tile_at(&self, at: Pos2) -> Vec2 {
        (self.off_center(at) / self.half + vec2(1.0, 1.0)) * 0.5 * self.tiles
    }

    /// Window position of a point given in tiles.
    pub fn at_tile(&self, tile: Vec2) -> Pos2 {
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
