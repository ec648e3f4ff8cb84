//! Native window: event loop of winit, OpenGL context, and frames on demand.
//!
//! A frame is drawn only on request: by input, an egui animation, or a thread with a result. An
//! idle window sleeps. Work longer than a frame (progressive rendering at rest, an image for a
//! file) continues in small steps between events.

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
use crate::files::export;
use crate::render;
use crate::util::language::{self, tr};

mod canvas;
pub mod display;
mod interface;
mod shaders;

use canvas::Canvas;
use display::{event_loop, icon, note_placement, placed};

/// Maximum wait of the first frame for the first landscape, so that no empty window is shown.
const FIRST_PATIENCE: Duration = Duration::from_millis(500);
/// Minimum window size requested from the window manager.
const SMALLEST: LogicalSize<u32> = LogicalSize::new(240, 160);

/// Events from other threads that wake the event loop.
enum Wake {
    /// A thread has a result.
    Result,
    /// A thumbnail can be rendered; a frame is needed only after that.
    Small,
    /// egui requests a frame at this time.
    Repaint(Instant),
    /// Shader files have changed; debug builds only.
    Shaders(shaders::Texts),
    /// The system has asked the program to end.
    End,
}

/// Open the window and run until it is closed.
pub fn run(options: AppOptions) -> anyhow::Result<()> {
    /// Number of the window's threads: landscapes, files, signals, fonts; in debug builds also
    /// shaders.
    const THREADS: usize = if cfg!(debug_assertions) { 5 } else { 4 };
    let started = Instant::now();
    render::check_room(THREADS)?;
    let event_loop = event_loop::<Wake>()?;
    event_loop.set_control_flow(ControlFlow::Wait);
    let proxy = event_loop.create_proxy();
    let wake = proxy.clone();
    // The event loop ends only with the program, so a failed send does not matter.
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
    /// Requested size of the window in physical pixels.
    size: Option<(u32, u32)>,
    canvas: Option<Canvas>,
    repaint_at: Option<Instant>,
    /// Start time of the program; `None` after the first frame.
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
                // Without a window manager no move events arrive.
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
            .with_window_icon(icon())
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
        // Other threads use the same language for their messages.
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

/// End the program on SIGTERM, SIGHUP or Ctrl-C as if the window was closed, but without a
/// question: unsaved changes are restored at the next start. A second signal ends it at once, in
/// case the event loop hangs.
fn end_on_signal(proxy: EventLoopProxy<Wake>) {
    let asked = AtomicBool::new(false);
    let handler = move || {
        if asked.swap(true, Ordering::Relaxed) || proxy.send_event(Wake::End).is_err() {
            export::abandon();
            export::exit(1);
        }
    };
    if let Err(error) = ctrlc::set_handler(handler) {
        log::warn!("requests to end will not be heard: {error}");
    }
}
