//! Inputs of modifiers and masks besides their options, and the errors of masks.

use std::path::PathBuf;
use std::sync::LazyLock;

use crate::generate::{GenerateError, Images, Surface};
use crate::terrain::heightmap::Heightmap;
use crate::util::job::{Cancelled, Job};
use crate::util::language::tr;
use crate::util::param::OutOfRange;

/// Inputs of a modifier or a mask besides its own options.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// Seed of the landscape.
    pub seed: u64,
    /// Job for cancelling. Its progress is that of erosion; all other steps are quick and report none.
    pub job: &'a Job,
    /// Height of the scene's water in half tiles; `None` without water.
    pub water: Option<f32>,
    /// Side of a tile in metres.
    pub tile_size_m: f32,
    /// Loaded images of the scene.
    pub images: &'a Images,
    /// Map whose heights of 0 and less are water, for the distance from water; `None` if that is the water of
    /// the land itself. It has the rows and columns of the land.
    pub shores: Option<&'a Heightmap>,
}

impl<'a> Context<'a> {
    /// Create a context with a seed and defaults otherwise: no water, no images, and the default tile
    /// size.
    #[must_use]
    pub fn new(seed: u64, job: &'a Job) -> Self {
        static NONE: LazyLock<Images> = LazyLock::new(Images::default);
        Self {
            seed,
            job,
            water: None,
            tile_size_m: Surface::default().tile_size_m,
            images: &NONE,
            shores: None,
        }
    }
}

/// Failure of a mask.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MaskError {
    /// The job was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// Option outside its range, or a mask based on something that the scene does not have.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// Mask image that was not loaded.
    #[error("{}", tr!("the mask's image could not be read: {path}", path = path.display()))]
    NotRead {
        /// Path of the image.
        path: PathBuf,
    },
    /// Not enough memory.
    #[error(
        "{}",
        tr!(
            "a map under a mask needs {} MB of memory, more than the system has",
            bytes >> 20
        )
    )]
    OutOfMemory {
        /// Size of the map in bytes.
        bytes: u64,
    },
}

impl MaskError {
    /// Prefix the keys of the error with the place of the step in the scene, such as `modifiers.0`.
    #[must_use]
    pub(crate) fn of(self, place: &str) -> Self {
        match self {
            Self::OutOfRange(error) => Self::OutOfRange(OutOfRange {
                key: format!("{place}.{}", error.key),
                ..error
            }),
            error => error,
        }
    }
}

impl From<MaskError> for GenerateError {
    fn from(error: MaskError) -> Self {
        match error {
            MaskError::Cancelled(cancelled) => cancelled.into(),
            MaskError::OutOfRange(out_of_range) => out_of_range.into(),
            MaskError::NotRead { path } => Self::InputNotRead { path },
            MaskError::OutOfMemory { bytes } => Self::OutOfMemory { bytes },
        }
    }
}
