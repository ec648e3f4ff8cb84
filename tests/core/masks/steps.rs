//! Layers and modifiers under masks, in the pipeline.

use super::*;

#[test]
fn layers_lie_where_their_masks_say() {
    let (job, inputs) = (Job::new(), inputs());
    for by in kinds() {
        let mut scene = small_scene();
        let ground = pipeline::heights(&scene, &inputs, &job).unwrap();
        scene.layers = vec![Layer {
            operation: Operation::Add,
            surface: landform::generate::Surface {
                generator: Generator::Hill,
                ..Default::default()
            },
            ..Layer::default()
        }];
        let alone = pipeline::heights(&scene, &inputs, &job).unwrap();
        scene.layers[0].mask = Mask::new(by);
        let masked = pipeline::heights(&scene, &inputs, &job).unwrap();
        let context = Context {
            seed: scene.surface.seed,
            water: scene.water_level(),
            images: &inputs.images,
            ..Context::new(0, &job)
        };
        let weights = scene.layers[0].mask.weights(&ground, &context).unwrap();
        for (index, weight) in weights.heights().iter().enumerate() {
            let (before, after) = (ground.heights()[index], alone.heights()[index]);
            let wanted = before + weight * (after - before);
            assert!((masked.heights()[index] - wanted).abs() < 1.0e-5, "{by}");
        }
        // The window's pipeline makes the same, and so does the second of two.
        let shown = Pipeline::default().run(&scene, &inputs, &job).unwrap();
        assert_eq!(*shown.heights, masked, "{by}");
        scene.layers.push(scene.layers[0].clone());
        scene.modifiers = vec![limited(&Mask::new(by)), limited(&Mask::new(by))];
        let shown = Pipeline::default().run(&scene, &inputs, &job).unwrap();
        let whole = pipeline::heights(&scene, &inputs, &job).unwrap();
        assert_eq!(*shown.heights, whole, "{by}");
    }
}

#[test]
fn water_reruns_only_steps_that_depend_on_it() {
    let (job, inputs) = (Job::new(), inputs());
    let mut pipeline = Pipeline::default();
    let mut run = |scene: &Scene| {
        let mut made = Vec::new();
        let mut observe = |stage| {
            if matches!(stage, StageDone::Layer(_) | StageDone::Modifier(_)) {
                made.push(stage);
            }
        };
        let landscape = pipeline.run_observed(scene, &inputs, &job, &mut observe);
        let heights = landscape.unwrap().heights;
        assert_eq!(*heights, pipeline::heights(scene, &inputs, &job).unwrap());
        made
    };
    let mut scene = small_scene();
    scene.layers = vec![Layer::default()];
    scene.modifiers = [By::Slope, By::WaterDistance, By::None]
        .map(|by| limited(&Mask::new(by)))
        .to_vec();
    let all = [
        StageDone::Layer(0),
        StageDone::Modifier(0),
        StageDone::Modifier(1),
        StageDone::Modifier(2),
    ];
    assert_eq!(run(&scene), all);
    scene.water.level = 0.1;
    assert_eq!(run(&scene), all[2..]);
    scene.layers[0].mask = Mask::new(By::WaterDistance);
    assert_eq!(run(&scene), all);
    scene.water.level = 0.2;
    assert_eq!(run(&scene), all);
    scene.water.clarity += 0.1;
    assert_eq!(run(&scene), []);
}
