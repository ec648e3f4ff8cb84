//! Georeferencing of a raster from the numbers of a header or world file.

use super::raster::Raster;
use super::rule::metres_of_degrees;
use crate::terrain::geo::{Georeference, Keys, Unit, known_unit};

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
