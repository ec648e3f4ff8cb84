//! A map cut into tiles, each a file of its own.

use std::path::{Path, PathBuf};

use super::rows::{Work, write};
use super::target::Target;
use super::{ExportError, Options, RowSource, earth, format_of, maps};
use crate::fractal::region::Region;
use crate::generate::{GenerateError, Inputs};
use crate::job::Job;
use crate::maps::HEIGHTS;
use crate::scene::Scene;

/// How a map is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tiles {
    /// Tiles from north to south.
    pub rows: u32,
    /// Tiles from west to east.
    pub columns: u32,
    /// Whether neighbours share the samples on their border. If not, the map's last row and
    /// column are in no tile: of a wrapped map they are its first.
    pub overlap: bool,
}

impl Tiles {
    /// The name of every tile's file, row by row: `{row}` and `{column}` become its place.
    pub fn files(self, pattern: &Path) -> impl Iterator<Item = PathBuf> {
        let text = pattern.to_string_lossy().into_owned();
        self.places().map(move |(row, column)| {
            let name = text.replace("{row}", &row.to_string());
            PathBuf::from(name.replace("{column}", &column.to_string()))
        })
    }

    /// Row and column of every tile.
    pub(super) fn places(self) -> impl Iterator<Item = (u32, u32)> {
        (0..self.rows).flat_map(move |row| (0..self.columns).map(move |column| (row, column)))
    }

    /// The rectangle of one tile of a map of so many samples.
    pub(super) fn region(self, row: u32, column: u32, samples: [u64; 2]) -> Region {
        let cells = [
            (samples[0] - 1) / u64::from(self.rows),
            (samples[1] - 1) / u64::from(self.columns),
        ];
        let side = cells.map(|cells| (cells + u64::from(self.overlap)) as usize);
        Region {
            row: u64::from(row) * cells[0],
            column: u64::from(column) * cells[1],
            rows: side[0],
            columns: side[1],
        }
    }

    pub(super) fn check(self, samples: [u64; 2]) -> Result<(), ExportError> {
        let fits = |tiles: u32, samples: u64| {
            let cells = samples - 1;
            tiles > 0 && u64::from(tiles) <= cells && cells.is_multiple_of(u64::from(tiles))
        };
        if fits(self.rows, samples[0]) && fits(self.columns, samples[1]) {
            return Ok(());
        }
        Err(ExportError::Tiles {
            tiles: format!("{}x{}", self.rows, self.columns),
            rows: samples[0] - 1,
            columns: samples[1] - 1,
        })
    }
}

/// Writes a map as tiles: `{row}` and `{column}` in the file name become the tile's place, from 0
/// in the north-west. All tiles of formats with whole numbers have one range, the map's or the
/// one given, so that they join without a step. A tile is there when it is
/// complete; after an error those before it stay.
///
/// # Errors
/// As [`super::heightmaps`]; the tiles do not divide the map, or the name has no place for them.
pub fn tiles(
    pattern: &Path,
    scene: &Scene,
    inputs: &Inputs,
    options: Options,
    tiles: Tiles,
    job: &Job,
) -> Result<(), ExportError> {
    let text = pattern.to_string_lossy();
    if (tiles.rows > 1 && !text.contains("{row}"))
        || (tiles.columns > 1 && !text.contains("{column}"))
    {
        return Err(ExportError::TileName {
            path: pattern.to_owned(),
        });
    }
    if let Some(map) = maps::other_than_heights(&options) {
        return maps::tiles(pattern, map, scene, inputs, options, tiles, job);
    }
    let format = options.format.map_or_else(|| format_of(pattern), Ok)?;
    if format.mesh {
        return Err(ExportError::RegionOfMesh {
            format: format.name,
        });
    }
    super::check_detail(&options, &[format])?;
    if options.flip && format.says_north {
        return Err(ExportError::Flip {
            format: format.name,
        });
    }
    let source = RowSource::of_any_size(scene, inputs, job)?;
    let samples = [source.rows() as u64, source.columns() as u64];
    tiles.check(samples)?;
    let span = super::span_of(&options, scene, inputs);
    let own = match span.needs_range(format.levels) {
        true => Some(source.range(job).map_err(GenerateError::from)?),
        false => None,
    };
    let palette = inputs.palette(&scene.view.palette)?;
    let count = (tiles.rows * tiles.columns) as usize;
    for (index, ((row, column), path)) in tiles.places().zip(tiles.files(pattern)).enumerate() {
        let job = &job.share(index, count);
        let (part, place) = source.part(tiles.region(row, column, samples), job)?;
        let part = if options.flip { part.flipped() } else { part };
        let work = Work {
            scene,
            palette: &palette,
            span,
            own,
            flipped: options.flip,
            finer: None,
            mesh: options.mesh,
            earth: earth::of(scene, inputs, place),
            place,
            map: &HEIGHTS,
            job,
        };
        write(&part, &[format], vec![Target::create(&path)?], &work)?;
    }
    Ok(())
}
