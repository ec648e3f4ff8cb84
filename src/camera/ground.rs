//! How high the ground is under an eye, over all tiles.
//!
//! Heights are kept as whole numbers of 16 bits, rounded up, so that the window can keep those of a
//! large map beside the map itself. A height given here is at most one part in 30,000 of the relief
//! above what is drawn, and never below.
//!
//! Tiles that do not wrap end in cliffs. There the lower side rises towards the cliff as a steep
//! ramp, so that a camera that stays above the ground goes up and down without a jump. Beyond the
//! outer border the ground goes on at the height of the border.

use std::sync::Arc;

use crate::heightmap::Heightmap;
use crate::numbers::EMPTY_RANGE;
use crate::parallel;
use crate::pipeline::{Depth, Landscape, Lattice, LevelsBelow};
use crate::scene::{Camera, Scene};

/// The number of steps between the lowest and the highest sample.
const STEPS: f32 = 65_530.0;
/// The samples that a thread takes together.
const PART: usize = 1 << 16;
/// The slope of a ramp at a cliff.
const RAMP: f32 = 4.0;

/// The heights of one tile, and how often it is repeated.
#[derive(Clone, Debug)]
pub struct Ground {
    samples: Arc<Vec<u16>>,
    rows: usize,
    columns: usize,
    wraps: bool,
    low: f32,
    step: f32,
    tiles: u32,
    /// The height of the water; no ground is lower.
    water: f32,
    /// What lies between the samples, where that is drawn.
    below: Option<Arc<LevelsBelow>>,
}

impl Ground {
    /// The ground of `map`, repeated `tiles` × `tiles` times. A profile has no ground: it gives
    /// `None`. The heights take two bytes a sample.
    #[must_use]
    pub fn new(map: &Heightmap, tiles: u32) -> Option<Self> {
        if map.rows() < 2 || map.columns() < 2 {
            return None;
        }
        // These are comparisons, not f32::min, since comparisons become vector instructions.
        let range = |heights: &[f32]| {
            heights.iter().fold(EMPTY_RANGE, |(low, high), h| {
                (
                    if *h < low { *h } else { low },
                    if *h > high { *h } else { high },
                )
            })
        };
        let parts = parallel::over(map.heights().chunks(PART));
        let ranges = parts.map(|_, heights| range(heights)).into_iter();
        let (low, high) = ranges.fold(EMPTY_RANGE, |a, b| (a.0.min(b.0), a.1.max(b.1)));
        let step = (high - low) / STEPS;
        let per_step = if step > 0.0 { step.recip() } else { 0.0 };
        // Rounding down and adding two keeps the height above, whatever rounding in f32 takes away.
        let sample = |h: &f32| (((h - low) * per_step) as u16).saturating_add(2);
        let mut samples = vec![0; map.heights().len()];
        let parts = samples.chunks_mut(PART).zip(map.heights().chunks(PART));
        parallel::over(parts).each(|_, (samples, heights)| {
            for (out, height) in samples.iter_mut().zip(heights) {
                *out = sample(height);
            }
        });
        Some(Self {
            samples: Arc::new(samples),
            rows: map.rows(),
            columns: map.columns(),
            wraps: map.wraps(),
            low,
            step,
            tiles: tiles.max(1),
            water: f32::NEG_INFINITY,
            below: None,
        })
    }

    /// The ground of a landscape, as it is in the pictures of its scene.
    #[must_use]
    pub fn of(landscape: &Landscape) -> Option<Self> {
        let ground = Self::new(landscape.surface(), 1)?;
        Some(
            ground
                .over(landscape.below.clone())
                .seen_in(&landscape.scene),
        )
    }

    /// The same ground as it is in pictures of `scene`: its tiles, its water, and what lies between
    /// its samples, if that is drawn. Costs nothing.
    #[must_use]
    pub fn seen_in(&self, scene: &Scene) -> Self {
        let below = self.below.clone().filter(|_| scene.shows_below());
        self.tiled(scene.view.tile)
            .over(below)
            .under_water(scene.water_level())
    }

    /// The same tile, repeated `tiles` times along each side. Costs nothing.
    #[must_use]
    pub fn tiled(&self, tiles: u32) -> Self {
        Self {
            tiles: tiles.max(1),
            ..self.clone()
        }
    }

    /// The same ground with what lies between its samples, if that is drawn. Costs nothing.
    #[must_use]
    pub fn over(&self, below: Option<Arc<LevelsBelow>>) -> Self {
        Self {
            below,
            ..self.clone()
        }
    }

    /// The same ground under water up to `level`, in half tiles; eyes stay above the water, too.
    /// Costs nothing.
    #[must_use]
    pub fn under_water(&self, level: Option<f32>) -> Self {
        Self {
            water: level.unwrap_or(f32::NEG_INFINITY),
            ..self.clone()
        }
    }

    /// The distance from the middle to the border along x and z, in half tiles.
    #[must_use]
    pub fn reach(&self) -> [f32; 2] {
        self.side().map(|side| side * self.tiles as f32 * 0.5)
    }

    /// The number of tiles along each side.
    #[must_use]
    pub fn tiles(&self) -> u32 {
        self.tiles
    }

    /// The lowest height of the ground, in half tiles.
    #[must_use]
    pub fn lowest(&self) -> f32 {
        self.low
    }

    /// A height that no ground and no water is above, in half tiles.
    #[must_use]
    pub fn highest(&self) -> f32 {
        (self.low + (STEPS + 2.0) * self.step).max(self.water)
    }

    /// The length of a tile's sides along x and z, in half tiles.
    fn side(&self) -> [f32; 2] {
        let cells = [self.columns - 1, self.rows - 1];
        let longest = cells[0].max(cells[1]) as f32;
        cells.map(|cells| 2.0 * cells as f32 / longest)
    }

    /// The height at a place in half tiles: that of the triangles that are drawn, or a little
    /// above. It is finite for any place, NaN included.
    #[must_use]
    pub fn height(&self, x: f32, z: f32) -> f32 {
        let (across, down) = (self.place(x, 0), self.place(z, 1));
        let own = self.within(across.at, down.at);
        let own = own.max(self.water);
        if self.wraps || self.tiles == 1 {
            return own;
        }
        let mut height = own;
        // The ground on the other side of the nearest cliffs.
        if let Some((at, distance)) = across.beyond {
            height = height.max(self.within(at, down.at) - RAMP * distance);
        }
        if let Some((at, distance)) = down.beyond {
            height = height.max(self.within(across.at, at) - RAMP * distance);
        }
        if let (Some((x, dx)), Some((z, dz))) = (across.beyond, down.beyond) {
            height = height.max(self.within(x, z) - RAMP * (dx + dz));
        }
        height
    }

    /// Whether it goes on between its samples.
    #[must_use]
    pub fn is_endless(&self) -> bool {
        self.below.is_some()
    }

    /// How deep a camera sees it, where cells of that side at distance 1 are fine enough, if it goes on
    /// between its samples and is seen deeper than them.
    #[must_use]
    pub fn depth(&self, camera: &Camera, cell: f64) -> Option<Depth> {
        let lattice = Lattice::new(self.below.as_deref()?, self.tiles)?;
        Depth::seen_by(camera, &lattice, cell, self.water())
    }

    /// The height of the water, if there is any.
    fn water(&self) -> Option<f32> {
        Some(self.water).filter(|water| water.is_finite())
    }

    /// How many levels below its samples a camera sees what is so far away, where at distance
    /// 1 is fine enough for cells of that side, see [`least_cell`](crate::pipeline::least_cell).
    pub(super) fn levels_seen(&self, camera: &Camera, cell: f64, away: f64) -> u32 {
        let seen = || {
            let lattice = Lattice::new(self.below.as_deref()?, self.tiles)?;
            let depth = Depth::seen_by(camera, &lattice, cell, self.water())?;
            let levels = lattice.level()..depth.levels[1];
            let coarser = levels.take_while(|level| lattice.spacing(*level) > depth.cell * away);
            Some(coarser.count() as u32)
        };
        seen().unwrap_or(0)
    }

    /// The number of cells of a tile along x (0) or z (1), of which those of the levels below are parts.
    pub(super) fn cells(&self, axis: usize) -> u64 {
        // Land with rivers may have fewer samples than the map.
        let below = self.below.as_deref();
        let lattice = below.and_then(|below| Lattice::new(below, self.tiles));
        let of_map = lattice.map(|lattice| lattice.cells(lattice.level())[axis] as u64);
        of_map.unwrap_or([self.columns, self.rows][axis] as u64 - 1)
    }

    /// The tile that a place along an axis lies on, and the part of it that is before the place.
    pub(super) fn on_tile(&self, axis: usize, at: f64) -> (f64, f64) {
        let tiles = f64::from(self.tiles);
        let place = self.tiles_away(axis, 0.0, at).clamp(0.0, tiles);
        let tile = place.floor().min(tiles - 1.0);
        (tile, place - tile)
    }

    /// The ends along an axis of the tile that a place lies on, in half tiles.
    pub(super) fn tile_around(&self, axis: usize, at: f64) -> [f64; 2] {
        let (tile, _) = self.on_tile(axis, at);
        let side = f64::from(self.side()[axis]);
        [0.0, 1.0].map(|end| (tile + end - f64::from(self.tiles) * 0.5) * side)
    }

    /// How far a place along an axis lies from the beginning of a tile, in tiles.
    pub(super) fn tiles_away(&self, axis: usize, tile: f64, at: f64) -> f64 {
        at / f64::from(self.side()[axis]) + f64::from(self.tiles) * 0.5 - tile
    }

    /// The height at a place as an eye sees it for which only what is as large as `size` counts, in
    /// half tiles: where the ground goes on between its samples, that of a level whose cells are no
    /// larger. Cost: some microseconds for each level.
    #[must_use]
    pub fn height_near(&self, x: f64, z: f64, size: f64) -> f64 {
        let fine = || {
            let below = self.below.as_deref();
            // What is below is not made before somebody comes so near.
            let below = below.filter(|below| f64::from(below.spacing()) > size)?;
            let lattice = Lattice::new(below, self.tiles)?;
            let mut level = lattice.level();
            while level < lattice.deepest() && lattice.spacing(level) > size {
                level += 1;
            }
            Some(lattice.height(level, x, z)?.max(f64::from(self.water)))
        };
        fine().unwrap_or_else(|| f64::from(self.height(x as f32, z as f32)))
    }

    /// Where along one axis a place lies within its tile.
    fn place(&self, at: f32, axis: usize) -> TilePlace {
        let (side, count) = (self.side()[axis], [self.columns, self.rows][axis]);
        let cells = (count - 1) as f64;
        let tiles = f64::from(self.tiles);
        let tile = f64::from(at) / f64::from(side) + tiles * 0.5;
        // NaN becomes the border, as `min` and `max` treat it.
        let tile = tile.max(0.0).min(tiles);
        let first = tile.floor().min(tiles - 1.0);
        let within = tile - first;
        let next = if within < 0.5 {
            (first > 0.0).then_some((cells, within))
        } else {
            (first + 1.0 < tiles).then_some((0.0, 1.0 - within))
        };
        TilePlace {
            at: within * cells,
            beyond: next.map(|(at, distance)| (at, distance as f32 * side)),
        }
    }

    /// The height at a place within the tile, counted in samples.
    fn within(&self, column: f64, row: f64) -> f32 {
        let cell = |at: f64, count: usize| (at as usize).min(count - 2);
        let (x, z) = (cell(column, self.columns), cell(row, self.rows));
        let (u, v) = ((column - x as f64) as f32, (row - z as f64) as f32);
        let sample = |x: usize, z: usize| f32::from(self.samples[z * self.columns + x]);
        let (a, d) = (sample(x, z), sample(x + 1, z + 1));
        // The diagonal goes from the north-west to the south-east, as in the triangles drawn.
        let steps = if u > v {
            let b = sample(x + 1, z);
            a + (b - a) * u + (d - b) * v
        } else {
            let c = sample(x, z + 1);
            a + (c - a) * v + (d - c) * u
        };
        self.low + steps * self.step
    }
}

/// A place along one axis of a tile.
struct TilePlace {
    /// The distance from the tile's first sample, in samples.
    at: f64,
    /// The border of the nearest other tile, in samples of that tile, and the distance to it, in
    /// half tiles. There is none at the outer border.
    beyond: Option<(f64, f32)>,
}
