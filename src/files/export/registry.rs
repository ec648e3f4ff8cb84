//! Registry of heightfield and mesh formats with the lookup by file name, and of the game engines that read
//! them, with the sizes that they prefer and the numbers to type in so that a heightfield has its true size.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::error::ExportError;
use super::format::{Format, Header};
use super::names::is_standard_output;
#[cfg(feature = "formats")]
use super::{exr, tiff};
use super::{glb, obj, ply, png, raw, stl};
use crate::shading::maps::{Kind, Map};

/// All heightfield and mesh formats, in display order.
pub const FORMATS: &[Format] = &[
    super::npy::FORMAT,
    super::png::PNG,
    super::png::PNG8,
    super::raw::R16,
    super::raw::R32,
    #[cfg(feature = "formats")]
    super::tiff::F32,
    #[cfg(feature = "formats")]
    super::tiff::U16,
    #[cfg(feature = "formats")]
    super::tiff::COG,
    #[cfg(feature = "formats")]
    super::exr::FORMAT,
    super::asc::FORMAT,
    super::obj::FORMAT,
    super::ply::FORMAT,
    super::stl::FORMAT,
    super::glb::FORMAT,
];

/// Default format, which most programs read.
pub const USUAL: &Format = &png::PNG;

impl Format {
    /// Find a format by its name or by an extension.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        let by_name = FORMATS.iter().find(|format| format.name == name);
        by_name.or_else(|| with_extension(name))
    }
}

/// Find a format by the extension of a file name.
///
/// # Errors
/// [`ExportError::UnknownFormat`]; for standard output [`ExportError::NoFormat`].
pub fn format_of(path: &Path) -> Result<&'static Format, ExportError> {
    if is_standard_output(path) {
        return Err(ExportError::NoFormat);
    }
    let extension = path.extension().unwrap_or_default();
    let extension = extension.to_string_lossy().to_lowercase();
    with_extension(&extension).ok_or_else(|| ExportError::UnknownFormat {
        extension,
        allowed: extensions(),
        path: path.to_owned(),
    })
}

fn with_extension(extension: &str) -> Option<&'static Format> {
    let has_it =
        |format: &&Format| format.extension == extension || format.also.contains(&extension);
    FORMATS.iter().find(has_it)
}

/// Formats available for a map. If several share an extension, the first is the default for a file.
#[must_use]
pub fn formats_of_map(map: &Map) -> Vec<&'static Format> {
    let heights = FORMATS.iter().filter(|format| !format.is_mesh());
    match map.kind {
        Kind::Heights => FORMATS.iter().collect(),
        Kind::WaterSurface | Kind::Relief(_) | Kind::Whole(_) | Kind::Snow(_) | Kind::Plants(_) => {
            heights.collect()
        }
        // Clouds have no place on the ground, so no georeference.
        Kind::Clouds => heights.filter(|format| !format.says_north).collect(),
        Kind::Normal(_) => vec![&png::PNG8, &png::PNG],
        Kind::Bands(_) | Kind::Materials | Kind::Paint(_) | Kind::Colors | Kind::Sky => {
            vec![&png::PNG8]
        }
    }
}

/// Format of a map's file: the requested one, else by the extension.
///
/// # Errors
/// There is no such format, or the map is not available in it.
pub fn format_of_map(
    path: &Path,
    map: &Map,
    asked: Option<&'static Format>,
) -> Result<&'static Format, ExportError> {
    let named = asked.map_or_else(|| format_of(path), Ok)?;
    let formats = formats_of_map(map);
    let fits = |format: &&&'static Format| match asked {
        Some(asked) => format.name == asked.name,
        None => format.extension == named.extension,
    };
    let found = formats.iter().find(fits).copied();
    found.ok_or_else(|| ExportError::MapFormat {
        map: map.name,
        format: named.name,
        allowed: names(formats).join(", "),
        path: path.to_owned(),
    })
}

/// Names of formats.
pub fn names<'a>(formats: impl IntoIterator<Item = &'a Format>) -> Vec<&'static str> {
    formats.into_iter().map(|format| format.name).collect()
}

/// Names of the mesh formats, for messages.
#[must_use]
pub fn mesh_names() -> Vec<&'static str> {
    names(FORMATS.iter().filter(|format| format.is_mesh()))
}

/// Extensions of all formats, for messages: `npy, png, …`.
#[must_use]
pub fn extensions() -> String {
    let mut names: Vec<_> = FORMATS.iter().map(|format| format.extension).collect();
    names.extend(FORMATS.iter().rev().flat_map(|format| format.also));
    names.dedup();
    names.join(", ")
}

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
    /// Sizes that a folder for the engine may have, in samples along the longer side, ascending.
    pub sizes: &'static [usize],
    /// True if the engine takes square heightfields only.
    pub is_square: bool,
    /// True if the engine reads the southern row of bare numbers first.
    pub south_first: bool,
    /// Extension of the file with plants that it reads best.
    pub plants: &'static str,
    /// Directions of its axes.
    pub axes: Axes,
    /// Menu or dialog where the numbers are entered.
    pub place: &'static str,
    /// Numbers, by the engine's own names for them.
    pub numbers: fn(&Scaling) -> Vec<(&'static str, f64)>,
    /// Advice beyond the numbers.
    pub note: fn(&Scaling) -> &'static str,
}

/// Directions of the axes of an engine, and the unit along them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Axes {
    /// Axis that points east.
    pub east: &'static str,
    /// Axis that points north.
    pub north: &'static str,
    /// Axis that points up.
    pub up: &'static str,
    /// `left` or `right`.
    pub handedness: &'static str,
    /// Unit of lengths.
    pub unit: &'static str,
}

impl Axes {
    /// Number of units in a metre.
    #[must_use]
    pub fn units_per_metre(&self) -> f64 {
        match self.unit {
            "centimetres" => 100.0,
            _ => 1.0,
        }
    }
}

impl Engine {
    /// Find an engine by its name, in any case.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        let is_it = |engine: &&Self| engine.name.eq_ignore_ascii_case(name);
        ENGINES.iter().find(is_it)
    }

    /// The nearest of the engine's sizes to a map of so many samples along the longer side.
    #[must_use]
    pub fn nearest_size(&self, samples: usize) -> usize {
        nearest(samples, self.sizes.iter().copied())
    }

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
        // Smaller ones are of one or two components.
        sizes: &[505, 1009, 2017, 4033, 8129],
        is_square: true,
        south_first: false,
        plants: "usda",
        axes: Axes {
            east: "+X",
            north: "-Y",
            up: "+Z",
            handedness: "left",
            unit: "centimetres",
        },
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
        sizes: &[513, 1025, 2049, 4097],
        is_square: true,
        south_first: true,
        plants: "csv",
        axes: Axes {
            east: "+X",
            north: "+Z",
            up: "+Y",
            handedness: "left",
            unit: "metres",
        },
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
        // Terrain3D cuts a map into regions of 64 to 2048 samples a side, which these fill.
        sizes: &[512, 1024, 2048, 4096, 8192],
        is_square: false,
        south_first: false,
        plants: "csv",
        axes: Axes {
            east: "+X",
            north: "-Z",
            up: "+Y",
            handedness: "right",
            unit: "metres",
        },
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
        // Sizes of the maps themselves, so that a Grid has a vertex for each sample.
        sizes: &[257, 513, 1025, 2049, 4097],
        is_square: false,
        south_first: false,
        plants: "glb",
        axes: Axes {
            east: "+X",
            north: "+Y",
            up: "+Z",
            handedness: "right",
            unit: "metres",
        },
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

/// Landscape sizes that Unreal's documentation recommends, in samples a side.
pub const UNREAL: [usize; 7] = [127, 253, 505, 1009, 2017, 4033, 8129];

/// Number of samples along the longer side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Resolution {
    /// Same as the map: 2^iterations + 1 for most generators.
    #[default]
    AsIs,
    /// Nearest power of two. A map with sides of one more is cropped by its last row and column, which
    /// repeat the first ones if it wraps; any other map is resampled.
    PowerOfTwo,
    /// Nearest power of two plus one.
    PowerOfTwoPlusOne,
    /// Nearest of [`UNREAL`].
    Unreal,
    /// Exactly this number.
    Exactly(usize),
}

impl Resolution {
    /// Rows and columns of the file of a map. Samples are equally spaced both ways, so the shorter side
    /// follows from the map's shape.
    #[must_use]
    pub fn of(self, rows: usize, columns: usize) -> [usize; 2] {
        if self.is_crop(rows, columns) {
            return [rows, columns].map(|side| (side - 1).max(1));
        }
        let longer = rows.max(columns);
        let wanted = match self {
            Self::AsIs => return [rows, columns],
            Self::PowerOfTwo => nearest(longer, powers()),
            Self::PowerOfTwoPlusOne => nearest(longer, powers().map(|power| power + 1)),
            Self::Unreal => nearest(longer, UNREAL.into_iter()),
            Self::Exactly(samples) => samples.max(2),
        };
        [rows, columns].map(|side| {
            // A profile keeps its one row.
            if side == 1 {
                return 1;
            }
            let cells = (wanted - 1) as f64 * (side - 1) as f64;
            (cells / (longer - 1) as f64).round().max(1.0) as usize + 1
        })
    }

    /// True if a streamed map need not be resampled in memory.
    #[must_use]
    pub fn streams(self) -> bool {
        // A streamed map has 2^n + 1 samples a side, so these sizes need no resampling.
        matches!(
            self,
            Self::AsIs | Self::PowerOfTwo | Self::PowerOfTwoPlusOne
        )
    }

    /// True if the file is the map without its last row and column.
    pub(super) fn is_crop(self, rows: usize, columns: usize) -> bool {
        let loses_one = |side: usize| side == 1 || (side > 2 && (side - 1).is_power_of_two());
        self == Self::PowerOfTwo && rows.max(columns) > 1 && loses_one(rows) && loses_one(columns)
    }
}

/// Powers of two up to the maximum side of a file: 2, 4, 8 …
fn powers() -> impl Iterator<Item = usize> {
    (1..=31).map(|power| 1 << power)
}

/// Size that differs by the smallest factor.
fn nearest(side: usize, sizes: impl Iterator<Item = usize>) -> usize {
    let factor = |size: &usize| (*size as f64 / side as f64).ln().abs();
    sizes
        .min_by(|a, b| factor(a).total_cmp(&factor(b)))
        .unwrap_or(side)
}
