//! Text rasterization with the window's font, and fallback fonts for letters that it lacks.

use std::collections::BTreeSet;

use ab_glyph::{Font, FontRef, GlyphId, PxScale, ScaleFont, point};

use crate::util::script;

/// Fallback fonts: the content of each file, and the index of the font in it.
pub type MoreFonts = [(Vec<u8>, u32)];

/// Letters of a text that the window's font lacks.
#[must_use]
pub fn missing(words: &str) -> BTreeSet<char> {
    let fonts = fonts(&[]);
    let drawn = script::forms(words);
    let letters = words.chars().chain(drawn.chars());
    let known = |letter: &char| fonts.iter().any(|font| font.glyph_id(*letter).0 != 0);
    let lacks = |letter: &char| !letter.is_control() && !known(letter);
    letters.filter(lacks).collect()
}

/// Draw one line of text. Letters are `size` pixels high from the lowest descender to the highest
/// ascender, and the text is cut off after `room` pixels. `dot` is called with the column, the row and
/// the coverage of the pixel, 0…1. The line begins at column 0, and `top` is the row of its ascent.
/// Returns the line's width in pixels. Without the font nothing is drawn.
pub fn draw(
    words: &str,
    size: f32,
    top: f32,
    room: f32,
    dot: impl FnMut(usize, usize, f32),
) -> f32 {
    draw_with(&[], words, size, top, room, dot)
}

/// As [`draw`], with fallback fonts.
pub fn draw_with(
    more: &MoreFonts,
    words: &str,
    size: f32,
    top: f32,
    room: f32,
    mut dot: impl FnMut(usize, usize, f32),
) -> f32 {
    let fonts = fonts(more);
    let Some(first) = fonts.first() else {
        return 0.0;
    };
    let known = |letter| fonts.iter().any(|font| font.glyph_id(letter).0 != 0);
    let words = script::visual(words, &known);
    let baseline = top + first.as_scaled(PxScale::from(size)).ascent();
    let mut x = 0.0;
    let mut last: Option<(usize, GlyphId)> = None;
    for letter in words.chars() {
        // A letter that no font has is drawn as a missing glyph of the first font.
        let has = fonts.iter().position(|font| font.glyph_id(letter).0 != 0);
        let which = has.unwrap_or(0);
        let font = fonts[which].as_scaled(PxScale::from(size));
        let glyph = font.glyph_id(letter);
        if let Some((before, last)) = &last
            && *before == which
        {
            // Kerning is defined only between letters of the same font.
            x += font.kern(*last, glyph);
        }
        let advance = font.h_advance(glyph);
        if x + advance > room {
            break;
        }
        let placed = glyph.with_scale_and_position(font.scale(), point(x, baseline));
        if let Some(outline) = font.outline_glyph(placed) {
            let from = outline.px_bounds().min;
            outline.draw(|column, row, cover| {
                let row = (from.y + row as f32) as usize;
                let column = (from.x.max(0.0) + column as f32) as usize;
                dot(column, row, cover.min(1.0));
            });
        }
        x += advance;
        last = Some((which, glyph));
    }
    x
}

/// Width of a line of text, in pixels.
#[must_use]
pub fn width(words: &str, size: f32) -> f32 {
    draw(words, size, size, f32::INFINITY, |_, _, _| {})
}

/// Fonts for drawing, the window's own first.
fn fonts(more: &MoreFonts) -> Vec<FontRef<'_>> {
    let own = FontRef::try_from_slice(epaint_default_fonts::UBUNTU_LIGHT);
    let more = more.iter();
    let more = more.map(|(data, index)| FontRef::try_from_slice_and_index(data, *index));
    std::iter::once(own).chain(more).flatten().collect()
}
