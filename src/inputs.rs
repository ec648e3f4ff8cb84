//! What a scene names and the core cannot read: images and palettes, handed in by whoever opens
//! the scene.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::generate::Images;
use crate::param::UnknownName;
use crate::texture::Palette;

/// What a scene names, read, and what the user should know of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inputs {
    /// The images of its surfaces.
    pub images: Images,
    palettes: BTreeMap<String, Arc<Palette>>,
    notices: Vec<String>,
}

impl Inputs {
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
    ///
    /// # Errors
    /// There is none of that name.
    pub fn palette(&self, name: &str) -> Result<Arc<Palette>, UnknownName> {
        match self.palettes.get(name) {
            Some(palette) => Ok(Arc::clone(palette)),
            None => Ok(Arc::new(Palette::named(name)?.clone())),
        }
    }
}
