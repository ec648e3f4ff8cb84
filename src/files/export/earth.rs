//! Georeference of an exported map, from its input or from the scene.

use super::error::ExportError;
use super::location::Location;
use crate::generate::Surface;
use crate::pipeline;
use crate::pipeline::inputs::Inputs;
use crate::scene::Scene;
use crate::terrain::geo::{
    Ellipsoid, Georeference, Keys, Unit, known_unit, parse_crs, parse_origin,
};

/// Georeference of a scene's map; `location` is the exported part. `None` if it is unknown.
pub fn of(scene: &Scene, inputs: &Inputs, location: Location) -> Option<Georeference> {
    let surface = pipeline::surface_of(scene);
    let of_input = || inputs.images.of(&surface).ok()?.place.clone();
    let known = if surface.takes_image() {
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
        // Same unit: only the name of the system differs, so the coordinates stay.
        return Some(Georeference {
            origin: origin.unwrap_or(known.origin),
            keys,
            text,
            ..known
        });
    }
    let size = f64::from(surface.tile_size_m);
    let cells = location.cells.max(1) as f64;
    // Distance between the first and the last row, in tiles.
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
            // True to scale at the middle latitude, which itself depends on the scale: iterate.
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

/// Check that the scene's coordinate reference system is known.
///
/// # Errors
/// Neither Landform nor GDAL knows it, or it does not have two horizontal axes.
pub fn check(scene: &Scene) -> Result<(), ExportError> {
    let code = parse_crs(&scene.surface.crs).ok().flatten();
    code.map_or(Ok(()), |code| system_of(code).map(|_| ()))
}

/// GeoTIFF keys, coordinate unit and well-known text of an EPSG code. Systems that Landform does not know
/// are looked up with GDAL.
///
/// # Errors
/// As [`check`].
pub fn system_of(code: u16) -> Result<(Keys, Unit, String), ExportError> {
    if let Some(unit) = known_unit(code) {
        return Ok((Keys::of_epsg(code, unit), unit, String::new()));
    }
    #[cfg(feature = "formats")]
    let found = crate::files::import::system_of(code);
    #[cfg(not(feature = "formats"))]
    let found = Err(String::new());
    found.map_err(|reason| ExportError::System { code, reason })
}

/// Georeference scaled to the scene's tile, if its size was changed from that of the input.
fn as_wide_as(mut place: Georeference, surface: &Surface) -> Georeference {
    if surface.keeps_its_metres() {
        let wider = f64::from(surface.tile_size_m) / f64::from(surface.input_tile_m);
        place.east = place.east.map(|way| way * wider);
        place.south = place.south.map(|way| way * wider);
    }
    place
}
