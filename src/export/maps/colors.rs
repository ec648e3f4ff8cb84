//! Normals, baked colours, sky and clouds.

use std::path::Path;

use ::png::{BitDepth, ColorType};

use super::ground::Ground;
use super::png::Picture;
use super::{Asked, between, create};
use crate::export::memory::{check_free, check_surface};
use crate::export::rows::{Work, write};
use crate::export::target::Target;
use crate::export::{ExportError, Format, MeshOptions, Place, RowSource, Span, Written, grey};
use crate::generate::GenerateError;
use crate::grid::Grid;
use crate::heightmap::Heightmap;
use crate::inputs::Inputs;
use crate::maps::normal::{self, Green};
use crate::maps::{Kind, Paint, colors, sky};
use crate::pipeline;
use crate::scene::RenderType;
use crate::texture::clouds;

/// Writes normals, of 8 or 16 bits as the formats say.
pub fn normals(
    asked: &Asked<'_>,
    paths: &[&Path],
    formats: &[&'static Format],
    ground: &Ground,
    green: Green,
) -> Result<Vec<Target>, ExportError> {
    let targets = create(paths)?;
    for (target, format) in targets.iter().zip(formats) {
        let is_wide = format.levels == grey::PNG.levels;
        let depth = match is_wide {
            true => BitDepth::Sixteen,
            false => BitDepth::Eight,
        };
        let picture = asked.rgb(ground.rows(), ground.columns(), depth);
        picture.write(asked, target, |rows| {
            ground.each_band(asked.job, &mut |relief| {
                if is_wide {
                    let band = normal::bits16(relief, green, asked.job);
                    let band = band.map_err(GenerateError::from)?;
                    let bytes = band.as_flattened().iter().flat_map(|v| v.to_be_bytes());
                    Ok(rows(&bytes.collect::<Vec<_>>())?)
                } else {
                    let band = normal::bits8(relief, green, asked.job);
                    Ok(rows(band.map_err(GenerateError::from)?.as_flattened())?)
                }
            })
        })?;
    }
    Ok(targets)
}

/// Writes colours by height, the palette over `range`.
pub fn painted(
    asked: &Asked<'_>,
    paths: &[&Path],
    ground: &Ground,
    range: (f32, f32),
    paint: Paint,
) -> Result<Vec<Target>, ExportError> {
    let targets = create(paths)?;
    let picture = asked.rgb(ground.rows(), ground.columns(), BitDepth::Eight);
    for target in &targets {
        picture.write(asked, target, |rows| {
            ground.each_band(asked.job, &mut |relief| {
                let band = paint(relief, asked.palette, range, asked.job);
                Ok(rows(band.map_err(GenerateError::from)?.as_flattened())?)
            })
        })?;
    }
    Ok(targets)
}

impl Asked<'_> {
    /// Writes what has a size of its own.
    pub(super) fn textures(
        &self,
        paths: &[&Path],
        formats: &[&'static Format],
        inputs: &Inputs,
    ) -> Result<Written, ExportError> {
        let (scene, job) = (self.scene, self.job);
        let cancelled = |cancelled| ExportError::from(GenerateError::from(cancelled));
        if let Kind::Colors = self.map.kind {
            check_surface(scene, inputs, scene.teximage.iterations)?;
            let map = pipeline::teximage(scene, inputs, job)?;
            let cells = [map.columns() - 1, map.rows() - 1];
            let [width, height] = colors::size(cells, usize::MAX);
            let [height, width] = self.samples.of(height, width);
            check_free((height as u64).saturating_mul(width as u64 * 3))?;
            let texels = [width, height];
            let baked = colors::bake_at(texels, &map, self.palette, &scene.light, job);
            let baked = baked.map_err(cancelled)?;
            return self.grid(paths, formats, &baked);
        }
        if let (Kind::Sky, true) = (self.map.kind, scene.render_type() != RenderType::Rendered) {
            let ranks = pipeline::cloud_ranks(scene, inputs, job)?;
            let sky = sky::physical(scene, &ranks, job).map_err(cancelled)?;
            return self.grid(paths, formats, &sky);
        }
        let (map, amplitude) = pipeline::clouds(scene, inputs, job)?;
        if let Kind::Sky = self.map.kind {
            let clouds = clouds::texture(&map, amplitude, job).map_err(cancelled)?;
            let sky = sky::panorama(&clouds, &scene.fog, job).map_err(cancelled)?;
            return self.grid(paths, formats, &sky);
        }
        let opacity = clouds::opacity(&map, amplitude, job).map_err(cancelled)?;
        let (rows, columns) = (opacity.rows(), opacity.columns());
        let source = RowSource::Map(Heightmap::new(rows, columns, false, opacity.into_vec()));
        let work = Work {
            scene,
            palette: self.palette,
            span: (self.range.or(self.map.range)).map_or(Span::Own, between),
            own: None,
            flipped: false,
            finer: None,
            whole: None,
            mesh: MeshOptions::default(),
            place: Place::whole(rows as u64, columns as u64),
            earth: None,
            map: self.map,
            request: self.request,
            job,
        };
        write(&source, formats, create(paths)?, &work)
    }

    fn grid(
        &self,
        paths: &[&Path],
        formats: &[&'static Format],
        pixels: &Grid<[u8; 3]>,
    ) -> Result<Written, ExportError> {
        let targets = create(paths)?;
        let picture = self.rgb(pixels.rows(), pixels.columns(), BitDepth::Eight);
        for target in &targets {
            picture.write(self, target, |rows| {
                Ok(rows(pixels.as_slice().as_flattened())?)
            })?;
        }
        let targets = self.requested(targets, formats);
        self.commit(targets, [pixels.rows(), pixels.columns()])
    }

    fn rgb(&self, rows: usize, columns: usize, depth: BitDepth) -> Picture<'static> {
        Picture {
            rows,
            columns,
            color: ColorType::Rgb,
            depth,
            description: self.map.help,
        }
    }
}
