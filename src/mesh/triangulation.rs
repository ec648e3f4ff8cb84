//! A map as a mesh of triangles, in parts that can be made alone, so that a file of it needs no
//! copy of the whole.

use rayon::prelude::*;

use super::simplify::{Detail, Simplified, SimplifyError};
use super::triangles;
use crate::heightmap::Heightmap;
use crate::job::Job;

/// The range of no height.
const NO_RANGE: (f32, f32) = (f32::INFINITY, f32::NEG_INFINITY);

/// A map's triangles: all of them, or fewer.
#[derive(Debug)]
pub struct Triangulation<'a> {
    map: &'a Heightmap,
    chosen: Option<Simplified>,
}

impl<'a> Triangulation<'a> {
    /// The map at that detail; of all detail it costs nothing.
    ///
    /// # Errors
    /// As [`Simplified::new`].
    pub fn new(map: &'a Heightmap, detail: Detail, job: &Job) -> Result<Self, SimplifyError> {
        let chosen = match detail {
            Detail::All => None,
            fewer => Some(Simplified::new(map, fewer, job)?),
        };
        Ok(Self { map, chosen })
    }

    /// A part of a map at that detail: every sample of its border is a vertex, so that it joins
    /// the parts beside it.
    ///
    /// # Errors
    /// As [`Simplified::new`].
    pub fn of_part(map: &'a Heightmap, detail: Detail, job: &Job) -> Result<Self, SimplifyError> {
        let chosen = match detail {
            Detail::All => None,
            fewer => Some(Simplified::of_part(map, fewer, job)?),
        };
        Ok(Self { map, chosen })
    }

    /// The map.
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

    /// The columns of a row's samples that are vertices, west first.
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
        let of_row = |row| {
            let heights = self.vertices_of(row).map(|column| self.map.at(row, column));
            heights.fold(NO_RANGE, |(low, high), h| (low.min(h), high.max(h)))
        };
        let wider = |a: (f32, f32), b: (f32, f32)| (a.0.min(b.0), a.1.max(b.1));
        let rows = (0..self.map.rows()).into_par_iter();
        rows.map(of_row).reduce(|| NO_RANGE, wider)
    }

    /// Whether a sample is a vertex.
    #[must_use]
    pub fn is_vertex(&self, row: usize, column: usize) -> bool {
        let chosen = self.chosen.as_ref();
        chosen.is_none_or(|chosen| chosen.is_vertex(row * self.map.columns() + column))
    }

    /// The number of a vertex, counted row by row, from that of its sample.
    #[must_use]
    pub fn number_of(&self, sample: u32) -> u32 {
        match &self.chosen {
            Some(chosen) => chosen.number_of(sample),
            None => sample,
        }
    }

    /// In how many parts the triangles are made, each of some thousands at most.
    #[must_use]
    pub fn parts(&self) -> usize {
        match &self.chosen {
            Some(chosen) => chosen.parts(),
            None => self.map.rows() - 1,
        }
    }

    /// Samples that a part is about, a measure of its size.
    #[must_use]
    pub fn samples_of_a_part(&self) -> usize {
        match &self.chosen {
            Some(_) => Simplified::PART,
            None => self.map.columns(),
        }
    }

    /// Hands over the triangles of one part, as numbers of samples counted row by row,
    /// counter-clockwise seen from above. All parts together are each triangle once.
    pub fn each_triangle(&self, part: usize, mut found: impl FnMut([u32; 3])) {
        match &self.chosen {
            Some(chosen) => chosen.each_triangle(part, found),
            None => (1..self.map.columns())
                .flat_map(|east| triangles::cell(part, east - 1, self.map.columns()))
                .for_each(&mut found),
        }
    }

    /// The triangles as numbers of vertices.
    pub fn each_face(&self, part: usize, mut found: impl FnMut([u32; 3])) {
        self.each_triangle(part, |corners| found(corners.map(|at| self.number_of(at))));
    }
}
