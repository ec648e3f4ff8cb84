//! Headless OpenGL: an EGL device and a context without any surface.
//!
//! This is the only file with `unsafe`, which EGL's functions and glium's `Backend` require.

#![allow(unsafe_code)]

use std::ffi::{CString, c_void};
use std::rc::Rc;

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

use super::error::RenderError;
use super::room::check_room;

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

    fn on_device(device: &Device) -> Result<Self, RenderError> {
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
