//! A ground that is a function of the place is that function on every level below its last one.

use landform::fractal::Edges;
use landform::fractal::refinement::Refinement;
use landform::fractal::region::{Region, Window};
use landform::generate::formula::{Expression, LANES, Lanes};
use landform::generate::perlin::{self, Perlin, Variant};
use landform::generate::{Detail, Generator, Images, Surface, formula};
use landform::grid::Grid;
use landform::heightmap::Heightmap;
use landform::job::Job;
use landform::layer::Layer;
use landform::modify::{Modifier, ModifierKind};
use landform::pipeline;
use landform::scene::{RenderType, Scene};
use proptest::prelude::*;

mod formulas;

/// What rounding to 32 bits may do to the samples of a ground, as a share of its highest height.
const ROUNDING: f64 = 1e-6;

fn scene(surface: Surface) -> Scene {
    Scene {
        surface,
        ..Scene::default()
    }
}

fn perlin(variant: Variant, edges: Edges, cells: u32, octaves: u32) -> Surface {
    Surface {
        generator: Generator::Perlin,
        seed: 3,
        iterations: 5,
        perlin: perlin::PerlinOptions {
            edges,
            variant,
            cells,
            octaves,
        },
        ..Surface::default()
    }
}

fn of_formula(expression: &str, wrap: bool) -> Surface {
    Surface {
        generator: Generator::Formula,
        iterations: 5,
        formula: formula::FormulaOptions {
            expression: expression.to_owned(),
            wrap,
        },
        ..Surface::default()
    }
}

const WAVES: &str = "0.3*sin(pi*x + 1.5*sin(pi*z))*cos(pi*z) + 0.02*cos(31*pi*x)";
const BUMPS: &str = "0.2*exp(-3*r^2) + 0.1*sin(7*x)*z + 0.3";

/// Grounds of every kind, some of which have cells that are no power of two.
fn grounds() -> Vec<Surface> {
    let mut grounds = vec![
        of_formula(WAVES, true),
        of_formula(WAVES, false),
        of_formula(BUMPS, false),
    ];
    for variant in [Variant::Fbm, Variant::Ridged, Variant::Billow] {
        for edges in [Edges::Wrap, Edges::Free] {
            for cells in [4, 7] {
                grounds.push(perlin(variant, edges, cells, 8));
            }
        }
    }
    grounds
}

fn map(surface: &Surface) -> Heightmap {
    let made = surface.generate(&Images::default(), &Job::new(), None);
    made.unwrap()
}

fn refined(scene: &Scene, levels: u32) -> Refinement {
    let refined = pipeline::refined(&map(&scene.surface), scene, levels, &Job::new());
    refined.unwrap()
}

/// That ground with so many levels below it.
fn below(surface: &Surface, levels: u32) -> Refinement {
    let refinement = refined(&scene(surface.clone()), levels);
    assert!(refinement.function.is_some());
    refinement
}

fn window(refinement: &Refinement, level: u32, [row, column]: [i64; 2], side: usize) -> Grid<f64> {
    let window = Window {
        row,
        column,
        rows: side,
        columns: side,
    };
    refinement.window(level, window, &Job::new()).unwrap()
}

fn all_of(refinement: &Refinement) -> Region {
    let [rows, columns] = refinement.size();
    Region {
        row: 0,
        column: 0,
        rows,
        columns,
    }
}

fn highest(surface: &Surface) -> f64 {
    let (low, high) = map(surface).range();
    f64::from(low.abs().max(high.abs()))
}

#[test]
fn levels_below_are_the_map_of_more_iterations() {
    for surface in grounds() {
        let refinement = below(&surface, 3);
        let heights = refinement.single(all_of(&refinement), &Job::new()).unwrap();
        let finer = map(&Surface {
            iterations: 8,
            ..surface.clone()
        });
        let most = ROUNDING * highest(&surface);
        for (here, there) in heights.as_slice().iter().zip(finer.heights()) {
            let far = f64::from((here - there).abs());
            assert!(far < most, "{:?}: {far}", surface.perlin);
        }
    }
}

/// The heights at a level, by the definition of each generator.
fn defined(surface: &Surface, level: u32, row: u64, column: u64) -> f64 {
    let scale = surface.height_scale;
    match surface.generator {
        Generator::Perlin => {
            let (seed, hurst) = (surface.seed, surface.hurst);
            let perlin = Perlin::new(&surface.perlin, seed, level, hurst, scale);
            perlin.height_at(row as usize, column as usize)
        }
        _ => {
            let expression = Expression::parse(&surface.formula.expression).unwrap();
            let side = (1_u64 << level) as f64;
            let of_period = |index: u64| match surface.formula.wrap {
                true => index % (1 << level),
                false => index,
            };
            let [z, x] = [row, column].map(|index| 2.0 * of_period(index) as f64 / side - 1.0);
            expression.at(Lanes([x; LANES]), z).0[0] * f64::from(scale)
        }
    }
}

#[test]
fn a_function_is_the_definition_in_64_bits() {
    for surface in grounds() {
        let function = surface.function(&Detail::default()).unwrap().unwrap();
        // Places are exact in the definition down to there.
        for level in [3, 6, 14, 21] {
            let (row, first) = ((5 << level) >> 3, (2 << level) / 3);
            let mut heights = [0.0; 19];
            let first = first.min((1 << level) - 19_i64.min((1 << level) - 1)) as u64;
            let count = heights.len().min(1 << level);
            function
                .heights
                .row(level, row, first, &mut heights[..count]);
            for (column, height) in (first..).zip(&heights[..count]) {
                let expected = defined(&surface, level, row, column);
                let far = (height - expected).abs();
                assert!(far < 1e-12, "{:?}, {level}: {far}", surface.perlin);
            }
        }
        // Far below, it is as good as straight between places that the definition knows.
        let (row, column) = (0b1011 << 37, 0x5A5A_5A5A_5A00_u64 >> 7);
        let mut height = [0.0];
        function.heights.row(41, row, column, &mut height);
        let (coarse, part) = (
            column >> 19,
            (column % (1 << 19)) as f64 / f64::from(1 << 19),
        );
        let [west, east] = [0, 1].map(|by| defined(&surface, 22, row >> 19, coarse + by));
        let far = (height[0] - (west + part * (east - west))).abs();
        assert!(far < 1e-8, "{:?}: {far}", surface.perlin);
    }
}

#[test]
fn heights_below_follow_the_function_within_rounding() {
    for surface in grounds() {
        let refinement = below(&surface, 40);
        let is_formula = surface.generator == Generator::Formula;
        let function = refinement.function.clone().unwrap();
        let most = ROUNDING * highest(&surface);
        for levels in [1, 5, 20, 40] {
            let level = 5 + levels;
            if level > function.own_to && !is_formula {
                continue;
            }
            let [row, column] = [3, 5].map(|part| (part << level) / 7);
            let heights = window(&refinement, level, [row, column], 9);
            for line in 0..9 {
                let mut expected = [0.0; 9];
                let row = (row + line) as u64;
                let function = &function.heights;
                function.row(level, row, column as u64, &mut expected);
                for (height, expected) in heights.row(line as usize).iter().zip(expected) {
                    let far = (height - expected).abs();
                    assert!(far < most, "{levels}, {:?}: {far}", surface.perlin);
                }
            }
        }
    }
}

/// Grounds as their scenes may change what is below: with and without stones.
fn scenes() -> Vec<Scene> {
    let mut scenes: Vec<_> = grounds().into_iter().map(scene).collect();
    let mut rough = scene(of_formula(WAVES, true));
    rough.detail.hurst = Some(0.4);
    scenes.push(rough);
    scenes.push(scene(perlin(Variant::Ridged, Edges::Wrap, 3, 3)));
    scenes
}

#[test]
fn levels_agree_on_shared_points_at_every_depth() {
    for scene in scenes() {
        let refinement = refined(&scene, 55);
        for level in [5, 6, 8, 9, 10, 15, 19, 20, 21, 40, 59] {
            let [row, column] = [0, 1].map(|axis| (2 * axis + 3) * (1 << level) / 7);
            let coarse = window(&refinement, level, [row, column], 7);
            let fine = window(&refinement, level + 1, [2 * row, 2 * column], 13);
            for line in 0..7 {
                for at in 0..7 {
                    let (here, there) = (coarse.at(line, at), fine.at(2 * line, 2 * at));
                    assert_eq!(here.to_bits(), there.to_bits(), "{level}: {line}, {at}");
                }
            }
        }
    }
}

#[test]
fn samples_stay_and_none_sticks_out() {
    for mut scene in scenes() {
        let is_formula = scene.surface.generator == Generator::Formula;
        if !is_formula {
            // Stones of diamond-square would hide it.
            scene.detail.strength = 0.0;
        }
        let refinement = refined(&scene, 26);
        let base = map(&scene.surface);
        let is_smooth = refinement
            .rule
            .amplitudes
            .iter()
            .flatten()
            .all(|a| *a == 0.0);
        for levels in [1, 5, 26] {
            let level = 5 + levels;
            for (row, column) in [(9, 20), (1, 31), (16, 16), (23, 5)] {
                let at = [row, column].map(|at: i64| (at << levels) - 4);
                let side = if levels == 1 { 5 } else { 9 };
                let from = if levels == 1 { 2 } else { 0 };
                let heights = window(&refinement, level, at.map(|at| at + from), side);
                let middle = side / 2;
                let sample = f64::from(base.row(row as usize)[column as usize]);
                assert_eq!(heights.at(middle, middle), sample, "{levels}");
                if levels < 26 {
                    continue;
                }
                let above = |row: usize, column: usize| {
                    let [north, south] = [row - 1, row + 1].map(|row| heights.at(row, column));
                    let [west, east] = [column - 1, column + 1].map(|c| heights.at(row, c));
                    (heights.at(row, column) - ((north + south) + (west + east)) / 4.0).abs()
                };
                let places = (1..8).flat_map(|row| (1..8).map(move |column| (row, column)));
                let others = places.filter(|place| *place != (4, 4));
                let most = others.map(|(r, c)| above(r, c)).fold(0.0, f64::max);
                let here = above(4, 4);
                assert!(here < 3.0 * most + 3e-16, "{here} among {most}");
                assert!(!(is_formula && is_smooth) || here < 1e-15, "{here}");
            }
        }
    }
}

#[test]
fn the_rounding_of_samples_bends_the_ground_nowhere() {
    // Thirds and sevenths are rounded; all that is not straight is.
    let refinement = below(&of_formula("x/3 + z/7 + 1/9", false), 10);
    for (row, column) in [(9, 20), (1, 31), (16, 16), (23, 5)] {
        let at = [row, column].map(|at: i64| (at << 10) - 20);
        let heights = window(&refinement, 15, at, 41);
        for row in 1..40 {
            for column in 1..40 {
                let [north, south] = [row - 1, row + 1].map(|row| heights.at(row, column));
                let [west, east] = [column - 1, column + 1].map(|c| heights.at(row, c));
                let above = heights.at(row, column) - ((north + south) + (west + east)) / 4.0;
                assert!(above.abs() < 1e-13, "{row}, {column}: {above}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn any_window_is_part_of_the_whole(
        which in 0usize..17,
        levels in 1u32..5,
        at in (0.0f64..1.0, 0.0f64..1.0),
        tiles in (-2i64..3, -2i64..3),
        side in 1usize..14,
    ) {
        let scene = &scenes()[which];
        let refinement = refined(scene, levels);
        let all = refinement.double(all_of(&refinement), &Job::new()).unwrap();
        let cells = all.rows() as i64 - 1;
        let wraps = map(&scene.surface).wraps();
        let place = |at: f64, tile: i64| {
            let last = cells - side as i64 + 1;
            (at * last as f64) as i64 + if wraps { tile * cells + 3 } else { 0 }
        };
        let [row, column] = [place(at.0, tiles.0), place(at.1, tiles.1)];
        let part = window(&refinement, 5 + levels, [row, column], side);
        // A ground that goes on further has the same levels on its way.
        let deeper = window(&refined(scene, levels + 3), 5 + levels, [row, column], side);
        prop_assert_eq!(&part, &deeper);
        for line in 0..side as i64 {
            for at in 0..side as i64 {
                let of_tile = |index: i64| match wraps {
                    true => index.rem_euclid(cells) as usize,
                    false => index as usize,
                };
                let there = all.at(of_tile(row + line), of_tile(column + at));
                let here = part.at(line as usize, at as usize);
                prop_assert_eq!(here.to_bits(), there.to_bits());
            }
        }
    }
}

#[test]
fn files_of_32_bits_have_the_heights_rounded() {
    // More rows than are made at once.
    let surface = Surface {
        iterations: 7,
        ..perlin(Variant::Fbm, Edges::Wrap, 4, 8)
    };
    let refinement = below(&surface, 2);
    assert!(refinement.is_single());
    let all = all_of(&refinement);
    let single = refinement.single(all, &Job::new()).unwrap();
    let double = refinement.double(all, &Job::new()).unwrap();
    let mut pairs = single.as_slice().iter().zip(double.as_slice());
    assert!(pairs.all(|(single, double)| *single == *double as f32));
}

#[test]
fn tiles_join_at_every_depth() {
    for scene in scenes() {
        let refinement = refined(&scene, 40);
        if !map(&scene.surface).wraps() {
            continue;
        }
        for level in [6, 10, 25, 45] {
            let cells = 1_i64 << level;
            let row = cells / 3;
            let there = window(&refinement, level, [row, -4], 9);
            assert_eq!(there, window(&refinement, level, [row, cells - 4], 9));
            let there = window(&refinement, level, [cells - 4, row], 9);
            assert_eq!(there, window(&refinement, level, [-4 - cells, row], 9));
        }
    }
}

/// Root mean square over a window of what samples of a level lie above the mean of their neighbours.
fn roughness(refinement: &Refinement, level: u32) -> f64 {
    let cells = 1_i64 << level;
    let side = (cells - 2).min(513) as usize;
    let first = (cells - side as i64) / 2;
    let heights = window(refinement, level, [first, first], side);
    let (mut sum, mut count) = (0.0, 0.0);
    for row in 1..side - 1 {
        for column in 1..side - 1 {
            let [north, south] = [row - 1, row + 1].map(|row| heights.at(row, column));
            let [west, east] = [column - 1, column + 1].map(|c| heights.at(row, c));
            let above: f64 = heights.at(row, column) - ((north + south) + (west + east)) / 4.0;
            sum += above * above;
            count += 1.0;
        }
    }
    f64::sqrt(sum / count)
}

#[test]
fn noise_continues_as_stones_past_its_octaves() {
    for variant in [Variant::Fbm, Variant::Ridged, Variant::Billow] {
        for iterations in [5, 7] {
            let mut scene = scene(Surface {
                iterations,
                ..perlin(variant, Edges::Wrap, 4, 7)
            });
            let refinement = refined(&scene, 10);
            // 256 cells of the finest octave.
            let ranges = &refinement.rule.amplitudes;
            let is_still = |pass: &[f32; 2]| *pass == [0.0; 2];
            assert!(ranges[..8].iter().all(is_still) && !ranges[8..].iter().any(is_still));
            // The law of all levels below a base: 2^−H for each, and half of it for half a step.
            let falls = f64::from(ranges[8][0]).log2() / -f64::from(scene.surface.hurst);
            assert!(
                (falls - (f64::from(8 - iterations) + 0.5)).abs() < 1e-5,
                "{falls}"
            );
            let rough: Vec<_> = (6..13).map(|level| roughness(&refinement, level)).collect();
            // Ground falls by 2^−H a level where octaves go on, where stones do, and in between.
            for (below, here) in rough.iter().enumerate() {
                let law = rough[0] * 2.0_f64.powf(-0.7 * below as f64);
                assert!(
                    (0.7..1.35).contains(&(here / law)),
                    "{variant:?}: {rough:?}"
                );
            }
            scene.detail.strength = 0.0;
            let smooth = refined(&scene, 10);
            assert!(roughness(&smooth, 12) < 0.3 * roughness(&refinement, 12));
        }
    }
}

#[test]
fn only_ground_that_nothing_touches_is_its_function() {
    let function = |scene: &Scene| refined(scene, 2).function.is_some();
    let plain = scene(perlin(Variant::Fbm, Edges::Wrap, 4, 8));
    assert!(function(&plain));
    let mut layered = plain.clone();
    layered.layers.push(Layer::default());
    assert!(!function(&layered));
    let mut modified = plain.clone();
    modified
        .modifiers
        .push(Modifier::new(ModifierKind::default()));
    assert!(!function(&modified));
    modified.modifiers[0].on = false;
    assert!(function(&modified));
    let mut other = plain.clone();
    other.surface.generator = Generator::Hill;
    assert!(!function(&other));
    let mut rendered = plain;
    rendered.view.render_type = RenderType::Lines;
    assert!(function(&rendered));
}

#[test]
fn functions_go_as_deep_as_64_bits_allow() {
    let deepest = |surface: Surface| below(&surface, 55).deepest();
    assert_eq!(deepest(of_formula(WAVES, true)), Refinement::SMOOTH_TO);
    // H = 0.7 has stones until the last level.
    assert_eq!(deepest(perlin(Variant::Fbm, Edges::Wrap, 4, 8)), 60);
    let mut smooth = scene(perlin(Variant::Fbm, Edges::Wrap, 4, 8));
    smooth.detail.strength = 0.0;
    assert_eq!(refined(&smooth, 55).deepest(), Refinement::SMOOTH_TO);
    // Neighbours on a slope are told apart down there.
    let refinement = below(&of_formula(BUMPS, false), 41);
    let first = (1_i64 << 46) / 3;
    let heights = window(&refinement, 46, [first, first], 65);
    for row in 0..65 {
        assert!(heights.row(row).windows(2).all(|pair| pair[0] != pair[1]));
    }
}
