//! What a landscape needs on the graphics card, a part at a time.

use std::rc::Rc;
use std::sync::{Arc, Weak};

use glium::backend::{Context, Facade};

use crate::heightmap::Heightmap;
use crate::pipeline::Landscape;
use crate::scene::{RenderType, Scene};

use super::bake::Teximage;
use super::height_texture::HeightTexture;
use super::normals::NormalMap;
use super::points::Points;
use super::sky::Clouds;
use super::subject::effective_type;
use super::{RenderError, Renderer, changed, triangles};

/// Longest side of the normal map; it is thinned beyond, to keep memory for the map itself.
const MAX_NORMALS: i32 = 2049;

/// The parts of an upload, in their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Upload {
    /// The colours; what is outdated goes.
    #[default]
    Palette,
    /// What the ground sees of the light, and points.
    Light,
    /// The clouds.
    Sky,
    /// The baked texture.
    Teximage,
    /// The heights.
    Heights,
    /// Their normals.
    Normals,
}

impl Upload {
    fn next(self) -> Option<Self> {
        match self {
            Self::Palette => Some(Self::Light),
            Self::Light => Some(Self::Sky),
            Self::Sky => Some(Self::Teximage),
            Self::Teximage => Some(Self::Heights),
            Self::Heights => Some(Self::Normals),
            Self::Normals => None,
        }
    }
}

impl Renderer {
    /// Uploads what changed since the last call, and bakes the teximage again if its map, the
    /// light or the palette did. Afterwards the caller may drop the landscape.
    ///
    /// # Errors
    /// The driver has no memory, or does not accept a shader.
    pub fn update(
        &mut self,
        facade: &impl Facade,
        landscape: &Landscape,
    ) -> Result<(), RenderError> {
        let mut upload = Some(Upload::default());
        while let Some(part) = upload {
            upload = self.upload(facade, landscape, part)?;
        }
        Ok(())
    }

    /// Does one part of [`Renderer::update`] and says which is next, `None` after the last. Until
    /// then nothing can be drawn.
    ///
    /// # Errors
    /// As [`Renderer::update`].
    pub fn upload(
        &mut self,
        facade: &impl Facade,
        landscape: &Landscape,
        part: Upload,
    ) -> Result<Option<Upload>, RenderError> {
        let context = facade.get_context();
        match part {
            Upload::Palette => {
                self.upload_palette(context, landscape)?;
                self.let_go_of_old(landscape);
            }
            Upload::Light => {
                self.points = Points::new(context, landscape)?;
                self.visibilities.update(context, landscape)?;
            }
            Upload::Sky => self.upload_sky(context, landscape)?,
            Upload::Teximage => self.bake(context, landscape)?,
            // After the bake, whose buffers are gone by now.
            Upload::Heights => {
                if self.surface.is_none() {
                    let texture = HeightTexture::new(context, &landscape.heights)?;
                    self.surface = Some((Arc::downgrade(&landscape.heights), texture));
                }
            }
            Upload::Normals => self.prepare_normals(context, &landscape.scene)?,
        }
        context.finish();
        Ok(part.next())
    }

    fn upload_palette(
        &mut self,
        context: &Rc<Context>,
        landscape: &Landscape,
    ) -> Result<(), RenderError> {
        let palette = landscape.palette.as_ref();
        if self.palette.as_ref().is_none_or(|(old, _)| old != palette) {
            let texture = triangles::upload_palette(context, palette)?;
            self.palette = Some((palette.clone(), texture));
        }
        Ok(())
    }

    /// An old map goes before the new one comes: two large ones need not fit side by side.
    fn let_go_of_old(&mut self, landscape: &Landscape) {
        let is_new = |(old, _): &(Weak<Heightmap>, HeightTexture)| changed(old, &landscape.heights);
        let new_surface = self.surface.as_ref().is_none_or(is_new);
        if new_surface {
            self.surface = None;
            self.normals = None;
        }
        self.analysis.update(landscape.relief.as_ref(), new_surface);
    }

    fn upload_sky(
        &mut self,
        context: &Rc<Context>,
        landscape: &Landscape,
    ) -> Result<(), RenderError> {
        if let Some(clouds) = &landscape.clouds
            && self
                .clouds
                .as_ref()
                .is_none_or(|(old, _)| changed(old, clouds))
        {
            self.clouds = Some((Arc::downgrade(clouds), Clouds::new(context, clouds)?));
        }
        self.scenery.update(context, landscape.cloud_ranks.as_ref())
    }

    fn bake(&mut self, context: &Rc<Context>, landscape: &Landscape) -> Result<(), RenderError> {
        let light = &landscape.scene.light;
        let palette = landscape.palette.as_ref();
        if let Some(map) = &landscape.teximage
            && self
                .teximage
                .as_ref()
                .is_none_or(|(old, old_light, old_palette, _)| {
                    changed(old, map) || old_light != light || old_palette != palette
                })
        {
            self.teximage = None;
            let mut scene = landscape.scene.clone();
            scene.view.invert = false;
            let teximage = Teximage::bake(&self.pass(context, &scene, (1, 1))?, map)?;
            let map = Arc::downgrade(map);
            self.teximage = Some((map, light.clone(), palette.clone(), teximage));
        }
        Ok(())
    }

    /// Makes the normal map when it is first drawn with.
    pub(super) fn prepare_normals(
        &mut self,
        context: &Rc<Context>,
        scene: &Scene,
    ) -> Result<(), RenderError> {
        let Some((_, map)) = &self.surface else {
            return Ok(());
        };
        let lit = match effective_type(scene, Some(map)) {
            RenderType::Landscape | RenderType::Triangles => true,
            RenderType::Rendered => self.teximage.is_none(),
            _ => false,
        };
        if lit && self.normals.is_none() {
            let normals = NormalMap::new(context, &self.programs, &self.screen, map, MAX_NORMALS)?;
            self.normals = Some(normals);
        }
        Ok(())
    }
}
