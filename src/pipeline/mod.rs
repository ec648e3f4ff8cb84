//! Pipeline from a scene to height maps and textures, with memoized stages.
//!
//! Each stage keeps its last result together with the key it was computed from. A change recomputes only the
//! dirty stages: the first stage that depends on it and those after it.
//!
//! ```text
//! surface ─► generated ─► layered ─► modified ─► heights ─┬─► rivers ─► snow ─┬─► sky and sun visibility
//!                                                         │      ▲             └─► plants ─► canopy ─► light
//!                                                         ├─► drainage ─► watershed
//!                                                         ├─► relief, fetch
//!                                                         ├─► covers
//! teximage, the same way ─► finer heights ─► covers       │
//! clouds ─► cloud texture, ranks of the clouds            └─► Landscape
//! ```

use std::sync::Arc;

use crate::fractal::passes::{Point, after_half_steps_while, after_passes};
use crate::generate::{Detail, GenerateError, Surface};
use crate::pipeline::inputs::Inputs;
use crate::plants::{CanopyMap, FIXED_SIDE, PREVIEW_SIDE, Scatter};
use crate::scene::{PlantLayer, RenderType, Rock, Scene, Snow};
use crate::shading::analysis::relief;
use crate::shading::covers::CoverMap;
use crate::shading::light::Visibility;
use crate::shading::snow::{self, SnowCover};
use crate::shading::texture::{Palette, clouds as cloud_texture};
use crate::shading::wind_waves::fetch_map;
use crate::terrain::drainage::Drainage;
use crate::terrain::grid::Grid;
use crate::terrain::heightmap::{Heightmap, Validity};
use crate::terrain::rivers::{Rivers, Rule};
use crate::util::identity::Identity;
use crate::util::job::Job;

pub mod inputs;
mod land;
mod light;
mod overlays;
mod plants;
mod refinement;
mod request;
mod rock;
mod stage;

pub use land::{cloud_ranks, clouds, heights, rivers, teximage};
pub use overlays::{MOST_BYTES, MaskOf, ShownWatershed, TileBytes};
pub use plants::{canopy, plants};
pub use refinement::{
    Depth, Lattice, LevelsBelow, MOST_LEVELS_SHOWN, goes_on_as_itself, is_large, least_cell,
    refined,
};
pub use request::{is_untouched, next_range, pass_range, pour_point, steps_range, surface_of};
pub use rock::bedding;
pub use stage::StageDone;

use land::{GROUND, Land, StageNames};
use light::{Flood, LightStages};
use overlays::{CoverStages, MaskStage, WatershedStages};
use refinement::BareLevels;
use request::{cloud_map, finer_ground, half_steps, sky_cloud_map};
use stage::{Making, Part, Shares, Stage};

/// Result of the pipeline for one scene. Parts that the render type does not show are `None`.
#[derive(Clone, Debug)]
pub struct Landscape {
    /// The scene that the landscape was generated from.
    pub scene: Scene,
    /// Heights of the ground with its layers and modifiers, in half tiles. A very large map is thinned to
    /// every second, fourth … sample (see [`Surface::generate_shown`]); render type `1d` has a ridge, a map
    /// of one row.
    pub heights: Arc<Heightmap>,
    /// Number of the map's samples from one sample of `heights` to the next, along each side. It is 1 unless
    /// the map is very large.
    pub stride: usize,
    /// State of each point of `heights` (new, earlier or not yet computed), where the scene shows a single
    /// pass. Such a map has no modifiers applied.
    pub points: Option<Arc<Grid<Point>>>,
    /// Finer map to bake into the ground's texture, with the same modifiers as the ground.
    pub teximage: Option<Arc<Heightmap>>,
    /// Ranks of the clouds of the sky; see [`cloud_texture::ranks`].
    pub cloud_ranks: Option<Arc<Grid<u8>>>,
    /// Colours of the cloud texture, sRGB.
    pub clouds: Option<Arc<Grid<[u8; 3]>>>,
    /// Sun visibility of the ground (shadows), where it casts shadows.
    pub sun: Option<Arc<Visibility>>,
    /// Sky visibility of the ground (ambient occlusion), where it is used.
    pub sky: Option<Arc<Visibility>>,
    /// Thinned ground for contours or a cross-section, where these are shown; see
    /// [`crate::shading::analysis::relief`].
    pub relief: Option<Arc<Heightmap>>,
    /// Rivers and lakes, where they are shown.
    pub rivers: Option<Arc<Rivers>>,
    /// Snow, where it is shown and some stays.
    pub snow: Option<Arc<SnowCover>>,
    /// Plants, where they are shown, to be made for any part of the map.
    pub plants: Option<Arc<Scatter>>,
    /// Share of the ground under the crowns of the plants.
    pub canopy: Option<Arc<CanopyMap>>,
    /// Fetch of the wind waves on the sea, where render type `landscape` shows it; see [`fetch_map`].
    pub fetch: Option<Arc<Grid<u8>>>,
    /// Watershed of the scene's pour point, where one is shown and the point is on the map; see
    /// [`pour_point`].
    pub watershed: Option<Arc<ShownWatershed>>,
    /// No-data mask of the ground, if it has holes: 255 where there is no data, else 0.
    pub no_data: Option<Arc<TileBytes>>,
    /// Colours by height.
    pub palette: Arc<Palette>,
    /// Ground covers of the palette, where the ground has eroded and is shown in colours.
    pub covers: Option<Arc<CoverMap>>,
    /// Ground covers on the finer map.
    pub teximage_covers: Option<Arc<CoverMap>>,
    /// Refinement levels between the samples of `heights`, unless only some passes are shown.
    pub below: Option<Arc<LevelsBelow>>,
}

/// All stages, each with its last result.
#[derive(Debug, Default)]
pub struct Pipeline {
    ground: Land,
    pass: Stage<(Surface, u32), PassView>,
    finer: Land,
    clouds: Stage<Surface, Grid<[u8; 3]>>,
    light: LightStages,
    cloud_ranks: Stage<Surface, Grid<u8>>,
    relief: Stage<Identity<Heightmap>, Heightmap>,
    rivers: Stage<(Identity<Heightmap>, Option<f32>, Rule), Rivers>,
    snow: Stage<Snowed, Option<Arc<SnowCover>>>,
    plants: Stage<Planted, Option<Arc<Scatter>>>,
    canopy: Stage<Identity<Scatter>, (Arc<Scatter>, Arc<CanopyMap>)>,
    coarse_canopy: Stage<Identity<Scatter>, CanopyMap>,
    fetch: Stage<(Identity<Heightmap>, Flood), Grid<u8>>,
    waters: WatershedStages,
    no_data: Stage<Identity<Validity>, TileBytes>,
    mask: MaskStage,
    covers: CoverStages,
    finer_covers: CoverStages,
    bare: Stage<(Identity<Heightmap>, Detail, Rock), BareLevels>,
    below: Stage<Below, LevelsBelow>,
}

/// Key of the snow: its resolution, and what it lies on: heights, rivers on them, the sea, the settings, and the latitude
/// if it counts.
type Snowed = (
    usize,
    (
        Identity<Heightmap>,
        Option<Identity<Rivers>>,
        Option<f32>,
        Snow,
        Option<f32>,
    ),
);

/// Key of the site of plants: heights, rivers on them, the latitude if it counts, the sea, the
/// seed, and the size of the tile in metres.
type PlantSite = (
    Identity<Heightmap>,
    Option<Identity<Rivers>>,
    Option<f32>,
    Option<f32>,
    u64,
    f32,
);

/// Key of the snow on the site of plants: that which is shown, or the settings of that which is not.
type PlantSnow = (Option<Identity<SnowCover>>, Option<Snow>);

/// Key of the plants: their site, the layers that are on with their indices in the scene, and the snow.
type Planted = (PlantSite, Vec<(usize, PlantLayer)>, PlantSnow);

/// Key of the refinement levels: those of the bare ground, and rivers and snow shown on them.
type Below = (
    Identity<BareLevels>,
    Option<Identity<Rivers>>,
    Option<Identity<SnowCover>>,
);

/// Heights after a half step, with the state of each point.
type PassView = (Arc<Heightmap>, Arc<Grid<Point>>);

/// Result of a stage; `None` if the scene does not show it.
type Made<T> = Result<Option<Arc<T>>, GenerateError>;

impl Landscape {
    /// Rows and columns of the whole map. `heights` may be thinned to every second, fourth … sample, or hold
    /// the first passes only.
    #[must_use]
    pub fn size(&self) -> [usize; 2] {
        if self.points.is_some() {
            let side = (1 << self.scene.surface.iterations) + 1;
            return [if self.heights.is_profile() { 1 } else { side }, side];
        }
        [self.heights.rows(), self.heights.columns()].map(|side| (side - 1) * self.stride + 1)
    }

    /// Heights as drawn: with the water surface of rivers and lakes, and snow, where render type `landscape` shows
    /// them.
    #[must_use]
    pub fn surface(&self) -> &Arc<Heightmap> {
        match (&self.snow, &self.rivers) {
            (Some(snow), _) => &snow.surface,
            (None, Some(rivers)) if self.scene.render_type() == RenderType::Landscape => {
                &rivers.surface
            }
            _ => &self.heights,
        }
    }
}

impl Pipeline {
    /// The ground as last generated, before any modifier; `None` if it is no longer in memory.
    #[must_use]
    pub fn generated(&self) -> Option<&Heightmap> {
        self.ground.last_generated()
    }

    /// Forget the plants: they hold the map they stand on, so that its memory could not be reused.
    pub fn drop_plants(&mut self) {
        self.plants = Stage::default();
        self.canopy = Stage::default();
        self.coarse_canopy = Stage::default();
    }

    /// Compute everything `scene` needs. Unchanged parts are reused: they are the same `Arc` as before.
    ///
    /// # Errors
    /// The same as those of [`Surface::generate`], or a palette is unknown. After an error the next run
    /// recomputes the failed part.
    pub fn run(
        &mut self,
        scene: &Scene,
        inputs: &Inputs,
        job: &Job,
    ) -> Result<Landscape, GenerateError> {
        self.run_observed(scene, inputs, job, &mut |_| {})
    }

    /// Compute the landscape as [`Pipeline::run`] does, and call `observe` after each computed stage. Reused
    /// stages take no time, so the time between two calls is the time of the later stage.
    ///
    /// # Errors
    /// The same as those of [`Pipeline::run`].
    pub fn run_observed(
        &mut self,
        scene: &Scene,
        inputs: &Inputs,
        job: &Job,
        observe: &mut dyn FnMut(StageDone),
    ) -> Result<Landscape, GenerateError> {
        self.run_by(scene, inputs, false, job, observe)
    }

    /// Compute a preview of the landscape: as [`Pipeline::run`] does, with snow on a lattice of at most
    /// [`snow::PREVIEW_SIDE`] samples a side, a canopy of at most [`PREVIEW_SIDE`], and the light of the canopy before.
    /// Where only the snow is new, the plants are those before, too. All stages before the snow are those of the
    /// landscape itself.
    ///
    /// # Errors
    /// The same as those of [`Pipeline::run`].
    pub fn preview(
        &mut self,
        scene: &Scene,
        inputs: &Inputs,
        job: &Job,
    ) -> Result<Landscape, GenerateError> {
        self.run_by(scene, inputs, true, job, &mut |_| {})
    }

    fn run_by(
        &mut self,
        scene: &Scene,
        inputs: &Inputs,
        is_preview: bool,
        job: &Job,
        observe: &mut dyn FnMut(StageDone),
    ) -> Result<Landscape, GenerateError> {
        scene.validate()?;
        let palette = inputs.palette_of(scene)?;
        // Stages compare their inputs, and a new name makes nothing new.
        let named = scene;
        let scene = &named.without_names();
        let making = &mut Making {
            scene,
            inputs,
            is_preview,
            job: job.clone(),
            observe,
        };
        let shares = Shares::new(making);
        making.job = shares.of(Part::Ground);
        let (heights, points) = self.heights(making)?;
        making.job = shares.of(Part::Waters);
        let waters = self.waters.get(making, &heights)?;
        let (drainage, watershed) = waters.unzip();
        making.job = shares.of(Part::Rivers);
        let rivers = self.rivers(making, &heights, drainage)?;
        making.job = shares.of(Part::Snow);
        let snow = self.snow(making, &heights, rivers.as_ref())?;
        let plants = self.plants(making, &heights, (rivers.as_ref(), snow.as_ref()))?;
        let canopy = self.canopy(making, plants.as_ref())?;
        let surface = surface_of(scene);
        making.job = shares.of(Part::Teximage);
        let teximage = self.teximage(making)?;
        making.job = shares.of(Part::Covers);
        let is_colored = making.draws(&[
            RenderType::Landscape,
            RenderType::Triangles,
            RenderType::Map,
        ]);
        let covers = match is_colored {
            true => self.covers.get(making, &heights, &palette)?,
            false => None,
        };
        let teximage_covers = match &teximage {
            Some(finer) => self.finer_covers.get(making, finer, &palette)?,
            None => None,
        };
        making.job = shares.of(Part::Clouds);
        let (clouds, cloud_ranks) = (self.clouds(making)?, self.cloud_ranks(making)?);
        making.job = shares.of(Part::Light);
        let top = match (&snow, &rivers) {
            (Some(snow), _) => &snow.surface,
            (None, Some(rivers)) => &rivers.surface,
            (None, None) => &heights,
        };
        let light = (self.light).get(making, (&heights, top), canopy.as_ref(), flood(scene))?;
        let landscape = Landscape {
            stride: if is_untouched(scene) {
                surface.shown_stride()
            } else {
                1
            },
            teximage,
            covers,
            teximage_covers,
            clouds,
            sky: light.sky,
            sun: light.sun,
            cloud_ranks,
            fetch: self.fetch(making, &heights)?,
            relief: self.relief(making, &heights)?,
            below: self.below(
                making,
                &heights,
                (rivers.as_ref(), snow.as_ref()),
                points.is_some(),
            )?,
            no_data: self.no_data(making, &heights)?,
            scene: named.clone(),
            heights,
            points,
            rivers,
            snow,
            plants,
            canopy,
            watershed,
            palette,
        };
        job.advance(1, 1);
        Ok(landscape)
    }

    /// No-data mask of the ground, for render type `map`.
    fn no_data(&mut self, making: &Making<'_>, heights: &Heightmap) -> Made<TileBytes> {
        let valid = heights.valid().filter(|_| making.draws(&[RenderType::Map]));
        let Some(valid) = valid else {
            self.no_data = Stage::default();
            return Ok(None);
        };
        let made = (self.no_data).get(Identity::of(valid), |_, _| {
            TileBytes::of_holes(heights, valid, &making.job)
        })?;
        Ok(Some(made))
    }

    /// Heights of the ground: after some passes where the scene shows these, else with layers and modifiers.
    #[allow(clippy::type_complexity)]
    fn heights(
        &mut self,
        making: &mut Making<'_>,
    ) -> Result<(Arc<Heightmap>, Option<Arc<Grid<Point>>>), GenerateError> {
        let surface = surface_of(making.scene);
        let Some(half_steps) = half_steps(making.scene) else {
            return Ok((self.ground.finished(making, surface, &GROUND)?, None));
        };
        let map = self.ground.generated(making, &surface, &GROUND)?;
        let shown = self.pass.get((surface, half_steps), |_, _| {
            let (map, points) = match map.is_profile() {
                true => after_passes(&map, half_steps / 2),
                false => after_half_steps_while(&map, half_steps, &making.job)?,
            };
            making.done(StageDone::Pass);
            Ok::<_, GenerateError>((Arc::new(map), Arc::new(points)))
        })?;
        Ok((Arc::clone(&shown.0), Some(Arc::clone(&shown.1))))
    }

    /// Refinement levels of the ground, unless only some of its passes are shown.
    fn below(
        &mut self,
        making: &Making<'_>,
        heights: &Arc<Heightmap>,
        (rivers, snow): (Option<&Arc<Rivers>>, Option<&Arc<SnowCover>>),
        is_unfinished: bool,
    ) -> Made<LevelsBelow> {
        let is_shown = making.scene.render_type() == RenderType::Landscape;
        let rivers = rivers.filter(|_| is_shown);
        let (detail, rock) = (making.scene.detail.clone(), making.scene.rock.clone());
        let is_needed = !is_unfinished && !heights.is_profile();
        let bare = self
            .bare
            .get_if(is_needed, (Identity::of(heights), detail, rock), |_, _| {
                let images = &making.inputs.images;
                Ok::<_, GenerateError>(BareLevels::new(making.scene, images, heights))
            })?;
        let Some(bare) = bare else {
            return Ok(None);
        };
        let key = (
            Identity::of(&bare),
            rivers.map(Identity::of),
            snow.map(Identity::of),
        );
        let made = self.below.get(key, |_, _| {
            Ok::<_, GenerateError>(LevelsBelow::new(bare, rivers, snow))
        })?;
        Ok(Some(made))
    }

    fn teximage(&mut self, making: &mut Making<'_>) -> Made<Heightmap> {
        const WORDS: StageNames = StageNames {
            generated: StageDone::Teximage,
            layer: StageDone::TeximageLayer,
            modifier: StageDone::TeximageModifier,
        };
        if !making.has_teximage() {
            return Ok(None);
        }
        let surface = finer_ground(making.scene);
        self.finer.finished(making, surface, &WORDS).map(Some)
    }

    fn clouds(&mut self, making: &mut Making<'_>) -> Made<Grid<[u8; 3]>> {
        let is_drawn = making.draws(&[RenderType::Rendered, RenderType::Clouds]);
        (self.clouds).get_if(is_drawn, cloud_map(making.scene), |map, _| {
            let heights = map.generate(&making.inputs.images, &making.job.part(), None)?;
            let texture = cloud_texture::texture(&heights, map.height_scale, &making.job)?;
            making.done(StageDone::Clouds);
            Ok(texture)
        })
    }

    fn cloud_ranks(&mut self, making: &mut Making<'_>) -> Made<Grid<u8>> {
        let is_drawn = making.draws(&[RenderType::Landscape, RenderType::Sky]);
        (self.cloud_ranks).get_if(is_drawn, sky_cloud_map(making.scene), |map, _| {
            let heights = map.generate(&making.inputs.images, &making.job.part(), None)?;
            let ranks = cloud_texture::ranks(&heights, &making.job)?;
            making.done(StageDone::Clouds);
            Ok(ranks)
        })
    }

    fn rivers(
        &mut self,
        making: &mut Making<'_>,
        heights: &Arc<Heightmap>,
        drainage: Option<Arc<Drainage>>,
    ) -> Made<Rivers> {
        use RenderType::{Landscape, Map, Rendered, Teximage};
        let water = &making.scene.water;
        let shows = making.draws(&[Landscape, Map, Rendered, Teximage]) && !heights.is_profile();
        let Some(rule) = water.rivers().filter(|_| shows) else {
            return Ok(None);
        };
        let key = (Identity::of(heights), water.height(), rule);
        let made = self.rivers.get(key, |(_, sea, rule), _| {
            let rivers = match drainage {
                Some(drainage) => Rivers::drained(heights, drainage, *sea, rule, &making.job)?,
                None => Rivers::of(heights, *sea, rule, &making.job)?,
            };
            making.done(StageDone::Rivers);
            Ok(rivers)
        });
        made.map(Some)
    }

    fn snow(
        &mut self,
        making: &mut Making<'_>,
        heights: &Arc<Heightmap>,
        rivers: Option<&Arc<Rivers>>,
    ) -> Result<Option<Arc<SnowCover>>, GenerateError> {
        let scene = making.scene;
        if !snow::is_shown(scene) {
            self.snow = Stage::default();
            return Ok(None);
        }
        let most_side = match making.is_preview {
            true => snow::PREVIEW_SIDE,
            false => snow::MOST_SIDE,
        };
        // Small maps have the same snow in a preview.
        let most_side = most_side.min(heights.rows().max(heights.columns()));
        let from = (
            Identity::of(heights),
            rivers.map(Identity::of),
            scene.water.height(),
            scene.snow.clone(),
            snow::latitude(scene),
        );
        let key = (most_side, from);
        if making.is_preview {
            // The snow of a landscape is there already where only its plants are new.
            let finer = (self.snow).last(|last| last.0 >= key.0 && last.1 == key.1);
            if let Some(finer) = finer {
                return Ok(Option::clone(&finer));
            }
        }
        let made = self.snow.get(key, |_, _| {
            let rivers = rivers.map(|rivers| &**rivers);
            let made = SnowCover::of(heights, rivers, scene, most_side, &making.job)?;
            making.done(StageDone::Snow);
            Ok::<_, GenerateError>(made.map(Arc::new))
        })?;
        Ok(Option::clone(&made))
    }

    fn plants(
        &mut self,
        making: &Making<'_>,
        heights: &Arc<Heightmap>,
        (rivers, snow): (Option<&Arc<Rivers>>, Option<&Arc<SnowCover>>),
    ) -> Result<Option<Arc<Scatter>>, GenerateError> {
        let scene = making.scene;
        let is_shown = plants::are_drawn(scene) && half_steps(scene).is_none();
        if !is_shown || !plants::grow(scene, heights) {
            self.plants = Stage::default();
            return Ok(None);
        }
        // Other pictures than `landscape` do not show the snow, but nothing grows in it.
        let hidden = scene.snow.enabled && !snow::is_shown(scene);
        let site = (
            Identity::of(heights),
            rivers.map(Identity::of),
            snow::latitude(scene),
            scene.water.height(),
            scene.surface.seed,
            scene.surface.tile_size_m,
        );
        let layers = scene.plants_on();
        let layers = layers.map(|(index, layer)| (index, grown(layer)));
        let snow_on = (snow.map(Identity::of), hidden.then(|| scene.snow.clone()));
        let key: Planted = (site, layers.collect(), snow_on);
        if making.is_preview {
            // Snow comes first, and what grows in it follows.
            let before = (self.plants).last(|last| last.0 == key.0 && last.1 == key.1);
            if let Some(before) = before {
                return Ok(Option::clone(&before));
            }
        }
        // On the same ground only layers with other rules are new.
        let before = self.plants.made.as_ref();
        let before = before.filter(|((site, ..), _)| *site == key.0);
        let before = before.and_then(|((.., snow), plants)| {
            let plants = Option::clone(plants)?;
            Some((plants, *snow == key.2))
        });
        let made = self.plants.get(key, |_, _| {
            let job = &making.job;
            let bare = match before {
                Some((before, true)) => before,
                before => {
                    let rivers = rivers.map(Arc::clone);
                    let below = match hidden {
                        true => {
                            SnowCover::of(heights, rivers.as_deref(), scene, snow::MOST_SIDE, job)?
                        }
                        false => None,
                    };
                    let snow = snow.map(|snow| &**snow).or(below.as_ref());
                    Arc::new(match before {
                        Some((before, _)) => plants::in_snow(&before, snow),
                        None => plants::bare(scene, heights, rivers, snow),
                    })
                }
            };
            let made = plants::scatter(&bare, scene, making.inputs, job)?;
            Ok::<_, GenerateError>(Some(Arc::new(made)))
        })?;
        Ok(Option::clone(&made))
    }

    fn canopy(
        &mut self,
        making: &mut Making<'_>,
        plants: Option<&Arc<Scatter>>,
    ) -> Made<CanopyMap> {
        let Some(plants) = plants else {
            self.drop_plants();
            return Ok(None);
        };
        let key = Identity::of(plants);
        if let Some(made) = self.canopy.last(|last| *last == key) {
            return Ok(Some(Arc::clone(&made.1)));
        }
        if making.is_preview {
            let make = |_: &_, _| plants.canopy(PREVIEW_SIDE, &making.job);
            return Ok(Some(self.coarse_canopy.get(key, make)?));
        }
        // The last one stays if this is cancelled: the next begins with it.
        let before = self.canopy.made.as_ref();
        let before = before.map(|(_, made)| (&*made.0, &*made.1));
        let canopy = plants.canopy_after(before, FIXED_SIDE, &making.job)?;
        making.done(StageDone::Canopy);
        let canopy = Arc::new(canopy);
        let made = (Arc::clone(plants), Arc::clone(&canopy));
        self.canopy.made = Some((key, Arc::new(made)));
        Ok(Some(canopy))
    }

    fn fetch(&mut self, making: &Making<'_>, heights: &Arc<Heightmap>) -> Made<Grid<u8>> {
        let flood = flood(making.scene).filter(|_| !heights.is_profile());
        let Some((level, repeats)) = flood else {
            return Ok(None);
        };
        let key = (Identity::of(heights), flood);
        let made = self
            .fetch
            .get(key, |_, _| fetch_map(heights, level, repeats, &making.job))?;
        Ok(Some(made))
    }

    fn relief(&mut self, making: &Making<'_>, heights: &Arc<Heightmap>) -> Made<Heightmap> {
        let is_needed = making.scene.needs_relief() && !heights.is_profile();
        if !is_needed {
            self.relief = Stage::default();
        }
        let key = Identity::of(heights);
        (self.relief).get_if(is_needed, key, |_, _| Ok(relief(heights)))
    }
}

/// Layer of plants without its colours, which change none of its plants.
fn grown(layer: &PlantLayer) -> PlantLayer {
    PlantLayer {
        autumn: 0.0,
        ..layer.clone()
    }
}

/// Water level of the scene; `None` without water.
fn flood(scene: &Scene) -> Flood {
    let level = scene.water_level()?;
    Some((level, scene.view.tile > 1))
}
