//! Interface of the format readers: a source of bytes with its limits, the raster that a reader returns, and
//! the recipe in a file.

use std::io::{self, BufRead, Read, Seek, SeekFrom};

use super::MAX_SIDE;
use crate::files::formats::checksum::{Adds, Sum};
use crate::files::formats::recipe::{BEGIN, END, stated_sum};
use crate::files::formats::sidecar::Sidecar;
use crate::generate::{InputUnit, Reading};
use crate::scene::Scene;
use crate::terrain::geo::Georeference;
use crate::util::language::tr;
use crate::util::memory;

/// Function that reads the samples of a file as stored; NaN means no data.
pub type ReadRaster = fn(&mut Source<'_>) -> Result<Raster, Broken>;

/// Input format of heights, or of meshes with an embedded scene.
pub struct Reader {
    /// The name in messages.
    pub name: &'static str,
    /// File extensions in lower case, without the dot.
    pub extensions: &'static [&'static str],
    /// Test of a file's first bytes for the format's magic number; `None` if only the extension identifies
    /// it.
    pub mark: Option<fn(&[u8]) -> bool>,
    /// The kind of content, with the function that reads it.
    pub holds: Holding,
    /// Function that reads the recipe in a file.
    pub recipe: fn(&mut Source<'_>) -> Result<Recipe, Broken>,
}

/// Kind of content of a format, with the function that reads it.
pub enum Holding {
    /// Brightness, unless the file itself states heights.
    Brightness(ReadRaster),
    /// Heights.
    Heights(ReadRaster),
    /// A mesh, which has no height grid.
    Mesh,
    /// An archive that contains a map.
    Archive,
}

impl Reader {
    /// True for formats of meshes.
    pub fn is_mesh(&self) -> bool {
        matches!(self.holds, Holding::Mesh)
    }

    /// True for formats of maps, not meshes or archives.
    pub fn is_map(&self) -> bool {
        matches!(self.holds, Holding::Brightness(_) | Holding::Heights(_))
    }

    /// Read the samples of a map file as stored.
    pub fn read(&self, source: &mut Source<'_>) -> Result<Raster, Broken> {
        match self.holds {
            Holding::Brightness(read) | Holding::Heights(read) => read(source),
            Holding::Mesh => Err(Broken::wrong(tr(
                "a mesh has no grid of heights, and this one does not hold the scene it was made \
                 from",
            ))),
            Holding::Archive => Err(Broken::wrong(tr("a .zip in a .zip"))),
        }
    }
}

// Input of the readers, import errors, and limits on size and memory.

/// Byte stream with random access.
pub trait Bytes: BufRead + Seek + Send {}

impl<T: BufRead + Seek + Send> Bytes for T {}

/// Input of a reader: a file, or bytes in memory.
pub struct Source<'a> {
    /// The byte stream.
    pub bytes: &'a mut dyn Bytes,
    /// The length in bytes.
    pub length: u64,
    /// Information from outside the bytes.
    pub context: FileContext<'a>,
}

/// Information about a file from outside its bytes.
#[derive(Clone, Copy)]
pub struct FileContext<'a> {
    /// The JSON sidecar, if there is one that matches.
    pub sidecar: Option<&'a Sidecar>,
    /// The user's import options.
    pub reading: &'a Reading,
    /// The file name without its extension; for some formats it gives the position.
    pub stem: &'a str,
    /// True to skip unsupported content that does not change heights, as far as is known; false to leave such
    /// a file to GDAL.
    pub ignores_unknown: bool,
}

impl<'a> FileContext<'a> {
    /// Make the information of a source without sidecar and name.
    pub fn alone(reading: &'a Reading) -> Self {
        Self {
            sidecar: None,
            reading,
            stem: "",
            ignores_unknown: false,
        }
    }

    /// True if the user's options leave the meaning of the numbers to the sidecar.
    pub fn trusts_sidecar(&self) -> bool {
        self.reading.unit == InputUnit::Auto && self.reading.range.is_empty()
    }
}

/// Problem with a file's content.
#[derive(Debug)]
pub enum Broken {
    /// The file cannot be read.
    Io(io::Error),
    /// The content is invalid; the message has one line.
    Wrong(String),
    /// The content seems valid, but the built-in readers do not support it.
    Foreign {
        /// A short description of the unsupported content.
        what: String,
        /// True if the unsupported content may change heights or positions.
        changes: bool,
    },
}

impl Broken {
    /// Make an error message on one line.
    pub fn wrong(message: impl ToString) -> Self {
        let message = message.to_string();
        let words = message.lines().map(str::trim).collect::<Vec<_>>();
        Self::Wrong(words.join(" "))
    }

    /// Make the error for unsupported content that changes heights or positions.
    pub fn foreign(what: impl Into<String>) -> Self {
        Self::Foreign {
            what: what.into(),
            changes: true,
        }
    }

    /// Make the error for a truncated file.
    pub fn cut_short() -> Self {
        Self::wrong("the file is cut short")
    }
}

impl From<io::Error> for Broken {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Self::cut_short(),
            io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => Self::wrong(error),
            _ => Self::Io(error),
        }
    }
}

impl Source<'_> {
    /// Seek to the first byte.
    pub fn rewind(&mut self) -> io::Result<()> {
        self.bytes.seek(SeekFrom::Start(0)).map(|_| ())
    }

    /// Read at most `most` bytes from the start.
    pub fn head(&mut self, most: u64) -> io::Result<Vec<u8>> {
        self.part(0, most)
    }

    /// Read at most `most` bytes before the end.
    pub fn tail(&mut self, most: u64) -> io::Result<Vec<u8>> {
        self.part(self.length.saturating_sub(most), most)
    }

    fn part(&mut self, from: u64, most: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.bytes.seek(SeekFrom::Start(from))?;
        (&mut *self.bytes).take(most).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

/// Refuse a side of 0 or above the limit, before memory is allocated.
pub fn check_size(columns: u64, rows: u64) -> Result<(), Broken> {
    let allowed = 1..=MAX_SIDE as u64;
    if allowed.contains(&columns) && allowed.contains(&rows) {
        return Ok(());
    }
    Err(Broken::wrong(format!(
        "{columns} × {rows} samples; allowed: up to {MAX_SIDE} a side"
    )))
}

/// Memory per sample besides the decoder's, in bytes: the float, the map made from it, and the coarse levels
/// of void filling.
const OF_A_SAMPLE: u64 = 4 + 4 + 2;

/// Refuse samples that do not fit in free memory; `decoded` is the size of a decoded sample in bytes.
pub fn check_memory(columns: u64, rows: u64, decoded: u64) -> Result<(), Broken> {
    let bytes = columns
        .saturating_mul(rows)
        .saturating_mul(decoded + OF_A_SAMPLE);
    memory::check(bytes).map_err(|memory::TooMuch { needed, free }| {
        let (needed, free) = (needed >> 20, free >> 20);
        Broken::wrong(format!(
            "its {columns} × {rows} samples need {needed} MB of memory, {free} MB are free"
        ))
    })
}

/// Refuse a size with more samples than `length` bytes can hold, at `most` samples per byte.
pub fn check_room(columns: u64, rows: u64, length: u64, most: f64) -> Result<(), Broken> {
    check_size(columns, rows)?;
    if (columns * rows) as f64 <= length as f64 * most {
        return Ok(());
    }
    Err(Broken::wrong(format!(
        "it says {columns} × {rows} samples, {length} bytes cannot hold them"
    )))
}

// Raster as read from a file: samples in stored form with the file's metadata, before [`super::rule`]
// converts them to heights.

/// Samples as stored; NaN means no data.
#[derive(Clone, Debug, PartialEq)]
pub enum Numbers {
    /// Values that fit 32-bit floats.
    Single(Vec<f32>),
    /// Values that need 64-bit floats.
    Double(Vec<f64>),
}

impl Numbers {
    /// The number of samples.
    pub fn len(&self) -> usize {
        match self {
            Self::Single(numbers) => numbers.len(),
            Self::Double(numbers) => numbers.len(),
        }
    }

    /// The sample at an index.
    pub fn at(&self, index: usize) -> f64 {
        match self {
            Self::Single(numbers) => numbers[index].into(),
            Self::Double(numbers) => numbers[index],
        }
    }

    /// Mark a sample as no data.
    pub fn clear(&mut self, index: usize) {
        match self {
            Self::Single(numbers) => numbers[index] = f32::NAN,
            Self::Double(numbers) => numbers[index] = f64::NAN,
        }
    }
}

/// Metadata that a file states about its samples.
#[derive(Clone, Debug, Default)]
pub struct Metadata {
    /// Metres per unit of height; negative for depths.
    pub unit_m: Option<f64>,
    /// The name of an unknown unit of height.
    pub unknown_unit: Option<String>,
    /// Scale and offset: stored values are multiplied by the first, then the second is added.
    pub scale: Option<(f64, f64)>,
    /// The sample spacing on the ground, eastwards and southwards, in metres.
    pub step_m: Option<[f64; 2]>,
    /// The value that means no data.
    pub no_data: Option<f64>,
    /// True if all samples without data are already marked, so that none are guessed from their values.
    pub knows_missing: bool,
    /// True if the southern row comes first.
    pub south_first: bool,
    /// True if Landform wrote the file; then nothing is guessed.
    pub is_ours: bool,
    /// True if the file has coordinates but states no reference system.
    pub names_no_system: bool,
    /// True for a map of another body than the earth.
    pub is_elsewhere: bool,
    /// Georeference; its two vectors lead from one sample to the next.
    pub place: Option<Georeference>,
    /// Assumed number of samples, if the file does not state it.
    pub assumed_size: Option<String>,
    /// Short descriptions of assumptions about the sample spacing.
    pub assumed_spacing: Vec<String>,
    /// Messages for the user, one line each.
    pub notices: Vec<String>,
}

/// Samples of a file as stored, in row order, with metadata.
#[derive(Clone, Debug)]
pub struct Raster {
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub columns: usize,
    /// The samples.
    pub numbers: Numbers,
    /// The highest possible value of unsigned integers, which are levels of brightness or height.
    pub top: Option<u16>,
    /// True if the numbers are the luminance of colours, whatever the metadata states.
    pub is_color: bool,
    /// True if the file has no header, so that its size and byte order may come from the user.
    pub is_bare: bool,
    /// The metadata of the file.
    pub stated: Metadata,
    /// Heights of level 0 and of the highest level, in half tiles, from a file written by Landform.
    pub step_heights: Option<(f64, f64)>,
    /// The same heights if the pixels were changed after they were written.
    pub old_step_heights: Option<(f64, f64)>,
    /// Length of the longer side of the map that defines these half tiles, in metres.
    pub steps_tile_m: Option<f32>,
    /// Corrections for the rounding to metres, from a file written by Landform; see
    /// [`FINE_TAG`](crate::files::formats::tiff::FINE_TAG).
    pub fine: Option<Vec<u8>>,
}

impl Raster {
    /// Make a raster without metadata. Fails if the number of samples does not match the size.
    pub fn new(
        rows: u64,
        columns: u64,
        numbers: Numbers,
        top: Option<u16>,
    ) -> Result<Self, Broken> {
        if rows.checked_mul(columns) != Some(numbers.len() as u64) {
            return Err(Broken::cut_short());
        }
        Ok(Self {
            rows: rows as usize,
            columns: columns as usize,
            numbers,
            top,
            is_color: false,
            is_bare: false,
            stated: Metadata::default(),
            step_heights: None,
            old_step_heights: None,
            steps_tile_m: None,
            fine: None,
        })
    }
}

// Recipe: the scene embedded in an exported file, with a checksum of the file's content.
//
// The checksum covers the samples (for a mesh: vertices, triangles and texture). The recipe is valid only if
// it matches, so a file that was edited later is read as it is.

/// Result of the search for a recipe.
#[derive(Clone, Debug, PartialEq)]
pub enum Recipe {
    /// The file has no recipe.
    None,
    /// The recipe matches the content.
    Fits(Box<Scene>),
    /// The recipe is not valid; the text gives the reason: `its recipe …`.
    Useless(String),
}

impl Recipe {
    /// Compare the stated checksum with that of the file, whose computation reads the whole file.
    pub fn of(
        scene: Result<Scene, String>,
        stated: Option<&str>,
        found: impl FnOnce() -> Result<Sum, Broken>,
    ) -> Self {
        let scene = match scene {
            Ok(scene) => scene,
            Err(reason) => return Self::Useless(format!("its recipe cannot be read ({reason})")),
        };
        let Some(stated) = stated else {
            return Self::Useless("its recipe has no checksum of its samples".to_owned());
        };
        match found() {
            Ok(found) if found.text() == stated.trim() => Self::Fits(Box::new(scene)),
            _ => Self::Useless("it was changed after its recipe was written".to_owned()),
        }
    }

    /// Parse a recipe's text, see [`recipe_text`](crate::files::formats::recipe::recipe_text), and check it against
    /// the content.
    pub fn of_text(text: &str, found: impl FnOnce() -> Result<Sum, Broken>) -> Self {
        let scene = Scene::parse(text).map_err(|error| error.to_string());
        Self::of(scene, stated_sum(text), found)
    }
}

/// The checksum of the rest of a file.
pub fn sum_of_rest(source: &mut Source<'_>, mut sum: impl Adds) -> Result<Sum, Broken> {
    loop {
        let bytes = source.bytes.fill_buf()?;
        if bytes.is_empty() {
            return Ok(sum.sum());
        }
        let count = bytes.len();
        sum.add(bytes);
        source.bytes.consume(count);
    }
}

// Recipes in comment lines of text files and headers.
//
// The scene stands as TOML between the lines `landform scene begin` and `landform scene end`. Each line
// starts with the comment mark of the format.

/// The number of bytes at the start and at the end of a file that are searched for comments.
const PART: u64 = 1 << 20;

/// Read the recipe from comment lines that start with `mark`. `sum` computes the checksum of the file without
/// its comments.
pub fn recipe_in_comments(
    source: &mut Source<'_>,
    mark: &str,
    sum: impl FnOnce(&mut Source<'_>) -> Result<Sum, Broken>,
) -> Result<Recipe, Broken> {
    let head = source.head(PART)?;
    let text = match text_in(&head, mark) {
        None => {
            let tail = source.tail(PART)?;
            text_in(&tail, mark).or_else(|| end_alone(&tail, mark))
        }
        found => found,
    };
    Ok(match text {
        None => Recipe::None,
        Some(Err(reason)) => Recipe::Useless(format!("its recipe cannot be read ({reason})")),
        Some(Ok(text)) => Recipe::of_text(&text, || {
            source.rewind()?;
            sum(source)
        }),
    })
}

/// True if the file contains the first line of a recipe.
pub fn has_recipe_comments(source: &mut Source<'_>, mark: &str) -> io::Result<bool> {
    let begin = format!("{mark}{BEGIN}");
    Ok(comment_after(source, &begin)?.is_some_and(|rest| rest.is_empty()))
}

/// The rest of the first line that starts with `begin`.
pub fn comment_after(source: &mut Source<'_>, begin: &str) -> io::Result<Option<String>> {
    let found = |bytes: &[u8]| {
        let mut lines = bytes.split(|byte| *byte == b'\n').map(trimmed);
        let rest = lines.find_map(|line| line.strip_prefix(begin.as_bytes()))?;
        Some(String::from_utf8_lossy(rest).into_owned())
    };
    let at_start = found(&source.head(PART)?);
    Ok(match at_start {
        None => found(&source.tail(PART)?),
        found => found,
    })
}

/// Extract the recipe's text from comment lines. The other bytes need not be text.
fn text_in(bytes: &[u8], mark: &str) -> Option<Result<String, &'static str>> {
    let begin = format!("{mark}{BEGIN}");
    let end = format!("{mark}{END}");
    let mut lines = bytes.split(|byte| *byte == b'\n').map(trimmed);
    lines.by_ref().find(|line| *line == begin.as_bytes())?;
    let mut text = String::new();
    for line in lines {
        if line == end.as_bytes() {
            return Some(Ok(text));
        }
        let Ok(line) = std::str::from_utf8(line) else {
            return Some(Err("it is not text"));
        };
        // Other programs may trim the blank after the mark of an empty comment line.
        let content = line.strip_prefix(mark);
        let Some(content) = content.or((line == mark.trim()).then_some("")) else {
            return Some(Err("one of its lines is not a comment"));
        };
        text.push_str(content);
        text.push('\n');
    }
    Some(Err("its end is missing"))
}

/// Report a recipe of which only the last line is found.
fn end_alone(bytes: &[u8], mark: &str) -> Option<Result<String, &'static str>> {
    let end = format!("{mark}{END}");
    let mut lines = bytes.split(|byte| *byte == b'\n').map(trimmed);
    let is_there = lines.any(|line| line == end.as_bytes());
    is_there.then_some(Err("its beginning is missing"))
}

fn trimmed(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}
