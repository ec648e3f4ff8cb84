//! Input images of generators. Files are loaded elsewhere and passed in.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{GenerateError, Reading, Surface};
use crate::terrain::geo::Georeference;
use crate::terrain::grid::Grid;
use crate::terrain::heightmap::Validity;

/// Loaded input image.
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    /// Brightness as stored, or heights; row-major, in any scale.
    pub grid: Arc<Grid<f32>>,
    /// Highest possible number, if the image has whole numbers from 0.
    pub top: Option<u16>,
    /// Georeference of the image.
    pub place: Option<Georeference>,
    /// Mask of samples that hold data; `None` if all do. The others were filled.
    pub valid: Option<Arc<Validity>>,
}

/// Input images of surfaces, by path and by how their files are read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Images(HashMap<(PathBuf, Reading), Image>);

impl Images {
    /// Add an image that is read as its file declares: brightness as stored, row-major, in any scale.
    pub fn insert(&mut self, path: PathBuf, image: Arc<Grid<f32>>) {
        let image = Image {
            grid: image,
            top: None,
            place: None,
            valid: None,
        };
        self.insert_read(path, Reading::default(), image);
    }

    /// Add an image with the settings with which it was read.
    pub fn insert_read(&mut self, path: PathBuf, reading: Reading, image: Image) {
        self.0.insert((path, reading), image);
    }

    /// Input image of a surface.
    ///
    /// # Errors
    /// The surface names no image, or one that was not loaded.
    pub fn of(&self, surface: &Surface) -> Result<&Image, GenerateError> {
        let path = surface.input.as_ref().ok_or(GenerateError::NoInput {
            generator: surface.generator,
        })?;
        let key = (path.clone(), surface.reading.clone());
        self.0
            .get(&key)
            .ok_or_else(|| GenerateError::InputNotRead { path: path.clone() })
    }

    /// Image at a path, read as its file declares; `None` if it was not loaded.
    #[must_use]
    pub fn named(&self, path: &Path) -> Option<&Image> {
        self.0.get(&(path.to_owned(), Reading::default()))
    }
}
