//! The settings of a scene that can vary.

use super::{LAND, LAND_TABLES, SEEDS, covers};
use crate::generate::Surface;
use crate::mask::Mask;
use crate::param::{Kind, Param, Params, TableVisitor};
use crate::scene::Scene;
use crate::scene::relevance::{self, Relevance};

/// A setting that can vary.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// Its table's place in the scene, such as `surface.hill`.
    pub place: String,
    /// Its key in that table.
    pub name: &'static str,
    /// Its words on the panel.
    pub label: &'static str,
    /// Whether any other value stands for another of the kind.
    pub is_seed: bool,
    /// Whether it varies only where it is asked for by its own key.
    pub is_kept: bool,
}

impl Setting {
    /// The setting of that row, if it has an effect and is no text.
    pub(super) fn of<T: Params>(
        scene: &Scene,
        relevance: Relevance,
        place: &str,
        table: &T,
        param: &Param<T>,
    ) -> Option<Self> {
        let unused = table.unused(param.key).or(match surface_at(scene, place) {
            Some(surface) => relevance::surface(surface, param.key),
            None => relevance.setting(scene, place, param.key),
        });
        (unused.is_none() && param.kind() != Kind::Text).then(|| Self {
            place: place.to_owned(),
            name: param.key,
            label: param.label,
            is_seed: T::SEEDS.contains(&param.key),
            is_kept: T::KEPT.contains(&param.key),
        })
    }

    /// Its key in the scene.
    #[must_use]
    pub fn key(&self) -> String {
        format!("{}.{}", self.place, self.name)
    }

    /// Whether a name asks for it; `key` is its own.
    pub(super) fn is_meant_by(&self, name: &str, key: &str) -> bool {
        let stays = self.is_seed || self.is_kept;
        match name {
            SEEDS => self.is_seed,
            LAND => !stays && LAND_TABLES.iter().any(|table| covers(table, key)),
            name => name == key || (!stays && covers(name, key)),
        }
    }
}

/// The settings of a scene that can vary, in the order of the panel: those with an effect on its
/// picture that are no texts.
#[must_use]
pub fn settings(scene: &Scene) -> Vec<Setting> {
    struct All<'a> {
        scene: &'a Scene,
        relevance: Relevance,
        found: Vec<Setting>,
    }
    impl TableVisitor for All<'_> {
        fn visit<T: Params>(&mut self, place: &str, table: &mut T) {
            if acts(self.scene, place) {
                let rows = T::PARAMS.iter();
                let setting = |param| Setting::of(self.scene, self.relevance, place, table, param);
                self.found.extend(rows.filter_map(setting));
            }
        }
    }
    let mut all = All {
        scene,
        relevance: Relevance::of(scene),
        found: Vec::new(),
    };
    scene.clone().visit_tables(&mut all);
    all.found
}

/// The ground's settings, or a layer's, if that is their place.
fn surface_at<'a>(scene: &'a Scene, place: &str) -> Option<&'a Surface> {
    let steps: Vec<&str> = place.split('.').collect();
    match steps[..] {
        ["surface"] => Some(&scene.surface),
        ["layers", index, "surface"] => {
            let layer = scene.layers.get(index.parse::<usize>().ok()?);
            layer.map(|layer| &layer.surface)
        }
        _ => None,
    }
}

/// Whether a picture can depend on the table at that place: not on those of generators, modifiers and
/// masks that are not chosen, of what is off or rests, of films and of other cameras.
pub(super) fn acts(scene: &Scene, place: &str) -> bool {
    let steps: Vec<&str> = place.split('.').collect();
    let item = |index: &str| index.parse::<usize>().ok();
    match steps[..] {
        ["surface", ref rest @ ..] => surface_acts(&scene.surface, rest),
        ["layers", index, ref rest @ ..] => {
            let layer = scene.layers_on().find(|(at, _)| Some(*at) == item(index));
            layer.is_some_and(|(_, layer)| match rest {
                ["mask", rest @ ..] => mask_acts(&layer.mask, rest),
                ["surface", rest @ ..] => surface_acts(&layer.surface, rest),
                _ => true,
            })
        }
        ["modifiers", index, ref rest @ ..] => {
            let step = scene
                .modifiers_on()
                .find(|(at, _)| Some(*at) == item(index));
            step.is_some_and(|(_, step)| match rest {
                ["mask", rest @ ..] => mask_acts(&step.mask, rest),
                [kind] => is_module(kind, step.kind.name()),
                _ => true,
            })
        }
        ["section" | "path" | "film" | "bookmarks", ..] => false,
        _ => true,
    }
}

fn surface_acts(surface: &Surface, rest: &[&str]) -> bool {
    match rest {
        ["reading"] => surface.input.is_some(),
        ["pins", _] => true,
        [generator] => is_module(generator, surface.generator.name()),
        _ => true,
    }
}

fn mask_acts(mask: &Mask, rest: &[&str]) -> bool {
    match rest {
        [by] => is_module(by, mask.by.name()),
        _ => !mask.is_none(),
    }
}

/// Whether the table of that key is the one of the choice of that name.
fn is_module(key: &str, name: &str) -> bool {
    key == name.replace('-', "_")
}
