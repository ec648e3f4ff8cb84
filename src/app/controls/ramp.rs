//! Strip with the colours of a palette.

use egui::epaint::Mesh;
use egui::{Color32, Rect, Shape, Ui};

use crate::scene::palette::Palette;

/// Number of quads of a strip.
const STEPS: usize = 48;

/// Paint the colours of a palette from the lowest height at the left to the highest at the right.
pub fn paint_ramp(ui: &Ui, palette: &Palette, rect: Rect) {
    if !ui.is_rect_visible(rect) {
        return;
    }
    let steps = STEPS.max(rect.width() as usize / 2);
    let mut mesh = Mesh::default();
    for (i, [r, g, b]) in palette.table(steps).into_iter().enumerate() {
        let x = |i: usize| rect.left() + rect.width() * i as f32 / steps as f32;
        let cell = Rect::from_x_y_ranges(x(i)..=x(i + 1), rect.y_range());
        mesh.add_colored_rect(cell, Color32::from_rgb(r, g, b));
    }
    ui.painter().add(Shape::mesh(mesh));
}
