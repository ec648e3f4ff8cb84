//! Memory and disk space checks before the work starts.

use std::path::Path;

use super::error::ExportError;
use crate::generate::image::Size;
use crate::generate::{Generator, MOST_SHOWN, Surface};
use crate::pipeline;
use crate::pipeline::inputs::Inputs;
use crate::scene::Scene;
use crate::shading::snow;
use crate::terrain::heightmap::Heightmap;
use crate::terrain::{drainage, rivers};
use crate::util::memory;

/// Files of fewer bytes are not checked.
const SMALL: u64 = 256 << 20;

/// Check that the free memory can hold a scene's ground and one layer at a time, plus a copy of the
/// ground if a step acts in part.
///
/// # Errors
/// [`ExportError::Memory`] with needed and free bytes.
pub fn check_memory(scene: &Scene, inputs: &Inputs) -> Result<(), ExportError> {
    let (ground, layer) = bytes_of(scene, inputs);
    let maps = 1 + u64::from(acts_in_part(scene));
    check_free(ground.saturating_mul(maps).saturating_add(layer))
}

/// Check that the free memory can hold a scene for rendering. The generated ground is kept, with one copy
/// each for layers, modifiers, water, snow and a step that acts in part, and one in the graphics driver.
/// Rivers, snow and a watershed add to that.
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
        snow::is_shown(scene),
        acts_in_part(scene),
    ];
    let rivers = match scene.water.rivers {
        true => rivers::BYTES_A_SAMPLE,
        false => 0,
    };
    let watershed = match pipeline::pour_point(scene) {
        // Drainage cells and the border of the watershed.
        Some(_) => drainage::BYTES_A_SAMPLE + 4,
        None => 0,
    };
    let snow = match snow::is_shown(scene) {
        true => snow_bytes(ground / 4),
        false => 0,
    };
    let maps = copies.into_iter().filter(|there| *there).count() as u64 + 1;
    let rivers = (ground / 4).min((MOST_SHOWN * MOST_SHOWN) as u64) * (rivers + watershed);
    check_free(
        ground
            .saturating_mul(maps)
            .saturating_add(layer + rivers + snow),
    )
}

/// Check that the free memory can hold the snow on a map, and its surface.
///
/// # Errors
/// As [`check_memory`].
pub fn check_snow(map: &Heightmap) -> Result<(), ExportError> {
    let samples = map.heights().len() as u64;
    check_free(samples * 5 + snow_bytes(samples))
}

/// Bytes of the snow on a map of so many samples while it is made.
fn snow_bytes(samples: u64) -> u64 {
    let most = (snow::MOST_SIDE * snow::MOST_SIDE) as u64;
    samples.min(most) * snow::BYTES_A_SAMPLE
}

/// Check that the free memory can hold the flow routing of a map.
///
/// # Errors
/// As [`check_memory`].
pub fn check_drainage(map: &Heightmap) -> Result<(), ExportError> {
    check_free(map.heights().len() as u64 * drainage::BYTES_A_SAMPLE)
}

/// True if a step has a mask or less than full strength, so that the ground before it is kept.
fn acts_in_part(scene: &Scene) -> bool {
    let mut modifiers = scene.modifiers_on();
    scene.layers_on().any(|(_, layer)| layer.acts_in_part())
        || modifiers.any(|(_, modifier)| modifier.acts_in_part())
}

/// Bytes of the ground's heights and of the largest layer's heights.
fn bytes_of(scene: &Scene, inputs: &Inputs) -> (u64, u64) {
    let ground = pipeline::surface_of(scene);
    let layers = scene.layers_on().map(|(_, layer)| layer);
    let layers = layers.map(|layer| bytes(&layer.surface_at(ground.iterations), inputs));
    (bytes(&ground, inputs), layers.max().unwrap_or(0))
}

/// Check that this many bytes of memory are free.
pub(super) fn check_free(needed: u64) -> Result<(), ExportError> {
    memory::check(needed)
        .map_err(|memory::TooMuch { needed, free }| ExportError::Memory { needed, free })
}

/// Bytes of a surface's heights.
fn bytes(surface: &Surface, inputs: &Inputs) -> u64 {
    let side = (1u64 << surface.iterations.min(31)) + 1;
    match surface.generator {
        Generator::Image if surface.image.size == Size::Native => {
            // A missing image is reported elsewhere; here it needs no memory.
            let image = inputs.images.of(surface);
            image.map_or(0, |image| size_of_val(image.grid.as_slice()) as u64)
        }
        Generator::Midpoint1d => side * 4,
        _ => side.saturating_mul(side).saturating_mul(4),
    }
}

/// Check that the disk has room for a file of this many bytes. Disks that do not report their free space
/// are trusted.
///
/// # Errors
/// [`ExportError::Space`] with needed and free bytes.
pub fn check_space(path: &Path, needed: u64) -> Result<(), ExportError> {
    if needed < SMALL {
        return Ok(());
    }
    check_free_on_disk(path, needed, memory::free_on_disk(path))
}

fn check_free_on_disk(path: &Path, needed: u64, free: Option<u64>) -> Result<(), ExportError> {
    match free {
        Some(free) if needed > free => Err(ExportError::Space {
            needed,
            free,
            path: path.to_owned(),
        }),
        _ => Ok(()),
    }
}

/// Check that the disk has room for the remaining frames of a film, each as large as the one at this path.
///
/// # Errors
/// [`ExportError::SpaceOfFilm`] with needed and free bytes.
pub fn check_space_of_film(picture: &Path, more: u32) -> Result<(), ExportError> {
    let bytes = std::fs::metadata(picture).map_or(0, |picture| picture.len());
    match check_space(picture, bytes.saturating_mul(more.into())) {
        Err(ExportError::Space { needed, free, path }) => Err(ExportError::SpaceOfFilm {
            pictures: more,
            needed,
            free,
            path,
        }),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oversized_file_is_refused_but_silent_disk_trusted() {
        let path = Path::new("x.obj");
        for free in [None, Some(7 << 20)] {
            assert!(check_free_on_disk(path, 7 << 20, free).is_ok());
        }
        let error = check_free_on_disk(path, 7 << 20, Some(3 << 20)).expect_err("too much");
        let line = "the file needs 7 MB, 3 MB are free: x.obj";
        assert_eq!(error.to_string(), line);
    }

    #[test]
    fn little_is_not_asked_about() {
        assert!(check_space(Path::new("/nowhere/x.obj"), SMALL - 1).is_ok());
    }
}
