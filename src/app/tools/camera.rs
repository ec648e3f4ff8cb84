//! Moving the camera: the original's keys turn and move the eye, the mouse moves around the
//! target.

use egui::{PointerButton, Response, Vec2};
use glam::Vec3;

use crate::scene::{Camera, CameraMode, MOST_TARGET};

/// Degrees of an orbit for each point that the mouse moves.
const ORBIT_DEGREES_PER_POINT: f32 = 0.3;
/// Degrees that the view turns for each point that the mouse moves.
const LOOK_DEGREES_PER_POINT: f32 = 0.15;

/// A point of scrolling brings the target nearer, or makes flying faster, by this part.
const ZOOM_PER_POINT: f32 = 1.0 / 400.0;

/// Moves the camera as the mouse over the scene does.
pub fn pointer(response: &Response, camera: &mut Camera) {
    let moved = response.drag_delta();
    if moved != Vec2::ZERO {
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
                CameraMode::Orbit | CameraMode::Top => zoom(camera, factor),
                CameraMode::Fly | CameraMode::Walk => hurry(camera, factor),
            }
        }
    }
}

/// Turns the view where the eye stands, in degrees to the right.
pub fn turn(camera: &mut Camera, degrees: f32) {
    let eye = camera.eye();
    camera.bearing = wrapped(camera.bearing + degrees);
    set_target(camera, eye + camera.forward() * camera.distance);
}

/// Moves the eye and what it looks at: to the right, up, and the way it faces along the ground.
pub fn travel(camera: &mut Camera, right: f32, up: f32, ahead: f32) {
    let bearing = camera.bearing.to_radians();
    let step = Vec3::new(bearing.cos(), 0.0, bearing.sin()) * right
        + Vec3::Y * up
        + Vec3::new(bearing.sin(), 0.0, -bearing.cos()) * ahead;
    set_target(camera, Vec3::from(camera.target) + step);
}

/// Looks around from where the eye is, as if the mouse held the sky; in points of mouse movement.
pub fn look(camera: &mut Camera, right: f32, down: f32) {
    let eye = camera.eye();
    camera.bearing = wrapped(camera.bearing - right * LOOK_DEGREES_PER_POINT);
    camera.pitch = (camera.pitch - down * LOOK_DEGREES_PER_POINT).clamp(-90.0, 90.0);
    set_target(camera, eye + camera.forward() * camera.distance);
}

/// Flies and walks faster by that factor (slower below 1).
pub fn hurry(camera: &mut Camera, factor: f32) {
    camera.speed = (camera.speed * factor).clamp(0.01, 100.0);
}

/// Goes around the target as if the mouse held the ground; in points of mouse movement.
pub fn orbit(camera: &mut Camera, right: f32, down: f32) {
    camera.bearing = wrapped(camera.bearing + right * ORBIT_DEGREES_PER_POINT);
    camera.pitch = (camera.pitch + down * ORBIT_DEGREES_PER_POINT).clamp(-90.0, 90.0);
}

/// Shifts the view so that the target stays under the mouse; in points of mouse movement, in a
/// scene `height` points high.
pub fn pan(camera: &mut Camera, right: f32, down: f32, height: f32) {
    let visible = 2.0 * camera.distance * (camera.fov.to_radians() * 0.5).tan();
    let per_point = visible / height.max(1.0);
    let bearing = camera.bearing.to_radians();
    let right_axis = Vec3::new(bearing.cos(), 0.0, bearing.sin());
    let up_axis = right_axis.cross(camera.forward());
    let step = right_axis * -right + up_axis * down;
    set_target(camera, Vec3::from(camera.target) + step * per_point);
}

/// Goes nearer to the target by that factor (farther below 1).
pub fn zoom(camera: &mut Camera, factor: f32) {
    camera.distance = (camera.distance / factor).clamp(0.01, 100.0);
}

fn set_target(camera: &mut Camera, target: Vec3) {
    camera.target = target
        .clamp(Vec3::splat(-MOST_TARGET), Vec3::splat(MOST_TARGET))
        .into();
}

/// The same direction, in −180…180, which the panel's slider spans.
fn wrapped(degrees: f32) -> f32 {
    (degrees + 180.0).rem_euclid(360.0) - 180.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::param::{Field, Params};

    #[test]
    fn every_turn_ends_on_the_slider() {
        let Field::Float { slider, .. } = &Camera::param("bearing").field else {
            panic!("a bearing is a number");
        };
        for degrees in (-800..800).map(|tenth| tenth as f32 * 0.7) {
            assert!(
                (slider.0..=slider.1).contains(&wrapped(degrees)),
                "{degrees}"
            );
        }
    }

    #[track_caller]
    fn check_near(a: Vec3, b: Vec3) {
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
        check_near(camera.target.into(), Vec3::new(0.05, 0.0, 0.0));
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
        check_near(camera.target.into(), Vec3::new(-1.0, 0.0, 0.0));
        pan(&mut camera, 0.0, 100.0, 200.0);
        check_near(camera.target.into(), Vec3::new(-1.0, 1.0, 0.0));
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
