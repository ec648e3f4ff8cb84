//! Sidecar of a map's file: metadata that the file format cannot hold.

use std::path::Path;

use serde_json::{Value, json};

use super::asc;
use super::format::{Content, Format, Header, Lattice};
use super::names::portable;
use super::registry::{ENGINES, Scaling};
use crate::files::formats::program::PROGRAM;
use crate::files::formats::recipe::scene_as_json;
use crate::files::formats::sidecar::{
    BY_HEIGHT, BY_MATERIAL, BandInPicture, NO_NUMBER, NORTH_FIRST, OnEarth, PartOfMap, SOUTH_FIRST,
    Sidecar, Spacing,
};
use crate::files::import::ImportError;
use crate::scene::Scene;
use crate::shading::maps::{Kind, Map};
use crate::shading::material::Albedo;

/// Sidecar of a file of numbers or of a mesh; `range` is the lowest and the highest number of the map.
pub fn of_numbers(
    format: &Format,
    header: &Header<'_>,
    range: (f32, f32),
    request: Value,
    file: &Path,
) -> Sidecar {
    let above = header.piece.passed_above();
    let (location, flipped) = (header.piece.location, header.piece.flipped);
    let mut sidecar = Sidecar {
        format: Some(format.help.to_owned()),
        region: Some(PartOfMap {
            row: location.row,
            column: location.column,
            map_rows: location.rows,
            map_columns: location.columns,
        }),
        row_order: Some(if flipped { SOUTH_FIRST } else { NORTH_FIRST }.to_owned()),
        metres_per_sample: Some(Spacing::Square(header.metres_per_sample())),
        min: Some(above + f64::from(range.0)),
        max: Some(above + f64::from(range.1)),
        base: header.base,
        place: on_earth(header),
        ..of_any(header.scene, [header.rows, header.columns], request, file)
    };
    if let Some(lattice) = format.lattice(header) {
        set_lattice(&mut sidecar, header, lattice);
    }
    if matches!(&format.content, Content::Mesh(mesh) if !mesh.is_printed) {
        sidecar.colors = Some(colors(header.scene));
    }
    if let Some(levels) = format.levels {
        let (low, high) = header.range;
        sidecar.range = Some((above + f64::from(low), above + f64::from(high)));
        sidecar.steps = Some((0, levels));
    }
    if header.has_no_data() && !format.is_mesh() {
        sidecar.no_data = Some(match format.levels {
            Some(_) => json!(0),
            None if format.name == asc::FORMAT.name => json!(asc::no_data(header)),
            None => json!(NO_NUMBER),
        });
    }
    let map = header.piece.map;
    if map.holds_heights() {
        set_metres(&mut sidecar, format, header, range);
    }
    if !map.is_heights() {
        set_map(&mut sidecar, map);
    }
    sidecar
}

/// Sidecar of a picture of a map; `bands` are those of a mask picture.
///
/// # Errors
/// An input of the scene cannot be read.
pub fn of_picture(
    map: &Map,
    bands: Vec<BandInPicture>,
    scene: &Scene,
    size: [usize; 2],
    request: Value,
    file: &Path,
) -> Result<Sidecar, ImportError> {
    let mut sidecar = Sidecar {
        row_order: Some(NORTH_FIRST.to_owned()),
        bands,
        ..of_any(&portable(scene, file)?, size, request, file)
    };
    set_map(&mut sidecar, map);
    if matches!(map.kind, Kind::Paint(_)) {
        sidecar.colors = Some(colors(scene));
    }
    Ok(sidecar)
}

/// Sidecar fields common to all files.
fn of_any(scene: &Scene, [rows, columns]: [usize; 2], request: Value, file: &Path) -> Sidecar {
    let name = file.file_name().unwrap_or_default();
    Sidecar {
        program: PROGRAM.to_owned(),
        file: name.to_string_lossy().into_owned(),
        width: Some(columns as u64),
        height: Some(rows as u64),
        tile_size_m: Some(scene.surface.tile_size_m.into()),
        seed: Some(scene.surface.seed),
        scene: Some(scene_as_json(scene)),
        request: Some(request),
        ..Sidecar::default()
    }
}

/// [`Sidecar::colors`] of a scene.
fn colors(scene: &Scene) -> String {
    let colors = if Albedo::is_material(scene) {
        BY_MATERIAL
    } else {
        BY_HEIGHT
    };
    colors.to_owned()
}

fn on_earth(header: &Header<'_>) -> Option<OnEarth> {
    let (earth, (place, east, south)) = header.piece.earth.as_ref().zip(header.on_earth())?;
    Some(OnEarth {
        crs: earth.keys.epsg().map(|code| format!("EPSG:{code}")),
        north_western_sample: place,
        next_sample_east: east,
        next_sample_south: south,
    })
}

/// Set the fields of a file whose rows were resampled to a lattice.
fn set_lattice(sidecar: &mut Sidecar, header: &Header<'_>, lattice: Lattice) {
    sidecar.height = Some(lattice.rows as u64);
    let step = header.metres_per_sample();
    sidecar.metres_per_sample = Some(Spacing::EastSouth([step, step * lattice.step]));
    if let (Some(earth), Some((place, east, south))) = (&mut sidecar.place, header.on_earth()) {
        earth.north_western_sample = [place[0], place[1] + lattice.at(0) * south[1]];
        earth.next_sample_south = [0.0, -east[0]];
    }
}

/// Set the fields of a height file: metres of its numbers, and the import settings of engines. For a
/// mesh, the unit is in the description of the format.
fn set_metres(sidecar: &mut Sidecar, format: &Format, header: &Header<'_>, range: (f32, f32)) {
    let above = header.piece.passed_above();
    let metres = |height: f32| (above + f64::from(height)) * header.metres_per_unit();
    sidecar.base_m = header.base.map(|base| base * header.metres_per_unit());
    sidecar.min_m = Some(metres(range.0));
    sidecar.max_m = Some(metres(range.1));
    let water = f64::from(header.scene.water.level);
    sidecar.water_level_m = Some(water * header.metres_per_unit());
    if format.is_mesh() {
        return;
    }
    let scaling = Scaling::new(format, header);
    sidecar.metres_at_0 = Some(scaling.low_m);
    if format.levels.is_some() {
        sidecar.range_m = Some((metres(header.range.0), metres(header.range.1)));
        sidecar.metres_from_0_to_highest = Some(scaling.span_m);
    } else {
        sidecar.unit = Some(header.unit.name().to_owned());
        sidecar.metres_from_0_to_1 = Some(scaling.span_m);
    }
    for engine in ENGINES.iter().filter(|engine| engine.reads(format)) {
        let numbers = (engine.numbers)(&scaling).into_iter();
        let mut typed: serde_json::Map<_, _> = numbers
            .map(|(name, number)| (name.to_owned(), json!(number)))
            .collect();
        typed.insert("where".to_owned(), json!(engine.place));
        typed.insert("note".to_owned(), json!((engine.note)(&scaling)));
        sidecar.engines.insert(engine.name.to_owned(), typed);
    }
}

/// Set the fields of a map that does not hold heights.
fn set_map(sidecar: &mut Sidecar, map: &Map) {
    sidecar.map = Some(map.name.to_owned());
    sidecar.unit.get_or_insert_with(|| map.unit.to_owned());
    sidecar.meaning = Some(map.help.to_owned());
}
