//! Where on earth a map lies: its coordinate reference system, as GeoTIFF stores it, and the places
//! of its corners. What was known about an imported map is exported with it again.

mod epsg;

pub use epsg::{Stretch, Unit, no_map, stretch_of, unit_of, vertical_unit_of};

/// The length in metres of a degree along a meridian, on a sphere of 6371 km.
pub const METRES_PER_DEGREE: f64 = 111_195.0;
/// The international foot in metres.
pub const FOOT: f64 = 0.3048;
/// The foot of surveys in the United States, in metres.
pub const SURVEY_FOOT: f64 = 1200.0 / 3937.0;

/// GTModelType: what coordinates are; 1 is projected, 2 is degrees.
pub const MODEL_KEY: u16 = 1024;
/// GTRasterType: with 1 a sample is an area, and places are those of its corner; with 2 a sample is
/// a point.
pub const RASTER_KEY: u16 = 1025;
/// GeographicType: a code of EPSG.
pub const GEOGRAPHIC_KEY: u16 = 2048;
/// ProjectedCSType: a code of EPSG.
pub const PROJECTED_KEY: u16 = 3072;
/// ProjCoordTrans: the kind of projection of a system without a code.
const PROJECTION_KEY: u16 = 3075;
/// ProjStdParallel1: the latitude where that projection is true to scale.
const PARALLEL_KEY: u16 = 3078;
/// GTCitation: the name of the whole system.
const CITATION_KEY: u16 = 1026;
/// GeogAngularUnits: the unit of angles.
const ANGULAR_UNIT_KEY: u16 = 2054;
/// PCSCitation: the name of the system.
const SYSTEM_CITATION_KEY: u16 = 3073;
/// ProjLinearUnits: the code of the unit of length.
pub const LINEAR_UNIT_KEY: u16 = 3076;
/// ProjLinearUnitSize: the unit of length in metres.
pub const LINEAR_SIZE_KEY: u16 = 3077;
/// VerticalCSType: a code of EPSG.
pub const VERTICAL_KEY: u16 = 4096;
/// VerticalUnits: the code of the unit of heights.
pub const VERTICAL_UNIT_KEY: u16 = 4099;

/// The code that means "user-defined".
const OWN: u16 = 32_767;
/// The tag that holds the keys' real numbers.
const DOUBLES: u16 = 34_736;
/// The tag that holds the keys' texts.
const TEXTS: u16 = 34_737;
/// The radius of Mercator's sphere, in metres.
const MERCATOR_RADIUS: f64 = 6_378_137.0;
/// The least cosine of the latitude that is reckoned with.
const NARROWEST: f64 = 0.002;

/// The cosine of a latitude in degrees: the share of their length on the equator that degrees have
/// there.
#[must_use]
pub fn narrower(latitude: f64) -> f64 {
    latitude.to_radians().cos().abs().max(NARROWEST)
}

/// The tags in which GeoTIFF holds a coordinate reference system, unchanged.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Keys {
    /// GeoKeyDirectory: a head of four numbers, then four numbers for each key.
    pub directory: Vec<u16>,
    /// GeoDoubleParams: the keys' real numbers.
    pub doubles: Vec<f64>,
    /// GeoAsciiParams: the keys' texts.
    pub text: String,
}

impl Keys {
    /// The system with this EPSG code, with samples as areas.
    #[must_use]
    pub fn of_epsg(code: u16) -> Self {
        let (model, kind) = match unit_of(code) {
            Unit::Degrees => (2, GEOGRAPHIC_KEY),
            Unit::Metres(_) => (1, PROJECTED_KEY),
        };
        let keys = [
            [MODEL_KEY, 0, 1, model],
            [RASTER_KEY, 0, 1, 1],
            [kind, 0, 1, code],
        ];
        Self {
            directory: directory(&keys),
            ..Self::default()
        }
    }

    /// A system without a code, by its well-known text, with samples as areas. Programs of ESRI and
    /// GDAL read this text where GeoTIFF has names; those of GDAL only do if the kind of coordinates
    /// is user-defined.
    #[must_use]
    pub fn of_text(text: &str, unit: Unit) -> Self {
        let words: Vec<_> = text.split_whitespace().collect();
        let text = format!("ESRI PE String = {}", words.join(" "));
        // A vertical stroke ends a text.
        let plain = |letter: char| match letter {
            '|' => '/',
            letter if letter.is_ascii() => letter,
            _ => '?',
        };
        let text: String = { text.chars() }
            .take(60_000)
            .map(plain)
            .chain(['|'])
            .collect();
        let citation = [SYSTEM_CITATION_KEY, TEXTS, text.len() as u16, 0];
        let raster = [RASTER_KEY, 0, 1, 1];
        let projection = match text.to_ascii_uppercase() {
            text if text.contains("PROJECTION[\"MERCATOR") => Some(7),
            text if text.contains("PSEUDO MERCATOR") => Some(7),
            text if text.contains("EQUIDISTANT_CYLINDRICAL") => Some(17),
            text if text.contains("EQUIRECTANGULAR") => Some(17),
            _ => None,
        };
        match unit {
            Unit::Degrees => Self {
                directory: directory(&[
                    [MODEL_KEY, 0, 1, OWN],
                    raster,
                    [GEOGRAPHIC_KEY, 0, 1, OWN],
                    [ANGULAR_UNIT_KEY, 0, 1, 9102],
                    citation,
                ]),
                text,
                ..Self::default()
            },
            Unit::Metres(metres) => {
                let mut keys = vec![
                    [MODEL_KEY, 0, 1, OWN],
                    raster,
                    [PROJECTED_KEY, 0, 1, OWN],
                    citation,
                ];
                keys.extend(projection.map(|kind| [PROJECTION_KEY, 0, 1, kind]));
                keys.push([LINEAR_UNIT_KEY, 0, 1, epsg::code_of_length(metres)]);
                keys.push([LINEAR_SIZE_KEY, DOUBLES, 1, 0]);
                Self {
                    directory: directory(&keys),
                    doubles: vec![metres],
                    text,
                }
            }
        }
    }

    /// The keys for a file that holds no heights, or heights in metres, whatever heights the keys
    /// were made for: what they say about heights stays only if it is true of metres.
    #[must_use]
    pub fn with_heights_in_metres(&self, has_heights: bool) -> Self {
        /// The keys VerticalCSType, its name, its datum and its units.
        const OF_HEIGHTS: std::ops::RangeInclusive<u16> = 4096..=4099;
        let is_vertical = |entry: &[u16; 4]| OF_HEIGHTS.contains(&entry[0]);
        let entries = self.directory.as_chunks::<4>().0;
        let has_any = entries.iter().skip(1).any(is_vertical);
        if !has_any || (has_heights && self.height_unit().is_none_or(|metres| metres == 1.0)) {
            return self.clone();
        }
        // The name of the whole system names the heights, too.
        let kept = entries.iter().skip(1);
        let kept = kept.filter(|entry| !is_vertical(entry) && entry[0] != CITATION_KEY);
        let kept: Vec<_> = kept.copied().collect();
        Self {
            directory: directory(&kept),
            ..self.clone()
        }
    }

    /// How the system's metres are longer than those of the ground; `None` if they are not.
    fn stretch(&self) -> Option<Stretch> {
        if self.unit() == Unit::Degrees {
            return None;
        }
        let own = match self.short(PROJECTION_KEY) {
            Some(7) => Some(Stretch::Mercator),
            Some(17) => Some(Stretch::Cylindrical),
            _ => None,
        };
        self.short(PROJECTED_KEY).and_then(stretch_of).or(own)
    }

    /// Whether a metre of coordinates is a metre of ground, apart from the small errors of national
    /// projections.
    #[must_use]
    pub fn is_true_to_scale(&self) -> bool {
        self.unit() != Unit::Degrees && self.stretch().is_none()
    }

    /// The factors that turn steps in coordinates other than degrees into steps on the ground,
    /// eastwards and southwards, at a place whose second coordinate is `northing`.
    #[must_use]
    pub fn shrink(&self, northing: f64) -> [f64; 2] {
        let metres = match self.unit() {
            Unit::Metres(unit) => northing * unit,
            Unit::Degrees => return [1.0; 2],
        };
        let radians = metres / MERCATOR_RADIUS;
        let of_true = narrower(self.double(PARALLEL_KEY).unwrap_or(0.0));
        match self.stretch() {
            Some(Stretch::Mercator) => {
                let latitude = (radians / of_true).sinh().atan();
                [narrower(latitude.to_degrees()) / of_true; 2]
            }
            Some(Stretch::Cylindrical) => [narrower(radians.to_degrees()) / of_true, 1.0],
            None => [1.0; 2],
        }
    }

    /// Whether no system is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.directory.is_empty()
    }

    /// The value of a key that is a short number; `None` if the key is missing.
    #[must_use]
    pub fn short(&self, key: u16) -> Option<u16> {
        let found = |entry: &&[u16; 4]| entry[0] == key && entry[1] == 0;
        let (entries, _) = self.directory.as_chunks::<4>();
        entries.iter().skip(1).find(found).map(|entry| entry[3])
    }

    /// The system's EPSG code, if it has one.
    #[must_use]
    pub fn epsg(&self) -> Option<u16> {
        let kind = match self.unit() {
            Unit::Degrees => GEOGRAPHIC_KEY,
            Unit::Metres(_) => PROJECTED_KEY,
        };
        self.short(kind)
            .filter(|code| (1024..32_767).contains(code))
    }

    /// The value of a key that is a real number; `None` if the key is missing.
    #[must_use]
    pub fn double(&self, key: u16) -> Option<f64> {
        let found = |entry: &&[u16; 4]| entry[0] == key && entry[1] == DOUBLES;
        let (entries, _) = self.directory.as_chunks::<4>();
        let entry = entries.iter().skip(1).find(found)?;
        self.doubles.get(usize::from(entry[3])).copied()
    }

    /// Whether a place is that of a sample's north-western corner, not of its middle.
    #[must_use]
    pub fn is_area(&self) -> bool {
        self.short(RASTER_KEY) != Some(2)
    }

    /// The unit of coordinates.
    #[must_use]
    pub fn unit(&self) -> Unit {
        let is_geographic = match self.short(MODEL_KEY) {
            Some(1) => false,
            Some(2) => true,
            _ => self.short(GEOGRAPHIC_KEY).is_some() && self.short(PROJECTED_KEY).is_none(),
        };
        if is_geographic {
            return Unit::Degrees;
        }
        let stated = self.short(LINEAR_UNIT_KEY).and_then(epsg::length);
        let size = self.double(LINEAR_SIZE_KEY).filter(|size| *size > 0.0);
        let by_code = || self.short(PROJECTED_KEY).map(unit_of);
        match stated.or(size) {
            Some(metres) => Unit::Metres(metres),
            None => by_code().unwrap_or(Unit::Metres(1.0)),
        }
    }

    /// The unit of heights in metres, if it is said.
    #[must_use]
    pub fn height_unit(&self) -> Option<f64> {
        let stated = self.short(VERTICAL_UNIT_KEY).and_then(epsg::length);
        stated.or_else(|| self.short(VERTICAL_KEY).and_then(vertical_unit_of))
    }
}

/// Where a map lies, in the coordinates of its system.
#[derive(Clone, Debug, PartialEq)]
pub struct Georeference {
    /// The system; empty if it is not known.
    pub keys: Keys,
    /// The place of the north-western sample.
    pub origin: [f64; 2],
    /// The vector along a row over as many cells as the map's longer side has.
    pub east: [f64; 2],
    /// The vector down a column over as many cells.
    pub south: [f64; 2],
}

impl Georeference {
    /// The place of a sample, and the vectors to the next sample eastwards and southwards, on a map
    /// of `cells` cells along its longer side.
    #[must_use]
    pub fn at(&self, row: u64, column: u64, cells: u64) -> ([f64; 2], [f64; 2], [f64; 2]) {
        let part = |way: [f64; 2]| way.map(|way| way / cells.max(1) as f64);
        let (east, south) = (part(self.east), part(self.south));
        let (row, column) = (row as f64, column as f64);
        let place = [0, 1].map(|axis| self.origin[axis] + column * east[axis] + row * south[axis]);
        (place, east, south)
    }

    /// The coordinates of a point that is given in half tiles east and south of the north-western
    /// sample.
    #[must_use]
    pub fn point(&self, from_corner: [f64; 2]) -> [f64; 2] {
        // The map's longer side is two half tiles.
        let [east, south] = from_corner.map(|half_tiles| half_tiles * 0.5);
        [0, 1].map(|axis| self.origin[axis] + self.east[axis] * east + self.south[axis] * south)
    }

    /// The coordinates of [`Georeference::point`] with the code of their system, such as
    /// "30.25000° S, 70.75000° W (EPSG:4326)".
    #[must_use]
    pub fn format_point(&self, from_corner: [f64; 2]) -> String {
        let [x, y] = self.point(from_corner);
        let system = self
            .keys
            .epsg()
            .map_or_else(String::new, |code| format!(" (EPSG:{code})"));
        match self.keys.unit() {
            Unit::Degrees => {
                let side = |degrees: f64, sides: [&str; 2]| {
                    let side = sides[usize::from(degrees < 0.0)];
                    format!("{:.5}° {side}", degrees.abs())
                };
                format!("{}, {}{system}", side(y, ["N", "S"]), side(x, ["E", "W"]))
            }
            Unit::Metres(_) => format!("E {x:.1}, N {y:.1}{system}"),
        }
    }

    /// Whether columns point north and rows point east.
    #[must_use]
    pub fn is_upright(&self) -> bool {
        self.east[1] == 0.0 && self.south[0] == 0.0 && self.east[0] > 0.0 && self.south[1] < 0.0
    }

    /// By how many degrees rows turn north of east, and by how many columns are off the right angle
    /// to them; `None` if the map is upright.
    #[must_use]
    pub fn turned(&self) -> Option<[f64; 2]> {
        if self.is_upright() {
            return None;
        }
        let narrower = match self.keys.unit() {
            Unit::Degrees => self.origin[1].to_radians().cos(),
            Unit::Metres(_) => 1.0,
        };
        let angle = |[x, y]: [f64; 2]| y.atan2(x * narrower).to_degrees();
        let turn = angle(self.east);
        let skew = (angle(self.south) + 90.0 - turn + 540.0).rem_euclid(360.0) - 180.0;
        Some([turn, skew])
    }
}

/// The code in `EPSG:N`; `None` if the text is empty.
///
/// # Errors
/// The text is not such a code; the message says what is allowed.
pub fn parse_crs(text: &str) -> Result<Option<u16>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let code = text
        .split_once(':')
        .filter(|(name, _)| name.eq_ignore_ascii_case("epsg"));
    // In GeoTIFF 32767 means "user-defined".
    let code = code.and_then(|(_, code)| code.trim().parse().ok());
    let code = code.filter(|code| (1024..OWN).contains(code));
    match code.map(|code| (code, no_map(code))) {
        Some((code, None)) => Ok(Some(code)),
        Some((_, Some(what))) => Err(format!(
            "a system of easting and northing or of longitude and latitude, this one is {what}"
        )),
        None => Err("EPSG:N, N from 1024 to 32766, or empty".to_owned()),
    }
}

/// A key directory of version 1.1.0.
fn directory(keys: &[[u16; 4]]) -> Vec<u16> {
    let head = [1, 1, 0, keys.len() as u16];
    head.into_iter().chain(keys.concat()).collect()
}

/// The two coordinates in `X,Y`; `None` if the text is empty.
///
/// # Errors
/// The text is not two coordinates; the message says what is allowed.
pub fn parse_origin(text: &str) -> Result<Option<[f64; 2]>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let number = |text: &str| text.trim().parse().ok().filter(|n: &f64| n.is_finite());
    text.split_once(',')
        .and_then(|(x, y)| Some(Some([number(x)?, number(y)?])))
        .ok_or_else(|| "X,Y, the coordinates of the north-western sample, or empty".to_owned())
}
