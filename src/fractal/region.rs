//! Rectangular regions of a map at any level of detail, without the rest of the map.
//!
//! A point depends on its neighbours one level up, those on theirs, and so on: at each level on a rectangle
//! half as large, with a margin of two points around it. Random numbers are indexed by position instead of
//! drawn in sequence, so nothing else is needed: time and memory are proportional to the rectangle, and the
//! heights equal those of the whole map, bit for bit.
//!
//! ```text
//! level k       a rectangle   ░░████░░   of which the next level needs ████
//! level k + 1   twice as fine   ████████ and a margin
//! ```

use super::bedrock::Bedrock;
use super::gullies::Gullies;
use super::patch::{Patch, Span, Step};
use super::refinement::Refinement;
use super::roughness::Roughness;
use super::{Edges, Rule, Subdivision};
use crate::fractal::patch::Real;
pub use crate::fractal::patch::Window;
use crate::fractal::refinement::{Finer, Function};
pub use crate::terrain::grid::Region;

use crate::terrain::grid::Grid;
use crate::util::job::{Cancelled, Job};

/// Compute the heights of `region` in half tiles, row by row, equal to those of the whole map. Cost: that of
/// a map of the rectangle's size, and a little for each coarser level.
///
/// # Errors
/// The job was cancelled.
///
/// # Panics
/// The region is empty or reaches beyond the map.
pub fn heights(
    subdivision: &Subdivision,
    region: Region,
    job: &Job,
) -> Result<Grid<f32>, Cancelled> {
    let passes = Passes {
        rule: &subdivision.rule,
        base_level: subdivision.base_level,
        base: &subdivision.base,
        roughness: None,
        gullies: None,
        bedrock: None,
        function: None,
        level: subdivision.iterations,
    };
    let mut way = passes.way_around(passes.window_of(region));
    passes.refine(&mut way, job)?;
    Ok(way.into_grid())
}

/// Number of rows of a height function computed in 64 bits at once before rounding to 32.
const ROWS_AT_ONCE: usize = 256;

impl Refinement {
    /// Compute the heights of `region` in half tiles, row by row, in 32 bits. Cost as of [`heights`]; local
    /// roughness adds about half of it. For ground given by a function, 64-bit heights are rounded.
    ///
    /// # Errors
    /// The job was cancelled.
    ///
    /// # Panics
    /// The region is empty or reaches beyond the map.
    pub fn single(&self, region: Region, job: &Job) -> Result<Grid<f32>, Cancelled> {
        let passes = self.passes();
        let window = passes.window_of(region);
        if passes.function.is_some() || passes.bedrock.is_some() {
            return passes.rounded(self.single_to, window, job);
        }
        let mut way = passes.way_around(window);
        passes.refine_with_gullies(self.single_to, &mut way, job)?;
        passes.refine(&mut way, job)?;
        Ok(way.into_grid())
    }

    /// Compute the heights of `region` in 64 bits: 32-bit passes down to the level `single_to`, and 64-bit
    /// passes below it. Shared samples of two levels are equal, bit for bit.
    ///
    /// # Errors
    /// The job was cancelled.
    ///
    /// # Panics
    /// The region is empty or reaches beyond the map.
    pub fn double(&self, region: Region, job: &Job) -> Result<Grid<f64>, Cancelled> {
        let passes = self.passes();
        passes.in_double(self.single_to, passes.window_of(region), job)
    }

    /// Compute a window of the level `level`, as [`Refinement::double`], but of any level, and on a map that
    /// wraps at any position and of any size. A level coarser than the base has every second, fourth … of its
    /// points.
    ///
    /// # Errors
    /// The job was cancelled.
    ///
    /// # Panics
    /// There is no such level, the window is empty, or it reaches beyond a map that does not wrap.
    pub fn window(&self, level: u32, window: Window, job: &Job) -> Result<Grid<f64>, Cancelled> {
        let passes = Passes {
            level,
            ..self.passes()
        };
        passes.in_double(self.single_to, window, job)
    }

    /// Number of cells of a level's lattice, from north to south and from west to east.
    ///
    /// # Panics
    /// The level has more than 2^62 cells a side.
    #[must_use]
    pub fn cells(&self, level: u32) -> [i64; 2] {
        self.passes().cells(level)
    }

    fn passes(&self) -> Passes<'_> {
        let roughness = self.roughness.as_ref().map(|grid| Roughness {
            grid,
            level: self.base_level,
        });
        Passes {
            rule: &self.rule,
            base_level: self.base_level,
            base: &self.base,
            roughness,
            gullies: self.gullies.as_ref(),
            bedrock: self.bedrock.as_ref(),
            function: self.function.as_ref(),
            level: self.level(),
        }
    }
}

/// Passes of a map from a base, which may have any number of rows and columns, to a level.
#[derive(Clone, Copy)]
struct Passes<'a> {
    rule: &'a Rule,
    base_level: u32,
    base: &'a Grid<f32>,
    roughness: Option<Roughness<'a>>,
    gullies: Option<&'a Gullies>,
    bedrock: Option<&'a Bedrock>,
    function: Option<&'a Function>,
    level: u32,
}

/// State of the descent to a rectangle: the finest patch so far, and the spans that the finer levels must
/// compute, the finest first.
struct Way<T> {
    level: u32,
    patch: Patch<T>,
    spans: Vec<(Span, Span)>,
}

impl<T: Real> Way<T> {
    /// Extract the patch, which is the rectangle.
    fn into_grid(self) -> Grid<T> {
        let Patch {
            rows,
            columns,
            heights,
        } = self.patch;
        Grid::from_vec(rows.len(), columns.len(), heights).expect("a height for each place")
    }
}

impl Way<f32> {
    /// Convert the patch to 64 bits.
    fn in_double(self) -> Way<f64> {
        Way {
            level: self.level,
            patch: self.patch.in_double(),
            spans: self.spans,
        }
    }
}

impl Passes<'_> {
    fn wraps(&self) -> bool {
        self.rule.edges == Edges::Wrap
    }

    /// Number of cells of a level's lattice, from north to south and from west to east.
    fn cells(&self, level: u32) -> [i64; 2] {
        let finer = level.saturating_sub(self.base_level);
        let sides = [self.base.rows(), self.base.columns()];
        sides.map(|side| ((side as i64 - 1) << finer) >> self.above_base(level))
    }

    /// Number of levels by which a level is coarser than the base.
    fn above_base(&self, level: u32) -> u32 {
        self.base_level.saturating_sub(level)
    }

    /// Check a region, and convert it to a window of the last level.
    fn window_of(&self, region: Region) -> Window {
        let first = |first: u64, cells: i64| {
            assert!(first <= cells as u64, "{first} of {cells}");
            first as i64
        };
        let [down, across] = self.cells(self.level);
        let within = |first: i64, count: usize, cells: i64| {
            assert!(
                count as u64 <= (cells - first) as u64 + 1,
                "{count} of {cells}"
            );
            first
        };
        Window {
            row: within(first(region.row, down), region.rows, down),
            column: within(first(region.column, across), region.columns, across),
            rows: region.rows,
            columns: region.columns,
        }
    }

    /// Copy the part of the base needed for a window of the last level, and plan the spans in between.
    fn way_around(&self, window: Window) -> Way<f32> {
        let span = |first: i64, count: usize, cells: i64| {
            let last = first + count as i64 - 1;
            let is_there = self.wraps() || (first >= 0 && last <= cells);
            assert!(count > 0 && is_there, "{first} + {count} of {cells}");
            Span { first, last }
        };
        let [down, across] = self.cells(self.level);
        let mut rows = span(window.row, window.rows, down);
        let mut columns = span(window.column, window.columns, across);
        let mut spans = Vec::new();
        for level in (self.base_level + 1..=self.level).rev() {
            spans.push((rows, columns));
            let [down, across] = self.cells(level);
            rows = rows.above(down, self.wraps());
            columns = columns.above(across, self.wraps());
        }
        Way {
            level: self.level.min(self.base_level),
            patch: Patch::of(self.base, self.above_base(self.level), rows, columns),
            spans,
        }
    }

    /// Compute the heights of a window of the last level, in 64 bits.
    fn in_double(&self, single_to: u32, window: Window, job: &Job) -> Result<Grid<f64>, Cancelled> {
        let mut heights = self.without_bedrock(single_to, window, job)?;
        if let Some(bedrock) = self.bedrock {
            let ground = |level, window| {
                let passes = Self { level, ..*self };
                passes.without_bedrock(single_to, window, job)
            };
            bedrock.add(self.level, window, &mut heights, ground, job)?;
        }
        Ok(heights)
    }

    fn without_bedrock(
        &self,
        single_to: u32,
        window: Window,
        job: &Job,
    ) -> Result<Grid<f64>, Cancelled> {
        if let Some(function) = self.function {
            return self.between_samples(function, window, job);
        }
        let mut way = self.way_around(window);
        self.refine_with_gullies(single_to, &mut way, job)?;
        self.refine_to(single_to.min(self.level), &mut way, job)?;
        let mut way = way.in_double();
        self.refine(&mut way, job)?;
        Ok(way.into_grid())
    }

    /// Compute the heights of a window of ground given by a function: its heights are added to
    /// displacements of level ground. Where the function is undefined, the base is refined instead. Points
    /// of the base stay unchanged.
    fn between_samples(
        &self,
        function: &Function,
        window: Window,
        job: &Job,
    ) -> Result<Grid<f64>, Cancelled> {
        let base = || self.way_around(window).in_double();
        if self.level <= self.base_level {
            return Ok(base().into_grid());
        }
        let mut way = base();
        way.patch.heights.fill(0.0);
        // Without displacements level ground stays level, so these passes can be skipped.
        let ranges = &self.rule.amplitudes;
        while way.level < self.level
            && ranges[way.level as usize] == [0.0; 2]
            && let Some((rows, columns)) = way.spans.pop()
        {
            way.patch = Patch::empty(rows, columns);
            way.level += 1;
        }
        self.refine(&mut way, job)?;
        let finer = Finer {
            base: self.base,
            levels: [self.base_level, self.level],
            wraps: self.wraps(),
        };
        function.add(finer, &mut way.patch, job)?;
        if way.patch.heights.iter().any(|height| height.is_nan()) {
            let mut plain = base();
            self.refine(&mut plain, job)?;
            let heights = way.patch.heights.iter_mut().zip(plain.patch.heights);
            for (height, plain) in heights.filter(|(height, _)| height.is_nan()) {
                *height = plain;
            }
        }
        way.patch.put_back(self.base, self.level - self.base_level);
        Ok(way.into_grid())
    }

    /// Compute the heights of [`Self::in_double`] in 32 bits, some rows at once.
    fn rounded(&self, single_to: u32, window: Window, job: &Job) -> Result<Grid<f32>, Cancelled> {
        let Window { rows, columns, .. } = window;
        let mut heights = Vec::with_capacity(rows * columns);
        for first in (0..rows).step_by(ROWS_AT_ONCE) {
            let part = Window {
                row: window.row + first as i64,
                rows: ROWS_AT_ONCE.min(rows - first),
                ..window
            };
            let part = self.in_double(single_to, part, job)?;
            heights.extend(part.as_slice().iter().map(|height| *height as f32));
        }
        Ok(Grid::from_vec(rows, columns, heights).expect("a height for each place"))
    }

    /// Run the passes down to the last level with gullies, at most to `single_to`: subtract the gullies
    /// from the base, refine, and add them back. Points of the base stay unchanged.
    fn refine_with_gullies(
        &self,
        single_to: u32,
        way: &mut Way<f32>,
        job: &Job,
    ) -> Result<(), Cancelled> {
        let Some(gullies) = self.gullies.filter(|_| self.level > self.base_level) else {
            return Ok(());
        };
        let single_to = single_to.max(self.base_level);
        let last = gullies.last().min(single_to).min(self.level);
        gullies.add(self.base_level, -1.0, &mut way.patch, job)?;
        self.refine_to(last, way, job)?;
        gullies.add(last, 1.0, &mut way.patch, job)?;
        way.patch.put_back(self.base, last - self.base_level);
        Ok(())
    }

    /// Run all passes.
    fn refine<T: Real>(&self, way: &mut Way<T>, job: &Job) -> Result<(), Cancelled> {
        self.refine_to(self.level, way, job)
    }

    /// Run the passes down to a level.
    fn refine_to<T: Real>(&self, level: u32, way: &mut Way<T>, job: &Job) -> Result<(), Cancelled> {
        while way.level < level
            && let Some((rows, columns)) = way.spans.pop()
        {
            let step = Step {
                rule: self.rule,
                pass: way.level,
                cells: self.cells(way.level + 1),
                wraps: self.wraps(),
                roughness: self.roughness,
            };
            way.patch = step.refined(&way.patch, rows, columns, job)?;
            way.level += 1;
        }
        Ok(())
    }
}
