//! Scalar functions shared by modifiers, written so that loops over them are vectorized.

use crate::util::power::round;

/// Linear interpolation from `a` (t = 0) to `b` (t = 1), exact at both ends and never outside them.
#[inline(always)]
pub(super) fn mix(a: f32, b: f32, t: f32) -> f32 {
    a * (1.0 - t) + b * t
}

/// Round down to a whole number, for |x| ≤ 2²².
#[inline(always)]
pub(super) fn floor(x: f32) -> f32 {
    let near = round(x);
    if near > x { near - 1.0 } else { near }
}
