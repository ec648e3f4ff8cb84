//! Descriptions of the change between two scenes: "H", "camera", "H and 3 more", "alpine".

use std::sync::LazyLock;

use crate::files::import::{Preset, presets};
use crate::scene::Scene;
use crate::util::language::tr;
use crate::util::param::{Params, TableVisitor};

/// Describe the difference between two scenes with the panel's labels.
#[must_use]
pub fn difference(before: &Scene, after: &Scene) -> String {
    let differences = before.differences(after);
    let keys: Vec<_> = differences
        .iter()
        .map(|difference| &*difference.key)
        .collect();
    if keys.len() > 2
        && let Some(name) = preset(after)
    {
        return name.to_owned();
    }
    let all_in = |place: &str| {
        let below = |key: &str| key == place || key.starts_with(&format!("{place}."));
        keys.iter().all(|key| below(key))
    };
    match keys.as_slice() {
        [key] if !["path", "section", "film.keys"].into_iter().any(all_in) => label(key, after),
        _ if all_in("camera") => tr("camera").to_owned(),
        _ if all_in("path") => tr("camera path").to_owned(),
        keys if keys.iter().any(|key| key.starts_with("film.")) => tr("film").to_owned(),
        _ if all_in("section") => tr("cross-section").to_owned(),
        [one, other] => format!("{}, {}", label(one, after), label(other, after)),
        keys => tr!("{} and {} more", label(keys[0], after), keys.len() - 1),
    }
}

/// Name of the preset with exactly this scene.
fn preset(scene: &Scene) -> Option<&'static str> {
    static SCENES: LazyLock<Vec<Scene>> =
        LazyLock::new(|| presets().iter().map(Preset::scene).collect());
    let place = SCENES.iter().position(|preset| preset == scene)?;
    Some(tr(presets()[place].name))
}

/// Label of a key of `scene` in the panel, with the name of its list if it is in one. An unknown
/// key is its own label.
#[must_use]
pub fn label(key: &str, scene: &Scene) -> String {
    let mut finder = Finder { key, label: None };
    scene.clone().visit_tables(&mut finder);
    let steps: Vec<_> = key.split('.').collect();
    let name = steps.last().copied().unwrap_or_default();
    let words = finder
        .label
        .map_or_else(|| name.replace('_', " "), str::to_owned);
    let is_number = |step: &&str| step.parse::<usize>().is_ok();
    match steps.iter().position(is_number) {
        Some(number) if number > 0 => format!("{words} ({})", steps[number - 1]),
        _ => words,
    }
}

/// Visitor that finds the label of a key in the tables of a scene.
struct Finder<'a> {
    key: &'a str,
    label: Option<&'static str>,
}

impl TableVisitor for Finder<'_> {
    fn visit<T: Params>(&mut self, place: &str, _: &mut T) {
        let key = self.key.strip_prefix(place);
        if let Some(key) = key.and_then(|rest| rest.strip_prefix('.')) {
            let row = T::PARAMS.iter().find(|param| param.key == key);
            self.label = self.label.or(row.map(|param| tr(param.label)));
        }
    }
}
