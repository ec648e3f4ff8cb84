//! Plants of a picture: blocks of single plants around the eye, made on demand, and drawn as impostors.
//!
//! ```text
//! scatter ─► blocks, kept ─► those that the view shows, far to near ─► quads with impostors ─► laid over the picture
//!            stock           chosen                                    picture                 types::landscape
//! ```
//!
//! With distance ever fewer plants are drawn: each has a rank, and goes where the share that is drawn falls below it
//! (stochastic simplification, Cook et al. 2007). So none appears or vanishes at once, and their number on the screen
//! is bounded. What has gone is part of the ground's material.

use std::rc::Rc;
use std::sync::Arc;

use glam::DVec3;
use glium::backend::Context;
use glium::uniforms::Uniforms;

use self::atlas::Atlas;
use self::chosen::Chosen;
use self::ground::Ground;
use self::layer::Layer;
use self::stock::{Stock, Wanted};
use self::view::PlantView;
use crate::pipeline::{Depth, Landscape};
use crate::plants::Scatter;
use crate::render::clipmap::Clipmap;
use crate::render::error::Result;
use crate::render::gl::Uploaded;
use crate::render::tools::Tools;
use crate::render::view::Frame;
use crate::scene::{Camera, Light, PlantKind, Scene};
use crate::terrain::heightmap::Heightmap;
use crate::terrain::weights::CHANNELS;
use crate::util::identity::Identity;

mod atlas;
mod cast;
mod chosen;
mod ground;
mod layer;
mod mirrored;
mod models;
mod picture;
mod shadow;
mod stock;
mod view;
mod wind;

pub(super) use atlas::Atlas as PlantAtlas;
pub(super) use mirrored::MirroredPlants;
pub(super) use picture::{PlantPicture, Portion, Quads, What};
pub(super) use wind::Wind;

/// All that the plants of a picture are chosen by.
#[derive(Clone, PartialEq)]
struct ViewKey {
    camera: Camera,
    size: (u32, u32),
    tiles: u32,
    depth: Option<Depth>,
    ground: Identity<Heightmap>,
    light: Light,
    water: Option<f32>,
    /// Share of the leaves of each layer that have turned.
    autumn: Vec<f32>,
}

/// Plants of a landscape: their blocks, their impostors, and those of the last picture.
pub(super) struct PlantStore {
    source: Option<Source>,
    stock: Stock,
    atlas: Uploaded<Vec<PlantKind>, Atlas>,
    chosen: Uploaded<ViewKey, PlantPicture>,
    mirrored: Uploaded<ViewKey, Option<MirroredPlants>>,
}

/// Plants of a landscape, and the ground that they stand on.
struct Source {
    scatter: Arc<Scatter>,
    ground: Arc<Heightmap>,
    layers: Vec<Layer>,
    /// Index in the scene of each layer of the canopy.
    canopy: Vec<usize>,
}

impl PlantStore {
    /// A store without plants.
    pub(super) fn new() -> Self {
        Self {
            source: None,
            stock: Stock::default(),
            atlas: Uploaded::nothing(),
            chosen: Uploaded::nothing(),
            mirrored: Uploaded::nothing(),
        }
    }

    /// Switch to another landscape; blocks of the same plants are kept.
    pub(super) fn update(&mut self, landscape: &Landscape) {
        let Some(scatter) = &landscape.plants else {
            *self = Self::new();
            return;
        };
        let before = self.source.as_ref();
        if before.is_none_or(|before| !Arc::ptr_eq(&before.scatter, scatter)) {
            self.stock = Stock::default();
        }
        self.chosen.clear();
        self.mirrored.clear();
        self.source = Some(Source {
            layers: Layer::all(&landscape.scene, scatter),
            canopy: landscape.canopy.as_ref().map_or_else(Vec::new, |canopy| {
                canopy.layers.iter().map(|layer| layer.layer).collect()
            }),
            scatter: Arc::clone(scatter),
            ground: Arc::clone(landscape.surface()),
        });
    }

    /// Do the next step of work for the plants of a frame. Returns false if nothing is left to do.
    pub(super) fn make_one(
        &mut self,
        context: &Rc<Context>,
        tools: &Tools,
        scene: &Scene,
        frame: Frame,
        clipmap: &Clipmap,
    ) -> Result<bool> {
        let Some(source) = &mut self.source else {
            return Ok(false);
        };
        for layer in &mut source.layers {
            layer.autumn = scene.autumn_of(layer.index);
        }
        let key = ViewKey {
            camera: scene.camera.clone(),
            size: frame.whole,
            tiles: scene.view.tile,
            depth: frame.depth,
            ground: Identity::of(&source.ground),
            light: scene.light.clone(),
            water: scene.water_level(),
            autumn: source.layers.iter().map(|layer| layer.autumn).collect(),
        };
        if self.chosen.is_from(&key) && self.mirrored.is_from(&key) {
            return Ok(false);
        }
        let kinds: Vec<_> = source.layers.iter().map(|layer| layer.kind).collect();
        if !self.atlas.is_from(&kinds) {
            self.atlas
                .update(kinds, |kinds, _| Atlas::new(context, kinds))?;
            return Ok(true);
        }
        let near = frame.depth.map(|depth| clipmap.near(&depth));
        let tiles = scene.view.tile.max(1);
        let ground = |near| Ground {
            map: &source.ground,
            tiles,
            near,
        };
        let (ground, map) = (ground(near.unwrap_or_default()), ground(Vec::new()));
        let eye: DVec3 = frame.depth.map_or(scene.camera.eye(), |depth| depth.eye);
        let (layers, size) = (&source.layers[..], source.scatter.size());
        let view = PlantView::new(scene, frame.whole, eye, size);
        let wanted = self.stock.wanted(layers, &view, &ground);
        let mirrored = PlantView::mirrored(scene, frame.whole, eye, size);
        let in_water = match &mirrored {
            Some(view) => self.stock.wanted(layers, view, &map),
            None => Vec::new(),
        };
        let keys = wanted.iter().chain(&in_water).map(|wanted| wanted.key);
        if self.stock.make_some(&source.scatter, layers, keys) {
            return Ok(true);
        }
        let Some(atlas) = self.atlas.get() else {
            return Ok(false);
        };
        let triangles = atlas.models.triangles();
        let choose = |view: &PlantView, ground: &Ground<'_>, wanted: &[Wanted]| {
            Chosen::new(&self.stock, (layers, &triangles), view, ground, wanted)
        };
        if self.chosen.is_from(&key) {
            self.mirrored.update(key, |_, _| {
                let Some(view) = &mirrored else {
                    return Ok(None);
                };
                let chosen = choose(view, &map, &in_water);
                MirroredPlants::new(context, view, &chosen, source.single(view)).map(Some)
            })?;
            return Ok(true);
        }
        let reaches = layers.iter().map(|layer| {
            let reach = view.reach(layer, layers.len());
            view.horizontal(&reach)
        });
        // Farther away shadows are small, and there are too many.
        let farthest = 0.5 * reaches.fold(0.0, f32::max);
        let nearest = wanted.first().map_or(0.0, |nearest| nearest.away);
        let chosen = choose(&view, &ground, &wanted);
        let picture = |_: &_, old: Option<(_, PlantPicture)>| {
            let (shaded, old) = ([nearest, farthest], old.map(|(_, old)| old));
            let made = PlantPicture::new(context, tools, &view, &chosen, shaded, (atlas, old));
            made.map(|picture| picture.with_single(source.single(&view)))
        };
        self.chosen.update(key, picture)?;
        Ok(true)
    }

    /// Plants of the picture that was prepared last, with their impostors; `None` if there are none.
    pub(super) fn shown(&self) -> Option<(&PlantPicture, &Atlas)> {
        let picture = self.chosen.get().filter(|picture| !picture.is_empty())?;
        Some((picture, self.atlas.get()?))
    }

    /// Plants that the sea mirrors in the picture that was prepared last, with their impostors; `None` if it mirrors nothing.
    pub(super) fn mirrored(&self) -> Option<(&MirroredPlants, &Atlas)> {
        Some((self.mirrored.get()?.as_ref()?, self.atlas.get()?))
    }

    /// Uniforms of `common/plant_shadow.glsl` for the picture that was prepared last; `None` without plants.
    pub(super) fn shadows(&self) -> Option<impl Uniforms + '_> {
        self.chosen.get().map(PlantPicture::shadows)
    }

    /// Size in bytes, in memory and on the graphics card.
    pub(super) fn bytes(&self) -> u64 {
        let atlas = self.atlas.get().map_or(0, Atlas::bytes);
        let mirrored = self.mirrored.get().and_then(Option::as_ref);
        let mirrored = mirrored.map_or(0, MirroredPlants::bytes);
        atlas + self.stock.bytes() + self.chosen.get().map_or(0, PlantPicture::bytes) + mirrored
    }
}

impl Source {
    /// Distances for `plants_single` in `common/plants_single.glsl`, by layer of the canopy.
    fn single(&self, view: &PlantView) -> [[f32; 2]; CHANNELS] {
        let mut single = [[0.0; 2]; CHANNELS];
        for layer in &self.layers {
            let at = self.canopy.iter().position(|index| *index == layer.index);
            if let Some(single) = at.and_then(|at| single.get_mut(at)) {
                *single = view.single(&view.reach(layer, self.layers.len()));
            }
        }
        single
    }
}
