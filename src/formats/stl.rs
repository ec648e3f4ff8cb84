//! The title of `.stl`: 80 bytes before the triangles, which have no room for a scene.

use super::checksum::fnv;
use super::program::{PROGRAM, is_program};
use crate::scene::Scene;

/// How many bytes the title has.
pub const TITLE: usize = 80;
/// The unit, at the end of the words.
const UNIT: &str = ", millimetres";

/// The title of a block made of a scene: program, seed, and a number that is another for another
/// scene.
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

/// Whether the beginning of a file is a title that Landform wrote.
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
