//! Birch: a white trunk with dark marks, rising limbs, and lobes of leaves with hanging sprays.

use std::f32::consts::TAU;

use glam::Vec3;

use super::ModelDetail;
use super::foliage::{Foliage, Lobe};
use super::shape::{Ring, Shape, around, share};

const WHITE: Vec3 = Vec3::new(0.50, 0.48, 0.43);
const DARK: Vec3 = Vec3::new(0.055, 0.050, 0.045);
const TWIG: Vec3 = Vec3::new(0.11, 0.08, 0.065);
const LEAVES: [Vec3; 2] = [
    Vec3::new(0.040, 0.085, 0.022),
    Vec3::new(0.078, 0.142, 0.040),
];

/// Lower and upper end of the crown.
const ENDS: [f32; 2] = [0.2, 1.0];

/// Curve of the trunk.
struct Trunk {
    lean: Vec3,
    bow: Vec3,
}

impl Trunk {
    fn place(&self, y: f32) -> Vec3 {
        let up = y.max(0.0);
        let (sine, _) = libm::sincosf(up * 4.0);
        Vec3::Y * y + self.lean * (up * up) + self.bow * sine * up
    }

    fn radius(y: f32) -> f32 {
        0.0135 * (1.03 - y) + 0.008 * share(0.05, -0.03, y)
    }
}

pub fn grow(shape: &mut Shape, detail: ModelDetail) {
    let trunk = Trunk {
        lean: around(shape.between(0.0, TAU)) * 0.03,
        bow: around(shape.between(0.0, TAU)) * 0.012,
    };
    let limbs = limbs(shape, &trunk);
    let foliage = Foliage {
        heart: trunk.place(0.55),
        extent: Vec3::new(0.24, 0.45, 0.24),
        ends: ENDS,
        colors: LEAVES,
        leaf: 0.042,
        sway: 0.75,
    };
    match detail {
        ModelDetail::Near => {
            bole(
                shape,
                &trunk,
                6,
                &[-0.03, 0.0, 0.05, 0.09, 0.25, 0.42, 0.6, 0.78, 0.93],
            );
            marks(shape, &trunk);
            for limb in &limbs {
                shape.tube(&limb.rings(), 3);
            }
            for limb in &limbs {
                for (number, lobe) in limb.lobes.iter().enumerate() {
                    if number == 0 {
                        let radii = lobe.radii * 0.45;
                        foliage.core(shape, Lobe { radii, ..*lobe }, [0.0, 0.1]);
                    }
                    foliage.lobe(shape, *lobe, if number == 0 { 50 } else { 38 }, 1.0);
                }
                spray(shape, &foliage, limb.lobes[0]);
            }
        }
        ModelDetail::Far => {
            bole(shape, &trunk, 3, &[-0.03, 0.06, 0.5]);
            for (number, limb) in limbs.iter().enumerate() {
                for lobe in &limb.lobes {
                    foliage.lobe(shape, *lobe, 5, 2.7);
                }
                if number % 4 == 2 {
                    let dark = Lobe {
                        center: limb.foot.lerp(limb.end, 0.4),
                        radii: Vec3::new(0.06, 0.11, 0.06),
                    };
                    foliage.core(shape, dark, [0.2, 0.5]);
                }
            }
        }
    }
}

/// Limb with its lobes of leaves, the outer one first.
struct Limb {
    foot: Vec3,
    bend: Vec3,
    end: Vec3,
    radius: f32,
    lobes: Vec<Lobe>,
}

impl Limb {
    fn rings(&self) -> [Ring; 3] {
        [(self.foot, 1.0), (self.bend, 0.7), (self.end, 0.25)].map(|(center, size)| Ring {
            center,
            radius: self.radius * size,
            color: TWIG.lerp(WHITE, 0.35 * size * size),
            sway: 0.3 * center.y * center.y + 0.3 * (1.0 - size),
        })
    }
}

/// Radius of the crown at a height.
fn outline(y: f32) -> f32 {
    let at = share(ENDS[0], ENDS[1], y);
    0.25 * 1.62 * libm::powf(at, 0.62) * libm::powf(1.0 - at, 0.72) * 1.02
}

fn limbs(shape: &mut Shape, trunk: &Trunk) -> Vec<Limb> {
    const COUNT: u32 = 13;
    let mut turn = shape.between(0.0, TAU);
    let mut limbs = Vec::new();
    for number in 0..COUNT {
        let at = number as f32 / (COUNT - 1) as f32;
        turn += 2.4 + shape.between(-0.35, 0.35);
        let y = 0.33 + 0.60 * at + shape.between(-0.02, 0.02);
        let out = around(turn);
        let reach =
            outline(y) * shape.between(0.62, 0.92) * if number + 1 == COUNT { 0.1 } else { 1.0 };
        let rise = 0.75 * reach + 0.03;
        let foot = trunk.place(y - rise - 0.02);
        let end = trunk.place(y) + out * reach;
        let bend = foot.lerp(end, 0.5) + Vec3::Y * (0.12 * reach) + out * (0.06 * reach);
        let size = (0.070 + 0.032 * (1.0 - at)) * shape.between(0.85, 1.2);
        let mut lobes = vec![Lobe {
            center: end,
            radii: match number + 1 == COUNT {
                true => Vec3::new(size * 0.75, size * 1.1, size * 0.75),
                false => Vec3::new(size, size * 0.85, size),
            },
        }];
        if number % 3 != 2 {
            let side = out.cross(Vec3::Y) * shape.between(-0.05, 0.05);
            lobes.push(Lobe {
                center: foot.lerp(end, 0.62) + side + Vec3::Y * shape.between(0.02, 0.06),
                radii: Vec3::splat(size * 0.85),
            });
        }
        limbs.push(Limb {
            foot,
            bend,
            end,
            radius: 0.55 * Trunk::radius(foot.y),
            lobes,
        });
    }
    limbs
}

fn bole(shape: &mut Shape, trunk: &Trunk, sides: u32, heights: &[f32]) {
    let rings = heights.iter().map(|y| Ring {
        center: trunk.place(*y),
        radius: Trunk::radius(*y),
        color: DARK
            .lerp(WHITE, share(0.0, 0.09, *y))
            .lerp(TWIG, share(0.55, 0.95, *y)),
        sway: 0.3 * y.max(0.0) * y.max(0.0),
    });
    shape.tube(&rings.collect::<Vec<_>>(), sides);
}

/// Dark marks across the bark.
fn marks(shape: &mut Shape, trunk: &Trunk) {
    for _ in 0..20 {
        let y = shape.between(0.06, 0.5);
        let turn = shape.between(0.0, TAU);
        let half = shape.between(0.35, 0.75);
        let tall = shape.between(0.002, 0.005);
        let radius = Trunk::radius(y) * 1.04;
        let corners = [(-half, 0.0), (0.0, -tall), (half, 0.0), (0.0, tall)];
        let corners = corners.map(|(aside, up)| {
            let out = around(turn + aside);
            let place = trunk.place(y + up) + out * radius;
            shape.vertex(place, out, DARK, 0.3 * y * y)
        });
        shape.quad(corners);
    }
}

/// Leaves on twigs that hang from a lobe.
fn spray(shape: &mut Shape, foliage: &Foliage, lobe: Lobe) {
    for _ in 0..3 {
        let out = around(shape.between(0.0, TAU));
        let mut place = lobe.center + (out * 0.8 - Vec3::Y * 0.5) * lobe.radii;
        for _ in 0..4 {
            let along = (out * shape.between(-0.3, 0.5) - Vec3::Y).normalize();
            foliage.leaf(shape, place, along, out, [0.8, -0.2, 0.9]);
            place += along * (foliage.leaf * 0.55);
        }
    }
}
