//! What the ground of `landscape` is made of: colours by height and steepness, and the detail
//! between its samples.

use std::rc::Rc;

use glium::backend::Context;
use glium::texture::Texture2d;
use glium::uniform;
use glium::uniforms::Uniforms;

use crate::fractal::bedrock::{BANDS, Bands, Bedding, WAVES};
use crate::pipeline;
use crate::render::error::{Refused, RenderError};
use crate::render::gl::{sampler, texture};
use crate::render::pass::Pass;
use crate::render::textures::heights::HeightTexture;
use crate::render::textures::palette::palette_scale;
use crate::scene::{RockKind, Scene};
use crate::shading::material::{self, linear};
use crate::shading::texture::{Palette, detail};
use crate::terrain::grid::Grid;
use crate::util::job::Job;

/// Stones are no larger on maps of larger cells than this, half tiles.
const COARSEST_CELL: f32 = 1.0 / 128.0;

/// Beds of rock, with the sides of a tile in half tiles, and true if tiles join.
type BedsOfTile = (Bedding, [f64; 2], bool);

/// What the materials of the ground are made from.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MaterialSource {
    palette: Palette,
    rock: RockKind,
    beds: Option<BedsOfTile>,
}

impl MaterialSource {
    pub(super) fn of(scene: &Scene, palette: &Palette, map: Option<&HeightTexture>) -> Self {
        let map = map.filter(|_| scene.rock.has_beds());
        let beds = map.map(|map| {
            let sides = map.layout.side.map(f64::from);
            (pipeline::bedding(scene), sides, map.layout.wraps)
        });
        Self {
            palette: palette.clone(),
            rock: scene.rock.kind,
            beds,
        }
    }
}

/// How much the bands of each size of beds show.
const SHOWN: [f32; BANDS] = [0.4, 0.34, 0.28, 0.24];

/// The bands of beds, and a texture of their tones.
fn bands(
    context: &Rc<Context>,
    (bedding, sides, wraps): &BedsOfTile,
) -> Result<(Bands, Texture2d), RenderError> {
    let bands = Bands::new(bedding, *sides, *wraps);
    let texels = bands
        .tones
        .iter()
        .map(|tone| [tone[0], tone[1], 0, 255])
        .collect();
    let texels = Grid::from_vec(1, bands.tones.len(), texels).expect("a row");
    let texture = texture::mipmapped(context, &texels, "the bands of the rock")?;
    Ok((bands, texture))
}

/// What the ground is made of, on the GPU.
pub(super) struct Materials {
    palette: Palette,
    /// Place and tones of the beds of rock.
    bands: Option<(Bands, Texture2d)>,
    /// Linear light: one row by height, one of steep faces.
    colors: Texture2d,
    detail: Texture2d,
}

impl Materials {
    /// The materials of `source`; what does not depend on it is taken from `old`.
    pub(super) fn new(
        context: &Rc<Context>,
        source: &MaterialSource,
        old: Option<Self>,
    ) -> Result<Self, RenderError> {
        let MaterialSource {
            palette,
            rock,
            beds,
        } = source;
        let detail = match old {
            Some(old) => old.detail,
            None => {
                let texels = detail::texture(&Job::new()).refused("the ground's detail")?;
                texture::mipmapped(context, &texels, "the ground's detail")?
            }
        };
        let colors = material::color_table(palette, *rock).into_iter();
        let what = "the colours of the ground";
        Ok(Self {
            palette: palette.clone(),
            bands: match beds {
                Some(beds) => Some(bands(context, beds)?),
                None => None,
            },
            colors: texture::of_floats(context, colors, (material::TABLE, 2), what)?,
            detail,
        })
    }

    /// Bytes on the graphics card.
    pub(super) fn bytes(&self) -> u64 {
        let bands = self.bands.as_ref();
        let bands = bands.map_or(0, |(_, tones)| texture::bytes(tones, 4));
        texture::bytes(&self.colors, 12) + texture::bytes(&self.detail, 4) + bands
    }

    /// Linear light of level ground at a height, 0 the lowest to 1 the highest.
    pub(super) fn color(&self, height: f32) -> [f32; 3] {
        self.palette.color(height).map(linear)
    }

    /// What `common/material.glsl` needs.
    pub(super) fn uniforms(&self, pass: &Pass<'_>, map: &HeightTexture) -> impl Uniforms + '_ {
        let ground = &pass.scene.material;
        // Without snow nothing moves.
        let snow = self
            .palette
            .snow
            .map_or([2.0, 0.0, 0.0], |snow| [snow.from, snow.side, snow.slide]);
        let cell = map.layout.spacing.min(COARSEST_CELL);
        let eye = pass.camera().eye();
        let detail_eye = detail::REPEATS.map(|repeat| {
            let place = eye / (f64::from(cell) * f64::from(repeat));
            // Far from the origin `f32` is coarser than texels, so whole textures are dropped first.
            (place - place.floor()).as_vec3().to_array()
        });
        let waves = |first: usize| {
            std::array::from_fn(|index| match &self.bands {
                Some((bands, _)) if first + index < WAVES => {
                    bands.folds.waves[first + index].map(|number| number as f32)
                }
                Some((Bands { folds, .. }, _)) if first + index == WAVES => {
                    let [east, south] = folds.tilt.map(|tilt| tilt as f32);
                    [east, south, f32::from(u8::from(folds.wraps)), 0.0]
                }
                _ => [0.0; 4],
            })
        };
        let (fold_waves, fold_more): ([[f32; 4]; 4], [[f32; 4]; 4]) = (waves(0), waves(4));
        let bed_sizes: [[f32; 4]; BANDS] = std::array::from_fn(|size| match &self.bands {
            Some((bands, _)) => {
                let [per, first] = bands.sizes[size].map(|number| number as f32);
                [per, first, SHOWN[size], 0.0]
            }
            None => [0.0; 4],
        });
        let bed_tones = self.bands.as_ref().map_or(&self.detail, |(_, tones)| tones);
        uniform! {
            bed_tones: sampler::smooth(bed_tones, true),
            fold_waves: fold_waves,
            fold_more: fold_more,
            bed_sizes: bed_sizes,
            materials: sampler::mixed(self.colors.sampled()),
            height_range: palette_scale(map.range),
            rock: material::rock(ground),
            snow: snow,
            shore: material::shore(&pass.scene.water),
            detail_map: sampler::smooth(&self.detail, true),
            detail_eye: detail_eye,
            roughness: ground.detail,
            cell: cell,
        }
    }
}
