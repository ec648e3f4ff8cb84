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
//! A mask source is a row in the list below. Its options implement `Source`: they are a row of the table in
//! `ranges` if the source is a number with a range, else a file of their own. The panel, the command line
//! and the scene file are derived from the list. All sources give the same bits for any number of threads,
//! and a map that wraps still wraps afterwards, bit for bit.
//!
//! Cost: a pass over the map after the step, and a copy of the map before it, of 4 bytes a sample, unless
//! that map is still in memory.

use std::path::{Path, PathBuf};

use crate::terrain::heightmap::Heightmap;
use crate::util::language::mark;
use crate::util::param::{
    OutOfRange, Param, Params, TableVisitor, Tables, check_all, choice_param, kinds, switch_param,
};

mod context;
mod everywhere;
mod limit;
mod shape;
mod source;
mod span;
mod water_distance;

pub mod direction;
pub mod image;
pub mod noise;
pub mod ranges;

pub use context::{Context, MaskError};
use everywhere::Everywhere;
pub use limit::Limit;
pub(crate) use limit::copy;
use source::Source;
use span::Share;

kinds! {
    /// Mask of a layer or a modifier: weights 0…1 from a property of the terrain.
    pub struct Mask by by {
        /// Source of the weights; default `none`: the step acts everywhere, at no cost.
        pub by: By,
        /// True to act outside the range instead of inside; default off.
        pub invert: bool,
    }

    /// Source of a mask's weights.
    pub enum By: "mask" as Source
    or None = "none", "No mask: the step acts everywhere." => &Everywhere;
    each #[serde(skip_serializing_if = "is_default")]
    {
        Height = height: ranges::Height, "height",
            "By height: lowlands, mountains, or what lies between.";
        Slope = slope: ranges::Slope, "slope",
            "By steepness: plains or cliffs.";
        Direction = direction: direction::Options, "direction",
            "By the way the ground falls: northern slopes, or the windward side.";
        Curvature = curvature: ranges::Curvature, "curvature",
            "By how the ground bends: ridges or valleys.";
        Flow = flow: ranges::Flow, "flow",
            "By how much land drains through: rivers, or all else.";
        Wetness = wetness: ranges::Wetness, "wetness",
            "By how wet the ground is: valley floors or dry ridges.";
        Wear = wear: ranges::Wear, "wear",
            "By how much rock erosion has taken.";
        Sediment = sediment: ranges::Sediment, "sediment",
            "By how thick the sediment is that erosion has left.";
        Noise = noise: noise::Options, "noise",
            "By gradient noise: patches here and there.";
        WaterDistance = water_distance: ranges::WaterDistance, "water-distance",
            "By the distance from the scene's water: shores or the land behind them.";
        Image = image: image::Options, "image",
            "By a grey image laid over the map: black is 0, white is 1.";
    }
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
        check_all(self, table)?;
        self.check_tables(table)
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

    /// Visit the mask's own table and those of every kind; `place` is the mask's path in the scene.
    pub(crate) fn visit_tables(&mut self, place: &str, visitor: &mut impl TableVisitor) {
        visitor.visit(place, self);
        self.visit_listed(place, visitor);
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
        self.chosen().scale_m()
    }

    /// True if the weights depend on the height of the scene's water.
    #[must_use]
    pub fn uses_water(&self) -> bool {
        self.chosen().uses_water()
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
        if map.heights().is_empty() || (self.is_none() && strength >= 1.0) {
            return Ok(None);
        }
        self.check("mask")?;
        let source = self.chosen();
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
