//! Progressive rendering of one frame: begun, drawn tile by tile within a time limit, then shown or read.

use std::rc::Rc;
use std::time::{Duration, Instant};

use glium::Rect;
use glium::backend::Context;

use super::buffers::PictureBuffers;
use super::error::RenderError;
use super::schedule::{DrawStep, Phase, Plan, Rates, Schedule};
use super::view::frame::Frame;

/// A picture in progress, or a piece of one. Drawn at once or tile by tile, the result is identical to the
/// last bit.
pub struct ProgressiveFrame {
    pub(super) frame: Frame,
    pub(super) buffers: PictureBuffers,
    schedule: Schedule,
    /// Time spent so far, and the part of it spent on clipmap windows.
    took: Duration,
    windows: Duration,
    longest: Duration,
    /// Kind of the last draw: its programs are compiled by now.
    last: Last,
    /// Pixels drawn, and time taken, without the first draw of each phase.
    told: (u64, Duration),
    /// Pixels of the first draws, which include shader compilation.
    untold: u64,
}

/// Kind of a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Last {
    Nothing,
    Patches(Phase),
    Picture,
}

impl ProgressiveFrame {
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

    /// Choose if the uploaded mask is shown over the ground; initially it is not.
    #[must_use]
    pub fn masked(mut self, masked: bool) -> Self {
        self.frame.masked = masked;
        self
    }

    /// Leave out scale bar, legend and labels. They are added when the picture is enlarged to `size`, see
    /// [`Renderer::show_enlarged`](super::Renderer::show_enlarged).
    #[must_use]
    pub fn enlarged_to(mut self, size: (u32, u32)) -> Self {
        self.frame.enlarged = Some(size).filter(|size| *size != self.frame.whole);
        self
    }

    /// Create one missing buffer, unless everything is drawn at once. Returns true if one was missing.
    pub(super) fn makes_room(&mut self, context: &Rc<Context>) -> Result<bool, RenderError> {
        let began = Instant::now();
        let was_missing = self.schedule.is_in_parts() && self.buffers.make_one(context)?;
        self.note(began.elapsed());
        Ok(was_missing)
    }

    /// Record time spent on the picture.
    pub(super) fn note(&mut self, took: Duration) {
        self.took += took;
        self.longest = self.longest.max(took);
    }

    /// Record time spent on a clipmap window, which later pictures reuse.
    pub(super) fn note_window(&mut self, took: Duration) {
        self.note(took);
        self.windows += took;
    }

    /// The next draw; `None` if the picture is complete. `plans` returns the phases of the picture.
    pub(super) fn next(&mut self, plans: impl FnOnce() -> Vec<(Phase, Plan)>) -> Option<DrawStep> {
        self.schedule.next(plans)
    }

    /// The part of the picture that a draw completes.
    pub(super) fn shown_by(&self, stroke: DrawStep) -> Option<Rect> {
        match stroke {
            DrawStep::Whole => Some(self.frame.rectangle()),
            DrawStep::Clear(_) | DrawStep::Patches(..) => None,
            DrawStep::Picture(part) => Some(part),
        }
    }

    /// Record a finished draw, on which the driver worked since `began`.
    pub(super) fn done(&mut self, stroke: DrawStep, began: Instant) {
        let took = began.elapsed();
        self.note(took);
        log::trace!("{} µs: {stroke:?}", took.as_micros());
        self.schedule.done(stroke, took);
        let now = match stroke {
            DrawStep::Clear(_) => return,
            DrawStep::Patches(phase, _) => Last::Patches(phase),
            DrawStep::Whole | DrawStep::Picture(_) => Last::Picture,
        };
        let pixels = stroke.pixels();
        if std::mem::replace(&mut self.last, now) == now {
            self.told = (self.told.0 + pixels, self.told.1 + took);
        } else {
            self.untold += pixels;
        }
    }

    /// True if the picture is complete.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.schedule.is_done()
    }

    /// Fraction of the picture that is drawn, 0…1.
    #[must_use]
    pub fn progress(&self) -> f32 {
        self.schedule.progress()
    }

    /// Time spent on drawing so far, including the driver's work.
    #[must_use]
    pub fn took(&self) -> Duration {
        self.took
    }

    /// Time spent on clipmap windows, which later pictures reuse.
    #[must_use]
    pub fn took_for_windows(&self) -> Duration {
        self.windows
    }

    /// True if the picture shows refined ground, below its last iteration.
    #[must_use]
    pub fn shows_below(&self) -> bool {
        self.frame.depth.is_some()
    }

    /// Longest time of a single step.
    #[must_use]
    pub fn longest(&self) -> Duration {
        self.longest
    }

    /// Estimate of the drawing time: the time since the first tile, and the total at that rate, without
    /// shader compilation.
    #[must_use]
    pub fn forecast(&self) -> Option<(Duration, Duration)> {
        let (pixels, took) = self.told;
        let part = pixels as f32 / (self.schedule.pixels() - self.untold) as f32;
        (pixels > 0).then(|| (took, took.div_f32(part)))
    }

    /// Measured drawing rates, a starting point for the next picture.
    #[must_use]
    pub fn rates(&self) -> Rates {
        self.schedule.rates()
    }
}
