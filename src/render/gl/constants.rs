//! Constants shared by Rust and GLSL, declared at the start of every shader.

use crate::render::meshes::rings::RingMesh;
use crate::shading::sky::air::HAZE_FORWARD;
use crate::shading::sky::{AZIMUTHS, ELEVATIONS};
use crate::shading::texture::{detail, waves};
use crate::terrain::rivers::NEAREST;

/// Colour of sand, in linear light.
pub(crate) const SAND: [f32; 3] = [0.47, 0.38, 0.25];
/// Side in pixels of the squares that are marked for rivers.
pub(crate) const RIVER_SQUARE: u32 = 8;
/// Footprint of a pixel in cells beyond which its water mirrors no land.
const DISTANT_RIVER: f32 = 2.0;
/// Distance where there is no ground: farther than anything.
pub(crate) const NOTHING: f32 = 1e20;

/// Relative difference of distances from which a pixel shows two surfaces.
pub(crate) const EDGE: f32 = 0.01;
/// Depth values of pixels fully or partly covered by ray-cast ground. Surfaces drawn behind it lie in
/// between.
const COVERED: f32 = 0.25;
const PARTLY: f32 = 0.75;
/// Depth values of water and of the sky behind such ground: in front of empty pixels, behind partly covered
/// ones.
pub(crate) const WATER_BELOW: f32 = 0.5;
pub(crate) const SKY_BELOW: f32 = 0.7;

/// Mipmap bias, in levels, of stones, grains and waves. With it, moving the eye by a tenth of a pixel changes
/// 99 of 100 values by at most 3/255, and the mean by less than 0.5/255. Without bias the change is 4/255;
/// with twice as much, close ground looks soft.
const STEADY: f32 = 0.25;

/// The declarations in GLSL.
pub(super) fn declarations() -> String {
    let declared = [
        declared("SAND", &SAND),
        declared("NOTHING", &[NOTHING]),
        declared("EDGE", &[EDGE]),
        declared("STEADY", &[STEADY]),
        declared("COVERED", &[COVERED]),
        declared("PARTLY", &[PARTLY]),
        declared("HAZE_FORWARD", &[HAZE_FORWARD]),
        declared("SKY_SIZE", &[AZIMUTHS as f32, ELEVATIONS as f32]),
        declared("DETAIL_SIDE", &[detail::SIDE as f32]),
        declared("WAVES_SIDE", &[waves::SIDE as f32]),
        declared("SLOPES_SQUARE", &[waves::SLOPES_SQUARE]),
        declared("RIVER_SQUARE", &[RIVER_SQUARE as f32]),
        declared("DISTANT_RIVER", &[DISTANT_RIVER]),
        declared("RIVERS_NEAREST", &[NEAREST]),
        declared("LAST_RING", &[RingMesh::beyond_all_but_the_last()]),
    ];
    declared.concat()
}

/// Declare a constant of one to four numbers.
fn declared(name: &str, value: &[f32]) -> String {
    let kind = ["float", "vec2", "vec3", "vec4"][value.len() - 1];
    let value: Vec<_> = value.iter().map(|number| format!("{number:?}")).collect();
    format!("const {kind} {name} = {kind}({});\n", value.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_glsl_reads_them() {
        assert_eq!(declared("A", &[2.0]), "const float A = float(2.0);\n");
        assert_eq!(
            declared("B", &[0.5, 1e20]),
            "const vec2 B = vec2(0.5, 1e20);\n"
        );
    }
}
