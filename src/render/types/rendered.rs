//! Render type `rendered`: ground with a baked texture, in fog, below a cloudy sky.

use std::rc::Rc;

use glam::Vec3;
use glium::backend::Context;
use glium::framebuffer::SimpleFrameBuffer;
use glium::index::{NoIndices, PrimitiveType};
use glium::texture::{MipmapsOption, RawImage2d, Texture2d, UncompressedFloatFormat};
use glium::uniforms::{Sampler, Uniforms};
use glium::{CapabilitiesSource, DrawParameters, Surface, VertexBuffer, uniform};

use crate::render::backdrop;
use crate::render::buffers::PictureBuffers;
use crate::render::error::{Refused, Result};
use crate::render::gl::programs::{SKY_BELOW, Shader};
use crate::render::gl::sampler::{magnify, smooth};
use crate::render::gl::{Values, joined, texture};
use crate::render::ground::{self, DEEPEST, Seen, Walked};
use crate::render::meshes::{CellPart, PyramidCorner, pyramid};
use crate::render::pass::{DrawStats, Pass, Target};
use crate::render::raycast::Field;
use crate::render::textures::heights::HeightTexture;
use crate::render::textures::normals::NormalMap;
use crate::render::textures::palette::light;
use crate::render::types::{GroundSubject, layered, mask, sea};
use crate::scene::{Filter, Fog};
use crate::shading::maps::colors;
use crate::shading::maps::sky::{FOG, RADIUS, REPEATS, SKY_FOG};
use crate::shading::material::displayed;
use crate::terrain::grid::Grid;
use crate::terrain::heightmap::Heightmap;

const DETAIL: f32 = 3.6;

/// A map with its baked texture, and the clouds above.
pub(crate) struct Rendered<'a> {
    map: &'a HeightTexture,
    /// Samples and normals for ray casting, where the ground may be ray cast.
    walked: Option<(&'a Field, &'a NormalMap)>,
    teximage: &'a BakedTexture,
    clouds: Option<&'a PaintedClouds>,
}

impl<'a> Rendered<'a> {
    /// Create the drawer; `None` if the map or its texture is missing.
    pub(crate) fn new(
        map: Option<&'a HeightTexture>,
        field: Option<&'a Field>,
        normals: Option<&'a NormalMap>,
        teximage: Option<&'a BakedTexture>,
        clouds: Option<&'a PaintedClouds>,
    ) -> Option<Self> {
        Some(Self {
            map: map?,
            walked: field.zip(normals),
            teximage: teximage?,
            clouds,
        })
    }

    fn uniforms(&self, pass: &Pass<'_>) -> impl Uniforms {
        let view = &pass.scene.view;
        uniform! {
            teximage: self.teximage.sampled(view.filter, view.tile),
            fog: linear(&pass.scene.fog, (1.0, 1.0)),
            fog_color: FOG,
        }
    }
}

impl GroundSubject for Rendered<'_> {
    const PATCH: u64 = 200_000;

    fn seen<'p>(&'p self, pass: &Pass<'p>) -> Seen<'p> {
        Seen::new(pass, self.map, DETAIL)
    }

    fn clear_picture(&self, pass: &Pass<'_>, surface: &mut Target<'_>) {
        if pass.frame.transparent {
            backdrop::clear(pass, surface, Some(1.0));
        } else {
            let [r, g, b] = FOG.map(|v| if pass.scene.view.invert { 1.0 - v } else { v });
            pass.clear(surface, Some((r, g, b, 1.0)), Some(1.0));
        }
    }

    fn draw_ground(
        &self,
        pass: &Pass<'_>,
        surface: &mut Target<'_>,
        seen: &Seen<'_>,
    ) -> Result<DrawStats> {
        let (part, shader) = (CellPart::Faces, Shader::Rendered);
        let uniforms = self.uniforms(pass);
        let uniforms = joined!(uniforms);
        seen.draw(pass, surface, part, shader, &uniforms, pass.with_depth())
    }

    fn draw_around(&self, pass: &Pass<'_>, surface: &mut Target<'_>) -> Result {
        let light = light(self.map, pass.palette, &pass.scene.light);
        let uniforms = self.uniforms(pass);
        let seen = self.seen(pass);
        let uniforms = joined!(light, uniforms);
        seen.draw_skirt(pass, surface, Shader::Skirt, &uniforms, DEEPEST)?;
        self.draw_clouds(pass, surface, &pass.behind())?;
        sea::draw_over(pass, surface, self.map, &seen, &surroundings(pass))
    }

    fn walked<'p>(&'p self, pass: &'p Pass<'_>) -> Option<Walked<'p>> {
        let (field, _) = self.walked.filter(|_| pass.frame.walked)?;
        Walked::new(pass, self.map, field, None)
    }

    fn draw_layers(
        &self,
        pass: &Pass<'_>,
        surface: &mut Target<'_>,
        buffers: &PictureBuffers,
    ) -> Result {
        let layers = layered::begin(pass, surface, buffers, None)?;
        let (place, rays, own) = (
            ground::position(pass, self.map),
            pass.rays(),
            self.uniforms(pass),
        );
        let around = joined!(place, rays, own);
        if let Some((_, normals)) = self.walked {
            let normals = uniform! { normals: normals.sampled(), normal_map: normals.place };
            let (shader, all) = (Shader::LayeredRendered, joined!(layers, around, normals));
            pass.tools
                .fill(surface, shader, &all, &pass.where_drawn())?;
        }
        mask::draw_photographed(pass, surface, layers, &around)?;
        let light = light(self.map, pass.palette, &pass.scene.light);
        let around = joined!(around, light);
        layered::sides(pass, surface, layers, self.map, Shader::Sides, &around)?;
        let below = layered::below(pass, SKY_BELOW);
        self.draw_clouds(pass, surface, &below)?;
        backdrop::fill(pass, surface, &backdrop::plain(FOG), &below)?;
        backdrop::under(pass, surface)?;
        sea::draw_over_layers(pass, surface, self.map, layers, &surroundings(pass))
    }
}

impl Rendered<'_> {
    /// Draw the clouds with `parameters`.
    fn draw_clouds(
        &self,
        pass: &Pass<'_>,
        surface: &mut Target<'_>,
        parameters: &DrawParameters<'_>,
    ) -> Result {
        match self.clouds {
            Some(clouds) if !pass.frame.transparent => {
                let sky_fog = linear(&pass.scene.fog, SKY_FOG);
                clouds.draw(pass, surface, (sky_fog, FOG), parameters)
            }
            _ => Ok(()),
        }
    }
}

/// Sky colour for reflections in the sea, and the fog above it.
fn surroundings(pass: &Pass<'_>) -> sea::Surroundings {
    sea::Surroundings {
        sky: FOG,
        fog: linear(&pass.scene.fog, (1.0, 1.0)),
        fog_color: FOG,
    }
}

/// Start of the fog and the reciprocal of its depth, after scaling both ends.
fn linear(fog: &Fog, (start, end): (f32, f32)) -> [f32; 2] {
    if !fog.enabled {
        return [0.0, 0.0];
    }
    let (start, end) = (fog.start * start, fog.end * end);
    [start, 1.0 / (end - start).max(1e-3)]
}

/// Baked texture (Martz 1996), row 0 north: the finer map, lit and drawn from straight above in parallel
/// projection, is kept as a texture, and the map itself is dropped.
pub(crate) struct BakedTexture {
    texture: Texture2d,
    /// Sides of the tile along x and z, in half tiles.
    pub(crate) side: [f32; 2],
    wraps: bool,
}

impl BakedTexture {
    /// Bake `map` with the pass's light and palette.
    pub(crate) fn bake(pass: &Pass<'_>, map: &Heightmap) -> Result<Self> {
        let heights = HeightTexture::new(pass.context, map)?;
        let layout = heights.layout;
        let driver_side = pass.context.get_capabilities().max_texture_size;
        let cells = layout.cells.map(|cells| cells as usize);
        let size = colors::size(cells, driver_side as usize);
        let [width, height] = size.map(|texels| texels as u32);
        let texture = texture::empty(
            pass.context,
            UncompressedFloatFormat::U8U8U8U8,
            (width, height),
            "the baked texture",
        )?;
        let mut surface =
            SimpleFrameBuffer::new(pass.context, &texture).refused("the baked texture")?;
        let light = light(&heights, pass.palette, &pass.scene.light);
        let lying = pass.covers.uniforms(|color| color);
        let crowns = pass.canopy.uniforms(pass.scene, displayed);
        let mut draw = |shader, uniforms: &Values<'_>| {
            Seen::from_above(&heights).draw(
                pass,
                &mut surface,
                CellPart::Faces,
                shader,
                uniforms,
                DrawParameters::default(),
            )
        };
        match pass.rivers {
            Some(rivers) => {
                let rivers = rivers.uniforms();
                let own = uniform! {
                    water_color: colors::water_color(pass.scene.water.color),
                    texel: (width as f32).recip(),
                };
                draw(
                    Shader::RiverBake,
                    &joined!(light, lying, crowns, rivers, own),
                )?
            }
            None => draw(Shader::Bake, &joined!(light, lying, crowns))?,
        };
        sea::bake(pass, &mut surface, &heights)?;
        // Free the map first, since the next step needs memory.
        drop(heights);
        Ok(Self {
            texture: texture::with_mipmaps(pass.context, texture)?,
            side: layout.side,
            wraps: layout.wraps,
        })
    }

    /// Sampler with the given magnification filter; repeats if the texture wraps or is shown on several
    /// tiles.
    pub(crate) fn sampled(&self, filter: Filter, tiles: u32) -> Sampler<'_, Texture2d> {
        smooth(&self.texture, self.wraps || tiles > 1).magnify_filter(magnify(filter))
    }

    /// Size in bytes on the graphics card.
    pub(crate) fn bytes(&self) -> u64 {
        texture::bytes(&self.texture, 4)
    }

    /// Read the texels, north first.
    pub(crate) fn read(&self) -> Grid<[u8; 3]> {
        texture::read(&self.texture)
    }
}

/// Height of the eye above which the pyramid rises with it, so that the eye never leaves it through the top.
const HEADROOM: f32 = 1.0;

/// Clouds painted on a pyramid around the eye (Martz 1996).
pub(crate) struct PaintedClouds {
    pyramid: VertexBuffer<PyramidCorner>,
    texture: Texture2d,
    /// Rows and columns.
    pub(crate) size: (usize, usize),
}

impl PaintedClouds {
    pub(crate) fn new(context: &Rc<Context>, clouds: &Grid<[u8; 3]>) -> Result<Self> {
        let size = (clouds.columns() as u32, clouds.rows() as u32);
        let image = RawImage2d::from_raw_rgb(clouds.as_slice().concat(), size);
        let texture = Texture2d::with_format(
            context,
            image,
            UncompressedFloatFormat::U8U8U8U8,
            MipmapsOption::AutoGeneratedMipmaps,
        )
        .refused("the cloud texture")?;
        Ok(Self {
            pyramid: pyramid(context)?,
            texture,
            size: (clouds.rows(), clouds.columns()),
        })
    }

    /// Size in bytes on the graphics card.
    pub(crate) fn bytes(&self) -> u64 {
        texture::bytes(&self.texture, 4)
    }

    /// Sampler with the given magnification filter.
    pub(crate) fn sampled(&self, filter: Filter) -> Sampler<'_, Texture2d> {
        smooth(&self.texture, true).magnify_filter(magnify(filter))
    }

    /// Draw the clouds in `fog` with its colour, using `parameters`.
    pub(crate) fn draw(
        &self,
        pass: &Pass<'_>,
        surface: &mut Target<'_>,
        (fog, fog_color): ([f32; 2], [f32; 3]),
        parameters: &DrawParameters<'_>,
    ) -> Result {
        let eye = pass.eye();
        let lift = (eye.position.y - HEADROOM).max(0.0);
        let uniforms = uniform! {
            clip_from_world: eye.clip_from_sky(0.01, 100.0).to_cols_array_2d(),
            centre: Vec3::new(eye.position.x, lift, eye.position.z).to_array(),
            eye: eye.position.to_array(),
            clouds: self.sampled(pass.scene.view.filter),
            clouds_per_unit: REPEATS / (2.0 * RADIUS),
            fog: fog,
            fog_color: fog_color,
            invert: pass.scene.view.invert,
        };
        surface
            .draw(
                &self.pyramid,
                NoIndices(PrimitiveType::TrianglesList),
                pass.tools.program_with(Shader::PaintedClouds, &uniforms)?,
                &uniforms,
                parameters,
            )
            .refused("the sky")
    }
}
