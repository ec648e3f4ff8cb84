//! The options of whichever generator, modifier or mask is chosen, beside what the preset or the file
//! had: their type is known only where they are visited.

use std::any::Any;

use egui::Ui;

use super::param_ui::param_row;
use crate::generate::{OptionsVisitor, Surface};
use crate::mask::Mask;
use crate::modify::Modifier;
use crate::param::Params;
use crate::scene::relevance::Inactive;

/// Something with one of several kinds of options.
pub trait HasOptions: Default {
    /// Makes `other` have the kind of options that this has.
    fn align(&self, other: &mut Self);
    /// Shows the options to `visitor`.
    fn visit(&mut self, visitor: &mut impl OptionsVisitor);
    /// The key of their table in that of this.
    fn table(&self) -> String;
}

impl HasOptions for Surface {
    fn align(&self, other: &mut Self) {
        other.generator = self.generator;
    }

    fn visit(&mut self, visitor: &mut impl OptionsVisitor) {
        self.visit_options(visitor);
    }

    fn table(&self) -> String {
        self.generator.name().replace('-', "_")
    }
}

impl HasOptions for Modifier {
    fn align(&self, other: &mut Self) {
        other.kind = self.kind;
    }

    fn visit(&mut self, visitor: &mut impl OptionsVisitor) {
        self.visit_options(visitor);
    }

    fn table(&self) -> String {
        self.kind.name().replace('-', "_")
    }
}

impl HasOptions for Mask {
    fn align(&self, other: &mut Self) {
        other.by = self.by;
    }

    fn visit(&mut self, visitor: &mut impl OptionsVisitor) {
        self.visit_options(visitor);
    }

    fn table(&self) -> String {
        self.by.name().replace('-', "_")
    }
}

/// Draws the options of `owner`, which stands at `place` in the scene and `was` so in the preset or
/// the file.
pub fn options_ui<T: HasOptions>(
    ui: &mut Ui,
    owner: &mut T,
    mut was: T,
    place: &str,
    inactive: &Inactive,
) {
    owner.align(&mut was);
    let mut held = Held(None);
    was.visit(&mut held);
    let mut drawn = OptionsUi {
        ui,
        was: held.0,
        place: &format!("{place}.{}", owner.table()),
        inactive,
    };
    owner.visit(&mut drawn);
}

/// The options, whatever their type.
struct Held(Option<Box<dyn Any>>);

impl OptionsVisitor for Held {
    fn visit<T: Params>(&mut self, options: &mut T) {
        self.0 = Some(Box::new(std::mem::take(options)));
    }
}

struct OptionsUi<'a> {
    ui: &'a mut Ui,
    was: Option<Box<dyn Any>>,
    place: &'a str,
    inactive: &'a Inactive,
}

impl OptionsVisitor for OptionsUi<'_> {
    fn visit<T: Params>(&mut self, options: &mut T) {
        let was = self.was.take().and_then(|was| was.downcast::<T>().ok());
        let was = was.unwrap_or_default();
        for param in T::PARAMS {
            let unused = self.inactive.reason(self.place, param.key);
            param_row(self.ui, param, options, &was, unused);
        }
    }
}
