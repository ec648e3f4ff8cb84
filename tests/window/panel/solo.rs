//! Steps that are doubled, soloed, and act in part.

use super::*;

use landform::layer::{Layer, MOST_LAYERS};

/// Two layers and two modifiers.
fn steps() -> Scene {
    let mut scene = Scene::default();
    scene.surface.iterations = 5;
    scene.layers = [Generator::Hill, Generator::Perlin]
        .map(|generator| Layer {
            surface: Surface {
                generator,
                ..Surface::default()
            },
            ..Layer::default()
        })
        .to_vec();
    scene.modifiers = [ModifierKind::Terrace, ModifierKind::Invert]
        .map(Modifier::new)
        .to_vec();
    scene
}

fn click_nth(test: &mut Test, label: &str, index: usize) {
    test.get_all_by_label(label).nth(index).unwrap().click();
    test.run_steps(4);
}

#[test]
fn duplicating_a_step_is_one_step_until_full() {
    let mut test = desk(TALL, steps());
    let before = scene(&test);
    check_one_step(&mut test, "a second modifier", |test| {
        click_nth(test, "🗐", 2);
        let modifiers = scene(test).modifiers;
        assert_eq!(modifiers.len(), 3);
        assert_eq!(
            modifiers[0..2],
            [before.modifiers[0].clone(), before.modifiers[0].clone()]
        );
        assert_eq!(modifiers[2], before.modifiers[1]);
    });
    check_one_step(&mut test, "a second layer", |test| {
        click_nth(test, "🗐", 1);
        assert_eq!(scene(test).layers.len(), MOST_LAYERS);
        assert_eq!(scene(test).layers[2], before.layers[1]);
        // No fourth one.
        for index in 0..MOST_LAYERS {
            let double = test.get_all_by_label("🗐").nth(index).unwrap();
            assert!(double.accesskit_node().is_disabled(), "{index}");
        }
    });
}

#[test]
fn solo_and_its_release_are_one_step_each() {
    let mut test = desk(TALL, steps());
    assert!(test.query_by_label("End solo").is_none());
    check_one_step(&mut test, "solo", |test| {
        click_nth(test, "Solo", 3);
        let scene = scene(test);
        assert!(scene.modifiers[1].solo && scene.is_soloed());
        assert_eq!(scene.layers_on().count(), 0);
        // What does not act cannot be set: that of the step which does is the last.
        let strengths = test.get_all_by_role_and_label(Role::Slider, "Strength");
        let idle: Vec<_> = strengths
            .map(|s| s.accesskit_node().is_disabled())
            .collect();
        assert_eq!(idle[..4], [true, true, true, false]);
    });
    click_nth(&mut test, "Solo", 3);
    click_nth(&mut test, "Solo", 0);
    test.run_steps(60);
    check_one_step(&mut test, "the end of solo", |test| {
        // In both lists.
        assert_eq!(test.query_all_by_label("End solo").count(), 2);
        click_nth(test, "End solo", 1);
        assert_eq!(scene(test), steps());
    });
}

#[test]
fn a_strength_is_dragged_in_one_step() {
    let mut test = desk(TALL, steps());
    for index in 0..4 {
        check_one_step(&mut test, "strength", |test| {
            let sliders = test.get_all_by_role_and_label(Role::Slider, "Strength");
            let slider = sliders.collect::<Vec<_>>()[index].rect();
            drag(test, &along(slider, 0.95, 0.4));
            let scene = scene(test);
            let layers = scene.layers.iter().map(|layer| layer.strength);
            let modifiers = scene.modifiers.iter().map(|modifier| modifier.strength);
            let strengths: Vec<_> = layers.chain(modifiers).collect();
            for (place, strength) in strengths.iter().enumerate() {
                let is_moved = (0.2..0.6).contains(strength);
                assert_eq!(is_moved, place == index, "{strengths:?}");
            }
        });
    }
}
