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
}

impl Inputs {
    /// Adds an image: brightness as stored, row-major, any scale.
    pub fn insert(&mut self, path: PathBuf, image: Arc<Grid<f32>>) {
        self.images.insert(path, image);
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
