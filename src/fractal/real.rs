//! What heights of 32 and of 64 bits have in common.

use std::ops::{Add, Div, Mul};

/// A number that heights are made of: of 32 or of 64 bits.
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
