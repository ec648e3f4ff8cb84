//! The fonts of the system, for letters that the window's own font lacks.

use std::collections::BTreeSet;

use ab_glyph::{Font as _, FontRef};
use fontdb::{Database, FaceInfo, ID, Style};

/// The most fonts that are taken for one set of letters: each may need 20 MB.
const MOST_AT_ONCE: usize = 4;

/// The fonts that the system has; their letters are read when they are asked for.
pub struct SystemFonts(Database);

/// A font with the contents of its file.
#[derive(Clone, Debug)]
pub struct FoundFont {
    /// The font's name.
    pub name: String,
    /// The bytes of the whole file.
    pub data: Vec<u8>,
    /// The index of the font in the file.
    pub index: u32,
}

impl SystemFonts {
    /// The system's fonts; looking for them takes a moment.
    #[must_use]
    pub fn load() -> Self {
        let mut database = Database::new();
        database.load_system_fonts();
        Self(database)
    }

    /// The fonts that have most of the missing letters, one after the other until none has any
    /// letter that is left.
    #[must_use]
    pub fn with(&self, mut missing: BTreeSet<char>) -> Vec<FoundFont> {
        let mut faces: Vec<&FaceInfo> = self.0.faces().collect();
        // If several have equally many letters, the plainest is taken.
        faces.sort_by_key(|face| {
            let slanted = face.style != Style::Normal;
            (slanted, face.monospaced, face.weight.0.abs_diff(400))
        });
        let mut found = Vec::new();
        while !missing.is_empty() && found.len() < MOST_AT_ONCE {
            let covered = |face: &&FaceInfo| self.covered(face.id, &missing);
            let counted = faces.iter().map(|face| (*face, covered(face)));
            // If several are equal, `max_by_key` takes the last.
            let Some((face, letters)) = counted.rev().max_by_key(|(_, letters)| letters.len())
            else {
                break;
            };
            if letters.is_empty() {
                break;
            }
            missing.retain(|letter| !letters.contains(letter));
            let font = |data: &[u8], index| FoundFont {
                name: face.post_script_name.clone(),
                data: data.to_vec(),
                index,
            };
            found.extend(self.0.with_face_data(face.id, font));
        }
        found
    }

    /// The letters that a font has outlines for, out of `letters`.
    fn covered(&self, face: ID, letters: &BTreeSet<char>) -> BTreeSet<char> {
        let covered = self.0.with_face_data(face, |data, index| {
            let font = FontRef::try_from_slice_and_index(data, index).ok()?;
            let has = |letter: &&char| {
                let glyph = font.glyph_id(**letter);
                glyph.0 != 0 && (letter.is_whitespace() || font.outline(glyph).is_some())
            };
            Some(letters.iter().filter(has).copied().collect())
        });
        covered.flatten().unwrap_or_default()
    }
}
