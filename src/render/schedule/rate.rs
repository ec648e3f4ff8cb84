//! Drawing rates, and the number of pixels that fit into a time limit.

use std::time::Duration;

/// Maximum growth of the next rectangle, relative to the pixels drawn in the time limit.
const GROWTH: f32 = 4.0;
/// Number of pixels of the first rectangle.
const FIRST: u64 = 1024;

/// Drawing rate in pixels per second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rate(f32);

impl Rate {
    /// Unknown rate: the first rectangle will be small.
    pub(super) fn unknown() -> Self {
        Self(0.0)
    }

    /// The rate of `pixels` pixels in a time.
    pub(super) fn of(pixels: u64, took: Duration) -> Self {
        Self(pixels as f32 / took.as_secs_f32().max(1e-6))
    }

    /// Number of pixels that may be drawn in a time.
    pub(super) fn pixels_in(self, time: Duration) -> u64 {
        ((self.0 * time.as_secs_f32()) as u64).max(FIRST)
    }

    /// Record the time that `pixels` pixels took.
    pub(super) fn note(&mut self, pixels: u64, took: Duration, limit: Duration) {
        // The cost of a small rectangle is mostly overhead, so its rate is limited.
        let most = Self::of(pixels, limit).times(GROWTH);
        *self = Self::of(pixels, took).least(most);
    }

    fn least(self, other: Self) -> Self {
        Self(self.0.min(other.0))
    }

    fn times(self, factor: f32) -> Self {
        Self(self.0 * factor)
    }
}

/// Rate of the slowest of the last rectangles, because many are nearly empty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SlowestRate(Rate);

impl SlowestRate {
    /// Minimum number of pixels of a rectangle: smaller ones are mostly overhead.
    pub(super) const LEAST: u64 = 1 << 16;
    /// Typical rate of software drivers for lit ground, in pixels per second.
    const USUAL: f32 = 3e7;
    /// Maximum increase of the rate per rectangle.
    const GROWTH: f32 = 1.03;

    /// Unknown rate: assume a software driver.
    pub(super) fn unknown() -> Self {
        Self(Rate(Self::USUAL))
    }

    /// Number of pixels that may be drawn in a time.
    pub(super) fn pixels_in(self, time: Duration) -> u64 {
        self.0.pixels_in(time).max(Self::LEAST)
    }

    /// Record the time that `pixels` pixels took.
    pub(super) fn note(&mut self, pixels: u64, took: Duration, limit: Duration) {
        let grown = self.0.times(Self::GROWTH);
        if took * 4 >= limit {
            self.0 = Rate::of(pixels, took).least(grown);
        } else if self.0.0 < Self::USUAL {
            // A very fast rectangle may have been empty, so it is no evidence for more than the typical rate.
            self.0 = grown;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_millis(12);

    #[test]
    fn cheap_rectangles_between_dear_ones_keep_next_small() {
        // The most expensive one, as usual or above, in nanoseconds per pixel; then the budget of the others.
        for (dearest, allowed) in [(33.0, 1.1), (80.0, 2.5)] {
            let mut rate = SlowestRate::unknown();
            // Many are empty.
            let costs = [1.0, 0.0, 0.3, 0.0, 0.5, 0.2].into_iter().chain([0.0; 60]);
            for (index, cost) in costs.cycle().take(600).enumerate() {
                let pixels = rate.pixels_in(LIMIT);
                let took = 1e-4 + pixels as f32 * cost * dearest * 1e-9;
                let took = Duration::from_secs_f32(took);
                assert!(
                    index == 0 || took < LIMIT.mul_f32(allowed),
                    "{index}: {took:?}"
                );
                rate.note(pixels, took, LIMIT);
            }
        }
    }

    #[test]
    fn lasting_speedup_leads_to_larger_rectangles() {
        let mut rate = SlowestRate::unknown();
        for (cost, count) in [(2e-7, 5), (1e-8, 300)] {
            for _ in 0..count {
                let pixels = rate.pixels_in(LIMIT);
                rate.note(pixels, Duration::from_secs_f32(pixels as f32 * cost), LIMIT);
            }
        }
        assert!(rate.pixels_in(LIMIT) > 200_000, "{rate:?}");
    }
}
