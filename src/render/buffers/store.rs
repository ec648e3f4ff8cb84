//! Pool of picture buffers: the last picture, and spares to draw the next one into.

use std::rc::Rc;

use glium::backend::Context;

use super::PictureBuffers;
use crate::render::error::RenderError;

/// Maximum number of spare buffers: a fine one, a coarse one, and one for enlarging that.
const MOST_SPARE: usize = 3;

/// The last picture, and spare buffers, the largest last.
#[derive(Default)]
pub(crate) struct BufferStore {
    shown: Option<PictureBuffers>,
    spare: Vec<PictureBuffers>,
}

impl BufferStore {
    /// Take fitting spare buffers of `size`, or create new ones.
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

    /// Set the last picture; the previous one becomes a spare.
    pub(crate) fn show(&mut self, picture: PictureBuffers) {
        let before = self.shown.replace(picture);
        before.into_iter().for_each(|before| self.keep(before));
    }

    /// Keep buffers as spares, unless there are enough.
    pub(crate) fn keep(&mut self, buffers: PictureBuffers) {
        self.spare.push(buffers);
        // The large ones take longest to create.
        self.spare.sort_by_key(PictureBuffers::bytes);
        let surplus = self.spare.len().saturating_sub(MOST_SPARE);
        self.spare.drain(..surplus);
    }

    /// Free all spares.
    pub(crate) fn forget_spare(&mut self) {
        self.spare.clear();
    }

    /// Size in bytes on the graphics card.
    pub(crate) fn bytes(&self) -> u64 {
        let all = self.shown.iter().chain(&self.spare);
        all.map(PictureBuffers::bytes).sum()
    }
}
