//! Camera controls: arrow keys turn and move the eye as in the original program, the mouse orbits,
//! looks around, pans and zooms.

use egui::{PointerButton, Pos2, Rect, Response};
use glam::{DVec3, Vec2, Vec3};

use crate::camera::{Ground, above_ground, place_seen};
use crate::scene::{Camera, CameraMode, LEAST_DISTANCE, LEAST_SPEED, MOST_TARGET};

/// Orbit angle per point of mouse movement, in degrees.
const ORBIT_DEGREES_PER_POINT: f32 = 0.3;
/// View angle per point of mouse movement, in degrees.
const LOOK_DEGREES_PER_POINT: f32 = 0.15;

/// Zoom, or change of flying speed, per point of scrolling, as the logarithm of a factor.
const ZOOM_PER_POINT: f32 = 1.0 / 400.0;

/// Move the camera with the mouse. The wheel zooms towards the point of `ground` under the mouse,
/// or towards the target without one.
pub fn pointer(response: &Response, camera: &mut Camera, ground: Option<&Ground>) {
    let moved = response.drag_delta();
    if moved != egui::Vec2::ZERO {
        let primary = response.dragged_by(PointerButton::Primary);
        if primary && camera.mode == CameraMode::Orbit {
            orbit(camera, moved.x, moved.y);
        } else if camera.mode == CameraMode::Walk || (primary && camera.mode == CameraMode::Fly) {
            look(camera, moved.x, moved.y);
        } else {
            pan(camera, moved.x, moved.y, response.rect.height());
        }
    }
    if response.hovered() {
        let scrolled = response.ctx.input(|input| input.smooth_scroll_delta.y);
        if scrolled != 0.0 {
            let factor = (scrolled * ZOOM_PER_POINT).exp();
            match camera.mode {
                CameraMode::Orbit | CameraMode::Top => {
                    let at = response.hover_pos().map(|at| in_picture(at, response.rect));
                    let aspect = response.rect.aspect_ratio();
                    let place = at.zip(ground).and_then(|(at, ground)| {
                        // The drawn camera is kept above the ground.
                        let drawn = above_ground(camera, ground);
                        place_seen(&drawn, ground, at, aspect)
                    });
                    zoom_to(camera, factor, place);
                }
                CameraMode::Fly | CameraMode::Walk => hurry(camera, factor),
            }
        }
    }
}

/// Turn the view to the right by an angle in degrees; the eye stays.
pub fn turn(camera: &mut Camera, degrees: f32) {
    let eye = camera.eye();
    camera.bearing = wrapped(camera.bearing + degrees);
    *camera = camera.clone().with_eye(eye);
}

/// Move the eye and its target: to the right, up, and horizontally forward, in half tiles.
pub fn travel(camera: &mut Camera, right: f32, up: f32, ahead: f32) {
    let bearing = camera.bearing.to_radians();
    let step = Vec3::new(bearing.cos(), 0.0, bearing.sin()) * right
        + Vec3::Y * up
        + Vec3::new(bearing.sin(), 0.0, -bearing.cos()) * ahead;
    set_target(camera, DVec3::from(camera.target) + step.as_dvec3());
}

/// Look around from a fixed eye, as if the mouse dragged the sky; in points of mouse movement.
pub fn look(camera: &mut Camera, right: f32, down: f32) {
    let eye = camera.eye();
    camera.bearing = wrapped(camera.bearing - right * LOOK_DEGREES_PER_POINT);
    camera.pitch = (camera.pitch - down * LOOK_DEGREES_PER_POINT).clamp(-90.0, 90.0);
    *camera = camera.clone().with_eye(eye);
}

/// Multiply the flying and walking speed by a factor.
fn hurry(camera: &mut Camera, factor: f32) {
    camera.speed = (camera.speed * factor).clamp(LEAST_SPEED, 100.0);
}

/// Orbit around the target, as if the mouse dragged the ground; in points of mouse movement.
pub fn orbit(camera: &mut Camera, right: f32, down: f32) {
    camera.bearing = wrapped(camera.bearing + right * ORBIT_DEGREES_PER_POINT);
    camera.pitch = (camera.pitch + down * ORBIT_DEGREES_PER_POINT).clamp(-90.0, 90.0);
}

/// Pan the view so that the target stays under the mouse; in points of mouse movement, in a scene
/// `height` points high.
fn pan(camera: &mut Camera, right: f32, down: f32, height: f32) {
    let visible = 2.0 * camera.distance * (camera.fov.to_radians() * 0.5).tan();
    let per_point = visible / height.max(1.0);
    let bearing = camera.bearing.to_radians();
    let right_axis = Vec3::new(bearing.cos(), 0.0, bearing.sin());
    let up_axis = right_axis.cross(camera.forward());
    let step = right_axis * -right + up_axis * down;
    let target = DVec3::from(camera.target) + (step * per_point).as_dvec3();
    set_target(camera, target);
}

/// Zoom towards the target: divide its distance by a factor.
pub fn zoom(camera: &mut Camera, factor: f32) {
    camera.distance = (camera.distance / factor).clamp(LEAST_DISTANCE, 100.0);
}

/// Zoom by a factor towards a place, which keeps its position on screen; towards the target without
/// one.
fn zoom_to(camera: &mut Camera, factor: f32, place: Option<DVec3>) {
    let before = camera.distance;
    zoom(camera, factor);
    if let Some(place) = place {
        let target = DVec3::from(camera.target);
        let part = f64::from(camera.distance) / f64::from(before);
        set_target(camera, place.lerp(target, part));
    }
}

/// Position in the image in normalised device coordinates: from the centre to the right and up, 1
/// at the edges.
pub fn in_picture(at: Pos2, rect: Rect) -> Vec2 {
    let off = (at - rect.center()) / (rect.size() * 0.5);
    Vec2::new(off.x, -off.y)
}

fn set_target(camera: &mut Camera, target: DVec3) {
    let most = DVec3::splat(MOST_TARGET);
    camera.target = target.clamp(-most, most).into();
}

/// Equivalent angle in −180..180 degrees, the range of the panel's slider.
fn wrapped(degrees: f32) -> f32 {
    (degrees + 180.0).rem_euclid(360.0) - 180.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::heightmap::Heightmap;
    use crate::util::param::{Field, Params};

    #[test]
    fn every_turn_ends_on_the_slider() {
        let Field::Float { slider, .. } = &Camera::param("bearing").field else {
            panic!("a bearing is a number");
        };
        for degrees in (-800..800).map(|tenth| tenth as f32 * 0.7) {
            let turned = wrapped(degrees);
            assert!((slider.0..=slider.1).contains(&turned), "{degrees}");
        }
    }

    #[track_caller]
    fn check_near(a: DVec3, b: DVec3) {
        assert!((a - b).length() < 1e-4, "{a} {b}");
    }

    #[test]
    fn turning_leaves_the_eye_where_it_is() {
        let mut camera = Camera::default();
        let eye = camera.eye();
        turn(&mut camera, 170.0);
        check_near(camera.eye(), eye);
        assert_eq!(camera.bearing, -160.0);
    }

    #[test]
    fn orbiting_leaves_the_target_where_it_is() {
        let mut camera = Camera::default();
        orbit(&mut camera, 100.0, 1000.0);
        assert_eq!((camera.target, camera.pitch), ([0.0; 3], 90.0));
    }

    #[test]
    fn moving_ahead_keeps_the_height() {
        let mut camera = Camera {
            bearing: 90.0,
            pitch: 60.0,
            ..Camera::default()
        };
        travel(&mut camera, 0.0, 0.0, 0.05);
        check_near(camera.target.into(), DVec3::new(0.05, 0.0, 0.0));
    }

    #[test]
    fn panning_moves_the_target_with_the_mouse() {
        // 90° of view at distance 1 shows a height of 2: 100 of 200 points are 1.
        let mut camera = Camera {
            bearing: 0.0,
            pitch: 0.0,
            distance: 1.0,
            fov: 90.0,
            ..Camera::default()
        };
        pan(&mut camera, 100.0, 0.0, 200.0);
        check_near(camera.target.into(), DVec3::new(-1.0, 0.0, 0.0));
        pan(&mut camera, 0.0, 100.0, 200.0);
        check_near(camera.target.into(), DVec3::new(-1.0, 1.0, 0.0));
    }

    #[test]
    fn point_under_mouse_stays_there_while_zooming() {
        let heights = (0..33 * 33).map(|i| ((i * 37) % 11) as f32 * 0.02);
        let map = Heightmap::new(33, 33, false, heights.collect::<Vec<f32>>());
        let ground = Ground::new(&map, 3).expect("ground");
        for mode in [CameraMode::Orbit, CameraMode::Top] {
            for at in [Vec2::new(0.3, -0.4), Vec2::new(-0.6, 0.1), Vec2::ZERO] {
                let mut camera = Camera {
                    mode,
                    distance: 1.5,
                    ..Camera::default()
                };
                let seen = |camera: &Camera| place_seen(camera, &ground, at, 1.6);
                let before = seen(&camera).expect("ground under the mouse");
                for factor in [1.5, 2.0, 0.7] {
                    zoom_to(&mut camera, factor, Some(before));
                    let after = seen(&camera).expect("ground under the mouse");
                    let off = after.distance(before) as f32;
                    assert!(off < 2e-3 * camera.distance, "{mode} {at} {factor}: {off}");
                }
                // Zooming back must restore the target.
                let back = 1.0 / (1.5 * 2.0 * 0.7);
                zoom_to(&mut camera, back, Some(before));
                let off = DVec3::from(camera.target).length();
                assert!(off < 1e-3, "{off}");
            }
        }
    }

    #[test]
    fn a_window_without_a_shape_shows_no_place() {
        let map = Heightmap::new(3, 3, false, vec![0.0; 9]);
        let ground = Ground::new(&map, 1).expect("ground");
        for aspect in [f32::NAN, f32::INFINITY] {
            let seen = place_seen(&Camera::default(), &ground, Vec2::splat(0.5), aspect);
            assert_eq!(seen, None);
        }
    }

    #[test]
    fn no_move_leaves_the_allowed_range() {
        let mut camera = Camera::default();
        travel(&mut camera, 1.0e9, -1.0e9, 3.0);
        zoom(&mut camera, 1.0e9);
        let scene = crate::scene::Scene {
            camera,
            ..Default::default()
        };
        assert!(scene.validate().is_ok());
    }
}
