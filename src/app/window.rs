//! The window itself: winit's events, OpenGL, and the frame.
//!
//! A frame is drawn when something asks for one (input, egui's animations, a thread with a
//! result) and never otherwise: an idle window sleeps. What takes longer than a frame (the picture
//! at rest, a picture for a file) is drawn on a little whenever no event waits.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use glium::glutin::surface::WindowSurface;
use glium::{BlitTarget, Display};
use winit::application::ApplicationHandler;
use winit::dpi::{LogicalSize, PhysicalPosition, PhysicalSize};
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoopProxy};
use winit::window::{Window, WindowAttributes, WindowId};

use crate::app::display::{event_loop, open_window};
use crate::app::files::SAVING_PICTURE;
use crate::app::interface::Interface;
use crate::app::notices::{Cause, Kind};
use crate::app::picture::{Detail, Picture};
use crate::app::placement::{Placement, Screen, placement};
use crate::app::session::Session;
use crate::app::state::Persisted;
use crate::app::taking::Taking;
use crate::app::{AppOptions, icon, pace, shaders, steer, theme, ui};
use crate::{allocator::exit, export, render};

/// How long the first frame waits for the first landscape, so as not to show an empty stage.
const FIRST_PATIENCE: Duration = Duration::from_millis(500);
/// Time between frames while something is under way, for its progress bar; as multiples of what a
/// frame takes too, to leave most of the time to the work.
const PROGRESS_STEP: Duration = Duration::from_millis(100);
const PROGRESS_FRAMES: u32 = 5;
/// How long the picture is drawn on between events.
const BETWEEN_EVENTS: Duration = Duration::from_millis(12);
/// Smallest window that a window manager should allow.
const SMALLEST: LogicalSize<u32> = LogicalSize::new(240, 160);

/// What wakes the window from outside.
enum Wake {
    /// A thread has a result.
    Result,
    /// egui wants a frame then.
    Repaint(Instant),
    /// Shaders have been saved.
    Shaders(shaders::Texts),
    /// The system wants the program to end.
    End,
}

/// Opens the window and runs until it is closed.
pub fn run(options: AppOptions) -> anyhow::Result<()> {
    /// Threads of the window: landscapes, files, signals, letters; in debug builds shaders.
    const THREADS: usize = if cfg!(debug_assertions) { 5 } else { 4 };
    let started = Instant::now();
    render::check_room(THREADS)?;
    let event_loop = event_loop::<Wake>()?;
    event_loop.set_control_flow(ControlFlow::Wait);
    let proxy = event_loop.create_proxy();
    let wake = proxy.clone();
    // The event loop is gone only when the program ends.
    let wake = move || drop(wake.send_event(Wake::Result));
    let mut session = Session::start(options.given, wake);
    for notice in options.notices {
        let notices = &mut session.state.transient.notices;
        notices.say(Cause::Opened, Kind::Warning, notice);
    }
    end_on_signal(event_loop.create_proxy());
    let mut app = App {
        session,
        proxy,
        size: options.size,
        stage: None,
        repaint_at: None,
        first_frame: Some(started),
        error: None,
    };
    event_loop
        .run_app(&mut app)
        .context("the window's event loop")?;
    app.session.end();
    app.error.map_or(Ok(()), Err)
}

/// The window and what is drawn in it.
struct Stage {
    window: Window,
    display: Display<WindowSurface>,
    interface: Interface,
    picture: Picture,
    /// A picture for a file, that takes more than a frame.
    taking: Option<Taking>,
}

struct App {
    session: Session,
    proxy: EventLoopProxy<Wake>,
    /// Size of the window in physical pixels, if one was asked for.
    size: Option<(u32, u32)>,
    stage: Option<Stage>,
    repaint_at: Option<Instant>,
    /// When the program started; `None` after the first frame.
    first_frame: Option<Instant>,
    error: Option<anyhow::Error>,
}

impl ApplicationHandler<Wake> for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.stage.is_some() {
            return;
        }
        match self.open(event_loop) {
            Ok(stage) => {
                stage.window.request_redraw();
                self.stage = Some(stage);
            }
            Err(error) => {
                self.error = Some(error);
                event_loop.exit();
            }
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(stage) = &mut self.stage else {
            return;
        };
        match &event {
            WindowEvent::CloseRequested => {
                self.session.close();
                match self.session.is_over() {
                    true => event_loop.exit(),
                    false => stage.window.request_redraw(),
                }
            }
            WindowEvent::Destroyed => event_loop.exit(),
            WindowEvent::RedrawRequested => {
                self.frame(event_loop);
                return;
            }
            WindowEvent::Resized(size) => {
                stage.display.resize((*size).into());
                note_placement(&stage.window, &mut self.session.state.persisted);
            }
            WindowEvent::Moved(_) => {
                note_placement(&stage.window, &mut self.session.state.persisted);
            }
            _ => {}
        }
        if stage.interface.on_event(&stage.window, &event).repaint {
            stage.window.request_redraw();
        }
    }

    fn user_event(&mut self, event_loop: &ActiveEventLoop, wake: Wake) {
        match wake {
            Wake::Result => self.repaint_by(Instant::now()),
            Wake::Repaint(at) => self.repaint_by(at),
            Wake::Shaders(texts) => {
                if let Some(stage) = &mut self.stage {
                    stage.picture.reload(&texts);
                    stage.window.request_redraw();
                }
            }
            Wake::End => {
                // Without a window manager nobody tells where a window is moved to.
                if let Some(stage) = &self.stage {
                    note_placement(&stage.window, &mut self.session.state.persisted);
                }
                event_loop.exit();
            }
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let due = self
            .repaint_at
            .take_if(|at| *at <= Instant::now())
            .is_some();
        if let Some(stage) = &mut self.stage {
            if due {
                stage.window.request_redraw();
            }
            if stage.work(&mut self.session, due) {
                event_loop.set_control_flow(ControlFlow::Poll);
                return;
            }
        }
        let next = [self.repaint_at, self.session.keep_settings()];
        event_loop.set_control_flow(match next.into_iter().flatten().min() {
            Some(at) => ControlFlow::WaitUntil(at),
            None => ControlFlow::Wait,
        });
    }
}

impl App {
    fn repaint_by(&mut self, at: Instant) {
        self.repaint_at = Some(self.repaint_at.map_or(at, |before| before.min(at)));
    }

    fn open(&self, event_loop: &ActiveEventLoop) -> anyhow::Result<Stage> {
        let attributes = Window::default_attributes()
            .with_title(self.session.title())
            .with_window_icon(icon::icon())
            .with_min_inner_size(SMALLEST);
        let attributes = match self.size {
            Some((width, height)) => attributes.with_inner_size(PhysicalSize::new(width, height)),
            None => placed(attributes, &self.session.state.persisted, event_loop),
        };
        let (window, display) = open_window(event_loop, attributes)?;
        let picture = Picture::new(&display)?;
        let interface = Interface::new(&display, &window);
        theme::apply(interface.context());
        let proxy = self.proxy.clone();
        interface
            .context()
            .set_request_repaint_callback(move |request| {
                drop(proxy.send_event(Wake::Repaint(Instant::now() + request.delay)));
            });
        let proxy = self.proxy.clone();
        shaders::watch(move |texts| proxy.send_event(Wake::Shaders(texts)).is_ok());
        Ok(Stage {
            window,
            display,
            interface,
            picture,
            taking: None,
        })
    }

    /// Runs the interface, carries out what it asks for, and draws.
    fn frame(&mut self, event_loop: &ActiveEventLoop) {
        let Some(stage) = &mut self.stage else {
            return;
        };
        let size = stage.window.inner_size();
        if size.width == 0 || size.height == 0 {
            return;
        }
        let session = &mut self.session;
        let _goes_first = session.frame();
        let patience = match self.first_frame {
            Some(_) => FIRST_PATIENCE,
            None => Duration::ZERO,
        };
        let began = Instant::now();
        let made = match stage.taking {
            // A picture is taken of one landscape.
            Some(_) => None,
            None => session.collect(patience),
        };
        let updated = made.map_or(Ok(()), |landscape| {
            stage.picture.update(&stage.display, landscape)
        });
        if let Err(error) = updated {
            session.complain(Cause::Landscape, &error);
        }
        let mut commands = Vec::new();
        stage.interface.run(&stage.window, |ctx| {
            commands.extend(ui(ctx, &mut session.state))
        });
        if !commands.is_empty() {
            stage.window.request_redraw();
        }
        for command in commands {
            session.execute(command);
        }
        session.request_if_changed();
        if session.is_over() {
            event_loop.exit();
        }
        stage.draw(session, size);
        if session.is_busy() {
            let step = PROGRESS_STEP.max(began.elapsed() * PROGRESS_FRAMES);
            stage.interface.context().request_repaint_after(step);
        }
        log::debug!(
            "frame {} ms, {} ms since the last edit",
            began.elapsed().as_millis(),
            session.since_request().as_millis()
        );
        if let Some(started) = self.first_frame.take() {
            log::info!("first frame after {} ms", started.elapsed().as_millis());
        }
    }
}

impl Stage {
    fn draw(&mut self, session: &mut Session, size: PhysicalSize<u32>) {
        let title = session.title();
        if self.window.title() != title {
            self.window.set_title(&title);
        }
        let rect = self.scene_pixels(session, size);
        let size = (rect.width as u32, rect.height as u32);
        let visible = size.0 > 0 && size.1 > 0;
        let holds_screen = |taking: &Taking| taking.holds_screen();
        self.begin_taking(session, size);
        if visible && !self.taking.as_ref().is_some_and(holds_screen) {
            let persisted = &session.state.persisted;
            let shot = session.shot(size);
            let detail = match persisted.automatic_detail {
                _ if session.wants_picture() && self.taking.is_none() && shot.is_none() => {
                    Detail::Saved
                }
                true => Detail::Automatic,
                false => Detail::Full,
            };
            let scene = steer::drawn(&session.state);
            match self.picture.draw(&self.display, &scene, size, detail) {
                Ok(Some(delay)) => self.interface.context().request_repaint_after(delay),
                Ok(None) => {}
                Err(error) => session.complain(Cause::Drawing, &error),
            }
            self.begin_taking(session, size);
            if self.note_picture(session) {
                // The status line was laid out before.
                self.interface.context().request_repaint_after(pace::REST);
            }
        }
        let began = Instant::now();
        let mut frame = self.display.draw();
        let shown = Some(rect).filter(|_| visible && self.picture.is_drawn());
        if let Some(rect) = shown {
            self.picture.present(&mut frame, rect);
        }
        if let Err(error) = self.interface.paint(&self.display, &mut frame, shown) {
            log::error!("the interface could not be shown: {error}");
        }
        if let Err(error) = frame.finish() {
            log::error!("could not show the frame: {error}");
        }
        self.picture.note_frame(began.elapsed());
    }

    /// Tells the status line about the picture; returns whether that is news.
    fn note_picture(&self, session: &mut Session) -> bool {
        let derived = &mut session.state.derived;
        let news = (self.picture.draw_time, self.picture.reduced());
        let old = (derived.draw_time, derived.reduced);
        (derived.draw_time, derived.reduced) = news;
        if old != news {
            // There is another picture.
            session.state.transient.notices.settle(&Cause::Drawing);
        }
        old != news
    }

    /// Begins to take the picture that is wanted, as soon as it can be: as the settings of the
    /// window "Picture" say, or as it is on screen, at `size`.
    fn begin_taking(&mut self, session: &mut Session, size: (u32, u32)) {
        if self.taking.is_some() || !session.wants_picture() {
            return;
        }
        self.taking = match session.shot(size) {
            Some(shot) => self.picture.take(&steer::drawn(&session.state), shot),
            None => self.picture.take_shown(),
        };
        if self.taking.is_some() {
            session.note_exposure(0.0);
        }
    }

    /// Goes on with what takes long, for a moment; of a picture on screen only if no frame is
    /// `due`. Returns whether there is more.
    fn work(&mut self, session: &mut Session, due: bool) -> bool {
        let began = Instant::now();
        let holds_screen = |taking: &Taking| taking.holds_screen();
        let held = self.taking.as_ref().is_some_and(holds_screen);
        if self.picture.is_working() && !due && !held {
            match self.picture.work(&self.display, began + BETWEEN_EVENTS) {
                Ok(false) => {}
                Ok(true) => {
                    self.note_picture(session);
                    self.window.request_redraw();
                }
                Err(error) => {
                    session.complain(Cause::Drawing, &error);
                    self.window.request_redraw();
                }
            }
        } else if self.taking.is_some() {
            self.go_on_taking(session);
        } else {
            return false;
        }
        log::debug!("piece {} ms", began.elapsed().as_millis());
        self.picture.is_working() || self.taking.is_some()
    }

    /// Takes the next step of a picture for a file.
    fn go_on_taking(&mut self, session: &mut Session) {
        let Some(mut taking) = self.taking.take().filter(|_| session.is_exposing()) else {
            return;
        };
        match self.picture.go_on_taking(&self.display, &mut taking) {
            Ok(Some(shot)) => session.save_picture(shot),
            Ok(None) => {
                session.note_exposure(taking.progress());
                self.taking = Some(taking);
                return;
            }
            Err(error) => session.complain(Cause::Files(SAVING_PICTURE), &error),
        }
        self.window.request_redraw();
    }

    /// Where the scene goes, in pixels from the lower left of the window.
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

/// A request to end (SIGTERM, SIGHUP, Ctrl-C) ends the program as closing the window does, but
/// without a question: what is not saved is there at the next start. A second one, if the window
/// does not listen, ends it at once.
fn end_on_signal(proxy: EventLoopProxy<Wake>) {
    let asked = AtomicBool::new(false);
    let handler = move || {
        if asked.swap(true, Ordering::Relaxed) || proxy.send_event(Wake::End).is_err() {
            export::abandon();
            exit(1);
        }
    };
    if let Err(error) = ctrlc::set_handler(handler) {
        log::warn!("requests to end will not be heard: {error}");
    }
}

/// Where the window was, as far as that is still on a screen.
fn placed(
    attributes: WindowAttributes,
    kept: &Persisted,
    event_loop: &ActiveEventLoop,
) -> WindowAttributes {
    let main = event_loop.primary_monitor();
    let screens = main.into_iter().chain(event_loop.available_monitors());
    let screens: Vec<_> = screens
        .map(|screen| Screen {
            position: screen.position().into(),
            size: screen.size().into(),
            scale: screen.scale_factor(),
        })
        .collect();
    let Placement {
        size: [width, height],
        position,
        maximized,
    } = placement(kept, &screens);
    let attributes = attributes
        .with_inner_size(LogicalSize::new(width, height))
        .with_maximized(maximized);
    match position {
        Some([x, y]) => attributes.with_position(PhysicalPosition::new(x, y)),
        None => attributes,
    }
}

/// Remembers where the window is; of one that fills the screen, where it was before.
fn note_placement(window: &Window, persisted: &mut Persisted) {
    persisted.maximized = window.is_maximized();
    let size = window.inner_size();
    if persisted.maximized || size.width == 0 || size.height == 0 {
        return;
    }
    persisted.window = size.to_logical::<u32>(window.scale_factor()).into();
    persisted.position = window.outer_position().ok().map(Into::into);
}
