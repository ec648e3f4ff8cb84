//! Palm: a curved trunk with a head of bent, feathered fronds.

use std::f32::consts::TAU;

use glam::Vec3;

use super::ModelDetail;
use super::shape::{Ring, Shape, around, share};

const BARK: Vec3 = Vec3::new(0.17, 0.135, 0.10);
const STALK: Vec3 = Vec3::new(0.11, 0.12, 0.035);
const LEAVES: [Vec3; 2] = [
    Vec3::new(0.035, 0.075, 0.022),
    Vec3::new(0.075, 0.130, 0.038),
];
const DRY: Vec3 = Vec3::new(0.16, 0.115, 0.055);

/// Height of the head, from which the fronds spring.
const HEAD: f32 = 0.86;

pub fn grow(shape: &mut Shape, detail: ModelDetail) {
    let lean = around(shape.between(0.0, TAU)) * shape.between(0.05, 0.11);
    let place = |y: f32| {
        let up = y.max(0.0);
        Vec3::Y * y + lean * (1.0 - libm::powf(1.0 - (up / HEAD).min(1.0), 1.8)) - lean * 0.75
    };
    // The head is above the foot's surroundings, so the crown stays within the radius.
    let foot = place(0.0);
    let place = |y: f32| place(y) - foot.with_y(0.0);
    let (fronds, pairs) = match detail {
        ModelDetail::Near => {
            trunk(shape, place);
            (18, 9)
        }
        ModelDetail::Far => {
            let rings = [-0.03, 0.3, 0.6, HEAD].map(|y| ring(place(y), y, 1.0));
            shape.tube(&rings, 3);
            (12, 4)
        }
    };
    let head = place(HEAD);
    let first = shape.between(0.0, TAU);
    for number in 0..fronds {
        let at = number as f32 / (fronds - 1) as f32;
        let turn = first + number as f32 * 2.4 + shape.between(-0.25, 0.25);
        // Young fronds stand, old ones hang.
        let rise = 1.2 - 1.8 * at + shape.between(-0.15, 0.15);
        let frond = Frond {
            head,
            out: around(turn),
            length: 0.29 * shape.between(0.88, 1.08) * (0.86 + 0.14 * (1.0 - at)),
            rise,
            sag: 1.5 + shape.between(-0.2, 0.25) - 0.35 * at,
            age: at,
            tone: shape.between(0.0, 1.0),
        };
        frond.grow(shape, pairs);
    }
}

fn ring(center: Vec3, y: f32, size: f32) -> Ring {
    let swell = 1.0 + 0.75 * share(0.09, -0.02, y) + 0.12 * share(0.78, HEAD, y);
    Ring {
        center,
        radius: (0.0165 - 0.005 * y) * swell * size,
        color: BARK
            * (0.75 + 0.25 * size)
            * (0.8 + 0.2 * share(0.0, 0.2, y))
            * (1.0 - 0.45 * share(0.76, HEAD, y)),
        sway: 0.35 * y.max(0.0) * y.max(0.0),
    }
}

fn trunk(shape: &mut Shape, place: impl Fn(f32) -> Vec3) {
    const RINGS: u32 = 17;
    let rings = (0..=RINGS).map(|number| {
        let y = (HEAD + 0.04) * number as f32 / RINGS as f32 - 0.03;
        // Scars of old fronds.
        let size = if number % 2 == 0 { 1.06 } else { 0.92 };
        let mut ring = ring(place(y), y, size);
        if number % 2 != 0 {
            ring.color *= 0.72;
        }
        ring
    });
    shape.tube(&rings.collect::<Vec<_>>(), 6);
}

/// Feathered leaf.
struct Frond {
    head: Vec3,
    out: Vec3,
    length: f32,
    /// Angle at the head in radians, and by how much it bends down.
    rise: f32,
    sag: f32,
    /// 0 for the youngest, 1 for the oldest.
    age: f32,
    tone: f32,
}

impl Frond {
    /// Points of the stalk.
    fn stalk(&self, steps: u32) -> Vec<Vec3> {
        let mut points = vec![self.head];
        for step in 0..steps {
            let along = (step as f32 + 0.5) / steps as f32;
            let angle = self.rise - self.sag * along * (0.5 + 0.5 * along);
            let (sine, cosine) = libm::sincosf(angle.max(-1.4));
            let last = points[step as usize];
            points.push(last + (self.out * cosine + Vec3::Y * sine) * (self.length / steps as f32));
        }
        points
    }

    fn color(&self, along: f32) -> Vec3 {
        let green = LEAVES[0].lerp(LEAVES[1], self.tone * 0.6 + 0.4 * along);
        let color = green.lerp(DRY, 0.55 * share(0.86, 1.0, self.age));
        color * (0.35 + 0.65 * share(0.0, 0.5, along)) * (1.0 - 0.35 * self.age)
    }

    fn grow(&self, shape: &mut Shape, pairs: u32) {
        let side = self.out.cross(Vec3::Y);
        let steps = pairs;
        let points = self.stalk(steps);
        let sway = |along: f32| 0.3 + 0.6 * along;
        let is_near = pairs > 4;
        for step in 0..steps as usize {
            let (low, high) = (points[step], points[step + 1]);
            let forward = (high - low).normalize_or(self.out);
            let above = side.cross(forward).normalize_or(Vec3::Y);
            let above = if above.y < 0.0 { -above } else { above };
            let along = |share: f32| (step as f32 + share) / steps as f32;
            let soft = |aside: Vec3| {
                (self.out * 0.35 + above * 0.7 + aside * 0.35 + Vec3::Y * 0.2).normalize_or(Vec3::Y)
            };
            if is_near {
                let wide = 0.006 * (1.0 - along(0.0)) + 0.0015;
                let corners = [
                    (low, -wide),
                    (low, wide),
                    (high, wide * 0.8),
                    (high, -wide * 0.8),
                ];
                let corners = corners.map(|(at, aside)| {
                    shape.vertex(
                        at + side * aside,
                        soft(Vec3::ZERO),
                        STALK * (0.5 + 0.5 * along(0.5)),
                        sway(along(0.5)),
                    )
                });
                shape.quad(corners);
            }
            // The first part of the stalk is bare.
            if is_near && step == 0 {
                continue;
            }
            let leaflets = if is_near { 2 } else { 1 };
            for leaflet in 0..leaflets {
                for sign in [-1.0, 1.0] {
                    let from = leaflet as f32 / leaflets as f32;
                    let to = (leaflet + 1) as f32 / leaflets as f32;
                    let at = along((from + to) / 2.0);
                    let width = self.length
                        * 0.42
                        * libm::powf(at, 0.35)
                        * libm::powf((1.08 - at).max(0.02), 0.55);
                    let width = width * shape.between(0.85, 1.15);
                    let fold = shape.between(0.15, 0.65) + 0.35 * self.age;
                    let away =
                        side * sign + forward * (0.55 + 0.6 * at) + above * 0.2 - Vec3::Y * fold;
                    let base = [
                        low.lerp(high, from),
                        low.lerp(
                            high,
                            if is_near {
                                from + 0.97 * (to - from)
                            } else {
                                to
                            },
                        ),
                    ];
                    let tip = base[0].lerp(base[1], 0.6) + away.normalize_or(forward) * width;
                    let normal = soft(side * sign);
                    let corners = [
                        shape.vertex(base[0], normal, self.color(at) * 0.7, sway(at)),
                        shape.vertex(base[1], normal, self.color(at) * 0.75, sway(at)),
                        shape.vertex(tip, normal, self.color((at + 0.2).min(1.0)), sway(at + 0.1)),
                    ];
                    shape.triangle(corners);
                }
            }
        }
    }
}
