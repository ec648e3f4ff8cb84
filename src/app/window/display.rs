//! Creation of the event loop and of the OpenGL window. Both libraries panic if the system lacks
//! something; here panics become ordinary errors.

use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::path::Path;

use anyhow::anyhow;
use glium::backend::glutin::SimpleWindowBuilder;
use glium::glutin::surface::WindowSurface;
use glium::{Api, Display, Version};
use winit::dpi::{LogicalSize, PhysicalPosition};
use winit::event_loop::{ActiveEventLoop, EventLoop};
use winit::window::{Icon, Window, WindowAttributes};

use crate::app::state::Persisted;
use crate::util::language::tr;
use crate::util::words::named;

#[cfg(all(unix, not(target_vendor = "apple")))]
use std::io::Write;

#[cfg(all(unix, not(target_vendor = "apple")))]
use std::os::unix::net::UnixStream;

#[cfg(all(unix, not(target_vendor = "apple")))]
use crate::files::export;

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

// Window icon: a tile of landscape rendered by `landform render`. The PNG contains its scene and
// can be opened.

const PICTURE: &[u8] = include_bytes!("../../../assets/icon.png");

/// Window icon; `None` with a log entry if it cannot be decoded.
pub fn icon() -> Option<Icon> {
    let picture = image::load_from_memory_with_format(PICTURE, image::ImageFormat::Png);
    let icon = picture
        .map_err(|error| error.to_string())
        .and_then(|picture| {
            let pixels = picture.into_rgba8();
            let (width, height) = pixels.dimensions();
            Icon::from_rgba(pixels.into_raw(), width, height).map_err(|error| error.to_string())
        });
    icon.inspect_err(|error| log::warn!("no icon: {error}"))
        .ok()
}

// Placement of the window on the desktop: its last position, if that is still on a screen.

/// Part of the window that must be on a screen to be grabbed, in points.
const HANDLE: [f64; 2] = [120.0, 30.0];
/// Height reserved for a desktop bar and the title bar, in points.
const BARS: f64 = 60.0;

/// Screen of the desktop, in physical pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Screen {
    /// Position of the upper left corner.
    pub position: [i32; 2],
    /// Width and height.
    pub size: [u32; 2],
    /// Pixels per point.
    pub scale: f64,
}

/// Initial placement of a window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Width and height in points.
    pub size: [f64; 2],
    /// Position of the upper left corner in desktop pixels; `None` leaves it to the system.
    pub position: Option<[i32; 2]>,
    /// True if the window is maximized.
    pub maximized: bool,
}

/// Placement of a window last seen as in `kept`, on these screens, the primary one first.
#[must_use]
pub fn placement(kept: &Persisted, screens: &[Screen]) -> Placement {
    let wanted = kept.window.map(f64::from);
    let at = |position: &[i32; 2]| screens.iter().find(|screen| screen.holds(*position));
    let position = kept.position.filter(|position| at(position).is_some());
    let screen = position.as_ref().and_then(at).or(screens.first());
    let Some(screen) = screen else {
        return Placement {
            size: wanted,
            position: None,
            maximized: kept.maximized,
        };
    };
    let room = screen.size.map(|side| f64::from(side) / screen.scale);
    // A window as large as the screen is maximized; else its title bar would push its lower edge
    // off the screen.
    let fills = wanted[0] > room[0] || wanted[1] > room[1] - BARS;
    Placement {
        size: [wanted[0].min(room[0]), wanted[1].min(room[1])],
        position: position.filter(|_| !fills),
        maximized: kept.maximized || fills,
    }
}

impl Screen {
    /// True if a window with its corner at `position` can be grabbed on this screen.
    fn holds(&self, position: [i32; 2]) -> bool {
        let handle = HANDLE.map(|side| (side * self.scale) as i64);
        let inside = |axis: usize| {
            let corner = i64::from(position[axis]) - i64::from(self.position[axis]);
            // A title bar above the screen cannot be grabbed; one that extends off the side can.
            let least = if axis == 0 { -handle[0] } else { -8 };
            (least..=i64::from(self.size[axis]) - handle[axis]).contains(&corner)
        };
        inside(0) && inside(1)
    }
}

/// Attributes of a window at its last position, if that is still on a screen.
pub fn placed(
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

/// Store the placement of the window. For a maximized or full-screen window the last normal
/// placement is kept.
pub fn note_placement(window: &Window, persisted: &mut Persisted) {
    if window.fullscreen().is_some() {
        return;
    }
    persisted.maximized = window.is_maximized();
    let size = window.inner_size();
    if persisted.maximized || size.width == 0 || size.height == 0 {
        return;
    }
    persisted.window = size.to_logical::<u32>(window.scale_factor()).into();
    persisted.position = window.outer_position().ok().map(Into::into);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_icon_is_one() {
        assert!(icon().is_some());
    }
}
