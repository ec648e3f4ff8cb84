//! What a file will be like, told from the map on screen before it is written.

use std::io::{self, BufWriter};
use std::sync::Arc;

use super::ExportError;
use super::engines::Scaling;
use super::format::{Content, Format};
use super::header::Header;
use super::location::Location;
use super::options::Options;
use super::piece::Piece;
use super::raw::Quantizer;
use super::values::Span;
use crate::fractal::refinement::{Refinement, level_of};
use crate::generate::MAX_ITERATIONS_IN_MEMORY;
use crate::grid::Grid;
use crate::heightmap::Heightmap;
use crate::job::Job;
use crate::maps::HEIGHTS;
use crate::mesh::{Detail, Triangulation};
use crate::scene::Scene;
use crate::texture::Palette;

/// A file as it will be.
#[derive(Clone, Debug, PartialEq)]
pub struct Forecast {
    /// Rows of samples.
    pub rows: usize,
    /// Columns of samples.
    pub columns: usize,
    /// About how many bytes it takes.
    pub bytes: u64,
    /// The heights of the lowest and the highest number.
    pub range: (f32, f32),
    /// The triangles of the ground in a mesh, as far as the map is shown.
    pub triangles: Option<u64>,
    /// What becomes of the heights in formats with whole numbers.
    pub steps: Option<Steps>,
    /// Its true size.
    pub scaling: Scaling,
}

/// Heights as whole numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steps {
    /// Different numbers that occur.
    pub used: u32,
    /// Different numbers that the format has.
    pub of: u32,
    /// Metres from one to the next.
    pub metres: f64,
}

/// The forecast of a file in `format` of a map that is shown as `map`, of which that has every
/// `stride`-th sample. Of a region it knows the size; the range is that of the map. Cost: some passes over it, and a little of it is written.
///
/// # Errors
/// The options do not suit the map, or there is no place for a temporary file.
pub fn forecast(
    map: &Heightmap,
    stride: usize,
    scene: &Scene,
    palette: &Palette,
    format: &'static Format,
    options: Options,
    job: &Job,
) -> Result<Forecast, ExportError> {
    let full =
        |side: usize| (((side - 1) * stride) << options.levels.min(MAX_ITERATIONS_IN_MEMORY)) + 1;
    let [rows, columns] = match options.region {
        Some(region) => [region.rows, region.columns],
        None => options.samples.of(full(map.rows()), full(map.columns())),
    };
    let piece = Piece {
        scene,
        palette,
        map: &HEIGHTS,
        location: Location::whole(rows, columns),
        above: 0.0,
        exact: None,
        earth: None,
        span: options.span,
        range_of_map: None,
        flipped: options.flip,
        mesh: options.mesh,
        finer: None,
        covers: [None; 2],
        whole: None,
        job,
    };
    let own = match options.span {
        Span::Heights(..) | Span::MetresBetween(..) => (0.0, 0.0),
        _ => map.range(),
    };
    let header = format.header(&piece, scene, [rows, columns], own)?;
    let band = band(map);
    let level = level_of(map) + stride.ilog2() + options.levels;
    let is_deep = options.region.is_some() && options.levels > 0 && level > Refinement::SINGLE_TO;
    let length = |map| length(map, &piece, format, own, is_deep);
    let written = length(&band)?;
    // What a file has whatever its size, such as the scene, is in it once. A format that has no
    // file so small has little of that.
    let least = Heightmap::new(2, 2, false, vec![own.0; 4]);
    let fixed = length(&least).unwrap_or(0);
    let fixed = fixed.min(written);
    let share = (rows * columns) as f64 / (band.rows() * band.columns()) as f64;
    let metres = header.metres_per_unit();
    let all = 2 * (rows as u64).saturating_sub(1) * (columns as u64).saturating_sub(1);
    let triangles = match options.mesh.detail {
        _ if !format.is_mesh() => None,
        Detail::All => Some(all),
        detail => {
            let made = Triangulation::new(map, detail, job)?.triangles();
            let whole = full(map.rows()) as f64 * full(map.columns()) as f64;
            let part = match (options.region, detail) {
                (Some(region), Detail::Error(_)) => (region.rows * region.columns) as f64 / whole,
                _ => 1.0,
            };
            Some(((made as f64 * part).ceil() as u64).min(all))
        }
    };
    let share = match triangles {
        Some(some) if all > 0 => share * some as f64 / all as f64,
        _ => share,
    };
    Ok(Forecast {
        rows,
        columns,
        bytes: fixed + ((written - fixed) as f64 * share) as u64,
        range: header.range,
        triangles,
        steps: (format.levels).map(|levels| steps(map, header.range, levels, metres)),
        scaling: Scaling::new(format, &header),
    })
}

/// Some rows from the middle of the map.
fn band(map: &Heightmap) -> Heightmap {
    const ROWS: usize = 96;
    let rows = map.rows().min(ROWS);
    let first = (map.rows() - rows) / 2;
    let heights = &map.heights()[first * map.columns()..][..rows * map.columns()];
    Heightmap::new(rows, map.columns(), false, heights.to_vec())
}

/// Bytes of the file of a map, written as the piece is; `is_deep` if its heights have 64 bits.
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
        exact: is_deep.then(|| Arc::new(Grid::filled(rows, columns, 0.0))),
        earth: None,
        ..*piece
    };
    let header = format.header(&piece, piece.scene, [rows, columns], own)?;
    bytes(map, &header, format).map_err(|source| ExportError::Write {
        source,
        path: std::env::temp_dir(),
    })
}

fn bytes(map: &Heightmap, header: &Header<'_>, format: &Format) -> io::Result<u64> {
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
            (content.write)(&mesh.map_err(io::Error::other)?, header, &[], sink)?;
        }
    }
    Ok(file.metadata()?.len())
}

/// What becomes of the heights between `low` and `high` as whole numbers up to `levels`.
fn steps(map: &Heightmap, (low, high): (f32, f32), levels: u32, metres_per_unit: f64) -> Steps {
    let mut seen = vec![false; levels as usize + 1];
    for step in quantizer((low, high), levels).steps(map.heights()) {
        seen[usize::from(step)] = true;
    }
    let height = (f64::from(high) - f64::from(low)) / f64::from(levels);
    Steps {
        used: seen.iter().filter(|seen| **seen).count() as u32,
        of: levels + 1,
        metres: height * metres_per_unit,
    }
}

/// A map as whole numbers up to `levels` over a range of heights give it back. Cost: a pass.
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
    Heightmap::new(map.rows(), map.columns(), map.wraps(), heights)
}

fn quantizer(range: (f32, f32), levels: u32) -> Quantizer {
    Quantizer::new(range, u16::try_from(levels).unwrap_or(u16::MAX))
}
