//! What a parameter is: one table feeds the panel's controls, the command line's flags, the
//! scene file's checks and the documentation.

mod value;

use std::fmt;
use std::marker::PhantomData;

use crate::language::tr;
use value::check_value;

pub(crate) use value::spans_scales;
pub use value::{Kind, Value};

/// One setting of a struct `T`: its key in the scene file, its words on screen, and its range.
#[derive(Clone)]
pub struct Param<T> {
    /// The field's name, which is also its key in the scene file.
    pub key: &'static str,
    /// The words on the panel.
    pub label: &'static str,
    /// The unit, or empty.
    pub unit: &'static str,
    /// One or two sentences about what the setting does.
    pub help: &'static str,
    /// The setting's type, range and place in `T`.
    pub field: Field<T>,
}

/// Where a parameter lives in `T` and which values it may take.
#[derive(Clone)]
pub enum Field<T> {
    /// A real number in `min..=max`; the slider spans `slider`.
    Float {
        /// Reads the number.
        get: fn(&T) -> f32,
        /// Writes the number.
        set: fn(&mut T, f32),
        /// The smallest value allowed.
        min: f32,
        /// The largest value allowed.
        max: f32,
        /// The useful range, which a slider spans.
        slider: (f32, f32),
    },
    /// A whole number in `min..=max`.
    Int {
        /// Reads the number.
        get: fn(&T) -> u32,
        /// Writes the number.
        set: fn(&mut T, u32),
        /// The smallest value allowed.
        min: u32,
        /// The largest value allowed.
        max: u32,
        /// The largest value of the slider.
        slider_max: u32,
    },
    /// Any 64-bit seed.
    Seed {
        /// Reads the seed.
        get: fn(&T) -> u64,
        /// Writes the seed.
        set: fn(&mut T, u64),
    },
    /// A switch that is on or off.
    Switch {
        /// Reads the switch.
        get: fn(&T) -> bool,
        /// Writes the switch.
        set: fn(&mut T, bool),
    },
    /// One name of a list.
    Choice {
        /// Reads the index.
        get: fn(&T) -> usize,
        /// Writes the index.
        set: fn(&mut T, usize),
        /// The names, in the order in which they are shown.
        names: &'static [&'static str],
        /// One line about each name.
        helps: &'static [&'static str],
    },
    /// A text that means something: a formula, a list of numbers.
    Text {
        /// Reads the text.
        get: fn(&T) -> String,
        /// Writes the text, which `check` must have accepted.
        set: fn(&mut T, &str),
        /// Checks whether the text may stand beside the other settings; the error says what is
        /// allowed.
        check: fn(&T, &str) -> Result<(), String>,
    },
}

/// A struct whose fields are described by a table.
pub trait Params: Sized + Default + 'static {
    /// The descriptions of the fields, in the order in which they are shown.
    const PARAMS: &'static [Param<Self>];

    /// What an empty text stands for.
    const EMPTY: &'static str = "none";

    /// The keys of fields that say what is made and how large rather than how it looks: they vary only
    /// where they are asked for by their own keys.
    const KEPT: &'static [&'static str] = &[];

    /// The keys of fields of which any other value stands for another of the kind.
    const SEEDS: &'static [&'static str] = &[];

    /// The description of one field.
    ///
    /// # Panics
    /// There is no such field, so call it with literals.
    #[must_use]
    fn param(key: &str) -> &'static Param<Self> {
        Self::PARAMS
            .iter()
            .find(|param| param.key == key)
            .unwrap_or_else(|| panic!("no parameter {key}"))
    }

    /// Why a field has no effect beside the others; `None` if it has one.
    #[must_use]
    fn unused(&self, _key: &str) -> Option<&'static str> {
        None
    }

    /// Checks every field of `self`; `table` is the struct's place in the scene.
    ///
    /// # Errors
    /// A field is outside its range; the first such is named.
    fn check(&self, table: &str) -> Result<(), OutOfRange> {
        check_all(self, table)
    }
}

/// Something that is done with every table of settings.
pub trait TableVisitor {
    /// Handles one table; `place` is where it stands in the scene, such as `surface.hill`.
    fn visit<T: Params>(&mut self, place: &str, table: &mut T);
}

/// Checks every field of `owner` against its own range. This is what [`Params::check`] does unless
/// a struct has further rules.
///
/// # Errors
/// A field is outside its range; the first such is named.
pub fn check_all<T: Params>(owner: &T, table: &str) -> Result<(), OutOfRange> {
    T::PARAMS
        .iter()
        .try_for_each(|param| param.check(owner, table))
}

/// Checks that the first of two settings, each a key and its value, is not above the second.
///
/// # Errors
/// The first is above the second.
pub fn check_order(table: &str, low: (&str, f32), high: (&str, f32)) -> Result<(), OutOfRange> {
    if low.1 <= high.1 {
        return Ok(());
    }
    Err(OutOfRange {
        key: format!("{table}.{}", low.0),
        value: low.1.to_string(),
        allowed: format!("at most {table}.{} = {}", high.0, high.1),
    })
}

impl<T> Param<T> {
    /// The type of the setting, and which values it may have.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self.field {
            Field::Float {
                min, max, slider, ..
            } => Kind::Float { min, max, slider },
            Field::Int {
                min,
                max,
                slider_max,
                ..
            } => Kind::Int {
                min,
                max,
                slider_max,
            },
            Field::Seed { .. } => Kind::Seed,
            Field::Switch { .. } => Kind::Switch,
            Field::Choice { names, helps, .. } => Kind::Choice { names, helps },
            Field::Text { .. } => Kind::Text,
        }
    }

    /// The value that `owner` has.
    pub fn value(&self, owner: &T) -> Value {
        match &self.field {
            Field::Float { get, .. } => Value::Float(get(owner)),
            Field::Int { get, .. } => Value::Int(get(owner)),
            Field::Seed { get, .. } => Value::Seed(get(owner)),
            Field::Switch { get, .. } => Value::Switch(get(owner)),
            Field::Choice { get, .. } => Value::Choice(get(owner)),
            Field::Text { get, .. } => Value::Text(get(owner)),
        }
    }

    /// Gives `owner` a value. One of another type, which this parameter never had, changes nothing.
    pub fn set(&self, owner: &mut T, value: Value) {
        match (&self.field, value) {
            (Field::Float { set, .. }, Value::Float(value)) => set(owner, value),
            (Field::Int { set, .. }, Value::Int(value)) => set(owner, value),
            (Field::Seed { set, .. }, Value::Seed(value)) => set(owner, value),
            (Field::Switch { set, .. }, Value::Switch(value)) => set(owner, value),
            (Field::Choice { set, .. }, Value::Choice(value)) => set(owner, value),
            (Field::Text { set, .. }, Value::Text(value)) => set(owner, &value),
            _ => {}
        }
    }

    /// Whether a text may stand beside the other settings of `owner`; the error says what is
    /// allowed. What is no text is not asked.
    pub(crate) fn check_text(&self, owner: &T, text: &str) -> Result<(), String> {
        match &self.field {
            Field::Text { check, .. } => check(owner, text),
            _ => Ok(()),
        }
    }

    /// Checks that this field of `owner` is finite and in its range.
    ///
    /// # Errors
    /// It is not.
    pub fn check(&self, owner: &T, table: &str) -> Result<(), OutOfRange> {
        let (kind, value) = (self.kind(), self.value(owner));
        let text = match &value {
            Value::Text(text) => self.check_text(owner, text),
            _ => Ok(()),
        };
        check_value(table, self.key, kind, &value, text)
    }
}

/// Reads the items of a list in a scene file, at most [`MOST_ITEMS`]: a long list of empty items
/// takes far more memory than text.
pub(crate) fn few<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: serde::Deserialize<'de>,
{
    struct Few<T>(PhantomData<T>);
    impl<'de, T: serde::Deserialize<'de>> serde::de::Visitor<'de> for Few<T> {
        type Value = Vec<T>;

        fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(out, "a list")
        }

        fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut list: A) -> Result<Vec<T>, A::Error> {
            let mut items = Vec::new();
            while let Some(item) = list.next_element()? {
                if items.len() == MOST_ITEMS {
                    return Err(serde::de::Error::custom(format_args!(
                        "a list of more than {MOST_ITEMS} items"
                    )));
                }
                items.push(item);
            }
            Ok(items)
        }
    }
    deserializer.deserialize_seq(Few(PhantomData))
}

/// The most items of a list in a scene file.
const MOST_ITEMS: usize = 1000;

/// The numbers of a list such as `0, 0.5, 1`; a space separates them, too.
///
/// # Errors
/// A word is not a number; the message quotes it.
pub fn parse_numbers(text: &str) -> Result<Vec<f32>, String> {
    let words = text.split([',', ' ']).filter(|word| !word.is_empty());
    words
        .map(|word| {
            let number = word.parse();
            number.map_err(|_| format!("numbers separated by commas; `{word}` is not a number"))
        })
        .collect()
}

/// A list of numbers as a text that [`parse_numbers`] reads.
#[must_use]
pub fn format_numbers(numbers: &[f32]) -> String {
    let words: Vec<_> = numbers.iter().map(f32::to_string).collect();
    words.join(", ")
}

/// The error that a setting has a value that it may not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct OutOfRange {
    /// The setting's key in the scene file, such as `surface.hurst`.
    pub key: String,
    /// The setting's value.
    pub value: String,
    /// What is allowed.
    pub allowed: String,
}

impl fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            key,
            value,
            allowed,
        } = self;
        let words = tr!(
            "{key} is {value}, allowed is {allowed}",
            key,
            value,
            allowed
        );
        f.write_str(&words)
    }
}

/// The error that a name is not in its list.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown {what} `{value}`, allowed is {allowed}")]
pub struct UnknownName {
    /// The kind of name, such as "generator" or "render type".
    pub what: &'static str,
    /// The name as given.
    pub value: String,
    /// The names that exist.
    pub allowed: String,
}

/// Declares an enum whose variants have names and one line of help each, which a drop-down, a flag
/// and the scene file share.
macro_rules! choice {
    ($(#[$meta:meta])* $vis:vis enum $type:ident : $what:literal {
        $($(#[$variant_meta:meta])* $variant:ident = $name:literal, $help:literal;)+
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        $vis enum $type {
            $(#[doc = $help] $(#[$variant_meta])* $variant,)+
        }

        impl $type {
            /// Every variant, in the order in which they are shown.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];
            /// The names of the variants, in the same order.
            pub const NAMES: &'static [&'static str] = &[$($name),+];
            /// One line about each variant, in the same order.
            pub const HELPS: &'static [&'static str] = &[$($help),+];

            /// The variant's name in the scene file and on the command line.
            #[must_use]
            pub fn name(self) -> &'static str {
                Self::NAMES[self as usize]
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::param::UnknownName;

            fn from_str(value: &str) -> Result<Self, Self::Err> {
                let index = Self::NAMES.iter().position(|name| *name == value);
                index.map(|index| Self::ALL[index]).ok_or_else(|| $crate::param::UnknownName {
                    what: $what,
                    value: value.to_owned(),
                    allowed: Self::NAMES.join(", "),
                })
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(self.name())
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let name = String::deserialize(from)?;
                name.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

/// Declares a real-number row of a parameter table.
macro_rules! float_param {
    ($key:ident, $label:literal, $unit:literal, $min:expr, $max:expr, slider $slider:expr, $help:literal) => {
        $crate::param::Param {
            key: stringify!($key),
            label: $label,
            unit: $unit,
            help: $help,
            field: $crate::param::Field::Float {
                get: |owner| owner.$key,
                set: |owner, value| owner.$key = value,
                min: $min,
                max: $max,
                slider: $slider,
            },
        }
    };
}

/// Declares a whole-number row of a parameter table.
macro_rules! int_param {
    ($key:ident, $label:literal, $unit:literal, $min:expr, $max:expr, slider $slider_max:expr, $help:literal) => {
        $crate::param::Param {
            key: stringify!($key),
            label: $label,
            unit: $unit,
            help: $help,
            field: $crate::param::Field::Int {
                get: |owner| owner.$key,
                set: |owner, value| owner.$key = value,
                min: $min,
                max: $max,
                slider_max: $slider_max,
            },
        }
    };
}

/// Declares an on-or-off row of a parameter table.
macro_rules! switch_param {
    ($key:ident, $label:literal, $help:literal) => {
        $crate::param::Param {
            key: stringify!($key),
            label: $label,
            unit: "",
            help: $help,
            field: $crate::param::Field::Switch {
                get: |owner| owner.$key,
                set: |owner, value| owner.$key = value,
            },
        }
    };
}

/// Declares a drop-down row of a parameter table.
macro_rules! choice_param {
    ($key:ident : $type:ty, $label:literal, $help:literal) => {
        $crate::param::Param {
            key: stringify!($key),
            label: $label,
            unit: "",
            help: $help,
            field: $crate::param::Field::Choice {
                get: |owner| owner.$key as usize,
                set: |owner, value| owner.$key = <$type>::ALL[value],
                names: <$type>::NAMES,
                helps: <$type>::HELPS,
            },
        }
    };
}

/// Declares a text row of a parameter table; the check is given the owner and the text.
macro_rules! text_param {
    ($key:ident, $label:literal, check $check:expr, $help:literal) => {
        $crate::param::Param {
            key: stringify!($key),
            label: $label,
            unit: "",
            help: $help,
            field: $crate::param::Field::Text {
                get: |owner| owner.$key.clone(),
                set: |owner, text| owner.$key = text.to_owned(),
                check: $check,
            },
        }
    };
}

pub(crate) use {choice, choice_param, float_param, int_param, switch_param, text_param};
