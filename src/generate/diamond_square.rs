//! Generator `diamond-square` (Fournier, Fussell and Carpenter 1982; Martz 1996): its options, and
//! their translation into a [`Subdivision`], which implements the diamond step and the square step.

use super::{Generate, GenerateError, Request};
use crate::fractal::{Distribution, Edges, Rule, Subdivision, amplitude};
use crate::generate::pins::known_points;
use crate::terrain::heightmap::Heightmap;
use crate::util::param::{
    Field, Param, Params, choice, choice_param, format_numbers, int_param, options, parse_numbers,
};

choice! {
    /// Time at which the range of displacements shrinks.
    pub enum Scaling: "scaling" {
        #[default]
        PerPass = "per-pass", "After each pass: the diamond step and the square step share one range (Martz).";
        PerHalfStep = "per-half-step", "After each half step: the square step uses A·2^(−H/2) (Saupe).";
    }
}

options! {
    /// Options of `diamond-square`.
    pub struct DiamondSquareOptions {
        /// Distribution of displacements; default uniform.
        pub distribution: Distribution,
        /// Time at which the range of displacements shrinks; default per pass.
        pub scaling: Scaling,
        /// Border handling; default wrap.
        pub edges: Edges,
        /// Heights of the corners in half tiles before the height scale: north-west, north-east,
        /// south-west, south-east; default 0. Wrapped maps have one corner, so the four must be equal.
        pub corners: [f32; 4] = [0.0; 4],
        /// Strength w_k of each pass, the first pass first; passes beyond the list have 1.
        pub strengths: Vec<f32>,
        /// Level of the lattice of 2^level cells a side whose heights come from an input image or formula,
        /// 1…12; default 6.
        pub input_level: u32 = 6,
    }
}

impl Params for DiamondSquareOptions {
    const KEPT: &'static [&'static str] = &["edges", "input_level"];

    const PARAMS: &'static [Param<Self>] = &[
        Param {
            key: "edges",
            label: "Edges",
            unit: "",
            help: "What happens at the border of the map.",
            field: Field::Choice {
                get: |owner| owner.edges as usize,
                set: |owner, value| {
                    owner.edges = Edges::ALL[value];
                    if owner.edges == Edges::Wrap {
                        // A wrapped map has one corner only.
                        owner.corners = [owner.corners[0]; 4];
                    }
                },
                names: Edges::NAMES,
                helps: Edges::HELPS,
            },
        },
        choice_param!(distribution: Distribution, "Distribution", "Probability distribution of \
                                                   the random displacements."),
        choice_param!(scaling: Scaling, "Scaling", "When the range of displacements shrinks."),
        Param {
            key: "corners",
            label: "Corners",
            unit: "",
            help: "Heights of the corners as multiples of the height scale: north-west, north-east, \
                   south-west, south-east; or one number for all. With wrapped edges all four are equal.",
            field: Field::Text {
                get: |owner| format_numbers(&owner.corners),
                set: |owner, text| {
                    owner.corners = corners(text).unwrap_or(owner.corners);
                },
                check: check_corners,
            },
        },
        Param {
            key: "strengths",
            label: "Strengths",
            unit: "",
            help: "Strength of each pass, the first pass first, such as 1, 0.5, 2: at most 20 \
                   numbers from 0 to 100. Passes beyond the list have strength 1.",
            field: Field::Text {
                get: |owner| format_numbers(&owner.strengths),
                set: |owner, text| {
                    owner.strengths = parse_numbers(text).unwrap_or_default();
                },
                check: |_, text| check_strengths(text),
            },
        },
        int_param!(input_level, "Input level", "", 1, 12, slider 12,
            "With an input image or formula: it sets the heights of the first 2^level cells along each side; later passes add finer detail."),
    ];
}

/// Parse the heights of the four corners, from four numbers or from one for all.
fn corners(text: &str) -> Result<[f32; 4], String> {
    match parse_numbers(text)?[..] {
        [all] => Ok([all; 4]),
        [a, b, c, d] => Ok([a, b, c, d]),
        _ => Err("four heights, or one for all corners".to_owned()),
    }
}

fn check_corners(options: &DiamondSquareOptions, text: &str) -> Result<(), String> {
    let corners = corners(text)?;
    if corners.iter().any(|c| !c.is_finite() || c.abs() > 1000.0) {
        return Err("heights from -1000 to 1000".to_owned());
    }
    if options.edges == Edges::Wrap && corners.iter().any(|c| *c != corners[0]) {
        return Err("four equal heights while edges = \"wrap\"".to_owned());
    }
    Ok(())
}

fn check_strengths(text: &str) -> Result<(), String> {
    let strengths = parse_numbers(text)?;
    let wrong = strengths.iter().any(|s| !(0.0..=100.0).contains(s));
    if strengths.len() > 20 || wrong {
        return Err("at most 20 numbers from 0 to 100".to_owned());
    }
    Ok(())
}

impl Generate for DiamondSquareOptions {
    fn generate(&self, request: &Request<'_>) -> Result<Heightmap, GenerateError> {
        let subdivision = subdivision(self, request, None)?;
        let side = subdivision.side();
        let mut heights = request.buffer(side * side)?;
        subdivision.fill(&mut heights, request.job)?;
        Ok(Heightmap::new(
            side,
            side,
            self.edges == Edges::Wrap,
            heights,
        ))
    }

    fn takes_image(&self) -> bool {
        true
    }

    fn takes_known_points(&self) -> bool {
        true
    }
}

/// Different displacements for the passes from a certain one on.
pub(super) struct Own {
    /// Index of the first such pass.
    pub from: u32,
    /// Hurst exponent of these passes.
    pub hurst: f32,
    /// Factor of their ranges.
    pub strength: f32,
}

/// Translate the options into a [`Subdivision`]: resolve every range, sample the input, and place the
/// pins.
///
/// # Errors
/// An input is missing or cannot be sampled, or the job was cancelled.
pub(super) fn subdivision(
    options: &DiamondSquareOptions,
    request: &Request<'_>,
    own: Option<Own>,
) -> Result<Subdivision, GenerateError> {
    let surface = request.surface;
    let known = known_points(request, options.edges, options.input_level)?;
    let mut rule = options.rule(
        surface.seed,
        surface.iterations,
        surface.hurst,
        surface.height_scale,
    );
    if let Some(Own {
        from,
        hurst,
        strength,
    }) = own
    {
        let falls_less = f64::from(surface.hurst) - f64::from(hurst);
        for (pass, ranges) in (0..).zip(&mut rule.amplitudes).skip(from as usize) {
            let factor = f64::from(strength) * libm::exp2(falls_less * f64::from(pass - from));
            *ranges = ranges.map(|range| (f64::from(range) * factor) as f32);
        }
    }
    let corners = options.corners.map(|corner| corner * surface.height_scale);
    Ok(Subdivision::with_known(
        rule,
        corners,
        known.as_ref(),
        request.job,
    )?)
}

impl DiamondSquareOptions {
    /// Subdivision rule for a seed, a number of iterations, 1…60, a Hurst exponent, and a height scale in
    /// half tiles.
    #[must_use]
    pub fn rule(&self, seed: u64, iterations: u32, hurst: f32, height_scale: f32) -> Rule {
        Rule {
            seed,
            amplitudes: self.amplitudes(iterations, hurst, height_scale),
            distribution: self.distribution,
            edges: self.edges,
        }
    }

    /// Displacement ranges of each pass in half tiles: of its diamond step, then of its square step.
    #[must_use]
    pub fn amplitudes(&self, iterations: u32, hurst: f32, height_scale: f32) -> Vec<[f32; 2]> {
        let half = match self.scaling {
            Scaling::PerPass => 0.0,
            Scaling::PerHalfStep => 0.5,
        };
        (0..iterations)
            .map(|pass| {
                let strength = self.strengths.get(pass as usize).copied().unwrap_or(1.0);
                let at = |steps| amplitude(height_scale, strength, hurst, steps);
                [at(f64::from(pass)), at(f64::from(pass) + half)]
            })
            .collect()
    }
}
