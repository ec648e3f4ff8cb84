//! Contour lines of the ground in plan view, and their labels.

use super::sprites::{Sprites, label};
use super::strips::Strips;
use super::{Desk, letters, line_width, metres};
use crate::render::view::FlatView;
use crate::scene::GroundColor;
use crate::shading::analysis::{
    Contour, Line, at_scale, contours, count_segments, is_heavy, next_step, place_labels,
};
use crate::terrain::heightmap::Heightmap;
use crate::util::lettering;
use crate::util::numbers::mix_colors;

/// Sampling distance of the contour grid in pixels, in a picture of 720 rows.
const CELL: f32 = 2.0;
/// Maximum number of cells per side of the contour grid.
const MOST_CELLS: f32 = 1024.0;
/// Minimum length of a closed contour, in text heights; shorter ones are specks.
const SHORTEST_RING: f32 = 1.1;
/// Minimum size of a tile in pixels for contours.
const SMALLEST_TILE: f32 = 12.0;
/// Maximum number of line segments.
const MOST_SEGMENTS: u64 = 600_000;

impl Desk<'_> {
    /// Add the contours of one tile and the labels of all tiles. Returns the contour interval, which is
    /// larger than requested if there would be too many lines.
    pub(super) fn contours(
        &self,
        relief: &Heightmap,
        view: &FlatView,
        mut interval: f64,
        lines: &mut Strips,
        sprites: &mut Sprites,
    ) -> f64 {
        if view.tile[0].min(view.tile[1]) < SMALLEST_TILE {
            return interval;
        }
        let width = line_width(self.size);
        let cell = CELL * width.sqrt();
        let cells = view
            .tile
            .map(|side| (side / cell).ceil().clamp(1.0, MOST_CELLS) as usize);
        let ground = at_scale(relief, cells);
        let metres = metres(self.scene);
        while count_segments(&ground, interval / metres) > MOST_SEGMENTS {
            interval = next_step(interval);
        }
        let scale = [0, 1].map(|i: usize| view.tile[i] / cells[i] as f32);
        let shortest = SHORTEST_RING * letters(self.size);
        let contours: Vec<Contour> = contours(&ground, interval / metres)
            .into_iter()
            .map(|contour| Contour {
                points: smoothed(&contour)
                    .into_iter()
                    .map(|[column, row]| [column * scale[0], row * scale[1]])
                    .collect(),
                ..contour
            })
            .filter(|contour| !contour.closed || length(&contour.points) >= shortest)
            .collect();
        let gaps = if self.scene.analysis.labels {
            self.labels(&contours, view, interval, sprites)
        } else {
            vec![Vec::new(); contours.len()]
        };
        for (contour, gaps) in contours.iter().zip(&gaps) {
            let heavy = is_heavy(contour.index);
            let (color, width) = (self.ink(contour.index, interval, heavy), width);
            let width = if heavy { width * 1.8 } else { width };
            if gaps.is_empty() {
                lines.line(&contour.points, contour.closed, width, color);
            } else {
                for part in without(&contour.points, gaps) {
                    lines.line(&part, false, width, color);
                }
            }
        }
        interval
    }

    /// Add the labels of index contours in every tile. Returns the gaps they leave in each contour.
    fn labels(
        &self,
        contours: &[Contour],
        view: &FlatView,
        interval: f64,
        sprites: &mut Sprites,
    ) -> Vec<Vec<(f32, f32)>> {
        let size = letters(self.size);
        let mut gaps = vec![Vec::new(); contours.len()];
        let heavy: Vec<usize> = (0..contours.len())
            .filter(|at| is_heavy(contours[*at].index))
            .collect();
        let words: Vec<String> = heavy
            .iter()
            .map(|at| height_words(contours[*at].index, interval))
            .collect();
        let wanted: Vec<Line<'_>> = heavy
            .iter()
            .zip(&words)
            .map(|(at, words)| Line {
                points: &contours[*at].points,
                width: lettering::width(words, size),
            })
            .collect();
        let mut made: Vec<(String, usize)> = Vec::new();
        for place in place_labels(&wanted, size * 0.8, view.tile) {
            let contour = heavy[place.line];
            gaps[contour].push(place.gap);
            let text = &words[place.line];
            let known = made.iter().find(|(words, _)| words == text);
            let picture = known.map(|(_, picture)| *picture).unwrap_or_else(|| {
                let (ink, rim) = self.label_colors(contours[contour].index, interval);
                let picture = sprites.picture(label(text, size, ink, rim));
                made.push((text.clone(), picture));
                picture
            });
            for corner in view.corners() {
                let at = [corner[0] + place.at[0], corner[1] + place.at[1]];
                sprites.put(picture, at, place.angle);
            }
        }
        for gaps in &mut gaps {
            gaps.sort_by(|a, b| a.0.total_cmp(&b.0));
        }
        gaps
    }

    /// Colour of the ground at a contour, if the ground is coloured by height.
    fn ground(&self, index: i64, interval: f64) -> Option<[f32; 3]> {
        if self.scene.analysis.color != GroundColor::Height {
            return None;
        }
        let height = (index as f64 * interval / metres(self.scene)) as f32;
        let (low, high) = self.map.range;
        let span = (high - low).max(f32::MIN_POSITIVE);
        Some(self.palette.color(((height - low) / span).clamp(0.0, 1.0)))
    }

    /// Line colour: a darker tone of the ground, or a lighter one on dark ground.
    fn ink(&self, index: i64, interval: f64, heavy: bool) -> [f32; 4] {
        let alpha = if heavy { 1.0 } else { 0.72 };
        let Some(ground) = self.ground(index, interval) else {
            return [0.10, 0.09, 0.12, alpha * 0.8];
        };
        let [r, g, b] = if is_dark(ground) {
            mix_colors(ground, [1.0; 3], 0.62)
        } else {
            mix_colors(ground, [0.20, 0.11, 0.04], 0.74)
        };
        [r, g, b, alpha]
    }

    /// Colours of label text, and of the halo with its alpha.
    fn label_colors(&self, index: i64, interval: f64) -> ([f32; 3], ([f32; 3], f32)) {
        match self.ground(index, interval) {
            None => ([0.08, 0.07, 0.10], ([1.0; 3], 0.75)),
            Some(ground) if is_dark(ground) => (
                mix_colors(ground, [1.0; 3], 0.9),
                (mix_colors(ground, [0.0; 3], 0.3), 0.85),
            ),
            Some(ground) => (
                mix_colors(ground, [0.12, 0.06, 0.02], 0.94),
                (mix_colors(ground, [1.0; 3], 0.6), 0.85),
            ),
        }
    }
}

/// Format a multiple of the interval with as many decimals as the interval has.
pub(super) fn height_words(index: i64, interval: f64) -> String {
    let decimals = (0..4).find(|decimals| {
        let scaled = interval * 10f64.powi(*decimals);
        (scaled - scaled.round()).abs() < 1e-6 * scaled.max(1.0)
    });
    let words = format!(
        "{:.*}",
        decimals.unwrap_or(4) as usize,
        index as f64 * interval
    );
    words.replace('-', "−")
}

/// Smooth a contour with the kernel ¼, ½, ¼: it rounds off the corners at cell borders.
fn smoothed(contour: &Contour) -> Vec<[f32; 2]> {
    let points = &contour.points;
    let last = points.len() - 1;
    let at = |index: usize| {
        let (before, after) = if index > 0 && index < last {
            (points[index - 1], points[index + 1])
        } else if contour.closed && last > 2 {
            (points[last - 1], points[1])
        } else {
            return points[index];
        };
        [0, 1].map(|i: usize| 0.25 * before[i] + 0.5 * points[index][i] + 0.25 * after[i])
    };
    (0..=last).map(at).collect()
}

/// The parts of a line outside `gaps`, which are sorted, in pixels from its start.
fn without(points: &[[f32; 2]], gaps: &[(f32, f32)]) -> Vec<Vec<[f32; 2]>> {
    let mut parts = vec![Vec::new()];
    let mut walked = 0.0;
    let mut last = points[0];
    let mut gaps = gaps.iter().peekable();
    for point in points {
        let step = [point[0] - last[0], point[1] - last[1]];
        let (from, length) = (walked, step[0].hypot(step[1]));
        let at = |distance: f32| {
            let t = (distance - from) / length.max(1e-6);
            [0, 1].map(|i: usize| last[i] + step[i] * t)
        };
        walked += length;
        while let Some((begin, end)) = gaps.peek().copied().copied() {
            if (from..=walked).contains(&begin)
                && begin > from
                && let Some(part) = parts.last_mut()
            {
                part.push(at(begin));
            }
            if walked < end {
                break;
            }
            parts.push(vec![at(end)]);
            gaps.next();
        }
        let inside = gaps
            .peek()
            .is_some_and(|gap| gap.0 <= walked && walked < gap.1);
        if let (false, Some(part)) = (inside, parts.last_mut()) {
            part.push(*point);
        }
        last = *point;
    }
    parts
}

fn length(points: &[[f32; 2]]) -> f32 {
    let pieces = points.windows(2);
    pieces
        .map(|p| (p[1][0] - p[0][0]).hypot(p[1][1] - p[0][1]))
        .sum()
}

fn is_dark(color: [f32; 3]) -> bool {
    0.3 * color[0] + 0.6 * color[1] + 0.1 * color[2] < 0.24
}
