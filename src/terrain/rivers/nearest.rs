//! Nearest-river field: the nearest centreline point, its width and direction for each cell near a river.

use std::ops::Range;

use super::course::{Courses, Piece, Place};
use crate::terrain::drainage::shape::Shape;

/// Full scale of the 16-bit numbers of the field.
pub(super) const MOST: f32 = 32767.0;

/// Nearest river of a cell, if one is near enough.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near {
    /// Distance to the bank in cells: negative in the water, infinite without a river.
    pub beside: f32,
    /// Offset to the nearest point of the centreline, in cells.
    pub way: Place,
    /// Direction downstream there times half the width in cells.
    pub stream: Place,
    /// Height of the water there, in half tiles.
    pub level: f32,
}

impl Near {
    const NONE: Self = Self {
        beside: f32::INFINITY,
        way: [0.0; 2],
        stream: [0.0; 2],
        level: 0.0,
    };

    /// Quantize offset and direction in units of 1 / 32767 of `reach`.
    pub fn packed(&self, reach: f32) -> [i16; 4] {
        let [a, b] = self.way;
        let [c, d] = self.stream;
        [a, b, c, d].map(|v| (v / reach * MOST).round() as i16)
    }

    /// Replace the river by a segment if that is nearer to the position.
    fn take(&mut self, piece: &Piece, place: Place, beside: f32) {
        let point = piece.nearest(place);
        let way = [0, 1].map(|i| point.place[i] - place[i]);
        let away = (way[0] * way[0] + way[1] * way[1]).sqrt() - point.half_width;
        if away < self.beside && away <= beside {
            let along = piece.along();
            let length = (along[0] * along[0] + along[1] * along[1]).sqrt();
            let scale = point.half_width.max(THINNEST) / length.max(1e-6);
            *self = Self {
                beside: away,
                way,
                stream: along.map(|v| v * scale),
                level: point.level,
            };
        }
    }
}

/// Least half width in cells, so that a spring keeps a direction.
const THINNEST: f32 = 0.01;

/// Compute the field for some rows, with rivers up to `beside` cells from their banks.
pub(super) fn of_rows(
    courses: &Courses,
    shape: Shape,
    rows: Range<usize>,
    beside: f32,
) -> Vec<Near> {
    let mut near = vec![Near::NONE; rows.len() * shape.columns];
    let count = shape.rows as isize;
    // A bend extends up to a cell and a half from its own cell.
    let around = (courses.widest() + beside) as isize + 3;
    let first = rows.start as isize - around;
    let last = rows.end as isize + around;
    for row in first..last {
        let turns = row.div_euclid(count);
        if turns != 0 && !shape.wraps {
            continue;
        }
        for piece in courses.of_row(row.rem_euclid(count) as usize) {
            let piece = piece.moved([0.0, (turns * count) as f32]);
            take(&mut near, shape, &rows, &piece, beside);
        }
    }
    near
}

/// Update all cells near a segment.
fn take(near: &mut [Near], shape: Shape, rows: &Range<usize>, piece: &Piece, beside: f32) {
    let [a, b] = piece.ends;
    let far = a.half_width.max(b.half_width) + beside;
    let span = |axis: usize| {
        let (a, b) = (a.place[axis], b.place[axis]);
        (a.min(b) - far).ceil() as isize..=(a.max(b) + far).floor() as isize
    };
    let (south, east) = (span(1), span(0));
    let from = (*south.start()).max(rows.start as isize);
    let to = (*south.end()).min(rows.end as isize - 1);
    for row in from..=to {
        let line = &mut near[(row as usize - rows.start) * shape.columns..][..shape.columns];
        for column in east.clone() {
            let place = [column as f32, row as f32];
            let columns = shape.columns as isize;
            if shape.wraps {
                line[column.rem_euclid(columns) as usize].take(piece, place, beside);
            } else if (0..columns).contains(&column) {
                line[column as usize].take(piece, place, beside);
            }
        }
    }
}
