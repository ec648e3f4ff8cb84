//! Constant mask of full weight, for steps without a mask but with a strength below 1.

use super::Context;
use super::source::{MadeQuantity, Source};
use super::span::{Span, SpanKind};
use crate::terrain::heightmap::Heightmap;
use crate::terrain::neighbours::Window;

/// Source of the constant mask.
pub struct Everywhere;

impl Source for Everywhere {
    fn span(&self) -> Span {
        Span {
            low: 0.0,
            high: 0.0,
            soft: 0.0,
            kind: SpanKind::Linear,
        }
    }

    fn quantity<'a>(&'a self, _: &'a Heightmap, _: &Context<'a>) -> MadeQuantity<'a> {
        Ok(Box::new(|_: usize, _: &Window<'_>, out: &mut [f32]| {
            out.fill(0.0);
        }))
    }
}
