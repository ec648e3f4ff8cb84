//! Where in the window the map lies, while the landscape is seen from straight above.

use egui::{Pos2, Rect, Vec2, vec2};

use crate::render::flat_rectangle;

/// Points beyond the map's border that still count as on it.
const REACH: f32 = 10.0;

/// Where in the window the map lies.
pub struct MapView {
    center: Pos2,
    /// Half of what all tiles fill, in points.
    half: Vec2,
    tiles: f32,
}

impl MapView {
    /// A map of tiles with those sides along x and z, half tiles, in the part of the window that
    /// the scene is drawn in.
    pub fn new(scene: Rect, pixels_per_point: f32, tiles: u32, side: [f32; 2]) -> Self {
        let pixels = |points: f32| (points * pixels_per_point).round().max(1.0) as u32;
        let size = (pixels(scene.width()), pixels(scene.height()));
        let filled = flat_rectangle(side, size);
        Self {
            center: scene.center(),
            half: vec2(filled[0] * scene.width(), filled[1] * scene.height()) * 0.5,
            tiles: tiles as f32,
        }
    }

    /// Tiles from the north-west corner of all.
    pub fn tile_at(&self, at: Pos2) -> Vec2 {
        ((at - self.center) / self.half + vec2(1.0, 1.0)) * 0.5 * self.tiles
    }

    /// Where a place counted in tiles is in the window.
    pub fn at_tile(&self, tile: Vec2) -> Pos2 {
        self.center + (tile / self.tiles * 2.0 - vec2(1.0, 1.0)) * self.half
    }

    /// Whether a place in the window is on the map, or close by its border.
    pub fn holds(&self, at: Pos2) -> bool {
        let from = (at - self.center).abs() - self.half;
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
