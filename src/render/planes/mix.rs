//! A line of the picture from what the planes have found.

use super::sight::Sight;

/// Two planes that differ by more than this part of the distance see different ground.
const EDGE: f32 = 0.02;

/// Writes how far the ground is along the view; `ahead` is how far ahead it is in each plane.
pub(super) fn line(ahead: &[f32], sight: &Sight, row: usize, out: &mut [f32]) {
    let along = sight.rows[row].ahead.recip();
    let by = 2.0 * sight.half_width * along / out.len() as f32;
    let first = (-1.0 - sight.shift) * sight.half_width * along + 0.5 * by;
    let per = sight.step.recip();
    between(ahead, [(first - sight.first) * per, by * per, along], out);
}

vectorized! {
    /// Pixel after pixel lies `by` planes further to the right.
    fn between(ahead: &[f32], [first, by, along]: [f32; 3], out: &mut [f32]) {
        let last = ahead.len() - 2;
        for (column, out) in out.iter_mut().enumerate() {
            let place = first + column as f32 * by;
            let left = (place as i32 as usize).min(last);
            let part = place - left as f32;
            let (a, b) = (ahead[left], ahead[left + 1]);
            let nearer = if a < b { a } else { b };
            let nearest = if part < 0.5 { a } else { b };
            let is_same = (a - b).abs() < EDGE * nearer;
            *out = along * if is_same { a + part * (b - a) } else { nearest };
        }
    }
}
