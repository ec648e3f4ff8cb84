//! What the ground sees of sun and sky, against slow rays and against geometry.

use std::sync::Arc;

use landform::generate::{Images, Surface};
use landform::heightmap::Heightmap;
use landform::inputs::Inputs;
use landform::job::{Cancelled, Job};
use landform::light::{
    CastShadow, MOST_SKY, MOST_SUN, SUN_RADIUS, Sun, Visibility, sky_visibility, sun_visibility,
};
use landform::pipeline::{Pipeline, StageDone};
use landform::scene::{Light, Scene};

fn fractal(iterations: u32, seed: u64) -> Heightmap {
    let surface = Surface {
        iterations,
        seed,
        height_scale: 0.6,
        ..Surface::default()
    };
    let made = surface.generate(&Images::default(), &Job::new(), None);
    made.unwrap()
}

/// Smooth hills that wrap, of waves from a third of the tile down to an eighth.
fn hills(cells: usize) -> Heightmap {
    let turn = std::f32::consts::TAU / cells as f32;
    let waves = [
        (3, 1, 0.11),
        (-2, 3, 0.09),
        (1, 5, 0.05),
        (7, -2, 0.03),
        (5, 8, 0.02),
    ];
    let heights = (0..(cells + 1) * (cells + 1)).map(|at| {
        let (row, column) = (at / (cells + 1) % cells, at % (cells + 1) % cells);
        let wave = |(down, across, height): (i32, i32, f32)| {
            let phase = down as f32 * row as f32 + across as f32 * column as f32;
            height * (phase * turn + across as f32).sin()
        };
        waves.map(wave).iter().sum()
    });
    Heightmap::new(cells + 1, cells + 1, true, heights.collect::<Vec<f32>>())
}

/// The same heights, ending at their border.
fn free(map: &Heightmap) -> Heightmap {
    Heightmap::new(map.rows(), map.columns(), false, map.heights().to_vec())
}

/// What the map sees of a sun whose direction is in degrees from east towards south.
fn sun(map: &Heightmap, azimuth: f32, elevation: f32) -> Visibility {
    let bearing = (azimuth + 90.0) % 360.0;
    let sun = Sun { bearing, elevation };
    sun_visibility(map, sun, MOST_SUN, &Job::new()).unwrap()
}

fn sky(map: &Heightmap) -> Visibility {
    sky_visibility(map, MOST_SKY, &Job::new()).unwrap()
}

fn part(seen: &Visibility, row: usize, column: usize) -> f32 {
    f32::from(seen.values.at(row, column)) / 255.0
}

/// The bilinear height at a place in samples; `None` beyond the border of a map that has one.
fn height(map: &Heightmap, row: f32, column: f32) -> Option<f32> {
    let (cells_down, cells_across) = ((map.rows() - 1) as f32, (map.columns() - 1) as f32);
    let (row, column) = match map.wraps() {
        true => (row.rem_euclid(cells_down), column.rem_euclid(cells_across)),
        false => (row, column),
    };
    if row < 0.0 || column < 0.0 || row > cells_down || column > cells_across {
        return None;
    }
    let (i, j) = (row as usize, column as usize);
    let (i, j) = (i.min(map.rows() - 2), j.min(map.columns() - 2));
    let (v, u) = (row - i as f32, column - j as f32);
    let north = map.at(i, j) * (1.0 - u) + map.at(i, j + 1) * u;
    let south = map.at(i + 1, j) * (1.0 - u) + map.at(i + 1, j + 1) * u;
    Some(north * (1.0 - v) + south * v)
}

/// The slope of the horizon from a sample, by walking along a ray in quarters of a sample, far
/// away in longer steps.
fn horizon(map: &Heightmap, from: (usize, usize), azimuth: f32, lowest: f32) -> f32 {
    let (low, high) = map.range();
    let own = map.at(from.0, from.1);
    let (east, south) = (azimuth.to_radians().cos(), azimuth.to_radians().sin());
    let farthest = (high - low) / lowest / map.spacing();
    let mut steepest = 0.0f32;
    let mut distance = 1.0f32;
    while distance < farthest {
        let row = from.0 as f32 + south * distance;
        let column = from.1 as f32 + east * distance;
        let Some(height) = height(map, row, column) else {
            break;
        };
        steepest = steepest.max((height - own) / (distance * map.spacing()));
        distance += (distance / 64.0).max(0.25);
    }
    steepest
}

/// Differences of two parts at all samples, in order.
fn all_differences(seen: &Visibility, exact: impl Fn(usize, usize) -> f32) -> Vec<f32> {
    let columns = seen.values.columns();
    let at = (0..seen.values.as_slice().len()).map(|at| (at / columns, at % columns));
    let mut all: Vec<_> = at
        .map(|(row, column)| (part(seen, row, column) - exact(row, column)).abs())
        .collect();
    all.sort_by(f32::total_cmp);
    all
}

/// The mean and the largest of some differences.
fn differences(seen: &Visibility, exact: impl Fn(usize, usize) -> f32) -> (f32, f32) {
    let all = all_differences(seen, exact);
    let mean = all.iter().sum::<f32>() / all.len() as f32;
    (mean, all[all.len() - 1])
}

/// The height below which a place outside some tiles is in shadow, by walking along a ray.
fn shaded_below(map: &Heightmap, tiles: u32, place: [f32; 2], azimuth: f32, slope: f32) -> f32 {
    let (east, south) = (azimuth.to_radians().cos(), azimuth.to_radians().sin());
    let cells = (map.rows() - 1) as f32;
    let steps = (1..20_000).map(|step| step as f32 * 0.25);
    let heights = steps.filter_map(|distance| {
        let sample = |place: f32| place / map.spacing() + cells * 0.5 * tiles as f32;
        let row = sample(place[1]) + south * distance;
        let column = sample(place[0]) + east * distance;
        let block = 0.0..=cells * tiles as f32;
        let is_land = block.contains(&row) && block.contains(&column);
        let land = height(map, row % cells, column % cells).filter(|_| is_land);
        land.map(|height| height - distance * map.spacing() * slope)
    });
    heights.fold(f32::NEG_INFINITY, f32::max)
}

#[test]
fn shadows_beyond_the_tiles_are_those_of_rays() {
    let map = hills(72);
    for (tiles, azimuth, elevation) in [(1, 0.0, 12.0), (1, 60.0, 20.0), (3, 200.0, 6.0)] {
        let sun = Sun {
            bearing: (azimuth + 90.0_f32) % 360.0,
            elevation,
        };
        let slope = elevation.to_radians().tan();
        let shadow = CastShadow::of_tile(&map, sun, MOST_SUN).of_tiles(tiles, [2.0, 2.0]);
        let (east, south) = (azimuth.to_radians().cos(), azimuth.to_radians().sin());
        let mut errors = Vec::new();
        for along in [-5.5f32, -7.0] {
            for at in -40..=40 {
                let aside = at as f32 * 0.02 * tiles as f32;
                let place = [along * east - aside * south, along * south + aside * east];
                let line = ((aside - shadow.first) / shadow.step).max(0.0);
                let before = (line as usize).min(shadow.tops.len() - 2);
                let tops = [shadow.tops[before], shadow.tops[before + 1]];
                let top = tops[0] + (line - before as f32) * (tops[1] - tops[0]);
                let found = top + along * slope;
                let exact = shaded_below(&map, tiles, place, azimuth, slope);
                assert!(
                    exact.is_finite() && found.is_finite(),
                    "{tiles} {azimuth} {at}"
                );
                errors.push((found - exact).abs());
            }
        }
        errors.sort_by(f32::total_cmp);
        let mean = errors.iter().sum::<f32>() / errors.len() as f32;
        let range = map.range();
        let high = range.1 - range.0;
        assert!(mean < 0.02 * high, "{tiles} {azimuth}: {mean} of {high}");
        assert!(
            errors[errors.len() - 1] < 0.1 * high,
            "{tiles} {azimuth}: {errors:?}"
        );
    }
}

#[test]
fn shadows_are_those_of_rays() {
    // A fractal's samples are as rough as they can be: there the softened edge behind each
    // caster counts.
    for (map, most) in [(hills(72), (0.008, 0.3)), (fractal(6, 7), (0.02, 0.45))] {
        for map in [free(&map), map] {
            for (azimuth, elevation) in [(0.0, 12.0), (45.0, 20.0), (200.0, 15.0), (287.0, 8.0)] {
                let slope = |elevation: f32| elevation.to_radians().tan();
                let low = slope(elevation - SUN_RADIUS);
                let high = slope(elevation + SUN_RADIUS);
                let seen = sun(&map, azimuth, elevation);
                let towards = Light {
                    bearing: (azimuth + 90.0) % 360.0,
                    elevation,
                    ..Light::default()
                }
                .direction();
                let all = all_differences(&seen, |row, column| {
                    let horizon = horizon(&map, (row, column), azimuth, low);
                    let exact = ((high - horizon) / (high - low)).clamp(0.0, 1.0);
                    let exact = exact * exact * (3.0 - 2.0 * exact);
                    // What is turned away from the sun is dark whatever it sees.
                    let facing = map.normal(row, column).dot(towards).max(0.0);
                    let seen = part(&seen, row, column);
                    seen + (exact - seen) * facing
                });
                let mean = all.iter().sum::<f32>() / all.len() as f32;
                let nearly_worst = all[all.len() * 99 / 100];
                let good = mean < most.0 && nearly_worst < most.1;
                assert!(good, "{azimuth}° {elevation}°: {mean} {nearly_worst}");
            }
        }
    }
}

#[test]
fn occlusion_is_that_of_rays() {
    for (map, most) in [(hills(36), (0.012, 0.1)), (fractal(5, 3), (0.02, 0.2))] {
        for map in [free(&map), map] {
            let (mean, worst) = differences(&sky(&map), |row, column| {
                let azimuths = (0..32).map(|i| (i as f32 + 0.5) * 11.25);
                let seen = azimuths.map(|azimuth| {
                    let slope = horizon(&map, (row, column), azimuth, 0.05);
                    1.0 / (1.0 + slope * slope)
                });
                seen.sum::<f32>() / 32.0
            });
            assert!(mean < most.0 && worst < most.1, "{mean} {worst}");
        }
    }
}

#[test]
fn flat_map_sees_all_sun_and_sky() {
    for wraps in [false, true] {
        let map = Heightmap::new(40, 23, wraps, vec![0.3; 40 * 23]);
        for azimuth in [0.0, 37.0, 90.0, 225.0] {
            for elevation in [1.0, 20.0, 90.0] {
                let seen = sun(&map, azimuth, elevation);
                assert!(seen.values.as_slice().iter().all(|seen| *seen == 255));
            }
        }
        assert!(sky(&map).values.as_slice().iter().all(|seen| *seen == 255));
    }
}

#[test]
fn the_smallest_maps_have_light() {
    for (rows, columns) in [(1, 1), (1, 9), (2, 2), (2, 9), (9, 2), (3, 3)] {
        for wraps in [false, true] {
            let heights = (0..rows * columns).map(|i| ((i * 7) % 5) as f32 * 0.1);
            let map = Heightmap::new(rows, columns, wraps, heights.collect::<Vec<_>>());
            for azimuth in [0.0, 100.0, 225.0] {
                assert!(!sun(&map, azimuth, 10.0).values.as_slice().is_empty());
            }
            assert!(!sky(&map).values.as_slice().is_empty());
        }
    }
}

#[test]
fn wall_shadow_is_height_over_the_tangent() {
    let side = 129;
    let height = 0.2;
    for elevation in [10.0f32, 20.0, 40.0] {
        let length = height / elevation.to_radians().tan() / (2.0 / (side - 1) as f32);
        // The wall is the first row or column; the sun is behind it.
        for (azimuth, column) in [(180.0, true), (270.0, false)] {
            let heights = (0..side * side).map(|at| {
                let first = if column { at % side } else { at / side };
                if first == 0 { height } else { 0.0 }
            });
            let map = Heightmap::new(side, side, false, heights.collect::<Vec<_>>());
            let seen = sun(&map, azimuth, elevation);
            let lit: f32 = (1..side)
                .map(|at| {
                    if column {
                        (side / 2, at)
                    } else {
                        (at, side / 2)
                    }
                })
                .map(|(row, column)| 1.0 - part(&seen, row, column))
                .sum();
            let off = lit - length;
            // The edge is soft over what the sun's disc makes of it, even in the middle.
            assert!(
                off.abs() < 1.5 + 0.02 * length,
                "{elevation}°: {lit} for {length}"
            );
        }
    }
}

/// The map turned by a quarter, so that east becomes south.
fn turned(map: &Heightmap) -> Heightmap {
    let side = map.rows();
    let heights = (0..side * side).map(|at| map.at(side - 1 - at % side, at / side));
    Heightmap::new(side, side, map.wraps(), heights.collect::<Vec<_>>())
}

#[test]
fn map_turned_with_its_sun_sees_the_same() {
    let map = free(&fractal(6, 11));
    let quarter = turned(&map);
    let side = map.rows();
    for azimuth in [20.0, 45.0, 110.0, 250.0] {
        let before = sun(&map, azimuth, 17.0);
        let after = sun(&quarter, azimuth + 90.0, 17.0);
        let (mean, worst) =
            differences(&after, |row, column| part(&before, side - 1 - column, row));
        assert!(mean < 1e-3 && worst < 0.02, "{azimuth}°: {mean} {worst}");
    }
    let (before, after) = (sky(&map), sky(&quarter));
    let (_, worst) = differences(&after, |row, column| part(&before, side - 1 - column, row));
    assert!(worst <= 1.0 / 255.0, "{worst}");
}

/// A map that wraps, moved on by some rows and columns.
fn moved(map: &Heightmap, by: (usize, usize)) -> Heightmap {
    let cells = map.rows() - 1;
    let side = cells + 1;
    let heights = (0..side * side).map(|at| {
        let (row, column) = (at / side, at % side);
        map.at((row + by.0) % cells, (column + by.1) % cells)
    });
    Heightmap::new(side, side, true, heights.collect::<Vec<_>>())
}

#[test]
fn light_goes_round_a_map_that_wraps() {
    let map = hills(64);
    let cells = map.rows() - 1;
    for by in [(0, 13), (29, 0), (50, 41)] {
        let shifted = moved(&map, by);
        let at = |row, column| ((row + by.0) % cells, (column + by.1) % cells);
        let shift = |seen: &Visibility, row, column| {
            let (row, column) = at(row, column);
            part(seen, row, column)
        };
        for (azimuth, elevation) in [(10.0, 3.0), (75.0, 12.0), (225.0, 6.0)] {
            let before = sun(&map, azimuth, elevation);
            let after = sun(&shifted, azimuth, elevation);
            let (mean, worst) = differences(&after, |row, column| shift(&before, row, column));
            assert!(mean < 0.01, "{by:?} {azimuth}°: {mean} {worst}");
        }
        let before = sky(&map);
        let (mean, worst) = differences(&sky(&shifted), |row, column| shift(&before, row, column));
        assert!(mean < 0.002 && worst < 0.02, "{by:?}: {mean} {worst}");
    }
}

#[test]
fn a_low_sun_shines_over_many_tiles() {
    // One post in a wide plain: at 2° its shadow is four tiles long, and all of them are this.
    let side = 65;
    let mut heights = vec![0.0; side * side];
    for row in [0, side - 1] {
        for column in [0, side - 1] {
            heights[row * side + column] = 0.25;
        }
    }
    let map = Heightmap::new(side, side, true, heights);
    let seen = sun(&map, 0.0, 2.0);
    // East of the post lies the post of the next tile: all of the row is dark.
    assert!((1..side - 1).all(|column| part(&seen, 0, column) < 0.05));
    assert!((0..side - 1).all(|column| part(&seen, 30, column) > 0.95));
}

#[test]
fn a_sun_that_has_set_lights_nothing() {
    let map = fractal(5, 2);
    for elevation in [-1.0, -20.0, -90.0] {
        let seen = sun(&map, 60.0, elevation);
        assert!(seen.values.as_slice().iter().all(|seen| *seen == 0));
    }
}

#[test]
fn a_higher_sun_is_seen_from_more_places() {
    let map = fractal(6, 9);
    let mut before = sun(&map, 130.0, -2.0);
    for elevation in 0..45 {
        let seen = sun(&map, 130.0, elevation as f32 * 2.0);
        let pairs = before.values.as_slice().iter().zip(seen.values.as_slice());
        let darker = pairs.filter(|(before, now)| **now < before.saturating_sub(1));
        assert_eq!(darker.count(), 0, "at {}°", elevation * 2);
        before = seen;
    }
}

#[test]
fn threads_change_no_byte() {
    let map = fractal(8, 1);
    let made = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap()
            .install(|| (sun(&map, 33.0, 9.0), sun(&map, 300.0, 9.0), sky(&map)))
    };
    let alone = made(1);
    assert_eq!(alone, made(2));
    assert_eq!(alone, made(5));
}

#[test]
fn a_large_map_is_thinned() {
    let map = fractal(7, 4);
    let most = 65;
    let light = Sun {
        bearing: 160.0,
        elevation: 15.0,
    };
    let job = Job::new();
    let every_second = |at: usize| map.at(at / most * 2, at % most * 2);
    let heights: Vec<_> = (0..most * most).map(every_second).collect();
    for wraps in [true, false] {
        let large = Heightmap::new(129, 129, wraps, map.heights().to_vec());
        let small = Heightmap::new(most, most, wraps, heights.clone());
        let seen = sun_visibility(&large, light, most, &job).unwrap();
        assert_eq!(seen, sun(&small, 70.0, 15.0));
        assert_eq!(sky_visibility(&large, most, &job).unwrap(), sky(&small));
        assert_eq!(seen.span, [64.0, 64.0]);
    }
}

#[test]
fn cancelled_light_says_so() {
    let map = fractal(6, 4);
    let job = Job::new();
    job.cancel();
    let light = Sun {
        bearing: 90.0,
        elevation: 15.0,
    };
    assert_eq!(sun_visibility(&map, light, MOST_SUN, &job), Err(Cancelled));
    assert_eq!(sky_visibility(&map, MOST_SKY, &job), Err(Cancelled));
}

#[test]
fn a_changed_sun_recomputes_shadows_alone() {
    let mut scene = Scene::default()
        .with("view.render_type", "triangles")
        .and_then(|scene| scene.with("light.shadows", "true"))
        .and_then(|scene| scene.with("light.occlusion", "true"))
        .unwrap();
    let mut pipeline = Pipeline::default();
    let mut run = |scene: &Scene| {
        let mut done = Vec::new();
        let (inputs, job) = (Inputs::default(), Job::new());
        let observe = &mut |stage| done.push(stage);
        let made = pipeline.run_observed(scene, &inputs, &job, observe);
        (made.unwrap(), done)
    };
    let (first, done) = run(&scene);
    assert_eq!(done, [StageDone::Surface, StageDone::Sky, StageDone::Sun]);
    let (second, done) = run(&scene);
    assert_eq!(done, []);
    assert!(Arc::ptr_eq(&first.sun.unwrap(), &second.sun.unwrap()));
    scene.light.bearing += 20.0;
    let (third, done) = run(&scene);
    assert_eq!(done, [StageDone::Sun]);
    assert!(Arc::ptr_eq(&second.sky.unwrap(), &third.sky.unwrap()));
    scene.light.shadows = false;
    assert!(run(&scene).0.sun.is_none());
    scene.surface.hurst = 0.6;
    assert_eq!(run(&scene).1, [StageDone::Surface, StageDone::Sky]);
}
