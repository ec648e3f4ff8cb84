//! How much is drawn in which time, and so how much may be drawn next.

use std::time::Duration;

/// The next rectangle has at most so many times the pixels of what was drawn in that time.
const GROWTH: f32 = 4.0;
/// The first rectangle has about so many pixels.
const FIRST: u64 = 1024;

/// How much was drawn in which time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rate(f32);

impl Rate {
    /// Nothing is known: the first rectangle is a small one.
    pub(super) fn unknown() -> Self {
        Self(0.0)
    }

    /// The rate of so many pixels drawn in that time.
    pub(super) fn of(pixels: u64, took: Duration) -> Self {
        Self(pixels as f32 / took.as_secs_f32().max(1e-6))
    }

    /// How many pixels may be drawn in that time.
    pub(super) fn pixels_in(self, time: Duration) -> u64 {
        ((self.0 * time.as_secs_f32()) as u64).max(FIRST)
    }

    /// Takes note of what so many pixels took.
    pub(super) fn note(&mut self, pixels: u64, took: Duration, limit: Duration) {
        // A small rectangle takes most of its time for other things than its pixels.
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

/// The rate of the slowest of the last rectangles, of which many have next to nothing in them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SlowestRate(Rate);

impl SlowestRate {
    /// Rectangles have so many pixels at least: smaller ones take most of their time for other
    /// things.
    pub(super) const LEAST: u64 = 1 << 16;
    /// What drivers in software do of lit ground, in pixels a second.
    const USUAL: f32 = 3e7;
    /// One that is so many times as quick is believed at once.
    const GROWTH: f32 = 1.03;

    /// Nothing is known: as slow as a driver in software.
    pub(super) fn unknown() -> Self {
        Self(Rate(Self::USUAL))
    }

    /// How many pixels may be drawn in that time.
    pub(super) fn pixels_in(self, time: Duration) -> u64 {
        self.0.pixels_in(time).max(Self::LEAST)
    }

    /// Takes note of what so many pixels took.
    pub(super) fn note(&mut self, pixels: u64, took: Duration, limit: Duration) {
        let grown = self.0.times(Self::GROWTH);
        if took * 4 >= limit {
            self.0 = Rate::of(pixels, took).least(grown);
        } else if self.0.0 < Self::USUAL {
            // What was so quick may have had nothing in it: that says no more than what is usual.
            self.0 = grown;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_millis(12);

    #[test]
    fn cheap_rectangles_between_dear_ones_do_not_make_the_next_too_large() {
        // The dearest, as usual or dearer, in nanoseconds a pixel; then what the others are allowed.
        for (dearest, allowed) in [(33.0, 1.1), (80.0, 2.5)] {
            let mut rate = SlowestRate::unknown();
            // Many show nothing.
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
    fn what_becomes_cheaper_for_good_is_drawn_in_larger_rectangles() {
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
