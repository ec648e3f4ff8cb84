//! `midpoint-1d`: a ridge line by one-dimensional midpoint displacement (Fournier, Fussell and
//! Carpenter 1982; Martz 1996).
//!
//! ```text
//! pass 0   •---------------x---------------•     x moves by up to A
//! pass 1   •-------x-------•-------x-------•     x moves by up to A·2^−H
//! pass 2   •---x---•---x---•---x---•---x---•     x moves by up to A·2^−2H
//! ```
//! The ends stay at 0, so the ridge tiles. Cost: one random number a point, O(2^n).

use serde::{Deserialize, Serialize};

use super::{Generate, GenerateError, Request};
use crate::fractal;
use crate::terrain::heightmap::Heightmap;
use crate::util::param::{Param, Params};

/// Options of `midpoint-1d`, which has none of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Midpoint1dOptions {}

impl Params for Midpoint1dOptions {
    const PARAMS: &'static [Param<Self>] = &[];
}

impl Generate for Midpoint1dOptions {
    /// Generate a profile of 2^n + 1 heights: a map of one row, whose ends are equal.
    fn generate(&self, request: &Request<'_>) -> Result<Heightmap, GenerateError> {
        let surface = request.surface;
        let mut heights = request.buffer((1 << surface.iterations) + 1)?;
        fractal::midpoint(
            surface.seed,
            surface.hurst,
            surface.height_scale,
            &mut heights,
        );
        request.job.advance(1, 1);
        Ok(Heightmap::new(1, heights.len(), true, heights))
    }
}
