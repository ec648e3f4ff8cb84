//! Errors of exports.

use std::io;
use std::path::{Path, PathBuf};

use super::names::is_standard_output;
use crate::files::import::{ImportError, reason};
use crate::generate::GenerateError;
use crate::terrain::mesh::simplify::SimplifyError;
use crate::util::job::Cancelled;
use crate::util::language::tr;
use crate::util::words::named;

/// Reason for a failed export.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The map could not be generated, or the job was cancelled.
    #[error(transparent)]
    Generate(#[from] GenerateError),
    /// An input of the scene could not be read.
    #[error(transparent)]
    Input(#[from] ImportError),
    /// Unknown palette.
    #[error(transparent)]
    UnknownName(#[from] crate::util::param::UnknownName),
    /// A write failed.
    #[error("{}", tr!("cannot write: {}: {}", reason(source), named(path)))]
    Write {
        /// The system's error.
        source: io::Error,
        /// The file.
        path: PathBuf,
    },
    /// The output path is not a regular file.
    #[error("{}", tr!("the output is {what}; allowed: a file, or - for standard output: {}",
        named(path), what = tr(what)))]
    Output {
        /// Kind of object at the path.
        what: &'static str,
        /// The path.
        path: PathBuf,
    },
    /// Two outputs have the same path.
    #[error("{}", tr!("two files have the same name: {}", named(path)))]
    OneName {
        /// The path.
        path: PathBuf,
    },
    /// A file that Landform did not write, or that was changed since, would be replaced.
    #[error("{}", tr!("the file exists and is not from Landform, or has been changed since: {}",
        named(path)))]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// A folder that Landform did not write would be written into.
    #[error("{}", tr!("the folder is not empty and is not from Landform: {}", named(path)))]
    ForeignFolder {
        /// The folder.
        path: PathBuf,
    },
    /// The engine does not take this size.
    #[error("{}", tr!("{engine} takes {allowed} samples a side, not {samples}",
        engine, allowed, samples))]
    EngineSize {
        /// Name of the engine.
        engine: &'static str,
        /// Requested number of samples.
        samples: usize,
        /// Sizes that it takes.
        allowed: String,
    },
    /// The engine takes square maps only, or the map is a profile.
    #[error("{}", tr!(
        "the map has {columns} × {rows} samples, but {engine} needs a square one: cut it with --region or --tiles",
        engine, columns, rows))]
    EngineShape {
        /// Name of the engine.
        engine: &'static str,
        /// Columns of the map.
        columns: usize,
        /// Rows of the map.
        rows: usize,
    },
    /// Standard output has no file name that determines the format.
    #[error("{}", tr!("`-` is standard output and needs --format"))]
    NoFormat,
    /// Unknown file name extension.
    #[error("{}", tr!("unknown file type `{extension}`; allowed: {allowed}: {}",
        named(path), extension, allowed))]
    UnknownFormat {
        /// The extension.
        extension: String,
        /// Known formats.
        allowed: String,
        /// The file.
        path: PathBuf,
    },
    /// The region reaches beyond the map.
    #[error("{}", tr!(
        "the region is {region}; allowed: within the map of {columns} × {rows} samples",
        region, columns, rows))]
    Region {
        /// The region, X,Y,W,H.
        region: String,
        /// Columns of the map.
        columns: u64,
        /// Rows of the map.
        rows: u64,
    },
    /// Too many levels below the map.
    #[error("{}", tr!("levels are {levels}, allowed below the map's level {base} is 0 to {most}",
        levels, base, most))]
    Levels {
        /// Requested number of levels.
        levels: u32,
        /// Level of the map.
        base: u32,
        /// Maximum number of levels below it.
        most: u32,
    },
    /// The levels are too deep for heights of 64 bits.
    #[error("{}", tr!(
        "level {level} needs heights of more than 64 bits; allowed: down to level {deepest} with \
         this H", level, deepest))]
    Precision {
        /// Requested level.
        level: u32,
        /// Deepest possible level.
        deepest: u32,
    },
    /// Unknown coordinate reference system.
    #[error("{}", tr!("cannot write coordinates of EPSG:{code}: {reason}", code, reason))]
    System {
        /// EPSG code.
        code: u16,
        /// Reason that it is unknown.
        reason: String,
    },
    /// Levels were requested for a profile, which has none.
    #[error("{}", tr!("a ridge line has no levels below it; use more iterations"))]
    LevelsOfProfile,
    /// The map needs heights of 32 bits, and the region is too deep for them.
    #[error("{}", tr!(
        "`{map}` is computed from 32-bit heights, which reach down to level {most}; the region is \
         at level {level}", map, most, level))]
    TooDeep {
        /// Name of the map.
        map: &'static str,
        /// Level of the region.
        level: u32,
        /// Deepest possible level.
        most: u32,
    },
    /// The number of tiles does not divide the map.
    #[error("{}", tiles_words(tiles, *cells, *samples))]
    Tiles {
        /// Requested tiles, ROWSxCOLUMNS.
        tiles: String,
        /// Cells of the map, north to south and west to east.
        cells: [u64; 2],
        /// Samples of the map; present if it does not wrap, since they can be divided as well then.
        samples: Option<[u64; 2]>,
    },
    /// The file name lacks the placeholders for tiles.
    #[error("{}", tr!("tiles need {{row}} and {{column}} in their name: {}", named(path)))]
    TileName {
        /// The file name.
        path: PathBuf,
    },
    /// The height range in metres exceeds the number of steps of the format.
    #[error("{}", tr!("the map is {metres} m high; one step per metre allows at most {levels} m",
        metres, levels))]
    Steps {
        /// Height range, in metres.
        metres: u64,
        /// Number of steps of the format.
        levels: u32,
    },
    /// The row order of a format that fixes it cannot be flipped.
    #[error("{}", tr!(
        "`{format}` records which row is north, so it cannot be flipped; use another format",
        format))]
    Flip {
        /// Name of the format.
        format: &'static str,
    },
    /// Meshes cannot be cropped by the last row and column.
    #[error("{}", tr!(
        "`{format}` takes whole maps; for pow2, use a format of heights, or tiles", format))]
    CropOfMesh {
        /// Name of the format.
        format: &'static str,
    },
    /// The map is not available in the format.
    #[error("{}", tr!("the format of `{map}` is `{format}`; allowed: {allowed}: {}",
        named(path), map, format, allowed))]
    MapFormat {
        /// Name of the map.
        map: &'static str,
        /// Requested format.
        format: &'static str,
        /// Formats of the map.
        allowed: String,
        /// Path of the file.
        path: PathBuf,
    },
    /// The map has a fixed size and is written only as a whole.
    #[error("{}", tr!(
        "`{map}` is always written whole; regions, tiles, levels and other sizes need a map of \
         the ground", map))]
    MapWhole {
        /// Name of the map.
        map: &'static str,
    },
    /// A range was given for a map of colours.
    #[error("{}", tr!("`{map}` has no numbers; a range needs a map of numbers or masks",
        map))]
    MapRange {
        /// Name of the map.
        map: &'static str,
    },
    /// A range in metres was given for a map that does not hold heights.
    #[error("{}", tr!("`{map}` is not a map of heights; its range can only be own or LOW,HIGH",
        map))]
    MapSpan {
        /// Name of the map.
        map: &'static str,
    },
    /// Only maps of heights can be flipped.
    #[error("{}", tr!("`{map}` is not a map of heights, and only those can be flipped", map))]
    MapFlip {
        /// Name of the map.
        map: &'static str,
    },
    /// Only maps of heights can have snow on them.
    #[error("{}", tr!("`{map}` is not a map of heights, and only those can have snow on them", map))]
    MapSnow {
        /// Name of the map.
        map: &'static str,
    },
    /// The map is too large to search for its lowest and highest height.
    #[error("{}", tr!(
        "the map has {side} samples a side, too many to search for its lowest and highest: the \
         limit without --range LOW,HIGH is {most}", side, most))]
    RangeOfAll {
        /// Samples of the longer side.
        side: u64,
        /// Maximum number of samples a side.
        most: u64,
    },
    /// The file name lacks the placeholder for bands.
    #[error("{}", tr!("{pictures} pictures need {{band}} in their name: {}",
        named(path), pictures))]
    BandName {
        /// Number of pictures.
        pictures: usize,
        /// The file name.
        path: PathBuf,
    },
    /// Mesh simplification was requested for a format that is not a mesh.
    #[error("{}", tr!(
        "`{format}` always contains every sample; a number of triangles or an error needs \
         {allowed}", format, allowed))]
    DetailOfHeights {
        /// Name of the format.
        format: &'static str,
        /// Mesh formats.
        allowed: String,
    },
    /// Mesh simplification failed.
    #[error(transparent)]
    Simplify(SimplifyError),
    /// The program ffmpeg is missing.
    #[error("{}", tr!(
        "`{format}` needs the program ffmpeg, which was not found: install ffmpeg, or write \
         film.gif, film.png (animated) or pictures film-####.png", format))]
    NoFfmpeg {
        /// Name of the format.
        format: &'static str,
    },
    /// The video format needs even width and height.
    #[error("{}", tr!("`{format}` needs an even width and height, unlike {} × {}; use {} × {}",
        size.0, size.1, (size.0 + 1) & !1, (size.1 + 1) & !1, format))]
    FilmSize {
        /// Name of the format.
        format: &'static str,
        /// Width and height in pixels.
        size: (u32, u32),
    },
    /// The frame rate is too high for the format.
    #[error("{}", tr!("`{format}` shows at most {most} frames a second, and the film has {fps}",
        format, most, fps))]
    FilmPace {
        /// Name of the format.
        format: &'static str,
        /// Requested frames per second.
        fps: u32,
        /// Maximum frames per second.
        most: u32,
    },
    /// The format needs a seekable file and cannot be written to standard output.
    #[error("{}", tr!(
        "`{format}` cannot be written to standard output; use gif or apng", format))]
    FilmInPipe {
        /// Name of the format.
        format: &'static str,
    },
    /// Too little disk space.
    #[error("{}", tr!("the file needs {} MB, {} MB are free: {}",
        needed >> 20, free >> 20, named(path)))]
    Space {
        /// Minimum number of bytes needed.
        needed: u64,
        /// Bytes free.
        free: u64,
        /// The file.
        path: PathBuf,
    },
    /// Too little disk space for the remaining frames of a film.
    #[error("{}", tr!("{pictures} more pictures need about {} MB, {} MB are free: {}",
        needed >> 20, free >> 20, named(path), pictures))]
    SpaceOfFilm {
        /// Number of remaining frames.
        pictures: u32,
        /// Approximate number of bytes needed.
        needed: u64,
        /// Bytes free.
        free: u64,
        /// Path of the last frame that was written.
        path: PathBuf,
    },
    /// The scene has no plants.
    #[error("{}", tr!(
        "the scene has no plants: add a layer, as in --set plants.0.kind=spruce, to a map of more than one row"))]
    NoPlants,
    /// More plants than fit into a file.
    #[error("{}", tr!(
        "up to {count} plants may grow; allowed: {most}; choose a part with --region, or more spacing",
        count, most))]
    TooManyPlants {
        /// Estimated number of plants.
        count: u64,
        /// Largest number allowed.
        most: u64,
    },
    /// More plants than a glTF can hold as nodes.
    #[error("{}", tr!(
        "{count} plants grow; allowed as nodes: {most}; choose a part with --region, or --plants-as instances",
        count, most))]
    TooManyNodes {
        /// Number of plants.
        count: usize,
        /// Largest number allowed.
        most: usize,
    },
    /// A form of plants for a file that is not a glTF.
    #[error("{}", tr!("--plants-as is for a glb only: {}", named(path)))]
    FormOfPlants {
        /// The file.
        path: PathBuf,
    },
    /// Too little memory.
    #[error("{}", tr!("the map needs {} MB of memory, {} MB are free", needed >> 20, free >> 20))]
    Memory {
        /// Bytes needed.
        needed: u64,
        /// Bytes free.
        free: u64,
    },
}

impl From<Cancelled> for ExportError {
    fn from(cancelled: Cancelled) -> Self {
        GenerateError::from(cancelled).into()
    }
}

impl From<SimplifyError> for ExportError {
    fn from(error: SimplifyError) -> Self {
        match error {
            SimplifyError::Cancelled(cancelled) => cancelled.into(),
            other => Self::Simplify(other),
        }
    }
}

/// Error of the system at `path`. Errors of tempfile contain the path of the temporary file, so only the
/// system's error is kept.
pub fn write_error(path: &Path) -> impl Fn(io::Error) -> ExportError {
    move |error| {
        let source = match error.raw_os_error().or_else(|| os_error_within(&error)) {
            Some(code) => io::Error::from_raw_os_error(code),
            None => error,
        };
        let path = if is_standard_output(path) {
            PathBuf::from("standard output")
        } else {
            path.to_owned()
        };
        ExportError::Write { source, path }
    }
}

/// System error inside an error that a library has wrapped.
fn os_error_within(error: &io::Error) -> Option<i32> {
    let mut inner = error.get_ref()? as &(dyn std::error::Error + 'static);
    loop {
        if let Some(error) = inner.downcast_ref::<io::Error>() {
            return error.raw_os_error().or_else(|| os_error_within(error));
        }
        inner = inner.source()?;
    }
}

/// Message of [`ExportError::Tiles`].
fn tiles_words(tiles: &str, [rows, columns]: [u64; 2], samples: Option<[u64; 2]>) -> String {
    match samples {
        Some([rows_of_samples, columns_of_samples]) => tr!(
            "tiles are {tiles}; allowed: numbers that divide the map's {rows} × {columns} cells \
             or, without overlap, its {rows_of_samples} × {columns_of_samples} samples",
            tiles,
            rows,
            columns,
            rows_of_samples,
            columns_of_samples
        ),
        None => tr!(
            "tiles are {tiles}; allowed: numbers that divide the map's {rows} × {columns} cells",
            tiles,
            rows,
            columns
        ),
    }
}
