//! Parameter tables: one table of a struct's settings drives the panel's controls, the command line's
//! flags, the checks of scene files and the documentation.

use std::fmt;
use std::marker::PhantomData;

use crate::util::language::tr;

mod registry;

pub use registry::{PairVisitor, Tables};
pub(crate) use registry::{from_table, kinds, options, or_default, path, tables, to_table};

/// A setting of a struct `T`: its key in the scene file, its texts on screen, and its range.
#[derive(Clone)]
pub struct Param<T> {
    /// Field name, which is also the key in the scene file.
    pub key: &'static str,
    /// Label on the panel.
    pub label: &'static str,
    /// Unit, or empty.
    pub unit: &'static str,
    /// Help text of one or two sentences.
    pub help: &'static str,
    /// Type, range and accessors.
    pub field: Field<T>,
}

/// Type, range and accessors of a parameter of `T`.
#[derive(Clone)]
pub enum Field<T> {
    /// Real number in `min..=max`; the slider spans `slider`.
    Float {
        /// Getter.
        get: fn(&T) -> f32,
        /// Setter.
        set: fn(&mut T, f32),
        /// Minimum value.
        min: f32,
        /// Maximum value.
        max: f32,
        /// Useful range, which the slider spans.
        slider: (f32, f32),
    },
    /// Whole number in `min..=max`.
    Int {
        /// Getter.
        get: fn(&T) -> u32,
        /// Setter.
        set: fn(&mut T, u32),
        /// Minimum value.
        min: u32,
        /// Maximum value.
        max: u32,
        /// Maximum value of the slider.
        slider_max: u32,
    },
    /// Any 64-bit seed.
    Seed {
        /// Getter.
        get: fn(&T) -> u64,
        /// Setter.
        set: fn(&mut T, u64),
    },
    /// Switch that is on or off.
    Switch {
        /// Getter.
        get: fn(&T) -> bool,
        /// Setter.
        set: fn(&mut T, bool),
    },
    /// Choice from a list of names.
    Choice {
        /// Getter of the index.
        get: fn(&T) -> usize,
        /// Setter of the index.
        set: fn(&mut T, usize),
        /// Names, in display order.
        names: &'static [&'static str],
        /// Help line for each name.
        helps: &'static [&'static str],
    },
    /// Text with a syntax of its own, such as a formula or a list of numbers.
    Text {
        /// Getter.
        get: fn(&T) -> String,
        /// Setter; `check` must have accepted the text.
        set: fn(&mut T, &str),
        /// Check of the text together with the other settings; the error says what is allowed.
        check: fn(&T, &str) -> Result<(), String>,
    },
}

/// Struct whose fields are described by a table.
pub trait Params: Sized + Default + 'static {
    /// Descriptions of the fields, in display order.
    const PARAMS: &'static [Param<Self>];

    /// Meaning of an empty text, as shown to the user.
    const EMPTY: &'static str = "none";

    /// Keys of fields that define kind and size rather than appearance. They vary only if named by their
    /// own keys.
    const KEPT: &'static [&'static str] = &[];

    /// Keys of seeds, where all other values are equally different.
    const SEEDS: &'static [&'static str] = &[];

    /// Keys of fields that the panel leaves out in its simple mode while they have their defaults.
    const ADVANCED: &'static [&'static str] = &[];

    /// Keys of heights at which something happens on the finished land, such as the level of the sea. In
    /// the window their sliders span the heights of the land, however low it is.
    const ALTITUDES: &'static [&'static str] = &[];

    /// Other words by which users look for a field: its key, and words separated by commas.
    const SYNONYMS: &'static [(&'static str, &'static str)] = &[];

    /// Description of a field.
    ///
    /// # Panics
    /// There is no such field; call it with literals.
    #[must_use]
    fn param(key: &str) -> &'static Param<Self> {
        Self::PARAMS
            .iter()
            .find(|param| param.key == key)
            .unwrap_or_else(|| panic!("no parameter {key}"))
    }

    /// Reason why a field has no effect with the other settings; `None` if it has one.
    #[must_use]
    fn unused(&self, _key: &str) -> Option<&'static str> {
        None
    }

    /// Check every field of `self`; `table` is the struct's path in the scene.
    ///
    /// # Errors
    /// A field is outside its range; the error has the first such field.
    fn check(&self, table: &str) -> Result<(), OutOfRange> {
        check_all(self, table)
    }
}

/// Visitor of every table of settings.
pub trait TableVisitor {
    /// Visit one table; `place` is its path in the scene, such as `surface.hill`.
    fn visit<T: Params>(&mut self, place: &str, table: &mut T);
}

/// Check every field of `owner` against its own range. Default of [`Params::check`].
///
/// # Errors
/// A field is outside its range; the error has the first such field.
pub fn check_all<T: Params>(owner: &T, table: &str) -> Result<(), OutOfRange> {
    T::PARAMS
        .iter()
        .try_for_each(|param| param.check(owner, table))
}

/// Check that the first of two settings, each a key and its value, is not above the second.
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
    /// Type of the setting and its allowed values.
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

    /// Value in `owner`.
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

    /// Set the value in `owner`. A value of another type, which never occurs, is ignored.
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

    /// Check a text together with the other settings of `owner`; the error says what is allowed. Always
    /// succeeds for parameters that are not texts.
    pub(crate) fn check_text(&self, owner: &T, text: &str) -> Result<(), String> {
        match &self.field {
            Field::Text { check, .. } => check(owner, text),
            _ => Ok(()),
        }
    }

    /// Check that this field of `owner` is finite and in its range.
    ///
    /// # Errors
    /// The value is not finite or not in its range.
    pub fn check(&self, owner: &T, table: &str) -> Result<(), OutOfRange> {
        let (kind, value) = (self.kind(), self.value(owner));
        let text = match &value {
            Value::Text(text) => self.check_text(owner, text),
            _ => Ok(()),
        };
        check_value(table, self.key, kind, &value, text)
    }
}

/// Deserialize a list of at most [`MOST_ITEMS`] items. The limit is needed because many empty items take
/// far more memory than their text.
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

/// Maximum number of items of a list in a scene file.
const MOST_ITEMS: usize = 1000;

/// Parse a list of numbers such as `0, 0.5, 1`; spaces separate them too.
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

/// Format a list of numbers so that [`parse_numbers`] reads it.
#[must_use]
pub fn format_numbers(numbers: &[f32]) -> String {
    let words: Vec<_> = numbers.iter().map(f32::to_string).collect();
    words.join(", ")
}

/// Error for a setting with a value that is not allowed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct OutOfRange {
    /// Key in the scene file, such as `surface.hurst`.
    pub key: String,
    /// Value of the setting.
    pub value: String,
    /// Allowed values.
    pub allowed: String,
}

impl fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            key,
            value,
            allowed,
        } = self;
        let words = tr!("{key} is {value}; allowed: {allowed}", key, value, allowed);
        f.write_str(&words)
    }
}

/// Error for a name that is not in its list.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown {what} `{value}`; allowed: {allowed}")]
pub struct UnknownName {
    /// Kind of name, such as "generator" or "render type".
    pub what: &'static str,
    /// Name as given.
    pub value: String,
    /// Existing names.
    pub allowed: String,
}

/// Declare an enum whose variants have a name and a line of help each, shared by drop-down lists, flags
/// and the scene file.
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
            type Err = $crate::util::param::UnknownName;

            fn from_str(value: &str) -> Result<Self, Self::Err> {
                let index = Self::NAMES.iter().position(|name| *name == value);
                index.map(|index| Self::ALL[index]).ok_or_else(|| $crate::util::param::UnknownName {
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
                let name = <String as serde::Deserialize>::deserialize(from)?;
                name.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

/// Declare a real-number row of a parameter table.
macro_rules! float_param {
    ($key:ident, $label:literal, $unit:literal, $min:expr, $max:expr, slider $(:)? $slider:expr, $help:literal) => {
        $crate::util::param::Param {
            key: stringify!($key),
            label: $label,
            unit: $unit,
            help: $help,
            field: $crate::util::param::Field::Float {
                get: |owner| owner.$key,
                set: |owner, value| owner.$key = value,
                min: $min,
                max: $max,
                slider: $slider,
            },
        }
    };
}

/// Declare a whole-number row of a parameter table.
macro_rules! int_param {
    ($key:ident, $label:literal, $unit:literal, $min:expr, $max:expr, slider $slider_max:expr, $help:literal) => {
        $crate::util::param::Param {
            key: stringify!($key),
            label: $label,
            unit: $unit,
            help: $help,
            field: $crate::util::param::Field::Int {
                get: |owner| owner.$key,
                set: |owner, value| owner.$key = value,
                min: $min,
                max: $max,
                slider_max: $slider_max,
            },
        }
    };
}

/// Declare an on-or-off row of a parameter table.
macro_rules! switch_param {
    ($key:ident, $label:literal, $help:literal) => {
        $crate::util::param::Param {
            key: stringify!($key),
            label: $label,
            unit: "",
            help: $help,
            field: $crate::util::param::Field::Switch {
                get: |owner| owner.$key,
                set: |owner, value| owner.$key = value,
            },
        }
    };
}

/// Declare a drop-down row of a parameter table.
macro_rules! choice_param {
    ($key:ident : $type:ty, $label:literal, $help:literal) => {
        $crate::util::param::Param {
            key: stringify!($key),
            label: $label,
            unit: "",
            help: $help,
            field: $crate::util::param::Field::Choice {
                get: |owner| owner.$key as usize,
                set: |owner, value| owner.$key = <$type>::ALL[value],
                names: <$type>::NAMES,
                helps: <$type>::HELPS,
            },
        }
    };
}

/// Declare a text row of a parameter table; the check is given the owner and the text.
macro_rules! text_param {
    ($key:ident, $label:literal, check $(:)? $check:expr, $help:literal) => {
        $crate::util::param::Param {
            key: stringify!($key),
            label: $label,
            unit: "",
            help: $help,
            field: $crate::util::param::Field::Text {
                get: |owner| owner.$key.clone(),
                set: |owner, text| owner.$key = text.to_owned(),
                check: $check,
            },
        }
    };
}

pub(crate) use {choice, choice_param, float_param, int_param, switch_param, text_param};

choice! {
    /// Tab of the panel: each section of settings is in one of them.
    pub enum Tab: "tab" {
        #[default]
        Land = "Land", "What is drawn, the ground as a whole, its colours, and how it is drawn.";
        Shape = "Shape", "How the ground is made: its generator, layers, modifiers, and finer detail.";
        Rock = "Rock", "Beds of rock, and the material of the ground.";
        Water = "Water", "Sea, rivers, lakes and snow.";
        Plants = "Plants", "Plants and stones.";
        Light = "Light", "Sun, sky, clouds and fog.";
        View = "View", "Camera, bookmarks and film.";
        Analysis = "Analysis", "Slopes, contours, watersheds and cross-sections.";
    }
}

// Types, ranges and values of parameters, independent of the struct that they belong to.

/// Type of a parameter and its allowed values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// Real number in `min..=max`; the slider spans `slider`.
    Float {
        /// Minimum value.
        min: f32,
        /// Maximum value.
        max: f32,
        /// Useful range, which the slider spans.
        slider: (f32, f32),
    },
    /// Whole number in `min..=max`; the slider ends at `slider_max`.
    Int {
        /// Minimum value.
        min: u32,
        /// Maximum value.
        max: u32,
        /// Maximum value of the slider.
        slider_max: u32,
    },
    /// Any 64-bit seed.
    Seed,
    /// Switch that is on or off.
    Switch,
    /// Choice from a list of names.
    Choice {
        /// Names, in display order.
        names: &'static [&'static str],
        /// Help line for each name.
        helps: &'static [&'static str],
    },
    /// Text with a syntax of its own.
    Text,
}

/// Value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Real number.
    Float(f32),
    /// Whole number.
    Int(u32),
    /// Seed.
    Seed(u64),
    /// State of a switch, true for on.
    Switch(bool),
    /// Index of a name in its list.
    Choice(usize),
    /// Text.
    Text(String),
}

impl Kind {
    /// Range of a number in words, such as "0 to 1"; `None` for other types.
    #[must_use]
    pub fn range(&self) -> Option<String> {
        match self {
            Self::Float { min, max, .. } => Some(tr!("{min} to {max}", min, max)),
            Self::Int { min, max, .. } => Some(tr!("{min} to {max}", min, max)),
            Self::Seed => Some(tr!("0 to {}", u64::MAX)),
            Self::Switch | Self::Choice { .. } | Self::Text => None,
        }
    }

    /// True if the slider is logarithmic, since its range spans several orders of magnitude.
    #[must_use]
    pub fn is_logarithmic(&self) -> bool {
        match self {
            Self::Float {
                slider: (low, high),
                ..
            } => spans_scales((*low).into(), (*high).into()),
            _ => false,
        }
    }

    /// True if a number is finite and in the range; always true for other types.
    #[must_use]
    pub fn allows(&self, value: &Value) -> bool {
        match (self, value) {
            // NaN is in no range.
            (Self::Float { min, max, .. }, Value::Float(value)) => (*min..=*max).contains(value),
            (Self::Int { min, max, .. }, Value::Int(value)) => (*min..=*max).contains(value),
            _ => true,
        }
    }

    /// Value as text, as in a scene file: a switch is `true` or `false`.
    #[must_use]
    pub fn words(&self, value: &Value) -> String {
        match (self, value) {
            (Self::Choice { names, .. }, Value::Choice(index)) => names[*index].to_owned(),
            (_, Value::Float(value)) => value.to_string(),
            (_, Value::Int(value)) => value.to_string(),
            (_, Value::Seed(value)) => value.to_string(),
            (_, Value::Switch(value)) => value.to_string(),
            (_, Value::Choice(index)) => index.to_string(),
            (_, Value::Text(text)) => text.clone(),
        }
    }
}

/// True if a range spans so many orders of magnitude that a slider should be logarithmic.
pub(crate) fn spans_scales(low: f64, high: f64) -> bool {
    low > 0.0 && high / low >= 500.0
}

/// Check a value against its range; `text` is the result of the parameter's own check of a text.
fn check_value(
    table: &str,
    key: &str,
    kind: Kind,
    value: &Value,
    text: Result<(), String>,
) -> Result<(), OutOfRange> {
    let (value, allowed) = match (text, value) {
        (Err(allowed), Value::Text(text)) => (format!("{text:?}"), allowed),
        _ if kind.allows(value) => return Ok(()),
        _ => (kind.words(value), kind.range().unwrap_or_default()),
    };
    let key = match table {
        "" => key.to_owned(),
        table => format!("{table}.{key}"),
    };
    Err(OutOfRange {
        key,
        value,
        allowed,
    })
}
