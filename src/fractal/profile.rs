//! One-dimensional midpoint displacement (Fournier, Fussell and Carpenter 1982).

use super::amplitude;
use crate::util::rng::{Rng, Stage, Stream, uniform};

/// Fill `heights` (2^n + 1 values in half tiles) with a ridge from 0 to 0: pass k displaces the midpoint of
/// each of its 2^k segments by up to A·2^(−H·k).
///
/// # Panics
/// The number of heights is not 2^n + 1.
pub fn midpoint(seed: u64, hurst: f32, height_scale: f32, heights: &mut [f32]) {
    let segments = heights.len() - 1;
    assert!(segments.is_power_of_two(), "2^n + 1 heights");
    heights[0] = 0.0;
    heights[segments] = 0.0;
    for pass in 0..segments.ilog2() {
        let range = amplitude(height_scale, 1.0, hurst, f64::from(pass));
        let mut numbers = Stream::new(seed, Stage::Midpoint, pass).row(0);
        let stride = segments >> pass;
        for start in (0..segments).step_by(stride) {
            let mean = (heights[start] + heights[start + stride]) * 0.5;
            heights[start + stride / 2] = mean + range * uniform(numbers.next_u32());
        }
    }
}
