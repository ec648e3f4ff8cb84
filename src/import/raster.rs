//! A file's samples as it stores them, with what it says of them: what every reader hands out, before
//! [`super::rule`] makes heights of the numbers.

use super::source::Broken;
use crate::geo::Georeference;

/// Numbers as stored; not a number where there is no data.
#[derive(Clone, Debug, PartialEq)]
pub enum Numbers {
    /// Numbers that 32 bits hold.
    Single(Vec<f32>),
    /// Numbers that need more.
    Double(Vec<f64>),
}

impl Numbers {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Single(numbers) => numbers.len(),
            Self::Double(numbers) => numbers.len(),
        }
    }

    /// One of them.
    pub fn at(&self, index: usize) -> f64 {
        match self {
            Self::Single(numbers) => numbers[index].into(),
            Self::Double(numbers) => numbers[index],
        }
    }

    /// Takes the data from one of them.
    pub fn clear(&mut self, index: usize) {
        match self {
            Self::Single(numbers) => numbers[index] = f32::NAN,
            Self::Double(numbers) => numbers[index] = f64::NAN,
        }
    }
}

/// What a file says of its numbers.
#[derive(Clone, Debug, Default)]
pub struct Stated {
    /// Metres of a number; below 0 of depths.
    pub unit_m: Option<f64>,
    /// The word for a unit that is not known.
    pub unknown_unit: Option<String>,
    /// What a number is multiplied by, and what is then added.
    pub scale: Option<(f64, f64)>,
    /// Metres on the ground from one sample to the next, eastwards and southwards.
    pub step_m: Option<[f64; 2]>,
    /// The number that means no data.
    pub no_data: Option<f64>,
    /// Whether all samples without data are known, whatever their numbers are.
    pub knows_missing: bool,
    /// Whether the southern row comes first.
    pub south_first: bool,
    /// Whether Landform wrote it: then nothing is guessed.
    pub is_ours: bool,
    /// Whether it has coordinates and names no system.
    pub names_no_system: bool,
    /// Whether it lies on another body than the earth.
    pub is_elsewhere: bool,
    /// Where it lies; its two vectors lead from one sample to the next.
    pub place: Option<Georeference>,
    /// What was assumed since it does not say it, a few words each.
    pub assumed: Vec<String>,
    /// What was assumed of the spacing.
    pub assumed_spacing: Vec<String>,
    /// What the user is to know of it, a line each.
    pub notices: Vec<String>,
}

/// The samples of a file as stored, row after row.
#[derive(Clone, Debug)]
pub struct Raster {
    /// Rows.
    pub rows: usize,
    /// Columns.
    pub columns: usize,
    /// The numbers.
    pub numbers: Numbers,
    /// The highest there can be of whole numbers from 0: steps of brightness, or of heights.
    pub top: Option<u16>,
    /// Whether the numbers are the brightness of colours, whatever else the file says.
    pub is_color: bool,
    /// Whether it is for the user to say how many samples there are, and in which order of bytes.
    pub is_bare: bool,
    /// What the file says of them.
    pub stated: Stated,
    /// Heights in half tiles of 0 and of the highest step, as written into a file of ours.
    pub step_heights: Option<(f64, f64)>,
    /// The same of a file that was changed since.
    pub old_step_heights: Option<(f64, f64)>,
    /// Metres along the longer side of the map whose half tiles these are.
    pub steps_tile_m: Option<f32>,
    /// What rounding to metres has lost, of a file of ours: see
    /// [`FINE_TAG`](crate::formats::tiff::FINE_TAG).
    pub fine: Option<Vec<u8>>,
}

impl Raster {
    /// Samples of a file that says nothing of them.
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

    /// The same samples, of which the file says more.
    pub fn with(self, stated: Stated) -> Self {
        Self { stated, ..self }
    }
}
