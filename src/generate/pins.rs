//! Pins: points with heights set by the user, which subdivision interpolates exactly.
//!
//! ```text
//! ·   ·   ·   ·   ·      the lattice of 2^level cells; a pin snaps to its nearest point
//! ·   ·   •   ·   ·      passes keep its height, so the ground around it rises and falls with
//! ·   ·   ·   ·   ·      it, and later passes add finer detail
//! ```
//! A pin on a point of an early pass, such as the middle, affects the ground as far as that pass
//! reaches. Source: Martz 1996 (fill only points that are not set yet).

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::fractal::{Edges, Known};
use crate::generate::formula::{self, Formula};
use crate::generate::{GenerateError, Generator, Request, Surface};
use crate::terrain::grid::{Edge, Grid};
use crate::util::job::{Cancelled, Job};
use crate::util::parallel;
use crate::util::param::{OutOfRange, Param, Params, float_param};

/// Largest number of pins of a map.
pub const MOST_PINS: usize = 1000;

/// Point with a fixed height.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Pin {
    /// Coordinate from west, −1, to east, 1; default 0.
    pub x: f32,
    /// Coordinate from north, −1, to south, 1; default 0.
    pub z: f32,
    /// Height in half tiles before the height scale, −1000…1000; default 0.
    pub height: f32,
}

impl Params for Pin {
    const KEPT: &'static [&'static str] = &["x", "z", "height"];

    const PARAMS: &'static [Param<Self>] = &[
        float_param!(x, "x", "half tiles", -1.0, 1.0, slider: (-1.0, 1.0),
            "From west to east."),
        float_param!(z, "z", "half tiles", -1.0, 1.0, slider: (-1.0, 1.0),
            "From north to south."),
        float_param!(height, "Height", "half tiles", -1000.0, 1000.0, slider: (-1.0, 1.0),
            "Before the height scale."),
    ];
}

impl Pin {
    /// Row and column of the nearest point of the lattice of `level`; halfway values round to the south or
    /// east. On a wrapped map the last row and column are the first.
    #[must_use]
    pub fn point(&self, level: u32, wraps: bool) -> (usize, usize) {
        let cells = 1usize << level;
        let index = |place: f32| {
            let cell = (f64::from(place) + 1.0) * 0.5 * cells as f64;
            let index = (cell + 0.5).floor().clamp(0.0, cells as f64) as usize;
            if wraps { index % cells } else { index }
        };
        (index(self.z), index(self.x))
    }

    /// Move the pin to the nearest point of the lattice of `level`.
    #[must_use]
    pub fn snapped(self, level: u32) -> Self {
        let (row, column) = self.point(level, false);
        let place = |index: usize| (2.0 * index as f64 / f64::from(1u32 << level) - 1.0) as f32;
        Self {
            x: place(column),
            z: place(row),
            ..self
        }
    }
}

impl Surface {
    /// Border handling of the generator; `None` if it takes no pins.
    #[must_use]
    pub fn pin_edges(&self) -> Option<Edges> {
        match self.generator {
            Generator::DiamondSquare => Some(self.diamond_square.edges),
            Generator::Midpoint => Some(self.midpoint.edges),
            _ => None,
        }
    }

    /// Check the pins' number and ranges, and that no two pins lie on one point of the lattice.
    ///
    /// # Errors
    /// There are too many pins, or one has an invalid position; the error names the first one.
    pub fn check_pins(&self) -> Result<(), OutOfRange> {
        check(self, "surface")
    }

    /// Coordinates x and z, −1…1, of every point fixed by a pin, if the generator takes pins. On a wrapped
    /// map a pin on the border also fixes the points on the opposite border. A pin has no effect if the
    /// map's iterations do not reach its point.
    #[must_use]
    pub fn pinned_places(&self) -> Vec<[f32; 2]> {
        let Some(edges) = self.pin_edges() else {
            return Vec::new();
        };
        let level = self.pin_level.min(self.iterations);
        let place = |index: usize| (2.0 * index as f64 / f64::from(1u32 << level) - 1.0) as f32;
        let points = self
            .pins
            .iter()
            .flat_map(|pin| points(pin, self.pin_level, level, edges));
        points
            .map(|(row, column)| [place(column), place(row)])
            .collect()
    }

    /// Messages about pins and input heights on lattices finer than the map, one line each.
    #[must_use]
    pub fn beyond_iterations(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let iterations = self.iterations;
        let Some(edges) = self.pin_edges() else {
            return lines;
        };
        if self.pin_level > iterations {
            let between = |pin: &&Pin| points(pin, self.pin_level, iterations, edges).count() == 0;
            let lost = self.pins.iter().filter(between).count();
            let level = self.pin_level;
            let what = match lost {
                0 => None,
                1 => Some("1 pin lies between the map's points and has".to_owned()),
                lost => Some(format!("{lost} pins lie between the map's points and have")),
            };
            lines.extend(what.map(|what| {
                format!(
                    "Iterations is {iterations}, below the pin level {level}: {what} no effect."
                )
            }));
        }
        if let Some(level) = self.seeded_level().filter(|level| *level > iterations) {
            lines.push(format!(
                "Iterations is {iterations}, below the input level {level}: not every height of \
                 the input is on the map."
            ));
        }
        lines
    }

    /// Level of the lattice whose heights come from the input image or formula; `None` if the generator
    /// uses neither.
    #[must_use]
    pub fn seeded_level(&self) -> Option<u32> {
        let seeded = self.input.is_some() || !self.input_formula.is_empty();
        let level = match self.generator {
            Generator::DiamondSquare => self.diamond_square.input_level,
            Generator::Midpoint => self.midpoint.input_level,
            _ => return None,
        };
        seeded.then_some(level)
    }
}

/// Points of the lattice of `level` fixed by a pin on the lattice of `pin_level`: none if the pin lies
/// between them, and up to four on a wrapped map.
pub(super) fn points(
    pin: &Pin,
    pin_level: u32,
    level: u32,
    edges: Edges,
) -> impl Iterator<Item = (usize, usize)> {
    let wraps = edges == Edges::Wrap;
    let (row, column) = pin.point(pin_level, wraps);
    let shift = pin_level.saturating_sub(level);
    let there = (row | column).trailing_zeros() >= shift;
    let cells = 1usize << level;
    let both = move |index: usize| {
        let index = index >> shift;
        let across = (wraps && index == 0).then_some(cells);
        [Some(index), across].into_iter().flatten()
    };
    let rows = there.then(|| both(row)).into_iter().flatten();
    rows.flat_map(move |row| both(column).map(move |column| (row, column)))
}

/// Check the pins of a surface at `table` in the scene, as [`Surface::check_pins`] does.
pub(super) fn check(surface: &Surface, table: &str) -> Result<(), OutOfRange> {
    let Surface {
        pins, pin_level, ..
    } = surface;
    if pins.len() > MOST_PINS {
        return Err(OutOfRange {
            key: format!("{table}.pins"),
            value: format!("{} pins", pins.len()),
            allowed: format!("at most {MOST_PINS} pins"),
        });
    }
    let wraps = surface.pin_edges() == Some(Edges::Wrap);
    let mut taken = HashMap::new();
    for (index, pin) in pins.iter().enumerate() {
        pin.check(&format!("{table}.pins.{index}"))?;
        if let Some(first) = taken.insert(pin.point(*pin_level, wraps), index) {
            let across = if wraps {
                " (opposite borders are one)"
            } else {
                ""
            };
            return Err(OutOfRange {
                key: format!("{table}.pins.{index}"),
                value: format!("on the same point as {table}.pins.{first}"),
                allowed: format!(
                    "one pin per point of the {0} × {0} cells of {table}.pin_level = {pin_level}{across}",
                    1u32 << pin_level
                ),
            });
        }
    }
    Ok(())
}

// Fixed points of subdivision, from an image, a formula or pins.

/// Points that the scene fixes on a map with these edges. An image or a formula gives them on the
/// lattice of `input_level`; pins override both.
pub(super) fn known_points(
    request: &Request<'_>,
    edges: Edges,
    input_level: u32,
) -> Result<Option<Known>, GenerateError> {
    let surface = request.surface;
    let seeds = if surface.input.is_some() {
        let image = request.input_heights()?;
        Some((
            input_level,
            of_image(
                edges,
                input_level,
                &image,
                surface.keeps_its_metres(),
                request.job,
            )?,
        ))
    } else if !surface.input_formula.is_empty() {
        Some((input_level, of_formula(edges, input_level, request)?))
    } else {
        None
    };
    if surface.pins.is_empty() {
        return Ok(seeds.map(|(level, heights)| Known::new(level, heights)));
    }
    // Points of lattices finer than the map do not exist.
    let pin_level = surface.pin_level.min(surface.iterations);
    let level = seeds.as_ref().map_or(0, |(level, _)| *level).max(pin_level);
    let side = (1usize << level) + 1;
    let mut heights = Grid::filled(side, side, f32::NAN);
    if let Some((seeded, seeds)) = seeds {
        let shift = level - seeded;
        for row in 0..seeds.rows() {
            for column in 0..seeds.columns() {
                heights.set(row << shift, column << shift, seeds.at(row, column));
            }
        }
    }
    for pin in &surface.pins {
        let shift = level - pin_level;
        for (row, column) in points(pin, surface.pin_level, pin_level, edges) {
            let height = pin.height * surface.height_scale;
            heights.set(row << shift, column << shift, height);
        }
    }
    Ok(Some(Known::new(level, heights)))
}

/// Sample the image on the lattice of `level`. With free edges its border samples lie on the map's
/// border; with wrapped edges the image is one period. A model in metres keeps its scale and its
/// shape: it lies in the north-west, and where it is not square its border heights are continued.
fn of_image(
    edges: Edges,
    level: u32,
    image: &Grid<f32>,
    in_metres: bool,
    job: &Job,
) -> Result<Grid<f32>, Cancelled> {
    let cells = 1usize << level;
    let wraps = edges == Edges::Wrap;
    let longer = image.rows().max(image.columns());
    let step = |count: usize| match (in_metres, wraps) {
        (true, _) => (longer - 1) as f64 / cells as f64,
        (false, true) => count as f64 / cells as f64,
        (false, false) => (count - 1) as f64 / cells as f64,
    };
    let (down, across) = (step(image.rows()), step(image.columns()));
    let edge = if wraps && !in_metres {
        Edge::Wrap
    } else {
        Edge::Clamp
    };
    let mut heights = Grid::filled(cells + 1, cells + 1, 0.0);
    let rows = parallel::par_items(heights.as_mut_slice().chunks_mut(cells + 1));
    rows.at_least(16).for_each_in(job, |row, heights| {
        // On a wrapped map the last row and column repeat the first.
        let source = |index: usize| if wraps { index % cells } else { index } as f64;
        for (column, height) in heights.iter_mut().enumerate() {
            *height = image.bilinear(source(row) * down, source(column) * across, edge);
        }
    })?;
    Ok(heights)
}

/// Sample the formula on the lattice of `level`; with wrapped edges the tile is one period.
fn of_formula(edges: Edges, level: u32, request: &Request<'_>) -> Result<Grid<f32>, GenerateError> {
    let surface = request.surface;
    let formula = Formula::new("surface.input_formula", &surface.input_formula)?;
    let side = (1usize << level) + 1;
    let mut heights = Grid::filled(side, side, 0.0);
    let wraps = edges == Edges::Wrap;
    let scale = surface.height_scale;
    formula.fill(heights.as_mut_slice(), side, wraps, scale, request.job)?;
    Ok(heights)
}

/// Check that `text` is allowed as input formula: empty, or a formula while no input image is set.
///
/// # Errors
/// The text is not allowed; the message states what is.
pub(super) fn check_formula(surface: &Surface, text: &str) -> Result<(), String> {
    if text.is_empty() {
        return Ok(());
    }
    if let Some(path) = &surface.input {
        return Err(format!(
            "empty while there is an image: surface.input = {:?}",
            path.display().to_string()
        ));
    }
    formula::check(text)
}
