//! A picture drawn a rectangle at a time, and the ground below it some patches at a time, each as
//! many as time allows: nothing that waits for the driver waits longer than one of them takes.

use std::time::Duration;

use glium::Rect;

/// Sides of rectangles are multiples of this where they can be: drivers in software draw squares
/// of so many pixels.
const GRAIN: u32 = 64;
/// Rows of rectangles that are narrower than the picture: high ones could not be made cheaper
/// within their row.
const HIGHEST: u32 = 256;
/// The next rectangle has at most so many times the pixels of what was drawn in that time.
const GROWTH: f32 = 4.0;

/// A patch of ground takes about as long as so many pixels: it has as many cells.
const PATCH: u64 = 1024;

/// How much was drawn in which time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rate(f32);

impl Rate {
    /// Nothing is known: the first rectangle is a small one.
    pub(super) fn unknown() -> Self {
        Self(0.0)
    }

    /// Of a picture of that size drawn in that time.
    pub(super) fn of((width, height): (u32, u32), took: Duration) -> Self {
        let pixels = width as f32 * height as f32;
        Self(pixels / took.as_secs_f32().max(1e-6))
    }

    /// Whether that is enough for all of a picture.
    pub(super) fn covers(self, (width, height): (u32, u32), time: Duration) -> bool {
        self.pixels_in(time) >= width as f32 * height as f32
    }

    fn pixels_in(self, time: Duration) -> f32 {
        (self.0 * time.as_secs_f32()).max(PATCH as f32)
    }

    fn note(&mut self, pixels: f32, took: Duration, limit: Duration) {
        let rate = pixels / took.as_secs_f32().max(1e-6);
        // Of a small rectangle most of the time is none of the pixels'.
        let most = pixels * GROWTH / limit.as_secs_f32().max(1e-6);
        self.0 = rate.min(most);
    }
}

/// The rectangles of one picture, from bottom to top and in each row from left to right.
#[derive(Clone, Debug)]
pub(super) struct Strokes {
    size: (u32, u32),
    /// Lower left of what comes next, and the height of its row.
    at: [u32; 2],
    height: u32,
}

impl Strokes {
    /// Of a picture of `size` of which nothing is drawn.
    pub(super) fn new(size: (u32, u32)) -> Self {
        Self {
            size,
            at: [0, 0],
            height: 0,
        }
    }

    /// The next rectangle: `None` if all is drawn.
    pub(super) fn next(&mut self, rate: Rate, limit: Duration) -> Option<Rect> {
        let (width, height) = self.size;
        let [left, bottom] = self.at;
        if bottom >= height {
            return None;
        }
        let pixels = rate.pixels_in(limit);
        if left == 0 {
            let rows = (pixels / width as f32) as u32;
            self.height = match rows {
                // All that is left, if that is not much more.
                rows if rows >= height - bottom => height - bottom,
                rows if rows >= GRAIN => rows / GRAIN * GRAIN,
                _ => GRAIN,
            };
            self.height = self.height.min(height - bottom);
        }
        let full = self.height > HIGHEST || pixels >= (width * self.height) as f32;
        let columns = match full {
            true => width,
            false => ((pixels / self.height as f32) as u32 / GRAIN * GRAIN).max(GRAIN),
        };
        Some(Rect {
            left,
            bottom,
            width: columns.min(width - left),
            height: self.height,
        })
    }

    /// That rectangle is drawn.
    pub(super) fn done(&mut self, rectangle: Rect) {
        self.at[0] = rectangle.left + rectangle.width;
        if self.at[0] >= self.size.0 {
            self.at = [0, rectangle.bottom + rectangle.height];
        }
    }

    /// Takes note of what the rectangle took.
    pub(super) fn learn(rate: &mut Rate, rectangle: Rect, took: Duration, limit: Duration) {
        rate.note((rectangle.width * rectangle.height) as f32, took, limit);
    }

    /// Pixels of the whole.
    pub(super) fn pixels(&self) -> u64 {
        u64::from(self.size.0) * u64::from(self.size.1)
    }

    /// Part that is drawn, 0…1.
    pub(super) fn progress(&self) -> f32 {
        let (width, height) = (self.size.0 as f32, self.size.1 as f32);
        let rows = self.at[1] as f32 + self.at[0] as f32 / width * self.height as f32;
        rows / height
    }

    pub(super) fn is_done(&self) -> bool {
        self.at[1] >= self.size.1
    }
}

/// Some patches of ground, in the order in which all of them are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    /// How many come before.
    pub(super) first: usize,
    /// How many they are; none at all of ground that nobody sees.
    pub(super) count: usize,
}

impl Span {
    /// What they count as.
    pub(super) fn pixels(self) -> u64 {
        self.count as u64 * PATCH
    }
}

/// The patches of one picture. Those that are drawn with rectangles would be drawn with each that
/// they touch: where the ground is far away that is ten times as often.
#[derive(Clone, Debug)]
pub(super) struct Spans {
    count: usize,
    /// How many are drawn; `None` before the first, of which there is one at least.
    drawn: Option<usize>,
}

impl Spans {
    /// So many patches, of which none is drawn.
    pub(super) fn new(count: usize) -> Self {
        Self { count, drawn: None }
    }

    /// The next of them: `None` if all are drawn.
    pub(super) fn next(&self, rate: Rate, limit: Duration) -> Option<Span> {
        let first = self.drawn.unwrap_or(0);
        let left = self.count - first;
        let count = (rate.pixels_in(limit) as u64 / PATCH) as usize;
        (left > 0 || self.drawn.is_none()).then(|| Span {
            first,
            count: count.min(left),
        })
    }

    /// Those are drawn.
    pub(super) fn done(&mut self, span: Span) {
        self.drawn = Some(span.first + span.count);
    }

    /// Takes note of what they took.
    pub(super) fn learn(rate: &mut Rate, span: Span, took: Duration, limit: Duration) {
        rate.note(span.pixels().max(PATCH) as f32, took, limit);
    }

    /// What all of them count as.
    pub(super) fn pixels(&self) -> u64 {
        self.count as u64 * PATCH
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_millis(12);

    /// The rectangles of a picture whose pixels cost that many seconds each, and their times.
    fn drawn(size: (u32, u32), cost: impl Fn(u32) -> f32) -> (Vec<Rect>, Vec<f32>) {
        let (mut strokes, mut rate) = (Strokes::new(size), Rate::unknown());
        let (mut all, mut times) = (Vec::new(), Vec::new());
        while let Some(rectangle) = strokes.next(rate, LIMIT) {
            let pixels = (rectangle.width * rectangle.height) as f32;
            let took = 0.001 + pixels * cost(rectangle.bottom);
            times.push(took);
            let took = Duration::from_secs_f32(took);
            Strokes::learn(&mut rate, rectangle, took, LIMIT);
            strokes.done(rectangle);
            all.push(rectangle);
        }
        assert!(strokes.is_done() && strokes.progress() >= 1.0);
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
        // A cheap foreground, a dear horizon, a cheap sky.
        let cost = |row: u32| match row {
            1000..1300 => 4e-7,
            _ => 1e-7,
        };
        let (all, mut times) = drawn((3840, 2160), cost);
        assert!(all.len() < 400, "{}", all.len());
        times.sort_by(f32::total_cmp);
        let [median, most] = [times[times.len() / 2], times[times.len() - 1]];
        assert!(median < 0.015, "{median} s");
        // Where it becomes four times as dear, one rectangle takes four times as long.
        assert!(most < 0.05, "{most} s");
    }

    #[test]
    fn a_quick_machine_draws_all_of_it_at_once() {
        let mut rate = Rate::unknown();
        let whole = Rect {
            left: 0,
            bottom: 0,
            width: 1280,
            height: 720,
        };
        Strokes::learn(&mut rate, whole, Duration::from_millis(4), LIMIT);
        let mut strokes = Strokes::new((1280, 720));
        assert_eq!(strokes.next(rate, LIMIT), Some(whole));
    }
}
