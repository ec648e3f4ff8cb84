//! Progressive rendering of one frame: begun, drawn tile by tile within a time limit, then shown or read. The
//! reflection and the ground are drawn in ranges of patches, then everything else in tiles, each as large as
//! the frame budget allows.

use std::rc::Rc;
use std::time::{Duration, Instant};

use glium::Rect;
use glium::backend::Context;

use crate::render::buffers::PictureBuffers;
use crate::render::error::Result;
use crate::render::frame_budget::{PatchRange, PatchRanges, Rate, SlowestRate, Tiles, area};
use crate::render::view::Frame;

/// A picture in progress, or a piece of one. Drawn at once or tile by tile, the result is identical to the
/// last bit.
pub struct ProgressiveFrame {
    pub(super) frame: Frame,
    pub(super) buffers: PictureBuffers,
    pub(super) schedule: Schedule,
    /// Time spent so far, and the part of it spent on clipmap windows and plants around the eye.
    took: Duration,
    around: Duration,
    /// Time for windows in a preview; `None` once it is over.
    patience: Option<Duration>,
    /// True if the last step was one of a window.
    makes_windows: bool,
    longest: Duration,
    /// Kind of the last draw: its programs are compiled by now.
    last: Last,
    /// Pixels drawn, and time taken, without the first draw of each phase.
    told: (u64, Duration),
    /// Pixels of the first draws, which include shader compilation.
    untold: u64,
}

/// Surroundings of the eye that were computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Around {
    /// A clipmap window.
    Window,
    Plants,
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
            around: Duration::ZERO,
            patience: None,
            makes_windows: false,
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

    /// Make this a picture in motion, which does not wait for all clipmap windows. It begins no step of theirs after
    /// `patience`, and leaves out the levels that are still missing, unless the eye is below the coarser ground. After a
    /// change of the light alone, refined ground is drawn in the light of the map until that of the windows is there.
    /// If the picture shows refined ground, it depends on what was drawn before, and
    /// [`is_preview`](Self::is_preview) is true.
    #[must_use]
    pub fn previewed(mut self, patience: Duration) -> Self {
        self.frame.preview = self.frame.depth.is_some();
        self.patience = Some(patience).filter(|_| self.frame.preview);
        self
    }

    /// True if the picture may differ from the final one of its scene and size.
    #[must_use]
    pub fn is_preview(&self) -> bool {
        self.frame.preview
    }

    /// True once, when the time for clipmap windows of a preview is over.
    pub(super) fn stops_waiting(&mut self) -> bool {
        let took = self.around;
        self.patience
            .take_if(|patience| took >= *patience)
            .is_some()
    }

    /// True if the next step may be one of a clipmap window.
    #[must_use]
    pub fn makes_windows(&self) -> bool {
        self.makes_windows && self.patience.is_none_or(|patience| self.around < patience)
    }

    /// Leave out scale bar, legend and labels. They are added when the picture is enlarged to `size`, see
    /// [`Renderer::show_enlarged`](super::Renderer::show_enlarged).
    #[must_use]
    pub fn enlarged_to(mut self, size: (u32, u32)) -> Self {
        self.frame.enlarged = Some(size).filter(|size| *size != self.frame.whole);
        self
    }

    /// Create one missing buffer, unless everything is drawn at once. Returns true if one was missing.
    pub(super) fn makes_room(&mut self, context: &Rc<Context>) -> Result<bool> {
        let began = Instant::now();
        let was_missing = self.schedule.limit.is_some() && self.buffers.make_one(context)?;
        self.note(began.elapsed());
        Ok(was_missing)
    }

    /// Record time spent on the picture.
    pub(super) fn note(&mut self, took: Duration) {
        self.took += took;
        self.longest = self.longest.max(took);
    }

    /// Record time spent on what surrounds the eye, which later pictures reuse.
    pub(super) fn note_around(&mut self, made: Around, took: Duration) {
        self.note(took);
        self.around += took;
        self.makes_windows = made == Around::Window;
    }

    /// The part of the picture that a draw completes.
    pub(super) fn shown_by(&self, step: DrawStep) -> Option<Rect> {
        match step {
            DrawStep::Whole => Some(self.frame.rectangle()),
            DrawStep::Clear(_) | DrawStep::Patches(..) => None,
            DrawStep::Picture(part) => Some(part),
        }
    }

    /// Record a finished draw, on which the driver worked since `began`.
    pub(super) fn done(&mut self, step: DrawStep, began: Instant) {
        let took = began.elapsed();
        self.note(took);
        self.makes_windows = false;
        log::trace!("{} µs: {step:?}", took.as_micros());
        self.schedule.done(step, took);
        let now = match step {
            DrawStep::Clear(_) => return,
            DrawStep::Patches(phase, _) => Last::Patches(phase),
            DrawStep::Whole | DrawStep::Picture(_) => Last::Picture,
        };
        let pixels = step.pixels();
        if std::mem::replace(&mut self.last, now) == now {
            self.told = (self.told.0 + pixels, self.told.1 + took);
        } else {
            self.untold += pixels;
        }
    }

    /// True if the picture is complete.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.schedule.is_done
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

    /// Time spent on clipmap windows and plants, which later pictures reuse.
    #[must_use]
    pub fn took_around(&self) -> Duration {
        self.around
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
        self.schedule.rates
    }
}

/// A phase before the picture itself: patches of ground, or plants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// The reflection in the water.
    Mirror,
    /// The plants in it.
    MirroredPlants,
    /// The ground, or its distances.
    Ground,
    /// Plants in front of the ground.
    Plants,
}

/// Patches of a phase.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// Bounding rectangle of each patch in the picture.
    pub(super) places: Vec<Rect>,
    /// Cost of a patch, in pixels of the picture.
    pub(super) worth: u64,
}

/// One step of drawing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum DrawStep {
    /// The whole picture at once.
    Whole,
    /// The clear before the patches of a phase.
    Clear(Phase),
    /// A range of patches of a phase.
    Patches(Phase, PatchRange),
    /// A rectangle of the picture, after all phases.
    Picture(Rect),
}

impl DrawStep {
    /// Cost of the step in pixels. A whole picture counts as 0, since its size is unknown here.
    pub(super) fn pixels(self) -> u64 {
        match self {
            Self::Whole | Self::Clear(_) => 0,
            Self::Patches(_, range) => range.worth,
            Self::Picture(rectangle) => area(&rectangle),
        }
    }
}

/// Measured drawing rates of a picture, used to begin the next one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// Rate including all phases.
    all: Rate,
    /// Rate of the picture alone, at its start: the sky at its end is faster than the ground.
    begun: Rate,
    /// Rates of large patches, by phase.
    patches: [SlowestRate; 4],
}

impl Rates {
    /// Unknown rates: the first rectangle will be small.
    #[must_use]
    pub fn unknown() -> Self {
        Self {
            all: Rate::unknown(),
            begun: Rate::unknown(),
            patches: [SlowestRate::unknown(); 4],
        }
    }

    /// True if `pixels` pixels are expected to take longer than `time`.
    #[must_use]
    pub fn take_longer(&self, pixels: u64, time: Duration) -> bool {
        self.all.pixels_in(time) < pixels
    }
}

/// A phase, its state of clearing, and its patches.
#[derive(Clone, Debug)]
struct Patches {
    phase: Phase,
    is_clear: bool,
    ranges: PatchRanges,
}

/// Progress of a picture, and the size of its next part.
#[derive(Clone, Debug)]
pub(super) struct Schedule {
    /// Time limit of a step; `None` draws everything at once.
    limit: Option<Duration>,
    /// Rates of the previous picture, updated by this one.
    rates: Rates,
    /// Phases before the picture, in order; `None` until known.
    phases: Option<Vec<Patches>>,
    picture: Tiles,
    rate: Rate,
    took: Duration,
    /// Cost of everything drawn so far, in pixels.
    drawn: u64,
    /// True if the picture is complete.
    is_done: bool,
}

impl Schedule {
    /// Create the schedule of a picture of `size`.
    pub(super) fn new(size: (u32, u32), limit: Option<Duration>, rates: Rates) -> Self {
        Self {
            limit,
            rates,
            phases: None,
            picture: Tiles::new(size),
            rate: rates.begun,
            took: Duration::ZERO,
            drawn: 0,
            is_done: false,
        }
    }

    /// The next step; `None` if the picture is complete. `plans` returns the phases of the picture.
    pub(super) fn next(&mut self, plans: impl FnOnce() -> Vec<(Phase, Plan)>) -> Option<DrawStep> {
        if self.is_done {
            return None;
        }
        let limit = match self.limit {
            // A picture that was begun in parts stays in parts.
            Some(limit)
                if self.phases.is_some()
                    || self.rates.take_longer(self.picture.pixels(), limit) =>
            {
                limit
            }
            _ => return Some(DrawStep::Whole),
        };
        let rates = self.rates;
        let begin = || {
            let phases = plans().into_iter().map(|(phase, plan)| Patches {
                phase,
                is_clear: false,
                ranges: PatchRanges::new(plan.places, plan.worth, rates.patches[phase as usize]),
            });
            phases.collect()
        };
        let phases = self.phases.get_or_insert_with(begin);
        let next = phases.iter_mut().find_map(|patches| {
            if patches.is_clear {
                Some(DrawStep::Patches(
                    patches.phase,
                    patches.ranges.next(limit)?,
                ))
            } else {
                Some(DrawStep::Clear(patches.phase))
            }
        });
        let pixels = self.rate.pixels_in(limit);
        next.or_else(|| self.picture.next(pixels).map(DrawStep::Picture))
    }

    /// Record a finished step and its time.
    pub(super) fn done(&mut self, step: DrawStep, took: Duration) {
        self.took += took;
        self.drawn += step.pixels();
        let limit = self.limit.unwrap_or_default();
        match step {
            DrawStep::Whole => self.is_done = true,
            DrawStep::Clear(phase) => {
                if let Some(patches) = self.patches(phase) {
                    patches.is_clear = true;
                }
            }
            DrawStep::Patches(phase, range) => {
                if let Some(patches) = self.patches(phase) {
                    patches.ranges.done(range, took, limit);
                }
            }
            DrawStep::Picture(rectangle) => {
                let is_first = self.picture.progress() == 0.0;
                self.picture.done(rectangle);
                self.rate.note(area(&rectangle), took, limit);
                if is_first {
                    self.rates.begun = self.rate;
                }
                self.is_done = self.picture.is_done();
            }
        }
        if self.is_done {
            self.rates.all = Rate::of(self.picture.pixels(), self.took);
            for patches in self.phases.iter().flatten() {
                self.rates.patches[patches.phase as usize] = patches.ranges.rate();
            }
        }
        if step == DrawStep::Whole {
            self.rates.begun = self.rates.all;
        }
    }

    fn patches(&mut self, phase: Phase) -> Option<&mut Patches> {
        let mut phases = self.phases.iter_mut().flatten();
        phases.find(|patches| patches.phase == phase)
    }

    /// Fraction of the picture that is drawn, 0…1.
    pub(super) fn progress(&self) -> f32 {
        if self.is_done {
            1.0
        } else {
            (self.drawn as f32 / self.pixels() as f32).min(1.0)
        }
    }

    /// Cost of the picture and its patches, in pixels.
    pub(super) fn pixels(&self) -> u64 {
        let phases = self.phases.iter().flatten();
        let patches: u64 = phases.map(|patches| patches.ranges.worth()).sum();
        self.picture.pixels() + patches
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::view::rect;

    const SIZE: (u32, u32) = (3840, 2160);
    const LIMIT: Duration = Duration::from_millis(12);

    /// Times of the steps of a picture with ground fifty times as expensive as everything else.
    fn drawn(schedule: &mut Schedule, phases: &[(Phase, Plan)]) -> Vec<Duration> {
        let mut times = Vec::new();
        while let Some(step) = schedule.next(|| phases.to_vec()) {
            let seconds = match step {
                DrawStep::Whole => panic!("nothing says that it is quick"),
                DrawStep::Clear(_) => 0.02,
                DrawStep::Patches(_, range) => range.count as f32 * 3e-4,
                DrawStep::Picture(rect) => {
                    let cost = if rect.bottom < 1000 { 1e-6 } else { 2e-8 };
                    (rect.width * rect.height) as f32 * cost
                }
            };
            let took = Duration::from_secs_f32(1e-4 + seconds);
            schedule.done(step, took);
            times.push(took);
        }
        assert!(schedule.is_done);
        times
    }

    #[test]
    fn no_picture_starts_with_the_sky_pace() {
        let small = rect([0, 900], (60, 20));
        let plan = |phase, places| {
            let worth = 3000;
            (phase, Plan { places, worth })
        };
        let mirror = plan(Phase::Mirror, vec![]);
        let ground = plan(Phase::Ground, vec![small; 1500]);
        for phases in [
            &[][..],
            std::slice::from_ref(&ground),
            &[mirror, ground.clone()],
        ] {
            let mut rates = Rates::unknown();
            for picture in 0..5 {
                let mut schedule = Schedule::new(SIZE, Some(LIMIT), rates);
                let times = drawn(&mut schedule, phases);
                let longest = times.iter().max().unwrap();
                let phases = phases.len();
                assert!(*longest < 5 * LIMIT, "{phases}, {picture}: {longest:?}");
                assert!(times.len() < 600, "{}", times.len());
                rates = schedule.rates;
            }
        }
    }

    #[test]
    fn quick_work_is_drawn_at_once_next_time() {
        for (took, at_once) in [(4, true), (11, true), (13, false), (40, false)] {
            let mut schedule = Schedule::new(SIZE, None, Rates::unknown());
            let whole = schedule.next(Vec::new);
            assert_eq!(whole, Some(DrawStep::Whole));
            schedule.done(DrawStep::Whole, Duration::from_millis(took));
            let mut next = Schedule::new(SIZE, Some(LIMIT), schedule.rates);
            let ground = (Phase::Ground, Plan::default());
            assert_eq!(next.next(|| vec![ground]) == whole, at_once, "{took} ms");
        }
    }
}
