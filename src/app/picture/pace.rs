//! Frame budget: how fine the picture is while something moves, as 30 pictures a second allow.
//!
//! There is a ladder of steps, from the picture as the scene asks for it to one of a seventieth
//! of the pixels and coarser ground. Frames that take too long lead down; frames quick enough for the next step
//! up, by what that step was found to cost, lead up again, some of them in a row. So a steady
//! machine comes to rest on one step, and a single slow frame changes little. What the picture is
//! like at rest is not asked of this: always as the scene says.

use std::time::Duration;

use crate::scene::Scene;

/// Time without any change after which the picture is drawn as the scene says.
pub const REST: Duration = Duration::from_millis(150);

/// A frame of 30 a second, in seconds.
const FRAME: f32 = 1.0 / 30.0;
/// Frames that last so much longer are too slow; a display's refresh makes some of just as long.
const SLACK: f32 = 1.15;
/// Part of a frame that the next finer step may be expected to take.
const ROOM: f32 = 0.8;
/// Slow frames before a coarser step, unless they take twice the time; quick ones before a finer.
const SLOW: u32 = 2;
const QUICK: u32 = 6;
/// How much of the mean time that windows take is that of the last picture.
const SHARE: f32 = 0.1;

/// How a picture is made cheaper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// By how much the error of the ground in pixels is larger, ≥ 1.
    pub coarser: f32,
    /// Whether the scene's antialiasing stays.
    pub antialias: bool,
    /// Part of the picture's width and height that is drawn, and then enlarged.
    pub scale: f32,
}

/// The ladder; the first step is the scene's own picture.
pub const STEPS: [Step; 11] = [
    step(1.0, true, 1.0),
    step(1.0, false, 1.0),
    step(1.7, false, 1.0),
    step(3.0, false, 1.0),
    step(2.5, false, 0.7),
    step(3.0, false, 0.5),
    step(5.0, false, 0.4),
    step(5.0, false, 0.3),
    step(6.0, false, 0.22),
    step(8.0, false, 0.16),
    step(10.0, false, 0.12),
];
/// The step of a quarter of the pixels.
pub const QUARTER: usize = 5;
/// How much quicker each step is than the one before, until that is measured.
const GAINS: [f32; STEPS.len() - 1] = [2.0, 1.4, 1.4, 1.3, 1.4, 1.3, 1.4, 1.4, 1.4, 1.3];

const fn step(coarser: f32, antialias: bool, scale: f32) -> Step {
    Step {
        coarser,
        antialias,
        scale,
    }
}

impl Step {
    /// What is drawn for a picture of `scene` in `size` pixels.
    #[must_use]
    pub fn applied(&self, scene: &Scene, (width, height): (u32, u32)) -> (Scene, (u32, u32)) {
        let mut scene = scene.clone();
        scene.view.detail *= self.coarser;
        scene.view.antialias &= self.antialias;
        let part = |side: u32| ((side as f32 * self.scale).round() as u32).max(1);
        (scene, (part(width), part(height)))
    }
}

/// Which step pictures are drawn at while something moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Pace {
    step: usize,
    gains: [f32; GAINS.len()],
    /// The last frame: its step and time in seconds.
    last: Option<(usize, f32)>,
    slow: u32,
    quick: u32,
    /// Seconds that windows of ground below the map take, the mean of the last pictures.
    windows: f32,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            step: 0,
            gains: GAINS,
            last: None,
            slow: 0,
            quick: 0,
            windows: 0.0,
        }
    }
}

impl Pace {
    /// The step to draw at while something moves, a place in [`STEPS`].
    #[must_use]
    pub fn step(&self) -> usize {
        self.step
    }

    /// The time to note for a picture that `took` so long, `windows` of which went into windows of ground
    /// below the map. These come now and then and serve many pictures, so each has its share of them: else
    /// coming nearer would show all pictures as coarse as if each had such a window to make.
    pub fn shared(&mut self, took: Duration, windows: Duration) -> Duration {
        self.windows += SHARE * (windows.as_secs_f32() - self.windows);
        took.saturating_sub(windows) + Duration::from_secs_f32(self.windows)
    }

    /// Takes note that a frame with a picture drawn at `step` took `time`; of pictures at rest
    /// too, whose step is 0.
    pub fn note(&mut self, step: usize, time: Duration) {
        let seconds = time.as_secs_f32();
        self.learn(step, seconds);
        self.last = Some((step, seconds));
        if step != self.step {
            // The picture at rest. If it is quick, so are pictures in motion.
            if step < self.step && seconds < FRAME * ROOM {
                self.step = step;
            }
            return;
        }
        if seconds > FRAME * SLACK {
            self.slow += 1;
            self.quick = 0;
            if self.slow >= SLOW || seconds > FRAME * 2.0 {
                self.slow = 0;
                self.step = self.coarser(step, seconds);
            }
            return;
        }
        self.slow = 0;
        let finer = step.checked_sub(1);
        let affords = finer.is_some_and(|finer| seconds * self.gains[finer] < FRAME * ROOM);
        self.quick = if affords { self.quick + 1 } else { 0 };
        if let (Some(finer), true) = (finer, self.quick >= QUICK) {
            self.quick = 0;
            self.step = finer;
        }
    }

    /// What a step gains, from frames of neighbouring steps one after the other.
    fn learn(&mut self, step: usize, seconds: f32) {
        let Some((before, time)) = self.last else {
            return;
        };
        let (fine, coarse) = ((before, time), (step, seconds));
        let (fine, coarse) = if before < step {
            (fine, coarse)
        } else {
            (coarse, fine)
        };
        if fine.0 + 1 == coarse.0 {
            self.gains[fine.0] = (fine.1 / coarse.1.max(1e-4)).clamp(1.0, 3.0);
        }
    }

    /// The first step after `step` that should be quick enough.
    fn coarser(&self, step: usize, mut seconds: f32) -> usize {
        let mut found = step;
        while found + 1 < STEPS.len() && (found == step || seconds > FRAME) {
            seconds /= self.gains[found];
            found += 1;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The steps that a machine comes to which takes so many milliseconds for each.
    fn steps(pace: &mut Pace, costs: [f32; STEPS.len()], frames: usize) -> Vec<usize> {
        let mut shown = Vec::new();
        for _ in 0..frames {
            shown.push(pace.step());
            let time = Duration::from_secs_f32(costs[pace.step()] / 1000.0);
            pace.note(pace.step(), time);
        }
        shown
    }

    #[test]
    fn quick_machines_draw_what_the_scene_says() {
        let costs = [30.0, 20.0, 15.0, 12.0, 8.0, 6.0, 5.0, 4.0, 3.0, 2.5, 2.0];
        let shown = steps(&mut Pace::default(), costs, 100);
        assert_eq!(shown, vec![0; 100]);
    }

    #[test]
    fn slow_machines_come_to_the_first_step_that_is_quick_enough_and_stay() {
        for (scale, best) in [
            (1.5, 1),
            (2.2, 2),
            (3.0, 3),
            (4.4, 4),
            (14.0, 8),
            (40.0, 10),
        ] {
            let costs =
                [30.0, 20.0, 15.0, 11.0, 8.5, 6.0, 5.0, 3.8, 2.7, 1.9, 1.4].map(|ms| ms * scale);
            let mut pace = Pace::default();
            let shown = steps(&mut pace, costs, 200);
            let last = shown[199];
            assert!((best..=best + 1).contains(&last), "{scale}: {shown:?}");
            assert!(shown[100..].iter().all(|step| *step == last), "{shown:?}");
            let slow = shown.iter().filter(|step| **step < best).count();
            assert!(slow <= 8, "{scale}: {slow} slow frames, {shown:?}");
        }
    }

    #[test]
    fn a_single_slow_frame_changes_nothing_and_a_very_slow_one_is_forgotten() {
        let costs = [20.0, 10.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.5, 2.0, 1.5, 1.2];
        let mut pace = Pace::default();
        steps(&mut pace, costs, 5);
        pace.note(0, Duration::from_millis(45));
        assert_eq!(pace.step(), 0);
        pace.note(0, Duration::from_millis(15));
        pace.note(0, Duration::from_millis(500));
        assert!(pace.step() > 0);
        let shown = steps(&mut pace, costs, 60);
        assert_eq!(shown[59], 0, "{shown:?}");
    }

    #[test]
    fn windows_that_serve_many_pictures_make_none_of_them_coarse() {
        let ms = Duration::from_millis;
        // How coarse pictures are that take 12 ms, and so much more for windows in every fifth.
        let coarsest = |windows: u64| {
            let mut pace = Pace::default();
            let steps = (0..300).map(|picture| {
                let windows = ms(if picture % 5 == 0 { windows } else { 0 });
                let told = pace.shared(ms(12) + windows, windows);
                pace.note(pace.step(), told);
                pace.step()
            });
            steps.max()
        };
        assert_eq!(coarsest(0), Some(0));
        assert_eq!(coarsest(70), Some(0), "14 ms a picture");
        assert!(coarsest(200) > Some(0), "40 ms a picture");
    }

    #[test]
    fn a_slow_picture_at_rest_is_known_before_anything_moves() {
        let mut pace = Pace::default();
        pace.note(0, Duration::from_millis(200));
        assert!(pace.step() > 1);
        // Another scene comes to rest, which is quick.
        pace.note(0, Duration::from_millis(9));
        assert_eq!(pace.step(), 0);
    }

    #[test]
    fn a_quarter_of_the_pixels_is_that() {
        assert_eq!(STEPS[QUARTER].scale, 0.5);
    }

    #[test]
    fn the_first_step_is_the_scene_itself() {
        let scene = Scene::default();
        assert_eq!(STEPS[0].applied(&scene, (7, 5)), (scene.clone(), (7, 5)));
        let (coarse, size) = STEPS[6].applied(&scene, (100, 1));
        assert_eq!((coarse.view.antialias, size), (false, (40, 1)));
        for pair in STEPS.windows(2) {
            // Pixels, and what stands in them: each step has less to draw.
            let work =
                |step: &Step| step.scale / step.coarser - f32::from(u8::from(!step.antialias));
            assert!(work(&pair[1]) < work(&pair[0]), "{pair:?}");
        }
    }
}
