//! Render types: one file and one line in the list each.

use glium::framebuffer::SimpleFrameBuffer;

use crate::render::analysis::Analyst;
use crate::render::backdrop;
use crate::render::buffers::PictureBuffers;
use crate::render::error::RenderError;
use crate::render::pass::{DrawStats, Pass};
use crate::render::raycast::Field;
use crate::render::textures::heights::HeightTexture;
use crate::render::textures::normals::NormalMap;
use crate::scene::{RenderType, Scene};

pub(super) mod landscape;
pub(super) mod rendered;
pub(super) mod triangles;

mod flat;
mod layered;
mod lines;
mod mask;
mod printed;
mod ridge;
mod sea;
mod sky;
mod subject;

use flat::{ColorMap, FlatTexture};
use landscape::Scenery;
use lines::Lines;
use rendered::{BakedTexture, PaintedClouds, Rendered};
use ridge::Ridge;
use sky::SkyAlone;
pub(super) use subject::Subject;
use triangles::Triangles;

/// Uploaded resources for the render types.
#[derive(Clone, Copy)]
pub(super) struct Contents<'a> {
    pub(super) map: Option<&'a HeightTexture>,
    pub(super) field: Option<&'a Field>,
    pub(super) normals: Option<&'a NormalMap>,
    pub(super) teximage: Option<&'a BakedTexture>,
    pub(super) clouds: Option<&'a PaintedClouds>,
    pub(super) scenery: &'a Scenery,
    pub(super) analysis: &'a Analyst,
}

/// Create the drawer of the scene's render type. Missing resources are left out.
pub(super) fn subject<'a>(contents: &Contents<'a>, pass: &Pass<'_>) -> Box<dyn Subject + 'a> {
    let Contents {
        map,
        field,
        normals,
        teximage,
        clouds,
        scenery,
        analysis,
    } = *contents;
    let view = &pass.scene.view;
    let triangles = || Triangles::new(map, field, normals, analysis).map(boxed);
    let subject = match effective_type(pass.scene, map) {
        RenderType::Ridge => map.map(|map| boxed(Ridge(map))),
        RenderType::Lines => map.map(|map| boxed(Lines(map))),
        RenderType::Map if pass.scene.is_flat() => map.map(|map| boxed(ColorMap { map, analysis })),
        RenderType::Map => triangles(),
        RenderType::Teximage => teximage.map(|texture| boxed(FlatTexture::baked(view, texture))),
        RenderType::Clouds => clouds.map(|texture| boxed(FlatTexture::clouds(view, texture))),
        RenderType::Landscape => scenery.world(map, field, normals).map(boxed),
        RenderType::Sky => scenery.sky().map(|sky| boxed(SkyAlone(sky))),
        RenderType::Triangles => triangles(),
        RenderType::Rendered => Rendered::new(map, field, normals, teximage, clouds)
            .map(boxed)
            .or_else(triangles),
    };
    subject.unwrap_or_else(|| boxed(Nothing))
}

fn boxed<'a>(subject: impl Subject + 'a) -> Box<dyn Subject + 'a> {
    Box::new(subject)
}

/// Render type to be drawn: the scene's, or a ridge if the map is a profile.
pub(super) fn effective_type(scene: &Scene, map: Option<&HeightTexture>) -> RenderType {
    match map {
        Some(map) if map.layout.cells[1] == 0 => match scene.render_type() {
            flat @ (RenderType::Teximage | RenderType::Clouds) => flat,
            _ => RenderType::Ridge,
        },
        _ => scene.render_type(),
    }
}

/// Placeholder for a picture without resources.
struct Nothing;

impl Subject for Nothing {
    fn draw(
        &self,
        pass: &Pass<'_>,
        surface: &mut SimpleFrameBuffer<'_>,
        _buffers: &PictureBuffers,
    ) -> Result<DrawStats, RenderError> {
        backdrop::draw(pass, surface, &backdrop::NEUTRAL)?;
        Ok(DrawStats::default())
    }
}
