//! Preset browser: a sheet of thumbnails over the scene, the user's own presets first.

use std::borrow::Cow;

use egui::{
    Align, CentralPanel, Context, Id, Key, Layout, Popup, Rect, RichText, ScrollArea, Sense,
    TextEdit, TopBottomPanel, Ui, Vec2, pos2, vec2,
};

use crate::app::commands::{Action, Command, Own};
use crate::app::controls::button;
use crate::app::state::UiState;
use crate::app::state::browser::{Browser, Card, Found};
use crate::app::state::thumbnails::Thumbnails;
use crate::app::theme;
use crate::app::thumbnail::{caption, cover, frame, picture, picture_button};
use crate::files::import::Group;
use crate::scene::Scene;
use crate::util::language::{mark, tr, translated};

/// Minimum width of a card in points, its height relative to the width, and the gap between cards
/// in points.
const LEAST_WIDTH: f32 = 168.0;
const HEIGHT: f32 = 0.625;
const GAP: f32 = 6.0;
/// Size of the preview in the tooltip, in points.
const LARGE: Vec2 = vec2(400.0, 250.0);
/// Widths of the search box and of the hint, in points.
const SEARCH_WIDTH: f32 = 200.0;
const HINT_WIDTH: f32 = 430.0;

/// Sections of the sheet: preset group and title.
const SECTIONS: [(Option<Group>, &str); 4] = [
    (None, mark("Your own")),
    (Some(Group::Landscapes), mark("Landscapes")),
    (Some(Group::Generators), mark("Generators")),
    (Some(Group::Modifiers), mark("Modifiers")),
];

/// Draw the sheet and push the user's requests to `actions`.
pub fn browser_ui(ctx: &Context, state: &mut UiState, actions: &mut Vec<Action>) {
    let transient = &mut state.transient;
    let (browser, gallery) = (&mut transient.browser, &mut transient.gallery);
    let scene = &state.persisted.scene;
    cover(ctx, &mut state.derived, |ui, bare| {
        TopBottomPanel::top("search of presets")
            .frame(bare.fill(theme::PANEL))
            .show_inside(ui, |ui| bar_ui(ui, browser, actions));
        CentralPanel::default()
            .frame(bare)
            .show_inside(ui, |ui| cards_ui(ui, scene, browser, gallery, actions));
    });
    // The preset under the mouse is rendered first.
    gallery.put_large_first();
}

fn bar_ui(ui: &mut Ui, browser: &mut Browser, actions: &mut Vec<Action>) {
    ui.horizontal_wrapped(|ui| {
        let label = ui.label(tr("Search presets")).id;
        let edit = TextEdit::singleline(&mut browser.query)
            .hint_text(tr("a word, a tag…"))
            .desired_width(SEARCH_WIDTH.min(ui.available_width()));
        let help = tr("Searches names, descriptions and tags.");
        let edit = ui.add(edit).labelled_by(label);
        if std::mem::take(&mut browser.asks) {
            edit.request_focus();
        }
        if edit.lost_focus() && ui.input(|input| input.key_pressed(Key::Escape)) {
            // The box has consumed the key that closes the sheet.
            actions.push(Action::ToggleBrowser);
        }
        edit.on_hover_text(help);
        let help = tr("Saves the scene as a preset of your own, with a name and tags.");
        if button(ui, tr("Save as preset…"), help) {
            actions.push(Action::Own(Own::BeginToKeep));
        }
        if button(ui, tr("Close"), tr("Back to the landscape (Esc).")) {
            actions.push(Action::ToggleBrowser);
        }
        if ui.available_width() > HINT_WIDTH {
            ui.weak(tr(
                "Click to open a preset, Shift-click to open it in a new window.",
            ));
        }
    });
    if let Some(removed) = &browser.removed {
        ui.horizontal_wrapped(|ui| {
            ui.label(tr!("“{}” was removed.", removed));
            if ui.button(tr("Put it back")).clicked() {
                actions.push(Action::Own(Own::PutBack));
            }
        });
    }
}

fn cards_ui(
    ui: &mut Ui,
    scene: &Scene,
    browser: &mut Browser,
    gallery: &mut Thumbnails,
    actions: &mut Vec<Action>,
) {
    let Found { cards, in_part } = browser.found();
    ScrollArea::vertical()
        .auto_shrink([false, false])
        .show(ui, |ui| {
            if cards.is_empty() {
                ui.add_space(8.0);
                ui.weak(tr!("No preset matches “{}”.", browser.query));
            } else if in_part {
                let words = tr!(
                    "No preset has all of these words: “{}”. These have some of them.",
                    browser.query
                );
                ui.weak(words);
                ui.add_space(4.0);
            }
            for (group, title) in SECTIONS {
                let cards: Vec<_> = cards.iter().filter(|card| card.group == group).collect();
                let invites = group.is_none() && browser.query.is_empty();
                if cards.is_empty() && !invites {
                    continue;
                }
                ui.label(RichText::new(tr(title)).strong());
                if cards.is_empty() {
                    ui.weak(tr("Save as preset… adds the first one here."));
                } else {
                    ui.add_space(2.0);
                    section_ui(ui, scene, &cards, gallery, actions);
                }
                ui.add_space(10.0);
            }
        });
}

fn section_ui(
    ui: &mut Ui,
    scene: &Scene,
    cards: &[&Card],
    gallery: &mut Thumbnails,
    actions: &mut Vec<Action>,
) {
    let scale = ui.ctx().pixels_per_point();
    // Thumbnails on whole pixels are not resampled.
    let whole = |points: f32| (points * scale).floor() / scale;
    let wide = ui.available_width();
    let columns = ((wide + GAP) / (LEAST_WIDTH + GAP)).floor().max(1.0);
    let width = whole((wide - GAP * (columns - 1.0)) / columns);
    let size = vec2(width, whole(width * HEIGHT));
    let columns = columns as usize;
    let rows = cards.len().div_ceil(columns);
    let all = vec2(wide, (size.y + GAP) * rows as f32 - GAP);
    let (area, _) = ui.allocate_exact_size(all, Sense::hover());
    for (index, card) in cards.iter().enumerate() {
        let place = vec2((index % columns) as f32, (index / columns) as f32);
        let corner = area.min + (size + Vec2::splat(GAP)) * place;
        let rect = Rect::from_min_size(pos2(whole(corner.x), whole(corner.y)), size);
        card_ui(ui, rect, scene, card, gallery, actions);
    }
}

fn card_ui(
    ui: &Ui,
    rect: Rect,
    scene: &Scene,
    card: &Card,
    gallery: &mut Thumbnails,
    actions: &mut Vec<Action>,
) {
    let id = Id::new(("preset", card.group.is_none(), &card.name));
    let name = said(card, &card.name);
    let response = picture_button(ui, rect, id, &name, (&card.scene, gallery));
    if !ui.is_rect_visible(rect) {
        return;
    }
    caption(ui.painter(), rect, &name);
    let looked_at = response.hovered() || response.has_focus();
    frame(ui, rect, looked_at, *card.scene == *scene);
    if response.clicked() {
        let scene = Box::new((*card.scene).clone());
        if ui.input(|input| input.modifiers.shift) {
            actions.push(Command::OpenBeside(scene).into());
        } else {
            actions.push(Action::Load(scene));
        }
    }
    if card.group.is_none() {
        Popup::context_menu(&response).show(|ui| own_menu(ui, &card.name, actions));
    }
    response.on_hover_ui(|ui| about_ui(ui, card, gallery));
}

/// Context menu of a user preset.
fn own_menu(ui: &mut Ui, name: &str, actions: &mut Vec<Action>) {
    if ui.button(tr("Name and tags…")).clicked() {
        actions.push(Action::Own(Own::BeginToRename(name.to_owned())));
    }
    if ui.button(tr("Remove")).clicked() {
        actions.push(Action::Own(Own::Remove(name.to_owned())));
    }
}

/// Tooltip of a preset: preview, name and description.
fn about_ui(ui: &mut Ui, card: &Card, gallery: &mut Thumbnails) {
    ui.set_max_width(LARGE.x);
    ui.with_layout(Layout::top_down(Align::Min), |ui| {
        let (rect, _) = ui.allocate_exact_size(LARGE, Sense::hover());
        picture(ui.painter(), rect, &card.scene, gallery);
        ui.strong(said(card, &card.name));
        if !card.about.is_empty() {
            ui.label(said(card, &card.about));
        }
        if card.group.is_none() {
            ui.weak(tr("A right click: name, tags, remove."));
        }
    });
}

/// Text of a card in the interface's language; the user's own text is not translated.
fn said<'a>(card: &Card, text: &'a str) -> Cow<'a, str> {
    match card.group {
        Some(_) => translated(text),
        None => Cow::Borrowed(text),
    }
}
