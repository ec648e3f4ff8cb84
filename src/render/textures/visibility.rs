//! What the ground sees of sun and sky, as a mipmapped texture of two bytes a sample.

use std::rc::Rc;

use glium::backend::Context;
use glium::texture::{ClientFormat, MipmapsOption, RawImage2d, Texture2d, UncompressedFloatFormat};
use glium::uniforms::Uniforms;
use glium::{CapabilitiesSource, uniform};

use crate::pipeline::Landscape;
use crate::shading::light::{CastShadow, MOST_SUN, Sun, Visibility};

use crate::render::error::{Refused, RenderError};
use crate::render::gl::sampler::{mixed, smooth};
use crate::render::gl::{Uploaded, texture};
use crate::scene::Scene;
use crate::terrain::heightmap::Heightmap;
use crate::util::identity::Identity;

/// The texture of one landscape; without sun or sky in it, all of that is seen.
pub(crate) struct VisibilityTexture {
    map: Uploaded<Maps, Placed>,
    all_is_seen: Placed,
    /// Shadow of a tile, its sides in half tiles, and the shadow of all tiles shown.
    tile: Uploaded<Cast, (CastShadow, [f32; 2])>,
    beyond: Uploaded<u32, Beyond>,
    no_shadow: Beyond,
}

/// Source of a shadow beyond the tiles.
type Cast = (Identity<Heightmap>, Sun);

/// Shadow of the land beyond its tiles: one texel a line, see [`CastShadow`].
struct Beyond {
    tops: Texture2d,
    /// The way from a distance aside to texture coordinates: scale, then offset.
    place: [f32; 2],
}

impl Beyond {
    fn new(context: &Rc<Context>, shadow: &CastShadow) -> Result<Self, RenderError> {
        let lines = shadow.tops.len();
        // Texels are mixed, so not infinite.
        let tops: Vec<f32> = shadow.tops.iter().map(|top| top.max(-1e6)).collect();
        let image = texture::image(&tops, (lines as u32, 1), ClientFormat::F32);
        let (format, none) = (UncompressedFloatFormat::F32, MipmapsOption::NoMipmap);
        let tops = Texture2d::with_format(context, image, format, none)
            .refused("the shadow beyond the tiles")?;
        let scale = (shadow.step * lines as f32).recip();
        Ok(Self {
            tops,
            place: [scale, 0.5 / lines as f32 - shadow.first * scale],
        })
    }
}

/// The maps of sun and sky that it was made from, and whether it wraps.
type Maps = ([Option<Identity<Visibility>>; 2], bool);

struct Placed {
    texture: Texture2d,
    /// The way from a place in a tile, 0…1, to texture coordinates: scale, then offset.
    place: [f32; 4],
    wraps: bool,
}

impl VisibilityTexture {
    /// A texture of ground that sees all of sun and sky.
    pub(crate) fn new(context: &Rc<Context>) -> Result<Self, RenderError> {
        Ok(Self {
            map: Uploaded::nothing(),
            all_is_seen: Placed {
                texture: upload(context, &[[255, 255]], (1, 1))?,
                place: [1.0, 1.0, 0.0, 0.0],
                wraps: true,
            },
            tile: Uploaded::nothing(),
            beyond: Uploaded::nothing(),
            no_shadow: Beyond::new(context, &CastShadow::none())?,
        })
    }

    /// Uploads what is new in `landscape`, and drops what it has not.
    pub(crate) fn update(
        &mut self,
        context: &Rc<Context>,
        landscape: &Landscape,
    ) -> Result<(), RenderError> {
        if landscape.sun.is_some() && landscape.scene.water_level().is_some() {
            let map = &landscape.heights;
            let source = (Identity::of(map), Sun::from(&landscape.scene.light));
            let cast = |(_, sun): &Cast, _| {
                let side = [map.columns(), map.rows()];
                let side = side.map(|count| (count - 1) as f32 * map.spacing());
                Ok::<_, RenderError>((CastShadow::of_tile(map, *sun, MOST_SUN), side))
            };
            if !self.tile.is_from(&source) {
                self.beyond.clear();
                self.tile.update(source, cast)?;
            }
        } else {
            self.tile.clear();
        }
        let maps = [landscape.sun.as_ref(), landscape.sky.as_ref()];
        let wraps = landscape.heights.wraps();
        let most = context.get_capabilities().max_texture_size.max(1) as usize;
        let Some(first) = maps.into_iter().flatten().next() else {
            self.map.clear();
            return Ok(());
        };
        let (rows, columns) = (first.values.rows(), first.values.columns());
        if rows.max(columns) > most {
            log::warn!("no shadows: the driver takes {most} texels a side");
            self.map.clear();
            return Ok(());
        }
        let source = (maps.map(|map| map.map(Identity::of)), wraps);
        self.map.update(source, |_, _| {
            let mut texels = vec![[255; 2]; rows * columns];
            for (index, map) in maps.into_iter().enumerate() {
                let values = map.map_or(&[][..], |map| map.values.as_slice());
                for (texel, value) in texels.iter_mut().zip(values) {
                    texel[index] = *value;
                }
            }
            Ok(Placed {
                texture: upload(context, &texels, (columns, rows))?,
                place: place(first.span, (columns, rows)),
                wraps,
            })
        })
    }

    /// Makes the shadow of the tiles that the scene shows.
    pub(crate) fn prepare(
        &mut self,
        context: &Rc<Context>,
        scene: &Scene,
    ) -> Result<(), RenderError> {
        let Some((tile, side)) = self.tile.get() else {
            self.beyond.clear();
            return Ok(());
        };
        let all = |tiles: &u32, _| Beyond::new(context, &tile.of_tiles(*tiles, *side));
        self.beyond.update(scene.view.tile, all)
    }

    fn placed(&self) -> &Placed {
        self.map.get().unwrap_or(&self.all_is_seen)
    }

    /// Bytes on the graphics card.
    pub(crate) fn bytes(&self) -> u64 {
        texture::bytes(&self.placed().texture, 2)
    }

    /// Uniforms of `common/visibility.glsl` and `common/water_ground.glsl`.
    pub(crate) fn uniforms(&self) -> impl Uniforms + '_ {
        let map = self.placed();
        let beyond = self.beyond.get().unwrap_or(&self.no_shadow);
        uniform! {
            visibility: smooth(&map.texture, map.wraps),
            visibility_place: map.place,
            cast_shadow: mixed(beyond.tops.sampled()),
            cast_shadow_place: beyond.place,
        }
    }
}

/// The way from a place in a tile to coordinates in a texture of that size, of which `span` texels
/// lie across the tile.
pub(crate) fn place(span: [f32; 2], (columns, rows): (usize, usize)) -> [f32; 4] {
    let [width, height] = [columns as f32, rows as f32];
    [span[0] / width, span[1] / height, 0.5 / width, 0.5 / height]
}

fn upload(
    context: &Rc<Context>,
    texels: &[[u8; 2]],
    (columns, rows): (usize, usize),
) -> Result<Texture2d, RenderError> {
    let image = RawImage2d {
        data: texels.as_flattened().into(),
        width: columns as u32,
        height: rows as u32,
        format: ClientFormat::U8U8,
    };
    Texture2d::with_format(
        context,
        image,
        UncompressedFloatFormat::U8U8,
        MipmapsOption::AutoGeneratedMipmaps,
    )
    .refused("what the ground sees of the light")
}
