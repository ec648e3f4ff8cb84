//! Tiled drawing of a picture: rectangles as large as the time limit allows, so that nothing else waits
//! longer than one of them takes.

use glium::Rect;

/// Alignment of the rectangles' sides where possible: software drivers draw squares of this size.
const GRAIN: u32 = 64;
/// Maximum height of rectangles narrower than the picture: taller ones could not become cheaper within their
/// row.
const HIGHEST: u32 = 256;

/// Rectangles of a picture, from bottom to top and in each row from left to right.
#[derive(Clone, Debug)]
pub(super) struct Rectangles {
    all: Rect,
    /// Lower left corner of the next rectangle, and the height of its row.
    at: [u32; 2],
    height: u32,
}

/// Area of a rectangle in pixels.
pub(super) fn area(rectangle: &Rect) -> u64 {
    u64::from(rectangle.width) * u64::from(rectangle.height)
}

impl Rectangles {
    /// Begin a picture of `size`.
    pub(super) fn new((width, height): (u32, u32)) -> Self {
        Self::within(Rect {
            left: 0,
            bottom: 0,
            width,
            height,
        })
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
        Some(Rect {
            left: self.all.left + left,
            bottom: self.all.bottom + bottom,
            width: columns.min(width - left),
            height: self.height,
        })
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::rate::Rate;
    use super::*;

    const LIMIT: Duration = Duration::from_millis(12);

    /// Draw a picture whose pixels cost `cost` seconds each; returns its rectangles and their times.
    fn drawn(size: (u32, u32), cost: impl Fn(u32) -> f32) -> (Vec<Rect>, Vec<f32>) {
        let (mut rectangles, mut rate) = (Rectangles::new(size), Rate::unknown());
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
        let whole = Rect {
            left: 0,
            bottom: 0,
            width: 1280,
            height: 720,
        };
        rate.note(area(&whole), Duration::from_millis(4), LIMIT);
        let mut rectangles = Rectangles::new((1280, 720));
        assert_eq!(rectangles.next(rate.pixels_in(LIMIT)), Some(whole));
    }
}
