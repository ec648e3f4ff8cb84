//! Layers: maps laid over the ground.

use std::sync::Arc;

use landform::generate::{Generator, Images, Surface};
use landform::heightmap::Heightmap;
use landform::inputs::Inputs;
use landform::job::Job;
use landform::layer::{Layer, MOST_LAYERS, Operation};
use landform::modify::{Modifier, ModifierKind};
use landform::pipeline::{Pipeline, StageDone, heights};
use landform::scene::{PlantLayer, RenderType, Scene};

fn map(surface: &Surface) -> Heightmap {
    surface
        .generate(&Images::default(), &Job::new(), None)
        .unwrap()
}

fn made(scene: &Scene) -> Heightmap {
    heights(scene, &Inputs::default(), &Job::new()).unwrap()
}

fn surface(generator: Generator, iterations: u32, seed: u64) -> Surface {
    Surface {
        generator,
        iterations,
        seed,
        ..Surface::default()
    }
}

/// A diamond-square ground of 2^5 cells under one layer of Perlin noise.
fn scene(operation: Operation) -> Scene {
    let mut scene = Scene::default();
    scene.surface.iterations = 5;
    scene.layers.push(Layer {
        operation,
        weight: 0.5,
        from: -0.1,
        to: 0.2,
        surface: surface(Generator::Perlin, 8, 3),
        ..Layer::default()
    });
    scene
}

#[test]
fn each_operation_is_its_formula_at_every_sample() {
    let ground = map(&scene(Operation::Add).surface);
    let layer = map(&surface(Generator::Perlin, 5, 3));
    for operation in Operation::ALL {
        let together = made(&scene(*operation));
        assert!(together.wraps());
        for (index, h) in together.heights().iter().enumerate() {
            let (g, l) = (ground.heights()[index], layer.heights()[index]);
            let expected = match operation {
                Operation::Add => g + 0.5 * l,
                Operation::Multiply => g * (1.0 + 0.5 * (l - 1.0)),
                Operation::Max => g.max(0.5 * l),
                Operation::Min => g.min(0.5 * l),
                Operation::Blend => {
                    let t = ((g + 0.1) / 0.3).clamp(0.0, 1.0);
                    g + 0.5 * t * t * (3.0 - 2.0 * t) * (l - g)
                }
            };
            assert!((h - expected).abs() < 1e-6, "{operation}: {h}, {expected}");
        }
    }
}

#[test]
fn blend_keeps_land_below_and_layer_above() {
    let mut scene = scene(Operation::Blend);
    scene.layers[0].weight = 1.0;
    let ground = map(&scene.surface);
    let layer = map(&surface(Generator::Perlin, 5, 3));
    let together = made(&scene);
    for (index, h) in together.heights().iter().enumerate() {
        let g = ground.heights()[index];
        if g <= -0.1 {
            assert_eq!(*h, g);
        } else if g >= 0.2 {
            assert!((h - layer.heights()[index]).abs() < 1e-6);
        }
    }
}

#[test]
fn layers_that_do_nothing_change_no_bit() {
    let plain = map(&surface(Generator::DiamondSquare, 5, 0));
    let off = |layer: Layer| {
        let mut scene = scene(Operation::Add);
        scene.layers[0] = layer;
        made(&scene)
    };
    let layer = scene(Operation::Add).layers.remove(0);
    assert_eq!(
        off(Layer {
            on: false,
            ..layer.clone()
        }),
        plain
    );
    for operation in [Operation::Add, Operation::Multiply, Operation::Blend] {
        let nothing = Layer {
            weight: 0.0,
            operation,
            ..layer.clone()
        };
        assert_eq!(off(nothing), plain, "{operation}");
    }
}

#[test]
fn more_iterations_move_no_point() {
    for own_size in [false, true] {
        let mut coarse = scene(Operation::Add);
        coarse.layers[0].own_size = own_size;
        coarse.layers[0].surface.iterations = 3;
        coarse.layers[0].repeat = 3;
        let mut fine = coarse.clone();
        fine.surface.iterations = 7;
        let (coarse, fine) = (made(&coarse), made(&fine));
        for row in 0..coarse.rows() {
            for column in 0..coarse.columns() {
                assert_eq!(coarse.at(row, column), fine.at(4 * row, 4 * column));
            }
        }
    }
}

#[test]
fn coarser_layer_is_interpolated_smoothly_through_samples() {
    let mut scene = scene(Operation::Add);
    scene.surface.height_scale = 0.0;
    let layer = &mut scene.layers[0];
    (layer.weight, layer.own_size) = (1.0, true);
    layer.surface = surface(Generator::DiamondSquare, 2, 9);
    let coarse = map(&layer.surface);
    let fine = made(&scene);
    for row in 0..coarse.rows() {
        for column in 0..coarse.columns() {
            assert_eq!(coarse.at(row, column), fine.at(8 * row, 8 * column));
        }
    }
    // Across a sample of the layer, and across the border, the slope does not jump.
    for at in [0, 8, 16] {
        let side = |by| fine.neighbour(3, at, (0, by));
        let (before, after) = (side(0) - side(-1), side(1) - side(0));
        let bend = (after - before).abs();
        let inner = (0..32).map(|c| {
            let side = |by| fine.neighbour(3, c, (0, by));
            (side(1) - 2.0 * side(0) + side(-1)).abs()
        });
        assert!(bend <= inner.fold(0.0, f32::max) + 1e-6);
    }
}

#[test]
fn a_repeated_layer_is_periodic() {
    let mut scene = scene(Operation::Add);
    scene.surface.height_scale = 0.0;
    scene.layers[0].repeat = 4;
    let together = made(&scene);
    for row in 0..=24 {
        for column in 0..=24 {
            let h = together.at(row, column);
            assert_eq!(h, together.at(row + 8, column));
            assert_eq!(h, together.at(row, column + 8));
        }
    }
}

#[test]
fn layer_of_any_size_fits_any_land() {
    let image = |rows: usize, columns: usize| {
        let cells = (0..rows * columns).map(|i| (i % columns) as f32);
        landform::grid::Grid::from_vec(rows, columns, cells.collect()).unwrap()
    };
    let mut inputs = Inputs::default();
    for (name, rows, columns) in [("land", 7, 12), ("layer", 5, 3), ("tiny", 1, 2)] {
        inputs
            .images
            .insert(name.into(), std::sync::Arc::new(image(rows, columns)));
    }
    let native = |name: &str| {
        let mut surface = surface(Generator::Image, 8, 0);
        surface.input = Some(name.into());
        surface.image.size = landform::generate::image::Size::Native;
        (surface.input_low, surface.input_high) = (0.0, 1.0);
        surface
    };
    for layer in ["layer", "tiny"] {
        let mut scene = Scene {
            surface: native("land"),
            ..Scene::default()
        };
        scene.layers.push(Layer {
            surface: native(layer),
            ..Layer::default()
        });
        let map = heights(&scene, &inputs, &Job::new()).unwrap();
        assert_eq!((map.rows(), map.columns()), (7, 12));
        // Both rise from 0 at the west border to 1 at the east border.
        for row in 0..7 {
            assert!(map.at(row, 0).abs() < 1e-6);
            assert!((map.at(row, 11) - 2.0).abs() < 1e-6);
        }
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let mut scene = scene(Operation::Multiply);
    scene.layers[0].own_size = true;
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(|| made(&scene))
    };
    assert_eq!(with(1), with(3));
}

#[test]
fn unfitting_layers_are_refused_with_their_place() {
    let mut profile = scene(Operation::Add);
    profile.layers[0].surface.generator = Generator::Midpoint1d;
    let error = profile.validate().unwrap_err().to_string();
    assert!(error.contains("layers.0.surface.generator"), "{error}");

    let mut many = scene(Operation::Add);
    many.layers = vec![many.layers[0].clone(); MOST_LAYERS + 1];
    let error = many.validate().unwrap_err().to_string();
    assert_eq!(
        error,
        "layers is a list of 4; allowed: at most 3 over the ground"
    );

    let mut repeated = scene(Operation::Add);
    repeated.layers[0].repeat = 2;
    repeated.layers[0].surface.generator = Generator::Midpoint;
    let error = heights(&repeated, &Inputs::default(), &Job::new());
    let error = error.unwrap_err().to_string();
    assert!(error.starts_with("layers.0: repeat is 2"), "{error}");

    let mut band = scene(Operation::Blend);
    (band.layers[0].from, band.layers[0].to) = (0.5, 0.1);
    let error = band.validate().unwrap_err().to_string();
    assert!(error.starts_with("layers.0.from is 0.5"), "{error}");
}

#[test]
fn file_stores_only_non_default_layer_settings() {
    let mut scene = scene(Operation::Blend);
    scene.layers[0].surface.perlin.cells = 11;
    scene.layers.push(Layer::default());
    let text = scene.to_toml();
    assert!(text.contains("cells = 11"), "{text}");
    assert!(text.matches("diamond_square").count() == 1, "{text}");
    assert_eq!(Scene::parse(&text).unwrap(), scene);
}

#[test]
fn layers_are_set_one_key_at_a_time() {
    let scene = Scene::default()
        .with("layers.0.surface.generator", "hill")
        .and_then(|scene| scene.with("layers.0.surface.seed", "7"))
        .and_then(|scene| scene.with("layers.0.operation", "max"))
        .and_then(|scene| scene.with("layers.1.weight", "1"))
        .unwrap();
    assert_eq!(scene.layers.len(), 2);
    assert_eq!(scene.layers[0].surface.generator, Generator::Hill);
    assert_eq!(scene.layers[0].surface.seed, 7);
    assert_eq!(scene.layers[0].operation, Operation::Max);
    assert!(Scene::default().with("layers.3.weight", "1").is_err());
}

#[test]
fn change_recomputes_from_first_changed_stage() {
    let mut scene = scene(Operation::Add);
    scene.view.render_type = RenderType::Map;
    scene.modifiers.push(Modifier::new(ModifierKind::Invert));
    let mut pipeline = Pipeline::default();
    let mut run = |scene: &Scene| {
        let mut done = Vec::new();
        let inputs = Inputs::default();
        pipeline
            .run_observed(scene, &inputs, &Job::new(), &mut |stage| done.push(stage))
            .unwrap();
        done
    };
    use StageDone::{Layer as Laid, Modifier as Modified, Surface as Made};
    assert_eq!(run(&scene), [Made, Laid(0), Modified(0)]);
    assert_eq!(run(&scene), []);
    scene.layers[0].weight = 0.25;
    assert_eq!(run(&scene), [Laid(0), Modified(0)]);
    scene.modifiers[0].on = false;
    assert_eq!(run(&scene), []);
    scene.surface.seed = 1;
    assert_eq!(run(&scene), [Made, Laid(0)]);
}

#[test]
fn a_new_name_builds_nothing() {
    let mut scene = scene(Operation::Add);
    scene.view.render_type = RenderType::Landscape;
    scene.surface.tile_size_m = 500.0;
    scene.modifiers.push(Modifier::new(ModifierKind::Invert));
    scene.plants.push(PlantLayer::default());
    let (inputs, job) = (Inputs::default(), Job::new());
    let mut pipeline = Pipeline::default();
    let before = pipeline.run(&scene, &inputs, &job).unwrap();
    scene.layers[0].name = "dunes".to_owned();
    scene.modifiers[0].name = "upside down".to_owned();
    scene.plants[0].name = "old spruces".to_owned();
    let mut done = Vec::new();
    let after = (pipeline)
        .run_observed(&scene, &inputs, &job, &mut |stage| done.push(stage))
        .unwrap();
    assert_eq!(done, []);
    assert!(Arc::ptr_eq(&before.heights, &after.heights));
    let [plants, same] = [&before, &after].map(|made| made.plants.as_ref().unwrap());
    assert!(Arc::ptr_eq(plants, same));
    assert_eq!(after.scene, scene);
}

#[test]
fn window_matches_the_file_whatever_was_shown_before() {
    let mut pipeline = Pipeline::default();
    let mut check = |scene: &Scene| {
        let shown = pipeline
            .run(scene, &Inputs::default(), &Job::new())
            .unwrap();
        assert_eq!(*shown.heights, made(scene));
    };
    let mut scene = scene(Operation::Add);
    scene.view.render_type = RenderType::Map;
    scene.layers.push(Layer {
        operation: Operation::Max,
        surface: surface(Generator::Hill, 8, 4),
        ..Layer::default()
    });
    scene.modifiers.push(Modifier::new(ModifierKind::Invert));
    check(&scene);
    scene.layers[1].weight = 0.3;
    check(&scene);
    scene.layers[0].surface.perlin.cells = 9;
    check(&scene);
    scene.surface.iterations = 6;
    check(&scene);
    scene.layers.swap(0, 1);
    check(&scene);
    scene.layers[0].on = false;
    check(&scene);
    scene.layers.remove(0);
    check(&scene);
    scene.layers.clear();
    check(&scene);
}
