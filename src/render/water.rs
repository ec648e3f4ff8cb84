//! The water of render type `landscape`: a plane to the horizon, and the ground mirrored in it.
//!
//! The ground is drawn once more, upside down and at half the picture's size, where light stays
//! linear; waves then only shift where the water looks it up. A piece of a large picture mirrors
//! the same ground and as much around it as waves may shift. What is mirrored belongs to the buffer
//! that the picture is drawn in: while that is drawn a rectangle at a time, others may be drawn.

use std::cell::Cell;
use std::f32::consts::TAU;
use std::rc::Rc;

use glium::backend::Context;
use glium::draw_parameters::DepthClamp;
use glium::framebuffer::SimpleFrameBuffer;
use glium::index::PrimitiveType;
use glium::texture::{
    ClientFormat, DepthFormat, DepthTexture2d, MipmapsOption, RawImage2d, Texture2d,
    UncompressedFloatFormat,
};
use glium::uniforms::{MagnifySamplerFilter, MinifySamplerFilter, SamplerWrapFunction};
use glium::{DrawParameters, IndexBuffer, Surface, VertexBuffer, uniform};

use crate::job::Job;
use crate::scene::{CameraMode, Scene, Water as Settings, WaterColor};
use crate::texture::waves;

use super::course::{Layer, Plan};
use super::frame::Frame;
use super::ground::{Mesh, Seen, with_depth};
use super::height_texture::HeightTexture;
use super::landscape::World;
use super::normals::smooth;
use super::pass::{DrawStats, Pass};
use super::programs::Shader;
use super::spans::Span;
use super::target::Target;
use super::values::{Values, joined};
use super::{Refused, RenderError, memory};

/// Sides of the rings, how many there are, and how much wider each is than the one before.
const SIDES: u16 = 64;
const RINGS: u16 = 30;
const WIDER: f32 = 1.55;
/// Radius of the first ring, in heights of the eye.
const INNERMOST: f32 = 0.2;
/// Detail of the mirrored ground: coarse.
const DETAIL: f32 = 2.0;
/// A mirrored patch takes about as long as so many pixels of the picture.
const PATCH: u64 = 5_000;
/// How far waves may shift what is mirrored, as part of the picture's height.
const REACH: f32 = 0.125;
/// Ripples are so much smaller than waves, and the finest than them.
const FINER: f32 = 7.3;
/// As in `common/material.glsl`.
const SAND: [f32; 3] = [0.47, 0.38, 0.25];

#[derive(Clone, Copy)]
struct Corner {
    heading: [f32; 2],
    reach: f32,
}
glium::implement_vertex!(Corner, heading, reach);

/// What water is drawn with.
pub(super) struct Water {
    made_from: (f32, f32),
    waves: Texture2d,
    corners: VertexBuffer<Corner>,
    triangles: IndexBuffer<u16>,
}

/// The buffers that the ground is mirrored in.
pub(super) struct Mirror {
    size: (u32, u32),
    color: Texture2d,
    depth: DepthTexture2d,
    /// Near and far plane of what it shows.
    depths: Cell<(f32, f32)>,
}

/// Height of the water, where sand ends, and whether there is sand.
pub(super) fn shore(water: &Settings) -> [f32; 3] {
    match water.enabled && water.sand > 0.0 {
        true => [water.level, water.level + water.sand, 1.0],
        false => [0.0, 1.0, 0.0],
    }
}

impl Water {
    /// The scene's water: `old` or what of it still holds; `None` if there is none.
    pub(super) fn new(
        context: &Rc<Context>,
        old: Option<Self>,
        scene: &Scene,
    ) -> Result<Option<Self>, RenderError> {
        let water = &scene.water;
        if scene.water_level().is_none() {
            return Ok(None);
        }
        let longest_m = water.wave_length * scene.surface.tile_size_m * 0.5;
        let made_from = (water.time, longest_m.max(1e-3));
        if let Some(old) = old {
            if old.made_from == made_from {
                return Ok(Some(old));
            }
            let waves = wave_texture(context, made_from)?;
            return Ok(Some(Self {
                made_from,
                waves,
                ..old
            }));
        }
        let (corners, triangles) = rings();
        Ok(Some(Self {
            made_from,
            waves: wave_texture(context, made_from)?,
            corners: VertexBuffer::new(context, &corners).refused("a vertex buffer")?,
            triangles: IndexBuffer::new(context, PrimitiveType::TrianglesList, &triangles)
                .refused("an index buffer")?,
        }))
    }

    /// Bytes on the graphics card.
    pub(super) fn bytes(&self) -> u64 {
        memory::bytes(&self.waves, 4)
    }

    /// Whether it mirrors anything in that picture: an eye below it sees no water.
    pub(super) fn is_mirror(&self, pass: &Pass<'_>) -> bool {
        pass.eye().position.y > pass.scene.water.level
    }

    /// Draws it in front of what is lower; `seen` is the ground as drawn, `uniforms` what it
    /// was drawn with. What it mirrors must be there. An eye below the water sees none.
    pub(super) fn draw(
        &self,
        pass: &Pass<'_>,
        surface: &mut SimpleFrameBuffer<'_>,
        target: &Target,
        seen: &Seen<'_>,
        World { map, materials, .. }: World<'_>,
        uniforms: &Values<'_>,
    ) -> Result<(), RenderError> {
        let water = &pass.scene.water;
        let eye = pass.eye();
        if !self.is_mirror(pass) {
            return Ok(());
        }
        let frame = MirrorFrame::new(pass);
        let mut mirror = target.mirror();
        let mirror = Mirror::of_size(pass.context, &mut mirror, frame.size)?;
        // Where there is no sand, the ground below is what it is beside the water.
        let bottom_color = match water.sand > 0.0 {
            true => SAND,
            false => {
                let (low, high) = map.range;
                materials.color((water.level - low) / (high - low).max(f32::MIN_POSITIVE))
            }
        };
        let depths = mirror.depths.get();
        let bearing = pass.scene.camera.bearing.to_radians();
        let [first, right, up] = eye.rays(pass.size);
        let own = uniform! {
            level: water.level,
            has_shadows: pass.scene.light.shadows,
            ground_heights: map.texture.sampled()
                .minify_filter(MinifySamplerFilter::Linear)
                .magnify_filter(MagnifySamplerFilter::Linear)
                .wrap_function(SamplerWrapFunction::Clamp),
            waves: smooth(&self.waves, true)
                .minify_filter(MinifySamplerFilter::LinearMipmapNearest),
            wave_sides: wave_sides(water),
            wave_slopes: wave_slopes(water),
            wave_drift: self.drift(water),
            calm_depth: water.wave_length * 0.5,
            absorption: absorption(water),
            bottom_color: bottom_color,
            foam_depth: water.wave_length * 0.03 * water.waves,
            body_color: body_color(water.color),
        };
        let mirrored = uniform! {
            mirror_color: mirror.color.sampled()
                .minify_filter(MinifySamplerFilter::Linear)
                .magnify_filter(MagnifySamplerFilter::Linear)
                .wrap_function(SamplerWrapFunction::Clamp),
            mirror_depth: mirror.depth.sampled()
                .minify_filter(MinifySamplerFilter::Nearest)
                .magnify_filter(MagnifySamplerFilter::Nearest)
                .wrap_function(SamplerWrapFunction::Clamp),
            mirror_place: frame.place,
            mirror_depths: [depths.0, depths.1],
            mirror_reach: REACH * pass.size.1 as f32,
            screen_right: [bearing.cos(), bearing.sin()],
            parallel: pass.scene.camera.mode == CameraMode::Top,
            first_ray: first.to_array(),
            ray_right: right.to_array(),
            ray_up: up.to_array(),
        };
        let ground = seen.uniforms(pass);
        let parameters = DrawParameters {
            depth: glium::Depth {
                // Farther than all ground, but nearer than the sky.
                clamp: DepthClamp::Clamp,
                range: (0.0, 1.0 - f32::EPSILON),
                ..with_depth(pass).depth
            },
            ..pass.parameters()
        };
        surface
            .draw(
                &self.corners,
                &self.triangles,
                pass.programs.get(Shader::Water)?,
                &joined!(own, mirrored, ground, uniforms),
                &parameters,
            )
            .refused("the water")
    }

    /// How far ripples and the finest have run, along x and z, as waves of their length do.
    fn drift(&self, water: &Settings) -> [f32; 4] {
        let (seconds, longest_m) = self.made_from;
        let sides = wave_sides(water);
        let run = |side: f32, way: [f32; 2]| {
            let half_tile_m = longest_m / water.wave_length;
            let speed = (9.81 * 0.2 * side * half_tile_m / TAU).sqrt() / half_tile_m;
            let run = f64::from(speed) * f64::from(seconds) % f64::from(side);
            way.map(|way| -way * run as f32)
        };
        let [a, b] = run(sides[1], [1.0, 0.0]);
        let [c, d] = run(sides[2], [0.3, 0.95]);
        [a, b, c, d]
    }
}

impl Mirror {
    /// Bytes on the graphics card: half floats of four channels, and a depth.
    pub(super) fn bytes(&self) -> u64 {
        u64::from(self.size.0) * u64::from(self.size.1) * 12
    }

    fn of_size<'a>(
        context: &Rc<Context>,
        kept: &'a mut Option<Self>,
        size: (u32, u32),
    ) -> Result<&'a Self, RenderError> {
        if kept.as_ref().is_none_or(|old| old.size != size) {
            let color = Texture2d::empty_with_format(
                context,
                UncompressedFloatFormat::F16F16F16F16,
                MipmapsOption::NoMipmap,
                size.0,
                size.1,
            );
            let depth = DepthTexture2d::empty_with_format(
                context,
                DepthFormat::I24,
                MipmapsOption::NoMipmap,
                size.0,
                size.1,
            );
            *kept = Some(Self {
                size,
                color: color.refused("what water mirrors")?,
                depth: depth.refused("what water mirrors")?,
                depths: Cell::new((0.0, 0.0)),
            });
        }
        kept.as_ref()
            .ok_or("no buffer")
            .refused("what water mirrors")
    }

    fn surface(&self, context: &Rc<Context>) -> Result<SimpleFrameBuffer<'_>, RenderError> {
        SimpleFrameBuffer::with_depth_buffer(context, &self.color, &self.depth)
            .refused("what water mirrors")
    }
}

/// Clears what water mirrors.
pub(super) fn clear_mirror(
    pass: &Pass<'_>,
    target: &Target,
    map: &HeightTexture,
) -> Result<(), RenderError> {
    let mut mirror = target.mirror();
    let mirror = Mirror::of_size(pass.context, &mut mirror, MirrorFrame::new(pass).size)?;
    mirror.depths.set(mirrored(pass, map).depths);
    let mut surface = mirror.surface(pass.context)?;
    surface.clear_color_and_depth((0.0, 0.0, 0.0, 0.0), 1.0);
    Ok(())
}

/// Draws patches of what water mirrors, upside down; `uniforms` are those that the ground is lit
/// with.
pub(super) fn draw_mirrored(
    pass: &Pass<'_>,
    target: &Target,
    map: &HeightTexture,
    uniforms: &Values<'_>,
    span: Span,
) -> Result<DrawStats, RenderError> {
    let MirrorFrame { frame, size, .. } = MirrorFrame::new(pass);
    let mut mirror = target.mirror();
    let mirror = Mirror::of_size(pass.context, &mut mirror, size)?;
    let mut surface = mirror.surface(pass.context)?;
    let seen = mirrored(pass, map);
    let pass = Pass { frame, ..*pass };
    let own = uniform! { level: pass.scene.water.level };
    let parameters = DrawParameters {
        clip_planes_bitmask: 1,
        ..with_depth(&pass)
    };
    seen.only(span).draw(
        &pass,
        &mut surface,
        Mesh::Triangles,
        Shader::Reflection,
        &joined!(own, uniforms),
        parameters,
    )?;
    // What is told is what is seen at first hand.
    Ok(DrawStats::default())
}

/// What the mirrored picture is made of.
pub(super) fn plan_mirror(pass: &Pass<'_>, map: &HeightTexture) -> Plan {
    mirrored(pass, map).plan(Layer::Mirror, &MirrorFrame::new(pass).frame, PATCH)
}

/// The ground that water mirrors in that picture.
fn mirrored<'a>(pass: &Pass<'_>, map: &'a HeightTexture) -> Seen<'a> {
    let mirror = Pass {
        frame: MirrorFrame::new(pass).frame,
        ..*pass
    };
    let nothing = Span {
        count: 0,
        ..Span::ALL
    };
    let seen = Seen::mirrored(&mirror, map, DETAIL, pass.scene.water.level);
    match pass.scene.camera.mode {
        // From straight above nothing is seen in the water.
        CameraMode::Top => seen.only(nothing),
        _ => seen,
    }
}

/// Where a piece of a picture and what is around it lie in the mirrored one.
struct MirrorFrame {
    frame: Frame,
    size: (u32, u32),
    /// Scale and offset from pixels of the whole picture to texture coordinates.
    place: [f32; 4],
}

impl MirrorFrame {
    fn new(pass: &Pass<'_>) -> Self {
        let whole = pass.size;
        // An even number of pixels, so that pieces see the same texels.
        let around = (REACH * whole.1 as f32) as u32 / 2 * 2 + 4;
        let end = |first: u32, size: u32, most: u32| (first + size + around).min(most).div_ceil(2);
        let [left, low] = pass
            .frame
            .origin
            .map(|first| first.saturating_sub(around) / 2);
        let right = end(pass.frame.origin[0], pass.frame.size.0, whole.0);
        let high = end(pass.frame.origin[1], pass.frame.size.1, whole.1);
        let size = ((right - left).max(1), (high - low).max(1));
        let half = (whole.0.div_ceil(2), whole.1.div_ceil(2));
        let [width, height] = [size.0, size.1].map(|side| side as f32);
        Self {
            frame: Frame {
                whole: half,
                origin: [left, low],
                size,
                jitter: pass.frame.jitter * 0.5,
                transparent: false,
                drawn: None,
            },
            size,
            place: [
                half.0 as f32 / whole.0 as f32 / width,
                half.1 as f32 / whole.1 as f32 / height,
                -(left as f32) / width,
                -(low as f32) / height,
            ],
        }
    }
}

/// The rings around the place under the eye.
fn rings() -> (Vec<Corner>, Vec<u16>) {
    let reach = |ring: u16| match ring {
        0 => 0.0,
        ring => INNERMOST * WIDER.powi(i32::from(ring) - 1),
    };
    let corner = |ring: u16, side: u16| {
        let angle = TAU * f32::from(side) / f32::from(SIDES);
        Corner {
            heading: [angle.cos(), angle.sin()],
            reach: reach(ring),
        }
    };
    let corners = (0..=RINGS).flat_map(|ring| (0..=SIDES).map(move |side| corner(ring, side)));
    let at = |ring: u16, side: u16| ring * (SIDES + 1) + side;
    let triangles = (0..RINGS).flat_map(|ring| {
        (0..SIDES).flat_map(move |side| {
            let (a, b) = (at(ring, side), at(ring, side + 1));
            let (c, d) = (at(ring + 1, side), at(ring + 1, side + 1));
            [a, b, c, c, b, d]
        })
    });
    (corners.collect(), triangles.collect())
}

fn wave_texture(
    context: &Rc<Context>,
    (seconds, longest_m): (f32, f32),
) -> Result<Texture2d, RenderError> {
    let texels = waves::texture(seconds, longest_m, &Job::new()).refused("the waves")?;
    let image = RawImage2d {
        data: texels.as_slice().as_flattened().into(),
        width: waves::SIDE as u32,
        height: waves::SIDE as u32,
        format: ClientFormat::U8U8U8U8,
    };
    let format = UncompressedFloatFormat::U8U8U8U8;
    let mipmaps = MipmapsOption::AutoGeneratedMipmaps;
    Texture2d::with_format(context, image, format, mipmaps).refused("the waves")
}

/// Half tiles that a texture of waves, of ripples and of the finest covers.
fn wave_sides(water: &Settings) -> [f32; 3] {
    let side = water.wave_length / waves::LONGEST;
    [side, side / FINER, side / (FINER * FINER)]
}

/// The slopes that 1 stands for. All sizes together have the mean square slope of a wind that
/// leaves about 0.01 at a light breeze and 0.06 in a gale (Cox and Munk 1954).
fn wave_slopes(water: &Settings) -> [f32; 3] {
    let square = 0.06 * water.waves * water.waves.sqrt();
    [0.5, 0.3, 0.2].map(|part: f32| waves::SLOPES * (square * part * 0.5).sqrt())
}

/// How fast red, green and blue are lost.
fn absorption(water: &Settings) -> [f32; 3] {
    // A tenth of the clearest colour is left.
    let color = match water.color {
        WaterColor::Sea => [3.4, 1.25, 1.0],
        WaterColor::Tropic => [4.0, 1.0, 1.02],
        WaterColor::Lake => [1.9, 1.0, 1.5],
        WaterColor::Glacier => [1.7, 1.0, 1.05],
        WaterColor::Moor => [1.0, 1.7, 3.0],
    };
    color.map(|part: f32| part * 2.3 / water.clarity)
}

/// What deep water sends back of white light.
fn body_color(color: WaterColor) -> [f32; 3] {
    match color {
        WaterColor::Sea => [0.004, 0.026, 0.050],
        WaterColor::Tropic => [0.006, 0.060, 0.085],
        WaterColor::Lake => [0.010, 0.026, 0.020],
        WaterColor::Glacier => [0.090, 0.190, 0.200],
        WaterColor::Moor => [0.030, 0.016, 0.006],
    }
}
