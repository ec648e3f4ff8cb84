//! Simple mode of the panel: it leaves out advanced settings that the scene does not use, and settings
//! without effect. Advanced ones that it does use stay, with a mark.
//!
//! Like the filter of a search, the mode is a tag on egui's stack of areas, so that each row can ask
//! for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use egui::{Id, RichText, Ui, UiBuilder, UiKind, UiStackInfo};

use super::finder::Finder;
use crate::util::language::tr;

/// Name of the tag.
const TAG: &str = "simple mode";

/// Importance of a setting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Level {
    /// Always shown.
    #[default]
    Basic,
    /// Advanced, and not at its default.
    Used,
    /// Advanced, and at its default.
    Advanced,
}

#[derive(Default)]
struct Simple {
    /// True while the pointer or the keyboard uses a control: rows stay until it lets go.
    is_used: bool,
    shown: AtomicUsize,
    advanced: AtomicUsize,
    idle: AtomicUsize,
}

/// Number of rows drawn and left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Rows drawn.
    pub shown: usize,
    /// Advanced settings left out.
    pub advanced: usize,
    /// Settings left out because they have no effect.
    pub idle: usize,
}

impl Count {
    fn left_out(self) -> usize {
        self.advanced + self.idle
    }
}

/// Draw the content of `add` in simple mode, or as it is if `on` is false. While a control `is_used`,
/// rows that were there before stay.
pub fn scope(ui: &mut Ui, on: bool, is_used: bool, add: impl FnOnce(&mut Ui)) -> Count {
    let simple = Arc::new(Simple {
        is_used,
        ..Simple::default()
    });
    let mut info = UiStackInfo::new(UiKind::GenericArea);
    if on {
        info = info.with_tag_value(TAG, Arc::clone(&simple));
    }
    // The scope exists in both modes, so that widget ids inside do not change.
    ui.scope_builder(UiBuilder::new().ui_stack_info(info), add);
    simple.count()
}

impl Simple {
    fn of(ui: &Ui) -> Option<Arc<Self>> {
        let mut tags = ui.stack().iter().map(|area| area.tags());
        tags.find_map(|tags| tags.get_downcast(TAG).cloned())
    }

    fn count(&self) -> Count {
        let [shown, advanced, idle] =
            [&self.shown, &self.advanced, &self.idle].map(|count| count.load(Ordering::Relaxed));
        Count {
            shown,
            advanced,
            idle,
        }
    }
}

/// True in simple mode.
#[must_use]
pub fn is_on(ui: &Ui) -> bool {
    Simple::of(ui).is_some()
}

/// Rows drawn and left out so far, in simple mode.
#[must_use]
pub fn count(ui: &Ui) -> Count {
    Simple::of(ui)
        .map(|simple| simple.count())
        .unwrap_or_default()
}

/// True if the mode leaves out the row named `label`, which is then counted. A search finds all rows.
pub fn leaves_out(ui: &mut Ui, label: &str, level: Level, is_idle: bool) -> bool {
    let Some(simple) = Simple::of(ui).filter(|_| Finder::of(ui).is_none()) else {
        return false;
    };
    let now = ui.ctx().cumulative_pass_nr();
    let id: Id = ui.id().with((TAG, label));
    let drawn = ui.data(|data| data.get_temp::<u64>(id));
    let stays = simple.is_used && drawn.is_some_and(|drawn| drawn + 1 >= now);
    let left_out = !stays && (is_idle || level == Level::Advanced);
    let count = match (left_out, is_idle) {
        (false, _) => &simple.shown,
        (true, true) => &simple.idle,
        (true, false) => &simple.advanced,
    };
    count.fetch_add(1, Ordering::Relaxed);
    if left_out {
        // egui counts widgets to tell them apart: a slider must stay the same while a row above it
        // comes or goes.
        ui.skip_ahead_auto_ids(1);
    } else {
        ui.data_mut(|data| data.insert_temp(id, now));
    }
    left_out
}

/// Say how many settings are left out, if any are. Returns true if the user wants to see them.
pub fn left_out_ui(ui: &mut Ui, count: Count) -> bool {
    if count.left_out() == 0 {
        return false;
    }
    ui.add_space(6.0);
    let words = match count.left_out() {
        1 => tr("1 more setting in All").to_owned(),
        many => tr!("{many} more settings in All", many),
    };
    let help = tr!(
        "Left out here: {} advanced settings that the scene does not use, and {} that have no effect \
         now. The search (Ctrl F) finds them too.",
        count.advanced,
        count.idle
    );
    let link = ui.link(RichText::new(words).small());
    link.on_hover_text(help).clicked()
}

/// Say at the end of a section that all of its settings are left out, if `before` was the count at its
/// beginning.
pub fn empty_ui(ui: &mut Ui, before: Count) {
    let now = count(ui);
    if now.shown == before.shown && now.left_out() > before.left_out() {
        let words = match now.idle > before.idle {
            true => tr("Has no effect now."),
            false => tr("Only advanced settings, under All."),
        };
        ui.label(RichText::new(words).small().weak());
    }
}
