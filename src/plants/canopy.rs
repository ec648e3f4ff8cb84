//! Canopy: share of the ground under the crowns of each layer, as an expectation from the rules instead of a count.
//!
//! With λ standing plants a square metre, of which the share p grows, and crowns of radius r, a place is under
//! x = λ p π r² crowns on average. Of plants without a least distance 1 − exp(−x) of the ground is covered; here crowns
//! overlap less. Two plants overlap unless they are within the spacing s, and of two random places of a disc the share F
//! is closer than s. With k = F^1.35 (measured), the share is
//!
//! ```text
//! 1 − (1 − k x)^(1/k)
//! ```
//!
//! which is x where crowns never overlap (k = 1) and that of the Poisson process where s is small (k = 0). Under taller
//! layers a plant needs room and light. No stem is within a radius m with the probability that discs of this radius do
//! not cover a place. The shade is a sum over stems, of which mean and variance are known (Campbell's theorem); with
//! them the probability of enough light follows from a normal distribution.
//!
//! Cost: about 100 ns a sample and layer on one thread.

use std::f32::consts::PI;

use super::scatter::{SHADE, STEPS, Scatter, Species, room};
use crate::scene::PlantKind;
use crate::terrain::heightmap::Heightmap;
use crate::terrain::weights::{CHANNELS, WeightMap};
use crate::util::job::{Cancelled, Job};
use crate::util::parallel;
use crate::util::power::power;

/// Plants that stand in a square with a side of the spacing: the mean of the patterns.
const STANDING: f32 = 0.5097;
/// Exponent of the share of pairs that the spacing excludes.
const EXCLUDED: f32 = 1.35;
/// Share of the variance of shade that the spacing takes at full density.
const EVEN: f32 = 0.85;
/// Largest number of samples a side of a canopy that is shown until the right one is there.
pub const PREVIEW_SIDE: usize = 257;
/// Height of the canopy's surface as a share of the height of its plants.
const SURFACE: f32 = 0.7;

/// Layer of a canopy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CanopyLayer {
    /// Index of the layer in the scene.
    pub layer: usize,
    /// Kind of plant.
    pub kind: PlantKind,
    /// Mean height of the plants in metres.
    pub height_m: f32,
}

/// Share of the ground under the crowns of each layer of plants.
#[derive(Clone, Debug, PartialEq)]
pub struct CanopyMap {
    /// Layers, lowest first, so that later ones are over earlier ones.
    pub layers: Vec<CanopyLayer>,
    /// Shares of the layers.
    pub weights: WeightMap,
    /// Metres of a half tile.
    metres: f32,
}

impl CanopyMap {
    /// Mean height of the plants of a layer in half tiles, 0 without that layer.
    #[must_use]
    pub fn layer_height(&self, index: usize) -> f32 {
        let layer = self.layers.get(index);
        layer.map_or(0.0, |layer| layer.height_m / self.metres)
    }

    /// Height of the canopy's surface above the ground in half tiles, the mean over crowns and gaps, at a position in the
    /// tile: 0…1 from its first column to its last, and from its first row to its last.
    #[must_use]
    pub fn height_at(&self, east: f32, south: f32) -> f32 {
        let layers = self.layers.iter().zip(self.weights.at(east, south));
        let metres = layers.fold(0.0, |below, (layer, share)| {
            let over = (layer.height_m * SURFACE - below).max(0.0);
            below + over * share
        });
        metres / self.metres
    }

    /// Surface that light falls on: `map`, the whole map, with its canopy.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn raised(&self, map: &Heightmap, job: &Job) -> Result<Heightmap, Cancelled> {
        let mut heights = map.heights().to_vec();
        let last = [map.columns(), map.rows()].map(|count| (count - 1).max(1) as f32);
        let rows = parallel::par_items(heights.chunks_mut(map.columns())).at_least(8);
        rows.for_each_in(job, |row, heights| {
            let south = row as f32 / last[1];
            for (column, height) in heights.iter_mut().enumerate() {
                *height += self.height_at(column as f32 / last[0], south);
            }
        })?;
        let (rows, columns) = (map.rows(), map.columns());
        Ok(Heightmap::new(rows, columns, map.wraps(), heights))
    }
}

impl Scatter {
    /// Compute the share of the ground under crowns at the samples of the site, or above `most` a side at every second,
    /// fourth …; on all threads of the current rayon pool.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn canopy(&self, most: usize, job: &Job) -> Result<CanopyMap, Cancelled> {
        self.canopy_after(None, most, job)
    }

    /// Compute the canopy as [`Scatter::canopy`] does. That of other plants `before` makes it faster if they stand on the
    /// same ground: where the same plants grow, its shares are taken.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn canopy_after(
        &self,
        before: Option<(&Self, &CanopyMap)>,
        most: usize,
        job: &Job,
    ) -> Result<CanopyMap, Cancelled> {
        let site = &self.site;
        let stands: Vec<_> = self.species.iter().map(Stand::new).collect();
        let last = self.species.len().min(CHANNELS);
        let before = before.and_then(|(plants, canopy)| {
            let is_same = self.has_ground_of(plants) && plants.species.len() == stands.len();
            let mut pairs = plants.species.iter().zip(&stands);
            let same = [(); CHANNELS].map(|()| {
                let pair = pairs.next();
                pair.is_some_and(|(species, stand)| Stand::new(species) == *stand)
            });
            is_same.then_some((plants, canopy, same))
        });
        let weights = WeightMap::of(site.ground(), most, job, |row, column| {
            let good: [Option<f32>; CHANNELS] = self.growth_at(row, column);
            if let Some((plants, canopy, same)) = &before
                && plants.growth_at(row, column) == good
                && (0..last).all(|index| good[index].is_none() || same[index])
                && let Some(shares) = canopy.weights.computed(site.ground(), most, [row, column])
            {
                return shares;
            }
            let mut shares = [0.0; CHANNELS];
            if good == [None; CHANNELS] || site.is_bare(site.place(row, column)) {
                return shares;
            }
            let mut grown = [Grown::default(); CHANNELS];
            for index in 0..last {
                let (Some(good), stand) = (good[index], &stands[index]) else {
                    continue;
                };
                let taller = stands.iter().zip(&grown).take(index);
                let grows = good * stand.density * stand.light_under(taller);
                grown[index] = stand.grown(grows, good);
                shares[last - 1 - index] = stand.cover(grown[index]);
            }
            shares
        })?;
        let layers = self.species[..last].iter().rev();
        let layers = layers.map(|species| CanopyLayer {
            layer: species.index,
            kind: species.layer.kind,
            height_m: species.layer.height_m(),
        });
        Ok(CanopyMap {
            layers: layers.collect(),
            weights,
            metres: site.metres() as f32,
        })
    }
}

/// Layer of plants with what does not depend on the place.
#[derive(PartialEq)]
struct Stand {
    kind: PlantKind,
    density: f32,
    spacing: f32,
    /// Standing plants a square metre.
    standing: f32,
    /// Root mean square of the radii of full-grown crowns, in metres.
    radius: f32,
    /// Loss of height of plants where the layer thins out.
    edge: f32,
    /// Most shade in which it grows.
    most_shade: f32,
    excluded: Excluded,
}

/// Share of the pairs in a disc that the spacing excludes, for spacings of 0, 1/256 … 1 diameter: to compute it at each
/// sample would take as long as all else.
#[derive(PartialEq)]
struct Excluded([f32; 257]);

impl Excluded {
    fn new() -> Self {
        let share = |index: usize| power(nearer(index as f32 / 256.0), EXCLUDED);
        Self(std::array::from_fn(share))
    }

    /// The share for a spacing in diameters; its error is at most 0.00002.
    fn at(&self, spacing: f32) -> f32 {
        let at = 256.0 * spacing.clamp(0.0, 1.0);
        let before = (at as usize).min(255);
        let [low, high] = [self.0[before], self.0[before + 1]];
        low + (high - low) * (at - before as f32)
    }
}

/// Plants of a layer at a place.
#[derive(Clone, Copy, Default)]
struct Grown {
    /// Share of the standing plants that grow.
    share: f32,
    /// Radius of their crowns in metres.
    radius: f32,
}

impl Stand {
    fn new(species: &Species) -> Self {
        let layer = &species.layer;
        let spacing = layer.spacing_m() as f32;
        let varied = (1.0 + layer.spread * layer.spread / 3.0).sqrt();
        Self {
            kind: layer.kind,
            density: layer.density,
            spacing,
            standing: STANDING / (spacing * spacing),
            radius: layer.height_m() * layer.kind.radius() * varied,
            edge: layer.edge,
            most_shade: match species.most_shade {
                u64::MAX => f32::INFINITY,
                steps => (steps as f64 / STEPS) as f32,
            },
            excluded: Excluded::new(),
        }
    }

    /// The plants where `share` of those that stand grow, and the place is so `good`.
    fn grown(&self, share: f32, good: f32) -> Grown {
        Grown {
            share,
            radius: self.radius * (1.0 - self.edge * (1.0 - good)),
        }
    }

    /// Share of the ground within a radius of the plants' stems.
    fn within(&self, share: f32, radius: f32) -> f32 {
        let mean = share * self.standing * PI * radius * radius;
        let excluded = self.excluded.at(0.5 * self.spacing / radius);
        // Of large crowns over a small spacing this is the Poisson process.
        if excluded < 1e-3 {
            return 1.0 - libm::expf(-mean);
        }
        1.0 - power((1.0 - excluded * mean).max(0.0), excluded.recip())
    }

    /// Share of the ground under the crowns.
    fn cover(&self, grown: Grown) -> f32 {
        self.within(grown.share, grown.radius)
    }

    /// Probability that a plant of this layer finds room and light under taller ones.
    fn light_under<'a>(&self, taller: impl Iterator<Item = (&'a Self, &'a Grown)>) -> f32 {
        let (mut room, mut mean, mut variance) = (1.0, 0.0, 0.0);
        for (stand, grown) in taller.filter(|(_, grown)| grown.share > 0.0) {
            let is_stone = stand.kind == PlantKind::Boulder;
            let mut free = stand.room(self);
            if is_stone {
                free = free.max(grown.radius);
            }
            let is_free = 1.0 - stand.within(grown.share, free);
            room *= is_free;
            let reach = grown.radius * SHADE;
            if is_stone || free >= reach || is_free <= 0.0 {
                continue;
            }
            // Beyond the room, f(d) = (1 − d²/R²)² and its square are integrated over the plane.
            let left = 1.0 - free * free / (reach * reach);
            let stems = grown.share * stand.standing * PI * reach * reach;
            // What does not stand within the room stands beyond it.
            let denser = 2.8 * free / reach * (1.0 - free / stand.spacing).max(0.0);
            let even = EVEN * (0.7 * reach / stand.spacing).min(1.0);
            mean += stems / 3.0 * left * left * left * power(is_free, denser).recip();
            variance += stems / 5.0 * left * left * left * left * left * (1.0 - even * grown.share);
        }
        if mean <= 0.0 || self.most_shade == f32::INFINITY {
            return room;
        }
        let deviations = (self.most_shade - mean) / variance.max(1e-6).sqrt();
        room / (1.0 + libm::expf(-1.702 * deviations))
    }

    /// Least distance in metres of a lower plant from a stem of this layer.
    fn room(&self, lower: &Self) -> f32 {
        room(self.kind, lower.kind) * self.spacing.min(lower.spacing)
    }
}

/// Share of two random places of a disc that are nearer than a share of its diameter (Garwood 1947).
fn nearer(share: f32) -> f32 {
    if share >= 1.0 {
        return 1.0;
    }
    let square = 4.0 * share * share;
    let sine = (1.0 - share * share).sqrt();
    let nearer = (square - 1.0) * libm::acosf(share) - share * (1.0 + 0.5 * square) * sine;
    1.0 + nearer * 2.0 / PI
}
