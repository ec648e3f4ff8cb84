//! Text in all scripts: fallback fonts and bidirectional layout, both missing in egui.
//!
//! Chinese characters come from a bundled font, all others that the interface's fonts lack (such as
//! those of a Japanese file name) from the system's fonts. Those are not read before such a
//! character is drawn. Then a background thread searches for the fonts that cover most of the
//! missing characters.
//!
//! egui places glyphs from left to right only. After the layout of a frame, each text with Arabic
//! or Hebrew letters is laid out again in visual order, row by row, wherever it occurs: in a
//! message, a menu, a file dialog. Only the drawing changes; a text box with the cursor keeps its
//! typed order.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread::Builder;

use egui::epaint::text::{FontsView, LayoutJob, LayoutSection, TextWrapping};
use egui::epaint::{ClippedShape, Shape, TextShape};
use egui::layers::ShapeIdx;
use egui::{Context, FontData, FontFamily, FontId, Galley, LayerId, Rect};

use crate::app::controls::is_typing;
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
    search: Option<Receiver<(Arc<SystemFonts>, Vec<FoundFont>)>>,
}

impl Fonts {
    /// Collect the characters drawn in this frame and search for fonts that have the missing ones.
    /// Call it at the end of the frame.
    pub fn search(&mut self, ctx: &Context) {
        if let Some(search) = &self.search {
            match search.try_recv() {
                Ok((system, fonts)) => {
                    self.search = None;
                    self.system = Some(system);
                    fonts.into_iter().for_each(|font| add(ctx, font));
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
            let _ = sender.send((system, fonts));
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
        for text in texts(ctx, |text| !text.galley.text().is_ascii()) {
            let text = text.text();
            let forms = script::forms(text);
            let drawn = text.chars().chain(forms.chars());
            letters.extend(drawn.filter(|letter| !letter.is_ascii() && !letter.is_control()));
        }
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

/// Add a font as the last fallback of all text.
fn add(ctx: &Context, font: FoundFont) {
    log::info!("letters from the system's font {}", font.name);
    let mut data = FontData::from_owned(font.data);
    data.index = font.index;
    theme::add_font(ctx, &font.name, data);
}

/// Redraw this frame's right-to-left texts in visual order. Call it after all layout is done.
pub fn redraw_from_right(ctx: &Context) {
    let typed = ctx.memory(|memory| memory.focused());
    let typed = typed.filter(|_| is_typing(ctx));
    let typed = typed.and_then(|id| ctx.read_response(id));
    let typed = typed.map_or(Rect::NOTHING, |response| response.rect);
    let texts = texts(ctx, |text| is_read_otherwise(text, typed));
    if texts.is_empty() {
        return;
    }
    let read = ctx.fonts_mut(|fonts| {
        let read = |text: Arc<Galley>| (laid_out(fonts, &text), text);
        texts.into_iter().map(read).collect::<Vec<_>>()
    });
    let layers: Vec<LayerId> = ctx.memory(|memory| memory.layer_ids().collect());
    ctx.graphics_mut(|graphics| {
        for layer in layers {
            let Some(list) = graphics.get_mut(layer) else {
                continue;
            };
            let count = list.all_entries().len();
            for index in 0..count {
                let put = |shape: &mut ClippedShape| put_texts(&mut shape.shape, typed, &read);
                list.mutate_shape(ShapeIdx(index), put);
            }
        }
    });
}

/// True if the text must be reordered and is not in the text box being edited.
fn is_read_otherwise(text: &TextShape, typed: Rect) -> bool {
    script::is_reordered(text.galley.text()) && !text.visual_bounding_rect().intersects(typed)
}

/// Texts drawn in this frame that `is_wanted`.
fn texts(ctx: &Context, is_wanted: impl Fn(&TextShape) -> bool) -> Vec<Arc<Galley>> {
    fn note(shape: &Shape, is_wanted: &dyn Fn(&TextShape) -> bool, texts: &mut Vec<Arc<Galley>>) {
        match shape {
            Shape::Vec(shapes) => (shapes.iter()).for_each(|shape| note(shape, is_wanted, texts)),
            Shape::Text(text) if is_wanted(text) => texts.push(text.galley.clone()),
            _ => {}
        }
    }
    let layers: Vec<LayerId> = ctx.memory(|memory| memory.layer_ids().collect());
    let mut texts = Vec::new();
    ctx.graphics(|graphics| {
        let lists = layers.iter().filter_map(|layer| graphics.get(*layer));
        for shape in lists.flat_map(|list| list.all_entries()) {
            note(&shape.shape, &is_wanted, &mut texts);
        }
    });
    texts
}

fn put_texts(shape: &mut Shape, typed: Rect, read: &[(Arc<Galley>, Arc<Galley>)]) {
    match shape {
        Shape::Vec(shapes) => (shapes.iter_mut()).for_each(|shape| put_texts(shape, typed, read)),
        Shape::Text(text) if is_read_otherwise(text, typed) => {
            let known = read.iter().find(|(_, old)| Arc::ptr_eq(old, &text.galley));
            if let Some((new, _)) = known {
                text.galley = new.clone();
            }
        }
        _ => {}
    }
}

/// Layout of a text with each row in visual order.
fn laid_out(fonts: &mut FontsView<'_>, old: &Galley) -> Arc<Galley> {
    let mut job = LayoutJob {
        wrap: TextWrapping::no_max_width(),
        first_row_min_height: old.job.first_row_min_height,
        halign: old.job.halign,
        round_output_to_gui: old.job.round_output_to_gui,
        ..LayoutJob::default()
    };
    let mut at = 0;
    for (index, row) in old.rows.iter().enumerate() {
        // A truncated row ends with an ellipsis glyph that is not in the text, so glyphs are read
        // instead.
        let line: String = row.glyphs.iter().map(|glyph| glyph.chr).collect();
        let mut space = 0.0;
        if index == 0 {
            space = old.job.sections.first().map_or(0.0, |s| s.leading_space);
        } else {
            job.text.push('\n');
            if let Some(last) = job.sections.last_mut() {
                last.byte_range.end += 1;
            }
        }
        append(fonts, &mut job, &old.job, (&line, at), space);
        at += line.len() + usize::from(row.ends_with_newline);
    }
    fonts.layout_job(job)
}

/// Append a line that starts at byte `at` of the old text, after `space` points.
fn append(
    fonts: &mut FontsView<'_>,
    job: &mut LayoutJob,
    old: &LayoutJob,
    (line, at): (&str, usize),
    mut space: f32,
) {
    let section = |byte: usize| {
        let has = |section: &&LayoutSection| section.byte_range.contains(&(at + byte));
        old.sections.iter().find(has).or(old.sections.last())
    };
    for run in script::runs(line) {
        // One part for each text format.
        let mut parts: Vec<(&LayoutSection, String)> = Vec::new();
        for (byte, letter) in line[run.range.clone()].char_indices() {
            let Some(section) = section(run.range.start + byte) else {
                continue;
            };
            match parts.last_mut() {
                Some((last, part)) if std::ptr::eq(*last, section) => part.push(letter),
                _ => parts.push((section, letter.to_string())),
            }
        }
        if run.from_right {
            parts.reverse();
        }
        for (section, part) in parts {
            let format = section.format.clone();
            let known: BTreeSet<char> = part.chars().chain(script::forms(&part).chars()).collect();
            let has = |letter: &char| fonts.has_glyph(&format.font_id, *letter);
            let known: BTreeSet<char> = known.into_iter().filter(has).collect();
            let drawn = script::drawn(&part, run.from_right, &|letter| known.contains(&letter));
            job.append(&drawn, std::mem::take(&mut space), format);
        }
    }
}
