//! Layout of tiles in plan view: centred, north up.

use glam::{Mat4, Vec2};

/// Fraction of the picture's shorter side left free around the tiles.
const MARGIN: f32 = 0.04;

/// Fraction of a picture of `size` pixels, along x and y, that tiles of `side` fill: centred, undistorted,
/// and aligned to pixels.
#[must_use]
pub fn rectangle(side: [f32; 2], size: (u32, u32)) -> [f32; 2] {
    let picture = [size.0 as f32, size.1 as f32];
    let margin = 2.0 * (MARGIN * picture[0].min(picture[1])).round();
    let scale = (0..2)
        .map(|axis| (picture[axis] - margin).max(1.0) / side[axis].max(1e-6))
        .fold(f32::INFINITY, f32::min);
    [0, 1].map(|axis: usize| {
        // Same parity as the picture, so that both margins are equal.
        let pixels = side[axis] * scale;
        let odd = picture[axis] % 2.0;
        let pixels = ((pixels - odd) * 0.5).round() * 2.0 + odd;
        pixels.clamp(1.0, picture[axis]) / picture[axis]
    })
}

/// World to clip space of `tiles` × `tiles` tiles with these sides, in a picture of `size` with a subpixel
/// `shift`: x to the right, z downwards.
pub(crate) fn clip_from_world(side: [f32; 2], tiles: u32, size: (u32, u32), shift: Vec2) -> Mat4 {
    let filled = rectangle(side, size);
    let scale = |axis: usize| 2.0 * filled[axis] / (side[axis] * tiles as f32);
    Mat4::from_cols_array_2d(&[
        [scale(0), 0.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, 0.0],
        [0.0, -scale(1), 0.0, 0.0],
        [shift.x, shift.y, 0.0, 1.0],
    ])
}

/// Positions of tiles in plan view, in pixels, y down.
pub(crate) struct FlatView {
    first: [f32; 2],
    /// Width and height of a tile.
    pub(crate) tile: [f32; 2],
    tiles: u32,
    side: [f32; 2],
}

impl FlatView {
    /// The view of `tiles` × `tiles` tiles of a map with these sides, in a picture of `size`.
    pub(crate) fn new(side: [f32; 2], tiles: u32, size: (u32, u32)) -> Self {
        let filled = rectangle(side, size);
        let picture = [size.0 as f32, size.1 as f32];
        Self {
            first: [0, 1].map(|i: usize| picture[i] * (1.0 - filled[i]) * 0.5),
            tile: [0, 1].map(|i: usize| picture[i] * filled[i] / tiles as f32),
            tiles,
            side,
        }
    }

    /// North-west corners of all tiles.
    pub(crate) fn corners(&self) -> Vec<[f32; 2]> {
        let all = (0..self.tiles).flat_map(|z| (0..self.tiles).map(move |x| [x as f32, z as f32]));
        all.map(|at| [0, 1].map(|i: usize| self.first[i] + at[i] * self.tile[i]))
            .collect()
    }

    /// Pixel of a position on the ground, given as x and z.
    pub(crate) fn pixel(&self, place: [f32; 2]) -> [f32; 2] {
        [0, 1].map(|i: usize| self.first[i] + (place[i] / self.side[i] + 0.5) * self.tile[i])
    }
}
