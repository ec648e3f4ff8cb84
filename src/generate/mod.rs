//! Terrain generators: their list, the settings that they share, and the choice of one.
//!
//! A generator is one file with a struct of options that implements `Generate`, and one row in the list
//! below. The panel, the command line, the scene file and `landform list` are derived from it.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserializer, Serializer, de};

use crate::fractal::refinement::{Function, Refinement};
use crate::terrain::geo::Georeference;
use crate::terrain::grid::Grid;
use crate::terrain::heightmap::{Heightmap, Heights, MOST_HEIGHT, Validity, WildHeight};
use crate::util::job::{Cancelled, Job};
use crate::util::language::tr;
use crate::util::numbers::{EMPTY_RANGE, range};
use crate::util::parallel;
use crate::util::param::{OutOfRange, UnknownName, kinds};

mod detail;
pub mod diamond_square;
pub mod fault;
pub mod formula;
pub mod fourier;
pub mod hill;
pub mod image;
pub mod midpoint;
pub mod midpoint_1d;
mod normal;
pub mod perlin;
pub mod pins;
pub mod random_deposition;
mod reading;
mod rows;
pub mod square_square;
pub mod successive_random_additions;
mod surface;
pub mod wavelet;

pub use detail::{Detail, Precision};
pub use reading::{ByteOrder, InputCoding, InputSources, InputUnit, NoData, Reading};

/// Largest number of iterations of a map held in memory as a whole.
pub const MAX_ITERATIONS_IN_MEMORY: u32 = 15;
/// Largest number of samples a side that pictures use of a tile; larger maps are decimated by powers
/// of two.
pub const MOST_SHOWN: usize = 4097;
/// Largest number of iterations of a map whose rows stream into a file.
pub const MAX_ITERATIONS_STREAMED: u32 = 20;
/// Largest number of iterations of a map that is exported in tiles.
pub const MAX_ITERATIONS_TILED: u32 = 31;
/// Largest number of iterations, finer levels included, of a map evaluated in rectangles.
pub const MAX_ITERATIONS: u32 = Refinement::MOST_LEVELS;

kinds! {
    /// Source of heights: a generator, the settings that all generators share, and the options of each.
    pub struct Surface by generator {
        /// Generator of the map; default `diamond-square`.
        pub generator: Generator,
        /// Seed from which all random numbers follow; default 0.
        #[serde(serialize_with = "serialize_seed", deserialize_with = "deserialize_seed")]
        pub seed: u64,
        /// n: the map has (2^n + 1)² samples, 1…60; default 8.
        pub iterations: u32 = 8,
        /// Hurst exponent H, 0 (rough) … 1 (smooth); default 0.7.
        pub hurst: f32 = 0.7,
        /// Factor A of every height, in half tiles; default 1.
        pub height_scale: f32 = 1.0,
        /// Side of a tile in metres, for files in metres; default 2000.
        pub tile_size_m: f32 = 2000.0,
        /// Grey image that `image` shows and `diamond-square` and `midpoint` start from;
        /// default none.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub input: Option<PathBuf>,
        /// Length and checksum of the input, in files that name it; users need not set it.
        #[serde(skip_serializing_if = "String::is_empty")]
        pub input_checksum: String,
        /// GDAL's version, and length and checksum of what it decoded, of an input that it decoded;
        /// users need not set it.
        #[serde(skip_serializing_if = "String::is_empty")]
        pub input_decoder: String,
        /// Height of the input's darkest sample; default 0.
        pub input_low: f32,
        /// Height of the input's brightest sample; default 0.4.
        pub input_high: f32 = 0.4,
        /// For an input that says its metres: side in metres of the tile whose half is the
        /// unit of the two heights above. With it they keep their metres, whatever
        /// `tile_size_m` is; default 0, which stands for none.
        #[serde(skip_serializing_if = "is_zero")]
        pub input_tile_m: f32,
        /// Interpretation of the input's numbers; by default as stated in its file.
        #[serde(skip_serializing_if = "Reading::is_default")]
        pub reading: Reading,
        /// Coordinate reference system of files for GIS, `EPSG:N`; default empty, which stands
        /// for that of the input.
        #[serde(skip_serializing_if = "String::is_empty")]
        pub crs: String,
        /// Coordinates of the north-western sample, `X,Y`; default empty, which stands for those
        /// of the input.
        #[serde(skip_serializing_if = "String::is_empty")]
        pub origin: String,
        /// Formula that `diamond-square` and `midpoint` start from in place of an image, as
        /// in [`formula::FormulaOptions`]; default empty, which stands for none.
        pub input_formula: String,
        /// Level of the lattice of 2^level cells a side on which pins lie, 1…12; default 4.
        pub pin_level: u32 = 4,
        /// Points that `diamond-square` and `midpoint` go through exactly, at most 1000;
        /// default none.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[serde(deserialize_with = "crate::util::param::few")]
        pub pins: Vec<pins::Pin>,
    }

    /// Kind of generator.
    pub enum Generator: "generator" as Generate
    each #[doc = "A scene file contains them, chosen or not."]
    {
        #[default]
        DiamondSquare = diamond_square: diamond_square::DiamondSquareOptions, "diamond-square",
            "The classic subdivision by Fournier, Fussell and Carpenter in Martz's form: iterative, and it tiles.";
        Midpoint1d = midpoint_1d: midpoint_1d::Midpoint1dOptions, "midpoint-1d",
            "A ridge line: the middle of every segment is moved up or down.";
        Midpoint = midpoint: midpoint::MidpointOptions, "midpoint",
            "Plain midpoint displacement: edge midpoints from their two ends, centres from four \
             corners.";
        SquareSquare = square_square: square_square::SquareSquareOptions, "square-square",
            "Miller's subdivision: no creases; every point moves a little in every pass.";
        SuccessiveRandomAdditions = successive_random_additions: successive_random_additions::SuccessiveRandomAdditionsOptions, "successive-random-additions",
            "Voss's diamond-square: every point moves again at every half step.";
        RandomDeposition = random_deposition: random_deposition::RandomDepositionOptions, "random-deposition",
            "Random rectangles, each raised a little.";
        Fault = fault: fault::FaultOptions, "fault",
            "Random cuts through the map; one side of each is raised, as by an earthquake.";
        Perlin = perlin: perlin::PerlinOptions, "perlin",
            "Gradient noise: octaves of smooth bumps, rolling, ridged or billowing.";
        Hill = hill: hill::HillOptions, "hill",
            "Many round hills added up, with flat valleys; or an island.";
        Fourier = fourier: fourier::FourierOptions, "fourier",
            "Spectral synthesis: sine waves of every length and direction, with random phases.";
        Wavelet = wavelet: wavelet::WaveletOptions, "wavelet",
            "Random wavelets of every size, each size 2^−H times as high as the one before.";
        Image = image: image::ImageOptions, "image",
            "A grey image as heights: dark is low, bright is high.";
        Formula = formula: formula::FormulaOptions, "formula",
            "Your own formula for the height at each place, such as sin(pi*x)*cos(pi*z).";
    }
}

/// True if an optional setting has the value that stands for none.
fn is_zero(number: &f32) -> bool {
    *number == 0.0
}

// Interface of generators, and their inputs besides their own options: shared settings, images, job and
// buffer.

/// Options of a generator, which make a map.
trait Generate {
    /// Generate the height map, in half tiles.
    ///
    /// # Errors
    /// An input is missing, there is not enough memory, or the job was cancelled.
    fn generate(&self, request: &Request<'_>) -> Result<Heightmap, GenerateError>;

    /// Continuous function behind the samples of `surface`; `None` if there is none.
    ///
    /// # Errors
    /// The expression is not a formula.
    fn function(&self, _: &Surface, _: &Detail) -> Result<Option<Function>, GenerateError> {
        Ok(None)
    }

    /// True if the Hurst exponent has an effect.
    fn has_hurst(&self) -> bool {
        true
    }

    /// True if the input image has an effect.
    fn takes_image(&self) -> bool {
        false
    }

    /// True if the map goes through fixed points: pins, and heights from a formula or an image.
    fn takes_known_points(&self) -> bool {
        false
    }
}

/// Inputs of a generator besides its own options.
struct Request<'a> {
    /// Settings that all generators share: seed, iterations, H, height scale, input.
    surface: &'a Surface,
    /// Loaded images of the scene.
    images: &'a Images,
    /// Job for cancelling and progress.
    job: &'a Job,
    /// Buffer that can be filled instead of a new one.
    reuse: std::cell::Cell<Option<Heights>>,
}

impl<'a> Request<'a> {
    /// Create a request for `surface`; `reuse` is a buffer that can be filled.
    fn new(surface: &'a Surface, images: &'a Images, job: &'a Job, reuse: Option<Heights>) -> Self {
        Self {
            surface,
            images,
            job,
            reuse: reuse.into(),
        }
    }

    /// Buffer of `count` heights with unspecified contents: the reused one if it fits.
    ///
    /// # Errors
    /// There is not enough memory.
    fn buffer(&self, count: usize) -> Result<Heights, GenerateError> {
        buffer(self.reuse.take(), count)
    }

    /// Input image in half tiles: scaled to `input_low…input_high` times the height scale.
    ///
    /// # Errors
    /// The surface names no image, or the image was not loaded.
    fn input_heights(&self) -> Result<Grid<f32>, GenerateError> {
        let surface = self.surface;
        let image = &self.images.of(surface)?.grid;
        let scale = surface.input_scale();
        const PART: usize = 1 << 16;
        let pixels = image.as_slice();
        let ranges = parallel::par_items(pixels.chunks(PART))
            .try_map(|_, part| self.job.check().map(|()| range(part)))?;
        let wider = |a: (f32, f32), b: (f32, f32)| (a.0.min(b.0), a.1.max(b.1));
        let (low, high) = ranges.into_iter().fold(EMPTY_RANGE, wider);
        // Heights that need no scaling keep their last bit.
        let as_it_is = (low, high) == (surface.input_low, surface.input_high);
        let span = if high > low { high - low } else { 1.0 };
        let mut heights = Grid::filled(image.rows(), image.columns(), 0.0);
        let parts = heights.as_mut_slice().chunks_mut(PART);
        parallel::par_items(parts.zip(pixels.chunks(PART))).for_each_in(
            self.job,
            |_, (heights, pixels)| {
                for (height, pixel) in heights.iter_mut().zip(pixels) {
                    let scaled = match (*pixel - low) / span {
                        1.0 => surface.input_high,
                        t => surface.input_low + (surface.input_high - surface.input_low) * t,
                    };
                    *height = if as_it_is { *pixel } else { scaled } * scale;
                }
            },
        )?;
        Ok(heights)
    }
}

/// Buffer of `count` heights with unspecified contents: the reused one if it fits.
fn buffer(reuse: Option<Heights>, count: usize) -> Result<Heights, GenerateError> {
    match reuse {
        Some(heights) if heights.len() == count => Ok(heights),
        _ => Heights::zeros(count).ok_or(GenerateError::OutOfMemory {
            bytes: count as u64 * 4,
        }),
    }
}

// Input images of generators. Files are loaded elsewhere and passed in.

/// Loaded input image.
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    /// Brightness as stored, or heights; row-major, in any scale.
    pub grid: Arc<Grid<f32>>,
    /// Highest possible number, if the image has whole numbers from 0.
    pub top: Option<u16>,
    /// Georeference of the image.
    pub place: Option<Georeference>,
    /// Mask of samples that hold data; `None` if all do. The others were filled.
    pub valid: Option<Arc<Validity>>,
}

/// Input images of surfaces, by path and by how their files are read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Images(HashMap<(PathBuf, Reading), Image>);

impl Images {
    /// Add an image that is read as its file declares: brightness as stored, row-major, in any scale.
    pub fn insert(&mut self, path: PathBuf, image: Arc<Grid<f32>>) {
        let image = Image {
            grid: image,
            top: None,
            place: None,
            valid: None,
        };
        self.insert_read(path, Reading::default(), image);
    }

    /// Add an image with the settings with which it was read.
    pub fn insert_read(&mut self, path: PathBuf, reading: Reading, image: Image) {
        self.0.insert((path, reading), image);
    }

    /// Input image of a surface.
    ///
    /// # Errors
    /// The surface names no image, or one that was not loaded.
    pub fn of(&self, surface: &Surface) -> Result<&Image, GenerateError> {
        let path = surface.input.as_ref().ok_or(GenerateError::NoInput {
            generator: surface.generator,
        })?;
        let key = (path.clone(), surface.reading.clone());
        self.0
            .get(&key)
            .ok_or_else(|| GenerateError::InputNotRead { path: path.clone() })
    }

    /// Image at a path, read as its file declares; `None` if it was not loaded.
    #[must_use]
    pub fn named(&self, path: &Path) -> Option<&Image> {
        self.0.get(&(path.to_owned(), Reading::default()))
    }
}

// Errors of generators.

impl GenerateError {
    /// Mark the error as one of the layer at `index`; a cancelled job stays cancelled.
    #[must_use]
    pub(crate) fn of_layer(self, index: usize) -> Self {
        match self {
            Self::Cancelled(cancelled) => Self::Cancelled(cancelled),
            error => Self::Layer {
                index,
                source: Box::new(error),
            },
        }
    }
}

/// Reason why no height map was generated.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// The job was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// Setting outside its range.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// Unknown palette name.
    #[error(transparent)]
    UnknownName(#[from] UnknownName),
    /// More iterations than the map may have for its use.
    #[error(
        "{}",
        tr!(
            "surface.iterations is {iterations}; allowed: 1 to {most} for a map {}",
            if *most > MAX_ITERATIONS_IN_MEMORY { tr("that is written row by row") } else { tr("held in memory") }, iterations, most
        )
    )]
    TooManyIterations {
        /// Requested number of iterations.
        iterations: u32,
        /// Largest number allowed.
        most: u32,
    },
    /// Missing input image of a generator that needs one.
    #[error(
        "{}",
        tr!(
            "generator `{generator}` needs an input image, surface.input is not set",
            generator
        )
    )]
    NoInput {
        /// Generator that needs the image.
        generator: Generator,
    },
    /// Input image that was named but not loaded.
    #[error("{}", tr!("the input image could not be read: {}", path.display()))]
    InputNotRead {
        /// Path of the image.
        path: PathBuf,
    },
    /// Failure of a layer.
    #[error("{}", tr!("layers.{index}: {source}", index, source))]
    Layer {
        /// Index of the layer in the list, from 0.
        index: usize,
        /// Error of the layer.
        source: Box<GenerateError>,
    },
    /// Formula without a finite value at a sample; the first such sample in row-major order.
    #[error(
        "{}",
        tr!(
            "{key} is {value} at x = {x}, z = {z} (row {row}, column {column}); allowed: a finite \
             height, up to ±{MOST_HEIGHT}",
            key, value, x, z, row, column, MOST_HEIGHT = format_args!("{MOST_HEIGHT:e}")
        )
    )]
    NotFinite {
        /// Key of the formula in the scene.
        key: &'static str,
        /// Value at the sample: NaN or infinite, or too large.
        value: f32,
        /// Coordinate from west to east, −1…1.
        x: f64,
        /// Coordinate from north to south, −1…1.
        z: f64,
        /// Row of the sample.
        row: usize,
        /// Column of the sample.
        column: usize,
    },
    /// Height outside the range that maps allow.
    #[error(transparent)]
    Wild(#[from] WildHeight),
    /// Not enough memory.
    #[error("{}", tr!("the map needs {} MB of memory, more than the system has", bytes >> 20))]
    OutOfMemory {
        /// Size of the map in bytes.
        bytes: u64,
    },
}

// Serialization of seeds in scene files: a whole number, or its digits as text from 2^63 on, which
// exceeds TOML's integers.

fn serialize_seed<S: Serializer>(seed: &u64, to: S) -> Result<S::Ok, S::Error> {
    match i64::try_from(*seed) {
        Ok(number) => to.serialize_i64(number),
        Err(_) => to.serialize_str(&seed.to_string()),
    }
}

fn deserialize_seed<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    from.deserialize_any(Seed)
}

struct Seed;

impl de::Visitor<'_> for Seed {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a seed, 0 to 18446744073709551615")
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<u64, E> {
        Ok(number)
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<u64, E> {
        u64::try_from(number).map_err(|_| E::invalid_value(de::Unexpected::Signed(number), &self))
    }

    fn visit_str<E: de::Error>(self, digits: &str) -> Result<u64, E> {
        digits
            .parse()
            .map_err(|_| E::invalid_value(de::Unexpected::Str(digits), &self))
    }
}
