//! `diamond-square` as the user meets it: its options, and how they become a
//! [`Subdivision`].

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{GenerateError, Request};
use crate::fractal::{Known, Subdivision};
use crate::grid::{Edge, Grid};
use crate::heightmap::Heightmap;
use crate::job::{Cancelled, Job};
use crate::param::{OutOfRange, Param, Params};
use crate::{choice, choice_param, int_param};

choice! {
    /// How displacements are drawn.
    pub enum Distribution: "distribution" {
        #[default]
        Uniform = "uniform", "Evenly between −A and A, as Martz has it.";
        Gaussian = "gaussian", "Normally, σ = A/√3: the same relief, now and then a far outlier.";
    }
}

choice! {
    /// When the range of displacements shrinks.
    pub enum Scaling: "scaling" {
        #[default]
        PerPass = "per-pass", "After each pass: diamond and square step share one range (Martz).";
        PerHalfStep = "per-half-step", "After each half step: the square step uses A·2^(−H/2) (Saupe).";
    }
}

choice! {
    /// What happens at the border.
    pub enum Edges: "edges" {
        #[default]
        Wrap = "wrap", "Opposite borders are equal, so tiles join without a seam.";
        Free = "free", "Border points average the three neighbours that exist.";
    }
}

/// Options of `diamond-square`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// How displacements are drawn; default uniform.
    pub distribution: Distribution,
    /// When their range shrinks; default per pass.
    pub scaling: Scaling,
    /// What happens at the border; default wrap.
    pub edges: Edges,
    /// Heights of the corners, before the height scale: north-west, north-east, south-west,
    /// south-east; default 0. Wrapped maps have one corner, so the four must be equal.
    pub corners: [f32; 4],
    /// w_k: strength of each pass, first pass first; passes beyond the list have 1.
    pub strengths: Vec<f32>,
    /// An input image gives the heights of the first 2^level cells a side, 1…12; default 6.
    pub input_level: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            distribution: Distribution::default(),
            scaling: Scaling::default(),
            edges: Edges::default(),
            corners: [0.0; 4],
            strengths: Vec::new(),
            input_level: 6,
        }
    }
}

impl Params for Options {
    const PARAMS: &'static [Param<Self>] = &[
        choice_param!(edges: Edges, "Edges", "What happens at the border of the map."),
        choice_param!(distribution: Distribution, "Distribution", "How displacements are drawn."),
        choice_param!(scaling: Scaling, "Scaling", "When the range of displacements shrinks."),
        int_param!(input_level, "Input level", "", 1, 12, slider 12,
            "With an input image: it gives the heights of the first 2^level cells a side, and passes beyond add the detail it lacks."),
    ];

    fn check(&self, table: &str) -> Result<(), OutOfRange> {
        let outside = |key: &str, value: String, allowed: &str| OutOfRange {
            key: format!("{table}.{key}"),
            value,
            allowed: allowed.to_owned(),
        };
        crate::param::check_all(self, table)?;
        for corner in self.corners {
            if !corner.is_finite() || corner.abs() > 1000.0 {
                return Err(outside("corners", corner.to_string(), "-1000 to 1000"));
            }
        }
        if self.edges == Edges::Wrap && self.corners.iter().any(|c| *c != self.corners[0]) {
            return Err(outside(
                "corners",
                format!("{:?}", self.corners),
                "four equal heights while edges = \"wrap\"",
            ));
        }
        if self.strengths.len() > 20 {
            let count = format!("{} values", self.strengths.len());
            return Err(outside("strengths", count, "at most 20 values"));
        }
        for strength in &self.strengths {
            if !(0.0..=100.0).contains(strength) {
                return Err(outside("strengths", strength.to_string(), "0 to 100"));
            }
        }
        Ok(())
    }
}

/// The map of (2^n + 1)² heights.
pub fn generate(options: &Options, request: &Request<'_>) -> Result<Heightmap, GenerateError> {
    let subdivision = subdivision(options, request)?;
    let side = subdivision.side();
    let mut heights = request.buffer(side * side)?;
    subdivision.fill(&mut heights, request.job)?;
    Ok(Heightmap::new(
        side,
        side,
        options.edges == Edges::Wrap,
        heights,
    ))
}

/// What the options ask of the fractal module: every range resolved, the input image sampled.
pub fn subdivision(options: &Options, request: &Request<'_>) -> Result<Subdivision, GenerateError> {
    let surface = request.surface;
    let known = match surface.input {
        Some(_) => Some(known_heights(
            options.edges,
            options.input_level,
            &request.input_heights()?,
            request.job,
        )?),
        None => None,
    };
    let subdivision = Subdivision::with_known(
        options,
        surface.seed,
        surface.iterations,
        surface.hurst,
        surface.height_scale,
        known.as_ref(),
        request.job,
    );
    Ok(subdivision?)
}

/// The image at the lattice of `level`. With free edges its border samples lie on the
/// map's border; with wrapped edges the image is one period.
pub(super) fn known_heights(
    edges: Edges,
    level: u32,
    image: &Grid<f32>,
    job: &Job,
) -> Result<Known, Cancelled> {
    let cells = 1usize << level;
    let wraps = edges == Edges::Wrap;
    let step = |count: usize| (if wraps { count } else { count - 1 }) as f64 / cells as f64;
    let (down, across) = (step(image.rows()), step(image.columns()));
    let edge = if wraps { Edge::Wrap } else { Edge::Clamp };
    let mut heights = Grid::filled(cells + 1, cells + 1, 0.0);
    let rows = heights.as_mut_slice().par_chunks_mut(cells + 1).enumerate();
    rows.with_min_len(16).try_for_each(|(row, heights)| {
        job.check()?;
        // A wrapped map's last row and column are its first.
        let source = |index: usize| if wraps { index % cells } else { index } as f64;
        for (column, height) in heights.iter_mut().enumerate() {
            *height = image.bilinear(source(row) * down, source(column) * across, edge);
        }
        Ok(())
    })?;
    Ok(Known::new(level, heights))
}
