//! How the ground goes on below its last iteration.

use serde::{Deserialize, Serialize};

use super::MAX_ITERATIONS_TILED;
use crate::fractal::refinement::Refinement;
use crate::param::{
    Field, OutOfRange, Param, Params, check_all, choice, float_param, int_param, parse_numbers,
};

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
    /// the one that its generator takes, else the one that its heights have. An untouched formula
    /// then has no detail but its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hurst: Option<f32>,
    /// Factor of all displacements below, 0…10; default 1, as rough as the ground is.
    pub strength: f32,
    /// The most levels below the last iteration that a picture shows, 0…60; default 60, as many as
    /// 64 bits tell apart. Files have as many levels as they are asked for.
    pub levels: u32,
    /// How many bits heights have; default auto. It has no control: only maps of 21 to 31 iterations
    /// know of it.
    pub precision: Precision,
}

impl Default for Detail {
    fn default() -> Self {
        Self {
            hurst: None,
            strength: 1.0,
            levels: Refinement::MOST_LEVELS,
            precision: Precision::default(),
        }
    }
}

impl Params for Detail {
    const KEPT: &'static [&'static str] = &["levels"];

    const EMPTY: &'static str = "as the ground";
    const PARAMS: &'static [Param<Self>] = &[
        Param {
            key: "hurst",
            label: "Detail H",
            unit: "",
            help: "Roughness of the levels below the last iteration, 0 to 1: near 0 jagged, near 1 \
                   smooth. While empty they go on as the ground does: with the H of its generator, or \
                   the one that is measured where that has none; a formula that nothing touches \
                   then has no detail but its own. Another H than that of untouched diamond-square \
                   makes its levels below others than those of more iterations.",
            field: Field::Text {
                get: |owner| {
                    owner
                        .hurst
                        .map_or_else(String::new, |hurst| hurst.to_string())
                },
                set: |owner, text| owner.hurst = hurst(text).unwrap_or(owner.hurst),
                check: |_, text| hurst(text).map(|_| ()),
            },
        },
        float_param!(
            strength,
            "Detail strength",
            "",
            0.0,
            10.0,
            slider(0.0, 2.0),
            "How rough the levels below the last iteration are: 1 is as rough as the ground is, 0 \
             leaves it smooth between its samples."
        ),
        int_param!(levels, "Detail levels", "levels", 0, Refinement::MOST_LEVELS, slider 60,
            "The most levels below the last iteration that the picture shows, each with samples half \
             as far apart; 60 is as many as numbers can tell apart. Files have as many as they are \
             asked for."),
    ];

    fn check(&self, table: &str) -> Result<(), OutOfRange> {
        match self.hurst {
            Some(hurst) if !(0.0..=1.0).contains(&hurst) => Err(OutOfRange {
                key: format!("{table}.hurst"),
                value: hurst.to_string(),
                allowed: "0 to 1".to_owned(),
            }),
            _ => check_all(self, table),
        }
    }
}

/// The H that a text names; none if it is empty.
fn hurst(text: &str) -> Result<Option<f32>, String> {
    match parse_numbers(text).as_deref() {
        Ok([]) => Ok(None),
        Ok([hurst]) if (0.0..=1.0).contains(hurst) => Ok(Some(*hurst)),
        _ => Err("a number from 0 to 1, or nothing".to_owned()),
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
