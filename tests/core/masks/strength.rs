//! Steps that act in part, and steps that act alone.

use super::*;

/// A scene with two layers and three modifiers, whose steps all change something.
fn steps() -> Scene {
    let mut scene = small_scene();
    let layer = |generator, operation| Layer {
        operation,
        weight: 0.5,
        surface: landform::generate::Surface {
            generator,
            ..Default::default()
        },
        ..Layer::default()
    };
    scene.layers = vec![
        layer(Generator::Hill, Operation::Add),
        layer(Generator::Perlin, Operation::Max),
    ];
    let kinds = [
        ModifierKind::Terrace,
        ModifierKind::Invert,
        ModifierKind::Blur,
    ];
    scene.modifiers = kinds.map(Modifier::new).to_vec();
    scene.modifiers[0].mask = Mask::new(By::Slope);
    scene
}

fn made(scene: &Scene) -> Heightmap {
    let (job, inputs) = (Job::new(), inputs());
    let map = pipeline::heights(scene, &inputs, &job).unwrap();
    let shown = Pipeline::default().run(scene, &inputs, &job).unwrap();
    assert_eq!(*shown.heights, map, "the window's and the file's");
    map
}

#[track_caller]
fn check_between(part: &Heightmap, [before, after]: [&Heightmap; 2], strength: f32, what: &str) {
    let heights = before.heights().iter().zip(after.heights());
    for (height, (before, after)) in part.heights().iter().zip(heights) {
        let wanted = before + strength * (after - before);
        let off = (height - wanted).abs();
        assert!(
            off <= 1.0e-5,
            "{what} at {strength}: {height}, not {wanted}"
        );
    }
}

#[test]
fn modifier_acts_in_proportion_to_its_strength() {
    for map in lands() {
        for kind in ModifierKind::ALL {
            let of = |strength: f32| {
                let modifier = Modifier {
                    strength,
                    ..Modifier::new(*kind)
                };
                apply(&modifier, &map)
            };
            let whole = apply(&Modifier::new(*kind), &map);
            assert_eq!(bits(&of(1.0)), bits(&whole), "{kind}");
            assert_eq!(of(0.0), map, "{kind}");
            for strength in [0.5, 0.15] {
                let part = of(strength);
                check_between(&part, [&map, &whole], strength, kind.name());
                // What wraps before and after wraps between.
                assert!(part.wraps() || !(map.wraps() && whole.wraps()), "{kind}");
            }
        }
    }
}

#[test]
fn a_strength_is_a_factor_of_the_mask() {
    let map = land(97, 61, false);
    for by in kinds() {
        let mut modifier = limited(&Mask::new(by));
        modifier.strength = 0.4;
        let (weights, after) = (weights(&modifier.mask, &map), apply(&modifier, &map));
        for (index, before) in map.heights().iter().enumerate() {
            let wanted = before + 0.4 * weights.heights()[index] * 0.25;
            assert!((after.heights()[index] - wanted).abs() < 1.0e-6, "{by}");
        }
    }
    // Without a mask nothing is inverted.
    let mut modifier = limited(&Mask::default());
    modifier.strength = 0.4;
    let plain = apply(&modifier, &map);
    modifier.mask.invert = true;
    assert_eq!(bits(&apply(&modifier, &map)), bits(&plain));
}

#[test]
fn erosion_account_scales_with_its_strength() {
    let map = land(65, 65, true);
    let mut erosion = Modifier::new(ModifierKind::Erosion);
    let whole = apply(&erosion, &map);
    erosion.strength = 0.25;
    let part = apply(&erosion, &map);
    let wear = |map: &Heightmap| map.worn().unwrap().wear.to_vec();
    let (before, whole, part) = (wear(&map), wear(&whole), wear(&part));
    assert!(
        part.iter()
            .zip(&before)
            .any(|(part, before)| part != before)
    );
    for (index, part) in part.iter().enumerate() {
        let wanted = before[index] + 0.25 * (whole[index] - before[index]).max(0.0);
        assert!((part - wanted).abs() < 1.0e-5, "{part}, not {wanted}");
    }
}

#[test]
fn thread_count_changes_no_part_of_steps() {
    let mut scene = steps();
    for (index, layer) in scene.layers.iter_mut().enumerate() {
        layer.strength = 0.3 + 0.4 * index as f32;
    }
    for modifier in &mut scene.modifiers {
        modifier.strength = 0.6;
    }
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(|| bits(&made(&scene)))
    };
    let one = on(1);
    assert_eq!(on(2), one);
    assert_eq!(on(7), one);
}

#[test]
fn layer_strength_is_proportional_for_every_operation() {
    for operation in Operation::ALL {
        let mut scene = steps();
        scene.modifiers.clear();
        scene.layers.truncate(1);
        scene.layers[0].operation = *operation;
        let mut of = |strength: f32| {
            scene.layers[0].strength = strength;
            made(&scene)
        };
        let (before, after, part) = (of(0.0), of(1.0), of(0.7));
        check_between(&part, [&before, &after], 0.7, operation.name());
        scene.layers.clear();
        assert_eq!(bits(&before), bits(&made(&scene)), "{operation}");
    }
}

#[test]
fn soloed_step_acts_alone_and_several_act_together() {
    let all = steps();
    let places = all.layers.len() + all.modifiers.len();
    for soloed in 1..1u32 << places {
        let (mut solo, mut others_off) = (all.clone(), all.clone());
        for place in 0..places {
            let is_soloed = soloed & (1 << place) != 0;
            match place.checked_sub(all.layers.len()) {
                None => {
                    solo.layers[place].solo = is_soloed;
                    others_off.layers[place].on = is_soloed;
                }
                Some(index) => {
                    solo.modifiers[index].solo = is_soloed;
                    others_off.modifiers[index].on = is_soloed;
                }
            }
        }
        assert!(solo.is_soloed());
        assert_eq!(bits(&made(&solo)), bits(&made(&others_off)), "{soloed:b}");
        let words = solo.notices();
        let is_said = words.iter().any(|words| words.contains(" are soloed: "));
        assert_eq!(is_said, soloed + 1 < 1 << places, "{soloed:b}: {words:?}");
        solo.end_solo();
        assert_eq!(solo, all);
    }
    assert_eq!(all.notices(), Vec::<String>::new());
}

#[test]
fn disabled_steps_and_profile_layers_solo_nothing() {
    let mut scene = steps();
    let whole = bits(&made(&scene));
    scene.modifiers[1].on = false;
    let without = bits(&made(&scene));
    scene.modifiers[1].solo = true;
    assert_eq!(bits(&made(&scene)), without);
    scene.modifiers[1].on = true;
    assert_ne!(bits(&made(&scene)), without);
    assert_ne!(bits(&made(&scene)), whole);

    let mut ridge = steps();
    ridge.view.render_type = RenderType::Ridge;
    let modified = bits(&made(&ridge));
    ridge.layers[0].solo = true;
    assert_eq!(bits(&made(&ridge)), modified);
}

#[test]
fn much_used_window_still_matches_the_file() {
    let (job, inputs) = (Job::new(), inputs());
    let mut pipeline = Pipeline::default();
    let mut scene = steps();
    let mut check = |scene: &Scene| {
        let shown = pipeline.run(scene, &inputs, &job).unwrap();
        assert_eq!(
            *shown.heights,
            pipeline::heights(scene, &inputs, &job).unwrap()
        );
    };
    check(&scene);
    scene.modifiers[1].solo = true;
    check(&scene);
    scene.modifiers[1].strength = 0.2;
    check(&scene);
    scene.layers[1].solo = true;
    check(&scene);
    scene.layers[1].strength = 0.0;
    check(&scene);
    scene.end_solo();
    check(&scene);
}

#[test]
fn files_state_strength_and_solo_only_when_set() {
    let scene = steps();
    let written: toml::Table = scene.to_toml().parse().unwrap();
    for list in ["layers", "modifiers"] {
        for step in written[list].as_array().unwrap() {
            let step = step.as_table().unwrap();
            assert!(!step.contains_key("strength") && !step.contains_key("solo"));
        }
    }
    let set = |scene: &Scene, key: &str, value: &str| scene.with(key, value).unwrap();
    let mut changed = set(&scene, "modifiers.1.strength", "0.5");
    changed = set(&changed, "layers.0.strength", ".25");
    changed = set(&changed, "layers.1.solo", "true");
    changed = set(&changed, "modifiers.2.solo", "true");
    assert_eq!(changed.modifiers[1].strength, 0.5);
    assert_eq!(changed.layers[0].strength, 0.25);
    assert!(changed.layers[1].solo && changed.modifiers[2].solo);
    assert_eq!(Scene::parse(&changed.to_toml()), Ok(changed.clone()));
    assert_eq!(Scene::parse(&changed.to_short_toml()), Ok(changed));
    for (key, value) in [
        ("modifiers.0.strength", "1.1"),
        ("layers.0.strength", "-0.1"),
        ("layers.1.strength", "nan"),
        ("modifiers.2.strength", "true"),
    ] {
        let error = scene.with(key, value).unwrap_err().to_string();
        assert!(error.contains(key) && !error.contains('\n'), "{error}");
    }
}

#[test]
fn only_steps_from_changed_strength_on_rerun() {
    let (job, inputs) = (Job::new(), inputs());
    let mut pipeline = Pipeline::default();
    let mut run = |scene: &Scene| {
        let mut made = Vec::new();
        let mut observe = |done| made.push(done);
        pipeline
            .run_observed(scene, &inputs, &job, &mut observe)
            .unwrap();
        let of_a_step =
            |done: &StageDone| matches!(done, StageDone::Layer(_) | StageDone::Modifier(_));
        made.retain(of_a_step);
        made
    };
    let mut scene = steps();
    run(&scene);
    scene.modifiers[1].strength = 0.5;
    let later = [StageDone::Modifier(1), StageDone::Modifier(2)];
    assert_eq!(run(&scene), later);
    // What is alone anyway is no other step for being soloed.
    scene.layers.clear();
    scene.modifiers.truncate(1);
    run(&scene);
    scene.modifiers[0].solo = true;
    assert_eq!(run(&scene), []);
}
