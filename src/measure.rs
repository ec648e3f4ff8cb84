//! Measures of a height map: estimated H, range, wrap error.
