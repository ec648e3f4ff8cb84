//! What a picture shows, by render type.

use glium::framebuffer::SimpleFrameBuffer;

use crate::scene::{RenderType, Scene};

use super::course::{Layer, Plan};
use super::flat::{ColorMap, Texture};
use super::height_texture::HeightTexture;
use super::lines::Lines;
use super::pass::{DrawStats, Pass};
use super::rendered::Rendered;
use super::ridge::Ridge;
use super::spans::Span;
use super::target::Target;
use super::triangles::Triangles;
use super::{RenderError, Renderer, backdrop};

/// How one render type is drawn: ground some patches at a time, each patch once, then all of the
/// picture, a rectangle at a time.
pub(super) trait Subject {
    /// What is drawn before the picture itself, in this order.
    fn below(&self, _pass: &Pass<'_>) -> Vec<Layer> {
        Vec::new()
    }

    /// What a layer is made of.
    fn plan(&self, _pass: &Pass<'_>, layer: Layer) -> Plan {
        Plan {
            layer,
            places: Vec::new(),
            worth: 0,
        }
    }

    /// Clears what the patches of a layer are drawn on.
    fn clear(&self, _pass: &Pass<'_>, _target: &Target, _layer: Layer) -> Result<(), RenderError> {
        Ok(())
    }

    /// Draws some patches of a layer.
    fn draw_below(
        &self,
        _pass: &Pass<'_>,
        _target: &Target,
        _layer: Layer,
        _span: Span,
    ) -> Result<DrawStats, RenderError> {
        Ok(DrawStats::default())
    }

    /// Draws the picture, on whose `surface`, that of `target`, are the layers below.
    fn draw(
        &self,
        pass: &Pass<'_>,
        surface: &mut SimpleFrameBuffer<'_>,
        target: &Target,
    ) -> Result<DrawStats, RenderError>;
}

impl Renderer {
    /// The render types: one line each. What is not uploaded yet is left out.
    pub(super) fn subject<'a>(&'a self, pass: &Pass<'a>) -> Box<dyn Subject + 'a> {
        let map = self.surface.as_ref().map(|(_, map)| map);
        let teximage = self.teximage.as_ref().map(|(.., teximage)| teximage);
        let clouds = self.clouds.as_ref().map(|(_, clouds)| clouds);
        let normals = self.normals.as_ref();
        let scenery = &self.scenery;
        let subject: Option<Box<dyn Subject>> = match effective_type(pass.scene, map) {
            RenderType::Ridge => map.map(|map| boxed(Ridge(map))),
            RenderType::Lines => map.map(|map| boxed(Lines(map))),
            RenderType::Map => map.map(|map| boxed(ColorMap(map))),
            RenderType::Teximage => teximage.map(|texture| boxed(Texture::baked(pass, texture))),
            RenderType::Clouds => clouds.map(|texture| boxed(Texture::clouds(pass, texture))),
            RenderType::Landscape => scenery.world(map, normals).map(boxed),
            RenderType::Sky => scenery.sky().map(boxed),
            RenderType::Triangles => Triangles::new(map, normals).map(boxed),
            RenderType::Rendered => Rendered::new(map, teximage, clouds)
                .map(boxed)
                .or_else(|| Triangles::new(map, normals).map(boxed)),
        };
        subject.unwrap_or_else(|| boxed(Nothing))
    }
}

fn boxed<'a>(subject: impl Subject + 'a) -> Box<dyn Subject + 'a> {
    Box::new(subject)
}

/// The scene's render type; a profile is a ridge whatever the scene says by now.
pub(super) fn effective_type(scene: &Scene, map: Option<&HeightTexture>) -> RenderType {
    match map {
        Some(map) if map.layout.cells[1] == 0 => match scene.render_type() {
            flat @ (RenderType::Teximage | RenderType::Clouds) => flat,
            _ => RenderType::Ridge,
        },
        _ => scene.render_type(),
    }
}

/// A picture for which nothing is there.
struct Nothing;

impl Subject for Nothing {
    fn draw(
        &self,
        pass: &Pass<'_>,
        surface: &mut SimpleFrameBuffer<'_>,
        _target: &Target,
    ) -> Result<DrawStats, RenderError> {
        backdrop::draw(pass, surface, &backdrop::NEUTRAL)?;
        Ok(DrawStats::default())
    }
}
