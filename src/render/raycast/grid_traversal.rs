//! Ray–heightfield intersection: single rays against the map or a clipmap level, by a two-level grid
//! traversal with maximum mipmaps (Tevs, Ihrke and Seidel 2008).

use glam::Vec3;

use super::field::{Field, Near};
use super::maximum_mipmap::{MaximumMipmap, SQUARES};
use super::viewpoint::{Ray, Sight};
use crate::util::numbers::EMPTY_RANGE;

/// Tolerance for rounding errors of rays, in cells, or as a fraction of the way through a square.
const MARGIN: f32 = 1e-3;

/// Index of the square size that rays traverse; bundles also test larger ones.
const SMALL: usize = SQUARES.len() - 1;

/// One lattice of heights.
pub(super) struct HeightGrid<'a> {
    heights: &'a [f32],
    columns: usize,
    roofs: LazyMipmap<'a>,
    /// Cells of a tile along x and z, and tiles along each side.
    cells: [usize; 2],
    tiles: usize,
    /// Position of the eye, in cells from the first sample of all tiles, and its height above heights of 0.
    eye: [f32; 2],
    above: f32,
    /// Cells per half tile.
    per: f32,
    /// Height of the eye above the ground below it, in half tiles.
    pub(super) height: f32,
    /// Horizontal distance from the eye up to which the lattice is used, in half tiles.
    level_reach: f32,
}

/// Maximum mipmap of a clipmap level, or the map's, built at the first use.
#[derive(Clone, Copy)]
enum LazyMipmap<'a> {
    Window(&'a MaximumMipmap),
    Map(&'a Field),
}

/// Result of a ray's intersection with one lattice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Hit {
    /// Hit at this distance.
    At(f32),
    /// No hit up to this distance, where the lattice ends.
    NoneBefore(f32),
}

/// A ray in cell coordinates.
#[derive(Clone, Copy)]
struct GridRay {
    start: [f32; 2],
    by: [f32; 2],
    /// Distance per cell along each axis.
    per: [f32; 2],
    /// Height of the origin above the eye, and rise per distance.
    high: f32,
    rise: f32,
}

/// Range of cells along an axis, counted over all tiles.
#[derive(Clone, Copy)]
struct Span {
    low: i32,
    high: i32,
}

impl GridRay {
    #[inline(always)]
    fn place(&self, axis: usize, away: f32) -> f32 {
        self.start[axis] + self.by[axis] * away
    }

    /// Distance at which the ray leaves a rectangle, at most `until`, and the axis it crosses.
    #[inline(always)]
    fn leave(&self, spans: [Span; 2], until: f32) -> (f32, Option<usize>) {
        let [x, z] = [self.reach(0, spans[0]), self.reach(1, spans[1])];
        if x < z && x < until {
            (x, Some(0))
        } else if z < until {
            (z, Some(1))
        } else {
            (until, None)
        }
    }

    /// Distance at which the ray leaves a span of an axis; infinite if never.
    #[inline(always)]
    fn reach(&self, axis: usize, span: Span) -> f32 {
        let by = self.by[axis];
        let border = if by > 0.0 { span.high } else { span.low };
        if by == 0.0 {
            f32::INFINITY
        } else {
            (border as f32 - self.start[axis]) * self.per[axis]
        }
    }

    /// Cell along an axis at a distance, clamped to a span.
    #[inline(always)]
    fn cell(&self, axis: usize, away: f32, span: Span) -> i32 {
        // Spans are never negative, so truncation equals rounding down.
        (self.place(axis, away) as i32).clamp(span.low, span.high - 1)
    }

    /// The next cell beyond a span, in the ray's direction.
    #[inline(always)]
    fn beyond(&self, axis: usize, span: Span) -> i32 {
        if self.by[axis] > 0.0 {
            span.high
        } else {
            span.low - 1
        }
    }
}

impl<'a> HeightGrid<'a> {
    /// The lattice of a clipmap level.
    pub(super) fn window(near: &Near<'a>) -> Self {
        Self {
            heights: near.heights,
            columns: near.samples[0],
            roofs: LazyMipmap::Window(near.roofs),
            cells: near.samples.map(|count| count - 1),
            tiles: 1,
            eye: near.eye.map(|cells| cells as f32),
            above: near.above as f32,
            per: near.spacing.recip() as f32,
            height: near.height as f32,
            level_reach: near.level_reach() as f32,
        }
    }

    /// The lattice of the map.
    pub(super) fn map(field: &'a Field, sight: &Sight) -> Self {
        let samples = field.level(0);
        let cells = samples.samples.map(|count| count - 1);
        let (eye, per) = (sight.eye, field.spacing.recip());
        let middle = cells.map(|cells| 0.5 * sight.tiles * cells as f32);
        Self {
            heights: samples.heights,
            columns: samples.samples[0],
            roofs: LazyMipmap::Map(field),
            cells,
            tiles: sight.tiles as usize,
            eye: [eye.x * per + middle[0], eye.z * per + middle[1]],
            above: eye.y,
            per,
            height: 0.0,
            level_reach: f32::INFINITY,
        }
    }

    fn roofs(&self) -> &'a MaximumMipmap {
        match self.roofs {
            LazyMipmap::Window(roofs) => roofs,
            LazyMipmap::Map(field) => field.roofs(),
        }
    }

    /// True if positions at this horizontal distance from the eye, in half tiles, belong to the next coarser
    /// ground.
    pub(super) fn is_passed(&self, level: f32) -> bool {
        level >= self.level_reach
    }

    /// Distances at which a ray enters and leaves the block of all tiles, if it hits it.
    pub(super) fn within(&self, ray: &Ray) -> Option<[f32; 2]> {
        let way = self.way(ray);
        let (mut from, mut until) = (0.0_f32, f32::INFINITY);
        for axis in 0..2 {
            let borders = [0.0, self.end(axis)].map(|border| border - way.start[axis]);
            if way.by[axis] == 0.0 {
                if borders[0] > 0.0 || borders[1] < 0.0 {
                    return None;
                }
                continue;
            }
            let [one, other] = borders.map(|border| border * way.per[axis]);
            from = from.max(one.min(other));
            until = until.min(one.max(other));
        }
        (from < until).then_some([from, until])
    }

    /// Side of a cell, in half tiles.
    pub(super) fn cell(&self) -> f32 {
        self.per.recip()
    }

    /// True if the hull of some positions, relative to the eye, may touch the ground.
    pub(super) fn may_hold(&self, places: &[Vec3; 8]) -> bool {
        /// Maximum number of squares tested along a side.
        const MOST: i32 = 4;
        let places = places.map(|place| {
            let [x, z] = self.eye;
            let cell = [x + place.x * self.per, z + place.z * self.per];
            (cell, place.y + self.above)
        });
        let mut spans = [Span { low: 0, high: 0 }; 2];
        for (axis, span) in spans.iter_mut().enumerate() {
            let along = places.iter().map(|(cell, _)| cell[axis]);
            let (low, high) =
                along.fold(EMPTY_RANGE, |(low, high), at| (low.min(at), high.max(at)));
            let (low, high, end) = (low - MARGIN, high + MARGIN, self.end(axis));
            if high < 0.0 || low > end {
                return false;
            }
            // Outside the block there is nothing.
            span.low = low.clamp(0.0, end - 1.0) as i32;
            span.high = (high.min(end).ceil() as i32).max(span.low + 1);
        }
        let lowest = places.iter().map(|(_, height)| *height);
        if lowest.fold(f32::INFINITY, f32::min) > self.roofs().highest {
            return false;
        }
        let [across, down] = spans;
        let span = (across.high - across.low).max(down.high - down.low);
        let mut sizes = (0..SQUARES.len()).rev();
        let Some(size) = sizes.find(|size| span >> SQUARES[*size] < MOST) else {
            return true;
        };
        self.squares(1, down, size).any(|(row, rows)| {
            self.squares(0, across, size).any(|(column, columns)| {
                let roof = self.roofs().of(size, [column, row]);
                places.iter().any(|([x, z], height)| {
                    let place = [x - columns.low as f32, z - rows.low as f32];
                    roof.over(place, *height) <= roof.high
                })
            })
        })
    }

    /// The squares of a size, with their cells, that a span of an axis touches.
    fn squares(&self, axis: usize, span: Span, size: usize) -> impl Iterator<Item = (usize, Span)> {
        let mut cell = span.low;
        std::iter::from_fn(move || {
            let square = (cell < span.high).then(|| self.square(axis, cell, size))?;
            cell = square.1.high;
            Some(square)
        })
    }

    fn way(&self, ray: &Ray) -> GridRay {
        let [x, z] = self.eye;
        let (from, way) = (ray.from * self.per, ray.way * self.per);
        GridRay {
            start: [x + from.x, z + from.z],
            by: [way.x, way.z],
            per: [way.x.recip(), way.z.recip()],
            high: ray.from.y,
            rise: ray.way.y,
        }
    }

    /// Intersect a ray with the lattice, from a distance on.
    pub(super) fn intersect(&self, ray: &Ray, from: f32) -> Hit {
        let place = ray.from + ray.way * from;
        if self.is_passed(place.x.hypot(place.z)) {
            return Hit::NoneBefore(from);
        }
        let way = self.way(ray);
        if way.by == [0.0; 2] {
            return self.intersect_below(&way, from);
        }
        let all = self.cells.map(|cells| Span {
            low: 0,
            high: (cells * self.tiles) as i32,
        });
        let until = self.until(ray, &way);
        let (end, _) = way.leave(all, until);
        let down = self.roofs().highest - self.above - way.high;
        if way.rise >= 0.0 && way.rise * from > down {
            // Above everything, and rising.
            return Hit::NoneBefore(end.max(from));
        }
        let above = if way.rise < 0.0 { down / way.rise } else { 0.0 };
        // Skip the part of the ray above everything.
        let first = from.max(above.min(end));
        // Rays start where their bundle came close to the ground, so larger squares would not be skipped.
        match self.traverse_squares(&way, all, first, until) {
            Some(away) => Hit::At(away),
            None => Hit::NoneBefore(end.max(from)),
        }
    }

    /// Intersect a ray that points straight down, the only kind that never leaves its cell.
    fn intersect_below(&self, way: &GridRay, from: f32) -> Hit {
        let [x, z] = [0, 1].map(|axis| (0.0..=self.end(axis)).contains(&way.start[axis]));
        if !x || !z || way.rise >= 0.0 {
            return Hit::NoneBefore(from);
        }
        let away = (self.height_at(way.start) - way.high) / way.rise;
        Hit::At(away.max(from))
    }

    /// Upper limit of the hit distance: the end of the lattice's range, or where the ray is below all
    /// heights.
    fn until(&self, ray: &Ray, way: &GridRay) -> f32 {
        let level = ray.way.x.hypot(ray.way.z);
        let used = if level > 0.0 {
            self.level_reach / level
        } else {
            f32::INFINITY
        };
        let down = self.roofs().lowest - self.above - way.high;
        let below = if way.rise < 0.0 {
            down / way.rise * 1.000_01 + f32::MIN_POSITIVE
        } else {
            f32::INFINITY
        };
        used.min(below)
    }

    /// The square of a size that contains a cell along an axis, and its cells.
    fn square(&self, axis: usize, cell: i32, size: usize) -> (usize, Span) {
        let power = SQUARES[size];
        let cells = self.cells[axis];
        let within = of_tile(cell, cells) as i32;
        let (first, square) = (cell - within, within >> power);
        let low = first + (square << power);
        let high = (low + (1 << power)).min(first + cells as i32);
        (square as usize, Span { low, high })
    }

    /// Intersect a ray with the cells within some spans, between two distances, skipping small squares.
    fn traverse_squares(
        &self,
        way: &GridRay,
        spans: [Span; 2],
        from: f32,
        until: f32,
    ) -> Option<f32> {
        let mut at = [way.cell(0, from, spans[0]), way.cell(1, from, spans[1])];
        let mut away = from;
        loop {
            let (across, down) = (self.square(0, at[0], SMALL), self.square(1, at[1], SMALL));
            let cells = [across.1, down.1];
            let (leave, axis) = way.leave(cells, until);
            let leave = leave.max(away);
            let roof = self.roofs().of(SMALL, [across.0, down.0]);
            let over = |away: f32| {
                let place = [0, 1].map(|axis| way.place(axis, away) - cells[axis].low as f32);
                roof.over(place, way.high + way.rise * away + self.above)
            };
            let (one, other) = (over(away), over(leave));
            let met = if one <= roof.high {
                self.traverse_cells(way, cells, away, leave)
            } else if other <= roof.high {
                // Start where the ray crosses below the roof, or slightly before.
                let part = (one - roof.high) / (one - other) - MARGIN;
                let start = away + part.max(0.0) * (leave - away);
                self.traverse_cells(way, cells, start, leave)
            } else {
                None
            };
            if met.is_some() {
                return met;
            }
            let axis = axis?;
            at[axis] = way.beyond(axis, cells[axis]);
            if !(spans[axis].low..spans[axis].high).contains(&at[axis]) {
                return None;
            }
            away = leave;
        }
    }

    /// Intersect a ray with the cells of a square, between two distances (a 2D DDA).
    fn traverse_cells(
        &self,
        way: &GridRay,
        square: [Span; 2],
        from: f32,
        until: f32,
    ) -> Option<f32> {
        let mut at = [way.cell(0, from, square[0]), way.cell(1, from, square[1])];
        let border = |axis: usize, at: i32| {
            let (low, high) = (at, at + 1);
            way.reach(axis, Span { low, high })
        };
        let mut borders = [border(0, at[0]), border(1, at[1])];
        let [step_x, step_z] = way.by.map(|by| if by > 0.0 { 1 } else { -1 });
        let mut away = from;
        loop {
            let along_x = borders[0] < borders[1];
            let next = if along_x { borders[0] } else { borders[1] };
            let is_last = next >= until;
            let leave = if is_last { until } else { next };
            let leave = if leave > away { leave } else { away };
            let met = self.intersect_cell(way, at, away, leave);
            if met.is_some() || is_last {
                return met;
            }
            let (axis, step) = if along_x { (0, step_x) } else { (1, step_z) };
            at[axis] += step;
            if at[axis] < square[axis].low || at[axis] >= square[axis].high {
                return None;
            }
            borders[axis] = border(axis, at[axis]);
            away = leave;
        }
    }

    /// Intersect a ray with the two triangles of a cell.
    fn intersect_cell(&self, way: &GridRay, at: [i32; 2], from: f32, until: f32) -> Option<f32> {
        let corners = self.corners(at);
        let [a, b, c, d] = corners;
        let lower = |a: f32, b: f32| if a < b { a } else { b };
        let higher = |a: f32, b: f32| if a > b { a } else { b };
        let lowest = way.high + lower(way.rise * from, way.rise * until);
        if lowest > higher(higher(a, b), higher(c, d)) - self.above {
            return None;
        }
        // The diagonal between the triangles is where both fractions are equal.
        let before = way.start[0] - at[0] as f32 - (way.start[1] - at[1] as f32);
        let diagonal = before / (way.by[1] - way.by[0]);
        let middle = if diagonal > from && diagonal < until {
            diagonal
        } else {
            until
        };
        let parts = |away: f32| {
            let [column, row] = at;
            let (x, z) = (way.place(0, away), way.place(1, away));
            [x - column as f32, z - row as f32]
        };
        let over = |away: f32, is_above: bool| {
            way.high + way.rise * away - (on(&corners, parts(away), is_above) - self.above)
        };
        let triangles = if middle < until { 2 } else { 1 };
        for (from, until) in [(from, middle), (middle, until)]
            .into_iter()
            .take(triangles)
        {
            let [u, v] = parts(0.5 * (from + until));
            let is_above = v > u;
            let (one, other) = (over(from, is_above), over(until, is_above));
            if other <= 0.0 {
                let part = if one > 0.0 { one / (one - other) } else { 0.0 };
                return Some(from + part * (until - from));
            }
        }
        None
    }

    /// Heights at the corners of a cell, row by row.
    #[inline(always)]
    fn corners(&self, at: [i32; 2]) -> [f32; 4] {
        let [across, down] = self.cells;
        let (column, row) = (of_tile(at[0], across), of_tile(at[1], down));
        let first = row * self.columns + column;
        let (north, south) = (
            &self.heights[first..],
            &self.heights[first + self.columns..],
        );
        [north[0], north[1], south[0], south[1]]
    }

    /// Distance at which `ray` meets the plane of the triangle that `other` hits at `away`.
    pub(super) fn plane_of(&self, other: &Ray, away: f32, ray: &Ray) -> f32 {
        let other = self.way(other);
        let place = [0, 1].map(|axis| other.place(axis, away));
        let (cell, [u, v]) = self.cell_of(place);
        let [a, east, south, c] = self.corners(cell);
        let [along_x, along_z] = if v > u {
            [c - south, south - a]
        } else {
            [east - a, c - east]
        };
        let way = self.way(ray);
        let [x, z] = [0, 1].map(|axis| way.start[axis] - cell[axis] as f32);
        let over = way.high - (a + along_x * x + along_z * z - self.above);
        let down = along_x * way.by[0] + along_z * way.by[1] - way.rise;
        over / down
    }

    /// Height of the ground relative to the eye, at a distance along a ray.
    pub(super) fn height(&self, ray: &Ray, away: f32) -> f32 {
        let way = self.way(ray);
        self.height_at([0, 1].map(|axis| way.place(axis, away)))
    }

    /// Last sample along an axis, over all tiles.
    fn end(&self, axis: usize) -> f32 {
        (self.cells[axis] * self.tiles) as f32
    }

    /// Height of the ground relative to the eye, at a position in cells.
    fn height_at(&self, place: [f32; 2]) -> f32 {
        let (cell, parts) = self.cell_of(place);
        on(&self.corners(cell), parts, parts[1] > parts[0]) - self.above
    }

    /// The cell of a position in cells, and the position within it.
    fn cell_of(&self, place: [f32; 2]) -> ([i32; 2], [f32; 2]) {
        let places = [0, 1].map(|axis| {
            let end = self.end(axis);
            let place = place[axis].clamp(0.0, end);
            let cell = (place as i32).min(end as i32 - 1);
            (cell, place - cell as f32)
        });
        (places.map(|(cell, _)| cell), places.map(|(_, part)| part))
    }
}

/// Index of a cell within its tile of `cells` cells.
#[inline(always)]
fn of_tile(cell: i32, cells: usize) -> usize {
    let cell = cell as usize;
    // Most cells are in the first tile, and a division is slow.
    if cell < cells { cell } else { cell % cells }
}

/// Height on one of the triangles of a cell, at the position `parts` within it.
#[inline(always)]
fn on([a, east, south, c]: &[f32; 4], [u, v]: [f32; 2], is_above: bool) -> f32 {
    let (middle, most, least) = if is_above {
        (south, v, u)
    } else {
        (east, u, v)
    };
    a + most * (middle - a) + least * (c - middle)
}
