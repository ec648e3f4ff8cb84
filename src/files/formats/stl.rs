//! Title of `.stl`: the 80 bytes before the triangles, too short for a scene.

use super::checksum::fnv;
use super::program::PROGRAM;
use crate::scene::Scene;

/// Length of the title, in bytes.
pub const TITLE: usize = 80;
/// Unit, at the end of the title.
pub const UNIT: &str = ", millimetres";

/// Title for a scene: program, seed and a hash of the scene.
#[must_use]
pub fn title(scene: &Scene) -> [u8; TITLE] {
    let (seed, sum) = (scene.surface.seed, fnv(scene.to_toml().as_bytes()));
    let words = format!("{PROGRAM} seed {seed} scene {sum:016x}{UNIT}");
    let mut title = [b' '; TITLE];
    for (to, from) in title.iter_mut().zip(words.bytes()) {
        *to = from;
    }
    title
}
