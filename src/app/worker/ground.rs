//! Ground data for the interface: heights for new pins, and the condition under which cameras need
//! the ground at once.

use std::sync::Arc;

use crate::pipeline::Pipeline;
use crate::scene::{CameraMode, RenderType, Scene};
use crate::terrain::heightmap::Heightmap;
use crate::util::numbers::thinning;

/// Maximum number of samples a side of the ground for pins.
const SIDE: usize = 1025;

/// Downsampled ground of the last generated landscape before its modifiers, for the heights of new
/// pins. `None` if pins cannot be placed.
pub fn ground_for_pins(scene: &Scene, pipeline: &Pipeline) -> Option<Arc<Heightmap>> {
    if scene.render_type() != RenderType::Map || scene.surface.pin_edges().is_none() {
        return None;
    }
    let map = pipeline.generated()?;
    let stride = thinning(map.rows(), SIDE);
    let thinned = |count: usize| (0..count).step_by(stride);
    let heights: Vec<f32> = thinned(map.rows())
        .flat_map(|row| thinned(map.columns()).map(move |column| map.at(row, column)))
        .collect();
    let (rows, columns) = (thinned(map.rows()).count(), thinned(map.columns()).count());
    Some(Arc::new(Heightmap::new(
        rows,
        columns,
        map.wraps(),
        heights,
    )))
}

/// True if the scene's camera moves over the ground and needs it at once.
pub fn moves_over_ground(scene: &Scene) -> bool {
    let over_it = matches!(scene.camera.mode, CameraMode::Fly | CameraMode::Walk);
    over_it || !scene.path.frames.is_empty()
}
