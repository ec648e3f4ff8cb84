//! Static meshes.

use std::rc::Rc;

use glium::VertexBuffer;
use glium::backend::Context;
use glium::vertex::PerInstance;

use crate::render::error::{Refused, RenderError};

pub(super) mod dome;
pub(super) mod patch;
pub(super) mod pyramid;
pub(super) mod quad;
pub(super) mod rings;
pub(super) mod skirt;

/// Meshes available to every render type.
pub(super) struct Meshes {
    /// Two triangles over the whole viewport.
    pub(super) screen: VertexBuffer<quad::Corner>,
    /// A strip of two triangles, from -1 to 1.
    pub(super) square: VertexBuffer<quad::Corner>,
    pub(super) patch: patch::Patch,
    pub(super) skirt: skirt::Skirt,
}

impl Meshes {
    pub(super) fn new(context: &Rc<Context>) -> Result<Self, RenderError> {
        Ok(Self {
            screen: quad::screen(context)?,
            square: quad::strip(context)?,
            patch: patch::Patch::new(context)?,
            skirt: skirt::Skirt::new(context)?,
        })
    }
}

/// Use a buffer as instance data.
pub(super) fn instances<'a, T: Copy>(
    buffer: &'a VertexBuffer<T>,
    what: &'static str,
) -> Result<PerInstance<'a>, RenderError> {
    let instances = buffer.per_instance();
    instances.map_err(|_| "no instances").refused(what)
}

/// Build a grid mesh of rows × columns cells: vertices row by row, and indices of two triangles per cell.
fn grid<T>(rows: u16, columns: u16, corner: impl Fn(u16, u16) -> T) -> (Vec<T>, Vec<u16>) {
    let places = |rows: u16, columns: u16| {
        (0..rows).flat_map(move |row| (0..columns).map(move |column| (row, column)))
    };
    let corners = places(rows + 1, columns + 1).map(|(row, column)| corner(row, column));
    let at = |row: u16, column: u16| row * (columns + 1) + column;
    let triangles = places(rows, columns).flat_map(|(row, column)| {
        let (a, b) = (at(row, column), at(row, column + 1));
        let (c, d) = (at(row + 1, column), at(row + 1, column + 1));
        [a, b, c, c, b, d]
    });
    (corners.collect(), triangles.collect())
}
