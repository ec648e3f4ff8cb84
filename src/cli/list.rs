//! `landform list`: names that other commands accept, each with a line of help.

use clap::{Args, ValueEnum};

use super::console::Failure;
use crate::files::export::FORMATS;
use crate::files::import;
use crate::generate::{Generator, formula};
use crate::modify::ModifierKind;
use crate::modify::mask::By;
use crate::shading::maps::MAPS;
use crate::shading::texture::Palette;
use crate::util::language::translated;

#[derive(Debug, Args)]
pub struct Arguments {
    /// Kind of thing to list
    #[arg(
        value_enum,
        value_name = "generators|modifiers|masks|palettes|presets|formats|maps|functions"
    )]
    what: What,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum What {
    /// Algorithms that make the ground
    Generators,
    /// Modifiers, which change the ground afterwards
    Modifiers,
    /// Masks, which limit where a layer or a modifier acts
    Masks,
    /// Colours by height
    Palettes,
    /// Whole scenes
    Presets,
    /// File formats for height maps and meshes
    Formats,
    /// Maps derived from the heights, which can be written instead of them
    Maps,
    /// Functions and names that a formula can use
    Functions,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let pairs = |names: &[&'static str], helps: &[&'static str]| {
        let pairs = names.iter().copied().zip(helps.iter().copied());
        pairs.collect::<Vec<(&str, &str)>>()
    };
    let names = match arguments.what {
        What::Generators => pairs(Generator::NAMES, Generator::HELPS),
        What::Modifiers => pairs(ModifierKind::NAMES, ModifierKind::HELPS),
        What::Masks => pairs(By::NAMES, By::HELPS),
        What::Palettes => {
            let palettes = Palette::builtin().iter();
            palettes
                .map(|p| (p.name.as_str(), p.help.as_str()))
                .collect()
        }
        What::Presets => import::presets().iter().map(|p| (p.name, p.help)).collect(),
        What::Formats => FORMATS.iter().map(|f| (f.name, f.help)).collect(),
        What::Maps => MAPS.iter().map(|m| (m.name, m.help)).collect(),
        What::Functions => formula::NAMES.iter().map(|n| (n.name, n.help)).collect(),
    };
    let width = names.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let lines = names
        .iter()
        .map(|(name, help)| format!("{name:width$}  {}\n", translated(help)));
    super::print(&lines.collect::<String>())
}
