//! Any bytes as bare numbers.
#![no_main]

use landform::import;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = import::samples_in("r16", bytes);
    let _ = import::samples_in("r32", bytes);
});
