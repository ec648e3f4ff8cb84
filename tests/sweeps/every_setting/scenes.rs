//! The scenes of which every control is used.

use std::path::Path;

use landform::generate::Generator;
use landform::generate::fault::Profile;
use landform::generate::pins::Pin;
use landform::layer::{Layer, Operation};
use landform::mask::{By, Mask};
use landform::modify::erosion::BaseLevel;
use landform::modify::{Modifier, ModifierKind};
use landform::scene::{CameraMode, PlantKind, PlantLayer, RenderType, RockKind, Scene, SunBy};

/// Scenes that together use every row: each generator and render type, a few modifiers of each.
pub fn scenes() -> Vec<Scene> {
    let count = Generator::ALL.len().max(RenderType::ALL.len());
    let nth = |index: usize| {
        let mut scene = Scene::default();
        let surface = &mut scene.surface;
        surface.generator = Generator::ALL[index % Generator::ALL.len()];
        (surface.iterations, surface.pin_level) = (4, 2);
        surface.pins = vec![Pin::default()];
        // With a step there is no width.
        surface.fault.profile = Profile::Ramp;
        if surface.takes_image() && index > 0 {
            surface.input = Some("builtin:jacksboro".into());
        }
        (scene.teximage.iterations, scene.clouds.iterations) = (4, 3);
        scene.view.render_type = RenderType::ALL[index % RenderType::ALL.len()];
        if index == 0 {
            // A ridge line is one of its own, and `midpoint-1d` has one.
            scene.view.render_type = RenderType::Lines;
        }
        scene.camera.mode = CameraMode::ALL[index % CameraMode::ALL.len()];
        scene.camera.target[1] = 1.0;
        if scene.view.render_type == RenderType::Triangles {
            // So near that the ground goes on below its last iteration.
            (scene.camera.target[1], scene.camera.distance) = (0.3, 0.5);
        }
        scene.light.by = SunBy::ALL[index % SunBy::ALL.len()];
        (scene.water.enabled, scene.water.rivers) = (true, true);
        scene.analysis.contours = true;
        (scene.snow.enabled, scene.snow.line) = (true, -1.0);
        // Without a kind of rock nothing of it acts.
        scene.rock.kind = RockKind::ALL[1 + index % (RockKind::ALL.len() - 1)];
        scene.layers = vec![Layer {
            operation: Operation::ALL[index % Operation::ALL.len()],
            own_size: true,
            surface: landform::generate::Surface {
                iterations: 3,
                ..Default::default()
            },
            ..Layer::default()
        }];
        // Only lower plants need light, and all grow in the snow.
        scene.plants = [PlantKind::Spruce, PlantKind::Shrub]
            .map(|kind| PlantLayer {
                kind,
                snow: 900.0,
                ..PlantLayer::default()
            })
            .to_vec();
        let modifiers = ModifierKind::ALL.iter().skip(index).step_by(count);
        scene.modifiers = modifiers.map(|kind| Modifier::new(*kind)).collect();
        // What goes by water has a scene of its own.
        let mut dry = By::ALL
            .iter()
            .filter(|by| **by != By::WaterDistance)
            .cycle();
        mask(&mut scene, *dry.nth(index + 1).unwrap());
        scene
    };
    let mut scenes: Vec<_> = (0..count).map(nth).collect();
    // Points that are known take the place of others.
    let mut known = nth(0);
    for surface in [&mut known.surface, &mut known.layers[0].surface] {
        surface.input = Some("builtin:jacksboro".into());
        surface.diamond_square.input_level = 2;
    }
    // So does a base level that is a height.
    let mut erosion = Modifier::new(ModifierKind::Erosion);
    erosion.erosion.base = BaseLevel::Height;
    known.modifiers = vec![erosion];
    // And what has eroded is coloured.
    known.view.render_type = RenderType::Map;
    scenes.push(known);
    // It comes last, when all else has been used: without the water there is no land.
    let landscape = RenderType::ALL
        .iter()
        .position(|t| *t == RenderType::Landscape);
    let mut shore = nth(landscape.unwrap());
    mask(&mut shore, By::WaterDistance);
    scenes.insert(0, shore);
    scenes
}

/// Puts a mask over every step.
fn mask(scene: &mut Scene, by: By) {
    for mask in masks(scene) {
        mask.by = by;
        mask.second.by = by;
    }
}

/// The masks of every step.
fn masks(scene: &mut Scene) -> impl Iterator<Item = &mut Mask> {
    let layers = scene.layers.iter_mut().map(|layer| &mut layer.mask);
    let plants = scene.plants.iter_mut().map(|layer| &mut layer.mask);
    let modifiers = scene.modifiers.iter_mut().map(|m| &mut m.mask);
    layers.chain(modifiers).chain(plants)
}

/// The scene with an image beside the pictures in its masks, so that the one of the program is
/// another.
pub fn with_image(scene: &Scene, home: &Path) -> Scene {
    let image = home.join("pictures/grey.png");
    std::fs::create_dir(home.join("pictures")).unwrap();
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/heightmaps/jacksboro.png");
    std::fs::copy(own, &image).unwrap();
    let mut scene = scene.clone();
    for mask in masks(&mut scene) {
        mask.image.path.clone_from(&image);
        mask.second.image.path.clone_from(&image);
    }
    scene
}
