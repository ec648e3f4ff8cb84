//! Letters that the window's own fonts lack, such as those of a file's Chinese name, from the
//! fonts of the system.
//!
//! Nothing is read before such a letter is to be drawn; then a thread looks through the fonts
//! for those that have most of them.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use ab_glyph::{Font as _, FontRef};
use egui::epaint::Shape;
use egui::epaint::text::{FontInsert, FontPriority, InsertFontFamily};
use egui::{Context, FontData, FontFamily, FontId};
use fontdb::{Database, FaceInfo, ID, Style};

/// Most fonts that are taken for one set of letters: each may need 20 MB.
const MOST_AT_ONCE: usize = 4;

/// What is known of the letters drawn.
#[derive(Default)]
pub struct Fonts {
    /// Letters that were looked for, whether or not a font has them.
    asked: BTreeSet<char>,
    /// Letters that the window's fonts have.
    known: BTreeSet<char>,
    /// The fonts of the system, once they are known.
    database: Option<Arc<Database>>,
    search: Option<Receiver<Found>>,
}

struct Found {
    database: Arc<Database>,
    fonts: Vec<(String, FontData)>,
}

/// Looks at the letters that were drawn in this frame, and has fonts searched for those that are
/// missing. To be called when all is drawn.
pub fn complete(ctx: &Context, fonts: &mut Fonts) {
    if let Some(search) = &fonts.search {
        match search.try_recv() {
            Ok(found) => {
                fonts.search = None;
                fonts.database = Some(found.database);
                for (name, data) in found.fonts {
                    add(ctx, &name, data);
                }
            }
            Err(TryRecvError::Empty) => return,
            Err(TryRecvError::Disconnected) => fonts.search = None,
        }
    }
    let missing = missing(ctx, fonts);
    if missing.is_empty() {
        return;
    }
    fonts.asked.extend(&missing);
    let (sender, receiver) = channel();
    fonts.search = Some(receiver);
    let (ctx, database) = (ctx.clone(), fonts.database.clone());
    let look = move || {
        let database = database.unwrap_or_else(|| {
            let mut database = Database::new();
            database.load_system_fonts();
            Arc::new(database)
        });
        let fonts = search(&database, missing);
        // Nobody waits for it once the window is closed.
        let _ = sender.send(Found { database, fonts });
        ctx.request_repaint();
    };
    if let Err(error) = std::thread::Builder::new().spawn(look) {
        log::warn!("no letters from the system's fonts: {error}");
    }
}

/// The letters drawn that no font of the window has and that were not looked for yet.
fn missing(ctx: &Context, fonts: &mut Fonts) -> BTreeSet<char> {
    let mut letters = BTreeSet::new();
    let layers: Vec<_> = ctx.memory(|memory| memory.layer_ids().collect());
    ctx.graphics(|graphics| {
        let lists = layers.iter().filter_map(|layer| graphics.get(*layer));
        for shape in lists.flat_map(|list| list.all_entries()) {
            note_letters(&shape.shape, &mut letters);
        }
    });
    letters.retain(|letter| !fonts.asked.contains(letter) && !fonts.known.contains(letter));
    if letters.is_empty() {
        return letters;
    }
    let (known, missing) = ctx.fonts_mut(|view| {
        let font = FontId::new(13.0, FontFamily::Proportional);
        letters
            .into_iter()
            .partition(|letter| view.has_glyph(&font, *letter))
    });
    fonts.known.extend::<BTreeSet<char>>(known);
    missing
}

fn note_letters(shape: &Shape, letters: &mut BTreeSet<char>) {
    match shape {
        Shape::Vec(shapes) => shapes.iter().for_each(|shape| note_letters(shape, letters)),
        Shape::Text(text) if !text.galley.text().is_ascii() => {
            let drawn = text.galley.text().chars();
            letters.extend(drawn.filter(|letter| !letter.is_ascii() && !letter.is_control()));
        }
        _ => {}
    }
}

/// The fonts that have most of the letters, until none has any of those left.
fn search(database: &Database, mut missing: BTreeSet<char>) -> Vec<(String, FontData)> {
    let mut faces: Vec<&FaceInfo> = database.faces().collect();
    // Of those that have equally many, the plainest.
    faces.sort_by_key(|face| {
        let slanted = face.style != Style::Normal;
        (slanted, face.monospaced, face.weight.0.abs_diff(400))
    });
    let mut found = Vec::new();
    while !missing.is_empty() && found.len() < MOST_AT_ONCE {
        let covered = |face: &&FaceInfo| covered(database, face.id, &missing);
        let counted = faces.iter().map(|face| (*face, covered(face)));
        // Of equal ones `max_by_key` takes the last.
        let Some((face, letters)) = counted.rev().max_by_key(|(_, letters)| letters.len()) else {
            break;
        };
        if letters.is_empty() {
            break;
        }
        missing.retain(|letter| !letters.contains(letter));
        let data = database.with_face_data(face.id, |data, index| FontData {
            font: Cow::Owned(data.to_vec()),
            index,
            tweak: egui::FontTweak::default(),
        });
        found.extend(data.map(|data| (face.post_script_name.clone(), data)));
    }
    found
}

/// Which of the letters a font has outlines of.
fn covered(database: &Database, face: ID, letters: &BTreeSet<char>) -> BTreeSet<char> {
    let covered = database.with_face_data(face, |data, index| {
        let font = FontRef::try_from_slice_and_index(data, index).ok()?;
        let has = |letter: &&char| {
            let glyph = font.glyph_id(**letter);
            glyph.0 != 0 && (letter.is_whitespace() || font.outline(glyph).is_some())
        };
        Some(letters.iter().filter(has).copied().collect())
    });
    covered.flatten().unwrap_or_default()
}

/// Makes a font the last resort of all text.
fn add(ctx: &Context, name: &str, data: FontData) {
    let families = [FontFamily::Proportional, FontFamily::Monospace];
    let families = families.map(|family| InsertFontFamily {
        family,
        priority: FontPriority::Lowest,
    });
    log::info!("letters from the system's font {name}");
    ctx.add_font(FontInsert::new(name, data, families.to_vec()));
}
