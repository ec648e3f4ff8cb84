//! Overlays computed from the ground: mask weights, no-data, watershed and ground covers.

use std::sync::Arc;

use super::Pipeline;
use super::inputs::Inputs;
use super::land::GROUND;
use super::request::{context, half_steps, pour_point, surface_of};
use super::stage::{Making, Stage, StageDone};
use crate::generate::GenerateError;
use crate::modify::layer::Layer;
use crate::modify::mask::Mask;
use crate::modify::{Modifier, ModifyError};
use crate::scene::Scene;
use crate::shading::analysis::edge_distances;
use crate::shading::covers::{CoverMap, Wetness, lie_on, needs_wetness, wetness};
use crate::shading::material::covers_of;
use crate::shading::texture::{Cover, Palette};
use crate::terrain::drainage::Drainage;
use crate::terrain::grid::Grid;
use crate::terrain::heightmap::{Heightmap, Validity};
use crate::terrain::measure::{PourPoint, Watershed};
use crate::terrain::rivers;
use crate::util::identity::Identity;
use crate::util::job::{Cancelled, Job};
use crate::util::numbers::thinning;
use crate::util::param::OutOfRange;

/// Maximum number of samples per side; larger maps are thinned to every second, fourth … sample.
pub const MOST_BYTES: usize = 2049;

/// One byte per sample of a tile.
#[derive(Clone, Debug, PartialEq)]
pub struct TileBytes {
    /// The bytes, north first. Rows and columns are those of the map, thinned above [`MOST_BYTES`] per side.
    /// A map that wraps omits its last row and column, which repeat the first. Mask weights run from 0, no
    /// effect, to 255, full effect; for a watershed see [`crate::shading::analysis::edge_distances`].
    pub values: Grid<u8>,
    /// Number of columns and rows across a tile, from its first sample to its last.
    pub span: [f32; 2],
    /// True if the tile repeats across its borders.
    pub wraps: bool,
}

impl TileBytes {
    /// Convert the weights of a mask, thinned.
    pub(super) fn of_weights(weights: &Heightmap, job: &Job) -> Result<Self, Cancelled> {
        Self::of(weights, |row, step| {
            job.check()?;
            let kept = weights.row(row).iter().step_by(step);
            Ok(kept.map(|weight| (weight * 255.0 + 0.5) as u8).collect())
        })
    }

    /// Convert a no-data mask, thinned: 255 where a map has holes, else 0.
    pub(super) fn of_holes(
        map: &Heightmap,
        valid: &Validity,
        job: &Job,
    ) -> Result<Self, Cancelled> {
        Self::of(map, |row, step| {
            job.check()?;
            let columns = (0..map.columns()).step_by(step);
            Ok(columns
                .map(|column| if valid.is_valid(row, column) { 0 } else { 255 })
                .collect())
        })
    }

    /// Collect the thinned rows of `map` from `of_row`, which receives a row and the step between columns.
    pub(super) fn of(
        map: &Heightmap,
        of_row: impl Fn(usize, usize) -> Result<Vec<u8>, Cancelled>,
    ) -> Result<Self, Cancelled> {
        let step = thinning(map.rows().max(map.columns()), MOST_BYTES);
        let wraps = map.wraps() && map.rows() > 1 && map.columns() > 1;
        // A tile that wraps omits the last sample, which repeats the first.
        let count = |side: usize| (side - 1) / step + usize::from(!wraps);
        let (rows, columns) = (count(map.rows()), count(map.columns()));
        let mut values = Vec::with_capacity(rows * columns);
        for row in 0..rows {
            values.extend(of_row(row * step, step)?.into_iter().take(columns));
        }
        let span = |side: usize| ((side - 1) as f32 / step as f32).max(1.0);
        Ok(Self {
            values: Grid::from_vec(rows, columns, values).unwrap_or(Grid::filled(0, 0, 0)),
            span: [span(map.columns()), span(map.rows())],
            wraps,
        })
    }
}

// Weights of one mask of a scene, for display over the ground.

/// Identity of a mask: the index of its layer, modifier or layer of plants in the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MaskOf {
    /// Mask of the layer with this index.
    Layer(usize),
    /// Mask of the modifier with this index.
    Modifier(usize),
    /// Mask of the layer of plants with this index.
    Plants(usize),
}

impl MaskOf {
    /// Look up the mask in `scene`. `None` if the step is missing or off, or acts everywhere.
    #[must_use]
    pub fn mask(self, scene: &Scene) -> Option<&Mask> {
        let mask = match self {
            Self::Layer(index) => {
                let mut layers = scene.layers_on();
                &layers.find(|(place, _)| *place == index)?.1.mask
            }
            Self::Modifier(index) => {
                let mut modifiers = scene.modifiers_on();
                &modifiers.find(|(place, _)| *place == index)?.1.mask
            }
            Self::Plants(index) => {
                let mut plants = scene.plants_on();
                &plants.find(|(place, _)| *place == index)?.1.mask
            }
        };
        (!mask.is_none()).then_some(mask)
    }

    /// Convert an error so that its keys are those of the scene.
    fn error(self, error: impl Into<GenerateError> + Into<ModifyError>) -> GenerateError {
        match self {
            Self::Layer(index) => Into::<GenerateError>::into(error).of_layer(index),
            Self::Modifier(index) => Into::<ModifyError>::into(error).of_step(index).into(),
            Self::Plants(index) => match error.into() {
                GenerateError::OutOfRange(error) => GenerateError::OutOfRange(OutOfRange {
                    key: format!("plants.{index}.{}", error.key),
                    ..error
                }),
                error => error,
            },
        }
    }
}

/// Cache key of mask weights: the mask, and the ground its step starts from.
#[derive(Debug, PartialEq)]
pub struct MaskKey {
    /// Generated map under a layer, or map with all layers under a modifier.
    source: Identity<Heightmap>,
    /// Layers below a layer, with their indices in the scene.
    layers: Vec<(usize, Layer)>,
    /// Modifiers before a modifier, on or off.
    modifiers: Vec<Modifier>,
    mask: Mask,
    /// Smoothing radius of the mask in its step, in metres.
    radius_m: f32,
    water: Option<f32>,
}

impl Pipeline {
    /// Weights of a mask of `scene`, as its step uses them: evaluated on the ground under its layer, or
    /// before its modifier. `None` if no such mask acts: it does not exist, its step is off, a single pass is
    /// shown, or the ground is a profile.
    ///
    /// Maps of the last [`Pipeline::run`] are reused where possible, and the last weights are cached. Cost: a
    /// pass over the map, for masks by water that of [`Mask::weights`], and the earlier steps that are not
    /// cached.
    ///
    /// # Errors
    /// The same as those of [`Pipeline::run`].
    pub fn mask(
        &mut self,
        scene: &Scene,
        inputs: &Inputs,
        of: MaskOf,
        job: &Job,
    ) -> Result<Option<Arc<TileBytes>>, GenerateError> {
        scene.validate()?;
        let Some(mask) = of.mask(scene).filter(|_| half_steps(scene).is_none()) else {
            return Ok(None);
        };
        let scene = &scene.without_names();
        let making = &mut Making {
            scene,
            inputs,
            is_preview: false,
            job: job.clone(),
            observe: &mut |_| {},
        };
        let surface = surface_of(scene);
        let iterations = surface.iterations;
        let modifiers = scene.modifiers_as_they_act();
        let (source, below, before, radius_m) = match of {
            MaskOf::Layer(index) => {
                let below = scene.layers_on().take_while(|(place, _)| *place < index);
                let below = below.map(|(place, layer)| (place, layer.clone())).collect();
                let source = self.ground.generated(making, &surface, &GROUND)?;
                (source, below, &[][..], 0.0)
            }
            MaskOf::Modifier(index) => {
                let source = self.ground.layered(making, surface, &GROUND)?;
                let radius_m = modifiers[index].mask_radius_m();
                (source, Vec::new(), &modifiers[..index], radius_m)
            }
            MaskOf::Plants(_) => {
                let source = self.ground.layered(making, surface, &GROUND)?;
                (source, Vec::new(), &modifiers[..], 0.0)
            }
        };
        if source.is_profile() {
            return Ok(None);
        }
        let context = context(scene, inputs, job);
        let found = MaskKey {
            source: Identity::of(&source),
            layers: below,
            modifiers: before.to_vec(),
            mask: mask.clone(),
            radius_m,
            water: context.water,
        };
        let ground = &mut self.ground;
        let made = self.mask.get(found, |found, _| {
            let land = match of {
                MaskOf::Layer(_) => {
                    ground.under_layer(source, iterations, &found.layers, inputs, &context)?
                }
                MaskOf::Modifier(_) | MaskOf::Plants(_) => {
                    ground.before_modifier(&source, before, &context)?
                }
            };
            let weights = mask.smoothed_weights(&land, radius_m, &context);
            let weights = weights.map_err(|e| of.error(e))?;
            Ok::<_, GenerateError>(TileBytes::of_weights(&weights, job)?)
        })?;
        Ok(Some(made))
    }
}

/// Stage that caches the last weights.
pub type MaskStage = Stage<MaskKey, TileBytes>;

// Watershed of a scene, and the drainage shared with its rivers.

/// A delineated watershed for display. Maps above [`rivers::MOST_SAMPLES`] per side are thinned to every
/// second, fourth … sample.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownWatershed {
    /// Cells and measurements of the watershed.
    pub watershed: Watershed,
    /// Position of its outlet, x and z in half tiles from the centre of the map.
    pub outlet: [f32; 2],
    /// The outlet's position in half tiles east and south of the north-western sample.
    pub outlet_from_corner: [f64; 2],
    /// Height of the ground at the outlet, in half tiles.
    pub height: f32,
    /// Distance of each sample from the edge, see [`edge_distances`].
    pub edge: Arc<TileBytes>,
}

impl ShownWatershed {
    fn of(
        map: &Heightmap,
        drainage: &Drainage,
        sea: Option<f32>,
        point: PourPoint,
        job: &Job,
    ) -> Result<Self, Cancelled> {
        let watershed = Watershed::of(map, drainage, sea, point);
        job.check()?;
        let mut edge = TileBytes::of(map, |row, step| {
            let columns = (0..map.columns()).step_by(step);
            let belongs = |column| u8::from(watershed.cells[drainage.cell(row, column)]);
            Ok(columns.map(belongs).collect())
        })?;
        let values = &edge.values;
        let cells = values.as_slice().iter().map(|belongs| *belongs == 1);
        let belongs = Grid::from_vec(values.rows(), values.columns(), cells.collect());
        if let Some(belongs) = belongs {
            edge.values = edge_distances(&belongs, edge.wraps, job)?;
        }
        let (row, column) = (watershed.row, watershed.column);
        Ok(Self {
            outlet: [map.x(column), map.z(row)],
            outlet_from_corner: [column, row].map(|index| index as f64 * f64::from(map.spacing())),
            height: map.at(row, column),
            watershed,
            edge: Arc::new(edge),
        })
    }
}

/// Stages of the ground's drainage and its last watershed.
#[derive(Debug, Default)]
pub struct WatershedStages {
    drainage: Stage<(Identity<Heightmap>, Option<f32>), Drainage>,
    watershed: Stage<(Identity<Drainage>, PourPoint), ShownWatershed>,
}

/// A drainage and one of its watersheds.
type Drained = (Arc<Drainage>, Arc<ShownWatershed>);

impl WatershedStages {
    /// The drainage and the watershed of the scene, if it shows one. The drainage is that of the rivers' map.
    /// Both are kept while a watershed is shown: 15 bytes per sample, plus one.
    pub fn get(
        &mut self,
        making: &mut Making<'_>,
        heights: &Arc<Heightmap>,
    ) -> Result<Option<Drained>, Cancelled> {
        let sea = making.scene.water.height();
        let asked = pour_point(making.scene).map(|point| (point, rivers::shown(heights)));
        let Some((point, map)) = asked.filter(|(point, map)| point.is_on(map)) else {
            *self = Self::default();
            return Ok(None);
        };
        let key = (Identity::of(heights), sea);
        let drainage = self.drainage.get(key, |_, old| {
            // Free the old drainage first: two of them need not fit into memory.
            drop(old);
            let drainage = Drainage::of(&map, sea, &making.job)?;
            making.done(StageDone::Drainage);
            Ok::<_, Cancelled>(drainage)
        })?;
        let key = (Identity::of(&drainage), point);
        let watershed = self.watershed.get(key, |_, _| {
            let shown = ShownWatershed::of(&map, &drainage, sea, point, &making.job)?;
            making.done(StageDone::Watershed);
            Ok::<_, Cancelled>(shown)
        })?;
        Ok(Some((drainage, watershed)))
    }
}

/// Stages of the ground covers of one map.
#[derive(Debug, Default)]
pub struct CoverStages {
    wetness: Stage<Identity<Heightmap>, Wetness>,
    covers: Stage<(Identity<Heightmap>, Vec<Cover>), CoverMap>,
}

impl CoverStages {
    /// Covers of `palette` on `map`; `None` without covers.
    pub fn get(
        &mut self,
        making: &mut Making<'_>,
        map: &Arc<Heightmap>,
        palette: &Palette,
    ) -> Result<Option<Arc<CoverMap>>, GenerateError> {
        let covers = covers_of(palette, making.scene);
        let (is_needed, key) = (lie_on(map, &covers), (Identity::of(map), covers));
        self.covers.get_if(is_needed, key, |(_, covers), _| {
            let wet = (self.wetness).get_if(needs_wetness(covers), Identity::of(map), |_, _| {
                wetness(map, &making.job)
            })?;
            let made = CoverMap::of(map, covers, wet.as_deref(), &making.job)?;
            making.done(StageDone::Covers);
            Ok(made)
        })
    }
}
