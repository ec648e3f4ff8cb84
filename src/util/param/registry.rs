//! Registries: structs with a list of tables of settings, one row each.
//!
//! `tables!` declares such a struct, the scene itself among them. `kinds!` declares one of which a
//! single table counts at a time, with the enum that chooses it: generators, modifiers and masks. Types
//! come from the row as they are written there, so an error of the compiler points at the row.

use serde::Serialize;
use serde::de::DeserializeOwned;
use toml::Table;

use super::{OutOfRange, Params, Tab, TableVisitor};

/// Struct with a list of tables of settings, declared by `tables!` or `kinds!`.
pub trait Tables {
    /// Tables with a section of the panel of their own, in display order: key, title and tab.
    const SECTIONS: &'static [(&'static str, &'static str, Tab)];

    /// Check every table of the list; `place` is the struct's path in the scene, empty for the scene.
    ///
    /// # Errors
    /// A setting is outside its range; the error has the first such setting.
    fn check_tables(&self, place: &str) -> Result<(), OutOfRange>;

    /// Visit every table of the list; `place` is the struct's path in the scene, empty for the scene.
    fn visit_listed(&mut self, place: &str, visitor: &mut impl TableVisitor);

    /// Visit the table with a key together with that of `other`; without such a table do nothing.
    fn visit_pair(&mut self, other: &Self, key: &str, visitor: &mut impl PairVisitor);

    /// Serialize the struct with every table of the list, those that files omit included.
    fn full_table(&self) -> toml::Table;
}

/// Visitor of a table of settings together with the same table of another owner.
pub trait PairVisitor {
    /// Visit both tables.
    fn visit<T: Params>(&mut self, table: &mut T, other: &T);
}

/// Path of the table `key` of a struct at `place`.
pub(crate) fn path(place: &str, key: &str) -> String {
    match place {
        "" => key.to_owned(),
        place => format!("{place}.{key}"),
    }
}

/// Declare a struct of settings with a list of tables: key, type, and the title and the tab of the
/// section if the panel has one for the table alone. Fields around the list have a default if it is not that of their
/// type.
macro_rules! tables {
    (
        $(#[$about:meta])*
        pub struct $struct:ident {
            $($(#[$meta:meta])* pub $field:ident: $type:ty $(= $default:expr)?,)*
            tables {
                $($(#[$table_meta:meta])* $table:ident: $table_type:ty $(, $title:literal in $tab:ident)?;)+
            }
            $($(#[$last_meta:meta])* pub $last:ident: $last_type:ty,)*
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct $struct {
            $($(#[$meta])* pub $field: $type,)*
            $($(#[$table_meta])* pub $table: $table_type,)+
            $($(#[$last_meta])* pub $last: $last_type,)*
        }

        impl Default for $struct {
            fn default() -> Self {
                Self {
                    $($field: $crate::util::param::or_default!($($default)?),)*
                    $($table: Default::default(),)+
                    $($last: Default::default(),)*
                }
            }
        }

        impl $crate::util::param::Tables for $struct {
            const SECTIONS: &'static [(&'static str, &'static str, $crate::util::param::Tab)] =
                &[$($((stringify!($table), $title, $crate::util::param::Tab::$tab),)?)+];

            fn check_tables(&self, place: &str) -> Result<(), $crate::util::param::OutOfRange> {
                use $crate::util::param::{Params, path};
                $(<$table_type as Params>::check(&self.$table, &path(place, stringify!($table)))?;)+
                Ok(())
            }

            fn visit_listed(&mut self, place: &str, visitor: &mut impl $crate::util::param::TableVisitor) {
                $(
                    let path = $crate::util::param::path(place, stringify!($table));
                    visitor.visit::<$table_type>(&path, &mut self.$table);
                )+
            }

            fn visit_pair(
                &mut self,
                other: &Self,
                key: &str,
                visitor: &mut impl $crate::util::param::PairVisitor,
            ) {
                match key {
                    $(stringify!($table) => visitor.visit(&mut self.$table, &other.$table),)+
                    _ => {}
                }
            }

            fn full_table(&self) -> toml::Table {
                use $crate::util::param::to_table;
                let mut all = to_table(self);
                $(all.insert(stringify!($table).to_owned(), to_table(&self.$table).into());)+
                all
            }
        }
    };
}

/// Declare a struct of options: each field with its default, also for scene files that leave it out, if it is
/// not that of its type.
macro_rules! options {
    (
        $(#[$about:meta])*
        pub struct $struct:ident {
            $($(#[$meta:meta])* pub $field:ident: $type:ty $(= $default:expr)?,)+
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct $struct {
            $($(#[$meta])* pub $field: $type,)+
        }

        impl Default for $struct {
            fn default() -> Self {
                Self { $($field: $crate::util::param::or_default!($($default)?),)+ }
            }
        }
    };
}

/// Give the value, or the default of the type without one.
macro_rules! or_default {
    () => {
        Default::default()
    };
    ($value:expr) => {
        $value
    };
}

/// Declare a struct of settings with the options of every kind of a thing, and the enum in its field
/// `by` that chooses the kind. A kind is a row: its variant, the field and the type of its options, its
/// name, and one line of help. The options implement `Params` and the trait after `as`; a first kind
/// without options may stand after `or`, with the instance of the trait that it stands for. `each` is an
/// attribute of all options' fields. With `of`, the enum is that of another struct with the same rows.
macro_rules! kinds {
    (
        $(#[$about:meta])*
        pub struct $struct:ident by $by:ident {
            $($fields:tt)*
        }
        $(#[$kind_about:meta])*
        pub enum $kind:ident: $what:literal as $trait:ident
        $(or $none:ident = $none_name:literal, $none_help:literal => $instance:expr;)?
        each #$each:tt
        {
            $(
                $(#[$meta:meta])*
                $variant:ident = $field:ident: $type:ty, $name:literal, $help:literal;
            )+
        }
    ) => {
        $crate::util::param::choice! {
            $(#[$kind_about])*
            pub enum $kind: $what {
                $(#[default] $none = $none_name, $none_help;)?
                $($(#[$meta])* $variant = $name, $help;)+
            }
        }

        impl $kind {
            /// Key of the kind's options among the fields of their owner; empty without options.
            #[must_use]
            pub fn key(self) -> &'static str {
                match self {
                    $(Self::$none => "",)?
                    $(Self::$variant => stringify!($field),)+
                }
            }
        }

        $crate::util::param::kinds! {
            $(#[$about])*
            pub struct $struct by $by of $kind as $trait {
                $($fields)*
            }
            $(or $none => $instance;)?
            each #$each
            {
                $($variant = $field: $type, $name, $help;)+
            }
        }
    };
    (
        $(#[$about:meta])*
        pub struct $struct:ident by $by:ident of $kind:ident as $trait:ident {
            $($fields:tt)*
        }
        $(or $none:ident => $instance:expr;)?
        each #$each:tt
        {
            $($variant:ident = $field:ident: $type:ty, $name:literal, $help:literal;)+
        }
    ) => {
        $crate::util::param::tables! {
            $(#[$about])*
            pub struct $struct {
                $($fields)*
                tables {
                    $(
                        #[doc = concat!("Options of `", $name, "`.")]
                        #$each
                        $field: $type;
                    )+
                }
            }
        }

        impl $struct {
            /// Options of the chosen kind.
            fn chosen(&self) -> &dyn $trait {
                fn chosen<T: $trait>(options: &T) -> &dyn $trait {
                    options
                }
                match self.$by {
                    $($kind::$none => $instance,)?
                    $($kind::$variant => chosen::<$type>(&self.$field),)+
                }
            }
        }

        $(impl From<$type> for $struct {
            fn from(options: $type) -> Self {
                Self {
                    $by: $kind::$variant,
                    $field: options,
                    ..Self::default()
                }
            }
        })+
    };
}

pub(crate) use {kinds, options, or_default, tables};

// Conversion of plain data to TOML tables and back, through text, so that each type has one serializer,
// and numbers are as short in tables as in files.

/// Serialize a value to a table.
///
/// # Panics
/// The value is not plain data: for example it has maps with keys that are not texts.
pub(crate) fn to_table<T: Serialize>(value: &T) -> Table {
    let text = toml::to_string(value).expect("plain data");
    text.parse().expect("what was just written")
}

/// Deserialize a value from a table.
///
/// # Errors
/// A key is unknown, or a value has the wrong type. Positions in the error refer to the table's own text.
pub(crate) fn from_table<T: DeserializeOwned>(table: &Table) -> Result<T, toml::de::Error> {
    toml::from_str(&table.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::param::{Param, float_param};

    trait Area {
        fn area(&self) -> f32;
    }

    /// Options of a kind with one number, `side`.
    macro_rules! shape {
        ($name:ident, $area:expr) => {
            #[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
            pub struct $name {
                side: f32,
            }

            impl Params for $name {
                const PARAMS: &'static [Param<Self>] = &[
                    float_param!(side, "Side", "m", 0.0, 9.0, slider: (0.0, 9.0),
                                                                                "The side."),
                ];
            }

            impl Area for $name {
                fn area(&self) -> f32 {
                    $area * self.side * self.side
                }
            }
        };
    }

    shape!(Square, 1.0);
    shape!(Circle, 0.75);

    kinds! {
        pub struct Shape by kind {
            pub kind: Kind,
            pub count: u32 = 3,
        }

        pub enum Kind: "shape" as Area
        each #[serde(skip_serializing)]
        {
            #[default]
            Square = square: Square, "square", "Four corners.";
            Circle = circle: Circle, "circle", "No corner.";
        }
    }

    #[test]
    fn a_row_is_a_name_and_a_field() {
        assert_eq!(Kind::NAMES, ["square", "circle"]);
        assert_eq!(Kind::HELPS[1], "No corner.");
        assert_eq!("circle".parse::<Kind>().unwrap().key(), "circle");
        assert_eq!(Shape::default().count, 3);
    }

    #[test]
    fn options_choose_their_kind() {
        let shape = Shape::from(Circle { side: 2.0 });
        assert_eq!((shape.kind, shape.chosen().area()), (Kind::Circle, 3.0));
    }

    #[test]
    fn errors_name_the_path_of_a_setting() {
        let mut shape = Shape::default();
        shape.circle.side = 10.0;
        let error = shape.check_tables("shapes.0").unwrap_err();
        assert_eq!(error.key, "shapes.0.circle.side");
        assert_eq!(shape.check_tables("").unwrap_err().key, "circle.side");
    }

    #[test]
    fn full_tables_have_what_files_omit() {
        let table = Shape::default().full_table();
        assert!(table["circle"].as_table().unwrap().contains_key("side"));
    }
}
