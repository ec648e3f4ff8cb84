//! Heightfield for camera collision: the height of the ground under an eye, over all tiles.
//!
//! Heights are quantized to 16 bits and rounded up, so that the window can hold a second copy of a large map
//! cheaply. A height returned here is at most 1/30,000 of the relief above the drawn surface, and never below
//! it.
//!
//! Tiles that do not wrap end in cliffs. The lower side of a cliff is treated as a steep ramp, so that a
//! camera following the ground rises without a jump. Beyond the outer border the ground continues at the
//! border's height.

use std::sync::Arc;

use glam::DVec3;

use crate::pipeline::{Depth, Landscape, Lattice, LevelsBelow};
use crate::scene::{Camera, CameraMode, Scene};
use crate::terrain::heightmap::Heightmap;
use crate::util::numbers::{EMPTY_RANGE, metres_per_unit};
use crate::util::parallel;

/// Number of quantization steps between the lowest and the highest sample.
const STEPS: f32 = 65_530.0;
/// Number of samples per parallel task.
const PART: usize = 1 << 16;
/// Slope of the ramp at a cliff.
const RAMP: f32 = 4.0;

/// Quantized heightfield of one tile, and the number of times it is repeated.
#[derive(Clone, Debug)]
pub struct Ground {
    samples: Arc<Vec<u16>>,
    rows: usize,
    columns: usize,
    wraps: bool,
    low: f32,
    step: f32,
    tiles: u32,
    /// Height of the water surface, in half tiles; no returned height is lower.
    water: f32,
    /// Refinement levels between the samples, if they are drawn.
    below: Option<Arc<LevelsBelow>>,
}

impl Ground {
    /// Build the ground of `map`, repeated `tiles` × `tiles` times. Returns `None` for a profile, which has
    /// no ground. Takes two bytes per sample.
    #[must_use]
    pub fn new(map: &Heightmap, tiles: u32) -> Option<Self> {
        if map.rows() < 2 || map.columns() < 2 {
            return None;
        }
        // Comparisons instead of `f32::min`: only they vectorize.
        let range = |heights: &[f32]| {
            heights.iter().fold(EMPTY_RANGE, |(low, high), h| {
                (
                    if *h < low { *h } else { low },
                    if *h > high { *h } else { high },
                )
            })
        };
        let parts = parallel::par_items(map.heights().chunks(PART));
        let ranges = parts.map(|_, heights| range(heights)).into_iter();
        let (low, high) = ranges.fold(EMPTY_RANGE, |a, b| (a.0.min(b.0), a.1.max(b.1)));
        let step = (high - low) / STEPS;
        let per_step = if step > 0.0 { step.recip() } else { 0.0 };
        // Rounding down and adding two keeps the result above the surface despite `f32` rounding.
        let sample = |h: &f32| (((h - low) * per_step) as u16).saturating_add(2);
        let mut samples = vec![0; map.heights().len()];
        let parts = samples.chunks_mut(PART).zip(map.heights().chunks(PART));
        parallel::par_items(parts).for_each(|_, (samples, heights)| {
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

    /// The ground of a landscape, as shown by its scene.
    #[must_use]
    pub fn of(landscape: &Landscape) -> Option<Self> {
        let ground = Self::new(landscape.surface(), 1)?;
        Some(
            ground
                .over(landscape.below.clone())
                .seen_in(&landscape.scene),
        )
    }

    /// Configure the tiles, the water and the refinement levels as in `scene`. Costs nothing.
    #[must_use]
    pub fn seen_in(&self, scene: &Scene) -> Self {
        let below = self.below.clone().filter(|_| scene.shows_below());
        self.tiled(scene.view.tile)
            .over(below)
            .under_water(scene.water_level())
    }

    /// Repeat the tile `tiles` times along each side. Costs nothing.
    #[must_use]
    pub fn tiled(&self, tiles: u32) -> Self {
        Self {
            tiles: tiles.max(1),
            ..self.clone()
        }
    }

    /// Set the refinement levels between the samples, if they are drawn. Costs nothing.
    #[must_use]
    pub fn over(&self, below: Option<Arc<LevelsBelow>>) -> Self {
        Self {
            below,
            ..self.clone()
        }
    }

    /// Set the water level, in half tiles; eyes stay above the water, too. Costs nothing.
    #[must_use]
    pub fn under_water(&self, level: Option<f32>) -> Self {
        Self {
            water: level.unwrap_or(f32::NEG_INFINITY),
            ..self.clone()
        }
    }

    /// Distance from the centre to the border along x and z, in half tiles.
    #[must_use]
    pub fn reach(&self) -> [f32; 2] {
        self.side().map(|side| side * self.tiles as f32 * 0.5)
    }

    /// Number of tiles along each side.
    #[must_use]
    pub fn tiles(&self) -> u32 {
        self.tiles
    }

    /// Lowest height of the ground, in half tiles.
    #[must_use]
    pub fn lowest(&self) -> f32 {
        self.low
    }

    /// Upper bound of the ground's and the water's height, in half tiles.
    #[must_use]
    pub fn highest(&self) -> f32 {
        (self.low + (STEPS + 2.0) * self.step).max(self.water)
    }

    /// Length of a tile's sides along x and z, in half tiles.
    fn side(&self) -> [f32; 2] {
        let cells = [self.columns - 1, self.rows - 1];
        let longest = cells[0].max(cells[1]) as f32;
        cells.map(|cells| 2.0 * cells as f32 / longest)
    }

    /// Height at a position in half tiles: at or slightly above the drawn triangles. Finite for any input,
    /// NaN included.
    #[must_use]
    pub fn height(&self, x: f32, z: f32) -> f32 {
        let (across, down) = (self.place(x, 0), self.place(z, 1));
        let own = self.within(across.at, down.at);
        let own = own.max(self.water);
        if self.wraps || self.tiles == 1 {
            return own;
        }
        let mut height = own;
        // The ground across the nearest cliffs.
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

    /// True if refinement levels continue the ground between its samples.
    #[must_use]
    pub fn is_endless(&self) -> bool {
        self.below.is_some()
    }

    /// Depth to which a camera refines the ground, where cells of side `cell` at distance 1 are fine enough.
    /// `None` without refinement levels, or if the camera sees none of them.
    #[must_use]
    pub fn depth(&self, camera: &Camera, cell: f64) -> Option<Depth> {
        let lattice = Lattice::new(self.below.as_deref()?, self.tiles)?;
        Depth::seen_by(camera, &lattice, cell, self.water())
    }

    /// Height of the water, if there is any.
    fn water(&self) -> Option<f32> {
        Some(self.water).filter(|water| water.is_finite())
    }

    /// Number of refinement levels a camera sees at the distance `away`, where cells of side `cell` at
    /// distance 1 are fine enough, see [`least_cell`](crate::pipeline::least_cell).
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

    /// Number of the map's cells per tile along x (0) or z (1). Refinement levels divide them further.
    pub(super) fn cells(&self, axis: usize) -> u64 {
        // Land with rivers may be sampled more coarsely than the map.
        let below = self.below.as_deref();
        let lattice = below.and_then(|below| Lattice::new(below, self.tiles));
        let of_map = lattice.map(|lattice| lattice.cells(lattice.level())[axis] as u64);
        of_map.unwrap_or([self.columns, self.rows][axis] as u64 - 1)
    }

    /// Index of the tile under a coordinate along an axis, and the position within it, 0…1.
    pub(super) fn on_tile(&self, axis: usize, at: f64) -> (f64, f64) {
        let tiles = f64::from(self.tiles);
        let place = self.tiles_away(axis, 0.0, at).clamp(0.0, tiles);
        let tile = place.floor().min(tiles - 1.0);
        (tile, place - tile)
    }

    /// Both ends, along an axis, of the tile under a coordinate, in half tiles.
    pub(super) fn tile_around(&self, axis: usize, at: f64) -> [f64; 2] {
        let (tile, _) = self.on_tile(axis, at);
        let side = f64::from(self.side()[axis]);
        [0.0, 1.0].map(|end| (tile + end - f64::from(self.tiles) * 0.5) * side)
    }

    /// Distance of a coordinate along an axis from the start of a tile, in tiles.
    pub(super) fn tiles_away(&self, axis: usize, tile: f64, at: f64) -> f64 {
        at / f64::from(self.side()[axis]) + f64::from(self.tiles) * 0.5 - tile
    }

    /// Height at a position in half tiles, with detail down to `size`. Where refinement levels exist, it is
    /// taken from the first level whose cells are no larger than `size`. Cost: some microseconds per level.
    #[must_use]
    pub fn height_near(&self, x: f64, z: f64, size: f64) -> f64 {
        let fine = || {
            let below = self.below.as_deref();
            // Refinement levels are not generated before a camera is close enough to need them.
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

    /// Locate a coordinate of one axis within its tile.
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

    /// Height at a position within the tile, in sample coordinates.
    fn within(&self, column: f64, row: f64) -> f32 {
        let cell = |at: f64, count: usize| (at as usize).min(count - 2);
        let (x, z) = (cell(column, self.columns), cell(row, self.rows));
        let (u, v) = ((column - x as f64) as f32, (row - z as f64) as f32);
        let sample = |x: usize, z: usize| f32::from(self.samples[z * self.columns + x]);
        let (a, d) = (sample(x, z), sample(x + 1, z + 1));
        // The diagonal runs from north-west to south-east, as in the drawn triangles.
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

/// Position along one axis of a tile.
struct TilePlace {
    /// Distance from the tile's first sample, in samples.
    at: f64,
    /// Border of the nearest adjacent tile, in samples of that tile, and the distance to it, in half tiles.
    /// `None` at the outer border.
    beyond: Option<(f64, f32)>,
}

// Height of the eye above the ground, per camera mode.

/// Usual clearance of an eye above the ground, in half tiles; less when it is close or slow.
pub const CLEARANCE: f32 = 0.003;
/// Clearance as a fraction of the camera's distance to its target, or of its speed per second.
const OF_DISTANCE: f32 = 0.05;
/// Lower limit of a walking eye's height above the ground, in half tiles.
const LOWEST: f32 = 1e-9;
/// Size of the smallest ground detail taken into account, as a fraction of the eye's height.
const SMALLEST: f64 = 0.02;

/// Height of a walking eye above the ground, in half tiles, on tiles of `tile_size_m` metres. On the very
/// largest tiles it is more than the setting, so that `f32` can tell the eye from the ground.
#[must_use]
pub fn eye_height(camera: &Camera, tile_size_m: f32) -> f32 {
    (camera.eye_height / metres_per_unit(tile_size_m) as f32).clamp(LOWEST, 1.0e3)
}

/// Minimum clearance of the camera's eye above the ground, in half tiles; smaller when the target is close or
/// the speed low.
pub(super) fn clearance(camera: &Camera) -> f32 {
    let scale = match camera.mode {
        CameraMode::Orbit | CameraMode::Top => camera.distance,
        CameraMode::Fly | CameraMode::Walk => camera.speed,
    };
    CLEARANCE.min(OF_DISTANCE * scale)
}

/// Height of the ground under an eye that is to stay `above` over it, in half tiles.
pub(super) fn ground_under(ground: &Ground, eye: DVec3, above: f32) -> f64 {
    ground.height_near(eye.x, eye.z, SMALLEST * f64::from(above))
}

/// The camera with its eye raised to at least `clearance` above the ground.
pub(super) fn lifted(camera: Camera, ground: Option<&Ground>, clearance: f32) -> Camera {
    let mut eye = camera.eye();
    let Some(ground) = ground else {
        return camera;
    };
    let least = ground_under(ground, eye, clearance) + f64::from(clearance);
    if eye.y >= least {
        return camera;
    }
    eye.y = least;
    camera.with_eye(eye)
}

// Collision of orbiting cameras with the ground.

/// Raise an orbiting eye out of `ground`, keeping its viewing direction.
///
/// An eye inside the ground or under water is moved just above it. With a single tile the eye may go below
/// the floor, and beyond the border it may go anywhere. Cameras in other modes avoid the ground by themselves
/// and are returned unchanged.
#[must_use]
pub fn above_ground(camera: &Camera, ground: &Ground) -> Camera {
    let eye = camera.eye();
    let [x, z] = ground.reach().map(f64::from);
    let within = eye.x.abs() <= x && eye.z.abs() <= z;
    let underneath = ground.tiles() == 1 && eye.y < f64::from(ground.lowest());
    if camera.mode != CameraMode::Orbit || !within || underneath {
        return camera.clone();
    }
    let above = clearance(camera);
    let least = ground_under(ground, eye, above) + f64::from(above);
    if eye.y >= least {
        return camera.clone();
    }
    camera.clone().with_eye(DVec3 { y: least, ..eye })
}
