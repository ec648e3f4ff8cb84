//! What is drawn while the landscape at hand is not yet that of the scene: never a picture that
//! contradicts its own scene.

use std::time::Duration;

use crate::pictures::{landscape, scene};
use crate::rows::{changed, rows};
use landform::app::invalidation::{is_made, shown};
use landform::app::state::history::difference;
use landform::app::worker::{COARSE_ITERATIONS, Worker};
use landform::generate::MOST_SHOWN;
use landform::generate::pins::Pin;
use landform::inputs::Inputs;
use landform::job::Job;
use landform::layer::Layer;
use landform::modify::{Modifier, ModifierKind};
use landform::pipeline::Pipeline;
use landform::render::{Headless, HeadlessRenderer, Renderer};
use landform::scene::{RenderType, Scene, Section};

const SIZE: (u32, u32) = (72, 48);

/// A small scene of that type; with all that can be switched on beside it, or without.
fn small(render_type: RenderType, full: bool) -> Scene {
    let mut small = scene(
        "surface.iterations=4 surface.pin_level=2 teximage.iterations=4 clouds.iterations=3 \
         camera.pitch=30 fog.density=0.4",
    );
    small.view.render_type = render_type;
    if full {
        small.surface.pins = vec![Pin {
            height: 0.4,
            ..Pin::default()
        }];
        small.layers = vec![Layer::default()];
        small.modifiers = ModifierKind::ALL
            .iter()
            .map(|kind| Modifier::new(*kind))
            .collect();
        small.water.enabled = true;
        small.view.tile = 2;
        small.analysis.contours = true;
        small.analysis.hillshade = true;
        small.section = LINE;
    }
    small
}

const LINE: Section = Section {
    from: [-0.5, 0.0],
    to: [0.5, 0.3],
};

/// `before` with one thing changed: each row of each table, and what is in no table.
fn edits(before: &Scene) -> Vec<(String, Scene)> {
    let of_rows = rows(before)
        .into_iter()
        .map(|row| (row.path(), changed(before, &row)));
    let mut edits: Vec<_> = of_rows.collect();
    let mut edit = |what: &str, act: &dyn Fn(&mut Scene)| {
        let mut after = before.clone();
        act(&mut after);
        edits.push((what.to_owned(), after));
    };
    edit("view.palette", &|scene| {
        scene.view.palette = "desert".into()
    });
    edit("view.pass", &|scene| scene.view.pass = Some(1.5));
    edit("camera.target", &|scene| {
        scene.camera.target = [0.3, 0.1, 0.0]
    });
    edit("section", &|scene| {
        scene.section = match scene.section.is_drawn() {
            true => Section::default(),
            false => LINE,
        }
    });
    edit("layers", &|scene| scene.layers.push(Layer::default()));
    for kind in ModifierKind::ALL {
        edit(kind.name(), &|scene| {
            scene.modifiers.push(Modifier::new(*kind))
        });
    }
    edits
}

#[test]
fn picture_between_two_landscapes_matches_its_scene() {
    let headless = Headless::new().unwrap();
    let facade = headless.facade();
    let mut studio = HeadlessRenderer::new().unwrap();
    let mut renderer = Renderer::new(facade).unwrap();
    for render_type in RenderType::ALL {
        for full in [false, true] {
            let before = small(*render_type, full);
            renderer.update(facade, &landscape(&before)).unwrap();
            for (what, after) in edits(&before) {
                let shown = shown(&before, &after);
                assert_eq!(is_made(&before, &after), shown == after);
                if shown == before {
                    continue;
                }
                renderer.draw(facade, &shown, SIZE).unwrap();
                let drawn = renderer.read_picture().unwrap();
                let expected = studio.picture(&landscape(&shown), SIZE).unwrap();
                assert!(
                    drawn.as_slice() == expected.as_slice(),
                    "{render_type}, {full}: {what} is drawn otherwise than it is rendered"
                );
            }
        }
    }
}

#[test]
fn what_makes_the_ground_asks_for_another_landscape() {
    for full in [false, true] {
        let before = small(RenderType::Landscape, full);
        for (what, after) in edits(&before) {
            let heights = |scene: &Scene| landscape(scene).heights.heights().to_vec();
            if heights(&before) != heights(&after) {
                assert!(!is_made(&before, &after), "{what}");
                assert_eq!(shown(&before, &after), before, "{what}");
            }
        }
    }
}

#[test]
fn every_table_row_has_words_in_undo() {
    let mut before = small(RenderType::Landscape, true);
    before.section = Section::default();
    for row in rows(&before) {
        let words = difference(&before, &changed(&before, &row));
        let alone = words.split(" (").next().unwrap();
        let whole = match row.place.as_str() {
            "path" => "film",
            _ => row.label,
        };
        assert_eq!(alone, whole, "{}", row.path());
        let in_list = row
            .place
            .split('.')
            .any(|step| step.parse::<usize>().is_ok());
        assert_eq!(in_list, words.contains('('), "{}: {words}", row.path());
    }
}

#[test]
fn a_coarse_landscape_says_that_it_is_coarse() {
    let worker = Worker::start(|| ());
    let mut fine = Scene::default();
    fine.surface.iterations = COARSE_ITERATIONS + 5;
    worker.request(fine.clone(), false);
    let made = worker.wait(Duration::from_secs(120)).made.unwrap();
    assert!(made.coarse);
    let again = landscape(&made.landscape.scene);
    assert_eq!(made.landscape.heights.rows(), again.heights.rows());
    assert!(made.landscape.heights.heights() == again.heights.heights());
}

#[test]
fn modifier_sees_all_samples_of_a_thinned_map() {
    let mut scene = Scene::default();
    scene.surface.iterations = 13;
    scene.view.render_type = RenderType::Map;
    let mut pipeline = Pipeline::default();
    let mut rows = |scene: &Scene| {
        let made = pipeline.run(scene, &Inputs::default(), &Job::new());
        made.unwrap().heights.rows()
    };
    assert_eq!(rows(&scene), MOST_SHOWN);
    scene.modifiers = vec![Modifier::new(ModifierKind::Invert)];
    assert_eq!(rows(&scene), (1 << 13) + 1);
    scene.modifiers.clear();
    assert_eq!(rows(&scene), MOST_SHOWN);
}
