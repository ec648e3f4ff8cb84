//! The way to a display: winit's event loop, and a window with OpenGL in it. Both libraries panic
//! where the system lacks something, which for the user must be a line like any other.

use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};

use crate::language::tr;
use anyhow::anyhow;
use glium::backend::glutin::SimpleWindowBuilder;
use glium::glutin::surface::WindowSurface;
use glium::{Api, Display, Version};
use winit::event_loop::{ActiveEventLoop, EventLoop};
use winit::window::{Window, WindowAttributes};

/// What tells of the display's events.
pub fn event_loop<T: 'static>() -> anyhow::Result<EventLoop<T>> {
    let built = quietly(|| EventLoop::with_user_event().build())?;
    built.map_err(|error| {
        log::debug!("{error}");
        anyhow!(tr("no display: set DISPLAY (X11) or WAYLAND_DISPLAY, \
                    or use `landform render` to make a picture without one"))
    })
}

/// Opens a window with OpenGL in it.
pub fn open_window(
    event_loop: &ActiveEventLoop,
    attributes: WindowAttributes,
) -> anyhow::Result<(Window, Display<WindowSurface>)> {
    let builder = SimpleWindowBuilder::new().set_window_builder(attributes);
    let (window, display) = quietly(|| builder.build(event_loop)).map_err(|error| {
        log::debug!("{error}");
        anyhow!(tr(
            "no OpenGL on this display: install libgl1 libglx-mesa0 libgl1-mesa-dri \
             (Debian, Ubuntu) or a graphics driver, or use `landform render`"
        ))
    })?;
    let version = *display.get_opengl_version();
    if version.0 == Api::Gl && version < Version(Api::Gl, 3, 3) {
        let Version(_, major, minor) = version;
        return Err(anyhow!(tr!(
            "OpenGL 3.3 is needed, this display has {}.{}",
            major,
            minor
        )));
    }
    Ok((window, display))
}

/// What `work` gives, or the words that it panics with.
fn quietly<T>(work: impl FnOnce() -> T) -> anyhow::Result<T> {
    let hook = take_hook();
    set_hook(Box::new(|_| {}));
    let result = catch_unwind(AssertUnwindSafe(work));
    set_hook(hook);
    result.map_err(|panic| {
        let words = panic.downcast_ref::<String>().map(String::as_str);
        let words = words.unwrap_or(tr("the display refuses it"));
        anyhow!(tr!("no window: {}", words))
    })
}
