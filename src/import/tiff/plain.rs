//! Whether a page of a TIFF is plain: whether every tag of it is understood here. What is not is left to
//! GDAL, which knows them all.

use std::collections::BTreeMap;
use std::io::SeekFrom;

use crate::formats::tiff::{FINE_TAG, METADATA_TAG, OFFSET, SCALE};
use crate::geo::{
    GEOGRAPHIC_KEY, Keys, LINEAR_UNIT_KEY, METRES_UNIT, MODEL_KEY, PROJECTED_KEY, RASTER_KEY, Unit,
    VERTICAL_KEY, VERTICAL_UNIT_KEY, known_unit,
};
use crate::import::source::{Broken, Source};

/// Pages that are looked at; a file of more is not one of heights.
const MOST_PAGES: usize = 1024;

/// Tags that say what the reader understands, or nothing of heights and places: the numbers' layout, texts,
/// resolution in print, XMP, IPTC, ICC profiles, EXIF, what GDAL and Landform write.
fn is_understood(tag: u16) -> bool {
    /// Landform's own tag, and GDAL's items and number for no data.
    const OTHERS: [u16; 3] = [FINE_TAG, METADATA_TAG, 42_113];
    OTHERS.contains(&tag)
        || matches!(
            tag,
            254..=259 | 262 | 266 | 269..=274 | 277..=285 | 296 | 297 | 305 | 306 | 315..=317 | 322..=325
                | 338..=341 | 700 | 33_432 | 33_550 | 33_723 | 33_922 | 34_264 | 34_377 | 34_665 | 34_675
                | 34_735..=34_737
        )
}

/// Packings that are read: none, LZW, DEFLATE by its two numbers, PackBits, ZSTD.
const PACKINGS: &[u64] = &[1, 5, 8, 32_946, 32_773, 50_000];
/// GDAL's items that say nothing of heights and places, by how they begin.
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
/// GeoTIFF's keys that name the system and its parts, whose code or name says the same.
const NAMES: &[u16] = &[
    1026, 2049, 2050, 2051, 2052, 2053, 2055, 2056, 2057, 2058, 2059, 3073, 3074, 4097, 4098,
];
/// GeogAngularUnits and its value for degrees.
const ANGULAR_UNIT: (u16, u16) = (2054, 9102);
/// GeogEllipsoid: those of WGS 84 and GRS 1980.
const ELLIPSOIDS: [u16; 2] = [7030, 7019];

/// Vertical systems of heights in metres: NAVD88, EGM96, EGM2008, DHHN92, DHHN2016, EVRF2000, EVRF2007, and
/// a user's own.
const HEIGHTS: [u16; 8] = [5703, 5773, 3855, 5783, 7837, 5730, 5621, 32_767];
/// GDAL's items that say what numbers are, by how their elements begin.
const MEANINGS: &[&str] = &[
    "name=\"positive",
    "standard_name",
    "NODATA_VALUES",
    "domain=\"RPC",
    "domain=\"GEOLOCATION",
    "='",
];

/// One page: its tags, each with how many numbers it has and the first of them.
#[derive(Clone, Debug, Default)]
pub struct Page {
    tags: BTreeMap<u16, (u64, u64)>,
}

impl Page {
    /// The first number of a tag of whole numbers.
    pub fn number(&self, tag: u16) -> Option<u64> {
        self.tags.get(&tag).map(|(_, first)| *first)
    }

    fn count(&self, tag: u16) -> u64 {
        self.tags.get(&tag).map_or(0, |(count, _)| *count)
    }

    /// Whether it is a smaller copy of another page, or says which samples of it hold data.
    fn is_companion(&self) -> bool {
        // The older tag says 2 of smaller copies.
        self.number(254).unwrap_or(0) & 5 != 0 || self.number(255) == Some(2)
    }

    fn is_mask(&self) -> bool {
        self.number(254).unwrap_or(0) & 4 != 0
    }
}

/// The pages of a file.
#[derive(Clone, Debug)]
pub struct Pages {
    /// All of them.
    pub all: Vec<Page>,
    /// Which are maps, not previews, overviews or masks.
    pub maps: Vec<usize>,
}

impl Pages {
    /// The pages of a file. Refuses tags that say they are longer than the file, for which the decoder would
    /// take memory before it finds out.
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
        // Version 43 has 64-bit places and counts.
        let big = start.get(2..4).is_some_and(|version| number(version) == 43);
        let (place, counter, entry) = if big { (8..16, 8, 20) } else { (4..8, 2, 12) };
        let mut place = number(start.get(place).ok_or_else(Broken::cut_short)?);
        let mut all: Vec<Page> = Vec::new();
        let mut seen = std::collections::BTreeSet::new();
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
            // Of more numbers than an entry has room for the entry says where they are.
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
        // If every page says that it is a smaller copy, the first is taken.
        let maps = if maps.is_empty() { vec![0] } else { maps };
        Ok(Self { all, maps })
    }
}

/// What else is known of a page before its numbers are read.
pub struct Known<'a> {
    /// GeoTIFF's keys.
    pub keys: &'a Keys,
    /// The third number of ModelPixelScale and the last of ModelTiepoint.
    pub height_scale: Option<(f64, f64)>,
    /// ModelTransformation.
    pub transformation: &'a [f64],
    /// GDAL's items, as XML.
    pub items: &'a str,
    /// GDAL's text for no data.
    pub no_data: &'a str,
    /// Bytes of every strip or tile.
    pub lengths: &'a [u64],
    /// Metres of the unit of heights, where GDAL's items state one that is known.
    pub unit: Option<f64>,
}

/// Refuses a page that is not plain; it is for GDAL. `ignores_unknown` lets pass what changes nothing as
/// far as is known.
pub fn check(
    pages: &Pages,
    index: usize,
    known: &Known<'_>,
    ignores_unknown: bool,
) -> Result<Option<String>, Broken> {
    let page = &pages.all[index];
    if let Some(what) = change(pages, page, known) {
        return Err(Broken::foreign(what));
    }
    let unknown = page.tags.keys().find(|tag| !is_understood(**tag));
    let unknown = unknown.map(|tag| format!("tag {tag}"));
    let unknown =
        unknown.or_else(|| unknown_item(known.items).map(|name| format!("GDAL's item {name}")));
    match unknown {
        Some(what) if !ignores_unknown => Err(Broken::Foreign {
            what,
            changes: false,
        }),
        what => Ok(what),
    }
}

/// What of a page changes heights or places and is not understood, a few words.
fn change(pages: &Pages, page: &Page, known: &Known<'_>) -> Option<String> {
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
    if known.lengths.contains(&0) {
        return words("its missing tiles");
    }
    if let [a, b, _, _, d, ..] = known.transformation[..]
        && ((b, d) != (0.0, 0.0) || a <= 0.0)
    {
        return words("its rows, which do not lead east");
    }
    if page.count(33_922) > 6 || page.tags.contains_key(&50_844) {
        return words("its control points");
    }
    if !known.no_data.trim().is_empty() && known.no_data.trim().parse::<f64>().is_err() {
        return Some(format!(
            "its number for no data, `{}`",
            known.no_data.trim()
        ));
    }
    change_of_system(known).or_else(|| change_of_items(known))
}

/// What of the coordinate reference system is not known here.
fn change_of_system(known: &Known<'_>) -> Option<String> {
    let keys = known.keys;
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
        // Only the model and what samples are: nothing is said of a place on earth.
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
            // The geographic system below a projected one.
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
    let scale = known
        .height_scale
        .filter(|scale| has_heights && scale.0 != 0.0);
    (scale.is_some_and(|scale| scale != (1.0, 0.0))).then(|| "the scale of its heights".to_owned())
}

/// What of GDAL's items changes heights and is not understood.
fn change_of_items(known: &Known<'_>) -> Option<String> {
    let unit = crate::formats::tiff::item(known.items, "unittype");
    let unit = unit.filter(|unit| !unit.is_empty() && known.unit.is_none());
    if let Some(unit) = unit {
        return Some(format!("its unit of heights, `{unit}`"));
    }
    let is_said = MEANINGS.iter().any(|meaning| known.items.contains(meaning));
    is_said.then(|| "what GDAL's items say of its numbers".to_owned())
}

/// The name of an item that is not known.
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
