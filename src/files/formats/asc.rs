//! Keywords of `.asc`, the ESRI ASCII grid.

/// Prefix of comment lines. The format has no comments, but its readers stop after the last row.
pub const COMMENT: &str = "# ";
/// Prefix of the comment line with the coordinate reference system: `EPSG:N`, `degrees`, or the unit in
/// metres.
pub const SYSTEM_LINE: &str = "# landform crs ";
