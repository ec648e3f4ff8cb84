//! What the panel shows as without effect changes nothing, and what it does not acts: every setting
//! of every preset, on land of 65² samples.

use std::collections::BTreeMap;
use std::sync::Mutex;

use landform::import::{self, Group};

use crate::effects::WorkerLoop;

/// Settings that do nothing in a preset although their kind acts, and why.
const AS_IT_IS: &[(&str, &str, &str)] = &[
    (
        "caldera",
        "surface.pin_level",
        "the same at each level that its pins allow",
    ),
    ("canyon", "modifiers.3.clamp.low", "nothing is so low"),
    (
        "canyon",
        "modifiers.6.erosion.base",
        "the land begins at the base",
    ),
    ("canyon", "water.clarity", "no water is in view"),
    ("canyon", "water.enabled", "no water is in view"),
    (
        "formula",
        "surface.seed",
        "its formula takes nothing random",
    ),
    (
        "island-noon",
        "modifiers.0.normalize.high",
        "a later step stretches again",
    ),
    (
        "island-noon",
        "modifiers.0.on",
        "a later step stretches again",
    ),
    (
        "island-noon",
        "modifiers.0.strength",
        "a later step stretches again",
    ),
    (
        "jacksboro",
        "surface.diamond_square.distribution",
        "65² samples are all in the input",
    ),
    (
        "jacksboro",
        "surface.diamond_square.scaling",
        "65² samples are all in the input",
    ),
    (
        "jacksboro",
        "surface.hurst",
        "65² samples are all in the input",
    ),
    (
        "jacksboro",
        "surface.seed",
        "65² samples are all in the input",
    ),
    ("level", "modifiers.1.clamp.high", "nothing is so high"),
    (
        "old-hills",
        "plants.2.edge",
        "tufts of grass a little smaller are too small to be seen",
    ),
    ("old-hills", "water.clarity", "no deep water is in view"),
    (
        "powers-of-ten",
        "clouds.hurst",
        "the camera looks down from below the clouds",
    ),
    ("powers-of-ten", "fog.enabled", "the ground is near"),
    ("powers-of-ten", "fog.height", "the ground is near"),
    (
        "powers-of-ten",
        "modifiers.0.normalize.high",
        "a later step stretches again",
    ),
    (
        "powers-of-ten",
        "modifiers.0.on",
        "a later step stretches again",
    ),
    (
        "powers-of-ten",
        "modifiers.0.strength",
        "a later step stretches again",
    ),
    (
        "powers-of-ten",
        "sky.cloud_height",
        "the camera looks down from below the clouds",
    ),
    (
        "powers-of-ten",
        "sky.cloud_shadow",
        "the camera looks down from below the clouds",
    ),
    (
        "powers-of-ten",
        "sky.drift",
        "the camera looks down from below the clouds",
    ),
    (
        "powers-of-ten",
        "water.time",
        "from so far up no wave is as large as a pixel",
    ),
    (
        "powers-of-ten",
        "water.wave_length",
        "from so far up no wave is as large as a pixel",
    ),
    (
        "granite-domes",
        "sky.cloud_shadow",
        "no cloud stands between the sun and what is in view",
    ),
    (
        "river-valley",
        "sky.cloud_shadow",
        "no cloud stands between the sun and what is in view",
    ),
    (
        "scree-valley",
        "sky.cloud_shadow",
        "no cloud stands between the sun and what is in view",
    ),
    ("jacksboro", "water.enabled", "all land is above the level"),
    ("river-valley", "water.clarity", "no deep water is in view"),
    ("island-noon", "plants.1.light", "no shade is so dense"),
    (
        "river-valley",
        "plants.1.snow",
        "no snow lies where they grow",
    ),
    (
        "scree-valley",
        "plants.0.snow",
        "no snow lies where they grow",
    ),
    (
        "scree-valley",
        "plants.1.snow",
        "no snow lies where they grow",
    ),
    ("scree-valley", "plants.2.light", "too small to be seen"),
    (
        "alpine-dawn",
        "plants.2.edge",
        "boulders a little smaller are too small to be seen",
    ),
    (
        "scree-valley",
        "plants.2.snow",
        "no snow lies where they grow",
    ),
];

#[test]
fn settings_without_effect_are_shown_so() {
    let presets = Mutex::new(import::presets().iter());
    let all = Mutex::new(BTreeMap::<String, Vec<&str>>::new());
    let check_presets = || {
        loop {
            let Some(preset) = presets.lock().unwrap().next() else {
                return;
            };
            let scene = preset.scene();
            // The others show their generator or modifier under the same light.
            let of_land_alone = preset.group != Group::Landscapes;
            let mut wrongs = WorkerLoop::new(&scene).wrongs(&scene, of_land_alone);
            wrongs.retain(|wrong| {
                let mut known = AS_IT_IS.iter().filter(|known| known.0 == preset.name);
                !known.any(|known| *wrong == format!("{} has no effect", known.1))
            });
            let mut all = all.lock().unwrap();
            for wrong in wrongs {
                all.entry(wrong).or_default().push(preset.name);
            }
        }
    };
    std::thread::scope(|scope| {
        (0..2).for_each(|_| drop(scope.spawn(check_presets)));
    });
    let all = all.into_inner().unwrap();
    assert!(all.is_empty(), "{all:#?}");
}
