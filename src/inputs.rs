//! The images and palettes that a scene names. The core cannot read files, so whoever opens the
//! scene hands them in.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::generate::Images;
use crate::param::UnknownName;
use crate::texture::Palette;

/// The files that a scene names, after they were read, and what the user should know about them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inputs {
    /// The images of the scene's surfaces.
    pub images: Images,
    palettes: BTreeMap<String, Arc<Palette>>,
    notices: Vec<String>,
}

impl Inputs {
    /// Adds a line for the user: something about a file that is not an error.
    pub fn notify(&mut self, notice: String) {
        if !self.notices.contains(&notice) {
            self.notices.push(notice);
        }
    }

    /// The lines for the user.
    #[must_use]
    pub fn notices(&self) -> &[String] {
        &self.notices
    }

    /// Adds a palette that was read from a file, under the name that scenes give it.
    pub fn insert_palette(&mut self, name: String, palette: Arc<Palette>) {
        self.palettes.insert(name, palette);
    }

    /// The palette of that name: one that was added or, if there is none, one that comes with the
    /// program.
    ///
    /// # Errors
    /// There is no palette of that name.
    pub fn palette(&self, name: &str) -> Result<Arc<Palette>, UnknownName> {
        match self.palettes.get(name) {
            Some(palette) => Ok(Arc::clone(palette)),
            None => Ok(Arc::new(Palette::named(name)?.clone())),
        }
    }
}
