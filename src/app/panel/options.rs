//! Options of the chosen kind of generator, modifier or mask, compared with the preset or file.
//! Their static type is only known inside a visitor.

use std::any::Any;

use egui::Ui;

use super::param_ui::param_row;
use crate::generate::{OptionsVisitor, Surface};
use crate::mask::Mask;
use crate::modify::Modifier;
use crate::param::Params;
use crate::scene::relevance::Inactive;

/// Owner of one of several kinds of options.
pub trait HasOptions: Default {
    /// Give `other` the same kind of options.
    fn align(&self, other: &mut Self);
    /// Call `visitor` with the options.
    fn visit(&mut self, visitor: &mut impl OptionsVisitor);
    /// Key of the options' table within the owner's table.
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

/// Draw the options of `owner`, which is at `place` in the scene. `was` is its value in the preset
/// or file.
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

/// Options of any type, moved out of their owner.
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
