//! Georeferencing of a raster: from the numbers of a header, from world files and other companions.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::file::{extension, read_text};
use super::reader::{Broken, Raster};
use crate::terrain::geo::{
    Ellipsoid, FOOT, Georeference, Keys, SURVEY_FOOT, Unit, code_of_text, known_unit,
};

/// The EPSG code assumed for degrees without a stated system.
const WGS_84: u16 = 4326;
/// The largest cell size, without a stated system, that is taken for degrees.
const MOST_DEGREES: f64 = 1.0;

/// The mean length of a degree of latitude, in metres, for cells at an unknown position.
const MEAN_DEGREE_M: f64 = 111_195.0;

/// Upright grid in the coordinates of a reference system.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placed {
    /// The centre of the north-western sample, if it is known.
    pub north_west: Option<[f64; 2]>,
    /// The sample spacing eastwards and southwards, both above 0.
    pub step: [f64; 2],
}

/// Coordinate reference system of a grid.
#[derive(Clone, Debug, PartialEq)]
pub enum System {
    /// A known system, as GeoTIFF keys with its unit.
    Known(Keys, Unit),
    /// No stated system: degrees if all cells lie on the earth and none exceeds one degree, else metres.
    Unnamed,
    /// A local system in metres: a file written by Landform.
    Local,
}

impl System {
    /// Find a built-in system by its EPSG code.
    pub fn of_code(code: u16) -> Option<Self> {
        let unit = known_unit(code)?;
        Some(Self::Known(Keys::of_epsg(code, unit), unit))
    }
}

/// Set the position of a raster and its sample spacing on the ground.
pub fn place(raster: &mut Raster, placed: Placed, system: System) {
    let Placed { north_west, step } = placed;
    let down = (raster.rows.max(1) - 1) as f64 * step[1];
    let across = (raster.columns.max(1) - 1) as f64 * step[0];
    let stated = &mut raster.stated;
    stated.names_no_system = match &system {
        System::Known(keys, _) => keys.is_empty(),
        System::Unnamed => true,
        System::Local => false,
    };
    let (keys, unit) = match system {
        System::Known(keys, unit) => (keys, unit),
        System::Local => (Keys::default(), Unit::Metres(1.0)),
        System::Unnamed => {
            let on_earth = |[west, north]: [f64; 2]| {
                let south = north - down;
                // Local systems usually start at 0, 0.
                (west, south) != (0.0, 0.0)
                    && (-180.5..=360.5).contains(&west)
                    && west + across <= 360.5
                    && north <= 90.5
                    && south >= -90.5
            };
            let is_small = step[0].max(step[1]) <= MOST_DEGREES && north_west.is_some_and(on_earth);
            if is_small {
                let words = "coordinates in degrees (WGS 84)";
                stated.assumed_spacing.push(words.to_owned());
                let unit = Unit::Degrees(1.0);
                (Keys::of_epsg(WGS_84, unit), unit)
            } else {
                let words = "coordinates in metres";
                stated.assumed_spacing.push(words.to_owned());
                (Keys::default(), Unit::Metres(1.0))
            }
        }
    };
    stated.step_m = Some(match unit {
        Unit::Metres(metres) => step.map(|step| step * metres),
        Unit::Degrees(degrees) => {
            let step = step.map(|step| step * degrees);
            match north_west {
                Some([_, north]) => metres_of_degrees(step, (north - down / 2.0) * degrees),
                None => {
                    let words = "the equator, since no place is given";
                    stated.assumed_spacing.push(words.to_owned());
                    step.map(|step| step * MEAN_DEGREE_M)
                }
            }
        }
    });
    stated.place = north_west.map(|origin| Georeference {
        keys,
        unit,
        text: String::new(),
        origin,
        east: [step[0], 0.0],
        south: [0.0, -step[1]],
    });
}

/// Lengths of a step in degrees at a latitude on the earth, eastwards and southwards, in metres.
fn metres_of_degrees(step: [f64; 2], latitude: f64) -> [f64; 2] {
    let degree = Ellipsoid::WGS_84.metres_of_degree(latitude);
    [step[0].abs() * degree[0], step[1].abs() * degree[1]]
}

// Companion files of a raster: world files, coordinate reference systems (`.prj`), GDAL's `.aux.xml`, and
// masks.

/// The size limit of a companion file, in bytes.
const MOST_BYTES: u64 = 1 << 20;
/// Elements of an `.aux.xml` file that change heights or positions.
const CHANGES: &[&str] = &[
    "<SRS",
    "<GeoTransform",
    "<GCPList",
    "<NoDataValue",
    "<UnitType",
    "<Scale",
    "<Offset",
    "<MaskBand",
    "<Subdatasets",
    "<ColorTable",
    "<GDALRasterAttributeTable",
    "domain=\"GEOLOCATION\"",
    "domain=\"RPC\"",
];

/// Companion files of a raster file, parsed.
#[derive(Clone, Debug, Default)]
pub struct Companions {
    /// The six numbers of a world file, in its order; the last two are the centre of the first sample.
    world: Option<[f64; 6]>,
    /// The text of a `.prj` file.
    system: Option<String>,
    /// A short description of a companion that is not supported here.
    foreign: Option<&'static str>,
    /// The paths of all companions found.
    pub files: Vec<PathBuf>,
}

impl Companions {
    /// Find the companion files of a path.
    pub fn of(path: &Path) -> Self {
        let mut found = Self::default();
        let end = extension(path);
        let mut letters = end.chars();
        let short: String = { letters.next().into_iter() }
            .chain(letters.next_back())
            .chain(['w'])
            .collect();
        for world in [short, format!("{end}w"), "wld".to_owned()] {
            let texts =
                [world.to_uppercase(), world].map(|end| found.text(path.with_extension(end)));
            let world = texts.into_iter().flatten().find_map(|text| world_of(&text));
            found.world = found.world.or(world);
        }
        let system = found.text(path.with_extension("prj"));
        found.system = system.or_else(|| found.text(path.with_extension("PRJ")));
        let beside = |end: &str| {
            let mut name = OsString::from(path);
            name.push(end);
            PathBuf::from(name)
        };
        if let Some(text) = found.text(beside(".aux.xml"))
            && CHANGES.iter().any(|change| text.contains(change))
        {
            found.foreign = Some("what its .aux.xml file says");
        }
        let mask = beside(".msk");
        if mask.is_file() {
            found.foreign = Some("the mask in its .msk file");
            found.files.push(mask);
        }
        found
    }

    fn text(&mut self, path: PathBuf) -> Option<String> {
        let text = read_text(&path, MOST_BYTES);
        if text.is_err() && path.is_file() {
            self.foreign = Some("a file next to it, which is not text or is too long");
        }
        let text = text.ok()?;
        self.files.push(path);
        Some(text)
    }

    /// Add georeferencing from the companion files where the file itself has none.
    ///
    /// # Errors
    /// A companion is not supported here.
    pub fn add_to(&self, raster: &mut Raster, has_sidecar: bool) -> Result<(), Broken> {
        if let Some(what) = self.foreign {
            return Err(Broken::foreign(what));
        }
        let spacing = raster.stated.step_m;
        let is_ours = raster.stated.is_ours;
        if let (None, Some([east, down, across, south, x, y])) = (&raster.stated.place, self.world)
            && (spacing.is_none() || is_ours)
        {
            if (down, across) != (0.0, 0.0) || east <= 0.0 || south == 0.0 {
                return Err(Broken::foreign(
                    "its world file, whose rows do not run eastwards",
                ));
            }
            let last = (raster.rows.max(1) - 1) as f64;
            let north = if south > 0.0 { y + last * south } else { y };
            let placed = Placed {
                north_west: Some([x, north]),
                step: [east, south.abs()],
            };
            place(raster, placed, System::Unnamed);
            // A sidecar also states the row order, so the rows must not be flipped twice.
            raster.stated.south_first = south > 0.0 && !has_sidecar;
        }
        let text = (self.system.as_deref()).filter(|_| raster.stated.names_no_system);
        if let (Some(text), Some(known)) = (text, raster.stated.place.clone()) {
            let system = code_of_text(text).and_then(System::of_code);
            let Some(system) = system else {
                if !is_ours {
                    return Err(Broken::foreign("the system in its .prj file"));
                }
                raster.stated.place = Some(Georeference {
                    text: text.to_owned(),
                    ..known
                });
                return Ok(());
            };
            raster.stated.assumed_spacing.clear();
            let placed = Placed {
                north_west: Some(known.origin),
                step: [known.east[0], -known.south[1]],
            };
            place(raster, placed, system);
        }
        if is_ours {
            // Landform's own file states the sample spacing most exactly.
            raster.stated.step_m = spacing.or(raster.stated.step_m);
            raster.stated.assumed_spacing.clear();
        }
        Ok(())
    }
}

/// Parse the six numbers of a world file.
fn world_of(text: &str) -> Option<[f64; 6]> {
    let number = |word: &str| {
        word.replace(',', ".")
            .parse()
            .ok()
            .filter(|number: &f64| number.is_finite())
    };
    let numbers: Vec<f64> = text.split_whitespace().map_while(number).collect();
    numbers.try_into().ok()
}

// Units of length, by their names in GDAL, UDUNITS and ESRI software.

/// Names of units, with their length in metres.
const UNITS: &[(&[&str], f64)] = &[
    (&["m", "metre", "meter"], 1.0),
    (&["mm", "millimetre", "millimeter"], 1e-3),
    (&["cm", "centimetre", "centimeter"], 1e-2),
    (&["dm", "decimetre", "decimeter"], 1e-1),
    (&["km", "kilometre", "kilometer"], 1e3),
    (
        &[
            "ft",
            "foot",
            "feet",
            "international foot",
            "international feet",
        ],
        FOOT,
    ),
    (
        &[
            "us survey foot",
            "us survey feet",
            "us ft",
            "ftus",
            "foot us",
            "survey foot",
            "ft us",
        ],
        SURVEY_FOOT,
    ),
    (&["in", "inch", "inche"], 0.0254),
    (&["yd", "yard"], 0.9144),
    (&["fathom", "fm", "ftm"], 1.8288),
    (&["mi", "mile"], 1609.344),
    (&["nmi", "nautical mile"], 1852.0),
];

/// The length of a unit in metres; `None` for an unknown name. Case and a plural s are ignored.
pub fn metres_of(name: &str) -> Option<f64> {
    let plain = name.trim().to_lowercase().replace(['_', '-'], " ");
    let found = |name: &str| {
        let mut units = UNITS.iter();
        units
            .find(|(names, _)| names.contains(&name))
            .map(|(_, metres)| *metres)
    };
    found(&plain).or_else(|| found(plain.strip_suffix('s')?))
}
