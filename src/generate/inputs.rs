//! What a scene names and the core cannot read: images and palettes, handed in.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

use super::{GenerateError, Reading, Surface};
use crate::geo::Georeference;
use crate::grid::Grid;
use crate::texture::Palette;

/// An input image as it was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    /// Brightness as stored or heights, row-major, any scale.
    pub grid: Arc<Grid<f32>>,
    /// Of whole numbers from 0, the highest that there can be.
    pub top: Option<u16>,
    /// Where on earth it lies.
    pub place: Option<Georeference>,
}

/// The images a scene names, by path as it names them and by how it reads them. The core reads no
/// files: whoever opens a scene reads its inputs and hands them in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inputs {
    images: HashMap<(PathBuf, Reading), Image>,
    palettes: BTreeMap<String, Arc<Palette>>,
    notices: Vec<String>,
}

impl Inputs {
    /// Adds an image as its file says it is: brightness as stored, row-major, any scale.
    pub fn insert(&mut self, path: PathBuf, image: Arc<Grid<f32>>) {
        let image = Image {
            grid: image,
            top: None,
            place: None,
        };
        self.insert_image(path, Reading::default(), image);
    }

    /// Adds an image as it is read.
    pub fn insert_image(&mut self, path: PathBuf, reading: Reading, image: Image) {
        self.images.insert((path, reading), image);
    }

    /// Adds a line that the user is to read: something about a file that is not an error.
    pub fn notify(&mut self, notice: String) {
        if !self.notices.contains(&notice) {
            self.notices.push(notice);
        }
    }

    /// Lines that the user is to read.
    #[must_use]
    pub fn notices(&self) -> &[String] {
        &self.notices
    }

    /// Adds a palette read from a file, under the name that scenes give it.
    pub fn insert_palette(&mut self, name: String, palette: Arc<Palette>) {
        self.palettes.insert(name, palette);
    }

    /// The palette of that name: one that was added, else one that comes with the program.
    pub fn palette(&self, name: &str) -> Result<Arc<Palette>, GenerateError> {
        match self.palettes.get(name) {
            Some(palette) => Ok(Arc::clone(palette)),
            None => Ok(Arc::new(Palette::named(name)?.clone())),
        }
    }

    /// The image that a surface names.
    ///
    /// # Errors
    /// It names none, or one that was not handed in.
    pub fn image(&self, surface: &Surface) -> Result<&Image, GenerateError> {
        let path = surface.input.as_ref().ok_or(GenerateError::NoInput {
            generator: surface.generator,
        })?;
        let key = (path.clone(), surface.reading.clone());
        self.images
            .get(&key)
            .ok_or_else(|| GenerateError::InputNotRead { path: path.clone() })
    }
}
