//! Water surface: the height of the sea, of lakes and of rivers, as render type `landscape` draws them.
//!
//! Lakes and rivers go on for one cell beyond their shores, below the ground there, so that the shoreline is where water
//! and ground intersect and not a staircase of samples. From there the surface falls to the sea or, without one, to the
//! lowest height of the land. Both lie below dry ground.

use super::{Kind, Map};
use crate::scene::{Scene, Water};
use crate::terrain::rivers::Rivers;

/// Map `water-surface`: height of the water.
pub const MAP: Map = Map {
    name: "water-surface",
    help: "Height of the sea, of lakes and of rivers, with the numbers of the heights; below the ground where it is dry.",
    unit: "half tiles",
    range: None,
    kind: Kind::WaterSurface,
};

/// True if a scene has a sea or rivers.
#[must_use]
pub fn has_water(scene: &Scene) -> bool {
    scene.water.height().is_some() || scene.water.rivers().is_some()
}

/// Water surface of a map, in half tiles.
#[derive(Clone, Copy, Debug)]
pub struct WaterSurface<'a> {
    rivers: Option<&'a Rivers>,
    /// Height away from rivers and lakes.
    base: f32,
}

impl<'a> WaterSurface<'a> {
    /// Water surface over land with this lowest height, with its rivers and lakes if it has any.
    #[must_use]
    pub fn of(water: &Water, rivers: Option<&'a Rivers>, lowest: f32) -> Self {
        let base = water.height().map_or(lowest, |sea| sea.max(lowest));
        Self { rivers, base }
    }

    /// Fill a row of heights from those of the ground; `first` is the row and the column of its first sample in a map of
    /// `size` rows and columns at any level.
    pub fn fill(&self, ground: &[f32], first: [u64; 2], size: [u64; 2], heights: &mut Vec<f32>) {
        heights.clear();
        let Some(rivers) = self.rivers else {
            heights.resize(ground.len(), self.base);
            return;
        };
        let cells = [rivers.lakes.rows(), rivers.lakes.columns()];
        // The product is exact, so that a sample of the rivers' own map lies on its cell.
        let place = |axis: usize, at: u64| {
            (at as f64 * (cells[axis] - 1) as f64) / (size[axis] - 1).max(1) as f64
        };
        let row = place(0, first[0]);
        let columns = (first[1]..).map(|column| place(1, column));
        let samples = ground.iter().zip(columns);
        heights.extend(samples.map(|(ground, column)| self.at(rivers, *ground, [row, column])));
    }

    /// Height at a place in cells south and east of the first one.
    fn at(&self, rivers: &Rivers, ground: f32, [row, column]: [f64; 2]) -> f32 {
        let (north, west) = (row as usize, column as usize);
        let (v, u) = ((row - row.floor()) as f32, (column - column.floor()) as f32);
        let corner = |row: usize, column: usize| {
            let row = row.min(rivers.lakes.rows() - 1);
            level(rivers, row, column.min(rivers.lakes.columns() - 1))
        };
        let corners = [
            corner(north, west),
            corner(north, west + 1),
            corner(north + 1, west),
            corner(north + 1, west + 1),
        ];
        if corners == [None; 4] {
            return self.base;
        }
        let [nw, ne, sw, se] = corners.map(|level| level.unwrap_or(self.base));
        let mix = |a: f32, b: f32, t: f32| a + (b - a) * t;
        let height = mix(mix(nw, ne, u), mix(sw, se, u), v);
        // As in the mask of river beds, which is 0 there.
        let is_dry = rivers.part_at(column as f32, row as f32, 1.0) * 255.0 < 0.5;
        let height = if is_dry { height.min(ground) } else { height };
        height.max(self.base)
    }
}

/// Height of the lake or the river at a cell or next to it.
fn level(rivers: &Rivers, row: usize, column: usize) -> Option<f32> {
    let Rivers {
        surface,
        lakes,
        part,
        ..
    } = rivers;
    if part.at(row, column)[1] == 0 {
        return None;
    }
    let (rows, columns) = (lakes.rows(), lakes.columns());
    let beside = |at: usize, offset: usize, count: usize| match surface.wraps() {
        // The last sample repeats the first.
        true => Some((at + count - 2 + offset) % (count - 1)),
        false => (at + offset).checked_sub(1).filter(|at| *at < count),
    };
    let highest = |is_water: &dyn Fn(usize, usize) -> bool| {
        let around = (0..9).filter_map(|index| {
            let row = beside(row, index / 3, rows)?;
            let column = beside(column, index % 3, columns)?;
            is_water(row, column).then(|| surface.at(row, column))
        });
        around.reduce(f32::max)
    };
    let is_lake = |row: usize, column: usize| lakes.at(row, column) > 0.0;
    let is_wet = |row: usize, column: usize| part.at(row, column)[0] > 0;
    let own = |is_water: bool| is_water.then(|| surface.at(row, column));
    own(is_lake(row, column))
        .or_else(|| highest(&is_lake))
        .or_else(|| own(is_wet(row, column)))
        .or_else(|| highest(&is_wet))
}
