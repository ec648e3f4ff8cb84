//! Settings that all generators share: parameter table, ranges and checks.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::fractal::refinement::{Function, Refinement};
use crate::fractal::{Edges, Subdivision};
use crate::generate::diamond_square::{self, Own};
use crate::generate::{
    Detail, GenerateError, Generator, Images, MAX_ITERATIONS, MAX_ITERATIONS_IN_MEMORY,
    MAX_ITERATIONS_STREAMED, MOST_SHOWN, Request, Surface, buffer, pins,
};
use crate::terrain::heightmap::{Heightmap, Heights};
use crate::util::job::{Cancelled, Job};
use crate::util::parallel;
use crate::util::param::{
    Field, OutOfRange, Param, Params, TableVisitor, Tables, check_all, choice_param, float_param,
    int_param, text_param, to_table,
};

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

    const ADVANCED: &'static [&'static str] = &[
        "input_low",
        "input_high",
        "input_tile_m",
        "input_formula",
        "pin_level",
        "crs",
        "origin",
    ];

    const SYNONYMS: &'static [(&'static str, &'static str)] = &[
        (
            "generator",
            "algorithm, noise, fractal, ridge, ridged, warp",
        ),
        ("seed", "random, variation, dice"),
        (
            "iterations",
            "resolution, size, samples, detail, subdivision, levels, quality",
        ),
        (
            "hurst",
            "roughness, smoothness, fractal dimension, persistence, gain",
        ),
        (
            "height_scale",
            "amplitude, vertical exaggeration, mountain height, relief, elevation",
        ),
        (
            "tile_size_m",
            "world size, width, extent, kilometres, metres, scale",
        ),
    ];

    const PARAMS: &'static [Param<Self>] = &[
        choice_param!(generator: Generator, "Generator", "The algorithm that makes the ground."),
        Param {
            key: "seed",
            label: "Seed",
            unit: "",
            help: "Starting value of all random numbers: the same seed gives the same landscape.",
            field: Field::Seed {
                get: |owner| owner.seed,
                set: |owner, value| owner.seed = value,
            },
        },
        int_param!(iterations, "Iterations", "", 1, MAX_ITERATIONS, slider 13,
            "How many times the grid is halved: n gives (2^n + 1)² samples. More iterations add detail; with subdivision and Perlin noise all earlier points stay in place."),
        float_param!(hurst, "H", "", 0.0, 1.0, slider: (0.0, 1.0),
            "Hurst exponent: 0 is rough, 1 is smooth. Each pass moves points 2^−H times as far as the one before."),
        float_param!(height_scale, "Height scale", "", 0.0, 1000.0, slider: (0.0, 3.0),
            "Multiplies every height. At 1 the first pass moves points by up to half a tile."),
        float_param!(tile_size_m, "Tile size", "m", 0.001, 1.0e9, slider: (100.0, 100_000.0),
            "Length of a tile's side in metres, for files, contours and the eye height; the landscape keeps its shape."),
        float_param!(input_low, "Input low", "half tiles", -1.0e12, 1.0e12, slider: (-1.0, 1.0),
            "Height of the input image's darkest sample, before the height scale."),
        float_param!(input_high, "Input high", "half tiles", -1.0e12, 1.0e12, slider: (-1.0, 1.0),
            "Height of the input image's brightest sample, before the height scale."),
        float_param!(input_tile_m, "Input tile size", "m", 0.0, 1.0e9, slider: (0.0, 100_000.0),
            "Tile size to which Input low and Input high refer, so that heights in metres stay \
             the same when the tile size changes. 0: the current tile size."),
        text_param!(input_formula, "Input formula", check: pins::check_formula,
            "Instead of an input image: a formula, as in the generator `formula`, for the \
             heights of the first 2^(input level) cells along each side."),
        int_param!(pin_level, "Pin level", "", 1, 12, slider 8,
            "Pins lie on a lattice of 2^level cells along each side; a pin lifts the ground around it about one cell far. Later passes add finer detail."),
        text_param!(crs, "Map system", check: |_, text| crate::terrain::geo::parse_crs(text).map(|_| ()),
            "Coordinate reference system to write into GeoTIFF, EPSG:N; empty: that of the input, \
             if it has one."),
        text_param!(origin, "Map origin", check: |_, text| crate::terrain::geo::parse_origin(text).map(|_| ()),
            "X,Y: coordinates of the north-western sample in GeoTIFF and ASC; empty: those of the \
             input, otherwise local ones."),
    ];

    fn check(&self, table: &str) -> Result<(), OutOfRange> {
        check_all(self, table)?;
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

// From a surface to its heights: the whole map, a decimated map for pictures, or row by row.

/// Number of rows of a decimated map that a thread makes in one go.
const BAND_ROWS: usize = 64;

impl Surface {
    /// Generate the height map, in half tiles. The result depends on `self` and the images alone, not
    /// on the number of threads of the current rayon pool. `reuse` is a buffer whose memory may be used.
    ///
    /// # Errors
    /// A setting is out of range, an input is missing, there is not enough memory, or the job was
    /// cancelled.
    pub fn generate(
        &self,
        images: &Images,
        job: &Job,
        reuse: Option<Heights>,
    ) -> Result<Heightmap, GenerateError> {
        self.validate(MAX_ITERATIONS_IN_MEMORY)?;
        let map = self
            .chosen()
            .generate(&Request::new(self, images, job, reuse))?;
        Ok(map.checked()?)
    }

    /// Generate the map for pictures. It equals [`Surface::generate`], except for a map with more than
    /// [`MOST_SHOWN`] samples a side whose rows can stream: of it only every second, fourth … sample is
    /// made, so that the whole map is never in memory.
    ///
    /// # Errors
    /// The same as those of [`Surface::generate`].
    pub fn generate_shown(
        &self,
        images: &Images,
        job: &Job,
        reuse: Option<Heights>,
    ) -> Result<Heightmap, GenerateError> {
        self.validate(MAX_ITERATIONS_IN_MEMORY)?;
        match self.subdivision(images, job)? {
            Some(subdivision) if self.shown_stride() > 1 => {
                thinned(&subdivision, self.shown_stride(), job, reuse)
            }
            _ => self.generate(images, job, reuse),
        }
    }

    /// Decimation of [`Surface::generate_shown`]: the distance between its samples along each side, in
    /// samples of the full map: 1, 2, 4 …
    #[must_use]
    pub fn shown_stride(&self) -> usize {
        if self.generator == Generator::DiamondSquare {
            ((1usize << self.iterations) / (MOST_SHOWN - 1)).max(1)
        } else {
            1
        }
    }

    /// Surface as a [`Subdivision`], whose rows can be made one by one without the whole map in memory;
    /// `None` for generators that need the whole map.
    ///
    /// # Errors
    /// A setting is out of range, an input is missing, or the job was cancelled.
    pub fn subdivision(
        &self,
        images: &Images,
        job: &Job,
    ) -> Result<Option<Subdivision>, GenerateError> {
        self.subdivision_below(&Detail::default(), 0, images, job)
    }

    /// Surface as in [`Surface::subdivision`], with `levels` finer levels. With default detail settings
    /// this is the map with as many more iterations.
    ///
    /// # Errors
    /// A setting is out of range, an input is missing, or the job was cancelled.
    pub fn subdivision_below(
        &self,
        detail: &Detail,
        levels: u32,
        images: &Images,
        job: &Job,
    ) -> Result<Option<Subdivision>, GenerateError> {
        self.deeper(detail, levels, MAX_ITERATIONS_STREAMED, images, job)
    }

    /// Surface as in [`Surface::subdivision_below`], for a map of up to [`MAX_ITERATIONS`] iterations that
    /// is evaluated in rectangles.
    ///
    /// # Errors
    /// A setting is out of range, an input is missing, or the job was cancelled.
    pub fn refinement(
        &self,
        detail: &Detail,
        levels: u32,
        images: &Images,
        job: &Job,
    ) -> Result<Option<Refinement>, GenerateError> {
        let subdivision = self.deeper(detail, levels, MAX_ITERATIONS, images, job)?;
        let single_to = detail.single_to(self.iterations, levels);
        Ok(subdivision.map(|subdivision| Refinement::of(subdivision, single_to)))
    }

    /// Continuous function behind the samples, for generators that have one; it is defined at every
    /// depth.
    ///
    /// # Errors
    /// The expression is not a formula.
    ///
    /// # Panics
    /// A setting of the generator is out of range.
    pub fn function(&self, detail: &Detail) -> Result<Option<Function>, GenerateError> {
        self.chosen().function(self, detail)
    }

    fn deeper(
        &self,
        detail: &Detail,
        levels: u32,
        most: u32,
        images: &Images,
        job: &Job,
    ) -> Result<Option<Subdivision>, GenerateError> {
        let deeper = Self {
            iterations: self.iterations.saturating_add(levels),
            ..self.clone()
        };
        deeper.validate(most)?;
        if self.generator != Generator::DiamondSquare {
            return Ok(None);
        }
        let hurst = detail.hurst.unwrap_or(self.hurst);
        let goes_on = (hurst, detail.strength) == (self.hurst, 1.0);
        let own = Own {
            from: self.iterations,
            hurst,
            strength: detail.strength,
        };
        let own = (!goes_on && levels > 0).then_some(own);
        let request = Request::new(&deeper, images, job, None);
        diamond_square::subdivision(&self.diamond_square, &request, own).map(Some)
    }
}

/// Evaluate every `stride`-th sample of every `stride`-th row.
fn thinned(
    subdivision: &Subdivision,
    stride: usize,
    job: &Job,
    reuse: Option<Heights>,
) -> Result<Heightmap, GenerateError> {
    let side = (subdivision.side() - 1) / stride + 1;
    let mut heights = buffer(reuse, side * side)?;
    let done = AtomicU64::new(0);
    parallel::par_items(heights.chunks_mut(BAND_ROWS * side)).try_each(|band, thin| {
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
    let wraps = subdivision.rule.edges == Edges::Wrap;
    Ok(Heightmap::new(side, side, wraps, heights).checked()?)
}
