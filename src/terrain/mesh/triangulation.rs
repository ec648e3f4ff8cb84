//! Triangle mesh of a map for export, generated part by part, so that writing it needs no copy of the
//! whole.

use super::simplify::{Detail, Simplified, SimplifyError};
use super::triangles;
use crate::terrain::heightmap::Heightmap;
use crate::util::job::Job;
use crate::util::parallel;

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
                .flat_map(|east| triangles::cell(part, east - 1, self.map.columns()))
                .for_each(&mut found),
        }
    }

    /// Call `found` with each triangle of one part, as vertex indices.
    pub fn each_face(&self, part: usize, mut found: impl FnMut([u32; 3])) {
        self.each_triangle(part, |corners| found(corners.map(|at| self.number_of(at))));
    }
}
