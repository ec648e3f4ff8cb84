//! Settings of procedural detail: levels of detail finer than the map's samples.

use super::MAX_ITERATIONS_TILED;
use crate::fractal::refinement::Refinement;
use crate::util::param::{
    Field, OutOfRange, Param, Params, check_all, choice, float_param, int_param, options,
    parse_numbers,
};

choice! {
    /// Floating-point precision of heights.
    pub enum Precision: "precision" {
        #[default]
        Auto = "auto", "32 bits in maps of up to 31 iterations; below level 20, 64 bits where the \
                ground continues below its last iteration or has more than 31.";
        Double = "double", "64 bits below level 20, also in maps of 21 to 31 iterations.";
    }
}

options! {
    /// Procedural detail finer than the map's samples.
    pub struct Detail {
        /// Hurst exponent of the finer levels, 0…1; default none, which uses the ground's: that of its
        /// generator, or else the one measured from its heights. An unmodified formula then gets no detail
        /// beyond its own.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub hurst: Option<f32>,
        /// Factor of all finer displacements, 0…10; default 1, which continues the ground's roughness.
        pub strength: f32 = 1.0,
        /// Largest number of finer levels that a picture shows, 0…60; default 60, the resolution of 64-bit
        /// numbers. Files get as many levels as are requested.
        pub levels: u32 = Refinement::MOST_LEVELS,
        /// Floating-point precision of heights; default auto. It has no control on the panel: only maps of
        /// 21 to 31 iterations are affected.
        pub precision: Precision,
    }
}

impl Params for Detail {
    const KEPT: &'static [&'static str] = &["levels"];

    const EMPTY: &'static str = "as the ground";
    const ADVANCED: &'static [&'static str] = &["hurst", "levels"];

    const SYNONYMS: &'static [(&'static str, &'static str)] =
        &[("strength", "fine relief, micro detail, roughness close by")];

    const PARAMS: &'static [Param<Self>] = &[
        Param {
            key: "hurst",
            label: "Detail H",
            unit: "",
            help: "Roughness of the levels below the last iteration, 0 to 1: near 0 is jagged, \
                   near 1 smooth. If empty, they continue the ground: with the H of its \
                   generator, or with the measured H if the generator has none; a formula \
                   without layers or modifiers then has only its own detail. For unmodified \
                   diamond-square, a different H makes these levels differ from those that more \
                   iterations would give.",
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
        float_param!(strength, "Detail strength", "", 0.0, 10.0, slider: (0.0, 2.0),
            "Roughness of the levels below the last iteration, relative to the ground: 1 is as \
             rough as the ground, 0 leaves it smooth between its samples."),
        int_param!(levels, "Detail levels", "levels", 0, Refinement::MOST_LEVELS, slider 60,
            "Largest number of levels below the last iteration that the picture shows, each \
             halving the distance between samples; 60 is the limit of the numbers' precision. \
             Exported files have the number of levels that you ask for."),
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

/// Parse a Hurst exponent; `None` for an empty text.
fn hurst(text: &str) -> Result<Option<f32>, String> {
    match parse_numbers(text).as_deref() {
        Ok([]) => Ok(None),
        Ok([hurst]) if (0.0..=1.0).contains(hurst) => Ok(Some(*hurst)),
        _ => Err("a number from 0 to 1, or nothing".to_owned()),
    }
}

impl Detail {
    /// Deepest level with heights of 32 bits, for a map of `iterations` with `levels` finer levels.
    pub(super) fn single_to(&self, iterations: u32, levels: u32) -> u32 {
        let published = levels == 0 && iterations <= MAX_ITERATIONS_TILED;
        if published && self.precision == Precision::Auto {
            MAX_ITERATIONS_TILED
        } else {
            Refinement::SINGLE_TO
        }
    }
}
