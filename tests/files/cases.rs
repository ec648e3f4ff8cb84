//! Elevation files of the kinds that people complain about in public, see `tests/cases`: what comes in is
//! what GDAL reads in them, or what their makers say.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use landform::gdal::Gdal;
use landform::generate::{InputCoding, NoData, Reading};
use landform::import::{self, Samples};

fn case(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/cases")
        .join(name)
}

/// Whether GDAL's programs are installed; if not, it is said that a test was left out.
fn has_gdal() -> bool {
    let found = Gdal::find();
    if let Err(error) = &found {
        eprintln!("left out: {error}");
    }
    found.is_ok()
}

fn opened_as(name: &str, reading: &Reading) -> Samples {
    import::samples_as(&case(name), reading).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn opened(name: &str) -> Samples {
    opened_as(name, &Reading::default())
}

/// Metres along a row from one sample to the next.
fn step_m(samples: &Samples) -> f64 {
    let cells = samples.grid.rows().max(samples.grid.columns()) - 1;
    f64::from(samples.tile_size_m.expect("a size")) / cells as f64
}

/// Lowest and highest height in metres.
fn range_m(samples: &Samples) -> [f64; 2] {
    let half = f64::from(samples.tile_size_m.expect("a size")) / 2.0;
    let (low, high) = samples.heights().expect("heights");
    [low, high].map(|height| f64::from(height) * half)
}

fn notices(name: &str) -> String {
    opened(name).notices(&case(name), None).join("\n")
}

#[track_caller]
fn assert_near(name: &str, value: f64, wanted: f64, share: f64) {
    let off = (value - wanted).abs();
    assert!(
        off <= share * wanted.abs().max(1.0),
        "{name}: {value}, not {wanted}"
    );
}

/// The heights of all cases: 100 to 900 m unless another range is asked for, at this place of `u` and `v` in
/// 0…1 eastwards and southwards.
fn relief(u: f64, v: f64) -> f64 {
    0.5 + 0.3 * (3.1 * u + 0.4).sin() * (2.3 * v).cos() + 0.2 * u - 0.15 * v * v
}

/// Whether two samples of a map of heights from `low` to `high` are where they should be: it is not turned.
#[track_caller]
fn assert_relief(name: &str, samples: &Samples, [low, high]: [f64; 2]) {
    let (rows, columns) = (samples.grid.rows(), samples.grid.columns());
    let half = f64::from(samples.tile_size_m.expect("a size")) / 2.0;
    let part = |at: usize, count: usize| at as f64 / (count - 1) as f64;
    let (mut least, mut most) = (f64::MAX, f64::MIN);
    for row in 0..rows {
        for column in 0..columns {
            let z = relief(part(column, columns), part(row, rows));
            (least, most) = (least.min(z), most.max(z));
        }
    }
    for (row, column) in [
        (rows - 3, 5),
        (rows / 2, columns - 4),
        (rows - 1, columns - 1),
    ] {
        let z = (relief(part(column, columns), part(row, rows)) - least) / (most - least);
        let metres = f64::from(samples.grid.at(row, column)) * half;
        // Squares need not end where the samples do.
        let off = metres - low - (high - low) * z;
        // JPEG 2000 is as it is, too.
        assert!(
            off.abs() < (high - low) * 0.015,
            "{name}: {off} m at {row}, {column}"
        );
    }
}

#[test]
fn missing_tiles_are_no_data() {
    if !has_gdal() {
        return;
    }
    for (name, holes, low) in [
        ("sparse-deflate.tif", 2 * 2 * 32 * 32, 100.0),
        ("sparse-lzw.tif", 2 * 2 * 32 * 32, 100.0),
        ("sparse-zero.tif", 0, 0.0),
    ] {
        let samples = opened(name);
        assert_eq!(samples.filled, holes, "{name}");
        assert_near(name, range_m(&samples)[0], low, 0.01);
    }
}

#[test]
fn no_data_in_any_spelling_is_no_data() {
    for name in [
        "nodata-short.tif",
        "nodata-arcgis.tif",
        "nodata-rounded.tif",
    ] {
        let samples = opened(name);
        assert_eq!(samples.filled, 120, "{name}");
        assert!(range_m(&samples)[0] > 99.0, "{name}");
    }
}

#[test]
fn transparent_samples_are_no_data() {
    for name in ["trns16.png", "alpha16.png"] {
        let samples = opened(name);
        assert_eq!(samples.filled, 240, "{name}");
        assert!(samples.grid.range().0 >= 5000.0, "{name}");
    }
}

#[test]
fn impossible_heights_are_said_with_their_flag() {
    for (name, number) in [
        ("undeclared-32767.tif", "-32767"),
        ("undeclared65535.tif", "65535"),
        ("undeclared-99999.tif", "-99999"),
        ("undeclared-1e+10.tif", "-1e10"),
    ] {
        let words = notices(name);
        let wanted =
            format!("80 samples have impossible heights such as {number}; --input-nodata {number}");
        assert!(words.contains(&wanted), "{name}: {words}");
        let reading = Reading {
            no_data: number.to_owned(),
            ..Reading::default()
        };
        assert_eq!(
            reading.no_data().ok(),
            Some(NoData::Number(number.parse().unwrap()))
        );
        let samples = opened_as(name, &reading);
        assert_eq!(samples.filled, 80, "{name}");
        assert!(range_m(&samples)[0] > 99.0, "{name}");
    }
}

#[test]
fn other_bodies_have_their_own_size() {
    if !has_gdal() {
        return;
    }
    // Squares are made of the finer side.
    for (name, step) in [
        ("mars-degrees.tif", 539.9),
        ("mars-metres.tif", 296.3),
        ("moon-degrees.tif", 275.9),
    ] {
        let samples = opened(name);
        assert_near(name, step_m(&samples), step, 0.002);
        assert_relief(name, &samples, [-3000.0, 2000.0]);
    }
}

#[test]
fn units_of_length_are_those_of_the_place() {
    if !has_gdal() {
        return;
    }
    for (code, step) in [
        (3407, 30.48),
        (30200, 20.12),
        (27291, 91.4),
        (24378, 98.5),
        (2136, 30.46),
        (29871, 1998.0),
    ] {
        let name = format!("unit-{code}.tif");
        let samples = opened(&name);
        assert_near(&name, step_m(&samples), step, 0.001);
        assert_near(&name, range_m(&samples)[1], 900.0, 1e-4);
    }
    // Grads, of which there are 400: a thousandth of one is 100 m south, 71 m east.
    let samples = opened("unit-4807.tif");
    let down = f64::from(samples.tile_size_m.unwrap());
    // The last row of squares lies half a square off at most.
    assert_near("unit-4807.tif", down, 100.0 * 63.0, 0.006);
}

#[test]
fn heights_have_the_unit_that_is_stated() {
    for name in ["cm", "km", "us_survey_foot", "fathom"] {
        let name = format!("heights-{name}.tif");
        let [low, high] = range_m(&opened(&name));
        assert_near(&name, low, 100.0, 1e-4);
        assert_near(&name, high, 900.0, 1e-4);
    }
}

#[test]
fn depths_are_below_zero() {
    if !has_gdal() {
        return;
    }
    for name in ["positive-down.nc", "sea-floor-depth.nc"] {
        let [low, high] = range_m(&opened(name));
        assert_near(name, low, -900.0, 1e-4);
        assert_near(name, high, -100.0, 1e-4);
        assert!(notices(name).contains("depths"), "{name}");
    }
}

#[test]
fn colours_are_heights_when_asked_for() {
    for (name, coding) in [
        ("terrain-rgb.png", InputCoding::TerrainRgb),
        ("terrarium.png", InputCoding::Terrarium),
        ("gsi.png", InputCoding::Gsi),
    ] {
        let flag = format!("--input-coding {}", coding.name());
        let words = notices(name);
        assert!(
            words.contains("looks like colour-coded elevation") && words.contains(&flag),
            "{name}: {words}"
        );
        let reading = Reading {
            coding,
            spacing: "10".to_owned(),
            ..Reading::default()
        };
        let samples = opened_as(name, &reading);
        let [low, high] = range_m(&samples);
        assert_near(name, low, -50.0, 0.003);
        assert_near(name, high, 1800.0, 0.001);
        assert_relief(name, &samples, [-50.0, 1800.0]);
    }
}

#[test]
fn valid_text_grids_open() {
    for name in ["null", "comma", "floatcols", "byteorder", "bom"] {
        let name = format!("{name}.asc");
        let samples = opened(&name);
        let holes = usize::from(name == "null.asc");
        assert_eq!(
            (samples.grid.rows(), samples.grid.columns(), samples.filled),
            (12, 16, holes),
            "{name}"
        );
        assert_near(&name, step_m(&samples), 10.0, 1e-6);
        assert_relief(&name, &samples, [100.0, 900.0]);
        let place = samples.place.unwrap();
        assert_eq!(place.origin, [500_005.0, 5_400_115.0], "{name}");
    }
}

#[test]
fn arrays_of_every_number_type_open() {
    for name in ["int64.npy", "float16.npy", "one-more-axis.npy"] {
        let samples = opened(name);
        assert_eq!(
            (samples.grid.rows(), samples.grid.columns()),
            (64, 64),
            "{name}"
        );
        let (low, high) = samples.grid.range();
        assert_near(name, low.into(), 100.0, 0.001);
        assert_near(name, high.into(), 900.0, 0.001);
    }
}

#[test]
fn other_formats_open_through_gdal() {
    if !has_gdal() {
        return;
    }
    for name in ["grass.asc", "points.xyz"] {
        let samples = opened(name);
        assert_eq!(
            (samples.grid.rows(), samples.grid.columns()),
            (12, 16),
            "{name}"
        );
        assert_relief(name, &samples, [100.0, 900.0]);
    }
    for name in ["utm.img", "utm.bil", "utm.jp2", "utm.vrt"] {
        let samples = opened(name);
        assert_eq!(
            (samples.grid.rows(), samples.grid.columns()),
            (64, 64),
            "{name}"
        );
        assert_near(name, step_m(&samples), 10.0, 1e-9);
        assert_relief(name, &samples, [100.0, 900.0]);
        assert_eq!(
            samples.place.as_ref().unwrap().origin,
            [500_005.0, 5_399_995.0],
            "{name}"
        );
        assert!(notices(name).contains("read by GDAL 3."), "{name}");
    }
}

#[test]
fn a_gzipped_tile_opens() {
    let samples = opened("N46E008.hgt.gz");
    // Squares of the finer side, which is that eastwards.
    assert_eq!(samples.grid.columns(), 1201);
    assert_eq!(samples.place.unwrap().origin, [8.0, 47.0]);
}

#[test]
fn the_first_of_two_bands_is_said() {
    if !has_gdal() {
        return;
    }
    for kind in ["int16", "uint16", "float32"] {
        let name = format!("two-bands-{kind}.tif");
        assert!(notices(&name).contains("band 1 of its 2 bands"), "{name}");
        assert_near(&name, range_m(&opened(&name))[1], 900.0, 0.002);
        let reading = Reading {
            band: "2".to_owned(),
            ..Reading::default()
        };
        assert_near(&name, range_m(&opened_as(&name, &reading))[1], 1.0, 1e-6);
    }
}

#[test]
fn world_files_place_pictures() {
    for name in ["world.tif", "world16.png"] {
        let samples = opened(name);
        assert_near(name, step_m(&samples), 25.0, 1e-9);
        assert_eq!(
            samples.place.as_ref().unwrap().origin,
            [600_012.5, 5_199_987.5],
            "{name}"
        );
        let [low, high] = range_m(&samples);
        assert_near(name, low, 100.0, 0.002);
        assert_near(name, high, 900.0, 0.002);
    }
}

#[test]
fn pages_are_chosen_and_counted() {
    let samples = opened("preview-first.tif");
    assert_eq!((samples.grid.rows(), samples.grid.columns()), (64, 64));
    let words = notices("three-pages.tif");
    assert!(
        words.contains("page 1 of 3") && words.contains("--input-band"),
        "{words}"
    );
    let reading = Reading {
        band: "3".to_owned(),
        ..Reading::default()
    };
    let (low, _) = opened_as("three-pages.tif", &reading).grid.range();
    assert_near("three-pages.tif", low.into(), 2100.0, 1e-4);
}

/// `landform stats` of a case, with GDAL or without.
fn stats(name: &str, more: &[&str], gdal: bool) -> Output {
    let cache = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_landform"));
    command.env("XDG_CACHE_HOME", cache.path());
    if !gdal {
        command.env("LANDFORM_GDAL", cache.path());
    }
    command.args(["generate", "--input"]).arg(case(name));
    command.arg("-o").arg(cache.path().join("out.npy"));
    command.args(more).output().unwrap()
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn without_gdal_one_line_says_what_needs_it() {
    for (name, what) in [
        ("sparse-zero.tif", "its missing tiles"),
        ("mars-degrees.tif", "its coordinate reference system"),
        ("unit-3407.tif", "EPSG:3407"),
        ("two-bands-int16.tif", "its 2 bands"),
        ("positive-down.nc", "its content"),
        ("utm.img", "its content"),
        ("grass.asc", "its content"),
    ] {
        let output = stats(name, &[], false);
        let words = errors(&output);
        assert!(!output.status.success(), "{name}");
        assert_eq!(words.lines().count(), 1, "{name}: {words}");
        assert!(
            words.contains("only GDAL understands") && words.contains(what),
            "{name}: {words}"
        );
    }
}

#[test]
fn a_virtual_file_stays_in_its_folder() {
    if !has_gdal() {
        return;
    }
    // Its source is in the folder that it was made in.
    let folder = tempfile::tempdir().unwrap();
    let (inside, outside) = (
        folder.path().join("inside"),
        folder.path().join("outside.bil"),
    );
    std::fs::create_dir(&inside).unwrap();
    for end in ["bil", "hdr"] {
        std::fs::copy(case(&format!("utm.{end}")), outside.with_extension(end)).unwrap();
    }
    let text = format!(
        "<VRTDataset rasterXSize=\"64\" rasterYSize=\"64\"><VRTRasterBand dataType=\"Float32\" band=\"1\">\
         <SimpleSource><SourceFilename relativeToVRT=\"0\">{}</SourceFilename><SourceBand>1</SourceBand>\
         </SimpleSource></VRTRasterBand></VRTDataset>",
        outside.display()
    );
    let file = inside.join("land.vrt");
    std::fs::write(&file, text).unwrap();
    let error = import::samples(&file).unwrap_err().to_string();
    assert!(
        error.contains("lies outside its folder; --input-sources anywhere"),
        "{error}"
    );
    let reading = Reading {
        sources: landform::generate::InputSources::Anywhere,
        spacing: "10".to_owned(),
        ..Reading::default()
    };
    let samples = import::samples_as(&file, &reading).unwrap();
    assert_relief("land.vrt", &samples, [100.0, 900.0]);
}

#[test]
fn a_virtual_file_without_its_source_is_refused() {
    if !has_gdal() {
        return;
    }
    // GDAL reads zeros and exits with success.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("land.vrt");
    let text = "<VRTDataset rasterXSize=\"64\" rasterYSize=\"64\"><VRTRasterBand dataType=\"Float32\" band=\"1\">\
                <SimpleSource><SourceFilename relativeToVRT=\"1\">gone.tif</SourceFilename></SimpleSource>\
                </VRTRasterBand></VRTDataset>";
    std::fs::write(&file, text).unwrap();
    for sources in [
        landform::generate::InputSources::Folder,
        landform::generate::InputSources::Anywhere,
    ] {
        let reading = Reading {
            sources,
            ..Reading::default()
        };
        assert!(import::samples_as(&file, &reading).is_err());
    }
}

#[test]
fn no_file_connects_to_a_server() {
    if !has_gdal() {
        return;
    }
    let server = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    server.set_nonblocking(true).unwrap();
    let port = server.local_addr().unwrap().port();
    let folder = tempfile::tempdir().unwrap();
    let url = format!("http://127.0.0.1:{port}/land.tif");
    let texts = [
        format!(
            "<GDAL_WMS><Service name=\"TMS\"><ServerUrl>{url}</ServerUrl></Service><DataWindow>\
             <UpperLeftX>-180</UpperLeftX><UpperLeftY>90</UpperLeftY><LowerRightX>180</LowerRightX>\
             <LowerRightY>-90</LowerRightY><TileLevel>1</TileLevel></DataWindow><BandsCount>1</BandsCount></GDAL_WMS>"
        ),
        format!(
            "<WCS_GDAL><ServiceURL>{url}?</ServiceURL><CoverageName>a</CoverageName></WCS_GDAL>"
        ),
        format!("<GDAL_WMTS><GetCapabilitiesUrl>{url}</GetCapabilitiesUrl></GDAL_WMTS>"),
        format!(
            "<VRTDataset rasterXSize=\"9\" rasterYSize=\"9\"><VRTRasterBand dataType=\"Byte\" band=\"1\"><SimpleSource>\
             <SourceFilename>/vsicurl/{url}</SourceFilename></SimpleSource></VRTRasterBand></VRTDataset>"
        ),
        format!(
            "<MRF_META><CachedSource><Source>/vsicurl/{url}</Source></CachedSource><Raster><Size x=\"512\" y=\"512\" c=\"1\"/>\
             </Raster></MRF_META>"
        ),
    ];
    for text in texts {
        let file = folder.path().join("evil.img");
        std::fs::write(&file, &text).unwrap();
        let reading = Reading {
            sources: landform::generate::InputSources::Anywhere,
            ..Reading::default()
        };
        assert!(import::samples_as(&file, &reading).is_err(), "{text}");
        assert!(server.accept().is_err(), "{text}");
    }
}

/// A picture of 4 × 3 pixels as TIFF: 8 bits of brightness or of each colour, the lowest black or white.
fn small_tiff<C>(path: &Path, bytes: &[u8], photometric: u16)
where
    C: tiff::encoder::colortype::ColorType<Inner = u8>,
{
    let mut file = std::fs::File::create(path).unwrap();
    let mut encoder = tiff::encoder::TiffEncoder::new(&mut file).unwrap();
    let mut image = encoder.new_image::<C>(4, 3).unwrap();
    let tag = tiff::tags::Tag::PhotometricInterpretation;
    image.encoder().write_tag(tag, photometric).unwrap();
    image.write_data(bytes).unwrap();
}

#[test]
fn a_tiff_of_colours_needs_gdal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("colours.tif");
    let bytes: Vec<u8> = (0..36).map(|at| at * 7).collect();
    small_tiff::<tiff::encoder::colortype::RGB8>(&path, &bytes, 2);
    let output = stats(path.to_str().unwrap(), &[], false);
    let words = errors(&output);
    assert!(
        !output.status.success() && words.contains("its 3 bands"),
        "{words}"
    );
    if !has_gdal() {
        return;
    }
    // The brightness of its colours, as of every picture.
    let png = folder.path().join("colours.png");
    let picture = image::RgbImage::from_raw(4, 3, bytes).unwrap();
    picture.save(&png).unwrap();
    let [tiff, png] = [path, png].map(|path| import::samples(&path).unwrap().grid);
    assert_eq!(tiff, png);
}

#[test]
fn white_as_lowest_brightness_is_turned() {
    if !has_gdal() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("white.tif");
    let bytes: Vec<u8> = (0..12).map(|at| at * 20).collect();
    small_tiff::<tiff::encoder::colortype::Gray8>(&path, &bytes, 0);
    let samples = import::samples(&path).unwrap();
    let wanted: Vec<f32> = bytes.iter().map(|byte| f32::from(255 - byte)).collect();
    assert_eq!(samples.grid.as_slice(), wanted);
}

#[test]
fn a_turned_picture_is_turned_back() {
    if !has_gdal() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("turned.tif");
    let bytes: Vec<u8> = (0..36).map(|at| 40 + at * 5).collect();
    small_tiff::<tiff::encoder::colortype::RGB8>(&path, &bytes, 2);
    // Rows lead north-east, columns south-east, a metre from sample to sample.
    let world = "0.8\n0.6\n0.6\n-0.8\n100\n200\n";
    std::fs::write(path.with_extension("tfw"), world).unwrap();
    let samples = import::samples(&path).unwrap();
    let words = samples.notices(&path, None).join("\n");
    assert!(
        words.contains("gdalwarp has turned and resampled it"),
        "{words}"
    );
    // The corners of the upright grid lie outside the picture.
    let grid = &samples.grid;
    let valid = samples.valid.as_ref().expect("samples without data");
    assert!(!valid.is_valid(0, 0) && !valid.is_valid(grid.rows() - 1, grid.columns() - 1));
    let (low, high) = grid.range();
    assert!(low >= 40.0 && high <= 230.0, "{low} to {high}");
    let coded = Reading {
        coding: InputCoding::Terrarium,
        ..Reading::default()
    };
    let error = import::samples_as(&path, &coded).unwrap_err().to_string();
    assert!(error.contains("colour-coded heights"), "{error}");
}
