//! Contact sheet: thumbnails in rows, each with a caption below it.

use crate::terrain::grid::Grid;
use crate::util::lettering::{self, MoreFonts};

/// A picture with its caption.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Picture in sRGB, row 0 at the top; all pictures have one size.
    pub picture: Grid<[u8; 3]>,
    /// Caption of one line; text that does not fit is cut off.
    pub words: String,
}

/// Grey of the background, sRGB.
const PAPER: u8 = 27;
const INK: u8 = 222;

/// Width and height in pixels of a sheet of `columns` × `rows` pictures.
#[must_use]
pub fn size(columns: usize, rows: usize, picture: (u32, u32)) -> (u64, u64) {
    let (gap, words) = (gap(picture.0), line_height(picture.0));
    let (columns, rows) = (columns as u64, rows as u64);
    (
        columns * (u64::from(picture.0) + gap) + gap,
        rows * (u64::from(picture.1) + gap + words) + gap,
    )
}

/// Gap between pictures, in pixels.
fn gap(width: u32) -> u64 {
    u64::from(width / 40).clamp(4, 24)
}

/// Height of a caption line, in pixels.
fn line_height(width: u32) -> u64 {
    u64::from(width / 16).clamp(14, 40)
}

/// Compose a sheet, `columns` pictures wide, row after row. The fonts in `more` draw letters that the
/// default font lacks.
///
/// # Panics
/// There is no picture, or pictures differ in size.
#[must_use]
pub fn sheet(cells: &[Cell], columns: usize, rows: usize, more: &MoreFonts) -> Grid<[u8; 3]> {
    let first = &cells[0].picture;
    let picture = (first.columns() as u32, first.rows() as u32);
    let (width, height) = size(columns, rows, picture);
    let mut sheet = Grid::filled(height as usize, width as usize, [PAPER; 3]);
    let (gap, words) = (gap(picture.0) as usize, line_height(picture.0) as usize);
    for (index, cell) in cells.iter().enumerate() {
        let left = gap + index % columns * (first.columns() + gap);
        let top = gap + index / columns * (first.rows() + gap + words);
        for row in 0..cell.picture.rows() {
            let start = (top + row) * sheet.columns() + left;
            let to = &mut sheet.as_mut_slice()[start..][..first.columns()];
            to.copy_from_slice(cell.picture.row(row));
        }
        write(
            &mut sheet,
            more,
            &cell.words,
            (top + first.rows(), left),
            (words, first.columns()),
        );
    }
    sheet
}

/// Draw text into a rectangle that is given by its corner and its size, rows first.
fn write(
    sheet: &mut Grid<[u8; 3]>,
    more: &MoreFonts,
    words: &str,
    corner: (usize, usize),
    size: (usize, usize),
) {
    let letters = size.0 as f32 * 0.9;
    let top = size.0 as f32 * 0.1;
    let room = size.1 as f32;
    lettering::draw_with(more, words, letters, top, room, |column, row, cover| {
        if row < size.0 && column < size.1 {
            let shade = f32::from(PAPER) + cover * f32::from(INK - PAPER);
            sheet.set(corner.0 + row, corner.1 + column, [shade.round() as u8; 3]);
        }
    });
}
