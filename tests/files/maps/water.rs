//! The surface of sea, lakes and rivers.

use super::*;
use landform::rivers::Rivers;

/// Eroded land with rivers and lakes.
const WET: &str = "--generator fourier --iterations 7 --seed 3 --set modifiers.0.kind=erosion \
    --set water.rivers=true --set water.springs=0.6";

/// Ground and water surface of a scene, with its rivers.
struct Water {
    ground: Heightmap,
    surface: Vec<f32>,
    rivers: Rivers,
}

fn water(change: impl Fn(&mut Scene)) -> Water {
    let folder = folder();
    let mut scene = Scene::default();
    for setting in [
        "surface.generator=fourier",
        "surface.iterations=7",
        "surface.seed=3",
        "modifiers.0.kind=erosion",
        "water.rivers=true",
        "water.springs=0.6",
    ] {
        let (key, value) = setting.split_once('=').unwrap();
        scene = scene.with(key, value).unwrap();
    }
    change(&mut scene);
    let path = folder.path().join("water.npy");
    let options = Options {
        map: Map::named("water-surface"),
        ..Options::default()
    };
    let (inputs, job) = (Inputs::default(), Job::new());
    export::heightmap(&path, &scene, &inputs, options, &job).unwrap();
    Water {
        ground: pipeline::heights(&scene, &inputs, &job).unwrap(),
        surface: npy(&path).1,
        rivers: pipeline::rivers(&scene, &inputs, &job).unwrap().unwrap(),
    }
}

#[test]
fn lakes_are_level_and_above_their_beds() {
    let Water {
        ground,
        surface,
        rivers,
    } = water(|_| {});
    let columns = ground.columns();
    let depth = |index: usize| rivers.lakes.at(index / columns, index % columns);
    let (mut lakes, mut pairs) = (0, 0);
    for (index, height) in surface.iter().enumerate() {
        if depth(index) <= 0.0 {
            continue;
        }
        lakes += 1;
        assert!(*height > ground.heights()[index]);
        let beside = [index + 1, index + columns].into_iter();
        for other in beside.filter(|other| *other < surface.len() && depth(*other) > 0.0) {
            pairs += 1;
            assert!((surface[other] - height).abs() < 1e-6, "{index} {other}");
        }
    }
    assert!(lakes > 50 && pairs > 50, "{lakes} {pairs}");
}

#[test]
fn lakes_go_on_level_below_their_shores() {
    let Water {
        ground,
        surface,
        rivers,
    } = water(|_| {});
    let mut shores = 0;
    for row in 0..ground.rows() {
        for column in 0..ground.columns() {
            let depth = rivers.lakes.at(row, column);
            if depth > -1.0 && depth <= 0.0 {
                shores += 1;
                let level = ground.at(row, column) + depth;
                let height = surface[row * ground.columns() + column];
                assert!((height - level).abs() < 1e-6, "{row} {column}");
            }
        }
    }
    assert!(shores > 50, "{shores}");
}

#[test]
fn dry_ground_is_above_the_surface() {
    for sea in [None, Some(-0.1)] {
        let Water {
            ground,
            surface,
            rivers,
        } = water(|scene| {
            scene.water.enabled = sea.is_some();
            scene.water.level = sea.unwrap_or_default();
        });
        let lowest = ground.range().0;
        let mut wet = 0;
        for (index, height) in surface.iter().enumerate() {
            let (row, column) = (index / ground.columns(), index % ground.columns());
            let own = ground.at(row, column);
            assert!(*height >= sea.unwrap_or(lowest));
            if sea.is_some_and(|sea| own < sea) {
                assert_eq!(Some(*height), sea, "{row} {column}");
            } else if rivers.part_at(column as f32, row as f32, 1.0) * 255.0 < 0.5 {
                assert!(*height <= own, "{row} {column}: {height} {own}");
            } else {
                wet += 1;
            }
        }
        assert!(wet > 100, "{wet}");
    }
}

#[test]
fn rivers_have_the_height_of_the_picture() {
    let Water {
        surface, rivers, ..
    } = water(|_| {});
    let mut count = 0;
    for (index, height) in surface.iter().enumerate() {
        let columns = rivers.lakes.columns();
        let (row, column) = (index / columns, index % columns);
        if rivers.part.at(row, column)[0] == 255 {
            count += 1;
            let drawn = rivers.surface.at(row, column);
            assert!((height - drawn).abs() < 1e-6, "{row} {column}");
        }
    }
    assert!(count > 50, "{count}");
}

#[test]
fn a_dry_scene_has_its_lowest_height_everywhere() {
    let folder = folder();
    let words = "generate --seed 5 --iterations 5";
    succeed(folder.path(), &format!("{words} -o h.npy"));
    succeed(
        folder.path(),
        &format!("{words} --map water-surface -o w.npy"),
    );
    let [(_, heights), (_, water)] = ["h.npy", "w.npy"].map(|name| npy(&folder.path().join(name)));
    let lowest = heights.into_iter().reduce(f32::min);
    assert!(water.iter().all(|height| Some(*height) == lowest));
}

#[test]
fn whole_numbers_mean_the_metres_of_the_heights() {
    let folder = folder();
    let sea = "--set water.enabled=true --set water.level=-0.05";
    for words in [
        WET.to_owned(),
        format!("{WET} {sea}"),
        format!("{WET} {sea} --samples 100"),
        format!("{WET} {sea} --samples pow2"),
        format!("{WET} --levels 1"),
        format!("{WET} --region 3,5,120,110"),
        format!("{SCENE} {sea} --set surface.diamond_square.edges=free --samples pow2"),
        format!("{SCENE} {sea} --range -400m,400m"),
    ] {
        let of = |name: &str| {
            let map = format!("generate {words} --map {name} -o x.png --force");
            assert!(
                crate::common::landform(folder.path(), &map)
                    .status
                    .success()
            );
            let text = std::fs::read(folder.path().join("x.png.json")).unwrap();
            let sidecar: serde_json::Value = serde_json::from_slice(&text).unwrap();
            let keys = ["metres_at_0", "metres_from_0_to_highest", "engines"];
            (
                crate::common::grey(&folder.path().join("x.png")),
                keys.map(|key| sidecar[key].clone()),
            )
        };
        let ((ground_width, ground_height, ground), in_metres) = of("heights");
        let ((width, height, water), water_in_metres) = of("water-surface");
        assert_eq!((width, height), (ground_width, ground_height), "{words}");
        assert_eq!(water_in_metres, in_metres, "{words}");
        assert!(water_in_metres[0].is_number());
        let dry = water.iter().zip(&ground).filter(|(water, own)| water < own);
        let wet = water.iter().zip(&ground).filter(|(water, own)| water > own);
        assert!(dry.count() > 100 && wet.count() > 10, "{words}");
    }
}

#[test]
fn a_sea_above_all_land_is_clipped_and_said() {
    let folder = folder();
    let words = format!("generate {SCENE} --set water.enabled=true --set water.level=9");
    let output = crate::common::landform(
        folder.path(),
        &format!("{words} --map water-surface -o w.png"),
    );
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.success() && said.contains("1089 samples"),
        "{said}"
    );
    succeed(
        folder.path(),
        &format!("{words} --map water-surface -o w.npy"),
    );
    let (_, water) = npy(&folder.path().join("w.npy"));
    assert!(water.iter().all(|height| *height == 9.0));
}

#[test]
fn parts_equal_the_whole_on_any_number_of_threads() {
    let folder = folder();
    let map = format!("generate {WET} --set water.enabled=true --set water.level=-0.1");
    let make = |words: &str, name: &str| {
        succeed(
            folder.path(),
            &format!("{map} {words} --map water-surface -o {name}"),
        );
        std::fs::read(folder.path().join(name)).unwrap()
    };
    let one = make("--threads 1", "one.npy");
    assert!(make("--threads 3", "three.npy") == one);
    let numbers = |name: &str| npy(&folder.path().join(name)).1;
    let whole = numbers("one.npy");
    make("--region 10,20,50,30", "part.npy");
    let tiles = "--tiles 2x2 --map water-surface -o tile-{row}-{column}.npy";
    succeed(folder.path(), &format!("{map} {tiles}"));
    make("--flip", "flipped.npy");
    let part = numbers("part.npy");
    for (row, line) in part.chunks(50).enumerate() {
        assert_eq!(line, &whole[(20 + row) * 129 + 10..][..50]);
    }
    let tile = numbers("tile-1-1.npy");
    for (row, line) in tile.chunks(65).enumerate() {
        assert_eq!(line, &whole[(64 + row) * 129 + 64..][..65]);
    }
    let flipped = numbers("flipped.npy");
    let southern = whole.chunks(129).rev().flatten();
    assert!(flipped.iter().eq(southern));
}

#[test]
fn finer_levels_keep_the_water_of_the_map() {
    let folder = folder();
    let make = |words: &str, name: &str| {
        let map = format!("generate {WET} {words} --map water-surface -o {name}");
        succeed(folder.path(), &map);
        npy(&folder.path().join(name)).1
    };
    let (coarse, fine) = (make("", "a.npy"), make("--levels 2", "b.npy"));
    let base = coarse.iter().copied().fold(f32::INFINITY, f32::min);
    let columns = 4 * 128 + 1;
    let mut water = 0;
    for (index, height) in coarse.iter().enumerate() {
        let (row, column) = (index / 129, index % 129);
        if *height > base {
            water += 1;
            let finer = fine[4 * row * columns + 4 * column];
            assert!((finer - height).abs() < 1e-6, "{row} {column}");
        }
    }
    assert!(water > 100, "{water}");
}

#[test]
fn geotiff_holds_metres() {
    let folder = folder();
    let words = format!("generate {SCENE} --set water.enabled=true --set water.level=-0.125");
    succeed(
        folder.path(),
        &format!("{words} --map water-surface -o w.tif"),
    );
    let file = std::fs::File::open(folder.path().join("w.tif")).unwrap();
    let mut tiff = tiff::decoder::Decoder::new(file).unwrap();
    let tiff::decoder::DecodingResult::F32(metres) = tiff.read_image().unwrap() else {
        panic!("floats");
    };
    // A half tile is 150 m.
    assert!(metres.iter().all(|metres| *metres == -18.75));
    let text = std::fs::read(folder.path().join("w.tif.json")).unwrap();
    let sidecar: serde_json::Value = serde_json::from_slice(&text).unwrap();
    assert_eq!(sidecar["unit"], "metres");
    assert_eq!(sidecar["map"], "water-surface");
}

#[test]
fn deep_levels_are_refused_in_one_line() {
    let folder = folder();
    let words = "generate --iterations 31 --map water-surface --region 0,0,9,9 -o x.npy";
    let said = crate::common::landform(folder.path(), words);
    let said = String::from_utf8_lossy(&said.stderr).into_owned();
    assert!(
        said.starts_with("error: ") && said.lines().count() == 1,
        "{said}"
    );
}
