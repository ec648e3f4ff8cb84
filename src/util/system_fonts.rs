//! System fonts as a fallback for letters that the window's font lacks.

use std::collections::BTreeSet;

use ab_glyph::{Font as _, FontRef};
use fontdb::{Database, FaceInfo, ID, Style};

/// Maximum number of fonts for one set of letters: each may take 20 MB.
const MOST_AT_ONCE: usize = 4;

/// Index of the system's fonts; glyphs are read on demand.
pub struct SystemFonts(Database);

/// A font with the content of its file.
#[derive(Clone, Debug)]
pub struct FoundFont {
    /// Name of the font.
    pub name: String,
    /// Bytes of the whole file.
    pub data: Vec<u8>,
    /// Index of the font in the file.
    pub index: u32,
}

impl SystemFonts {
    /// Load the index of the system's fonts, which takes a moment.
    #[must_use]
    pub fn load() -> Self {
        let mut database = Database::new();
        database.load_system_fonts();
        Self(database)
    }

    /// Find fonts for the missing letters, greedily by the number of letters that each adds.
    #[must_use]
    pub fn with(&self, mut missing: BTreeSet<char>) -> Vec<FoundFont> {
        let mut faces: Vec<&FaceInfo> = self.0.faces().collect();
        // Of fonts with equally many letters, the plainest is preferred.
        faces.sort_by_key(|face| {
            let slanted = face.style != Style::Normal;
            (slanted, face.monospaced, face.weight.0.abs_diff(400))
        });
        let mut found = Vec::new();
        while !missing.is_empty() && found.len() < MOST_AT_ONCE {
            let covered = |face: &&FaceInfo| self.covered(face.id, &missing);
            let counted = faces.iter().map(|face| (*face, covered(face)));
            // `max_by_key` returns the last of several equal maxima, hence the reversed order.
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

    /// Subset of `letters` for which a font has outlines.
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
