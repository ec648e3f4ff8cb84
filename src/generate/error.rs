//! Reasons why no height map was made.

use std::path::PathBuf;

use super::{Generator, MAX_ITERATIONS_IN_MEMORY};
use crate::heightmap::{MOST_HEIGHT, WildHeight};
use crate::job::Cancelled;
use crate::language::tr;
use crate::param::{OutOfRange, UnknownName};

impl GenerateError {
    /// The same error as one of the layer at `index`; a cancelled job stays cancelled.
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

/// Why no height map was made.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// The job was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// A setting is outside its range.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// There is no palette of that name.
    #[error(transparent)]
    UnknownName(#[from] UnknownName),
    /// There are more iterations than the map may have where it is used.
    #[error(
        "{}",
        tr!(
            "surface.iterations is {iterations}, allowed is 1 to {most} for a map {}",
            if *most > MAX_ITERATIONS_IN_MEMORY { tr("whose rows stream") } else { tr("held in memory") }, iterations, most
        )
    )]
    TooManyIterations {
        /// The iterations asked for.
        iterations: u32,
        /// The most iterations allowed.
        most: u32,
    },
    /// The generator needs an image, and none is named.
    #[error(
        "{}",
        tr!(
            "generator `{generator}` needs an input image, surface.input is not set",
            generator
        )
    )]
    NoInput {
        /// The generator.
        generator: Generator,
    },
    /// The named image was not handed in.
    #[error("{}", tr!("the input image was not read: {}", path.display()))]
    InputNotRead {
        /// The path of the image.
        path: PathBuf,
    },
    /// A layer could not be made.
    #[error("{}", tr!("layers.{index}: {source}", index, source))]
    Layer {
        /// The layer's place in the list, from 0.
        index: usize,
        /// The reason.
        source: Box<GenerateError>,
    },
    /// A formula has no finite value somewhere; this is the first such sample, row after row.
    #[error(
        "{}",
        tr!(
            "{key} is {value} at x = {x}, z = {z} (row {row}, column {column}), allowed is a \
             finite height, up to ±{MOST_HEIGHT}",
            key, value, x, z, row, column, MOST_HEIGHT = format_args!("{MOST_HEIGHT:e}")
        )
    )]
    NotFinite {
        /// The formula's key in the scene.
        key: &'static str,
        /// The value there: NaN or infinite, or too large.
        value: f32,
        /// The place from west to east, −1…1.
        x: f64,
        /// The place from north to south, −1…1.
        z: f64,
        /// The row of the sample.
        row: usize,
        /// The column of the sample.
        column: usize,
    },
    /// A height is not one that a map may have.
    #[error(transparent)]
    Wild(#[from] WildHeight),
    /// The system has not enough memory.
    #[error("{}", tr!("the map needs {} MB of memory, more than the system has", bytes >> 20))]
    OutOfMemory {
        /// The size of the map in bytes.
        bytes: u64,
    },
}
