//! Vertical error of a triangle: the largest vertical distance of any sample within it. Computed in
//! double precision.

use super::levels::{Frame, Kind, Point, Squares};
use crate::terrain::heightmap::Heightmap;
use crate::util::job::Job;
use crate::util::parallel;

/// Half size from which on a triangle is measured in parallel.
const LARGE: usize = 256;
/// Rows of a large triangle in a parallel work item.
const BAND: usize = 32;

/// Heights of a map by row and column.
#[derive(Clone, Copy)]
struct Samples<'a> {
    heights: &'a [f32],
    columns: usize,
}

impl Samples<'_> {
    #[inline(always)]
    fn at(&self, [row, column]: Point) -> f64 {
        f64::from(self.heights[row * self.columns + column])
    }
}

/// Plane through three points.
#[derive(Clone, Copy)]
struct Plane {
    through: Point,
    height: f64,
    per_row: f64,
    per_column: f64,
}

impl Plane {
    #[inline(always)]
    fn at(&self, [row, column]: Point) -> f64 {
        let rows = row as f64 - self.through[0] as f64;
        let columns = column as f64 - self.through[1] as f64;
        self.height + self.per_row * rows + self.per_column * columns
    }
}

/// Scan lines of a triangle half: first and last column move by a fixed step from row to row.
#[derive(Clone, Copy)]
struct Strip {
    row: usize,
    rows: usize,
    first: usize,
    first_step: isize,
    last: usize,
    last_step: isize,
}

impl Strip {
    /// Part of the strip from the row number `from` on.
    fn band(&self, from: usize, rows: usize) -> Self {
        let moved = |at: usize, step: isize| at.wrapping_add_signed(step * from as isize);
        Self {
            row: self.row + from,
            rows,
            first: moved(self.first, self.first_step),
            last: moved(self.last, self.last_step),
            ..*self
        }
    }
}

/// Largest distance of the heights from a line.
#[inline(always)]
fn line(heights: &[f32], start: f64, slope: f64) -> f64 {
    const LANES: usize = 8;
    let larger = |a: f64, b: f64| if a > b { a } else { b };
    let away = |height: f32, index: f64| (f64::from(height) - (start + slope * index)).abs();
    let (chunks, rest) = heights.as_chunks::<LANES>();
    let mut far = 0.0;
    if !chunks.is_empty() {
        let mut lanes = [0.0; LANES];
        for (chunk, heights) in chunks.iter().enumerate() {
            let first = (chunk * LANES) as f64;
            for lane in 0..LANES {
                lanes[lane] = larger(away(heights[lane], first + lane as f64), lanes[lane]);
            }
        }
        far = lanes.into_iter().fold(far, larger);
    }
    let first = (heights.len() - rest.len()) as f64;
    let rest = rest.iter().enumerate();
    rest.fold(far, |far, (index, height)| {
        larger(away(*height, first + index as f64), far)
    })
}

#[inline(always)]
fn strip(samples: Samples<'_>, strip: Strip, plane: Plane) -> f64 {
    let (mut first, mut last) = (strip.first, strip.last);
    let mut far = 0.0f64;
    for row in strip.row..strip.row + strip.rows {
        let heights = &samples.heights[row * samples.columns..][first..=last];
        let found = line(heights, plane.at([row, first]), plane.per_column);
        far = if found > far { found } else { far };
        first = first.wrapping_add_signed(strip.first_step);
        last = last.wrapping_add_signed(strip.last_step);
    }
    far
}

vectorized! {
    fn band(heights: &[f32], columns: usize, part: Strip, plane: Plane) -> f64 {
        strip(Samples { heights, columns }, part, plane)
    }
}

/// Largest distance within a large strip, measured in parallel. The maximum does not depend on the order.
/// Ends early if the job is cancelled.
fn large(samples: Samples<'_>, part: Strip, plane: Plane, job: &Job) -> f64 {
    let bands = parallel::par_items((0..part.rows).step_by(BAND)).map(|_, from| {
        if job.is_cancelled() {
            return 0.0;
        }
        let part = part.band(from, BAND.min(part.rows - from));
        band(samples.heights, samples.columns, part, plane)
    });
    bands.into_iter().fold(0.0, f64::max)
}

/// Strips and planes of the triangles that a vertex bisects; all lie within the map.
#[inline(always)]
fn strips(
    samples: Samples<'_>,
    squares: &Squares,
    kind: Kind,
    place: [usize; 2],
    mut each: impl FnMut(Strip, Plane),
) {
    let h = squares.half;
    let [r, c] = squares.position(kind, place);
    let (wide, narrow) = (1.0 / (2 * h) as f64, 1.0 / h as f64);
    let part = |row, rows, first, first_step, last, last_step| Strip {
        row,
        rows,
        first,
        first_step,
        last,
        last_step,
    };
    match kind {
        Kind::Centre => {
            let (north, west, south, east) = (r - h, c - h, r + h, c + h);
            let nw = samples.at([north, west]);
            let ne = samples.at([north, east]);
            let sw = samples.at([south, west]);
            let se = samples.at([south, east]);
            let plane = |through, height, down: f64, along: f64| Plane {
                through,
                height,
                per_row: down * wide,
                per_column: along * wide,
            };
            let rows = 2 * h + 1;
            if (place[0] + place[1]).is_multiple_of(2) {
                let (at, height) = ([north, west], nw);
                each(
                    part(north, rows, west, 0, west, 1),
                    plane(at, height, sw - nw, se - sw),
                );
                each(
                    part(north, rows, west, 1, east, 0),
                    plane(at, height, se - ne, ne - nw),
                );
            } else {
                let at = [north, west];
                each(
                    part(north, rows, west, 0, east, -1),
                    plane(at, nw, sw - nw, ne - nw),
                );
                let at = [south, east];
                each(
                    part(north, rows, east, -1, east, 0),
                    plane(at, se, se - ne, se - sw),
                );
            }
        }
        Kind::Across => {
            let (west, east) = (samples.at([r, c - h]), samples.at([r, c + h]));
            let (along, middle) = ((east - west) * wide, (west + east) * 0.5);
            let plane = |per_row| Plane {
                through: [r, c - h],
                height: west,
                per_row,
                per_column: along,
            };
            if place[0] > 0 {
                let up = plane((middle - samples.at([r - h, c])) * narrow);
                each(part(r - h, h + 1, c, -1, c, 1), up);
            }
            if place[0] < squares.rows {
                let down = plane((samples.at([r + h, c]) - middle) * narrow);
                each(part(r, h + 1, c - h, 1, c + h, -1), down);
            }
        }
        Kind::Down => {
            let (north, south) = (samples.at([r - h, c]), samples.at([r + h, c]));
            let (down, middle) = ((south - north) * wide, (north + south) * 0.5);
            let plane = |per_column| Plane {
                through: [r - h, c],
                height: north,
                per_row: down,
                per_column,
            };
            if place[1] > 0 {
                let left = plane((middle - samples.at([r, c - h])) * narrow);
                each(part(r - h, h, c, -1, c, 0), left);
                each(part(r, h + 1, c - h, 1, c, 0), left);
            }
            if place[1] < squares.columns {
                let right = plane((samples.at([r, c + h]) - middle) * narrow);
                each(part(r - h, h, c, 0, c, 1), right);
                each(part(r, h + 1, c, 0, c + h, -1), right);
            }
        }
    }
}

/// Compute for each vertex of a row the largest distance of a sample from the triangles that it bisects.
/// In triangles around a single sample only that sample counts.
pub fn row(
    map: &Heightmap,
    frame: &Frame,
    squares: &Squares,
    (kind, row): (Kind, usize),
    out: &mut [f32],
    job: &Job,
) {
    let inside = inside(frame, squares, kind, row).min(out.len());
    let (inner, outer) = out.split_at_mut(inside);
    let (heights, columns) = (map.heights(), map.columns());
    match squares.half {
        1 => smallest(heights, columns, squares, kind, row, inner),
        LARGE.. => {
            let samples = Samples { heights, columns };
            for (column, out) in inner.iter_mut().enumerate() {
                let mut far = 0.0f64;
                strips(samples, squares, kind, [row, column], |part, plane| {
                    far = far.max(large(samples, part, plane, job));
                });
                *out = rounded_up(far);
            }
        }
        _ => small(heights, columns, squares, kind, row, inner),
    }
    for (column, out) in outer.iter_mut().enumerate() {
        let halved = squares.halved(kind, [row, inside + column]);
        let seen = halved.iter().flatten().filter(|t| !frame.is_beyond(t));
        let far = seen.map(|triangle| any(map, triangle.map(|at| frame.within(at))));
        *out = rounded_up(far.fold(0.0, f64::max));
    }
}

/// Number of vertices of a row, from the west, whose triangles all lie within the map.
fn inside(frame: &Frame, squares: &Squares, kind: Kind, row: usize) -> usize {
    let h = squares.half;
    let [last_row, last_column] = frame.last;
    let [r, c] = squares.position(kind, [row, 0]);
    let on_the_south = kind == Kind::Across && r == last_row;
    if (r + h > last_row && !on_the_south) || c + h > last_column {
        return 0;
    }
    let on_the_east = kind == Kind::Down && last_column.is_multiple_of(2 * h);
    (last_column - c - h) / (2 * h) + 1 + usize::from(on_the_east)
}

vectorized! {
    fn small(
        heights: &[f32],
        columns: usize,
        squares: &Squares,
        kind: Kind,
        row: usize,
        out: &mut [f32],
    ) {
        let samples = Samples { heights, columns };
        for (column, out) in out.iter_mut().enumerate() {
            let mut far = 0.0f64;
            strips(samples, squares, kind, [row, column], |part, plane| {
                let found = strip(samples, part, plane);
                far = if found > far { found } else { far };
            });
            *out = rounded_up(far);
        }
    }

    /// Compute the distances for triangles around a single sample, the vertex itself. The samples on the
    /// other sides of a centre's triangles are vertices that depend on it, so they are already included.
    fn smallest(
        heights: &[f32],
        columns: usize,
        squares: &Squares,
        kind: Kind,
        row: usize,
        out: &mut [f32],
    ) {
        let samples = Samples { heights, columns };
        for (column, out) in out.iter_mut().enumerate() {
            let [r, c] = squares.position(kind, [row, column]);
            let ends = match kind {
                Kind::Across => [[r, c - 1], [r, c + 1]],
                Kind::Down => [[r - 1, c], [r + 1, c]],
                Kind::Centre if (row + column).is_multiple_of(2) => [[r - 1, c - 1], [r + 1, c + 1]],
                Kind::Centre => [[r - 1, c + 1], [r + 1, c - 1]],
            };
            let middle = (samples.at(ends[0]) + samples.at(ends[1])) * 0.5;
            *out = rounded_up((samples.at([r, c]) - middle).abs());
        }
    }
}

/// Largest distance of a sample within an arbitrary triangle of samples.
fn any(map: &Heightmap, [a, b, c]: [Point; 3]) -> f64 {
    let height = |at: Point| f64::from(map.at(at[0], at[1]));
    let from_a = |at: Point| {
        let along = at[1] as f64 - a[1] as f64;
        (at[0] as f64 - a[0] as f64, along, height(at) - height(a))
    };
    let (b_down, b_along, b_up) = from_a(b);
    let (c_down, c_along, c_up) = from_a(c);
    let area = b_along * c_down - c_along * b_down;
    let plane = Plane {
        through: a,
        height: height(a),
        per_row: (b_along * c_up - c_along * b_up) / area,
        per_column: (b_up * c_down - c_up * b_down) / area,
    };
    let sides = [[a, b], [b, c], [c, a]].map(|[a, b]| if a[0] <= b[0] { [a, b] } else { [b, a] });
    // Range of columns between the sides, with each crossing rounded inwards.
    let of_row = |row: usize| {
        let (mut first, mut last) = (usize::MAX, 0);
        for [from, to] in sides {
            if row < from[0] || row > to[0] {
                continue;
            }
            let (low, high) = if from[0] == to[0] {
                (from[1].min(to[1]), from[1].max(to[1]))
            } else {
                let down = (to[0] - from[0]) as i64;
                let along = (to[1] as i64 - from[1] as i64) * (row - from[0]) as i64;
                let floor = from[1] as i64 + along.div_euclid(down);
                let ceiling = floor + i64::from(along.rem_euclid(down) > 0);
                (ceiling as usize, floor as usize)
            };
            (first, last) = (first.min(low), last.max(high));
        }
        if first > last {
            return 0.0;
        }
        let heights = &map.row(row)[first..=last];
        line(heights, plane.at([row, first]), plane.per_column)
    };
    let (first, end) = (a[0].min(b[0]).min(c[0]), a[0].max(b[0]).max(c[0]) + 1);
    let bands = parallel::par_items((first..end).step_by(64)).map(|_, from| {
        let rows = from..end.min(from + 64);
        rows.map(of_row).fold(0.0, f64::max)
    });
    bands.into_iter().fold(0.0, f64::max)
}

/// Nearest 32-bit float that is not smaller.
#[inline(always)]
fn rounded_up(number: f64) -> f32 {
    let single = number as f32;
    if f64::from(single) < number {
        single.next_up()
    } else {
        single
    }
}
