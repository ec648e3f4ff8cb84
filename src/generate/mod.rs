//! Every generator as the user meets it: the list, what all share, and the dispatch.
//!
//! A generator is one file with an `Options` struct and a `generate` function, and one line in
//! the list below. The panel, the command line, the scene file and `landform list` follow.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::fractal::Subdivision;
use crate::heightmap::{Heightmap, Heights};
use crate::job::{Cancelled, Job};
use crate::param::{OutOfRange, Params, TableVisitor};
use crate::{choice, choice_param, float_param, int_param, text_param};

mod bands;
pub mod diamond_square;
mod error;
pub mod fault;
pub mod formula;
pub mod fourier;
pub mod hill;
pub mod image;
mod inputs;
mod known;
pub mod midpoint;
pub mod midpoint_1d;
mod normal;
pub mod perlin;
pub mod pins;
mod pyramid;
pub mod random_deposition;
mod reading;
mod request;
mod seed;
pub mod square_square;
pub mod successive_random_additions;
pub mod wavelet;

pub use error::GenerateError;
pub use inputs::{Image, Inputs};
pub use reading::{ByteOrder, InputUnit, NoData, Reading};
pub use request::Request;

/// Most iterations of a map that must be in memory as a whole.
pub const MAX_ITERATIONS_IN_MEMORY: u32 = 15;
/// Most samples a side that pictures use of a tile; of larger maps every second, fourth … one.
pub const MOST_SHOWN: usize = 4097;
/// Rows of a thinned map that a thread makes in one go.
const BAND_ROWS: usize = 64;
/// Most iterations of a map whose rows stream into a file.
pub const MAX_ITERATIONS_STREAMED: u32 = 20;
/// Most iterations of a map of which only a rectangle is made.
pub const MAX_ITERATIONS: u32 = 31;

/// The list: variant, module (also the scene's table), name, one line of help.
macro_rules! generators {
    ($($(#[$meta:meta])* $variant:ident = $module:ident, $name:literal, $help:literal;)+) => {
        choice! {
            /// The ways to make a height map.
            pub enum Generator: "generator" {
                $($(#[$meta])* $variant = $name, $help;)+
            }
        }

        /// Which generator makes the ground, what all generators share, and the options of each.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct Surface {
            /// Which generator; default `diamond-square`.
            pub generator: Generator,
            /// Where all randomness starts; default 0.
            #[serde(with = "seed")]
            pub seed: u64,
            /// n: the map has (2^n + 1)² samples, 1…31; default 8.
            pub iterations: u32,
            /// Hurst exponent H, 0 (rough) … 1 (smooth); default 0.7.
            pub hurst: f32,
            /// A: multiplies every height, in half tiles; default 1.
            pub height_scale: f32,
            /// Side of a tile in files that are in metres; default 2000.
            pub tile_size_m: f32,
            /// Grey image that `image` shows and `diamond-square` and `midpoint` start from;
            /// default none.
            #[serde(skip_serializing_if = "Option::is_none")]
            pub input: Option<PathBuf>,
            /// Length and checksum of the input in files that name it; not for the user.
            #[serde(skip_serializing_if = "String::is_empty")]
            pub input_checksum: String,
            /// Height of the input's darkest sample; default 0.
            pub input_low: f32,
            /// Height of the input's brightest sample; default 0.4.
            pub input_high: f32,
            /// Side in metres of the tile that these two are half tiles of, of an input that
            /// says its metres: they stay, whatever `tile_size_m` is; default 0, none.
            #[serde(skip_serializing_if = "is_zero")]
            pub input_tile_m: f32,
            /// How the input's numbers are read; default as its file says.
            #[serde(skip_serializing_if = "Reading::is_default")]
            pub reading: Reading,
            /// Coordinate reference system of files for GIS, `EPSG:N`; default empty, the input's.
            #[serde(skip_serializing_if = "String::is_empty")]
            pub crs: String,
            /// Coordinates of the north-western sample, `X,Y`; default empty, the input's.
            #[serde(skip_serializing_if = "String::is_empty")]
            pub origin: String,
            /// Formula that `diamond-square` and `midpoint` start from in place of an image, as
            /// in [`formula::Options`]; default empty, none.
            pub input_formula: String,
            /// Pins lie on the lattice of 2^level cells a side, 1…12; default 4.
            pub pin_level: u32,
            /// Points that `diamond-square` and `midpoint` go through exactly, at most 1000;
            /// default none.
            #[serde(skip_serializing_if = "Vec::is_empty")]
            #[serde(deserialize_with = "crate::param::few")]
            pub pins: Vec<pins::Pin>,
            $(
                #[doc = concat!("Options of `", $name, "`.")]
                pub $module: $module::Options,
            )+
        }

        impl Default for Surface {
            fn default() -> Self {
                Self {
                    generator: Generator::default(),
                    seed: 0,
                    iterations: 8,
                    hurst: 0.7,
                    height_scale: 1.0,
                    tile_size_m: 2000.0,
                    input: None,
                    input_checksum: String::new(),
                    input_low: 0.0,
                    input_high: 0.4,
                    input_tile_m: 0.0,
                    reading: Reading::default(),
                    crs: String::new(),
                    origin: String::new(),
                    input_formula: String::new(),
                    pin_level: 4,
                    pins: Vec::new(),
                    $($module: $module::Options::default(),)+
                }
            }
        }

        impl Surface {
            /// Checks the options of every generator; `table` is the surface's place in the scene.
            pub(crate) fn check_options(&self, table: &str) -> Result<(), OutOfRange> {
                $(self.$module.check(&format!("{table}.{}", stringify!($module)))?;)+
                Ok(())
            }

            /// Shows the options of the generator chosen to `visitor`.
            pub fn visit_options(&mut self, visitor: &mut impl OptionsVisitor) {
                match self.generator {
                    $(Generator::$variant => visitor.visit(&mut self.$module),)+
                }
            }

            /// Shows its own table, those of all generators and those of the pins to `visitor`;
            /// `place` is the surface's place in the scene.
            pub(crate) fn visit_tables(&mut self, place: &str, visitor: &mut impl TableVisitor) {
                visitor.visit(place, self);
                visitor.visit(&format!("{place}.reading"), &mut self.reading);
                for (index, pin) in self.pins.iter_mut().enumerate() {
                    visitor.visit(&format!("{place}.pins.{index}"), pin);
                }
                $(visitor.visit(&format!("{place}.{}", stringify!($module)), &mut self.$module);)+
            }

            fn dispatch(&self, request: &Request<'_>) -> Result<Heightmap, GenerateError> {
                match self.generator {
                    $(Generator::$variant => $module::generate(&self.$module, request),)+
                }
            }
        }
    };
}

generators! {
    #[default]
    DiamondSquare = diamond_square, "diamond-square",
        "The classic subdivision by Fournier, Fussell and Carpenter in Martz's form: iterative, and it tiles.";
    Midpoint1d = midpoint_1d, "midpoint-1d",
        "A ridge line: the middle of every segment is moved up or down.";
    Midpoint = midpoint, "midpoint",
        "Plain midpoint displacement: edges from their two ends, centres from four corners.";
    SquareSquare = square_square, "square-square",
        "Miller's subdivision: no creases; every point moves a little in every pass.";
    SuccessiveRandomAdditions = successive_random_additions, "successive-random-additions",
        "Voss's diamond-square: every point moves again at every half step.";
    RandomDeposition = random_deposition, "random-deposition",
        "Random rectangles, each raised a little.";
    Fault = fault, "fault",
        "Random cuts through the map; one side of each is raised, as by an earthquake.";
    Perlin = perlin, "perlin",
        "Gradient noise: octaves of smooth bumps, rolling, ridged or billowing.";
    Hill = hill, "hill",
        "Many round hills added up, with flat valleys; or an island.";
    Fourier = fourier, "fourier",
        "Spectral synthesis: sine waves of every length and direction, with random phases.";
    Wavelet = wavelet, "wavelet",
        "Random wavelets of every size, each size 2^−H times as high as the one before.";
    Image = image, "image",
        "A grey image as heights: dark is low, bright is high.";
    Formula = formula, "formula",
        "A height for each place from your own formula, such as sin(pi*x)*cos(pi*z).";
}

impl Generator {
    /// Whether it has a Hurst exponent to be asked for.
    #[must_use]
    pub fn has_hurst(self) -> bool {
        use Generator::{Fault, Formula, Hill, Image, RandomDeposition};
        !matches!(self, Fault | Formula | Hill | Image | RandomDeposition)
    }

    /// Whether an input image means something to it.
    #[must_use]
    pub fn takes_image(self) -> bool {
        matches!(self, Self::DiamondSquare | Self::Midpoint | Self::Image)
    }

    /// Whether it fills in around known points: pins, and heights from a formula or an image.
    #[must_use]
    pub fn takes_known_points(self) -> bool {
        matches!(self, Self::DiamondSquare | Self::Midpoint)
    }
}

impl Params for Surface {
    const PARAMS: &'static [crate::param::Param<Self>] = &[
        choice_param!(generator: Generator, "Generator", "The algorithm that makes the ground."),
        crate::param::Param {
            key: "seed",
            label: "Seed",
            unit: "",
            help: "Where all randomness starts: the same seed is the same landscape.",
            field: crate::param::Field::Seed {
                get: |owner| owner.seed,
                set: |owner, value| owner.seed = value,
            },
        },
        int_param!(iterations, "Iterations", "", 1, MAX_ITERATIONS, slider 13,
            "How many times the grid is halved: n gives (2^n + 1)² samples. More iterations add detail; with subdivision and Perlin noise all earlier points stay in place."),
        float_param!(
            hurst,
            "H",
            "",
            0.0,
            1.0,
            slider(0.0, 1.0),
            "Hurst exponent: 0 is rough, 1 is smooth. Each pass moves points 2^−H times as far as the one before."
        ),
        float_param!(
            height_scale,
            "Height scale",
            "half tiles",
            0.0,
            1000.0,
            slider(0.0, 3.0),
            "Multiplies every height. At 1 the first pass moves points by up to half a tile."
        ),
        float_param!(
            tile_size_m,
            "Tile size",
            "m",
            0.001,
            1.0e9,
            slider(100.0, 100_000.0),
            "Length of a tile's side in metres, for files, contours and the eye height; the landscape keeps its shape."
        ),
        float_param!(
            input_low,
            "Input low",
            "half tiles",
            -1.0e12,
            1.0e12,
            slider(-1.0, 1.0),
            "Height of the input image's darkest sample, before the height scale."
        ),
        float_param!(
            input_high,
            "Input high",
            "half tiles",
            -1.0e12,
            1.0e12,
            slider(-1.0, 1.0),
            "Height of the input image's brightest sample, before the height scale."
        ),
        float_param!(
            input_tile_m,
            "Input tile size",
            "m",
            0.0,
            1.0e9,
            slider(0.0, 100_000.0),
            "Side of the tile that input low and high are half tiles of: heights in metres stay when the tile size changes. 0: half tiles of the tile as it is."
        ),
        text_param!(
            input_formula,
            "Input formula",
            check known::check_formula,
            "Instead of an input image: a formula, as in the generator `formula`, for the \
             heights of the first 2^(input level) cells along each side."
        ),
        int_param!(pin_level, "Pin level", "", 1, 12, slider 8,
            "Pins lie on a lattice of 2^level cells along each side; a pin lifts the ground around it about one cell far. Later passes add finer detail."),
        text_param!(
            crs,
            "Map system",
            check | _,
            text | crate::geo::parse_crs(text).map(|_| ()),
            "Coordinate reference system that GeoTIFF states, EPSG:N; empty: the input's, else none."
        ),
        text_param!(
            origin,
            "Map origin",
            check | _,
            text | crate::geo::parse_origin(text).map(|_| ()),
            "X,Y: coordinates of the north-western sample in GeoTIFF and ASC; empty: the input's, else local ones."
        ),
    ];

    fn check(&self, table: &str) -> Result<(), OutOfRange> {
        crate::param::check_all(self, table)?;
        self.reading.check(&format!("{table}.reading"))?;
        pins::check(self, table)
    }
}

impl Surface {
    /// Checks every value that the chosen generator will use; `most` is the largest number of
    /// iterations that the caller can take.
    pub fn validate(&self, most: u32) -> Result<(), GenerateError> {
        self.check("surface")?;
        self.check_options("surface")?;
        if self.iterations > most {
            return Err(GenerateError::TooManyIterations {
                iterations: self.iterations,
                most,
            });
        }
        Ok(())
    }

    /// Makes the height map. The result depends on `self` and the inputs alone, not on the
    /// number of threads of the rayon pool that this runs in.
    ///
    /// # Errors
    /// A setting out of range, a missing input, no memory, or the job was cancelled.
    pub fn generate(
        &self,
        inputs: &Inputs,
        job: &Job,
        reuse: Option<Heights>,
    ) -> Result<Heightmap, GenerateError> {
        self.validate(MAX_ITERATIONS_IN_MEMORY)?;
        let map = self.dispatch(&Request::new(self, inputs, job, reuse))?;
        Ok(map.checked()?)
    }

    /// What the input's heights are multiplied by: the height scale, and what the tile has
    /// changed since they were half tiles.
    #[must_use]
    pub fn input_scale(&self) -> f32 {
        match self.keeps_its_metres() {
            true => self.height_scale * (self.input_tile_m / self.tile_size_m),
            false => self.height_scale,
        }
    }

    /// Whether the input's heights and its shape are in metres.
    #[must_use]
    pub fn keeps_its_metres(&self) -> bool {
        self.input.is_some() && self.input_tile_m > 0.0
    }

    /// H as asked for; `None` where the generator has none.
    #[must_use]
    pub fn requested_hurst(&self) -> Option<f32> {
        self.generator.has_hurst().then_some(self.hurst)
    }

    /// The map as pictures show it: [`Surface::generate`]'s, but of a map of more than
    /// [`MOST_SHOWN`] samples a side whose rows can stream only every second, fourth … sample, so
    /// that the whole is never in memory.
    ///
    /// # Errors
    /// As [`Surface::generate`].
    pub fn generate_shown(
        &self,
        inputs: &Inputs,
        job: &Job,
        reuse: Option<Heights>,
    ) -> Result<Heightmap, GenerateError> {
        self.validate(MAX_ITERATIONS_IN_MEMORY)?;
        match self.subdivision(inputs, job)? {
            Some(subdivision) if self.is_shown_thinned() => {
                thinned(&subdivision, self.shown_stride(), job, reuse)
            }
            _ => self.generate(inputs, job, reuse),
        }
    }

    /// Whether [`Surface::generate_shown`] may leave samples out.
    pub(crate) fn is_shown_thinned(&self) -> bool {
        self.shown_stride() > 1
    }

    fn shown_stride(&self) -> usize {
        (1 << self.iterations) / (MOST_SHOWN - 1)
    }

    /// The map as a [`Subdivision`], whose rows can be had one after the other without the whole
    /// map in memory; `None` for generators that need it whole.
    ///
    /// # Errors
    /// A setting out of range or a missing input.
    pub fn subdivision(
        &self,
        inputs: &Inputs,
        job: &Job,
    ) -> Result<Option<Subdivision>, GenerateError> {
        self.subdivision_up_to(MAX_ITERATIONS_STREAMED, inputs, job)
    }

    /// As [`Surface::subdivision`], for a map of up to [`MAX_ITERATIONS`], of which
    /// [`crate::fractal::region`] makes a rectangle.
    ///
    /// # Errors
    /// A setting out of range or a missing input.
    pub fn subdivision_of_any_size(
        &self,
        inputs: &Inputs,
        job: &Job,
    ) -> Result<Option<Subdivision>, GenerateError> {
        self.subdivision_up_to(MAX_ITERATIONS, inputs, job)
    }

    fn subdivision_up_to(
        &self,
        most: u32,
        inputs: &Inputs,
        job: &Job,
    ) -> Result<Option<Subdivision>, GenerateError> {
        self.validate(most)?;
        if self.generator != Generator::DiamondSquare {
            return Ok(None);
        }
        let request = Request::new(self, inputs, job, None);
        diamond_square::subdivision(&self.diamond_square, &request).map(Some)
    }
}

/// Whether a setting that may be left out is.
fn is_zero(number: &f32) -> bool {
    *number == 0.0
}

/// Every `stride`-th sample of every `stride`-th row.
fn thinned(
    subdivision: &Subdivision,
    stride: usize,
    job: &Job,
    reuse: Option<Heights>,
) -> Result<Heightmap, GenerateError> {
    let side = (subdivision.side() - 1) / stride + 1;
    let mut heights = buffer(reuse, side * side)?;
    let done = AtomicU64::new(0);
    heights
        .par_chunks_mut(BAND_ROWS * side)
        .enumerate()
        .try_for_each(|(band, thin)| {
            let first = band * BAND_ROWS * stride;
            let last = first + (thin.len() / side - 1) * stride;
            let mut rows = subdivision.rows(first..last + 1);
            for thin_row in thin.chunks_exact_mut(side) {
                job.check()?;
                if let Some(row) = rows.next_row() {
                    for (height, source) in thin_row.iter_mut().zip(row.iter().step_by(stride)) {
                        *height = *source;
                    }
                }
                for _ in 1..stride {
                    rows.next_row();
                }
                job.advance(done.fetch_add(1, Ordering::Relaxed) + 1, side as u64);
            }
            Ok::<(), Cancelled>(())
        })?;
    let wraps = subdivision.rule.edges == diamond_square::Edges::Wrap;
    Ok(Heightmap::new(side, side, wraps, heights).checked()?)
}

/// A buffer of `count` heights, its contents unspecified: the reused one if it fits.
fn buffer(reuse: Option<Heights>, count: usize) -> Result<Heights, GenerateError> {
    match reuse {
        Some(heights) if heights.len() == count => Ok(heights),
        _ => Heights::zeros(count).ok_or(GenerateError::OutOfMemory {
            bytes: count as u64 * 4,
        }),
    }
}

/// Something done with the options of whichever generator is chosen: a section of the panel.
pub trait OptionsVisitor {
    /// Called with the options, whose type depends on the generator.
    fn visit<T: Params>(&mut self, options: &mut T);
}
