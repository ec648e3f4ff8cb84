//! Readout for one position on the ground: height, slope and coordinates.

use glam::DVec3;

use super::Ground;

/// Height, slope and coordinates of a position on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// Height of the ground, or of the water over it, in half tiles.
    pub height: f64,
    /// Slope of the ground, in degrees.
    pub slope: f64,
    /// Distance from the western and the northern border of the tile, as fractions of the tile's sides, 0…1.
    pub on_tile: [f64; 2],
    /// Distance from the same borders in half tiles.
    pub from_corner: [f64; 2],
}

impl Spot {
    /// Measure `ground` at x and z, in half tiles from the centre of all tiles, with detail down to `size`.
    /// The slope is a central difference over one sample to each side, or over `size` where refinement levels
    /// continue the ground.
    #[must_use]
    pub fn of(ground: &Ground, x: f64, z: f64, size: f64) -> Self {
        let cells = [0, 1].map(|axis| ground.cells(axis).max(1) as f64);
        let tile = [(0, x), (1, z)].map(|(axis, at)| ground.tile_around(axis, at));
        let side = tile.map(|[first, last]| last - first);
        let cell = (side[0] / cells[0]).max(side[1] / cells[1]);
        let step = if ground.is_endless() {
            size.clamp(f64::MIN_POSITIVE, cell)
        } else {
            cell
        };
        let reach = ground.reach().map(f64::from);
        let height = |x: f64, z: f64| ground.height_near(x, z, step);
        // At the border the difference is one-sided.
        let ends = |at: f64, reach: f64| [(at - step).max(-reach), (at + step).min(reach)];
        let rise = |ends: [f64; 2], heights: [f64; 2]| match ends[1] - ends[0] {
            run if run > 0.0 => (heights[1] - heights[0]) / run,
            _ => 0.0,
        };
        let (across, down) = (ends(x, reach[0]), ends(z, reach[1]));
        let east = rise(across, across.map(|x| height(x, z)));
        let south = rise(down, down.map(|z| height(x, z)));
        let on_tile = [(0, x), (1, z)].map(|(axis, at)| ground.on_tile(axis, at).1);
        Self {
            height: height(x, z),
            slope: east.hypot(south).atan().to_degrees(),
            on_tile,
            from_corner: [0, 1].map(|axis| on_tile[axis] * side[axis]),
        }
    }

    /// Measure a position as seen from `eye`: the detail depends on the distance.
    #[must_use]
    pub fn seen(ground: &Ground, place: DVec3, eye: DVec3) -> Self {
        Self::of(
            ground,
            place.x,
            place.z,
            eye.distance(place) * super::sight::SMALLEST,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::heightmap::Heightmap;

    /// A plane that rises by 0.5 per half tile eastwards and falls by 0.25 southwards.
    fn plane() -> Ground {
        let heights: Vec<f32> = (0..17 * 9)
            .map(|index| {
                let (row, column) = (index / 17, index % 17);
                (column as f32 * 0.5 - row as f32 * 0.25) / 8.0
            })
            .collect();
        Ground::new(&Heightmap::new(9, 17, false, heights), 1).expect("ground")
    }

    #[test]
    fn plane_has_its_slope_everywhere_and_at_border() {
        let wanted = 0.5f64.hypot(0.25).atan().to_degrees();
        for (x, z) in [(0.0, 0.0), (-1.0, -0.5), (1.0, 0.5), (0.93, -0.31)] {
            let spot = Spot::of(&plane(), x, z, 0.001);
            assert!((spot.slope - wanted).abs() < 0.05, "{x} {z}: {spot:?}");
            let height = (x + 1.0) * 0.5 - (z + 0.5) * 0.25;
            assert!((spot.height - height).abs() < 1e-3, "{x} {z}: {spot:?}");
        }
    }

    #[test]
    fn place_is_counted_from_its_own_tile_corner() {
        let spot = Spot::of(&plane(), 0.5, -0.25, 0.001);
        assert_eq!(spot.on_tile, [0.75, 0.25]);
        assert_eq!(spot.from_corner, [1.5, 0.25]);
        let tiled = plane().tiled(2);
        assert_eq!(Spot::of(&tiled, -0.5, -0.25, 0.001).on_tile, [0.75, 0.75]);
        assert_eq!(Spot::of(&tiled, 1.5, 0.25, 0.001).on_tile, [0.75, 0.25]);
    }
}
