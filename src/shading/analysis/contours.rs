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
