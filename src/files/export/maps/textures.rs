//! Export of maps with a size of their own: baked ground colours, sky and clouds.

use ::png::BitDepth;

use super::picture::{Picture, finish};
use crate::files::export::error::ExportError;
use crate::files::export::location::Location;
use crate::files::export::memory::{check_free, check_surface};
use crate::files::export::piece::Piece;
use crate::files::export::plan::Plan;
use crate::files::export::rows;
use crate::files::export::values::Span;
use crate::files::export::written::Written;
use crate::generate::GenerateError;
use crate::pipeline;
use crate::pipeline::inputs::Inputs;
use crate::scene::RenderType;
use crate::shading::covers;
use crate::shading::maps::colors::{self, Sea};
use crate::shading::maps::{colors as baked, sky as panorama};
use crate::shading::texture::clouds as cover;
use crate::terrain::grid::Grid;
use crate::terrain::heightmap::Heightmap;
use crate::util::job::{Cancelled, Job};

/// Write the colours that are baked into the ground texture.
pub fn colors(plan: &Plan<'_>, inputs: &Inputs, job: &Job) -> Result<Written, ExportError> {
    let scene = plan.scene;
    check_surface(scene, inputs, scene.teximage.iterations)?;
    let map = pipeline::teximage(scene, inputs, job)?;
    let cells = [map.columns() - 1, map.rows() - 1];
    let [width, height] = baked::size(cells, usize::MAX);
    let [height, width] = plan.options.samples.of(height, width);
    check_free((height as u64).saturating_mul(width as u64 * 3))?;
    let texels = [width, height];
    let lying = covers::on(&map, &plan.palette.covers_of(scene.material.covers), job);
    let lying = lying.map_err(cancelled)?;
    let colors = baked::bake_at(
        texels,
        &map,
        plan.palette,
        lying.as_ref(),
        &scene.light,
        job,
    );
    let mut colors = colors.map_err(cancelled)?;
    // Of the finer map, which is large, only the sea needs the heights from here on.
    let sea = Sea::of(&scene.water).map(|sea| (sea, map));
    if let Some(rivers) = pipeline::rivers(scene, inputs, job)? {
        baked::draw_rivers(&mut colors, &rivers, scene.water.color, &scene.light, job)
            .map_err(cancelled)?;
    }
    if let Some((sea, map)) = sea {
        colors::draw_sea(&mut colors, &map, &sea, &scene.light, job).map_err(cancelled)?;
    }
    picture(plan, &colors, job)
}

/// Write a panorama of the whole sky with its clouds.
pub fn sky(plan: &Plan<'_>, inputs: &Inputs, job: &Job) -> Result<Written, ExportError> {
    let scene = plan.scene;
    if scene.render_type() != RenderType::Rendered {
        let ranks = pipeline::cloud_ranks(scene, inputs, job)?;
        let sky = panorama::physical(scene, &ranks, job).map_err(cancelled)?;
        return picture(plan, &sky, job);
    }
    let (map, amplitude) = pipeline::clouds(scene, inputs, job)?;
    let clouds = cover::texture(&map, amplitude, job).map_err(cancelled)?;
    let sky = panorama::panorama(&clouds, &scene.fog, job).map_err(cancelled)?;
    picture(plan, &sky, job)
}

/// Write the opacity of the clouds.
pub fn clouds(plan: &Plan<'_>, inputs: &Inputs, job: &Job) -> Result<Written, ExportError> {
    let (map, amplitude) = pipeline::clouds(plan.scene, inputs, job)?;
    let opacity = cover::opacity(&map, amplitude, job).map_err(cancelled)?;
    let (rows, columns) = (opacity.rows(), opacity.columns());
    let map = Heightmap::new(rows, columns, false, opacity.into_vec());
    rows::write(&map, &piece(plan, [rows, columns], job), plan.open(None)?)
}

fn picture(plan: &Plan<'_>, pixels: &Grid<[u8; 3]>, job: &Job) -> Result<Written, ExportError> {
    let size = [pixels.rows(), pixels.columns()];
    let piece = piece(plan, size, job);
    let files = plan.open(None)?;
    let picture = Picture::rgb(plan.map, size, BitDepth::Eight);
    for file in &files {
        picture.write(&piece, &file.target, |sink| {
            Ok(sink(pixels.as_slice().as_flattened())?)
        })?;
    }
    let files = files.into_iter().map(|file| (file, Vec::new()));
    finish(&piece, files.collect(), size)
}

/// Piece that covers all of a map without a place on the ground.
fn piece<'a>(plan: &Plan<'a>, [rows, columns]: [usize; 2], job: &'a Job) -> Piece<'a> {
    let given = plan.options.span.heights().or(plan.map.range);
    let location = Location::whole(rows, columns);
    Piece {
        span: given.map_or(Span::Own, |(low, high)| Span::Heights(low, high)),
        mesh: plan.options.mesh,
        ..Piece::new(plan.scene, plan.palette, plan.map, location, job)
    }
}

fn cancelled(error: Cancelled) -> ExportError {
    GenerateError::from(error).into()
}
