//! Snow of a scene: its weather, and the snow on one of its maps.

use std::sync::Arc;

use glam::Vec3;

use crate::scene::{RenderType, Scene, SunBy};
use crate::terrain::grid::Grid;
use crate::terrain::heightmap::Heightmap;
use crate::terrain::neighbours::{Relief, Window};
use crate::terrain::rivers::Rivers;
use crate::util::job::{Cancelled, Job};
use crate::util::numbers::{metres_per_unit, thinning};
use crate::util::parallel;

pub use crate::terrain::snow::{BYTES_A_SAMPLE, MOST_SIDE, PREVIEW_SIDE, Snow, Steps, Weather};

/// Depth in metres that hides the ground, and as a share of a thin fall.
const HIDES: f64 = 0.25;
const HIDES_OF_FALL: f64 = 0.3;
/// Distance over which the surface is smoothed, as a multiple of the fall.
const SMOOTHS: f32 = 2.0;
/// Greatest depth of the fall, in half tiles.
const MOST: f64 = 0.1;
/// Latitude in degrees where the sun stands by its angles: that of the Alps.
const LATITUDE: f32 = 47.0;
/// Positions of the sun in the course of a day.
const HOURS: i32 = 9;

/// Snow on a map, as it is drawn.
#[derive(Debug, PartialEq)]
pub struct SnowCover {
    /// The snow, at any level of detail.
    pub snow: Snow,
    /// Heights of the ground, with its rivers and lakes, and the snow on it, in half tiles.
    pub surface: Arc<Heightmap>,
    /// Share of the ground that snow hides at each sample of the map, 0…255.
    pub cover: Arc<Grid<u8>>,
    /// Amount of the snow.
    pub amount: SnowAmount,
}

/// Amount of snow on a map; depths are in half tiles. Samples without data do not count.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SnowAmount {
    /// Share of the map whose ground is hidden, 0…1.
    pub covered: f64,
    /// Mean depth on the ground that is hidden, 0 if none is.
    pub mean_depth: f64,
    /// Greatest depth.
    pub greatest_depth: f64,
    /// Volume divided by the area of the map.
    pub per_area: f64,
}

impl SnowAmount {
    /// Measure snow from the ground, the surface of the snow on it, and how much that hides, 0…255.
    fn of(ground: &Heightmap, surface: &Heightmap, cover: &Grid<u8>) -> Self {
        let (mut samples, mut hidden, mut sum, mut sum_hidden) = (0_u64, 0_u64, 0.0, 0.0);
        let mut greatest_depth = 0.0_f64;
        for row in 0..ground.rows() {
            let valid = |column| {
                ground
                    .valid()
                    .is_none_or(|valid| valid.is_valid(row, column))
            };
            for column in (0..ground.columns()).filter(|column| valid(*column)) {
                let [top, base] = [surface, ground].map(|map| f64::from(map.at(row, column)));
                let depth = top - base;
                samples += 1;
                sum += depth;
                greatest_depth = greatest_depth.max(depth);
                if cover.at(row, column) == u8::MAX {
                    hidden += 1;
                    sum_hidden += depth;
                }
            }
        }
        let [samples, count] = [samples, hidden].map(|count| count.max(1) as f64);
        Self {
            covered: hidden as f64 / samples,
            mean_depth: sum_hidden / count,
            greatest_depth,
            per_area: sum / samples,
        }
    }
}

impl SnowCover {
    /// Let it snow on `ground`, a map of the scene with these rivers, on a lattice of at most so many samples a side;
    /// `None` where nothing stays.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn of(
        ground: &Heightmap,
        rivers: Option<&Rivers>,
        scene: &Scene,
        most_side: usize,
        job: &Job,
    ) -> Result<Option<Self>, Cancelled> {
        let Some(snow) = on_lattice(ground, rivers, scene, most_side, job)? else {
            return Ok(None);
        };
        let ground = rivers.map_or(ground, |rivers| &rivers.surface);
        let (rows, columns) = (ground.rows(), ground.columns());
        let mut cover = Grid::filled(rows, columns, 0);
        let mut heights = ground.heights().to_vec();
        let covers = cover.as_mut_slice().chunks_mut(STRIP * columns);
        raise(
            &snow,
            columns,
            heights.chunks_mut(STRIP * columns).zip(covers),
            rows,
            job,
        )?;
        let surface = Heightmap::new(rows, columns, ground.wraps(), heights)
            .with_valid(ground.valid().cloned())
            .with_base(ground.base());
        Ok(Some(Self {
            snow,
            amount: SnowAmount::of(ground, &surface, &cover),
            surface: Arc::new(surface),
            cover: Arc::new(cover),
        }))
    }
}

impl SnowCover {
    /// Let it snow on `ground`, a map of the scene, and make its rivers if it has any; `None` where nothing stays or
    /// the snow is off.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn on(ground: &Heightmap, scene: &Scene, job: &Job) -> Result<Option<Self>, Cancelled> {
        if !scene.snow.enabled {
            return Ok(None);
        }
        let rivers = rivers(ground, scene, job)?;
        Self::of(ground, rivers.as_ref(), scene, MOST_SIDE, job)
    }

    /// Raise a map of any level of the ground to the surface of the snow.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn lay(&self, map: Heightmap, job: &Job) -> Result<Heightmap, Cancelled> {
        let (rows, columns, wraps) = (map.rows(), map.columns(), map.wraps());
        let (valid, base) = (map.valid().cloned(), map.base());
        let mut heights = map.into_heights();
        let strips = heights.chunks_mut(STRIP * columns);
        let strips = strips.map(|heights| (heights, &mut [][..]));
        raise(&self.snow, columns, strips, rows, job)?;
        let map = Heightmap::new(rows, columns, wraps, heights);
        Ok(map.with_valid(valid).with_base(base))
    }

    /// Raise the three lines of the window of a row of a relief to the surface of the snow, north first.
    fn lay_lines(&self, relief: &Relief<'_>, row: usize, window: &Window<'_>) -> [Vec<f32>; 3] {
        let [mut down, mut across] = relief.steps(self.snow.cells());
        down.first += (row as f64 - 1.0) * down.by;
        across.first -= across.by;
        let lines = [window.north, window.here, window.south].map(|line| {
            let mut heights: Vec<f64> = line.iter().copied().map(f64::from).collect();
            self.snow.lay(down, across, line.len(), &mut heights);
            down.first += down.by;
            heights
        });
        let [mut north, mut here, mut south] = lines;
        // Beyond a free border the surface goes on straight, as the ground does in the window.
        let straight = |border: f64, inner: f64| 2.0 * border - inner;
        let [is_north, is_south, is_west, is_east] = relief.borders(row);
        for ((north, here), south) in north.iter_mut().zip(&here).zip(&mut south) {
            match (is_north, is_south) {
                (true, false) => *north = straight(*here, *south),
                (false, true) => *south = straight(*here, *north),
                _ => {}
            }
        }
        let last = here.len() - 1;
        if is_west {
            here[0] = straight(here[1], here[2]);
        }
        if is_east {
            here[last] = straight(here[last - 1], here[last - 2]);
        }
        [north, here, south].map(|line| line.iter().map(|height| *height as f32).collect())
    }

    /// Measure of the depths of the snow, which are in half tiles, on a map of any level of the ground.
    #[must_use]
    pub fn measured(&self, map: &Heightmap, measure: impl Fn(f64) -> f64) -> Heightmap {
        let (rows, columns) = (map.rows(), map.columns());
        let mut depths: Vec<f64> = map.heights().iter().copied().map(f64::from).collect();
        let (down, across) = steps(&self.snow, [columns, rows]);
        self.snow.depths(down, across, columns, &mut depths);
        let numbers = depths.iter().map(|depth| measure(*depth) as f32);
        let numbers = Heightmap::new(rows, columns, map.wraps(), numbers.collect::<Vec<_>>());
        numbers.with_valid(map.valid().cloned())
    }

    /// Share of the ground that snow hides, 0…1, at a place in the tile: 0…1 from its first column to its last, and from its first
    /// row to its last.
    #[must_use]
    pub fn at(&self, [east, south]: [f32; 2]) -> f32 {
        let along = |at: f32, samples: usize| {
            let at = at.clamp(0.0, 1.0) * (samples - 1) as f32;
            let before = (at as usize).min(samples.saturating_sub(2));
            (before, (before + 1).min(samples - 1), at - before as f32)
        };
        let (north, below, v) = along(south, self.cover.rows());
        let (west, next, u) = along(east, self.cover.columns());
        let mix = |a: f32, b: f32, t: f32| a + (b - a) * t;
        let row = |row: usize| {
            let [west, east] = [west, next].map(|column| f32::from(self.cover.at(row, column)));
            mix(west, east, u)
        };
        mix(row(north), row(below), v) / 255.0
    }
}

/// Sample of a map whose ground may be under snow.
pub(crate) struct Sample {
    /// Height of the ground, in half tiles.
    pub height: f32,
    /// Slopes of the ground, eastwards and southwards.
    pub slope: [f32; 2],
    /// Slopes of the snow on it; 0 without snow.
    pub snow_slope: [f32; 2],
    /// Position on the tile, as for [`WeightMap::at`](crate::terrain::weights::WeightMap::at).
    pub place: [f32; 2],
}

impl Sample {
    /// Unit normal of a surface with this slope.
    pub(crate) fn normal([east, south]: [f32; 2]) -> Vec3 {
        Vec3::new(-east, 1.0, -south).normalize()
    }
}

/// Compute a value for each sample of a relief, row after row. Runs in parallel in the current rayon pool.
///
/// # Errors
/// The job was cancelled.
pub(crate) fn each_sample<T: Clone + Default + Send>(
    relief: &Relief<'_>,
    snow: Option<&SnowCover>,
    job: &Job,
    value: impl Fn(&Sample) -> T + Sync,
) -> Result<Vec<T>, Cancelled> {
    let mut values = vec![T::default(); relief.rows() * relief.columns()];
    let slopes = || [0, 1].map(|_| vec![[0.0; 2]; relief.columns()]);
    relief.each_row_with(&mut values, job, slopes, |slopes, row, window, out| {
        let [ground, snowy] = slopes;
        window.central(ground, |east, south| [east, south]);
        if let Some(snow) = snow {
            let [north, here, south] = snow.lay_lines(relief, row, window);
            let window = Window {
                north: &north,
                here: &here,
                south: &south,
                ..*window
            };
            window.central(snowy, |east, south| [east, south]);
        }
        let heights = relief.heights(row).iter();
        let samples = heights.zip(&*ground).zip(&*snowy).enumerate();
        for (out, (column, ((height, slope), snow_slope))) in out.iter_mut().zip(samples) {
            *out = value(&Sample {
                height: *height,
                slope: *slope,
                snow_slope: *snow_slope,
                place: relief.place(row, column),
            });
        }
    })?;
    Ok(values)
}

/// Rows that are done at once.
const STRIP: usize = 16;

/// Raise strips of [`STRIP`] rows of a map, of so many rows, to the surface of the snow, and write how much it hides
/// to bytes beside them.
fn raise<'a>(
    snow: &Snow,
    columns: usize,
    strips: impl Iterator<Item = (&'a mut [f32], &'a mut [u8])>,
    rows: usize,
    job: &Job,
) -> Result<(), Cancelled> {
    let (down, across) = steps(snow, [columns, rows]);
    parallel::par_items(strips).for_each_in(job, |strip, (heights, covers)| {
        let mut depths: Vec<f64> = heights.iter().copied().map(f64::from).collect();
        let first = down.first + (strip * STRIP) as f64 * down.by;
        snow.depths(Steps { first, ..down }, across, columns, &mut depths);
        for (height, depth) in heights.iter_mut().zip(&depths) {
            *height = (f64::from(*height) + depth) as f32;
        }
        for (cover, depth) in covers.iter_mut().zip(&depths) {
            *cover = snow.cover(*depth);
        }
    })
}

/// Positions of all rows and columns of a map of that many columns and rows in its snow.
fn steps(snow: &Snow, samples: [usize; 2]) -> (Steps, Steps) {
    let [across, down] = [0, 1].map(|axis| Steps {
        first: 0.0,
        by: snow.cells()[axis] / (samples[axis] - 1).max(1) as f64,
    });
    (down, across)
}

/// True if the scene shows snow as a depth.
#[must_use]
pub fn is_shown(scene: &Scene) -> bool {
    let is_landscape = scene.render_type() == RenderType::Landscape;
    scene.snow.enabled && is_landscape && !scene.shows_pass()
}

/// Snow on `ground`, a map of the scene with these rivers; `None` where nothing stays.
///
/// # Errors
/// The job was cancelled.
pub fn on(
    ground: &Heightmap,
    rivers: Option<&Rivers>,
    scene: &Scene,
    job: &Job,
) -> Result<Option<Snow>, Cancelled> {
    on_lattice(ground, rivers, scene, MOST_SIDE, job)
}

fn on_lattice(
    ground: &Heightmap,
    rivers: Option<&Rivers>,
    scene: &Scene,
    most_side: usize,
    job: &Job,
) -> Result<Option<Snow>, Cancelled> {
    if !scene.snow.enabled || ground.is_profile() {
        return Ok(None);
    }
    let step = thinning(ground.rows().max(ground.columns()), most_side);
    let sea = scene.water.height();
    let is_wet = |row: usize, column: usize| {
        let row = (row * step).min(ground.rows() - 1);
        let column = (column * step).min(ground.columns() - 1);
        let is_sea = sea.is_some_and(|sea| ground.at(row, column) <= sea);
        is_sea || rivers.is_some_and(|rivers| is_river(rivers, ground, [row, column]))
    };
    Snow::of(ground, &weather(scene, most_side), &is_wet, job)
}

/// True if there is a river or a lake at a sample of the ground, or next to it.
fn is_river(rivers: &Rivers, ground: &Heightmap, [row, column]: [usize; 2]) -> bool {
    let part = &rivers.part;
    let place = |at: usize, samples: usize, cells: usize| at * (cells - 1) / (samples - 1).max(1);
    let row = place(row, ground.rows(), part.rows());
    let column = place(column, ground.columns(), part.columns());
    part.at(row, column)[1] > 0
}

/// Rivers of a scene on one of its maps, if it has any.
///
/// # Errors
/// The job was cancelled.
pub(crate) fn rivers(
    ground: &Heightmap,
    scene: &Scene,
    job: &Job,
) -> Result<Option<Rivers>, Cancelled> {
    let rule = scene.water.rivers().filter(|_| !ground.is_profile());
    let rivers = |rule| Rivers::of(ground, scene.water.height(), &rule, job);
    rule.map(rivers).transpose()
}

/// Latitude by which snow melts; `None` for that of the Alps, where the sun stands by its angles.
#[must_use]
pub fn latitude(scene: &Scene) -> Option<f32> {
    (scene.light.by == SunBy::Time).then_some(scene.light.latitude)
}

/// Directions to the sun of a scene in the course of a day at the start of spring: east, up, south.
#[must_use]
pub fn suns(scene: &Scene) -> Vec<[f32; 3]> {
    let latitude = latitude(scene).unwrap_or(LATITUDE).to_radians();
    let (sin, cos) = (libm::sinf(latitude), libm::cosf(latitude));
    // At the start of spring the day has twelve hours.
    let suns = (1..=HOURS).map(|hour| {
        let angle = (hour as f32 / (HOURS + 1) as f32 - 0.5) * std::f32::consts::PI;
        let (aside, high) = (libm::sinf(angle), libm::cosf(angle));
        [-aside, cos * high, sin * high]
    });
    suns.collect()
}

/// The weather of a scene, in half tiles, for a lattice of at most so many samples a side.
fn weather(scene: &Scene, most_side: usize) -> Weather {
    let snow = &scene.snow;
    let metres = metres_per_unit(scene.surface.tile_size_m);
    let depth = |metre: f32| (f64::from(metre) / metres).min(MOST) as f32;
    let fall = depth(snow.fall);
    Weather {
        fall,
        line: snow.line,
        fade: snow.fade,
        wind: snow.wind,
        upwind: upwind(snow.wind_bearing),
        hold: depth(snow.hold),
        melt: depth(snow.melt),
        suns: suns(scene),
        hides: (HIDES / metres).min(HIDES_OF_FALL * f64::from(fall)) as f32,
        smooths: SMOOTHS * fall,
        seed: scene.surface.seed,
        most_side,
    }
}

/// Unit vector east and south to where wind of a compass bearing comes from.
pub(crate) fn upwind(bearing: f32) -> [f32; 2] {
    let bearing = bearing.to_radians();
    // South is the way of growing z.
    [libm::sinf(bearing), -libm::cosf(bearing)]
}
