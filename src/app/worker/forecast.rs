//! Forecast of an exported file for the dialog "Export", and a preview of the landscape quantised
//! as in the file.

use std::sync::Arc;

use crate::app::state::exporting::Exporting;
use crate::files::export::{Forecast, forecast, stepped};
use crate::pipeline::Landscape;
use crate::pipeline::inputs::Inputs;
use crate::util::job::Job;

/// Forecast of the file, or the reason why it cannot be written. For a preview, the landscape's
/// heights are quantised to the levels of the file format.
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
        // The rivers were derived from the unquantised heights.
        landscape.rivers = None;
        if let Some(teximage) = &mut landscape.teximage {
            *teximage = Arc::new(stepped(teximage, range, levels));
        }
    }
    Ok(made)
}
