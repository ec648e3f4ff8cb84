//! Tiled rendering of large pictures: up to 16,384² pixels, with supersampling and optional transparency.

use std::time::Duration;

use glam::Vec2;
use glium::Rect;
use glium::backend::Facade;

use crate::scene::Scene;
use crate::terrain::grid::Grid;

use super::error::RenderError;
use super::progressive_frame::ProgressiveFrame;
use super::renderer::Renderer;
use super::view::Frame;

/// Maximum number of samples per pixel.
pub const MOST_SAMPLES: u32 = 16;
/// Maximum number of pixels drawn in one piece.
const MOST_AT_ONCE: u64 = 3840 * 2160;
/// Maximum and minimum side of a piece in pixels; software drivers draw squares of the minimum size.
const PIECE: u32 = 2048;
const LEAST_PIECE: u32 = 64;

/// Options of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RenderRequest {
    /// Width and height in pixels, each 1…16,384.
    pub size: (u32, u32),
    /// Samples per pixel, 1…16: as many draws with subpixel offsets are averaged. Antialiasing adds four
    /// samples within each.
    pub samples: u32,
    /// True to leave out sky and background.
    pub transparent: bool,
    /// Side of a piece in pixels, 64…2048, rounded up to a power of two. `None` means one piece up to 8
    /// megapixels, and 2048 beyond.
    pub piece: Option<u32>,
}

impl RenderRequest {
    /// A plain picture of `size`, as in the window.
    #[must_use]
    pub fn new(size: (u32, u32)) -> Self {
        Self {
            size,
            samples: 1,
            transparent: false,
            piece: None,
        }
    }

    /// Side of the pieces: a power of two, so that their offsets are exact in the driver's arithmetic.
    fn side(&self) -> u32 {
        let (width, height) = self.size;
        match self.piece {
            Some(side) => side.clamp(LEAST_PIECE, PIECE).next_power_of_two(),
            None if u64::from(width) * u64::from(height) <= MOST_AT_ONCE => width.max(height),
            None => PIECE,
        }
    }
}

/// A picture being rendered. Bands of rows are returned from top to bottom.
pub struct TiledRender {
    shot: RenderRequest,
    /// Number of pieces along x and y.
    pieces: (u32, u32),
    /// Time limit of one step; `None` draws a whole piece.
    limit: Option<Duration>,
    /// Number of finished draws.
    done: u64,
    /// Current or last draw.
    drawing: Option<ProgressiveFrame>,
    band: Vec<[u8; 4]>,
    /// Sums over the samples of the current piece; 16 × 255 fits into 16 bits.
    sums: Vec<[u16; 4]>,
}

impl TiledRender {
    /// Begin a picture. A size of 0 is raised to 1, and the number of samples is clamped to its range.
    #[must_use]
    pub fn new(shot: RenderRequest) -> Self {
        let shot = RenderRequest {
            size: (shot.size.0.max(1), shot.size.1.max(1)),
            samples: shot.samples.clamp(1, MOST_SAMPLES),
            ..shot
        };
        let side = shot.side();
        Self {
            shot,
            pieces: (shot.size.0.div_ceil(side), shot.size.1.div_ceil(side)),
            limit: None,
            done: 0,
            drawing: None,
            band: Vec::new(),
            sums: Vec::new(),
        }
    }

    /// Split the rendering into steps of about `limit` each.
    #[must_use]
    pub fn in_steps_of(self, limit: Duration) -> Self {
        Self {
            limit: Some(limit),
            ..self
        }
    }

    /// Options of the picture.
    #[must_use]
    pub fn shot(&self) -> &RenderRequest {
        &self.shot
    }

    /// Total number of draws.
    fn count(&self) -> u64 {
        u64::from(self.pieces.0) * u64::from(self.pieces.1) * u64::from(self.shot.samples)
    }

    /// Fraction of the picture that is done, 0…1.
    #[must_use]
    pub fn progress(&self) -> f32 {
        let unfinished = self.drawing.as_ref().filter(|draw| !draw.is_done());
        let done = self.done as f32 + unfinished.map_or(0.0, ProgressiveFrame::progress);
        done / self.count() as f32
    }

    /// True if the picture is complete.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.done >= self.count()
    }

    /// Draw one piece once, or a part of it, from the renderer's contents as `scene` views them. Returns a
    /// band of rows as soon as it is complete: sRGB and alpha, top row first. Alpha is 255 everywhere unless
    /// the picture is transparent.
    ///
    /// # Errors
    /// The driver cannot draw this size even in pieces, or is out of memory.
    pub fn step(
        &mut self,
        renderer: &mut Renderer,
        facade: &impl Facade,
        scene: &Scene,
    ) -> Result<Option<Grid<[u8; 4]>>, RenderError> {
        if self.is_done() {
            return Ok(None);
        }
        let samples = u64::from(self.shot.samples);
        let (piece, sample) = (self.done / samples, (self.done % samples) as u32);
        let (across, down) = (u64::from(self.pieces.0), u64::from(self.pieces.1));
        // Bands are counted from the top, rows of OpenGL from the bottom.
        let (column, row) = (piece % across, down - 1 - piece / across);
        let side = self.shot.side();
        let (width, height) = self.shot.size;
        let origin = [column as u32 * side, row as u32 * side];
        let size = (side.min(width - origin[0]), side.min(height - origin[1]));
        let frame = Frame {
            origin,
            size,
            jitter: place_in_pixel(sample, self.shot.samples),
            transparent: self.shot.transparent,
            ..Frame::whole(self.shot.size)
        };
        let unfinished = self.drawing.take();
        let mut drawing = match unfinished {
            Some(unfinished) if !unfinished.is_done() => unfinished,
            old => renderer.begin_frame(facade, scene, frame, self.limit, old)?,
        };
        renderer.develop_and(facade, scene, &mut drawing, |picture, part| {
            let pixels = picture.read_part(&part);
            self.gather(&pixels, part, sample, frame, scene.view.invert);
        })?;
        let is_done = drawing.is_done();
        self.drawing = Some(drawing);
        if !is_done {
            return Ok(None);
        }
        self.done += 1;
        if self.is_done() {
            self.drawing = None;
        }
        if sample + 1 < self.shot.samples || column + 1 < across {
            return Ok(None);
        }
        let band = std::mem::take(&mut self.band);
        Ok(Grid::from_vec(size.1 as usize, width as usize, band))
    }

    /// Add a part of a piece to the sums, bottom row first, and with the last sample write it into the band.
    fn gather(&mut self, pixels: &[[u8; 4]], part: Rect, sample: u32, frame: Frame, invert: bool) {
        let (columns, rows) = (frame.size.0 as usize, frame.size.1 as usize);
        let width = self.shot.size.0 as usize;
        if self.sums.len() != columns * rows {
            self.sums = vec![[0; 4]; columns * rows];
        }
        if self.band.len() != width * rows {
            self.band = vec![[0; 4]; width * rows];
        }
        let samples = self.shot.samples;
        let full = 255 * samples;
        let pixel = |sum: [u16; 4]| {
            if self.shot.transparent {
                without_background(sum, full, invert)
            } else {
                average(sum, samples)
            }
        };
        let (left, across) = (part.left as usize, part.width as usize);
        for (row, pixels) in pixels.chunks_exact(across).enumerate() {
            let row = part.bottom as usize + row;
            let sums = &mut self.sums[row * columns + left..][..across];
            for (sum, pixel) in sums.iter_mut().zip(pixels) {
                let before = if sample == 0 { [0; 4] } else { *sum };
                *sum = std::array::from_fn(|i| before[i] + u16::from(pixel[i]));
            }
            if sample + 1 < samples {
                continue;
            }
            let first = (rows - 1 - row) * width + frame.origin[0] as usize + left;
            let into = &mut self.band[first..][..across];
            for (into, sum) in into.iter_mut().zip(sums) {
                *into = pixel(*sum);
            }
        }
    }
}

/// Average colour, opaque.
fn average([r, g, b, _]: [u16; 4], samples: u32) -> [u8; 4] {
    let mean = |sum: u16| ((u32::from(sum) + samples / 2) / samples) as u8;
    [mean(r), mean(g), mean(b), 255]
}

/// Unpremultiplied colour and coverage of a pixel over the background, which is black, or white if inverted.
/// `full` is the sum at full coverage.
fn without_background([r, g, b, a]: [u16; 4], full: u32, invert: bool) -> [u8; 4] {
    let cover = u32::from(a).min(full);
    if cover == 0 {
        return [0; 4];
    }
    let behind = if invert { full - cover } else { 0 };
    let own = |sum: u16| {
        let own = u32::from(sum).saturating_sub(behind);
        ((own * 255 + cover / 2) / cover).min(255) as u8
    };
    let alpha = (cover * 255 + full / 2) / full;
    [own(r), own(g), own(b), alpha as u8]
}

/// Subpixel position of sample `index` of `count`, in pixels from the centre: Roberts' R2 sequence (2018), a
/// low-discrepancy sequence, centred. A single sample is at the centre.
fn place_in_pixel(index: u32, count: u32) -> Vec2 {
    /// 1/g and 1/g², where g is the root of g³ = g + 1.
    const STEP: [f64; 2] = [0.754_877_666_246_692_8, 0.569_840_290_998_053_3];
    let place = |index: u32| STEP.map(|step| (0.5 + step * f64::from(index)).fract());
    let sum = (0..count).map(place);
    let sum = sum.fold([0.0; 2], |a, b| [a[0] + b[0], a[1] + b[1]]);
    let [x, y] = place(index);
    let (x, y) = (x - sum[0] / f64::from(count), y - sum[1] / f64::from(count));
    Vec2::new(x as f32, y as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_lie_within_their_pixel_around_its_middle() {
        for count in 1..=MOST_SAMPLES {
            let places: Vec<_> = (0..count).map(|i| place_in_pixel(i, count)).collect();
            let mean = places.iter().sum::<Vec2>() / count as f32;
            assert!(mean.length() < 1e-6, "{count}: {mean}");
            assert!(places.iter().all(|p| p.abs().max_element() < 0.75));
            for (i, a) in places.iter().enumerate() {
                let near = places[..i].iter().any(|b| (*a - *b).length() < 0.1);
                assert!(!near, "{count}: two samples in one place");
            }
        }
        assert_eq!(place_in_pixel(0, 1), Vec2::ZERO);
    }

    #[test]
    fn half_covered_pixels_keep_their_colour() {
        assert_eq!(
            without_background([100, 50, 0, 127], 255, false),
            [201, 100, 0, 127]
        );
        assert_eq!(
            without_background([228, 178, 128, 127], 255, true),
            [201, 100, 0, 127]
        );
        assert_eq!(without_background([0, 0, 0, 0], 255, false), [0; 4]);
        assert_eq!(without_background([255, 255, 255, 0], 255, true), [0; 4]);
        assert_eq!(average([510, 0, 3, 510], 2), [255, 0, 2, 255]);
    }
}
