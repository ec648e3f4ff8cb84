//! Terrain generators: their list, the settings that they share, and the choice of one.
//!
//! A generator is one file with an `Options` struct that implements `Generate`, and one row in the list
//! below. The panel, the command line, the scene file and `landform list` are derived from it.

use std::path::PathBuf;

use crate::fractal::refinement::Refinement;
use crate::util::param::kinds;

mod bands;
mod detail;
pub mod diamond_square;
mod error;
pub mod fault;
pub mod formula;
pub mod fourier;
mod heights;
pub mod hill;
pub mod image;
mod images;
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
mod surface;
pub mod wavelet;

pub use detail::{Detail, Precision};
pub use error::GenerateError;
pub use images::{Image, Images};
pub use reading::{ByteOrder, InputCoding, InputSources, InputUnit, NoData, Reading};
use request::{Generate, Request};

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
        #[serde(with = "seed")]
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
        /// in [`formula::Options`]; default empty, which stands for none.
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
        DiamondSquare = diamond_square: diamond_square::Options, "diamond-square",
            "The classic subdivision by Fournier, Fussell and Carpenter in Martz's form: iterative, and it tiles.";
        Midpoint1d = midpoint_1d: midpoint_1d::Options, "midpoint-1d",
            "A ridge line: the middle of every segment is moved up or down.";
        Midpoint = midpoint: midpoint::Options, "midpoint",
            "Plain midpoint displacement: edges from their two ends, centres from four corners.";
        SquareSquare = square_square: square_square::Options, "square-square",
            "Miller's subdivision: no creases; every point moves a little in every pass.";
        SuccessiveRandomAdditions = successive_random_additions: successive_random_additions::Options, "successive-random-additions",
            "Voss's diamond-square: every point moves again at every half step.";
        RandomDeposition = random_deposition: random_deposition::Options, "random-deposition",
            "Random rectangles, each raised a little.";
        Fault = fault: fault::Options, "fault",
            "Random cuts through the map; one side of each is raised, as by an earthquake.";
        Perlin = perlin: perlin::Options, "perlin",
            "Gradient noise: octaves of smooth bumps, rolling, ridged or billowing.";
        Hill = hill: hill::Options, "hill",
            "Many round hills added up, with flat valleys; or an island.";
        Fourier = fourier: fourier::Options, "fourier",
            "Spectral synthesis: sine waves of every length and direction, with random phases.";
        Wavelet = wavelet: wavelet::Options, "wavelet",
            "Random wavelets of every size, each size 2^−H times as high as the one before.";
        Image = image: image::Options, "image",
            "A grey image as heights: dark is low, bright is high.";
        Formula = formula: formula::Options, "formula",
            "A height for each place from your own formula, such as sin(pi*x)*cos(pi*z).";
    }
}

/// True if an optional setting has the value that stands for none.
fn is_zero(number: &f32) -> bool {
    *number == 0.0
}
