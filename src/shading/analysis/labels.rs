//! Label placement for contours: on straight and long stretches of a line, without overlap. Greedy, best
//! candidates first.

/// A line that needs a label.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// Points in pixels, x to the right and y down.
    pub points: &'a [[f32; 2]],
    /// Width of the label's text, in pixels.
    pub width: f32,
}

/// Position of a label on its line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LabelPlace {
    /// Index of the line.
    pub line: usize,
    /// Centre of the text, in pixels.
    pub at: [f32; 2],
    /// Clockwise rotation in radians, −π/2…π/2: the text is never upside down.
    pub angle: f32,
    /// Part of the line behind the text, in pixels from the line's beginning.
    pub gap: (f32, f32),
    /// Half the width and half the height of the text, in pixels.
    half: [f32; 2],
}

/// Maximum distance of a line from its label's axis, in text heights.
const MOST_BEND: f32 = 0.22;
/// Minimum distance between labels of one line, and between labels of different lines, in text heights.
const REPEAT: f32 = 26.0;
const APART: f32 = 0.6;
/// Penalty of a vertical label against a horizontal one, in text heights of bend.
const UPRIGHT: f32 = 0.12;

/// Place labels of `height` pixels on `lines`, all within a picture of `size` pixels. No two overlap;
/// straight and horizontal stretches are preferred.
#[must_use]
pub fn place_labels(lines: &[Line<'_>], height: f32, size: [f32; 2]) -> Vec<LabelPlace> {
    let mut wanted: Vec<(f32, LabelPlace)> = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        wanted.extend(candidates(index, line, height, size));
    }
    wanted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut placed: Vec<LabelPlace> = Vec::new();
    for (_, place) in wanted {
        let near = |other: &LabelPlace| {
            let distance = (place.at[0] - other.at[0]).hypot(place.at[1] - other.at[1]);
            (other.line == place.line && distance < REPEAT * height)
                || overlap(&place, other, APART * height)
        };
        if !placed.iter().any(near) {
            placed.push(place);
        }
    }
    placed
}

/// Candidate positions on stretches that are straight enough, each with its penalty.
fn candidates(
    index: usize,
    line: &Line<'_>,
    height: f32,
    size: [f32; 2],
) -> Vec<(f32, LabelPlace)> {
    let walked = walk(line.points);
    let total = walked.last().copied().unwrap_or(0.0);
    let length = line.width + height * 0.8;
    let mut found = Vec::new();
    // The line must be visible on both sides of its label.
    let spare = (0.8 * length).max(height);
    let mut from = spare * 0.5;
    while from + length + spare * 0.5 <= total {
        let to = from + length;
        let (a, b) = (at(line.points, &walked, from), at(line.points, &walked, to));
        let chord = [b[0] - a[0], b[1] - a[1]];
        let across = chord[0].hypot(chord[1]);
        if across > 0.9 * length {
            let normal = [-chord[1] / across, chord[0] / across];
            let (first, last) = (
                walked.partition_point(|w| *w < from),
                walked.partition_point(|w| *w <= to),
            );
            let off = |p: &[f32; 2]| (p[0] - a[0]) * normal[0] + (p[1] - a[1]) * normal[1];
            let offs = line.points[first..last.max(first)].iter().map(off);
            let (low, high) = offs.fold((0.0f32, 0.0f32), |(l, h), o| (l.min(o), h.max(o)));
            let bend = (high - low) * 0.5;
            let middle = (high + low) * 0.5;
            let at = [0, 1].map(|i: usize| (a[i] + b[i]) * 0.5 + normal[i] * middle);
            let place = LabelPlace {
                line: index,
                at,
                angle: upright(chord[1].atan2(chord[0])),
                gap: (from, to),
                half: [line.width * 0.5, height * 0.5],
            };
            let inside = corners(&place, 0.0).iter().all(|corner| {
                (0..2).all(|i| (0.25 * height..=size[i] - 0.25 * height).contains(&corner[i]))
            });
            if inside && bend <= MOST_BEND * height {
                let score = bend / height + UPRIGHT * (place.angle.abs() / 1.571).powi(2);
                found.push((score, place));
            }
        }
        from += height * 0.5;
    }
    found
}

/// Length along the line up to each of its points.
pub(super) fn walk(points: &[[f32; 2]]) -> Vec<f32> {
    let mut total = 0.0;
    let mut last = points.first();
    let step = |point| {
        if let Some(last) = last.replace(point) {
            total += (point[0] - last[0]).hypot(point[1] - last[1]);
        }
        total
    };
    points.iter().map(step).collect()
}

/// Point at `distance` along the line.
fn at(points: &[[f32; 2]], walked: &[f32], distance: f32) -> [f32; 2] {
    let after = walked.partition_point(|w| *w < distance);
    let after = after.clamp(1, points.len() - 1);
    let (from, to) = (walked[after - 1], walked[after]);
    let t = if to > from {
        ((distance - from) / (to - from)).clamp(0.0, 1.0)
    } else {
        0.0
    };
    [0, 1].map(|i: usize| points[after - 1][i] + (points[after][i] - points[after - 1][i]) * t)
}

/// Turn an angle by half a circle if text along it would read from right to left.
fn upright(angle: f32) -> f32 {
    use std::f32::consts::{FRAC_PI_2, PI};
    match angle {
        angle if angle > FRAC_PI_2 => angle - PI,
        angle if angle <= -FRAC_PI_2 => angle + PI,
        angle => angle,
    }
}

fn corners(place: &LabelPlace, margin: f32) -> [[f32; 2]; 4] {
    let (sin, cos) = place.angle.sin_cos();
    let [w, h] = place.half.map(|half| half + margin);
    [[-w, -h], [w, -h], [w, h], [-w, h]].map(|[x, y]| {
        [
            place.at[0] + x * cos - y * sin,
            place.at[1] + x * sin + y * cos,
        ]
    })
}

/// True if two labels are closer to each other than `margin`, by the separating axis theorem.
fn overlap(a: &LabelPlace, b: &LabelPlace, margin: f32) -> bool {
    let (first, second) = (corners(a, margin), corners(b, 0.0));
    let axes = [a.angle, b.angle].map(|angle| {
        let (sin, cos) = angle.sin_cos();
        [[cos, sin], [-sin, cos]]
    });
    axes.into_iter().flatten().all(|axis| {
        let span = |corners: &[[f32; 2]; 4]| {
            let along = corners.map(|c| c[0] * axis[0] + c[1] * axis[1]);
            along
                .into_iter()
                .fold((f32::INFINITY, f32::NEG_INFINITY), |(l, h), v| {
                    (l.min(v), h.max(v))
                })
        };
        let ((low, high), (other_low, other_high)) = (span(&first), span(&second));
        low <= other_high && other_low <= high
    })
}
