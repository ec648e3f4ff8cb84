//! Fallback fonts for characters that the interface's fonts lack. Chinese characters come from a
//! bundled font, all others (such as those of a Japanese file name) from the system's fonts.
//!
//! The system's fonts are not read before such a character is drawn. Then a background thread
//! searches for the fonts that cover most of the missing characters.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread::Builder;

use egui::epaint::Shape;
use egui::{Context, FontData, FontFamily, FontId, FontTweak};

use crate::app::theme;
use crate::util::script;
use crate::util::system_fonts::{FoundFont, SystemFonts};

/// Font coverage of the characters drawn so far.
#[derive(Default)]
pub struct Fonts {
    /// Characters already searched for, found or not.
    asked: BTreeSet<char>,
    /// Characters that the window's fonts have.
    known: BTreeSet<char>,
    /// The system's fonts, once they are loaded.
    system: Option<Arc<SystemFonts>>,
    search: Option<Receiver<Found>>,
}

struct Found {
    system: Arc<SystemFonts>,
    fonts: Vec<FoundFont>,
}

impl Fonts {
    /// Collect the characters drawn in this frame and search for fonts that have the missing ones.
    /// Call it at the end of the frame.
    pub fn search(&mut self, ctx: &Context) {
        if let Some(search) = &self.search {
            match search.try_recv() {
                Ok(found) => {
                    self.search = None;
                    self.system = Some(found.system);
                    found.fonts.into_iter().for_each(|font| add(ctx, font));
                }
                Err(TryRecvError::Empty) => return,
                Err(TryRecvError::Disconnected) => self.search = None,
            }
        }
        let missing = self.missing(ctx);
        if missing.is_empty() {
            return;
        }
        self.asked.extend(&missing);
        let (sender, receiver) = channel();
        self.search = Some(receiver);
        let (ctx, system) = (ctx.clone(), self.system.clone());
        let look = move || {
            let system = system.unwrap_or_else(|| Arc::new(SystemFonts::load()));
            let fonts = system.with(missing);
            // The receiver is gone once the window is closed.
            let _ = sender.send(Found { system, fonts });
            ctx.request_repaint();
        };
        if let Err(error) = Builder::new().spawn(look) {
            log::warn!("no letters from the system's fonts: {error}");
        }
    }

    /// Characters drawn in this frame that no font of the window has and that were not searched for
    /// yet.
    fn missing(&mut self, ctx: &Context) -> BTreeSet<char> {
        let mut letters = BTreeSet::new();
        let layers: Vec<_> = ctx.memory(|memory| memory.layer_ids().collect());
        ctx.graphics(|graphics| {
            let lists = layers.iter().filter_map(|layer| graphics.get(*layer));
            for shape in lists.flat_map(|list| list.all_entries()) {
                note_letters(&shape.shape, &mut letters);
            }
        });
        letters.retain(|letter| !self.asked.contains(letter) && !self.known.contains(letter));
        if letters.is_empty() {
            return letters;
        }
        let (known, missing) = ctx.fonts_mut(|view| {
            let font = FontId::new(13.0, FontFamily::Proportional);
            letters
                .into_iter()
                .partition(|letter| view.has_glyph(&font, *letter))
        });
        self.known.extend::<BTreeSet<char>>(known);
        missing
    }
}

fn note_letters(shape: &Shape, letters: &mut BTreeSet<char>) {
    match shape {
        Shape::Vec(shapes) => shapes.iter().for_each(|shape| note_letters(shape, letters)),
        Shape::Text(text) if !text.galley.text().is_ascii() => {
            let text = text.galley.text();
            let forms = script::forms(text);
            let drawn = text.chars().chain(forms.chars());
            letters.extend(drawn.filter(|letter| !letter.is_ascii() && !letter.is_control()));
        }
        _ => {}
    }
}

/// Add a font as the last fallback of all text.
fn add(ctx: &Context, font: FoundFont) {
    log::info!("letters from the system's font {}", font.name);
    let data = FontData {
        font: Cow::Owned(font.data),
        index: font.index,
        tweak: FontTweak::default(),
    };
    theme::add_font(ctx, &font.name, data);
}
