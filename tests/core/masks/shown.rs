//! The weights of a mask as pictures show them.

use super::*;

use landform::scene::PlantLayer;

/// A scene with three layers and three modifiers; those under test are the second of each.
fn steps() -> Scene {
    let mut scene = Scene::default();
    scene.surface.iterations = 6;
    scene.water.enabled = true;
    let layer = |seed: u64| {
        let mut layer = Layer {
            weight: 0.3,
            ..Layer::default()
        };
        layer.surface.seed = seed;
        layer
    };
    scene.layers = vec![layer(3), layer(4), layer(5)];
    let kinds = [
        ModifierKind::Terrace,
        ModifierKind::Level,
        ModifierKind::Invert,
    ];
    scene.modifiers = kinds.map(Modifier::new).to_vec();
    scene.modifiers[1].level.shift = 0.25;
    scene
}

fn inputs() -> Inputs {
    let mut inputs = Inputs::default();
    inputs.images = images();
    inputs
}

fn shown(pipeline: &mut Pipeline, scene: &Scene, of: MaskOf) -> Option<Arc<TileBytes>> {
    pipeline.mask(scene, &inputs(), of, &Job::new()).unwrap()
}

fn made(scene: &Scene) -> Heightmap {
    pipeline::heights(scene, &inputs(), &Job::new()).unwrap()
}

/// Checks weights against what a step made of the land: `before` without the step, `full` without
/// its mask, `after` with both.
fn check(weights: &TileBytes, [before, full, after]: [&Heightmap; 3], what: &str) {
    let (rows, columns) = (weights.values.rows(), weights.values.columns());
    assert!(weights.wraps);
    assert_eq!((rows, columns), (before.rows() - 1, before.columns() - 1));
    assert_eq!(weights.span, [columns as f32, rows as f32]);
    let mut told = 0;
    for row in 0..rows {
        for column in 0..columns {
            let [before, full, after] = [before, full, after].map(|map| map.at(row, column));
            // Where the step does next to nothing, its weight cannot be told.
            if (full - before).abs() < 0.05 {
                continue;
            }
            let used = (after - before) / (full - before);
            let shown = f32::from(weights.values.at(row, column)) / 255.0;
            assert!((used - shown).abs() < 0.004, "{what}: {used} {shown}");
            told += 1;
        }
    }
    assert!(told > 100, "{what}: {told} samples");
}

#[test]
fn shown_modifier_weights_are_those_it_used() {
    for by in kinds() {
        let mut scene = steps();
        scene.modifiers.truncate(2);
        scene.modifiers[1].mask = Mask::new(by);
        let [mut without, mut everywhere] = [scene.clone(), scene.clone()];
        without.modifiers[1].on = false;
        everywhere.modifiers[1].mask = Mask::default();
        let maps = [&without, &everywhere, &scene].map(made);
        // What comes later changes nothing.
        scene.modifiers.push(Modifier::new(ModifierKind::Invert));
        let pipeline = &mut Pipeline::default();
        for after_a_run in [false, true] {
            let weights = shown(pipeline, &scene, MaskOf::Modifier(1)).unwrap();
            check(&weights, maps.each_ref(), &format!("{by} {after_a_run}"));
            *pipeline = Pipeline::default();
            pipeline.run(&scene, &inputs(), &Job::new()).unwrap();
        }
    }
}

#[test]
fn shown_layer_weights_are_those_it_used() {
    for by in kinds() {
        let mut scene = steps();
        scene.modifiers.clear();
        scene.layers.truncate(2);
        scene.layers[1].mask = Mask::new(by);
        let [mut without, mut everywhere] = [scene.clone(), scene.clone()];
        without.layers[1].on = false;
        everywhere.layers[1].mask = Mask::default();
        let maps = [&without, &everywhere, &scene].map(made);
        scene.layers.push(steps().layers.remove(2));
        scene.modifiers = steps().modifiers;
        let pipeline = &mut Pipeline::default();
        for after_a_run in [false, true] {
            let weights = shown(pipeline, &scene, MaskOf::Layer(1)).unwrap();
            check(&weights, maps.each_ref(), &format!("{by} {after_a_run}"));
            *pipeline = Pipeline::default();
            pipeline.run(&scene, &inputs(), &Job::new()).unwrap();
        }
    }
}

#[test]
fn weights_are_made_once_and_leave_landscape_intact() {
    let mut scene = steps();
    scene.modifiers[1].mask = Mask::new(By::Slope);
    let pipeline = &mut Pipeline::default();
    let before = pipeline.run(&scene, &inputs(), &Job::new()).unwrap();
    let first = shown(pipeline, &scene, MaskOf::Modifier(1)).unwrap();
    // What comes after the step is another landscape, but the same weights.
    let mut later = scene.clone();
    later.modifiers[2].on = false;
    let second = shown(pipeline, &later, MaskOf::Modifier(1)).unwrap();
    assert!(Arc::ptr_eq(&first, &second));
    let mut done = Vec::new();
    let after = pipeline
        .run_observed(&scene, &inputs(), &Job::new(), &mut |stage| {
            done.push(stage);
        })
        .unwrap();
    assert!(Arc::ptr_eq(&before.heights, &after.heights));
    assert_eq!(done, []);
    scene.modifiers[1].mask.slope.low += 1.0;
    let third = shown(pipeline, &scene, MaskOf::Modifier(1)).unwrap();
    assert_ne!(first, third);
}

#[test]
fn inactive_mask_is_not_shown() {
    let with = |change: fn(&mut Scene)| {
        let mut scene = steps();
        scene.modifiers[1].mask = Mask::new(By::Slope);
        change(&mut scene);
        shown(&mut Pipeline::default(), &scene, MaskOf::Modifier(1))
    };
    assert!(with(|_| ()).is_some());
    assert_eq!(with(|scene| scene.modifiers[1].on = false), None);
    assert_eq!(with(|scene| scene.modifiers[1].mask.by = By::None), None);
    assert_eq!(with(|scene| scene.modifiers.truncate(1)), None);
    assert_eq!(with(|scene| scene.view.pass = Some(2.0)), None);
    let as_a_profile = |scene: &mut Scene| scene.view.render_type = RenderType::Ridge;
    assert_eq!(with(as_a_profile), None);
    let of_no_layer = MaskOf::Layer(7);
    assert_eq!(shown(&mut Pipeline::default(), &steps(), of_no_layer), None);
}

#[test]
fn missing_mask_input_is_named_by_its_key() {
    let mut scene = steps();
    scene.water.enabled = false;
    let shore = Mask::new(By::WaterDistance);
    scene.plants = vec![PlantLayer::default()];
    for of in [MaskOf::Layer(1), MaskOf::Modifier(1), MaskOf::Plants(0)] {
        let mut scene = scene.clone();
        let key = match of {
            MaskOf::Layer(index) => {
                scene.layers[index].mask = shore.clone();
                "layers.1: mask.by"
            }
            MaskOf::Modifier(index) => {
                scene.modifiers[index].mask = shore.clone();
                "modifiers.1.mask.by"
            }
            MaskOf::Plants(index) => {
                scene.plants[index].mask = shore.clone();
                "plants.0.mask.by"
            }
        };
        let error = Pipeline::default().mask(&scene, &inputs(), of, &Job::new());
        let error = error.unwrap_err().to_string();
        assert!(error.contains(key), "{error}");
    }
}

#[test]
fn weights_of_large_maps_are_thinned() {
    let mut scene = Scene::default();
    scene.surface.iterations = 12;
    scene.modifiers = vec![Modifier::new(ModifierKind::Level)];
    scene.modifiers[0].mask = Mask::new(By::Height);
    let large = shown(&mut Pipeline::default(), &scene, MaskOf::Modifier(0)).unwrap();
    assert!(large.values.rows() <= MOST_BYTES);
    // The samples that a coarser map shares are the same, and so are their weights.
    scene.surface.iterations = 11;
    let small = shown(&mut Pipeline::default(), &scene, MaskOf::Modifier(0)).unwrap();
    assert_eq!(large.values, small.values);
}
