//! Levels below the last iteration as files.

use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

fn landform(folder: &Path, words: &str) -> assert_cmd::assert::Assert {
    Command::cargo_bin("landform")
        .unwrap()
        .args(words.split_whitespace())
        .current_dir(folder)
        .assert()
}

fn made(folder: &Path, words: &str) {
    landform(folder, &format!("generate {words}")).success();
}

/// The numbers of an `.npy` by another reader, and whether they have 64 bits.
fn numbers(folder: &Path, name: &str) -> (Vec<f64>, [usize; 2], bool) {
    let bytes = std::fs::read(folder.join(name)).unwrap();
    let file = npyz::NpyFile::new(&bytes[..]).unwrap();
    let shape = [file.shape()[0] as usize, file.shape()[1] as usize];
    if let Ok(double) = npyz::NpyFile::new(&bytes[..]).unwrap().into_vec::<f64>() {
        return (double, shape, true);
    }
    let single = file.into_vec::<f32>().unwrap();
    (single.into_iter().map(f64::from).collect(), shape, false)
}

fn sidecar(folder: &Path, name: &str) -> Value {
    let text = std::fs::read_to_string(folder.join(format!("{name}.json"))).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Every `step`-th number of every `step`-th row.
fn thinned((numbers, [_, columns], _): &(Vec<f64>, [usize; 2], bool), step: usize) -> Vec<f64> {
    let rows = numbers.chunks(*columns).step_by(step);
    rows.flat_map(|row| row.iter().step_by(step).copied())
        .collect()
}

#[test]
fn any_ground_goes_on_and_its_heights_stay() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (scene, own) in [
        ("--seed 3 --iterations 6", true),
        ("--seed 3 --iterations 6 --set detail.hurst=0.3", true),
        ("erosion --iterations 6", false),
        ("hill --iterations 6", false),
        ("perlin --iterations 6", false),
    ] {
        made(folder, &format!("{scene} -o base.npy"));
        made(folder, &format!("{scene} --levels 3 -o whole.npy"));
        made(
            folder,
            &format!("{scene} --levels 3 --region 100,20,90,60 -o part.npy"),
        );
        let (base, whole) = (numbers(folder, "base.npy"), numbers(folder, "whole.npy"));
        assert_eq!((whole.1, whole.2), ([513, 513], false), "{scene}");
        assert_eq!(thinned(&whole, 8), base.0, "{scene}");
        let (part, shape, _) = numbers(folder, "part.npy");
        assert_eq!(shape, [60, 90]);
        let rows = whole.0.chunks(513).skip(20).take(60);
        let expected: Vec<_> = rows.flat_map(|row| &row[100..190]).copied().collect();
        assert_eq!(part, expected, "{scene}");
        if own && !scene.contains("detail") {
            made(folder, "--seed 3 --iterations 9 -o more.npy");
            assert_eq!(numbers(folder, "more.npy").0, whole.0);
        }
    }
}

#[test]
fn imported_map_of_any_shape_is_a_base() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    made(folder, "--iterations 5 --region 3,4,21,13 -o model.npy");
    // Without it the file is numbers alone.
    std::fs::remove_file(folder.join("model.npy.json")).unwrap();
    made(folder, "model.npy --levels 2 -o fine.npy");
    let fine = numbers(folder, "fine.npy");
    assert_eq!(fine.1, [49, 81]);
    let base = numbers(folder, "model.npy");
    let scale = thinned(&fine, 4)[0] - base.0[0];
    for (fine, base) in thinned(&fine, 4).iter().zip(&base.0) {
        assert!((fine - base - scale).abs() < 1e-6, "{fine} {base}");
    }
}

#[test]
fn deep_regions_keep_all_bits_or_a_base() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let scene = "erosion --iterations 6 --levels";
    let region = "--region 50000000000,99999999998,33,17";
    made(
        folder,
        &format!("{scene} 35 {region} -o d.npy -o d.r32 -o d.tif -o d.png -o d.asc"),
    );
    let (exact, shape, is_double) = numbers(folder, "d.npy");
    assert_eq!((shape, is_double), ([17, 33], true));
    let distinct: std::collections::BTreeSet<_> = exact.iter().map(|h| h.to_bits()).collect();
    assert!(distinct.len() > 17 * 33 * 99 / 100);
    // The level above has every second of them, bit for bit.
    let above = "--region 25000000000,49999999999,17,9";
    made(folder, &format!("{scene} 34 {above} -o above.npy"));
    let (above, _, _) = numbers(folder, "above.npy");
    assert_eq!(thinned(&(exact.clone(), shape, true), 2), above);
    // Numbers of 32 bits are above the base that the sidecar says.
    let (raw, said) = (
        std::fs::read(folder.join("d.r32")).unwrap(),
        sidecar(folder, "d.r32"),
    );
    let base = said["base"].as_f64().unwrap();
    let raw = raw
        .as_chunks::<4>()
        .0
        .iter()
        .map(|bytes| f64::from(f32::from_le_bytes(*bytes)));
    for (raw, exact) in raw.zip(&exact) {
        let height = base + raw;
        assert!(
            (height - exact).abs() <= f64::EPSILON * exact.abs(),
            "{height} {exact}"
        );
    }
    let range = exact.iter().fold([f64::MAX, f64::MIN], |[low, high], h| {
        [low.min(*h), high.max(*h)]
    });
    for (key, end) in [("min", range[0]), ("max", range[1])] {
        assert!((said[key].as_f64().unwrap() - end).abs() < 1e-15, "{key}");
    }
    assert!(sidecar(folder, "d.npy")["base"].is_null());
    assert_eq!(sidecar(folder, "d.npy")["metres_at_0"], 0.0);
    // GeoTIFF says it as GDAL's offset, in metres.
    let bytes = std::fs::read(folder.join("d.tif")).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    let (_, offset) = text.split_once("role=\"offset\">").unwrap();
    let offset: f64 = offset.split_once('<').unwrap().0.parse().unwrap();
    assert!((offset / (base * 1000.0) - 1.0).abs() < 1e-15);
    let said = sidecar(folder, "d.tif")["metres_at_0"].as_f64().unwrap();
    assert!((said / offset - 1.0).abs() < 1e-15);
    // Whole numbers span the region's own heights.
    let steps = image::open(folder.join("d.png")).unwrap().into_luma16();
    let steps: Vec<_> = steps.pixels().map(|pixel| pixel.0[0]).collect();
    assert_eq!(
        (steps.iter().min(), steps.iter().max()),
        (Some(&0), Some(&65_535))
    );
    let said = sidecar(folder, "d.png");
    let low = said["metres_at_0"].as_f64().unwrap() / 1000.0;
    assert!((low - range[0]).abs() < 1e-15);
    // The way north or south changes the order alone.
    made(folder, &format!("{scene} 35 {region} --flip -o south.npy"));
    let south: Vec<_> = numbers(folder, "south.npy").0;
    let back: Vec<_> = south.chunks(33).rev().flatten().copied().collect();
    assert_eq!(back, exact);
    // Slopes go by differences, which are there at every depth.
    made(
        folder,
        &format!("{scene} 35 {region} --map slope -o slope.npy"),
    );
    let (slopes, _, _) = numbers(folder, "slope.npy");
    let distinct: std::collections::BTreeSet<_> = slopes.iter().map(|s| s.to_bits()).collect();
    assert!(distinct.len() > 17 * 33 * 9 / 10, "{}", distinct.len());
}

#[test]
fn neighbours_join_at_every_depth_around_the_tile() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let last = (1_u64 << 44) - 16;
    for (name, column) in [("west", 0), ("east", last)] {
        let region = format!("--region {column},12345678901,17,9");
        made(
            folder,
            &format!("erosion --iterations 6 --levels 38 {region} -o {name}.npy"),
        );
    }
    let (west, east) = (numbers(folder, "west.npy").0, numbers(folder, "east.npy").0);
    for row in 0..9 {
        assert_eq!(west[row * 17].to_bits(), east[row * 17 + 16].to_bits());
    }
}

#[test]
fn what_cannot_be_is_refused_in_one_line() {
    for (words, wanted) in [
        ("--levels 61", "0 to 60"),
        ("--levels -1", "0 to 60"),
        ("--levels x", "0 to 60"),
        (
            "--levels 13",
            "allowed below 8 iterations is 0 to 12, or more with --region",
        ),
        (
            "erosion --levels 6",
            "allowed below 10 iterations is 0 to 5, or more with --region",
        ),
        (
            "erosion --levels 51 --region 0,0,2,2",
            "allowed below 10 iterations is 0 to 50",
        ),
        (
            "--levels 53 --region 0,0,2,2",
            "allowed below 8 iterations is 0 to 52",
        ),
        (
            "midpoint-1d --levels 1",
            "a ridge line has no levels below it",
        ),
        ("--iterations 61 --region 0,0,2,2", "allowed: 1 to 60"),
        (
            "--iterations 60 --h 1 --region 0,0,2,2",
            "more than 64 bits; allowed: down to level 47",
        ),
        (
            "--levels 3 --region 2048,0,2,2",
            "within the map of 2049 × 2049",
        ),
        (
            "--levels 40 --region 99999999999999999,0,2,2",
            "within the map of 281474976710657",
        ),
        (
            "--levels 40 --region 0,0,2,2 --map splat --range 0,1",
            "32-bit heights, which reach down to level 20",
        ),
        ("--levels 40 --region 0,0,400000,400000", "MB of memory"),
        (
            "--levels 1 --map clouds",
            "regions, tiles, levels and other sizes need",
        ),
        ("--set detail.hurst=2", "detail.hurst is 2; allowed: 0 to 1"),
        (
            "--set detail.strength=11",
            "detail.strength is 11; allowed: 0 to 10",
        ),
        ("--set detail.precision=half", "precision"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let name = if words.contains("--map") {
            "x{band}.png"
        } else {
            "x.npy"
        };
        let words = format!("generate {words} -o {name}");
        let output = landform(folder.path(), &words)
            .failure()
            .get_output()
            .clone();
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(text.lines().count(), 1, "{words}: {text}");
        assert!(text.contains(wanted), "{words}: {text}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
