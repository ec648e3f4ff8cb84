//! `fans`: talus, debris cones and alluvial fans, where gullies and streams leave steep ground.
//!
//! A stream that leaves its gully drops what it carries, and builds a cone around that point, its apex. At a
//! distance d from an apex at the height z₀ the surface of the cone is
//!
//! ```text
//! z = z₀ − s d,                 d ≤ R
//! z = z₀ − s d − s (d − R)²/R,  d > R
//! ```
//!
//! and the land is raised to the highest cone. The radius grows with the drainage area A above the apex (cf. Bull 1964),
//! `R = size · 2 m · (A / 1 m²)^0.45`, and ends early at water and at rivers, which carry the debris away. The slope s
//! is that of the chord from the apex to where its stream reaches R:
//!
//! ```text
//!   ╲ apex
//!    ╲ `.
//!     ╲   `.  s        a cell is an apex if the chord lies high enough above
//!      `.    `.        the stream, 3.5 % of R, and is no steeper than the angle
//!        `-.__ `.      of repose
//!             ``--▪───
//! ```
//!
//! So there is none where a stream is graded, which is concave but little. Chutes of a wall build talus at the angle of
//! repose, gullies build debris cones of 10 to 25°, and large streams build flat fans, all by the same rule. Cones spread
//! from their apex over connected ground, highest first, and not across rivers, which cut their edges back to the angle of
//! repose. Streams that are too small for that are dammed, and fill the hollow behind the cone up to its overflow.
//!
//! What is deposited counts as sediment. Volume is not conserved: what the gullies lose is not taken from them. Known
//! artefact: behind a spur a cone may be up to its own radius too high, since distances are straight lines.
//!
//! Cost: a [`Drainage`] and a priority queue of the cells of all cones, some 400 ns a sample on one thread, and
//! [`BYTES_A_SAMPLE`] bytes a sample while it runs. A profile, and a map of fewer than three rows or columns, is left
//! unchanged. A wrapped map stays wrapped.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use crate::terrain::drainage::{Drainage, ordered};
use crate::terrain::heightmap::{Heightmap, Heights, Worn};
use crate::util::job::{Cancelled, Job};
use crate::util::numbers::metres_per_unit;
use crate::util::parallel;
use crate::util::param::{Param, Params, float_param, options};
use crate::util::rng::mix;

use super::canvas::{Canvas, Modify};
use super::{Context, ModifyError};

/// Memory in bytes a sample, besides the map.
pub const BYTES_A_SAMPLE: u64 = 80;

/// Radius in metres at a drainage area of one square metre, and its exponent.
const RADIUS: f32 = 2.0;
const WIDER: f32 = 0.45;
/// A stream carries the debris of a cone away if it drains so many square metres, and so many times what the apex does.
const RIVER: f32 = 5.0e4;
const TRUNK: u32 = 5;
/// Slope of the flattest cones.
const FLATTEST: f32 = 0.02;
/// Least thickness of a cone along its stream, as a share of its radius.
const LEAST: f32 = 0.035;
/// Strength and number of lobes around a cone, which old courses of its stream have left.
const LOBES: [(f32, usize); 2] = [(0.05, 5), (0.04, 13)];

options! {
    /// Options of `fans`.
    pub struct FansOptions {
        /// Radius of cones as a multiple of the usual one for their drainage area, 0…10; default 1.
        pub size: f32 = 1.0,
        /// Angle of repose of debris in degrees, 1…60: the slope of talus and of the steepest cones; default 35.
        pub repose: f32 = 35.0,
    }
}

impl Params for FansOptions {
    const PARAMS: &'static [Param<Self>] = &[
        float_param!(size, "Size", "", 0.0, 10.0, slider: (0.0, 3.0),
            "Radius of the cones; 1 is usual for the area that drains to each of them."),
        float_param!(repose, "Angle of repose", "°", 1.0, 60.0, slider: (20.0, 45.0),
            "Slope of scree below walls. Cones of larger streams are flatter."),
    ];
}

impl Modify for FansOptions {
    fn modify(&self, canvas: &mut Canvas<'_>) -> Result<(), ModifyError> {
        if canvas.rows < 3 || canvas.columns < 3 || self.size == 0.0 {
            return Ok(());
        }
        canvas.check_memory(BYTES_A_SAMPLE)?;
        let context = canvas.context;
        let heights = std::mem::replace(&mut canvas.heights, Vec::new().into());
        let map = Heightmap::new(canvas.rows, canvas.columns, canvas.wraps, heights)
            .with_base(canvas.base_before);
        let built = self.build(&map, &context);
        canvas.heights = map.into_heights();
        let (drainage, surface) = built?;
        let (wear, mut sediment) = match canvas.worn.take() {
            Some(worn) => {
                let worn = Arc::unwrap_or_clone(worn);
                (worn.wear, worn.sediment)
            }
            None => {
                let count = canvas.heights.len();
                let zeros = || {
                    let bytes = BYTES_A_SAMPLE * count as u64;
                    Heights::zeros(count).ok_or(ModifyError::OutOfMemory { bytes })
                };
                (zeros()?, zeros()?)
            }
        };
        let columns = canvas.columns;
        let rows = canvas.heights.chunks_exact_mut(columns);
        let rows = rows.zip(sediment.chunks_exact_mut(columns));
        parallel::par_items(rows).for_each_in(context.job, |row, (heights, sediment)| {
            let samples = heights.iter_mut().zip(sediment).enumerate();
            for (column, (height, sediment)) in samples {
                let raised = surface[drainage.cell(row, column)];
                *sediment += raised - *height;
                *height = raised;
            }
        })?;
        canvas.worn = Some(Arc::new(Worn { wear, sediment }));
        canvas.base = canvas.base_before;
        Ok(())
    }

    fn is_slow(&self) -> bool {
        true
    }

    fn smooths_mask(&self) -> bool {
        true
    }

    fn uses_water(&self) -> bool {
        true
    }
}

impl FansOptions {
    /// Drainage of the map, and the height of each of its cells with all cones.
    fn build(
        &self,
        map: &Heightmap,
        context: &Context<'_>,
    ) -> Result<(Drainage, Vec<f32>), Cancelled> {
        let drainage = Drainage::of(map, context.water, context.job)?;
        let mut fans = Fans::new(map, &drainage, self, context.tile_size_m, context.water);
        let cones = fans.find_cones(context.job)?;
        fans.spread(&cones, context.job)?;
        fans.undercut(context.job)?;
        let mut surface = fans.surface;
        // Small streams that a cone has dammed fill their lakes with what they carry.
        let raised = drainage.map(context.job, |cell| surface[cell])?;
        let raised = raised.with_base(map.base());
        let dammed = Drainage::of(&raised, context.water, context.job)?;
        for (cell, height) in surface.iter_mut().enumerate() {
            if drainage.depth(cell) == 0.0 && context.water.is_none_or(|sea| *height >= sea) {
                *height += dammed.depth(cell);
            }
        }
        Ok((drainage, surface))
    }
}

/// Debris cone around the cell of its apex. Lengths are in the unit of the heights.
#[derive(Clone, Copy, Debug)]
struct Cone {
    apex: usize,
    top: f32,
    slope: f32,
    radius: f32,
    /// Unit vector from which its lobes are counted.
    lobes: [f32; 2],
}

impl Cone {
    /// Height at an offset from the apex, in cells of `spacing`.
    fn height(&self, offset: [isize; 2], spacing: f32) -> f32 {
        let [down, along] = offset.map(|cells| cells as f32 * spacing);
        let distance = (down * down + along * along).sqrt();
        if distance == 0.0 {
            return self.top;
        }
        let cosine = (down * self.lobes[0] + along * self.lobes[1]) / distance;
        let rise: f32 = LOBES
            .iter()
            .map(|(part, count)| part * chebyshev(*count, cosine))
            .sum();
        let beyond = (distance - self.radius).max(0.0);
        self.top - self.slope * (distance * (1.0 + rise) + beyond * beyond / self.radius)
    }
}

/// Cosine of a multiple of an angle, from its cosine (Chebyshev polynomial).
fn chebyshev(count: usize, cosine: f32) -> f32 {
    let (mut before, mut now) = (1.0, cosine);
    for _ in 1..count {
        (before, now) = (now, 2.0 * cosine * now - before);
    }
    now
}

/// Cell of a stream, and its distance from an apex in a straight line.
#[derive(Clone, Copy, Debug)]
struct Step {
    cell: usize,
    distance: f32,
}

/// The land while cones are built on it.
struct Fans<'a> {
    drainage: &'a Drainage,
    rows: usize,
    columns: usize,
    wraps: bool,
    /// Metres of a cell's side.
    cell_m: f32,
    repose: f32,
    size: f32,
    /// Height of each cell.
    surface: Vec<f32>,
    /// Height of each cell before.
    ground: Vec<f32>,
    /// Height of each cell before, or of the sea on it.
    floor: Vec<f32>,
}

impl<'a> Fans<'a> {
    fn new(
        map: &Heightmap,
        drainage: &'a Drainage,
        options: &FansOptions,
        tile_size_m: f32,
        water: Option<f32>,
    ) -> Self {
        let repeated = usize::from(map.wraps());
        let (rows, columns) = (map.rows() - repeated, map.columns() - repeated);
        let lines = map.heights().chunks_exact(map.columns()).take(rows);
        let surface: Vec<f32> = lines.flat_map(|line| &line[..columns]).copied().collect();
        let sea = water.unwrap_or(f32::NEG_INFINITY);
        let floor = surface.iter().map(|height| height.max(sea)).collect();
        Self {
            floor,
            ground: surface.clone(),
            drainage,
            rows,
            columns,
            wraps: map.wraps(),
            cell_m: drainage.spacing() * metres_per_unit(tile_size_m) as f32,
            repose: libm::tanf(options.repose.to_radians()),
            size: options.size,
            surface,
        }
    }

    /// Cones of all apexes, in the order of their cells.
    fn find_cones(&self, job: &Job) -> Result<Vec<Cone>, Cancelled> {
        let rows = parallel::par_items(0..self.rows).try_map(|_, row| {
            job.check()?;
            let cells = row * self.columns..(row + 1) * self.columns;
            Ok(cells.filter_map(|cell| self.cone(cell)).collect::<Vec<_>>())
        })?;
        Ok(rows.concat())
    }

    /// Cone of an apex; `None` if the cell is none.
    fn cone(&self, apex: usize) -> Option<Cone> {
        let drains = self.drainage.area(apex);
        let area = drains as f32 * self.cell_m * self.cell_m;
        let spacing = self.drainage.spacing();
        let radius = self.size * RADIUS * libm::powf(area, WIDER) / self.cell_m;
        if radius < 2.0 || self.floor[apex] > self.surface[apex] {
            return None;
        }
        let place = [apex / self.columns, apex % self.columns];
        // The same at any number of iterations, as far as the apex is.
        let part = |at: usize, count: usize| (at * 256 / count) as u64;
        let bits = mix(part(place[0], self.rows) << 8 | part(place[1], self.columns));
        let [x, y] =
            [bits as u32, (bits >> 32) as u32].map(|bits| bits as f32 / (1u64 << 31) as f32 - 1.0);
        let length = (x * x + y * y).sqrt().max(1e-3);
        let radius = radius * spacing;
        let end = self.down_from(apex, drains, radius).last()?;
        let slope = (self.surface[apex] - self.floor[end.cell]) / end.distance;
        if slope > self.repose || slope < FLATTEST {
            return None;
        }
        let cone = Cone {
            apex,
            top: self.surface[apex],
            slope,
            radius: end.distance,
            lobes: [x / length, y / length],
        };
        let thick = |at: Step| cone.top - slope * at.distance - self.floor[at.cell];
        let thickest = self
            .down_from(apex, drains, radius)
            .map(thick)
            .fold(0.0, f32::max);
        (thickest >= LEAST * end.distance).then_some(cone)
    }

    /// Cells downstream of an apex that drains so many cells: as far as `radius`, and to the first that lies under
    /// water or in a stream that carries debris away.
    fn down_from(&self, apex: usize, drains: u32, radius: f32) -> impl Iterator<Item = Step> {
        let spacing = self.drainage.spacing();
        let (mut cell, mut offset, mut is_end) = (apex, [0isize; 2], false);
        std::iter::from_fn(move || {
            let (down, along) = self.drainage.way(cell).filter(|_| !is_end)?;
            cell = self.drainage.receiver(cell)?;
            offset = [offset[0] + down, offset[1] + along];
            let [dy, dx] = offset.map(|cells| cells as f32 * spacing);
            let distance = (dx * dx + dy * dy).sqrt();
            is_end = self.is_trunk(cell, drains) || self.floor[cell] > self.surface[cell];
            (distance <= radius).then_some(Step { cell, distance })
        })
    }

    /// True if a cell's stream carries the debris of cones away that drain so many cells.
    fn is_trunk(&self, cell: usize, drains: u32) -> bool {
        let area = self.drainage.area(cell);
        let river = RIVER / (self.cell_m * self.cell_m);
        area as f32 >= river && area / TRUNK >= drains
    }

    /// Offset of a cell from an apex, in cells, the shorter way round on a map that wraps.
    fn offset(&self, cell: usize, apex: usize) -> [isize; 2] {
        let between = |to: usize, from: usize, count: usize| {
            let cells = to as isize - from as isize;
            let count = count as isize;
            match cells {
                _ if !self.wraps => cells,
                _ if cells * 2 > count => cells - count,
                _ if cells * 2 < -count => cells + count,
                _ => cells,
            }
        };
        [
            between(cell / self.columns, apex / self.columns, self.rows),
            between(cell % self.columns, apex % self.columns, self.columns),
        ]
    }

    /// Raise the land to the highest cone, from the highest cells to the lowest.
    fn spread(&mut self, cones: &[Cone], job: &Job) -> Result<(), Cancelled> {
        let spacing = self.drainage.spacing();
        let mut open: BinaryHeap<(u32, Reverse<usize>, Reverse<usize>)> = BinaryHeap::new();
        for (index, cone) in cones.iter().enumerate() {
            open.push((ordered(cone.top), Reverse(cone.apex), Reverse(index)));
        }
        let mut steps = 0u32;
        while let Some((height, Reverse(cell), Reverse(index))) = open.pop() {
            steps += 1;
            if steps.is_multiple_of(4096) {
                job.check()?;
            }
            let cone = &cones[index];
            // Another cone has covered the cell since.
            if ordered(self.surface[cell]) > height {
                continue;
            }
            let here = self.surface[cell];
            for neighbour in self.straight_neighbours(cell).into_iter().flatten() {
                if self.is_trunk(neighbour, self.drainage.area(cone.apex)) {
                    continue;
                }
                // Around a spur the straight line would be higher than the way.
                let raised = cone
                    .height(self.offset(neighbour, cone.apex), spacing)
                    .min(here);
                if raised > self.surface[neighbour] {
                    self.surface[neighbour] = raised;
                    open.push((ordered(raised), Reverse(neighbour), Reverse(index)));
                }
            }
        }
        Ok(())
    }

    /// Cut the edges of cones back to the angle of repose above the rivers below them.
    fn undercut(&mut self, job: &Job) -> Result<(), Cancelled> {
        let spacing = self.drainage.spacing();
        let river =
            |cell: &usize| self.is_trunk(*cell, 1) && self.surface[*cell] == self.ground[*cell];
        let rivers = (0..self.surface.len()).filter(river);
        let mut open: BinaryHeap<(Reverse<u32>, usize)> = rivers
            .map(|cell| (Reverse(ordered(self.surface[cell])), cell))
            .collect();
        let mut steps = 0u32;
        while let Some((_, cell)) = open.pop() {
            steps += 1;
            if steps.is_multiple_of(4096) {
                job.check()?;
            }
            let here = self.surface[cell];
            self.drainage.each_beside(cell, |neighbour| {
                let [down, along] = self.offset(neighbour, cell);
                let away = ((down * down + along * along) as f32).sqrt() * spacing;
                let most = (here + self.repose * away).max(self.ground[neighbour]);
                if self.surface[neighbour] > most {
                    self.surface[neighbour] = most;
                    open.push((Reverse(ordered(most)), neighbour));
                }
            });
        }
        Ok(())
    }

    /// Neighbours along the row and the column. Diagonal ones are left out, or cones would cross a river that runs
    /// diagonally.
    fn straight_neighbours(&self, cell: usize) -> [Option<usize>; 4] {
        let (row, column) = (cell / self.columns, cell % self.columns);
        let step = |at: usize, by: isize, count: usize| {
            let to = at.checked_add_signed(by).filter(|to| *to < count);
            to.or(self
                .wraps
                .then(|| (at + count).wrapping_add_signed(by) % count))
        };
        [
            step(row, -1, self.rows).map(|row| row * self.columns + column),
            step(row, 1, self.rows).map(|row| row * self.columns + column),
            step(column, -1, self.columns).map(|column| row * self.columns + column),
            step(column, 1, self.columns).map(|column| row * self.columns + column),
        ]
    }
}
