//! Sheet of presets: built-in presets and the user's own.

use std::sync::Arc;

use crate::app::own_preset::{OwnPreset, is_same, listed};
use crate::app::search::{Query, Text};
use crate::files::import::{self, Group};
use crate::scene::Scene;
use crate::util::language::translated;

/// Card of one preset on the sheet.
#[derive(Clone, Debug)]
pub struct Card {
    /// Name of the preset.
    pub name: String,
    /// One line of description; for a user's preset its tags.
    pub about: String,
    /// Subject of a built-in preset; `None` for a user's preset.
    pub group: Option<Group>,
    /// Scene of the preset.
    pub scene: Arc<Scene>,
}

/// Form for saving a preset, as typed so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Keeping {
    /// Name of the preset.
    pub name: String,
    /// Suggested name; equal to `name` until the user types another.
    pub offered: String,
    /// Tags, separated by commas.
    pub tags: String,
    /// Scene of the preset.
    pub scene: Arc<Scene>,
    /// Former name, if an existing preset is edited.
    pub renames: Option<String>,
    /// True until the box for the name has received the keyboard focus.
    pub asks: bool,
}

/// State of the sheet of presets.
#[derive(Default)]
pub struct Browser {
    /// True if the sheet is shown.
    pub shown: bool,
    /// Text of the search.
    pub query: String,
    /// True until the search box has received the keyboard focus.
    pub asks: bool,
    /// The user's own presets, sorted by name.
    pub own: Vec<OwnPreset>,
    /// Form for saving a preset, while it is open.
    pub keeping: Option<Keeping>,
    /// Name of the last removed preset, which can be restored.
    pub removed: Option<String>,
    /// Cards of the built-in presets; filled at the first search.
    of_program: Vec<Card>,
}

/// Result of a search for presets.
#[derive(Clone, Debug)]
pub struct Found {
    /// Matching presets, the user's own first.
    pub cards: Vec<Card>,
    /// True if no preset matches every word; the cards then match as many words as possible.
    pub in_part: bool,
}

impl Browser {
    /// Find the presets that match most words of the search.
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

    /// Store the user's presets after they were read. A suggested name that is already in use gets
    /// a number.
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

    /// Open the form for saving a scene under a suggested name.
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

    /// Open the form for changing the name and the tags of a user's preset.
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
    /// Convert the form into a preset, with its former name.
    #[must_use]
    pub fn into_preset(self) -> (OwnPreset, Option<String>) {
        let preset = OwnPreset {
            name: self.name,
            tags: listed(&self.tags),
            scene: self.scene,
        };
        (preset, self.renames)
    }

    /// True if saving would overwrite another preset of `own` with the same name.
    #[must_use]
    pub fn replaces(&self, own: &[OwnPreset]) -> bool {
        let is_that = |name: &str| is_same(name, &self.name);
        let is_itself = self.renames.as_deref().is_some_and(is_that);
        !is_itself && own.iter().any(|preset| is_that(&preset.name))
    }
}
