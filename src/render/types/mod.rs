//! Render types: one file and one line in the list each.

use flat::{ColorMap, FlatTexture};
use glium::DrawParameters;
use landscape::{PhysicalSky, Scenery};
use lines::Lines;
use rendered::{BakedTexture, PaintedClouds, Rendered};
use ridge::Ridge;
use triangles::Triangles;

use crate::render::analysis::Analyst;
use crate::render::backdrop;
use crate::render::buffers::PictureBuffers;
use crate::render::error::Result;
use crate::render::frame_budget::PatchRange;
use crate::render::ground::{Seen, Walked};
use crate::render::pass::{DrawStats, Pass, Target};
use crate::render::progressive_frame::{Phase, Plan};
use crate::render::raycast::Field;
use crate::render::textures::heights::HeightTexture;
use crate::render::textures::normals::NormalMap;
use crate::scene::{RenderType, Scene};

pub(super) mod landscape;
pub(super) mod rendered;
pub(super) mod ridge;
pub(super) mod triangles;

mod flat;
mod layered;
mod lines;
mod mask;
mod sea;

/// Uploaded resources for the render types.
#[derive(Clone, Copy)]
pub(super) struct Contents<'a> {
    pub(super) map: Option<&'a HeightTexture>,
    pub(super) field: Option<&'a Field>,
    pub(super) normals: Option<&'a NormalMap>,
    pub(super) material_normals: Option<&'a NormalMap>,
    pub(super) teximage: Option<&'a BakedTexture>,
    pub(super) clouds: Option<&'a PaintedClouds>,
    pub(super) scenery: &'a Scenery,
    pub(super) analysis: &'a Analyst,
}

/// Create the drawer of the scene's render type. Missing resources are left out.
pub(super) fn subject<'a>(contents: &Contents<'a>, pass: &Pass<'_>) -> Box<dyn Subject + 'a> {
    let (map, field, normals) = (contents.map, contents.field, contents.normals);
    let (teximage, clouds) = (contents.teximage, contents.clouds);
    let (scenery, analysis) = (contents.scenery, contents.analysis);
    let view = &pass.scene.view;
    let triangles = || Triangles::new(map, field, normals, analysis).map(boxed);
    let subject = match effective_type(pass.scene, map) {
        RenderType::Ridge => map.map(|map| boxed(Ridge(map))),
        RenderType::Lines => map.map(|map| boxed(Lines(map))),
        RenderType::Map if pass.scene.is_flat() => map.map(|map| boxed(ColorMap { map, analysis })),
        RenderType::Map => triangles(),
        RenderType::Teximage => teximage.map(|texture| boxed(FlatTexture::baked(view, texture))),
        RenderType::Clouds => clouds.map(|texture| boxed(FlatTexture::clouds(view, texture))),
        RenderType::Landscape => {
            let normals = normals.zip(contents.material_normals);
            scenery.world(map, field, normals).map(boxed)
        }
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
        surface: &mut Target<'_>,
        _buffers: &PictureBuffers,
    ) -> Result<DrawStats> {
        backdrop::draw(pass, surface, &backdrop::NEUTRAL)?;
        Ok(DrawStats::default())
    }
}

/// Drawer of one render type: first ranges of ground patches, each patch once, then the whole picture in
/// rectangles.
pub(crate) trait Subject {
    /// List the phases before the picture itself, in order.
    fn phases(&self, _pass: &Pass<'_>) -> Vec<Phase> {
        Vec::new()
    }

    /// List the patches of a phase.
    fn plan(&self, _pass: &Pass<'_>, _buffers: &PictureBuffers, _phase: Phase) -> Plan {
        Plan::default()
    }

    /// Clear the targets of a phase.
    fn clear(&self, _pass: &Pass<'_>, _buffers: &PictureBuffers, _phase: Phase) -> Result {
        Ok(())
    }

    /// Draw a range of patches of a phase.
    fn draw_patches(
        &self,
        _pass: &Pass<'_>,
        _buffers: &PictureBuffers,
        _phase: Phase,
        _range: PatchRange,
    ) -> Result<DrawStats> {
        Ok(DrawStats::default())
    }

    /// Draw the picture after all phases; `surface` is that of `buffers`.
    fn draw(
        &self,
        pass: &Pass<'_>,
        surface: &mut Target<'_>,
        buffers: &PictureBuffers,
    ) -> Result<DrawStats>;
}

/// A render type whose ground is drawn directly into the picture.
pub(crate) trait GroundSubject {
    /// Cost of a patch, in pixels of the rest of the picture.
    const PATCH: u64;

    /// Select the visible patches of the ground.
    fn seen<'p>(&'p self, pass: &Pass<'p>) -> Seen<'p>;

    /// Clear the picture.
    fn clear_picture(&self, pass: &Pass<'_>, surface: &mut Target<'_>);

    /// Draw the patches of `seen`.
    fn draw_ground(
        &self,
        pass: &Pass<'_>,
        surface: &mut Target<'_>,
        seen: &Seen<'_>,
    ) -> Result<DrawStats>;

    /// Parameters for overlays on the ground, and true if they glow. By default an overlay covers the visible
    /// ground.
    fn mask_parameters<'a>(&self, pass: &Pass<'_>) -> (DrawParameters<'a>, bool) {
        (mask::over_depths(pass), false)
    }

    /// Draw everything around the ground.
    fn draw_around(&self, pass: &Pass<'_>, surface: &mut Target<'_>) -> Result;

    /// The ray-cast ground, if this picture uses it.
    fn walked<'p>(&'p self, _pass: &'p Pass<'_>) -> Option<Walked<'p>> {
        None
    }

    /// Draw the whole picture around ray-cast ground with finished depth layers.
    fn draw_layers(
        &self,
        _pass: &Pass<'_>,
        _surface: &mut Target<'_>,
        _buffers: &PictureBuffers,
    ) -> Result {
        Ok(())
    }
}

impl<T: GroundSubject> Subject for T {
    fn phases(&self, _pass: &Pass<'_>) -> Vec<Phase> {
        vec![Phase::Ground]
    }

    fn plan(&self, pass: &Pass<'_>, buffers: &PictureBuffers, _phase: Phase) -> Plan {
        match self.walked(pass) {
            Some(walked) => walked.plan(buffers),
            None => self.seen(pass).plan(&pass.frame, Self::PATCH),
        }
    }

    fn clear(&self, pass: &Pass<'_>, buffers: &PictureBuffers, _phase: Phase) -> Result {
        // Depth layers overwrite every pixel.
        if !pass.frame.walked {
            self.clear_picture(pass, &mut buffers.surface(pass.context)?);
        }
        Ok(())
    }

    fn draw_patches(
        &self,
        pass: &Pass<'_>,
        buffers: &PictureBuffers,
        _phase: Phase,
        range: PatchRange,
    ) -> Result<DrawStats> {
        if let Some(walked) = self.walked(pass) {
            walked.find(pass, buffers, range)?;
            return Ok(DrawStats::default());
        }
        let mut surface = buffers.surface(pass.context)?;
        let seen = self.seen(pass).only(range);
        let stats = self.draw_ground(pass, &mut surface, &seen)?;
        mask::draw_over(pass, &mut surface, &seen, self.mask_parameters(pass))?;
        Ok(stats)
    }

    fn draw(
        &self,
        pass: &Pass<'_>,
        surface: &mut Target<'_>,
        buffers: &PictureBuffers,
    ) -> Result<DrawStats> {
        if self.walked(pass).is_some() {
            self.draw_layers(pass, surface, buffers)?;
        } else {
            self.draw_around(pass, surface)?;
        }
        Ok(DrawStats::default())
    }
}

/// Render type `sky`: the physical sky without any land. An orbiting camera looks up by the angle that it
/// looked down.
pub(crate) struct SkyAlone<'a>(pub(super) PhysicalSky<'a>);

impl Subject for SkyAlone<'_> {
    fn draw(
        &self,
        pass: &Pass<'_>,
        surface: &mut Target<'_>,
        _buffers: &PictureBuffers,
    ) -> Result<DrawStats> {
        let Self(sky) = self;
        if pass.frame.transparent {
            // A transparent picture omits the background, and the sky is nothing else.
            backdrop::clear(pass, surface, Some(1.0));
            return Ok(DrawStats::default());
        }
        sky.clear(pass, surface, Some(1.0));
        let mut scene = pass.scene.clone();
        scene.camera = scene.sky_camera();
        let pass = &Pass {
            scene: &scene,
            ..*pass
        };
        sky.draw_behind(pass, surface, [0.0, 0.0, 1.0], &pass.behind())?;
        Ok(DrawStats::default())
    }
}
