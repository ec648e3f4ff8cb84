//! Spruce: whorls of drooping branches with hanging twigs around a straight trunk.

use std::f32::consts::TAU;

use glam::Vec3;

use super::ModelDetail;
use super::shape::{Ring, Shape, around, share};

const NEEDLES: [Vec3; 2] = [
    Vec3::new(0.018, 0.035, 0.014),
    Vec3::new(0.042, 0.072, 0.030),
];
const BARK: Vec3 = Vec3::new(0.068, 0.052, 0.041);

/// Outline of the crown.
struct Crown {
    /// Height of the lowest branches.
    base: f32,
    /// Direction to which the crown is fuller.
    full: Vec3,
    radius: f32,
}

impl Crown {
    /// Length of branches at a share of the crown's height, 0…1, and in a direction.
    fn reach(&self, at: f32, out: Vec3) -> f32 {
        let taper = libm::powf(1.0 - at, 0.74);
        let foot = 0.72 + 0.28 * share(0.0, 0.14, at);
        self.radius * taper * foot * (1.0 + 0.06 * out.dot(self.full))
    }

    fn height(&self, at: f32) -> f32 {
        self.base + (1.0 - self.base) * at
    }
}

pub fn grow(shape: &mut Shape, detail: ModelDetail) {
    let crown = Crown {
        base: shape.between(0.05, 0.11),
        full: around(shape.between(0.0, TAU)),
        radius: 0.17,
    };
    match detail {
        ModelDetail::Near => {
            trunk(
                shape,
                &crown,
                5,
                &[-0.03, 0.04, crown.base + 0.1, 0.6, 0.95],
            );
            core(shape, &crown);
            near(shape, &crown);
        }
        ModelDetail::Far => {
            trunk(shape, &crown, 3, &[-0.03, 0.35]);
            far(shape, &crown);
        }
    }
}

fn trunk(shape: &mut Shape, crown: &Crown, sides: u32, heights: &[f32]) {
    let rings = heights.iter().map(|y| Ring {
        center: Vec3::Y * *y,
        radius: 0.0135 * (1.02 - y) + 0.006 * share(0.05, -0.03, *y),
        color: BARK * (1.0 - 0.5 * share(crown.base, crown.base + 0.1, *y)),
        sway: 0.5 * y.max(0.0) * y.max(0.0),
    });
    shape.tube(&rings.collect::<Vec<_>>(), sides);
}

/// Dark cone within the needles, so that the crown is not seen through.
fn core(shape: &mut Shape, crown: &Crown) {
    let rings = [0.015, 0.2, 0.45, 0.7, 0.92].map(|at: f32| Ring {
        center: Vec3::Y * crown.height(at),
        radius: (if at < 0.1 { 0.2 } else { 0.3 }) * crown.radius * (1.0 - at),
        color: NEEDLES[0] * 0.32,
        sway: 0.5 * at * at,
    });
    shape.tube(&rings, 5);
}

/// Branch from the trunk outwards.
struct Branch {
    foot: Vec3,
    out: Vec3,
    length: f32,
    /// Rise at the trunk, sag on the way, and rise of the tip, as shares of the length.
    curve: [f32; 3],
    tone: f32,
    /// Share of the crown's height.
    at: f32,
}

impl Branch {
    fn place(&self, along: f32) -> Vec3 {
        let [rise, sag, tip] = self.curve;
        let up = along * (rise + along * (along * tip - sag));
        self.foot + (self.out * along + Vec3::Y * up) * self.length
    }

    fn normal(&self, side: Vec3) -> Vec3 {
        (self.out * 0.75 + Vec3::Y * 0.55 + side * 0.35).normalize_or(Vec3::Y)
    }

    fn color(&self, along: f32) -> Vec3 {
        let shade = (0.36 + 0.74 * along) * (0.70 + 0.30 * self.at);
        NEEDLES[0].lerp(NEEDLES[1], self.tone * 0.6 + 0.4 * along) * shade
    }

    fn sway(&self, along: f32) -> f32 {
        let height = self.foot.y.max(0.0);
        0.5 * height * height + 0.4 * along * self.length / 0.17
    }
}

fn branch(shape: &mut Shape, crown: &Crown, at: f32, turn: f32, vigour: f32) -> Branch {
    let out = around(turn);
    let foot = Vec3::Y * (crown.height(at) + shape.between(-0.008, 0.008));
    let length = crown.reach(at, out) * vigour;
    // Lower branches hang and turn up at the tip, upper ones rise.
    let rise = -0.28 + 0.95 * at * at + shape.between(-0.12, 0.12);
    let sag = 0.55 - 0.35 * at;
    let tip = 0.38 - 0.1 * at;
    Branch {
        foot,
        out,
        length,
        curve: [rise, sag, tip],
        tone: shape.between(0.0, 1.0),
        at,
    }
}

fn near(shape: &mut Shape, crown: &Crown) {
    const WHORLS: u32 = 25;
    let mut turn = shape.between(0.0, TAU);
    for whorl in 0..WHORLS {
        let at = libm::powf(
            (whorl as f32 + shape.between(-0.25, 0.25)).max(0.0) / WHORLS as f32,
            0.82,
        );
        let count = if at < 0.55 {
            6
        } else if at < 0.85 {
            5
        } else {
            4
        };
        let vigour = shape.between(0.88, 1.06);
        turn += shape.between(0.4, 0.8);
        for number in 0..count {
            let turn = turn + TAU * (number as f32 + shape.between(-0.28, 0.28)) / count as f32;
            let vigour = vigour * shape.between(0.82, 1.08);
            let branch = branch(shape, crown, at.min(0.97), turn, vigour);
            let segments = if at < 0.5 {
                4
            } else if at < 0.82 {
                3
            } else {
                2
            };
            frond(shape, &branch, segments);
        }
    }
    leader(shape, crown);
}

/// Lift the twigs of the lowest branches off the ground.
fn above_ground(place: Vec3) -> Vec3 {
    place.with_y(place.y.max(0.012))
}

/// Twigs on both sides of a branch and below it.
fn frond(shape: &mut Shape, branch: &Branch, segments: u32) {
    let side = branch.out.cross(Vec3::Y);
    let along = |step: u32| 0.07 + 0.85 * step as f32 / segments as f32;
    let spine: Vec<u32> = (0..=segments)
        .map(|step| {
            let along = along(step);
            shape.vertex(
                branch.place(along),
                branch.normal(Vec3::ZERO),
                branch.color(along),
                branch.sway(along),
            )
        })
        .collect();
    let size = branch.length.max(0.03);
    for step in 0..segments {
        let middle = (along(step) + along(step + 1)) / 2.0;
        let place = branch.place(middle);
        let width = size * (0.66 - 0.40 * middle);
        let pair = [spine[step as usize], spine[step as usize + 1]];
        for sign in [-1.0, 1.0] {
            let width = width * shape.between(0.75, 1.25);
            let hang = shape.between(0.35, 0.75);
            let away = side * sign + branch.out * shape.between(0.5, 0.95) - Vec3::Y * hang;
            let tip = shape.vertex(
                above_ground(place + away * width),
                branch.normal(side * sign),
                branch.color((middle + 0.25).min(1.05)),
                branch.sway(middle + 0.2),
            );
            shape.triangle([pair[0], pair[1], tip]);
        }
        if step + 1 < segments || segments > 3 {
            let hang = width * shape.between(0.8, 1.3);
            let sideways = side * shape.between(-0.35, 0.35);
            let tip = shape.vertex(
                above_ground(place + (branch.out * 0.35 + sideways - Vec3::Y) * hang),
                branch.normal(-Vec3::Y * 0.8),
                branch.color(middle) * 0.7,
                branch.sway(middle + 0.2),
            );
            shape.triangle([pair[0], pair[1], tip]);
        }
    }
    // The tip of the branch.
    let end = branch.place(along(segments));
    let half = side * (size * 0.06);
    let corners = [end - half, end + half, branch.place(1.12)];
    let corners = corners.map(|place| {
        shape.vertex(
            place,
            branch.normal(Vec3::ZERO),
            branch.color(1.05),
            branch.sway(1.0),
        )
    });
    shape.triangle(corners);
}

/// Ragged shoot at the top.
fn leader(shape: &mut Shape, crown: &Crown) {
    let low = crown.height(0.93);
    for number in 0..3 {
        let out = around(TAU * number as f32 / 6.0);
        let corners = [
            (Vec3::Y * low - out * 0.006, out * -0.6 + Vec3::Y),
            (Vec3::Y * low + out * 0.006, out * 0.6 + Vec3::Y),
            (Vec3::Y, Vec3::Y),
        ];
        let corners = corners
            .map(|(place, normal)| shape.vertex(place, normal.normalize(), NEEDLES[1] * 0.9, 0.4));
        shape.triangle(corners);
        let y = shape.between(0.94, 0.975);
        let out = around(TAU * number as f32 / 3.0 + 0.4);
        let corners = [
            Vec3::Y * (y - 0.008),
            Vec3::Y * (y + 0.004),
            Vec3::Y * (y + 0.012) + out * 0.02,
        ];
        let corners = corners
            .map(|place| shape.vertex(place, (out + Vec3::Y).normalize(), NEEDLES[1] * 0.9, 0.4));
        shape.triangle(corners);
    }
}

/// Ragged skirts, one below the other.
fn far(shape: &mut Shape, crown: &Crown) {
    const SKIRTS: u32 = 10;
    for skirt in 0..SKIRTS {
        let at = skirt as f32 / SKIRTS as f32;
        let tips = if at < 0.5 { 6 } else { 5 };
        let top = Vec3::Y * (crown.height(at) + 0.15 - 0.04 * at);
        let top = top.min(Vec3::Y * 1.0);
        let top = shape.vertex(top, Vec3::Y, NEEDLES[0] * 0.6, 0.5 * at * at);
        let turn = shape.between(0.0, TAU);
        let mut rim = Vec::new();
        for corner in 0..2 * tips {
            let is_tip = corner % 2 == 0;
            let out =
                around(turn + TAU * (corner as f32 + shape.between(-0.3, 0.3)) / (2 * tips) as f32);
            let size = if is_tip {
                shape.between(0.9, 1.12)
            } else {
                shape.between(0.55, 0.72)
            };
            let reach = crown.reach(at, out) * size + 0.004;
            let droop = if is_tip {
                shape.between(0.02, 0.045)
            } else {
                -0.012
            };
            let place = out * reach + Vec3::Y * (crown.height(at) - droop * (1.2 - at));
            let tone = shape.between(0.3, 1.0);
            let shade = (if is_tip { 0.9 } else { 0.42 }) * (0.70 + 0.30 * at);
            let color = NEEDLES[0].lerp(NEEDLES[1], tone) * shade;
            let normal = (out * 0.8 + Vec3::Y * 0.45).normalize();
            rim.push(shape.vertex(place, normal, color, 0.5 * at * at + 0.3 * reach / 0.17));
        }
        for corner in 0..rim.len() {
            shape.triangle([top, rim[corner], rim[(corner + 1) % rim.len()]]);
        }
    }
}
