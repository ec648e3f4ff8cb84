//! Title of `.stl`: the 80 bytes before the triangles, too short for a scene.

use super::checksum::fnv;
use super::program::{PROGRAM, is_program};
use crate::scene::Scene;

/// Length of the title, in bytes.
pub const TITLE: usize = 80;
/// Unit, at the end of the title.
const UNIT: &str = ", millimetres";

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

/// True if this is a title that Landform wrote.
#[must_use]
pub fn is_title(head: &[u8]) -> bool {
    let parts = || {
        let title = std::str::from_utf8(head).ok()?.trim_end();
        let (program, rest) = title.split_once(" seed ")?;
        let (seed, rest) = rest.split_once(" scene ")?;
        Some((program, seed, rest.strip_suffix(UNIT)?))
    };
    parts().is_some_and(|(program, seed, sum)| {
        let is_sum = sum.len() == 16 && sum.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_program(program.as_bytes()) && seed.parse::<u64>().is_ok() && is_sum
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_titles_are_known_and_others_are_not() {
        let title = title(&Scene::default());
        assert!(is_title(&title));
        let mut other = title;
        other[..8].copy_from_slice(b"Landform");
        assert!(!is_title(&other));
        assert!(!is_title(&[b' '; TITLE]));
    }
}
