//! Terrain modifiers: an ordered list of steps, each applied to the result of the previous one.
//!
//! A modifier is one file with a struct of options that implements `Modify`, and one row in the list
//! below. The panel, the command line and the scene file are derived from it.
//!
//! All modifiers give the same bits for any number of threads, turn no finite height into NaN, and cost
//! at most ten times as much as writing the array once, except `erosion`, `thermal` and `fans`, which are
//! simulations, and `strata`, which costs twice as much. A map that wraps still wraps afterwards, bit
//! for bit. Lengths are shares of the map or, in `strata`, metres, not samples, so that a scene looks
//! the same at any number of iterations; only `smooth-detail` works on the samples themselves.

use std::sync::{Arc, Weak};

use crate::generate::GenerateError;
use crate::terrain::heightmap::{Heightmap, WildHeight};
use crate::util::job::Cancelled;
use crate::util::language::{mark, tr};
use crate::util::param::{
    OutOfRange, Param, Params, TableVisitor, Tables, check_all, choice_param, float_param, kinds,
    switch_param,
};
use canvas::{Canvas, Modify};
use mask::{Mask, MaskError, copy, is_full};

pub mod blur;
mod canvas;
pub mod clamp;
pub mod curve;
pub mod domain_warp;
pub mod edge_fade;
pub mod erosion;
pub mod fans;
pub mod flatten;
pub mod invert;
pub mod island;
pub mod layer;
pub mod level;
pub mod mask;
mod name;
pub mod normalize;
pub mod perlin_blend;
pub mod power;
pub mod quantize;
mod scalar;
pub mod smooth_detail;
pub mod stitch;
pub mod strata;
pub mod terrace;
pub mod thermal;

pub use mask::Context;
pub(crate) use name::check_name;
pub use name::{MOST_NAME_LETTERS, Named};

kinds! {
    /// One step of the list: its kind, strength and mask, and the options of every kind.
    pub struct Modifier by kind {
        /// Kind of the modifier; default `normalize`.
        pub kind: ModifierKind,
        /// Name of at most 60 characters, for people only; default empty, which stands for that of the kind.
        #[serde(skip_serializing_if = "String::is_empty")]
        pub name: String,
        /// True to apply the step; default on.
        pub on: bool = true,
        /// True to apply only this step, and other soloed ones, of all layers and modifiers; default
        /// off.
        #[serde(skip_serializing_if = "is_default")]
        pub solo: bool,
        /// Weight of the step's result against the heights before it, 0…1; default 1. At 0 the step
        /// costs nothing.
        #[serde(skip_serializing_if = "is_full")]
        pub strength: f32 = 1.0,
        /// Smoothing radius of the mask of `erosion`, `thermal` and `fans`, in metres, 0…100,000; default 100.
        /// Erosion of a sample depends on its surroundings, so a mask with single excluded samples
        /// would leave needles.
        #[serde(skip_serializing_if = "is_usual_radius")]
        pub mask_radius: f32 = MASK_RADIUS_M,
        /// Mask of the step; default everywhere.
        #[serde(skip_serializing_if = "Mask::is_default")]
        pub mask: Mask,
    }

    /// Kind of modifier.
    pub enum ModifierKind: "modifier" as Modify
    each #[serde(skip_serializing_if = "is_default")]
    {
        #[default]
        Normalize = normalize: normalize::NormalizeOptions, "normalize",
            "Stretches the heights to a range.";
        Power = power: power::PowerOptions, "power",
            "Raises heights to a power: below 1 gives broad tops and gentle slopes, above 1 wide valleys.";
        Curve = curve: curve::CurveOptions, "curve",
            "Sends heights through a curve: wide valleys, plateaus or any other profile.";
        Level = level: level::LevelOptions, "level",
            "Raises or lowers the land: the same as a lower or a higher water level.";
        Flatten = flatten: flatten::FlattenOptions, "flatten",
            "Makes plains: heights in a band sink smoothly towards its lower bound.";
        SmoothDetail = smooth_detail: smooth_detail::SmoothDetailOptions, "smooth-detail",
            "Smooths the finest detail: each sample becomes the mean of its smallest square.";
        Stitch = stitch: stitch::StitchOptions, "stitch",
            "Brings opposite edges together, so that any map tiles.";
        EdgeFade = edge_fade: edge_fade::EdgeFadeOptions, "edge-fade",
            "Lowers the land gently towards the border.";
        Island = island: island::IslandOptions, "island",
            "Lowers the land gently all around, so that a round island remains.";
        PerlinBlend = perlin_blend: perlin_blend::PerlinBlendOptions, "perlin-blend",
            "Mixes in gradient noise on several grids: 0.8 heights, 0.2 noise.";
        Blur = blur: blur::BlurOptions, "blur",
            "Makes everything smoother, over any distance.";
        DomainWarp = domain_warp: domain_warp::DomainWarpOptions, "domain-warp",
            "Displaces heights sideways by noise, so that ridges and valleys wind.";
        Invert = invert: invert::InvertOptions, "invert",
            "Turns hills into hollows and hollows into hills.";
        Clamp = clamp: clamp::ClampOptions, "clamp",
            "Cuts off what is below one height or above another.";
        Terrace = terrace: terrace::TerraceOptions, "terrace",
            "Cuts the slopes into steps, like rice fields.";
        Strata = strata: strata::StrataOptions, "strata",
            "Shows the beds of layered rock: cliffs where it is hard, gentle slopes where it is soft.";
        Quantize = quantize: quantize::QuantizeOptions, "quantize",
            "Rounds the heights to a few levels, as if they were stored in bytes.";
        Erosion = erosion: erosion::ErosionOptions, "erosion",
            "Erosion by rivers and slides over long ages: cuts valleys, lets steep slopes slide \
             and fills hollows.";
        Thermal = thermal: thermal::ThermalOptions, "thermal",
            "Lets ground that is too steep slide down, so that cliffs become slopes of scree.";
        Fans = fans: fans::FansOptions, "fans",
            "Builds scree below walls, debris cones below gullies, and fans where valleys open.";
    }
}

impl Params for Modifier {
    const KEPT: &'static [&'static str] = &["kind", "on", "solo"];

    const PARAMS: &'static [Param<Self>] = &[
        choice_param!(kind: ModifierKind, "Modifier", "Operation applied to the heights."),
        switch_param!(on, "On", "Modifier on/off."),
        switch_param!(
            solo,
            "Solo",
            "Of all layers and modifiers, only this one acts; several can be soloed."
        ),
        float_param!(strength, "Strength", "", 0.0, 1.0, slider: (0.0, 1.0),
            "Strength of the step: 0 changes nothing, 0.5 is half way from before to after."),
        float_param!(mask_radius, "Mask radius", "m", 0.0, 100_000.0, slider: (0.0, 500.0),
            "Distance over which the mask is smoothed, so that no spikes remain where erosion and \
             slides are masked out."),
    ];

    fn unused(&self, key: &str) -> Option<&'static str> {
        match key {
            "mask_radius" if !self.smooths_mask() => Some(mark(
                "only the masks of `erosion`, `thermal` and `fans` are smoothed",
            )),
            "mask_radius" if self.mask.is_none() => Some(mark("there is no mask")),
            _ => None,
        }
    }

    fn check(&self, table: &str) -> Result<(), OutOfRange> {
        check_all(self, table)?;
        check_name(&self.name, table)?;
        self.mask.check(&format!("{table}.mask"))?;
        self.check_tables(table)
    }
}

impl Named for Modifier {
    fn name(&self) -> &str {
        &self.name
    }

    fn name_mut(&mut self) -> &mut String {
        &mut self.name
    }

    fn kind_name(&self) -> &'static str {
        self.kind.name()
    }
}

impl Modifier {
    /// Create a step of a kind with its default options, switched on.
    #[must_use]
    pub fn new(kind: ModifierKind) -> Self {
        Self {
            kind,
            ..Self::default()
        }
    }

    /// Check the strength, the mask and the options of every kind; `table` is the path of the step in
    /// the scene, such as `modifiers.0`.
    ///
    /// # Errors
    /// An option is outside its range; the first such is named.
    pub fn validate(&self, table: &str) -> Result<(), OutOfRange> {
        self.check(table)
    }

    /// The step as a TOML table, with every option of every kind written out.
    pub(crate) fn to_table(&self) -> toml::Table {
        let mut table = self.full_table();
        table.entry("name").or_insert("".into());
        table.entry("solo").or_insert(self.solo.into());
        table.entry("strength").or_insert(1.0.into());
        table.insert("mask".to_owned(), self.mask.to_table().into());
        table
            .entry("mask_radius")
            .or_insert(f64::from(MASK_RADIUS_M).into());
        table
    }

    /// Visit the step's own table, its mask's and those of every kind; `place` is the step's path in
    /// the scene.
    pub(crate) fn visit_tables(&mut self, place: &str, visitor: &mut impl TableVisitor) {
        visitor.visit(place, self);
        self.mask.visit_tables(&format!("{place}.mask"), visitor);
        self.visit_listed(place, visitor);
    }

    /// True if the step can change the map: it is on and has a strength.
    #[must_use]
    pub fn acts(&self) -> bool {
        self.on && self.strength > 0.0
    }

    /// True if the step acts in part only, so that the map before it is needed as well.
    #[must_use]
    pub fn acts_in_part(&self) -> bool {
        self.acts() && (self.strength < 1.0 || !self.mask.is_none())
    }

    /// True if the step acts and is so slow that it dominates the progress of the list.
    pub(crate) fn is_slow(&self) -> bool {
        self.acts() && self.chosen().is_slow()
    }

    /// True if the step's mask is smoothed, because its effect on a place depends on the land around.
    pub(crate) fn smooths_mask(&self) -> bool {
        self.chosen().smooths_mask()
    }

    /// Smoothing radius of the step's mask, in metres.
    pub(crate) fn mask_radius_m(&self) -> f32 {
        match self.smooths_mask() && !self.mask.is_none() {
            true => self.mask_radius,
            false => 0.0,
        }
    }

    /// True if the result depends on the context's water level.
    pub(crate) fn sees_water(&self) -> bool {
        self.mask.uses_water() || self.chosen().uses_water()
    }

    /// Apply the step to `map` in place, if it is on, weighted by its mask and its strength; solo is
    /// ignored here. The result depends on the map, the options and the context alone, not on the number
    /// of threads of the current rayon pool. A mask or a strength below 1 needs a temporary copy of the map.
    ///
    /// # Errors
    /// If an option is out of range, there is not enough memory, or the mask depends on something missing
    /// in the context, the map is unchanged. If the job was cancelled or a height would be out of range,
    /// its heights are unspecified.
    pub fn apply(&self, map: &mut Heightmap, context: &Context<'_>) -> Result<(), ModifyError> {
        self.apply_beside(None, map, context)
    }

    /// Apply the step everywhere and in full.
    fn modify(&self, map: &mut Heightmap, context: &Context<'_>) -> Result<(), ModifyError> {
        context.job.check()?;
        if map.heights().is_empty() {
            return Ok(());
        }
        let mut canvas = Canvas::take(map, *context);
        let done = self.chosen().modify(&mut canvas);
        *map = canvas.into_map();
        done?;
        Ok(map.check()?)
    }

    /// Apply the step like [`Modifier::apply`], without a copy if `before` is an equal map.
    fn apply_beside(
        &self,
        before: Option<&Heightmap>,
        map: &mut Heightmap,
        context: &Context<'_>,
    ) -> Result<(), ModifyError> {
        self.validate("modifier")?;
        if !self.acts() {
            return Ok(context.job.check()?);
        }
        if !self.acts_in_part() {
            return self.modify(map, context);
        }
        let copied;
        let before = match before {
            Some(before) => before,
            None => {
                copied = mask::copy(map, None, context.job)?;
                &copied
            }
        };
        let limit = match self.mask.over(before, self.strength, context)? {
            Some(limit) => Some(limit.smoothed(self.mask_radius_m())?),
            None => None,
        };
        self.modify(map, context)?;
        if let Some(limit) = limit {
            let after = std::mem::replace(map, Heightmap::new(0, 0, false, Vec::new()));
            *map = limit.apply(after)?;
        }
        Ok(())
    }
}

/// Reason why a map was not modified.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModifyError {
    /// The job was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// Option outside its range.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// Height outside the range that maps allow.
    #[error(transparent)]
    Wild(#[from] WildHeight),
    /// Failure of the mask.
    #[error(transparent)]
    Mask(MaskError),
    /// Not enough memory.
    #[error(
        "{}",
        tr!(
            "a modified map needs {} MB of memory, more than the system has",
            bytes >> 20
        )
    )]
    OutOfMemory {
        /// Size of the map in bytes.
        bytes: u64,
    },
}

impl ModifyError {
    /// Prefix the keys of the error with the step's place in the scene, `modifiers.index`.
    #[must_use]
    pub(crate) fn of_step(self, index: usize) -> Self {
        match self {
            Self::Mask(error) => Self::Mask(error.of(&format!("modifiers.{index}"))),
            error => error,
        }
    }
}

impl From<MaskError> for ModifyError {
    fn from(error: MaskError) -> Self {
        match error {
            MaskError::Cancelled(cancelled) => cancelled.into(),
            MaskError::OutOfMemory { bytes } => Self::OutOfMemory { bytes },
            error => Self::Mask(error),
        }
    }
}

impl From<ModifyError> for GenerateError {
    fn from(error: ModifyError) -> Self {
        match error {
            ModifyError::Cancelled(cancelled) => cancelled.into(),
            ModifyError::OutOfRange(out_of_range) => out_of_range.into(),
            ModifyError::Wild(wild) => wild.into(),
            ModifyError::Mask(error) => error.into(),
            ModifyError::OutOfMemory { bytes } => Self::OutOfMemory { bytes },
        }
    }
}

/// Default smoothing radius of the masks of simulations, in metres.
const MASK_RADIUS_M: f32 = 100.0;

fn is_usual_radius(radius: &f32) -> bool {
    *radius == MASK_RADIUS_M
}

fn is_default<T: Default + PartialEq>(options: &T) -> bool {
    *options == T::default()
}

/// Check the options against their ranges, and that `low` is not above `high`.
fn check_band<T: Params>(
    options: &T,
    table: &str,
    [low, high]: [f32; 2],
) -> Result<(), OutOfRange> {
    check_all(options, table)?;
    if low <= high {
        return Ok(());
    }
    Err(OutOfRange {
        key: format!("{table}.low"),
        value: low.to_string(),
        allowed: format!("at most high, which is {high}"),
    })
}

// Incremental evaluation of a list of modifiers: results between steps are cached, and a change
// recomputes only the steps from the first changed one on.

/// Memory for cached maps between steps, in bytes: fifteen maps of 1025², three of 2049², none from
/// 4097² on. For large maps the memory is worth more than the milliseconds, since every step costs at
/// most ten times as much as writing the map once; only the generated map and the result are kept.
const KEPT_BYTES: usize = 64 << 20;

/// Cache of the last evaluation: its steps, and the maps after some of them.
#[derive(Debug, Default)]
pub struct Chain {
    /// Input map of the steps. The reference is weak, so that the owner of the map can reuse its memory.
    source: Weak<Heightmap>,
    seed: u64,
    steps: Vec<Step>,
    /// Cached maps by the number of steps done, in rising order; the last is the result.
    kept: Vec<(usize, Arc<Heightmap>)>,
}

/// Applied step, and the water level if the step depends on it.
type Step = (Modifier, Option<f32>);

impl Chain {
    /// Apply every active step of `modifiers` to `source`, in order. Without such a step the result is
    /// `source` itself; without a change it is the same `Arc` as before. `applied` is called after each
    /// step that was applied, with its index in the list.
    ///
    /// A change of the water level counts as a change of those steps that depend on it. Tile size and
    /// images must be those of the map's generation.
    ///
    /// # Errors
    /// The same as those of [`Modifier::apply`]; the steps before the failed one stay cached.
    pub fn run(
        &mut self,
        source: &Arc<Heightmap>,
        modifiers: &[Modifier],
        context: &Context<'_>,
        applied: &mut dyn FnMut(usize),
    ) -> Result<Arc<Heightmap>, ModifyError> {
        let (indices, steps) = steps_on(modifiers, context);
        let count = steps.len();
        let unchanged = self.unchanged(source, &steps, context);
        let (done, from) = self.known(source, unchanged);

        self.source = Arc::downgrade(source);
        self.seed = context.seed;
        self.steps = steps;
        let room = KEPT_BYTES / size_of_val(source.heights()).max(1);
        // The next change is most likely in the same step, or else in one near the end.
        let keep = |done: usize| {
            done == count
                || (done < count && room > 0 && (done == unchanged || done + room > count))
        };
        let spare = match self.kept.last() {
            Some((last, _)) if *last > unchanged => self.kept.pop(),
            _ => None,
        };
        self.kept
            .retain(|(done, _)| *done <= unchanged && keep(*done));
        if done == count {
            return Ok(from);
        }
        let spare = spare.and_then(|(_, map)| Arc::into_inner(map));
        let mut map = copy(&from, spare.map(Heightmap::into_heights), context.job)?;
        // Map before a step, if it is in memory anyway.
        let mut source = Some(from);
        let slow = |steps: &[Step]| steps.iter().filter(|(step, _)| step.is_slow()).count();
        let all_slow = slow(&self.steps[done..]).max(1);
        let pending = self.steps.iter().zip(indices).enumerate().skip(done);
        for (before, ((step, _), index)) in pending {
            let beside = source.take();
            let job = &context.job.share(slow(&self.steps[done..before]), all_slow);
            let context = &Context { job, ..*context };
            step.apply_beside(beside.as_deref(), &mut map, context)
                .map_err(|error| error.of_step(index))?;
            applied(index);
            let done = before + 1;
            if done < count && keep(done) {
                let made = Arc::new(copy(&map, None, context.job)?);
                self.kept.push((done, Arc::clone(&made)));
                source = Some(made);
            }
        }
        let map = Arc::new(map);
        self.kept.push((count, Arc::clone(&map)));
        Ok(map)
    }

    /// Apply `modifiers` to `source` like [`Chain::run`], reading the cache but leaving it unchanged: for
    /// a look at the land before a step.
    ///
    /// # Errors
    /// The same as those of [`Chain::run`].
    pub fn after(
        &self,
        source: &Arc<Heightmap>,
        modifiers: &[Modifier],
        context: &Context<'_>,
    ) -> Result<Arc<Heightmap>, ModifyError> {
        let (indices, steps) = steps_on(modifiers, context);
        let (done, from) = self.known(source, self.unchanged(source, &steps, context));
        if done == steps.len() {
            return Ok(from);
        }
        let mut map = copy(&from, None, context.job)?;
        let mut beside = Some(from);
        for (index, (step, _)) in indices.into_iter().zip(steps).skip(done) {
            step.apply_beside(beside.take().as_deref(), &mut map, context)
                .map_err(|error| error.of_step(index))?;
        }
        Ok(Arc::new(map))
    }

    /// Number of leading `steps` that equal those of the last run over the same map.
    fn unchanged(&self, source: &Arc<Heightmap>, steps: &[Step], context: &Context<'_>) -> usize {
        if self.seed != context.seed || self.source.as_ptr() != Arc::as_ptr(source) {
            return 0;
        }
        let pairs = self.steps.iter().zip(steps);
        pairs.take_while(|(old, new)| old == new).count()
    }

    /// Cached map after as many as possible of the first `most` steps, and the number of these steps.
    fn known(&self, source: &Arc<Heightmap>, most: usize) -> (usize, Arc<Heightmap>) {
        let known = self.kept.iter().rev().find(|(done, _)| *done <= most);
        known.cloned().unwrap_or((0, Arc::clone(source)))
    }
}

/// Active steps, and their indices in the list.
fn steps_on(modifiers: &[Modifier], context: &Context<'_>) -> (Vec<usize>, Vec<Step>) {
    let on = modifiers.iter().enumerate().filter(|(_, step)| step.acts());
    let water = |step: &Modifier| context.water.filter(|_| step.sees_water());
    on.map(|(index, step)| (index, (step.clone(), water(step))))
        .unzip()
}
