//! About window.

use egui::Context;

use super::{middle, sheet};
use crate::app::state::Derived;
use crate::util::language::{mark, tr};

/// Title of the dialog.
pub const TITLE: &str = mark("About Landform");

/// Draw the dialog; closing it clears `open`.
pub fn about_ui(ctx: &Context, open: &mut bool, derived: &Derived) {
    sheet(TITLE, open, middle(derived))
        .default_width(380.0)
        .show(ctx, |ui| {
            ui.heading(tr!("Landform {}", env!("CARGO_PKG_VERSION")));
            ui.label(tr(
                "Fractal landscapes: measured, exact, instant. A viewer, a command and a library.",
            ));
            ui.add_space(6.0);
            ui.label(tr("Based on Paul Martz's program for his article \
                     “Generating Random Fractal Terrain” (1996), and taken further."));
            ui.add_space(6.0);
            ui.label(tr!("Licence: {}", env!("CARGO_PKG_LICENSE")));
        });
}
