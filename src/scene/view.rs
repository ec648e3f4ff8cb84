//! Render type, drawing options, and terrain analysis overlays: slope and aspect colours, hillshade, contours,
//! a watershed, a cross-section.

use serde::{Deserialize, Serialize};

use crate::util::param::{
    OutOfRange, Params, check_all, choice, choice_param, float_param, int_param, options,
    switch_param,
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

options! {
    /// Render type and drawing options.
    pub struct View {
        /// Render type; default `landscape`.
        pub render_type: RenderType = RenderType::default(),
        /// Repetitions of the tile along each side, 1…16; default 1.
        pub tile: u32 = 1,
        /// Name of the palette for colours by height, or the path of a palette file; default `alpine`.
        pub palette: String = "alpine".to_owned(),
        /// Inverted colours; default off.
        pub invert: bool,
        /// Antialiasing of lines and edges with 4 samples a pixel; default on.
        pub antialias: bool = true,
        /// Texture magnification filter; default linear.
        pub filter: Filter = Filter::default(),
        /// Shading of triangles; default smooth.
        pub shading: Shading = Shading::default(),
        /// Largest screen-space error in pixels of the level of detail of distant ground, 0.25…8; default 1.
        pub detail: f32 = 1.0,
        /// Finer levels of detail than the map's samples close to the camera, in `landscape`, smooth
        /// `triangles`, `lines` and maps with a camera; default on.
        pub endless: bool = true,
        /// Scale bar in a corner of the picture, valid for the ground in the middle of it; default off.
        pub scale_bar: bool,
        /// Number of passes of diamond-square or of a ridge to show, with their points marked, in steps of a
        /// half (0.5 is after the first diamond step; a ridge has whole passes only); default none, which
        /// shows the finished map.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub pass: Option<f32>,
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

    const ADVANCED: &'static [&'static str] = &["detail", "endless", "scale_bar"];

    const SYNONYMS: &'static [(&'static str, &'static str)] = &[
        (
            "render_type",
            "drawing mode, wireframe, mesh, photograph, renderer",
        ),
        ("tile", "repeat, seamless, wrap, pattern"),
        ("invert", "negative, black and white, print"),
        ("antialias", "smooth edges, jagged lines, MSAA"),
        ("filter", "interpolation, pixelated, bilinear"),
        ("shading", "normals, faceted, low poly, Gouraud"),
        ("detail", "level of detail, LOD, quality, speed, triangles"),
        ("endless", "infinite zoom, close-up"),
        ("scale_bar", "ruler, distance"),
    ];

    const PARAMS: &'static [crate::util::param::Param<Self>] = &[
        choice_param!(render_type: RenderType, "Render type", "Kind of picture that is drawn."),
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
        float_param!(detail, "Max. error", "px", 0.25, 8.0, slider: (0.25, 4.0),
            "Largest drawing error in pixels: more is coarser in the distance, and faster."),
        switch_param!(
            endless,
            "Endless",
            "Adds detail close to the camera, below the last iteration."
        ),
        switch_param!(
            scale_bar,
            "Scale bar",
            "A scale bar in a corner of the picture: it shows a round length on the ground in the \
             middle."
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

choice! {
    /// Quantity that determines the colour of the ground.
    pub enum GroundColor: "ground colour" {
        #[default]
        Height = "height", "Height, from low to high along the palette.";
        Slope = "slope", "Steepness: level ground is pale, cliffs are dark.";
        Aspect = "aspect", "The direction that a slope faces, shown as a hue; level ground is \
                  grey.";
    }
}

options! {
    /// Settings of the analysis overlays. The watershed is shown in every render type with ground, all
    /// else in `map` and `triangles`.
    pub struct Analysis {
        /// Quantity that determines the colour of the ground; default `height`.
        pub color: GroundColor = GroundColor::default(),
        /// Hillshading of the map by light from the north-west; default off.
        pub hillshade: bool,
        /// Contour lines; default off.
        pub contours: bool,
        /// Contour interval in metres, 0…10,000; default 0, which chooses the least of 1, 2, 5, 10, … that
        /// makes at most 15 contours. If a value makes more contours than a picture can hold, the next
        /// larger of these steps is drawn; the legend states it.
        pub contour_interval: f32 = 0.0,
        /// Labels in metres on every fifth contour of the map; default on.
        pub labels: bool = true,
        /// Legend in a corner of the picture that explains lines and colours; default on.
        pub legend: bool = true,
        /// Pour point of the watershed shown, x and z in half tiles from the middle of the map, −1…1;
        /// default none.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub watershed: Option<[f32; 2]>,
        /// Snap the pour point to the nearby river, or to the whole lake that it lies in, instead of the
        /// single sample; default on.
        pub watershed_snap: bool = true,
    }
}

impl Params for Analysis {
    const ADVANCED: &'static [&'static str] = &["labels", "legend", "watershed_snap"];

    const SYNONYMS: &'static [(&'static str, &'static str)] = &[
        ("color", "slope map, aspect map, colour by"),
        ("hillshade", "shaded relief, shading"),
        ("contours", "isolines, topographic map, elevation lines"),
        ("contour_interval", "spacing of lines, equidistance"),
        ("legend", "key, colour scale"),
        ("labels", "numbers on lines"),
    ];

    const PARAMS: &'static [crate::util::param::Param<Self>] = &[
        choice_param!(color: GroundColor, "Ground colour", "What the colours of the ground show."),
        switch_param!(
            hillshade,
            "Hillshade",
            "Shades the map like a printed one: by light from the north-west, 45° high, wherever \
             the sun stands."
        ),
        switch_param!(
            contours,
            "Contours",
            "Lines that join places of the same height; every fifth is heavier."
        ),
        float_param!(contour_interval, "Interval", "m", 0.0, 10_000.0, slider: (0.0, 200.0),
            "Metres between contours; 0 = automatic, a round number that makes 6 to 15 of them. If they are too many for the picture, fewer are drawn."),
        switch_param!(
            labels,
            "Labels",
            "Writes the height in metres on every fifth contour of the map."
        ),
        switch_param!(
            legend,
            "Legend",
            "Explains lines and colours in a corner of the picture."
        ),
        switch_param!(
            watershed_snap,
            "Snap to rivers",
            "The point of a watershed snaps to the largest river within 1 % of a tile's width, or \
             to a whole lake. Off: it is exactly the sample at that point."
        ),
    ];

    /// Check the ranges, and that the pour point of the watershed is on the tile.
    fn check(&self, table: &str) -> Result<(), OutOfRange> {
        check_all(self, table)?;
        match self.watershed {
            Some(place) if !place.iter().all(|value| (-1.0..=1.0).contains(value)) => {
                Err(OutOfRange {
                    key: format!("{table}.watershed"),
                    value: format!("{place:?}"),
                    allowed: "-1 to 1".to_owned(),
                })
            }
            _ => Ok(()),
        }
    }
}

/// Largest coordinate of an end of a cross-section: the east border of sixteen tiles.
const MOST: f32 = 31.0;

/// Straight line over the map from A to B, along which a height profile is drawn. Places are x and z
/// in half tiles, as for pins: −1…1 is the first tile, and the next ones follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Section {
    /// Coordinates of A: x and z, −1…31; default 0, 0.
    pub from: [f32; 2],
    /// Coordinates of B: x and z, −1…31; default 0, 0. If B equals A, there is no line.
    pub to: [f32; 2],
}

impl Section {
    /// True if the line has a length.
    #[must_use]
    pub fn is_drawn(&self) -> bool {
        self.from != self.to
    }

    /// True if both ends coincide, so that there is no line.
    #[must_use]
    pub fn is_absent(&self) -> bool {
        !self.is_drawn()
    }

    /// Clip the line to `tiles` × `tiles` tiles whose sides along x and z are `side` half tiles. `None`
    /// if no part of the line is on them.
    #[must_use]
    pub fn within(&self, tiles: u32, side: [f32; 2]) -> Option<Self> {
        if self.is_absent() {
            return None;
        }
        // Line clipping after Liang and Barsky (1984): one pair of parallel borders at a time.
        let (mut first, mut last) = (0.0f32, 1.0f32);
        for (axis, side) in side.into_iter().enumerate() {
            let (from, step) = (self.from[axis], self.to[axis] - self.from[axis]);
            let low = -0.5 * side;
            let high = low + side * tiles as f32;
            if step == 0.0 {
                if !(low..=high).contains(&from) {
                    return None;
                }
                continue;
            }
            let (a, b) = ((low - from) / step, (high - from) / step);
            first = first.max(a.min(b));
            last = last.min(a.max(b));
        }
        let at = |t: f32, end: [f32; 2]| match t {
            0.0 | 1.0 => end,
            t => [0, 1].map(|i: usize| self.from[i] + (self.to[i] - self.from[i]) * t),
        };
        (first < last).then(|| Self {
            from: at(first, self.from),
            to: at(last, self.to),
        })
    }
}

impl Params for Section {
    const PARAMS: &'static [crate::util::param::Param<Self>] = &[];

    /// Check that both ends are on the largest number of tiles possible.
    fn check(&self, table: &str) -> Result<(), OutOfRange> {
        for (key, place) in [("from", self.from), ("to", self.to)] {
            if !place.iter().all(|value| (-1.0..=MOST).contains(value)) {
                return Err(OutOfRange {
                    key: format!("{table}.{key}"),
                    value: format!("{place:?}"),
                    allowed: format!("-1 to {MOST}"),
                });
            }
        }
        Ok(())
    }
}
