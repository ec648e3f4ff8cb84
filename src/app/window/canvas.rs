//! Frame loop of the open window: progressive rendering of the scene within a frame budget, with
//! the interface drawn on top.

use std::time::{Duration, Instant};

use glium::glutin::surface::WindowSurface;
use glium::{BlitTarget, Display, Surface};
use winit::dpi::PhysicalSize;
use winit::event_loop::ActiveEventLoop;
use winit::window::{Fullscreen, Window, WindowAttributes};

use super::display::open_window;
use super::interface::Interface;
use crate::app::files::SAVING_PICTURE;
use crate::app::picture::frame_budget::{REST, REST_OF_PREVIEW};
use crate::app::picture::small::SmallPictures;
use crate::app::picture::taking::Taking;
use crate::app::picture::{MOVING_PATIENCE, Picture, Quality};
use crate::app::session::Session;
use crate::app::state::notices::Cause;
use crate::app::{steer, theme, ui};
use crate::render::RenderError;
use crate::util::memory;

/// Minimum interval of frames that update a progress bar, as a time and as a multiple of the
/// frame's own duration, so that most of the time is left for the job.
const PROGRESS_STEP: Duration = Duration::from_millis(100);
const PROGRESS_FRAMES: u32 = 5;
/// Minimum interval of frames that show new thumbnails.
const SMALL_STEP: Duration = Duration::from_millis(250);
/// Interval of frames that update the frame rate.
const RATE_STEP: Duration = Duration::from_millis(250);
/// Frame budget including layout and painting, so that no event waits longer than 50 ms. On two cores a step of a
/// clipmap window and a small picture fit into it.
const LONGEST_FRAME: Duration = Duration::from_millis(46);
/// Time slice for progressive rendering between events.
const BETWEEN_EVENTS: Duration = Duration::from_millis(12);

/// Window with all that is drawn in it.
pub struct Canvas {
    pub window: Window,
    pub display: Display<WindowSurface>,
    pub interface: Interface,
    picture: Picture,
    /// Renderer of the stored scene in a comparison.
    other: Option<Picture>,
    /// Start of this frame, duration of its layout and of the last painting, and true if the last frame
    /// left its painting to this one.
    began: Instant,
    layout: Duration,
    painting: Duration,
    left_painting: bool,
    /// Image for a file that takes more than one frame.
    taking: Option<Taking>,
    small: SmallPictures,
    /// Time since which thumbnails have been missing, and time of the last frame that showed new
    /// ones.
    small_since: Option<Instant>,
    small_shown: Instant,
}

impl Canvas {
    /// Redraw with new shader sources.
    pub fn reload(&mut self, texts: &[(String, String)]) {
        // These renderers share the programs of the old sources.
        self.small.forget();
        self.other = None;
        self.picture.reload(texts);
        self.window.request_redraw();
    }

    /// Open a window without drawing in it.
    ///
    /// # Errors
    /// Fails if the display has no OpenGL, or a version that is too old.
    pub fn open(
        event_loop: &ActiveEventLoop,
        attributes: WindowAttributes,
    ) -> anyhow::Result<Self> {
        let (window, display) = open_window(event_loop, attributes)?;
        let picture = Picture::new(&display)?;
        let interface = Interface::new(&display, &window);
        theme::apply(interface.context());
        Ok(Self {
            window,
            display,
            interface,
            picture,
            other: None,
            began: Instant::now(),
            layout: Duration::ZERO,
            painting: Duration::ZERO,
            left_painting: false,
            taking: None,
            small: SmallPictures::default(),
            small_since: None,
            small_shown: Instant::now(),
        })
    }

    /// Run the interface, execute its commands and draw. Waits up to `patience` for a landscape.
    pub fn frame(&mut self, session: &mut Session, patience: Duration) {
        let size = self.window.inner_size();
        // File jobs pause until the end of the frame.
        let _goes_first = session.go_first();
        let began = Instant::now();
        self.began = began;
        // A multi-frame image needs the same landscape throughout.
        let is_taking = self.taking.is_some();
        let made = (!is_taking).then(|| session.collect(patience)).flatten();
        if let Some(landscape) = made
            && let Err(error) = self.picture.update(&self.display, landscape)
        {
            session.complain(Cause::Landscape, &error);
        }
        if let Some(mask) = session.take_mask()
            && let Err(error) = self.picture.update_mask(&self.display, Some(mask))
        {
            session.complain(Cause::Landscape, &error);
        }
        if let Err(error) = self.collect_other(session) {
            session.complain(Cause::Landscape, &error);
        }
        session.state.derived.pictures_shown = self.picture.shown_lately(began);
        let mut commands = Vec::new();
        let laying_out = Instant::now();
        self.interface.run(&self.window, |ctx| {
            commands.extend(ui(ctx, &mut session.state));
        });
        self.layout = laying_out.elapsed();
        if !commands.is_empty() {
            self.window.request_redraw();
        }
        for command in commands {
            session.execute(command);
        }
        self.fill_screen(session.state.transient.full_screen);
        session.request_if_changed();
        session.want_small();
        let missing = session.state.transient.gallery.missing();
        if missing > 0 {
            self.small_since.get_or_insert(began);
        }
        self.draw(session, size);
        if let Some(since) = self.small_since.take_if(|_| missing == 0) {
            let ms = since.elapsed().as_millis();
            log::debug!("all small pictures are shown after {ms} ms");
        }
        if session.state.persisted.picture_rate && self.picture.shown_lately(began) > 0 {
            // Older frames leave the one-second window while nothing else changes.
            self.interface.context().request_repaint_after(RATE_STEP);
        }
        if session.is_busy() {
            let step = PROGRESS_STEP.max(began.elapsed() * PROGRESS_FRAMES);
            self.interface.context().request_repaint_after(step);
        }
        log::debug!(
            "frame {} ms, {} ms since the last edit",
            began.elapsed().as_millis(),
            session.since_request().as_millis()
        );
    }

    /// Receive the landscape of the stored scene, if there is a comparison.
    fn collect_other(&mut self, session: &mut Session) -> Result<(), RenderError> {
        if session.state.transient.compared.is_none() {
            self.other = None;
        } else if self.other.is_none() {
            self.other = Some(self.picture.beside(&self.display)?);
            session.forget_other();
        }
        let made = session.collect_other();
        let in_a_frame = if self.other.is_some() { 2 } else { 1 };
        self.picture.in_a_frame = in_a_frame;
        let Some(other) = &mut self.other else {
            return Ok(());
        };
        other.in_a_frame = in_a_frame;
        match made {
            Some(landscape) => other.update(&self.display, landscape),
            None => Ok(()),
        }
    }

    /// Continue to draw the stored scene of the comparison, at this size.
    fn draw_other(&mut self, session: &mut Session, size: (u32, u32)) {
        let (Some(other), Some(compared)) = (&mut self.other, &session.state.transient.compared)
        else {
            return;
        };
        let scene = compared.drawn(&steer::drawn(&session.state).camera);
        let quality = quality(session);
        other.patience = self.picture.patience;
        match other.draw(&self.display, &scene, None, size, quality) {
            Ok(Some(delay)) => self.interface.context().request_repaint_after(delay),
            Ok(None) => {}
            Err(error) => session.complain(Cause::Drawing, &error),
        }
    }

    /// Enter or leave full screen.
    fn fill_screen(&self, wanted: bool) {
        if self.window.fullscreen().is_some() != wanted {
            let screen = wanted.then_some(Fullscreen::Borderless(None));
            self.window.set_fullscreen(screen);
        }
    }

    fn draw(&mut self, session: &mut Session, size: PhysicalSize<u32>) {
        let title = session.title();
        if self.window.title() != title {
            self.window.set_title(&title);
        }
        let rect = self.scene_pixels(session, size);
        let size = (rect.width as u32, rect.height as u32);
        let covered = session.state.transient.covers_scene();
        let is_seen = !covered || session.wants_picture();
        let visible = size.0 > 0 && size.1 > 0 && is_seen;
        let holds_screen = |taking: &Taking| taking.holds_screen();
        let laid_out = self.began.elapsed();
        self.picture.patience = self.left().min(MOVING_PATIENCE);
        let shown = session.state.derived.shown.as_ref();
        self.picture.rest = match shown.is_some_and(|shown| shown.coarse) {
            true => REST_OF_PREVIEW,
            false => REST,
        };
        self.begin_taking(session, size);
        if visible && !self.taking.as_ref().is_some_and(holds_screen) {
            let saves_shown = session.wants_picture() && self.taking.is_none();
            let quality = if saves_shown && session.shot(size).is_none() {
                Quality::Saved
            } else {
                quality(session)
            };
            let scene = steer::drawn(&session.state);
            let mask = session.state.transient.mask_sight.seen();
            let drawn = (self.picture).draw(&self.display, &scene, mask, size, quality);
            match drawn {
                Ok(Some(delay)) => self.interface.context().request_repaint_after(delay),
                Ok(None) => {}
                Err(error) => session.complain(Cause::Drawing, &error),
            }
            self.draw_other(session, size);
            self.begin_taking(session, size);
            if self.note_picture(session) {
                // The status line was laid out before drawing, so it needs another frame.
                self.interface.context().request_repaint_after(REST);
            }
        }
        let drawn = self.began.elapsed();
        log::trace!("laid out in {laid_out:?}, drawn at {drawn:?}");
        if self.leaves_painting() {
            self.window.request_redraw();
            return;
        }
        let began = Instant::now();
        let mut frame = self.display.draw();
        let shown = Some(rect).filter(|_| visible && !covered && self.picture.is_drawn());
        let [red, green, blue, alpha] = theme::BACKGROUND.to_normalized_gamma_f32();
        frame.clear_color(red, green, blue, alpha);
        if let Some(rect) = shown {
            self.picture.present(&mut frame, rect);
            let compared = session.state.transient.compared.as_ref();
            if let Some((other, compared)) = self.other.as_ref().zip(compared) {
                other.present_left(&mut frame, rect, compared.part());
            }
        }
        self.interface.paint(&self.display, &mut frame);
        if let Err(error) = frame.finish() {
            log::error!("could not show the frame: {error}");
        }
        self.painting = began.elapsed();
        let interface = self.layout + self.painting;
        self.picture.note_frame(interface);
        if let Some(other) = &mut self.other {
            other.note_frame(interface);
        }
    }

    /// Frame budget left before painting.
    fn left(&self) -> Duration {
        LONGEST_FRAME.saturating_sub(self.began.elapsed() + self.painting)
    }

    /// True if the frame has used up its budget while the image is still incomplete, so that
    /// painting is left to the next frame and events can be handled in between. Never true twice in
    /// a row.
    fn leaves_painting(&mut self) -> bool {
        let is_late = self.picture.is_under_way() && self.left().is_zero();
        self.left_painting = is_late && !self.left_painting;
        self.left_painting
    }

    /// Update the status line's data on the image; returns true if they changed.
    fn note_picture(&self, session: &mut Session) -> bool {
        let derived = &mut session.state.derived;
        let news = (self.picture.draw_time, self.picture.reduced());
        let old = (derived.draw_time, derived.reduced);
        (derived.draw_time, derived.reduced) = news;
        if old != news {
            derived.memory = memory::taken();
            // The image was drawn again, so earlier drawing errors are outdated.
            session.state.transient.notices.settle(&Cause::Drawing);
        }
        old != news
    }

    /// Start a requested image for a file as soon as possible: with the options of the dialog
    /// "Picture", or as on screen at `size`.
    fn begin_taking(&mut self, session: &mut Session, size: (u32, u32)) {
        if self.taking.is_some() || !session.wants_picture() {
            return;
        }
        self.taking = match session.shot(size) {
            Some(shot) => self.picture.take(&steer::drawn(&session.state), shot),
            None => self.picture.take_shown(),
        };
        if self.taking.is_some() {
            session.note_taking(0.0);
        }
    }

    /// Continue long work for one time slice; rendering on screen only continues if no frame is
    /// `due`. Returns true if work is left.
    pub fn work(&mut self, session: &mut Session, due: bool) -> bool {
        let began = Instant::now();
        let holds_screen = |taking: &Taking| taking.holds_screen();
        let held = self.taking.as_ref().is_some_and(holds_screen);
        let until = began + BETWEEN_EVENTS;
        let is_working = |other: &&mut Picture| other.is_working() && !due;
        // Thumbnails outside sheets wait for the scene.
        let covered = session.state.transient.covers_scene();
        let waits = !covered && self.picture.is_working() && !held;
        if self.has_small(session) && !due && !waits {
            self.work_on_small(session);
        } else if self.picture.is_working() && !due && !held {
            let worked = self.picture.work(&self.display, until);
            if self.note_work(session, worked) {
                self.note_picture(session);
            }
        } else if self.taking.is_some() {
            self.go_on_taking(session);
        } else if let Some(other) = self.other.as_mut().filter(is_working) {
            let worked = other.work(&self.display, until);
            self.note_work(session, worked);
        } else {
            return false;
        }
        log::debug!("piece {} ms", began.elapsed().as_millis());
        let is_working = |other: &Picture| other.is_working();
        self.picture.is_working()
            || self.taking.is_some()
            || self.other.as_ref().is_some_and(is_working)
            || self.has_small(session)
    }

    /// Request a frame if rendering has produced a new image or an error. Returns true for a new
    /// image.
    fn note_work(&self, session: &mut Session, worked: Result<bool, RenderError>) -> bool {
        let is_new = matches!(worked, Ok(true));
        if let Err(error) = &worked {
            session.complain(Cause::Drawing, error);
        }
        if is_new || worked.is_err() {
            self.window.request_redraw();
        }
        is_new
    }

    /// True if a thumbnail can be rendered or continued.
    fn has_small(&self, session: &Session) -> bool {
        self.small.is_working() || session.has_small()
    }

    /// Continue a thumbnail for one time slice. Finished ones are shown in batches, since each
    /// batch repaints the interface.
    fn work_on_small(&mut self, session: &mut Session) {
        let until = Instant::now() + BETWEEN_EVENTS;
        let gallery = &mut session.state.transient.gallery;
        if gallery.wanted().is_empty() {
            self.small.stop();
        }
        if !self.small.is_working()
            && let Some(made) = session.take_small()
        {
            self.small
                .begin(made, session.state.transient.covers_scene());
        }
        let gallery = &mut session.state.transient.gallery;
        match self.small.work(&self.display, &self.picture, until) {
            Ok(None) => {}
            Ok(Some(drawn)) => {
                let context = self.interface.context();
                gallery.put(context, drawn.of, drawn.fineness, drawn.image);
                let is_all = gallery.missing() == 0 && self.small_since.is_some();
                let wait = SMALL_STEP.saturating_sub(self.small_shown.elapsed());
                if is_all || wait.is_zero() {
                    self.small_shown = Instant::now();
                    self.window.request_redraw();
                } else {
                    context.request_repaint_after(wait);
                }
            }
            Err(error) => {
                session.complain(Cause::Drawing, &error);
                self.window.request_redraw();
            }
        }
    }

    /// Take the next step of an image for a file.
    fn go_on_taking(&mut self, session: &mut Session) {
        let Some(mut taking) = self.taking.take().filter(|_| session.is_taking()) else {
            return;
        };
        match self.picture.go_on_taking(&self.display, &mut taking) {
            Ok(Some(shot)) => session.save_picture(shot),
            Ok(None) => {
                session.note_taking(taking.progress());
                self.taking = Some(taking);
                return;
            }
            Err(error) => session.complain(Cause::Files(SAVING_PICTURE), &error),
        }
        self.window.request_redraw();
    }

    /// Rectangle of the scene, in pixels from the lower left of the window.
    fn scene_pixels(&self, session: &Session, size: PhysicalSize<u32>) -> BlitTarget {
        let scale = self.interface.context().pixels_per_point();
        let rect = session.state.derived.scene_rect;
        let x = |points: f32| (points * scale).round().clamp(0.0, size.width as f32);
        let y = |points: f32| (points * scale).round().clamp(0.0, size.height as f32);
        let (left, right) = (x(rect.left()), x(rect.right()));
        let (top, bottom) = (y(rect.top()), y(rect.bottom()));
        BlitTarget {
            left: left as u32,
            bottom: (size.height as f32 - bottom) as u32,
            width: (right - left).max(0.0) as i32,
            height: (bottom - top).max(0.0) as i32,
        }
    }
}

/// Required quality of the image on screen.
fn quality(session: &Session) -> Quality {
    if session.state.persisted.automatic_detail {
        Quality::Automatic
    } else {
        Quality::Full
    }
}
