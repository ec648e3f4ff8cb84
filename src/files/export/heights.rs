//! Sources of heights for an export: a map in memory, or generators of rows and rectangles on demand.

use std::sync::Arc;

use super::error::ExportError;
use super::memory::{check_drainage, check_free, check_memory};
use crate::fractal::Subdivision;
use crate::fractal::refinement::{Refinement, level_of};
use crate::fractal::region::Region;
use crate::generate::{GenerateError, MAX_ITERATIONS_IN_MEMORY, MAX_ITERATIONS_STREAMED};
use crate::pipeline;
use crate::pipeline::inputs::Inputs;
use crate::scene::Scene;
use crate::shading::maps::MakeWhole;
use crate::terrain::grid::Grid;
use crate::terrain::heightmap::{Heightmap, Heights, Validity};
use crate::terrain::resample::resample;
use crate::util::job::Job;

use super::fine::{Fine, Rectangles};
use super::location::first_of;

/// Source of heights.
#[derive(Debug)]
pub enum HeightSource {
    /// Map in memory.
    Map(Heightmap),
    /// Diamond-square without layers or modifiers, generated row by row as often as needed.
    Stream(Box<Subdivision>),
    /// Refined ground below its last iteration, or diamond-square with too many rows to stream.
    /// Rectangles are generated on demand.
    Fine(Box<Fine>),
}

impl HeightSource {
    /// Heights of a scene's ground. They are streamed if the generator supports it and no layer or
    /// modifier changes them, unless the `whole` map is needed. Such diamond-square includes `levels`
    /// below its last iteration; other grounds are refined by [`HeightSource::refined`].
    ///
    /// # Errors
    /// A setting is invalid, an input is missing, or there is too little memory for a whole map.
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

    /// Heights of a scene's ground from which a rectangle will be taken. Diamond-square without layers or
    /// modifiers includes `levels` below its last iteration, with up to 2^60 cells a side; any other
    /// ground is the whole map.
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

    /// Refine a map in memory by `levels`: all of it if the `whole` map is needed, else on demand around
    /// a region.
    ///
    /// # Errors
    /// There are not as many levels, there is too little memory, or the job was cancelled.
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

    /// Load a streamed map into memory.
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

    /// The refinement, if its rectangles are relative to a base height.
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

    /// Validity mask of a rectangle, the southern row first if `flipped`; `None` if all samples of the
    /// map hold data. Refined samples take the validity of the nearest coarse one. Memory: one bit a
    /// sample.
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
            // Below the last iteration indices have up to 60 bits, so their products need 128.
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

    /// True if the last row and column repeat the first.
    pub fn wraps(&self) -> bool {
        match self {
            Self::Map(map) => map.wraps(),
            Self::Stream(subdivision) => subdivision.wraps(),
            Self::Fine(fine) => fine.wraps(),
        }
    }

    /// Heights of a rectangle, generated on its own or cut from the map.
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

    /// Replace the heights of a map in memory with numbers that `make` derives from them.
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

    /// Clamp all numbers of a map in memory to a range.
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

    /// Resample the heights to this number of rows and columns, see [`resample`].
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

/// Peak bytes per sample when a whole map is refined: two patches and their coarser levels.
const BYTES_IN_THE_MAKING: u64 = 9;

/// Check that a map can be refined by `levels`.
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

/// Size of a rectangle of heights, in bytes.
fn bytes(region: Region) -> u64 {
    let samples = (region.rows as u64).saturating_mul(region.columns as u64);
    samples.saturating_mul(4)
}
