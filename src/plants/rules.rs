//! Rules of a layer at the fixed scale: the share of its places where a plant grows.
//!
//! ```text
//! mask × height × slope × valleys × sun × scree × gaps of an old stand × snow
//! ```
//!
//! Fractal ground is steeper the finer it is sampled, and erosion makes other gullies on a finer map. So slopes are
//! those of ground smoothed over some thirty metres, about as a forester sees them, and what is finer only counts
//! where it is a cliff. The lie of a place, valley or ridge, is its height above the mean around it (topographic
//! position index, Weiss 2001).

use std::sync::{Arc, OnceLock};

use super::site::{FIXED_SIDE, Site};
use super::tiles::Tiles;
use crate::scene::PlantLayer;
use crate::terrain::heightmap::Heightmap;
use crate::terrain::means::{Filter, filter};
use crate::util::job::Job;
use crate::util::numbers::smoothstep;
use crate::util::rng::{Stage, Stream, mix};

/// Standard deviation of the smoothing before slopes, snow and sediment count: in metres, and at least so many
/// samples, as erosion differs from one number of iterations to the next by a few samples.
const SMOOTH_M: f64 = 10.0;
const SMOOTH_SAMPLES: f64 = 4.0;
/// Standard deviation of the mean around a place, as a share of the tile.
const AROUND: f64 = 1.0 / 32.0;
/// Degrees below the steepest slope over which a layer thins out.
const FADE: f32 = 8.0;
/// Share of the relief over which a layer thins out below its greatest height, and above its least.
const FADE_OF_HEIGHT: f32 = 0.1;
/// Depth of the lowland below the mean height, in standard deviations.
const LOWLAND: f64 = 1.5;
/// Degrees of slope over which thick sediment becomes scree, and its thickness as a share of the relief.
const SCREE: [f32; 2] = [14.0, 22.0];
const SOIL: f32 = 0.004;
/// Side of the gaps of an old stand as a multiple of the height of its plants, and their share of it.
const GAP: f64 = 2.5;
const GAPS: f32 = 0.45;
/// Part of the noise over which a gap begins.
const GAP_EDGE: f32 = 0.15;

/// Conditions of a site at the samples of [`Site::ground`], as far as layers need them. Those of the snow are apart:
/// snow changes with the weather, and the ground under it stays.
#[derive(Debug)]
pub(super) struct Conditions {
    site: Arc<Site>,
    /// Radius of the smoothing in samples.
    scale: f64,
    /// Heights after smoothing, in half tiles, and their slope in degrees.
    heights: Heightmap,
    slopes: Tiles,
    /// Squares of the rise over ten metres.
    rises: Tiles,
    /// Samples at the border of a map that does not wrap where the smoothing has flattened the ground.
    border: usize,
    /// Thickness of the sediment after smoothing, in half tiles; `None` without erosion.
    sediment: OnceLock<Option<Heightmap>>,
    /// Mean height around each sample, and the usual distance from it.
    around: OnceLock<(Heightmap, f32)>,
    /// Height of the sea or the lowland, and the relief above that.
    base: f32,
    relief: f32,
}

impl Conditions {
    /// Find the conditions of a site that all layers need.
    pub fn new(site: Arc<Site>) -> Self {
        let ground = site.ground();
        // Maps below the fixed scale have the smoothing of larger ones.
        let least = size_m(&site) / (FIXED_SIDE - 1) as f64 * SMOOTH_SAMPLES;
        let scale = radius(&site, SMOOTH_M.max(least));
        let (low, high) = ground.valid_range();
        let base = match site.sea() {
            Some(sea) => sea.max(low),
            None => lowland(ground).clamp(low, high),
        };
        Self {
            heights: smoothed(ground, scale),
            slopes: Tiles::of(ground),
            rises: Tiles::of(ground),
            border: if ground.wraps() {
                0
            } else {
                1 + (1.5 * scale) as usize
            },
            sediment: OnceLock::new(),
            around: OnceLock::new(),
            base,
            relief: (high - base).max(f32::MIN_POSITIVE),
            scale,
            site,
        }
    }

    /// Site of the conditions.
    pub fn site(&self) -> &Arc<Site> {
        &self.site
    }

    /// Find what the rules of a layer need besides.
    pub fn prepare(&self, layer: &PlantLayer) {
        let ground = self.site.ground();
        if layer.scree != 0.0 {
            self.sediment.get_or_init(|| {
                let worn = ground.worn()?;
                let sediment = like(ground, worn.sediment.to_vec());
                Some(smoothed(&sediment, self.scale))
            });
        }
        if layer.valleys != 0.0 {
            self.around.get_or_init(|| {
                // On a small tile the smoothed heights themselves are such means.
                let wide = radius(&self.site, AROUND * size_m(&self.site));
                let means = smoothed(ground, wide.max(3.0 * self.scale));
                let pairs = self.heights.heights().iter().zip(means.heights());
                let sum: f64 = pairs
                    .map(|(here, mean)| f64::from(here - mean).powi(2))
                    .sum();
                let usual = (sum / self.heights.heights().len().max(1) as f64).sqrt();
                (means, usual as f32)
            });
        }
    }

    /// Depth of the snow at the samples, in half tiles, as it counts for plants.
    pub fn smoothed_snow(&self, depths: &Heightmap) -> Heightmap {
        smoothed(depths, self.scale)
    }

    /// Weight of a layer, for which the conditions are [prepared](Self::prepare), at a sample by all rules but mask,
    /// gaps and snow.
    pub fn weight(&self, layer: &PlantLayer, row: usize, column: usize) -> f32 {
        let here = self.heights.at(row, column);
        let height = (here - self.base) / self.relief;
        let mut weight = 1.0;
        if layer.highest < 1.0 {
            weight *= smoothstep((layer.highest - height) / FADE_OF_HEIGHT);
        }
        if layer.lowest > 0.0 {
            weight *= smoothstep((height - layer.lowest) / FADE_OF_HEIGHT + 1.0);
        }
        if weight == 0.0 {
            return 0.0;
        }
        let slope = self.slopes.at(row, column, |row, column| {
            let [east, south] = self.gradient(row, column);
            libm::atanf(libm::hypotf(east, south)).to_degrees()
        });
        weight *= smoothstep((layer.slope - slope) / FADE);
        if let Some((means, usual)) = self.around.get() {
            let above = (here - means.at(row, column)) / usual.max(f32::MIN_POSITIVE);
            weight *= preferred(layer.valleys, smoothstep(0.5 - above * 0.5));
        }
        if layer.sun != 0.0 {
            // On level ground half: a steep slope that faces the sun has half as much again.
            let sun = self.site.sun(self.gradient(row, column));
            weight *= preferred(layer.sun, smoothstep(sun - 0.5));
        }
        if let Some(Some(sediment)) = self.sediment.get() {
            let soil = smoothstep(sediment.at(row, column) / (SOIL * self.relief));
            let steep = smoothstep((slope - SCREE[0]) / (SCREE[1] - SCREE[0]));
            weight *= preferred(layer.scree, soil * steep);
        } else {
            weight *= preferred(layer.scree, 0.0);
        }
        weight
    }

    /// Square of the rise over ten metres at a sample.
    pub fn rise_squared(&self, row: usize, column: usize) -> f32 {
        self.rises.at(row, column, |row, column| {
            let [east, south] = self.site.rise(self.site.place(row, column));
            (east * east + south * south) as f32
        })
    }

    /// Rise of the smoothed ground eastwards and southwards; at a border that of the ground next to it.
    fn gradient(&self, row: usize, column: usize) -> [f32; 2] {
        let inside = |at: usize, count: usize| {
            let border = self.border.min((count - 1) / 2);
            at.clamp(border, count - 1 - border)
        };
        let row = inside(row, self.heights.rows());
        let column = inside(column, self.heights.columns());
        let spacing = 2.0 * self.site.spacing() as f32;
        let at = |by| self.heights.neighbour(row, column, by);
        [at((0, 1)) - at((0, -1)), at((1, 0)) - at((-1, 0))].map(|rise| rise / spacing)
    }
}

/// Weight of a quality of 0…1 for a layer that prefers it by −1 (only without) … 0 (all the same) … 1 (only with).
fn preferred(preference: f32, quality: f32) -> f32 {
    let wanted = if preference < 0.0 {
        1.0 - quality
    } else {
        quality
    };
    1.0 - preference.abs() * (1.0 - wanted)
}

/// Share of the plants that grow in snow of a depth, if none grows in snow as deep as `most`; both in metres.
pub(super) fn snow_weight(most: f32, depth: f32) -> f32 {
    match (depth > 0.0, most > 0.0) {
        (false, _) => 1.0,
        (true, false) => 0.0,
        (true, true) => smoothstep(2.0 * (1.0 - depth / most)),
    }
}

/// Gaps of an old stand: value noise below a threshold.
#[derive(Debug)]
pub(super) struct Gaps {
    stream: Stream,
    /// Cells of the noise across the tile, east and south, and the sides of a cell in half tiles.
    cells: [i64; 2],
    cell: [f64; 2],
    share: f32,
}

impl Gaps {
    /// Gaps of a layer; `None` if it has none.
    pub fn of(layer: &PlantLayer, index: u32, seed: u64, site: &Site) -> Option<Self> {
        let share = layer.gaps() * GAPS;
        if share <= 0.0 {
            return None;
        }
        let size = site.size();
        let side = GAP * f64::from(layer.height_m()) / site.metres();
        // Cells smaller than the samples would be noise without gaps.
        let side = side.max(2.0 * site.spacing());
        let cells = size.map(|size| (size / side).round().max(1.0) as i64);
        Some(Self {
            stream: Stream::new(seed, Stage::Plants, GAP_PASS + index),
            cells,
            cell: [0, 1].map(|axis| size[axis] / cells[axis] as f64),
            share,
        })
    }

    /// Share of the plants that stand at a place, 0…1.
    pub fn weight(&self, place: [f64; 2]) -> f32 {
        let at = [0, 1].map(|axis| place[axis] / self.cell[axis]);
        let first = at.map(|at| at.floor() as i64);
        let [u, v] = [0, 1].map(|axis| smoothstep((at[axis] - first[axis] as f64) as f32));
        let corner = |across: i64, down: i64| {
            let column = (first[0] + across).rem_euclid(self.cells[0]) as u64;
            let row = (first[1] + down).rem_euclid(self.cells[1]) as u64;
            (mix(self.stream.row_key(row).0 ^ column) >> 40) as f32 / 16_777_216.0
        };
        let between = |a: f32, b: f32, t: f32| a + (b - a) * t;
        let north = between(corner(0, 0), corner(1, 0), u);
        let south = between(corner(0, 1), corner(1, 1), u);
        smoothstep((between(north, south, v) - self.share) / GAP_EDGE + 0.5)
    }
}

/// First pass of the random numbers of gaps, beyond those of the patterns.
const GAP_PASS: u32 = 1 << 16;

/// Height of the lowland of a map without a sea. The lowest sample is often the bottom of a lake, which erosion fills
/// or not.
fn lowland(ground: &Heightmap) -> f32 {
    let heights = ground.heights();
    let mean = |of: &dyn Fn(f64) -> f64| {
        let sum: f64 = heights.iter().map(|height| of(f64::from(*height))).sum();
        sum / heights.len().max(1) as f64
    };
    let middle = mean(&|height| height);
    let deviation = mean(&|height| (height - middle) * (height - middle)).sqrt();
    (middle - LOWLAND * deviation) as f32
}

/// Longer side of a site in metres.
fn size_m(site: &Site) -> f64 {
    let size = site.size();
    size[0].max(size[1]) * site.metres()
}

/// Radius in samples of a box with a standard deviation in metres.
fn radius(site: &Site, metres: f64) -> f64 {
    metres / (site.spacing() * site.metres()) * 3.0_f64.sqrt()
}

/// A map like `ground` with other numbers.
fn like(ground: &Heightmap, numbers: Vec<f32>) -> Heightmap {
    Heightmap::new(ground.rows(), ground.columns(), ground.wraps(), numbers)
}

/// Smooth a map by a Gaussian, whose box has a radius in samples.
fn smoothed(map: &Heightmap, radius: f64) -> Heightmap {
    let mut numbers = map.heights().to_vec();
    // Beyond the whole map more changes nothing.
    let radius = radius.min(map.rows().max(map.columns()) as f64);
    if radius > 0.5 {
        filter(
            Filter::Bell,
            &mut numbers,
            map.columns(),
            map.wraps(),
            radius,
            &Job::new(),
        )
        .expect("nobody can cancel a job that nobody else has");
    }
    like(map, numbers)
}
