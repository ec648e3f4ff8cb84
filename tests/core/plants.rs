//! Plants grow by rules, are the same in any part of the map and on any number of threads, and keep their distance.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use landform::heightmap::{Heightmap, Validity};
use landform::import;
use landform::inputs::Inputs;
use landform::job::Job;
use landform::mask::{By, Mask};
use landform::pipeline;
use landform::plants::{Pattern, Plant, Rect, Scatter, Site};
use landform::scene::{Ecosystem, MOST_PLANT_LAYERS, PlantKind, PlantLayer, Scene};

/// Side of the tile of most tests, in metres.
const TILE_M: f64 = 300.0;

/// A map of 65² samples with heights in half tiles of a place, 0…1 east and south.
pub fn land(wraps: bool, height: impl Fn(f64, f64) -> f64) -> Heightmap {
    let places = (0..65 * 65).map(|index| [index % 65, index / 65]);
    let cells = if wraps { 64 } else { 65 };
    let heights = places.map(|place| {
        let [x, z] = place.map(|at| (at % cells) as f64 / 64.0);
        height(x, z) as f32
    });
    Heightmap::new(65, 65, wraps, heights.collect::<Vec<_>>())
}

fn level(wraps: bool) -> Site {
    site(land(wraps, |_, _| 0.0), None)
}

fn site(map: Heightmap, sea: Option<f32>) -> Site {
    Site::new(Arc::new(map), sea, None, TILE_M / 2.0)
}

/// A layer of that kind with the usual rules.
pub fn layer(kind: PlantKind) -> PlantLayer {
    PlantLayer {
        kind,
        ..PlantLayer::default()
    }
}

/// The plants of these layers.
pub fn scatter(layers: &[PlantLayer], site: Site) -> Scatter {
    let layers = layers.iter().cloned().enumerate();
    Scatter::new(3, layers.map(|(index, layer)| (index, layer, None)), site)
}

fn all(scatter: &Scatter) -> Vec<Plant> {
    scatter.plants_in(scatter.whole(), &Job::new()).unwrap()
}

/// Spruces, shrubs between them, and grass.
fn three() -> Vec<PlantLayer> {
    let spruce = PlantLayer {
        density: 0.6,
        ..layer(PlantKind::Spruce)
    };
    vec![layer(PlantKind::Grass), spruce, layer(PlantKind::Shrub)]
}

/// Distance in metres of two plants on a tile that wraps or not.
fn distance(one: [f64; 2], other: [f64; 2], wraps: bool) -> f64 {
    let [east, south] = [0, 1].map(|axis| {
        let away = (one[axis] - other[axis]).abs();
        if wraps { away.min(2.0 - away) } else { away }
    });
    east.hypot(south) * TILE_M / 2.0
}

/// Cells of the candidates that stand, decided on the whole tile at once by comparing all pairs. Without a limit of
/// rounds, these are all darts that a thrower by rank keeps.
fn by_brute_force(pattern: &Pattern, wraps: bool, rounds: usize) -> BTreeSet<[u32; 2]> {
    let [columns, rows] = pattern.cells();
    let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| [column, row]));
    let darts: Vec<_> = cells
        .map(|[column, row]| {
            let candidate = pattern.candidate(column, row);
            let place = candidate
                .at
                .map(|at| at as f64 / (1_u64 << 40) as f64 * 2.0);
            (candidate.cell, place, pattern.rank(column, row))
        })
        .collect();
    let is_near = |one: usize, other: usize| {
        one != other && distance(darts[one].1, darts[other].1, wraps) < SPACING
    };
    let near = (0..darts.len()).map(|one| {
        (0..darts.len())
            .filter(|other| is_near(one, *other))
            .collect()
    });
    let near: Vec<Vec<_>> = near.collect();
    let (mut stands, mut open) = (vec![false; darts.len()], vec![true; darts.len()]);
    for _ in 0..rounds {
        let before = open.clone();
        for at in (0..darts.len()).filter(|at| before[*at]) {
            stands[at] = near[at]
                .iter()
                .all(|other| !before[*other] || darts[*other].2 < darts[at].2);
        }
        for at in 0..darts.len() {
            open[at] &= !stands[at] && !near[at].iter().any(|other| stands[*other]);
        }
    }
    let standing = darts.iter().zip(stands).filter(|(_, stands)| *stands);
    standing.map(|(dart, _)| dart.0).collect()
}

/// Least distance in the tests of the pattern, in metres.
const SPACING: f64 = 7.0;

fn pattern(wraps: bool) -> Pattern {
    Pattern::new(11, 2, [TILE_M; 2], SPACING, wraps)
}

#[test]
fn pattern_equals_brute_force() {
    for wraps in [false, true] {
        let pattern = pattern(wraps);
        let standing = pattern.standing([[0; 2], pattern.cells()]);
        let cells: BTreeSet<_> = standing.iter().map(|candidate| candidate.cell).collect();
        assert_eq!(cells.len(), standing.len());
        assert_eq!(cells, by_brute_force(&pattern, wraps, 4), "wraps: {wraps}");
    }
}

#[test]
fn pattern_of_a_rectangle_is_that_of_the_whole() {
    for wraps in [false, true] {
        let pattern = pattern(wraps);
        let whole = pattern.standing([[0; 2], pattern.cells()]);
        for (first, last) in [([0, 0], [1, 1]), ([3, 17], [20, 19]), ([40, 40], [60, 55])] {
            let part = pattern.standing([first, last]);
            let is_in = |cell: &[u32; 2]| {
                (0..2).all(|axis| (first[axis]..last[axis]).contains(&i64::from(cell[axis])))
            };
            let wanted: Vec<_> = whole
                .iter()
                .filter(|candidate| is_in(&candidate.cell))
                .collect();
            assert!(part.iter().eq(wanted), "{first:?} {last:?}");
        }
    }
}

#[test]
fn pattern_beyond_a_wrapped_border_repeats() {
    let pattern = pattern(true);
    let [columns, rows] = pattern.cells();
    let inside = pattern.standing([[0; 2], [9, 9]]);
    let beyond = pattern.standing([[columns, -rows], [columns + 9, 9 - rows]]);
    let cells = |found: &[landform::plants::Candidate]| -> Vec<_> {
        found
            .iter()
            .map(|candidate| (candidate.cell, candidate.hash))
            .collect()
    };
    assert_eq!(cells(&inside), cells(&beyond));
    assert!(inside.iter().zip(&beyond).all(|(inside, beyond)| {
        beyond.at == [inside.at[0] + (1 << 40), inside.at[1] - (1 << 40)]
    }));
}

/// Pairs of points by distance in units of a quarter of the spacing, up to three spacings.
fn pairs(pattern: &Pattern, cells: &BTreeSet<[u32; 2]>) -> Vec<f64> {
    let places: Vec<_> = (cells.iter())
        .map(|[column, row]| {
            let at = pattern.candidate((*column).into(), (*row).into()).at;
            at.map(|at| at as f64 / (1_u64 << 40) as f64 * 2.0)
        })
        .collect();
    let mut bins = [0.0; 12];
    for (index, one) in places.iter().enumerate() {
        for other in &places[..index] {
            let bin = (distance(*one, *other, true) / SPACING * 4.0) as usize;
            bins.get_mut(bin)
                .into_iter()
                .for_each(|count| *count += 1.0);
        }
    }
    let count = places.len() as f64;
    bins.iter().map(|bin| bin / (count * count)).collect()
}

#[test]
fn pair_correlation_is_that_of_dart_throwing() {
    let pattern = Pattern::new(5, 0, [TILE_M; 2], SPACING, true);
    let own = pairs(&pattern, &by_brute_force(&pattern, true, 4));
    let darts = pairs(&pattern, &by_brute_force(&pattern, true, 100));
    for (bin, (own, darts)) in own.iter().zip(&darts).enumerate() {
        assert!(
            (own - darts).abs() <= 0.1 * darts,
            "bin {bin}: {own} {darts}"
        );
    }
}

#[test]
fn plants_of_a_layer_keep_their_spacing() {
    for wraps in [false, true] {
        let mut wide = layer(PlantKind::Birch);
        wide.spacing = 2.5;
        let plants = all(&scatter(&[wide.clone()], level(wraps)));
        assert!(plants.len() > 200, "{}", plants.len());
        for (index, one) in plants.iter().enumerate() {
            for other in &plants[..index] {
                let away = distance(one.place, other.place, wraps);
                assert!(away >= wide.spacing_m() - 1e-6, "{away}");
            }
        }
    }
}

#[test]
fn regions_have_the_plants_of_the_whole() {
    for wraps in [false, true] {
        let hills = |x: f64, z: f64| {
            let turn = std::f64::consts::TAU;
            0.1 * (turn * x).sin() * (turn * 2.0 * z).cos()
        };
        let scatter = scatter(&three(), site(land(wraps, hills), Some(-0.05)));
        let whole = all(&scatter);
        for (first, last) in [
            ([0.0, 0.0], [0.1, 0.1]),
            ([0.5, 1.25], [0.53, 1.4]),
            ([1.9, 0.3], [2.0, 0.4]),
            ([0.2, 1.0], [1.9, 2.0]),
        ] {
            let part = scatter
                .plants_in(Rect { first, last }, &Job::new())
                .unwrap();
            let is_in = |plant: &&Plant| {
                (0..2).all(|axis| (first[axis]..last[axis]).contains(&plant.place[axis]))
            };
            let wanted: Vec<_> = whole.iter().filter(is_in).copied().collect();
            assert!(!wanted.is_empty());
            assert_eq!(part, wanted, "{first:?} {last:?}");
        }
    }
}

#[test]
fn plants_are_the_same_on_any_number_of_threads() {
    let scatter = scatter(&three(), level(true));
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build()
            .unwrap()
            .install(|| (all(&scatter), scatter.count(&Job::new()).unwrap()))
    };
    let one = on(1);
    assert_eq!(on(2), one);
    assert_eq!(on(7), one);
}

#[test]
fn count_is_that_of_the_plants() {
    let scatter = scatter(&three(), level(true));
    let plants = all(&scatter);
    let count = scatter.count(&Job::new()).unwrap();
    for layer in &count.layers {
        let same = plants.iter().filter(|plant| plant.layer == layer.layer);
        assert_eq!(layer.count, same.count() as u64);
    }
    assert_eq!(count.all(), plants.len() as u64);
    assert!((count.hectares - 9.0).abs() < 1e-9);
    assert_eq!(count.forest, 1.0);
}

#[test]
fn most_plants_are_estimated_closely() {
    let scatter = scatter(&[layer(PlantKind::Shrub)], level(true));
    let count = all(&scatter).len() as f64;
    let most = scatter.most_in(scatter.whole());
    assert!(count <= most && most <= 1.1 * count, "{count} of {most}");
}

#[test]
fn nothing_grows_on_steep_slopes() {
    let slope = |x: f64, _: f64| if x < 0.5 { 0.0 } else { 2.0 * (x - 0.5) };
    let plants = all(&scatter(
        &[layer(PlantKind::Spruce)],
        site(land(false, slope), None),
    ));
    // Short steep places are no cliff.
    assert!(plants.iter().all(|plant| plant.slope < 58.0));
    // The slope is that of ground smoothed over some thirty metres, so the foot of the cliff is not quite bare.
    let on_cliff = plants.iter().filter(|plant| plant.place[0] > 1.2);
    assert_eq!(on_cliff.count(), 0);
    assert!(plants.iter().filter(|plant| plant.place[0] < 0.95).count() > 500);
}

#[test]
fn nothing_grows_in_the_sea_or_without_data() {
    let map = land(false, |x, _| x - 0.5);
    let valid = Validity::new(65, 65, |row, _| row < 32);
    let map = map.with_valid(Some(Arc::new(valid)));
    let plants = all(&scatter(&three(), site(map, Some(0.0))));
    assert!(!plants.is_empty());
    for plant in plants {
        assert!(plant.ground > 0.0 && plant.place[0] > 1.0, "{plant:?}");
        assert!(plant.place[1] < 1.0, "{plant:?}");
    }
}

#[test]
fn nothing_grows_in_deep_snow() {
    let depth_m = |x: f64| 2.0 * x;
    let snow = land(false, |x, _| depth_m(x) * 2.0 / TILE_M);
    let site = level(false).with_snow(Some(snow));
    let plants = all(&scatter(&[layer(PlantKind::Spruce)], site));
    let depths = plants.iter().map(|plant| depth_m(plant.place[0] / 2.0));
    let deepest = depths.fold(0.0, f64::max);
    assert!(deepest < 0.5 && deepest > 0.3, "{deepest}");
}

#[test]
fn snow_that_comes_later_is_as_if_it_had_been_there() {
    let snow = |metres: f64| Some(land(false, move |x, _| x * metres * 2.0 / TILE_M));
    let grow = |snow: Option<Heightmap>| scatter(&three(), level(false).with_snow(snow));
    let bare = grow(None);
    for metres in [1.0, 4.0] {
        let later = all(&bare.with_snow(snow(metres)));
        assert!(later == all(&grow(snow(metres))) && later.len() < all(&bare).len());
    }
    assert!(all(&grow(snow(4.0)).with_snow(None)) == all(&bare));
}

#[test]
fn density_is_the_share_of_plants() {
    let of = |density: f32| {
        let mut half = layer(PlantKind::Shrub);
        half.density = density;
        all(&scatter(&[half], level(true)))
    };
    let (whole, half) = (of(1.0), of(0.5));
    let share = half.len() as f64 / whole.len() as f64;
    assert!((share - 0.5).abs() < 0.02, "{share}");
    // Thinner stands have some of the plants, where they were.
    let places: HashMap<_, _> = whole
        .iter()
        .map(|plant| (plant.cell, plant.place))
        .collect();
    assert!(half.iter().all(|plant| places[&plant.cell] == plant.place));
}

#[test]
fn mask_weights_are_the_share_of_plants() {
    let weights = land(false, |x, _| x);
    let layers = [(0, layer(PlantKind::Shrub), Some(weights))];
    let scatter = Scatter::new(1, layers, level(false));
    let plants = all(&scatter);
    let east = plants.iter().filter(|plant| plant.place[0] > 1.0).count();
    let share = east as f64 / plants.len() as f64;
    assert!((share - 0.75).abs() < 0.02, "{share}");
    // Plants are smaller where they are few.
    let mean = |is_meant: fn(f64) -> bool| {
        let heights = plants.iter().filter(|plant| is_meant(plant.place[0]));
        let heights: Vec<_> = heights.map(|plant| plant.height_m).collect();
        heights.iter().sum::<f32>() / heights.len() as f32
    };
    assert!(mean(|x| x < 0.5) < 0.8 * mean(|x| x > 1.5));
}

#[test]
fn shade_keeps_lower_layers_out() {
    let shrubs = |trees: f32, light: f32| {
        let spruce = PlantLayer {
            density: trees,
            ..layer(PlantKind::Spruce)
        };
        let shrub = PlantLayer {
            light,
            ..layer(PlantKind::Shrub)
        };
        let plants = all(&scatter(&[shrub, spruce], level(true)));
        plants.iter().filter(|plant| plant.layer == 0).count() as f64
    };
    let alone = shrubs(0.0, 0.3);
    let (thin, dense) = (shrubs(0.2, 0.3), shrubs(1.0, 0.3));
    assert!(
        thin < 0.95 * alone && dense < 0.5 * thin,
        "{alone} {thin} {dense}"
    );
    // Without need for light only the stems are in the way.
    assert!(shrubs(1.0, 0.0) > 0.3 * alone);
    assert!(shrubs(0.2, 1.0) < thin);
}

#[test]
fn stones_need_no_light_but_room() {
    let boulder = |x: f32| PlantLayer {
        size: x,
        light: 1.0,
        ..layer(PlantKind::Boulder)
    };
    let plants = all(&scatter(
        &[boulder(1.0), layer(PlantKind::Spruce)],
        level(true),
    ));
    let [stones, trees] = [0, 1].map(|layer| plants.iter().filter(move |p| p.layer == layer));
    let trees: Vec<_> = trees.collect();
    assert!(stones.clone().count() > 100);
    for stone in stones {
        let nearest = trees
            .iter()
            .map(|tree| distance(stone.place, tree.place, true));
        assert!(
            nearest.fold(f64::INFINITY, f64::min) >= f64::from(PlantKind::Spruce.spacing_m()) / 2.0
        );
    }
    // Nothing grows within a large stone.
    let plants = all(&scatter(
        &[boulder(3.0), layer(PlantKind::Grass)],
        level(true),
    ));
    let (stones, grass): (Vec<&Plant>, Vec<&Plant>) =
        plants.iter().partition(|plant| plant.layer == 0);
    for stone in stones {
        let nearest = grass
            .iter()
            .map(|tuft| distance(stone.place, tuft.place, true));
        assert!(nearest.fold(f64::INFINITY, f64::min) >= stone.radius_m.into());
    }
}

/// Mean height of plants in metres.
fn mean_height(plants: &[Plant]) -> f32 {
    plants.iter().map(|plant| plant.height_m).sum::<f32>() / plants.len() as f32
}

#[test]
fn old_stands_are_high_and_thin() {
    let stand = |age: f32| {
        let spruce = PlantLayer {
            age,
            ..layer(PlantKind::Spruce)
        };
        all(&scatter(&[spruce], level(true)))
    };
    let [young, usual, old] = [0.0, 0.5, 1.0].map(stand);
    assert!(mean_height(&young) < 0.5 * mean_height(&usual));
    assert!(mean_height(&old) > 1.4 * mean_height(&usual));
    assert!(young.len() as f64 > 1.8 * usual.len() as f64);
    // Wider apart, and with gaps besides.
    let wider = usual.len() as f64 / 1.3 / 1.3;
    assert!((old.len() as f64) < 0.9 * wider, "{} {wider}", old.len());
    assert!(old.len() as f64 > 0.4 * wider, "{} {wider}", old.len());
}

#[test]
fn tree_line_is_a_share_of_the_land_above_the_sea() {
    let limited = PlantLayer {
        lowest: 0.25,
        highest: 0.75,
        edge: 0.5,
        ..layer(PlantKind::Shrub)
    };
    let scatter = scatter(
        &[limited],
        site(land(false, |x, _| 0.4 * x - 0.2), Some(0.0)),
    );
    let plants = all(&scatter);
    // The land rises from 0 at the shore to 0.2, by 0.03 of that from sample to sample.
    let rise = |plant: &Plant| plant.ground / 0.2;
    assert!(plants.len() > 1000);
    assert!(
        plants
            .iter()
            .all(|plant| (0.11..0.78).contains(&rise(plant)))
    );
    let (below, high): (Vec<Plant>, Vec<Plant>) =
        plants.iter().partition(|plant| rise(plant) < 0.6);
    let high: Vec<_> = high.into_iter().filter(|plant| rise(plant) > 0.7).collect();
    assert!(mean_height(&high) < 0.8 * mean_height(&below));
}

/// Plants of a layer of shrubs that prefers something, on ridges and valleys that run from north to south.
fn on_waves(settings: impl Fn(&mut PlantLayer)) -> Vec<Plant> {
    let mut shrubs = layer(PlantKind::Shrub);
    shrubs.slope = 90.0;
    settings(&mut shrubs);
    let waves = |x: f64, _: f64| 0.1 * (2.0 * std::f64::consts::TAU * x).cos();
    let site = site(land(true, waves), None).with_suns(vec![[-0.6, 0.8, 0.0]]);
    all(&scatter(&[shrubs], site))
}

/// Share of the plants where the wave is in a part of its length, 0…1 from ridge to ridge.
fn share_in(plants: &[Plant], part: std::ops::Range<f64>) -> f64 {
    let is_in = |plant: &&Plant| part.contains(&plant.place[0].fract());
    plants.iter().filter(is_in).count() as f64 / plants.len() as f64
}

#[test]
fn valleys_and_ridges_can_be_preferred() {
    let valley = 0.25..0.75;
    let usual = share_in(&on_waves(|_| {}), valley.clone());
    assert!((usual - 0.5).abs() < 0.03, "{usual}");
    assert!(share_in(&on_waves(|layer| layer.valleys = 1.0), valley.clone()) > 0.75);
    assert!(share_in(&on_waves(|layer| layer.valleys = -1.0), valley) < 0.25);
}

#[test]
fn sun_and_shade_can_be_preferred() {
    // The sun is in the west, to which the ground falls from the valley to the next ridge.
    let sunny = 0.5..1.0;
    assert!(share_in(&on_waves(|layer| layer.sun = 1.0), sunny.clone()) > 0.7);
    assert!(share_in(&on_waves(|layer| layer.sun = -1.0), sunny) < 0.3);
}

#[test]
fn scree_is_left_bare_or_sought() {
    // Sediment in the west of a slope of 27°.
    let map = land(false, |x, _| x);
    let sediment = (0..65 * 65).map(|index| if index % 65 < 32 { 0.02 } else { 0.0 });
    let worn = landform::heightmap::Worn {
        wear: vec![0.0; 65 * 65].into(),
        sediment: sediment.collect::<Vec<_>>().into(),
    };
    let map = map.with_worn(Some(Arc::new(worn)));
    let west = |scree: f32| {
        let shrubs = PlantLayer {
            scree,
            ..layer(PlantKind::Shrub)
        };
        let plants = all(&scatter(&[shrubs], site(map.clone(), None)));
        // The thickness is smoothed over some thirty metres.
        let count = |is_in: fn(f64) -> bool| {
            let plants = plants.iter().filter(|plant| is_in(plant.place[0]));
            plants.count() as f64
        };
        let [west, east] = [count(|east| east < 0.8), count(|east| east > 1.2)];
        west / (west + east)
    };
    assert!(west(-1.0) < 0.05);
    assert!((west(0.0) - 0.5).abs() < 0.05);
    assert!(west(1.0) > 0.9);
}

#[test]
fn density_is_the_share_that_grows() {
    let mut spruce = layer(PlantKind::Spruce);
    spruce.density = 0.8;
    let scatter = scatter(&[spruce], site(land(false, |x, _| x - 0.5), Some(0.0)));
    let map = land(false, |x, _| x - 0.5);
    let densities = scatter
        .density(PlantKind::Spruce, &map, &Job::new())
        .unwrap();
    assert!(densities.row(7)[..33].iter().all(|density| *density == 0.0));
    assert!(densities.row(7)[40..].iter().all(|density| *density == 0.8));
    let none = scatter.density(PlantKind::Palm, &map, &Job::new()).unwrap();
    assert_eq!(none.range(), (0.0, 0.0));
}

#[test]
fn ecosystems_make_forests_on_any_map() {
    for generator in ["fourier", "diamond-square", "perlin"] {
        for ecosystem in Ecosystem::ALL {
            let mut scene = scene(&[
                ("surface.iterations", "8"),
                ("surface.generator", generator),
                ("surface.height_scale", "0.3"),
            ]);
            scene.plants = ecosystem.layers();
            scene.validate().unwrap();
            let plants = plants_of(&scene);
            let per_hectare = plants.len() as f64 / 400.0;
            // From some shrubs in a desert to dense undergrowth.
            assert!(
                (2.0..2000.0).contains(&per_hectare),
                "{ecosystem} on {generator}: {per_hectare}"
            );
            let kinds: BTreeSet<_> = plants.iter().map(|plant| plant.layer).collect();
            assert!(
                kinds.len() + 1 >= scene.plants.len(),
                "{ecosystem} {kinds:?}"
            );
        }
    }
}

#[test]
fn presets_of_landscapes_have_plants() {
    for name in ["river-valley", "alpine", "fjord", "island-noon"] {
        let scene = import::Preset::named(name).unwrap().scene();
        let scene = scene.with("surface.iterations", "8").unwrap();
        let plants = plants_of(&scene);
        assert!(plants.len() > 10_000, "{name}: {}", plants.len());
    }
    for preset in import::presets() {
        let is_landscape = preset.group == import::Group::Landscapes;
        assert!(
            is_landscape || preset.scene().plants.is_empty(),
            "{}",
            preset.name
        );
    }
}

#[test]
fn masks_by_water_know_rivers() {
    let settings = [
        ("surface.iterations", "8"),
        ("water.rivers", "true"),
        ("plants.0.kind", "shrub"),
        ("plants.0.spacing", "3"),
        ("plants.0.slope", "90"),
        ("plants.0.mask.by", "water-distance"),
        ("plants.0.mask.water_distance.high", "20"),
        ("plants.0.mask.water_distance.soft", "0"),
    ];
    let near = plants_of(&scene(&settings)).len();
    let all = plants_of(&scene(&settings[..5])).len();
    assert!(near > 100 && near * 2 < all, "{near} of {all}");
}

/// A scene with these settings.
fn scene(settings: &[(&str, &str)]) -> Scene {
    settings
        .iter()
        .fold(Scene::default(), |scene, (key, value)| {
            scene.with(key, value).unwrap()
        })
}

fn plants_of(scene: &Scene) -> Vec<Plant> {
    let (inputs, job) = (Inputs::default(), Job::new());
    let map = Arc::new(pipeline::heights(scene, &inputs, &job).unwrap());
    let scatter = pipeline::plants(scene, &inputs, &map, &job).unwrap();
    scatter.map_or(Vec::new(), |scatter| all(&scatter))
}

#[test]
fn more_iterations_change_few_plants() {
    let settings = [
        ("surface.tile_size_m", "2000"),
        ("surface.height_scale", "0.15"),
        ("water.enabled", "true"),
        ("water.level", "-0.05"),
        ("plants.0.kind", "spruce"),
        ("plants.0.spacing", "3"),
        ("plants.0.mask.by", "slope"),
        ("plants.0.mask.slope.low", "0"),
        ("plants.0.mask.slope.high", "20"),
        ("plants.1.kind", "shrub"),
        ("plants.1.spacing", "4"),
        ("plants.1.mask.by", "wetness"),
        ("plants.2.kind", "boulder"),
    ];
    let of = |iterations: &str| {
        let scene = scene(&settings)
            .with("surface.iterations", iterations)
            .unwrap();
        let plants = plants_of(&scene);
        plants
            .iter()
            .map(|plant| (plant.layer, plant.cell))
            .collect::<BTreeSet<_>>()
    };
    let (ten, eleven) = (of("10"), of("11"));
    assert!(ten.len() > 5000, "{}", ten.len());
    let changed = ten.symmetric_difference(&eleven).count();
    assert!(changed * 100 <= 2 * ten.len(), "{changed} of {}", ten.len());
}

#[test]
fn scene_without_plants_makes_none() {
    let off = scene(&[("surface.iterations", "5"), ("plants.0.on", "false")]);
    let none = scene(&[("surface.iterations", "5")]);
    for scene in [&off, &none] {
        assert!(plants_of(scene).is_empty());
    }
    assert!(!none.to_toml().contains("plants"));
    let profile = scene(&[
        ("surface.generator", "midpoint-1d"),
        ("plants.0.on", "true"),
    ]);
    assert!(plants_of(&profile).is_empty());
}

#[test]
fn rules_can_exclude_everything() {
    let settings = [
        ("surface.iterations", "6"),
        ("plants.0.mask.by", "height"),
        ("plants.0.mask.height.low", "900"),
    ];
    assert!(plants_of(&scene(&settings)).is_empty());
}

#[test]
fn mask_without_its_water_is_refused() {
    let scene = scene(&[
        ("surface.iterations", "5"),
        ("plants.0.kind", "palm"),
        ("plants.1.mask.by", "water-distance"),
    ]);
    let (inputs, job) = (Inputs::default(), Job::new());
    let map = Arc::new(pipeline::heights(&scene, &inputs, &job).unwrap());
    let error = pipeline::plants(&scene, &inputs, &map, &job).expect_err("no water");
    assert!(
        error
            .to_string()
            .starts_with("plants.1.mask.by is water-distance"),
        "{error}"
    );
}

#[test]
fn scene_holds_plants_and_limits_their_layers() {
    let mut scene = scene(&[("plants.0.kind", "birch"), ("plants.0.mask.by", "noise")]);
    assert_eq!(scene.plants[0].mask, Mask::new(By::Noise));
    assert_eq!(Scene::parse(&scene.to_toml()), Ok(scene.clone()));
    assert_eq!(Scene::parse(&scene.to_short_toml()), Ok(scene.clone()));
    assert_eq!(scene.masks().count(), 1);
    scene.plants = vec![PlantLayer::default(); MOST_PLANT_LAYERS + 1];
    let error = scene.validate().expect_err("too many").to_string();
    assert_eq!(
        error,
        "plants is a list of 5; allowed: at most 4 layers of plants"
    );
    let error = Scene::default()
        .with("plants.0.density", "2")
        .expect_err("too dense");
    assert_eq!(error.to_string(), "plants.0.density is 2; allowed: 0 to 1");
}
