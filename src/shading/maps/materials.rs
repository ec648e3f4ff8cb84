//! Material masks: how much of each sample is rock, scree, soil, sand, grass, forest, snow and river bed, as render type
//! `landscape` shows it, and how wet it is.
//!
//! The weights follow the same steps as the albedo ([`crate::shading::material`]): the palette by height, rock by slope,
//! covers, sand along the shore, snow, plants; then rivers. A colour of the palette that is not one of these counts as
//! grass, sand, rock, snow or soil by what it looks like. All but the last mask are exclusive: in every sample their bytes sum
//! to exactly 255.

use glam::Vec3;

use super::{Kind, Map, Relief};
use crate::plants::CanopyMap;
use crate::scene::{PlantKind, Scene};
use crate::shading::covers::CoverMap;
use crate::shading::material::{MaterialNormals, TABLE, lie, linear, rock, shore, snow_part};
use crate::shading::snow::{Sample, SnowCover, each_sample};
use crate::shading::texture::cover::By;
use crate::shading::texture::{Palette, Snow};
use crate::terrain::rivers::Rivers;
use crate::terrain::weights::WeightMap;
use crate::util::job::{Cancelled, Job};
use crate::util::numbers::smoothstep;

/// Map `materials`: one material in each picture.
pub(super) const MAP: Map = Map {
    name: "materials",
    help: "A grey mask for each material: rock, scree, soil, sand, grass, forest, snow and riverbed sum to 255, and wet \
           lies over them; {band} in the file name.",
    unit: "weight",
    range: None,
    kind: Kind::Materials,
};

/// Names of the masks. Those before the last exclude each other.
pub const NAMES: [&str; COUNT] = [
    "rock", "scree", "soil", "sand", "grass", "forest", "snow", "riverbed", "wet",
];
/// Number of masks.
pub const COUNT: usize = 9;
/// Number of masks whose bytes sum to 255; the others lie over them.
pub const EXCLUSIVE: usize = 8;

const ROCK: usize = 0;
const SCREE: usize = 1;
const SOIL: usize = 2;
const SAND: usize = 3;
const GRASS: usize = 4;
const FOREST: usize = 5;
const SNOW: usize = 6;
const RIVERBED: usize = 7;

/// Shares of the exclusive materials, whose sum is 1.
type Shares = [f32; EXCLUSIVE];

/// Maps that the materials of a sample depend on, besides its height and its slope. What the scene lacks is `None`.
#[derive(Clone, Copy, Debug)]
pub struct Ground<'a> {
    /// Covers of eroded land.
    pub covers: Option<&'a CoverMap>,
    /// Normals by which materials lie; without them all ground lies level.
    pub normals: Option<&'a MaterialNormals>,
    /// Snow on the ground.
    pub snow: Option<&'a SnowCover>,
    /// Canopy of the plants.
    pub canopy: Option<&'a CanopyMap>,
    /// Rivers and lakes.
    pub rivers: Option<&'a Rivers>,
    /// Wetness of the ground, the first of the weights.
    pub wetness: Option<&'a WeightMap>,
}

/// Materials of the ground of a scene.
#[derive(Clone, Debug)]
pub struct Materials<'a> {
    ground: Ground<'a>,
    /// Materials of level ground by height.
    table: Vec<Shares>,
    low: f32,
    /// 1 / (highest − lowest height), or 0 on level land.
    scale: f32,
    rock: [f32; 2],
    snow: Option<Snow>,
    shore: [f32; 3],
    sea: Option<f32>,
    /// Material of each cover.
    covers: Vec<Shares>,
    /// Material of the plants of each layer of the canopy.
    plants: Vec<Option<usize>>,
}

impl<'a> Materials<'a> {
    /// Materials of a scene with the given palette, on land from the lowest height of `range` to the highest.
    #[must_use]
    pub fn of(
        scene: &Scene,
        palette: &Palette,
        (low, high): (f32, f32),
        ground: Ground<'a>,
    ) -> Self {
        let snowy = scene.snow.enabled;
        let highest = palette.snow.filter(|_| snowy).map_or(1.0, |snow| snow.from);
        let at = |index: usize| ((index as f32 + 0.5) / TABLE as f32).min(highest);
        let covers = ground.covers.map_or(&[][..], CoverMap::covers).iter();
        let plants = ground
            .canopy
            .map_or(&[][..], |canopy| &canopy.layers)
            .iter();
        Self {
            ground,
            table: (0..TABLE)
                .map(|index| of_color(palette.color(at(index))))
                .collect(),
            low,
            scale: if high > low {
                (high - low).recip()
            } else {
                0.0
            },
            rock: rock(&scene.material),
            snow: palette.snow.filter(|_| !snowy),
            shore: shore(&scene.water),
            sea: scene.water.height(),
            covers: covers
                .map(|cover| match cover.by {
                    By::Scree => only(SCREE),
                    By::Grass => only(GRASS),
                    By::Sediment | By::Wear | By::Wetness => of_color(cover.color),
                })
                .collect(),
            plants: plants
                .map(|layer| match layer.kind {
                    PlantKind::Spruce | PlantKind::Birch | PlantKind::Palm => Some(FOREST),
                    PlantKind::Shrub | PlantKind::Grass => Some(GRASS),
                    PlantKind::Boulder => None,
                })
                .collect(),
        }
    }

    /// Masks of a rectangle, row after row: the bytes of [`NAMES`] for each sample. Runs in parallel in the current
    /// rayon pool.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn masks(&self, relief: &Relief<'_>, job: &Job) -> Result<Vec<[u8; COUNT]>, Cancelled> {
        each_sample(relief, self.ground.snow, job, |sample| self.at(sample))
    }

    /// Masks of a sample.
    fn at(&self, sample: &Sample) -> [u8; COUNT] {
        let Sample { height, place, .. } = *sample;
        let own = Sample::normal(sample.slope);
        let snowy = Sample::normal(sample.snow_slope);
        let [east, south] = place;
        let ground = &self.ground;
        let lie = ground
            .normals
            .map_or(Vec3::Y, |normals| lie(normals.at(place), own));
        let steep = 1.0 - smoothstep((lie.y - self.rock[0]) / (self.rock[1] - self.rock[0]));
        let at = (height - self.low) * self.scale;
        let at = self.snow.map_or(at, |snow| snow.seen_at(at, lie.y, lie.z));
        let index = (at.clamp(0.0, 1.0) * TABLE as f32) as usize;
        let mut shares = over(self.table[index.min(TABLE - 1)], only(ROCK), steep);
        if let Some(covers) = ground.covers {
            for (cover, weight) in self.covers.iter().zip(covers.at(east, south)) {
                shares = over(shares, *cover, weight);
            }
        }
        let [water, sand_ends, has_sand] = self.shore;
        let sand = has_sand * (1.0 - smoothstep((height - water) / (sand_ends - water)));
        shares = over(shares, only(SAND), sand * (1.0 - steep));
        if let Some(snow) = ground.snow {
            shares = over(shares, only(SNOW), snow_part(snow.at(place), snowy.y));
        }
        if let Some(canopy) = ground.canopy {
            for (plant, share) in self.plants.iter().zip(canopy.weights.at(east, south)) {
                if let Some(plant) = plant {
                    shares = over(shares, only(*plant), share);
                }
            }
        }
        let river = ground.rivers.map_or(0.0, |rivers| {
            let [across, down] = rivers.cell;
            rivers.part_at(east / across, south / down, 1.0)
        });
        shares = over(shares, only(RIVERBED), river);
        let wetness = ground
            .wetness
            .map_or(0.0, |wetness| wetness.at(east, south)[0]);
        let is_flooded = self.sea.is_some_and(|sea| height <= sea);
        let wet = if is_flooded { 1.0 } else { wetness.max(river) };
        let mut masks = [0; COUNT];
        masks[..EXCLUSIVE].copy_from_slice(&bytes(shares));
        masks[COUNT - 1] = (wet.clamp(0.0, 1.0) * 255.0 + 0.5) as u8;
        masks
    }
}

/// Shares of a single material.
fn only(material: usize) -> Shares {
    let mut shares = [0.0; EXCLUSIVE];
    shares[material] = 1.0;
    shares
}

/// Shares where `upper` lies on a part, 0…1, of `lower`.
fn over(lower: Shares, upper: Shares, part: f32) -> Shares {
    std::array::from_fn(|material| lower[material] + (upper[material] - lower[material]) * part)
}

/// Bytes of shares, which sum to exactly 255.
fn bytes(shares: Shares) -> [u8; EXCLUSIVE] {
    // Rounding the running sum keeps each byte within one step of its share.
    let (mut sum, mut before) = (0.0, 0);
    std::array::from_fn(|material| {
        sum += shares[material].max(0.0);
        let until = match material + 1 {
            EXCLUSIVE => 255,
            _ => ((sum.min(1.0) * 255.0 + 0.5) as u8).max(before),
        };
        let byte = until - before;
        before = until;
        byte
    })
}

/// Materials that a colour (sRGB, 0…1) looks like: snow is white, grass green, rock grey, sand bright and warm, as in
/// `shaders/common/material.glsl`; all other ground is soil.
fn of_color(color: [f32; 3]) -> Shares {
    let [red, green, blue] = color.map(linear);
    let bright = 0.3 * red + 0.6 * green + 0.1 * blue;
    let white = smoothstep((red.min(green).min(blue) - 0.45) / 0.25);
    let lush = smoothstep((green - red.max(blue)) / (0.25 * green).max(1e-6));
    let warm = smoothstep((red - blue - 0.03) / 0.09)
        * smoothstep((red - green) / 0.03)
        * smoothstep((bright - 0.1) / 0.1);
    let most = red.max(green).max(blue).max(1e-6);
    let grey = 1.0 - smoothstep(((most - red.min(green).min(blue)) / most - 0.05) / 0.15);
    let shares = over(only(SOIL), only(SAND), warm);
    let shares = over(shares, only(ROCK), grey);
    over(over(shares, only(GRASS), lush), only(SNOW), white)
}

/// Share of each mask in a map, 0…1.
#[must_use]
pub fn shares(masks: &[[u8; COUNT]]) -> [f64; COUNT] {
    let mut sums = [0_u64; COUNT];
    for bytes in masks {
        for (sum, byte) in sums.iter_mut().zip(bytes) {
            *sum += u64::from(*byte);
        }
    }
    sums.map(|sum| sum as f64 / (255 * masks.len().max(1)) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_all_shares_sum_to_255() {
        for index in 0..10_000_u32 {
            let part = |salt: u32| (index.wrapping_mul(salt) % 997) as f32 / 996.0;
            let mut shares = only(SOIL);
            for (material, salt) in [(ROCK, 7919), (GRASS, 104_729), (RIVERBED, 31)] {
                shares = over(shares, only(material), part(salt));
            }
            let bytes = bytes(shares);
            let sum: u32 = bytes.iter().map(|byte| u32::from(*byte)).sum();
            assert_eq!(sum, 255, "{shares:?}");
            for (byte, share) in bytes.iter().zip(shares) {
                assert!(
                    (f32::from(*byte) - share * 255.0).abs() <= 1.01,
                    "{shares:?}"
                );
            }
        }
    }

    #[test]
    fn colors_look_like_their_materials() {
        let most = |color| {
            let shares = of_color(color);
            (0..EXCLUSIVE)
                .max_by(|a, b| shares[*a].total_cmp(&shares[*b]))
                .unwrap_or_default()
        };
        assert_eq!(most([0.93, 0.94, 0.97]), SNOW);
        assert_eq!(most([0.16, 0.24, 0.16]), GRASS);
        assert_eq!(most([0.85, 0.75, 0.55]), SAND);
        assert_eq!(most([0.33, 0.29, 0.25]), SOIL);
        assert_eq!(most([0.6, 0.6, 0.6]), ROCK);
        assert_eq!(most([0.16, 0.38, 0.52]), SOIL);
    }
}
