//! Canopy: the expected share of the ground under crowns is that of the plants that stand there.

use std::sync::Arc;

use landform::heightmap::{Heightmap, Validity};
use landform::job::Job;
use landform::plants::{CanopyMap, Plant, Scatter, Site};
use landform::scene::{PlantKind, PlantLayer};

use crate::erosion::on_threads;

/// Side of the tile in metres.
const TILE_M: f64 = 600.0;
/// Squares a side in which shares are compared.
const SQUARES: usize = 20;
/// Places a side of a square that are tried for crowns.
const TRIED: usize = 30;

/// A map of 65² samples with heights in half tiles of a place, 0…1 east and south.
fn land(wraps: bool, height: impl Fn(f64, f64) -> f64) -> Heightmap {
    let places = (0..65 * 65).map(|index| [index % 65, index / 65]);
    let cells = if wraps { 64 } else { 65 };
    let heights = places.map(|place| {
        let [x, z] = place.map(|at| (at % cells) as f64 / 64.0);
        height(x, z) as f32
    });
    Heightmap::new(65, 65, wraps, heights.collect::<Vec<_>>())
}

fn site(map: Heightmap, sea: Option<f32>) -> Site {
    Site::new(Arc::new(map), sea, None, TILE_M / 2.0)
}

fn layer(kind: PlantKind) -> PlantLayer {
    PlantLayer {
        kind,
        ..PlantLayer::default()
    }
}

fn scatter(layers: &[PlantLayer], site: Site) -> Scatter {
    let layers = layers.iter().cloned().enumerate();
    Scatter::new(3, layers.map(|(index, layer)| (index, layer, None)), site)
}

fn canopy(layers: &[PlantLayer], site: Site) -> CanopyMap {
    scatter(layers, site).canopy(&Job::new()).unwrap()
}

/// Steeper and steeper towards the east, from level ground to 60°.
fn steeper(x: f64, _: f64) -> f64 {
    1.7 * x * x / 2.0
}

/// Shares of the squares of a tile under the crowns of a layer, by trying places.
fn counted(plants: &[Plant], layer: usize) -> Vec<f64> {
    let side = SQUARES * TRIED;
    let mut is_under = vec![false; side * side];
    let step = TILE_M / side as f64;
    for plant in plants.iter().filter(|plant| plant.layer == layer) {
        let radius = f64::from(plant.radius_m);
        let at = plant.place.map(|at| at * TILE_M / 2.0);
        let range = at.map(|at| {
            let end = |metres: f64| ((metres / step).max(0.0) as usize).min(side);
            end(at - radius)..end(at + radius + step)
        });
        for row in range[1].clone() {
            for column in range[0].clone() {
                let away = [column, row].map(|index| (index as f64 + 0.5) * step);
                let near = (away[0] - at[0]).hypot(away[1] - at[1]) < radius;
                is_under[row * side + column] |= near;
            }
        }
    }
    let square = |index: usize| {
        let (row, column) = (index / SQUARES * TRIED, index % SQUARES * TRIED);
        let lines = (row..row + TRIED).map(|row| &is_under[row * side + column..][..TRIED]);
        let count = lines.flatten().filter(|under| **under).count();
        count as f64 / (TRIED * TRIED) as f64
    };
    (0..SQUARES * SQUARES).map(square).collect()
}

/// The same from the canopy map.
fn expected(canopy: &CanopyMap, layer: usize) -> Vec<f64> {
    let channel = (canopy.layers.iter())
        .position(|own| own.layer == layer)
        .unwrap();
    let square = |index: usize| {
        let tries = (0..16).map(|part| {
            let at = |square: usize, part: usize| {
                (square as f32 + (part as f32 + 0.5) / 4.0) / SQUARES as f32
            };
            let place = [at(index % SQUARES, part % 4), at(index / SQUARES, part / 4)];
            f64::from(canopy.weights.at(place[0], place[1])[channel])
        });
        tries.sum::<f64>() / 16.0
    };
    (0..SQUARES * SQUARES).map(square).collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn correlation(one: &[f64], other: &[f64]) -> f64 {
    let (m, n) = (mean(one), mean(other));
    let pairs = || one.iter().zip(other).map(|(a, b)| (a - m, b - n));
    let covariance: f64 = pairs().map(|(a, b)| a * b).sum();
    let squares = pairs().fold((0.0, 0.0), |(a, b), (x, y)| (a + x * x, b + y * y));
    covariance / (squares.0 * squares.1).sqrt()
}

/// Compare a canopy with its plants: their means, and the correlation of the squares if some are bare.
fn check(layers: &[PlantLayer], map: Heightmap, varies: &[usize]) {
    let scatter = scatter(layers, site(map, None));
    let plants = scatter.plants_in(scatter.whole(), &Job::new()).unwrap();
    let canopy = scatter.canopy(&Job::new()).unwrap();
    for index in 0..layers.len() {
        let (counted, expected) = (counted(&plants, index), expected(&canopy, index));
        let (real, wanted) = (mean(&counted), mean(&expected));
        println!(
            "{:?} layer {index}: {real:.4} {wanted:.4} r {:.3}",
            layers[index].kind,
            correlation(&counted, &expected)
        );
        assert!(
            (real - wanted).abs() <= 0.1 * real + 0.004,
            "layer {index}: {real} counted, {wanted} expected"
        );
        if varies.contains(&index) {
            let same = correlation(&counted, &expected);
            assert!(same > 0.9, "layer {index}: {same}");
        }
    }
}

#[test]
fn cover_of_one_layer_is_that_of_its_plants() {
    for (kind, density, size) in [
        (PlantKind::Spruce, 1.0, 1.0),
        (PlantKind::Spruce, 0.3, 2.0),
        (PlantKind::Birch, 0.7, 0.5),
        (PlantKind::Shrub, 1.0, 1.0),
        (PlantKind::Boulder, 0.5, 3.0),
    ] {
        let layer = PlantLayer {
            density,
            size,
            ..layer(kind)
        };
        check(&[layer], land(false, steeper), &[0]);
    }
}

#[test]
fn cover_under_taller_layers_is_that_of_the_plants() {
    for (density, light) in [(0.3, 0.3), (0.6, 0.5), (1.0, 0.3), (1.0, 0.0)] {
        let spruce = PlantLayer {
            density,
            ..layer(PlantKind::Spruce)
        };
        let birch = PlantLayer {
            light,
            ..layer(PlantKind::Birch)
        };
        let shrub = PlantLayer {
            light,
            ..layer(PlantKind::Shrub)
        };
        check(&[birch, shrub, spruce], land(false, steeper), &[2]);
    }
}
