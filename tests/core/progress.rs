//! What is told of the progress of a landscape.

use landform::inputs::Inputs;
use landform::job::Job;
use landform::pipeline::{Pipeline, StageDone};
use landform::scene::Scene;

fn scene(settings: &[(&str, &str)]) -> Scene {
    settings
        .iter()
        .fold(Scene::default(), |scene, (key, value)| {
            scene.with(key, value).unwrap()
        })
}

/// How much was told to be done after each stage.
fn told(scene: &Scene) -> Vec<(StageDone, f32)> {
    let (job, mut told) = (Job::new(), Vec::new());
    let mut observe = |stage| told.push((stage, job.progress()));
    let made = Pipeline::default().run_observed(scene, &Inputs::default(), &job, &mut observe);
    made.unwrap();
    assert_eq!(job.progress(), 1.0);
    told
}

#[test]
fn all_is_done_after_the_last_stage() {
    for settings in [
        &[][..],
        &[("water.rivers", "true")],
        &[("modifiers.0.kind", "erosion"), ("water.rivers", "true")],
        &[
            ("modifiers.0.kind", "thermal"),
            ("layers.0.surface.generator", "perlin"),
        ],
        &[
            ("view.render_type", "rendered"),
            ("modifiers.0.kind", "invert"),
        ],
    ] {
        let mut scene = scene(settings);
        scene.surface.iterations = 7;
        let told = told(&scene);
        let (_, before) = told.split_last().expect("some stage");
        assert!(before.len() > 1);
        for (stage, done) in before {
            assert!(*done < 0.999, "{settings:?}: {done} after {stage:?}");
        }
    }
}

#[test]
fn spans_of_a_job_are_parts_of_it() {
    let job = Job::new();
    job.span(0..3, 4).advance(1, 1);
    assert_eq!(job.progress(), 0.75);
    job.span(3..4, 4).share(0, 2).advance(1, 1);
    assert_eq!(job.progress(), 0.875);
    job.span(0..3, 4).advance(1, 2);
    assert_eq!(job.progress(), 0.875, "it never goes back");
}
