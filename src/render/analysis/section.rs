//! Cross-section on the ground: its line and the end marks.

use glam::{Vec3, Vec4Swizzles};

use super::canvas::Canvas;
use super::desk::Desk;
use super::scale::{letters, line_width};
use super::sprites::Sprites;
use super::strips::Strips;
use crate::render::view::camera::Eye;

/// Colour of the line and of the marks.
pub(super) const SECTION: [f32; 3] = [0.80, 0.10, 0.18];

impl Desk<'_> {
    /// Add the line of the cross-section, red with a white border.
    pub(super) fn section(&self, ends: [[f32; 2]; 2], lines: &mut Strips) {
        let width = line_width(self.size);
        let [r, g, b] = SECTION;
        lines.line(&ends, false, width * 5.0, [1.0, 1.0, 1.0, 0.85]);
        lines.line(&ends, false, width * 2.6, [r, g, b, 1.0]);
    }

    /// Add the marks A and B at the ends.
    pub(super) fn marks(&self, ends: [Option<[f32; 2]>; 2], sprites: &mut Sprites) {
        let size = letters(self.size);
        let radius = size * 0.72;
        for (words, end) in ["A", "B"].into_iter().zip(ends) {
            let Some(end) = end else {
                continue;
            };
            let mut mark = Canvas::new(2.0 * radius + 4.0, 2.0 * radius + 4.0);
            let middle = [mark.width() as f32 * 0.5, mark.height() as f32 * 0.5];
            let disc = |mark: &mut Canvas, radius: f32, color| {
                let (low, high) = (middle.map(|m| m - radius), middle.map(|m| m + radius));
                mark.rounded(low, high, radius, (color, 1.0));
            };
            disc(&mut mark, radius + 1.2, [1.0; 3]);
            disc(&mut mark, radius, SECTION);
            mark.words_around(words, size, middle, [1.0; 3]);
            let picture = sprites.picture(mark);
            sprites.put(picture, end, 0.0);
        }
    }

    /// Project a point of the cross-section on the ground into the picture, in pixels.
    pub(super) fn seen(&self, place: [f32; 2]) -> Option<[f32; 2]> {
        let (tiles, side) = (self.scene.view.tile, self.map.layout.side);
        let tile = [0, 1].map(|i: usize| {
            (place[i] / side[i] + 0.5)
                .floor()
                .clamp(0.0, tiles as f32 - 1.0)
                * side[i]
        });
        let height = self
            .relief?
            .height_at(place[0] - tile[0], place[1] - tile[1]);
        let middle = side.map(|side| (tiles as f32 - 1.0) * 0.5 * side);
        let world = Vec3::new(place[0] - middle[0], height, place[1] - middle[1]);
        let eye = Eye::new(&self.scene.camera, self.size);
        let clip = eye.clip_from_world(0.001, 1000.0) * world.extend(1.0);
        if clip.w <= 0.0 {
            return None;
        }
        let at = clip.xy() / clip.w;
        let picture = [self.size.0 as f32, self.size.1 as f32];
        Some([
            (at.x + 1.0) * 0.5 * picture[0],
            (1.0 - at.y) * 0.5 * picture[1],
        ])
    }
}
