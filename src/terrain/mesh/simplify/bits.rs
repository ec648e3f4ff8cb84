//! Bit sets, with a rank query and concurrent insertion.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bit set of numbers below a limit.
#[derive(Clone, Debug, Default)]
pub struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// Set from its 64-bit words.
    pub fn of_words(words: Vec<u64>) -> Self {
        Self { words }
    }

    /// True if a number is in the set.
    #[inline]
    pub fn has(&self, number: usize) -> bool {
        self.words[number / 64] >> (number % 64) & 1 == 1
    }

    /// Numbers of the set within a range, in ascending order.
    pub fn within(&self, range: Range<usize>) -> impl Iterator<Item = usize> {
        let words = range.start / 64..range.end.div_ceil(64).max(range.start / 64);
        words.flat_map(move |index| {
            let mut word = self.words[index];
            let first = index * 64;
            if first < range.start {
                word &= u64::MAX << (range.start - first);
            }
            if range.end - first < 64 {
                word &= !(u64::MAX << (range.end - first));
            }
            std::iter::from_fn(move || {
                let bit = (word != 0).then(|| word.trailing_zeros() as usize);
                word &= word.wrapping_sub(1);
                bit.map(|bit| first + bit)
            })
        })
    }
}

/// Bit set with constant-time rank queries.
#[derive(Clone, Debug)]
pub struct Ranked {
    bits: Bits,
    before: Vec<u32>,
    count: usize,
}

impl Ranked {
    /// Set of the numbers that threads have marked together.
    pub fn new(marks: Marks) -> Self {
        let words: Vec<u64> = marks.words.into_iter().map(AtomicU64::into_inner).collect();
        let mut count = 0;
        let before = words.iter().map(|word| {
            let before = count;
            count += word.count_ones();
            before
        });
        let before = before.collect();
        Self {
            bits: Bits { words },
            before,
            count: count as usize,
        }
    }

    /// Size of the set.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The plain bit set.
    pub fn bits(&self) -> &Bits {
        &self.bits
    }

    /// Rank: count of the numbers in the set that are smaller than `number`.
    #[inline]
    pub fn before(&self, number: usize) -> u32 {
        let below = self.bits.words[number / 64] & !(u64::MAX << (number % 64));
        self.before[number / 64] + below.count_ones()
    }
}

/// Bit set that threads add to concurrently.
#[derive(Debug)]
pub struct Marks {
    words: Vec<AtomicU64>,
}

impl Marks {
    /// Empty set for numbers below `limit`.
    pub fn new(limit: usize) -> Self {
        let words = (0..limit.div_ceil(64)).map(|_| AtomicU64::new(0));
        Self {
            words: words.collect(),
        }
    }

    /// Add a number.
    #[inline]
    pub fn add(&self, number: usize) {
        let (word, bit) = (&self.words[number / 64], 1 << (number % 64));
        // A load is cheaper than an atomic write that changes nothing.
        if word.load(Ordering::Relaxed) & bit == 0 {
            word.fetch_or(bit, Ordering::Relaxed);
        }
    }
}
