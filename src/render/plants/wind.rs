//! Plants in the wind: each sways by itself, at two frequencies along the wind and across it.
//!
//! With its own phase φ a plant is off its place by sin(ω t + φ) − sin φ, which is 0 at t = 0, and smooth. In a
//! shader sin ω t and cos ω t − 1 are enough for this, so times may be large.

use glium::uniform;
use glium::uniforms::Uniforms;

use crate::scene::Scene;

/// Radians a second along the wind and across it.
const FREQUENCIES: [f64; 2] = [1.9, 3.1];
/// Half of the largest way of the top along the wind and across it, as shares of the plant's height.
const WAYS: [f32; 2] = [0.016, 0.006];

/// Uniforms of `common/plant_wind.glsl`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::render) struct Wind {
    /// Sine and cosine − 1 along the wind, then across it.
    beat: [f32; 4],
    /// Way along the wind and across it: east and south of each.
    way: [f32; 4],
}

impl Wind {
    /// Wind of a scene at the time of its waves. It comes from where that of the snow comes from.
    pub(in crate::render) fn of(scene: &Scene) -> Self {
        let time = f64::from(scene.water.time);
        let [along, across] = FREQUENCIES.map(|frequency| {
            let (sine, cosine) = libm::sincos(frequency * time);
            [sine as f32, (cosine - 1.0) as f32]
        });
        let (sine, cosine) = libm::sincosf(scene.snow.wind_bearing.to_radians());
        Self {
            beat: [along[0], along[1], across[0], across[1]],
            way: [
                -sine * WAYS[0],
                cosine * WAYS[0],
                cosine * WAYS[1],
                sine * WAYS[1],
            ],
        }
    }

    pub(in crate::render) fn uniforms(self) -> impl Uniforms + use<> {
        uniform! { wind_beat: self.beat, wind_way: self.way }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Way of the top of a plant with a phase, as in `common/plant_wind.glsl`.
    fn off(time: f32, phase: f32) -> f32 {
        let mut scene = Scene::default();
        scene.water.time = time;
        let Wind { beat, way } = Wind::of(&scene);
        let (sine, cosine) = phase.sin_cos();
        let along = beat[0] * cosine + beat[1] * sine;
        let across = beat[2] * cosine + beat[3] * sine;
        libm::hypotf(
            way[0] * along + way[2] * across,
            way[1] * along + way[3] * across,
        )
    }

    #[test]
    fn plants_rest_at_time_zero() {
        for phase in [0.0, 1.0, 4.0] {
            assert_eq!(off(0.0, phase), 0.0);
        }
    }

    #[test]
    fn plants_sway_by_few_per_cent() {
        let times = (0..500).map(|step| 0.1 * step as f32);
        let most = times.map(|time| off(time, 1.0)).fold(0.0, f32::max);
        assert!(most > 0.01 && most < 0.04, "{most}");
        assert!(off(1e6, 1.0) < 0.04);
    }
}
