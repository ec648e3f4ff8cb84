//! The window itself: winit's events, OpenGL, and the frame.
//!
//! A frame is drawn when something asks for one (input, egui's animations, a thread with a
//! result) and never otherwise: an idle window sleeps.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow};
use egui_glium::EguiGlium;
use glium::backend::glutin::SimpleWindowBuilder;
use glium::glutin::surface::WindowSurface;
use glium::{Api, BlitTarget, Display, Surface, Version};
use winit::application::ApplicationHandler;
use winit::dpi::PhysicalSize;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop, EventLoopProxy};
use winit::window::{Window, WindowId};

use crate::app::picture::{Picture, Taking};
use crate::app::session::Session;
use crate::app::{AppOptions, steer, theme, ui};

/// How long the first frame waits for the first landscape, so as not to show an empty stage.
const FIRST_PATIENCE: Duration = Duration::from_millis(500);
/// Time between frames while a thread works, for its progress bar.
const PROGRESS_STEP: Duration = Duration::from_millis(100);
/// Smallest window that a window manager should allow.
const SMALLEST: PhysicalSize<u32> = PhysicalSize::new(240, 160);

/// What wakes the window from outside.
enum Wake {
    /// A thread has a result.
    Result,
    /// egui wants a frame then.
    Repaint(Instant),
}

/// Opens the window and runs until it is closed.
pub fn run(options: AppOptions) -> anyhow::Result<()> {
    let started = Instant::now();
    let event_loop = EventLoop::<Wake>::with_user_event()
        .build()
        .map_err(|error| {
            log::debug!("{error}");
            anyhow!(
                "no display: set DISPLAY (X11) or WAYLAND_DISPLAY, \
             or use `landform render` to make a picture without one"
            )
        })?;
    event_loop.set_control_flow(ControlFlow::Wait);
    let proxy = event_loop.create_proxy();
    let wake = proxy.clone();
    // The event loop is gone only when the program ends.
    let wake = move || drop(wake.send_event(Wake::Result));
    let mut session = Session::start(options.scene, options.scene_path, wake);
    let notices = &mut session.state.transient.notices;
    options
        .notices
        .into_iter()
        .for_each(|line| notices.warn(line));
    if let Some((width, height)) = options.size {
        session.state.persisted.window = [width, height];
    }
    let mut app = App {
        session,
        proxy,
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
    egui: EguiGlium,
    picture: Picture,
    /// A picture for a file, that takes more than a frame.
    taking: Option<Taking>,
}

struct App {
    session: Session,
    proxy: EventLoopProxy<Wake>,
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
            WindowEvent::CloseRequested | WindowEvent::Destroyed => event_loop.exit(),
            WindowEvent::RedrawRequested => {
                self.frame(event_loop);
                return;
            }
            WindowEvent::Resized(size) => {
                stage.display.resize((*size).into());
                if size.width > 0 && size.height > 0 {
                    self.session.state.persisted.window = [size.width, size.height];
                }
            }
            _ => {}
        }
        if stage.egui.on_event(&stage.window, &event).repaint {
            stage.window.request_redraw();
        }
    }

    fn user_event(&mut self, _: &ActiveEventLoop, wake: Wake) {
        match wake {
            Wake::Result => self.repaint_by(Instant::now()),
            Wake::Repaint(at) => self.repaint_by(at),
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        if let (Some(at), Some(stage)) = (self.repaint_at, &self.stage)
            && at <= Instant::now()
        {
            self.repaint_at = None;
            stage.window.request_redraw();
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
        let [width, height] = self.session.state.persisted.window;
        let attributes = Window::default_attributes()
            .with_title(self.session.title())
            .with_min_inner_size(SMALLEST)
            .with_inner_size(PhysicalSize::new(width, height));
        let (window, display) = open_window(event_loop, attributes)?;
        let picture = Picture::new(&display)?;
        let egui = EguiGlium::new(egui::ViewportId::ROOT, &display, &window, &window);
        theme::apply(egui.egui_ctx());
        let proxy = self.proxy.clone();
        egui.egui_ctx()
            .set_request_repaint_callback(move |request| {
                drop(proxy.send_event(Wake::Repaint(Instant::now() + request.delay)));
            });
        Ok(Stage {
            window,
            display,
            egui,
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
        let patience = match self.first_frame {
            Some(_) => FIRST_PATIENCE,
            None => Duration::ZERO,
        };
        let began = Instant::now();
        // The landscape, and with it the map, is let go of at the end of this statement: the
        // worker waits to fill the same memory again.
        let made = match stage.taking {
            // A picture is taken of one landscape.
            Some(_) => None,
            None => session.collect(patience),
        };
        let updated = made.map_or(Ok(()), |landscape| {
            stage.picture.update(&stage.display, &landscape)
        });
        if let Err(error) = updated {
            session.complain(&error);
        }
        let mut commands = Vec::new();
        stage.egui.run(&stage.window, |ctx| {
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
            stage.egui.egui_ctx().request_repaint_after(PROGRESS_STEP);
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
        let began = Instant::now();
        let rect = self.scene_pixels(session, size);
        let (width, height) = (rect.width as u32, rect.height as u32);
        let visible = width > 0 && height > 0;
        if visible {
            let persisted = &session.state.persisted;
            // A picture that is saved is that of the scene.
            let exact = session.wants_picture() || self.taking.is_some();
            let automatic = persisted.automatic_detail && !exact;
            let (scene, size) = (steer::drawn(&session.state), (width, height));
            match self.picture.draw(&self.display, &scene, size, automatic) {
                Ok(Some(delay)) => self.egui.egui_ctx().request_repaint_after(delay),
                Ok(None) => {}
                Err(error) => session.complain(&error),
            }
            session.state.derived.draw_time = self.picture.draw_time;
            session.state.derived.reduced = self.picture.reduced();
        }
        let mut frame = self.display.draw();
        let [r, g, b, _] = theme::BACKGROUND.to_normalized_gamma_f32();
        frame.clear_color_srgb(r, g, b, 1.0);
        if visible && self.picture.is_drawn() {
            self.picture.present(&mut frame, rect);
        }
        self.egui.paint(&self.display, &mut frame);
        if let Err(error) = frame.finish() {
            log::error!("could not show the frame: {error}");
        }
        self.picture.note_frame(began.elapsed());
        if self.taking.is_some() {
            self.go_on_taking(session);
        } else if session.wants_picture() {
            if let Some(shot) = session.shot((width, height)) {
                self.taking = self.picture.take(shot);
                session.note_exposure(0.0);
                self.window.request_redraw();
                return;
            }
            match self.picture.read(&self.display) {
                Ok(Some(shot)) => session.save_picture(shot),
                Ok(None) => {}
                Err(error) => session.complain(&error),
            }
        }
    }

    /// Draws one piece of a picture for a file.
    fn go_on_taking(&mut self, session: &mut Session) {
        let Some(mut taking) = self.taking.take().filter(|_| session.is_exposing()) else {
            return;
        };
        match self.picture.go_on(&self.display, &mut taking) {
            Ok(Some(shot)) => session.save_picture(shot),
            Ok(None) => {
                session.note_exposure(taking.progress());
                self.taking = Some(taking);
            }
            Err(error) => session.complain(&error),
        }
        self.window.request_redraw();
    }

    /// Where the scene goes, in pixels from the lower left of the window.
    fn scene_pixels(&self, session: &Session, size: PhysicalSize<u32>) -> BlitTarget {
        let scale = self.egui.egui_ctx().pixels_per_point();
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

/// Opens a window with OpenGL in it. glium's builder panics where the system has none, which
/// for the user must be a line like any other.
fn open_window(
    event_loop: &ActiveEventLoop,
    attributes: winit::window::WindowAttributes,
) -> anyhow::Result<(Window, Display<WindowSurface>)> {
    let quiet = |_: &std::panic::PanicHookInfo<'_>| {};
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(quiet));
    let built = catch_unwind(AssertUnwindSafe(|| {
        SimpleWindowBuilder::new()
            .set_window_builder(attributes)
            .build(event_loop)
    }));
    std::panic::set_hook(hook);
    let (window, display) = built.map_err(|panic| {
        log::debug!("{:?}", panic.downcast_ref::<String>());
        anyhow!(
            "no OpenGL on this display: install libgl1 libglx-mesa0 libgl1-mesa-dri \
             (Debian, Ubuntu) or a graphics driver, or use `landform render`"
        )
    })?;
    let version = *display.get_opengl_version();
    if version.0 == Api::Gl && version < Version(Api::Gl, 3, 3) {
        let Version(_, major, minor) = version;
        return Err(anyhow!(
            "OpenGL 3.3 is needed, this display has {major}.{minor}"
        ));
    }
    Ok((window, display))
}
