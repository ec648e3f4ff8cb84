//! Images and palettes that a scene refers to. The core does not read files; the caller loads them.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::generate::Images;
use crate::scene::Scene;
use crate::shading::texture::Palette;
use crate::util::param::UnknownName;

/// Loaded input files of a scene, with notices for the user.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inputs {
    /// Images of the scene's surfaces.
    pub images: Images,
    palettes: BTreeMap<String, Arc<Palette>>,
    notices: Vec<String>,
}

impl Inputs {
    /// Add a notice for the user about a file that is not an error.
    pub fn notify(&mut self, notice: String) {
        if !self.notices.contains(&notice) {
            self.notices.push(notice);
        }
    }

    /// Notices for the user.
    #[must_use]
    pub fn notices(&self) -> &[String] {
        &self.notices
    }

    /// Add a palette from a file, under its name in scenes.
    pub fn insert_palette(&mut self, name: String, palette: Arc<Palette>) {
        self.palettes.insert(name, palette);
    }

    /// Palette of a scene: its own, or the one that it names.
    ///
    /// # Errors
    /// There is no palette of that name.
    pub fn palette_of(&self, scene: &Scene) -> Result<Arc<Palette>, UnknownName> {
        match &scene.palette {
            Some(palette) => Ok(Arc::new(palette.clone())),
            None => self.palette(&scene.view.palette),
        }
    }

    /// Find a palette by name: an added one first, then a built-in one.
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
