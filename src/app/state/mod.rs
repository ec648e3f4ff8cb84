//! State of the window, in three parts: persisted (survives a restart), transient (lives as long as
//! the window) and derived (computed from the rest).
//!
//! No drawing code belongs here. All interface state is here, except for data of a single control,
//! such as a half-typed text and the remark on it, which egui keeps.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use egui::Rect;
use egui_file_dialog::FileDialog;
use serde::{Deserialize, Serialize};

use crate::app::commands::{Action, Command, Purpose};
use crate::app::controls::PanelFocus;
use crate::app::text::Fonts;
use crate::app::typed_ahead::TypedAhead;
use crate::camera::{Ground, Spot, Steering};
use crate::files::export::Forecast;
use crate::files::import;
use crate::fractal::passes::Point;
use crate::pipeline::{MaskOf, ShownWatershed};
use crate::plants::PlantCount;
use crate::scene::Scene;
use crate::shading::snow::SnowAmount;
use crate::terrain::geo::Georeference;
use crate::terrain::grid::Grid;
use crate::terrain::heightmap::Heightmap;
use crate::terrain::measure::Statistics;
use crate::util::language::Language;
use crate::util::param::Tab;

pub mod browser;
pub mod document;
mod folds;
pub mod history;
pub mod key_frames;
pub mod notices;
pub mod output;
pub mod palettes;
pub mod thumbnails;
pub mod timeline;
pub mod times;
pub mod tool;
pub mod tour;
pub mod variations;

use browser::Browser;
use document::{Compared, Document};
pub use folds::Folds;
use history::{History, Strip};
use notices::Notices;
use output::{Exporting, Filming, Photo, PlantExport};
use palettes::Palettes;
use thumbnails::Thumbnails;
use timeline::{Flying, Playing, Timeline};
use times::StepTimes;
use tool::Tool;
use tour::Tour;
use variations::{Variations, Varying};

/// Minimum width of the panel, in points.
pub const PANEL_WIDTH: f32 = 312.0;

/// Complete state that the user interface reads and writes.
#[derive(Default)]
pub struct UiState {
    /// State that survives a restart.
    pub persisted: Persisted,
    /// State that is lost when the window closes.
    pub transient: Transient,
    /// Values computed by the window for the interface, such as statistics, and by the interface
    /// for the window, such as rectangles.
    pub derived: Derived,
}

impl UiState {
    /// Create the state of a window that starts with these settings.
    #[must_use]
    pub fn new(persisted: Persisted) -> Self {
        let snapshot = Arc::new(persisted.scene.clone());
        let mut state = Self {
            transient: Transient {
                history: History::new(Arc::clone(&snapshot)),
                snapshot,
                ..Transient::default()
            },
            persisted,
            derived: Derived::default(),
        };
        let seed = state.persisted.scene.surface.seed;
        state.persisted.seeds.watch(seed);
        state
    }

    /// Share the present scene. The same pointer is returned until an edit, so it tells whether
    /// anything has changed without a comparison of scenes.
    pub fn snapshot(&mut self) -> Arc<Scene> {
        if *self.transient.snapshot != self.persisted.scene {
            self.transient.snapshot = Arc::new(self.persisted.scene.clone());
        }
        Arc::clone(&self.transient.snapshot)
    }

    /// Language of the window: the chosen one, else the language of the system.
    #[must_use]
    pub fn language(&self) -> Language {
        let chosen = self.persisted.language;
        chosen.unwrap_or(self.transient.system_language)
    }

    /// True if the panel is on screen.
    #[must_use]
    pub fn shows_panel(&self) -> bool {
        if self.transient.full_screen {
            self.transient.panel_on_full_screen
        } else if self.derived.narrow {
            self.transient.panel_over_scene
        } else {
            self.persisted.panel
        }
    }
}

/// Content of the settings file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Persisted {
    /// True to show the panel.
    pub panel: bool,
    /// Width of the panel in points.
    pub panel_width: f32,
    /// True to show the statistics.
    pub statistics: bool,
    /// True to let moving frames be coarser than the scene's settings, to keep the frame rate.
    pub automatic_detail: bool,
    /// True to show the frame rate of the last second in the status line.
    pub picture_rate: bool,
    /// True to draw a compass with the sun over the scene.
    pub compass: bool,
    /// Options of the dialog "Export".
    pub exporting: Exporting,
    /// Options of the dialog "Picture".
    pub photo: Photo,
    /// Selection of the settings that vary on the sheet of variations.
    pub varying: Varying,
    /// Options of the dialog "Film".
    pub filming: Filming,
    /// Options of the dialog "Plants".
    pub plant_export: PlantExport,
    /// True to show the timeline.
    pub timeline: bool,
    /// True to show the strip of recent undo states.
    pub history: bool,
    /// True once the user has moved the camera, with the mouse or with keys.
    pub has_dragged: bool,
    /// Step at which the tour was left, an index; 0 if there is none to continue.
    pub tour_step: usize,
    /// Chosen language of the window; `None` for that of the system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<Language>,
    /// Size of the window in points, when not maximised.
    pub window: [u32; 2],
    /// Upper left corner of the window on the desktop, in pixels, if the system reports it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<[i32; 2]>,
    /// True if the window is maximised.
    pub maximized: bool,
    /// Zoom factor of the interface; the landscape is not scaled.
    pub zoom: f32,
    /// Tab and mode of the panel.
    pub panel_view: PanelView,
    /// Open or folded state of the panel's sections.
    pub folds: Folds,
    /// Initial folder of file dialogs.
    pub folder: Option<PathBuf>,
    /// Recently opened or saved files.
    pub recent: Recent,
    /// History of seeds.
    pub seeds: SeedHistory,
    /// Scene in the window.
    pub scene: Scene,
    /// Document of the scene.
    pub document: Document,
}

impl Default for Persisted {
    fn default() -> Self {
        Self {
            panel: true,
            panel_width: PANEL_WIDTH,
            statistics: false,
            automatic_detail: true,
            picture_rate: false,
            compass: false,
            exporting: Exporting::default(),
            photo: Photo::default(),
            varying: Varying::default(),
            filming: Filming::default(),
            plant_export: PlantExport::default(),
            timeline: false,
            history: false,
            has_dragged: false,
            tour_step: 0,
            language: None,
            window: [1280, 720],
            position: None,
            maximized: false,
            zoom: 1.0,
            panel_view: PanelView::default(),
            folds: Folds::default(),
            folder: None,
            recent: Recent::default(),
            seeds: SeedHistory::default(),
            scene: import::start().clone(),
            document: Document::default(),
        }
    }
}

/// State of open, pressed or half-typed controls.
#[derive(Default)]
pub struct Transient {
    /// Language of the system.
    pub system_language: Language,
    /// Undo and redo history.
    pub history: History,
    /// Strip of recent undo states.
    pub strip: Strip,
    /// Messages on screen.
    pub notices: Notices,
    /// Bar for messages and progress, used where they cannot float over the scene.
    pub message_bar: MessageBar,
    /// Open dialogs.
    pub dialogs: Dialogs,
    /// Reference scene of an A/B comparison, if one is active.
    pub compared: Option<Compared>,
    /// Sheet of variations.
    pub variations: Variations,
    /// Sheet of presets.
    pub browser: Browser,
    /// Palettes of the user's own, and their editor.
    pub palettes: Palettes,
    /// Guided tour, if one is under way.
    pub tour: Option<Tour>,
    /// Thumbnails.
    pub gallery: Thumbnails,
    /// Glyphs that the window's own fonts lack.
    pub fonts: Fonts,
    /// Mask overlay on the terrain.
    pub mask_sight: MaskOverlay,
    /// Mouse tool over the scene.
    pub tool: Tool,
    /// True to hide the profile of the cross-section.
    pub profile_hidden: bool,
    /// State of the keys for flying.
    pub flying: Flying,
    /// Filter for the settings in the panel.
    pub filter: Filter,
    /// Keyboard focus in the panel.
    pub panel_focus: PanelFocus,
    /// True if a text field had the keyboard focus at the end of the last frame.
    pub typing: bool,
    /// Keys pressed before the text box they are meant for had the focus.
    pub typed_ahead: TypedAhead,
    /// Menu of the bar that a key opens.
    pub opens_menu: Option<usize>,
    /// True once the stored zoom factor has been applied.
    pub zoomed: bool,
    /// True if the scene fills the screen, without bars.
    pub full_screen: bool,
    /// True to show the panel in full-screen mode.
    pub panel_on_full_screen: bool,
    /// Offset of the pointer from the sun's centre while the sun is dragged, in points.
    pub sun_held: Option<egui::Vec2>,
    /// True if a narrow window shows the panel instead of the scene.
    pub panel_over_scene: bool,
    /// Time of the scene's last change, in egui's seconds.
    pub changed_at: f64,
    /// Animation of the generator's passes, if it runs.
    pub playing: Option<Playing>,
    /// Motion of the camera.
    pub steering: Steering,
    /// Playhead of the film.
    pub timeline: Timeline,
    /// Scene at the end of the last frame; see [`UiState::snapshot`].
    pub snapshot: Arc<Scene>,
}

impl Transient {
    /// True if a sheet of thumbnails covers the scene.
    #[must_use]
    pub fn covers_scene(&self) -> bool {
        self.variations.shown || self.browser.shown
    }

    /// Close the sheet that covers the scene. Returns true if one was open.
    pub fn uncover_scene(&mut self) -> bool {
        let was_covered = self.covers_scene();
        (self.variations.shown, self.browser.shown) = (false, false);
        was_covered
    }

    /// True if a text box that is about to be drawn will take the keyboard focus.
    #[must_use]
    pub fn awaits_text(&self) -> bool {
        let is_new = self.dialogs.file.as_ref().is_some_and(|file| file.is_new);
        let names = self.browser.keeping.as_ref().is_some_and(|kept| kept.asks);
        let on_sheets = self.browser.asks || self.variations.search_asks;
        let commands = self.dialogs.command_palette.as_ref();
        let commands = commands.is_some_and(|palette| palette.asks);
        is_new || names || on_sheets || commands || self.filter.asks
    }
}

/// Ground after a single pass, as it is on screen.
#[derive(Clone, Debug)]
pub struct ShownPass {
    /// Heights of the lattice, in half tiles.
    pub heights: Arc<Heightmap>,
    /// State of each of its points.
    pub points: Arc<Grid<Point>>,
}

/// Values computed by the window for the interface to show.
#[derive(Clone, Debug)]
pub struct Derived {
    /// Size, timing and place of the landscape on screen.
    pub shown: Option<Shown>,
    /// Lowest and highest height of the landscape on screen, in half tiles.
    pub height_range: Option<(f32, f32)>,
    /// Subsampled heightfield before the modifiers, where pins may be placed on it.
    pub ground: Option<Arc<Heightmap>>,
    /// Subsampled heightfield on screen, where a cross-section may cut it.
    pub relief: Option<Arc<Heightmap>>,
    /// Number of the plants of the landscape, while the statistics are shown.
    pub plants: Option<PlantCount>,
    /// Number of plants that grow on the landscape at most, if it has some.
    pub most_plants: Option<u64>,
    /// Amount of snow on screen, where some lies.
    pub snow: Option<SnowAmount>,
    /// Heights and points of the pass on screen, where a single one is shown.
    pub pass: Option<ShownPass>,
    /// Watershed on screen.
    pub watershed: Option<Arc<ShownWatershed>>,
    /// Ground on screen, for the camera.
    pub terrain: Option<Ground>,
    /// Hurst exponent H measured on the landscape on screen.
    pub measured_hurst: MeasuredHurst,
    /// Computing time of each layer and modifier.
    pub times: StepTimes,
    /// Terrain statistics, while they are shown.
    pub measured: Option<Measured>,
    /// Forecast of the file to be exported, or the reason why it cannot be written.
    pub forecast: Option<Result<Forecast, String>>,
    /// Point on the ground under the pointer.
    pub pointed: Option<Spot>,
    /// Number of frames of the landscape shown in the last second.
    pub pictures_shown: usize,
    /// Drawing time of the last frame of the landscape.
    pub draw_time: Duration,
    /// Memory use of the process in bytes, taken with the drawing time, if the system reports it.
    pub memory: Option<u64>,
    /// Reduced quality of the frame on screen; `None` at full quality.
    pub reduced: Option<Reduction>,
    /// Work under way: the landscape first, then files.
    pub progress: Vec<Progress>,
    /// Rectangle that the scene is drawn in, in points.
    pub scene_rect: Rect,
    /// Area of the window between the upper and lower bars, in points.
    pub between_bars: Rect,
    /// Scale factor of the display: pixels per point.
    pub pixels_per_point: f32,
    /// True if the window is too narrow for panel and scene side by side.
    pub narrow: bool,
}

impl Default for Derived {
    fn default() -> Self {
        Self {
            shown: None,
            height_range: None,
            ground: None,
            relief: None,
            plants: None,
            most_plants: None,
            snow: None,
            pass: None,
            watershed: None,
            terrain: None,
            measured_hurst: MeasuredHurst::Pending,
            times: StepTimes::default(),
            measured: None,
            forecast: None,
            pointed: None,
            pictures_shown: 0,
            draw_time: Duration::ZERO,
            memory: None,
            reduced: None,
            progress: Vec::new(),
            scene_rect: Rect::ZERO,
            between_bars: Rect::ZERO,
            pixels_per_point: 1.0,
            narrow: false,
        }
    }
}

/// Size, timing and place of the landscape on screen.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// Rows of the heightfield.
    pub rows: usize,
    /// Columns of the heightfield.
    pub columns: usize,
    /// Subsampling factor along each side; more than 1 only for a very large heightfield.
    pub stride: usize,
    /// Requested Hurst exponent H; `None` where the generator has none.
    pub requested_hurst: Option<f32>,
    /// Computing time of the landscape.
    pub made_in: Duration,
    /// True for a preview that a finer landscape will replace.
    pub coarse: bool,
    /// Georeference, if an input has one.
    pub place: Option<Georeference>,
}

impl Shown {
    /// Rows and columns of the whole map.
    #[must_use]
    pub fn map_size(&self) -> [usize; 2] {
        [self.rows, self.columns].map(|side| side.saturating_sub(1) * self.stride + 1)
    }
}

/// Hurst exponent H estimated from a landscape.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum MeasuredHurst {
    /// The estimate is not done yet.
    #[default]
    Pending,
    /// The landscape is too flat or too small for an estimate.
    Undefined,
    /// The estimated exponent.
    Estimated(f64),
}

/// Quality of a frame that is drawn coarser than the scene's settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reduction {
    /// Factor by which the error of the ground is larger, ≥ 1.
    pub coarser: f32,
    /// Resolution scale along each side, at most 1.
    pub scale: f32,
}

/// Measurements shown by the statistics.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// Measured values.
    pub statistics: Arc<Statistics>,
    /// Requested Hurst exponent H; `None` for an image.
    pub requested_hurst: Option<f32>,
    /// Subsampling factor of the measured samples along each side; more than 1 only for a very
    /// large heightfield.
    pub stride: usize,
    /// True if the landscape on screen has changed since the measurement.
    pub outdated: bool,
}

/// Progress of one piece of work.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// Description of the work, for the user.
    pub what: String,
    /// Completed part, 0…1.
    pub done: f32,
    /// Time since the work began.
    pub elapsed: Duration,
    /// Command that cancels the work.
    pub cancel: Command,
}

// Tab and mode of the panel.

/// Part of the settings that the panel shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PanelView {
    /// Tab chosen last.
    pub tab: Tab,
    /// True to show one list of all tabs.
    pub one_list: bool,
    /// False to leave out settings without effect, and advanced ones that the scene does not use.
    pub all: bool,
}

impl PanelView {
    /// Every setting in one list.
    pub const EVERYTHING: Self = Self {
        tab: Tab::Land,
        one_list: true,
        all: true,
    };

    /// Tab on screen; `None` for the list of all.
    #[must_use]
    pub fn shown(&self) -> Option<Tab> {
        (!self.one_list).then_some(self.tab)
    }
}

// Filter for the settings in the panel: all, search results, or changed settings only.

/// Search text and filter of the panel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Search words. A setting matches if its name, key, help, choices or section title contain all
    /// of them; an empty text matches every setting.
    pub query: String,
    /// True to show only settings that differ from the preset or the file.
    pub only_changed: bool,
    /// True until the search box has received the keyboard focus.
    pub asks: bool,
    /// Settings shown last. A setting being edited stays visible at every value.
    pub shown: BTreeSet<String>,
}

impl Filter {
    /// True if the filter hides any settings.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.only_changed || !self.query.trim().is_empty()
    }

    /// Search words that found no setting; empty if there are none.
    #[must_use]
    pub fn vain_query(&self) -> &str {
        match self.shown.is_empty() {
            true => self.query.trim(),
            false => "",
        }
    }

    /// Show all settings again.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

// Mask overlay on the terrain. It depends on the pointer and on open sections of the panel, not on
// the scene.

/// Mask shown as an overlay, with the masks that the panel showed in the last frame.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MaskOverlay {
    seen: Option<MaskOf>,
    pointed: Option<MaskOf>,
    open: Vec<MaskOf>,
}

impl MaskOverlay {
    /// Mask shown as an overlay.
    #[must_use]
    pub fn seen(&self) -> Option<MaskOf> {
        self.seen
    }

    /// Record a mask in the panel. `pointed` is true if the pointer is over its controls or it was
    /// just opened, `open` if its section is open.
    pub fn note(&mut self, mask: MaskOf, pointed: bool, open: bool) {
        if pointed {
            self.pointed = Some(mask);
        }
        if open {
            self.open.push(mask);
        }
    }

    /// Choose the overlay at the end of a frame: the mask under the pointer; else the last one,
    /// while its section is open; else the first one with an open section.
    pub fn settle(&mut self) {
        let open = std::mem::take(&mut self.open);
        let still = self.seen.filter(|seen| open.contains(seen));
        self.seen = self.pointed.take().or(still).or(open.first().copied());
    }
}

// Bar for messages and progress, used where floating ones would cover controls.

/// State of the bar under the scene.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MessageBar {
    /// True if the last frame had no free place for floating messages.
    pub is_needed: bool,
    /// Height in points, kept while a sheet is open. If the bar shrank, the thumbnails would change
    /// size and have to be drawn again.
    pub kept_height: f32,
}

// Open dialogs, and actions that wait for their answers.

/// State of all dialogs.
#[derive(Default)]
pub struct Dialogs {
    /// True if the list of keyboard shortcuts is open.
    pub keys: bool,
    /// True if the dialog "About" is open.
    pub about: bool,
    /// Generator or modifier whose chapter of the book is open, by its name.
    pub chapter: Option<&'static str>,
    /// Action that waits for an answer about unsaved changes.
    pub unsaved: Option<Box<Action>>,
    /// File of the document that was not saved because another program has changed it.
    pub changed: Option<PathBuf>,
    /// Action to continue with after the changes are saved.
    pub after_saving: Option<Box<Action>>,
    /// Open file dialog.
    pub file: Option<FileQuestion>,
    /// Command palette, if it is open.
    pub command_palette: Option<CommandPalette>,
}

/// Search in the command palette.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandPalette {
    /// Search words.
    pub query: String,
    /// Index of the chosen entry among those found.
    pub chosen: usize,
    /// True until the search box has received the keyboard focus.
    pub asks: bool,
}

impl Default for CommandPalette {
    fn default() -> Self {
        Self {
            query: String::new(),
            chosen: 0,
            asks: true,
        }
    }
}

/// File dialog with its purpose.
pub struct FileQuestion {
    /// Purpose of the file.
    pub purpose: Purpose,
    /// File extension of an export.
    pub extension: &'static str,
    /// File dialog of egui.
    pub dialog: FileDialog,
    /// True until the dialog was drawn once and its box for the name has the keyboard focus.
    pub is_new: bool,
}

impl Dialogs {
    /// True if a dialog waits for an answer and takes all keys.
    #[must_use]
    pub fn asks(&self) -> bool {
        self.file.is_some() || self.asks_question()
    }

    /// True if a question about the document waits for an answer.
    #[must_use]
    pub fn asks_question(&self) -> bool {
        self.unsaved.is_some() || self.changed.is_some()
    }
}

// List of recently opened or saved files, newest first.

/// Maximum number of files in the list.
const MOST: usize = 10;

/// Recently opened or saved files, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Recent(Vec<PathBuf>);

impl Recent {
    /// Move a file to the front. A path that is not UTF-8 cannot be stored and is ignored.
    pub fn note(&mut self, file: &Path) {
        if file.to_str().is_some() {
            self.forget(file);
            self.0.insert(0, file.to_owned());
            self.0.truncate(MOST);
        }
    }

    /// Remove a file from the list. Returns true if it was there.
    pub fn forget(&mut self, file: &Path) -> bool {
        let before = self.0.len();
        self.0.retain(|known| known != file);
        self.0.len() < before
    }

    /// Remove all files from the list.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Files, newest first.
    #[must_use]
    pub fn files(&self) -> &[PathBuf] {
        &self.0
    }

    /// Merge with another window's list, given the `base` that both lists began with.
    #[must_use]
    pub fn merged(&self, base: &Self, theirs: &Self) -> Self {
        if self == base {
            return theirs.clone();
        }
        let news = theirs.0.iter().filter(|file| !base.0.contains(file));
        let added: Vec<_> = news.filter(|file| !self.0.contains(file)).collect();
        let mine = self.0.iter();
        Self(mine.chain(added).take(MOST).cloned().collect())
    }
}

// History of seeds, with back and forward.

/// Maximum number of seeds in the history.
const MOST_SEEDS: usize = 100;
/// Seeds in the order they were shown, with the current position.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SeedHistory {
    /// Seeds, oldest first. They are stored as text because TOML integers end at 2^63.
    seeds: Vec<String>,
    /// Index of the current seed.
    shown: usize,
}

impl SeedHistory {
    /// Record the seed on screen. A seed that is not at or next to the current position goes to the
    /// end, so going back first loses nothing.
    pub fn watch(&mut self, seed: u64) {
        self.shown = self.shown.min(self.seeds.len().saturating_sub(1));
        // Undo moves to a neighbour in the history, which is not a new seed.
        let here = self.shown;
        for index in [here, here.wrapping_sub(1), here + 1] {
            if self.seed(index) == Some(seed) {
                self.shown = index;
                return;
            }
        }
        self.seeds.push(seed.to_string());
        if self.seeds.len() > MOST_SEEDS {
            self.seeds.remove(0);
        }
        self.shown = self.seeds.len() - 1;
    }

    /// Go back to the previous seed.
    pub fn back(&mut self) -> Option<u64> {
        self.shown = self.shown.checked_sub(1)?;
        self.seed(self.shown)
    }

    /// Go forward to the next seed.
    pub fn forward(&mut self) -> Option<u64> {
        self.can_go_forward().then(|| self.shown += 1)?;
        self.seed(self.shown)
    }

    /// True if there is an earlier seed.
    #[must_use]
    pub fn can_go_back(&self) -> bool {
        self.shown > 0
    }

    /// True if there is a later seed.
    #[must_use]
    pub fn can_go_forward(&self) -> bool {
        self.shown + 1 < self.seeds.len()
    }

    fn seed(&self, index: usize) -> Option<u64> {
        self.seeds.get(index)?.parse().ok()
    }
}
