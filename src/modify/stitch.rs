//! `stitch`: edge stitching, so that any map tiles (article 003 on real-time landscapes).
//!
//! If a pair of opposite border samples differ by 2δ, both move to their mean, one by +δ and the other
//! by −δ, and the land behind them follows. At distance d from the edge:
//!
//! ```text
//! h' = h ± s(d) · (mean of δ along the edge over ±d),   s = 1 at the edge, 0 at `width`
//! ```
//!
//! The mean is taken over a stretch that widens with the distance, so it draws no streaks across the
//! edge; the effect resembles the diffusion of heat from the edge. All detail stays, and edges that
//! already match do not change. The west and east edges come first, then, on the resulting cylinder,
//! the north and south edges.
//!
//! Heights match at the seam bit for bit, and the map is marked as wrapped. Known artefact: slopes are
//! not matched, so on a very smooth map the seam is a crease, which a blur afterwards removes. A map
//! that already wraps is not changed. Only the borders are read and written; a mean is the difference of
//! two prefix sums.

use crate::util::numbers::smoothstep;
use crate::util::param::{Param, Params, float_param, options};

use super::ModifyError;
use super::canvas::{Canvas, Modify};

options! {
    /// Options of `stitch`.
    pub struct StitchOptions {
        /// Width of the adjusted border as a share of the map's side, 0 (only the border samples) … 0.5;
        /// default 0.2.
        pub width: f32 = 0.2,
    }
}

impl Params for StitchOptions {
    const PARAMS: &'static [Param<Self>] = &[
        float_param!(width, "Width", "× side", 0.0, 0.5, slider: (0.0, 0.5),
        "How far from the edges the land is bent so that they meet, as a share of the map's side."),
    ];
}

impl Modify for StitchOptions {
    fn modify(&self, canvas: &mut Canvas<'_>) -> Result<(), ModifyError> {
        if canvas.wraps {
            return Ok(());
        }
        west_to_east(self.width, canvas)?;
        north_to_south(self.width, canvas)?;
        canvas.wraps = true;
        Ok(())
    }
}

/// Factors s(d)/(2d + 1), which turn a sum over ±d into a weighted mean, for d = 0, 1 … while they are
/// above 0 and the two borders do not meet.
fn shares(count: usize, width: f32) -> Vec<f64> {
    let last = count - 1;
    let reach = width * last as f32;
    let share = |distance: usize| {
        f64::from(1.0 - smoothstep(distance as f32 / reach)) / (2 * distance + 1) as f64
    };
    let inner = 1..last.div_ceil(2);
    let inner = inner.take_while(|distance| (*distance as f32) < reach);
    std::iter::once(1.0).chain(inner.map(share)).collect()
}

/// Prefix sums: the sums of the first 0, 1, 2 … values.
fn running_sums(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let sums = values.scan(0.0, |sum, value| {
        *sum += value;
        Some(*sum)
    });
    std::iter::once(0.0).chain(sums).collect()
}

fn half_gap(a: f32, b: f32) -> f64 {
    (f64::from(b) - f64::from(a)) * 0.5
}

fn middle(a: f32, b: f32) -> f32 {
    (a + b) * 0.5
}

fn west_to_east(width: f32, canvas: &mut Canvas<'_>) -> Result<(), ModifyError> {
    let (last_row, last) = (canvas.rows - 1, canvas.columns - 1);
    if last == 0 {
        return Ok(());
    }
    let shares = shares(canvas.columns, width);
    let reach = shares.len();
    // The means reach beyond the ends of the edge, where its last difference is repeated.
    let gap = |row: usize| {
        let heights = &canvas.heights[row * canvas.columns..];
        half_gap(heights[0], heights[last])
    };
    let along =
        (0..canvas.rows + 2 * reach).map(|row| gap(row.saturating_sub(reach).min(last_row)));
    let sums = running_sums(along);
    let backwards: Vec<f64> = sums.iter().rev().copied().collect();
    canvas.each_band(|first, band| {
        let mut bends = vec![0.0; reach];
        for (offset, heights) in band.chunks_exact_mut(last + 1).enumerate() {
            let end = first + offset + reach + 1;
            spread(
                &mut bends,
                &shares,
                &sums[end..],
                &backwards[sums.len() - end..],
            );
            let (west, east) = heights.split_at_mut(reach);
            let meet = middle(west[0], east[last - reach]);
            for (height, bend) in west.iter_mut().zip(&bends) {
                *height += bend;
            }
            for (height, bend) in east.iter_mut().rev().zip(&bends) {
                *height -= bend;
            }
            heights[0] = meet;
            heights[last] = meet;
        }
    })?;
    Ok(())
}

fn north_to_south(width: f32, canvas: &mut Canvas<'_>) -> Result<(), ModifyError> {
    let (columns, last) = (canvas.columns, canvas.rows - 1);
    if last == 0 {
        return Ok(());
    }
    let shares = shares(canvas.rows, width);
    let (north, south) = (
        &canvas.heights[..columns],
        &canvas.heights[last * columns..],
    );
    let meet: Vec<f32> = north
        .iter()
        .zip(south)
        .map(|(n, s)| middle(*n, *s))
        .collect();
    // The values are periodic, continued as far as the widest mean reaches beyond the first and the last
    // column.
    let (period, beyond) = ((columns - 1).max(1), shares.len());
    let around = (0..columns + 2 * beyond).map(|index| {
        let column = (index + period * beyond - beyond) % period;
        half_gap(north[column], south[column])
    });
    let sums = running_sums(around);
    canvas.each_row(|row, heights| {
        let distance = row.min(last - row);
        if distance == 0 {
            heights.copy_from_slice(&meet);
        } else if distance < shares.len() {
            let sign = if row == distance { 1.0 } else { -1.0 };
            let scale = sign * shares[distance];
            let sums = &sums[beyond - distance..];
            bend_row(heights, sums, &sums[2 * distance + 1..], scale);
            heights[columns - 1] = heights[0];
        }
    })?;
    Ok(())
}

vectorized! {
    /// Compute the shifts of the samples at distance 0, 1 … from an edge. `after` has the prefix sums up to
    /// the end of their stretches, `before` those up to the start.
    fn spread(bends: &mut [f32], shares: &[f64], after: &[f64], before: &[f64]) {
        let count = bends.len();
        let (shares, after, before) = (&shares[..count], &after[..count], &before[..count]);
        for distance in 0..count {
            bends[distance] = (shares[distance] * (after[distance] - before[distance])) as f32;
        }
    }

    fn bend_row(heights: &mut [f32], before: &[f64], after: &[f64], scale: f64) {
        let count = heights.len();
        let (before, after) = (&before[..count], &after[..count]);
        for column in 0..count {
            heights[column] += ((after[column] - before[column]) * scale) as f32;
        }
    }
}
