//! Placement of the window on the desktop: its last position, if that is still on a screen.

use winit::dpi::{LogicalSize, PhysicalPosition};
use winit::event_loop::ActiveEventLoop;
use winit::window::{Window, WindowAttributes};

use crate::app::state::Persisted;

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
