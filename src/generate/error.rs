//! Why there is no height map.

use std::path::PathBuf;

use super::{Generator, MAX_ITERATIONS_IN_MEMORY};
use crate::heightmap::{MOST_HEIGHT, WildHeight};
use crate::job::Cancelled;
use crate::param::{OutOfRange, UnknownName};

impl GenerateError {
    /// The error as that of a layer; cancelled stays cancelled.
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

/// Why there is no height map.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// Stopped on request.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// A setting outside its range.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// No such palette.
    #[error(transparent)]
    UnknownName(#[from] UnknownName),
    /// More iterations than fit where the map is wanted.
    #[error("surface.iterations is {iterations}, allowed is 1 to {most} for a map {}",
        if *most > MAX_ITERATIONS_IN_MEMORY { "whose rows stream" } else { "held in memory" })]
    TooManyIterations {
        /// As asked.
        iterations: u32,
        /// As allowed.
        most: u32,
    },
    /// The generator needs an image and none is named.
    #[error("generator `{generator}` needs an input image, surface.input is not set")]
    NoInput {
        /// The generator.
        generator: Generator,
    },
    /// The image named was not handed in.
    #[error("the input image was not read: {path}")]
    InputNotRead {
        /// The image.
        path: PathBuf,
    },
    /// A layer could not be made.
    #[error("layers.{index}: {source}")]
    Layer {
        /// Its place in the list, from 0.
        index: usize,
        /// Why.
        source: Box<GenerateError>,
    },
    /// A formula has no value somewhere: the first such sample, row after row.
    #[error(
        "{key} is {value} at x = {x}, z = {z} (row {row}, column {column}), allowed is a finite height, up to ±{MOST_HEIGHT:e}"
    )]
    NotFinite {
        /// The formula's key in the scene.
        key: &'static str,
        /// NaN or an infinity.
        value: f32,
        /// The place, −1…1.
        x: f64,
        /// The place, −1…1.
        z: f64,
        /// The sample.
        row: usize,
        /// The sample.
        column: usize,
    },
    /// A height that no map may have.
    #[error(transparent)]
    Wild(#[from] WildHeight),
    /// The system has not got the memory.
    #[error("the map needs {} MB of memory, more than the system has", bytes >> 20)]
    OutOfMemory {
        /// Bytes of the map.
        bytes: u64,
    },
}
