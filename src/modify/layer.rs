//! Layers: further maps composited over the ground. Any generator can make one, so craters on hills or faults
//! through a fractal are settings and not code.

use serde::{Serialize, Serializer};

use crate::generate::{GenerateError, Generator, Surface};
use crate::modify::mask::{self, Context, Mask, is_full};
use crate::modify::name::{Named, check_name};
use crate::terrain::heightmap::Heightmap;
use crate::terrain::resample;
use crate::util::language::mark;
use crate::util::numbers::smoothstep;
use crate::util::param::{
    OutOfRange, Param, Params, check_all, check_order, choice, choice_param, float_param,
    int_param, options, switch_param, to_table,
};

/// Largest number of layers over the ground; together with the ground's that makes four generators.
pub const MOST_LAYERS: usize = 3;

choice! {
    /// Compositing operation of a layer over the land below it: land height g, layer height l, weight w.
    pub enum Operation: "operation" {
        #[default]
        Add = "add", "The sum of both: g + w·l.";
        Multiply = "multiply", "Relief where the layer is high: g·(1 + w·(l − 1)).";
        Max = "max", "Whichever is higher: max(g, w·l).";
        Min = "min", "Whichever is lower, which cuts: min(g, w·l).";
        Blend = "blend", "By height: below `from` the land, above `to` the layer (share w of it).";
    }
}

options! {
    /// Map composited over the ground.
    pub struct Layer {
        /// Name of at most 60 characters, for people only; default empty, which stands for that of the generator.
        #[serde(skip_serializing_if = "String::is_empty")]
        pub name: String,
        /// Layer on or off; default on.
        pub on: bool = true,
        /// Solo: of all layers and modifiers only the soloed ones act; default off.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        pub solo: bool,
        /// Strength: blend from the land below, 0, to the result of the layer, 1; default 1. At 0 it costs
        /// nothing. Unlike `weight` it has the same meaning for every operation.
        #[serde(skip_serializing_if = "is_full")]
        pub strength: f32 = 1.0,
        /// Mask of the layer; default everywhere.
        #[serde(skip_serializing_if = "Mask::is_default")]
        pub mask: Mask,
        /// Compositing operation; default add.
        pub operation: Operation,
        /// Weight w, −100…100; default 1. With `blend` at 1 only the layer is left on top.
        pub weight: f32 = 1.0,
        /// Height for `blend` in half tiles, below which the land stays, −1000…1000; default 0.
        pub from: f32 = 0.0,
        /// Height for `blend` in half tiles from which the layer replaces the land, −1000…1000, at least
        /// `from`; default 0.3. Between the two heights the layer fades in smoothly.
        pub to: f32 = 0.3,
        /// Repetitions of the layer along each side of the tile, 1…16; default 1. More than one needs a
        /// generator that wraps.
        pub repeat: u32 = 1,
        /// Own number of iterations; default off, which uses that of the ground, so that both gain detail
        /// together. If sizes differ, the layer is interpolated (cubic, through every sample).
        pub own_size: bool,
        /// Surface of the layer: generator, seed and so on, as for the ground. `iterations` is used only with
        /// `own_size`, and `tile_size_m` never. Files hold only the differences from the defaults.
        #[serde(serialize_with = "sparse")]
        pub surface: Surface,
    }
}

impl Params for Layer {
    const KEPT: &'static [&'static str] = &["on", "solo", "repeat", "own_size"];

    fn unused(&self, key: &str) -> Option<&'static str> {
        let is_blend = self.operation == Operation::Blend;
        (matches!(key, "from" | "to") && !is_blend)
            .then_some(mark("works only with the operation `blend`"))
    }

    const PARAMS: &'static [Param<Self>] = &[
        switch_param!(on, "On", "Layer on/off."),
        switch_param!(
            solo,
            "Solo",
            "Of all layers and modifiers, only this one acts; several can be soloed."
        ),
        float_param!(strength, "Strength", "", 0.0, 1.0, slider: (0.0, 1.0),
            "Strength of the layer: 0 changes nothing, 0.5 is half way from the land below to the \
             result."),
        choice_param!(operation: Operation, "Operation", "How the layer is combined with the land \
                                             below it."),
        float_param!(weight, "Weight", "", -100.0, 100.0, slider: (-2.0, 2.0),
            "Factor by which the layer's heights are multiplied."),
        float_param!(from, "From", "half tiles", -1000.0, 1000.0, slider: (-1.0, 1.0),
            "Blend: the land below this height stays as it is."),
        float_param!(to, "To", "half tiles", -1000.0, 1000.0, slider: (-1.0, 1.0),
            "Blend: above this height the layer replaces the land."),
        int_param!(repeat, "Repeat", "times", 1, 16, slider 16,
            "The layer is repeated this many times along each side. Needs a generator that wraps."),
        switch_param!(
            own_size,
            "Custom size",
            "The layer has its own number of iterations and is interpolated. Off: as fine as the \
             ground."
        ),
    ];

    fn check(&self, table: &str) -> Result<(), OutOfRange> {
        check_all(self, table)?;
        check_order(table, ("from", self.from), ("to", self.to))?;
        check_name(&self.name, table)?;
        self.mask.check(&format!("{table}.mask"))?;
        let surface = format!("{table}.surface");
        self.surface.check(&surface)?;
        if self.surface.generator == Generator::Midpoint1d {
            return Err(OutOfRange {
                key: format!("{surface}.generator"),
                value: self.surface.generator.to_string(),
                allowed: "any other: a layer is a surface, not a profile".to_owned(),
            });
        }
        Ok(())
    }
}

impl Named for Layer {
    fn name(&self) -> &str {
        &self.name
    }

    fn name_mut(&mut self) -> &mut String {
        &mut self.name
    }

    fn kind_name(&self) -> &'static str {
        self.surface.generator.name()
    }
}

impl Layer {
    /// True if the layer can change the land: it is on and has a strength.
    #[must_use]
    pub fn acts(&self) -> bool {
        self.on && self.strength > 0.0
    }

    /// True if the layer acts in part only, so that the land below is needed as well.
    #[must_use]
    pub fn acts_in_part(&self) -> bool {
        self.acts() && (self.strength < 1.0 || !self.mask.is_none())
    }

    /// Surface to generate over ground of `iterations`.
    #[must_use]
    pub fn surface_at(&self, iterations: u32) -> Surface {
        let mut surface = self.surface.clone();
        if !self.own_size {
            surface.iterations = iterations;
        }
        surface
    }

    /// Composite `layer`, the map of [`Layer::surface_at`], over `land`, which may have any size: if sizes
    /// differ the layer is interpolated. The result wraps if both did. Cost: one pass through both arrays,
    /// and with a mask or a strength below 1 a temporary copy of the land.
    ///
    /// # Errors
    /// `repeat` is above 1 for a layer that does not wrap, the mask failed, or the job was cancelled.
    pub fn lay_over(
        &self,
        land: Heightmap,
        layer: &Heightmap,
        context: &Context<'_>,
    ) -> Result<Heightmap, GenerateError> {
        self.lay_beside(None, land, layer, context)
    }

    /// Composite like [`Layer::lay_over`], without a copy if `before` equals the land.
    pub(crate) fn lay_beside(
        &self,
        before: Option<&Heightmap>,
        land: Heightmap,
        layer: &Heightmap,
        context: &Context<'_>,
    ) -> Result<Heightmap, GenerateError> {
        if self.strength <= 0.0 {
            return Ok(land);
        }
        if self.mask.is_none() && self.strength >= 1.0 {
            return self.lay_everywhere(land, layer, context);
        }
        let copied;
        let before = match before {
            Some(before) => before,
            None => {
                copied = mask::copy(&land, None, context.job)?;
                &copied
            }
        };
        let limit = self.mask.over(before, self.strength, context)?;
        let laid = self.lay_everywhere(land, layer, context)?;
        match limit {
            Some(limit) => Ok(limit.apply(laid)?),
            None => Ok(laid),
        }
    }

    fn lay_everywhere(
        &self,
        land: Heightmap,
        layer: &Heightmap,
        context: &Context<'_>,
    ) -> Result<Heightmap, GenerateError> {
        if self.repeat > 1 && !layer.wraps() {
            return Err(GenerateError::OutOfRange(OutOfRange {
                key: "repeat".to_owned(),
                value: self.repeat.to_string(),
                allowed: "1 for a layer that does not wrap".to_owned(),
            }));
        }
        let (rows, columns) = (land.rows(), land.columns());
        let wraps = land.wraps() && layer.wraps();
        // Missing data of a layer must not make holes in the land.
        let valid = land.valid().cloned();
        let mut heights = land.into_heights();
        let meet = |g, l| self.meet(g, l);
        resample::onto(layer, self.repeat, &mut heights, columns, context.job, meet)?;
        let laid = Heightmap::new(rows, columns, wraps, heights).checked()?;
        Ok(laid.with_valid(valid))
    }

    /// Result at a sample of land g and a sample of the layer l.
    fn meet(&self, g: f32, l: f32) -> f32 {
        let w = self.weight;
        match self.operation {
            Operation::Add => g + w * l,
            Operation::Multiply => g * (1.0 + w * (l - 1.0)),
            Operation::Max => g.max(w * l),
            Operation::Min => g.min(w * l),
            Operation::Blend => g + w * self.share(g) * (l - g),
        }
    }

    /// Share of the layer in `blend` at a height g of the land, 0…1.
    fn share(&self, g: f32) -> f32 {
        if g >= self.to {
            return 1.0;
        }
        if g <= self.from {
            return 0.0;
        }
        smoothstep((g - self.from) / (self.to - self.from))
    }
}

/// Serialize only the differences of a surface from the defaults.
fn sparse<S: Serializer>(surface: &Surface, to: S) -> Result<S::Ok, S::Error> {
    let mut all = to_table(surface);
    prune(&mut all, &to_table(&Surface::default()));
    all.serialize(to)
}

/// Remove from `table` all entries that equal those of `default`.
fn prune(table: &mut toml::Table, default: &toml::Table) {
    table.retain(|key, value| match (value, default.get(key)) {
        (toml::Value::Table(inner), Some(toml::Value::Table(default))) => {
            prune(inner, default);
            !inner.is_empty()
        }
        (value, other) => Some(&*value) != other,
    });
}

impl Layer {
    /// Serialize the layer as a TOML table with every key written out.
    pub(crate) fn to_table(&self) -> toml::Table {
        let mut table = to_table(self);
        table.entry("name").or_insert("".into());
        table.entry("solo").or_insert(self.solo.into());
        table.entry("strength").or_insert(1.0.into());
        table.insert("mask".to_owned(), self.mask.to_table().into());
        let mut surface = to_table(&self.surface);
        self.surface.write_out(&mut surface);
        table.insert("surface".to_owned(), surface.into());
        table
    }
}
