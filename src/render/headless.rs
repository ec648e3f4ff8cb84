//! Headless rendering: an EGL device and a context without any surface, and complete pictures from it.
//!
//! This is the only file with `unsafe`, which EGL's functions and glium's `Backend` require.

#![allow(unsafe_code)]

use std::ffi::{CString, c_void};
use std::rc::Rc;
use std::thread::available_parallelism;

use glium::SwapBuffersError;
use glium::backend::{Backend, Context};
use glium::debug::DebugCallbackBehavior;
use glutin::api::egl::context::PossiblyCurrentContext;
use glutin::api::egl::device::Device;
use glutin::api::egl::display::Display;
use glutin::config::{ConfigSurfaceTypes, ConfigTemplateBuilder};
use glutin::context::{ContextApi, ContextAttributesBuilder, GlProfile, Version};
use glutin::display::GlDisplay;
use glutin::prelude::PossiblyCurrentGlContext;

use crate::pipeline::Landscape;
use crate::render::error::{RenderError, Result};
use crate::render::renderer::Renderer;
use crate::render::tiled_render::{RenderRequest, TiledRender};
use crate::scene::Camera;
use crate::terrain::grid::Grid;
use crate::util::job::{Cancelled, Job};
use crate::util::memory::has_threads;

/// An OpenGL context that needs neither a window nor a display server.
pub struct Headless {
    context: Rc<Context>,
}

impl Headless {
    /// Create a context on the first EGL device with OpenGL 3.3; software drivers come last.
    ///
    /// # Errors
    /// [`RenderError::NoOpenGl`] without libEGL or a device, [`RenderError::TooOld`] if no device has OpenGL
    /// 3.3; those of [`check_room`].
    pub fn new() -> Result<Self, RenderError> {
        check_room(0)?;
        let devices = Device::query_devices().map_err(|error| {
            log::debug!("EGL devices: {error}");
            RenderError::NoOpenGl
        })?;
        let mut last_error = RenderError::NoOpenGl;
        for device in devices {
            match Self::on_device(&device) {
                Ok(headless) => return Ok(headless),
                Err(error) => {
                    log::debug!("EGL device {:?}: {error}", device.name());
                    last_error = error;
                }
            }
        }
        Err(last_error)
    }

    /// The context, to draw with.
    #[must_use]
    pub fn facade(&self) -> &Rc<Context> {
        &self.context
    }

    fn on_device(device: &Device) -> Result<Self> {
        let no_opengl = |error: glutin::error::Error| {
            log::debug!("EGL: {error}");
            RenderError::NoOpenGl
        };
        // SAFETY: no raw display is passed, so none has to be valid.
        let display = unsafe { Display::with_device(device, None) }.map_err(no_opengl)?;
        let template = ConfigTemplateBuilder::new()
            .with_surface_type(ConfigSurfaceTypes::empty())
            .build();
        // SAFETY: the template names no native window or pixmap.
        let config = unsafe { display.find_configs(template) }
            .map_err(no_opengl)?
            .next()
            .ok_or(RenderError::NoOpenGl)?;
        let attributes = ContextAttributesBuilder::new()
            .with_context_api(ContextApi::OpenGl(Some(Version::new(3, 3))))
            .with_profile(GlProfile::Core)
            .build(None);
        // SAFETY: the attributes name no window.
        let context = unsafe { display.create_context(&config, &attributes) }
            .map_err(no_opengl)?
            .make_current_surfaceless()
            .map_err(no_opengl)?;
        let backend = Surfaceless { display, context };
        // SAFETY: the context is new and only glium uses it; glium checks that it is current.
        let context = unsafe { Context::new(backend, true, DebugCallbackBehavior::Ignore) };
        let context = context.map_err(|error| RenderError::TooOld {
            found: error.to_string(),
        })?;
        super::gl::check_version(&context)?;
        Ok(Self { context })
    }
}

struct Surfaceless {
    display: Display,
    context: PossiblyCurrentContext,
}

// SAFETY: addresses come from the display that created the context, and `make_current` makes that very
// context current on the calling thread. It has no surface, so nothing else can change it.
unsafe impl Backend for Surfaceless {
    fn swap_buffers(&self) -> Result<(), SwapBuffersError> {
        Ok(())
    }

    unsafe fn get_proc_address(&self, symbol: &str) -> *const c_void {
        CString::new(symbol).map_or(std::ptr::null(), |name| {
            self.display.get_proc_address(&name)
        })
    }

    fn get_framebuffer_dimensions(&self) -> (u32, u32) {
        // There is no default framebuffer; glium calls this for its first viewport.
        (1, 1)
    }

    fn resize(&self, _new_size: (u32, u32)) {}

    fn is_current(&self) -> bool {
        self.context.is_current()
    }

    unsafe fn make_current(&self) {
        if let Err(error) = self.context.make_current_surfaceless() {
            log::error!("OpenGL context lost: {error}");
        }
    }
}

/// Headless renderer for one picture after another.
pub struct HeadlessRenderer {
    headless: Headless,
    renderer: Renderer,
}

impl HeadlessRenderer {
    /// Open a headless context.
    ///
    /// # Errors
    /// No OpenGL 3.3.
    pub fn new() -> Result<Self, RenderError> {
        let headless = Headless::new()?;
        let renderer = Renderer::new(headless.facade())?;
        Ok(Self { headless, renderer })
    }

    /// Draw a complete picture of `landscape`: top row first, sRGB. Earlier contents are replaced.
    ///
    /// # Errors
    /// The driver does not support the size.
    pub fn picture(
        &mut self,
        landscape: &Landscape,
        size: (u32, u32),
    ) -> Result<Grid<[u8; 3]>, RenderError> {
        let facade = self.headless.facade();
        self.renderer.update(facade, landscape)?;
        self.renderer.draw(facade, &landscape.scene, size)?;
        self.renderer.read_picture()
    }

    /// Draw a picture of `landscape` from `camera` with the options of `shot`. Passes bands of rows to `take`
    /// from top to bottom, sRGB and alpha, and reports progress to `job`. Memory for one band suffices at any
    /// size.
    ///
    /// # Errors
    /// The driver cannot draw the size even in pieces, `take` returns an error, or the job is cancelled.
    pub fn expose<E: From<RenderError> + From<Cancelled>>(
        &mut self,
        landscape: &Landscape,
        camera: &Camera,
        shot: RenderRequest,
        job: &Job,
        mut take: impl FnMut(&Grid<[u8; 4]>) -> Result<(), E>,
    ) -> Result<(), E> {
        let facade = self.headless.facade();
        self.renderer.update(facade, landscape)?;
        let mut scene = landscape.scene.clone();
        scene.camera = camera.clone();
        let mut render = TiledRender::new(shot);
        while !render.is_done() {
            job.check()?;
            if let Some(band) = render.step(&mut self.renderer, facade, &scene)? {
                take(&band)?;
            }
            job.advance((render.progress() * 1000.0) as u64, 1000);
        }
        Ok(())
    }
}

/// Draw one picture of `landscape`.
///
/// # Errors
/// No OpenGL 3.3, or the driver does not support the size.
pub fn picture(landscape: &Landscape, size: (u32, u32)) -> Result<Grid<[u8; 3]>, RenderError> {
    HeadlessRenderer::new()?.picture(landscape, size)
}

/// Threads besides one per core: 2 were measured.
const MORE_THREADS: usize = 4;
/// Maximum number of threads that drivers start for the cores.
const MOST_CORES: usize = 32;

/// Check that the system allows the threads of a driver, and `threads` more: Mesa's software driver waits for
/// ever for threads that the system refuses.
///
/// # Errors
/// [`RenderError::NoThreads`].
pub fn check_room(threads: usize) -> Result<(), RenderError> {
    let cores = available_parallelism().map_or(1, usize::from);
    let needed = cores.min(MOST_CORES) + MORE_THREADS + threads;
    match has_threads(needed) {
        true => Ok(()),
        false => Err(RenderError::NoThreads { needed }),
    }
}
