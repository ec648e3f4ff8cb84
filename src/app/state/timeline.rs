//! Motion over time: the film's playhead and timeline, the animation of passes, keys for flying.

use egui::{Context, Event, Key, Modifiers};

use crate::app::controls::is_typing;
use crate::camera::{Ground, Wish, film};
use crate::fractal::Distribution;
use crate::pipeline::{next_range, pass_range};
use crate::scene::{Camera, RenderType, Scene};
use crate::util::language::tr;

/// Minimum span of the timeline in seconds, where the film has no fixed length.
const LEAST_SPAN: f32 = 10.0;
/// Time shown after the last key frame in seconds, where the film has no fixed length.
const ROOM: f32 = 2.0;

/// Playhead of the scene's film. The scene always holds the settings at the time of the playhead.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timeline {
    /// Time of the playhead, in seconds from the start of the film.
    time: f32,
    playing: bool,
    /// Camera as the film last set it, to detect that the user has moved it; `None` while the film
    /// does not control the camera.
    left: Option<Camera>,
    /// Reference scene: settings that differ from it go into the next key frame.
    since: Option<Scene>,
    /// Reason why the film has no valid scene at the time of the playhead.
    impossible: Option<String>,
    /// Key frame being dragged.
    pub dragged: Option<Mark>,
}

/// Key frame on the timeline, by its index in its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Key frame of the camera path.
    Camera(usize),
    /// Key frame of settings.
    Settings(usize),
}

impl Timeline {
    /// Time of the playhead, in seconds.
    #[must_use]
    pub fn time(&self) -> f32 {
        self.time
    }

    /// Reason why the film has no valid scene at the time of the playhead. The scene is left
    /// unchanged in that case.
    #[must_use]
    pub fn impossible(&self) -> Option<&str> {
        self.impossible.as_deref()
    }

    /// True if the film plays.
    #[must_use]
    pub fn is_playing(&self) -> bool {
        self.playing
    }

    /// Start playback at the playhead, or at the beginning if the playhead is at the end; stop it
    /// if it runs.
    pub fn toggle(&mut self, scene: &Scene) {
        if self.playing {
            self.stop();
        } else if film::is_film(scene) {
            if self.time >= film::seconds(scene) {
                self.time = 0.0;
            }
            (self.playing, self.left) = (true, None);
        }
    }

    /// Stop playback; the playhead stays where it is.
    pub fn stop(&mut self) {
        self.playing = false;
    }

    /// Stop playback and release the camera to the user.
    pub fn let_go(&mut self) {
        (self.playing, self.left) = (false, None);
    }

    /// Advance playback by a time in seconds. At the end the film repeats or stops.
    pub fn go_on(&mut self, scene: &mut Scene, ground: Option<&Ground>, seconds: f32) {
        let end = film::seconds(scene);
        if self.left.is_some() {
            self.time += seconds;
        }
        if self.time >= end {
            if scene.film.repeats && end > 0.0 {
                self.time = self.time.rem_euclid(end);
            } else {
                (self.time, self.playing) = (end, false);
            }
        }
        self.apply(scene, ground);
    }

    /// Move the playhead to the frame nearest to a time.
    pub fn show(&mut self, time: f32, scene: &mut Scene, ground: Option<&Ground>) {
        self.time = at_a_picture(scene, time);
        self.apply(scene, ground);
    }

    /// Move the camera with the ground, unless the user has moved it: the landscape may have
    /// changed since the playhead was set.
    pub fn keep(&mut self, scene: &mut Scene, ground: Option<&Ground>) {
        let is_left = self.left.as_ref() == Some(&scene.camera);
        if is_left && !self.playing && film::needs_ground(scene) {
            scene.camera = film::scene_at(scene, self.time, ground).camera;
            self.left = Some(scene.camera.clone());
        }
    }

    /// True if the user has moved the camera since the film last set it.
    #[must_use]
    pub fn is_taken_over(&self, scene: &Scene) -> bool {
        self.left.as_ref().is_some_and(|left| *left != scene.camera)
    }

    /// Set a key frame at the playhead, with the camera and every setting changed since the last
    /// key frame.
    pub fn set_key(&mut self, scene: &mut Scene) {
        self.time = at_a_picture(scene, self.time);
        let since = self.since.as_ref().unwrap_or(scene);
        *scene = film::with_key(scene, since, self.time);
        self.since = Some(scene.clone());
        self.left = Some(scene.camera.clone());
    }

    /// Remove the key frames at the playhead.
    pub fn remove_keys(&self, scene: &mut Scene) {
        scene.film.keys.retain(|key| key.time != self.time);
        scene.path.frames.retain(|frame| frame.time != self.time);
    }

    /// True if there is a key frame at the playhead.
    #[must_use]
    pub fn is_at_a_key(&self, scene: &Scene) -> bool {
        let times = scene.film.keys.iter().map(|key| key.time);
        let mut times = times.chain(scene.path.frames.iter().map(|frame| frame.time));
        times.any(|time| time == self.time)
    }

    /// Set the reference scene for the next key frame, unless there is one.
    pub fn watch(&mut self, scene: &Scene) {
        self.since.get_or_insert_with(|| scene.clone());
    }

    /// Time span of the timeline, in seconds.
    #[must_use]
    pub fn span(scene: &Scene) -> f32 {
        match scene.film.seconds {
            seconds if seconds > 0.0 => seconds,
            _ => (film::seconds(scene) + ROOM).max(LEAST_SPAN),
        }
    }

    /// Set the scene to the film at the playhead. Stop playback if it is invalid there.
    fn apply(&mut self, scene: &mut Scene, ground: Option<&Ground>) {
        let then = film::scene_at(scene, self.time, ground);
        let checked = film::check_at(&then, self.time);
        self.impossible = checked.err().map(|error| error.to_string());
        if self.impossible.is_some() {
            self.stop();
            return;
        }
        *scene = then;
        if let Some(since) = &mut self.since {
            // Values set by the film must not count as edits by the user.
            let mut film = since.clone();
            (film.film, film.path) = (scene.film.clone(), scene.path.clone());
            *since = film::settings_at(&film, self.time);
        }
        self.left = Some(scene.camera.clone());
    }
}

/// Time of the film frame nearest to `time`, in seconds.
fn at_a_picture(scene: &Scene, time: f32) -> f32 {
    let number = (f64::from(time.max(0.0)) * f64::from(scene.film.fps)).round();
    film::time_of(scene, number as u32 + 1)
}

/// Move a key frame to another time, rounded to a film frame. It keeps its time if that would pass
/// a neighbour.
pub fn move_mark(scene: &mut Scene, mark: Mark, to: f32) {
    let step = 1.0 / scene.film.fps.max(1) as f32;
    let time = at_a_picture(scene, to);
    match mark {
        Mark::Camera(index) => {
            let times: Vec<_> = scene.path.frames.iter().map(|frame| frame.time).collect();
            if let Some(frame) = scene.path.frames.get_mut(index) {
                frame.time = between(&times, index, time, step);
            }
        }
        Mark::Settings(index) => {
            let times: Vec<_> = scene.film.keys.iter().map(|key| key.time).collect();
            if let Some(key) = scene.film.keys.get_mut(index) {
                key.time = between(&times, index, time, step);
            }
        }
    }
}

/// Return `time` if it stays between the times of both neighbours, about one `step` from each; else
/// the old time at `index`.
fn between(times: &[f32], index: usize, time: f32, step: f32) -> f32 {
    let before = index.checked_sub(1).map(|before| times[before]);
    let after = times.get(index + 1);
    let late = before.is_none_or(|before| time >= before + 0.5 * step);
    let early = after.is_none_or(|after| time <= after - 0.5 * step);
    if late && early { time } else { times[index] }
}

// Animation of midpoint displacement: the diamond steps and square steps of the generator, shown
// one after the other, each with a description.

/// Number of passes that can be shown one by one.
const MOST_PASSES: u32 = 10;
/// Display time of each half pass, in seconds.
const STEP: f64 = 0.8;

/// State of the running animation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Playing {
    /// Time of the next half pass, in egui's seconds; `None` before the first frame.
    next: Option<f64>,
    /// Pass on screen, to detect that the user has moved the slider.
    pass: Option<f32>,
}

/// Last pass that can be shown alone.
#[must_use]
pub fn most_passes(scene: &Scene) -> f32 {
    scene.surface.iterations.min(MOST_PASSES) as f32
}

/// Step between the passes that can be shown: a half is a diamond step without its square step.
#[must_use]
pub fn pass_step(scene: &Scene) -> f32 {
    match scene.render_type() {
        RenderType::Ridge => 1.0,
        _ => 0.5,
    }
}

/// Start the animation, or stop it if it runs. After the last pass it starts from the beginning.
pub fn toggle_passes(scene: &mut Scene, playing: &mut Option<Playing>) {
    if playing.take().is_some() || !scene.has_passes() {
        return;
    }
    let at_the_end = scene
        .view
        .pass
        .is_none_or(|pass| pass >= most_passes(scene));
    if at_the_end {
        scene.view.pass = Some(0.0);
    }
    *playing = Some(Playing {
        next: None,
        pass: scene.view.pass,
    });
}

/// Advance to the next half pass when it is due. The animation stops at the last pass and when the
/// user moves the slider. Returns the seconds until the next half pass.
pub fn play_passes(now: f64, scene: &mut Scene, playing: &mut Option<Playing>) -> Option<f64> {
    let most = most_passes(scene);
    let shown = scene.view.pass.filter(|_| scene.has_passes());
    let goes_on = |playing: &Playing| playing.pass == shown && shown.is_some_and(|it| it < most);
    *playing = playing.take().filter(goes_on);
    let playing = playing.as_mut()?;
    let due = *playing.next.get_or_insert(now + STEP);
    if now >= due {
        let step = pass_step(scene);
        scene.view.pass = shown.map(|pass| (pass + step).min(most));
        playing.pass = scene.view.pass;
        playing.next = Some(now + STEP);
    }
    playing.next.map(|next| next - now)
}

/// Describe the pass on screen and its displacement; `None` where all passes are shown.
#[must_use]
pub fn name_passes(scene: &Scene) -> Option<String> {
    let pass = scene.view.pass.filter(|_| scene.has_passes())?;
    if scene.render_type() == RenderType::Ridge {
        return Some(name_ridge_passes(scene, pass));
    }
    let half_steps = ((pass * 2.0) as u32).min(2 * scene.surface.iterations);
    let Some(before) = half_steps.checked_sub(1) else {
        return Some(tr("The start: four corners.").to_owned());
    };
    let (step, what) = if before % 2 == 0 {
        (tr("diamond"), tr("the middles of squares"))
    } else {
        (tr("square"), tr("the middles of edges"))
    };
    let range = pass_range(scene).unwrap_or_default();
    let by = match scene.surface.diamond_square.distribution {
        Distribution::Uniform => tr!("up to ±{range}", range = format_args!("{range:.4}")),
        Distribution::Gaussian => format!("σ = {:.4}", f64::from(range) / 3f64.sqrt()),
    };
    let pass = before / 2 + 1;
    Some(tr!(
        "Pass {pass}, {step} step: {what} moved by {by}. New points orange, old ones pale.",
        pass,
        step,
        what,
        by
    ))
}

/// Describe the pass of a ridge on screen, and the bars of the next one.
fn name_ridge_passes(scene: &Scene, pass: f32) -> String {
    let pass = (pass as u32).min(scene.surface.iterations);
    let shown = match pass_range(scene) {
        None => tr("The start: two ends.").to_owned(),
        Some(range) => tr!(
            "Pass {pass}: the middles of segments moved by up to ±{range}. New points orange, old \
             ones pale.",
            pass,
            range = format_args!("{range:.4}")
        ),
    };
    let next = next_range(scene).map(|range| {
        tr!(
            "Bars: the next pass moves each middle by up to ±{range}.",
            range = format_args!("{range:.4}")
        )
    });
    next.map_or(shown.clone(), |next| format!("{shown} {next}"))
}

// Keys for flying and walking (WASD, Q, E), by their position on the keyboard: W is the key above
// S, whatever is printed on it.

const KEYS: [Key; 6] = [Key::W, Key::A, Key::S, Key::D, Key::Q, Key::E];

/// State of the six keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flying {
    held: [bool; KEYS.len()],
    /// Pressed since the last frame, possibly released again.
    pressed: [bool; KEYS.len()],
    /// Pressed as part of a shortcut.
    of_shortcut: [bool; KEYS.len()],
}

/// True if a key pressed with these modifiers belongs to a shortcut, or opens a menu.
fn is_of_shortcut(modifiers: Modifiers) -> bool {
    modifiers.command || modifiers.alt
}

impl Flying {
    /// Record the key events. Call it once a frame, before shortcuts consume their keys.
    pub fn note(&mut self, ctx: &Context) {
        self.pressed = Default::default();
        ctx.input(|input| {
            input.events.iter().for_each(|event| self.note_event(event));
            for index in 0..KEYS.len() {
                self.of_shortcut[index] |= self.held[index] && is_of_shortcut(input.modifiers);
            }
        });
    }

    fn note_event(&mut self, event: &Event) {
        match event {
            Event::Key {
                key,
                physical_key,
                pressed,
                modifiers,
                ..
            } => {
                let place = physical_key.unwrap_or(*key);
                if let Some(index) = KEYS.iter().position(|key| *key == place) {
                    self.held[index] = *pressed;
                    self.pressed[index] |= *pressed && !is_of_shortcut(*modifiers);
                    // It counts as a shortcut until it is released: a slow release of S after
                    // Ctrl+S must not fly.
                    self.of_shortcut[index] &= *pressed;
                    self.of_shortcut[index] |= *pressed && is_of_shortcut(*modifiers);
                }
            }
            Event::WindowFocused(false) => *self = Self::default(),
            _ => {}
        }
    }

    /// Keys that currently steer the camera.
    fn asking(&self, ctx: &Context) -> [bool; KEYS.len()] {
        let typing = is_typing(ctx);
        let asks = |index: usize| self.held[index] || self.pressed[index];
        std::array::from_fn(|index| !typing && asks(index) && !self.of_shortcut[index])
    }

    /// True if any key steers the camera.
    #[must_use]
    pub fn is_held(&self, ctx: &Context) -> bool {
        self.asking(ctx).contains(&true)
    }

    /// Direction in which the keys steer the camera.
    #[must_use]
    pub fn wish(&self, ctx: &Context) -> Wish {
        if !self.is_held(ctx) {
            return Wish::default();
        }
        let [w, a, s, d, q, e] = self.asking(ctx).map(|held| f32::from(u8::from(held)));
        Wish {
            right: d - a,
            up: e - q,
            ahead: w - s,
            fast: ctx.input(|input| input.modifiers.shift),
        }
    }
}
