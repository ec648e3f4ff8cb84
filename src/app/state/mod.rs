//! The state of the window in three parts: what survives a restart, what lives as long as the
//! window, and what is worked out from the rest.
//!
//! What must not be here: anything that draws. All of the state is here; egui's own memory holds
//! only what belongs to one control: a text half typed, and what was said of it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use egui::Rect;
use serde::{Deserialize, Serialize};

use crate::app::commands::Command;
use crate::app::controls::focus::PanelFocus;
use crate::app::text::fonts::Fonts;
use crate::app::typed_ahead::TypedAhead;
use crate::camera::{Ground, Spot, Steering};
use crate::export::Forecast;
use crate::geo::Georeference;
use crate::heightmap::Heightmap;
use crate::import;
use crate::language::Language;
use crate::measure::Statistics;
use crate::pipeline::ShownWatershed;
use crate::scene::Scene;

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
pub mod gallery;
pub mod history;
pub mod mask_sight;
pub mod message_bar;
pub mod notices;
pub mod passes;
pub mod photo;
pub mod recent;
pub mod seeds;
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
use gallery::Gallery;
use history::{History, Strip};
use mask_sight::MaskSight;
use message_bar::MessageBar;
use notices::Notices;
use passes::Playing;
use photo::Photo;
use recent::Recent;
use seeds::SeedHistory;
use timeline::Timeline;
use times::StepTimes;
use tool::Tool;
use tour::Tour;
use variations::{Variations, Varying};

/// Least width of the panel in points.
pub const PANEL_WIDTH: f32 = 312.0;

/// Everything that the user interface reads and writes.
#[derive(Default)]
pub struct UiState {
    /// What survives a restart.
    pub persisted: Persisted,
    /// What is gone when the window closes.
    pub transient: Transient,
    /// What the window works out for the interface to show, and the other way round.
    pub derived: Derived,
}

impl UiState {
    /// A window that starts with these settings.
    #[must_use]
    pub fn new(persisted: Persisted) -> Self {
        let mut state = Self {
            transient: Transient {
                history: History::new(&persisted.scene),
                ..Transient::default()
            },
            persisted,
            derived: Derived::default(),
        };
        let seed = state.persisted.scene.surface.seed;
        state.persisted.seeds.watch(seed);
        state
    }

    /// The language of the window.
    #[must_use]
    pub fn language(&self) -> Language {
        let chosen = self.persisted.language;
        chosen.unwrap_or(self.transient.system_language)
    }

    /// Whether the panel is on screen.
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

/// What the settings file holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Persisted {
    /// Whether the panel is shown.
    pub panel: bool,
    /// Width of the panel in points.
    pub panel_width: f32,
    /// Whether the statistics are shown.
    pub statistics: bool,
    /// Whether pictures in motion may be coarser than the scene says, to stay fluid.
    pub automatic_detail: bool,
    /// Whether the status line counts the pictures of the last second.
    pub picture_rate: bool,
    /// Whether a compass with the sun lies over the scene.
    pub compass: bool,
    /// What the dialog "Export" says.
    pub exporting: Exporting,
    /// What the dialog "Picture" says.
    pub photo: Photo,
    /// What varies on the sheet of variations.
    pub varying: Varying,
    /// What the dialog "Film" says.
    pub filming: Filming,
    /// Whether the timeline is shown.
    pub timeline: bool,
    /// Whether the strip of the last states is shown.
    pub history: bool,
    /// Whether the user has ever moved the camera, with the mouse or with keys.
    pub has_dragged: bool,
    /// The language of the window, if it is not that of the system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<Language>,
    /// Size of the window in points, while it is not maximised.
    pub window: [u32; 2],
    /// The window's upper left corner on the desktop in pixels, where the system says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<[i32; 2]>,
    /// Whether the window fills the screen.
    pub maximized: bool,
    /// How much larger than usual everything but the landscape is.
    pub zoom: f32,
    /// The sections of the panel that are folded or unfolded.
    pub folds: Folds,
    /// Folder that file dialogs start in.
    pub folder: Option<PathBuf>,
    /// Files opened or saved last.
    pub recent: Recent,
    /// Seeds seen.
    pub seeds: SeedHistory,
    /// The scene, as it was last.
    pub scene: Scene,
    /// What that scene belongs to.
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

/// What is open, pressed or half typed.
#[derive(Default)]
pub struct Transient {
    /// The language of the system.
    pub system_language: Language,
    /// Undo and redo.
    pub history: History,
    /// The strip of the last states.
    pub strip: Strip,
    /// Messages on screen.
    pub notices: Notices,
    /// The bar for messages and work under way, where these cannot float.
    pub message_bar: MessageBar,
    /// What is open above the scene.
    pub dialogs: Dialogs,
    /// The scene that the present one is compared with, if it is.
    pub compared: Option<Compared>,
    /// The sheet of variations.
    pub variations: Variations,
    /// The sheet of presets.
    pub browser: Browser,
    /// The tour, while it is taken.
    pub tour: Option<Tour>,
    /// Small pictures.
    pub gallery: Gallery,
    /// Letters that the window's own fonts lack.
    pub fonts: Fonts,
    /// Whose mask is seen on the land.
    pub mask_sight: MaskSight,
    /// What the mouse does over the scene.
    pub tool: Tool,
    /// Whether the profile of a cross-section is hidden.
    pub profile_hidden: bool,
    /// The keys that fly.
    pub flying: Flying,
    /// Which settings the panel shows.
    pub filter: Filter,
    /// The way of the keyboard into the panel and through it.
    pub panel_focus: PanelFocus,
    /// Whether a text had the keyboard at the end of the last frame.
    pub typing: bool,
    /// Keys that came too early for the box that they are meant for.
    pub typed_ahead: TypedAhead,
    /// Whether the zoom that was kept is in use.
    pub zoomed: bool,
    /// Whether the scene fills the screen, without bars.
    pub full_screen: bool,
    /// Whether the panel is shown there all the same.
    pub panel_on_full_screen: bool,
    /// How far beside the middle of the sun the mouse holds it, in points, while it does.
    pub sun_held: Option<egui::Vec2>,
    /// Whether a narrow window shows the panel in place of the scene.
    pub panel_over_scene: bool,
    /// When the scene last changed, in egui's seconds.
    pub changed_at: f64,
    /// The passes shown one after the other.
    pub playing: Option<Playing>,
    /// How the camera moves.
    pub steering: Steering,
    /// The playhead of the film.
    pub timeline: Timeline,
    /// The scene as it was at the last frame.
    pub last_scene: Option<Scene>,
}

impl Transient {
    /// Whether a sheet of scenes lies where the scene is.
    #[must_use]
    pub fn covers_scene(&self) -> bool {
        self.variations.shown || self.browser.shown
    }

    /// Closes a sheet that covers the scene; returns whether there was one.
    pub fn uncover_scene(&mut self) -> bool {
        let was_covered = self.covers_scene();
        (self.variations.shown, self.browser.shown) = (false, false);
        was_covered
    }

    /// Whether a box that is about to be drawn will take the keyboard.
    #[must_use]
    pub fn awaits_text(&self) -> bool {
        let is_new = self.dialogs.file.as_ref().is_some_and(|file| file.is_new);
        let names = self.browser.keeping.as_ref().is_some_and(|kept| kept.asks);
        let on_sheets = self.browser.asks || self.variations.search_asks;
        is_new || names || on_sheets || self.filter.asks
    }
}

/// What the window works out and the interface shows.
#[derive(Clone, Debug)]
pub struct Derived {
    /// The landscape on screen.
    pub shown: Option<Shown>,
    /// Its ground before the modifiers, thinned, where pins may be placed on it.
    pub ground: Option<Arc<Heightmap>>,
    /// The ground on screen, thinned, where a cross-section may cut it.
    pub relief: Option<Arc<Heightmap>>,
    /// The watershed on screen.
    pub watershed: Option<Arc<ShownWatershed>>,
    /// The ground on screen, for the camera.
    pub terrain: Option<Ground>,
    /// H as measured of the landscape on screen.
    pub measured_hurst: MeasuredHurst,
    /// Time that each layer and modifier took.
    pub times: StepTimes,
    /// All measures, while the statistics are shown.
    pub measured: Option<Measured>,
    /// What the file to be exported will be like, or why there will be none.
    pub forecast: Option<Result<Forecast, String>>,
    /// What the mouse points at.
    pub pointed: Option<Spot>,
    /// The number of pictures of the landscape that were shown in the last second.
    pub pictures_shown: usize,
    /// Time that the last picture of the landscape took.
    pub draw_time: Duration,
    /// Bytes of memory that the program took up by then, if the system says so.
    pub memory: Option<u64>,
    /// How it is less than the scene says, while that is so.
    pub reduced: Option<Reduction>,
    /// Work under way: the landscape first, then files.
    pub progress: Vec<Progress>,
    /// Where the scene is drawn, in points.
    pub scene_rect: Rect,
    /// The window between the bars at its upper and lower end, in points.
    pub between_bars: Rect,
    /// Pixels along the side of one of its points.
    pub pixels_per_point: f32,
    /// Whether the window is too narrow for panel and scene side by side.
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

/// The landscape on screen, in numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// Rows of its map.
    pub rows: usize,
    /// Columns of its map.
    pub columns: usize,
    /// One sample in this many along a side is shown: more than 1 of a very large map only.
    pub stride: usize,
    /// H that was asked for; `None` where the generator has none.
    pub requested_hurst: Option<f32>,
    /// Time it took to make.
    pub made_in: Duration,
    /// Whether a finer one is under way.
    pub coarse: bool,
    /// Where on earth it lies, if anybody says it.
    pub place: Option<Georeference>,
}

/// H as measured of a landscape.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum MeasuredHurst {
    /// It is not measured yet.
    #[default]
    Pending,
    /// The landscape is too flat or too small to have one.
    Undefined,
    /// It is estimated as this.
    Estimated(f64),
}

/// How a picture is less than the scene says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reduction {
    /// By how much its ground is coarser, ≥ 1.
    pub coarser: f32,
    /// The part of its pixels that are drawn along each side.
    pub scale: f32,
}

/// What the statistics say.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The measures.
    pub statistics: Arc<Statistics>,
    /// H that was asked for; `None` for an image.
    pub requested_hurst: Option<f32>,
    /// One sample in this many along a side was measured: more than 1 of a very large map only.
    pub stride: usize,
    /// Whether there is another landscape on screen by now.
    pub outdated: bool,
}

/// One piece of work under way.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// What is being done.
    pub what: String,
    /// How much is done, 0…1.
    pub done: f32,
    /// How long it has taken so far.
    pub elapsed: Duration,
    /// What stops it.
    pub cancel: Command,
}
