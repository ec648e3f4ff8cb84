//! Effects of actions on the state of the window.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use percent_encoding::percent_decode_str;

use crate::app::commands::{Action, Answer, Command, Compare, Own, Purpose, TourAction};
use crate::app::dialogs::file;
use crate::app::state::document::{Compared, Document, Side, file_stem};
use crate::app::state::notices::{Cause, Offer, Severity};
use crate::app::state::timeline::{Timeline, toggle_passes};
use crate::app::state::tool::{PinTool, SectionTool, Tool};
use crate::app::state::tour::{STEPS, Tour};
use crate::app::state::{CommandPalette, Filter, Persisted, Transient, UiState};
use crate::app::steer;
use crate::files::import::{self, Opened};
use crate::scene::{RenderType, Scene};
use crate::util::language::tr;
use crate::util::rng::random_seed;

impl UiState {
    /// Carry out an action. Returns the resulting command for the window, if any. An action that
    /// replaces the document first asks about unsaved changes.
    pub fn apply(&mut self, action: Action) -> Option<Command> {
        if action.takes_the_document() && self.holds_work() {
            self.transient.dialogs.unsaved = Some(Box::new(action));
            return None;
        }
        self.carry_out(action)
    }

    /// Carry out an action without asking about unsaved changes.
    fn carry_out(&mut self, action: Action) -> Option<Command> {
        if action.puts_the_camera() {
            steer::halt(&mut self.transient);
        }
        let document = &mut self.persisted.document;
        let scene = &mut self.persisted.scene;
        match action {
            Action::Undo => self.transient.history.undo(scene, document),
            Action::Redo => self.transient.history.redo(scene, document),
            Action::GoToState(state) => self.transient.history.go_to(&state, scene, document),
            Action::Own(what) => return self.own_presets(what),
            Action::New => self.replace_document(Document::default()),
            Action::Paste(text) => return self.paste(&text),
            Action::Revert => {
                self.transient.history.commit(scene);
                scene.clone_from(&document.baseline);
            }
            Action::Become(other) => {
                self.transient.history.commit(scene);
                *scene = *other;
            }
            Action::TakeLightAndColors(other) => {
                self.transient.history.commit(scene);
                scene.take_light_and_colors(&other);
            }
            Action::ResetCamera => {
                self.transient.history.part(scene);
                let step = self.transient.tour.as_ref().map(Tour::scene);
                scene.camera = step.as_ref().unwrap_or(&document.baseline).camera.clone();
            }
            Action::CameraMode(mode) => {
                self.transient.history.part(scene);
                steer::set_mode(self, mode);
            }
            Action::GoTo(to) => {
                let transient = &mut self.transient;
                transient.history.part(scene);
                transient.timeline.let_go();
                transient.steering.fly_to(&scene.camera, *to);
            }
            Action::Compare(what) => self.compare(what),
            Action::PlayFilm => steer::toggle(self),
            Action::ShowTime(time) => steer::show_time(self, time),
            Action::SetKey => {
                self.persisted.timeline = true;
                self.transient.timeline.set_key(scene);
            }
            Action::RemoveKeys => self.transient.timeline.remove_keys(scene),
            Action::UseReady(ready) => steer::use_ready(self, ready),
            Action::ToggleTimeline => toggle(&mut self.persisted.timeline, &mut self.transient),
            Action::ToggleFilming => {
                toggle(&mut self.persisted.filming.shown, &mut self.transient);
            }
            Action::RandomSeed => {
                self.persisted.seeds.watch(scene.surface.seed);
                scene.surface.seed = random_seed();
                self.persisted.seeds.watch(scene.surface.seed);
            }
            Action::SeedBack => {
                self.persisted.seeds.watch(scene.surface.seed);
                scene.surface.seed = self.persisted.seeds.back().unwrap_or(scene.surface.seed);
            }
            Action::SeedForward => {
                self.persisted.seeds.watch(scene.surface.seed);
                let next = self.persisted.seeds.forward();
                scene.surface.seed = next.unwrap_or(scene.surface.seed);
            }
            Action::PlayPasses => toggle_passes(scene, &mut self.transient.playing),
            Action::TogglePanel => self.toggle_panel(),
            Action::FindSetting => {
                if !self.shows_panel() {
                    self.toggle_panel();
                }
                self.transient.filter.asks = true;
            }
            Action::ShowSetting(label) => {
                if !self.shows_panel() {
                    self.toggle_panel();
                }
                self.transient.filter = Filter {
                    query: tr(label).to_owned(),
                    asks: true,
                    ..Filter::default()
                };
            }
            Action::OpenMenu(index) => self.transient.opens_menu = Some(index),
            Action::ToggleCommandPalette => {
                let palette = &mut self.transient.dialogs.command_palette;
                *palette = match palette {
                    Some(_) => None,
                    // A search of the panel that found nothing goes on here.
                    None => Some(CommandPalette {
                        query: self.transient.filter.vain_query().to_owned(),
                        ..CommandPalette::default()
                    }),
                };
            }
            // These need egui: `ui` has done them.
            Action::CopyScene | Action::RequestPaste => {}
            Action::Zoom(factor) => {
                self.persisted.zoom = factor;
                self.transient.zoomed = false;
            }
            Action::Speak(language) => self.persisted.language = language,
            Action::ToggleCompass => self.persisted.compass ^= true,
            Action::TogglePictureRate => self.persisted.picture_rate ^= true,
            Action::ToggleAutomaticDetail => self.persisted.automatic_detail ^= true,
            Action::ToggleFullScreen => self.toggle_full_screen(),
            Action::ToggleStatistics => toggle(&mut self.persisted.statistics, &mut self.transient),
            Action::ToggleExport => {
                toggle(&mut self.persisted.exporting.shown, &mut self.transient);
            }
            Action::ExportView => self.export_view(),
            Action::TogglePlantExport => {
                toggle(&mut self.persisted.plant_export.shown, &mut self.transient);
            }
            Action::TogglePhoto => toggle(&mut self.persisted.photo.shown, &mut self.transient),
            Action::ToggleVariations => self.toggle_variations(),
            Action::ToggleBrowser => return self.toggle_browser(),
            Action::ToggleHistory => toggle(&mut self.persisted.history, &mut self.transient),
            Action::Read(subject) => self.transient.dialogs.chapter = Some(subject),
            Action::Tour(what) => self.tour(what),
            Action::ToggleKeys => self.transient.dialogs.keys ^= true,
            Action::ToggleAbout => self.transient.dialogs.about ^= true,
            Action::Answer(answer) => return self.answer(answer),
            Action::Save => match document.scene_file() {
                Some(file) => return Some(Command::SaveScene(file.to_owned())),
                None => self.ask(Purpose::SaveScene),
            },
            Action::ForgetRecent => self.persisted.recent.clear(),
            Action::Ask(purpose) => self.ask(purpose),
            Action::Load(scene) => {
                self.transient.browser.shown = false;
                self.replace_document(Document::unnamed(*scene));
            }
            Action::ClearInput(part) => {
                if let Some(surface) = part.surface(scene) {
                    surface.input = None;
                }
            }
            Action::EditPins(on) => self.use_tool(Tool::Pins(PinTool::default()), on),
            Action::DrawSection(on) => self.use_tool(Tool::Section(SectionTool::default()), on),
            Action::ToggleWatershed => {
                let on = !self.transient.tool.picks_watershed(scene);
                self.use_tool(Tool::Watershed, on);
            }
            Action::ToggleProfile => self.transient.profile_hidden ^= true,
            Action::Window(command) => return Some(command),
        }
        None
    }

    /// Carry out an action on the comparison. Without a stored scene, only [`Compare::Keep`] has an
    /// effect.
    fn compare(&mut self, what: Compare) {
        let was_covered = what == Compare::List && self.transient.uncover_scene();
        let scene = &mut self.persisted.scene;
        let compared = &mut self.transient.compared;
        let Some(kept) = compared else {
            if what == Compare::Keep {
                *compared = Some(Compared::new(scene.clone()));
            }
            return;
        };
        match what {
            Compare::Keep => kept.scene = Arc::new(scene.clone()),
            Compare::Flick => kept.flick(),
            Compare::Both => kept.side = Side::Both,
            Compare::Swap => {
                self.transient.history.commit(scene);
                let kept = Arc::make_mut(&mut kept.scene);
                std::mem::swap(scene, kept);
                // The viewpoint does not change.
                std::mem::swap(&mut scene.camera, &mut kept.camera);
            }
            Compare::List => kept.list = was_covered || !kept.list,
            Compare::TakeBack(key) => {
                self.transient.history.commit(scene);
                match scene.with_value_of(&kept.scene, &key) {
                    Ok(taken) => *scene = taken,
                    Err(error) => self.transient.notices.error(error.to_string()),
                }
            }
            Compare::End => *compared = None,
        }
    }

    /// Start a new document with a scene pasted as text, as quoted in chats and files, or open the
    /// file whose path was pasted, as file managers copy it.
    fn paste(&mut self, text: &str) -> Option<Command> {
        if let Some(file) = file_named(text) {
            return self.apply(Command::Open(file).into());
        }
        let lines = text
            .lines()
            // Chats quote texts between lines of backticks.
            .filter(|line| !line.trim_start().starts_with("```"));
        let text = lines.collect::<Vec<_>>().join("\n");
        let scene = if text.contains('=') {
            Scene::parse(&text).map_err(|error| error.to_string())
        } else {
            Err(tr("it does not name a setting").to_owned())
        };
        match scene {
            Ok(scene) => {
                let later = scene.later_words();
                let command = self.apply(Action::Load(Box::new(scene)));
                if let Some(words) = later {
                    let notices = &mut self.transient.notices;
                    notices.say(Cause::Opened, Severity::Warning, words);
                }
                command
            }
            Err(reason) => {
                let words = tr!("the clipboard holds no scene: {reason}", reason);
                self.transient.notices.error(words);
                None
            }
        }
    }

    /// Show the export dialog for the samples in view.
    fn export_view(&mut self) {
        match steer::in_view(self) {
            Some(seen) => {
                self.transient.uncover_scene();
                self.persisted.exporting.open_for(seen);
            }
            None => {
                let words = tr("there is no ground in the middle of the picture to export");
                self.transient.notices.error(words);
            }
        }
    }

    /// Open a file dialog with a suggested name and folder.
    fn ask(&mut self, purpose: Purpose) {
        let Persisted {
            scene,
            document,
            exporting,
            filming,
            folder,
            ..
        } = &self.persisted;
        let beside = document.file.as_deref().and_then(Path::parent);
        let last = folder.as_deref();
        let stem = document.file.as_deref().and_then(Path::file_stem);
        let (stem, folder) = match (purpose, stem) {
            (Purpose::SaveScene, Some(stem)) => {
                (stem.to_string_lossy().into_owned(), beside.or(last))
            }
            (Purpose::Film, _) => (file_stem(scene) + filming.suffix(), last.or(beside)),
            (Purpose::Folder, _) => (exporting.folder_name(scene), last.or(beside)),
            (Purpose::Export, _) => (file_stem(scene) + &exporting.suffix(), last.or(beside)),
            _ => (file_stem(scene), last.or(beside)),
        };
        let asked = file::ask(purpose, folder, &stem, &self.persisted);
        self.transient.dialogs.file = Some(asked);
    }

    /// Activate a mouse tool, or return to the camera. A tool that does not work in the present
    /// view switches to the map.
    fn use_tool(&mut self, tool: Tool, on: bool) {
        let scene = &mut self.persisted.scene;
        if on {
            self.transient.uncover_scene();
        }
        if on && !tool.suits(scene) {
            scene.view.render_type = RenderType::Map;
        }
        self.transient.tool = if on { tool } else { Tool::Camera };
    }

    /// Replace the document, as one undo step.
    pub fn replace_document(&mut self, document: Document) {
        let Persisted {
            scene,
            document: shown,
            seeds,
            ..
        } = &mut self.persisted;
        for of_the_last in [Cause::Opened, Cause::Film, Cause::Number] {
            self.transient.notices.settle(&of_the_last);
        }
        steer::halt(&mut self.transient);
        self.transient.variations.family.clear();
        self.transient.tour = None;
        self.transient.timeline = Timeline::default();
        self.transient.history.commit(scene);
        scene.clone_from(&document.baseline);
        let before = std::mem::replace(shown, document);
        let name = shown.file.is_some().then(|| shown.name().into_owned());
        self.transient.history.replace(scene, before, name);
        seeds.watch(scene.surface.seed);
    }

    /// Show a newly opened file as the document, with its notices. `held` is the file's length and
    /// checksum.
    pub fn show_opened(&mut self, path: PathBuf, opened: Opened, held: Option<String>) {
        let reads = import::notice_of_reads(&path, &opened.scene);
        let before = self.persisted.scene.clone();
        self.persisted.recent.note(&path);
        self.replace_document(Document::of(path, opened.scene, held));
        for notice in opened.notices.into_iter().chain(reads) {
            let notices = &mut self.transient.notices;
            notices.say(Cause::Opened, Severity::Warning, notice);
        }
        if opened.is_plain {
            self.offer_light_and_colors(before);
        }
    }

    /// Report that a plain scene was opened, and offer the light and the colours of the replaced
    /// scene if they differ.
    fn offer_light_and_colors(&mut self, before: Scene) {
        let scene = &self.persisted.scene;
        let mut kept = scene.clone();
        kept.take_light_and_colors(&before);
        if kept != *scene {
            let words = tr("Opened as a map, with default light and colours.");
            let offer = Offer {
                words: tr("Keep the previous ones"),
                action: Action::TakeLightAndColors(Box::new(before)),
            };
            self.transient.notices.offer(Cause::Opened, words, offer);
        }
    }

    /// True if there are unsaved changes worth asking about.
    #[must_use]
    pub fn holds_work(&self) -> bool {
        let Persisted {
            document, scene, ..
        } = &self.persisted;
        document.holds_work(scene)
    }

    /// Continue the postponed action after saving, without saving, or not at all.
    fn answer(&mut self, answer: Answer) -> Option<Command> {
        let action = *self.transient.dialogs.unsaved.take()?;
        match answer {
            Answer::Cancel => None,
            Answer::Save => {
                self.transient.dialogs.after_saving = Some(Box::new(action));
                self.carry_out(Action::Save)
            }
            Answer::Discard => {
                if action == Action::Window(Command::Quit) {
                    // Otherwise the next session would restore the discarded changes.
                    let Persisted {
                        document, scene, ..
                    } = &mut self.persisted;
                    scene.clone_from(&document.baseline);
                }
                self.carry_out(action)
            }
        }
    }

    /// Show or hide the sheet of variations. It covers the scene, so a narrow window then hides the
    /// panel.
    fn toggle_variations(&mut self) {
        let transient = &mut self.transient;
        transient.variations.shown ^= true;
        transient.browser.shown = false;
        transient.panel_over_scene &= !transient.variations.shown;
    }

    /// Show or hide the preset browser; opening it reads the user's own presets.
    fn toggle_browser(&mut self) -> Option<Command> {
        let transient = &mut self.transient;
        transient.browser.shown ^= true;
        transient.variations.shown = false;
        transient.panel_over_scene &= !transient.browser.shown;
        transient.browser.removed = None;
        transient.browser.query.clear();
        transient.browser.asks = transient.browser.shown;
        transient.browser.shown.then_some(Command::ReadPresets)
    }

    /// Carry out an action on the tour; each scene is an undo step. The step is remembered until the
    /// tour is ended at its last one.
    fn tour(&mut self, what: TourAction) {
        if matches!(what, TourAction::Begin | TourAction::Resume) {
            self.transient.uncover_scene();
        }
        let tour = &mut self.transient.tour;
        let left_at = &mut self.persisted.tour_step;
        let scene = match (what, tour.as_mut()) {
            (TourAction::Begin | TourAction::Resume, _) => {
                let before = tour.take().map(|tour| tour.before);
                let before = before.as_deref().unwrap_or(&self.persisted.scene);
                let step = if what == TourAction::Resume {
                    *left_at
                } else {
                    0
                };
                let begun = Tour::begin_at(step, before);
                let first = begun.scene();
                *tour = Some(begun);
                Some(first)
            }
            (TourAction::Next, Some(tour)) => tour.go(1),
            (TourAction::Back, Some(tour)) => tour.go(-1),
            (TourAction::End, Some(_)) => tour.take().map(|tour| *tour.before),
            (_, None) => None,
        };
        match &self.transient.tour {
            Some(tour) => *left_at = tour.step,
            None if *left_at + 1 == STEPS.len() => *left_at = 0,
            None => {}
        }
        if let Some(scene) = scene {
            self.carry_out(Action::Become(Box::new(scene)));
        }
    }

    /// Carry out an action on the user's own presets.
    fn own_presets(&mut self, what: Own) -> Option<Command> {
        let Persisted {
            scene, document, ..
        } = &self.persisted;
        let browser = &mut self.transient.browser;
        match what {
            Own::BeginToKeep => {
                browser.begin_keeping(&document.name(), scene);
                Some(Command::ReadPresets)
            }
            Own::BeginToRename(name) => {
                browser.begin_renaming(&name);
                None
            }
            Own::KeepNot => {
                browser.keeping = None;
                None
            }
            Own::Keep => {
                let (preset, old) = browser.keeping.take()?.into_preset();
                Some(Command::KeepPreset(Box::new(preset), old))
            }
            Own::Remove(name) => Some(Command::RemovePreset(name)),
            Own::PutBack => browser.removed.clone().map(Command::PutPresetBack),
        }
    }

    /// Enter or leave full screen, which shows the scene alone.
    pub fn toggle_full_screen(&mut self) {
        let transient = &mut self.transient;
        transient.full_screen ^= true;
        transient.panel_on_full_screen = false;
        if transient.full_screen {
            let words = tr("F11 or Esc leaves the full screen, F4 shows the panel.");
            transient.notices.done(words);
        }
    }

    /// Show or hide the panel. In full screen and in narrow windows the choice is temporary and not
    /// stored.
    fn toggle_panel(&mut self) {
        if self.transient.full_screen {
            self.transient.panel_on_full_screen ^= true;
        } else if self.derived.narrow {
            self.transient.panel_over_scene ^= true;
        } else {
            self.persisted.panel ^= true;
        }
    }
}

/// Show or hide a window of the scene. If a sheet covers the scene, close the sheet and show the
/// window.
fn toggle(shown: &mut bool, transient: &mut Transient) {
    *shown = transient.uncover_scene() || !*shown;
}

/// Path of a file copied in a file manager: a `file://` address or an absolute path; the first line
/// only.
fn file_named(text: &str) -> Option<PathBuf> {
    let line = text.trim().lines().next()?;
    let path = match line.strip_prefix("file://") {
        Some(address) => percent_decode_str(address).decode_utf8().ok()?.into_owned(),
        None => line.to_owned(),
    };
    // On Windows, an address has a slash before the drive letter.
    let drive = path.strip_prefix('/').filter(|_| cfg!(windows));
    Some(PathBuf::from(drive.unwrap_or(&path))).filter(|path| path.is_absolute())
}
