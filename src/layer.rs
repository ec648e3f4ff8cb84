//! Layers: further maps laid over the ground, each made by any generator, so that craters on
//! hills or faults through a fractal are settings and not code.

use rayon::prelude::*;
use serde::{Deserialize, Serialize, Serializer};

use crate::generate::{GenerateError, Generator, Surface};
use crate::heightmap::Heightmap;
use crate::job::{Cancelled, Job};
use crate::param::{OutOfRange, Param, Params, check_all, check_order};
use crate::{choice, choice_param, float_param, int_param, switch_param};

/// Most layers over the ground; with it that makes four generators.
pub const MOST_LAYERS: usize = 3;

choice! {
    /// How a layer meets the land below it: land height g, layer height l, weight w.
    pub enum Operation: "operation" {
        #[default]
        Add = "add", "Laid on top: g + w·l.";
        Multiply = "multiply", "Relief where the layer is high: g·(1 + w·(l − 1)).";
        Max = "max", "Whichever is higher: max(g, w·l).";
        Min = "min", "Whichever is lower, which cuts: min(g, w·l).";
        Blend = "blend", "By height: below `from` the land, above `to` the layer (share w of it).";
    }
}

/// One map laid over the ground.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Layer {
    /// Whether it is there; default on.
    pub on: bool,
    /// How it meets the land below; default add.
    pub operation: Operation,
    /// w: how much of it, −100…100; default 1. Of `blend` at 1 the layer alone is left on top.
    pub weight: f32,
    /// `blend`: height in half tiles below which the land stays, −1000…1000; default 0.
    pub from: f32,
    /// `blend`: height from which the layer replaces the land, −1000…1000, at least `from`;
    /// default 0.3. Between the two it comes in smoothly.
    pub to: f32,
    /// The layer is repeated this many times along each side of the tile, 1…16; default 1. More
    /// than once needs a generator that wraps.
    pub repeat: u32,
    /// Whether it has its own number of iterations; default off, as many as the ground, so that
    /// both gain detail together. Where sizes differ it is interpolated (cubic, through every
    /// sample).
    pub own_size: bool,
    /// The map: generator, seed and so on, as for the ground; `iterations` count with `own_size`
    /// only, `tile_size_m` never. In files only what is not as by default.
    #[serde(serialize_with = "sparse")]
    pub surface: Surface,
}

impl Default for Layer {
    fn default() -> Self {
        Self {
            on: true,
            operation: Operation::default(),
            weight: 1.0,
            from: 0.0,
            to: 0.3,
            repeat: 1,
            own_size: false,
            surface: Surface::default(),
        }
    }
}

impl Params for Layer {
    const PARAMS: &'static [Param<Self>] = &[
        switch_param!(on, "On", "Whether this layer is there."),
        choice_param!(operation: Operation, "Operation", "How the layer meets the land below it."),
        float_param!(
            weight,
            "Weight",
            "",
            -100.0,
            100.0,
            slider(-2.0, 2.0),
            "How much of the layer: its heights times this."
        ),
        float_param!(
            from,
            "From",
            "half tiles",
            -1000.0,
            1000.0,
            slider(-1.0, 1.0),
            "Blend: the land below this height stays as it is."
        ),
        float_param!(
            to,
            "To",
            "half tiles",
            -1000.0,
            1000.0,
            slider(-1.0, 1.0),
            "Blend: above this height the layer has taken the land's place."
        ),
        int_param!(repeat, "Repeat", "× tiles", 1, 16, slider 16,
            "The layer is repeated this many times along each side. Needs a generator that wraps."),
        switch_param!(
            own_size,
            "Own size",
            "The layer has its own iterations and is interpolated. Off: as fine as the ground."
        ),
    ];

    fn check(&self, table: &str) -> Result<(), OutOfRange> {
        check_all(self, table)?;
        check_order(table, ("from", self.from), ("to", self.to))?;
        let surface = format!("{table}.surface");
        self.surface.check(&surface)?;
        self.surface.check_options(&surface)?;
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

impl Layer {
    /// The map to make for ground of that many iterations.
    #[must_use]
    pub fn ground(&self, iterations: u32) -> Surface {
        let mut surface = self.surface.clone();
        if !self.own_size {
            surface.iterations = iterations;
        }
        surface
    }

    /// Lays `layer`, the map of [`Layer::ground`], over `land`, which may have any size: where
    /// the sizes differ the layer is interpolated. The land then wraps if both did. Cost: once
    /// through both arrays.
    ///
    /// # Errors
    /// `repeat` above 1 for a layer that does not wrap; the job was cancelled.
    pub fn lay_over(
        &self,
        land: Heightmap,
        layer: &Heightmap,
        job: &Job,
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
        let down = Axis::new(layer.rows(), rows, self.repeat, layer.wraps());
        let across: Vec<Place> = {
            let axis = Axis::new(layer.columns(), columns, self.repeat, layer.wraps());
            (0..columns).map(|column| axis.place(column)).collect()
        };
        let mut heights = land.into_heights();
        heights
            .par_chunks_mut(columns)
            .enumerate()
            .with_min_len(16)
            .try_for_each(|(row, land)| {
                job.check()?;
                let place = down.place(row);
                let lines = place.samples.map(|index| layer.row(index));
                for (g, across) in land.iter_mut().zip(&across) {
                    let l = if place.exact && across.exact {
                        lines[1][across.samples[1]]
                    } else {
                        cubic(
                            lines.map(|line| {
                                cubic(across.samples.map(|index| line[index]), across.t)
                            }),
                            place.t,
                        )
                    };
                    *g = self.meet(*g, l);
                }
                Ok::<(), Cancelled>(())
            })?;
        Ok(Heightmap::new(rows, columns, wraps, heights))
    }

    /// One sample of land under one of the layer.
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

    /// How far `blend` has gone over to the layer at a height of the land, 0…1.
    fn share(&self, g: f32) -> f32 {
        if g >= self.to {
            return 1.0;
        }
        if g <= self.from {
            return 0.0;
        }
        let t = (g - self.from) / (self.to - self.from);
        t * t * (3.0 - 2.0 * t)
    }
}

/// How samples along one side of the land fall between those of the layer.
struct Axis {
    /// Cells of the layer along the side, at least 0.
    cells: usize,
    /// Cells of the land.
    over: usize,
    repeat: usize,
    wraps: bool,
}

/// Where a sample of the land falls: between the middle two of four samples of the layer.
struct Place {
    samples: [usize; 4],
    /// Share of the way from the second to the third.
    t: f32,
    /// Whether it is exactly on the second.
    exact: bool,
}

impl Axis {
    fn new(samples: usize, over: usize, repeat: u32, wraps: bool) -> Self {
        Self {
            cells: samples - 1,
            over: (over - 1).max(1),
            repeat: repeat as usize,
            wraps,
        }
    }

    fn place(&self, index: usize) -> Place {
        // In whole numbers, so that the same spot is the same place in a finer map.
        let scaled = index * self.cells * self.repeat;
        let (whole, rest) = (scaled / self.over, scaled % self.over);
        let sample = |by: isize| {
            let at = whole as isize + by;
            match self.cells {
                0 => 0,
                cells if self.wraps => at.rem_euclid(cells as isize) as usize,
                cells => at.clamp(0, cells as isize) as usize,
            }
        };
        Place {
            samples: [sample(-1), sample(0), sample(1), sample(2)],
            t: (rest as f64 / self.over as f64) as f32,
            exact: rest == 0,
        }
    }
}

/// Catmull and Rom's cubic (1974) through the middle two of four evenly spaced samples.
fn cubic([a, b, c, d]: [f32; 4], t: f32) -> f32 {
    let slope = 0.5 * (c - a);
    let second = a - 2.5 * b + 2.0 * c - 0.5 * d;
    let third = 0.5 * (d - a) + 1.5 * (b - c);
    b + t * (slope + t * (second + t * third))
}

/// A surface as a table of what is not as by default.
fn sparse<S: Serializer>(surface: &Surface, to: S) -> Result<S::Ok, S::Error> {
    use serde::ser::Error;
    let table = |surface: &Surface| toml::Table::try_from(surface).map_err(S::Error::custom);
    let mut all = table(surface)?;
    prune(&mut all, &table(&Surface::default())?);
    all.serialize(to)
}

/// Takes out of `table` what `default` holds as well.
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
    /// The layer as a TOML table, every key written out.
    pub(crate) fn to_table(&self) -> toml::Table {
        let mut table = toml::Table::try_from(self).expect("a layer is plain data");
        let mut surface = toml::Table::try_from(&self.surface).expect("a surface is plain data");
        let no_pins = toml::Value::Array(Vec::new());
        surface.entry("pins").or_insert(no_pins);
        table.insert("surface".to_owned(), surface.into());
        table
    }
}
