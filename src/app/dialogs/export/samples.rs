//! Resolution of the exported file, and detail levels beyond the map.

use std::ops::RangeInclusive;

use egui::{Id, Ui};

use crate::app::controls::drop_down::choose;
use crate::app::controls::number::number_box;
use crate::app::state::exporting::Exporting;
use crate::app::state::{Derived, Shown};
use crate::files::export::Resolution;
use crate::generate::{MAX_ITERATIONS, MAX_ITERATIONS_IN_MEMORY};
use crate::util::language::tr;

/// Draw the row for the number of samples.
pub fn samples_ui(ui: &mut Ui, label: Id, exporting: &mut Exporting, derived: &Derived) {
    let of = |samples: Resolution| {
        let shown = derived.shown.as_ref();
        let full = |side: usize, stride: usize| side.saturating_sub(1) * stride + 1;
        shown.map_or(String::new(), |shown| {
            let side = |side| full(side, shown.stride << exporting.levels.min(MOST_LEVELS));
            let [rows, columns] = samples.of(side(shown.rows), side(shown.columns));
            format!(": {columns} × {rows}")
        })
    };
    let name = |samples: Resolution| {
        let words = match samples {
            Resolution::AsIs => tr("as it is"),
            Resolution::PowerOfTwo => "2ⁿ",
            Resolution::PowerOfTwoPlusOne => "2ⁿ + 1",
            Resolution::Unreal => tr("Unreal's"),
            Resolution::Exactly(_) => tr("exactly"),
        };
        words.to_owned() + &of(samples)
    };
    let exactly = match exporting.samples {
        Resolution::Exactly(side) => side,
        _ => 1000,
    };
    let mut choices = vec![
        (Resolution::AsIs, tr("As many as the map has.")),
        (
            Resolution::PowerOfTwo,
            tr("Without the last row and column, which repeat the first where the map tiles."),
        ),
        (
            Resolution::PowerOfTwoPlusOne,
            tr("One more than a power of two: Unity's sizes."),
        ),
        (
            Resolution::Unreal,
            tr("The nearest of the sizes that Unreal recommends; interpolated."),
        ),
        (
            Resolution::Exactly(exactly),
            tr("Any number; interpolated."),
        ),
    ];
    if exporting.format().is_mesh() {
        choices.retain(|(samples, _)| *samples != Resolution::PowerOfTwo);
    }
    let choices = choices
        .into_iter()
        .map(|(samples, help)| (samples, name(samples), help));
    let shown = name(exporting.samples);
    ui.vertical(|ui| {
        choose(ui, label, &shown, &mut exporting.samples, choices);
        if let Resolution::Exactly(side) = &mut exporting.samples {
            let most = crate::files::import::MAX_SIDE;
            ui.add(number_box(ui, side, 2..=most).suffix(tr(" samples")));
        }
    });
}

/// Maximum number of detail levels beyond the map in a file of the whole map.
const MOST_LEVELS: u32 = MAX_ITERATIONS_IN_MEMORY - 1;

/// Draw the row for the number of detail levels beyond the map's last iteration.
pub fn levels_ui(ui: &mut Ui, label: Id, exporting: &mut Exporting, shown: &Shown) {
    let cells = (shown.rows.max(shown.columns) - 1) * shown.stride;
    let level = cells.next_power_of_two().ilog2();
    let most = match exporting.region {
        Some(_) => MAX_ITERATIONS,
        None => MAX_ITERATIONS_IN_MEMORY,
    };
    let range: RangeInclusive<u32> = 0..=most.saturating_sub(level);
    let mut levels = exporting.levels.min(*range.end());
    let number = ui.add(number_box(ui, &mut levels, range));
    if levels != exporting.levels {
        exporting.set_levels(levels);
    }
    number.labelled_by(label).on_hover_text(tr(
        "Each level halves the distance between samples: the ground goes on as rough as it is, \
         and every height stays.",
    ));
}
