//! Eyes over the ground.

use super::*;

fn random(seed: u64) -> impl FnMut() -> f32 {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1 << 24) as f32
    }
}

#[test]
fn orbit_keeps_its_eye_out_of_ground() {
    let hill = [0.0, 0.1, 0.0, 0.1, 0.4, 0.1, 0.0, 0.1, 0.0].to_vec();
    let ground = Ground::new(&Heightmap::new(3, 3, true, hill), 3).expect("a ground");
    let wet = ground.under_water(Some(0.6));
    let orbit = |pitch: f32, distance: f32, mode: CameraMode| Camera {
        pitch,
        distance,
        mode,
        ..Camera::default()
    };
    for pitch in [-60.0, -10.0, 0.0, 15.0, 60.0] {
        for distance in [0.05, 0.4, 1.5] {
            let camera = orbit(pitch, distance, CameraMode::Orbit);
            for ground in [&ground, &wet] {
                let seen = above_ground(&camera, ground);
                let (eye, before) = (seen.eye().as_vec3(), camera.eye().as_vec3());
                assert!(
                    eye.y >= ground.height(eye.x, eye.z),
                    "{pitch} {distance}: {eye}"
                );
                assert!((eye - before).with_y(0.0).length() < 1e-5);
                assert!((seen.forward() - camera.forward()).length() < 1e-5);
                let was_above = before.y > ground.height(before.x, before.z) + 0.01;
                assert!(!was_above || seen == camera, "{pitch} {distance}");
            }
            let flying = orbit(pitch, distance, CameraMode::Fly);
            assert_eq!(above_ground(&flying, &ground), flying);
        }
    }
    // Beyond the border, and below the floor of a single tile.
    let beyond = orbit(-5.0, 20.0, CameraMode::Orbit);
    assert_eq!(above_ground(&beyond, &ground), beyond);
    let underneath = orbit(-90.0, 1.0, CameraMode::Orbit);
    assert_eq!(above_ground(&underneath, &ground.tiled(1)), underneath);
}

#[test]
fn ground_is_as_drawn_or_slightly_above() {
    for (index, map) in maps().iter().enumerate() {
        let (low, high) = map.range();
        for tiles in [1, 2, 3] {
            let ground = Ground::new(map, 1).expect("a ground").tiled(tiles);
            let [reach_x, reach_z] = ground.reach();
            let mut random = random(index as u64 + 1);
            for _ in 0..5000 {
                let x = (random() * 2.4 - 1.2) * reach_x;
                let z = (random() * 2.4 - 1.2) * reach_z;
                let (said, true_height) = (ground.height(x, z), drawn(map, tiles, x, z));
                assert!(said >= true_height, "map {index} at {x}, {z}");
                let near = said - true_height < (high - low) * 1e-4;
                assert!(
                    near || !map.wraps(),
                    "map {index} at {x}, {z}: {said} {true_height}"
                );
            }
        }
    }
    let profile = map(Generator::Midpoint1d, 0.5, 1);
    assert!(Ground::new(&profile, 1).is_none());
}

#[test]
fn the_ground_has_no_jumps_between_tiles() {
    for map in maps() {
        let ground = Ground::new(&map, 3).expect("a ground");
        let [reach, _] = ground.reach();
        let step = 1e-4;
        let rises = map
            .heights()
            .windows(2)
            .map(|pair| (pair[1] - pair[0]).abs());
        let steepest = rises.fold(0.0, f32::max) / map.spacing() * 1.01 + 5.0;
        let mut before = ground.height(-reach, 0.1);
        let count = (2.0 * reach / step) as i32;
        for index in 1..=count {
            let now = ground.height(-reach + step * index as f32, 0.1);
            assert!((now - before).abs() < steepest * step, "{now} {before}");
            before = now;
        }
    }
}

/// Where a random walk over rough ground leads, each place handed to `look`.
fn wander(mode: CameraMode, map: &Heightmap, tiles: u32, seed: u64, mut look: impl FnMut(Vec3)) {
    let ground = Ground::new(map, tiles).expect("a ground");
    let mut random = random(seed);
    let mut camera = Camera {
        speed: 3.0,
        // Strides of a giant, to come across borders.
        eye_height: if mode == CameraMode::Walk { 20.0 } else { 1.8 },
        ..Camera::default()
    };
    let mut steering = Steering::default();
    steering.set_mode(&mut camera, mode, Some(&ground), TILE_M);
    let mut wish = Wish::default();
    for frame in 0..1500 {
        if frame % 40 == 0 {
            let mut axis = || (random() * 3.0).floor() - 1.0;
            wish = Wish {
                right: axis(),
                up: axis(),
                ahead: axis(),
                fast: axis() > 0.0,
            };
        }
        if frame % 7 == 0 {
            let eye = camera.eye().as_vec3();
            camera.bearing = random() * 360.0 - 180.0;
            camera.pitch = random() * 180.0 - 90.0;
            camera = camera.with_eye(eye.as_dvec3());
        }
        let seconds = 0.005 + random() * 0.1;
        steering.advance(&mut camera, wish, Some(&ground), TILE_M, seconds);
        look(camera.eye().as_vec3());
    }
}

#[test]
fn no_wandering_leads_under_the_ground() {
    for (index, map) in maps().iter().enumerate() {
        for mode in [CameraMode::Fly, CameraMode::Walk] {
            for tiles in [1, 3] {
                let mut crossed = 0;
                let mut last = Vec3::ZERO;
                wander(mode, map, tiles, 11 + index as u64, |eye| {
                    let height = drawn(map, tiles, eye.x, eye.z);
                    assert!(eye.is_finite());
                    assert!(eye.y > height, "{mode} over map {index}: {eye} {height}");
                    crossed += u32::from(last.x.abs() < 1.0 && eye.x.abs() >= 1.0);
                    last = eye;
                });
                let tells = tiles == 3 && index == 0;
                assert!(!tells || crossed > 2, "{mode}: {crossed} borders crossed");
            }
        }
    }
}

#[test]
fn standing_walker_has_eye_height() {
    let map = map(Generator::DiamondSquare, 0.7, 3);
    let ground = Ground::new(&map, 2).expect("a ground");
    let mut camera = Camera::default();
    let mut steering = Steering::default();
    let before = camera.eye().as_vec3();
    steering.set_mode(&mut camera, CameraMode::Walk, Some(&ground), TILE_M);
    assert_eq!(
        camera.eye().as_vec3(),
        before,
        "the eye stays, then goes down"
    );
    let mut last = before;
    for _ in 0..300 {
        steering.advance(&mut camera, Wish::default(), Some(&ground), TILE_M, 0.02);
        assert!((camera.eye().as_vec3() - last).length() < 0.2, "no jump");
        last = camera.eye().as_vec3();
    }
    assert!(!steering.is_moving());
    let eye = camera.eye().as_vec3();
    let [x, z] = ground.reach();
    assert!(
        eye.x.abs() <= x + 1e-5 && eye.z.abs() <= z + 1e-5,
        "within the border"
    );
    let height = eye.y - ground.height(eye.x, eye.z);
    assert!((height - 0.0018).abs() < 1e-4, "1.8 m of 1000 m: {height}");
    assert_eq!(eye_height(&camera, TILE_M), 0.0018);
}

#[test]
fn changing_mode_leaves_the_eye_in_place() {
    let map = map(Generator::DiamondSquare, 0.7, 3);
    let ground = Ground::new(&map, 1).expect("a ground");
    for from in CameraMode::ALL {
        for to in CameraMode::ALL {
            let mut camera = Camera::default().with_mode(*from);
            let mut steering = Steering::default();
            let before = camera.eye().as_vec3();
            steering.set_mode(&mut camera, *to, Some(&ground), TILE_M);
            assert!(
                (camera.eye().as_vec3() - before).length() < 1e-5,
                "{from} to {to}"
            );
            steering.advance(&mut camera, Wish::default(), Some(&ground), TILE_M, 0.001);
            assert!(
                (camera.eye().as_vec3() - before).length() < 1e-3,
                "{from} to {to}"
            );
        }
    }
}

#[test]
fn frame_rate_does_not_change_the_destination() {
    let map = map(Generator::DiamondSquare, 0.6, 5);
    let ground = Ground::new(&map, 3).expect("a ground");
    for mode in [
        CameraMode::Orbit,
        CameraMode::Fly,
        CameraMode::Walk,
        CameraMode::Top,
    ] {
        let way = |frames: u32| {
            let mut camera = Camera {
                mode,
                pitch: 20.0,
                distance: 0.5,
                eye_height: 40.0,
                target: [0.0, 0.6, 0.0],
                ..Camera::default()
            };
            let mut steering = Steering::default();
            let mut places = Vec::new();
            for second in [
                Wish {
                    ahead: 1.0,
                    ..Wish::default()
                },
                Wish {
                    ahead: 1.0,
                    right: -1.0,
                    fast: true,
                    ..Wish::default()
                },
                Wish {
                    up: -1.0,
                    ..Wish::default()
                },
                Wish::default(),
            ] {
                for _ in 0..frames {
                    let seconds = 1.0 / frames as f32;
                    steering.advance(&mut camera, second, Some(&ground), TILE_M, seconds);
                }
                places.push((camera.eye().as_vec3(), camera.distance));
            }
            places
        };
        let (few, many) = (way(10), way(100));
        assert!((few[0].0 - few[2].0).length() > 0.3, "{mode} moves");
        for ((few, few_away), (many, many_away)) in few.iter().zip(&many) {
            assert!((*few - *many).length() < 0.01, "{mode}: {few} {many}");
            assert!((few_away - many_away).abs() < 0.01, "{mode}");
        }
        assert!((few[3].0 - way(60)[3].0).length() < 0.01);
    }
}
