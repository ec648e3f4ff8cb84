//! The order in which a picture is drawn: what its water mirrors and its ground, some patches at a
//! time, then what is around that, in rectangles; each as large as time allows.

use std::time::Duration;

use glium::Rect;

use super::rate::{Rate, SlowestRate};
use super::spans::{Span, Spans};
use super::strokes::{Strokes, area};

/// What is drawn before a picture: patches of ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layer {
    /// What the water mirrors.
    Mirror,
    /// The ground, or how far it is.
    Ground,
}

/// What a layer is made of.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) layer: Layer,
    /// Where on it each of its patches is at most.
    pub(super) places: Vec<Rect>,
    /// So many pixels of the picture take about as long as a patch.
    pub(super) worth: u64,
}

/// What to draw next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Stroke {
    /// All of it.
    Whole,
    /// The nothing that the patches of a layer are drawn on.
    Clear(Layer),
    /// Some patches of a layer.
    Below(Layer, Span),
    /// Some of the picture, once the layers are there.
    Picture(Rect),
}

impl Stroke {
    /// What it counts as; all of a picture as nothing, since its size is not told here.
    pub(super) fn pixels(self) -> u64 {
        match self {
            Self::Whole | Self::Clear(_) => 0,
            Self::Below(_, span) => span.worth,
            Self::Picture(rectangle) => area(&rectangle),
        }
    }
}

/// How quick a picture was drawn, to begin the next with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// With all its layers.
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

    fn of(&mut self, layer: Layer) -> &mut SlowestRate {
        match layer {
            Layer::Mirror => &mut self.mirror,
            Layer::Ground => &mut self.ground,
        }
    }
}

/// A layer, whether it is cleared, and its patches.
#[derive(Clone, Debug)]
struct Below {
    layer: Layer,
    is_clear: bool,
    patches: Spans,
}

/// How far a picture is drawn, and how large its next part may be.
#[derive(Clone, Debug)]
pub(super) struct Course {
    /// How long a part may take; `None` is all at once.
    limit: Option<Duration>,
    /// How quick the last picture was, then this one.
    rates: Rates,
    /// The layers below, in this order; `None` as long as they are not known.
    below: Option<Vec<Below>>,
    picture: Strokes,
    rate: Rate,
    took: Duration,
    /// What is drawn counts as so many pixels.
    drawn: u64,
    /// Whether all of it is drawn.
    is_done: bool,
}

impl Course {
    /// Of a picture of `size` of which nothing is drawn.
    pub(super) fn new(size: (u32, u32), limit: Option<Duration>, rates: Rates) -> Self {
        Self {
            limit,
            rates,
            below: None,
            picture: Strokes::new(size),
            rate: rates.begun,
            took: Duration::ZERO,
            drawn: 0,
            is_done: false,
        }
    }

    /// What comes next; `None` if all is drawn. `below` says which layers the picture has.
    pub(super) fn next(&mut self, below: impl FnOnce() -> Vec<Plan>) -> Option<Stroke> {
        if self.is_done {
            return None;
        }
        let limit = match self.limit {
            Some(limit) if self.below.is_some() || !self.covers_all(limit) => limit,
            _ => return Some(Stroke::Whole),
        };
        let mut rates = self.rates;
        let begin = || {
            let layers = below().into_iter();
            let layers = layers.map(|plan| Below {
                layer: plan.layer,
                is_clear: false,
                patches: Spans::new(plan.places, plan.worth, *rates.of(plan.layer)),
            });
            layers.collect()
        };
        let below = self.below.get_or_insert_with(begin);
        let below = below.iter_mut().find_map(|below| match below.is_clear {
            true => Some(Stroke::Below(below.layer, below.patches.next(limit)?)),
            false => Some(Stroke::Clear(below.layer)),
        });
        let pixels = self.rate.pixels_in(limit);
        below.or_else(|| self.picture.next(pixels).map(Stroke::Picture))
    }

    /// That is drawn, and took so long.
    pub(super) fn done(&mut self, stroke: Stroke, took: Duration) {
        self.took += took;
        self.drawn += stroke.pixels();
        let limit = self.limit.unwrap_or_default();
        match stroke {
            Stroke::Whole => self.is_done = true,
            Stroke::Clear(layer) => {
                if let Some(below) = self.layer(layer) {
                    below.is_clear = true;
                }
            }
            Stroke::Below(layer, span) => {
                if let Some(below) = self.layer(layer) {
                    below.patches.done(span, took, limit);
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
            for below in self.below.iter().flatten() {
                *self.rates.of(below.layer) = below.patches.rate();
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

    /// Whether all of it is quickly drawn.
    fn covers_all(&self, limit: Duration) -> bool {
        self.rates.all.pixels_in(limit) >= self.picture.pixels()
    }

    fn layer(&mut self, layer: Layer) -> Option<&mut Below> {
        let mut below = self.below.iter_mut().flatten();
        below.find(|below| below.layer == layer)
    }

    /// Whether all of it is drawn.
    pub(super) fn is_done(&self) -> bool {
        self.is_done
    }

    /// Part of it that is drawn, 0…1.
    pub(super) fn progress(&self) -> f32 {
        match self.is_done {
            true => 1.0,
            false => (self.drawn as f32 / self.pixels() as f32).min(1.0),
        }
    }

    /// Pixels of the picture, and what is drawn below counts as.
    pub(super) fn pixels(&self) -> u64 {
        let below = self.below.iter().flatten();
        let below: u64 = below.map(|below| below.patches.worth()).sum();
        self.picture.pixels() + below
    }

    /// How quick it was.
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
    fn drawn(course: &mut Course, below: &[Plan]) -> Vec<Duration> {
        let mut times = Vec::new();
        while let Some(stroke) = course.next(|| below.to_vec()) {
            let seconds = match stroke {
                Stroke::Whole => panic!("nothing says that it is quick"),
                Stroke::Clear(_) => 0.02,
                Stroke::Below(_, span) => span.count as f32 * 3e-4,
                Stroke::Picture(rect) => {
                    let cost = if rect.bottom < 1000 { 1e-6 } else { 2e-8 };
                    (rect.width * rect.height) as f32 * cost
                }
            };
            let took = Duration::from_secs_f32(1e-4 + seconds);
            course.done(stroke, took);
            times.push(took);
        }
        assert!(course.is_done());
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
        let plan = |layer, places| Plan {
            layer,
            places,
            worth: 3000,
        };
        let mirror = plan(Layer::Mirror, vec![]);
        let ground = plan(Layer::Ground, vec![small; 1500]);
        for below in [
            &[][..],
            std::slice::from_ref(&ground),
            &[mirror, ground.clone()],
        ] {
            let mut rates = Rates::unknown();
            for picture in 0..5 {
                let mut course = Course::new(SIZE, Some(LIMIT), rates);
                let times = drawn(&mut course, below);
                let longest = times.iter().max().unwrap();
                let layers = below.len();
                assert!(*longest < 5 * LIMIT, "{layers}, {picture}: {longest:?}");
                assert!(times.len() < 600, "{}", times.len());
                rates = course.rates();
            }
        }
    }

    #[test]
    fn what_was_quick_is_drawn_at_once_the_next_time() {
        for (took, at_once) in [(4, true), (11, true), (13, false), (40, false)] {
            let mut course = Course::new(SIZE, None, Rates::unknown());
            let whole = course.next(Vec::new);
            assert_eq!(whole, Some(Stroke::Whole));
            course.done(Stroke::Whole, Duration::from_millis(took));
            let mut next = Course::new(SIZE, Some(LIMIT), course.rates());
            let ground = Plan {
                layer: Layer::Ground,
                places: Vec::new(),
                worth: 3000,
            };
            assert_eq!(next.next(|| vec![ground]) == whole, at_once, "{took} ms");
        }
    }
}
