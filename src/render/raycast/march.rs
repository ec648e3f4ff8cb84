//! Front-to-back traversal of sixteen vertical slices side by side, from grid line to grid line.
//!
//! The lines belong to the axis along which the slices advance faster. Between two lines a profile has at
//! most three kinks: where it crosses a line of the other axis, or a diagonal between two triangles.

use crate::render::raycast::field::{Field, Near, Samples};
use crate::render::raycast::viewpoint::Sight;
use crate::render::raycast::{LANES, Lanes, STRIP};

/// Start of the traversal in a clipmap level, in cells ahead.
const NEAREST_IN_CELLS: f64 = 0.01;
/// Size in pixels up to which a coarser cell may replace finer ones, at detail 1.
const FINEST: f32 = 0.5;
/// Size of a cell in pixels above which edges are visibly jagged, unless found exactly.
const LARGE: f32 = 2.0;
/// Number of samples of a map so small that all edges are found exactly.
const FEW: usize = 33 * 33;

/// The vertical slices of a picture.
pub(super) struct Slices<'a> {
    field: &'a Field,
    /// Clipmap levels around the eye, the finest first.
    near: &'a [Near<'a>],
    sight: &'a Sight,
    /// Distance ahead at which a cell of the finest level is as large as a pixel.
    as_large: f32,
}

/// One ground along sixteen slices.
struct Crossing<'a> {
    ways: Ways,
    lattice: Lattice<'a>,
    /// Distance ahead up to which the ground is used.
    until: Lanes,
}

/// State of the traversal.
struct Walk<'a> {
    sight: &'a Sight,
    out: &'a mut [f32],
    /// Distance ahead, and the height of the ground there relative to the eye.
    ahead: Lanes,
    height: Lanes,
    /// Upper bound: nothing between this line and the next is above the higher of both lines' roofs.
    roof: Lanes,
    /// The lowest row without ground, the slope of its rays, and the row after the last.
    row: [usize; LANES],
    rise: Lanes,
    end: [usize; LANES],
    /// Bit mask of the slices that are not finished.
    open: u32,
}

impl<'a> Slices<'a> {
    pub(super) fn new(field: &'a Field, near: &'a [Near<'a>], sight: &'a Sight) -> Self {
        Self {
            field,
            near,
            sight,
            as_large: field.spacing / sight.pixel,
        }
    }

    /// Distance ahead up to which edges between slices are found exactly: where cells are larger than pixels,
    /// or everywhere on a small map.
    pub(super) fn exact_until(&self) -> f32 {
        let spacing = match self.near.first() {
            None if self.field.level(0).heights.len() <= FEW => return f32::INFINITY,
            None => self.field.spacing,
            Some(near) => near.spacing as f32,
        };
        spacing / self.sight.pixel / LARGE
    }

    /// Find the ground in sixteen slices from `first` on. Writes the distance ahead per row, negative for
    /// sides of the ground; a row is as long as a strip.
    pub(super) fn walk(&self, first: usize, out: &mut [f32]) {
        let slants = self.sight.slants(first);
        let map = self.map(&slants);
        let finest = self.near.first().map(|_| self.window(0, &slants));
        let mut walk = Walk::new(self.sight, out, finest.as_ref().unwrap_or(&map), &slants);
        for index in 0..self.near.len() {
            self.cross(self.window(index, &slants), false, &mut walk);
        }
        self.cross(map, true, &mut walk);
    }

    /// Continue through one ground as far as it is used: a clipmap level, or the map with coarser and coarser
    /// mipmaps.
    fn cross(&self, crossing: Crossing<'a>, is_map: bool, walk: &mut Walk<'_>) {
        let Crossing {
            ways,
            mut lattice,
            until,
        } = crossing;
        let is_left = |ahead: &Lanes| (0..LANES).all(|lane| ahead[lane] >= until[lane]);
        if is_left(&walk.ahead) {
            return;
        }
        walk.height = heights(&lattice, &ways, &walk.ahead);
        walk.roof = [f32::INFINITY; LANES];
        let middle = LANES / 2;
        let forwards = ways.by[0][middle] > 0.0;
        let (rises, parts) = ways.turns();
        // Slices that rise or fall along both axes cross one kink between two lines, others up to three.
        let most_kinks = if rises && parts == 1 { 1 } else { 3 };
        let mut level = 0;
        let mut line = ways.line_before(&walk.ahead, lattice.cells[0], forwards);
        while walk.open != 0 {
            line = line.saturating_add(if forwards { 1 } else { -1 });
            let place = line as f32 / lattice.cells[0];
            if !(0.0..=lattice.last_tile + 1.0).contains(&place) {
                break;
            }
            let (to, border) = reach(&ways, place, &walk.ahead, &until);
            let (height, roof) = if border || parts > 1 {
                (heights(&lattice, &ways, &to), [f32::INFINITY; LANES])
            } else {
                heights_on(&lattice, &ways, line as usize, &to, rises)
            };
            if walk.may_show(&to, &roof) {
                // Clipmap levels exist only where their cells are larger than pixels.
                if !is_map || (level == 0 && walk.ahead[middle] < self.as_large) {
                    let cell = (line - i64::from(forwards)).max(0) as usize;
                    // Lanes held at the border may be at other positions than the line.
                    let is_between = !border && parts == 1;
                    let height = |ahead: &Lanes| {
                        if is_between {
                            heights_between(&lattice, &ways, cell, ahead)
                        } else {
                            heights(&lattice, &ways, ahead)
                        }
                    };
                    let from = walk.ahead;
                    for part in 1..=parts {
                        let end = part_of_way(&from, &to, part as f32 / parts as f32);
                        let kinks = kinks(&lattice, &ways, &walk.ahead, &end);
                        for ahead in &kinks[..most_kinks] {
                            walk.go(ahead, &height(ahead));
                        }
                        if part < parts {
                            walk.go(&end, &height(&end));
                        }
                    }
                }
                walk.go(&to, &height);
            }
            (walk.ahead, walk.height, walk.roof) = (to, height, roof);
            if border && is_map {
                walk.close(&until);
            }
            if border && is_left(&walk.ahead) {
                break;
            }
            let coarser = self.as_large / FINEST * self.sight.detail * (2u32 << level) as f32;
            let has_coarser = is_map && level + 1 < self.field.levels();
            if line % 2 == 0 && has_coarser && walk.ahead[middle] > coarser {
                level += 1;
                line /= 2;
                lattice = self.lattice(&ways, level);
                walk.height = heights(&lattice, &ways, &walk.ahead);
                walk.roof = [f32::INFINITY; LANES];
            }
        }
    }

    /// The map along the slices.
    fn map(&self, slants: &Lanes) -> Crossing<'a> {
        let (tiles, side, eye) = (self.sight.tiles, self.field.side, self.sight.eye);
        let begin = Begin {
            start: [eye.x / side[0] + 0.5 * tiles, eye.z / side[1] + 0.5 * tiles],
            nearest: NEAREST,
            tiles,
            side,
        };
        let ways = Ways::new(&begin, self.sight, slants);
        Crossing {
            lattice: self.lattice(&ways, 0),
            until: ways.until,
            ways,
        }
    }

    fn lattice(&self, ways: &Ways, level: usize) -> Lattice<'a> {
        let Samples { heights, samples } = self.field.level(level);
        let order = |[x, z]: [usize; 2]| if ways.along_x { [x, z] } else { [z, x] };
        Lattice {
            heights,
            stride: order([1, samples[0]]),
            cells: order(samples).map(|count| (count - 1) as f32),
            last_tile: self.sight.tiles - 1.0,
            eye: self.sight.eye.y,
        }
    }

    /// A clipmap level along the slices, treated as a single tile.
    fn window(&self, index: usize, slants: &Lanes) -> Crossing<'a> {
        let near = &self.near[index];
        let begin = Begin {
            start: near.start(),
            nearest: (near.spacing * NEAREST_IN_CELLS) as f32,
            tiles: 1.0,
            side: near.side().map(|side| side as f32),
        };
        let ways = Ways::new(&begin, self.sight, slants);
        let order = |[x, z]: [usize; 2]| if ways.along_x { [x, z] } else { [z, x] };
        let reach = near.level_reach() as f32;
        let until = std::array::from_fn(|lane| {
            let used = reach / slants[lane].hypot(1.0);
            used.min(ways.until[lane])
        });
        let lattice = Lattice {
            heights: near.heights,
            stride: order([1, near.samples[0]]),
            cells: order(near.samples).map(|count| (count - 1) as f32),
            last_tile: 0.0,
            eye: near.above as f32,
        };
        Crossing {
            ways,
            lattice,
            until,
        }
    }
}

impl<'a> Walk<'a> {
    fn new(
        sight: &'a Sight,
        out: &'a mut [f32],
        Crossing { ways, lattice, .. }: &Crossing<'_>,
        slants: &Lanes,
    ) -> Self {
        let mut walk = Self {
            sight,
            out,
            ahead: ways.from,
            height: heights(lattice, ways, &ways.from),
            roof: [f32::INFINITY; LANES],
            row: [0; LANES],
            rise: [f32::INFINITY; LANES],
            end: slants.map(|slant| sight.rows_within(slant)),
            open: 0,
        };
        for lane in (0..LANES).filter(|lane| ways.meets(*lane)) {
            let from = walk.ahead[lane];
            let below = |height: f32| sight.rows.partition_point(|row| row.rise <= height / from);
            // Below the start of the ground are its sides, and below these nothing.
            walk.row[lane] = below(walk.height[lane]);
            if from > ways.nearest {
                let floor = below(sight.floor - sight.eye.y);
                for row in floor..walk.row[lane].min(walk.end[lane]) {
                    walk.out[row * STRIP + lane] = -from;
                }
            }
            walk.open |= 1 << lane;
            walk.look_higher(lane);
        }
        walk
    }

    /// True if anything may be visible before a line with this roof.
    fn may_show(&self, to: &Lanes, roof: &Lanes) -> bool {
        open_below(&self.roof, roof, &self.ahead, to, &self.rise) & self.open != 0
    }

    /// Advance along a straight piece of the profile to a distance and a height.
    fn go(&mut self, ahead: &Lanes, height: &Lanes) {
        let mut higher = seen(ahead, height, &self.rise) & self.open;
        while higher != 0 {
            let lane = higher.trailing_zeros() as usize;
            higher &= higher - 1;
            self.show(lane, ahead[lane], height[lane]);
        }
        (self.ahead, self.height) = (*ahead, *height);
    }

    /// Fill the rows that this piece of the profile covers.
    fn show(&mut self, lane: usize, ahead: f32, height: f32) {
        let (from, before) = (self.ahead[lane], self.height[lane]);
        let slope = if ahead > from {
            (height - before) / (ahead - from)
        } else {
            0.0
        };
        // Extrapolated height of this straight piece at the eye.
        let below = before - slope * from;
        let top = height / ahead;
        let rows = &self.sight.rows[self.row[lane]..self.end[lane]];
        let rows = rows.iter().take_while(|row| row.rise <= top);
        for row in rows {
            let crossing = below / (row.rise - slope);
            // NaN where the ray runs along the ground.
            self.out[self.row[lane] * STRIP + lane] = crossing.max(from).min(ahead);
            self.row[lane] += 1;
        }
        self.look_higher(lane);
    }

    /// Continue with the next row; finish the slice if the picture ends there.
    fn look_higher(&mut self, lane: usize) {
        if self.row[lane] < self.end[lane] {
            self.rise[lane] = self.sight.rows[self.row[lane]].rise;
        } else {
            self.open &= !(1 << lane);
        }
    }

    /// Finish the slices that have left the ground.
    fn close(&mut self, until: &Lanes) {
        for (lane, until) in until.iter().enumerate() {
            self.open &= !(u32::from(self.ahead[lane] >= *until) << lane);
        }
    }
}

/// Interpolate between two sets of distances.
fn part_of_way(from: &Lanes, to: &Lanes, part: f32) -> Lanes {
    std::array::from_fn(|lane| from[lane] + part * (to[lane] - from[lane]))
}

vectorized! {
    /// Distance ahead of a line, clamped between `ahead` and the end of the ground, and true if it was
    /// clamped for any slice.
    fn reach(ways: &Ways, place: f32, ahead: &Lanes, until: &Lanes) -> (Lanes, bool) {
        let mut to = [0.0; LANES];
        let mut beyond = 0;
        for lane in 0..LANES {
            let there = (place - ways.start[0]) * ways.ahead[lane];
            let (near, far) = (ahead[lane], until[lane]);
            beyond |= u32::from(there <= near) | u32::from(there >= far);
            let there = if there > near { there } else { near };
            to[lane] = if there < far { there } else { far };
        }
        (to, beyond != 0)
    }

    /// Bit mask of the slices with visible ground at these heights.
    fn seen(ahead: &Lanes, height: &Lanes, rise: &Lanes) -> u32 {
        let mut seen = 0;
        for lane in 0..LANES {
            seen |= u32::from(height[lane] >= rise[lane] * ahead[lane]) << lane;
        }
        seen
    }

    /// Bit mask of the slices that may have visible ground between two lines, by their roofs.
    fn open_below(one: &Lanes, other: &Lanes, from: &Lanes, to: &Lanes, rise: &Lanes) -> u32 {
        let mut open = 0;
        for lane in 0..LANES {
            let roof = if one[lane] > other[lane] { one[lane] } else { other[lane] };
            let (near, far) = (rise[lane] * from[lane], rise[lane] * to[lane]);
            let least = if near < far { near } else { far };
            open |= u32::from(roof >= least) << lane;
        }
        open
    }
}

/// Distance ahead where the traversal begins, in half tiles.
const NEAREST: f32 = 1e-4;
/// Slope along an axis below which a slice never crosses one of its lines.
const LEVEL: f32 = 1e-12;
/// Maximum number of parts of the way between two lines that are processed separately.
const MOST_PARTS: f32 = 4.0;

/// Sixteen slices on the map, in tiles: first the axis whose lines they cross one by one, then the other.
#[derive(Clone)]
struct Ways {
    start: [f32; 2],
    /// Advance in tiles per unit ahead; and distance ahead per tile along the first axis.
    by: [Lanes; 2],
    ahead: Lanes,
    /// Distance ahead where the slices begin.
    nearest: f32,
    /// Distances ahead where each slice enters and leaves the ground.
    from: Lanes,
    until: Lanes,
    /// True if the first axis is x.
    along_x: bool,
}

/// Origin of slices, and the tiles they cross.
struct Begin {
    /// Origin in tiles, along x and z.
    start: [f32; 2],
    /// Distance ahead where the slices begin.
    nearest: f32,
    tiles: f32,
    /// Sides of a tile along x and z.
    side: [f32; 2],
}

impl Ways {
    fn new(begin: &Begin, sight: &Sight, slants: &Lanes) -> Self {
        let middle = sight.ahead + sight.right * slants[LANES / 2];
        let along_x = middle.x.abs() >= middle.z.abs();
        let order = |[x, z]: [f32; 2]| if along_x { [x, z] } else { [z, x] };
        let Begin { tiles, nearest, .. } = *begin;
        let [width, depth] = begin.side;
        let mut ways = Self {
            start: order(begin.start),
            by: [[0.0; LANES]; 2],
            ahead: [0.0; LANES],
            nearest,
            from: [nearest; LANES],
            until: [f32::MAX; LANES],
            along_x,
        };
        for (lane, slant) in slants.iter().enumerate() {
            let way = sight.ahead + sight.right * slant;
            let by = order([way.x / width, way.z / depth]);
            let (mut from, mut until) = (nearest, f32::MAX);
            for (axis, by) in by.into_iter().enumerate() {
                ways.by[axis][lane] = by;
                let borders = [0.0, tiles].map(|border| border - ways.start[axis]);
                if by.abs() > LEVEL {
                    let [one, other] = borders.map(|border| border / by);
                    from = from.max(one.min(other));
                    until = until.min(one.max(other));
                } else if borders[0] > 0.0 || borders[1] < 0.0 {
                    until = 0.0;
                }
            }
            ways.ahead[lane] = by[0].recip();
            (ways.from[lane], ways.until[lane]) = (from, until);
        }
        ways
    }

    /// True if a slice crosses the ground.
    fn meets(&self, lane: usize) -> bool {
        self.from[lane] < self.until[lane]
    }

    /// True if all slices rise along both axes or fall along both; and the number of parts into which the way
    /// between two lines is split, so that no slice crosses two lines of the other axis in one part.
    fn turns(&self) -> (bool, usize) {
        let [along, across] = &self.by;
        let lanes = || along.iter().zip(across);
        let rises = lanes().all(|(along, across)| along * across >= 0.0);
        let steepest = lanes().fold(0.0_f32, |most, (along, across)| {
            most.max((across / along).abs())
        });
        (rises, steepest.ceil().clamp(1.0, MOST_PARTS) as usize)
    }

    /// The last line, at `cells` lines per tile, that no slice has passed yet.
    fn line_before(&self, ahead: &Lanes, cells: f32, forwards: bool) -> i64 {
        let meeting = (0..LANES).filter(|lane| self.meets(*lane));
        let lines = meeting.map(|lane| (self.start[0] + self.by[0][lane] * ahead[lane]) * cells);
        if forwards {
            lines.fold(f32::INFINITY, f32::min).floor() as i64
        } else {
            lines.fold(f32::NEG_INFINITY, f32::max).ceil() as i64
        }
    }
}

/// One mipmap level of the map, with the axis of the lines first.
struct Lattice<'a> {
    heights: &'a [f32],
    /// Array stride between adjacent samples.
    stride: [usize; 2],
    /// Cells of a tile.
    cells: [f32; 2],
    /// Index of the last tile.
    last_tile: f32,
    eye: f32,
}

vectorized! {
    /// Distances of the profile's kinks between two lines, sorted; missing ones are at the end.
    fn kinks(lattice: &Lattice<'_>, ways: &Ways, from: &Lanes, to: &Lanes) -> [Lanes; 3] {
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
    fn heights_on(
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
    fn heights_between(lattice: &Lattice<'_>, ways: &Ways, line: usize, ahead: &Lanes) -> Lanes {
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
    fn heights(lattice: &Lattice<'_>, ways: &Ways, ahead: &Lanes) -> Lanes {
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
