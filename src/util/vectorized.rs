//! Function multiversioning: loops compiled for several instruction sets, with the best one chosen at run
//! time.

/// Compile each function, a loop over plain slices, for several instruction sets; the best one is chosen at
/// run time. None rounds differently, so the bits are the same.
macro_rules! vectorized {
    ($($function:item)+) => {$(
        #[multiversion::multiversion(targets(
            "x86_64+avx512f+avx512bw+avx512dq+avx512vl",
            "x86_64+avx2",
        ))]
        $function
    )+};
}
