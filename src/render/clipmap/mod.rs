//! Geometry clipmap of the ground around the eye: windows of one size, each of a level twice as
//! fine as the one around it, so that cells are as large as pixels from the eye to the horizon (Losasso
//! and Hoppe 2004, "Geometry Clipmaps").
//!
//! ```text
//!   ┌───────────────┐  the map
//!   │ ┌───────┐     │
//!   │ │┌───┐  │     │  each window has 1025 × 1025 samples
//!   │ ││eye│  │     │
//!   │ │└───┘  │     │
//!   │ └───────┘     │
//!   └───────────────┘
//! ```
//!
//! Which windows there are, and where, depends on the eye alone, and their samples on their places. So
//! what is kept from picture to picture saves time and changes nothing.

mod atlas;
mod place;
mod placed;
mod window;

use std::rc::Rc;
use std::sync::Arc;

use glium::backend::Context;
use glium::uniforms::Uniforms;

pub(crate) use atlas::Holds;
use atlas::{Atlas, Half, Places, Shown, Texels, corner};
pub(crate) use placed::Placed;
use window::{Growing, Lit, Seen, Window};

use super::error::RenderError;
use super::planes::Near;
use crate::fractal::region;
use crate::light::{Sun, Visibility};
use crate::pipeline::{Depth, Landscape, Lattice, LevelsBelow};
use crate::scene::Scene;

/// The windows around the eye, and the landscape below whose ground they lie.
#[derive(Default)]
pub(crate) struct Clipmap {
    land: Option<Land>,
    /// The window of each level below the ground, the coarsest first.
    made: Vec<Made>,
    atlas: Option<Atlas>,
    places: Option<(Depth, Places)>,
}

/// What of a landscape windows are made from.
struct Land {
    below: Arc<LevelsBelow>,
    sun: Option<(Sun, Arc<Visibility>)>,
    sky: Option<Arc<Visibility>>,
    water: Option<f32>,
    tiles: u32,
}

/// The window of a level, as far as it is made.
#[derive(Default)]
struct Made {
    growing: Option<Growing>,
    window: Option<Window>,
    seen: Option<Seen>,
    /// Whether the atlas has it as it is.
    is_written: bool,
}

impl Land {
    fn of(landscape: &Landscape) -> Option<Self> {
        let below = landscape.below.as_ref()?;
        let scene = &landscape.scene;
        let sun = Sun::from(&scene.light);
        Some(Self {
            below: Arc::clone(below),
            sun: landscape.sun.as_ref().map(|seen| (sun, Arc::clone(seen))),
            sky: landscape.sky.clone(),
            water: scene.water_level(),
            tiles: scene.view.tile,
        })
    }

    fn is_that_of(&self, landscape: &Landscape) -> bool {
        let scene = &landscape.scene;
        let same = |one: Option<&Arc<Visibility>>, other: &Option<Arc<Visibility>>| {
            one.map(Arc::as_ptr) == other.as_ref().map(Arc::as_ptr)
        };
        let below = landscape.below.as_ref();
        below.is_some_and(|below| Arc::ptr_eq(below, &self.below))
            && same(self.sun.as_ref().map(|(_, seen)| seen), &landscape.sun)
            && self
                .sun
                .as_ref()
                .is_none_or(|(sun, _)| *sun == Sun::from(&scene.light))
            && same(self.sky.as_ref(), &landscape.sky)
            && self.water == scene.water_level()
    }

    fn lit(&self) -> Lit<'_> {
        Lit {
            sun: self.sun.as_ref().map(|(sun, seen)| (*sun, &**seen)),
            sky: self.sky.as_deref(),
            water: self.water,
        }
    }
}

impl Made {
    /// Whether the window of that place is made.
    fn is_at(&self, place: region::Window) -> bool {
        let window = self.window.as_ref();
        window.is_some_and(|window| window.place == place)
    }

    /// Makes some of the window of that level and place.
    fn grow(&mut self, lattice: &Lattice<'_>, level: u32, place: region::Window) {
        let growing = self.growing.take().filter(|growing| growing.place == place);
        let mut growing = growing.unwrap_or_else(|| Growing::new(level, place));
        let (window, growing) = if growing.grow(lattice) {
            (None, Some(growing))
        } else {
            (Some(growing.into_window(lattice)), None)
        };
        *self = Self {
            growing,
            window,
            ..Self::default()
        };
    }

    /// Whether it is, and what it sees.
    fn is_seen_at(&self, place: region::Window) -> bool {
        self.is_at(place) && self.seen.is_some()
    }
}

impl Clipmap {
    /// Takes another landscape over; windows of the last one go, unless it is the same ground under another
    /// light.
    pub(crate) fn update(&mut self, landscape: &Landscape) {
        let (Some(land), Some(new)) = (&mut self.land, Land::of(landscape)) else {
            *self = Self::of(landscape);
            return;
        };
        if land.is_that_of(landscape) {
            return;
        }
        if Arc::ptr_eq(&land.below, &new.below) {
            let tiles = land.tiles;
            *land = Land { tiles, ..new };
            self.made.iter_mut().for_each(|made| made.seen = None);
        } else {
            *self = Self::of(landscape);
        }
    }

    /// That of a landscape, without windows.
    fn of(landscape: &Landscape) -> Self {
        Self {
            land: Land::of(landscape),
            ..Self::default()
        }
    }

    /// Forgets all windows.
    pub(crate) fn forget(&mut self) {
        *self = Self {
            land: self.land.take(),
            ..Self::default()
        };
    }

    /// How deep an eye sees the ground of that scene, where cells of that side at distance 1 are fine
    /// enough.
    pub(crate) fn depth(&self, scene: &Scene, cell: f64) -> Option<Depth> {
        let land = self.land.as_ref()?;
        let lattice = Lattice::new(&land.below, scene.view.tile)?;
        Depth::seen_by(&scene.camera, &lattice, cell, scene.water_level())
    }

    /// Takes the next step towards the windows that a depth needs: the place for all of them, some
    /// heights of one, what it sees of the light, or what is drawn of it. Returns whether there was anything
    /// to do.
    pub(crate) fn make_one(
        &mut self,
        context: &Rc<Context>,
        scene: &Scene,
        depth: &Depth,
        holds: Holds,
    ) -> Result<bool, RenderError> {
        let Some(land) = &mut self.land else {
            return Ok(false);
        };
        if land.tiles != scene.view.tile {
            land.tiles = scene.view.tile;
            self.made.clear();
        }
        let [coarsest, finest] = depth.levels;
        let slots = finest + 1 - coarsest;
        if self.made.len() < slots as usize {
            self.made.resize_with(slots as usize, Made::default);
        }
        if self.make_room(context, holds, slots)? {
            return Ok(true);
        }
        let land = self.land.as_ref();
        let Some(lattice) = land.and_then(|land| Lattice::new(&land.below, land.tiles)) else {
            return Ok(false);
        };
        let levels = (coarsest..=finest).zip(&self.made);
        let missing = levels.enumerate().find_map(|(slot, (level, made))| {
            let place = place::window(&lattice, level, depth.eye);
            let is_there = made.is_seen_at(place) && made.is_written;
            (!is_there).then_some((slot, level, place))
        });
        let Some((slot, level, place)) = missing else {
            return Ok(false);
        };
        self.places = None;
        let made = &mut self.made[slot];
        if made.is_seen_at(place) {
            self.write(slot, holds);
        } else if made.is_at(place) {
            self.look(slot, holds);
        } else {
            made.grow(&lattice, level, place);
        }
        Ok(true)
    }

    /// Takes the next step towards room for so many windows on the graphics card. Returns whether there
    /// was anything to do.
    fn make_room(
        &mut self,
        context: &Rc<Context>,
        holds: Holds,
        slots: u32,
    ) -> Result<bool, RenderError> {
        let Some(atlas) = self.atlas.as_mut().filter(|atlas| atlas.holds() == holds) else {
            // The old one goes first.
            self.atlas = None;
            self.places = None;
            self.atlas = Some(Atlas::new(context, holds, 1)?);
            self.made.iter_mut().for_each(|made| {
                (made.seen, made.is_written) = (None, false);
            });
            return Ok(true);
        };
        let Some(half) = atlas.grow(context, slots)? else {
            return Ok(false);
        };
        self.places = None;
        for (slot, made) in (0..).zip(&mut self.made) {
            made.is_written &= Half::of(slot) != half;
        }
        Ok(true)
    }

    /// Finds what the window in a slot, which is made, sees of the light.
    fn look(&mut self, slot: usize, holds: Holds) {
        let (Some(land), Some(window)) = (&self.land, &self.made[slot].window) else {
            return;
        };
        let lattice = Lattice::new(&land.below, land.tiles);
        let seen = match (holds, lattice) {
            (Holds::Light, Some(lattice)) => {
                let coarser = slot.checked_sub(1).map(|slot| &self.made[slot]);
                let coarser = coarser.and_then(|made| made.window.as_ref().zip(made.seen.as_ref()));
                window.seen(&lattice, &land.lit(), coarser)
            }
            _ => Seen::default(),
        };
        if seen.has_any() {
            // Finer ones are lit by what this one sees.
            let finer = self.made[slot + 1..].iter_mut();
            finer.for_each(|made| made.seen = None);
        }
        let made = &mut self.made[slot];
        (made.seen, made.is_written) = (Some(seen), false);
    }

    /// Writes what is to be drawn of the window in a slot, which is made.
    fn write(&mut self, slot: usize, holds: Holds) {
        let made = &mut self.made[slot];
        let window = made.window.as_ref().zip(made.seen.as_ref());
        let (Some(atlas), Some((window, seen))) = (&self.atlas, window) else {
            return;
        };
        let light;
        let texels = match holds {
            Holds::Light => {
                light = window.texels(seen);
                Texels::Light(&light)
            }
            Holds::Heights => Texels::Heights(&window.heights),
        };
        let size = [window.place.rows, window.place.columns];
        atlas.write(slot as u32, texels, size);
        made.is_written = true;
    }

    /// The windows of a depth, the finest first, once all are made.
    pub(crate) fn near(&self, depth: &Depth) -> Vec<Near<'_>> {
        self.slots(depth).map(|(_, near)| near).collect()
    }

    /// The same with their slots.
    fn slots(&self, depth: &Depth) -> impl Iterator<Item = (u32, Near<'_>)> {
        let land = self.land.as_ref();
        let lattice = land.and_then(|land| Lattice::new(&land.below, land.tiles));
        let depth = *depth;
        let count = depth.levels[1] + 1 - depth.levels[0];
        let made = self.made.iter().take(count as usize).enumerate().rev();
        made.filter_map(move |(slot, made)| {
            let near = made.window.as_ref()?.near(lattice.as_ref()?, &depth);
            Some((slot as u32, near))
        })
    }

    /// The windows of a depth as patches are drawn of them, the coarsest first, once all are made and
    /// their heights are on the graphics card.
    pub(crate) fn placed(&self, depth: &Depth) -> Vec<Placed<'_>> {
        let Some(atlas) = &self.atlas else {
            return Vec::new();
        };
        let placed = self.slots(depth).filter_map(|(slot, near)| {
            let place = self.made[slot as usize].window.as_ref()?.place;
            Some(Placed {
                first: [place.column, place.row],
                corner: corner(slot),
                heights: atlas.exact(slot),
                near,
            })
        });
        let mut placed: Vec<_> = placed.collect();
        placed.reverse();
        placed
    }

    /// Says where the windows lie, for [`Clipmap::uniforms`].
    pub(crate) fn place(
        &mut self,
        context: &Rc<Context>,
        depth: &Depth,
    ) -> Result<(), RenderError> {
        if self.places.as_ref().is_none_or(|(of, _)| of != depth) {
            let windows: Vec<_> = self.slots(depth).collect();
            let places = Places::new(context, &windows, depth.cell)?;
            self.places = Some((*depth, places));
        }
        Ok(())
    }

    /// What `common/windows.glsl` needs, once the windows are placed; nothing if there are none.
    pub(crate) fn uniforms(&self) -> impl Uniforms + '_ {
        Shown(
            self.atlas
                .as_ref()
                .zip(self.places.as_ref().map(|(_, places)| places)),
        )
    }

    /// Bytes of all windows, in memory and on the graphics card.
    pub(crate) fn bytes(&self) -> u64 {
        let made = self.made.iter().map(|made| {
            let heights = made.window.as_ref().map_or(0, Window::bytes);
            let growing = made.growing.as_ref().map_or(0, Growing::bytes);
            growing + heights + made.seen.as_ref().map_or(0, Seen::bytes)
        });
        made.sum::<u64>() + self.atlas.as_ref().map_or(0, Atlas::bytes)
    }
}
