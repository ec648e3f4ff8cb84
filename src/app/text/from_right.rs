//! Bidirectional text layout for Arabic and Hebrew, for example in file names.
//!
//! egui places glyphs from left to right only. After the layout of a frame, each text with
//! right-to-left letters is laid out again in visual order, row by row, wherever it occurs: in a
//! message, a menu, a file dialog. Only the drawing changes; a text box with the cursor keeps its
//! typed order.

use std::collections::BTreeSet;
use std::sync::Arc;

use egui::epaint::text::{FontsView, LayoutJob, LayoutSection, TextWrapping};
use egui::epaint::{ClippedShape, Shape, TextShape};
use egui::layers::ShapeIdx;
use egui::{Context, Galley, LayerId, Rect};

use crate::app::controls::focus::is_typing;
use crate::util::script;

/// Redraw this frame's right-to-left texts in visual order. Call it after all layout is done.
pub fn redraw(ctx: &Context) {
    let typed = ctx.memory(|memory| memory.focused());
    let typed = typed.filter(|_| is_typing(ctx));
    let typed = typed.and_then(|id| ctx.read_response(id));
    let typed = typed.map_or(Rect::NOTHING, |response| response.rect);
    let layers: Vec<LayerId> = ctx.memory(|memory| memory.layer_ids().collect());
    let mut texts = Vec::new();
    ctx.graphics(|graphics| {
        let lists = layers.iter().filter_map(|layer| graphics.get(*layer));
        for shape in lists.flat_map(|list| list.all_entries()) {
            note_texts(&shape.shape, typed, &mut texts);
        }
    });
    if texts.is_empty() {
        return;
    }
    let read = ctx.fonts_mut(|fonts| {
        let read = |text: Arc<Galley>| (laid_out(fonts, &text), text);
        texts.into_iter().map(read).collect::<Vec<_>>()
    });
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

fn note_texts(shape: &Shape, typed: Rect, texts: &mut Vec<Arc<Galley>>) {
    match shape {
        Shape::Vec(shapes) => {
            let each = shapes.iter();
            each.for_each(|shape| note_texts(shape, typed, texts));
        }
        Shape::Text(text) if is_read_otherwise(text, typed) => texts.push(text.galley.clone()),
        _ => {}
    }
}

fn put_texts(shape: &mut Shape, typed: Rect, read: &[(Arc<Galley>, Arc<Galley>)]) {
    match shape {
        Shape::Vec(shapes) => {
            let each = shapes.iter_mut();
            each.for_each(|shape| put_texts(shape, typed, read));
        }
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
        let space = match index {
            0 => old.job.sections.first().map_or(0.0, |s| s.leading_space),
            _ => {
                newline(&mut job);
                0.0
            }
        };
        append(fonts, &mut job, &old.job, (&line, at), space);
        at += line.len() + usize::from(row.ends_with_newline);
    }
    fonts.layout_job(job)
}

fn newline(job: &mut LayoutJob) {
    job.text.push('\n');
    if let Some(last) = job.sections.last_mut() {
        last.byte_range.end += 1;
    }
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
