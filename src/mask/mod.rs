//! Masks: weights of a layer or a modifier at each sample, computed from properties of the land.
//!
//! ```text
//! quantity ─► within low…high, with soft ends ─► weight w, 0…1      h' = h + w · (step(h) − h)
//! ```
//!
//! The weight is that of the mask times the *strength* of the step, so a strength of one half gives the
//! mean of the land before and after. Where w is 0 a height keeps its bits, and where it is 1 it has the
//! bits of the step alone. The quantity is that of the land before the step: before a modifier, or under
//! a layer.
//!
//! A mask source is one file with `Options` that implement `Source`, and one line in the list below. The
//! panel, the command line and the scene file are derived from it. All sources give the same bits for any
//! number of threads, and a map that wraps still wraps afterwards, bit for bit.
//!
//! Cost: a pass over the map after the step, and a copy of the map before it, of 4 bytes a sample, unless
//! that map is still in memory.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::generate::OptionsVisitor;
use crate::heightmap::Heightmap;
use crate::language::mark;
use crate::param::{OutOfRange, Param, Params, TableVisitor, choice, choice_param, switch_param};
use crate::table::to_table;

mod context;
mod everywhere;
mod limit;
mod shape;
mod source;
mod span;

pub mod curvature;
pub mod direction;
pub mod flow;
pub mod height;
pub mod image;
pub mod noise;
pub mod sediment;
pub mod slope;
pub mod water_distance;
pub mod wear;
pub mod wetness;

pub use context::{Context, MaskError};
use everywhere::Everywhere;
pub use limit::Limit;
pub(crate) use limit::copy;
use source::Source;
use span::Share;

/// List of mask sources: variant, module (also the table in the scene), name, help.
macro_rules! masks {
    ($($variant:ident = $module:ident, $name:literal, $help:literal;)+) => {
        choice! {
            /// Source of a mask's weights.
            pub enum By: "mask" {
                #[default]
                None = "none", "No mask: the step acts everywhere.";
                $($variant = $name, $help;)+
            }
        }

        /// Mask of a layer or a modifier: weights 0…1 from a property of the terrain.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct Mask {
            /// Source of the weights; default `none`: the step acts everywhere, at no cost.
            pub by: By,
            /// True to act outside the range instead of inside; default off.
            pub invert: bool,
            $(
                #[doc = concat!("The range of `", $name, "`.")]
                #[serde(skip_serializing_if = "is_default")]
                pub $module: $module::Options,
            )+
        }

        impl Mask {
            /// Source of the weights; `None` without a mask.
            fn source(&self) -> Option<&dyn Source> {
                match self.by {
                    By::None => None,
                    $(By::$variant => Some(&self.$module),)+
                }
            }

            fn check_options(&self, table: &str) -> Result<(), OutOfRange> {
                $(self.$module.check(&format!("{table}.{}", stringify!($module)))?;)+
                Ok(())
            }

            /// The mask as a TOML table, with every option of every kind written out.
            pub(crate) fn to_table(&self) -> toml::Table {
                let mut table = to_table(self);
                $(
                    let options = to_table(&self.$module);
                    table.insert(stringify!($module).to_owned(), options.into());
                )+
                table
            }

            /// Shows the options of what the mask goes by to `visitor`; without a mask there are
            /// none.
            pub fn visit_options(&mut self, visitor: &mut impl OptionsVisitor) {
                match self.by {
                    By::None => {}
                    $(By::$variant => visitor.visit(&mut self.$module),)+
                }
            }

            /// Shows the mask's own table and those of every kind to `visitor`; `place` is the
            /// mask's place in the scene.
            pub(crate) fn visit_tables(&mut self, place: &str, visitor: &mut impl TableVisitor) {
                visitor.visit(place, self);
                $(visitor.visit(&format!("{place}.{}", stringify!($module)), &mut self.$module);)+
            }
        }
    };
}

masks! {
    Height = height, "height",
        "By height: lowlands, mountains, or what lies between.";
    Slope = slope, "slope",
        "By steepness: plains or cliffs.";
    Direction = direction, "direction",
        "By the way the ground falls: northern slopes, or the windward side.";
    Curvature = curvature, "curvature",
        "By how the ground bends: ridges or valleys.";
    Flow = flow, "flow",
        "By how much land drains through: rivers, or all else.";
    Wetness = wetness, "wetness",
        "By how wet the ground is: valley floors or dry ridges.";
    Wear = wear, "wear",
        "By how much rock erosion has taken.";
    Sediment = sediment, "sediment",
        "By how thick the sediment is that erosion has left.";
    Noise = noise, "noise",
        "By gradient noise: patches here and there.";
    WaterDistance = water_distance, "water-distance",
        "By the distance from the scene's water: shores or the land behind them.";
    Image = image, "image",
        "By a grey image laid over the map: black is 0, white is 1.";
}

impl Params for Mask {
    const KEPT: &'static [&'static str] = &["by", "invert"];

    const PARAMS: &'static [Param<Self>] = &[
        choice_param!(by: By, "Mask by", "What decides where this step acts."),
        switch_param!(
            invert,
            "Invert mask",
            "The step acts where it did not, and not where it did."
        ),
    ];

    fn unused(&self, key: &str) -> Option<&'static str> {
        (key == "invert" && self.is_none()).then_some(mark("there is no mask"))
    }

    fn check(&self, table: &str) -> Result<(), OutOfRange> {
        crate::param::check_all(self, table)?;
        self.check_options(table)
    }
}

impl Mask {
    /// Create a mask from a source, with its default range.
    #[must_use]
    pub fn new(by: By) -> Self {
        Self {
            by,
            ..Self::default()
        }
    }

    /// True if all settings have their defaults.
    pub(crate) fn is_default(&self) -> bool {
        is_default(self)
    }

    /// Check that the scene has water if the mask is based on the distance from it. `water` is the height of
    /// the scene's water.
    ///
    /// # Errors
    /// The mask needs water, and there is none.
    pub fn check_water(&self, water: Option<f32>, table: &str) -> Result<(), OutOfRange> {
        if self.by == By::WaterDistance && water.is_none() {
            return Err(water_distance::no_water(table));
        }
        Ok(())
    }

    /// True if there is no mask, so that a step acts everywhere.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.by == By::None
    }

    /// Path of the mask's image; `None` if the mask is not based on an image.
    #[must_use]
    pub fn image(&self) -> Option<&Path> {
        (self.by == By::Image).then_some(&self.image.path)
    }

    /// Mutable path of the mask's image and its checksum.
    pub fn image_mut(&mut self) -> Option<(&mut PathBuf, &mut String)> {
        let image = &mut self.image;
        (self.by == By::Image).then_some((&mut image.path, &mut image.checksum))
    }

    /// Scale in metres at which the mask measures the shape of the ground; `None` if it does not. The sample
    /// spacing is a lower limit.
    #[must_use]
    pub fn scale_m(&self) -> Option<f32> {
        self.source().and_then(Source::scale_m)
    }

    /// True if the weights depend on the height of the scene's water.
    #[must_use]
    pub fn uses_water(&self) -> bool {
        self.source().is_some_and(Source::uses_water)
    }

    /// Evaluate the mask over `map`, the land before a step of a strength, 0…1. `None` if the step acts in
    /// full: without a mask, at strength 1. A map without samples has no mask either.
    ///
    /// # Errors
    /// An option is out of range, the scene has no water or no such image, or the job was
    /// cancelled.
    pub fn over<'a>(
        &'a self,
        map: &'a Heightmap,
        strength: f32,
        context: &Context<'a>,
    ) -> Result<Option<Limit<'a>>, MaskError> {
        let source = match self.source() {
            _ if map.heights().is_empty() => return Ok(None),
            None if strength >= 1.0 => return Ok(None),
            None => &Everywhere,
            Some(source) => source,
        };
        self.check("mask")?;
        Ok(Some(Limit {
            before: map,
            quantity: source.quantity(map, context)?,
            span: source.span(),
            share: Share {
                // Inverting no mask must not disable the step.
                invert: self.invert && !self.is_none(),
                strength,
            },
            tile_size_m: context.tile_size_m,
            job: context.job.clone(),
        }))
    }

    /// Weight of every sample of `map`, 0…1: 1 everywhere without a mask. These are the weights of a layer,
    /// and of a modifier whose mask is not smoothed.
    ///
    /// # Errors
    /// The same as those of [`Mask::over`], or there is not enough memory.
    pub fn weights(&self, map: &Heightmap, context: &Context<'_>) -> Result<Heightmap, MaskError> {
        self.smoothed_weights(map, 0.0, context)
    }

    /// Weight of every sample, smoothed over `radius_m` metres.
    ///
    /// # Errors
    /// The same as those of [`Mask::weights`].
    pub(crate) fn smoothed_weights(
        &self,
        map: &Heightmap,
        radius_m: f32,
        context: &Context<'_>,
    ) -> Result<Heightmap, MaskError> {
        let weights = match self.over(map, 1.0, context)? {
            Some(limit) => limit.smoothed(radius_m)?.weights()?,
            None => {
                let mut weights = limit::room(map)?;
                weights.fill(1.0);
                weights
            }
        };
        let (rows, columns) = (map.rows(), map.columns());
        Ok(Heightmap::new(rows, columns, map.wraps(), weights))
    }
}

/// True for full strength, which files omit.
pub(crate) fn is_full(strength: &f32) -> bool {
    *strength == 1.0
}

fn is_default<T: Default + PartialEq>(options: &T) -> bool {
    *options == T::default()
}
