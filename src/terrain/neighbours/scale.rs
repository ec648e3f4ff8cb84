//! Terrain derivatives at a scale in metres: gradient and curvature on a coarser level, interpolated with
//! cubic splines.
//!
//! Fractal ground is steeper and more curved the finer it is sampled. So derivatives are taken from every
//! 2^k-th sample of the map, with the largest spacing up to the scale, and between these nodes they are
//! interpolated with the cubic of Catmull and Rom (1974):
//!
//! ```text
//!   nw · · n · · ne      a node and the eight samples around it are one stride apart
//!   ·  · · · · · ·
//!   w  · · ● ~ ~ e       ~ interpolated
//! ```
//!
//! More iterations keep all existing samples, so they change nothing at samples that both maps share. The
//! gradient is interpolated instead of angles, because angles are discontinuous: on a ridge the gradient
//! passes through level ground.
//!
//! If a side is no multiple of the stride, nodes are closer to each other by less than a sample; the
//! samples around each are still one stride away, so that planes keep their slope.

use super::Window;
use super::shape::{aspects, slopes};
use crate::terrain::heightmap::Heightmap;
use crate::terrain::resample::{Axis, SamplePlace};
use crate::util::job::{Cancelled, Job};
use crate::util::numbers::metres_per_unit;
use crate::util::parallel;

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
