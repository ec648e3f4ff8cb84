//! Ground that plants stand on.

use super::view::PlantView;
use crate::render::gl::programs::SLIDES_FROM;
use crate::render::raycast::Near;
use crate::terrain::heightmap::Heightmap;

/// Ground as it is drawn: the map, and the finer levels around the eye.
pub(super) struct Ground<'a> {
    pub(super) map: &'a Heightmap,
    pub(super) tiles: u32,
    /// The finest first.
    pub(super) near: Vec<Near<'a>>,
}

impl Ground<'_> {
    /// True beyond the tiles.
    pub(super) fn is_beyond(&self, x: f64, z: f64) -> bool {
        let map = self.map;
        let half = 0.5 * f64::from(self.tiles) * f64::from(map.spacing());
        let side = |samples: usize| half * (samples - 1) as f64;
        x.abs() > side(map.columns()) || z.abs() > side(map.rows())
    }

    /// Height of the map's triangles at a position.
    pub(super) fn map_height(&self, x: f64, z: f64) -> f64 {
        let map = self.map;
        let spacing = f64::from(map.spacing());
        let samples = [map.columns(), map.rows()];
        let tiles = f64::from(self.tiles);
        let place = [0, 1].map(|axis| {
            let cells = (samples[axis] - 1) as f64;
            let at = [x, z][axis] / (cells * spacing) + 0.5 * tiles;
            let at = at.clamp(0.0, tiles);
            (at - at.floor().min(tiles - 1.0)) * cells
        });
        triangle_height(map.heights(), samples, place)
    }

    /// Height of the drawn ground above the eye at a position.
    pub(super) fn above(&self, x: f64, z: f64, view: &PlantView) -> f32 {
        let beside = [x - view.eye.x, z - view.eye.z];
        let height = |at: usize| {
            let near = &self.near[at];
            let place = [0, 1].map(|axis| near.eye[axis] + beside[axis] / near.spacing);
            let is_within =
                (0..2).all(|axis| (0.0..=(near.samples[axis] - 1) as f64).contains(&place[axis]));
            is_within.then(|| triangle_height(near.heights, near.samples, place) - near.above)
        };
        // From fine to coarse, as far as each level has slid onto the coarser ground.
        let (mut above, mut left) = (0.0, 1.0);
        for (at, near) in self.near.iter().enumerate() {
            let square = beside[0] * beside[0] + beside[1] * beside[1];
            let away = (square + near.height * near.height).sqrt() / near.farthest;
            let part = ((away - SLIDES_FROM) / (1.0 - SLIDES_FROM)).clamp(0.0, 1.0);
            let own = if part < 1.0 { height(at) } else { None };
            if let Some(own) = own {
                above += left * (1.0 - part) * own;
                left *= part;
            }
            if left <= 0.0 {
                return above as f32;
            }
        }
        (above + left * (self.map_height(x, z) - view.eye.y)) as f32
    }
}

/// Height of two triangles a cell at a place in cells.
fn triangle_height(heights: &[f32], samples: [usize; 2], place: [f64; 2]) -> f64 {
    let cell =
        [0, 1].map(|axis| (place[axis].max(0.0) as usize).min(samples[axis].saturating_sub(2)));
    let [x, z] = [0, 1].map(|axis| place[axis] - cell[axis] as f64);
    let at = |east: usize, south: usize| {
        let [column, row] = [cell[0] + east, cell[1] + south];
        f64::from(heights[row.min(samples[1] - 1) * samples[0] + column.min(samples[0] - 1)])
    };
    let (north_west, south_east) = (at(0, 0), at(1, 1));
    let (middle, most, least) = match z > x {
        true => (at(0, 1), z, x),
        false => (at(1, 0), x, z),
    };
    north_west + most * (middle - north_west) + least * (south_east - middle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles_meet_at_their_diagonal() {
        let heights = [0.0, 1.0, 2.0, 7.0];
        for part in [0.1, 0.5, 0.9] {
            let [one, other] =
                [-1e-9, 1e-9].map(|by| triangle_height(&heights, [2, 2], [part, part + by]));
            assert!((one - other).abs() < 1e-6 && (one - 7.0 * part).abs() < 1e-6);
        }
    }
}
