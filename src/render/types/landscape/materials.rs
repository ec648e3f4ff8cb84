//! What the ground of `landscape` is made of: colours by height and steepness, and the detail
//! between its samples.

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

use glium::backend::Context;
use glium::texture::Texture2d;
use glium::uniform;
use glium::uniforms::Uniforms;

use super::close::{self, CloseTextures};
use super::crowns::CrownTexture;
use crate::fractal::bands::{Bands, TEXELS};
use crate::fractal::bedrock::{BEDS, Bedding, WAVES};
use crate::pipeline;
use crate::render::error::{Refused, RenderError};
use crate::render::gl::programs::STEADY;
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

/// Inputs of the ground's materials.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MaterialSource {
    palette: Arc<Palette>,
    rock: RockKind,
    /// True if snow is a depth, which takes the place of the palette's.
    snowy: bool,
    beds: Option<BedsOfTile>,
    /// Compass bearing of the wind that makes ripples.
    wind_bearing: f32,
}

impl MaterialSource {
    pub(super) fn of(scene: &Scene, palette: &Arc<Palette>, map: Option<&HeightTexture>) -> Self {
        let map = map.filter(|_| scene.rock.has_beds());
        let beds = map.map(|map| {
            let sides = map.layout.side.map(f64::from);
            (pipeline::bedding(scene), sides, map.layout.wraps)
        });
        Self {
            palette: Arc::clone(palette),
            rock: scene.rock.kind,
            snowy: scene.snow.enabled,
            beds,
            wind_bearing: close::wind_bearing(scene),
        }
    }
}

/// Strength of the bands of rock.
const SHOWN: f32 = 0.4;
/// Folds of steep ground without rock: periods in the texture of spots, phase, and height in cells.
const FOLDS: [[f32; 4]; WAVES] = [
    [1.0, -3.0, 0.0, 8.0],
    [2.0, 4.0, 0.16, 2.0],
    [11.0, 7.0, 0.32, 0.4],
];

/// Uniforms of the beds of steep ground, see `common/material.glsl`.
struct Beds {
    sizes: [[f32; 3]; 3],
    /// The waves, then the tilt.
    folds: [[f32; 4]; WAVES + 1],
}

impl Beds {
    /// Uniforms of the bands of rock, or without rock of the beds between samples at this spacing, in half tiles.
    fn of(bands: Option<&Bands>, cell: f32) -> Self {
        let Some(bands) = bands else {
            let level = |repeat: f32| STEADY - (cell * repeat / detail::SIDE as f32).log2();
            let [wide, stones, _] = detail::REPEATS.map(level);
            return Self {
                sizes: [[0.0, 0.0, wide], [0.0, 0.0, stones], [0.53, 0.73, 0.0]],
                folds: [FOLDS[0], FOLDS[1], FOLDS[2], [0.0; 4]],
            };
        };
        let size = |[per, first]: [f64; 2]| {
            let [per, first] = [per, first].map(|beds| (beds / BEDS as f64) as f32);
            [per, first, (per * (BEDS * TEXELS) as f32).log2()]
        };
        let [thick, thin] = bands.sizes.map(size);
        let folds = &bands.folds;
        let [east, south] = folds.tilt.map(|tilt| tilt as f32);
        let is_wave = f32::from(u8::from(folds.wraps));
        let [first, second, third] = folds.waves.map(|wave| wave.map(|number| number as f32));
        Self {
            sizes: [thick, thin, [0.7, 0.9, SHOWN]],
            folds: [first, second, third, [east, south, is_wave, 1.0]],
        }
    }
}

/// The bands of beds, and a texture of their tones.
fn bands(
    context: &Rc<Context>,
    (bedding, sides, wraps): &BedsOfTile,
) -> Result<(Bands, Texture2d), RenderError> {
    let bands = Bands::new(bedding, *sides, *wraps);
    let texels = bands
        .tones
        .iter()
        .map(|tone| [tone[0], tone[1], 128, 128])
        .collect();
    let texels = Grid::from_vec(bands.tones.len(), 1, texels).expect("a column");
    let texture = texture::mipmapped(context, &texels, "the bands of the rock")?;
    Ok((bands, texture))
}

/// What the ground is made of, on the GPU.
pub(super) struct Materials {
    palette: Arc<Palette>,
    snowy: bool,
    /// Place and tones of the beds of rock.
    bands: Option<(Bands, Texture2d)>,
    /// Linear light: one row by height, one of steep faces.
    colors: Texture2d,
    detail: Texture2d,
    /// Of ground close to the camera, with the bearing of the wind that they are made for.
    close: OnceCell<CloseTextures>,
    wind_bearing: f32,
    crowns: OnceCell<CrownTexture>,
    context: Rc<Context>,
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
            snowy,
            beds,
            wind_bearing,
        } = source;
        let (detail, close, crowns) = match old {
            Some(old) if old.wind_bearing == *wind_bearing => (old.detail, old.close, old.crowns),
            Some(old) => (old.detail, OnceCell::new(), old.crowns),
            None => {
                let texels = detail::texture(&Job::new()).refused("the ground's detail")?;
                let detail = texture::mipmapped(context, &texels, "the ground's detail")?;
                (detail, OnceCell::new(), OnceCell::new())
            }
        };
        let colors = material::color_table(palette, *rock, *snowy).into_iter();
        let what = "the colours of the ground";
        Ok(Self {
            palette: Arc::clone(palette),
            snowy: *snowy,
            bands: match beds {
                Some(beds) => Some(bands(context, beds)?),
                None => None,
            },
            colors: texture::of_floats(context, colors, (material::TABLE, 2), what)?,
            detail,
            close,
            wind_bearing: *wind_bearing,
            crowns,
            context: Rc::clone(context),
        })
    }

    /// The textures of ground close to the camera.
    pub(super) fn close(&self) -> Result<&CloseTextures, RenderError> {
        if let Some(close) = self.close.get() {
            return Ok(close);
        }
        let close = CloseTextures::new(&self.context, self.wind_bearing)?;
        Ok(self.close.get_or_init(|| close))
    }

    /// The texture of the crowns of plants.
    pub(super) fn crowns(&self) -> Result<&CrownTexture, RenderError> {
        if let Some(crowns) = self.crowns.get() {
            return Ok(crowns);
        }
        let crowns = CrownTexture::new(&self.context)?;
        Ok(self.crowns.get_or_init(|| crowns))
    }

    /// Bytes on the graphics card.
    pub(super) fn bytes(&self) -> u64 {
        let bands = self.bands.as_ref();
        let bands = bands.map_or(0, |(_, tones)| texture::bytes(tones, 4));
        let close = self.close.get().map_or(0, CloseTextures::bytes);
        let crowns = self.crowns.get().map_or(0, CrownTexture::bytes);
        let colors = texture::bytes(&self.colors, 12) + texture::bytes(&self.detail, 4);
        colors + bands + close + crowns
    }

    /// Linear light of bare ground at a height, 0 the lowest to 1 the highest.
    pub(super) fn steep_color(&self, height: f32) -> [f32; 3] {
        self.palette.steep_color(height).map(linear)
    }

    /// What `common/material.glsl` needs.
    pub(super) fn uniforms(&self, pass: &Pass<'_>, map: &HeightTexture) -> impl Uniforms + '_ {
        let ground = &pass.scene.material;
        // Without snow nothing moves.
        let snow = self.palette.snow.filter(|_| !self.snowy);
        let snow = snow.map_or([2.0, 0.0, 0.0], |snow| [snow.from, snow.side, snow.slide]);
        let cell = map.layout.spacing.min(COARSEST_CELL);
        let eye = pass.camera().eye();
        let detail_eye = detail::REPEATS.map(|repeat| {
            let place = eye / (f64::from(cell) * f64::from(repeat));
            // Far from the origin `f32` is coarser than texels, so whole textures are dropped first.
            (place - place.floor()).as_vec3().to_array()
        });
        let beds = Beds::of(self.bands.as_ref().map(|(bands, _)| bands), cell);
        let bed_map = self.bands.as_ref().map_or(&self.detail, |(_, tones)| tones);
        uniform! {
            bed_map: sampler::smooth(bed_map, true),
            bed_sizes: beds.sizes,
            folds: beds.folds,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn palette_is_shared_from_frame_to_frame() {
        let palette = Arc::new(Palette::builtin()[0].clone());
        let source = MaterialSource::of(&Scene::default(), &palette, None);
        assert!(Arc::ptr_eq(&source.palette, &palette));
    }
}
