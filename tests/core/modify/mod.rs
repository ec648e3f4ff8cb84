//! The modifiers: what each does to a few heights, and what all of them promise.

use std::sync::Arc;

use landform::heightmap::Heightmap;
use landform::inputs::Inputs;
use landform::job::Job;
use landform::modify::blur::Shape;
use landform::modify::erosion::BaseLevel;
use landform::modify::smooth_detail::Start;
use landform::modify::{Context, Modifier, ModifierKind as Kind, ModifyError};
use landform::param::{Field, PairVisitor, Params, TableVisitor, Tables};
use landform::pipeline::{Pipeline, StageDone};
use landform::scene::{RenderType, Scene};
use proptest::prelude::*;

mod by_hand;
mod curve;
mod domain_warp;
mod edges;
mod lists;
mod settings;
mod smoothing;

fn step(kind: Kind, change: impl FnOnce(&mut Modifier)) -> Modifier {
    let mut modifier = Modifier::new(kind);
    change(&mut modifier);
    modifier
}

fn apply(modifier: &Modifier, map: &Heightmap) -> Heightmap {
    let mut map = map.clone();
    let job = Job::new();
    let context = Context::new(7, &job);
    modifier.apply(&mut map, &context).unwrap();
    map
}

fn bits(map: &Heightmap) -> Vec<u32> {
    map.heights()
        .iter()
        .map(|height| height.to_bits())
        .collect()
}

/// Rows and columns of rough land that look random but never change, no two heights alike.
fn land(rows: usize, columns: usize) -> Heightmap {
    let height = |index: usize| {
        let hash = (index as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
        hash as f32 / (1 << 24) as f32 - 0.4
    };
    let heights: Vec<f32> = (0..rows * columns).map(height).collect();
    Heightmap::new(rows, columns, false, heights)
}

/// The same with opposite edges equal.
fn torus(rows: usize, columns: usize) -> Heightmap {
    let mut heights = land(rows, columns).heights().to_vec();
    for row in heights.chunks_exact_mut(columns) {
        row[columns - 1] = row[0];
    }
    heights.copy_within(..columns, (rows - 1) * columns);
    Heightmap::new(rows, columns, true, heights)
}

/// Whether opposite edges are equal, bit for bit.
fn meets(map: &Heightmap) -> bool {
    let (rows, columns) = (map.rows(), map.columns());
    let same = |a: (usize, usize), b: (usize, usize)| {
        map.at(a.0, a.1).to_bits() == map.at(b.0, b.1).to_bits()
    };
    (0..rows).all(|row| same((row, 0), (row, columns - 1)))
        && (0..columns).all(|column| same((0, column), (rows - 1, column)))
}

#[track_caller]
fn check<const N: usize>(modifier: &Modifier, columns: usize, before: [f32; N], after: [f32; N]) {
    let map = Heightmap::new(N / columns, columns, false, before.to_vec());
    let changed = apply(modifier, &map);
    let worst = changed.heights().iter().zip(&after);
    let worst = worst.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(
        worst < 1.0e-6,
        "{:?} instead of {after:?}",
        changed.heights()
    );
}

const COUNT: [f32; 9] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];

fn height() -> impl Strategy<Value = f32> {
    prop_oneof![
        6 => -1.0f32..1.0,
        1 => Just(0.0),
        1 => Just(-0.0),
        1 => Just(1.0e11),
        1 => Just(-1.0e11),
        1 => Just(1.0e-40),
        1 => -1.0e5f32..1.0e5,
    ]
}
