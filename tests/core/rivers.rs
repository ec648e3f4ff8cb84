//! Rivers and lakes as pictures show them: from spring to sea without a gap, never uphill, lakes level.

use landform::drainage::Drainage;
use landform::heightmap::Heightmap;
use landform::inputs::Inputs;
use landform::job::Job;
use landform::pipeline;
use landform::rivers::{Rivers, Rule};
use landform::scene::Scene;

/// So wide that the least river is wider than a cell of these maps.
const RULE: Rule = Rule {
    springs: 0.004,
    width: 0.5,
};

/// Rough maps: wrapped, wrapped with a sea, free and not square, eroded.
fn lands() -> Vec<(Heightmap, Option<f32>)> {
    let of = |settings: &[(&str, &str)]| {
        let scene = [("surface.iterations", "7")].iter().chain(settings);
        let scene = scene.fold(Scene::default(), |scene, (key, value)| {
            scene.with(key, value).unwrap()
        });
        pipeline::heights(&scene, &Inputs::default(), &Job::new()).unwrap()
    };
    let wrapped = of(&[]);
    let heights = (0..70).flat_map(|row| wrapped.row(row)[..110].to_vec());
    let free = Heightmap::new(70, 110, false, heights.collect::<Vec<_>>());
    let eroded = of(&[
        ("surface.generator", "fourier"),
        ("modifiers.0.kind", "erosion"),
    ]);
    vec![
        (wrapped.clone(), None),
        (wrapped, Some(0.0)),
        (free, None),
        (eroded, None),
    ]
}

fn rivers(map: &Heightmap, sea: Option<f32>, rule: &Rule) -> Rivers {
    Rivers::of(map, sea, rule, &Job::new()).unwrap()
}

fn least_area(drainage: &Drainage) -> u32 {
    (RULE.springs * drainage.cells() as f32) as u32
}

/// The samples through which rivers flow, with their cells.
fn samples(map: &Heightmap, drainage: &Drainage) -> Vec<(usize, usize, usize)> {
    let repeated = usize::from(map.wraps());
    let rows = 0..map.rows() - repeated;
    rows.flat_map(|row| (0..map.columns() - repeated).map(move |column| (row, column)))
        .map(|(row, column)| (row, column, drainage.cell(row, column)))
        .filter(|(.., cell)| drainage.area(*cell) >= least_area(drainage))
        .collect()
}

/// The nearest point of a river to a sample, in cells east and south, and half its width there.
fn nearest(rivers: &Rivers, row: usize, column: usize) -> ([f32; 2], f32) {
    let numbers = rivers.nearest.at(row, column);
    let [x, z, along, down] = numbers.map(|v| f32::from(v) * rivers.reach / 32767.0);
    ([column as f32 + x, row as f32 + z], along.hypot(down))
}

#[test]
fn rivers_flow_without_a_gap_and_never_uphill() {
    for (map, sea) in lands() {
        let (drainage, rivers) = (
            Drainage::of(&map, sea, &Job::new()).unwrap(),
            rivers(&map, sea, &RULE),
        );
        let samples = samples(&map, &drainage);
        let place_of = |cell: usize| samples.iter().find(|sample| sample.2 == cell);
        let mut ways = 0;
        for (row, column, cell) in &samples {
            let Some((to_row, to_column, to)) = drainage.receiver(*cell).and_then(place_of) else {
                continue;
            };
            let level =
                |cell: usize, row: usize, column: usize| map.at(row, column) + drainage.depth(cell);
            // But for the last bit of a lake's depth.
            assert!(level(*cell, *row, *column) >= level(*to, *to_row, *to_column) - 1e-6);
            // Not across the border, where places jump.
            if row.abs_diff(*to_row) > 1 || column.abs_diff(*to_column) > 1 {
                continue;
            }
            ways += 1;
            let (from, _) = nearest(&rivers, *row, *column);
            let (till, _) = nearest(&rivers, *to_row, *to_column);
            for step in 0..=8 {
                let t = step as f32 / 8.0;
                let [east, south] = [0, 1].map(|i| from[i] + (till[i] - from[i]) * t);
                let last = |count: usize| (count - 1) as f32;
                if !(0.0..=last(map.columns())).contains(&east)
                    || !(0.0..=last(map.rows())).contains(&south)
                {
                    continue;
                }
                let part = rivers.part_at(east, south, 0.01);
                assert!(part > 0.0, "a gap at {east}, {south}: {part}");
            }
        }
        assert!(ways > 50, "{ways}");
    }
}

#[test]
fn river_width_is_the_root_of_drained_land() {
    let (map, sea) = &lands()[3];
    let drainage = Drainage::of(map, *sea, &Job::new()).unwrap();
    let rivers = rivers(map, *sea, &RULE);
    let whole = 0.5 * RULE.width / map.spacing();
    let mut apart: Vec<f32> = samples(map, &drainage)
        .iter()
        .map(|(row, column, cell)| {
            let (_, half_width) = nearest(&rivers, *row, *column);
            let part = drainage.area(*cell) as f32 / drainage.cells() as f32;
            (half_width / (whole * part.sqrt()) - 1.0).abs()
        })
        .collect();
    apart.sort_by(f32::total_cmp);
    // Where rivers meet the nearest is another one.
    assert!(apart[apart.len() / 2] < 0.06, "{}", apart[apart.len() / 2]);
    assert!(apart[apart.len() * 3 / 4] < 0.3);
}

#[test]
fn banks_follow_the_river_width_at_any_resolution() {
    // A valley that runs south, whose bottom is a plane: one river along its middle.
    let side = 65;
    let heights = (0..side * side).map(|index| {
        let (row, column) = ((index / side) as f32, (index % side) as f32);
        (column - 32.0).abs() * 0.02 - row * 0.001
    });
    let map = Heightmap::new(side, side, false, heights.collect::<Vec<_>>());
    let rule = Rule {
        springs: 0.1,
        width: 0.1,
    };
    let rivers = rivers(&map, None, &rule);
    let ([middle, _], half_width) = nearest(&rivers, 40, 32);
    assert!(
        (middle - 32.0).abs() < 0.01 && half_width > 0.8,
        "{half_width}"
    );
    for side in [1.0, 0.25, 0.01] {
        let part = |away: f32| rivers.part_at(middle + away, 40.0, side);
        // Half of a pixel on the bank is water.
        for bank in [half_width, -half_width] {
            assert!((part(bank) - 0.5).abs() < 0.07, "{side}: {}", part(bank));
        }
        assert!(part(half_width - 0.6 * side - 0.02) > 0.999);
        assert!(part(half_width + 0.6 * side + 0.02) < 0.001);
    }
    // All of it is as much as its width.
    let cells: u32 = (28..=36)
        .map(|column| u32::from(rivers.part.at(40, column)[0]))
        .sum();
    let cells = cells as f32 / 255.0;
    assert!(
        (cells - 2.0 * half_width).abs() < 0.1,
        "{cells} of {half_width}"
    );
}

#[test]
fn lakes_are_level_and_stand_where_rivers_flow() {
    for (map, sea) in lands() {
        let drainage = Drainage::of(&map, sea, &Job::new()).unwrap();
        let rivers = rivers(&map, sea, &RULE);
        let ends = map.base().filter(|_| sea.is_none());
        let mut lakes = 0;
        for row in 0..map.rows() {
            for column in 0..map.columns() {
                let deep = rivers.lakes.at(row, column);
                if deep <= 0.0 {
                    continue;
                }
                lakes += 1;
                let cell = drainage.cell(row, column);
                let ground = map.at(row, column);
                let level = rivers.surface.at(row, column);
                match ends.filter(|ends| ground < *ends) {
                    Some(ends) => assert!((level - ends).abs() < 1e-6),
                    None => assert_eq!(deep, drainage.depth(cell)),
                }
                assert_eq!(level, ground + deep);
                // The water goes on to one as high or lower.
                if let Some(to) = drainage.receiver(cell) {
                    let to = (0..map.rows() * map.columns())
                        .map(|at| (at / map.columns(), at % map.columns()))
                        .find(|(row, column)| drainage.cell(*row, *column) == to);
                    let (row, column) = to.unwrap();
                    assert!(rivers.surface.at(row, column) <= level + 1e-6);
                }
            }
        }
        assert!(lakes > 10, "{lakes}");
    }
}

#[test]
fn a_hollow_without_a_river_is_dry() {
    let (map, sea) = &lands()[0];
    let few = Rule {
        springs: 0.5,
        ..RULE
    };
    let lakes = |rule: &Rule| {
        let rivers = rivers(map, *sea, rule);
        let deep = rivers.lakes.as_slice().iter();
        deep.filter(|deep| **deep > 0.0).count()
    };
    assert!(lakes(&few) < lakes(&RULE));
}

#[test]
fn rivers_of_a_map_that_wraps_wrap() {
    let (map, sea) = &lands()[0];
    let rivers = rivers(map, *sea, &RULE);
    let last = map.rows() - 1;
    assert_eq!(rivers.surface.row(0), rivers.surface.row(last));
    assert_eq!(rivers.nearest.row(0), rivers.nearest.row(last));
    assert_eq!(rivers.lakes.row(0), rivers.lakes.row(last));
    for row in 0..map.rows() {
        assert_eq!(rivers.nearest.at(row, 0), rivers.nearest.at(row, last));
        assert_eq!(rivers.surface.at(row, 0), rivers.surface.at(row, last));
    }
}

#[test]
fn the_number_of_threads_changes_no_river() {
    for (map, sea) in lands() {
        let of = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            pool.build().unwrap().install(|| rivers(&map, sea, &RULE))
        };
        let one = of(1);
        for threads in [2, 3, 7] {
            assert!(of(threads) == one, "{threads}");
        }
    }
}

#[test]
fn strange_lands_have_rivers_or_none() {
    let level =
        |rows, columns, wraps| Heightmap::new(rows, columns, wraps, vec![0.25; rows * columns]);
    let mut peak = vec![0.0; 33 * 33];
    peak[16 * 33 + 16] = 1.0;
    let peak = Heightmap::new(33, 33, true, peak);
    let maps = [
        level(2, 2, true),
        level(2, 2, false),
        level(33, 33, true),
        level(2, 65, false),
        peak,
    ];
    for map in maps {
        for sea in [None, Some(-1.0), Some(0.25), Some(2.0)] {
            for (springs, width) in [(0.0001, 0.0), (0.01, 0.02), (1.0, 0.2)] {
                let rivers = rivers(&map, sea, &Rule { springs, width });
                rivers.surface.check().unwrap();
                let range = rivers.surface.range();
                assert!(range.0 >= map.range().0 - 1e-6 && range.1 <= map.range().1 + 1e-6);
            }
        }
    }
}
