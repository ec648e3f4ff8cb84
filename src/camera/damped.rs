//! Critically damped spring: motion to a moving target, as fast as possible without overshoot.
//!
//! x″ = −2ωx′ − ω²x has the closed form x = (A + Bt)e^(−ωt), A = x₀, B = x₀′ + ωx₀. Each step evaluates it
//! exactly, so the result does not depend on the frame rate.

use glam::Vec3;

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
