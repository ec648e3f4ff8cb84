//! River centrelines: quadratic splines through the cells of rivers, as short straight segments.
//!
//! A river enters a cell in the middle between it and its donor, leaves it in the middle between it and its
//! receiver, and has the cell's position as control point. Where two rivers meet, the lesser one ends on the
//! centreline of the greater one and in its direction.

use super::Rule;
use crate::terrain::drainage::Drainage;
use crate::terrain::heightmap::Heightmap;
use crate::util::job::{Cancelled, Job};
use crate::util::parallel;

/// Number of smoothing rounds, which move positions towards the mean of their neighbours along the river, so
/// that valleys oblique to the grid do not become stairs.
const ROUNDS: usize = 4;
/// Largest displacement of a position from its cell, in cells.
const FARTHEST: f32 = 0.75;
/// Number of segments of a bend.
const PIECES: usize = 3;
/// Number of cells per parallel task.
const PART: usize = 256;

/// Position in cells, x east and z south of the first cell.
pub(super) type Place = [f32; 2];

/// Segment of a centreline, with the river's width and height at both ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub ends: [End; 2],
}

/// End of a segment.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    /// Position; on a map that wraps it may lie a little beyond the border.
    pub place: Place,
    /// Half the river's width, in cells.
    pub half_width: f32,
    /// Height of the water, in half tiles.
    pub level: f32,
}

impl End {
    fn between(self, other: Self, t: f32) -> Self {
        let mix = |a: f32, b: f32| a + (b - a) * t;
        Self {
            place: [0, 1].map(|i| mix(self.place[i], other.place[i])),
            half_width: mix(self.half_width, other.half_width),
            level: mix(self.level, other.level),
        }
    }

    fn moved(self, by: Place) -> Self {
        Self {
            place: [0, 1].map(|i| self.place[i] + by[i]),
            ..self
        }
    }
}

/// Centrelines of all rivers of a map.
pub(super) struct Courses {
    /// Segments by the row of the cell in which they bend.
    rows: Vec<Vec<Piece>>,
    widest: f32,
}

impl Courses {
    /// Trace the rivers of `map`: flow paths with a drainage area of at least `least_area` cells.
    pub fn of(
        map: &Heightmap,
        drainage: &Drainage,
        rule: &Rule,
        least_area: u32,
        job: &Job,
    ) -> Result<Self, Cancelled> {
        let network = Network::new(map, drainage, rule, least_area);
        let mut rows = vec![Vec::new(); drainage.shape().rows];
        let columns = drainage.shape().columns;
        parallel::par_items(&mut rows).try_each(|row, out| {
            job.check()?;
            let first = network.cells.partition_point(|cell| *cell < row * columns);
            let cells = network.cells[first..].iter();
            for cell in cells.take_while(|cell| **cell < (row + 1) * columns) {
                network.bend(*cell, out);
            }
            Ok(())
        })?;
        let ends = rows.iter().flatten().flat_map(|piece| piece.ends);
        let widest = ends.map(|end| end.half_width).fold(0.0, f32::max);
        Ok(Self { rows, widest })
    }

    /// Half the width of the widest river, in cells.
    pub fn widest(&self) -> f32 {
        self.widest
    }

    /// Segments that bend in a row of cells.
    pub fn of_row(&self, row: usize) -> &[Piece] {
        &self.rows[row]
    }
}

/// River cells.
struct Network<'a> {
    map: &'a Heightmap,
    drainage: &'a Drainage,
    /// Cell indices in rising order.
    cells: Vec<usize>,
    /// Displacement of each position from its cell.
    moved: Vec<Place>,
    /// Half the width in cells of a river that drains one cell.
    half_width: f32,
    least_area: u32,
}

impl<'a> Network<'a> {
    fn new(map: &'a Heightmap, drainage: &'a Drainage, rule: &Rule, least_area: u32) -> Self {
        let shape = drainage.shape();
        let rows = parallel::par_items(0..shape.rows).at_least(8);
        let cells = rows.map(|row, _| {
            let line = row * shape.columns..(row + 1) * shape.columns;
            let rivers = line.filter(|cell| drainage.area(*cell) >= least_area);
            rivers.collect::<Vec<_>>()
        });
        let cells = cells.concat();
        let whole = (drainage.cells() as f32).sqrt();
        let mut network = Self {
            map,
            drainage,
            moved: vec![[0.0; 2]; cells.len()],
            cells,
            half_width: 0.5 * rule.width / drainage.spacing() / whole,
            least_area,
        };
        for _ in 0..ROUNDS {
            network.smooth();
        }
        network
    }

    /// Move each position towards those before and after it. Springs and mouths stay.
    fn smooth(&mut self) {
        let mut moved = self.moved.clone();
        let parts = self.cells.chunks(PART).zip(moved.chunks_mut(PART));
        parallel::par_items(parts).for_each(|_, (cells, moved)| {
            for (cell, own) in cells.iter().zip(moved) {
                let around = self.receiver(*cell).zip(self.main_donor(*cell));
                let Some(((to, way), (from, back))) = around else {
                    continue;
                };
                let (after, before) = (self.moved(to), self.moved(from));
                *own = [0, 1].map(|i| {
                    let neighbours = way[i] + after[i] + back[i] + before[i];
                    (0.5 * own[i] + 0.25 * neighbours).clamp(-FARTHEST, FARTHEST)
                });
            }
        });
        self.moved = moved;
    }

    fn moved(&self, cell: usize) -> Place {
        let index = self.cells.binary_search(&cell);
        index.map_or([0.0; 2], |index| self.moved[index])
    }

    /// Receiver of a river cell, and the offset to it.
    fn receiver(&self, cell: usize) -> Option<(usize, Place)> {
        let (down, along) = self.drainage.way(cell)?;
        let to = self.drainage.receiver(cell)?;
        Some((to, [along as f32, down as f32]))
    }

    /// River cells that flow into a cell, each with the offset to it.
    fn donors(&self, cell: usize) -> impl Iterator<Item = (usize, Place)> {
        let mut donors = [None; 8];
        let mut count = 0;
        self.drainage.each_donor(cell, |donor| {
            if self.drainage.area(donor) >= self.least_area {
                let way = self.drainage.way(donor).unwrap_or_default();
                donors[count] = Some((donor, [-way.1 as f32, -way.0 as f32]));
                count += 1;
            }
        });
        donors.into_iter().flatten()
    }

    /// Donor with the largest drainage area, if any is a river.
    fn main_donor(&self, cell: usize) -> Option<(usize, Place)> {
        // For equal areas the first one wins, so that the result is deterministic.
        self.donors(cell).reduce(|main, other| {
            let greater = self.drainage.area(other.0) > self.drainage.area(main.0);
            if greater { other } else { main }
        })
    }

    /// End of a segment at a river cell, which lies at the offset `way` from a cell at `at`.
    fn end(&self, cell: usize, at: Place, way: Place) -> End {
        let moved = self.moved(cell);
        End {
            place: [0, 1].map(|i| at[i] + way[i] + moved[i]),
            half_width: self.half_width * (self.drainage.area(cell) as f32).sqrt(),
            level: self.drainage.height(self.map, cell) + self.drainage.depth(cell),
        }
    }

    /// Append the segments of all rivers that bend in a cell.
    fn bend(&self, cell: usize, out: &mut Vec<Piece>) {
        let columns = self.drainage.shape().columns;
        let at = [(cell % columns) as f32, (cell / columns) as f32];
        let own = self.end(cell, at, [0.0; 2]);
        let next = self.receiver(cell);
        let is_main = next.is_none_or(|(to, _)| {
            let main = self.main_donor(to);
            main.is_some_and(|(main, _)| main == cell)
        });
        let mut leaves = match next {
            Some((to, way)) => own.between(self.end(to, at, way), 0.5),
            None => own,
        };
        if !is_main {
            leaves.half_width = own.half_width;
        }
        let main = self.main_donor(cell).map(|(main, _)| main);
        for (donor, way) in self.donors(cell) {
            let from = self.end(donor, at, way);
            let mut enters = from.between(own, 0.5);
            let (mut middle, mut leaves) = (own, leaves);
            if Some(donor) != main {
                for end in [&mut enters, &mut middle, &mut leaves] {
                    end.half_width = from.half_width;
                }
            }
            bent(enters, middle, leaves, out);
        }
        if main.is_none() {
            let spring = End {
                half_width: 0.0,
                ..own
            };
            out.push(Piece {
                ends: [spring, leaves],
            });
        }
    }
}

/// Append the segments of a quadratic curve.
fn bent(from: End, middle: End, to: End, out: &mut Vec<Piece>) {
    let at = |t: f32| {
        let (a, b) = (from.between(middle, t), middle.between(to, t));
        a.between(b, t)
    };
    let mut last = from;
    for piece in 1..=PIECES {
        let next = at(piece as f32 / PIECES as f32);
        out.push(Piece { ends: [last, next] });
        last = next;
    }
}

impl Piece {
    /// Translate the segment by an offset in cells.
    pub fn moved(self, by: Place) -> Self {
        Self {
            ends: self.ends.map(|end| end.moved(by)),
        }
    }

    /// Point of the segment nearest to a position.
    pub fn nearest(&self, place: Place) -> End {
        let [from, to] = self.ends;
        let along = self.along();
        let length2 = along[0] * along[0] + along[1] * along[1];
        let way = [0, 1].map(|i| place[i] - from.place[i]);
        let t = (way[0] * along[0] + way[1] * along[1]) / length2.max(1e-12);
        from.between(to, t.clamp(0.0, 1.0))
    }

    /// Vector from the start to the end.
    pub fn along(&self) -> Place {
        let [from, to] = self.ends;
        [0, 1].map(|i| to.place[i] - from.place[i])
    }
}
