//! Snow as a map of its own, in the heights and in the colours.

use crate::common::{fail, folder, npy, succeed};

/// Hills with snow, without anything that is not a file of this test.
const SCENE: &str = "--generator fourier --seed 4 --iterations 6 --height-scale 0.6 \
    --set surface.tile_size_m=200 --set snow.enabled=true --set snow.line=-0.1 \
    --set view.render_type=landscape";

#[test]
fn depths_and_the_surface_of_the_snow_agree() {
    let folder = folder();
    let place = |name: &str| folder.path().join(name);
    let make = |words: &str| succeed(folder.path(), &format!("generate {SCENE} {words}"));
    make("-o ground.npy");
    make("--snow -o surface.npy");
    make("--map snow -o depth.npy -o depth.tif");
    let [ground, surface, depth] =
        ["ground.npy", "surface.npy", "depth.npy"].map(|name| npy(&place(name)).1);
    let mut deepest = 0.0_f32;
    for ((ground, surface), depth) in ground.iter().zip(&surface).zip(&depth) {
        // A half tile is 100 m.
        assert!(
            (surface - ground - depth / 100.0).abs() < 1e-6,
            "{ground} {surface} {depth}"
        );
        assert!(*depth >= 0.0);
        deepest = deepest.max(*depth);
    }
    assert!(deepest > 1.0, "{deepest}");
    assert!(depth.contains(&0.0));
    let sidecar = std::fs::read_to_string(place("depth.npy.json")).unwrap();
    let sidecar: serde_json::Value = serde_json::from_str(&sidecar).unwrap();
    assert_eq!(sidecar["unit"], "m");
    // Without snow there is none, in a map as in heights.
    make("--set snow.enabled=false --map snow -o none.npy");
    assert!(npy(&place("none.npy")).1.iter().all(|depth| *depth == 0.0));
    make("--set snow.enabled=false --snow -o same.npy");
    assert_eq!(npy(&place("same.npy")).1, ground);
}

#[test]
fn cover_is_a_mask_of_the_snow() {
    let folder = folder();
    let place = |name: &str| folder.path().join(name);
    let make = |words: &str| succeed(folder.path(), &format!("generate {SCENE} {words}"));
    make("--map snow -o depth.npy");
    make("--map snow-cover -o cover.npy -o cover.png");
    let [depth, cover] = ["depth.npy", "cover.npy"].map(|name| npy(&place(name)).1);
    for (depth, cover) in depth.iter().zip(&cover) {
        // A quarter of a metre hides the ground.
        let expected = (depth / 0.25).min(1.0);
        assert!((cover - expected).abs() < 1e-5, "{depth}: {cover}");
    }
    let between = cover.iter().filter(|cover| (0.05..0.95).contains(*cover));
    assert!(between.count() > 20 && cover.contains(&0.0) && cover.contains(&1.0));
    let grey = image::open(place("cover.png")).unwrap().into_luma16();
    for (grey, cover) in grey.iter().zip(&cover) {
        assert!((f32::from(*grey) / 65535.0 - cover).abs() < 1e-4);
    }
    make("--region 10,20,30,15 --map snow-cover -o part.npy");
    let (_, part) = npy(&place("part.npy"));
    assert_eq!(part[..30], cover[20 * 65 + 10..][..30]);
    make("--set snow.enabled=false --map snow-cover -o none.npy");
    assert!(npy(&place("none.npy")).1.iter().all(|cover| *cover == 0.0));
}

#[test]
fn parts_and_levels_have_the_snow_of_the_whole() {
    let folder = folder();
    let place = |name: &str| folder.path().join(name);
    let make = |words: &str| succeed(folder.path(), &format!("generate {SCENE} --snow {words}"));
    make("-o all.npy");
    make("--region 10,20,30,15 -o part.npy");
    make("--tiles 2x2 -o tile-{row}-{column}.npy");
    make("--levels 1 -o finer.npy");
    let depth = format!("generate {SCENE} --map snow --levels 1 -o depth.npy");
    succeed(folder.path(), &depth);
    succeed(
        folder.path(),
        &format!("generate {SCENE} --levels 1 -o bare.npy"),
    );
    let (_, all) = npy(&place("all.npy"));
    let (shape, part) = npy(&place("part.npy"));
    assert_eq!(shape, [15, 30]);
    for (row, line) in part.chunks(30).enumerate() {
        assert_eq!(line, &all[(20 + row) * 65 + 10..][..30], "row {row}");
    }
    let (_, tile) = npy(&place("tile-1-1.npy"));
    assert_eq!(tile[..33], all[32 * 65 + 32..][..33]);
    let (shape, finer) = npy(&place("finer.npy"));
    assert_eq!(shape, [129, 129]);
    let [bare, depth] = ["bare.npy", "depth.npy"].map(|name| npy(&place(name)).1);
    for ((finer, bare), depth) in finer.iter().zip(bare).zip(depth) {
        assert!((finer - bare - depth / 100.0).abs() < 1e-6);
    }
    for row in 0..65 {
        for column in 0..65 {
            assert_eq!(finer[2 * row * 129 + 2 * column], all[row * 65 + column]);
        }
    }
}

#[test]
fn snow_is_white_in_the_albedo_of_a_landscape() {
    let folder = folder();
    let white = |words: &str| {
        succeed(
            folder.path(),
            &format!("generate {SCENE} {words} --map albedo -o a.png"),
        );
        let picture = image::open(folder.path().join("a.png"))
            .unwrap()
            .into_rgb8();
        picture
            .pixels()
            .filter(|pixel| pixel.0.iter().all(|channel| *channel > 225))
            .count()
    };
    let [with, without] = ["", "--set snow.enabled=false"].map(white);
    assert!(with > without + 500, "{with} {without}");
}

#[test]
fn snow_on_what_are_no_heights_is_refused_in_a_line() {
    let folder = folder();
    let words = format!("generate {SCENE} --snow --map slope -o slope.png");
    let said = ["`slope` is not a map of heights, and only those can have snow on them"];
    fail(folder.path(), &words, 2, &said);
}
