//! Any bytes as netCDF.
#![no_main]

use landform::import;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = import::samples_in("nc", bytes);
});
