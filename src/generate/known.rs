//! Fixed points of subdivision, from an image, a formula or pins.

use super::formula::{self, Formula};
use super::{GenerateError, Request, Surface, pins};
use crate::fractal::Edges;
use crate::fractal::Known;
use crate::terrain::grid::{Edge, Grid};
use crate::util::job::{Cancelled, Job};
use crate::util::parallel;

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
        for (row, column) in pins::points(pin, surface.pin_level, pin_level, edges) {
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
    rows.at_least(16).try_each(|row, heights| {
        job.check()?;
        // On a wrapped map the last row and column repeat the first.
        let source = |index: usize| if wraps { index % cells } else { index } as f64;
        for (column, height) in heights.iter_mut().enumerate() {
            *height = image.bilinear(source(row) * down, source(column) * across, edge);
        }
        Ok(())
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
