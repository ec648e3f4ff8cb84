//! Results of the threads, stored in the state of the interface.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::Session;
use crate::app::commands::{Command, Part};
use crate::app::controls::number::rough_time;
use crate::app::files::{Done, Files};
use crate::app::state::document::Document;
use crate::app::state::notices::{Cause, Notices, Severity};
use crate::app::state::{Measured, MeasuredHurst, Progress, Shown, ShownPass};
use crate::app::worker::{LandscapeGuard, Made, Outbox};
use crate::files::import::Extent;
use crate::generate::Reading;
use crate::pipeline;
use crate::scene::Scene;
use crate::util::language::tr;
use crate::util::words::named;

/// Show the messages of the worker. `newest` is the number of the current request; errors of older
/// ones are dropped.
pub fn note_landscape(notices: &mut Notices, outbox: &mut Outbox, newest: u64) {
    let made = outbox.made.as_ref().map(|made| made.number);
    if made == Some(newest) {
        notices.settle(&Cause::Landscape);
    }
    if let Some((number, message)) = outbox.failed.take()
        && number == newest
    {
        notices.say(Cause::Landscape, Severity::Error, message);
    }
    if let Some(of_scene) = outbox.notices.take() {
        notices.renew(&Cause::Input, of_scene);
    }
}

/// Show the result of file work of the kind `what`, in place of the last result of that kind.
pub fn note_file(notices: &mut Notices, what: &'static str, done: &Done) {
    let cause = Cause::Files(what);
    notices.settle(&cause);
    match done {
        Done::Saved(words) => notices.say(cause, Severity::Done, words),
        Done::SavedScene(path, ..) => {
            notices.say(cause, Severity::Done, tr!("Saved {}", named(path)));
        }
        Done::Failed(words) | Done::NotOpened(_, words) | Done::NotSavedScene(words) => {
            notices.say(cause, Severity::Error, words);
        }
        Done::Presets(_, complaints) => {
            if let Some(first) = complaints.first() {
                let more = match complaints.len() {
                    1 => String::new(),
                    count => tr!(" (and {} more)", count - 1),
                };
                let words = tr!("this preset cannot be shown: {first}{more}", first, more);
                notices.say(cause, Severity::Warning, words);
            }
        }
        Done::Quiet | Done::Changed(_) | Done::Opened(..) | Done::Measured(..) => {}
    }
}

impl Session {
    /// Collect the results of the threads. Returns a landscape to draw, after waiting up to
    /// `patience` for one.
    pub fn collect(&mut self, patience: Duration) -> Option<LandscapeGuard> {
        for files in [&self.files, &self.films, &self.presets].map(Files::take) {
            (files.into_iter()).for_each(|(what, done)| self.file_done(what, done));
        }
        let outbox = match patience {
            Duration::ZERO => self.worker.take(),
            patience => self.worker.wait(patience),
        };
        let landscape = self.landscape_done(outbox);
        self.state.derived.progress = self.progress();
        landscape
    }

    fn landscape_done(&mut self, mut outbox: Outbox) -> Option<LandscapeGuard> {
        let newest = self.asked.number;
        let is_newest = |number: &u64| *number == newest;
        if outbox.failed.as_ref().is_some_and(|(of, _)| is_newest(of)) {
            // An error does not crash the program, so the scene may be stored in the settings.
            self.keeper.note_made(Arc::clone(&self.asked.scene));
        }
        note_landscape(&mut self.state.transient.notices, &mut outbox, newest);
        self.mask = outbox.mask.take().or(self.mask.take());
        let landscape = outbox.made.map(|made| self.show(made));
        let derived = &mut self.state.derived;
        if let Some((_, terrain)) = outbox.terrain.filter(|(of, _)| is_newest(of)) {
            derived.terrain = terrain;
        }
        if let Some((_, forecast)) = outbox.forecast.filter(|(of, _)| is_newest(of)) {
            derived.forecast = Some(forecast);
        }
        if let Some((_, hurst)) = outbox.measured.filter(|(of, _)| is_newest(of)) {
            derived.measured_hurst = hurst;
        }
        if let Some((_, plants)) = outbox.plants.filter(|(of, _)| is_newest(of)) {
            derived.plants = plants;
        }
        if let Some((_, statistics)) = outbox.statistics.filter(|(of, _)| is_newest(of)) {
            derived.measured = Some(Measured {
                statistics,
                requested_hurst: pipeline::surface_of(&self.asked.scene).requested_hurst(),
                stride: derived.shown.as_ref().map_or(1, |shown| shown.stride),
                outdated: false,
            });
        }
        landscape
    }

    /// Store the figures of a landscape that will be drawn. While a slider is dragged this includes
    /// landscapes of older requests, which are drawn as well.
    fn show(&mut self, made: Made) -> LandscapeGuard {
        let derived = &mut self.state.derived;
        let landscape = made.landscape;
        derived.shown = Some(Shown {
            rows: landscape.heights.rows(),
            columns: landscape.heights.columns(),
            stride: landscape.stride,
            requested_hurst: pipeline::surface_of(&landscape.scene).requested_hurst(),
            made_in: made.made_in,
            coarse: made.coarse,
            place: made.place,
        });
        derived.height_range = Some(made.height_range);
        let surface = &landscape.scene.surface;
        if made.coarse || self.shown_surface.as_ref() != Some(surface) {
            derived.measured_hurst = MeasuredHurst::Pending;
            self.shown_surface = Some(surface.clone());
        }
        derived.times.update(&made.times);
        derived.ground = made.ground;
        derived.relief = landscape.relief.clone();
        derived.most_plants =
            (landscape.plants.as_ref()).map(|plants| plants.most_in(plants.whole()).ceil() as u64);
        derived.snow = landscape.snow.as_ref().map(|snow| snow.amount);
        derived.pass = landscape.points.clone().map(|points| ShownPass {
            heights: Arc::clone(&landscape.heights),
            points,
        });
        derived.watershed = landscape.watershed.clone();
        // The old ground serves the camera until the new one is ready.
        derived.terrain = made.terrain.or(derived.terrain.take());
        if let Some(measured) = &mut derived.measured {
            measured.outdated = true;
        }
        if !made.coarse {
            self.keeper.note_made(made.scene);
        }
        landscape
    }

    /// Store the result of file work of the kind `what`.
    fn file_done(&mut self, what: &'static str, done: Done) {
        note_file(&mut self.state.transient.notices, what, &done);
        match done {
            Done::Quiet | Done::Saved(_) | Done::Failed(_) => {}
            Done::Opened(path, opened, held) => {
                self.state.show_opened(path, *opened, held);
                self.request(true);
            }
            Done::Presets(own, _) => self.state.transient.browser.take_own(own),
            Done::NotOpened(path, _) => {
                if !path.exists() && self.state.persisted.recent.forget(&path) {
                    self.state.transient.notices.warn(tr(
                        "the file no longer exists and was removed from the recent files",
                    ));
                }
            }
            Done::Changed(path) => self.state.transient.dialogs.changed = Some(path),
            Done::SavedScene(path, scene, held) => {
                self.state.persisted.recent.note(&path);
                self.state.persisted.document = Document::of(path, Scene::clone(&scene), held);
                if let Some(next) = self.state.transient.dialogs.after_saving.take() {
                    self.go_on(*next);
                }
            }
            Done::NotSavedScene(_) => {
                self.state.transient.dialogs.after_saving = None;
            }
            Done::Measured(part, path, reading, extent) => {
                self.use_input(part, &path, &reading, extent);
            }
        }
    }

    /// Make a measured image the input of a part. If the options for reading it were changed
    /// meanwhile, drop this result: the image is measured again with the new ones.
    fn use_input(&mut self, part: Part, path: &Path, reading: &Reading, extent: Extent) {
        let scene = &mut self.state.persisted.scene;
        let before = scene.clone();
        let Some(surface) = part.surface(scene).filter(|now| now.reading == *reading) else {
            return;
        };
        if surface.input.as_deref() == Some(path) {
            extent.fit(surface);
            self.state.transient.history.complete(&before, scene);
        } else {
            extent.hand(path, surface);
        }
        self.request(true);
    }

    pub(super) fn progress(&self) -> Vec<Progress> {
        let landscape = self.worker.progress().map(|(done, elapsed)| Progress {
            what: tr("Making the landscape").to_owned(),
            done,
            elapsed,
            cancel: Command::CancelLandscape,
        });
        let taking = self.picture.as_ref().and_then(|picture| picture.taking);
        let picture = taking.map(|taking| Progress {
            what: tr("Taking the picture").to_owned(),
            done: taking.done,
            elapsed: taking.since.elapsed(),
            cancel: Command::CancelFile,
        });
        let file = self.files.progress().map(|(what, done, elapsed)| Progress {
            what,
            done,
            elapsed,
            cancel: Command::CancelFile,
        });
        let film = self.films.progress().map(|(what, done, elapsed)| Progress {
            what: match time_left(done, elapsed) {
                Some(left) => tr!("{what}, {} left", rough_time(left), what),
                None => what,
            },
            done,
            elapsed,
            cancel: Command::CancelFilm,
        });
        let files = picture.into_iter().chain(file).chain(film);
        landscape.into_iter().chain(files).collect()
    }
}

/// Remaining time at the present rate; `None` before it can be estimated.
fn time_left(done: f32, elapsed: Duration) -> Option<Duration> {
    let is_told = elapsed > Duration::from_secs(2) && done > 0.01;
    is_told.then(|| elapsed.mul_f32((1.0 - done.min(1.0)) / done))
}
