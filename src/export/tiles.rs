//! A map cut into tiles, each a file of its own.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::names::{filled, names};
use super::request::Request;
use super::rows::{Work, write};
use super::target::Target;
use super::{
    ExportError, Options, RowSource, Samples, Written, check_paths, earth, format_of, maps,
};
use crate::fractal::region::Region;
use crate::inputs::Inputs;
use crate::job::Job;
use crate::maps::HEIGHTS;
use crate::scene::Scene;

/// How a map is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Tiles {
    /// Tiles from north to south.
    pub rows: u32,
    /// Tiles from west to east.
    pub columns: u32,
    /// Whether neighbours share the samples on their border. If not, the map's last row and
    /// column are in no tile: of a wrapped map they are its first.
    pub overlap: bool,
}

impl Written {
    /// Of a map of so many rows and columns, before the first of its tiles.
    pub(super) fn none([rows, columns]: [u64; 2]) -> Self {
        Self {
            rows: rows as usize,
            columns: columns as usize,
            range: None,
            clipped: 0,
        }
    }

    /// Counts a tile in.
    pub(super) fn add(&mut self, tile: &Self) {
        let wider = |a: (f32, f32), b: (f32, f32)| (a.0.min(b.0), a.1.max(b.1));
        self.range = match (self.range, tile.range) {
            (Some(range), Some(more)) => Some(wider(range, more)),
            (range, more) => range.or(more),
        };
        self.clipped += tile.clipped;
    }
}

impl Tiles {
    /// The name of every tile's file, row by row: `{row}` and `{column}` become its place.
    pub fn files(self, pattern: &Path) -> impl Iterator<Item = PathBuf> {
        self.places().map(move |place| self.file(pattern, place))
    }

    /// The name of a tile's file.
    pub(super) fn file(self, pattern: &Path, (row, column): (u32, u32)) -> PathBuf {
        let (row, column) = (row.to_string(), column.to_string());
        filled(pattern, &[("row", &row), ("column", &column)])
    }

    /// Refuses a name that several tiles would have.
    pub(super) fn check_name(self, pattern: &Path) -> Result<(), ExportError> {
        let is_missing = |tiles: u32, word: &str| tiles > 1 && !names(pattern, word);
        match is_missing(self.rows, "row") || is_missing(self.columns, "column") {
            true => Err(ExportError::TileName {
                path: pattern.to_owned(),
            }),
            false => Ok(()),
        }
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

    /// Rows and columns of every tile of what was written.
    #[must_use]
    pub fn size(self, written: &Written) -> [usize; 2] {
        let tile = self.region(0, 0, [written.rows as u64, written.columns as u64]);
        [tile.rows, tile.columns]
    }

    /// The map that is cut, with as many samples as its tiles are to have: of every tile that is
    /// what `samples` makes of an even share of the map. Other sizes are interpolated, in memory.
    ///
    /// # Errors
    /// The tiles do not divide the map as it is, or there is too little memory.
    pub(super) fn fitted(
        self,
        source: RowSource,
        samples: Samples,
        job: &Job,
    ) -> Result<RowSource, ExportError> {
        let size = [source.rows(), source.columns()];
        if samples == Samples::AsIs {
            self.check(size.map(|side| side as u64))?;
            return Ok(source);
        }
        let (tiles, overlap) = ([self.rows, self.columns], usize::from(self.overlap));
        let share = |axis: usize| {
            let cells = (size[axis] - 1) as f64 / f64::from(tiles[axis]);
            (cells.round() as usize).max(1) + overlap
        };
        let of_tile = samples.of(share(0), share(1));
        let wanted = [0, 1].map(|axis| {
            let cells = of_tile[axis].saturating_sub(overlap).max(1);
            cells.saturating_mul(tiles[axis] as usize).saturating_add(1)
        });
        match wanted == size {
            true => Ok(source),
            false => source.resampled(wanted, job),
        }
    }

    fn check(self, samples: [u64; 2]) -> Result<(), ExportError> {
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
/// one given, so that they join without a step. Tiles of meshes lie where they do in the map, with
/// its light and colours, and keep every sample of their border. A tile is there when it is
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
) -> Result<Written, ExportError> {
    tiles.check_name(pattern)?;
    if let Some(map) = maps::other_than_heights(&options) {
        return maps::tiles(pattern, map, scene, inputs, options, tiles, job);
    }
    let format = options.format.map_or_else(|| format_of(pattern), Ok)?;
    super::check_detail(&options, &[format])?;
    if options.flip && format.says_north {
        return Err(ExportError::Flip {
            format: format.name,
        });
    }
    check_paths(&[pattern], scene, inputs, &options, Some(tiles))?;
    let source = match format.mesh {
        // Light and colours of a part need its neighbours.
        true => RowSource::new(scene, inputs, true, job)?,
        false => RowSource::of_any_size(scene, inputs, job)?,
    };
    let source = tiles.fitted(source, options.samples, job)?;
    let samples = [source.rows() as u64, source.columns() as u64];
    let span = super::span_of(&options, scene, inputs);
    let own = match format.mesh || span.needs_range(format.levels) {
        true => Some(source.range_of_all(job)?),
        false => None,
    };
    let palette = inputs.palette(&scene.view.palette)?;
    let mut written = Written::none(samples);
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
            whole: source.map().filter(|_| format.mesh),
            mesh: options.mesh,
            earth: earth::of(scene, inputs, place),
            place,
            map: &HEIGHTS,
            request: Request::new(options).of_tile(tiles, (row, column)),
            job,
        };
        written.add(&write(
            &part,
            &[format],
            vec![Target::create(&path)?],
            &work,
        )?);
    }
    Ok(written)
}
