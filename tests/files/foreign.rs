//! Files that other programs wrote, see `tests/foreign`: LERC and netCDF.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::*;
use landform::gdal::Gdal;
use landform::import::{self, Meaning, Samples};
use landform::language::{Language, speak_here};

const ROWS: usize = 29;
const COLUMNS: usize = 37;

fn foreign(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/foreign");
    folder.join(name)
}

/// What the files hold.
fn value(row: usize, column: usize) -> f64 {
    (1000 + 9 * column + 3 * row + (7 * row * column) % 101) as f64
}

/// Metres of a sample.
fn metres(samples: &Samples, row: usize, column: usize) -> f64 {
    f64::from(samples.grid.at(row, column)) * f64::from(samples.tile_size_m.unwrap()) / 2.0
}

#[track_caller]
fn assert_near(value: f64, wanted: f64) {
    let off = (value - wanted).abs();
    assert!(off <= 1e-3, "{value}, not {wanted}");
}

#[test]
fn gdal_lerc_tiff_is_read_sample_by_sample() {
    if Gdal::find().is_err() {
        return;
    }
    type Height = fn(usize, usize) -> f64;
    for (name, wanted, holes) in [
        (
            "lerc-f32-tiles.tif",
            (|row, column| value(row, column) / 4.0) as Height,
            1,
        ),
        (
            "lerc-i16-strips-deflate.tif",
            |row, column| value(row, column) - 2000.0,
            1,
        ),
        ("lerc-u16-tiles-zstd.tif", value, 0),
    ] {
        let samples = import::samples(&foreign(name)).unwrap();
        let size = (samples.grid.rows(), samples.grid.columns());
        assert_eq!(size, (ROWS, COLUMNS), "{name}");
        assert_eq!(samples.tile_size_m, Some(360.0), "{name}");
        assert_eq!(samples.filled, holes, "{name}");
        assert_eq!(
            samples.place.as_ref().unwrap().origin,
            [500_005.0, 5_000_285.0],
            "{name}"
        );
        for row in 0..ROWS {
            for column in 0..COLUMNS {
                if holes > 0 && (row, column) == (11, 20) {
                    continue;
                }
                let found = match samples.meaning {
                    Meaning::Levels { .. } => samples.grid.at(row, column).into(),
                    _ => metres(&samples, row, column),
                };
                assert_near(found, wanted(row, column));
            }
        }
    }
}

#[test]
fn lerc_disagreeing_with_its_file_size_is_refused() {
    if Gdal::find().is_err() {
        return;
    }
    let folder = folder();
    let sound = fs::read(foreign("lerc-f32-tiles.tif")).unwrap();
    let blob = sound.windows(6).position(|bytes| bytes == b"Lerc2 ");
    let blob = blob.unwrap();
    // After magic, version and checksum: rows, columns, numbers of a pixel.
    for (at, number) in [(14, 40_000_u32), (18, 40_000), (22, 1000), (38, 7)] {
        let mut bytes = sound.clone();
        bytes[blob + at..blob + at + 4].copy_from_slice(&number.to_le_bytes());
        let path = folder.path().join("x.tif");
        fs::write(&path, bytes).unwrap();
        let error = import::samples(&path).unwrap_err().to_string();
        assert!(
            error.contains("GDAL: ") && error.contains("LERC"),
            "{error}"
        );
    }
}

#[test]
fn foreign_netcdf_lies_right_side_up_in_place() {
    if Gdal::find().is_err() {
        return;
    }
    for name in ["gebco.nc", "classic.nc"] {
        let samples = import::samples(&foreign(name)).unwrap();
        // 240 samples a degree at 49.06° north.
        let [wide, _] = landform::geo::Ellipsoid::WGS_84.metres_of_degree(49.0604);
        let across = wide / 240.0;
        let size = f64::from(samples.tile_size_m.unwrap());
        assert_eq!(samples.grid.columns(), COLUMNS, "{name}");
        let cells = samples.grid.rows() - 1;
        assert!((size / cells as f64 - across).abs() < 0.01, "{name}");
        assert_eq!(samples.filled, 1, "{name}");
        let place = samples.place.as_ref().unwrap();
        assert_near(place.origin[0], 8.0 + 0.5 / 240.0);
        assert_near(place.origin[1], 49.0 + 28.5 / 240.0);
        assert_eq!(place.keys.epsg(), Some(4326), "{name}");
        for column in 0..COLUMNS {
            let (north, south) = match name {
                "gebco.nc" => (ROWS - 1, 0),
                _ => (0, ROWS - 1),
            };
            assert_near(metres(&samples, 0, column), value(north, column) - 2000.0);
            // The last row of squares need not lie on the last row of samples.
            let off = metres(&samples, cells, column) - (value(south, column) - 2000.0);
            assert!(off.abs() < 60.0, "{name}: {off}");
        }
        let notices = samples.notices(Path::new(name), None);
        let assumed = notices
            .iter()
            .any(|line| line.contains("heights in metres"));
        assert_eq!(assumed, name == "classic.nc", "{notices:?}");
    }
}

/// A variable of a classic netCDF file: its name, dimensions, attributes and numbers.
struct Variable<'a> {
    name: &'a str,
    dimensions: &'a [usize],
    attributes: &'a [(&'a str, Attribute<'a>)],
    numbers: Vec<f64>,
}

#[derive(Clone, Copy)]
enum Attribute<'a> {
    Text(&'a str),
    Number(f64),
}

/// Bytes of a classic file of variables of 64 bits, made by hand as the format's definition says.
fn classic(dimensions: &[(&str, u32)], variables: &[Variable<'_>]) -> Vec<u8> {
    fn put(bytes: &mut Vec<u8>, number: usize) {
        bytes.extend((number as u32).to_be_bytes());
    }
    fn text(bytes: &mut Vec<u8>, text: &str) {
        put(bytes, text.len());
        bytes.extend(text.as_bytes());
        bytes.resize(bytes.len().next_multiple_of(4), 0);
    }
    let head = |begins: &[usize]| {
        let mut bytes = b"CDF\x01\0\0\0\0".to_vec();
        put(&mut bytes, 10);
        put(&mut bytes, dimensions.len());
        for (name, size) in dimensions {
            text(&mut bytes, name);
            put(&mut bytes, *size as usize);
        }
        bytes.extend([0; 8]);
        put(&mut bytes, 11);
        put(&mut bytes, variables.len());
        for (variable, begin) in variables.iter().zip(begins) {
            text(&mut bytes, variable.name);
            put(&mut bytes, variable.dimensions.len());
            for dimension in variable.dimensions {
                put(&mut bytes, *dimension);
            }
            put(
                &mut bytes,
                if variable.attributes.is_empty() {
                    0
                } else {
                    12
                },
            );
            put(&mut bytes, variable.attributes.len());
            for (name, value) in variable.attributes {
                text(&mut bytes, name);
                match value {
                    Attribute::Text(words) => {
                        put(&mut bytes, 2);
                        text(&mut bytes, words);
                    }
                    Attribute::Number(number) => {
                        put(&mut bytes, 6);
                        put(&mut bytes, 1);
                        bytes.extend(number.to_be_bytes());
                    }
                }
            }
            put(&mut bytes, 6);
            put(&mut bytes, variable.numbers.len() * 8);
            put(&mut bytes, *begin);
        }
        bytes
    };
    let mut begin = head(&vec![0; variables.len()]).len();
    let begins = variables.iter().map(|variable| {
        let here = begin;
        begin += variable.numbers.len() * 8;
        here
    });
    let begins: Vec<_> = begins.collect();
    let mut bytes = head(&begins);
    for variable in variables {
        bytes.extend(
            { &variable.numbers }
                .iter()
                .flat_map(|number| number.to_be_bytes()),
        );
    }
    bytes
}

fn variable<'a>(
    name: &'a str,
    dimensions: &'a [usize],
    attributes: &'a [(&'a str, Attribute<'a>)],
    numbers: &[f64],
) -> Variable<'a> {
    Variable {
        name,
        dimensions,
        attributes,
        numbers: numbers.to_vec(),
    }
}

#[test]
fn netcdf_scale_offset_holes_units_and_order_count() {
    if Gdal::find().is_err() {
        return;
    }
    use Attribute::{Number, Text};
    let folder = folder();
    let path = folder.path().join("x.nc");
    let read = |dimensions: &[(&str, u32)], variables: &[Variable<'_>]| {
        fs::write(&path, classic(dimensions, variables)).unwrap();
        import::samples(&path).map_err(|error| error.to_string())
    };
    let axis = |name| [("units", Text("km")), ("standard_name", Text(name))];
    let [x, y] = [
        axis("projection_x_coordinate"),
        axis("projection_y_coordinate"),
    ];
    // Southern row first, in kilometres; feet, of a half each from 10 on.
    let z: &[_] = &[
        ("scale_factor", Number(0.5)),
        ("add_offset", Number(10.0)),
        ("missing_value", Number(99.0)),
        ("units", Text("feet")),
    ];
    let samples = read(
        &[("y", 2), ("x", 3)],
        &[
            variable("y", &[0], &y, &[1.0, 1.5]),
            variable("x", &[1], &x, &[7.0, 7.5, 8.0]),
            variable("depth", &[0, 1], z, &[0.0, 2.0, 99.0, 20.0, 40.0, 60.0]),
        ],
    )
    .unwrap();
    assert_eq!(samples.tile_size_m, Some(1000.0));
    assert_eq!(samples.filled, 1);
    for (row, feet) in [[20.0, 30.0, 40.0], [10.0, 11.0, f64::NAN]]
        .iter()
        .enumerate()
    {
        for (column, feet) in feet.iter().enumerate().filter(|(_, feet)| feet.is_finite()) {
            assert_near(metres(&samples, row, column), feet * 0.3048);
        }
    }
}

#[test]
fn netcdf_variable_is_sole_map_or_known_name() {
    if Gdal::find().is_err() {
        return;
    }
    let folder = folder();
    let path = folder.path().join("x.nc");
    let axis = |name| {
        [
            ("units", Attribute::Text("m")),
            ("standard_name", Attribute::Text(name)),
        ]
    };
    let [x, y] = [
        axis("projection_x_coordinate"),
        axis("projection_y_coordinate"),
    ];
    let read = |names: &[&str]| {
        let maps = names.iter().enumerate().map(|(at, name)| {
            let from = 10.0 * at as f64;
            let numbers: Vec<f64> = (0..9).map(|number| from + f64::from(number)).collect();
            variable(name, &[0, 1], &[], &numbers)
        });
        let axes = [
            variable("y", &[0], &y, &[60.0, 30.0, 0.0]),
            variable("x", &[1], &x, &[0.0, 30.0, 60.0]),
        ];
        let variables: Vec<_> = maps.chain(axes).collect();
        fs::write(&path, classic(&[("y", 3), ("x", 3)], &variables)).unwrap();
        let samples = import::samples(&path).unwrap();
        let notices = samples.notices(&path, None).join("\n");
        (metres(&samples, 0, 0).round(), notices)
    };
    assert_eq!(read(&["anything"]).0, 0.0);
    assert_eq!(read(&["tid", "elevation"]).0, 10.0);
    assert_eq!(read(&["Band2", "Band1"]).0, 10.0);
    let (first, notices) = read(&["slope", "aspect"]);
    assert_eq!(first, 0.0);
    assert!(notices.contains("map 1 of 2 in it is used"), "{notices}");
    // Notices of a file from the cache are in the current language.
    speak_here(Language::German);
    let (first, notices) = read(&["slope", "aspect"]);
    speak_here(Language::English);
    assert_eq!(first, 0.0);
    assert!(notices.contains("Karte 1 von 2"), "{notices}");
    // A file that speaks of more than it has.
    let lies = [variable("z", &[0, 1], &[], &[1.0; 4])];
    fs::write(&path, classic(&[("y", 32_000), ("x", 32_000)], &lies)).unwrap();
    assert!(import::samples(&path).is_err());
}
