//! Contour lines by marching squares.
//!
//! ```text
//!   a──T──b     A corner is inside if it is as high as the contour or higher. The line enters
//!   │     │     and leaves a cell through edges whose ends differ, where the interpolated
//!   L     R     height equals that of the contour; higher ground is to its right.
//!   │     │
//!   e──B──d     If a and d are inside, b and e not, the height of the bilinear saddle decides
//!               which pair is joined (Nielson and Hamann 1991).
//! ```

use crate::terrain::heightmap::Heightmap;
use crate::util::parallel;

/// A contour line.
#[derive(Clone, Debug, PartialEq)]
pub struct Contour {
    /// Index of the contour: its height is this multiple of the interval.
    pub index: i64,
    /// Points as column and row, counted from the first sample. Along the line, higher ground is to the
    /// right. In a closed line the last point equals the first.
    pub points: Vec<[f32; 2]>,
    /// True if the line is closed; other lines end at the map's border.
    pub closed: bool,
}

/// Maximum number of contour levels.
const MOST_LEVELS: f64 = 1e6;

/// Edges of a cell.
#[derive(Clone, Copy)]
enum Edge {
    Top,
    Right,
    Bottom,
    Left,
}
use Edge::{Bottom, Left, Right, Top};

/// Line segments of each case, from edge to edge; the corners a, b, d, e are the bits 1, 2, 4, 8. In the
/// two saddle cases here the inside corners are separate; [`JOINED`] has the other form.
const CASES: [&[(Edge, Edge)]; 16] = [
    &[],
    &[(Top, Left)],
    &[(Right, Top)],
    &[(Right, Left)],
    &[(Bottom, Right)],
    &[(Top, Left), (Bottom, Right)],
    &[(Bottom, Top)],
    &[(Bottom, Left)],
    &[(Left, Bottom)],
    &[(Top, Bottom)],
    &[(Right, Top), (Left, Bottom)],
    &[(Right, Bottom)],
    &[(Left, Right)],
    &[(Top, Right)],
    &[(Left, Top)],
    &[],
];
/// Segments of the saddle cases with joined inside corners: a with d, b with e.
const JOINED: [&[(Edge, Edge)]; 2] = [
    &[(Top, Right), (Bottom, Left)],
    &[(Left, Top), (Right, Bottom)],
];

/// Approximate number of line segments that [`contours`] makes of `map` at this interval, in half tiles.
/// Cost: a pass over the map.
#[must_use]
pub fn count_segments(map: &Heightmap, interval: f64) -> u64 {
    let rows = map.rows().saturating_sub(1);
    let counts = parallel::par_items(0..rows).map(|row, _| -> u64 {
        let (north, south) = (map.row(row), map.row(row + 1));
        let cells = north.windows(2).zip(south.windows(2));
        cells
            .map(|(n, s)| {
                let low = n[0].min(n[1]).min(s[0].min(s[1]));
                let high = n[0].max(n[1]).max(s[0].max(s[1]));
                let levels =
                    (f64::from(high) / interval).floor() - (f64::from(low) / interval).floor();
                levels as u64
            })
            .sum()
    });
    counts.into_iter().sum()
}

/// Compute the contours of `map` at all multiples of `interval`, which is in half tiles and above 0; the
/// lowest first. Empty for a profile, and for more than a million levels. Cost: a pass over the map, and
/// memory for every line segment; see [`count_segments`].
#[must_use]
pub fn contours(map: &Heightmap, interval: f64) -> Vec<Contour> {
    let (low, high) = map.range();
    let levels = (f64::from(high) - f64::from(low)) / interval;
    let sensible = interval > 0.0 && levels > 0.0 && levels <= MOST_LEVELS;
    if map.rows() < 2 || map.columns() < 2 || !sensible {
        return Vec::new();
    }
    let first = (f64::from(low) / interval).floor() as i64;
    let last = (f64::from(high) / interval).ceil() as i64;
    let level = |index: i64| (index as f64 * interval) as f32;
    let mut pieces: Vec<Vec<(u32, u32)>> = vec![Vec::new(); (last - first + 1) as usize];
    for row in 0..map.rows() - 1 {
        let (north, south) = (map.row(row), map.row(row + 1));
        for column in 0..map.columns() - 1 {
            let corners = [
                north[column],
                north[column + 1],
                south[column + 1],
                south[column],
            ];
            let cell_low = corners.into_iter().fold(f32::INFINITY, f32::min);
            let cell_high = corners.into_iter().fold(f32::NEG_INFINITY, f32::max);
            let from = (f64::from(cell_low) / interval).floor() as i64;
            let to = (f64::from(cell_high) / interval).ceil() as i64;
            for index in from..=to {
                let lines = lines_of(corners, level(index));
                let edges = lines.iter().map(|(enter, leave)| {
                    let id = |edge: Edge| edge_id(edge, row, column, map.columns());
                    (id(*enter), id(*leave))
                });
                if lines.is_empty() {
                    continue;
                }
                pieces[(index - first) as usize].extend(edges);
            }
        }
    }
    let contours = parallel::par_items(pieces).map(|offset, pieces| {
        let index = first + offset as i64;
        let lines = linked(pieces).into_iter();
        lines
            .map(|(edges, closed)| line_of(map, level(index), index, &edges, closed))
            // A contour that only touches a sample has a single point.
            .filter(|contour| contour.points.len() > 1)
            .collect::<Vec<_>>()
    });
    contours.into_iter().flatten().collect()
}

/// Line segments in a cell with these corner heights.
fn lines_of(corners: [f32; 4], level: f32) -> &'static [(Edge, Edge)] {
    let bits = corners.map(|height| height >= level);
    let case = (0..4).map(|i| usize::from(bits[i]) << i).sum::<usize>();
    if case != 5 && case != 10 {
        return CASES[case];
    }
    let [a, b, d, e] = corners.map(f64::from);
    // The divisor is not 0: both corners of one pair are higher than both of the other.
    let saddle = (a * d - b * e) / (a + d - b - e);
    if saddle >= f64::from(level) {
        JOINED[usize::from(case == 10)]
    } else {
        CASES[case]
    }
}

/// Unique number of an edge: twice the index of the sample at its north-western end, plus one if the edge
/// runs south.
fn edge_id(edge: Edge, row: usize, column: usize, columns: usize) -> u32 {
    let (row, column, south) = match edge {
        Top => (row, column, 0),
        Left => (row, column, 1),
        Bottom => (row + 1, column, 0),
        Right => (row, column + 1, 1),
    };
    (2 * (row * columns + column) + south) as u32
}

/// Join segments to lines, each with a flag for closed. At an edge at most one segment begins and at most
/// one ends.
fn linked(mut pieces: Vec<(u32, u32)>) -> Vec<(Vec<u32>, bool)> {
    pieces.sort_unstable();
    let mut ends: Vec<u32> = pieces.iter().map(|piece| piece.1).collect();
    ends.sort_unstable();
    let after = |edge: u32| pieces.binary_search_by_key(&edge, |piece| piece.0).ok();
    let is_open = |start: u32| ends.binary_search(&start).is_err();
    // Open lines first, from their starts; the remaining segments form closed lines.
    let starts = (0..pieces.len()).filter(|at| is_open(pieces[*at].0));
    let starts: Vec<usize> = starts.chain(0..pieces.len()).collect();
    let mut used = vec![false; pieces.len()];
    let mut lines = Vec::new();
    for start in starts {
        if used[start] {
            continue;
        }
        let mut line = vec![pieces[start].0];
        let mut next = Some(start);
        while let Some(at) = next.filter(|at| !used[*at]) {
            used[at] = true;
            line.push(pieces[at].1);
            next = after(pieces[at].1);
        }
        let closed = line.first() == line.last();
        lines.push((line, closed));
    }
    lines
}

fn line_of(map: &Heightmap, level: f32, index: i64, edges: &[u32], closed: bool) -> Contour {
    let place = |edge: &u32| {
        let (sample, south) = ((edge / 2) as usize, edge % 2 == 1);
        let (row, column) = (sample / map.columns(), sample % map.columns());
        let here = map.at(row, column);
        let there = map.at(row + usize::from(south), column + usize::from(!south));
        let along = ((level - here) / (there - here)).clamp(0.0, 1.0);
        if south {
            [column as f32, row as f32 + along]
        } else {
            [column as f32 + along, row as f32]
        }
    };
    let mut points: Vec<[f32; 2]> = edges.iter().map(place).collect();
    // A line through a sample meets several edges in the same point.
    points.dedup();
    Contour {
        index,
        points,
        closed,
    }
}

// Round intervals for contours and for the ticks of plots.

/// Maximum number of contours between the lowest and the highest point; more would hide the ground.
pub const MOST_CONTOURS: f64 = 400.0;
/// Maximum number of contours for an automatic interval.
const AUTOMATIC: f64 = 15.0;

/// Smallest of 1, 2 and 5 times a power of ten that is not below `least`; 1 if `least` is not above 0.
#[must_use]
pub fn round_step(least: f64) -> f64 {
    if !(least.is_finite() && least > 0.0) {
        return 1.0;
    }
    let exponent = least.log10().floor() as i32;
    // Division keeps decimals exact: 1/10 is closer to a tenth than 10 to the power −1 may be.
    let power = |times: f64, exponent: i32| match exponent {
        exponent if exponent < 0 => times / 10f64.powi(-exponent),
        exponent => times * 10f64.powi(exponent),
    };
    let steps = [1.0, 2.0, 5.0].map(|times| power(times, exponent));
    // The tolerance lets a `least` that is itself round pass in spite of rounding errors.
    let found = steps.into_iter().find(|step| *step >= least * (1.0 - 1e-9));
    found.unwrap_or_else(|| power(1.0, exponent + 1))
}

/// Next round number after `step`, which must be round itself.
#[must_use]
pub fn next_step(step: f64) -> f64 {
    // Slightly above `step`, so that rounding cannot return `step` itself.
    round_step(step * 1.001)
}

/// Contour interval for heights that span `range`, in the same unit: `asked`, unless that makes more than
/// [`MOST_CONTOURS`]. If `asked` is 0, a round number that makes 6 to 15 contours.
#[must_use]
pub fn spacing(asked: f64, range: f64) -> f64 {
    if asked > 0.0 {
        if range / asked <= MOST_CONTOURS {
            return asked;
        }
        return round_step(range / MOST_CONTOURS);
    }
    round_step(range / AUTOMATIC)
}

/// Number of contours from one index contour to the next.
pub const HEAVY: i64 = 5;

/// True for index contours, every fifth, which are drawn heavier and labelled.
#[must_use]
pub fn is_heavy(index: i64) -> bool {
    index % HEAVY == 0
}

// Label placement for contours: on straight and long stretches of a line, without overlap. Greedy, best
// candidates first.

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
fn walk(points: &[[f32; 2]]) -> Vec<f32> {
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
