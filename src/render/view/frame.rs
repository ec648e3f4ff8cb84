//! Frames: parts of a picture, for pictures larger than any buffer, supersampling and transparency.
//!
//! A piece is drawn with the viewport of the whole picture, offset so that the piece lies in the buffer.
//! Shaders see the same clip space and derivatives as in one piece, so the pixels are identical. Known
//! artefact: one in a thousand pixels of textured ground is off by a rounding, where the driver counts from
//! the buffer's corner.
//!
//! Within its buffer a piece may be drawn rectangle by rectangle. This changes only the scissor, so those
//! pixels are identical to the last bit.

use glam::{Mat4, Vec2, Vec4, Vec4Swizzles};
use glium::Rect;

use crate::pipeline::Depth;
use crate::render::view::camera::Bounds;

/// Margin in pixels for primitives wider than their geometry, such as lines.
const MARGIN: f32 = 4.0;

/// A part of a picture. Pixels are counted from the lower left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frame {
    /// Size of the whole picture.
    pub(crate) whole: (u32, u32),
    /// First column and row of the part.
    pub(crate) origin: [u32; 2],
    /// Size of the part.
    pub(crate) size: (u32, u32),
    /// Subpixel offset, in pixels.
    pub(crate) jitter: Vec2,
    /// True to leave out everything behind the landscape.
    pub(crate) transparent: bool,
    /// True to show the uploaded mask, if any, over the ground.
    pub(crate) masked: bool,
    /// True if the ground is ray cast.
    pub(crate) walked: bool,
    /// Depth of the visible refinement, if the ground is refined.
    pub(crate) depth: Option<Depth>,
    /// Size to which the picture will be enlarged before text is drawn over it.
    pub(crate) enlarged: Option<(u32, u32)>,
    /// Current rectangle within the part, the rest is kept; `None` for all of it.
    pub(crate) drawn: Option<Rect>,
}

impl Frame {
    /// A whole picture.
    pub(crate) fn whole(size: (u32, u32)) -> Self {
        Self {
            whole: size,
            origin: [0, 0],
            size,
            jitter: Vec2::ZERO,
            transparent: false,
            masked: false,
            walked: false,
            depth: None,
            enlarged: None,
            drawn: None,
        }
    }

    fn is_whole(&self) -> bool {
        self.size == self.whole
    }

    /// Viewport of the whole picture, relative to the part; `None` for the default.
    pub(crate) fn viewport(&self) -> Option<Rect> {
        // glium passes these values to OpenGL as signed integers.
        let before = |origin: u32| (origin as i32).wrapping_neg() as u32;
        (!self.is_whole()).then(|| Rect {
            left: before(self.origin[0]),
            bottom: before(self.origin[1]),
            width: self.whole.0,
            height: self.whole.1,
        })
    }

    /// The subpixel offset in clip space.
    pub(crate) fn shift(&self) -> Vec2 {
        self.jitter * 2.0 / Vec2::new(self.whole.0 as f32, self.whole.1 as f32)
    }

    /// Current rectangle, counted from the lower left of the part.
    pub(crate) fn rectangle(&self) -> Rect {
        self.drawn.unwrap_or(Rect {
            left: 0,
            bottom: 0,
            width: self.size.0,
            height: self.size.1,
        })
    }

    /// Lower left and upper right corner of the current rectangle in clip space, with a margin for wide
    /// primitives; `None` for the whole picture.
    pub(crate) fn part(&self) -> Option<(Vec2, Vec2)> {
        if self.is_whole() && self.drawn.is_none() {
            return None;
        }
        let drawn = self.rectangle();
        let whole = Vec2::new(self.whole.0 as f32, self.whole.1 as f32);
        let origin = Vec2::new(self.origin[0] as f32, self.origin[1] as f32);
        let low = origin + Vec2::new(drawn.left as f32, drawn.bottom as f32);
        let high = low + Vec2::new(drawn.width as f32, drawn.height as f32);
        let clip = |pixel: Vec2| pixel * 2.0 / whole - 1.0;
        Some((clip(low - MARGIN), clip(high + MARGIN)))
    }

    /// Bounding rectangle of a box in the part.
    pub(crate) fn place(&self, bounds: &Bounds, clip_from_world: Mat4) -> Rect {
        let whole = Vec2::new(self.whole.0 as f32, self.whole.1 as f32);
        let origin = Vec2::new(self.origin[0] as f32, self.origin[1] as f32);
        let size = Vec2::new(self.size.0 as f32, self.size.1 as f32);
        let corners = bounds
            .corners()
            .map(|corner| clip_from_world * corner.extend(1.0));
        // Clip at the near plane: corners in front of it, and intersections of edges with it.
        let before = |corner: Vec4| corner.z + corner.w;
        let edges = (0..corners.len()).flat_map(|a| [1, 2, 4].map(|axis| (a, a ^ axis)));
        let edges = edges.map(|(a, b)| (corners[a], corners[b]));
        let cut = edges.filter(|(a, b)| before(*a) > 0.0 && before(*b) < 0.0);
        let cut = cut.map(|(a, b)| a.lerp(b, before(a) / (before(a) - before(b))));
        let left = corners.into_iter().filter(|corner| before(*corner) >= 0.0);
        let nowhere = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        let (low, high) = (left.chain(cut))
            .map(|corner| corner.xy() / corner.w)
            .fold(nowhere, |(low, high), at| (low.min(at), high.max(at)));
        let pixel = |clip: Vec2, margin: f32| {
            let pixel = (clip + 1.0) * 0.5 * whole - origin + margin;
            pixel.clamp(Vec2::ZERO, size)
        };
        let (low, high) = (pixel(low, -MARGIN).floor(), pixel(high, MARGIN).ceil());
        Rect {
            left: low.x as u32,
            bottom: low.y as u32,
            width: (high.x - low.x).max(0.0) as u32,
            height: (high.y - low.y).max(0.0) as u32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn visible_part_of_a_box_lies_in_place() {
        let view = Mat4::look_to_rh(
            Vec3::new(0.1, 0.3, 0.2),
            Vec3::new(0.5, -0.3, -1.0),
            Vec3::Y,
        );
        let clip = Mat4::perspective_rh_gl(1.0, 1.5, 0.05, 20.0) * view;
        let part = Frame {
            origin: [128, 64],
            size: (500, 333),
            ..Frame::whole((900, 600))
        };
        let mut small = 0;
        for place in 0..125 {
            // Boxes around the eye, behind it, in front of it and to its side.
            let place = [place % 5, place / 5 % 5, place / 25];
            let low = Vec3::from_array(place.map(|at| at as f32 * 0.6 - 1.5));
            let bounds = Bounds {
                low,
                high: low + Vec3::new(0.7, 0.4, 0.7),
            };
            let rect = part.place(&bounds, clip);
            small += u32::from(rect.width * rect.height < 500 * 333 / 2);
            for point in 0..1331 {
                let at = [point % 11, point / 11 % 11, point / 121];
                let at = Vec3::from_array(at.map(|at| at as f32 / 10.0));
                let at = clip * (low + (bounds.high - low) * at).extend(1.0);
                let pixel = (at.xy() / at.w + 1.0) * 0.5 * Vec2::new(900.0, 600.0);
                let pixel = pixel - Vec2::new(128.0, 64.0);
                let is_seen = at.z >= -at.w
                    && pixel.cmpge(Vec2::ZERO).all()
                    && pixel.cmplt(Vec2::new(500.0, 333.0)).all();
                let (x, y) = (pixel.x as u32, pixel.y as u32);
                let is_within = (rect.left..rect.left + rect.width).contains(&x)
                    && (rect.bottom..rect.bottom + rect.height).contains(&y);
                assert!(!is_seen || is_within, "{bounds:?}: {pixel} not in {rect:?}");
            }
        }
        // The bound must be tighter than the whole picture.
        assert!(small > 60, "{small}");
    }
}
