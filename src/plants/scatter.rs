//! Growth: which points of the patterns carry a plant, tall layers first, and how large it is.
//!
//! A candidate grows with the probability density × rules, by its own hash. Under taller layers it also
//! needs light: the canopy takes light with the distance from each stem (an ecological field, cf. Deussen 1998), and
//! the light left is exp(−k · sum). So clearings, understory and the tree line follow from the rules.
//!
//! Work is done in blocks. Each block grows the taller layers beyond its border as far as their shade reaches, so blocks
//! need not wait for each other. Sums are of whole numbers, so their order does not matter.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::growth::Growth;
use super::pattern::{ACROSS, Candidate, Pattern};
use super::rules::Conditions;
use super::site::{Site, degrees};
use crate::scene::{PlantKind, PlantLayer};
use crate::terrain::heightmap::Heightmap;
use crate::util::job::{Cancelled, Job};
use crate::util::parallel;

/// Cells of the densest layer along a side of a block.
const BLOCK: f64 = 128.0;
/// Share of the cells of a pattern whose candidate stands, rounded up.
const STANDING: f64 = 0.26;
/// Degrees above the steepest slope of a layer from which ground is a cliff, if only over a few metres.
const CLIFF: f32 = 20.0;
/// Radius of the shade of a plant as a multiple of that of its crown.
pub(super) const SHADE: f32 = 2.0;
/// Light taken by one plant right at its stem: exp(−1.2) is left.
const TAKES: f64 = 1.2;
/// Whole numbers in a unit of shade.
pub(super) const STEPS: f64 = 65_536.0;
/// Side in metres of the squares, half a hectare, that count as forest or not.
const FOREST_M: f64 = 70.71;
/// Largest number of such squares a side.
const MOST_SQUARES: usize = 1024;
/// Share of a square under crowns from which it is forest (FAO 2020).
const FOREST: f64 = 0.1;

/// A plant or a stone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plant {
    /// Index of its layer in the scene.
    pub layer: usize,
    /// Kind of plant.
    pub kind: PlantKind,
    /// Column and row of its cell in the pattern of the layer.
    pub cell: [u32; 2],
    /// Position in half tiles east and south of the first sample of the map.
    pub place: [f64; 2],
    /// Height of the ground in half tiles.
    pub ground: f32,
    /// Height of the plant in metres.
    pub height_m: f32,
    /// Radius of the crown, or of the stone, in metres.
    pub radius_m: f32,
    /// Rotation about the vertical in degrees, 0…360.
    pub rotation: f32,
    /// Slope of the ground in degrees.
    pub slope: f32,
}

/// Rectangle of a tile, in half tiles east and south of the first sample: from `first`, up to but without `last`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rect {
    /// North-western corner.
    pub first: [f64; 2],
    /// South-eastern corner.
    pub last: [f64; 2],
}

/// Number of plants of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayerCount {
    /// Index of the layer in the scene.
    pub layer: usize,
    /// Kind of plant.
    pub kind: PlantKind,
    /// Number of plants.
    pub count: u64,
}

/// Numbers of plants on a map.
#[derive(Clone, Debug, PartialEq)]
pub struct PlantCount {
    /// Each layer that is on, in the order of the scene.
    pub layers: Vec<LayerCount>,
    /// Area of the map in hectares.
    pub hectares: f64,
    /// Share of the map that is forest, 0…1: squares of half a hectare of which the crowns of trees cover a tenth.
    pub forest: f64,
}

impl PlantCount {
    /// Number of all plants.
    #[must_use]
    pub fn all(&self) -> u64 {
        self.layers.iter().map(|layer| layer.count).sum()
    }
}

/// Layer of plants, prepared for a site.
#[derive(Clone, Debug)]
pub(super) struct Species {
    pub(super) index: usize,
    pub(super) layer: PlantLayer,
    pattern: Pattern,
    /// Share of the places where a plant grows, besides the density.
    growth: Growth,
    /// Most shade in which it grows, in [`STEPS`].
    pub(super) most_shade: u64,
    /// Square of the rise of the ground from which none grows.
    steepest: f64,
    /// Distance in metres over which it acts on lower layers.
    reach: f64,
}

impl Species {
    /// True if it grows on ground with this squared rise, in snow of this depth in metres.
    fn bears(&self, rise: f64, snow: f32) -> bool {
        // Between samples the weights are not exact.
        rise < self.steepest && (snow <= 0.0 || snow < self.layer.snow)
    }
}

/// Plants of a map, made for any part of it.
#[derive(Clone, Debug)]
pub struct Scatter {
    seed: u64,
    pub(super) site: Arc<Site>,
    conditions: Arc<Conditions>,
    /// Depth of the snow, as it counts for plants.
    snow: Option<Arc<Heightmap>>,
    /// Tallest first.
    pub(super) species: Vec<Species>,
}

impl Scatter {
    /// Prepare layers, each with its index in the scene and the weights of its mask at the samples of
    /// [`Site::ground`]; no weights mean 1 everywhere.
    #[must_use]
    pub fn new(
        seed: u64,
        layers: impl IntoIterator<Item = (usize, PlantLayer, Option<Heightmap>)>,
        site: Site,
    ) -> Self {
        let site = Arc::new(site);
        let conditions = Conditions::new(Arc::clone(&site));
        let bare = Self {
            seed,
            snow: smoothed_snow(&conditions, &site),
            conditions: Arc::new(conditions),
            site,
            species: Vec::new(),
        };
        let species = layers.into_iter().map(|(index, layer, mask)| {
            let growth = bare.growth_of(index, &layer, mask);
            bare.prepared(index, layer, &growth)
        });
        let species = species.collect();
        bare.with(species)
    }

    /// The same plants under other snow; see [`Site::with_snow`].
    #[must_use]
    pub fn with_snow(&self, snow: Option<Heightmap>) -> Self {
        let site = Arc::new(Site::clone(&self.site).with_snow(snow));
        let bare = Self {
            seed: self.seed,
            snow: smoothed_snow(&self.conditions, &site),
            conditions: Arc::clone(&self.conditions),
            site,
            species: Vec::new(),
        };
        let species = self.species.iter();
        let species = species.map(|species| {
            let layer = species.layer.clone();
            bare.prepared(species.index, layer, &species.growth)
        });
        let species = species.collect();
        bare.with(species)
    }

    /// True if `other` is on the same ground, whatever the snow on it.
    pub(super) fn has_ground_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.conditions, &other.conditions)
    }

    /// Prepare other layers on the same site. `mask` computes the weights of a layer's mask, and is asked only for
    /// layers with other rules than before.
    ///
    /// # Errors
    /// Those of `mask`.
    pub fn with_layers<E>(
        &self,
        layers: impl IntoIterator<Item = (usize, PlantLayer)>,
        mut mask: impl FnMut(usize, &PlantLayer, &Site) -> Result<Option<Heightmap>, E>,
    ) -> Result<Self, E> {
        let species = layers.into_iter().map(|(index, layer)| {
            let mut known = self.species.iter().filter(|known| known.index == index);
            let growth = match known.find(|known| known.growth.is_of(&layer)) {
                Some(known) => known.growth.clone(),
                None => self.growth_of(index, &layer, mask(index, &layer, &self.site)?),
            };
            Ok(self.prepared(index, layer, &growth))
        });
        let species = species.collect::<Result<_, E>>()?;
        Ok(self.with(species))
    }

    fn growth_of(&self, index: usize, layer: &PlantLayer, mask: Option<Heightmap>) -> Growth {
        let conditions = Arc::clone(&self.conditions);
        Growth::new(conditions, (index as u32, layer), self.seed, mask)
    }

    fn prepared(&self, index: usize, layer: PlantLayer, growth: &Growth) -> Species {
        let size = self.site.size().map(|side| side * self.site.metres());
        let (spacing, wraps) = (layer.spacing_m(), self.site.wraps());
        Species {
            index,
            pattern: Pattern::new(self.seed, index as u32, size, spacing, wraps),
            growth: growth.in_snow(self.snow.clone(), &layer),
            most_shade: most_shade(&layer),
            steepest: steepest(&layer),
            reach: 0.0,
            layer,
        }
    }

    /// The same site with these species.
    fn with(&self, mut species: Vec<Species>) -> Self {
        // The sort is stable, so of equal heights the first layer is placed first.
        species.sort_by(|a, b| b.layer.height_m().total_cmp(&a.layer.height_m()));
        let mut widest = 0.0_f64;
        for species in species.iter_mut().rev() {
            let layer = &species.layer;
            let largest = layer.kind.radius() * layer.height_m() * (1.0 + layer.spread);
            let shade = f64::from(SHADE * largest);
            species.reach = shade.max(widest.min(layer.spacing_m()));
            widest = widest.max(layer.spacing_m());
        }
        Self {
            seed: self.seed,
            site: Arc::clone(&self.site),
            conditions: Arc::clone(&self.conditions),
            snow: self.snow.clone(),
            species,
        }
    }

    /// Number of plants that grow in a rectangle if nothing but density and spacing limits them.
    #[must_use]
    pub fn most_in(&self, rect: Rect) -> f64 {
        let size = self.site.size();
        let share = (0..2).map(|axis| (rect.last[axis] - rect.first[axis]) / size[axis]);
        let share: f64 = share.product();
        let of_layer = |species: &Species| {
            let [columns, rows] = species.pattern.cells();
            columns as f64 * rows as f64 * f64::from(species.layer.density)
        };
        self.species.iter().map(of_layer).sum::<f64>() * STANDING * share
    }

    /// Rectangle of the whole map.
    #[must_use]
    pub fn whole(&self) -> Rect {
        Rect {
            first: [0.0; 2],
            last: self.site.size(),
        }
    }

    /// Plants in a rectangle, by layer, then by row and column of the pattern.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn plants_in(&self, rect: Rect, job: &Job) -> Result<Vec<Plant>, Cancelled> {
        let made = self.each_block(rect, job, |plants| plants)?;
        let mut plants = made.concat();
        plants.sort_unstable_by_key(|plant| (plant.layer, plant.cell[1], plant.cell[0]));
        Ok(plants)
    }

    /// Plants of one layer of the scene in a rectangle, in the order of the pattern: for small rectangles, on one
    /// thread.
    #[must_use]
    pub fn plants_of_layer(&self, layer: usize, rect: Rect) -> Vec<Plant> {
        let rank = self
            .species
            .iter()
            .position(|species| species.index == layer);
        let Some(rank) = rank else {
            return Vec::new();
        };
        let mut plants = self.grow(self.corners(rect), &self.species[..=rank]);
        plants.retain(|plant| plant.layer == layer);
        plants
    }

    /// Map at the fixed scale, on which the plants stand; see [`Site::ground`].
    #[must_use]
    pub fn ground(&self) -> &Heightmap {
        self.site.ground()
    }

    /// Sides of the map in half tiles, east and south.
    #[must_use]
    pub fn size(&self) -> [f64; 2] {
        self.site.size()
    }

    /// Metres of a half tile.
    #[must_use]
    pub fn metres(&self) -> f64 {
        self.site.metres()
    }

    /// Corners of a rectangle in the whole numbers of positions.
    fn corners(&self, rect: Rect) -> [[i64; 2]; 2] {
        let size = self.site.size();
        let whole = |at: f64, axis: usize| (at / size[axis] * ACROSS as f64).round() as i64;
        [rect.first, rect.last].map(|at| [0, 1].map(|axis| whole(at[axis], axis)))
    }

    /// Count the plants of the map.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn count(&self, job: &Job) -> Result<PlantCount, Cancelled> {
        let size = self.site.size().map(|side| side * self.site.metres());
        let squares = size.map(|side| ((side / FOREST_M).round() as usize).clamp(1, MOST_SQUARES));
        // Areas under crowns in square centimetres, which add up the same in any order.
        let crowns: Vec<_> = (0..squares[0] * squares[1])
            .map(|_| AtomicU64::new(0))
            .collect();
        let counts = self.each_block(self.whole(), job, |plants| {
            let mut counts = vec![0; self.species.len()];
            for plant in &plants {
                counts[self
                    .species
                    .iter()
                    .position(|s| s.index == plant.layer)
                    .unwrap_or(0)] += 1;
                if plant.kind.is_tree() {
                    let [column, row] = [0, 1].map(|axis| {
                        let at = plant.place[axis] * self.site.metres() / size[axis];
                        ((at * squares[axis] as f64) as usize).min(squares[axis] - 1)
                    });
                    let area = std::f64::consts::PI * f64::from(plant.radius_m).powi(2) * 1e4;
                    crowns[row * squares[0] + column].fetch_add(area as u64, Ordering::Relaxed);
                }
            }
            counts
        })?;
        let mut layers: Vec<_> = (self.species.iter().enumerate())
            .map(|(at, species)| LayerCount {
                layer: species.index,
                kind: species.layer.kind,
                count: counts.iter().map(|counts| counts[at]).sum(),
            })
            .collect();
        layers.sort_by_key(|layer| layer.layer);
        let least = FOREST * 1e4 * size[0] * size[1] / crowns.len() as f64;
        let is_forest = |area: &&AtomicU64| area.load(Ordering::Relaxed) as f64 > least;
        Ok(PlantCount {
            layers,
            hectares: size[0] * size[1] / 1e4,
            forest: crowns.iter().filter(is_forest).count() as f64 / crowns.len() as f64,
        })
    }

    /// Density of plants of a kind at the samples of a map of any level of the ground: the share of the places that
    /// their spacing leaves, 0…1, before taller plants take the light. Of layers of the same kind the densest counts.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn density(
        &self,
        kind: PlantKind,
        map: &Heightmap,
        job: &Job,
    ) -> Result<Heightmap, Cancelled> {
        let (rows, columns) = (map.rows(), map.columns());
        let species = self.species.iter();
        let species: Vec<_> = species
            .filter(|species| species.layer.kind == kind)
            .collect();
        let size = self.site.size();
        let place = |at: usize, samples: usize, axis: usize| {
            at as f64 / (samples - 1).max(1) as f64 * size[axis]
        };
        let mut densities = vec![0.0; rows * columns];
        let lines = densities.chunks_mut(columns);
        parallel::par_items(lines).for_each_in(job, |row, line| {
            for (column, density) in line.iter_mut().enumerate() {
                let place = [place(column, columns, 0), place(row, rows, 1)];
                let of = |species: &&Species| species.growth.value(place) * species.layer.density;
                *density = species.iter().map(of).fold(0.0, f32::max);
                if *density > 0.0 && self.site.is_bare(place) {
                    *density = 0.0;
                }
            }
        })?;
        let densities = Heightmap::new(rows, columns, map.wraps(), densities);
        Ok(densities.with_valid(map.valid().cloned()))
    }

    /// Call `work` with the plants of each block of a rectangle; returns the results in the order of the blocks.
    fn each_block<R: Send>(
        &self,
        rect: Rect,
        job: &Job,
        work: impl Fn(Vec<Plant>) -> R + Sync,
    ) -> Result<Vec<R>, Cancelled> {
        let [first, last] = self.corners(rect);
        let cells = self.species.iter().map(|species| species.pattern.cell());
        let metres = cells
            .map(|cell| cell[0].min(cell[1]))
            .fold(f64::INFINITY, f64::min)
            * BLOCK;
        let step = [0, 1].map(|axis| {
            let block = metres / self.unit(axis);
            block.clamp(1.0, ACROSS as f64) as i64
        });
        let along = |axis: usize| (first[axis]..last[axis]).step_by(step[axis] as usize);
        let blocks = along(1).flat_map(|south| along(0).map(move |east| [east, south]));
        let blocks: Vec<_> = blocks.filter(|_| !self.species.is_empty()).collect();
        let count = blocks.len() as u64;
        let done = AtomicU64::new(0);
        parallel::par_items(blocks).try_map(|_, from| {
            job.check()?;
            let to = [0, 1].map(|axis| (from[axis] + step[axis]).min(last[axis]));
            let made = work(self.grow([from, to], &self.species));
            job.advance(done.fetch_add(1, Ordering::Relaxed) + 1, count);
            Ok(made)
        })
    }

    /// Metres of one of the whole numbers of positions.
    fn unit(&self, axis: usize) -> f64 {
        self.site.size()[axis] * self.site.metres() / ACROSS as f64
    }

    /// Plants of the tallest species in a block, from its first corner up to but without its last.
    fn grow(&self, block: [[i64; 2]; 2], tallest: &[Species]) -> Vec<Plant> {
        let unit = [0, 1].map(|axis| self.unit(axis));
        let mut margin: f64 = tallest.iter().map(|species| species.reach).sum();
        let margin_of = |metres: f64| unit.map(|unit| (metres * 1.001 / unit) as i64 + 1);
        let widened = |by: [i64; 2]| {
            let [from, to] = block;
            [
                [from[0] - by[0], from[1] - by[1]],
                [to[0] + by[0], to[1] + by[1]],
            ]
        };
        let all = widened(margin_of(margin));
        let mut canopies: Vec<Canopy> = Vec::new();
        let mut plants = Vec::new();
        for (rank, species) in tallest.iter().enumerate() {
            let is_last = rank + 1 == tallest.len();
            margin -= species.reach;
            // Only lower layers need the plants beyond the border.
            let by = if is_last {
                [0; 2]
            } else {
                margin_of(margin + species.reach)
            };
            let [from, to] = widened(by);
            let cells = species.pattern.cells();
            let cell_of = |at: i64, axis: usize| {
                (i128::from(at) * i128::from(cells[axis]) / i128::from(ACROSS)) as i64
            };
            let first = [0, 1].map(|axis| cell_of(from[axis], axis) - 1);
            let last = [0, 1].map(|axis| cell_of(to[axis], axis) + 2);
            let mut grown = Vec::new();
            for candidate in species.pattern.standing([first, last]) {
                let is_in = |[from, to]: [[i64; 2]; 2]| {
                    (0..2).all(|axis| (from[axis]..to[axis]).contains(&candidate.at[axis]))
                };
                if !is_in([from, to]) {
                    continue;
                }
                let Some(plant) = self.plant(species, &candidate, &canopies) else {
                    continue;
                };
                if is_in(block) {
                    plants.push(plant);
                }
                grown.push(Crown {
                    at: candidate.at,
                    radius: plant.radius_m,
                });
            }
            if !is_last {
                canopies.push(Canopy::new(all, unit, species, grown));
            }
        }
        plants
    }

    /// Shares of the plants of the tallest layers that grow at a sample of the site by the rules; `None` where none grows.
    /// Places without ground for plants count as well; see [`Site::is_bare`].
    pub(super) fn growth_at<const LAYERS: usize>(
        &self,
        row: usize,
        column: usize,
    ) -> [Option<f32>; LAYERS] {
        let mut species = self.species.iter();
        let mut lie = None;
        [(); LAYERS].map(|()| {
            let species = species.next()?;
            let weight = species.growth.at(row, column);
            if weight * species.layer.density <= 0.0 {
                return None;
            }
            let (rise, snow) = *lie.get_or_insert_with(|| {
                let rise = self.conditions.rise_squared(row, column);
                (f64::from(rise), self.site.snow_at(row, column))
            });
            species.bears(rise, snow).then_some(weight)
        })
    }

    /// Plant of a candidate, if it grows.
    fn plant(
        &self,
        species: &Species,
        candidate: &Candidate,
        canopies: &[Canopy],
    ) -> Option<Plant> {
        let (site, layer) = (&self.site, &species.layer);
        let size = site.size();
        let place = [0, 1].map(|axis| {
            let at = candidate.at[axis].rem_euclid(ACROSS);
            at as f64 / ACROSS as f64 * size[axis]
        });
        let unit = |bits: u64| (bits & 0x00FF_FFFF) as f32 / 16_777_216.0;
        let dice = unit(candidate.hash >> 40);
        // The quick refusals come first.
        let weight = species.growth.value(place);
        if dice >= weight * layer.density {
            return None;
        }
        let rise @ [east, south] = site.rise(place);
        if !species.bears(east * east + south * south, site.snow(place)) {
            return None;
        }
        let grows = has_room_and_light(candidate.at, species, canopies) && !site.is_bare(place);
        if !grows {
            return None;
        }
        let spread = layer.spread * (2.0 * unit(candidate.hash >> 16) - 1.0);
        let height_m = layer.height_m() * (1.0 + spread) * (1.0 - layer.edge * (1.0 - weight));
        Some(Plant {
            layer: species.index,
            kind: layer.kind,
            cell: candidate.cell,
            place,
            ground: site.height(place),
            height_m,
            radius_m: height_m * layer.kind.radius(),
            rotation: (candidate.hash & 0xFFFF) as f32 * (360.0 / 65_536.0),
            slope: degrees(rise),
        })
    }
}

/// Depth of the snow of a site, as it counts for plants.
fn smoothed_snow(conditions: &Conditions, site: &Site) -> Option<Arc<Heightmap>> {
    let snow = site.snow_map()?;
    Some(Arc::new(conditions.smoothed_snow(snow)))
}

/// Square of the rise of the ground from which no plant of a layer grows.
fn steepest(layer: &PlantLayer) -> f64 {
    let degrees = f64::from(layer.slope + CLIFF);
    match degrees < 90.0 {
        true => libm::tan(degrees.to_radians()).powi(2),
        false => f64::INFINITY,
    }
}

/// Most shade in which a layer grows, in [`STEPS`].
fn most_shade(layer: &PlantLayer) -> u64 {
    if layer.kind == PlantKind::Boulder || layer.light <= 0.0 {
        return u64::MAX;
    }
    (-libm::log(f64::from(layer.light)) / TAKES * STEPS) as u64
}

/// Least distance of two plants of different layers as a share of the smaller of their spacings.
pub(super) fn room(one: PlantKind, other: PlantKind) -> f32 {
    // Trees of two layers share a stand; other plants grow close to a stem.
    match one.is_tree() && other.is_tree() {
        true => 1.0,
        false => 0.5,
    }
}

/// True if taller layers leave room and light for a plant of this species at a place.
fn has_room_and_light(at: [i64; 2], species: &Species, canopies: &[Canopy]) -> bool {
    let mut shade = 0;
    for canopy in canopies {
        let share = f64::from(room(canopy.kind, species.layer.kind));
        let room = share * canopy.spacing.min(species.layer.spacing_m());
        match canopy.shade(at, room) {
            Some(more) => shade += more,
            None => return false,
        }
    }
    shade <= species.most_shade
}

/// Crown of a plant that has grown in a taller layer.
#[derive(Clone, Copy)]
struct Crown {
    at: [i64; 2],
    radius: f32,
}

/// Crowns of a layer over a block, in buckets as wide as their reach.
struct Canopy {
    kind: PlantKind,
    spacing: f64,
    from: [i64; 2],
    side: [i64; 2],
    buckets: [usize; 2],
    /// First crown of each bucket, and the number of all.
    firsts: Vec<usize>,
    crowns: Vec<Crown>,
    unit: [f64; 2],
}

/// Largest number of buckets a side.
const MOST_BUCKETS: i64 = 256;

impl Canopy {
    fn new(
        [from, to]: [[i64; 2]; 2],
        unit: [f64; 2],
        species: &Species,
        mut crowns: Vec<Crown>,
    ) -> Self {
        let side = [0, 1].map(|axis| {
            let least = (to[axis] - from[axis]) / MOST_BUCKETS;
            ((species.reach / unit[axis]) as i64 + 1).max(least + 1)
        });
        let buckets = [0, 1].map(|axis| ((to[axis] - from[axis]) / side[axis] + 1) as usize);
        let mut canopy = Self {
            kind: species.layer.kind,
            spacing: species.layer.spacing_m(),
            from,
            side,
            buckets,
            firsts: Vec::new(),
            crowns: Vec::new(),
            unit,
        };
        let index = |crown: &Crown| {
            let [column, row] = canopy.bucket(crown.at);
            row * buckets[0] + column
        };
        crowns.sort_by_key(index);
        let mut firsts = vec![0; buckets[0] * buckets[1] + 1];
        crowns
            .iter()
            .for_each(|crown| firsts[index(crown) + 1] += 1);
        for bucket in 1..firsts.len() {
            firsts[bucket] += firsts[bucket - 1];
        }
        (canopy.firsts, canopy.crowns) = (firsts, crowns);
        canopy
    }

    fn bucket(&self, at: [i64; 2]) -> [usize; 2] {
        [0, 1].map(|axis| {
            let bucket = (at[axis] - self.from[axis]) / self.side[axis];
            bucket.clamp(0, self.buckets[axis] as i64 - 1) as usize
        })
    }

    /// Shade at a place, in [`STEPS`]; `None` if a stem is within `room` metres, or a stone covers the place.
    fn shade(&self, at: [i64; 2], room: f64) -> Option<u64> {
        let [column, row] = self.bucket(at);
        let is_stone = self.kind == PlantKind::Boulder;
        let mut shade = 0_u64;
        for row in row.saturating_sub(1)..(row + 2).min(self.buckets[1]) {
            let line = row * self.buckets[0];
            let (first, last) = (column.saturating_sub(1), (column + 2).min(self.buckets[0]));
            for crown in &self.crowns[self.firsts[line + first]..self.firsts[line + last]] {
                let [east, south] =
                    [0, 1].map(|axis| (crown.at[axis] - at[axis]) as f64 * self.unit[axis]);
                let square = east * east + south * south;
                let radius = f64::from(crown.radius);
                if square < room * room || (is_stone && square < radius * radius) {
                    return None;
                }
                let reach = radius * f64::from(SHADE);
                if !is_stone && square < reach * reach {
                    let left = 1.0 - square / (reach * reach);
                    shade += (left * left * STEPS) as u64;
                }
            }
        }
        Some(shade)
    }
}
