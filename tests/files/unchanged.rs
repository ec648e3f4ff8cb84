//! Files that come in and go out again, and what lies beside them.

use std::fs;
use std::io::BufReader;
use std::path::Path;
use std::process::Command;

use crate::common::*;
use landform::geo::{code_of_text, well_known_text};
use landform::import;
use proptest::prelude::*;
use tiff::decoder::{Decoder, DecodingResult};
use tiff::encoder::TiffEncoder;
use tiff::encoder::colortype::{ColorType, Gray16, Gray32Float, Gray64Float, GrayI16};
use tiff::tags::Tag;

const COLUMNS: u32 = 13;
const ROWS: u32 = 9;

/// Writes a GeoTIFF of 13 × 9 numbers; with a spacing it lies in UTM zone 32.
fn write<C: ColorType>(path: &Path, numbers: &[C::Inner], spacing: Option<f64>)
where
    [C::Inner]: tiff::encoder::TiffValue,
{
    let mut encoder = TiffEncoder::new(fs::File::create(path).unwrap()).unwrap();
    let mut image = encoder.new_image::<C>(COLUMNS, ROWS).unwrap();
    if let Some(step) = spacing {
        let tags = image.encoder();
        let keys = [
            1_u16, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 25_832,
        ];
        tags.write_tag(Tag::ModelPixelScaleTag, &[step, step, 0.0][..])
            .unwrap();
        let tie = [0.0, 0.0, 0.0, 500_000.0, 5_400_000.0, 0.0];
        tags.write_tag(Tag::ModelTiepointTag, &tie[..]).unwrap();
        tags.write_tag(Tag::GeoKeyDirectoryTag, &keys[..]).unwrap();
    }
    image.write_data(numbers).unwrap();
}

/// The numbers of a TIFF, with all their bits.
fn numbers_of_tiff(path: &Path) -> Vec<f64> {
    let mut decoder = Decoder::new(BufReader::new(fs::File::open(path).unwrap())).unwrap();
    match decoder.read_image().unwrap() {
        DecodingResult::F32(numbers) => numbers.into_iter().map(f64::from).collect(),
        DecodingResult::F64(numbers) => numbers,
        other => panic!("{other:?}"),
    }
}

fn numbers_of_asc(path: &Path) -> Vec<f64> {
    let text = fs::read_to_string(path).unwrap();
    let rows = text.lines().skip(6).take(ROWS as usize);
    rows.flat_map(str::split_whitespace)
        .map(|word| word.parse().unwrap())
        .collect()
}

fn numbers_of_npy(path: &Path) -> Vec<f64> {
    let bytes = fs::read(path).unwrap();
    let file = npyz::NpyFile::new(&bytes[..]).unwrap();
    match file.dtype().descr().contains("f8") {
        true => file.into_vec::<f64>().unwrap(),
        false => file
            .into_vec::<f32>()
            .unwrap()
            .into_iter()
            .map(f64::from)
            .collect(),
    }
}

/// Lets a file through the command, and compares what comes out with what went in.
fn check_unchanged(folder: &Path, wanted: &[f64]) {
    let words = "generate x.tif -o y.tif -o y.asc -o y.npy --range metres --force";
    succeed(folder, words);
    for (name, found) in [
        ("y.tif", numbers_of_tiff(&folder.join("y.tif"))),
        ("y.asc", numbers_of_asc(&folder.join("y.asc"))),
        ("y.npy", numbers_of_npy(&folder.join("y.npy"))),
    ] {
        let bits = |numbers: &[f64]| numbers.iter().map(|n| n.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&found), bits(wanted), "{name}");
    }
}

fn spacing() -> impl Strategy<Value = Option<f64>> {
    prop_oneof![
        Just(None),
        Just(Some(10.0)),
        (0.01_f64..500.0).prop_map(Some),
        (1_u32..400).prop_map(|step| Some(f64::from(step) / 4.0)),
    ]
}

fn count() -> usize {
    (COLUMNS * ROWS) as usize
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn int16_goes_through_unchanged(
        numbers in prop::collection::vec(-500_i16..9000, count()), spacing in spacing()
    ) {
        let folder = folder();
        write::<GrayI16>(&folder.path().join("x.tif"), &numbers, spacing);
        let wanted: Vec<f64> = numbers.iter().map(|n| f64::from(*n)).collect();
        check_unchanged(folder.path(), &wanted);
    }

    #[test]
    fn uint16_goes_through_unchanged(
        numbers in prop::collection::vec(0_u16..9000, count()), spacing in spacing()
    ) {
        let folder = folder();
        write::<Gray16>(&folder.path().join("x.tif"), &numbers, spacing);
        let wanted: Vec<f64> = numbers.iter().map(|n| f64::from(*n)).collect();
        check_unchanged(folder.path(), &wanted);
    }

    #[test]
    fn float32_goes_through_unchanged(
        numbers in prop::collection::vec(-400.0_f32..8000.0, count()), spacing in spacing()
    ) {
        let folder = folder();
        // A few are beyond ±10, so that nobody takes them for half tiles.
        let numbers: Vec<f32> = [900.0, -90.0].into_iter().chain(numbers).take(count()).collect();
        write::<Gray32Float>(&folder.path().join("x.tif"), &numbers, spacing);
        let wanted: Vec<f64> = numbers.iter().map(|n| f64::from(*n)).collect();
        check_unchanged(folder.path(), &wanted);
    }

    #[test]
    fn float64_goes_through_unchanged(
        numbers in prop::collection::vec(-400.0_f64..8000.0, count()), spacing in spacing()
    ) {
        let folder = folder();
        let numbers: Vec<f64> = [900.0, -90.0].into_iter().chain(numbers).take(count()).collect();
        write::<Gray64Float>(&folder.path().join("x.tif"), &numbers, spacing);
        check_unchanged(folder.path(), &numbers);
    }
}

#[test]
fn a_modifier_writes_its_own_heights() {
    let folder = folder();
    let numbers: Vec<i16> = (0..count() as i16).map(|at| at * 7 % 90).collect();
    write::<GrayI16>(&folder.path().join("x.tif"), &numbers, Some(10.0));
    succeed(
        folder.path(),
        "generate x.tif --set modifiers.0.kind=invert -o y.tif",
    );
    let found = numbers_of_tiff(&folder.path().join("y.tif"));
    assert!(
        (found[0] - f64::from(numbers[0])).abs() > 1.0,
        "{}",
        found[0]
    );
}

#[test]
fn tiles_and_flipped_maps_are_unchanged_too() {
    let folder = folder();
    let numbers: Vec<i16> = (0..count() as i16).map(|at| 900 + at * 37 % 101).collect();
    write::<GrayI16>(&folder.path().join("x.tif"), &numbers, Some(10.0));
    succeed(folder.path(), "generate x.tif --region 3,2,5,4 -o part.tif");
    let wanted = (2..6).flat_map(|row| (3..8).map(move |column| row * 13 + column));
    let wanted: Vec<f64> = wanted.map(|at: usize| f64::from(numbers[at])).collect();
    assert_eq!(numbers_of_tiff(&folder.path().join("part.tif")), wanted);
    succeed(
        folder.path(),
        "generate x.tif --flip -o y.npy --range metres",
    );
    let flipped = numbers_of_npy(&folder.path().join("y.npy"));
    assert_eq!(flipped[0], f64::from(numbers[8 * 13]));
}

#[test]
fn an_asc_has_its_system_beside() {
    let folder = folder();
    let folder = folder.path();
    let numbers: Vec<i16> = (0..count() as i16).collect();
    write::<GrayI16>(&folder.join("x.tif"), &numbers, Some(10.0));
    for _ in 0..2 {
        // The second run replaces what the first has written.
        succeed(folder, "generate x.tif -o y.asc");
        let text = fs::read_to_string(folder.join("y.prj")).unwrap();
        assert_eq!(code_of_text(&text), Some(25_832));
        assert_eq!(Some(text), well_known_text(25_832));
    }
    for name in ["y.asc.json", "x.tif"] {
        fs::remove_file(folder.join(name)).unwrap();
    }
    let again = import::samples(&folder.join("y.asc")).unwrap();
    assert_eq!(again.place.unwrap().keys.epsg(), Some(25_832));
}

#[test]
fn a_picture_has_its_place_beside() {
    let folder = folder();
    let folder = folder.path();
    let numbers: Vec<i16> = (0..count() as i16).collect();
    write::<GrayI16>(&folder.join("x.tif"), &numbers, Some(10.0));
    succeed(folder, "generate x.tif -o y.png -o y.asc");
    let world = fs::read_to_string(folder.join("y.pgw")).unwrap();
    let world: Vec<f64> = world.lines().map(|line| line.parse().unwrap()).collect();
    assert_eq!(world, [10.0, 0.0, 0.0, -10.0, 500_005.0, 5_399_995.0]);
    assert!(folder.join("y.prj").exists());
    let again = import::samples(&folder.join("y.png")).unwrap();
    assert_eq!(again.place.unwrap().origin, [500_005.0, 5_399_995.0]);
    // A map of the same name that lies nowhere has none of them.
    succeed(folder, "generate --iterations 3 -o y.png --force");
    assert!(!folder.join("y.pgw").exists());
}

#[test]
fn companions_of_the_input_stay() {
    let folder = folder();
    let folder = folder.path();
    let text = "ncols 2\nnrows 2\nxllcorner 500000\nyllcorner 5400000\ncellsize 10\n1 2\n3 4\n";
    fs::write(folder.join("x.asc"), text).unwrap();
    let system = well_known_text(32_632).unwrap() + "\n";
    fs::write(folder.join("x.prj"), &system).unwrap();
    succeed(folder, "generate x.asc -o x.png");
    assert_eq!(fs::read_to_string(folder.join("x.prj")).unwrap(), system);
    assert!(folder.join("x.pgw").exists());
}

#[test]
fn a_spacing_that_is_given_moves_no_place() {
    let folder = folder();
    let folder = folder.path();
    let numbers: Vec<i16> = (0..count() as i16).collect();
    write::<GrayI16>(&folder.join("x.tif"), &numbers, Some(10.0));
    succeed(folder, "generate x.tif --input-spacing 9 -o y.tif");
    let mut decoder = Decoder::new(BufReader::new(
        fs::File::open(folder.join("y.tif")).unwrap(),
    ))
    .unwrap();
    let tag = |decoder: &mut Decoder<_>, tag| decoder.get_tag_f64_vec(tag).unwrap();
    assert_eq!(
        tag(&mut decoder, Tag::ModelTiepointTag)[3..5],
        [500_000.0, 5_400_000.0]
    );
    assert_eq!(
        tag(&mut decoder, Tag::ModelPixelScaleTag)[..2],
        [10.0, 10.0]
    );
}

#[test]
fn rectangular_srtm_tile_has_the_given_size() {
    let folder = folder();
    let bytes: Vec<u8> = (0..11 * 21_i16).flat_map(i16::to_be_bytes).collect();
    fs::write(folder.path().join("N60E010.hgt"), bytes).unwrap();
    let words = "generate N60E010.hgt --input-size 11x21 -o y.npy";
    assert!(landform(folder.path(), words).status.success());
    fail(
        folder.path(),
        "generate N60E010.hgt -o z.npy",
        1,
        &["--input-size"],
    );
}

/// A folder with programs of GDAL's names that count how often they are started.
#[cfg(unix)]
fn counting_gdal(folder: &Path) -> Option<std::path::PathBuf> {
    use std::os::unix::fs::PermissionsExt;
    if landform::gdal::Gdal::find().is_err() {
        return None;
    }
    let programs = folder.join("programs");
    fs::create_dir(&programs).unwrap();
    for name in [
        "gdalinfo",
        "gdal_translate",
        "gdalsrsinfo",
        "gdaltransform",
        "gdalwarp",
    ] {
        let path = programs.join(name);
        let text = format!(
            "#!/bin/sh\necho {name} >> '{}'/log\nexec {name} \"$@\"\n",
            folder.display()
        );
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    Some(programs)
}

#[cfg(unix)]
#[test]
fn what_was_decoded_is_not_decoded_again() {
    let folder = folder();
    let folder = folder.path();
    let Some(programs) = counting_gdal(folder) else {
        return;
    };
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    fs::copy(cases.join("mars-degrees.tif"), folder.join("x.tif")).unwrap();
    let run = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_landform"));
        command.current_dir(folder).env("LANDFORM_GDAL", &programs);
        let output = command
            .env("XDG_CACHE_HOME", folder.join("cache"))
            .args(words)
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        let log = fs::read_to_string(folder.join("log")).unwrap();
        fs::remove_file(folder.join("log")).unwrap();
        (log, String::from_utf8(output.stderr).unwrap())
    };
    let (first, _) = run(&["generate", "x.tif", "-o", "a.npy"]);
    assert_eq!(first.matches("gdal_translate").count(), 1, "{first}");
    // Only the version is asked for.
    let (second, _) = run(&["generate", "x.tif", "-o", "b.npy"]);
    assert_eq!(second.trim(), "gdalinfo");
    assert_eq!(
        fs::read(folder.join("a.npy")).unwrap(),
        fs::read(folder.join("b.npy")).unwrap()
    );
    // A scene records what was decoded, and says when that is another.
    let sidecar = fs::read_to_string(folder.join("b.npy.json")).unwrap();
    assert!(
        sidecar.contains("\"input_decoder\": \"GDAL 3."),
        "{sidecar}"
    );
    for name in ["a.npy", "b.npy"] {
        fs::remove_file(folder.join(name)).unwrap();
    }
    let scene = |decoder: &str| {
        let text = format!(
            "[surface]\ngenerator = \"image\"\ninput = \"x.tif\"\ninput_decoder = \"{decoder}\"\n"
        );
        fs::write(folder.join("s.toml"), text).unwrap();
        run(&["stats", "s.toml"]).1
    };
    let (_, after) = sidecar.split_once("\"input_decoder\": \"").unwrap();
    let same = scene(after.split('"').next().unwrap());
    assert!(!same.contains("decodes different heights"), "{same}");
    let other = scene("GDAL 3.4.0 12 abc");
    assert!(
        other.contains("decodes different heights from it than GDAL 3.4.0 did"),
        "{other}"
    );
}

#[test]
fn a_cloud_optimised_geotiff_holds_the_same() {
    if landform::gdal::Gdal::find().is_err() {
        return;
    }
    let folder = folder();
    let folder = folder.path();
    let numbers: Vec<i16> = (0..count() as i16).map(|at| 900 + at * 37 % 101).collect();
    write::<GrayI16>(&folder.join("x.tif"), &numbers, Some(10.0));
    succeed(folder, "generate x.tif --format cog -o y.tif");
    let wanted: Vec<f64> = numbers.iter().map(|n| f64::from(*n)).collect();
    let bytes = fs::read(folder.join("y.tif")).unwrap();
    let text = String::from_utf8_lossy(&bytes[..2000]).into_owned();
    assert!(text.contains("LAYOUT=IFDS_BEFORE_DATA"), "{text}");
    fs::remove_file(folder.join("x.tif")).unwrap();
    fs::remove_file(folder.join("y.tif.json")).unwrap();
    let samples = import::samples(&folder.join("y.tif")).unwrap();
    let half = f64::from(samples.tile_size_m.unwrap()) / 2.0;
    for (height, wanted) in samples.grid.as_slice().iter().zip(wanted) {
        assert!((f64::from(*height) * half - wanted).abs() < 1e-3);
    }
    assert_eq!(samples.place.unwrap().keys.epsg(), Some(25_832));
}

#[test]
fn systems_that_only_gdal_knows_go_out() {
    if landform::gdal::Gdal::find().is_err() {
        return;
    }
    let folder = folder();
    let folder = folder.path();
    let words =
        "generate --iterations 3 --crs EPSG:2056 --origin 2600000,1200000 -o x.tif -o x.asc";
    succeed(folder, words);
    let again = import::samples(&folder.join("x.tif")).unwrap();
    assert_eq!(again.place.unwrap().keys.epsg(), Some(2056));
    assert!(
        fs::read_to_string(folder.join("x.prj"))
            .unwrap()
            .contains("LV95")
    );
}
