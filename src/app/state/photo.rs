//! How large a picture for a file is, how smooth, and with or without a background.

use serde::{Deserialize, Serialize};

use crate::render::{MOST_SAMPLES, Shot};

/// Longest side of a picture taken in the window, which holds it in memory; `landform render`
/// goes to 16,384.
pub const MOST_SIDE: u32 = 8192;

/// How a picture for a file is taken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Photo {
    /// Whether the dialog is open.
    pub shown: bool,
    /// What its width and height are counted in.
    pub scale: PhotoScale,
    /// Width and height in pixels where they are chosen freely.
    pub size: [u32; 2],
    /// How many samples each pixel has, 1…16.
    pub samples: u32,
    /// Whether there is neither sky nor background.
    pub transparent: bool,
}

/// What width and height of a picture are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PhotoScale {
    /// The scene in the window: so many times as wide and high.
    Times(u32),
    /// Pixels, chosen freely.
    Pixels,
}

impl Default for Photo {
    fn default() -> Self {
        Self {
            shown: false,
            scale: PhotoScale::Times(1),
            size: [3840, 2160],
            samples: 1,
            transparent: false,
        }
    }
}

impl Photo {
    /// What is asked of the renderer where the scene fills `window` pixels. A picture that is too
    /// large becomes the largest of the same shape.
    #[must_use]
    pub fn shot(&self, window: (u32, u32)) -> Shot {
        let (width, height) = match self.scale {
            PhotoScale::Pixels => (self.size[0], self.size[1]),
            PhotoScale::Times(times) => (
                window.0.saturating_mul(times),
                window.1.saturating_mul(times),
            ),
        };
        let longest = u64::from(width.max(height).max(MOST_SIDE));
        let fit = |side: u32| (u64::from(side) * u64::from(MOST_SIDE) / longest) as u32;
        Shot {
            samples: self.samples.clamp(1, MOST_SAMPLES),
            transparent: self.transparent,
            ..Shot::new((fit(width).max(1), fit(height).max(1)))
        }
    }
}
