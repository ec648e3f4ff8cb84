//! Front-to-back traversal of sixteen vertical slices side by side, from grid line to grid line.
//!
//! The lines belong to the axis along which the slices advance faster. Between two lines a profile has at
//! most three kinks: where it crosses a line of the other axis, or a diagonal between two triangles.

use super::field::{Field, Samples};
use super::geomorph::Near;
use super::lattice::{Lattice, heights, heights_between, heights_on, kinks};
use super::viewpoint::Sight;
use super::ways::{Begin, Ways};
use super::{LANES, Lanes, STRIP};

/// Start of the traversal in a clipmap level, in cells ahead.
const NEAREST_IN_CELLS: f64 = 0.01;
/// Size in pixels up to which a coarser cell may replace finer ones, at detail 1.
const FINEST: f32 = 0.5;
/// Size of a cell in pixels above which edges are visibly jagged, unless found exactly.
const LARGE: f32 = 2.0;
/// Number of samples of a map so small that all edges are found exactly.
const FEW: usize = 33 * 33;

/// The vertical slices of a picture.
pub(super) struct Planes<'a> {
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

impl<'a> Planes<'a> {
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
        let ways = Ways::new(self.field, self.sight, slants);
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
        let ways = Ways::from(&begin, self.sight, slants);
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
