//! Snow: how much falls, drifts, slides and melts.

use crate::util::language::mark;
use crate::util::param::{Param, Params, float_param, options, switch_param};

options! {
    /// Snow as a depth on the ground in render type `landscape`. It falls above the snow line, drifts into the lee,
    /// slides down steep slopes into gullies and cones, and melts in the sun. Its surface is smooth, and ground that
    /// is higher is bare. The snow of the palette is left out then.
    pub struct Snow {
        /// Snow on or off; default off.
        pub enabled: bool,
        /// Depth of the fall on level ground high above the snow line in metres, 0.01…1000, of which at most a
        /// twentieth of a tile's side acts; default 2.
        pub fall: f32 = 2.0,
        /// Height of the snow line in half tiles, −1000…1000; default 0.
        pub line: f32 = 0.0,
        /// Height above the snow line over which the fall grows to all of its depth, in half tiles, 0.001…1000;
        /// default 0.15.
        pub fade: f32 = 0.15,
        /// Strength of the wind, 0…1; default 0.5. It takes snow from ground that faces it and leaves it in the lee.
        pub wind: f32 = 0.5,
        /// Compass bearing in degrees from which the wind comes, 0…360; default 270, the west.
        pub wind_bearing: f32 = 270.0,
        /// Depth in metres that holds on a slope of 45°, 0…1000; default 0.5. On other slopes the depth is
        /// proportional to 1 / slope² (Bernhardt and Schulz 2010).
        pub hold: f32 = 0.5,
        /// Depth in metres that melts on level ground at the snow line, 0…1000; default 0.6. Slopes in the sun lose
        /// more, those in the shade less, on the mean of a day at the start of spring.
        pub melt: f32 = 0.6,
    }
}

impl Params for Snow {
    const ADVANCED: &'static [&'static str] = &["fade", "wind_bearing", "hold", "melt"];

    const ALTITUDES: &'static [&'static str] = &["line"];

    const SYNONYMS: &'static [(&'static str, &'static str)] = &[
        ("enabled", "winter, ice, glacier"),
        ("fall", "snow depth, amount of snow"),
        ("line", "snow level, altitude of snow"),
        ("wind", "drift, blowing snow"),
        ("hold", "avalanche, sliding snow"),
        ("melt", "thaw, sun"),
    ];

    const PARAMS: &'static [Param<Self>] = &[
        switch_param!(
            enabled,
            "Snow",
            "Snow as a depth that drifts, slides and melts, in place of the snow of the palette."
        ),
        float_param!(fall, "Snowfall", "m", 0.01, 1000.0, slider: (0.1, 10.0),
            "Depth of the snow on level ground high above the snow line."),
        float_param!(line, "Snow line", "half tiles", -1000.0, 1000.0, slider: (-1.0, 1.0),
            "Height above which snow falls."),
        float_param!(fade, "Snow fade", "half tiles", 0.001, 1000.0, slider: (0.01, 1.0),
            "Height above the snow line over which the fall grows to all of its depth."),
        float_param!(wind, "Wind", "", 0.0, 1.0, slider: (0.0, 1.0),
            "How much snow the wind takes from ridges and leaves behind them."),
        float_param!(wind_bearing, "Wind bearing", "°", 0.0, 360.0, slider: (0.0, 360.0),
            "Where the wind comes from: 0 is north, 90 east."),
        float_param!(hold, "Hold", "m", 0.0, 1000.0, slider: (0.0, 3.0),
            "Depth that a slope of 45° holds; the rest slides down and gathers in gullies and below them."),
        float_param!(melt, "Melt", "m", 0.0, 1000.0, slider: (0.0, 3.0),
            "Depth that melts on level ground at the snow line; more in the sun, less in the shade and higher up."),
    ];

    fn unused(&self, key: &str) -> Option<&'static str> {
        match key {
            "enabled" => None,
            _ if !self.enabled => Some(mark("the snow is off")),
            "wind_bearing" if self.wind == 0.0 => Some(mark("there is no wind")),
            _ => None,
        }
    }
}
