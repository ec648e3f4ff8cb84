//! Heights of which rectangles are made as they are asked for, from any ground and as deep as 64
//! bits tell them apart.

use std::sync::Arc;

use super::ExportError;
use super::location::first_of;
use super::memory::check_free;
use crate::fractal::Edges;
use crate::fractal::Subdivision;
use crate::fractal::refinement::Refinement;
use crate::fractal::region::{self, Region};
use crate::generate::GenerateError;
use crate::grid::Grid;
use crate::heightmap::{Heightmap, Validity};
use crate::job::{Cancelled, Job};

/// Bytes a sample of a rectangle of 64 bits: two patches of the last pass, and then its heights
/// rounded.
const BYTES_IN_THE_MAKING: u64 = 20;

/// A map of which any rectangle can be made alone.
pub trait Rectangles {
    /// Rows and columns of the map.
    fn size(&self) -> [usize; 2];

    /// Whether the last row and column are the first.
    fn wraps(&self) -> bool;

    /// The heights of a rectangle in half tiles.
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

/// Heights as 32-bit numbers above a base, where 32 bits alone cannot tell them apart.
#[derive(Debug)]
pub struct Fine {
    refinement: Refinement,
    above: f64,
    /// The mask of the map that is refined.
    valid: Option<Arc<Validity>>,
}

impl Fine {
    /// The heights of a refinement, of which that region is wanted. The base is the height of its
    /// north-western sample, or 0 where heights have 32 bits or no region is wanted.
    ///
    /// # Errors
    /// The job was cancelled, or 64 bits cannot tell heights of this depth apart.
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

    /// The same heights below a map with this mask.
    pub fn with_valid(self, valid: Option<Arc<Validity>>) -> Self {
        Self { valid, ..self }
    }

    /// The validity mask of the map that is refined.
    pub fn valid(&self) -> Option<&Arc<Validity>> {
        self.valid.as_ref()
    }

    /// The height in half tiles that numbers are above.
    pub fn above(&self) -> f64 {
        self.above
    }

    /// The level of the finest heights.
    pub fn level(&self) -> u32 {
        self.refinement.level()
    }

    /// Whether 32 bits alone cannot tell heights apart.
    pub fn is_deep(&self) -> bool {
        !self.refinement.is_single()
    }

    /// The heights of a rectangle with all their bits, the southern row first if `flipped`; `None`
    /// where they have 32.
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

    /// The whole map.
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

/// Heights as numbers of 32 bits above one.
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
