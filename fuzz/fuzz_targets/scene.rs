//! Any text as a scene: what is taken comes out again the same.
#![no_main]

use landform::scene::Scene;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(scene) = Scene::parse(text) {
        assert_eq!(Scene::parse(&scene.to_toml()).as_ref(), Ok(&scene));
    }
});
