//! Normals of the ground by which materials lie on it, taken at a fixed scale.
//!
//! Fractal ground is steeper the finer it is sampled: by the slope from sample to sample, more iterations would
//! turn meadows into rock. So the heights of nodes at a fixed share of the tile are smoothed by the binomial filter
//! [1 2 1] / 4, and the normals are those of this smoother ground: central differences at the nodes, bilinear in
//! between. Without smoothing, normals between nodes would be less steep than those at them, and finer samples of
//! the same ground, most of which are in between, would have less rock.
//!
//! Ground whose samples are farther apart than the nodes has the slopes from sample to sample.

use glam::Vec3;

use crate::terrain::grid::{Edge, Grid};
use crate::terrain::heightmap::Heightmap;

/// Least number of steps between nodes along the longer side of a tile, if it has so many samples. With the smoothing,
/// slopes are taken over a hundredth of the side, 20 to 30 m on a tile of the default size.
const STEPS: usize = 1 << MaterialNormals::ITERATIONS;
/// Number of times that the heights are smoothed.
const PASSES: usize = 2;

/// Normals of the ground at the scale of its materials.
#[derive(Clone, Debug)]
pub struct MaterialNormals {
    /// Components of the unit normals eastwards and southwards, at each node.
    east: Grid<f32>,
    south: Grid<f32>,
    /// Number of nodes across a tile and down, from its first sample to its last.
    span: [f64; 2],
    edge: Edge,
}

impl MaterialNormals {
    /// Number of iterations of a map whose samples are the nodes.
    pub(crate) const ITERATIONS: u32 = 8;

    /// Compute the normals of `map`. Cost: a few milliseconds at most, however large
    /// the map.
    #[must_use]
    pub fn of(map: &Heightmap) -> Self {
        let (rows, columns, wraps) = (map.rows(), map.columns(), map.wraps());
        let cells = (rows.max(columns) - 1).max(1);
        let stride = 1 << (cells / STEPS).max(1).ilog2();
        let count = |side: usize| ((side - 1) / stride + usize::from(!wraps)).max(1);
        let mut nodes = Grid::filled(count(rows), count(columns), 0.0);
        for row in 0..nodes.rows() {
            for column in 0..nodes.columns() {
                nodes.set(row, column, map.at(row * stride, column * stride));
            }
        }
        let edge = if wraps { Edge::Wrap } else { Edge::Clamp };
        // Samples farther apart than nodes are as far apart as smoothing reaches.
        let passes = if cells < STEPS { 0 } else { PASSES };
        for _ in 0..passes {
            nodes = smoothed(&nodes, edge);
        }
        let spacing = 2.0 * stride as f32 / cells as f32;
        let mut east = Grid::filled(nodes.rows(), nodes.columns(), 0.0);
        let mut south = east.clone();
        for row in 0..nodes.rows() {
            let (north, below, down) = beside(row, nodes.rows(), edge);
            for column in 0..nodes.columns() {
                let (before, after, across) = beside(column, nodes.columns(), edge);
                let x = nodes.at(row, before) - nodes.at(row, after);
                let z = nodes.at(north, column) - nodes.at(below, column);
                let normal = Vec3::new(x / across, spacing, z / down).normalize();
                east.set(row, column, normal.x);
                south.set(row, column, normal.z);
            }
        }
        let span = |side: usize| (side - 1) as f64 / stride as f64;
        Self {
            east,
            south,
            span: [span(columns), span(rows)],
            edge,
        }
    }

    /// Unit normal at a position in the tile: 0…1 from its first column to its last, and from its first row to its
    /// last. x is east, y up, z south.
    #[must_use]
    pub fn at(&self, [east, south]: [f32; 2]) -> Vec3 {
        let [column, row] = [
            f64::from(east) * self.span[0],
            f64::from(south) * self.span[1],
        ];
        let [x, z] = [&self.east, &self.south].map(|part| part.bilinear(row, column, self.edge));
        Vec3::new(x, up(x, z), z)
    }

    /// Normals at the nodes as bytes: x and z from −1 as 1 to 1 as 255, then y from 0 to 255.
    pub(crate) fn texels(&self) -> Grid<[u8; 4]> {
        let normals = self.east.as_slice().iter().zip(self.south.as_slice());
        let texels = normals.map(|(x, z)| {
            let [red, green] = [x, z].map(|part| (part * 127.0 + 128.5) as u8);
            [red, green, (up(*x, *z) * 255.0 + 0.5) as u8, u8::MAX]
        });
        let (rows, columns) = (self.east.rows(), self.east.columns());
        Grid::from_vec(rows, columns, texels.collect()).expect("a texel for each node")
    }

    /// Number of nodes across a tile and down, from its first sample to its last.
    pub(crate) fn span(&self) -> [f32; 2] {
        self.span.map(|nodes| nodes as f32)
    }

    /// True if the normals are periodic.
    pub(crate) fn wraps(&self) -> bool {
        self.edge == Edge::Wrap
    }
}

/// Third component of a unit vector that points up.
fn up(x: f32, z: f32) -> f32 {
    (1.0 - x * x - z * z).max(0.0).sqrt()
}

/// Nodes before and after a node in a line of so many, and how far they are apart.
fn beside(at: usize, count: usize, edge: Edge) -> (usize, usize, f32) {
    match edge {
        Edge::Wrap => {
            let before = if at == 0 { count - 1 } else { at - 1 };
            let after = if at + 1 == count { 0 } else { at + 1 };
            (before, after, 2.0)
        }
        Edge::Clamp => {
            let (before, after) = (at.saturating_sub(1), (at + 1).min(count - 1));
            (before, after, (after - before).max(1) as f32)
        }
    }
}

/// Smooth heights along columns, then along rows. At a free border, beyond which they go on straight, they stay.
fn smoothed(nodes: &Grid<f32>, edge: Edge) -> Grid<f32> {
    let smooth = |before: f32, here: f32, after: f32, apart: f32| {
        if apart < 2.0 {
            here
        } else {
            0.25 * (before + after) + 0.5 * here
        }
    };
    let mut across = nodes.clone();
    for row in 0..nodes.rows() {
        for column in 0..nodes.columns() {
            let (west, east, apart) = beside(column, nodes.columns(), edge);
            let at = |column| nodes.at(row, column);
            across.set(row, column, smooth(at(west), at(column), at(east), apart));
        }
    }
    let mut both = across.clone();
    for row in 0..nodes.rows() {
        let (north, south, apart) = beside(row, nodes.rows(), edge);
        for column in 0..nodes.columns() {
            let at = |row| across.at(row, column);
            both.set(row, column, smooth(at(north), at(row), at(south), apart));
        }
    }
    both
}
