//! What panels, dialogs and bars are made of: drop-downs, boxes for numbers, the keyboard's way
//! through them.

pub mod drop_down;
pub mod figures;
pub mod focus;
pub mod number;
pub mod plot;
pub mod watershed;
