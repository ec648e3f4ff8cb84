//! Predicates: the analysis features that change how a scene is drawn.

use crate::scene::{GroundColor, Scene};

/// True if the map needs the shader for analysis instead of `map.frag`.
pub(crate) fn recolors(scene: &Scene) -> bool {
    scene.analysis.color != GroundColor::Height || scene.analysis.hillshade
}

/// True if the ground in perspective needs the analysis variant of `triangles.frag`.
pub(crate) fn marks_ground(scene: &Scene) -> bool {
    let analysis = &scene.analysis;
    analysis.color != GroundColor::Height || analysis.contours || scene.section.is_drawn()
}
