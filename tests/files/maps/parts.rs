//! Tiles and regions of maps are parts of the whole.

use super::*;

#[test]
fn regions_and_tiles_equal_the_whole() {
    let folder = folder();
    let pixels = |name: &str| image::open(folder.path().join(name)).unwrap().into_rgb16();
    // Streamed, made whole, and free at its borders.
    for (index, scene) in [
        "--seed 3",
        "--seed 3 --set modifiers.0.kind=invert",
        "--seed 3 --set surface.diamond_square.edges=free",
    ]
    .iter()
    .enumerate()
    {
        for map in ["normal", "slope"] {
            let words = format!("generate {scene} --iterations 5 --map {map} --format png");
            let name = |part: &str| format!("{map}-{index}-{part}.png");
            let whole = name("whole");
            succeed(folder.path(), &format!("{words} -o {whole}"));
            let whole = pixels(&whole);
            for region in [[0, 0, 33, 33], [0, 20, 9, 13], [24, 0, 9, 9], [5, 6, 7, 8]] {
                let [x, y, w, h] = region;
                let part = name("part");
                succeed(
                    folder.path(),
                    &format!("{words} --region {x},{y},{w},{h} -o {part}"),
                );
                let part = pixels(&part);
                assert_eq!(part.dimensions(), (w, h));
                for (column, row, pixel) in part.enumerate_pixels() {
                    let wanted = whole.get_pixel(x + column, y + row);
                    assert_eq!(
                        pixel, wanted,
                        "{map} of {scene} at {column}, {row} of {region:?}"
                    );
                }
            }
            let tile = format!("{map}-{index}-{{row}}-{{column}}.png");
            succeed(folder.path(), &format!("{words} --tiles 2x2 -o {tile}"));
            let tile = pixels(&format!("{map}-{index}-1-0.png"));
            for (column, row, pixel) in tile.enumerate_pixels() {
                assert_eq!(pixel, whole.get_pixel(column, 16 + row));
            }
        }
    }
}

#[test]
fn tiles_of_masks_and_curvature_share_whole_range() {
    let folder = folder();
    let words = "generate --seed 3 --iterations 5 --map";
    for (map, name) in [
        ("curvature", "c"),
        ("splat-rgba --set view.palette=martz", "s"),
    ] {
        succeed(folder.path(), &format!("{words} {map} -o {name}.png"));
        let tiles = format!("--tiles 2x2 -o {name}-{{row}}-{{column}}.png");
        succeed(folder.path(), &format!("{words} {map} {tiles}"));
        let pixels = |name: String| image::open(folder.path().join(name)).unwrap().into_rgba16();
        let (whole, tile) = (
            pixels(format!("{name}.png")),
            pixels(format!("{name}-1-1.png")),
        );
        for (column, row, pixel) in tile.enumerate_pixels() {
            assert_eq!(pixel, whole.get_pixel(16 + column, 16 + row), "{map}");
        }
    }
}

#[test]
fn a_planet_has_normals_too() {
    let folder = folder();
    let words = "generate --iterations 31 --map normal --region 0,2147483600,65,49 -o n.png";
    succeed(folder.path(), words);
    let image = image::open(folder.path().join("n.png")).unwrap();
    assert_eq!((image.width(), image.height()), (65, 49));
}
