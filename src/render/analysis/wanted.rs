//! Whether a scene asks for any of it.

use crate::scene::{GroundColor, Scene};

/// Whether the map is coloured otherwise than by `map.frag`.
pub(crate) fn recolors(scene: &Scene) -> bool {
    scene.analysis.color != GroundColor::Height || scene.analysis.hillshade
}

/// Whether the ground in space is drawn otherwise than by plain `triangles.frag`.
pub(crate) fn marks_ground(scene: &Scene) -> bool {
    let analysis = &scene.analysis;
    analysis.color != GroundColor::Height || analysis.contours || scene.section.is_drawn()
}
