//! Every text that is to be translated, found in the code and in the tables.
#![allow(dead_code)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};

use landform::export::{FILM_FORMATS, FORMATS};
use landform::film::Ready;
use landform::generate::formula;
use landform::import;
use landform::layer::Layer;
use landform::maps::MAPS;
use landform::modify::Modifier;
use landform::param::{Kind, Params, Tab, TableVisitor, Tables};
use landform::scene::{Ecosystem, KeyFrame, PlantLayer, Scene};
use landform::texture::Palette;

/// Texts, each with its plural if it has one.
pub type Messages = BTreeMap<String, Option<String>>;

/// All of them.
pub fn messages() -> Messages {
    let mut messages = Messages::new();
    in_code(
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")),
        &mut messages,
    );
    let texts = in_tables().into_iter().chain(landform::cli::help_texts());
    for text in texts {
        messages.entry(text).or_default();
    }
    messages
}

/// Those in `tr!(…)`, `tr(…)` and `mark(…)`.
fn in_code(folder: &Path, messages: &mut Messages) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            in_code(&path, messages);
        } else if path.extension().is_some_and(|end| end == "rs") {
            let code = fs::read_to_string(&path).unwrap();
            in_tokens(code.parse().unwrap(), messages);
        }
    }
}

fn in_tokens(tokens: TokenStream, messages: &mut Messages) {
    let tokens: Vec<_> = tokens.into_iter().collect();
    for (index, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else {
            continue;
        };
        in_tokens(group.stream(), messages);
        let before = |back: usize| {
            index
                .checked_sub(back)
                .map(|place| tokens[place].to_string())
        };
        let name = match before(1).as_deref() {
            Some("!") => before(2),
            _ => before(1),
        };
        if name.is_none_or(|name| !["tr", "mark"].contains(&&*name)) {
            continue;
        }
        let within: Vec<_> = group.stream().into_iter().collect();
        let text = |place: usize| {
            let word = within.get(place)?.to_string();
            let text = syn::parse_str::<syn::LitStr>(&word).ok()?;
            Some(text.value())
        };
        let is =
            |place: usize, sign: &str| within.get(place).is_some_and(|t| t.to_string() == sign);
        if let Some(first) = text(0) {
            let plural = text(2).filter(|_| is(1, "|"));
            messages.insert(first, plural);
        }
    }
}

/// Those of the tables of settings, presets, palettes, formats and maps. Names of choices, presets and
/// palettes are among them: the window shows them in the language spoken, files and the command in
/// English.
fn in_tables() -> BTreeSet<String> {
    let mut words = Words(BTreeSet::new());
    full().visit_tables(&mut words);
    words.add(Scene::SECTIONS.iter().map(|(_, title, _)| *title));
    words.add(Tab::NAMES.iter().chain(Tab::HELPS).copied());
    words.add(Ready::NAMES.iter().chain(Ready::HELPS).copied());
    words.add(Ecosystem::NAMES.iter().chain(Ecosystem::HELPS).copied());
    let palettes = Palette::builtin().iter();
    words.add(palettes.flat_map(|palette| [&*palette.name, &*palette.help]));
    let presets = import::presets().iter();
    words.add(presets.flat_map(|preset| [preset.name, preset.help]));
    words.add(FORMATS.iter().map(|format| format.help));
    words.add(FILM_FORMATS.iter().map(|format| format.help));
    words.add(MAPS.iter().flat_map(|map| [map.name, map.help]));
    words.add(formula::NAMES.iter().map(|name| name.help));
    words.0
}

/// A scene in which every kind of table is.
pub fn full() -> Scene {
    let mut scene = Scene {
        layers: vec![Layer::default()],
        modifiers: vec![Modifier::default()],
        plants: vec![PlantLayer::default()],
        ..Scene::default()
    };
    scene.path.frames = vec![KeyFrame::default()];
    scene
}

struct Words(BTreeSet<String>);

impl Words {
    fn add<'a>(&mut self, texts: impl IntoIterator<Item = &'a str>) {
        let has_letters = |text: &&str| text.chars().any(char::is_alphabetic);
        let texts = texts.into_iter().filter(has_letters);
        self.0.extend(texts.map(str::to_owned));
    }
}

impl TableVisitor for Words {
    fn visit<T: Params>(&mut self, _: &str, _: &mut T) {
        self.add([T::EMPTY]);
        for param in T::PARAMS {
            self.add([param.label, param.help, param.unit]);
            let others = T::SYNONYMS.iter().filter(|(key, _)| *key == param.key);
            self.add(others.map(|(_, words)| *words));
            if let Kind::Choice { names, helps, .. } = param.kind() {
                self.add(names.iter().chain(helps).copied());
            }
        }
    }
}
