//! Import and export: what is written is read back, and broken files are told from good ones.

use std::fs;
use std::path::Path;

use crate::common::*;
use landform::export::{self, ExportError, Options};
use landform::generate::Surface;
use landform::grid::Grid;
use landform::import::{self, Preset, presets};
use landform::inputs::Inputs;
use landform::job::Job;
use landform::scene::{RenderType, Scene};
use proptest::prelude::*;

fn scene(iterations: u32) -> Scene {
    let mut scene = Scene::default();
    scene.surface.iterations = iterations;
    scene.surface.seed = 5;
    scene
}

fn export(path: &Path, scene: &Scene, options: Options) -> Result<(), ExportError> {
    let inputs = import::inputs(scene).unwrap();
    export::heightmap(path, scene, &inputs, options, &Job::new()).map(drop)
}

/// The grid of 8-bit values as a PNG of `columns × rows`, as the header says it.
fn png(columns: u32, rows: u32, values: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, columns, rows);
    encoder.set_color(png::ColorType::Grayscale);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(values).unwrap();
    writer.finish().unwrap();
    bytes
}

/// A sound PNG whose header is made to say another size, its checksum right.
fn lying_png(columns: u32, rows: u32) -> Vec<u8> {
    let mut bytes = png(4, 4, &[7; 16]);
    bytes[16..20].copy_from_slice(&columns.to_be_bytes());
    bytes[20..24].copy_from_slice(&rows.to_be_bytes());
    let sum = crc32(&bytes[12..29]);
    bytes[29..33].copy_from_slice(&sum.to_be_bytes());
    bytes
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |sum: u32, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
            (sum >> 1) ^ (0xEDB8_8320 & (sum & 1).wrapping_neg())
        })
    })
}

#[track_caller]
fn check_refused(path: &Path, words: &[&str]) {
    let message = import::image(path).unwrap_err().to_string();
    assert!(!message.contains('\n'), "{message}");
    assert!(message.ends_with(path.to_str().unwrap()), "{message}");
    for word in words {
        assert!(message.contains(word), "no `{word}` in {message}");
    }
}

#[test]
fn every_prefix_of_an_image_is_refused() {
    let folder = folder();
    let values: Vec<u8> = (0..=255).collect();
    let image = image::GrayImage::from_raw(16, 16, values.clone()).unwrap();
    for name in ["x.png", "x.jpg", "x.bmp", "x.pgm", "x.tif"] {
        let path = folder.path().join(name);
        image.save(&path).unwrap();
        let whole = fs::read(&path).unwrap();
        let read = import::image(&path).unwrap();
        assert_eq!((read.rows(), read.columns()), (16, 16), "{name}");
        if name != "x.jpg" {
            let expected: Vec<f32> = values.iter().map(|v| f32::from(*v)).collect();
            assert_eq!(read.as_slice(), expected, "{name}");
        }
        // Up to the end of the pixels; what comes after them does not count.
        for length in (0..whole.len() * 3 / 4).step_by(1 + whole.len() / 60) {
            fs::write(&path, &whole[..length]).unwrap();
            check_refused(&path, &[]);
        }
    }
}

#[test]
fn arrays_that_are_cut_or_lie_are_refused() {
    let folder = folder();
    let path = folder.path().join("x.npy");
    export(&path, &scene(3), Options::default()).unwrap();
    let whole = fs::read(&path).unwrap();
    for length in (0..whole.len()).step_by(7) {
        fs::write(&path, &whole[..length]).unwrap();
        check_refused(&path, &[]);
    }
    let shape = |bytes: &[u8]| bytes == b"(9, 9, )";
    let at = whole.windows(8).position(shape).expect("the shape");
    let mut lie = whole.clone();
    lie[at..at + 8].copy_from_slice(b"(9999,9)");
    fs::write(&path, &lie).unwrap();
    check_refused(&path, &["9999"]);
    let mut wild = whole.clone();
    let end = wild.len();
    wild[end - 4..].copy_from_slice(&f32::INFINITY.to_le_bytes());
    fs::write(&path, &wild).unwrap();
    check_refused(&path, &["inf"]);
    let square = folder.path().join("x.r32");
    fs::write(&square, [0; 40]).unwrap();
    check_refused(&square, &["40 bytes"]);
}

#[test]
fn images_that_lie_about_their_size_are_refused() {
    let folder = folder();
    for (columns, rows, words) in [
        (5, 4, &[][..]),
        (4, 9, &[]),
        (30_000, 30_000, &["30000"]),
        (32_769, 2, &["32769", "32768"]),
        (u32::MAX >> 1, u32::MAX >> 1, &["32768"]),
        (0, 4, &[]),
        (1, 4, &[]),
    ] {
        let path = folder.path().join("x.png");
        fs::write(&path, lying_png(columns, rows)).unwrap();
        check_refused(&path, words);
    }
}

#[test]
fn grey_values_are_kept_and_colours_weighed() {
    let folder = folder();
    let path = folder.path().join("x.png");
    let deep = image::ImageBuffer::from_fn(3, 2, |x, y| image::Luma([(x * 20_001 + y) as u16]));
    deep.save(&path).unwrap();
    let expected: Vec<f32> = deep.as_raw().iter().map(|v| f32::from(*v)).collect();
    assert_eq!(import::image(&path).unwrap().as_slice(), expected);
    let colour =
        |x| image::Rgba([[137, 137, 137, 1], [255, 0, 0, 9], [0, 0, 255, 255]][x as usize]);
    image::RgbaImage::from_fn(3, 2, |x, _| colour(x))
        .save(&path)
        .unwrap();
    let read = import::image(&path).unwrap();
    assert_eq!(read.at(1, 0), 137.0);
    assert_eq!(read.at(0, 1), (255.0 * 0.2126_f64) as f32);
    assert_eq!(read.at(0, 2), (255.0 * 0.0722_f64) as f32);
    let line = |text: &str| fs::write(folder.path().join("y.pgm"), text).unwrap();
    line("P2\n3 1\n65535\n0 258 65535\n");
    let read = import::image(&folder.path().join("y.pgm")).unwrap();
    assert_eq!(read.as_slice(), [0.0, 258.0, 65535.0]);
}

#[test]
fn numpy_types_and_orders_are_read() {
    use npyz::{Order, WriterBuilder};
    let folder = folder();
    let path = folder.path().join("x.npy");
    let write = |order: Order, values: &[f64]| {
        let file = fs::File::create(&path).unwrap();
        let options = npyz::WriteOptions::new().default_dtype().order(order);
        let mut writer = options.shape(&[2, 3]).writer(file).begin_nd().unwrap();
        writer.extend(values.iter().copied()).unwrap();
        writer.finish().unwrap();
    };
    write(Order::C, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.5]);
    let expected = Grid::from_vec(2, 3, vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.5]).unwrap();
    assert_eq!(import::image(&path).unwrap(), expected);
    write(Order::Fortran, &[1.0, 4.0, 2.0, 5.0, 3.0, 6.5]);
    assert_eq!(import::image(&path).unwrap(), expected);
}

#[test]
fn heights_come_back_as_they_were() {
    let folder = folder();
    let map = generated(&scene(5).surface);
    for name in ["x.npy", "x.r32", "x.exr", "x.tif", "x.asc"] {
        let path = folder.path().join(name);
        export(&path, &scene(5), Options::default()).unwrap();
        assert_eq!(import::heights(&path).unwrap(), map, "{name}");
    }
}

#[test]
fn scenes_return_with_their_files_wherever_opened() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("sub")).unwrap();
    fs::write(at("sub/x.png"), png(2, 2, &[0, 1, 2, 3])).unwrap();
    fs::write(
        at("p.toml"),
        "stops = [{ at = 0.0, color = [0.0, 0.0, 0.0] }]",
    )
    .unwrap();
    let mut scene = scene(3);
    scene.surface.input = Some(at("sub/x.png"));
    scene.view.palette = at("p.toml").to_str().unwrap().to_owned();
    export::scene(&at("s.toml"), &scene).unwrap();
    let text = fs::read_to_string(at("s.toml")).unwrap();
    assert!(
        text.contains("input = \"sub/x.png\"") && text.contains("palette = \"p.toml\""),
        "{text}"
    );
    let opened = import::open(&at("s.toml")).unwrap();
    assert_eq!(opened, scene);
    let inputs = import::inputs(&opened).unwrap();
    assert_eq!(inputs.palette(&opened.view.palette).unwrap().name, "p");
    // Moved with its files it still opens; saved elsewhere it names them in full.
    export::scene(&at("sub/s.toml"), &scene).unwrap();
    assert_eq!(import::open(&at("sub/s.toml")).unwrap(), scene);
}

#[test]
fn presets_use_the_step_they_are_named_after() {
    let names: std::collections::BTreeSet<_> = presets().iter().map(|p| p.name).collect();
    assert_eq!(names.len(), presets().len(), "two of one name");
    for preset in presets() {
        let scene = preset.scene();
        match preset.group {
            import::Group::Landscapes => {}
            import::Group::Generators => assert_eq!(scene.surface.generator.name(), preset.name),
            import::Group::Modifiers => {
                let mut steps = scene.modifiers.iter().filter(|step| step.on);
                assert!(
                    steps.any(|step| step.kind.name() == preset.name),
                    "{}",
                    preset.name
                );
            }
        }
    }
}

#[test]
fn a_saved_preset_opens_the_same() {
    let folder = tempfile::tempdir().unwrap();
    for preset in presets() {
        let path = folder.path().join("saved.toml");
        export::scene(&path, &preset.scene()).unwrap();
        assert_eq!(
            import::open(&path).unwrap(),
            preset.scene(),
            "{}",
            preset.name
        );
    }
}

#[test]
fn presets_are_scenes() {
    assert!(presets().len() >= 8);
    for preset in presets() {
        let scene = preset.scene();
        assert!(import::inputs(&scene).is_ok(), "{}", preset.name);
        assert!(!preset.help.is_empty());
    }
    assert_eq!(import::start(), &presets()[0].scene());
    let quick = Preset::named("quick-start").unwrap().scene();
    assert_eq!((quick.surface.iterations, quick.view.tile), (4, 3));
    assert_eq!(quick.view.render_type, RenderType::Rendered);
    let martz = Preset::named("martz-1997").unwrap().scene();
    assert_eq!((martz.surface.seed, martz.surface.iterations), (0, 2));
    assert_eq!(martz.view.render_type, RenderType::Lines);
    assert_eq!(martz.view.palette, "martz");
    // The article's camera stands in front of the block, where solid render types show its side alone.
    assert!((quick.camera.eye().as_vec3() - glam::Vec3::new(0.0, 0.5, 3.0)).length() < 1e-5);
    assert!(martz.camera.pitch >= 30.0);
}

#[test]
fn free_names_count_up_without_hitting_files() {
    let folder = folder();
    let next = || export::free_name(folder.path(), "view", "png");
    assert_eq!(next(), folder.path().join("view-001.png"));
    fs::write(next(), b"").unwrap();
    fs::write(folder.path().join("view-002.png"), b"").unwrap();
    assert_eq!(next(), folder.path().join("view-003.png"));
}

#[test]
fn a_cancelled_export_leaves_nothing() {
    let folder = folder();
    let job = Job::new();
    job.cancel();
    for format in crate::common::written_formats() {
        let path = folder.path().join("x").with_extension(format.extension);
        let inputs = Inputs::default();
        let outcome = export::heightmap(&path, &scene(7), &inputs, Options::default(), &job);
        assert_eq!(outcome.unwrap_err().to_string(), "cancelled");
    }
    assert_eq!(names(folder.path()), [""; 0]);
}

#[cfg(unix)]
#[test]
fn links_stay_links_and_files_keep_their_mode() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder();
    let (file, link) = (folder.path().join("x.r32"), folder.path().join("link.r32"));
    fs::write(&file, b"old").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("x.r32", &link).unwrap();
    let (inputs, options) = (Inputs::default(), Options::default());
    let outputs = export::outputs(&[&link], &scene(2), &inputs, &options).unwrap();
    export::check_outputs(&outputs, &[], &|_| true).unwrap();
    export(&link, &scene(2), options).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    let metadata = fs::metadata(&file).unwrap();
    assert_eq!(metadata.len(), 100);
    assert_eq!(metadata.permissions().mode() & 0o777, 0o640);
}

#[test]
fn pictures_are_eight_bit_colour_with_their_scene() {
    let folder = folder();
    let path = folder.path().join("x.png");
    let pixels = Grid::from_vec(1, 2, vec![[1, 2, 3], [250, 251, 252]]).unwrap();
    let mut named = scene(3);
    for palette in ["grey", "grün.toml"] {
        named.view.palette = palette.to_owned();
        export::picture(&path, &pixels, &named).unwrap();
        let read = image::open(&path).unwrap();
        assert_eq!(read.as_rgb8().unwrap().as_raw(), &[1, 2, 3, 250, 251, 252]);
        // A file that it names is named in full, or from the picture's folder.
        let opened = import::open(&path).unwrap();
        assert_eq!(opened, export::portable(&named, &path).unwrap());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_surface_streams_what_it_generates(seed: u64, iterations in 1u32..7, h in 0.0f32..=1.0) {
        let folder = folder();
        let path = folder.path().join("x.npy");
        let surface = Surface { seed, iterations, hurst: h, ..Surface::default() };
        let map = generated(&surface);
        let scene = Scene { surface, ..Scene::default() };
        export(&path, &scene, Options::default()).unwrap();
        prop_assert_eq!(npy(&path).1, map.heights());
    }

    #[test]
    fn no_text_breaks_the_import(text in "\\PC*", name in "x\\.(toml|npy|png|r16|jpg|pgm|bmp|tif)") {
        let folder = folder();
        let path = folder.path().join(name);
        fs::write(&path, &text).unwrap();
        if let Err(error) = import::open(&path) {
            prop_assert!(!error.to_string().contains('\n'));
        }
    }
}

#[test]
fn files_hold_the_modified_ground_that_pictures_show() {
    use landform::modify::{Modifier, ModifierKind};
    use landform::pipeline::Pipeline;
    let mut scene = Scene::default();
    scene.surface.iterations = 6;
    let inputs = Inputs::default();
    let folder = folder();
    let path = folder.path().join("ground.npy");
    let mut saved = || {
        let options = export::Options::default();
        export::heightmap(&path, &scene, &inputs, options, &Job::new()).unwrap();
        let shown = Pipeline::default()
            .run(&scene, &inputs, &Job::new())
            .unwrap();
        let saved = import::heights(&path).unwrap();
        assert_eq!(saved.heights(), shown.heights.heights());
        scene.modifiers.push(Modifier::new(ModifierKind::Terrace));
        saved.heights().to_vec()
    };
    let (plain, terraced) = (saved(), saved());
    assert_ne!(plain, terraced);
}
