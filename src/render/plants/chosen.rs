//! Plants that a view shows, from far to near, each standing on the ground as it is drawn.

use glam::Vec3;

use super::cast::Cast;
use super::ground::Ground;
use super::layer::Layer;
use super::stock::{Single, Stock, Wanted};
use super::view::{FADES, PlantView};
use crate::plants::autumn::Leaves;
use crate::plants::impostor::ELEVATIONS;
use crate::plants::models::VARIANTS;
use crate::render::view::Bounds;
use crate::util::parallel;

/// Degrees by which plants differ in where one view gives way to the next, and over which it does.
const SPREAD: f32 = 10.0;
const TURNS: f32 = 5.0;
/// Places at which a plant's image is looked for on the water, the nearest at this share of the way to its top's.
const PROBES: u32 = 6;
const NEARER: f32 = 0.7;

/// A view of a plant, as a quad.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sprite {
    /// Foot, from the eye.
    pub(super) foot: Vec3,
    pub(super) height: f32,
    pub(super) radius: f32,
    /// Column and row of its view in the atlas.
    pub(super) tile: [f32; 2],
    /// Opacity, 0…1.
    pub(super) opacity: f32,
    /// Random number, 0…1.
    pub(super) dice: f32,
    pub(super) leaves: Leaves,
    /// Distance.
    pub(super) away: f32,
    /// Distance up to which it may be a model.
    near: f32,
}

/// A plant as a model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Modelled {
    /// Index of the model.
    pub(super) model: usize,
    pub(super) foot: Vec3,
    pub(super) height: f32,
    /// Radians.
    pub(super) rotation: f32,
    pub(super) opacity: f32,
    pub(super) dice: f32,
    pub(super) leaves: Leaves,
    pub(super) away: f32,
    near: f32,
}

/// Plants of a view, and their shadows.
#[derive(Default)]
pub(super) struct Chosen {
    /// From far to near.
    pub(super) sprites: Vec<Sprite>,
    /// In the order of their models.
    pub(super) models: Vec<Modelled>,
    pub(super) casts: Vec<Cast>,
}

impl Chosen {
    /// Choose the plants of a view from blocks that have been made; their models have so many triangles.
    pub(super) fn new(
        stock: &Stock,
        (layers, triangles): (&[Layer], &[usize]),
        view: &PlantView,
        ground: &Ground<'_>,
        wanted: &[Wanted],
    ) -> Self {
        let parts = parallel::par_items(wanted).at_least(4).map(|_, wanted| {
            let mut chosen = Self::default();
            let layer = &layers[wanted.key.0];
            let most = wanted.reach.share(wanted.away);
            let singles = stock.singles(wanted.key).iter();
            for single in singles.take_while(|single| single.rank < most) {
                chosen.choose(single, (layer, wanted), view, ground);
            }
            chosen
        });
        let mut all = Self::default();
        for part in parts {
            all.sprites.extend(part.sprites);
            all.models.extend(part.models);
            all.casts.extend(part.casts);
        }
        // The sort is stable, so plants at the same distance keep the order of the blocks.
        (all.sprites).sort_by(|one, other| other.away.total_cmp(&one.away));
        all.limit(triangles, view.triangles);
        all
    }

    /// Keep the nearest models, with so many triangles in all; farther plants are impostors.
    fn limit(&mut self, triangles: &[usize], most: usize) {
        (self.models).sort_by(|one, other| one.away.total_cmp(&other.away));
        let mut sum = 0;
        let first_left = self.models.iter().find(|modelled| {
            sum += triangles[modelled.model];
            sum > most
        });
        let farthest = first_left.map_or(f32::INFINITY, |modelled| modelled.away);
        // Share of the model, and of the impostor over it: midway both are opaque.
        let model =
            |near: f32, away: f32| 2.0 * ((near.min(farthest) / away - 1.0) / (FADES - 1.0));
        for modelled in &mut self.models {
            modelled.opacity *= model(modelled.near, modelled.away).clamp(0.0, 1.0);
        }
        for sprite in &mut self.sprites {
            sprite.opacity *= (2.0 - model(sprite.near, sprite.away)).clamp(0.0, 1.0);
        }
        self.models.retain(|modelled| modelled.opacity > 0.0);
        self.sprites.retain(|sprite| sprite.opacity > 0.0);
        (self.models).sort_by_key(|modelled| modelled.model);
    }

    /// Add the views of a plant, if it is seen, and its shadow, if that may be.
    fn choose(
        &mut self,
        single: &Single,
        (layer, wanted): (&Layer, &Wanted),
        view: &PlantView,
        ground: &Ground<'_>,
    ) {
        let [x, z] = [0, 1].map(|axis| {
            let tile = wanted.tile[axis] as f64 - 0.5 * f64::from(view.tiles);
            single.place[axis] + tile * view.side[axis]
        });
        let (east, south) = ((x - view.eye.x) as f32, (z - view.eye.z) as f32);
        let beside = libm::hypotf(east, south);
        let nearest = view.counted.unwrap_or(beside);
        if wanted.reach.opacity(single.rank, nearest) <= 0.0 {
            return;
        }
        let foot = Vec3::new(east, ground.above(x, z, view), south);
        let (height, radius) = (single.height, single.height * layer.kind.radius());
        let middle = foot + Vec3::Y * (0.5 * height);
        let away = view.counted.unwrap_or_else(|| middle.length());
        let opacity = wanted.reach.opacity(single.rank, away);
        if opacity <= 0.0 {
            return;
        }
        let around = Vec3::new(radius, 0.5 * height, radius);
        let bounds = Bounds {
            low: middle - around,
            high: middle + around,
        };
        let dice = (single.hash & 0xFFFF) as f32 / 65_536.0;
        let model = wanted.key.0 * VARIANTS as usize + single.variant as usize;
        let column = model as f32;
        if let Some(caster) = &view.caster {
            let [by_east, by_south] = caster.reach(height);
            let to = ground.above(x + f64::from(by_east), z + f64::from(by_south), view);
            // On the sea shadows end at its surface.
            let to = view.sea.map_or(to, |sea| to.max(sea));
            let end = Vec3::new(by_east, to - foot.y, by_south);
            let shaded = Bounds {
                low: bounds.low.min(bounds.low + end),
                high: bounds.high.max(bounds.high + end),
            };
            if view.frustum.touches(&shaded) {
                let size = [height, radius];
                (self.casts).push(caster.cast(foot, size, end.y, column, (opacity, away)));
            }
        }
        if !view.frustum.touches(&bounds) || !is_mirrored(foot, height, view, ground) {
            return;
        }
        let leaves = Leaves::of_plant(layer.kind, layer.autumn, single.hash);
        let near = view.model_until(radius);
        if away < near {
            self.models.push(Modelled {
                model,
                foot,
                height,
                rotation: single.rotation,
                opacity,
                dice,
                leaves,
                away,
                near,
            });
        }
        // None hides all of the picture because the eye is within it.
        let clear = match view.counted {
            Some(_) => 1.0,
            None => (bounds.distance(Vec3::ZERO) / radius).clamp(0.0, 1.0),
        };
        let elevation = match view.counted {
            Some(_) => 90.0,
            None => libm::asinf((-middle.y / away.max(1e-12)).clamp(-1.0, 1.0)).to_degrees(),
        };
        for (row, part) in rows(elevation, dice) {
            if part * clear > 0.0 {
                self.sprites.push(Sprite {
                    foot,
                    height,
                    radius,
                    tile: [column, row as f32],
                    opacity: opacity * clear * part,
                    dice,
                    leaves,
                    away,
                    near,
                });
            }
        }
    }
}

/// True in the mirrored view if water may mirror a plant: where the eye looks for it there is some. Always true for plants
/// seen at first hand.
fn is_mirrored(foot: Vec3, height: f32, view: &PlantView, ground: &Ground<'_>) -> bool {
    let Some(level) = view.sea.filter(|_| view.is_mirrored) else {
        return true;
    };
    let at = |part: f32| level / (foot.y + part * height).max(level);
    // Waves shift what is mirrored, most towards the eye.
    let (far, near) = (at(0.0), NEARER * at(1.0));
    (0..PROBES).any(|probe| {
        let part = far + (near - far) * (probe as f32 / (PROBES - 1) as f32);
        let (x, z) = (f64::from(part * foot.x), f64::from(part * foot.z));
        let is_beyond = ground.is_beyond(view.eye.x + x, view.eye.z + z);
        is_beyond
            || ground.map_height(view.eye.x + x, view.eye.z + z) <= view.eye.y + f64::from(level)
    })
}

/// Rows of the two views next to an elevation in degrees, and how opaque each is: at the change both are.
fn rows(elevation: f32, dice: f32) -> [(usize, f32); 2] {
    let last = ELEVATIONS.len() - 1;
    let elevation = elevation + SPREAD * (dice - 0.5);
    let above = ELEVATIONS.iter().rposition(|at| *at <= elevation);
    let row = above.unwrap_or(0).min(last - 1);
    let middle = 0.5 * (ELEVATIONS[row] + ELEVATIONS[row + 1]);
    let part = ((elevation - middle) / TURNS + 0.5).clamp(0.0, 1.0);
    [
        (row, (2.0 - 2.0 * part).min(1.0)),
        (row + 1, (2.0 * part).min(1.0)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_view_of_a_plant_is_always_opaque() {
        for elevation in -90..=90 {
            for dice in [0.0, 0.3, 0.99] {
                let [one, other] = rows(elevation as f32, dice);
                assert_eq!(one.1.max(other.1), 1.0, "{elevation}");
                assert!(other.0 < ELEVATIONS.len(), "{elevation}");
            }
        }
    }
}
