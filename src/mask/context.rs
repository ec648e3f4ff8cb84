//! What steps and their masks are given besides their options, and why a mask fails.

use std::path::PathBuf;
use std::sync::LazyLock;

use crate::generate::{GenerateError, Images, Surface};
use crate::job::{Cancelled, Job};
use crate::language::tr;
use crate::param::OutOfRange;

/// What a modifier or a mask is given besides its own options.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// The seed of the landscape.
    pub seed: u64,
    /// The job, which is checked. Its progress is that of erosion; all other steps are quick and
    /// report none.
    pub job: &'a Job,
    /// The height of the scene's water in half tiles; `None` if there is none.
    pub water: Option<f32>,
    /// The side of a tile in metres.
    pub tile_size_m: f32,
    /// The images that the scene names.
    pub images: &'a Images,
}

impl<'a> Context<'a> {
    /// The context of a land with that seed and nothing else: no water, no images, and a tile as
    /// large as it is by default.
    #[must_use]
    pub fn new(seed: u64, job: &'a Job) -> Self {
        static NONE: LazyLock<Images> = LazyLock::new(Images::default);
        Self {
            seed,
            job,
            water: None,
            tile_size_m: Surface::default().tile_size_m,
            images: &NONE,
        }
    }
}

/// Why there is no mask.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MaskError {
    /// The job was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// An option is outside its range, or the mask goes by what the scene does not have.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// The mask's image was not handed in.
    #[error("{}", tr!("the mask's image was not read: {path}", path = path.display()))]
    NotRead {
        /// The path of the image.
        path: PathBuf,
    },
    /// The system has not enough memory.
    #[error(
        "{}",
        tr!(
            "a map under a mask needs {} MB of memory, more than the system has",
            bytes >> 20
        )
    )]
    OutOfMemory {
        /// The size of the map in bytes.
        bytes: u64,
    },
}

impl MaskError {
    /// The same error with keys as they are in the scene, where the mask is that of the step at
    /// `place`, such as `modifiers.0`.
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
