//! What the program is.

use egui::Context;

use super::sheet;

/// The title of the dialog.
pub const TITLE: &str = "About Landform";

/// Draws the dialog; its cross sets `open`.
pub fn about_ui(ctx: &Context, open: &mut bool) {
    sheet(TITLE, open).default_width(380.0).show(ctx, |ui| {
        ui.heading(format!("Landform {}", env!("CARGO_PKG_VERSION")));
        ui.label(env!("CARGO_PKG_DESCRIPTION"));
        ui.add_space(6.0);
        ui.label(
            "Based on Paul Martz's program for his article \
             “Generating Random Fractal Terrain” (1996), and taken further.",
        );
        ui.add_space(6.0);
        ui.label(format!("Licence: {}", env!("CARGO_PKG_LICENSE")));
    });
}
