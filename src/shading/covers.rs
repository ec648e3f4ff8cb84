//! Ground covers: weight maps (splat maps) of sediment, eroded rock, wet ground, scree and grass. Pictures,
//! maps and mesh textures use the same bytes.
//!
//! Only eroded land has covers: other land costs nothing.

use crate::shading::material_normals::MaterialNormals;
use crate::shading::texture::cover::{By, Cover, MOST, under};
use crate::terrain::drainage::Drainage;
use crate::terrain::grid::Grid;
use crate::terrain::heightmap::{Heightmap, Worn};
use crate::terrain::weights::WeightMap;
use crate::util::job::{Cancelled, Job};
use crate::util::numbers::smoothstep;
use crate::util::parallel;

/// Largest number of samples a side of cover weights; of larger maps every second, fourth … sample is used.
pub const MOST_SIDE: usize = 2049;

/// Distance at which scree looks for cliffs uphill, in half tiles.
const FOOT: f32 = 0.015;
/// Width of the fade on either side of the steepest slope, in degrees.
const EDGE: f32 = 6.0;
/// Width of the fade below a cover's greatest height, as a share of the relief.
const TOP: f32 = 0.05;
/// Thickness of sediment on which grass grows as on gentle ground, as a share of the relief.
const SOIL: f32 = 0.004;
/// Range of the unit normal's height over which ground becomes gentle enough for soil: 38° to 18°.
const GENTLE: [f32; 2] = [0.788, 0.951];
/// Range of the unit normal's height over which thick sediment becomes steep enough for bare debris, which is scree:
/// 14° to 22°.
const DEBRIS: [f32; 2] = [0.970, 0.927];
/// Share of the grass that does not grow on such debris.
const BARE: f32 = 0.75;
/// Tangent of the slope uphill that such debris stands for.
const BELOW_WALLS: f32 = 2.0;
/// Lower bound of the local mean of wear, as a share of the relief.
const LEAST_WEAR: f32 = 0.03;

/// Weight map of a palette's covers.
#[derive(Clone, Debug, PartialEq)]
pub struct CoverMap {
    covers: Vec<Cover>,
    /// Weights of the first, second, third and fourth cover.
    pub weights: WeightMap,
}

impl CoverMap {
    /// Compute the covers on `map`, on all threads of the current rayon pool. Without erosion they are empty.
    /// `wetness` is that of the map, see [`wetness()`]; without it all ground is dry.
    ///
    /// Cost: 50 to 100 ns a sample on one thread.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn of(
        map: &Heightmap,
        covers: &[Cover],
        wetness: Option<&Wetness>,
        job: &Job,
    ) -> Result<Self, Cancelled> {
        let Some(worn) = map.worn().filter(|_| !map.is_profile()) else {
            return Ok(Self {
                covers: Vec::new(),
                weights: WeightMap::zero(),
            });
        };
        let ground = Ground::new(map, worn, wetness, job)?;
        let scales: Vec<_> = covers.iter().map(Scale::new).collect();
        let weights = WeightMap::of(map, MOST_SIDE, job, |row, column| {
            let place = ground.at(row, column);
            std::array::from_fn(|cover| match scales.get(cover) {
                Some(scale) => scale.weight(&place),
                None => 0.0,
            })
        })?;
        Ok(Self {
            covers: covers.to_vec(),
            weights,
        })
    }

    /// Covers of the weight map.
    #[must_use]
    pub fn covers(&self) -> &[Cover] {
        &self.covers
    }

    /// Weight of each cover, 0…1, at a position in the tile: 0…1 from its first column to its last, and
    /// from its first row to its last. Between samples it is bilinear, as in a texture.
    #[must_use]
    pub fn at(&self, east: f32, south: f32) -> [f32; MOST] {
        self.weights.at(east, south)
    }

    /// Colour of the ground at a position as for [`CoverMap::at`], with the covers over `color`, the colour
    /// by height, each channel 0…255.
    #[must_use]
    pub fn over(&self, color: [f32; 3], east: f32, south: f32) -> [f32; 3] {
        under(&self.covers, self.at(east, south), color)
    }
}

/// Compute the weight map of `covers` on `map`; `None` if there is nothing to cover, at no cost.
///
/// # Errors
/// The job was cancelled.
pub fn on(map: &Heightmap, covers: &[Cover], job: &Job) -> Result<Option<CoverMap>, Cancelled> {
    if !lie_on(map, covers) {
        return Ok(None);
    }
    let wet = if needs_wetness(covers) {
        Some(wetness(map, job)?)
    } else {
        None
    };
    CoverMap::of(map, covers, wet.as_ref(), job).map(Some)
}

/// True if covers apply to `map`: it has eroded, is no profile, and the list is not empty.
#[must_use]
pub fn lie_on(map: &Heightmap, covers: &[Cover]) -> bool {
    !covers.is_empty() && map.worn().is_some() && !map.is_profile()
}

/// True if a cover depends on wetness.
#[must_use]
pub fn needs_wetness(covers: &[Cover]) -> bool {
    let wet = |cover: &Cover| matches!(cover.by, By::Wetness | By::Grass);
    covers.iter().any(wet)
}

/// Eroded land with the global quantities of cover rules.
struct Ground<'a> {
    map: &'a Heightmap,
    worn: &'a Worn,
    wetness: Option<&'a Wetness>,
    around: Means,
    normals: MaterialNormals,
    low: f32,
    /// Reciprocal of the relief.
    scale: f32,
    least_wear: f32,
    /// Distance to the foot of a cliff, in samples.
    foot: f32,
}

/// Quantities of cover rules at one sample.
struct Place {
    /// Height from the lowest, 0, to the highest, 1.
    height: f32,
    /// Height of the unit normal at the scale of materials.
    up: f32,
    sediment: f32,
    wear: f32,
    wetness: f32,
    /// Tangent of the slope uphill, or what debris stands for.
    above: f32,
    grass: f32,
}

impl<'a> Ground<'a> {
    fn new(
        map: &'a Heightmap,
        worn: &'a Worn,
        wetness: Option<&'a Wetness>,
        job: &Job,
    ) -> Result<Self, Cancelled> {
        let (low, high) = map.range();
        let relief = (high - low).max(f32::MIN_POSITIVE.sqrt());
        Ok(Self {
            map,
            worn,
            wetness,
            around: Means::of(&worn.wear, map, job)?,
            normals: MaterialNormals::of(map),
            low,
            scale: relief.recip(),
            least_wear: relief * LEAST_WEAR,
            foot: (FOOT / map.spacing()).max(1.0),
        })
    }

    fn at(&self, row: usize, column: usize) -> Place {
        let map = self.map;
        let sample = row * map.columns() + column;
        let here = map.at(row, column);
        let part = |at: usize, count: usize| at as f32 / (count - 1).max(1) as f32;
        let place = [part(column, map.columns()), part(row, map.rows())];
        let normal = self.normals.at(place);
        let sediment = self.worn.sediment[sample] * self.scale;
        let around = self.around.at(row, column).max(self.least_wear);
        let wetness = self.wetness.map_or(0.0, |wetness| wetness.at(row, column));
        let gentle = smoothstep((normal.y - GENTLE[0]) / (GENTLE[1] - GENTLE[0]));
        let soil = smoothstep(sediment / SOIL);
        let debris = soil * smoothstep((normal.y - DEBRIS[0]) / (DEBRIS[1] - DEBRIS[0]));
        let above = self.above(row, column, here, [normal.x, normal.z]);
        Place {
            height: (here - self.low) * self.scale,
            up: normal.y,
            sediment,
            wear: self.worn.wear[sample] / around,
            wetness,
            above: above.max(debris * BELOW_WALLS),
            grass: wetness * gentle.max(soil) * (1.0 - debris * BARE),
        }
    }

    /// Tangent of the slope uphill of a sample, opposite to its direction of descent.
    fn above(&self, row: usize, column: usize, here: f32, fall: [f32; 2]) -> f32 {
        let steep = (fall[0] * fall[0] + fall[1] * fall[1]).sqrt();
        if steep < 1e-6 {
            return 0.0;
        }
        let [across, down] = fall.map(|part| (-part / steep * self.foot).round());
        let up = self
            .map
            .neighbour(row, column, (down as isize, across as isize));
        let away = (across * across + down * down).sqrt().max(1.0) * self.map.spacing();
        ((up - here) / away).max(0.0)
    }
}

/// Thresholds of a cover in the units of [`Place`].
struct Scale {
    by: By,
    from: f32,
    /// Reciprocal of the fade width up to full weight.
    rise: f32,
    /// Heights of the unit normal at weight 0 and at full weight.
    slope: [f32; 2],
    highest: f32,
}

impl Scale {
    fn new(cover: &Cover) -> Self {
        let number = |value: f32| match cover.by {
            By::Scree => libm::tanf(value.min(89.9).to_radians()),
            _ => value,
        };
        let (from, to) = (number(cover.from), number(cover.to));
        let up = |degrees: f32| libm::cosf(degrees.to_radians());
        let way = to - from;
        Self {
            by: cover.by,
            from,
            // Equal limits give a hard step.
            rise: if way == 0.0 { 1e12 } else { way.recip() },
            slope: match cover.steepest {
                90.0.. => [-2.0, -1.0],
                steepest => [up(steepest + EDGE), up((steepest - EDGE).max(0.0))],
            },
            highest: cover.highest,
        }
    }

    /// Weight of the cover at a place, 0…1.
    fn weight(&self, place: &Place) -> f32 {
        let value = match self.by {
            By::Sediment => place.sediment,
            By::Wear => place.wear,
            By::Wetness => place.wetness,
            By::Scree => place.above,
            By::Grass => place.grass,
        };
        let [gone, full] = self.slope;
        let lies = smoothstep((value - self.from) * self.rise);
        let holds = smoothstep((place.up - gone) / (full - gone));
        let below = if self.highest < 1.0 {
            smoothstep((self.highest - place.height) / TOP)
        } else {
            1.0
        };
        lies * holds * below
    }
}

// Local means of a map of numbers, over squares whose side is a fixed share of the tile.

/// Number of squares along the longer side of a tile.
const SQUARES: usize = 48;

/// Means of squares.
struct Means {
    means: Grid<f32>,
    /// Number of samples along a side of a square.
    side: usize,
    wraps: bool,
}

impl Means {
    /// Compute the means of `numbers`, one for each sample of `map`.
    pub fn of(numbers: &[f32], map: &Heightmap, job: &Job) -> Result<Self, Cancelled> {
        // A wrapped map's last row and column repeat the first.
        let once = usize::from(map.wraps());
        let (rows, columns) = (map.rows() - once, map.columns() - once);
        let side = rows.max(columns).div_ceil(SQUARES).max(1);
        let mut means = Grid::filled(rows.div_ceil(side), columns.div_ceil(side), 0.0);
        let across = means.columns();
        let squares = parallel::par_items(means.as_mut_slice().chunks_mut(across));
        squares.for_each_in(job, |south, means| {
            let mut sums = vec![0.0f64; across];
            let within = south * side..((south + 1) * side).min(rows);
            for row in within.clone() {
                let row = &numbers[row * map.columns()..][..columns];
                for (sum, square) in sums.iter_mut().zip(row.chunks(side)) {
                    *sum += square.iter().copied().map(f64::from).sum::<f64>();
                }
            }
            for (east, (mean, sum)) in means.iter_mut().zip(sums).enumerate() {
                let wide = side.min(columns - east * side);
                *mean = (sum / (wide * within.len()) as f64) as f32;
            }
        })?;
        Ok(Self {
            means,
            side,
            wraps: map.wraps(),
        })
    }

    /// Mean around a sample, interpolated between the four nearest squares.
    pub fn at(&self, row: usize, column: usize) -> f32 {
        let place = |at: usize, count: usize| {
            let at = (at as f32 + 0.5) / self.side as f32 - 0.5;
            let before = at.floor();
            let index = |at: f32| {
                if self.wraps {
                    (at as isize).rem_euclid(count as isize) as usize
                } else {
                    (at.max(0.0) as usize).min(count - 1)
                }
            };
            (index(before), index(before + 1.0), at - before)
        };
        let (north, south, v) = place(row, self.means.rows());
        let (west, east, u) = place(column, self.means.columns());
        let mix = |a: f32, b: f32, t: f32| a + (b - a) * t;
        let at = |row, column| self.means.at(row, column);
        let above = mix(at(north, west), at(north, east), u);
        mix(above, mix(at(south, west), at(south, east), u), v)
    }
}

// Wetness of the ground by its height above the nearest drainage (HAND, Nobre et al. 2011). Unlike the
// topographic wetness index, which marks single samples along each brook, it does not depend on the sample
// spacing: a river moistens ground that lies little higher than it.

/// Drainage areas, as shares of a square tile, at which a stream starts to wet the ground and at which it
/// wets it fully.
const BROOK: f32 = 1.5e-4;
const RIVER: f32 = 1e-2;
/// Height above a river at which wetness ends, as a share of the relief.
const CLIMB: f32 = 0.12;
/// Flow distance from a river at which wetness ends, in half tiles.
const WAY: f32 = 0.25;

/// Wetness of each sample of a map, 0…1.
#[derive(Clone, Debug, PartialEq)]
pub struct Wetness {
    values: Vec<f32>,
    rows: usize,
    columns: usize,
}

impl Wetness {
    /// Wetness of a sample.
    ///
    /// # Panics
    /// There is no such sample.
    #[must_use]
    pub fn at(&self, row: usize, column: usize) -> f32 {
        self.values[row % self.rows * self.columns + column % self.columns]
    }
}

/// Compute the wetness of `map`. It depends on the size of the river that a sample drains to, and decreases
/// with the height above it and the length of the flow path to it. The scene's water is ignored: rivers end
/// at the base level of the map's erosion.
///
/// Cost: a [`Drainage`], and a pass upstream.
///
/// # Errors
/// The job was cancelled.
pub fn wetness(map: &Heightmap, job: &Job) -> Result<Wetness, Cancelled> {
    let drainage = Drainage::of(map, None, job)?;
    let shape = drainage.shape();
    let (low, high) = map.range();
    let climb = ((high - low) * CLIMB).max(f32::MIN_POSITIVE);
    let spacing = drainage.spacing();
    let tile = spacing * spacing * 0.25;
    let grows = libm::logf(RIVER / BROOK).recip();
    let wet = drainage.upstream(job, |cell, below| {
        let height = drainage.height(map, cell);
        let share = drainage.area(cell) as f32 * tile;
        let own = (libm::logf(share / BROOK) * grows).clamp(0.0, 1.0);
        let receiver = drainage.receiver(cell).zip(below);
        let inherited = receiver.map_or(0.0, |(receiver, wet)| {
            let rise = (height - drainage.height(map, receiver)).max(0.0);
            let way = drainage.step(cell).unwrap_or(0.0) * spacing / WAY;
            f32::from_bits(wet) - rise / climb - way
        });
        own.max(inherited).to_bits()
    })?;
    Ok(Wetness {
        values: wet.into_iter().map(f32::from_bits).collect(),
        rows: shape.rows,
        columns: shape.columns,
    })
}
