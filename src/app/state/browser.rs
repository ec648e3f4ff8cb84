//! The sheet of presets: those that come with the program, and the user's own.

use std::sync::Arc;

use crate::app::own_preset::{OwnPreset, is_same, listed};
use crate::app::search::{Query, Text};
use crate::import::{self, Group};
use crate::language::translated;
use crate::scene::Scene;

/// A preset on the sheet.
#[derive(Clone, Debug)]
pub struct Card {
    /// Its name.
    pub name: String,
    /// One line about it: of an own one its tags.
    pub about: String,
    /// What it is about; `None` of an own one.
    pub group: Option<Group>,
    /// The scene.
    pub scene: Arc<Scene>,
}

/// A preset that is about to be kept, as far as it is typed.
#[derive(Clone, Debug, PartialEq)]
pub struct Keeping {
    /// Its name.
    pub name: String,
    /// The name that was offered: as long as it is `name`, nobody has typed another.
    pub offered: String,
    /// Its tags, with commas between them.
    pub tags: String,
    /// The scene.
    pub scene: Arc<Scene>,
    /// The name it had, if it is there already.
    pub renames: Option<String>,
    /// Whether the box for the name has yet to get the keyboard.
    pub asks: bool,
}

/// The sheet of presets.
#[derive(Default)]
pub struct Browser {
    /// Whether it is shown.
    pub shown: bool,
    /// What is searched for.
    pub query: String,
    /// Whether the box for the search has yet to get the keyboard.
    pub asks: bool,
    /// The user's own presets, by their names.
    pub own: Vec<OwnPreset>,
    /// The one that is about to be kept.
    pub keeping: Option<Keeping>,
    /// The name of the one that was removed last, to be put back.
    pub removed: Option<String>,
    /// Those that come with the program.
    of_program: Vec<Card>,
}

/// The presets that a search finds.
#[derive(Clone, Debug)]
pub struct Found {
    /// The presets, the user's own first.
    pub cards: Vec<Card>,
    /// Whether none has all of the words: then these have as many of them as any has.
    pub in_part: bool,
}

impl Browser {
    /// The presets that the search finds: those with the most of its words.
    pub fn found(&mut self) -> Found {
        if self.of_program.is_empty() {
            let card = |preset: &import::Preset| Card {
                name: preset.name.to_owned(),
                about: preset.help.to_owned(),
                group: Some(preset.group),
                scene: Arc::new(preset.scene()),
            };
            self.of_program = import::presets().iter().map(card).collect();
        }
        let own = self.own.iter().map(|preset| Card {
            name: preset.name.clone(),
            about: preset.tags.join(", "),
            group: None,
            scene: Arc::clone(&preset.scene),
        });
        let query = Query::new(&self.query);
        let count = |card: &Card| {
            let (name, about) = (translated(&card.name), translated(&card.about));
            let text = format!("{} {} {name} {about}", card.name, card.about);
            query.count_in(&Text::new(&text))
        };
        let all = own.chain(self.of_program.iter().cloned());
        let counted: Vec<_> = all.map(|card| (count(&card), card)).collect();
        let most = counted.iter().map(|(count, _)| *count).max().unwrap_or(0);
        let has_most = |(count, card): (usize, Card)| (count == most).then_some(card);
        let cards = counted.into_iter().filter_map(has_most);
        Found {
            cards: match most == 0 && !query.is_empty() {
                true => Vec::new(),
                false => cards.collect(),
            },
            in_part: most < query.len(),
        }
    }

    /// Takes over the user's own presets as they were read. A name that nobody has typed yet becomes one
    /// that is free.
    pub fn take_own(&mut self, own: Vec<OwnPreset>) {
        self.own = own;
        let is_offered = |keeping: &&mut Keeping| keeping.name == keeping.offered;
        let keeping = self.keeping.as_mut().filter(is_offered);
        if let Some(keeping) = keeping.filter(|keeping| keeping.renames.is_none()) {
            let name = keeping.name.clone();
            let numbered = (2..).map(|number| format!("{name} {number}"));
            let names = [name.clone()].into_iter().chain(numbered);
            let is_free = |name: &String| self.own.iter().all(|own| !is_same(&own.name, name));
            keeping.name = names.into_iter().find(is_free).unwrap_or_default();
            keeping.offered.clone_from(&keeping.name);
        }
    }

    /// Begins to keep a scene under that name.
    pub fn begin_keeping(&mut self, name: &str, scene: &Scene) {
        self.keeping = Some(Keeping {
            name: name.to_owned(),
            offered: name.to_owned(),
            tags: String::new(),
            scene: Arc::new(scene.clone()),
            renames: None,
            asks: true,
        });
    }

    /// Begins to change the name and the tags of an own one.
    pub fn begin_renaming(&mut self, name: &str) {
        let preset = self.own.iter().find(|preset| preset.name == name);
        self.keeping = preset.map(|preset| Keeping {
            name: preset.name.clone(),
            offered: preset.name.clone(),
            tags: preset.tags.join(", "),
            scene: Arc::clone(&preset.scene),
            renames: Some(preset.name.clone()),
            asks: true,
        });
    }
}

impl Keeping {
    /// The preset, and the name that it had.
    #[must_use]
    pub fn into_preset(self) -> (OwnPreset, Option<String>) {
        let preset = OwnPreset {
            name: self.name,
            tags: listed(&self.tags),
            scene: self.scene,
        };
        (preset, self.renames)
    }

    /// Whether another preset of `own` has that name, in whose place it comes.
    #[must_use]
    pub fn replaces(&self, own: &[OwnPreset]) -> bool {
        let is_that = |name: &str| is_same(name, &self.name);
        let is_itself = self.renames.as_deref().is_some_and(is_that);
        !is_itself && own.iter().any(|preset| is_that(&preset.name))
    }
}
