//! PNG pictures with the scene in a text chunk, so that they can be opened again as the landscape that
//! they were made from: rendered pictures, and maps that are colours or masks instead of numbers.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use ::png::{BitDepth, ColorType, Compression, Encoder, EncodingError, Filter};

use super::error::{ExportError, write_error};
use super::file::{Complete, OutputFile, Sink, commit};
use super::heights::Location;
use super::memory::{check_free, check_memory};
use super::names::portable;
use super::piece::{Piece, Span};
use super::plan::{OpenFile, Output, PictureRequest, Plan, as_json, check_outputs};
use super::row_source::{Excerpt, RowSource};
use super::written::Written;
use super::{rows, sidecar};
use crate::files::formats::checksum::Adds;
use crate::files::formats::png::{
    DESCRIPTION_CHUNK, PICTURE_CHUNK, add_scene, sum_chunk, sum_of_rows,
};
use crate::files::formats::sidecar::BandInPicture;
use crate::files::import::reads;
use crate::fractal::rows::StreamError;
use crate::pipeline;
use crate::pipeline::inputs::Inputs;
use crate::scene::{RenderType, Scene};
use crate::shading::canopy::Crowns;
use crate::shading::covers;
use crate::shading::maps::colors::{self, Sea};
use crate::shading::maps::materials::{COUNT, Ground, Materials, NAMES};
use crate::shading::maps::relief::{self, Green};
use crate::shading::maps::splat::Bands;
use crate::shading::maps::{Paint, Relief, colors as baked, sky as panorama};
use crate::shading::material::{Albedo, covers_of};
use crate::shading::texture::clouds as cover;
use crate::terrain::grid::Grid;
use crate::terrain::heightmap::Heightmap;
use crate::util::job::Job;

/// Pixels that are encoded between two checks for cancellation: a few milliseconds.
const AT_ONCE: usize = 1 << 14;

/// Write a picture of a scene as PNG (sRGB, row 0 at the top), whatever the file name.
///
/// # Errors
/// The file cannot be written.
pub fn picture(path: &Path, pixels: &Grid<[u8; 3]>, scene: &Scene) -> Result<(), ExportError> {
    picture_unless_cancelled(path, pixels, scene, &Job::new())
}

/// As [`picture`], but keep the old file if the job is cancelled.
///
/// # Errors
/// As [`picture`], or the job was cancelled.
pub fn picture_unless_cancelled(
    path: &Path,
    pixels: &Grid<[u8; 3]>,
    scene: &Scene,
    job: &Job,
) -> Result<(), ExportError> {
    let request = PictureRequest {
        size: (pixels.columns() as u32, pixels.rows() as u32),
        samples: 1,
        transparent: false,
    };
    let opaque = |row: usize| {
        let pixels = pixels.row(row).iter();
        let pixels = pixels.map(|[r, g, b]| [*r, *g, *b, u8::MAX]).collect();
        Grid::from_vec(1, request.size.0 as usize, pixels).expect("a row of the picture")
    };
    picture_in_bands(path, request, scene, job, |put| {
        (0..pixels.rows()).try_for_each(|row| put(&opaque(row)))
    })
}

/// Write a picture like [`picture`], but one band of rows at a time, so that it need not fit in memory;
/// with alpha if it is transparent. `make` passes on the rows, sRGB with alpha, from top to bottom.
///
/// # Errors
/// The file cannot be written, the number of rows is wrong, `make` fails, or the job was cancelled.
pub fn picture_in_bands<E: From<ExportError>>(
    path: &Path,
    request: PictureRequest,
    scene: &Scene,
    job: &Job,
    make: impl FnOnce(&mut dyn FnMut(&Grid<[u8; 4]>) -> Result<(), ExportError>) -> Result<(), E>,
) -> Result<(), E> {
    let failed = write_error(path);
    let broken = |error: EncodingError| failed(error.into());
    check_outputs(&[Output::picture(path, request)], &reads(scene), &|_| false)?;
    let target = OutputFile::create(path)?;
    let scene = &portable(scene, target.path()).map_err(ExportError::from)?;
    let mut sink = target.sink()?;
    let (columns, rows) = request.size;
    let color = match request.transparent {
        true => ColorType::Rgba,
        false => ColorType::Rgb,
    };
    let mut encoder = Encoder::new(&mut sink, columns, rows);
    encoder.set_color(color);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Balanced);
    add_scene(&mut encoder, scene).map_err(&failed)?;
    let text = as_json(&request, scene).to_string();
    let added = encoder.add_text_chunk(PICTURE_CHUNK.to_owned(), text);
    added.map_err(broken)?;
    let mut writer = encoder.write_header().map_err(broken)?;
    let mut sum = sum_of_rows(rows, columns, color, BitDepth::Eight);
    let mut stream = writer.stream_writer().map_err(broken)?;
    make(&mut |band| {
        band.as_slice().chunks(AT_ONCE).try_for_each(|pixels| {
            job.check()?;
            let opaque: Vec<_>;
            let bytes = if request.transparent {
                bytemuck::cast_slice(pixels)
            } else {
                opaque = pixels.iter().map(|[r, g, b, _]| [*r, *g, *b]).collect();
                bytemuck::cast_slice(&opaque)
            };
            sum.add(bytes);
            stream.write_all(bytes).map_err(&failed)
        })
    })?;
    stream.finish().map_err(broken)?;
    let chunk = sum_chunk(&sum);
    writer.write_text_chunk(&chunk).map_err(broken)?;
    writer.finish().map_err(broken)?;
    sink.flush().map_err(&failed)?;
    commit(vec![target.into()], job)?;
    Ok(())
}

/// Write normal maps with 8 or 16 bits, depending on the format.
pub fn normals(
    piece: &Piece<'_>,
    excerpt: Excerpt<'_>,
    files: Vec<OpenFile>,
    green: Green,
) -> Result<Written, ExportError> {
    let size = excerpt.size();
    for file in &files {
        let is_wide = file.format.levels > Some(u8::MAX.into());
        let picture = MapPicture {
            depth: match is_wide {
                true => BitDepth::Sixteen,
                false => BitDepth::Eight,
            },
            ..MapPicture::rgb(piece, size)
        };
        picture.write_bands(excerpt, file, &|relief| {
            if is_wide {
                let band = relief::bits16(relief, green, piece.job)?;
                let bytes = band.as_flattened().iter().flat_map(|v| v.to_be_bytes());
                return Ok(bytes.collect());
            }
            Ok(relief::bits8(relief, green, piece.job)?.into_flattened())
        })?;
    }
    finish(piece, files, size, &|_| Vec::new())
}

/// Write the albedo, with the palette spread over the range of heights.
pub fn painted(
    piece: &Piece<'_>,
    excerpt: Excerpt<'_>,
    files: Vec<OpenFile>,
    paint: Paint,
) -> Result<Written, ExportError> {
    let size = excerpt.size();
    let range = piece.span.heights().unwrap_or_default();
    let (covers, normals, snow) = (piece.covers[0], piece.normals, piece.snow);
    let albedo = Albedo::of(piece.scene, piece.palette, range, covers, normals, snow);
    let crowns = piece.canopy.map(|canopy| Crowns::of(canopy, piece.scene));
    let albedo = albedo.under(crowns);
    for file in &files {
        MapPicture::rgb(piece, size).write_bands(excerpt, file, &|relief| {
            Ok(paint(relief, &albedo, piece.job)?.into_flattened())
        })?;
    }
    finish(piece, files, size, &|_| Vec::new())
}

/// Write masks of the palette's bands, `channels` bands a picture.
pub fn masks(
    piece: &Piece<'_>,
    excerpt: Excerpt<'_>,
    files: Vec<OpenFile>,
    channels: usize,
) -> Result<Written, ExportError> {
    let size = excerpt.size();
    let bands = Bands::new(piece.palette, piece.span.heights().unwrap_or_default());
    let in_file = |file: &OpenFile| bands_in_picture(&bands, file, channels);
    for file in &files {
        let first = file.request.band.unwrap_or_default();
        let described = in_file(file)
            .into_iter()
            .map(|BandInPicture { band, color, .. }| {
                format!("band {band} of {}, {color}", bands.colors.len())
            });
        let picture = MapPicture {
            color: match channels {
                1 => ColorType::Grayscale,
                _ => ColorType::Rgba,
            },
            description: &described.collect::<Vec<_>>().join("; "),
            ..MapPicture::rgb(piece, size)
        };
        picture.write_bands(excerpt, file, &|relief| {
            let weights = bands.weights(relief, piece.job)?;
            Ok(Bands::picture(&weights, first, channels))
        })?;
    }
    finish(piece, files, size, &in_file)
}

/// Masks of the materials of a rectangle, row after row.
pub fn material_masks(
    piece: &Piece<'_>,
    excerpt: Excerpt<'_>,
) -> Result<Vec<[u8; COUNT]>, ExportError> {
    let range = piece.span.heights().unwrap_or_default();
    let ground = Ground {
        covers: piece.covers[0],
        normals: piece.normals,
        snow: piece.snow,
        canopy: piece.canopy,
        rivers: piece.rivers,
        wetness: piece.wetness,
    };
    let materials = Materials::of(piece.scene, piece.palette, range, ground);
    let [rows, columns] = excerpt.size();
    check_free((rows as u64).saturating_mul((columns * COUNT) as u64))?;
    let mut masks = Vec::with_capacity(rows * columns);
    let tile_size_m = piece.scene.surface.tile_size_m;
    let made = excerpt.each_relief(tile_size_m, piece.job, &mut |relief| {
        masks.extend(materials.masks(relief, piece.job)?);
        Ok(())
    });
    match made {
        Ok(()) => Ok(masks),
        Err(StreamError::Cancelled(cancelled)) => Err(cancelled.into()),
        Err(StreamError::Io(error)) => Err(write_error(Path::new(piece.map.name))(error)),
    }
}

/// Write masks of the materials, one a picture.
pub fn materials(
    piece: &Piece<'_>,
    size: [usize; 2],
    masks: &[[u8; COUNT]],
    files: Vec<OpenFile>,
) -> Result<Written, ExportError> {
    for file in &files {
        let index = file.request.band.unwrap_or_default();
        let words = format!("mask of {}: 0 none, 255 all", NAMES[index]);
        MapPicture::grey(piece, size, &words).write(&file.target, |sink| {
            each_grey(masks.iter().map(|bytes| bytes[index]), sink)
        })?;
    }
    finish(piece, files, size, &|_| Vec::new())
}

/// Write a grey picture with 8 bits.
pub fn grey(
    piece: &Piece<'_>,
    target: &OutputFile,
    pixels: &Grid<u8>,
    words: &str,
) -> Result<(), ExportError> {
    let size = [pixels.rows(), pixels.columns()];
    MapPicture::grey(piece, size, words).write(target, |sink| Ok(sink(pixels.as_slice())?))
}

/// Pass bytes on in portions.
fn each_grey(
    bytes: impl Iterator<Item = u8>,
    sink: &mut dyn FnMut(&[u8]) -> io::Result<()>,
) -> Result<(), StreamError> {
    let mut portion = Vec::with_capacity(1 << 18);
    for byte in bytes {
        portion.push(byte);
        if portion.len() == portion.capacity() {
            sink(&portion)?;
            portion.clear();
        }
    }
    Ok(sink(&portion)?)
}

/// Bands of a mask picture, with their colours as `#rrggbb`.
fn bands_in_picture(bands: &Bands, file: &OpenFile, channels: usize) -> Vec<BandInPicture> {
    let first = file.request.band.unwrap_or_default();
    let colors = bands.colors.iter().enumerate().skip(first).take(channels);
    let in_picture = colors.map(|(band, color)| {
        let [r, g, b] = color.map(|v| (v * 255.0).round() as u8);
        let channel = match channels {
            1 => "grey",
            _ => ["red", "green", "blue", "alpha"][(band - first).min(3)],
        };
        BandInPicture {
            band,
            channel: channel.to_owned(),
            color: format!("#{r:02x}{g:02x}{b:02x}"),
        }
    });
    in_picture.collect()
}

/// Write the colours that are baked into the ground texture.
pub fn colors(plan: &Plan<'_>, inputs: &Inputs, job: &Job) -> Result<Written, ExportError> {
    let scene = plan.scene;
    let mut finer = scene.clone();
    finer.surface.iterations = scene.teximage.iterations;
    check_memory(&finer, inputs)?;
    let map = pipeline::teximage(scene, inputs, job)?;
    let cells = [map.columns() - 1, map.rows() - 1];
    let [width, height] = baked::size(cells, usize::MAX);
    let [height, width] = plan.options.samples.of(height, width);
    check_free((height as u64).saturating_mul(width as u64 * 3))?;
    let covers = covers_of(plan.palette, scene);
    let covers = covers::on(&map, &covers, job)?;
    let (texels, light) = ([width, height], &scene.light);
    let canopy = match scene.plants_on().next() {
        Some(_) => {
            let ground = Arc::new(pipeline::heights(scene, inputs, job)?);
            pipeline::canopy(scene, inputs, &ground, job)?
        }
        None => None,
    };
    let crowns = canopy.as_ref().map(|canopy| Crowns::of(canopy, scene));
    let lying = (covers.as_ref(), crowns.as_ref());
    let mut colors = baked::bake_at(texels, &map, plan.palette, lying, light, job)?;
    // Of the finer map, which is large, only the sea needs the heights from here on.
    let sea = Sea::of(&scene.water).map(|sea| (sea, map));
    if let Some(rivers) = pipeline::rivers(scene, inputs, job)? {
        baked::draw_rivers(&mut colors, &rivers, scene.water.color, light, job)?;
    }
    if let Some((sea, map)) = sea {
        colors::draw_sea(&mut colors, &map, &sea, light, job)?;
    }
    texture(plan, &colors, job)
}

/// Write a panorama of the whole sky with its clouds.
pub fn sky(plan: &Plan<'_>, inputs: &Inputs, job: &Job) -> Result<Written, ExportError> {
    let scene = plan.scene;
    if scene.render_type() != RenderType::Rendered {
        let ranks = pipeline::cloud_ranks(scene, inputs, job)?;
        return texture(plan, &panorama::physical(scene, &ranks, job)?, job);
    }
    let (map, amplitude) = pipeline::clouds(scene, inputs, job)?;
    let clouds = cover::texture(&map, amplitude, job)?;
    texture(plan, &panorama::panorama(&clouds, &scene.fog, job)?, job)
}

/// Write the opacity of the clouds.
pub fn clouds(plan: &Plan<'_>, inputs: &Inputs, job: &Job) -> Result<Written, ExportError> {
    let (map, amplitude) = pipeline::clouds(plan.scene, inputs, job)?;
    let opacity = cover::opacity(&map, amplitude, job)?;
    let (rows, columns) = (opacity.rows(), opacity.columns());
    let map = Heightmap::new(rows, columns, false, opacity.into_vec());
    let piece = texture_piece(plan, [rows, columns], job);
    rows::write(&map, &piece, plan.open(None)?)
}

/// Write a picture of a map with a size of its own.
fn texture(plan: &Plan<'_>, pixels: &Grid<[u8; 3]>, job: &Job) -> Result<Written, ExportError> {
    let size = [pixels.rows(), pixels.columns()];
    let piece = texture_piece(plan, size, job);
    let files = plan.open(None)?;
    for file in &files {
        MapPicture::rgb(&piece, size).write(&file.target, |sink| {
            Ok(sink(pixels.as_slice().as_flattened())?)
        })?;
    }
    finish(&piece, files, size, &|_| Vec::new())
}

/// Piece that covers all of a map without a place on the ground.
fn texture_piece<'a>(plan: &Plan<'a>, [rows, columns]: [usize; 2], job: &'a Job) -> Piece<'a> {
    let given = plan.options.span.heights().or(plan.map.range);
    let location = Location::whole(rows, columns);
    Piece {
        span: given.map_or(Span::Own, |(low, high)| Span::Heights(low, high)),
        mesh: plan.options.mesh,
        ..Piece::new(plan.scene, plan.palette, plan.map, location, job)
    }
}

/// Layout of a picture of a map.
struct MapPicture<'a> {
    piece: &'a Piece<'a>,
    /// Rows and columns.
    size: [usize; 2],
    color: ColorType,
    /// Bits a channel; 16-bit samples are big-endian.
    depth: BitDepth,
    /// Description for the text chunk.
    description: &'a str,
}

impl<'a> MapPicture<'a> {
    /// Layout of a colour picture with 8 bits a channel.
    fn rgb(piece: &'a Piece<'a>, size: [usize; 2]) -> Self {
        Self {
            piece,
            size,
            color: ColorType::Rgb,
            depth: BitDepth::Eight,
            description: piece.map.help,
        }
    }

    /// Layout of a grey picture with 8 bits.
    fn grey(piece: &'a Piece<'a>, size: [usize; 2], description: &'a str) -> Self {
        Self {
            color: ColorType::Grayscale,
            description,
            ..Self::rgb(piece, size)
        }
    }

    /// Write a picture whose bytes are derived from the heights, one band of rows at a time.
    fn write_bands(
        &self,
        excerpt: Excerpt<'_>,
        file: &OpenFile,
        make: &dyn Fn(&Relief<'_>) -> Result<Vec<u8>, StreamError>,
    ) -> Result<(), ExportError> {
        let tile_size_m = self.piece.scene.surface.tile_size_m;
        self.write(&file.target, |pixels| {
            excerpt.each_relief(tile_size_m, self.piece.job, &mut |relief| {
                Ok(pixels(&make(relief)?)?)
            })
        })
    }

    /// Write the picture; `make` passes the bytes of all rows to its sink.
    fn write(
        &self,
        target: &OutputFile,
        make: impl FnOnce(&mut dyn FnMut(&[u8]) -> io::Result<()>) -> Result<(), StreamError>,
    ) -> Result<(), ExportError> {
        let scene = portable(self.piece.scene, target.path())?;
        let done = self.write_into(target.sink()?, &scene, make);
        self.piece.job.check()?;
        done.map_err(write_error(target.path()))
    }

    fn write_into(
        &self,
        mut sink: Sink,
        scene: &Scene,
        make: impl FnOnce(&mut dyn FnMut(&[u8]) -> io::Result<()>) -> Result<(), StreamError>,
    ) -> io::Result<()> {
        let too_many = |_| io::Error::other("too many samples for a PNG");
        let [rows, columns] = self.size.map(u32::try_from);
        let (rows, columns) = (rows.map_err(too_many)?, columns.map_err(too_many)?);
        let mut encoder = Encoder::new(&mut sink, columns, rows);
        encoder.set_color(self.color);
        encoder.set_depth(self.depth);
        encoder.set_compression(Compression::Fast);
        if self.depth == BitDepth::Sixteen {
            encoder.set_filter(Filter::Paeth);
        }
        encoder.add_text_chunk(DESCRIPTION_CHUNK.to_owned(), self.description.to_owned())?;
        add_scene(&mut encoder, scene)?;
        let mut writer = encoder.write_header()?;
        let mut sum = sum_of_rows(rows, columns, self.color, self.depth);
        let mut pixels = writer.stream_writer_with_size(1 << 18)?;
        let made = make(&mut |bytes| {
            // In small portions, so that a cancelled job stops soon.
            bytes.chunks(1 << 20).try_for_each(|bytes| {
                self.piece.job.check().map_err(io::Error::other)?;
                sum.add(bytes);
                pixels.write_all(bytes)
            })
        });
        made.map_err(|error| match error {
            StreamError::Io(error) => error,
            StreamError::Cancelled(cancelled) => io::Error::other(cancelled),
        })?;
        pixels.finish()?;
        writer.write_text_chunk(&sum_chunk(&sum))?;
        writer.finish()?;
        sink.flush()
    }
}

/// Rename complete pictures of one size into place and write their sidecars, with the bands of each.
fn finish(
    piece: &Piece<'_>,
    files: Vec<OpenFile>,
    size: [usize; 2],
    bands: &dyn Fn(&OpenFile) -> Vec<BandInPicture>,
) -> Result<Written, ExportError> {
    let complete = files.into_iter().map(|file| {
        let request = as_json(&file.request, piece.scene);
        let (map, scene, path) = (piece.map, piece.scene, file.target.path());
        let sidecar = sidecar::of_picture(map, bands(&file), scene, size, request, path)?;
        Ok(Complete {
            sidecar: Some(sidecar),
            ..file.target.into()
        })
    });
    piece.commit(complete.collect::<Result<_, ExportError>>()?)?;
    Ok(Written::of_size(size))
}
