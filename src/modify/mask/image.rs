//! Mask by a grey image stretched over the map, corner to corner: black is 0, white is 1.
//!
//! For an image of whole numbers white is the highest possible number; for other numbers the lowest is 0
//! and the highest is 1. Interpolation is bilinear. On a map that wraps the image repeats with the map:
//! the last row and column are the first ones.

use std::path::PathBuf;

use super::{Context, MaskError};
use crate::modify::mask::{FillRow, MadeQuantity, Quantity, Source, Span, SpanKind};
use crate::terrain::grid::Grid;
use crate::terrain::heightmap::Heightmap;
use crate::util::param::{
    Field, OutOfRange, Param, Params, check_all, check_order, float_param, options,
};

options! {
    /// Image, and its range of grey.
    pub struct ImageMaskOptions {
        /// Path of the image, or `builtin:NAME`; default `builtin:jacksboro`.
        pub path: PathBuf = "builtin:jacksboro".into(),
        /// Length and checksum of the image, in files that name it; users need not set it.
        #[serde(skip_serializing_if = "String::is_empty")]
        pub checksum: String,
        /// Darkest grey with full weight, 0…1; default 0.5.
        pub low: f32 = 0.5,
        /// Brightest grey with full weight, `low`…1; default 1.
        pub high: f32 = 1.0,
        /// Width of the fade at either end, in grey, 0…1; default 0.5, which begins at black.
        pub soft: f32 = 0.5,
    }
}

impl Params for ImageMaskOptions {
    const PARAMS: &'static [Param<Self>] = &[
        Param {
            key: "path",
            label: "Mask image",
            unit: "",
            help: "The path of a grey image that is laid over the map: black is 0, white is 1.",
            field: Field::Text {
                get: |options| options.path.to_string_lossy().into_owned(),
                set: |options, text| {
                    options.path = text.into();
                    options.checksum.clear();
                },
                check: |_, text| check_path(text),
            },
        },
        float_param!(low, "Mask low", "", 0.0, 1.0, slider: (0.0, 1.0),
            "Lowest grey at which the mask acts in full."),
        float_param!(high, "Mask high", "", 0.0, 1.0, slider: (0.0, 1.0),
            "Highest grey at which the mask acts in full."),
        float_param!(soft, "Soft ends", "", 0.0, 1.0, slider: (0.0, 1.0),
            "Width over which the mask fades out beyond either end of the range."),
    ];

    fn check(&self, table: &str) -> Result<(), OutOfRange> {
        check_all(self, table)?;
        check_order(table, ("low", self.low), ("high", self.high))
    }
}

/// Check that a text can be the path of an image: it has an extension, or names a built-in image.
fn check_path(text: &str) -> Result<(), String> {
    let extension = std::path::Path::new(text).extension();
    let extension = extension.and_then(|extension| extension.to_str());
    let is_file = extension.is_some_and(|e| e.starts_with(|c: char| c.is_ascii_alphabetic()));
    if is_file || text.starts_with("builtin:") {
        return Ok(());
    }
    Err("the path of an image, such as mask.png".to_owned())
}

impl Source for ImageMaskOptions {
    fn span(&self) -> Span {
        Span {
            low: self.low,
            high: self.high,
            soft: self.soft,
            kind: SpanKind::Linear,
        }
    }

    fn quantity<'a>(&'a self, map: &'a Heightmap, context: &Context<'a>) -> MadeQuantity<'a> {
        let image = context.images.named(&self.path);
        let image = image.ok_or_else(|| MaskError::NotRead {
            path: self.path.clone(),
        })?;
        let grid = &*image.grid;
        let (dark, bright) = match image.top {
            Some(top) => (0.0, f32::from(top)),
            None => grid.range(),
        };
        let scale = if bright > dark {
            1.0 / (bright - dark)
        } else {
            0.0
        };
        let places = |samples, pixels| -> Vec<Place> {
            let place = |index| Place::new(index, samples, pixels, map.wraps());
            (0..samples).map(place).collect()
        };
        Ok(Box::new(Picture {
            grid,
            dark,
            scale,
            down: places(map.rows(), grid.rows()),
            across: places(map.columns(), grid.columns()),
        }))
    }
}

/// Image over a map.
struct Picture<'a> {
    grid: &'a Grid<f32>,
    dark: f32,
    scale: f32,
    down: Vec<Place>,
    across: Vec<Place>,
}

/// Position of a sample of the map in the image: between two pixels, at the fraction `part`.
struct Place {
    pixels: [usize; 2],
    part: f32,
}

impl Place {
    fn new(index: usize, samples: usize, pixels: usize, wraps: bool) -> Self {
        let (cells, last) = ((samples - 1).max(1), pixels - 1);
        let index = if wraps { index % cells } else { index };
        // Integer division finds the pixels, so that an image of the map's size is reproduced exactly.
        let (whole, rest) = (index * last / cells, index * last % cells);
        Self {
            pixels: [whole, (whole + 1).min(last)],
            part: (rest as f64 / cells as f64) as f32,
        }
    }

    fn between(&self, numbers: &[f32]) -> f32 {
        let [a, b] = self.pixels.map(|pixel| numbers[pixel]);
        a + self.part * (b - a)
    }
}

impl Quantity for Picture<'_> {
    fn rows(&self) -> FillRow<'_> {
        let mut line = vec![0.0; self.grid.columns()];
        Box::new(move |row, _, out| {
            let place = &self.down[row];
            let [north, south] = place.pixels.map(|pixel| self.grid.row(pixel));
            for (grey, (a, b)) in line.iter_mut().zip(north.iter().zip(south)) {
                *grey = (a + place.part * (b - a) - self.dark) * self.scale;
            }
            for (out, across) in out.iter_mut().zip(&self.across) {
                *out = across.between(&line);
            }
        })
    }
}
