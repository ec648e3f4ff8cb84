//! How high and how wide the map of a file is, and a surface that shows it.

use std::path::Path;

use super::samples::{Ends, MOST_HEIGHT, Samples};
use crate::formats::metres::in_half_tiles;
use crate::generate::{Generator, Surface};

/// How high and how wide the map of a file is, as far as the file says it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// Heights of the lowest and the highest sample.
    pub ends: Option<Ends>,
    /// Metres along the longer side.
    pub tile_size_m: Option<f32>,
}

impl Samples {
    /// How high and how wide they are.
    #[must_use]
    pub fn extent(&self) -> Extent {
        Extent {
            ends: self.ends(),
            tile_size_m: self.tile_size_m,
        }
    }
}

impl Extent {
    /// Makes a surface show the map at `path`, that high and wide: 0…0.4 half tiles high where the
    /// file does not say it, as wide as the surface is already.
    pub fn show(self, path: &Path, surface: &mut Surface) {
        surface.generator = Generator::Image;
        surface.input = Some(path.to_owned());
        surface.input_formula.clear();
        self.fit(surface);
    }

    /// Gives a surface the map at `path` as its input, whatever its generator: as high and as wide
    /// as it was where the file does not say it.
    pub fn hand(self, path: &Path, surface: &mut Surface) {
        surface.input = Some(path.to_owned());
        surface.input_formula.clear();
        surface.input_tile_m = 0.0;
        if self.ends.is_some() || self.tile_size_m.is_some() {
            self.fit(surface);
        }
    }

    /// Makes a surface as high and as wide as the map that is its input.
    pub fn fit(self, surface: &mut Surface) {
        surface.tile_size_m = self.tile_size_m.unwrap_or(surface.tile_size_m);
        (surface.input_low, surface.input_high) = self.heights_on(surface.tile_size_m);
        surface.input_tile_m = self.input_tile_m(surface.tile_size_m);
    }

    /// Lowest and highest height in half tiles of a tile so wide.
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

    /// The tile whose half is the unit of the heights; 0 for heights that are no metres.
    fn input_tile_m(self, tile_size_m: f32) -> f32 {
        match (self.tile_size_m, self.ends) {
            (Some(size), _) => size,
            (None, Some(Ends::Metres(..))) => tile_size_m,
            (None, _) => 0.0,
        }
    }

    /// What a surface takes for granted about the map: a few words each. `unit` is what was
    /// assumed of the heights' unit; heights in half tiles know the shape of the map, however wide
    /// it is, unless they were those of another one.
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
