//! What debris cones promise: they only raise the land, are no steeper than scree, and leave no lakes behind them.

use crate::erosion::{made, on_threads};
use landform::drainage::Drainage;
use landform::generate::Generator;
use landform::heightmap::Heightmap;
use landform::job::Job;
use landform::modify::erosion::ErosionOptions;
use landform::modify::fans::FansOptions;
use landform::modify::{Context, Modifier, ModifierKind};

/// Metres of the unit of heights, for the default tile.
const METRES: f32 = 1000.0;

fn with_fans(map: &Heightmap, options: &FansOptions, water: Option<f32>) -> Heightmap {
    let modifier = Modifier {
        fans: options.clone(),
        ..Modifier::new(ModifierKind::Fans)
    };
    let (mut map, job) = (map.clone(), Job::new());
    let context = Context {
        water,
        ..Context::new(5, &job)
    };
    modifier.apply(&mut map, &context).unwrap();
    map
}

fn usual(map: &Heightmap) -> Heightmap {
    with_fans(map, &FansOptions::default(), None)
}

/// Mountains with valleys and plains.
fn mountains() -> Heightmap {
    let mut map = made(Generator::Fourier, 41, 9, 0.95);
    let erosion = Modifier {
        erosion: ErosionOptions {
            age: 1.6,
            deposition: 4.0,
            ..ErosionOptions::default()
        },
        ..Modifier::new(ModifierKind::Erosion)
    };
    let job = Job::new();
    erosion.apply(&mut map, &Context::new(5, &job)).unwrap();
    map
}

/// Side of the map of [`gully`], in samples of 10 m, and the row where its mountain meets its plain.
const SIDE: usize = 201;
const FOOT: usize = 120;

/// A slope of 30° in the north with a gully down its middle, above a plain that falls by 1° to the south.
fn gully() -> Heightmap {
    let heights = (0..SIDE * SIDE).map(|index| {
        let (row, column) = (index / SIDE, index % SIDE);
        let [row, foot, middle] = [row, FOOT, SIDE / 2].map(|at| at as f32 * 10.0);
        let aside = (column as f32 * 10.0 - middle).abs();
        let above = (foot - row).max(0.0);
        let slope = above * 0.577 + aside.min(300.0) * 0.4 * (above / 600.0).min(1.0);
        (slope - row * 0.0175 + aside * 1e-4) / METRES
    });
    Heightmap::new(SIDE, SIDE, false, heights.collect::<Vec<_>>())
}

/// Thickness in metres of what was deposited on a sample of the gully's map.
fn thickness(before: &Heightmap, after: &Heightmap, row: usize, column: usize) -> f32 {
    (after.at(row, column) - before.at(row, column)) * METRES
}

#[test]
fn a_gully_builds_a_cone_at_its_mouth() {
    let before = gully();
    let after = usual(&before);
    let at = |row, column| thickness(&before, &after, row, column);
    let middle = SIDE / 2;
    assert!(at(FOOT + 3, middle) > 3.0, "{}", at(FOOT + 3, middle));
    assert!(at(FOOT + 3, middle) > at(FOOT + 10, middle));
    assert_eq!(at(SIDE - 1, middle), 0.0, "far out on the plain");
    assert_eq!(at(20, middle), 0.0, "high up in the gully");
    for aside in [middle - 70, middle + 70] {
        let edge = at(FOOT + 3, aside);
        assert!(edge < 0.7 * at(FOOT + 3, middle), "{edge}");
    }
}

#[test]
fn larger_cones_hold_smaller_ones() {
    let before = gully();
    let sized = |size| {
        let options = FansOptions {
            size,
            ..FansOptions::default()
        };
        let after = with_fans(&before, &options, None);
        let cells = after.heights().iter().zip(before.heights());
        cells.filter(|(after, before)| after > before).count()
    };
    assert_eq!(sized(0.0), 0);
    let counts = [0.5, 1.0, 1.5].map(sized);
    assert!(
        counts[0] > 0 && counts.is_sorted_by(|a, b| a < b),
        "{counts:?}"
    );
}

#[test]
fn land_is_only_raised_and_that_is_sediment() {
    let before = mountains();
    let after = usual(&before);
    let [old, new] = [&before, &after].map(|map| map.worn().expect("eroded"));
    assert_eq!(old.wear[..], new.wear[..]);
    let mut raised = 0;
    for (index, (now, then)) in after.heights().iter().zip(before.heights()).enumerate() {
        assert!(now >= then);
        let deposited = new.sediment[index] - old.sediment[index];
        assert!((deposited - (now - then)).abs() < 1e-6);
        raised += usize::from(now > then);
    }
    let share = raised as f32 / before.heights().len() as f32;
    assert!((0.02..0.4).contains(&share), "{share}");
}

#[test]
fn cones_are_no_steeper_than_scree() {
    let before = mountains();
    for repose in [20.0, 35.0] {
        let options = FansOptions {
            repose,
            ..FansOptions::default()
        };
        let after = with_fans(&before, &options, None);
        let is_raised = |row, column| after.at(row, column) > before.at(row, column);
        let (mut steep, mut all) = (0, 0);
        for row in 0..after.rows() - 1 {
            for column in 0..after.columns() - 1 {
                for (row_by, column_by) in [(row + 1, column), (row, column + 1)] {
                    if is_raised(row, column) && is_raised(row_by, column_by) {
                        let drop = (after.at(row, column) - after.at(row_by, column_by)).abs();
                        let slope = (drop / after.spacing()).atan().to_degrees();
                        steep += usize::from(slope > repose + 3.0);
                        all += 1;
                    }
                }
            }
        }
        assert!(all > 1000);
        assert!(steep * 100 < all, "{steep} of {all} above {repose}°");
    }
}

#[test]
fn rivers_cut_cones_back_to_the_angle_of_repose() {
    let before = mountains();
    let after = usual(&before);
    let drainage = Drainage::of(&before, None, &Job::new()).unwrap();
    let cell_m = before.spacing() * METRES;
    let repose = FansOptions::default().repose.to_radians().tan();
    let (mut banks, mut steep) = (0, 0);
    for row in 1..before.rows() - 2 {
        for column in 1..before.columns() - 2 {
            let area = drainage.area(drainage.cell(row, column)) as f32 * cell_m * cell_m;
            let river = after.at(row, column);
            // Debris fills the hollow of a dammed stream.
            if area < 5.0e4 || river > before.at(row, column) {
                continue;
            }
            for (row, column) in [
                (row - 1, column),
                (row + 1, column),
                (row, column - 1),
                (row, column + 1),
            ] {
                let bank = after.at(row, column);
                if bank > before.at(row, column) {
                    banks += 1;
                    steep += usize::from(bank > river + (repose + 0.01) * before.spacing());
                }
            }
        }
    }
    assert!(banks > 100, "{banks}");
    assert!(steep * 100 < banks, "{steep} of {banks}");
}

#[test]
fn fans_leave_no_lakes_behind_them() {
    let before = mountains();
    let after = usual(&before);
    let lakes = |map: &Heightmap| {
        let drainage = Drainage::of(map, None, &Job::new()).unwrap();
        let flooded = (0..drainage.cells()).filter(|cell| drainage.depth(*cell) > 2.0 / METRES);
        flooded.count() as f32 / drainage.cells() as f32
    };
    let [old, new] = [&before, &after].map(lakes);
    assert!(new < old + 0.01, "lakes cover {new}, {old} before");
}

#[test]
fn cones_end_at_the_shore() {
    let before = gully();
    // The water reaches to the foot of the mountain.
    let level = before.at(FOOT, SIDE / 2) + 2.0 / METRES;
    let after = with_fans(&before, &FansOptions::default(), Some(level));
    let dry = |map: &Heightmap| {
        map.heights()
            .iter()
            .filter(|height| **height > level)
            .count()
    };
    let gained = dry(&after) as f32 / dry(&before) as f32 - 1.0;
    assert!((0.0..0.02).contains(&gained), "{gained}");
    let drowned = (0..SIDE * SIDE).filter(|index| {
        let [now, then] = [&after, &before].map(|map| map.heights()[*index]);
        then < level && now > then
    });
    assert!(drowned.count() > 0, "debris goes on below the water");
}

#[test]
fn fans_are_the_same_on_any_number_of_threads() {
    let before = mountains();
    let one = on_threads(1, || usual(&before));
    for threads in [2, 7] {
        let more = on_threads(threads, || usual(&before));
        assert!(one == more, "{threads}");
    }
}

#[test]
fn level_and_narrow_maps_stay() {
    for (rows, columns) in [(1, 40), (2, 40), (40, 2), (3, 3), (40, 40)] {
        let map = Heightmap::new(rows, columns, false, vec![0.25; rows * columns]);
        assert_eq!(usual(&map).heights(), map.heights(), "{rows} × {columns}");
    }
}
