//! Creation of the event loop and of the OpenGL window. Both libraries panic if the system lacks
//! something; here panics become ordinary errors.

use std::ffi::OsString;
#[cfg(all(unix, not(target_vendor = "apple")))]
use std::io::Write;
#[cfg(all(unix, not(target_vendor = "apple")))]
use std::os::unix::net::UnixStream;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::path::Path;

#[cfg(all(unix, not(target_vendor = "apple")))]
use crate::files::export;
use crate::util::language::tr;
use crate::util::words::named;
use anyhow::anyhow;
use glium::backend::glutin::SimpleWindowBuilder;
use glium::glutin::surface::WindowSurface;
use glium::{Api, Display, Version};
use winit::event_loop::{ActiveEventLoop, EventLoop};
use winit::window::{Window, WindowAttributes};

/// Create winit's event loop.
pub fn event_loop<T: 'static>() -> anyhow::Result<EventLoop<T>> {
    let mut builder = EventLoop::with_user_event();
    #[cfg(all(unix, not(target_vendor = "apple")))]
    if is_x11_instead() {
        winit::platform::x11::EventLoopBuilderExtX11::with_x11(&mut builder);
    }
    let built = quietly(|| builder.build())?;
    #[cfg(all(unix, not(target_vendor = "apple")))]
    exit_with_x_server();
    built.map_err(|error| {
        log::debug!("{error}");
        let displays = ["WAYLAND_DISPLAY", "DISPLAY"].into_iter();
        let tried = displays.filter_map(|name| Some((name, variable(name)?)));
        let tried: Vec<_> = tried
            .map(|(name, value)| format!("{name}={}", named(Path::new(&value))))
            .collect();
        match tried.join(", ") {
            none if none.is_empty() => {
                anyhow!(tr("no display: set DISPLAY (X11) or WAYLAND_DISPLAY, \
                 or use `landform render` to make a picture without one"))
            }
            tried => anyhow!(tr!(
                "no display at {tried}: set DISPLAY (X11) or WAYLAND_DISPLAY, \
                 or use `landform render` to make a picture without one",
                tried
            )),
        }
    })
}

/// Make the end of the X server end the program with one line. Xlib would print its own.
#[cfg(all(unix, not(target_vendor = "apple")))]
fn exit_with_x_server() {
    use x11_dl::xlib;

    extern "C" fn on_end(_: *mut xlib::Display) -> std::ffi::c_int {
        export::abandon();
        let line = "error: the X server has ended the connection";
        let _ = writeln!(std::io::stderr(), "{line}");
        export::exit(1)
    }
    if let Ok(library) = xlib::Xlib::open() {
        // SAFETY: the handler never returns, as Xlib requires.
        #[allow(unsafe_code)]
        unsafe {
            (library.XSetIOErrorHandler)(Some(on_end));
        }
    }
}

/// Value of an environment variable; `None` if empty.
fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// True if the Wayland socket that winit would try first cannot be reached (a leftover of another
/// session) and `DISPLAY` is set. This must be decided in advance, because winit allows only one
/// attempt to create an event loop.
#[cfg(all(unix, not(target_vendor = "apple")))]
fn is_x11_instead() -> bool {
    let Some(wayland) = variable("WAYLAND_DISPLAY") else {
        return false;
    };
    if variable("WAYLAND_SOCKET").is_some() || variable("DISPLAY").is_none() {
        return false;
    }
    // A socket name, or a full path.
    let folder = variable("XDG_RUNTIME_DIR").unwrap_or_default();
    let answer = UnixStream::connect(Path::new(&folder).join(wayland));
    if let Err(error) = &answer {
        log::info!("no Wayland, so X11: {error}");
    }
    answer.is_err()
}

/// Open a window with an OpenGL context.
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

/// Result of `work`; a panic becomes an error with its message.
fn quietly<T>(work: impl FnOnce() -> T) -> anyhow::Result<T> {
    let hook = take_hook();
    // The default hook would print the panic to the terminal.
    set_hook(Box::new(|_| {}));
    let result = catch_unwind(AssertUnwindSafe(work));
    set_hook(hook);
    result.map_err(|panic| {
        let words = panic.downcast_ref::<String>().map(String::as_str);
        let words = words.unwrap_or(tr("the display refuses it"));
        anyhow!(tr!("no window: {}", words))
    })
}
