//! Coming nearer, step by step.

use std::time::Duration;

use landform::render::{GroundPath, Rates};
use landform::scene::Scene;

use crate::endless::{SIZE, difference, from_near, hills};
use crate::offscreen::{Desk, NO_TIME};
use crate::pictures::Picture;

/// Draws nearer step by step and expects that no step changes the picture by much more than those
/// before and after it.
fn nothing_jumps(start: Scene, steps: usize) {
    let mut desk = Desk::of_way(GroundPath::RayCast);
    desk.update(&start);
    let shown = start.render_type();
    let mut frames = Vec::new();
    let mut now = start;
    for _ in 0..steps {
        frames.push(desk.picture(&now, SIZE));
        now.camera.distance /= 1.02;
    }
    let off: Vec<f64> = frames
        .windows(2)
        .map(|pair| difference(&pair[0], &pair[1]))
        .collect();
    for (index, around) in off.windows(3).enumerate() {
        let usual = 0.5 * (around[0] + around[2]);
        assert!(
            around[1] < 1.25 * usual + 0.1,
            "{shown:?}, frame {index}: {around:.2?}"
        );
    }
}

#[test]
fn drawn_nearer_step_by_step_nothing_jumps() {
    // Through a level and a half.
    nothing_jumps(
        from_near(hills(8, "light.elevation=40"), 0.2134567, 0.3345678, 0.02),
        50,
    );
}

#[test]
fn lines_come_in_without_a_jump() {
    // From the map down through two levels, then through those farther below; over several tiles too.
    for (more, distance, steps) in [
        ("", 2.4, 110),
        ("surface.iterations=5 camera.pitch=80", 3.0, 110),
        ("view.tile=3", 0.02, 60),
        ("surface.iterations=5 view.tile=3 camera.pitch=80", 3e-4, 60),
        ("camera.mode=top", 3e-5, 60),
    ] {
        let more = format!("view.render_type=lines {more}");
        nothing_jumps(
            from_near(hills(8, &more), 0.2134567, 0.3345678, distance),
            steps,
        );
    }
}

/// So that pictures are no coarser for them, see `FrameBudget::shared`.
#[test]
fn detail_window_time_is_separate_and_spent_once() {
    let near = from_near(hills(8, ""), 0.2134567, 0.3345678, 1e-3);
    let mut desk = Desk::of_way(GroundPath::RayCast);
    desk.update(&near);
    let mut took = || {
        let facade = desk.headless.facade();
        let begun = (desk.renderer).begin(facade, &near, SIZE, Some(NO_TIME), Rates::unknown());
        let mut picture = begun.unwrap();
        while !picture.is_done() {
            desk.renderer.develop(facade, &near, &mut picture).unwrap();
        }
        let times = (picture.took_around(), picture.took());
        desk.renderer.give_up(picture);
        times
    };
    let (windows, all) = took();
    assert!(
        windows > Duration::ZERO && windows < all,
        "{windows:?} {all:?}"
    );
    assert_eq!(took().0, Duration::ZERO, "they are there");
}

/// How much 99 of 100 numbers of a picture differ at most from those of one that shows more by 1 %, where
/// that is scaled onto it.
fn apart(farther: &Picture, nearer: &Picture) -> u8 {
    let (rows, columns) = (nearer.rows(), nearer.columns());
    let place = |at: usize, count: usize| {
        let middle = (count - 1) as f64 / 2.0;
        let place = middle + (at as f64 - middle) / 1.01;
        let first = (place as usize).min(count - 2);
        (first, place - first as f64)
    };
    let mut off = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let ((north, down), (west, across)) = (place(row, rows), place(column, columns));
            for channel in 0..3 {
                let at = |row, column| f64::from(farther.at(row, column)[channel]);
                let line = |row| at(row, west) * (1.0 - across) + at(row, west + 1) * across;
                let scaled = line(north) * (1.0 - down) + line(north + 1) * down;
                let own = f64::from(nearer.at(row, column)[channel]);
                off.push((scaled - own).abs().round() as u8);
            }
        }
    }
    off.sort_unstable();
    off[(off.len() - 1) * 99 / 100]
}

/// From straight above, since in perspective what is higher moves faster; and without the grains of
/// `landscape`, which are as small as pixels.
#[test]
fn neighbouring_frames_of_a_zoom_are_alike() {
    const MOST: u8 = 4;
    for shown in ["map", "map analysis.hillshade=true", "triangles"] {
        let mut desk = Desk::of_way(GroundPath::RayCast);
        let settings = format!("view.render_type={shown} camera.mode=top");
        desk.update(&hills(8, &settings));
        // 28 levels, seven times in each.
        for frame in 0..196 {
            let distance = 0.5_f32.powf(1.0 + frame as f32 / 7.0);
            let seen = |distance| from_near(hills(8, &settings), 0.2134567, 0.3345678, distance);
            let frames = [1.0, 1.01].map(|nearer| desk.picture(&seen(distance / nearer), SIZE));
            let off = apart(&frames[0], &frames[1]);
            assert!(off <= MOST, "{shown} from {distance}: {off}");
        }
    }
}
