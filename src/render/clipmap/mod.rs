//! Geometry clipmap around the eye (Losasso and Hoppe 2004): levels of detail below the map's last iteration.
//!
//! Each level is a square window of samples, twice as fine as the one around it, so that cells project to
//! about a pixel from the eye to the horizon.
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
//! The set of windows depends only on the eye's position, and their samples only on the windows' positions.
//! Caching them between pictures, or copying their samples from windows before, therefore never changes a
//! picture. Previews of a camera in motion are the exception: they keep windows while these surround what is seen, and
//! do without levels that are not complete.

use std::rc::Rc;
use std::sync::Arc;

use self::atlas::{Atlas, Places, Shown, corner, half_of};
use self::window::{Before, Growing, Lit, Samples, Seen, Window, surrounds, window_around};
use glium::backend::Context;
use glium::texture::Texture2d;
use glium::uniforms::{Sampler, Uniforms};

use crate::fractal::region;
use crate::pipeline::{Depth, Landscape, Lattice, LevelsBelow};
use crate::render::error::Result;
use crate::render::raycast::Near;
use crate::scene::{CameraMode, Scene};
use crate::shading::light::{Sun, Visibility};
use crate::util::identity::Identity;

mod atlas;
mod window;

pub(crate) use atlas::Holds;

/// Clipmap levels around the eye, and the landscape they refine.
#[derive(Default)]
pub(crate) struct Clipmap {
    land: Option<Land>,
    /// Window of each level, the coarsest first.
    made: Vec<Made>,
    atlas: Option<Atlas>,
    places: Option<(Depth, Places)>,
}

/// Parts of a landscape that windows are computed from.
struct Land {
    below: Arc<LevelsBelow>,
    sun: Option<(Sun, Arc<Visibility>)>,
    sky: Option<Arc<Visibility>>,
    water: Option<f32>,
    tiles: u32,
}

/// Window of one level, and its state of completion.
#[derive(Default)]
struct Made {
    growing: Option<Growing>,
    window: Option<Window>,
    seen: Option<Seen>,
    /// True if its water and snow are those before a change.
    has_old_cover: bool,
    /// True if `seen` is the light before a change.
    is_stale: bool,
    /// True if `seen` was derived from the light of another coarser window.
    has_old_surroundings: bool,
    /// True if the atlas holds its current contents.
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

    fn is_like(&self, other: &Self) -> bool {
        let sun = |land: &Self| {
            land.sun
                .as_ref()
                .map(|(sun, seen)| (*sun, Arc::as_ptr(seen)))
        };
        let sky = |land: &Self| land.sky.as_ref().map(Arc::as_ptr);
        Arc::ptr_eq(&self.below, &other.below)
            && (sun(self), sky(self), self.water) == (sun(other), sky(other), other.water)
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
    /// True if the window at this position is complete.
    fn is_at(&self, place: region::Window) -> bool {
        let window = self.window.as_ref().filter(|_| !self.has_old_cover);
        window.is_some_and(|window| window.place == place)
    }

    /// Continue computing the window of a level at a position. The window before stays until it is complete,
    /// since the eye may move on meanwhile, or back.
    fn grow(&mut self, lattice: &Lattice<'_>, level: u32, place: region::Window) {
        let growing = self.growing.take().filter(|growing| growing.place == place);
        let ground = |part| lattice.bare_heights(level, part);
        let cover = |part, heights: &mut [f64]| lattice.cover(level, part, heights);
        let samples = Samples {
            ground: &ground,
            cover: lattice.is_covered().then_some(&cover),
        };
        let before = self.window.as_ref().map(|window| Before {
            window,
            has_cover: !self.has_old_cover,
        });
        let mut growing = growing.unwrap_or_else(|| Growing::new(level, place, before, &samples));
        if growing.grow(&samples) {
            self.growing = Some(growing);
        } else {
            *self = Self {
                window: Some(growing.into_window(lattice.spacing(level))),
                ..Self::default()
            };
        }
    }

    /// Position for the window of a level. A preview keeps the window that there is, or that is being computed,
    /// while it surrounds what is seen, so that a camera in motion needs new ones a few times less often.
    fn place(
        &self,
        lattice: &Lattice<'_>,
        level: u32,
        depth: &Depth,
        margin: i64,
        preview: bool,
    ) -> region::Window {
        let window = self.window.as_ref().map(|window| window.place);
        let growing = self.growing.as_ref().map(|growing| growing.place);
        let mut kept = window.into_iter().chain(growing).filter(|_| preview);
        kept.find(|place| surrounds(*place, lattice, level, depth, margin))
            .unwrap_or_else(|| window_around(lattice, level, depth.eye))
    }

    /// True if the window at this position is complete and lit, in a preview by any light.
    fn is_seen_at(&self, place: region::Window, preview: bool) -> bool {
        let is_exact = !self.is_stale && !self.has_old_surroundings;
        self.is_at(place) && self.seen.is_some() && (preview || is_exact)
    }
}

impl Clipmap {
    /// Switch to another landscape. Windows are dropped, unless only the light changed, or the water and snow on the
    /// same ground.
    pub(crate) fn update(&mut self, landscape: &Landscape) {
        let new = Land::of(landscape);
        match (&mut self.land, new) {
            (Some(land), Some(new)) if land.is_like(&new) => {}
            (Some(land), Some(new)) if Arc::ptr_eq(&land.below, &new.below) => {
                let tiles = land.tiles;
                *land = Land { tiles, ..new };
                // The heights are still valid; only the light must be computed again.
                self.made.iter_mut().for_each(|made| made.is_stale = true);
            }
            (Some(land), Some(new)) if land.below.has_ground_of(&new.below) => {
                let tiles = land.tiles;
                *land = Land { tiles, ..new };
                self.places = None;
                for made in &mut self.made {
                    (made.growing, made.has_old_cover) = (None, true);
                }
            }
            (land, new) => {
                *land = new;
                self.forget();
            }
        }
    }

    /// Drop all windows.
    pub(crate) fn forget(&mut self) {
        *self = Self {
            land: self.land.take(),
            ..Self::default()
        };
    }

    /// Identity of the landscape's levels below the map. A window is a function of them, of the tiles and of the
    /// depth.
    pub(crate) fn source(&self) -> Option<Identity<LevelsBelow>> {
        let land = self.land.as_ref();
        land.map(|land| Identity::of(&land.below))
    }

    /// Depth to which the scene's camera resolves the ground, where cells of side `cell` at distance 1 are
    /// fine enough.
    pub(crate) fn depth(&self, scene: &Scene, cell: f64) -> Option<Depth> {
        let land = self.land.as_ref()?;
        let lattice = Lattice::new(&land.below, scene.view.tile)?;
        Depth::seen_by(&scene.camera, &lattice, cell, scene.water_level())
    }

    /// The part of `depth` whose windows are complete, for a preview; `None` in it if not even the coarsest is.
    /// `None` if the eye is below the ground of this part.
    pub(crate) fn complete_depth(
        &self,
        scene: &Scene,
        depth: &Depth,
        holds: Holds,
    ) -> Option<Option<Depth>> {
        let land = self.land.as_ref()?;
        let lattice = Lattice::new(&land.below, land.tiles)?;
        let [coarsest, finest] = depth.levels;
        let levels = (coarsest..=finest).zip(&self.made);
        let complete = levels.take_while(|(level, made)| {
            let place = made.place(&lattice, *level, depth, holds.margin(), true);
            made.is_seen_at(place, true) && made.is_written
        });
        let finest = coarsest - 1 + complete.count() as u32;
        let (camera, water) = (&scene.camera, scene.water_level());
        let eye = camera.eye();
        let ground = lattice.height(finest, eye.x, eye.z);
        let is_above =
            camera.mode == CameraMode::Top || ground.is_some_and(|ground| eye.y > ground);
        is_above.then(|| Depth::seen_to(camera, &lattice, depth.cell, water, finest))
    }

    /// True if windows that are shown have the light before a change.
    fn has_stale_light(&self) -> bool {
        let depth = self.places.as_ref().map(|(depth, _)| depth.levels);
        let count = depth.map_or(0, |[coarsest, finest]| finest + 1 - coarsest);
        let mut shown = self.made.iter().take(count as usize);
        shown.any(|made| made.is_stale)
    }

    /// Do the next step of work for the levels of `depth`: allocate textures, compute some heights of one
    /// window, light it, or upload it. Returns false if nothing is left to do. A preview is content with windows that
    /// have the light before a change, or another eye in their middle.
    pub(crate) fn make_one(
        &mut self,
        context: &Rc<Context>,
        scene: &Scene,
        depth: &Depth,
        holds: Holds,
        preview: bool,
    ) -> Result<bool> {
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
            let place = made.place(&lattice, level, depth, holds.margin(), preview);
            let is_there = made.is_seen_at(place, preview) && made.is_written;
            (!is_there).then_some((slot, level, place))
        });
        let Some((slot, level, place)) = missing else {
            return Ok(false);
        };
        self.places = None;
        let made = &mut self.made[slot];
        if made.is_seen_at(place, preview) {
            self.write(slot, holds);
        } else if made.is_at(place) {
            self.look(slot, holds);
        } else {
            made.grow(&lattice, level, place);
        }
        Ok(true)
    }

    /// Do the next step of allocating textures for a number of slots. Returns false if nothing is left to do.
    fn make_room(&mut self, context: &Rc<Context>, holds: Holds, slots: u32) -> Result<bool> {
        let Some(atlas) = self.atlas.as_mut().filter(|atlas| atlas.holds == holds) else {
            // The old atlas is freed first.
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
            made.is_written &= half_of(slot) != half;
        }
        Ok(true)
    }

    /// Compute the light of the complete window in a slot.
    fn look(&mut self, slot: usize, holds: Holds) {
        let (Some(land), Some(window)) = (&self.land, &self.made[slot].window) else {
            return;
        };
        let lattice = Lattice::new(&land.below, land.tiles);
        let coarser = slot.checked_sub(1).map(|slot| &self.made[slot]);
        let is_stale = coarser.is_some_and(|made| made.is_stale);
        let has_old_surroundings = coarser.is_some_and(|made| made.has_old_surroundings);
        let seen = match (holds.light, lattice) {
            (true, Some(lattice)) => {
                let coarser = coarser.and_then(|made| made.window.as_ref().zip(made.seen.as_ref()));
                window.seen(&lattice, &land.lit(), coarser)
            }
            _ => Seen::default(),
        };
        if seen.has_any() {
            // Finer levels derive their light from this one.
            let finer = self.made[slot + 1..].iter_mut();
            finer.for_each(|made| made.has_old_surroundings = true);
        }
        let made = &mut self.made[slot];
        (made.seen, made.is_written) = (Some(seen), false);
        (made.is_stale, made.has_old_surroundings) = (is_stale, has_old_surroundings);
    }

    /// Upload the complete window in a slot.
    fn write(&mut self, slot: usize, holds: Holds) {
        let made = &mut self.made[slot];
        let window = made.window.as_ref().zip(made.seen.as_ref());
        let (Some(atlas), Some((window, seen))) = (&self.atlas, window) else {
            return;
        };
        let (slot, size) = (slot as u32, [window.place.rows, window.place.columns]);
        if holds.light {
            atlas.write_light(slot, &window.texels(seen), size);
        }
        if holds.heights {
            atlas.write_heights(slot, &window.heights, size);
        }
        made.is_written = true;
    }

    /// The levels of `depth`, the finest first, once all are complete.
    pub(crate) fn near(&self, depth: &Depth) -> Vec<Near<'_>> {
        self.slots(depth).map(|(_, near)| near).collect()
    }

    /// Complete levels of `depth` with their slots, the finest first.
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

    /// The levels of `depth` for drawing patches, the coarsest first, once all are complete and uploaded.
    pub(crate) fn placed(&self, depth: &Depth) -> Vec<Placed<'_>> {
        let Some(atlas) = &self.atlas else {
            return Vec::new();
        };
        let placed = self.slots(depth).filter_map(|(slot, near)| {
            let place = self.made[slot as usize].window.as_ref()?.place;
            Some(Placed {
                first: [place.column, place.row],
                corner: corner(slot),
                heights: atlas.heights(slot)?,
                near,
            })
        });
        let mut placed: Vec<_> = placed.collect();
        placed.reverse();
        placed
    }

    /// No levels are shown.
    pub(crate) fn show_none(&mut self) {
        self.places = None;
    }

    /// Upload the positions of the levels, for [`Clipmap::uniforms`].
    pub(crate) fn place(&mut self, context: &Rc<Context>, depth: &Depth) -> Result {
        if self.places.as_ref().is_none_or(|(of, _)| of != depth) {
            let windows: Vec<_> = self.slots(depth).collect();
            let places = Places::new(context, &windows, depth.cell)?;
            self.places = Some((*depth, places));
        }
        Ok(())
    }

    /// Uniforms of `common/windows.glsl`, once the levels are positioned; empty without levels.
    pub(crate) fn uniforms(&self) -> impl Uniforms + '_ {
        let (atlas, places) = (self.atlas.as_ref(), self.places.as_ref());
        let are_lit = !self.has_stale_light();
        Shown(
            atlas
                .zip(places)
                .map(|(atlas, (_, places))| (atlas, places, are_lit)),
        )
    }

    /// Size in bytes of all levels, in memory and on the graphics card.
    pub(crate) fn bytes(&self) -> u64 {
        let made = self.made.iter().map(|made| {
            let heights = made.window.as_ref().map_or(0, Window::bytes);
            let growing = made.growing.as_ref().map_or(0, Growing::bytes);
            growing + heights + made.seen.as_ref().map_or(0, Seen::bytes)
        });
        made.sum::<u64>() + self.atlas.as_ref().map_or(0, Atlas::bytes)
    }
}

/// Clipmap level for drawing patches, with its heights on the graphics card.
pub(crate) struct Placed<'a> {
    /// First sample along x and z, counted over all tiles.
    pub(crate) first: [i64; 2],
    /// Position of the first sample in the texture of heights.
    pub(crate) corner: [u32; 2],
    /// Heights above the window's datum.
    pub(crate) heights: Sampler<'a, Texture2d>,
    pub(crate) near: Near<'a>,
}

impl Placed<'_> {
    /// Position of the eye, in cells over all tiles.
    pub(crate) fn eye(&self) -> [f64; 2] {
        [0, 1].map(|axis| self.first[axis] as f64 + self.near.eye[axis])
    }

    /// True if the window contains all cells from one sample to another, counted over all tiles.
    pub(crate) fn holds(&self, first: [i64; 2], end: [i64; 2]) -> bool {
        (0..2).all(|axis| {
            let last = self.first[axis] + self.near.samples[axis] as i64 - 1;
            self.first[axis] <= first[axis] && end[axis] <= last
        })
    }
}
