//! The walk along sixteen planes side by side, from line to line of the map.
//!
//! Lines are those of the axis along which the planes go faster. Between two of them a profile has at
//! most three kinks: where it crosses a line of the other axis, or a diagonal between two triangles.

use super::field::{Field, Samples};
use super::lattice::{Lattice, heights, heights_between, heights_on, kinks};
use super::near::Near;
use super::sight::Sight;
use super::ways::{Begin, Ways};
use super::{LANES, Lanes, STRIP};

/// How far ahead the walk begins in a window of finer ground, in its cells.
const NEAREST_IN_CELLS: f64 = 0.01;
/// The side of a coarser cell in pixels up to which it stands for finer ones, at detail 1.
const FINEST: f32 = 0.5;
/// The side of a cell in pixels from which on pixels show how its edges run.
const LARGE: f32 = 2.0;
/// The samples of a map that has so few edges that all are found exactly.
const FEW: usize = 33 * 33;

/// The planes of a picture.
pub(super) struct Planes<'a> {
    field: &'a Field,
    /// Finer ground around the eye, the finest first.
    near: &'a [Near<'a>],
    sight: &'a Sight,
    /// How far ahead a cell of the finest level is as large as a pixel.
    as_large: f32,
}

/// One of the grounds as sixteen planes cross it.
struct Crossing<'a> {
    ways: Ways,
    lattice: Lattice<'a>,
    /// Up to how far ahead it is used.
    until: Lanes,
}

/// How far the walk has come.
struct Walk<'a> {
    sight: &'a Sight,
    out: &'a mut [f32],
    /// How far ahead, and how high the ground is there, above the eye.
    ahead: Lanes,
    height: Lanes,
    /// Nothing between this line and the next is higher than the roof of one of both.
    roof: Lanes,
    /// The lowest row that has no ground as yet, how far its rays rise, and the row after the last.
    row: [usize; LANES],
    rise: Lanes,
    end: [usize; LANES],
    /// A bit for each plane that is not done.
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

    /// Up to how far ahead edges between planes are found exactly: where cells are so large that pixels show
    /// how their edges run, and all over a map that has few of them.
    pub(super) fn exact_until(&self) -> f32 {
        let spacing = match self.near.first() {
            None if self.field.level(0).heights.len() <= FEW => return f32::INFINITY,
            None => self.field.spacing,
            Some(near) => near.spacing as f32,
        };
        spacing / self.sight.pixel / LARGE
    }

    /// Writes how far ahead the ground is in sixteen planes from that one on, and minus how far its sides
    /// are: row by row, each as long as a strip.
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

    /// Goes on through one of the grounds, as far as it is used: the map, at its end, and with coarser and
    /// coarser means of it, or a window.
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
        // Planes that go up or down both axes cross one kink between two lines, others up to three.
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
                // Windows are there because their cells are larger than pixels.
                if !is_map || (level == 0 && walk.ahead[middle] < self.as_large) {
                    let cell = (line - i64::from(forwards)).max(0) as usize;
                    // Planes that wait at the border may wait elsewhere.
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

    /// The map as planes cross it.
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

    /// A window as planes cross it, as if it were the only tile.
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
            // Below where the ground begins there are its sides, and then nothing.
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

    /// Whether anything may be seen on the way to a line with that roof.
    fn may_show(&self, to: &Lanes, roof: &Lanes) -> bool {
        open_below(&self.roof, roof, &self.ahead, to, &self.rise) & self.open != 0
    }

    /// Goes on, straight, to that far ahead and that height.
    fn go(&mut self, ahead: &Lanes, height: &Lanes) {
        let mut higher = seen(ahead, height, &self.rise) & self.open;
        while higher != 0 {
            let lane = higher.trailing_zeros() as usize;
            higher &= higher - 1;
            self.show(lane, ahead[lane], height[lane]);
        }
        (self.ahead, self.height) = (*ahead, *height);
    }

    /// Shows the ground up to there in the rows below it that have none.
    fn show(&mut self, lane: usize, ahead: f32, height: f32) {
        let (from, before) = (self.ahead[lane], self.height[lane]);
        let slope = if ahead > from {
            (height - before) / (ahead - from)
        } else {
            0.0
        };
        // The height of this straight part where the eye is.
        let below = before - slope * from;
        let top = height / ahead;
        let rows = &self.sight.rows[self.row[lane]..self.end[lane]];
        let rows = rows.iter().take_while(|row| row.rise <= top);
        for row in rows {
            let crossing = below / (row.rise - slope);
            // Not a number where the ray runs along the ground.
            self.out[self.row[lane] * STRIP + lane] = crossing.max(from).min(ahead);
            self.row[lane] += 1;
        }
        self.look_higher(lane);
    }

    /// Looks for what rises above all so far; nothing more if the picture ends there.
    fn look_higher(&mut self, lane: usize) {
        if self.row[lane] < self.end[lane] {
            self.rise[lane] = self.sight.rows[self.row[lane]].rise;
        } else {
            self.open &= !(1 << lane);
        }
    }

    /// Ends the planes that have left the ground.
    fn close(&mut self, until: &Lanes) {
        for (lane, until) in until.iter().enumerate() {
            self.open &= !(u32::from(self.ahead[lane] >= *until) << lane);
        }
    }
}

/// Places that part of the way between others.
fn part_of_way(from: &Lanes, to: &Lanes, part: f32) -> Lanes {
    std::array::from_fn(|lane| from[lane] + part * (to[lane] - from[lane]))
}

vectorized! {
    /// How far ahead a line is, no nearer than `ahead` and no farther than the ground; and whether for
    /// any plane it lies beyond those.
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

    /// A bit for each plane whose ground is seen there.
    fn seen(ahead: &Lanes, height: &Lanes, rise: &Lanes) -> u32 {
        let mut seen = 0;
        for lane in 0..LANES {
            seen |= u32::from(height[lane] >= rise[lane] * ahead[lane]) << lane;
        }
        seen
    }

    /// A bit for each plane of which ground between two lines may be seen, by their roofs.
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
