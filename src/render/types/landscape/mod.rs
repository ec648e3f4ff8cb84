//! Render type `landscape`, and the physical sky, which is also the render type `sky`.

mod close;
mod crowns;
mod inland;
mod materials;
mod mirror;
mod plants;
mod scenery;
mod sky;
mod water;
mod world;

pub(crate) use scenery::Scenery;
pub(super) use sky::PhysicalSky;
