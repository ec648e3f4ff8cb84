//! The order in which a picture is drawn: what its water mirrors, then the picture itself, each in
//! rectangles as large as time allows.

use std::time::Duration;

use glium::Rect;

use super::strokes::{Rate, Strokes};

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

impl Stroke {
    /// The part that is drawn, if it is not all.
    pub(super) fn part(self) -> Option<Rect> {
        match self {
            Self::Whole => None,
            Self::Mirror(rectangle) | Self::Picture(rectangle) => Some(rectangle),
        }
    }
}

/// How far a picture is drawn, and how large its next rectangle may be.
#[derive(Clone, Debug)]
pub(super) struct Course {
    size: (u32, u32),
    /// How long a rectangle may take; `None` is all at once.
    limit: Option<Duration>,
    picture: Strokes,
    /// How quick the picture is where it is drawn now.
    rate: Rate,
    /// How quick it was where it began. The sky at its end is quicker than the ground there.
    begun: Option<Rate>,
    /// What its water mirrors, once that is known.
    mirror: Option<Strokes>,
    mirror_rate: Rate,
}

impl Course {
    /// Of a picture of `size` of which nothing is drawn, begun with the pace of the last one.
    pub(super) fn new(size: (u32, u32), limit: Option<Duration>, rate: Rate) -> Self {
        Self {
            size,
            limit,
            picture: Strokes::new(size),
            rate,
            begun: None,
            mirror: None,
            mirror_rate: Rate::unknown(),
        }
    }

    /// What comes next; `None` if all is drawn. `mirror` is the size of what water mirrors.
    pub(super) fn next(&mut self, mirror: Option<(u32, u32)>) -> Option<Stroke> {
        let Some(limit) = self.limit else {
            return (!self.is_done()).then_some(Stroke::Whole);
        };
        let first = self.mirror.is_none() && self.picture.progress() == 0.0;
        if first {
            let mut all = Strokes::new(self.size);
            let all = all.next(self.rate, limit);
            let whole = all.is_some_and(|all| (all.width, all.height) == self.size);
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

    /// The pixels that a stroke draws.
    pub(super) fn rectangle(&self, stroke: Stroke) -> Rect {
        stroke.part().unwrap_or(Rect {
            left: 0,
            bottom: 0,
            width: self.size.0,
            height: self.size.1,
        })
    }

    /// That is drawn, and took so long.
    pub(super) fn done(&mut self, stroke: Stroke, took: Duration) {
        let rectangle = self.rectangle(stroke);
        let (strokes, rate) = match (stroke, &mut self.mirror) {
            (Stroke::Mirror(_), Some(mirror)) => (mirror, &mut self.mirror_rate),
            _ => (&mut self.picture, &mut self.rate),
        };
        strokes.done(rectangle);
        if let Some(limit) = self.limit {
            Strokes::learn(rate, rectangle, took, limit);
        }
        if !matches!(stroke, Stroke::Mirror(_)) {
            self.begun.get_or_insert(self.rate);
        }
    }

    /// Whether all of it is drawn.
    pub(super) fn is_done(&self) -> bool {
        self.picture.is_done()
    }

    /// Part of the picture that is drawn, 0…1.
    pub(super) fn progress(&self) -> f32 {
        self.picture.progress()
    }

    /// Pixels of all that is drawn for it.
    pub(super) fn pixels(&self) -> u64 {
        let mirror = self.mirror.as_ref().map_or(0, Strokes::pixels);
        self.picture.pixels() + mirror
    }

    /// How quick its beginning was, to begin the next with.
    pub(super) fn rate(&self) -> Rate {
        self.begun.unwrap_or(self.rate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: (u32, u32) = (3840, 2160);
    const LIMIT: Duration = Duration::from_millis(12);

    /// How long the strokes of a picture take whose ground is fifty times as dear as all else.
    fn drawn(course: &mut Course, mirror: Option<(u32, u32)>) -> Vec<Duration> {
        let mut times = Vec::new();
        while let Some(stroke) = course.next(mirror) {
            let rect = course.rectangle(stroke);
            let cost = match stroke {
                Stroke::Picture(rect) if rect.bottom < 1000 => 1e-6,
                _ => 2e-8,
            };
            let pixels = (rect.width * rect.height) as f32;
            let took = Duration::from_secs_f32(1e-4 + pixels * cost);
            course.done(stroke, took);
            times.push(took);
        }
        assert!(course.is_done());
        times
    }

    #[test]
    fn no_picture_begins_with_the_pace_of_a_sky() {
        for mirror in [None, Some((1920, 1080))] {
            let mut rate = Rate::unknown();
            for picture in 0..5 {
                let mut course = Course::new(SIZE, Some(LIMIT), rate);
                let times = drawn(&mut course, mirror);
                let longest = times.iter().max().unwrap();
                assert!(*longest < 5 * LIMIT, "{mirror:?}, {picture}: {longest:?}");
                assert!(times.len() < 600, "{}", times.len());
                rate = course.rate();
            }
        }
    }
}
