//! Progressive rendering: a picture is begun, drawn a rectangle at a time, and then shown or read.

use std::rc::Rc;
use std::time::{Duration, Instant};

use glium::Rect;
use glium::backend::Context;

use super::buffers::PictureBuffers;
use super::error::RenderError;
use super::schedule::{Phase, Plan, Rates, Schedule, Stroke};
use super::view::frame::Frame;

/// A picture, or a piece of one, of which some is drawn. Drawn at once or rectangle by rectangle,
/// it is the same to the last bit.
pub struct Development {
    pub(super) frame: Frame,
    pub(super) buffers: PictureBuffers,
    schedule: Schedule,
    /// Time that it took so far, and how much of that went into windows of ground below the map.
    took: Duration,
    windows: Duration,
    longest: Duration,
    /// What was drawn last: its programs are compiled by now.
    last: Last,
    /// What was drawn besides the first of each phase, in pixels, and the time that took.
    told: (u64, Duration),
    /// Pixels of the first ones.
    untold: u64,
}

/// What was drawn last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Last {
    Nothing,
    Patches(Phase),
    Picture,
}

impl Development {
    pub(super) fn new(
        frame: Frame,
        buffers: PictureBuffers,
        limit: Option<Duration>,
        rates: Rates,
    ) -> Self {
        Self {
            schedule: Schedule::new(frame.size, limit, rates),
            frame,
            buffers,
            took: Duration::ZERO,
            windows: Duration::ZERO,
            longest: Duration::ZERO,
            last: Last::Nothing,
            told: (0, Duration::ZERO),
            untold: 0,
        }
    }

    /// Whether the mask that is uploaded, if any, lies over the ground: at first not.
    #[must_use]
    pub fn masked(mut self, masked: bool) -> Self {
        self.frame.masked = masked;
        self
    }

    /// Leaves out scale bar, legend and labels: they come when it is enlarged to that size, see
    /// [`Renderer::show_enlarged`](super::Renderer::show_enlarged).
    #[must_use]
    pub fn enlarged_to(mut self, size: (u32, u32)) -> Self {
        self.frame.enlarged = Some(size).filter(|size| *size != self.frame.whole);
        self
    }

    /// Makes one of the buffers to be drawn in, unless all is drawn at once. Returns whether one was
    /// missing.
    pub(super) fn makes_room(&mut self, context: &Rc<Context>) -> Result<bool, RenderError> {
        let began = Instant::now();
        let was_missing = self.schedule.is_in_parts() && self.buffers.make_one(context)?;
        self.note(began.elapsed());
        Ok(was_missing)
    }

    /// Takes note of time that was spent on it.
    pub(super) fn note(&mut self, took: Duration) {
        self.took += took;
        self.longest = self.longest.max(took);
    }

    /// Takes note of time that went into a window of ground below the map, which later pictures use too.
    pub(super) fn note_window(&mut self, took: Duration) {
        self.note(took);
        self.windows += took;
    }

    /// What comes next; `None` if all is drawn. `plans` says which phases the picture has.
    pub(super) fn next(&mut self, plans: impl FnOnce() -> Vec<(Phase, Plan)>) -> Option<Stroke> {
        self.schedule.next(plans)
    }

    /// The part of the picture that is there once a stroke is drawn.
    pub(super) fn shown_by(&self, stroke: Stroke) -> Option<Rect> {
        match stroke {
            Stroke::Whole => Some(self.frame.rectangle()),
            Stroke::Clear(_) | Stroke::Patches(..) => None,
            Stroke::Picture(part) => Some(part),
        }
    }

    /// Takes note that a stroke is drawn, at which the driver worked since `began`.
    pub(super) fn done(&mut self, stroke: Stroke, began: Instant) {
        let took = began.elapsed();
        self.note(took);
        log::trace!("{} µs: {stroke:?}", took.as_micros());
        self.schedule.done(stroke, took);
        let now = match stroke {
            Stroke::Clear(_) => return,
            Stroke::Patches(phase, _) => Last::Patches(phase),
            Stroke::Whole | Stroke::Picture(_) => Last::Picture,
        };
        let pixels = stroke.pixels();
        if std::mem::replace(&mut self.last, now) == now {
            self.told = (self.told.0 + pixels, self.told.1 + took);
        } else {
            self.untold += pixels;
        }
    }

    /// Whether all of it is drawn.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.schedule.is_done()
    }

    /// The part of it that is drawn, 0…1.
    #[must_use]
    pub fn progress(&self) -> f32 {
        self.schedule.progress()
    }

    /// Time that drawing it took so far, until the driver had done it.
    #[must_use]
    pub fn took(&self) -> Duration {
        self.took
    }

    /// How much of that went into windows of ground below the map, which later pictures use too.
    #[must_use]
    pub fn took_for_windows(&self) -> Duration {
        self.windows
    }

    /// Whether it shows ground below its last iteration.
    #[must_use]
    pub fn shows_below(&self) -> bool {
        self.frame.depth.is_some()
    }

    /// The longest time that a part of it took.
    #[must_use]
    pub fn longest(&self) -> Duration {
        self.longest
    }

    /// What is known of how long all of it takes: time since its first rectangle was drawn, and
    /// what all would take at that rate, without what programs took to be compiled.
    #[must_use]
    pub fn forecast(&self) -> Option<(Duration, Duration)> {
        let (pixels, took) = self.told;
        let part = pixels as f32 / (self.schedule.pixels() - self.untold) as f32;
        (pixels > 0).then(|| (took, took.div_f32(part)))
    }

    /// Tells how quickly it was drawn, to begin the next picture with.
    #[must_use]
    pub fn rates(&self) -> Rates {
        self.schedule.rates()
    }
}
