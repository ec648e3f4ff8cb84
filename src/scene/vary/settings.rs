//! Settings of a scene that can vary.

use super::{LAND, LAND_TABLES, SEEDS, covers};
use crate::scene::Scene;
use crate::scene::relevance::{acts, unused};
use crate::util::param::{Kind, Param, Params, TableVisitor};

/// A setting that can vary.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// Path of its table in the scene, such as `surface.hill`.
    pub place: String,
    /// Key in that table.
    pub name: &'static str,
    /// Label on the panel.
    pub label: &'static str,
    /// True for a seed, where all other values are equally different.
    pub is_seed: bool,
    /// True if it varies only if named by its own key.
    pub is_kept: bool,
}

impl Setting {
    /// Setting of a parameter, if it has an effect and is not a text.
    pub(super) fn of<T: Params>(
        scene: &Scene,
        place: &str,
        table: &T,
        param: &Param<T>,
    ) -> Option<Self> {
        let unused = unused(scene, place, table, param.key);
        (unused.is_none() && param.kind() != Kind::Text).then(|| Self {
            place: place.to_owned(),
            name: param.key,
            label: param.label,
            is_seed: T::SEEDS.contains(&param.key),
            is_kept: T::KEPT.contains(&param.key),
        })
    }

    /// Full key in the scene.
    #[must_use]
    pub fn key(&self) -> String {
        format!("{}.{}", self.place, self.name)
    }

    /// True if a name selects the setting; `key` is its full key.
    pub(super) fn is_meant_by(&self, name: &str, key: &str) -> bool {
        let stays = self.is_seed || self.is_kept;
        match name {
            SEEDS => self.is_seed,
            LAND => !stays && LAND_TABLES.iter().any(|table| covers(table, key)),
            name => name == key || (!stays && covers(name, key)),
        }
    }
}

/// Settings of a scene that can vary, in the order of the panel: those with an effect on the picture that
/// are not texts.
#[must_use]
pub fn settings(scene: &Scene) -> Vec<Setting> {
    struct All<'a> {
        scene: &'a Scene,
        found: Vec<Setting>,
    }
    impl TableVisitor for All<'_> {
        fn visit<T: Params>(&mut self, place: &str, table: &mut T) {
            if acts(self.scene, place) {
                let rows = T::PARAMS.iter();
                let setting = |param| Setting::of(self.scene, place, table, param);
                self.found.extend(rows.filter_map(setting));
            }
        }
    }
    let mut all = All {
        scene,
        found: Vec::new(),
    };
    scene.clone().visit_tables(&mut all);
    all.found
}
