//! `.nc`, `.grd`: netCDF, classic and within HDF5, as GEBCO, ETOPO and GMT hand out elevations:
//! the variable of two dimensions, its coordinates in the variables of its dimensions' names
//! (CF conventions 1.11). Rows may lead north. Numbers are metres unless `units` says otherwise,
//! after `scale_factor` and `add_offset`; `_FillValue`, `missing_value` and what is not in
//! `valid_range` is no data.

use std::io::Read;

use netcdf_reader::{NcFile, NcOpenOptions, NcType, NcVariable};

use super::prj;
use super::reader::{Holding, Reader};
use super::recipe::Recipe;
use super::rule::{FromFile, Rule, metres_of_degrees};
use super::samples::Samples;
use super::source::{Broken, Source, check_bytes, check_memory, check_room, check_size};
use crate::geo::{FOOT, Georeference, Keys};

/// The format.
pub const READER: Reader = Reader {
    name: "netCDF",
    extensions: &["nc", "grd"],
    mark: Some(|bytes| MARKS.iter().any(|mark| bytes.starts_with(mark))),
    holds: Holding::Heights(read),
    recipe: |_| Ok(Recipe::None),
};

const MARKS: &[&[u8]] = &[b"CDF\x01", b"CDF\x02", b"CDF\x05", b"\x89HDF\r\n\x1a\n"];
/// Names of the variable that holds the map, the best first: GEBCO's, GMT's, GDAL's.
const NAMES: &[&str] = &["elevation", "z", "Band1"];
/// Bytes that one byte may become: deflate's, which is what elevations are packed with.
const MOST_PACKED: u64 = 1032;
/// What small files may take whatever they hold.
const ROOM: u64 = 1 << 16;
/// The system of longitude and latitude where none is given.
const WGS_84: u16 = 4326;
/// Coordinates may be off their even places by this share of a step: some have 32 bits.
const MOST_UNEVEN: f64 = 0.1;

fn read(source: &mut Source<'_>) -> Result<Samples, Broken> {
    let (length, beside) = (source.length, source.beside);
    check_bytes("it needs", length)?;
    let mut bytes = Vec::with_capacity(length as usize);
    source.rewind()?;
    (&mut *source.bytes).take(length).read_to_end(&mut bytes)?;
    let most = (length * MOST_PACKED + ROOM) as usize;
    let options = NcOpenOptions {
        max_chunk_bytes: most,
        max_read_bytes: most,
        ..NcOpenOptions::default()
    };
    let file = NcFile::from_owner(bytes, options).map_err(Broken::wrong)?;
    let map = map_in(&file)?;
    let axes = Axes::of(&file, map)?;
    let (rows, columns) = (axes.rows.count, axes.columns.count);
    let size = map.dtype().size().map_err(Broken::wrong)? as u64;
    check_room(columns, rows, length, MOST_PACKED as f64 / size as f64)?;
    // As stored, and as numbers of 64 bits.
    check_memory(columns, rows, size + 8)?;
    let rule = Rule::new(axes.said(&file, map), beside, rows, columns)?;
    // No data is not a number in there.
    let numbers = file
        .read_variable_masked(map.name())
        .map_err(Broken::wrong)?;
    let (numbers, _) = numbers.into_raw_vec_and_offset();
    let count = (rows * columns) as usize;
    if numbers.len() != count {
        return Err(Broken::cut_short());
    }
    let (rows_all, columns_all) = (rows as usize, columns as usize);
    let height = |at: usize| {
        let stored = if axes.by_columns {
            numbers[at % columns_all * rows_all + at / columns_all]
        } else {
            numbers[at]
        };
        rule.height(stored)
    };
    let values = (0..count).map(height).collect();
    let mut samples = Samples::from_vec(rows, columns, values, rule.meaning())?;
    rule.hand_on(&mut samples);
    Ok(samples)
}

/// The variable that holds the map.
fn map_in(file: &NcFile) -> Result<&NcVariable, Broken> {
    let variables = file.variables().map_err(Broken::wrong)?;
    let is_map = |variable: &&NcVariable| variable.ndim() == 2 && is_number(variable.dtype());
    let maps: Vec<_> = variables.iter().filter(is_map).collect();
    let has_axes = |map: &&NcVariable| {
        map.dimensions()
            .iter()
            .all(|d| axis(file, &d.name).is_some())
    };
    let placed: Vec<_> = maps.iter().copied().filter(has_axes).collect();
    let named = |maps: &[&'_ NcVariable]| {
        let names = NAMES.iter();
        names
            .flat_map(|name| maps.iter().position(|map| map.name() == *name))
            .next()
    };
    // Bounds of cells are pairs, whose dimension is no axis.
    let of = if placed.is_empty() { &maps } else { &placed };
    match (of.as_slice(), named(of)) {
        (_, Some(at)) => Ok(of[at]),
        ([map], None) => Ok(map),
        ([], None) => {
            let names: Vec<_> = variables.iter().map(NcVariable::name).collect();
            Err(Broken::wrong(format!(
                "netCDF with {}, allowed is a variable of two dimensions",
                listed(&names, "no variables")
            )))
        }
        (several, None) => {
            let names: Vec<_> = several.iter().map(|map| map.name()).collect();
            Err(Broken::wrong(format!(
                "netCDF with {} maps: {}, allowed is one, or one named {}",
                names.len(),
                listed(&names, ""),
                NAMES.join(", ")
            )))
        }
    }
}

fn listed(names: &[&str], none: &str) -> String {
    match names {
        [] => none.to_owned(),
        names => names.join(", "),
    }
}

fn is_number(kind: &NcType) -> bool {
    use NcType::{Byte, Double, Float, Int, Int64, Short, UByte, UInt, UInt64, UShort};
    matches!(
        kind,
        Byte | UByte | Short | UShort | Int | UInt | Int64 | UInt64 | Float | Double
    )
}

/// The coordinates along a dimension.
fn axis<'a>(file: &'a NcFile, dimension: &str) -> Option<&'a NcVariable> {
    let axis = file.variable(dimension).ok()?;
    (axis.ndim() == 1 && is_number(axis.dtype())).then_some(axis)
}

fn text(variable: &NcVariable, name: &str) -> Option<String> {
    variable.attribute(name)?.value.as_string()
}

fn number(variable: &NcVariable, name: &str) -> Option<f64> {
    let number = variable.attribute(name)?.value.as_f64()?;
    number.is_finite().then_some(number)
}

/// What the coordinates along an axis are.
#[derive(Clone, Copy, Debug, PartialEq)]
enum AxisUnit {
    Degrees,
    Metres(f64),
}

/// One of the two dimensions of the map.
struct Axis {
    count: u64,
    /// The first coordinate and the way to the next, if there are coordinates.
    places: Option<(f64, f64)>,
    unit: Option<AxisUnit>,
    is_longitude: bool,
}

impl Axis {
    fn of(file: &NcFile, map: &NcVariable, dimension: usize) -> Result<Self, Broken> {
        let dimension = &map.dimensions()[dimension];
        let mut axis = Self {
            count: dimension.size,
            places: None,
            unit: None,
            is_longitude: is_eastward(&dimension.name, "", ""),
        };
        let Some(variable) = self::axis(file, &dimension.name) else {
            return Ok(axis);
        };
        let unit = text(variable, "units").unwrap_or_default();
        let standard = text(variable, "standard_name").unwrap_or_default();
        axis.is_longitude = is_eastward(&dimension.name, &unit, &standard);
        axis.unit = unit_of(&dimension.name, &unit, &standard);
        if dimension.size < 2 || variable.shape() != [dimension.size] {
            return Ok(axis);
        }
        check_size(dimension.size, 1)?;
        let places = file.read_variable_as_f64(variable.name());
        let places: Vec<f64> = places.map_err(Broken::wrong)?.into_iter().collect();
        let (Some(first), Some(last)) = (places.first(), places.last()) else {
            return Ok(axis);
        };
        let step = (last - first) / (places.len() - 1) as f64;
        let is_even = |(at, place): (usize, &f64)| {
            (place - (first + at as f64 * step)).abs() <= step.abs() * MOST_UNEVEN
        };
        if !step.is_finite() || step == 0.0 || !places.iter().enumerate().all(is_even) {
            return Err(Broken::wrong(format!(
                "its `{}` does not rise in even steps, allowed is a grid that does",
                dimension.name
            )));
        }
        axis.places = Some((*first, step));
        Ok(axis)
    }
}

fn is_eastward(name: &str, unit: &str, standard: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.starts_with("lon")
        || name == "x"
        || name == "easting"
        || unit.to_ascii_lowercase().ends_with("east")
        || ["longitude", "projection_x_coordinate", "grid_longitude"].contains(&standard)
}

fn unit_of(name: &str, unit: &str, standard: &str) -> Option<AxisUnit> {
    let (name, unit) = (name.to_ascii_lowercase(), unit.to_ascii_lowercase());
    if unit.starts_with("deg") {
        return Some(AxisUnit::Degrees);
    }
    if let Some(metres) = metres_of(&unit) {
        return Some(AxisUnit::Metres(metres));
    }
    let is_angle = ["longitude", "latitude"].contains(&standard)
        || name.starts_with("lon")
        || name.starts_with("lat");
    is_angle.then_some(AxisUnit::Degrees)
}

/// Metres of a unit of length, as UDUNITS words it.
fn metres_of(unit: &str) -> Option<f64> {
    match unit.trim().to_ascii_lowercase().as_str() {
        "m" | "metre" | "meter" | "metres" | "meters" => Some(1.0),
        "km" | "kilometre" | "kilometer" | "kilometres" | "kilometers" => Some(1000.0),
        "ft" | "foot" | "feet" | "international_foot" | "international_feet" => Some(FOOT),
        _ => None,
    }
}

/// Both dimensions of the map.
struct Axes {
    rows: Axis,
    columns: Axis,
    /// Whether the numbers of a column lie beside each other.
    by_columns: bool,
}

impl Axes {
    fn of(file: &NcFile, map: &NcVariable) -> Result<Self, Broken> {
        let (first, second) = (Axis::of(file, map, 0)?, Axis::of(file, map, 1)?);
        let by_columns = first.is_longitude && !second.is_longitude;
        let (rows, columns) = if by_columns {
            (second, first)
        } else {
            (first, second)
        };
        if columns.places.is_some_and(|(_, step)| step < 0.0) {
            return Err(Broken::wrong("its columns lead west, allowed is east"));
        }
        Ok(Self {
            rows,
            columns,
            by_columns,
        })
    }

    fn said(&self, file: &NcFile, map: &NcVariable) -> FromFile {
        let factor = number(map, "scale_factor");
        let offset = number(map, "add_offset");
        let mut said = FromFile {
            unit_m: text(map, "units").and_then(|unit| metres_of(&unit)),
            scale: (factor.is_some() || offset.is_some())
                .then(|| (factor.unwrap_or(1.0), offset.unwrap_or(0.0))),
            no_data: number(map, "_FillValue").or_else(|| number(map, "missing_value")),
            ..FromFile::default()
        };
        let Some(((west, east), (first, step))) = self.columns.places.zip(self.rows.places) else {
            return said;
        };
        let last = first + step * (self.rows.count - 1) as f64;
        let middle = (first + last) / 2.0;
        said.south_first = step > 0.0;
        let unit = self.columns.unit.or(self.rows.unit).unwrap_or_else(|| {
            said.assumed.push("coordinates in metres".to_owned());
            AxisUnit::Metres(1.0)
        });
        let keys = match (system(file, map), unit) {
            (Some(code), _) => Keys::of_epsg(code),
            (None, AxisUnit::Degrees) => Keys::of_epsg(WGS_84),
            (None, AxisUnit::Metres(_)) => Keys::default(),
        };
        said.step_m = Some(match unit {
            AxisUnit::Degrees => metres_of_degrees([east, step], middle),
            AxisUnit::Metres(metres) => {
                let shrink = keys.shrink(middle);
                [east * metres * shrink[0], step.abs() * metres * shrink[1]]
            }
        });
        // Coordinates of other units would be none of the system's.
        if matches!(unit, AxisUnit::Degrees | AxisUnit::Metres(1.0)) {
            said.place = Some(Georeference {
                keys,
                origin: [west, first.max(last)],
                east: [east, 0.0],
                south: [0.0, -step.abs()],
            });
        }
        said
    }
}

/// The code of EPSG of the system that the map's grid mapping gives.
fn system(file: &NcFile, map: &NcVariable) -> Option<u16> {
    let mapping = file.variable(&text(map, "grid_mapping")?).ok()?;
    let code = text(mapping, "epsg_code");
    if let Some(code) = code.and_then(|code| code.rsplit(':').next()?.trim().parse().ok()) {
        return Some(code);
    }
    let words = text(mapping, "crs_wkt").or_else(|| text(mapping, "spatial_ref"))?;
    prj::epsg(&words)
}
