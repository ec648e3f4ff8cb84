//! Words as pixels, in the window's own font.

use ab_glyph::{Font, FontRef, PxScale, ScaleFont, point};

/// Draws one line of `words` whose letters are `size` pixels high from the lowest descender to
/// the highest ascender, as far as `room` pixels go: calls `dot` with column, row and how much of
/// the pixel is covered, 0…1. The line begins at column 0, and `top` is its ascent's row. Returns
/// its width. Without the font nothing is drawn.
pub fn draw(
    words: &str,
    size: f32,
    top: f32,
    room: f32,
    mut dot: impl FnMut(usize, usize, f32),
) -> f32 {
    let Ok(font) = FontRef::try_from_slice(epaint_default_fonts::UBUNTU_LIGHT) else {
        return 0.0;
    };
    let font = font.as_scaled(PxScale::from(size));
    let baseline = top + font.ascent();
    let mut x = 0.0;
    let mut last = None;
    for letter in words.chars() {
        let glyph = font.glyph_id(letter);
        x += last.map_or(0.0, |last| font.kern(last, glyph));
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
        last = Some(glyph);
    }
    x
}

/// Width of a line of `words` in pixels.
#[must_use]
pub fn width(words: &str, size: f32) -> f32 {
    draw(words, size, size, f32::INFINITY, |_, _, _| {})
}
