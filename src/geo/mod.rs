//! Where on earth a map lies: its coordinate reference system, as GeoTIFF says it, and the places
//! of its corners. What an imported map knew goes out with it again.

mod epsg;

pub use epsg::{Unit, unit_of, vertical_unit_of};

/// Metres of a degree along a meridian, of a sphere of 6371 km.
pub const METRES_PER_DEGREE: f64 = 111_195.0;
/// A foot, and that of surveys in the United States, in metres.
pub const FOOT: f64 = 0.3048;
/// See [`FOOT`].
pub const SURVEY_FOOT: f64 = 1200.0 / 3937.0;

/// GTModelType: what coordinates are; 1 projected, 2 degrees.
pub const MODEL_KEY: u16 = 1024;
/// GTRasterType: 1 a sample is an area, and places are those of its corner; 2 it is a point.
pub const RASTER_KEY: u16 = 1025;
/// GeographicType: a code of EPSG.
pub const GEOGRAPHIC_KEY: u16 = 2048;
/// ProjectedCSType: a code of EPSG.
pub const PROJECTED_KEY: u16 = 3072;
/// ProjLinearUnits, and ProjLinearUnitSize in metres.
pub const LINEAR_UNIT_KEY: u16 = 3076;
/// See [`LINEAR_UNIT_KEY`].
pub const LINEAR_SIZE_KEY: u16 = 3077;
/// VerticalCSType: a code of EPSG.
pub const VERTICAL_KEY: u16 = 4096;
/// VerticalUnits.
pub const VERTICAL_UNIT_KEY: u16 = 4099;

/// The tags in which GeoTIFF holds a coordinate reference system, as they are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Keys {
    /// GeoKeyDirectory: a head of four numbers, then four for each key.
    pub directory: Vec<u16>,
    /// GeoDoubleParams.
    pub doubles: Vec<f64>,
    /// GeoAsciiParams.
    pub text: String,
}

impl Keys {
    /// The system of a code of EPSG, samples as areas.
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
        let head = [1, 1, 0, keys.len() as u16];
        Self {
            directory: head.into_iter().chain(keys.into_iter().flatten()).collect(),
            ..Self::default()
        }
    }

    /// Whether no system is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.directory.is_empty()
    }

    /// The value of a key that is a short number.
    #[must_use]
    pub fn short(&self, key: u16) -> Option<u16> {
        let found = |entry: &&[u16; 4]| entry[0] == key && entry[1] == 0;
        let (entries, _) = self.directory.as_chunks::<4>();
        entries.iter().skip(1).find(found).map(|entry| entry[3])
    }

    /// The code of EPSG, if the system has one.
    #[must_use]
    pub fn epsg(&self) -> Option<u16> {
        let kind = match self.unit() {
            Unit::Degrees => GEOGRAPHIC_KEY,
            Unit::Metres(_) => PROJECTED_KEY,
        };
        self.short(kind)
            .filter(|code| (1024..32_767).contains(code))
    }

    /// The value of a key that is a real number.
    #[must_use]
    pub fn double(&self, key: u16) -> Option<f64> {
        const DOUBLES: u16 = 34_736;
        let found = |entry: &&[u16; 4]| entry[0] == key && entry[1] == DOUBLES;
        let (entries, _) = self.directory.as_chunks::<4>();
        let entry = entries.iter().skip(1).find(found)?;
        self.doubles.get(usize::from(entry[3])).copied()
    }

    /// Whether places are those of a sample's corner, the north-western one.
    #[must_use]
    pub fn is_area(&self) -> bool {
        self.short(RASTER_KEY) != Some(2)
    }

    /// The unit of coordinates.
    #[must_use]
    pub fn unit(&self) -> Unit {
        if self.short(MODEL_KEY) == Some(2) {
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

    /// Metres of the unit of heights, if it is said.
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
    /// The way along a row over as many cells as the map's longer side has.
    pub east: [f64; 2],
    /// The same down a column.
    pub south: [f64; 2],
}

impl Georeference {
    /// The place of a sample, and the ways to the next sample eastwards and southwards, on a map
    /// of `cells` cells along its longer side.
    #[must_use]
    pub fn at(&self, row: u64, column: u64, cells: u64) -> ([f64; 2], [f64; 2], [f64; 2]) {
        let part = |way: [f64; 2]| way.map(|way| way / cells.max(1) as f64);
        let (east, south) = (part(self.east), part(self.south));
        let (row, column) = (row as f64, column as f64);
        let place = [0, 1].map(|axis| self.origin[axis] + column * east[axis] + row * south[axis]);
        (place, east, south)
    }

    /// Whether columns point north and rows east.
    #[must_use]
    pub fn is_upright(&self) -> bool {
        self.east[1] == 0.0 && self.south[0] == 0.0 && self.east[0] > 0.0 && self.south[1] < 0.0
    }

    /// By how many degrees rows lead north of east, and columns off the right angle to them;
    /// `None` if the map is upright.
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

/// The code in `EPSG:N`.
///
/// # Errors
/// What is allowed.
pub fn parse_crs(text: &str) -> Result<Option<u16>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let code = text
        .split_once(':')
        .filter(|(name, _)| name.eq_ignore_ascii_case("epsg"));
    // 32767 means "of one's own" in GeoTIFF.
    let code = code.and_then(|(_, code)| code.trim().parse().ok());
    code.filter(|code| (1024..=32_766).contains(code))
        .map(Some)
        .ok_or_else(|| "EPSG:N, N from 1024 to 32766, or empty".to_owned())
}

/// The two coordinates in `X,Y`.
///
/// # Errors
/// What is allowed.
pub fn parse_origin(text: &str) -> Result<Option<[f64; 2]>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let number = |text: &str| text.trim().parse().ok().filter(|n: &f64| n.is_finite());
    text.split_once(',')
        .and_then(|(x, y)| Some(Some([number(x)?, number(y)?])))
        .ok_or_else(|| "X,Y, the coordinates of the north-western sample, or empty".to_owned())
}
