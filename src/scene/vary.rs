//! Variations of a scene: other seeds, or settings moved towards random values.
//!
//! A setting moves down or up by a fraction w of the way to the end of its slider; w is drawn from [0, 1)
//! and multiplied by `strength`:
//!
//! ```text
//! down: x' = x + w · (low − x)      up: x' = x · (high / x)^w, or x + w · (high − x) below 0
//! ```
//!
//! Upward moves are by ratio, since most sliders reach far above usual values; on logarithmic sliders
//! downward moves are, too. At strength 0 a variation
//! equals the scene, at 1 it may be anything, and with growing strength every variation keeps its
//! direction. A setting with names instead of a range takes another name with the probability `strength`.
//! Seeds ignore the strength.
//!
//! The random numbers depend only on the key of the setting, the set and the number of the variation. So
//! the value of a setting does not depend on which other settings vary.

use super::Scene;
use super::relevance::{acts, unused};
use crate::generate::Generator;
use crate::util::language::tr;
use crate::util::param::{
    Field, Kind, OutOfRange, Param, Params, TableVisitor, Value, spans_scales,
};
use crate::util::rng::{Jump, Stage, Stream, derived_seed, unit};

/// Name for all seeds.
pub const SEEDS: &str = "seeds";
/// Name for all settings that shape the land.
pub const LAND: &str = "land";
/// Tables of [`LAND`].
const LAND_TABLES: [&str; 3] = ["surface", "layers", "modifiers"];

/// Selection and strength of variations.
#[derive(Clone, Debug, PartialEq)]
pub struct Vary {
    /// Settings to vary: keys as for [`Scene::with`], tables, [`SEEDS`] or [`LAND`]; default `land`. A
    /// table leaves out its seeds, and settings such as generators and iterations that define the kind
    /// and size of the land, unless they are named themselves.
    pub names: Vec<String>,
    /// Settings to keep, by the same names; default none.
    pub locks: Vec<String>,
    /// Strength of the variation, 0 (settings stay) … 1 (anywhere in their range); default 0.3.
    pub strength: f32,
    /// Number of the set of variations; default 0.
    pub set: u64,
}

impl Default for Vary {
    fn default() -> Self {
        Self {
            names: vec![LAND.to_owned()],
            locks: Vec::new(),
            strength: 0.3,
            set: 0,
        }
    }
}

/// Error of a variation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VaryError {
    /// There is no such setting or table.
    #[error(
        "{}",
        tr!(
            "unknown key `{name}`; allowed: a key, a table such as `light`, `{LAND}` or `{SEEDS}`",
            name, LAND, SEEDS
        )
    )]
    Unknown {
        /// The name as given.
        name: String,
    },
    /// The named settings cannot vary, or have no effect in this scene.
    #[error(
        "{}",
        tr!(
            "nothing in `{name}` can vary: it has no effect on this scene, or is text",
            name
        )
    )]
    Idle {
        /// The name as given.
        name: String,
    },
    /// The strength is not within 0 to 1.
    #[error(transparent)]
    Strength(#[from] OutOfRange),
}

impl Vary {
    /// Check that every name selects something that can vary, that every lock is a known name, and that
    /// the strength is in its range.
    ///
    /// # Errors
    /// A check fails; the error has the first such name.
    pub fn check(&self, scene: &Scene) -> Result<(), VaryError> {
        if !(0.0..=1.0).contains(&self.strength) {
            return Err(VaryError::Strength(OutOfRange {
                key: "strength".to_owned(),
                value: self.strength.to_string(),
                allowed: "0 to 1".to_owned(),
            }));
        }
        let all = scene.settings();
        let is_word = |name: &str| [SEEDS, LAND].contains(&name);
        let mut names = self.names.iter().chain(&self.locks);
        let unknown = names
            .find(|name| !is_word(name) && !all.iter().any(|setting| covers(name, &setting.key)));
        if let Some(name) = unknown {
            let name = name.clone();
            return Err(VaryError::Unknown { name });
        }
        let varying = settings(scene);
        let idle = self.names.iter().find(|name| {
            let alone = Self {
                names: vec![(*name).clone()],
                locks: Vec::new(),
                ..self.clone()
            };
            !varying.iter().any(|setting| alone.varies(setting))
        });
        match idle {
            Some(name) => Err(VaryError::Idle { name: name.clone() }),
            None => Ok(()),
        }
    }

    /// True if a setting varies.
    #[must_use]
    pub fn varies(&self, setting: &Setting) -> bool {
        let key = setting.key();
        let holds = |names: &[String]| names.iter().any(|name| setting.is_meant_by(name, &key));
        let is_locked = |name: &String| covers(name, &key) || setting.is_meant_by(name, &key);
        holds(&self.names) && !self.locks.iter().any(is_locked)
    }

    /// Variation of a scene. Number 0 is the scene itself. Cost: a few copies of the scene.
    #[must_use]
    pub fn variation(&self, scene: &Scene, number: u32) -> Scene {
        let mut varied = scene.clone();
        if number == 0 {
            return varied;
        }
        varied.visit_tables(&mut Varier {
            vary: self,
            scene,
            number,
        });
        // A variation cannot choose an image file.
        for (before, surface) in scene.surfaces().zip(varied.surfaces_mut()) {
            if surface.generator == Generator::Image && surface.input.is_none() {
                surface.generator = before.generator;
            }
        }
        if varied.validate().is_ok() {
            return varied;
        }
        // Rules that span several tables: changes that break them are undone.
        let told = told(scene, &varied).into_iter();
        told.fold(scene.clone(), |scene, (key, value)| {
            scene.with(&key, &value).unwrap_or(scene)
        })
    }

    /// Variation of a scene with the changed keys and their new values.
    #[must_use]
    pub fn told(&self, scene: &Scene, number: u32) -> (Scene, Vec<(String, String)>) {
        let varied = self.variation(scene, number);
        let told = told(scene, &varied);
        (varied, told)
    }

    /// Random numbers for a setting: the direction of its move, and the chance that a choice changes.
    fn draw(&self, key: &str, number: u32) -> [u32; 2] {
        let seed = derived_seed(self.set, hash(key));
        let stream = Stream::new(seed, Stage::Variation, 0);
        [0, 1].map(|column| stream.number(number.into(), Jump::over(column)))
    }
}

/// Changed keys of a scene with their new values.
fn told(scene: &Scene, other: &Scene) -> Vec<(String, String)> {
    let differences = scene.differences(other).into_iter();
    let told = differences.filter_map(|difference| {
        let [_, after] = difference.values;
        Some((difference.key, after?))
    });
    told.collect()
}

/// Numbers of the variations on a contact sheet, row after row. The scene itself is in the middle, or
/// first if there is no middle.
#[must_use]
pub fn on_sheet(columns: usize, rows: usize) -> Vec<u32> {
    let count = columns * rows;
    let is_odd = columns % 2 == 1 && rows % 2 == 1;
    let own = if is_odd { count / 2 } else { 0 };
    let mut numbers: Vec<u32> = (1..count as u32).collect();
    numbers.insert(own.min(numbers.len()), 0);
    numbers
}

/// True if a name is the key itself or a table that contains it.
fn covers(name: &str, key: &str) -> bool {
    let rest = key.strip_prefix(name);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// FNV-1a hash (Fowler, Noll and Vo 1991).
fn hash(text: &str) -> u64 {
    let start = 0xCBF2_9CE4_8422_2325_u64;
    text.bytes().fold(start, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}

/// Visitor that sets the varied values.
struct Varier<'a> {
    vary: &'a Vary,
    /// Original scene.
    scene: &'a Scene,
    number: u32,
}

impl TableVisitor for Varier<'_> {
    fn visit<T: Params>(&mut self, place: &str, table: &mut T) {
        if !acts(self.scene, place) {
            return;
        }
        for param in T::PARAMS {
            let Some(setting) = Setting::of(self.scene, place, table, param) else {
                continue;
            };
            if !self.vary.varies(&setting) {
                continue;
            }
            let before = param.value(table);
            let drawn = self.vary.draw(&setting.key(), self.number);
            let value = varied(param, &before, setting.is_seed, self.vary.strength, drawn);
            param.set(table, value);
            // A value that conflicts with other settings is undone.
            if table.check(place).is_err() {
                param.set(table, before);
            }
        }
    }
}

/// Varied value of a setting.
fn varied<T>(
    param: &Param<T>,
    before: &Value,
    is_seed: bool,
    strength: f32,
    [place, chance]: [u32; 2],
) -> Value {
    /// Upper limit of seeds, short enough to be read aloud.
    const MOST_SEEDS: u64 = 1_000_000;
    let index = |count: u64| (u64::from(place) * count) >> 32;
    let (takes_another, moves) = (unit(chance) < strength, strength > 0.0);
    let moved =
        |value: f64, low: f64, high: f64| towards(value, (low, high), strength, unit(place));
    match &param.field {
        Field::Seed { .. } => Value::Seed(index(MOST_SEEDS)),
        Field::Int {
            min, slider_max, ..
        } => match before {
            _ if is_seed => Value::Int(min + index(u64::from(slider_max - min) + 1) as u32),
            Value::Int(value) if moves => {
                let there = moved((*value).into(), (*min).into(), (*slider_max).into());
                Value::Int(there.round() as u32)
            }
            _ => before.clone(),
        },
        Field::Float {
            slider, min, max, ..
        } => match before {
            Value::Float(value) if moves => {
                let there = moved((*value).into(), slider.0.into(), slider.1.into());
                Value::Float(short(there).clamp(*min, *max))
            }
            _ => before.clone(),
        },
        Field::Switch { .. } if takes_another => Value::Switch(index(2) == 1),
        Field::Choice { names, .. } if takes_another => {
            Value::Choice(index(names.len() as u64) as usize)
        }
        _ => before.clone(),
    }
}

/// Move a value: the lower half of `aim`, 0…1, leads down and the upper half up.
fn towards(value: f64, (low, high): (f64, f64), strength: f32, aim: f32) -> f64 {
    let aim = f64::from(aim);
    let is_up = aim >= 0.5;
    let way = f64::from(strength)
        * if is_up {
            2.0 * aim - 1.0
        } else {
            1.0 - 2.0 * aim
        };
    let end = if is_up { high } else { low };
    let by_ratio = value > 0.0 && low >= 0.0 && (is_up || spans_scales(low, high));
    if by_ratio {
        value * libm::pow(end / value, way)
    } else {
        value + way * (end - value)
    }
}

/// Number rounded to three digits, as a person would type it.
fn short(value: f64) -> f32 {
    format!("{value:.2e}").parse().unwrap_or(value as f32)
}

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
