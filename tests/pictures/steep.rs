//! The ground below its last iteration, seen from steeply or from straight above.

use landform::job::Job;
use landform::render::{GroundPath, HeadlessRenderer, RenderRequest};
use landform::scene::Scene;

use crate::endless::{SIZE, difference, from_near, hills};
use crate::offscreen::{Desk, Failed};
use crate::pictures::landscape;

#[test]
fn ground_is_the_same_however_steep_the_view() {
    let mut desk = Desk::of_way(GroundPath::RayCast);
    // A camera that turns down, up to straight down, sees nothing jump.
    for shown in ["landscape", "triangles"] {
        let type_of = format!("view.render_type={shown} light.shadows=false");
        desk.update(&hills(3, &type_of));
        let near = from_near(hills(3, &type_of), 0.213, -0.377, 0.01);
        let mut frames = Vec::new();
        for tenth in 450..=900 {
            if tenth % 8 < 2 || (510..=530).contains(&tenth) {
                let mut now = near.clone();
                now.camera.pitch = tenth as f32 / 10.0;
                frames.push((tenth, desk.picture(&now, SIZE)));
            }
        }
        for pair in frames.windows(2) {
            let [(one, before), (other, after)] = pair else {
                unreachable!("pairs")
            };
            if other - one == 1 {
                let off = difference(before, after);
                assert!(off < 1.0, "{shown} at {one}: {off:.2}");
            }
        }
    }
}

/// Where levels add nothing, the picture is that of the map, however it is found.
#[test]
fn ground_stays_in_place_seen_steeply_from_above() {
    let mut desk = Desk::of_way(GroundPath::RayCast);
    for pitch in [55, 70, 90] {
        let plain = format!(
            "detail.strength=0 camera.pitch={pitch} light.shadows=false view.render_type=triangles"
        );
        desk.update(&hills(3, &plain));
        let near = from_near(hills(3, &plain), 0.213, -0.377, 0.3);
        let mut map = near.clone();
        map.view.endless = false;
        let off = difference(&desk.picture(&near, SIZE), &desk.picture(&map, SIZE));
        // Samples are lit more softly there. With rays that begin 15 % too far away it is 1.8 to 3.9.
        assert!(off < 1.4, "pitch {pitch}: {off}");
    }
}

#[test]
fn there_is_no_crack() {
    let mut studio = HeadlessRenderer::new().unwrap();
    let job = Job::new();
    for (distance, view) in [
        (0.5, "camera.pitch=44"),
        (0.02, "camera.pitch=44"),
        (3e-4, "camera.pitch=60"),
        (2e-4, "camera.pitch=90"),
        (1e-4, "camera.mode=top"),
        (1e-5, "camera.pitch=75"),
        (1e-7, "camera.mode=top"),
    ] {
        let scene = from_near(
            hills(2, &format!("view.tile=5 {view}")),
            -0.3,
            -0.25,
            distance,
        );
        let made = landscape(&scene);
        let shot = RenderRequest {
            transparent: true,
            ..RenderRequest::new(SIZE)
        };
        let mut open = 0;
        studio
            .expose(&made, &scene.camera, shot, &job, |band| {
                open += band.as_slice().iter().filter(|[.., a]| *a < 255).count();
                Ok::<_, Failed>(())
            })
            .unwrap();
        assert_eq!(open, 0, "{view} from {distance}");
    }
}

/// The pixels of a picture on nothing, and how much of each there is.
fn on_nothing(studio: &mut HeadlessRenderer, scene: &Scene) -> Vec<[u8; 4]> {
    let (made, mut pixels) = (landscape(scene), Vec::new());
    let shot = RenderRequest {
        transparent: true,
        ..RenderRequest::new(SIZE)
    };
    let exposed = studio.expose(&made, &scene.camera, shot, &Job::new(), |band| {
        pixels.extend_from_slice(band.as_slice());
        Ok::<_, Failed>(())
    });
    exposed.unwrap();
    pixels
}

#[test]
fn from_above_sea_hides_ground_at_any_distance() {
    let mut desk = Desk::of_way(GroundPath::RayCast);
    let sea = "water.enabled=true water.level=0.3 camera.mode=top";
    desk.update(&hills(3, sea));
    for distance in [0.1, 1e-3, 1e-6] {
        let near = from_near(hills(3, sea), 0.213, -0.377, distance);
        // From as high above the water.
        let mut map = near.clone();
        map.view.endless = false;
        map.camera.target[1] = f64::from(map.water.level);
        let off = difference(&desk.picture(&near, SIZE), &desk.picture(&map, SIZE));
        assert!(off < 1.0, "from {distance}: {off}");
    }
}

#[test]
fn hills_seen_from_above_may_exceed_eye_height() {
    let (mut desk, mut studio) = (
        Desk::of_way(GroundPath::RayCast),
        HeadlessRenderer::new().unwrap(),
    );
    for smooth in [false, true] {
        // Levels that add nothing: but for how it is lit in the small, the picture is that of the map.
        let steep = format!(
            "surface.height_scale=3 surface.hurst=0.8 detail.strength=0 camera.mode=top \
             view.render_type=triangles light.shadows=false view.antialias={smooth}"
        );
        desk.update(&hills(3, &steep));
        for (x, z) in [(0.213, -0.377), (-0.4, 0.35)] {
            let near = from_near(hills(3, &steep), x, z, 0.1);
            let mut map = near.clone();
            map.view.endless = false;
            let (deep, plain) = (desk.picture(&near, SIZE), desk.picture(&map, SIZE));
            let both = deep.as_slice().iter().zip(plain.as_slice());
            let other = both.filter(|(a, b)| (0..3).any(|i| a[i].abs_diff(b[i]) > 80));
            let other = other.count();
            assert!(other < 8, "{smooth} {x} {z}: {other} pixels");
            let pixels = on_nothing(&mut studio, &near);
            let open = pixels.iter().filter(|[.., a]| *a < 255).count();
            assert_eq!(open, 0, "{smooth} {x} {z}");
        }
    }
}

#[test]
fn ground_seen_from_above_ends_at_its_edge() {
    let mut studio = HeadlessRenderer::new().unwrap();
    for smooth in [false, true] {
        let settings = format!(
            "surface.iterations=5 camera.mode=top camera.bearing=0 view.render_type=triangles \
             view.antialias={smooth}"
        );
        let scene = from_near(hills(3, &settings), 0.0, 0.0, 1.9);
        let pixels = on_nothing(&mut studio, &scene);
        let half = scene.camera.distance * (scene.camera.fov.to_radians() * 0.5).tan();
        let step = 2.0 * half / SIZE.1 as f32;
        let (mut inside, mut outside) = (0, 0);
        for (at, [.., a]) in pixels.iter().enumerate() {
            let away = |at: usize, count: u32| (at as f32 + 0.5 - 0.5 * count as f32).abs() * step;
            let x = away(at % SIZE.0 as usize, SIZE.0);
            let z = away(at / SIZE.0 as usize, SIZE.1);
            if x.max(z) < 1.0 - step {
                inside += 1;
                assert_eq!(*a, 255, "{smooth}: {x} {z}");
            } else if x.max(z) > 1.0 + step {
                outside += 1;
                assert_eq!(*a, 0, "{smooth}: {x} {z}");
            }
        }
        assert!(inside > 3000 && outside > 3000, "{inside} {outside}");
    }
}
