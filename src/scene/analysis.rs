//! How the ground is examined: colours by slope and aspect, contours, a watershed, a cross-section.

use serde::{Deserialize, Serialize};

use crate::param::{
    OutOfRange, Params, check_all, choice, choice_param, float_param, switch_param,
};

choice! {
    /// What colours the ground.
    pub enum GroundColor: "ground colour" {
        #[default]
        Height = "height", "Height, from low to high along the palette.";
        Slope = "slope", "Steepness: level ground is pale, cliffs are dark.";
        Aspect = "aspect", "The direction that a slope faces: a hue for each; level ground is grey.";
    }
}

/// How the ground is examined: the watershed wherever ground is shown, all else in `map` and
/// `triangles`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Analysis {
    /// What colours the ground; default `height`.
    pub color: GroundColor,
    /// Whether the map is shaded by light from the north-west; default off.
    pub hillshade: bool,
    /// Whether lines join places of the same height; default off.
    pub contours: bool,
    /// Metres from contour to contour, 0…10,000; default 0, which stands for the least of 1, 2, 5,
    /// 10, … that makes at most 15 contours. If a value makes more contours than a picture can
    /// hold, the next such step is drawn; the legend says which.
    pub contour_interval: f32,
    /// Whether every fifth contour of the map is labelled with its height in metres; default on.
    pub labels: bool,
    /// Whether a legend in a corner of the picture explains lines and colours; default on.
    pub legend: bool,
    /// The point, x and z in half tiles from the middle of the map, −1…1, whose watershed is shown:
    /// the land that drains through it; default none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub watershed: Option<[f32; 2]>,
    /// Whether that point means the river beside it, or the lake that it lies in, rather than the
    /// sample itself; default on.
    pub watershed_snap: bool,
}

impl Default for Analysis {
    fn default() -> Self {
        Self {
            color: GroundColor::default(),
            hillshade: false,
            contours: false,
            contour_interval: 0.0,
            labels: true,
            legend: true,
            watershed: None,
            watershed_snap: true,
        }
    }
}

impl Params for Analysis {
    const PARAMS: &'static [crate::param::Param<Self>] = &[
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
        float_param!(
            contour_interval,
            "Interval",
            "m",
            0.0,
            10_000.0,
            slider(0.0, 200.0),
            "Metres between contours; 0 = automatic, a round number that makes 6 to 15 of them. If they are too many for the picture, fewer are drawn."
        ),
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
            "The point of a watershed means the largest river within 1 % of a tile's width, and a \
             lake as a whole; else it means the sample there and nothing else."
        ),
    ];

    /// Checks the ranges, and that the point of a watershed is on the tile.
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

/// The farthest place of an end of a cross-section: the east border of sixteen tiles.
const MOST: f32 = 31.0;

/// A straight line over the map from A to B, along which the ground is cut. Places are x and z in
/// half tiles, as for pins: −1…1 is the first tile, and beyond it come the next ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Section {
    /// Place of A: x and z, −1…31; default 0, 0.
    pub from: [f32; 2],
    /// Place of B: x and z, −1…31; default 0, 0. If it is the same as A, there is no line.
    pub to: [f32; 2],
}

impl Section {
    /// Whether there is a line.
    #[must_use]
    pub fn is_drawn(&self) -> bool {
        self.from != self.to
    }

    /// Whether there is no line.
    #[must_use]
    pub fn is_absent(&self) -> bool {
        !self.is_drawn()
    }

    /// The part of the line on `tiles` × `tiles` tiles whose sides along x and z are `side` half
    /// tiles; `None` if no part is on them.
    #[must_use]
    pub fn within(&self, tiles: u32, side: [f32; 2]) -> Option<Self> {
        if self.is_absent() {
            return None;
        }
        // This is the method of Liang and Barsky (1984): it takes the part of the line between each
        // pair of borders.
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
    const PARAMS: &'static [crate::param::Param<Self>] = &[];

    /// Checks that both ends are on the largest number of tiles possible.
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
