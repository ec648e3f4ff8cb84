//! Shrub: many stems from the ground under a low, uneven dome of leaves.

use std::f32::consts::TAU;

use glam::Vec3;

use super::ModelDetail;
use super::foliage::{Foliage, Lobe};
use super::shape::{Ring, Shape, around};

const STEM: Vec3 = Vec3::new(0.085, 0.065, 0.048);
const LEAVES: [Vec3; 2] = [
    Vec3::new(0.045, 0.078, 0.027),
    Vec3::new(0.094, 0.138, 0.050),
];

pub fn grow(shape: &mut Shape, detail: ModelDetail) {
    let foliage = Foliage {
        heart: Vec3::Y * 0.15,
        extent: Vec3::new(0.62, 0.85, 0.62),
        ends: [0.0, 1.0],
        colors: LEAVES,
        leaf: 0.12,
        sway: 0.6,
    };
    let mut turn = shape.between(0.0, TAU);
    const LOBES: u32 = 13;
    for number in 0..LOBES {
        turn += 2.4 + shape.between(-0.3, 0.3);
        let at = (number as f32 + 0.4) / LOBES as f32;
        let out = around(turn);
        let reach = 0.44 * at.sqrt() * shape.between(0.85, 1.1);
        let size = shape.between(0.17, 0.25);
        let y = (0.82 * (1.0 - 0.85 * at) * shape.between(0.8, 1.1) - 0.2 * size).max(size * 0.6);
        let center = out * reach + Vec3::Y * y;
        let lobe = Lobe {
            center,
            radii: Vec3::new(size, size * 0.9, size),
        };
        match detail {
            ModelDetail::Near => {
                let foot = around(turn + 0.5) * 0.06;
                let rings = [
                    (foot - Vec3::Y * 0.06, 1.0),
                    (foot.lerp(center, 0.5) + out * 0.03, 0.7),
                    (center, 0.3),
                ];
                let rings = rings.map(|(center, size)| Ring {
                    center,
                    radius: 0.016 * size,
                    color: STEM * (0.5 + 0.5 * size),
                    sway: 0.3 * (1.0 - size),
                });
                shape.tube(&rings, 3);
                foliage.core(
                    shape,
                    Lobe {
                        radii: lobe.radii * 0.5,
                        ..lobe
                    },
                    [0.0, 0.15],
                );
                foliage.lobe(shape, lobe, 62, 0.82);
            }
            ModelDetail::Far => {
                if number % 3 == 1 {
                    foliage.core(shape, lobe, [0.2, 0.5]);
                }
                foliage.lobe(shape, lobe, 8, 2.4);
            }
        }
    }
}
