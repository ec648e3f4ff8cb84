//! Flags for the import of an input image, where its file lacks metadata, and for the georeference of the
//! map.

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::change::{Change, help};
use crate::generate::{ByteOrder, InputCoding, InputSources, InputUnit, Reading, Surface};
use crate::util::param::Params;

/// What an input image is, and where the map lies.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub struct ReadingArgs {
    #[arg(long, value_name = "UNIT", help = help::<Reading>("unit"),
        value_parser = PossibleValuesParser::new(InputUnit::NAMES))]
    input_unit: Option<String>,
    #[arg(long, value_name = "LOW,HIGH", help = help::<Reading>("range"),
        allow_hyphen_values = true)]
    input_range: Option<String>,
    #[arg(long, value_name = "X[,Y]", help = help::<Reading>("spacing"),
        allow_hyphen_values = true)]
    input_spacing: Option<String>,
    #[arg(long, value_name = "NUMBER", help = help::<Reading>("no_data"),
        allow_hyphen_values = true)]
    input_nodata: Option<String>,
    #[arg(long, value_name = "WxH", help = help::<Reading>("size"), allow_hyphen_values = true)]
    input_size: Option<String>,
    #[arg(long, value_name = "ORDER", help = help::<Reading>("order"),
        value_parser = PossibleValuesParser::new(ByteOrder::NAMES))]
    input_order: Option<String>,
    #[arg(long, value_name = "N", help = help::<Reading>("band"))]
    input_band: Option<String>,
    #[arg(long, value_name = "CODING", help = help::<Reading>("coding"),
        value_parser = PossibleValuesParser::new(InputCoding::NAMES))]
    input_coding: Option<String>,
    #[arg(long, value_name = "WHERE", help = help::<Reading>("sources"),
        value_parser = PossibleValuesParser::new(InputSources::NAMES))]
    input_sources: Option<String>,
    #[arg(long, value_name = "EPSG:N", help = help::<Surface>("crs"), help_heading = "Place")]
    crs: Option<String>,
    #[arg(long, value_name = "X,Y", help = help::<Surface>("origin"), help_heading = "Place",
        allow_hyphen_values = true)]
    origin: Option<String>,
}

impl ReadingArgs {
    /// True if any of these flags is given.
    pub fn is_given(&self) -> bool {
        !self.changes().is_empty() || !self.places().is_empty()
    }

    /// The import flags as changes of scene keys.
    pub fn changes(&self) -> Vec<Change> {
        let flags = [
            ("--input-unit", "surface.reading.unit", &self.input_unit),
            ("--input-range", "surface.reading.range", &self.input_range),
            (
                "--input-spacing",
                "surface.reading.spacing",
                &self.input_spacing,
            ),
            (
                "--input-nodata",
                "surface.reading.no_data",
                &self.input_nodata,
            ),
            ("--input-band", "surface.reading.band", &self.input_band),
            (
                "--input-coding",
                "surface.reading.coding",
                &self.input_coding,
            ),
            (
                "--input-sources",
                "surface.reading.sources",
                &self.input_sources,
            ),
            ("--input-size", "surface.reading.size", &self.input_size),
            ("--input-order", "surface.reading.order", &self.input_order),
        ];
        Change::given(text::<Reading>, &flags)
    }

    /// The georeferencing flags as changes of scene keys.
    pub fn places(&self) -> Vec<Change> {
        let flags = [
            ("--crs", "surface.crs", &self.crs),
            ("--origin", "surface.origin", &self.origin),
        ];
        Change::given(text::<Surface>, &flags)
    }
}

/// Make a change to a text; the allowed values are those that the key's own check names.
fn text<T: Params>(flag: &'static str, key: &'static str, value: &str) -> Change {
    let field = key.rsplit('.').next().unwrap_or(key);
    let mut change = Change::text(flag, key, value);
    if let Err(allowed) = T::param(field).check_text(&T::default(), value) {
        change.allowed = allowed;
    }
    change
}
