//! Second source of a mask, combined with the first by fuzzy set operations (Zadeh 1965): the intersection
//! is the minimum of both weights, the union their maximum, and the difference the minimum of the first and
//! the complement of the second. So a mask combined with itself stays as it is.

use super::{
    By, Context, Everywhere, Limit, MaskError, Share, Source, image, is_default, noise, ranges,
};
use crate::terrain::heightmap::{Heightmap, Heights};
use crate::util::param::{
    OutOfRange, Param, Params, TableVisitor, Tables, check_all, choice, choice_param, kinds,
};

choice! {
    /// Combination of two mask sources.
    pub enum Combine: "combination" {
        #[default]
        And = "and", "Both masks: the smaller of the two weights.";
        Or = "or", "Either mask: the larger of the two weights.";
        Minus = "minus", "The first mask without the second.";
    }
}

sources! {
    /// Second source of a mask, with the options of every source.
    pub struct SecondMask by by of By as Source {
        /// Source of the weights; default `none`.
        pub by: By,
    }
    or None => &Everywhere;
    each #[serde(skip_serializing_if = "is_default")]
}

impl Params for SecondMask {
    const KEPT: &'static [&'static str] = &["by"];

    const PARAMS: &'static [Param<Self>] = &[choice_param!(
        by: By,
        "Combine with",
        "The quantity of a second mask that is combined with the first."
    )];

    fn check(&self, table: &str) -> Result<(), OutOfRange> {
        check_all(self, table)?;
        self.check_tables(table)
    }
}

impl SecondMask {
    /// Create a second mask from a source, with its default range.
    #[must_use]
    pub fn new(by: By) -> Self {
        Self {
            by,
            ..Self::default()
        }
    }

    /// True if there is no second mask.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.by == By::None
    }

    /// Scale in metres at which the mask measures the shape of the ground; `None` if it does not.
    #[must_use]
    pub fn scale_m(&self) -> Option<f32> {
        self.chosen().scale_m()
    }

    /// True if all settings have their defaults.
    pub(super) fn is_default(&self) -> bool {
        is_default(self)
    }

    pub(super) fn visit_tables(&mut self, place: &str, visitor: &mut impl TableVisitor) {
        visitor.visit(place, self);
        self.visit_listed(place, visitor);
    }

    pub(super) fn source(&self) -> (By, &dyn Source) {
        (self.by, self.chosen())
    }

    /// Combine `weights` of the first source over `map` with those of this one.
    ///
    /// # Errors
    /// The same as those of [`super::Mask::weights`].
    pub(super) fn combine(
        &self,
        combine: Combine,
        weights: &mut Heights,
        map: &Heightmap,
        context: &Context<'_>,
    ) -> Result<(), MaskError> {
        let share = Share {
            invert: combine == Combine::Minus,
            ..Share::WHOLE
        };
        let second = Limit::of(self.chosen(), map, share, context)?.weights()?;
        let both = weights.iter_mut().zip(second.iter());
        match combine {
            Combine::And | Combine::Minus => both.for_each(|(a, b)| *a = a.min(*b)),
            Combine::Or => both.for_each(|(a, b)| *a = a.max(*b)),
        }
        Ok(())
    }
}
