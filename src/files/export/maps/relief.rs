//! Relief of an excerpt, one band of rows at a time. The heights come from the map in memory, or are
//! generated for the band with a margin of one sample.

use crate::files::export::excerpt::Excerpt;
use crate::files::export::fine::Rectangles;
use crate::files::export::heights::HeightSource;
use crate::fractal::region::Region;
use crate::generate::GenerateError;
use crate::shading::maps::Relief;
use crate::terrain::heightmap::Heightmap;
use crate::util::job::Job;

/// Samples of a band: large enough that the margin costs little.
const BAND_SAMPLES: usize = 4 << 20;

/// Pass the relief of an excerpt to `each`, one band of rows at a time, north first.
pub fn each_band<E: From<GenerateError>>(
    excerpt: &Excerpt<'_>,
    tile_size_m: f32,
    job: &Job,
    each: &mut dyn FnMut(&Relief<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let Region { rows, columns, .. } = excerpt.region;
    let at_once = (BAND_SAMPLES / columns).max(16);
    let spacing = 2.0 / excerpt.location.cells.max(1) as f32;
    for first in (0..rows).step_by(at_once) {
        job.check().map_err(GenerateError::from)?;
        let band = Region {
            row: excerpt.region.row + first as u64,
            rows: at_once.min(rows - first),
            ..excerpt.region
        };
        match excerpt.source {
            HeightSource::Stream(subdivision) => {
                let (map, band) = with_margin(&**subdivision, band, &job.part())?;
                each(&Relief::new(&map, band, spacing, tile_size_m))?;
            }
            HeightSource::Fine(fine) => {
                let (map, band) = with_margin(&**fine, band, &job.part())?;
                each(&Relief::new(&map, band, spacing, tile_size_m))?;
            }
            HeightSource::Map(map) => {
                each(&Relief::new(map, band, spacing, tile_size_m))?;
            }
        }
        job.advance((first + band.rows) as u64, rows as u64);
    }
    Ok(())
}

/// Heights of a rectangle with a margin of one sample on every side, except where a map that does not
/// wrap ends. Also returns the location of the rectangle within them.
fn with_margin(
    from: &dyn Rectangles,
    region: Region,
    job: &Job,
) -> Result<(Heightmap, Region), GenerateError> {
    let [height, width] = from.size().map(|side| side as u64);
    let wraps = from.wraps();
    let (rows, north) = runs(region.row, region.rows, height, wraps);
    let (columns, west) = runs(region.column, region.columns, width, wraps);
    let total = |runs: &[Run]| runs.iter().map(|run| run.count).sum();
    let (height, width): (usize, usize) = (total(&rows), total(&columns));
    let mut heights = vec![0.0; height * width];
    for down in &rows {
        for across in &columns {
            let part = Region {
                row: down.first,
                column: across.first,
                rows: down.count,
                columns: across.count,
            };
            let part = from.rectangle(part, job)?;
            for row in 0..down.count {
                let into = &mut heights[(down.at + row) * width + across.at..][..across.count];
                into.copy_from_slice(part.row(row));
            }
        }
    }
    let within = Region {
        row: north as u64,
        column: west as u64,
        ..region
    };
    Ok((Heightmap::new(height, width, false, heights), within))
}

/// Consecutive samples of a map, and the position where they are stored.
struct Run {
    at: usize,
    first: u64,
    count: usize,
}

/// Runs that cover `count` samples from `first` with a margin of one at either end. The margin continues
/// round a map that wraps and is missing where a map ends. Also returns the number of samples before
/// `first`.
fn runs(first: u64, count: usize, all: u64, wraps: bool) -> (Vec<Run>, usize) {
    let after = first + count as u64;
    let mut runs = Vec::new();
    if first == 0 && wraps {
        // The last sample repeats the first, so its neighbour is the one before.
        runs.push(Run {
            at: 0,
            first: all - 2,
            count: 1,
        });
    }
    let at = runs.len();
    let start = first.saturating_sub(1);
    let end = (after + 1).min(all);
    runs.push(Run {
        at,
        first: start,
        count: (end - start) as usize,
    });
    if after == all && wraps {
        runs.push(Run {
            at: at + (end - start) as usize,
            first: 1,
            count: 1,
        });
    }
    let before = usize::from(first > 0 || wraps);
    (runs, before)
}
