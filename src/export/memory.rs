//! Whether a map fits into the memory that is free, known before the work starts.

use super::ExportError;
use crate::drainage;
use crate::generate::image::Size;
use crate::generate::{Generator, MOST_SHOWN, Surface};
use crate::heightmap::Heightmap;
use crate::inputs::Inputs;
use crate::memory;
use crate::pipeline;
use crate::rivers;
use crate::scene::Scene;

/// Refuses a scene whose ground, with one layer at a time over it, and once more as it was before a
/// step with a mask, the free memory cannot hold.
///
/// # Errors
/// [`ExportError::Memory`] with both numbers.
pub fn check_memory(scene: &Scene, inputs: &Inputs) -> Result<(), ExportError> {
    let (ground, layer) = bytes_of(scene, inputs);
    let maps = 1 + u64::from(acts_in_part(scene));
    check_free(ground.saturating_mul(maps).saturating_add(layer))
}

/// As [`check_memory`], of a picture: the ground stays as it was generated, and there is another
/// one under layers, another one modified and another one flooded, for what changes it; one more as it
/// was before a step that acts in part; the driver has it, too. Rivers and a watershed come on top.
///
/// # Errors
/// As [`check_memory`].
pub fn check_picture(scene: &Scene, inputs: &Inputs) -> Result<(), ExportError> {
    let (mut ground, layer) = bytes_of(scene, inputs);
    let surface = pipeline::surface_of(scene);
    if pipeline::goes_on_as_itself(scene) && surface.shown_stride() > 1 {
        ground = ground.min((MOST_SHOWN * MOST_SHOWN * 4) as u64);
    }
    let copies = [
        true,
        scene.layers_on().next().is_some(),
        scene.modifiers_on().next().is_some(),
        scene.water_level().is_some(),
        acts_in_part(scene),
    ];
    let rivers = match scene.water.rivers {
        true => rivers::BYTES_A_SAMPLE,
        false => 0,
    };
    let watershed = match pipeline::pour_point(scene) {
        // Its cells and its edge.
        Some(_) => drainage::BYTES_A_SAMPLE + 4,
        None => 0,
    };
    let maps = copies.into_iter().filter(|there| *there).count() as u64 + 1;
    let rivers = (ground / 4).min((MOST_SHOWN * MOST_SHOWN) as u64) * (rivers + watershed);
    check_free(ground.saturating_mul(maps).saturating_add(layer + rivers))
}

/// Refuses to ask where the water of a map flows if the free memory cannot hold the answer.
///
/// # Errors
/// As [`check_memory`].
pub fn check_drainage(map: &Heightmap) -> Result<(), ExportError> {
    check_free(map.heights().len() as u64 * drainage::BYTES_A_SAMPLE)
}

/// As [`check_memory`], with other iterations.
pub(super) fn check_surface(
    scene: &Scene,
    inputs: &Inputs,
    iterations: u32,
) -> Result<(), ExportError> {
    let mut scene = scene.clone();
    scene.surface.iterations = iterations;
    check_memory(&scene, inputs)
}

/// Whether a step has a mask or less than its whole strength, so that it acts in part.
fn acts_in_part(scene: &Scene) -> bool {
    let mut modifiers = scene.modifiers_on();
    scene.layers_on().any(|(_, layer)| layer.acts_in_part())
        || modifiers.any(|(_, modifier)| modifier.acts_in_part())
}

/// Bytes of the ground's heights, and of those of its largest layer.
fn bytes_of(scene: &Scene, inputs: &Inputs) -> (u64, u64) {
    let ground = pipeline::surface_of(scene);
    let layers = scene.layers_on().map(|(_, layer)| layer);
    let layers = layers.map(|layer| bytes(&layer.surface_at(ground.iterations), inputs));
    (bytes(&ground, inputs), layers.max().unwrap_or(0))
}

/// Refuses so many bytes if the free memory cannot hold them.
pub(super) fn check_free(needed: u64) -> Result<(), ExportError> {
    memory::check(needed)
        .map_err(|memory::TooMuch { needed, free }| ExportError::Memory { needed, free })
}

/// Bytes of the heights of a surface.
fn bytes(surface: &Surface, inputs: &Inputs) -> u64 {
    let side = (1u64 << surface.iterations.min(31)) + 1;
    match surface.generator {
        Generator::Image if surface.image.size == Size::Native => {
            // Without it there is no map at all.
            let image = inputs.images.of(surface);
            image.map_or(0, |image| size_of_val(image.grid.as_slice()) as u64)
        }
        Generator::Midpoint1d => side * 4,
        _ => side.saturating_mul(side).saturating_mul(4),
    }
}
