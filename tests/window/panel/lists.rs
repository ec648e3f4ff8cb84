//! Modifiers, layers and passes.

use super::*;

use landform::scene::Ecosystem;

#[test]
fn modifiers_are_added_switched_moved_and_removed() {
    let mut test = tall();
    let kinds = |test: &Test| -> Vec<&'static str> {
        let modifiers = scene(test).modifiers;
        modifiers
            .iter()
            .map(|modifier| modifier.kind.name())
            .collect()
    };
    for kind in ["terrace", "island"] {
        check_one_step(&mut test, "Add a modifier", |test| {
            test.get_by_label("Add a modifier…").click();
            test.run_steps(4);
            test.get_by_label(kind).click();
            test.run_steps(4);
            assert_eq!(kinds(test).last(), Some(&kind));
        });
        key(&mut test, Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    }
    assert_eq!(kinds(&test), ["terrace", "island"]);
    check_one_step(&mut test, "move", |test| {
        test.get_all_by_label("⏷").next().unwrap().click();
        test.run_steps(4);
        assert_eq!(kinds(test), ["island", "terrace"]);
    });
    key(&mut test, Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    check_one_step(&mut test, "switch", |test| {
        test.get_by_role_and_label(Role::CheckBox, "island").click();
        test.run_steps(4);
        assert!(!scene(test).modifiers[0].on);
    });
    check_one_step(&mut test, "remove", |test| {
        test.get_all_by_label("✖").next().unwrap().click();
        test.run_steps(4);
        assert_eq!(kinds(test), ["terrace"]);
    });
}

#[test]
fn modifier_is_dragged_elsewhere_in_one_step() {
    let mut test = tall();
    let kinds = [
        ModifierKind::Terrace,
        ModifierKind::Invert,
        ModifierKind::Island,
    ];
    test.state_mut().ui.persisted.scene.modifiers = kinds.map(Modifier::new).to_vec();
    test.run_steps(60);
    let handle = |test: &Test, name: &str| {
        let label = format!("Move {name}");
        test.get_by_label(&label).rect().center()
    };
    let (first, last) = (handle(&test, "terrace"), handle(&test, "island"));
    check_one_step(&mut test, "drag", |test| {
        drag(
            test,
            &[first, first + vec2(0.0, 10.0), last + vec2(0.0, 100.0)],
        );
        let names: Vec<_> = scene(test).modifiers.iter().map(|m| m.kind).collect();
        let moved = [
            ModifierKind::Invert,
            ModifierKind::Island,
            ModifierKind::Terrace,
        ];
        assert_eq!(names, moved);
    });
}

#[test]
fn a_step_shows_the_time_it_took() {
    let mut test = tall();
    let mut scene = scene(&test);
    scene.modifiers = vec![Modifier::new(ModifierKind::Blur)];
    let mut watch = landform::app::state::times::Stopwatch::start();
    let mut pipeline = landform::pipeline::Pipeline::default();
    std::thread::sleep(Duration::from_millis(2));
    pipeline
        .run_observed(
            &scene,
            &Inputs::default(),
            &landform::job::Job::new(),
            &mut |stage| watch.done(stage),
        )
        .unwrap();
    let time = watch.times.modifier(0).unwrap();
    test.state_mut().ui.persisted.scene = scene;
    test.state_mut().ui.derived.times = watch.times;
    test.run_steps(4);
    let words = landform::app::controls::number::short_time(time);
    assert!(test.query_all_by_label(&words).next().is_some(), "{words}");
}

#[test]
fn layers_are_added_changed_and_removed() {
    let mut test = tall();
    for (count, generator) in ["perlin", "hill", "fault"].into_iter().enumerate() {
        check_one_step(&mut test, "Add a layer", |test| {
            test.get_by_label("Add a layer…").click();
            test.run_steps(4);
            test.get_by_role_and_label(Role::Button, generator).click();
            test.run_steps(4);
        });
        key(&mut test, Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
        let layers = scene(&test).layers;
        assert_eq!(layers.len(), count + 1);
        assert_eq!(layers[count].surface.generator.name(), generator);
    }
    let add = test.get_by_label("Add a layer…");
    assert!(add.accesskit_node().is_disabled());
    check_one_step(&mut test, "switch", |test| {
        test.get_by_role_and_label(Role::CheckBox, "hill").click();
        test.run_steps(4);
        assert!(!scene(test).layers[1].on);
    });
    check_one_step(&mut test, "remove", |test| {
        test.get_all_by_label("✖").next().unwrap().click();
        test.run_steps(4);
        assert_eq!(scene(test).layers[0].surface.generator, Generator::Hill);
    });
}

#[test]
fn plants_are_added_and_removed() {
    let mut test = tall();
    for (count, kind) in ["spruce", "shrub"].into_iter().enumerate() {
        check_one_step(&mut test, "Add plants", |test| {
            test.get_by_label("Add plants…").click();
            test.run_steps(4);
            test.get_by_role_and_label(Role::Button, kind).click();
            test.run_steps(4);
        });
        key(&mut test, Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
        assert_eq!(scene(&test).plants.len(), count + 1);
        assert_eq!(scene(&test).plants[count].kind.name(), kind);
    }
    check_one_step(&mut test, "move", |test| {
        test.get_all_by_label("⏷").next().unwrap().click();
        test.run_steps(4);
        assert_eq!(scene(test).plants[0].kind.name(), "shrub");
    });
    check_one_step(&mut test, "switch", |test| {
        test.get_by_role_and_label(Role::CheckBox, "spruce").click();
        test.run_steps(4);
        assert!(!scene(test).plants[0].on);
    });
    check_one_step(&mut test, "remove", |test| {
        test.get_all_by_label("✖").next().unwrap().click();
        test.run_steps(4);
        assert_eq!(scene(test).plants[0].kind.name(), "shrub");
    });
}

#[test]
fn ecosystem_is_one_click() {
    let mut test = tall();
    let choose = |test: &mut Test, name: &str| {
        test.get_by_label("Ecosystem…").click();
        test.run_steps(4);
        test.get_by_role_and_label(Role::Button, name).click();
        test.run_steps(4);
    };
    check_one_step(&mut test, "Ecosystem", |test| {
        choose(test, "boreal");
        assert_eq!(scene(test).plants, Ecosystem::Boreal.layers());
    });
    key(&mut test, Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    let add = test.get_by_label("Add plants…");
    assert!(add.accesskit_node().is_disabled(), "four are the most");
    check_one_step(&mut test, "No plants", |test| {
        choose(test, "No plants");
        assert!(scene(test).plants.is_empty());
    });
}

#[test]
fn passes_play_through_as_one_undo_step() {
    let mut test = tall();
    test.state_mut().ui.persisted.scene.surface.iterations = 2;
    test.run_steps(60);
    let before = scene(&test);
    test.get_by_label("▶").click();
    let mut seen = Vec::new();
    for _ in 0..400 {
        test.run_steps(1);
        let pass = scene(&test).view.pass.unwrap_or(-1.0);
        if seen.last() != Some(&pass) {
            seen.push(pass);
        }
    }
    assert_eq!(seen, [0.0, 0.5, 1.0, 1.5, 2.0]);
    assert!(test.query_by_label("⏸").is_none());
    key(&mut test, Modifiers::COMMAND, Key::Z);
    assert_eq!(scene(&test), before);
    // A hand on the slider, or another click, stops it.
    test.get_by_label("▶").click();
    test.run_steps(10);
    test.get_by_label("⏸").click();
    test.run_steps(100);
    assert_eq!(scene(&test).view.pass, Some(0.0));
}

#[test]
fn passes_of_a_ridge_play_one_by_one() {
    let mut test = tall();
    let scene_of = &mut test.state_mut().ui.persisted.scene;
    scene_of.surface.generator = landform::generate::Generator::Midpoint1d;
    scene_of.surface.iterations = 3;
    test.run_steps(60);
    test.get_by_label("▶").click();
    let mut seen = Vec::new();
    for _ in 0..400 {
        test.run_steps(1);
        let pass = scene(&test).view.pass.unwrap_or(-1.0);
        if seen.last() != Some(&pass) {
            seen.push(pass);
        }
    }
    assert_eq!(seen, [0.0, 1.0, 2.0, 3.0]);
}
