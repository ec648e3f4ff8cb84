//! The map that an elevation model opens as: relief, contours, the legend of elevation, and hatched holes.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use landform::import;
use landform::job::Job;
use landform::render::{HeadlessRenderer, RenderRequest};
use landform::scene::{RenderType, Scene};

use crate::offscreen::Desk;
use crate::pictures::{Picture, check_golden, landscape};

/// Samples along a side, and the column and row range without data.
const SIDE: usize = 97;
const HOLE: std::ops::Range<usize> = 60..84;

/// Writes an elevation model in metres with a hole in its south-east.
fn elevation_model(folder: &Path) -> PathBuf {
    let mut text = format!(
        "ncols {SIDE}\nnrows {SIDE}\nxllcorner 600000\nyllcorner 5400000\ncellsize 30\n\
         NODATA_value -9999\n"
    );
    for row in 0..SIDE {
        for column in 0..SIDE {
            let (x, y) = (column as f32 / 96.0, row as f32 / 96.0);
            let hill = (-((x - 0.35).powi(2) + (y - 0.4).powi(2)) * 9.0).exp();
            let waves = (x * 17.0 + 3.0 * (y * 9.0).sin()).sin() * 25.0;
            let height = match HOLE.contains(&row) && HOLE.contains(&column) {
                true => -9999.0,
                false => 420.0 + 760.0 * hill + waves * (1.0 - y),
            };
            write!(text, "{height:.2} ").unwrap();
        }
        text.push('\n');
    }
    let file = folder.join("hills.asc");
    std::fs::write(&file, text).unwrap();
    file
}

/// The scene that an elevation model opens as.
fn opened() -> (tempfile::TempDir, Scene) {
    let folder = tempfile::tempdir().unwrap();
    let scene = import::open(&elevation_model(folder.path())).unwrap();
    (folder, scene)
}

/// Pixels that differ between two pictures.
fn changed(a: &Picture, b: &Picture) -> Vec<bool> {
    let pairs = a.as_slice().iter().zip(b.as_slice());
    pairs.map(|(a, b)| a != b).collect()
}

#[test]
fn elevation_model_opens_as_a_map_with_relief() {
    let (_folder, scene) = opened();
    assert_eq!(scene.view.render_type, RenderType::Map);
    assert!(scene.analysis.hillshade && scene.analysis.contours && scene.analysis.legend);
    let (low, high) = (scene.surface.input_low, scene.surface.input_high);
    let metres = f64::from(scene.surface.tile_size_m) / 2.0;
    assert!((f64::from(low) * metres - 395.0).abs() < 30.0, "{low}");
    assert!((f64::from(high) * metres - 1180.0).abs() < 30.0, "{high}");
}

#[test]
fn plain_grey_image_opens_as_a_plain_map() {
    let scene = import::open(Path::new("builtin:jacksboro")).unwrap();
    assert_eq!(scene.view.render_type, RenderType::Map);
    assert!(!scene.analysis.hillshade && !scene.analysis.contours);
}

#[test]
fn map_of_an_elevation_model_matches_the_golden_one() {
    let (_folder, mut scene) = opened();
    scene.view.scale_bar = true;
    let mut desk = Desk::new();
    desk.update(&scene);
    let picture = desk.picture(&scene, (400, 300));
    check_golden("elevation_map", &picture).unwrap();
}

#[test]
fn the_legend_never_covers_the_scale_bar() {
    let (_folder, mut scene) = opened();
    scene.view.scale_bar = true;
    let mut desk = Desk::new();
    desk.update(&scene);
    for size in [(400, 225), (400, 400), (230, 600), (1280, 720), (600, 1400)] {
        let mut take = |legend: bool, scale_bar: bool| {
            let mut scene = scene.clone();
            scene.analysis.legend = legend;
            scene.view.scale_bar = scale_bar;
            desk.picture(&scene, size)
        };
        let (bare, bar) = (take(false, false), take(false, true));
        let (legend, both) = (take(true, false), take(true, true));
        let (of_bar, of_legend) = (changed(&bare, &bar), changed(&bar, &both));
        assert!(of_bar.contains(&true) && of_legend.contains(&true));
        let overlaps = of_bar.iter().zip(&of_legend).any(|(a, b)| *a && *b);
        assert!(!overlaps, "{size:?}");
        // The legend of elevation makes it higher than that of the contours alone.
        let row_of = |index: usize| index / size.0 as usize;
        let drawn = changed(&bare, &legend);
        let first = drawn.iter().position(|changed| *changed).unwrap();
        let last = drawn.iter().rposition(|changed| *changed).unwrap();
        let letters = (size.0.min(size.1) as f32 / 52.0).max(10.0);
        assert!(
            (row_of(last) - row_of(first)) as f32 > 4.5 * letters,
            "{size:?}"
        );
    }
}

/// Pixels of the middle of the hole, in a picture of 600 × 600.
fn of_hole(picture: &Picture) -> Vec<[u8; 3]> {
    let at = |index: usize| 25 + index * 550 / SIDE;
    let inside = at(HOLE.start + 4)..at(HOLE.end - 4);
    let rows = inside.clone();
    rows.flat_map(|row| picture.row(row)[inside.clone()].to_vec())
        .collect()
}

#[test]
fn samples_without_data_are_hatched() {
    let (_folder, mut scene) = opened();
    scene.analysis.contours = false;
    let mut desk = Desk::new();
    desk.update(&scene);
    let pixels = of_hole(&desk.picture(&scene, (600, 600)));
    assert!(
        pixels.iter().all(|[r, g, b]| r == g && g == b),
        "grey alone"
    );
    let part = |is: fn(u8) -> bool| {
        let count = pixels.iter().filter(|pixel| is(pixel[0])).count();
        count as f64 / pixels.len() as f64
    };
    let (light, dark) = (part(|grey| grey > 170), part(|grey| grey < 120));
    assert!(light > 0.5 && dark > 0.08 && dark < 0.4, "{light} {dark}");
}

#[test]
fn hatching_goes_on_between_pieces() {
    let (_folder, scene) = opened();
    let mut studio = HeadlessRenderer::new().expect("OpenGL 3.3");
    let land = landscape(&scene);
    let size = (1300, 700);
    let whole = studio.picture(&land, size).expect("a picture");
    let mut rows: Vec<[u8; 3]> = Vec::new();
    let shot = RenderRequest::new(size);
    let taken: Result<(), crate::offscreen::Failed> =
        studio.expose(&land, &scene.camera, shot, &Job::new(), |band| {
            rows.extend(band.as_slice().iter().map(|p| [p[0], p[1], p[2]]));
            Ok(())
        });
    taken.expect("a picture");
    assert_eq!(rows, whole.as_slice());
}
