//! Palettes of the user's own, and the state of the palette editor.

use crate::scene::Scene;
use crate::scene::palette::{Palette, Stop};
use crate::util::language::translated;

/// Palettes of the window.
#[derive(Default)]
pub struct Palettes {
    /// The user's own palettes, sorted by name.
    pub own: Vec<Palette>,
    /// Editor, while it is open.
    pub editor: Option<PaletteEditor>,
}

/// Palette editor.
#[derive(Clone, Debug, PartialEq)]
pub struct PaletteEditor {
    /// Palette that the scene names, which an edit starts from.
    pub base: Palette,
    /// `view.palette` of the scene when `base` was found.
    pub base_name: String,
    /// Index of the chosen stop.
    pub chosen: usize,
}

impl PaletteEditor {
    /// Editor of the palette of a scene that names `base`.
    #[must_use]
    pub fn new(scene: &Scene, base: Palette) -> Self {
        Self {
            base,
            base_name: scene.view.palette.clone(),
            chosen: 0,
        }
    }

    /// Palette to edit: the scene's own, or a copy of the one that it names with a name of its own.
    #[must_use]
    pub fn palette(&self, scene: &Scene) -> Palette {
        if let Some(palette) = &scene.palette {
            return palette.clone();
        }
        Palette {
            name: format!("{} 2", translated(&self.base.name)),
            help: String::new(),
            ..self.base.clone()
        }
    }
}

/// Insert a stop with the colour of the gradient at its position, behind all stops up to there; returns its
/// index.
pub fn add_stop(palette: &mut Palette, at: f32) -> usize {
    let stop = Stop {
        at,
        color: palette.color(at),
    };
    let index = palette.stops.partition_point(|stop| stop.at <= at);
    palette.stops.insert(index, stop);
    index
}

/// Move a stop, at most to its neighbours.
pub fn move_stop(palette: &mut Palette, index: usize, at: f32) {
    let stops = &mut palette.stops;
    let least = index.checked_sub(1).map_or(0.0, |before| stops[before].at);
    let most = stops.get(index + 1).map_or(1.0, |after| after.at);
    stops[index].at = at.clamp(least, most);
}
