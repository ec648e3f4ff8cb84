//! Adaptive level of detail in motion, for a frame budget of 1/30 s.
//!
//! A ladder of steps leads from the scene's own quality down to one seventieth of the pixels with
//! coarser ground. Slow frames lead to a coarser step. Several fast frames in a row lead to a finer
//! one, if its time is expected to fit the budget; the gain of each step is measured. Steady load
//! therefore settles on one step. A single slow frame, such as one that waited for finer ground,
//! costs one step for a moment and is no measurement. The final image at rest always has the
//! scene's own quality.

use std::time::Duration;

use crate::scene::Scene;

/// Time without changes after which the image is drawn at full quality.
pub const REST: Duration = Duration::from_millis(150);
/// The same for a preview of a landscape that a finer one is about to replace, which needs the processor.
pub const REST_OF_PREVIEW: Duration = Duration::from_millis(600);

/// Frame budget in seconds: 30 frames a second.
const FRAME: f32 = 1.0 / 30.0;
/// Factor over the budget from which a frame is slow. It leaves a margin for frames that last
/// exactly the budget because of vertical synchronisation.
const SLACK: f32 = 1.15;
/// Part of the budget that the next finer step may be expected to take.
const ROOM: f32 = 0.8;
/// Slow frames in a row before a coarser step; one frame of twice the budget is enough, unless the
/// frame before was fast.
const SLOW: u32 = 2;
/// Fast frames in a row before a finer step.
const QUICK: u32 = 6;
/// Weight of the newest image in the moving average of the time for detail windows.
const SHARE: f32 = 0.1;
/// Time for detail windows in motion, as a fraction of the time for the images themselves, and in one image.
/// Without a limit a camera that flies low would wait for windows most of the time.
const WINDOWS: f32 = 0.3;
const WINDOWS_AT_ONCE: Duration = Duration::from_millis(8);
/// Most seconds for windows that images without them save up, and most that they have to make up for.
const SAVED: f32 = 0.03;
const OWED: f32 = 0.2;

/// Step of the ladder: a level of detail.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Factor of the allowed ground error in pixels, ≥ 1.
    pub coarser: f32,
    /// True to keep the scene's antialiasing.
    pub antialias: bool,
    /// Resolution scale along each side; the image is enlarged afterwards.
    pub scale: f32,
}

/// Ladder of steps, from the scene's own quality down.
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
/// Index of the step with a quarter of the pixels.
pub const QUARTER: usize = 5;
/// Initial speed-up of each step over the one before, until it is measured.
const GAINS: [f32; STEPS.len() - 1] = [2.0, 1.4, 1.4, 1.3, 1.4, 1.3, 1.4, 1.4, 1.4, 1.3];

const fn step(coarser: f32, antialias: bool, scale: f32) -> Step {
    Step {
        coarser,
        antialias,
        scale,
    }
}

impl Step {
    /// Apply the step to a scene drawn in `size` pixels. Returns the changed scene and the number
    /// of pixels.
    #[must_use]
    pub fn applied(&self, scene: &Scene, (width, height): (u32, u32)) -> (Scene, (u32, u32)) {
        let mut scene = scene.clone();
        scene.view.detail *= self.coarser;
        scene.view.antialias &= self.antialias;
        let part = |side: u32| ((side as f32 * self.scale).round() as u32).max(1);
        (scene, (part(width), part(height)))
    }
}

/// Controller that chooses the step for moving images.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameBudget {
    step: usize,
    gains: [f32; GAINS.len()],
    /// Step and time in seconds of the last frame.
    last: Option<(usize, f32)>,
    slow: u32,
    quick: u32,
    /// Moving average of the time for detail windows per image, in seconds.
    windows: f32,
    /// Time left for windows, in seconds; below 0 while images make up for it.
    left: f32,
}

impl Default for FrameBudget {
    fn default() -> Self {
        Self {
            step: 0,
            gains: GAINS,
            last: None,
            slow: 0,
            quick: 0,
            windows: 0.0,
            left: 0.0,
        }
    }
}

impl FrameBudget {
    /// Step for moving images, an index into [`STEPS`].
    #[must_use]
    pub fn step(&self) -> usize {
        self.step
    }

    /// Time for detail windows in the next moving image: none while earlier ones have taken more than their part.
    #[must_use]
    pub fn patience(&self) -> Duration {
        match self.left >= 0.0 {
            true => WINDOWS_AT_ONCE,
            false => Duration::ZERO,
        }
    }

    /// Compute the time to record for an image that `took` this long, with `windows` of it for
    /// detail windows (ground finer than the map). Detail windows are computed now and then and
    /// serve many images, so each image is charged their average. Otherwise all images would become
    /// coarse while the camera approaches the ground.
    pub fn shared(&mut self, took: Duration, windows: Duration) -> Duration {
        self.windows += SHARE * (windows.as_secs_f32() - self.windows);
        let others = took.saturating_sub(windows).as_secs_f32();
        self.left = (self.left + WINDOWS * others - windows.as_secs_f32()).clamp(-OWED, SAVED);
        took.saturating_sub(windows) + Duration::from_secs_f32(self.windows)
    }

    /// Record the `time` of a frame with an image drawn at `step`. Images at rest, with step 0, are
    /// recorded as well.
    pub fn note(&mut self, step: usize, time: Duration) {
        let seconds = time.as_secs_f32();
        self.learn(step, seconds);
        let before = self.last.replace((step, seconds));
        if step != self.step {
            // An image at rest. If it is fast, so are moving images of the same scene.
            if step < self.step && seconds < FRAME * ROOM {
                self.step = step;
            }
            return;
        }
        if seconds > FRAME * SLACK {
            self.slow += 1;
            self.quick = 0;
            let is_very_slow = seconds > FRAME * 2.0;
            let was_fast =
                before.is_some_and(|(before, seconds)| before == step && seconds <= FRAME * SLACK);
            if self.slow >= SLOW || (is_very_slow && !was_fast) {
                self.slow = 0;
                self.step = self.coarser(step, seconds);
            } else if is_very_slow {
                self.step = (step + 1).min(STEPS.len() - 1);
                self.last = None;
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

    /// Measure the speed-up of a step from consecutive frames of neighbouring steps.
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

    /// First step coarser than `step` that should fit the budget, or the last one.
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

    /// Steps chosen in consecutive frames on a machine with these times per step, in milliseconds.
    fn steps(pace: &mut FrameBudget, costs: [f32; STEPS.len()], frames: usize) -> Vec<usize> {
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
        let shown = steps(&mut FrameBudget::default(), costs, 100);
        assert_eq!(shown, vec![0; 100]);
    }

    #[test]
    fn slow_machines_settle_on_the_first_quick_step() {
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
            let mut pace = FrameBudget::default();
            let shown = steps(&mut pace, costs, 200);
            let last = shown[199];
            assert!((best..=best + 1).contains(&last), "{scale}: {shown:?}");
            assert!(shown[100..].iter().all(|step| *step == last), "{shown:?}");
            let slow = shown.iter().filter(|step| **step < best).count();
            assert!(slow <= 8, "{scale}: {slow} slow frames, {shown:?}");
        }
    }

    #[test]
    fn lone_slow_frames_have_no_lasting_effect() {
        let costs = [20.0, 10.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.5, 2.0, 1.5, 1.2];
        let mut pace = FrameBudget::default();
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
    fn lone_slow_frames_teach_nothing() {
        let costs = [
            90.0, 60.0, 50.0, 47.0, 45.0, 22.0, 16.0, 12.0, 8.0, 6.0, 4.0,
        ];
        let mut pace = FrameBudget::default();
        assert_eq!(steps(&mut pace, costs, 100).last(), Some(&QUARTER));
        for _ in 0..5 {
            pace.note(QUARTER, Duration::from_millis(150));
            let shown = steps(&mut pace, costs, 20);
            assert!(shown.iter().all(|step| *step <= QUARTER + 1), "{shown:?}");
            assert_eq!(shown.last(), Some(&QUARTER), "{shown:?}");
        }
    }

    #[test]
    fn detail_windows_serving_many_pictures_coarsen_none() {
        let ms = Duration::from_millis;
        // Coarsest step for images of 12 ms, with `windows` ms more for detail windows in every
        // fifth.
        let coarsest = |windows: u64| {
            let mut pace = FrameBudget::default();
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
    fn detail_windows_get_a_part_of_the_time() {
        let ms = Duration::from_millis;
        let mut pace = FrameBudget::default();
        let (mut windows, mut all) = (0, 0);
        for _ in 0..300 {
            // A step takes longer than it should.
            let took = if pace.patience().is_zero() { 0 } else { 20 };
            pace.shared(ms(12 + took), ms(took));
            (windows, all) = (windows + took, all + 12 + took);
        }
        let part = windows as f32 / (all - windows) as f32;
        assert!((part / WINDOWS - 1.0).abs() < 0.05, "{part}");
        // They get their turn even after one that took very long.
        pace.shared(ms(5000), ms(5000));
        let waits = (0..100).take_while(|_| {
            pace.shared(ms(12), ms(0));
            pace.patience().is_zero()
        });
        assert!(waits.count() < 80);
    }

    #[test]
    fn slow_picture_at_rest_sets_pace_before_motion() {
        let mut pace = FrameBudget::default();
        pace.note(0, Duration::from_millis(200));
        assert!(pace.step() > 1);
        // Then another scene is at rest, which is fast.
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
            // Amount of work: the number of pixels and the detail in them must decrease.
            let work =
                |step: &Step| step.scale / step.coarser - f32::from(u8::from(!step.antialias));
            assert!(work(&pair[1]) < work(&pair[0]), "{pair:?}");
        }
    }
}
