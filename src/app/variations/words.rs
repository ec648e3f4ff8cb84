//! User-visible names of groups and tables of settings.

use crate::scene::Scene;
use crate::scene::vary::{LAND, SEEDS, Setting};
use crate::util::language::{tr, translated};
use crate::util::param::Tables;

/// Name of a group of [`crate::scene::vary::Vary`] or of a table of the scene.
pub fn group(name: &str) -> String {
    match name {
        SEEDS => tr("Seeds").to_owned(),
        LAND => tr("Land").to_owned(),
        name => {
            let mut sections = Scene::SECTIONS.iter();
            let section = sections.find(|(key, _)| *key == name);
            section.map_or_else(
                || translated(&capital(name)).into_owned(),
                |(_, title)| tr(title).to_owned(),
            )
        }
    }
}

/// Title of the table at a place of the scene's tree, such as `layers.0`.
pub fn table(place: &str) -> String {
    let steps: Vec<&str> = place.split('.').collect();
    let number = |index: &str| index.parse().unwrap_or(0) + 1_usize;
    let (owner, rest) = match steps[..] {
        ["surface", ref rest @ ..] => (tr("Ground").to_owned(), rest.to_vec()),
        ["layers", index, ref rest @ ..] => (tr!("Layer {}", number(index)), rest.to_vec()),
        ["modifiers", index, ref rest @ ..] => (tr!("Modifier {}", number(index)), rest.to_vec()),
        [first, ref rest @ ..] => (group(first), rest.to_vec()),
        [] => return String::new(),
    };
    let rest: Vec<_> = rest.iter().map(|step| step.replace('_', " ")).collect();
    match &*rest.join(", ") {
        "" => owner,
        rest => format!("{owner}: {rest}"),
    }
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

/// Short list of the settings in which a variation differs, in the order of the panel: "Seed 5, H
/// 0.62".
pub fn differences(settings: &[Setting], scene: &Scene, variation: &Scene) -> String {
    let differences = scene.differences(variation);
    let words = settings.iter().filter_map(|setting| {
        let key = setting.key();
        let difference = differences
            .iter()
            .find(|difference| difference.key == key)?;
        let now = difference.values[1].as_ref()?;
        Some(format!("{} {}", tr(setting.label), now.trim_matches('"')))
    });
    words.collect::<Vec<_>>().join(", ")
}
