//! Height maps and meshes in every format, read back by other code than wrote them: right size,
//! right way up, right heights.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use landform::export::{self, FORMATS, Format, Options};
use landform::heightmap::Heightmap;
use landform::inputs::Inputs;
use landform::job::Job;
use landform::material::{Albedo, MaterialNormals};
use landform::pipeline;
use landform::scene::Scene;

/// An asymmetric landscape of 33 × 33 samples, 300 m a side.
fn scene() -> Scene {
    let mut scene = Scene::default();
    scene.surface.iterations = 5;
    scene.surface.seed = 5;
    scene.surface.tile_size_m = 300.0;
    scene
}

fn map() -> Heightmap {
    pipeline::heights(&scene(), &Inputs::default(), &Job::new()).unwrap()
}

/// The map's file in that format.
fn export(folder: &Path, name: &str) -> PathBuf {
    let format = Format::named(name).expect(name);
    let path = folder.join(format!("{name}.{}", format.extension));
    let options = Options {
        format: Some(format),
        ..Options::default()
    };
    export::heightmap(&path, &scene(), &Inputs::default(), options, &Job::new()).unwrap();
    path
}

fn metres(height: f32) -> f32 {
    (f64::from(height) * 150.0) as f32
}

#[test]
fn every_format_has_its_own_name_and_help() {
    let names: std::collections::BTreeSet<_> = FORMATS.iter().map(|f| f.name).collect();
    assert_eq!(names.len(), FORMATS.len());
    assert!(FORMATS.iter().all(|f| f.help.ends_with('.')));
}

#[test]
fn a_geotiff_has_metres_and_the_scene() {
    let folder = tempfile::tempdir().unwrap();
    let file = fs::File::open(export(folder.path(), "tiff")).unwrap();
    let mut decoder = tiff::decoder::Decoder::new(file).unwrap();
    assert_eq!(decoder.dimensions().unwrap(), (33, 33));
    use tiff::tags::Tag;
    let scale = decoder.get_tag_f64_vec(Tag::ModelPixelScaleTag).unwrap();
    assert_eq!(scale[..2], [300.0 / 32.0; 2]);
    let tie = decoder.get_tag_f64_vec(Tag::ModelTiepointTag).unwrap();
    // Samples are areas: the corner lies half a cell beyond the first.
    let half = 150.0 / 32.0;
    assert_eq!(tie, [0.0, 0.0, 0.0, -half, 300.0 + half, 0.0]);
    let text = decoder.get_tag_ascii_string(Tag::ImageDescription).unwrap();
    assert_eq!(Scene::parse(&text).unwrap(), scene());
    let tiff::decoder::DecodingResult::F32(heights) = decoder.read_image().unwrap() else {
        panic!("floats");
    };
    let expected: Vec<f32> = map().heights().iter().map(|h| metres(*h)).collect();
    assert_eq!(heights, expected);
}

#[test]
fn a_16_bit_tiff_spans_the_range() {
    let folder = tempfile::tempdir().unwrap();
    let image = image::open(export(folder.path(), "tiff16")).unwrap();
    let image = image.into_luma16();
    let map = map();
    let (low, high) = map.range();
    for (x, y, pixel) in image.enumerate_pixels() {
        let t = f64::from(map.at(y as usize, x as usize) - low) / f64::from(high - low);
        assert!((f64::from(pixel.0[0]) - t * 65535.0).abs() <= 1.0);
    }
}

#[test]
fn an_exr_has_the_heights_bit_for_bit() {
    let folder = tempfile::tempdir().unwrap();
    let path = export(folder.path(), "exr");
    let image = exr::prelude::read_first_flat_layer_from_file(&path).unwrap();
    let layer = image.layer_data;
    assert_eq!((layer.size.x(), layer.size.y()), (33, 33));
    let channel = &layer.channel_data.list[0];
    let heights: Vec<f32> = channel.sample_data.values_as_f32().collect();
    assert_eq!(heights, map().heights());
    let comments = layer.attributes.comments.unwrap().to_string();
    assert_eq!(Scene::parse(&comments).unwrap(), scene());
}

/// The bytes of an attribute of an OpenEXR file of one part.
fn exr_attribute<'a>(bytes: &'a [u8], wanted: &str) -> (&'a [u8], usize) {
    let text = |at: usize| {
        let length = bytes[at..].iter().position(|byte| *byte == 0).unwrap();
        (
            std::str::from_utf8(&bytes[at..at + length]).unwrap(),
            at + length + 1,
        )
    };
    let (mut at, mut found) = (8, None);
    while bytes[at] != 0 {
        let (name, after) = text(at);
        let (_, after) = text(after);
        let length = u32::from_le_bytes(bytes[after..after + 4].try_into().unwrap()) as usize;
        at = after + 4 + length;
        if name == wanted {
            found = Some(&bytes[after + 4..at]);
        }
    }
    (found.expect(wanted), at + 1)
}

#[test]
fn exr_lines_run_from_top_to_bottom() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = fs::read(export(folder.path(), "exr")).unwrap();
    let (order, offsets) = exr_attribute(&bytes, "lineOrder");
    assert_eq!(order, [0], "increasing y");
    // Neither tiles nor several parts nor deep data: flags of the version.
    assert_eq!(bytes[..8], [0x76, 0x2f, 0x31, 0x01, 2, 0, 0, 0]);
    let lines = match exr_attribute(&bytes, "compression").0 {
        [0..=2] => 1,
        [3] => 16,
        other => panic!("packed with {other:?}"),
    };
    let mut next = offsets + 8 * 33_usize.div_ceil(lines);
    for (block, offset) in bytes[offsets..next].chunks_exact(8).enumerate() {
        let offset = u64::from_le_bytes(offset.try_into().unwrap()) as usize;
        assert_eq!(offset, next, "block {block} follows the one before");
        let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        assert_eq!(number(offset) as usize, block * lines);
        next = offset + 8 + number(offset + 4) as usize;
    }
    assert_eq!(next, bytes.len());
}

#[test]
fn files_are_identical_on_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = HashMap::new();
    for threads in [1, 4, 4] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = pool.build().unwrap();
        for format in crate::common::written_formats() {
            let path = pool.install(|| export(folder.path(), format.name));
            let bytes = fs::read(path).unwrap();
            let same = first.entry(format.name).or_insert_with(|| bytes.clone());
            assert!(*same == bytes, "{} on {threads} threads", format.name);
        }
    }
}

#[test]
fn ascii_grid_has_header_and_metres_north_first() {
    let folder = tempfile::tempdir().unwrap();
    let text = fs::read_to_string(export(folder.path(), "asc")).unwrap();
    let mut lines = text.lines();
    let header: HashMap<&str, &str> = lines
        .by_ref()
        .take(6)
        .filter_map(|line| line.split_once(' '))
        .collect();
    assert_eq!(header["ncols"], "33");
    assert_eq!(header["nrows"], "33");
    assert_eq!(header["cellsize"], "9.375");
    let rows = lines.take_while(|line| !line.starts_with('#'));
    for (row, line) in rows.enumerate() {
        let heights: Vec<f32> = line.split(' ').map(|h| h.parse().unwrap()).collect();
        let expected: Vec<f32> = map().row(row).iter().map(|h| metres(*h)).collect();
        assert_eq!(heights, expected, "row {row}");
    }
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    let (numbers, _) = bytes.as_chunks::<4>();
    numbers.iter().map(|n| f32::from_le_bytes(*n)).collect()
}

#[test]
fn ply_has_every_sample_and_splits_each_cell() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = fs::read(export(folder.path(), "ply")).unwrap();
    let end = b"end_header\n";
    let header = bytes.windows(end.len()).position(|w| w == end).unwrap() + end.len();
    let text = std::str::from_utf8(&bytes[..header]).unwrap();
    assert!(text.contains("element vertex 1089\n") && text.contains("element face 2048\n"));
    let comments = text
        .lines()
        .filter_map(|line| line.strip_prefix("comment "));
    let mut comments = comments.skip_while(|line| *line != "landform scene begin");
    comments.next();
    let scene_text: Vec<_> = comments
        .take_while(|line| *line != "landform scene end")
        .collect();
    assert_eq!(Scene::parse(&scene_text.join("\n")).unwrap(), scene());
    assert_eq!(bytes.len(), header + 1089 * 27 + 2048 * 13);
    assert!(
        text.contains("comment metres, x east, y north, z up\n"),
        "{text}"
    );
    // x east, y north, z up, and the colour of the ground.
    let landscape = self::map();
    let palette = landform::texture::Palette::named(&scene().view.palette).unwrap();
    let normals = MaterialNormals::of(&landscape);
    let albedo = Albedo::of(
        &scene(),
        palette,
        landscape.range(),
        None,
        Some(&normals),
        None,
    );
    let properties = text
        .lines()
        .filter_map(|line| line.strip_prefix("property "));
    let properties: Vec<_> = properties.take(9).collect();
    assert_eq!(properties[6..], ["uchar red", "uchar green", "uchar blue"]);
    for (index, vertex) in bytes[header..].chunks_exact(27).take(1089).enumerate() {
        let (row, column) = (index / 33, index % 33);
        let numbers = floats(&vertex[..24]);
        let wanted = [
            landscape.x(column),
            -landscape.z(row),
            landscape.at(row, column),
        ];
        assert_eq!(numbers[..3], wanted.map(metres));
        assert!((numbers[0] - (column as f32 * 9.375 - 150.0)).abs() < 1e-3);
        assert!((numbers[1] - (150.0 - row as f32 * 9.375)).abs() < 1e-3);
        let normal = landscape.normal(row, column);
        assert_eq!(numbers[3..6], [normal.x, -normal.z, normal.y]);
        let place = [column, row].map(|at| at as f32 / 32.0);
        let color = albedo.color(landscape.at(row, column), || normal, place);
        assert_eq!(vertex[24..], color);
    }
}

#[test]
fn stl_is_a_closed_block_with_flat_base() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = fs::read(export(folder.path(), "stl")).unwrap();
    let count = u32::from_le_bytes(bytes[80..84].try_into().unwrap()) as usize;
    assert_eq!(bytes.len(), 84 + count * 50);
    let mut edges: HashMap<[[u32; 3]; 2], i32> = HashMap::new();
    let (mut volume, mut low, mut high) = (0.0, f32::INFINITY, f32::NEG_INFINITY);
    for record in bytes[84..].chunks_exact(50) {
        let numbers = floats(&record[12..48]);
        let corners: Vec<glam::Vec3> = numbers
            .chunks_exact(3)
            .map(glam::Vec3::from_slice)
            .collect();
        let normal = glam::Vec3::from_slice(&floats(&record[..12]));
        let (a, b, c) = (corners[0], corners[1], corners[2]);
        assert!(
            (b - a).cross(c - a).dot(normal) > 0.0,
            "flat or turned over"
        );
        volume += f64::from(a.dot(b.cross(c))) / 6.0;
        let bits = |v: glam::Vec3| v.to_array().map(f32::to_bits);
        for (from, to) in [(a, b), (b, c), (c, a)] {
            *edges.entry([bits(from), bits(to)]).or_default() += 1;
            *edges.entry([bits(to), bits(from)]).or_default() -= 1;
            low = low.min(from.z);
            high = high.max(from.z);
        }
    }
    // Every edge is there once in each direction: watertight, and all faces outwards.
    assert!(edges.values().all(|balance| *balance == 0));
    let (min, max) = map().range();
    assert_eq!(low, 0.0);
    assert!((high - (3.0 + (max - min) * 50.0)).abs() < 1e-3);
    assert!(volume > 100.0 * 100.0 * 3.0, "{volume}");
}

#[test]
fn a_glb_holds_together() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = fs::read(export(folder.path(), "glb")).unwrap();
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!(&bytes[..4], b"glTF");
    assert_eq!((number(4), number(8)), (2, bytes.len()));
    let json = number(12);
    let document: serde_json::Value = serde_json::from_slice(&bytes[20..20 + json]).unwrap();
    let binary = &bytes[20 + json + 8..];
    assert_eq!(number(20 + json), binary.len());
    assert_eq!(document["buffers"][0]["byteLength"], binary.len());
    let view = |index: usize| {
        let view = &document["bufferViews"][index];
        let at = |key: &str| view[key].as_u64().unwrap() as usize;
        &binary[at("byteOffset")..at("byteOffset") + at("byteLength")]
    };
    let map = map();
    let vertices = floats(view(0));
    assert_eq!(vertices.len(), 1089 * 8);
    for (index, vertex) in vertices.chunks_exact(8).enumerate() {
        assert_eq!(vertex[1], metres(map.at(index / 33, index % 33)));
        let normal = glam::Vec3::from_slice(&vertex[3..6]);
        assert!((normal.length() - 1.0).abs() < 1e-5 && normal.y > 0.0);
    }
    let indices = view(1).as_chunks::<4>().0.iter();
    let indices: Vec<u32> = indices.map(|i| u32::from_le_bytes(*i)).collect();
    assert_eq!(indices.len(), 2048 * 3);
    assert!(indices.iter().all(|index| *index < 1089));
    let texture = image::load_from_memory(view(2)).unwrap();
    // The colours are those of the finer map that the scene has for its texture.
    assert_eq!((texture.width(), texture.height()), (257, 257));
    let scene_there: Scene =
        serde_json::from_value(document["asset"]["extras"]["scene"].clone()).unwrap();
    assert_eq!(scene_there, scene());
}
