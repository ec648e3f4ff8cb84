//! Scheduler of progressive rendering under a frame budget: the reflection and the ground in ranges of
//! patches, then everything else in rectangles, each as large as the time limit allows.

use std::time::Duration;

use glium::Rect;

mod patches;
mod rate;
mod rectangles;

use patches::PatchRanges;
pub(super) use patches::{LARGE, PatchRange};
use rate::{Rate, SlowestRate};
use rectangles::{Rectangles, area};

/// A phase before the picture itself: patches of ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// The reflection in the water.
    Mirror,
    /// The ground, or its distances.
    Ground,
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
    /// Rates of large patches of the reflection, and of the ground.
    mirror: SlowestRate,
    ground: SlowestRate,
}

impl Rates {
    /// Unknown rates: the first rectangle will be small.
    #[must_use]
    pub fn unknown() -> Self {
        Self {
            all: Rate::unknown(),
            begun: Rate::unknown(),
            mirror: SlowestRate::unknown(),
            ground: SlowestRate::unknown(),
        }
    }

    /// True if `pixels` pixels are expected to take longer than `time`.
    #[must_use]
    pub fn take_longer(&self, pixels: u64, time: Duration) -> bool {
        self.all.pixels_in(time) < pixels
    }

    fn of(&mut self, phase: Phase) -> &mut SlowestRate {
        match phase {
            Phase::Mirror => &mut self.mirror,
            Phase::Ground => &mut self.ground,
        }
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
    picture: Rectangles,
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
            picture: Rectangles::new(size),
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
            Some(limit) if self.phases.is_some() || self.is_long(limit) => limit,
            _ => return Some(DrawStep::Whole),
        };
        let mut rates = self.rates;
        let begin = || {
            let phases = plans().into_iter().map(|(phase, plan)| Patches {
                phase,
                is_clear: false,
                ranges: PatchRanges::new(plan.places, plan.worth, *rates.of(phase)),
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
    pub(super) fn done(&mut self, stroke: DrawStep, took: Duration) {
        self.took += took;
        self.drawn += stroke.pixels();
        let limit = self.limit.unwrap_or_default();
        match stroke {
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
                *self.rates.of(patches.phase) = patches.ranges.rate();
            }
        }
        if stroke == DrawStep::Whole {
            self.rates.begun = self.rates.all;
        }
    }

    /// True if the picture may be drawn in several steps.
    pub(super) fn is_in_parts(&self) -> bool {
        self.limit.is_some()
    }

    /// True if the picture is expected to take longer than the limit.
    fn is_long(&self, limit: Duration) -> bool {
        self.rates.take_longer(self.picture.pixels(), limit)
    }

    fn patches(&mut self, phase: Phase) -> Option<&mut Patches> {
        let mut phases = self.phases.iter_mut().flatten();
        phases.find(|patches| patches.phase == phase)
    }

    /// True if the picture is complete.
    pub(super) fn is_done(&self) -> bool {
        self.is_done
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

    /// Measured drawing rates, for the next picture.
    pub(super) fn rates(&self) -> Rates {
        self.rates
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: (u32, u32) = (3840, 2160);
    const LIMIT: Duration = Duration::from_millis(12);

    /// Times of the steps of a picture with ground fifty times as expensive as everything else.
    fn drawn(schedule: &mut Schedule, phases: &[(Phase, Plan)]) -> Vec<Duration> {
        let mut times = Vec::new();
        while let Some(stroke) = schedule.next(|| phases.to_vec()) {
            let seconds = match stroke {
                DrawStep::Whole => panic!("nothing says that it is quick"),
                DrawStep::Clear(_) => 0.02,
                DrawStep::Patches(_, range) => range.count as f32 * 3e-4,
                DrawStep::Picture(rect) => {
                    let cost = if rect.bottom < 1000 { 1e-6 } else { 2e-8 };
                    (rect.width * rect.height) as f32 * cost
                }
            };
            let took = Duration::from_secs_f32(1e-4 + seconds);
            schedule.done(stroke, took);
            times.push(took);
        }
        assert!(schedule.is_done());
        times
    }

    #[test]
    fn no_picture_starts_with_the_sky_pace() {
        let small = Rect {
            left: 0,
            bottom: 900,
            width: 60,
            height: 20,
        };
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
                rates = schedule.rates();
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
            let mut next = Schedule::new(SIZE, Some(LIMIT), schedule.rates());
            let ground = (Phase::Ground, Plan::default());
            assert_eq!(next.next(|| vec![ground]) == whole, at_once, "{took} ms");
        }
    }
}
