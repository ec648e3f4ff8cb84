//! Rivers and lakes for rendering, at a finer resolution than the samples of the map.
//!
//! Rivers are the flow paths with a large enough drainage area. Their centrelines are smooth curves through
//! the cells. A nearest-river field stores the nearest point of a centreline for each sample near
//! one, so that banks are sharp at any size of the picture ([`Rivers::part`], and
//! `shaders/common/rivers.glsl`, which does the same). Lakes stand in depressions with a river, up to their
//! outlets.
//! The same map gives the same bytes on any number of threads.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use crate::terrain::drainage::Drainage;
use crate::terrain::drainage::flow::Shape;
use crate::terrain::grid::Grid;
use crate::terrain::heightmap::{Heightmap, Heights};
use crate::util::job::{Cancelled, Job};
use crate::util::numbers::{smoothstep, thinning};
use crate::util::parallel;

/// Largest number of samples a side; rivers of larger maps are computed on every second, fourth … sample.
pub const MOST_SAMPLES: usize = 4097;

/// Memory of [`Rivers::of`] in bytes a sample, besides the map, most of it only while it runs.
pub const BYTES_A_SAMPLE: u64 = 48;

/// Number of rows per parallel task.
const ROWS: usize = 16;

/// Distance beyond its banks up to which a river is stored, in cells.
const BESIDE: f32 = 1.75;

/// Tangent of the slope of banks, where a river has cut into its valley.
const BANK: f32 = 0.7;

/// Lake depth far from any lake, in half tiles.
const DRY: f32 = -1.0;

/// Parameters of rivers: where they start, and their width.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    /// Drainage area from which a river starts, as a share of the land, 0…1.
    pub springs: f32,
    /// Width of a river that drains the whole land, in half tiles, 0 and up. The width of a river is
    /// proportional to the square root of its drainage area.
    pub width: f32,
}

/// Rivers and lakes of one map. Grids have a cell for each sample of the map, or of the map decimated to
/// [`MOST_SAMPLES`].
#[derive(Clone, Debug, PartialEq)]
pub struct Rivers {
    /// Heights of the ground with the water on it, in half tiles: wide rivers are level from bank to bank,
    /// and lakes are level.
    pub surface: Arc<Heightmap>,
    /// Size of a cell relative to the tile's side, eastwards and southwards.
    pub cell: [f32; 2],
    /// Nearest-river field: the offset to the nearest point of a centreline, east and south, and the
    /// direction downstream there times half the width. The unit is 1 / 32767 of [`Rivers::reach`]; without
    /// a river nearby all are 0.
    pub nearest: Grid<[i16; 4]>,
    /// Full scale of [`Rivers::nearest`], in cells.
    pub reach: f32,
    /// Depth of the lake at each sample, in half tiles. Next to a lake it is negative, the height of the
    /// water relative to the ground; elsewhere it is −1.
    pub lakes: Grid<f32>,
    /// Water coverage of each sample's cell, from 0 to 255; and 255 if there is water within a cell or two,
    /// else 0.
    pub part: Grid<[u8; 2]>,
}

impl Rivers {
    /// Compute the rivers and lakes of `map`, which flow to the height `sea` if there is one; see
    /// [`Drainage::of`].
    ///
    /// Cost: that of [`Drainage::of`] and about 30 ns a sample on one thread; 45 bytes a sample while it
    /// is made, 17 afterwards.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn of(
        map: &Heightmap,
        sea: Option<f32>,
        rule: &Rule,
        job: &Job,
    ) -> Result<Self, Cancelled> {
        let drainage = Arc::new(Drainage::of(&shown(map), sea, job)?);
        Self::drained(map, drainage, sea, rule, job)
    }

    /// Compute the rivers and lakes from an existing drainage of [`shown`] of `map`, and `sea`. `drainage` is
    /// dropped as soon as the flow paths are traced. Cost: that of [`Rivers::of`] without the drainage.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn drained(
        map: &Heightmap,
        drainage: Arc<Drainage>,
        sea: Option<f32>,
        rule: &Rule,
        job: &Job,
    ) -> Result<Self, Cancelled> {
        let step = thinning(map.rows().max(map.columns()), MOST_SAMPLES);
        let cell = [map.columns(), map.rows()];
        let cell = cell.map(|count| step as f32 / (count - 1).max(1) as f32);
        let map = &*shown(map);
        let least_area = least_area(&drainage, rule);
        // Without a sea, land below the base level of erosion counts as lake.
        let ends = map.base().filter(|_| sea.is_none());
        let lakes = depths(map, &drainage, ends, least_area, job)?;
        let courses = Courses::of(map, &drainage, rule, least_area, job)?;
        let shape = drainage.shape();
        drop(drainage);
        let reach = courses.widest + BESIDE;
        let (rows, columns) = (map.rows(), map.columns());
        let mut heights = Heights::from(map.heights().to_vec());
        let mut nearest = Grid::filled(rows, columns, [0; 4]);
        let bands = heights.chunks_mut(ROWS * columns);
        let bands = bands.zip(nearest.as_mut_slice().chunks_mut(ROWS * columns));
        parallel::par_items(bands).for_each_in(job, |band, (heights, nearest)| {
            let first = band * ROWS;
            let count = heights.len() / columns;
            // The last row of a map that wraps repeats its first.
            let known = first..(first + count).min(shape.rows);
            let mut near = of_rows(&courses, shape, known.clone(), BESIDE);
            if known.len() < count {
                near.extend(of_rows(&courses, shape, 0..1, BESIDE));
            }
            for (index, (height, packed)) in heights.iter_mut().zip(nearest).enumerate() {
                let (row, column) = (index / columns, index % columns);
                let near = &near[row * shape.columns + column % shape.columns];
                let lake = lakes.at(first + row, column);
                *height = surface(*height, map.spacing(), near, lake);
                *packed = near.packed(reach);
            }
        })?;
        let mut rivers = Self {
            surface: Arc::new(Heightmap::new(rows, columns, map.wraps(), heights)),
            cell,
            nearest,
            reach,
            lakes,
            part: Grid::filled(rows, columns, [0; 2]),
        };
        rivers.part = rivers.parts(job)?;
        Ok(rivers)
    }
}

/// Map whose rivers are shown: the map itself, or decimated to [`MOST_SAMPLES`] a side.
#[must_use]
pub fn shown(map: &Heightmap) -> Cow<'_, Heightmap> {
    if map.rows().max(map.columns()) > MOST_SAMPLES {
        Cow::Owned(map.thinned(MOST_SAMPLES))
    } else {
        Cow::Borrowed(map)
    }
}

/// Drainage area in cells from which a river starts.
fn least_area(drainage: &Drainage, rule: &Rule) -> u32 {
    const FEWEST: f32 = 4.0;
    (rule.springs * drainage.cells() as f32).max(FEWEST) as u32
}

/// Height of the water at a sample or, without water, of the ground: lakes are level, and so are rivers,
/// whose banks rise to the ground around.
fn surface(ground: f32, spacing: f32, near: &Near, lake: f32) -> f32 {
    if lake > 0.0 {
        return ground + lake;
    }
    if near.beside > BESIDE {
        return ground;
    }
    let bank = near.level + near.beside.max(0.0) * spacing * BANK;
    let part = 1.0 - smoothstep(near.beside / BESIDE);
    ground + (bank.min(ground) - ground) * part
}

// River centrelines: quadratic splines through the cells of rivers, as short straight segments.
//
// A river enters a cell in the middle between it and its donor, leaves it in the middle between it and its
// receiver, and has the cell's position as control point. Where two rivers meet, the lesser one ends on the
// centreline of the greater one and in its direction.

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
type Place = [f32; 2];

/// Segment of a centreline, with the river's width and height at both ends.
#[derive(Clone, Copy, Debug)]
struct Piece {
    pub ends: [End; 2],
}

/// End of a segment.
#[derive(Clone, Copy, Debug)]
struct End {
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
struct Courses {
    /// Segments by the row of the cell in which they bend.
    rows: Vec<Vec<Piece>>,
    /// Half the width of the widest river, in cells.
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
        parallel::par_items(&mut rows).for_each_in(job, |row, out| {
            let first = network.cells.partition_point(|cell| *cell < row * columns);
            let cells = network.cells[first..].iter();
            for cell in cells.take_while(|cell| **cell < (row + 1) * columns) {
                network.bend(*cell, out);
            }
        })?;
        let ends = rows.iter().flatten().flat_map(|piece| piece.ends);
        let widest = ends.map(|end| end.half_width).fold(0.0, f32::max);
        Ok(Self { rows, widest })
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

// Nearest-river field: the nearest centreline point, its width and direction for each cell near a river.

/// Full scale of the 16-bit numbers of the field.
const MOST: f32 = 32767.0;

/// Nearest river of a cell, if one is near enough.
#[derive(Clone, Copy, Debug)]
struct Near {
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
fn of_rows(courses: &Courses, shape: Shape, rows: Range<usize>, beside: f32) -> Vec<Near> {
    let mut near = vec![Near::NONE; rows.len() * shape.columns];
    let count = shape.rows as isize;
    // A bend extends up to a cell and a half from its own cell.
    let around = (courses.widest + beside) as isize + 3;
    let first = rows.start as isize - around;
    let last = rows.end as isize + around;
    for row in first..last {
        let turns = row.div_euclid(count);
        if turns != 0 && !shape.wraps {
            continue;
        }
        for piece in &courses.rows[row.rem_euclid(count) as usize] {
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

// Water coverage of a square of any size. `shaders/common/rivers.glsl` does the same.

/// Softening of the inverse-distance weights of several rivers, in cells²; smaller is sharper.
pub(crate) const NEAREST: f32 = 0.05;
/// Number of lake samples along a side of a cell.
const PLACES: usize = 4;

impl Rivers {
    /// Water coverage, 0…1, of a square of `side` cells around a position in cells east and south of the
    /// first sample. The side should be at most about a cell: water smaller than a cell and beyond the next
    /// samples is not found.
    #[must_use]
    pub fn part_at(&self, east: f32, south: f32, side: f32) -> f32 {
        let (rows, columns) = (self.lakes.rows(), self.lakes.columns());
        let place = |at: f32, count: usize| {
            let at = at.clamp(0.0, (count - 1) as f32);
            let before = (at as usize).min(count.saturating_sub(2));
            (before, at - before as f32)
        };
        let ((column, u), (row, v)) = (place(east, columns), place(south, rows));
        let corners: [_; 4] = std::array::from_fn(|index| {
            let (down, along) = (index / 2, index % 2);
            let at = |axis: usize, more: usize, count: usize| (axis + more).min(count - 1);
            let weight = [1.0 - u, u][along] * [1.0 - v, v][down];
            let sample = (at(row, down, rows), at(column, along, columns));
            (weight, sample, [u - along as f32, v - down as f32])
        });
        let [nw, ne, sw, se] = corners.map(|(_, (row, column), _)| self.lakes.at(row, column));
        let mix = |a: f32, b: f32, t: f32| a + (b - a) * t;
        let (north, south) = (mix(nw, ne, u), mix(sw, se, u));
        let rise = [mix(ne - nw, se - sw, v), south - north];
        let steep = (rise[0] * rise[0] + rise[1] * rise[1]).sqrt();
        let lake = 0.5 + mix(north, south, v) / (steep * side).max(1e-9);

        let (mut sum, mut away, mut half_width) = (0.0, 0.0, 0.0);
        for (weight, (row, column), off) in corners {
            let near = self.nearest.at(row, column);
            let [x, z, along, down] = near.map(|v| f32::from(v) * (self.reach / MOST));
            let half = (along * along + down * down).sqrt();
            if half > 0.0 {
                let [x, z] = [off[0] - x, off[1] - z];
                let counts = weight / (x * x + z * z + NEAREST);
                sum += counts;
                away += counts * (x * down - z * along).abs() / half;
                half_width += counts * half;
            }
        }
        let river = match sum {
            0.0 => 0.0,
            _ => overlap(away / sum, half_width / sum, side),
        };
        river.max(lake.clamp(0.0, 1.0))
    }

    /// Compute [`Rivers::part`] for every sample.
    fn parts(&self, job: &Job) -> Result<Grid<[u8; 2]>, Cancelled> {
        let (rows, columns) = (self.lakes.rows(), self.lakes.columns());
        let knows = |row: usize, column: usize| {
            self.nearest.at(row, column) != [0; 4] || self.lakes.at(row, column) != DRY
        };
        let mut parts = Grid::filled(rows, columns, [0; 2]);
        let lines = parallel::par_items(parts.as_mut_slice().chunks_mut(columns));
        lines.at_least(8).for_each_in(job, |row, parts| {
            let around = |at: usize, count: usize| at.saturating_sub(1)..=(at + 1).min(count - 1);
            for (column, part) in parts.iter_mut().enumerate() {
                let mut beside = around(row, rows)
                    .flat_map(|row| around(column, columns).map(move |column| (row, column)));
                if beside.any(|(row, column)| knows(row, column)) {
                    part[1] = 255;
                }
                if knows(row, column) {
                    part[0] = self.part_of(row, column);
                }
            }
        })?;
        Ok(parts)
    }

    /// Water coverage of a sample's cell, from 0 to 255.
    fn part_of(&self, row: usize, column: usize) -> u8 {
        let mut sum = 0.0;
        for index in 0..PLACES * PLACES {
            let off = |index: usize| (index as f32 + 0.5) / PLACES as f32 - 0.5;
            let east = column as f32 + off(index % PLACES);
            let south = row as f32 + off(index / PLACES);
            sum += self.part_at(east, south, 1.0 / PLACES as f32);
        }
        (sum / (PLACES * PLACES) as f32 * 255.0 + 0.5) as u8
    }
}

/// Share of an interval of `side` around a position that lies between the banks, `away` from the centreline.
fn overlap(away: f32, half_width: f32, side: f32) -> f32 {
    let half = 0.5 * side;
    let covered = (away + half).min(half_width) - (away - half).max(-half_width);
    (covered / side).clamp(0.0, 1.0)
}

// Lakes of a map: depressions with a river, filled up to their outlets.

/// Depth of the lake at each sample, in half tiles: negative on land next to a lake, [`DRY`] elsewhere. A
/// lake is a depression with a drainage area of at least `least_area` cells, and all land below `ends`, the
/// base level of the rivers.
fn depths(
    map: &Heightmap,
    drainage: &Drainage,
    ends: Option<f32>,
    least_area: u32,
    job: &Job,
) -> Result<Grid<f32>, Cancelled> {
    let drains = drains(drainage, job)?;
    let ends = ends.unwrap_or(f32::NEG_INFINITY);
    let depth = |cell: usize| {
        let ground = drainage.height(map, cell);
        let through = drains[cell];
        match drainage.depth(cell) {
            _ if ground < ends => Some(ends - ground),
            deep if deep > 0.0 && through >= least_area => Some(deep),
            _ => None,
        }
    };
    let (rows, columns) = (map.rows(), map.columns());
    let mut depths = Grid::filled(rows, columns, DRY);
    let out = parallel::par_items(depths.as_mut_slice().chunks_mut(columns));
    out.at_least(8).for_each_in(job, |row, out| {
        for (column, out) in out.iter_mut().enumerate() {
            let cell = drainage.cell(row, column);
            if let Some(deep) = depth(cell) {
                *out = deep;
                continue;
            }
            // Next to several lakes the highest one counts.
            drainage.each_beside(cell, |beside| {
                if let Some(deep) = depth(beside) {
                    let level = drainage.height(map, beside) + deep;
                    *out = out.max((level - map.at(row, column)).min(0.0)).max(DRY);
                }
            });
        }
    })?;
    Ok(depths)
}

/// Drainage area of the lake at each cell, 0 outside lakes.
fn drains(drainage: &Drainage, job: &Job) -> Result<Vec<u32>, Cancelled> {
    drainage.upstream(job, |cell, below| {
        match below {
            // The same lake continues upstream.
            Some(below) if below > 0 && drainage.depth(cell) > 0.0 => below,
            _ if drainage.depth(cell) > 0.0 => drainage.area(cell),
            _ => 0,
        }
    })
}
