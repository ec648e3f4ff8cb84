//! Which place of the ground is seen at a point of a picture.

use glam::{DVec3, Vec2, Vec3};

use super::Ground;
use crate::scene::{Camera, CameraMode};

/// The steps in which the ground's side is crossed.
const STEPS: f64 = 4096.0;
/// By which part of the way so far steps grow near the eye.
const GROWTH: f64 = 0.06;
/// The least step, as a part of the longest.
const LEAST_STEP: f64 = 1e-12;
/// The smallest thing that counts as ground, as a part of its distance.
pub(super) const SMALLEST: f64 = 0.005;

/// The place of the ground that a camera sees at a point of its picture, in half tiles from the
/// middle of all tiles; `None` where it sees none. `at` is from the middle to the right and up, 1 at
/// the sides; `aspect` is the picture's width over its height. Cost: up to some thousand steps along
/// the line of sight. A picture without a shape shows none.
#[must_use]
pub fn place_seen(camera: &Camera, ground: &Ground, at: Vec2, aspect: f32) -> Option<DVec3> {
    let eye = camera.eye();
    let [right, up, forward] = axes(camera);
    let half = (camera.fov.to_radians() * 0.5).tan();
    let aside = (right * at.x * aspect + up * at.y) * half;
    let distance = f64::from(camera.distance);
    let (aside, forward) = (aside.as_dvec3(), forward.as_dvec3());
    if camera.mode == CameraMode::Top {
        let place = eye + aside * distance;
        let [x, z] = ground.reach().map(f64::from);
        let is_there = place.x.abs() <= x && place.z.abs() <= z;
        let y = || ground.height_near(place.x, place.z, distance * SMALLEST);
        return is_there.then(|| DVec3 { y: y(), ..place });
    }
    let (from, way) = (eye, (forward + aside).normalize());
    let (near, far) = within(ground, from, way)?;
    let smallest = |away: f64| away * SMALLEST;
    let above = |away: f64| {
        let place = from + way * away;
        place.y - ground.height_near(place.x, place.z, smallest(away))
    };
    let longest = f64::from(ground.reach()[0].max(ground.reach()[1])) * 2.0 / STEPS;
    let mut last = near;
    // From below the ground is seen as well.
    let side = above(near) > 0.0;
    // Where the ground goes on between its samples, steps are as small as what is near.
    let shortest = if ground.is_endless() {
        above(near).abs() * GROWTH
    } else {
        longest
    };
    while last < far {
        let step = (last * GROWTH).max(shortest).min(longest);
        // An eye on the ground itself would not get away from it.
        let step = step.max(longest * LEAST_STEP);
        let next = (last + step).min(far);
        if (above(next) > 0.0) != side {
            let (mut before, mut behind) = (last, next);
            for _ in 0..20 {
                let middle = (before + behind) * 0.5;
                if (above(middle) > 0.0) == side {
                    before = middle;
                } else {
                    behind = middle;
                }
            }
            let place = from + way * behind;
            let y = ground.height_near(place.x, place.z, smallest(behind));
            return Some(DVec3 { y, ..place });
        }
        last = next;
    }
    None
}

/// The unit vector from the eye of a camera to what it sees, in perspective, at a point of its
/// picture; `at` and `aspect` are as in [`place_seen`].
#[must_use]
pub fn direction_seen(camera: &Camera, at: Vec2, aspect: f32) -> Vec3 {
    let [right, up, forward] = axes(camera);
    let half = (camera.fov.to_radians() * 0.5).tan();
    (forward + (right * at.x * aspect + up * at.y) * half).normalize_or(forward)
}

/// The point of its picture at which a camera sees, in perspective, what is in that direction, in the
/// same way; `None` behind it.
#[must_use]
pub fn seen_at(camera: &Camera, direction: Vec3, aspect: f32) -> Option<Vec2> {
    let [right, up, forward] = axes(camera);
    let half = (camera.fov.to_radians() * 0.5).tan();
    let ahead = direction.dot(forward) * half;
    let at = Vec2::new(direction.dot(right) / aspect, direction.dot(up)) / ahead;
    (ahead > 0.0 && at.is_finite()).then_some(at)
}

/// The unit vectors to the right of a camera's picture, up in it, and ahead.
fn axes(camera: &Camera) -> [Vec3; 3] {
    let (bearing, forward) = (camera.bearing.to_radians(), camera.forward());
    let right = Vec3::new(bearing.cos(), 0.0, bearing.sin());
    [right, right.cross(forward), forward]
}

/// The width of the view in half tiles, at the ground in the middle of a picture of that shape;
/// `None` where there is none. Cost as of [`place_seen`].
#[must_use]
pub fn width_seen(camera: &Camera, ground: &Ground, aspect: f32) -> Option<f64> {
    let seen = place_seen(camera, ground, Vec2::ZERO, aspect)?;
    let away = match camera.mode {
        CameraMode::Top => f64::from(camera.distance),
        _ => (seen - camera.eye()).dot(camera.forward().as_dvec3()),
    };
    Some(2.0 * away * f64::from((camera.fov.to_radians() * 0.5).tan() * aspect))
}

/// The part of a line over the tiles, between their lowest and their highest ground.
fn within(ground: &Ground, from: DVec3, way: DVec3) -> Option<(f64, f64)> {
    const MARGIN: f64 = 1e-3;
    let [x, z] = ground.reach().map(f64::from);
    let low = DVec3::new(-x, f64::from(ground.lowest()) - MARGIN, -z);
    let high = DVec3::new(x, f64::from(ground.highest()) + MARGIN, z);
    let parallel = |axis: usize| way[axis] == 0.0;
    let (mut near, mut far) = (f64::NEG_INFINITY, f64::INFINITY);
    for axis in 0..3 {
        if parallel(axis) {
            if !(low[axis]..=high[axis]).contains(&from[axis]) {
                return None;
            }
            continue;
        }
        let (a, b) = (
            (low[axis] - from[axis]) / way[axis],
            (high[axis] - from[axis]) / way[axis],
        );
        near = near.max(a.min(b));
        far = far.min(a.max(b));
    }
    let near = near.max(0.0);
    // Without a direction there is no line.
    (near < far && way.is_finite()).then_some((near, far))
}
