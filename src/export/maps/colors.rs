//! Normals, baked colours, sky and clouds.

use std::io;
use std::path::Path;

use ::png::{BitDepth, ColorType};

use super::ground::Ground;
use super::png::Picture;
use super::{Asked, Written, create};
use crate::export::memory::check_surface;
use crate::export::rows::{Work, write};
use crate::export::target::{Target, write_error};
use crate::export::{ExportError, Format, Place, RowSource, grey};
use crate::generate::{GenerateError, Inputs};
use crate::grid::Grid;
use crate::heightmap::Heightmap;
use crate::maps::normal::{self, Green};
use crate::maps::{Kind, colors, sky};
use crate::pipeline;
use crate::texture::clouds;

/// Writes normals, of 8 or 16 bits as the formats say.
pub fn normals(
    asked: &Asked<'_>,
    paths: &[&Path],
    formats: &[&'static Format],
    ground: &Ground,
    green: Green,
) -> Result<Written, ExportError> {
    let targets = create(paths)?;
    for (target, format) in targets.iter().zip(formats) {
        let wide = format.levels == grey::PNG.levels;
        let depth = if wide { BitDepth::Sixteen } else { BitDepth::Eight };
        write_picture(asked, target, ground.rows(), ground.columns(), depth, |sink| {
            ground.each_band(asked.job, &mut |relief| {
                let job = asked.job;
                if wide {
                    let band = normal::bits16(relief, green, job).map_err(stopped)?;
                    let bytes = band.as_flattened().iter().flat_map(|v| v.to_be_bytes());
                    sink(&bytes.collect::<Vec<_>>()).map_err(Stop)
                } else {
                    let band = normal::bits8(relief, green, job).map_err(stopped)?;
                    sink(band.as_flattened()).map_err(Stop)
                }
            })
        })?;
    }
    Ok(Written(targets))
}

impl Asked<'_> {
    /// Writes what has a size of its own.
    pub(super) fn textures(
        &self,
        paths: &[&Path],
        formats: &[&'static Format],
        inputs: &Inputs,
    ) -> Result<(), ExportError> {
        let (scene, job) = (self.scene, self.job);
        let cancelled = |cancelled| ExportError::from(GenerateError::from(cancelled));
        if let Kind::Colors = self.map.kind {
            check_surface(scene, scene.teximage.iterations)?;
            let map = pipeline::teximage(scene, inputs, job)?;
            let baked = colors::bake(&map, self.palette, &scene.light, job).map_err(cancelled)?;
            return self.grid(paths, &baked);
        }
        let (map, amplitude) = pipeline::clouds(scene, inputs, job)?;
        if let Kind::Sky = self.map.kind {
            let clouds = clouds::texture(&map, amplitude, job).map_err(cancelled)?;
            let sky = sky::panorama(&clouds, &scene.fog, job).map_err(cancelled)?;
            return self.grid(paths, &sky);
        }
        let opacity = clouds::opacity(&map, amplitude, job).map_err(cancelled)?;
        let (rows, columns) = (opacity.rows(), opacity.columns());
        let source = RowSource::Map(Heightmap::new(rows, columns, false, opacity.into_vec()));
        let work = Work {
            scene,
            palette: self.palette,
            range: self.range.or(self.map.range),
            place: Place::whole(rows as u64, columns as u64),
            map: self.map,
            job,
        };
        write(&source, formats, create(paths)?, &work)
    }

    fn grid(&self, paths: &[&Path], pixels: &Grid<[u8; 3]>) -> Result<(), ExportError> {
        let targets = create(paths)?;
        for target in &targets {
            let (rows, columns) = (pixels.rows(), pixels.columns());
            write_picture(self, target, rows, columns, BitDepth::Eight, |sink| {
                sink(pixels.as_slice().as_flattened()).map_err(Stop)
            })?;
        }
        Written(targets).commit()
    }
}

/// Why a picture is not complete.
struct Stop(io::Error);

impl From<GenerateError> for Stop {
    fn from(error: GenerateError) -> Self {
        Self(io::Error::other(error))
    }
}

fn stopped(cancelled: crate::job::Cancelled) -> Stop {
    Stop(io::Error::other(cancelled))
}

fn write_picture(
    asked: &Asked<'_>,
    target: &Target,
    rows: usize,
    columns: usize,
    depth: BitDepth,
    make: impl FnOnce(&mut dyn FnMut(&[u8]) -> io::Result<()>) -> Result<(), Stop>,
) -> Result<(), ExportError> {
    let picture = Picture {
        rows,
        columns,
        color: ColorType::Rgb,
        depth,
        description: asked.map.help,
    };
    let done = picture.write(asked, target.sink()?, |sink| {
        make(sink).map_err(|stop| stop.0)
    });
    asked.job.check().map_err(GenerateError::from)?;
    done.map_err(write_error(target.path()))
}
