//! Result of an export, and notices for the user about it.

use super::format::Format;
use super::georeference::system_of;
use super::heights::Location;
use super::options::Options;
use super::registry::{ENGINES, Engine, Resolution};
use super::row_source::check_finite;
use crate::pipeline;
use crate::pipeline::inputs::Inputs;
use crate::scene::Scene;
use crate::terrain::geo::parse_crs;
use crate::util::language::tr;

/// Summary of the written files.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Written {
    /// Number of rows; with tiles, of the whole map.
    pub rows: usize,
    /// Number of columns; with tiles, of the whole map.
    pub columns: usize,
    /// Rows and columns of each file.
    pub file: [usize; 2],
    /// Rows and columns of the map before resampling; `None` if not resampled.
    pub resampled_from: Option<[usize; 2]>,
    /// Lowest and highest number; heights are in half tiles. `None` for colours.
    pub range: Option<(f32, f32)>,
    /// Number of samples outside the requested range, which were clamped to its ends in formats with
    /// whole numbers. Tiles are counted together.
    pub clipped: u64,
}

impl Written {
    /// Summary of a map of this size, before its numbers are known.
    pub(super) fn of_size([rows, columns]: [usize; 2]) -> Self {
        Self {
            rows,
            columns,
            file: [rows, columns],
            resampled_from: None,
            range: None,
            clipped: 0,
        }
    }

    /// Add a tile to the summary.
    pub(super) fn add(&mut self, tile: &Self) {
        let wider = |a: (f32, f32), b: (f32, f32)| (a.0.min(b.0), a.1.max(b.1));
        self.range = match (self.range, tile.range) {
            (Some(range), Some(more)) => Some(wider(range, more)),
            (range, more) => range.or(more),
        };
        self.clipped += tile.clipped;
        self.file = tile.file;
    }

    /// Notices for the user, one line each.
    pub fn notices(&self) -> impl Iterator<Item = String> {
        let resampled = self.resampled_from.map(|[rows, columns]| {
            tr!(
                "resampled from {columns} × {rows} to {} × {} samples",
                self.columns,
                self.rows,
                columns,
                rows
            )
        });
        let clipped = self.clipped;
        let clipped = (clipped > 0).then(|| {
            tr!("1 sample was outside the range and has been clamped to it"
                | "{n} samples were outside the range and have been clamped to it" % clipped)
        });
        resampled.into_iter().chain(clipped)
    }
}

/// Notice that the range of the whole map must be searched first, which takes seconds to hours.
#[must_use]
pub fn notice_of_search(scene: &Scene, formats: &[&Format], options: &Options) -> Option<String> {
    /// Iterations up to which the search is too short for a notice.
    const MOMENT: u32 = 14;
    let ground = pipeline::surface_of(scene);
    let is_map = !formats.iter().any(|format| format.is_mesh());
    let needs_range = formats.iter().any(|f| options.span.needs_range(f.levels));
    let level = ground.iterations.saturating_add(options.levels);
    let is_fine = pipeline::goes_on_as_itself(scene) || options.levels > 0;
    if !is_map || !needs_range || !is_fine || level <= MOMENT {
        return None;
    }
    let side = (1_usize << level.min(63)) + 1;
    check_finite(Location::whole(side, side)).ok()?;
    Some(tr!(
        "finding the lowest and the highest of all {side} × {side} samples first; --range \
         LOW,HIGH avoids this",
        side
    ))
}

/// Notice that the size fits an engine but the shape does not: all engines with preferred sizes take
/// square heightfields.
#[must_use]
pub fn notice_of_size(samples: Resolution, [rows, columns]: [usize; 2]) -> Option<String> {
    let is_it = |engine: &&Engine| engine.samples != Resolution::AsIs && engine.samples == samples;
    let engine = ENGINES.iter().find(is_it).filter(|_| rows != columns)?;
    Some(tr!(
        "{columns} × {rows} samples keep the map's shape, but {} needs a square map: cut one with \
         --region, or several with --tiles",
        engine.name,
        columns,
        rows
    ))
}

/// Notice that coordinates are not converted, if the system differs from that of the input and no origin
/// is given.
#[must_use]
pub fn notice_of_place(scene: &Scene, inputs: &Inputs) -> Option<String> {
    let surface = pipeline::surface_of(scene);
    let known = inputs.images.of(&surface).ok()?.place.as_ref();
    let known = known.filter(|_| surface.takes_image())?;
    let code = parse_crs(&scene.surface.crs).ok().flatten()?;
    let has_origin = !scene.surface.origin.is_empty();
    if has_origin || known.keys.epsg() == Some(code) {
        return None;
    }
    let is_same = system_of(code).is_ok_and(|(_, unit, _)| unit == known.unit);
    Some(if is_same {
        tr!(
            "coordinates are not converted: those of the input are written as they are, as \
             EPSG:{code}",
            code
        )
    } else {
        tr!(
            "coordinates are not converted: without --origin the map lies at 0, 0 of EPSG:{code}",
            code
        )
    })
}
