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
    let lobes = lobes(shape);
    match detail {
        ModelDetail::Near => {
            for (turn, lobe) in lobes {
                stem(shape, turn, lobe.center);
                let radii = lobe.radii * 0.5;
                foliage.core(shape, Lobe { radii, ..lobe }, [0.0, 0.15]);
                foliage.lobe(shape, lobe, 62, 0.82);
            }
        }
        ModelDetail::Far => {
            for (number, (_, lobe)) in lobes.into_iter().enumerate() {
                if number == 0 {
                    stem(shape, 0.0, lobe.center);
                }
                if number % 3 == 1 {
                    foliage.core(shape, lobe, [0.2, 0.5]);
                }
                foliage.lobe(shape, lobe, 8, 2.4);
            }
        }
    }
}

/// Lobes of leaves with their directions, from the middle outwards and downwards.
fn lobes(shape: &mut Shape) -> Vec<(f32, Lobe)> {
    const COUNT: u32 = 13;
    let mut turn = shape.between(0.0, TAU);
    let mut lobes = Vec::new();
    for number in 0..COUNT {
        turn += 2.4 + shape.between(-0.3, 0.3);
        let at = (number as f32 + 0.4) / COUNT as f32;
        let reach = 0.44 * at.sqrt() * shape.between(0.85, 1.1);
        let size = shape.between(0.17, 0.25);
        let y = 0.82 * (1.0 - 0.85 * at) * shape.between(0.8, 1.1) - 0.2 * size;
        let lobe = Lobe {
            center: around(turn) * reach + Vec3::Y * y.max(size * 0.6),
            radii: Vec3::new(size, size * 0.9, size),
        };
        lobes.push((turn, lobe));
    }
    lobes
}

/// Stem from the ground to the middle of a lobe.
fn stem(shape: &mut Shape, turn: f32, end: Vec3) {
    let foot = around(turn + 0.5) * 0.06;
    let rings = [
        (foot - Vec3::Y * 0.06, 1.0),
        (foot.lerp(end, 0.5) + around(turn) * 0.03, 0.7),
        (end, 0.3),
    ];
    let rings = rings.map(|(center, size)| Ring {
        center,
        radius: 0.016 * size,
        color: STEM * (0.5 + 0.5 * size),
        sway: 0.3 * (1.0 - size),
    });
    shape.tube(&rings, 3);
}
