//! What a file will be like, told from the map on screen before it is written.

use std::io::{self, BufWriter};

use super::raw::Quantizer;
use super::request::Request;
use super::rows::Work;
use super::{Content, ExportError, Format, Header, MeshContent, Options, Place, Scaling, Span};
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
    /// Of meshes the triangles of the ground, as far as the map is shown.
    pub triangles: Option<u64>,
    /// Of formats with whole numbers what becomes of the heights.
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
/// `stride`-th sample. Cost: some passes over it, and a little of it is written.
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
    let full = |side: usize| (side - 1) * stride + 1;
    let [rows, columns] = options.samples.of(full(map.rows()), full(map.columns()));
    let work = Work {
        scene,
        palette,
        span: options.span,
        own: None,
        flipped: options.flip,
        finer: None,
        whole: None,
        mesh: options.mesh,
        place: Place::whole(rows as u64, columns as u64),
        earth: None,
        map: &HEIGHTS,
        request: Request::new(options),
        job,
    };
    let own = match options.span {
        Span::Heights(..) | Span::MetresBetween(..) => (0.0, 0.0),
        _ => map.range(),
    };
    let header = work.header(format, [rows, columns], own)?;
    let band = band(map);
    let size = [band.rows(), band.columns()];
    let of_band = Header {
        place: Place::whole(size[0] as u64, size[1] as u64),
        ..work.header(format, size, own)?
    };
    let written = length(&band, &of_band, format).map_err(|source| ExportError::Write {
        source,
        path: std::env::temp_dir(),
    })?;
    // What a file has whatever its size, such as the scene, is in it once. A format that has no
    // file so small has little of that.
    let least = Heightmap::new(2, 2, false, vec![own.0; 4]);
    let fixed = work.header(format, [2, 2], own).map_or(0, |header| {
        let header = Header {
            place: Place::whole(2, 2),
            ..header
        };
        length(&least, &header, format).unwrap_or(0)
    });
    let fixed = fixed.min(written);
    let share = (rows * columns) as f64 / (band.rows() * band.columns()) as f64;
    let metres = header.metres_per_unit();
    let all = 2 * (rows as u64 - 1) * (columns as u64 - 1);
    let triangles = match options.mesh.detail {
        _ if !format.mesh => None,
        Detail::All => Some(all),
        detail => Some(Triangulation::new(map, detail, job)?.triangles()),
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

/// Bytes of the map's file.
fn length(map: &Heightmap, header: &Header<'_>, format: &Format) -> io::Result<u64> {
    let file = tempfile::tempfile()?;
    let sink = BufWriter::new(file.try_clone()?);
    match format.content {
        Content::Rows { begin } => {
            let mut writer = begin(header, sink)?;
            (0..map.rows()).try_for_each(|row| writer.row(map.row(row)))?;
            writer.finish()?;
        }
        Content::Whole(write) => write(map, header, sink)?,
        Content::Mesh(MeshContent { write, .. }) => {
            let mesh = Triangulation::new(map, Detail::All, header.job);
            write(&mesh.map_err(io::Error::other)?, header, &[], sink)?;
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
