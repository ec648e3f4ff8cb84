//! The panel without a display, and the real window under an X server.

#[path = "../helpers/common.rs"]
mod common;
#[path = "../helpers/covered.rs"]
mod covered;
#[path = "../helpers/desk.rs"]
mod desk;
#[path = "../helpers/forecasts.rs"]
mod forecasts;
#[path = "../helpers/messages.rs"]
mod messages;
#[path = "../helpers/readable.rs"]
mod readable;
#[path = "../helpers/rows.rs"]
mod rows;
#[path = "../helpers/screen.rs"]
mod screen;
#[path = "../helpers/screens.rs"]
mod screens;

mod documents;
mod how_it_works;
mod languages;
mod layout;
mod panel;
mod pass_card;
mod presets;
mod real;
mod real_compare;
mod real_documents;
mod real_film;
mod real_language;
mod real_picture;
mod real_presets;
mod real_sea;
mod real_variations;
mod stumbles;
mod tour;
mod typing;
mod variations;
mod words;
