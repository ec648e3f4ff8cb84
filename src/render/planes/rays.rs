//! Rows of a picture that are looked at steeply, or in parallel: a ray for each pixel.
//!
//! Planes crowd together around the point straight below the eye. There single rays are quicker. Those of
//! a block of pixels first go together, as a [`Bundle`], until any of them may meet the ground; then each
//! goes through the squares of cells whose roof it is not above, and through their cells, as Tevs,
//! Ihrke and Seidel do ("Maximum Mipmaps for Fast, Accurate, and Scalable Dynamic Height Field Rendering",
//! 2008), but with roofs as steep as the ground in place of level ones.

use std::ops::Range;

use super::Layer;
use super::bundle::Bundle;
use super::field::Field;
use super::ground::{Ground, Meeting};
use super::mix::{alone, covered, layer};
use super::near::{MIXED, Near};
use super::ray::Ray;
use super::sight::{PLACES, Sight};
use crate::parallel;
use crate::render::gl::constants::EDGE;

/// Where in a pixel rays go through if one is not enough, from its middle: where planes ask.
fn places() -> [[f32; 2]; 4] {
    std::array::from_fn(|row| [PLACES[row], (row as f32 + 0.5) / PLACES.len() as f32 - 0.5])
}

/// Pixels along the sides of a block, whose rays go together as far as they can.
const BLOCK: [i64; 2] = [16, 8];

/// The rays of a picture.
pub(super) struct Rays<'a> {
    /// The finest first, the map last.
    grounds: Vec<Ground<'a>>,
    sight: &'a Sight,
}

impl<'a> Rays<'a> {
    pub(super) fn new(field: &'a Field, near: &[Near<'a>], sight: &'a Sight) -> Self {
        let windows = near.iter().map(Ground::window);
        Self {
            grounds: windows.chain([Ground::map(field, sight)]).collect(),
            sight,
        }
    }

    /// The pixels of some rows of the piece, row by row.
    pub(super) fn layers(&self, rows: Range<usize>) -> Vec<Layer> {
        let width = self.sight.size[0];
        let is_smooth = self.sight.rows_a_pixel > 1;
        // With a border, so that every pixel knows those around it, in whichever piece it is.
        let border = usize::from(is_smooth);
        let wide = width + 2 * border;
        let starts = self.starts(rows.clone(), border);
        let mut middles = vec![0.0; wide * (rows.len() + 2 * border)];
        let lines = parallel::over(middles.chunks_exact_mut(wide.max(1)));
        let middle = |at: usize| at as f32 + 0.5 - border as f32;
        lines.each(|line, out| {
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
        let lines = parallel::over(layers.chunks_exact_mut(width.max(1)));
        lines.each(|line, out| {
            for (column, out) in out.iter_mut().enumerate() {
                let at = (line + 1) * wide + column + 1;
                let around = [at - wide, at - 1, at, at + 1, at + wide].map(|at| middles[at]);
                let row = rows.start + line;
                *out = self.pixel(column, row, around, &starts);
            }
        });
        layers
    }

    /// Where the rays of some rows begin, and of so many pixels around these.
    fn starts(&self, rows: Range<usize>, border: usize) -> Starts {
        let border = border as i64;
        let block = |axis: usize, at: i64| at.div_euclid(BLOCK[axis]);
        let columns = block(0, -border)..block(0, self.sight.size[0] as i64 + border - 1) + 1;
        let rows = block(1, rows.start as i64 - border)..block(1, rows.end as i64 + border - 1) + 1;
        let across = (columns.end - columns.start) as usize;
        let first = [columns.start, rows.start];
        if self.sight.is_parallel() {
            // What is behind the eye is seen as well.
            let all = vec![f32::MIN; across * (rows.end - rows.start) as usize];
            return Starts { all, across, first };
        }
        let lines = parallel::over(rows).map(|_, row| {
            let ends = |axis: usize, at: i64| [at, at + 1].map(|at| (at * BLOCK[axis]) as f32);
            let blocks = columns.clone().map(|column| {
                let bundle = Bundle::new(self.sight, ends(0, column), ends(1, row));
                bundle.free(&self.grounds)
            });
            blocks.collect::<Vec<_>>()
        });
        let all = lines.concat();
        Starts { all, across, first }
    }

    /// A pixel of the piece; `around` is how far away the ground is south, west, here, east, north.
    fn pixel(&self, column: usize, row: usize, around: [f32; 5], starts: &Starts) -> Layer {
        let (column, row) = (column as f32 + 0.5, row as f32 + 0.5);
        let start = starts.of(column, row);
        let asked = || places().map(|[x, y]| self.away(column + x, row + y, start));
        if self.sight.is_parallel() {
            // Seen from straight above no ground hides another.
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

    /// How far away along the view the ground is at a place of the piece, in pixels, if it is no nearer than
    /// `start`; infinite where there is none, or none above the water.
    fn away(&self, column: f32, row: f32, start: f32) -> f32 {
        let ray = self.sight.ray(column, row);
        let mut from = start;
        for (index, ground) in self.grounds.iter().enumerate() {
            match ground.meet(&ray, from) {
                Meeting::NoneBefore(until) => from = until,
                Meeting::At(away, rate) => {
                    let away = self.mixed(index, &ray, away, rate);
                    let is_dry = self.sight.water.is_none_or(|water| {
                        // Up to where the ray is above it.
                        ray.from.y + ray.way.y * away > water
                    });
                    return if is_dry { away } else { f32::INFINITY };
                }
            }
        }
        f32::INFINITY
    }

    /// Where a ray that meets a ground there meets it as it is mixed with the next coarser one, where that
    /// is about to take over.
    fn mixed(&self, index: usize, ray: &Ray, away: f32, rate: f32) -> f32 {
        let ground = &self.grounds[index];
        let part = (ground.part(ray, away) - MIXED) / (1.0 - MIXED);
        let Some(coarser) = self.grounds.get(index + 1).filter(|_| part > 0.0) else {
            return away;
        };
        let higher = coarser.height(ray, away) - ground.height(ray, away);
        let by = part.min(1.0) * higher / rate;
        // Not a number where the ray runs along the ground, which none does straight down.
        if self.sight.is_parallel() || by.abs() < 0.5 * away {
            away + by
        } else {
            away
        }
    }
}

/// Up to where the rays of each block of pixels meet nothing.
struct Starts {
    all: Vec<f32>,
    /// Blocks in a row, and the first block along columns and rows.
    across: usize,
    first: [i64; 2],
}

impl Starts {
    /// Where the ray through a place of the piece begins, in pixels.
    fn of(&self, column: f32, row: f32) -> f32 {
        let block =
            |axis: usize, at: f32| (at.floor() as i64).div_euclid(BLOCK[axis]) - self.first[axis];
        self.all[block(1, row) as usize * self.across + block(0, column) as usize]
    }
}
