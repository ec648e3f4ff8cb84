//! How the ground goes on below its last iteration.

use serde::{Deserialize, Serialize};

use super::MAX_ITERATIONS_TILED;
use crate::fractal::refinement::Refinement;
use crate::param::{OutOfRange, Param, Params, choice};

choice! {
    /// How many bits heights have.
    pub enum Precision: "precision" {
        #[default]
        Auto = "auto", "32 bits in maps of up to 31 iterations; below level 20 64 bits where the ground goes on below its last iteration, or has more than 31.";
        Double = "double", "64 bits below level 20, also in maps of 21 to 31 iterations.";
    }
}

/// How the ground goes on below its last iteration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Detail {
    /// Hurst exponent of the levels below, 0…1; default none, which stands for that of the ground:
    /// the one that its generator takes, else the one that its heights have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hurst: Option<f32>,
    /// Factor of all displacements below, 0…10; default 1, as rough as the ground is.
    pub strength: f32,
    /// How many bits heights have; default auto.
    pub precision: Precision,
}

impl Default for Detail {
    fn default() -> Self {
        Self {
            hurst: None,
            strength: 1.0,
            precision: Precision::default(),
        }
    }
}

impl Params for Detail {
    /// None has a control: files alone go on below.
    const PARAMS: &'static [Param<Self>] = &[];

    fn check(&self, table: &str) -> Result<(), OutOfRange> {
        let within = |key: &str, value: f32, most: f32| match value {
            value if (0.0..=most).contains(&value) => Ok(()),
            value => Err(OutOfRange {
                key: format!("{table}.{key}"),
                value: value.to_string(),
                allowed: format!("0 to {most}"),
            }),
        };
        within("hurst", self.hurst.unwrap_or_default(), 1.0)?;
        within("strength", self.strength, 10.0)
    }
}

impl Detail {
    /// The deepest level with heights of 32 bits, of a map of so many `iterations` with so many
    /// `levels` below.
    pub(super) fn single_to(&self, iterations: u32, levels: u32) -> u32 {
        let published = levels == 0 && iterations <= MAX_ITERATIONS_TILED;
        if published && self.precision == Precision::Auto {
            MAX_ITERATIONS_TILED
        } else {
            Refinement::SINGLE_TO
        }
    }
}
