//! Blocks of single plants, made when a view first needs them, and kept.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use glam::Vec3;

use super::ground::Ground;
use super::layer::Layer;
use super::view::{PlantView, Reach};
use crate::plants::models::{hash_of, variant_of};
use crate::plants::{Plant, Rect, Scatter};
use crate::render::view::Bounds;
use crate::util::parallel;
use crate::util::rng::unit;

/// Largest number of plants that are kept besides those of the last picture.
const MOST: usize = 1 << 20;
/// Blocks made at once, and time of one step.
const AT_ONCE: usize = 4;
const MOMENT: Duration = Duration::from_millis(8);

/// A single plant.
pub(super) struct Single {
    /// Position from the corner of its tile.
    pub(super) place: [f64; 2],
    pub(super) height: f32,
    /// Rank, 0…1: the lower, the farther it is drawn.
    pub(super) rank: f32,
    pub(super) hash: u32,
    pub(super) variant: u32,
    /// Rotation about the vertical in radians.
    pub(super) rotation: f32,
}

/// Layer, column and row of a block.
pub(super) type Key = (usize, [i64; 2]);

/// A block that a view may show.
pub(super) struct Wanted {
    pub(super) key: Key,
    /// Its tile.
    pub(super) tile: [i64; 2],
    pub(super) reach: Reach,
    /// Least distance of its plants.
    pub(super) away: f32,
}

/// Blocks that have been made, each with its plants by rank.
#[derive(Default)]
pub(super) struct Stock {
    blocks: BTreeMap<Key, Vec<Single>>,
    count: usize,
}

impl Stock {
    /// Blocks that a view may show, the nearest first.
    pub(super) fn wanted(
        &self,
        layers: &[Layer],
        view: &PlantView,
        ground: &Ground<'_>,
    ) -> Vec<Wanted> {
        let mut all = Vec::new();
        for (at, layer) in layers.iter().enumerate() {
            let reach = view.reach(layer, layers.len());
            let radius = f64::from(view.horizontal(&reach));
            let block = layer.block(view.side);
            let corner = [0, 1].map(|axis| -0.5 * f64::from(view.tiles) * view.side[axis]);
            let eye = [view.eye.x, view.eye.z];
            let span = |axis: usize| {
                let last = layer.blocks[axis] * i64::from(view.tiles);
                let index = |place: f64| ((place - corner[axis]) / block[axis]).floor() as i64;
                let (first, end) = (index(eye[axis] - radius), index(eye[axis] + radius) + 1);
                first.clamp(0, last)..end.clamp(0, last)
            };
            for row in span(1) {
                for column in span(0) {
                    let index = [column, row];
                    let low = [0, 1].map(|axis| corner[axis] + index[axis] as f64 * block[axis]);
                    let bounds = bounds(view, ground, layer, low, block);
                    let away = view.counted.unwrap_or_else(|| bounds.distance(Vec3::ZERO));
                    if away >= reach.last || !view.frustum.touches(&bounds) {
                        continue;
                    }
                    let tile = [0, 1].map(|axis| index[axis].div_euclid(layer.blocks[axis]));
                    let own = [0, 1].map(|axis| index[axis].rem_euclid(layer.blocks[axis]));
                    all.push(Wanted {
                        key: (at, own),
                        tile,
                        reach,
                        away,
                    });
                }
            }
        }
        all.sort_by(|one, other| one.away.total_cmp(&other.away));
        all
    }

    /// Make some of the blocks that are missing. Returns false if none was.
    pub(super) fn make_some(
        &mut self,
        scatter: &Scatter,
        layers: &[Layer],
        wanted: impl Iterator<Item = Key> + Clone,
    ) -> bool {
        let mut missing: Vec<_> = (wanted.clone())
            .filter(|key| !self.blocks.contains_key(key))
            .collect();
        missing.sort_unstable();
        missing.dedup();
        if missing.is_empty() {
            if self.count > MOST {
                let shown: BTreeSet<_> = wanted.collect();
                self.blocks.retain(|key, _| shown.contains(key));
                self.count = self.blocks.values().map(Vec::len).sum();
            }
            return false;
        }
        let began = Instant::now();
        for keys in missing.chunks(AT_ONCE) {
            let make = |_, (at, index): Key| {
                let layer = &layers[at];
                singles(scatter, layer, index)
            };
            let made = parallel::par_items(keys.iter().copied()).map(make);
            for (key, singles) in keys.iter().zip(made) {
                self.count += singles.len();
                self.blocks.insert(*key, singles);
            }
            if began.elapsed() > MOMENT {
                break;
            }
        }
        true
    }

    /// Plants of a block that has been made, by rank.
    pub(super) fn singles(&self, key: Key) -> &[Single] {
        self.blocks.get(&key).map_or(&[], Vec::as_slice)
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.count * size_of::<Single>()) as u64
    }
}

/// Plants of a block, by rank.
fn singles(scatter: &Scatter, layer: &Layer, index: [i64; 2]) -> Vec<Single> {
    let block = layer.block(scatter.size());
    let corner = |by: i64| [0, 1].map(|axis| (index[axis] + by) as f64 * block[axis]);
    let rect = Rect {
        first: corner(0),
        last: corner(1),
    };
    let plants = scatter.plants_of_layer(layer.index, rect);
    let single = |plant: Plant| {
        let hash = hash_of(layer.index, plant.cell);
        Single {
            place: plant.place,
            height: (f64::from(plant.height_m) / scatter.metres()) as f32,
            rank: unit((hash >> 32) as u32).max(1e-6),
            hash: hash as u32,
            variant: variant_of(hash),
            rotation: plant.rotation.to_radians(),
        }
    };
    let mut singles: Vec<_> = plants.into_iter().map(single).collect();
    singles.sort_by(|one, other| one.rank.total_cmp(&other.rank));
    singles
}

/// Bounds of the plants of a block around the eye, by the ground at nine of its places.
fn bounds(
    view: &PlantView,
    ground: &Ground<'_>,
    layer: &Layer,
    low: [f64; 2],
    block: [f64; 2],
) -> Bounds {
    let heights = (0..9).map(|at| {
        let place = [at % 3, at / 3];
        let [x, z] = [0, 1].map(|axis| low[axis] + 0.5 * f64::from(place[axis]) * block[axis]);
        ground.map_height(x, z)
    });
    let (least, most) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), at| {
        (least.min(at), most.max(at))
    });
    // Between these places the ground is at most as steep as plants grow.
    let rough = 0.5 * block[0].max(block[1]);
    let crown = f64::from(2.0 * layer.height);
    // Plants outside the view may cast their shadows into it.
    let shadow = view.caster.map_or([0.0; 2], |caster| {
        caster.reach(2.0 * layer.height).map(f64::from)
    });
    let at = |x: f64, y: f64, z: f64| {
        Vec3::new(
            (x - view.eye.x) as f32,
            (y - view.eye.y) as f32,
            (z - view.eye.z) as f32,
        )
    };
    Bounds {
        low: at(
            low[0] - crown + shadow[0].min(0.0),
            least - rough,
            low[1] - crown + shadow[1].min(0.0),
        ),
        high: at(
            low[0] + block[0] + crown + shadow[0].max(0.0),
            most + rough + crown,
            low[1] + block[1] + crown + shadow[1].max(0.0),
        ),
    }
}
