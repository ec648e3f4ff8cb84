//! Palettes of the user's own: reading, saving and removing their files, and opening the editor.

use std::path::Path;

use super::Session;
use crate::app::settings::own_palettes::{self, folder};
use crate::app::state::palettes::PaletteEditor;
use crate::files::import;
use crate::scene::palette::Palette;
use crate::util::language::tr;

impl Session {
    /// Read the user's palettes: a few small files.
    pub(super) fn read_palettes(&mut self) {
        let Some(folder) = self.keeper.folder().map(folder) else {
            return;
        };
        let (own, complaints) = own_palettes::read_all(&folder);
        self.state.transient.palettes.own = own;
        for words in complaints {
            self.complain_of_palettes(&words);
        }
    }

    /// Open the editor with the palette that the scene names.
    pub(super) fn edit_palette(&mut self) {
        let scene = &self.state.persisted.scene;
        let name = &scene.view.palette;
        let base = match &scene.palette {
            Some(palette) => Ok(palette.clone()),
            None if import::is_palette_file(name) => {
                import::palette(Path::new(name)).map_err(|error| error.to_string())
            }
            None => Palette::named(name)
                .cloned()
                .map_err(|error| error.to_string()),
        };
        match base {
            Ok(base) => {
                self.state.transient.palettes.editor = Some(PaletteEditor::new(scene, base));
            }
            Err(words) => self.complain_of_palettes(&words),
        }
    }

    pub(super) fn keep_palette(&mut self, palette: &Palette) {
        let Some(folder) = self.keeper.folder().map(folder) else {
            return self.complain_of_palettes(tr("there is no folder for settings"));
        };
        match own_palettes::keep(&folder, palette) {
            Ok(()) => {
                self.read_palettes();
                let words = tr!("Saved “{}” to your palettes", palette.name);
                self.state.transient.notices.done(words);
            }
            Err(words) => self.complain_of_palettes(&words),
        }
    }

    pub(super) fn remove_palette(&mut self, name: &str) {
        let Some(folder) = self.keeper.folder().map(folder) else {
            return;
        };
        match own_palettes::remove(&folder, name) {
            Ok(()) => self.read_palettes(),
            Err(words) => self.complain_of_palettes(&words),
        }
    }

    fn complain_of_palettes(&mut self, words: &str) {
        let words = tr!("palettes: {words}", words);
        self.state.transient.notices.error(words);
    }
}
