//! Uploads: the textures and buffers of a landscape on the graphics card, created part by part.

use std::rc::Rc;
use std::sync::Arc;

use glium::backend::Context;
use glium::texture::Texture1d;

use super::analysis::Analyst;
use super::clipmap::{Clipmap, Holds};
use super::error::{Refused, Result};
use super::gl::Uploaded;
use super::ground::Walked;
use super::pass::{Pass, Target};
use super::plants::PlantStore;
use super::points::Points;
use super::progressive_frame::Around;
use super::raycast::Field;
use super::textures::canopy::CanopyTexture;
use super::textures::covers::CoverTexture;
use super::textures::heights::{HeightTexture, MAX_SIDE};
use super::textures::mask::MaskTexture;
use super::textures::normals::NormalMap;
use super::textures::palette::upload_palette;
use super::textures::rivers::RiverTextures;
use super::textures::visibility::VisibilityTexture;
use super::tools::{GroundPath, Tools};
use super::types::landscape::Scenery;
use super::types::rendered::{BakedTexture, PaintedClouds};
use super::types::{Contents, effective_type};
use super::view::{Eye, Frame};
use crate::pipeline::{Depth, Landscape, least_cell};
use crate::plants::CanopyMap;
use crate::scene::{Light, RenderType, Scene, Shading, WaterColor};
use crate::shading::covers::CoverMap;
use crate::shading::maps::colors::Sea;
use crate::shading::material::MaterialNormals;
use crate::shading::texture::Palette;
use crate::terrain::grid::Grid;
use crate::terrain::heightmap::Heightmap;
use crate::terrain::rivers::Rivers;
use crate::util::identity::Identity;

/// Maximum side of the normal map; larger maps are thinned, to keep memory for the map itself.
const MAX_NORMALS: i32 = 2049;

/// Parts of an upload, in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Upload {
    /// The colours; outdated resources are freed.
    #[default]
    Palette,
    /// Sun and sky visibility, covers, canopy, rivers, masks and points.
    Light,
    /// The clouds.
    Sky,
    /// The baked texture.
    Teximage,
    /// The heights.
    Heights,
    /// The normals.
    Normals,
}

impl Upload {
    const ALL: [Self; 6] = [
        Self::Palette,
        Self::Light,
        Self::Sky,
        Self::Teximage,
        Self::Heights,
        Self::Normals,
    ];

    fn next(self) -> Option<Self> {
        Self::ALL.get(self as usize + 1).copied()
    }
}

/// Cache key of a baked texture: map, light, palette, covers, canopy with the autumn of each layer, rivers with their
/// colour, and the sea.
type Baked = (
    Identity<Heightmap>,
    Light,
    Arc<Palette>,
    Option<Identity<CoverMap>>,
    Option<(Identity<CanopyMap>, Vec<f32>)>,
    Option<(Identity<Rivers>, WaterColor)>,
    Option<Sea>,
);

/// All textures and buffers of one landscape.
pub(super) struct Uploads {
    pub(super) palette: Uploaded<Arc<Palette>, Texture1d>,
    heights: Uploaded<Identity<Heightmap>, HeightTexture>,
    /// Heightfield for ray casting: created where rasterization is slow or the ground is refined.
    field: Option<Field>,
    points: Option<Points>,
    normals: Option<NormalMap>,
    /// Share of the ground that snow hides, 0…255, for the normals.
    snow: Option<Arc<Grid<u8>>>,
    material_normals: Uploaded<Identity<Heightmap>, NormalMap>,
    teximage: Uploaded<Baked, BakedTexture>,
    clouds: Uploaded<Identity<Grid<[u8; 3]>>, PaintedClouds>,
    visibility: VisibilityTexture,
    covers: CoverTexture,
    canopy: CanopyTexture,
    rivers: Uploaded<Identity<Rivers>, Option<RiverTextures>>,
    watershed: MaskTexture,
    /// No-data mask of the map.
    no_data: MaskTexture,
    /// Outlet of the watershed.
    outlet: Option<Points>,
    pub(super) mask: MaskTexture,
    scenery: Scenery,
    pub(super) analysis: Analyst,
    pub(super) clipmap: Clipmap,
    plants: PlantStore,
}

impl Uploads {
    /// Create an empty set of uploads.
    pub(super) fn new(context: &Rc<Context>) -> Result<Self> {
        Ok(Self {
            palette: Uploaded::nothing(),
            heights: Uploaded::nothing(),
            field: None,
            points: None,
            normals: None,
            snow: None,
            material_normals: Uploaded::nothing(),
            teximage: Uploaded::nothing(),
            clouds: Uploaded::nothing(),
            visibility: VisibilityTexture::new(context)?,
            covers: CoverTexture::new(context)?,
            canopy: CanopyTexture::new(context)?,
            rivers: Uploaded::nothing(),
            watershed: MaskTexture::nothing(),
            no_data: MaskTexture::nothing(),
            outlet: None,
            mask: MaskTexture::nothing(),
            scenery: Scenery::new(context)?,
            analysis: Analyst::new(context)?,
            clipmap: Clipmap::default(),
            plants: PlantStore::new(),
        })
    }

    /// Upload a part of a landscape's changes and return the next part, `None` after the last.
    pub(super) fn upload(
        &mut self,
        context: &Rc<Context>,
        tools: &Tools,
        landscape: &Landscape,
        part: Upload,
    ) -> Result<Option<Upload>> {
        match part {
            Upload::Palette => {
                let palette = Arc::clone(&landscape.palette);
                self.palette
                    .update(palette, |palette, _| upload_palette(context, palette))?;
                self.let_go_of_old(landscape);
            }
            Upload::Light => {
                self.points = Points::new(context, landscape)?;
                self.visibility.update(context, landscape)?;
                self.covers.update(context, landscape.covers.as_ref())?;
                self.canopy.update(context, landscape.canopy.as_ref())?;
                self.upload_rivers(context, landscape)?;
                let edge = landscape.watershed.as_ref().map(|shown| &shown.edge);
                self.watershed.update(context, edge)?;
                self.no_data.update(context, landscape.no_data.as_ref())?;
                self.outlet = Points::of_outlet(context, landscape)?;
                self.clipmap.update(landscape);
                self.plants.update(landscape);
            }
            Upload::Sky => self.upload_sky(context, landscape)?,
            Upload::Teximage => self.bake(context, tools, landscape)?,
            // After baking, whose buffers are freed by now.
            Upload::Heights => {
                let surface = landscape.surface();
                let texture = |_: &_, _| {
                    let mut texture = HeightTexture::new(context, surface)?;
                    if !Arc::ptr_eq(surface, &landscape.heights) {
                        // Colours depend on the ground, not on the water above it.
                        texture.range = landscape.heights.range();
                    }
                    Ok(texture)
                };
                self.heights.update(Identity::of(surface), texture)?;
                self.snow = landscape.snow.as_ref().map(|snow| Arc::clone(&snow.cover));
                let is_slow = tools.way(context)? == GroundPath::RayCast;
                let fits = surface.rows().max(surface.columns()) <= MAX_SIDE;
                if fits && self.field.is_none() && (is_slow || landscape.below.is_some()) {
                    self.field = Field::new(surface);
                }
            }
            Upload::Normals => {
                if landscape.scene.render_type() == RenderType::Landscape {
                    let map = &landscape.heights;
                    let normals =
                        |_: &_, _| NormalMap::of_materials(context, &MaterialNormals::of(map));
                    self.material_normals.update(Identity::of(map), normals)?;
                }
                self.prepare_normals(context, tools, &landscape.scene)?;
            }
        }
        Ok(part.next())
    }

    /// Free the map; the next update uploads it again.
    pub(super) fn forget_heights(&mut self) {
        self.heights.clear();
        self.field = None;
        self.normals = None;
        self.material_normals.clear();
    }

    /// Free an old map before the new one is created: two large ones might not fit together.
    fn let_go_of_old(&mut self, landscape: &Landscape) {
        let is_old = !self.heights.is_from(&Identity::of(landscape.surface()));
        if is_old {
            self.forget_heights();
        }
        self.analysis.update(landscape, is_old);
    }

    fn upload_rivers(&mut self, context: &Rc<Context>, landscape: &Landscape) -> Result {
        let Some(rivers) = &landscape.rivers else {
            self.rivers.clear();
            return Ok(());
        };
        let textures = |_: &_, _| RiverTextures::new(context, rivers);
        self.rivers.update(Identity::of(rivers), textures)
    }

    fn upload_sky(&mut self, context: &Rc<Context>, landscape: &Landscape) -> Result {
        if let Some(clouds) = &landscape.clouds {
            let painted = |_: &_, _| PaintedClouds::new(context, clouds);
            self.clouds.update(Identity::of(clouds), painted)?;
        }
        self.scenery
            .update_fetch(context, landscape.fetch.as_ref())?;
        match &landscape.cloud_ranks {
            Some(ranks) => self.scenery.update(context, ranks),
            None => Ok(()),
        }
    }

    fn bake(&mut self, context: &Rc<Context>, tools: &Tools, landscape: &Landscape) -> Result {
        let Some(map) = &landscape.teximage else {
            return Ok(());
        };
        let palette = Arc::clone(&landscape.palette);
        let covers = landscape.teximage_covers.as_ref();
        let rivers = landscape.rivers.as_ref().map(Identity::of);
        let water = landscape.scene.water.color;
        let light = landscape.scene.light.clone();
        let autumn = landscape.scene.plants.iter().map(|layer| layer.autumn);
        let autumn = autumn.collect();
        let source = (
            Identity::of(map),
            light,
            palette,
            covers.map(Identity::of),
            (landscape.canopy.as_ref()).map(|canopy| (Identity::of(canopy), autumn)),
            rivers.map(|rivers| (rivers, water)),
            Sea::of(&landscape.scene.water),
        );
        if !self.teximage.is_from(&source) {
            // Free the old texture before the new one is baked.
            self.teximage.clear();
            let mut scene = landscape.scene.clone();
            // Inversion is applied when the texture is drawn.
            scene.view.invert = false;
            let mut lying = CoverTexture::new(context)?;
            lying.update(context, covers)?;
            let pass = Pass {
                covers: &lying,
                ..self.pass(context, tools, &scene, Frame::whole((1, 1)))?
            };
            let baked = BakedTexture::bake(&pass, map)?;
            self.teximage.update(source, |_, _| Ok(baked))?;
        }
        Ok(())
    }

    /// Create the normal map at its first use.
    fn prepare_normals(&mut self, context: &Rc<Context>, tools: &Tools, scene: &Scene) -> Result {
        let Some(map) = self.heights.get() else {
            return Ok(());
        };
        let lit = match effective_type(scene, Some(map)) {
            RenderType::Landscape | RenderType::Triangles => true,
            RenderType::Map => !scene.is_flat(),
            // Ray-cast ground with a baked texture needs them as well.
            RenderType::Rendered => {
                self.teximage.get().is_none() || tools.way(context)? == GroundPath::RayCast
            }
            _ => false,
        };
        if lit && self.normals.is_none() {
            self.normals = Some(NormalMap::new(
                context,
                tools,
                map,
                self.snow.as_deref(),
                MAX_NORMALS,
            )?);
        }
        Ok(())
    }

    /// Create the resources that depend on the viewed scene.
    pub(super) fn prepare(
        &mut self,
        context: &Rc<Context>,
        tools: &Tools,
        scene: &Scene,
        size: (u32, u32),
    ) -> Result {
        let (palette, map) = (self.palette.source(), self.heights.get());
        (self.analysis).prepare(context, scene, size, palette.map(|palette| &**palette), map)?;
        self.analysis.prepare_rises(context, tools, scene, map)?;
        self.scenery.prepare(context, scene, palette, map)?;
        self.visibility.prepare(context, scene)?;
        self.prepare_normals(context, tools, scene)
    }

    /// Context of all draws of a frame.
    pub(super) fn pass<'a>(
        &'a self,
        context: &'a Rc<Context>,
        tools: &'a Tools,
        scene: &'a Scene,
        frame: Frame,
    ) -> Result<Pass<'a>> {
        let palette = self
            .palette
            .get()
            .ok_or("no landscape has been uploaded yet");
        Ok(Pass {
            context,
            scene,
            size: frame.whole,
            tools,
            palette: palette.refused("drawing")?,
            visibility: &self.visibility,
            covers: &self.covers,
            canopy: &self.canopy,
            rivers: self.rivers.get().and_then(Option::as_ref),
            watershed: self.watershed.get(),
            no_data: self.no_data.get(),
            mask: self.mask.get().filter(|_| frame.masked),
            clipmap: &self.clipmap,
            plants: &self.plants,
            frame,
        })
    }

    /// Depth of the refinement visible in a frame, if any.
    pub(super) fn depth(&self, scene: &Scene, frame: Frame) -> Option<Depth> {
        let map = self.heights.get()?;
        let pixels = Eye::new(&scene.camera, frame.whole).pixels_per_radian;
        let cell = least_cell(scene, f64::from(pixels.recip()))?;
        // Refinement needs the full map; a thinned one skips samples.
        let depth = || self.clipmap.depth(scene, cell);
        (!map.is_thinned).then(depth).flatten()
    }

    /// True if refined ground is drawn as patches in a scene.
    pub(super) fn draws_patches_below(
        &self,
        context: &Rc<Context>,
        tools: &Tools,
        scene: &Scene,
    ) -> bool {
        let draws = match effective_type(scene, self.heights.get()) {
            RenderType::Lines => true,
            RenderType::Landscape => tools
                .way(context)
                .is_ok_and(|way| way == GroundPath::Raster),
            _ => false,
        };
        draws && !tools.full_detail.get()
    }

    /// Continue work on what surrounds the eye of a frame, its clipmap levels and plants. Returns what was missing.
    pub(super) fn make_around(
        &mut self,
        context: &Rc<Context>,
        tools: &Tools,
        scene: &Scene,
        frame: Frame,
    ) -> Result<Option<Around>> {
        if self.make_window(context, tools, scene, frame)? {
            return Ok(Some(Around::Window));
        }
        let were_missing = (self.plants).make_one(context, tools, scene, frame, &self.clipmap)?;
        Ok(were_missing.then_some(Around::Plants))
    }

    /// Continue work on a clipmap level that a frame needs. Returns true if one was missing.
    fn make_window(
        &mut self,
        context: &Rc<Context>,
        tools: &Tools,
        scene: &Scene,
        frame: Frame,
    ) -> Result<bool> {
        let Some(depth) = frame.depth else {
            self.clipmap.show_none();
            return Ok(false);
        };
        let holds = self.clipmap_holds(context, tools, scene);
        let was_missing = (self.clipmap).make_one(context, scene, &depth, holds, frame.preview)?;
        if !was_missing && holds.light {
            self.clipmap.place(context, &depth)?;
        }
        Ok(was_missing)
    }

    /// Contents of clipmap windows that the scene is drawn with.
    fn clipmap_holds(&self, context: &Rc<Context>, tools: &Tools, scene: &Scene) -> Holds {
        Holds {
            heights: self.draws_patches_below(context, tools, scene),
            light: effective_type(scene, self.heights.get()) != RenderType::Lines,
        }
    }

    /// The part of a frame's depth whose clipmap levels are complete, see [`Clipmap::complete_depth`].
    pub(super) fn complete_depth(
        &self,
        context: &Rc<Context>,
        tools: &Tools,
        scene: &Scene,
        frame: Frame,
    ) -> Option<Option<Depth>> {
        let holds = self.clipmap_holds(context, tools, scene);
        self.clipmap.complete_depth(scene, &frame.depth?, holds)
    }

    /// True if the ground of a frame is ray cast.
    pub(super) fn is_walked(
        &self,
        context: &Rc<Context>,
        tools: &Tools,
        scene: &Scene,
        frame: Frame,
    ) -> bool {
        let (Some(map), Some(field)) = (self.heights.get(), &self.field) else {
            return false;
        };
        let shown = effective_type(scene, Some(map));
        let is_wanted = match shown {
            RenderType::Landscape => true,
            RenderType::Rendered if self.teximage.get().is_some() => true,
            // Flat shading needs the triangles themselves.
            RenderType::Map => true,
            RenderType::Rendered | RenderType::Triangles => scene.view.shading == Shading::Smooth,
            _ => false,
        };
        // Refined ground is never rasterized.
        let by_planes = frame.depth.is_some()
            || tools
                .way(context)
                .is_ok_and(|way| way == GroundPath::RayCast);
        let is_wanted = is_wanted && by_planes && !tools.full_detail.get();
        let pass = self.pass(context, tools, scene, frame);
        is_wanted && pass.is_ok_and(|pass| Walked::new(&pass, map, field, None).is_some())
    }

    /// Resources for the render types, as far as uploaded.
    pub(super) fn contents(&self) -> Contents<'_> {
        Contents {
            map: self.heights.get(),
            field: self.field.as_ref(),
            normals: self.normals.as_ref(),
            material_normals: self.material_normals.get(),
            teximage: self.teximage.get(),
            clouds: self.clouds.get(),
            scenery: &self.scenery,
            analysis: &self.analysis,
        }
    }

    /// Draw the marks over the picture: analysis lines and labels, points in the render types that show them,
    /// and the outlet of a watershed wherever ground is shown.
    pub(super) fn draw_marks(&self, pass: &Pass<'_>, surface: &mut Target<'_>) -> Result {
        if pass.frame.enlarged.is_none() {
            self.analysis.draw(pass, surface)?;
        }
        let Some(map) = self.heights.get() else {
            return Ok(());
        };
        let shown = effective_type(pass.scene, Some(map));
        let has_points = matches!(
            shown,
            RenderType::Lines | RenderType::Triangles | RenderType::Map | RenderType::Ridge
        );
        let points = self.points.as_ref().filter(|_| has_points);
        let outlet = self.outlet.as_ref().filter(|_| shown.shows_ground());
        let mut all = points.into_iter().chain(outlet);
        all.try_for_each(|points| points.draw(pass, surface, map))
    }

    /// Size in bytes on the graphics card.
    pub(super) fn bytes(&self) -> u64 {
        let parts = [
            self.heights.get().map(HeightTexture::bytes),
            self.field.as_ref().map(Field::bytes),
            self.normals.as_ref().map(NormalMap::bytes),
            self.material_normals.get().map(NormalMap::bytes),
            self.teximage.get().map(BakedTexture::bytes),
            self.clouds.get().map(PaintedClouds::bytes),
            self.rivers
                .get()
                .and_then(Option::as_ref)
                .map(RiverTextures::bytes),
        ];
        let whole = self.visibility.bytes()
            + self.covers.bytes()
            + self.canopy.bytes()
            + self.mask.bytes()
            + self.watershed.bytes()
            + self.no_data.bytes()
            + self.clipmap.bytes()
            + self.plants.bytes()
            + self.scenery.bytes();
        parts.into_iter().flatten().sum::<u64>() + whole
    }
}
