//! Meshes of a heightfield as vertices and indices: ridge line, grid lines and triangles, and mesh
//! simplification with an error bound.
//!
//! Vertices are stored row by row, north to south, so that the sample (row, column) has the index `row ·
//! columns + column` in every mesh. x is east, y is up, z is south; the longer side of the map spans
//! −1…1.

use glam::{Vec2, Vec3};

use crate::terrain::heightmap::Heightmap;
use crate::util::job::Job;
use crate::util::parallel;
use simplify::{Simplified, SimplifyError};

mod distance;
pub mod simplify;
pub mod wall;

pub use simplify::Detail;

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

// Triangle mesh of a map for export, generated part by part, so that writing it needs no copy of the
// whole.

/// Empty range of heights.
const NO_RANGE: (f32, f32) = (f32::INFINITY, f32::NEG_INFINITY);

/// Triangle mesh of a map at full detail or simplified.
#[derive(Debug)]
pub struct Triangulation<'a> {
    map: &'a Heightmap,
    chosen: Option<Simplified>,
}

impl<'a> Triangulation<'a> {
    /// Triangulate a map. With [`Detail::All`] it costs nothing.
    ///
    /// # Errors
    /// See [`SimplifyError`].
    pub fn new(map: &'a Heightmap, detail: Detail, job: &Job) -> Result<Self, SimplifyError> {
        let chosen = match detail {
            Detail::All => None,
            fewer => Some(Simplified::new(map, fewer, job)?),
        };
        Ok(Self { map, chosen })
    }

    /// Triangulate a part of a map. Every sample of its border is a vertex, so that it joins the
    /// neighbouring parts.
    ///
    /// # Errors
    /// See [`SimplifyError`].
    pub fn of_part(map: &'a Heightmap, detail: Detail, job: &Job) -> Result<Self, SimplifyError> {
        let chosen = match detail {
            Detail::All => None,
            fewer => Some(Simplified::of_part(map, fewer, job)?),
        };
        Ok(Self { map, chosen })
    }

    /// Source map.
    #[must_use]
    pub fn map(&self) -> &'a Heightmap {
        self.map
    }

    /// Number of vertices.
    #[must_use]
    pub fn vertices(&self) -> usize {
        match &self.chosen {
            Some(chosen) => chosen.vertices(),
            None => self.map.rows() * self.map.columns(),
        }
    }

    /// Number of triangles.
    #[must_use]
    pub fn triangles(&self) -> u64 {
        match &self.chosen {
            Some(chosen) => chosen.triangles(),
            None => 2 * (self.map.rows() as u64 - 1) * (self.map.columns() as u64 - 1),
        }
    }

    /// Columns of the vertices of a row, from west to east.
    pub fn vertices_of(&self, row: usize) -> Box<dyn Iterator<Item = usize> + '_> {
        match &self.chosen {
            Some(chosen) => Box::new(chosen.vertices_of(row)),
            None => Box::new(0..self.map.columns()),
        }
    }

    /// Lowest and highest height of a vertex.
    #[must_use]
    pub fn range(&self) -> (f32, f32) {
        if self.chosen.is_none() {
            return self.map.range();
        }
        let rows = parallel::par_items(0..self.map.rows()).at_least(16);
        let ranges = rows.map(|_, row| {
            let heights = self.vertices_of(row).map(|column| self.map.at(row, column));
            heights.fold(NO_RANGE, |(low, high), h| (low.min(h), high.max(h)))
        });
        let wider = |a: (f32, f32), b: (f32, f32)| (a.0.min(b.0), a.1.max(b.1));
        ranges.into_iter().fold(NO_RANGE, wider)
    }

    /// True if a sample is a vertex.
    #[must_use]
    pub fn is_vertex(&self, row: usize, column: usize) -> bool {
        let chosen = self.chosen.as_ref();
        chosen.is_none_or(|chosen| chosen.is_vertex(row * self.map.columns() + column))
    }

    /// Index of the vertex of a sample, counted row by row.
    #[must_use]
    pub fn number_of(&self, sample: u32) -> u32 {
        match &self.chosen {
            Some(chosen) => chosen.number_of(sample),
            None => sample,
        }
    }

    /// Number of parts in which the triangles are generated; each has at most some thousands.
    #[must_use]
    pub fn parts(&self) -> usize {
        match &self.chosen {
            Some(chosen) => chosen.parts(),
            None => self.map.rows() - 1,
        }
    }

    /// Number of samples of a part, as a measure of its size.
    #[must_use]
    pub fn samples_of_a_part(&self) -> usize {
        match &self.chosen {
            Some(_) => Simplified::PART,
            None => self.map.columns(),
        }
    }

    /// Call `found` with each triangle of one part, as sample indices counted row by row,
    /// counter-clockwise as seen from above. All parts together give each triangle once.
    pub fn each_triangle(&self, part: usize, mut found: impl FnMut([u32; 3])) {
        match &self.chosen {
            Some(chosen) => chosen.each_triangle(part, found),
            None => (1..self.map.columns())
                .flat_map(|east| cell_triangles(part, east - 1, self.map.columns()))
                .for_each(&mut found),
        }
    }

    /// Call `found` with each triangle of one part, as vertex indices.
    pub fn each_face(&self, part: usize, mut found: impl FnMut([u32; 3])) {
        self.each_triangle(part, |corners| found(corners.map(|at| self.number_of(at))));
    }
}

// Triangle mesh of a heightfield at full detail: two triangles a cell, counter-clockwise as seen from
// above.
//
// ```text
// a───b      north
// │ ╱ │      a c b and b c d
// c───d      south
// ```

/// Two triangles of the cell_triangles whose north-western sample is (row, column), as vertex triangle_indices in a map of
/// `columns` columns.
#[must_use]
pub fn cell_triangles(row: usize, column: usize, columns: usize) -> [[u32; 3]; 2] {
    let north = (row * columns + column) as u32;
    let south = north + columns as u32;
    [[north, south, north + 1], [north + 1, south, south + 1]]
}

/// All triangles of a map of rows × columns samples, cell_triangles by cell_triangles, row by row: 2·(rows−1)·(columns−1)
/// triangles.
pub fn triangle_indices(rows: usize, columns: usize) -> impl Iterator<Item = [u32; 3]> {
    (1..rows).flat_map(move |south| {
        (1..columns).flat_map(move |east| cell_triangles(south - 1, east - 1, columns))
    })
}

// Grid lines of a heightfield: every pair of neighbouring samples is joined once.
//
// ```text
// •───•───•
// │   │   │
// •───•───•
// ```

/// Vertex index pairs for a map of rows × columns samples: row by row, first along the row, then down to
/// the next. There are rows·(columns−1) + (rows−1)·columns pairs.
pub fn grid_lines(rows: usize, columns: usize) -> impl Iterator<Item = [u32; 2]> {
    (0..rows).flat_map(move |row| {
        let at = move |row: usize, column: usize| (row * columns + column) as u32;
        let along = (1..columns).map(move |column| [at(row, column - 1), at(row, column)]);
        let down = (0..columns)
            .filter(move |_| row + 1 < rows)
            .map(move |column| [at(row, column), at(row + 1, column)]);
        along.chain(down)
    })
}

// Ridge line of a profile.

/// Points x, y of a profile that is repeated `tile` times side by side. The tiles are scaled so that the
/// whole spans −1…1; heights are scaled with them. Where tiles meet, a profile that wraps has one point,
/// any other has two.
///
/// # Panics
/// The map is not a profile.
#[must_use]
pub fn ridge_points(profile: &Heightmap, tile: u32) -> Vec<[f32; 2]> {
    assert!(profile.is_profile(), "a profile");
    let scale = 1.0 / tile as f32;
    let mut ridge_points = Vec::with_capacity(profile.columns() * tile as usize);
    for index in 0..tile {
        let middle = (2 * index + 1) as f32 - tile as f32;
        let shared = usize::from(index > 0 && profile.wraps());
        ridge_points.extend((shared..profile.columns()).map(|column| {
            let x = profile.x(column) + middle;
            [x * scale, profile.at(0, column) * scale]
        }));
    }
    ridge_points
}

/// Index pairs that join `count` ridge_points one after the other.
pub fn ridge_lines(count: usize) -> impl Iterator<Item = [u32; 2]> {
    (1..count as u32).map(|next| [next - 1, next])
}
