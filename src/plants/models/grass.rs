//! Tuft of grass: blades that bend outwards.

use std::f32::consts::TAU;

use glam::Vec3;

use super::ModelDetail;
use super::shape::{Shape, around};

const GREEN: [Vec3; 2] = [
    Vec3::new(0.075, 0.115, 0.036),
    Vec3::new(0.125, 0.165, 0.065),
];
const DRY: Vec3 = Vec3::new(0.24, 0.20, 0.10);

pub fn grow(shape: &mut Shape, detail: ModelDetail) {
    let (blades, segments) = match detail {
        ModelDetail::Near => (32, 3),
        ModelDetail::Far => (14, 1),
    };
    for number in 0..blades {
        let at = (number as f32 + 0.5) / blades as f32;
        let out = around(number as f32 * 2.4 + shape.between(-0.3, 0.3));
        let foot = out * (0.11 * at.sqrt()) + around(shape.between(0.0, TAU)) * 0.02;
        blade(shape, foot, out, at, segments);
    }
}

fn blade(shape: &mut Shape, foot: Vec3, out: Vec3, at: f32, segments: u32) {
    let length = shape.between(0.66, 1.0) + 0.12 * at;
    let lean = 0.08 + 0.42 * at + shape.between(-0.05, 0.12);
    let bend = shape.between(0.5, 1.4) * (0.35 + 0.65 * at);
    let side = (out.cross(Vec3::Y) + out * shape.between(-0.8, 0.8)).normalize_or(Vec3::X);
    let wide = shape.between(0.016, 0.026) * if segments == 1 { 2.1 } else { 1.0 };
    let tone = shape.between(0.0, 1.0);
    let dry = shape.between(0.0, 1.0);
    let dry = 0.8 * (dry * dry * dry);
    let mut place = foot - Vec3::Y * 0.05;
    let mut last: Option<[u32; 2]> = None;
    for step in 0..=segments {
        let along = step as f32 / segments as f32;
        let angle = lean + bend * along * along;
        let (sine, cosine) = libm::sincosf(angle);
        let normal = (Vec3::Y * 0.75 + out * 0.45 + side * 0.1).normalize_or(Vec3::Y);
        let color = GREEN[0]
            .lerp(GREEN[1], tone)
            .lerp(DRY, dry * (0.4 + 0.6 * along));
        let dark = if segments == 1 { 0.6 } else { 0.30 };
        let color = color * (dark + (1.0 - dark) * along.min(0.7) / 0.7);
        let sway = along * along;
        if step == segments {
            let tip = shape.vertex(place, normal, color, sway);
            if let Some([left, right]) = last {
                shape.triangle([left, right, tip]);
            }
            break;
        }
        let half = side * (wide * (1.0 - 0.45 * along));
        let pair = [-half, half].map(|half| shape.vertex(place + half, normal, color, sway));
        if let Some([left, right]) = last {
            shape.quad([left, right, pair[1], pair[0]]);
        }
        last = Some(pair);
        let reach = (length + 0.05) / segments as f32;
        place += (out * sine + Vec3::Y * cosine) * reach;
    }
}
