//! What palettes show of what water has done: monotone, the same on any number of threads and of any
//! number of samples, and nothing on land that has not eroded.

use std::sync::Arc;

use landform::covers::{self, CoverMap, MOST_SIDE};
use landform::generate::Generator;
use landform::heightmap::{Heightmap, Worn};
use landform::job::Job;
use landform::modify::{Context, Modifier, ModifierKind};
use landform::texture::cover::By;
use landform::texture::{Cover, Palette};

use crate::erosion::{made, on_threads};

const SIDE: usize = 33;

fn cover(by: By, from: f32, to: f32) -> Cover {
    Cover {
        by,
        color: [1.0, 0.5, 0.25],
        from,
        to,
        strength: 1.0,
        steepest: 90.0,
        highest: 1.0,
    }
}

/// A free map of that height at rows and columns, with wear and sediment.
fn worn_map(
    height: impl Fn(usize, usize) -> f32,
    wear: impl Fn(usize, usize) -> f32,
    sediment: impl Fn(usize, usize) -> f32,
) -> Heightmap {
    let all = |number: &dyn Fn(usize, usize) -> f32| {
        let places = (0..SIDE).flat_map(|row| (0..SIDE).map(move |column| (row, column)));
        let numbers: Vec<f32> = places.map(|(row, column)| number(row, column)).collect();
        numbers
    };
    Heightmap::new(SIDE, SIDE, false, all(&height)).with_worn(Some(Arc::new(Worn {
        wear: all(&wear).into(),
        sediment: all(&sediment).into(),
    })))
}

fn lying(map: &Heightmap, covers: &[Cover]) -> CoverMap {
    let on = covers::on(map, covers, &Job::new()).unwrap();
    on.expect("covers on eroded land")
}

/// The weights of one cover at some samples.
fn weights<const N: usize>(map: &Heightmap, cover: Cover, at: [(usize, usize); N]) -> [u8; N] {
    let on = lying(map, &[cover]);
    at.map(|(row, column)| on.weights.texels.at(row, column)[0])
}

fn eroded(seed: u64, iterations: u32) -> Heightmap {
    let mut map = made(Generator::Fourier, seed, iterations, 0.9);
    let job = Job::new();
    let modifier = Modifier::new(ModifierKind::Erosion);
    modifier.apply(&mut map, &Context::new(5, &job)).unwrap();
    map
}

/// A rising sequence with a first of 0 and a last of 255.
#[track_caller]
fn check_rises(weights: &[u8]) {
    assert!(weights.is_sorted(), "{weights:?}");
    let ends = [weights.first(), weights.last()];
    assert_eq!(ends, [Some(&0), Some(&255)], "{weights:?}");
}

#[test]
fn debris_cones_are_scree_and_not_meadows() {
    let slope = |degrees: f32| {
        let rise = degrees.to_radians().tan() * 2.0 / (SIDE - 1) as f32;
        let tall = 0.01 * SIDE as f32;
        worn_map(
            move |row, _| rise * row as f32,
            |_, _| 0.0,
            move |_, column| if column < SIDE / 2 { 0.0 } else { tall },
        )
    };
    let [bare, thick] = [(16, 4), (16, 28)];
    let scree = |degrees| weights(&slope(degrees), cover(By::Scree, 40.0, 60.0), [bare, thick]);
    assert_eq!(scree(10.0), [0, 0]);
    assert_eq!(scree(30.0), [0, 255]);
}

#[test]
fn more_sediment_never_makes_ground_less_covered() {
    let plain = |row: usize, _: usize| row as f32 / SIDE as f32;
    let weight = |thick: f32| {
        let map = worn_map(
            plain,
            |_, _| 0.0,
            |row, _| if row == 9 { thick } else { 0.0 },
        );
        weights(&map, cover(By::Sediment, 0.01, 0.05), [(9, 4), (20, 4)])
    };
    let both = [0.0, 0.005, 0.012, 0.02, 0.04, 0.06, 1.0].map(weight);
    check_rises(&both.map(|[here, _]| here));
    assert!(both.iter().all(|[_, elsewhere]| *elsewhere == 0));
}

#[test]
fn extra_local_wear_never_reduces_cover() {
    let plain = |row: usize, _: usize| row as f32 / SIDE as f32;
    let weight = |times: f32| {
        let wear = |row: usize, _: usize| if row == 9 { 0.2 * times } else { 0.2 };
        let map = worn_map(plain, wear, |_, _| 0.0);
        weights(&map, cover(By::Wear, 0.9, 1.1), [(9, 4)])[0]
    };
    // Squares are one sample wide on a map so small: what is around counts between them only.
    let even = weight(1.0);
    assert!((100..155).contains(&even), "{even}");
    let twice = |map: &Heightmap| weights(map, cover(By::Wear, 0.9, 1.1), [(9, 4)])[0];
    let doubled = worn_map(plain, |_, _| 0.4, |_, _| 0.0);
    assert_eq!(twice(&doubled), even, "twice as much everywhere");
    let map = eroded(3, 8);
    let worn = map.worn().unwrap();
    let weight = |times: f32| {
        let mut wear = worn.wear.clone();
        let at = 100 * map.columns() + 77;
        wear[at] *= times;
        let sediment = worn.sediment.clone();
        let map = map
            .clone()
            .with_worn(Some(Arc::new(Worn { wear, sediment })));
        weights(&map, cover(By::Wear, 0.5, 3.0), [(100, 77)])[0]
    };
    check_rises(&[0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 8.0].map(weight));
}

#[test]
fn wet_ground_follows_rivers_and_grass_gentle_slopes() {
    // A valley that falls to the south: gentle banks to the west, steep ones to the east.
    let height = |row: usize, column: usize| {
        let away = column as f32 - 12.0;
        let side = if away < 0.0 {
            -0.01 * away
        } else {
            0.06 * away
        };
        side + (SIDE - row) as f32 * 0.002
    };
    let map = worn_map(height, |_, _| 0.1, |_, _| 0.0);
    let upwards = [32, 20, 16, 12].map(|column| (28, column));
    // Of so few samples each is a brook of its own.
    let wet = cover(By::Wetness, 0.5, 0.95);
    check_rises(&weights(&map, wet, upwards));
    let [far, bank, river] = weights(&map, wet, [(28, 0), (28, 6), (28, 12)]);
    assert!(far < bank && bank <= river, "{far} {bank} {river}");
    let [flat, steep, far] = weights(
        &map,
        cover(By::Grass, 0.05, 0.6),
        [(28, 11), (28, 14), (28, 31)],
    );
    assert!(
        flat > 50 && steep < flat && far < flat,
        "{flat} {steep} {far}"
    );
    // Sediment is soil too.
    let soil = worn_map(
        height,
        |_, _| 0.1,
        |_, column| if column == 14 { 0.5 } else { 0.0 },
    );
    let [on_soil] = weights(&soil, cover(By::Grass, 0.05, 0.6), [(28, 14)]);
    assert!(on_soil > steep, "{on_soil} {steep}");
}

#[test]
fn scree_lies_at_the_foot_of_cliffs() {
    // Gentle ground, a cliff from column 16 to 18, and a plain on top.
    let height = |_: usize, column: usize| match column {
        ..16 => column as f32 * 0.01,
        16..19 => 0.16 + (column - 15) as f32 * 0.2,
        _ => 0.76 + column as f32 * 0.01,
    };
    let map = worn_map(height, |_, _| 0.1, |_, _| 0.0);
    let scree = Cover {
        steepest: 60.0,
        ..cover(By::Scree, 35.0, 60.0)
    };
    let [far, foot, top] = weights(&map, scree, [(9, 5), (9, 15), (9, 25)]);
    assert_eq!([far, top], [0, 0]);
    assert!(foot > 100, "{foot}");
}

#[test]
fn steep_and_high_ground_is_left_bare() {
    let height = |row: usize, column: usize| row as f32 * 0.02 + (column / 16) as f32 * 0.4;
    let map = worn_map(height, |_, _| 0.1, |_, _| 0.5);
    let all = cover(By::Sediment, 0.0, 0.1);
    let places = [(4, 4), (4, 15), (31, 25)];
    assert_eq!(weights(&map, all, places), [255; 3]);
    let gentle = Cover {
        steepest: 50.0,
        ..all
    };
    assert_eq!(weights(&map, gentle, places), [255, 0, 255]);
    let low = Cover {
        highest: 0.7,
        ..all
    };
    assert_eq!(weights(&map, low, places), [255, 255, 0]);
}

#[test]
fn snow_lies_lower_northward_and_slides_off_walls() {
    let snowy: Vec<_> = Palette::builtin()
        .iter()
        .filter_map(|palette| palette.snow)
        .collect();
    assert!(!snowy.is_empty());
    for snow in snowy {
        for step in 0..=100 {
            let height = step as f32 / 100.0;
            assert_eq!(snow.seen_at(height, 1.0, 0.0), height, "level ground");
            for degrees in [5.0f32, 20.0, 40.0, 60.0, 85.0] {
                let (up, along) = (degrees.to_radians().cos(), degrees.to_radians().sin());
                let north = snow.seen_at(height, up, -along);
                let [east, south] = [0.0, along].map(|z| snow.seen_at(height, up, z));
                assert!(north >= east && east >= south, "{north} {east} {south}");
                assert!(north > south);
                // What slides off bares the ground just below the snow, and none lower.
                assert!(east <= height && east >= height.min(snow.from), "{east}");
            }
            let slid =
                [90.0f32, 40.0, 0.0].map(|d| snow.seen_at(height, d.to_radians().cos(), 0.0));
            assert!(slid.is_sorted(), "{slid:?}");
        }
        let [gentle, wall] = [0.95, 0.3].map(|up| snow.seen_at(1.0, up, 0.0));
        assert!(wall < gentle);
    }
}

#[test]
fn land_without_erosion_or_covers_stays_bare() {
    let job = Job::new();
    let all = [cover(By::Wetness, 0.1, 0.9)];
    let raw = made(Generator::Fourier, 3, 6, 0.9);
    assert_eq!(covers::on(&raw, &all, &job), Ok(None));
    assert_eq!(covers::on(&eroded(3, 6), &[], &job), Ok(None));
    let alpine = Palette::named("alpine").unwrap();
    assert_eq!(alpine.covers_of(0.0), []);
    assert_eq!(alpine.covers_of(1.0), alpine.covers);
    assert_eq!(
        alpine.covers_of(0.5)[0].strength,
        alpine.covers[0].strength * 0.5
    );
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let map = eroded(7, 8);
    let palette = Palette::named("alpine").unwrap();
    let of = |threads: usize| on_threads(threads, || lying(&map, &palette.covers));
    let one = of(1);
    assert!(
        one.weights
            .texels
            .as_slice()
            .iter()
            .flatten()
            .any(|weight| *weight > 0)
    );
    assert!(one == of(2) && one == of(7));
}

#[test]
fn finer_sampling_hardly_changes_cover_colours() {
    for palette in Palette::builtin().iter().filter(|p| !p.covers.is_empty()) {
        let mean = |iterations: u32| {
            let map = eroded(4, iterations);
            let on = lying(&map, &palette.covers);
            let (low, high) = map.range();
            let mut sum = [0.0f64; 3];
            for row in 0..map.rows() - 1 {
                for column in 0..map.columns() - 1 {
                    let color = palette.color((map.at(row, column) - low) / (high - low));
                    let plain = color.map(|v| v * 255.0);
                    let part = |at: usize, all: usize| at as f32 / (all - 1) as f32;
                    let (east, south) = (part(column, map.columns()), part(row, map.rows()));
                    let color = on.over(plain, east, south);
                    (0..3).for_each(|i| sum[i] += f64::from(color[i] - plain[i]));
                }
            }
            sum.map(|all| all / ((map.rows() - 1) * (map.columns() - 1)) as f64)
        };
        let (coarse, fine) = (mean(7), mean(8));
        let apart = (0..3)
            .map(|i| (coarse[i] - fine[i]).abs())
            .fold(0.0, f64::max);
        let most = coarse.map(f64::abs).into_iter().fold(0.0, f64::max);
        assert!(
            most > 0.5 && apart < 0.5 + 0.25 * most,
            "{}: {coarse:?} {fine:?}",
            palette.name
        );
    }
}

#[test]
fn every_landscape_palette_tells_what_water_has_done() {
    let plain = ["martz", "atlas", "grey"];
    for palette in Palette::builtin() {
        let tells = !palette.covers.is_empty();
        assert_eq!(
            tells,
            !plain.contains(&&palette.name[..]),
            "{}",
            palette.name
        );
    }
}

#[test]
fn places_between_samples_are_mixed_and_borders_join() {
    let map = eroded(9, 6);
    assert!(map.wraps());
    let on = lying(
        &map,
        &[cover(By::Wetness, 0.0, 1.0), cover(By::Wear, 0.0, 3.0)],
    );
    let cells = map.columns() - 1;
    assert_eq!(
        (on.weights.texels.rows(), on.weights.texels.columns()),
        (cells, cells)
    );
    for (row, column) in [(0, 0), (5, 9), (cells - 1, 3)] {
        let part = |at: usize| at as f32 / cells as f32;
        let wanted = on
            .weights
            .texels
            .at(row, column)
            .map(|byte| f32::from(byte) / 255.0);
        assert_eq!(on.at(part(column), part(row)), wanted);
        let next = on.weights.texels.at(row, (column + 1) % cells);
        let middle = on.at((column as f32 + 0.5) / cells as f32, part(row))[1];
        let mean = (wanted[1] + f32::from(next[1]) / 255.0) * 0.5;
        assert!((middle - mean).abs() < 1e-3, "{middle} {mean}");
    }
    for south in [0.0, 0.3, 1.0] {
        assert_eq!(on.at(0.0, south), on.at(1.0, south));
        assert_eq!(on.at(south, 0.0), on.at(south, 1.0));
    }
    assert!(map.rows() < MOST_SIDE);
}

#[test]
fn finite_numbers_stay_finite() {
    let words = [By::Sediment, By::Wear, By::Wetness, By::Scree];
    let maps = [
        worn_map(|_, _| 0.0, |_, _| 0.0, |_, _| 0.0),
        worn_map(|_, _| -1e12, |_, _| 2e12, |_, _| 2e12),
        worn_map(
            |row, column| if (row + column) % 2 == 0 { 1e12 } else { -1e12 },
            |row, _| row as f32 * 1e11,
            |_, column| column as f32 * 1e11,
        ),
        worn_map(|row, _| row as f32 * 1e-30, |_, _| 1e-30, |_, _| 1e-30),
    ];
    for map in &maps {
        for (from, to) in [(0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 1e6)] {
            for end in [words, [By::Grass; 4]] {
                let on = lying(map, &end.map(|by| cover(by, from, to)));
                let color = on.over([10.0, 20.0, 30.0], 0.4, 0.7);
                assert!(color.iter().all(|v| (0.0..=255.0).contains(v)), "{color:?}");
            }
        }
    }
}

#[test]
fn wrong_cover_is_one_line_stating_allowed_values() {
    let with = |text: &str| {
        Palette::parse(&format!(
            "stops = [{{ at = 0.0, color = [0, 0, 0] }}]\n{text}"
        ))
    };
    let one = |rest: &str| {
        format!("[[covers]]\ncolor = [0, 0, 0]\nby = \"wear\"\nfrom = 0\nto = 1\n{rest}\n")
    };
    assert!(with(&one("")).is_ok() && with(&one("").repeat(4)).is_ok());
    assert!(with("[snow]\nfrom = 0.5").is_ok());
    let words = ["sediment", "wear", "wetness", "scree", "grass"];
    let rows: [(String, &[&str]); 9] = [
        (one("").replace("wear", "lava"), &words),
        (one("").repeat(5), &["5 covers", "up to 4"]),
        (one("strength = 2"), &["strength", "2", "0 to 1"]),
        (one("highest = -1"), &["highest", "0 to 1"]),
        (one("steepest = 91"), &["steepest", "91", "0 to 90"]),
        (
            one("").replace("to = 1", "to = nan"),
            &["to", "NaN", "0 to 1000000"],
        ),
        (
            one("").replace("[0, 0, 0]", "[0, 0, 3]"),
            &["colour", "0 to 1"],
        ),
        (one("size = 3"), &["size", "line"]),
        ("[snow]\nfrom = 2".to_owned(), &["snow", "from", "0 to 1"]),
    ];
    for (text, wanted) in rows {
        let said = with(&text).expect_err(&text);
        assert!(!said.contains('\n'), "{said}");
        for word in wanted {
            assert!(said.contains(word), "no `{word}` in {said}");
        }
    }
}
