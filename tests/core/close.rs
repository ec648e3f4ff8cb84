//! The textures of ground close to the camera.

use landform::grid::Grid;
use landform::job::Job;
use landform::texture::close::{SIDE, pebbles, ripples, rock};

type Texture = Grid<[u8; 4]>;

const WEST: [f32; 2] = [-1.0, 0.0];

fn textures() -> [(&'static str, Texture); 3] {
    let job = Job::new();
    [
        ("rock", rock(&job).unwrap()),
        ("ripples", ripples(WEST, &job).unwrap()),
        ("pebbles", pebbles()),
    ]
}

/// The mean step of all channels from a column to the next, and from a row to the next.
fn steps(texture: &Texture, at: usize) -> [f64; 2] {
    let apart =
        |a: [u8; 4], b: [u8; 4]| -> f64 { (0..4).map(|i| f64::from(a[i].abs_diff(b[i]))).sum() };
    let next = (at + 1) % SIDE;
    let lines = (0..SIDE).map(|other| {
        [
            apart(texture.at(other, at), texture.at(other, next)),
            apart(texture.at(at, other), texture.at(next, other)),
        ]
    });
    lines.fold([0.0; 2], |sum, step| {
        [0, 1].map(|i| sum[i] + step[i] / SIDE as f64)
    })
}

#[test]
fn textures_tile() {
    for (name, texture) in textures() {
        let all: Vec<_> = (0..SIDE).map(|at| steps(&texture, at)).collect();
        for way in [0, 1] {
            let most = all[..SIDE - 1].iter().map(|step| step[way]);
            let most = most.fold(0.0, f64::max);
            let seam = all[SIDE - 1][way];
            assert!(
                seam <= 1.05 * most,
                "{name}: {seam} at the border, {most} within"
            );
        }
    }
}

#[test]
fn textures_are_the_same_each_time() {
    for ((name, first), (_, second)) in textures().iter().zip(textures()) {
        assert!(first.as_slice() == second.as_slice(), "{name}");
    }
}

#[test]
fn slopes_fade_to_none() {
    for (name, texture) in textures() {
        for axis in [0, 1] {
            let sum: f64 = texture.as_slice().iter().map(|t| f64::from(t[axis])).sum();
            let mean = sum / (SIDE * SIDE) as f64;
            assert!((mean - 128.0).abs() < 1.0, "{name}: {mean}");
        }
    }
}

#[test]
fn ripples_lie_across_the_wind() {
    for (upwind, steep, level) in [(WEST, 0, 1), ([0.0, 1.0], 1, 0)] {
        let texture = ripples(upwind, &Job::new()).unwrap();
        let square = |axis: usize| -> f64 {
            let slopes = texture.as_slice().iter();
            slopes.map(|t| (f64::from(t[axis]) - 128.0).powi(2)).sum()
        };
        assert!(square(steep) > 5.0 * square(level), "{upwind:?}");
    }
}

#[test]
fn pebbles_cover_part_of_the_ground() {
    let texture = pebbles();
    let covered = texture
        .as_slice()
        .iter()
        .filter(|texel| texel[2] > 0)
        .count();
    let part = covered as f64 / (SIDE * SIDE) as f64;
    assert!((0.4..0.9).contains(&part), "{part}");
}
