//! The command line, and what a system can do to it.

#[path = "../helpers/common.rs"]
mod common;
#[path = "../helpers/pages.rs"]
mod pages;
#[path = "../helpers/screen.rs"]
mod screen;

mod batch;
mod book;
mod child_process;
mod cli;
mod control_characters;
mod disks;
mod engines;
mod film;
mod hostile_outputs;
mod killed;
mod languages;
mod limits;
mod processors;
mod vary;
