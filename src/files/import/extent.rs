//! Height range and width of an imported map, and their transfer to a surface.

use std::path::Path;

use super::samples::{Ends, MOST_HEIGHT, Samples};
use crate::files::formats::metres::in_half_tiles;
use crate::generate::{Generator, Surface};

/// Height range and width of an imported map, if the file states them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// Lowest and highest height.
    pub ends: Option<Ends>,
    /// Length of the longer side, in metres.
    pub tile_size_m: Option<f32>,
}

impl Samples {
    /// The height range and the width of the samples.
    #[must_use]
    pub fn extent(&self) -> Extent {
        Extent {
            ends: self.ends(),
            tile_size_m: self.tile_size_m,
        }
    }
}

impl Extent {
    /// Make a surface show the map at `path`.
    ///
    /// If the file does not state its heights, they range from 0 to 0.4 half tiles. If it does not state its
    /// width, the surface keeps its own.
    pub fn show(self, path: &Path, surface: &mut Surface) {
        surface.generator = Generator::Image;
        surface.input = Some(path.to_owned());
        surface.input_formula.clear();
        self.fit(surface);
    }

    /// Set the map at `path` as input of a surface, whatever its generator.
    ///
    /// Height range and width of the surface follow the map as in [`Extent::fit`]; they stay as they are if
    /// the file states neither.
    pub fn hand(self, path: &Path, surface: &mut Surface) {
        surface.input = Some(path.to_owned());
        surface.input_formula.clear();
        surface.input_tile_m = 0.0;
        if self.ends.is_some() || self.tile_size_m.is_some() {
            self.fit(surface);
        }
    }

    /// Set the height range and the width of a surface to those of its input.
    ///
    /// A height range that the file does not state becomes the default; a width that it does not state stays
    /// as it is.
    pub fn fit(self, surface: &mut Surface) {
        surface.tile_size_m = self.tile_size_m.unwrap_or(surface.tile_size_m);
        (surface.input_low, surface.input_high) = self.heights_on(surface.tile_size_m);
        surface.input_tile_m = self.input_tile_m(surface.tile_size_m);
    }

    /// Lowest and highest height, in half tiles of a tile with the given width.
    fn heights_on(self, tile_size_m: f32) -> (f32, f32) {
        let default = Surface::default();
        match self.ends {
            Some(Ends::HalfTiles(low, high)) => (low, high),
            Some(Ends::Metres(low, high)) => {
                let most = MOST_HEIGHT;
                let height = |metres| in_half_tiles(metres, tile_size_m).clamp(-most, most);
                (height(low), height(high))
            }
            None => (default.input_low, default.input_high),
        }
    }

    /// The tile width that defines the unit of the heights, in metres; 0 if the heights are not in metres.
    fn input_tile_m(self, tile_size_m: f32) -> f32 {
        match (self.tile_size_m, self.ends) {
            (Some(size), _) => size,
            (None, Some(Ends::Metres(..))) => tile_size_m,
            (None, _) => 0.0,
        }
    }

    /// Short descriptions of the assumptions that a surface makes about the map.
    ///
    /// `unit` describes the assumed unit of heights. `knows_shape` is true if heights in half tiles already
    /// define the shape of the map, at any width.
    pub(super) fn assumed_on(
        self,
        surface: &Surface,
        unit: Option<&str>,
        knows_shape: bool,
    ) -> Vec<String> {
        let mut assumed = Vec::new();
        let mut fitted = surface.clone();
        fitted.tile_size_m = match surface.input_tile_m {
            0.0 => surface.tile_size_m,
            size => size,
        };
        self.fit(&mut fitted);
        let (low, high) = (surface.input_low, surface.input_high);
        if (low, high) == (fitted.input_low, fitted.input_high) {
            match self.ends {
                Some(_) => assumed.extend(unit.map(str::to_owned)),
                None => assumed.push(format!(
                    "{low} half tiles for the lowest sample and {high} for the highest"
                )),
            }
        }
        let usual = Surface::default().tile_size_m;
        let is_wide = matches!(self.ends, Some(Ends::HalfTiles(..))) && unit.is_none();
        let is_wide = is_wide && knows_shape;
        if self.tile_size_m.is_none() && !is_wide && surface.tile_size_m == usual {
            assumed.push(format!("{usual} m for the longer side"));
        }
        assumed
    }
}
