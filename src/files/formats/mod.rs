//! File format definitions shared by readers and writers: names of chunks and tags, magic numbers,
//! checksums, recipes and sidecars. [`import`](crate::files::import) and [`export`](crate::files::export) depend on
//! this module; it depends on neither.

pub mod checksum;
pub mod npy;
pub mod png;
pub mod recipe;
pub mod sidecar;

/// Keywords of `.asc`, the ESRI ASCII grid.
pub mod asc {
    /// Prefix of comment lines. The format has no comments, but its readers stop after the last row.
    pub const COMMENT: &str = "# ";
    /// Prefix of the comment line with the coordinate reference system: `EPSG:N`, `degrees`, or the unit in
    /// metres.
    pub const SYSTEM_LINE: &str = "# landform crs ";
}

/// Constants of `.glb`, binary glTF 2.0: a header, a JSON chunk and a binary chunk.
pub mod glb {
    /// Magic number, the first four bytes.
    pub const MARK: &[u8; 4] = b"glTF";
    /// Type of the JSON chunk, after its length.
    pub const JSON: &[u8; 4] = b"JSON";
    /// Type of the binary chunk, after its length.
    pub const BINARY: &[u8; 4] = b"BIN\0";
    /// Bytes before the JSON: magic number, version and file length, then length and type of the chunk.
    pub const BEFORE_JSON: usize = 20;
    /// Bytes between the JSON and the binary data: length and type of the binary chunk.
    pub const BEFORE_BINARY: usize = 8;
    /// Key of the scene in the extras of the asset.
    pub const SCENE: &str = "scene";
    /// Key of the binary chunk's checksum in the extras of the asset.
    pub const SAMPLES: &str = "samples";
}

/// Conversion between half tiles and metres in files.
pub mod metres {
    use crate::util::numbers::metres_per_unit;

    /// Tile size in metres, the longer side of a map with this sample spacing; `None` if it is outside the
    /// range of a scene.
    #[must_use]
    pub fn tile_size_m(step_m: f64, rows: u64, columns: u64) -> Option<f32> {
        let cells = rows.max(columns).saturating_sub(1);
        let size = (step_m.abs() * cells as f64) as f32;
        (0.001..=1.0e9).contains(&size).then_some(size)
    }

    /// Convert metres to half tiles, the unit of heights. This conversion restores written heights bit for bit.
    #[must_use]
    pub fn in_half_tiles(metres: f64, tile_size_m: f32) -> f32 {
        (metres / metres_per_unit(tile_size_m)) as f32
    }
}

/// Keywords of `.obj`, the Wavefront mesh, and of its material file.
pub mod obj {
    /// Prefix of comment lines, in the material file too.
    pub const COMMENT: &str = "# ";
    /// Prefix of the line that names a material.
    pub const NEW_MATERIAL: &str = "newmtl ";
}

/// Keywords of `.ply`, the polygon file format.
pub mod ply {
    /// First line.
    pub const MARK: &str = "ply";
    /// Prefix of comment lines.
    pub const COMMENT: &str = "comment ";
    /// Last line of the header.
    pub const END_OF_HEAD: &str = "end_header";
}

/// Program name and version in files.
pub mod program {
    /// Program and version, as written to files.
    pub const PROGRAM: &str = concat!("landform ", env!("CARGO_PKG_VERSION"));

    /// True if a text is `landform` and a version, and nothing else.
    #[must_use]
    pub fn is_program(text: &[u8]) -> bool {
        let Some(version) = text.strip_prefix(b"landform ") else {
            return false;
        };
        let parts: Vec<_> = version.split(|byte| *byte == b'.').collect();
        let is_number = |part: &&[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
        parts.len() == 3 && parts.iter().all(is_number)
    }
}

/// Title of `.stl`: the 80 bytes before the triangles, too short for a scene.
pub mod stl {
    use super::checksum::fnv;
    use super::program::PROGRAM;
    use crate::scene::Scene;

    /// Length of the title, in bytes.
    pub const TITLE: usize = 80;
    /// Unit, at the end of the title.
    pub const UNIT: &str = ", millimetres";

    /// Title for a scene: program, seed and a hash of the scene.
    #[must_use]
    pub fn title(scene: &Scene) -> [u8; TITLE] {
        let (seed, sum) = (scene.surface.seed, fnv(scene.to_toml().as_bytes()));
        let words = format!("{PROGRAM} seed {seed} scene {sum:016x}{UNIT}");
        let mut title = [b' '; TITLE];
        for (to, from) in title.iter_mut().zip(words.bytes()) {
            *to = from;
        }
        title
    }
}

/// TIFF tags that the tiff crate does not name.
pub mod tiff {
    /// Private tag with correction bits, two bits a sample, the first sample in the lowest bits of the first
    /// byte. 0 is the height that [`in_half_tiles`](super::metres::in_half_tiles) gives, 1 the next float
    /// away from 0, 2 the next float towards 0.
    pub const FINE_TAG: u16 = 65_200;
    /// Tag of GDAL's metadata items as XML, among them scale and offset.
    pub const METADATA_TAG: u16 = 42_112;
    /// Role of the item with the scale.
    pub const SCALE: &str = "scale";
    /// Role of the item with the offset, which is added after scaling.
    pub const OFFSET: &str = "offset";

    /// GDAL metadata with scale and offset.
    #[must_use]
    pub fn scale_and_offset(scale: f64, offset: f64) -> String {
        let item = |role: &str, value: f64| {
            let name = role.to_uppercase();
            format!("  <Item name=\"{name}\" sample=\"0\" role=\"{role}\">{value}</Item>\n")
        };
        let (scale, offset) = (item(SCALE, scale), item(OFFSET, offset));
        format!("<GDALMetadata>\n{offset}{scale}</GDALMetadata>\n")
    }

    /// Text of the item with this role, as in `<Item name="SCALE" sample="0" role="scale">0.5</Item>`.
    #[must_use]
    pub fn item<'a>(xml: &'a str, role: &str) -> Option<&'a str> {
        let (_, rest) = xml.split_once(&format!("role=\"{role}\""))?;
        let (_, rest) = rest.split_once('>')?;
        Some(rest.split_once('<')?.0.trim())
    }
}
