//! Distance images, and their difference in pixels: the screen-space error of level of detail.

use std::rc::Rc;

use glium::Surface;
use glium::backend::Context;
use glium::framebuffer::{DepthRenderBuffer, SimpleFrameBuffer};
use glium::texture::{DepthFormat, UncompressedFloatFormat};

use crate::scene::Scene;
use crate::terrain::grid::Grid;
use crate::util::parallel;

use super::error::{Refused, Result};
use super::gl::Values;
use super::gl::programs::Shader;
use super::gl::texture;
use super::ground::Seen;
use super::meshes::CellPart;
use super::pass::Pass;
use super::raycast::{DepthLayers, Field, Shown, Sight};
use super::textures::heights::HeightTexture;
use super::view::{Eye, Frame};

/// Maximum error that is measured, in pixels.
const FARTHEST: usize = 16;

/// Distance of the visible ground from the eye, per pixel.
#[derive(Clone, Debug, PartialEq)]
pub struct Distances {
    /// Distances in half tiles, top row first; infinite where there is no ground.
    pub pixels: Grid<f32>,
}

impl Distances {
    /// Draw the distances of `map` without its sides; `detail` as for `Seen::new`.
    pub(super) fn new(pass: &Pass<'_>, map: &HeightTexture, detail: f32) -> Result<Self> {
        let context: &Rc<Context> = pass.context;
        let (width, height) = pass.size;
        let picture = texture::empty(
            context,
            UncompressedFloatFormat::U8U8U8U8,
            pass.size,
            "the picture of distances",
        )?;
        let depth = DepthRenderBuffer::new(context, DepthFormat::I24, width, height)
            .refused("the depth buffer")?;
        let mut surface = SimpleFrameBuffer::with_depth_buffer(context, &picture, &depth)
            .refused("the picture of distances")?;
        // The picture's four bytes hold a float, so it is cleared to the bytes of infinity.
        let [r, g, b, a] = f32::INFINITY
            .to_le_bytes()
            .map(|byte| f32::from(byte) / 255.0);
        surface.clear_color_and_depth((r, g, b, a), 1.0);
        Seen::new(pass, map, detail).draw(
            pass,
            &mut surface,
            CellPart::Faces,
            Shader::DistanceBytes,
            &Values::default(),
            pass.with_depth(),
        )?;
        let rows: Vec<Vec<(u8, u8, u8, u8)>> = picture.read();
        // The first row of OpenGL is the bottom one.
        let pixels = rows.into_iter().rev().flatten();
        let pixels = pixels.map(|(a, b, c, d)| f32::from_le_bytes([a, b, c, d]));
        let pixels = Grid::from_vec(height as usize, width as usize, pixels.collect())
            .ok_or("too few pixels")
            .refused("the picture of distances")?;
        Ok(Self { pixels })
    }

    /// Compute the same image by ray casting instead of drawing, on the current rayon pool. `None` if the
    /// camera looks straight down in parallel projection, if the picture shows directions more than about 78°
    /// below or above the horizon, or if tiles do not join and leave cliffs.
    ///
    /// The ground is exact where a cell of the map is larger than a pixel. Cost: one or two traversals of the
    /// cells below each column of pixels; 10 to 40 ms on two threads for 1280 × 720 pixels and nine tiles of
    /// 1025² samples.
    #[must_use]
    pub fn walked(field: &Field, scene: &Scene, size: (u32, u32)) -> Option<Self> {
        let eye = Eye::new(&scene.camera, size);
        let frame = Frame::whole(size);
        let shown = Shown {
            tiles: scene.view.tile,
            floor: f32::NEG_INFINITY,
            water: None,
            detail: scene.view.detail,
            smooth: false,
            has_rays: false,
        };
        let sight = Sight::new(&eye, &frame, shown)?;
        if !field.is_shown_by(&sight, None) {
            return None;
        }
        let mut survey = DepthLayers::default();
        survey.find(field, &[], &sight, 0..sight.strips());
        let [first, right, up] = eye.rays(size, [0, 0]).map(|(_, way)| way);
        let (width, height) = (size.0 as usize, size.1 as usize);
        let layers = survey.layers(&sight, 0..height);
        let mut pixels = Grid::filled(height, width, f32::INFINITY);
        let lines = pixels.as_mut_slice().chunks_exact_mut(width).rev();
        let lines = parallel::par_items(lines.zip(layers.chunks_exact(width)));
        lines.for_each(|line, (pixels, layers)| {
            let row = first + up * (line as f32 + 0.5);
            for (column, (pixel, layer)) in pixels.iter_mut().zip(layers).enumerate() {
                let ray = row + right * (column as f32 + 0.5);
                *pixel = layer[0] * ray.length();
            }
        });
        Some(Self { pixels })
    }

    /// Screen-space error of every pixel that shows ground: its distance in pixels from the same ground in
    /// `truth`. 0.5 means the same pixel, 1 between the adjacent pixels, 2 within two pixels, and so on up to
    /// 16. A point is found where the distances in `truth` enclose its own. Returns nothing for pictures of
    /// different sizes.
    #[must_use]
    pub fn errors(&self, truth: &Self) -> Vec<f32> {
        let (rows, columns) = (self.pixels.rows(), self.pixels.columns());
        if (rows, columns) != (truth.pixels.rows(), truth.pixels.columns()) {
            return Vec::new();
        }
        let errors = parallel::par_items(0..rows).map(|_, row| {
            let pixels = self.pixels.row(row).iter().enumerate();
            let shown = pixels.filter(|(_, distance)| distance.is_finite());
            let errors = shown.map(|(column, distance)| truth.radius(row, column, *distance));
            errors.collect::<Vec<_>>()
        });
        errors.concat()
    }

    /// Errors in both directions, sorted.
    #[must_use]
    pub fn apart(&self, other: &Self) -> Vec<f32> {
        let mut errors = self.errors(other);
        errors.extend(other.errors(self));
        errors.sort_by(f32::total_cmp);
        errors
    }

    /// Radius in pixels around a pixel within which the ground has this distance.
    fn radius(&self, row: usize, column: usize, distance: f32) -> f32 {
        let (rows, columns) = (self.pixels.rows(), self.pixels.columns());
        let own = self.pixels.at(row, column);
        let mut half = (f32::INFINITY, f32::NEG_INFINITY);
        let mut full = half;
        let join = |(low, high): (f32, f32), at: f32| (low.min(at), high.max(at));
        for radius in 0..=FARTHEST {
            let down = row.saturating_sub(radius)..=(row + radius).min(rows - 1);
            for r in down {
                let across = column.saturating_sub(radius)..=(column + radius).min(columns - 1);
                for c in across {
                    if r.abs_diff(row).max(c.abs_diff(column)) != radius {
                        continue;
                    }
                    let at = self.pixels.at(r, c);
                    if at.is_finite() {
                        full = join(full, at);
                        if radius <= 1 && own.is_finite() {
                            half = join(half, (own + at) * 0.5);
                        }
                    }
                }
            }
            if radius == 1 && (half.0..=half.1).contains(&distance) {
                return 0.5;
            }
            if radius >= 1 && (full.0..=full.1).contains(&distance) {
                return radius as f32;
            }
        }
        FARTHEST as f32
    }
}
