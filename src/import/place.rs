//! Where samples lie, from the numbers of a header or a world file.

use super::raster::Raster;
use super::rule::metres_of_degrees;
use crate::geo::{Georeference, Keys, Unit, known_unit};

/// Longitude and latitude where no system is named.
const WGS_84: u16 = 4326;
/// Cells of degrees are no wider.
const MOST_DEGREES: f64 = 1.0;

/// The mean length of a degree of latitude, for cells of a place that is not known.
const MEAN_DEGREE_M: f64 = 111_195.0;

/// An upright grid in the coordinates of a system.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placed {
    /// The place of the middle of the north-western sample, where it is known.
    pub north_west: Option<[f64; 2]>,
    /// From one sample to the next, eastwards and southwards, both above 0.
    pub step: [f64; 2],
}

/// The system that coordinates are of.
#[derive(Clone, Debug, PartialEq)]
pub enum System {
    /// One that is known here, as GeoTIFF says it.
    Known(Keys, Unit),
    /// None is named: degrees where all cells lie on the earth and none is wider than one, else metres.
    Unnamed,
    /// None, in metres: a file of ours.
    Local,
}

impl System {
    /// The system of a code that is known here.
    pub fn of_code(code: u16) -> Option<Self> {
        let unit = known_unit(code)?;
        Some(Self::Known(Keys::of_epsg(code, unit), unit))
    }
}

/// States where samples lie, and how far apart they are on the ground.
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
                // A local system begins at 0.
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
