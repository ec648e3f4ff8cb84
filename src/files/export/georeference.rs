//! Georeference of an exported map, from its input or from the scene, and the files with it for formats
//! that cannot hold one: a world file with the affine transform of the samples, and a `.prj` file with the
//! coordinate reference system as well-known text.

use std::fs;
use std::path::{Path, PathBuf};

use super::error::ExportError;
use super::file::OutputFile;
use super::format::{Format, Header};
use super::heights::Location;
use super::overwrite_guard::is_listed;
use super::registry::FORMATS;
use crate::generate::Surface;
use crate::pipeline;
use crate::pipeline::inputs::Inputs;
use crate::scene::Scene;
use crate::terrain::geo::{
    Ellipsoid, Georeference, Keys, Unit, known_unit, parse_crs, parse_origin,
};

/// Georeference of a scene's map; `location` is the exported part. `None` if it is unknown.
pub fn place_on_earth(scene: &Scene, inputs: &Inputs, location: Location) -> Option<Georeference> {
    let surface = pipeline::surface_of(scene);
    let of_input = || inputs.images.of(&surface).ok()?.place.clone();
    let known = surface.takes_image().then(of_input).flatten();
    let known = known.map(|place| as_wide_as(place, &surface));
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
pub fn check_system(scene: &Scene) -> Result<(), ExportError> {
    let code = parse_crs(&scene.surface.crs).ok().flatten();
    code.map_or(Ok(()), |code| system_of(code).map(|_| ()))
}

/// GeoTIFF keys, coordinate unit and well-known text of an EPSG code. Systems that Landform does not know
/// are looked up with GDAL.
///
/// # Errors
/// As [`check_system`].
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

/// Extension of files with well-known text.
const SYSTEM: &str = "prj";

/// Possible georeference files of a map; empty if the scene has no place on earth.
pub fn files_beside(format: &Format, scene: &Scene, path: &Path) -> Vec<PathBuf> {
    let surface = &scene.surface;
    let may_have_place =
        surface.input.is_some() || !surface.crs.is_empty() || !surface.origin.is_empty();
    let ends = format.placed_by.iter().filter(|_| may_have_place);
    let files = ends.map(|end| path.with_extension(end));
    files.filter(|file| !is_of_input(scene, file)).collect()
}

/// True if the file is the georeference of the scene's input, which then serves the map as well.
fn is_of_input(scene: &Scene, file: &Path) -> bool {
    let end = file.extension().unwrap_or_default();
    scene.surface.input.as_ref().is_some_and(|input| {
        let real = input.with_extension(end).canonicalize();
        real.is_ok_and(|real| file.canonicalize().is_ok_and(|file| file == real))
    })
}

/// Write the georeference files of a map, if its place is known and the format cannot hold it. Files in
/// `others`, written in the same run, are not written again.
///
/// # Errors
/// A file cannot be written.
pub fn write_files_beside(
    map: &OutputFile,
    format: &Format,
    header: &Header<'_>,
    others: &[Vec<OutputFile>],
) -> Result<Vec<OutputFile>, ExportError> {
    if map.is_standard_output() {
        return Ok(Vec::new());
    }
    let path = |end: &str| map.path().with_extension(end);
    let (Some(earth), Some(([x, y], east, south))) = (&header.piece.earth, header.on_earth())
    else {
        // Files of an older map of this name would misplace the new one.
        let old = format.placed_by.iter().map(|end| path(end));
        old.filter(|path| is_listed(path, maps_placed_by(path)) == Some(true))
            .for_each(|path| drop(fs::remove_file(path)));
        return Ok(Vec::new());
    };
    // Maps that differ only in their extension share these files.
    let is_there = |path: &Path| others.iter().flatten().any(|file| file.path() == path);
    let mut written = Vec::new();
    let is_taken =
        |end: &&&str| is_there(&path(end)) || is_of_input(header.piece.scene, &path(end));
    for end in format.placed_by.iter().filter(|end| !is_taken(end)) {
        let text = if *end == SYSTEM {
            earth.well_known_text()
        } else {
            // Centre of the first sample that is written, and the step to the next one.
            let (first, down) = if header.piece.flipped {
                (y + (header.rows - 1) as f64 * south[1], -south[1])
            } else {
                (y, south[1])
            };
            Some(format!("{}\n0\n0\n{down}\n{x}\n{first}\n", east[0]))
        };
        if let Some(text) = text {
            let target = OutputFile::companion(&path(end))?;
            target.fill(text.as_bytes())?;
            written.push(target);
        }
    }
    Ok(written)
}

/// Possible maps of a georeference file.
pub fn maps_placed_by(path: &Path) -> impl Iterator<Item = PathBuf> {
    let end = path.extension().unwrap_or_default();
    let formats = FORMATS
        .iter()
        .filter(move |format| format.placed_by.iter().any(|by| end == *by));
    formats.map(|format| path.with_extension(format.extension))
}
