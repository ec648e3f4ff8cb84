//! Deep levels of detail: rectangles of a refined heightfield, generated on demand as deep as 64-bit
//! floats can tell heights apart.

use std::sync::Arc;

use super::error::ExportError;
use super::location::first_of;
use super::memory::check_free;
use crate::fractal::Edges;
use crate::fractal::Subdivision;
use crate::fractal::refinement::Refinement;
use crate::fractal::region::{self, Region};
use crate::generate::GenerateError;
use crate::terrain::grid::Grid;
use crate::terrain::heightmap::{Heightmap, Validity};
use crate::util::job::{Cancelled, Job};

/// Peak bytes per sample of a 64-bit rectangle: two patches of the last pass, then the rounded heights.
const BYTES_IN_THE_MAKING: u64 = 20;

/// Heightfield of which any rectangle can be generated on its own.
pub trait Rectangles {
    /// Rows and columns.
    fn size(&self) -> [usize; 2];

    /// True if the last row and column repeat the first.
    fn wraps(&self) -> bool;

    /// Heights of a rectangle, in half tiles.
    ///
    /// # Errors
    /// The job was cancelled.
    fn rectangle(&self, region: Region, job: &Job) -> Result<Grid<f32>, Cancelled>;
}

impl Rectangles for Subdivision {
    fn size(&self) -> [usize; 2] {
        [self.side(); 2]
    }

    fn wraps(&self) -> bool {
        self.rule.edges == Edges::Wrap
    }

    fn rectangle(&self, region: Region, job: &Job) -> Result<Grid<f32>, Cancelled> {
        region::heights(self, region, job)
    }
}

/// Refined heights as 32-bit floats relative to a base height, for levels where absolute 32-bit heights
/// are too coarse.
#[derive(Debug)]
pub struct Fine {
    refinement: Refinement,
    above: f64,
    /// Validity mask of the map that is refined.
    valid: Option<Arc<Validity>>,
}

impl Fine {
    /// Heights of a refinement, prepared for a region. The base is the height of the region's
    /// north-western sample, or 0 if 32 bits suffice or there is no region.
    ///
    /// # Errors
    /// The job was cancelled, or the level is too deep for 64-bit heights.
    pub fn new(
        refinement: Refinement,
        region: Option<Region>,
        job: &Job,
    ) -> Result<Self, ExportError> {
        let (level, deepest) = (refinement.level(), refinement.deepest());
        if !refinement.is_single() && level > deepest {
            return Err(ExportError::Precision { level, deepest });
        }
        let region = region.filter(|region| {
            let fits = |first: u64, side: usize| first < side as u64;
            let [rows, columns] = refinement.size();
            !refinement.is_single() && fits(region.row, rows) && fits(region.column, columns)
        });
        let above = match region {
            Some(region) => {
                let corner = Region {
                    rows: 1,
                    columns: 1,
                    ..region
                };
                let height = refinement.double(corner, job);
                height.map_err(GenerateError::from)?.at(0, 0)
            }
            None => 0.0,
        };
        Ok(Self {
            refinement,
            above,
            valid: None,
        })
    }

    /// Attach the validity mask of the coarse map.
    pub fn with_valid(self, valid: Option<Arc<Validity>>) -> Self {
        Self { valid, ..self }
    }

    /// Validity mask of the map that is refined.
    pub fn valid(&self) -> Option<&Arc<Validity>> {
        self.valid.as_ref()
    }

    /// Base height, in half tiles.
    pub fn above(&self) -> f64 {
        self.above
    }

    /// Level of the finest heights.
    pub fn level(&self) -> u32 {
        self.refinement.level()
    }

    /// True if absolute 32-bit heights are too coarse.
    pub fn is_deep(&self) -> bool {
        !self.refinement.is_single()
    }

    /// 64-bit heights of a rectangle, the southern row first if `flipped`; `None` if 32 bits suffice.
    ///
    /// # Errors
    /// The job was cancelled, or there is too little memory.
    pub fn exact(
        &self,
        region: Region,
        flipped: bool,
        job: &Job,
    ) -> Result<Option<Arc<Grid<f64>>>, ExportError> {
        if !self.is_deep() {
            return Ok(None);
        }
        let samples = (region.rows as u64).saturating_mul(region.columns as u64);
        check_free(samples.saturating_mul(BYTES_IN_THE_MAKING))?;
        let heights = self.refinement.double(region, job);
        let mut heights = heights.map_err(GenerateError::from)?;
        if flipped {
            let backwards = (0..region.rows).rev().flat_map(|row| heights.row(row));
            let backwards = backwards.copied().collect();
            heights = Grid::from_vec(region.rows, region.columns, backwards).expect("as many");
        }
        Ok(Some(Arc::new(heights)))
    }

    /// Generate the whole map.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn into_map(self, job: &Job) -> Result<Heightmap, Cancelled> {
        let [rows, columns] = self.size();
        let all = first_of([rows, columns]);
        let heights = self.rectangle(all, job)?.into_vec();
        let valid = self.valid().map(|valid| valid.resampled(rows, columns));
        let map = Heightmap::new(rows, columns, self.wraps(), heights);
        Ok(map.with_valid(valid.map(Arc::new)))
    }
}

/// 64-bit heights rounded to 32-bit floats relative to a base.
pub fn rounded(heights: &Grid<f64>, above: f64) -> Grid<f32> {
    let numbers = heights.as_slice().iter();
    let numbers = numbers.map(|height| (height - above) as f32).collect();
    Grid::from_vec(heights.rows(), heights.columns(), numbers).expect("as many")
}

impl Rectangles for Fine {
    fn size(&self) -> [usize; 2] {
        self.refinement.size()
    }

    fn wraps(&self) -> bool {
        self.refinement.rule.edges == Edges::Wrap
    }

    fn rectangle(&self, region: Region, job: &Job) -> Result<Grid<f32>, Cancelled> {
        if !self.is_deep() {
            return self.refinement.single(region, job);
        }
        Ok(rounded(&self.refinement.double(region, job)?, self.above))
    }
}
