//! Render type `sky`, and the sky behind anything that includes `common/sky.glsl`.

use std::f32::consts::TAU;
use std::rc::Rc;

use glam::Vec3;
use glium::backend::Context;
use glium::framebuffer::SimpleFrameBuffer;
use glium::index::PrimitiveType;
use glium::texture::{ClientFormat, MipmapsOption, RawImage2d, Texture2d, UncompressedFloatFormat};
use glium::uniforms::{
    MagnifySamplerFilter, MinifySamplerFilter, Sampler, SamplerWrapFunction, Uniforms,
};
use glium::{IndexBuffer, Surface, VertexBuffer, uniform};

use crate::grid::Grid;
use crate::scene::{CameraMode, Light, Scene, Sky};
use crate::sky::air::Air;
use crate::sky::{AZIMUTHS, CloudPlane, ELEVATIONS, Exposed, SUN_RADIUS, tone};

use crate::texture::clouds;

use super::backdrop;
use super::normals::smooth;
use super::pass::{DrawStats, Pass};
use super::programs::Shader;
use super::subject::Subject;
use super::target::Target;
use super::values::joined;
use super::{Refused, RenderError, memory};

/// Sides of the dome, and its rows above and below the horizon.
const SIDES: u16 = 64;
const ROWS_UP: u16 = 40;
const ROWS_DOWN: u16 = 24;

#[derive(Clone, Copy)]
struct Corner {
    direction: [f32; 3],
}
glium::implement_vertex!(Corner, direction);

/// The dome of directions, closest at the horizon, where the sky changes most.
pub(super) struct DomeMesh {
    corners: VertexBuffer<Corner>,
    triangles: IndexBuffer<u16>,
}

impl DomeMesh {
    pub(super) fn new(context: &Rc<Context>) -> Result<Self, RenderError> {
        let rows = ROWS_DOWN + ROWS_UP;
        let corner = |row: u16, side: u16| {
            let root = match row.checked_sub(ROWS_DOWN) {
                Some(up) => f32::from(up) / f32::from(ROWS_UP),
                None => -f32::from(ROWS_DOWN - row) / f32::from(ROWS_DOWN),
            };
            let (up, angle) = (root * root.abs(), TAU * f32::from(side) / f32::from(SIDES));
            let level = (1.0 - up * up).max(0.0).sqrt();
            let direction = [level * angle.cos(), up, level * angle.sin()];
            Corner { direction }
        };
        let corners: Vec<_> = (0..=rows)
            .flat_map(|row| (0..=SIDES).map(move |side| corner(row, side)))
            .collect();
        let at = |row: u16, side: u16| row * (SIDES + 1) + side;
        let triangles: Vec<_> = (0..rows)
            .flat_map(|row| (0..SIDES).map(move |side| (row, side)))
            .flat_map(|(row, side)| {
                let (a, b) = (at(row, side), at(row, side + 1));
                let (c, d) = (at(row + 1, side), at(row + 1, side + 1));
                [a, b, c, c, b, d]
            })
            .collect();
        Ok(Self {
            corners: VertexBuffer::new(context, &corners).refused("a vertex buffer")?,
            triangles: IndexBuffer::new(context, PrimitiveType::TrianglesList, &triangles)
                .refused("an index buffer")?,
        })
    }
}

/// How the sky was made last, and what of it is on the GPU.
pub(super) struct LandscapeSky {
    made_from: (Light, Sky),
    /// Its turbidity is the slow part, and seldom changes.
    air: Air,
    exposed: Exposed,
    table: Texture2d,
}

impl LandscapeSky {
    /// The sky of `scene`: `old` itself if nothing of it has changed.
    pub(super) fn new(
        context: &Rc<Context>,
        old: Option<Self>,
        scene: &Scene,
    ) -> Result<Self, RenderError> {
        let made_from = (scene.light.clone(), scene.sky.clone());
        let air = match old {
            Some(old) if old.made_from == made_from => return Ok(old),
            Some(old) if old.made_from.1.turbidity == scene.sky.turbidity => old.air,
            _ => Air::new(scene.sky.turbidity),
        };
        let exposed = Exposed::new(&air, &scene.light, &scene.sky);
        let texels = exposed.dome.air.iter().chain(&exposed.dome.haze);
        let image = RawImage2d {
            data: texels.flat_map(Vec3::to_array).collect::<Vec<f32>>().into(),
            width: AZIMUTHS as u32,
            height: 2 * ELEVATIONS as u32,
            format: ClientFormat::F32F32F32,
        };
        let format = UncompressedFloatFormat::F32F32F32;
        let table = Texture2d::with_format(context, image, format, MipmapsOption::NoMipmap)
            .refused("the sky's table")?;
        Ok(Self {
            made_from,
            air,
            exposed,
            table,
        })
    }

    /// What `common/sky.glsl` and `common/tonemap.glsl` need.
    pub(super) fn uniforms(&self) -> impl Uniforms + '_ {
        let dome = &self.exposed.dome;
        let terms = dome.ambient_terms.map(|term| term.to_array());
        uniform! {
            sky_table: self.table.sampled()
                .minify_filter(MinifySamplerFilter::Linear)
                .magnify_filter(MagnifySamplerFilter::Linear)
                .wrap_function(SamplerWrapFunction::Clamp),
            sun_direction: dome.sun_direction.to_array(),
            sun_heading: dome.sun_heading(),
            sun_light: dome.sun_light.to_array(),
            below_horizon: dome.below.to_array(),
            ambient_0: terms[0],
            ambient_1: terms[1],
            ambient_2: terms[2],
            ambient_3: terms[3],
            ambient_4: terms[4],
            ambient_5: terms[5],
            night: self.exposed.night,
        }
    }

    /// What `common/clouds.glsl` needs besides.
    pub(super) fn cloud_uniforms<'a>(
        &self,
        scene: &Scene,
        eye: Vec3,
        cover: &'a CloudCover,
    ) -> impl Uniforms + 'a {
        let plane = CloudPlane::new(&scene.sky, eye.y);
        uniform! {
            cloud_cover: cover.sampled(),
            cloud_ranks: plane.ranks,
            cloud_offset: plane.offset,
            cloud_height: plane.height,
            cloud_period: CloudPlane::PERIOD,
            cloud_bend: CloudPlane::BEND,
            cloud_shade: plane.shadow,
            cloud_light: self.exposed.dome.cloud_light.to_array(),
        }
    }

    /// Fills the picture with what is below the horizon.
    pub(super) fn clear(
        &self,
        pass: &Pass<'_>,
        surface: &mut SimpleFrameBuffer<'_>,
        depth: Option<f32>,
    ) {
        let below = tone::screen(self.exposed.dome.below, self.exposed.night);
        pass.clear(surface, Some((below.x, below.y, below.z, 1.0)), depth);
    }
}

/// The clouds' ranks on the GPU.
pub(super) struct CloudCover(Texture2d);

impl CloudCover {
    pub(super) fn new(context: &Rc<Context>, ranks: &Grid<u8>) -> Result<Self, RenderError> {
        let texels = clouds::slopes(ranks);
        let image = RawImage2d {
            data: texels.as_slice().as_flattened().into(),
            width: ranks.columns() as u32,
            height: ranks.rows() as u32,
            format: ClientFormat::U8U8U8U8,
        };
        let format = UncompressedFloatFormat::U8U8U8U8;
        let mipmaps = MipmapsOption::AutoGeneratedMipmaps;
        let texture = Texture2d::with_format(context, image, format, mipmaps);
        Ok(Self(texture.refused("the clouds of the sky")?))
    }

    /// Bytes on the graphics card.
    pub(super) fn bytes(&self) -> u64 {
        memory::bytes(&self.0, 4)
    }

    fn sampled(&self) -> Sampler<'_, Texture2d> {
        // The nearest level alone: clouds are soft, and it is half the work.
        smooth(&self.0, true).minify_filter(MinifySamplerFilter::LinearMipmapNearest)
    }
}

/// Draws the sky wherever nothing was drawn before, behind the `haze` of `common/fog.glsl`.
pub(super) fn draw_behind(
    pass: &Pass<'_>,
    surface: &mut SimpleFrameBuffer<'_>,
    mesh: &DomeMesh,
    sky: &LandscapeSky,
    cover: &CloudCover,
    haze: [f32; 3],
) -> Result<(), RenderError> {
    let eye = pass.eye();
    let disc_light = sky.exposed.disc_light();
    let own = uniform! {
        clip_from_world: eye.clip_from_sky(0.01, 100.0).to_cols_array_2d(),
        eye: eye.position.to_array(),
        haze: haze,
        disc_light: disc_light.to_array(),
        disc: [(SUN_RADIUS * 1.15).cos(), (SUN_RADIUS * 0.85).cos()],
        stars: sky.exposed.stars,
        invert: pass.scene.view.invert,
        origin: pass.frame.origin.map(|pixel| pixel as f32),
    };
    let clouds = sky.cloud_uniforms(pass.scene, eye.position, cover);
    let light = sky.uniforms();
    let uniforms = joined!(own, clouds, light);
    let parameters = backdrop::behind(pass);
    // Only what is above the horizon has clouds and stars, which are most of the work.
    let empty = CloudPlane::new(&pass.scene.sky, eye.position.y).is_empty();
    let above = match sky.exposed.stars > 0.0 {
        true => Shader::StarrySky,
        false if empty => Shader::LandscapeSky,
        false => Shader::CloudySky,
    };
    let horizon = usize::from(ROWS_DOWN) * usize::from(SIDES) * 6;
    let parts = [
        (Shader::LandscapeSky, 0..horizon),
        (above, horizon..mesh.triangles.len()),
    ];
    for (shader, range) in parts {
        let Some(triangles) = mesh.triangles.slice(range) else {
            continue;
        };
        surface
            .draw(
                &mesh.corners,
                triangles,
                pass.programs.get(shader)?,
                &uniforms,
                &parameters,
            )
            .refused("the sky")?;
    }
    Ok(())
}

/// Render type `sky`: a camera that circles the land looks as far up as it looked down.
pub(super) struct SkyAlone<'a> {
    pub(super) mesh: &'a DomeMesh,
    pub(super) sky: &'a LandscapeSky,
    pub(super) cover: &'a CloudCover,
}

impl Subject for SkyAlone<'_> {
    fn draw(
        &self,
        pass: &Pass<'_>,
        surface: &mut SimpleFrameBuffer<'_>,
        _target: &Target,
    ) -> Result<DrawStats, RenderError> {
        let Self { mesh, sky, cover } = self;
        if pass.frame.transparent {
            // There is nothing but background.
            backdrop::clear(pass, surface, Some(1.0));
            return Ok(DrawStats::default());
        }
        sky.clear(pass, surface, Some(1.0));
        let mut scene = pass.scene.clone();
        if scene.camera.mode == CameraMode::Orbit {
            scene.camera.pitch = -scene.camera.pitch;
        }
        let pass = &Pass {
            scene: &scene,
            ..*pass
        };
        draw_behind(pass, surface, mesh, sky, cover, [0.0, 0.0, 1.0])?;
        Ok(DrawStats::default())
    }
}
