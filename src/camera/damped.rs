//! Critically damped motion: as fast as possible without going too far and coming back.
//!
//! x″ = −2ωx′ − ω²x has the solution x = (A + Bt)e^(−ωt), A = x₀, B = x₀′ + ωx₀. Steps follow the
//! solution itself, so two short ones end where a long one does.

use glam::Vec3;

/// A vector that moves towards a wanted value.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Damped {
    /// The current value.
    pub value: Vec3,
    /// The change of the value in a second.
    pub rate: Vec3,
}

impl Damped {
    /// Moves on for `seconds` towards `wanted`, at a rate of `omega` a second. Returns the integral
    /// of the value over that time: the way, if the value is a velocity.
    pub fn advance(&mut self, wanted: Vec3, omega: f32, seconds: f32) -> Vec3 {
        let a = self.value - wanted;
        let b = self.rate + a * omega;
        let fade = (-omega * seconds).exp();
        self.value = wanted + (a + b * seconds) * fade;
        self.rate = (b - (a + b * seconds) * omega) * fade;
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
