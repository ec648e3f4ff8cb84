//! Render type `landscape`: rock, grass and snow in the light of a physical sky, with shadows,
//! haze and clouds. All light is linear until `common/tonemap.glsl`.

use std::rc::Rc;

use glium::backend::Context;
use glium::framebuffer::SimpleFrameBuffer;
use glium::index::{NoIndices, PrimitiveType};
use glium::texture::{ClientFormat, MipmapsOption, RawImage2d, Texture2d, UncompressedFloatFormat};
use glium::uniforms::{MagnifySamplerFilter, MinifySamplerFilter, SamplerWrapFunction, Uniforms};
use glium::{DepthTest, DrawParameters, Surface, uniform};

use crate::job::Job;
use crate::scene::Fog;
use crate::texture::{Palette, detail};

use super::backdrop;
use super::course::{Layer, Plan};
use super::ground::{Mesh, Seen, with_depth};
use super::height_texture::HeightTexture;
use super::landscape_sky::{self, CloudCover, DomeMesh, LandscapeSky};
use super::normals::{NormalMap, smooth};
use super::pass::{DrawStats, Pass};
use super::programs::Shader;
use super::spans::Span;
use super::subject::Subject;
use super::target::{Distances, Target};
use super::triangles::palette_scale;
use super::values::{Values, joined};
use super::water::{self, Water};
use super::{Refused, RenderError, memory};

/// Detail for an error of one pixel.
const DETAIL: f32 = 3.6;
/// How far a patch is takes about as long to draw as so many pixels of the picture to light.
const PATCH: u64 = 8_000;
/// What distances are where there is no ground; more than the shader's own limit.
const NOTHING: f32 = 1e30;
/// Colours along a palette.
const MATERIALS: usize = 1024;
/// Stones are no larger on maps of larger cells than this, half tiles.
const COARSEST_CELL: f32 = 1.0 / 128.0;
/// Degrees over which bare rock gives way to what lies on it.
const ROCK_EDGE: f32 = 7.0;

/// What the ground is made of, on the GPU.
pub(super) struct Materials {
    made_from: Palette,
    /// Linear light: one row by height, one of steep faces.
    colors: Texture2d,
    detail: Rc<Texture2d>,
}

impl Materials {
    /// The materials of `palette`: `old` or what of it still holds.
    pub(super) fn new(
        context: &Rc<Context>,
        old: Option<Self>,
        palette: &Palette,
    ) -> Result<Self, RenderError> {
        let detail = match old {
            Some(old) if old.made_from == *palette => return Ok(old),
            Some(old) => old.detail,
            None => Rc::new(detail_texture(context)?),
        };
        let at = |i: usize| (i as f32 + 0.5) / MATERIALS as f32;
        let flat = (0..MATERIALS).map(|i| palette.color(at(i)));
        let steep = (0..MATERIALS).map(|i| palette.steep_color(at(i)));
        let texels = flat.chain(steep).flatten().map(linear);
        let image = RawImage2d {
            data: texels.collect::<Vec<f32>>().into(),
            width: MATERIALS as u32,
            height: 2,
            format: ClientFormat::F32F32F32,
        };
        let format = UncompressedFloatFormat::F32F32F32;
        Ok(Self {
            made_from: palette.clone(),
            colors: Texture2d::with_format(context, image, format, MipmapsOption::NoMipmap)
                .refused("the colours of the ground")?,
            detail,
        })
    }

    /// Bytes on the graphics card.
    pub(super) fn bytes(&self) -> u64 {
        memory::bytes(&self.colors, 12) + memory::bytes(&self.detail, 4)
    }

    /// Linear light of level ground at a height, 0 the lowest to 1 the highest.
    pub(super) fn color(&self, height: f32) -> [f32; 3] {
        self.made_from.color(height).map(linear)
    }

    /// What `common/material.glsl` needs.
    pub(super) fn uniforms(&self, pass: &Pass<'_>, map: &HeightTexture) -> impl Uniforms + '_ {
        let material = &pass.scene.material;
        let y = |degrees: f32| degrees.to_radians().cos();
        // From 90 degrees on there is no rock at all.
        let rock = match material.rock_slope {
            90.0.. => [-2.0, -1.0],
            slope => [
                y((slope + ROCK_EDGE).min(90.0)),
                y((slope - ROCK_EDGE).max(0.0)) + 1e-3,
            ],
        };
        uniform! {
            materials: self.colors.sampled()
                .minify_filter(MinifySamplerFilter::Linear)
                .magnify_filter(MagnifySamplerFilter::Linear)
                .wrap_function(SamplerWrapFunction::Clamp),
            height_range: palette_scale(map.range),
            rock: rock,
            shore: water::shore(&pass.scene.water),
            detail_map: smooth(&self.detail, true)
                .minify_filter(MinifySamplerFilter::LinearMipmapNearest),
            roughness: material.detail,
            cell: map.layout.spacing.min(COARSEST_CELL),
        }
    }
}

fn detail_texture(context: &Rc<Context>) -> Result<Texture2d, RenderError> {
    let texels = detail::texture(&Job::new()).refused("the ground's detail")?;
    let image = RawImage2d {
        data: texels.as_slice().as_flattened().into(),
        width: detail::SIDE as u32,
        height: detail::SIDE as u32,
        format: ClientFormat::U8U8U8U8,
    };
    let format = UncompressedFloatFormat::U8U8U8U8;
    let mipmaps = MipmapsOption::AutoGeneratedMipmaps;
    Texture2d::with_format(context, image, format, mipmaps).refused("the ground's detail")
}

/// From the screen's colours to light (IEC 61966-2-1).
fn linear(color: f32) -> f32 {
    match color {
        ..=0.04045 => color / 12.92,
        _ => ((color + 0.055) / 1.055).powf(2.4),
    }
}

/// What `common/fog.glsl` needs: the fog lies on the lowest ground.
fn haze(fog: &Fog, low: f32) -> [f32; 3] {
    let density = if fog.enabled { fog.density } else { 0.0 };
    [density, low, fog.height.recip()]
}

/// What the landscape is drawn with.
#[derive(Clone, Copy)]
pub(super) struct World<'a> {
    pub(super) map: &'a HeightTexture,
    pub(super) normals: &'a NormalMap,
    pub(super) materials: &'a Materials,
    pub(super) dome: &'a DomeMesh,
    pub(super) sky: &'a LandscapeSky,
    pub(super) cover: &'a CloudCover,
    pub(super) water: Option<&'a Water>,
}

/// The ground is drawn twice: its distances alone, and then the whole picture once, which lights
/// what is at those distances; last the sky where there is no ground.
impl Subject for World<'_> {
    fn below(&self, pass: &Pass<'_>) -> Vec<Layer> {
        let mirror = self.water.filter(|water| water.is_mirror(pass));
        let mirror = mirror.map(|_| Layer::Mirror);
        mirror.into_iter().chain([Layer::Ground]).collect()
    }

    fn plan(&self, pass: &Pass<'_>, layer: Layer) -> Plan {
        match layer {
            Layer::Mirror => water::plan_mirror(pass, self.map),
            Layer::Ground => self.seen(pass).plan(layer, &pass.frame, PATCH),
        }
    }

    fn clear(&self, pass: &Pass<'_>, target: &Target, layer: Layer) -> Result<(), RenderError> {
        match layer {
            Layer::Mirror => water::clear_mirror(pass, target, self.map),
            Layer::Ground => {
                let distances = target.distances(pass.context)?;
                let mut far = target.distance_surface(pass.context, distances)?;
                pass.clear(&mut far, Some((NOTHING, 0.0, 0.0, 0.0)), Some(1.0));
                Ok(())
            }
        }
    }

    fn draw_below(
        &self,
        pass: &Pass<'_>,
        target: &Target,
        layer: Layer,
        span: Span,
    ) -> Result<DrawStats, RenderError> {
        match layer {
            Layer::Mirror => lit(pass, target, *self, |uniforms| {
                water::draw_mirrored(pass, target, self.map, uniforms, span)
            }),
            Layer::Ground => draw_distances(pass, target, &self.seen(pass), span),
        }
    }

    fn draw(
        &self,
        pass: &Pass<'_>,
        surface: &mut SimpleFrameBuffer<'_>,
        target: &Target,
    ) -> Result<DrawStats, RenderError> {
        // Depths are those of the ground by now.
        if pass.frame.transparent {
            backdrop::clear(pass, surface, None);
        } else {
            self.sky.clear(pass, surface, None);
        }
        let seen = self.seen(pass);
        let distances = target.distances(pass.context)?;
        lit(pass, target, *self, |uniforms| {
            light_ground(pass, surface, distances, &seen, uniforms)?;
            seen.draw_skirt(pass, surface, Shader::LandscapeSkirt, uniforms)?;
            match self.water {
                Some(water) => water.draw(pass, surface, target, &seen, *self, uniforms),
                None => Ok(()),
            }
        })?;
        if !pass.frame.transparent {
            let haze = haze(&pass.scene.fog, self.map.range.0);
            landscape_sky::draw_behind(pass, surface, self.dome, self.sky, self.cover, haze)?;
        }
        Ok(DrawStats::default())
    }
}

impl<'a> World<'a> {
    fn seen(&self, pass: &Pass<'_>) -> Seen<'a> {
        Seen::new(pass, self.map, DETAIL)
    }
}

/// Draws how far patches of ground are: triangles, which are small.
fn draw_distances(
    pass: &Pass<'_>,
    target: &Target,
    seen: &Seen<'_>,
    span: Span,
) -> Result<DrawStats, RenderError> {
    let distances = target.distances(pass.context)?;
    let mut far = target.distance_surface(pass.context, distances)?;
    let forward = uniform! { forward: pass.eye().forward.to_array() };
    seen.only(span).draw(
        pass,
        &mut far,
        Mesh::Triangles,
        Shader::Distance,
        &joined!(forward),
        with_depth(pass),
    )
}

/// Calls `draw` with what lit ground needs.
fn lit<T>(
    pass: &Pass<'_>,
    target: &Target,
    world: World<'_>,
    draw: impl FnOnce(&Values<'_>) -> T,
) -> T {
    let eye = pass.eye();
    let (right, up) = eye.half_sides();
    let haze = haze(&pass.scene.fog, world.map.range.0);
    let view = uniform! {
        forward: eye.forward.to_array(),
        right: right.to_array(),
        up: up.to_array(),
        jitter: eye.jitter().to_array(),
        parallel: eye.is_parallel(),
        normals: world.normals.sampled(),
        normal_map: world.normals.place,
        haze: haze,
        origin: pass.frame.origin.map(|pixel| pixel as f32),
        samples: target.samples() as i32,
    };
    let light = world.sky.uniforms();
    let clouds = world
        .sky
        .cloud_uniforms(pass.scene, eye.position, world.cover);
    let visibilities = pass.visibilities.uniforms();
    let materials = world.materials.uniforms(pass, world.map);
    draw(&joined!(view, light, clouds, materials, visibilities))
}

/// Lights the ground that is at those distances.
fn light_ground(
    pass: &Pass<'_>,
    surface: &mut SimpleFrameBuffer<'_>,
    distances: &Distances,
    seen: &Seen<'_>,
    uniforms: &Values<'_>,
) -> Result<(), RenderError> {
    let place = seen.uniforms(pass);
    // Behind all depths but the furthest: wherever there is ground.
    let parameters = DrawParameters {
        depth: glium::Depth {
            test: DepthTest::IfMore,
            ..glium::Depth::default()
        },
        ..pass.parameters()
    };
    let shader = match distances {
        Distances::Plain(_) => Shader::Landscape,
        Distances::Multisampled(_) => Shader::SmoothLandscape,
    };
    surface
        .draw(
            pass.screen,
            NoIndices(PrimitiveType::TrianglesList),
            pass.programs.get(shader)?,
            &joined!(distances, place, uniforms),
            &parameters,
        )
        .refused("the landscape")
}
