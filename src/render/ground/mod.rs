//! Which patches of the ground are seen, and how they are drawn.

mod lod;
mod seen;
mod sides;
mod tiling;

pub(super) use seen::Seen;
