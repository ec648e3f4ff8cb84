//! Contour lines of the ground in plan view, and labels of contours in maps.

use std::collections::BTreeMap;

use super::sprites::{Sprites, label};
use super::strips::Strips;
use super::{Desk, letters, line_width, metres};
use crate::render::view::FlatView;
use crate::scene::GroundColor;
use crate::shading::analysis::{
    Contour, HEAVY, LabelPlace, Line, at_scale, contours, count_segments, is_heavy, next_step,
    place_labels,
};
use crate::terrain::heightmap::Heightmap;
use crate::util::numbers::{mix_colors, smoothstep};
use crate::util::{lettering, parallel};

/// Sampling distance of the contour grid in pixels, in a picture of 720 rows.
const CELL: f32 = 2.0;
/// Maximum number of cells per side of the contour grid.
const MOST_CELLS: f32 = 1024.0;
/// Minimum length of a closed contour, in text heights; shorter ones are specks.
const SHORTEST_RING: f32 = 1.1;
/// Minimum size of a tile in pixels for contours.
const SMALLEST_TILE: f32 = 12.0;
/// Sampling distance of lines that only carry labels, in pixels of a picture of 720 rows.
const LABEL_CELL: f32 = 4.0;
/// Maximum distance of samples, in the same pixels, for labels on ground seen by a camera: further apart, the finer
/// levels of detail move its lines away from those of the samples.
const MOST_SPACING: f32 = 24.0;
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
        let mut gaps = vec![Vec::new(); contours.len()];
        let heavy: Vec<usize> = (0..contours.len())
            .filter(|at| is_heavy(contours[*at].index))
            .collect();
        let lines: Vec<_> = heavy
            .iter()
            .map(|at| (contours[*at].index, &contours[*at].points[..]))
            .collect();
        for place in self.put_labels(&lines, interval, view.tile, &view.corners(), sprites) {
            gaps[heavy[place.line]].push(place.gap);
        }
        for gaps in &mut gaps {
            gaps.sort_by(|a, b| a.0.total_cmp(&b.0));
        }
        gaps
    }

    /// Add the labels of a map seen by a camera from above. Its lines are drawn by
    /// `common/drawn_lines.glsl`, without gaps.
    pub(super) fn camera_labels(&self, relief: &Heightmap, interval: f64, sprites: &mut Sprites) {
        let view = CameraView::new(self);
        let tile = view.side.map(|side| side / view.pixel);
        // In a larger picture labels are larger, too.
        let cell = LABEL_CELL * line_width(self.size);
        let spacing = relief.spacing() / view.pixel;
        let is_close = spacing > MOST_SPACING * line_width(self.size);
        if tile[0].min(tile[1]) < SMALLEST_TILE || is_close {
            return;
        }
        let cells = tile.map(|side| (side / CELL).ceil() as usize);
        // Every picture of a moving camera smooths the ground anew, so it begins with no more samples than
        // that takes.
        let smooth = (cells[0] < relief.columns())
            .then(|| at_scale(&relief.thinned(2 * cells[0].max(cells[1])), cells));
        let relief = smooth.as_ref().unwrap_or(relief);
        let [columns, rows] =
            [self.size.0, self.size.1].map(|pixels| (pixels as f32 / cell).ceil() as usize + 1);
        let mut heights = vec![0.0; rows * columns];
        parallel::par_items(heights.chunks_mut(columns)).for_each(|row, heights| {
            for (column, height) in heights.iter_mut().enumerate() {
                let at = [column, row].map(|index| index as f32 * cell);
                let (place, _) = view.place(at);
                *height = relief.height_at(place[0], place[1]);
            }
        });
        let ground = Heightmap::new(rows, columns, false, heights);
        let index_interval = HEAVY as f64 * interval / metres(self.scene);
        if count_segments(&ground, index_interval) > MOST_SEGMENTS {
            return;
        }
        let lines: Vec<(i64, Vec<[f32; 2]>)> = contours(&ground, index_interval)
            .into_iter()
            .map(|contour| {
                let points = smoothed(&contour).into_iter();
                let points = points.map(|at| at.map(|index| index * cell)).collect();
                (contour.index * HEAVY, points)
            })
            .collect();
        // Outside the tiles the border's height goes on, and no line is drawn.
        let parts: Vec<(i64, &[[f32; 2]])> = lines
            .iter()
            .flat_map(|(index, points)| {
                let parts = points.split(|at| !view.place(*at).1);
                parts
                    .filter(|part| part.len() > 1)
                    .map(|part| (*index, part))
            })
            .collect();
        let picture = [self.size.0 as f32, self.size.1 as f32];
        self.put_labels(&parts, interval, picture, &[[0.0; 2]], sprites);
    }

    /// Place labels on lines, given with their contours, within `size` pixels, and add them at each of
    /// `corners`.
    fn put_labels(
        &self,
        lines: &[(i64, &[[f32; 2]])],
        interval: f64,
        size: [f32; 2],
        corners: &[[f32; 2]],
        sprites: &mut Sprites,
    ) -> Vec<LabelPlace> {
        let height = letters(self.size);
        let wanted: Vec<Line<'_>> = lines
            .iter()
            .map(|(index, points)| Line {
                points,
                width: lettering::width(&height_words(*index, interval), height),
            })
            .collect();
        let places = place_labels(&wanted, height * 0.8, size);
        let mut pictures = BTreeMap::new();
        for place in &places {
            let (index, _) = lines[place.line];
            let picture = *pictures.entry(index).or_insert_with(|| {
                let (ink, rim) = self.label_colors(index, interval);
                sprites.picture(label(&height_words(index, interval), height, ink, rim))
            });
            for corner in corners {
                let at = [corner[0] + place.at[0], corner[1] + place.at[1]];
                sprites.put(picture, at, place.angle);
            }
        }
        places
    }

    /// Colour of the ground at a contour, if the ground is coloured by height.
    pub(super) fn ground(&self, index: i64, interval: f64) -> Option<[f32; 3]> {
        if self.scene.analysis.color != GroundColor::Height {
            return None;
        }
        let height = (index as f64 * interval / metres(self.scene)) as f32;
        let (low, high) = self.map.range;
        let span = (high - low).max(f32::MIN_POSITIVE);
        Some(self.palette.color(((height - low) / span).clamp(0.0, 1.0)))
    }

    /// Line colour: a darker tone of the ground, or a lighter one on dark ground.
    pub(super) fn ink(&self, index: i64, interval: f64, heavy: bool) -> [f32; 4] {
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

/// Colour of lines on ground of this colour outside of maps, where `common/drawn_lines.glsl` draws them.
pub(super) fn ink_in_space(ground: [f32; 3]) -> [f32; 4] {
    let light = 0.3 * ground[0] + 0.6 * ground[1] + 0.1 * ground[2];
    let [r, g, b] = mix_colors(
        mix_colors(ground, [1.0; 3], 0.6),
        ground.map(|part| part * 0.25),
        smoothstep((light - 0.10) / 0.08),
    );
    [r, g, b, 1.0]
}

/// A map seen by its camera straight from above.
struct CameraView {
    /// Side of a pixel, in half tiles.
    pixel: f32,
    /// Position of the picture's upper left corner from the middle of all tiles, in half tiles.
    corner: [f32; 2],
    /// Cosine and sine of the bearing.
    turn: [f32; 2],
    side: [f32; 2],
    tiles: f32,
}

impl CameraView {
    fn new(desk: &Desk<'_>) -> Self {
        let camera = &desk.scene.camera;
        let (sin, cos) = camera.bearing.to_radians().sin_cos();
        let [width, height] = [desk.size.0 as f32, desk.size.1 as f32];
        let pixel = 2.0 * camera.distance * (camera.fov.to_radians() * 0.5).tan() / height;
        let half = [width, height].map(|side| side * 0.5 * pixel);
        let [x, _, z] = camera.target.map(|at| at as f32);
        Self {
            pixel,
            corner: [
                x - cos * half[0] + sin * half[1],
                z - sin * half[0] - cos * half[1],
            ],
            turn: [cos, sin],
            side: desk.map.layout.side,
            tiles: desk.scene.view.tile as f32,
        }
    }

    /// x and z on its tile of a position in pixels, and whether it is on a tile; beside the tiles it belongs
    /// to the nearest one.
    fn place(&self, at: [f32; 2]) -> ([f32; 2], bool) {
        let [right, down] = at.map(|at| at * self.pixel);
        let [cos, sin] = self.turn;
        let world = [
            self.corner[0] + cos * right - sin * down,
            self.corner[1] + sin * right + cos * down,
        ];
        let counted = [0, 1].map(|i: usize| world[i] / self.side[i] + self.tiles * 0.5);
        let within = |at: f32| (0.0..=self.tiles).contains(&at);
        let place = [0, 1].map(|i: usize| {
            let tile = counted[i].floor().clamp(0.0, self.tiles - 1.0);
            (counted[i] - tile - 0.5) * self.side[i]
        });
        (place, within(counted[0]) && within(counted[1]))
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
