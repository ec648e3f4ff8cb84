//! Triangle count and size of an exported mesh.

use egui::{Id, Ui};

use crate::app::controls::drop_down::choose;
use crate::app::controls::number::number_box;
use crate::app::state::exporting::{Exporting, Triangles};
use crate::files::export::MeshUnit;
use crate::util::language::tr;

/// Draw the row for the triangles.
pub fn triangles_ui(ui: &mut Ui, label: Id, exporting: &mut Exporting) {
    let kind = |triangles: Triangles| match triangles {
        Triangles::All => tr("two per cell"),
        Triangles::AtMost(_) => tr("at most"),
        Triangles::Within(_) => tr("as few as an error allows"),
    };
    let choices = [
        (Triangles::All, tr("Every sample is a corner.")),
        (
            Triangles::AtMost(100_000),
            tr("Placed where they are needed most, without cracks."),
        ),
        (
            Triangles::Within(1.0),
            tr("No sample is farther from the surface than this, without cracks."),
        ),
    ];
    let choices = choices.map(|(choice, help)| {
        // The number entered before is kept.
        let same = kind(choice) == kind(exporting.triangles);
        let choice = if same { exporting.triangles } else { choice };
        (choice, kind(choice).to_owned(), help)
    });
    let shown = kind(exporting.triangles);
    ui.vertical(|ui| {
        choose(ui, label, shown, &mut exporting.triangles, choices);
        match &mut exporting.triangles {
            Triangles::All => {}
            Triangles::AtMost(count) => {
                ui.add(number_box(ui, count, 2..=1_000_000_000).speed(1000));
            }
            Triangles::Within(metres) => {
                let drag = number_box(ui, metres, 0.0..=10_000.0);
                ui.add(drag.speed(0.05).suffix(tr(" m")));
            }
        }
        let mesh = exporting.format().mesh();
        if mesh.is_some_and(|mesh| mesh.has_open_unit) {
            let mut metres = exporting.mesh_unit == MeshUnit::Metres;
            let shown = ui.checkbox(&mut metres, tr("In metres"));
            shown.on_hover_text(tr("Otherwise 1 is half a tile."));
            exporting.mesh_unit = if metres {
                MeshUnit::Metres
            } else {
                MeshUnit::Own
            };
        }
        if mesh.is_some_and(|mesh| mesh.is_printed) {
            let size = number_box(ui, &mut exporting.print_size_mm, 1.0..=10_000.0);
            ui.add(size.suffix(tr(" mm across")));
        }
    });
}
