//! Render type and drawing options.

use serde::{Deserialize, Serialize};

use crate::util::param::{
    OutOfRange, Params, choice, choice_param, float_param, int_param, switch_param,
};

choice! {
    /// Render type.
    pub enum RenderType: "render type" {
        Ridge = "1d", "A ridge line, made by midpoint displacement and repeated.";
        Lines = "lines", "Lines between all neighbouring samples.";
        Triangles = "triangles", "The surface as lit triangles, coloured by height.";
        Teximage = "teximage", "The finer map seen from straight above: the texture of `rendered`.";
        Clouds = "clouds", "The cloud texture.";
        #[default]
        Landscape = "landscape", "The landscape like a photograph: rock, snow, shadows, haze, a real sky.";
        Rendered = "rendered", "The surface under its baked texture, in fog, below a cloudy sky.";
        Sky = "sky", "The sky alone, with sun or moon and clouds; in camera mode `orbit` the pitch looks up, not down.";
        Map = "map", "The height map seen from above, from low to high along the palette; in camera mode `top` the part of it that the camera sees.";
    }
}

choice! {
    /// Texture magnification filter.
    pub enum Filter: "filter" {
        #[default]
        Linear = "linear", "Smooth transitions between texels.";
        Nearest = "nearest", "Each texel is a square.";
    }
}

choice! {
    /// Shading of triangles.
    pub enum Shading: "shading" {
        #[default]
        Smooth = "smooth", "Normals vary over the surface: no edges show.";
        Flat = "flat", "Each triangle has one normal: its edges show.";
    }
}

impl RenderType {
    /// True if the ground itself is visible, as a map or in 3D.
    #[must_use]
    pub fn shows_ground(self) -> bool {
        !matches!(self, Self::Ridge | Self::Clouds | Self::Sky)
    }

    /// True if the picture has a scale: a length on the ground in the middle has a length in pixels.
    #[must_use]
    pub fn has_scale(self) -> bool {
        self.shows_ground() && self != Self::Teximage
    }

    /// True if the light of the scene affects the picture.
    #[must_use]
    pub fn is_lit(self) -> bool {
        matches!(
            self,
            Self::Landscape | Self::Triangles | Self::Teximage | Self::Rendered | Self::Sky
        )
    }

    /// True if finer levels of detail than the map's samples can be drawn close to the camera.
    #[must_use]
    pub fn goes_on_below(self) -> bool {
        matches!(
            self,
            Self::Landscape | Self::Triangles | Self::Lines | Self::Map
        )
    }

    /// True for a flat plan of tiles side by side, without a camera. A map may have a camera, see
    /// [`Scene::is_flat`](super::Scene::is_flat).
    #[must_use]
    pub fn is_flat(self) -> bool {
        matches!(self, Self::Map | Self::Teximage | Self::Clouds)
    }
}

/// Render type and drawing options.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct View {
    /// Render type; default `landscape`.
    pub render_type: RenderType,
    /// Repetitions of the tile along each side, 1…16; default 1.
    pub tile: u32,
    /// Name of the palette for colours by height, or the path of a palette file; default `alpine`.
    pub palette: String,
    /// Inverted colours; default off.
    pub invert: bool,
    /// Antialiasing of lines and edges with 4 samples a pixel; default on.
    pub antialias: bool,
    /// Texture magnification filter; default linear.
    pub filter: Filter,
    /// Shading of triangles; default smooth.
    pub shading: Shading,
    /// Largest screen-space error in pixels of the level of detail of distant ground, 0.25…8; default 1.
    pub detail: f32,
    /// Finer levels of detail than the map's samples close to the camera, in `landscape`, smooth
    /// `triangles`, `lines` and maps with a camera; default on.
    pub endless: bool,
    /// Scale bar in a corner of the picture, valid for the ground in the middle of it; default off.
    pub scale_bar: bool,
    /// Number of diamond-square passes to show, in steps of a half (0.5 is after the first diamond
    /// step), with their points marked; default none, which shows the finished map.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pass: Option<f32>,
}

impl Default for View {
    fn default() -> Self {
        Self {
            render_type: RenderType::default(),
            tile: 1,
            palette: "alpine".to_owned(),
            invert: false,
            antialias: true,
            filter: Filter::default(),
            shading: Shading::default(),
            detail: 1.0,
            endless: true,
            scale_bar: false,
            pass: None,
        }
    }
}

impl Params for View {
    const KEPT: &'static [&'static str] = &[
        "render_type",
        "tile",
        "antialias",
        "detail",
        "endless",
        "scale_bar",
    ];

    const PARAMS: &'static [crate::util::param::Param<Self>] = &[
        choice_param!(render_type: RenderType, "Render type", "What is drawn."),
        int_param!(tile, "Tile", "tiles", 1, 16, slider 16,
            "How many times the tile is repeated along each side."),
        switch_param!(invert, "Invert colours", "Swap light and dark (for print)."),
        switch_param!(
            antialias,
            "Antialias",
            "Smooth lines and edges: four samples per pixel."
        ),
        choice_param!(filter: Filter, "Texture filter", "How textures are enlarged."),
        choice_param!(shading: Shading, "Shading", "How triangles are lit."),
        float_param!(
            detail,
            "Max. error",
            "px",
            0.25,
            8.0,
            slider(0.25, 4.0),
            "Largest drawing error in pixels: more is coarser in the distance, and faster."
        ),
        switch_param!(
            endless,
            "Endless",
            "The ground goes on below its last iteration where the camera is near."
        ),
        switch_param!(
            scale_bar,
            "Scale bar",
            "A bar in a corner of the picture: how long a round length is on the ground in the middle."
        ),
    ];

    fn check(&self, table: &str) -> Result<(), OutOfRange> {
        crate::util::param::check_all(self, table)?;
        match self.pass {
            Some(pass) if !(0.0..=10.0).contains(&pass) || (pass * 2.0).fract() != 0.0 => {
                Err(OutOfRange {
                    key: format!("{table}.pass"),
                    value: pass.to_string(),
                    allowed: "0 to 10 in steps of 0.5".to_owned(),
                })
            }
            _ => Ok(()),
        }
    }
}
