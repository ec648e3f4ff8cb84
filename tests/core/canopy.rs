//! Canopy: the expected share of the ground under crowns is that of the plants that stand there.

use std::convert::Infallible;
use std::sync::Arc;

use landform::heightmap::{Heightmap, Validity};
use landform::job::Job;
use landform::plants::{CanopyMap, FIXED_SIDE, Plant, Site};
use landform::scene::{PlantKind, PlantLayer};

use crate::erosion::on_threads;
use crate::plants::{land, layer, scatter};

/// Side of the tile in metres.
const TILE_M: f64 = 600.0;
/// Squares a side in which shares are compared.
const SQUARES: usize = 10;
/// Places a side of a square that are tried for crowns.
const TRIED: usize = 60;

fn site(map: Heightmap, sea: Option<f32>) -> Site {
    Site::new(Arc::new(map), sea, None, TILE_M / 2.0)
}

fn canopy(layers: &[PlantLayer], site: Site) -> CanopyMap {
    scatter(layers, site)
        .canopy(FIXED_SIDE, &Job::new())
        .unwrap()
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
    let canopy = scatter.canopy(FIXED_SIDE, &Job::new()).unwrap();
    for index in 0..layers.len() {
        let (counted, expected) = (counted(&plants, index), expected(&canopy, index));
        let (real, wanted) = (mean(&counted), mean(&expected));
        // Few plants find room and light under full stands; how few is less exact.
        let few = if index < 2 && layers.len() > 1 {
            0.015
        } else {
            0.004
        };
        assert!(
            (real - wanted).abs() <= 0.1 * real + few,
            "layer {index}: {real} counted, {wanted} expected"
        );
        if varies.contains(&index) {
            let same = correlation(&counted, &expected);
            assert!(same > 0.85, "layer {index}: {same}");
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

#[test]
fn nothing_grows_in_water_on_cliffs_or_beyond_the_data() {
    let slope = |x: f64, _: f64| 2.0 * x - 1.0;
    let spruces = [layer(PlantKind::Spruce)];
    let dry = canopy(&spruces, site(land(false, |_, _| 0.1), None));
    assert!(
        dry.weights
            .texels
            .as_slice()
            .iter()
            .all(|texel| texel[0] > 100)
    );
    let shore = canopy(
        &spruces,
        site(land(false, |x, _| 0.1 * (x - 0.5)), Some(0.0)),
    );
    for (east, grows) in [(0.2, false), (0.49, false), (0.55, true), (0.9, true)] {
        assert_eq!(shore.weights.at(east, 0.5)[0] > 0.0, grows, "{east}");
    }
    let cliff = PlantLayer {
        slope: 10.0,
        ..layer(PlantKind::Spruce)
    };
    let steep = canopy(&[cliff], site(land(false, slope), None));
    assert!(
        steep
            .weights
            .texels
            .as_slice()
            .iter()
            .all(|texel| *texel == [0; 4])
    );
    let valid = Validity::new(65, 65, |_, column| column < 32);
    let holes = land(false, |_, _| 0.0).with_valid(Some(Arc::new(valid)));
    let holes = canopy(&spruces, site(holes, None));
    assert!(holes.weights.at(0.25, 0.5)[0] > 0.3);
    assert_eq!(holes.weights.at(0.75, 0.5)[0], 0.0);
}

#[test]
fn nothing_grows_in_deep_snow() {
    let map = land(false, |_, _| 0.0);
    let depth = |x: f64, _: f64| if x < 0.5 { 0.0 } else { 2.0 / (TILE_M / 2.0) };
    let snowy = site(map, None).with_snow(Some(land(false, depth)));
    let canopy = canopy(&[layer(PlantKind::Spruce)], snowy);
    assert!(canopy.weights.at(0.2, 0.5)[0] > 0.3);
    assert_eq!(canopy.weights.at(0.8, 0.5)[0], 0.0);
}

#[test]
fn a_canopy_after_another_is_that_from_nothing() {
    let deep = |metres: f64| move |x: f64, _: f64| (1.0 - x) * metres / (TILE_M / 2.0);
    let layers = [PlantKind::Spruce, PlantKind::Shrub, PlantKind::Grass].map(layer);
    let before = scatter(&layers, site(land(true, steeper), None));
    let before = before.with_snow(Some(land(true, deep(1.0))));
    let with = |layers: &[PlantLayer]| {
        let layers = layers.iter().cloned().enumerate();
        let no_mask = |_: usize, _: &PlantLayer, _: &Site| Ok::<_, Infallible>(None);
        before.with_layers(layers, no_mask).unwrap()
    };
    let changed = |change: fn(&mut PlantLayer)| {
        let mut layers = layers.clone();
        change(&mut layers[1]);
        with(&layers)
    };
    let job = Job::new();
    let others = [
        with(&layers),
        before.with_snow(Some(land(true, deep(3.0)))),
        before.with_snow(None),
        changed(|shrub| shrub.density = 0.3),
        changed(|shrub| shrub.size = 3.0),
        changed(|shrub| shrub.slope = 10.0),
        changed(|shrub| shrub.snow = 0.1),
        changed(|shrub| shrub.light = 0.9),
        with(&layers[1..]),
        with(&[]),
        // Other ground is not of use.
        scatter(&layers, site(land(true, |_, _| 0.0), None)),
    ];
    for most in [FIXED_SIDE, 33] {
        let canopy = before.canopy(most, &job).unwrap();
        for (index, other) in others.iter().enumerate() {
            let after = other.canopy_after(Some((&before, &canopy)), most, &job);
            let alone = other.canopy(most, &job).unwrap();
            assert_eq!(after.unwrap(), alone, "{index}, {most}");
            assert_eq!(alone == canopy, index == 0, "{index}, {most}");
            // One of another resolution is not of use.
            let coarse = other.canopy_after(Some((&before, &canopy)), 17, &job);
            assert_eq!(coarse.unwrap(), other.canopy(17, &job).unwrap());
        }
    }
}

#[test]
fn rules_that_exclude_everything_leave_no_canopy() {
    let none = PlantLayer {
        slope: 0.0,
        ..layer(PlantKind::Birch)
    };
    let canopy = canopy(&[none], site(land(false, steeper), None));
    assert_eq!(canopy.layers.len(), 1);
    assert!(
        canopy
            .weights
            .texels
            .as_slice()
            .iter()
            .flatten()
            .all(|share| *share == 0)
    );
    let map = land(false, steeper);
    assert!(canopy.raised(&map, &Job::new()).unwrap().heights() == map.heights());
}

#[test]
fn maps_of_one_row_have_a_canopy() {
    let row = Heightmap::new(1, 65, false, vec![0.0; 65]);
    let canopy = canopy(&[layer(PlantKind::Birch)], site(row, None));
    let size = (
        canopy.weights.texels.rows(),
        canopy.weights.texels.columns(),
    );
    assert_eq!(size, (1, 65));
}

#[test]
fn wrapped_canopies_join() {
    let hills = |x: f64, z: f64| {
        let turn = std::f64::consts::TAU;
        0.1 * (turn * x).sin() * (turn * 2.0 * z).cos()
    };
    let canopy = canopy(&[layer(PlantKind::Spruce)], site(land(true, hills), None));
    assert_eq!(canopy.weights.texels.columns(), 64);
    for part in [0.0, 0.3, 0.77] {
        assert_eq!(canopy.weights.at(0.0, part), canopy.weights.at(1.0, part));
        assert_eq!(canopy.weights.at(part, 0.0), canopy.weights.at(part, 1.0));
    }
    let raised = canopy.raised(&land(true, hills), &Job::new()).unwrap();
    let joins = |row: usize| raised.at(row, 0) == raised.at(row, 64);
    assert!(raised.wraps() && (0..65).all(joins));
}

#[test]
fn threads_change_no_share() {
    let layers = [
        layer(PlantKind::Spruce),
        layer(PlantKind::Birch),
        layer(PlantKind::Shrub),
    ];
    let of = |threads: usize| {
        on_threads(threads, || {
            canopy(&layers, site(land(false, steeper), None))
        })
    };
    let one = of(1);
    assert!(one == of(2) && one == of(7));
}

#[test]
fn light_falls_on_the_top_of_the_canopy() {
    let map = land(false, |_, _| 0.1);
    let canopy = canopy(&[layer(PlantKind::Spruce)], site(map.clone(), None));
    let raised = canopy.raised(&map, &Job::new()).unwrap();
    let metres = f64::from(raised.at(30, 30) - map.at(30, 30)) * TILE_M / 2.0;
    assert!((4.0..14.0).contains(&metres), "{metres}");
}
