//! Lists of modifiers in the pipeline.

use super::*;

fn on_threads(threads: usize, work: impl FnOnce() -> Heightmap + Send) -> Heightmap {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build().unwrap().install(work)
}

#[test]
fn the_number_of_threads_changes_nothing() {
    for map in [torus(257, 257), land(300, 190), land(1, 2000), land(900, 1)] {
        for kind in Kind::ALL {
            let modifier = step(*kind, |m| m.blur.radius = 0.1);
            let one = on_threads(1, || apply(&modifier, &map));
            for threads in [2, 5] {
                let more = on_threads(threads, || apply(&modifier, &map));
                assert_eq!(bits(&more), bits(&one), "{kind} on {threads} threads");
            }
        }
    }
}

#[test]
fn a_cancelled_job_stops() {
    let job = Job::new();
    job.cancel();
    for kind in Kind::ALL {
        let error = Modifier::new(*kind)
            .apply(&mut land(9, 9), &Context::new(0, &job))
            .unwrap_err();
        assert!(matches!(error, ModifyError::Cancelled(_)), "{kind}");
    }
}

#[test]
fn the_list_is_applied_in_order() {
    let square = step(Kind::Power, |m| m.power.exponent = 2.0);
    let terrace = Modifier::new(Kind::Terrace);
    let mut scene = Scene::default();
    scene.surface.iterations = 5;
    scene.view.render_type = RenderType::Lines;
    let run = |scene: &Scene| {
        let landscape = Pipeline::default().run(scene, &Inputs::default(), &Job::new());
        landscape.unwrap().heights
    };
    let raw = run(&scene);
    scene.modifiers = vec![square.clone(), terrace.clone()];
    let one_way = run(&scene);
    assert_eq!(*one_way, apply(&terrace, &apply(&square, &raw)));
    scene.modifiers.reverse();
    let other_way = run(&scene);
    assert_eq!(*other_way, apply(&square, &apply(&terrace, &raw)));
    assert_ne!(one_way, other_way);
}

/// A pipeline, and what it computed in each run.
#[derive(Default)]
struct Observed {
    pipeline: Pipeline,
}

impl Observed {
    /// Runs, compares with a fresh pipeline, and returns the ground and the stages computed.
    #[track_caller]
    fn run(&mut self, scene: &Scene) -> (Arc<Heightmap>, Vec<StageDone>) {
        let (inputs, job, mut done) = (Inputs::default(), Job::new(), Vec::new());
        let mut observe = |stage| done.push(stage);
        let landscape = self
            .pipeline
            .run_observed(scene, &inputs, &job, &mut observe);
        let landscape = landscape.unwrap();
        let fresh = Pipeline::default().run(scene, &inputs, &job).unwrap();
        assert_eq!(landscape.heights, fresh.heights);
        assert_eq!(landscape.teximage, fresh.teximage);
        (landscape.heights, done)
    }
}

#[test]
fn change_recomputes_from_first_changed_modifier() {
    use StageDone::{Modifier as Step, Surface};
    let mut scene = Scene::default();
    scene.surface.iterations = 6;
    scene.view.render_type = RenderType::Lines;
    let mut observed = Observed::default();
    let (raw, done) = observed.run(&scene);
    assert_eq!(done, [Surface]);

    scene.modifiers = [Kind::Level, Kind::Power, Kind::Blur]
        .map(Modifier::new)
        .to_vec();
    let (first, done) = observed.run(&scene);
    assert_eq!(done, [Step(0), Step(1), Step(2)]);
    let (again, done) = observed.run(&scene);
    assert_eq!(done, []);
    assert!(Arc::ptr_eq(&first, &again));

    scene.modifiers[2].blur.radius = 0.1;
    assert_eq!(observed.run(&scene).1, [Step(2)]);
    scene.modifiers[1].power.exponent = 3.0;
    assert_eq!(observed.run(&scene).1, [Step(1), Step(2)]);
    scene.modifiers[0].on = false;
    assert_eq!(observed.run(&scene).1, [Step(1), Step(2)]);
    scene.modifiers.push(Modifier::new(Kind::Invert));
    assert_eq!(observed.run(&scene).1, [Step(3)]);
    scene.modifiers.pop();
    assert_eq!(observed.run(&scene).1, []);
    scene.view.tile = 3;
    assert_eq!(observed.run(&scene).1, []);
    scene.surface.seed = 1;
    assert_eq!(observed.run(&scene).1, [Surface, Step(1), Step(2)]);
    scene.surface.seed = 0;
    scene.modifiers.clear();
    let (unmodified, done) = observed.run(&scene);
    assert_eq!(done, [Surface]);
    assert_eq!(unmodified, raw);
}

#[test]
fn water_change_recomputes_from_the_step_seeing_it() {
    use StageDone::{Modifier as Step, Surface};
    let mut scene = Scene::default();
    scene.surface.iterations = 6;
    scene.view.render_type = RenderType::Lines;
    scene.modifiers = [Kind::Power, Kind::Erosion, Kind::Blur]
        .map(Modifier::new)
        .to_vec();
    scene.water.enabled = true;
    let mut observed = Observed::default();
    let (dry, done) = observed.run(&scene);
    assert_eq!(done, [Surface, Step(0), Step(1), Step(2)]);
    scene.water.level = 0.1;
    assert_eq!(observed.run(&scene), (dry, vec![]));

    scene.modifiers[1].erosion.base = BaseLevel::Water;
    let (first, done) = observed.run(&scene);
    assert_eq!(done, [Step(1), Step(2)]);
    scene.water.level = 0.2;
    let (second, done) = observed.run(&scene);
    assert_eq!(done, [Step(1), Step(2)]);
    assert_ne!(first, second);
    scene.water.waves = 1.0;
    assert_eq!(observed.run(&scene).1, []);
    scene.water.enabled = false;
    assert_eq!(observed.run(&scene).1, [Step(1), Step(2)]);
    scene.water.level = 0.3;
    assert_eq!(observed.run(&scene).1, []);
    scene.modifiers[1].on = false;
    scene.water.enabled = true;
    assert_eq!(observed.run(&scene).1, [Step(2)]);
}

#[test]
fn finer_map_is_modified_alike_but_not_clouds() {
    let mut scene = Scene::default();
    scene.view.render_type = RenderType::Rendered;
    scene.surface.iterations = 4;
    scene.teximage.iterations = 6;
    scene.modifiers = vec![Modifier::new(Kind::Level)];
    let mut observed = Observed::default();
    let (_, done) = observed.run(&scene);
    assert_eq!(
        done,
        [
            StageDone::Surface,
            StageDone::Modifier(0),
            StageDone::Teximage,
            StageDone::TeximageModifier(0),
            StageDone::Clouds,
        ]
    );
    scene.modifiers[0].level.shift = 0.5;
    let (_, done) = observed.run(&scene);
    assert_eq!(
        done,
        [StageDone::Modifier(0), StageDone::TeximageModifier(0)]
    );
    // A single pass shows what the generator does.
    scene.view.pass = Some(1.5);
    scene.view.render_type = RenderType::Lines;
    let (_, done) = observed.run(&scene);
    assert_eq!(done, [StageDone::Pass]);
}

#[test]
fn run_after_a_cancelled_one_is_right() {
    let mut scene = Scene::default();
    scene.surface.iterations = 5;
    scene.view.render_type = RenderType::Lines;
    scene.modifiers = [Kind::Power, Kind::Blur, Kind::Terrace]
        .map(Modifier::new)
        .to_vec();
    let mut observed = Observed::default();
    observed.run(&scene);
    for at in 0..3 {
        scene.modifiers[0].power.exponent += 0.1;
        let job = Job::new();
        let mut observe = |stage| {
            if stage == StageDone::Modifier(at) {
                job.cancel();
            }
        };
        let pipeline = &mut observed.pipeline;
        let ended = pipeline.run_observed(&scene, &Inputs::default(), &job, &mut observe);
        assert_eq!(ended.is_err(), at < 2);
        observed.run(&scene);
    }
}

#[test]
fn options_choose_their_modifier() {
    let options = landform::modify::terrace::TerraceOptions::default();
    let terrace = Modifier::from(options);
    assert_eq!(terrace, Modifier::new(Kind::Terrace));
    let wrong = Modifier::from(landform::modify::blur::BlurOptions {
        radius: -1.0,
        ..Default::default()
    });
    let error = wrong.validate("modifier").unwrap_err();
    assert!(error.to_string().contains("blur.radius"), "{error}");
}
