//! The images that generators read. Files are read elsewhere and handed in.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{GenerateError, Reading, Surface};
use crate::geo::Georeference;
use crate::grid::Grid;
use crate::heightmap::Validity;

/// An input image as it was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    /// The brightness as stored, or heights; row-major, in any scale.
    pub grid: Arc<Grid<f32>>,
    /// The highest possible number, if the image has whole numbers from 0.
    pub top: Option<u16>,
    /// Where on earth the image lies.
    pub place: Option<Georeference>,
    /// The mask of samples that hold data; `None` if all do. The others were filled.
    pub valid: Option<Arc<Validity>>,
}

/// The images that surfaces name, by their path as it is named and by how they are read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Images(HashMap<(PathBuf, Reading), Image>);

impl Images {
    /// Adds an image that is read as its file says: brightness as stored, row-major, in any scale.
    pub fn insert(&mut self, path: PathBuf, image: Arc<Grid<f32>>) {
        let image = Image {
            grid: image,
            top: None,
            place: None,
            valid: None,
        };
        self.insert_read(path, Reading::default(), image);
    }

    /// Adds an image that is read as `reading` says.
    pub fn insert_read(&mut self, path: PathBuf, reading: Reading, image: Image) {
        self.0.insert((path, reading), image);
    }

    /// The image that a surface names.
    ///
    /// # Errors
    /// The surface names no image, or one that was not handed in.
    pub fn of(&self, surface: &Surface) -> Result<&Image, GenerateError> {
        let path = surface.input.as_ref().ok_or(GenerateError::NoInput {
            generator: surface.generator,
        })?;
        let key = (path.clone(), surface.reading.clone());
        self.0
            .get(&key)
            .ok_or_else(|| GenerateError::InputNotRead { path: path.clone() })
    }

    /// The image at that path, read as its file says; `None` if it was not handed in.
    #[must_use]
    pub fn named(&self, path: &Path) -> Option<&Image> {
        self.0.get(&(path.to_owned(), Reading::default()))
    }
}
