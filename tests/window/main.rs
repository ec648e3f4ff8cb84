//! The panel without a display, and the real window under an X server.

#[path = "../helpers/common.rs"]
mod common;
#[path = "../helpers/desk.rs"]
mod desk;
#[path = "../helpers/messages.rs"]
mod messages;
#[path = "../helpers/rows.rs"]
mod rows;
#[path = "../helpers/screen.rs"]
mod screen;

mod changes;
mod documents;
mod every_control;
mod every_setting;
mod languages;
mod masks;
mod panel;
mod presets;
mod random;
mod real;
mod real_compare;
mod real_documents;
mod real_film;
mod real_language;
mod real_picture;
mod real_presets;
mod real_variations;
mod stumbles;
mod tour;
mod variations;
mod watershed;
mod words;
