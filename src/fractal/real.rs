//! Common trait of heights with 32 and 64 bits.

use std::ops::{Add, Div, Mul};

/// Floating-point number of a height, of 32 or 64 bits.
pub trait Real:
    Copy
    + Default
    + Send
    + Sync
    + From<f32>
    + Add<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
{
}

impl Real for f32 {}
impl Real for f64 {}
