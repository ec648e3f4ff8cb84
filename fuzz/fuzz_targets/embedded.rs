//! Any bytes as a file that holds a scene.
#![no_main]

use landform::import;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for extension in ["obj", "ply", "asc", "glb", "png", "tif", "exr"] {
        let _ = import::scene_in(extension, bytes);
    }
});
