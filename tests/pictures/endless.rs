//! The ground goes on below its last iteration where the eye is near.

use std::f64::consts::TAU;
use std::time::Duration;

use glam::DVec3;
use landform::fractal::region::{Region, Window};
use landform::generate::Images;
use landform::inputs::Inputs;
use landform::job::Job;
use landform::pipeline::{Lattice, Pipeline};
use landform::render::GroundPath;
use landform::scene::{Camera, Scene};

use crate::offscreen::{Desk, NO_TIME};
use crate::pictures::{Picture, landscape, scene};

pub const SIZE: (u32, u32) = (160, 90);

/// Hills of that seed, all of whose levels are as steep.
pub fn hills(seed: u64, more: &str) -> Scene {
    scene(&format!(
        "view.render_type=landscape surface.iterations=7 surface.hurst=1 surface.seed={seed} \
         surface.height_scale=0.2 camera.mode=orbit camera.pitch=35 camera.bearing=200 {more}"
    ))
}

/// The scene seen from that far, on its ground at a place.
pub fn from_near(mut scene: Scene, x: f64, z: f64, distance: f32) -> Scene {
    let made = landscape(&scene);
    let below = made.below.as_ref().expect("levels below the ground");
    let lattice = Lattice::new(below, scene.view.tile).expect("a ground");
    let level = (lattice.level() + 24).min(lattice.deepest());
    let y = lattice.height(level, x, z).expect("a place on it");
    scene.camera.target = [x, y, z];
    scene.camera.distance = distance;
    scene
}

/// The mean difference of all channels.
pub fn difference(a: &Picture, b: &Picture) -> f64 {
    let pairs = a.as_slice().as_flattened().iter();
    let pairs = pairs.zip(b.as_slice().as_flattened());
    let sum: u64 = pairs.map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
    sum as f64 / a.as_slice().as_flattened().len() as f64
}

#[test]
fn a_moved_sun_is_shown_at_once_and_exactly_at_rest() {
    let lit = |bearing: u32| {
        let light =
            format!("light.elevation=20 light.bearing={bearing} view.render_type=landscape");
        from_near(hills(3, &light), 0.213, -0.377, 0.3)
    };
    let (east, south) = (lit(90), lit(180));
    let mut desk = Desk::of_way(GroundPath::RayCast);
    // As in the window, which keeps the ground.
    let mut pipeline = Pipeline::default();
    let mut show = |desk: &mut Desk, scene: &Scene| {
        let made = pipeline.run(scene, &Inputs::default(), &Job::new());
        let made = made.expect("a landscape");
        let uploaded = desk.renderer.update(desk.headless.facade(), &made);
        uploaded.expect("an upload");
    };
    show(&mut desk, &east);
    let before = desk.picture(&east, SIZE);
    show(&mut desk, &south);
    let (preview, took) = desk.previewed(&south, SIZE, Duration::MAX);
    assert_eq!(took, Duration::ZERO);
    assert!(desk.is_preview(&south, SIZE));
    let at_rest = desk.picture(&south, SIZE);
    assert!(preview.as_slice() != at_rest.as_slice());
    let [moved, left] = [&before, &preview].map(|picture| difference(picture, &at_rest));
    assert!(left < 0.3 * moved, "{left} {moved}");
    let mut other = Desk::of_way(GroundPath::RayCast);
    other.update(&south);
    assert!(other.picture(&south, SIZE).as_slice() == at_rest.as_slice());
    // A picture that shows no refined ground is none that may differ.
    show(&mut desk, &east);
    let mut afar = east.clone();
    afar.camera.distance = 6.0;
    assert!(!desk.is_preview(&afar, SIZE));
    // A preview of another place needs windows, and leaves nothing of the old light in them.
    show(&mut desk, &east);
    let mut beside = east.clone();
    beside.camera.target[0] += 0.4;
    desk.previewed(&beside, SIZE, Duration::MAX);
    assert!(desk.picture(&beside, SIZE).as_slice() != before.as_slice());
    assert!(desk.picture(&east, SIZE).as_slice() == before.as_slice());
}

#[test]
fn a_camera_in_motion_does_not_wait_for_finer_ground() {
    let near = from_near(hills(3, ""), 0.213, -0.377, 0.01);
    let moved = |by: f64| {
        let mut moved = near.clone();
        moved.camera.target[0] += by;
        moved
    };
    let mut desk = Desk::of_way(GroundPath::RayCast);
    desk.update(&near);
    desk.picture(&near, SIZE);
    // The ground around the old place reaches far enough.
    let beside = moved(0.005);
    let (shown, took) = desk.previewed(&beside, SIZE, Duration::MAX);
    assert_eq!(took, Duration::ZERO);
    let at_rest = desk.picture(&beside, SIZE);
    assert!(difference(&shown, &at_rest) < 0.1);
    // Farther away only coarser levels do, until there is time for the finer ones.
    let away = moved(0.2);
    let (coarse, took) = desk.previewed(&away, SIZE, Duration::ZERO);
    assert_eq!(took, Duration::ZERO);
    let (fine, took) = desk.previewed(&away, SIZE, Duration::MAX);
    assert!(took > Duration::ZERO);
    let at_rest = desk.picture(&away, SIZE);
    let [off, left] = [&coarse, &fine].map(|picture| difference(picture, &at_rest));
    assert!(off > 0.5 && left < 0.1 * off, "{off} {left}");
    // What was there before changes nothing at rest.
    let mut other = Desk::of_way(GroundPath::RayCast);
    other.update(&away);
    assert!(other.picture(&away, SIZE).as_slice() == at_rest.as_slice());
}

#[test]
fn a_camera_in_a_hollow_of_finer_ground_waits_for_it() {
    let hills = hills(3, "camera.pitch=80");
    let made = landscape(&hills);
    let below = made.below.as_ref().expect("levels below the ground");
    let lattice = Lattice::new(below, hills.view.tile).expect("a ground");
    let height = |level: u32, [x, z]: [f64; 2]| lattice.height(level, x, z).expect("a place on it");
    let deep = |place: &[f64; 2]| {
        let level = lattice.level();
        height(level, *place) - height(level + 24, *place)
    };
    let places = (0..40).flat_map(|z| (0..40).map(move |x| [x, z].map(|at| 0.017 * f64::from(at))));
    let place = places.max_by(|a, b| deep(a).total_cmp(&deep(b))).unwrap();
    let scene = from_near(hills.clone(), place[0], place[1], 0.5 * deep(&place) as f32);
    let eye = scene.camera.eye();
    assert!(eye.y < height(lattice.level(), [eye.x, eye.z]), "{eye}");
    for way in [GroundPath::RayCast, GroundPath::Raster] {
        let mut desk = Desk::of_way(way);
        desk.update(&scene);
        let (shown, _) = desk.previewed(&scene, SIZE, Duration::ZERO);
        let off = difference(&shown, &desk.picture(&scene, SIZE));
        assert!(off < 0.1, "{way:?}: {off}");
    }
}

#[test]
fn the_nearer_the_eye_the_finer_the_ground() {
    let mut desk = Desk::of_way(GroundPath::RayCast);
    for shown in [
        "landscape",
        "triangles",
        "lines",
        "lines surface.iterations=5",
    ] {
        let type_of = format!("view.render_type={shown}");
        desk.update(&hills(3, &type_of));
        // From afar it is the map and no more; near by it has shapes that the map has not.
        for (distance, is_finer) in [(3.5, false), (0.3, true), (0.01, true), (1e-5, true)] {
            let near = from_near(hills(3, &type_of), 0.213, -0.377, distance);
            let mut without = near.clone();
            without.view.endless = false;
            let off = difference(&desk.picture(&near, SIZE), &desk.picture(&without, SIZE));
            assert_eq!(off > 1.0, is_finer, "{shown} from {distance}: {off}");
        }
    }
}

#[test]
fn a_picture_shows_the_ground_of_more_iterations() {
    let mut desk = Desk::of_way(GroundPath::RayCast);
    // The same seed with more iterations is the same land, so from near by it looks alike.
    let near = from_near(hills(5, "view.render_type=triangles"), -0.4, 0.35, 0.25);
    desk.update(&near);
    let shown = desk.picture(&near, SIZE);
    let mut flat = near.clone();
    flat.view.endless = false;
    let without = desk.picture(&flat, SIZE);
    let mut finer = flat;
    finer.surface.iterations = 11;
    desk.update(&finer);
    let truth = desk.picture(&finer, SIZE);
    let (off, before) = (difference(&shown, &truth), difference(&without, &truth));
    assert!(off < 0.75 * before, "{off:.2} of {before:.2}");
}

#[test]
fn picture_has_only_the_levels_its_scene_requests() {
    for ground in ["", "surface.generator=perlin"] {
        let mut none = from_near(hills(4, ground), 0.12, 0.23, 0.01);
        none.detail.levels = 0;
        let mut off = none.clone();
        off.view.endless = false;
        let mut desk = Desk::of_way(GroundPath::RayCast);
        desk.update(&none);
        assert_eq!(
            desk.picture(&none, SIZE),
            desk.picture(&off, SIZE),
            "{ground}"
        );
        for levels in [1, 3] {
            none.detail.levels = levels;
            let made = landscape(&none);
            let lattice = Lattice::new(made.below.as_ref().unwrap(), 1).unwrap();
            assert_eq!(lattice.deepest(), lattice.level() + levels, "{ground}");
        }
    }
}

#[test]
fn levels_have_their_own_h_and_strength() {
    let mut desk = Desk::of_way(GroundPath::RayCast);
    for ground in ["", "surface.generator=perlin"] {
        let seen = from_near(hills(4, ground), 0.12, 0.23, 0.05);
        desk.update(&seen);
        let before = desk.picture(&seen, SIZE);
        for own in [("hurst", "0.3"), ("strength", "0.2")] {
            let (key, value) = own;
            let other = seen.with(&format!("detail.{key}"), value).unwrap();
            desk.update(&other);
            let off = difference(&desk.picture(&other, SIZE), &before);
            assert!(off > 1.0, "{ground} {key}: {off}");
        }
    }
}

#[test]
fn picture_is_independent_of_earlier_views() {
    let seen = from_near(hills(7, "light.elevation=25"), 0.31, 0.18, 2e-3);
    let in_lines = |scene: &Scene| scene.with("view.render_type", "lines").unwrap();
    let mut fresh = Desk::of_way(GroundPath::RayCast);
    fresh.update(&seen);
    let alone = fresh.picture(&seen, SIZE);
    let mut fresh = Desk::of_way(GroundPath::RayCast);
    fresh.update(&in_lines(&seen));
    let alone_in_lines = fresh.picture(&in_lines(&seen), SIZE);
    let mut desk = Desk::of_way(GroundPath::RayCast);
    for (seed, step) in [(7, 0), (8, 1), (7, 2)] {
        let elsewhere = from_near(hills(seed, ""), 0.32 - 0.1 * f64::from(step), 0.1, 5e-4);
        desk.update(&elsewhere);
        desk.picture(&elsewhere, SIZE);
        // Over the land, deeper and less deep.
        for distance in [0.2, 3e-3] {
            let mut there = elsewhere.clone();
            there.camera.distance = distance;
            there.camera.target[0] += f64::from(distance);
            desk.picture(&there, SIZE);
        }
    }
    desk.update(&seen);
    // Near by, and then there.
    let mut beside = seen.clone();
    beside.camera.target[2] += 1e-3;
    desk.picture(&beside, SIZE);
    assert_eq!(desk.picture(&seen, SIZE), alone);
    // Another render type shows other things of the same windows.
    desk.picture(&in_lines(&beside), SIZE);
    assert_eq!(desk.picture(&in_lines(&seen), SIZE), alone_in_lines);
    assert_eq!(desk.picture(&seen, SIZE), alone);
}

/// Windows are carried on in strips by small steps, made anew after a jump, and added while zooming.
#[test]
fn picture_is_independent_of_the_path_to_it() {
    const AWAY: f32 = 2e-3;
    let eroded = "modifiers=[{kind=\"erosion\"}] water.rivers=true water.waves=0";
    for land in ["", eroded] {
        let near = |steps: f64, distance: f32| {
            let aside = steps * f64::from(AWAY);
            from_near(hills(7, land), 0.31 + aside, 0.18 - 0.6 * aside, distance)
        };
        let seen = near(0.0, AWAY);
        let picture_after = |path: &[Scene]| {
            let mut desk = Desk::of_way(GroundPath::RayCast);
            desk.update(&seen);
            for scene in path {
                desk.picture(scene, SIZE);
            }
            desk.picture(&seen, SIZE)
        };
        let alone = picture_after(&[]);
        let steps: Vec<_> = (1..6)
            .rev()
            .map(|at| near(0.4 * f64::from(at), AWAY))
            .collect();
        let zoom: Vec<_> = (1..6)
            .rev()
            .map(|at| near(0.0, AWAY * 4.0_f32.powi(at)))
            .collect();
        for (name, path) in [
            ("steps", &steps[..]),
            ("jump", &[near(40.0, AWAY)]),
            ("zoom", &zoom),
        ] {
            assert!(picture_after(path) == alone, "{name} {land}");
        }
    }
}

/// Mean difference of pixels above and below the lines on the ground where levels end, with all distances
/// multiplied by `part`: without the sign, for shapes, and with it, for brightness.
fn difference_across(
    lattice: &Lattice<'_>,
    camera: &Camera,
    picture: &Picture,
    part: f64,
) -> [f64; 2] {
    // Cells around the eye that a level is used for, see `render::clipmap`.
    const REACH: f64 = 446.0;
    let (rows, columns) = (picture.rows() as f64, picture.columns() as f64);
    let (eye, forward) = (camera.eye(), camera.forward().as_dvec3());
    let bearing = f64::from(camera.bearing).to_radians();
    let right = DVec3::new(bearing.cos(), 0.0, bearing.sin());
    let axes = [right, right.cross(forward)];
    let per_radian = 0.5 * rows / (0.5 * f64::from(camera.fov).to_radians()).tan();
    let (mut sums, mut count) = ([0.0; 2], 0.0);
    for level in lattice.level() + 1..lattice.level() + 20 {
        let away = part * REACH * lattice.spacing(level);
        let height = |x, z| lattice.height(level, x, z);
        let above = eye.y - height(eye.x, eye.z).expect("ground below the eye");
        if away <= above {
            break;
        }
        let radius = (away * away - above * above).sqrt();
        for step in 0..3000 {
            let (sine, cosine) = (f64::from(step) * TAU / 3000.0).sin_cos();
            let ground = |radius: f64| {
                let (x, z) = (eye.x + radius * cosine, eye.z + radius * sine);
                height(x, z).map(|y| DVec3::new(x, y, z) - eye)
            };
            let Some(place) = ground(radius).filter(|place| place.dot(forward) > 0.0) else {
                continue;
            };
            let [right, up] = axes.map(|axis| per_radian * place.dot(axis) / place.dot(forward));
            let (row, column) = (0.5 * rows - up, 0.5 * columns + right);
            if !(1.0..rows - 1.0).contains(&row) || !(0.0..columns).contains(&column) {
                continue;
            }
            // What nearer ground hides is not compared.
            let mut before = (1..60).filter_map(|part| ground(radius * f64::from(part) / 60.0));
            let slope = place.y / radius;
            if before.any(|before| before.y / before.with_y(0.0).length() > slope) {
                continue;
            }
            let [a, b] = [-1.0, 1.0].map(|by| picture.at((row + by) as usize, column as usize));
            for (a, b) in a.into_iter().zip(b) {
                let off = f64::from(a) - f64::from(b);
                sums[0] += off.abs() / 3.0;
                sums[1] += off / 3.0;
            }
            count += 1.0;
        }
    }
    assert!(count > 500.0, "{count}");
    sums.map(|sum| sum / count)
}

#[test]
fn borders_of_levels_are_not_seen() {
    const MOST: f64 = 2.0;
    let mut desk = Desk::of_way(GroundPath::RayCast);
    let eroded = "surface.generator=fourier modifiers=[{kind=\"erosion\"}]";
    for (more, [x, z], distance) in [
        ("camera.pitch=20", [0.1, 0.2], 0.2),
        (
            "camera.pitch=50 view.render_type=triangles",
            [-0.4, 0.3],
            0.02,
        ),
        (eroded, [0.1, 0.2], 0.1),
        ("camera.pitch=12 light.elevation=15", [-0.2, -0.3], 3e-3),
    ] {
        let scene = hills(5, &format!("surface.iterations=9 {more}"));
        let near = from_near(scene, x, z, distance);
        desk.update(&near);
        let picture = desk.picture(&near, (960, 540));
        let made = landscape(&near);
        let lattice = Lattice::new(made.below.as_ref().unwrap(), 1).unwrap();
        let across = |part| difference_across(&lattice, &near.camera, &picture, part);
        let [nearer, at, farther] = [0.95, 1.0, 1.05].map(across);
        let beside = [0, 1].map(|i| 0.5 * (nearer[i] + farther[i]));
        assert!(at[0] <= beside[0] + MOST, "{more}: {at:.2?} {beside:.2?}");
        assert!(
            (at[1] - beside[1]).abs() <= MOST,
            "{more}: {at:.2?} {beside:.2?}"
        );
    }
}

/// The same ground keeps its windows, and nothing of the light that was on them.
#[test]
fn relit_ground_matches_a_fresh_start() {
    let evening = from_near(hills(7, "light.elevation=12"), 0.31, 0.18, 2e-3);
    let noon = evening.with("light.elevation", "70").unwrap();
    let dull = noon.with("light.shadows", "false").unwrap();
    let mut pipeline = Pipeline::default();
    let mut desk = Desk::of_way(GroundPath::RayCast);
    for scene in [&evening, &noon, &dull, &evening] {
        let made = pipeline
            .run(scene, &Inputs::default(), &Job::new())
            .unwrap();
        let facade = desk.headless.facade();
        desk.renderer.update(facade, &made).unwrap();
        let after = desk.picture(scene, SIZE);
        let mut fresh = Desk::of_way(GroundPath::RayCast);
        fresh.update(scene);
        assert_eq!(after, fresh.picture(scene, SIZE), "{:?}", scene.light);
    }
}

#[test]
fn a_window_that_moves_on_is_not_seen() {
    // Windows move on by 128 cells. Where an eye passes such a place, the window before it and the one behind
    // it show the same ground, since neither is looked at beyond its end.
    let mut desk = Desk::of_way(GroundPath::RayCast);
    for shown in ["landscape", "triangles"] {
        let mut scene = hills(
            5,
            &format!(
                "view.render_type={shown} surface.iterations=9 view.tile=3 camera.pitch=25 \
                 fog.enabled=false camera.bearing=30 camera.fov=50"
            ),
        );
        scene.camera.target = [0.0, 0.1, 0.0];
        scene.camera.distance = 0.9;
        let made = landscape(&scene);
        let below = made.below.as_ref().expect("levels below the ground");
        let lattice = Lattice::new(below, 3).expect("a ground");
        let level = lattice.level() + 1;
        let eye = scene.camera.eye();
        let [place, _] = lattice.place(level, eye.x, eye.z);
        let next = ((place / 128.0).floor() + 0.5) * 128.0;
        desk.update(&scene);
        let pictures = [-1e-4, 1e-4].map(|cells| {
            let mut scene = scene.clone();
            scene.camera.target[0] += (next + cells - place) * lattice.spacing(level);
            desk.picture(&scene, (960, 540))
        });
        let [a, b] = &pictures;
        let pairs = a.as_slice().as_flattened().iter();
        let pairs = pairs.zip(b.as_slice().as_flattened());
        let off = pairs.filter(|(a, b)| a.abs_diff(**b) > 4).count();
        assert!(off < 50, "{shown}: {off} values of {}", 960 * 540 * 3);
    }
}

#[test]
fn lines_in_parts_are_the_same_picture() {
    let mut desk = Desk::of_way(GroundPath::RayCast);
    for (more, distance) in [
        ("surface.iterations=8", 0.05),
        ("surface.iterations=5 view.tile=2 view.invert=true", 2e-3),
        ("analysis.watershed=[0.2,0.3]", 0.1),
    ] {
        let more = format!("view.render_type=lines {more}");
        let near = from_near(hills(9, &more), 0.2, 0.3, distance);
        desk.update(&near);
        let whole = desk.picture(&near, SIZE);
        let parts = desk.developed(&near, SIZE, false, Some(NO_TIME));
        assert_eq!(parts, whole, "{more}");
    }
}

#[test]
fn an_eye_below_the_ground_sees_the_map() {
    let mut desk = Desk::of_way(GroundPath::RayCast);
    for shown in ["lines", "triangles"] {
        let settings = format!("view.render_type={shown} camera.pitch=-60");
        let below = from_near(hills(3, &settings), 0.213, -0.377, 0.5);
        desk.update(&below);
        let mut map = below.clone();
        map.view.endless = false;
        let off = difference(&desk.picture(&below, SIZE), &desk.picture(&map, SIZE));
        assert_eq!(off, 0.0, "{shown}");
    }
}

#[test]
fn levels_are_seen_as_soon_as_wanted() {
    for way in [GroundPath::RayCast, GroundPath::Raster] {
        let mut desk = Desk::of_way(way);
        let near = from_near(hills(3, ""), 0.213, -0.377, 0.01);
        let mut without = near.clone();
        without.view.endless = false;
        // The landscape is the same, so nothing is uploaded again.
        desk.update(&without);
        let map = desk.picture(&without, SIZE);
        let off = difference(&desk.picture(&near, SIZE), &map);
        assert!(off > 1.0, "{way:?}: {off}");
        assert_eq!(desk.picture(&without, SIZE), map);
    }
}

#[test]
fn rivers_are_seen_from_however_near() {
    let wet = || {
        hills(
            3,
            "water.rivers=true water.springs=1 water.river_width=0.15 water.waves=0",
        )
    };
    let made = landscape(&wet());
    let (part, map) = (&made.rivers.as_ref().expect("rivers").part, &made.heights);
    // The middle of some water.
    let places = (0..part.rows()).flat_map(|row| (0..part.columns()).map(move |at| (row, at)));
    let mut inner = places.filter(|place| {
        let within = |at: usize, count: usize| (8..count - 8).contains(&at);
        within(place.0, part.rows()) && within(place.1, part.columns())
    });
    let (row, column) = inner
        .find(|(row, column)| part.at(*row, *column)[0] == 255)
        .unwrap();
    let half =
        |at: usize, count: usize| (at as f64 - 0.5 * (count - 1) as f64) * f64::from(map.spacing());
    let (x, z) = (half(column, map.columns()), half(row, map.rows()));
    let mut desk = Desk::of_way(GroundPath::RayCast);
    desk.update(&wet());
    let mut mean = |distance: f32| {
        let picture = desk.picture(&from_near(wet(), x, z, distance), SIZE);
        let pixels = picture.as_slice();
        [0, 1, 2].map(|i| {
            let sum: f64 = pixels.iter().map(|pixel| f64::from(pixel[i])).sum();
            sum / pixels.len() as f64
        })
    };
    let (far, near) = (mean(1e-5), mean(1e-8));
    let most = (0..3).map(|i| (far[i] - near[i]).abs()).fold(0.0, f64::max);
    assert!(most < 12.0, "{far:?} {near:?}");
}

#[test]
fn eye_can_approach_the_ground_without_limit() {
    let mut desk = Desk::of_way(GroundPath::RayCast);
    for shown in ["landscape", "lines"] {
        let hills = || hills(4, &format!("view.render_type={shown}"));
        let far = from_near(hills(), 0.1, 0.2, 3.0);
        desk.update(&far);
        desk.picture(&far, SIZE);
        let before = desk.renderer.memory();
        let near = from_near(hills(), 0.1, 0.2, 1e-9);
        let picture = desk.picture(&near, SIZE);
        // A millimetre wide on a tile of 2000 km, it shows shapes and not one colour.
        let mean = |i: usize| {
            let all = picture.as_slice().iter().map(|pixel| f64::from(pixel[i]));
            all.sum::<f64>() / picture.as_slice().len() as f64
        };
        let (mean, all) = (mean(1), picture.as_slice());
        let spread = all.iter().map(|pixel| (f64::from(pixel[1]) - mean).powi(2));
        let spread = (spread.sum::<f64>() / all.len() as f64).sqrt();
        assert!(spread > 1.0, "{shown}: {spread}");
        let windows = desk.renderer.memory() - before;
        assert!(windows < 256_000_000, "{shown}: {windows}");
    }
}

#[test]
fn windows_hold_the_samples_of_regions() {
    let (images, job) = (Images::default(), Job::new());
    // Diamond-square as itself, another generator, and land that has been changed.
    for more in [
        "",
        "surface.generator=perlin",
        "modifiers=[{kind=\"power\"}]",
    ] {
        let scene = hills(9, more);
        let made = landscape(&scene);
        let below = made.below.as_ref().unwrap();
        let lattice = Lattice::new(below, 1).unwrap();
        for levels in [1, 9, 17] {
            let level = lattice.level() + levels;
            let first = lattice.cells(level)[0] / 3;
            let (at, rows, columns) = (first as u64, 12, 17);
            let window = Window {
                row: first,
                column: first,
                rows,
                columns,
            };
            let region = Region {
                row: at,
                column: at,
                rows,
                columns,
            };
            let refinement = if more.is_empty() {
                let made = scene
                    .surface
                    .refinement(&scene.detail, levels, &images, &job);
                made.unwrap().unwrap()
            } else {
                landform::pipeline::refined(&made.heights, &scene, levels, &job).unwrap()
            };
            let written = refinement.double(region, &job).unwrap().into_vec();
            assert_eq!(lattice.heights(level, window), written, "{more} {levels}");
        }
    }
}

/// Windows are computed in parts.
#[test]
fn parts_of_windows_have_the_same_samples() {
    let eroded = "surface.iterations=8 modifiers=[{kind=\"erosion\"}] water.rivers=true";
    for land in ["", "surface.generator=perlin", eroded] {
        let made = landscape(&hills(9, land));
        let lattice = Lattice::new(made.below.as_ref().unwrap(), 1).unwrap();
        for levels in [1, 3, 20] {
            let level = lattice.level() + levels;
            let first = lattice.cells(level)[0] / 3;
            let window = |(row, rows), (column, columns)| Window {
                row: first + row as i64,
                column: first + column as i64,
                rows,
                columns,
            };
            let whole = lattice.heights(level, window((0, 90), (0, 150)));
            for (down, across) in [
                ((0, 90), (131, 19)),
                ((57, 33), (0, 150)),
                ((40, 1), (77, 1)),
            ] {
                let part = lattice.heights(level, window(down, across));
                let rows = whole.chunks(150).skip(down.0).take(down.1);
                let cut = rows.flat_map(|row| &row[across.0..][..across.1]);
                assert!(cut.eq(&part), "{land} {levels} {down:?} {across:?}");
            }
        }
    }
}

/// Pins may lie on a finer lattice than the map has: they are on the levels below.
#[test]
fn coarse_ground_continues_through_known_finer_levels() {
    let pins = "surface.iterations=4 surface.pin_level=7 \
                surface.pins=[{x=-0.921875,z=-0.953125,height=0.7},{x=0.0,z=0.0,height=-0.2}]";
    let made = landscape(&hills(5, pins));
    let lattice = Lattice::new(made.below.as_ref().unwrap(), 1).unwrap();
    assert_eq!((lattice.level(), lattice.cells(4)), (4, [16, 16]));
    let whole = |side: usize| Window {
        row: 0,
        column: 0,
        rows: side,
        columns: side,
    };
    let shown = made.heights.heights().iter().copied().map(f64::from);
    assert_eq!(lattice.heights(4, whole(17)), shown.collect::<Vec<_>>());
    let known = lattice.heights(7, whole(129));
    let scale = made.scene.surface.height_scale;
    assert_eq!(known[3 * 129 + 5], f64::from(0.7 * scale));
    let mut desk = Desk::of_way(GroundPath::RayCast);
    let near = from_near(hills(5, pins), 0.1, 0.2, 0.05);
    desk.update(&near);
    let mut without = near.clone();
    without.view.endless = false;
    let shapes = difference(&desk.picture(&near, SIZE), &desk.picture(&without, SIZE));
    assert!(shapes > 1.0, "{shapes}");
}

#[test]
fn tiles_join_at_every_depth() {
    let free = landscape(&hills(6, "view.tile=2 surface.diamond_square.edges=free"));
    // Between these are cliffs.
    assert!(Lattice::new(free.below.as_ref().unwrap(), 2).is_none());
    let alone = Lattice::new(free.below.as_ref().unwrap(), 1).unwrap();
    assert!(!alone.wraps());
    let made = landscape(&hills(6, "view.tile=2 surface.diamond_square.edges=wrap"));
    let lattice = Lattice::new(made.below.as_ref().unwrap(), 2).unwrap();
    assert!(lattice.wraps());
    for levels in [1, 8, 15] {
        let level = lattice.level() + levels;
        let cells = lattice.cells(level)[0];
        let window = |column: i64| Window {
            row: cells - 3,
            column,
            rows: 9,
            columns: 9,
        };
        let one = lattice.heights(level, window(cells - 4));
        assert_eq!(
            one,
            lattice.heights(level, window(2 * cells - 4)),
            "{levels}"
        );
    }
}
