//! Vertices that are made once and never change.

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

/// What every render type may draw with.
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

/// What a mesh is drawn once for each of.
pub(super) fn instances<'a, T: Copy>(
    buffer: &'a VertexBuffer<T>,
    what: &'static str,
) -> Result<PerInstance<'a>, RenderError> {
    let instances = buffer.per_instance();
    instances.map_err(|_| "no instances").refused(what)
}
