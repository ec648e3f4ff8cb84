//! A picture under way: begun, drawn a rectangle at a time, and then shown or read.

use std::time::{Duration, Instant};

use glium::Rect;

use super::frame::Frame;
use super::strokes::{Rate, Strokes};
use super::target::Target;

/// A picture, or a piece of one, of which some is drawn. Drawn at once or rectangle by rectangle,
/// it is the same to the last bit.
pub struct Development {
    pub(super) frame: Frame,
    pub(super) target: Target,
    /// How long a rectangle may take; `None` is all at once.
    limit: Option<Duration>,
    /// How quick it is where it is drawn now.
    rate: Rate,
    /// How quick it was where it began. The sky at its end is quicker than the ground there.
    begun: Option<Rate>,
    /// How quick what its water mirrors is drawn.
    mirror_rate: Rate,
    /// What its water mirrors comes first: unknown, or so much of it.
    mirror: Option<Strokes>,
    picture: Strokes,
    /// Time that it took so far.
    took: Duration,
    longest: Duration,
    /// Pixels drawn, and time: of the first rectangle, for which programs may have been compiled,
    /// and of all.
    first: Option<(u64, Duration)>,
    pixels: u64,
}

/// What to draw next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Stroke {
    /// All of it.
    Whole,
    /// Some of what the water mirrors.
    Mirror(Rect),
    /// Some of the picture, once that is there.
    Picture(Rect),
}

impl Development {
    pub(super) fn new(frame: Frame, target: Target, limit: Option<Duration>, rate: Rate) -> Self {
        Self {
            picture: Strokes::new(frame.size),
            frame,
            target,
            limit,
            rate,
            begun: None,
            mirror_rate: Rate::unknown(),
            mirror: None,
            took: Duration::ZERO,
            longest: Duration::ZERO,
            first: None,
            pixels: 0,
        }
    }

    /// What comes next; `None` if all is drawn. `mirror` is the size of what water mirrors.
    pub(super) fn next(&mut self, mirror: Option<(u32, u32)>) -> Option<Stroke> {
        let Some(limit) = self.limit else {
            return (!self.is_done()).then_some(Stroke::Whole);
        };
        let first = self.mirror.is_none() && self.picture.progress() == 0.0;
        if first {
            let mut all = Strokes::new(self.frame.size);
            let all = all.next(self.rate, limit);
            let whole = all.is_some_and(|all| (all.width, all.height) == self.frame.size);
            if whole {
                return Some(Stroke::Whole);
            }
            self.mirror = Some(Strokes::new(mirror.unwrap_or((0, 0))));
        }
        let mirrored = self.mirror.as_mut();
        let mirrored = mirrored.and_then(|strokes| strokes.next(self.mirror_rate, limit));
        let picture = || self.picture.next(self.rate, limit).map(Stroke::Picture);
        mirrored.map(Stroke::Mirror).or_else(picture)
    }

    /// That is drawn, since `began`. Returns what of the picture is there now.
    pub(super) fn done(&mut self, stroke: Stroke, began: Instant) -> Option<Rect> {
        let took = began.elapsed();
        self.took += took;
        self.longest = self.longest.max(took);
        let whole = Rect {
            left: 0,
            bottom: 0,
            width: self.frame.size.0,
            height: self.frame.size.1,
        };
        let rectangle = match stroke {
            Stroke::Whole => whole,
            Stroke::Mirror(rectangle) | Stroke::Picture(rectangle) => rectangle,
        };
        self.pixels += u64::from(rectangle.width) * u64::from(rectangle.height);
        self.first.get_or_insert((self.pixels, took));
        if let Some(limit) = self.limit {
            let rate = match stroke {
                Stroke::Mirror(_) => &mut self.mirror_rate,
                Stroke::Whole | Stroke::Picture(_) => &mut self.rate,
            };
            Strokes::learn(rate, rectangle, took, limit);
        }
        if let (Stroke::Mirror(_), Some(mirror)) = (stroke, &mut self.mirror) {
            mirror.done(rectangle);
            return None;
        }
        self.begun.get_or_insert(self.rate);
        self.picture.done(rectangle);
        Some(rectangle)
    }

    /// Whether all of it is drawn.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.picture.is_done()
    }

    /// Part of it that is drawn, 0…1.
    #[must_use]
    pub fn progress(&self) -> f32 {
        self.picture.progress()
    }

    /// Time that drawing it took so far, until the driver had done it.
    #[must_use]
    pub fn took(&self) -> Duration {
        self.took
    }

    /// The longest time that a rectangle of it took.
    #[must_use]
    pub fn longest(&self) -> Duration {
        self.longest
    }

    /// What is known of how long all of it takes: time since its first rectangle was drawn, and
    /// what all would take at that rate.
    #[must_use]
    pub fn forecast(&self) -> Option<(Duration, Duration)> {
        let (first, compiling) = self.first?;
        let (pixels, took) = (self.pixels - first, self.took - compiling);
        let (width, height) = self.frame.size;
        let mirror = self.mirror.as_ref().map_or(0, Strokes::pixels);
        let all = u64::from(width) * u64::from(height) + mirror;
        let part = pixels as f32 / all as f32;
        (pixels > 0).then(|| (took, took.div_f32(part)))
    }

    /// How quick it was, to begin the next with.
    #[must_use]
    pub fn rate(&self) -> Rate {
        self.begun.unwrap_or(self.rate)
    }
}
