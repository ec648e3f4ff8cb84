//! Settings that all generators share: parameter table, ranges and checks.

use super::{GenerateError, Generator, MAX_ITERATIONS, Surface, known, pins};
use crate::util::param::{
    OutOfRange, Params, TableVisitor, Tables, choice_param, float_param, int_param, text_param,
};
use crate::util::table::to_table;

impl Params for Surface {
    const SEEDS: &'static [&'static str] = &["seed"];

    const KEPT: &'static [&'static str] = &[
        "generator",
        "iterations",
        "tile_size_m",
        "input_low",
        "input_high",
        "input_tile_m",
        "pin_level",
    ];

    const PARAMS: &'static [crate::util::param::Param<Self>] = &[
        choice_param!(generator: Generator, "Generator", "The algorithm that makes the ground."),
        crate::util::param::Param {
            key: "seed",
            label: "Seed",
            unit: "",
            help: "Where all randomness starts: the same seed is the same landscape.",
            field: crate::util::param::Field::Seed {
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
            text | crate::terrain::geo::parse_crs(text).map(|_| ()),
            "Coordinate reference system that GeoTIFF states, EPSG:N; empty: the input's, else none."
        ),
        text_param!(
            origin,
            "Map origin",
            check | _,
            text | crate::terrain::geo::parse_origin(text).map(|_| ()),
            "X,Y: coordinates of the north-western sample in GeoTIFF and ASC; empty: the input's, else local ones."
        ),
    ];

    fn check(&self, table: &str) -> Result<(), OutOfRange> {
        crate::util::param::check_all(self, table)?;
        self.reading.check(&format!("{table}.reading"))?;
        pins::check(self, table)?;
        self.check_tables(table)
    }
}

impl Surface {
    /// Check every value that the chosen generator uses; `most` is the largest number of iterations that
    /// the caller supports.
    ///
    /// # Errors
    /// A value is out of range, or there are too many iterations.
    pub fn validate(&self, most: u32) -> Result<(), GenerateError> {
        self.check("surface")?;
        if self.iterations > most {
            return Err(GenerateError::TooManyIterations {
                iterations: self.iterations,
                most,
            });
        }
        Ok(())
    }

    /// Check that the generator `image` has an input image.
    ///
    /// # Errors
    /// It has none.
    pub fn check_input(&self) -> Result<(), GenerateError> {
        let generator = self.generator;
        if generator == Generator::Image && self.input.is_none() {
            return Err(GenerateError::NoInput { generator });
        }
        Ok(())
    }

    /// Factor for the input's heights: the height scale, corrected for a change of the tile size since
    /// the heights were converted to half tiles.
    #[must_use]
    pub fn input_scale(&self) -> f32 {
        if self.keeps_its_metres() {
            self.height_scale * (self.input_tile_m / self.tile_size_m)
        } else {
            self.height_scale
        }
    }

    /// True if the input keeps its heights and its shape in metres.
    #[must_use]
    pub fn keeps_its_metres(&self) -> bool {
        self.input.is_some() && self.input_tile_m > 0.0
    }

    /// True if the generator takes a Hurst exponent.
    #[must_use]
    pub fn has_hurst(&self) -> bool {
        self.chosen().has_hurst()
    }

    /// True if the generator uses an input image.
    #[must_use]
    pub fn takes_image(&self) -> bool {
        self.chosen().takes_image()
    }

    /// True if the generator interpolates between fixed points: pins, and heights from a formula or an
    /// image.
    #[must_use]
    pub fn takes_known_points(&self) -> bool {
        self.chosen().takes_known_points()
    }

    /// Hurst exponent of the settings; `None` if the generator has none.
    #[must_use]
    pub fn requested_hurst(&self) -> Option<f32> {
        self.has_hurst().then_some(self.hurst)
    }

    /// Visit the surface's own table, those of its reading and its pins, and those of all generators;
    /// `place` is the surface's path in the scene.
    pub(crate) fn visit_tables(&mut self, place: &str, visitor: &mut impl TableVisitor) {
        visitor.visit(place, self);
        visitor.visit(&format!("{place}.reading"), &mut self.reading);
        for (index, pin) in self.pins.iter_mut().enumerate() {
            visitor.visit(&format!("{place}.pins.{index}"), pin);
        }
        self.visit_listed(place, visitor);
    }

    /// Add the keys that a surface omits from its table at their defaults, so that each can be set.
    pub(crate) fn write_out(&self, table: &mut toml::Table) {
        table
            .entry("reading")
            .or_insert(to_table(&self.reading).into());
        table
            .entry("pins")
            .or_insert(toml::Value::Array(Vec::new()));
        table.entry("input_tile_m").or_insert(0.0.into());
        for text in ["crs", "origin"] {
            table.entry(text).or_insert("".into());
        }
    }
}
