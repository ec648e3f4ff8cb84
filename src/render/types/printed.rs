//! Map overprint: hillshade and rivers over the colours.

use glium::uniforms::{UniformValue, Uniforms};

use crate::render::pass::Pass;
use crate::render::textures::rivers::RiverTextures;
use crate::shading::maps::colors::water_color;

/// Uniforms of `common/printed.glsl`, with those of `RIVERS` if there are any.
pub(super) fn printed<'a>(pass: &Pass<'a>) -> impl Uniforms + use<'a> {
    Printed {
        hillshade: pass.scene.analysis.hillshade,
        water_color: water_color(pass.scene.water.color),
        rivers: pass.rivers.map(RiverTextures::uniforms),
    }
}

struct Printed<Rivers> {
    hillshade: bool,
    water_color: [f32; 3],
    rivers: Option<Rivers>,
}

impl<Rivers: Uniforms> Uniforms for Printed<Rivers> {
    fn visit_values<'a, F: FnMut(&str, UniformValue<'a>)>(&'a self, mut visit: F) {
        visit("hillshade", UniformValue::Bool(self.hillshade));
        visit("water_color", UniformValue::Vec3(self.water_color));
        if let Some(rivers) = &self.rivers {
            rivers.visit_values(visit);
        }
    }
}
