//! The card with the heights after a pass.

use std::sync::Arc;

use egui::{Id, vec2};
use egui_kittest::kittest::{NodeT, Queryable};

use landform::app::floating::HEIGHTS;
use landform::app::state::ShownPass;
use landform::inputs::Inputs;
use landform::job::Job;
use landform::pipeline::Pipeline;
use landform::scene::{RenderType, Scene};

use crate::desk::{Test, desk, of_scene};

/// A window that shows a pass of `scene`.
fn shown(mut scene: Scene, pass: Option<f32>) -> Test {
    scene.surface.iterations = 6;
    scene.view.pass = pass;
    let made = Pipeline::default().run(&scene, &Inputs::default(), &Job::new());
    let land = made.unwrap();
    let mut test = desk(vec2(1280.0, 720.0), of_scene(scene), |ui| {
        ui.derived.pass = land.points.clone().map(|points| ShownPass {
            heights: Arc::clone(&land.heights),
            points,
        });
    });
    test.run_steps(4);
    test
}

fn has_card(test: &Test) -> bool {
    test.query_by_label("Heights after the pass").is_some()
}

/// Numbers of the card, in the order of its rows.
fn numbers(test: &Test) -> Vec<String> {
    let rect = test
        .ctx
        .memory(|memory| memory.area_rect(Id::new(HEIGHTS.name())));
    let rect = rect.expect("the card");
    let is_number = |words: &String| words == "·" || words.parse::<f32>().is_ok();
    let mut found: Vec<_> = test
        .query_all(egui_kittest::kittest::By::new())
        .filter_map(|node| {
            let own = node.accesskit_node();
            let words = own.value().or(own.label())?;
            let words = Some(words.trim().to_owned()).filter(is_number)?;
            // Only what is drawn has a place, and only numbers are sure to be drawn.
            Some((own.bounding_box().map(|_| node.rect())?, words))
        })
        .filter(|(at, _)| rect.contains_rect(*at))
        .map(|(at, words)| (at.min, words))
        .collect();
    found.sort_by(|(a, _), (b, _)| (a.y, a.x).partial_cmp(&(b.y, b.x)).unwrap());
    found.dedup();
    found.into_iter().map(|(_, words)| words).collect()
}

#[test]
fn card_shows_the_heights_of_a_small_lattice() {
    let mut scene = Scene::default();
    scene.surface.seed = 4;
    let test = shown(scene.clone(), Some(2.0));
    let numbers = numbers(&test);
    assert_eq!(numbers.len(), 25);
    let pass = test.state().ui.derived.pass.clone().unwrap();
    let centre = format!("{:.2}", pass.heights.at(2, 2));
    assert_eq!(numbers[12], centre);
    assert_eq!(numbers[0], "0.00");
}

#[test]
fn points_that_are_not_there_yet_have_no_number() {
    let test = shown(Scene::default(), Some(0.5));
    let numbers = numbers(&test);
    let absent: Vec<bool> = numbers.iter().map(|words| words == "·").collect();
    let wanted = [false, true, false, true, false, true, false, true, false];
    assert_eq!(absent, wanted);
}

#[test]
fn card_is_for_nine_points_a_side_at_most() {
    assert!(has_card(&shown(Scene::default(), Some(3.0))));
    assert!(!has_card(&shown(Scene::default(), Some(3.5))));
    assert!(!has_card(&shown(Scene::default(), None)));
}

#[test]
fn ridge_has_a_card_of_one_row() {
    let mut scene = Scene::default();
    scene.view.render_type = RenderType::Ridge;
    let test = shown(scene, Some(2.0));
    assert_eq!(numbers(&test).len(), 5);
}
