//! What a height map's file cannot say itself, as JSON beside it: `x.png` has `x.png.json`.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::{Format, Header, maps};

/// Where it lies.
pub fn path(file: &Path) -> PathBuf {
    let mut path = file.as_os_str().to_owned();
    path.push(".json");
    path.into()
}

/// Its text; `heights` are the lowest and highest height of the map.
pub fn text(format: &Format, header: &Header<'_>, heights: (f32, f32), file: &Path) -> String {
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
        "row_order": "north to south, each west to east",
        "metres_per_sample": header.metres_per_sample(),
        "tile_size_m": surface.tile_size_m,
        "min": heights.0,
        "max": heights.1,
        "min_m": metres(heights.0),
        "max_m": metres(heights.1),
        "seed": surface.seed,
        "scene": header.scene,
    });
    if let Some(levels) = format.levels {
        let (low, high) = header.range;
        text["range"] = json!([low, high]);
        text["range_m"] = json!([metres(low), metres(high)]);
        text["steps"] = json!([0, levels]);
    }
    maps::describe(&mut text, header);
    format!("{text:#}\n")
}
