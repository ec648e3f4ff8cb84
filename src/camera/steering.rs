//! Interactive camera movement with inertia and ground collision.
//!
//! Velocities follow the input through a critically damped spring ([`Damped`]). Motion is integrated in fixed
//! small steps, so that the ground is sampled often enough at any frame rate.

use glam::{DVec3, Vec3};

use super::ground::{CLEARANCE, Ground, clearance, eye_height, ground_under, lifted};
use super::path::between;
use crate::scene::{Camera, CameraMode, LEAST_DISTANCE};

/// Minimum height of a walking eye above rough ground, as a fraction of its usual height.
const LEAST_HEIGHT: f32 = 0.5;
/// Walking speed, in eye heights per second.
const STRIDE: f32 = 20.0;
/// Damping rate of the velocity per second; for the height of a walking eye, see `OMEGA_FEET`.
const OMEGA: f32 = 12.0;
const OMEGA_FEET: f32 = 8.0;
/// Maximum time step of the simulation in seconds: the ground is sampled at least this often.
const STEP: f32 = 1.0 / 120.0;
/// Maximum distance between two samples of the ground, in half tiles, and the maximum number of steps per
/// frame.
const STRIDE_OVER_GROUND: f32 = 0.004;
const MOST_STEPS: f32 = 20_000.0;
/// Maximum elapsed time in seconds that one call simulates: a laptop waking up must not cause a leap.
const MOST: f32 = 0.25;
/// Duration of a flight to another camera, in seconds.
const FLIGHT: f32 = 1.2;
/// Fraction of the camera's speed below which it stops.
const REST: f32 = 1e-3;
/// Speed factor of Shift.
const FAST: f32 = 4.0;

/// Movement requested by the user; each axis is −1…1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wish {
    /// Movement to the right.
    pub right: f32,
    /// Movement upwards.
    pub up: f32,
    /// Movement forward.
    pub ahead: f32,
    /// True to move four times as fast.
    pub fast: bool,
}

impl Wish {
    fn is_none(&self) -> bool {
        self.right == 0.0 && self.up == 0.0 && self.ahead == 0.0
    }
}

/// Motion state of one camera: its velocity and flight. The position is kept in the camera.
#[derive(Clone, Debug, Default)]
pub struct Steering {
    /// Velocity to the right, up and forward, in half tiles per second.
    velocity: Damped,
    /// Vertical velocity of a walking eye, in half tiles per second.
    rise: f32,
    flight: Option<Flight>,
    /// The camera as the last step left it, to detect changes by others.
    left: Option<Camera>,
}

/// A flight to another camera.
#[derive(Clone, Debug)]
struct Flight {
    from: Camera,
    to: Camera,
    /// Seconds since the start of the flight.
    time: f32,
}

impl Steering {
    /// Start a flight from the camera `from` to the camera `to`.
    pub fn fly_to(&mut self, from: &Camera, to: Camera) {
        self.stop();
        self.left = Some(from.clone());
        self.flight = Some(Flight {
            from: from.clone(),
            to,
            time: 0.0,
        });
    }

    /// Change the mode of the camera without moving its eye. In walk mode it then flies down to the ground,
    /// within the border.
    pub fn set_mode(
        &mut self,
        camera: &mut Camera,
        mode: CameraMode,
        ground: Option<&Ground>,
        tile_size_m: f32,
    ) {
        let to = camera.clone().with_mode(mode);
        if let (CameraMode::Walk, Some(ground)) = (mode, ground) {
            let place = standing(&to, ground, tile_size_m);
            let to = to.with_eye(place);
            self.fly_to(camera, to);
        } else {
            self.stop();
            *camera = to;
            self.left = Some(camera.clone());
        }
    }

    /// Stop the camera at once.
    pub fn stop(&mut self) {
        *self = Self::default();
    }

    /// True if the camera keeps moving without input.
    #[must_use]
    pub fn is_moving(&self) -> bool {
        self.is_under_way() || self.rise != 0.0
    }

    /// True if a flight or inertia keeps the camera moving. Vertical motion caused by the ground alone does
    /// not count.
    #[must_use]
    pub fn is_under_way(&self) -> bool {
        self.flight.is_some() || self.velocity != Damped::default()
    }

    /// Move `camera` for `seconds` over `ground`, with tiles of `tile_size_m` metres. If the camera was
    /// changed elsewhere since the last call, its flight ends.
    pub fn advance(
        &mut self,
        camera: &mut Camera,
        wish: Wish,
        ground: Option<&Ground>,
        tile_size_m: f32,
        seconds: f32,
    ) {
        let left = self.left.as_ref();
        if left.is_some_and(|left| left.mode != camera.mode) {
            self.stop();
        }
        self.note_hands(camera, wish);
        let seconds = if seconds.is_finite() {
            seconds.clamp(0.0, MOST)
        } else {
            0.0
        };
        if self.flight.is_some() {
            self.go_on_flying(camera, ground, seconds);
        } else {
            let height = eye_height(camera, tile_size_m);
            let fastest = speed(camera, height) * FAST;
            let steps = (seconds / STEP).max(seconds * fastest / STRIDE_OVER_GROUND);
            let steps = steps.min(MOST_STEPS).ceil().max(1.0);
            for _ in 0..steps as u32 {
                self.step(camera, wish, ground, height, seconds / steps);
            }
            let speed = speed(camera, height);
            let still = |v: Vec3, part: f32| v.abs().max_element() <= part * speed;
            let velocity = &self.velocity;
            if wish.is_none() && still(velocity.value, REST) && still(velocity.rate, REST * OMEGA) {
                self.velocity = Damped::default();
            }
        }
        self.left = Some(camera.clone());
    }

    /// Let user input interrupt a flight. While landing to walk, looking around is allowed and moving is
    /// ignored until the landing.
    fn note_hands(&mut self, camera: &mut Camera, wish: Wish) {
        let (Some(flight), Some(left)) = (&mut self.flight, &self.left) else {
            return;
        };
        let lands = flight.to.mode == CameraMode::Walk;
        if left != camera {
            let stays = (left.eye() - camera.eye()).length() < 1e-4;
            if !lands || !stays || left.mode != camera.mode {
                self.flight = None;
                return;
            }
            for end in [&mut flight.from, &mut flight.to] {
                let eye = end.eye();
                (end.bearing, end.pitch) = (camera.bearing, camera.pitch);
                *end = end.clone().with_eye(eye);
            }
        }
        if !wish.is_none() && !lands {
            let mode = flight.to.mode;
            self.flight = None;
            if mode != CameraMode::Top {
                *camera = camera.clone().with_mode(mode);
            }
        }
    }

    fn step(
        &mut self,
        camera: &mut Camera,
        wish: Wish,
        ground: Option<&Ground>,
        height: f32,
        seconds: f32,
    ) {
        let speed = speed(camera, height) * if wish.fast { FAST } else { 1.0 };
        let wanted = Vec3::new(wish.right, wish.up, wish.ahead) * speed;
        let way = self.velocity.advance(wanted, OMEGA, seconds);
        let before = camera.eye();
        let mut eye = before + self.directed(camera, way).as_dvec3();
        match (camera.mode, ground) {
            (CameraMode::Fly, Some(ground)) => {
                let above = clearance(camera);
                let least = ground_under(ground, eye, above) + f64::from(above);
                eye.y = eye.y.max(least);
            }
            (CameraMode::Walk, Some(ground)) => {
                self.walk(before, &mut eye, ground, height, seconds);
            }
            (CameraMode::Top, _) => {
                // Moving up means moving away: in a parallel projection nothing else would change.
                let factor = (way.y / camera.distance).exp();
                camera.distance = (camera.distance * factor).clamp(LEAST_DISTANCE, 100.0);
                eye.y = camera.target[1] + f64::from(camera.distance);
            }
            _ => {}
        }
        if eye != before {
            *camera = camera.clone().with_eye(eye);
        }
    }

    /// Convert a displacement to the right, up and forward to world axes.
    fn directed(&self, camera: &Camera, way: Vec3) -> Vec3 {
        let bearing = camera.bearing.to_radians();
        let right = Vec3::new(bearing.cos(), 0.0, bearing.sin());
        let level = Vec3::new(bearing.sin(), 0.0, -bearing.cos());
        match camera.mode {
            CameraMode::Walk | CameraMode::Top => right * way.x + level * way.z,
            CameraMode::Orbit | CameraMode::Fly => {
                right * way.x + Vec3::Y * way.y + camera.forward() * way.z
            }
        }
    }

    /// Keep a walking eye at its height above the ground. The deviation from that height decays independently
    /// of the ground's slope.
    fn walk(&mut self, before: DVec3, eye: &mut DVec3, ground: &Ground, height: f32, seconds: f32) {
        let [x, z] = ground.reach().map(f64::from);
        (eye.x, eye.z) = (eye.x.clamp(-x, x), eye.z.clamp(-z, z));
        let (old, new) = (
            ground_under(ground, before, height),
            ground_under(ground, *eye, height),
        );
        if seconds > 0.0 {
            let slope = (new - old) as f32 / seconds;
            let mut off = Damped {
                value: Vec3::Y * ((before.y - old) as f32 - height),
                rate: Vec3::Y * (self.rise - slope),
            };
            off.advance(Vec3::ZERO, OMEGA_FEET, seconds);
            eye.y = new + f64::from(height + off.value.y);
            self.rise = off.rate.y + slope;
        }
        let least = new + f64::from(height * LEAST_HEIGHT);
        if eye.y < least {
            eye.y = least;
            self.rise = self.rise.max(0.0);
        }
        let off = ((eye.y - new) as f32 - height).abs();
        if off < height * REST && self.rise.abs() < height * REST * OMEGA_FEET {
            eye.y = new + f64::from(height);
            self.rise = 0.0;
        }
    }

    fn go_on_flying(&mut self, camera: &mut Camera, ground: Option<&Ground>, seconds: f32) {
        let Some(flight) = &mut self.flight else {
            return;
        };
        flight.time += seconds;
        let part = (flight.time / FLIGHT).min(1.0);
        if part >= 1.0 {
            *camera = flight.to.clone();
            self.flight = None;
            return;
        }
        // Smootherstep: velocity and acceleration are zero at both ends.
        let eased = part * part * part * (part * (part * 6.0 - 15.0) + 10.0);
        let now = between(&flight.from, &flight.to, eased);
        let ends = [flight.from.eye(), flight.to.eye()];
        // A camera that starts under the ground may leave it the way it came.
        let lowest = clearance(&now).min(CLEARANCE);
        let above = |ground: &Ground| {
            ends.iter()
                .all(|eye| eye.y >= ground_under(ground, *eye, lowest))
        };
        let ground = ground.filter(|ground| above(ground));
        let least = [flight.from.eye(), flight.to.eye()].map(|eye| {
            let above = |ground| (eye.y - ground_under(ground, eye, lowest)) as f32;
            ground.map_or(lowest, above)
        });
        // Never more clearance than either end has: a walking eye is close to the ground.
        let clearance = least[0].min(least[1]).min(CLEARANCE);
        *camera = lifted(now, ground, clearance);
    }
}

/// Position of an eye that starts to walk, straight below or above its present one.
fn standing(camera: &Camera, ground: &Ground, tile_size_m: f32) -> DVec3 {
    let (eye, [x, z]) = (camera.eye(), ground.reach().map(f64::from));
    let (x, z) = (eye.x.clamp(-x, x), eye.z.clamp(-z, z));
    let height = eye_height(camera, tile_size_m);
    let place = DVec3::new(x, eye.y, z);
    let y = ground_under(ground, place, height) + f64::from(height);
    DVec3 { y, ..place }
}

/// Speed of the camera, in half tiles per second.
fn speed(camera: &Camera, eye_height: f32) -> f32 {
    match camera.mode {
        CameraMode::Walk => camera.speed * STRIDE * eye_height,
        CameraMode::Top => camera.distance,
        CameraMode::Orbit => 1.0,
        CameraMode::Fly => camera.speed,
    }
}

// Critically damped spring: motion to a moving target, as fast as possible without overshoot.
//
// x″ = −2ωx′ − ω²x has the closed form x = (A + Bt)e^(−ωt), A = x₀, B = x₀′ + ωx₀. Each step evaluates it
// exactly, so the result does not depend on the frame rate.

/// A vector that approaches a target value.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Damped {
    /// Current value.
    pub value: Vec3,
    /// The rate of change of the value, per second.
    pub rate: Vec3,
}

impl Damped {
    /// Advance by `seconds` towards `wanted` at the rate `omega` per second. Returns the integral of the
    /// value over that time, which is the distance travelled if the value is a velocity.
    pub fn advance(&mut self, wanted: Vec3, omega: f32, seconds: f32) -> Vec3 {
        let a = self.value - wanted;
        let b = self.rate + a * omega;
        let fade = (-omega * seconds).exp();
        self.value = wanted + (a + b * seconds) * fade;
        self.rate = (b - (a + b * seconds) * omega) * fade;
        // The integral in closed form, so that the distance is exact for any step length.
        wanted * seconds
            + a * ((1.0 - fade) / omega)
            + b * ((1.0 - fade * (1.0 + omega * seconds)) / (omega * omega))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_short_steps_are_one_long_step() {
        let start = Damped {
            value: Vec3::new(1.0, -2.0, 0.5),
            rate: Vec3::new(0.0, 3.0, -1.0),
        };
        let (mut one, mut two) = (start, start);
        let wanted = Vec3::new(0.0, 1.0, 2.0);
        let way = one.advance(wanted, 8.0, 0.1);
        let first = two.advance(wanted, 8.0, 0.03);
        let second = two.advance(wanted, 8.0, 0.07);
        assert!((one.value - two.value).length() < 1e-5);
        assert!((one.rate - two.rate).length() < 1e-4);
        assert!((way - first - second).length() < 1e-5);
    }

    #[test]
    fn it_arrives_and_never_goes_too_far() {
        let mut x = Damped::default();
        let mut before = 0.0;
        for _ in 0..300 {
            x.advance(Vec3::X, 8.0, 0.01);
            assert!(x.value.x >= before && x.value.x <= 1.0);
            before = x.value.x;
        }
        assert!(before > 0.999);
    }
}
