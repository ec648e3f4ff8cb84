//! Beds of rock: on the samples of a map where it resolves them, and between its samples.

use landform::fractal::bedrock::{Bedding, Bedrock};
use landform::fractal::refinement::Refinement;
use landform::generate::Generator;
use landform::grid::Grid;
use landform::heightmap::Heightmap;
use landform::inputs::Inputs;
use landform::job::Job;
use landform::modify::{Modifier, ModifierKind};
use landform::pipeline::{self, Pipeline};
use landform::scene::{RockKind, Scene};

use crate::gullies::{assert_nested, assert_windows, below, eroded, whole};

/// Beds of that thickness, in half tiles, tilted, folded and jointed.
fn bedding(thickness: f64) -> Bedding {
    Bedding {
        thickness,
        variety: 0.7,
        contrast: 0.8,
        roughness: 1.0,
        joints: [0.6; 2],
        blocks: [2.0; 2],
        angle: 0.25,
        tilt: [0.1, -0.05],
        folds: 0.4,
        columns: 0.0,
        seed: 3,
    }
}

/// The finer levels of a map that is all rock.
fn rocky(map: &Heightmap, levels: u32, thickness: f64) -> Refinement {
    let mut refinement = below(map, levels, 1.0);
    let rock = Grid::filled(map.rows(), map.columns(), 255);
    let level = refinement.base_level;
    refinement.lay_bedrock(Bedrock::new(map, level, bedding(thickness), rock));
    refinement
}

#[test]
fn beds_leave_points_of_coarser_levels_in_place() {
    for wraps in [false, true] {
        let map = eroded(17, wraps, 0.05, |_, _| 0.0);
        assert_nested(&map, |levels| rocky(&map, levels, 0.2));
        let [rocky, plain] = [rocky(&map, 6, 0.2), below(&map, 6, 1.0)].map(|all| whole(&all));
        let pairs = rocky.as_slice().iter().zip(plain.as_slice());
        let moved = pairs.filter(|(rocky, plain)| rocky != plain).count();
        assert!(moved > rocky.as_slice().len() / 2, "{moved}");
    }
}

#[test]
fn any_window_of_rock_matches_whole() {
    for wraps in [false, true] {
        let map = eroded(17, wraps, 0.05, |_, _| 0.0);
        assert_windows(wraps, |levels| rocky(&map, levels, 0.2));
    }
}

#[test]
fn rock_is_independent_of_thread_count() {
    let map = eroded(65, true, 0.05, |_, _| 0.0);
    let made = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let refinement = rocky(&map, 4, 0.05);
        pool.build().unwrap().install(|| whole(&refinement))
    };
    let one = made(1);
    assert_eq!(made(2), one);
    assert_eq!(made(7), one);
}

/// A slope of 45° and so many samples a side on which beds are 16 samples thick.
fn slope(side: usize, bedding: Bedding) -> Vec<f32> {
    slope_of(side, 16.0, bedding)
}

/// A slope of 45° and so many samples a side on which the thickest beds have so many samples.
fn slope_of(side: usize, thickness: f64, bedding: Bedding) -> Vec<f32> {
    let spacing = 2.0 / (side - 1) as f32;
    let heights = (0..side * side).map(|index| spacing * (index % side) as f32);
    let map = Heightmap::new(side, side, false, heights.collect::<Vec<_>>());
    let rock = Grid::filled(side, side, 255);
    let bedding = Bedding {
        thickness: f64::from(spacing) * thickness,
        ..bedding
    };
    let mut heights = map.heights().to_vec();
    let bedrock = Bedrock::new(&map, 8, bedding, rock);
    bedrock.move_map(&mut heights, &Job::new()).unwrap();
    heights
}

#[test]
fn slopes_become_walls_and_ledges() {
    let plane = Bedding {
        tilt: [0.0; 2],
        folds: 0.0,
        joints: [0.0; 2],
        ..bedding(1.0)
    };
    let heights = slope(257, plane);
    let spacing = 2.0 / 256.0;
    // Rows are alike, since neither folds nor joints tell them apart.
    assert_eq!(heights[..257], heights[257 * 100..257 * 101]);
    let mut rises: Vec<f32> = (heights[..257].windows(2))
        .map(|pair| (pair[1] - pair[0]) / spacing)
        .collect();
    rises.sort_by(f32::total_cmp);
    let [ledge, wall] = [rises[rises.len() / 4], rises[rises.len() * 9 / 10]];
    assert!(ledge < 0.6 && wall > 1.8, "{ledge} {wall}");
    // Ledges stay ledges: nothing falls against the slope.
    assert!(rises[0] > 0.0, "{}", rises[0]);
    // No point is moved out of its bed.
    for (column, height) in heights[..257].iter().enumerate() {
        let moved = (height - spacing * column as f32) / (16.0 * spacing);
        assert!(moved.abs() < 1.0, "{column}: {moved}");
    }
}

#[test]
fn soft_rock_and_level_ground_stay_as_they_are() {
    let soft = Bedding {
        contrast: 0.0,
        variety: 0.0,
        ..bedding(1.0)
    };
    let heights = slope(129, soft);
    let spacing = 2.0 / 128.0;
    for (index, height) in heights.iter().enumerate() {
        assert_eq!(*height, spacing * (index % 129) as f32);
    }

    let scene = |rock: &str| {
        let text = format!(
            "[surface]\niterations = 7\nhurst = 1.0\nheight_scale = 0.05\n[rock]\nkind = \"{rock}\""
        );
        Scene::parse(&text).unwrap()
    };
    let made = |scene: &Scene| {
        let made = Pipeline::default().run(scene, &Inputs::default(), &Job::new());
        made.unwrap().heights.heights().to_vec()
    };
    assert_eq!(made(&scene("none")), made(&scene("limestone")));
}

/// Scene of a steep map with that kind of rock.
fn mountain(kind: RockKind, iterations: u32) -> Scene {
    let mut scene = Scene::default();
    scene.surface.generator = Generator::DiamondSquare;
    scene.surface.iterations = iterations;
    scene.surface.height_scale = 2.0;
    scene.surface.hurst = 0.9;
    scene.rock.kind = kind;
    // Thick enough for the map to resolve them.
    scene.rock.thickness = 250.0;
    scene
}

#[test]
fn every_kind_of_rock_is_its_own() {
    let made = |kind: RockKind| {
        let made = pipeline::heights(&mountain(kind, 7), &Inputs::default(), &Job::new());
        let map = made.unwrap();
        // A map that wraps still does.
        assert!(map.wraps());
        for at in 0..map.rows() {
            assert_eq!(map.at(at, 0), map.at(at, map.columns() - 1), "{kind}");
            assert_eq!(map.at(0, at), map.at(map.rows() - 1, at), "{kind}");
        }
        map.heights().to_vec()
    };
    let all: Vec<_> = RockKind::ALL.iter().map(|kind| made(*kind)).collect();
    for (index, heights) in all.iter().enumerate() {
        assert!(heights.iter().all(|height| height.is_finite()));
        assert!(
            !all[..index].contains(heights),
            "{}",
            RockKind::NAMES[index]
        );
    }
}

/// Hash of the heights of a map of a scene two levels below its last iteration (FNV-1a).
fn hash(scene: &Scene) -> u64 {
    let map = pipeline::heights(scene, &Inputs::default(), &Job::new()).unwrap();
    let refined = pipeline::refined(&map, scene, 2, &Job::new()).unwrap();
    let heights = whole(&refined).into_vec();
    let bits = heights.iter().map(|height| (*height as f32).to_bits());
    bits.fold(0xcbf2_9ce4_8422_2325, |hash, bits| {
        (hash ^ u64::from(bits)).wrapping_mul(0x100_0000_01b3)
    })
}

#[test]
fn rock_keeps_its_bytes_with_default_settings() {
    // Computed before roughness and the second set of joints had settings; basalt since it has columns.
    let before = [
        (RockKind::Limestone, 0x6db8_8144_ffff_9403),
        (RockKind::Granite, 0x5bff_0c1d_bcec_c112),
        (RockKind::Sandstone, 0xc28b_abf0_6567_ee02),
        (RockKind::Slate, 0xf920_1898_0f85_6f9b),
        (RockKind::Basalt, 0xd03e_8956_93af_c494),
        (RockKind::Clay, 0xfea6_71c0_0772_23ca),
    ];
    for (kind, expected) in before {
        assert_eq!(hash(&mountain(kind, 6)), expected, "{kind}");
    }
}

#[test]
fn each_setting_of_the_joints_and_roughness_acts() {
    let plain = mountain(RockKind::Limestone, 6);
    let with = |key: &str, value: &str| hash(&plain.with(key, value).unwrap());
    let mut all = vec![hash(&plain)];
    for (key, value) in [
        ("rock.roughness", "0"),
        ("rock.joints", "0"),
        ("rock.joint_spacing", "2"),
        ("rock.second_joints", "0"),
        ("rock.second_spacing", "2"),
        ("rock.joint_angle", "45"),
    ] {
        let hash = with(key, value);
        assert!(!all.contains(&hash), "{key}");
        all.push(hash);
    }
}

/// Heights of a slope with joints across the strike of the beds.
fn jointed(change: impl Fn(&mut Bedding)) -> Vec<f32> {
    let mut plane = Bedding {
        tilt: [0.0; 2],
        folds: 0.0,
        ..bedding(1.0)
    };
    change(&mut plane);
    slope(257, plane)
}

#[test]
fn sets_of_joints_are_independent() {
    let none = jointed(|beds| beds.joints = [0.0; 2]);
    let both = jointed(|_| {});
    let first = jointed(|beds| beds.joints[1] = 0.0);
    assert!(first != none && first != both);
    // Without the second set, its spacing and its direction do nothing.
    let other = jointed(|beds| {
        beds.joints[1] = 0.0;
        beds.blocks[1] = 5.0;
        beds.angle = 0.1;
    });
    assert_eq!(first, other);
    let spaced = jointed(|beds| beds.blocks[1] = 5.0);
    assert_ne!(both, spaced);
    // However strong the joints, no point is moved out of its bed.
    let strong = jointed(|beds| {
        beds.joints = [1.0; 2];
        beds.variety = 1.0;
        beds.contrast = 1.0;
    });
    let spacing = 2.0 / 256.0;
    for (index, height) in strong.iter().enumerate() {
        let moved = (height - spacing * (index % 257) as f32) / (16.0 * spacing);
        assert!(moved.abs() < 1.5, "{index}: {moved}");
    }
}

#[test]
fn roughness_is_the_strength_of_finer_beds() {
    let made = |roughness: f64| {
        let plane = Bedding {
            tilt: [0.0; 2],
            folds: 0.0,
            roughness,
            ..bedding(1.0)
        };
        // Beds of 64, 24 and 9 samples, of which the map resolves two sizes.
        slope_of(257, 64.0, plane)
    };
    let [none, half, all] = [0.0, 0.5, 1.0].map(made);
    assert_ne!(none, all);
    for ((none, half), all) in none.iter().zip(&half).zip(&all) {
        assert!((all - none - 2.0 * (half - none)).abs() < 1e-5);
    }
}

#[test]
fn a_picture_and_a_file_have_the_same_rock() {
    let mut scene = mountain(RockKind::Limestone, 7);
    let mut pipeline = Pipeline::default();
    let mut shown = |scene: &Scene| {
        let made = pipeline.run(scene, &Inputs::default(), &Job::new());
        made.unwrap().heights
    };
    let file = |scene: &Scene| {
        let made = pipeline::heights(scene, &Inputs::default(), &Job::new());
        made.unwrap().heights().to_vec()
    };
    let first = shown(&scene);
    assert_eq!(first.heights(), file(&scene));
    // After modifiers, and again after each change.
    scene.modifiers.push(Modifier::new(ModifierKind::Strata));
    assert_eq!(shown(&scene).heights(), file(&scene));
    scene.rock.thickness = 200.0;
    assert_eq!(shown(&scene).heights(), file(&scene));
    scene.surface.tile_size_m = 1500.0;
    assert_eq!(shown(&scene).heights(), file(&scene));
    scene.rock.kind = RockKind::None;
    assert_eq!(shown(&scene).heights(), file(&scene));
    scene.modifiers.clear();
    scene = mountain(RockKind::Limestone, 7);
    assert_eq!(shown(&scene).heights(), first.heights());
}
