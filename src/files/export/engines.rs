//! Import settings of game engines: the numbers to type in so that an exported heightfield has its true
//! size.

use super::format::Format;
use super::header::Header;
use super::resolution::Resolution;
#[cfg(feature = "formats")]
use super::{exr, tiff};
use super::{glb, obj, ply, png, raw, stl};

/// A game engine or 3-D program that reads heightfields.
#[derive(Debug)]
pub struct Engine {
    /// Name of the engine.
    pub name: &'static str,
    /// Heightfield formats that it reads, the best first.
    pub formats: &'static [&'static Format],
    /// Mesh formats that it opens without import settings.
    pub meshes: &'static [&'static Format],
    /// Preferred number of samples.
    pub samples: Resolution,
    /// Menu or dialog where the numbers are entered.
    pub place: &'static str,
    /// Numbers, by the engine's own names for them.
    pub numbers: fn(&Scaling) -> Vec<(&'static str, f64)>,
    /// Advice beyond the numbers.
    pub note: fn(&Scaling) -> &'static str,
}

impl Engine {
    /// True if the engine reads a heightfield format.
    #[must_use]
    pub fn reads(&self, format: &Format) -> bool {
        self.formats.iter().any(|known| known.name == format.name)
    }

    /// True if the engine opens a mesh format.
    #[must_use]
    pub fn opens(&self, format: &Format) -> bool {
        self.meshes.iter().any(|known| known.name == format.name)
    }
}

/// True size of an exported heightfield.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scaling {
    /// Samples from west to east.
    pub columns: usize,
    /// Samples from north to south.
    pub rows: usize,
    /// Distance between neighbouring samples, in metres.
    pub metres_per_sample: f64,
    /// Height of the number 0, in metres.
    pub low_m: f64,
    /// Height difference between 0 and the highest whole number, in metres; of floats between 0 and 1.
    pub span_m: f64,
    /// True if the southern row comes first.
    pub flipped: bool,
}

impl Scaling {
    /// True size of a file in a format.
    #[must_use]
    pub fn new(format: &Format, header: &Header<'_>) -> Self {
        let metres = header.metres_per_unit();
        let above = header.above() * metres;
        let (low, high) = header.range;
        let (low, high) = match format.levels {
            Some(_) => (f64::from(low) * metres, f64::from(high) * metres),
            None => {
                // Invert the scale of the file to get heights.
                let at = |number: f64| header.scale_of_heights().height(number) * metres;
                (at(0.0), at(1.0))
            }
        };
        Self {
            columns: header.columns,
            rows: header.rows,
            metres_per_sample: header.metres_per_sample(),
            low_m: above + low,
            span_m: high - low,
            flipped: header.piece.flipped,
        }
    }

    fn width_m(&self) -> f64 {
        (self.columns - 1) as f64 * self.metres_per_sample
    }

    fn depth_m(&self) -> f64 {
        (self.rows - 1) as f64 * self.metres_per_sample
    }
}

/// All engines, in display order.
pub const ENGINES: &[Engine] = &[
    Engine {
        name: "Unreal",
        formats: &[&png::PNG, &raw::R16],
        meshes: &[&glb::FORMAT, &obj::FORMAT],
        samples: Resolution::Unreal,
        place: "Landscape mode, New, Import from File",
        // At a Z scale of 1, one step is 1/128 cm.
        numbers: |of| {
            let step_cm = of.span_m * 100.0 / 65_535.0;
            vec![
                ("Scale X", of.metres_per_sample * 100.0),
                ("Scale Y", of.metres_per_sample * 100.0),
                ("Scale Z", step_cm * 128.0),
                // Step 32768 lies at the actor's height.
                ("Location Z", of.low_m * 100.0 + 32_768.0 * step_cm),
            ]
        },
        note: |_| "Use one of Unreal's own sizes: others are padded or cropped.",
    },
    Engine {
        name: "Unity",
        formats: &[&raw::R16],
        meshes: &[&obj::FORMAT],
        samples: Resolution::PowerOfTwoPlusOne,
        place: "Terrain Settings, Import Raw: Depth 16 bit, Byte Order Windows",
        numbers: |of| {
            vec![
                ("Resolution", of.columns as f64),
                ("Terrain Width", of.width_m()),
                ("Terrain Length", of.depth_m()),
                ("Terrain Height", of.span_m),
                ("Position Y", of.low_m),
            ]
        },
        note: |of| {
            if of.flipped {
                "Square, in a size of 2^n + 1: cut other maps with regions or tiles. The southern \
                 row is first, as Unity reads it."
            } else {
                "Square, in a size of 2^n + 1: cut other maps with regions or tiles. Unity reads \
                 from the south: tick Flip Vertically, or write the southern row first."
            }
        },
    },
    Engine {
        name: "Godot",
        // Terrain3D takes a .png for one of 8 bits, hence no PNG here.
        formats: &[
            &raw::R16,
            #[cfg(feature = "formats")]
            &exr::FORMAT,
        ],
        meshes: &[&glb::FORMAT, &obj::FORMAT],
        samples: Resolution::AsIs,
        place: "Terrain3D, Import: Height File; of an .r16 also R16 Range and R16 Size",
        numbers: |of| {
            vec![
                ("Vertex Spacing", of.metres_per_sample),
                ("R16 Size X", of.columns as f64),
                ("R16 Size Y", of.rows as f64),
                ("R16 Range from", of.low_m),
                ("R16 Range to", of.low_m + of.span_m),
                ("Import Scale", of.span_m),
                ("Height Offset", of.low_m),
            ]
        },
        note: |_| "Scale and Offset are for .exr; an .r16 has its range instead.",
    },
    Engine {
        name: "Blender",
        formats: &[
            #[cfg(feature = "formats")]
            &exr::FORMAT,
            &png::PNG,
            #[cfg(feature = "formats")]
            &tiff::U16,
        ],
        meshes: &[&glb::FORMAT, &obj::FORMAT, &ply::FORMAT, &stl::FORMAT],
        samples: Resolution::AsIs,
        place: "a Grid with a Displace modifier: Coordinates UV, the image as its texture, Non-Color",
        numbers: |of| {
            vec![
                ("Size X", of.width_m()),
                ("Size Y", of.depth_m()),
                ("X Subdivisions", (of.columns - 1) as f64),
                ("Y Subdivisions", (of.rows - 1) as f64),
                ("Strength", of.span_m),
                ("Midlevel", 0.0),
                ("Location Z", of.low_m),
            ]
        },
        note: |_| {
            "Without Coordinates UV the image is spread over 2 m. Sizes other than square go into \
             Scale."
        },
    },
];
