//! Every row of every table of a scene, found by walking the tables, and other values for it.
#![allow(dead_code)]

use landform::param::{Field, Params, TableVisitor};
use landform::scene::Scene;

/// Iterations that tests can afford.
const MOST_ITERATIONS: u32 = 6;
/// Texts for rows that take one: where none of them means anything, a row of a new kind wants one
/// more.
pub const TEXTS: &[&str] = &[
    "0.3*x - 0.2*z",
    "0.9, 0.4",
    "2",
    "1",
    "EPSG:25832",
    "0.4,0.9",
    "3x2",
    "builtin:jacksboro",
    "assets/heightmaps/jacksboro.png",
    "0 0, 0.3 0.6, 1 1",
];

/// Where a row is, and its words on the panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its table's place in the scene.
    pub place: String,
    pub key: &'static str,
    pub label: &'static str,
}

impl Row {
    /// Its key without the numbers of lists: the same for all items.
    pub fn name(&self) -> String {
        let path = self.path();
        let steps = path
            .split('.')
            .filter(|step| step.parse::<usize>().is_err());
        steps.collect::<Vec<_>>().join(".")
    }

    /// Its key in the scene.
    pub fn path(&self) -> String {
        format!("{}.{}", self.place, self.key)
    }
}

/// All rows of all tables of `scene`.
pub fn rows(scene: &Scene) -> Vec<Row> {
    struct All(Vec<Row>);
    impl TableVisitor for All {
        fn visit<T: Params>(&mut self, place: &str, _: &mut T) {
            let row = |key, label| Row {
                place: place.to_owned(),
                key,
                label,
            };
            let rows = T::PARAMS.iter().map(|param| row(param.key, param.label));
            self.0.extend(rows);
        }
    }
    let mut all = All(Vec::new());
    scene.clone().visit_tables(&mut all);
    all.0
}

/// The rows of `before` that have another value in `after`.
pub fn differences(before: &Scene, after: &Scene) -> Vec<Row> {
    let after = values(after);
    let changed = values(before).into_iter();
    let changed = changed.filter(|(row, value)| {
        let now = after.iter().find(|(other, _)| other == row);
        now.is_some_and(|(_, now)| now != value)
    });
    changed.map(|(row, _)| row).collect()
}

fn values(scene: &Scene) -> Vec<(Row, String)> {
    struct Values(Vec<(Row, String)>);
    impl TableVisitor for Values {
        fn visit<T: Params>(&mut self, place: &str, table: &mut T) {
            self.0.extend(T::PARAMS.iter().map(|param| {
                let value = match &param.field {
                    Field::Float { get, .. } => get(table).to_string(),
                    Field::Int { get, .. } => get(table).to_string(),
                    Field::Seed { get, .. } => get(table).to_string(),
                    Field::Switch { get, .. } => get(table).to_string(),
                    Field::Choice { get, .. } => get(table).to_string(),
                    Field::Text { get, .. } => get(table),
                };
                let row = Row {
                    place: place.to_owned(),
                    key: param.key,
                    label: param.label,
                };
                (row, value)
            }));
        }
    }
    let mut values = Values(Vec::new());
    scene.clone().visit_tables(&mut values);
    values.0
}

/// `scene` with another value in that row, one that is allowed beside all others.
#[track_caller]
pub fn changed(scene: &Scene, row: &Row) -> Scene {
    (0..TEXTS.len())
        .map(|attempt| {
            let mut scene = scene.clone();
            scene.visit_tables(&mut Change { row, attempt });
            scene
        })
        .find(|changed| changed != scene && changed.validate().is_ok())
        .unwrap_or_else(|| panic!("no other value is allowed for {row:?}"))
}

struct Change<'a> {
    row: &'a Row,
    attempt: usize,
}

impl TableVisitor for Change<'_> {
    fn visit<T: Params>(&mut self, place: &str, table: &mut T) {
        if place != self.row.place {
            return;
        }
        let attempt = self.attempt;
        let part = [0.37, 0.83, 0.12, 0.61, 0.05, 0.95, 0.5, 0.2, 0.7, 0.4][attempt];
        match &T::param(self.row.key).field {
            Field::Float { set, slider, .. } => {
                set(table, round(slider.0 + (slider.1 - slider.0) * part));
            }
            Field::Int {
                get,
                set,
                min,
                slider_max,
                ..
            } => {
                let most = match self.row.key {
                    "iterations" => MOST_ITERATIONS,
                    _ => *slider_max,
                };
                let count = most - min + 1;
                set(table, min + (get(table) - min + 1 + attempt as u32) % count);
            }
            Field::Seed { get, set } => set(table, get(table) + 1),
            Field::Switch { get, set } => set(table, !get(table)),
            Field::Choice {
                get, set, names, ..
            } => set(table, (get(table) + 1 + attempt) % names.len()),
            Field::Text { set, check, .. } => {
                if let Some(text) = TEXTS.get(attempt)
                    && check(table, text).is_ok()
                {
                    set(table, text);
                }
            }
        }
    }
}

/// To three digits, as a user would type it.
fn round(value: f32) -> f32 {
    format!("{value:.2e}").parse().unwrap()
}
