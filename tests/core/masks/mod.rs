//! Masks: what each weighs, and what all of them promise.

use std::sync::Arc;

use landform::generate::{Generator, Images};
use landform::grid::Grid;
use landform::heightmap::{Heightmap, Worn};
use landform::inputs::Inputs;
use landform::job::Job;
use landform::layer::{Layer, Operation};
use landform::maps::{Kind, Map};
use landform::mask::{By, Combine, Context, Mask, SecondMask};
use landform::modify::{Modifier, ModifierKind};
use landform::pipeline::{self, MOST_BYTES, MaskOf, Pipeline, StageDone, TileBytes};
use landform::scene::{RenderType, Scene};

mod distance;
mod scale;
mod settings;
mod shape;
mod shown;
mod steps;
mod strength;

/// What a mask can go by.
fn kinds() -> impl Iterator<Item = By> {
    By::ALL.iter().copied().filter(|by| *by != By::None)
}

/// The images that masks go by, if nothing else is said: a few pixels of any grey.
fn images() -> Images {
    let mut images = Images::default();
    let grey = vec![0.0, 0.9, 0.3, 1.0, 0.2, 0.6];
    let grid = Arc::new(Grid::from_vec(2, 3, grey).unwrap());
    images.insert("builtin:jacksboro".into(), grid);
    images
}

/// What everything that masks can go by is in.
fn context<'a>(images: &'a Images, job: &'a Job) -> Context<'a> {
    Context {
        water: Some(0.0),
        images,
        ..Context::new(5, job)
    }
}

fn weights(mask: &Mask, map: &Heightmap) -> Heightmap {
    mask.weights(map, &context(&images(), &Job::new())).unwrap()
}

fn apply(modifier: &Modifier, map: &Heightmap) -> Heightmap {
    let mut map = map.clone();
    let (images, job) = (images(), Job::new());
    modifier.apply(&mut map, &context(&images, &job)).unwrap();
    map
}

/// A step that is seen everywhere, under a mask.
fn limited(mask: &Mask) -> Modifier {
    let mut modifier = Modifier::new(ModifierKind::Level);
    modifier.level.shift = 0.25;
    modifier.mask = mask.clone();
    modifier
}

fn bits(map: &Heightmap) -> Vec<u32> {
    map.heights().iter().map(|h| h.to_bits()).collect()
}

/// Heights by row and column.
fn map_of(
    rows: usize,
    columns: usize,
    wraps: bool,
    height: impl Fn(usize, usize) -> f32,
) -> Heightmap {
    let heights = (0..rows * columns).map(|index| height(index / columns, index % columns));
    Heightmap::new(rows, columns, wraps, heights.collect::<Vec<_>>())
}

/// Rough land that looks random but never changes; on a torus opposite edges are equal.
fn land(rows: usize, columns: usize, wraps: bool) -> Heightmap {
    let height = |row: usize, column: usize| {
        let place = if wraps {
            (row % (rows - 1).max(1), column % (columns - 1).max(1))
        } else {
            (row, column)
        };
        let index = (place.0 * columns + place.1) as u64 + 1;
        let hash = landform::rng::mix(index) >> 40;
        // Gentle enough for slopes of every steepness.
        (hash as f32 / (1 << 24) as f32 - 0.4) * 3.0 / rows.max(columns) as f32
    };
    worn(map_of(rows, columns, wraps, height))
}

/// The map as if it had eroded: what is high is worn, and sediment lies in what is low.
fn worn(map: Heightmap) -> Heightmap {
    let of = |sign: f32| {
        let depths = map.heights().iter().map(|h| (sign * h).max(0.0));
        depths.collect::<Vec<f32>>().into()
    };
    let (wear, sediment) = (of(1.0), of(-1.0));
    map.with_worn(Some(Arc::new(Worn { wear, sediment })))
}

fn lands() -> [Heightmap; 5] {
    [
        land(129, 129, true),
        land(97, 61, false),
        land(70, 41, true),
        land(1, 300, false),
        land(90, 1, false),
    ]
}

/// Gives the range of a mask, whatever it goes by.
fn set_range(mask: &mut Mask, low: &str, high: &str, soft: &str) {
    let mut scene = Scene {
        modifiers: vec![limited(mask)],
        ..Scene::default()
    };
    let table = mask.by.name().replace('-', "_");
    // The upper end goes up first and comes down last, so that it is never below the lower one.
    for (key, value) in [("low", low), ("high", high), ("soft", soft)] {
        let key = format!("modifiers.0.mask.{table}.{key}");
        scene = scene.with(&key, value).unwrap();
    }
    *mask = scene.modifiers.remove(0).mask;
}

#[test]
fn water_masks_match_the_corresponding_maps() {
    let mut scene = Scene::default();
    scene.water.enabled = true;
    for (by, name) in [
        (By::Flow, "flow"),
        (By::Wetness, "wetness"),
        (By::Wear, "wear"),
        (By::Sediment, "deposit"),
    ] {
        let map = land(129, 129, true);
        let Kind::Whole(make) = Map::named(name).unwrap().kind else {
            panic!("{name} is made from the whole map");
        };
        let numbers = make(&map, &scene, &Job::new()).unwrap();
        let mut sorted = numbers.heights().to_vec();
        sorted.sort_by(f32::total_cmp);
        // Between two numbers, so that rounding decides nothing.
        let high = sorted[sorted.len() * 3 / 4];
        let next = sorted.iter().rev().find(|number| **number < high).unwrap();
        let middle = (high + next) * 0.5;
        let mut mask = Mask::new(by);
        set_range(
            &mut mask,
            &middle.to_string(),
            if by == By::Flow { "1e15" } else { "100" },
            "0",
        );
        let weights = weights(&mask, &map);
        for (weight, number) in weights.heights().iter().zip(numbers.heights()) {
            assert_eq!(
                *weight,
                f32::from(*number > middle),
                "{by}: {number} {middle}"
            );
        }
    }
}

#[test]
fn weights_are_shares_and_inverted_ones_complements() {
    for map in lands() {
        for by in kinds() {
            let mask = Mask::new(by);
            let inverted = Mask {
                invert: true,
                ..mask.clone()
            };
            let (weights, others) = (weights(&mask, &map), weights(&inverted, &map));
            for (weight, other) in weights.heights().iter().zip(others.heights()) {
                assert!((0.0..=1.0).contains(weight), "{by}: {weight}");
                assert_eq!(weight + other, 1.0, "{by}");
            }
            let (low, high) = weights.range();
            // The land is neither high nor wide, and has no rivers.
            let tells = ![By::Height, By::WaterDistance, By::Flow].contains(&by);
            if map.rows() == map.columns() && tells {
                assert!(low < 0.1 && high > 0.9, "{by}: {low} to {high}");
            }
        }
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let on = |threads, work: &(dyn Fn() -> Heightmap + Sync)| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(work)
    };
    for map in lands() {
        for by in kinds() {
            let modifier = limited(&Mask::new(by));
            let one = on(1, &|| apply(&modifier, &map));
            for threads in [2, 3, 7] {
                let more = on(threads, &|| apply(&modifier, &map));
                assert_eq!(bits(&more), bits(&one), "{by} on {threads} threads");
            }
        }
    }
}

#[test]
fn a_map_that_wraps_still_does() {
    let map = land(70, 41, true);
    for by in kinds() {
        for kind in [
            ModifierKind::Level,
            ModifierKind::Blur,
            ModifierKind::PerlinBlend,
        ] {
            let mut modifier = Modifier::new(kind);
            modifier.mask = Mask::new(by);
            let after = apply(&modifier, &map);
            assert!(after.wraps(), "{by}");
            for row in 0..70 {
                let ends = [after.at(row, 0), after.at(row, 40)];
                assert_eq!(ends[0].to_bits(), ends[1].to_bits(), "{by}, row {row}");
            }
            for column in 0..41 {
                let ends = [after.at(0, column), after.at(69, column)];
                assert_eq!(
                    ends[0].to_bits(),
                    ends[1].to_bits(),
                    "{by}, column {column}"
                );
            }
        }
    }
}

#[test]
fn map_is_stitched_only_where_masks_allow() {
    let map = land(65, 65, false);
    let mut stitch = Modifier::new(ModifierKind::Stitch);
    assert!(apply(&stitch, &map).wraps());
    stitch.mask = Mask::new(By::Height);
    assert!(!apply(&stitch, &map).wraps());
    stitch.mask.height.low = -1000.0;
    assert!(apply(&stitch, &map).wraps());
}

/// The widest range of a mask, and one that nothing is in.
fn everything_and_nothing(by: By) -> [Mask; 2] {
    let mut all = Mask::new(by);
    match by {
        By::Height | By::Curvature => set_range(&mut all, "-1000", "1000", "0"),
        By::Slope => set_range(&mut all, "0", "90", "0"),
        By::Direction => set_range(&mut all, "0", "360", "0"),
        By::Noise | By::Image => set_range(&mut all, "0", "1", "0"),
        By::Wetness => set_range(&mut all, "-100", "100", "0"),
        By::Wear | By::Sediment => set_range(&mut all, "0", "1e9", "0"),
        By::Flow => set_range(&mut all, "0", "1e15", "0"),
        By::WaterDistance => {
            all.water_distance.low = 0.0;
            all.water_distance.high = 1.0e9;
        }
        By::None => unreachable!("no mask"),
    }
    let mut nothing = all.clone();
    nothing.invert = true;
    [all, nothing]
}

#[test]
fn full_mask_gives_step_empty_mask_gives_map() {
    // Minus zero and the smallest numbers show whether bits are kept.
    let odd = map_of(65, 65, false, |row, column| {
        match (row * 65 + column) % 97 {
            0 => -0.0,
            1 => 1.0e-40,
            2 => 1.0e11,
            _ => land(65, 65, false).at(row, column),
        }
    });
    for by in kinds() {
        let [all, nothing] = everything_and_nothing(by);
        let map = match by {
            // Level ground has no direction, and far from steep ground there are no odd numbers.
            By::Direction | By::Curvature => land(65, 65, false),
            _ => {
                let heights: Vec<f32> = odd.heights().iter().map(|h| h.min(1.0)).collect();
                Heightmap::new(65, 65, false, heights)
            }
        };
        for kind in ModifierKind::ALL {
            let alone = Modifier::new(*kind);
            let under = |mask: &Mask| Modifier {
                mask: mask.clone(),
                ..alone.clone()
            };
            let whole = apply(&under(&all), &map);
            assert_eq!(bits(&whole), bits(&apply(&alone, &map)), "{kind}, all {by}");
            let none = apply(&under(&nothing), &map);
            assert_eq!(bits(&none), bits(&map), "{kind}, nothing {by}");
        }
    }
}

#[test]
fn heights_fade_smoothly_beyond_the_range() {
    let map = Heightmap::new(1, 7, false, vec![-0.2, 0.0, 0.05, 0.1, 0.3, 0.35, 0.5]);
    let mut mask = Mask::new(By::Height);
    set_range(&mut mask, "0.1", "0.3", "0.1");
    let found = weights(&mask, &map);
    for (found, known) in found
        .heights()
        .iter()
        .zip([0.0, 0.0, 0.5, 1.0, 1.0, 0.5, 0.0])
    {
        assert!((found - known).abs() < 1.0e-6, "{:?}", found);
    }
    mask.height.soft = 0.0;
    let hard = weights(&mask, &map);
    assert_eq!(hard.heights(), [0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0]);
}

/// A plane that rises eastwards and southwards by these degrees' tangents.
fn plane(east: f64, south: f64) -> Heightmap {
    let height = |row: usize, column: usize| {
        let (x, z) = (column as f64 / 32.0, row as f64 / 32.0);
        (x * east + z * south) as f32
    };
    map_of(65, 65, false, height)
}

#[test]
fn the_slope_of_a_plane_is_known() {
    for degrees in [10.0f64, 30.0, 55.0] {
        let rise = degrees.to_radians().tan();
        for map in [
            plane(rise, 0.0),
            plane(0.0, -rise),
            plane(0.6 * rise, 0.8 * rise),
        ] {
            let weight = |low: f64, high: f64| {
                let mut mask = Mask::new(By::Slope);
                set_range(&mut mask, &low.to_string(), &high.to_string(), "0");
                weights(&mask, &map).range()
            };
            assert_eq!(
                weight(degrees - 0.01, degrees + 0.01),
                (1.0, 1.0),
                "{degrees}"
            );
            assert_eq!(weight(0.0, degrees - 0.01), (0.0, 0.0), "{degrees}");
            assert_eq!(weight(degrees + 0.01, 90.0), (0.0, 0.0), "{degrees}");
        }
    }
    let mut mask = Mask::new(By::Slope);
    set_range(&mut mask, "40", "90", "20");
    let half = weights(&mask, &plane(30.0f64.to_radians().tan(), 0.0));
    assert!(
        (half.at(20, 20) - 0.5).abs() < 1.0e-4,
        "{}",
        half.at(20, 20)
    );
}

#[test]
fn the_direction_of_a_tilted_plane_is_known() {
    // By the way it falls: a plane that rises to the south falls to the north.
    for (map, degrees) in [
        (plane(0.0, 0.3), 0.0f32),
        (plane(-0.3, 0.3), 45.0),
        (plane(-0.3, 0.0), 90.0),
        (plane(0.0, -0.3), 180.0),
        (plane(0.3, 0.0), 270.0),
        (plane(0.3, 0.3), 315.0),
    ] {
        let weight = |low: f32, high: f32, soft: f32| {
            let mut mask = Mask::new(By::Direction);
            let turned = |d: f32| d.rem_euclid(360.0).to_string();
            set_range(&mut mask, &turned(low), &turned(high), &soft.to_string());
            weights(&mask, &map).at(30, 30)
        };
        assert_eq!(
            weight(degrees - 10.0, degrees + 10.0, 0.0),
            1.0,
            "{degrees}"
        );
        assert_eq!(
            weight(degrees + 10.0, degrees - 10.0, 0.0),
            0.0,
            "{degrees}"
        );
        for (low, high) in [(10.0, 90.0), (-90.0, -10.0)] {
            let half = weight(degrees + low, degrees + high, 20.0);
            assert!((half - 0.5).abs() < 1.0e-3, "{half} at {degrees}");
        }
        assert_eq!(
            weight(degrees + 30.0, degrees + 90.0, 20.0),
            0.0,
            "{degrees}"
        );
    }
    // Level ground falls nowhere.
    let level = plane(0.0, 0.0);
    let mut mask = Mask::new(By::Direction);
    assert_eq!(weights(&mask, &level).range(), (0.0, 0.0));
    mask.invert = true;
    assert_eq!(weights(&mask, &level).range(), (1.0, 1.0));
}

#[test]
fn a_bowl_is_bent_as_its_radius_says() {
    // A parabola of height x²/2r has the radius r at its lowest point; half a tile is 1000 m.
    let map = map_of(65, 65, false, |row, column| {
        let (x, z) = (column as f32 / 32.0 - 1.0, row as f32 / 32.0 - 1.0);
        (x * x + z * z) / 2.0
    });
    let mut mask = Mask::new(By::Curvature);
    set_range(&mut mask, "-0.00101", "-0.00099", "0");
    assert_eq!(weights(&mask, &map).at(32, 32), 1.0);
    assert_eq!(weights(&mask, &map).at(5, 32), 0.0);
}

#[test]
fn an_image_lies_corner_on_corner() {
    let mut mask = Mask::new(By::Image);
    set_range(&mut mask, "1", "1", "1");
    let found = weights(&mask, &land(5, 9, false));
    let smooth = |t: f32| t * t * (3.0 - 2.0 * t);
    for (place, grey) in [
        ((0, 0), 0.0f32),
        ((0, 4), 0.9),
        ((0, 8), 0.3),
        ((4, 0), 1.0),
        ((4, 4), 0.2),
        ((4, 8), 0.6),
        ((0, 2), 0.45),
        ((2, 0), 0.5),
        ((2, 2), 0.525),
    ] {
        let weight = found.at(place.0, place.1);
        assert!(
            (weight - smooth(grey)).abs() < 1.0e-6,
            "{place:?}: {weight}"
        );
    }
}

#[test]
fn noise_has_numbers_of_its_own() {
    let map = land(65, 65, true);
    let first = weights(&Mask::new(By::Noise), &map);
    let other = |change: &dyn Fn(&mut Mask)| {
        let mut mask = Mask::new(By::Noise);
        change(&mut mask);
        weights(&mask, &map)
    };
    assert_eq!(other(&|_| {}), first);
    assert_ne!(other(&|mask| mask.noise.variation = 1), first);
    assert_ne!(other(&|mask| mask.noise.cells = 5), first);
    let (images, job) = (images(), Job::new());
    let seeded = Context {
        seed: 6,
        ..context(&images, &job)
    };
    assert_ne!(Mask::new(By::Noise).weights(&map, &seeded).unwrap(), first);
}

#[test]
fn a_step_is_a_mixture_by_its_weights() {
    let map = land(97, 61, false);
    for by in kinds() {
        let mask = Mask::new(by);
        let (weights, after) = (weights(&mask, &map), apply(&limited(&mask), &map));
        for (index, before) in map.heights().iter().enumerate() {
            let wanted = before + weights.heights()[index] * 0.25;
            assert!((after.heights()[index] - wanted).abs() < 1.0e-6, "{by}");
        }
    }
}

fn small_scene() -> Scene {
    let mut scene = Scene::default();
    scene.surface.iterations = 5;
    scene.view.render_type = RenderType::Landscape;
    scene.water.enabled = true;
    scene
}

fn inputs() -> Inputs {
    let mut inputs = Inputs::default();
    inputs.images = images();
    inputs
}
