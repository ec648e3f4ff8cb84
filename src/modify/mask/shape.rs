//! Shape of a mask: combination with a second source, grey-scale dilation or erosion by a disc, Gaussian
//! blur, and levels, in this order.
//!
//! ```text
//! weights ─► combine ─► grow ─► blur ─► levels ─► invert ─► strength
//! ```
//!
//! Lengths are in metres, so that the mask is the same at any number of iterations but for the sampling.
//! A mask with none of these keeps its bits and costs nothing more. Cost: 4 bytes a sample, twice that to
//! grow; growing takes time in proportion to its distance, the rest two passes over the map.

use super::{Context, Limit, Mask, MaskError, Share, room};
use crate::terrain::dilation::dilate;
use crate::terrain::means::{Filter, filter};
use crate::util::parallel;
use crate::util::power::power;

impl Mask {
    /// Apply combination and shape to the weights of the first source.
    pub(super) fn reshape<'a>(
        &self,
        mut limit: Limit<'a>,
        context: &Context<'_>,
    ) -> Result<Limit<'a>, MaskError> {
        let has_levels = (self.black, self.white, self.gamma) != (0.0, 1.0, 1.0);
        let has_shape = self.grow != 0.0 || self.blur != 0.0 || has_levels;
        if self.second.is_none() && !has_shape {
            return Ok(limit);
        }
        let share = std::mem::replace(&mut limit.share, Share::WHOLE);
        let mut weights = limit.weights()?;
        limit.share = share;
        let map = limit.before;
        let (columns, wraps, job) = (map.columns(), map.wraps(), context.job);
        if !self.second.is_none() {
            self.second
                .combine(self.combine, &mut weights, map, context)?;
        }
        let grow = limit.samples(self.grow);
        if grow != 0.0 {
            let mut grown = room(map)?;
            dilate(&weights, &mut grown, columns, wraps, grow, job)?;
            weights = grown;
        }
        let blur = limit.samples(self.blur);
        if blur > 0.0 {
            filter(Filter::Bell, &mut weights, columns, wraps, blur, job)?;
        }
        if blur > 0.0 || has_levels {
            let pieces = weights.chunks_mut(PIECE);
            parallel::par_items(pieces).for_each_in(job, |_, weights| {
                levels(weights, [self.black, self.white, self.gamma]);
            })?;
        }
        Ok(limit.with_weights(weights))
    }
}

/// Number of weights that a thread changes at a time.
const PIECE: usize = 1 << 15;

vectorized! {
    /// Stretch weights so that `black` becomes 0 and `white` 1, and raise them to the power 1/`gamma`. Equal
    /// points make a step.
    fn levels(weights: &mut [f32], [black, white, gamma]: [f32; 3]) {
        let scale = if white > black { 1.0 / (white - black) } else { f32::INFINITY };
        let exponent = 1.0 / gamma;
        for weight in weights {
            let within = (*weight - black) * scale;
            // Blurring leaves rounding errors beyond 0 and 1.
            let within = if within > 0.0 { within } else { 0.0 };
            let within = if *weight < white { within.min(1.0) } else { 1.0 };
            *weight = if exponent == 1.0 { within } else { power(within, exponent) };
        }
    }
}
