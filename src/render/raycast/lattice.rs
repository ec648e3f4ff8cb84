//! Heights of the ground along vertical slices, vectorized over sixteen of them.

use super::ways::Ways;
use super::{LANES, Lanes};

/// One mipmap level of the map, with the axis of the lines first.
pub(super) struct Lattice<'a> {
    pub(super) heights: &'a [f32],
    /// Array stride between adjacent samples.
    pub(super) stride: [usize; 2],
    /// Cells of a tile.
    pub(super) cells: [f32; 2],
    /// Index of the last tile.
    pub(super) last_tile: f32,
    pub(super) eye: f32,
}

vectorized! {
    /// Distances of the profile's kinks between two lines, sorted; missing ones are at the end.
    pub(super) fn kinks(lattice: &Lattice<'_>, ways: &Ways, from: &Lanes, to: &Lanes) -> [Lanes; 3] {
        let cells = lattice.cells;
        let mut all = [[0.0; LANES]; 3];
        for lane in 0..LANES {
            let (near, far) = (from[lane], to[lane]);
            let (u, by_u) = (ways.start[0] * cells[0], ways.by[0][lane] * cells[0]);
            let (v, by_v) = (ways.start[1] * cells[1], ways.by[1][lane] * cells[1]);
            // Lines of the other axis lie at integer v, diagonals at integer u − v.
            let (w, by_w) = (u - v, by_u - by_v);
            let lowest = |at: f32, by: f32| {
                let (one, other) = (at + by * near, at + by * far);
                if one < other { one.floor() } else { other.floor() }
            };
            let (low_v, low_w) = (lowest(v, by_v), lowest(w, by_w));
            let within = |at: f32| if at > near && at < far { at } else { far };
            let a = within((low_v + 1.0 - v) / by_v);
            let b = within((low_w + 1.0 - w) / by_w);
            let c = within((low_w + 2.0 - w) / by_w);
            let (b, c) = if b < c { (b, c) } else { (c, b) };
            let (a, b) = if a < b { (a, b) } else { (b, a) };
            let (b, c) = if b < c { (b, c) } else { (c, b) };
            (all[0][lane], all[1][lane], all[2][lane]) = (a, b, c);
        }
        all
    }

    /// Heights on a line relative to the eye, and an upper bound of the adjacent cells. The line is counted
    /// over all tiles. The bound is over the samples that diagonals of the cells on both sides reach: two if
    /// slices rise along both axes or fall along both, else four.
    pub(super) fn heights_on(
        lattice: &Lattice<'_>,
        ways: &Ways,
        line: usize,
        ahead: &Lanes,
        rises: bool,
    ) -> (Lanes, Lanes) {
        let cells = lattice.cells[0] as usize;
        let tile = (line / cells).min(lattice.last_tile as usize);
        let heights = &lattice.heights[(line - tile * cells) * lattice.stride[0]..];
        let (mut first, mut part) = ([0; LANES], [0.0; LANES]);
        for lane in 0..LANES {
            let place = ways.start[1] + ways.by[1][lane] * ahead[lane];
            let (cell, within) = cell(place, lattice.cells[1], lattice.last_tile);
            (first[lane], part[lane]) = (cell as u32, within);
        }
        let (mut here, mut beside) = ([0.0; LANES], [0.0; LANES]);
        for lane in 0..LANES {
            let at = first[lane] as usize * lattice.stride[1];
            (here[lane], beside[lane]) = (heights[at], heights[at + lattice.stride[1]]);
        }
        let mut roof = [0.0; LANES];
        for lane in 0..LANES {
            let (a, b) = (here[lane], beside[lane]);
            roof[lane] = if a > b { a } else { b } - lattice.eye;
            here[lane] = a + part[lane] * (b - a) - lattice.eye;
        }
        if !rises {
            let (cells, stride) = (lattice.cells[1] as usize, lattice.stride[1]);
            for lane in 0..LANES {
                let cell = first[lane] as usize;
                // Tiles repeat at their ends.
                let before = if cell > 0 { cell - 1 } else { cells - 1 };
                let after = if cell + 2 > cells { 1 } else { cell + 2 };
                let (a, b) = (heights[before * stride], heights[after * stride]);
                let more = if a > b { a } else { b } - lattice.eye;
                roof[lane] = if more > roof[lane] { more } else { roof[lane] };
            }
        }
        (here, roof)
    }

    /// Heights relative to the eye between a line and the next.
    pub(super) fn heights_between(lattice: &Lattice<'_>, ways: &Ways, line: usize, ahead: &Lanes) -> Lanes {
        let [along, across] = lattice.stride;
        let cells = lattice.cells[0] as usize;
        let tile = (line / cells).min(lattice.last_tile as usize);
        let line = (line - tile * cells).min(cells - 1);
        let (tile, before) = (tile as f32, line as f32);
        let heights = &lattice.heights[line * along..];
        let (mut first, mut parts) = ([0; LANES], [[0.0; LANES]; 2]);
        for lane in 0..LANES {
            let place = ways.start[0] + ways.by[0][lane] * ahead[lane];
            let part = (place - tile) * lattice.cells[0] - before;
            let part = if part > 0.0 { part } else { 0.0 };
            parts[0][lane] = if part < 1.0 { part } else { 1.0 };
            let place = ways.start[1] + ways.by[1][lane] * ahead[lane];
            let (cell, within) = cell(place, lattice.cells[1], lattice.last_tile);
            (first[lane], parts[1][lane]) = (cell as u32, within);
        }
        let first = first.map(|cell| cell as usize * across);
        on_triangles(heights, lattice, &first, &parts)
    }

    /// Heights relative to the eye, anywhere.
    pub(super) fn heights(lattice: &Lattice<'_>, ways: &Ways, ahead: &Lanes) -> Lanes {
        let [along, across] = lattice.stride;
        let mut first = [[0; LANES]; 2];
        let mut parts = [[0.0; LANES]; 2];
        for axis in 0..2 {
            for lane in 0..LANES {
                let place = ways.start[axis] + ways.by[axis][lane] * ahead[lane];
                let (cell, within) = cell(place, lattice.cells[axis], lattice.last_tile);
                (first[axis][lane], parts[axis][lane]) = (cell as u32, within);
            }
        }
        let first = std::array::from_fn(|lane| {
            first[0][lane] as usize * along + first[1][lane] as usize * across
        });
        on_triangles(lattice.heights, lattice, &first, &parts)
    }
}

/// The cell of a position in tiles of `cells` cells, and the position within the cell.
#[inline(always)]
fn cell(place: f32, cells: f32, last_tile: f32) -> (f32, f32) {
    // Comparisons instead of `clamp` and `min`, which are slower in a loop over lanes.
    let tile = place.floor();
    let tile = if tile < last_tile { tile } else { last_tile };
    let tile = if tile > 0.0 { tile } else { 0.0 };
    let at = (place - tile) * cells;
    let at = if at > 0.0 { at } else { 0.0 };
    let at = if at < cells { at } else { cells };
    let whole = at.floor();
    let whole = if whole < cells - 1.0 {
        whole
    } else {
        cells - 1.0
    };
    (whole, at - whole)
}

/// Interpolate heights relative to the eye on the triangles of cells, given the indices of their first
/// samples.
#[inline(always)]
fn on_triangles(
    samples: &[f32],
    lattice: &Lattice<'_>,
    first: &[usize; LANES],
    parts: &[Lanes; 2],
) -> Lanes {
    let [along, across] = lattice.stride;
    // The first, the middle and the last corner of a triangle.
    let mut corners = [[0.0; LANES]; 3];
    for (lane, at) in first.iter().enumerate() {
        let is_above = parts[1][lane] > parts[0][lane];
        let middle = if is_above { at + across } else { at + along };
        corners[0][lane] = samples[*at];
        corners[1][lane] = samples[middle];
        corners[2][lane] = samples[at + along + across];
    }
    let mut height = [0.0; LANES];
    for lane in 0..LANES {
        let (u, v) = (parts[0][lane], parts[1][lane]);
        let (most, least) = if v > u { (v, u) } else { (u, v) };
        let [a, b, c] = [corners[0][lane], corners[1][lane], corners[2][lane]];
        height[lane] = a + most * (b - a) + least * (c - b) - lattice.eye;
    }
    height
}
