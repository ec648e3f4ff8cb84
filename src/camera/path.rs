//! Camera path through key frames: a centripetal Catmull–Rom spline.
//!
//! The eye follows the spline (Catmull and Rom 1974; Yuksel, Schaefer and Keyser 2009), the only one of its
//! family without loops and cusps. Knots are √distance apart. Direction, field of view and distance to the
//! target follow splines over the same knots; the bearing turns the shorter way from frame to frame. Time is
//! mapped to the spline by monotone cubics (Fritsch and Carlson 1980): the eye passes every frame at its
//! time, slows down and speeds up gently, and never moves backwards. At constant speed the arc length
//! replaces the time.
//!
//! A path across scales follows the same spline in the hyperbolic space of [`Look`], built with Barry and
//! Goldman's pyramid (1988), which needs geodesics only. Steps of equal length change the picture equally, so
//! time is measured in such steps.

use glam::DVec3;

use super::ground::{CLEARANCE, Ground, clearance, eye_height, lifted};
use crate::scene::{Camera, CameraMode, CameraPath, LEAST_DISTANCE, MOST_TARGET};
use crate::util::numbers::{hermite, monotone, segment, shorter_way, within};

/// Minimum distance between two knots, for frames that differ only in direction.
const LEAST_KNOT: f64 = 1e-3;
/// Number of pieces used to measure the length of a segment.
const PIECES: usize = 64;
/// Length below which a segment only turns and keeps its time at constant speed. In half tiles, or across
/// scales a change of the picture.
const LEAST_LENGTH: f64 = 1e-4;
/// Maximum distance of a camera from its target, in half tiles.
const MOST_DISTANCE: f32 = 100.0;
/// Number of interpolated values per camera: three for the eye, bearing, pitch, logarithm of the distance,
/// field of view.
const NUMBERS: usize = 7;

type Numbers = [f64; NUMBERS];

/// A camera path, prepared for evaluation.
#[derive(Clone, Debug)]
pub struct Path {
    frames: Vec<Camera>,
    times: Vec<f64>,
    knots: Vec<f64>,
    values: Vec<Numbers>,
    /// Derivatives of the values by the knots.
    slopes: Vec<Numbers>,
    /// The looks of the frames, on a path across scales.
    looks: Option<Vec<Look>>,
    /// Path parameter per frame that is a function of time: the knots, or across scales the accumulated
    /// change of the picture.
    steps: Vec<f64>,
    /// Derivatives of the steps by time.
    speeds: Vec<f64>,
    /// Across scales: table of steps and knots along the path.
    changes: Option<Vec<(f64, f64)>>,
    /// At constant speed: table of times and knots along the path.
    even: Option<Vec<(f64, f64)>>,
}

impl Path {
    /// Build the path through the frames of `path`. Returns `None` if there are fewer than two.
    #[must_use]
    pub fn new(path: &CameraPath) -> Option<Self> {
        if path.frames.len() < 2 {
            return None;
        }
        let frames = path.frames.iter();
        let (frames, times): (Vec<_>, Vec<_>) = frames
            .map(|frame| (frame.camera.clone(), f64::from(frame.time)))
            .unzip();
        let mut values: Vec<Numbers> = frames.iter().map(numbers).collect();
        for index in 1..values.len() {
            let before = values[index - 1][3];
            // Unwrap the bearings, or the spline would turn the long way round.
            values[index][3] = before + shorter_way(values[index][3] - before);
        }
        let looks: Option<Vec<_>> =
            changes_scale(&frames).then(|| frames.iter().map(Look::of).collect());
        let mut knots = vec![0.0];
        for index in 1..values.len() {
            let distance = match &looks {
                None => place(&values[index - 1]).distance(place(&values[index])),
                Some(looks) => looks[index - 1].apart(looks[index]),
            };
            let last = knots.last().copied().unwrap_or_default();
            knots.push(last + distance.sqrt().max(LEAST_KNOT));
        }
        let slopes = slopes(&knots, &values);
        let mut made = Self {
            frames,
            times,
            steps: knots.clone(),
            knots,
            values,
            slopes,
            looks,
            speeds: Vec::new(),
            changes: None,
            even: None,
        };
        if made.looks.is_some() {
            let changes = made.changes();
            made.steps = changes.iter().step_by(PIECES).map(|(at, _)| *at).collect();
            made.changes = Some(changes);
        }
        made.speeds = monotone(&made.times, &made.steps);
        if path.constant_speed {
            made.even = Some(made.evenly());
        }
        Some(made)
    }

    /// Time of the first frame, in seconds.
    #[must_use]
    pub fn start(&self) -> f32 {
        self.times[0] as f32
    }

    /// Time of the last frame, in seconds.
    #[must_use]
    pub fn end(&self) -> f32 {
        self.times[self.times.len() - 1] as f32
    }

    /// The camera at `time` seconds, clamped to the first and the last frame. At a frame's time it is that
    /// frame's camera, unless the speed is constant. Where the path comes too close to `ground`, with tiles
    /// of `tile_size_m` metres, the camera is lifted.
    #[must_use]
    pub fn at(&self, time: f32, ground: Option<&Ground>, tile_size_m: f32) -> Camera {
        let time = f64::from(time);
        let knot = match &self.even {
            Some(even) => linear(even, time),
            None => {
                let index = segment(&self.times, time);
                let (from, to) = (self.times[index], self.times[index + 1]);
                let ends = [self.steps[index], self.steps[index + 1]];
                let speeds = [self.speeds[index], self.speeds[index + 1]];
                let step = hermite(within(time, from, to), to - from, ends, speeds);
                self.changes.as_ref().map_or(step, |all| linear(all, step))
            }
        };
        let index = segment(&self.knots, knot);
        let t = within(knot, self.knots[index], self.knots[index + 1]);
        let ends = [&self.frames[index], &self.frames[index + 1]];
        let camera = if t <= 0.0 {
            ends[0].clone()
        } else if t >= 1.0 {
            ends[1].clone()
        } else {
            let camera = camera(&self.values_at(index, t), ends[0], CameraMode::Fly);
            match &self.looks {
                None => camera,
                Some(looks) => camera_of(self.look_at(looks, index, t), camera),
            }
        };
        let walks = ends.iter().any(|camera| camera.mode == CameraMode::Walk);
        let least = if walks {
            CLEARANCE.min(eye_height(&camera, tile_size_m) * 0.5)
        } else {
            clearance(&Camera {
                mode: CameraMode::Orbit,
                ..camera.clone()
            })
        };
        lifted(camera, ground, least)
    }

    fn values_at(&self, index: usize, t: f64) -> Numbers {
        let width = self.knots[index + 1] - self.knots[index];
        std::array::from_fn(|n| {
            let ends = [self.values[index][n], self.values[index + 1][n]];
            let slopes = [self.slopes[index][n], self.slopes[index + 1][n]];
            hermite(t, width, ends, slopes)
        })
    }

    /// Interpolate the looks within a segment: a blend of the geodesic between its ends and those to the
    /// frame before and the frame after, if they exist.
    fn look_at(&self, looks: &[Look], index: usize, t: f64) -> Look {
        let knots = &self.knots;
        let knot = knots[index] + (knots[index + 1] - knots[index]) * t;
        let part = |from: usize, to: usize| (knot - knots[from]) / (knots[to] - knots[from]);
        let along = |from: usize| looks[from].towards(looks[from + 1], part(from, from + 1));
        let here = along(index);
        let before = match index.checked_sub(1) {
            None => here,
            Some(first) => along(first).towards(here, part(first, index + 1)),
        };
        let after = match index + 2 {
            last if last < looks.len() => here.towards(along(index + 1), part(index, last)),
            _ => here,
        };
        before.towards(after, t)
    }

    /// Length of a piece of a segment: in half tiles, or across scales the change of the picture.
    fn piece(&self, index: usize, piece: usize) -> f64 {
        let ends = [piece, piece + 1].map(|end| end as f64 / PIECES as f64);
        match &self.looks {
            None => {
                let [from, to] = ends.map(|t| place(&self.values_at(index, t)));
                from.distance(to)
            }
            Some(looks) => {
                let [from, to] = ends.map(|t| self.look_at(looks, index, t));
                from.apart(to)
            }
        }
    }

    /// Tabulate the accumulated change of the picture and the knots along the path. A piece that only turns
    /// counts as a small change.
    fn changes(&self) -> Vec<(f64, f64)> {
        let mut now = 0.0;
        let mut changes = vec![(now, self.knots[0])];
        for index in 0..self.frames.len() - 1 {
            let (from, to) = (self.knots[index], self.knots[index + 1]);
            for piece in 0..PIECES {
                now += self.piece(index, piece).max(LEAST_LENGTH / PIECES as f64);
                let t = (piece + 1) as f64 / PIECES as f64;
                changes.push((now, from + (to - from) * t));
            }
        }
        changes
    }

    /// Tabulate times and knots for an eye of constant speed. Segments that only turn keep their share of the
    /// time.
    fn evenly(&self) -> Vec<(f64, f64)> {
        let mut places = Vec::new();
        let (mut turning, mut length) = (0.0, 0.0);
        for index in 0..self.frames.len() - 1 {
            let pieces: Vec<f64> = (0..PIECES).map(|piece| self.piece(index, piece)).collect();
            let whole: f64 = pieces.iter().sum();
            let time = self.times[index + 1] - self.times[index];
            let turns = whole < LEAST_LENGTH;
            if turns {
                turning += time;
            } else {
                length += whole;
            }
            let width = (self.knots[index + 1] - self.knots[index]) / PIECES as f64;
            for (piece, way) in pieces.into_iter().enumerate() {
                let knot = self.knots[index] + width * (piece + 1) as f64;
                let time = turns.then_some(time / PIECES as f64);
                places.push((time, way, knot));
            }
        }
        let (start, end) = (self.times[0], self.times[self.times.len() - 1]);
        let moving = (end - start - turning).max(0.0);
        let pace = if length > 0.0 { moving / length } else { 0.0 };
        let mut now = start;
        let mut even = vec![(now, self.knots[0])];
        for (time, way, knot) in places {
            now += time.unwrap_or(way * pace);
            even.push((now, knot));
        }
        // Accumulated rounding errors must not shift the last frame.
        if let Some(last) = even.last_mut() {
            last.0 = end;
        }
        even
    }
}

/// Interpolate between two cameras at `t`, 0…1. The eye moves along a straight line, or across scales along
/// the path of even change, and the view turns the shorter way. In between the camera is in fly mode; at the
/// ends it has its own mode.
#[must_use]
pub fn between(from: &Camera, to: &Camera, t: f32) -> Camera {
    let t = f64::from(t);
    if t <= 0.0 {
        return from.clone();
    }
    if t >= 1.0 {
        return to.clone();
    }
    let (a, mut b) = (numbers(from), numbers(to));
    b[3] = a[3] + shorter_way(b[3] - a[3]);
    let mixed = std::array::from_fn(|n| a[n] + (b[n] - a[n]) * t);
    let mixed = camera(&mixed, to, CameraMode::Fly);
    if changes_scale(&[from.clone(), to.clone()]) {
        camera_of(Look::of(from).towards(Look::of(to), t), mixed)
    } else {
        mixed
    }
}

fn numbers(camera: &Camera) -> Numbers {
    let eye = camera.eye();
    let pitch = if camera.mode == CameraMode::Top {
        90.0
    } else {
        camera.pitch
    };
    // Distances span many orders of magnitude, so their logarithm is interpolated.
    let distance = f64::from(camera.distance.max(f32::MIN_POSITIVE)).ln();
    [
        eye.x,
        eye.y,
        eye.z,
        camera.bearing.into(),
        pitch.into(),
        distance,
        camera.fov.into(),
    ]
}

/// Convert interpolated values back to a camera; everything else is taken from `like`.
fn camera(
    [x, y, z, bearing, pitch, distance, fov]: &Numbers,
    like: &Camera,
    mode: CameraMode,
) -> Camera {
    let camera = Camera {
        mode,
        bearing: ((bearing + 180.0).rem_euclid(360.0) - 180.0) as f32,
        pitch: pitch.clamp(-90.0, 90.0) as f32,
        distance: (distance.exp() as f32).clamp(LEAST_DISTANCE, MOST_DISTANCE),
        fov: fov.clamp(10.0, 120.0) as f32,
        ..like.clone()
    };
    camera.with_eye(DVec3::new(*x, *y, *z))
}

/// The camera with another look.
fn camera_of(look: Look, camera: Camera) -> Camera {
    let most = DVec3::splat(MOST_TARGET);
    Camera {
        target: look.target.clamp(-most, most).into(),
        distance: (look.distance as f32).clamp(LEAST_DISTANCE, MOST_DISTANCE),
        ..camera
    }
}

fn place(numbers: &Numbers) -> DVec3 {
    DVec3::new(numbers[0], numbers[1], numbers[2])
}

fn linear(places: &[(f64, f64)], at: f64) -> f64 {
    let after = places.partition_point(|(place, _)| *place <= at);
    let after = after.clamp(1, places.len() - 1);
    let ((from, a), (to, b)) = (places[after - 1], places[after]);
    a + (b - a) * within(at, from, to)
}

/// Catmull–Rom tangents over non-uniform knots. At both ends the spline continues straight.
fn slopes(knots: &[f64], values: &[Numbers]) -> Vec<Numbers> {
    let last = knots.len() - 1;
    let chord = |index: usize, n: usize| {
        (values[index + 1][n] - values[index][n]) / (knots[index + 1] - knots[index])
    };
    let slope = |index: usize, n: usize| match index {
        0 => chord(0, n),
        _ if index == last => chord(last - 1, n),
        _ => {
            let (before, after) = (
                knots[index] - knots[index - 1],
                knots[index + 1] - knots[index],
            );
            (chord(index - 1, n) * after + chord(index, n) * before) / (before + after)
        }
    };
    (0..=last)
        .map(|index| std::array::from_fn(|n| slope(index, n)))
        .collect()
}

// Zooming and panning between views of very different scale (van Wijk and Nuij, "Smooth and efficient
// zooming and panning", 2003).
//
// A flight from a whole landscape to a pebble should change the picture at a constant rate. Moving the eye
// at a constant speed would put all of the change into the last instant. So the distance between two looks
// is measured by the change of the picture: du² + dw² over w², for a target u and a distance w. This is the
// metric of the hyperbolic half-space. Its geodesics change the picture least: a zoom keeps its rate, and a
// move far aside first goes up.

/// Ratio of distances from which two looks differ in scale.
const SCALES: f64 = 100.0;
/// Distance between targets, as a multiple of the viewing distance, from which the path rises in between.
const ASIDE: f64 = 1000.0;

/// A target and the viewing distance to it, both in half tiles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Look {
    pub(super) target: DVec3,
    /// Viewing distance, more than 0.
    pub(super) distance: f64,
}

impl Look {
    pub(super) fn of(camera: &Camera) -> Self {
        Self {
            target: camera.target.into(),
            distance: camera.distance.max(f32::MIN_POSITIVE).into(),
        }
    }

    /// Hyperbolic distance to another look: for a pure zoom, the logarithm of its factor.
    pub(super) fn apart(self, other: Self) -> f64 {
        Line::new(self, other).length
    }

    /// The look at the fraction `part` of the geodesic to another one; extrapolated below 0 and above 1.
    pub(super) fn towards(self, other: Self, part: f64) -> Self {
        let line = Line::new(self, other);
        // Measured from the nearer look, where rounding errors are most visible.
        let part = if self.distance <= other.distance {
            part
        } else {
            1.0 - part
        };
        line.at(part * line.length)
    }
}

/// True if a path through these cameras spans scales.
pub(super) fn changes_scale(cameras: &[Camera]) -> bool {
    let looks: Vec<_> = cameras.iter().map(Look::of).collect();
    let distances = looks.iter().map(|look| look.distance);
    let least = distances.clone().fold(f64::INFINITY, f64::min);
    let most = distances.fold(0.0, f64::max);
    let goes_aside = |pair: &[Look]| {
        let distance = pair[0].distance.max(pair[1].distance);
        pair[0].target.distance(pair[1].target) > ASIDE * distance
    };
    most > SCALES * least || looks.windows(2).any(goes_aside)
}

/// Geodesic between two looks: a vertical half circle, or a vertical line.
struct Line {
    nearer: Look,
    /// Unit vector from the nearer look's target to the farther one's; zero for a pure zoom.
    aside: DVec3,
    /// Arc length of the start, measured from the top of the circle.
    start: f64,
    length: f64,
}

impl Line {
    fn new(a: Look, b: Look) -> Self {
        let (nearer, other) = if a.distance <= b.distance {
            (a, b)
        } else {
            (b, a)
        };
        let (least, most) = (nearer.distance, other.distance);
        let aside = other.target - nearer.target;
        let width = aside.length();
        // Distance of the circle's centre from each end, as a multiple of the viewing distance there.
        let ends = [
            (most * most - least * least + width * width) / (2.0 * least * width),
            (most * most - least * least - width * width) / (2.0 * most * width),
        ];
        // A pure zoom: the circle degenerates to a vertical line.
        if ends.iter().any(|end| !end.is_finite()) {
            return Self {
                nearer,
                aside: DVec3::ZERO,
                start: f64::NEG_INFINITY,
                length: (most / least).ln(),
            };
        }
        let [start, end] = ends.map(|end| -end.asinh());
        Self {
            nearer,
            aside: aside / width,
            start,
            length: end - start,
        }
    }

    /// The look at an arc length from the nearer end.
    fn at(&self, along: f64) -> Look {
        let Look { target, distance } = self.nearer;
        if self.aside == DVec3::ZERO {
            return Look {
                target,
                distance: distance * along.exp(),
            };
        }
        let width = (self.start + along).cosh();
        Look {
            target: target + self.aside * (distance * along.sinh() / width),
            distance: distance * (self.start.cosh() / width),
        }
    }
}
