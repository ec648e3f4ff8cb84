//! Legend: a key to colours and contours in a corner of the picture.

use crate::render::analysis::canvas::Canvas;
use crate::scene::{Analysis, GroundColor};
use crate::shading::analysis::{LEVEL, STEEPEST, aspect_color, slope_color};
use crate::util::lettering;
use crate::util::numbers::mix_colors;

const PAPER: ([f32; 3], f32) = ([0.07, 0.08, 0.10], 0.74);
const INK: [f32; 3] = [0.93, 0.94, 0.96];
const PALE: [f32; 3] = [0.70, 0.73, 0.77];

/// Draw the legend with text of `size` pixels; `None` if there is nothing to explain. `interval` is the
/// contour interval and that of index contours, as text.
pub(super) fn legend(
    analysis: &Analysis,
    size: f32,
    interval: Option<&[String; 2]>,
) -> Option<Canvas> {
    let parts = [
        match analysis.color {
            GroundColor::Height => None,
            GroundColor::Slope => Some(slope_part(size)),
            GroundColor::Aspect => Some(aspect_part(size)),
        },
        interval.map(|interval| contour_part(size, interval)),
    ];
    let parts: Vec<Canvas> = parts.into_iter().flatten().collect();
    if parts.is_empty() {
        return None;
    }
    let (pad, gap) = (size * 0.6, size * 0.35);
    let width = parts.iter().map(Canvas::width).max().unwrap_or(0) as f32;
    let heights: f32 = parts.iter().map(|part| part.height() as f32).sum();
    let height = heights + gap * (parts.len() - 1) as f32;
    let mut canvas = Canvas::new(width + 2.0 * pad, height + 2.0 * pad);
    let high = [canvas.width() as f32, canvas.height() as f32];
    canvas.rounded([0.0; 2], high, size * 0.4, PAPER);
    let mut top = pad;
    for part in parts {
        canvas.stamp(&part, [pad.round() as usize, top.round() as usize]);
        top += part.height() as f32 + gap;
    }
    Some(canvas)
}

fn slope_part(size: f32) -> Canvas {
    let (length, thick) = (size * 10.0, size * 0.75);
    let margin = size * 0.9;
    let mut canvas = Canvas::new(length + 2.0 * margin, size * 3.3);
    canvas.words("Slope", size, [0.0, size * 0.5], INK);
    let top = size * 1.2;
    canvas.paint(|x, y| {
        let along = (x - margin) / length;
        let inside = edge(x - margin) * edge(margin + length - x);
        let alpha = inside * edge(y - top) * edge(top + thick - y);
        (slope_color(along * STEEPEST), alpha)
    });
    for degrees in [0.0, 30.0, 60.0, 90.0] {
        let x = margin + length * degrees / STEEPEST;
        let words = format!("{degrees}°");
        canvas.words_around(&words, size * 0.9, [x, top + thick + size * 0.7], PALE);
    }
    canvas
}

fn aspect_part(size: f32) -> Canvas {
    let radius = size * 1.9;
    let middle = [radius + size * 1.6, radius + size * 2.3];
    let mut canvas = Canvas::new(2.0 * middle[0], middle[1] + radius + size * 1.2);
    canvas.words("Falls to the", size, [0.0, size * 0.5], INK);
    canvas.paint(|x, y| {
        let (east, north) = (x - middle[0], middle[1] - y);
        let away = east.hypot(north);
        // Saturation rises with the slope: none at the centre, full on steep ground.
        let hue = aspect_color(east.atan2(north).to_degrees());
        let full = (away / radius * 1.5 - 0.2).clamp(0.0, 1.0);
        (mix_colors(LEVEL, hue, full), edge(radius - away))
    });
    let out = radius + size * 0.65;
    for (words, east, south) in [
        ("N", 0.0, -1.0),
        ("E", 1.0, 0.0),
        ("S", 0.0, 1.0),
        ("W", -1.0, 0.0),
    ] {
        let at = [middle[0] + east * out, middle[1] + south * out];
        canvas.words_around(words, size * 0.9, at, PALE);
    }
    canvas
}

fn contour_part(size: f32, interval: &[String; 2]) -> Canvas {
    let (sample, gap) = (size * 1.6, size * 0.5);
    let widths = interval
        .each_ref()
        .map(|words| lettering::width(words, size));
    let total = 2.0 * (sample + gap) + widths[0] + widths[1] + size * 1.1;
    let mut canvas = Canvas::new(total + 1.0, size * 1.2);
    let middle = canvas.height() as f32 * 0.5;
    let mut left = 0.0;
    for (words, thick) in interval.iter().zip([size * 0.04, size * 0.075]) {
        let half = thick.max(0.4);
        canvas.paint(|x, y| {
            let inside = edge(x - left) * edge(left + sample - x);
            (INK, inside * edge(half - (y - middle).abs()))
        });
        canvas.words(words, size, [left + sample + gap, middle], INK);
        left += sample + gap + lettering::width(words, size) + size * 1.1;
    }
    canvas
}

/// Coverage of a pixel by the inner side of an edge at a signed distance, for antialiasing.
fn edge(distance: f32) -> f32 {
    (distance + 0.5).clamp(0.0, 1.0)
}

impl Canvas {
    /// Blend another image over this one, with its top left pixel at the given column and row.
    fn stamp(&mut self, other: &Self, corner: [usize; 2]) {
        let grid = other.to_grid();
        self.paint(|x, y| {
            let (x, y) = (x as usize, y as usize);
            let (Some(column), Some(row)) = (x.checked_sub(corner[0]), y.checked_sub(corner[1]))
            else {
                return ([0.0; 3], 0.0);
            };
            if column >= grid.columns() || row >= grid.rows() {
                return ([0.0; 3], 0.0);
            }
            let [r, g, b, a] = grid.row(row)[column].map(|byte| f32::from(byte) / 255.0);
            let whole = a.max(1e-6);
            ([r / whole, g / whole, b / whole], a)
        });
    }
}
