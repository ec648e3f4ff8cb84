//! Single plants drawn into a buffer of their own, and laid over the picture.

use std::ops::Range;

use glium::framebuffer::SimpleFrameBuffer;
use glium::{DrawParameters, Program, Surface, uniform};

use crate::render::buffers::{LayerTexture, PictureBuffers};
use crate::render::error::{Refused, Result};
use crate::render::frame_budget::PatchRange;
use crate::render::gl::programs::Shader;
use crate::render::gl::{Values, blend, joined, sampler};
use crate::render::pass::{Pass, Target};
use crate::render::plants::{PlantAtlas, PlantPicture, Portion, Quads, What, Wind};

const WHAT: &str = "the plants";

/// Clear the buffers of the plants.
pub(super) fn clear(picture: &PlantPicture, pass: &Pass<'_>, buffers: &PictureBuffers) -> Result {
    let clear = Some((0.0, 0.0, 0.0, 0.0));
    let plants = buffers.plants(pass.context)?;
    let mut surface = SimpleFrameBuffer::new(pass.context, plants).refused(WHAT)?;
    pass.clear(&mut surface, clear, None);
    if picture.depths.is_some() {
        let near = buffers.near_plants(pass.context)?;
        pass.clear(&mut near.surface(pass.context)?, clear, Some(1.0));
    }
    Ok(())
}

/// Draw a range of the plan in front of the ground of these depth layers; `uniforms` are those of lit ground.
pub(super) fn draw(
    picture: &PlantPicture,
    pass: &Pass<'_>,
    buffers: &PictureBuffers,
    (layers, atlas): (&LayerTexture, &PlantAtlas),
    uniforms: &Values<'_>,
    range: PatchRange,
) -> Result {
    let plants = buffers.plants(pass.context)?;
    let mut surface = SimpleFrameBuffer::new(pass.context, plants).refused(WHAT)?;
    let end = range
        .first
        .saturating_add(range.count)
        .min(picture.portions.len());
    let portions = &picture.portions[range.first.min(end)..end];
    let sheets = atlas.uniforms();
    let wind = Wind::of(pass.scene).uniforms();
    let eye = pass.eye().at_origin();
    let clip = |(near, far): (f32, f32)| {
        let clip = eye.clip_from_world(near, far);
        uniform! { clip_from_eye: clip.to_cols_array_2d() }
    };
    let over = pass.blended(blend::premultiplied_over());
    // Without a depth test any planes will do, if none is cut.
    let far = clip((1e-7, 100.0));
    let far = joined!(far, sheets, wind, layers, uniforms);
    let program = pass.tools.program_with(Shader::Plants, &far)?;
    for portion in portions.iter().filter(|portion| portion.what == What::Far) {
        draw_sprites(&picture.quads, &mut surface, portion, program, &far, &over)?;
    }
    let Some(depths) = picture.depths else {
        return Ok(());
    };
    let close = buffers.near_plants(pass.context)?;
    let mut close_surface = close.surface(pass.context)?;
    let near = clip(depths);
    let near = joined!(near, sheets, wind, layers, uniforms);
    let mut tested = pass.with_depth();
    tested.blend = over.blend;
    let mut kept = tested.clone();
    kept.depth.write = false;
    for portion in portions {
        match portion.what {
            What::Far => {}
            What::Near => {
                draw_sprites(
                    &picture.quads,
                    &mut close_surface,
                    portion,
                    program,
                    &near,
                    &kept,
                )?;
            }
            What::Model(model) => {
                let mesh = atlas.models.mesh(model);
                let stands = picture.stands.slice(portion.range.clone());
                let stands = stands.ok_or("no such plants").refused(WHAT)?;
                let stands = stands.per_instance().map_err(|_| "no instances");
                close_surface
                    .draw(
                        (&mesh.corners, stands.refused(WHAT)?),
                        &mesh.triangles,
                        pass.tools.program_with(Shader::PlantModels, &near)?,
                        &near,
                        &tested,
                    )
                    .refused(WHAT)?;
            }
        }
    }
    if end == picture.portions.len() {
        drop(close_surface);
        close.resolve(pass.context)?;
        let resolved = uniform! { plants: sampler::exact(close.resolved.sampled()) };
        (pass.tools).fill(&mut surface, Shader::PlantsOver, &resolved, &over)?;
    }
    Ok(())
}

/// Draw the impostors of a portion.
pub(super) fn draw_sprites(
    quads: &Quads,
    surface: &mut SimpleFrameBuffer<'_>,
    portion: &Portion,
    program: &Program,
    uniforms: &Values<'_>,
    parameters: &DrawParameters<'_>,
) -> Result {
    let Range { start, end } = portion.range;
    let corners = quads.corners.slice(4 * start..4 * end);
    let triangles = quads.triangles.slice(0..6 * (end - start));
    let (corners, triangles) = (corners.zip(triangles))
        .ok_or("no such plants")
        .refused(WHAT)?;
    surface
        .draw(corners, triangles, program, uniforms, parameters)
        .refused(WHAT)
}

/// Lay the plants over the finished picture.
pub(super) fn lay_over(
    pass: &Pass<'_>,
    surface: &mut Target<'_>,
    buffers: &PictureBuffers,
) -> Result {
    let plants = buffers.plants(pass.context)?;
    let uniforms = uniform! { plants: sampler::exact(plants.sampled()) };
    let parameters = pass.blended(blend::premultiplied_over());
    (pass.tools).fill(surface, Shader::PlantsOver, &uniforms, &parameters)
}
