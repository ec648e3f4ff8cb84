//! Samples without data: marked when a file is read, kept through modifiers, written as no data.

use std::fs;
use std::path::Path;

use landform::export::Format;
use landform::heightmap::{Heightmap, Validity};
use landform::import;
use landform::scene::Scene;
use tiff::encoder::{TiffEncoder, colortype::Gray32Float};
use tiff::tags::Tag;

use crate::common::{folder, landform};

const ROWS: usize = 30;
const COLUMNS: usize = 42;
/// Samples lie so many metres apart.
const STEP: f64 = 10.0;
/// What the file has for no data.
const NO_DATA: f32 = -9999.0;

/// A block, the north-western corner and the end of the last row hold no data.
fn has_data(row: usize, column: usize) -> bool {
    let in_block = (5..9).contains(&row) && (11..20).contains(&column);
    let in_last_row = row + 1 == ROWS && column > 35;
    !in_block && !in_last_row && (row, column) != (0, 0)
}

fn metres(row: usize, column: usize) -> f32 {
    100.0 + 31.0 * (row as f32 * 0.3).sin() + 0.75 * column as f32
}

fn mask() -> Validity {
    Validity::new(ROWS, COLUMNS, has_data)
}

/// A GeoTIFF of metres, with holes or without.
fn write_tiff(path: &Path, with_holes: bool) {
    let mut encoder = TiffEncoder::new(fs::File::create(path).unwrap()).unwrap();
    let size = (COLUMNS as u32, ROWS as u32);
    let mut image = encoder.new_image::<Gray32Float>(size.0, size.1).unwrap();
    let tags = image.encoder();
    tags.write_tag(Tag::ModelPixelScaleTag, &[STEP, STEP, 0.0][..])
        .unwrap();
    if with_holes {
        tags.write_tag(Tag::GdalNodata, "-9999").unwrap();
    }
    let places = (0..ROWS).flat_map(|row| (0..COLUMNS).map(move |column| (row, column)));
    let values: Vec<f32> = places
        .map(|(row, column)| match with_holes && !has_data(row, column) {
            true => NO_DATA,
            false => metres(row, column),
        })
        .collect();
    image.write_data(&values).unwrap();
}

/// Runs `landform`, which must succeed; returns what it says on standard output and on standard
/// error.
#[track_caller]
fn run(folder: &Path, words: &str) -> [String; 2] {
    let output = landform(folder, words);
    let [out, said] = [output.stdout, output.stderr].map(|said| String::from_utf8(said).unwrap());
    assert!(output.status.success(), "{words}: {said}");
    [out, said]
}

#[track_caller]
fn read(path: &Path) -> Heightmap {
    import::samples(path).unwrap().into_heightmap()
}

/// The columns without data of each row.
fn holes(map: &Heightmap) -> Vec<Vec<usize>> {
    let of_row = |row| match map.valid() {
        Some(valid) => valid.invalid_columns(row).collect(),
        None => Vec::new(),
    };
    (0..map.rows()).map(of_row).collect()
}

fn all_holes() -> Vec<Vec<usize>> {
    let mask = mask();
    (0..ROWS)
        .map(|row| mask.invalid_columns(row).collect())
        .collect()
}

fn json(path: &Path) -> serde_json::Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// Formats of height maps, but no meshes.
fn formats() -> impl Iterator<Item = &'static Format> {
    crate::common::written_formats().filter(|format| !format.is_mesh())
}

#[test]
fn holes_come_back_from_every_format() {
    let folder = folder();
    let folder = folder.path();
    write_tiff(&folder.join("holes.tif"), true);
    let original = read(&folder.join("holes.tif"));
    assert_eq!(holes(&original), all_holes());
    for format in formats() {
        let name = format!("x-{}.{}", format.name, format.extension);
        run(
            folder,
            &format!("generate holes.tif --format {} -o {name}", format.name),
        );
        let map = read(&folder.join(&name));
        assert_eq!(holes(&map), all_holes(), "{name}");
        // A half step of what was written, or rounding.
        let (low, high) = original.valid_range();
        let near = match format.levels {
            Some(levels) => (high - low) / levels as f32 * 0.51,
            None => 1e-6,
        };
        for row in 0..ROWS {
            for column in (0..COLUMNS).filter(|column| has_data(row, *column)) {
                let off = (map.at(row, column) - original.at(row, column)).abs();
                assert!(off <= near, "{name} {row} {column}: {off}");
            }
        }
    }
}

#[test]
fn files_say_their_holes_without_a_sidecar() {
    let folder = folder();
    let folder = folder.path();
    write_tiff(&folder.join("holes.tif"), true);
    // A bare file of whole numbers can say nothing itself, nor how many columns it has.
    for format in formats().filter(|format| !["r16", "r32", "png", "png8"].contains(&format.name)) {
        let name = format!("x.{}", format.extension);
        run(
            folder,
            &format!("generate holes.tif --format {} -o {name}", format.name),
        );
        fs::remove_file(folder.join(format!("{name}.json"))).unwrap();
        assert_eq!(
            holes(&read(&folder.join(&name))),
            all_holes(),
            "{}",
            format.name
        );
        fs::remove_file(folder.join(&name)).unwrap();
    }
}

#[test]
fn png_holes_are_transparent_black() {
    let folder = folder();
    let folder = folder.path();
    write_tiff(&folder.join("holes.tif"), true);
    for (format, bytes) in [("png", 2), ("png8", 1)] {
        run(
            folder,
            &format!("generate holes.tif --format {format} -o x.png"),
        );
        let file = std::io::BufReader::new(fs::File::open(folder.join("x.png")).unwrap());
        let mut reader = png::Decoder::new(file).read_info().unwrap();
        let transparent = reader.info().trns.clone().unwrap();
        assert!(transparent.iter().all(|byte| *byte == 0));
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        for (place, pixel) in pixels.chunks(bytes).enumerate() {
            let is_black = pixel.iter().all(|byte| *byte == 0);
            let (row, column) = (place / COLUMNS, place % COLUMNS);
            assert_eq!(is_black, !has_data(row, column), "{row} {column}");
        }
        fs::remove_file(folder.join("x.png")).unwrap();
        fs::remove_file(folder.join("x.png.json")).unwrap();
    }
}

#[test]
fn sidecars_say_the_number_of_holes() {
    let folder = folder();
    let folder = folder.path();
    write_tiff(&folder.join("holes.tif"), true);
    run(
        folder,
        "generate holes.tif -o x.r16 -o x.r32 -o x.asc -o x.obj",
    );
    let said = |name: &str| json(&folder.join(name))["no_data"].clone();
    assert_eq!(said("x.r16.json"), 0);
    assert_eq!(said("x.r32.json"), "nan");
    assert_eq!(said("x.asc.json"), -99_999.0);
    // Meshes are whole ground.
    assert!(said("x.obj.json").is_null());
}

#[test]
fn maps_without_holes_say_nothing_of_them() {
    let folder = folder();
    let folder = folder.path();
    write_tiff(&folder.join("whole.tif"), false);
    run(folder, "generate whole.tif -o x.png -o x.tif");
    let text = fs::read_to_string(folder.join("x.png.json")).unwrap();
    assert!(!text.contains("no_data"));
    let png = fs::read(folder.join("x.png")).unwrap();
    assert!(!png.windows(4).any(|name| name == b"tRNS"));
    let file = fs::File::open(folder.join("x.tif")).unwrap();
    let mut tiff = tiff::decoder::Decoder::new(std::io::BufReader::new(file)).unwrap();
    assert!(tiff.find_tag(Tag::GdalNodata).unwrap().is_none());
}

#[test]
fn modifiers_and_layers_keep_the_holes() {
    let folder = folder();
    let folder = folder.path();
    write_tiff(&folder.join("holes.tif"), true);
    for steps in [
        "--set modifiers.0.kind=invert",
        "--set modifiers.0.kind=erosion",
        "--set modifiers.0.kind=blur --set modifiers.0.strength=0.5",
        "--set modifiers.0.kind=blur --set modifiers.0.mask.by=slope --set modifiers.1.kind=invert",
        "--set layers.0.surface.generator=perlin",
        "--set layers.0.surface.generator=perlin --set layers.0.strength=0.5",
    ] {
        run(folder, &format!("generate holes.tif {steps} -o x.npy"));
        assert_eq!(holes(&read(&folder.join("x.npy"))), all_holes(), "{steps}");
    }
}

#[test]
fn holes_of_a_layer_are_none() {
    let folder = folder();
    let folder = folder.path();
    write_tiff(&folder.join("holes.tif"), true);
    let layer = "--set layers.0.surface.generator=image --set layers.0.surface.input=holes.tif";
    run(folder, &format!("generate --iterations 5 {layer} -o x.npy"));
    assert!(read(&folder.join("x.npy")).valid().is_none());
}

#[test]
fn regions_cut_the_holes() {
    let folder = folder();
    let folder = folder.path();
    write_tiff(&folder.join("holes.tif"), true);
    run(
        folder,
        "generate holes.tif --region 10,3,14,8 -o x.npy -o x.png",
    );
    let part = mask().part([3, 10], [8, 14]);
    let part: Vec<Vec<usize>> = (0..8)
        .map(|row| part.invalid_columns(row).collect())
        .collect();
    assert_eq!(holes(&read(&folder.join("x.npy"))), part);
    assert_eq!(holes(&read(&folder.join("x.png"))), part);
}

#[test]
fn tiles_with_and_without_holes_join() {
    let folder = folder();
    let folder = folder.path();
    write_tiff(&folder.join("holes.tif"), true);
    run(
        folder,
        "generate holes.tif --tiles 2x2 --overlap 0 -o t{row}{column}.png",
    );
    let ranges = ["00", "01", "10", "11"].map(|tile| {
        let sidecar = json(&folder.join(format!("t{tile}.png.json")));
        assert_eq!(sidecar["no_data"], 0, "{tile}");
        sidecar["range"].clone()
    });
    assert!(ranges.iter().all(|range| *range == ranges[0]), "{ranges:?}");
    let north_west = read(&folder.join("t00.png"));
    let wanted: Vec<Vec<usize>> = all_holes()[..ROWS / 2]
        .iter()
        .map(|row| {
            row.iter()
                .copied()
                .filter(|column| *column < COLUMNS / 2)
                .collect()
        })
        .collect();
    assert_eq!(holes(&north_west), wanted);
    assert!(read(&folder.join("t01.png")).valid().is_none());
}

#[test]
fn flipped_files_have_flipped_holes() {
    let folder = folder();
    let folder = folder.path();
    write_tiff(&folder.join("holes.tif"), true);
    run(folder, "generate holes.tif --flip -o x.r16");
    // The sidecar says that the southern row is first.
    assert_eq!(holes(&read(&folder.join("x.r16"))), all_holes());
    let bytes = fs::read(folder.join("x.r16")).unwrap();
    let is_hole = |row: usize, column: usize| bytes[(row * COLUMNS + column) * 2..][..2] == [0; 2];
    assert!(is_hole(ROWS - 1, 0) && is_hole(0, COLUMNS - 1) && !is_hole(0, 0));
}

#[test]
fn resampling_takes_the_nearest_and_says_so() {
    let folder = folder();
    let folder = folder.path();
    write_tiff(&folder.join("holes.tif"), true);
    let side = 2 * (COLUMNS - 1) + 1;
    let [_, said] = run(
        folder,
        &format!("generate holes.tif --samples {side} -o x.npy"),
    );
    assert!(
        said.contains("resampled from 42 × 30 to 83 × 59 samples"),
        "{said}"
    );
    let map = read(&folder.join("x.npy"));
    for row in 0..ROWS {
        for column in 0..COLUMNS {
            let is_valid = map.valid().unwrap().is_valid(2 * row, 2 * column);
            assert_eq!(is_valid, has_data(row, column), "{row} {column}");
        }
    }
}

#[test]
fn levels_below_keep_the_holes() {
    let folder = folder();
    let folder = folder.path();
    write_tiff(&folder.join("holes.tif"), true);
    for region in ["", "--region 0,0,83,59"] {
        run(
            folder,
            &format!("generate holes.tif --levels 1 {region} -o x.npy"),
        );
        let map = read(&folder.join("x.npy"));
        assert_eq!([map.rows(), map.columns()], [59, 83]);
        for row in 0..ROWS {
            for column in 0..COLUMNS {
                let is_valid = map.valid().unwrap().is_valid(2 * row, 2 * column);
                assert_eq!(is_valid, has_data(row, column), "{region} {row} {column}");
            }
        }
    }
}

#[test]
fn no_height_is_the_no_data_of_asc() {
    let folder = folder();
    let folder = folder.path();
    let text = "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1000\nNODATA_value -1\n\
                -99999 5\n-1 7\n";
    fs::write(folder.join("deep.asc"), text).unwrap();
    run(folder, "generate deep.asc -o x.asc");
    let map = read(&folder.join("x.asc"));
    assert_eq!(holes(&map), [vec![], vec![0]]);
    let text = fs::read_to_string(folder.join("x.asc")).unwrap();
    assert!(!text.contains("NODATA_value -99999\n"), "{text}");
}

#[test]
fn a_step_a_metre_leaves_zero_to_holes() {
    let folder = folder();
    let folder = folder.path();
    write_tiff(&folder.join("holes.tif"), true);
    run(folder, "generate holes.tif --range metres -o x.r16");
    let sidecar = json(&folder.join("x.r16.json"));
    let lowest = sidecar["min_m"].as_f64().unwrap();
    let bytes = fs::read(folder.join("x.r16")).unwrap();
    let steps = bytes
        .chunks_exact(2)
        .map(|two| u16::from_le_bytes([two[0], two[1]]));
    let least = steps.filter(|step| *step > 0).min().unwrap();
    assert!((1..=2).contains(&least));
    let zero = sidecar["range_m"][0].as_f64().unwrap();
    assert!(
        (zero - (lowest.floor() - 1.0)).abs() < 1e-3,
        "{zero} {lowest}"
    );
}

#[test]
fn statistics_of_a_file_leave_out_its_holes() {
    let folder = folder();
    let folder = folder.path();
    write_tiff(&folder.join("holes.tif"), true);
    let [json, _] = run(folder, "stats holes.tif --json");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["no_data"], mask().invalid());
    let counted = json["histogram"].as_array().unwrap().iter();
    let counted: u64 = counted.map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(counted as usize, ROWS * COLUMNS - mask().invalid());
    let [table, _] = run(folder, "stats holes.tif");
    assert!(table.contains("samples without data"), "{table}");
}

#[test]
fn the_map_hatches_holes() {
    let folder = folder();
    let folder = folder.path();
    write_tiff(&folder.join("holes.tif"), true);
    let size = [(COLUMNS * 4) as u32, (ROWS * 4) as u32];
    let picture = format!("--type map --size {}x{} --no-antialias", size[0], size[1]);
    run(folder, &format!("render holes.tif {picture} -o x.png"));
    let picture = image::open(folder.join("x.png")).unwrap().to_rgb8();
    // The largest map in the middle of the picture, so that holes are where samples are.
    let greys = |low: u8, high: u8| {
        let is_grey = |[r, g, b]: [u8; 3]| r == g && g == b && (low..=high).contains(&r);
        picture.pixels().filter(|pixel| is_grey(pixel.0)).count()
    };
    // A block of 4 × 9 samples, less what the margins take: dark lines on light ground.
    assert!(greys(90, 191) > 150);
    assert!(greys(186, 191) > 50 && greys(90, 95) > 10);
}

#[test]
fn a_map_with_holes_opens_as_a_scene() {
    let folder = folder();
    let folder = folder.path();
    write_tiff(&folder.join("holes.tif"), true);
    run(folder, "generate holes.tif -o x.tif -o x.png");
    // The recipe is that of these samples, whose sum has the holes in it.
    for name in ["x.tif", "x.png"] {
        let [_, said] = run(folder, &format!("scene {name}"));
        assert!(!said.contains("changed"), "{name}: {said}");
    }
    assert!(Scene::parse(&run(folder, "scene x.tif")[0]).is_ok());
}
