//! The heights of a scene, to be written: a map in memory, or one whose rows and rectangles are
//! made as they are asked for.

use super::ExportError;
use super::memory::{check_drainage, check_free, check_memory};
use crate::fractal::Subdivision;
use crate::fractal::region::{self, Region};
use crate::generate::{GenerateError, MAX_ITERATIONS_IN_MEMORY};
use crate::heightmap::Heightmap;
use crate::inputs::Inputs;
use crate::job::Job;
use crate::maps::MakeWhole;
use crate::pipeline;
use crate::resample::resample;
use crate::scene::Scene;

use super::location::first_of;

/// Where heights come from.
#[derive(Debug)]
pub enum HeightSource {
    /// A map in memory.
    Map(Heightmap),
    /// Diamond-square that nothing else touches, made a few rows at a time, as often as they are
    /// asked for.
    Stream(Box<Subdivision>),
}

impl HeightSource {
    /// The heights of a scene's ground: streamed if its generator can and nothing else touches it,
    /// unless the `whole` map is wanted.
    ///
    /// # Errors
    /// A setting of the scene, a missing input, or too little memory for a map as a whole.
    pub fn new(
        scene: &Scene,
        inputs: &Inputs,
        whole: bool,
        job: &Job,
    ) -> Result<Self, ExportError> {
        scene.validate().map_err(GenerateError::from)?;
        let ground = pipeline::surface_of(scene);
        if !whole
            && pipeline::is_untouched(scene)
            && let Some(subdivision) = ground.subdivision(&inputs.images, job)?
        {
            return Ok(Self::Stream(Box::new(subdivision)));
        }
        ground.validate(MAX_ITERATIONS_IN_MEMORY)?;
        check_memory(scene, inputs)?;
        Ok(Self::Map(pipeline::heights(scene, inputs, job)?))
    }

    /// The heights of a scene's ground, to take rectangles of: of diamond-square that nothing else
    /// touches of up to 2^31 cells a side, else the whole map.
    ///
    /// # Errors
    /// As [`HeightSource::new`].
    pub fn of_any_size(scene: &Scene, inputs: &Inputs, job: &Job) -> Result<Self, ExportError> {
        scene.validate().map_err(GenerateError::from)?;
        if pipeline::is_untouched(scene)
            && let Some(subdivision) =
                pipeline::surface_of(scene).subdivision_of_any_size(&inputs.images, job)?
        {
            return Ok(Self::Stream(Box::new(subdivision)));
        }
        Self::new(scene, inputs, true, job)
    }

    /// Rows and columns.
    pub fn size(&self) -> [usize; 2] {
        match self {
            Self::Map(map) => [map.rows(), map.columns()],
            Self::Stream(subdivision) => [subdivision.side(); 2],
        }
    }

    /// The map, if it is in memory.
    pub fn map(&self) -> Option<&Heightmap> {
        match self {
            Self::Map(map) => Some(map),
            Self::Stream(_) => None,
        }
    }

    /// The heights of a rectangle, made alone or cut from the map.
    ///
    /// # Errors
    /// There is too little memory for it, or the job was cancelled.
    pub fn part(&self, region: Region, job: &Job) -> Result<Heightmap, ExportError> {
        let Region { rows, columns, .. } = region;
        check_free(bytes(region))?;
        let heights = match self {
            Self::Stream(subdivision) => {
                let part = region::heights(subdivision, region, job);
                part.map_err(GenerateError::from)?.into_vec()
            }
            Self::Map(map) => {
                let first = region.column as usize;
                let rows = (region.row as usize..).take(rows);
                let cut = rows.flat_map(|row| &map.row(row)[first..first + columns]);
                cut.copied().collect()
            }
        };
        Ok(Heightmap::new(rows, columns, false, heights))
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
            Self::Stream(_) => self,
        })
    }

    /// The map with no number beyond these two.
    pub fn clamped(self, low: f32, high: f32) -> Self {
        match self {
            Self::Map(map) => {
                let (rows, columns, wraps) = (map.rows(), map.columns(), map.wraps());
                let mut numbers = map.into_heights();
                numbers
                    .iter_mut()
                    .for_each(|number| *number = number.clamp(low, high));
                Self::Map(Heightmap::new(rows, columns, wraps, numbers))
            }
            Self::Stream(_) => self,
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
            Self::Stream(_) => self.part(first_of(self.size()), job)?,
        };
        let map = resample(&map, rows, columns, job).map_err(GenerateError::from)?;
        Ok(Self::Map(map))
    }
}

/// Bytes of the heights of a rectangle.
fn bytes(region: Region) -> u64 {
    let samples = (region.rows as u64).saturating_mul(region.columns as u64);
    samples.saturating_mul(4)
}
