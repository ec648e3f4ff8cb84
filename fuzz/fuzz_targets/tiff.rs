//! Any bytes as TIFF.
#![no_main]

use landform::import;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = import::samples_in("tif", bytes);
});
