//! Where on earth a map lies that is written: as its input knew it, or as the scene says.

use super::Place;
use crate::generate::Surface;
use crate::geo::{Georeference, Keys, METRES_PER_DEGREE, Unit, narrower, parse_crs, parse_origin};
use crate::inputs::Inputs;
use crate::pipeline;
use crate::scene::Scene;

/// Where the map of a scene lies, of which `place` is a part; `None` if nobody says it.
pub fn of(scene: &Scene, inputs: &Inputs, place: Place) -> Option<Georeference> {
    let surface = pipeline::surface_of(scene);
    let of_input = || inputs.images.of(&surface).ok()?.place.clone();
    let known = match surface.generator.takes_image() {
        true => of_input().map(|place| as_wide_as(place, &surface)),
        false => None,
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
    let cells = place.cells.max(1) as f64;
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
            let north = wide * (place.rows - 1) as f64 / cells;
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
            let north = high * (place.rows - 1) as f64 / cells;
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

/// What the user is to know where another system than the input's is asked for, and no place in it.
#[must_use]
pub fn notice_of_place(scene: &Scene, inputs: &Inputs) -> Option<String> {
    let surface = pipeline::surface_of(scene);
    let known = inputs.images.of(&surface).ok()?.place.as_ref();
    let known = known.filter(|_| surface.generator.takes_image())?;
    let code = parse_crs(&scene.surface.crs).ok().flatten()?;
    let has_origin = !scene.surface.origin.is_empty();
    if has_origin || known.keys.epsg() == Some(code) {
        return None;
    }
    let is_same = Keys::of_epsg(code).unit() == known.keys.unit();
    Some(match is_same {
        true => format!(
            "coordinates are not converted: those of the input are written as they are, as \
             EPSG:{code}"
        ),
        false => format!(
            "coordinates are not converted: without --origin the map lies at 0, 0 of EPSG:{code}"
        ),
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
