//! Where on earth a map lies that is written: as its input knew it, or as the scene says.

use super::ExportError;
use super::location::Location;
use crate::generate::Surface;
use crate::geo::{Ellipsoid, Georeference, Keys, Unit, known_unit, parse_crs, parse_origin};
use crate::inputs::Inputs;
use crate::pipeline;
use crate::scene::Scene;

/// Where the map of a scene lies, of which `location` is a part; `None` if nobody says it.
pub fn of(scene: &Scene, inputs: &Inputs, location: Location) -> Option<Georeference> {
    let surface = pipeline::surface_of(scene);
    let of_input = || inputs.images.of(&surface).ok()?.place.clone();
    let known = if surface.generator.takes_image() {
        of_input().map(|place| as_wide_as(place, &surface))
    } else {
        None
    };
    let code = parse_crs(&scene.surface.crs).ok().flatten();
    let origin = parse_origin(&scene.surface.origin).ok().flatten();
    if code.is_none() && origin.is_none() {
        return known;
    }
    let (keys, unit, text) = match (code, &known) {
        (Some(code), _) => system_of(code).ok()?,
        (None, Some(known)) => (known.keys.clone(), known.unit, known.text.clone()),
        (None, None) => (Keys::default(), Unit::Metres(1.0), String::new()),
    };
    if let Some(known) = known.filter(|known| known.unit == unit) {
        // Its coordinates are of that unit: only their system has another name.
        return Some(Georeference {
            origin: origin.unwrap_or(known.origin),
            keys,
            text,
            ..known
        });
    }
    let size = f64::from(surface.tile_size_m);
    let cells = location.cells.max(1) as f64;
    // From the first row to the last, in tiles.
    let share = (location.rows - 1) as f64 / cells;
    let (origin, [across, down]) = match unit {
        Unit::Metres(metres) => {
            let wide = size / metres;
            (origin.unwrap_or([0.0, wide * share]), [wide, wide])
        }
        Unit::Degrees(unit) => {
            let degrees = |latitude: f64| {
                let length = Ellipsoid::WGS_84.metres_of_degree(latitude);
                length.map(|length| size / length / unit)
            };
            let origin = origin.unwrap_or([0.0, degrees(0.0)[1] * share]);
            // True to scale in the middle, whose place depends on the scale.
            let mut wide = degrees(origin[1] * unit);
            for _ in 0..4 {
                wide = degrees((origin[1] - wide[1] * share / 2.0) * unit);
            }
            (origin, wide)
        }
    };
    Some(Georeference {
        keys,
        unit,
        text,
        origin,
        east: [across, 0.0],
        south: [0.0, -down],
    })
}

/// Refuses a system of the scene's that nobody knows.
///
/// # Errors
/// Neither Landform nor GDAL knows it, or it has no two axes on the ground.
pub fn check(scene: &Scene) -> Result<(), ExportError> {
    let code = parse_crs(&scene.surface.crs).ok().flatten();
    code.map_or(Ok(()), |code| system_of(code).map(|_| ()))
}

/// GeoTIFF's keys for a code of EPSG, the unit of its coordinates and its text: of systems that are not known here,
/// as GDAL says.
///
/// # Errors
/// As [`check`].
pub fn system_of(code: u16) -> Result<(Keys, Unit, String), ExportError> {
    if let Some(unit) = known_unit(code) {
        return Ok((Keys::of_epsg(code, unit), unit, String::new()));
    }
    #[cfg(feature = "formats")]
    let found = crate::import::system_of(code);
    #[cfg(not(feature = "formats"))]
    let found = Err(String::new());
    found.map_err(|reason| ExportError::System { code, reason })
}

/// The place of a map whose tile is no longer as wide as its input was.
fn as_wide_as(mut place: Georeference, surface: &Surface) -> Georeference {
    if surface.keeps_its_metres() {
        let wider = f64::from(surface.tile_size_m) / f64::from(surface.input_tile_m);
        place.east = place.east.map(|way| way * wider);
        place.south = place.south.map(|way| way * wider);
    }
    place
}
