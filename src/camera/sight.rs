//! Picking: ray casting from a point of the picture to the heightfield.
//!
//! The ray advances in steps that grow with the distance, and a bisection refines the first crossing. Ridges
//! thinner than a step can be missed.

use glam::{DVec3, Vec2, Vec3};

use super::Ground;
use crate::scene::{Camera, CameraMode};

/// Number of steps across the ground's side.
const STEPS: f64 = 4096.0;
/// Growth of a step near the eye, as a fraction of the distance travelled.
const GROWTH: f64 = 0.06;
/// Minimum step, as a fraction of the longest one.
const LEAST_STEP: f64 = 1e-12;
/// Size of the smallest ground detail taken into account, as a fraction of its distance.
pub(super) const SMALLEST: f64 = 0.005;

/// Cast a ray through a point of the picture and return where it hits the ground, in half tiles from the
/// centre of all tiles, or `None` if it misses. `at` runs from the centre to the right and up, 1 at the
/// edges; `aspect` is width over height. Cost: up to some thousand steps. A picture without a valid aspect
/// ratio hits nothing.
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
    // Rays from below the ground hit its underside.
    let side = above(near) > 0.0;
    // With refinement levels, steps must resolve what is close to the eye.
    let shortest = if ground.is_endless() {
        above(near).abs() * GROWTH
    } else {
        longest
    };
    while last < far {
        let step = (last * GROWTH).max(shortest).min(longest);
        // A zero step would trap an eye exactly on the ground.
        let step = step.max(longest * LEAST_STEP);
        let next = (last + step).min(far);
        if (above(next) > 0.0) != side {
            let (mut before, mut behind) = (last, next);
            // Bisection, to a millionth of the step.
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

/// Unit direction of the view ray through a point of the picture, in perspective; `at` and `aspect` are as in
/// [`place_seen`].
#[must_use]
pub fn direction_seen(camera: &Camera, at: Vec2, aspect: f32) -> Vec3 {
    let [right, up, forward] = axes(camera);
    let half = (camera.fov.to_radians() * 0.5).tan();
    (forward + (right * at.x * aspect + up * at.y) * half).normalize_or(forward)
}

/// Project a direction into the picture, in perspective: the inverse of [`direction_seen`]. `None` behind the
/// camera.
#[must_use]
pub fn seen_at(camera: &Camera, direction: Vec3, aspect: f32) -> Option<Vec2> {
    let [right, up, forward] = axes(camera);
    let half = (camera.fov.to_radians() * 0.5).tan();
    let ahead = direction.dot(forward) * half;
    let at = Vec2::new(direction.dot(right) / aspect, direction.dot(up)) / ahead;
    (ahead > 0.0 && at.is_finite()).then_some(at)
}

/// Orthonormal axes of a camera: right, up and forward.
fn axes(camera: &Camera) -> [Vec3; 3] {
    let (bearing, forward) = (camera.bearing.to_radians(), camera.forward());
    let right = Vec3::new(bearing.cos(), 0.0, bearing.sin());
    [right, right.cross(forward), forward]
}

/// Width of the view in half tiles, at the ground in the centre of a picture of this aspect ratio; `None`
/// where there is no ground. Costs as much as [`place_seen`].
#[must_use]
pub fn width_seen(camera: &Camera, ground: &Ground, aspect: f32) -> Option<f64> {
    let seen = place_seen(camera, ground, Vec2::ZERO, aspect)?;
    let away = match camera.mode {
        CameraMode::Top => f64::from(camera.distance),
        _ => (seen - camera.eye()).dot(camera.forward().as_dvec3()),
    };
    Some(2.0 * away * f64::from((camera.fov.to_radians() * 0.5).tan() * aspect))
}

/// Clip a ray to the bounding box of all tiles (slab test); returns the near and the far distance.
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
    // A ray without a finite direction hits nothing.
    (near < far && way.is_finite()).then_some((near, far))
}
