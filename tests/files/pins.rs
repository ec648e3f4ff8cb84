//! Pins: points that subdivision goes through exactly.

use std::path::Path;
use std::sync::Arc;

use crate::common::{fail_with, folder, generated, landform_with, npy};
use landform::fractal::Edges;
use landform::generate::pins::Pin;
use landform::generate::{Generator, Surface};
use landform::grid::Grid;
use landform::inputs::Inputs;
use landform::job::Job;
use landform::scene::Scene;

const GENERATORS: [Generator; 2] = [Generator::DiamondSquare, Generator::Midpoint];
const EDGES: [Edges; 2] = [Edges::Wrap, Edges::Free];

fn pin(x: f32, z: f32, height: f32) -> Pin {
    Pin { x, z, height }
}

fn surface(generator: Generator, edges: Edges, iterations: u32, pins: &[Pin]) -> Surface {
    let mut surface = Surface {
        generator,
        iterations,
        seed: 5,
        height_scale: 0.37,
        pins: pins.to_vec(),
        ..Surface::default()
    };
    surface.diamond_square.edges = edges;
    surface.midpoint.edges = edges;
    surface
}

/// Some in the middle, on borders and in a corner, none twice on a torus.
fn some() -> Vec<Pin> {
    vec![
        pin(0.0, 0.0, 1.25),
        pin(-1.0, 0.25, -0.7),
        pin(0.5, 1.0, 0.3),
        pin(1.0, 1.0, 2.1),
        pin(0.125, -0.625, -1.0e-3),
        pin(-0.3, 0.41, 17.0),
    ]
}

fn index(place: f32, cells: usize) -> usize {
    ((f64::from(place) + 1.0) / 2.0 * cells as f64).round() as usize
}

#[test]
fn maps_go_exactly_through_their_pins() {
    for generator in GENERATORS {
        for edges in EDGES {
            for level in [1, 4, 6] {
                // A coarse lattice takes the first only.
                let pins = if level == 1 {
                    some()[..1].to_vec()
                } else {
                    some()
                };
                for iterations in [level, 7] {
                    let mut surface = surface(generator, edges, iterations, &pins);
                    surface.pin_level = level;
                    let map = generated(&surface);
                    let stride = 1 << (iterations - level);
                    let last = map.rows() - 1;
                    for pin in &pins {
                        let at = |place| index(place, 1 << level) * stride;
                        let (row, column) = (at(pin.z), at(pin.x));
                        let height = pin.height * surface.height_scale;
                        assert_eq!(map.at(row, column), height, "{generator} {edges} {level}");
                        if edges == Edges::Wrap {
                            let across = |i: usize| if i == 0 || i == last { last - i } else { i };
                            assert_eq!(map.at(across(row), across(column)), height);
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn one_pin_in_the_middle_by_hand() {
    // Strength 0: nothing but means. The pin is the first diamond's middle.
    let mut surface = surface(
        Generator::DiamondSquare,
        Edges::Free,
        2,
        &[pin(0.0, 0.0, 8.0)],
    );
    surface.height_scale = 1.0;
    surface.diamond_square.strengths = vec![0.0; 2];
    surface.pin_level = 1;
    let third = 8.0 / 3.0_f32;
    let map = generated(&surface);
    let quarter = ((0.0 + third) + (third + 8.0)) * 0.25;
    assert_eq!(map.at(2, 2), 8.0);
    assert_eq!(map.at(0, 2), third);
    assert_eq!(map.at(1, 1), quarter);
    // On a finer lattice it is set in the same pass: the middle is the middle.
    surface.pin_level = 2;
    assert_eq!(generated(&surface), map);
}

#[test]
fn more_iterations_move_no_point() {
    for generator in GENERATORS {
        for edges in EDGES {
            let maps: Vec<_> = (1..=7)
                .map(|iterations| generated(&surface(generator, edges, iterations, &some())))
                .collect();
            for pair in maps.windows(2) {
                for row in 0..pair[0].rows() {
                    for column in 0..pair[0].columns() {
                        let (coarse, fine) = (&pair[0], &pair[1]);
                        assert_eq!(coarse.at(row, column), fine.at(2 * row, 2 * column));
                    }
                }
            }
        }
    }
}

#[test]
fn pins_between_lattice_points_have_no_effect() {
    for generator in GENERATORS {
        for edges in EDGES {
            let between = [pin(0.125, 0.0, 3.0)];
            let with = surface(generator, edges, 3, &between);
            assert_eq!(
                generated(&with),
                generated(&surface(generator, edges, 3, &[]))
            );
            assert!(with.pinned_places().is_empty());
            let with = surface(generator, edges, 4, &between);
            assert_ne!(
                generated(&with),
                generated(&surface(generator, edges, 4, &[]))
            );
            assert_eq!(with.pinned_places(), [[0.125, 0.0]]);
        }
    }
}

#[test]
fn pins_win_over_formula_and_image() {
    let mut inputs = Inputs::default();
    let brightness = (0..12 * 12).map(|i| ((i * 37) % 256) as f32).collect();
    let image = Grid::from_vec(12, 12, brightness).unwrap();
    inputs.images.insert("grey.png".into(), Arc::new(image));
    for generator in GENERATORS {
        for edges in EDGES {
            for (pin_level, input_level) in [(4, 2), (2, 4), (3, 3)] {
                for image in [false, true] {
                    let pins = [pin(0.5, -0.5, 4.0), pin(-1.0, 0.0, -4.0)];
                    let mut surface = surface(generator, edges, 5, &[]);
                    surface.pin_level = pin_level;
                    surface.diamond_square.input_level = input_level;
                    surface.midpoint.input_level = input_level;
                    match image {
                        true => surface.input = Some("grey.png".into()),
                        false => surface.input_formula = "0.3*x*x + z".to_owned(),
                    }
                    let make = |surface: &Surface| {
                        surface.generate(&inputs.images, &Job::new(), None).unwrap()
                    };
                    let plain = make(&surface);
                    surface.pins = pins.to_vec();
                    let pinned = make(&surface);
                    let scale = surface.height_scale;
                    assert_eq!(pinned.at(8, 24), 4.0 * scale);
                    assert_eq!(pinned.at(16, 0), -4.0 * scale);
                    let stride = 32 >> input_level;
                    for row in (0..33).step_by(stride) {
                        for column in (0..33).step_by(stride) {
                            let across = edges == Edges::Wrap && (row, column) == (16, 32);
                            if ![(8, 24), (16, 0)].contains(&(row, column)) && !across {
                                let at = (row, column);
                                assert_eq!(plain.at(row, column), pinned.at(row, column), "{at:?}");
                            }
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn other_generators_leave_pins_alone() {
    for &generator in Generator::ALL {
        if GENERATORS.contains(&generator) || generator == Generator::Image {
            continue;
        }
        let with = surface(generator, Edges::Wrap, 4, &some());
        let without = surface(generator, Edges::Wrap, 4, &[]);
        assert_eq!(generated(&with), generated(&without), "{generator}");
        assert!(with.pinned_places().is_empty());
    }
}

#[track_caller]
fn check_refused(surface: &Surface, words: &str) {
    let scene = Scene {
        surface: surface.clone(),
        ..Scene::default()
    };
    let error = scene.validate().unwrap_err().to_string();
    assert!(error.contains(words), "{error}");
    assert!(!error.contains('\n'));
}

#[test]
fn pins_off_the_map_or_coinciding_are_refused() {
    let with = |edges, pins: &[Pin]| surface(Generator::DiamondSquare, edges, 5, pins);
    let ok = pin(0.0, 0.0, 0.0);
    check_refused(
        &with(Edges::Free, &[ok, pin(0.5, 0.0, 0.0), pin(1.5, 0.0, 0.0)]),
        "surface.pins.2.x is 1.5; allowed: -1 to 1",
    );
    check_refused(
        &with(Edges::Free, &[pin(0.0, f32::NAN, 0.0)]),
        "surface.pins.0.z is NaN",
    );
    check_refused(
        &with(Edges::Free, &[pin(0.0, 0.0, 1000.5)]),
        "surface.pins.0.height is 1000.5; allowed: -1000 to 1000",
    );
    check_refused(
        &with(Edges::Free, &[ok, pin(0.5, 0.0, 0.0), pin(0.03, 0.02, 1.0)]),
        "surface.pins.2 is on the same point as surface.pins.0; allowed: one pin per point of the 16 × 16 cells",
    );
    let borders = [pin(-1.0, 0.0, 0.0), pin(1.0, 0.0, 1.0)];
    with(Edges::Free, &borders).check_pins().unwrap();
    check_refused(&with(Edges::Wrap, &borders), "opposite borders are one");
    let many: Vec<_> = (0..1001)
        .map(|i| pin((i % 40) as f32 / 64.0, (i / 40) as f32 / 64.0, 0.0))
        .collect();
    let mut surface = with(Edges::Wrap, &many);
    surface.pin_level = 7;
    check_refused(
        &surface,
        "surface.pins is 1001 pins; allowed: at most 1000 pins",
    );
    surface.pins.pop();
    surface.check_pins().unwrap();
    surface.iterations = 7;
    assert_eq!(generated(&surface).at(64, 64), 0.0);
}

#[test]
fn scene_files_and_set_have_pins() {
    let scene = Scene::default();
    assert!(!scene.to_toml().contains("pins"));
    let scene = scene
        .with("surface.pins.0.x", "0.5")
        .and_then(|scene| scene.with("surface.pins.0.height", "2"))
        .and_then(|scene| scene.with("surface.pins.1", "{ x = -0.5, z = 0.25, height = -1 }"))
        .and_then(|scene| scene.with("surface.pin-level", "5"))
        .unwrap();
    assert_eq!(
        scene.surface.pins,
        [pin(0.5, 0.0, 2.0), pin(-0.5, 0.25, -1.0)]
    );
    assert_eq!(Scene::parse(&scene.to_toml()).unwrap(), scene);
    let none = scene.with("surface.pins", "[]").unwrap();
    assert!(none.surface.pins.is_empty());
    for (key, value) in [
        ("surface.pins.3.x", "0"),
        ("surface.pins.0.y", "0"),
        ("surface.pins.0.x", "2"),
        ("surface.pins.2.x", "0.51"),
    ] {
        let error = scene.with(key, value).unwrap_err().to_string();
        assert!(!error.contains('\n'), "{error}");
    }
    let text = "[surface]\npin_level = 3\npins = [{ x = 1, height = 0.25 }]\n";
    assert_eq!(
        Scene::parse(text).unwrap().surface.pins,
        [pin(1.0, 0.0, 0.25)]
    );
}

fn render(folder: &Path, arguments: &str) -> image::RgbImage {
    let words = format!("render --size 480x480 --no-antialias --iterations 5 {arguments} -o a.png");
    let output = landform_with(folder, words.split_whitespace());
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    image::open(folder.join("a.png")).unwrap().into_rgb8()
}

#[test]
fn pins_and_seeds_are_dots_in_the_picture() {
    let folder = folder();
    let count = |arguments: &str, color: [u8; 3]| {
        let picture = render(folder.path(), arguments);
        picture.pixels().filter(|pixel| pixel.0 == color).count()
    };
    let (pin, seed) = ([242, 56, 87], [92, 173, 255]);
    let pins = "--set surface.pins.0.height=0.5";
    for render_type in ["map", "lines", "triangles"] {
        let arguments = format!("--type {render_type}");
        assert_eq!(count(&arguments, pin), 0);
        assert!(
            count(&format!("{arguments} {pins}"), pin) > 8,
            "{render_type}"
        );
        let pass = format!("{arguments} --set surface.input_formula=x --set view.pass=2");
        assert!(count(&pass, seed) > 8 * 9, "{render_type}");
    }
    assert_eq!(count(&format!("--type teximage {pins}"), pin), 0);
    let perlin = format!("--type map --generator perlin {pins}");
    assert_eq!(count(&perlin, pin), 0);
}

#[test]
fn the_command_line_takes_pins() {
    let folder = folder();
    let words = "generate --iterations 4 --height-scale 0.5 --set surface.pins.0.x=0.25 \
                 --set surface.pins.0.height=3 -o a.npy";
    let output = landform_with(folder.path(), words.split_whitespace());
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let (_, heights) = npy(&folder.path().join("a.npy"));
    assert_eq!(heights[8 * 17 + 10], 1.5);
    let wrong = "generate --set surface.pins.0.x=1.5 -o b.npy";
    let words = ["surface.pins.0.x is 1.5; allowed: -1 to 1"];
    fail_with(folder.path(), wrong.split(' '), 2, &words);
}
