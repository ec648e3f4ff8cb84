//! Search of the panel: the search box, and a filtered view in which only matching rows are shown,
//! each below the titles of its sections, whether folded or not.
//!
//! The sections draw themselves as usual. A [`Finder`] is attached as a tag to egui's stack of
//! areas, and each row tests itself against it. Titles of sections are drawn only with the first
//! matching row below them.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use egui::{Button, Key, RichText, TextEdit, Ui, UiBuilder, UiKind, UiStackInfo};

use crate::app::controls::{button, select_all, sides};
use crate::app::search::{Query, Text};
use crate::app::state::Filter;
use crate::util::language::tr;

/// Name of the tag.
const TAG: &str = "finder";
/// Gap above a row and above a title, in points.
const ROW_GAP: f32 = 3.0;
const TITLE_GAP: f32 = 7.0;

/// Filter for rows of the panel.
#[derive(Clone)]
pub struct Finder(Arc<Search>);

struct Search {
    /// Search query.
    query: Query,
    only_changed: bool,
    /// Rows that stay visible whatever their values.
    held: BTreeSet<String>,
    course: Mutex<Course>,
}

/// Progress of drawing the panel in this frame.
#[derive(Default)]
struct Course {
    titles: Vec<Title>,
    shown: BTreeSet<String>,
}

/// Title of a section being drawn.
struct Title {
    text: String,
    is_drawn: bool,
}

impl Finder {
    /// Filter for the settings in `filter`; `None` if all are shown. While a control `is_used`,
    /// rows visible before stay visible.
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

    /// Filter attached to `ui`; `None` if all settings are shown.
    pub fn of(ui: &Ui) -> Option<Self> {
        let mut tags = ui.stack().iter().map(|area| area.tags());
        tags.find_map(|tags| tags.get_downcast(TAG).cloned())
    }

    /// Draw the content of `add` under this filter. Returns the names of the visible rows.
    pub fn scope(self, ui: &mut Ui, add: impl FnOnce(&mut Ui)) -> BTreeSet<String> {
        let tag = UiStackInfo::new(UiKind::GenericArea).with_tag_value(TAG, self.clone());
        ui.scope_builder(UiBuilder::new().ui_stack_info(tag), |ui| {
            // Hidden rows must not leave gaps.
            ui.spacing_mut().item_spacing.y = 0.0;
            add(ui);
        });
        std::mem::take(&mut self.course().shown)
    }

    fn course(&self) -> MutexGuard<'_, Course> {
        self.0.course.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Draw a section with a title.
    pub fn section<R>(&self, title: &str, add: impl FnOnce() -> R) -> R {
        self.course().titles.push(Title {
            text: title.to_owned(),
            is_drawn: false,
        });
        let added = add();
        self.course().titles.pop();
        added
    }

    /// True if a row matches. `words` are its search words, its name first; `differs` is true if
    /// its value differs from the preset or file. For a match, pending titles above the row are
    /// drawn first.
    pub fn admits(&self, ui: &mut Ui, words: &[&str], differs: bool) -> bool {
        let mut course = self.course();
        let titles = course.titles.iter().map(|title| &*title.text);
        let place: Vec<_> = titles.chain(words.first().copied()).collect();
        let place = place.join("/");
        let is_changed = !self.0.only_changed || differs || self.0.held.contains(&place);
        let text = format!("{}/{}", place, words.join("/"));
        // Words with underscores are keys, which are also searched with dashes or spaces.
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

    /// Test a row that shows the title of the innermost section itself, like [`Finder::admits`].
    pub fn admits_head(&self, ui: &mut Ui, words: &[&str], differs: bool) -> bool {
        if let Some(title) = self.course().titles.last_mut() {
            title.is_drawn = true;
        }
        let is_seen = self.admits(ui, words, differs);
        if let Some(title) = self.course().titles.last_mut() {
            title.is_drawn = is_seen;
        }
        is_seen
    }
}

/// True if no search is active, so that everything besides settings is drawn, too.
pub fn shows_all(ui: &Ui) -> bool {
    Finder::of(ui).is_none()
}

/// Draw a note that is not a setting, unless a search is active.
pub fn note_ui(ui: &mut Ui, words: &str) {
    if shows_all(ui) {
        ui.label(RichText::new(words).small().weak());
    }
}

/// Draw a part of the panel that is not the row of a setting, unless the search excludes it.
pub fn part_ui(ui: &mut Ui, words: &[&str], differs: bool, add: impl FnOnce(&mut Ui)) {
    if Finder::of(ui).is_none_or(|finder| finder.admits(ui, words, differs)) {
        // Inside the filter gaps are zero; here the usual ones apply.
        ui.scope(|ui| {
            ui.spacing_mut().item_spacing.y = ROW_GAP;
            add(ui);
        });
    }
}

/// Draw the search box and the button that filters for changed settings.
pub fn search_ui(ui: &mut Ui, filter: &mut Filter) {
    ui.horizontal(|ui| {
        let label = ui.label(tr("Find")).id;
        let (is_on, only_changed) = (filter.is_on(), filter.only_changed);
        let query_box = |ui: &mut Ui| {
            // A fixed id keeps the focus when buttons appear beside the box.
            let id = label.with("find");
            if std::mem::take(&mut filter.asks) {
                ui.memory_mut(|memory| memory.request_focus(id));
                select_all(ui.ctx(), id);
            }
            let edit = TextEdit::singleline(&mut filter.query)
                .id(id)
                .hint_text(tr("a setting…"))
                .desired_width(ui.available_width() - 8.0);
            let edit = ui.add(edit).labelled_by(label);
            // A drag elsewhere also ends typing, not only a click.
            if ui.input(|input| input.pointer.any_pressed()) && !edit.contains_pointer() {
                edit.surrender_focus();
            }
            if edit.lost_focus() && ui.input(|input| input.key_pressed(Key::Escape)) {
                filter.clear();
            }
            edit.on_hover_text(tr(
                "Searches the names, keys, help and choices of settings, and the titles of \
                 sections (Ctrl F). Esc shows all settings again.",
            ));
        };
        let (clears, changes) = sides(ui, query_box, |ui| {
            let clears = is_on && button(ui, "🗙", tr("Show all settings (Esc)."));
            let changed = ui.add(Button::new(tr("• Changed")).selected(only_changed));
            let help = tr("Show only the settings that differ from the preset or the file.");
            (clears, changed.on_hover_text(help).clicked())
        });
        if clears {
            filter.clear();
        }
        filter.only_changed ^= changes;
    });
    ui.add_space(2.0);
}

/// Draw a message that nothing was found. Returns true if the menus are to be searched too.
pub fn nothing_ui(ui: &mut Ui, filter: &mut Filter) -> bool {
    let query = filter.query.trim();
    let words = match (query.is_empty(), filter.only_changed) {
        (true, _) => tr("Nothing differs from the preset or the file.").to_owned(),
        (false, false) => tr!("No setting here matches “{query}”.", query),
        (false, true) => tr!(
            "No setting that matches “{query}” differs from the preset or the file.",
            query
        ),
    };
    ui.add_space(8.0);
    ui.label(RichText::new(words).weak());
    ui.add_space(4.0);
    let searches = !filter.query.trim().is_empty() && ui.button(tr("Search the menus")).clicked();
    if ui.button(tr("Show all settings")).clicked() {
        filter.clear();
    }
    searches
}
