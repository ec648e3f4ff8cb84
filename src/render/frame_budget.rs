//! Frame budget: tiles and ranges of patches as large as the time limit of a drawing step allows, so that
//! nothing else waits longer than one of them takes.
//!
//! Most of a picture is drawn in tiles. If the ground were drawn so as well, each patch would be drawn once per
//! tile that it touches, ten times for distant ground. So patches are drawn in ranges. Only large patches close
//! to the eye may exceed the limit alone: these are drawn in tiles.

use std::time::Duration;

use glium::Rect;

use super::view::rect;

/// Alignment of the rectangles' sides where possible: software drivers draw squares of this size.
const GRAIN: u32 = 64;
/// Maximum height of rectangles narrower than the picture: taller ones could not become cheaper within their
/// row.
const HIGHEST: u32 = 256;

/// Tiles of a picture, from bottom to top and in each row from left to right.
#[derive(Clone, Debug)]
pub(super) struct Tiles {
    all: Rect,
    /// Lower left corner of the next rectangle, and the height of its row.
    at: [u32; 2],
    height: u32,
}

/// Area of a rectangle in pixels.
pub(super) fn area(rectangle: &Rect) -> u64 {
    u64::from(rectangle.width) * u64::from(rectangle.height)
}

impl Tiles {
    /// Begin a picture of `size`.
    pub(super) fn new(size: (u32, u32)) -> Self {
        Self::within(rect([0, 0], size))
    }

    /// Begin a part of a picture.
    pub(super) fn within(all: Rect) -> Self {
        Self {
            all,
            at: [0, 0],
            height: 0,
        }
    }

    /// The next rectangle, of about `pixels` pixels; `None` if all is drawn.
    pub(super) fn next(&mut self, pixels: u64) -> Option<Rect> {
        let Rect { width, height, .. } = self.all;
        let [left, bottom] = self.at;
        if bottom >= height {
            return None;
        }
        let pixels = pixels as f32;
        if left == 0 {
            let rows = (pixels / width as f32) as u32;
            self.height = match rows {
                // Take all remaining rows if they fit.
                rows if rows >= height - bottom => height - bottom,
                rows if rows >= GRAIN => rows / GRAIN * GRAIN,
                _ => GRAIN,
            };
            self.height = self.height.min(height - bottom);
        }
        let full = self.height > HIGHEST || pixels >= (width * self.height) as f32;
        let columns = if full {
            width
        } else {
            ((pixels / self.height as f32) as u32 / GRAIN * GRAIN).max(GRAIN)
        };
        let corner = [self.all.left + left, self.all.bottom + bottom];
        Some(rect(corner, (columns.min(width - left), self.height)))
    }

    /// Record a finished rectangle.
    pub(super) fn done(&mut self, rectangle: Rect) {
        let [left, bottom] = [
            rectangle.left - self.all.left,
            rectangle.bottom - self.all.bottom,
        ];
        self.at[0] = left + rectangle.width;
        if self.at[0] >= self.all.width {
            self.at = [0, bottom + rectangle.height];
        }
    }

    /// Number of pixels in all.
    pub(super) fn pixels(&self) -> u64 {
        area(&self.all)
    }

    /// Fraction that is drawn, 0…1.
    pub(super) fn progress(&self) -> f32 {
        let (width, height) = (self.all.width as f32, self.all.height as f32);
        let rows = self.at[1] as f32 + self.at[0] as f32 / width * self.height as f32;
        rows / height
    }

    /// True if all is drawn.
    pub(super) fn is_done(&self) -> bool {
        self.at[1] >= self.all.height
    }
}

/// Cost of a patch by its number of cells, in pixels.
const PATCH: u64 = 1024;
/// Size in pixels above which a patch is drawn in rectangles.
pub(super) const LARGE: u64 = SlowestRate::LEAST;

/// A range of patches of the ground, in drawing order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PatchRange {
    /// Index of the first patch.
    pub(super) first: usize,
    /// Number of patches.
    pub(super) count: usize,
    /// Scissor rectangle; `None` for the whole picture.
    pub(super) within: Option<Rect>,
    /// Cost of the range, in pixels.
    pub(super) worth: u64,
}

impl PatchRange {
    /// The range of all patches.
    pub(super) const ALL: Self = Self {
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
    /// Tiles of the next patch, if it is large.
    parts: Option<Tiles>,
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
            let parts = self.parts.get_or_insert_with(|| Tiles::within(*place));
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

    /// Draw a picture whose pixels cost `cost` seconds each; returns its rectangles and their times.
    fn drawn(size: (u32, u32), cost: impl Fn(u32) -> f32) -> (Vec<Rect>, Vec<f32>) {
        let (mut rectangles, mut rate) = (Tiles::new(size), Rate::unknown());
        let (mut all, mut times) = (Vec::new(), Vec::new());
        while let Some(rectangle) = rectangles.next(rate.pixels_in(LIMIT)) {
            let pixels = (rectangle.width * rectangle.height) as f32;
            let took = 0.001 + pixels * cost(rectangle.bottom);
            times.push(took);
            let took = Duration::from_secs_f32(took);
            rate.note(area(&rectangle), took, LIMIT);
            rectangles.done(rectangle);
            all.push(rectangle);
        }
        assert!(rectangles.is_done() && rectangles.progress() >= 1.0);
        (all, times)
    }

    #[test]
    fn every_pixel_is_drawn_once() {
        for size in [
            (1, 1),
            (63, 1),
            (64, 64),
            (200, 122),
            (1027, 733),
            (3840, 2160),
        ] {
            for cost in [1e-9, 1e-7, 5e-7] {
                let (all, _) = drawn(size, |_| cost);
                let mut count = vec![0_u8; (size.0 * size.1) as usize];
                for rect in all {
                    for row in rect.bottom..rect.bottom + rect.height {
                        let first = (row * size.0 + rect.left) as usize;
                        let cells = &mut count[first..first + rect.width as usize];
                        cells.iter_mut().for_each(|cell| *cell += 1);
                    }
                }
                assert!(count.iter().all(|count| *count == 1), "{size:?}, {cost}");
            }
        }
    }

    #[test]
    fn rectangles_take_about_as_long_as_they_may() {
        // A cheap foreground, an expensive horizon, a cheap sky.
        let cost = |row: u32| match row {
            1000..1300 => 4e-7,
            _ => 1e-7,
        };
        let (all, mut times) = drawn((3840, 2160), cost);
        assert!(all.len() < 400, "{}", all.len());
        times.sort_by(f32::total_cmp);
        let [median, most] = [times[times.len() / 2], times[times.len() - 1]];
        assert!(median < 0.015, "{median} s");
        // Where the cost rises fourfold, one rectangle takes four times as long.
        assert!(most < 0.05, "{most} s");
    }

    #[test]
    fn quick_machine_draws_everything_at_once() {
        let mut rate = Rate::unknown();
        let whole = rect([0, 0], (1280, 720));
        rate.note(area(&whole), Duration::from_millis(4), LIMIT);
        let mut rectangles = Tiles::new((1280, 720));
        assert_eq!(rectangles.next(rate.pixels_in(LIMIT)), Some(whole));
    }

    /// Patches from near to far, as from a camera above the ground: a few that fill the picture, then ever
    /// smaller ones.
    fn seen() -> Vec<Rect> {
        let side = |patch: u32| 2400 / (patch / 4 + 1) + 3;
        let place = |patch: u32| {
            let corner = [patch * 97 % 1440, patch * 61 % 700];
            rect(corner, (side(patch), side(patch) / 2))
        };
        (0..3000).map(place).collect()
    }

    /// All ranges and their times, for a cost per drawn patch and per pixel. Half of the patches turn out to
    /// be hidden.
    fn drawn_patches(patch: f32, pixel: f32) -> (Vec<PatchRange>, Vec<f32>) {
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
            let (all, _) = drawn_patches(patch, pixel);
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
            let (all, mut times) = drawn_patches(patch, pixel);
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
