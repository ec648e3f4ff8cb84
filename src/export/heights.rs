//! The heights of a scene, to be written: a map in memory, or one whose rows and rectangles are
//! made as they are asked for.

use std::sync::Arc;

use super::ExportError;
use super::memory::{check_drainage, check_free, check_memory};
use crate::fractal::Subdivision;
use crate::fractal::refinement::{Refinement, level_of};
use crate::fractal::region::Region;
use crate::generate::{GenerateError, MAX_ITERATIONS_IN_MEMORY, MAX_ITERATIONS_STREAMED};
use crate::grid::Grid;
use crate::heightmap::{Heightmap, Heights, Validity};
use crate::inputs::Inputs;
use crate::job::Job;
use crate::maps::MakeWhole;
use crate::pipeline;
use crate::resample::resample;
use crate::scene::Scene;

use super::fine::{Fine, Rectangles};
use super::location::first_of;

/// Where heights come from.
#[derive(Debug)]
pub enum HeightSource {
    /// A map in memory.
    Map(Heightmap),
    /// Diamond-square that nothing else touches, made a few rows at a time, as often as they are
    /// asked for.
    Stream(Box<Subdivision>),
    /// Any ground below its last iteration, or diamond-square with more rows than can stream, of
    /// which rectangles are made.
    Fine(Box<Fine>),
}

impl HeightSource {
    /// The heights of a scene's ground: streamed if its generator can and nothing else touches it,
    /// unless the `whole` map is wanted. Diamond-square that nothing touches has so many `levels`
    /// below its last iteration; others get them by [`HeightSource::refined`].
    ///
    /// # Errors
    /// A setting of the scene, a missing input, or too little memory for a map as a whole.
    pub fn new(
        scene: &Scene,
        inputs: &Inputs,
        levels: u32,
        whole: bool,
        job: &Job,
    ) -> Result<Self, ExportError> {
        scene.validate().map_err(GenerateError::from)?;
        let ground = pipeline::surface_of(scene);
        let goes_on = pipeline::goes_on_as_itself(scene) && (levels > 0 || !whole);
        let (detail, images) = (&scene.detail, &inputs.images);
        if goes_on
            && let Some(subdivision) = ground.subdivision_below(detail, levels, images, job)?
        {
            let stream = Self::Stream(Box::new(subdivision));
            return if whole {
                stream.in_memory(job)
            } else {
                Ok(stream)
            };
        }
        ground.validate(MAX_ITERATIONS_IN_MEMORY)?;
        check_memory(scene, inputs)?;
        Ok(Self::Map(pipeline::heights(scene, inputs, job)?))
    }

    /// The heights of a scene's ground, to take that rectangle of: of diamond-square that nothing
    /// else touches with so many `levels` below its last iteration, of up to 2^60 cells a side,
    /// else the whole map.
    ///
    /// # Errors
    /// As [`HeightSource::new`].
    pub fn of_any_size(
        scene: &Scene,
        inputs: &Inputs,
        levels: u32,
        region: Option<Region>,
        job: &Job,
    ) -> Result<Self, ExportError> {
        scene.validate().map_err(GenerateError::from)?;
        let ground = pipeline::surface_of(scene);
        let (detail, images) = (&scene.detail, &inputs.images);
        let streams = ground.iterations.saturating_add(levels) <= MAX_ITERATIONS_STREAMED;
        if pipeline::goes_on_as_itself(scene)
            && !streams
            && let Some(refinement) = ground.refinement(detail, levels, images, job)?
        {
            let fine = Fine::new(refinement, region, job)?;
            return Ok(Self::Fine(Box::new(fine)));
        }
        let whole = !pipeline::goes_on_as_itself(scene);
        Self::new(scene, inputs, levels, whole, job)
    }

    /// A ground that is in memory, with so many `levels` below its last iteration: all of it if the
    /// `whole` map is wanted, else to take that rectangle of.
    ///
    /// # Errors
    /// There are not so many levels, there is too little memory, or the job was cancelled.
    pub fn refined(
        self,
        scene: &Scene,
        levels: u32,
        whole: bool,
        region: Option<Region>,
        job: &Job,
    ) -> Result<Self, ExportError> {
        let Self::Map(map) = &self else {
            return Ok(self);
        };
        if levels == 0 || pipeline::goes_on_as_itself(scene) {
            return Ok(self);
        }
        check_levels(map, levels)?;
        if whole {
            let side = |side: usize| (((side - 1) as u64) << levels.min(31)) + 1;
            let bytes = side(map.rows()).saturating_mul(side(map.columns()));
            check_free(bytes.saturating_mul(BYTES_IN_THE_MAKING))?;
        }
        let refinement = pipeline::refined(map, scene, levels, job)?;
        let fine = Fine::new(refinement, region, job)?.with_valid(map.valid().cloned());
        Ok(if whole {
            Self::Map(fine.into_map(job).map_err(GenerateError::from)?)
        } else {
            Self::Fine(Box::new(fine))
        })
    }

    /// The map in memory, streamed into it if need be.
    fn in_memory(self, job: &Job) -> Result<Self, ExportError> {
        Ok(match self {
            Self::Stream(subdivision) => {
                let side = subdivision.side();
                let bytes = (side as u64 * side as u64).saturating_mul(4);
                check_free(bytes)?;
                let no_memory = GenerateError::OutOfMemory { bytes };
                let mut heights = Heights::zeros(side * side).ok_or(no_memory)?;
                let filled = subdivision.fill(&mut heights, job);
                filled.map_err(GenerateError::from)?;
                Self::Map(Heightmap::new(side, side, subdivision.wraps(), heights))
            }
            there => there,
        })
    }

    /// Heights of 64 bits, whose rectangles are numbers of 32 above a base of their own.
    pub fn deep(&self) -> Option<&Fine> {
        match self {
            Self::Fine(fine) if fine.is_deep() => Some(fine),
            _ => None,
        }
    }

    /// Rows and columns.
    pub fn size(&self) -> [usize; 2] {
        match self {
            Self::Map(map) => [map.rows(), map.columns()],
            Self::Stream(subdivision) => subdivision.size(),
            Self::Fine(fine) => fine.size(),
        }
    }

    /// The map, if it is in memory.
    pub fn map(&self) -> Option<&Heightmap> {
        match self {
            Self::Map(map) => Some(map),
            Self::Stream(_) | Self::Fine(_) => None,
        }
    }

    /// The validity mask of a rectangle, the southern row first if `flipped`; `None` if all samples
    /// of the map hold data. Below the last iteration a sample holds data if the nearest one above
    /// does. Memory: one bit a sample.
    pub fn valid(&self, region: Region, flipped: bool) -> Option<Arc<Validity>> {
        let of_map = match self {
            Self::Map(map) => map.valid(),
            Self::Stream(_) => None,
            Self::Fine(fine) => fine.valid(),
        }?;
        if region == first_of([of_map.rows(), of_map.columns()]) && !flipped {
            return Some(Arc::clone(of_map));
        }
        let [rows, columns] = self.size();
        let nearest = |first: u64, count: usize, size: usize, of: usize| -> Vec<usize> {
            let (cells, of) = ((size - 1).max(1) as u128, (of - 1) as u128);
            let at = |index: u64| ((u128::from(index) * of + cells / 2) / cells) as usize;
            (first..first + count as u64).map(at).collect()
        };
        let mut from_rows = nearest(region.row, region.rows, rows, of_map.rows());
        if flipped {
            from_rows.reverse();
        }
        let from_columns = nearest(region.column, region.columns, columns, of_map.columns());
        Some(Arc::new(of_map.picked(&from_rows, &from_columns)))
    }

    /// Whether the last row and column of the map are the first.
    pub fn wraps(&self) -> bool {
        match self {
            Self::Map(map) => map.wraps(),
            Self::Stream(subdivision) => subdivision.wraps(),
            Self::Fine(fine) => fine.wraps(),
        }
    }

    /// The heights of a rectangle, made alone or cut from the map.
    ///
    /// # Errors
    /// There is too little memory for it, or the job was cancelled.
    pub fn part(&self, region: Region, job: &Job) -> Result<Heightmap, ExportError> {
        let Region { rows, columns, .. } = region;
        check_free(bytes(region))?;
        let made = |from: &dyn Rectangles| {
            let part = from.rectangle(region, job);
            part.map(Grid::into_vec).map_err(GenerateError::from)
        };
        let heights = match self {
            Self::Stream(subdivision) => made(&**subdivision)?,
            Self::Fine(fine) => made(&**fine)?,
            Self::Map(map) => {
                let first = region.column as usize;
                let rows = (region.row as usize..).take(rows);
                let cut = rows.flat_map(|row| &map.row(row)[first..first + columns]);
                cut.copied().collect()
            }
        };
        let part = Heightmap::new(rows, columns, false, heights);
        Ok(part.with_valid(self.valid(region, false)))
    }

    /// The numbers that `make` makes of a map in memory, instead of its heights.
    ///
    /// # Errors
    /// There is too little memory, or the job was cancelled.
    pub fn made(self, scene: &Scene, make: MakeWhole, job: &Job) -> Result<Self, ExportError> {
        Ok(match self {
            Self::Map(map) => {
                check_drainage(&map)?;
                Self::Map(make(&map, scene, job).map_err(GenerateError::from)?)
            }
            Self::Stream(_) | Self::Fine(_) => self,
        })
    }

    /// The map with no number beyond these two.
    pub fn clamped(self, low: f32, high: f32) -> Self {
        match self {
            Self::Map(map) => {
                let (rows, columns, wraps) = (map.rows(), map.columns(), map.wraps());
                let valid = map.valid().cloned();
                let mut numbers = map.into_heights();
                numbers
                    .iter_mut()
                    .for_each(|number| *number = number.clamp(low, high));
                Self::Map(Heightmap::new(rows, columns, wraps, numbers).with_valid(valid))
            }
            Self::Stream(_) | Self::Fine(_) => self,
        }
    }

    /// The heights interpolated at so many rows and columns, see [`resample`].
    ///
    /// # Errors
    /// There is too little memory, or the job was cancelled.
    pub fn resampled(self, [rows, columns]: [usize; 2], job: &Job) -> Result<Self, ExportError> {
        check_free(bytes(first_of([rows, columns])))?;
        let map = match self {
            Self::Map(map) => map,
            Self::Stream(_) | Self::Fine(_) => self.part(first_of(self.size()), job)?,
        };
        let map = resample(&map, rows, columns, job).map_err(GenerateError::from)?;
        Ok(Self::Map(map))
    }
}

/// Bytes a sample of a map that is refined as a whole: two patches and what is above them.
const BYTES_IN_THE_MAKING: u64 = 9;

/// Refuses levels that are deeper than any.
fn check_levels(map: &Heightmap, levels: u32) -> Result<(), ExportError> {
    let base = level_of(map);
    let most = Refinement::MOST_LEVELS.saturating_sub(base);
    if levels > most {
        return Err(ExportError::Levels { levels, base, most });
    }
    if map.is_profile() {
        return Err(ExportError::LevelsOfProfile);
    }
    Ok(())
}

/// Bytes of the heights of a rectangle.
fn bytes(region: Region) -> u64 {
    let samples = (region.rows as u64).saturating_mul(region.columns as u64);
    samples.saturating_mul(4)
}
