//! What the worker does for the dialog "Export": the forecast of the file, and the landscape as
//! the file will hold it.

use std::sync::Arc;

use crate::app::state::exporting::Exporting;
use crate::export::{Forecast, forecast, stepped};
use crate::inputs::Inputs;
use crate::job::Job;
use crate::pipeline::Landscape;

/// The forecast of the file, or why there will be none; the landscape gets the file's steps if
/// they are to be seen.
pub fn foresee(
    exporting: &Exporting,
    landscape: &mut Landscape,
    inputs: &Inputs,
    job: &Job,
) -> Result<Forecast, String> {
    let format = exporting.format();
    let options = exporting.options(&landscape.scene);
    let made = forecast(landscape, inputs, format, options, job);
    let made = made.map_err(|error| error.to_string())?;
    if let (true, Some(levels)) = (exporting.preview, format.levels) {
        let range = made.range;
        landscape.heights = Arc::new(stepped(&landscape.heights, range, levels));
        // Rivers are those of the heights before.
        landscape.rivers = None;
        if let Some(teximage) = &mut landscape.teximage {
            *teximage = Arc::new(stepped(teximage, range, levels));
        }
    }
    Ok(made)
}
