//! Any text as a palette.
#![no_main]

use landform::texture::Palette;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(palette) = Palette::parse(text) {
        let _ = palette.table(16);
    }
});
