//! What render types `landscape` and `sky` draw with besides the ground, kept from picture to
//! picture.

use std::rc::Rc;
use std::sync::{Arc, Weak};

use glium::backend::Context;

use crate::grid::Grid;
use crate::scene::{RenderType, Scene};
use crate::texture::Palette;

use super::RenderError;
use super::changed;
use super::height_texture::HeightTexture;
use super::landscape::{Materials, World};
use super::landscape_sky::{CloudCover, DomeMesh, LandscapeSky, SkyAlone};
use super::normals::NormalMap;
use super::water::Water;

/// The sky, the clouds, the ground's materials and the water.
pub(super) struct Scenery {
    dome: DomeMesh,
    sky: Option<LandscapeSky>,
    cover: Option<(Weak<Grid<u8>>, CloudCover)>,
    materials: Option<Materials>,
    water: Option<Water>,
}

impl Scenery {
    pub(super) fn new(context: &Rc<Context>) -> Result<Self, RenderError> {
        Ok(Self {
            dome: DomeMesh::new(context)?,
            sky: None,
            cover: None,
            materials: None,
            water: None,
        })
    }

    /// Uploads the clouds if they are new.
    pub(super) fn update(
        &mut self,
        context: &Rc<Context>,
        ranks: Option<&Arc<Grid<u8>>>,
    ) -> Result<(), RenderError> {
        if let Some(ranks) = ranks
            && (self.cover.as_ref()).is_none_or(|(old, _)| changed(old, ranks))
        {
            self.cover = Some((Arc::downgrade(ranks), CloudCover::new(context, ranks)?));
        }
        Ok(())
    }

    /// Makes what depends on the scene as it is viewed.
    pub(super) fn prepare(
        &mut self,
        context: &Rc<Context>,
        scene: &Scene,
        palette: Option<&Palette>,
    ) -> Result<(), RenderError> {
        let render_type = scene.render_type();
        if matches!(render_type, RenderType::Landscape | RenderType::Sky) {
            self.sky = Some(LandscapeSky::new(context, self.sky.take(), scene)?);
        }
        if let (RenderType::Landscape, Some(palette)) = (render_type, palette) {
            let old = self.materials.take();
            self.materials = Some(Materials::new(context, old, palette)?);
            self.water = Water::new(context, self.water.take(), scene)?;
        }
        Ok(())
    }

    /// The whole landscape of that ground, if all of it is here.
    pub(super) fn world<'a>(
        &'a self,
        map: Option<&'a HeightTexture>,
        normals: Option<&'a NormalMap>,
    ) -> Option<World<'a>> {
        Some(World {
            map: map?,
            normals: normals?,
            materials: self.materials.as_ref()?,
            dome: &self.dome,
            sky: self.sky.as_ref()?,
            cover: self.cover.as_ref().map(|(_, cover)| cover)?,
            water: self.water.as_ref(),
        })
    }

    /// The sky alone, if all of it is here.
    pub(super) fn sky(&self) -> Option<SkyAlone<'_>> {
        Some(SkyAlone {
            mesh: &self.dome,
            sky: self.sky.as_ref()?,
            cover: self.cover.as_ref().map(|(_, cover)| cover)?,
        })
    }

    /// Bytes on the graphics card.
    pub(super) fn bytes(&self) -> u64 {
        let cover = self.cover.as_ref().map(|(_, cover)| cover.bytes());
        let materials = self.materials.as_ref().map(Materials::bytes);
        let water = self.water.as_ref().map(Water::bytes);
        let parts = [cover, materials, water];
        parts.into_iter().flatten().sum()
    }
}
