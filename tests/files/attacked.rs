//! Elevation files that an attack made of the kinds in `tests/cases`.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::common::*;
use landform::gdal::Gdal;
use landform::generate::{InputCoding, InputSources, Reading};
use landform::import::{self, Samples};

fn case(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/cases")
        .join(name)
}

fn has_gdal() -> bool {
    let found = Gdal::find();
    if let Err(error) = &found {
        eprintln!("left out: {error}");
    }
    found.is_ok()
}

/// Lowest and highest height in metres.
fn range_m(samples: &Samples) -> [f64; 2] {
    let half = f64::from(samples.tile_size_m.expect("a size")) / 2.0;
    let (low, high) = samples.heights().expect("heights");
    [low, high].map(|height| (f64::from(height) * half).round())
}

fn zipped(path: &Path, files: &[(&str, Vec<u8>)]) {
    let mut archive = zip::ZipWriter::new(fs::File::create(path).unwrap());
    let options = zip::write::SimpleFileOptions::default();
    for (name, bytes) in files {
        archive.start_file(*name, options).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap();
}

fn read(name: &str) -> Vec<u8> {
    fs::read(case(name)).unwrap()
}

#[test]
fn companions_count_within_an_archive() {
    let folder = folder();
    let path = folder.path().join("x.zip");
    let system = landform::geo::well_known_text(32_632).unwrap();
    zipped(
        &path,
        &[
            ("deep/dem.asc", read("byteorder.asc")),
            ("deep/dem.prj", system.into_bytes()),
        ],
    );
    let samples = import::samples(&path).unwrap();
    assert_eq!(samples.place.unwrap().keys.epsg(), Some(32_632));
    zipped(
        &path,
        &[
            ("dem.tif", read("world.tif")),
            ("dem.tfw", read("world.tfw")),
        ],
    );
    let samples = import::samples(&path).unwrap();
    assert_eq!(samples.place.unwrap().origin, [600_012.5, 5_199_987.5]);
}

#[test]
fn gdal_reads_what_archives_hold() {
    if !has_gdal() {
        return;
    }
    let folder = folder();
    let path = folder.path().join("x.zip");
    zipped(
        &path,
        &[("dem.bil", read("utm.bil")), ("dem.hdr", read("utm.hdr"))],
    );
    assert_eq!(range_m(&import::samples(&path).unwrap()), [100.0, 900.0]);
    let path = folder.path().join("depth.nc.gz");
    let packed = fs::File::create(&path).unwrap();
    let mut packed = flate2::write::GzEncoder::new(packed, flate2::Compression::fast());
    packed.write_all(&read("positive-down.nc")).unwrap();
    packed.finish().unwrap();
    assert_eq!(range_m(&import::samples(&path).unwrap()), [-900.0, -100.0]);
}

#[test]
fn paths_have_any_letters() {
    let folder = folder();
    let path = folder.path().join("höhe ü.tif");
    fs::copy(case("whole-10m.tif"), &path).unwrap();
    let to = folder.path().join("out.tif");
    let words = [
        "generate",
        path.to_str().unwrap(),
        "-o",
        to.to_str().unwrap(),
    ];
    let output = landform_with(Path::new("/"), words);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(import::recipe_fits(&to), Some(true));
}

#[test]
fn tags_of_a_virtual_file_have_any_case() {
    if !has_gdal() {
        return;
    }
    let folder = folder();
    let (inside, outside) = (folder.path().join("in"), folder.path().join("out.tif"));
    fs::create_dir(&inside).unwrap();
    fs::copy(case("utm.tif"), &outside).unwrap();
    let path = inside.join("land.vrt");
    let virtual_file = |source: &str| {
        format!(
            "<VRTDataset rasterXSize=\"64\" rasterYSize=\"64\"><VRTRasterBand dataType=\"Float32\" band=\"1\">\
             <SimpleSource><SOURCEFILENAME>{source}</SOURCEFILENAME></SimpleSource></VRTRasterBand></VRTDataset>"
        )
    };
    let nested = format!("&lt;VRTDataset a=&quot;{}&quot; &gt;", outside.display());
    let section = format!("<![CDATA[{}]]>", outside.display());
    for source in [outside.display().to_string(), nested, section] {
        fs::write(&path, virtual_file(&source)).unwrap();
        assert!(import::samples(&path).is_err(), "{source}");
    }
    // Once allowed is not always allowed.
    fs::write(&path, virtual_file(&outside.display().to_string())).unwrap();
    let reading = Reading {
        sources: InputSources::Anywhere,
        ..Reading::default()
    };
    assert!(import::samples_as(&path, &reading).is_ok());
    assert!(import::samples(&path).is_err());
}

#[test]
fn a_changed_companion_is_seen() {
    if !has_gdal() {
        return;
    }
    let folder = folder();
    let (path, data) = (folder.path().join("land.vrt"), folder.path().join("x.dat"));
    fs::write(&data, [0_u8; 64]).unwrap();
    let text = "<VRTDataset rasterXSize=\"8\" rasterYSize=\"8\"><VRTRasterBand dataType=\"Byte\" band=\"1\" \
                subClass=\"VRTRawRasterBand\"><SourceFilename relativeToVRT=\"1\">x.dat</SourceFilename>\
                <ImageOffset>0</ImageOffset></VRTRasterBand></VRTDataset>";
    fs::write(&path, text).unwrap();
    let highest = || import::samples(&path).unwrap().grid.range().1;
    assert_eq!(highest(), 0.0);
    let mut bytes = [0_u8; 64];
    bytes[9] = 77;
    fs::write(&data, bytes).unwrap();
    assert_eq!(highest(), 77.0);
}

#[test]
fn colours_of_a_tiff_are_coded_too() {
    let folder = folder();
    let path = folder.path().join("x.tif");
    image::open(case("terrain-rgb.png"))
        .unwrap()
        .to_rgb8()
        .save(&path)
        .unwrap();
    let reading = Reading {
        coding: InputCoding::TerrainRgb,
        spacing: "10".to_owned(),
        ..Reading::default()
    };
    let [low, high] = range_m(&import::samples_as(&path, &reading).unwrap());
    assert_eq!([low, high], [-50.0, 1800.0]);
    let samples = import::samples(&path).unwrap();
    let notices = samples.notices(&path, None).join("\n");
    assert!(notices.contains("--input-coding terrain-rgb"), "{notices}");
}

#[test]
fn no_data_of_the_user_counts_through_gdal() {
    if !has_gdal() {
        return;
    }
    let reading = |no_data: &str| Reading {
        no_data: no_data.to_owned(),
        ..Reading::default()
    };
    let path = case("sparse-lzw.tif");
    let samples = import::samples_as(&path, &reading("none")).unwrap();
    assert_eq!((samples.filled, range_m(&samples)[0]), (0, -9999.0));
}

#[test]
fn a_plane_needs_no_ellipsoid() {
    if !has_gdal() {
        return;
    }
    let folder = folder();
    let path = folder.path().join("x.asc");
    fs::write(&path, read("byteorder.asc")).unwrap();
    let system = "LOCAL_CS[\"Site grid\",UNIT[\"metre\",1],AXIS[\"X\",EAST],AXIS[\"Y\",NORTH]]";
    fs::write(path.with_extension("prj"), system).unwrap();
    let samples = import::samples(&path).unwrap();
    assert_eq!(samples.tile_size_m, Some(150.0));
}

#[test]
fn names_of_systems_may_lie() {
    let text = landform::geo::well_known_text(32_632).unwrap();
    let other = text.replace("\"Central_Meridian\",9.0", "\"Central_Meridian\",15.0");
    assert_ne!(text, other);
    assert_eq!(landform::geo::code_of_text(&other), None);
}

#[cfg(unix)]
#[test]
fn a_pipe_is_no_file() {
    let folder = folder();
    for name in ["dem.tif", "dem.zip"] {
        let path = folder.path().join(name);
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        assert!(made.unwrap().success());
        let error = import::samples(&path).unwrap_err().to_string();
        assert!(error.contains("it is not a file"), "{error}");
    }
}

#[test]
fn each_line_is_said_once() {
    for words in ["stats", "generate -o - --format npy --input"] {
        let path = case("null.asc");
        let words = words.split(' ').chain([path.to_str().unwrap()]);
        let said = landform_with(Path::new("/"), words).stderr;
        let said = String::from_utf8(said).unwrap();
        let lines: std::collections::BTreeSet<&str> = said.lines().collect();
        assert_eq!((lines.len(), said.lines().count()), (2, 2), "{said}");
    }
}

#[test]
fn a_turned_map_keeps_its_unit() {
    if !has_gdal() {
        return;
    }
    let folder = folder();
    let path = folder.path().join("turned.vrt");
    fs::copy(case("heights-cm.tif"), folder.path().join("dem.tif")).unwrap();
    let text = "<VRTDataset rasterXSize=\"64\" rasterYSize=\"64\"><SRS>EPSG:25832</SRS>\
                <GeoTransform>500000, 8.66, 5, 5400000, 5, -8.66</GeoTransform>\
                <VRTRasterBand dataType=\"Float32\" band=\"1\"><UnitType>cm</UnitType><SimpleSource>\
                <SourceFilename relativeToVRT=\"1\">dem.tif</SourceFilename></SimpleSource></VRTRasterBand>\
                </VRTDataset>";
    fs::write(&path, text).unwrap();
    let samples = import::samples(&path).unwrap();
    assert!(samples.filled > 0);
    let [low, high] = range_m(&samples);
    assert!(
        (90.0..=130.0).contains(&low) && (880.0..=910.0).contains(&high),
        "{low} {high}"
    );
}
