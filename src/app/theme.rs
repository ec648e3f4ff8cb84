//! Visual theme of the window: dark slate with one accent colour.

use egui::epaint::text::{FontInsert, FontPriority, InsertFontFamily};
use egui::style::{Selection, WidgetVisuals};
use egui::{
    Color32, Context, CornerRadius, FontData, FontFamily, FontId, Margin, Stroke, TextStyle, Theme,
    Visuals, vec2,
};

/// Colour of active, changed or successful elements.
pub const ACCENT: Color32 = Color32::from_rgb(0x6F, 0xB5, 0x8A);
/// Colour of errors.
pub const ERROR: Color32 = Color32::from_rgb(0xE2, 0x7B, 0x66);
/// Colour of warnings.
pub const WARNING: Color32 = Color32::from_rgb(0xD9, 0xB4, 0x5B);
/// Background of panels.
pub const PANEL: Color32 = Color32::from_rgb(0x1B, 0x1E, 0x24);
/// Background of the scene before it is first drawn.
pub const BACKGROUND: Color32 = Color32::from_rgb(0x12, 0x14, 0x18);

const TEXT: Color32 = Color32::from_rgb(0xD5, 0xDA, 0xE1);
const STRONG: Color32 = Color32::from_rgb(0xF4, 0xF6, 0xF8);
const LINE: Color32 = Color32::from_rgb(0x30, 0x35, 0x3E);
const WIDGET: Color32 = Color32::from_rgb(0x2B, 0x30, 0x39);
const OUTLINE: Color32 = Color32::from_rgb(0x3C, 0x43, 0x4E);
const HOVERED: Color32 = Color32::from_rgb(0x38, 0x3F, 0x4A);
const PRESSED: Color32 = Color32::from_rgb(0x45, 0x4E, 0x5B);
const FIELD: Color32 = Color32::from_rgb(0x13, 0x16, 0x1A);

/// Font for Chinese: a subset of Noto Sans CJK (OFL), made by `scripts/chinese-font.sh`.
const CHINESE: &[u8] = include_bytes!("../../assets/fonts/NotoSansCJKsc-subset.otf");

/// Add a font as the last fallback of all text.
pub fn add_font(ctx: &Context, name: &str, data: FontData) {
    let families = [FontFamily::Proportional, FontFamily::Monospace];
    let families = families.map(|family| InsertFontFamily {
        family,
        priority: FontPriority::Lowest,
    });
    ctx.add_font(FontInsert::new(name, data, families.to_vec()));
}

/// Apply the theme to `ctx`. Call it once.
pub fn apply(ctx: &Context) {
    add_font(ctx, "Chinese", FontData::from_static(CHINESE));
    ctx.set_theme(Theme::Dark);
    ctx.set_visuals_of(Theme::Dark, visuals());
    ctx.style_mut_of(Theme::Dark, |style| {
        style.text_styles = [
            (TextStyle::Heading, FontId::proportional(15.0)),
            (TextStyle::Body, FontId::proportional(13.0)),
            (TextStyle::Button, FontId::proportional(13.0)),
            (TextStyle::Monospace, FontId::monospace(12.0)),
            (TextStyle::Small, FontId::proportional(11.0)),
        ]
        .into();
        style.spacing.item_spacing = vec2(6.0, 3.0);
        style.spacing.button_padding = vec2(7.0, 2.0);
        style.spacing.interact_size = vec2(40.0, 20.0);
        style.spacing.menu_margin = Margin::same(6);
        style.spacing.slider_rail_height = 4.0;
        style.spacing.combo_width = 40.0;
        style.spacing.tooltip_width = 320.0;
        style.spacing.scroll = egui::style::ScrollStyle::thin();
        style.interaction.tooltip_delay = 0.35;
        style.interaction.selectable_labels = false;
    });
}

fn visuals() -> Visuals {
    let mut visuals = Visuals::dark();
    visuals.panel_fill = PANEL;
    visuals.window_fill = PANEL;
    visuals.window_stroke = Stroke::new(1.0, LINE);
    visuals.window_corner_radius = CornerRadius::same(8);
    visuals.menu_corner_radius = CornerRadius::same(6);
    visuals.extreme_bg_color = FIELD;
    visuals.faint_bg_color = Color32::from_rgb(0x22, 0x26, 0x2D);
    visuals.slider_trailing_fill = true;
    // Each blink would redraw an otherwise unchanged window.
    visuals.text_cursor.blink = false;
    visuals.selection = Selection {
        bg_fill: Color32::from_rgb(0x3E, 0x7A, 0x58),
        stroke: Stroke::new(1.0, STRONG),
    };
    visuals.hyperlink_color = ACCENT;
    visuals.error_fg_color = ERROR;
    let widget = |fill: Color32, stroke: Color32, text: Color32| WidgetVisuals {
        bg_fill: fill,
        weak_bg_fill: fill,
        bg_stroke: Stroke::new(1.0, stroke),
        corner_radius: CornerRadius::same(4),
        fg_stroke: Stroke::new(1.0, text),
        expansion: 0.0,
    };
    visuals.widgets.noninteractive = widget(PANEL, LINE, TEXT);
    visuals.widgets.inactive = widget(WIDGET, OUTLINE, TEXT);
    visuals.widgets.hovered = widget(HOVERED, PRESSED, STRONG);
    visuals.widgets.active = widget(PRESSED, ACCENT, STRONG);
    visuals.widgets.open = widget(HOVERED, PRESSED, STRONG);
    visuals
}
