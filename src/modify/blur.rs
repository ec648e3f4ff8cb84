//! Heights smoothed over a distance, by a box or by a bell; the bell leaves no squares behind.
//!
//! The bell is three boxes; both spread equally far. The method is in `means`.
//!
//! The radius is a share of the map's longer side, not a number of samples, so that more
//! iterations blur the same landscape and not less of it. Beyond the border a map that wraps
//! goes on, and stays wrapped; another one keeps its border height.
//!
//! Cost: two passes over the array, whatever the radius.

use serde::{Deserialize, Serialize};

use crate::means::{Filter, filter};
use crate::param::{Param, Params, choice, choice_param, float_param};

use super::ModifyError;
use super::canvas::Canvas;

choice! {
    /// How samples are weighted by their distance.
    pub enum Shape: "shape" {
        #[default]
        Gaussian = "gaussian", "A bell curve: near samples count most.";
        Box = "box", "All samples within the radius count equally.";
    }
}

/// The options of `blur`: how far, and in what shape.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Radius as a share of the map's longer side, 0 (changes nothing) … 0.5; default 0.01.
    pub radius: f32,
    /// Shape of the weights, box or bell; default `gaussian`.
    pub shape: Shape,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            radius: 0.01,
            shape: Shape::default(),
        }
    }
}

impl Params for Options {
    const PARAMS: &'static [Param<Self>] = &[
        float_param!(
            radius,
            "Radius",
            "× side",
            0.0,
            0.5,
            slider(0.0, 0.1),
            "How far the blur reaches, as a share of the map's side: 0 changes nothing."
        ),
        choice_param!(shape: Shape, "Shape", "How near and far samples are weighted."),
    ];
}

pub(super) fn apply(options: &Options, canvas: &mut Canvas<'_>) -> Result<(), ModifyError> {
    if options.radius == 0.0 {
        return Ok(());
    }
    let longer = canvas.rows.max(canvas.columns) - 1;
    let radius = f64::from(options.radius) * longer as f64;
    let shape = match options.shape {
        Shape::Box => Filter::Box,
        Shape::Gaussian => Filter::Bell,
    };
    let (columns, wraps, job) = (canvas.columns, canvas.wraps, canvas.context.job);
    let heights = &mut canvas.heights;
    Ok(filter(shape, heights, columns, wraps, radius, job)?)
}
