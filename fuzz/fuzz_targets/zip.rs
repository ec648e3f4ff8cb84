//! Any bytes as archives of one file of heights.
#![no_main]

use landform::import;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = import::samples_in("zip", bytes);
});
