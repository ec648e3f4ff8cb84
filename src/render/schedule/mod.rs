//! The order in which a picture is drawn: what its water mirrors and its ground, some patches at a
//! time, then what is around that, in rectangles; each as large as time allows.

use std::time::Duration;

use glium::Rect;

mod patches;
mod rate;
mod rectangles;

use patches::PatchRanges;
pub(super) use patches::{LARGE, PatchRange};
use rate::{Rate, SlowestRate};
use rectangles::{Rectangles, area};

/// What is drawn before a picture: patches of ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// What the water mirrors.
    Mirror,
    /// The ground, or how far it is.
    Ground,
}

/// Which patches a phase has.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// Rectangles of the picture that each of its patches lies within.
    pub(super) places: Vec<Rect>,
    /// How many pixels of the picture take about as long as one patch.
    pub(super) worth: u64,
}

/// What to draw next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Stroke {
    /// All of the picture at once.
    Whole,
    /// Nothing, which is what the patches of a phase are drawn on.
    Clear(Phase),
    /// Some patches of a phase.
    Patches(Phase, PatchRange),
    /// Some of the picture, once all phases are drawn.
    Picture(Rect),
}

impl Stroke {
    /// How many pixels it counts as; all of a picture counts as none, since its size is not known
    /// here.
    pub(super) fn pixels(self) -> u64 {
        match self {
            Self::Whole | Self::Clear(_) => 0,
            Self::Patches(_, range) => range.worth,
            Self::Picture(rectangle) => area(&rectangle),
        }
    }
}

/// Tells how quickly a picture was drawn, to begin the next with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// With all its phases.
    all: Rate,
    /// The picture alone, where it began: the sky at its end is quicker than the ground there.
    begun: Rate,
    /// Large patches of what water mirrors, and of ground.
    mirror: SlowestRate,
    ground: SlowestRate,
}

impl Rates {
    /// Nothing is known: the first rectangle is a small one.
    #[must_use]
    pub fn unknown() -> Self {
        Self {
            all: Rate::unknown(),
            begun: Rate::unknown(),
            mirror: SlowestRate::unknown(),
            ground: SlowestRate::unknown(),
        }
    }

    /// Whether so many pixels take longer than that, as far as is known.
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

/// A phase, whether what it is drawn on is cleared, and its patches.
#[derive(Clone, Debug)]
struct Patches {
    phase: Phase,
    is_clear: bool,
    ranges: PatchRanges,
}

/// How far a picture is drawn, and how large its next part may be.
#[derive(Clone, Debug)]
pub(super) struct Schedule {
    /// How long a part may take; `None` is all at once.
    limit: Option<Duration>,
    /// How quick the last picture was, then this one.
    rates: Rates,
    /// The phases before the picture, in this order; `None` as long as they are not known.
    phases: Option<Vec<Patches>>,
    picture: Rectangles,
    rate: Rate,
    took: Duration,
    /// What is drawn counts as so many pixels.
    drawn: u64,
    /// Whether all of it is drawn.
    is_done: bool,
}

impl Schedule {
    /// The schedule of a picture of `size` of which nothing is drawn.
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

    /// What comes next; `None` if all is drawn. `plans` says which phases the picture has.
    pub(super) fn next(&mut self, plans: impl FnOnce() -> Vec<(Phase, Plan)>) -> Option<Stroke> {
        if self.is_done {
            return None;
        }
        let limit = match self.limit {
            Some(limit) if self.phases.is_some() || self.is_long(limit) => limit,
            _ => return Some(Stroke::Whole),
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
                Some(Stroke::Patches(patches.phase, patches.ranges.next(limit)?))
            } else {
                Some(Stroke::Clear(patches.phase))
            }
        });
        let pixels = self.rate.pixels_in(limit);
        next.or_else(|| self.picture.next(pixels).map(Stroke::Picture))
    }

    /// Takes note that a stroke is drawn, and how long it took.
    pub(super) fn done(&mut self, stroke: Stroke, took: Duration) {
        self.took += took;
        self.drawn += stroke.pixels();
        let limit = self.limit.unwrap_or_default();
        match stroke {
            Stroke::Whole => self.is_done = true,
            Stroke::Clear(phase) => {
                if let Some(patches) = self.patches(phase) {
                    patches.is_clear = true;
                }
            }
            Stroke::Patches(phase, range) => {
                if let Some(patches) = self.patches(phase) {
                    patches.ranges.done(range, took, limit);
                }
            }
            Stroke::Picture(rectangle) => {
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
        if stroke == Stroke::Whole {
            self.rates.begun = self.rates.all;
        }
    }

    /// Whether it may be drawn in more parts than one.
    pub(super) fn is_in_parts(&self) -> bool {
        self.limit.is_some()
    }

    /// Whether all of it takes longer than that.
    fn is_long(&self, limit: Duration) -> bool {
        self.rates.take_longer(self.picture.pixels(), limit)
    }

    fn patches(&mut self, phase: Phase) -> Option<&mut Patches> {
        let mut phases = self.phases.iter_mut().flatten();
        phases.find(|patches| patches.phase == phase)
    }

    /// Whether all of it is drawn.
    pub(super) fn is_done(&self) -> bool {
        self.is_done
    }

    /// Part of it that is drawn, 0…1.
    pub(super) fn progress(&self) -> f32 {
        if self.is_done {
            1.0
        } else {
            (self.drawn as f32 / self.pixels() as f32).min(1.0)
        }
    }

    /// Pixels of the picture, and those that patches count as.
    pub(super) fn pixels(&self) -> u64 {
        let phases = self.phases.iter().flatten();
        let patches: u64 = phases.map(|patches| patches.ranges.worth()).sum();
        self.picture.pixels() + patches
    }

    /// Tells how quick it was, to begin the next picture with.
    pub(super) fn rates(&self) -> Rates {
        self.rates
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: (u32, u32) = (3840, 2160);
    const LIMIT: Duration = Duration::from_millis(12);

    /// How long the strokes of a picture take whose ground is fifty times as dear as all else.
    fn drawn(schedule: &mut Schedule, phases: &[(Phase, Plan)]) -> Vec<Duration> {
        let mut times = Vec::new();
        while let Some(stroke) = schedule.next(|| phases.to_vec()) {
            let seconds = match stroke {
                Stroke::Whole => panic!("nothing says that it is quick"),
                Stroke::Clear(_) => 0.02,
                Stroke::Patches(_, range) => range.count as f32 * 3e-4,
                Stroke::Picture(rect) => {
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
    fn no_picture_begins_with_the_pace_of_a_sky() {
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
    fn what_was_quick_is_drawn_at_once_the_next_time() {
        for (took, at_once) in [(4, true), (11, true), (13, false), (40, false)] {
            let mut schedule = Schedule::new(SIZE, None, Rates::unknown());
            let whole = schedule.next(Vec::new);
            assert_eq!(whole, Some(Stroke::Whole));
            schedule.done(Stroke::Whole, Duration::from_millis(took));
            let mut next = Schedule::new(SIZE, Some(LIMIT), schedule.rates());
            let ground = (Phase::Ground, Plan::default());
            assert_eq!(next.next(|| vec![ground]) == whole, at_once, "{took} ms");
        }
    }
}
