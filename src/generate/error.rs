//! Errors of generators.

use std::path::PathBuf;

use super::{Generator, MAX_ITERATIONS_IN_MEMORY};
use crate::terrain::heightmap::{MOST_HEIGHT, WildHeight};
use crate::util::job::Cancelled;
use crate::util::language::tr;
use crate::util::param::{OutOfRange, UnknownName};

impl GenerateError {
    /// Mark the error as one of the layer at `index`; a cancelled job stays cancelled.
    #[must_use]
    pub(crate) fn of_layer(self, index: usize) -> Self {
        match self {
            Self::Cancelled(cancelled) => Self::Cancelled(cancelled),
            error => Self::Layer {
                index,
                source: Box::new(error),
            },
        }
    }
}

/// Reason why no height map was generated.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// The job was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// Setting outside its range.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// Unknown palette name.
    #[error(transparent)]
    UnknownName(#[from] UnknownName),
    /// More iterations than the map may have for its use.
    #[error(
        "{}",
        tr!(
            "surface.iterations is {iterations}, allowed is 1 to {most} for a map {}",
            if *most > MAX_ITERATIONS_IN_MEMORY { tr("whose rows stream") } else { tr("held in memory") }, iterations, most
        )
    )]
    TooManyIterations {
        /// Requested number of iterations.
        iterations: u32,
        /// Largest number allowed.
        most: u32,
    },
    /// Missing input image of a generator that needs one.
    #[error(
        "{}",
        tr!(
            "generator `{generator}` needs an input image, surface.input is not set",
            generator
        )
    )]
    NoInput {
        /// Generator that needs the image.
        generator: Generator,
    },
    /// Input image that was named but not loaded.
    #[error("{}", tr!("the input image was not read: {}", path.display()))]
    InputNotRead {
        /// Path of the image.
        path: PathBuf,
    },
    /// Failure of a layer.
    #[error("{}", tr!("layers.{index}: {source}", index, source))]
    Layer {
        /// Index of the layer in the list, from 0.
        index: usize,
        /// Error of the layer.
        source: Box<GenerateError>,
    },
    /// Formula without a finite value at a sample; the first such sample in row-major order.
    #[error(
        "{}",
        tr!(
            "{key} is {value} at x = {x}, z = {z} (row {row}, column {column}), allowed is a \
             finite height, up to ±{MOST_HEIGHT}",
            key, value, x, z, row, column, MOST_HEIGHT = format_args!("{MOST_HEIGHT:e}")
        )
    )]
    NotFinite {
        /// Key of the formula in the scene.
        key: &'static str,
        /// Value at the sample: NaN or infinite, or too large.
        value: f32,
        /// Coordinate from west to east, −1…1.
        x: f64,
        /// Coordinate from north to south, −1…1.
        z: f64,
        /// Row of the sample.
        row: usize,
        /// Column of the sample.
        column: usize,
    },
    /// Height outside the range that maps allow.
    #[error(transparent)]
    Wild(#[from] WildHeight),
    /// Not enough memory.
    #[error("{}", tr!("the map needs {} MB of memory, more than the system has", bytes >> 20))]
    OutOfMemory {
        /// Size of the map in bytes.
        bytes: u64,
    },
}
