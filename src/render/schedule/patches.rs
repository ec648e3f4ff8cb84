//! Drawing of the ground in ranges of patches, as many as the time limit allows.
//!
//! If the ground were drawn in rectangles as everything else is, each patch would be drawn once per rectangle
//! that it touches, ten times for distant ground. Only large patches close to the eye may exceed the limit
//! alone: these are drawn in rectangles.

use std::time::Duration;

use glium::Rect;

use super::rate::{Rate, SlowestRate};
use super::rectangles::{Rectangles, area};

/// Cost of a patch by its number of cells, in pixels.
const PATCH: u64 = 1024;
/// Size in pixels above which a patch is drawn in rectangles.
pub(crate) const LARGE: u64 = SlowestRate::LEAST;

/// A range of patches of the ground, in drawing order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PatchRange {
    /// Index of the first patch.
    pub(crate) first: usize,
    /// Number of patches.
    pub(crate) count: usize,
    /// Scissor rectangle; `None` for the whole picture.
    pub(crate) within: Option<Rect>,
    /// Cost of the range, in pixels.
    pub(crate) worth: u64,
}

impl PatchRange {
    /// The range of all patches.
    pub(crate) const ALL: Self = Self {
        first: 0,
        count: usize::MAX,
        within: None,
        worth: 0,
    };
}

/// Patches of one picture, with the progress of drawing them.
#[derive(Clone, Debug)]
pub(super) struct PatchRanges {
    /// Bounding rectangle of each patch in the picture.
    places: Vec<Rect>,
    /// Cost of each patch, in pixels.
    worth: u64,
    /// Number of patches drawn.
    drawn: usize,
    /// Rectangles of the next patch, if it is large.
    parts: Option<Rectangles>,
    /// Rate of the last small patches by their number: vertices dominate their cost.
    by_count: Rate,
    /// Rate of the slowest patches by their area.
    by_size: SlowestRate,
    /// Rate by area as it was after the last large patch.
    large: SlowestRate,
}

impl PatchRanges {
    /// Create the list of patches from their bounding rectangles and the cost of each; `rate` is the rate of
    /// large patches in another picture.
    pub(super) fn new(places: Vec<Rect>, worth: u64, rate: SlowestRate) -> Self {
        Self {
            places,
            worth,
            drawn: 0,
            parts: None,
            by_count: Rate::unknown(),
            by_size: rate,
            large: rate,
        }
    }

    /// The next range; `None` if all are drawn.
    pub(super) fn next(&mut self, limit: Duration) -> Option<PatchRange> {
        let first = self.drawn;
        let place = self.places.get(first)?;
        let pixels = self.by_size.pixels_in(limit);
        if area(place) > LARGE {
            let parts = self.parts.get_or_insert_with(|| Rectangles::within(*place));
            let within = parts.next(pixels)?;
            return Some(PatchRange {
                first,
                count: 1,
                within: Some(within),
                worth: self.worth * area(&within) / area(place),
            });
        }
        let most = self.by_count.pixels_in(limit) / PATCH;
        let sizes = || self.places[first..].iter().map(area);
        let sums = sizes().scan(0, |sum, size| {
            *sum += size;
            (size <= LARGE).then_some(*sum)
        });
        let sums = sums.take(most as usize);
        let count = sums.take_while(|sum| *sum <= pixels).count().max(1);
        Some(PatchRange {
            first,
            count,
            within: None,
            worth: self.worth * count as u64,
        })
    }

    /// Record a finished range and its time.
    pub(super) fn done(&mut self, range: PatchRange, took: Duration, limit: Duration) {
        if let (Some(part), Some(parts)) = (range.within, &mut self.parts) {
            self.by_size.note(area(&part), took, limit);
            self.large = self.by_size;
            parts.done(part);
            if !parts.is_done() {
                return;
            }
            self.parts = None;
        } else {
            let places = self.places.iter().skip(range.first).take(range.count);
            self.by_size.note(places.map(area).sum(), took, limit);
            self.by_count.note(range.count as u64 * PATCH, took, limit);
        }
        self.drawn = range.first + range.count;
    }

    /// Cost of all patches, in pixels.
    pub(super) fn worth(&self) -> u64 {
        self.worth * self.places.len() as u64
    }

    /// Measured rate of large patches.
    pub(super) fn rate(&self) -> SlowestRate {
        self.large
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_millis(12);

    /// Patches from near to far, as from a camera above the ground: a few that fill the picture, then ever
    /// smaller ones.
    fn seen() -> Vec<Rect> {
        let side = |patch: u32| 2400 / (patch / 4 + 1) + 3;
        let place = |patch: u32| Rect {
            left: patch * 97 % 1440,
            bottom: patch * 61 % 700,
            width: side(patch),
            height: side(patch) / 2,
        };
        (0..3000).map(place).collect()
    }

    /// All ranges and their times, for a cost per drawn patch and per pixel. Half of the patches turn out to
    /// be hidden.
    fn drawn(patch: f32, pixel: f32) -> (Vec<PatchRange>, Vec<f32>) {
        let mut ranges = PatchRanges::new(seen(), 5000, SlowestRate::unknown());
        let (mut all, mut times) = (Vec::new(), Vec::new());
        while let Some(range) = ranges.next(LIMIT) {
            let drawn = range.first..range.first + range.count;
            let shown = drawn.filter(|patch| patch / 5 % 2 == 0);
            let pixels: u64 = shown
                .map(|patch| area(range.within.as_ref().unwrap_or(&seen()[patch])))
                .sum();
            let took = 1e-4 + range.count as f32 * patch + pixels as f32 * pixel;
            ranges.done(range, Duration::from_secs_f32(took), LIMIT);
            all.push(range);
            times.push(took);
        }
        (all, times)
    }

    const COSTS: [(f32, f32); 4] = [(1e-4, 4e-8), (1e-6, 1e-7), (3e-4, 1e-9), (1e-6, 1e-11)];

    #[test]
    fn each_patch_pixel_is_drawn_once_in_order() {
        for (patch, pixel) in COSTS {
            let (all, _) = drawn(patch, pixel);
            let (mut next, mut left) = (0, 0);
            for range in &all {
                if left == 0 {
                    left = area(&seen()[range.first]);
                }
                assert_eq!(range.first, next, "{range:?}");
                match range.within {
                    Some(part) => left -= area(&part),
                    None => left = 0,
                }
                if left == 0 {
                    next += range.count;
                }
            }
            assert_eq!((next, left), (seen().len(), 0));
            let told: u64 = all.iter().map(|range| range.worth).sum();
            let whole = PatchRanges::new(seen(), 5000, SlowestRate::unknown()).worth();
            assert!(
                told <= whole && told * 100 >= whole * 99,
                "{told} of {whole}"
            );
        }
    }

    #[test]
    fn ranges_take_about_as_long_as_they_may() {
        for (patch, pixel) in COSTS {
            let (all, mut times) = drawn(patch, pixel);
            let sum: f32 = times.iter().sum();
            // Large patches are drawn alone, and half of them are empty.
            let large = seen().iter().filter(|place| area(place) > LARGE).count();
            let most = 2.5 * sum / LIMIT.as_secs_f32() + large as f32 + 60.0;
            assert!((all.len() as f32) < most, "{} for {sum} s", all.len());
            times.sort_by(f32::total_cmp);
            let longest = times[times.len() - 1];
            // The first may be more expensive than usual.
            assert!(longest < 0.04, "{patch}, {pixel}: {longest} s");
        }
    }
}
