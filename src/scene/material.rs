//! Materials: rock, covers, water, and the maps from which textures are made.

use crate::terrain::rivers::Rule;
use crate::util::language::mark;
use crate::util::param::{
    Params, choice, choice_param, float_param, int_param, options, switch_param,
};

options! {
    /// Material of the ground.
    pub struct Material {
        /// Slope in degrees above which faces are bare rock in render type `landscape`, 0…90; default 38.
        /// With 90 there is no rock.
        pub rock_slope: f32 = 38.0,
        /// Roughness of the ground between the samples of the map, and of the borders of snow and other
        /// covers, in render type `landscape`, 0…1; default 0.5.
        pub detail: f32 = 0.5,
        /// Strength of the palette's covers, 0…1; default 1. Covers are the colours of sediment, wear, wet
        /// ground and scree on eroded ground, in all render types that use the palette. With 0 there are
        /// none.
        pub covers: f32 = 1.0,
    }
}

impl Params for Material {
    const ADVANCED: &'static [&'static str] = &["covers"];

    const SYNONYMS: &'static [(&'static str, &'static str)] = &[
        ("rock_slope", "cliff, steepness, grass line"),
        ("detail", "stones, bumps, texture, grain, displacement"),
        ("covers", "sediment, wear, wetness, scree"),
    ];

    const PARAMS: &'static [crate::util::param::Param<Self>] = &[
        float_param!(rock_slope, "Rock from", "°", 0.0, 90.0, slider: (0.0, 90.0),
            "Slopes steeper than this are bare rock, without grass or snow."),
        float_param!(detail, "Roughness", "", 0.0, 1.0, slider: (0.0, 1.0),
            "Stones and tufts of grass between the samples of the map, so close-ups stay sharp."),
        float_param!(covers, "Covers", "", 0.0, 1.0, slider: (0.0, 1.0),
            "Strength of the colours of sediment, wear, wet ground and scree, where the ground is \
             eroded and the palette has such colours."),
    ];
}

// Settings of the sea, rivers and lakes.

choice! {
    /// Colour of the water.
    pub enum WaterColor: "colour of water" {
        #[default]
        Sea = "sea", "Clear and blue, like the open sea.";
        Tropic = "tropic", "Turquoise, like the water over a coral reef.";
        Lake = "lake", "Dark green, like a lake in the woods.";
        Glacier = "glacier", "Milky and pale, like the water below a glacier.";
        Moor = "moor", "Brown, like tea.";
    }
}

options! {
    /// Sea, rivers and lakes. Rivers and lakes lie at the height of the land.
    ///
    /// In render type `landscape` the sea surrounds the tiles to the horizon and stands wherever the land
    /// is lower; it cannot be seen from below. All other types with ground show it over the tiles: maps
    /// and baked textures as depths with a coastline, `triangles` and `rendered` as plain water, `lines`
    /// and `1d` as a colour.
    pub struct Water {
        /// Sea on or off; default off.
        pub enabled: bool,
        /// Sea level in half tiles, −1000…1000; default 0. Sidecars state it in metres.
        pub level: f32 = 0.0,
        /// Colour of the water; default that of the sea.
        pub color: WaterColor = WaterColor::Sea,
        /// Visibility depth in half tiles, 0.001…10; default 0.06. At that depth a tenth of the light of the
        /// clearest colour is left.
        pub clarity: f32 = 0.06,
        /// Height of the waves, 0 (a mirror) … 1 (a gale); default 0.3. Where the wind has less open water
        /// before it they are lower; see [`crate::wind_waves`].
        pub waves: f32 = 0.3,
        /// Length of the longest waves on the open sea in half tiles, 0.0001…1; default 0.008, that of a moderate
        /// breeze on 8 km. Where the wind has less open water before it they are shorter.
        pub wave_length: f32 = 0.008,
        /// Time of the wave animation in seconds, −1 000 000…1 000 000; default 0. Plants sway by it as well; at 0 they
        /// stand still.
        pub time: f32 = 0.0,
        /// Rivers, and lakes in the hollows along them; default off. `rendered`, `teximage` and `map` show
        /// them too. They end in the sea or, without one, at the border of the land.
        pub rivers: bool,
        /// Drainage area from which a river starts, in per cent of the land, 0.01…100; default 0.3.
        pub springs: f32 = 0.3,
        /// Width in half tiles of a river that drains the whole land, 0…0.2; default 0.03. The width of a
        /// river is proportional to the square root of its drainage area.
        pub river_width: f32 = 0.03,
        /// Height of the sand above the water in half tiles, 0…10; default 0.012. With 0 there is no
        /// sand.
        pub sand: f32 = 0.012,
    }
}

impl Water {
    /// Sea level in half tiles; `None` without a sea.
    #[must_use]
    pub fn height(&self) -> Option<f32> {
        self.enabled.then_some(self.level)
    }

    /// Thresholds and widths of the rivers; `None` without rivers.
    #[must_use]
    pub fn rivers(&self) -> Option<Rule> {
        self.rivers.then_some(Rule {
            springs: self.springs / 100.0,
            width: self.river_width,
        })
    }
}

impl Params for Water {
    const ADVANCED: &'static [&'static str] =
        &["river_width", "clarity", "wave_length", "time", "sand"];

    const ALTITUDES: &'static [&'static str] = &["level"];

    const SYNONYMS: &'static [(&'static str, &'static str)] = &[
        ("enabled", "sea, ocean, lake, flood"),
        ("level", "sea level, ocean, flood, tide"),
        ("rivers", "streams, creeks, brooks, lakes"),
        ("springs", "springs, drainage density, number of rivers"),
        ("river_width", "streams"),
        ("clarity", "transparency, depth, murky"),
        ("waves", "swell, wind, ripples"),
        ("sand", "beach, shore, coast"),
    ];

    const PARAMS: &'static [crate::util::param::Param<Self>] = &[
        switch_param!(
            enabled,
            "Water",
            "A sea to the horizon, and lakes wherever the land is lower."
        ),
        float_param!(level, "Water level", "half tiles", -1000.0, 1000.0, slider: (-1.0, 1.0),
            "Height of the sea. To raise or lower the land instead, use the modifier `level`."),
        switch_param!(
            rivers,
            "Rivers",
            "Rivers where enough land drains through, and lakes in the hollows on their way. They look \
             best on eroded land."
        ),
        float_param!(springs, "Min. catchment", "%", 0.01, 100.0, slider: (0.02, 5.0),
            "Share of the land that must drain through a place for a river to begin: the smaller, \
             the more rivers."),
        float_param!(river_width, "River width", "half tiles", 0.0, 0.2, slider: (0.0, 0.1),
            "Width of a river that drains the whole land. The width of other rivers grows with \
             the square root of the share of the land that they drain."),
        choice_param!(color: WaterColor, "Water colour", "Colour of the water."),
        float_param!(clarity, "Clarity", "half tiles", 0.001, 10.0, slider: (0.005, 0.3),
            "How deep you can see into the water: where it is shallower, its bed shows."),
        float_param!(waves, "Waves", "", 0.0, 1.0, slider: (0.0, 1.0),
            "Height of the waves: 0 is a mirror, 1 a gale. In lakes, in bays and behind land they are \
             lower than on the open sea."),
        float_param!(wave_length, "Wave length", "half tiles", 0.0001, 1.0, slider: (0.002, 0.2),
            "Length of the longest waves on the open sea. In lakes, in bays and behind land they are \
             shorter."),
        float_param!(time, "Wave time", "s", -1.0e6, 1.0e6, slider: (0.0, 60.0),
            "Moment at which waves, and plants in the wind, are frozen, in seconds."),
        float_param!(sand, "Beach", "half tiles", 0.0, 10.0, slider: (0.0, 0.1),
            "How high the sand reaches above the water; steep slopes have none."),
    ];

    fn unused(&self, key: &str) -> Option<&'static str> {
        match key {
            "enabled" | "rivers" => None,
            "springs" | "river_width" => (!self.rivers).then_some(mark("there are no rivers")),
            "level" | "sand" => (!self.enabled).then_some(mark("the water is off")),
            _ => (!self.enabled && !self.rivers).then_some(mark("the water is off")),
        }
    }
}

// Settings of the maps from which textures are made.

options! {
    /// Finer map, rendered from above into the ground's texture.
    pub struct Teximage {
        /// Number of iterations, 1…12; default 8.
        pub iterations: u32 = 8,
        /// Hurst exponent H, 0…1; default 0.7.
        pub hurst: f32 = 0.7,
    }
}

impl Params for Teximage {
    const KEPT: &'static [&'static str] = &["iterations"];

    const SYNONYMS: &'static [(&'static str, &'static str)] = &[
        ("iterations", "texture size, resolution, texture detail"),
        ("hurst", "texture roughness"),
    ];

    const PARAMS: &'static [crate::util::param::Param<Self>] = &[
        int_param!(iterations, "Texture iterations", "", 1, 12, slider 12,
            "Iterations of the finer map that is baked into the ground's texture."),
        float_param!(hurst, "Texture H", "", 0.0, 1.0, slider: (0.0, 1.0),
            "Hurst exponent of the finer map: 0 is rough, 1 is smooth."),
    ];
}

options! {
    /// Map from which clouds are made.
    pub struct Clouds {
        /// Number of iterations, 1…12; default 5.
        pub iterations: u32 = 5,
        /// Hurst exponent H, 0…1; default 0.7.
        pub hurst: f32 = 0.7,
    }
}

impl Params for Clouds {
    const KEPT: &'static [&'static str] = &["iterations"];

    const SYNONYMS: &'static [(&'static str, &'static str)] = &[
        ("iterations", "cloud resolution, cloud detail"),
        ("hurst", "cloud roughness, softness"),
    ];

    const PARAMS: &'static [crate::util::param::Param<Self>] = &[
        int_param!(iterations, "Cloud iterations", "", 1, 12, slider 12,
            "Iterations of the cloud map: more iterations give finer clouds."),
        float_param!(hurst, "Cloud H", "", 0.0, 1.0, slider: (0.0, 1.0),
            "Hurst exponent of the cloud map: 0 is ragged, 1 is soft."),
    ];
}
