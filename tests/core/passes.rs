//! Diamond-square as it stands after each half step.

use landform::fractal::passes::{Point, after_half_steps, after_passes, displaced};
use landform::generate::{Images, Surface};
use landform::heightmap::Heightmap;
use landform::inputs::Inputs;
use landform::job::Job;
use landform::pipeline::{Landscape, Pipeline, next_range, pass_range};
use landform::scene::{RenderType, Scene};

fn map(iterations: u32) -> Heightmap {
    let surface = Surface {
        seed: 7,
        iterations,
        ..Surface::default()
    };
    surface
        .generate(&Images::default(), &Job::new(), None)
        .unwrap()
}

#[test]
fn two_passes_follow_the_articles_five_states() {
    let finished = map(2);
    let picture = |half_steps| {
        let (map, points) = after_half_steps(&finished, half_steps);
        let rows = (0..map.rows()).map(|row| {
            let line = points.row(row).iter().map(|point| match point {
                Point::Absent => '.',
                Point::Old => 'o',
                Point::New => 'x',
            });
            line.collect::<String>()
        });
        rows.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(picture(0), "xx xx");
    assert_eq!(picture(1), "o.o .x. o.o");
    assert_eq!(picture(2), "oxo xox oxo");
    assert_eq!(picture(3), "o.o.o .x.x. o.o.o .x.x. o.o.o");
    assert_eq!(picture(4), "oxoxo xoxox oxoxo xoxox oxoxo");
}

#[test]
fn computed_points_are_final_and_others_lie_between() {
    let finished = map(4);
    for half_steps in 0..=8 {
        let (state, points) = after_half_steps(&finished, half_steps);
        let stride = 16 / (state.rows() - 1);
        for row in 0..state.rows() {
            for column in 0..state.columns() {
                let final_height = finished.at(row * stride, column * stride);
                let height = state.at(row, column);
                if points.at(row, column) != Point::Absent {
                    assert_eq!(height, final_height);
                } else if row % 2 == 0 {
                    let ends = (state.at(row, column - 1), state.at(row, column + 1));
                    assert_eq!(height, (ends.0 + ends.1) * 0.5);
                } else {
                    let ends = (state.at(row - 1, column), state.at(row + 1, column));
                    assert_eq!(height, (ends.0 + ends.1) * 0.5);
                }
            }
        }
    }
    assert_eq!(after_half_steps(&finished, 8).0, finished);
}

#[test]
fn pipeline_shows_the_pass_the_scene_requests() {
    let mut scene = Scene::default();
    scene.surface.iterations = 4;
    let mut pipeline = Pipeline::default();
    let mut rows_at = |pass| {
        scene.view.pass = pass;
        let landscape = pipeline
            .run(&scene, &Inputs::default(), &Job::new())
            .unwrap();
        (landscape.heights.rows(), landscape.points.is_some())
    };
    assert_eq!(rows_at(Some(1.5)), (5, true));
    assert_eq!(rows_at(Some(0.0)), (2, true));
    assert_eq!(rows_at(Some(9.0)), (17, true));
    assert_eq!(rows_at(None), (17, false));
    assert!(Scene::default().with("view.pass", "1.25").is_err());
}

#[test]
fn very_large_map_shows_every_second_sample() {
    use landform::generate::MOST_SHOWN;
    let surface = Surface {
        seed: 3,
        iterations: 13,
        ..Surface::default()
    };
    let shown = surface.generate_shown(&Images::default(), &Job::new(), None);
    // More iterations move no point: it is also the map of one iteration fewer.
    let coarser = Surface {
        iterations: 12,
        ..surface
    };
    let coarser = coarser.generate(&Images::default(), &Job::new(), None);
    let (shown, coarser) = (shown.unwrap(), coarser.unwrap());
    assert_eq!(shown.rows(), MOST_SHOWN);
    assert!(shown == coarser);
}

#[test]
fn new_points_move_within_their_pass_range() {
    use landform::fractal::Edges;
    use landform::generate::diamond_square::Scaling;
    for edges in [Edges::Wrap, Edges::Free] {
        for scaling in [Scaling::PerPass, Scaling::PerHalfStep] {
            let mut scene = Scene::default();
            scene.surface.iterations = 5;
            scene.surface.diamond_square.edges = edges;
            scene.surface.diamond_square.scaling = scaling;
            let finished = scene
                .surface
                .generate(&Images::default(), &Job::new(), None)
                .unwrap();
            for half_steps in 1..=10 {
                scene.view.pass = Some(half_steps as f32 / 2.0);
                let range = pass_range(&scene).unwrap();
                let (state, points) = after_half_steps(&finished, half_steps);
                let moved = displaced(&state, &points);
                let new = points.as_slice().iter().filter(|p| **p == Point::New);
                assert_eq!(moved.len(), new.count());
                let farthest = moved
                    .iter()
                    .map(|p| (state.at(p.row, p.column) - p.mean).abs())
                    .fold(0.0, f32::max);
                assert!(farthest <= range * 1.000_01, "{farthest} > {range}");
                // Many points come near the end of their range.
                assert!(
                    moved.len() < 16 || farthest > range * 0.8,
                    "{farthest} of {range}"
                );
            }
        }
    }
}

/// A ridge after that many passes, or finished.
fn ridge(pass: Option<f32>) -> Landscape {
    let mut scene = Scene::default();
    scene.surface.iterations = 4;
    scene.view.render_type = RenderType::Ridge;
    scene.view.pass = pass;
    let made = Pipeline::default().run(&scene, &Inputs::default(), &Job::new());
    made.unwrap()
}

#[test]
fn ridge_shows_the_pass_the_scene_requests() {
    let columns = |pass| ridge(pass).heights.columns();
    assert_eq!(columns(Some(0.0)), 2);
    assert_eq!(columns(Some(1.0)), 3);
    // It has no half passes, and no more passes than iterations.
    assert_eq!(columns(Some(2.5)), 5);
    assert_eq!(columns(Some(9.0)), 17);
    assert_eq!(columns(None), 17);
    assert!(ridge(None).points.is_none());
    assert_eq!(ridge(Some(2.0)).size(), [1, 17]);
}

#[test]
fn points_of_a_ridge_are_final_and_new_ones_marked() {
    let finished = ridge(None).heights;
    for passes in 0..=4 {
        let (state, points) = after_passes(&finished, passes);
        let stride = 16 >> passes;
        let kept = finished.row(0).iter().step_by(stride);
        assert_eq!(state.row(0), kept.copied().collect::<Vec<_>>());
        let marks = points.row(0).iter().map(|point| match point {
            Point::New => 'x',
            Point::Old => 'o',
            Point::Absent => '.',
        });
        let wanted = ["xx", "oxo", "oxoxo", "oxoxoxoxo", "oxoxoxoxoxoxoxoxo"];
        assert_eq!(marks.collect::<String>(), wanted[passes as usize]);
    }
}

#[test]
fn next_pass_of_a_ridge_stays_within_its_bars() {
    for pass in 0..4u8 {
        let (now, next) = (ridge(Some(pass.into())), ridge(Some(f32::from(pass) + 1.0)));
        let range = next_range(&now.scene).expect("a pass follows");
        assert_eq!(pass_range(&next.scene), Some(range));
        for (segment, ends) in now.heights.row(0).windows(2).enumerate() {
            let moved = next.heights.at(0, 2 * segment + 1) - 0.5 * (ends[0] + ends[1]);
            assert!(moved.abs() <= range, "{pass} {segment}: {moved} {range}");
        }
    }
    assert_eq!(next_range(&ridge(Some(4.0)).scene), None);
    assert_eq!(next_range(&ridge(None).scene), None);
    let mut lattice = Scene::default();
    lattice.view.pass = Some(1.0);
    assert_eq!(next_range(&lattice), None);
}
