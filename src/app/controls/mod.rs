//! Controls shared by panels, dialogs and bars: drop-downs, number boxes, plots and keyboard focus.

pub mod drop_down;
pub mod figures;
pub mod focus;
pub mod number;
pub mod plot;
pub mod watershed;
