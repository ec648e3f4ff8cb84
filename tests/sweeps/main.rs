//! Exhaustive sweeps: every setting, format, screen or language at once, for minutes. `make
//! test-all` runs them; `make test` has a few cases of each.

#[path = "../helpers/common.rs"]
mod common;
#[path = "../helpers/covered.rs"]
mod covered;
#[path = "../helpers/desk.rs"]
mod desk;
#[path = "../helpers/effects.rs"]
mod effects;
#[path = "../helpers/forecasts.rs"]
mod forecasts;
#[path = "../helpers/messages.rs"]
mod messages;
#[path = "../helpers/offscreen.rs"]
mod offscreen;
#[path = "../helpers/pages.rs"]
mod pages;
#[path = "../helpers/pictures.rs"]
mod pictures;
#[path = "../helpers/readable.rs"]
mod readable;
#[path = "../helpers/rows.rs"]
mod rows;
#[path = "../helpers/screen.rs"]
mod screen;
#[path = "../helpers/screens.rs"]
mod screens;

mod added_modifier;
mod every_control;
mod every_setting;
mod export;
mod layout;
mod masks;
mod mutated;
mod numbers;
mod opening;
mod pieces;
mod random;
mod readme;
mod relevance;
mod silhouettes;
mod stale;
mod typing;
mod watershed;
