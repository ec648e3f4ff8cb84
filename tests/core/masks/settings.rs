//! Masks in scene files, set from a text, and what is refused.

use super::*;
use landform::modify::ModifyError;

#[test]
fn masks_survive_the_scene_file() {
    for by in By::ALL {
        let mut scene = Scene::default();
        let mut mask = Mask::new(*by);
        mask.invert = true;
        mask.slope.low = 12.0;
        mask.image.path = "masks/a b.png".into();
        scene.modifiers = vec![limited(&mask)];
        scene.layers = vec![Layer {
            mask: mask.clone(),
            ..Layer::default()
        }];
        let text = scene.to_toml();
        assert_eq!(Scene::parse(&text).unwrap(), scene, "{text}");
        let named = scene.mask_images().count();
        assert_eq!(named, if *by == By::Image { 2 } else { 0 });
    }
    let scene = Scene {
        modifiers: vec![Modifier::default()],
        layers: vec![Layer::default()],
        ..Scene::default()
    };
    assert!(!scene.to_toml().contains("mask"), "defaults are left out");
}

#[test]
fn masks_are_set_from_a_text() {
    let scene = Scene::default();
    let scene = scene.with("modifiers.0.mask.by", "slope").unwrap();
    assert_eq!(scene.modifiers[0].mask, Mask::new(By::Slope));
    for (table, by) in By::NAMES.iter().zip(By::ALL).skip(1) {
        for place in ["modifiers.0", "layers.0"] {
            let set = scene.with(&format!("{place}.mask.by"), table).unwrap();
            let set = set.with(&format!("{place}.mask.invert"), "true").unwrap();
            let soft = format!("{place}.mask.{table}.soft");
            let set = set.with(&soft, "0.375").unwrap();
            let mask = set.masks().find(|mask| mask.by == *by && mask.invert);
            let written = toml::to_string(mask.unwrap()).unwrap();
            assert!(written.contains("soft = 0.375"), "{written}");
        }
    }
    let scene = scene
        .with("modifiers.0.mask.image.path", "grey.png")
        .unwrap();
    assert_eq!(
        scene.modifiers[0].mask.image.path.to_str(),
        Some("grey.png")
    );
}

#[test]
fn bad_masks_are_refused_in_one_line() {
    let scene = Scene::default().with("modifiers.0.kind", "blur").unwrap();
    for (key, value, words) in [
        ("by", "steepness", "allowed: none, height, slope"),
        (
            "slope.low",
            "91",
            "modifiers.0.mask.slope.low is 91; allowed: 0 to 90",
        ),
        ("slope.low", "nan", "allowed: 0 to 90"),
        (
            "slope.high",
            "20",
            "modifiers.0.mask.slope.low is 30; allowed: at most",
        ),
        ("slope.soft", "-1", "allowed: 0 to 90"),
        ("height.low", "2000", "allowed: -1000 to 1000"),
        ("direction.high", "361", "allowed: 0 to 360"),
        ("direction.soft", "181", "allowed: 0 to 180"),
        ("curvature.high", "-0.5", "allowed: at most"),
        ("noise.cells", "0", "allowed: 1 to 256"),
        ("noise.low", "1.5", "allowed: 0 to 1"),
        ("water-distance.high", "-5", "allowed: 0 to 1000000000"),
        ("image.low", "2", "allowed: 0 to 1"),
        ("image.path", "grey", "allowed: the path of an image"),
        ("slope.width", "1", "width"),
        ("scent.low", "1", "unknown key"),
    ] {
        let error = scene.with(&format!("modifiers.0.mask.{key}"), value);
        let error = error.expect_err(key).to_string();
        assert!(error.contains(words), "`{error}` lacks `{words}`");
        assert!(!error.contains('\n'), "more than one line: {error}");
        let error = scene.with(&format!("layers.0.mask.{key}"), value);
        assert!(error.is_err(), "{key} of a layer");
    }
    // The range of directions goes round.
    let set = scene.with("modifiers.0.mask.direction.low", "350").unwrap();
    assert!(set.with("modifiers.0.mask.direction.high", "10").is_ok());
    let text = "[[modifiers]]\n[modifiers.mask]\nby = \"scent\"\n";
    let error = Scene::parse(text).unwrap_err().to_string();
    assert!(
        error.contains("allowed: none, height") && error.contains("line 3"),
        "{error}"
    );
}

#[test]
fn refused_mask_leaves_the_map_unchanged() {
    let map = land(33, 33, false);
    let job = Job::new();
    let refused = |by, words: &str| {
        let mut after = map.clone();
        let error = limited(&Mask::new(by)).apply(&mut after, &Context::new(0, &job));
        let error = error.unwrap_err();
        assert!(matches!(error, ModifyError::Mask(_)), "{error:?}");
        assert!(error.to_string().contains(words), "{error}");
        assert_eq!(after, map);
    };
    refused(By::Image, "builtin:jacksboro");
    refused(By::WaterDistance, "no water");
    job.cancel();
    for by in kinds() {
        let (images, mut after) = (images(), map.clone());
        let error = limited(&Mask::new(by)).apply(&mut after, &context(&images, &job));
        assert_eq!(
            error,
            Err(ModifyError::Cancelled(landform::job::Cancelled)),
            "{by}"
        );
    }
}
