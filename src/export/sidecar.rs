//! What a height map's file cannot say itself, as JSON beside it: `x.png` has `x.png.json`.

use std::fs::File;
use std::path::Path;

use serde_json::json;

use super::target::{write_all, write_error};
use super::{ExportError, Format, Header};
use crate::import::{checksum, sidecar_of};

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
    format!("{text:#}\n")
}

/// Writes it, with the length and the checksum of the file that it belongs to, which is complete
/// by now: a sidecar is believed only beside that very file.
pub fn write(file: &Path, text: &str) -> Result<(), ExportError> {
    let sum = File::open(file).and_then(|mut file| checksum(&mut file));
    let (length, sum) = sum.map_err(write_error(file))?;
    let lines = format!("\n  \"bytes\": {length},\n  \"checksum\": \"{sum}\",");
    let sealed = text.replacen('{', &format!("{{{lines}"), 1);
    write_all(&sidecar_of(file), sealed.as_bytes())
}
