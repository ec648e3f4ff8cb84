//! What the window wants of the ground beside its picture: heights for pins, and whether a camera
//! waits for it.

use std::sync::Arc;

use crate::heightmap::Heightmap;
use crate::numbers::thinning;
use crate::pipeline::Pipeline;
use crate::scene::{CameraMode, RenderType, Scene};

/// Most samples a side of the ground that new pins take their height from.
const SIDE: usize = 1025;

/// The ground of a landscape that was made just now, before its modifiers, thinned: what new
/// pins take their height from. `None` where no pins can be placed.
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

/// Whether the scene's camera moves over the ground, so that it must not wait for it.
pub fn moves_over_ground(scene: &Scene) -> bool {
    let over_it = matches!(scene.camera.mode, CameraMode::Fly | CameraMode::Walk);
    over_it || !scene.path.frames.is_empty()
}
