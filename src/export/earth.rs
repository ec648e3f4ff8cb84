//! Where on earth a map lies that is written: as its input knew it, or as the scene says.

use super::location::Location;
use crate::generate::Surface;
use crate::geo::{Georeference, Keys, METRES_PER_DEGREE, Unit, narrower, parse_crs, parse_origin};
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
    let keys = match (code, &known) {
        (Some(code), _) => Keys::of_epsg(code),
        (None, Some(known)) => known.keys.clone(),
        (None, None) => Keys::default(),
    };
    let unit = keys.unit();
    let size = f64::from(surface.tile_size_m);
    let cells = location.cells.max(1) as f64;
    let (origin, [across, down]) = match (origin, &known, unit) {
        // Its coordinates are of that unit: only their system has another name.
        (origin, Some(known), _) if known.keys.unit() == unit => {
            return Some(Georeference {
                origin: origin.unwrap_or(known.origin),
                keys,
                ..known.clone()
            });
        }
        (origin, _, Unit::Metres(metres)) => {
            let wide = size / metres;
            let north = wide * (location.rows - 1) as f64 / cells;
            let origin = origin.unwrap_or([0.0, north]);
            // True to scale in the middle, whose place depends on the scale.
            let mut shrink = [1.0; 2];
            for _ in 0..4 {
                shrink = keys.shrink(origin[1] - north / shrink[1] / 2.0);
            }
            (origin, shrink.map(|shrink| wide / shrink))
        }
        (origin, _, Unit::Degrees) => {
            let high = size / METRES_PER_DEGREE;
            let north = high * (location.rows - 1) as f64 / cells;
            let origin = origin.unwrap_or([0.0, north]);
            let narrower = narrower(origin[1] - north / 2.0);
            (origin, [high / narrower, high])
        }
    };
    Some(Georeference {
        keys,
        origin,
        east: [across, 0.0],
        south: [0.0, -down],
    })
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
