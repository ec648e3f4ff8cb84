//! Watersheds: of land whose water is known by hand, at the point itself and at the river beside it.

use std::collections::BTreeSet;

use landform::analysis::{FARTHEST, edge_distances};
use landform::drainage::Drainage;
use landform::grid::Grid;
use landform::heightmap::Heightmap;
use landform::inputs::Inputs;
use landform::job::Job;
use landform::measure::{End, PourPoint, SNAP, Watershed, watershed};
use landform::pipeline::{Pipeline, ShownWatershed, StageDone};
use landform::scene::{RenderType, Scene};

const SIDE: usize = 201;

fn at(map: &Heightmap, sea: Option<f32>, place: [f32; 2], snaps: bool) -> Watershed {
    let point = PourPoint { place, snaps };
    watershed(map, sea, point, &Job::new()).unwrap().unwrap()
}

/// A map of 201 × 201 samples, 0.01 apart, by x and z.
fn map(wraps: bool, height: impl Fn(f32, f32) -> f32) -> Heightmap {
    let place = |index: usize| index as f32 / 100.0 - 1.0;
    let heights: Vec<f32> = (0..SIDE * SIDE)
        .map(|index| height(place(index % SIDE), place(index / SIDE)))
        .collect();
    Heightmap::new(SIDE, SIDE, wraps, heights)
}

/// A valley along x = 0 that falls to the south.
fn valley() -> Heightmap {
    map(false, |x, z| x.abs() - 0.1 * z)
}

#[test]
fn a_point_beside_a_river_means_the_river() {
    let map = valley();
    let beside = [0.01, 0.5];
    let exact = at(&map, None, beside, false);
    let snapped = at(&map, None, beside, true);
    assert_eq!((exact.row, exact.column, exact.moved), (150, 101, 0.0));
    assert_eq!(snapped.column, 100);
    // The river downstream drains more, within what a point snaps.
    assert!(snapped.row > 150 && snapped.moved > 0.0 && snapped.moved <= 2.0 * SNAP);
    assert!(snapped.area > 10.0 * exact.area, "{}", exact.area);
    // All land north of the ends of the lines of steepest descent, at most.
    let above = snapped.row as f64 * 201.0 * 1e-4;
    assert!(snapped.area > 0.5 * above && snapped.area <= above + 0.03);
    assert_eq!(snapped.end, End::Border);
    // From the northern border, along the river, and a side's half before that.
    let river = snapped.row as f64 * 0.01;
    assert!(snapped.longest >= river && snapped.longest < river + 1.5);
    // Far from any river it is a hillside.
    let hillside = at(&map, None, [0.5, 0.5], true);
    assert!(hillside.area < 0.05 && hillside.moved <= 2.0 * SNAP);
}

#[test]
fn watershed_land_counts_once_and_ends_above_sea() {
    // A cone whose foot stands in the sea.
    let cone = map(false, |x, z| 0.5 - x.hypot(z));
    let sea = Some(0.0);
    let drainage = Drainage::of(&cone, sea, &Job::new()).unwrap();
    for place in [[0.2, 0.1], [-0.3, 0.2], [0.0, 0.49], [0.5, 0.0]] {
        for snaps in [false, true] {
            let found = at(&cone, sea, place, snaps);
            let cells = found.cells.iter().filter(|cell| **cell).count();
            assert!(cells > 0 && (found.area - cells as f64 * 1e-4).abs() < 1e-9);
            let land = cone.heights().iter().filter(|height| **height > 0.0);
            assert!((found.share - cells as f64 / land.count() as f64).abs() < 1e-12);
            assert_eq!(found.end, End::Sea);
            for (cell, belongs) in found.cells.iter().enumerate() {
                assert!(!belongs || cone.heights()[cell] > 0.0);
            }
            // Its longest way begins at a spring of it.
            let outlet = drainage.cell(found.row, found.column);
            let length = |cell: usize| {
                let next = |cell: &usize| drainage.receiver(*cell).filter(|_| *cell != outlet);
                let way = std::iter::successors(Some(cell), next);
                way.filter(|cell| *cell != outlet)
                    .map(|cell| f64::from(drainage.step(cell).unwrap()))
                    .sum::<f64>()
            };
            let members = (0..found.cells.len()).filter(|cell| found.cells[*cell]);
            let longest = members.map(length).fold(0.0, f64::max) * 0.01;
            assert!((found.longest - longest).abs() < 1e-6);
        }
    }
    // The sea drains nothing, and means the mouth of a river where one is near.
    assert!(at(&cone, sea, [0.8, 0.8], true).is_empty());
    assert!(!at(&cone, sea, [0.51, 0.0], true).is_empty());
    assert!(!at(&cone, sea, [0.2, 0.0], false).is_empty());
}

#[test]
fn lake_point_means_everything_draining_into_it() {
    // A bowl whose rim is lowest in the south.
    let bowl = map(false, |x, z| {
        let away = x.hypot(z);
        let rim = 0.5 - 0.1 * z / away.max(0.1);
        if away < 0.5 {
            away - 0.5 + rim
        } else {
            rim - (away - 0.5)
        }
    });
    let [middle, east] = [[0.0, 0.0], [0.2, 0.1]].map(|place| at(&bowl, None, place, true));
    assert_eq!(middle.cells, east.cells);
    // So does one at its shore, which is in the north where the bowl is 0.3 wide.
    for z in [-0.29, -0.31] {
        let shore = at(&bowl, None, [0.0, z], true);
        assert!(shore.cells == middle.cells, "{z}");
    }
    assert!(middle.in_lake && middle.row > 140, "{}", middle.row);
    let inside = std::f64::consts::PI * 0.25;
    assert!((middle.area - inside).abs() < 0.05, "{}", middle.area);
    let exact = at(&bowl, None, [0.2, 0.1], false);
    assert!(exact.in_lake && exact.moved == 0.0 && exact.area < middle.area);
}

#[test]
fn border_of_a_wrapping_tile_is_no_end() {
    // The valley of the tile runs along its border.
    let wave = map(true, |x, z| {
        let turn = std::f32::consts::PI;
        (x * turn).cos() + 0.1 * (z * turn).cos()
    });
    let [west, east] = [[-0.985, 0.9], [0.985, 0.9]].map(|place| at(&wave, None, place, true));
    assert_eq!((west.row, west.column), (east.row, east.column));
    assert_eq!(west.cells, east.cells);
    assert!(
        west.moved <= 2.0 * SNAP && west.share > 0.3,
        "{}",
        west.share
    );
    assert_eq!((west.end, west.column), (End::Lowest, 0));
}

#[test]
fn outlet_watersheds_partition_land_on_any_threads() {
    let mut scene = Scene::default();
    scene.surface.iterations = 5;
    let inputs = Inputs::default();
    let land = landform::pipeline::heights(&scene, &inputs, &Job::new()).unwrap();
    for sea in [Some(0.0), None] {
        let of_threads = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let all = || {
                let drainage = Drainage::of(&land, sea, &Job::new()).unwrap();
                let outlets = (0..drainage.cells()).filter(|c| drainage.receiver(*c).is_none());
                let of_outlet = |cell: usize| {
                    let place = [land.x(cell % 32), land.z(cell / 32)];
                    let point = PourPoint {
                        place,
                        snaps: false,
                    };
                    Watershed::of(&land, &drainage, sea, point)
                };
                outlets.map(of_outlet).collect::<Vec<_>>()
            };
            pool.build().unwrap().install(all)
        };
        let all = of_threads(1);
        for cell in 0..32 * 32 {
            let times = all.iter().filter(|found| found.cells[cell]).count();
            let is_land = sea.is_none_or(|sea| land.at(cell / 32, cell % 32) > sea);
            assert_eq!(times, usize::from(is_land), "{cell}");
        }
        for threads in [2, 7] {
            assert!(of_threads(threads) == all, "{threads} threads");
        }
    }
}

fn scene_with(point: [f32; 2]) -> Scene {
    let mut scene = Scene::default();
    scene.surface.iterations = 7;
    scene.view.render_type = RenderType::Map;
    scene.water.rivers = true;
    scene.analysis.watershed = Some(point);
    scene
}

fn run(pipeline: &mut Pipeline, scene: &Scene) -> (Option<ShownWatershed>, Vec<StageDone>) {
    let mut done = Vec::new();
    let landscape = pipeline
        .run_observed(scene, &Inputs::default(), &Job::new(), &mut |stage| {
            done.push(stage);
        })
        .unwrap();
    (landscape.watershed.map(|shown| (*shown).clone()), done)
}

#[test]
fn landscape_has_watershed_and_computes_flow_once() {
    use StageDone::{Drainage, Rivers, Surface};
    let pipeline = &mut Pipeline::default();
    let scene = scene_with([0.3, 0.2]);
    let (first, done) = run(pipeline, &scene);
    let first = first.unwrap();
    assert_eq!(done, [Surface, Drainage, StageDone::Watershed, Rivers]);
    let map = landform::pipeline::heights(&scene, &Inputs::default(), &Job::new()).unwrap();
    assert_eq!(first.watershed, at(&map, None, [0.3, 0.2], true));
    // Rivers are those of the same scene without a watershed.
    let with = landscape_rivers(&scene);
    let mut without = scene.clone();
    without.analysis.watershed = None;
    assert!(with == landscape_rivers(&without));
    // What is above 128 is the land, whose edge has a byte a sample.
    let edge = &first.edge;
    assert_eq!((edge.values.rows(), edge.values.columns()), (128, 128));
    let inside = edge.values.as_slice().iter().map(|byte| *byte > 128);
    assert!(inside.eq(first.watershed.cells.iter().copied()));
    // Another point costs neither heights nor drainage.
    let (second, done) = run(pipeline, &scene_with([-0.6, 0.1]));
    assert_eq!(done, [StageDone::Watershed]);
    assert_ne!(second.unwrap().watershed.cells, first.watershed.cells);
    let (none, done) = run(pipeline, &without);
    assert_eq!((none, done), (None, vec![]));
    // Without ground, or before the last pass, there is none.
    for change in ["view.render_type=sky", "view.pass=2", "view.render_type=1d"] {
        let (key, value) = change.split_once('=').unwrap();
        let (none, _) = run(pipeline, &scene.with(key, value).unwrap());
        assert_eq!(none, None, "{change}");
    }
}

fn landscape_rivers(scene: &Scene) -> Option<landform::rivers::Rivers> {
    let landscape = Pipeline::default().run(scene, &Inputs::default(), &Job::new());
    landscape.unwrap().rivers.map(|rivers| (*rivers).clone())
}

#[test]
fn edge_distances_reach_the_nearest_other_cell() {
    let (rows, columns) = (23, 41);
    // A spot, and a cell alone.
    let belongs = |row: usize, column: usize| {
        let (down, along) = (row as f32 - 3.0, column as f32 - 8.0);
        down.hypot(along) < 5.5 || (row, column) == (20, 38)
    };
    let cells = (0..rows * columns).map(|index| belongs(index / columns, index % columns));
    let grid = Grid::from_vec(rows, columns, cells.collect()).unwrap();
    for wraps in [false, true] {
        let distances = edge_distances(&grid, wraps, &Job::new()).unwrap();
        let apart = |a: usize, b: usize, count: usize| {
            let apart = a.abs_diff(b);
            apart.min(if wraps { count - apart } else { apart })
        };
        let mut seen = BTreeSet::new();
        for index in 0..rows * columns {
            let (row, column) = (index / columns, index % columns);
            let others = (0..rows * columns)
                .filter(|other| grid.at(other / columns, other % columns) != grid.at(row, column));
            let nearest = others.map(|other| {
                let down = apart(other / columns, row, rows);
                let along = apart(other % columns, column, columns);
                ((down * down + along * along) as f32).sqrt() - 0.5
            });
            let nearest = nearest.fold(FARTHEST as f32, f32::min);
            let sign = if grid.at(row, column) { 1.0 } else { -1.0 };
            let wanted = (128.0 + sign * 8.0 * nearest).round() as u8;
            assert_eq!(distances.at(row, column), wanted, "{row} {column}");
            seen.insert(wanted);
        }
        assert!(seen.len() > 10);
    }
}

#[test]
fn the_point_is_kept_set_and_checked() {
    let scene = Scene::default();
    assert!(!scene.to_toml().contains("watershed = "));
    let set = scene.with("analysis.watershed", "[0.25, -1]").unwrap();
    assert_eq!(set.analysis.watershed, Some([0.25, -1.0]));
    assert_eq!(Scene::parse(&set.to_toml()).unwrap(), set);
    for wrong in ["[0.25, -1.5]", "[nan, 0.0]", "[0.1]", "0.1", "east"] {
        let refused = scene.with("analysis.watershed", wrong).unwrap_err();
        assert_eq!(refused.to_string().lines().count(), 1, "{wrong}");
    }
}
