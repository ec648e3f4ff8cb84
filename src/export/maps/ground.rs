//! The heights that a map is made of, a band of rows at a time: from the whole map in memory, or,
//! of untouched diamond-square, made for the band with the samples around it.

use std::sync::Arc;

use crate::export::source::place_of;
use crate::export::{ExportError, Place, RowSource, Samples};
use crate::fractal::Edges;
use crate::fractal::Subdivision;
use crate::fractal::region::{self, Region};
use crate::generate::GenerateError;
use crate::heightmap::Heightmap;
use crate::inputs::Inputs;
use crate::job::Job;
use crate::maps::Relief;
use crate::pipeline;
use crate::scene::Scene;

use super::all_of;

/// Samples of a band: large enough that the samples around it cost little.
const BAND_SAMPLES: usize = 4 << 20;
/// Maps of up to so many iterations are made whole, which is quicker than band by band.
const WHOLE_UP_TO: u32 = 12;

/// A rectangle of the ground.
#[derive(Clone, Debug)]
pub struct Ground {
    source: Arc<RowSource>,
    region: Region,
    place: Place,
    tile_size_m: f32,
}

impl Ground {
    /// The whole ground of a scene or a rectangle of it.
    pub fn new(
        scene: &Scene,
        inputs: &Inputs,
        region: Option<Region>,
        samples: Samples,
        job: &Job,
    ) -> Result<Self, ExportError> {
        match region {
            Some(region) => Self::of_any_size(scene, inputs, job)?.part(region),
            None => {
                let small = pipeline::surface_of(scene).iterations <= WHOLE_UP_TO;
                let source = RowSource::new(scene, inputs, small || !samples.streams(), job)?;
                let [rows, columns] = samples.of(source.rows(), source.columns());
                if samples.is_crop(source.rows(), source.columns()) {
                    return Self::of(source, scene).part(all_of(rows as u64, columns as u64));
                }
                let (source, _) = samples.apply(source, job)?;
                Ok(Self::of(source, scene))
            }
        }
    }

    /// The ground of a scene, to take rectangles of.
    pub fn of_any_size(scene: &Scene, inputs: &Inputs, job: &Job) -> Result<Self, ExportError> {
        Ok(Self::of(RowSource::of_any_size(scene, inputs, job)?, scene))
    }

    /// All of these rows.
    pub fn of(source: RowSource, scene: &Scene) -> Self {
        let place = Place::whole(source.rows() as u64, source.columns() as u64);
        Self {
            source: Arc::new(source),
            region: all_of(place.rows, place.columns),
            place,
            tile_size_m: scene.surface.tile_size_m,
        }
    }

    /// All of the ground that this is a rectangle of.
    pub fn all(&self) -> Self {
        let place = Place::whole(self.place.rows, self.place.columns);
        Self {
            region: all_of(place.rows, place.columns),
            place,
            ..self.clone()
        }
    }

    /// A rectangle of all of the ground.
    pub fn part(&self, region: Region) -> Result<Self, ExportError> {
        let place = place_of(region, self.place.rows, self.place.columns)?;
        Ok(Self {
            region,
            place,
            ..self.clone()
        })
    }

    /// Where in the map the rectangle lies.
    pub fn place(&self) -> Place {
        self.place
    }

    /// Rows of the rectangle.
    pub fn rows(&self) -> usize {
        self.region.rows
    }

    /// Columns of the rectangle.
    pub fn columns(&self) -> usize {
        self.region.columns
    }

    /// Lowest and highest height of all of the ground.
    pub fn range(&self, job: &Job) -> Result<(f32, f32), ExportError> {
        Ok(self.source.range(job).map_err(GenerateError::from)?)
    }

    /// Hands bands of rows to `each`, north first.
    pub fn each_band<E: From<GenerateError>>(
        &self,
        job: &Job,
        each: &mut dyn FnMut(&Relief<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let Region { rows, columns, .. } = self.region;
        let at_once = (BAND_SAMPLES / columns).max(16);
        let spacing = 2.0 / self.place.cells.max(1) as f32;
        for first in (0..rows).step_by(at_once) {
            job.check().map_err(GenerateError::from)?;
            let band = Region {
                row: self.region.row + first as u64,
                rows: at_once.min(rows - first),
                ..self.region
            };
            match &*self.source {
                RowSource::Stream(stream) => {
                    // Its own progress is that of the band.
                    let (map, band) = with_margin(stream.subdivision(), band, job)?;
                    each(&Relief::new(&map, band, spacing, self.tile_size_m))?;
                }
                RowSource::Map(map) => {
                    each(&Relief::new(map, band, spacing, self.tile_size_m))?;
                }
                RowSource::Numbers(_) => unreachable!("numbers are made of heights"),
            }
            job.advance((first + band.rows) as u64, rows as u64);
        }
        Ok(())
    }
}

/// A rectangle of a map with one sample more on every side, unless a free map ends there; and
/// where in that it lies.
fn with_margin(
    subdivision: &Subdivision,
    region: Region,
    job: &Job,
) -> Result<(Heightmap, Region), GenerateError> {
    let side = subdivision.side() as u64;
    let wraps = subdivision.rule.edges == Edges::Wrap;
    let (rows, north) = pieces(region.row, region.rows, side, wraps);
    let (columns, west) = pieces(region.column, region.columns, side, wraps);
    let total = |pieces: &[Piece]| pieces.iter().map(|piece| piece.count).sum();
    let (height, width): (usize, usize) = (total(&rows), total(&columns));
    let mut heights = vec![0.0; height * width];
    for down in &rows {
        for across in &columns {
            let part = Region {
                row: down.first,
                column: across.first,
                rows: down.count,
                columns: across.count,
            };
            let part = region::heights(subdivision, part, job)?;
            for row in 0..down.count {
                let into = &mut heights[(down.at + row) * width + across.at..][..across.count];
                into.copy_from_slice(part.row(row));
            }
        }
    }
    let within = Region {
        row: north as u64,
        column: west as u64,
        ..region
    };
    Ok((Heightmap::new(height, width, false, heights), within))
}

/// Samples of a map that lie next to each other, and where they go.
struct Piece {
    at: usize,
    first: u64,
    count: usize,
}

/// `count` samples from `first` on of `all`, with one more at either end: round the map if it
/// wraps, none where it ends. And how many come before `first`.
fn pieces(first: u64, count: usize, all: u64, wraps: bool) -> (Vec<Piece>, usize) {
    let after = first + count as u64;
    let mut pieces = Vec::new();
    if first == 0 && wraps {
        // The last sample is the first.
        pieces.push(Piece {
            at: 0,
            first: all - 2,
            count: 1,
        });
    }
    let at = pieces.len();
    let start = first.saturating_sub(1);
    let end = (after + 1).min(all);
    pieces.push(Piece {
        at,
        first: start,
        count: (end - start) as usize,
    });
    if after == all && wraps {
        pieces.push(Piece {
            at: at + (end - start) as usize,
            first: 1,
            count: 1,
        });
    }
    let before = usize::from(first > 0 || wraps);
    (pieces, before)
}
