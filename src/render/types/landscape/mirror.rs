//! Planar reflection in water: the ground and its plants drawn once more, upside down and at half the picture's size,
//! where light stays linear; waves then only shift where the water looks it up.
//!
//! A piece of a large picture mirrors the same ground and as much around it as waves may shift. What
//! is mirrored belongs to the buffers that the picture is drawn in: while that is drawn a rectangle
//! at a time, others may be drawn.

use glium::uniforms::SamplerWrapFunction;
use glium::{DepthTest, DrawParameters, Surface, uniform};

use super::plants::draw_sprites;
use crate::render::buffers::{MirrorBuffer, PictureBuffers};
use crate::render::error::RenderError;
use crate::render::frame_budget::PatchRange;
use crate::render::gl::programs::Shader;
use crate::render::gl::{Values, blend, joined, sampler};
use crate::render::ground::Seen;
use crate::render::meshes::CellPart;
use crate::render::pass::{DrawStats, Pass};
use crate::render::plants::{MirroredPlants, PlantAtlas, Wind};
use crate::render::progressive_frame::Plan;
use crate::render::textures::heights::HeightTexture;
use crate::render::view::Frame;
use crate::scene::CameraMode;

/// Detail of the mirrored ground: coarse.
const DETAIL: f32 = 2.0;
/// A mirrored patch takes about as long as so many pixels of the picture.
const PATCH: u64 = 5_000;
/// How far waves may shift what is mirrored, as part of the picture's height.
const REACH: f32 = 0.125;
/// Whether anything is mirrored in that picture: an eye below the water sees none of it.
pub(super) fn is_seen(pass: &Pass<'_>) -> bool {
    pass.eye().position.y > pass.scene.water.level
}

/// Clears what water mirrors.
pub(super) fn clear(
    pass: &Pass<'_>,
    buffers: &PictureBuffers,
    map: &HeightTexture,
) -> Result<(), RenderError> {
    let mut mirror = buffers.mirror();
    let mirror = MirrorBuffer::of_size(pass.context, &mut mirror, MirrorFrame::new(pass).size)?;
    mirror.depths.set(mirrored(pass, map).depths);
    let mut surface = mirror.surface(pass.context)?;
    surface.clear_color_and_depth((0.0, 0.0, 0.0, 0.0), 1.0);
    Ok(())
}

/// Draws patches of what water mirrors, upside down; `uniforms` are those that the ground is lit
/// with.
pub(super) fn draw(
    pass: &Pass<'_>,
    buffers: &PictureBuffers,
    map: &HeightTexture,
    uniforms: &Values<'_>,
    range: PatchRange,
) -> Result<DrawStats, RenderError> {
    let MirrorFrame { frame, size, .. } = MirrorFrame::new(pass);
    let mut mirror = buffers.mirror();
    let mirror = MirrorBuffer::of_size(pass.context, &mut mirror, size)?;
    let mut surface = mirror.surface(pass.context)?;
    let seen = mirrored(pass, map);
    let pass = Pass { frame, ..*pass };
    let own = uniform! { level: pass.scene.water.level };
    let parameters = DrawParameters {
        clip_planes_bitmask: 1,
        ..pass.with_depth()
    };
    let single = pass.plants.mirrored().map(|(plants, _)| plants.uniforms());
    let all = match &single {
        Some(single) => joined!(own, single, uniforms),
        None => joined!(own, uniforms),
    };
    seen.only(range).draw(
        &pass,
        &mut surface,
        CellPart::Faces,
        pass.wooded(Shader::Reflection),
        &all,
        parameters,
    )?;
    // What is told is what is seen at first hand.
    Ok(DrawStats::default())
}

/// Draws a range of the plants that water mirrors, among the mirrored ground; `uniforms` are those of lit ground.
pub(super) fn draw_plants(
    (plants, atlas): (&MirroredPlants, &PlantAtlas),
    pass: &Pass<'_>,
    buffers: &PictureBuffers,
    map: &HeightTexture,
    uniforms: &Values<'_>,
    range: PatchRange,
) -> Result<(), RenderError> {
    let MirrorFrame { frame, size, .. } = MirrorFrame::new(pass);
    let mut mirror = buffers.mirror();
    let mirror = MirrorBuffer::of_size(pass.context, &mut mirror, size)?;
    let mut surface = mirror.surface(pass.context)?;
    let seen = mirrored(pass, map);
    let pass = Pass { frame, ..*pass };
    let level = pass.scene.water.level;
    let eye = pass.eye().mirrored(level);
    let (near, far) = mirror.depths.get();
    let own = uniform! {
        level: level,
        forward: eye.forward.to_array(),
        clip_from_eye: eye.at_origin().clip_from_world(near, far).to_cols_array_2d(),
    };
    let (place, sheets) = (seen.uniforms(&pass), atlas.uniforms());
    let wind = Wind::of(pass.scene).uniforms();
    // Of two values of a name the last one counts.
    let uniforms = joined!(uniforms, place, sheets, wind, own);
    let mut parameters = DrawParameters {
        clip_planes_bitmask: 1,
        blend: blend::premultiplied_over(),
        ..pass.with_depth()
    };
    // Views of a plant that give way to each other are equally far away.
    parameters.depth.test = DepthTest::IfLessOrEqual;
    let program = pass.tools.program_with(Shader::MirroredPlants, &uniforms)?;
    let portions = plants.portions.iter().skip(range.first).take(range.count);
    for portion in portions {
        let quads = &plants.quads;
        draw_sprites(
            quads,
            &mut surface,
            portion,
            program,
            &uniforms,
            &parameters,
        )?;
    }
    Ok(())
}

/// What the mirrored picture is made of.
pub(super) fn plan(pass: &Pass<'_>, map: &HeightTexture) -> Plan {
    mirrored(pass, map).plan(&MirrorFrame::new(pass).frame, PATCH)
}

/// Calls `draw` with what `common/mirror.glsl` needs. What is mirrored must be drawn by now.
pub(super) fn with_uniforms<T>(
    pass: &Pass<'_>,
    buffers: &PictureBuffers,
    draw: impl FnOnce(&Values<'_>) -> Result<T, RenderError>,
) -> Result<T, RenderError> {
    let frame = MirrorFrame::new(pass);
    let mut mirror = buffers.mirror();
    let mirror = MirrorBuffer::of_size(pass.context, &mut mirror, frame.size)?;
    let depths = mirror.depths.get();
    let bearing = pass.scene.camera.bearing.to_radians();
    let uniforms = uniform! {
        mirror_color: sampler::mixed(mirror.color.sampled()),
        mirror_depth: sampler::exact(mirror.depth.sampled())
            .wrap_function(SamplerWrapFunction::Clamp),
        mirror_place: frame.place,
        mirror_depths: [depths.0, depths.1],
        mirror_reach: REACH * pass.size.1 as f32,
        screen_right: [bearing.cos(), bearing.sin()],
    };
    draw(&joined!(uniforms))
}

/// The ground that water mirrors in that picture.
fn mirrored<'a>(pass: &Pass<'_>, map: &'a HeightTexture) -> Seen<'a> {
    let mirror = Pass {
        frame: MirrorFrame::new(pass).frame,
        ..*pass
    };
    let nothing = PatchRange {
        count: 0,
        ..PatchRange::ALL
    };
    let seen = Seen::mirrored(&mirror, map, DETAIL, pass.scene.water.level);
    match pass.scene.camera.mode {
        // From straight above nothing is seen in the water.
        CameraMode::Top => seen.only(nothing),
        _ => seen,
    }
}

/// The part of the mirrored picture that a piece of a picture needs.
struct MirrorFrame {
    frame: Frame,
    size: (u32, u32),
    /// Scale and offset from pixels of the whole picture to texture coordinates.
    place: [f32; 4],
}

impl MirrorFrame {
    fn new(pass: &Pass<'_>) -> Self {
        let whole = pass.size;
        // An even number of pixels, so that pieces see the same texels; the last ones are those that `land_beyond` in
        // `common/mirror.glsl` mixes.
        let around = (REACH * whole.1 as f32) as u32 / 2 * 2 + 6;
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
                masked: false,
                walked: false,
                depth: None,
                preview: false,
                enlarged: None,
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
