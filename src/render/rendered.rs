//! Render type `rendered`: the ground under its baked texture, in fog, below a cloudy sky.

use glium::framebuffer::SimpleFrameBuffer;
use glium::uniform;
use glium::uniforms::Uniforms;

use crate::maps::sky::{FOG, SKY_FOG};
use crate::scene::Fog;

use super::RenderError;
use super::backdrop;
use super::bake::Teximage;
use super::course::{Layer, Plan};
use super::ground::{Mesh, Seen, with_depth};
use super::height_texture::HeightTexture;
use super::pass::{DrawStats, Pass};
use super::programs::Shader;
use super::sky::{self, Clouds};
use super::spans::Span;
use super::subject::Subject;
use super::target::Target;
use super::triangles::light;
use super::values::joined;

const DETAIL: f32 = 3.6;
/// A patch takes about as long as so many pixels of the background.
const PATCH: u64 = 200_000;

/// A map, what is baked on it, and the clouds above it.
pub(super) struct Rendered<'a> {
    map: &'a HeightTexture,
    teximage: &'a Teximage,
    clouds: Option<&'a Clouds>,
}

impl<'a> Rendered<'a> {
    /// `None` if the map or its texture is not there yet.
    pub(super) fn new(
        map: Option<&'a HeightTexture>,
        teximage: Option<&'a Teximage>,
        clouds: Option<&'a Clouds>,
    ) -> Option<Self> {
        let (map, teximage) = (map?, teximage?);
        Some(Self {
            map,
            teximage,
            clouds,
        })
    }

    fn seen(&self, pass: &Pass<'_>) -> Seen<'a> {
        Seen::new(pass, self.map, DETAIL)
    }

    fn uniforms(&self, pass: &Pass<'_>) -> impl Uniforms {
        let view = &pass.scene.view;
        uniform! {
            teximage: self.teximage.sampled(view.filter, view.tile),
            fog: linear(&pass.scene.fog, (1.0, 1.0)),
            fog_color: FOG,
        }
    }
}

impl Subject for Rendered<'_> {
    fn below(&self, _pass: &Pass<'_>) -> Vec<Layer> {
        vec![Layer::Ground]
    }

    fn plan(&self, pass: &Pass<'_>, layer: Layer) -> Plan {
        self.seen(pass).plan(layer, &pass.frame, PATCH)
    }

    fn clear(&self, pass: &Pass<'_>, target: &Target, _layer: Layer) -> Result<(), RenderError> {
        let mut surface = target.surface(pass.context)?;
        if pass.frame.transparent {
            backdrop::clear(pass, &mut surface, Some(1.0));
        } else {
            let [r, g, b] = FOG.map(|v| if pass.scene.view.invert { 1.0 - v } else { v });
            pass.clear(&mut surface, Some((r, g, b, 1.0)), Some(1.0));
        }
        Ok(())
    }

    fn draw_below(
        &self,
        pass: &Pass<'_>,
        target: &Target,
        _layer: Layer,
        span: Span,
    ) -> Result<DrawStats, RenderError> {
        let mut surface = target.surface(pass.context)?;
        let (mesh, shader) = (Mesh::Triangles, Shader::Rendered);
        let uniforms = self.uniforms(pass);
        let seen = self.seen(pass).only(span);
        seen.draw(
            pass,
            &mut surface,
            mesh,
            shader,
            &joined!(uniforms),
            with_depth(pass),
        )
    }

    fn draw(
        &self,
        pass: &Pass<'_>,
        surface: &mut SimpleFrameBuffer<'_>,
        _target: &Target,
    ) -> Result<DrawStats, RenderError> {
        let light = light(self.map, pass.palette, &pass.scene.light);
        let uniforms = self.uniforms(pass);
        let seen = self.seen(pass);
        seen.draw_skirt(pass, surface, Shader::Skirt, &joined!(light, uniforms))?;
        if let Some(clouds) = self.clouds.filter(|_| !pass.frame.transparent) {
            let sky_fog = linear(&pass.scene.fog, SKY_FOG);
            sky::draw(pass, surface, clouds, sky_fog, FOG)?;
        }
        Ok(DrawStats::default())
    }
}

/// Where the fog begins and one over its depth, both ends multiplied.
fn linear(fog: &Fog, (start, end): (f32, f32)) -> [f32; 2] {
    if !fog.enabled {
        return [0.0, 0.0];
    }
    let (start, end) = (fog.start * start, fog.end * end);
    [start, 1.0 / (end - start).max(1e-3)]
}
