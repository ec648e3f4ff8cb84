//! Refinement of the ground beyond its last iteration: levels of detail between the samples, over all tiles.

use std::collections::HashMap;
use std::mem;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use glam::DVec3;

use super::request::{is_untouched, surface_of};
use super::rock::bedrock;
use crate::fractal::Edges;
use crate::fractal::refinement::{Below, Refinement, level_of};
use crate::fractal::region::Window;
use crate::generate::{GenerateError, Generator, Images, MAX_ITERATIONS};
use crate::scene::{Camera, CameraMode, RenderType, Scene};
use crate::shading::snow::SnowCover;
use crate::terrain::heightmap::Heightmap;
use crate::terrain::measure;
use crate::terrain::rivers::{MOST_SAMPLES, Rivers};
use crate::terrain::snow::{Snow, Steps};
use crate::util::job::{Cancelled, Job};
use crate::util::numbers::{thinning, wrapped};
use crate::util::parallel;

/// Samples of the ground and of all its refinement levels, over `tiles` × `tiles` tiles. Position 0, 0 is the
/// centre.
#[derive(Clone, Copy)]
pub struct Lattice<'a> {
    refinement: &'a Refinement,
    level: u32,
    /// Sides of a tile along x and z, in half tiles.
    side: [f64; 2],
    tiles: u32,
    /// Rivers, lakes and snow on the ground, where they are shown.
    rivers: Option<&'a Rivers>,
    snow: Option<&'a Snow>,
    patches: &'a PatchCache,
}

impl<'a> Lattice<'a> {
    /// Build the lattice of a landscape with these levels. `None` if it has no refinement, or if its tiles do
    /// not join.
    #[must_use]
    pub fn new(below: &'a LevelsBelow, tiles: u32) -> Option<Self> {
        let refinement = below.refinement()?;
        if tiles > 1 && refinement.rule.edges != Edges::Wrap {
            return None;
        }
        let (level, spacing) = (below.level(), f64::from(below.spacing()));
        let [down, across] = refinement.cells(level);
        Some(Self {
            refinement,
            level,
            side: [across, down].map(|cells| cells as f64 * spacing),
            tiles: tiles.max(1),
            rivers: below.rivers.as_deref(),
            snow: below.snow.as_ref().map(|cover| &cover.snow),
            patches: &below.patches,
        })
    }

    /// Level of the ground itself.
    #[must_use]
    pub fn level(&self) -> u32 {
        self.level
    }

    /// Deepest level available.
    #[must_use]
    pub fn deepest(&self) -> u32 {
        self.refinement.level()
    }

    /// True if tiles join without cliffs.
    #[must_use]
    pub fn wraps(&self) -> bool {
        self.refinement.rule.edges == Edges::Wrap
    }

    /// Distance between adjacent samples of a level, in half tiles.
    #[must_use]
    pub fn spacing(&self, level: u32) -> f64 {
        self.side[0] / self.cells(level)[0] as f64
    }

    /// Cells of a tile at a level, along x and z.
    #[must_use]
    pub fn cells(&self, level: u32) -> [i64; 2] {
        let [down, across] = self.refinement.cells(level);
        [across, down]
    }

    /// Last sample of a level along x and z, over all tiles.
    #[must_use]
    pub fn last(&self, level: u32) -> [i64; 2] {
        self.cells(level).map(|cells| cells * i64::from(self.tiles))
    }

    /// Convert a position in half tiles to sample coordinates of a level, along x and z.
    #[must_use]
    pub fn place(&self, level: u32, x: f64, z: f64) -> [f64; 2] {
        let cells = self.cells(level);
        let place = |at: f64, axis: usize| {
            (at / self.side[axis] + 0.5 * f64::from(self.tiles)) * cells[axis] as f64
        };
        [place(x, 0), place(z, 1)]
    }

    /// Height of a level's triangulated surface at a position in half tiles; `None` outside the ground. Cost:
    /// some microseconds per level, next to nothing close to recently requested positions.
    #[must_use]
    pub fn height(&self, level: u32, x: f64, z: f64) -> Option<f64> {
        let (place, last) = (self.place(level, x, z), self.last(level));
        let (mut cell, mut part) = ([0; 2], [0.0; 2]);
        for axis in 0..2 {
            if !(0.0..=last[axis] as f64).contains(&place[axis]) {
                return None;
            }
            cell[axis] = (place[axis].floor() as i64).min(last[axis] - 1);
            part[axis] = place[axis] - cell[axis] as f64;
        }
        let make = |window| self.heights(level, window);
        let at = (self.tiles, level);
        let [north_west, north_east, south_west, south_east] =
            self.patches.corners(at, cell, last, make);
        let [x, z] = part;
        let (middle, most, least) = if z > x {
            (south_west, z, x)
        } else {
            (north_east, x, z)
        };
        Some(north_west + most * (middle - north_west) + least * (south_east - middle))
    }

    /// Heights of a window, row by row, in half tiles: the ground, with the rivers, lakes and snow where they are
    /// shown.
    ///
    /// # Panics
    /// As [`Refinement::window`].
    #[must_use]
    pub fn heights(&self, level: u32, window: Window) -> Vec<f64> {
        let mut heights = self.bare_heights(level, window);
        self.cover(level, window, &mut heights);
        heights
    }

    /// Heights of a window of the ground alone.
    ///
    /// # Panics
    /// As [`Refinement::window`].
    #[must_use]
    pub fn bare_heights(&self, level: u32, window: Window) -> Vec<f64> {
        let made = self.refinement.window(level, window, &Job::default());
        made.expect("nobody cancels it").into_vec()
    }

    /// True if rivers, lakes or snow are shown on the ground.
    #[must_use]
    pub fn is_covered(&self) -> bool {
        self.rivers.is_some() || self.snow.is_some()
    }

    /// Put the rivers, lakes and snow on the ground of a window, where they are shown. The height of a sample depends on
    /// its own position and height alone, and on the map.
    pub fn cover(&self, level: u32, window: Window, heights: &mut [f64]) {
        if let Some(rivers) = self.rivers {
            let ground = GroundSamples {
                last: self.last(self.level),
                cells: self.cells(self.level),
                heights: |window| self.bare_heights(self.level, window),
            };
            apply_water(rivers, &ground, level - self.level, window, heights);
        }
        if let Some(snow) = self.snow {
            let cells = self.cells(level);
            let steps = |axis: usize, first: i64| {
                let by = snow.cells()[axis] / cells[axis] as f64;
                Steps {
                    first: first as f64 * by,
                    by,
                }
            };
            let (down, across) = (steps(1, window.row), steps(0, window.column));
            snow.lay(down, across, window.columns, heights);
        }
    }
}

/// True if the ground is diamond-square alone; its refinement levels are then further iterations.
#[must_use]
pub fn goes_on_as_itself(scene: &Scene) -> bool {
    surface_of(scene).generator == Generator::DiamondSquare && is_untouched(scene)
}

/// Build the refinement of `map`, the ground of a scene, with `levels` levels of diamond-square.
///
/// H is the scene's detail setting, else the one of its generator, else measured from the map. An unmodified
/// ground that is a function of the position is refined by evaluating that function.
///
/// # Errors
/// The job was cancelled.
pub fn refined(
    map: &Heightmap,
    scene: &Scene,
    levels: u32,
    job: &Job,
) -> Result<Refinement, GenerateError> {
    let surface = surface_of(scene);
    let function = if is_untouched(scene) {
        surface.function(&scene.detail)?
    } else {
        None
    };
    let asked = scene.detail.hurst.or(surface.requested_hurst());
    let hurst = asked.unwrap_or_else(|| match function {
        // A function needs no displacements.
        Some(_) => 1.0,
        None => measured_hurst(map),
    });
    let below = Below {
        levels,
        hurst,
        strength: scene.detail.strength,
        seed: surface.seed,
    };
    let mut refinement = Refinement::below(map, &below, job)?;
    if let Some(bedrock) = bedrock(map, scene, job)? {
        refinement.lay_bedrock(bedrock);
    }
    Ok(match function {
        Some(function) => refinement.following(function),
        None => refinement,
    })
}

/// Measured H of the map, 0…1; 1 for a flat or a tiny map.
fn measured_hurst(map: &Heightmap) -> f32 {
    let found = measure::hurst(&measure::variations(map));
    found.map_or(1.0, |hurst| hurst.clamp(0.0, 1.0) as f32)
}

/// Maximum number of samples of a map that may be held twice: 2049².
const MOST_HELD: usize = 2049 * 2049;

/// True if a map is so large that its memory must be reused by the next one.
#[must_use]
pub fn is_large(map: &Heightmap) -> bool {
    map.heights().len() > MOST_HELD
}

/// Refinement levels of a landscape's ground without rivers, lakes and snow, generated at the first use. They are
/// unavailable once the landscape of a large map is gone.
#[derive(Debug)]
pub(super) struct BareLevels {
    scene: Scene,
    images: Images,
    heights: Weak<Heightmap>,
    // Only for small maps: holding a large one would block the reuse of its memory.
    _held: Option<Arc<Heightmap>>,
    level: u32,
    spacing: f32,
    made: OnceLock<Option<Refinement>>,
}

impl BareLevels {
    /// Prepare the refinement of `heights`, the ground of `scene`.
    pub(super) fn new(scene: &Scene, images: &Images, heights: &Arc<Heightmap>) -> Self {
        Self {
            scene: scene.clone(),
            images: images.clone(),
            heights: Arc::downgrade(heights),
            _held: (!is_large(heights)).then(|| Arc::clone(heights)),
            level: level_of(heights),
            spacing: heights.spacing(),
            made: OnceLock::new(),
        }
    }

    fn make(&self, job: &Job) -> Option<Refinement> {
        let scene = &self.scene;
        let (last, refinement) = if goes_on_as_itself(scene) {
            let surface = surface_of(scene);
            let levels = MAX_ITERATIONS.checked_sub(surface.iterations)?;
            let made = surface.refinement(&scene.detail, levels, &self.images, job);
            (surface.iterations, made.ok().flatten())
        } else {
            let levels = MAX_ITERATIONS.checked_sub(self.level)?;
            let made = refined(&*self.heights.upgrade()?, scene, levels, job);
            (self.level, made.ok())
        };
        let mut refinement = refinement?;
        let deepest = refinement.deepest().min(last + scene.detail.levels);
        refinement.rule.amplitudes.truncate(deepest as usize);
        Some(refinement)
    }
}

/// Refinement levels of a landscape's ground, with the rivers, lakes and snow that are shown.
#[derive(Debug)]
pub struct LevelsBelow {
    bare: Arc<BareLevels>,
    rivers: Option<Arc<Rivers>>,
    snow: Option<Arc<SnowCover>>,
    patches: PatchCache,
}

impl LevelsBelow {
    pub(super) fn new(
        bare: Arc<BareLevels>,
        rivers: Option<&Arc<Rivers>>,
        snow: Option<&Arc<SnowCover>>,
    ) -> Self {
        Self {
            bare,
            rivers: rivers.cloned(),
            snow: snow.cloned(),
            patches: PatchCache::default(),
        }
    }

    /// Level of the ground itself.
    #[must_use]
    pub fn level(&self) -> u32 {
        self.bare.level
    }

    /// Distance between adjacent samples of the ground, in half tiles.
    #[must_use]
    pub fn spacing(&self) -> f32 {
        self.bare.spacing
    }

    /// Rivers and lakes on the ground, where they are shown.
    #[must_use]
    pub fn rivers(&self) -> Option<&Rivers> {
        self.rivers.as_deref()
    }

    /// True if both refine the same ground, whatever rivers, lakes and snow are on it.
    #[must_use]
    pub fn has_ground_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.bare, &other.bare)
    }

    /// The refinement of the ground, with as many levels as the scene wants and 64 bits can address. `None`
    /// if it cannot be built or the ground is gone. The first call costs as much as [`Refinement::below`],
    /// later ones nothing.
    #[must_use]
    pub fn refinement(&self) -> Option<&Refinement> {
        let uncancelled = || self.bare.make(&Job::default());
        self.bare.made.get_or_init(uncancelled).as_ref()
    }

    /// Build the refinement ahead of the first use, unless that is done.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn prepare(&self, job: &Job) -> Result<(), Cancelled> {
        if !self.is_made() {
            let made = self.bare.make(job);
            // A cancelled result must not be cached.
            job.check()?;
            // Another thread may have built the same refinement meanwhile.
            let _ = self.bare.made.set(made);
        }
        Ok(())
    }

    /// True if [`LevelsBelow::refinement`] is free.
    #[must_use]
    pub fn is_made(&self) -> bool {
        self.bare.made.get().is_some()
    }
}

// Depth of the visible refinement: the finest level of detail a camera resolves.

/// Maximum number of refinement levels in a picture. With a window of 1025 × 1025 samples of 9 bytes each
/// they take 246 MB.
pub const MOST_LEVELS_SHOWN: u32 = 26;

/// Distance in half tiles (the side of a tile) below which refinement begins. Closer than that, refined cells
/// are no smaller in the picture than the map's own cells at this distance. From afar a scene shows its own
/// iterations, and close up as many cells as from afar.
const WHOLE: f64 = 2.0;

/// Pixels between lines of render type `lines`, and the limits of the number of lines within their own
/// distance.
const LINES_APART: f64 = 5.4;
const FEWEST_LINES: f64 = 64.0;
const MOST_LINES: f64 = 192.0;

/// Minimum height of a parallel camera's eye above the water, as a fraction of the water level.
const WATER: f64 = 1e-6;

/// Minimum side of a refined cell at distance 1, for a pixel of side `pixel` at distance 1. `None` without
/// refinement.
#[must_use]
pub fn least_cell(scene: &Scene, pixel: f64) -> Option<f64> {
    let shown = scene.render_type();
    let cell = match shown {
        RenderType::Lines => (LINES_APART * pixel).clamp(MOST_LINES.recip(), FEWEST_LINES.recip()),
        _ => pixel,
    };
    scene.shows_below().then_some(cell)
}

/// Depth of the visible refinement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Depth {
    /// First refinement level, and the finest visible one.
    pub levels: [u32; 2],
    /// Position of the eye, in half tiles.
    pub eye: DVec3,
    /// Height below the eye in half tiles: the ground's, or in parallel projection that of the water over it.
    pub ground: f64,
    /// Minimum side of a cell at distance 1.
    pub cell: f64,
}

impl Depth {
    /// Find the levels that a camera resolves, where cells of side `cell` at distance 1 are fine enough, see
    /// [`least_cell`]. `None` if the ground's own samples suffice, or if the eye is not above the ground.
    ///
    /// A level is visible while the cells of the level above are too large straight below the eye. In
    /// parallel projection all cells are as large as at the distance of the target, so the eye counts as that
    /// high, measured from the water if there is any. Cost: one [`Lattice::height`] per level.
    #[must_use]
    pub fn seen_by(
        camera: &Camera,
        lattice: &Lattice<'_>,
        cell: f64,
        water: Option<f32>,
    ) -> Option<Self> {
        Self::seen_to(camera, lattice, cell, water, u32::MAX)
    }

    /// As [`Depth::seen_by`], down to the level `finest` at most.
    #[must_use]
    pub fn seen_to(
        camera: &Camera,
        lattice: &Lattice<'_>,
        cell: f64,
        water: Option<f32>,
        finest: u32,
    ) -> Option<Self> {
        let eye = camera.eye();
        let deepest = lattice.deepest().min(lattice.level() + MOST_LEVELS_SHOWN);
        let deepest = deepest.min(finest);
        let mut level = lattice.level();
        let mut ground = lattice.height(level, eye.x, eye.z)?;
        let cell = cell.max(lattice.spacing(level) / WHOLE);
        let high = |ground: f64| match camera.mode {
            CameraMode::Top => f64::from(camera.distance),
            _ => eye.y - ground,
        };
        while level < deepest && lattice.spacing(level) > cell * high(ground) {
            level += 1;
            ground = lattice.height(level, eye.x, eye.z)?;
        }
        // Finer levels may be lower, so only the finest decides if the eye is above the ground.
        let high = high(ground);
        let is_seen = level > lattice.level() && high > 0.0;
        let over = match (camera.mode, water.map(f64::from)) {
            // Far enough above the water for `f32`.
            (CameraMode::Top, Some(water)) => {
                ground.max(water + (WATER * water.abs() - high).max(0.0))
            }
            _ => ground,
        };
        is_seen.then_some(Self {
            levels: [lattice.level() + 1, level],
            eye: eye.with_y(over + high),
            ground: over,
            cell,
        })
    }
}

// Rivers and lakes on the refinement levels of the ground.
//
// The change that water makes at the ground's samples is interpolated bilinearly. Water surfaces lose the
// refined detail, and banks are cut as on the ground.

/// The ground's own samples, over all tiles.
pub(super) struct GroundSamples<F> {
    /// Last sample over all tiles, and number of cells per tile, along x and z.
    pub(super) last: [i64; 2],
    pub(super) cells: [i64; 2],
    /// Function that returns the heights of a window.
    pub(super) heights: F,
}

/// Effect of water at one sample of the ground.
#[derive(Clone, Copy, Default)]
struct Change {
    /// Height of the ground without water.
    ground: f64,
    /// Difference between the surface and the ground.
    by: f64,
    /// Fraction of the cell covered by water.
    water: f64,
}

/// Positions of a row of refined samples, in samples of the ground: the first, and the step.
#[derive(Clone, Copy)]
struct Along {
    first: f64,
    by: f64,
}

impl Along {
    fn new(first: i64, levels: u32) -> Self {
        let by = (-f64::from(levels)).exp2();
        Self {
            first: first as f64 * by,
            by,
        }
    }

    /// Range of ground samples that encloses `count` refined ones.
    fn span(&self, count: usize) -> Range<i64> {
        let last = self.first + self.by * (count - 1) as f64;
        self.first.floor() as i64..last.floor() as i64 + 2
    }

    /// Index within a span of the ground sample before a refined one, and the fraction on the way to the
    /// next.
    fn place(&self, index: usize, span: &Range<i64>) -> (usize, f64) {
        let place = self.first + self.by * index as f64 - span.start as f64;
        (place as usize, place.fract())
    }
}

/// Apply rivers and lakes to the heights of a window, `levels` levels below `ground`. Water surfaces become
/// smooth, and banks are cut as on the ground.
pub(super) fn apply_water<F: Fn(Window) -> Vec<f64>>(
    rivers: &Rivers,
    ground: &GroundSamples<F>,
    levels: u32,
    window: Window,
    heights: &mut [f64],
) {
    let (down, across) = (
        Along::new(window.row, levels),
        Along::new(window.column, levels),
    );
    let (rows, columns) = (down.span(window.rows), across.span(window.columns));
    let changes = changes(rivers, ground, &rows, &columns);
    if changes
        .iter()
        .all(|change| change.by == 0.0 && change.water == 0.0)
    {
        return;
    }
    let wide = (columns.end - columns.start) as usize;
    let lines = parallel::par_items(heights.chunks_exact_mut(window.columns));
    lines.at_least(16).for_each(|row, heights| {
        let (line, south) = down.place(row, &rows);
        let lines = [line, line + 1].map(|line| &changes[line * wide..][..wide]);
        for (column, height) in heights.iter_mut().enumerate() {
            let (at, east) = across.place(column, &columns);
            let mixed = |of: fn(&Change) -> f64| {
                let [north, other] = lines.map(|line| {
                    let (a, b) = (of(&line[at]), of(&line[at + 1]));
                    a + east * (b - a)
                });
                north + south * (other - north)
            };
            let (by, water) = (mixed(|change| change.by), mixed(|change| change.water));
            if by != 0.0 || water != 0.0 {
                let detail = *height - mixed(|change| change.ground);
                *height += by - water * detail;
            }
        }
    });
}

/// Effects of water at the ground's samples in some rows and columns, over all tiles.
fn changes<F: Fn(Window) -> Vec<f64>>(
    rivers: &Rivers,
    ground: &GroundSamples<F>,
    rows: &Range<i64>,
    columns: &Range<i64>,
) -> Vec<Change> {
    let GroundSamples { last, cells, .. } = *ground;
    let within = |span: &Range<i64>, last: i64| span.start..span.end.min(last + 1);
    let (known_rows, known) = (within(rows, last[1]), within(columns, last[0]));
    let grounds = (ground.heights)(Window {
        row: known_rows.start,
        column: known.start,
        rows: (known_rows.end - known_rows.start) as usize,
        columns: (known.end - known.start) as usize,
    });
    let wide = (known.end - known.start) as usize;
    let sides = cells.map(|cells| cells as usize + 1);
    // Rivers of large maps are computed on a thinned map.
    let step = thinning(sides[0].max(sides[1]), MOST_SAMPLES);
    let down: Vec<_> = (rows.clone())
        .map(|row| Thinned::new(row.min(last[1]), sides[1], step))
        .collect();
    let across: Vec<_> = (columns.clone())
        .map(|column| Thinned::new(column.min(last[0]), sides[0], step))
        .collect();
    let places = rows.clone().zip(&down).flat_map(|(row, down)| {
        let each = columns.clone().zip(&across);
        each.map(move |(column, across)| (row, down, column, across))
    });
    let found = places.map(|(row, down, column, across)| {
        let (row, column) = (row.min(last[1]), column.min(last[0]));
        let at = (row - known_rows.start) as usize * wide + (column - known.start) as usize;
        let ground = grounds[at];
        let mixed = |of: &dyn Fn(usize, usize) -> f64| {
            let on = |row: usize| across.mix(of(row, across.first), of(row, across.second));
            down.mix(on(down.first), on(down.second))
        };
        let water = mixed(&|row, column| f64::from(rivers.part.at(row, column)[0]) / 255.0);
        let by = mixed(&|row, column| f64::from(rivers.surface.at(row, column))) - ground;
        let is_known = down.part == 0.0 && across.part == 0.0;
        // Between thinned samples only the ground and the water fraction are known.
        let by = if is_known { by } else { water * by };
        Change { ground, by, water }
    });
    found.collect()
}

/// The two samples of a thinned map around a sample of the full map, and the fraction on the way to the
/// second.
struct Thinned {
    first: usize,
    second: usize,
    part: f64,
}

impl Thinned {
    /// Locate a sample on an axis of `side` samples, thinned to every `step`-th and the last.
    fn new(at: i64, side: usize, step: usize) -> Self {
        let at = wrapped(at, side);
        let (first, begin) = (at / step, at / step * step);
        let end = (begin + step).min(side - 1);
        let is_last = begin == end || at == end;
        Self {
            first: first + usize::from(is_last && begin < end),
            second: first + usize::from(begin < end),
            part: if is_last {
                0.0
            } else {
                (at - begin) as f64 / (end - begin) as f64
            },
        }
    }

    fn mix(&self, first: f64, second: f64) -> f64 {
        first + self.part * (second - first)
    }
}

// Cache of small blocks of refined samples.
//
// A view ray samples hundreds of heights, and the next picture almost the same ones. One sample costs as
// much as a whole block, so blocks are computed and cached. Eviction is by two generations, an approximation
// of LRU.

/// Cells along a block's side.
const CELLS: i64 = 16;
/// Maximum number of blocks in each of the two generations: some 2.4 MB in all.
const MOST: usize = 512;

/// Cache key of a block: number of tiles, level, and position along x and z in blocks.
type Key = (u32, u32, [i64; 2]);

/// A block of samples. It shares its last row and column with the next block.
#[derive(Debug)]
struct Patch {
    window: Window,
    heights: Vec<f64>,
}

/// Two generations of blocks: recently used ones, and older ones to be evicted first.
#[derive(Debug, Default)]
struct Generations {
    young: HashMap<Key, Arc<Patch>>,
    old: HashMap<Key, Arc<Patch>>,
}

/// Thread-safe cache of blocks.
#[derive(Debug, Default)]
struct PatchCache(Mutex<Generations>);

impl PatchCache {
    /// Heights at the corners of a cell: north-west, north-east, south-west, south-east. `last` is the last
    /// sample of the level along x and z. On a cache miss, `make` computes the block's window.
    fn corners(
        &self,
        (tiles, level): (u32, u32),
        cell: [i64; 2],
        last: [i64; 2],
        make: impl FnOnce(Window) -> Vec<f64>,
    ) -> [f64; 4] {
        let place = cell.map(|cell| cell.div_euclid(CELLS));
        let key = (tiles, level, place);
        let square = self.find(key).unwrap_or_else(|| {
            let first = place.map(|place| place * CELLS);
            let count = |axis: usize| (last[axis] - first[axis]).min(CELLS) as usize + 1;
            let window = Window {
                row: first[1],
                column: first[0],
                rows: count(1),
                columns: count(0),
            };
            let heights = make(window);
            let square = Arc::new(Patch { window, heights });
            self.lock().keep(key, &square);
            square
        });
        let Patch { window, heights } = &*square;
        let row = (cell[1] - window.row) as usize;
        let at = row * window.columns + (cell[0] - window.column) as usize;
        let below = at + window.columns;
        [at, at + 1, below, below + 1].map(|at| heights[at])
    }

    fn find(&self, key: Key) -> Option<Arc<Patch>> {
        let mut squares = self.lock();
        if let Some(square) = squares.young.get(&key) {
            return Some(Arc::clone(square));
        }
        let square = squares.old.remove(&key)?;
        squares.keep(key, &square);
        Some(square)
    }

    fn lock(&self) -> MutexGuard<'_, Generations> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Generations {
    fn keep(&mut self, key: Key, square: &Arc<Patch>) {
        // Two generations approximate LRU without bookkeeping on every access.
        if self.young.len() >= MOST {
            self.old = mem::take(&mut self.young);
        }
        self.young.insert(key, Arc::clone(square));
    }
}
