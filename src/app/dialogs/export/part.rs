//! Region of the map to export.

use egui::{Id, RichText, Ui};

use crate::app::controls::drop_down::choose;
use crate::app::controls::figures::shown_length;
use crate::app::controls::number::number_box;
use crate::app::state::Shown;
use crate::app::state::exporting::Exporting;
use crate::fractal::refinement::Refinement;
use crate::util::language::tr;

/// Maximum number of samples along each side of a region.
const MOST: usize = 1 << 20;

/// Draw the row for the region, if one is exported. `shown` is the map on screen, `tile_size_m` the
/// side of its tiles in metres.
pub fn part_ui(ui: &mut Ui, label: Id, exporting: &mut Exporting, shown: &Shown, tile_size_m: f32) {
    let cells = [shown.columns, shown.rows].map(|side| ((side - 1) * shown.stride) as u64);
    let [columns, rows] = cells.map(|cells| cells << exporting.levels.min(Refinement::MOST_LEVELS));
    let choices = [
        (None, tr("the whole map"), tr("All samples.")),
        (
            exporting.region,
            tr("a rectangle"),
            tr("Samples of a part of the map alone, as deep as numbers tell them apart."),
        ),
    ];
    let choices = choices.map(|(region, name, help)| (region, name.to_owned(), help));
    ui.vertical(|ui| {
        choose(ui, label, tr("a rectangle"), &mut exporting.region, choices);
        let levels = exporting.levels;
        let Some(region) = &mut exporting.region else {
            return;
        };
        let sides = [
            ("x", columns, &mut region.column, &mut region.columns),
            ("z", rows, &mut region.row, &mut region.rows),
        ];
        for (axis, last, first, count) in sides {
            *first = (*first).min(last);
            *count = (*count).clamp(1, MOST.min((last - *first) as usize + 1));
            ui.horizontal(|ui| {
                ui.add(number_box(ui, first, 0..=last).prefix(format!("{axis} ")));
                let most = MOST.min((last - *first) as usize + 1);
                ui.add(number_box(ui, count, 1..=most).suffix(tr(" samples")));
            });
        }
        let longest = cells[0].max(cells[1]).max(1);
        let apart = f64::from(tile_size_m) / longest as f64 / f64::from(levels).exp2();
        let words = tr!(
            "Level {} + {levels}: {} × {} samples, {} apart",
            longest.next_power_of_two().ilog2(),
            region.columns,
            region.rows,
            shown_length(apart),
            levels
        );
        ui.label(RichText::new(words).small().weak());
    });
}
