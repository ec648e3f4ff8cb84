//! Nothing that floats covers a control: on all screens, in four sizes, in all languages.

use crate::covered::{SIZES, covered_on};
use landform::language::Language;

#[test]
fn nothing_that_floats_covers_a_control() {
    let pairs = SIZES.iter().flat_map(|size| {
        let languages = Language::ALL.iter();
        languages.map(move |language| covered_on(*size, *language))
    });
    let found: Vec<_> = pairs.flatten().collect();
    assert!(found.is_empty(), "{} of them: {found:#?}", found.len());
}
