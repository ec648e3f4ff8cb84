//! Any text as a formula; one that is right makes a small map.
#![no_main]

use landform::generate::{Generator, Images, Surface, formula};
use landform::job::Job;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if formula::check(text).is_ok() {
        let mut surface = Surface {
            generator: Generator::Formula,
            iterations: 2,
            ..Surface::default()
        };
        text.clone_into(&mut surface.formula.expression);
        let _ = surface.generate(&Images::default(), &Job::new(), None);
    }
});
