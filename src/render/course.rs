//! The order in which a picture is drawn: what its water mirrors and how far its ground is, some
//! patches at a time, then the picture itself, in rectangles; each as large as time allows.

use std::time::Duration;

use glium::Rect;

use super::strokes::{Rate, Span, Spans, Strokes};

/// What is drawn before a picture: patches of ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layer {
    /// What the water mirrors.
    Mirror,
    /// How far the ground is.
    Ground,
}

/// What to draw next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Stroke {
    /// All of it.
    Whole,
    /// Some patches of a layer.
    Below(Layer, Span),
    /// Some of the picture, once the layers are there.
    Picture(Rect),
}

/// How quick a picture was drawn, to begin the next with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// With all its layers.
    all: Rate,
    /// The picture alone, where it began: the sky at its end is quicker than the ground there.
    begun: Rate,
}

impl Rates {
    /// Nothing is known: the first rectangle is a small one.
    #[must_use]
    pub fn unknown() -> Self {
        Self {
            all: Rate::unknown(),
            begun: Rate::unknown(),
        }
    }
}

/// How far a picture is drawn, and how large its next part may be.
#[derive(Clone, Debug)]
pub(super) struct Course {
    size: (u32, u32),
    /// How long a part may take; `None` is all at once.
    limit: Option<Duration>,
    /// How quick the last picture was, then this one.
    rates: Rates,
    /// The layers below, in this order; `None` as long as they are not known.
    below: Option<Vec<(Layer, Spans, Rate)>>,
    picture: Strokes,
    rate: Rate,
    took: Duration,
    /// Whether all of it is drawn.
    is_done: bool,
}

impl Course {
    /// Of a picture of `size` of which nothing is drawn.
    pub(super) fn new(size: (u32, u32), limit: Option<Duration>, rates: Rates) -> Self {
        Self {
            size,
            limit,
            rates,
            below: None,
            picture: Strokes::new(size),
            rate: rates.begun,
            took: Duration::ZERO,
            is_done: false,
        }
    }

    /// What comes next; `None` if all is drawn. `below` says which layers the picture has, and
    /// how many patches each.
    pub(super) fn next(&mut self, below: impl FnOnce() -> Vec<(Layer, usize)>) -> Option<Stroke> {
        if self.is_done {
            return None;
        }
        let limit = match self.limit {
            Some(limit) if self.below.is_some() || !self.rates.all.covers(self.size, limit) => {
                limit
            }
            _ => return Some(Stroke::Whole),
        };
        let begin = || {
            let layers = below().into_iter();
            let unknown = |(layer, count)| (layer, Spans::new(count), Rate::unknown());
            layers.map(unknown).collect()
        };
        let below = self.below.get_or_insert_with(begin).iter();
        let mut below = below.filter_map(|(layer, spans, rate)| {
            Some(Stroke::Below(*layer, spans.next(*rate, limit)?))
        });
        let picture = || self.picture.next(self.rate, limit).map(Stroke::Picture);
        below.next().or_else(picture)
    }

    /// That is drawn, and took so long.
    pub(super) fn done(&mut self, stroke: Stroke, took: Duration) {
        self.took += took;
        let limit = self.limit.unwrap_or_default();
        match stroke {
            Stroke::Whole => self.is_done = true,
            Stroke::Below(layer, span) => {
                let all = self.below.iter_mut().flatten();
                for (_, spans, rate) in all.filter(|(of, ..)| *of == layer) {
                    spans.done(span);
                    Spans::learn(rate, span, took, limit);
                }
            }
            Stroke::Picture(rectangle) => {
                let is_first = self.picture.progress() == 0.0;
                self.picture.done(rectangle);
                Strokes::learn(&mut self.rate, rectangle, took, limit);
                if is_first {
                    self.rates.begun = self.rate;
                }
                self.is_done = self.picture.is_done();
            }
        }
        if self.is_done {
            self.rates.all = Rate::of(self.size, self.took);
        }
        if stroke == Stroke::Whole {
            self.rates.begun = self.rates.all;
        }
    }

    /// Whether all of it is drawn.
    pub(super) fn is_done(&self) -> bool {
        self.is_done
    }

    /// Part of the picture that is drawn, 0…1.
    pub(super) fn progress(&self) -> f32 {
        if self.is_done {
            return 1.0;
        }
        self.picture.progress()
    }

    /// Pixels of the picture and of what is drawn before.
    pub(super) fn pixels(&self) -> u64 {
        let below = self.below.iter().flatten();
        let below: u64 = below.map(|(_, spans, _)| spans.pixels()).sum();
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
    fn drawn(course: &mut Course, below: &[(Layer, usize)]) -> Vec<Duration> {
        let mut times = Vec::new();
        while let Some(stroke) = course.next(|| below.to_vec()) {
            let seconds = match stroke {
                Stroke::Whole => panic!("nothing says that it is quick"),
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
        let (mirror, ground) = ((Layer::Mirror, 0), (Layer::Ground, 1500));
        for below in [&[][..], &[ground], &[mirror, ground]] {
            let mut rates = Rates::unknown();
            for picture in 0..5 {
                let mut course = Course::new(SIZE, Some(LIMIT), rates);
                let times = drawn(&mut course, below);
                let longest = times.iter().max().unwrap();
                assert!(*longest < 5 * LIMIT, "{below:?}, {picture}: {longest:?}");
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
            let ground = || vec![(Layer::Ground, 1500)];
            assert_eq!(next.next(ground) == whole, at_once, "{took} ms");
        }
    }
}
