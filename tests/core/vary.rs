//! Variations: what varies and what stays, the same every time, always a scene that is allowed.

use std::collections::BTreeSet;

use landform::generate::Generator;
use landform::import;
use landform::modify::{Modifier, ModifierKind};
use landform::param::{Field, Params, TableVisitor, Tables};
use landform::scene::{RenderType, Scene};
use landform::vary::{Vary, VaryError, on_sheet, settings};

fn vary(names: &[&str], strength: f32) -> Vary {
    Vary {
        names: names.iter().map(|name| (*name).to_owned()).collect(),
        strength,
        ..Vary::default()
    }
}

/// The keys in which a scene differs from another.
fn changed(before: &Scene, after: &Scene) -> BTreeSet<String> {
    let differences = before.differences(after).into_iter();
    differences.map(|difference| difference.key).collect()
}

/// Every preset in every render type, and scenes with lists.
fn scenes() -> Vec<Scene> {
    let presets = import::presets().iter().map(|preset| preset.scene());
    let types = RenderType::ALL.iter().map(|render_type| {
        let mut scene = Scene::default();
        scene.view.render_type = *render_type;
        for kind in ModifierKind::ALL {
            scene.modifiers.push(Modifier {
                kind: *kind,
                ..Modifier::default()
            });
        }
        scene
    });
    presets.chain(types).collect()
}

#[test]
fn every_setting_varies_alone_and_within_its_range() {
    let mut found = BTreeSet::new();
    for scene in scenes() {
        for setting in settings(&scene) {
            let key = setting.key();
            let steps = key.split('.').filter(|step| step.parse::<u32>().is_err());
            let name = steps.collect::<Vec<_>>().join(".");
            if found.contains(&name) {
                continue;
            }
            let vary = vary(&[&key], 1.0);
            vary.check(&scene).unwrap();
            let variations = (1..20).map(|number| vary.variation(&scene, number));
            let variations: Vec<_> = variations.collect();
            for varied in &variations {
                varied.validate().unwrap();
                let changed = changed(&scene, varied);
                assert!(changed.iter().all(|one| *one == key), "{key}: {changed:?}");
            }
            if variations.iter().any(|varied| *varied != scene) {
                found.insert(name);
            }
        }
    }
    // Found by the tables: of every table that the picture can depend on there is something.
    for generator in Generator::NAMES {
        let mut scene = Scene::default();
        scene.surface.generator = generator.parse().unwrap();
        let own = format!("surface.{}", generator.replace('-', "_"));
        let has_rows = rows(&scene, &own);
        let is_found = found.iter().any(|key| key.starts_with(&format!("{own}.")));
        assert_eq!(is_found, has_rows, "{own}");
    }
    for kind in ModifierKind::NAMES {
        let own = format!("modifiers.{}", kind.replace('-', "_"));
        let mut scene = Scene::default();
        scene.modifiers.push(Modifier::default());
        let has_rows = rows(&scene, &own.replace("modifiers.", "modifiers.0."));
        let is_found = found.iter().any(|key| key.starts_with(&format!("{own}.")));
        assert_eq!(is_found, has_rows, "{own}");
    }
    // A film changes no picture by itself.
    let tables = Scene::SECTIONS.iter().map(|(table, ..)| table);
    for table in tables.filter(|table| **table != "film") {
        assert!(found.iter().any(|key| key.starts_with(table)), "{table}");
    }
}

/// Whether a table has rows that are no texts.
fn rows(scene: &Scene, place: &str) -> bool {
    struct Rows<'a>(&'a str, bool);
    impl TableVisitor for Rows<'_> {
        fn visit<T: Params>(&mut self, place: &str, _: &mut T) {
            let is_text = |field: &Field<T>| matches!(field, Field::Text { .. });
            self.1 |= place == self.0 && T::PARAMS.iter().any(|param| !is_text(&param.field));
        }
    }
    let mut rows = Rows(place, false);
    scene.clone().visit_tables(&mut rows);
    rows.1
}

#[test]
fn variations_of_everything_are_scenes_that_are_allowed() {
    for scene in scenes().into_iter().rev().step_by(3) {
        let all: Vec<_> = settings(&scene).iter().map(|s| s.key()).collect();
        let names: Vec<&str> = all.iter().map(String::as_str).collect();
        for strength in [0.05, 0.5, 1.0] {
            let vary = vary(&names, strength);
            let mut differ = 0;
            for number in 1..8 {
                let varied = vary.variation(&scene, number);
                varied.validate().unwrap();
                differ += usize::from(varied != scene);
            }
            // One that is refused as a whole would be the scene itself.
            assert_eq!(differ, 7, "{strength} {:?}", scene.surface.generator);
        }
    }
}

#[test]
fn land_varies_except_seed_size_and_generator() {
    let mut scene = Scene::default();
    scene.modifiers.push(Modifier {
        kind: ModifierKind::Island,
        ..Modifier::default()
    });
    let all = (1..40).flat_map(|number| {
        let varied = Vary::default().variation(&scene, number);
        changed(&scene, &varied)
    });
    let all: BTreeSet<_> = all.collect();
    let expected = [
        "modifiers.0.island.amount",
        "modifiers.0.island.radius",
        "modifiers.0.island.shore",
        "modifiers.0.strength",
        "surface.diamond_square.distribution",
        "surface.diamond_square.scaling",
        "surface.height_scale",
        "surface.hurst",
    ];
    assert_eq!(all.iter().map(String::as_str).collect::<Vec<_>>(), expected);
}

#[test]
fn strength_is_how_far_settings_go() {
    let scene = Scene::default();
    let values = |strength| {
        let vary = vary(&["surface.height_scale"], strength);
        let numbers = 1..400;
        let values = numbers.map(|number| vary.variation(&scene, number).surface.height_scale);
        values.collect::<Vec<f32>>()
    };
    let base = scene.surface.height_scale;
    assert!(
        values(0.0)
            .iter()
            .all(|scale| scale.to_bits() == base.to_bits())
    );
    let (some, more, all) = (values(0.3), values(0.6), values(1.0));
    for ((some, more), all) in some.iter().zip(&more).zip(&all) {
        // The same way, a little, farther, and as far as it goes.
        let ways = [base, *some, *more, *all];
        let up = ways.windows(2).all(|pair| pair[0] <= pair[1]);
        let down = ways.windows(2).all(|pair| pair[0] >= pair[1]);
        assert!(up || down, "{ways:?}");
    }
    let range = |values: &[f32]| {
        let least = values
            .iter()
            .fold(f32::MAX, |least, value| least.min(*value));
        let most = values.iter().fold(0.0_f32, |most, value| most.max(*value));
        (least, most)
    };
    // The slider goes from 0 to 3.
    let (least, most) = range(&all);
    assert!(
        least < 0.03 && (2.9..=3.0).contains(&most),
        "{least} {most}"
    );
    // Down by a part of the way to 0, up by a part of the ratio to 3.
    let (least, most) = range(&some);
    assert!((0.7..0.72).contains(&least), "{least}");
    let ratio = 3.0_f32.powf(0.3);
    assert!((0.98 * ratio..=ratio).contains(&most), "{most}");
    let below = some.iter().filter(|value| **value < base).count();
    assert!(
        (170..230).contains(&below),
        "as many go down as up: {below}"
    );
}

#[test]
fn a_variation_is_the_same_whatever_else_varies() {
    let scene = Scene::default();
    let alone = vary(&["surface.hurst"], 0.4);
    let beside = vary(&["light", "surface"], 0.4);
    let mut locked = beside.clone();
    locked.locks = vec![
        "light.bearing".to_owned(),
        "surface.height_scale".to_owned(),
    ];
    for number in [7, 1, 30] {
        let [a, b, c] = [&alone, &beside, &locked].map(|vary| vary.variation(&scene, number));
        assert_eq!(a.surface.hurst, b.surface.hurst);
        assert_eq!(a.surface.hurst, c.surface.hurst);
        assert_eq!(b.light.elevation, c.light.elevation);
        assert_ne!(b.light.bearing, c.light.bearing);
        assert_eq!(c.light.bearing, scene.light.bearing);
        assert_eq!(c.surface.height_scale, scene.surface.height_scale);
        let (again, told) = beside.told(&scene, number);
        assert!(again == b);
        let made = told.iter().fold(scene.clone(), |scene, (key, value)| {
            scene.with(key, value).unwrap()
        });
        assert!(made == b, "what is told makes the scene again");
    }
    let mut other = alone.clone();
    other.set = 1;
    assert_ne!(other.variation(&scene, 1), alone.variation(&scene, 1));
    assert!(alone.variation(&scene, 0) == scene);
}

/// Numbers that people have written down must not change.
#[test]
fn variations_are_what_they_always_were() {
    let scene = Scene::default();
    let seeds = vary(&["seeds"], 0.0);
    let found = [1, 2, 3].map(|number| seeds.variation(&scene, number).surface.seed);
    assert_eq!(found, [807_774, 398_177, 607_421]);
    let hurst = vary(&["surface.hurst"], 0.3);
    let found = [1, 2, 3].map(|number| hurst.variation(&scene, number).surface.hurst);
    assert_eq!(found, [0.741, 0.721, 0.66]);
}

#[test]
fn seeds_change_at_any_strength_unless_locked() {
    let mut scene = Scene::default();
    scene.layers.push(landform::layer::Layer::default());
    let expected = ["layers.0.surface.seed", "surface.seed"].map(str::to_owned);
    let varied = vary(&["seeds"], 0.0).variation(&scene, 1);
    assert_eq!(changed(&scene, &varied), BTreeSet::from(expected));
    assert_ne!(varied.surface.seed, varied.layers[0].surface.seed);
    let mut locked = vary(&["seeds"], 1.0);
    locked.locks = vec!["surface".to_owned()];
    assert_eq!(locked.variation(&scene, 1).surface.seed, 0);
}

#[test]
fn what_varies_nothing_is_refused() {
    let scene = Scene::default();
    let error = |names: &[&str], strength| vary(names, strength).check(&scene).unwrap_err();
    let unknown = |name: &str| VaryError::Unknown {
        name: name.to_owned(),
    };
    assert_eq!(error(&["surface.hurts"], 0.3), unknown("surface.hurts"));
    assert_eq!(error(&["light", ""], 0.3), unknown(""));
    let idle = VaryError::Idle {
        name: "surface.hill".to_owned(),
    };
    assert_eq!(error(&["surface.hill"], 0.3), idle);
    assert!(matches!(error(&["light"], 1.5), VaryError::Strength(_)));
    assert!(matches!(
        error(&["light"], f32::NAN),
        VaryError::Strength(_)
    ));
    let wrong_lock = Vary {
        locks: vec!["nothing".to_owned()],
        ..Vary::default()
    };
    assert_eq!(wrong_lock.check(&scene), Err(unknown("nothing")));
}

#[test]
fn scene_is_in_the_middle_of_its_sheet() {
    assert_eq!(on_sheet(3, 3), [1, 2, 3, 4, 0, 5, 6, 7, 8]);
    assert_eq!(on_sheet(2, 2), [0, 1, 2, 3]);
    assert_eq!(on_sheet(5, 1), [1, 2, 0, 3, 4]);
    assert_eq!(on_sheet(1, 1), [0]);
}

#[test]
fn what_rests_and_films_do_not_vary() {
    let mut scene = Scene::default();
    for solo in [false, true] {
        scene.modifiers.push(Modifier {
            kind: ModifierKind::Island,
            solo,
            ..Modifier::default()
        });
    }
    let all = Vary {
        names: vec!["modifiers".to_owned()],
        strength: 1.0,
        ..Vary::default()
    };
    let varied = (1..20).map(|number| all.variation(&scene, number));
    let changed: BTreeSet<_> = varied.flat_map(|varied| changed(&scene, &varied)).collect();
    assert!(!changed.is_empty());
    assert!(
        changed.iter().all(|key| key.starts_with("modifiers.1.")),
        "{changed:?}"
    );
    let film = Vary {
        names: vec!["film".to_owned()],
        ..Vary::default()
    };
    assert!(film.check(&scene).is_err());
}
