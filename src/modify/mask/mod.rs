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
//! A second source can be combined with the first, and the result can be grown, blurred and given levels,
//! see `shape`.
//!
//! Cost: a pass over the map after the step, and a copy of the map before it, of 4 bytes a sample, unless
//! that map is still in memory.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::terrain::heightmap::{Heightmap, Heights, Worn};
use crate::terrain::means::{Filter, filter};
use crate::terrain::neighbours::{Relief, Window};
use crate::util::job::{Cancelled, Job};
use crate::util::language::mark;
use crate::util::numbers::{metres_per_unit, smoothstep};
use crate::util::parallel;
use crate::util::param::{
    OutOfRange, Param, Params, TableVisitor, Tables, Value, check_all, check_order, choice_param,
    float_param, kinds, path, switch_param,
};

pub mod image;
pub mod noise;
pub mod ranges;
mod water_distance;

/// Declare a struct with the options of every mask source, as `kinds!` does. The list of sources is here alone.
macro_rules! sources {
    ($($head:tt)*) => {
        kinds! {
            $($head)*
            {
                Height = height: ranges::Height, "height",
                    "By height: lowlands, mountains, or what lies between.";
                Slope = slope: ranges::Slope, "slope",
                    "By steepness: plains or cliffs.";
                Direction = direction: ranges::Direction, "direction",
                    "By the direction that slopes face: northern slopes, or the windward side.";
                Curvature = curvature: ranges::Curvature, "curvature",
                    "By the curvature of the ground: ridges or valleys.";
                Flow = flow: ranges::Flow, "flow",
                    "By the drainage area of each place: rivers, or everything else.";
                Wetness = wetness: ranges::Wetness, "wetness",
                    "By the wetness of the ground: valley floors or dry ridges.";
                Wear = wear: ranges::Wear, "wear",
                    "By the depth of rock that erosion has removed.";
                Sediment = sediment: ranges::Sediment, "sediment",
                    "By the thickness of the sediment that erosion has left.";
                Noise = noise: noise::NoiseMaskOptions, "noise",
                    "By gradient noise: patches here and there.";
                WaterDistance = water_distance: ranges::WaterDistance, "water-distance",
                    "By the distance from the scene's water: shores or the land behind them.";
                Image = image: image::ImageMaskOptions, "image",
                    "By a grey image laid over the map: black is 0, white is 1.";
            }
        }
    };
}

mod context;
mod second;
mod shape;

pub use context::{Context, MaskError};
pub use second::{Combine, SecondMask};

sources! {
    /// Mask of a layer or a modifier: weights 0…1 from a property of the terrain, or from two.
    pub struct Mask by by {
        /// Source of the weights; default `none`: the step acts everywhere, at no cost.
        pub by: By,
        /// True to act outside the finished mask instead of inside; default off.
        pub invert: bool,
        /// Combination with the second source; default `and`.
        #[serde(skip_serializing_if = "is_default")]
        pub combine: Combine,
        /// Distance in metres by which the mask grows, or shrinks if negative, −100,000…100,000; default 0.
        #[serde(skip_serializing_if = "is_default")]
        pub grow: f32,
        /// Radius of the Gaussian that blurs the mask, in metres, 0…100,000; default 0.
        #[serde(skip_serializing_if = "is_default")]
        pub blur: f32,
        /// Black point of the levels: weights up to it become 0; 0…`white`; default 0.
        #[serde(skip_serializing_if = "is_default")]
        pub black: f32,
        /// White point of the levels: weights from it on become 1; `black`…1; default 1.
        #[serde(skip_serializing_if = "is_full")]
        pub white: f32 = 1.0,
        /// Gamma of the levels, 0.1…10; default 1. Weights between the two points are raised to the power
        /// 1/gamma, so above 1 they rise.
        #[serde(skip_serializing_if = "is_full")]
        pub gamma: f32 = 1.0,
        /// Second source; default none.
        #[serde(skip_serializing_if = "SecondMask::is_default")]
        pub second: SecondMask,
    }

    /// Source of a mask's weights.
    pub enum By: "mask" as Source
    or None = "none", "No mask: the step acts everywhere." => &Everywhere;
    each #[serde(skip_serializing_if = "is_default")]
}

impl Params for Mask {
    const KEPT: &'static [&'static str] = &[
        "by", "invert", "combine", "grow", "blur", "black", "white", "gamma",
    ];

    const PARAMS: &'static [Param<Self>] = &[
        choice_param!(by: By, "Mask by", "The quantity that decides where this step acts."),
        switch_param!(
            invert,
            "Invert mask",
            "Inverts the mask: the step acts where it did not, and no longer where it did."
        ),
        choice_param!(combine: Combine, "Combination", "How the second mask is combined with the first."),
        float_param!(grow, "Grow mask", "m", -100_000.0, 100_000.0, slider: (-100.0, 100.0),
            "Distance by which the mask grows on all sides; below 0 it shrinks."),
        float_param!(blur, "Blur mask", "m", 0.0, 100_000.0, slider: (0.0, 200.0),
            "Distance over which the mask is blurred, so that its edges become soft."),
        float_param!(black, "Black point", "", 0.0, 1.0, slider: (0.0, 1.0),
            "The mask is 0 where it was this or less."),
        float_param!(white, "White point", "", 0.0, 1.0, slider: (0.0, 1.0),
            "The mask is 1 where it was this or more."),
        float_param!(gamma, "Mask gamma", "", 0.1, 10.0, slider: (0.1, 4.0),
            "Curve between the two points: above 1 the mask becomes stronger, below 1 weaker."),
    ];

    fn unused(&self, key: &str) -> Option<&'static str> {
        match key {
            "by" => None,
            _ if self.is_none() => Some(mark("there is no mask")),
            "combine" if self.second.is_none() => Some(mark("there is no second mask")),
            _ => None,
        }
    }

    fn check(&self, table: &str) -> Result<(), OutOfRange> {
        check_all(self, table)?;
        check_order(table, ("black", self.black), ("white", self.white))?;
        self.check_tables(table)?;
        self.second.check(&path(table, "second"))
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

    /// The mask as a TOML table, with every option of every source written out.
    pub(crate) fn to_table(&self) -> toml::Table {
        let mut table = self.full_table();
        for param in Self::PARAMS {
            let value = match param.value(self) {
                Value::Float(value) => f64::from(value).into(),
                value => param.kind().words(&value).into(),
            };
            table.entry(param.key).or_insert(value);
        }
        table.insert("second".to_owned(), self.second.full_table().into());
        table
    }

    /// Visit the mask's own table and those of every kind; `place` is the mask's path in the scene.
    pub(crate) fn visit_tables(&mut self, place: &str, visitor: &mut impl TableVisitor) {
        visitor.visit(place, self);
        self.visit_listed(place, visitor);
        self.second.visit_tables(&path(place, "second"), visitor);
    }

    /// Check that the scene has water if the mask is based on the distance from it. `water` is the height of
    /// the scene's water.
    ///
    /// # Errors
    /// The mask needs water, and there is none.
    pub fn check_water(&self, water: Option<f32>, table: &str) -> Result<(), OutOfRange> {
        let needs = |by: By| by == By::WaterDistance && water.is_none();
        if needs(self.by) {
            return Err(water_distance::no_water(table));
        }
        if !self.is_none() && needs(self.second.by) {
            return Err(water_distance::no_water(&path(table, "second")));
        }
        Ok(())
    }

    /// True if there is no mask, so that a step acts everywhere.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.by == By::None
    }

    /// Sources of the mask: none, one or two.
    fn sources(&self) -> impl Iterator<Item = (By, &dyn Source)> {
        let first = (self.by, self.chosen());
        let sources = [first, self.second.source()].into_iter();
        sources.filter(|(by, _)| !self.is_none() && *by != By::None)
    }

    /// True if the mask has this source.
    pub(crate) fn has_source(&self, by: By) -> bool {
        self.sources().any(|(own, _)| own == by)
    }

    /// Paths of the images that the mask is based on.
    pub fn images(&self) -> impl Iterator<Item = &Path> {
        let images = [(self.by, &self.image), (self.second.by, &self.second.image)];
        let images = images.into_iter().filter(|(by, _)| *by == By::Image);
        images.map(|(_, image)| &*image.path)
    }

    /// Mutable paths of the images that the mask is based on, and their checksums.
    pub fn images_mut(&mut self) -> impl Iterator<Item = (&mut PathBuf, &mut String)> {
        let second = &mut self.second;
        let images = [(self.by, &mut self.image), (second.by, &mut second.image)];
        let images = images.into_iter().filter(|(by, _)| *by == By::Image);
        images.map(|(_, image)| (&mut image.path, &mut image.checksum))
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
        self.sources().any(|(_, source)| source.uses_water())
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
        self.check_water(context.water.or(context.shores.map(|_| 0.0)), "mask")?;
        let share = Share {
            // Inverting no mask must not disable the step.
            invert: self.invert && !self.is_none(),
            strength,
        };
        let limit = Limit::of(self.chosen(), map, share, context)?;
        match self.is_none() {
            true => Ok(Some(limit)),
            false => self.reshape(limit, context).map(Some),
        }
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
                let mut weights = room(map)?;
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

// Interface of mask sources.

/// Mask source: a quantity over the map, and its range of full weight.
trait Source {
    /// Range of full weight, and its soft ends.
    fn span(&self) -> Span;

    /// Evaluate the quantity over `map`.
    ///
    /// # Errors
    /// The scene lacks something that the quantity needs, or the job was cancelled.
    fn quantity<'a>(&'a self, map: &'a Heightmap, context: &Context<'a>) -> MadeQuantity<'a>;

    /// Scale in metres of a quantity that depends on the shape of the ground.
    fn scale_m(&self) -> Option<f32> {
        None
    }

    /// True if the quantity depends on the height of the scene's water.
    fn uses_water(&self) -> bool {
        false
    }
}

/// Quantity over a map, or the reason why there is none.
type MadeQuantity<'a> = Result<Box<dyn Quantity + 'a>, MaskError>;

/// Row function: writes the quantity of each sample of a row, given the row's index and its samples with
/// their neighbours. Consecutive rows are fastest.
type FillRow<'a> = Box<dyn FnMut(usize, &Window<'_>, &mut [f32]) + 'a>;

/// Quantity over a map.
trait Quantity: Sync {
    /// Create the row function of one thread.
    fn rows(&self) -> FillRow<'_>;
}

impl<F: Fn(usize, &Window<'_>, &mut [f32]) + Sync> Quantity for F {
    fn rows(&self) -> FillRow<'_> {
        Box::new(self)
    }
}

// Constant mask of full weight, for steps without a mask but with a strength below 1.

/// Source of the constant mask.
struct Everywhere;

impl Source for Everywhere {
    fn span(&self) -> Span {
        Span {
            low: 0.0,
            high: 0.0,
            soft: 0.0,
            kind: SpanKind::Linear,
        }
    }

    fn quantity<'a>(&'a self, _: &'a Heightmap, _: &Context<'a>) -> MadeQuantity<'a> {
        Ok(Box::new(|_: usize, _: &Window<'_>, out: &mut [f32]| {
            out.fill(0.0);
        }))
    }
}

// Range of full weight of a mask, with soft ends.

/// Range of full weight from `low` to `high`. Beyond either end the weight fades smoothly to 0 over a
/// distance of `soft`.
#[derive(Clone, Copy, Debug)]
struct Span {
    pub low: f32,
    pub high: f32,
    pub soft: f32,
    pub kind: SpanKind,
}

/// Type of the numbers of a range.
#[derive(Clone, Copy, Debug)]
enum SpanKind {
    /// Real numbers.
    Linear,
    /// Directions in degrees, 0…360: the range goes clockwise from `low` to `high`. Negative numbers mean no
    /// direction, with weight 0.
    Round,
    /// Weights themselves, without a range.
    Weights,
}

impl Span {
    /// Blend `before` and `after` by the weights of the quantities. Weights of 0 and 1 reproduce either of
    /// them bit for bit.
    pub fn mix(self, share: Share, quantities: &[f32], before: &[f32], after: &mut [f32]) {
        let rows = (quantities, before, after);
        match self.kind {
            SpanKind::Linear => along(self, share, rows),
            SpanKind::Round => around(self, share, rows),
            SpanKind::Weights => directly(share, rows),
        }
    }

    /// Identity: the quantities are the weights.
    pub fn weights() -> Self {
        Self {
            low: 1.0,
            high: 1.0,
            soft: 1.0,
            kind: SpanKind::Weights,
        }
    }

    /// Steepness of the ends; infinite if they are hard.
    fn steepness(self) -> f32 {
        if self.soft > 0.0 {
            1.0 / self.soft
        } else {
            f32::INFINITY
        }
    }
}

/// Conversion from the position within the range to a weight.
#[derive(Clone, Copy, Debug)]
struct Share {
    /// Invert the weights: outside counts, and inside does not.
    pub invert: bool,
    /// Largest weight, 0…1.
    pub strength: f32,
}

impl Share {
    /// Unchanged weights.
    pub const WHOLE: Self = Self {
        invert: false,
        strength: 1.0,
    };
}

/// Rows of quantities, of heights before and of heights after a step.
type Rows<'a> = (&'a [f32], &'a [f32], &'a mut [f32]);

vectorized! {
    fn along(span: Span, share: Share, (quantities, before, after): Rows<'_>) {
        let (low, high, steepness) = (span.low, span.high, span.steepness());
        for ((v, before), after) in quantities.iter().zip(before).zip(after) {
            let v = *v;
            // A value is outside of at most one end.
            let beyond = if v < low { low - v } else { v - high };
            let outside = smoothstep(1.0 - beyond * steepness);
            let weight = if beyond <= 0.0 { 1.0 } else { outside };
            *after = mixed(*before, *after, weight, share);
        }
    }

    fn around(span: Span, share: Share, (quantities, before, after): Rows<'_>) {
        let (low, steepness) = (span.low, span.steepness());
        let wide = span.high - span.low;
        let wide = if wide < 0.0 { wide + 360.0 } else { wide };
        for ((v, before), after) in quantities.iter().zip(before).zip(after) {
            let v = *v;
            // Clockwise angle from the start of the range.
            let way = if v < low { v - low + 360.0 } else { v - low };
            let way = if way < 360.0 { way } else { 0.0 };
            let (past, short) = (way - wide, 360.0 - way);
            let beyond = if past < short { past } else { short };
            let outside = smoothstep(1.0 - beyond * steepness);
            let weight = if way <= wide { 1.0 } else { outside };
            let weight = if v < 0.0 { 0.0 } else { weight };
            *after = mixed(*before, *after, weight, share);
        }
    }

    fn directly(share: Share, (weights, before, after): Rows<'_>) {
        for ((weight, before), after) in weights.iter().zip(before).zip(after) {
            *after = mixed(*before, *after, *weight, share);
        }
    }
}

#[inline(always)]
fn mixed(before: f32, after: f32, weight: f32, share: Share) -> f32 {
    let w = if share.invert { 1.0 - weight } else { weight };
    let w = w * share.strength;
    let mixed = before + w * (after - before);
    let kept = if w > 0.0 { mixed } else { before };
    if w < 1.0 { kept } else { after }
}

// Blending of a step's result with the map before it, by mask and strength.

/// Mask over the land before a step, with the strength of the step.
pub struct Limit<'a> {
    before: &'a Heightmap,
    quantity: Box<dyn Quantity + 'a>,
    span: Span,
    share: Share,
    tile_size_m: f32,
    job: Job,
}

/// Precomputed weights of all samples.
struct Weights {
    weights: Heights,
    columns: usize,
}

impl Quantity for Weights {
    fn rows(&self) -> FillRow<'_> {
        Box::new(|row, _, out| {
            out.copy_from_slice(&self.weights[row * self.columns..][..self.columns]);
        })
    }
}

impl<'a> Limit<'a> {
    /// Limit by one source alone.
    fn of(
        source: &'a dyn Source,
        map: &'a Heightmap,
        share: Share,
        context: &Context<'a>,
    ) -> Result<Self, MaskError> {
        Ok(Self {
            before: map,
            quantity: source.quantity(map, context)?,
            span: source.span(),
            share,
            tile_size_m: context.tile_size_m,
            job: context.job.clone(),
        })
    }

    /// The same limit with other weights of the source.
    fn with_weights(self, weights: Heights) -> Self {
        let columns = self.before.columns();
        Self {
            quantity: Box::new(Weights { weights, columns }),
            span: Span::weights(),
            ..self
        }
    }

    /// Length in metres as a number of samples, at most the diagonal of the map: a longer one reaches no more.
    fn samples(&self, metres: f32) -> f64 {
        let map = self.before;
        let spacing = f64::from(map.spacing()) * metres_per_unit(self.tile_size_m);
        let most = (map.rows() + map.columns()) as f64;
        (f64::from(metres) / spacing).clamp(-most, most)
    }

    /// Smooth the weights of the mask by a Gaussian of a radius in metres, so that no sample is isolated.
    /// Weights of 0 and 1 stay exact if all around are the same. Cost: two passes over the map, and 4 bytes a
    /// sample.
    ///
    /// # Errors
    /// There is not enough memory, or the job was cancelled.
    pub fn smoothed(mut self, radius_m: f32) -> Result<Self, MaskError> {
        let map = self.before;
        let spacing = f64::from(map.spacing()) * metres_per_unit(self.tile_size_m);
        // A radius beyond the whole map changes nothing more.
        let radius = (f64::from(radius_m) / spacing).min(map.rows().max(map.columns()) as f64);
        if radius <= 0.0 {
            return Ok(self);
        }
        let share = std::mem::replace(&mut self.share, Share::WHOLE);
        let mut weights = self.weights()?;
        let (columns, wraps) = (map.columns(), map.wraps());
        filter(
            Filter::Bell,
            &mut weights,
            columns,
            wraps,
            radius,
            &self.job,
        )?;
        self.share = share;
        Ok(self.with_weights(weights))
    }

    /// Blend the result of a step with the map before it, by the weights of the mask. The result wraps if
    /// `after` does and the edges still match. Cost: a pass over both maps.
    ///
    /// # Errors
    /// The job was cancelled.
    ///
    /// # Panics
    /// The step has changed the number of rows or columns.
    pub fn apply(&self, after: Heightmap) -> Result<Heightmap, Cancelled> {
        let (rows, columns) = (after.rows(), after.columns());
        let before = self.before;
        assert_eq!((rows, columns), (before.rows(), before.columns()));
        let wraps = after.wraps();
        let (worn, base) = (self.worn(&after)?, after.base());
        let valid = after.valid().cloned();
        let mut heights = after.into_heights();
        self.each_row(&mut heights, |quantities, before, after| {
            self.span.mix(self.share, quantities, before, after);
        })?;
        let mut limited = Heightmap::new(rows, columns, wraps, heights);
        if wraps && !before.wraps() && !meets(&limited) {
            limited = Heightmap::new(rows, columns, false, limited.into_heights());
        }
        Ok(limited.with_worn(worn).with_valid(valid).with_base(base))
    }

    /// Blend the eroded and deposited depths of the step in the same way.
    fn worn(&self, after: &Heightmap) -> Result<Option<Arc<Worn>>, Cancelled> {
        let (Some(new), old) = (after.worn(), self.before.worn()) else {
            return Ok(None);
        };
        if old.is_some_and(|old| Arc::ptr_eq(old, new)) {
            return Ok(Some(Arc::clone(new)));
        }
        let zeros = vec![0.0; self.before.columns()];
        let limited = |part: fn(&Worn) -> &Heights| {
            let (mut numbers, old) = (part(new).clone(), old.map(|old| part(old)));
            let pairs = |old: &Heights, numbers: &mut Heights, sign: f32| {
                let pairs = numbers.iter_mut().zip(old.iter());
                pairs.for_each(|(number, old)| *number = (*number + sign * old).max(0.0));
            };
            if let Some(old) = old {
                pairs(old, &mut numbers, -1.0);
            }
            self.each_row(&mut numbers, |quantities, _, numbers| {
                self.span.mix(self.share, quantities, &zeros, numbers);
            })?;
            if let Some(old) = old {
                pairs(old, &mut numbers, 1.0);
            }
            Ok(numbers)
        };
        Ok(Some(Arc::new(Worn {
            wear: limited(|worn| &worn.wear)?,
            sediment: limited(|worn| &worn.sediment)?,
        })))
    }

    /// Weight of every sample.
    fn weights(&self) -> Result<Heights, MaskError> {
        // Blending from 0 to 1 gives the weight itself.
        let zeros = vec![0.0; self.before.columns()];
        let mut weights = room(self.before)?;
        weights.fill(1.0);
        self.each_row(&mut weights, |quantities, _, out| {
            self.span.mix(self.share, quantities, &zeros, out);
        })?;
        Ok(weights)
    }

    /// Call `finish` with the quantities of each row, the land and the row of `out`.
    fn each_row(
        &self,
        out: &mut [f32],
        finish: impl Fn(&[f32], &[f32], &mut [f32]) + Sync,
    ) -> Result<(), Cancelled> {
        let relief = Relief::of(self.before, self.tile_size_m);
        let columns = self.before.columns();
        let start = || (self.quantity.rows(), vec![0.0; columns]);
        relief.each_row_with(
            out,
            &self.job,
            start,
            |(fill, quantities), row, window, out| {
                fill(row, window, quantities);
                finish(quantities, &window.here[1..=columns], out);
            },
        )
    }
}

/// Allocate a number for each sample of `map`.
fn room(map: &Heightmap) -> Result<Heights, MaskError> {
    let bytes = size_of_val(map.heights()) as u64;
    Heights::zeros(map.heights().len()).ok_or(MaskError::OutOfMemory { bytes })
}

/// True if opposite edges are equal, bit for bit.
fn meets(map: &Heightmap) -> bool {
    let same = |a: &f32, b: &f32| a.to_bits() == b.to_bits();
    let last = map.columns() - 1;
    let mut rows = (0..map.rows()).map(|row| map.row(row));
    let sides = rows.all(|row| same(&row[0], &row[last]));
    let (north, south) = (map.row(0), map.row(map.rows() - 1));
    sides && north.iter().zip(south).all(|(a, b)| same(a, b))
}

/// Copy `map`, into the memory of `spare` if it fits.
///
/// # Errors
/// There is not enough memory, or the job was cancelled.
pub(crate) fn copy(
    map: &Heightmap,
    spare: Option<Heights>,
    job: &Job,
) -> Result<Heightmap, MaskError> {
    let heights = map.heights();
    let fitting = spare.filter(|spare| spare.len() == heights.len());
    let mut to = match fitting {
        Some(to) => to,
        None => room(map)?,
    };
    const BAND: usize = 1 << 16;
    let bands = to.chunks_mut(BAND).zip(heights.chunks(BAND));
    parallel::par_items(bands)
        .try_each(|_, (to, from)| job.check().map(|()| to.copy_from_slice(from)))?;
    let copy = Heightmap::new(map.rows(), map.columns(), map.wraps(), to);
    let copy = copy.with_worn(map.worn().cloned());
    Ok(copy.with_valid(map.valid().cloned()).with_base(map.base()))
}
