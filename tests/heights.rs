//! No height that is no number, or that no file could take, is made, and none leaves the program.

mod common;

use std::fs;

use common::*;
use landform::export::{self, FORMATS, Options};
use landform::generate::{Generator, Inputs};
use landform::grid::Grid;
use landform::heightmap::{Heightmap, MOST_HEIGHT};
use landform::import;
use landform::job::Job;
use landform::maps::MAPS;
use landform::modify::{Modifier, ModifierKind};
use landform::param::{Field, Params};
use landform::pipeline;
use landform::scene::Scene;

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
fn what_is_too_high_is_refused_and_nothing_is_written() {
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
            for format in FORMATS {
                let arguments = format!(
                    "generate --generator formula --iterations 4 --height-scale 1 \
                     --set surface.formula.expression={formula} {more} --format {} -o x.{}",
                    format.name, format.extension
                );
                fail(
                    folder.path(),
                    &arguments,
                    1,
                    &["allowed is a finite height, up to ±1e12"],
                );
            }
        }
    }
}

#[test]
fn the_highest_map_is_written_and_read_again_in_every_format() {
    let folder = folder();
    let mut scene = of_formula("1e12*x");
    for size in [1.0, 2345.6, 1e9] {
        scene.surface.tile_size_m = size;
        let map = pipeline::heights(&scene, &Inputs::default(), &Job::new()).unwrap();
        assert_eq!(map.range(), (-MOST_HEIGHT, MOST_HEIGHT));
        for format in FORMATS {
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
            if !format.mesh {
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

/// One step more than is allowed is refused on the way in as well.
#[test]
fn what_is_too_high_is_not_read() {
    let folder = folder();
    let path = folder.path().join("x.r32");
    let write = |value: f32| {
        let bytes: Vec<u8> = [0.0, 1.0, 2.0, value]
            .iter()
            .flat_map(|v| v.to_le_bytes())
            .collect();
        fs::write(&path, bytes).unwrap();
        import::samples(&path)
    };
    assert!(write(MOST_HEIGHT).is_ok());
    for value in [1.01e12, -1.01e12, 1e30, f32::INFINITY, f32::NEG_INFINITY] {
        let error = write(value).unwrap_err().to_string();
        assert!(
            error.contains("allowed are numbers up to 1e12"),
            "{value}: {error}"
        );
    }
    assert_eq!(write(f32::NAN).unwrap().filled, 1);
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
fn no_generator_under_any_modifier_makes_what_is_no_number() {
    struct Ends(bool);
    impl landform::generate::OptionsVisitor for Ends {
        fn visit<T: Params>(&mut self, options: &mut T) {
            to_the_end(options, self.0);
        }
    }
    let mut inputs = Inputs::default();
    let image = Grid::from_vec(
        3,
        3,
        vec![-1e12, 0.0, 1e12, 1.0, 2.0, 3.0, 1e-12, -1.0, 5e11],
    );
    inputs.insert("x.npy".into(), std::sync::Arc::new(image.unwrap()));
    let (mut made, mut refused) = (0, 0);
    let ends = [(true, true), (true, false), (false, true), (false, false)];
    for generator in Generator::ALL {
        for kind in ModifierKind::ALL {
            for (highest, of_modifier) in ends {
                let mut scene = Scene::default();
                to_the_end(&mut scene.surface, highest);
                scene.surface.generator = *generator;
                scene.surface.iterations = 4;
                scene.surface.visit_options(&mut Ends(highest));
                scene.surface.formula = Default::default();
                scene.surface.formula.expression = "1e12*x".to_owned();
                scene.surface.input = Some("x.npy".into());
                let mut modifier = Modifier::new(*kind);
                modifier.visit_options(&mut Ends(of_modifier));
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
