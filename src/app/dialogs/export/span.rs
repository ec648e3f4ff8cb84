//! Mapping from heights to the numbers in the exported file.

use std::ops::RangeInclusive;

use egui::{Id, Ui};

use crate::app::controls::drop_down::choose;
use crate::app::controls::number::number_box;
use crate::app::state::exporting::Exporting;
use crate::files::export::Span;
use crate::util::language::tr;

/// Allowed limits of a height range.
const ANY: RangeInclusive<f32> = f32::MIN..=f32::MAX;

/// Draw the row for the height range.
pub fn span_ui(ui: &mut Ui, label: Id, exporting: &mut Exporting) {
    let is_whole = exporting.format().levels.is_some();
    let kind = |span: Span| match (span, is_whole) {
        (Span::Own, true) => tr("the map's range"),
        (Span::Own, false) => tr("usual for the format"),
        (Span::Heights(..), _) => tr("between two heights"),
        (Span::MetresBetween(..), _) => tr("between two heights in m"),
        (Span::Metres, true) => tr("one step per metre"),
        (Span::Metres, false) => tr("metres"),
        (Span::Unit, _) => tr("0 to 1"),
    };
    let (heights, metres) = match exporting.span {
        Span::Heights(low, high) => ((low, high), (low * 1000.0, high * 1000.0)),
        Span::MetresBetween(low, high) => ((low / 1000.0, high / 1000.0), (low, high)),
        _ => ((-1.0, 1.0), (-1000.0, 1000.0)),
    };
    let mut choices = vec![
        (
            Span::Own,
            tr(
                "The lowest and highest heights become the lowest and highest numbers; floating-point \
                 numbers as is usual in the format.",
            ),
        ),
        (
            Span::Metres,
            tr("Whole numbers: one step per metre. Floating-point numbers: metres."),
        ),
    ];
    if is_whole {
        let between = tr("The same range for every map, so that neighbours fit together.");
        choices.push((Span::Heights(heights.0, heights.1), between));
        choices.push((Span::MetresBetween(metres.0, metres.1), between));
    } else {
        choices.push((Span::Unit, tr("0 is the lowest height, 1 the highest.")));
    }
    if !choices.iter().any(|(span, _)| *span == exporting.span) {
        exporting.span = Span::Own;
    }
    let choices = choices
        .into_iter()
        .map(|(span, help)| (span, kind(span).to_owned(), help));
    let shown = kind(exporting.span);
    ui.vertical(|ui| {
        choose(ui, label, shown, &mut exporting.span, choices);
        let (low, high, speed, suffix) = match &mut exporting.span {
            Span::Heights(low, high) => (low, high, 0.01, ""),
            Span::MetresBetween(low, high) => (low, high, 1.0, " m"),
            _ => return,
        };
        ui.horizontal(|ui| {
            let below = *low;
            ui.add(number_box(ui, low, ANY).speed(speed).suffix(suffix));
            ui.label(tr("to"));
            ui.add(number_box(ui, high, ANY).speed(speed).suffix(suffix));
            // The upper limit stays above the lower one, since an empty range is not valid.
            if *high <= *low {
                *high = if *low == below { *high } else { *low };
                *high = high.max(*low + speed as f32);
            }
        });
    });
}
