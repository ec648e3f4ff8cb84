//! Raster as read from a file: samples in stored form with the file's metadata, before [`super::rule`]
//! converts them to heights.

use super::source::Broken;
use crate::terrain::geo::Georeference;

/// Samples as stored; NaN means no data.
#[derive(Clone, Debug, PartialEq)]
pub enum Numbers {
    /// Values that fit 32-bit floats.
    Single(Vec<f32>),
    /// Values that need 64-bit floats.
    Double(Vec<f64>),
}

impl Numbers {
    /// The number of samples.
    pub fn len(&self) -> usize {
        match self {
            Self::Single(numbers) => numbers.len(),
            Self::Double(numbers) => numbers.len(),
        }
    }

    /// The sample at an index.
    pub fn at(&self, index: usize) -> f64 {
        match self {
            Self::Single(numbers) => numbers[index].into(),
            Self::Double(numbers) => numbers[index],
        }
    }

    /// Mark a sample as no data.
    pub fn clear(&mut self, index: usize) {
        match self {
            Self::Single(numbers) => numbers[index] = f32::NAN,
            Self::Double(numbers) => numbers[index] = f64::NAN,
        }
    }
}

/// Metadata that a file states about its samples.
#[derive(Clone, Debug, Default)]
pub struct Stated {
    /// Metres per unit of height; negative for depths.
    pub unit_m: Option<f64>,
    /// The name of an unknown unit of height.
    pub unknown_unit: Option<String>,
    /// Scale and offset: stored values are multiplied by the first, then the second is added.
    pub scale: Option<(f64, f64)>,
    /// The sample spacing on the ground, eastwards and southwards, in metres.
    pub step_m: Option<[f64; 2]>,
    /// The value that means no data.
    pub no_data: Option<f64>,
    /// True if all samples without data are already marked, so that none are guessed from their values.
    pub knows_missing: bool,
    /// True if the southern row comes first.
    pub south_first: bool,
    /// True if Landform wrote the file; then nothing is guessed.
    pub is_ours: bool,
    /// True if the file has coordinates but states no reference system.
    pub names_no_system: bool,
    /// True for a map of another body than the earth.
    pub is_elsewhere: bool,
    /// Georeference; its two vectors lead from one sample to the next.
    pub place: Option<Georeference>,
    /// Short descriptions of assumptions that the file leaves open.
    pub assumed: Vec<String>,
    /// Short descriptions of assumptions about the sample spacing.
    pub assumed_spacing: Vec<String>,
    /// Messages for the user, one line each.
    pub notices: Vec<String>,
}

/// Samples of a file as stored, in row order, with metadata.
#[derive(Clone, Debug)]
pub struct Raster {
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub columns: usize,
    /// The samples.
    pub numbers: Numbers,
    /// The highest possible value of unsigned integers, which are levels of brightness or height.
    pub top: Option<u16>,
    /// True if the numbers are the luminance of colours, whatever the metadata states.
    pub is_color: bool,
    /// True if the file has no header, so that its size and byte order may come from the user.
    pub is_bare: bool,
    /// The metadata of the file.
    pub stated: Stated,
    /// Heights of level 0 and of the highest level, in half tiles, from a file written by Landform.
    pub step_heights: Option<(f64, f64)>,
    /// The same heights if the pixels were changed after they were written.
    pub old_step_heights: Option<(f64, f64)>,
    /// Length of the longer side of the map that defines these half tiles, in metres.
    pub steps_tile_m: Option<f32>,
    /// Corrections for the rounding to metres, from a file written by Landform; see
    /// [`FINE_TAG`](crate::files::formats::tiff::FINE_TAG).
    pub fine: Option<Vec<u8>>,
}

impl Raster {
    /// Make a raster without metadata. Fails if the number of samples does not match the size.
    pub fn new(
        rows: u64,
        columns: u64,
        numbers: Numbers,
        top: Option<u16>,
    ) -> Result<Self, Broken> {
        if rows.checked_mul(columns) != Some(numbers.len() as u64) {
            return Err(Broken::cut_short());
        }
        Ok(Self {
            rows: rows as usize,
            columns: columns as usize,
            numbers,
            top,
            is_color: false,
            is_bare: false,
            stated: Stated::default(),
            step_heights: None,
            old_step_heights: None,
            steps_tile_m: None,
            fine: None,
        })
    }

    /// The same raster with new metadata.
    pub fn with(self, stated: Stated) -> Self {
        Self { stated, ..self }
    }
}
