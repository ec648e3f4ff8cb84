//! What files say about their place, and what is assumed.

use super::*;

mod degrees;
mod shapes;
mod units;
