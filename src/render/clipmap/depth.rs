//! How deep an eye looks: which levels it needs, and where their windows lie.

use glam::DVec3;

use crate::fractal::refinement::Refinement;
use crate::fractal::region::Window;
use crate::job::Job;
use crate::pipeline::LevelsBelow;

/// Cells along a window's side.
pub(crate) const SIDE: i64 = 1026;
/// Cells by which a window moves at once, so that it need not be made anew wherever the eye goes.
const STEP: i64 = 128;
/// Cells around the eye that its window has in any case.
pub(crate) const REACH: i64 = (SIDE - STEP) / 2;
/// The most windows: with 9 bytes a sample they take 246 MB.
pub(crate) const MOST: u32 = 26;

/// The ground below its last iteration, over so many tiles.
#[derive(Clone, Copy)]
pub(crate) struct Lattice<'a> {
    pub(super) refinement: &'a Refinement,
    /// The level of the ground itself.
    pub(super) level: u32,
    /// Sides of a tile along x and z, half tiles.
    side: [f64; 2],
    tiles: u32,
}

/// The distance in half tiles, a tile's side, nearer than which the ground goes on: there its cells are
/// no smaller in the picture than the map's are at this distance. So a scene shows its own iterations
/// from afar, and near by as many cells as from afar.
const WHOLE: f64 = 2.0;

/// How deep the ground is seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Depth {
    /// The levels of the coarsest and of the finest window.
    pub(crate) levels: [u32; 2],
    /// Where the eye is, in half tiles.
    pub(crate) eye: DVec3,
    /// How high the ground is below it.
    pub(crate) ground: f64,
    /// The least side of a cell at distance 1.
    pub(crate) cell: f64,
}

impl<'a> Lattice<'a> {
    /// That of a landscape with these levels below it; `None` of a ground that has none.
    pub(crate) fn new(below: &'a LevelsBelow, tiles: u32) -> Option<Self> {
        let refinement = below.refinement()?;
        let (level, spacing) = (below.level(), f64::from(below.spacing()));
        let [down, across] = refinement.cells(level);
        (level >= refinement.base_level).then_some(Self {
            refinement,
            level,
            side: [across, down].map(|cells| cells as f64 * spacing),
            tiles: tiles.max(1),
        })
    }

    /// Half tiles from sample to sample of a level.
    pub(crate) fn spacing(&self, level: u32) -> f64 {
        self.side[0] / self.refinement.cells(level)[1] as f64
    }

    /// Where a place is among the samples of a level, along x and z.
    pub(super) fn place(&self, level: u32, at: DVec3) -> [f64; 2] {
        let [down, across] = self.refinement.cells(level);
        let place = |at: f64, axis: usize, cells: i64| {
            (at / self.side[axis] + 0.5 * f64::from(self.tiles)) * cells as f64
        };
        [place(at.x, 0, across), place(at.z, 1, down)]
    }

    /// The last sample of a level along x and z, over all tiles.
    fn last(&self, level: u32) -> [i64; 2] {
        let [down, across] = self.refinement.cells(level);
        [across, down].map(|cells| cells * i64::from(self.tiles))
    }

    /// How high the ground of a level is at a place, as triangles show it; `None` beside the ground.
    pub(crate) fn height(&self, level: u32, at: DVec3) -> Option<f64> {
        let place = self.place(level, at);
        let last = self.last(level);
        let mut cell = [0; 2];
        let mut part = [0.0; 2];
        for axis in 0..2 {
            if !(0.0..=last[axis] as f64).contains(&place[axis]) {
                return None;
            }
            cell[axis] = (place[axis].floor() as i64).min(last[axis] - 1);
            part[axis] = place[axis] - cell[axis] as f64;
        }
        let window = Window {
            row: cell[1],
            column: cell[0],
            rows: 2,
            columns: 2,
        };
        let corners = self.heights(level, window);
        let [x, z] = part;
        let (first, last) = (corners[0], corners[3]);
        let (middle, most, least) = if z > x {
            (corners[2], z, x)
        } else {
            (corners[1], x, z)
        };
        Some(first + most * (middle - first) + least * (last - middle))
    }

    /// The samples of a window, row by row.
    pub(super) fn heights(&self, level: u32, window: Window) -> Vec<f64> {
        let made = self.refinement.window(level, window, &Job::default());
        made.expect("nobody cancels it").into_vec()
    }

    /// Up to how far from the eye a window of that spacing is used: until the cells of the next coarser
    /// one are small enough, or as far as it reaches.
    pub(super) fn farthest(spacing: f64, depth: &Depth) -> f64 {
        spacing * (2.0 / depth.cell).min((REACH - 2) as f64)
    }

    /// The window of a level around a place, no larger than the ground.
    pub(super) fn window(&self, level: u32, around: DVec3) -> Window {
        let (place, last) = (self.place(level, around), self.last(level));
        let span = |axis: usize| {
            let middle = (place[axis] / STEP as f64).round() as i64 * STEP;
            let first = (middle - SIDE / 2).clamp(0, last[axis]);
            let end = (middle + SIDE / 2).clamp(0, last[axis]);
            (first, (end - first) as usize + 1)
        };
        let ((column, columns), (row, rows)) = (span(0), span(1));
        Window {
            row,
            column,
            rows,
            columns,
        }
    }

    /// How deep that eye sees the ground, where a pixel at distance 1 is so large; `None` if the
    /// ground itself is fine enough, or if the eye is not above any.
    ///
    /// A level is needed as long as cells of the one above are larger straight below than they need be.
    pub(crate) fn depth(&self, eye: DVec3, pixel: f64) -> Option<Depth> {
        let deepest = self.refinement.level().min(self.level + MOST);
        let mut level = self.level;
        let mut ground = self.height(level, eye)?;
        let cell = pixel.max(self.spacing(level) / WHOLE);
        while level < deepest && self.spacing(level) > cell * (eye.y - ground) {
            level += 1;
            ground = self.height(level, eye)?;
        }
        (level > self.level).then_some(Depth {
            levels: [self.level + 1, level],
            eye,
            ground,
            cell,
        })
    }
}
