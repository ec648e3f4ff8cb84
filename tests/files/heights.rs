//! No height that is no number, or that no file could take, is made, and none leaves the program.

use std::fs;
use std::io::{Cursor, Write};

use crate::common::*;
use landform::export::{self, Options};
use landform::generate::formula::{self, Meaning};
use landform::generate::pins::Pin;
use landform::generate::{Generator, Surface};
use landform::grid::Grid;
use landform::heightmap::{Heightmap, MOST_HEIGHT};
use landform::inputs::Inputs;
use landform::job::Job;
use landform::layer::{Layer, Operation};
use landform::maps::MAPS;
use landform::modify::{Modifier, ModifierKind};
use landform::param::{Field, PairVisitor, Params, Tables};
use landform::scene::Scene;
use landform::{import, pipeline};

/// A formula in place of the ground.
fn of_formula(text: &str) -> Scene {
    let mut scene = Scene::default();
    scene.surface.generator = Generator::Formula;
    scene.surface.iterations = 4;
    scene.surface.height_scale = 1.0;
    scene.surface.formula.wrap = false;
    scene.surface.formula.expression = text.to_owned();
    scene
}

#[test]
fn excessive_heights_are_refused_and_nothing_is_written() {
    let folder = folder();
    for formula in [
        "2e38*sign(x)",
        "1e37*x",
        "1e38*x*z",
        "-1e12*x-1e8*sign(x)",
        "1e300*x",
    ] {
        for more in [
            "",
            "--set modifiers.0.kind=normalize",
            "--set layers.0.weight=100",
        ] {
            for format in crate::common::written_formats() {
                let arguments = format!(
                    "generate --generator formula --iterations 4 --height-scale 1 \
                     --set surface.formula.expression={formula} {more} --format {} -o x.{}",
                    format.name, format.extension
                );
                fail(
                    folder.path(),
                    &arguments,
                    1,
                    &["allowed: a finite height, up to ±1e12"],
                );
            }
        }
    }
}

#[test]
fn highest_map_round_trips_in_every_format() {
    let folder = folder();
    let mut scene = of_formula("1e12*x");
    for size in [1.0, 2345.6, 1e9] {
        scene.surface.tile_size_m = size;
        let map = pipeline::heights(&scene, &Inputs::default(), &Job::new()).unwrap();
        assert_eq!(map.range(), (-MOST_HEIGHT, MOST_HEIGHT));
        for format in crate::common::written_formats() {
            let path = folder
                .path()
                .join(format!("{}.{}", format.name, format.extension));
            let options = Options {
                format: Some(format),
                ..Options::default()
            };
            let inputs = Inputs::default();
            export::heightmap(&path, &scene, &inputs, options, &Job::new())
                .unwrap_or_else(|error| panic!("{}: {error}", format.name));
            assert_eq!(import::open(&path).unwrap(), scene, "{}", format.name);
            if !format.is_mesh() {
                let read = import::samples(&path);
                let read = read.unwrap_or_else(|error| panic!("{} {size}: {error}", format.name));
                let values = read.grid.as_slice();
                assert!(
                    values.iter().all(|value| value.is_finite()),
                    "{}",
                    format.name
                );
            }
            check_floats(&fs::read(&path).unwrap(), format.name);
        }
    }
}

/// The numbers of a mesh or of bare floats.
fn check_floats(bytes: &[u8], name: &str) {
    let start = match name {
        "stl" => 84,
        "r32" => 0,
        _ => return,
    };
    let each = if name == "stl" { 50 } else { 4 };
    for record in bytes[start..].chunks_exact(each) {
        for number in record.as_chunks::<4>().0 {
            let number = f32::from_le_bytes(*number);
            assert!(number.is_finite(), "{name}: {number}");
        }
    }
}

/// Four numbers in a file of every ending that maps may have; of those that hold whole numbers
/// there is none.
fn file_of(extension: &str, values: [f32; 4]) -> Option<Vec<u8>> {
    let bare = || values.map(f32::to_le_bytes).concat();
    Some(match extension {
        "r32" | "f32" => bare(),
        "asc" => {
            let [a, b, c, d] = values;
            format!("ncols 2\nnrows 2\ncellsize 2\n{a} {b}\n{c} {d}\n").into_bytes()
        }
        "npy" => {
            let head = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }";
            let head = format!("{head:117}\n");
            let start = b"\x93NUMPY\x01\x00\x76\x00";
            [start, head.as_bytes(), &bare()].concat()
        }
        "tif" | "tiff" => {
            let mut bytes = Cursor::new(Vec::new());
            let mut encoder = tiff::encoder::TiffEncoder::new(&mut bytes).unwrap();
            type Float = tiff::encoder::colortype::Gray32Float;
            encoder.write_image::<Float>(2, 2, &values).unwrap();
            bytes.into_inner()
        }
        "exr" => {
            use exr::prelude::*;
            let mut bytes = Cursor::new(Vec::new());
            let channels = SpecificChannels::build().with_channel::<f32>("Z");
            let channels = channels.with_pixel_fn(|at: Vec2<usize>| (values[at.1 * 2 + at.0],));
            let image = Image::from_channels((2, 2), channels);
            image.write().to_buffered(&mut bytes).unwrap();
            bytes.into_inner()
        }
        "zip" => {
            let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
            let options = zip::write::SimpleFileOptions::default();
            archive.start_file("x.r32", options).unwrap();
            archive.write_all(&bare()).unwrap();
            archive.finish().unwrap().into_inner()
        }
        "png" | "jpg" | "jpeg" | "bmp" | "pgm" | "ppm" | "pbm" | "pnm" | "pam" | "r16" | "raw"
        | "u16" | "hgt" => {
            return None;
        }
        "gz" => {
            // What it holds is told by its name, which bytes in memory have not.
            return None;
        }
        // GDAL reads them.
        other if import::is_read_by_gdal(other) => {
            return None;
        }
        other => panic!("a file of numbers in `.{other}` is to be made here"),
    })
}

/// One step more than is allowed is refused on the way in as well, in every format.
#[test]
fn what_is_too_high_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let mut formats = 0;
    for extension in import::map_extensions() {
        let read = |value: f32| {
            let bytes = file_of(extension, [0.0, 1.0, 2.0, value])?;
            let path = folder.path().join(format!("x.{extension}"));
            std::fs::write(&path, bytes).unwrap();
            Some(import::samples(&path).map_err(|error| error.to_string()))
        };
        let Some(allowed) = read(MOST_HEIGHT) else {
            continue;
        };
        formats += 1;
        assert!(allowed.is_ok(), "{extension}: {:?}", allowed.err());
        for value in [
            1.01e12,
            -1.01e12,
            1e38,
            -1e38,
            f32::INFINITY,
            f32::NEG_INFINITY,
        ] {
            let error = read(value).unwrap().unwrap_err();
            let words = [
                "allowed: numbers up to 1e12",
                "`inf` is not a number",
                "`-inf` is not a number",
            ];
            let is_said = words.iter().any(|words| error.contains(words));
            assert!(is_said, "{extension}, {value}: {error}");
        }
        let holed = read(f32::NAN).unwrap().unwrap();
        assert_eq!(holed.filled, 1, "{extension}");
        let values = holed.grid.as_slice();
        assert!(values.iter().all(|value| value.is_finite()), "{extension}");
    }
    assert!(formats >= 6, "{formats}");
}

/// Every name that formulas know, of numbers that are none, too large, or too small.
#[test]
fn no_formula_makes_what_is_no_number() {
    let wild = ["1/(x-x)", "0/(x-x)", "1e300*x", "-1e300*x", "1e-300*x", "x"];
    let (mut made, mut refused) = (0, 0);
    let mut check = |formula: String| {
        let scene = of_formula(&formula);
        match pipeline::heights(&scene, &Inputs::default(), &Job::new()) {
            Ok(map) => {
                made += 1;
                check_map(&map, &formula);
            }
            Err(error) => {
                refused += 1;
                assert!(error.to_string().contains("finite"), "{formula}: {error}");
            }
        }
    };
    for entry in formula::NAMES {
        let name = entry.name;
        match entry.meaning {
            Meaning::Variable | Meaning::Constant(_) => check(format!("{name}/(x-x)")),
            Meaning::One(_) => wild.iter().for_each(|of| check(format!("{name}({of})"))),
            Meaning::Two(_) => {
                for (a, b) in wild.iter().flat_map(|a| wild.iter().map(move |b| (a, b))) {
                    check(format!("{name}({a}, {b})"));
                }
            }
        }
    }
    assert!(made > 40 && refused > 40, "{made} made, {refused} refused");
}

/// Layers and pins at the ends of their settings.
#[test]
fn layers_and_pins_keep_heights_finite() {
    let (mut made, mut refused) = (0, 0);
    let mut check = |scene: &Scene, what: String| match pipeline::heights(
        scene,
        &Inputs::default(),
        &Job::new(),
    ) {
        Ok(map) => {
            made += 1;
            check_map(&map, &what);
        }
        Err(error) => {
            refused += 1;
            assert!(error.to_string().contains("finite"), "{what}: {error}");
        }
    };
    for operation in Operation::ALL {
        for highest in [true, false] {
            for ground in ["1e12*x", "-1e12", "0*x", "x"] {
                let mut layer = Layer::default();
                to_the_end(&mut layer, highest);
                layer.operation = *operation;
                layer.surface = of_formula("1e12*sign(z)").surface;
                layer.repeat = 1;
                layer.own_size = false;
                let mut scene = of_formula(ground);
                scene.layers = vec![layer.clone(), layer.clone(), layer];
                check(&scene, format!("{operation} {highest} {ground}"));
            }
        }
    }
    for generator in Generator::ALL {
        for highest in [true, false] {
            let mut scene = Scene::default();
            scene.surface.generator = *generator;
            scene.surface.iterations = 4;
            scene.surface.height_scale = 1000.0;
            let mut pin = Pin::default();
            to_the_end(&mut pin, highest);
            scene.surface.pins = vec![
                pin,
                Pin {
                    x: 0.0,
                    z: 0.0,
                    ..pin
                },
            ];
            if scene.validate().is_ok() && *generator != Generator::Image {
                check(&scene, format!("{generator} {highest}"));
            }
        }
    }
    assert!(made > 15 && refused > 5, "{made} made, {refused} refused");
}

/// Every setting of a table at its lowest, or at its highest.
fn to_the_end<T: Params>(options: &mut T, highest: bool) {
    for param in T::PARAMS {
        match param.field {
            Field::Float { set, min, max, .. } => set(options, if highest { max } else { min }),
            Field::Int { set, min, max, .. } => set(options, if highest { max } else { min }),
            Field::Switch { set, .. } => set(options, highest),
            Field::Choice { set, names, .. } => {
                set(options, if highest { names.len() - 1 } else { 0 });
            }
            Field::Seed { .. } | Field::Text { .. } => {}
        }
    }
}

/// Every generator under every modifier, all settings at one of their ends, makes a map that is
/// allowed or says that it does not; no map of numbers that is made of it holds anything else.
#[test]
fn generators_under_any_modifier_keep_heights_finite() {
    struct Ends(bool);
    impl PairVisitor for Ends {
        fn visit<T: Params>(&mut self, options: &mut T, _: &T) {
            to_the_end(options, self.0);
        }
    }
    let mut inputs = Inputs::default();
    let image = Grid::from_vec(
        3,
        3,
        vec![-1e12, 0.0, 1e12, 1.0, 2.0, 3.0, 1e-12, -1.0, 5e11],
    );
    inputs
        .images
        .insert("x.npy".into(), std::sync::Arc::new(image.unwrap()));
    let (mut made, mut refused) = (0, 0);
    let ends = [(true, true), (true, false), (false, true), (false, false)];
    for generator in Generator::ALL {
        for kind in ModifierKind::ALL {
            for (highest, of_modifier) in ends {
                let mut scene = Scene::default();
                to_the_end(&mut scene.surface, highest);
                scene.surface.generator = *generator;
                scene.surface.iterations = 4;
                let (key, default) = (generator.key(), Surface::default());
                (scene.surface).visit_pair(&default, key, &mut Ends(highest));
                scene.surface.formula = Default::default();
                scene.surface.formula.expression = "1e12*x".to_owned();
                scene.surface.input = Some("x.npy".into());
                let mut modifier = Modifier::new(*kind);
                let default = modifier.clone();
                modifier.visit_pair(&default, kind.key(), &mut Ends(of_modifier));
                scene.modifiers = vec![modifier.clone(), modifier];
                let what = format!("{generator} {kind} {highest} {of_modifier}");
                match pipeline::heights(&scene, &inputs, &Job::new()) {
                    Ok(map) => {
                        made += 1;
                        check_map(&map, &what);
                    }
                    Err(error) => {
                        refused += 1;
                        assert!(!error.to_string().is_empty());
                    }
                }
            }
        }
    }
    assert!(
        made > refused && made > 200,
        "{made} made, {refused} refused"
    );
}

fn check_map(map: &Heightmap, what: &str) {
    for height in map.heights() {
        assert!(height.abs() <= MOST_HEIGHT, "{what}: {height}");
    }
}

/// Maps of numbers of the highest map hold numbers.
#[test]
fn maps_of_the_highest_map_hold_numbers() {
    let folder = folder();
    let scene = of_formula("1e12*sign(x)*sign(z)");
    for map in MAPS
        .iter()
        .filter(|map| map.is_scalar() && map.is_of_the_ground())
    {
        let path = folder.path().join(format!("{}.npy", map.name));
        let options = Options {
            map: Some(map),
            ..Options::default()
        };
        match export::heightmap(&path, &scene, &Inputs::default(), options, &Job::new()) {
            Ok(_) => {
                let (_, numbers) = npy(&path);
                assert!(
                    numbers.iter().all(|number| number.is_finite()),
                    "{}",
                    map.name
                );
            }
            Err(error) => {
                assert!(
                    error.to_string().contains("finite"),
                    "{}: {error}",
                    map.name
                );
                assert!(!path.exists());
            }
        }
    }
}
