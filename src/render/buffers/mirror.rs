//! Buffer for the reflection: the ground drawn upside down, for water to mirror.

use std::cell::Cell;
use std::rc::Rc;

use glium::backend::Context;
use glium::framebuffer::SimpleFrameBuffer;
use glium::texture::{
    DepthFormat, DepthTexture2d, MipmapsOption, Texture2d, UncompressedFloatFormat,
};

use crate::render::error::{Refused, RenderError};
use crate::render::gl::texture;

/// Colour and depth buffers of the reflection.
pub(crate) struct MirrorBuffer {
    size: (u32, u32),
    pub(crate) color: Texture2d,
    pub(crate) depth: DepthTexture2d,
    /// Distances of the near and far planes.
    pub(crate) depths: Cell<(f32, f32)>,
}

impl MirrorBuffer {
    /// Size in bytes on the graphics card: four half floats and a depth per pixel.
    pub(crate) fn bytes(&self) -> u64 {
        u64::from(self.size.0) * u64::from(self.size.1) * 12
    }

    /// The kept buffer if it has this size, else a new one in its place.
    pub(crate) fn of_size<'a>(
        context: &Rc<Context>,
        kept: &'a mut Option<Self>,
        size: (u32, u32),
    ) -> Result<&'a Self, RenderError> {
        if kept.as_ref().is_none_or(|old| old.size != size) {
            let (what, none) = ("what water mirrors", MipmapsOption::NoMipmap);
            let (color, depth) = (UncompressedFloatFormat::F16F16F16F16, DepthFormat::I24);
            let depth = DepthTexture2d::empty_with_format(context, depth, none, size.0, size.1);
            *kept = Some(Self {
                size,
                color: texture::empty(context, color, size, what)?,
                depth: depth.refused(what)?,
                depths: Cell::new((0.0, 0.0)),
            });
        }
        kept.as_ref()
            .ok_or("no buffer")
            .refused("what water mirrors")
    }

    /// The surface to draw on.
    pub(crate) fn surface(
        &self,
        context: &Rc<Context>,
    ) -> Result<SimpleFrameBuffer<'_>, RenderError> {
        SimpleFrameBuffer::with_depth_buffer(context, &self.color, &self.depth)
            .refused("what water mirrors")
    }
}
