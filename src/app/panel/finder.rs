//! The panel while settings are searched for: of all its rows those that are found, each below the
//! titles of its sections, folded or not.
//!
//! The sections draw themselves as ever. A [`Finder`] goes with them as a tag on egui's stack of
//! areas, and each row asks it whether it is to be seen. The titles of sections wait until the first
//! row below them is.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use egui::{RichText, Ui, UiBuilder, UiKind, UiStackInfo};

use crate::app::search::{Query, Text};
use crate::app::state::filter::Filter;

/// The tag's name.
const TAG: &str = "finder";
/// Points above a row, and above a title.
const ROW_GAP: f32 = 3.0;
const TITLE_GAP: f32 = 7.0;

/// Says which rows are seen.
#[derive(Clone)]
pub struct Finder(Arc<Search>);

struct Search {
    /// The words that are looked for.
    query: Query,
    only_changed: bool,
    /// Rows that stay, whatever their values.
    held: BTreeSet<String>,
    course: Mutex<Course>,
}

/// How far the panel is drawn.
#[derive(Default)]
struct Course {
    titles: Vec<Title>,
    shown: BTreeSet<String>,
}

/// The title of a section that is being drawn.
struct Title {
    text: String,
    is_drawn: bool,
}

impl Finder {
    /// What `filter` asks for; `None` while all settings are shown. While a control `is_used`, rows
    /// stay that were seen.
    pub fn new(filter: &Filter, is_used: bool) -> Option<Self> {
        filter.is_on().then(|| {
            Self(Arc::new(Search {
                query: Query::new(&filter.query),
                only_changed: filter.only_changed,
                held: match is_used {
                    true => filter.shown.clone(),
                    false => BTreeSet::new(),
                },
                course: Mutex::default(),
            }))
        })
    }

    /// That which goes with `ui`; `None` while all settings are shown.
    pub fn of(ui: &Ui) -> Option<Self> {
        let tagged = |area: &egui::UiStack| area.tags().get_downcast::<Self>(TAG).cloned();
        ui.stack().iter().find_map(tagged)
    }

    /// Draws what `add` does, which this goes with. Returns the rows that were seen.
    pub fn scope(self, ui: &mut Ui, add: impl FnOnce(&mut Ui)) -> BTreeSet<String> {
        let tag = UiStackInfo::new(UiKind::GenericArea).with_tag_value(TAG, self.clone());
        ui.scope_builder(UiBuilder::new().ui_stack_info(tag), |ui| {
            // What is not seen leaves no gaps.
            ui.spacing_mut().item_spacing.y = 0.0;
            add(ui);
        });
        std::mem::take(&mut self.course().shown)
    }

    fn course(&self) -> MutexGuard<'_, Course> {
        self.0.course.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Draws a section of that title.
    pub fn section<R>(&self, title: &str, add: impl FnOnce() -> R) -> R {
        self.course().titles.push(Title {
            text: title.to_owned(),
            is_drawn: false,
        });
        let added = add();
        self.course().titles.pop();
        added
    }

    /// Whether a row is seen that has these words, its name first, and that `differs` from what the
    /// preset or the file had. If it is, the titles above it are drawn first.
    pub fn admits(&self, ui: &mut Ui, words: &[&str], differs: bool) -> bool {
        let mut course = self.course();
        let titles = course.titles.iter().map(|title| &*title.text);
        let place: Vec<_> = titles.chain(words.first().copied()).collect();
        let place = place.join("/");
        let is_changed = !self.0.only_changed || differs || self.0.held.contains(&place);
        let text = format!("{}/{}", place, words.join("/"));
        // Words with underscores are keys, which people also write with dashes or spaces.
        let text = format!("{text}/{}", text.replace(['_', '-'], " "));
        if !is_changed || !self.0.query.finds(&Text::new(&text)) {
            return false;
        }
        course.shown.insert(place);
        for (depth, title) in course.titles.iter_mut().enumerate() {
            if !std::mem::replace(&mut title.is_drawn, true) {
                ui.add_space(TITLE_GAP);
                let text = RichText::new(&title.text);
                ui.label(match depth {
                    0 => text.strong(),
                    _ => text.small(),
                });
            }
        }
        ui.add_space(ROW_GAP);
        true
    }

    /// Does the same for a row that shows the title of the innermost section itself.
    pub fn admits_head(&self, ui: &mut Ui, words: &[&str], differs: bool) -> bool {
        let title = self
            .course()
            .titles
            .last_mut()
            .map(|title| std::mem::replace(&mut title.is_drawn, true));
        let is_seen = self.admits(ui, words, differs);
        if let Some(title) = self.course().titles.last_mut() {
            title.is_drawn = is_seen;
        }
        debug_assert_eq!(title, Some(false));
        is_seen
    }
}

/// Whether all settings are shown, with everything beside them.
pub fn shows_all(ui: &Ui) -> bool {
    Finder::of(ui).is_none()
}

/// Draws something that is no row of one setting, unless it is looked for something else.
pub fn part_ui(ui: &mut Ui, words: &[&str], differs: bool, add: impl FnOnce(&mut Ui)) {
    if Finder::of(ui).is_none_or(|finder| finder.admits(ui, words, differs)) {
        // With the gaps that it has elsewhere.
        ui.scope(|ui| {
            ui.spacing_mut().item_spacing.y = ROW_GAP;
            add(ui);
        });
    }
}
