//! Whether a map fits into the memory that is free, known before the work starts.

use super::ExportError;
use crate::generate::{Generator, Surface};
use crate::memory;
use crate::pipeline;
use crate::scene::Scene;

/// Refuses a scene whose ground, with one layer at a time over it, the free memory cannot hold.
/// Maps of images are as large as the image, which is in memory already.
///
/// # Errors
/// [`ExportError::Memory`] with both numbers.
pub fn check_memory(scene: &Scene) -> Result<(), ExportError> {
    let ground = pipeline::ground(scene);
    let layers = scene.layers_on().map(|(_, layer)| layer);
    let layers = layers.map(|layer| bytes(&layer.ground(ground.iterations)));
    let needed = bytes(&ground).saturating_add(layers.max().unwrap_or(0));
    check_free(needed)
}

/// As [`check_memory`], with other iterations.
pub(super) fn check_surface(scene: &Scene, iterations: u32) -> Result<(), ExportError> {
    let mut scene = scene.clone();
    scene.surface.iterations = iterations;
    check_memory(&scene)
}

/// Refuses so many bytes if the free memory cannot hold them.
pub(super) fn check_free(needed: u64) -> Result<(), ExportError> {
    memory::check(needed)
        .map_err(|memory::TooMuch { needed, free }| ExportError::Memory { needed, free })
}

/// Bytes of the heights of a surface.
fn bytes(surface: &Surface) -> u64 {
    let side = (1u64 << surface.iterations.min(31)) + 1;
    match surface.generator {
        Generator::Image if surface.image.size == crate::generate::image::Size::Native => 0,
        Generator::Midpoint1d => side * 4,
        _ => side.saturating_mul(side).saturating_mul(4),
    }
}
