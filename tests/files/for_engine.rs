//! Folders for engines: their sizes, their files, and what is in them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::common::{folder, names};
use landform::export::{
    self, ENGINES, Engine, EngineFolder, EngineSize, ExportError, Options, Resolution, map_size,
};
use landform::import;
use landform::inputs::Inputs;
use landform::job::Job;
use landform::maps::Map;
use landform::maps::materials::{EXCLUSIVE, NAMES};
use landform::modify::{Modifier, ModifierKind};
use landform::scene::{PlantKind, PlantLayer, Scene};

/// Eroded land with a sea, rivers, snow and spruces.
fn scene() -> Scene {
    let mut scene = Scene::default();
    (scene.surface.iterations, scene.surface.seed) = (6, 5);
    scene.modifiers = vec![Modifier::new(ModifierKind::Erosion)];
    scene.water.enabled = true;
    scene.water.rivers = true;
    scene.snow.enabled = true;
    scene.plants = vec![PlantLayer {
        kind: PlantKind::Spruce,
        ..PlantLayer::default()
    }];
    scene
}

fn write(
    folder: &Path,
    engine: &'static Engine,
    samples: Option<usize>,
    scene: &Scene,
    job: &Job,
) -> Result<Vec<String>, ExportError> {
    let inputs = Inputs::default();
    let mut made = EngineFolder::new(folder, engine, samples, scene, &inputs)?;
    made.prepare(&|_| false)?;
    let mut names = made.names();
    names.sort();
    made.write(&inputs, job)?;
    Ok(names)
}

fn written(folder: &Path, engine: &'static Engine, scene: &Scene) -> Vec<String> {
    write(folder, engine, Some(engine.sizes[0]), scene, &Job::new()).unwrap()
}

fn list(folder: &Path) -> Value {
    serde_json::from_slice(&fs::read(folder.join("landform.json")).unwrap()).unwrap()
}

fn blender() -> &'static Engine {
    Engine::named("blender").unwrap()
}

fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let names = names(folder).into_iter();
    names
        .map(|name| (name.clone(), fs::read(folder.join(name)).unwrap()))
        .collect()
}

#[test]
fn a_map_is_refined_until_it_has_the_samples() {
    for engine in ENGINES {
        assert!(engine.sizes.is_sorted(), "{}", engine.name);
        for samples in engine.sizes {
            let size = EngineSize::new(engine, Some(*samples), [1025; 2]).unwrap();
            assert_eq!(size.size, [*samples; 2]);
            let side = |levels: u32| (1024 << levels) + 1;
            assert!(side(size.levels) >= *samples, "{} {samples}", engine.name);
            assert!(size.levels == 0 || side(size.levels - 1) < *samples);
            assert_eq!(size.refined().is_some(), size.levels > 0);
            assert!((1 << size.iterations()) + 1 >= *samples);
            assert!((1 << (size.iterations() - 1)) + 1 < *samples);
        }
        let nearest = EngineSize::new(engine, None, [1025; 2]).unwrap();
        assert!((1009..=1025).contains(&nearest.size[0]), "{}", engine.name);
    }
    let sizes = |name| Engine::named(name).unwrap().sizes;
    assert_eq!(sizes("unreal"), [505, 1009, 2017, 4033, 8129]);
    assert_eq!(sizes("Unity"), [513, 1025, 2049, 4097]);
}

#[test]
fn other_sizes_and_shapes_are_refused() {
    for engine in ENGINES {
        let error = EngineSize::new(engine, Some(600), [1025; 2]).unwrap_err();
        assert!(error.to_string().contains("not 600"), "{error}");
        let oblong = EngineSize::new(engine, None, [513, 1025]);
        assert_eq!(oblong.is_err(), engine.is_square, "{}", engine.name);
        assert!(EngineSize::new(engine, None, [1, 1025]).is_err());
    }
    let size = EngineSize::new(blender(), Some(513), [513, 1025]).unwrap();
    assert_eq!(size.size, [257, 513]);
}

#[test]
fn the_size_of_a_map_is_known_before_it_is_made() {
    let inputs = Inputs::default();
    assert_eq!(map_size(&scene(), &inputs).unwrap(), [65; 2]);
    let scene = import::open(&crate::common::jacksboro()).unwrap();
    let inputs = import::inputs(&scene).unwrap();
    assert_eq!(map_size(&scene, &inputs).unwrap(), [344, 403]);
}

#[test]
fn a_folder_holds_exactly_what_its_list_names() {
    for engine in ENGINES {
        let folder = folder();
        let land = folder.path().join("land");
        let expected = written(&land, engine, &scene());
        assert_eq!(names(&land), expected, "{}", engine.name);
        let list = list(&land);
        let contents = list["contents"].as_array().unwrap();
        let named = contents.iter().map(|file| file["file"].as_str().unwrap());
        let named: BTreeSet<_> = named.map(str::to_owned).collect();
        assert_eq!(named.into_iter().collect::<Vec<_>>(), expected);
        assert_eq!(list["engine"], engine.name);
        assert_eq!(
            (&list["width"], &list["height"]),
            (&engine.sizes[0].into(), &engine.sizes[0].into())
        );
        assert_eq!(list["axes"]["up"], engine.axes.up);
        assert_eq!(
            list["refined_by_levels"],
            EngineSize::new(engine, Some(engine.sizes[0]), [65; 2])
                .unwrap()
                .levels
        );
        assert!(
            list["enter"].as_object().unwrap().len() > 3,
            "{}",
            engine.name
        );
        assert_eq!(list["size_m"]["west_to_east"], 2000.0);
        let low = list["min_m"].as_f64().unwrap();
        assert!(low < list["max_m"].as_f64().unwrap());
        // One scale fits heights and water.
        let surface = &list["water"]["surface"];
        let file = surface["file"].as_str().unwrap();
        assert!(
            file.starts_with("water-surface.") && expected.iter().any(|name| name == file),
            "{file}"
        );
        for key in [
            "metres_at_0",
            "metres_from_0_to_highest",
            "metres_from_0_to_1",
        ] {
            assert_eq!(surface.get(key), list.get(key), "{} {key}", engine.name);
        }
        assert_eq!(surface["min_m"], list["water"]["sea_level_m"]);
        let on_axis = &list["water"]["sea_level_on_axis"];
        let metres = on_axis["at"].as_f64().unwrap() / engine.axes.units_per_metre();
        assert!((metres - list["water"]["sea_level_m"].as_f64().unwrap()).abs() < 1e-9);
        assert_eq!(on_axis["axis"], engine.axes.up);
        let size = |name: &str| fs::metadata(land.join(name)).unwrap().len();
        if file.ends_with(".r16") {
            assert_eq!(size(file), size(list["file"].as_str().unwrap()));
        }
        // Each file is whole, and the scene opens as the one that was written.
        for companion in list["beside"].as_array().unwrap() {
            let bytes = fs::read(land.join(companion["file"].as_str().unwrap())).unwrap();
            assert_eq!(companion["bytes"], bytes.len());
        }
        assert_eq!(import::open(&land.join("scene.toml")).unwrap(), scene());
    }
}

#[test]
fn exclusive_masks_sum_to_255_everywhere() {
    let folder = folder();
    let land = folder.path().join("land");
    written(&land, blender(), &scene());
    let masks = NAMES.map(|name| {
        let picture = image::open(land.join(format!("mask-{name}.png"))).unwrap();
        assert_eq!(picture.color(), image::ColorType::L8, "{name}");
        assert_eq!((picture.width(), picture.height()), (257, 257));
        let small = image::open(land.join(format!("preview-{name}.png"))).unwrap();
        assert_eq!((small.width(), small.height()), (257, 257));
        picture.into_luma8().into_raw()
    });
    for sample in 0..257 * 257 {
        let sum: u32 = masks[..EXCLUSIVE]
            .iter()
            .map(|mask| u32::from(mask[sample]))
            .sum();
        assert_eq!(sum, 255, "{sample}");
    }
    let list = list(&land);
    let share = |name: &str| {
        let contents = list["contents"].as_array().unwrap();
        let file = contents.iter().find(|file| file["material"] == name);
        file.unwrap()["share"].as_f64().unwrap()
    };
    for (name, mask) in NAMES.iter().zip(&masks) {
        let mean = mask.iter().map(|byte| f64::from(*byte)).sum::<f64>() / (255 * 257 * 257) as f64;
        assert!((share(name) - mean).abs() < 1e-4, "{name}");
    }
    for name in ["rock", "grass", "forest", "snow", "riverbed", "wet"] {
        assert!(share(name) > 0.0, "no {name}");
    }
}

#[test]
fn sea_is_wet_and_dry_land_without_plants_has_no_forest() {
    let folder = folder();
    let mut scene = scene();
    scene.plants.clear();
    scene.water.level = 10.0;
    let land = folder.path().join("land");
    written(&land, blender(), &scene);
    let mask = |name: &str| {
        let path = land.join(format!("mask-{name}.png"));
        image::open(path).unwrap().into_luma8().into_raw()
    };
    assert!(mask("wet").iter().all(|byte| *byte == 255));
    assert!(mask("forest").iter().all(|byte| *byte == 0));
    assert!(!names(&land).contains(&"plants.glb".to_owned()));
}

#[test]
fn water_off_leaves_no_water_surface() {
    let folder = folder();
    let land = folder.path().join("land");
    let unity = Engine::named("unity").unwrap();
    written(&land, unity, &scene());
    assert!(names(&land).contains(&"water-surface.r16".to_owned()));
    let mut dry = scene();
    (dry.water.enabled, dry.water.rivers) = (false, false);
    written(&land, unity, &dry);
    assert!(!names(&land).contains(&"water-surface.r16".to_owned()));
    let water = &list(&land)["water"];
    assert!(water["surface"].is_null() && water["sea_level_m"].is_null());
}

#[test]
fn water_of_the_folder_is_that_of_the_map() {
    let folder = folder();
    let (land, alone) = (folder.path().join("land"), folder.path().join("w.r16"));
    let unity = Engine::named("unity").unwrap();
    written(&land, unity, &scene());
    let options = Options {
        map: Map::named("water-surface"),
        samples: Resolution::Exactly(513),
        levels: 3,
        flip: true,
        ..Options::default()
    };
    export::heightmap(&alone, &scene(), &Inputs::default(), options, &Job::new()).unwrap();
    let read = |path: &Path| fs::read(path).unwrap();
    assert!(read(&land.join("water-surface.r16")) == read(&alone));
}

#[test]
fn any_number_of_threads_writes_the_same_bytes() {
    let folder = folder();
    let of = |threads: usize| {
        let land = folder.path().join(format!("land-{threads}")).join("land");
        fs::create_dir(land.parent().unwrap()).unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap()
            .install(|| written(&land, Engine::named("unity").unwrap(), &scene()));
        contents(&land)
    };
    let (one, three) = (of(1), of(3));
    assert_eq!(
        one.keys().collect::<Vec<_>>(),
        three.keys().collect::<Vec<_>>()
    );
    for (name, bytes) in &one {
        assert!(three[name] == *bytes, "{name}");
    }
}

#[test]
fn the_heights_can_be_opened_again() {
    let folder = folder();
    let land = folder.path().join("land");
    written(&land, Engine::named("godot").unwrap(), &scene());
    let opened = import::open(&land.join("heights.r16")).unwrap();
    assert_eq!(opened.surface.seed, scene().surface.seed);
}

#[test]
fn a_cancelled_folder_leaves_nothing() {
    let folder = folder();
    let land = folder.path().join("land");
    let place = land.clone();
    let job = Job::with_pauses(move |job| {
        let has_begun = place.is_dir() && !names(&place).is_empty();
        if has_begun {
            job.cancel();
        }
    });
    assert!(write(&land, blender(), Some(257), &scene(), &job).is_err());
    assert!(!land.exists());
}

#[test]
fn a_cancelled_folder_keeps_what_was_there() {
    let folder = folder();
    let land = folder.path().join("land");
    written(&land, blender(), &scene());
    let before = contents(&land);
    let mut other = scene();
    other.surface.seed = 6;
    let job = Job::new();
    job.cancel();
    assert!(write(&land, blender(), Some(257), &other, &job).is_err());
    assert!(contents(&land) == before);
    written(&land, blender(), &other);
    assert!(contents(&land) != before);
}

#[test]
fn files_of_others_and_changed_ones_stay() {
    let folder = folder();
    let land = folder.path().join("land");
    fs::create_dir(&land).unwrap();
    fs::write(land.join("mine.txt"), "mine").unwrap();
    let again = || write(&land, blender(), Some(257), &scene(), &Job::new());
    assert!(matches!(again(), Err(ExportError::ForeignFolder { .. })));
    assert_eq!(names(&land), ["mine.txt"]);
    fs::remove_file(land.join("mine.txt")).unwrap();
    again().unwrap();
    // What an engine puts beside the files does not matter.
    fs::write(land.join("heights.exr.import"), "theirs").unwrap();
    again().unwrap();
    for name in ["plants.glb", "scene.toml", "mask-rock.png"] {
        let path = land.join(name);
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, "changed").unwrap();
        assert!(
            matches!(again(), Err(ExportError::Foreign { .. })),
            "{name}"
        );
        fs::write(&path, bytes).unwrap();
        again().unwrap();
    }
}

#[test]
fn files_that_are_no_longer_needed_go() {
    let folder = folder();
    let land = folder.path().join("land");
    written(&land, blender(), &scene());
    let unity = written(&land, Engine::named("unity").unwrap(), &scene());
    assert_eq!(names(&land), unity);
}
