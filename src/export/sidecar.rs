//! What a height map's file cannot say itself, as JSON beside it: `x.png` has `x.png.json`.

use std::path::Path;

use serde_json::{Value, json};

use super::asc;
use super::engines::{ENGINES, Engine, Scaling};
use super::lattice::Lattice;
use super::scene::portable;
use super::{Format, Header};
use crate::maps::Map;
use crate::scene::Scene;

/// Its text; `heights` are the lowest and highest height of the map.
pub fn text(
    format: &Format,
    header: &Header<'_>,
    heights: (f32, f32),
    request: &Value,
    file: &Path,
) -> String {
    let surface = &header.scene.surface;
    let metres = |height: f32| f64::from(height) * header.metres_per_unit();
    let mut text = json!({
        "program": concat!("landform ", env!("CARGO_PKG_VERSION")),
        "file": file.file_name().unwrap_or_default().to_string_lossy(),
        "format": format.help,
        "width": header.columns,
        "height": header.rows,
        "region": {
            "row": header.place.row,
            "column": header.place.column,
            "map_rows": header.place.rows,
            "map_columns": header.place.columns,
        },
        "row_order": match header.flipped {
            false => "north to south, each west to east",
            true => "south to north, each west to east",
        },
        "metres_per_sample": header.metres_per_sample(),
        "tile_size_m": surface.tile_size_m,
        "min": heights.0,
        "max": heights.1,
        "min_m": metres(heights.0),
        "max_m": metres(heights.1),
        "water_level_m": metres(header.scene.water.level),
        "seed": surface.seed,
        "scene": as_json(header.scene),
        "request": request,
    });
    if let (Some(earth), Some((place, east, south))) = (header.earth, header.on_earth()) {
        text["place"] = json!({
            "crs": earth.keys.epsg().map(|code| format!("EPSG:{code}")),
            "north_western_sample": place,
            "next_sample_east": east,
            "next_sample_south": south,
        });
    }
    if format.name == asc::FORMAT.name
        && let Some(lattice) = Lattice::of(header)
    {
        // Its rows are not those of the map.
        text["height"] = json!(lattice.rows);
        let step = header.metres_per_sample();
        text["metres_per_sample"] = json!([step, step * lattice.step]);
        if let Some((place, east, south)) = header.on_earth() {
            let north = place[1] + lattice.at(0) * south[1];
            text["place"]["north_western_sample"] = json!([place[0], north]);
            text["place"]["next_sample_south"] = json!([0.0, -east[0]]);
        }
    }
    if let Some(levels) = format.levels {
        let (low, high) = header.range;
        text["range"] = json!([low, high]);
        text["range_m"] = json!([metres(low), metres(high)]);
        text["steps"] = json!([0, levels]);
    } else if !format.mesh {
        text["unit"] = json!(header.unit.name());
    }
    if format.mesh {
        // Its help says the unit of its places.
        return format!("{text:#}\n");
    }
    let scaling = Scaling::new(format, header);
    text["metres_at_0"] = json!(scaling.low_m);
    text[match format.levels {
        Some(_) => "metres_from_0_to_highest",
        None => "metres_from_0_to_1",
    }] = json!(scaling.span_m);
    let reads = |engine: &&Engine| engine.formats.contains(&format.name);
    for engine in ENGINES.iter().filter(reads) {
        let numbers = (engine.numbers)(&scaling).into_iter();
        let mut typed: serde_json::Map<_, _> = numbers
            .map(|(name, number)| (name.to_owned(), json!(number)))
            .collect();
        typed.insert("where".to_owned(), json!(engine.place));
        typed.insert("note".to_owned(), json!((engine.note)(&scaling)));
        text["engines"][engine.name] = typed.into();
    }
    describe(&mut text, header);
    format!("{text:#}\n")
}

/// The text of a picture's: what it shows, of masks which, and the scene.
pub fn of_picture(
    map: &Map,
    bands: &Value,
    scene: &Scene,
    [rows, columns]: [usize; 2],
    request: &Value,
    file: &Path,
) -> String {
    let mut text = json!({
        "program": concat!("landform ", env!("CARGO_PKG_VERSION")),
        "file": file.file_name().unwrap_or_default().to_string_lossy(),
        "map": map.name,
        "unit": map.unit,
        "meaning": map.help,
        "width": columns,
        "height": rows,
        "row_order": "north to south, each west to east",
        "tile_size_m": scene.surface.tile_size_m,
        "seed": scene.surface.seed,
        "scene": as_json(&portable(scene, file)),
        "request": request,
    });
    if !bands.is_null() {
        text["bands"] = bands.clone();
    }
    format!("{text:#}\n")
}

/// As JSON with numbers as short as in a scene file: 0.7, not 0.699999988.
pub fn as_json(scene: &Scene) -> Value {
    let table: Option<toml::Table> = scene.to_toml().parse().ok();
    serde_json::to_value(table).unwrap_or_default()
}

/// What a sidecar says of a map that is not of heights: what its numbers are, and no metres.
fn describe(text: &mut Value, header: &Header<'_>) {
    let map = header.map;
    if map.is_heights() {
        return;
    }
    if let Some(text) = text.as_object_mut() {
        let of_heights = [
            "min_m",
            "max_m",
            "range_m",
            "metres_at_0",
            "metres_from_0_to_1",
            "metres_from_0_to_highest",
            "water_level_m",
            "engines",
        ];
        text.retain(|key, _| !of_heights.contains(&key.as_str()));
    }
    text["map"] = map.name.into();
    text["unit"] = map.unit.into();
    text["meaning"] = map.help.into();
}
