//! The film in the window: its playhead, and whether it plays.

use crate::camera::Ground;
use crate::film;
use crate::scene::{Camera, Scene};

/// The least length that the timeline spans, and its room after the last key frame, in seconds, where the
/// film has no length of its own.
const LEAST_SPAN: f32 = 10.0;
const ROOM: f32 = 2.0;

/// The playhead of the scene's film. The scene itself has the settings of the playhead's time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timeline {
    /// Seconds from the film's beginning.
    time: f32,
    playing: bool,
    /// The camera as the film left it, to notice when the user takes over; `None` while the film
    /// has nothing to say of it.
    left: Option<Camera>,
    /// The scene since which changes count for the next key frame.
    since: Option<Scene>,
    /// Why there can be no picture of the film at the playhead's time.
    impossible: Option<String>,
    /// The key frame that is dragged.
    pub dragged: Option<Mark>,
}

/// A key frame on the timeline, by its place in its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// One of the camera path.
    Camera(usize),
    /// One of settings.
    Settings(usize),
}

impl Timeline {
    /// Where the playhead is, in seconds.
    #[must_use]
    pub fn time(&self) -> f32 {
        self.time
    }

    /// Why there can be no picture of the film at the playhead's time: then the scene stays as it
    /// was before.
    #[must_use]
    pub fn impossible(&self) -> Option<&str> {
        self.impossible.as_deref()
    }

    /// Whether the film plays.
    #[must_use]
    pub fn is_playing(&self) -> bool {
        self.playing
    }

    /// Plays from the playhead, or from the beginning if that is at the end; or stops.
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

    /// Stops where it is.
    pub fn stop(&mut self) {
        self.playing = false;
    }

    /// Lets the user have the camera.
    pub fn let_go(&mut self) {
        (self.playing, self.left) = (false, None);
    }

    /// Goes on for so many seconds; at its end it begins again, or stops.
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

    /// Puts the playhead at the picture that is nearest to a time.
    pub fn show(&mut self, time: f32, scene: &mut Scene, ground: Option<&Ground>) {
        self.time = at_a_picture(scene, time);
        self.apply(scene, ground);
    }

    /// Lets the camera be where the film has it over the ground by now, if the user has not moved it.
    /// Another ground may be there by now than when the playhead came here.
    pub fn keep(&mut self, scene: &mut Scene, ground: Option<&Ground>) {
        let is_left = self.left.as_ref() == Some(&scene.camera);
        if is_left && !self.playing && film::needs_ground(scene) {
            scene.camera = film::scene_at(scene, self.time, ground).camera;
            self.left = Some(scene.camera.clone());
        }
    }

    /// Whether the user has moved the camera since the film left it.
    #[must_use]
    pub fn is_taken_over(&self, scene: &Scene) -> bool {
        self.left.as_ref().is_some_and(|left| *left != scene.camera)
    }

    /// Sets a key frame at the playhead: the camera, and every setting that was changed since the last
    /// one.
    pub fn set_key(&mut self, scene: &mut Scene) {
        self.time = at_a_picture(scene, self.time);
        let since = self.since.as_ref().unwrap_or(scene);
        *scene = film::with_key(scene, since, self.time);
        self.since = Some(scene.clone());
        self.left = Some(scene.camera.clone());
    }

    /// Takes the key frames at the playhead away.
    pub fn remove_keys(&self, scene: &mut Scene) {
        scene.film.keys.retain(|key| key.time != self.time);
        scene.path.frames.retain(|frame| frame.time != self.time);
    }

    /// Whether there is a key frame at the playhead.
    #[must_use]
    pub fn is_at_a_key(&self, scene: &Scene) -> bool {
        let times = scene.film.keys.iter().map(|key| key.time);
        let mut times = times.chain(scene.path.frames.iter().map(|frame| frame.time));
        times.any(|time| time == self.time)
    }

    /// Takes note of a scene from which changes count, unless there is one.
    pub fn watch(&mut self, scene: &Scene) {
        self.since.get_or_insert_with(|| scene.clone());
    }

    /// How many seconds the timeline spans.
    #[must_use]
    pub fn span(scene: &Scene) -> f32 {
        match scene.film.seconds {
            seconds if seconds > 0.0 => seconds,
            _ => (film::seconds(scene) + ROOM).max(LEAST_SPAN),
        }
    }

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
            // What the film changes is no change of the user's.
            let mut film = since.clone();
            (film.film, film.path) = (scene.film.clone(), scene.path.clone());
            *since = film::settings_at(&film, self.time);
        }
        self.left = Some(scene.camera.clone());
    }
}

/// The time of the picture that is nearest to a time.
fn at_a_picture(scene: &Scene, time: f32) -> f32 {
    let number = (f64::from(time.max(0.0)) * f64::from(scene.film.fps)).round();
    film::time_of(scene, number as u32 + 1)
}

/// A key frame at another time, between the ones before and after it.
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

/// A time that is at least a step from the times of the neighbours of that index; else the old one.
fn between(times: &[f32], index: usize, time: f32, step: f32) -> f32 {
    let before = index.checked_sub(1).map(|before| times[before]);
    let after = times.get(index + 1);
    let late = before.is_none_or(|before| time >= before + 0.5 * step);
    let early = after.is_none_or(|after| time <= after - 0.5 * step);
    if late && early { time } else { times[index] }
}
