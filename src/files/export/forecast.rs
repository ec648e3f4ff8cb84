//! Forecast of an export: size, range and precision of a file before it is written. The numbers come from
//! the export's own planning code, so that they equal those of the file. For very large maps and for
//! parts of maps they are estimated from the map on screen.

use std::io::{self, BufWriter};
use std::path::Path;
use std::sync::Arc;

use super::error::ExportError;
use super::format::{Content, Format, Header, MeshFile};
use super::georeference::place_on_earth;
use super::heights::{HeightSource, Location, first_of};
use super::options::Options;
use super::piece::Piece;
use super::pieces;
use super::plan::Plan;
use super::raw::Quantizer;
use super::registry::Scaling;
use super::row_source::{Excerpt, RowSource};
use super::rows::own_range;
use crate::fractal::refinement::{Refinement, level_of};
use crate::fractal::region::Region;
use crate::fractal::rows::StreamError;
use crate::generate::MAX_ITERATIONS_IN_MEMORY;
use crate::pipeline::inputs::Inputs;
use crate::pipeline::{Landscape, goes_on_as_itself};
use crate::shading::maps::HEIGHTS;
use crate::terrain::grid::Grid;
use crate::terrain::heightmap::Heightmap;
use crate::terrain::mesh::{Detail, Triangulation};
use crate::util::job::Job;

/// Maximum number of samples for an exact forecast: 8193 a side.
const MOST_SAMPLES: usize = 8193 * 8193;

/// Rows that are really written to find out the size of a file.
const BAND_ROWS: usize = 96;

/// Expected properties of an output file.
#[derive(Clone, Debug, PartialEq)]
pub struct Forecast {
    /// Rows of samples.
    pub rows: usize,
    /// Columns of samples.
    pub columns: usize,
    /// Rows and columns of the map, if the file is resampled from it.
    pub interpolated_from: Option<[usize; 2]>,
    /// Approximate file size, in bytes.
    pub bytes: u64,
    /// Heights of the lowest and the highest number.
    pub range: (f32, f32),
    /// Number of ground triangles in a mesh.
    pub triangles: Option<u64>,
    /// Quantization of the heights, in formats with whole numbers.
    pub steps: Option<Steps>,
    /// True size.
    pub scaling: Scaling,
    /// True if the numbers are exact. Otherwise all but rows and columns are estimated from the map on
    /// screen.
    pub is_exact: bool,
}

/// Quantization of heights to whole numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steps {
    /// Number of distinct values that occur.
    pub used: u32,
    /// Number of distinct values of the format.
    pub of: u32,
    /// Height of one step, in metres.
    pub metres: f64,
}

/// Forecast the export of a landscape's heights. Cost: for up to 8193² samples that of writing the file,
/// without generating and modifying the ground again; for larger maps a few passes over the map on
/// screen.
///
/// # Errors
/// As [`super::heightmap`], or no temporary file can be created.
pub fn forecast(
    landscape: &Landscape,
    inputs: &Inputs,
    format: &'static Format,
    options: Options,
    job: &Job,
) -> Result<Forecast, ExportError> {
    let (scene, shown) = (&landscape.scene, &*landscape.heights);
    let options = Options {
        format: Some(format),
        map: Some(&HEIGHTS),
        ..options
    };
    let name = Path::new("forecast").with_extension(format.extension);
    let plan = Plan::new(&[name], scene, &landscape.palette, &options)?;
    let levels = options.levels.min(MAX_ITERATIONS_IN_MEMORY);
    let map_size = landscape.size().map(|side| ((side - 1) << levels) + 1);
    let size = match options.region {
        Some(region) => [region.rows, region.columns],
        None => options.samples.of(map_size[0], map_size[1]),
    };
    let is_crop = options.region.is_none() && options.samples.is_crop(map_size[0], map_size[1]);
    let samples = |[rows, columns]: [usize; 2]| rows.saturating_mul(columns);
    let is_exact = options.region.is_none() && samples(map_size).max(samples(size)) <= MOST_SAMPLES;
    // The map on screen can stand for the ground unless it is subsampled or continues below by itself.
    let is_ground = landscape.size() == [shown.rows(), shown.columns()]
        && landscape.points.is_none()
        && (levels == 0 || !goes_on_as_itself(scene));
    let mut source = match is_exact && !is_ground {
        true => pieces::ground(&plan, inputs, job)?,
        false => HeightSource::Map(shown.clone()),
    };
    if is_exact {
        let snow = pieces::snow(&plan, &source, inputs, job)?;
        let plants = pieces::plants(&plan, &source, inputs, job)?;
        let both = (snow.as_ref(), plants.as_ref());
        source = pieces::fitted(&plan, source, both, job)?.source;
    }
    let mut excerpt = Excerpt::new(&source, options.flip);
    if is_exact {
        excerpt = excerpt.part(first_of(size))?;
    }
    let location = match is_crop {
        true => Location::whole(map_size[0], map_size[1]).of(first_of(size))?,
        false => Location::whole(size[0], size[1]),
    };
    let (span, range_of_map) = pieces::ranges(&plan, excerpt, inputs, job)?;
    let piece = Piece {
        earth: place_on_earth(scene, inputs, location),
        span,
        range_of_map,
        holes: pieces::holes(excerpt, None, job)?,
        flipped: options.flip,
        mesh: options.mesh,
        ..Piece::new(scene, &landscape.palette, &HEIGHTS, location, job)
    };
    let own = own_range(&excerpt, &piece, plan.formats(), job)?;
    let own = range_of_map.or(own).unwrap_or_default();
    let header = format.header(&piece, scene, size, own)?;
    let triangles = match (format.is_mesh(), options.mesh.detail) {
        (false, _) => None,
        (true, Detail::All) => Some(all_triangles(size)),
        (true, detail) => {
            let made = Triangulation::new(&*excerpt.whole(job)?, detail, job)?.triangles();
            Some(match (is_exact, options.region, detail) {
                (false, Some(region), Detail::Error(_)) => {
                    let part = samples([region.rows, region.columns]) as f64;
                    let part = part / samples(map_size) as f64;
                    ((made as f64 * part).ceil() as u64).min(all_triangles(size))
                }
                (false, ..) => made.min(all_triangles(size)),
                (true, ..) => made,
            })
        }
    };
    let metres = header.metres_per_unit();
    let steps = |levels| steps(&excerpt, header.range, levels, metres, job);
    Ok(Forecast {
        rows: format
            .lattice(&header)
            .map_or(size[0], |lattice| lattice.rows),
        columns: size[1],
        interpolated_from: (options.region.is_none() && map_size != size && !is_crop)
            .then_some(map_size),
        bytes: bytes(
            landscape, &source, &header, format, own, &options, triangles,
        )?,
        range: header.range,
        triangles,
        steps: format.levels.map(steps).transpose()?,
        scaling: Scaling::new(format, &header),
        is_exact,
    })
}

/// Number of triangles if every sample is a vertex.
fn all_triangles(size: [usize; 2]) -> u64 {
    let [rows, columns] = size.map(|side| (side as u64).saturating_sub(1));
    2 * rows * columns
}

/// Approximate file size in bytes, extrapolated from a band of rows that is really written.
fn bytes(
    landscape: &Landscape,
    source: &HeightSource,
    header: &Header<'_>,
    format: &Format,
    own: (f32, f32),
    options: &Options,
    triangles: Option<u64>,
) -> Result<u64, ExportError> {
    let piece = header.piece;
    // A band of rows from the middle of the map.
    let [all_rows, columns] = source.size();
    let rows = all_rows.min(BAND_ROWS);
    let band = Region {
        row: ((all_rows - rows) / 2) as u64,
        column: 0,
        rows,
        columns,
    };
    let band = source.part(band, piece.job)?;
    let level = level_of(&landscape.heights) + landscape.stride.ilog2() + options.levels;
    let is_deep = options.region.is_some() && options.levels > 0 && level > Refinement::SINGLE_TO;
    // GDAL is too slow to be started at every move of a slider: its input is measured instead.
    let format = match format.name {
        "cog" => Format::named("tiff").unwrap_or(format),
        _ => format,
    };
    let length = |map| length(map, piece, format, own, is_deep);
    let written = length(&band)?;
    // The fixed part of a file, such as the scene, must not be scaled with the number of rows. A format
    // without files this small has only a small fixed part.
    let least = Heightmap::new(2, 2, false, vec![band.at(0, 0); 4]);
    let fixed = length(&least).unwrap_or(0);
    let fixed = fixed.min(written);
    let size = [header.rows, header.columns];
    let share = (size[0] * size[1]) as f64 / (band.rows() * band.columns()) as f64;
    let all = all_triangles(size);
    let share = match triangles {
        Some(some) if all > 0 => share * some as f64 / all as f64,
        _ => share,
    };
    Ok(fixed + ((written - fixed) as f64 * share) as u64)
}

/// File size of a map in bytes, written like the piece; `is_deep` if its heights have 64 bits.
fn length(
    map: &Heightmap,
    piece: &Piece<'_>,
    format: &Format,
    own: (f32, f32),
    is_deep: bool,
) -> Result<u64, ExportError> {
    let [rows, columns] = [map.rows(), map.columns()];
    let piece = Piece {
        location: Location::whole(rows, columns),
        above: 0.0,
        stored: None,
        exact: is_deep.then(|| Arc::new(Grid::filled(rows, columns, 0.0))),
        earth: None,
        // The band has no holes; a file with holes is as large or smaller.
        holes: None,
        ..*piece
    };
    let header = format.header(&piece, piece.scene, [rows, columns], own)?;
    write(map, &header, format).map_err(|source| ExportError::Write {
        source,
        path: std::env::temp_dir(),
    })
}

/// Write a map to an unnamed temporary file and return its length.
fn write(map: &Heightmap, header: &Header<'_>, format: &Format) -> io::Result<u64> {
    let file = tempfile::tempfile()?;
    let sink = BufWriter::new(file.try_clone()?);
    match &format.content {
        Content::Rows(begin) => {
            let mut writer = begin(header, sink)?;
            (0..map.rows()).try_for_each(|row| writer.row(map.row(row)))?;
            writer.finish()?;
        }
        Content::Whole(write) => write(map, header, sink)?,
        Content::Mesh(content) => {
            let mesh = Triangulation::new(map, Detail::All, header.piece.job);
            let file = MeshFile {
                mesh: &mesh.map_err(io::Error::other)?,
                header,
                beside: &[],
            };
            (content.write)(&file, sink)?;
        }
    }
    Ok(file.metadata()?.len())
}

/// Measure the quantization of heights to `levels` steps over a range.
fn steps(
    rows: &dyn RowSource,
    (low, high): (f32, f32),
    levels: u32,
    metres_per_unit: f64,
    job: &Job,
) -> Result<Steps, ExportError> {
    let mut seen = vec![false; levels as usize + 1];
    let quantizer = quantizer((low, high), levels);
    let mut steps = Vec::new();
    let passed = rows.each_row(&job.part(), &mut |row| {
        quantizer.fill(row, &mut steps);
        steps
            .iter()
            .for_each(|step| seen[usize::from(*step)] = true);
        Ok(())
    });
    if let Err(StreamError::Cancelled(cancelled)) = passed {
        return Err(cancelled.into());
    }
    let height = (f64::from(high) - f64::from(low)) / f64::from(levels);
    Ok(Steps {
        used: seen.iter().filter(|seen| **seen).count() as u32,
        of: levels + 1,
        metres: height * metres_per_unit,
    })
}

/// Quantize a map to `levels` steps over a range and convert it back to heights. Cost: one pass.
#[must_use]
pub fn stepped(map: &Heightmap, range: (f32, f32), levels: u32) -> Heightmap {
    let low = f64::from(range.0);
    let height = (f64::from(range.1) - low) / f64::from(levels);
    let steps = quantizer(range, levels);
    let heights: Vec<f32> = steps
        .steps(map.heights())
        .into_iter()
        .map(|step| (low + f64::from(step) * height) as f32)
        .collect();
    let stepped = Heightmap::new(map.rows(), map.columns(), map.wraps(), heights);
    stepped.with_valid(map.valid().cloned())
}

fn quantizer(range: (f32, f32), levels: u32) -> Quantizer {
    Quantizer::new(range, u16::try_from(levels).unwrap_or(u16::MAX))
}
