//! Framebuffers and textures that pictures are drawn into.

mod distances;
mod mirror;
mod picture;
mod store;

pub(super) use distances::DistanceBuffer;
pub(super) use mirror::MirrorBuffer;
pub(super) use picture::{PictureBuffers, check_size};
pub(super) use store::BufferStore;
