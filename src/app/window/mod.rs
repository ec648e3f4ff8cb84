//! The window itself: winit's events, OpenGL, and the frame.
//!
//! A frame is drawn when something asks for one (input, egui's animations, a thread with a
//! result) and never otherwise: an idle window sleeps. What takes longer than a frame (the picture
//! at rest, a picture for a file) is drawn on a little whenever no event waits.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use winit::application::ApplicationHandler;
use winit::dpi::{LogicalSize, PhysicalSize};
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoopProxy};
use winit::window::{Window, WindowId};

use crate::app::AppOptions;
use crate::app::session::Session;
use crate::app::state::notices::{Cause, Severity};
use crate::language::{self, tr};
use crate::{allocator::exit, export, render};

mod canvas;
pub mod changes;
mod display;
mod icon;
mod interface;
pub mod placement;
mod shaders;

use canvas::Canvas;
use display::event_loop;
use placement::{note_placement, placed};

/// How long the first frame waits for the first landscape, so as not to show an empty window.
const FIRST_PATIENCE: Duration = Duration::from_millis(500);
/// Smallest window that a window manager should allow.
const SMALLEST: LogicalSize<u32> = LogicalSize::new(240, 160);

/// What wakes the window from outside.
enum Wake {
    /// A thread has a result.
    Result,
    /// A small picture can be drawn, which asks for no frame before it is.
    Small,
    /// egui wants a frame then.
    Repaint(Instant),
    /// Shaders have been saved.
    Shaders(shaders::Texts),
    /// The system wants the program to end.
    End,
}

/// Opens the window and runs until it is closed.
pub fn run(options: AppOptions) -> anyhow::Result<()> {
    /// The threads of the window: landscapes, files, signals, letters; in debug builds shaders.
    const THREADS: usize = if cfg!(debug_assertions) { 5 } else { 4 };
    let started = Instant::now();
    render::check_room(THREADS)?;
    let event_loop = event_loop::<Wake>()?;
    event_loop.set_control_flow(ControlFlow::Wait);
    let proxy = event_loop.create_proxy();
    let wake = proxy.clone();
    // The event loop is gone only when the program ends.
    let wake = move || drop(wake.send_event(Wake::Result));
    let small = event_loop.create_proxy();
    let wake_small = move || drop(small.send_event(Wake::Small));
    let mut session = Session::start(options.given, wake, wake_small);
    for notice in options.notices {
        let notices = &mut session.state.transient.notices;
        notices.say(Cause::Opened, Severity::Warning, notice);
    }
    end_on_signal(event_loop.create_proxy());
    let mut app = App {
        session,
        proxy,
        size: options.size,
        canvas: None,
        repaint_at: None,
        first_frame: Some(started),
        error: None,
    };
    event_loop
        .run_app(&mut app)
        .context(tr("the window's event loop"))?;
    app.session.end();
    app.error.map_or(Ok(()), Err)
}

struct App {
    session: Session,
    proxy: EventLoopProxy<Wake>,
    /// Size of the window in physical pixels, if one was asked for.
    size: Option<(u32, u32)>,
    canvas: Option<Canvas>,
    repaint_at: Option<Instant>,
    /// When the program started; `None` after the first frame.
    first_frame: Option<Instant>,
    error: Option<anyhow::Error>,
}

impl ApplicationHandler<Wake> for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.canvas.is_some() {
            return;
        }
        match self.open(event_loop) {
            Ok(canvas) => {
                canvas.window.request_redraw();
                self.canvas = Some(canvas);
            }
            Err(error) => {
                self.error = Some(error);
                event_loop.exit();
            }
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(canvas) = &mut self.canvas else {
            return;
        };
        match &event {
            WindowEvent::CloseRequested => {
                self.session.close();
                if self.session.is_over() {
                    event_loop.exit();
                } else {
                    canvas.window.request_redraw();
                }
            }
            WindowEvent::Destroyed => event_loop.exit(),
            WindowEvent::RedrawRequested => {
                self.frame(event_loop);
                return;
            }
            WindowEvent::Resized(size) => {
                canvas.display.resize((*size).into());
                note_placement(&canvas.window, &mut self.session.state.persisted);
            }
            WindowEvent::Moved(_) => {
                note_placement(&canvas.window, &mut self.session.state.persisted);
            }
            _ => {}
        }
        if canvas.interface.on_event(&canvas.window, &event).repaint {
            canvas.window.request_redraw();
        }
    }

    fn user_event(&mut self, event_loop: &ActiveEventLoop, wake: Wake) {
        match wake {
            Wake::Result => self.repaint_by(Instant::now()),
            Wake::Small => {}
            Wake::Repaint(at) => self.repaint_by(at),
            Wake::Shaders(texts) => {
                if let Some(canvas) = &mut self.canvas {
                    canvas.reload(&texts);
                }
            }
            Wake::End => {
                // Without a window manager nobody tells where a window is moved to.
                if let Some(canvas) = &self.canvas {
                    note_placement(&canvas.window, &mut self.session.state.persisted);
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
        if let Some(canvas) = &mut self.canvas {
            if due {
                canvas.window.request_redraw();
            }
            if canvas.work(&mut self.session, due) {
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

    fn open(&self, event_loop: &ActiveEventLoop) -> anyhow::Result<Canvas> {
        let attributes = Window::default_attributes()
            .with_title(self.session.title())
            .with_window_icon(icon::icon())
            .with_min_inner_size(SMALLEST);
        let attributes = match self.size {
            Some((width, height)) => attributes.with_inner_size(PhysicalSize::new(width, height)),
            None => placed(attributes, &self.session.state.persisted, event_loop),
        };
        let canvas = Canvas::open(event_loop, attributes)?;
        let proxy = self.proxy.clone();
        let context = canvas.interface.context();
        context.set_request_repaint_callback(move |request| {
            drop(proxy.send_event(Wake::Repaint(Instant::now() + request.delay)));
        });
        let proxy = self.proxy.clone();
        shaders::watch(move |texts| proxy.send_event(Wake::Shaders(texts)).is_ok());
        Ok(canvas)
    }

    fn frame(&mut self, event_loop: &ActiveEventLoop) {
        let Some(canvas) = &mut self.canvas else {
            return;
        };
        let size = canvas.window.inner_size();
        if size.width == 0 || size.height == 0 {
            return;
        }
        let patience = match self.first_frame {
            Some(_) => FIRST_PATIENCE,
            None => Duration::ZERO,
        };
        // What other threads say is heard here.
        language::speak(self.session.state.language());
        canvas.frame(&mut self.session, patience);
        if self.session.is_over() {
            event_loop.exit();
        }
        if let Some(started) = self.first_frame.take() {
            log::info!("first frame after {} ms", started.elapsed().as_millis());
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
