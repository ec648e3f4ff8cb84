//! Rivers and lakes on the levels below the ground.

use std::sync::Arc;

use landform::fractal::region::Window;
use landform::grid::Grid;
use landform::inputs::Inputs;
use landform::job::Job;
use landform::pipeline::{Landscape, Lattice, Pipeline};
use landform::scene::Scene;

fn scene(settings: &str) -> Scene {
    settings
        .split_whitespace()
        .fold(Scene::default(), |scene, setting| {
            let (key, value) = setting.split_once('=').unwrap();
            scene.with(key, value).unwrap()
        })
}

fn land(settings: &str) -> Landscape {
    Pipeline::default()
        .run(&scene(settings), &Inputs::default(), &Job::new())
        .unwrap()
}

/// Land with rivers and lakes.
const WET: &str = "surface.generator=fourier surface.iterations=7 surface.seed=3 \
                   modifiers.0.kind=erosion water.rivers=true water.springs=0.6";

/// All samples of so many levels below, row by row, and how many there are in each.
fn below(lattice: &Lattice<'_>, levels: u32) -> (Vec<f64>, usize) {
    let level = lattice.level() + levels;
    let [across, down] = lattice.last(level).map(|last| last as usize + 1);
    let all = Window {
        row: 0,
        column: 0,
        rows: down,
        columns: across,
    };
    (lattice.heights(level, all), across)
}

#[test]
fn map_samples_have_water_height_to_last_row() {
    for edges in ["wrap", "free"] {
        let made = land(&format!(
            "{WET} surface.generator=diamond-square surface.diamond_square.edges={edges}"
        ));
        let rivers = made.rivers.as_ref().expect("rivers");
        let lattice = Lattice::new(made.below.as_ref().unwrap(), 1).unwrap();
        let (heights, columns) = below(&lattice, 2);
        let surface = &rivers.surface;
        for row in 0..surface.rows() {
            for column in 0..surface.columns() {
                let off =
                    heights[4 * row * columns + 4 * column] - f64::from(surface.at(row, column));
                assert!(off.abs() < 1e-6, "{edges} {row} {column}: {off}");
            }
        }
        // No wall at the border: from the last row but one to the last it rises as elsewhere.
        let rises = |row: usize| {
            let line = |row: usize| &heights[row * columns..][..columns];
            let pairs = line(row).iter().zip(line(row + 1));
            pairs.map(|(a, b)| (b - a).abs()).sum::<f64>() / columns as f64
        };
        let last = heights.len() / columns - 1;
        let usual = (0..last).map(rises).sum::<f64>() / last as f64;
        for row in [last - 4, last - 3, last - 2, last - 1] {
            assert!(
                rises(row) < 4.0 * usual,
                "{edges} {row}: {} {usual}",
                rises(row)
            );
        }
    }
}

#[test]
fn lakes_are_level_between_the_samples() {
    let made = land(WET);
    let rivers = made.rivers.as_ref().expect("rivers");
    let lattice = Lattice::new(made.below.as_ref().unwrap(), 1).unwrap();
    let (surface, ground) = (&rivers.surface, &made.heights);
    let mut cells = 0;
    for row in 0..surface.rows() - 1 {
        for column in 0..surface.columns() - 1 {
            let corners = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(r, c)| (row + r, column + c));
            let level = surface.at(row, column);
            let is_lake = corners.iter().all(|(r, c)| {
                surface.at(*r, *c) == level
                    && ground.at(*r, *c) < level
                    && rivers.part.at(*r, *c)[0] == 255
            });
            if !is_lake {
                continue;
            }
            cells += 1;
            let window = Window {
                row: (row as i64) << 5,
                column: (column as i64) << 5,
                rows: 33,
                columns: 33,
            };
            let heights = lattice.heights(lattice.level() + 5, window);
            let flat = heights
                .iter()
                .all(|height| (height - f64::from(level)).abs() < 1e-6);
            assert!(flat, "{row} {column}");
        }
    }
    assert!(cells > 3, "{cells} cells of lakes");
}

/// Rivers of very large maps are made on some of their samples, which need not divide the sides.
#[test]
fn thinned_map_water_lies_on_all_samples() {
    let (rows, columns) = (13, 4500);
    let heights = (0..rows * columns).map(|index| {
        let (row, column) = (index / columns, index % columns);
        // A valley that falls to the east, with a pit in it.
        let pit = 0.3 * (1.0 - ((column as f32 - 3000.0) / 300.0).abs()).max(0.0);
        let slope = 0.9 - 0.2 * column as f32 / columns as f32;
        slope - pit + 0.01 * (row as f32 - 6.0).abs()
    });
    let image = Grid::from_vec(rows, columns, heights.collect()).unwrap();
    let mut inputs = Inputs::default();
    inputs.images.insert("valley.png".into(), Arc::new(image));
    let scene = scene(
        "surface.generator=image surface.input=valley.png surface.image.size=native \
         water.rivers=true water.springs=0.3",
    );
    let made = Pipeline::default()
        .run(&scene, &inputs, &Job::new())
        .unwrap();
    let rivers = made.rivers.as_ref().expect("rivers");
    assert_eq!(made.heights.columns(), columns);
    assert_eq!(rivers.surface.columns(), columns / 2 + 1);
    let lattice = Lattice::new(made.below.as_ref().unwrap(), 1).unwrap();
    let mut surface = Vec::new();
    for row in 0..rows as i64 {
        let line = Window {
            row,
            column: 0,
            rows: 1,
            columns,
        };
        surface.push(lattice.heights(lattice.level(), line));
    }
    // The pit is a lake, and level from sample to sample.
    let lake = &surface[6][2960..3030];
    let level = lake[0];
    assert!(
        lake.iter().all(|height| (height - level).abs() < 1e-6),
        "{lake:?}"
    );
    assert!(level > f64::from(made.heights.at(6, 3000)) + 0.01);
    // Every sample that rivers have is theirs, the last ones too.
    for row in 0..rivers.surface.rows() {
        for column in 0..rivers.surface.columns() {
            let here = surface[2 * row][(2 * column).min(columns - 1)];
            let off = here - f64::from(rivers.surface.at(row, column));
            assert!(off.abs() < 1e-6, "{row} {column}: {off}");
        }
    }
}
