//! Erosion in a scene: the water it ends at, what it is refused for, its progress.

use std::sync::{Arc, Mutex, OnceLock};

use super::{beside, eroded, eroded_by, made};
use landform::generate::Generator;
use landform::inputs::Inputs;
use landform::job::Job;
use landform::layer::Layer;
use landform::modify::erosion::BaseLevel;
use landform::modify::{Modifier, ModifierKind};
use landform::pipeline::{self, Pipeline};
use landform::scene::{RenderType, Scene};

#[test]
fn rivers_end_at_the_water_of_the_scene() {
    let mut scene = Scene::default();
    scene.surface.iterations = 8;
    scene.surface.height_scale = 0.3;
    scene.view.render_type = RenderType::Landscape;
    scene.water.enabled = true;
    let mut erosion = Modifier::new(ModifierKind::Erosion);
    erosion.erosion.base = BaseLevel::Water;
    scene.modifiers = vec![erosion];
    let heights =
        |scene: &Scene| pipeline::heights(scene, &Inputs::default(), &Job::new()).unwrap();
    for level in [-0.05, 0.02] {
        scene.water.level = level;
        let map = heights(&scene);
        // Down from anywhere, each sample has a lower one beside it until the water is reached.
        let (mut rivers, mut ends) = (0, 0.0f32);
        for row in 0..map.rows() {
            for column in 0..map.columns() {
                let height = map.at(row, column);
                let lowest = beside(&map, row, column).map(|(r, c)| map.at(r, c));
                let lowest = lowest.fold(f32::INFINITY, f32::min);
                assert!(height <= level || lowest < height, "{row}, {column}");
                if height > level && lowest <= level {
                    rivers += 1;
                    ends += height - level;
                }
            }
        }
        let mean = ends / rivers as f32;
        assert!(
            rivers > 100 && mean < 0.01,
            "{rivers} ends, {mean} above the water"
        );
        // What is drawn changes nothing about the land.
        scene.view.render_type = RenderType::Triangles;
        assert_eq!(heights(&scene), map);
        scene.view.render_type = RenderType::Landscape;
    }
}

#[test]
fn water_level_matters_only_when_rivers_end_there() {
    let map = made(Generator::Fourier, 3, 8, 0.8);
    let with = |base, water| eroded_by(&map, (5, water), |options| options.base = base);
    for base in [BaseLevel::Share, BaseLevel::Height] {
        assert_eq!(with(base, Some(0.05)), with(base, None));
    }
    let share = with(BaseLevel::Share, None);
    assert_eq!(with(BaseLevel::Water, None), share);
    let low = with(BaseLevel::Water, Some(-0.1));
    let high = with(BaseLevel::Water, Some(0.05));
    assert!(low != high && low != share && high != share);
    let height = eroded(&map, |options| {
        (options.base, options.base_height) = (BaseLevel::Height, 0.05);
    });
    assert_eq!(high, height);
}

#[test]
fn scene_reports_when_nothing_can_erode() {
    let mut scene = Scene {
        modifiers: [ModifierKind::Blur, ModifierKind::Erosion]
            .map(Modifier::new)
            .to_vec(),
        ..Scene::default()
    };
    assert_eq!(scene.notices(), [""; 0]);
    let told = ["modifiers.1: a ridge has nothing to erode, so erosion leaves it as it is"];
    scene.view.render_type = RenderType::Ridge;
    assert_eq!(scene.notices(), told);
    scene.view.render_type = RenderType::Landscape;
    scene.surface.generator = Generator::Midpoint1d;
    assert_eq!(scene.notices(), told);
    scene.modifiers[1].on = false;
    assert_eq!(scene.notices(), [""; 0]);
}

/// Of what comes before erosion there is no progress: it is over at once.
#[test]
fn progress_covers_erosion_from_nothing_to_all() {
    let mut scene = Scene::default();
    scene.surface.iterations = 9;
    scene.layers = vec![Layer::default()];
    scene.modifiers = [
        ModifierKind::Erosion,
        ModifierKind::Invert,
        ModifierKind::Erosion,
    ]
    .map(Modifier::new)
    .to_vec();
    for whole_map in [false, true] {
        // It is looked at whenever somebody asks whether to go on.
        let whole = Arc::new(OnceLock::<Job>::new());
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (looked_at, noted) = (Arc::clone(&whole), Arc::clone(&seen));
        let job = Job::with_pauses(move |_| {
            let mut noted = noted.lock().unwrap();
            noted.extend(looked_at.get().map(Job::progress));
        });
        whole.set(job.clone()).unwrap();
        let inputs = Inputs::default();
        if whole_map {
            pipeline::heights(&scene, &inputs, &job).unwrap();
        } else {
            Pipeline::default().run(&scene, &inputs, &job).unwrap();
        }
        let mut seen = std::mem::take(&mut *seen.lock().unwrap());
        assert!(seen.is_sorted(), "it never goes back");
        seen.dedup();
        let first = seen.iter().find(|part| **part > 0.0);
        assert!(first.is_some_and(|first| *first < 0.2), "{seen:?}");
        assert!(seen.last().is_some_and(|last| *last > 0.8), "{seen:?}");
        assert!(seen.len() > 8, "{seen:?}");
    }
}
