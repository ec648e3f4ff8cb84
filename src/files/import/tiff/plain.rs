//! Check of a TIFF page for unsupported tags. A page with any tag that is not supported here is left to GDAL,
//! which supports them all.

use std::collections::BTreeMap;
use std::io::SeekFrom;

use super::Tags;
use crate::files::formats::tiff::{FINE_TAG, METADATA_TAG, OFFSET, SCALE, item};
use crate::files::import::reader::{Broken, Source};
use crate::terrain::geo::{
    GEOGRAPHIC_KEY, LINEAR_UNIT_KEY, METRES_UNIT, MODEL_KEY, PROJECTED_KEY, RASTER_KEY, Unit,
    VERTICAL_KEY, VERTICAL_UNIT_KEY, known_unit,
};

/// The most pages that are examined.
const MOST_PAGES: usize = 1024;

/// True for tags that are either supported, or irrelevant to heights and positions: sample layout, texts,
/// print resolution, XMP, IPTC, ICC profiles, EXIF, GDAL's and Landform's tags.
fn is_understood(tag: u16) -> bool {
    /// Landform's tag, and GDAL's metadata and no-data tags.
    const OTHERS: [u16; 3] = [FINE_TAG, METADATA_TAG, 42_113];
    OTHERS.contains(&tag)
        || matches!(
            tag,
            254..=259 | 262 | 266 | 269..=274 | 277..=285 | 296 | 297 | 305 | 306 | 315..=317 | 322..=325
                | 338..=341 | 700 | 33_432 | 33_550 | 33_723 | 33_922 | 34_264 | 34_377 | 34_665 | 34_675
                | 34_735..=34_737
        )
}

/// Supported compressions: none, LZW, deflate under both of its numbers, PackBits, ZSTD.
const PACKINGS: &[u64] = &[1, 5, 8, 32_946, 32_773, 50_000];
/// Prefixes of GDAL's metadata items that do not affect heights or positions.
const HARMLESS_ITEMS: &[&str] = &[
    "STATISTICS_",
    "TIFFTAG_",
    "LAYER_TYPE",
    "AREA_OR_POINT",
    "DESCRIPTION",
    "RepresentationType",
    "DataType",
    "Band_",
    "COLORINTERP",
    "OVR_",
    "LANDFORM",
];
/// GeoTIFF keys that only name the system or its parts, already defined by the system's code.
const NAMES: &[u16] = &[
    1026, 2049, 2050, 2051, 2052, 2053, 2055, 2056, 2057, 2058, 2059, 3073, 3074, 4097, 4098,
];
/// GeogAngularUnits and its value for degrees.
const ANGULAR_UNIT: (u16, u16) = (2054, 9102);
/// GeogEllipsoid: the codes of WGS 84 and GRS 1980.
const ELLIPSOIDS: [u16; 2] = [7030, 7019];

/// Vertical systems with heights in metres: NAVD88, EGM96, EGM2008, DHHN92, DHHN2016, EVRF2000, EVRF2007, and
/// user-defined ones.
const HEIGHTS: [u16; 8] = [5703, 5773, 3855, 5783, 7837, 5730, 5621, 32_767];
/// Parts of GDAL's metadata items that change the meaning of the numbers.
const MEANINGS: &[&str] = &[
    "name=\"positive",
    "standard_name",
    "NODATA_VALUES",
    "domain=\"RPC",
    "domain=\"GEOLOCATION",
    "='",
];

/// Page of a TIFF: its tags, each with the number of its values and the first value.
#[derive(Clone, Debug, Default)]
pub struct Page {
    tags: BTreeMap<u16, (u64, u64)>,
}

impl Page {
    /// The first value of an integer tag.
    pub fn number(&self, tag: u16) -> Option<u64> {
        self.tags.get(&tag).map(|(_, first)| *first)
    }

    fn count(&self, tag: u16) -> u64 {
        self.tags.get(&tag).map_or(0, |(count, _)| *count)
    }

    /// True for a reduced copy of another page, or a mask.
    fn is_companion(&self) -> bool {
        // In the older tag, 2 means a reduced copy.
        self.number(254).unwrap_or(0) & 5 != 0 || self.number(255) == Some(2)
    }

    fn is_mask(&self) -> bool {
        self.number(254).unwrap_or(0) & 4 != 0
    }
}

/// Pages of a file.
#[derive(Clone, Debug)]
pub struct Pages {
    /// All pages.
    pub all: Vec<Page>,
    /// Indices of the pages that are maps, not previews, overviews or masks.
    pub maps: Vec<usize>,
}

impl Pages {
    /// Read the tags of all pages. Refuses tags that claim to be longer than the file, for which the decoder
    /// would allocate memory first.
    pub fn of(source: &mut Source<'_>) -> Result<Self, Broken> {
        let start = source.head(16)?;
        let little = start.starts_with(b"II");
        let number = |bytes: &[u8]| {
            let add = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
            if little {
                bytes.iter().rev().fold(0, add)
            } else {
                bytes.iter().fold(0, add)
            }
        };
        // Version 43 is BigTIFF, with 64-bit offsets and counts.
        let big = start.get(2..4).is_some_and(|version| number(version) == 43);
        let (place, counter, entry) = if big { (8..16, 8, 20) } else { (4..8, 2, 12) };
        let mut place = number(start.get(place).ok_or_else(Broken::cut_short)?);
        let mut all: Vec<Page> = Vec::new();
        let mut seen = std::collections::BTreeSet::new();
        // The pages of a broken file may form a cycle.
        while place != 0 && all.len() < MOST_PAGES && seen.insert(place) {
            source.bytes.seek(SeekFrom::Start(place))?;
            let mut buffer = [0; 20];
            source.bytes.read_exact(&mut buffer[..counter])?;
            let mut page = Page::default();
            let mut elsewhere = Vec::new();
            for _ in 0..number(&buffer[..counter]) {
                source.bytes.read_exact(&mut buffer[..entry])?;
                let each = match number(&buffer[2..4]) {
                    3 | 8 => 2,
                    4 | 9 | 11 | 13 => 4,
                    5 | 10 | 12 | 16..=18 => 8,
                    _ => 1,
                };
                let (count, value) = buffer[4..entry].split_at(if big { 8 } else { 4 });
                let (tag, count) = (number(&buffer[..2]), number(count));
                if count.saturating_mul(each) > source.length {
                    return Err(Broken::wrong(format!(
                        "tag {tag} says it has {count} values, the file is shorter"
                    )));
                }
                let first = number(&value[..(each as usize).min(value.len())]);
                if count.saturating_mul(each) > value.len() as u64 {
                    elsewhere.push((tag as u16, number(value), each as usize));
                }
                page.tags.insert(tag as u16, (count, first));
            }
            let next = if big { 8 } else { 4 };
            source.bytes.read_exact(&mut buffer[..next])?;
            place = number(&buffer[..next]);
            // An entry without room for its values holds their offset instead.
            for (tag, at, each) in elsewhere {
                source.bytes.seek(SeekFrom::Start(at))?;
                if source.bytes.read_exact(&mut buffer[..each]).is_ok()
                    && let Some((_, first)) = page.tags.get_mut(&tag)
                {
                    *first = number(&buffer[..each]);
                }
            }
            all.push(page);
        }
        source.rewind()?;
        let maps: Vec<usize> = (0..all.len())
            .filter(|index| !all[*index].is_companion())
            .collect();
        // If every page claims to be a reduced copy, the first one is used.
        let maps = if maps.is_empty() { vec![0] } else { maps };
        Ok(Self { all, maps })
    }
}

/// Refuse a page with unsupported tags, so that it is left to GDAL.
///
/// With `ignores_unknown`, tags are accepted that do not change heights, as far as is known; the first of
/// them is returned.
pub fn check(
    pages: &Pages,
    index: usize,
    tags: &Tags,
    ignores_unknown: bool,
) -> Result<Option<String>, Broken> {
    let page = &pages.all[index];
    if let Some(what) = change(pages, page, tags) {
        return Err(Broken::foreign(what));
    }
    let unknown = page.tags.keys().find(|tag| !is_understood(**tag));
    let unknown = unknown.map(|tag| format!("tag {tag}"));
    let unknown =
        unknown.or_else(|| unknown_item(&tags.items).map(|name| format!("GDAL's item {name}")));
    match unknown {
        Some(what) if !ignores_unknown => Err(Broken::Foreign {
            what,
            changes: false,
        }),
        what => Ok(what),
    }
}

/// Describe the first unsupported property of a page that changes heights or positions.
fn change(pages: &Pages, page: &Page, tags: &Tags) -> Option<String> {
    let number = |tag, usual| page.number(tag).unwrap_or(usual);
    let (bands, photometric) = (number(277, 1), number(262, 1));
    let words = |words: &str| Some(words.to_owned());
    if !PACKINGS.contains(&number(259, 1)) {
        return Some(format!("its packing {}", name_of_packing(number(259, 1))));
    }
    match (photometric, bands) {
        (1, 1) => {}
        (0, 1) => return words("its lowest number, which is white"),
        (3, _) => return words("its palette"),
        (0..=2, bands) => return Some(format!("its {bands} bands")),
        (photometric, _) => return Some(format!("its kind of colours, {photometric}")),
    }
    if page.count(258) > 1 || ![8, 16, 32, 64].contains(&number(258, 1)) {
        return Some(format!("its numbers of {} bits", number(258, 1)));
    }
    if ![1, 2, 3].contains(&number(339, 1)) {
        return words("its numbers, which are no real ones");
    }
    if number(274, 1) != 1 || number(266, 1) != 1 {
        return words("the order of its samples");
    }
    if pages.all.iter().any(Page::is_mask) {
        return words("its mask");
    }
    if tags.lengths.contains(&0) {
        return words("its missing tiles");
    }
    if let [a, b, _, _, d, ..] = tags.transformation[..]
        && ((b, d) != (0.0, 0.0) || a <= 0.0)
    {
        return words("its rows, which do not run eastwards");
    }
    if page.count(33_922) > 6 || page.tags.contains_key(&50_844) {
        return words("its control points");
    }
    if !tags.no_data.trim().is_empty() && tags.no_data.trim().parse::<f64>().is_err() {
        return Some(format!("its number for no data, `{}`", tags.no_data.trim()));
    }
    change_of_system(tags).or_else(|| change_of_items(tags))
}

/// Describe the first unsupported property of the coordinate reference system.
fn change_of_system(tags: &Tags) -> Option<String> {
    let keys = &tags.keys;
    if keys.is_empty() {
        return None;
    }
    let system = "its coordinate reference system";
    let code = keys.epsg();
    let named = match code {
        Some(code) => format!("{system}, EPSG:{code}"),
        None => system.to_owned(),
    };
    let Some(unit) = code.and_then(known_unit) else {
        // Only the model and the sample type are set, so no position on earth is stated.
        let is_bare = keys
            .entries()
            .all(|[key, ..]| [MODEL_KEY, RASTER_KEY].contains(&key));
        return (!is_bare || keys.short(MODEL_KEY) == Some(2)).then_some(named);
    };
    for [key, place, _, value] in keys.entries() {
        let is_right = match (key, unit) {
            (MODEL_KEY, Unit::Degrees(_)) => value == 2,
            (MODEL_KEY, Unit::Metres(_)) => value == 1,
            (RASTER_KEY, _) => [1, 2].contains(&value),
            (GEOGRAPHIC_KEY, Unit::Degrees(_)) | (PROJECTED_KEY, Unit::Metres(_)) => {
                Some(value) == code
            }
            // The geographic system on which a projected one is based.
            (GEOGRAPHIC_KEY, Unit::Metres(_)) => true,
            (LINEAR_UNIT_KEY, Unit::Metres(_)) => value == METRES_UNIT,
            (key, _) if key == ANGULAR_UNIT.0 => value == ANGULAR_UNIT.1,
            (2056, _) => ELLIPSOIDS.contains(&value),
            (VERTICAL_KEY, _) => HEIGHTS.contains(&value),
            (VERTICAL_UNIT_KEY, _) => [METRES_UNIT, 9002, 9003].contains(&value),
            (key, _) => NAMES.contains(&key) && (place != 0 || key != 2051 || value == 8901),
        };
        if !is_right {
            return Some(format!("{named} with key {key}"));
        }
    }
    let has_heights = keys.short(VERTICAL_KEY).is_some();
    // The third number of ModelPixelScale and the last of ModelTiepoint.
    let (scale, offset) = (tags.scale.get(2)?, tags.tie.get(5).unwrap_or(&0.0));
    let is_scaled = has_heights && *scale != 0.0 && (*scale, *offset) != (1.0, 0.0);
    is_scaled.then(|| "the scale of its heights".to_owned())
}

/// Describe the first unsupported metadata item of GDAL that changes heights.
fn change_of_items(tags: &Tags) -> Option<String> {
    let unit = item(&tags.items, "unittype");
    let unit = unit.filter(|unit| !unit.is_empty() && tags.unit_of_items().is_none());
    if let Some(unit) = unit {
        return Some(format!("its unit of heights, `{unit}`"));
    }
    let is_said = MEANINGS.iter().any(|meaning| tags.items.contains(meaning));
    is_said.then(|| "what GDAL's items say of its numbers".to_owned())
}

/// The name of the first unknown metadata item.
fn unknown_item(items: &str) -> Option<&str> {
    let items = items.split("<Item ").skip(1);
    let mut names = items.filter_map(|item| {
        let role = |role: &str| item.contains(&format!("role=\"{role}\""));
        let is_known = role(SCALE)
            || role(OFFSET)
            || role("unittype")
            || role("description")
            || role("colorinterp");
        let name = item.split("name=\"").nth(1)?.split('"').next()?;
        let is_harmless = HARMLESS_ITEMS.iter().any(|begin| name.starts_with(begin));
        (!is_known && !is_harmless).then_some(name)
    });
    names.next()
}

fn name_of_packing(number: u64) -> String {
    match number {
        6 | 7 => "JPEG",
        34_712 => "JPEG 2000",
        34_887 => "LERC",
        34_925 => "LZMA",
        50_001 => "WebP",
        50_002 => "JPEG XL",
        number => return number.to_string(),
    }
    .to_owned()
}
