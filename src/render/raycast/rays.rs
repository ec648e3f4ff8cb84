//! Ray casting with one ray per pixel, for rows with a steep view and for parallel projection.
//!
//! Vertical slices crowd together around the point straight below the eye; single rays are faster there. The
//! rays of a block of pixels first advance together, as a [`RayPacket`], while none of them can hit the ground.
//! Then each traverses the squares of cells and the cells in them, skipping squares that it passes above,
//! with maximum mipmaps (Tevs, Ihrke and Seidel, "Maximum Mipmaps for Fast, Accurate, and Scalable Dynamic
//! Height Field Rendering", 2008). The bounds are sloped planes instead of level ones.

use std::ops::Range;

use glam::Vec3;

use crate::render::gl::programs::EDGE;
use crate::render::raycast::field::{Field, Near};
use crate::render::raycast::grid_traversal::{HeightGrid, Hit};
use crate::render::raycast::viewpoint::{PLACES, Ray, Sight};
use crate::render::raycast::{Layer, alone, covered, layer};
use crate::util::parallel;

/// Pixels along the sides of a block, whose rays start as a bundle.
const BLOCK: [i64; 2] = [16, 8];

/// Relative difference of distances above which a triangle seen nearly edge-on is measured at the hit point,
/// because its plane could be anywhere in the pixel's centre.
const MOST_ASKEW: f32 = 0.5;

/// Single-ray caster of a picture.
pub(super) struct Rays<'a> {
    /// Grounds to intersect: clipmap levels, the finest first, and the map last.
    grounds: Vec<HeightGrid<'a>>,
    sight: &'a Sight,
}

impl<'a> Rays<'a> {
    pub(super) fn new(field: &'a Field, near: &[Near<'a>], sight: &'a Sight) -> Self {
        let windows = near.iter().map(HeightGrid::window);
        Self {
            grounds: windows.chain([HeightGrid::map(field, sight)]).collect(),
            sight,
        }
    }

    /// Compute the pixels of some rows of the piece, row by row.
    pub(super) fn layers(&self, rows: Range<usize>) -> Vec<Layer> {
        let width = self.sight.size[0];
        let is_smooth = self.sight.rows_a_pixel > 1;
        // With a border, since each pixel needs its neighbours even in another piece.
        let border = usize::from(is_smooth);
        let wide = width + 2 * border;
        let starts = self.starts(rows.clone(), border);
        let mut middles = vec![0.0; wide * (rows.len() + 2 * border)];
        let lines = parallel::par_items(middles.chunks_exact_mut(wide.max(1)));
        let middle = |at: usize| at as f32 + 0.5 - border as f32;
        lines.for_each(|line, out| {
            let row = rows.start as f32 + middle(line);
            for (column, out) in out.iter_mut().enumerate() {
                let column = middle(column);
                *out = self.away(column, row, starts.of(column, row));
            }
        });
        if !is_smooth {
            return middles.into_iter().map(alone).collect();
        }
        let mut layers = vec![Layer::default(); width * rows.len()];
        let lines = parallel::par_items(layers.chunks_exact_mut(width.max(1)));
        lines.for_each(|line, out| {
            for (column, out) in out.iter_mut().enumerate() {
                let at = (line + 1) * wide + column + 1;
                let around = [at - wide, at - 1, at, at + 1, at + wide].map(|at| middles[at]);
                let row = rows.start + line;
                *out = self.pixel(column, row, around, &starts);
            }
        });
        layers
    }

    /// Starting distances of the rays of some rows, and of `border` pixels around them.
    fn starts(&self, rows: Range<usize>, border: usize) -> Starts {
        let border = border as i64;
        let block = |axis: usize, at: i64| at.div_euclid(BLOCK[axis]);
        let columns = block(0, -border)..block(0, self.sight.size[0] as i64 + border - 1) + 1;
        let rows = block(1, rows.start as i64 - border)..block(1, rows.end as i64 + border - 1) + 1;
        let across = (columns.end - columns.start) as usize;
        let first = [columns.start, rows.start];
        if self.sight.is_parallel() {
            // In parallel projection, points behind the eye are visible as well.
            let all = vec![f32::MIN; across * (rows.end - rows.start) as usize];
            return Starts { all, across, first };
        }
        let lines = parallel::par_items(rows).map(|_, row| {
            let ends = |axis: usize, at: i64| [at, at + 1].map(|at| (at * BLOCK[axis]) as f32);
            let blocks = columns.clone().map(|column| {
                let bundle = RayPacket::new(self.sight, ends(0, column), ends(1, row));
                bundle.free(&self.grounds)
            });
            blocks.collect::<Vec<_>>()
        });
        let all = lines.concat();
        Starts { all, across, first }
    }

    /// Compute a pixel of the piece; `around` holds the distances to the south, west, here, east and north.
    fn pixel(&self, column: usize, row: usize, around: [f32; 5], starts: &Starts) -> Layer {
        let (column, row) = (column as f32 + 0.5, row as f32 + 0.5);
        let start = starts.of(column, row);
        let asked = || PLACES.map(|[x, y]| self.away(column + x, row + y, start));
        if self.sight.is_parallel() {
            // From straight above no ground hides another.
            let grounds = around.iter().filter(|away| away.is_finite()).count();
            return match grounds {
                0 | 5 => alone(around[2]),
                _ => covered(asked()),
            };
        }
        let (nearest, farthest) = around
            .into_iter()
            .fold((f32::INFINITY, 0.0_f32), |(low, high), away| {
                (low.min(away), high.max(away))
            });
        if farthest - nearest > EDGE * nearest {
            layer(asked())
        } else {
            alone(around[2])
        }
    }

    /// Distance of the ground along the view at a position of the piece, in pixels, searched from `start` on;
    /// infinite where there is no ground above the water.
    fn away(&self, column: f32, row: f32, start: f32) -> f32 {
        let met = self.intersect(&self.sight.ray(column, row), start);
        met.map_or(f32::INFINITY, |(_, away)| away)
    }

    /// Distance of the visible surface at a subpixel position, from `start` on. The ray goes through
    /// `middle + place`, and the triangle it hits is measured at the pixel's centre, as GPUs do with
    /// multisampling.
    /// Negative for a side of the ground; infinite if nothing is hit.
    pub(super) fn seen(&self, middle: [f32; 2], place: [f32; 2], start: f32) -> f32 {
        let [column, row] = [0, 1].map(|axis| middle[axis] + place[axis]);
        let ray = self.sight.ray(column, row);
        let map = &self.grounds[self.grounds.len() - 1];
        let Some([from, _]) = map.within(&ray) else {
            return f32::INFINITY;
        };
        let high = ray.from.y + ray.way.y * from;
        if start <= from && from > 0.0 && high <= map.height(&ray, from) {
            let is_side = high >= self.sight.floor - self.sight.eye.y && self.is_dry(&ray, from);
            return if is_side { -from } else { f32::INFINITY };
        }
        let Some((ground, away)) = self.intersect(&ray, start.max(from)) else {
            return f32::INFINITY;
        };
        let in_middle = ground.plane_of(&ray, away, &self.sight.ray(middle[0], middle[1]));
        if (in_middle / away - 1.0).abs() < MOST_ASKEW {
            in_middle
        } else {
            away
        }
    }

    /// Intersect a ray with all grounds from a distance on; returns the ground and the distance of a hit
    /// above the water.
    fn intersect(&self, ray: &Ray, start: f32) -> Option<(&HeightGrid<'a>, f32)> {
        let mut from = start;
        for ground in &self.grounds {
            match ground.intersect(ray, from) {
                Hit::NoneBefore(until) => from = until,
                Hit::At(away) => return self.is_dry(ray, away).then_some((ground, away)),
            }
        }
        None
    }

    /// True if a ray is above the water at this distance.
    fn is_dry(&self, ray: &Ray, away: f32) -> bool {
        (self.sight.water).is_none_or(|water| ray.from.y + ray.way.y * away > water)
    }
}

/// Starting distances of the rays of each block of pixels.
struct Starts {
    all: Vec<f32>,
    /// Number of blocks in a row, and the first block along columns and rows.
    across: usize,
    first: [i64; 2],
}

impl Starts {
    /// Starting distance of the ray through a position of the piece, in pixels.
    fn of(&self, column: f32, row: f32) -> f32 {
        let block =
            |axis: usize, at: f32| (at.floor() as i64).div_euclid(BLOCK[axis]) - self.first[axis];
        self.all[block(1, row) as usize * self.across + block(0, column) as usize]
    }
}

/// Maximum number of steps per bundle; rays along the ground would need many.
const MOST_STEPS: usize = 96;
/// Minimum step, in cells of the finest ground at its position.
const LAST: f32 = 1.0;
/// Tolerance of the distance at which single rays switch between two grounds.
const MARGIN: f32 = 1e-3;

/// Ray packet: the rays through a rectangle of pixels advance together through empty space.
struct RayPacket {
    /// Rays through the rectangle's corners. Every other ray, and each point on it, is a weighted mean of
    /// these.
    corners: [Ray; 4],
}

impl RayPacket {
    /// Build the bundle through a rectangle of the piece, in pixels.
    fn new(sight: &Sight, columns: [f32; 2], rows: [f32; 2]) -> Self {
        let [left, right] = columns;
        let [low, high] = rows;
        let corners = [[left, low], [right, low], [left, high], [right, high]];
        Self {
            corners: corners.map(|[column, row]| sight.ray(column, row)),
        }
    }

    /// Distance up to which no ray of the bundle hits any of the grounds, the finest first and the map last.
    fn free(&self, grounds: &[HeightGrid<'_>]) -> f32 {
        let longest = |most: f32, ray: &Ray| most.max(ray.way.length());
        let fastest = self.corners.iter().fold(0.0, longest);
        let mut away = 0.0;
        let mut step = grounds.first().map_or(0.0, |ground| ground.height) / fastest;
        let mut passed = false;
        for _ in 0..MOST_STEPS {
            match meets(grounds, &self.ends(away, away + step)) {
                None => {
                    away += step;
                    // Doubled only after two free steps in a row, or it would often be halved again at once.
                    step *= if passed { 2.0 } else { 1.0 };
                    passed = true;
                }
                Some(cell) if step * fastest < LAST * cell => break,
                Some(_) => {
                    step *= 0.5;
                    passed = false;
                }
            }
        }
        away
    }

    /// Corners of the volume that contains all rays between two distances, relative to the eye, in half
    /// tiles.
    fn ends(&self, from: f32, until: f32) -> [Vec3; 8] {
        let [near, far] =
            [from, until].map(|away| self.corners.map(|ray| ray.from + ray.way * away));
        std::array::from_fn(|at| if at < 4 { near[at] } else { far[at - 4] })
    }
}

/// Cell size of the finest ground that may be hit within a volume; `None` if it is empty.
fn meets(grounds: &[HeightGrid<'_>], places: &[Vec3; 8]) -> Option<f32> {
    let [least, most] = distances(places);
    for ground in grounds {
        if ground.is_passed((1.0 - MARGIN) * least) {
            continue;
        }
        if ground.may_hold(places) {
            return Some(ground.cell());
        }
        if !ground.is_passed((1.0 + MARGIN) * most) {
            break;
        }
    }
    None
}

/// Minimum and maximum horizontal distance of a volume from the eye.
fn distances(places: &[Vec3; 8]) -> [f32; 2] {
    let low = places
        .iter()
        .fold(Vec3::INFINITY, |low, place| low.min(*place));
    let high = places
        .iter()
        .fold(Vec3::NEG_INFINITY, |high, place| high.max(*place));
    let least = Vec3::ZERO.clamp(low, high);
    let most = low.abs().max(high.abs());
    [least, most].map(|at| at.x.hypot(at.z))
}
