//! Figures of a watershed: area, share of the land, longest river and outlet.

use egui::{Grid, Label, RichText, Ui};

use crate::app::controls::figures::{shown_area, shown_length};
use crate::pipeline::{ShownWatershed, pour_point};
use crate::scene::Scene;
use crate::terrain::geo::Georeference;
use crate::terrain::measure::IN_THE_SEA;
use crate::util::language::tr;
use crate::util::numbers::{fixed, metres_per_unit};

/// Draw the figures of the scene's watershed, or a hint if there is none. The outlet is in map
/// coordinates where the map is georeferenced.
pub fn watershed_figures(
    ui: &mut Ui,
    scene: &Scene,
    shown: Option<&ShownWatershed>,
    georeference: Option<&Georeference>,
) {
    let Some(asked) = scene.analysis.watershed else {
        ui.weak(tr("Click on the land."));
        return;
    };
    let place = |[x, z]: [f32; 2]| format!("x {}, z {}", fixed(x, 3), fixed(z, 3));
    let Some(shown) = shown else {
        let words = match pour_point(scene) {
            Some(_) => "…",
            None => tr("not with a single pass on screen"),
        };
        ui.weak(format!("{}: {words}", place(asked)));
        return;
    };
    let watershed = &shown.watershed;
    if watershed.is_empty() {
        let words = tr!("{} is {}.", place(shown.outlet), tr(IN_THE_SEA));
        ui.add(Label::new(words).wrap());
        return;
    }
    let metres = metres_per_unit(scene.surface.tile_size_m);
    let outlet = georeference.map_or_else(
        || place(shown.outlet),
        |georeference| georeference.format_point(shown.outlet_from_corner),
    );
    let away = shown_length(f64::from(watershed.moved) * metres);
    // The analysis fills depressions even if rivers and lakes are off in the picture.
    let outlet = match (watershed.moved > 0.0, watershed.in_lake) {
        (false, _) => outlet,
        (true, true) => tr!(
            "{outlet}, where this hollow overflows, {away} away",
            outlet,
            away
        ),
        (true, false) => tr!("{outlet}, in the river {away} away", outlet, away),
    };
    let rows = [
        (
            tr("Area"),
            shown_area(watershed.area * metres * metres),
            tr("The land that drains through the outlet."),
        ),
        (
            tr("Share"),
            tr!(
                "{} % of the land",
                format_args!("{:.2}", watershed.share * 100.0)
            ),
            tr("Of all land above the sea."),
        ),
        (
            tr("Longest river"),
            shown_length(watershed.longest * metres),
            tr("From its spring to the outlet."),
        ),
        (
            tr("Outlet"),
            outlet,
            tr(
                "The dot. A point beside a river means the river, one in a hollow, with or without a lake \
                 in the picture, the place where its water overflows.",
            ),
        ),
        (
            tr("Ends in"),
            tr(watershed.end.words()).to_owned(),
            tr("Where the water goes from the outlet."),
        ),
    ];
    Grid::new("watershed figures")
        .num_columns(2)
        .spacing([10.0, 3.0])
        .show(ui, |ui| {
            for (label, value, help) in rows {
                ui.add(Label::new(RichText::new(label).weak()))
                    .on_hover_text(help);
                let value = RichText::new(value).color(ui.visuals().strong_text_color());
                ui.add(Label::new(value)).on_hover_text(help);
                ui.end_row();
            }
        });
}
