//! State of the window, in three parts: persisted (survives a restart), transient (lives as long as
//! the window) and derived (computed from the rest).
//!
//! No drawing code belongs here. All interface state is here, except for data of a single control,
//! such as a half-typed text and the remark on it, which egui keeps.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use egui::Rect;
use serde::{Deserialize, Serialize};

use crate::app::commands::Command;
use crate::app::controls::PanelFocus;
use crate::app::text::Fonts;
use crate::app::typed_ahead::TypedAhead;
use crate::camera::{Ground, Spot, Steering};
use crate::files::export::Forecast;
use crate::files::import;
use crate::pipeline::ShownWatershed;
use crate::scene::Scene;
use crate::terrain::geo::Georeference;
use crate::terrain::heightmap::Heightmap;
use crate::terrain::measure::Statistics;
use crate::util::language::Language;

pub mod browser;
pub mod compared;
pub mod describe;
pub mod dialogs;
pub mod document;
pub mod exporting;
pub mod family;
pub mod filming;
pub mod filter;
pub mod flying;
pub mod folds;
pub mod history;
pub mod mask_overlay;
pub mod message_bar;
pub mod notices;
pub mod passes;
pub mod photo;
pub mod recent;
pub mod seeds;
pub mod thumbnails;
pub mod timeline;
pub mod times;
pub mod tool;
pub mod tour;
pub mod variations;

use browser::Browser;
use compared::Compared;
use dialogs::Dialogs;
use document::Document;
use exporting::Exporting;
use filming::Filming;
use filter::Filter;
use flying::Flying;
use folds::Folds;
use history::{History, Strip};
use mask_overlay::MaskOverlay;
use message_bar::MessageBar;
use notices::Notices;
use passes::Playing;
use photo::Photo;
use recent::Recent;
use seeds::SeedHistory;
use thumbnails::Thumbnails;
use timeline::Timeline;
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
    /// True to show the timeline.
    pub timeline: bool,
    /// True to show the strip of recent undo states.
    pub history: bool,
    /// True once the user has moved the camera, with the mouse or with keys.
    pub has_dragged: bool,
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
            timeline: false,
            history: false,
            has_dragged: false,
            language: None,
            window: [1280, 720],
            position: None,
            maximized: false,
            zoom: 1.0,
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
        is_new || names || on_sheets || self.filter.asks
    }
}

/// Values computed by the window for the interface to show.
#[derive(Clone, Debug)]
pub struct Derived {
    /// Size, timing and place of the landscape on screen.
    pub shown: Option<Shown>,
    /// Subsampled heightfield before the modifiers, where pins may be placed on it.
    pub ground: Option<Arc<Heightmap>>,
    /// Subsampled heightfield on screen, where a cross-section may cut it.
    pub relief: Option<Arc<Heightmap>>,
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
            ground: None,
            relief: None,
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
