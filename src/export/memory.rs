//! Whether a map fits into the memory that is free, known before the work starts.

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

use super::ExportError;
use crate::generate::{Generator, Surface};

/// Maps of fewer bytes are not worth the question.
const SMALL: u64 = 64 << 20;

/// Refuses a map that the free memory cannot hold. Maps of images are as large as the image,
/// which is in memory already.
///
/// # Errors
/// [`ExportError::Memory`] with both numbers.
pub fn check_memory(surface: &Surface) -> Result<(), ExportError> {
    let side = (1u64 << surface.iterations.min(31)) + 1;
    let needed = match surface.generator {
        Generator::Image if surface.image.size == crate::generate::image::Size::Native => 0,
        Generator::Midpoint1d => side * 4,
        _ => side * side * 4,
    };
    if needed < SMALL {
        return Ok(());
    }
    let refresh = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(refresh);
    let limit = system.cgroup_limits().map(|limits| limits.free_memory);
    let free = limit.map_or(system.available_memory(), |limit| {
        limit.min(system.available_memory())
    });
    if free > 0 && needed > free {
        return Err(ExportError::Memory { needed, free });
    }
    Ok(())
}
