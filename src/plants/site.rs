//! Growing conditions of a site: slope, snow, water and mask weights, interpolated between samples at a fixed scale.
//!
//! The scale is that of a map of at most [`FIXED_SIDE`] samples a side, so more iterations change the ground on which
//! plants stand, but hardly which of them grow.

use std::sync::Arc;

use crate::terrain::heightmap::{Heightmap, Heights, Worn};
use crate::terrain::rivers::Rivers;
use crate::util::numbers::thinning;
use crate::util::parallel;

/// Largest number of samples a side of the map by which the rules go; larger maps are thinned.
pub const FIXED_SIDE: usize = 1025;

/// Distance in metres to either side of a plant over which its slope is taken.
const SLOPE_M: f64 = 5.0;

/// Ground, water and snow of a map, as plants find them.
#[derive(Clone, Debug)]
pub struct Site {
    /// The whole map.
    map: Arc<Heightmap>,
    /// The map at the fixed scale.
    ground: Arc<Heightmap>,
    /// Spacing of its samples in half tiles.
    spacing: f64,
    /// Depth of the snow on `ground`, in half tiles; `None` without snow.
    snow: Option<Heightmap>,
    /// Height of the sea in half tiles; `None` without a sea.
    sea: Option<f32>,
    rivers: Option<Arc<Rivers>>,
    /// Directions to the sun in the course of a day: east, up, south.
    suns: Vec<[f32; 3]>,
    /// Metres of a half tile.
    metres: f64,
}

impl Site {
    /// Create the site of a map with its sea and its rivers; half a tile has so many metres.
    #[must_use]
    pub fn new(
        map: Arc<Heightmap>,
        sea: Option<f32>,
        rivers: Option<Arc<Rivers>>,
        metres: f64,
    ) -> Self {
        let step = thinning(map.rows().max(map.columns()), FIXED_SIDE);
        let ground = map.thinned(FIXED_SIDE);
        let thinned = |depths: &Heights| {
            let whole = Heightmap::new(map.rows(), map.columns(), false, depths.clone());
            whole.thinned(FIXED_SIDE).into_heights()
        };
        let worn = map.worn().map(|worn| {
            Arc::new(Worn {
                wear: thinned(&worn.wear),
                sediment: thinned(&worn.sediment),
            })
        });
        Self {
            ground: Arc::new(ground.with_worn(worn)),
            spacing: cell(&map) * step as f64,
            snow: None,
            suns: Vec::new(),
            map,
            sea,
            rivers,
            metres,
        }
    }

    /// Add snow: its depth in half tiles at the samples of [`Site::ground`].
    #[must_use]
    pub fn with_snow(self, snow: Option<Heightmap>) -> Self {
        Self { snow, ..self }
    }

    /// Add the sun: directions to it in the course of a day, east, up and south.
    #[must_use]
    pub fn with_suns(self, suns: Vec<[f32; 3]>) -> Self {
        Self { suns, ..self }
    }

    /// Spacing of the samples of [`Site::ground`] in half tiles.
    pub(super) fn spacing(&self) -> f64 {
        self.spacing
    }

    /// Height of the sea in half tiles.
    pub(super) fn sea(&self) -> Option<f32> {
        self.sea
    }

    /// Depth of the snow in half tiles at the samples of [`Site::ground`].
    pub(super) fn snow_map(&self) -> Option<&Heightmap> {
        self.snow.as_ref()
    }

    /// Sunlight of a day on ground that rises by so much eastwards and southwards, as a multiple of that on level
    /// ground.
    pub(super) fn sun(&self, [east, south]: [f32; 2]) -> f32 {
        let length = (1.0 + east * east + south * south).sqrt();
        let on = |sun: &[f32; 3]| ((sun[1] - sun[0] * east - sun[2] * south) / length).max(0.0);
        let level: f32 = self.suns.iter().map(|sun| sun[1].max(0.0)).sum();
        match level > 0.0 {
            true => self.suns.iter().map(on).sum::<f32>() / level,
            false => 1.0,
        }
    }

    /// Map at the fixed scale, for masks.
    #[must_use]
    pub fn ground(&self) -> &Heightmap {
        &self.ground
    }

    /// Map of the water with the samples of [`Site::ground`]: −1 in the sea, in lakes and in rivers, and 1 on land.
    #[must_use]
    pub fn shores(&self) -> Heightmap {
        let (rows, columns) = (self.ground.rows(), self.ground.columns());
        let mut shores = vec![1.0; rows * columns];
        let lines = shores.chunks_mut(columns);
        parallel::par_items(lines).for_each(|row, line| {
            for (column, shore) in line.iter_mut().enumerate() {
                if self.is_wet(self.place(row, column)) {
                    *shore = -1.0;
                }
            }
        });
        Heightmap::new(rows, columns, self.wraps(), shores)
    }

    /// Metres of a half tile.
    #[must_use]
    pub fn metres(&self) -> f64 {
        self.metres
    }

    /// True if the map repeats beyond its border.
    #[must_use]
    pub fn wraps(&self) -> bool {
        self.map.wraps()
    }

    /// Sides of the map in half tiles, east and south.
    #[must_use]
    pub fn size(&self) -> [f64; 2] {
        let cells = [self.map.columns(), self.map.rows()].map(|samples| (samples - 1) as f64);
        cells.map(|cells| cells * cell(&self.map))
    }

    /// Height of the ground in half tiles at a place, in half tiles east and south of the first sample.
    #[must_use]
    pub fn height(&self, place: [f64; 2]) -> f32 {
        let map = &*self.map;
        let samples = [map.columns(), map.rows()];
        interpolated(samples, place, cell(map), |row, column| map.at(row, column))
    }

    /// Value of a map with the samples of [`Site::ground`] at a place.
    fn value(&self, map: &Heightmap, place: [f64; 2]) -> f32 {
        self.interpolated(place, |row, column| map.at(row, column))
    }

    /// Value at a place, `at` the samples of [`Site::ground`] by row and column.
    pub(super) fn interpolated(&self, place: [f64; 2], at: impl Fn(usize, usize) -> f32) -> f32 {
        let samples = [self.ground.columns(), self.ground.rows()];
        interpolated(samples, place, self.spacing, at)
    }

    /// Slope in degrees at a place, over ten metres.
    #[must_use]
    pub fn slope(&self, place: [f64; 2]) -> f32 {
        degrees(self.rise(place))
    }

    /// Rise eastwards and southwards at a place, over ten metres.
    pub(super) fn rise(&self, place: [f64; 2]) -> [f64; 2] {
        let away = (SLOPE_M / self.metres).max(self.spacing);
        let size = self.size();
        [0, 1].map(|axis| {
            let ends = [-away, away].map(|by| {
                let at = place[axis] + by;
                if self.wraps() {
                    at
                } else {
                    at.clamp(0.0, size[axis])
                }
            });
            let heights = ends.map(|at| {
                let mut place = place;
                place[axis] = if self.wraps() {
                    at.rem_euclid(size[axis])
                } else {
                    at
                };
                f64::from(self.value(&self.ground, place))
            });
            (heights[1] - heights[0]) / (ends[1] - ends[0])
        })
    }

    /// Place of a sample of [`Site::ground`].
    pub(super) fn place(&self, row: usize, column: usize) -> [f64; 2] {
        let (size, at) = (self.size(), [column, row]);
        // With a border that is no multiple of the thinning, the last sample is nearer.
        [0, 1].map(|axis| (at[axis] as f64 * self.spacing).min(size[axis]))
    }

    /// Depth of the snow in metres at a sample of [`Site::ground`].
    pub(super) fn snow_at(&self, row: usize, column: usize) -> f32 {
        let snow = self.snow.as_ref();
        let depth = snow.map_or(0.0, |snow| snow.at(row, column));
        (f64::from(depth) * self.metres) as f32
    }

    /// Depth of the snow in metres at a place.
    #[must_use]
    pub fn snow(&self, place: [f64; 2]) -> f32 {
        let depth = self
            .snow
            .as_ref()
            .map_or(0.0, |snow| self.value(snow, place));
        (f64::from(depth) * self.metres) as f32
    }

    /// True if a place is in the sea, a lake or a river.
    fn is_wet(&self, place: [f64; 2]) -> bool {
        let is_river = |rivers: &Arc<Rivers>| {
            let size = self.size();
            let [east, south] =
                [0, 1].map(|axis| (place[axis] / size[axis] / f64::from(rivers.cell[axis])) as f32);
            rivers.part_at(east, south, 1.0) > 0.0
        };
        self.sea.is_some_and(|sea| self.height(place) <= sea)
            || self.rivers.as_ref().is_some_and(is_river)
    }

    /// True if a place is in the sea, a lake or a river, or has no data.
    #[must_use]
    pub fn is_bare(&self, place: [f64; 2]) -> bool {
        let has_data = || {
            let Some(valid) = self.map.valid() else {
                return true;
            };
            let at = |axis: usize, samples: usize| {
                ((place[axis] / cell(&self.map)).round() as usize).min(samples - 1)
            };
            valid.is_valid(at(1, self.map.rows()), at(0, self.map.columns()))
        };
        self.is_wet(place) || !has_data()
    }
}

/// Slope in degrees of ground with this rise eastwards and southwards.
pub(super) fn degrees(rise: [f64; 2]) -> f32 {
    libm::atan(libm::hypot(rise[0], rise[1])).to_degrees() as f32
}

/// Spacing of the samples in half tiles.
fn cell(map: &Heightmap) -> f64 {
    2.0 / (map.rows().max(map.columns()) - 1).max(1) as f64
}

/// Bilinear interpolation at a place, in half tiles east and south of the first sample, between so many columns and
/// rows.
#[inline]
fn interpolated(
    [columns, rows]: [usize; 2],
    place: [f64; 2],
    spacing: f64,
    at: impl Fn(usize, usize) -> f32,
) -> f32 {
    let along = |at: f64, samples: usize| {
        let at = (at / spacing).clamp(0.0, (samples - 1) as f64);
        let before = (at as usize).min(samples.saturating_sub(2));
        (
            before,
            (before + 1).min(samples - 1),
            (at - before as f64) as f32,
        )
    };
    let (west, east, u) = along(place[0], columns);
    let (north, south, v) = along(place[1], rows);
    // At a sample, as those of a canopy are, it is all that counts.
    if u == 0.0 && v == 0.0 {
        return at(north, west);
    }
    let mix = |a: f32, b: f32, t: f32| if t == 0.0 { a } else { a + (b - a) * t };
    let row = |row: usize| mix(at(row, west), at(row, east), u);
    mix(row(north), row(south), v)
}
