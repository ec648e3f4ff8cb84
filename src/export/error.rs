//! Why there is no file.

use std::io;
use std::path::PathBuf;

use crate::generate::GenerateError;
use crate::import::reason;
use crate::language::tr;
use crate::mesh::simplify::SimplifyError;

/// Why there is no file.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// There is no map to write, or the job was cancelled.
    #[error(transparent)]
    Generate(#[from] GenerateError),
    /// No such palette.
    #[error(transparent)]
    UnknownName(#[from] crate::param::UnknownName),
    /// The system would not write.
    #[error("{}", tr!("cannot write: {}: {}", reason(source), crate::words::named(path)))]
    Write {
        /// What the system says.
        source: io::Error,
        /// The file.
        path: PathBuf,
    },
    /// No place for a file.
    #[error(
        "{}",
        tr!(
            "the output is {what}, allowed is a file, or - for standard output: {}",
            crate::words::named(path), what = tr(what)
        )
    )]
    Output {
        /// What is there.
        what: &'static str,
        /// The place.
        path: PathBuf,
    },
    /// Two files of one name.
    #[error("{}", tr!("two files have one name: {}", crate::words::named(path)))]
    OneName {
        /// The name.
        path: PathBuf,
    },
    /// A file of somebody else's.
    #[error(
        "{}",
        tr!(
            "the file is there and not from Landform, or was changed since: {}",
            crate::words::named(path)
        )
    )]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// Standard output, which has no name to tell the format by.
    #[error("{}", tr!("`-` is standard output, allowed is `-` with --format"))]
    NoFormat,
    /// A file name of no known format.
    #[error(
        "{}",
        tr!(
            "unknown file type `{extension}`, allowed is {allowed}: {}",
            crate::words::named(path), extension, allowed
        )
    )]
    UnknownFormat {
        /// The end of its name.
        extension: String,
        /// The formats there are.
        allowed: String,
        /// The file.
        path: PathBuf,
    },
    /// A region that is not on the map.
    #[error(
        "{}",
        tr!(
            "the region is {region}, allowed is within the map of {columns} × {rows} samples",
            region, columns, rows
        )
    )]
    Region {
        /// X,Y,W,H as asked.
        region: String,
        /// Columns of the map.
        columns: u64,
        /// Rows of the map.
        rows: u64,
    },
    /// More levels below a map than there are.
    #[error(
        "{}",
        tr!(
            "levels are {levels}, allowed below the map's level {base} is 0 to {most}",
            levels, base, most
        )
    )]
    Levels {
        /// Levels asked for.
        levels: u32,
        /// The level of the map.
        base: u32,
        /// Most levels below it.
        most: u32,
    },
    /// Levels whose heights 64 bits cannot tell apart.
    #[error(
        "{}",
        tr!(
            "level {level} needs heights of more than 64 bits, allowed is down to level {deepest} \
             with this H",
            level, deepest
        )
    )]
    Precision {
        /// The level asked for.
        level: u32,
        /// The deepest level.
        deepest: u32,
    },
    /// A coordinate reference system that nobody knows.
    #[error("{}", tr!("cannot write coordinates of EPSG:{code}: {reason}", code, reason))]
    System {
        /// Its code.
        code: u16,
        /// Why it is not known.
        reason: String,
    },
    /// Levels below a profile.
    #[error("{}", tr!("a ridge line has no levels below it, allowed are more iterations"))]
    LevelsOfProfile,
    /// Colours of a depth that 32 bits do not reach.
    #[error(
        "{}",
        tr!(
            "`{map}` goes by heights of 32 bits, allowed is down to level {most}: the region is of \
             level {level}",
            map, most, level
        )
    )]
    TooDeep {
        /// The map.
        map: &'static str,
        /// The level of the region.
        level: u32,
        /// The deepest level.
        most: u32,
    },
    /// Tiles that do not divide the map.
    #[error("{}", tiles_words(tiles, *cells, *samples))]
    Tiles {
        /// ROWSxCOLUMNS as asked.
        tiles: String,
        /// Cells of the map from north to south and from west to east.
        cells: [u64; 2],
        /// Its samples, which can be divided as well if the map does not wrap.
        samples: Option<[u64; 2]>,
    },
    /// A name that all tiles would have.
    #[error(
        "{}",
        tr!(
            "tiles need {{row}} and {{column}} in their name: {}",
            crate::words::named(path)
        )
    )]
    TileName {
        /// The name.
        path: PathBuf,
    },
    /// A step a metre, but more metres than steps.
    #[error(
        "{}",
        tr!(
            "the map is {metres} m high, allowed with a step a metre is {levels} m",
            metres, levels
        )
    )]
    Steps {
        /// From its lowest to its highest height.
        metres: u64,
        /// Steps of the format.
        levels: u32,
    },
    /// A format whose rows have one order.
    #[error(
        "{}",
        tr!(
            "`{format}` says itself where north is, allowed to flip is a format that does not",
            format
        )
    )]
    Flip {
        /// The format.
        format: &'static str,
    },
    /// A mesh of a map without its last row and column.
    #[error(
        "{}",
        tr!(
            "`{format}` takes whole maps, allowed for pow2 is a format of heights, or tiles",
            format
        )
    )]
    CropOfMesh {
        /// The format.
        format: &'static str,
    },
    /// A map in a format that it is not written in.
    #[error(
        "{}",
        tr!(
            "the format of `{map}` is `{format}`, allowed is {allowed}: {}",
            crate::words::named(path), map, format, allowed
        )
    )]
    MapFormat {
        /// The map.
        map: &'static str,
        /// The format asked for.
        format: &'static str,
        /// Its formats.
        allowed: String,
        /// The file.
        path: PathBuf,
    },
    /// A part of a map that has a size of its own.
    #[error(
        "{}",
        tr!(
            "`{map}` is written whole, allowed for regions, tiles, levels and other sizes is a map \
             of the ground",
            map
        )
    )]
    MapWhole {
        /// The map.
        map: &'static str,
    },
    /// A range for colours.
    #[error(
        "{}",
        tr!(
            "`{map}` has no numbers, allowed with a range is a map of numbers or masks",
            map
        )
    )]
    MapRange {
        /// The map.
        map: &'static str,
    },
    /// Metres of what is no height.
    #[error(
        "{}",
        tr!(
            "`{map}` is not a map of heights, allowed as its range is own or LOW,HIGH",
            map
        )
    )]
    MapSpan {
        /// The map.
        map: &'static str,
    },
    /// A flipped map of directions.
    #[error("{}", tr!("`{map}` is not a map of heights, and only those can be flipped", map))]
    MapFlip {
        /// The map.
        map: &'static str,
    },
    /// The range of all of a map that is too large to look at.
    #[error(
        "{}",
        tr!(
            "the map has {side} samples a side, too many to look for its lowest and highest: \
             allowed without --range LOW,HIGH is {most}",
            side, most
        )
    )]
    RangeOfAll {
        /// Samples of its longer side.
        side: u64,
        /// Most of them.
        most: u64,
    },
    /// A name that all masks would have.
    #[error(
        "{}",
        tr!(
            "{pictures} pictures need {{band}} in their name: {}",
            crate::words::named(path), pictures
        )
    )]
    BandName {
        /// How many there are.
        pictures: usize,
        /// The name.
        path: PathBuf,
    },
    /// Fewer triangles of a format that has none.
    #[error(
        "{}",
        tr!(
            "`{format}` holds every sample, allowed for a number of triangles or an error is \
             {allowed}",
            format, allowed
        )
    )]
    DetailOfHeights {
        /// The format.
        format: &'static str,
        /// The formats of meshes.
        allowed: String,
    },
    /// The map does not become a mesh of the detail asked for.
    #[error(transparent)]
    Simplify(SimplifyError),
    /// A video where nobody can make one.
    #[error(
        "{}",
        tr!(
            "`{format}` needs the program ffmpeg, which is not there: install ffmpeg, or write \
             film.gif, film.png (animated) or pictures film-####.png",
            format
        )
    )]
    NoFfmpeg {
        /// The format.
        format: &'static str,
    },
    /// A film whose pictures have a size that the format has not.
    #[error(
        "{}",
        tr!(
            "`{format}` has even sides, and {} × {} is not, allowed is {} × {}",
            size.0, size.1, (size.0 + 1) & !1, (size.1 + 1) & !1, format
        )
    )]
    FilmSize {
        /// The format.
        format: &'static str,
        /// Width and height in pixels.
        size: (u32, u32),
    },
    /// A film that is quicker than the format.
    #[error(
        "{}",
        tr!(
            "`{format}` shows at most {most} pictures a second, and the film has {fps}",
            format, most, fps
        )
    )]
    FilmPace {
        /// The format.
        format: &'static str,
        /// Pictures a second.
        fps: u32,
        /// The most of them.
        most: u32,
    },
    /// A film in a format that goes back and forth in its file.
    #[error(
        "{}",
        tr!(
            "`{format}` is written into a file, allowed for standard output is gif or apng",
            format
        )
    )]
    FilmInPipe {
        /// The format.
        format: &'static str,
    },
    /// The disk has not got the room.
    #[error(
        "{}",
        tr!(
            "the file needs {} MB, {} MB are free: {}",
            needed >> 20, free >> 20, crate::words::named(path)
        )
    )]
    Space {
        /// Bytes needed, at least.
        needed: u64,
        /// Bytes free.
        free: u64,
        /// The file.
        path: PathBuf,
    },
    /// The rest of a film's pictures needs more room than its disk has.
    #[error(
        "{}",
        tr!(
            "{pictures} more pictures need about {} MB, {} MB are free: {}",
            needed >> 20, free >> 20, crate::words::named(path), pictures
        )
    )]
    SpaceOfFilm {
        /// How many pictures.
        pictures: u32,
        /// Bytes that they need, about.
        needed: u64,
        /// Bytes free.
        free: u64,
        /// The last picture that is there.
        path: PathBuf,
    },
    /// More memory is needed than is free.
    #[error("{}", tr!("the map needs {} MB of memory, {} MB are free", needed >> 20, free >> 20))]
    Memory {
        /// Bytes needed.
        needed: u64,
        /// Bytes free.
        free: u64,
    },
}

impl From<SimplifyError> for ExportError {
    fn from(error: SimplifyError) -> Self {
        match error {
            SimplifyError::Cancelled(cancelled) => GenerateError::from(cancelled).into(),
            other => Self::Simplify(other),
        }
    }
}

/// The message of [`ExportError::Tiles`].
fn tiles_words(tiles: &str, [rows, columns]: [u64; 2], samples: Option<[u64; 2]>) -> String {
    match samples {
        Some([rows_of_samples, columns_of_samples]) => tr!(
            "tiles are {tiles}, allowed are numbers that divide the map's {rows} × {columns} cells \
             or, without overlap, its {rows_of_samples} × {columns_of_samples} samples",
            tiles,
            rows,
            columns,
            rows_of_samples,
            columns_of_samples
        ),
        None => tr!(
            "tiles are {tiles}, allowed are numbers that divide the map's {rows} × {columns} cells",
            tiles,
            rows,
            columns
        ),
    }
}
