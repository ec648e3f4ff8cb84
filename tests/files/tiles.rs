//! Rectangles and tiles of maps as files.

use std::path::Path;

use assert_cmd::Command;
use landform::grid::Grid;
use landform::import;

fn landform(folder: &Path, words: &str) -> assert_cmd::assert::Assert {
    Command::cargo_bin("landform")
        .unwrap()
        .args(words.split_whitespace())
        .current_dir(folder)
        .assert()
}

fn refused(words: &str, wanted: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let output = landform(folder.path(), words)
        .failure()
        .get_output()
        .clone();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    for word in wanted {
        assert!(text.contains(word), "{word}: {text}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

fn read(folder: &Path, name: &str) -> Grid<f32> {
    import::image(&folder.join(name)).unwrap()
}

#[test]
fn region_equals_that_rectangle_of_the_whole_map() {
    let folder = tempfile::tempdir().unwrap();
    // Streamed, made whole, and of another generator.
    for scene in [
        "--seed 3",
        "--seed 3 --set modifiers.0.kind=invert",
        "--generator perlin",
    ] {
        let map = format!("generate {scene} --iterations 7 -o");
        landform(folder.path(), &format!("{map} whole.npy")).success();
        landform(
            folder.path(),
            &format!("{map} part.npy --region 100,20,29,60"),
        )
        .success();
        let (whole, part) = (
            read(folder.path(), "whole.npy"),
            read(folder.path(), "part.npy"),
        );
        assert_eq!((part.rows(), part.columns()), (60, 29));
        for row in 0..60 {
            assert_eq!(part.row(row), &whole.row(20 + row)[100..129], "{scene}");
        }
    }
}

#[test]
fn whole_number_regions_join_into_the_map() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // Streamed and in memory; heights, a step a metre, and another map.
    for scene in ["--seed 9", "--seed 9 --generator perlin"] {
        for (words, name) in [
            ("", "x.png"),
            ("", "x.r16"),
            ("--format png8", "x.png"),
            ("--format tiff16", "x.tif"),
            ("--range metres", "x.png"),
            ("--range unit", "x.npy"),
            ("--map curvature", "x.png"),
            ("--map flow", "x.png"),
            ("--map wetness", "x.npy"),
            ("--map lakes", "x.r16"),
            ("--map albedo", "x.png"),
        ] {
            let map = format!("generate {scene} --iterations 6 {words} -o");
            landform(folder, &format!("{map} whole-{name}")).success();
            for (column, width) in [(0, 33), (32, 33)] {
                let part = format!("{map} {column}-{name} --region {column},10,{width},40");
                landform(folder, &part).success();
                let pixels = |name: String| -> Vec<Vec<f32>> {
                    if words.ends_with("albedo") {
                        let image = image::open(folder.join(name)).unwrap().into_rgb8();
                        let rows = image
                            .rows()
                            .map(|row| row.flat_map(|pixel| pixel.0.map(f32::from)).collect());
                        return rows.collect();
                    }
                    let map = match name.ends_with("png") {
                        true => {
                            let image = image::open(folder.join(name)).unwrap().into_luma16();
                            let (width, height) = (image.width() as usize, image.height() as usize);
                            let values = image.iter().map(|v| f32::from(*v)).collect();
                            Grid::from_vec(height, width, values).unwrap()
                        }
                        // Floats as the file has them.
                        false if name.ends_with("npy") => {
                            let bytes = std::fs::read(folder.join(&name)).unwrap();
                            let array = npyz::NpyFile::new(&bytes[..]).unwrap();
                            let size = [0, 1].map(|axis| array.shape()[axis] as usize);
                            Grid::from_vec(size[0], size[1], array.into_vec().unwrap()).unwrap()
                        }
                        false => read(folder, &name),
                    };
                    (0..map.rows()).map(|row| map.row(row).to_vec()).collect()
                };
                let (whole, part) = (
                    pixels(format!("whole-{name}")),
                    pixels(format!("{column}-{name}")),
                );
                assert_eq!(part.len(), 40);
                let channels = part[0].len() / width;
                for (row, part) in part.iter().enumerate() {
                    let wanted = &whole[10 + row][column * channels..][..width * channels];
                    assert_eq!(part, wanted, "{scene} {words} {name}");
                }
            }
        }
    }
}

#[test]
fn range_too_costly_to_measure_must_be_given() {
    let part = "generate --iterations 30 --region 700000001,123456789,9,9";
    for output in [
        "-o x.png",
        "-o x.r16",
        "-o x.npy --range unit",
        "-o x.png --map curvature",
    ] {
        let words = format!("{part} {output}");
        refused(&words, &["--range LOW,HIGH", "1073741825"]);
        let code = Command::cargo_bin("landform")
            .unwrap()
            .args(words.split(' '))
            .output();
        assert_eq!(code.unwrap().status.code(), Some(2), "{words}");
    }
    let folder = tempfile::tempdir().unwrap();
    for output in [
        "-o x.png --range -1,1",
        "-o x.npy",
        "-o y.png --range -900m,900m",
    ] {
        landform(folder.path(), &format!("{part} {output}")).success();
    }
    refused(
        "generate --iterations 30 --tiles 64x64 -o {row}-{column}.png",
        &["--range LOW,HIGH"],
    );
}

#[test]
fn a_range_that_clips_says_how_much() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let map = "generate --seed 9 --iterations 6";
    landform(folder, &format!("{map} -o whole.npy")).success();
    let whole = read(folder, "whole.npy");
    let beyond = |low: f32, high: f32| {
        let heights = whole.as_slice().iter();
        heights.filter(|h| **h < low || **h > high).count()
    };
    let count = beyond(-0.1, 0.1);
    assert!(count > 100 && count < 4000, "{count}");
    for output in [
        "x.png",
        "x.r16",
        "x.png --format png8",
        "x.tif --format tiff16",
    ] {
        let words = format!("{map} --range -0.1,0.1 --json -o {output}");
        let done = landform(folder, &words).success().get_output().clone();
        let said = String::from_utf8(done.stderr).unwrap();
        let wanted = format!(
            "warning: {count} samples were outside the range and have been clamped to it\n"
        );
        assert_eq!(said, wanted, "{output}");
        let line: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
        assert_eq!(line["clipped"], count, "{output}");
    }
    // Floats are not clipped, and neither is what fits.
    for output in ["x.npy --range -0.1,0.1", "x.png --range -9,9", "x.png"] {
        let words = format!("{map} --json -o {output}");
        let done = landform(folder, &words).success().get_output().clone();
        assert_eq!(String::from_utf8(done.stderr).unwrap(), "", "{output}");
        let line: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
        assert_eq!(line["clipped"], 0, "{output}");
    }
    // The count is of all tiles together, with shared borders counted twice.
    let words = format!("{map} --range -0.1,0.1 --json --tiles 2x1 -o t{{row}}.png");
    let done = landform(folder, &words).success().get_output().clone();
    let line: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
    let shared = whole.row(32).iter().filter(|h| h.abs() > 0.1).count();
    assert_eq!(line["clipped"], count + shared);
    assert!(
        String::from_utf8(done.stderr)
            .unwrap()
            .contains("outside the range")
    );
}

#[test]
fn tiles_have_the_samples_asked_for_and_join() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let map = "generate --seed 9 --iterations 7 --tiles 2x3";
    for (words, side, overlap) in [
        ("--samples unreal", 127, 1),
        ("--samples 40", 40, 1),
        ("--samples pow2 --overlap 0", 64, 0),
        ("--samples pow2+1 --map slope", 65, 1),
    ] {
        landform(
            folder,
            &format!("{map} {words} -o t-{{row}}-{{column}}.npy"),
        )
        .success();
        let tile = |row, column| read(folder, &format!("t-{row}-{column}.npy"));
        for row in 0..2 {
            for column in 0..3 {
                let size = [tile(row, column).rows(), tile(row, column).columns()];
                // 64 × 42.7 cells: the longer side has as many as asked for.
                assert_eq!(size[0].max(size[1]), side, "{words}: {size:?}");
                if overlap == 1 && column < 2 {
                    let (west, east) = (tile(row, column), tile(row, column + 1));
                    for line in 0..west.rows() {
                        let last = west.columns() - 1;
                        assert_eq!(west.at(line, last), east.at(line, 0), "{words}");
                    }
                }
                if overlap == 1 && row < 1 {
                    let (north, south) = (tile(0, column), tile(1, column));
                    assert_eq!(north.row(north.rows() - 1), south.row(0), "{words}");
                }
            }
        }
    }
}

#[test]
fn tiles_join_at_borders_and_form_the_map() {
    let folder = tempfile::tempdir().unwrap();
    let map = "generate --seed 9 --iterations 6";
    landform(folder.path(), &format!("{map} -o whole.png")).success();
    let whole = read(folder.path(), "whole.png");
    for overlap in [0, 1] {
        let tiles = format!("--tiles 2x4 --overlap {overlap} -o t{overlap}-{{row}}-{{column}}.png");
        landform(folder.path(), &format!("{map} {tiles}")).success();
        for row in 0..2 {
            for column in 0..4 {
                let tile = read(folder.path(), &format!("t{overlap}-{row}-{column}.png"));
                assert_eq!((tile.rows(), tile.columns()), (32 + overlap, 16 + overlap));
                for line in 0..tile.rows() {
                    // One range for all, so grey levels are those of the whole.
                    let expected = &whole.row(32 * row + line)[16 * column..];
                    assert_eq!(tile.row(line), &expected[..tile.columns()]);
                }
            }
        }
    }
}

#[test]
fn a_tile_of_a_planet_knows_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let map = "generate --iterations 31 --set surface.tile_size_m=40000000 --region";
    let region = "1000000000,2000000000,65,33";
    landform(
        folder.path(),
        &format!("{map} {region} -o part.asc -o part.tif"),
    )
    .success();
    let text = std::fs::read_to_string(folder.path().join("part.asc")).unwrap();
    let number = |key: &str| -> f64 {
        let line = text.lines().find(|line| line.starts_with(key)).unwrap();
        line.rsplit(' ').next().unwrap().parse().unwrap()
    };
    let step = 4.0e7 / 2f64.powi(31);
    assert!((number("cellsize") - step).abs() < 1e-9);
    let half = step / 2.0;
    assert!((number("xllcorner") + half - 1e9 * step).abs() < 1e-3);
    let south = (2f64.powi(31) - 2_000_000_032.0) * step;
    assert!((number("yllcorner") + half - south).abs() < 1e-3);
    let sidecar = std::fs::read_to_string(folder.path().join("part.tif.json")).unwrap();
    let sidecar: serde_json::Value = serde_json::from_str(&sidecar).unwrap();
    assert_eq!(sidecar["region"]["row"], 2_000_000_000u64);
    assert_eq!(sidecar["region"]["map_rows"], (1u64 << 31) + 1);
}

#[test]
fn unfitting_regions_and_tiles_get_one_line_refusals() {
    refused(
        "generate --iterations 5 --region 0,0,34,1 -o x.npy",
        &["the region is 0,0,34,1", "33 × 33"],
    );
    refused("generate --region 0,0,0,1 -o x.npy", &["X,Y,W,H"]);
    refused("generate --region 1,2,3 -o x.npy", &["X,Y,W,H"]);
    refused("generate --region -1,2,3,4 -o x.npy", &["X,Y,W,H"]);
    refused(
        "generate --region 18446744073709551615,0,2,2 -o x.npy",
        &["the region is"],
    );
    refused(
        "generate --samples pow2 -o x.stl",
        &["`stl` takes whole maps"],
    );
    refused(
        "generate --iterations 5 --tiles 3x1 -o x{row}.npy",
        &["3x1", "32 × 32"],
    );
    refused(
        "generate --iterations 5 --tiles 2x2 -o x{row}.npy",
        &["{column}"],
    );
    refused("generate --tiles 0x2 -o x.npy", &["ROWSxCOLUMNS"]);
    refused("generate --iterations 25 -o x.npy", &["25", "1 to 20"]);
    refused(
        "generate --iterations 25 --generator perlin --region 0,0,9,9 -o x.npy",
        &["25", "1 to 15"],
    );
    refused(
        "generate --iterations 31 --region 0,0,2147483649,2147483649 -o x.npy",
        &["memory"],
    );
}

#[test]
fn a_long_search_for_the_range_is_announced() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().unwrap();
    let words = "generate --iterations 20 --region 7,7,9,9 -o far.png";
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("landform"))
        .args(words.split_whitespace())
        .current_dir(folder.path())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut said = BufReader::new(child.stderr.take().unwrap());
    said.read_line(&mut line).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(line.contains("1048577 × 1048577 samples first"), "{line}");
    assert!(line.contains("--range"), "{line}");
    for words in [
        "generate --iterations 20 --region 7,7,9,9 --range -2,2 -o far.png",
        "generate --iterations 20 --region 7,7,9,9 -o far.r32",
        "generate --iterations 6 --region 7,7,9,9 -o near.png",
    ] {
        let said = landform(folder.path(), words).success();
        assert!(said.get_output().stderr.is_empty(), "{words}");
    }
}

#[test]
fn tiles_of_samples_hold_each_once() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let pixels: Vec<u16> = (0..500 * 500)
        .map(|place| (place * 7 % 65_521) as u16)
        .collect();
    let bytes: Vec<u8> = pixels
        .iter()
        .flat_map(|pixel| pixel.to_le_bytes())
        .collect();
    std::fs::write(folder.join("map.r16"), bytes).unwrap();
    let map = "generate --generator image --input map.r16 --input-size 500x500";
    landform(folder, &format!("{map} -o whole.npy")).success();
    let tiles = "--tiles 2x2 --overlap 0 -o t{row}{column}.npy";
    landform(folder, &format!("{map} {tiles}")).success();
    let whole = read(folder, "whole.npy");
    for (row, column) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let tile = read(folder, &format!("t{row}{column}.npy"));
        assert_eq!((tile.rows(), tile.columns()), (250, 250));
        for line in 0..250 {
            let expected = &whole.row(250 * row + line)[250 * column..][..250];
            assert_eq!(tile.row(line), expected);
        }
    }
}

#[test]
fn tiles_that_divide_nothing_name_both_ways() {
    refused(
        "generate --generator perlin --iterations 5 --set surface.perlin.edges=free --tiles 5x5 \
         --overlap 0 -o x{row}{column}.npy",
        &[
            "5x5",
            "32 × 32 cells",
            "without overlap, its 33 × 33 samples",
        ],
    );
}
