//! Palette drop-down with colour swatches.

use egui::epaint::{Mesh, Vertex, WHITE_UV};
use egui::{Color32, Rect, Sense, Shape, Ui, Vec2, vec2};

use super::row::Row;
use crate::app::controls::drop_down::drop_down;
use crate::scene::View;
use crate::shading::texture::Palette;
use crate::util::language::{tr, translated};

/// Number of quads in a swatch.
const STEPS: usize = 48;

/// Draw the row.
pub fn palette_ui(ui: &mut Ui, view: &mut View, was: &View, unused: Option<&str>) {
    let default = View::default().palette;
    let names: Vec<_> = Palette::builtin()
        .iter()
        .map(|palette| &*palette.name)
        .collect();
    let row = Row {
        label: tr("Palette"),
        help: &tr!(
            "Colours from the lowest height to the highest.\n\n\
             Default: {default}. Double-click to reset.",
            default
        ),
        differs: view.palette != was.palette,
        unused,
        words: &names,
    };
    let palette = &mut view.palette;
    let shown = row.show(ui, |ui, label| {
        let swatch_width = 58.0;
        if let Ok(shown) = Palette::named(palette) {
            swatch_ui(ui, shown, vec2(swatch_width, 14.0));
        }
        let all = Palette::builtin();
        let is_chosen = |index: usize| all[index].name == *palette;
        let choice = |ui: &mut Ui, index: usize| {
            let choice = &all[index];
            let line = ui.horizontal(|ui| {
                swatch_ui(ui, choice, vec2(72.0, 14.0));
                ui.selectable_label(is_chosen(index), translated(&choice.name))
            });
            line.inner.on_hover_text(translated(&choice.help)).clicked()
        };
        // A palette from a file is not in the list.
        let place = ((0..all.len()).find(|index| is_chosen(*index)), all.len());
        let (combo, chosen) = drop_down(ui, label, 0.0, &translated(palette), place, choice);
        row.explain(combo);
        if let Some(chosen) = chosen {
            palette.clone_from(&all[chosen].name);
        }
    });
    if let Some((true, ())) = shown {
        palette.clone_from(&was.palette);
    }
}

/// Draw a strip with the colours of a palette.
fn swatch_ui(ui: &mut Ui, palette: &Palette, size: Vec2) {
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    if ui.is_rect_visible(rect) {
        ui.painter().add(Shape::mesh(swatch(palette, rect)));
    }
}

fn swatch(palette: &Palette, rect: Rect) -> Mesh {
    let mut mesh = Mesh::default();
    for (i, [r, g, b]) in palette.table(STEPS).into_iter().enumerate() {
        let x = |i: usize| rect.left() + rect.width() * i as f32 / STEPS as f32;
        let cell = Rect::from_x_y_ranges(x(i)..=x(i + 1), rect.y_range());
        let first = mesh.vertices.len() as u32;
        for pos in [
            cell.left_top(),
            cell.right_top(),
            cell.right_bottom(),
            cell.left_bottom(),
        ] {
            mesh.vertices.push(Vertex {
                pos,
                uv: WHITE_UV,
                color: Color32::from_rgb(r, g, b),
            });
        }
        mesh.add_triangle(first, first + 1, first + 2);
        mesh.add_triangle(first, first + 2, first + 3);
    }
    mesh
}
