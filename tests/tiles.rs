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
fn a_region_is_the_same_rectangle_of_the_whole_map() {
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
fn tiles_join_at_their_borders_and_make_the_map() {
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
fn what_does_not_fit_is_refused_on_one_line() {
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
        "generate --region 0,0,9,9 -o x.stl",
        &["stl takes whole maps"],
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
