//! Meshes of a heightfield as vertices and indices: ridge line, grid lines and triangles, one shape a
//! file, and mesh simplification with an error bound.
//!
//! Vertices are stored row by row, north to south, so that the sample (row, column) has the index `row ·
//! columns + column` in every mesh. x is east, y is up, z is south; the longer side of the map spans
//! −1…1.

use glam::{Vec2, Vec3};

use crate::terrain::heightmap::Heightmap;

pub mod lines;
pub mod ridge;
pub mod simplify;
pub mod triangles;
mod triangulation;
pub mod wall;

pub use simplify::Detail;
pub use triangulation::Triangulation;

/// A mesh vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vertex {
    /// Position, in half tiles.
    pub position: Vec3,
    /// Unit normal, upwards. It wraps like the map, so that the shading of repeated tiles has no seam.
    pub normal: Vec3,
    /// Position on the map, 0…1: u from west to east, v from north to south.
    pub uv: Vec2,
}

impl Vertex {
    /// Vertex of a sample.
    ///
    /// # Panics
    /// The map has no such sample.
    #[must_use]
    #[inline]
    pub fn of(map: &Heightmap, row: usize, column: usize) -> Self {
        let part = |index: usize, count: usize| index as f32 / (count - 1).max(1) as f32;
        Self {
            position: Vec3::new(map.x(column), map.at(row, column), map.z(row)),
            normal: map.normal(row, column),
            uv: Vec2::new(part(column, map.columns()), part(row, map.rows())),
        }
    }
}

/// Vertices of all samples, row by row; each takes 32 bytes.
#[must_use]
pub fn vertices(map: &Heightmap) -> Vec<Vertex> {
    (0..map.rows())
        .flat_map(|row| (0..map.columns()).map(move |column| Vertex::of(map, row, column)))
        .collect()
}
