//! Companion files of a raster: world files, coordinate reference systems (`.prj`), GDAL's `.aux.xml`, and
//! masks.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::file::{extension, read_text};
use super::place::{Placed, System, place};
use super::raster::Raster;
use super::source::Broken;
use crate::terrain::geo::{Georeference, code_of_text};

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
            self.foreign = Some("a file beside it, which is no text or a long one");
        }
        let text = text.ok()?;
        self.files.push(path);
        Some(text)
    }

    /// Add georeferencing from the companion files where the file itself has none.
    ///
    /// # Errors
    /// A companion is not supported here.
    pub fn say(&self, raster: &mut Raster, has_sidecar: bool) -> Result<(), Broken> {
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
                    "its world file, whose rows do not lead east",
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
        let text = self
            .system
            .as_deref()
            .filter(|_| raster.stated.names_no_system);
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
