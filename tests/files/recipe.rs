//! The recipe in a file: it counts as long as the file holds what it made, and where it does not
//! the user is told why.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::*;
use landform::export::{self, Format, Options};
use landform::generate::Generator;
use landform::grid::Grid;
use landform::import;
use landform::inputs::Inputs;
use landform::job::Job;
use landform::scene::{Scene, VERSION};

fn scene() -> Scene {
    let mut scene = Scene::default();
    scene.surface.iterations = 4;
    scene.surface.tile_size_m = 345.6;
    scene.surface.seed = 31;
    scene
}

/// The scene in that format, without the sidecar.
fn export(folder: &Path, format: &'static Format) -> PathBuf {
    let path = folder.join(format!("{}.{}", format.name, format.extension));
    let options = Options {
        format: Some(format),
        ..Options::default()
    };
    export::heightmap(&path, &scene(), &Inputs::default(), options, &Job::new()).unwrap();
    let _ = fs::remove_file(format!("{}.json", path.display()));
    path
}

/// The formats that hold their recipe themselves.
fn with_recipe(folder: &Path) -> Vec<(&'static Format, PathBuf)> {
    let all = crate::common::written_formats().map(|format| (format, export(folder, format)));
    let all: Vec<_> = all
        .filter(|(_, path)| import::scene(path).unwrap().is_some())
        .collect();
    assert!(all.len() >= 8, "{all:?}");
    all
}

/// What a file is opened as, and what is said about it.
fn opened(path: &Path) -> (Option<Scene>, String) {
    match import::find(path) {
        Ok(found) => (found.scene, found.notices.join("\n")),
        Err(error) => (None, error.to_string()),
    }
}

/// Other samples of the same size with the recipe of `path`.
fn edited(format: &Format, path: &Path) {
    let bytes = fs::read(path).unwrap();
    match format.extension {
        "png" => {
            // This is a program that keeps every chunk, even the checksum.
            let image = image::open(path).unwrap();
            let mut turned = std::io::Cursor::new(Vec::new());
            let image = image.flipv();
            image
                .write_to(&mut turned, image::ImageFormat::Png)
                .unwrap();
            fs::write(path, with_chunks_of(&bytes, turned.get_ref())).unwrap();
        }
        "exr" => {
            // Plain numbers in blocks: a file without packing would do; this one is written anew.
            use exr::prelude::*;
            let mut image = read_first_flat_layer_from_file(path).unwrap();
            if let FlatSamples::F32(values) = &mut image.layer_data.channel_data.list[0].sample_data
            {
                values[7] += 0.5;
            }
            image.write().to_file(path).unwrap();
        }
        "asc" | "obj" => {
            let text = String::from_utf8(bytes).unwrap();
            let is_number = |line: &&str| {
                line.starts_with("v ") || line.starts_with(|c: char| c.is_numeric() || c == '-')
            };
            let line = text.lines().find(is_number).unwrap();
            let (first, _) = line.rsplit_once(' ').unwrap();
            let other = format!("{first} 0.25");
            fs::write(path, text.replacen(line, &other, 1)).unwrap();
        }
        "tif" => {
            let mut bytes = bytes;
            let mut decoder = tiff::decoder::Decoder::new(std::io::Cursor::new(&bytes)).unwrap();
            match decoder.get_tag_u64_vec(tiff::tags::Tag::StripOffsets) {
                Ok(strips) => bytes[strips[0] as usize] ^= 1,
                // Packed tiles: another checksum is as good as another number.
                Err(_) => {
                    let mark = b"# landform samples ";
                    let found = bytes.windows(mark.len()).position(|bytes| bytes == mark);
                    let digit = &mut bytes[found.unwrap() + mark.len()];
                    *digit = if *digit == b'0' { b'1' } else { b'0' };
                }
            }
            fs::write(path, bytes).unwrap();
        }
        _ => {
            let mut bytes = bytes;
            let at = bytes.len() - 40;
            bytes[at] ^= 1;
            fs::write(path, bytes).unwrap();
        }
    }
}

/// The pixels of `to` with the text chunks of `from`.
fn with_chunks_of(from: &[u8], to: &[u8]) -> Vec<u8> {
    let chunks = |bytes: &[u8]| {
        let (mut at, mut all) = (8, Vec::new());
        while at < bytes.len() {
            let length = u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
            all.push(bytes[at..at + length + 12].to_vec());
            at += length + 12;
        }
        all
    };
    let is_text = |chunk: &&Vec<u8>| &chunk[4..8] == b"tEXt";
    let (from, to_chunks) = (chunks(from), chunks(to));
    let texts: Vec<_> = from.iter().filter(is_text).cloned().collect();
    assert!(texts.len() >= 2);
    let mut all = to[..8].to_vec();
    let (end, pixels) = to_chunks.split_last().unwrap();
    all.extend(pixels.concat());
    all.extend(texts.concat());
    all.extend(end);
    all
}

#[test]
fn heights_win_over_a_recipe_not_matching_them() {
    let folder = folder();
    for (format, path) in with_recipe(folder.path()) {
        assert_eq!(opened(&path), (Some(scene()), String::new()));
        edited(format, &path);
        let (found, words) = opened(&path);
        assert_eq!(found, None, "{}", format.name);
        assert!(
            words.contains("was changed after its recipe was written"),
            "{}: {words}",
            format.name
        );
        assert!(words.ends_with(path.to_str().unwrap()), "{words}");
        if format.is_mesh() {
            assert!(import::open(&path).is_err());
        } else {
            let map = import::open(&path).unwrap();
            assert_eq!(map.surface.generator, Generator::Image, "{}", format.name);
        }
    }
}

#[test]
fn repacked_samples_keep_their_recipe() {
    let folder = folder();
    // A PNG packed anew, its texts behind the pixels.
    let path = export(folder.path(), Format::named("png").unwrap());
    let bytes = fs::read(&path).unwrap();
    let image = image::load_from_memory(&bytes).unwrap();
    let mut again = std::io::Cursor::new(Vec::new());
    image.write_to(&mut again, image::ImageFormat::Png).unwrap();
    let again = with_chunks_of(&bytes, again.get_ref());
    assert_ne!(again, bytes);
    fs::write(&path, again).unwrap();
    assert_eq!(opened(&path), (Some(scene()), String::new()));
    // Text with other ends of lines.
    for name in ["asc", "obj"] {
        let path = export(folder.path(), Format::named(name).unwrap());
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace('\n', "\r\n")).unwrap();
        assert_eq!(opened(&path), (Some(scene()), String::new()), "{name}");
    }
}

#[test]
fn tiff_cropped_elsewhere_opens_as_its_samples() {
    use tiff::decoder::{Decoder, DecodingResult};
    use tiff::encoder::{TiffEncoder, colortype::Gray32Float};
    use tiff::tags::Tag;
    let folder = folder();
    let path = export(folder.path(), Format::named("tiff").unwrap());
    let mut decoder = Decoder::new(fs::File::open(&path).unwrap()).unwrap();
    let description = decoder.get_tag_ascii_string(Tag::ImageDescription).unwrap();
    let DecodingResult::F32(values) = decoder.read_image().unwrap() else {
        panic!("no floats");
    };
    let cut = |side: usize| -> Vec<f32> {
        let rows = values.chunks(17).take(side);
        rows.flat_map(|row| row[..side].to_vec()).collect()
    };
    let write = |side: usize| {
        let file = fs::File::create(&path).unwrap();
        let mut encoder = TiffEncoder::new(file).unwrap();
        let size = side as u32;
        let mut image = encoder.new_image::<Gray32Float>(size, size).unwrap();
        // Other strips than ours, as programs do.
        image.rows_per_strip(3).unwrap();
        let tags = image.encoder();
        tags.write_tag(Tag::ImageDescription, &*description)
            .unwrap();
        image.write_data(&cut(side)).unwrap();
    };
    write(17);
    assert_eq!(opened(&path), (Some(scene()), String::new()));
    write(10);
    assert_eq!(opened(&path).0, None);
    fail(folder.path(), "generate tiff.tif -o", 2, &[]);
    let out = landform(folder.path(), "generate tiff.tif -o cut.npy");
    let words = String::from_utf8(out.stderr).unwrap();
    assert!(words.starts_with("warning: it was changed"), "{words}");
    assert_eq!(npy(&folder.path().join("cut.npy")).0, [10, 10]);
}

#[test]
fn a_picture_that_was_edited_is_no_scene() {
    let folder = folder();
    let path = folder.path().join("view.png");
    let pixels = Grid::filled(5, 4, [1, 2, 3]);
    export::picture(&path, &pixels, &scene()).unwrap();
    assert_eq!(opened(&path), (Some(scene()), String::new()));
    let banded = folder.path().join("bands.png");
    let bands = Grid::filled(5, 4, [1, 2, 3, 255]);
    for transparent in [false, true] {
        let scene = &scene();
        let request = export::PictureRequest {
            size: (4, 5),
            samples: 1,
            transparent,
        };
        let made: Result<(), export::ExportError> =
            export::picture_in_bands(&banded, request, scene, &Job::new(), |put| put(&bands));
        made.unwrap();
        assert_eq!(opened(&banded), (Some(scene.clone()), String::new()));
    }
    let bytes = fs::read(&path).unwrap();
    let mut other = std::io::Cursor::new(Vec::new());
    let white = image::RgbImage::from_pixel(4, 5, image::Rgb([255; 3]));
    white.write_to(&mut other, image::ImageFormat::Png).unwrap();
    fs::write(&path, with_chunks_of(&bytes, other.get_ref())).unwrap();
    let (found, words) = opened(&path);
    assert_eq!(found, None);
    assert!(words.contains("was changed"), "{words}");
    // The checksum is missing, as after a program that keeps only what comes first.
    let sum = bytes
        .windows(16)
        .position(|part| part == b"landform-samples")
        .unwrap();
    let mut cut = bytes[..sum - 8].to_vec();
    cut.extend(&bytes[bytes.len() - 12..]);
    fs::write(&path, cut).unwrap();
    let (found, words) = opened(&path);
    assert_eq!(found, None);
    assert!(words.contains("no checksum"), "{words}");
}

#[test]
fn unreadable_recipe_is_reported() {
    let folder = folder();
    for (format, path) in with_recipe(folder.path()) {
        let mut bytes = fs::read(&path).unwrap();
        let word = b"iterations";
        let at = bytes.windows(word.len()).position(|part| part == word);
        bytes[at.unwrap()] = b'j';
        fs::write(&path, bytes).unwrap();
        let (found, words) = opened(&path);
        assert_eq!(found, None, "{}", format.name);
        assert!(
            words.contains("recipe cannot be read"),
            "{}: {words}",
            format.name
        );
    }
    // And beside a file.
    let options = Options::default();
    let path = folder.path().join("x.r32");
    export::heightmap(&path, &scene(), &Inputs::default(), options, &Job::new()).unwrap();
    assert_eq!(opened(&path), (Some(scene()), String::new()));
    let sidecar = folder.path().join("x.r32.json");
    let text = fs::read_to_string(&sidecar).unwrap();
    fs::write(&sidecar, text.replace("\"iterations\"", "\"jterations\"")).unwrap();
    let (found, words) = opened(&path);
    assert!(
        found.is_none() && words.contains("next to it cannot be read"),
        "{words}"
    );
    fs::write(&sidecar, text).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    bytes[9] ^= 1;
    fs::write(&path, bytes).unwrap();
    let (found, words) = opened(&path);
    assert!(
        found.is_none() && words.contains("another version"),
        "{words}"
    );
}

#[test]
fn files_of_other_programs_are_opened_in_silence() {
    let folder = folder();
    let path = folder.path().join("x.png");
    image::GrayImage::from_fn(5, 5, |x, y| image::Luma([(x * 9 + y) as u8]))
        .save(&path)
        .unwrap();
    assert_eq!(opened(&path), (None, String::new()));
    fs::write(
        folder.path().join("x.png.json"),
        "{\"bytes\": 3, \"checksum\": \"x\"}",
    )
    .unwrap();
    assert_eq!(opened(&path), (None, String::new()));
}

#[test]
fn file_with_itself_as_input_opens_as_image() {
    let folder = folder();
    let path = folder.path().join("self.png");
    let mut own = scene();
    own.surface.generator = Generator::Image;
    own.surface.input = Some(path.clone());
    export::picture(&path, &Grid::filled(4, 4, [9, 9, 9]), &own).unwrap();
    let (found, words) = opened(&path);
    assert_eq!(found, None);
    assert!(
        words.contains("names the file itself as its input"),
        "{words}"
    );
    let scene = import::open(&path).unwrap();
    assert_eq!(scene.surface.input, Some(path));
    assert!(import::inputs(&scene).is_ok());
}

#[test]
fn later_version_keys_are_kept_with_a_warning() {
    let next = VERSION + 1;
    let folder = folder();
    let text = format!(
        "version = {next}\nmood = \"calm\"\n[surface]\nseed = 7\nerosion = {{ rain = 0.5 }}\n\
         [[modifiers]]\nkind = \"blur\"\nhaste = 2\n[creatures]\nsheep = 3\n"
    );
    fs::write(folder.path().join("x.toml"), &text).unwrap();
    let path = folder.path().join("x.toml");
    let (found, words) = opened(&path);
    let found = found.unwrap();
    assert_eq!(found.surface.seed, 7);
    for name in [
        "mood",
        "surface.erosion",
        "modifiers.0.haste",
        "creatures",
        &next.to_string(),
    ] {
        assert!(words.contains(name), "{name}: {words}");
    }
    // Kept through any file, and through changes.
    let changed = found.with("surface.seed", "8").unwrap();
    let saved = folder.path().join("y.toml");
    export::scene(&saved, &changed).unwrap();
    let table: toml::Table = fs::read_to_string(&saved).unwrap().parse().unwrap();
    assert_eq!(table["version"].as_integer(), Some(i64::from(next)));
    assert_eq!(table["mood"].as_str(), Some("calm"));
    assert_eq!(table["surface"]["erosion"]["rain"].as_float(), Some(0.5));
    assert_eq!(table["modifiers"][0]["haste"].as_integer(), Some(2));
    assert_eq!(table["creatures"]["sheep"].as_integer(), Some(3));
    assert_eq!(table["surface"]["seed"].as_integer(), Some(8));
    assert_eq!(import::open(&saved).unwrap(), changed);
    succeed(folder.path(), "list presets");
    for name in ["z.npy", "z.glb", "z.asc"] {
        let mut small = changed.clone();
        small.surface.iterations = 3;
        let path = folder.path().join(name);
        let options = Options::default();
        export::heightmap(&path, &small, &Inputs::default(), options, &Job::new()).unwrap();
        assert_eq!(opened(&path).0, Some(small), "{name}");
    }
    let out = landform(folder.path(), "generate x.toml --iterations 3 -o a.npy");
    let words = String::from_utf8(out.stderr).unwrap();
    assert!(
        out.status.success() && words.starts_with("warning: the scene has version"),
        "{words}"
    );
    // The window's settings hold a scene as well.
    let kept = toml::to_string(&changed).unwrap();
    assert_eq!(toml::from_str::<Scene>(&kept).unwrap(), changed);
    // In a scene of this version they are mistakes, as ever.
    for text in [
        text.replace(
            &format!("version = {next}"),
            &format!("version = {VERSION}"),
        ),
        text.replace(&format!("version = {next}\n"), ""),
    ] {
        let error = Scene::parse(&text).unwrap_err().to_string();
        assert!(error.contains("unknown field"), "{error}");
    }
    // What is known but cannot be is one too, and the version is said.
    let error = Scene::parse(&text.replace("\"blur\"", "\"melt\"")).unwrap_err();
    assert!(
        error.to_string().contains(&format!("version {next}")),
        "{error}"
    );
    assert!(Scene::parse("version = 0").is_err());
    assert!(scene().with("version", "3").is_err());
}

#[test]
fn scenes_say_their_version_and_open_without_one() {
    let text = scene().to_toml();
    assert!(
        text.starts_with(&format!("version = {VERSION}\n")),
        "{text}"
    );
    let (_, without) = text.split_once('\n').unwrap();
    assert_eq!(Scene::parse(without).unwrap(), scene());
}

#[test]
fn changed_file_is_replaced_only_by_force() {
    let folder = folder();
    for (format, path) in with_recipe(folder.path()) {
        let name = path.file_name().unwrap().to_str().unwrap();
        let again = format!("generate --iterations 3 --format {} -o {name}", format.name);
        // Its own, without a sidecar.
        succeed(folder.path(), &again);
        fs::remove_file(folder.path().join(format!("{name}.json"))).unwrap();
        edited(format, &path);
        let changed = fs::read(&path).unwrap();
        let output = landform(folder.path(), &again);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{name}: {said}");
        assert!(said.contains("not from Landform"), "{name}: {said}");
        assert_eq!(fs::read(&path).unwrap(), changed, "{name}");
        succeed(folder.path(), &format!("{again} --force"));
    }
}

#[test]
fn painted_picture_is_replaced_only_by_force() {
    let folder = folder();
    let render = "render --iterations 3 --type map --size 9x9 -o x.png";
    succeed(folder.path(), render);
    succeed(folder.path(), render);
    let path = folder.path().join("x.png");
    edited(Format::named("png").unwrap(), &path);
    fail(folder.path(), render, 1, &["not from Landform", "x.png"]);
    succeed(folder.path(), &format!("{render} --force"));
    // So are the files beside a mesh.
    let mesh = "generate --iterations 3 -o y.obj";
    succeed(folder.path(), mesh);
    let path = folder.path().join("y.mtl");
    let mut material = fs::read_to_string(&path).unwrap();
    material += "Ns 12\n";
    fs::write(&path, material).unwrap();
    fail(folder.path(), mesh, 1, &["not from Landform", "y.mtl"]);
    succeed(folder.path(), &format!("{mesh} --force"));
    succeed(folder.path(), mesh);
}

#[test]
fn changed_png_range_is_used_and_stated() {
    let folder = folder();
    let folder = folder.path();
    succeed(folder, "generate --iterations 3 --range -0.5,1.5 -o x.png");
    let unchanged = landform(folder, "generate --input x.png --generator image -o z.npy");
    let said = String::from_utf8(unchanged.stderr).unwrap();
    assert!(!said.contains("changed"), "{said}");
    fs::remove_file(folder.join("x.png.json")).unwrap();
    edited(Format::named("png").unwrap(), &folder.join("x.png"));
    for (words, is_said) in [("", true), ("--input-range 0,50", false)] {
        let output = landform(folder, &format!("generate x.png {words} -o y.npy"));
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{said}");
        let line = "its lowest step still means -0.5 half tiles and its highest 1.5";
        assert_eq!(said.contains(line), is_said, "{said}");
        let (_, mut heights) = npy(&folder.join("y.npy"));
        heights.sort_by(f32::total_cmp);
        match is_said {
            true => assert!(heights[0] >= -0.5 && heights[heights.len() - 1] > 0.5),
            false => assert!(heights[0] >= 0.0 && heights[heights.len() - 1] <= 0.05),
        }
    }
}
