//! Options of the dialog "Picture": size, samples and background of an image file.

use serde::{Deserialize, Serialize};

use crate::render::{MOST_SAMPLES, RenderRequest};

/// Maximum side of an image taken in the window, which holds it in memory. `landform render` allows
/// up to 16,384.
pub const MOST_SIDE: u32 = 8192;

/// Options for saving an image.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Photo {
    /// True if the dialog is open.
    pub shown: bool,
    /// Unit of the image's width and height.
    pub scale: PhotoScale,
    /// Width and height in pixels, with [`PhotoScale::Pixels`].
    pub size: [u32; 2],
    /// Samples per pixel, 1…16.
    pub samples: u32,
    /// True for a transparent background without sky.
    pub transparent: bool,
}

/// Unit of the width and height of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PhotoScale {
    /// A multiple of the scene's size in the window.
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
    /// Convert to a request for the renderer, where the scene fills `window` pixels. An image that
    /// is too large is scaled down to [`MOST_SIDE`], with the same aspect ratio.
    #[must_use]
    pub fn shot(&self, window: (u32, u32)) -> RenderRequest {
        let (width, height) = match self.scale {
            PhotoScale::Pixels => (self.size[0], self.size[1]),
            PhotoScale::Times(times) => (
                window.0.saturating_mul(times),
                window.1.saturating_mul(times),
            ),
        };
        let longest = u64::from(width.max(height).max(MOST_SIDE));
        let fit = |side: u32| (u64::from(side) * u64::from(MOST_SIDE) / longest) as u32;
        RenderRequest {
            samples: self.samples.clamp(1, MOST_SAMPLES),
            transparent: self.transparent,
            ..RenderRequest::new((fit(width).max(1), fit(height).max(1)))
        }
    }
}
