//! The numbers that Rust and shaders share: every shader begins with them.

use crate::render::meshes::rings::RingMesh;
use crate::rivers::part::NEAREST;
use crate::sky::air::HAZE_FORWARD;
use crate::sky::{AZIMUTHS, ELEVATIONS};
use crate::texture::{detail, waves};

/// The colour of sand, in linear light.
pub(crate) const SAND: [f32; 3] = [0.47, 0.38, 0.25];
/// The side in pixels of the squares of a picture that have rivers or not.
pub(crate) const RIVER_SQUARE: u32 = 8;
/// The side in cells of pixels so far away that no water in them mirrors land.
const DISTANT_RIVER: f32 = 2.0;
/// Farther away than anything: the distance where there is no ground.
pub(crate) const NOTHING: f32 = 1e20;

/// A pixel shows two grounds if their distances differ by more than this part.
pub(crate) const EDGE: f32 = 0.01;
/// Depths of pixels of which all, or some, shows ground that was found without triangles. What is
/// drawn below that lies between them.
const COVERED: f32 = 0.25;
const PARTLY: f32 = 0.75;
/// The depths of water and of the sky below such ground: before nothing, and before some ground.
pub(crate) const WATER_BELOW: f32 = 0.5;
pub(crate) const SKY_BELOW: f32 = 0.7;

/// By how many levels stones, grains and waves are coarser than what a pixel could show: with this
/// the picture of an eye that moves by a tenth of a pixel differs by at most 3/255 in 99 of 100
/// numbers, and is off by less than 0.5/255 in the mean. With none it is 4; with twice as much close
/// ground looks soft.
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

/// A constant of one to four numbers.
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
