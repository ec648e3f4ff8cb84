//! Diamond-square: what its maps are, and that the fast ways to make them give the same bits as
//! the plain loop.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use landform::fractal::rows::StreamError;
use landform::fractal::{
    self, Distribution, Edges, Instructions, Known, Subdivision, amplitude, variate,
};
use landform::generate::diamond_square::{DiamondSquareOptions, Scaling};
use landform::grid::Grid;
use landform::job::{Cancelled, Job};
use landform::rng::{Stage, Stream, uniform};
use proptest::prelude::*;
use rand::Rng;

mod bits;
mod numbers;

fn map_of(subdivision: &Subdivision) -> Vec<f32> {
    let mut heights = vec![f32::NAN; subdivision.side().pow(2)];
    subdivision.fill(&mut heights, &Job::new()).unwrap();
    heights
}

fn scalar_map_of(subdivision: &Subdivision) -> Vec<f32> {
    let mut heights = vec![f32::NAN; subdivision.side().pow(2)];
    fractal::fill(subdivision, &mut heights);
    heights
}

fn plain(options: &DiamondSquareOptions, seed: u64, iterations: u32) -> Subdivision {
    Subdivision::new(
        options.rule(seed, iterations, 0.7, 1.0),
        options.corners,
        None,
    )
}

fn with_edges(edges: Edges) -> DiamondSquareOptions {
    DiamondSquareOptions {
        edges,
        ..DiamondSquareOptions::default()
    }
}

/// Height, mean of the neighbours it was displaced from, and range, of every point that `pass`
/// set; written without regard to order or speed.
fn points_of_pass(subdivision: &Subdivision, map: &[f32], pass: u32) -> Vec<(f32, f32, f32)> {
    let wraps = subdivision.rule.edges == Edges::Wrap;
    let across = 2isize << pass;
    let half = 1isize << (subdivision.iterations - pass - 1);
    let at = |row: isize, column: isize| {
        let inside = 0 <= row.min(column) && row.max(column) <= across;
        let place = |index: isize| if wraps { index.rem_euclid(across) } else { index } * half;
        let index = place(row) * subdivision.side() as isize + place(column);
        (wraps || inside).then(|| map[index as usize])
    };
    let mut points = Vec::new();
    for row in 0..=across {
        for column in 0..=across {
            let (step, neighbours) = match (row % 2, column % 2) {
                (0, 0) => continue,
                (1, 1) => (0, [(-1, -1), (-1, 1), (1, -1), (1, 1)]),
                _ => (1, [(-1, 0), (1, 0), (0, -1), (0, 1)]),
            };
            let neighbours = neighbours.map(|(down, right)| at(row + down, column + right));
            let existing: Vec<f32> = neighbours.into_iter().flatten().collect();
            let mean = existing.iter().sum::<f32>() / existing.len() as f32;
            let range = subdivision.rule.amplitudes[pass as usize][step];
            points.push((at(row, column).unwrap(), mean, range));
        }
    }
    points
}
