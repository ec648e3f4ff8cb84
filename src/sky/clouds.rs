//! Where the clouds of the sky are: a plane of them high above the land, bent to the horizon.
//! `shaders/common/clouds.glsl` draws it.

use crate::scene::Sky;

/// From clear sky to full cloud, of the clouds' ranks.
const EDGE: f32 = 0.6;
/// Which way the wind blows: east, and a little south.
const WIND: [f32; 2] = [0.94, 0.34];
/// The eye never comes nearer to the plane than this.
const HEADROOM: f32 = 0.6;

/// The plane of clouds as the shaders take it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CloudPlane {
    /// Height in half tiles.
    pub height: f32,
    /// Ranks between which cloud thickens from none to full.
    pub ranks: [f32; 2],
    /// How far the wind has carried them: a part of [`Self::PERIOD`] along x and z.
    pub offset: [f32; 2],
    /// How dark their shadow is, 0...1.
    pub shadow: f32,
}

impl CloudPlane {
    /// Half tiles after which the clouds repeat.
    pub const PERIOD: f32 = 12.0;
    /// Half tiles to the middle of the plane's bend, so that it meets the horizon before clouds
    /// are too small to draw.
    pub const BEND: f32 = 90.0;

    /// The plane of a sky, for an eye at that height in half tiles: it rises with an eye that
    /// comes near it.
    #[must_use]
    pub fn new(sky: &Sky, eye: f32) -> Self {
        // A coverage of 0 leaves nothing and 1 leaves no hole.
        let low = 1.0 - sky.coverage * (1.0 + EDGE);
        let offset = WIND.map(|wind| -sky.drift * wind / Self::PERIOD);
        Self {
            height: sky.cloud_height.max(eye + HEADROOM),
            ranks: [low, low + EDGE],
            offset: offset.map(|offset| offset - offset.floor()),
            shadow: sky.cloud_shadow,
        }
    }

    /// Whether there are any.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ranks[0] >= 1.0
    }
}
