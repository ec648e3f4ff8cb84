//! What a scene names and the core cannot read: images and palettes, handed in.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::GenerateError;
use crate::grid::Grid;
use crate::texture::Palette;

/// The images a scene names, by path as it names them. The core reads no files: whoever opens a
/// scene reads its inputs and hands them in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inputs {
    images: BTreeMap<PathBuf, Arc<Grid<f32>>>,
    palettes: BTreeMap<String, Arc<Palette>>,
    tops: BTreeMap<PathBuf, u16>,
    notices: Vec<String>,
}

impl Inputs {
    /// Adds an image: brightness as stored, row-major, any scale.
    pub fn insert(&mut self, path: PathBuf, image: Arc<Grid<f32>>) {
        self.images.insert(path, image);
    }

    /// Says that an image's values are whole numbers from 0, and the highest that there can be.
    pub fn set_top(&mut self, path: PathBuf, top: u16) {
        self.tops.insert(path, top);
    }

    /// The highest value that there can be in an image of whole numbers from 0.
    #[must_use]
    pub fn top(&self, path: &Path) -> Option<u16> {
        self.tops.get(path).copied()
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

    /// The image at `path`.
    pub fn image(&self, path: &Path) -> Result<Arc<Grid<f32>>, GenerateError> {
        self.images
            .get(path)
            .cloned()
            .ok_or_else(|| GenerateError::InputNotRead {
                path: path.to_owned(),
            })
    }
}
