//! Albedo of the ground, its colour without light: by height, or the material of render type `landscape`,
//! which has rock on steep faces, snow by aspect, and sand along the shore.
//!
//! `shaders/common/material.glsl` computes the same material in pictures and adds stones and grains between the
//! samples, whose mean is 0, and the wet ground that waves reach: albedo is that of dry ground, as engines that render
//! wetness themselves expect. `shaders/common/close.glsl` adds what is seen from a few metres away.

use std::sync::LazyLock;

use glam::{Vec2, Vec3};

pub use crate::shading::material_normals::MaterialNormals;

use crate::scene::{self, RenderType, RockKind, Scene, Water};
use crate::shading::canopy::Crowns;
use crate::shading::covers::CoverMap;
use crate::shading::snow::SnowCover;
use crate::shading::texture::cover::{By, Cover, MOST};
use crate::shading::texture::{Gradient, Palette, Snow};
use crate::util::numbers::{mix_colors, smoothstep};

/// Colour of sand, in linear light.
pub(crate) const SAND: [f32; 3] = [0.47, 0.38, 0.25];
/// Colour of snow, in linear light.
pub(crate) const SNOW: [f32; 3] = [0.82, 0.85, 0.89];
/// Entries of the colour table.
pub(crate) const TABLE: usize = 1024;
/// Degrees over which bare rock gives way to what lies on it.
const ROCK_EDGE: f32 = 7.0;
/// Most by which the slope of the samples themselves counts beside that at the fixed scale, as a tangent.
pub(crate) const OWN_SLOPE: f32 = 0.25;
/// Least height of a unit normal whose slope is taken.
pub(crate) const LEAST_UP: f32 = 0.02;
/// Saturation of the palette's colours in nature, which is paler.
const SATURATION: f32 = 0.8;

/// Albedo of the ground in a scene.
#[derive(Clone, Debug)]
pub struct Albedo<'a> {
    colors: Colors,
    covers: Option<&'a CoverMap>,
    normals: Option<&'a MaterialNormals>,
    snow: Option<&'a SnowCover>,
    crowns: Option<Crowns<'a>>,
}

#[derive(Clone, Debug)]
enum Colors {
    Height(Gradient),
    Material(MaterialColors),
}

impl<'a> Albedo<'a> {
    /// Albedo of a scene with the given palette, on land from the lowest height of `range` to the highest. Only
    /// render type `landscape` has materials. They lie by `normals`, or without these as on level ground, and under
    /// `snow` if there is any.
    #[must_use]
    pub fn of(
        scene: &Scene,
        palette: &Palette,
        range: (f32, f32),
        covers: Option<&'a CoverMap>,
        normals: Option<&'a MaterialNormals>,
        snow: Option<&'a SnowCover>,
    ) -> Self {
        let colors = if Self::is_material(scene) {
            Colors::Material(MaterialColors::new(scene, palette, range, covers))
        } else {
            Colors::Height(Gradient::new(palette, range))
        };
        Self {
            colors,
            covers,
            normals,
            snow,
            crowns: None,
        }
    }

    /// The same albedo where plants grow.
    #[must_use]
    pub fn under(self, crowns: Option<Crowns<'a>>) -> Self {
        Self { crowns, ..self }
    }

    /// True if the ground of the scene has materials, false if its colours are those of the height.
    #[must_use]
    pub fn is_material(scene: &Scene) -> bool {
        scene.render_type() == RenderType::Landscape
    }

    /// The snow on the ground.
    #[must_use]
    pub fn snow(&self) -> Option<&'a SnowCover> {
        self.snow
    }

    /// Colour (sRGB) at a height. `normal` computes the unit normal of the ground itself: x east, y up, z south.
    /// `place` is the position in the tile as for [`CoverMap::at`]. Snow lies by the same normal.
    #[must_use]
    pub fn color(&self, height: f32, normal: impl Fn() -> Vec3, place: [f32; 2]) -> [u8; 3] {
        self.color_in_snow(height, &normal, &normal, place)
    }

    /// Colour (sRGB) as from [`Albedo::color`], where `snowy_normal` computes the unit normal of the surface of the
    /// snow.
    #[must_use]
    pub fn color_in_snow(
        &self,
        height: f32,
        normal: impl Fn() -> Vec3,
        snowy_normal: impl Fn() -> Vec3,
        place: [f32; 2],
    ) -> [u8; 3] {
        let [east, south] = place;
        match &self.colors {
            Colors::Height(gradient) => {
                let color = gradient.color(height);
                let over = |covers: &CoverMap| covers.over(color, east, south);
                let color = self.covers.map_or(color, over);
                let of = |albedo: [f32; 3], _| albedo.map(|light| displayed(light) * 255.0);
                let under = |crowns: &Crowns<'_>| crowns.over(place, color, of);
                let color = self.crowns.as_ref().map_or(color, under);
                color.map(|v| (v + 0.5) as u8)
            }
            Colors::Material(material) => {
                let weights = self.covers.map(|covers| covers.at(east, south));
                let lie = |normals: &MaterialNormals| lie(normals.at(place), normal());
                let lie = self.normals.map_or(Vec3::Y, lie);
                let white = |snow: &SnowCover| snow_part(snow.at(place), snowy_normal().y);
                let white = self.snow.map_or(0.0, white);
                let color = material.color(height, lie, weights.unwrap_or_default(), white);
                let snow = crown_snow(self.snow.map_or(0.0, |snow| snow.at(place)));
                let snowy = |albedo, holds: f32| mix_colors(albedo, SNOW, holds * snow);
                let under = |crowns: &Crowns<'_>| crowns.over(place, color, snowy);
                self.crowns.as_ref().map_or(color, under).map(on_screen)
            }
        }
    }
}

/// The normal by which materials lie on ground with a normal at the fixed scale and one of its own: ground that falls
/// more steeply than around it holds less, and gentler ground more. Such deviations cancel out along a line, and they
/// are bounded, so finer samples give borders more shape and leave the areas as they are.
pub(crate) fn lie(wide: Vec3, own: Vec3) -> Vec3 {
    let [fall, own] =
        [wide, own].map(|normal| Vec2::new(normal.x, normal.z) / normal.y.max(LEAST_UP));
    let slope = fall.length();
    let along = fall / slope.max(1e-6);
    let more = own.dot(along) - slope;
    let slope = (slope + OWN_SLOPE * more / (OWN_SLOPE + more.abs())).max(0.0);
    Vec3::new(along.x * slope, 1.0, along.y * slope).normalize()
}

/// Share of white on ground under snow that hides so much, by the height of its unit normal: steep parts are bare.
pub(crate) fn snow_part(cover: f32, up: f32) -> f32 {
    smoothstep((cover + cover.min(0.5) * 1.6 * (up - 0.75) - 0.15) / 0.45)
}

/// Snow on plants, as a share of the most that they hold, where it hides so much of the ground.
fn crown_snow(cover: f32) -> f32 {
    smoothstep((cover - 0.15) / 0.75)
}

/// Colours of the materials of `landscape`.
#[derive(Clone, Debug)]
struct MaterialColors {
    /// Colours of level ground and of rock, by height.
    table: Vec<[f32; 3]>,
    low: f32,
    /// 1 / (highest − lowest height), or 0 on level land.
    scale: f32,
    rock: [f32; 2],
    snow: Option<Snow>,
    shore: [f32; 3],
    /// Colour of each cover in linear light, and how much it hides.
    covers: Vec<([f32; 3], f32)>,
}

impl MaterialColors {
    fn new(
        scene: &Scene,
        palette: &Palette,
        (low, high): (f32, f32),
        covers: Option<&CoverMap>,
    ) -> Self {
        let covers = covers.map_or(&[][..], CoverMap::covers).iter();
        Self {
            table: color_table(palette, scene.rock.kind, scene.snow.enabled),
            low,
            scale: if high > low {
                (high - low).recip()
            } else {
                0.0
            },
            rock: rock(&scene.material),
            snow: palette.snow.filter(|_| !scene.snow.enabled),
            shore: shore(&scene.water),
            covers: covers
                .map(|cover| (cover.color.map(linear), cover.strength))
                .collect(),
        }
    }

    /// Albedo in linear light under covers of these weights, and where it is so white with snow.
    fn color(&self, height: f32, normal: Vec3, weights: [f32; MOST], white: f32) -> [f32; 3] {
        let steep = 1.0 - smoothstep((normal.y - self.rock[0]) / (self.rock[1] - self.rock[0]));
        let at = (height - self.low) * self.scale;
        let at = self
            .snow
            .map_or(at, |snow| snow.seen_at(at, normal.y, normal.z));
        let (flat, rock) = self.table.split_at(TABLE);
        let color = mix_colors(between(flat, at), between(rock, at), steep);
        let over = self.covers.iter().zip(weights);
        let color = over.fold(color, |below, ((color, hides), weight)| {
            mix_colors(below, *color, weight * hides)
        });
        let [water, sand_ends, has_sand] = self.shore;
        let ashore = (height - water) / (sand_ends - water);
        let sand = has_sand * (1.0 - smoothstep(ashore));
        let color = mix_colors(color, SAND, sand * (1.0 - steep));
        let color = mix_colors(color, SNOW, white);
        let [r, g, b] = color;
        let grey = 0.3 * r + 0.6 * g + 0.1 * b;
        mix_colors([grey; 3], [r, g, b], SATURATION)
    }
}

/// Colours of a palette in linear light: [`TABLE`] of level ground, from the lowest height to the highest, then as
/// many of rock. Where the scene is `snowy`, the colours end below the palette's own snow.
pub(crate) fn color_table(palette: &Palette, rock: RockKind, snowy: bool) -> Vec<[f32; 3]> {
    let highest = palette.snow.filter(|_| snowy).map_or(1.0, |snow| snow.from);
    let at = |i: usize| ((i as f32 + 0.5) / TABLE as f32).min(highest);
    let flat = (0..TABLE).map(|i| palette.color(at(i)));
    let steep = (0..TABLE).map(|i| palette.steep_color(at(i)).map(linear));
    let steep = steep.map(|color| match rock_color(rock) {
        Some(rock) => mix_colors(color, rock, OF_ROCK),
        None => color,
    });
    flat.map(|color| color.map(linear)).chain(steep).collect()
}

/// Share of the colour of the rock itself on steep faces; the rest is the palette's.
const OF_ROCK: f32 = 0.8;

/// Colour of a kind of rock in linear light.
fn rock_color(kind: RockKind) -> Option<[f32; 3]> {
    match kind {
        RockKind::None => None,
        RockKind::Limestone => Some([0.34, 0.31, 0.27]),
        RockKind::Granite => Some([0.25, 0.235, 0.225]),
        RockKind::Sandstone => Some([0.42, 0.21, 0.11]),
        RockKind::Slate => Some([0.085, 0.095, 0.115]),
        RockKind::Basalt => Some([0.055, 0.05, 0.048]),
        RockKind::Clay => Some([0.27, 0.2, 0.14]),
    }
}

/// Covers of a palette in a scene. Scree has the colour of the rock that it fell from.
#[must_use]
pub fn covers_of(palette: &Palette, scene: &Scene) -> Vec<Cover> {
    let mut covers = palette.covers_of(scene.material.covers);
    if let Some(rock) = rock_color(scene.rock.kind) {
        let rock = rock.map(|light| f32::from(on_screen(light)) / 255.0);
        for cover in covers.iter_mut().filter(|cover| cover.by == By::Scree) {
            cover.color = mix_colors(cover.color, rock, OF_ROCK);
        }
    }
    covers
}

/// Interpolate a table at a position 0…1, like a texture.
fn between(table: &[[f32; 3]], at: f32) -> [f32; 3] {
    let last = (table.len() - 1) as f32;
    let at = (at.clamp(0.0, 1.0) * table.len() as f32 - 0.5).clamp(0.0, last);
    let before = at as usize;
    let after = (before + 1).min(table.len() - 1);
    mix_colors(table[before], table[after], at - before as f32)
}

/// Heights of the unit normal at which all is rock, and at which none is.
pub(crate) fn rock(material: &scene::Material) -> [f32; 2] {
    let up = |degrees: f32| libm::cosf(degrees.to_radians());
    match material.rock_slope {
        // From 90 degrees on there is no rock at all.
        90.0.. => [-2.0, -1.0],
        slope => [
            up((slope + ROCK_EDGE).min(90.0)),
            up((slope - ROCK_EDGE).max(0.0)) + 1e-3,
        ],
    }
}

/// Sea level and the height at which the sand ends, in half tiles, and 1 if there is sand, else 0.
pub(crate) fn shore(water: &Water) -> [f32; 3] {
    if water.enabled && water.sand > 0.0 {
        [water.level, water.level + water.sand, 1.0]
    } else {
        [water.level, water.level + 1.0, 0.0]
    }
}

/// Linear light of a channel of sRGB (IEC 61966-2-1), both 0…1.
pub(crate) fn linear(color: f32) -> f32 {
    match color {
        ..=0.04045 => color / 12.92,
        _ => libm::powf((color + 0.055) / 1.055, 2.4),
    }
}

/// Channel of sRGB, 0…1, of a linear light, 0…1: the inverse of [`linear`].
pub(crate) fn displayed(light: f32) -> f32 {
    match light {
        ..=0.003_130_8 => light * 12.92,
        _ => 1.055 * libm::powf(light, 1.0 / 2.4) - 0.055,
    }
}

/// Byte of sRGB of a linear light, which is clamped to 0…1: the inverse of [`linear`].
fn on_screen(light: f32) -> u8 {
    const LAST: usize = u16::MAX as usize;
    static TABLE: LazyLock<Vec<u8>> = LazyLock::new(|| {
        let channel = |index: usize| {
            let color = displayed(index as f32 / LAST as f32);
            (color * 255.0 + 0.5) as u8
        };
        (0..=LAST).map(channel).collect()
    });
    TABLE[(light.clamp(0.0, 1.0) * LAST as f32 + 0.5) as usize]
}
