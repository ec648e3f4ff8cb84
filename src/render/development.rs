//! A picture under way: begun, drawn a rectangle at a time, and then shown or read.

use std::time::{Duration, Instant};

use glium::Rect;

use super::course::{Course, Stroke};
use super::frame::Frame;
use super::strokes::Rate;
use super::target::Target;

/// A picture, or a piece of one, of which some is drawn. Drawn at once or rectangle by rectangle,
/// it is the same to the last bit.
pub struct Development {
    pub(super) frame: Frame,
    pub(super) target: Target,
    course: Course,
    /// Time that it took so far.
    took: Duration,
    longest: Duration,
    /// Pixels drawn, and time: of the first rectangle, for which programs may have been compiled,
    /// and of all.
    first: Option<(u64, Duration)>,
    pixels: u64,
}

impl Development {
    pub(super) fn new(frame: Frame, target: Target, limit: Option<Duration>, rate: Rate) -> Self {
        Self {
            course: Course::new(frame.size, limit, rate),
            frame,
            target,
            took: Duration::ZERO,
            longest: Duration::ZERO,
            first: None,
            pixels: 0,
        }
    }

    /// What comes next; `None` if all is drawn. `mirror` is the size of what water mirrors.
    pub(super) fn next(&mut self, mirror: Option<(u32, u32)>) -> Option<Stroke> {
        self.course.next(mirror)
    }

    /// That is drawn, since `began`. Returns what of the picture is there now.
    pub(super) fn done(&mut self, stroke: Stroke, began: Instant) -> Option<Rect> {
        let took = began.elapsed();
        self.took += took;
        self.longest = self.longest.max(took);
        let rectangle = self.course.rectangle(stroke);
        self.pixels += u64::from(rectangle.width) * u64::from(rectangle.height);
        self.first.get_or_insert((self.pixels, took));
        self.course.done(stroke, took);
        (!matches!(stroke, Stroke::Mirror(_))).then_some(rectangle)
    }

    /// Whether all of it is drawn.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.course.is_done()
    }

    /// Part of it that is drawn, 0…1.
    #[must_use]
    pub fn progress(&self) -> f32 {
        self.course.progress()
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
        let part = pixels as f32 / self.course.pixels() as f32;
        (pixels > 0).then(|| (took, took.div_f32(part)))
    }

    /// How quick it was, to begin the next with.
    #[must_use]
    pub fn rate(&self) -> Rate {
        self.course.rate()
    }
}
