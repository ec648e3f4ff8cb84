//! Terrain derivatives: 3 × 3 windows over the samples of a rectangle, for slope, aspect and curvature.
//!
//! ```text
//!   north  nw n ne      a wrapped border is periodic; a free one is extrapolated
//!   here   w  ·  e      linearly: 2·border − inner, which makes differences
//!   south  sw s se      one-sided there and keeps planes planes
//! ```

use crate::terrain::grid::Region;
use crate::terrain::heightmap::Heightmap;
use crate::terrain::resample::{Axis, SamplePlace};
use crate::terrain::snow::Steps;
use crate::util::job::{Cancelled, Job};
use crate::util::numbers::metres_per_unit;
use crate::util::parallel;

/// Rectangle of a map, with the map around it.
#[derive(Clone, Copy, Debug)]
pub struct Relief<'a> {
    map: &'a Heightmap,
    region: Region,
    /// Row and column of the first sample in the whole map, and rows and columns of that.
    place: [[u64; 2]; 2],
    spacing: f32,
    metres: f32,
}

/// Row of samples with its neighbouring rows, each with one more sample at either end.
#[derive(Debug)]
pub struct Window<'a> {
    /// Row to the north.
    pub north: &'a [f32],
    /// Row of the samples.
    pub here: &'a [f32],
    /// Row to the south.
    pub south: &'a [f32],
    /// Distance between neighbouring samples, in the unit of the heights.
    pub spacing: f32,
    /// Length of the unit of the heights in metres.
    pub metres: f32,
}

/// Number of rows that a thread makes in one go.
pub(crate) const BAND_ROWS: usize = 32;

impl<'a> Relief<'a> {
    /// Create the relief of a whole map whose longer side measures `tile_size_m` metres.
    #[must_use]
    pub fn of(map: &'a Heightmap, tile_size_m: f32) -> Self {
        let region = Region {
            row: 0,
            column: 0,
            rows: map.rows(),
            columns: map.columns(),
        };
        Self::new(map, region, map.spacing(), tile_size_m)
    }

    /// Create the relief of a rectangle of a map, with `spacing` half tiles between samples, of a tile of
    /// `tile_size_m` metres.
    ///
    /// # Panics
    /// The rectangle reaches beyond the map.
    #[must_use]
    pub fn new(map: &'a Heightmap, region: Region, spacing: f32, tile_size_m: f32) -> Self {
        let fits = |first: u64, count: usize, all: usize| first as usize + count <= all;
        assert!(
            fits(region.row, region.rows, map.rows())
                && fits(region.column, region.columns, map.columns()),
            "{region:?} of {} × {}",
            map.rows(),
            map.columns()
        );
        Self {
            map,
            region,
            place: [
                [region.row, region.column],
                [map.rows() as u64, map.columns() as u64],
            ],
            spacing,
            metres: metres_per_unit(tile_size_m) as f32,
        }
    }

    /// Say which part of a map of this number of rows and columns the rectangle is, if its own map is not all
    /// of it.
    #[must_use]
    pub fn part_of(self, part: Region, size: [usize; 2]) -> Self {
        let place = [[part.row, part.column], size.map(|side| side as u64)];
        Self { place, ..self }
    }

    /// Number of rows of the rectangle.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.region.rows
    }

    /// Number of columns of the rectangle.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.region.columns
    }

    /// Position of a sample of the rectangle in the whole map, eastwards and southwards: 0 at the first column
    /// and row, 1 at the last.
    #[must_use]
    pub fn place(&self, row: usize, column: usize) -> [f32; 2] {
        let [first, size] = self.place;
        let part = |at: usize, axis: usize| {
            ((first[axis] + at as u64) as f64 / (size[axis] - 1).max(1) as f64) as f32
        };
        [part(column, 1), part(row, 0)]
    }

    /// Rows and columns of the rectangle in a lattice that has so many cells across the whole map, eastwards and
    /// southwards.
    #[must_use]
    pub fn steps(&self, cells: [f64; 2]) -> [Steps; 2] {
        let [first, size] = self.place;
        [0, 1].map(|axis| {
            let by = cells[1 - axis] / (size[axis] - 1).max(1) as f64;
            let first = first[axis] as f64 * by;
            Steps { first, by }
        })
    }

    /// True if a row of the rectangle is at a free border in the north, in the south, and if rows are at one in the
    /// west and in the east.
    #[must_use]
    pub fn borders(&self, row: usize) -> [bool; 4] {
        let row = self.region.row as usize + row;
        let west = self.region.column as usize;
        let borders = [
            row == 0,
            row + 1 == self.map.rows(),
            west == 0,
            west + self.columns() == self.map.columns(),
        ];
        borders.map(|is_border| is_border && !self.map.wraps())
    }

    /// True for the whole of a map that wraps.
    #[must_use]
    pub fn wraps(&self) -> bool {
        self.map.wraps() && (self.rows(), self.columns()) == (self.map.rows(), self.map.columns())
    }

    /// Heights of a row of the rectangle, in half tiles.
    #[must_use]
    pub fn heights(&self, row: usize) -> &'a [f32] {
        let first = self.region.column as usize;
        &self.map.row(self.region.row as usize + row)[first..first + self.columns()]
    }

    /// Compute each row of `out`, which holds the rectangle, from its window, on all threads of the current
    /// rayon pool.
    ///
    /// # Errors
    /// The job was cancelled.
    pub(crate) fn each_row<T: Send>(
        &self,
        out: &mut [T],
        job: &Job,
        make: impl Fn(&Window<'_>, &mut [T]) + Sync,
    ) -> Result<(), Cancelled> {
        self.each_row_with(out, job, || (), |(), _, window, out| make(window, out))
    }

    /// Compute each row like [`Relief::each_row`], with a state that `start` makes for each band of rows,
    /// and the index of the row.
    ///
    /// # Errors
    /// The job was cancelled.
    pub(crate) fn each_row_with<T: Send, S>(
        &self,
        out: &mut [T],
        job: &Job,
        start: impl Fn() -> S + Sync,
        make: impl Fn(&mut S, usize, &Window<'_>, &mut [T]) + Sync,
    ) -> Result<(), Cancelled> {
        let columns = self.columns();
        let bands = parallel::par_items(out.chunks_mut(BAND_ROWS * columns));
        bands.try_each(|band, rows| {
            let mut state = start();
            let first = self.region.row as isize + (band * BAND_ROWS) as isize;
            let mut lines = [-1, 0, 1].map(|by| {
                let mut line = vec![0.0; columns + 2];
                self.line(first + by, &mut line);
                line
            });
            for (row, out) in (first..).zip(rows.chunks_exact_mut(columns)) {
                job.check()?;
                if row > first {
                    lines.rotate_left(1);
                    self.line(row + 1, &mut lines[2]);
                }
                let [north, here, south] = &lines;
                let window = Window {
                    north,
                    here,
                    south,
                    spacing: self.spacing,
                    metres: self.metres,
                };
                make(
                    &mut state,
                    (row - self.region.row as isize) as usize,
                    &window,
                    out,
                );
            }
            Ok(())
        })
    }

    /// Write a row of the map, or the row beyond its border, from the sample before the rectangle to the
    /// one after it.
    fn line(&self, row: isize, line: &mut [f32]) {
        let last = self.map.rows() as isize - 1;
        match row {
            _ if (0..=last).contains(&row) => self.line_inside(row as usize, line),
            _ if last == 0 => self.line_inside(0, line),
            -1 if self.map.wraps() => self.line_inside(last as usize - 1, line),
            _ if self.map.wraps() => self.line_inside(1, line),
            _ => {
                let (border, inner) = if row < 0 { (0, 1) } else { (last, last - 1) };
                let mut within = vec![0.0; line.len()];
                self.line_inside(border as usize, line);
                self.line_inside(inner as usize, &mut within);
                for (height, within) in line.iter_mut().zip(&within) {
                    *height = 2.0 * *height - within;
                }
            }
        }
    }

    fn line_inside(&self, row: usize, line: &mut [f32]) {
        let heights = self.map.row(row);
        let last = heights.len() - 1;
        let first = self.region.column as usize;
        let count = line.len() - 2;
        line[1..=count].copy_from_slice(&heights[first..first + count]);
        line[0] = match first {
            0 if last == 0 => heights[0],
            0 if self.map.wraps() => heights[last - 1],
            0 => 2.0 * heights[0] - heights[1],
            first => heights[first - 1],
        };
        line[count + 1] = match heights.get(first + count) {
            Some(height) => *height,
            None if last == 0 => heights[0],
            None if self.map.wraps() => heights[1],
            None => 2.0 * heights[last] - heights[last - 1],
        };
    }
}

impl Window<'_> {
    /// Fill `out` with `value` of each sample's gradient eastwards and southwards, weighted over all eight
    /// neighbours (Horn 1981), as GDAL's `gdaldem` does: east = ((ne + 2e + se) − (nw + 2w + sw)) / 8d.
    #[inline]
    pub(crate) fn horn(&self, out: &mut [f32], value: impl Fn(f32, f32) -> f32) {
        let scale = 1.0 / (8.0 * self.spacing);
        let [north, here, south] = self.lines(out.len());
        for (i, out) in out.iter_mut().enumerate() {
            // Differences first, because those of similar heights are exact.
            let east = (north[i + 2] - north[i])
                + (south[i + 2] - south[i])
                + 2.0 * (here[i + 2] - here[i]);
            let below = (south[i] - north[i])
                + (south[i + 2] - north[i + 2])
                + 2.0 * (south[i + 1] - north[i + 1]);
            *out = value(east * scale, below * scale);
        }
    }

    /// Fill `out` with `value` of each sample's gradient eastwards and southwards by central differences:
    /// east = (e − w) / 2d.
    #[inline]
    pub(crate) fn central<T>(&self, out: &mut [T], value: impl Fn(f32, f32) -> T) {
        let scale = 1.0 / (2.0 * self.spacing);
        let [north, here, south] = self.lines(out.len());
        for (i, out) in out.iter_mut().enumerate() {
            let (east, down) = (here[i + 2] - here[i], south[i + 1] - north[i + 1]);
            *out = value(east * scale, down * scale);
        }
    }

    /// Rows north, here and south, each with `count` + 2 samples.
    pub(crate) fn lines(&self, count: usize) -> [&[f32]; 3] {
        [self.north, self.here, self.south].map(|line| &line[..count + 2])
    }
}

// Terrain derivatives at a scale in metres: gradient and curvature on a coarser level, interpolated with
// cubic splines.
//
// Fractal ground is steeper and more curved the finer it is sampled. So derivatives are taken from every
// 2^k-th sample of the map, with the largest spacing up to the scale, and between these nodes they are
// interpolated with the cubic of Catmull and Rom (1974):
//
// ```text
//   nw · · n · · ne      a node and the eight samples around it are one stride apart
//   ·  · · · · · ·
//   w  · · ● ~ ~ e       ~ interpolated
// ```
//
// More iterations keep all existing samples, so they change nothing at samples that both maps share. The
// gradient is interpolated instead of angles, because angles are discontinuous: on a ridge the gradient
// passes through level ground.
//
// If a side is no multiple of the stride, nodes are closer to each other by less than a sample; the
// samples around each are still one stride away, so that planes keep their slope.

/// Terrain derivative to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    /// Slope in degrees; see [`Window::slope`].
    Slope,
    /// Aspect: the downslope direction; see [`Window::aspect`].
    Aspect,
    /// Mean curvature in 1/m; see [`Window::curvature`].
    Curvature,
}

impl Measure {
    /// Fill `out` with the measure at the sample spacing.
    pub fn fill(self, window: &Window<'_>, out: &mut [f32]) {
        match self {
            Self::Slope => window.slope(out),
            Self::Aspect => window.aspect(out),
            Self::Curvature => window.curvature(out),
        }
    }
}

/// Measure of a map at a scale above its sample spacing.
pub(crate) struct AtScale {
    measure: Measure,
    /// Curvatures of the nodes, or gradients eastwards and southwards.
    values: Vec<Vec<f32>>,
    down: Axis,
    across: Vec<SamplePlace>,
    /// Number of nodes in a row.
    columns: usize,
}

impl AtScale {
    /// Compute the measure over `map` of a tile of `tile_size_m` metres; `None` if samples are so far apart
    /// that they are the nodes. Cost: below that of the measure of all samples; memory: at most one or two
    /// numbers for every fourth sample.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn new(
        measure: Measure,
        map: &Heightmap,
        tile_size_m: f32,
        scale_m: f32,
        job: &Job,
    ) -> Result<Option<Self>, Cancelled> {
        let stride = stride(map, tile_size_m, scale_m);
        if stride == 1 {
            return Ok(None);
        }
        let (rows, columns) = (
            Nodes::new(map.rows(), stride),
            Nodes::new(map.columns(), stride),
        );
        let wraps = map.wraps();
        let spacing = map.spacing() * stride as f32;
        let metres = metres_per_unit(tile_size_m) as f32;
        let around: Vec<Place> = (0..columns.count)
            .flat_map(|node| columns.around(node, stride, wraps))
            .collect();
        let parts = if measure == Measure::Curvature { 1 } else { 2 };
        let made = parallel::par_items(0..rows.count).try_map(|_, node| {
            job.check()?;
            // Samples around all nodes of the row, in groups of three side by side.
            let [north, here, south] = rows.around(node, stride, wraps).map(|row| {
                let line = around.iter().map(|column| height(map, row, *column));
                line.collect::<Vec<f32>>()
            });
            let window = Window {
                north: &north,
                here: &here,
                south: &south,
                spacing,
                metres,
            };
            let mut out = vec![0.0; around.len() - 2];
            let line = |part: usize| {
                match (measure, part) {
                    (Measure::Curvature, _) => window.curvature(&mut out),
                    (_, 0) => window.horn(&mut out, |east, _| east),
                    _ => window.horn(&mut out, |_, south| south),
                }
                out.iter().copied().step_by(3).collect::<Vec<f32>>()
            };
            Ok::<_, Cancelled>((0..parts).map(line).collect::<Vec<_>>())
        })?;
        let mut values = vec![Vec::with_capacity(rows.count * columns.count); parts];
        for row in made {
            for (values, row) in values.iter_mut().zip(row) {
                values.extend(row);
            }
        }
        let across = Axis::new(columns.count, map.columns(), 1, wraps);
        Ok(Some(Self {
            measure,
            values,
            down: Axis::new(rows.count, map.rows(), 1, wraps),
            across: (0..map.columns())
                .map(|column| across.place(column))
                .collect(),
            columns: columns.count,
        }))
    }

    /// Create the row function of one thread, which fills rows of the map with the measure.
    pub fn rows(&self) -> impl FnMut(usize, &mut [f32]) {
        let mut nodes = vec![0.0; self.columns];
        let mut lines = vec![vec![0.0; self.across.len()]; self.values.len() - 1];
        move |row, out| {
            let place = self.down.place(row);
            let mut fill = |values: &[f32], out: &mut [f32]| {
                for (column, node) in nodes.iter_mut().enumerate() {
                    *node = place.value(|row| values[row * self.columns + column]);
                }
                for (out, across) in out.iter_mut().zip(&self.across) {
                    *out = across.value(|column| nodes[column]);
                }
            };
            fill(&self.values[0], out);
            for (values, line) in self.values[1..].iter().zip(&mut lines) {
                fill(values, line);
            }
            match self.measure {
                Measure::Slope => slopes(&lines[0], out),
                Measure::Aspect => aspects(&lines[0], out),
                Measure::Curvature => {}
            }
        }
    }
}

/// Number of samples from one node to the next, a power of two.
fn stride(map: &Heightmap, tile_size_m: f32, scale_m: f32) -> usize {
    let spacing = f64::from(map.spacing()) * metres_per_unit(tile_size_m);
    let sides = [map.rows(), map.columns()].map(|samples| samples - 1);
    let shorter = sides.into_iter().filter(|cells| *cells > 0).min();
    let mut stride = 1;
    while 2 * stride <= shorter.unwrap_or(0) && spacing * (2 * stride) as f64 <= f64::from(scale_m)
    {
        stride *= 2;
    }
    stride
}

/// Nodes along a side of a map.
struct Nodes {
    /// Index of the side's last sample.
    last: usize,
    count: usize,
}

/// Sample, or linear extrapolation beyond a free border: the index of the border, and that of the sample at
/// the same distance inside.
type Place = (usize, Option<usize>);

impl Nodes {
    fn new(samples: usize, stride: usize) -> Self {
        let last = samples - 1;
        Self {
            last,
            count: last.div_ceil(stride) + 1,
        }
    }

    /// Samples one stride before a node, at it and one stride after it.
    fn around(&self, node: usize, stride: usize, wraps: bool) -> [Place; 3] {
        let at = node * self.last / (self.count - 1).max(1);
        let (last, stride) = (self.last as isize, stride as isize);
        [-stride, 0, stride].map(|by| match at as isize + by {
            _ if last == 0 => (0, None),
            at if (0..=last).contains(&at) => (at as usize, None),
            at if wraps => (at.rem_euclid(last) as usize, None),
            at if at < 0 => (0, Some(-at as usize)),
            at => (last as usize, Some((2 * last - at) as usize)),
        })
    }
}

fn height(map: &Heightmap, row: Place, column: Place) -> f32 {
    let straight = |(border, inner): Place, at: &dyn Fn(usize) -> f32| match inner {
        None => at(border),
        Some(inner) => 2.0 * at(border) - at(inner),
    };
    straight(row, &|row| straight(column, &|column| map.at(row, column)))
}

// Slope, aspect and curvature by finite differences, a row at a time.

/// Aspect of level ground, which has none.
pub(crate) const LEVEL: f32 = -1.0;

impl Window<'_> {
    /// Fill `out` with the slope at each sample, in degrees: atan √(east² + south²), with the gradient of
    /// Horn (1981).
    pub(crate) fn slope(&self, out: &mut [f32]) {
        slope(self, out);
    }

    /// Fill `out` with the aspect at each sample (Horn 1981): the downslope direction in degrees clockwise
    /// from north, 0…360, or [`LEVEL`].
    pub(crate) fn aspect(&self, out: &mut [f32]) {
        aspect(self, out);
    }

    /// Fill `out` with the mean curvature at each sample, in 1/m: the mean of its two principal curvatures,
    /// each the reciprocal of a radius. It is positive on ridges and peaks and negative in valleys.
    ///
    /// It is computed from the first derivatives p, q and the second derivatives r, s, t eastwards and
    /// southwards, taken from the 3 × 3 samples around (Zevenbergen & Thorne 1987):
    ///
    /// H = −((1 + q²)·r − 2·p·q·s + (1 + p²)·t) / (2·(1 + p² + q²)^(3/2))
    ///
    /// At a free border the second derivative across it is 0.
    pub(crate) fn curvature(&self, out: &mut [f32]) {
        curvature(self, out);
    }
}

vectorized! {
    fn slope(window: &Window<'_>, out: &mut [f32]) {
        window.horn(out, steepness);
    }

    fn aspect(window: &Window<'_>, out: &mut [f32]) {
        window.horn(out, direction);
    }

    /// Convert gradients eastwards, in `out`, and southwards to slopes in degrees.
    fn slopes(south: &[f32], out: &mut [f32]) {
        for (out, south) in out.iter_mut().zip(south) {
            *out = steepness(*out, *south);
        }
    }

    /// Convert gradients eastwards, in `out`, and southwards to aspects; see [`Window::aspect`].
    fn aspects(south: &[f32], out: &mut [f32]) {
        for (out, south) in out.iter_mut().zip(south) {
            *out = direction(*out, *south);
        }
    }

    fn curvature(window: &Window<'_>, out: &mut [f32]) {
        let [north, here, south] = window.lines(out.len());
        let first = 0.5 / window.spacing;
        let second = 1.0 / (window.spacing * window.spacing);
        let scale = -0.5 / window.metres;
        for (i, out) in out.iter_mut().enumerate() {
            let centre = here[i + 1];
            let p = (here[i + 2] - here[i]) * first;
            let q = (south[i + 1] - north[i + 1]) * first;
            let r = ((here[i + 2] - centre) + (here[i] - centre)) * second;
            let t = ((south[i + 1] - centre) + (north[i + 1] - centre)) * second;
            let s = ((south[i + 2] - south[i]) - (north[i + 2] - north[i])) * (0.25 * second);
            let bend = (1.0 + q * q) * r - 2.0 * p * q * s + (1.0 + p * p) * t;
            let length2 = 1.0 + p * p + q * q;
            *out = scale * bend / (length2 * length2.sqrt());
        }
    }
}

#[inline(always)]
fn steepness(east: f32, south: f32) -> f32 {
    degrees((east * east + south * south).sqrt(), 1.0)
}

/// Downslope direction for a gradient eastwards and southwards.
#[inline(always)]
fn direction(east: f32, south: f32) -> f32 {
    // Downhill is opposite to the gradient, and north is opposite to south, so only `east` changes sign.
    compass(-east, south)
}

/// Bearing of the direction (east, north) in degrees clockwise from north, 0…360.
#[inline(always)]
fn compass(east: f32, north: f32) -> f32 {
    // Selections rather than branches, so that they are vectorized.
    let quarter = degrees(east.abs(), north.abs());
    let half = if north < 0.0 {
        180.0 - quarter
    } else {
        quarter
    };
    let round = if east < 0.0 { 360.0 - half } else { half };
    // A direction just west of north may round to a whole turn, which is north.
    let round = if round < 360.0 { round } else { 0.0 };
    let level = (east == 0.0) & (north == 0.0);
    if level { LEVEL } else { round }
}

// Polynomial arctangent in degrees with + − × ÷ alone. The bits are the same on every machine, and whole
// rows are vectorized, unlike calls of a library's arctangent.

/// Coefficients of atan(t) / t in degrees for t² of 0…1: the polynomial of degree 8 through the Chebyshev
/// points. Including rounding errors the angle is within 0.00001°.
const ARCTANGENT: [f32; 9] = [
    57.295_78,
    -19.098_423,
    11.454_499,
    -8.134_739,
    6.083_878,
    -4.272_463_3,
    2.414_308,
    -0.901_334_17,
    0.158_496_36,
];

/// Angle of a right triangle opposite one of its legs, 0…90 degrees. The legs must not be negative; if both
/// are 0, so is the angle.
#[inline(always)]
fn degrees(opposite: f32, adjacent: f32) -> f32 {
    let (less, more) = (opposite.min(adjacent), opposite.max(adjacent));
    let t = less / more.max(f32::MIN_POSITIVE);
    let square = t * t;
    let series = ARCTANGENT.iter().rev();
    let angle = t * series.fold(0.0, |sum, factor| sum * square + factor);
    if opposite > adjacent {
        90.0 - angle
    } else {
        angle
    }
}

#[cfg(test)]
mod tests {
    use super::degrees;

    #[test]
    fn angles_are_right() {
        for step in 0..=9000 {
            let angle = f64::from(step) / 100.0;
            let (sin, cos) = angle.to_radians().sin_cos();
            let found = degrees((3.0 * sin) as f32, (3.0 * cos) as f32);
            assert!(
                (f64::from(found) - angle).abs() < 2e-5,
                "{found} for {angle}"
            );
        }
        for (legs, angle) in [((0.0, 0.0), 0.0), ((1.0, 0.0), 90.0), ((2.0, 2.0), 45.0)] {
            assert_eq!(degrees(legs.0, legs.1), angle);
        }
    }
}
