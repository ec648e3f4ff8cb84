//! What render types `landscape` and `sky` draw with besides the ground, kept from picture to
//! picture.

use std::rc::Rc;
use std::sync::Arc;

use glium::backend::Context;
use glium::texture::Texture2d;

use super::materials::{MaterialSource, Materials};
use super::sky::{CloudCover, PhysicalSky, SkyTexture};
use super::water::{WaterPlane, WaveSource};
use super::world::World;
use crate::render::error::RenderError;
use crate::render::gl::{Uploaded, texture};
use crate::render::meshes::DomeMesh;
use crate::render::raycast::Field;
use crate::render::textures::heights::HeightTexture;
use crate::render::textures::normals::NormalMap;
use crate::scene::{Light, RenderType, Scene, Sky};
use crate::shading::texture::Palette;
use crate::terrain::grid::Grid;
use crate::util::identity::Identity;

/// The sky, the clouds, the ground's materials and the water.
pub(crate) struct Scenery {
    dome: DomeMesh,
    light: Uploaded<(Light, Sky), SkyTexture>,
    cover: Uploaded<Identity<Grid<u8>>, CloudCover>,
    materials: Uploaded<MaterialSource, Materials>,
    water: Uploaded<WaveSource, WaterPlane>,
    /// Fetch of the waves, or one texel where there is none.
    fetch: Uploaded<Option<Identity<Grid<u8>>>, Texture2d>,
}

impl Scenery {
    pub(crate) fn new(context: &Rc<Context>) -> Result<Self, RenderError> {
        Ok(Self {
            dome: DomeMesh::new(context)?,
            light: Uploaded::nothing(),
            cover: Uploaded::nothing(),
            materials: Uploaded::nothing(),
            water: Uploaded::nothing(),
            fetch: Uploaded::nothing(),
        })
    }

    /// Uploads the clouds if they are new.
    pub(crate) fn update(
        &mut self,
        context: &Rc<Context>,
        ranks: &Arc<Grid<u8>>,
    ) -> Result<(), RenderError> {
        let cover = |_: &_, _| CloudCover::new(context, ranks);
        self.cover.update(Identity::of(ranks), cover)
    }

    /// Uploads the fetch of the waves if it is new.
    pub(crate) fn update_fetch(
        &mut self,
        context: &Rc<Context>,
        fetch: Option<&Arc<Grid<u8>>>,
    ) -> Result<(), RenderError> {
        let texture = |_: &_, _| {
            let without = Grid::filled(1, 1, 0);
            let texels = fetch.map_or(&without, |fetch| fetch);
            texture::of_bytes(context, texels, "the fetch of the waves")
        };
        self.fetch.update(fetch.map(Identity::of), texture)
    }

    /// Makes what depends on the scene as it is viewed.
    pub(crate) fn prepare(
        &mut self,
        context: &Rc<Context>,
        scene: &Scene,
        palette: Option<&Palette>,
        map: Option<&HeightTexture>,
    ) -> Result<(), RenderError> {
        let render_type = scene.render_type();
        if matches!(render_type, RenderType::Landscape | RenderType::Sky) {
            let sky = (scene.light.clone(), scene.sky.clone());
            self.light
                .update(sky, |sky, old| SkyTexture::new(context, sky, old))?;
        }
        if let (RenderType::Landscape, Some(palette)) = (render_type, palette) {
            let source = MaterialSource::of(scene, palette, map);
            self.materials.update(source, |source, old| {
                Materials::new(context, source, old.map(|(_, old)| old))
            })?;
            if scene.water.enabled || scene.water.rivers {
                self.water.update(WaveSource::of(scene), |source, old| {
                    WaterPlane::new(context, *source, old.map(|(_, old)| old))
                })?;
            } else {
                self.water.clear();
            }
        }
        Ok(())
    }

    /// The whole landscape of that ground, if all of it is here. `normals` are those of the light and those of
    /// the materials.
    pub(crate) fn world<'a>(
        &'a self,
        map: Option<&'a HeightTexture>,
        field: Option<&'a Field>,
        normals: Option<(&'a NormalMap, &'a NormalMap)>,
    ) -> Option<World<'a>> {
        let (normals, material_normals) = normals?;
        Some(World {
            map: map?,
            field,
            normals,
            material_normals,
            materials: self.materials.get()?,
            sky: self.sky()?,
            water: self.water.get(),
            fetch: self.fetch.get()?,
        })
    }

    /// The sky alone, if all of it is here.
    pub(crate) fn sky(&self) -> Option<PhysicalSky<'_>> {
        Some(PhysicalSky {
            mesh: &self.dome,
            light: self.light.get()?,
            cover: self.cover.get()?,
        })
    }

    /// Bytes on the graphics card.
    pub(crate) fn bytes(&self) -> u64 {
        let cover = self.cover.get().map(CloudCover::bytes);
        let materials = self.materials.get().map(Materials::bytes);
        let water = self.water.get().map(WaterPlane::bytes);
        let fetch = self.fetch.get().map(|fetch| texture::bytes(fetch, 1));
        [cover, materials, water, fetch].into_iter().flatten().sum()
    }
}
