//! The last picture, and the buffers that the next one may be drawn in.

use std::rc::Rc;

use glium::backend::Context;

use super::PictureBuffers;
use crate::render::error::RenderError;

/// Buffers kept besides those of the last picture: a fine one, a coarse one, and one that this is enlarged
/// in.
const MOST_SPARE: usize = 3;

/// The last picture, and spare buffers, the largest last.
#[derive(Default)]
pub(crate) struct BufferStore {
    shown: Option<PictureBuffers>,
    spare: Vec<PictureBuffers>,
}

impl BufferStore {
    /// Buffers of `size`: spare ones that fit, else new ones.
    pub(crate) fn take(
        &mut self,
        context: &Rc<Context>,
        size: (u32, u32),
        antialias: bool,
    ) -> Result<PictureBuffers, RenderError> {
        PictureBuffers::new(context, &mut self.spare, size, antialias)
    }

    /// The last picture.
    pub(crate) fn shown(&self) -> Option<&PictureBuffers> {
        self.shown.as_ref()
    }

    /// Makes a picture the last one.
    pub(crate) fn show(&mut self, picture: PictureBuffers) {
        let before = self.shown.replace(picture);
        before.into_iter().for_each(|before| self.keep(before));
    }

    /// Keeps buffers for another picture, unless there are enough.
    pub(crate) fn keep(&mut self, buffers: PictureBuffers) {
        self.spare.push(buffers);
        // The large ones take longest to make.
        self.spare.sort_by_key(PictureBuffers::bytes);
        let surplus = self.spare.len().saturating_sub(MOST_SPARE);
        self.spare.drain(..surplus);
    }

    /// Lets go of all but the last picture.
    pub(crate) fn forget_spare(&mut self) {
        self.spare.clear();
    }

    /// Bytes on the graphics card.
    pub(crate) fn bytes(&self) -> u64 {
        let all = self.shown.iter().chain(&self.spare);
        all.map(PictureBuffers::bytes).sum()
    }
}
