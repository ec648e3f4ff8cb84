//! Slope, aspect and curvature by finite differences, a row at a time.

use super::Window;
use super::angle::degrees;

/// Aspect of level ground, which has none.
pub(crate) const LEVEL: f32 = -1.0;

impl Window<'_> {
    /// Fill `out` with the slope at each sample, in degrees: atan √(east² + south²), with the gradient of
    /// Horn (1981).
    pub(crate) fn slope(&self, out: &mut [f32]) {
        slope(self, out);
    }

    /// Fill `out` with the aspect at each sample (Horn 1981): the downslope direction in degrees clockwise
    /// from north, 0…360, or [`LEVEL`].
    pub(crate) fn aspect(&self, out: &mut [f32]) {
        aspect(self, out);
    }

    /// Fill `out` with the mean curvature at each sample, in 1/m: the mean of its two principal curvatures,
    /// each the reciprocal of a radius. It is positive on ridges and peaks and negative in valleys.
    ///
    /// It is computed from the first derivatives p, q and the second derivatives r, s, t eastwards and
    /// southwards, taken from the 3 × 3 samples around (Zevenbergen & Thorne 1987):
    ///
    /// H = −((1 + q²)·r − 2·p·q·s + (1 + p²)·t) / (2·(1 + p² + q²)^(3/2))
    ///
    /// At a free border the second derivative across it is 0.
    pub(crate) fn curvature(&self, out: &mut [f32]) {
        curvature(self, out);
    }
}

vectorized! {
    fn slope(window: &Window<'_>, out: &mut [f32]) {
        window.horn(out, steepness);
    }

    fn aspect(window: &Window<'_>, out: &mut [f32]) {
        window.horn(out, direction);
    }

    /// Convert gradients eastwards, in `out`, and southwards to slopes in degrees.
    pub(super) fn slopes(south: &[f32], out: &mut [f32]) {
        for (out, south) in out.iter_mut().zip(south) {
            *out = steepness(*out, *south);
        }
    }

    /// Convert gradients eastwards, in `out`, and southwards to aspects; see [`Window::aspect`].
    pub(super) fn aspects(south: &[f32], out: &mut [f32]) {
        for (out, south) in out.iter_mut().zip(south) {
            *out = direction(*out, *south);
        }
    }

    fn curvature(window: &Window<'_>, out: &mut [f32]) {
        let [north, here, south] = window.lines(out.len());
        let first = 0.5 / window.spacing;
        let second = 1.0 / (window.spacing * window.spacing);
        let scale = -0.5 / window.metres;
        for (i, out) in out.iter_mut().enumerate() {
            let centre = here[i + 1];
            let p = (here[i + 2] - here[i]) * first;
            let q = (south[i + 1] - north[i + 1]) * first;
            let r = ((here[i + 2] - centre) + (here[i] - centre)) * second;
            let t = ((south[i + 1] - centre) + (north[i + 1] - centre)) * second;
            let s = ((south[i + 2] - south[i]) - (north[i + 2] - north[i])) * (0.25 * second);
            let bend = (1.0 + q * q) * r - 2.0 * p * q * s + (1.0 + p * p) * t;
            let length2 = 1.0 + p * p + q * q;
            *out = scale * bend / (length2 * length2.sqrt());
        }
    }
}

#[inline(always)]
fn steepness(east: f32, south: f32) -> f32 {
    degrees((east * east + south * south).sqrt(), 1.0)
}

/// Downslope direction for a gradient eastwards and southwards.
#[inline(always)]
fn direction(east: f32, south: f32) -> f32 {
    // Downhill is opposite to the gradient, and north is opposite to south, so only `east` changes sign.
    compass(-east, south)
}

/// Bearing of the direction (east, north) in degrees clockwise from north, 0…360.
#[inline(always)]
fn compass(east: f32, north: f32) -> f32 {
    // Selections rather than branches, so that they are vectorized.
    let quarter = degrees(east.abs(), north.abs());
    let half = if north < 0.0 {
        180.0 - quarter
    } else {
        quarter
    };
    let round = if east < 0.0 { 360.0 - half } else { half };
    // A direction just west of north may round to a whole turn, which is north.
    let round = if round < 360.0 { round } else { 0.0 };
    let level = (east == 0.0) & (north == 0.0);
    if level { LEVEL } else { round }
}
