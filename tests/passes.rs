//! Diamond-square as it stands after each half step.

use landform::fractal::passes::{Point, after_half_steps};
use landform::generate::{Inputs, Surface};
use landform::heightmap::Heightmap;
use landform::job::Job;
use landform::pipeline::Pipeline;
use landform::scene::Scene;

fn map(iterations: u32) -> Heightmap {
    let surface = Surface {
        seed: 7,
        iterations,
        ..Surface::default()
    };
    surface
        .generate(&Inputs::default(), &Job::new(), None)
        .unwrap()
}

#[test]
fn two_passes_go_through_the_five_states_of_the_article() {
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
fn computed_points_have_their_final_height_and_the_others_lie_between() {
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
fn the_pipeline_shows_the_pass_that_the_scene_asks_for() {
    let mut scene = Scene::default();
    scene.surface.iterations = 4;
    let mut pipeline = Pipeline::default();
    let mut rows_at = |pass| {
        scene.view.pass = pass;
        let landscape = pipeline
            .run(&scene, &Inputs::default(), &Job::new())
            .unwrap();
        (landscape.surface.rows(), landscape.points.is_some())
    };
    assert_eq!(rows_at(Some(1.5)), (5, true));
    assert_eq!(rows_at(Some(0.0)), (2, true));
    assert_eq!(rows_at(Some(9.0)), (17, true));
    assert_eq!(rows_at(None), (17, false));
    assert!(Scene::default().with("view.pass", "1.25").is_err());
}
