//! Sources of heights for an export: a map in memory, or generators of rows and rectangles on demand,
//! as deep as 64-bit floats can tell heights apart.

use std::sync::Arc;

use super::error::ExportError;
use super::memory::{check_drainage, check_free, check_memory};
use crate::fractal::refinement::{Refinement, level_of};
use crate::fractal::region::{self, Region};
use crate::fractal::{Edges, Subdivision};
use crate::generate::{GenerateError, MAX_ITERATIONS_IN_MEMORY, MAX_ITERATIONS_STREAMED};
use crate::pipeline;
use crate::pipeline::inputs::Inputs;
use crate::plants::Scatter;
use crate::scene::{PlantKind, Scene};
use crate::shading::maps::{MakeWhole, SnowMeasure};
use crate::shading::snow::SnowCover;
use crate::terrain::grid::Grid;
use crate::terrain::heightmap::{Heightmap, Heights, Validity};
use crate::terrain::resample::resample;
use crate::util::job::{Cancelled, Job};
use crate::util::numbers::metres_per_unit;

/// Peak bytes per sample when a whole map is refined: two patches and their coarser levels.
const BYTES_OF_REFINEMENT: u64 = 9;

/// Peak bytes per sample of a 64-bit rectangle: two patches of the last pass, then the rounded heights.
const BYTES_OF_EXACT: u64 = 20;

/// Source of heights.
#[derive(Debug)]
pub enum HeightSource {
    /// Map in memory.
    Map(Heightmap),
    /// Diamond-square without layers, modifiers and rock, generated row by row as often as needed.
    Stream(Box<Subdivision>),
    /// Refined ground below its last iteration, or diamond-square with too many rows to stream.
    /// Rectangles are generated on demand.
    Fine(Box<Fine>),
}

/// Map of zeros with the samples of another.
fn zeros(map: &Heightmap) -> Heightmap {
    let none = vec![0.0; map.heights().len()];
    let bare = Heightmap::new(map.rows(), map.columns(), map.wraps(), none);
    bare.with_valid(map.valid().cloned())
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
            return match whole {
                true => in_memory(&subdivision, job).map(Self::Map),
                false => Ok(Self::Stream(Box::new(subdivision))),
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
        let streams = ground.iterations.saturating_add(levels) <= MAX_ITERATIONS_STREAMED;
        let goes_on = pipeline::goes_on_as_itself(scene);
        if goes_on
            && !streams
            && let Some(deep) = ground.refinement(&scene.detail, levels, &inputs.images, job)?
        {
            return Ok(Self::Fine(Box::new(Fine::new(deep, region, None, job)?)));
        }
        Self::new(scene, inputs, levels, !goes_on, job)
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
            check_free(bytes.saturating_mul(BYTES_OF_REFINEMENT))?;
        }
        let refinement = pipeline::refined(map, scene, levels, job)?;
        let fine = Fine::new(refinement, region, map.valid().cloned(), job)?;
        Ok(match whole {
            true => Self::Map(fine.into_map(job)?),
            false => Self::Fine(Box::new(fine)),
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
            Self::Stream(subdivision) => [subdivision.side(); 2],
            Self::Fine(fine) => fine.refinement.size(),
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
            Self::Fine(fine) => fine.valid.as_ref(),
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
            Self::Stream(subdivision) => subdivision.rule.edges == Edges::Wrap,
            Self::Fine(fine) => fine.wraps(),
        }
    }

    /// Heights of a rectangle in half tiles, generated on its own or cut from the map.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn rectangle(&self, region: Region, job: &Job) -> Result<Grid<f32>, Cancelled> {
        match self {
            Self::Stream(subdivision) => region::heights(subdivision, region, job),
            Self::Fine(fine) => fine.rectangle(region, job),
            Self::Map(map) => {
                let (first, columns) = (region.column as usize, region.columns);
                let rows = (region.row as usize..).take(region.rows);
                let cut = rows.flat_map(|row| &map.row(row)[first..first + columns]);
                Ok(grid(region, cut.copied().collect()))
            }
        }
    }

    /// As [`HeightSource::rectangle`], with the validity mask.
    ///
    /// # Errors
    /// There is too little memory for it, or the job was cancelled.
    pub fn part(&self, region: Region, job: &Job) -> Result<Heightmap, ExportError> {
        check_free(bytes(region))?;
        let heights = self.rectangle(region, job)?.into_vec();
        let part = Heightmap::new(region.rows, region.columns, false, heights);
        Ok(part.with_valid(self.valid(region, false)))
    }

    /// Replace the heights of a map in memory with numbers that `make` derives from them.
    ///
    /// # Errors
    /// There is too little memory, or the job was cancelled.
    pub fn made(self, scene: &Scene, make: MakeWhole, job: &Job) -> Result<Self, ExportError> {
        let Self::Map(map) = self else {
            return Ok(self);
        };
        check_drainage(&map)?;
        Ok(Self::Map(make(&map, scene, job)?))
    }

    /// Raise the heights to the surface of the snow on them, whatever their level.
    ///
    /// # Errors
    /// There is too little memory, the level is too deep, or the job was cancelled.
    pub fn under_snow(self, snow: &SnowCover, job: &Job) -> Result<Self, ExportError> {
        Ok(Self::Map(snow.lay(self.into_map(job)?, job)?))
    }

    /// Replace the heights with a measure of the snow on them, 0 without snow.
    ///
    /// # Errors
    /// As [`HeightSource::under_snow`].
    pub fn measured_snow(
        self,
        measure: SnowMeasure,
        snow: Option<&SnowCover>,
        scene: &Scene,
        job: &Job,
    ) -> Result<Self, ExportError> {
        let map = self.into_map(job)?;
        let metres = metres_per_unit(scene.surface.tile_size_m);
        Ok(Self::Map(match snow {
            Some(snow) => snow.measured(&map, |depth| match measure {
                SnowMeasure::Depth => depth * metres,
                SnowMeasure::Cover => snow.snow.hidden(depth),
            }),
            None => zeros(&map),
        }))
    }

    /// Replace the heights with the density of plants of a kind on them, 0 without plants.
    ///
    /// # Errors
    /// As [`HeightSource::under_snow`].
    pub fn measured_plants(
        self,
        kind: PlantKind,
        plants: Option<&Scatter>,
        job: &Job,
    ) -> Result<Self, ExportError> {
        let map = self.into_map(job)?;
        Ok(Self::Map(match plants {
            Some(plants) => plants.density(kind, &map, job)?,
            None => zeros(&map),
        }))
    }

    /// All heights in memory, for snow and plants.
    fn into_map(self, job: &Job) -> Result<Heightmap, ExportError> {
        if let Some(deep) = self.deep() {
            return Err(ExportError::TooDeep {
                map: "snow",
                level: deep.refinement.level(),
                most: Refinement::SINGLE_TO,
            });
        }
        Ok(match self {
            Self::Map(map) => map,
            Self::Stream(_) | Self::Fine(_) => {
                let wraps = self.wraps();
                let part = self.part(first_of(self.size()), job)?;
                let (rows, columns, valid) = (part.rows(), part.columns(), part.valid().cloned());
                Heightmap::new(rows, columns, wraps, part.into_heights()).with_valid(valid)
            }
        })
    }

    /// Resample the heights to this number of rows and columns, see [`resample`].
    ///
    /// # Errors
    /// There is too little memory, or the job was cancelled.
    pub fn resampled(self, size: [usize; 2], job: &Job) -> Result<Heightmap, ExportError> {
        check_free(bytes(first_of(size)))?;
        let map = match self {
            Self::Map(map) => map,
            Self::Stream(_) | Self::Fine(_) => self.part(first_of(self.size()), job)?,
        };
        Ok(resample(&map, size[0], size[1], job)?)
    }
}

/// Diamond-square in memory.
fn in_memory(subdivision: &Subdivision, job: &Job) -> Result<Heightmap, ExportError> {
    let side = subdivision.side();
    let bytes = (side as u64 * side as u64).saturating_mul(4);
    check_free(bytes)?;
    let mut heights = Heights::zeros(side * side).ok_or(GenerateError::OutOfMemory { bytes })?;
    subdivision.fill(&mut heights, job)?;
    let wraps = subdivision.rule.edges == Edges::Wrap;
    Ok(Heightmap::new(side, side, wraps, heights))
}

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

/// Numbers of a rectangle, row by row.
fn grid<T: Copy>(region: Region, numbers: Vec<T>) -> Grid<T> {
    Grid::from_vec(region.rows, region.columns, numbers).expect("a number for each sample")
}

/// Refined heights as 32-bit floats relative to a base height, for levels where absolute 32-bit heights
/// are too coarse.
#[derive(Debug)]
pub struct Fine {
    /// Generator of the heights.
    pub refinement: Refinement,
    /// Base height, in half tiles.
    pub above: f64,
    /// Validity mask of the map that is refined.
    valid: Option<Arc<Validity>>,
}

impl Fine {
    /// Heights of a refinement, prepared for a region. The base is the height of the region's
    /// north-western sample, or 0 if 32 bits suffice or there is no region. `valid` is the validity mask
    /// of the coarse map.
    ///
    /// # Errors
    /// The job was cancelled, or the level is too deep for 64-bit heights.
    fn new(
        refinement: Refinement,
        region: Option<Region>,
        valid: Option<Arc<Validity>>,
        job: &Job,
    ) -> Result<Self, ExportError> {
        let (level, deepest) = (refinement.level(), refinement.deepest());
        if !refinement.is_single() && level > deepest {
            return Err(ExportError::Precision { level, deepest });
        }
        let [rows, columns] = refinement.size().map(|side| side as u64);
        let mut above = 0.0;
        if let Some(Region { row, column, .. }) = region
            && !refinement.is_single()
            && row < rows
            && column < columns
        {
            let corner = Region {
                row,
                column,
                rows: 1,
                columns: 1,
            };
            above = refinement.double(corner, job)?.at(0, 0);
        }
        Ok(Self {
            refinement,
            above,
            valid,
        })
    }

    /// True if absolute 32-bit heights are too coarse.
    fn is_deep(&self) -> bool {
        !self.refinement.is_single()
    }

    fn wraps(&self) -> bool {
        self.refinement.rule.edges == Edges::Wrap
    }

    /// 64-bit heights of a rectangle, the southern row first if `flipped`.
    ///
    /// # Errors
    /// The job was cancelled, or there is too little memory.
    pub fn exact(
        &self,
        region: Region,
        flipped: bool,
        job: &Job,
    ) -> Result<Arc<Grid<f64>>, ExportError> {
        let samples = (region.rows as u64).saturating_mul(region.columns as u64);
        check_free(samples.saturating_mul(BYTES_OF_EXACT))?;
        let mut heights = self.refinement.double(region, job)?;
        if flipped {
            let backwards = (0..region.rows).rev().flat_map(|row| heights.row(row));
            heights = grid(region, backwards.copied().collect());
        }
        Ok(Arc::new(heights))
    }

    /// Generate the whole map.
    fn into_map(self, job: &Job) -> Result<Heightmap, Cancelled> {
        let [rows, columns] = self.refinement.size();
        let heights = self.rectangle(first_of([rows, columns]), job)?.into_vec();
        let valid = self
            .valid
            .as_ref()
            .map(|valid| valid.resampled(rows, columns));
        let map = Heightmap::new(rows, columns, self.wraps(), heights);
        Ok(map.with_valid(valid.map(Arc::new)))
    }

    fn rectangle(&self, region: Region, job: &Job) -> Result<Grid<f32>, Cancelled> {
        if !self.is_deep() {
            return self.refinement.single(region, job);
        }
        let heights = self.refinement.double(region, job)?;
        Ok(grid(region, rounded(&heights, self.above)))
    }
}

/// 64-bit heights rounded to 32-bit floats relative to a base.
pub fn rounded(heights: &Grid<f64>, above: f64) -> Vec<f32> {
    let heights = heights.as_slice().iter();
    heights.map(|height| (height - above) as f32).collect()
}

/// Location of a rectangle of samples in its map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// First row.
    pub row: u64,
    /// First column.
    pub column: u64,
    /// Number of rows of the map.
    pub rows: u64,
    /// Number of columns of the map.
    pub columns: u64,
    /// Cells along the map's longer side.
    pub cells: u64,
}

impl Location {
    /// Location of a whole map.
    pub fn whole(rows: usize, columns: usize) -> Self {
        let (rows, columns) = (rows as u64, columns as u64);
        Self {
            row: 0,
            column: 0,
            rows,
            columns,
            cells: rows.max(columns) - 1,
        }
    }

    /// Location of a rectangle of the same map.
    ///
    /// # Errors
    /// The region reaches beyond the map.
    pub fn of(self, region: Region) -> Result<Self, ExportError> {
        let fits = |first: u64, count: usize, all: u64| {
            let last = first.checked_add(count as u64);
            count > 0 && last.is_some_and(|last| last <= all)
        };
        let Region {
            row,
            column,
            rows,
            columns,
        } = region;
        if fits(row, rows, self.rows) && fits(column, columns, self.columns) {
            return Ok(Self {
                row,
                column,
                ..self
            });
        }
        Err(ExportError::Region {
            region: format!("{column},{row},{columns},{rows}"),
            columns: self.columns,
            rows: self.rows,
        })
    }
}

/// Rectangle of the first rows and columns.
pub fn first_of([rows, columns]: [usize; 2]) -> Region {
    Region {
        row: 0,
        column: 0,
        rows,
        columns,
    }
}
